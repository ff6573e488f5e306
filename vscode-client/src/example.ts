/** The file that the walkthrough opens: `$0` marks the hole, which the bundled model fills rightly. */
const MARKED = `"""Grey text appears at the cursor. Tab accepts it, Escape hides it."""


def total(prices):
    result = 0
    for price in $0:
        result += price
    return result


print(total([3, 4, 5]))
`;

export const EXAMPLE = MARKED.replace("$0", "");
export const EXAMPLE_CURSOR = MARKED.indexOf("$0");
