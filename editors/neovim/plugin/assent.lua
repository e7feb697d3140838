-- Nothing is loaded here: the command, the maps and the highlight groups come into being, and the
-- modules behind them on first use.
if vim.g.loaded_assent then
  return
end
vim.g.loaded_assent = true

if vim.fn.has('nvim-0.11') == 0 then
  vim.notify('Assent needs Neovim 0.11 or newer', vim.log.levels.ERROR)
  return
end

vim.api.nvim_create_user_command('Assent', function(args)
  require('assent.command').run(args)
end, {
  nargs = '*',
  range = true,
  desc = 'Assent, the coding agent: chat, ask, review, accept, reject, …',
  complete = function(lead, line, column)
    return require('assent.command').complete(lead, line, column)
  end,
})

for name, action in pairs({
  Next = 'next_hunk',
  Previous = 'previous_hunk',
  Accept = 'accept',
  Reject = 'reject',
}) do
  vim.keymap.set('n', '<Plug>(Assent' .. name .. ')', function()
    require('assent')[action]()
  end, { desc = 'Assent: ' .. action:gsub('_', ' ') })
end

for group, link in pairs({
  AssentAdd = 'DiffAdd',
  AssentDelete = 'DiffDelete',
  AssentHint = 'Comment',
  AssentTool = 'Comment',
  AssentFailed = 'DiagnosticError',
  AssentAsks = 'DiagnosticWarn',
}) do
  vim.api.nvim_set_hl(0, group, { link = link, default = true })
end

local group = vim.api.nvim_create_augroup('assent', {})

-- `vim.lsp.enable` attaches on FileType, which a file without a known type never causes.
vim.api.nvim_create_autocmd({ 'BufReadPost', 'BufNewFile' }, {
  group = group,
  callback = function(event)
    if vim.bo[event.buf].filetype == '' and vim.lsp.is_enabled('assent') then
      require('assent.server').attach(event.buf)
    end
  end,
})

vim.api.nvim_create_autocmd('LspProgress', {
  group = group,
  callback = function(event)
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    if client and client.name == 'assent' then
      require('assent.statusline').refresh()
    end
  end,
})

vim.api.nvim_create_autocmd('BufReadCmd', {
  group = group,
  pattern = 'assent://review/*',
  callback = function(event)
    require('assent.review.preview').load(event.buf)
  end,
})
