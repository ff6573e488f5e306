"""Words of a language, whole and broken, which damage its texts and which random walks type."""

from dataclasses import dataclass
from functools import cached_property

from tests.laws import pieces
from tests.laws.pieces import phrases, words


@dataclass(frozen=True)
class Words:
    """The material of one language. Each kind mixes what the language has with near misses."""

    keywords: tuple[str, ...]
    operators: tuple[str, ...]
    numbers: tuple[str, ...]
    quotes: tuple[str, ...]
    escapes: tuple[str, ...]
    layout: tuple[str, ...]
    brackets: tuple[str, ...]
    statements: tuple[str, ...]
    # Further texts that replace a word.
    atoms: tuple[str, ...]
    # Texts of this language alone, such as fields of f-strings or ends of operands.
    others: tuple[str, ...]
    non_ascii: tuple[str, ...] = pieces.NON_ASCII

    @cached_property
    def all(self) -> tuple[str, ...]:
        """A piece of each kind, words with and without spaces around them."""
        spaced = (f" {word} " for word in self.keywords)
        kinds = (self.operators, self.numbers, self.quotes, self.escapes, self.others, self.layout)
        more = (self.brackets, self.non_ascii, self.statements, self.atoms)
        return tuple(
            dict.fromkeys((*self.keywords, *spaced, *(one for kind in kinds + more for one in kind)))
        )


PYTHON = Words(
    pieces.KEYWORDS,
    pieces.OPERATORS,
    pieces.NUMBERS,
    pieces.QUOTES,
    pieces.ESCAPES,
    pieces.LAYOUT,
    pieces.BRACKETS,
    pieces.STATEMENTS,
    ("x", "''", "f'{x}'", "()"),
    pieces.FIELDS,
)

# White space and comments of languages with braces.
BRACED_LAYOUT = (
    "\n",
    "\n\n",
    " ",
    "  ",
    "\t",
    "\r",
    "\r\n",
    "\f",
    "\n\t",
    "//",
    "// c\n",
    "/*",
    "*/",
    "/* c */",
    "/**/",
    "/* c\nd */",
    "/*/",
    "//\n",
    "\\\n",
    ";",
    ";\n",
    ";;",
    ",",
    ",\n",
    "\v",
    "/",
    "/ ",
)
BRACKETS = (
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "()",
    "[]",
    "{}",
    "([",
    "])",
    "(\n",
    "\n)",
    "{\n",
    "\n}",
    "})",
    "){",
)

