"""Prints the served model's own chat template with a json fence in place of its tool call tags."""

import json
import sys
import time
import urllib.request

base = sys.argv[1]
deadline = time.monotonic() + 120
while True:
    try:
        with urllib.request.urlopen(f"{base}/props") as answer:
            template = json.load(answer)["chat_template"]
        break
    except OSError:
        if time.monotonic() > deadline:
            sys.exit("the model server does not answer")
        time.sleep(0.2)

template = template.replace("within <tool_call></tool_call> XML tags", "within a ```json code fence")
template = template.replace("<tool_call>", "```json").replace("</tool_call>", "```")
template = template.replace("{{\\\"name\\\"", "{\\\"name\\\"").replace("}}\\n```", "}\\n```")
print(template, end="")
