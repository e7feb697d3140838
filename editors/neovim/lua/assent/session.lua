--- Sessions as this client sees them: which is current, its modes and options, whether a turn
--- runs. The conversation itself is the server's; it can send it again at any time.
local M = {}

--- @class assent.Session
--- @field id string
--- @field client_id integer
--- @field cwd string
--- @field title? string
--- @field running boolean
--- @field mode? string
--- @field modes { id: string, name: string, description?: string }[]
--- @field options table[] ACP config options
--- @field commands { name: string, description: string }[]
--- @field usage? { used: integer, size: integer }

--- @type table<string, assent.Session>
local sessions = {}

--- The session that `:Assent` speaks to, for each client.
--- @type table<integer, string>
local current = {}

--- Who waits for a client's first session.
--- @type table<integer, fun(session: assent.Session)[]>
local waiting = {}

--- @param id string
--- @return assent.Session?
function M.get(id)
  return sessions[id]
end

--- @param client_id integer
--- @return assent.Session?
function M.of_client(client_id)
  return sessions[current[client_id]]
end

--- The session of the current buffer: its own if it is a chat, else its client's.
--- @return assent.Session?
function M.here()
  local of_chat = require('assent.chat').session_of(vim.api.nvim_get_current_buf())
  if of_chat then
    return sessions[of_chat]
  end
  local client = require('assent.server').get()
  return client and M.of_client(client.id)
end

--- @param client vim.lsp.Client
--- @return string
local function folder_of(client)
  return client.root_dir or vim.fs.normalize(vim.fn.getcwd())
end

--- Note a session, and what its answer said of modes and options.
--- @param client_id integer
--- @param id string
--- @param cwd string
--- @param answer? table
--- @return assent.Session
local function adopt(client_id, id, cwd, answer)
  local session = sessions[id]
    or { id = id, cwd = cwd, running = false, modes = {}, options = {}, commands = {} }
  session.client_id = client_id
  sessions[id] = session
  if answer and answer.modes then
    session.mode = answer.modes.currentModeId
    session.modes = answer.modes.availableModes
  end
  if answer and answer.configOptions then
    session.options = answer.configOptions
  end
  return session
end

--- @param session assent.Session
local function make_current(session)
  current[session.client_id] = session.id
  require('assent.statusline').refresh()
end

--- Start a new session and make it the current one.
--- @param client vim.lsp.Client
--- @param on_session fun(session: assent.Session)
function M.new(client, on_session)
  local cwd = folder_of(client)
  local names = require('assent.protocol').to_server
  require('assent.server').request(
    client,
    names.new,
    { cwd = cwd, mcpServers = {} },
    function(answer)
      local session = adopt(client.id, answer.sessionId, cwd, answer)
      make_current(session)
      on_session(session)
    end,
    function(problem)
      waiting[client.id] = nil
      require('assent.server').tell('no session: ' .. problem.message, vim.log.levels.ERROR)
    end
  )
end

--- Call `on_session` with the current session of a client; without one a new one is started, once.
--- @param client vim.lsp.Client
--- @param on_session fun(session: assent.Session)
function M.ensure(client, on_session)
  local session = M.here() or M.of_client(client.id)
  if session and session.client_id == client.id then
    on_session(session)
    return
  end
  if waiting[client.id] then
    table.insert(waiting[client.id], on_session)
    return
  end
  waiting[client.id] = { on_session }
  M.new(client, function(started)
    local callbacks = waiting[client.id] or {}
    waiting[client.id] = nil
    for _, callback in ipairs(callbacks) do
      callback(started)
    end
  end)
end

--- Bring a session back: the server tells its conversation again into an emptied chat.
--- @param client vim.lsp.Client
--- @param id string
--- @param cwd string
--- @param on_session? fun(session: assent.Session)
function M.load(client, id, cwd, on_session)
  local names = require('assent.protocol').to_server
  local session = adopt(client.id, id, cwd)
  require('assent.chat').restart(session)
  local params = { sessionId = id, cwd = cwd, mcpServers = {} }
  require('assent.server').request(client, names.load, params, function(answer)
    adopt(client.id, id, cwd, answer or {})
    make_current(session)
    if on_session then
      on_session(session)
    end
  end, function(problem)
    sessions[id] = nil
    local text = ('the session %s cannot be loaded: %s'):format(id, problem.message)
    require('assent.server').tell(text, vim.log.levels.ERROR)
  end)
end

--- The sessions of a client's folder, newest first.
--- @param client vim.lsp.Client
--- @param on_list fun(list: { sessionId: string, title?: string, updatedAt?: string, cwd: string }[])
function M.list(client, on_list)
  local names = require('assent.protocol').to_server
  require('assent.server').request(client, names.list, { cwd = folder_of(client) }, function(answer)
    on_list(answer.sessions or {})
  end)
end

--- @param session assent.Session
--- @param running boolean
function M.set_running(session, running)
  if session.running ~= running then
    session.running = running
    require('assent.statusline').refresh()
  end
