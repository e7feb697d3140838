--- Proposed edits: what the server says is open, drawn in the buffers, and the user's decisions
--- about it. The server owns the state and sends all of it at each change; a decision is a
--- request, and what becomes of it arrives as the next state.
local api = vim.api

local M = {}

--- @class assent.Hunk
--- @field id string
--- @field status 'pending'|'accepted'|'rejected'|'stale'
--- @field range lsp.Range
--- @field oldText string
--- @field newText string

--- @class assent.ReviewFile
--- @field uri string
--- @field version? integer
--- @field change 'edit'|'create'|'delete'|'rename'
--- @field newUri? string
--- @field hunks assent.Hunk[]

--- @class assent.Review
--- @field reviewId string
--- @field sessionId string
--- @field status 'open'|'closed'
--- @field files assent.ReviewFile[]
--- @field client_id integer

--- @class assent.OpenHunk an undecided hunk and where it belongs
--- @field review assent.Review
--- @field file assent.ReviewFile
--- @field hunk assent.Hunk
--- @field buf? integer the buffer it is drawn in
--- @field mark? integer

--- @type assent.Review[] in the order in which they were opened
local reviews = {}

--- Where each hunk is drawn: the buffer and the mark, under review and hunk.
--- @type table<string, { buf: integer, mark: integer }>
local places = {}

local watching = false

--- @param review assent.Review
--- @param hunk assent.Hunk
--- @return string
local function key_of(review, hunk)
  return review.reviewId .. '\n' .. hunk.id
end

--- A stale hunk is decided: what became of it is offered again as another one.
--- @param hunk assent.Hunk
--- @return boolean
local function is_open(hunk)
  return hunk.status == 'pending'
end

--- All undecided hunks, in the order of reviews, files and lines.
--- @return assent.OpenHunk[]
function M.open_hunks()
  local list = {}
  for _, review in ipairs(reviews) do
    for _, file in ipairs(review.files) do
      for _, hunk in ipairs(file.hunks) do
        if is_open(hunk) then
          local place = places[key_of(review, hunk)] or {}
          list[#list + 1] = {
            review = review,
            file = file,
            hunk = hunk,
            buf = place.buf,
            mark = place.mark,
          }
        end
      end
    end
  end
  return list
end

--- @return integer
function M.count()
  return #M.open_hunks()
end

--- The undecided hunks of a file.
--- @param uri string
--- @return assent.OpenHunk[]
local function hunks_of(uri)
  return vim.tbl_filter(function(open)
    return open.file.uri == uri
  end, M.open_hunks())
end

