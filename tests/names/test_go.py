"""Undeclared names of Go: the faults found, and the verdict of go/types."""

from __future__ import annotations

import json
import subprocess
import time
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from fim_lsp.declared.advice import hole_declarations
from fim_lsp.declared.beside import FileLocation
from fim_lsp.declared.go_package import escaped_path, package_name
from fim_lsp.document.hole import Hole
from fim_lsp.document.sent import SentText
from fim_lsp.document.texts import WorkerText
from fim_lsp.known_languages import GO
from fim_lsp.replay.judges import ALONE, NoJudge, go
from fim_lsp.server.worker.completers import Completer
from fim_lsp.server.worker.completing import Completing
from fim_lsp.server.worker.messages import Wishes
from fim_lsp.server.worker.offer_request import OfferRequest
from fim_lsp.server.worker.site import Site
from tests.names.declared import by_law, middles, planted, uses
from tests.names.go_names import DATA, go_names
from tests.scripted.completer import Says

# A text of a package, the names that go/types does not find in it, and those that nothing uses.
TEXTS = [
    ('import "fmt"; func f(a int) (n int, err error) { fmt.Println(a, n, err, b); return }', "b", ""),
    ("func f() { { a := 1; _ = a }; _ = a; x, y := a, 2; _ = x + y + z }", "a a z", ""),
    ("func f() { _ = a; a := a; _ = a }", "a a", ""),
    ("func f() { if x := g(); x > 0 { _ = x } else if y := x; y > 1 { } else { _ = y }; _ = x }", "g x", ""),
    ("func f(m []int) { for i, v := range m { _ = i + v }; for j := 0; j < i; j++ { }; _ = j }", "i j", ""),
    ("func f(c chan int) { select { case x, ok := <-c: _, _ = x, ok; default: _ = x } }", "x", ""),
    ("func f(v any) { switch t := v.(type) { case int: _ = t; case Foo: } }", "Foo", ""),
    ("func f(v any) { switch t := v.(type) { case int: } }", "", "t"),
    ("func f(k int) { switch y := k; y { case 1: z := y; _ = z; case zz: _ = z } }", "zz z", ""),
    ("type L[T any, U ~int | Bad] struct { a T; b U; c V; *E }", "Bad V E", ""),
    ("type L[T any] struct { a T }; func (l *L[K]) m(k K) T { var t T; return t }", "T T", ""),
    ("func g[T, U any](t T, u U, w W) { var f func(q int) = nil; f(q) }", "W q", ""),
    ("type T struct { a int; B T2 }; var v = T{a: 1, B: T2{b: c}}", "T2 T2 c", ""),
    ("var m = map[string]int{key: 1}; var l = [...]int{at: 2}; var s = []int{n: 3}", "key at n", ""),
    ("var x = later; const later = 1; func h() { goto L; L: for { break L } }", "", ""),
    (
        "const ( c1 = iota; c2 ); var p = c2 + len(undef); var i interface{ M(a Int) string; Em }",
        "undef Int Em",
        "",
    ),
    ("func f() { type R struct { next *R }; var a R; const c = 1; _ = a; _ = R2{} }", "R2", ""),
    ("func f() { func(p int) { _ = p }(1); _ = p }", "p", ""),
    ("func f() int { a, err := 1, 2; b, err := a, 3; return b }", "", "err"),
    (
        'import str "strings"; import "math/rand/v2"; var a = str.ToUpper(strings.X); var b = rand.N(1)',
        "strings",
        "",
    ),
    ('import "os"; var a os.Nothing; var f os.File; var g bytes.Buffer', "bytes", ""),
    ("func f() { var a, b = 1, 2; _ = a; x := 3 }", "", "b x"),
    ("func f() { n := 1; n = 2; if m := 1; true { } }", "", "n m"),
    ("func f(a, b, c, d, e, g, h, i, j, k int) int { return a + b + c + k + l }", "l", ""),
    ('type M map[string]int; func f() M { k := "a"; return M{k: 1} }', "", ""),
    ("func f() *bool { var false bool; return &false }", "", ""),
    ("func f(A, B, C, D, E, G, H, I, int) {}", "A B C D E G H I", ""),
]


def file_of(text: str) -> str:
    return f"package p\n{text}\n"


@pytest.mark.parametrize(("text", "names", "unused"), TEXTS)
def test_what_is_declared_nowhere(text: str, names: str, unused: str, tmp_path: Path) -> None:
    found = by_law(file_of(text), GO, str(tmp_path / "a.go"))
    # A variable that is assigned to counts as used.
    assert sorted(found) == sorted([*names.split(), *(one for one in unused.split() if one != "n")])


def test_go_types_says_the_same() -> None:
    try:
        program = go()
    except NoJudge as none:
        pytest.skip(str(none))
    source = Path(__file__).parent / "undefined.go"
    given = json.dumps([file_of(text) for text, _, _ in TEXTS])
    done = subprocess.run(
        [program, "run", str(source)], input=given, env=ALONE, capture_output=True, text=True, check=True
    )
    for (text, names, unused), said in zip(TEXTS, json.loads(done.stdout), strict=True):
        undefined = {one.split()[1] for one in said if one.startswith("undefined")}
        assert undefined == set(names.split()), text
        assert {one.split()[1] for one in said if one.startswith("unused")} >= set(unused.split()), text


