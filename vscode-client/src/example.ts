/** The file that the walkthrough opens: `$0` marks the hole that is to be completed. */
const MARKED = `"""Grey text appears at the cursor. Tab accepts it, Escape hides it."""


def mean(prices):
    total = sum(prices)
    return total / $0


print(mean([1, 2, 3]))
`;

export const EXAMPLE = MARKED.replace("$0", "");
export const EXAMPLE_CURSOR = MARKED.indexOf("$0");
