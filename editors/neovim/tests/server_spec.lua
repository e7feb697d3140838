-- The plugin with the real server (`ASSENT_BIN`), whose model follows a script. All else is real:
-- the loop, the tools, the gate, the review.
local harness = require('harness')
local test, equal, contains, lacks = harness.test, harness.equal, harness.contains, harness.lacks

local calc = table.concat({
  'def add(a, b):',
  '    return a - b',
  '',
  '',
  'def sub(a, b):',
  '    return a + b',
  '',
}, '\n')

--- Write a script for the model and the files of the workspace, and open `calc.py`.
--- @param child assent.test.Child
--- @param answers table[] see `server/engine/src/model/scripted.rs`
local function open(child, answers)
  local script = child.root .. '/script.json'
  local file = assert(io.open(script, 'w'))
  file:write(vim.json.encode({ answers = answers }))
  file:close()
  file = assert(io.open(child.root .. '/assent-config/assent.yaml', 'w'))
  file:write('model: scripted/' .. script .. '\n')
  file:close()
  child:write('calc.py', calc)
  child:open('calc.py')
end

--- @param name string
--- @param with table
--- @return table
local function call(name, with)
  return { call = name, with = with }
end

local function read_calc()
  return call('read', { filePath = '{folder}/calc.py' })
end

--- Two edits of one file in one turn.
local function two_edits()
  return {
    { read_calc() },
    {
      call('multiedit', {
        filePath = '{folder}/calc.py',
        edits = {
          { oldString = 'return a - b', newString = 'return a + b' },
          {
            oldString = 'def sub(a, b):\n    return a + b',
            newString = 'def sub(a, b):\n    return a - b  # minus',
          },
        },
      }),
    },
    { { say = 'Both are dealt with.' } },
  }
end

--- @param child assent.test.Child
--- @param count integer
local function wait_hunks(child, count)
  child:wait('return require("assent.review").count() == ...', count)
end

--- @param child assent.test.Child
local function kill_server(child)
  child:lua([[
    for _, process in ipairs(vim.api.nvim_get_proc_children(vim.fn.getpid())) do
      local info = vim.api.nvim_get_proc(process)
      if info and info.name:find('assent') then
        vim.uv.kill(process, 'sigkill')
      end
    end
  ]])
end

--- Two hunks, far enough apart to stay two: `add` and `sub` exchanged.
--- @param child assent.test.Child
local function open_with_hunks(child)
  open(child, two_edits())
  child:cmd('Assent ask swap them')
  wait_hunks(child, 2)
end

test('the handshake', function(child)
  open(child, {})
  local client = child:lua([[
    local client = vim.lsp.get_clients({ name = 'assent' })[1]
    local info = require('assent.protocol').server_info(client)
    return { encoding = client.offset_encoding, version = info.version, acp = info.acp.protocolVersion }
  ]])
  equal({ 'utf-8', 1 }, { client.encoding, client.acp })
  contains(client.version, '.')
end)

test('an answer streams into the chat, with the calls that led to it', function(child)
  open(child, {
    { { say = 'Let me look.' }, read_calc(), call('grep', { pattern = 'return a' }) },
    {
      { expect = 'def add' },
      { think = 'A minus where a plus belongs.' },
      { say = 'Found it in `add`.' },
    },
  })
  local window = child:lua('return vim.api.nvim_get_current_win()')
  child:cmd('Assent ask where is the fault?')
  child:wait_chat('Found it in `add`.')
  local chat = child:chat()
  contains(chat, '## You')
  contains(chat, 'where is the fault?')
  contains(chat, 'Let me look.')
  contains(chat, '● ')
  contains(chat, '> A minus where a plus belongs.')
  contains(chat, 'def add')
  equal(
    window,
    child:lua('return vim.api.nvim_get_current_win()'),
    'the cursor stays in its window'
  )
  child:wait('return require("assent").statusline() == "Assent"')
end)