GO = Words(
    keywords=words(
        """
        break case chan const continue default defer else fallthrough for func go goto if import interface
        map package range return select struct switch type var nil iota any int string _ true append
        """
    ),
    operators=words(
        """
        + - * / % & | ^ << >> &^ += -= *= /= %= &= |= ^= <<= >>= &^= && || <- ++ -- == < > = ! ~ != <= >=
        := ... . , : ; ? @ # $ =: -> => ** // ===
        """
    ),
    numbers=words(
        """
        0 1 00 07 08 0_0 1_0 1_ 1__0 0x 0xf 0x_f 0xg 0o 0o7 0o8 0b 0b1 0b2 1. .5 1.e 1e5 1e 1e-5 1i 1e5i
        08i 08.5 0x1p-2 0x1.8p1 0x.p1 0x1.8 0b1i 0o7i 0x1i 1_e5 1e_5 09 1n
        """
    ),
    quotes=('"', "'", "`", '""', "''", "``", "'a'", "'ab'", '"a"', "`a`", "`\n`", "'\\''", "'\\\"'", '"\\"'),
    escapes=(
        "\\",
        "\\\\",
        "\\n",
        "\\x4",
        "\\x41",
        "\\377",
        "\\400",
        "\\8",
        "\\u12",
        "\\u1234",
        "\\ud800",
        "\\U0001F600",
        "\\U00110000",
        "\\'",
        '\\"',
        "\\a",
        "\\e",
        "'\\uD800'",
        "'\\xff'",
        "'\\400'",
    ),
    layout=BRACED_LAYOUT,
    brackets=BRACKETS,
    statements=phrases(
        """
        x := 1  x, y := 1, 2  x.y := 1  var x int  var x = 1  var x, y int = 1, 2  const c = iota
        const c int  type T struct { a, b int; c }  type T = int  type T[P any] []P
        type T[P interface{~int|string}] struct{}  type T interface { m(); ~int | string }  func f() {}
        func (t *T) m(a, b int, c ...string) (x int, err error) {}  func f[P any](p P) P { return p }
        func (t T) m[P any]() {}  func f() (...int)  func f(a int, string) {}  func f(a, b ...int)
        if x {}  if x := f(); x { y } else if z { } else { }  if x == (T{}) {}  if x == T{} {}
        if x == []int{1} {}  if x == ([32]a){}  for {}  for x {}  for ;; {}
        for i := 0; i < 3; i++ { f(i) }  for range x {}  for i, v := range x {}  for i := range 10 {}
        for x = range y {}  for x := 1; y; z := 2 {}  switch x { case 1, 2: y; fallthrough; default: }
        switch x := y.(type) { case int, *T: }  switch { case x: y case z: }  L: case 2:
        switch x { case 1: L: }  select { case x := <-c: case c <- 1: default: }  select { case f(): }
        go f()  go f  defer f(x...)  defer (f())  return  return x, y  goto L  break L  continue  L: x++
        x++ y--  x = y++  x <- y  <-x  x <<= 1  x, y = y, x  *p = 1  f() = 1  x == y  import "a"
        import a "b"  import ( . "a"; _ "b" )  package p  x[a:b:c]  x[a::c]  x[:]  x[a, b]  x.(T)
        x.(type)  T{a: 1, b: {2}}  []T{{1}, {2}}  [...]int{1}  map[string]int{"a": 1}  func() {}()
        func() (r[:])  struct{A}.m  interface{M()}.M(nil)  (func())(x)  chan<- int(x)  <-chan int(x)
        (<-chan int)(x)  *T(x)  &T{}  x.y.z(a)[b]{c}  f(int, x)  make([]int, 3)  f[int](x)  f[int, string]
        a[b](c){d}  var f func(int) (a, b)  type T [N]int  type T [N * 2]int  type T[P *Q] x
        type T[P *Q,] x  type T[P (Q)] x  type T (int)  case x: y  }  {  else  else {}
        """
    ),
    atoms=("x", "a", " a", "f(", "x.", "x = ", ", ", "x{", "T{}", '"s"', "'c'", "nil", ")\n", "]\n", "}\n"),
    others=(
        "\x00",
        "x\n",
        "x // c\n",
        "x /* c\n */",
        "return\n",
        "break\n",
        "x++\n",
        ")\n",
        "}\n",
        "}\n\n",
        "\ufeff",
    ),
)

