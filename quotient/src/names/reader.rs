//! Reads the symbols of a program and knows, for each name, what it is there for.
//!
//! The grammar has been checked by others, so every step is decided by the symbol at hand, or by the one
//! behind a name: `f(a` may go on with `=`, `:=` or anything else. A name whose place allows it to be
//! bound later waits: as a candidate, for the `=` of an assignment; as an obligation, for the `for` of a
//! comprehension.

use smallvec::SmallVec;

use super::compiling::{self, Reason};
use super::frames::{Context, Frame, FrameKind, Phase};
use super::kinds::Kind;
use super::name_set::{Name, Query, has_sorted};
use super::scopes::{Block, BlockKind, Scope, ScopeKind, Scopes, Surroundings};

/// What forbids a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Wrong {
    /// The name, or the keyword that must not stand there.
    pub(crate) name: Vec<u8>,
    /// Where it begins, from the beginning of the hole on.
    pub(crate) start: i64,
    pub(crate) reason: Reason,
}

/// What kind of statement is being read, and how far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Statement {
    Start,
    /// An expression or an assignment.
    Expression,
    /// The annotation behind a target.
    Annotation,
    /// Keywords with values behind them: `return`, `del`, decorators.
    Value,
    /// `if`, `elif`, `while`, `match`, guards: a walrus needs no brackets.
    Condition,
    ForTargets,
    ForIterable,
    WithItem,
    WithTarget,
    Import,
    ImportAlias,
    FromModule,
    FromNames,
    FromAlias,
    Global,
    Nonlocal,
    /// Between `def` or `class` and the brackets.
    DefinitionName,
    /// Behind the name.
    Definition,
    /// Behind `->`.
    Returns,
    Except,
    ExceptName,
    Case,
    TypeName,
    /// Keywords with nothing but a colon behind them.
    Header,
}

/// What stands in front of the next symbol, as far as it decides what that may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Behind {
    /// An element, argument or condition begins: here `name :=` may come.
    Start,
    Operator,
    Operand,
    Dot,
}

/// What a name may be where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// An attribute, a module: anything goes.
    Free,
    /// Bound there, whatever follows.
    Bound,
    Use,
    /// A use, or bound by `:=`.
    UseOrWalrus,
    /// The same, or the keyword of an argument.
    Argument,
    /// A use, or bound by a later `=`; with `:=` in brackets.
    Candidate,
    /// Bound, unless an attribute or an element of it is.
    Binding,
    /// Captured, unless it is the name of a class.
    Pattern,
}

/// A name whose next symbol decides what it is.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub(super) name: Name,
    start: i64,
    role: Role,
    /// The number of frames around it.
    depth: usize,
    is_judged: bool,
}

/// A name that a comprehension around it must bind.
#[derive(Clone, Debug)]
struct Obligation {
    name: Name,
    start: i64,
    /// The frames whose `for` can do it, as bits.
    rescuers: u64,
}

/// The header of a compound statement.
#[derive(Clone, Debug, Default)]
pub(super) struct Header {
    name: Option<Name>,
    is_class: bool,
    pub(super) is_async: bool,
    is_loop: bool,
    is_match: bool,
    /// The statement began with a name that may be a soft keyword.
    is_soft: bool,
    type_parameters: SmallVec<[Name; 1]>,
    parameters: SmallVec<[Name; 4]>,
    /// A `case` or `except` that leaves nothing for those behind it.
    takes_all: bool,
    has_future: bool,
}

/// A suite whose header has been read.
#[derive(Clone, Debug)]
struct Coming {
    kind: BlockKind,
    scope: Option<Scope>,
}

/// Whom the reader reads for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// A context: what it uses is remembered, and nothing is refused.
    Context,
    /// The text of the hole.
    Hole,
    /// What the right context goes on with, for the sake of names that wait.
    Rest,
}

#[derive(Clone, Debug)]
pub(super) struct Reader {
    pub(super) scopes: Scopes,
    pub(super) mode: Mode,
    /// Names are judged that begin in front of here, and not in front of `judged_from`.
    pub(super) judged_until: i64,
    pub(super) judged_from: i64,
    pub(super) frames: SmallVec<[Frame; 4]>,
    pub(super) statement: Statement,
    pub(super) behind: Behind,
    /// Whether what has been read of the statement may be what an assignment binds.
    is_target: bool,
    waiting: Option<Waiting>,
    candidates: SmallVec<[Waiting; 2]>,
    to_bind: SmallVec<[Name; 2]>,
    obligations: SmallVec<[Obligation; 1]>,
    pub(super) header: Header,
    coming: Option<Coming>,
    may_match: bool,
    last: Kind,
    /// Whether annotations are evaluated late, or never.
    pub(super) has_late_annotations: bool,
}

