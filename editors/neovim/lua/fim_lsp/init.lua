--- fim-lsp for Neovim 0.10 and later: starts the language server for files of its languages, and draws its
--- completions as grey text (`fim_lsp.ghost`). Neovim 0.12 can also do without this plugin; README.md shows
--- how.

local ghost = require("fim_lsp.ghost")
local model = require("fim_lsp.model")
local next_edit = require("fim_lsp.next")
local part = require("fim_lsp.part")
local server = require("fim_lsp.server")

local M = {}

---@class fim_lsp.Options
local defaults = {
  --- The command that starts the server.
  cmd = { "fim-lsp", "serve" },
  --- Settings of the server, by the names in docs/server.md.
  settings = {},
  --- Request completions while typing. Otherwise only the key `trigger` does.
  automatic = true,
  --- Milliseconds without a keystroke before a request.
  debounce = 75,
  --- Show next edits after a change.
  next_edits = true,
  --- Close an accepted word or line when you leave it.
  close_partial_accepts = true,
  --- Keys in insert mode; false for none. If there is nothing to accept they keep their earlier meaning.
  keys = {
    accept = "<Tab>",
    accept_word = "<M-Right>",
    accept_line = "<M-C-Right>",
    dismiss = "<C-]>",
    trigger = "<M-Bslash>",
    next = "<M-]>",
    previous = "<M-[>",
  },
  --- Keys in normal mode; your own mappings have priority.
  normal_keys = {
    next_edit = "<Tab>",
    refuse_edit = "<Esc>",
  },
  --- A file or folder that marks the root of a project.
  root_markers = { "pyproject.toml", "setup.py", ".git" },
}

---@type fim_lsp.Options
M.options = defaults
--- The server's last report about each document, and about itself under the empty name.
M.reports = {}

--- Makes the tags of the help page: plugin managers do so for the cloned folder, but not for one below it.
local function tag_help()
  local folder = vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p:h:h:h") .. "/doc"
  if vim.fn.filereadable(folder .. "/tags") == 0 then
    -- Without write access to the folder there is no help, and everything else works.
    pcall(vim.cmd.helptags, folder)
  end
end

---@param options? fim_lsp.Options
function M.setup(options)
  tag_help()
  M.options = vim.tbl_deep_extend("force", vim.deepcopy(defaults), options or {})
  M.has_own_model = M.options.settings.model ~= nil
  if not M.has_own_model then
    M.options.settings.model = model.kept()
  end
  local group = vim.api.nvim_create_augroup("fim_lsp", {})
  vim.api.nvim_create_autocmd("FileType", {
    group = group,
    pattern = { "python", "go", "java", "json", "toml", "javascript", "javascriptreact", "typescript", "typescriptreact" },
    callback = function(event)
      M.start(event.buf)
    end,
  })
  ghost.setup(group, M.options)
  next_edit.setup(group, M.options)
  M.map_keys(M.options.keys)
  M.map_normal_keys(M.options.normal_keys)
  vim.api.nvim_create_user_command("FimLsp", function(call)
    local command = M.commands[call.args]
    if not command then
      local known = table.concat(vim.fn.sort(vim.tbl_keys(M.commands)), ", ")
      return vim.notify(":FimLsp knows " .. known .. ", not " .. call.args, vim.log.levels.ERROR)
    end
    command()
  end, {
    nargs = 1,
    desc = "fim-lsp: toggle, trigger, next, explain, status, model, restart",
    complete = function()
      return vim.tbl_keys(M.commands)
    end,
  })
end

--- Switches to another model without restarting the server.
---@param name string
function M.use_model(name)
  M.options.settings.model = name
  for _, client in ipairs(vim.lsp.get_clients({ name = "fim-lsp" })) do
    client.settings = { ["fim-lsp"] = M.options.settings }
    server.notify(client, "workspace/didChangeConfiguration", { settings = client.settings })
  end
end

---@param buffer integer
function M.start(buffer)
  if not M.has_own_model and not M.was_told then
    M.was_told = true
    model.tell_once(M.options.cmd)
  end
  local capabilities = vim.lsp.protocol.make_client_capabilities()
  capabilities.textDocument.inlineCompletion = { dynamicRegistration = false }
  return vim.lsp.start({
    name = "fim-lsp",
    cmd = M.options.cmd,
    root_dir = vim.fs.root(buffer, M.options.root_markers),
    capabilities = capabilities,
    settings = { ["fim-lsp"] = M.options.settings },
    init_options = vim.tbl_extend("force", { didChangeStatus = true }, M.options.settings),
    handlers = {
      didChangeStatus = function(_, report)
        M.reports[type(report.uri) == "string" and report.uri or ""] = report
        vim.cmd.redrawstatus()
      end,
      ["workspace/applyEdit"] = ghost.apply,
    },
  }, {
    bufnr = buffer,
    -- Neovim 0.10 would start a separate server for each file outside a project.
    reuse_client = function(client, config)
      return client.name == config.name and client.config.root_dir == config.root_dir
    end,
  })
end

