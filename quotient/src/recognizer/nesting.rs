//! The nesting of a hole's text: the brackets and suites around it, and whether its line has begun.
//!
//! Telling a bracket in an unfinished text from a character of a string takes lexing all text in front of it. The
//! lexer has done so.

use fim_lexer::frames::{FrameChange, change_frames};

use super::Recognizer;

/// The brackets and suites around a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Nesting {
    /// The number of brackets that are open, f-strings and their fields included.
    pub n_brackets: usize,
    /// The columns of the open suites, the file's own first; tab stops are every eight.
    pub columns: Vec<u32>,
    /// The width of the line's white space so far, where it has no symbol yet.
    pub indentation: Option<u32>,
}

impl Recognizer {
    /// The brackets and suites around the text that was read.
    pub fn nesting(&self) -> Nesting {
        let lexer = &self.engine().language().lexer;
        let state = &self.place.lexed;
        let mut frames = state.frames.clone();
        if let Some(emission) = lexer.scanner.accept(state.raw) {
            // The lexer waits for the next character before it ends a symbol. A bracket is one
            // already; the `{` of an f-string may yet become `{{`.
            let change = lexer.scanner.emission(emission).change;
            let is_certain = matches!(
                change,
                FrameChange::Open(_)
                    | FrameChange::Close(_)
                    | FrameChange::EndText
                    | FrameChange::EndField
            );
            if is_certain {
                change_frames(&mut frames, change);
            }
        }
        Nesting {
            n_brackets: frames.len(),
            columns: state.indents.iter().map(|column| column.wide).collect(),
            indentation: state.is_line_start.then(|| state.line_column().wide),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::{GrammarDescription, Language};
    use crate::recognizer::Engine;

    fn nesting(text: &str) -> Nesting {
        let description = include_str!("../../grammars/python-3.12.json");
        let language = Language::new(GrammarDescription::from_json(description).unwrap()).unwrap();
        let engine = Engine::new(language);
        engine.recognizer(text.as_bytes(), b"").unwrap().nesting()
    }

    #[test]
    fn brackets_count_as_soon_as_they_are_there_and_not_in_strings() {
        assert_eq!(nesting("f(").n_brackets, 1);
        assert_eq!(nesting("f([x]").n_brackets, 1);
        assert_eq!(nesting("f('(").n_brackets, 1);
        assert_eq!(nesting("f()").n_brackets, 0);
        assert_eq!(nesting("f'{g(").n_brackets, 3);
    }

    #[test]
    fn suites_close_with_the_first_symbol_further_left() {
        let begun = nesting("if a:\n    b\n");
        assert_eq!((begun.columns, begun.indentation), (vec![0, 4], Some(0)));
        let inside = nesting("if a:\n    b\n  ");
        assert_eq!((inside.columns, inside.indentation), (vec![0, 4], Some(2)));
        let outside = nesting("if a:\n    b\nc");
        assert_eq!((outside.columns, outside.indentation), (vec![0], None));
    }
}
