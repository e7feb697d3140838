-- What the specs do with the fake server: see fake_server.py.
local harness = require('harness')

local M = {}

--- Let the plugin start the fake server for a file with this text.
--- @param child assent.test.Child
--- @param text string
function M.open(child, text)
  child:write('a.txt', text)
  child:lua(
    'require("assent").setup({ cmd = { "python3", ... } })',
    harness.tests .. '/fake_server.py'
  )
  child:open('a.txt')
end

--- Let the server write a message.
--- @param child assent.test.Child
--- @param message table
function M.send(child, message)
  child:lua(
    'vim.lsp.get_clients({ name = "assent" })[1]:notify("fake/send", { message = ... })',
    message
  )
end

--- Wait for a message of this name (or, with an empty name, an answer) that the server received.
--- @param child assent.test.Child
--- @param method string
--- @return table[]
function M.received(child, method)
  return child:wait(
    [[
      local client = vim.lsp.get_clients({ name = 'assent' })[1]
      local answer = client and client:request_sync('fake/received', { method = ... }, 5000)
      return answer and answer.result and #answer.result > 0 and answer.result
    ]],
    method
  )
end

--- @param child assent.test.Child
--- @param told table
function M.update(child, told)
  M.send(child, { method = 'session/update', params = { sessionId = 's1', update = told } })
end

--- A request for approval.
--- @param subject string
--- @param more? table fields of `toolCall._meta.assent`
--- @return table
function M.asks(subject, more)
  return {
    id = 7,
    method = 'session/request_permission',
    params = {
      sessionId = 's1',
      toolCall = {
        toolCallId = 'c1',
        title = 'Run a command',
        status = 'pending',
        _meta = {
          assent = vim.tbl_extend(
            'force',
            { id = 'a1', subject = subject, rule = 'no rule allows it' },
            more or {}
          ),
        },
      },
      options = {
        { optionId = 'allow_once', name = 'Allow once', kind = 'allow_once' },
        { optionId = 'reject_once', name = 'Reject', kind = 'reject_once' },
      },
    },
  }
end

return M
