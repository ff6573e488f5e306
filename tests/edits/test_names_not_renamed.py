"""Names that look renamed but are not, and blanks that are added or removed with a replacement."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, case, check

FLAG = """\
class Log:
    def __init__(self):
        self.enabled = True

    def write(self, text):
        if self.enabled:
            print(text)

    def stop(self):
        self.enabled = False
"""
FLAG_OF_SCRIPT = """\
class Log {
  constructor() {
    this.enabled = true;
  }
  write(text) {
    if (this.enabled) console.log(text);
  }
}
"""
BOTH = """\
class Job:
    name = "job"

    def __init__(self, name):
        self.name = name

    def show(self):
        return self.name


print(Job("x").name)
print(Job.name)
"""
GUARDS = "const a = user && user.name;\nconst b = user && user.mail;\nconst c = user && user.age;\n"

CASES = [
    case("a flag that means the opposite", FLAG, ("self.enabled = True", "self.disabled = False")),
    case(
        "the same in a class of JavaScript",
        FLAG_OF_SCRIPT,
        ("this.enabled = true", "this.disabled = false"),
        language="javascript",
    ),
    case(
        "a parameter that means the opposite",
        "def run(verbose=False):\n    if verbose:\n        print(1)\n\n\nrun(verbose=True)\nrun(True)\n",
        ("verbose=False", "quiet=True"),
    ),
    case(
        "a variable of JavaScript that does",
        "let isOpen = false;\nfunction toggle() {\n  isOpen = !isOpen;\n}\n",
        ("isOpen = false", "isClosed = true"),
        language="javascript",
    ),
    case(
        "a variable with a type that does",
        "let isOpen: boolean = false;\nexport const say = () => (isOpen ? 1 : 2);\n",
        ("isOpen: boolean = false", "isClosed: boolean = true"),
        language="typescript",
    ),
    case(
        "a flag that only has another name",
        FLAG,
        ("self.enabled = True", "self.active = True"),
        then=(("if self.enabled", "if self.active"), ("self.enabled = False", "self.active = False")),
    ),
    case(
        "an attribute of which the class has its own",
        BOTH,
        ("self.name = name", "self.title = name"),
        then=(("return self.name", "return self.title"), ('Job("x").name', 'Job("x").title')),
    ),
    case(
        "a blank that went with an operator",
        GUARDS,
        ("user && user.name", "user?.name"),
        ("user && user.mail", "user?.mail"),
        then=(("user && user.age", "user?.age"),),
        language="javascript",
    ),
    case(
        "a blank that came with an operator",
        GUARDS.replace(" && user", "?"),
        ("user?.name", "user && user.name"),
        ("user?.mail", "user && user.mail"),
        then=(("user?.age", "user && user.age"),),
        language="javascript",
    ),
]


@pytest.mark.parametrize("one", CASES, ids=lambda one: one.name)
def test_what_is_not_meant_is_left_alone(one: Case) -> None:
    check(one)
