--- Grey text at the cursor: requested, drawn with an extmark, typed through, accepted in pieces.
---
--- A completion is kept with its place (`anchor`) and the rest of the line there (`tail`). It is on screen
--- while the text between anchor and cursor is its beginning and the tail is unchanged. So typing through it
--- needs no request, and a completion for another text is never inserted.

local part = require("fim_lsp.part")
local server = require("fim_lsp.server")

local M = {}

local namespace = vim.api.nvim_create_namespace("fim_lsp")
local METHOD = "textDocument/inlineCompletion"
--- The server's label of an edit that inserts an import.
local IMPORT = "fim-lsp: import"
local TRIGGER_KINDS = { invoked = 1, automatic = 2 }

M.is_enabled = true
local options = {}

---@class fim_lsp.Completion
---@field buffer integer
---@field anchor { [1]: integer, [2]: integer } row and byte column, from 0
---@field tail string the text behind the cursor on its line
---@field items { text: string, command?: table }[] all offers
---@field shown integer the offer on screen

---@type fim_lsp.Completion?
local completion
--- The function that cancels the unanswered request.
---@type fun()?
local cancel_pending
local timer = assert((vim.uv or vim.loop).new_timer())
local resting = assert((vim.uv or vim.loop).new_timer())
-- The milliseconds without a move after which the cursor rests.
local REST_MS = 300

---@param group integer
---@param chosen fim_lsp.Options
function M.setup(group, chosen)
  options = chosen
  vim.api.nvim_set_hl(0, "FimLspGhost", { link = "Comment", default = true })
  vim.api.nvim_create_autocmd({ "InsertEnter", "TextChangedI", "CursorMovedI" }, {
    group = group,
    callback = function()
      part.follow()
      M.follow()
    end,
  })
  vim.api.nvim_create_autocmd({ "InsertLeave", "BufLeave" }, {
    group = group,
    callback = function()
      M.clear()
      part.leave()
    end,
  })
  vim.api.nvim_create_autocmd({ "BufEnter", "CursorMoved" }, {
    group = group,
    callback = function()
      resting:start(REST_MS, 0, vim.schedule_wrap(M.rest))
    end,
  })
  part.setup(group, chosen)
end

--- Sends the resting cursor's place to the server, so that a slow model reads the text around it in advance.
function M.rest()
  local client = server.client(0)
  if client and M.is_enabled then
    local place = vim.lsp.util.make_position_params(0, client.offset_encoding)
    server.notify(client, "textDocument/didFocus", place)
  end
end

---@return integer row, integer column from 0, in bytes
local function cursor()
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  return row - 1, column
end

---@return string, string the line in front of the cursor and behind it
local function halves()
  local _, column = cursor()
  local line = vim.api.nvim_get_current_line()
  return line:sub(1, column), line:sub(column + 1)
end

