//! The reader of a program's symbols, which knows the role of each name.
//!
//! Why it exists: a tree would tell the roles, but there is none. The text in a hole breaks off anywhere, and is asked
//! about after each token. The grammar has been checked already, so the symbol at hand decides every step, or the one
//! behind a name: `f(a` may go on with `=`, `:=` or anything else. So the reader's state is a few values, which follow
//! the text. Behind a statement, scopes and suites are all that is left of it:
//!
//! ```text
//!                        scopes                              suites, by column     suite that may begin
//! def total(rows):       module {total}                      0                     a function's, with {rows}
//!     n = 0              module {total}, function {rows, n}  0, 4                  unknown
//!     for row in rows:   ..., function {rows, n, row}        0, 4                  a loop's
//!         n += row       ..., function {rows, n, row}        0, 4, 8               unknown
//!     return n           ..., function {rows, n, row}        0, 4                  unknown
//! print(total)           module {total}                      0                     unknown
//! ```
//!
//! Within a statement there are its kind, its brackets (`frames`), and the names that wait for what follows:
//!
//! ```text
//! rows, n = [r * 2 for r in data]
//!       │ │  │ │       │    │   └ they close: their `for` has bound `r`, so the obligation is met
//!       │ │  │ │       │    └ used; if no `data` is visible, it is refused as soon as it has ended (`name_uses`)
//!       │ │  │ │       └ the brackets bind it, for what stands in them (`frames`)
//!       │ │  │ └ no target, so `r` is used: none is visible, but a `for` may follow (`comprehensions`)
//!       │ │  └ may be a target, in `rows, n = [r] = ...`, so it is a candidate
//!       │ └ `rows` and `n` are to be bound when the statement has ended (`waiting_names`)
//!       └ waits for what is behind it: no `.`, `(` or `[`, so it is a candidate (`waiting_names`)
//! ```
//!
//! What it trades: there are as many states as ways in which Python reads a name, where a tree would need none of them.
//! In return a step costs a few comparisons, nothing of a text is kept but names, and equal readers go on alike: so
//! lines are known again behind an edit (`contexts`), and masks at places of one shape (`names_at`). A reader is cloned
//! where a text may go on in several ways, so its scopes are shared until they are changed.
//!
//! The state is in `frames`, `open_statement` and `waiting_names`. [`NamesReader::symbol`] hands each symbol on: names
//! to `name_roles` and `name_uses`, others to `statements` and `brackets`. What single constructs add, or the compiler
//! refuses, is in `comprehensions`, `rows`, `imports`, `annotations` and `compiler_refusals`.

mod annotations;
mod brackets;
mod compiler_refusals;
mod comprehensions;
mod frames;
mod imports;
mod name_roles;
mod name_uses;
mod open_statement;
mod rows;
mod statements;
mod waiting_names;

use smallvec::SmallVec;

use self::frames::NameContext;
use self::imports::FutureImports;
use self::name_uses::Doubt;
use self::open_statement::{Behind, OpenStatement};
use self::statements::NextSuite;
use crate::python_names::scopes::{CopyOnWrite, Scopes, Surroundings};
use crate::python_names::symbols::{Annotations, NameViolation, SymbolKind};

pub(super) use self::comprehensions::Obligation;
pub(super) use self::frames::{Clauses, FrameKind, OpenConstruct, Phase};
pub(super) use self::imports::FEATURES;
pub(super) use self::open_statement::{Form, Header, Statement};
pub(super) use self::rows::Stars;
pub(super) use self::waiting_names::{Role, WaitingName, WaitingNames, Walrus};

/// The last symbol that has been read, layout included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LastSymbol {
    pub(super) kind: SymbolKind,
    /// The offset where it begins, from the beginning of the hole on.
    pub(super) start: i64,
}

/// The state of a program behind the symbols that have been read. But for the scopes and the frames, each part is
/// changed by its own file alone.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct NamesReader {
    /// The scopes, with the names that are visible.
    pub(super) scopes: CopyOnWrite<Scopes>,
    /// The part of the file that is being read.
    pub(super) part: TextPart,
    /// The statement in progress,
    pub(super) statement: OpenStatement,
    /// ... the brackets that are open in it, from the outermost one inwards,
    pub(super) frames: SmallVec<[OpenConstruct; 4]>,
    /// ... and the names in it whose role is not known yet.
    pub(super) waiting: WaitingNames,
    /// The suite that begins if the next line stands deeper.
    pub(super) suite: NextSuite,
    pub(super) last: LastSymbol,
    pub(super) doubt: Doubt,
    pub(super) annotations: Annotations,
    pub(super) future: FutureImports,
}

