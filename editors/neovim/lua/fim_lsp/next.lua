--- Next edits: what else must change after a change, asked for when the typing rests and drawn with extmarks, the
--- old text struck and the new text beside it. A key goes there, the same key takes it, another sends it away.
---
--- An edit is for one state of one buffer (`changedtick`). Whatever changes the buffer ends it.

local ghost = require("fim_lsp.ghost")
local server = require("fim_lsp.server")

local M = {}

local namespace = vim.api.nvim_create_namespace("fim_lsp_next")
local METHOD = "textDocument/copilotInlineEdit"
local REFUSED = "fim-lsp.didRefuseEdit"
--- The typing rests when nothing has been typed for so long, in milliseconds.
local REST_MS = 400

---@class fim_lsp.NextEdit
---@field buffer integer
---@field tick integer the buffer's `changedtick`
---@field edit table the server's answer
---@field units "utf-8"|"utf-16"|"utf-32"
---@field from { [1]: integer, [2]: integer } row and byte column, from 0
---@field to { [1]: integer, [2]: integer }
---@field client table
---@field there? integer the buffer that it is for, where that is another one; and that one's `changedtick`
---@field tick_there? integer
---@field also { from: integer[], to: integer[], text: string }[]

---@type fim_lsp.NextEdit?
local shown
---@type fun()?
local cancel_pending
local timer = assert((vim.uv or vim.loop).new_timer())
local options = {}

---@param group integer
---@param chosen fim_lsp.Options
function M.setup(group, chosen)
  options = chosen
  -- Links cannot strike.
  vim.api.nvim_set_hl(0, "FimLspOld", { fg = "NvimLightRed", ctermfg = 9, strikethrough = true, default = true })
  vim.api.nvim_set_hl(0, "FimLspNew", { link = "DiffAdd", default = true })
  vim.api.nvim_set_hl(0, "FimLspHint", { link = "Comment", default = true })
  vim.api.nvim_create_autocmd({ "TextChanged", "TextChangedI", "TextChangedP" }, {
    group = group,
    callback = M.follow,
  })
  -- Edits that only put something in are not shown at the cursor itself, so there is more to show once it has gone.
  vim.api.nvim_create_autocmd("InsertLeave", {
    group = group,
    callback = function()
      if not M.visible() then
        M.follow()
      end
    end,
  })
  vim.api.nvim_create_autocmd({ "BufLeave" }, { group = group, callback = M.clear })
  vim.api.nvim_create_autocmd({ "CursorMoved", "CursorMovedI", "WinScrolled" }, {
    group = group,
    callback = function()
      if M.visible() then
        M.draw_hint()
      end
    end,
  })
end

--- The edit that is on screen, if the buffer is still the one that it is for.
---@return fim_lsp.NextEdit?
local function current()
  local is_here = shown and shown.buffer == vim.api.nvim_get_current_buf() and shown.tick == vim.b.changedtick
  return is_here and shown or nil
end

function M.clear()
  timer:stop()
  if cancel_pending then
    cancel_pending()
    cancel_pending = nil
  end
  if shown and vim.api.nvim_buf_is_valid(shown.buffer) then
    vim.api.nvim_buf_clear_namespace(shown.buffer, namespace, 0, -1)
  end
  shown = nil
end

--- The buffer has changed: what was shown is gone, and what comes next is asked for when the typing rests.
function M.follow()
  M.clear()
  local undone = vim.fn.undotree()
  -- Who takes back what was taken does not want it again.
  local is_undone = undone.seq_cur ~= undone.seq_last
  if ghost.is_enabled and options.automatic and options.next_edits and server.client(0) and not is_undone then
    timer:start(REST_MS, 0, vim.schedule_wrap(M.request))
  end
end

---@return boolean whether something was asked
function M.request()
  local client = server.client(0)
  if not client or not ghost.is_enabled then
    return false
  end
  M.clear()
  local buffer, tick = vim.api.nvim_get_current_buf(), vim.b.changedtick
  local parameters = vim.lsp.util.make_position_params(0, client.offset_encoding)
  parameters.additionalTextEdits = true
  parameters.otherDocuments = true
  local answered = false
  local is_sent, identifier = server.send(client, METHOD, parameters, function(failure, answer)
    answered = true
    local is_here = buffer == vim.api.nvim_get_current_buf() and tick == vim.b.changedtick
    local edit = not failure and type(answer) == "table" and (answer.edits or {})[1]
    if edit and is_here then
      M.show(client, buffer, tick, edit)
    end
  end, buffer)
  if is_sent then
    cancel_pending = function()
      if not answered then
        server.cancel(client, identifier)
      end
    end
  end
  return is_sent
end

