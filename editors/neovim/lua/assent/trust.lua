--- Trust in the workspace: all that it would enable is shown on a page, and a yes is given there. It
--- holds for exactly what the page shows, which the digest of the answer stands for.
local api = vim.api

local M = {}

local page_name = 'assent://trust'

--- @class assent.Trust
--- @field folder string
--- @field state 'trusted'|'untrusted'|'pending'
--- @field items table[] what it would enable
--- @field summary string all of it in words
--- @field digest string what a yes is bound to

--- The folders that the user was told of.
--- @type table<string, true>
local told = {}

--- The folders that the user has just untrusted: he need not be told.
--- @type table<string, true>
local untrusted_here = {}

local hints = {
  untrusted = 'Assent does not trust this project yet · :Assent trust',
  pending = 'Assent: something of this project is new or changed · :Assent trust',
}

--- @return integer? win
local function window()
  local win = vim.fn.bufwinid(page_name)
  return win ~= -1 and win or nil
end

--- @param trust assent.Trust
--- @return boolean
local function can_be_given(trust)
  return trust.state ~= 'trusted' and #trust.items > 0
end

--- @param trust assent.Trust
--- @return string[]
local function key_lines(trust)
  local lines = { '', ('─'):rep(40) }
  if can_be_given(trust) then
    lines[#lines + 1] = 'ga     Trust exactly what is shown here'
  end
  if trust.state ~= 'untrusted' then
    lines[#lines + 1] = 'gu     Trust it no more'
  end
  lines[#lines + 1] = 'q      Close; nothing changes'
  return lines
end

--- @param client vim.lsp.Client
--- @param command string
--- @param digest? string
--- @param on_result fun(result: any)
--- @param on_error? fun(error: lsp.ResponseError)
local function execute(client, command, digest, on_result, on_error)
  local argument = { folder = client.root_dir, digest = digest }
  argument = next(argument) and argument or vim.empty_dict()
  require('assent.server').execute(client, command, argument, on_result, on_error)
end

--- Trust what the page shows. If there is something else by now, that is shown instead.
--- @param client vim.lsp.Client
--- @param trust assent.Trust
local function give(client, trust)
  local server = require('assent.server')
  local command = require('assent.protocol').commands.trust
  execute(client, command, trust.digest, function(now)
    if window() then
      M.show(client, now)
    end
    server.tell('trusted, from the next turn on.')
  end, function(problem)
    M.open(client, function()
      server.tell(problem.message, vim.log.levels.ERROR)
    end)
  end)
end

--- Show what trust is about, and take the answer in the page.
--- @param client vim.lsp.Client
--- @param trust assent.Trust
function M.show(client, trust)
  local lines = require('assent.visible').lines(vim.trim(trust.summary))
  local shown, seen = #lines, false
  vim.list_extend(lines, key_lines(trust))
  local function look()
    -- The line behind the last is on the screen only if all of that one is.
    local win = window()
    seen = seen or (win ~= nil and vim.fn.line('w$', win) > shown)
    return seen
  end
  local buf = require('assent.page').show(page_name, lines, {
    ga = function()
      if not can_be_given(trust) then
        return
      elseif look() then
        give(client, trust)
      else
        require('assent.server').tell('read it to its end, then trust it.')
      end
    end,
    gu = function()
      M.revoke(client)
    end,
  })
  api.nvim_win_set_cursor(0, { 1, 0 })
  local group = api.nvim_create_augroup('assent.trust', {})
  api.nvim_create_autocmd({ 'CursorMoved', 'WinScrolled' }, {
    group = group,
    buffer = buf,
    callback = function()
      look() -- what it gives would end the autocommand
    end,
  })
end

--- Ask the server what the workspace would enable, and show it.
--- @param client vim.lsp.Client
--- @param on_shown? fun()
function M.open(client, on_shown)
  execute(client, require('assent.protocol').commands.trust, nil, function(trust)
    M.show(client, trust)
    if on_shown then
      on_shown()
    end
  end)
end

--- Take trust back.
--- @param client vim.lsp.Client
function M.revoke(client)
  untrusted_here[client.root_dir or ''] = true
  execute(client, require('assent.protocol').commands.untrust, nil, function()
    if window() then
      M.open(client)
    end
    require('assent.server').tell('not trusted: its settings and tools count no more.')
  end)
end

--- `_assent/trust/updated`: where something waits for a look, told once, in a line that waits for no
--- key.
--- @param params { folder: string, state: string, pending: integer }
function M.on_updated(params)
  local folder, waits = params.folder, params.pending > 0
  local known = told[folder]
  if params.state == 'untrusted' and untrusted_here[folder] then
    known, untrusted_here[folder] = true, nil
  end
  if waits and not known and hints[params.state] then
    api.nvim_echo({ { hints[params.state], 'AssentHint' } }, false, {})
  end
  told[folder] = waits or nil
end

return M
