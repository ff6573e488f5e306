-- Loads a configuration as Neovim does from lsp/, and waits until the server has attached to the open file:
--
--     nvim --clean --headless opened.py -l release/attaches.lua lsp/fim_lsp.lua
local file = _G.arg[1]
local name = vim.fn.fnamemodify(file, ':t:r')
local has_ended = false
vim.lsp.config(name, vim.tbl_extend('force', dofile(file), { on_exit = function() has_ended = true end }))
vim.lsp.enable(name)
vim.cmd.edit('opened.py')
vim.bo.filetype = 'python'
local function client()
  local found = vim.lsp.get_clients({ bufnr = 0, name = name })[1]
  return found and found.initialized and found or nil
end
-- The machine may be busy, but a server that has ended is not awaited.
vim.wait(180000, function() return has_ended or client() ~= nil end, 50)
if not client() then
  io.stderr:write('no server has attached\n')
  os.exit(1)
end
local offers = client().server_capabilities
if not (offers.inlineCompletionProvider or offers.completionProvider) then
  io.stderr:write('the server offers no completions\n')
  os.exit(1)
end
print('attached: ' .. name)
client():stop(true)
os.exit(0)
