-- The plugin by itself: what needs no server, or only one that answers.
local harness = require('harness')
local test, equal, contains = harness.test, harness.equal, harness.contains

--- @param child assent.test.Child
--- @param command string
--- @return string the error's text, or ''
local function failure(child, command)
  return child:lua(
    'local ok, problem = pcall(loadstring(...)) return ok and "" or problem',
    command
  )
end

test('nothing is loaded before its first use', function(child)
  local loaded = child:lua([[
    return vim.tbl_filter(function(name)
      return name:find('^assent') ~= nil
    end, vim.tbl_keys(package.loaded))
  ]])
  equal({}, loaded)
end)

test('no global variable appears', function(child)
  local before = child:lua('return vim.fn.sort(vim.tbl_keys(_G))')
  child:write('a.txt', 'one\n')
  child:lua("vim.lsp.enable('assent')")
  child:cmd('edit a.txt')
  child:cmd('silent! Assent review')
  child:cmd('silent! Assent approvals')
  equal(before, child:lua('return vim.fn.sort(vim.tbl_keys(_G))'))
end)

test('wrong options are named', function(child)
  local setup = 'require("assent").setup(%s)'
  equal('', failure(child, setup:format('{ chat = { split = "left" } }')))
  contains(failure(child, setup:format('{ chatt = {} }')), 'unknown option chatt')
  contains(failure(child, setup:format('{ chat = { sise = 3 } }')), 'unknown option chat.sise')
  contains(failure(child, setup:format('{ chat = { size = "wide" } }')), 'chat.size')
  contains(failure(child, setup:format('{ chat = { split = "middle" } }')), 'chat.split')
  contains(failure(child, setup:format('{ cmd = "assent lsp" }')), 'cmd')
end)

test('subcommands and their arguments are completed', function(child)
  local function complete(line)
    return child:lua('return vim.fn.getcompletion(..., "cmdline")', line)
  end
  local all = complete('Assent ')
  for _, name in ipairs({
    'chat',
    'ask',
    'explain',
    'fix',
    'tests',
    'review',
    'accept',
    'reject',
    'next',
    'previous',
    'undo',
    'cancel',
    'model',
    'mode',
    'sessions',
    'rules',
    'trust',
    'untrust',
    'log',
    'health',
  }) do
    equal(true, vim.list_contains(all, name), name)
  end
  equal({ 'accept' }, complete('Assent acc'))
  equal({ 'hunk', 'file', 'all' }, complete('Assent reject '))
  equal({ 'ask', 'accept-edits', 'plan' }, complete("'<,'>Assent mode "))
  equal({}, complete('Assent nonsense '))
end)

test('an unknown subcommand says which there are', function(child)
  child:type(':Assent frobnicate<CR>')
  child:wait_screen('there is no :Assent frobnicate')
end)

test('a missing program is told once, and where it was looked for', function(child)
  child:write('a.txt', 'one\n')
  child:write('b.txt', 'two\n')
  child:lua('vim.env.ASSENT_BIN = "/nowhere/assent"; vim.env.PATH = "/nowhere"')
  child:lua(
    'package.loaded["assent.locate"] = dofile(...)',
    harness.tests .. '/../lua/assent/locate.lua'
  )
  child:lua([[
    local real = vim.fn.executable
    vim.fn.executable = function(path) return path:find('/target/') and 0 or real(path) end
    vim.lsp.enable('assent')
  ]])
  child:cmd('edit a.txt')
  child:cmd('edit b.txt')
  local messages = child:lua('return vim.fn.execute("messages")')
  local _, count = messages:gsub('the program was not found', '')
  equal(1, count)
  child:cmd('checkhealth assent')
  contains(child:text(), '/nowhere/assent (the environment variable ASSENT_BIN)')
end)

test('hidden characters become visible', function(child)
  local function visible(text)
    return child:lua('return require("assent.visible").text(...)', text)
  end
  equal(
    'a⟨U+202E⟩b⟨U+200B⟩c⟨U+FEFF⟩',
    visible('a\226\128\174b\226\128\139c\239\187\191')
  )
  equal('⟨U+001B⟩[2J', visible('\27[2J'))
  equal('⟨U+0085⟩ plain äöü 日本 🙂', visible('\194\133 plain äöü 日本 🙂'))
  equal('⟨U+E0041⟩', visible('\243\160\129\129'))
  equal(
    { 'one', '', 'two' },
    child:lua('return require("assent.visible").lines(...)', 'one\n\ntwo')
  )
end)

