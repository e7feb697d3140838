--- `:Assent` and its subcommands.
local api = vim.api

local M = {}

--- @class assent.Subcommand
--- @field run fun(arguments: string[], args: vim.api.keyset.create_user_command.command_args)
--- @field complete? fun(position: integer): string[] candidates for that argument

--- @type table<string, assent.Subcommand>
local subcommands = {}

--- @return fun(text: string, level?: integer)
local function tell(...)
  return require('assent.server').tell(...)
end

--- Call `go` with the client and its current session, both started if need be.
--- @param go fun(client: vim.lsp.Client, session: assent.Session)
local function with_session(go)
  require('assent.server').ensure(function(client)
    require('assent.session').ensure(client, function(session)
      go(client, session)
    end)
  end)
end

--- Call `go` with the session of here, if there is one already.
--- @param go fun(session: assent.Session)
local function with_running_session(go)
  local session = require('assent.session').here()
  if session then
    go(session)
  else
    tell('there is no session yet; `:Assent chat` starts one.')
  end
end

--- The document and range that a command is about.
--- @param buf integer
--- @param args vim.api.keyset.create_user_command.command_args
--- @param encoding string
--- @return { uri?: string, range?: lsp.Range }
local function target_of(buf, args, encoding)
  if vim.bo[buf].buftype ~= '' then
    return {}
  end
  local target = { uri = vim.uri_from_bufnr(buf) }
  if args.range > 0 then
    local last = api.nvim_buf_get_lines(buf, args.line2 - 1, args.line2, false)[1] or ''
    target.range = {
      start = { line = args.line1 - 1, character = 0 },
      ['end'] = { line = args.line2 - 1, character = vim.str_utfindex(last, encoding) },
    }
  end
  return target
end

--- What was asked, in the words of the chat: `explain a.lua:3-9`.
--- @param words string
--- @param buf integer
--- @param args vim.api.keyset.create_user_command.command_args
--- @return string
local function summary(words, buf, args)
  if vim.bo[buf].buftype ~= '' then
    return words
  end
  local lines = args.range > 0 and (':%d-%d'):format(args.line1, args.line2) or ''
  local path = vim.fn.fnamemodify(api.nvim_buf_get_name(buf), ':.')
  return ('%s `%s%s`'):format(words, path, lines)
end

--- Send a command that starts a turn, about the current buffer or the given lines.
--- @param command string
--- @param args vim.api.keyset.create_user_command.command_args
--- @param words string what the chat shows
--- @param show boolean show the chat, without entering it
--- @param extra? table
local function start_turn(command, args, words, show, extra)
  local buf = api.nvim_get_current_buf()
  with_session(function(client, session)
    local chat = require('assent.chat')
    local argument = target_of(buf, args, client.offset_encoding)
    argument.sessionId = session.id
    if show and require('assent.config').get().chat.show_on_ask then
      chat.show(session, false)
    end
    chat.said(session, summary(words, buf, args))
    argument = vim.tbl_extend('force', argument, extra or {})
    require('assent.server').execute(client, command, argument, nil, function(problem)
      chat.notice(session, problem.message, true)
      tell(problem.message, vim.log.levels.ERROR)
    end)
  end)
end

