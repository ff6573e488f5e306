"""Elements of JSX that are cut off inside another element: text between tags, which follows, is no string."""

from __future__ import annotations

import pytest

from tests.fitting.held import check_fit

LEFT, RIGHT = "const a = (\n  <div>\n    ", "\n  </div>\n);\n"


@pytest.mark.parametrize("language", ["javascriptreact", "typescriptreact"])
@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("<Abc", "/>"),
        ("<A b={c}", "/>"),
        ("<A b={c.d(", ")}/>"),
        ("<A b={() => c(d", ")}/>"),
        ("<A b={{ c: 1", "}}/>"),
        ("<A {...b", "}/>"),
        ("<p>{b.c(", ")}</p>"),
        ("{a && <A b={c}", "/>}"),
        ("<A b={`c", "`}/>"),
    ],
)
def test_an_element_that_is_cut_off_is_closed(language: str, text: str, end: str) -> None:
    found = check_fit(f"{LEFT}$0{RIGHT}", text, text + end, "closes what was open", language=language)
    assert found.added == end
    assert not found.dropped
