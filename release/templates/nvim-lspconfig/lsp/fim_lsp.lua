---@brief
---
--- %{repository}
---
--- %{description}. Completions come as `textDocument/inlineCompletion`, and in the
--- completion popup of versions without it.
---
--- ```sh
--- pip install %{name}
--- ```
---
--- Grey text needs Neovim 0.12 and `vim.lsp.inline_completion.enable()`. Settings are those of the server's own page:
---
--- ```lua
--- vim.lsp.config('fim_lsp', {
---   settings = {
---     ['fim-lsp'] = { eagerness = 'eager' },
---   },
--- })
--- ```

---@type vim.lsp.Config
return {
  cmd = { '%{name}', 'serve' },
  filetypes = {
%{filetypes_lua}
  },
  root_markers = { 'pyproject.toml', 'package.json', 'go.mod', '.git' },
  settings = {
    ['fim-lsp'] = vim.empty_dict(),
  },
}
