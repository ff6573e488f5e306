"""Undeclared names of Java: the faults found, and javac's verdict."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from fim_lsp.declared.advice import hole_declarations
from fim_lsp.declared.java_package import known_names
from fim_lsp.known_languages import JAVA
from fim_lsp.other_programs import environment_without_keys
from fim_lsp.replay.judges import QUICK_START, NoJudge, java
from tests.names.declared import by_law
from tests.names.java_names import DATA, java_names

NAMES = Path(__file__).parent
# Types of a file, and the names in them that javac does not find.
TEXTS = [
    (text, names)
    for line in (NAMES / "unresolved_java.txt").read_text(encoding="utf-8").splitlines()[1:]
    for text, _, names in [line.rpartition(" // ")]
]


def file_of(text: str, package: str = "p") -> str:
    return f"package {package}; {text}\n"


@pytest.mark.parametrize(("text", "names"), TEXTS)
def test_what_is_declared_nowhere(text: str, names: str, tmp_path: Path) -> None:
    path = tmp_path / "p" / "A.java"
    path.parent.mkdir()
    assert sorted(by_law(file_of(text), JAVA, str(path))) == sorted(names.split())


def test_javac_says_the_same(tmp_path: Path) -> None:
    try:
        program = java()
    except NoJudge as none:
        pytest.skip(str(none))
    for number, (text, _) in enumerate(TEXTS):
        path = tmp_path / f"p{number}" / "A.java"
        path.parent.mkdir()
        path.write_text(file_of(text, f"p{number}"))
    paths = [str(tmp_path / f"p{number}" / "A.java") for number in range(len(TEXTS))]
    done = subprocess.run(
        [program, QUICK_START, str(NAMES / "Unresolved.java"), *paths],
        env=environment_without_keys(),
        capture_output=True,
        text=True,
        check=True,
    )
    said: dict[str, list[str]] = {path: [] for path in paths}
    for line in done.stdout.splitlines():
        file, _, name = line.partition("\t")
        # On Windows the path has the form of an address: /C:/folder/A.java.
        said[str(Path(re.sub(r"^/(?=\w:/)", "", file)))].append(name.removeprefix("package "))
    for (text, names), file in zip(TEXTS, paths, strict=True):
        assert {one for one in said[file] if "." not in one} == set(names.split()), text


@pytest.mark.parametrize(
    "text",
    [
        "import q.*; class A { B b; }",
        "import static q.B.*; class A { int a = b + c() + D.e; F f; }",
        "class A extends q.B { int a = b + c(); D d; class E { int f = g; } }",
        "import q.B; class A { Object o = new B() { int a = b + c(); }; }",
        "import q.B; class A extends Mid { int a = b; } class Mid extends B { }",
        "import q.B; class A { int a = q.Bar.c + com.acme.shop(); Object o = b.new Inner(); int b; }",
        "import lombok.Data; @Data class A { void m() { log.info(getX()); } ABuilder b; }",
        "class A { int m(E e) { switch (e) { case RED: return 1; } } enum E { RED } }",
        "class A { int m(Object o) { if (!(o instanceof String s)) return 1; return s.length(); } }",
        "void main() { IO.println(List.of()); }",
    ],
)
def test_doubt_means_yes(text: str, tmp_path: Path) -> None:
    path = tmp_path / "p" / "A.java"
    path.parent.mkdir()
    assert by_law(file_of(text), JAVA, str(path)) == []


def test_a_name_that_other_lines_use_may_come_from_anywhere() -> None:
    declared = hole_declarations(JAVA, "class A { int m() { return ", "; } int n() { return later; } }")
    assert declared is not None
    assert not declared.diagnostics("later")
    assert [one.words for one in declared.diagnostics("sooner")] == ["`sooner` is not declared here"]


def test_of_types_nothing_is_said_where_a_text_lies_nowhere(tmp_path: Path) -> None:
    text = file_of("class A { B b = c + d(); }")
    assert by_law(text, JAVA, "") == ["c", "d"]
    # Its folder differs from the package's.
    assert by_law(text, JAVA, str(tmp_path / "A.java")) == ["c", "d"]
    assert by_law("class A { B b; }", JAVA, str(tmp_path / "A.java")) == ["B"]
    assert by_law("module a { requires b; uses c.D; }", JAVA, str(tmp_path / "module-info.java")) == []


def laid(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_what_other_files_of_the_project_have(tmp_path: Path) -> None:
    main, test = "core/src/main/java/p/", "core/src/test/java/p/"
    laid(
        tmp_path,
        {
            "pom.xml": "",
            "core/pom.xml": "",
            "web/pom.xml": "",
            main
            + "B.java": "package p; import q.Base; public class B extends Base { int b; } class Beside { }",
            main + "More.java": "package p; public class More extends Unknown { }",
            "core/src/main/java/q/Base.java": (
                "package q; public class Base { protected int base; int f(int... a) { return 1; }"
                " enum Kind { X } }"
            ),
            "web/src/main/java/p/Web.java": "package p; class Web { }",
            test + "Help.java": "package p; class Help { static int help; }",
        },
    )
    text = file_of(
        "class A extends B { Beside s; Web w; Help h; Kind k; int x = b + base + f() + c; Not n; }"
    )
    for folder in (main, test):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        assert by_law(text, JAVA, str(tmp_path / folder / "A.java")) == ["c", "Not"]
    inner = file_of("class A { class D extends More { int x = y; } int z = v; }")
    # The members of `More` are unknown, so no fault is found inside a type that extends it.
    assert by_law(inner, JAVA, str(tmp_path / main / "A.java")) == ["v"]
    imports = "package r; import q.*; import static q.Base.*;"
    starred = f"{imports} class A {{ Base b; Kind k; Bass c; int d = base + bass; }}"
    laid(tmp_path, {"core/src/main/java/r/Z.java": "package r;"})
    found = by_law(starred, JAVA, str(tmp_path / "core/src/main/java/r/A.java"))
    assert found == ["Bass", "bass"]
    # Beside files of Kotlin, the contents of the package are unknown.
    (tmp_path / "core/src/main/kotlin").mkdir()
    assert "Not" not in by_law(text, JAVA, str(tmp_path / main / "A.java"))


OPENAPI = "<plugin><artifactId>openapi-generator-maven-plugin</artifactId></plugin>"


@pytest.mark.parametrize(
    ("beside", "text", "names"),
    [
        ({"pom.xml": ""}, "class A { B b; int i = x; }", ["B", "x"]),
        # Types that the module's build writes may have any name; those of another module's do not matter.
        ({"pom.xml": OPENAPI}, "class A { B b; int i = x + y.z(); }", ["x", "y"]),
        (
            {"pom.xml": "", "web/pom.xml": OPENAPI, "web/src/main/java/q/C.java": ""},
            "class A { B b; }",
            ["B"],
        ),
        # Another file of the package has it from somewhere, and this one not from an import.
        ({"pom.xml": "", "src/main/java/p/C.java": "package p; class C { B b; }"}, "class A { B b; }", []),
        (
            {"pom.xml": "", "src/main/java/p/C.java": "package p; import q.B; class C { B b; }"},
            "class A { B b; }",
            ["B"],
        ),
        ({"pom.xml": ""}, "class A { int r = R.id.x; }", ["R"]),
        ({"pom.xml": "", "src/main/AndroidManifest.xml": ""}, "class A { int r = R.id.x; }", []),
        ({"pom.xml": ""}, "import android.os.B; class A { boolean b = BuildConfig.DEBUG; R r; }", []),
    ],
)
def test_what_builds_and_dependencies_bring_along(
    beside: dict[str, str], text: str, names: list[str], tmp_path: Path
) -> None:
    laid(tmp_path, beside)
    path = tmp_path / "src/main/java/p/A.java"
    path.parent.mkdir(parents=True, exist_ok=True)
    assert by_law(f"package p; {text}", JAVA, str(path)) == names


def test_what_an_editor_has_open_counts_as_it_is_there(tmp_path: Path) -> None:
    laid(tmp_path, {"p/B.java": "package p; class B { int b; }"})
    declared = hole_declarations(
        JAVA, "package p; class A extends B { int a = ", "; }", str(tmp_path / "p/A.java")
    )
    assert declared is not None
    assert [one.words for one in declared.diagnostics("b + c")] == ["`c` is not declared here"]
    opened = {(tmp_path / "p/B.java").as_uri(): "package p; class B { int c; }"}
    assert [one.words for one in replace(declared, opened=opened).diagnostics("b + c")] == [
        "`b` is not declared here"
    ]


def test_types_that_extend_each_other_end(tmp_path: Path) -> None:
    text = file_of("class A extends B { int a = c; } class B extends A { }")
    (tmp_path / "p").mkdir()
    assert by_law(text, JAVA, str(tmp_path / "p/A.java")) == ["c"]


def test_the_names_are_those_of_the_installed_jdk() -> None:
    try:
        names = java_names()
    except NoJudge as none:
        pytest.skip(str(none))
    assert known_names() == names, f"python -m tests.names.java_names --write changes {DATA.name}"


@pytest.mark.parametrize(
    ("left", "text", "right", "wrong"),
    [
        ("class A { public ", "public A() {", "} }", ["public"]),
        ("class A { public ", "A() {", "} }", []),
        ("class A { ", "public private", " int a; }", ["private"]),
        ("class A { ", "static", " static int a; }", ["static"]),
        ("class A { public static ", "final", " int a; }", []),
        ("class A { @B ", "@B private", " int a; @interface B {} }", []),
        # An earlier fault does not belong to this text.
        ("class A { public public ", "static", " int a; }", []),
        ("class A {\n  @Override\n  ", "@Override public String a() {", " return null; }\n}", ["@Override"]),
        ("class A {\n  @Tag(1)\n  ", "@Tag(2) public String a() {", " return null; }\n}", []),
    ],
)
def test_no_modifier_stands_twice_or_beside_one_that_excludes_it(
    left: str, text: str, right: str, wrong: list[str]
) -> None:
    hole = hole_declarations(JAVA, left, right)
    assert hole is not None
    assert [fault.name for fault in hole.faults(text)[2]] == wrong