/// A part of a file, with the span of the names that are judged.
///
/// One reader goes through all three parts, so that a name which begins in one may end in the next:
///
/// ```text
/// import os; o|s.path + su|m(rows)
/// Context       Hole       Rest
/// ```
///
/// A context is its author's: the reader remembers the names that it uses, and refuses nothing. In the hole, and in
/// the right context's part of its last line, all symbols are checked, and the names that begin in the hole's text
/// are judged: `sum` is. A word that the left context has begun is judged if a visible name begins like it, as `os`
/// does; else it is its author's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TextPart {
    /// A context: the names that it uses are remembered, and nothing is refused.
    Context,
    /// The text of the hole.
    Hole(JudgedSpan),
    /// The continuation in the right context, read for the sake of names that wait.
    Rest(JudgedSpan),
}

/// The span of the offsets where judged names begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct JudgedSpan {
    from: i64,
    until: i64,
}

impl TextPart {
    pub(super) fn is_hole(self) -> bool {
        matches!(self, Self::Hole(_))
    }

    pub(super) fn is_rest(self) -> bool {
        matches!(self, Self::Rest(_))
    }

    /// Whether faults are refused in this part, which is no context.
    pub(super) fn is_checked(self) -> bool {
        self != Self::Context
    }

    /// Whether a name that begins at this offset is judged.
    fn judges(self, start: i64) -> bool {
        match self {
            Self::Context => false,
            Self::Hole(span) | Self::Rest(span) => span.from <= start && start < span.until,
        }
    }

    /// Whether a name that begins at this offset was begun by a context, so that it is not judged.
    pub(super) fn is_begun_before(self, start: i64) -> bool {
        match self {
            Self::Context => true,
            Self::Hole(span) | Self::Rest(span) => start < span.from,
        }
    }
}

impl NamesReader {
    /// The reader in front of all text that is in these scopes.
    pub(super) fn new(scopes: Scopes, annotations: Annotations) -> Self {
        Self {
            scopes: CopyOnWrite::new(scopes),
            part: TextPart::Context,
            statement: OpenStatement::new(),
            frames: SmallVec::new(),
            waiting: WaitingNames::default(),
            suite: NextSuite::Unknown,
            last: LastSymbol { kind: SymbolKind::Newline, start: i64::MIN },
            doubt: Doubt::Nothing,
            annotations,
            future: FutureImports::first(),
        }
    }

    /// Prepares the reader for being copied often.
    pub(super) fn freeze(&mut self) {
        for name in self.frames.iter().flat_map(|frame| frame.bound.iter().chain(&frame.targets)) {
            // `[x.y for x in |`: the names that the element uses are bound, though the brackets are open.
            self.scopes.note_bound(name);
        }
        let scopes = &mut *self.scopes;
        for scope in &mut scopes.scopes {
            scope.own.sort();
        }
        for set in [
            &mut scopes.unresolved,
            &mut scopes.used_at_once,
            &mut scopes.globals,
            &mut scopes.bound_anywhere,
        ] {
            set.sort();
        }
        scopes.is_context = false;
    }

    /// Begins the text of a hole, in which names are judged that begin at an offset or behind it.
    pub(super) fn begin_hole(&mut self, from: i64) {
        self.part = TextPart::Hole(JudgedSpan { from, until: i64::MAX });
    }

    /// Notes that the text of the hole ends at an offset.
    pub(super) fn end_text(&mut self, until: i64) {
        match &mut self.part {
            TextPart::Context => {}
            TextPart::Hole(span) | TextPart::Rest(span) => span.until = until,
        }
    }

    /// Begins the right context's text.
    pub(super) fn begin_rest(&mut self) {
        if let TextPart::Hole(span) = self.part {
            self.part = TextPart::Rest(span);
        }
    }

    /// The names that a comprehension must bind.
    pub(super) fn unbound(&self) -> impl Iterator<Item = &[u8]> {
        self.waiting.obligations.iter().map(|obligation| &*obligation.name)
    }

    /// Whether names wait for symbols that follow.
    pub(super) fn has_open_questions(&self) -> bool {
        self.waiting.has_open_questions()
            || !self.statement.patterns.is_empty()
            || self.has_open_rows()
            || self.frames.iter().any(OpenConstruct::may_turn_wrong)
    }

