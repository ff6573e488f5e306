// Continue's autocomplete without an editor: its own provider, model class and file system, called as by an
// editor. One JSON line comes in for each place, and one goes out with the text that it would show.
import { createInterface } from "node:readline";
import { writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { CompletionProvider } from "@continuedev/core/dist/autocomplete/CompletionProvider.js";
import LlamaCpp from "@continuedev/core/dist/llm/llms/LlamaCpp.js";
import FileSystemIde from "@continuedev/core/dist/util/filesystem.js";

const [address, key, template, folder] = process.argv.slice(2);
// A user's configuration.
const options = { template, debounceDelay: 100, maxPromptTokens: 700, useCache: false };
const model = new LlamaCpp({
    model: "any",
    apiBase: `${address}/`,
    apiKey: key,
    completionOptions: { maxTokens: 24, temperature: 0 },
});
const provider = new CompletionProvider(
    { loadConfig: async () => ({ config: { tabAutocompleteOptions: options } }) },
    new FileSystemIde(pathToFileURL(folder).href),
    async () => model,
    () => {},
    async () => [],
);

async function asked(path, text, offset, id) {
    await writeFile(path, text);
    const before = text.slice(0, offset).split("\n");
    return provider.provideInlineCompletionItems({
        completionId: id,
        filepath: pathToFileURL(path).href,
        pos: { line: before.length - 1, character: before.at(-1).length },
        recentlyVisitedRanges: [],
        recentlyEditedRanges: [],
        manuallyPassFileContents: text,
        isUntitledFile: false,
    });
}

async function main() {
    let count = 0;
    for await (const line of createInterface({ input: process.stdin })) {
        const { path, left, keys, right } = JSON.parse(line);
        let last;
        for (let typed = 1; typed <= keys.length; typed++) {
            provider.cancel();
            const begun = left + keys.slice(0, typed);
            last = asked(path, begun + right, begun.length, `${count++}`);
        }
        const outcome = await last;
        process.stdout.write(`${JSON.stringify({ text: outcome?.completion ?? null })}\n`);
    }
    process.exit(0);
}

main();