--- What is drawn for one hunk: the rows that go, and the lines that come.
--- @param child assent.test.Child
--- @param text string[]
--- @param from [integer, integer]
--- @param to [integer, integer]
--- @param new string
--- @return table
local function drawn(child, text, from, to, new)
  return child:lua(
    [[
      local text, from, to, new = ...
      local buf = vim.api.nvim_create_buf(false, true)
      vim.api.nvim_buf_set_lines(buf, 0, -1, false, text)
      local draw = require('assent.review.draw')
      local range = {
        start = { line = from[1], character = from[2] },
        ['end'] = { line = to[1], character = to[2] },
      }
      local hunk = { range = range, oldText = '', newText = new, status = 'pending' }
      local mark = draw.hunk(buf, hunk, 'utf-16', 'hunk')
      local shown = { rows = { draw.rows(buf, mark) }, lines = {} }
      local space = vim.api.nvim_get_namespaces()['assent.review']
      for _, found in ipairs(vim.api.nvim_buf_get_extmarks(buf, space, 0, -1, { details = true })) do
        shown.label = shown.label or (found[4].virt_text and found[4].virt_text[1][1])
        for _, line in ipairs(found[4].virt_lines or {}) do
          table.insert(shown.lines, line[1][1])
          shown.above = found[4].virt_lines_above
          shown.at = found[2]
        end
      end
      return shown
    ]],
    text,
    from,
    to,
    new
  )
end

test('a hunk is drawn in whole lines', function(child)
  local text = { 'one', 'zwö 🙂 end', 'three' }
  -- Within a line, after a character of two UTF-16 units.
  local shown = drawn(child, text, { 1, 7 }, { 1, 10 }, 'fin')
  equal({ { 1, 1 }, { 'zwö 🙂 fin' } }, { shown.rows, shown.lines })
  equal('hunk +1 -1', shown.label)
  -- Whole lines, of which one stays the same.
  shown = drawn(child, text, { 0, 0 }, { 2, 0 }, 'one\nzwei\n')
  equal({ { 1, 1 }, { 'zwei' }, 'hunk +1 -1' }, { shown.rows, shown.lines, shown.label })
  -- A deletion.
  shown = drawn(child, text, { 0, 0 }, { 2, 0 }, '')
  equal({ { 0, 1 }, {}, 'hunk +0 -2' }, { shown.rows, shown.lines, shown.label })
  -- An insertion between lines, and one behind the last line.
  shown = drawn(child, text, { 1, 0 }, { 1, 0 }, 'new\n')
  equal({ 1, true, { 'new' } }, { shown.at, shown.above, shown.lines })
  shown = drawn(child, text, { 3, 0 }, { 3, 0 }, 'new\n')
  equal({ 2, false, { 'new' } }, { shown.at, shown.above, shown.lines })
  -- All of it.
  shown = drawn(child, text, { 0, 0 }, { 3, 0 }, 'other\n')
  equal({ { 0, 2 }, { 'other' }, 'hunk +1 -3' }, { shown.rows, shown.lines, shown.label })
end)

test('checkhealth and help are there', function(child)
  child:cmd('helptags ' .. harness.plugin .. '/doc')
  child:cmd('help assent-review')
  contains(child:text(), ']h  [h')
  child:cmd('checkhealth assent')
  contains(child:text(), 'OK Neovim')
end)

test('every name on the wire stands in the documentation of the protocol', function(child)
  local names = child:lua([[
    local protocol = require('assent.protocol')
    return vim
      .iter({ vim.tbl_values(protocol.to_server), vim.tbl_keys(protocol.from_server), vim.tbl_values(protocol.commands) })
      :flatten()
      :totable()
  ]])
  local file = assert(io.open(vim.fs.joinpath(harness.plugin, '../../docs/protocol.md')))
  local page = file:read('*a')
  file:close()
  local unknown = vim.tbl_filter(function(name)
    return name ~= 'workspace/applyEdit' and not page:find('`' .. name .. '`', 1, true)
  end, names)
  equal({}, unknown)
end)
