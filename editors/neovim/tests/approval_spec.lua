-- What an approval shows, what an answer carries, and how a rule is saved with it. The fake server
-- asks, so that every field is there at once; see fake.lua.
local harness = require('harness')
local fake = require('fake')
local test, equal, contains, lacks = harness.test, harness.equal, harness.contains, harness.lacks

local digest = ('0123456789abcdef'):rep(4)

--- Everything that the server can say of a call.
local function everything()
  return {
    id = 'a1',
    requestId = 'a1',
    digest = digest,
    prompt = 'build it, please',
    rule = 'the default (assent)',
    tool = { name = 'make', kind = 'exec', source = '/home/me/make.json', overrides = 'bash' },
    command = {
      lines = 1,
      bytes = 25,
      parsed = {
        { argv = { 'cd', 'a dir' }, program = vim.NIL, marks = { 'shell builtin' } },
        {
          argv = { 'make', 'X=\226\128\174y' },
          program = '/usr/bin/make',
          marks = { 'runs project code' },
        },
        { argv = { './x' }, program = vim.NIL, marks = {} },
      },
    },
    cwd = { path = '/elsewhere', inside = false },
    env = { { name = 'CC', value = 'clang' } },
    files = {
      { path = 'link', target = '/etc/passwd', operation = 'read' },
      { path = '.git/config', operation = 'edit', protected = '.git' },
    },
    arguments = '{"command":"make"}',
    network = 'not limited',
    reasons = {
      { what = 'no rule allows it', source = 'assent.yaml:3' },
      { what = 'the default asks', source = 'default' },
    },
    reads = 'workspace',
    exec = 'any',
    remember = 'make: *',
    rememberScopes = { 'session', 'workspace', 'always' },
    warnings = { 'careful' },
    agentPath = { 'main', 'helper' },
    sandbox = { name = 'bubblewrap', network = false, writable = {}, words = 'held by bubblewrap' },
  }
end

--- @param child assent.test.Child
--- @param message table
local function ask(child, message)
  fake.open(child, 'one\n')
  fake.send(child, message)
  child:wait('return require("assent.approval").count() == 1')
end

--- Ask with a rule that can be saved, and read the request to its end.
--- @param child assent.test.Child
local function ask_with_rule(child)
  local message = fake.asks('make test', everything())
  table.insert(message.params.options, 2, {
    optionId = 'allow_session',
    name = 'Allow `make: *` in this session',
    kind = 'allow_always',
  })
  table.insert(message.params.options, 3, {
    optionId = 'allow_always',
    name = 'Always allow `make: *` in this workspace',
    kind = 'allow_always',
  })
  fake.open(child, 'one\n')
  child:cmd('Assent chat')
  child:wait('return vim.bo.filetype == "markdown"')
  fake.send(child, message)
  child:wait('return require("assent.approval").count() == 1')
  child:cmd('Assent approvals')
  child:wait([[
    local approval = require('assent.approval').first()
    return approval.seen_at and vim.uv.now() - approval.seen_at > 400
  ]])
end

test('an approval shows everything that the server says of it', function(child)
  ask(child, fake.asks('cd "a dir" && make && ./x', everything()))
  child:cmd('Assent approvals')
  local text = child:text()
  for _, line in ipairs({
    'Run a command',
    '    cd "a dir" && make && ./x',
    "Starts    cd 'a dir' (shell builtin)",
    "          make 'X=⟨U+202E⟩y' → /usr/bin/make (runs project code)",
    '          ./x (program not found)',
    'WARNING   careful',
    'In        /elsewhere (OUTSIDE the workspace)',
    'Files     read link → /etc/passwd',
    '          edit .git/config (protected: .git)',
    'With      CC=clang',
    'Arguments {"command":"make"}',
    'Network   not limited',
    'Sandbox   held by bubblewrap',
    'Why       1. no rule allows it (assent.yaml:3)',
    '          2. the default asks (default)',
    'Class     reads workspace, runs any',
    'Always    make: *',
    'Tool      make (exec), from /home/me/make.json, INSTEAD OF bash',
    'Agent     main → helper',
    'Works on  build it, please',
    'Id        a1 · 01234567…',
  }) do
    contains('\n' .. text .. '\n', '\n' .. line .. '\n')
  end
  lacks(text, digest)
end)