test('a prompt from the chat is answered there', function(child)
  open(child, { { { say = 'Hello from the script.' } } })
  child:cmd('Assent chat')
  child:wait('return vim.bo.filetype == "markdown"')
  child:type('ihello<Esc><CR>')
  child:wait_chat('Hello from the script.')
  contains(child:chat(), '## You\n\nhello\n')
  child:wait('return not require("assent.session").here().running')
end)

test('one hunk is accepted, another rejected, and the model is told', function(child)
  open_with_hunks(child)
  equal(calc, child:text() .. '\n', 'a proposal changes nothing')
  contains(child:screen(), 'Assent 1/2')
  child:cmd('1')
  child:type(']h')
  child:wait('return vim.api.nvim_win_get_cursor(0)[1] == 2')
  child:type('<Cmd>Assent accept<CR>')
  wait_hunks(child, 1)
  child:wait([[return vim.fn.getline(2) == '    return a + b']])
  child:type(']h')
  child:wait('return vim.api.nvim_win_get_cursor(0)[1] == 6')
  child:type('<Cmd>Assent reject hunk keep it<CR>')
  wait_hunks(child, 0)
  child:wait_chat('Both are dealt with.')
  equal((calc:gsub('a %- b', 'a + b')), child:text() .. '\n')
  equal('', child:lua('return vim.fn.maparg("]h", "n")'), 'our map goes with the last hunk')
  equal((calc:gsub('a %- b', 'a + b')), child:read('calc.py'), 'clean before, saved after')
end)

test('typing above and within the review moves and voids hunks', function(child)
  open_with_hunks(child)
  child:type('ggO# typed above<Esc>')
  child:wait([[
    local open = require('assent.review').open_hunks()
    return open[1] and open[1].hunk.range.start.line == 2
  ]])
  child:cmd('3')
  child:type('A  # mine<Esc>')
  child:cmd('7')
  child:type('<Cmd>Assent accept<CR>')
  child:wait([[return vim.fn.getline(7) == '    return a - b  # minus']])
  equal('    return a - b  # mine', child:lua('return vim.fn.getline(3)'))
  equal('# typed above', child:lua('return vim.fn.getline(1)'))
  child:cmd('Assent reject all')
  child:wait_chat('Both are dealt with.')
  equal(calc, child:read('calc.py'), 'unsaved before, unsaved after')
end)

test('undo takes back the turn and leaves what was typed', function(child)
  open_with_hunks(child)
  child:cmd('Assent accept all')
  child:wait_chat('Both are dealt with.')
  child:wait('return require("assent").statusline() == "Assent"')
  child:type('ggO# typed later<Esc>')
  child:cmd('Assent undo')
  child:wait([[return vim.fn.getline(3) == '    return a - b']])
  equal('# typed later\n' .. calc, child:text() .. '\n')
end)

test('a command waits for approval, and runs when it is given', function(child)
  open(child, {
    {
      call(
        'bash',
        { command = 'printf "made %s\\n" it > made.txt; cat made.txt', description = 'Make it' }
      ),
    },
    { { expect = 'made it' }, { say = 'It is made.' } },
  })
  child:cmd('Assent tests')
  child:wait('return require("assent.approval").count() == 1')
  equal(1, child:lua('return #vim.api.nvim_list_wins()'), 'no window opens unasked')
  equal(nil, child:read('made.txt'))
  child:cmd('Assent approvals')
  contains(child:text(), 'printf "made %s\\n" it > made.txt; cat made.txt')
  contains(child:text(), 'Why')
  child:wait([[
    vim.api.nvim_input('ga')
    return require('assent.approval').count() == 0
  ]])
  child:wait_chat('It is made.')
  equal('made it\n', child:read('made.txt'))
  equal(1, child:lua('return #vim.api.nvim_list_wins()'), 'the panel goes with the last approval')
end)

