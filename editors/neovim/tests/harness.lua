--- A small test harness: each test drives a Neovim of its own, with a screen and folders of its
--- own, over RPC. Waiting always means polling a condition until a deadline; nothing sleeps.
local M = {}

local deadline_ms = 15000
local here = vim.fs.dirname(vim.uv.fs_realpath(debug.getinfo(1, 'S').source:sub(2)))

--- The plugin's folder, and the folder of these tests.
M.plugin = vim.fs.dirname(here)
M.tests = here

--- @class assent.test.Case
--- @field name string
--- @field run fun(child: assent.test.Child)

--- @type assent.test.Case[]
local cases = {}

--- @param name string
--- @param run fun(child: assent.test.Child)
function M.test(name, run)
  cases[#cases + 1] = { name = name, run = run }
end

--- @param expected any
--- @param actual any
--- @param what? string
function M.equal(expected, actual, what)
  if not vim.deep_equal(expected, actual) then
    local text = '%s\nexpected: %s\n     got: %s'
    error(text:format(what or 'not equal', vim.inspect(expected), vim.inspect(actual)), 2)
  end
end

--- @param text string
--- @param part string
function M.contains(text, part)
  if not text:find(part, 1, true) then
    error(('%q is not in:\n%s'):format(part, text), 2)
  end
end

--- @param text string
--- @param part string
function M.lacks(text, part)
  if text:find(part, 1, true) then
    error(('%q should not be in:\n%s'):format(part, text), 2)
  end
end

--- @class assent.test.Child a Neovim under test
--- @field channel integer
--- @field root string its folder; `root .. '/ws'` is its workspace
--- @field ws string
local Child = {}
Child.__index = Child

--- @param root string
--- @return table<string, string>
local function environment(root)
  local env =
    { ASSENT_CONFIG_DIR = root .. '/assent-config', ASSENT_STATE_DIR = root .. '/assent-state' }
  for _, kind in ipairs({ 'CONFIG', 'STATE', 'DATA', 'CACHE', 'RUNTIME' }) do
    local name = kind == 'RUNTIME' and 'XDG_RUNTIME_DIR' or ('XDG_%s_HOME'):format(kind)
    env[name] = root .. '/xdg-' .. kind:lower()
    vim.fn.mkdir(env[name], 'p', 448)
  end
  for _, dir in ipairs({ env.ASSENT_CONFIG_DIR, env.ASSENT_STATE_DIR, root .. '/home' }) do
    vim.fn.mkdir(dir, 'p')
  end
  env.HOME = root .. '/home'
  env.TMPDIR = root
  return env
end

--- A fresh Neovim with the plugin on its path.
--- @return assent.test.Child
function M.start()
  local root = vim.uv.fs_realpath(vim.fn.tempname():match('(.*)/')) .. '/' .. vim.uv.hrtime()
  local ws = root .. '/ws'
  vim.fn.mkdir(ws .. '/.git', 'p')
  local env = environment(root)
  env.ASSENT_BIN = vim.env.ASSENT_BIN
  local channel = vim.fn.jobstart({ vim.v.progpath, '--embed', '--headless', '--clean', '-n' }, {
    rpc = true,
    cwd = ws,
    env = env,
  })
  local child = setmetatable({ channel = channel, root = root, ws = ws }, Child)
  -- Without `ext_linegrid`: a Neovim takes line grid events only from the one it is the screen of.
  vim.rpcrequest(channel, 'nvim_ui_attach', 100, 30, vim.empty_dict())
  child:lua('vim.opt.runtimepath:prepend(...)', M.plugin)
  child:lua("vim.cmd.runtime('plugin/assent.lua')")
  return child
end

--- Run Lua in the child.
--- @param code string
--- @param ... any
--- @return any
function Child:lua(code, ...)
  return vim.rpcrequest(self.channel, 'nvim_exec_lua', code, { ... })
end

--- @param command string
function Child:cmd(command)
  return vim.rpcrequest(self.channel, 'nvim_command', command)
end

--- Type keys as a person does.
--- @param keys string
function Child:type(keys)
  vim.rpcrequest(self.channel, 'nvim_input', keys)
end

--- Wait until Lua in the child gives something true, and give that.
--- @param code string
--- @param ... any
--- @return any
function Child:wait(code, ...)
  local arguments = { ... }
  local value
  local ok = vim.wait(deadline_ms, function()
    value = self:lua(code, unpack(arguments))
    return value ~= nil and value ~= vim.NIL and value ~= false
  end, 10)
  if not ok then
    error(('waited in vain for: %s\nscreen:\n%s'):format(code, self:screen()), 2)
  end
  return value
end

--- What a person sees.
--- @return string
function Child:screen()
  return self:lua([[
    vim.cmd.redraw()
    local rows = {}
    for row = 1, vim.o.lines do
      local cells = {}
      for column = 1, vim.o.columns do
        cells[column] = vim.fn.screenstring(row, column)
      end
      rows[row] = (table.concat(cells):gsub('%s+$', ''))
    end
    return table.concat(rows, '\n')
  ]])
end

--- @param part string
function Child:wait_screen(part)
  local screen
  if
    not vim.wait(deadline_ms, function()
      screen = self:screen()
      return screen:find(part, 1, true) ~= nil
    end, 10)
  then
    error(('%q did not come onto the screen:\n%s'):format(part, screen), 2)
  end
end

--- @param path string in the workspace
--- @param text string
--- @return string whole path
function Child:write(path, text)
  local whole = vim.fs.joinpath(self.ws, path)
  vim.fn.mkdir(vim.fs.dirname(whole), 'p')
  local file = assert(io.open(whole, 'wb'))
  file:write(text)
  file:close()
  return whole
end

--- @param path string in the workspace
--- @return string?
function Child:read(path)
  local file = io.open(vim.fs.joinpath(self.ws, path), 'rb')
  local text = file and file:read('*a')
  if file then
    file:close()
  end
  return text
end

--- The current buffer's text.
--- @return string
function Child:text()
  return self:lua([[return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')]])
end

--- The text of the chat, whether or not it is shown.
--- @return string
function Child:chat()
  return self:lua([[
    for _, buf in ipairs(vim.api.nvim_list_bufs()) do
      if vim.startswith(vim.api.nvim_buf_get_name(buf), 'assent://chat/') then
        return table.concat(vim.api.nvim_buf_get_lines(buf, 0, -1, false), '\n')
      end
    end
    return ''
  ]])
end

--- @param part string
function Child:wait_chat(part)
  local text
  if
    not vim.wait(deadline_ms, function()
      text = self:chat()
      return text:find(part, 1, true) ~= nil
    end, 10)
  then
    error(('%q did not come into the chat:\n%s'):format(part, text), 2)
  end
end

--- Enable the server and edit a file; waits for the handshake.
--- @param path string in the workspace
function Child:open(path)
  self:lua("vim.lsp.enable('assent')")
  self:cmd('edit ' .. path)
  self:wait([[
    local client = vim.lsp.get_clients({ name = 'assent', bufnr = 0 })[1]
    return client and client.initialized
  ]])
end

function Child:stop()
  pcall(vim.rpcrequest, self.channel, 'nvim_command', 'qall!')
  vim.fn.jobstop(self.channel)
  vim.fn.jobwait({ self.channel }, 5000)
  vim.fn.delete(self.root, 'rf')
end

--- @param line string
local function say(line)
  io.stdout:write(line, '\n')
  io.stdout:flush()
end

--- @param case assent.test.Case
--- @return boolean
local function run_case(case)
  local child = M.start()
  local ok, problem = xpcall(case.run, debug.traceback, child)
  if not ok then
    local alive, messages = pcall(child.lua, child, "return vim.fn.execute('messages')")
    say(('not ok: %s\n%s\nmessages: %s'):format(case.name, problem, alive and messages or '?'))
  else
    say('ok: ' .. case.name)
  end
  child:stop()
  return ok
end

--- Run the cases of the spec files, print what became of each, and give the numbers.
--- @param specs string[]
--- @param only? string a part of the names of the tests to run
function M.run(specs, only)
  local passed, failed = 0, 0
  for _, spec in ipairs(specs) do
    cases = {}
    dofile(spec)
    for _, case in ipairs(cases) do
      if not only or case.name:find(only, 1, true) then
        local ok = run_case(case)
        passed, failed = passed + (ok and 1 or 0), failed + (ok and 0 or 1)
      end
    end
  end
  say(('%d passed, %d failed'):format(passed, failed))
  os.exit(failed == 0 and 0 or 1)
end

return M
