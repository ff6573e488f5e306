"""Imports of Go, Java and React that an edit has left missing."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, check, drawn

MISSING = (
    drawn(
        "the only import",
        """\
package a
[[|
import "strings"
]]
func up(s string) string {
	return <<s|strings.ToUpper(s)>>
}
""",
        "go",
    ),
    drawn(
        "one beside another one",
        """\
package a

[[import "fmt"|import (
	"fmt"
	"strings"
)]]

func up(s string) string {
	fmt.Println(s)
	return <<s|strings.ToUpper(s)>>
}
""",
        "go",
    ),
    drawn(
        "in the order of a list",
        """\
package a

import (
	"fmt"[[|
	"os"]]
	"strings"

	"example.com/own"
)

func up(s string) string {
	fmt.Println(s, own.X)
	return strings.ToUpper(<<s|os.Getenv(s)>>)
}
""",
        "go",
    ),
    drawn(
        "in front of the packages of others",
        """\
package a

import (
	[[|"time"

	]]"example.com/own"
)

func f(t <<int|time.Duration>>) {
	own.Wait(t)
}
""",
        "go",
    ),
    drawn(
        "a variable, an unknown member, another field",
        """\
package a

func f(strings Maker, o Own) string {
	return <<""|strings.ToUpper(o.time.Now())>> + log.Info("x")
}
""",
        "go",
    ),
    drawn(
        "a list",
        """\
package shop;

import java.util.List;[[|
import java.util.Map;]]

class A {
    List<String> names;
    <<String|Map<String, String>>> rows;
}
""",
        "java",
    ),
    drawn(
        "the first of a file",
        """\
package shop;[[|

import java.util.Arrays;]]

class A {
    Object f() {
        return <<null|Arrays.asList(1)>>;
    }
}
""",
        "java",
    ),
    drawn(
        "a class of the file, a type parameter, a package as a whole",
        """\
import java.util.*;

class A<Stream> {
    <<int|Stream>> a;
    <<int|Map>> b;
    <<int|Pattern>> c;
}

class Pattern {}
""",
        "java",
    ),
    drawn(
        "a hook",
        """\
import React, { useState[[|, useMemo]] } from "react";

export function A({ rows }) {
  const [n] = useState(0);
  const total = <<rows.length|useMemo(() => rows.length, [rows])>>;
  return total + n;
}
""",
        "javascriptreact",
    ),
    drawn(
        "a hook of one's own",
        """\
import { useState } from "react";

function useId() {
  return useState(0);
}

export const a = () => <<1|useId()>>;
""",
        "typescript",
    ),
)


@pytest.mark.parametrize("one", MISSING, ids=lambda one: f"{one.language}: {one.name}")
def test_what_comes_next(one: Case) -> None:
    check(one)