impl Reader {
    pub(super) fn new(scopes: Scopes, has_late_annotations: bool) -> Self {
        Self {
            scopes,
            mode: Mode::Context,
            judged_until: i64::MAX,
            judged_from: i64::MIN,
            frames: SmallVec::new(),
            statement: Statement::Start,
            behind: Behind::Operator,
            is_target: true,
            waiting: None,
            candidates: SmallVec::new(),
            to_bind: SmallVec::new(),
            obligations: SmallVec::new(),
            header: Header::default(),
            coming: None,
            may_match: false,
            last: Kind::Newline,
            has_late_annotations,
        }
    }

    /// Gets ready for being copied often.
    pub(super) fn freeze(&mut self) {
        let scopes = &mut self.scopes;
        for scope in &mut scopes.scopes {
            scope.own.sort();
        }
        for set in [&mut scopes.unresolved, &mut scopes.bound_anywhere, &mut scopes.globals] {
            set.sort();
        }
    }

    /// Whether a header has been read, and its suite has not begun.
    pub(super) fn has_coming_suite(&self) -> bool {
        self.coming.is_some() || self.may_match
    }

    /// The first name that a comprehension must bind.
    pub(super) fn unbound(&self) -> Option<&[u8]> {
        self.obligations.first().map(|obligation| &*obligation.name)
    }

    /// Whether names wait for what follows.
    pub(super) fn has_open_questions(&self) -> bool {
        self.waiting.is_some() || !self.candidates.is_empty() || !self.obligations.is_empty()
    }

    /// Reads a symbol. `column` is that of an INDENT.
    pub(super) fn symbol(
        &mut self,
        kind: Kind,
        text: &[u8],
        start: i64,
        column: Option<u32>,
        around: &Surroundings,
    ) -> Result<(), Wrong> {
        if kind == Kind::Nothing {
            return Ok(());
        }
        self.decide(kind, around)?;
        let before = std::mem::replace(&mut self.last, kind);
        match kind {
            Kind::Newline => return self.end_line(around),
            Kind::Indent => {
                self.begin_suite(column);
                return Ok(());
            }
            Kind::Dedent => {
                self.may_match = false;
                self.scopes.close();
                return Ok(());
            }
            _ => {}
        }
        self.may_match = false;
        if self.coming.is_some() {
            self.begin_suite(None);
        }
        self.end_lambdas(kind);
        compiling::check(self, kind, before, text, start, around)?;
        if self.statement == Statement::Start && kind != Kind::Name && self.begin_statement(kind) {
            return Ok(());
        }
        match kind {
            Kind::Name => self.name(text, start, around),
            Kind::Operand => {
                self.header.takes_all = false;
                self.check_string(text, start, around)?;
                self.no_target(around)?;
                self.behind = Behind::Operand;
                Ok(())
            }
            Kind::Star | Kind::DoubleStar => self.star(around),
            Kind::Comma => self.comma(),
            Kind::Dot => {
                self.header.takes_all = false;
                self.use_inner(around)?;
                if self.behind == Behind::Operand {
                    self.behind = Behind::Dot;
                }
                Ok(())
            }
            Kind::Colon => self.colon(),
            Kind::Semicolon => self.end_statement(around),
            Kind::Assign => self.assign(),
            Kind::Augmented => self.augmented(around),
            Kind::OpenParen | Kind::OpenSquare | Kind::OpenBrace => self.open(kind, around),
            Kind::FieldOpen => {
                self.frames.push(Frame::new(FrameKind::Field, Context::Use));
                self.behind = Behind::Operator;
                Ok(())
            }
            Kind::FieldColon => Ok(()),
            Kind::Close | Kind::FieldClose => self.close(),
            Kind::For => self.begin_for(around),
            Kind::In => self.read_in(around),
            Kind::If => self.read_if(around),
            Kind::As => self.read_as(),
            Kind::Import => {
                if self.statement == Statement::FromModule {
                    self.statement = Statement::FromNames;
                }
                self.behind = Behind::Operator;
                Ok(())
            }
            Kind::Lambda => {
                self.no_target(around)?;
                self.frames.push(Frame::new(FrameKind::Lambda, Context::Use));
                self.behind = Behind::Start;
                Ok(())
            }
            Kind::Arrow => {
                self.statement = Statement::Returns;
                self.behind = Behind::Operator;
                Ok(())
            }
            Kind::Async if !self.frames.is_empty() => {
                self.no_target(around)?;
                self.behind = Behind::Operator;
                Ok(())
            }
            _ => {
                self.no_target(around)?;
                self.header.takes_all = false;
                self.behind = Behind::Operator;
                Ok(())
            }
        }
    }

