--- An approval in words: everything that will happen, nothing cut, nothing folded away. First what
--- would be done, then why that is asked, and around it. What the server did not send is not drawn.
local M = {}

local shown_of_digest = 8

--- A value of the wire, or nil where there is nothing in it.
--- @param value any
--- @return any
local function given(value)
  if value == nil or value == vim.NIL or value == '' then
    return nil
  end
  return value
end

--- @param text any
--- @return string
local function one_line(text)
  return require('assent.visible').line(tostring(text))
end

--- A named line, and lines below it that belong to it.
--- @param into string[]
--- @param name string
--- @param lines string[]
local function add_lines(into, name, lines)
  for index, line in ipairs(lines) do
    into[#into + 1] = ('%-9s %s'):format(index == 1 and name or '', line)
  end
end

--- @param into string[]
--- @param name string
--- @param value any
local function add_field(into, name, value)
  if given(value) then
    add_lines(into, name, require('assent.visible').lines(tostring(value)))
  end
end

--- @param list any
--- @param words fun(item: any): string
--- @return string[]
local function each(list, words)
  return vim.tbl_map(words, given(list) or {})
end

--- @param uri string
--- @return string
local function path_of(uri)
  return vim.startswith(uri, 'file:') and vim.fn.fnamemodify(vim.uri_to_fname(uri), ':.') or uri
end

--- A word as one would have to type it to a shell.
--- @param word string
--- @return string
local function quoted(word)
  if word:find('^[%w@%%+=:,./_-]+$') then
    return word
  end
  return "'" .. word:gsub("'", "'\\''") .. "'"
end

--- A simple command as its program gets it: its words, the program, what is special about it.
--- @param part { argv: string[], program?: string, marks?: string[] }
--- @return string
local function command_words(part)
  local marks = each(part.marks, one_line)
  local text = table.concat(vim.tbl_map(quoted, each(part.argv, one_line)), ' ')
  if given(part.program) then
    text = text .. ' → ' .. one_line(part.program)
  elseif not vim.list_contains(marks, 'shell builtin') then
    table.insert(marks, 1, 'program not found')
  end
  return #marks > 0 and ('%s (%s)'):format(text, table.concat(marks, ', ')) or text
end

--- @param file { path: string, target?: string, operation: string, protected?: string }
--- @return string
local function file_words(file)
  local text = ('%s %s'):format(one_line(file.operation), one_line(file.path))
  if given(file.target) then
    text = text .. ' → ' .. one_line(file.target)
  end
  if given(file.protected) then
    text = ('%s (protected: %s)'):format(text, one_line(file.protected))
  end
  return text
end

--- Why it asks, step by step; the last one decided.
--- @param meta table
--- @return string[]
local function reason_lines(meta)
  local steps = each(meta.reasons, function(step)
    local source = given(step.source)
    return one_line(step.what) .. (source and (' (%s)'):format(one_line(source)) or '')
  end)
  if #steps == 0 then
    return each({ given(meta.rule) }, one_line)
  end
  for index, step in ipairs(#steps > 1 and steps or {}) do
    steps[index] = ('%d. %s'):format(index, step)
  end
  return steps
end

--- @param meta table
--- @return string?
local function directory_words(meta)
  local cwd = given(meta.cwd)
  if not cwd then
    return given(meta.directory)
  end
  return cwd.path .. (cwd.inside and ' (inside the workspace)' or ' (OUTSIDE the workspace)')
end

--- @param tool { name: string, kind?: string, source?: string, overrides?: string }
--- @return string
local function tool_words(tool)
  local text = tool.name
  text = given(tool.kind) and ('%s (%s)'):format(text, tool.kind) or text
  text = given(tool.source) and ('%s, from %s'):format(text, tool.source) or text
  return given(tool.overrides) and ('%s, INSTEAD OF %s'):format(text, tool.overrides) or text
end

--- The subject: a command, a path. With more than one line it says how many, so that a line far
--- below cannot be missed.
--- @param into string[]
--- @param subject string
--- @param size { lines: integer, bytes: integer } of a command, as the server counts it
local function add_subject(into, subject, size)
  local lines = require('assent.visible').lines(subject)
  into[#into + 1] = ''
  for _, line in ipairs(lines) do
    into[#into + 1] = '    ' .. line
  end
  into[#into + 1] = ''
  if #lines > 1 then
    into[#into + 1] = ('%d lines, %d bytes'):format(size.lines or #lines, size.bytes or #subject)
  end
end

--- What a request without a subject says instead.
--- @param into string[]
--- @param content? table[] ACP tool call content
local function add_content(into, content)
  for _, item in ipairs(content or {}) do
    local text = vim.tbl_get(item, 'content', 'text')
    if text then
      vim.list_extend(into, require('assent.visible').lines(text))
    elseif item.type == 'diff' then
      add_field(into, 'File', item.path)
      add_field(into, 'New text', item.newText)
    end
  end
end

--- What would be done.
--- @param into string[]
--- @param meta table
local function add_done(into, meta)
  local command = given(meta.command)
  add_lines(into, 'Starts', each(command and command.parsed, command_words))
  for _, warning in ipairs(given(meta.warnings) or {}) do
    add_field(into, 'WARNING', warning)
  end
  add_lines(into, 'Unsaved', each(each(meta.unsaved, path_of), one_line))
  add_field(into, 'In', directory_words(meta))
  add_lines(into, 'Files', each(meta.files, file_words))
  add_lines(
    into,
    'With',
    each(meta.env, function(variable)
      return one_line(('%s=%s'):format(variable.name, variable.value))
    end)
  )
  add_field(into, 'Arguments', meta.arguments ~= '{}' and meta.arguments or nil)
  add_field(into, 'Network', meta.network)
  add_field(into, 'Sandbox', given(meta.sandbox) and meta.sandbox.words)
end

--- Why it is asked, and who wants it.
--- @param into string[]
--- @param meta table
local function add_around(into, meta)
  add_lines(into, 'Why', reason_lines(meta))
  local effects = {}
  for _, effect in ipairs({ 'reads', 'writes', 'exec' }) do
    if given(meta[effect]) then
      effects[#effects + 1] = ('%s %s'):format(effect == 'exec' and 'runs' or effect, meta[effect])
    end
  end
  add_field(into, 'Class', table.concat(effects, ', '))
  add_field(into, 'Always', meta.remember)
  add_field(into, 'Tool', given(meta.tool) and tool_words(meta.tool))
  local path = given(meta.agentPath) or {}
  add_field(into, 'Agent', #path > 1 and table.concat(path, ' → ') or nil)
  add_field(into, 'Works on', meta.prompt)
  local digest = given(meta.digest)
  local ids = { given(meta.requestId) or given(meta.id) }
  ids[#ids + 1] = digest and digest:sub(1, shown_of_digest) .. '…'
  add_field(into, 'Id', table.concat(ids, ' · '))
end

--- @param params table ACP request_permission
--- @return string[] the first line is the title
function M.lines(params)
  local call = params.toolCall
  local meta = vim.tbl_get(call, '_meta', 'assent') or {}
  local into = { one_line(given(call.title) or 'Approve a tool call') }
  if type(meta.subject) == 'string' then
    add_subject(into, meta.subject, given(meta.command) or {})
  else
    add_content(into, call.content)
  end
  add_done(into, meta)
  add_around(into, meta)
  return into
end

return M
