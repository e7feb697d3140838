--- An approval in words: everything that will happen, nothing cut, nothing folded away.
local M = {}

--- @param into string[]
--- @param name string
--- @param value any
local function add_field(into, name, value)
  if value == nil or value == vim.NIL or value == '' then
    return
  end
  local text = type(value) == 'string' and value or vim.inspect(value)
  if type(value) == 'table' and vim.islist(value) then
    text = table.concat(vim.tbl_map(tostring, value), ', ')
    if text == '' then
      return
    end
  end
  local lines = require('assent.visible').lines(text)
  into[#into + 1] = ('%-9s %s'):format(name, lines[1])
  for index = 2, #lines do
    into[#into + 1] = (' '):rep(10) .. lines[index]
  end
end

--- @param uri string
--- @return string
local function path_of(uri)
  return vim.startswith(uri, 'file:') and vim.fn.fnamemodify(vim.uri_to_fname(uri), ':.') or uri
end

--- The arguments in full, but for one that the subject already says.
--- @param into string[]
--- @param arguments any
--- @param subject? string
local function add_arguments(into, arguments, subject)
  if type(arguments) ~= 'table' then
    return
  end
  local names = vim.tbl_filter(function(name)
    return arguments[name] ~= subject
  end, vim.fn.sort(vim.tbl_keys(arguments)))
  if #names == 0 then
    return
  end
  into[#into + 1] = ''
  into[#into + 1] = 'Arguments'
  for _, name in ipairs(names) do
    local value = arguments[name]
    local text = type(value) == 'string' and value or vim.json.encode(value)
    local lines = require('assent.visible').lines(text)
    into[#into + 1] = ('  %s: %s'):format(require('assent.visible').text(tostring(name)), lines[1])
    for index = 2, #lines do
      into[#into + 1] = '    ' .. lines[index]
    end
  end
end

--- The subject: a command, a path. With more than one line it says how many, so that a line far
--- below cannot be missed.
--- @param into string[]
--- @param subject string
local function add_subject(into, subject)
  local lines = require('assent.visible').lines(subject)
  into[#into + 1] = ''
  for _, line in ipairs(lines) do
    into[#into + 1] = '    ' .. line
  end
  into[#into + 1] = ''
  if #lines > 1 then
    into[#into + 1] = ('%d lines, %d bytes'):format(#lines, #subject)
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

--- @param params table ACP request_permission
--- @param arguments? table what is known of the call's arguments
--- @return string[] the first line is the title
function M.lines(params, arguments)
  local call = params.toolCall
  local meta = vim.tbl_get(call, '_meta', 'assent') or {}
  local title = meta.title or call.title or 'Approve a tool call'
  local into = { (require('assent.visible').text(title:gsub('\n', ' '))) }
  if type(meta.subject) == 'string' then
    add_subject(into, meta.subject)
  else
    add_content(into, call.content)
  end
  for _, warning in ipairs(meta.warnings or {}) do
    add_field(into, 'WARNING', warning)
  end
  add_field(into, 'In', meta.directory)
  add_field(into, 'Why', meta.rule)
  add_field(into, 'Reads', meta.reads)
  add_field(into, 'Writes', meta.writes)
  add_field(into, 'Runs', meta.exec)
  add_field(into, 'Unsaved', vim.tbl_map(path_of, meta.unsaved or {}))
  add_field(into, 'Always', meta.remember)
  add_field(into, 'Agent', meta.agentPath)
  add_arguments(into, call.rawInput or arguments, meta.subject)
  return into
end

return M