    /// The keyword that a statement begins with; false if it is none.
    fn begin_statement(&mut self, kind: Kind) -> bool {
        self.behind = Behind::Operator;
        self.is_target = false;
        self.statement = match kind {
            Kind::If | Kind::Elif => Statement::Condition,
            Kind::While => {
                self.header.is_loop = true;
                Statement::Condition
            }
            Kind::For => {
                self.header.is_loop = true;
                Statement::ForTargets
            }
            Kind::With => Statement::WithItem,
            Kind::Try | Kind::Finally | Kind::Else => Statement::Header,
            Kind::Except => Statement::Except,
            Kind::Class | Kind::Def => {
                self.header.is_class = kind == Kind::Class;
                Statement::DefinitionName
            }
            Kind::Import => Statement::Import,
            Kind::From => Statement::FromModule,
            Kind::Global => Statement::Global,
            Kind::Nonlocal => Statement::Nonlocal,
            Kind::Return | Kind::Raise | Kind::Assert | Kind::Del | Kind::At | Kind::Pass => {
                Statement::Value
            }
            Kind::Break | Kind::Continue => Statement::Value,
            Kind::Async => {
                self.header.is_async = true;
                self.is_target = true;
                return true;
            }
            _ => {
                self.is_target = true;
                self.statement = Statement::Expression;
                return false;
            }
        };
        if self.statement == Statement::Condition {
            self.behind = Behind::Start;
        }
        true
    }

    /// What a name may be that comes next. `text` is what is known of it.
    pub(super) fn role(&self, text: &[u8]) -> Role {
        if self.behind == Behind::Dot {
            return Role::Free;
        }
        let Some(frame) = self.frames.last() else { return self.role_in_statement(text) };
        match (frame.kind, frame.phase) {
            (FrameKind::ImportedNames, _) => Role::Free,
            (_, Phase::Parameter) => Role::Bound,
            (_, Phase::Targets) => Role::Binding,
            _ if self.behind == Behind::Operand => Role::Free,
            (_, Phase::Element) => match frame.context {
                Context::Binding => Role::Binding,
                Context::Pattern => Role::Pattern,
                Context::Target if self.is_target => Role::Candidate,
                _ if self.behind != Behind::Start => Role::Use,
                _ if frame.kind == FrameKind::Arguments => Role::Argument,
                _ => Role::UseOrWalrus,
            },
            _ => Role::Use,
        }
    }

    fn role_in_statement(&self, text: &[u8]) -> Role {
        match self.statement {
            Statement::Start => Role::Candidate,
            Statement::Expression if self.behind == Behind::Operand => {
                // `match x:` and `type X = ...`: what stood in front was a keyword.
                if !self.header.is_soft {
                    return Role::Free;
                }
                if self.is_soft_type() { Role::Bound } else { Role::Use }
            }
            Statement::Expression if self.is_target => Role::Candidate,
            Statement::Condition if self.behind == Behind::Start => Role::UseOrWalrus,
            _ if self.behind == Behind::Operand => Role::Free,
            Statement::Expression
            | Statement::Annotation
            | Statement::Value
            | Statement::Condition
            | Statement::ForIterable
            | Statement::WithItem
            | Statement::Returns
            | Statement::Except => Role::Use,
            Statement::ForTargets | Statement::WithTarget => Role::Binding,
            Statement::Case if text == b"_" => Role::Free,
            Statement::Case => Role::Pattern,
            Statement::DefinitionName | Statement::TypeName | Statement::ExceptName => Role::Bound,
            _ => Role::Free,
        }
    }

    fn is_soft_type(&self) -> bool {
        let first = self.candidates.first().or(self.waiting.as_ref());
        first.is_some_and(|first| *first.name == *b"type")
    }

    fn name(&mut self, text: &[u8], start: i64, around: &Surroundings) -> Result<(), Wrong> {
        if self.statement == Statement::Start {
            if text == b"case" && self.is_in_match() {
                self.statement = Statement::Case;
                self.header.takes_all = true;
                self.behind = Behind::Start;
                return Ok(());
            }
            self.header.is_soft = matches!(text, b"match" | b"type");
            self.statement = Statement::Expression;
            self.behind = Behind::Operator;
        } else if self.header.is_soft
            && self.statement == Statement::Expression
            && self.frames.is_empty()
            && self.behind == Behind::Operand
        {
            self.begin_soft_statement();
        }
        let role = self.role(text);
        let was = std::mem::replace(&mut self.behind, Behind::Operand);
        let name: Name = text.into();
        match role {
            Role::Free => self.free_name(&name, was),
            Role::Bound => return self.bound_name(&name, start),
            Role::Use => {
                let depth = self.frames.len();
                let is_judged = self.judges(start);
                return self.use_name(Waiting { name, start, role, depth, is_judged }, around);
            }
            _ => {
                let depth = self.frames.len();
                let is_judged = self.judges(start);
                self.waiting = Some(Waiting { name, start, role, depth, is_judged });
            }
        }
        Ok(())
    }

    fn judges(&self, start: i64) -> bool {
        self.mode != Mode::Context && start >= self.judged_from && start < self.judged_until
    }

    fn is_in_match(&self) -> bool {
        self.scopes.blocks.last().is_some_and(|block| block.kind == BlockKind::Match)
    }

