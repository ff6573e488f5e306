//! A shortest text that makes the whole fit: the proof of every "completable".
//!
//! The costs in [`Hole`] choose a sequence of symbols and a root. Writing them down is a matter
//! of the lexer: spaces where symbols would grow together, line breaks and columns where suites
//! begin and end. Each piece is tried on a copy of the place, so nothing is written that does
//! not read as intended.

use std::sync::Arc;

use fim_lexer::fstring::Frame;
use fim_lexer::lexer::{LexState, Symbol as LexedSymbol};
use fim_lexer::names::NamePrefix;
use fim_lexer::reach::shortest_text;
use fim_lexer::scanner::{EmissionId, RawState, Scanner, StateKind};
use fim_lexer::{Column, Columns, TerminalId};

use crate::costs::IMPOSSIBLE;
use crate::hole::{Hole, Place, Way};
use crate::language::Language;
use crate::left::{LeftChart, LeftCharts, LeftItem};
use crate::right_side::{Entrance, Exit, RootIdx};
use crate::rules::{BodyState, Symbol};

/// How many roots are left out before a search takes over.
const MAX_ROOTS_LEFT_OUT: usize = 24;

/// A terminal to write; for an INDENT, where its suite may stand.
#[derive(Clone, Copy, Debug)]
struct Planned {
    terminal: TerminalId,
    columns: Columns,
}

/// What to write: the rest of the symbol in progress, symbols, and how to enter the right context.
struct Plan {
    cost: u32,
    rest: Vec<u8>,
    symbols: Vec<Planned>,
    root: RootIdx,
}

/// A text being written.
struct Writer<'a> {
    hole: &'a mut Hole,
    language: &'a Language,
    left: &'a mut LeftCharts,
    place: Place,
    text: Vec<u8>,
    /// The chart behind everything planned so far, the symbol in progress included.
    chart: LeftChart,
}

impl Hole {
    /// A shortest text behind `place` that makes the whole fit; `None` only if there is none.
    pub(crate) fn witness(
        &mut self,
        language: &Language,
        left: &mut LeftCharts,
        place: &Place,
    ) -> Option<Vec<u8>> {
        if self.is_member(language, left, place) {
            return Some(Vec::new());
        }
        if let Some(rest) = rest_of_name(language, place) {
            let mut place = place.clone();
            let is_read = place.read(language, left, &rest) == rest.len();
            debug_assert!(is_read, "a name was begun, so it can be ended");
            let behind = self.witness(language, left, &place)?;
            return Some([rest, behind].concat());
        }
        self.planned_witness(language, left, place, MAX_ROOTS_LEFT_OUT)
            .or_else(|| self.search(language, left, place))
    }

    /// The best text that can be written by a plan. A plan may turn out to be one that the lexer
    /// does not allow: which f-string a right context ends is not known to the parser's symbols.
    /// Then its root is left out and all is planned again.
    fn planned_witness(
        &mut self,
        language: &Language,
        left: &mut LeftCharts,
        place: &Place,
        n_tries: usize,
    ) -> Option<Vec<u8>> {
        let mut plans = self.plans(language, left, place);
        plans.sort_by_key(|plan| plan.cost);
        let mut best: Option<Vec<u8>> = None;
        for plan in &plans {
            // Spaces and line breaks are not part of the cost, so look a little further.
            if best.as_ref().is_some_and(|best| plan.cost as usize > 2 * best.len()) {
                break;
            }
            let mut writer = Writer {
                chart: place.chart,
                place: place.clone(),
                text: Vec::new(),
                hole: self,
                language,
                left,
            };
            if let Some(text) = writer.write(plan)
                && best.as_ref().is_none_or(|best| text.len() < best.len())
            {
                best = Some(text);
            }
        }
        if best.is_some() || n_tries == 0 {
            return best;
        }
        let failed = plans.first()?.root;
        let side = self.right.without(&language.tables(), failed);
        let mut hole = Self::new(Arc::new(side));
        hole.planned_witness(language, left, place, n_tries - 1)
    }

