--- The server of a buffer, called in the way of each release of Neovim.

local M = {}

--- The server of a buffer; nil when there is none.
---@param buffer integer
function M.client(buffer)
  return vim.lsp.get_clients({ bufnr = buffer == 0 and vim.api.nvim_get_current_buf() or buffer, name = "fim-lsp" })[1]
end

--- `client.request` became a method in 0.11.
function M.send(client, method, parameters, handler, buffer)
  if vim.fn.has("nvim-0.11") == 1 then
    return client:request(method, parameters, handler, buffer)
  end
  return client.request(method, parameters, handler, buffer)
end

function M.notify(client, method, parameters)
  if vim.fn.has("nvim-0.11") == 1 then
    client:notify(method, parameters)
  else
    client.notify(method, parameters)
  end
end

function M.cancel(client, identifier)
  if vim.fn.has("nvim-0.11") == 1 then
    client:cancel_request(identifier)
  else
    client.cancel_request(identifier)
  end
end

--- `vim.str_byteindex` got its present arguments in 0.11.
---@param units "utf-8"|"utf-16"|"utf-32"
function M.byte_column(line, column, units)
  if units == "utf-8" then
    return column
  elseif vim.fn.has("nvim-0.11") == 1 then
    return vim.str_byteindex(line, units, column, false)
  end
  return vim.str_byteindex(line, math.min(column, vim.fn.strchars(line)), units == "utf-16")
end

return M