    /// What stood in front of this name or operand was `match` or `type`.
    fn begin_soft_statement(&mut self) {
        let is_type = self.is_soft_type();
        self.candidates.clear();
        self.header.is_soft = false;
        self.is_target = false;
        if is_type {
            self.statement = Statement::TypeName;
        } else {
            self.statement = Statement::Condition;
            self.header.is_match = true;
        }
        self.behind = Behind::Start;
    }

    /// A name that is none of a variable, or that an import binds.
    fn free_name(&mut self, name: &Name, was: Behind) {
        if was == Behind::Dot {
            if matches!(&**name, b"_convert_" | b"_convert") && self.mode == Mode::Context {
                // `IntEnum._convert_` puts its members into the module.
                self.scopes.scopes[0].is_open = true;
            }
            return;
        }
        match self.statement {
            Statement::Import | Statement::FromNames => {
                if self.header.has_future && **name == *b"annotations" {
                    self.has_late_annotations = true;
                }
                self.to_bind.push(name.clone());
            }
            Statement::ImportAlias | Statement::FromAlias => {
                self.to_bind.pop();
                self.to_bind.push(name.clone());
            }
            Statement::FromModule => self.header.has_future |= **name == *b"__future__",
            Statement::Global => {
                self.scopes.globals.add(name);
                self.scopes.innermost_mut().declared.push(name.clone());
                self.scopes.scopes[0].own.add(name);
                self.scopes.bound_anywhere.add(name);
            }
            Statement::Nonlocal => self.scopes.bind(name),
            _ => {}
        }
    }

    fn bound_name(&mut self, name: &Name, start: i64) -> Result<(), Wrong> {
        if let Some(frame) = self.frames.last_mut() {
            if self.mode == Mode::Hole && frame.bound.contains(name) {
                return Err(wrong(name, start, Reason::RepeatedParameter));
            }
            frame.bound.push(name.clone());
            return Ok(());
        }
        match self.statement {
            Statement::DefinitionName => {
                self.header.name = Some(name.clone());
                self.statement = Statement::Definition;
            }
            Statement::TypeName => {
                self.to_bind.push(name.clone());
                self.statement = Statement::Definition;
            }
            _ => self.header.name = Some(name.clone()),
        }
        Ok(())
    }

    /// What the symbol behind a name makes of it.
    fn decide(&mut self, kind: Kind, around: &Surroundings) -> Result<(), Wrong> {
        let Some(waiting) = self.waiting.take() else { return Ok(()) };
        let is_walrus = kind == Kind::Walrus;
        let is_part = matches!(kind, Kind::Dot | Kind::OpenParen | Kind::OpenSquare);
        match waiting.role {
            Role::UseOrWalrus | Role::Argument | Role::Candidate if is_walrus => {
                self.scopes.bind(&waiting.name);
                Ok(())
            }
            Role::Argument if kind == Kind::Assign => self.keyword(&waiting),
            Role::Candidate if !is_part => {
                self.candidates.push(waiting);
                Ok(())
            }
            Role::Candidate if self.header.is_soft && self.candidates.is_empty() => {
                // `match (x):` reads like a call of `match`.
                self.candidates.push(waiting);
                Ok(())
            }
            Role::Binding if !is_part => {
                self.bind_target(&waiting.name);
                Ok(())
            }
            Role::Pattern if kind == Kind::Assign => Ok(()),
            Role::Pattern if !matches!(kind, Kind::Dot | Kind::OpenParen) => self.capture(&waiting),
            _ => self.use_name(waiting, around),
        }
    }

    fn keyword(&mut self, waiting: &Waiting) -> Result<(), Wrong> {
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        if waiting.is_judged && frame.keywords.contains(&waiting.name) {
            return Err(wrong(&waiting.name, waiting.start, Reason::RepeatedKeyword));
        }
        frame.keywords.push(waiting.name.clone());
        Ok(())
    }

    fn bind_target(&mut self, name: &Name) {
        match self.frames.last_mut() {
            Some(frame) if frame.phase == Phase::Targets && frame.may_comprehend => {
                frame.targets.push(name.clone());
            }
            _ if matches!(self.statement, Statement::WithItem | Statement::WithTarget) => {
                self.scopes.bind(name);
            }
            _ => {
                let comprehension =
                    self.frames.iter_mut().rev().find(|frame| frame.phase == Phase::Targets);
                match comprehension {
                    Some(frame) => frame.targets.push(name.clone()),
                    None => self.to_bind.push(name.clone()),
                }
            }
        }
    }

    fn capture(&mut self, waiting: &Waiting) -> Result<(), Wrong> {
        if *waiting.name != *b"_" {
            self.to_bind.push(waiting.name.clone());
        }
        Ok(())
    }

    /// Whether the right context binds a name anywhere.
    pub(super) fn is_bound_behind(&self, name: &[u8], around: &Surroundings) -> bool {
        around.right.anywhere.has(Query::Name(name))
    }

