--- The subcommands of `:Assent` for what the user said yes to for longer.

--- @type table<string, assent.Subcommand>
local subcommands = {}

for name, taker in pairs({
  rules = { 'assent.rules', 'open' },
  trust = { 'assent.trust', 'open' },
  untrust = { 'assent.trust', 'revoke' },
}) do
  subcommands[name] = {
    run = function()
      require('assent.server').ensure(function(client)
        require(taker[1])[taker[2]](client)
      end)
    end,
  }
end

return subcommands
