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

use fim_lexer::fstring::{
    FSTRING_END, FSTRING_START, Quoting, RAW_FSTRING_START, TSTRING_START, quotings,
};

use super::{Body, GrammarDescription, RuleDescription};

impl GrammarDescription {
    /// Gives the f-strings of each way to quote a rule and terminals of their own.
    pub(crate) fn tell_quotes_apart(&mut self) {
        let mut kinds = Kinds { declared: self.lexical.declared.clone(), met: Vec::new() };
        self.lexical.tell_quotes_apart();
        for rule in &mut self.rules {
            replace(&mut rule.body, &mut kinds);
        }
        for kind in &kinds.met {
            self.rules.extend(kind.quotings.iter().map(|&quoting| kind.rule(quoting)));
        }
    }
}

/// All kinds that were met, in the order of the grammar.
struct Kinds {
    /// The names that the grammar declares.
    declared: Vec<String>,
    met: Vec<Kind>,
}

/// What a grammar says of f-strings in one place, and of all places that say the same.
struct Kind {
    name: String,
    /// What its beginnings are called once they are told apart.
    start: &'static str,
    /// How these f-strings may be quoted.
    quotings: Vec<Quoting>,
    parts: Vec<Body>,
}

impl Kind {
    fn rule(&self, quoting: Quoting) -> RuleDescription {
        let quoted = |part: &Body| match part {
            Body::Symbol(name) if is_start(name) => Body::Symbol(quoting.name(self.start)),
            Body::Symbol(name) if name == FSTRING_END => Body::Symbol(quoting.name(FSTRING_END)),
            other => other.clone(),
        };
        let seq = self.parts.iter().map(quoted).collect();
        RuleDescription { name: quoting.name(&self.name), body: Body::Seq { seq } }
    }
}

fn is_start(name: &str) -> bool {
    [FSTRING_START, RAW_FSTRING_START, TSTRING_START].contains(&name)
}

/// Puts rules in the place of what is between the beginning and the end of an f-string.
fn replace(body: &mut Body, kinds: &mut Kinds) {
    match body {
        Body::Symbol(_) => {}
        Body::Opt { opt: part } | Body::Star { star: part } | Body::Plus { plus: part } => {
            replace(part, kinds);
        }
        Body::Alt { alt } => alt.iter_mut().for_each(|part| replace(part, kinds)),
        Body::Seq { seq } => {
            while let Some((first, last)) = fstring(seq) {
                let kind = kind_of(&seq[first..=last], kinds);
                let name = |quoting: &Quoting| Body::Symbol(quoting.name(&kind.name));
                let alt = kind.quotings.iter().map(name).collect();
                seq.splice(first..=last, [Body::Alt { alt }]);
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

/// The kind of f-strings that have these parts.
fn kind_of<'a>(parts: &[Body], kinds: &'a mut Kinds) -> &'a Kind {
    let index = kinds.met.iter().position(|known| known.parts == parts).unwrap_or_else(|| {
        let name = match kinds.met.len() {
            0 => "fstring".to_owned(),
            n_kinds => format!("fstring{}", n_kinds + 1),
        };
        let Body::Symbol(start) = &parts[0] else {
            unreachable!("an f-string begins with a symbol")
        };
        let (start, quotings) =
            quotings(start, &kinds.declared).expect("what an f-string begins with has quotes");
        kinds.met.push(Kind { name, start, quotings, parts: parts.to_vec() });
        kinds.met.len() - 1
    });
    &kinds.met[index]
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

    #[test]
    fn raw_fstrings_may_have_rules_of_their_own() {
        let text = r#"{
            "name": "test", "start": "file", "layout": "python", "terminals": [],
            "declared": ["FSTRING_START", "RAW_FSTRING_START", "FSTRING_MIDDLE", "RISKY_MIDDLE", "FSTRING_END"],
            "rules": [{"name": "file", "body": {"alt": [
                {"seq": ["FSTRING_START", "FSTRING_MIDDLE", "FSTRING_END"]},
                {"seq": ["RAW_FSTRING_START", "RISKY_MIDDLE", "FSTRING_END"]}]}}]
        }"#;
        let mut description = GrammarDescription::from_json(text).unwrap();
        description.tell_quotes_apart();
        assert_eq!(description.lexical.declared.len(), 4 + 4 + 2 + 8);
        let rule = |name: &str| {
            let rule = description.rules.iter().find(|rule| rule.name == name);
            rule.map(|rule| format!("{:?}", rule.body))
        };
        assert!(rule("fstring:'").is_some_and(|body| body.contains("FSTRING_MIDDLE")));
        assert!(rule("fstring:r'").is_none() && rule("fstring2:'").is_none());
        assert!(rule("fstring2:r'").is_some_and(|body| body.contains("\"FSTRING_START:r'\"")));
    }
}
