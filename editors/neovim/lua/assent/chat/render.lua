--- Draws a conversation into a chat buffer: text as it streams, one line for each tool call with
--- its output folded below, the plan, notices, open approvals.
---
--- The buffer is `conversation`, an empty line, the prompt's heading, the prompt. Only the
--- conversation is written here, always in front of the heading, so that neither the prompt nor
--- anybody's cursor moves within its text.
local api = vim.api

local M = {}

--- The prompt's heading (one mark) and tool calls (a range each).
local space = api.nvim_create_namespace('assent.chat')
--- Colours of blocks' first lines, under the block's own mark id.
local colours = api.nvim_create_namespace('assent.chat.colours')

M.prompt_heading = '## Prompt'
--- Stands in front of every line that belongs to a tool call's header.
M.output_prefix = '  │ '

local speaker_headings = {
  user_message_chunk = '## You',
  agent_message_chunk = '## Assent',
  agent_thought_chunk = '## Assent',
}

--- @class assent.Chat
--- @field buf integer
--- @field heading integer mark of the prompt's heading
--- @field speaker? string the heading that the conversation stands under
--- @field open? string kind of the text that the next chunk continues
--- @field shown_here? boolean the user's message was shown as it was sent: an echo adds nothing
--- @field blocks table<string, assent.Block> what is rewritten in place: calls, the plan, approvals

--- @class assent.Block
--- @field mark integer
--- @field lines string[]
--- @field finished boolean folded away once it is
--- @field call? table what is known of a tool call

--- @param buf integer
--- @return assent.Chat
function M.new(buf)
  M.write(buf, 0, -1, { M.prompt_heading, '' })
  local heading = api.nvim_buf_set_extmark(buf, space, 0, 0, {})
  return { buf = buf, heading = heading, blocks = {} }
end

--- Write lines without an undo step: what the agent says is not the user's to undo.
--- @param buf integer
--- @param first integer
--- @param last integer
--- @param lines string[]
function M.write(buf, first, last, lines)
  local levels = vim.bo[buf].undolevels
  vim.bo[buf].undolevels = -1
  api.nvim_buf_set_lines(buf, first, last, false, lines)
  vim.bo[buf].undolevels = levels
end

--- The row of the prompt's heading. If the user deleted it, it comes back at the end.
--- @param chat assent.Chat
--- @return integer
function M.heading_row(chat)
  local row = api.nvim_buf_get_extmark_by_id(chat.buf, space, chat.heading, {})[1]
  local line = row and api.nvim_buf_get_lines(chat.buf, row, row + 1, false)[1]
  if line == M.prompt_heading then
    return row
  end
  local last = api.nvim_buf_line_count(chat.buf)
  M.write(chat.buf, last, last, { '', M.prompt_heading, '' })
  api.nvim_buf_set_extmark(chat.buf, space, last + 1, 0, { id = chat.heading })
  return last + 1
end