    /// One plan for each way in which the symbol in progress may end.
    fn plans(&mut self, language: &Language, left: &mut LeftCharts, place: &Place) -> Vec<Plan> {
        let scanner = &language.lexer.scanner;
        let raw = place.lexed.raw;
        let mut plans = Vec::new();
        let kind = scanner.kind(raw);
        if kind.is_in_symbol() {
            let emissions: Vec<EmissionId> = language.reach.emissions(raw).collect();
            for emission in emissions {
                let Some(chart) = place.chart_behind(language, left, emission) else { continue };
                if self.cost(language, left, chart) >= IMPOSSIBLE {
                    continue;
                }
                let rest =
                    shortest_text(scanner, raw, |state| scanner.accept(state) == Some(emission));
                // What may end here may still not be followed by everything: `\` in an f-string.
                let longer = rest
                    .as_ref()
                    .filter(|rest| rest.is_empty())
                    .and_then(|_| longer_text(language, raw, emission));
                for rest in [rest, longer].into_iter().flatten() {
                    plans.extend(self.plan(language, left, chart, rest));
                }
            }
        }
        if kind.is_in_symbol() || kind == StateKind::Comment {
            plans.extend(self.straddling_plans(language, left, place));
        }
        if kind == StateKind::Comment && !place.lexed.is_line_start && place.lexed.frames.is_empty()
        {
            let layout = language.lexer.layout().expect("only Python's layout has comments");
            let newline = LexedSymbol { terminal: layout.newline, column: None };
            if let Some(chart) = left.step(&language.rules, place.chart, newline) {
                plans.extend(self.plan(language, left, chart, rest_of_comment(scanner, raw)));
            }
        } else if kind == StateKind::Comment {
            plans.extend(self.plan(language, left, place.chart, rest_of_comment(scanner, raw)));
        } else if !kind.is_in_symbol() {
            let rests: &[&[u8]] = match kind {
                StateKind::Backslash => &[b"\n"],
                // A line break written next would be the second half of this one.
                StateKind::BackslashCarriageReturn => &[b"", b"\n"],
                _ => &[b""],
            };
            for rest in rests {
                plans.extend(self.plan(language, left, place.chart, rest.to_vec()));
            }
        }
        plans
    }

    /// Plans in which the symbol in progress goes on into the right context.
    fn straddling_plans(
        &mut self,
        language: &Language,
        left: &LeftCharts,
        place: &Place,
    ) -> Vec<Plan> {
        let right = Arc::clone(&self.right);
        let lexed = &place.lexed;
        let tables = language.tables();
        let mut plans = Vec::new();
        for (index, root) in right.roots.iter().enumerate() {
            let root_idx = RootIdx(index as u16);
            if !right.is_led_to(root_idx, lexed.raw)
                || !self.meets(language, left, place.chart, root_idx)
            {
                continue;
            }
            let rest = shortest_text(&language.lexer.scanner, lexed.raw, |state| {
                let entry = right.entry(&tables, &LexState { raw: state, ..lexed.clone() });
                entry.is_some_and(|entry| entry.complete.is_none() && entry.root == *root)
            });
            if let Some(rest) = rest {
                plans.push(Plan {
                    cost: rest.len() as u32 * 2,
                    rest,
                    symbols: Vec::new(),
                    root: root_idx,
                });
            }
        }
        plans
    }

    /// The cheapest way from a chart to the right context.
    fn plan(
        &mut self,
        language: &Language,
        left: &LeftCharts,
        chart: LeftChart,
        rest: Vec<u8>,
    ) -> Option<Plan> {
        let costs = left.items(chart).to_vec();
        let (cost, item) = costs
            .into_iter()
            .map(|item| (self.item_cost(language, left, chart, item), item))
            .min_by_key(|&(cost, _)| cost)?;
        if cost >= IMPOSSIBLE {
            return None;
        }
        let mut symbols = Vec::new();
        let root = self.follow(language, left, chart, item, &mut symbols)?;
        Some(Plan { cost: cost + rest.len() as u32 * 2, rest, symbols, root })
    }

