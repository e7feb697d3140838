--- The subcommands of `:Assent` that answer approvals and questions.

--- @type table<string, assent.Subcommand>
local subcommands = {}

--- How long a saved rule can hold.
local scopes = { 'session', 'workspace', 'always' }

--- @return fun(text: string, level?: integer)
local function tell(...)
  return require('assent.server').tell(...)
end

subcommands.approvals = {
  run = function()
    require('assent.approval.panel').open(true)
  end,
}

subcommands.approve = {
  run = function(arguments)
    local approvals = require('assent.approval')
    local first = approvals.first()
    local kind = arguments[1]
    if not first then
      tell('nothing waits for approval.')
    elseif vim.list_contains(scopes, kind) then
      approvals.approve(first, 'allow_always', kind)
    else
      approvals.approve(first, kind == 'save' and 'save_then_allow' or kind)
    end
  end,
  complete = function(position)
    return position == 1 and { 'save', unpack(scopes) } or {}
  end,
}

subcommands.deny = {
  run = function(arguments)
    local approvals = require('assent.approval')
    local first = approvals.first()
    if not first then
      tell('nothing waits for approval.')
      return
    end
    local stop = arguments[1] == 'stop'
    if stop then
      table.remove(arguments, 1)
    end
    approvals.deny(first, #arguments > 0 and table.concat(arguments, ' ') or nil, stop)
  end,
  complete = function(position)
    return position == 1 and { 'stop' } or {}
  end,
}

subcommands.answer = {
  run = function()
    require('assent.question').ask()
  end,
}

return subcommands