    /// Whether a name is visible here that is asked for.
    pub(super) fn sees(&self, query: Query<'_>, around: &Surroundings) -> bool {
        let is_late = self.frames.iter().any(|frame| frame.phase == Phase::Body)
            || (self.has_late_annotations || self.scopes.innermost().is_function())
                && self.is_in_annotation();
        self.frames.iter().any(|frame| frame.binds(query))
            || self.header.type_parameters.iter().any(|name| query.is_met_by(name))
            || self.scopes.sees(query, around, is_late)
    }

    /// Whether a string that begins here is an annotation.
    pub(super) fn reads_strings(&self) -> bool {
        self.mode == Mode::Hole
            && match self.frames.last() {
                Some(frame) => {
                    frame.kind == FrameKind::Parameters && frame.phase == Phase::Annotation
                }
                None => matches!(self.statement, Statement::Annotation | Statement::Returns),
            }
    }

    /// An annotation that is a string names something that exists, be it further down.
    fn check_string(&self, text: &[u8], start: i64, around: &Surroundings) -> Result<(), Wrong> {
        let [b'"' | b'\'', content @ ..] = text else { return Ok(()) };
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let length = content.iter().position(|byte| !is_part(byte)).unwrap_or(0);
        let name = &content[..length];
        let is_name = name.first().is_some_and(|byte| !byte.is_ascii_digit())
            && matches!(content[length], b'"' | b'\'' | b'.' | b'[')
            && !matches!(name, b"None" | b"True" | b"False");
        if !self.reads_strings() || !is_name || self.scopes.sees(Query::Name(name), around, true) {
            return Ok(());
        }
        let is_parameter = self.header.type_parameters.iter().any(|parameter| **parameter == *name);
        if is_parameter { Ok(()) } else { Err(wrong(name, start, Reason::Undefined)) }
    }

    fn is_in_annotation(&self) -> bool {
        matches!(self.statement, Statement::Annotation | Statement::Returns)
            || self.frames.iter().any(|frame| frame.phase == Phase::Annotation)
    }

    /// The frames whose `for` could bind a name that is used at a depth, as bits.
    pub(super) fn rescuers(&self, depth: usize) -> u64 {
        let inside = self.frames.iter().take(depth.min(64)).enumerate();
        inside.filter(|(_, frame)| frame.can_rescue()).map(|(index, _)| 1 << index).sum()
    }

    fn use_name(&mut self, waiting: Waiting, around: &Surroundings) -> Result<(), Wrong> {
        let Waiting { name, start, depth, is_judged, .. } = waiting;
        if self.mode == Mode::Context && matches!(&*name, b"exec" | b"globals") {
            self.scopes.scopes[0].is_open = true;
        }
        if !is_judged {
            let is_known = self.mode != Mode::Context
                || self.scopes.bound_anywhere.has(Query::Name(&name))
                || has_sorted(&around.builtins, Query::Name(&name));
            if !is_known {
                self.scopes.unresolved.add(&name);
            }
            return Ok(());
        }
        // Names are compared in a normal form; what is not ASCII is taken for known.
        if !name.is_ascii() || self.sees(Query::Name(&name), around) {
            return Ok(());
        }
        match self.rescuers(depth) {
            0 => Err(wrong(&name, start, Reason::Undefined)),
            rescuers => {
                self.obligations.push(Obligation { name, start, rescuers });
                Ok(())
            }
        }
    }

    /// What has been read of the statement is no target: its candidates are uses.
    fn no_target(&mut self, around: &Surroundings) -> Result<(), Wrong> {
        let is_inside = self.frames.last().is_some_and(|frame| frame.context != Context::Target);
        if is_inside || !self.is_target {
            return Ok(());
        }
        self.is_target = false;
        if self.header.is_soft && self.frames.is_empty() && self.behind == Behind::Operand {
            // `match -x:` or `match not x:`, or the value of a variable called `match`.
            self.candidates.retain(|candidate| !matches!(&*candidate.name, b"match" | b"type"));
        }
        self.use_candidates(0, around)
    }

    fn use_candidates(&mut self, deeper_than: usize, around: &Surroundings) -> Result<(), Wrong> {
        if self.candidates.iter().all(|candidate| candidate.depth < deeper_than) {
            return Ok(());
        }
        for candidate in std::mem::take(&mut self.candidates) {
            if candidate.depth < deeper_than {
                self.candidates.push(candidate);
            } else if !(self.header.is_soft && matches!(&*candidate.name, b"match" | b"type")) {
                self.use_name(candidate, around)?;
            }
        }
        Ok(())
    }

    /// `(a, b).c`: what brackets hold that an attribute or an element is taken of, is used.
    fn use_inner(&mut self, around: &Surroundings) -> Result<(), Wrong> {
        if self.behind == Behind::Operand && self.is_target {
            self.use_candidates(self.frames.len() + 1, around)?;
        }
        Ok(())
    }

