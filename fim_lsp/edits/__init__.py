"""Next edits: from what the user has just changed to what else must change (docs/edits.md).

Reading order, which is also the order in which the rooms may use each other, from the first to the last:

1. `texts`: two texts of a file, their trees, what was changed between them, and an edit that may follow;
2. `renaming`: names of Python that were changed where they are bound, and their uses;
3. `typed`: the same in the other languages, by scopes and by what is of which type;
4. `importing`: names that are imported otherwise, not yet, or no more;
5. `proving`: the guarantee, the imports that go with an edit, and mends of what does not parse;
6. `repeating`: substitutions that were made, where else they may be made, and how probable that is;
7. `functions`: headers of functions and classes that were changed, and their calls;
8. `rules`: changes that are made at several places, each with a rule of its own;
9. `causes`: what is known by itself, of all rooms above;
10. `repeated_substitutions`: the places of substitutions that are probable enough;
11. `rewriting`: the lines around the last change, as a model that was taught edits writes them;
12. `next_edits`: all of them put together, proved and ranked: begin there;
13. `projects`: edits in other files.

A room's `__init__.py` is its door: it lists what others may use, and what stays behind it.
"""