--- The diagnostics of the buffer or the given lines, as words.
--- @param args vim.api.keyset.create_user_command.command_args
--- @return string[]
local function diagnostics_of(args)
  local messages = {}
  for _, diagnostic in ipairs(vim.diagnostic.get(0)) do
    local line = diagnostic.lnum + 1
    if args.range == 0 or (line >= args.line1 and line <= args.line2) then
      messages[#messages + 1] = ('line %d: %s'):format(line, diagnostic.message)
    end
  end
  return messages
end

subcommands.chat = {
  run = function(_, args)
    local buf = api.nvim_get_current_buf()
    with_session(function(_, session)
      local chat = require('assent.chat')
      if args.range > 0 then
        local prompt = require('assent.chat.prompt')
        chat.attach_lines(session, prompt.attachment(buf, args.line1, args.line2))
      end
      chat.show(session, true)
    end)
  end,
}

subcommands.send = {
  run = function()
    require('assent.chat').send(api.nvim_get_current_buf())
  end,
}

subcommands.ask = {
  run = function(arguments, args)
    local text = table.concat(arguments, ' ')
    local command = require('assent.protocol').commands.ask
    if text ~= '' then
      start_turn(command, args, text, true, { prompt = text })
      return
    end
    vim.ui.input({ prompt = 'Ask Assent: ' }, function(answer)
      if answer and answer ~= '' then
        start_turn(command, args, answer, true, { prompt = answer })
      end
    end)
  end,
}

for name, shows in pairs({ explain = true, tests = false }) do
  subcommands[name] = {
    run = function(_, args)
      start_turn(require('assent.protocol').commands[name], args, name, shows)
    end,
  }
end

subcommands.fix = {
  run = function(_, args)
    local command = require('assent.protocol').commands.fix
    start_turn(command, args, 'fix', false, { diagnostics = diagnostics_of(args) })
  end,
}

subcommands.review = {
  run = function()
    if require('assent.review').count() == 0 then
      tell('nothing is open for review.')
    else
      require('assent.review.list').open()
    end
  end,
}

local scopes = { 'hunk', 'file', 'all' }

--- Accept or reject what a scope means here.
--- @param accept boolean
--- @param scope string
--- @param reason? string
function M.decide(accept, scope, reason)
  local review = require('assent.review')
  local hunks = review.in_scope(scope)
  if #hunks == 0 then
    local where = scope == 'hunk' and 'no open hunk under the cursor; ]h goes to the next'
      or 'nothing is open for review'
    tell(where .. '.')
    return
  end
  review.decide(hunks, accept, reason)
end

for name, accept in pairs({ accept = true, reject = false }) do
  subcommands[name] = {
    run = function(arguments)
      local scope = 'hunk'
      if vim.list_contains(scopes, arguments[1]) then
        scope = table.remove(arguments, 1)
      end
      local reason = #arguments > 0 and table.concat(arguments, ' ') or nil
      M.decide(accept, scope, reason)
    end,
    complete = function(position)
      return position == 1 and scopes or {}
    end,
  }
end

subcommands.edit = {
  run = function()
    local open = require('assent.review').at_cursor()
    if open then
      require('assent.review.change').open(open)
    else
      tell('no open hunk under the cursor; ]h goes to the next.')
    end
  end,
}

subcommands.next = {
  run = function()
    require('assent.review.list').move(1)
  end,
}

subcommands.previous = {
  run = function()
    require('assent.review.list').move(-1)
  end,
}

subcommands.undo = {
  run = function()
    with_running_session(function(session)
      local client = vim.lsp.get_client_by_id(session.client_id)
      if client then
        local command = require('assent.protocol').commands.undo
        require('assent.server').execute(client, command, { sessionId = session.id }, tell)
      end
    end)
  end,
}

subcommands.cancel = {
  run = function()
    with_running_session(require('assent.session').cancel)
  end,
}

subcommands.model = {
  run = function(arguments)
    with_session(function(_, session)
      require('assent.choose').model(session, arguments[1])
    end)
  end,
  complete = function(position)
    return position == 1 and require('assent.choose').models() or {}
  end,
}

subcommands.mode = {
  run = function(arguments)
    with_session(function(_, session)
      require('assent.choose').mode(session, arguments[1])
    end)
  end,
  complete = function(position)
    return position == 1 and { 'ask', 'accept-edits', 'plan' } or {}
  end,
}

subcommands.new = {
  run = function()
    require('assent.server').ensure(function(client)
      require('assent.session').new(client, function(session)
        require('assent.chat').show(session, true)
      end)
    end)
  end,
}

subcommands.sessions = {
  run = function()
    require('assent.server').ensure(function(client)
      require('assent.choose').session(client)
    end)
  end,
}

subcommands.log = {
  run = function()
    local state = vim.env.ASSENT_STATE_DIR
      or vim.fs.joinpath(vim.env.XDG_STATE_HOME or vim.fs.normalize('~/.local/state'), 'assent')
    local own = vim.fs.joinpath(state, 'logs', 'assent.log')
    if vim.uv.fs_stat(own) then
      vim.cmd.tabedit(vim.fn.fnameescape(own))
      return
    end
    vim.cmd.tabedit(vim.fn.fnameescape(vim.lsp.log.get_filename()))
    tell("the server writes its own log only with ASSENT_LOG=debug in Neovim's environment.")
  end,
}

subcommands.health = {
  run = function()
    vim.cmd.checkhealth('assent')
  end,
}

for _, part in ipairs({ 'approvals', 'rules' }) do
  subcommands = vim.tbl_extend('error', subcommands, require('assent.command.' .. part))
end

--- @return string[]
local function names()
  return vim.fn.sort(vim.tbl_keys(subcommands))
end

--- Run `:Assent …`.
--- @param args vim.api.keyset.create_user_command.command_args
function M.run(args)
  local arguments = vim.list_extend({}, args.fargs)
  local name = table.remove(arguments, 1) or 'chat'
  local subcommand = subcommands[name]
  if not subcommand then
    local all = table.concat(names(), ', ')
    tell(('there is no :Assent %s; there are: %s'):format(name, all), vim.log.levels.ERROR)
    return
  end
  subcommand.run(arguments, args)
end

--- Complete the command line of `:Assent`.
--- @param lead string
--- @param line string
--- @param column integer
--- @return string[]
function M.complete(lead, line, column)
  local before = line:sub(1, column):gsub('^.-Assent%s+', '')
  local words = vim.split(before, '%s+')
  local candidates = names()
  if #words > 1 then
    local subcommand = subcommands[words[1]]
    candidates = subcommand and subcommand.complete and subcommand.complete(#words - 1) or {}
  end
  return vim.tbl_filter(function(candidate)
    return vim.startswith(candidate, lead)
  end, candidates)
end

return M