    /// Whether a line has just ended.
    pub(super) fn is_at_line_end(&self) -> bool {
        self.last.kind == SymbolKind::Newline
    }

    /// Reads a symbol. `column` is that of an INDENT.
    pub(super) fn symbol(
        &mut self,
        kind: SymbolKind,
        text: &[u8],
        start: i64,
        column: Option<u32>,
        around: &Surroundings,
    ) -> Result<(), NameViolation> {
        if kind == SymbolKind::Nothing {
            return Ok(());
        }
        self.decide(kind, around)?;
        self.follow_exec(kind);
        let LastSymbol { kind: before, .. } =
            std::mem::replace(&mut self.last, LastSymbol { kind, start });
        self.doubt.follow(before);
        match kind {
            SymbolKind::Newline => return self.end_line(around),
            SymbolKind::Indent => {
                self.begin_suite(column);
                return Ok(());
            }
            SymbolKind::Dedent => {
                self.expect_no_match();
                self.scopes.close();
                return Ok(());
            }
            _ => {}
        }
        self.expect_no_match();
        if self.suite.is_coming() {
            self.begin_suite(None);
        }
        self.end_lambdas(kind);
        self.end_walruses(kind);
        self.check_future(kind, text, start, around)?;
        compiler_refusals::check(self, kind, before, text, start, around)?;
        if self.begins_lazy_import(kind) {
            return self.begin_lazy_import(kind);
        }
        if self.statement.kind() == Statement::Start
            && kind != SymbolKind::Name
            && self.begin_statement(kind)
        {
            return Ok(());
        }
        match kind {
            SymbolKind::Name => self.name(text, start, around),
            SymbolKind::Operand | SymbolKind::String => {
                self.note_refutable();
                self.check_string(text, start, around)?;
                self.no_target(around)?;
                self.statement.stand_behind(Behind::Operand);
                Ok(())
            }
            SymbolKind::Star | SymbolKind::DoubleStar => self.star(around),
            SymbolKind::Comma => self.comma(),
            SymbolKind::Dot => {
                self.note_refutable();
                self.use_inner(around)?;
                // `from .__future__`, too, names a part of a module.
                if self.statement.behind() == Behind::Operand
                    || self.statement.kind() == Statement::FromModule
                {
                    self.statement.stand_behind(Behind::Dot);
                }
                Ok(())
            }
            SymbolKind::Colon => self.colon(),
            SymbolKind::Semicolon => self.end_statement(around),
            SymbolKind::Assign => self.assign(),
            SymbolKind::Augmented => self.read_augmented_assignment(around),
            SymbolKind::OpenParen | SymbolKind::OpenSquare | SymbolKind::OpenBrace => {
                self.open(kind, around)
            }
            SymbolKind::FieldOpen => {
                self.frames.push(OpenConstruct::new(FrameKind::Field, NameContext::Use));
                self.statement.stand_behind(Behind::Operator);
                Ok(())
            }
            SymbolKind::FieldColon => Ok(()),
            SymbolKind::Close | SymbolKind::FieldClose => self.close(),
            SymbolKind::For => self.begin_for(around),
            SymbolKind::In => self.read_in(around),
            SymbolKind::If => self.read_if(around),
            SymbolKind::As => self.read_as(),
            SymbolKind::Import => {
                self.statement.read_import();
                self.statement.stand_behind(Behind::Operator);
                Ok(())
            }
            SymbolKind::Lambda => {
                self.no_target(around)?;
                self.frames.push(OpenConstruct::new(FrameKind::Lambda, NameContext::Use));
                self.statement.stand_behind(Behind::Start);
                Ok(())
            }
            SymbolKind::Arrow => {
                self.statement.read_arrow();
                self.statement.stand_behind(Behind::Operator);
                Ok(())
            }
            SymbolKind::Async if !self.frames.is_empty() => {
                self.no_target(around)?;
                let is_generator = self.frames.last().is_some_and(OpenConstruct::is_round);
                if !is_generator {
                    self.ask_for_async(b"async", start)?;
                }
                self.statement.stand_behind(Behind::Operator);
                Ok(())
            }
            SymbolKind::Bar if !self.statement.patterns.is_empty() => {
                self.statement.stand_behind(Behind::Operator);
                self.next_alternative(start)
            }
            _ => {
                self.no_target(around)?;
                self.statement.stand_behind(Behind::Operator);
                Ok(())
            }
        }
    }
}