    fn star(&mut self, around: &Surroundings) -> Result<(), Wrong> {
        if self.statement == Statement::FromNames {
            self.scopes.innermost_mut().is_open = true;
            return Ok(());
        }
        if self.behind == Behind::Operand {
            self.no_target(around)?;
        } else if let Some(frame) = self.frames.last_mut() {
            frame.may_comprehend &= frame.phase != Phase::Element;
            let index = self.frames.len() - 1;
            self.drop_rescuer(index)?;
        }
        self.behind = Behind::Operator;
        Ok(())
    }

    fn comma(&mut self) -> Result<(), Wrong> {
        self.behind = Behind::Start;
        let Some(frame) = self.frames.last_mut() else {
            self.behind = Behind::Operator;
            match self.statement {
                Statement::WithTarget => self.statement = Statement::WithItem,
                Statement::ImportAlias => self.statement = Statement::Import,
                Statement::FromAlias => self.statement = Statement::FromNames,
                Statement::Case => self.header.takes_all = false,
                Statement::Expression => self.header.is_soft = false,
                _ => {}
            }
            return Ok(());
        };
        match frame.kind {
            FrameKind::Parameters | FrameKind::TypeParameters => frame.phase = Phase::Parameter,
            FrameKind::Lambda => frame.phase = Phase::Parameter,
            FrameKind::ImportedNames => self.statement = Statement::FromNames,
            _ => {
                if frame.phase == Phase::Targets && frame.may_comprehend {
                    // `for a, b in`
                    return Ok(());
                }
                let is_with = !frame.may_comprehend && frame.phase == Phase::Targets;
                if is_with {
                    frame.phase = Phase::Element;
                }
                if frame.phase == Phase::Element {
                    frame.may_comprehend = false;
                }
                let index = self.frames.len() - 1;
                self.drop_rescuer(index)?;
            }
        }
        Ok(())
    }

    /// A frame can no longer bind what stands in it.
    fn drop_rescuer(&mut self, index: usize) -> Result<(), Wrong> {
        if index < 64 && !self.frames[index].may_comprehend {
            for obligation in &mut self.obligations {
                obligation.rescuers &= !(1 << index);
            }
            self.check_obligations()?;
        }
        Ok(())
    }

    fn check_obligations(&self) -> Result<(), Wrong> {
        match self.obligations.iter().find(|obligation| obligation.rescuers == 0) {
            Some(broken) => Err(wrong(&broken.name, broken.start, Reason::Undefined)),
            None => Ok(()),
        }
    }

    fn colon(&mut self) -> Result<(), Wrong> {
        if let Some(frame) = self.frames.last_mut() {
            match frame.kind {
                FrameKind::Lambda => {
                    frame.phase = Phase::Body;
                    for name in &frame.bound {
                        self.scopes.bound_anywhere.add(name);
                    }
                }
                FrameKind::Parameters | FrameKind::TypeParameters => {
                    frame.phase = Phase::Annotation
                }
                _ => {}
            }
            self.behind = Behind::Operator;
            return Ok(());
        }
        let was = std::mem::replace(&mut self.behind, Behind::Operator);
        if self.statement == Statement::Expression {
            let may_match = self.header.is_soft;
            if self.is_target {
                for candidate in std::mem::take(&mut self.candidates) {
                    self.to_bind.push(candidate.name);
                }
            }
            self.is_target = false;
            self.statement = Statement::Annotation;
            self.header.is_match = may_match;
            return Ok(());
        }
        self.end_header(was);
        Ok(())
    }

    /// The suite of a header may begin.
    fn end_header(&mut self, was: Behind) {
        let header = std::mem::take(&mut self.header);
        let late = std::mem::take(&mut self.to_bind);
        let mut takes_all = false;
        let mut scope = None;
        let kind = match self.statement {
            Statement::Definition | Statement::DefinitionName | Statement::Returns => {
                let name: Name = header.name.unwrap_or_else(|| (*b"").into());
                let scope_kind = match header.is_class {
                    true => ScopeKind::Class,
                    false => ScopeKind::Function { is_async: header.is_async },
                };
                let mut opened = Scope::new(scope_kind);
                opened.type_parameters = header.type_parameters;
                for parameter in &header.parameters {
                    opened.own.add(parameter);
                }
                scope = Some(opened);
                if header.is_class {
                    let outer = self.scopes.innermost_mut();
                    outer.bound_later.push(name.clone());
                    BlockKind::Class(name)
                } else {
                    self.scopes.bind(&name);
                    BlockKind::Function
                }
            }
            Statement::ExceptName => match header.name {
                Some(name) => {
                    let was_bound = self.scopes.innermost().own.has(Query::Name(&name));
                    self.scopes.bind(&name);
                    BlockKind::Handler((!was_bound).then_some(name))
                }
                None => BlockKind::Handler(None),
            },
            Statement::Except => {
                takes_all = was == Behind::Operator;
                BlockKind::Handler(None)
            }
            Statement::Case => {
                takes_all = header.takes_all;
                BlockKind::Plain
            }
            _ if header.is_match => BlockKind::Match,
            _ if header.is_loop => BlockKind::Loop,
            _ => BlockKind::Plain,
        };
        for name in late {
            self.scopes.bind(&name);
        }
        if let Some(block) = self.scopes.blocks.last_mut() {
            block.takes_all = takes_all;
        }
        self.coming = Some(Coming { kind, scope });
        self.begin_anew();
    }

