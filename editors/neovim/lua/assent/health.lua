--- `:checkhealth assent`: what is there, what is missing, and what to do about it.
local M = {}

local doctor_timeout_ms = 10000

--- @param program string
local function check_doctor(program)
  local ok, result = pcall(function()
    return vim.system({ program, 'doctor' }, { text = true }):wait(doctor_timeout_ms)
  end)
  if not ok then
    vim.health.error(('%s cannot be run: %s'):format(program, result))
    return
  end
  local lines = vim.trim(result.stdout .. result.stderr)
  if result.code == 0 then
    vim.health.ok('`assent doctor` is content:\n' .. lines)
  else
    vim.health.warn(('`assent doctor` ended with code %d:\n%s'):format(result.code, lines))
  end
end

local function check_program()
  vim.health.start('Assent: the program')
  local found, problem = require('assent.locate').find()
  if not found then
    vim.health.error(problem or 'not found')
    return
  end
  vim.health.ok(('`%s` (from %s)'):format(table.concat(found.cmd, ' '), found.source))
  check_doctor(found.cmd[1])
end

local function check_clients()
  vim.health.start('Assent: the language server')
  if not vim.lsp.is_enabled('assent') then
    vim.health.warn(
      'it is not enabled, so the server only sees files once `:Assent` was used',
      "put `vim.lsp.enable('assent')` into init.lua"
    )
  end
  local clients = vim.lsp.get_clients({ name = 'assent' })
  if #clients == 0 then
    vim.health.info('it does not run; `:Assent chat` starts it')
  end
  for _, client in ipairs(clients) do
    local info = require('assent.protocol').server_info(client)
    if info then
      vim.health.ok(
        ('version %s, for %s, positions in %s, %d buffers'):format(
          info.version or 'unknown',
          client.root_dir or 'no folder',
          client.offset_encoding,
          vim.tbl_count(client.attached_buffers)
        )
      )
    else
      vim.health.error('the server does not speak the conversation; it may be an older version')
    end
    local session = require('assent.session').of_client(client.id)
    local model = session and require('assent.session').option(session, 'model')
    if session then
      vim.health.info(
        ('session %s, model %s'):format(session.id, model and model.value or 'unknown')
      )
    end
  end
end

--- Run all checks.
function M.check()
  vim.health.start('Assent: Neovim')
  if vim.fn.has('nvim-0.11') == 1 then
    vim.health.ok('Neovim ' .. tostring(vim.version()))
  else
    vim.health.error('Neovim 0.11 or newer is needed')
  end
  check_program()
  check_clients()
end

return M
