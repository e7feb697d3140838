--- The chat: one ordinary markdown buffer for each session, its prompt at the end, and the window
--- it is shown in when the user asks for it.
local api = vim.api

local M = {}

--- @type table<string, assent.Chat>
local chats = {}

--- @type table<integer, string> session of each chat buffer
local sessions = {}

--- What the next prompt takes along.
--- @type table<string, assent.Attachment[]>
local attachments = {}

--- Updates that wait to be drawn together: a token each is not worth a redraw.
--- @type table<string, table[]>
local queues = {}

local draw_every_ms = 16

--- @param buf integer
--- @return string? session id
function M.session_of(buf)
  return sessions[buf]
end

--- @param buf integer
--- @return assent.Chat?
function M.of_buffer(buf)
  return chats[sessions[buf]]
end

--- @param chat assent.Chat
local function map_keys(chat)
  vim.keymap.set('n', '<CR>', function()
    if api.nvim_win_get_cursor(0)[1] - 1 < require('assent.chat.render').heading_row(chat) then
      return '<CR>'
    end
    return '<Cmd>Assent send<CR>'
  end, { buffer = chat.buf, expr = true, desc = 'Assent: send the prompt' })
  vim.keymap.set({ 'n', 'i' }, '<C-s>', '<Cmd>Assent send<CR>', {
    buffer = chat.buf,
    desc = 'Assent: send the prompt',
  })
end

--- @param chat assent.Chat
--- @param session assent.Session
local function attach(chat, session)
  if not vim.lsp.get_client_by_id(session.client_id) then
    return
  end
  vim.lsp.buf_attach_client(chat.buf, session.client_id)
  if require('assent.config').get().chat.complete then
    -- Offer, never insert unasked.
    vim.bo[chat.buf].completeopt = 'menuone,noselect,popup'
    vim.lsp.completion.enable(true, session.client_id, chat.buf, { autotrigger = true })
  end
end

--- @param session assent.Session
--- @return assent.Chat
local function create(session)
  local buf = api.nvim_create_buf(false, false)
  api.nvim_buf_set_name(buf, 'assent://chat/' .. session.id)
  vim.bo[buf].buftype = 'nofile'
  vim.bo[buf].bufhidden = 'hide'
  vim.bo[buf].swapfile = false
  vim.bo[buf].modeline = false
  local chat = require('assent.chat.render').new(buf)
  chats[session.id], sessions[buf] = chat, session.id
  api.nvim_create_autocmd('BufWipeout', {
    buffer = buf,
    callback = function()
      chats[session.id], sessions[buf], queues[session.id] = nil, nil, nil
    end,
  })
  api.nvim_create_autocmd('BufWinEnter', {
    buffer = buf,
    callback = function()
      M.set_window(api.nvim_get_current_win())
    end,
  })
  vim.bo[buf].filetype = 'markdown'
  map_keys(chat)
  attach(chat, session)
  return chat
end

--- The chat of a session, made when there is none yet. Opens no window.
--- @param session assent.Session
--- @return assent.Chat
function M.of(session)
  return chats[session.id] or create(session)
end

--- Options of a window that shows a chat; they stay with the chat's buffer in that window.
--- @param win integer
function M.set_window(win)
  local values = {
    wrap = true,
    linebreak = true,
    conceallevel = 0, -- what is asked about stands there as it is
    number = false,
    relativenumber = false,
    signcolumn = 'no',
    foldmethod = 'expr',
    foldexpr = "v:lua.require'assent.chat.render'.fold_level()",
    foldtext = '',
    foldlevel = 0,
    foldenable = true,
    fillchars = (vim.o.fillchars ~= '' and vim.o.fillchars .. ',' or '') .. 'fold: ',
  }
  for option, value in pairs(values) do
    api.nvim_set_option_value(option, value, { win = win, scope = 'local' })
  end
end

--- The windows of this tab that show a chat.
--- @param chat assent.Chat
--- @return integer[]
local function windows_of(chat)
  return vim.tbl_filter(function(win)
    return api.nvim_win_get_buf(win) == chat.buf
  end, api.nvim_tabpage_list_wins(0))
end

--- Show the chat beside the text, the cursor at its prompt. Enters the window only if `enter`.
--- @param session assent.Session
--- @param enter boolean
function M.show(session, enter)
  local chat = M.of(session)
  local win = windows_of(chat)[1]
  if not win then
    local options = require('assent.config').get().chat
    local upright = options.split == 'right' or options.split == 'left'
    win = api.nvim_open_win(chat.buf, false, {
      split = options.split,
      win = 0,
      width = upright and math.min(options.size, math.floor(vim.o.columns / 2)) or nil,
      height = not upright and math.min(options.size, math.floor(vim.o.lines / 2)) or nil,
    })
    M.set_window(win)
    api.nvim_win_set_cursor(win, { api.nvim_buf_line_count(chat.buf), 0 })
  end
  if enter then
    api.nvim_set_current_win(win)
    api.nvim_win_set_cursor(win, { api.nvim_buf_line_count(chat.buf), 0 })
  end
end

--- @param session assent.Session
--- @return boolean
function M.is_visible(session)
  local chat = chats[session.id]
  return chat ~= nil and #windows_of(chat) > 0
