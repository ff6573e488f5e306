--- `:checkhealth fim-lsp`, which looks for this file by that name.

local M = {}

function M.check()
  local health = vim.health
  local options = require("fim_lsp").options
  health.start("fim-lsp: the editor")
  if vim.fn.has("nvim-0.10") == 1 then
    health.ok("Neovim " .. tostring(vim.version()))
  else
    health.error("Neovim 0.10 or later is needed", { "https://neovim.io" })
  end

  health.start("fim-lsp: the server")
  local program = options.cmd[1]
  if vim.fn.executable(program) ~= 1 then
    health.error(program .. " cannot be run", {
      "pip install the fim-lsp wheel, in an environment whose programs are on PATH",
      "or name it: require('fim_lsp').setup({ cmd = { '/path/to/fim-lsp', 'serve' } })",
    })
    return
  end
  health.ok(vim.fn.exepath(program))
  M.report_doctor(options.cmd)

  health.start("fim-lsp: this session")
  local clients = vim.lsp.get_clients({ name = "fim-lsp" })
  if #clients == 0 then
    health.info("the server is not running: it starts with the first Python file")
  end
  for _, client in ipairs(clients) do
    local buffers = vim.tbl_count(client.attached_buffers or {})
    health.ok(("running for %d buffers, positions in %s"):format(buffers, client.offset_encoding))
  end
  for uri, report in pairs(require("fim_lsp").reports) do
    if report.message ~= "" then
      health.info((uri == "" and "the server" or uri) .. ": " .. report.message)
    end
  end
end

--- The findings of the server's own `doctor`, run with the same program.
function M.report_doctor(command)
  local call = vim.list_slice(command, 1)
  for index, word in ipairs(call) do
    if word == "serve" then
      call = vim.list_slice(call, 1, index - 1)
      break
    end
  end
  vim.list_extend(call, { "doctor", "--json" })
  local finished = vim.system(call, { text = true }):wait(60000)
  local is_read, found = pcall(vim.json.decode, finished.stdout or "")
  if not is_read then
    return vim.health.warn(table.concat(call, " ") .. " did not answer", { finished.stderr })
  end
  if found.is_able_to_serve then
    vim.health.ok("fim-lsp " .. found.fim_lsp .. " can serve")
  else
    vim.health.error("fim-lsp cannot serve", { table.concat(call, " ") .. " says what is missing" })
  end
  for _, package in ipairs(found.missing or {}) do
    -- Missing parts of other ways to run a model are no problem.
    if package.is_required then
      vim.health.warn(package.name .. " is missing", { package.remedy })
    end
  end
end

return M
