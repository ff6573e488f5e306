/** The file that the walkthrough opens: `$0` marks the hole, which the bundled model fills rightly. */
const MARKED = `"""Grey text appears at the cursor. Tab accepts it, Escape hides it."""


def show(items):
    for index, item in $0:
        print(index, item)


show(["first", "second"])
`;

export const EXAMPLE = MARKED.replace("$0", "");
export const EXAMPLE_CURSOR = MARKED.indexOf("$0");
