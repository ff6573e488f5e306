//! A language, compiled: everything that does not depend on any text.

use std::sync::OnceLock;

use fim_lexer::reach::Reach;
use fim_lexer::scanner::{Adjacency, RawState};
use fim_lexer::{Lexer, TerminalId};

use super::costs::Costs;
use super::description::{GrammarDescription, GrammarError};
use super::emission_sets::EmissionSets;
use super::first_bytes::FirstBytes;
use super::insertions::{Inserted, check_insertions, inserted_kind};
use super::remainders::Remainders;
use super::rules::Rules;
use super::tables::Tables;
use crate::caches::{Fingerprint, Hasher};

/// The tables of a language.
#[derive(Debug)]
pub struct Language {
    /// The language's name.
    pub name: String,
    /// Its version, if it has versions.
    pub version: Option<String>,
    /// The lexer.
    pub lexer: Lexer,
    /// The parser's tables.
    pub rules: Rules,
    pub(crate) reach: Reach,
    pub(crate) costs: Costs,
    pub(crate) emission_sets: EmissionSets,
    adjacency: Option<Adjacency>,
    inserted: Vec<Option<Inserted>>,
    pub(crate) remainders: Remainders,
    first_bytes: FirstBytes,
    fingerprint: OnceLock<Fingerprint>,
    /// The raw states, as bits, of which a name may come that is said again.
    may_be_name: Vec<u64>,
}

impl Language {
    /// Compiles a grammar description.
    pub fn new(mut description: GrammarDescription) -> Result<Self, GrammarError> {
        description.tell_quotes_apart();
        let mut lexer = Lexer::new(description.lexical.clone())?;
        let mut rules = Rules::new(&description, &lexer)?;
        if lexer.scanner.is_branching() {
            check_insertions(&rules, &lexer)?;
            lexer.scanner.keep_insertions(|inserted, symbol| rules.may_follow(inserted, symbol));
            rules.set_branching(&lexer.scanner);
        }
        let reach = Reach::new(&lexer.scanner);
        let costs = Costs::new(&rules, &lexer, &reach);
        let emission_sets = EmissionSets::new(&rules, &lexer);
        let may_be_name = states_of_names(&rules, &lexer, &reach);
        // Python's line breaks and comments are no symbols to the scanner.
        let n_terminals = lexer.description.n_terminals();
        let has_lines = lexer.layout().is_some();
        let adjacency = (!has_lines).then(|| Adjacency::new(&lexer.scanner, &reach, n_terminals));
        let terminals = (0..n_terminals).map(|index| TerminalId(index as u16));
        let inserted = terminals.map(|terminal| inserted_kind(&rules, &lexer, terminal)).collect();
        Ok(Self {
            name: description.name,
            version: description.version,
            lexer,
            rules,
            reach,
            costs,
            emission_sets,
            adjacency,
            inserted,
            remainders: Remainders::default(),
            first_bytes: FirstBytes::default(),
            fingerprint: OnceLock::new(),
            may_be_name,
        })
    }

    /// The kind of a terminal as an inserted symbol, if it is one.
    pub(crate) fn inserted_kind(&self, terminal: TerminalId) -> Option<Inserted> {
        self.inserted.get(terminal.index()).copied().flatten()
    }

    /// Whether a symbol is in progress that may become a name which is said again.
    #[inline]
    pub(crate) fn may_be_name(&self, state: RawState) -> bool {
        let word = self.may_be_name.get(state.index() / 64);
        word.is_some_and(|word| word & (1 << (state.index() % 64)) != 0)
    }

    pub(crate) fn tables(&self) -> Tables<'_> {
        Tables {
            rules: &self.rules,
            lexer: &self.lexer,
            reach: &self.reach,
            costs: &self.costs,
            first_bytes: &self.first_bytes,
            adjacency: self.adjacency.as_ref(),
        }
    }

    /// A number that tells lexers apart, and where the parser decides, its knowledge of neighbours: what tokens mean
    /// is kept by it.
    pub fn fingerprint(&self) -> Fingerprint {
        *self.fingerprint.get_or_init(|| {
            let mut hasher = Hasher::new();
            let scanner = &self.lexer.scanner;
            let dialect = self.lexer.description.dialect;
            let beside = (self.lexer.layout(), dialect, scanner.emissions());
            hasher.write(format!("{beside:?}").as_bytes());
            if scanner.is_branching() {
                let branching = (scanner.forks(), scanner.insertions(), scanner.first());
                hasher.write(format!("{branching:?}").as_bytes());
                // Of how a token may read, only what may stand side by side is kept.
                self.rules.side_by_side().iter().for_each(|&word| hasher.write_number(word));
            }
            hasher.write(scanner.byte_classes());
            for state in scanner.states() {
                for &byte in scanner.alphabet() {
                    hasher.write_number(u64::from(scanner.next(state, byte).0));
                }
                let rest = (scanner.accept(state), scanner.kind(state), scanner.restart(state));
                hasher.write(format!("{rest:?}").as_bytes());
            }
            hasher.finish()
        })
    }
}

fn states_of_names(rules: &Rules, lexer: &Lexer, reach: &Reach) -> Vec<u64> {
    if rules.written_names().is_empty() {
        return Vec::new();
    }
    let scanner = &lexer.scanner;
    let is_name = |emission| {
        let symbols = &scanner.emission(emission).symbols;
        symbols.iter().any(|&terminal| rules.names_written_as(terminal).is_some())
    };
    let may_be = |&state: &RawState| {
        scanner.kind(state).is_in_symbol() && reach.emissions(state).any(is_name)
    };
    reach.set_of_states(scanner.states().filter(may_be))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_grammar_here_holds_what_it_ignores() {
        const GRAMMARS: [&str; 6] = [
            include_str!("../../grammars/go.json"),
            include_str!("../../grammars/java.json"),
            include_str!("../../grammars/javascript.json"),
            include_str!("../../grammars/json.json"),
            include_str!("../../grammars/toml-1.0.json"),
            include_str!("../../grammars/typescript.json"),
        ];
        for grammar in GRAMMARS {
            let language = Language::new(GrammarDescription::from_json(grammar).unwrap()).unwrap();
            assert_eq!(language.lexer.scanner.held_emissions().count(), 0, "{}", language.name);
        }
    }
}
