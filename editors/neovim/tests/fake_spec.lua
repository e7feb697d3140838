-- What the real server never does, or not at a moment of a test's choosing: stale edits, a death
-- in mid-sentence, approvals with hidden characters. See fake_server.py.
local harness = require('harness')
local test, equal, contains, lacks = harness.test, harness.equal, harness.contains, harness.lacks

local fake = require('fake')
local open, send, received, update, asks =
  fake.open, fake.send, fake.received, fake.update, fake.asks

local function edit_of(child, version, text)
  return {
    id = 3,
    method = 'workspace/applyEdit',
    params = {
      label = 'Assent: edit',
      edit = {
        documentChanges = {
          {
            textDocument = { uri = vim.uri_from_fname(child.ws .. '/a.txt'), version = version },
            edits = {
              {
                range = {
                  start = { line = 0, character = 0 },
                  ['end'] = { line = 0, character = 0 },
                },
                newText = text,
              },
            },
          },
        },
      },
    },
  }
end

test('the handshake says what the client can do', function(child)
  open(child, 'one\n')
  local capabilities = received(child, 'initialize')[1].params.capabilities
  equal(true, capabilities.workspace.workspaceEdit.documentChanges)
  equal(true, capabilities.workspace.workspaceEdit.changeAnnotationSupport.groupsOnLabel)
  local assent = capabilities.experimental.assent
  equal(1, assent.acp.protocolVersion)
  equal({ true, true }, { assent.review, assent.save })
end)

test('a stale edit is refused with the reason', function(child)
  open(child, 'one\n')
  local version = child:lua('return vim.lsp.util.buf_versions[vim.api.nvim_get_current_buf()]')
  child:lua('vim.api.nvim_buf_set_lines(0, 0, 0, false, { "typed" })')
  send(child, edit_of(child, version, 'agent\n'))
  local answer = received(child, '')[1].result
  equal(false, answer.applied)
  contains(answer.failureReason, ('the edit is for version %d'):format(version))
  equal('typed\none', child:text())
end)

test('an edit is one undo step of its own', function(child)
  open(child, 'one\n')
  child:type('Otyped<Esc>')
  child:wait('return vim.api.nvim_buf_get_lines(0, 0, 1, false)[1] == "typed"')
  local version = child:lua('return vim.lsp.util.buf_versions[vim.api.nvim_get_current_buf()]')
  send(child, edit_of(child, version, 'agent\n'))
  equal(true, received(child, '')[1].result.applied)
  equal('agent\ntyped\none', child:text())
  child:cmd('undo')
  equal('typed\none', child:text())
end)

test('an edit of a buffer that is not modifiable is refused', function(child)
  open(child, 'one\n')
  child:cmd('setlocal nomodifiable')
  send(child, edit_of(child, vim.NIL, 'agent\n'))
  equal(
    { applied = false, failureReason = 'the buffer is not modifiable', failedChange = 0 },
    received(child, '')[1].result
  )
end)

test('a closed file is edited, saved and closed again', function(child)
  open(child, 'one\n')
  child:write('b.txt', 'two\n')
  local message = edit_of(child, vim.NIL, 'agent\n')
  local uri = vim.uri_from_fname(child.ws .. '/b.txt')
  message.params.edit.documentChanges[1].textDocument.uri = uri
  send(child, message)
  equal(true, received(child, '')[1].result.applied)
  equal('two\n', child:read('b.txt'))
  send(child, { id = 4, method = '_assent/document/save', params = { uris = { uri } } })
  child:wait('return vim.fn.bufloaded("b.txt") == 0')
  equal({ saved = { uri } }, received(child, '')[2].result)
  equal('agent\ntwo\n', child:read('b.txt'))
end)

test('an approval waits without blocking, and shows everything', function(child)
  open(child, 'one\n')
  local windows = child:lua('return #vim.api.nvim_list_wins()')
  send(
    child,
    asks('rm -rf x\n' .. ('\n'):rep(40) .. 'echo \226\128\174hidden', { warnings = { 'careful' } })
  )
  child:wait('return require("assent.approval").count() == 1')
  equal(windows, child:lua('return #vim.api.nvim_list_wins()'), 'no window opens unasked')
  child:type('Otyping goes on<Esc>')
  child:wait('return vim.api.nvim_buf_get_lines(0, 0, 1, false)[1] == "typing goes on"')
  equal('Assent: 1 approval', child:lua('return require("assent").statusline()'))
  child:cmd('Assent approvals')
  local text = child:text()
  contains(text, '    rm -rf x')
  contains(text, '42 lines, ')
  contains(text, 'echo ⟨U+202E⟩hidden')
  contains(text, 'WARNING   careful')
  contains(text, 'no rule allows it')
end)

