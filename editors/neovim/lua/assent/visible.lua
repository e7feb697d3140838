--- Makes characters visible that could hide something from whoever reads a request: control
--- characters, direction marks, characters without width. The server does this too; a client
--- that shows what somebody is about to approve does not rely on that.
local M = {}

--- Byte patterns of code points that show nothing or change the order of what is shown.
local hidden = {
  '\194[\128-\159]', -- U+0080 to U+009F, the other control characters
  '\194\173', -- U+00AD
  '\216\156', -- U+061C
  '\226\128[\139-\143]', -- U+200B to U+200F
  '\226\128[\168-\174]', -- U+2028 to U+202E
  '\226\129[\160-\175]', -- U+2060 to U+206F
  '\239\187\191', -- U+FEFF
  '\243\160[\128-\129][\128-\191]', -- U+E0000 to U+E007F
}

--- @param character string
--- @return string
local function name_of(character)
  return ('⟨U+%04X⟩'):format(vim.fn.char2nr(character))
end

--- @param text string
--- @return string
function M.text(text)
  text = text:gsub('[%z\1-\8\11-\31\127]', name_of)
  for _, pattern in ipairs(hidden) do
    text = text:gsub(pattern, name_of)
  end
  return text
end

--- `text` as one line: a line end is made visible too.
--- @param text string
--- @return string
function M.line(text)
  return (M.text(text):gsub('\n', name_of))
end

--- The lines of `text`, each made visible.
--- @param text string
--- @return string[]
function M.lines(text)
  return vim.tbl_map(M.text, vim.split(text, '\n', { plain = true }))
end

return M
