//! The modes of strings with fields in them: their text, the code of their fields, and their specifications.

use rustc_hash::FxHashMap;

use super::RawState;
use super::automaton::DEAD;
use super::builder::{Builder, ERROR, Entry, narrow};
use super::mode::{Mode, QuoteRun, QuoteWatch};
use super::{Emission, StateKind};
use crate::description::{Layout, LexiconError, TerminalId};
use crate::frames::{FieldRules, FrameChange, Frames, PartPattern, Quotes, StringContext, literal};

impl Builder<'_> {
    /// Adds the mode of code outside strings, and all modes inside. `code` has the other patterns of code.
    pub(super) fn add_framed_modes(
        &mut self,
        frames: &Frames,
        code: Vec<Entry>,
    ) -> Result<(), LexiconError> {
        let is_broken = frames.declaration().line_break.is_some();
        let mut entries = self.part_entries(frames.beginnings())?;
        entries.extend(code.iter().cloned());
        let field_entries = self.field_entries(frames, &entries)?;
        if is_broken {
            entries.extend(self.part_entries(frames.conversion_in_code())?);
        }
        let mut modes = self.modes(vec![entries, field_entries])?.into_iter();
        let mut next_mode = || self.with_layout(modes.next().expect("as many modes as lists"));
        let (outside, field) = (next_mode(), next_mode());
        self.starts.code[0] = self.add(&outside)?;
        self.add_code_in_fields(frames, &outside, &field)?;
        for &context in frames.contexts() {
            self.add_text_modes(frames, context)?;
        }
        let skipped = |entry: &&Entry| entry.emission.symbols.is_empty();
        let mut converted = self.part_entries(frames.patterns_behind_conversion())?;
        if frames.rules() == FieldRules::Free {
            converted.extend(code.iter().filter(skipped).cloned());
        }
        let mut converted = self.mode(converted)?;
        if frames.rules() == FieldRules::Free {
            converted = self.with_layout(converted);
        }
        self.starts.converted = self.add(&converted)?;
        if is_broken {
            let opened = FrameChange::Open(frames.closer());
            let is_left = |entry: &&Entry| entry.emission.change == opened || skipped(entry);
            let mut broken = self.part_entries(frames.broken_specification())?;
            broken.extend(code.iter().filter(is_left).cloned());
            let broken = self.mode(broken)?;
            self.starts.broken = self.add(&self.with_layout(broken))?;
        }
        Ok(())
    }

    fn add_code_in_fields(
        &mut self,
        frames: &Frames,
        code: &Mode,
        field: &Mode,
    ) -> Result<(), LexiconError> {
        if frames.rules() == FieldRules::Free {
            self.starts.code[Quotes::FREE.index()] = self.starts.code[0];
            self.starts.field[Quotes::FREE.index()] = self.add(field)?;
            return Ok(());
        }
        for quotes in Quotes::all_bounded(frames.quotes().count()) {
            self.starts.code[quotes.index()] = self.add_restricted(frames, code, quotes)?;
            self.starts.field[quotes.index()] = self.add_restricted(frames, field, quotes)?;
        }
        Ok(())
    }

    fn add_text_modes(
        &mut self,
        frames: &Frames,
        context: StringContext,
    ) -> Result<(), LexiconError> {
        let start = self.add_parts(frames.text(context))?;
        self.starts.text.insert(context.index(), start);
        let start = self.add_parts(frames.specification(context, false))?;
        self.starts.specification.insert(context.index(), start);
        if frames.rules() == FieldRules::Free {
            let start = self.add_parts(frames.specification(context, true))?;
            self.starts.later_specification.insert(context.index(), start);
        }
        Ok(())
    }

    /// The bytes behind which an escape takes a line break into a string that otherwise ends with its line.
    pub(super) fn bytes_with_breaks(&self) -> [bool; 256] {
        let mut found = [false; 256];
        let Some(frames) = &self.description.frames else { return found };
        let is_in_line = |context: &&StringContext| frames.forbid_line_breaks(context.inner());
        for context in frames.contexts().iter().filter(is_in_line) {
            let starts = [&self.starts.text, &self.starts.specification];
            for start in starts.map(|starts| starts[&context.index()]) {
                let range = self.starts.ranges[&start].clone();
                let rows = &self.rows[usize::from(range.start)..usize::from(range.end)];
                let takes_break = |row: &[RawState; 256]| {
                    [b'\n', b'\r'].map(|byte| row[usize::from(byte)]) != [RawState::DEAD; 2]
                };
                let takers: Vec<bool> = rows.iter().map(takes_break).collect();
                if !takers.contains(&true) {
                    continue;
                }
                // The dead state belongs to no mode.
                let is_taker = |state: RawState| {
                    state.0.checked_sub(range.start).is_some_and(|index| takers[usize::from(index)])
                };
                for (byte, found) in found.iter_mut().enumerate() {
                    *found = *found || rows.iter().any(|row| is_taker(row[byte]));
                }
            }
        }
        found
    }

    fn add_parts(&mut self, patterns: Vec<PartPattern>) -> Result<u16, LexiconError> {
        let entries = self.part_entries(patterns)?;
        let mode = self.mode(entries)?;
        self.add(&mode)
    }

    /// The mode with the states that the layout adds.
    pub(super) fn with_layout(&self, mode: Mode) -> Mode {
        match self.description.layout {
            Layout::None => mode,
            Layout::Python => mode.with_line_breaks(self.description.dialect.may_end_joined),
        }
    }

    /// The entries of a field's code: those of code, without the patterns that end a field at its own level.
    fn field_entries(&self, frames: &Frames, code: &[Entry]) -> Result<Vec<Entry>, LexiconError> {
        let replaced = frames.replaced_in_fields();
        let errors: Vec<String> =
            frames.declaration().errors.iter().map(|text| literal(text)).collect();
        let mut entries = self.part_entries(frames.field_ends())?;
        entries.extend(code.iter().filter(|entry| !replaced.contains(&entry.pattern)).map(
            |entry| {
                let mut entry = entry.clone();
                if errors.contains(&entry.pattern) {
                    entry.emission = Emission::of(vec![ERROR], entry.emission.change);
                }
                entry
            },
        ));
        Ok(entries)
    }

    fn part_entries(
        &self,
        patterns: impl IntoIterator<Item = PartPattern>,
    ) -> Result<Vec<Entry>, LexiconError> {
        let entry = |pattern: PartPattern| {
            let symbols: Vec<TerminalId> = match &pattern.terminals {
                None => vec![ERROR],
                Some(names) => {
                    names.iter().map(|name| self.terminal(name)).collect::<Result<_, _>>()?
                }
            };
            Ok(Entry::visible(pattern.pattern, Emission::of(symbols, pattern.change)))
        };
        patterns.into_iter().map(entry).collect()
    }

    /// Appends the states that are left of a code mode inside strings with these quotes: the product with the
    /// automaton that watches for their ends. Three quotes in a row may be spread over two symbols, so the run of
    /// quotes read last survives the end of a symbol.
    fn add_restricted(
        &mut self,
        frames: &Frames,
        mode: &Mode,
        quotes: Quotes,
    ) -> Result<u16, LexiconError> {
        type Watched = (u32, QuoteRun);
        let watch = QuoteWatch::new(frames, quotes);
        let mut ids: FxHashMap<Watched, RawState> = FxHashMap::default();
        let mut order: Vec<Watched> = Vec::new();
        let offset = self.rows.len() as u32;
        let mut id_of = |watched: Watched, order: &mut Vec<Watched>| {
            *ids.entry(watched).or_insert_with(|| {
                order.push(watched);
                narrow(offset + order.len() as u32 - 1)
            })
        };
        let start = id_of((mode.start, QuoteRun::default()), &mut order);
        let mut index = 0;
        while let Some(&(state, run)) = order.get(index) {
            index += 1;
            let mut row = [RawState::DEAD; 256];
            // Most bytes lead where the byte in front of them leads.
            let mut last = None;
            for byte in 0..=255_u8 {
                let target = mode.automaton.next[state as usize][usize::from(byte)];
                if target == DEAD || mode.kind[target as usize] == StateKind::Comment {
                    continue;
                }
                if let Some(run) = watch.after(run, byte) {
                    let id = match last {
                        Some((watched, id)) if watched == (target, run) => id,
                        _ => id_of((target, run), &mut order),
                    };
                    row[usize::from(byte)] = id;
                    last = Some(((target, run), id));
                }
            }
            self.rows.push(row);
            self.accept.push(mode.accept(state));
            self.kind.push(mode.kind[state as usize]);
            self.restart.push(id_of((mode.start, run), &mut order));
        }
        for quote in frames.quotes().filter(|&quote| !frames.is_triple(quote)) {
            let run = QuoteRun::one(frames.quote_byte(quote));
            if let Some(&behind) = ids.get(&(mode.start, run)) {
                self.starts.behind_quote.insert((start.0, quote), behind.0);
            }
        }
        self.name_mode(start.0, offset as usize)
    }
}
