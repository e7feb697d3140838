--- Approvals: what the server asks before it acts. The question waits here, in a queue, until the
--- user answers it; nothing opens by itself, nothing blocks, and whatever is unclear is a no.
local M = {}

--- @class assent.Approval
--- @field id string
--- @field client_id integer
--- @field session string
--- @field call_id string
--- @field lines string[] all of it, as it is shown
--- @field options { optionId: string, name: string, kind: string }[]
--- @field digest? string what the answer is bound to
--- @field rule? { text: string, scopes: string[] } what may be saved, and how long it may hold
--- @field answer fun(result: table)
--- @field seen_at? integer when its end was first on the screen, in milliseconds

--- @type assent.Approval[] the oldest first
local queue = {}

--- An answer sooner than this after the question appeared was meant for something else.
local guard_ms = 400

local next_id = 0

--- @return integer
function M.count()
  return #queue
end

--- The one to answer first.
--- @return assent.Approval?
function M.first()
  return queue[1]
end

--- @param id string
--- @return assent.Approval?
function M.get(id)
  for _, approval in ipairs(queue) do
    if approval.id == id then
      return approval
    end
  end
end

--- Tell everything that shows approvals that the queue changed.
local function refresh()
  require('assent.approval.panel').refresh()
  require('assent.statusline').refresh()
end

--- @param approval assent.Approval
--- @param outcome string
local function show_outcome(approval, outcome)
  local session = require('assent.session').get(approval.session)
  if session then
    require('assent.chat').approval(session, approval.id, approval.lines, outcome)
  end
end

