--- `]h` and `[h` in buffers that have open hunks, where the user has no such maps.
local M = {}

local maps = { [']h'] = '<Plug>(AssentNext)', ['[h'] = '<Plug>(AssentPrevious)' }

--- Which of our maps a buffer has.
--- @type table<integer, string[]>
local set = {}

--- @param buf integer
--- @param has_hunks boolean
function M.set(buf, has_hunks)
  if has_hunks and not set[buf] and require('assent.config').get().review.maps then
    set[buf] = {}
    vim.api.nvim_buf_call(buf, function()
      for keys, target in pairs(maps) do
        if vim.fn.maparg(keys, 'n') == '' then
          vim.keymap.set('n', keys, target, { buffer = buf, remap = true, desc = 'Assent' })
          table.insert(set[buf], keys)
        end
      end
    end)
  elseif not has_hunks and set[buf] then
    for _, keys in ipairs(set[buf]) do
      pcall(vim.keymap.del, 'n', keys, { buffer = buf })
    end
    set[buf] = nil
  end
end

return M