--- The rest of the completion at the cursor; nil if it does not belong there any more.
---@return string?
local function remainder()
  if not completion or completion.buffer ~= vim.api.nvim_get_current_buf() then
    return nil
  end
  local row, column = cursor()
  local first_row, first_column = unpack(completion.anchor)
  local _, tail = halves()
  if tail ~= completion.tail or row < first_row or (row == first_row and column < first_column) then
    return nil
  end
  if first_row >= vim.api.nvim_buf_line_count(0) or first_column > #vim.fn.getline(first_row + 1) then
    return nil
  end
  local typed = vim.api.nvim_buf_get_text(0, first_row, first_column, row, column, {})
  local begun = table.concat(typed, "\n")
  local text = completion.items[completion.shown].text
  if not vim.startswith(text, begun) then
    return nil
  end
  return text:sub(#begun + 1)
end

---@param text string
local function draw(text)
  vim.api.nvim_buf_clear_namespace(0, namespace, 0, -1)
  local row, column = cursor()
  local lines = vim.split(text, "\n", { plain = true })
  local below = {}
  for index = 2, #lines do
    below[index - 1] = { { lines[index], "FimLspGhost" } }
  end
  vim.api.nvim_buf_set_extmark(0, namespace, row, column, {
    virt_text = { { lines[1], "FimLspGhost" } },
    virt_text_pos = "inline",
    virt_lines = below,
    hl_mode = "combine",
  })
end

local function erase()
  if completion and vim.api.nvim_buf_is_valid(completion.buffer) then
    vim.api.nvim_buf_clear_namespace(completion.buffer, namespace, 0, -1)
  end
  completion = nil
end

local function cancel_request()
  timer:stop()
  if cancel_pending then
    cancel_pending()
    cancel_pending = nil
  end
end

--- Hides the grey text and cancels the request.
function M.clear()
  cancel_request()
  erase()
end

--- Follows the cursor: redraws a text that is typed through, otherwise requests a new one.
function M.follow()
  local rest = remainder()
  if rest and rest ~= "" then
    return draw(rest)
  end
  M.clear()
  if M.is_enabled and options.automatic and server.client(0) then
    timer:start(options.debounce, 0, vim.schedule_wrap(function()
      M.request("automatic")
    end))
  end
end

---@param kind "invoked"|"automatic"
---@param shown? integer the answer to show first
---@return boolean whether a request was sent
function M.request(kind, shown)
  local client = server.client(0)
  local is_inserting = vim.startswith(vim.api.nvim_get_mode().mode, "i")
  if not client or not M.is_enabled or not is_inserting then
    return false
  end
  cancel_request()
  local buffer = vim.api.nvim_get_current_buf()
  local parameters = vim.lsp.util.make_position_params(0, client.offset_encoding)
  parameters.context = { triggerKind = TRIGGER_KINDS[kind] }
  parameters.formattingOptions = { tabSize = vim.fn.shiftwidth(), insertSpaces = vim.bo.expandtab }
  local asked = { buffer = buffer, tick = vim.b.changedtick, position = { cursor() }, shown = shown }
  local answered = false
  local is_sent, identifier = server.send(client, METHOD, parameters, function(failure, answer)
    answered = true
    if not failure and answer then
      M.show(client, asked, answer.items or answer)
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

--- Shows the first item, unless the text or the cursor has changed since the request.
function M.show(client, asked, items)
  local is_here = asked.buffer == vim.api.nvim_get_current_buf()
    and asked.tick == vim.b.changedtick
    and vim.deep_equal(asked.position, { cursor() })
    and vim.startswith(vim.api.nvim_get_mode().mode, "i")
  if not is_here then
    return
  end
  erase()
  local offered = {}
  for _, item in ipairs(items) do
    local text = M.insertion(client, item)
    if text and text ~= "" then
      table.insert(offered, { text = text, command = item.command })
    end
  end
  if #offered > 0 then
    local _, tail = halves()
    local shown = math.min(asked.shown or 1, #offered)
    completion = {
      buffer = asked.buffer,
      anchor = asked.position,
      tail = tail,
      items = offered,
      shown = shown,
    }
    draw(offered[shown].text)
  end
end

--- Shows another completion for this place. If there is only one, requests more.
---@param step 1|-1
---@return boolean whether there was something to choose from
function M.choose(step)
  local rest = remainder()
  if not completion or not rest or rest == "" then
    return false
  end
  local row, column = cursor()
  local is_untouched = vim.deep_equal(completion.anchor, { row, column })
  if #completion.items == 1 then
    return is_untouched and M.request("invoked", step == 1 and 2 or math.huge)
  end
  local before = completion.shown
  for _ = 1, #completion.items do
    completion.shown = (completion.shown - 1 + step) % #completion.items + 1
    local other = remainder()
    -- The text that was already typed or accepted need not be the beginning of each.
    if other and other ~= "" then
      draw(other)
      return true
    end
  end
  completion.shown = before
  return true
end

--- The text that an item adds at the cursor. Its range may begin in front of the cursor, with existing text.
---@return string?
function M.insertion(client, item)
  if type(item.insertText) ~= "string" then
    return nil
  end
  if not item.range then
    return item.insertText
  end
  local row, column = cursor()
  local from, to = item.range.start, item.range["end"]
  local before, behind = halves()
  local line = before .. behind
  local units = client.offset_encoding
  if from.line ~= row or to.line ~= row or server.byte_column(line, to.character, units) ~= column then
    return nil
  end
  local begun = before:sub(server.byte_column(line, from.character, units) + 1)
  return vim.startswith(item.insertText, begun) and item.insertText:sub(#begun + 1) or nil
end

--- The first piece of a text, which one key accepts.
---@param text string
---@param amount "all"|"word"|"line"
---@return string
function M.piece(text, amount)
  if amount == "word" then
    -- Bytes above 127 belong to letters of other alphabets.
    return text:match("^%s*[%w_\128-\255]+") or text:match("^%s*[^%w%s_\128-\255]+") or text
  elseif amount == "line" then
    return text:match("^\n?[^\n]*")
  end
  return text
end

--- Inserts a piece of the grey text into the buffer; the rest stays on screen.
---@param amount "all"|"word"|"line"
---@return boolean whether there was something to accept
function M.accept(amount)
  local rest = remainder()
  if not completion or not rest or rest == "" then
    return false
  end
  local accepted = completion
  local piece = M.piece(rest, amount)
  local row, column = cursor()
  local lines = vim.split(piece, "\n", { plain = true })
  vim.api.nvim_buf_set_text(0, row, column, row, column, lines)
  local end_column = #lines[#lines] + (#lines == 1 and column or 0)
  vim.api.nvim_win_set_cursor(0, { row + #lines, end_column })
  part.accepted(rest:sub(#piece + 1))
  if piece == rest then
    M.clear()
    M.run(accepted.items[accepted.shown].command)
  else
    draw(rest:sub(#piece + 1))
  end
  return true
end

--- Applies the server's edit. The import of an accepted offer joins the offer's undo step, and the rest of
--- the offer stays on screen.
function M.apply(failure, request, context)
  local put_in = vim.lsp.handlers["workspace/applyEdit"]
  if failure or request.label ~= IMPORT then
    return put_in(failure, request, context)
  end
  local buffer = vim.api.nvim_get_current_buf()
  local n_before = vim.api.nvim_buf_line_count(buffer)
  -- Nothing can be joined after an undo.
  pcall(vim.cmd.undojoin)
  local answer = put_in(failure, request, context)
  local n_lines = vim.api.nvim_buf_line_count(buffer) - n_before
  if completion and completion.buffer == buffer then
    completion.anchor = { completion.anchor[1] + n_lines, completion.anchor[2] }
  end
  part.moved(buffer, n_lines)
  return answer
end

--- Runs an item's command, which reports the acceptance to the server.
function M.run(command)
  local client = server.client(0)
  if client and command then
    local call = { command = command.command, arguments = command.arguments }
    server.send(client, "workspace/executeCommand", call, function() end)
  end
end

--- Hides the grey text until the next change, and closes its accepted part.
---@return boolean whether there was any
function M.dismiss()
  local had_text = remainder() ~= nil
  M.clear()
  part.leave()
  return had_text
end

--- Enables or disables requests and grey text.
---@param is_enabled boolean
function M.set_enabled(is_enabled)
  M.is_enabled = is_enabled
  if not is_enabled then
    M.clear()
  end
end

--- The grey text on screen, for tests and for status lines; nil if there is none.
---@return string?
function M.visible()
  local rest = remainder()
  return rest ~= "" and rest or nil
end

return M
