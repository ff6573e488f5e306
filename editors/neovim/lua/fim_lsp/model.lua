--- `:FimLsp model`: the models on this machine and those to download. A chosen model is downloaded while the
--- user continues to type, and then completes, also in later sessions. `fim-lsp models` does all of this; the
--- server downloads nothing.

local M = {}

--- The progress of a download, for the status line; nil if there is none.
---@type string?
M.progress = nil
local download

local function file(name)
  return vim.fs.joinpath(vim.fn.stdpath("data") --[[@as string]], "fim-lsp", name)
end

local function write(name, text)
  vim.fn.mkdir(vim.fs.dirname(file(name)), "p")
  vim.fn.writefile({ text }, file(name))
end

--- The model that was chosen in an earlier session; nil if there is none.
---@return string?
function M.kept()
  local is_read, lines = pcall(vim.fn.readfile, file("model"))
  return is_read and lines[1] ~= "" and lines[1] or nil
end

--- The command that lists models, with the server's program.
---@param command string[]
---@param more string[]
local function call(command, more)
  local words = {}
  for _, word in ipairs(command) do
    if word == "serve" then
      break
    end
    table.insert(words, word)
  end
  return vim.list_extend(vim.list_extend(words, { "models", "--json" }), more)
end

local function say(text, level)
  vim.notify("fim-lsp: " .. text, level or vim.log.levels.INFO)
end

--- Lists the models, and calls back with the output; nil if there is none.
local function listed(command, go_on)
  local is_started = pcall(vim.system, call(command, {}), { text = true }, function(finished)
    local is_read, listing = pcall(vim.json.decode, finished.stdout or "", { luanil = { object = true } })
    vim.schedule(function()
      go_on(is_read and listing or nil)
    end)
  end)
  if not is_started then
    go_on(nil)
  end
end

local function size(bytes)
  return bytes >= 1e9 and ("%.1f GB"):format(bytes / 1e9) or ("%.0f MB"):format(bytes / 1e6)
end

local function pace(estimate)
  return estimate.has_room and ("about %.1f s per offer here"):format(math.max(0.1, estimate.seconds_an_offer))
    or "too large for this machine's memory"
end

local function facts(title, needs, more)
  return table.concat({ title, size(needs.n_bytes), needs.licence or "licence unknown", more }, ", ")
end

--- The choices: each with a text, and the value of the setting `model` or the name of the download.
---@param listing table
function M.entries(listing)
  local entries = { { text = "the bundled model", use = "" } }
  for _, found in ipairs(listing.files or {}) do
    if found.fim_format then
      local whose = found.owner == "hub" and "here" or "here, of " .. found.owner
      local text = facts(found.name, found.needs, pace(found.estimate)) .. ", " .. whose
      table.insert(entries, { text = text, use = found.path })
    end
  end
  for _, had in ipairs(listing.published or {}) do
    if not had.path then
      local text = facts(had.title, had.needs, pace(had.estimate)) .. ", to be fetched"
      table.insert(entries, { text = text, download = had.name, title = had.title })
    end
  end
  return entries
end

--- Downloads a model; calls `use` with its path.
local function fetch(command, entry, use)
  local last
  local function read(_, data)
    for line in vim.gsplit(data or "", "\n", { trimempty = true }) do
      local is_read, told = pcall(vim.json.decode, line)
      if is_read and told.percent then
        M.progress = ("fetching %s, %d %%"):format(entry.title, told.percent)
        vim.schedule(vim.cmd.redrawstatus)
      end
      last = line
    end
  end
  say("fetching " .. entry.title .. "; :FimLsp model again cancels it")
  download = vim.system(
    call(command, { "--download", entry.download }),
    { text = true, stdout = read },
    vim.schedule_wrap(function(finished)
      download, M.progress = nil, nil
      vim.cmd.redrawstatus()
      local is_read, told = pcall(vim.json.decode, last or "")
      if finished.code == 0 and is_read and told.path then
        use(told.path)
      elseif finished.signal == 0 then
        local complaint = vim.split(vim.trim(finished.stderr or ""), "\n")
        say(complaint[#complaint] .. ". What is there is kept", vim.log.levels.ERROR)
      end
    end)
  )
end

--- Shows the list, and uses the choice. During a download, offers to cancel it.
---@param command string[]
---@param use fun(model: string)
function M.choose(command, use)
  if download then
    return vim.ui.select({ "Go on", "Cancel" }, { prompt = M.progress or "fetching" }, function(answer)
      if answer == "Cancel" and download then
        download:kill("sigterm")
      end
    end)
  end
  listed(command, function(listing)
    if not listing then
      return say("the server's program lists no models", vim.log.levels.ERROR)
    end
    vim.ui.select(M.entries(listing), {
      prompt = "The model that completes",
      format_item = function(entry)
        return entry.text
      end,
    }, function(entry)
      if entry and entry.use then
        M.keep(entry.use)
        use(entry.use)
      elseif entry then
        fetch(command, entry, function(path)
          M.keep(path)
          use(path)
          say(entry.title .. " completes from now on")
        end)
      end
    end)
  end)
end

--- Stores a choice for later sessions; an empty one is the bundled model.
function M.keep(model)
  write("model", model)
end

--- Mentions a better model once, if no model was chosen on this machine.
---@param command string[]
function M.tell_once(command)
  if vim.fn.filereadable(file("told")) == 1 or vim.fn.filereadable(file("model")) == 1 then
    return
  end
  listed(command, function(listing)
    local offered = listing and listing.has_llama and listing.offered or {}
    local found
    for _, entry in ipairs(listing and M.entries(listing) or {}) do
      if entry.use == (offered.path or 0) or entry.download == (offered.name or 0) then
        found = entry.text
      end
    end
    if found then
      write("told", "")
      say("the small bundled model completes. Better: " .. found .. ". :FimLsp model chooses")
    end
  end)
end

return M