JAVA = Words(
    keywords=words(
        """
        abstract assert boolean break byte case catch char class const continue default do double else
        enum extends final finally float for goto if implements import instanceof int interface long
        native new package private protected public return short static strictfp super switch synchronized
        this throw throws transient try void volatile while _ true false null var record yield sealed
        permits non-sealed when module open exports
        """
    ),
    operators=words(
        """
        + - * / % & | ^ << >> >>> += -= *= /= %= &= |= ^= <<= >>= >>>= && || ++ -- == < > = ! ~ != <= >=
        -> :: ... . , : ; ? @ # $ => ** === <> ?: .. @interface
        """
    ),
    numbers=words(
        """
        0 1 00 07 08 0_0 1_0 1_ 1__0 0x 0xf 0x_f 0xg 0b 0b1 0b2 1. .5 1.e5 1e5 1e 1e-5 1L 1l 1f 1d 1e5f
        0x1p-2 0x1.8p1f 0x.p1 0x1.8 09 09.5 1_.5 2147483648 1LL 0L 08L 0_7
        """
    ),
    quotes=(
        '"',
        "'",
        '""',
        "''",
        "'a'",
        "'ab'",
        '"a"',
        '"""',
        '"""\na"""',
        '"""a"""',
        "'\\''",
        '"\\"',
        '""""',
    ),
    escapes=(
        "\\",
        "\\\\",
        "\\n",
        "\\s",
        "\\e",
        "\\377",
        "\\400",
        "\\8",
        "\\u12",
        "\\u1234",
        "\\uu0041",
        "\\u0022",
        "\\u000a",
        "\\u005c",
        "\\\\u0041",
        "\\'",
        '\\"',
        "\\\n",
        "\\ud83d\\ude00",
        "\\u0061b",
    ),
    layout=BRACED_LAYOUT,
    brackets=(*BRACKETS, "<", ">", ">>", "<>", "<?>"),
    statements=phrases(
        """
        int x = 1;  int x, y[] = {1, 2}, z;  final var x = f();  var x;  var x = {1};  var x[] = y;
        var x = 1, y = 2;  int[] x = new int[3][];  x = new int[]{1};  x = new int[];
        new A<>(1) { int y; };  A<B<C>> x;  A<B<C<D>>> x;  A<? extends B, ?> x;  x.y();  x.y().class;
        int.class;  A[].class;  x++;  ++x;  x + y;  x = y = z;  (x) = 1;  x.<A>f();  this(1);  super(x);
        x.super();  A.this.f();  A::f;  x = A::new;  x = int[]::new;  x = A<B>::f;  x = () -> 1;
        x = (a, b) -> { };  x = (int a, final var b) -> c;  x = (A) y -> z;  x = (A & B) y;  x = (A) -y;
        x = (int) -y;  x = a ? b : c -> d;  x = a instanceof B b && c;  x = a instanceof final B b;
        x = a instanceof R(_, var _);  x = a instanceof R(int a, S(var b)) ;  if (x) y(); else z();
        if (x) int y = 1;  for (;;) ;  for (int i = 0, j; i < 3; i++, j--) { }  for (var x : y) ;
        for (x : y) ;  while (x) y();  do x(); while (y);  L: x();  break L;  continue;  return x;
        throw x;  assert x : y;  synchronized (x) { }  try { } catch (A | B e) { } finally { }  try { }
        try (var x = y; z) { }  try (x.y; this) { }  switch (x) { case 1, 2: y(); break; default: }
        switch (x) { case 1 -> y(); default -> { } }
        switch (x) { case A a when b -> c; case null, default -> d; }
        x = switch (y) { case 1 -> 2; default -> throw z; };  switch (x) { case 1 -> y(); case 2: z(); }
        yield 1;  yield = 1;  yield(1);  int yield;  class A { }  static class A { }  final class A { }
        public class A { }  abstract sealed class A permits B { }  enum E { A, B(1) { }; int x; }
        record R(int a, String... b) { R { } int c() { } }  record R(int a) { int b; }
        interface I { int x; int y = 1; void f(); default void g() { } }  interface I permits A { }
        class A permits B { }  @interface A { int x() default 1; }  public public class A { }
        public static final int X = 1;  @A(b = {1, 2}) int x;  @A(1) class B { }
        void f(int a, int... b) throws X { }  <T extends A & B> T f() { }  A() { }  B() { }  int f()[] { }
        void f();  abstract void f();  static { }  { }  import a;  import a.b;  import a.*;
        import static a.b.c;  import module a.b;  package a.b;  module a { requires b; }  void main() { }
        int goto = 1;  int _ = 1;  f(_ -> 1);  int \\u0041 = 1;  x = "\\{y}";  ;  }  { ; }  record x;
        """
    ),
    atoms=("x", "a", " a", "f(", "x.", "x = ", ", ", "x[", "A<", '"s"', "'c'", "null", "(A) ", "@A ", "1"),
    others=("\x00", "\x1a", "\\u0041", "A<B", "::", "-> ", "case ", "this", "@", "\\u007b"),
)

