--- Questions of the agent to the user (`elicitation/create`). Like approvals they wait: the user
--- takes them up with `:Assent answer`, so that no dialog swallows what is being typed.
local M = {}

--- @class assent.Question
--- @field client_id integer
--- @field params table
--- @field answer fun(result: table)

--- @type assent.Question[]
local queue = {}

--- @return integer
function M.count()
  return #queue
end

--- @param question assent.Question
--- @param result? table
local function close(question, result)
  for index, other in ipairs(queue) do
    if other == question then
      table.remove(queue, index)
      if result then
        question.answer(result)
      end
      require('assent.statusline').refresh()
      return
    end
  end
end

--- `elicitation/create`, in its form mode.
--- @param params table
--- @param ctx lsp.HandlerContext
--- @return table
function M.on_request(params, ctx)
  if type(params.requestedSchema) ~= 'table' then
    return { action = 'decline' }
  end
  return require('assent.late').answer(function(answer)
    queue[#queue + 1] = { client_id = ctx.client_id, params = params, answer = answer }
    local session = params.sessionId and require('assent.session').get(params.sessionId)
    if session then
      local text = require('assent.visible').text(params.message) .. ' (`:Assent answer`)'
      require('assent.chat').notice(session, text)
    end
    vim.api.nvim_echo({ { 'Assent has a question · :Assent answer', 'AssentAsks' } }, false, {})
    require('assent.statusline').refresh()
  end)
end

--- The choices of a field, each as its value and its label; none where the text is free.
--- @param field table JSON schema
--- @return { value: any, label: string }[]
local function choices_of(field)
  local source = field.type == 'array' and field.items or field
  local choices = {}
  for _, one in ipairs(source.oneOf or source.anyOf or {}) do
    local label = one.title or one.const
    if one.description then
      label = label .. ' · ' .. one.description
    end
    choices[#choices + 1] = { value = one.const, label = label }
  end
  for _, value in ipairs(source.enum or {}) do
    choices[#choices + 1] = { value = value, label = value }
  end
  if field.type == 'boolean' then
    choices = { { value = true, label = 'yes' }, { value = false, label = 'no' } }
  end
  return choices
end

--- @param choice { value: any, label: string }
--- @return string
local function label_of(choice)
  return choice.label
end

--- Ask for several choices, one after the other, until "done".
--- @param prompt string
--- @param choices { value: any, label: string }[]
--- @param chosen any[]
--- @param on_value fun(value?: any[])
local function ask_several(prompt, choices, chosen, on_value)
  local done = { label = ('done (%d chosen)'):format(#chosen) }
  local left = vim.tbl_filter(function(choice)
    return not vim.list_contains(chosen, choice.value)
  end, choices)
  table.insert(left, 1, done)
  vim.ui.select(left, { prompt = prompt, format_item = label_of }, function(choice)
    if not choice then
      on_value(nil)
    elseif choice == done then
      on_value(chosen)
    else
      chosen[#chosen + 1] = choice.value
      ask_several(prompt, choices, chosen, on_value)
    end
  end)
end

--- @param prompt string
--- @param field table JSON schema
--- @param on_value fun(value?: any) nil when the user dismissed it
local function ask_field(prompt, field, on_value)
  local choices = choices_of(field)
  if field.type == 'array' then
    ask_several(prompt, choices, {}, on_value)
  elseif #choices > 0 then
    vim.ui.select(choices, { prompt = prompt, format_item = label_of }, function(choice)
      -- `choice and choice.value` would turn the answer "no" into a dismissal.
      if choice then
        on_value(choice.value)
      else
        on_value(nil)
      end
    end)
  else
    vim.ui.input({ prompt = prompt .. ' ', default = field.default }, function(text)
      if text and (field.type == 'number' or field.type == 'integer') then
        on_value(tonumber(text))
      else
        on_value(text)
      end
    end)
  end
end

--- The fields of a form in the order of their names, those that must be filled first.
--- @param schema table JSON schema
--- @return string[]
local function field_names(schema)
  local required = schema.required or {}
  local names = vim.tbl_keys(schema.properties or {})
  table.sort(names, function(a, b)
    local first, second = vim.list_contains(required, a), vim.list_contains(required, b)
    if first ~= second then
      return first
    end
    return a < b
  end)
  return names
end

--- Ask field after field. Once there is an answer, what need not be filled is left out; a field
--- that is passed over leads to the next one, and a form without any answer is a dismissal.
--- @param question assent.Question
--- @param names string[]
--- @param index integer
--- @param content table<string, any>
local function ask_fields(question, names, index, content)
  local schema = question.params.requestedSchema
  local name = names[index]
  local required = name and vim.list_contains(schema.required or {}, name)
  if not name or (next(content) and not required) then
    close(
      question,
      next(content) and { action = 'accept', content = content } or { action = 'cancel' }
    )
    return
  end
  local field = schema.properties[name]
  local prompt = index == 1 and question.params.message or field.title or name
  ask_field(require('assent.visible').text((prompt:gsub('\n', ' '))), field, function(value)
    if value == nil and required then
      close(question, { action = 'cancel' })
      return
    end
    content[name] = value
    ask_fields(question, names, index + 1, content)
  end)
end

--- Put the oldest question to the user.
function M.ask()
  local question = queue[1]
  if not question then
    require('assent.server').tell('there is no question.')
    return
  end
  ask_fields(question, field_names(question.params.requestedSchema), 1, {})
end

--- A call that has ended waits for no answer any more.
--- @param session string
--- @param update table
function M.on_update(session, update)
  if update.status ~= 'completed' and update.status ~= 'failed' then
    return
  end
  for _, question in ipairs(vim.list_extend({}, queue)) do
    local params = question.params
    if params.sessionId == session and params.toolCallId == update.toolCallId then
      close(question, { action = 'cancel' })
    end
  end
end

--- @param client_id integer
function M.on_exit(client_id)
  for index = #queue, 1, -1 do
    if queue[index].client_id == client_id then
      close(queue[index], nil)
    end
  end
end

return M
