/** The file that the walkthrough opens: `$0` marks the hole that is to be completed. */
const MARKED = `"""Grey text appears at the cursor. Tab accepts it, Escape hides it."""


def area(width, height):
    return width * height


def square(width):
    return area($0


print(square(3))
`;

export const EXAMPLE = MARKED.replace("$0", "");
export const EXAMPLE_CURSOR = MARKED.indexOf("$0");
