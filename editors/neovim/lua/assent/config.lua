--- The user's options: their defaults, their types, and the check of what `setup()` was given.
local M = {}

--- @class assent.ChatOptions
--- @field show_on_ask boolean Show the chat beside the text when `:Assent ask` or `explain` starts a turn. The cursor stays.
--- @field split 'right'|'left'|'above'|'below' Where the chat's window opens.
--- @field size integer Columns (right, left) or lines (above, below) of that window.
--- @field complete boolean Complete `/` and `@` in the chat as they are typed.

--- @class assent.ApprovalOptions
--- @field open_panel boolean Show the approval panel, unfocused, as soon as something asks. Otherwise `:Assent approvals` shows it.
--- @field height integer Lines of the panel, at most.

--- @class assent.ReviewOptions
--- @field maps boolean Map `]h` and `[h` in buffers that have open hunks, unless they are taken.

--- @class assent.Options
--- @field cmd? string[] The server's command, such as `{ '/opt/assent', 'lsp' }`. Nil: it is looked for.
--- @field settings table What the server gets as its `assent` section (the same keys as `assent.yaml`).
--- @field chat assent.ChatOptions
--- @field approval assent.ApprovalOptions
--- @field review assent.ReviewOptions

--- @type assent.Options
local defaults = {
  cmd = nil,
  settings = {},
  chat = { show_on_ask = true, split = 'right', size = 72, complete = true },
  approval = { open_panel = false, height = 32 },
  review = { maps = true },
}

--- @type assent.Options
local options = vim.deepcopy(defaults)

--- @param value any
--- @return boolean
local function is_command(value)
  return value == nil or (vim.islist(value) and #value > 0 and type(value[1]) == 'string')
end

--- @param value any
--- @return boolean
local function is_side(value)
  return vim.list_contains({ 'right', 'left', 'above', 'below' }, value)
end

--- @param value any
--- @return boolean
local function is_size(value)
  return type(value) == 'number' and value >= 1 and value % 1 == 0
end

--- Names in `given` that `known` does not have are spelling mistakes: say which.
--- @param given table
--- @param known string[]
--- @param where string
local function check_names(given, known, where)
  for name in pairs(given) do
    if not vim.list_contains(known, name) then
      local fields = table.concat(known, ', ')
      error(('assent: unknown option %s%s; there are: %s'):format(where, name, fields), 0)
    end
  end
end

--- @param given table
local function check(given)
  check_names(given, { 'cmd', 'settings', 'chat', 'approval', 'review' }, '')
  for section, names in pairs({
    chat = { 'show_on_ask', 'split', 'size', 'complete' },
    approval = { 'open_panel', 'height' },
    review = { 'maps' },
  }) do
    vim.validate('assent: ' .. section, given[section], 'table', true)
    check_names(given[section] or {}, names, section .. '.')
  end
  local merged = vim.tbl_deep_extend('force', defaults, given)
  vim.validate('assent: cmd', merged.cmd, is_command, 'list of strings')
  vim.validate('assent: settings', merged.settings, 'table')
  vim.validate('assent: chat.show_on_ask', merged.chat.show_on_ask, 'boolean')
  vim.validate('assent: chat.split', merged.chat.split, is_side, 'right, left, above or below')
  vim.validate('assent: chat.size', merged.chat.size, is_size, 'positive whole number')
  vim.validate('assent: chat.complete', merged.chat.complete, 'boolean')
  vim.validate('assent: approval.open_panel', merged.approval.open_panel, 'boolean')
  vim.validate('assent: approval.height', merged.approval.height, is_size, 'positive whole number')
  vim.validate('assent: review.maps', merged.review.maps, 'boolean')
  return merged
end

--- Take the user's options; what is wrong is an error that names the option.
--- @param given? table
function M.set(given)
  vim.validate('assent: options', given, 'table', true)
  options = check(given or {})
end

--- @return assent.Options
function M.get()
  return options
end

return M