test('what was not seen to its end cannot be approved', function(child)
  open(child, 'one\n')
  send(child, asks('first' .. ('\n'):rep(60) .. 'last'))
  child:wait('return require("assent.approval").count() == 1')
  child:cmd('Assent approve')
  child:cmd('Assent approvals')
  child:type('ga')
  child:wait_screen('first')
  equal(1, child:lua('return require("assent.approval").count()'))
  child:type('G')
  child:wait([[
    vim.api.nvim_input('ga')
    return require('assent.approval').count() == 0
  ]])
  equal({ outcome = 'selected', optionId = 'allow_once' }, received(child, '')[1].result.outcome)
end)

test('return denies, with the panel in focus', function(child)
  open(child, 'one\n')
  send(child, asks('make'))
  child:wait('return require("assent.approval").count() == 1')
  child:cmd('Assent approvals')
  child:type('<CR>')
  equal('reject_once', received(child, '')[1].result.outcome.optionId)
end)

test('a reason and a stop travel with a denial', function(child)
  open(child, 'one\n')
  send(child, asks('make'))
  child:wait('return require("assent.approval").count() == 1')
  child:cmd('Assent deny stop use ninja')
  local result = received(child, '')[1].result
  equal('reject_once', result.outcome.optionId)
  equal({ feedback = 'use ninja', stop = true }, result._meta.assent)
end)

test('an approval that was answered elsewhere goes away', function(child)
  open(child, 'one\n')
  send(child, asks('make'))
  child:wait('return require("assent.approval").count() == 1')
  child:cmd('Assent approvals')
  update(child, { sessionUpdate = 'tool_call_update', toolCallId = 'c1', status = 'in_progress' })
  child:wait('return require("assent.approval").count() == 0 and #vim.api.nvim_list_wins() == 1')
  equal('cancelled', received(child, '')[1].result.outcome.outcome)
end)

test('a question is asked when the user takes it up', function(child)
  open(child, 'one\n')
  send(child, {
    id = 9,
    method = 'elicitation/create',
    params = {
      mode = 'form',
      sessionId = 's1',
      toolCallId = 'c2',
      message = 'Which one?',
      requestedSchema = {
        type = 'object',
        properties = {
          answer = {
            type = 'string',
            oneOf = { { const = 'red', title = 'red' }, { const = 'blue', title = 'blue' } },
          },
          other = { type = 'string', title = 'Something else' },
        },
      },
    },
  })
  child:wait('return require("assent.question").count() == 1')
  child:lua(
    'vim.ui.select = function(items, options, done) vim.g.asked = options.prompt; done(items[2]) end'
  )
  child:cmd('Assent answer')
  equal({ action = 'accept', content = { answer = 'blue' } }, received(child, '')[1].result)
  equal('Which one?', child:lua('return vim.g.asked'))
end)

--- @param first integer
--- @param last integer
--- @return lsp.Range
local function lines(first, last)
  return { start = { line = first, character = 0 }, ['end'] = { line = last, character = 0 } }
end

--- Let the server open a review.
--- @param child assent.test.Child
--- @param files table<string, { change?: string, hunks: table[] }> under their paths
local function review(child, files)
  local list = {}
  for path, file in vim.spairs(files) do
    for index, hunk in ipairs(file.hunks) do
      hunk.id = ('%s-%d'):format(path, index)
      hunk.status = 'pending'
      hunk.range = hunk.range or lines(0, 0)
    end
    list[#list + 1] = {
      uri = vim.uri_from_fname(child.ws .. '/' .. path),
      version = vim.NIL,
      change = file.change or 'edit',
      hunks = file.hunks,
    }
  end
  send(child, {
    method = '_assent/review/updated',
    params = { reviewId = 'r1', sessionId = 's1', toolCallId = 'c1', status = 'open', files = list },
  })
end

test('hunks are drawn in place, and the text stays as it is', function(child)
  open(child, 'one\ntwo\nthree\n')
  review(child, {
    ['a.txt'] = {
      hunks = {
        { range = lines(1, 2), oldText = 'two\n', newText = 'TWO\nand a half\n' },
        { range = lines(3, 3), oldText = '', newText = 'four\n' },
      },
    },
  })
  child:wait_screen('and a half')
  local screen = child:screen()
  contains(screen, 'Assent 1/2 +2 -1')
  contains(screen, 'four')
  equal('one\ntwo\nthree', child:text())
  equal('Assent: 2 hunks', child:lua('return require("assent").statusline()'))
  child:type('gg]h')
  child:wait('return vim.api.nvim_win_get_cursor(0)[1] == 2')
  child:type('<Cmd>Assent reject hunk wrong number<CR>')
  equal({
    reviewId = 'r1',
    decisions = { { hunk = 'a.txt-1', accept = false } },
    feedback = 'wrong number',
  }, received(child, '_assent/review/decide')[1].params)
  child:cmd('Assent review')
  equal(2, child:lua('return #vim.fn.getqflist()'))
end)

