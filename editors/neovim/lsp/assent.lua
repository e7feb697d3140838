--- Read by Neovim when `vim.lsp.enable('assent')` first needs it.
return require('assent.server').config()
