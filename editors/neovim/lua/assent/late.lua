--- Answers to the server's requests that come later than the handler's first line.
---
--- Neovim runs each handler of a server request in a coroutine of its own and sends what it
--- returns. So a handler may wait by yielding: the editor and the connection go on, and the
--- answer is sent when the coroutine is resumed.
local M = {}

--- Call `start` with a function that takes the answer, and wait until it was called. Only its
--- first call counts. Use it as the last expression of a request handler.
--- @param start fun(answer: fun(result: any))
--- @return any result
function M.answer(start)
  local handler = coroutine.running()
  if not handler then
    error('assent: this Neovim runs request handlers outside a coroutine; answers cannot wait', 0)
  end
  local answered, waiting, result = false, false, nil
  start(function(value)
    if answered then
      return
    end
    answered, result = true, value
    if waiting then
      local ok, problem = coroutine.resume(handler)
      if not ok then
        vim.notify(
          'Assent: the answer could not be sent: ' .. tostring(problem),
          vim.log.levels.ERROR
        )
      end
    end
  end)
  if not answered then
    waiting = true
    coroutine.yield()
  end
  return result
end

return M