test('lines that would come above the first one are on the screen', function(child)
  open(child, 'one\ntwo\n')
  review(child, {
    ['a.txt'] = { hunks = { { range = lines(0, 0), oldText = '', newText = '# title\n\n' } } },
  })
  child:wait_screen('# title')
end)

test('no line is missing from the screen after a long line was accepted', function(child)
  open(child, 'one\ntwo\nthree\nfour\nfive\n')
  local long = ('long '):rep(14)
  review(child, {
    ['a.txt'] = { hunks = { { range = lines(0, 1), oldText = 'one\n', newText = long .. '\n' } } },
  })
  child:wait_screen('Assent 1/1')
  send(child, edit_of(child, vim.NIL, long))
  send(child, {
    method = '_assent/review/updated',
    params = {
      reviewId = 'r1',
      sessionId = 's1',
      toolCallId = 'c1',
      status = 'closed',
      files = { { uri = vim.uri_from_fname(child.ws .. '/a.txt'), change = 'edit', hunks = {} } },
    },
  })
  child:wait('return require("assent.review").count() == 0')
  for _, line in ipairs({ 'long one', 'two', 'three', 'four', 'five' }) do
    contains(child:screen(), line)
  end
end)

test('next and previous go from file to file and around', function(child)
  open(child, 'one\ntwo\nthree\n')
  child:write('b.txt', 'four\nfive\n')
  review(child, {
    ['a.txt'] = { hunks = { { range = lines(1, 2), oldText = 'two\n', newText = 'TWO\n' } } },
    ['b.txt'] = { hunks = { { range = lines(1, 2), oldText = 'five\n', newText = 'FIVE\n' } } },
  })
  local here = 'return vim.fn.expand("%:t") .. ":" .. vim.api.nvim_win_get_cursor(0)[1]'
  child:wait('return require("assent.review").count() == 2')
  local places = {}
  for _, command in ipairs({ 'next', 'next', 'next', 'previous', 'previous' }) do
    child:cmd('Assent ' .. command)
    places[#places + 1] = child:lua(here)
  end
  equal({ 'a.txt:2', 'b.txt:2', 'a.txt:2', 'b.txt:2', 'a.txt:2' }, places)
  child:cmd('Assent accept all')
  equal(2, #received(child, '_assent/review/decide')[1].params.decisions)
end)

test('a new file is looked at in a preview and accepted there', function(child)
  open(child, 'one\n')
  review(child, {
    ['new.txt'] = { change = 'create', hunks = { { oldText = '', newText = 'fresh\nlines\n' } } },
  })
  child:wait('return require("assent.review").count() == 1')
  child:cmd('Assent review')
  child:cmd('cfirst')
  equal('fresh\nlines', child:text())
  contains(child:screen(), 'New file')
  child:cmd('Assent accept')
  local decided = received(child, '_assent/review/decide')[1].params
  equal({ { hunk = 'new.txt-1', accept = true } }, decided.decisions)
end)

test('a proposal can be changed before it is accepted', function(child)
  open(child, 'one\ntwo\n')
  review(child, {
    ['a.txt'] = { hunks = { { range = lines(0, 1), oldText = 'one\n', newText = 'ONE\n' } } },
  })
  child:wait_screen('ONE')
  child:cmd('Assent edit')
  equal('ONE', child:text())
  child:lua('vim.api.nvim_buf_set_lines(0, 0, -1, false, { "Uno" })')
  child:cmd('write')
  local decided = received(child, '_assent/review/decide')[1].params
  equal({ { hunk = 'a.txt-1', accept = true, newText = 'Uno\n' } }, decided.decisions)
  child:wait('return #vim.api.nvim_list_wins() == 1')
end)

test('a map of the user stays', function(child)
  open(child, 'one\n')
  child:lua('vim.keymap.set("n", "]h", "<Nop>", { desc = "mine" })')
  review(child, {
    ['a.txt'] = { hunks = { { range = lines(0, 1), oldText = 'one\n', newText = 'ONE\n' } } },
  })
  child:wait('return vim.fn.maparg("[h", "n", false, true).buffer == 1')
  equal('mine', child:lua('return vim.fn.maparg("]h", "n", false, true).desc'))
end)

test('ask sends the selected lines and shows the chat beside them', function(child)
  open(child, 'one\ntwo\nthree\n')
  local window = child:lua('return vim.api.nvim_get_current_win()')
  child:cmd('2,3Assent ask what is this?')
  local sent = received(child, 'workspace/executeCommand')[1].params
  equal('assent.ask', sent.command)
  equal({
    prompt = 'what is this?',
    sessionId = 's1',
    uri = vim.uri_from_fname(child.ws .. '/a.txt'),
    range = { start = { line = 1, character = 0 }, ['end'] = { line = 2, character = 5 } },
  }, sent.arguments[1])
  equal(
    { 2, window },
    child:lua('return { #vim.api.nvim_list_wins(), vim.api.nvim_get_current_win() }')
  )
end)

test('fix and tests open no window', function(child)
  open(child, 'one\n')
  child:cmd('Assent fix')
  child:cmd('Assent tests')
  equal(2, #child:wait([[
    local answer = vim.lsp.get_clients({ name = 'assent' })[1]
      :request_sync('fake/received', { method = 'workspace/executeCommand' }, 5000)
    return #answer.result == 2 and answer.result
  ]]))
  equal(1, child:lua('return #vim.api.nvim_list_wins()'))