--- Put lines at the end of the conversation, followed by the empty line before the heading.
--- @param chat assent.Chat
--- @param lines string[]
--- @return integer first row of them
local function append(chat, lines)
  local row = M.heading_row(chat)
  local block = vim.list_extend({}, lines)
  block[#block + 1] = ''
  M.write(chat.buf, row, row, block)
  return row
end

--- @param chat assent.Chat
--- @param kind string
local function speak(chat, kind)
  local heading = speaker_headings[kind] or '## Assent'
  if chat.speaker ~= heading then
    chat.speaker, chat.open = heading, nil
    append(chat, { heading })
  end
end

--- @param content table ACP content block
--- @return string
local function text_of(content)
  if content.type == 'text' then
    return content.text
  elseif content.type == 'resource_link' then
    return ('[%s](%s)'):format(content.name or content.uri, content.uri)
  elseif content.type == 'resource' then
    return ('`%s`'):format(content.resource.uri)
  end
  return ('*(%s)*'):format(content.type)
end

--- The line that an open text ends with.
--- @param chat assent.Chat
--- @return string
local function last_text(chat)
  local row = M.heading_row(chat) - 2
  return api.nvim_buf_get_lines(chat.buf, row, row + 1, false)[1] or ''
end

--- Continue the open text, or begin a new one.
--- @param chat assent.Chat
--- @param kind string
--- @param text string
local function add_text(chat, kind, text)
  speak(chat, kind)
  if chat.open ~= kind then
    if kind == 'user_message_chunk' then
      chat.blocks.plan = nil -- the plan of an earlier turn stays where it is
    end
    local opening = kind == 'agent_thought_chunk' and '> ' or ''
    append(chat, { opening })
    chat.open = kind
  end
  local lines = vim.split(text, '\n', { plain = true })
  if kind == 'user_message_chunk' and chat.open == kind and last_text(chat) ~= '' then
    table.insert(lines, 1, '') -- each chunk of a user's message is a block of its own
  end
  if kind == 'agent_thought_chunk' then
    for index = 2, #lines do
      lines[index] = '> ' .. lines[index]
    end
  end
  local row = M.heading_row(chat) - 2
  lines[1] = last_text(chat) .. lines[1]
  M.write(chat.buf, row, row + 1, lines)
end

--- Write a block that is rewritten in place. Lines that stay the same are not touched, so a
--- running command's output grows at its end only.
--- @param chat assent.Chat
--- @param id string
--- @param lines string[]
--- @param finished boolean
--- @return assent.Block
local function set_block(chat, id, lines, finished)
  local block = chat.blocks[id]
  if not block then
    speak(chat, 'agent_message_chunk')
    chat.open = nil
    local row = append(chat, lines)
    local mark = api.nvim_buf_set_extmark(chat.buf, space, row, 0, { end_row = row + #lines })
    block = { mark = mark, lines = lines, finished = finished }
    chat.blocks[id] = block
    return block
  end
  local row = api.nvim_buf_get_extmark_by_id(chat.buf, space, block.mark, {})[1]
  local same = 0
  if block.finished == finished then
    while same < #lines and lines[same + 1] == block.lines[same + 1] do
      same = same + 1
    end
  end
  block.finished = finished
  M.write(chat.buf, row + same, row + #block.lines, vim.list_slice(lines, same + 1))
  block.lines = lines
  api.nvim_buf_set_extmark(chat.buf, space, row, 0, { id = block.mark, end_row = row + #lines })
  return block
end

local status_signs = { pending = '○', in_progress = '◐', completed = '●', failed = '✗' }

--- @param diff table ACP diff
--- @return string[]
local function diff_lines(diff)
  local old, new = diff.oldText or '', diff.newText or ''
  local text = vim.diff(old, new, { ctxlen = 2 }) --[[@as string]]
  local lines = vim.split(vim.trim(text), '\n', { plain = true })
  table.insert(lines, 1, diff.path)
  return lines
end

--- @param call table
--- @return string[]
local function call_output(call)
  local lines = {}
  for _, item in ipairs(call.content or {}) do
    if item.type == 'diff' then
      vim.list_extend(lines, diff_lines(item))
    elseif item.type == 'content' then
      local text = text_of(item.content):gsub('\n+$', '')
      if text ~= '' then
        vim.list_extend(lines, require('assent.visible').lines(text))
      end
    end
  end
  return lines
end

--- @param chat assent.Chat
--- @param update table a tool_call or tool_call_update
local function set_call(chat, update)
  local known = chat.blocks[update.toolCallId]
  local call = vim.tbl_extend('force', known and known.call or {}, update)
  local status = call.status or 'pending'
  local finished = status == 'completed' or status == 'failed'
  local output = call_output(call)
  local title = require('assent.visible').text((call.title or call.name or 'tool'):gsub('\n', ' '))
  local count = #output > 0 and finished and (' (%d lines)'):format(#output) or ''
  local lines = { ('%s %s%s'):format(status_signs[status] or '○', title, count) }
  for _, line in ipairs(output) do
    lines[#lines + 1] = M.output_prefix .. line
  end
  local block = set_block(chat, update.toolCallId, lines, finished)
  block.call = call
  local row = api.nvim_buf_get_extmark_by_id(chat.buf, space, block.mark, {})[1]
  api.nvim_buf_set_extmark(chat.buf, colours, row, 0, {
    id = block.mark,
    end_row = row + 1,
    hl_group = status == 'failed' and 'AssentFailed' or 'AssentTool',
  })
end

local plan_signs = { pending = '[ ]', in_progress = '[-]', completed = '[x]' }

--- @param chat assent.Chat
--- @param update table
local function set_plan(chat, update)
  local lines = { '**Plan**' }
  for _, entry in ipairs(update.entries or {}) do
    local sign = plan_signs[entry.status] or '[ ]'
    lines[#lines + 1] = ('- %s %s'):format(sign, entry.content:gsub('\n', ' '))
  end
  set_block(chat, 'plan', lines, false)
end

--- Show one update of the conversation.
--- @param chat assent.Chat
--- @param update table
function M.update(chat, update)
  local kind = update.sessionUpdate
  local notice = vim.tbl_get(update, '_meta', 'assent', 'notice')
  if notice then
    M.notice(chat, text_of(update.content), notice == 'error')
  elseif kind == 'user_message_chunk' then
    if not chat.shown_here then
      add_text(chat, kind, text_of(update.content))
    end
  elseif speaker_headings[kind] then
    chat.shown_here = false
    add_text(chat, kind, text_of(update.content))
  elseif kind == 'tool_call' or kind == 'tool_call_update' then
    set_call(chat, update)
  elseif kind == 'plan' then
    set_plan(chat, update)
  end
end

--- A message of the user, sent from here.
--- @param chat assent.Chat
--- @param text string
function M.user_message(chat, text)
  chat.speaker = nil
  add_text(chat, 'user_message_chunk', text)
  chat.open = nil
  chat.shown_here = true
end

--- A word from Assent, not from the model.
--- @param chat assent.Chat
--- @param text string
--- @param failed? boolean
function M.notice(chat, text, failed)
  chat.open = nil
  local lines = {}
  for _, line in ipairs(vim.split(text, '\n', { plain = true })) do
    lines[#lines + 1] = '*' .. line .. '*'
  end
  local row = append(chat, lines)
  api.nvim_buf_set_extmark(chat.buf, space, row, 0, {
    end_row = row + #lines,
    hl_group = failed and 'AssentFailed' or 'AssentHint',
  })
end

--- An open approval, whole; or, with `outcome`, what became of it.
--- @param chat assent.Chat
--- @param id string
--- @param lines string[]
--- @param outcome? string
function M.approval(chat, id, lines, outcome)
  local shown = outcome and { '● ' .. lines[1] .. ': ' .. outcome } or { '⏸ ' .. lines[1] }
  for index = 2, #lines do
    shown[#shown + 1] = M.output_prefix .. lines[index]
  end
  if not outcome then
    shown[#shown + 1] = M.output_prefix
    shown[#shown + 1] = M.output_prefix
      .. ':Assent approve, :Assent deny [reason], :Assent approvals'
  end
  local block = set_block(chat, 'approval ' .. id, shown, outcome ~= nil)
  local row = api.nvim_buf_get_extmark_by_id(chat.buf, space, block.mark, {})[1]
  api.nvim_buf_set_extmark(chat.buf, colours, row, 0, {
    id = block.mark,
    end_row = row + 1,
    hl_group = outcome and 'AssentTool' or 'AssentAsks',
  })
end

--- The first and last row of an approval in the chat.
--- @param chat assent.Chat
--- @param id string
--- @return integer? first
--- @return integer? last
function M.approval_rows(chat, id)
  local block = chat.blocks['approval ' .. id]
  if not block then
    return nil
  end
  local row = api.nvim_buf_get_extmark_by_id(chat.buf, space, block.mark, {})[1]
  return row, row + #block.lines - 1
end

--- What stands beside the prompt's heading: mode, model, tokens, attached context.
--- @param chat assent.Chat
--- @param text string
function M.hint(chat, text)
  local row = M.heading_row(chat)
  api.nvim_buf_set_extmark(chat.buf, space, row, 0, {
    id = chat.heading,
    virt_text = { { text, 'AssentHint' } },
    virt_text_pos = 'eol',
  })
end

--- `foldexpr` of chat windows: what belongs to a finished call folds below its first line. It
--- looks at the text only, since Neovim asks in the middle of a change, before marks are right.
--- @return string
function M.fold_level()
  local first = vim.v.lnum - 1
  local lines = api.nvim_buf_get_lines(0, first, first + 2, false)
  if vim.startswith(lines[1] or '', M.output_prefix) then
    return '='
  end
  local finished = vim.startswith(lines[1] or '', status_signs.completed)
    or vim.startswith(lines[1] or '', status_signs.failed)
  return finished and vim.startswith(lines[2] or '', M.output_prefix) and '>1' or '0'
end

return M