    fn follow(
        &mut self,
        language: &Language,
        left: &LeftCharts,
        chart: LeftChart,
        item: LeftItem,
        symbols: &mut Vec<Planned>,
    ) -> Option<RootIdx> {
        let mut chart = chart;
        let mut item = item;
        loop {
            match self.way(language, left, chart, item)? {
                Way::End(next) => {
                    spell_to_final(language, item.state, symbols);
                    chart = item.origin;
                    item = next;
                }
                Way::Leave { state, exit, columns } => {
                    spell_between(language, item.state, state, columns, symbols);
                    return self.follow_exit(language, exit, symbols);
                }
            }
        }
    }

    fn follow_exit(
        &self,
        language: &Language,
        exit: Exit,
        symbols: &mut Vec<Planned>,
    ) -> Option<RootIdx> {
        let mut exit = exit;
        loop {
            let child = match exit {
                Exit::Root(root) => return Some(root),
                Exit::Child(child) => self.right.instance(child),
            };
            let start = language.rules.start(child.nonterminal);
            let cost = |&(state, exit): &(BodyState, Exit)| {
                let way = language.costs.between(&language.rules, start, state);
                way.saturating_add(self.right.exit_cost(exit))
            };
            let &(state, next) = child.exits.iter().min_by_key(|exit| cost(exit))?;
            let columns = if child.is_in_suite { child.columns } else { Columns::ALL };
            spell_between(language, start, state, columns, symbols);
            exit = next;
        }
    }

    /// The last resort, for corners of the lexer that a plan does not see: short texts, tried.
    fn search(
        &mut self,
        language: &Language,
        left: &mut LeftCharts,
        place: &Place,
    ) -> Option<Vec<u8>> {
        const MAX_TRIES: usize = 20_000;
        let alphabet = b"\n #\\a0:)]}('\"\t,=";
        let mut todo = std::collections::VecDeque::from([(place.clone(), Vec::new())]);
        for _ in 0..MAX_TRIES {
            let (place, text) = todo.pop_front()?;
            for &byte in alphabet {
                let mut next = place.clone();
                if next.read(language, left, &[byte]) == 1
                    && self.is_completable(language, left, &next)
                {
                    let mut text = text.clone();
                    text.push(byte);
                    if self.is_member(language, left, &next) {
                        return Some(text);
                    }
                    todo.push_back((next, text));
                }
            }
        }
        None
    }
}

/// The shortest text of at least one byte that makes the symbol this one.
fn longer_text(language: &Language, from: RawState, emission: EmissionId) -> Option<Vec<u8>> {
    let scanner = &language.lexer.scanner;
    let bytes = scanner.alphabet().iter();
    let texts = bytes.filter_map(|&byte| {
        let next = scanner.next(from, byte);
        // Behind a keyword there are only names: to look for it would be to look everywhere.
        if !language.reach.emissions(next).any(|found| found == emission) {
            return None;
        }
        let rest = shortest_text(scanner, next, |state| scanner.accept(state) == Some(emission))?;
        Some([vec![byte], rest].concat())
    });
    texts.min_by_key(|text| (text.len(), !text[0].is_ascii_alphanumeric()))
}

/// What ends a comment: the rest of a character that was cut in half, and a line break.
fn rest_of_comment(scanner: &Scanner, raw: RawState) -> Vec<u8> {
    let rest = shortest_text(scanner, raw, |state| scanner.accept(state).is_some());
    [rest.unwrap_or_default(), b"\n".to_vec()].concat()
}

/// What completes a character's name that has begun, with its closing brace.
fn rest_of_name(language: &Language, place: &Place) -> Option<Vec<u8>> {
    let scanner = &language.lexer.scanner;
    let (opening, name) = match place.lexed.name {
        Some(name) => ("", name),
        None => {
            let is_opening = scanner.accept(place.lexed.raw).is_none()
                && scanner.kind(scanner.next(place.lexed.raw, b'{')) == StateKind::CharacterName;
            is_opening.then(|| ("{", NamePrefix::empty()))?
        }
    };
    let rest = name.shortest_rest()?;
    Some(format!("{opening}{rest}}}").into_bytes())
}

fn spell(language: &Language, symbol: Symbol, columns: Columns, symbols: &mut Vec<Planned>) {
    match symbol {
        Symbol::Terminal(terminal) => symbols.push(Planned { terminal, columns }),
        Symbol::Nonterminal(child) => {
            spell_to_final(language, language.rules.start(child), symbols);
        }
    }
}

