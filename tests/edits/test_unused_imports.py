"""Imports that lost their last use, in Go, Java, JavaScript and TypeScript."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, case, check

GO = """\
package main

import (
\t"fmt"
\t"strings"

\tyaml "example.org/go-yaml/v3"
)

func main() {
\tfmt.Println(strings.ToUpper("a"), yaml.New())
}
"""
GO_ALONE = """\
package main

import "strings"

func upper(text string) string {
\treturn strings.ToUpper(text)
}
"""
SCRIPT = """\
import fs from "fs";
import { join, dirname as folder } from "path";
import * as tools from "./tools";
import "./setup";

// join is said here
export const place = (name) => join(folder(name), tools.end(name));
export const read = (name) => fs.readFileSync(name);
"""
COMPONENT = """\
import React from "react";
import { Card } from "./card";

export const Page = () => <Card title="a" />;
"""
JAVA = """\
package shop;

import java.util.List;
import java.util.Map;
import static java.lang.Math.max;

class Cart {
    List<String> rows;
    Map<String, Integer> prices;
    int most(int a, int b) { return max(a, b); }
}
"""

CASES = [
    case(
        "one of a list in Go",
        GO,
        ('strings.ToUpper("a")', '"A"'),
        then=(('\t"strings"\n', ""),),
        language="go",
    ),
    case(
        "one with a name of its own",
        GO,
        (", yaml.New()", ""),
        then=(('\tyaml "example.org/go-yaml/v3"\n', ""),),
        language="go",
    ),
    case(
        "the only one in Go",
        GO_ALONE,
        ("strings.ToUpper(text)", "text"),
        then=(('import "strings"\n', ""),),
        language="go",
    ),
    case(
        "a whole statement",
        SCRIPT,
        ("fs.readFileSync(name)", "name"),
        then=(('import fs from "fs";\n', ""),),
        language="javascript",
    ),
    case(
        "one name of several, under another name",
        SCRIPT,
        ("folder(name)", "name"),
        then=((", dirname as folder", ""),),
        language="typescript",
    ),
    case(
        "everything of a module",
        SCRIPT,
        ("tools.end(name)", '"a"'),
        then=(('import * as tools from "./tools";\n', ""),),
        language="typescript",
    ),
    case(
        "a name that a comment still says",
        SCRIPT,
        ("join(folder(name), ", "(folder(name), "),
        language="javascript",
    ),
    case(
        "what JSX needs without a word",
        COMPONENT,
        ('<Card title="a" />', "<p>a</p>"),
        then=(('import { Card } from "./card";\n', ""),),
        language="typescriptreact",
    ),
    case(
        "a class in Java",
        JAVA,
        ("    Map<String, Integer> prices;\n", ""),
        then=(("import java.util.Map;\n", ""),),
        language="java",
    ),
    case(
        "a method in Java",
        JAVA,
        ("return max(a, b)", "return a"),
        then=(("import static java.lang.Math.max;\n", ""),),
        language="java",
    ),
    case(
        "a package whose name is another one, and a variable of that name",
        GO.replace('yaml "example.org/go-yaml/v3"', '"example.org/text"').replace("yaml.New()", "text"),
        (", text)", ")"),
        language="go",
    ),
    # No edit removes an import that was never used or that the user has just written.
    case(
        "an import without any use",
        JAVA.replace("Map<", "Set<"),
        ("List<String> rows", "List<String> all"),
        language="java",
    ),
    case(
        "an import that is new",
        GO_ALONE,
        ('import "strings"', 'import (\n\t"os"\n\t"strings"\n)'),
        language="go",
    ),
]


@pytest.mark.parametrize("one", CASES, ids=lambda one: one.name)
def test_what_nothing_uses_any_more_goes(one: Case) -> None:
    check(one)
