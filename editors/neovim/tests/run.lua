-- nvim --headless --clean -l tests/run.lua [NAME…]: run `tests/NAME_spec.lua`, or all of them.
-- TEST=words runs only the tests whose names hold these words.
local here = vim.fs.dirname(vim.uv.fs_realpath(debug.getinfo(1, 'S').source:sub(2)))
package.path = here .. '/?.lua;' .. package.path

local specs = vim.tbl_map(function(name)
  return ('%s/%s_spec.lua'):format(here, name)
end, _G.arg)
if #specs == 0 then
  specs = vim.fn.sort(vim.fn.glob(here .. '/*_spec.lua', true, true))
end
require('harness').run(specs, vim.env.TEST)
