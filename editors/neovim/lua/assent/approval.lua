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

--- @param params table ACP request_permission
--- @param ctx lsp.HandlerContext
--- @param answer fun(result: table)
local function add(params, ctx, answer)
  next_id = next_id + 1
  local meta = vim.tbl_get(params, 'toolCall', '_meta', 'assent') or {}
  local session = require('assent.session').get(params.sessionId)
  local arguments = session
    and require('assent.chat').arguments_of(session, params.toolCall.toolCallId)
  local approval = {
    id = meta.id or ('%d'):format(next_id),
    client_id = ctx.client_id,
    session = params.sessionId,
    call_id = params.toolCall.toolCallId,
    lines = require('assent.approval.text').lines(params, arguments),
    options = params.options,
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
local function close(approval, result, outcome)
  for index, other in ipairs(queue) do
    if other == approval then
      table.remove(queue, index)
      show_outcome(approval, outcome)
      if result then
        approval.answer(result)
      end
      refresh()
      return
    end
  end
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

--- The options that allow: the plain one first, then those that do or remember more.
--- @param approval assent.Approval
--- @return { optionId: string, name: string, kind: string }[]
function M.ways_to_allow(approval)
  local plain = option_of(approval, 'allow_once')
  local ways = { plain }
  for _, option in ipairs(approval.options) do
    if option ~= plain and vim.startswith(option.kind, 'allow') then
      ways[#ways + 1] = option
    end
  end
  return ways
end

--- Approve. What was not on the screen to its end is shown instead of approved.
--- @param approval assent.Approval
--- @param kind? string `allow_once`, or the kind or id of another option that allows
function M.approve(approval, kind)
  local tell = require('assent.server').tell
  local option = option_of(approval, kind or 'allow_once')
  if not option or not vim.startswith(option.kind, 'allow') then
    tell('this cannot be allowed that way.', vim.log.levels.WARN)
    return
  end
  if not was_read(approval) then
    if not approval.seen_at then
      require('assent.approval.panel').open(false)
    end
    tell('read it to its end, then approve.')
    return
  end
  local outcome = { outcome = 'selected', optionId = option.optionId }
  close(approval, { outcome = outcome }, option.name)
end

--- Deny. The turn goes on, and the model hears the reason if there is one.
--- @param approval assent.Approval
--- @param feedback? string
--- @param stop? boolean end the turn as well
function M.deny(approval, feedback, stop)
  local option = option_of(approval, 'reject_once')
  local assent = { feedback = feedback, stop = stop or nil }
  local result = {
    outcome = option and { outcome = 'selected', optionId = option.optionId }
      or { outcome = 'cancelled' },
    _meta = next(assent) and { assent = assent } or nil,
  }
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
