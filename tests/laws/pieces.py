"""The material of the corruptions and random walks: Python's words, whole and broken.

Each list mixes what the language has with near misses: `0or` beside `0o7`, `def f(a=1, b)` beside `def f(a,
b=1)`.
"""


def words(text: str) -> tuple[str, ...]:
    """Return the words of a text."""
    return tuple(text.split())


def phrases(text: str) -> tuple[str, ...]:
    """Return the parts of a text that two spaces or a line end separate."""
    return tuple(part for line in text.split("\n") for part in line.strip().split("  ") if part)


KEYWORDS = words(
    r"""
    False None True and as assert async await break class continue def del elif else except finally for
    from global if import in is lambda nonlocal not or pass raise return try while with yield match case
    _ type print
    """
)
OPERATORS = words(
    r"""
    + - * ** / // % @ << >> & | ^ ~ := < > <= >= == != <> -> += -= *= /= //= %= @= &= |= ^= >>= <<= **=
    . , : ; = ... ! ? $ `
    """
)
NUMBERS = words(
    r"""
    0 1 00 07 08 0_0 1_0 1_ 1__0 0x 0xf 0x_f 0xg 0o 0o7 0o8 0b 0b1 0b2 1. .5 1.e 1.e5 1e 1e5 1e+ 1e-5
    1_e5 1j 1e5j 0j 08.5 08j 1if 0or 0xfor 1else 1in 1_a 1a 0_7 1.real 1..real 09e1 0b1_ 1L 1and 5not
    """
)
QUOTES = (
    "'", '"', "'''", '"""', "''", '""', "b'", "r'", "f'", "rb'", "ur'", 'Rb"', 'fr"', "u'", "bu'", "f'''",
    'F"""',
)  # fmt: skip
ESCAPES = (
    "\\", "\\\\", "\\n", "\\x4", "\\x41", "\\u12", "\\u1234", "\\U0001F600", "\\U00110000", "\\N{DASH}",
    "\\N{EM DASH}", "\\N{", "\\N", "\\8", "\\400", "\\'", '\\"', "\\\n", "\\\r\n", "\\\r", "\\ \n",
    "\\ud800", "\\{",
)  # fmt: skip
FIELDS = phrases(
    r"""
    {  }  {{  }}  {}  {a}  {a!r}  {a!x}  {a !r}  {a!r }  {a=}  {a = !r:>{w}}  {a:{b}}  {a:{b:{c}}}
    {a:{b!r:c}}  {a:  {a!r:  {a=  {lambda x: 1}  {(lambda x: 1)}  {a:=1}  {(a:=1)}  {*a}  {*a, b}
    {yield}  {a if b else c}  {a!=b}  {a!=b!r}  {'x'}  {"x"}  {a['b']}  {#}  {\}  { }  {a;b}  {a b}
    {a.}  {[a for a in b]}  {{}  {}}  {{a}}  {{{a}}}  {a}}  {f'{b}'}  {!r}  {a,}  {await a}  {a:%H:%M}
    {a:}}  {a:{}}  {a:{{}}}  {a == b}  {a <= b}  {a:\x41}  {a:\}
    """
)
NON_ASCII = (
    "é", "ª", "·", "℘", "\u0301", "€", "\xa0", "\ufeff", "\u3000", "😀", "ﬁ", "名", "\x00", "\x0b", "\x1a",
    "²", "٣", "\u2028", "𝐱",
)  # fmt: skip
LAYOUT = (
    "\n", "\n\n", " ", "  ", "    ", "\t", "\x0c", "\r", "\r\n", "\\\n", "\\\r\n", "\\", "\n ", "\n  ",
    "\n    ", "\n        ", "\n\t", "\n\x0c", " \x0c ", "# c", "#\n", "\n#c\n", "\n    #c\n", "\n \\\n",
    "\\\n\n", " \\\n  ", "\n     \n", "\n \t", "\n        \t",
)  # fmt: skip
BRACKETS = (
    "(", ")", "[", "]", "{", "}", "()", "[]", "{}", "([", "])", "(\n", "\n)", "(#\n",
)  # fmt: skip
STATEMENTS = phrases(
    r"""
    pass  x = 1  x: int  x: int = 1, 2  x += yield  return *a, b  yield *a, b  del x, y  del f()
    del (a), [b]  for x in *a, b: pass  if x: pass  else: pass  elif x: pass  else:  try:  except:
    except* A:  except A as b:  finally:  finally: pass  while x:  with a as b:  with (a as b, c as d,):
    with a as f():  with (a, b):  with (a):  class A(b, *c, d=1, **e):  class A(x for x in y): pass
    def f(a, b=1, /, c=2, *, d, e=3, **g):  def f(a=1, b): pass  def f(*): pass  def f(*, **k): pass
    def f(a, /, b, /): pass  def f(*a: *b): pass  def f() -> x: pass  async def f():
    async for x in y: pass  async with a: pass  await x  lambda: (yield)  lambda a=1, b: 2  lambda *: 1
    lambda *, a: 1  lambda a, /, b=1: a  import a.b as c, d  from . import (a, b as c,)
    from a import b,  from ... import *  from a import (*)  global a, b  nonlocal a  assert a, b
    assert (a, b)  raise a from b  raise from b  @a.b[c](d)  @x  print x  exec 'a'  match x:
    match x, *y:  match (x):   case _:  case A(b, c=d) | [e, *_] as f if g:  case {'a': 1, **b}:
    case -1 | 1+2j:  case a.b | 'x' 'y':  case a | b as _:  match = 1  match[x]: int  case = match(x)
    f(a, *b, c=d, **e)  f(**a, *b)  f(a=1, b)  f(a for a in b)  f(a for a in b, c)  f(c, a for a in b)
    f(a:=1)  f(a=b:=1)  a[b:c, ::d, *e]  a[b:=1]  a[b:=1:2]  [*a, b]  [*a for a in b]  {*a, b}
    {**a, b: c}  {a: b, *c}  {a: b for c in d}  {a for b in c if d if e}  {**a for b in c}  (a := 1)
    a := 1  a = b = c  a, *b = c  *a = b  *a, = b  *a  f() = 1  f() += 1  (a, b) += 1  a if b else c = 1
    a + 1 = 2  None = 1  a.None = 1  x.True  (a) = 1  (a): int = 1  a, b: int  [a]: int  a.b: c
    not a = b  a < b < c in d not in e is not f  a not b  a is is b  b'a' 'b'  'a' f'{b}' u'c'
    b'a' b'b'  b'é'  ...  a; b;  ;  a;; b  x = yield  x = yield = 1  (yield) = 1  yield = 1
    __debug__ = 1  def f(__debug__): pass  a.b.c[d].e = 1
    """
)

# The pieces that the laws' random walks type: one of each kind, words with and without spaces around them.
PIECES = tuple(
    dict.fromkeys(
        (
            *KEYWORDS, *(f" {word} " for word in KEYWORDS), *OPERATORS, *NUMBERS, *QUOTES, *ESCAPES, *FIELDS,
            *LAYOUT, *BRACKETS, *NON_ASCII, *STATEMENTS, "x", "a", " a", "f(", "x.", "x = ", ":\n", ",", ", ",
            "):\n    ", "e", "n", "r", "b", "j", "_", "{a\n}",
        )
    )
)  # fmt: skip