fn spell_to_final(language: &Language, from: BodyState, symbols: &mut Vec<Planned>) {
    let (rules, costs) = (&language.rules, &language.costs);
    let mut state = from;
    while !rules.is_final(state) {
        let left = costs.to_final(state);
        let next = rules
            .edges(state)
            .iter()
            .find(|&&(symbol, to)| costs.symbol(symbol).saturating_add(costs.to_final(to)) == left);
        let Some(&(symbol, to)) = next else { return };
        spell(language, symbol, Columns::ALL, symbols);
        state = to;
    }
}

fn spell_between(
    language: &Language,
    from: BodyState,
    to: BodyState,
    columns: Columns,
    symbols: &mut Vec<Planned>,
) {
    let (rules, costs) = (&language.rules, &language.costs);
    let mut state = from;
    while state != to {
        let left = costs.between(rules, state, to);
        let next = rules.edges(state).iter().find(|&&(symbol, behind)| {
            costs.symbol(symbol).saturating_add(costs.between(rules, behind, to)) == left
        });
        let Some(&(symbol, behind)) = next else { return };
        spell(language, symbol, columns, symbols);
        state = behind;
    }
}

impl Writer<'_> {
    fn write(&mut self, plan: &Plan) -> Option<Vec<u8>> {
        let rest = plan.rest.clone();
        self.put(&rest).then_some(())?;
        self.chart = match self.language.lexer.scanner.accept(self.place.lexed.raw) {
            Some(emission) if !plan.symbols.is_empty() || self.is_symbol() => {
                self.place.chart_behind(self.language, self.left, emission)?
            }
            _ => self.place.chart,
        };
        let mut columns: Vec<Column> = self.place.lexed.indents.to_vec();
        for &planned in &plan.symbols {
            self.write_symbol(planned, &mut columns)?;
        }
        self.enter(plan.root, &columns)
    }

    fn is_symbol(&self) -> bool {
        self.language.lexer.scanner.kind(self.place.lexed.raw).is_in_symbol()
    }

    /// Appends text if it can be read.
    fn put(&mut self, text: &[u8]) -> bool {
        let is_read = self.place.read(self.language, self.left, text) == text.len();
        self.text.extend_from_slice(text);
        is_read
    }

    fn write_symbol(&mut self, planned: Planned, columns: &mut Vec<Column>) -> Option<()> {
        let terminal = planned.terminal;
        if let Some(layout) = self.language.lexer.layout() {
            if terminal == layout.newline {
                self.put(b"\n").then_some(())?;
                self.step(terminal, None)?;
                return (self.chart == self.place.chart).then_some(());
            }
            if terminal == layout.indent {
                let around = *columns.last()?;
                let column = self
                    .column_in_progress(around, planned.columns)
                    .or_else(|| deeper_column(around, planned.columns))?;
                columns.push(column);
                return self.step(terminal, Some(column));
            }
            if terminal == layout.dedent {
                columns.pop();
                return self.step(terminal, None);
            }
        }
        let before = self.separators(columns.last().copied().unwrap_or_default());
        let before_symbol = self.chart;
        self.step(terminal, None)?;
        for separator in before {
            let mut place = self.place.clone();
            if place.read(self.language, self.left, &separator) < separator.len() {
                continue;
            }
            let start = self.start_of(&place.lexed);
            let scanner = &self.language.lexer.scanner;
            let Some(text) = shortest_text(scanner, start, |state| {
                let emission = scanner.accept(state);
                emission.is_some_and(|id| scanner.emission(id).symbols == [terminal])
            }) else {
                continue;
            };
            if place.read(self.language, self.left, &text) < text.len() {
                continue;
            }
            let accepted = scanner.accept(place.lexed.raw);
            let is_intended = place.chart == before_symbol
                && accepted.is_some_and(|id| scanner.emission(id).symbols == [terminal]);
            if is_intended {
                self.place = place;
                self.text.extend(separator);
                self.text.extend(text);
                return Some(());
            }
        }
        None
    }

    /// The column of the line in progress, if a suite may begin with it.
    fn column_in_progress(&self, around: Column, columns: Columns) -> Option<Column> {
        let lexed = &self.place.lexed;
        let kind = self.language.lexer.scanner.kind(lexed.raw);
        let column = lexed.line_column();
        let is_deeper = Columns::deeper_than(around).contains(column) && columns.contains(column);
        (lexed.is_line_start && kind.is_clean() && is_deeper).then_some(column)
    }

    /// Where a symbol would begin behind the symbol in progress.
    fn start_of(&self, lexed: &LexState) -> RawState {
        let mut lexed = lexed.clone();
        let scanner = &self.language.lexer.scanner;
        match scanner.accept(lexed.raw) {
            Some(emission) => {
                self.language.lexer.finish_symbol(&mut lexed, emission, &mut |_| true);
                lexed.raw
            }
            None => scanner.start(lexed.frames.last().copied()),
        }
    }

    fn step(&mut self, terminal: TerminalId, column: Option<Column>) -> Option<()> {
        let symbol = LexedSymbol { terminal, column };
        self.chart = self.left.step(&self.language.rules, self.chart, symbol)?;
        Some(())
    }

    /// What may stand in front of the next symbol, the shortest first.
    fn separators(&self, column: Column) -> Vec<Vec<u8>> {
        let lexed = &self.place.lexed;
        if lexed.is_line_start {
            return line_beginnings(lexed, column, self.is_comment());
        }
        if lexed.frames.last().is_some_and(|frame| {
            matches!(frame, Frame::Text(_) | Frame::Specification(_) | Frame::Converted(_))
        }) {
            return vec![Vec::new()];
        }
        [&b""[..], b" ", b"\n", b"\n ", b"\\\n "].map(<[u8]>::to_vec).to_vec()
    }

    fn is_comment(&self) -> bool {
        self.language.lexer.scanner.kind(self.place.lexed.raw) == StateKind::Comment
    }

    /// Enters the right context at `root`, where the innermost suite stands at the last column.
    fn enter(&mut self, root: RootIdx, columns: &[Column]) -> Option<Vec<u8>> {
        let column = columns.last().copied().unwrap_or_default();
        let entrance = self.hole.right.roots[usize::from(root.0)].entrance;
        let mut endings = match entrance {
            Entrance::Middle(0) => vec![b"".to_vec(), b" ".to_vec()],
            // Behind a comment or a joined line break.
            Entrance::Middle(_) => {
                [&b""[..], b"#", b" #", b"\\", b" \\", b"\\\r"].map(<[u8]>::to_vec).to_vec()
            }
            Entrance::Line(_) => self.line_endings(column),
            Entrance::LineStart(at) => self.line_start_endings(column, at),
            Entrance::Straddle(emission, _) => self.straddling_endings(root, emission, column),
        };
        endings.sort_by_key(Vec::len);
        for ending in endings {
            let mut place = self.place.clone();
            if place.read(self.language, self.left, &ending) == ending.len()
                && self.hole.is_member(self.language, self.left, &place)
            {
                let mut text = std::mem::take(&mut self.text);
                text.extend(ending);
                return Some(text);
            }
        }
        None
    }

    fn line_endings(&self, column: Column) -> Vec<Vec<u8>> {
        let mut endings: Vec<Vec<u8>> =
            [&b""[..], b"\n", b"#", b"\n#", b"\r"].map(<[u8]>::to_vec).to_vec();
        endings.extend(line_beginnings(&self.place.lexed, column, self.is_comment()));
        endings
    }

    /// White space that together with the right context's own gives `column`.
    fn line_start_endings(&self, column: Column, at: u32) -> Vec<Vec<u8>> {
        let lexed = &self.place.lexed;
        let mut endings = Vec::new();
        let right = &self.hole.right;
        for n_spaces in 0..=column.wide.min(200) {
            let mut white = white_space(Column::spaces(n_spaces.min(column.wide)));
            let mut fresh = lexed.clone();
            fresh.column = Column::spaces(n_spaces);
            fresh.joined_column = 0;
            if right.line_column(Entrance::LineStart(at), &fresh) == Some(column) {
                endings.extend(extensions(lexed, &white, self.is_comment()));
            }
            white.clear();
        }
        for join in [&b"\\"[..], b"\\\n", b"\\\r"] {
            let joined = [&white_space(column), join].concat();
            endings.extend(extensions(lexed, &joined, self.is_comment()));
        }
        endings.extend(line_beginnings(lexed, column, self.is_comment()));
        endings.push(Vec::new());
        endings
    }

    fn straddling_endings(
        &self,
        root: RootIdx,
        emission: EmissionId,
        column: Column,
    ) -> Vec<Vec<u8>> {
        let scanner = &self.language.lexer.scanner;
        let right = &self.hole.right;
        let start = self.start_of(&self.place.lexed);
        let tables = self.language.tables();
        let mut lexed = self.place.lexed.clone();
        if let Some(emission) = scanner.accept(lexed.raw) {
            self.language.lexer.finish_symbol(&mut lexed, emission, &mut |_| true);
        }
        let wanted = right.roots[usize::from(root.0)];
        let text = shortest_text(scanner, start, |state| {
            lexed.raw = state;
            lexed.is_line_start = false;
            let entry = right.entry(&tables, &lexed);
            entry.is_some_and(|entry| entry.complete.is_none() && entry.root == wanted)
        });
        debug_assert!(usize::from(emission.0) < scanner.n_emissions());
        // The symbol may have been begun already.
        let mut endings = vec![Vec::new()];
        if let Some(text) = text {
            let separators = self.separators(column).into_iter();
            endings.extend(separators.map(|separator| [separator, text.clone()].concat()));
        }
        endings
    }
}

