--- A few words for the statusline: whether the agent works, what waits for the user.
local M = {}

local redraw_is_due = false

--- Redraw statuslines, once for many changes, and tell whoever listens to `User AssentStatus`.
function M.refresh()
  if redraw_is_due then
    return
  end
  redraw_is_due = true
  vim.schedule(function()
    redraw_is_due = false
    vim.api.nvim_exec_autocmds('User', { pattern = 'AssentStatus', modeline = false })
    vim.cmd.redrawstatus({ bang = true })
  end)
end

--- @param count integer
--- @param one string
--- @param many string
--- @return string?
local function counted(count, one, many)
  if count > 0 then
    return ('%d %s'):format(count, count == 1 and one or many)
  end
end

--- Does a turn run? One that a command started is known by its progress only.
--- @param client vim.lsp.Client
--- @param session? assent.Session
--- @return boolean
local function is_working(client, session)
  return (session ~= nil and session.running) or next(client.progress.pending) ~= nil
end

--- The text for a statusline; empty where there is nothing to say.
--- @return string
function M.text()
  local client = require('assent.server').get()
  if not client then
    return ''
  end
  local session = require('assent.session').of_client(client.id)
  local parts = {}
  parts[#parts + 1] = is_working(client, session) and 'working' or nil
  parts[#parts + 1] = counted(require('assent.approval').count(), 'approval', 'approvals')
  parts[#parts + 1] = counted(require('assent.question').count(), 'question', 'questions')
  parts[#parts + 1] = counted(require('assent.review').count(), 'hunk', 'hunks')
  parts[#parts + 1] = session and session.mode ~= 'ask' and session.mode or nil
  local words = #parts > 0 and ': ' .. table.concat(parts, ', ') or ''
  return 'Assent' .. words
end

return M
