//! Symbols and names: what the lexer's terminals are to Python's law, whatever stands around them.
//!
//! A symbol's kind decides what the reader does with it. A name is its bytes, and sets of names are cheap to copy
//! (`name_set`). A version of Python brings builtins, and decides when annotations are evaluated (`versions`). What is
//! refused is a symbol with a reason (`violations`).

mod name_set;
mod versions;
mod violations;

use fim_lexer::Lexer;
use fim_lexer::frames::FrameChange;
use fim_lexer::scanner::EmissionId;
use smallvec::SmallVec;

pub(super) use self::name_set::{Name, NameSet, Query, has_sorted};
pub(super) use self::versions::{Annotations, IN_CLASS, IN_METHOD, NameRules, Turns};
pub(super) use self::violations::{CompilingReason, NameViolation, wrong};

/// The kind of a symbol, as far as names are concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SymbolKind {
    /// A name, soft keywords included.
    Name,
    /// A literal or a closing quote: an operand that is no name.
    Operand,
    /// An operand that may be a docstring, with which a file describes itself.
    String,
    /// An operator between or in front of operands, or a keyword such as `not`.
    Operator,
    /// `|`, between alternatives of patterns, too.
    Bar,
    Star,
    DoubleStar,
    Comma,
    Dot,
    Colon,
    Semicolon,
    Assign,
    Augmented,
    Walrus,
    Arrow,
    At,
    OpenParen,
    OpenSquare,
    OpenBrace,
    Close,
    FieldOpen,
    FieldClose,
    FieldColon,
    Newline,
    Indent,
    Dedent,
    Async,
    Await,
    Yield,
    From,
    For,
    In,
    If,
    Else,
    Lambda,
    Break,
    Continue,
    Return,
    Raise,
    Assert,
    Del,
    Global,
    Nonlocal,
    Import,
    As,
    Elif,
    While,
    With,
    Try,
    Finally,
    Except,
    Class,
    Def,
    Pass,
    /// A part of a string or of the layout that does not matter.
    Nothing,
}

impl SymbolKind {
    fn of(terminal: &str) -> Self {
        match terminal {
            "NAME" | "match" | "case" | "_" | "type" | "lazy" | "FUTURE" | "FEATURE" | "BARRY"
            | "DEBUG" | "LIKE_CONSTANT" => Self::Name,
            "STRING" | "RISKY_STRING" => Self::String,
            "REAL" | "IMAGINARY" | "BYTES" | "RISKY_BYTES" | "FSTRING_END" | "None" | "True"
            | "False" | "..." => Self::Operand,
            "*" => Self::Star,
            "|" => Self::Bar,
            "**" => Self::DoubleStar,
            "," => Self::Comma,
            "." => Self::Dot,
            ":" => Self::Colon,
            ";" => Self::Semicolon,
            "=" => Self::Assign,
            ":=" => Self::Walrus,
            "->" => Self::Arrow,
            "@" => Self::At,
            "(" => Self::OpenParen,
            "[" => Self::OpenSquare,
            "{" => Self::OpenBrace,
            ")" | "]" | "}" => Self::Close,
            "FIELD_OPEN" => Self::FieldOpen,
            "FIELD_CLOSE" => Self::FieldClose,
            "FIELD_COLON" => Self::FieldColon,
            "NEWLINE" => Self::Newline,
            "INDENT" => Self::Indent,
            "DEDENT" => Self::Dedent,
            "async" => Self::Async,
            "await" => Self::Await,
            "yield" => Self::Yield,
            "from" => Self::From,
            "for" => Self::For,
            "in" => Self::In,
            "if" => Self::If,
            "else" => Self::Else,
            "lambda" => Self::Lambda,
            "break" => Self::Break,
            "continue" => Self::Continue,
            "return" => Self::Return,
            "raise" => Self::Raise,
            "assert" => Self::Assert,
            "del" => Self::Del,
            "global" => Self::Global,
            "nonlocal" => Self::Nonlocal,
            "import" => Self::Import,
            "as" => Self::As,
            "elif" => Self::Elif,
            "while" => Self::While,
            "with" => Self::With,
            "try" => Self::Try,
            "finally" => Self::Finally,
            "except" => Self::Except,
            "class" => Self::Class,
            "def" => Self::Def,
            "pass" => Self::Pass,
            "not" | "is" | "and" | "or" => Self::Operator,
            operator if operator.ends_with('=') && !is_comparison(operator) => Self::Augmented,
            operator
                if operator.bytes().all(|byte| byte.is_ascii_punctuation() && byte != b'_') =>
            {
                Self::Operator
            }
            _ => Self::Nothing,
        }
    }
}

fn is_comparison(operator: &str) -> bool {
    matches!(operator, "==" | "!=" | "<=" | ">=")
}

/// The kinds of a lexer's terminals and emissions.
#[derive(Debug)]
pub(super) struct SymbolKinds {
    of_terminal: Vec<SymbolKind>,
    of_emission: Vec<(SmallVec<[SymbolKind; 2]>, FrameChange)>,
}

impl SymbolKinds {
    fn new(lexer: &Lexer) -> Self {
        let names = lexer.description.names();
        let kind = |name| SymbolKind::of(lexer.description.declared_name(name));
        let of_terminal: Vec<SymbolKind> = names.map(kind).collect();
        let of_emission = lexer.scanner.emissions().iter().map(|emission| {
            let kinds = emission.symbols.iter().map(|symbol| {
                // Parts of f-strings that a version lacks have no terminals.
                of_terminal.get(symbol.index()).copied().unwrap_or(SymbolKind::Nothing)
            });
            (kinds.collect(), emission.change)
        });
        let of_emission = of_emission.collect();
        Self { of_terminal, of_emission }
    }

    pub(super) fn of(&self, terminal: fim_lexer::TerminalId) -> SymbolKind {
        self.of_terminal.get(terminal.index()).copied().unwrap_or(SymbolKind::Nothing)
    }

    pub(super) fn of_emission(&self, id: EmissionId) -> (&[SymbolKind], FrameChange) {
        let (kinds, change) = &self.of_emission[usize::from(id.0)];
        (kinds, *change)
    }
}
