--- An accepted part of an offer, which is closed when the user leaves it, so that the file parses as before.
--- The server knows the shortest text for that, and undo removes it in one step.
---
--- Leaving is the key that hides the grey text, a move of the cursor, the end of insert mode, another buffer,
--- or writing the file. While the rest of the offer is on screen nothing is inserted, because the grey text
--- still offers it.

local server = require("fim_lsp.server")

local M = {}

--- How long writing a file may wait for the server.
local PATIENCE = 1000

---@class fim_lsp.Part
---@field buffer integer
---@field position { [1]: integer, [2]: integer } its end: row and byte column, from 0
---@field rest string the rest of the offer
---@field tick integer the state of the buffer

---@type fim_lsp.Part?
local part
local options = {}

---@param chosen fim_lsp.Options
function M.setup(group, chosen)
  options = chosen
  vim.api.nvim_create_autocmd("BufWritePre", {
    group = group,
    callback = function(event)
      if part and part.buffer == event.buf then
        M.leave(true)
      end
    end,
  })
end

--- Notes that a word or a line was accepted, with the rest of the offer. Without a rest, nothing is open.
---@param rest string
function M.accepted(rest)
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  part = rest ~= ""
      and {
        buffer = vim.api.nvim_get_current_buf(),
        position = { row - 1, column },
        rest = rest,
        tick = vim.b.changedtick,
      }
    or nil
end

--- Handles a change of the cursor or the text: a user who types on takes the part over, and one who moves
--- leaves it.
function M.follow()
  if not part then
    return
  end
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  local is_here = part.buffer == vim.api.nvim_get_current_buf()
  if is_here and vim.b.changedtick ~= part.tick then
    part = nil
  elseif not is_here or part.position[1] ~= row - 1 or part.position[2] ~= column then
    M.leave()
  end
end

--- Notes lines that were inserted above by the offer's import: the part moves and stays open.
---@param buffer integer
---@param n_lines integer
function M.moved(buffer, n_lines)
  if part and part.buffer == buffer then
    part.position = { part.position[1] + n_lines, part.position[2] }
    part.tick = vim.api.nvim_buf_get_changedtick(buffer)
  end
end

---@param left fim_lsp.Part
---@param text? string
local function put_in(left, text)
  local is_same = vim.api.nvim_buf_is_valid(left.buffer)
    and vim.api.nvim_buf_get_changedtick(left.buffer) == left.tick
  if type(text) ~= "string" or text == "" or not is_same then
    return
  end
  local window = vim.api.nvim_get_current_win()
  local cursor = vim.api.nvim_win_get_cursor(window)
  vim.api.nvim_buf_call(left.buffer, function()
    -- Setting the option begins a new undo block, also in insert mode.
    vim.cmd("let &undolevels = &undolevels")
  end)
  local row, column = unpack(left.position)
  vim.api.nvim_buf_set_text(left.buffer, row, column, row, column, vim.split(text, "\n", { plain = true }))
  if vim.api.nvim_win_get_buf(window) == left.buffer then
    vim.api.nvim_win_set_cursor(window, cursor)
  end
end

--- A position in the protocol's units.
---@param buffer integer
---@param row integer from 0
---@param column integer from 0, in bytes
---@return { line: integer, character: integer }
function M.place(client, buffer, row, column)
  local line = vim.api.nvim_buf_get_lines(buffer, row, row + 1, false)[1] or ""
  local front, units = line:sub(1, column), client.offset_encoding
  local character = column
  if units ~= "utf-8" then
    character = units == "utf-32" and vim.fn.strchars(front)
      or #vim.iconv(front, "utf-8", "utf-16le") / 2
  end
  return { line = row, character = character }
end

--- Closes the part, because the user has left it.
---@param is_urgent? boolean whether to wait for the server
function M.leave(is_urgent)
  local left = part
  part = nil
  local client = left and options.close_partial_accepts and server.client(left.buffer)
  if not left or not client then
    return
  end
  local call = {
    command = "fim-lsp.closing",
    arguments = {
      vim.uri_from_bufnr(left.buffer),
      M.place(client, left.buffer, unpack(left.position)),
      left.rest,
    },
  }
  local is_answered = false
  server.send(client, "workspace/executeCommand", call, function(failure, answer)
    is_answered = true
    if not failure and answer then
      put_in(left, answer.text)
    end
  end, left.buffer)
  if is_urgent then
    vim.wait(PATIENCE, function()
      return is_answered
    end, 5)
  end
end

--- Whether a part is open, for tests and for status lines.
---@return boolean
function M.is_open()
  return part ~= nil
end

return M
