"""Next edits: from what the user has just changed to what else must change (docs/edits.md).

Reading order, which is also the order in which the rooms may use each other, from the first to the last:

1. `texts`: two texts of a file, their trees, the changes between them, and an edit that may follow;
2. `renaming`: renamed names of Python, and their uses;
3. `typed`: the same in the other languages, by scopes and by types;
4. `importing`: imports that are changed, missing or unused;
5. `proving`: the guarantee, the imports that go with an edit, and repairs of files that do not parse;
6. `repeating`: substitutions that were made, the other places for them, and their probabilities;
7. `functions`: changed headers of functions and classes, and their calls;
8. `rules`: changes that people make at several places, each with a rule of its own;
9. `causes`: the edits of all rooms above that follow from one change;
10. `repeated_substitutions`: the places of substitutions that are probable enough;
11. `writers`: models that propose edits;
12. `rewriting`: a model trained on edits, which rewrites the lines around the last change;
13. `filling`: any other model, which writes a line anew as a hole;
14. `next_edits`: all proposals together, proved and ranked: begin there;
15. `projects`: edits in other files.

A room's `__init__.py` is its door: it lists what others may use, and what stays behind it.
"""