test('a command that would not see unsaved text says so, and can save it first', function(child)
  open(child, {
    { call('bash', { command = 'cat calc.py', description = 'Show' }) },
    { { expect = '# typed' }, { say = 'It saw what was typed.' } },
  })
  child:type('ggO# typed<Esc>')
  child:cmd('Assent tests')
  child:wait('return require("assent.approval").count() == 1')
  child:cmd('Assent approvals')
  contains(child:text(), 'Unsaved   calc.py')
  contains(child:text(), 'g1     Save all')
  child:wait([[
    vim.api.nvim_input('g1')
    return require('assent.approval').count() == 0
  ]])
  child:wait_chat('It saw what was typed.')
  equal('# typed\n' .. calc, child:read('calc.py'))
end)

test('a denied command does not run, and the model hears why', function(child)
  open(child, {
    { call('bash', { command = 'touch never.txt', description = 'Touch' }) },
    { { expect = 'not that one' }, { say = 'Then not.' } },
  })
  child:cmd('Assent tests')
  child:wait('return require("assent.approval").count() == 1')
  child:cmd('Assent deny not that one')
  child:wait_chat('Then not.')
  equal(nil, child:read('never.txt'))
end)

test('a running turn is cancelled', function(child)
  open(child, { { { say = 'Thinking about it.' }, { hang = true } } })
  child:cmd('Assent chat')
  child:wait('return vim.bo.filetype == "markdown"')
  child:type('igo<Esc><CR>')
  child:wait_chat('Thinking about it.')
  child:wait('return require("assent").statusline() == "Assent: working"')
  child:cmd('Assent cancel')
  child:wait_chat('*cancelled*')
  child:wait('return require("assent").statusline() == "Assent"')
end)

test('an approval is gone after a cancel', function(child)
  open(child, { { call('bash', { command = 'touch never.txt', description = 'Touch' }) } })
  child:cmd('Assent tests')
  child:wait('return require("assent.approval").count() == 1')
  child:cmd('Assent cancel')
  child:wait('return require("assent.approval").count() == 0')
  equal(nil, child:read('never.txt'))
end)

test('a killed server comes back with the session', function(child)
  open(child, { { { say = 'Remember the number 41.' } }, { { say = 'It was 41.' } } })
  child:cmd('Assent chat')
  child:wait('return vim.bo.filetype == "markdown"')
  child:type('iremember<Esc><CR>')
  child:wait_chat('Remember the number 41.')
  child:wait('return not require("assent.session").here().running')
  local session = child:lua('return require("assent.session").here().id')
  local before = child:lua('return vim.lsp.get_clients({ name = "assent" })[1].id')
  kill_server(child)
  child:wait(
    [[
      local client = vim.lsp.get_clients({ name = 'assent' })[1]
      local session = client and require('assent.session').of_client(client.id)
      return client and client.id ~= ... and client.initialized and session
    ]],
    before
  )
  equal(session, child:lua('return require("assent.session").here().id'))
  child:wait_chat('Remember the number 41.')
  contains(child:chat(), 'remember')
  child:lua('vim.api.nvim_set_current_win(vim.fn.win_findbuf(vim.fn.bufnr("assent://chat"))[1])')
  child:type('Gowhich number?<Esc><CR>')
  child:wait_chat('It was 41.')
end)

--- @param child assent.test.Child
local function kill_and_wait(child)
  local before = child:lua('return vim.lsp.get_clients({ name = "assent" })[1].id')
  kill_server(child)
  child:wait(
    [[
      local client = vim.lsp.get_clients({ name = 'assent' })[1]
      return client and client.id ~= ... and client.initialized
    ]],
    before
  )
end

test('hunks that waited when the server was killed are drawn again', function(child)
  open_with_hunks(child)
  kill_and_wait(child)
  wait_hunks(child, 2)
  equal(calc, child:text() .. '\n', 'nothing was changed')
  contains(child:screen(), 'Assent 1/2')
  child:wait_chat('swap them')
  child:cmd('Assent accept all')
  child:wait_chat('Both are dealt with.')
  contains(child:text(), 'return a + b')
  contains(child:text(), 'return a - b  # minus')
  equal(0, child:lua('return require("assent.review").count()'))
end)

