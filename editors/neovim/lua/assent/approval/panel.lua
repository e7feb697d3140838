--- The panel that shows the oldest approval, whole and scrollable. Its keys work only in it, and
--- none that allows is a single printable key.
local api = vim.api

local M = {}

local space = api.nvim_create_namespace('assent.panel')

--- @type { buf: integer, win: integer, shown?: string }?
local panel

--- @return boolean
local function is_open()
  return panel ~= nil and api.nvim_win_is_valid(panel.win)
end

--- Note when the end of the request has come onto the screen.
local function note_seen()
  local approval = panel and require('assent.approval').get(panel.shown)
  if not approval or not is_open() then
    return
  end
  -- The line behind it is on the screen only if all of the last one is.
  if vim.fn.line('w$', panel.win) > #approval.lines then
    require('assent.approval').mark_seen(approval)
  end
end

--- @param approval assent.Approval
--- @return string[] lines
local function key_lines(approval)
  local lines = { '', ('─'):rep(40) }
  local approvals = require('assent.approval')
  for index, option in ipairs(approvals.ways_to_allow(approval)) do
    local keys = index == 1 and 'ga' or ('g%d'):format(index - 1)
    lines[#lines + 1] = ('%s     %s'):format(keys, require('assent.visible').line(option.name))
  end
  vim.list_extend(lines, {
    '<CR>   Deny (the default)',
    'gr     Deny with a reason for the model',
    'gs     Deny and stop the turn',
    'q      Hide; it stays open, `:Assent approvals` shows it again',
  })
  local waiting = approvals.count() - 1
  if waiting > 0 then
    lines[#lines + 1] = ('%d more after this one'):format(waiting)
  end
  return lines
end

--- Do something with the approval that is on the screen, not with one that has just moved up.
--- @param action fun(approval: assent.Approval)
--- @return fun()
local function on_shown(action)
  return function()
    note_seen()
    local approval = panel and require('assent.approval').get(panel.shown)
    if approval then
      action(approval)
    end
  end
end

--- @param index integer
--- @return fun(approval: assent.Approval)
local function allow_otherwise(index)
  return function(approval)
    local approvals = require('assent.approval')
    local option = approvals.ways_to_allow(approval)[index + 1]
    if option then
      approvals.approve(approval, option.optionId)
    end
  end
end

--- @param buf integer
local function map_keys(buf)
  local approvals = require('assent.approval')
  local actions = {
    ga = approvals.approve,
    ['<CR>'] = approvals.deny,
    gr = function(approval)
      vim.ui.input({ prompt = 'Reason for the model: ' }, function(reason)
        if reason then
          approvals.deny(approval, reason ~= '' and reason or nil)
        end
      end)
    end,
    gs = function(approval)
      approvals.deny(approval, nil, true)
    end,
  }
  for index = 1, 4 do
    actions['g' .. index] = allow_otherwise(index)
  end
  for keys, action in pairs(actions) do
    vim.keymap.set(
      'n',
      keys,
      on_shown(function(approval)
        action(approval)
      end),
      { buffer = buf, nowait = true }
    )
  end
  vim.keymap.set('n', 'q', M.close, { buffer = buf, nowait = true })
  vim.keymap.set('n', '<Esc>', M.close, { buffer = buf, nowait = true })
end

--- @return integer
local function create_buffer()
  local buf = api.nvim_create_buf(false, true)
  api.nvim_buf_set_name(buf, 'assent://approval')
  vim.bo[buf].bufhidden = 'wipe'
  map_keys(buf)
  api.nvim_create_autocmd({ 'CursorMoved', 'WinScrolled' }, { buffer = buf, callback = note_seen })
  return buf
end

--- @param lines string[]
--- @return vim.api.keyset.win_config
local function placement(lines)
  local width = math.max(20, math.min(90, vim.o.columns - 6))
  local height = 0
  for _, line in ipairs(lines) do
    -- Where a line goes on, it is indented and marked.
    height = height + math.max(1, math.ceil(api.nvim_strwidth(line) / (width - 6)))
  end
  local most = math.min(require('assent.config').get().approval.height, vim.o.lines - 6)
  height = math.max(3, math.min(height, most))
  return {
    relative = 'editor',
    row = vim.o.lines - height - 5,
    col = vim.o.columns - width - 3,
    width = width,
    height = height,
    border = 'single',
    title = ' Assent asks ',
    style = 'minimal',
  }
end

--- @param approval assent.Approval
local function fill(approval)
  local lines = vim.list_extend({}, approval.lines)
  vim.list_extend(lines, key_lines(approval))
  vim.bo[panel.buf].modifiable = true
  api.nvim_buf_set_lines(panel.buf, 0, -1, false, lines)
  vim.bo[panel.buf].modifiable = false
  api.nvim_buf_clear_namespace(panel.buf, space, 0, -1)
  api.nvim_buf_set_extmark(panel.buf, space, 0, 0, { line_hl_group = 'AssentAsks' })
  for row, line in ipairs(lines) do
    if vim.startswith(line, 'WARNING') then
      api.nvim_buf_set_extmark(panel.buf, space, row - 1, 0, { line_hl_group = 'AssentFailed' })
    end
  end
  api.nvim_win_set_config(panel.win, placement(lines))
  if panel.shown ~= approval.id then
    panel.shown = approval.id
    api.nvim_win_set_cursor(panel.win, { 1, 0 })
  end
  vim.schedule(note_seen)
end

function M.close()
  if is_open() then
    pcall(api.nvim_win_close, panel.win, true)
  end
  panel = nil
end

--- Show the oldest approval.
--- @param enter boolean
function M.open(enter)
  local approval = require('assent.approval').first()
  if not approval then
    require('assent.server').tell('nothing waits for approval.')
    return
  end
  if not is_open() then
    local buf = create_buffer()
    local win = api.nvim_open_win(buf, false, placement(approval.lines))
    require('assent.page').set_literal(win)
    panel = { buf = buf, win = win }
  end
  fill(approval)
  if enter then
    api.nvim_set_current_win(panel.win)
  end
end

--- The queue changed: show what is first now, or go away.
function M.refresh()
  if not is_open() then
    return
  end
  local approval = require('assent.approval').first()
  if approval then
    fill(approval)
  else
    M.close()
  end
end

return M
