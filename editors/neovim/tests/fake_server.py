"""A language server without a will of its own, for what the real one never does.

It answers `initialize`, `session/new` and whatever it was told to, writes down all it receives,
and sends what a test tells it to send. Tests speak to it by notifications named `fake/…`:

* `fake/send` `{message}`: write this message as it stands
* `fake/answer` `{method, result | error}`: from now on answer requests of this name so
* `fake/die` `{code}`: end at once, without a word

and by the request `fake/received` `{method}`: every message of this name so far, and every answer
(method "") to a request that was sent by `fake/send`.
"""

import json
import os
import sys

SERVER = {"version": "fake", "acp": {"protocolVersion": 1, "agentCapabilities": {}}}
ANSWERS = {
    "initialize": {
        "capabilities": {
            "positionEncoding": "utf-8",
            "textDocumentSync": {"openClose": True, "change": 2, "save": True},
            "executeCommandProvider": {"commands": []},
            "experimental": {"assent": SERVER},
        }
    },
    "session/new": {"sessionId": "s1"},
    "session/load": {},
    "session/prompt": {"stopReason": "end_turn"},
    "workspace/executeCommand": {"sessionId": "s1"},
    "_assent/review/decide": {"open": 0},
}


def read():
    length = 0
    while line := sys.stdin.buffer.readline().strip():
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return json.loads(sys.stdin.buffer.read(length)) if length else None


def write(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    sys.stdout.buffer.flush()


def answer(message, received):
    method, params = message["method"], message.get("params")
    if method == "fake/received":
        chosen = [m for m in received if m.get("method", "") == params["method"]]
        return {"result": chosen}
    told = ANSWERS.get(method)
    return told if isinstance(told, dict) and "error" in told else {"result": told}


def main():
    received = []
    while (message := read()) is not None:
        received.append(message)
        method, params = message.get("method", ""), message.get("params")
        if method == "fake/send":
            write(params["message"])
        elif method == "fake/answer":
            ANSWERS[params["method"]] = params.get("result", params)
        elif method == "fake/die":
            os._exit(params["code"])
        elif method == "exit":
            return
        elif method and "id" in message:
            write({"id": message["id"], **answer(message, received)})


main()
