/** The languages that the server completes, by VS Code's names; tested against the server's own list. */
export const LANGUAGES = [
  "python",
  "go",
  "java",
  "json",
  "toml",
  "javascript",
  "javascriptreact",
  "typescript",
  "typescriptreact",
];
