//! How many more suites a rule must open before it can end.
//!
//! CPython keeps at most a hundred columns open, so that a suite is not always possible: an `if`
//! may still have its body on its own line, a `match` may not. A rule that cannot end within the limit is
//! the beginning of nothing, wherever in its header it stands.

use fim_lexer::layout::MAX_INDENTS;

use super::Rules;
use crate::grammar::states::{BodyState, EdgeLabel};

/// More columns than there can ever be.
const TOO_MANY: u8 = MAX_INDENTS as u8 + 1;

/// For each body state, the least number of columns that must be opened, on top of those around
/// its rule, until the rule ends. A state inside its rule's suite counts that suite.
pub(crate) fn rooms(rules: &Rules) -> Box<[u8]> {
    let mut rooms: Box<[u8]> =
        rules.states().map(|state| if rules.is_final(state) { 0 } else { TOO_MANY }).collect();
    let mut is_changed = true;
    while is_changed {
        is_changed = false;
        for state in rules.states() {
            let own = u8::from(rules.is_marked(state));
            let room_by = |&(symbol, to): &(EdgeLabel, BodyState)| {
                let inside = match symbol {
                    EdgeLabel::Terminal(_) => own,
                    EdgeLabel::Nonterminal(child) => own + rooms[rules.start(child).index()],
                };
                inside.max(rooms[to.index()]).min(TOO_MANY)
            };
            let least = rules.edges(state).iter().map(room_by).min();
            if let Some(room) = least.filter(|&room| room < rooms[state.index()]) {
                rooms[state.index()] = room;
                is_changed = true;
            }
        }
    }
    rooms
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::description::GrammarDescription;
    use crate::grammar::language::Language;

    #[test]
    fn a_choice_needs_what_its_easiest_part_needs() {
        let description = r#"{"name": "small", "start": "file", "layout": "python",
            "declared": ["NEWLINE", "INDENT", "DEDENT"],
            "terminals": [{"name": "A", "kind": "literal", "pattern": "a"},
                          {"name": "B", "kind": "literal", "pattern": "b"}],
            "rules": [{"name": "file", "body": {"plus": {"alt": ["line", "twice"]}}},
                      {"name": "line", "body": {"seq": ["A", {"alt": ["NEWLINE", "suite"]}]}},
                      {"name": "suite", "body": {"seq": ["NEWLINE", "INDENT", {"plus": "line"}, "DEDENT"]}},
                      {"name": "twice", "body": {"seq": ["B", "NEWLINE", "INDENT", "B", "suite", "DEDENT"]}}]}"#;
        let language = Language::new(GrammarDescription::from_json(description).unwrap()).unwrap();
        let rules = &language.rules;
        let room = |name: &str| {
            let owner = |state: &BodyState| rules.name(rules.owner(*state)) == name;
            let start = rules.states().find(owner).unwrap();
            assert_eq!(rules.start(rules.owner(start)), start);
            rules.room(start)
        };
        assert_eq!(["file", "line", "suite", "twice"].map(room), [0, 0, 1, 2]);
    }
}