--- The server's status of the current file for the status line, such as "fim-lsp: ready".
---@return string
function M.status()
  if not server.client(0) then
    return ""
  end
  if not ghost.is_enabled then
    return "fim-lsp: paused"
  end
  if model.progress then
    return "fim-lsp: " .. model.progress
  end
  local own, report = M.reports[""] or {}, M.reports[vim.uri_from_bufnr(0)]
  -- A document's report is outdated once the model has changed.
  if not report or (type(own.model) == "string" and report.model ~= own.model) then
    report = own
  end
  if type(report.message) == "string" and report.message ~= "" then
    return "fim-lsp: " .. report.message
  end
  return report.busy and "fim-lsp: working" or "fim-lsp: ready"
end

local function brief(text)
  local lines = vim.split(vim.trim(text), "\n", { plain = true })
  return "“" .. lines[1]:sub(1, 60) .. (#lines > 1 and " ..." or "") .. "”"
end

--- One sentence about the text that the model preferred, and its fate.
local function wished(trace)
  if trace.offered == "" then
    if trace.wanted == "" then
      return "The model has nothing to write here."
    end
    local fate = #trace.refused > 0 and ", which was refused." or ", and no text that fits could be made of it."
    return "The model wanted " .. brief(trace.wanted) .. fate
  elseif #trace.refused == 0 then
    return "The model wants " .. brief(trace.offered) .. ", and nothing was refused."
  end
  return ("The model wanted %s; after the refusals it became %s."):format(
    brief(trace.wanted),
    brief(trace.offered)
  )
end

--- The server's explanation of a place: its verdict, the model's preferred text, and the refused texts.
---@param answer table
---@return string
function M.explanation(answer)
  local lines = { answer.message }
  local trace = answer.trace
  if type(trace) == "table" then
    table.insert(lines, wished(trace))
    for _, refusal in ipairs(trace.refused) do
      table.insert(lines, "- " .. refusal)
    end
  end
  return table.concat(lines, "\n")
end

--- The user's place, or the one before a command was typed: Escape moves back from where insert mode ended.
---@return integer row, integer column from 0, in bytes
function M.place_asked_about()
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  local left_row, left_column = unpack(vim.api.nvim_buf_get_mark(0, "^"))
  local is_just_left = left_row == row and left_column == column + 1
  return row - 1, is_just_left and left_column or column
end

M.commands = {
  toggle = function()
    ghost.set_enabled(not ghost.is_enabled)
    next_edit.clear()
    vim.cmd.redrawstatus()
  end,
  trigger = function()
    ghost.request("invoked")
  end,
  next = function()
    return next_edit.go_or_take() or next_edit.request()
  end,
  status = function()
    vim.notify(M.status())
  end,
  explain = function()
    local client = server.client(0)
    if not client then
      return vim.notify("fim-lsp is not running for this file", vim.log.levels.WARN)
    end
    local call = {
      command = "fim-lsp.explain",
      arguments = { vim.uri_from_bufnr(0), part.place(client, 0, M.place_asked_about()) },
    }
    server.send(client, "workspace/executeCommand", call, function(failure, answer)
      vim.notify(failure and failure.message or M.explanation(answer))
    end)
  end,
  model = function()
    model.choose(M.options.cmd, M.use_model)
  end,
  restart = function()
    local client = server.client(0)
    if client then
      local buffers = vim.lsp.get_buffers_by_client_id(client.id)
      vim.lsp.stop_client(client.id)
      -- The old server has to end first, or `vim.lsp.start` would attach to it again.
      vim.wait(5000, function()
        return vim.lsp.get_client_by_id(client.id) == nil
      end)
      vim.tbl_map(M.start, buffers)
    else
      M.start(vim.api.nvim_get_current_buf())
    end
  end,
}

--- Maps the keys, which act on grey text and are passed on if there is none.
---@param keys table<string, string|false>
function M.map_keys(keys)
  local actions = {
    accept = function()
      return ghost.accept("all") or (next_edit.has_key() and next_edit.go_or_take())
    end,
    accept_word = function()
      return ghost.accept("word")
    end,
    accept_line = function()
      return ghost.accept("line")
    end,
    dismiss = function()
      return ghost.dismiss() or next_edit.refuse()
    end,
    next = function()
      return ghost.choose(1)
    end,
    previous = function()
      return ghost.choose(-1)
    end,
    trigger = function()
      return ghost.request("invoked")
    end,
  }
  M.map("i", keys, actions)
end

--- Maps the keys of next edits in normal mode in the same way.
---@param keys table<string, string|false>
function M.map_normal_keys(keys)
  local free = {}
  for name, key in pairs(keys) do
    free[name] = key and vim.fn.maparg(key, "n") == "" and key
  end
  M.map("n", free, { next_edit = next_edit.go_or_take, refuse_edit = next_edit.refuse })
end

---@param mode "i"|"n"
---@param keys table<string, string|false>
---@param actions table<string, fun(): boolean>
function M.map(mode, keys, actions)
  for name, key in pairs(keys) do
    if key then
      vim.keymap.set(mode, key, function()
        if not actions[name]() then
          local typed = vim.api.nvim_replace_termcodes(key, true, false, true)
          -- The key comes before keys that were typed after it.
          vim.api.nvim_feedkeys(typed, "ni", false)
        end
      end, { desc = "fim-lsp: " .. name:gsub("_", " ") })
    end
  end
end

return M