@pytest.mark.parametrize(
    "text",
    [
        'import . "fmt"; func f() { a() }',
        'import "example.org/go-shop"; var a = shop.B + other.C',
        "func f() { a() }; func g(a( {",
        # What the reader of Go does not know yet: `new` of a value.
        'var a = []*string{new("b"), new("c")}; var b = c; func f() { d := 1; e := new(d + 1) }',
        # Nor a function of one's own that is called so.
        (
            'import "io"; func new(a ...any) any { }; func f() {\n'
            '\tx := new(io.A(io.B("a")), io.C, io.C, false)\n\ty, err := x.z()\n\tf(err)\n\tf(y)\n}'
        ),
    ],
)
def test_doubt_means_yes(text: str, tmp_path: Path) -> None:
    shader = "//kage:unit pixels\n\npackage p\nvar a vec2\n"
    assert by_law(shader, GO, str(tmp_path / "a.go")) == []
    assert by_law(file_of(text), GO, str(tmp_path / "a.go")) == []
    assert by_law("package p\nvar a = b\n", GO, "") == []


def test_what_the_package_s_other_files_declare(tmp_path: Path) -> None:
    (tmp_path / "b.go").write_text(
        "package p\nvar one, two = 1, 2\ntype (T int; U = T)\nconst ( C = 1\nD\n)\n"
    )
    (tmp_path / "b_test.go").write_text("package p\nfunc ofTests() {}\n")
    (tmp_path / "c_test.go").write_text("package p_test\nfunc outside() {}\n")
    (tmp_path / "tool.go").write_text("//go:build ignore\npackage main\nfunc ofTool() {}\n")
    text = file_of("var _ = T(one + two + C + D); var _ U; func f() { ofTests(); outside(); ofTool() }")
    assert by_law(text, GO, str(tmp_path / "a.go")) == ["ofTests", "outside", "ofTool"]
    assert by_law(text, GO, (tmp_path / "a_test.go").as_uri()) == ["outside", "ofTool"]
    # A document in an editor replaces the file on disk.
    left = "package p\nvar a = "
    opened = {(tmp_path / "b.go").as_uri(): "package p\nvar three = 3\n"}
    declared = hole_declarations(GO, left, "\n", str(tmp_path / "a.go"))
    assert declared is not None
    assert not declared.diagnostics("one")
    assert [one.words for one in replace(declared, opened=opened).diagnostics("one + three")] == [
        "`one` is not declared here"
    ]


def test_what_imported_packages_are_called(tmp_path: Path) -> None:
    (tmp_path / "go.mod").write_text(
        "module example.org/shop/v2\n\nrequire (\n\texample.org/Out v1.2.3 // indirect\n)\n"
    )
    for folder, package in (("go-cart", "cart"), ("vendor/example.org/far", "near")):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "a_test.go").write_text("package nothing_test\n")
        (tmp_path / folder / "doc.go").write_text("//go:build ignore\npackage documentation\n")
        (tmp_path / folder / "z.go").write_text(f"package {package}\n")
    place = FileLocation(tmp_path / "cmd" / "main.go")
    assert package_name("example.org/shop/v2/go-cart", place) == "cart"
    assert package_name("example.org/far", place) == "near"
    assert package_name("math/rand/v2", place) == "rand"
    assert package_name("example.org/nowhere", place) is None
    assert package_name("example.org/Out/in", place) is None
    assert escaped_path("github.com/BurntSushi") == "github.com/!burnt!sushi"
    text = file_of('import "example.org/shop/v2/go-cart"; var a = cart.B + wagon.C')
    assert by_law(text, GO, str(tmp_path / "a.go")) == ["wagon"]


def test_the_module_cache_says_it_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOMODCACHE", str(tmp_path / "cache"))
    inside = tmp_path / "cache" / "example.org" / "!out@v1.2.3" / "in"
    inside.mkdir(parents=True)
    (inside / "a.go").write_text("package within\n")
    (tmp_path / "go.mod").write_text("module a\nrequire example.org/Out v1.2.3\n")
    assert package_name("example.org/Out/in", FileLocation(tmp_path / "a.go")) == "within"


def test_what_is_typed_next_may_use_a_variable(tmp_path: Path) -> None:
    """Only blocks that the text itself has closed are certain."""
    declared = hole_declarations(GO, "package p\nfunc f() {\n\t", "\n}\n", str(tmp_path / "a.go"))
    assert declared is not None
    assert not declared.diagnostics("n := 1")
    assert not declared.diagnostics("if n := 1; true {")
    assert [one.words for one in declared.diagnostics("if n := 1; true { return }")] == [
        "`n` is declared and not used"
    ]
    assert not declared.diagnostics("if n := 1; n > 0 { return }")


def test_the_server_offers_no_such_name(tmp_path: Path) -> None:
    (tmp_path / "b.go").write_text("package p\nvar total = 1\n")
    whole = "package p\nvar a = \n"
    text = WorkerText(SentText((tmp_path / "a.go").as_uri(), 0, "", whole, language="go"), whole)
    site = Site.of(text, Hole(len(whole) - 1, len(whole) - 1))
    request = OfferRequest(site, Wishes(2, 64, 20, True, "", False, None), time.perf_counter() + 60)
    said = cast("Completer", Says("nowhere", "total"))
    assert Completing().offer_for(request, said).texts == ("total",)
    said = cast("Completer", Says("nowhere"))
    assert Completing().offer_for(request, said).reason == "undeclared"


def test_the_names_are_those_of_the_installed_go() -> None:
    try:
        names = go_names()
    except NoJudge as none:
        pytest.skip(str(none))
    assert json.loads(DATA.read_text(encoding="utf-8")) == names


def test_the_measure_plants_names(tmp_path: Path) -> None:
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "a.go").write_text('package p\nimport "fmt"\nfunc f(a int) {\n\tfmt.Println(a)\n}\n')
    some = list(middles([folder], GO, 20, 1))
    assert len(some) == 20
    both = [(middle, use) for middle in some for use in uses(GO, middle)]
    assert {use.text for _, use in both} == {b"fmt", b"a", b"int"}
    middle, use = both[0]
    assert planted(middle, use).content.count(b"Qx") == 1
