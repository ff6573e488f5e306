--- Next edits: the edits that follow a change, requested when the typing rests and drawn with extmarks, the
--- old text struck through and the new text beside it. A key moves there, the same key accepts, another one
--- dismisses.
---
--- An edit is for one state of one buffer (`changedtick`). Any change of the buffer removes it.

local ghost = require("fim_lsp.ghost")
local server = require("fim_lsp.server")

local M = {}

local namespace = vim.api.nvim_create_namespace("fim_lsp_next")
local METHOD = "textDocument/copilotInlineEdit"
local REFUSED = "fim-lsp.didRefuseEdit"
--- The milliseconds without a key after which the typing rests.
local REST_MS = 400

---@class fim_lsp.NextEdit
---@field buffer integer
---@field tick integer the buffer's `changedtick`
---@field edit table the server's answer
---@field units "utf-8"|"utf-16"|"utf-32"
---@field from { [1]: integer, [2]: integer } row and byte column, from 0
---@field to { [1]: integer, [2]: integer }
---@field client table
---@field there? integer the buffer of the edit, if that is another one; below: its `changedtick`
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
  -- Linked groups cannot strike through.
  vim.api.nvim_set_hl(0, "FimLspOld", { fg = "NvimLightRed", ctermfg = 9, strikethrough = true, default = true })
  vim.api.nvim_set_hl(0, "FimLspNew", { link = "DiffAdd", default = true })
  vim.api.nvim_set_hl(0, "FimLspHint", { link = "Comment", default = true })
  vim.api.nvim_create_autocmd({ "TextChanged", "TextChangedI", "TextChangedP" }, {
    group = group,
    callback = M.follow,
  })
  -- Pure insertions are not shown at the cursor itself, so a move of the cursor may reveal one.
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

--- The edit on screen, if the current buffer is still its buffer.
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

--- Handles a change of the buffer: hides the edit, and requests the next one when the typing rests.
function M.follow()
  M.clear()
  local undone = vim.fn.undotree()
  -- An edit that the user has undone is not shown again.
  local is_undone = undone.seq_cur ~= undone.seq_last
  if ghost.is_enabled and options.automatic and options.next_edits and server.client(0) and not is_undone then
    timer:start(REST_MS, 0, vim.schedule_wrap(M.request))
  end
end

---@return boolean whether a request was sent
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

--- A position of the server as row and byte column.
local function place(buffer, position, units)
  local line = vim.api.nvim_buf_get_lines(buffer, position.line, position.line + 1, false)[1] or ""
  local row = math.min(position.line, vim.api.nvim_buf_line_count(buffer))
  return { row, math.min(server.byte_column(line, position.character, units), #line) }
end

--- Whether another buffer is unchanged since the server's answer.
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
    -- An edit of another buffer: a hint names the buffer, and the edit is drawn once the user has moved
    -- there.
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
    -- The insertions further up in the same step: the imports of names in the new text.
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

---@return string[] words and punctuation, each character of white space by itself
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

--- The offset of each part, and the end of the last one.
local function starts(parts)
  local found, at = { 0 }, 0
  for _, part in ipairs(parts) do
    at = at + #part
    table.insert(found, at)
  end
  return found
end

--- The symbols, one per line, for `vim.diff`.
local function listed(parts)
  local lines = vim.tbl_map(function(part)
    return (part == "\n" and "\1" or part) .. "\n"
  end, parts)
  return table.concat(lines)
end

--- The differences between two texts, by whole words and punctuation: the struck range of the old text in
--- bytes, and the text beside it.
---@return { from: integer, to: integer, text: string }[]
function M.pieces(old, new)
  local olds, news = symbols(old), symbols(new)
  local old_starts, new_starts = starts(olds), starts(news)
  local found = {}
  for _, hunk in ipairs(vim.diff(listed(olds), listed(news), { result_type = "indices" })) do
    local first, n_old, new_first, n_new = unpack(hunk)
    -- For an empty range, `vim.diff` reports the line in front of it.
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

--- A byte of the old text, which begins at a place, as row and column.
local function place_in(from, old, offset)
  local before = vim.split(old:sub(1, offset), "\n", { plain = true })
  local column = #before[#before] + (#before == 1 and from[2] or 0)
  return from[1] + #before - 1, column
end

--- Strikes each piece of old text through, with the new text beside it; further lines go below.
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

--- Draws a hint at the end of the cursor's line, if the edit is off the screen.
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

--- Whether the key belongs to the edit. In a line's indentation it indents, unless the edit is there.
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

--- Moves to the shown edit, or accepts it if the cursor is there already.
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

--- Shows the buffer of an edit, and the edit in it.
---@param found fim_lsp.NextEdit
function M.go_there(found)
  local there, edit = found.there, found.edit
  M.clear()
  if not vim.api.nvim_buf_is_loaded(there) or vim.api.nvim_buf_get_changedtick(there) ~= found.tick_there then
    return
  end
  vim.cmd("normal! m'")
  -- A buffer that Neovim refuses to leave, such as one with changes and without 'hidden', stays.
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
  -- The other insertions are further up.
  local n_above = vim.api.nvim_buf_line_count(found.buffer) - n_before - n_own
  local lines = vim.split(edit.text, "\n", { plain = true })
  local column = #lines[#lines] + (#lines == 1 and found.from[2] or 0)
  local row = math.min(found.from[1] + n_above + #lines, vim.api.nvim_buf_line_count(0))
  pcall(vim.api.nvim_win_set_cursor, 0, { row, column })
  ghost.run(edit.command)
end

--- Dismisses the shown edit. An edit that is dismissed twice does not come again.
---@return boolean whether there was one
function M.refuse()
  local found = current()
  M.clear()
  if found and found.edit.command then
    ghost.run({ command = REFUSED, arguments = found.edit.command.arguments })
  end
  return found ~= nil
end

--- The edit on screen, for tests and for status lines; nil if there is none.
---@return { line: integer, text: string, reason: string }?
function M.visible()
  local found = current()
  return found and { line = found.from[1] + 1, text = found.edit.text, reason = found.edit.reason } or nil
end

return M
