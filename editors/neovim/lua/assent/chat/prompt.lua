--- From what stands in the prompt to the blocks of ACP: the text, the files it mentions, the
--- attached selections.
local api = vim.api

local M = {}

--- @class assent.Attachment
--- @field uri string
--- @field label string
--- @field text string
--- @field first integer first line, from 1
--- @field last integer last line

--- The lines of a buffer as something to attach. What the buffer holds counts, not the disk.
--- @param buf integer
--- @param first integer from 1
--- @param last integer
--- @return assent.Attachment
function M.attachment(buf, first, last)
  local path = api.nvim_buf_get_name(buf)
  return {
    uri = vim.uri_from_bufnr(buf),
    label = ('%s:%d-%d'):format(vim.fn.fnamemodify(path, ':.'), first, last),
    text = table.concat(api.nvim_buf_get_lines(buf, first - 1, last, false), '\n') .. '\n',
    first = first,
    last = last,
  }
end

--- Files of the session's folder that the text mentions as `@path`.
--- @param text string
--- @param cwd string
--- @return string[] paths
local function mentioned(text, cwd)
  local paths = {}
  for before, path in (' ' .. text):gmatch('(%s)@(%S+)') do
    path = path:gsub('[,;:.!?)]+$', '')
    local whole = vim.fs.joinpath(cwd, path)
    if before and vim.uv.fs_stat(whole) and not vim.list_contains(paths, whole) then
      paths[#paths + 1] = whole
    end
  end
  return paths
end

--- @param text string
--- @param cwd string
--- @param attachments assent.Attachment[]
--- @return table[] ACP content blocks
function M.blocks(text, cwd, attachments)
  local blocks = { { type = 'text', text = text } }
  for _, path in ipairs(mentioned(text, cwd)) do
    local name = vim.fs.basename(path)
    blocks[#blocks + 1] = { type = 'resource_link', uri = vim.uri_from_fname(path), name = name }
  end
  for _, attachment in ipairs(attachments) do
    local uri = ('%s#L%d-L%d'):format(attachment.uri, attachment.first, attachment.last)
    blocks[#blocks + 1] = {
      type = 'resource',
      resource = { uri = uri, mimeType = 'text/plain', text = attachment.text },
    }
  end
  return blocks
end

return M
