--- A part of an offer that was accepted: when the person goes elsewhere, what the part has opened is closed, so that the
--- file parses as before. The server knows the shortest text for that. Undo takes it back in one step.
---
--- "Elsewhere" is the key that hides the grey text, the cursor moved, insert mode or the buffer left, writing the file.
--- While the rest of the offer is on screen nothing is put in: the grey text still offers it.

local server = require("fim_lsp.server")

local M = {}

--- How long writing a file may wait for the server.
local PATIENCE = 1000

---@class fim_lsp.Part
---@field buffer integer
---@field position { [1]: integer, [2]: integer } where it ends: row and byte column, from 0
---@field rest string what was not accepted
---@field tick integer the text that it is a part of

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

--- A word or a line was accepted, and this is left of the offer; nothing is open where all of it was.
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

--- The cursor or the text has changed: typing on makes the part the person's own, another place leaves it.
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

--- So many lines were put in above by what belongs to the offer: the part is what it was.
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
    -- Setting the option begins another block to undo, also in insert mode.
    vim.cmd("let &undolevels = &undolevels")
  end)
  local row, column = unpack(left.position)
  vim.api.nvim_buf_set_text(left.buffer, row, column, row, column, vim.split(text, "\n", { plain = true }))
  if vim.api.nvim_win_get_buf(window) == left.buffer then
    vim.api.nvim_win_set_cursor(window, cursor)
  end
end

--- A place as the protocol has it.
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

--- The person went elsewhere.
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
