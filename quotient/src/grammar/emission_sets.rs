//! Which of the scanner's emissions are of which symbols, as sets of bits.
//!
//! What may come behind a chart is found as terminals and asked for as emissions. Each terminal has several: behind a
//! line break, or with something inserted in front. So for each there is a set of them, and a chart's emissions are a
//! union of a few dozen sets, instead of an answer for each of some hundred emissions.

use fim_lexer::scanner::{EmissionId, Scanner};
use fim_lexer::{Lexer, TerminalId};

use super::rules::Rules;

/// The emissions of a language, by their symbols.
#[derive(Debug)]
pub(crate) struct EmissionSets {
    n_words: usize,
    /// For each terminal the emissions of it alone, whatever may be inserted in front.
    of_terminal: Vec<u64>,
    inserted: Vec<InsertableSymbol>,
    /// Those that leave the parser where it is.
    pub(crate) silent: Vec<u64>,
    /// Those of skipped line breaks.
    pub(crate) breaks: Vec<u64>,
    /// Those of several symbols.
    pub(crate) several: Vec<EmissionId>,
    /// Those that it costs charts to find out about.
    pub(crate) late: Vec<u64>,
}

/// A symbol that may be inserted.
#[derive(Debug)]
pub(crate) struct InsertableSymbol {
    pub(crate) symbol: TerminalId,
    /// Whether it only ever stands between others of a rule, so that no rule begins or ends with it.
    pub(crate) is_between: bool,
    n_words: usize,
    /// For each terminal the emissions of it alone in front of which the symbol may be inserted.
    of_terminal: Vec<u64>,
}

impl EmissionSets {
    pub(super) fn new(rules: &Rules, lexer: &Lexer) -> Self {
        let scanner = &lexer.scanner;
        let n_words = scanner.n_emissions().div_ceil(64);
        let of_none = vec![0; n_words * rules.n_terminals()];
        let mut sets = Self {
            n_words,
            of_terminal: of_none.clone(),
            inserted: inserted_symbols(scanner)
                .into_iter()
                .map(|symbol| InsertableSymbol {
                    symbol,
                    is_between: rules.is_between_others(symbol),
                    n_words,
                    of_terminal: of_none.clone(),
                })
                .collect(),
            silent: vec![0; n_words],
            breaks: vec![0; n_words],
            several: Vec::new(),
            late: vec![0; n_words],
        };
        for index in 0..scanner.n_emissions() {
            sets.add(rules, scanner, EmissionId(index as u16));
        }
        sets
    }

    fn add(&mut self, rules: &Rules, scanner: &Scanner, id: EmissionId) {
        let emission = scanner.emission(id);
        let (word, bit) = (usize::from(id.0) / 64, 1 << (id.0 % 64));
        if emission.is_break {
            self.breaks[word] |= bit;
            self.late[word] |= bit;
        }
        match emission.symbols[..] {
            [] if emission.is_break || scanner.is_held(id) => {}
            [] => self.silent[word] |= bit,
            // Others stand for errors.
            [terminal] if terminal.index() >= rules.n_terminals() => {}
            [terminal] => {
                let place = terminal.index() * self.n_words + word;
                self.of_terminal[place] |= bit;
                let list =
                    emission.inserted_terminal().map_or(&[][..], |number| rules.insertions(number));
                for insertion in self.inserted.iter_mut().filter(|one| list.contains(&one.symbol)) {
                    insertion.of_terminal[place] |= bit;
                    if !insertion.is_between {
                        self.late[word] |= bit;
                    }
                }
            }
            [..] => {
                self.several.push(id);
                self.late[word] |= bit;
            }
        }
    }

    /// Adds the emissions of these terminals alone.
    pub(crate) fn add_of(&self, terminals: &[u64], found: &mut [u64]) {
        add_of(&self.of_terminal, self.n_words, terminals, found);
    }

    /// The symbols that may be inserted, one by one.
    pub(crate) fn insertable_symbols(&self) -> &[InsertableSymbol] {
        &self.inserted
    }
}

impl InsertableSymbol {
    /// Adds the emissions of these terminals alone in front of which this symbol may be inserted.
    pub(crate) fn add_of(&self, terminals: &[u64], found: &mut [u64]) {
        add_of(&self.of_terminal, self.n_words, terminals, found);
    }
}

fn add_of(of_terminal: &[u64], n_words: usize, terminals: &[u64], found: &mut [u64]) {
    for (index, &word) in terminals.iter().enumerate() {
        let mut rest = word;
        while rest != 0 {
            let terminal = index * 64 + rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let set = &of_terminal[terminal * n_words..][..n_words];
            for (word, &more) in found.iter_mut().zip(set) {
                *word |= more;
            }
        }
    }
}

/// All symbols that some emission may have inserted in front of it.
fn inserted_symbols(scanner: &Scanner) -> Vec<TerminalId> {
    let mut symbols = scanner.insertions().concat();
    symbols.sort_unstable();
    symbols.dedup();
    symbols
}
