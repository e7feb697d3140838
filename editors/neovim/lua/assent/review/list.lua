--- The open hunks as places to go to: the quickfix list, next, previous.
local api = vim.api

local M = {}

--- Our quickfix list, once there was one.
--- @type integer?
local list_id

--- @param open assent.OpenHunk
--- @return string
local function summary(open)
  if open.file.change ~= 'edit' then
    return open.file.change
  end
  local from = vim.trim((open.hunk.oldText:match('[^\n]*')))
  local to = vim.trim((open.hunk.newText:match('[^\n]*')))
  return ('%s → %s'):format(from, to)
end

--- @param open assent.OpenHunk
--- @return table quickfix item
local function item(open)
  local preview = require('assent.review.preview')
  if preview.is_needed(open.file) then
    return { filename = preview.name(open.review, open.file), lnum = 1, text = summary(open) }
  end
  local first = open.hunk.range.start.line
  return { filename = vim.uri_to_fname(open.file.uri), lnum = first + 1, text = summary(open) }
end

--- @return table[]
local function items()
  return vim.tbl_map(item, require('assent.review').open_hunks())
end

--- Put the open hunks into a quickfix list and show it.
function M.open()
  local what = { title = 'Assent: open hunks', items = items() }
  if list_id and vim.fn.getqflist({ id = list_id }).id == list_id then
    what.id = list_id
    vim.fn.setqflist({}, 'r', what)
  else
    vim.fn.setqflist({}, ' ', what)
    list_id = vim.fn.getqflist({ id = 0 }).id
  end
  vim.cmd('botright copen')
end

--- Keep the list in step, if there is one. Opens nothing.
function M.refresh()
  if list_id and vim.fn.getqflist({ id = list_id }).id == list_id then
    vim.fn.setqflist({}, 'r', { id = list_id, items = items() })
  end
end

--- @param open assent.OpenHunk
local function go(open)
  local place = item(open)
  local row = open.buf and (require('assent.review').rows(open)) or place.lnum - 1
  if open.buf then
    if open.buf ~= api.nvim_get_current_buf() then
      api.nvim_set_current_buf(open.buf)
    end
  else
    vim.cmd.edit(vim.fn.fnameescape(place.filename))
  end
  local last = api.nvim_buf_line_count(0)
  vim.cmd("normal! m'")
  api.nvim_win_set_cursor(0, { math.min(row + 1, last), 0 })
end

--- Move to the next hunk of this buffer, or on to the next file, and around.
--- @param step 1|-1
function M.move(step)
  local review = require('assent.review')
  local here = api.nvim_get_current_buf()
  local row = api.nvim_win_get_cursor(0)[1] - 1
  local in_buffer = review.in_buffer(here)
  local from, to = 1, #in_buffer
  if step < 0 then
    from, to = to, from
  end
  for index = from, to, step do
    local first = review.rows(in_buffer[index])
    if (first - row) * step > 0 and in_buffer[index].buf then
      go(in_buffer[index])
      return
    end
  end
  local all = review.open_hunks()
  if #all == 0 then
    require('assent.server').tell('nothing is open for review.')
    return
  end
  local edge = in_buffer[step > 0 and #in_buffer or 1]
  local target = step > 0 and 1 or #all
  for index, open in ipairs(all) do
    if edge and open.hunk.id == edge.hunk.id and open.review.reviewId == edge.review.reviewId then
      target = (index - 1 + step) % #all + 1
    end
  end
  go(all[target])
end

return M