    fn begin_anew(&mut self) {
        self.statement = Statement::Start;
        self.behind = Behind::Operator;
        self.is_target = true;
        self.frames.clear();
        self.header = Header::default();
    }

    fn begin_suite(&mut self, column: Option<u32>) {
        let kind = if self.may_match { BlockKind::Match } else { BlockKind::Plain };
        let coming = self.coming.take().unwrap_or(Coming { kind, scope: None });
        self.scopes.open(coming.kind, column, coming.scope);
    }

    fn end_statement(&mut self, around: &Surroundings) -> Result<(), Wrong> {
        let had_annotation = self.statement == Statement::Annotation && self.header.is_match;
        self.use_candidates(0, around)?;
        if let Some(broken) = self.obligations.first() {
            return Err(wrong(&broken.name, broken.start, Reason::Undefined));
        }
        for name in std::mem::take(&mut self.to_bind) {
            self.scopes.bind(&name);
        }
        self.begin_anew();
        // `match x[0]:` reads like an annotation; an INDENT tells.
        self.may_match = had_annotation;
        Ok(())
    }

    fn end_line(&mut self, around: &Surroundings) -> Result<(), Wrong> {
        if self.coming.is_some() && self.statement == Statement::Start {
            return Ok(());
        }
        self.end_lambdas(Kind::Newline);
        self.end_statement(around)?;
        while self.scopes.blocks.last().is_some_and(|block: &Block| block.column.is_none()) {
            self.scopes.close();
        }
        Ok(())
    }

    fn assign(&mut self) -> Result<(), Wrong> {
        self.behind = Behind::Operator;
        if let Some(frame) = self.frames.last_mut() {
            match frame.kind {
                FrameKind::Parameters | FrameKind::TypeParameters | FrameKind::Lambda => {
                    frame.phase = Phase::Default;
                }
                FrameKind::Arguments => {
                    frame.may_comprehend = false;
                    let index = self.frames.len() - 1;
                    self.drop_rescuer(index)?;
                }
                _ => {}
            }
            return Ok(());
        }
        match self.statement {
            Statement::Expression => {
                for candidate in std::mem::take(&mut self.candidates) {
                    self.to_bind.push(candidate.name);
                }
                self.header.is_soft = false;
                self.is_target = true;
            }
            Statement::Annotation | Statement::Definition => {
                self.header.is_match = false;
                self.statement = Statement::Value;
            }
            _ => {}
        }
        Ok(())
    }

    fn augmented(&mut self, around: &Surroundings) -> Result<(), Wrong> {
        for candidate in self.candidates.clone() {
            self.to_bind.push(candidate.name);
        }
        self.header.is_soft = false;
        self.is_target = false;
        self.behind = Behind::Operator;
        self.use_candidates(0, around)
    }

    /// What the names directly in the place are there for.
    fn context(&self) -> Context {
        match self.frames.last() {
            Some(frame) if frame.phase == Phase::Targets => Context::Binding,
            Some(frame) => match frame.context {
                Context::Target if !self.is_target => Context::Use,
                _ if frame.phase != Phase::Element => Context::Use,
                context => context,
            },
            None => match self.statement {
                Statement::Start | Statement::Expression if self.is_target => Context::Target,
                Statement::ForTargets | Statement::WithTarget => Context::Binding,
                Statement::Case => Context::Pattern,
                _ => Context::Use,
            },
        }
    }

    fn open(&mut self, kind: Kind, around: &Surroundings) -> Result<(), Wrong> {
        let is_behind_operand = self.behind == Behind::Operand;
        if is_behind_operand {
            self.use_inner(around)?;
        }
        let context = self.context();
        let is_definition = self.frames.is_empty() && self.statement == Statement::Definition;
        let frame = match kind {
            Kind::OpenParen if is_definition && self.header.is_class => {
                let mut frame = Frame::new(FrameKind::Arguments, Context::Use);
                frame.may_comprehend = false;
                frame
            }
            Kind::OpenParen if is_definition => Frame::new(FrameKind::Parameters, Context::Use),
            Kind::OpenSquare if is_definition => {
                Frame::new(FrameKind::TypeParameters, Context::Use)
            }
            Kind::OpenParen if self.statement == Statement::FromNames => {
                Frame::new(FrameKind::ImportedNames, Context::Use)
            }
            Kind::OpenParen if is_behind_operand => {
                let is_pattern = context == Context::Pattern;
                let context = if is_pattern { Context::Pattern } else { Context::Use };
                self.header.takes_all &= !is_pattern;
                Frame::new(FrameKind::Arguments, context)
            }
            Kind::OpenSquare if is_behind_operand => Frame::new(FrameKind::Subscript, Context::Use),
            Kind::OpenParen => Frame::new(FrameKind::Group, context),
            Kind::OpenSquare => {
                self.header.takes_all &= context != Context::Pattern;
                Frame::new(FrameKind::List, context)
            }
            _ => {
                self.header.takes_all &= context != Context::Pattern;
                if context == Context::Target {
                    self.no_target(around)?;
                }
                let context = if context == Context::Pattern { context } else { Context::Use };
                Frame::new(FrameKind::Brace, context)
            }
        };
        self.frames.push(frame);
        self.behind = Behind::Start;
        Ok(())
    }

