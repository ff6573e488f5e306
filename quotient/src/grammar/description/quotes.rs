//! Strings with fields that are quoted in different ways, as rules of their own.
//!
//! A grammar says once what such a string is. Told apart by their quotes, the rules say more: a string
//! ends with the quotes that it began with. For a text that is read from its beginning the lexer sees to
//! that; between a left and a right context, each with one end of the string, only the rules can. In Python, for one,
//!
//! ```text
//! strings: (STRING | FSTRING_START (FSTRING_MIDDLE | field)* FSTRING_END)+
//! ```
//! becomes
//! ```text
//! strings: (STRING | fstring_start:' | fstring_start:" | ...)+
//! fstring_start:': FSTRING_START:' (FSTRING_MIDDLE | field)* FSTRING_END:'
//! ```

use fim_lexer::frames::{Frames, Quoting};

use super::{Body, GrammarDescription, RuleDescription};

impl GrammarDescription {
    /// Gives the strings of each way to quote a rule and terminals of their own.
    pub(crate) fn tell_quotes_apart(&mut self) {
        let Some(frames) = self.lexical.frames.clone() else { return };
        self.lexical.tell_quotes_apart();
        let mut kinds = Kinds { frames: &frames, met: Vec::new() };
        for rule in &mut self.rules {
            replace(&mut rule.body, &mut kinds);
        }
        for kind in &kinds.met {
            self.rules.extend(kind.quotings.iter().map(|&quoting| kind.rule(&frames, quoting)));
        }
    }
}

/// All kinds that were met, in the order of the grammar.
struct Kinds<'a> {
    frames: &'a Frames,
    met: Vec<QuotedKind>,
}

/// The kind of such strings in one place of a grammar, and in all places that say the same.
struct QuotedKind {
    name: String,
    /// How these strings may be quoted.
    quotings: Vec<Quoting>,
    parts: Vec<Body>,
}

impl QuotedKind {
    fn rule(&self, frames: &Frames, quoting: Quoting) -> RuleDescription {
        let quoted = |part: &Body| match part {
            Body::Symbol(name) if frames.is_begin(name) || *name == frames.declaration().end => {
                Body::Symbol(frames.name(quoting, name))
            }
            other => other.clone(),
        };
        let seq = self.parts.iter().map(quoted).collect();
        RuleDescription { name: frames.name(quoting, &self.name), body: Body::Seq { seq } }
    }
}

/// Puts rules in the place of what is between the beginning and the end of a string.
fn replace(body: &mut Body, kinds: &mut Kinds<'_>) {
    match body {
        Body::Symbol(_) | Body::Shared { .. } => {}
        Body::Opt { opt: part } | Body::Star { star: part } | Body::Plus { plus: part } => {
            replace(part, kinds);
        }
        Body::Alt { alt } => alt.iter_mut().for_each(|part| replace(part, kinds)),
        Body::Seq { seq } => {
            while let Some((first, last)) = string(kinds.frames, seq) {
                let frames = kinds.frames;
                let kind = kinds.of(&seq[first..=last]);
                let name = |&quoting: &Quoting| Body::Symbol(frames.name(quoting, &kind.name));
                let alt = kind.quotings.iter().map(name).collect();
                seq.splice(first..=last, [Body::Alt { alt }]);
            }
            seq.iter_mut().for_each(|part| replace(part, kinds));
        }
    }
}

/// Where a string begins and ends in a sequence.
fn string(frames: &Frames, parts: &[Body]) -> Option<(usize, usize)> {
    let is_begin = |part: &Body| matches!(part, Body::Symbol(name) if frames.is_begin(name));
    let is_end =
        |part: &Body| matches!(part, Body::Symbol(name) if *name == frames.declaration().end);
    let first = parts.iter().position(is_begin)?;
    let length = parts[first..].iter().position(is_end)?;
    Some((first, first + length))
}

