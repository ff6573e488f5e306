"""Names of events: what emits an event and what listens to it."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, check, drawn

CASES = (
    drawn(
        "a listener, and what emits",
        """\
const bus = new EventEmitter();

bus.on("<<ready|started>>", () => {
  console.log("ready");
});

function start() {
  bus.emit("[[ready|started]]");
  door.emit("ready");
}

function stop() {
  bus.off("[[ready|started]]", stop);
}
""",
        "javascript",
    ),
    drawn(
        "an object's own event",
        """\
class Store extends EventEmitter {
  save(row) {
    this.emit("<<saved|stored>>", row);
  }

  watch() {
    this.on("[[saved|stored]]", (row) => console.log("saved", row));
  }
}

const state = { saved: "saved" };
""",
        "javascript",
    ),
    drawn(
        "a bus in python",
        """\
bus.on("<<ready|started>>", run)
door.on("ready", knock)


def start():
    bus.emit("[[ready|started]]", 1)
    print("ready")
""",
    ),
    drawn(
        "an event of the page, chosen anew",
        """\
button.on("<<click|dblclick>>", run);
button.on("click", walk);
link.on("click", go);
""",
        "javascript",
    ),
    drawn(
        "a listener of an object of a known class",
        """\
class Store extends EventEmitter {
  save(row: Row) {
    this.emit("<<saved|stored>>", row);
  }
}

const store = new Store();
store.on("[[saved|stored]]", (row) => show(row, "saved"));
other.on("saved", go);
""",
        "typescript",
    ),
    drawn(
        "an event that was there already",
        """\
bus.on("<<open|close>>", a);
bus.on("close", b);
bus.emit("open");
bus.emit("close");
""",
        "javascript",
    ),
    drawn(
        "two sockets with one name of an event",
        """\
socket.on("<<msg|message>>", (row) => {
  io.emit("msg", row);
});
""",
        "javascript",
    ),
)


@pytest.mark.parametrize("one", CASES, ids=[one.name for one in CASES])
def test_what_comes_next(one: Case) -> None:
    check(one)
