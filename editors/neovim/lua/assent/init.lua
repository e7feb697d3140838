--- Assent, the coding agent, in Neovim. Nothing here needs `setup()`:
--- `vim.lsp.enable('assent')` and `:Assent` are enough.
local M = {}

--- Set options. See |assent-options|.
--- @param options? table see `assent.Options`
function M.setup(options)
  require('assent.config').set(options)
end

--- What the agent does and what waits for you, for a statusline.
--- @return string
function M.statusline()
  return require('assent.statusline').text()
end

--- Accept a proposed change.
--- @param scope? 'hunk'|'file'|'all' default: the hunk under the cursor
function M.accept(scope)
  require('assent.command').decide(true, scope or 'hunk')
end

--- Reject a proposed change.
--- @param scope? 'hunk'|'file'|'all' default: the hunk under the cursor
--- @param reason? string for the model
function M.reject(scope, reason)
  require('assent.command').decide(false, scope or 'hunk', reason)
end

--- Move to the next open hunk.
function M.next_hunk()
  require('assent.review.list').move(1)
end

--- Move to the previous open hunk.
function M.previous_hunk()
  require('assent.review.list').move(-1)
end

return M