JSON = Words(
    keywords=words("true false null True nul NaN Infinity -Infinity undefined"),
    operators=words(": , ; = - + ."),
    numbers=words("0 1 -1 -0 00 01 1. .5 1.5 1e5 1E+5 1e- 1e -1.5e-3 +1 0x1 1_0 - -- 1a ١"),
    quotes=('"', '""', '"a"', "'a'", '"\\"', '"\\', "'"),
    escapes=(
        "\\",
        "\\\\",
        "\\n",
        "\\/",
        "\\u12",
        "\\u1234",
        "\\ud800",
        "\\'",
        '\\"',
        "\\x41",
        "\\a",
        "\n",
        "\t",
    ),
    layout=("\n", " ", "  ", "\t", "\r\n", "\f", "\v", "// c\n", "/* c */", "# c\n", "\xa0"),
    brackets=("{", "}", "[", "]", "{}", "[]", "[{", "}]", "],", "},", "(", ")"),
    statements=phrases("""
        {"a": 1}  [1, 2]  {"a": [{}]}  "a": 1,  "a": 1  , "a": 1  [1,]  {"a":}  {a: 1}  {"a" 1}  1, 2
        {"a": 1, "a": 2}
        """),
    atoms=("1", '"a"', "null", '"a":', ", ", "a"),
    others=("\x00", "\x1f", "\x7f", "\ufeff"),
)

TOML = Words(
    keywords=words("true false inf nan -inf +nan True Z T"),
    operators=words(". , = : + - _ == .."),
    numbers=words(
        """
        0 1 -1 +1 -0 00 01 1_0 1__0 _1 1. .5 1.5 1.5.1 1e5 1E+5 1e- -1.5e-3 0x1f 0xg 0o7 0o8 0b1 -0x1
        1979-05-27 1979-13-27 2023-02-29 2024-02-29 1900-02-29 0000-01-01 07:32:00 24:00:00 07:32 07:32:00.5
        +07:00 -24:00
        """
    ),
    quotes=("'", '"', "'''", '"""', "''", '""', '""""', '"a"', "'a'", '"""a"""', "'''a'''", '"\\"', '"a""'),
    escapes=(
        "\\",
        "\\\\",
        "\\n",
        "\\e",
        "\\u12",
        "\\u1234",
        "\\ud800",
        "\\U0010FFFF",
        "\\U00110000",
        '\\"',
        "\\\n",
        "\\ \n",
    ),
    layout=("\n", "\n\n", " ", "  ", "\t", "\r\n", "\r", "\f", "#", "# c\n", "#\n", "\xa0"),
    brackets=("{", "}", "[", "]", "[[", "]]", "{}", "[]", "[ [", "] ]", "[[[", "]]]", "[{", "}]", "],", "},"),
    statements=phrases(
        """
        a = 1  [a]  [[a]]  [a.b]  ["a".'b']  [ a . b ]  a.b = 1  'a' = 1  "" = 1  '''a''' = 1  1.5 = 1
        1e5 = 1  a = [1, 2]  a = [1, 2,]  a = [,]  a = [[1], [2]]  a = {}  a = {b = 1, c = 2}  a = {b = 1,}
        a = {b.c = [{}]}  a = b  a 1  = 1  a = 1 b = 2  [a] b = 1  []  [[a]  [a]]  a = 1979-05-27T07:32:00Z
        a = 1979-05-27 07:32:00-07:00  a = 1979-05-27  07:32:00
        a = inf5  a = 1 # b  a.1.5 = 2  1979-05-27 = 1  1979-05-27 .a = 1  1. 5 = 1
        """
    ),
    atoms=("1", "a", '"a"', "a = ", ", ", "[a]\n", "true", "a.", "\na = 1\n"),
    others=("\x00", "\x1f", "\x7f", "\ufeff", "1979-05-27 ", "é"),
)
