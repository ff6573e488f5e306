"""Texts in Go, Java and JSON that use most features of these languages."""

GO = [
    """package main

import (
	"fmt" // for printing
	str "strings"
	. "math"
	_ "embed"
)

/* a comment
over lines */ const (
	first = iota
	second
)

var x, y = 1, 0x1p-2 /* in line */
var table = [...][2]int{{1, 2}, {3, 4}}

type Number interface {
	~int | ~float64
	fmt.Stringer
	Add(other int) (sum int, err error)
}

type Pair[K comparable, V any] struct {
	Key   K `json:"key"`
	Value V
	*Inner
}

func (p *Pair[K, V]) String() string { return str.Repeat("=", 2) + `raw
string` }

func Map[T any](values []T, f func(T) T) (out []T) {
	for _, value := range values {
		out = append(out, f(value))
	}
	return
}
""",
    """package p

func f(a, b int, rest ...string) (int, error) {
	if err := g(); err != nil {
		return 0, err
	} else if a == b {
		goto end
	}
	for i := 0; i < 10; i++ {
		if i%2 == 0 {
			continue
		}
		a /= 2
		b = a / 3 // half
	}
	switch v := any(a).(type) {
	case int, *string:
		_ = v
	case nil:
	default:
		break
	}
	switch {
	case a > b && !(a < b):
		fallthrough
	default:
		a++
	}
end:
	c := make(chan int, 1)
	select {
	case c <- 1:
	case v, ok := <-c:
		_, _ = v, ok
	}
	go func() { defer close(c) }()
	m := map[string][]int{"a": {1, 2}, 'x': nil}
	s := rest[1:len(rest):cap(rest)]
	return m["a"][0] &^ 3, (*T)(nil).Err(&Point{X: 1.5e3, Y: 07i})
}
""",
]

JAVA = [
    """package a.b;

import java.util.*;
import static java.lang.Math.max;

@SuppressWarnings({"unchecked", "x"})
public abstract class Shape<T extends Comparable<T> & Runnable> implements Iterable<Map<String, List<T>>> {
    private static final int[] TABLE = {1, 2, 0x1F, 0b11, 017, 1_000L}, other[] = null;
    static { System.out.println("start"); }
    protected final Map<String, Map<Integer, List<T>>> map = new HashMap<>();

    /** A comment. */
    public Shape(final T first, int... rest) throws java.io.IOException {
        this.map.get("a").put(rest[0], null);
        super.toString();
    }

    abstract <R> R apply(Function<? super T, ? extends R> f);

    enum Kind { SMALL(1), LARGE(2) { int f() { return 2; } }; final int n; Kind(int n) { this.n = n; } }
    record Point(int x, int y) { Point { if (x < 0) throw new IllegalArgumentException(); } }
    sealed interface S permits A, B {}
    @interface Note { String value() default "none"; }
}
""",
    """class Main {
    static int f(List<Integer> values, Object o) {
        int total = 0, i;
        for (int value : values) { total += value >> 1 >>> 2; }
        for (i = 0; i < 10; i++, total--) continue;
        outer: while (total > 0) { do { break outer; } while (true); }
        if (o instanceof String s && !s.isEmpty()) return s.length();
        else if (o instanceof Point(int x, var y)) return (int) x + (y < 1 ? -1 : ~y);
        switch (total) { case 1: case 2: total++; break; default: }
        var name = switch (o) {
            case null, default -> "none";
            case Integer n when n > 3 -> { yield "big"; }
            case Long n -> throw new RuntimeException();
        };
        Runnable r = () -> {}, q = Main::run;
        Comparator<String> c = (a, b) -> a.compareTo(b);
        Supplier<int[][]> arrays = () -> new int[3][];
        try (var in = open(); other) { in.read(); } catch (A | B e) { throw e; } finally { close(); }
        synchronized (o) { assert total > 0 : "message"; }
        String text = \"\"\"
            a "quoted" text
            \"\"\" + 'x' + '\\n' + 1.5e-3f;
        new Thread() { public void run() { Main.super.toString(); } }.start();
        return ((List<String>) o).stream().map(String[]::new).<Integer>reduce(0, Integer::sum);
    }
}
""",
]

JSON = [
    '{"name": "x", "list": [1, 2.5e-3, true, null], "nested": {"a\\u00e9": "\\"quoted\\""}}',
    "[]",
    '[{"id": 1, "tags": ["a", "b"]}, {"id": 2, "tags": []}, -0.1, "é"]\n',
]
TOML = [
    '[a."b c"]\nd = [[1, 2], [\n  -1.5e3, # e\n  +inf,\n]]\n1.5 = 1979-05-27 07:32:00Z\n',
    '[[f]]\r\ng = {h = """i\n"j" \\\n  k""", l.m = \'n\'}\nfalse = true # o\n',
]
JSX = [
    "export const A = ({ b, ...c }) => (\n  <>\n    <d {...c} f-g:h='i\n' />\n    {j => <k/>}\n  </>\n)\n",
    "function A() {\n  return a ? <b c=<d/> e={`f${<g>h</g>}`}>&amp; {i}{' '}{/* j */}</b> : null\n}\n",
]
TSX = [
    "const A = <B,>({ c }: D<B>) => (\n  <F<B> g={c as h}>\n {c!.map(i => <j.k l-m='n'/>)}\n</F>\n)\n",
    "function A(b?: C) {\n  return b < c ? <D<E>>&amp; {f<G>(b)}</D> : <h i={<></>}/>\n}\nj = <l {...m}/>\n",
]
TYPESCRIPT = [
    "class A<B extends C<D<E>>> implements F {\n  private g?: h = i as j\n  @k() l(m: n): m is o;\n}\n",
    "type A<B> = B extends (infer C)[] ? { [d in keyof C]-?: `e${d}` } : never\nlet f = <g,>(h: g) => h!\n",
    "declare module 'a' {\n  import type { b } from 'c'\n  let d: (e) => asserts e\n}\nx = y < z >> 1\n",
]
JAVASCRIPT = [
    "import a, { b as c } from 'd'\nexport default async function* () {\n  yield await e?.[f] ?? `${a}`\n}\n",
    "class A extends B {\n  #c = /d[/]/g\n  static get e() { return this.#c in x }\n}\nlet f = 1_0n\n++f\n",
    "if (a) b\nelse for (const { c, d = `e${f}g` } of h) (i => ({ j }))\n/* k\n*/ --> l\nreturn // m\n",
]
