--- A proposal in the user's own words: the new text in a buffer of its own; writing that buffer
--- accepts the hunk with the text as it stands there.
local api = vim.api

local M = {}

--- @param open assent.OpenHunk
function M.open(open)
  local ends_with_newline = open.hunk.newText:sub(-1) == '\n'
  local text = ends_with_newline and open.hunk.newText:sub(1, -2) or open.hunk.newText
  local filetype = vim.bo.filetype
  vim.cmd('belowright new')
  local buf = api.nvim_get_current_buf()
  api.nvim_buf_set_name(buf, ('assent://change/%s/%s'):format(open.review.reviewId, open.hunk.id))
  vim.bo[buf].buftype = 'acwrite'
  vim.bo[buf].bufhidden = 'wipe'
  vim.bo[buf].swapfile = false
  api.nvim_buf_set_lines(buf, 0, -1, false, vim.split(text, '\n', { plain = true }))
  vim.bo[buf].modified = false
  vim.bo[buf].filetype = filetype
  api.nvim_create_autocmd('BufWriteCmd', {
    buffer = buf,
    callback = function()
      local lines = api.nvim_buf_get_lines(buf, 0, -1, false)
      local changed = table.concat(lines, '\n') .. (ends_with_newline and '\n' or '')
      vim.bo[buf].modified = false
      require('assent.review').accept_changed(open, changed)
      vim.schedule(function()
        pcall(api.nvim_buf_delete, buf, { force = true })
      end)
    end,
  })
end

return M
