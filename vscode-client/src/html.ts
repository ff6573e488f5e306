/** HTML pages in the editor's colours and fonts. Pure; `pages.ts` shows them. No page runs a script. */

/** A text escaped for HTML, including attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** A sentence in which backticks mark code. */
export function sentence(text: string): string {
  return text
    .split(/(`+)(.+?)\1/)
    .map((piece, index) => [escapeHtml(piece), "", `<code>${escapeHtml(piece)}</code>`][index % 3])
    .join("");
}

/** A whole document around the content of a page. */
export function documentOf(title: string, body: string, language = "en"): string {
  return `<!DOCTYPE html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
${body}
</body>
</html>`;
}

const STYLE = `
body { max-width: 46rem; padding: 0.5rem 1.5rem 2rem; line-height: 1.5; }
h1 { font-size: 1.5em; font-weight: 600; }
h2 { font-size: 1.1em; font-weight: 600; margin: 2em 0 0.6em; }
p.quiet { color: var(--vscode-descriptionForeground); }
code, pre { font-family: var(--vscode-editor-font-family); font-size: var(--vscode-editor-font-size); }
pre { background: var(--vscode-textCodeBlock-background); padding: 0.8em 1em; white-space: pre-wrap; overflow-wrap: anywhere; }
ins { background: var(--vscode-diffEditor-insertedTextBackground); text-decoration: none; }
del { background: var(--vscode-diffEditor-removedTextBackground); text-decoration: none; }
.figures { display: flex; flex-wrap: wrap; gap: 0.8em; padding: 0; margin: 1.5em 0; }
.figures > div { flex: 1 1 7em; padding: 0.8em 1em; background: var(--vscode-textCodeBlock-background); }
.figures dt { color: var(--vscode-descriptionForeground); }
.figures dd { margin: 0; font-size: 1.8em; }
table { border-collapse: collapse; width: 100%; }
th { font-weight: 600; text-align: right; }
td { text-align: right; }
th:first-child, td:first-child { text-align: left; overflow-wrap: anywhere; }
th, td { padding: 0.3em 0.6em; border-bottom: 1px solid var(--vscode-widget-border, #8884); }
svg { width: 100%; height: auto; }
svg text { fill: var(--vscode-descriptionForeground); font-size: 11px; font-family: var(--vscode-font-family); }
svg rect { fill: var(--vscode-charts-blue); }
svg line { stroke: var(--vscode-widget-border, #8888); }
`;
