"""Types that a condition narrows, and overloads, in languages other than Python: members that a name alone
does not tell apart."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, check, drawn

NARROWED = (
    drawn(
        "a value behind a negated `instanceof`",
        """\
class Dog {
  <<bark|woof>>() {}
}

function f(pet: Dog | Cat) {
  pet.bark();
  if (!(pet instanceof Dog)) {
    return pet.bark();
  }
  return pet.[[bark|woof]]();
}

function g(pet: Dog | Cat) {
  if (pet instanceof Dog && pet.[[bark|woof]]()) {
    pet.[[bark|woof]]();
  } else {
    pet.bark();
  }
  return pet instanceof Dog ? pet.[[bark|woof]]() : pet.bark();
}

function h(pet: Dog | Cat) {
  if (pet instanceof Dog) {
    pet = new Cat();
    pet.bark();
  }
  if (!(pet instanceof Dog)) {
    console.log("no dog");
  }
  pet.bark();
}
""",
        "typescript",
    ),
    drawn(
        "a variable of a negated `instanceof`",
        """\
class Dog extends Pet {
    void <<bark|woof>>() {}
}

class Use {
    void f(Pet pet) {
        if (!(pet instanceof Dog dog)) {
            return;
        }
        dog.[[bark|woof]]();
    }

    void g(Pet dog) {
        if (dog instanceof Dog other && other.fine()) {
            other.[[bark|woof]]();
        }
        dog.bark();
    }
}
""",
        "java",
    ),
    drawn(
        "such a variable has another name",
        """\
class Use {
    void f(Pet pet) {
        if (!(pet instanceof Dog <<d|dog>>)) {
            return;
        }
        [[d|dog]].bark();
    }
}
""",
        "java",
    ),
    drawn(
        "overloads that take different numbers of arguments",
        """\
class Sums {
    int <<sum|total>>(int a, int b) {
        return a + b;
    }

    int sum(int a) {
        return a;
    }

    int use(Sums other) {
        return [[sum|total]](1, 2) + sum(3) + this.[[sum|total]](4, 5) + other.[[sum|total]](6, 7);
    }
}
""",
        "java",
    ),
    drawn(
        "overloads that take as many",
        """\
class Sums {
    int <<sum|total>>(int a, int b) {
        return a + b;
    }

    int sum(long a, long b) {
        return 1;
    }

    int use() {
        return sum(1, 2);
    }
}
""",
        "java",
    ),
)


@pytest.mark.parametrize("one", NARROWED, ids=lambda one: f"{one.language}: {one.name}")
def test_what_comes_next(one: Case) -> None:
    check(one)
