--- The names that travel between this plugin and the server: the mirror of the server's own list.
--- The conversation's methods are ACP's, unchanged; what neither LSP nor ACP has starts with
--- `_assent/`. Nothing here knows a buffer or a window.
local M = {}

--- Requests and notifications that we send.
M.to_server = {
  new = 'session/new',
  load = 'session/load',
  list = 'session/list',
  prompt = 'session/prompt',
  cancel = 'session/cancel',
  set_mode = 'session/set_mode',
  set_config_option = 'session/set_config_option',
  decide = '_assent/review/decide',
}

--- Requests and notifications that the server sends, and who takes them: module and function.
--- @type table<string, [string, string]>
M.from_server = {
  ['session/update'] = { 'assent.session', 'on_update' },
  ['session/request_permission'] = { 'assent.approval', 'on_request' },
  ['elicitation/create'] = { 'assent.question', 'on_request' },
  ['_assent/review/updated'] = { 'assent.review', 'on_updated' },
  ['_assent/trust/updated'] = { 'assent.trust', 'on_updated' },
  ['_assent/document/save'] = { 'assent.apply', 'on_save' },
  ['workspace/applyEdit'] = { 'assent.apply', 'on_apply' },
}

--- Commands of `workspace/executeCommand` that `:Assent` sends.
M.commands = {
  ask = 'assent.ask',
  explain = 'assent.explain',
  fix = 'assent.fix',
  tests = 'assent.tests',
  undo = 'assent.undoTurn',
  rules = 'assent.rules',
  remove_rule = 'assent.rules.remove',
  trust = 'assent.trustWorkspace',
  untrust = 'assent.untrustWorkspace',
}

--- What we tell the server about ourselves, beside what every Neovim client says.
--- @return lsp.ClientCapabilities
function M.capabilities()
  return {
    workspace = {
      workspaceEdit = {
        documentChanges = true,
        changeAnnotationSupport = { groupsOnLabel = true },
      },
    },
    experimental = {
      assent = {
        acp = {
          protocolVersion = 1,
          clientCapabilities = { elicitation = { form = vim.empty_dict() } },
        },
        review = true,
        save = true,
      },
    },
  }
end

--- What the server said of itself, or nil when it is not an Assent server.
--- @param client vim.lsp.Client
--- @return { version: string, acp: table }?
function M.server_info(client)
  return vim.tbl_get(client.server_capabilities or {}, 'experimental', 'assent')
end

return M