test('a decision made before the kill is kept', function(child)
  open_with_hunks(child)
  child:cmd('1')
  child:cmd('Assent accept')
  wait_hunks(child, 1)
  child:wait('return vim.fn.getline(2) == "    return a + b"')
  kill_and_wait(child)
  wait_hunks(child, 1)
  contains(child:screen(), 'Assent 1/1')
  child:cmd('Assent reject all')
  child:wait_chat('Both are dealt with.')
  contains(child:text(), 'def sub(a, b):\n    return a + b')
end)

test('an approval that waited when the server was killed is asked again', function(child)
  open(child, {
    { call('bash', { command = 'touch made.txt', description = 'Make it' }) },
    { { say = 'It is made.' } },
  })
  child:cmd('Assent ask make it')
  child:wait('return require("assent.approval").count() == 1')
  kill_and_wait(child)
  child:wait('return require("assent.approval").count() == 1')
  equal(nil, child:read('made.txt'))
  child:cmd('Assent approvals')
  child:wait([[
    vim.api.nvim_input('ga')
    return require('assent.approval').count() == 0
  ]])
  child:wait_chat('It is made.')
  equal('', child:read('made.txt'))
end)

test('a session of before is chosen from a list and continued', function(child)
  open(child, { { { say = 'First session speaks.' } }, { { say = 'And goes on.' } } })
  child:cmd('Assent chat')
  child:wait('return vim.bo.filetype == "markdown"')
  child:type('ifirst<Esc><CR>')
  child:wait_chat('First session speaks.')
  child:wait('return not require("assent.session").here().running')
  local first = child:lua('return require("assent.session").here().id')
  child:cmd('Assent new')
  child:wait('return require("assent.session").here().id ~= ...', first)
  child:lua(
    'vim.ui.select = function(items, _, done) vim.g.offered = #items; for _, item in ipairs(items) do if item.sessionId == _G.wanted then done(item) end end end; _G.wanted = ...',
    first
  )
  child:cmd('Assent sessions')
  child:wait('return require("assent.session").here().id == ...', first)
  child:wait('return vim.fn.search("First session speaks.", "nw") > 0')
end)

test('mode and model are shown and changed', function(child)
  open(child, {})
  child:cmd('Assent mode plan')
  child:wait('return require("assent").statusline() == "Assent: plan"')
  child:cmd('Assent chat')
  child:wait_screen('plan · scripted/')
end)

test('a question of the agent is answered', function(child)
  open(child, {
    {
      call('question', {
        questions = {
          {
            question = 'Which colour?',
            header = 'Colour',
            options = {
              { label = 'red', description = 'warm' },
              { label = 'blue', description = 'cold' },
            },
          },
        },
      }),
    },
    { { expect = 'blue' }, { say = 'Blue it is.' } },
  })
  child:cmd('Assent tests')
  child:wait('return require("assent.question").count() == 1')
  child:lua('vim.ui.select = function(items, _, done) done(items[2]) end')
  child:cmd('Assent answer')
  child:wait_chat('Blue it is.')
end)

test('slash commands and files are completed in the chat', function(child)
  open(child, {})
  child:cmd('Assent chat')
  child:wait('return vim.bo.filetype == "markdown"')
  child:type('ilook at @ca')
  child:wait('return vim.fn.pumvisible() == 1')
  child:wait_screen('calc.py')
  child:type('<C-e><C-u>/')
  child:wait([[
    local words = vim.tbl_map(function(item) return item.word end, vim.fn.complete_info({ 'items' }).items)
    return vim.iter(words):any(function(word) return word:find('explain') ~= nil end)
  ]])
end)

test('a closed file is changed, saved and closed again', function(child)
  open(child, {
    { call('read', { filePath = '{folder}/other.py' }) },
    {
      call('edit', {
        filePath = '{folder}/other.py',
        oldString = 'x = 1',
        newString = 'x = 2',
      }),
    },
    { { say = 'Other is changed.' } },
  })
  child:write('other.py', 'x = 1\n')
  child:cmd('Assent tests')
  wait_hunks(child, 1)
  equal('x = 1\n', child:read('other.py'))
  child:cmd('Assent accept all')
  child:wait_chat('Other is changed.')
  equal('x = 2\n', child:read('other.py'))
  equal(0, child:lua('return vim.fn.bufloaded("other.py")'))
end)

