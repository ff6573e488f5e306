//! The items of a root's frontier that can have a symbol in front of them, as far as the lexer decides that.
//!
//! The parser's symbols do not say everything. In Go, a name takes the line break behind it along and is followed
//! by a semicolon, so nothing that begins with `\n.r` continues one:
//!
//! ```text
//! var a = b|\n.r     the parser would go on with `b.r`
//! ```

use fim_lexer::TerminalId;
use fim_lexer::scanner::EmissionId;

use crate::charts::RightItem;
use crate::grammar::{Nonterminal, Rules, Tables};

/// Drops the items in front of which no symbol can stand that leads to the root: the root is not entered right behind
/// such a symbol (`complete`), and no symbol that leads to it begins right behind one.
pub(super) fn keep_adjacent(
    tables: &Tables<'_>,
    items: &mut Vec<RightItem>,
    leading_to: &[u64],
    complete: &[EmissionId],
) {
    let Some(adjacency) = tables.adjacency else { return };
    let rules = tables.rules;
    let mut may_stand = vec![0_u64; rules.n_terminals().div_ceil(64)];
    let mut allow = |terminal: TerminalId| {
        may_stand[terminal.index() / 64] |= 1 << (terminal.index() % 64);
    };
    for &emission in complete {
        let symbols = &tables.lexer.scanner.emission(emission).symbols;
        symbols.last().filter(|last| last.index() < rules.n_terminals()).copied().map(&mut allow);
    }
    let in_front = in_front_of(rules, items);
    for index in 0..rules.n_terminals() {
        let is_in_front = in_front[index / 64] & (1 << (index % 64)) != 0;
        let terminal = TerminalId(index as u16);
        if is_in_front && adjacency.may_begin_behind(terminal, leading_to) {
            allow(terminal);
        }
    }
    let is_named = |&written: &TerminalId| {
        may_stand[written.index() / 64] & (1 << (written.index() % 64)) != 0
    };
    if rules.written_names().iter().any(is_named) {
        rules.said_names().for_each(|name| {
            may_stand[name.index() / 64] |= 1 << (name.index() % 64);
        });
    }
    items.retain(|item| {
        let in_front = rules.in_front(item.state);
        let may_be = in_front.iter().zip(&may_stand).any(|(one, other)| one & other != 0);
        // The whole file may be in the right context.
        may_be || rules.owner(item.state) == Nonterminal::ROOT
    });
}

/// The terminals, as bits, that may stand in front of one of these items.
fn in_front_of(rules: &Rules, items: &[RightItem]) -> Vec<u64> {
    let mut found = vec![0; rules.n_terminals().div_ceil(64)];
    for item in items {
        found.iter_mut().zip(rules.in_front(item.state)).for_each(|(word, more)| *word |= more);
    }
    rules.add_written_names(&mut found);
    found
}