--- One line below the text: it never waits for a key, and never covers the text.
local function announce()
  local text = #queue == 1 and 'Assent asks for approval'
    or ('Assent asks for %d approvals'):format(#queue)
  vim.api.nvim_echo({ { text .. ' · :Assent approvals', 'AssentAsks' } }, false, {})
end

--- Note that the end of an approval is on the screen.
--- @param approval assent.Approval
function M.mark_seen(approval)
  approval.seen_at = approval.seen_at or vim.uv.now()
end

--- @param approval assent.Approval
local function note_in_chat(approval)
  if require('assent.chat').shows_approval(approval.session, approval.id) then
    M.mark_seen(approval)
  end
end

--- The rule that may be saved with a yes; nil where none may be.
--- @param meta table
--- @return { text: string, scopes: string[] }?
local function rule_of(meta)
  local scopes = meta.rememberScopes
  if type(meta.remember) == 'string' and type(scopes) == 'table' and #scopes > 0 then
    return { text = require('assent.visible').line(meta.remember), scopes = scopes }
  end
end

--- @param params table ACP request_permission
--- @param ctx lsp.HandlerContext
--- @param answer fun(result: table)
local function add(params, ctx, answer)
  next_id = next_id + 1
  local meta = vim.tbl_get(params, 'toolCall', '_meta', 'assent') or {}
  local session = require('assent.session').get(params.sessionId)
  local approval = {
    id = meta.id or ('%d'):format(next_id),
    client_id = ctx.client_id,
    session = params.sessionId,
    call_id = params.toolCall.toolCallId,
    lines = require('assent.approval.text').lines(params),
    options = params.options,
    digest = type(meta.digest) == 'string' and meta.digest or nil,
    rule = rule_of(meta),
    answer = answer,
  }
  queue[#queue + 1] = approval
  if session then
    require('assent.chat').approval(session, approval.id, approval.lines)
  end
  if require('assent.config').get().approval.open_panel then
    require('assent.approval.panel').open(false)
  else
    announce()
  end
  refresh()
  vim.schedule(function()
    note_in_chat(approval)
  end)
end

--- `session/request_permission`: answered when the user decides.
--- @param params table
--- @param ctx lsp.HandlerContext
--- @return table
function M.on_request(params, ctx)
  return require('assent.late').answer(function(answer)
    add(params, ctx, answer)
  end)
end

--- Take an approval from the queue, with what became of it, and answer it.
--- @param approval assent.Approval
--- @param result? table nil where nobody waits for an answer any more
--- @param outcome string
--- @return boolean stood whether it was still open
local function close(approval, result, outcome)
  for index, other in ipairs(queue) do
    if other == approval then
      table.remove(queue, index)
      show_outcome(approval, outcome)
      if result then
        approval.answer(result)
      end
      refresh()
      return true
    end
  end
  return false
end

--- The answer to a request: the option, and what goes beside it. It is about the state of things
--- that the request showed, and says so by the digest.
--- @param approval assent.Approval
--- @param option? { optionId: string }
--- @param beside? table
--- @return table
local function result_of(approval, option, beside)
  local assent = vim.tbl_extend('force', { digest = approval.digest }, beside or {})
  return {
    outcome = option and { outcome = 'selected', optionId = option.optionId }
      or { outcome = 'cancelled' },
    _meta = next(assent) and { assent = assent } or nil,
  }
end

--- Has the user had all of it before his eyes, and for long enough?
--- @param approval assent.Approval
--- @return boolean
local function was_read(approval)
  note_in_chat(approval)
  return approval.seen_at ~= nil and vim.uv.now() - approval.seen_at >= guard_ms
end

--- @param approval assent.Approval
--- @param kind string
--- @return { optionId: string, name: string, kind: string }?
local function option_of(approval, kind)
  for _, field in ipairs({ 'optionId', 'kind' }) do
    for _, option in ipairs(approval.options) do
      if option[field] == kind then
        return option
      end
    end
  end
end

--- Does this option save the rule of the approval?
--- @param approval assent.Approval
--- @param option { kind: string }
--- @return boolean
local function saves_rule(approval, option)
  return approval.rule ~= nil and option.kind == 'allow_always'
end

--- The options that allow: the plain one first, then those that do more. Those that save a rule
--- are one way, since the rule and how long it holds are asked then.
--- @param approval assent.Approval
--- @return { optionId: string, name: string, kind: string }[]
function M.ways_to_allow(approval)
  local plain = option_of(approval, 'allow_once')
  local ways, saving = { plain }, nil
  for _, option in ipairs(approval.options) do
    if option ~= plain and vim.startswith(option.kind, 'allow') then
      if not saves_rule(approval, option) then
        ways[#ways + 1] = option
      elseif not saving then
        saving = vim.tbl_extend('force', option, { name = 'Always allow: look at the rule first' })
        ways[#ways + 1] = saving
      end
    end
  end
  return ways
end

--- Approve. What was not on the screen to its end is shown instead of approved.
--- @param approval assent.Approval
--- @param kind? string `allow_once`, or the kind or id of another option that allows
--- @param scope? string how long the rule is to hold, where the option saves one
function M.approve(approval, kind, scope)
  local tell = require('assent.server').tell
  local option = option_of(approval, kind or 'allow_once')
  if not option or not vim.startswith(option.kind, 'allow') then
    tell('this cannot be allowed that way.', vim.log.levels.WARN)
  elseif not was_read(approval) then
    if not approval.seen_at then
      require('assent.approval.panel').open(false)
    end
    tell('read it to its end, then approve.')
  elseif saves_rule(approval, option) then
    require('assent.approval.rule').ask(approval.rule, scope, function(rule, chosen)
      M.allow_always(approval, rule, chosen)
    end)
  else
    close(approval, result_of(approval, option), option.name)
  end
end

--- Approve, and save a rule. The server says no if it does not cover this call.
--- @param approval assent.Approval
--- @param rule string as the user wrote it
--- @param scope string
function M.allow_always(approval, rule, scope)
  local option = option_of(approval, scope == 'session' and 'allow_session' or 'allow_always')
    or option_of(approval, 'allow_always')
  local result = result_of(approval, option, { rule = rule, scope = scope })
  local words = require('assent.approval.rule').scope_words(scope)
  if not close(approval, result, ('allowed, with the rule `%s` %s'):format(rule, words)) then
    require('assent.server').tell('the approval was gone meanwhile; no rule was saved.')
  end
end

--- Deny. The turn goes on, and the model hears the reason if there is one.
--- @param approval assent.Approval
--- @param feedback? string
--- @param stop? boolean end the turn as well
function M.deny(approval, feedback, stop)
  local option = option_of(approval, 'reject_once')
  local result = result_of(approval, option, { feedback = feedback, stop = stop or nil })
  local words = feedback and ('denied: ' .. feedback) or 'denied'
  close(approval, result, stop and words .. ', turn stopped' or words)
end

--- Withdraw whatever a predicate picks; an answer then is only a formality.
--- @param picks fun(approval: assent.Approval): boolean
--- @param outcome string
local function withdraw(picks, outcome)
  for _, approval in ipairs(vim.tbl_filter(picks, queue)) do
    close(approval, { outcome = { outcome = 'cancelled' } }, outcome)
  end
end

--- @param session string
function M.withdraw_session(session)
  withdraw(function(approval)
    return approval.session == session
  end, 'cancelled')
end

--- A call that runs or has ended needs no answer any more: somebody else gave it, or it was
--- cancelled.
--- @param session string
--- @param update table
function M.on_update(session, update)
  local status = update.status
  if update.sessionUpdate ~= 'tool_call_update' or not status or status == 'pending' then
    return
  end
  withdraw(function(approval)
    return approval.session == session and approval.call_id == update.toolCallId
  end, 'answered elsewhere')
end

--- The server is gone, and with it everyone who waited for an answer.
--- @param client_id integer
function M.on_exit(client_id)
  for index = #queue, 1, -1 do
    local approval = queue[index]
    if approval.client_id == client_id then
      close(approval, nil, 'the server stopped')
    end
  end
end

return M
