"""A hole for which nothing but `for`, a name and `in` will do: what is offered is known to the letter."""

LEFT, RIGHT = "async def read(table):\n    return [row async ", " table]\n"
# The shortest of them, which is what the grammar alone offers.
FORCED = "for a in"
