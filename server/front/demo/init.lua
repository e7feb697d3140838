-- What Neovim starts with in the demo: the plugin, the server, and the chat with a prompt in it.
-- The prompt is in `ASSENT_DEMO_PROMPT`; the plugin is on 'runtimepath' already.
vim.o.number = true
vim.lsp.enable('assent')

local function put_prompt(buf)
  local last = vim.api.nvim_buf_line_count(buf)
  if vim.api.nvim_buf_get_lines(buf, last - 1, last, false)[1] == '' then
    vim.api.nvim_buf_set_lines(buf, last - 1, last, false, { vim.env.ASSENT_DEMO_PROMPT })
  end
  vim.notify("<C-s> sends the prompt. The model's words are scripted; all else is real.")
end

vim.api.nvim_create_autocmd('BufEnter', {
  callback = function(event)
    if require('assent.chat').session_of(event.buf) then
      vim.schedule(function()
        put_prompt(event.buf)
      end)
      return true
    end
  end,
})

vim.api.nvim_create_autocmd('VimEnter', {
  once = true,
  callback = function()
    vim.cmd('Assent chat')
  end,
})
