--- Choosing: the model and the mode of a session, and the session itself.
local M = {}

--- Choose from a list, or take what was named.
--- @param given? string
--- @param what string
--- @param choices { value: string, name: string }[]
--- @param now? string the current value
--- @param on_choice fun(value: string)
local function choose(given, what, choices, now, on_choice)
  if given then
    on_choice(given)
    return
  end
  if #choices == 0 then
    require('assent.server').tell(('the server offers no choice of %s.'):format(what))
    return
  end
  vim.ui.select(choices, {
    prompt = ('Assent, %s:'):format(what),
    format_item = function(choice)
      return (choice.value == now and '● ' or '  ') .. choice.name
    end,
  }, function(choice)
    if choice then
      on_choice(choice.value)
    end
  end)
end

--- @param session assent.Session
--- @param given? string
function M.model(session, given)
  local sessions = require('assent.session')
  local option = sessions.option(session, 'model') or { choices = {} }
  choose(given, 'model', option.choices, option.value, function(value)
    sessions.set_option(session, 'model', value)
  end)
end

--- The models that the session of here offers.
--- @return string[]
function M.models()
  local sessions = require('assent.session')
  local session = sessions.here()
  local option = session and sessions.option(session, 'model')
  return vim.tbl_map(function(choice)
    return choice.value
  end, option and option.choices or {})
end

--- @param session assent.Session
--- @param given? string
function M.mode(session, given)
  local choices = vim.tbl_map(function(mode)
    return { value = mode.id, name = mode.name }
  end, session.modes)
  choose(given, 'mode', choices, session.mode, function(value)
    require('assent.session').set_mode(session, value)
  end)
end

--- Go on with a session of before, chosen from those of the client's folder.
--- @param client vim.lsp.Client
function M.session(client)
  local sessions = require('assent.session')
  sessions.list(client, function(list)
    if #list == 0 then
      require('assent.server').tell('there is no session of this folder yet.')
      return
    end
    vim.ui.select(list, {
      prompt = 'Assent, session:',
      format_item = function(entry)
        return ('%s  %s'):format(entry.updatedAt or '', entry.title or entry.sessionId)
      end,
    }, function(entry)
      if entry then
        sessions.load(client, entry.sessionId, entry.cwd, function(session)
          require('assent.chat').show(session, true)
        end)
      end
    end)
  end)
end

return M