    fn close(&mut self) -> Result<(), Wrong> {
        self.behind = Behind::Operand;
        let Some(mut frame) = self.frames.pop() else { return Ok(()) };
        frame.commit();
        for name in &frame.bound {
            self.scopes.bound_anywhere.add(name);
        }
        match frame.kind {
            FrameKind::Parameters => self.header.parameters = frame.bound.into_iter().collect(),
            FrameKind::TypeParameters => {
                self.header.type_parameters = frame.bound.into_iter().collect();
            }
            _ => {
                let index = self.frames.len();
                if index < 64 && !self.obligations.is_empty() {
                    let bound = &frame.bound;
                    self.obligations.retain(|obligation| {
                        obligation.rescuers & (1 << index) == 0 || !bound.contains(&obligation.name)
                    });
                    for obligation in &mut self.obligations {
                        obligation.rescuers &= !(1 << index);
                    }
                    self.check_obligations()?;
                }
            }
        }
        Ok(())
    }

    /// A lambda's body ends where what is around it goes on.
    fn end_lambdas(&mut self, kind: Kind) {
        let is_end = matches!(
            kind,
            Kind::Comma
                | Kind::Close
                | Kind::Colon
                | Kind::Semicolon
                | Kind::Newline
                | Kind::For
                | Kind::As
                | Kind::From
                | Kind::Assign
                | Kind::FieldClose
                | Kind::FieldColon
                | Kind::Async
        );
        while is_end
            && self
                .frames
                .last()
                .is_some_and(|frame| frame.kind == FrameKind::Lambda && frame.phase == Phase::Body)
        {
            self.frames.pop();
        }
    }

    fn begin_for(&mut self, around: &Surroundings) -> Result<(), Wrong> {
        self.no_target(around)?;
        if let Some(frame) = self.frames.last_mut() {
            frame.commit();
            frame.phase = Phase::Targets;
        } else if self.statement == Statement::Start {
            self.header.is_loop = true;
            self.statement = Statement::ForTargets;
        }
        self.behind = Behind::Operator;
        Ok(())
    }

    fn read_in(&mut self, around: &Surroundings) -> Result<(), Wrong> {
        match self.frames.last_mut() {
            Some(frame) if frame.phase == Phase::Targets => frame.phase = Phase::Clause,
            None if self.statement == Statement::ForTargets => {
                self.statement = Statement::ForIterable
            }
            _ => self.no_target(around)?,
        }
        self.behind = Behind::Operator;
        Ok(())
    }

    fn read_if(&mut self, around: &Surroundings) -> Result<(), Wrong> {
        self.behind = Behind::Operator;
        match self.frames.last_mut() {
            Some(frame) if frame.phase == Phase::Clause => frame.commit(),
            None if self.statement == Statement::Case => {
                for name in std::mem::take(&mut self.to_bind) {
                    self.scopes.bind(&name);
                }
                self.header.takes_all = false;
                self.statement = Statement::Condition;
                self.behind = Behind::Start;
            }
            _ => self.no_target(around)?,
        }
        Ok(())
    }

    fn read_as(&mut self) -> Result<(), Wrong> {
        self.behind = Behind::Operator;
        if let Some(frame) = self.frames.last_mut() {
            match frame.kind {
                FrameKind::ImportedNames => self.statement = Statement::FromAlias,
                FrameKind::Group if frame.context == Context::Use => {
                    frame.may_comprehend = false;
                    frame.phase = Phase::Targets;
                    let index = self.frames.len() - 1;
                    self.drop_rescuer(index)?;
                }
                _ => {}
            }
            return Ok(());
        }
        self.statement = match self.statement {
            Statement::WithItem => Statement::WithTarget,
            Statement::Import => Statement::ImportAlias,
            Statement::FromNames => Statement::FromAlias,
            Statement::Except => Statement::ExceptName,
            other => other,
        };
        Ok(())
    }
}

pub(super) fn wrong(name: &[u8], start: i64, reason: Reason) -> Wrong {
    Wrong { name: name.to_vec(), start, reason }
}