--- A place of the server's as row and byte column.
local function place(buffer, position, units)
  local line = vim.api.nvim_buf_get_lines(buffer, position.line, position.line + 1, false)[1] or ""
  local row = math.min(position.line, vim.api.nvim_buf_line_count(buffer))
  return { row, math.min(server.byte_column(line, position.character, units), #line) }
end

--- Whether another buffer is as it was when the server looked at it.
local function is_as_it_was(buffer, edit)
  local version = vim.lsp.util.buf_versions[buffer]
  return vim.api.nvim_buf_is_loaded(buffer) and (version == nil or version == edit.textDocument.version)
end

function M.show(client, buffer, tick, edit)
  local units = client.offset_encoding
  local there = vim.uri_to_bufnr(edit.textDocument.uri)
  if there ~= buffer and not is_as_it_was(there, edit) then
    return
  end
  if there ~= buffer then
    -- An edit of another buffer: it is said where that is, and drawn once the user has gone there.
    shown = {
      buffer = buffer,
      tick = tick,
      edit = edit,
      units = units,
      client = client,
      there = there,
      tick_there = vim.api.nvim_buf_get_changedtick(there),
      from = place(there, edit.range.start, units),
      to = place(there, edit.range["end"], units),
      also = {},
    }
    M.draw_hint()
    return
  end
  shown = {
    buffer = buffer,
    tick = tick,
    client = client,
    edit = edit,
    units = units,
    from = place(buffer, edit.range.start, units),
    to = place(buffer, edit.range["end"], units),
    -- What is put in further up in the same step: the imports of names that the edit brings.
    also = vim.tbl_map(function(one)
      return {
        from = place(buffer, one.range.start, units),
        to = place(buffer, one.range["end"], units),
        text = one.newText,
      }
    end, edit.additionalTextEdits or {}),
  }
  M.draw()
  M.draw_hint()
end

---@return string[] words and signs, each character of white space by itself
local function symbols(text)
  local found, at = {}, 1
  while at <= #text do
    -- Bytes above 127 belong to letters of other alphabets.
    local symbol = text:match("^[%w_\128-\255]+", at) or text:sub(at, at)
    table.insert(found, symbol)
    at = at + #symbol
  end
  return found
end

--- Where each part begins, and where the last one ends.
local function starts(parts)
  local found, at = { 0 }, 0
  for _, part in ipairs(parts) do
    at = at + #part
    table.insert(found, at)
  end
  return found
end

--- One symbol on each line, as `vim.diff` compares them.
local function listed(parts)
  local lines = vim.tbl_map(function(part)
    return (part == "\n" and "\1" or part) .. "\n"
  end, parts)
  return table.concat(lines)
end

--- What differs between two texts, by whole words and signs: from where to where the old text is struck, in bytes,
--- and what stands beside it.
---@return { from: integer, to: integer, text: string }[]
function M.pieces(old, new)
  local olds, news = symbols(old), symbols(new)
  local old_starts, new_starts = starts(olds), starts(news)
  local found = {}
  for _, hunk in ipairs(vim.diff(listed(olds), listed(news), { result_type = "indices" })) do
    local first, n_old, new_first, n_new = unpack(hunk)
    -- Of nothing it is said what it stands behind.
    first = n_old == 0 and first + 1 or first
    new_first = n_new == 0 and new_first + 1 or new_first
    table.insert(found, {
      from = old_starts[first],
      to = old_starts[first + n_old],
      text = new:sub(new_starts[new_first] + 1, new_starts[new_first + n_new]),
    })
  end
  return found
end

--- A byte of the old text as row and column; it begins at a place.
local function place_in(from, old, offset)
  local before = vim.split(old:sub(1, offset), "\n", { plain = true })
  local column = #before[#before] + (#before == 1 and from[2] or 0)
  return from[1] + #before - 1, column
end

--- Each piece of old text is struck, and the new one put beside it; further lines go below.
function M.draw()
  for _, one in ipairs(shown.also) do
    M.draw_part(one.from, one.to, one.text)
  end
  M.draw_part(shown.from, shown.to, shown.edit.text)
end

function M.draw_part(from, to, text)
  local last = math.min(to[1], vim.api.nvim_buf_line_count(shown.buffer) - 1)
  -- The end of a buffer is behind its last line.
  local stop = last < to[1] and #vim.api.nvim_buf_get_lines(shown.buffer, last, last + 1, false)[1] or to[2]
  local old = table.concat(vim.api.nvim_buf_get_text(shown.buffer, from[1], from[2], last, stop, {}), "\n")
  local new = text:gsub("\r\n?", "\n")
  for _, piece in ipairs(M.pieces(old, new)) do
    local row, column = place_in(from, old, piece.from)
    local end_row, end_column = place_in(from, old, piece.to)
    vim.api.nvim_buf_set_extmark(shown.buffer, namespace, row, column, {
      end_row = end_row,
      end_col = end_column,
      hl_group = "FimLspOld",
      sign_text = "»",
      sign_hl_group = "FimLspNew",
    })
    local lines = vim.split(piece.text, "\n", { plain = true })
    local below = {}
    for index = 2, #lines do
      below[index - 1] = { { lines[index], "FimLspNew" } }
    end
    vim.api.nvim_buf_set_extmark(shown.buffer, namespace, end_row, end_column, {
      virt_text = { { lines[1], "FimLspNew" } },
      virt_text_pos = "inline",
      virt_lines = #below > 0 and below or nil,
    })
  end
end

--- At the end of the cursor's line, where the edit is off the screen.
function M.draw_hint()
  if shown.hint then
    vim.api.nvim_buf_del_extmark(shown.buffer, namespace, shown.hint)
    shown.hint = nil
  end
  local line, first, last = shown.from[1] + 1, vim.fn.line("w0"), vim.fn.line("w$")
  local said
  if shown.there then
    local name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(shown.there), ":t")
    said = ("→ next edit in %s, line %d"):format(name, line)
  elseif line < first or line > last then
    said = ("%s next edit in line %d"):format(line < first and "↑" or "↓", line)
  else
    return
  end
  shown.hint = vim.api.nvim_buf_set_extmark(shown.buffer, namespace, vim.fn.line(".") - 1, 0, {
    virt_text = { { said, "FimLspHint" } },
    virt_text_pos = "eol",
  })
end

--- Whether the key is the edit's. In front of a line's text it indents, as long as the edit is elsewhere.
---@return boolean
function M.has_key()
  local found = current()
  if not found then
    return false
  end
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  local is_there = not found.there and row - 1 >= found.from[1] and row - 1 <= found.to[1]
  return is_there or vim.api.nvim_get_current_line():sub(1, column):match("%S") ~= nil
end

--- Goes to the edit that is shown; takes it where the cursor is there already.
---@return boolean whether there was one
function M.go_or_take()
  local found = current()
  if not found then
    return false
  end
  if found.there then
    M.go_there(found)
    return true
  end
  local row = vim.api.nvim_win_get_cursor(0)[1] - 1
  if row >= found.from[1] and row <= found.to[1] then
    M.take(found)
  else
    vim.cmd("normal! m'")
    vim.api.nvim_win_set_cursor(0, { found.from[1] + 1, found.from[2] })
  end
  return true
end

--- Shows the buffer that an edit is for, and the edit in it.
---@param found fim_lsp.NextEdit
function M.go_there(found)
  local there, edit = found.there, found.edit
  M.clear()
  if not vim.api.nvim_buf_is_loaded(there) or vim.api.nvim_buf_get_changedtick(there) ~= found.tick_there then
    return
  end
  vim.cmd("normal! m'")
  -- A buffer that cannot be left, as one with changes and without 'hidden', is left to the user who is in it.
  if not pcall(vim.cmd.buffer, there) then
    return
  end
  vim.api.nvim_win_set_cursor(0, { found.from[1] + 1, found.from[2] })
  M.show(found.client, there, vim.b.changedtick, edit)
end

---@param found fim_lsp.NextEdit
function M.take(found)
  local edit = found.edit
  M.clear()
  -- A step of its own for undo, also in insert mode.
  local levels = vim.go.undolevels
  vim.go.undolevels = levels + 1
  vim.go.undolevels = levels
  local changes = vim.deepcopy(edit.additionalTextEdits or {})
  table.insert(changes, { range = edit.range, newText = edit.text })
  local n_before = vim.api.nvim_buf_line_count(found.buffer)
  vim.lsp.util.apply_text_edits(changes, found.buffer, found.units)
  local n_own = #vim.split(edit.text, "\n", { plain = true }) - 1 - (found.to[1] - found.from[1])
  -- What goes with it stands further up.
  local n_above = vim.api.nvim_buf_line_count(found.buffer) - n_before - n_own
  local lines = vim.split(edit.text, "\n", { plain = true })
  local column = #lines[#lines] + (#lines == 1 and found.from[2] or 0)
  local row = math.min(found.from[1] + n_above + #lines, vim.api.nvim_buf_line_count(0))
  pcall(vim.api.nvim_win_set_cursor, 0, { row, column })
  ghost.run(edit.command)
end

--- Sends away what is shown. What is refused twice does not come again.
---@return boolean whether there was one
function M.refuse()
  local found = current()
  M.clear()
  if found and found.edit.command then
    ghost.run({ command = REFUSED, arguments = found.edit.command.arguments })
  end
  return found ~= nil
end

--- What is on screen, for tests and for status lines; nil when nothing is.
---@return { line: integer, text: string, reason: string }?
function M.visible()
  local found = current()
  return found and { line = found.from[1] + 1, text = found.edit.text, reason = found.edit.reason } or nil
end

return M
