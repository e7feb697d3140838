--- The rule that a yes can save: how long it holds, then its exact text in a line that the user may
--- change. Knows neither the queue nor the wire.
local M = {}

local words_of = {
  session = 'for this session',
  workspace = 'in this workspace',
  always = 'everywhere',
}

--- @param scope string
--- @return string
function M.scope_words(scope)
  return words_of[scope] or scope
end

--- Show the rule for a last look. Leaving the line saves nothing.
--- @param rule { text: string }
--- @param scope string
--- @param on_rule fun(rule: string, scope: string)
local function ask_text(rule, scope, on_rule)
  local prompt = ('Allow, and always allow %s: '):format(M.scope_words(scope))
  vim.ui.input({ prompt = prompt, default = rule.text }, function(text)
    vim.cmd.redraw() -- what is told next would stand below the answered prompt, and wait for a key
    text = text and vim.trim(text) or ''
    if text ~= '' then
      on_rule(text, scope)
    else
      require('assent.server').tell('no rule was saved, and the approval is still open.')
    end
  end)
end

--- Ask for the scope unless it is given, then for the rule.
--- @param rule { text: string, scopes: string[] }
--- @param scope? string
--- @param on_rule fun(rule: string, scope: string)
function M.ask(rule, scope, on_rule)
  if scope and not vim.list_contains(rule.scopes, scope) then
    local scopes = table.concat(rule.scopes, ', ')
    local text = ('this rule cannot be saved for "%s"; it can for: %s.'):format(scope, scopes)
    require('assent.server').tell(text, vim.log.levels.WARN)
  elseif scope then
    ask_text(rule, scope, on_rule)
  else
    vim.ui.select(rule.scopes, {
      prompt = ('Always allow `%s`:'):format(rule.text),
      format_item = M.scope_words,
    }, function(chosen)
      if chosen then
        ask_text(rule, chosen, on_rule)
      end
    end)
  end
end

return M
