//! What the engine's steps cost on a generated module: `cargo bench -p fim-quotient`.
//!
//! The Python benches measure what users feel, on real files; this one tells the two directions
//! and the hole apart, without an interpreter. Each figure is the median of several runs, with
//! charts as cold as the title says.
#![expect(clippy::print_stdout, reason = "the figures")]

use std::time::{Duration, Instant};

use fim_quotient::{Engine, GrammarDescription, Language};

const N_RUNS: usize = 9;

fn main() {
    let description = include_str!("../grammars/python-3.11.json");
    let text = module(400);
    println!("a module of {} bytes, {} lines", text.len(), text.lines().count());
    let description = GrammarDescription::from_json(description).expect("a description");
    let language = || Language::new(description.clone()).expect("a grammar");

    let cold = |left: &[u8], right: &[u8]| {
        median(|| {
            let engine = Engine::new(language());
            timed(|| drop(engine.recognizer(left, right).expect("a hole")))
        })
    };
    per_byte("forward, cold charts", cold(text.as_bytes(), b""), text.len());
    per_byte("backward, cold charts", cold(b"", text.as_bytes()), text.len());

    let engine = Engine::new(language());
    let warm = |left: &[u8], right: &[u8]| {
        median(|| timed(|| drop(engine.recognizer(left, right).expect("a hole"))))
    };
    per_byte("forward, warm charts", warm(text.as_bytes(), b""), text.len());
    per_byte("backward, warm charts", warm(b"", text.as_bytes()), text.len());

    let middle = text.len() / 2 + text[text.len() / 2..].find("    return").expect("a line");
    let mut document = engine.document(text.clone().into_bytes());
    drop(document.recognizer(middle, middle));
    let typed = median(|| {
        timed(|| {
            document.edit(middle, middle, b" ");
            document.edit(middle, middle + 1, b"");
            drop(document.recognizer(middle, middle).expect("a hole"));
        })
    });
    println!("{:32} {typed:>10.1?}", "a hole after two edits");

    let recognizer = document.recognizer(middle, middle).expect("a hole");
    let filling = "    if a and (b or c[1:2]):\n        x = f'{a!r}' + str(b)\n";
    let advanced = median(|| {
        let mut fork = recognizer.clone();
        timed(|| assert!(filling.bytes().all(|byte| fork.advance(&[byte]))))
    });
    per_byte("advance, byte by byte", advanced, filling.len());
}

/// A module of functions, methods and statements of several shapes.
fn module(n_parts: usize) -> String {
    let part = |index: usize| {
        format!(
            "class C{index}(Base):\n    \"\"\"Part {index}.\"\"\"\n\n    \
             def method(self, a, *, b={index}, **options):\n        \
             for key, value in sorted(options.items()):\n            \
             if key not in self.known and value is not None:\n                \
             self.known[key] = [value, (a, b)]  # kept\n        \
             return {{name: f\"{{a!r:>{{b}}}}\" for name in self.names if name}}\n\n\n\
             def function_{index}(text: str, count: int = {index}) -> list[str]:\n    \
             try:\n        parts = text.split(\"{index}\")[:count]\n    \
             except ValueError as error:\n        raise KeyError(text) from error\n    \
             return parts + [x.strip() for x in parts]\n\n\n"
        )
    };
    (0..n_parts).map(part).collect()
}

fn timed(run: impl FnOnce()) -> Duration {
    let start = Instant::now();
    run();
    start.elapsed()
}

fn median(mut run: impl FnMut() -> Duration) -> Duration {
    let mut times: Vec<Duration> = (0..N_RUNS).map(|_| run()).collect();
    times.sort_unstable();
    times[N_RUNS / 2]
}

fn per_byte(title: &str, time: Duration, n_bytes: usize) {
    let rate = n_bytes as f64 / time.as_secs_f64() / 1e6;
    println!("{title:32} {time:>10.1?} {rate:>8.1} MB/s");
}
