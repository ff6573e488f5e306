//! The kinds of the scanner's states.

/// The kind of a raw state: which part of a text it is in the middle of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StateKind {
    /// The dead state: no byte can follow.
    Dead,
    /// A symbol may begin here.
    Clean,
    /// Behind `\n`, which ended a line.
    LineFeed,
    /// Behind `\r`, which ended a line; a `\n` would belong to it.
    CarriageReturn,
    /// Behind `\r\n`.
    CarriageReturnLineFeed,
    /// Behind a backslash outside strings.
    Backslash,
    /// Behind a backslash and `\r`.
    BackslashCarriageReturn,
    /// Behind a line break that a backslash joined.
    Continuation,
    /// Behind a joined line break in `\r\n`, which may end a text up to 3.11: CPython added a line break.
    ContinuationOfTwo,
    /// In a comment.
    Comment,
    /// In a symbol.
    Symbol,
    /// In a symbol, in the name of a character: behind `\\N{` and in front of `}`.
    CharacterName,
    /// Behind a byte of which the parser says which symbol it begins: no state that a text is ever in.
    Fork,
}

impl StateKind {
    /// Whether a symbol may begin here.
    pub fn is_clean(self) -> bool {
        !matches!(self, Self::Dead | Self::Backslash | Self::Comment | Self::Fork)
            && !self.is_in_symbol()
    }

    /// Whether a symbol is in progress that the parser will see.
    pub fn is_in_symbol(self) -> bool {
        matches!(self, Self::Symbol | Self::CharacterName)
    }

    /// Whether a symbol or a comment is in progress.
    pub fn is_within(self) -> bool {
        self.is_in_symbol() || self == Self::Comment
    }
}
