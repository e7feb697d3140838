--- A page: text to be read in a window of its own, with keys that work only in it. It is shown as it
--- is: nothing of it is folded, concealed, or taken for an option of Neovim's.
local api = vim.api

local M = {}

--- How a window shows text as it is. A long line goes on below, where a mark tells it from a line of
--- its own.
local literal = {
  wrap = true,
  linebreak = false,
  breakindent = true,
  showbreak = '↪ ',
  smoothscroll = true,
  conceallevel = 0,
  foldenable = false,
  list = false,
  number = false,
  relativenumber = false,
  signcolumn = 'no',
  spell = false,
}

--- @param win integer
function M.set_literal(win)
  for option, value in pairs(literal) do
    api.nvim_set_option_value(option, value, { win = win, scope = 'local' })
  end
end

--- @param name string
--- @return integer
local function create(name)
  local buf = api.nvim_create_buf(false, true)
  api.nvim_buf_set_name(buf, name)
  vim.bo[buf].bufhidden = 'wipe'
  vim.keymap.set('n', 'q', '<Cmd>close<CR>', { buffer = buf, nowait = true })
  return buf
end

--- Show a page, in the window that shows it already or in a new one, which is entered.
--- @param name string `assent://…`
--- @param lines string[]
--- @param keys table<string, fun()> Normal mode keys, beside `q`
--- @return integer buf
function M.show(name, lines, keys)
  local buf = vim.fn.bufnr('^' .. vim.fn.escape(name, '[]*?\\') .. '$')
  local win = buf > 0 and vim.fn.bufwinid(buf) or -1
  if win == -1 then
    buf = buf > 0 and buf or create(name)
    local height = math.max(1, math.min(#lines, math.floor(vim.o.lines / 2)))
    win = api.nvim_open_win(buf, true, { split = 'below', win = -1, height = height })
    M.set_literal(win)
  end
  for key, action in pairs(keys) do
    vim.keymap.set('n', key, action, { buffer = buf, nowait = true })
  end
  vim.bo[buf].modifiable = true
  api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  vim.bo[buf].modifiable = false
  api.nvim_set_current_win(win)
  return buf
end

return M