test('line ends and a missing final newline stay as they are', function(child)
  open(child, {
    {
      call('read', { filePath = '{folder}/bare.txt' }),
      call('read', { filePath = '{folder}/dos.txt' }),
    },
    {
      call('edit', { filePath = '{folder}/bare.txt', oldString = 'x=1', newString = 'x=2' }),
      call('edit', { filePath = '{folder}/dos.txt', oldString = 'b', newString = 'B\nC' }),
      call('write', { filePath = '{folder}/new.txt', content = 'no newline' }),
    },
    { { say = 'All three.' } },
  })
  child:write('bare.txt', 'x=1')
  child:write('dos.txt', 'a\r\nb\r\nc\r\n')
  child:cmd('edit dos.txt')
  child:cmd('edit bare.txt')
  child:cmd('Assent tests')
  child:wait([[
    local review, session = require('assent.review'), require('assent.session').here()
    review.decide(review.open_hunks(), true)
    local buf = session and require('assent.chat').of(session).buf
    local text = buf and table.concat(vim.api.nvim_buf_get_lines(buf, 0, -1, false), '\n') or ''
    return text:find('All three.', 1, true) ~= nil
  ]])
  equal('x=2', child:read('bare.txt'))
  equal('a\r\nB\r\nC\r\nc\r\n', child:read('dos.txt'))
  equal('no newline', child:read('new.txt'))
end)

test('a new file appears once it is accepted', function(child)
  open(child, {
    { call('write', { filePath = '{folder}/fresh.py', content = 'y = 1\n' }) },
    { { say = 'Fresh is there.' } },
  })
  child:cmd('Assent tests')
  wait_hunks(child, 1)
  equal(nil, child:read('fresh.py'))
  child:cmd('Assent accept all')
  child:wait_chat('Fresh is there.')
  equal('y = 1\n', child:read('fresh.py'))
end)

test('checkhealth says what runs', function(child)
  open(child, {})
  child:cmd('checkhealth assent')
  contains(child:text(), 'ASSENT_BIN')
  contains(child:text(), 'OK version ')
  lacks(child:text(), 'ERROR')
end)

test('a rule that was changed is kept, spares the next question, and is taken back', function(child)
  --- @param word string
  --- @return table
  local function echo(word)
    return { call('bash', { command = 'echo ' .. word, description = 'Say it' }) }
  end
  open(child, {
    echo('one'),
    echo('two'),
    { { expect = 'two' }, { say = 'Said both.' } },
    echo('three'),
    { { expect = 'no more' }, { say = 'Not a third time.' } },
  })
  child:cmd('Assent tests')
  child:wait('return require("assent.approval").count() == 1')
  child:cmd('Assent approvals')
  contains(child:text(), 'Always    bash: echo one')
  contains(child:text(), 'Sandbox   ')
  contains(child:text(), ' (inside the workspace)')
  child:wait([[
    local approval = require('assent.approval').first()
    return approval.seen_at and vim.uv.now() - approval.seen_at > 400
  ]])
  child:type(':Assent approve workspace<CR>')
  child:wait_screen('always allow in this workspace: bash: echo one')
  child:type('<C-w>*<CR>')
  child:wait_chat('Said both.')
  child:wait('return require("assent").statusline() == "Assent"')
  child:cmd('Assent rules')
  child:wait('return vim.fn.search("bash: echo [*]", "nw") > 0')
  contains(child:text(), 'In one workspace')
  child:type('dd')
  child:wait('return vim.fn.search("No rule is saved", "nw") > 0')
  child:type('q')
  child:cmd('Assent tests')
  child:wait('return require("assent.approval").count() == 1')
  child:cmd('Assent deny no more')
  child:wait_chat('Not a third time.')
end)
