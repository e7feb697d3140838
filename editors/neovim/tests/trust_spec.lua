-- Trust in the workspace: nothing is asked unasked, all of it is shown, and a yes is for what was
-- shown. With the real server, and the fake one for what it would not do.
local harness = require('harness')
local fake = require('fake')
local test, equal, contains, lacks = harness.test, harness.equal, harness.contains, harness.lacks

local hint = 'Assent does not trust this project yet'

--- A project with a tool file of its own.
--- @param child assent.test.Child
--- @param word string what the tool prints
local function write_tool(child, word)
  child:write(
    '.assent/tools/say.json',
    vim.json.encode({
      schema = {
        type = 'function',
        ['function'] = {
          name = 'say',
          description = 'Prints.',
          parameters = { type = 'object', properties = vim.empty_dict() },
        },
      },
      reads = 'project',
      handler = { type = 'exec', bin = 'echo', subcommand = word },
    })
  )
end

--- @param child assent.test.Child
local function open(child)
  local file = assert(io.open(child.root .. '/assent-config/assent.yaml', 'w'))
  file:write('model: scripted/' .. child.root .. '/script.json\n')
  file:close()
  child:write('../script.json', '{ "answers": [] }')
  child:write('a.txt', 'one\n')
  child:open('a.txt')
end

test(
  'what does not count yet is hinted at once, shown on demand, and trusted as shown',
  function(child)
    write_tool(child, 'hello')
    open(child)
    child:wait_screen(hint)
    equal(1, child:lua('return #vim.api.nvim_list_wins()'), 'no window opens unasked')
    child:cmd('Assent trust')
    child:wait('return vim.fn.bufname() == "assent://trust"')
    contains(child:text(), 'is not trusted')
    contains(child:text(), '.assent/tools/say.json')
    contains(child:text(), 'runs echo hello')
    contains(child:text(), 'ga     Trust exactly what is shown here')
    lacks(child:text(), 'gu ')
    child:type('ga')
    child:wait_screen('trusted, from the next turn on.')
    contains(child:text(), 'is trusted, and nothing of it has changed')
    lacks(child:text(), 'ga ')
    child:type('q')
    child:cmd('Assent untrust')
    child:wait_screen('not trusted: its settings and tools count no more')
    child:cmd('Assent trust')
    child:wait('return vim.fn.bufname() == "assent://trust"')
    contains(child:text(), 'is not trusted')
  end
)

test('what changed while it was looked at is shown again, and not trusted', function(child)
  write_tool(child, 'hello')
  open(child)
  child:cmd('Assent trust')
  child:wait('return vim.fn.search("runs echo hello", "nw") > 0')
  write_tool(child, 'evil')
  child:type('ga')
  child:wait('return vim.fn.search("runs echo evil", "nw") > 0')
  child:wait_screen('The workspace has changed since it was shown')
  contains(child:text(), 'is not trusted')
  child:type('gaq')
  child:wait('return #vim.api.nvim_list_wins() == 1')
end)

test('where a project brings nothing there is no hint, and nothing to trust', function(child)
  open(child)
  child:cmd('Assent trust')
  child:wait('return vim.fn.bufname() == "assent://trust"')
  contains(child:text(), 'There is nothing in it that trust would')
  lacks(child:text(), 'ga ')
  lacks(child:lua('return vim.fn.execute("messages")'), hint)
end)

test('a long list is trusted only when its end was on the screen', function(child)
  fake.open(child, 'one\n')
  local answer = {
    folder = child.ws,
    state = 'pending',
    items = { vim.empty_dict() },
    summary = 'first\n' .. ('\226\128\174\n'):rep(60) .. 'last\n',
    digest = 'd1',
  }
  local set = [[
    vim.lsp.get_clients({ name = 'assent' })[1]:notify('fake/answer', {
      method = 'workspace/executeCommand',
      result = ...,
    })
  ]]
  child:lua(set, answer)
  child:cmd('Assent trust')
  child:wait('return vim.fn.bufname() == "assent://trust"')
  contains(child:screen(), '⟨U+202E⟩')
  contains(child:text(), 'gu     Trust it no more')
  child:type('ga')
  child:wait_screen('read it to its end, then trust it.')
  child:type('G')
  child:wait_screen('last')
  child:type('ga')
  child:wait_screen('trusted, from the next turn on.')
  local commands = vim.tbl_map(function(message)
    return message.params
  end, fake.received(child, 'workspace/executeCommand'))
  equal({
    { command = 'assent.trustWorkspace', arguments = { { folder = child.ws } } },
    { command = 'assent.trustWorkspace', arguments = { { folder = child.ws, digest = 'd1' } } },
  }, commands)
end)

test('the hint comes once for as long as something waits', function(child)
  fake.open(child, 'one\n')
  child:lua([[
    _G.hints = {}
    vim.api.nvim_echo = function(chunks)
      table.insert(_G.hints, chunks[1][1])
    end
  ]])
  for _, told in ipairs({
    { '/a', 'untrusted', 0 },
    { '/a', 'untrusted', 1 },
    { '/a', 'untrusted', 2 },
    { '/b', 'untrusted', 1 },
    { '/a', 'trusted', 0 },
    { '/a', 'pending', 1 },
  }) do
    fake.send(child, {
      method = '_assent/trust/updated',
      params = { folder = told[1], state = told[2], pending = told[3] },
    })
  end
  child:wait('return #_G.hints == 3')
  local untrusted = 'Assent does not trust this project yet · :Assent trust'
  local changed = 'Assent: something of this project is new or changed · :Assent trust'
  equal({ untrusted, untrusted, changed }, child:lua('return _G.hints'))
end)
