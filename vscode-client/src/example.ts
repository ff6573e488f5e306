/** The file that the walkthrough opens: `$0` marks the hole, which the bundled model fills correctly. */
const MARKED = `"""Grey text appears at the cursor. Tab accepts it, Escape hides it."""


def count(words):
    counts = {}
    for word in $0:
        counts[word] = counts.get(word, 0) + 1
    return counts


print(count(["to", "be", "or", "not", "to", "be"]))
`;

export const EXAMPLE = MARKED.replace("$0", "");
export const EXAMPLE_CURSOR = MARKED.indexOf("$0");
