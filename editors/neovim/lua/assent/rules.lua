--- The rules that were saved with approvals: a page of them, from which each can be taken back.
local M = {}

local page_name = 'assent://rules'

--- @class assent.SavedRule
--- @field id string
--- @field rule string
--- @field scope string
--- @field workspace? string
--- @field since? string

--- By how long they hold, the shortest first.
local groups = {
  { scope = 'session', words = 'Until the session ends' },
  { scope = 'workspace', words = 'In one workspace' },
  { scope = 'always', words = 'Everywhere' },
}

--- @param rule assent.SavedRule
--- @return string
local function line_of(rule)
  local about = {}
  about[#about + 1] = rule.workspace
  about[#about + 1] = rule.since and 'since ' .. rule.since
  local text = '    ' .. rule.rule
  if #about > 0 then
    text = ('%s  (%s)'):format(text, table.concat(about, ', '))
  end
  return require('assent.visible').line(text)
end

--- @param rules assent.SavedRule[]
--- @return string[] lines
--- @return table<integer, assent.SavedRule> rows the rule of each line that has one
local function layout(rules)
  local lines = { 'dd  take back the rule under the cursor      q  close' }
  local rows = {}
  for _, group in ipairs(groups) do
    local kept = vim.tbl_filter(function(rule)
      return rule.scope == group.scope
    end, rules)
    if #kept > 0 then
      vim.list_extend(lines, { '', group.words })
    end
    for _, rule in ipairs(kept) do
      lines[#lines + 1] = line_of(rule)
      rows[#lines] = rule
    end
  end
  if #rules == 0 then
    lines[#lines + 1] = 'No rule is saved. An approval can save one.'
  end
  return lines, rows
end

--- @param client vim.lsp.Client
--- @param rule? assent.SavedRule
local function take_back(client, rule)
  local server = require('assent.server')
  if not rule then
    server.tell('there is no rule under the cursor.')
    return
  end
  local command = require('assent.protocol').commands.remove_rule
  server.execute(client, command, { id = rule.id }, function(answer)
    local words = answer.removed and 'taken back: ' or 'it was gone already: '
    server.tell(words .. require('assent.visible').line(rule.rule))
    if vim.fn.bufwinid(page_name) ~= -1 then
      M.open(client)
    end
  end)
end

--- Ask the server for the rules and show them.
--- @param client vim.lsp.Client
function M.open(client)
  local command = require('assent.protocol').commands.rules
  require('assent.server').execute(client, command, nil, function(answer)
    local lines, rows = layout(answer.rules or {})
    require('assent.page').show(page_name, lines, {
      dd = function()
        take_back(client, rows[vim.api.nvim_win_get_cursor(0)[1]])
      end,
    })
    -- On a rule, so that the key does something at once.
    local row = vim.api.nvim_win_get_cursor(0)[1]
    if not rows[row] then
      local first = vim.fn.sort(vim.tbl_keys(rows), 'n')[1]
      vim.api.nvim_win_set_cursor(0, { first or 1, 0 })
    end
  end)
end

return M
