--- Draws hunks over a buffer's text: the lines that would go are coloured, the lines that would
--- come stand below them as virtual lines. The text itself is never touched.
local api = vim.api

local M = {}

local space = api.nvim_create_namespace('assent.review')

--- @class assent.Shape what a hunk means in whole lines
--- @field first integer row of the first line that goes, or in front of which lines come
--- @field last integer row after the last line that goes
--- @field added string[]

--- @param buf integer
--- @param position lsp.Position
--- @param encoding string
--- @return integer row
--- @return integer column in bytes
local function place(buf, position, encoding)
  local line = api.nvim_buf_get_lines(buf, position.line, position.line + 1, false)[1]
  if not line then
    return api.nvim_buf_line_count(buf), 0
  end
  return position.line, vim.str_byteindex(line, encoding, position.character, false)
end

--- Widen a hunk's range to whole lines, then leave out lines that are the same on both sides.
--- @param buf integer
--- @param hunk assent.Hunk
--- @param encoding string
--- @return assent.Shape
local function shape_of(buf, hunk, encoding)
  local first, first_column = place(buf, hunk.range.start, encoding)
  local last, last_column = place(buf, hunk.range['end'], encoding)
  local opening = api.nvim_buf_get_lines(buf, first, first + 1, false)[1] or ''
  local closing = api.nvim_buf_get_lines(buf, last, last + 1, false)[1] or ''
  local text = opening:sub(1, first_column) .. hunk.newText
  local past = last
  if first_column > 0 or last_column > 0 then
    text, past = text .. closing:sub(last_column + 1), last + 1
  elseif text:sub(-1) == '\n' then
    text = text:sub(1, -2)
  end
  local removed = api.nvim_buf_get_lines(buf, first, past, false)
  local added = text == '' and past == last and {} or vim.split(text, '\r?\n')
  while #removed > 0 and #added > 0 and removed[1] == added[1] do
    table.remove(removed, 1)
    table.remove(added, 1)
    first = first + 1
  end
  while #removed > 0 and #added > 0 and removed[#removed] == added[#added] do
    table.remove(removed)
    table.remove(added)
  end
  return { first = first, last = first + #removed, added = added }
end

--- A virtual line cannot show a control character: it stands there as `^X`.
--- @param line string
--- @param tabstop integer
--- @return string
local function printable(line, tabstop)
  return (line:gsub('\t', (' '):rep(tabstop)):gsub('%c', vim.fn.strtrans))
end

--- Lines above the first one show only where a window is scrolled for them.
--- @param buf integer
--- @param count integer
local function show_above_first(buf, count)
  for _, win in ipairs(vim.fn.win_findbuf(buf)) do
    if vim.fn.line('w0', win) == 1 then
      api.nvim_win_call(win, function()
        vim.fn.winrestview({ topfill = count })
      end)
    end
  end
end

--- @param buf integer
--- @param shape assent.Shape
local function draw_added(buf, shape)
  local lines = {}
  local tabstop = vim.bo[buf].tabstop
  for _, line in ipairs(shape.added) do
    local shown = printable(line, tabstop)
    lines[#lines + 1] = { { shown == '' and ' ' or shown, 'AssentAdd' } }
  end
  if #lines == 0 then
    return
  end
  local count = api.nvim_buf_line_count(buf)
  local above = shape.last == shape.first and shape.first < count
  local row = above and shape.first or math.max(shape.last - 1, 0)
  api.nvim_buf_set_extmark(buf, space, math.min(row, count - 1), 0, {
    virt_lines = lines,
    virt_lines_above = above,
  })
  if above and row == 0 then
    show_above_first(buf, #lines)
  end
end

--- Draw one hunk.
--- @param buf integer
--- @param hunk assent.Hunk
--- @param encoding string
--- @param label string
--- @return integer mark of the hunk
function M.hunk(buf, hunk, encoding, label)
  local shape = shape_of(buf, hunk, encoding)
  local count = api.nvim_buf_line_count(buf)
  local row = math.min(shape.first, count - 1)
  local gone = shape.last > shape.first
  local past_end = shape.last >= count
  local last_line = past_end and api.nvim_buf_get_lines(buf, -2, -1, false)[1]
  local note = ('%s +%d -%d'):format(label, #shape.added, shape.last - shape.first)
  local mark = api.nvim_buf_set_extmark(buf, space, row, 0, {
    end_row = gone and (past_end and count - 1 or shape.last) or row,
    end_col = gone and past_end and #last_line or 0,
    hl_group = gone and 'AssentDelete' or nil,
    hl_eol = gone,
    virt_text = { { note, 'AssentHint' } },
    virt_text_pos = 'eol',
    right_gravity = true,
    end_right_gravity = false,
  })
  draw_added(buf, shape)
  return mark
end

--- @param buf integer
function M.clear(buf)
  api.nvim_buf_clear_namespace(buf, space, 0, -1)
end

--- Paint a buffer's windows anew. When virtual lines go in the same moment as the text grows,
--- Neovim 0.11 can leave a line out of the screen until the next full redraw.
--- @param buf integer
function M.repaint(buf)
  if api.nvim__redraw and #vim.fn.win_findbuf(buf) > 0 then
    api.nvim__redraw({ buf = buf, valid = false })
  end
end

--- Where a hunk is now.
--- @param buf integer
--- @param mark integer
--- @return integer? first row
--- @return integer? last row, the same as the first where only lines come
function M.rows(buf, mark)
  local found = api.nvim_buf_get_extmark_by_id(buf, space, mark, { details = true })
  if not found[1] then
    return nil
  end
  local last = found[3].end_row or found[1]
  if found[3].end_col == 0 and last > found[1] then
    last = last - 1
  end
  return found[1], last
end

return M
