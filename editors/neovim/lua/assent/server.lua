--- The server as a language client of Neovim: how it starts, which buffers it sees, and how it
--- comes back when it dies.
local api = vim.api

local M = {}

local name = 'assent'

--- A file or folder that marks a project, best first; equals stand together.
local root_markers = {
  { 'assent.yaml', 'beeuni.yaml', '.assent' },
  '.git',
  { 'Cargo.toml', 'package.json', 'pyproject.toml', 'go.mod', 'Makefile' },
}

--- A server that dies more often than this within a minute stays down.
local restarts_a_minute = 3

--- When the server of a root was started again, in milliseconds.
--- @type table<string, integer[]>
local restarts = {}

--- Who waits for a client to be initialized.
--- @type table<integer, fun(client: vim.lsp.Client)[]>
local waiting = {}

--- What a dead server's successor has to bring back.
--- @type table<integer, assent.Remains>
local successors = {}

--- @class assent.Remains
--- @field buffers integer[] the buffers that were attached
--- @field session? string the session that was current

local told_missing = false

--- How servers ended, under the configuration they were started with.
--- @type table<vim.lsp.ClientConfig, { code: integer, signal: integer }>
local deaths = setmetatable({}, { __mode = 'k' })

--- Tell the user something. A text that would not fit the message line, where Neovim would wait
--- for a key, is cut there; all of it is in `:messages`.
--- @param text string
--- @param level? integer
function M.tell(text, level)
  text = 'Assent: ' .. text
  local space = vim.v.echospace
  local line = text:match('[^\n]*')
  if line ~= text or api.nvim_strwidth(line) > space then
    for part in vim.gsplit(text, '\n', { plain = true }) do
      vim.cmd.echomsg({ vim.fn.string(part), mods = { silent = true } })
    end
    local ending = ' … :messages'
    line = vim.fn.strcharpart(line, 0, space - #ending) .. ending
  end
  vim.notify(line, level or vim.log.levels.INFO)
end

--- @param path string
--- @param folder string
--- @return boolean
local function lies_in(path, folder)
  return vim.fs.relpath(folder, path) ~= nil
end

--- The project of a buffer. A file outside of any takes the working folder if it lies there. The
--- home folder is never taken for a project only because Neovim was started in it.
--- @param bufnr integer
--- @return string?
local function root_of(bufnr)
  local config = vim.lsp.config[name]
  local root = vim.fs.root(bufnr, config and config.root_markers or root_markers)
  if root then
    return root
  end
  local folder = vim.fs.normalize(vim.fn.getcwd())
  local path = api.nvim_buf_get_name(bufnr)
  local inside = path == '' or vim.bo[bufnr].buftype ~= '' or lies_in(path, folder)
  if inside and folder ~= vim.fs.normalize('~') and folder ~= '/' then
    return folder
  end
end

--- @param dispatchers vim.lsp.rpc.Dispatchers
--- @param config vim.lsp.ClientConfig
--- @return vim.lsp.rpc.PublicClient
local function spawn(dispatchers, config)
  local found, problem = require('assent.locate').find()
  if not found then
    error('Assent: ' .. problem, 0)
  end
  -- How it ended is told here, in one line. Neovim's own words fill two and wait for a key.
  local on_exit = dispatchers.on_exit
  dispatchers.on_exit = function(code, signal)
    deaths[config] = { code = code, signal = signal }
    on_exit(0, 0)
  end
  return vim.lsp.rpc.start(found.cmd, dispatchers, {
    cwd = config.cmd_cwd or config.root_dir,
    env = config.cmd_env,
    detached = config.detached,
  })
end

--- Say once that there is no server, not once for every buffer.
--- @return boolean
local function is_found()
  if type(vim.lsp.config[name].cmd) == 'table' then
    return true
  end
  local found = require('assent.locate').find()
  if not found and not told_missing then
    told_missing = true
    M.tell('the program was not found; see :checkhealth assent', vim.log.levels.WARN)
  end
  return found ~= nil
end

--- The configuration for `vim.lsp.enable('assent')`.
--- @return vim.lsp.Config
function M.config()
  local protocol = require('assent.protocol')
  local handlers = {}
  for method, taker in pairs(protocol.from_server) do
    handlers[method] = function(_, params, ctx)
      return require(taker[1])[taker[2]](params, ctx)
    end
  end
  return {
    cmd = spawn,
    root_markers = root_markers,
    root_dir = function(bufnr, on_dir)
      if is_found() then
        on_dir(root_of(bufnr))
      end
    end,
    workspace_required = false,
    capabilities = protocol.capabilities(),
    settings = { assent = require('assent.config').get().settings },
    handlers = handlers,
    -- The server moves pending hunks with every keystroke, and checks the text after an edit.
    flags = { debounce_text_changes = 0 },
    on_init = M.on_init,
    on_exit = M.on_exit,
  }
end

--- @param bufnr integer
--- @return boolean
local function is_document(bufnr)
  return api.nvim_buf_is_loaded(bufnr)
    and vim.bo[bufnr].buftype == ''
    and api.nvim_buf_get_name(bufnr) ~= ''
end

--- An open document is its buffer, so the server has to see every one of its projects.
--- @param client vim.lsp.Client
local function attach_documents(client)
  for _, bufnr in ipairs(api.nvim_list_bufs()) do
    if is_document(bufnr) and root_of(bufnr) == client.root_dir then
      vim.lsp.buf_attach_client(bufnr, client.id)
    end
  end
end

--- @param client vim.lsp.Client
function M.on_init(client)
  if not require('assent.protocol').server_info(client) then
    M.tell(
      'the server does not speak the conversation; is it an older version?',
      vim.log.levels.WARN
    )
  end
  attach_documents(client)
  require('assent.statusline').refresh()
  local remains = successors[client.id]
  successors[client.id] = nil
  if remains then
    for _, bufnr in ipairs(remains.buffers) do
      if api.nvim_buf_is_loaded(bufnr) then
        vim.lsp.buf_attach_client(bufnr, client.id)
      end
    end
    require('assent.session').restore(client, remains.session)
  end
  local callbacks = waiting[client.id] or {}
  waiting[client.id] = nil
  for _, callback in ipairs(callbacks) do
    callback(client)
  end
end

--- May this root's server be started again? Counts the start.
--- @param root string
--- @return boolean
local function may_restart(root)
  local now = vim.uv.now()
  local recent = vim.tbl_filter(function(at)
    return now - at < 60000
  end, restarts[root] or {})
  recent[#recent + 1] = now
  restarts[root] = recent
  return #recent <= restarts_a_minute
end

--- @param client vim.lsp.Client
--- @param remains assent.Remains
--- @param how string
local function restart(client, remains, how)
  if not may_restart(client.root_dir or '') then
    local advice = ':Assent log may say why, :Assent chat starts it again'
    M.tell(('the server %s and stays down; %s.'):format(how, advice), vim.log.levels.ERROR)
    return
  end
  M.tell(('the server %s and is started again.'):format(how), vim.log.levels.WARN)
  local id = vim.lsp.start(vim.deepcopy(client.config), {
    attach = false,
    reuse_client = function()
      return false
    end,
  })
  if id then
    successors[id] = remains
  end
end

--- @param code integer
--- @param signal integer
--- @param client_id integer
function M.on_exit(code, signal, client_id)
  local client = vim.lsp.get_client_by_id(client_id)
  if not client then
    return
  end
  local death = deaths[client.config] or { code = code, signal = signal }
  local wanted = client._is_stopping or (death.code == 0 and death.signal == 0)
  local buffers = vim.tbl_keys(client.attached_buffers)
  vim.schedule(function()
    waiting[client_id] = nil
    local session = require('assent.session').on_exit(client_id)
    require('assent.approval').on_exit(client_id)
    require('assent.question').on_exit(client_id)
    require('assent.review').on_exit(client_id)
    require('assent.statusline').refresh()
    if not wanted and vim.v.exiting == vim.NIL then
      local how = death.signal ~= 0 and ('was killed (signal %d)'):format(death.signal)
        or ('ended (code %d)'):format(death.code)
      restart(client, { buffers = buffers, session = session }, how)
    end
  end)
end

--- The running client that belongs to a buffer: the one attached to it, else the only one there is.
--- @param bufnr? integer
--- @return vim.lsp.Client?
function M.get(bufnr)
  local attached = vim.lsp.get_clients({ name = name, bufnr = bufnr or api.nvim_get_current_buf() })
  if attached[1] then
    return attached[1]
  end
  local all = vim.lsp.get_clients({ name = name })
  return #all == 1 and all[1] or nil
end

--- Start the server for a buffer, attached to it if it is a document.
--- @param bufnr integer
--- @param on_started? fun(id?: integer)
local function start(bufnr, on_started)
  local config = vim.deepcopy(vim.lsp.config[name])
  local function go(root_dir)
    config.root_dir = root_dir
    local id = vim.lsp.start(config, { bufnr = bufnr, attach = is_document(bufnr) })
    if on_started then
      on_started(id)
    end
  end
  if type(config.root_dir) == 'function' then
    config.root_dir(bufnr, go)
  else
    go(config.root_dir or root_of(bufnr))
  end
end

--- Attach the server to a document, and start it when it does not run.
--- @param bufnr integer
function M.attach(bufnr)
  if is_document(bufnr) then
    start(bufnr)
  end
end

--- Call `on_ready` with the client of the current buffer, started now if it does not run.
--- @param on_ready fun(client: vim.lsp.Client)
function M.ensure(on_ready)
  local client = M.get()
  if client then
    on_ready(client)
    return
  end
  told_missing = false
  start(api.nvim_get_current_buf(), function(id)
    local started = id and vim.lsp.get_client_by_id(id)
    if not started then
      return
    end
    if started.initialized then
      on_ready(started)
    else
      waiting[id] = waiting[id] or {}
      table.insert(waiting[id], on_ready)
    end
  end)
end

--- Send a request; an error is told to the user, unless `on_error` takes it.
--- @param client vim.lsp.Client
--- @param method string
--- @param params table
--- @param on_result? fun(result: any)
--- @param on_error? fun(error: lsp.ResponseError)
function M.request(client, method, params, on_result, on_error)
  local sent = client:request(method, params, function(problem, result)
    if not problem then
      if on_result then
        on_result(result)
      end
    elseif on_error then
      on_error(problem)
    else
      M.tell(problem.message, vim.log.levels.ERROR)
    end
  end, api.nvim_get_current_buf())
  if not sent then
    M.tell('the server does not run; `:Assent chat` starts it.', vim.log.levels.ERROR)
  end
end

--- Run a command of the server.
--- @param client vim.lsp.Client
--- @param command string
--- @param argument? table
--- @param on_result? fun(result: any)
--- @param on_error? fun(error: lsp.ResponseError)
function M.execute(client, command, argument, on_result, on_error)
  local params = { command = command, arguments = { argument } }
  M.request(client, 'workspace/executeCommand', params, on_result, on_error)
end

return M