end

--- Words for why a turn ended, where that is worth a word.
local stop_words = {
  cancelled = 'cancelled',
  max_tokens = "the answer was cut at the model's output limit",
  max_turn_requests = 'stopped at the turn limit',
  refusal = 'the model refused',
}

--- Send a prompt. The chat shows what it was and, at the end, why the turn stopped early.
--- @param session assent.Session
--- @param blocks table[] ACP content blocks
--- @param on_done? fun(stop_reason?: string)
function M.prompt(session, blocks, on_done)
  local server = require('assent.server')
  local chat = require('assent.chat')
  local client = vim.lsp.get_client_by_id(session.client_id)
  if not client then
    server.tell('the server of this session does not run; `:Assent sessions` brings it back.')
    return
  end
  M.set_running(session, true)
  local names = require('assent.protocol').to_server
  server.request(client, names.prompt, { sessionId = session.id, prompt = blocks }, function(answer)
    M.set_running(session, false)
    local words = stop_words[answer.stopReason]
    if words then
      chat.notice(session, words)
    end
    if on_done then
      on_done(answer.stopReason)
    end
  end, function(problem)
    M.set_running(session, false)
    chat.notice(session, problem.message, true)
    if on_done then
      on_done(nil)
    end
  end)
end

--- Stop the running turn; its open approvals count as refused.
--- @param session assent.Session
function M.cancel(session)
  local client = vim.lsp.get_client_by_id(session.client_id)
  if client then
    client:notify(require('assent.protocol').to_server.cancel, { sessionId = session.id })
    require('assent.approval').withdraw_session(session.id)
  end
end

--- @param session assent.Session
--- @param mode string
function M.set_mode(session, mode)
  local client = vim.lsp.get_client_by_id(session.client_id)
  if not client then
    return
  end
  local params = { sessionId = session.id, modeId = mode }
  local names = require('assent.protocol').to_server
  require('assent.server').request(client, names.set_mode, params, function()
    session.mode = mode
    require('assent.statusline').refresh()
  end)
end

--- @param session assent.Session
--- @param option string the option's id
--- @param value string
function M.set_option(session, option, value)
  local client = vim.lsp.get_client_by_id(session.client_id)
  if not client then
    return
  end
  local params = { sessionId = session.id, configId = option, value = value }
  local names = require('assent.protocol').to_server
  require('assent.server').request(client, names.set_config_option, params, function(answer)
    session.options = answer.configOptions or session.options
    require('assent.statusline').refresh()
  end)
end

--- A select option of a session, with its choices in one list whether or not they are grouped.
--- @param session assent.Session
--- @param id string
--- @return { value: string, choices: { value: string, name: string }[] }?
function M.option(session, id)
  for _, option in ipairs(session.options) do
    if option.id == id and option.type == 'select' then
      local choices = {}
      for _, entry in ipairs(option.options or {}) do
        vim.list_extend(choices, entry.options or { entry })
      end
      return { value = option.currentValue, choices = choices }
    end
  end
end

--- What an update changes in the session's own state; all else belongs to the chat.
--- @type table<string, fun(session: assent.Session, update: table)>
local state_updates = {
  current_mode_update = function(session, update)
    session.mode = update.currentModeId
  end,
  config_option_update = function(session, update)
    session.options = update.configOptions
  end,
  available_commands_update = function(session, update)
    session.commands = update.availableCommands
  end,
  session_info_update = function(session, update)
    session.title = update.title or session.title
  end,
  usage_update = function(session, update)
    session.usage = { used = update.used, size = update.size }
  end,
}

--- `session/update`.
--- @param params { sessionId: string, update: table }
--- @param ctx lsp.HandlerContext
function M.on_update(params, ctx)
  local session = sessions[params.sessionId]
  if not session then
    local client = assert(vim.lsp.get_client_by_id(ctx.client_id), 'an update comes from a client')
    session = adopt(ctx.client_id, params.sessionId, folder_of(client))
    if not M.of_client(ctx.client_id) then
      make_current(session)
    end
  end
  local update = params.update
  local change = state_updates[update.sessionUpdate]
  if change then
    change(session, update)
    require('assent.statusline').refresh()
  end
  require('assent.approval').on_update(session.id, update)
  require('assent.question').on_update(session.id, update)
  require('assent.chat').on_update(session, update)
end

--- A client ended: its turns ended with it.
--- @param client_id integer
--- @return string? current the session to bring back
function M.on_exit(client_id)
  waiting[client_id] = nil
  for _, session in pairs(sessions) do
    if session.client_id == client_id then
      session.running = false
      require('assent.chat').notice(session, 'the server stopped', true)
    end
  end
  local id = current[client_id]
  current[client_id] = nil
  return id
end

--- After a restart: bring back the session that was current before.
--- @param client vim.lsp.Client
--- @param id? string
function M.restore(client, id)
  if id then
    local known = sessions[id]
    M.load(client, id, known and known.cwd or folder_of(client))
  end
end

return M
