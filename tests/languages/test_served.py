"""Go, Java and JSON for users: the command line, the worker's rungs and closers, and the server."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import LanguageClient

from fim_lsp.cli import main
from fim_lsp.closing import closing, closing_of_part
from fim_lsp.document.hole import Hole
from fim_lsp.document.sent import SentText
from fim_lsp.document.texts import WorkerText
from fim_lsp.known_languages import language_named
from fim_lsp.recognizers import fits
from fim_lsp.server.worker.ladder import footing
from fim_lsp.server.worker.messages import Rung, Wishes
from fim_lsp.server.worker.offer_filters import OFFER_FILTERS, begins_block, restrained_offer
from fim_lsp.server.worker.site import Site
from fim_lsp.server.worker.wording import offered_text
from quotient import Language
from tests.footings import footing_between
from tests.membership import is_member
from tests.server_editor import Document, command, script, server, use_model
from tests.sessions.client import PATIENT

WISHES = Wishes(1, 64, 20, True, "", False, None)


def split(marked: str) -> tuple[str, str]:
    left, _, right = marked.partition("$0")
    return left, right


# --- the command line ------------------------------------------------------------------------------------

FAULTY = {
    "a.go": (
        """package p

func f(a int) int {
	x := = 3
	if a = = 2 {
		return return
	}
	return g(a
}

func g() {
	y := 3 3
	for i := 0; i < 3; i++ {
		foo(i]
	}
}
""",
        [(4, 7), (5, 9), (6, 10), (8, 12), (12, 9), (14, 8)],
    ),
    "A.java": (
        """class A {
    int x = = 3;
    void f(int a) {
        if (a == ) {
            return return;
        }
        g(a;
    }
    void g( {
        int y = 3 3;
    }
    int z = 3
}
""",
        [(2, 13), (4, 18), (5, 20), (7, 12), (9, 13), (10, 19), (13, 1)],
    ),
    "a.json": (
        '{\n  "a": [1, 2,],\n  "b" 3,\n  // hi\n  "c": {"d": tru}\n}\n',
        [(2, 14), (3, 7), (4, 3), (5, 14)],
    ),
    "a.cjs": ("a = b\nb = = 1\nc()\n", [(2, 5)]),
    "a.jsx": ("a = <b>{= 1}</b>\nc = <d e=f/>\n", [(1, 9), (2, 10)]),
    "b.js": ("a = <b c='d'/>\nb = = 1\n", [(2, 5)]),
    "a.toml": ("[a\nb = 1\nc = = 2\n[[d]]\ne = [1 2]\nf 3\n", [(1, 3), (3, 5), (5, 8), (6, 3)]),
}


@pytest.mark.parametrize("name", FAULTY)
def test_check_finds_all_faults(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, places = FAULTY[name]
    (tmp_path / name).write_bytes(text.encode())
    assert main(["check", str(tmp_path / name), "--json"]) == 1
    [file] = json.loads(capsys.readouterr().out)["files"]
    assert [(fault["line"], fault["column"]) for fault in file["faults"]] == places


@pytest.mark.parametrize(
    ("name", "marked", "shortest"),
    [
        ("a.go", "package p\n\nfunc f() {\n\tg(1, 2$0\n}\n", ")"),
        ("A.java", "class A {\n    int x = f(1$0\n}\n", ");"),
        ("a.json", '{"a": [1, 2$0\n}\n', "]"),
        ("a.toml", "a = [1, {b = 2$0]\n", "}"),
        ("a.mjs", "import a from 'b'\nf(`${a$0`)\n", "}"),
        ("a.jsx", "a = <b>{f(1$0}</b>\n", ")"),
        ("a.js", "a = <b>{f(1$0}</b>\n", ")"),
    ],
)
def test_complete_check_and_bench_go_by_the_extension(
    name: str, marked: str, shortest: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    left, right = split(marked)
    path = tmp_path / name
    path.write_text(left + right)
    line, column = left.count("\n") + 1, len(left) - left.rfind("\n")
    assert main(["complete", f"{path}:{line}:{column}", "--json", "--model", "none"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [one["text"] for one in answer["completions"]] == [shortest]
    assert answer["no_model_because"] == "no model was asked for"
    assert main(["complete", f"{path}:{line}:{column}", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert all(is_member(answer_language(name), left + one["text"] + right) for one in answer["completions"])
    is_data = name.endswith((".json", ".toml"))
    assert (answer["model"], "does not write" in (answer["no_model_because"] or "")) == (
        (None, True) if is_data else ("bundled", False)
    )
    assert main(["check", f"{path}:{line}:{column}"]) == 0
    path.write_text(left + shortest + right)
    assert main(["check", str(path)]) == 0
    assert main(["bench", str(path), "--runs", "1", "--json"]) == 0
    out = capsys.readouterr().out
    [timing] = json.loads(out[out.index("{") :])["files"]
    assert (timing["language"], timing["ast_parse"]) == (language_named(answer_language(name)).name, None)


def answer_language(name: str) -> str:
    return {"a.go": "go", "A.java": "java", "a.json": "json", "a.toml": "toml", "a.mjs": "javascript"}.get(
        name, "javascriptreact"
    )


@pytest.mark.parametrize("arguments", [["check", "{}"], ["complete", "{}:1:1"], ["bench", "{}"]])
def test_an_extension_without_a_grammar_is_refused(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.goo"
    path.write_text("x")
    assert main([argument.format(path) for argument in arguments]) == 2
    error = capsys.readouterr().err
    assert "no language is known for .goo files; --language names one; did you mean .go?" in error


# --- the worker ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "marked", "rung"),
    [
        ("go", "package p\nfunc f() {\n\tg(1$0\n}\n", "file"),
        ("go", "package p\nvar x = = 3\nfunc f() {\n\tg(1$0\n}\n", "set aside"),
        ("go", "package p\nfunc h() {\n\tif x = = 1 {\n\t\ty()\n\t}\n}\nvar z = g(1$0\n", "set aside"),
        ("go", "package p\nfunc f() {\n\tg(1$0\n}\nfunc h() {\n\tfoo(\n}\n", "set aside"),
        ("go", "package p\nfunc ( {\n\tx\n}\nfunc f() {\n\tg(1$0\n}\n", "set aside"),
        ("go", "pack p\nfunc f() {\n\tg(1$0\n}\n", "enclosing"),
        ("java", "class A {\n    void f() {\n        g(1$0\n    }\n}\n", "file"),
        ("java", "class A {\n    int x = = 3;\n    void f() {\n        g(1$0\n    }\n}\n", "set aside"),
        ("java", "class A {\n  { if (= 1) {\n      y();\n    }\n  }\n  int z = g(1$0\n}\n", "set aside"),
        ("java", "class A extends {\n    void f() {\n        g(1$0\n    }\n}\n", "enclosing"),
        ("json", '{"a": [1, 2$0}\n', "file"),
        ("json", '{\n  "a" 3,\n  "b": {\n    "c": [1$0\n  }\n}\n', "set aside"),
        ("json", '{\n  "a": 3\n  "b": {\n    "c": [1$0\n  }\n}\n', "enclosing"),
        ("json", '{\n  "a" 3,\n  "b": 4\n  $0]]\n', None),
        ("toml", "[a]\nb = [1, 2$0\n", "file"),
        ("javascript", "function f() {\n  g(1$0\n}\n", "file"),
        ("javascriptreact", "const x = = 3\nfunction F() {\n  return <a>{g(1$0}</a>\n}\n", "set aside"),
        ("javascript", "function F() {\n  return <a>{g(1$0}</a>\n}\n", "file"),
        ("javascript", "const x = = 3\nfunction f() {\n  g(1$0\n}\n", "set aside"),
        ("javascript", "a.b((c, = ) => {\n  d()\n})\nconst z = g(1$0\n", "set aside"),
        ("typescript", "function f(a: b<c>): d {\n  g<h>(1$0\n}\n", "file"),
        ("typescript", "const x: = 3\ninterface A { b: c }\nlet d = e(1$0\n", "set aside"),
        ("toml", "[a]\nb 3\nc = [1, 2$0\n[d]\n", "set aside"),
    ],
)  # fmt: skip
def test_which_rung_holds(language: str, marked: str, rung: Rung | None) -> None:
    left, right = split(marked)
    text = WorkerText(SentText("file:///a", 0, "3.11", left + right, language=language), left + right)
    on_footing = footing(Site.of(text, Hole(len(left), len(left), "")), repair_s=60.0)
    assert (on_footing and on_footing.rung) == rung
    if on_footing is not None:
        assert on_footing.recognizer.advance(on_footing.recognizer.witness())
        assert on_footing.recognizer.is_member()


@pytest.mark.parametrize("head", ["for (a of = )", "while (= )"])
def test_a_loop_with_a_broken_head_is_set_aside_as_a_loop(head: str) -> None:
    left, right = split(f"function f() {{\n  {head} {{\n    if (a) break\n  }}\n  g(1$0\n}}\n")
    text = WorkerText(SentText("file:///a", 0, "3.11", left + right, language="javascript"), left + right)
    on_footing = footing(Site.of(text, Hole(len(left), len(left), "")), repair_s=60.0)
    assert on_footing is not None
    assert on_footing.part.left.split("\n")[1:3] == ["for (;;) {", "    if (a) break"]


@pytest.mark.parametrize(
    ("language", "marked", "closers"),
    [
        ("go", "package p\nfunc f() {\n\tg(a[1$0\n}\n", "])"),
        ("go", "package p\nfunc f() {\n\tif x {\n\t\ty()$0\n", "}}"),
        ("go", 'package p\nvar x = "abc$0\n', '"'),
        ("go", "package p\nvar x = `abc$0", "`"),
        ("go", "package p\nvar x = 1$0\n", ""),
        ("go", "package p\nvar x = $0\n", None),
        ("java", "class A {\n    int x = f(a[1$0\n}\n", "]);"),
        ("java", 'class A {\n    String x = "abc$0\n}\n', '";'),
        ("java", 'class A {\n    String x = """\n        a"$0\n;}\n', '""'),
        ("java", "class A { void f() { g();$0", "}}"),
        ("java", "class A { int x = $0 }", None),
        ("java", "class A { void f() { for (int i = 0;$0 } }", None),
        ("json", '{"a": [1, {"b": "c$0', '"}]}'),
        ("json", '{"a": $0}', None),
        ("json", '{"a": 1}$0', ""),
        ("toml", 'a = [1, {b = "c$0', '"}]'),
        ("javascript", "f(`a${g(b$0", ")}`)"),
        ("javascript", "if (a) { b($0\n}\n", ")"),
        ("javascript", "x = $0", None),
        ("typescript", "let a: b<[c$0", "]>"),
        ("typescript", "const f = (a: Array<Set<number$0) => a;\n", ">>"),
        ("typescript", "if (a < b$0) c();\n", ""),
        ("typescript", "return a$0 b;\n", None),
        ("java", "class A { List<String$0 names; }\n", ">"),
        ("java", "class A { int f() { return g(a < b$0; } }\n", ")"),
        ("java", "class A { int f() { return a$0 } }\n", ";"),
        ("typescriptreact", "let a = f(<b<c>>{d$0", None),
        ("typescript", "f<a>(b as c[0$0", "])"),
        ("javascriptreact", "<a>{f(b$0}</a>", ")"),
        ("javascriptreact", "<a b={`c${d$0/>", "}`}"),
        ("javascriptreact", "<a>$0", None),
        ("toml", "a = '''b'$0", "''"),
        ("toml", "[[a$0\nb = 1\n", "]]"),
        ("toml", "a = $0", None),
    ],
)
def test_what_closes_what_is_open(language: str, marked: str, closers: str | None) -> None:
    left, right = split(marked)
    recognizer = Language.load(language).recognizer(left, right)
    assert closing(recognizer, right, language_named(language)) == closers
    if closers is not None:
        assert is_member(language, left + closers + right)


def test_what_a_part_of_an_offer_opened_is_closed() -> None:
    left, right = "class A {\n    int x = max(", "\n}\n"
    recognizer = Language.load("java").recognizer(left, right)
    assert closing_of_part(recognizer, right, "a, b);", language_named("java")) == ");"
    left = "class A {\n    int x = a +"
    recognizer = Language.load("java").recognizer(left, right)
    assert closing_of_part(recognizer, right, " b + c;", language_named("java")) == " b;"


@pytest.mark.parametrize(
    ("language", "marked", "written", "offer"),
    [
        # A file with tabs gets tabs, and a raw string's content is unchanged.
        ("go", "package p\nfunc f() {\n\tg()\n\t$0\n}", "if x {\n        y()\n    }", "if x {\n\t\ty()\n\t}"),
        ("go", "package p\nfunc f() {\n\tg()\n\t$0\n}\n", "x = `a\n    b`", "x = `a\n    b`"),
        ("java", "class A {\r\n  void f() {\r\n    $0\r\n  }\r\n}\r\n", "if (x) {\n\t\tg();\n\t}",
         "if (x) {\r\n    g();\r\n  }"),
        # A comment would swallow the rest of the line.
        ("java", "class A { void f() { g($0a); } }", "b); // c", None),
    ],
)  # fmt: skip
def test_offers_are_written_as_the_file_is(
    language: str, marked: str, written: str, offer: str | None
) -> None:
    left, right = split(marked)
    assert offered_text(written, footing_between(left, right, language), WISHES) == offer


@pytest.mark.parametrize(
    ("language", "marked", "written"),
    [
        ("go", "/* a$0 */\n", " b */package a/*"),
        ("go", "package p\n$0func f() {}\n", "var a = 1 /* b */ //"),
    ],
)
def test_nothing_is_made_a_comment_to_make_it_parse(language: str, marked: str, written: str) -> None:
    held = footing_between(*split(marked), language)
    assert fits(held.recognizer, written)
    assert offered_text(written, held, WISHES) is None
    assert offered_text("/* b */", footing_between("package p\n", "", "go"), WISHES) == "/* b */"


def test_filters_know_the_signs_of_the_language() -> None:
    left, right = "package p\nfunc f() {\n\t", "\n}\n"
    held = footing_between(left, right, "go")
    assert begins_block(held.site.lines, held.recognizer)
    assert restrained_offer("g() // why", held, OFFER_FILTERS) == "g()"
    assert restrained_offer('g("//")', held, OFFER_FILTERS) == 'g("//")'
    left, right = "class A { void f() {\n  g(1", "\n} }"
    assert restrained_offer(");", footing_between(left, right, "java"), OFFER_FILTERS) is None


# --- the server ------------------------------------------------------------------------------------------


@pytest_lsp.fixture(config=server())  # type: ignore[untyped-decorator]
async def client(lsp_client: LanguageClient) -> AsyncIterator[None]:
    settings = PATIENT | {"model": script(("x = ", ["g(1)"]))}
    await lsp_client.initialize_session(
        types.InitializeParams(types.ClientCapabilities(), initialization_options=settings)
    )
    yield
    await lsp_client.shutdown_session()


@pytest.mark.asyncio
async def test_a_model_of_the_user_s_own_writes_in_every_language(client: LanguageClient) -> None:
    go = Document(client, "package p\nfunc f() {\n\tx = $0\n}\n", "a.go", "go")
    assert await go.texts(invoked=True) == ["g(1)"]
    java = Document(client, "class A { int x = $0; int g(int a) { return a; } }", "A.java", "java")
    assert await java.texts(invoked=True) == ["g(1)"]
    broken = Document(client, "package p\nvar y = = 3\nfunc f() {\n\tx = $0\n}\n", "b.go", "go")
    assert await broken.texts(invoked=True) == ["g(1)"]
    assert (await broken.explained())["rung"] == "set aside"


@pytest.mark.asyncio
async def test_the_bundled_model_writes_what_has_braces(client: LanguageClient) -> None:
    """A second model writes these languages under the same name; both are loaded at once."""
    await use_model(client, "bundled")
    marked = {
        "go": "package p\n\nfunc f(n int) error {\n\tif n < 0 {\n\t\t$0\n\t}\n\treturn nil\n}\n",
        "java": "class A {\n    int b;\n    int getB() {\n        $0\n    }\n}\n",
        "typescript": "export function f(a: number): number {\n  $0\n}\n",
    }
    for language, text in marked.items():
        document = Document(client, text, f"a.{language}", language)
        [written, *_] = await document.texts(invoked=True)
        assert "return" in written
        left, right = split(text)
        assert is_member(language, left + written + right)
        assert "does not know" not in client.statuses[-1]["message"]  # type: ignore[attr-defined]
    python = Document(client, "def f(a):\n    $0\n")
    assert await python.texts(invoked=True)


@pytest.mark.asyncio
async def test_the_bundled_model_is_not_asked_for_data_and_the_status_says_so(
    client: LanguageClient,
) -> None:
    await use_model(client, "bundled")
    data = Document(client, '{"a": [1, 2$0\n}\n', "a.json", "json")
    # Closers alone are offered only on request.
    assert await data.texts() == []
    assert await data.texts(invoked=True) == ["]"]
    assert "The bundled model does not know JSON" in client.statuses[-1]["message"]  # type: ignore[attr-defined]
    silent = Document(client, '{"a": $0}\n', "b.json", "json")
    assert await silent.texts() == []
    explained = await silent.explained()
    assert explained["reason"] == "model lacks language"
    assert "The bundled model does not know JSON" in explained["message"]
    # A file that parses as it stands has a model, too, which merely does not know its language.
    whole = Document(client, '{"a": 1$0}\n', "c.json", "json")
    assert await whole.texts() == []
    assert (await whole.explained())["reason"] == "model lacks language"
    place = {"line": 0, "character": 11}
    assert await command(client, "fim-lsp.closing", data.uri, place, "") == {"text": "]"}
    # The first model writes a Python file in the same window.
    python = Document(client, "x = $0\n")
    await python.texts(invoked=True)
    assert client.statuses[-1]["message"] != explained["message"]  # type: ignore[attr-defined]


@pytest.mark.asyncio
async def test_json_with_comments_is_refused_with_its_reason(client: LanguageClient) -> None:
    document = Document(client, '{"a": [1$0 // b\n', "settings.json", "jsonc")
    assert await document.texts() == []
    explained = await document.explained()
    assert explained["reason"] == "language"
    assert "JSON with comments is not JSON" in explained["message"]
