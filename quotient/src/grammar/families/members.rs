//! Which rules are copies of one template, and how sets of nonterminals hold the copies of a family: side by side, in one word.

use rustc_hash::FxHashMap;

use super::{Copies, Families, Family};
use crate::grammar::rules::Rules;
use crate::grammar::states::Nonterminal;

impl Families {
    /// A rule called `name{...}` is a copy of the template `name`.
    pub(super) fn find_members(&mut self, rules: &Rules) {
        let mut last_of: FxHashMap<&str, usize> = FxHashMap::default();
        for index in 0..rules.n_nonterminals() {
            let member = Nonterminal(index as u16);
            let template = rules.name(member).split_once('{').map(|(template, _)| template);
            let known = template.and_then(|template| last_of.get(template).copied());
            let has_room = |&family: &usize| self.members[family].len() < Copies::BITS as usize;
            let family = known.filter(has_room).unwrap_or_else(|| {
                self.members.push(Vec::new());
                self.members.len() - 1
            });
            if let Some(template) = template {
                last_of.insert(template, family);
            }
            self.family_of.push((Family(family as u16), self.members[family].len() as u8));
            self.members[family].push(member);
        }
        let mut n_bits = 0;
        for members in &self.members {
            let width = members.len() as u32;
            if n_bits % u64::BITS + width > u64::BITS {
                n_bits = n_bits.next_multiple_of(u64::BITS);
            }
            self.places.push(((n_bits / u64::BITS) as usize, n_bits % u64::BITS));
            n_bits += width;
        }
        self.n_words = n_bits.div_ceil(u64::BITS) as usize;
    }

    /// The family of a rule, and which copy of it the rule is.
    #[inline]
    pub(crate) fn of(&self, nonterminal: Nonterminal) -> (Family, Copies) {
        let (family, copy) = self.family_of[nonterminal.index()];
        (family, 1 << copy)
    }

    /// The number of bits of a set of nonterminals.
    pub(crate) fn n_bits(&self) -> usize {
        self.n_words * u64::BITS as usize
    }

    /// The copies of a family that are in a set of nonterminals.
    #[inline]
    pub(crate) fn members_in(&self, set: &[u64], family: Family) -> Copies {
        let (word, shift) = self.places[family.index()];
        let n_members = self.members[family.index()].len() as u32;
        (set[word] >> shift) as Copies & (Copies::MAX >> (Copies::BITS - n_members))
    }

    /// Whether a nonterminal is in a set of them.
    pub(crate) fn contains(&self, set: &[u64], nonterminal: Nonterminal) -> bool {
        let (family, copy) = self.family_of[nonterminal.index()];
        self.members_in(set, family) & 1 << copy != 0
    }
}

#[cfg(test)]
mod tests {
    use fim_lexer::Lexer;

    use super::super::FamilyState;
    use super::super::tests::rules;
    use super::*;
    use crate::grammar::description::GrammarDescription;
    use crate::grammar::nonterminal_set::contains;
    use crate::grammar::states::BodyState;

    #[test]
    fn copies_of_a_template_are_one_family() {
        let rules = rules();
        let families = rules.families();
        let sizes: Vec<usize> = families.members.iter().map(Vec::len).collect();
        assert_eq!(sizes, [1, 1, 2, 2], "the root, the file, blocks, calls");
        assert!(families.n_states() < rules.n_states());
    }

    #[test]
    fn a_family_has_room_for_all_copies_of_a_large_template() {
        // JavaScript's operands have 25.
        let names: Vec<String> = (0..25).map(|copy| format!("call{{{copy}}}")).collect();
        let children: Vec<String> = names.iter().map(|name| format!(r#""{name}""#)).collect();
        let rules: Vec<String> = names
            .iter()
            .map(|name| {
                format!(r#"{{"name": "{name}", "body": {{"seq": ["a", {{"star": "a"}}]}}}}"#)
            })
            .collect();
        let description = GrammarDescription::from_json(&format!(
            r#"{{"name": "small", "start": "file", "layout": "none", "declared": [],
                "terminals": [{{"name": "a", "kind": "literal", "pattern": "a"}}],
                "rules": [{{"name": "file", "body": {{"alt": [{}]}}}}, {}]}}"#,
            children.join(", "),
            rules.join(", ")
        ))
        .unwrap();
        let lexer = Lexer::new(description.lexical.clone()).unwrap();
        let rules = Rules::new(&description, &lexer).unwrap();
        let sizes: Vec<usize> = rules.families().members.iter().map(Vec::len).collect();
        assert_eq!(sizes, [1, 1, 25]);
    }

    #[test]
    fn sets_of_nonterminals_hold_copies() {
        let rules = rules();
        let families = rules.families();
        for state in (0..families.n_states()).map(|index| FamilyState(index as u16)) {
            let n_copies = families.members[families.owner(state).index()].len();
            for copy in 0..n_copies {
                let body_state =
                    families.states[families.first_state[state.index()] as usize + copy];
                if body_state == BodyState::NONE {
                    continue;
                }
                let set = families.predicted_sets(state, 1 << copy).next().unwrap();
                for child in (0..rules.n_nonterminals() as u16).map(Nonterminal) {
                    let is_known = contains(rules.back_predicted(body_state), child);
                    assert_eq!(families.contains(set, child), is_known);
                    let (family, of_child) = families.family_of[child.index()];
                    assert_eq!(families.members_in(set, family) & 1 << of_child != 0, is_known);
                    let knowing = families.copies_knowing(families.knowing(family));
                    assert!(!is_known || knowing[state.index()] & 1 << copy != 0);
                }
            }
        }
    }
}