/// Ways to begin a line at `column` from where the lexer stands at the start of one.
fn line_beginnings(lexed: &LexState, column: Column, is_comment: bool) -> Vec<Vec<u8>> {
    extensions(lexed, &white_space(column), is_comment)
}

/// `white` as the leading white space of the line in progress, if that goes on to it, and of a
/// fresh line.
fn extensions(lexed: &LexState, white: &[u8], is_comment: bool) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    let read = lexed.column;
    let is_fresh = lexed.joined_column == 0 && !is_comment;
    if is_fresh && read.wide == read.narrow && white.len() >= read.wide as usize {
        let (done, rest) = white.split_at(read.wide as usize);
        if done.iter().all(|&byte| byte == b' ') {
            found.push(rest.to_vec());
        }
    }
    if is_fresh
        && lexed.line_column()
            == (0..white.len()).fold(Column::ZERO, |column, index| column.after(white[index]))
    {
        found.push(Vec::new());
    }
    found.push([b"\n", white].concat());
    if lexed.joined_column > 0 {
        found.push(Vec::new());
        found.push([b"\n\n", white].concat());
    }
    found
}

/// White space as wide as `column`.
fn white_space(column: Column) -> Vec<u8> {
    // wide = 8 * tabs + spaces and narrow = tabs + spaces, unless spaces stand before tabs.
    let surplus = column.wide - column.narrow;
    let mut n_tabs = surplus / 7;
    let missing = if surplus % 7 == 0 { 0 } else { 7 - surplus % 7 };
    let mut white = Vec::new();
    if missing > 0 {
        white.extend(std::iter::repeat_n(b' ', missing as usize));
        n_tabs += 1;
    }
    white.extend(std::iter::repeat_n(b'\t', n_tabs as usize));
    let n_spaces = (column.narrow as usize).saturating_sub(white.len());
    white.extend(std::iter::repeat_n(b' ', n_spaces));
    white
}

/// The least column in the set that is deeper than `around`.
fn deeper_column(around: Column, columns: Columns) -> Option<Column> {
    let deeper = columns.and(Columns::deeper_than(around))?;
    let Column { wide, narrow } = deeper.least;
    // Spaces alone, or as many tabs as the least column has, then spaces.
    let same = Column::spaces(wide.max(narrow));
    let mixed = [
        deeper.least,
        same,
        Column { wide: around.wide + 8 - around.wide % 8, narrow: around.narrow + 1 },
    ];
    mixed.into_iter().find(|&column| deeper.contains(column) && is_writable(column))
}

/// Whether some white space has this column.
fn is_writable(column: Column) -> bool {
    column.narrow <= column.wide && column.wide / 8 + column.wide % 8 <= column.narrow
}
