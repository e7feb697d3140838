--- Proposals that no buffer can show in place: a new file, a file to be deleted, a rename. Each
--- can be looked at in a buffer of its own, `assent://review/<review>/<path>`.
local api = vim.api

local M = {}

local space = api.nvim_create_namespace('assent.preview')

--- The preview's name of a proposed file.
--- @param review assent.Review
--- @param file assent.ReviewFile
--- @return string
function M.name(review, file)
  local path = vim.fn.fnamemodify(vim.uri_to_fname(file.uri), ':.')
  return ('assent://review/%s/%s'):format(review.reviewId, path)
end

--- Does this proposal need a preview? A new file's buffer, once it is open, can show it in place.
--- @param file assent.ReviewFile
--- @return boolean
function M.is_needed(file)
  return file.change ~= 'edit'
end

--- The undecided hunks that a preview buffer stands for.
--- @param buf integer
--- @return assent.OpenHunk[]
function M.hunks(buf)
  local name = api.nvim_buf_get_name(buf)
  if not vim.startswith(name, 'assent://review/') then
    return {}
  end
  return vim.tbl_filter(function(open)
    return M.name(open.review, open.file) == name
  end, require('assent.review').open_hunks())
end

local titles = {
  create = 'New file',
  delete = 'Delete this file',
  rename = 'Rename this file',
}

--- @param open assent.OpenHunk[]
--- @return string title
--- @return string[] lines
--- @return string? group
local function content(open)
  if #open == 0 then
    return 'Decided: nothing is open here', {}, nil
  end
  local file = open[1].file
  local title = titles[file.change] or 'Change'
  if file.change == 'rename' then
    return ('%s to %s'):format(title, file.newUri and vim.uri_to_fname(file.newUri) or '?'), {}, nil
  end
  local deleted = file.change == 'delete'
  local text = ''
  for _, entry in ipairs(open) do
    text = text .. (deleted and entry.hunk.oldText or entry.hunk.newText)
  end
  local lines = vim.split((text:gsub('\n$', '')), '\r?\n')
  return title, lines, deleted and 'AssentDelete' or 'AssentAdd'
end

--- Fill a preview buffer.
--- @param buf integer
function M.load(buf)
  local open = M.hunks(buf)
  local title, lines, group = content(open)
  vim.bo[buf].modifiable = true
  vim.bo[buf].buftype = 'nofile'
  vim.bo[buf].bufhidden = 'wipe'
  vim.bo[buf].swapfile = false
  api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  api.nvim_buf_clear_namespace(buf, space, 0, -1)
  for row = 0, group and #lines - 1 or -1 do
    api.nvim_buf_set_extmark(buf, space, row, 0, { line_hl_group = group })
  end
  api.nvim_buf_set_extmark(buf, space, 0, 0, {
    virt_text = { { title, 'AssentHint' } },
    virt_text_pos = 'eol',
  })
  vim.bo[buf].modifiable = false
  require('assent.review.keys').set(buf, #open > 0)
end

--- Fill again whatever preview is shown.
function M.refresh()
  for _, buf in ipairs(api.nvim_list_bufs()) do
    local is_preview = vim.startswith(api.nvim_buf_get_name(buf), 'assent://review/')
    if is_preview and api.nvim_buf_is_loaded(buf) then
      M.load(buf)
    end
  end
end

return M
