--- Finds the server's program. In this order: the `cmd` option, the environment variable
--- `ASSENT_BIN`, the build of the checkout this plugin lies in, `PATH`.
local M = {}

--- @class assent.Located
--- @field cmd string[] The whole command.
--- @field source string Where it was found, in words.

--- The folder of this plugin: the one that holds `lua/` and `doc/`.
--- @return string
local function plugin_root()
  local this = debug.getinfo(1, 'S').source:sub(2)
  return vim.fs.dirname(vim.fs.dirname(vim.fs.dirname(vim.uv.fs_realpath(this) or this)))
end

--- @return assent.Located[] what to try, best first
local function candidates()
  local list = {}
  local from_env = vim.env.ASSENT_BIN
  if from_env and from_env ~= '' then
    list[#list + 1] = { cmd = { from_env, 'lsp' }, source = 'the environment variable ASSENT_BIN' }
  end
  local checkout = vim.fs.dirname(vim.fs.dirname(plugin_root()))
  for _, profile in ipairs({ 'release', 'debug' }) do
    local path = vim.fs.joinpath(checkout, 'target', profile, 'assent')
    list[#list + 1] = { cmd = { path, 'lsp' }, source = 'the checkout beside the plugin' }
  end
  list[#list + 1] = { cmd = { 'assent', 'lsp' }, source = 'PATH' }
  return list
end

--- @return assent.Located? found
--- @return string? problem what was tried and what to do, when nothing was found
function M.find()
  local from_option = require('assent.config').get().cmd
  if from_option then
    if vim.fn.executable(from_option[1]) == 1 then
      return { cmd = from_option, source = 'the option cmd' }
    end
    return nil, ('the option cmd names %q, which cannot be run'):format(from_option[1])
  end
  local tried = {}
  for _, candidate in ipairs(candidates()) do
    if vim.fn.executable(candidate.cmd[1]) == 1 then
      return candidate
    end
    tried[#tried + 1] = ('%s (%s)'):format(candidate.cmd[1], candidate.source)
  end
  return nil,
    'the program assent was not found. Build it with `cargo build --release` in its checkout, '
      .. 'put it on PATH, or set ASSENT_BIN. Tried: '
      .. table.concat(tried, ', ')
end

return M
