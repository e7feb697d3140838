--- The server's edits: applied only to the text they were made for, in an undo step of their own,
--- and saved only when the server asks for it.
local api = vim.api

local M = {}

--- Buffers that were loaded only to take an edit: unloaded again once they are saved.
--- @type table<integer, true>
local loaded_for_edit = {}

--- Load a closed file without the question about a swap file, which would block the editor.
--- @param bufnr integer
--- @return string? problem
local function load(bufnr)
  if api.nvim_buf_is_loaded(bufnr) then
    return nil
  end
  local taken = false
  local watcher = api.nvim_create_autocmd('SwapExists', {
    callback = function()
      taken = true
      vim.v.swapchoice = 'q'
    end,
  })
  local ok, problem = pcall(vim.fn.bufload, bufnr)
  api.nvim_del_autocmd(watcher)
  if taken then
    return 'the file is open in another Neovim'
  end
  if not ok then
    return tostring(problem)
  end
  loaded_for_edit[bufnr] = true
end

--- Why this edit of one document must not be applied, or nil.
--- @param document lsp.OptionalVersionedTextDocumentIdentifier
--- @return string?
local function refusal(document)
  local bufnr = vim.uri_to_bufnr(document.uri)
  if type(document.version) == 'number' then
    local have = api.nvim_buf_is_loaded(bufnr) and vim.lsp.util.buf_versions[bufnr]
    if have ~= document.version then
      local standing = have and ('the buffer has %d'):format(have) or 'the buffer is closed'
      return ('the edit is for version %d, %s'):format(document.version, standing)
    end
  end
  local problem = load(bufnr)
  if problem then
    return problem
  end
  if not vim.bo[bufnr].modifiable then
    return 'the buffer is not modifiable'
  end
end

--- The new files of an edit that no buffer has yet.
--- @param changes table[]
--- @return integer[] their buffers
local function new_buffers(changes)
  local list = {}
  for _, change in ipairs(changes) do
    local bufnr = change.kind == 'create' and vim.uri_to_bufnr(change.uri)
    if bufnr and not api.nvim_buf_is_loaded(bufnr) then
      list[#list + 1] = bufnr
    end
  end
  return list
end

--- A new file has no line, but its buffer has one, empty, and it stays behind what was put in front
--- of it. It is not part of the text; without it, the text has no final newline.
--- @param bufnr integer
local function drop_first_line(bufnr)
  if not api.nvim_buf_is_loaded(bufnr) then
    return
  end
  local last = api.nvim_buf_line_count(bufnr)
  local line = api.nvim_buf_get_lines(bufnr, last - 1, last, false)[1]
  if last > 1 and line == '' then
    api.nvim_buf_set_lines(bufnr, last - 1, last, false, {})
  elseif line ~= '' then
    vim.bo[bufnr].endofline = false
  end
end

--- `workspace/applyEdit`. Neovim's own handler answers "applied" to a stale edit that it dropped;
--- this one compares the versions first, all before any edit, and says no with the reason.
--- @param params lsp.ApplyWorkspaceEditParams
--- @param ctx lsp.HandlerContext
--- @return lsp.ApplyWorkspaceEditResult
function M.on_apply(params, ctx)
  local documents, created = {}, new_buffers(params.edit.documentChanges or {})
  for index, change in ipairs(params.edit.documentChanges or {}) do
    if change.textDocument then
      local reason = refusal(change.textDocument)
      if reason then
        return { applied = false, failureReason = reason, failedChange = index - 1 }
      end
      documents[#documents + 1] = vim.uri_to_bufnr(change.textDocument.uri)
    end
  end
  for _, bufnr in ipairs(documents) do
    -- Setting the option, even to itself, closes the undo block: one undo then takes back this
    -- edit, and nothing that was typed before it.
    vim.bo[bufnr].undolevels = vim.bo[bufnr].undolevels
  end
  local client = assert(vim.lsp.get_client_by_id(ctx.client_id), 'a request comes from a client')
  local ok, problem = pcall(vim.lsp.util.apply_workspace_edit, params.edit, client.offset_encoding)
  vim.iter(created):each(drop_first_line)
  for _, bufnr in ipairs(documents) do
    if api.nvim_buf_is_loaded(bufnr) then
      vim.bo[bufnr].undolevels = vim.bo[bufnr].undolevels
    end
  end
  if not ok then
    return { applied = false, failureReason = tostring(problem) }
  end
  return { applied = true }
end

--- @param bufnr integer
--- @return boolean
local function save(bufnr)
  if vim.bo[bufnr].buftype == 'nofile' then
    return true -- such as a chat: it belongs to no file, so nothing of it is unsaved
  end
  if not vim.bo[bufnr].modified and vim.uv.fs_stat(api.nvim_buf_get_name(bufnr)) then
    return true
  end
  -- A file that was created under its open buffer: Neovim would ask before writing over it.
  local found = vim.uv.fs_stat(api.nvim_buf_get_name(bufnr))
  local bang = found and found.size == 0 and '!' or ''
  -- A file without a final newline stays one: the edit was accepted as it was shown.
  local fix = vim.bo[bufnr].fixendofline
  vim.bo[bufnr].fixendofline = false
  local ok, problem = pcall(api.nvim_buf_call, bufnr, function()
    vim.cmd('silent keepalt lockmarks write' .. bang)
  end)
  vim.bo[bufnr].fixendofline = fix
  if not ok then
    require('assent.server').tell(
      ('%s was not saved: %s'):format(vim.fn.bufname(bufnr), problem),
      vim.log.levels.WARN
    )
  end
  return ok and not vim.bo[bufnr].modified
end

--- A file that was closed before the edit is closed again after it.
--- @param bufnr integer
local function close_again(bufnr)
  if loaded_for_edit[bufnr] and #vim.fn.win_findbuf(bufnr) == 0 then
    pcall(api.nvim_buf_delete, bufnr, {})
  end
  loaded_for_edit[bufnr] = nil
end

--- `_assent/document/save`.
--- @param params { uris: string[] }
--- @return { saved: string[] }
function M.on_save(params)
  local saved = {}
  for _, uri in ipairs(params.uris) do
    local bufnr = vim.uri_to_bufnr(uri)
    if api.nvim_buf_is_loaded(bufnr) and save(bufnr) then
      saved[#saved + 1] = uri
      close_again(bufnr)
    end
  end
  return { saved = saved }
end

return M