test('what the server did not say is not drawn', function(child)
  ask(child, fake.asks('make'))
  equal(
    { 'Run a command', '', '    make', '', 'Why       no rule allows it', 'Id        a1' },
    child:lua('return require("assent.approval").first().lines')
  )
end)

test('the text of an approval is shown as it is', function(child)
  child:lua([[
    vim.o.conceallevel, vim.o.foldmethod, vim.o.foldlevel = 2, 'indent', 0
    vim.o.modeline, vim.o.modelines = true, 5
  ]])
  local wraps = 'echo ' .. ('x'):rep(81) .. 'Sandbox   not what it seems'
  ask(child, fake.asks('echo `a`\n\techo b\n# vim: set conceallevel=3 tabstop=1:\n' .. wraps))
  child:cmd('Assent approvals')
  child:cmd('doautocmd User Anything')
  equal({ 0, false }, child:lua('return { vim.wo.conceallevel, vim.wo.foldenable }'))
  equal(8, child:lua('return vim.bo.tabstop'))
  contains(child:screen(), '    echo `a`')
  contains(child:screen(), '# vim: set conceallevel=3')
  contains(child:screen(), '│    ↪ Sandbox   not what it seems')
  child:cmd('Assent chat')
  child:cmd('doautocmd User Anything')
  equal({ 0, false }, child:lua('return { vim.wo.conceallevel, vim.bo.tabstop == 1 }'))
end)

test('a line that is longer than the panel is read to its end before a yes counts', function(child)
  ask(child, fake.asks('make', { prompt = 'start ' .. ('x'):rep(5000) .. '§', id = '' }))
  child:cmd('Assent approvals')
  child:type('/Works on<CR>zt')
  child:wait_screen('Works on  start')
  lacks(child:screen(), '§')
  equal(true, child:lua('return require("assent.approval").first().seen_at == nil'))
  child:type('G')
  child:wait_screen('§')
  child:wait('return require("assent.approval").first().seen_at')
end)

test('answers carry the digest of what was shown', function(child)
  ask(child, fake.asks('make', { digest = digest }))
  child:cmd('Assent approvals')
  child:wait([[
    vim.api.nvim_input('ga')
    return require('assent.approval').count() == 0
  ]])
  local result = fake.received(child, '')[1].result
  equal({ outcome = 'selected', optionId = 'allow_once' }, result.outcome)
  equal({ digest = digest }, result._meta.assent)
end)

test('a denial carries it too, beside its reason', function(child)
  ask(child, fake.asks('make', { digest = digest }))
  child:cmd('Assent deny use ninja')
  local result = fake.received(child, '')[1].result
  equal({ digest = digest, feedback = 'use ninja' }, result._meta.assent)
end)

test('a rule is chosen by how long it holds, changed in its line, and saved', function(child)
  ask_with_rule(child)
  contains(child:chat(), '  │ Sandbox   held by bubblewrap')
  contains(child:text(), 'g1     Always allow: look at the rule first')
  lacks(child:text(), 'g2 ')
  child:lua([[
    vim.ui.select = function(items, options, done)
      vim.g.offered = vim.tbl_map(options.format_item, items)
      vim.g.asked = options.prompt
      done(items[2])
    end
  ]])
  child:type('g1')
  child:wait_screen('Allow, and always allow in this workspace: make: *')
  equal(1, child:lua('return require("assent.approval").count()'))
  child:type('<BS>test<CR>')
  local result = fake.received(child, '')[1].result
  equal(
    { 'for this session', 'in this workspace', 'everywhere' },
    child:lua('return vim.g.offered')
  )
  contains(child:lua('return vim.g.asked'), '`make: *`')
  equal({ outcome = 'selected', optionId = 'allow_always' }, result.outcome)
  equal({ digest = digest, rule = 'make: test', scope = 'workspace' }, result._meta.assent)
  child:wait_chat('allowed, with the rule `make: test` in this workspace')
end)

