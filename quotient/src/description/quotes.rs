//! f-strings that are quoted in different ways, as rules of their own.
//!
//! A grammar says once what an f-string is. Told apart by their quotes, the rules say more: an f-string
//! ends with the quotes that it began with. For a text that is read from its beginning the lexer sees to
//! that; between a left and a right context, each with one end of the f-string, only the rules can.
//!
//! ```text
//! strings: (STRING | FSTRING_START (FSTRING_MIDDLE | field)* FSTRING_END)+
//! ```
//! becomes
//! ```text
//! strings: (STRING | fstring:' | fstring:" | ...)+
//! fstring:': FSTRING_START:' (FSTRING_MIDDLE | field)* FSTRING_END:'
//! ```

use fim_lexer::fstring::{FSTRING_END, FSTRING_START, Quoting, TSTRING_START};

use super::{Body, GrammarDescription, RuleDescription};

impl GrammarDescription {
    /// Gives the f-strings of each way to quote a rule and terminals of their own.
    pub(crate) fn tell_quotes_apart(&mut self) {
        self.lexical.tell_quotes_apart();
        let mut kinds = Vec::new();
        for rule in &mut self.rules {
            replace(&mut rule.body, &mut kinds);
        }
        for kind in &kinds {
            self.rules.extend(Quoting::all().map(|quoting| kind.rule(quoting)));
        }
    }
}

/// What a grammar says of f-strings in one place, and of all places that say the same.
struct Kind {
    name: String,
    parts: Vec<Body>,
}

impl Kind {
    fn rule(&self, quoting: Quoting) -> RuleDescription {
        let quoted = |part: &Body| match part {
            Body::Symbol(name) if is_start(name) || name == FSTRING_END => {
                Body::Symbol(quoting.name(name))
            }
            other => other.clone(),
        };
        let seq = self.parts.iter().map(quoted).collect();
        RuleDescription { name: quoting.name(&self.name), body: Body::Seq { seq } }
    }
}

fn is_start(name: &str) -> bool {
    name == FSTRING_START || name == TSTRING_START
}

/// Puts rules in the place of what is between the beginning and the end of an f-string.
fn replace(body: &mut Body, kinds: &mut Vec<Kind>) {
    match body {
        Body::Symbol(_) => {}
        Body::Opt { opt: part } | Body::Star { star: part } | Body::Plus { plus: part } => {
            replace(part, kinds);
        }
        Body::Alt { alt } => alt.iter_mut().for_each(|part| replace(part, kinds)),
        Body::Seq { seq } => {
            while let Some((first, last)) = fstring(seq) {
                let parts: Vec<Body> = seq[first..=last].to_vec();
                let name = name_of(parts, kinds);
                let alt = Quoting::all().map(|quoting| Body::Symbol(quoting.name(&name)));
                seq.splice(first..=last, [Body::Alt { alt: alt.collect() }]);
            }
            seq.iter_mut().for_each(|part| replace(part, kinds));
        }
    }
}

/// Where an f-string begins and ends in a sequence.
fn fstring(parts: &[Body]) -> Option<(usize, usize)> {
    let is = |part: &Body, is_wanted: fn(&str) -> bool| matches!(part, Body::Symbol(name) if is_wanted(name));
    let first = parts.iter().position(|part| is(part, is_start))?;
    let length = parts[first..].iter().position(|part| is(part, |name| name == FSTRING_END))?;
    Some((first, first + length))
}

/// The name of the rules for f-strings of these parts.
fn name_of(parts: Vec<Body>, kinds: &mut Vec<Kind>) -> String {
    if let Some(known) = kinds.iter().find(|known| known.parts == parts) {
        return known.name.clone();
    }
    let name = match kinds.len() {
        0 => "fstring".to_owned(),
        n_kinds => format!("fstring{}", n_kinds + 1),
    };
    kinds.push(Kind { name: name.clone(), parts });
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_fstring_ends_as_it_began() {
        let text = r#"{
            "name": "test", "start": "file", "layout": "python", "terminals": [],
            "declared": ["FSTRING_START", "FSTRING_MIDDLE", "FSTRING_END"],
            "rules": [{"name": "file", "body": {"plus": {"seq":
                ["FSTRING_START", {"star": "FSTRING_MIDDLE"}, "FSTRING_END"]}}}]
        }"#;
        let mut description = GrammarDescription::from_json(text).unwrap();
        description.tell_quotes_apart();
        assert_eq!(description.lexical.declared.len(), 8 + 1 + 8);
        assert_eq!(description.rules.len(), 1 + 8);
        let Body::Seq { seq } = &description.rules[8].body else { panic!("a sequence") };
        let is = |part: &Body, name: &str| *part == Body::Symbol(name.to_owned());
        assert!(is(&seq[0], "FSTRING_START:r\"\"\"") && is(&seq[2], "FSTRING_END:r\"\"\""));
        let once = description.rules.len();
        description.tell_quotes_apart();
        assert_eq!(description.rules.len(), once, "what is told apart stays so");
    }
}