end

--- Is this approval on the screen in a chat window, to its end?
--- @param session_id string
--- @param id string
--- @return boolean
function M.shows_approval(session_id, id)
  local chat = chats[session_id]
  if not chat then
    return false
  end
  local _, last = require('assent.chat.render').approval_rows(chat, id)
  for _, win in ipairs(last and windows_of(chat) or {}) do
    if vim.fn.line('w0', win) <= last + 1 and vim.fn.line('w$', win) >= last + 1 then
      return true
    end
  end
  return false
end

--- Beside the prompt: mode, model, tokens, what is attached.
--- @param session assent.Session
local function show_hint(session)
  local parts = {}
  local model = require('assent.session').option(session, 'model')
  parts[#parts + 1] = session.mode
  parts[#parts + 1] = model and model.value
  if session.usage and session.usage.size > 0 then
    local used = session.usage.used * 100 / session.usage.size
    parts[#parts + 1] = ('%d tokens, %d%% of the window'):format(session.usage.used, used)
  elseif session.usage then
    parts[#parts + 1] = ('%d tokens'):format(session.usage.used)
  end
  for _, attachment in ipairs(attachments[session.id] or {}) do
    parts[#parts + 1] = '+ ' .. attachment.label
  end
  require('assent.chat.render').hint(M.of(session), table.concat(parts, ' · '))
end

--- Draw all that waits for a session.
--- @param session assent.Session
local function draw(session)
  local queue = queues[session.id]
  queues[session.id] = nil
  if not queue then
    return
  end
  local render = require('assent.chat.render')
  local chat = M.of(session)
  for _, update in ipairs(queue) do
    render.update(chat, update)
  end
  show_hint(session)
end

--- Show one update of the conversation, soon.
--- @param session assent.Session
--- @param update table
function M.on_update(session, update)
  local queue = queues[session.id]
  if not queue then
    queue = {}
    queues[session.id] = queue
    vim.defer_fn(function()
      if queues[session.id] == queue then
        draw(session)
      end
    end, draw_every_ms)
  end
  local before = queue[#queue]
  local text = update.content and update.content.text
  local joins = before
    and text
    and not (before._meta or update._meta)
    and before.sessionUpdate == update.sessionUpdate
    and before.content
    and before.content.type == 'text'
    and update.content.type == 'text'
    and update.sessionUpdate ~= 'user_message_chunk'
  if joins then
    before.content.text = before.content.text .. text
  else
    queue[#queue + 1] = update
  end
end

--- A word from us in the chat. Where no chat was ever drawn there is nobody to read it.
--- @param session assent.Session
--- @param text string
--- @param failed? boolean
function M.notice(session, text, failed)
  draw(session)
  if chats[session.id] or failed then
    require('assent.chat.render').notice(M.of(session), text, failed)
  end
end

--- What the user asked by a command, as a message of his.
--- @param session assent.Session
--- @param text string
function M.said(session, text)
  draw(session)
  require('assent.chat.render').user_message(M.of(session), text)
end

--- An open approval, or what became of it.
--- @param session assent.Session
--- @param id string
--- @param lines string[]
--- @param outcome? string
function M.approval(session, id, lines, outcome)
  draw(session)
  require('assent.chat.render').approval(M.of(session), id, lines, outcome)
end

--- Empty the conversation, since the server is about to tell it again; the prompt stays.
--- @param session assent.Session
function M.restart(session)
  queues[session.id] = nil
  local chat = chats[session.id]
  if not chat then
    return
  end
  local render = require('assent.chat.render')
  render.write(chat.buf, 0, render.heading_row(chat), {})
  chat.speaker, chat.open, chat.shown_here, chat.blocks = nil, nil, nil, {}
  attach(chat, session)
end

--- Attach lines of a buffer to the next prompt.
--- @param session assent.Session
--- @param attachment assent.Attachment
function M.attach_lines(session, attachment)
  attachments[session.id] = attachments[session.id] or {}
  table.insert(attachments[session.id], attachment)
  show_hint(session)
end

--- Send what stands in the prompt of a chat buffer.
--- @param buf integer
function M.send(buf)
  local chat = M.of_buffer(buf)
  local session = chat and require('assent.session').get(sessions[buf])
  if not chat or not session then
    require('assent.server').tell('this is no chat; `:Assent chat` opens it.', vim.log.levels.WARN)
    return
  end
  local render = require('assent.chat.render')
  local first = render.heading_row(chat) + 1
  local text = vim.trim(table.concat(api.nvim_buf_get_lines(buf, first, -1, false), '\n'))
  if text == '' then
    return
  end
  if session.running then
    require('assent.server').tell('a turn is running; send again when it has ended.')
    return
  end
  if not vim.lsp.get_client_by_id(session.client_id) then
    require('assent.server').tell(
      'the server of this session does not run; `:Assent chat` starts one.'
    )
    return
  end
  draw(session)
  local taken = attachments[session.id] or {}
  attachments[session.id] = nil
  render.write(buf, first, -1, { '' })
  render.user_message(chat, text)
  show_hint(session)
  local blocks = require('assent.chat.prompt').blocks(text, session.cwd, taken)
  require('assent.session').prompt(session, blocks)
end

return M