end)

test('a prompt takes along what it mentions and what was attached', function(child)
  open(child, 'one\ntwo\nthree\n')
  child:lua('vim.api.nvim_buf_set_lines(0, 1, 2, false, { "not saved" })')
  child:cmd('2,2Assent chat')
  child:wait('return vim.bo.filetype == "markdown"')
  contains(child:screen(), '+ a.txt:2-2')
  child:type('ilook at @a.txt, please<Esc><CR>')
  local sent = received(child, 'session/prompt')[1].params
  local uri = vim.uri_from_fname(child.ws .. '/a.txt')
  equal({
    { type = 'text', text = 'look at @a.txt, please' },
    { type = 'resource_link', uri = uri, name = 'a.txt' },
    {
      type = 'resource',
      resource = { uri = uri .. '#L2-L2', mimeType = 'text/plain', text = 'not saved\n' },
    },
  }, sent.prompt)
  equal('## You\n\nlook at @a.txt, please\n\n## Prompt\n', child:chat())
end)

test('a server that dies is started again, and the session comes back', function(child)
  open(child, 'one\n')
  child:cmd('Assent chat')
  child:wait('return vim.bo.filetype == "markdown"')
  child:lua('vim.lsp.get_clients({ name = "assent" })[1]:notify("fake/die", { code = 3 })')
  local loaded = received(child, 'session/load')[1]
  equal('s1', loaded.params.sessionId)
  contains(child:lua('return vim.fn.execute("messages")'), 'ended (code 3) and is started again')
  equal(true, #received(child, 'textDocument/didOpen') > 0)
end)

test('a server that dies over and over stays down', function(child)
  open(child, 'one\n')
  for _ = 1, 4 do
    local id = child:wait([[
      local client = vim.lsp.get_clients({ name = 'assent' })[1]
      return client and client.initialized and client.id
    ]])
    child:lua('vim.lsp.get_client_by_id(...):notify("fake/die", { code = 1 })', id)
    child:wait('return vim.lsp.get_client_by_id(...) == nil', id)
  end
  child:wait('return vim.fn.execute("messages"):find("stays down") ~= nil')
  equal(0, child:lua('return #vim.lsp.get_clients({ name = "assent" })'))
end)

test('the cursor of the chat stays where it is while the answer streams', function(child)
  open(child, 'one\n')
  child:cmd('Assent chat')
  child:wait('return vim.bo.filetype == "markdown"')
  child:type('iunsent words<Esc>')
  update(
    child,
    { sessionUpdate = 'agent_message_chunk', content = { type = 'text', text = 'first\nsecond' } }
  )
  child:wait_chat('second')
  equal('unsent words', child:lua('return vim.api.nvim_get_current_line()'))
  child:type('gg')
  for number = 1, 30 do
    update(child, {
      sessionUpdate = 'agent_message_chunk',
      content = { type = 'text', text = '\nline ' .. number },
    })
  end
  child:wait_chat('line 30')
  equal(1, child:lua('return vim.api.nvim_win_get_cursor(0)[1]'))
  contains(child:chat(), '## Assent\n\nfirst\nsecond\nline 1\n')
end)

test('a tool call is one line once it has ended, its output folded below', function(child)
  open(child, 'one\n')
  child:cmd('Assent chat')
  child:wait('return vim.bo.filetype == "markdown"')
  local function output(status, text)
    local content = { { type = 'content', content = { type = 'text', text = text } } }
    local kind = status == 'pending' and 'tool_call' or 'tool_call_update'
    update(child, {
      sessionUpdate = kind,
      toolCallId = 'c1',
      title = 'make test',
      status = status,
      content = content,
    })
  end
  output('pending', '')
  output('in_progress', 'building')
  child:wait_screen('  │ building')
  output('completed', 'building\nall green')
  child:wait_screen('● make test (2 lines)')
  lacks(child:screen(), 'all green')
  contains(child:chat(), '● make test (2 lines)\n  │ building\n  │ all green')
  child:lua('vim.fn.cursor(vim.fn.search("make test"), 1)')
  child:type('zo')
  child:wait_screen('  │ all green')
end)