impl Kinds<'_> {
    /// The kind of strings that have these parts.
    fn of(&mut self, parts: &[Body]) -> &QuotedKind {
        let index = self.met.iter().position(|known| known.parts == parts).unwrap_or_else(|| {
            let Body::Symbol(start) = &parts[0] else {
                unreachable!("a string begins with a symbol")
            };
            let name = start.to_lowercase();
            let n_alike = self.met.iter().filter(|known| known.parts[0] == parts[0]).count();
            let name = if n_alike == 0 { name } else { format!("{name}{}", n_alike + 1) };
            let quotings =
                self.frames.quotings(start).expect("what a string begins with has quotes");
            self.met.push(QuotedKind { name, quotings, parts: parts.to_vec() });
            self.met.len() - 1
        });
        &self.met[index]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A grammar whose strings begin with these terminals, and have these rules.
    fn description(begin: &str, file: &str) -> GrammarDescription {
        let text = r#"{
            "name": "test", "start": "file", "layout": "none", "terminals": [],
            "declared": ["PLAIN", "RAW", "TEXT", "RAW_TEXT", "OPEN", "CLOSE", "END"],
            "frames": {"fields": "free", "begin": BEGIN, "end": "END",
                "quotes": [{"text": "'"}, {"text": "\"\"\""}],
                "text": [{"terminal": "TEXT"}], "raw_text": [{"terminal": "RAW_TEXT"}],
                "open": {"terminal": "OPEN", "pattern": "{"}, "close": {"terminal": "CLOSE", "pattern": "}"}},
            "rules": [{"name": "file", "body": FILE}]
        }"#;
        let text = text.replace("BEGIN", begin).replace("FILE", file);
        let mut description = GrammarDescription::from_json(&text).unwrap();
        description.tell_quotes_apart();
        description
    }

    fn body(description: &GrammarDescription, name: &str) -> Option<String> {
        let rule = description.rules.iter().find(|rule| rule.name == name);
        rule.map(|rule| format!("{:?}", rule.body))
    }

    #[test]
    fn a_string_ends_as_it_began() {
        let begin = r#"[{"terminal": "PLAIN", "pattern": "f"},
            {"terminal": "PLAIN", "pattern": "rf", "is_raw": true}]"#;
        let file = r#"{"plus": {"seq": ["PLAIN", {"star": "TEXT"}, "END"]}}"#;
        let mut description = description(begin, file);
        assert_eq!(description.lexical.declared.len(), 4 + 5 + 4);
        assert_eq!(description.rules.len(), 1 + 4);
        let body = body(&description, "plain:r\"\"\"").unwrap();
        assert!(body.contains(r#"PLAIN:r\"\"\""#) && body.contains(r#"END:r\"\"\""#), "{body}");
        let once = description.rules.len();
        description.tell_quotes_apart();
        assert_eq!(description.rules.len(), once, "what is told apart stays so");
    }

    #[test]
    fn raw_strings_may_have_rules_of_their_own() {
        let begin = r#"[{"terminal": "PLAIN", "pattern": "f"},
            {"terminal": "RAW", "pattern": "rf", "is_raw": true}]"#;
        let file = r#"{"alt": [{"seq": ["PLAIN", "TEXT", "END"]}, {"seq": ["RAW", "RAW_TEXT", "END"]},
            {"seq": ["PLAIN", "END"]}]}"#;
        let description = description(begin, file);
        assert_eq!(description.lexical.declared.len(), 2 + 2 + 4 + 4);
        assert!(body(&description, "plain:'").is_some_and(|body| body.contains("TEXT")));
        assert!(body(&description, "plain2:'").is_some_and(|body| !body.contains("TEXT")));
        assert!(body(&description, "plain:r'").is_none() && body(&description, "raw:'").is_none());
        assert!(body(&description, "raw:r'").is_some_and(|body| body.contains("\"RAW:r'\"")));
    }
}