test('a scope can be named, and leaving the line saves and allows nothing', function(child)
  ask_with_rule(child)
  equal(
    { 'save', 'session', 'workspace', 'always' },
    child:lua('return vim.fn.getcompletion("Assent approve ", "cmdline")')
  )
  child:type(':Assent approve session<CR>')
  child:wait_screen('Allow, and always allow for this session: make: *')
  child:type('<Esc>')
  child:wait_screen('no rule was saved')
  equal(1, child:lua('return require("assent.approval").count()'))
  child:type(':Assent approve session<CR>')
  child:wait_screen('Allow, and always allow for this session: make: *')
  child:type('<CR>')
  local result = fake.received(child, '')[1].result
  equal({ outcome = 'selected', optionId = 'allow_session' }, result.outcome)
  equal({ digest = digest, rule = 'make: *', scope = 'session' }, result._meta.assent)
end)

test('a rule cannot be saved for a scope that was not offered', function(child)
  local facts = vim.tbl_extend('force', everything(), { rememberScopes = { 'session' } })
  local message = fake.asks('make test', facts)
  table.insert(message.params.options, {
    optionId = 'allow_session',
    name = 'Allow it in this session',
    kind = 'allow_always',
  })
  ask(child, message)
  child:cmd('Assent approvals')
  child:wait([[
    vim.fn.execute('messages clear')
    vim.cmd('Assent approve always')
    return vim.fn.execute('messages'):find('it can for: session', 1, true) ~= nil
  ]])
  equal(1, child:lua('return require("assent.approval").count()'))
end)

test('an approval that is gone while its rule is looked at saves none', function(child)
  ask_with_rule(child)
  child:type(':Assent approve always<CR>')
  child:wait_screen('Allow, and always allow everywhere: make: *')
  fake.update(
    child,
    { sessionUpdate = 'tool_call_update', toolCallId = 'c1', status = 'completed' }
  )
  child:wait('return require("assent.approval").count() == 0')
  child:type('<CR>')
  child:wait_screen('the approval was gone meanwhile')
  equal('cancelled', fake.received(child, '')[1].result.outcome.outcome)
end)

test('saved rules are listed whole, and taken back one by one', function(child)
  fake.open(child, 'one\n')
  --- @param rules table[]
  local function saved(rules)
    child:lua(
      [[vim.lsp.get_clients({ name = 'assent' })[1]:notify('fake/answer', {
        method = 'workspace/executeCommand',
        result = { rules = ..., removed = true },
      })]],
      rules
    )
  end
  local always = { id = '3', tool = 'bash', rule = 'bash: \226\128\174ls', scope = 'always' }
  saved({
    always,
    {
      id = '2',
      tool = 'bash',
      rule = 'bash: make *',
      scope = 'workspace',
      workspace = '/ws',
      since = '2026-01-02',
    },
  })
  child:cmd('Assent rules')
  child:wait('return vim.fn.bufname() == "assent://rules"')
  equal(
    table.concat({
      'dd  take back the rule under the cursor      q  close',
      '',
      'In one workspace',
      '    bash: make *  (/ws, since 2026-01-02)',
      '',
      'Everywhere',
      '    bash: ⟨U+202E⟩ls',
    }, '\n'),
    child:text()
  )
  saved({ always })
  child:type('dd')
  child:wait('return vim.fn.search("In one workspace", "nw") == 0')
  local commands = vim.tbl_map(function(message)
    return { message.params.command, message.params.arguments[1] }
  end, fake.received(child, 'workspace/executeCommand'))
  equal(
    { { 'assent.rules' }, { 'assent.rules.remove', { id = '2' } }, { 'assent.rules' } },
    commands
  )
  child:type('q')
  equal(1, child:lua('return #vim.api.nvim_list_wins()'))
end)