--- Draw what is open in a buffer, and only that.
--- @param buf integer
local function draw_buffer(buf)
  local draw = require('assent.review.draw')
  draw.clear(buf)
  for key, place in pairs(places) do
    if place.buf == buf then
      places[key] = nil
    end
  end
  local open = hunks_of(vim.uri_from_bufnr(buf))
  for index, entry in ipairs(open) do
    local client = vim.lsp.get_client_by_id(entry.review.client_id)
    local label = ('Assent %d/%d'):format(index, #open)
    local encoding = client and client.offset_encoding or 'utf-16'
    local mark = draw.hunk(buf, entry.hunk, encoding, label)
    places[key_of(entry.review, entry.hunk)] = { buf = buf, mark = mark }
  end
  require('assent.review.keys').set(buf, #open > 0)
  require('assent.review.draw').repaint(buf)
end

--- @param uris table<string, true>
local function redraw(uris)
  for _, buf in ipairs(api.nvim_list_bufs()) do
    if api.nvim_buf_is_loaded(buf) and uris[vim.uri_from_bufnr(buf)] then
      draw_buffer(buf)
    end
  end
  require('assent.review.preview').refresh()
  require('assent.review.list').refresh()
  require('assent.statusline').refresh()
end

--- Buffers that are read later are drawn then.
local function watch_buffers()
  if watching then
    return
  end
  watching = true
  api.nvim_create_autocmd({ 'BufReadPost', 'BufNewFile' }, {
    group = api.nvim_create_augroup('assent.review', {}),
    callback = function(event)
      if #reviews > 0 and #hunks_of(vim.uri_from_bufnr(event.buf)) > 0 then
        draw_buffer(event.buf)
      end
    end,
  })
end

--- @param review assent.Review
--- @param into table<string, true>
local function add_uris(review, into)
  for _, file in ipairs(review.files) do
    into[file.uri] = true
  end
end

--- `_assent/review/updated`.
--- @param params assent.Review
--- @param ctx lsp.HandlerContext
function M.on_updated(params, ctx)
  params.client_id = ctx.client_id
  local uris = {}
  add_uris(params, uris)
  local position = #reviews + 1
  for index, review in ipairs(reviews) do
    if review.reviewId == params.reviewId and review.client_id == params.client_id then
      add_uris(review, uris)
      position = index
    end
  end
  if params.status == 'open' then
    reviews[position] = params
    watch_buffers()
  elseif reviews[position] then
    table.remove(reviews, position)
  end
  redraw(uris)
end

--- A client ended; what is still open its successor sends again.
--- @param client_id integer
function M.on_exit(client_id)
  local uris = {}
  for index = #reviews, 1, -1 do
    if reviews[index].client_id == client_id then
      add_uris(reviews[index], uris)
      table.remove(reviews, index)
    end
  end
  redraw(uris)
end

--- @param id string
--- @return assent.Review?
function M.get(id)
  for _, review in ipairs(reviews) do
    if review.reviewId == id then
      return review
    end
  end
end

--- What is drawn in a buffer, from the top.
--- @param buf integer
--- @return assent.OpenHunk[]
function M.in_buffer(buf)
  local drawn = vim.tbl_filter(function(open)
    return open.buf == buf
  end, M.open_hunks())
  return #drawn > 0 and drawn or require('assent.review.preview').hunks(buf)
end

--- The first and the last row of a drawn hunk.
--- @param open assent.OpenHunk
--- @return integer first
--- @return integer last
function M.rows(open)
  if open.buf and open.mark and api.nvim_buf_is_loaded(open.buf) then
    local first, last = require('assent.review.draw').rows(open.buf, open.mark)
    if first and last then
      return first, last
    end
  end
  return open.hunk.range.start.line, open.hunk.range['end'].line
end

--- The hunk under the cursor, or the one that touches its line.
--- @return assent.OpenHunk?
function M.at_cursor()
  local buf = api.nvim_get_current_buf()
  local hunks = M.in_buffer(buf)
  if require('assent.review.preview').hunks(buf)[1] then
    return hunks[1]
  end
  local row = api.nvim_win_get_cursor(0)[1] - 1
  local nearest, distance
  for _, open in ipairs(hunks) do
    local first, last = M.rows(open)
    local away = math.max(first - row, row - last, 0)
    if away <= 1 and (not distance or away < distance) then
      nearest, distance = open, away
    end
  end
  return nearest
end

--- Send decisions about hunks, one request for each review.
--- @param hunks assent.OpenHunk[]
--- @param accept boolean
--- @param feedback? string a reason for the model
function M.decide(hunks, accept, feedback)
  local by_review = {}
  for _, open in ipairs(hunks) do
    by_review[open.review] = by_review[open.review] or {}
    table.insert(by_review[open.review], { hunk = open.hunk.id, accept = accept })
  end
  local server = require('assent.server')
  for review, decisions in pairs(by_review) do
    local client = vim.lsp.get_client_by_id(review.client_id)
    if client then
      local params = { reviewId = review.reviewId, decisions = decisions, feedback = feedback }
      server.request(client, require('assent.protocol').to_server.decide, params)
    end
  end
end

--- Accept one hunk in the user's own words instead of the proposal's.
--- @param open assent.OpenHunk
--- @param text string
function M.accept_changed(open, text)
  local client = vim.lsp.get_client_by_id(open.review.client_id)
  if client then
    local decision = { hunk = open.hunk.id, accept = true, newText = text }
    local params = { reviewId = open.review.reviewId, decisions = { decision } }
    require('assent.server').request(client, require('assent.protocol').to_server.decide, params)
  end
end

--- The hunks that a word means: `hunk` (under the cursor), `file`, `all`.
--- @param scope string
--- @return assent.OpenHunk[]
function M.in_scope(scope)
  if scope == 'all' then
    return M.open_hunks()
  elseif scope == 'file' then
    local hunk = M.in_buffer(api.nvim_get_current_buf())[1]
    return hunk and hunks_of(hunk.file.uri) or {}
  end
  return { M.at_cursor() }
end

return M
