//! The modes of a language in which the parser takes part in reading: for symbols behind a line break and others, for
//! contextual terminals, and for the beginning of a text.
//!
//! Behind a line break there is a copy of the ordinary mode whose symbols have other symbols inserted in front. A
//! contextual terminal, which is read only where the parser can take it, has an automaton of its own, of which only
//! the states behind its first bytes are kept: [`Fork`]s lead there.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::automaton::DEAD;
use super::builder::{Builder, Entry, narrow};
use super::fork::{Branch, Fork};
use super::mode::Mode;
use super::{EmissionId, RawState, StateKind};
use crate::description::{Branching, END, InsertionPlace, LexiconError, TerminalId};

impl Builder<'_> {
    /// Adds the modes that the description's `branching` asks for.
    pub(super) fn add_branching_modes(
        &mut self,
        branching: &Branching,
    ) -> Result<(), LexiconError> {
        self.check_branching(branching)?;
        let has_breaks = !branching.line_breaks.is_empty();
        let is_of = |names: &[String], name: &str| names.iter().any(|known| known == name);
        let is_contextual =
            |name: &str| branching.contextual.iter().any(|group| is_of(group, name));
        let is_ordinary = |name: &str, is_behind_break: bool| {
            !is_contextual(name)
                && !is_of(&branching.text_start, name)
                && (is_behind_break || !is_of(&branching.line_start, name))
        };
        let mut lists = Vec::new();
        let places: &[bool] = if has_breaks { &[false, true] } else { &[false] };
        for &place in places {
            lists.push(self.entries_at(branching, place, |name, _| is_ordinary(name, place))?);
            for group in &branching.contextual {
                lists.push(self.entries_at(branching, place, |name, is_ignored| {
                    is_of(group, name) || is_ignored && is_ordinary(name, place)
                })?);
            }
        }
        let has_text_start = !branching.text_start.is_empty();
        if has_text_start {
            lists.push(self.entries_at(branching, has_breaks, |name, _| {
                is_of(&branching.text_start, name) || is_ordinary(name, has_breaks)
            })?);
        }
        let wanted: Vec<Vec<EmissionId>> = self.emissions_of_groups(branching, places)?;
        let modes = self.modes(lists)?;
        let per_place = 1 + branching.contextual.len();
        let mut forks = Vec::new();
        let mut starts = Vec::new();
        for (index, modes) in modes.chunks(per_place).take(places.len()).enumerate() {
            let start = self.add(&modes[0])?;
            starts.push(start);
            let wanted = &wanted[index * (per_place - 1)..];
            self.add_contextual(start, &modes[1..], wanted, &mut forks);
        }
        self.starts.code[0] = starts[0];
        let behind_break = *starts.last().expect("one place at least");
        self.starts.others.extend(starts[1..].iter().copied());
        self.starts.first = Some(behind_break);
        if has_text_start {
            let first =
                self.add_text_start(branching, modes.last().expect("the last list"), behind_break)?;
            self.starts.others.push(first);
            self.starts.first = Some(first);
        }
        self.restart_by_breaks(starts[0], behind_break);
        self.before_end = [false, true].map(|is_break| self.inserted(branching, &[END], is_break));
        let n_states = self.rows.len();
        self.starts.ranges.clear();
        self.starts.ranges.insert(starts[0], 1..n_states as u16);
        self.restart_in_line_ends(starts[0]);
        self.add_forks(forks)
    }

    fn check_branching(&self, branching: &Branching) -> Result<(), LexiconError> {
        let Branching {
            line_breaks,
            inserted,
            unbroken,
            broken,
            contextual,
            line_start,
            text_start,
        } = branching;
        let ignored = line_breaks.iter().chain(line_start).chain(text_start);
        for name in ignored {
            if !self.description.ignore.contains(name) {
                return Err(LexiconError::new(format!(
                    "{name} marks breaks or beginnings, so it must be ignored"
                )));
            }
        }
        if contextual.len() > usize::from(u8::MAX) / 2 {
            return Err(LexiconError::new("too many contextual groups"));
        }
        for name in contextual.iter().flatten() {
            self.terminal(name)?;
            if self.description.ignore.contains(name) {
                return Err(LexiconError::new(format!(
                    "{name} is contextual, so it must not be ignored"
                )));
            }
        }
        let marks = unbroken.iter().chain(broken);
        for name in inserted.iter().map(|insertion| &insertion.name).chain(marks.clone()) {
            if !self.description.declared.contains(name) {
                return Err(LexiconError::new(format!(
                    "{name} is inserted, so it must be declared and have no text"
                )));
            }
        }
        let lists = inserted.iter().flat_map(|insertion| [&insertion.before, &insertion.except]);
        for name in lists.flatten().flatten().filter(|name| *name != END) {
            self.terminal(name)?;
        }
        let needs_breaks = marks.count() > 0
            || !line_start.is_empty()
            || !text_start.is_empty()
            || inserted.iter().any(|insertion| insertion.when != InsertionPlace::Always);
        if needs_breaks && line_breaks.is_empty() {
            return Err(LexiconError::new(
                "what depends on line breaks needs terminals that hold them",
            ));
        }
        Ok(())
    }

    /// The entries of some terminals, with or without a line break in front.
    fn entries_at(
        &mut self,
        branching: &Branching,
        is_behind_break: bool,
        is_in: impl Fn(&str, bool) -> bool,
    ) -> Result<Vec<Entry>, LexiconError> {
        let mut entries = Vec::new();
        for (index, terminal) in self.ordered_terminals() {
            let is_ignored = self.description.ignore.contains(&terminal.name);
            if !is_in(&terminal.name, is_ignored) {
                continue;
            }
            let mut entry = self.code_entry(index, terminal)?;
            if is_ignored {
                entry.emission.is_break =
                    is_behind_break || branching.line_breaks.contains(&terminal.name);
            } else {
                let first = entry.emission.symbols.first().map_or(index, |first| first.index());
                let first = self.description.names().nth(first).unwrap_or_default();
                let names = [terminal.name.as_str(), first];
                entry.emission.insert(self.inserted(branching, &names, is_behind_break));
            }
            entries.push(entry);
        }
        Ok(entries)
    }

    /// The number of the list of symbols that may be inserted in front of one with these names.
    fn inserted(
        &mut self,
        branching: &Branching,
        symbol: &[&str],
        is_break: bool,
    ) -> Option<TerminalId> {
        let names = branching.inserted_before(symbol, is_break);
        if names.is_empty() {
            return None;
        }
        let id = |name: &&str| self.description.terminal(name).expect("checked to be declared");
        let symbols: Vec<TerminalId> = names.iter().map(id).collect();
        let index = self.insertions.iter().position(|known| *known == symbols);
        let index = index.unwrap_or_else(|| {
            self.insertions.push(symbols);
            self.insertions.len() - 1
        });
        Some(TerminalId((self.description.n_terminals() + index) as u16))
    }

    /// For each place and group, the emissions of the group's terminals there.
    fn emissions_of_groups(
        &mut self,
        branching: &Branching,
        places: &[bool],
    ) -> Result<Vec<Vec<EmissionId>>, LexiconError> {
        let mut found = Vec::new();
        for &place in places {
            for group in &branching.contextual {
                let is_in = |name: &str, _| group.iter().any(|known| known == name);
                let entries = self.entries_at(branching, place, is_in)?;
                found.push(
                    entries.into_iter().map(|entry| self.emission_id(entry.emission)).collect(),
                );
            }
        }
        Ok(found)
    }

    /// Adds the states of contextual terminals, and notes the forks that lead to them from `start`.
    fn add_contextual(
        &mut self,
        start: u16,
        modes: &[Mode],
        wanted: &[Vec<EmissionId>],
        forks: &mut Vec<(u16, u8, Fork)>,
    ) {
        let mut branches: BTreeMap<u8, Vec<Branch>> = BTreeMap::new();
        for (mode, emissions) in modes.iter().zip(wanted) {
            let mut begun: BTreeMap<u8, Vec<EmissionId>> = BTreeMap::new();
            for &emission in emissions {
                for byte in first_bytes(mode, |id| id == emission) {
                    begun.entry(byte).or_default().push(emission);
                }
            }
            let bytes: Vec<u8> = begun.keys().copied().collect();
            for (byte, state) in self.graft(mode, &bytes) {
                let emissions = begun.remove(&byte).unwrap_or_default();
                branches.entry(byte).or_default().push(Branch { emissions, state });
            }
        }
        for (byte, branches) in branches {
            let otherwise = self.rows[usize::from(start)][usize::from(byte)];
            forks.push((start, byte, Fork { branches, otherwise }));
        }
    }

    /// Adds the clean state that a text begins in, which differs from the one behind a line break in
    /// the bytes that only a text begins with.
    fn add_text_start(
        &mut self,
        branching: &Branching,
        mode: &Mode,
        behind_break: u16,
    ) -> Result<u16, LexiconError> {
        // All skipped text has one emission; here its terminals are told apart, to find their first bytes.
        let patterns: Vec<Entry> = self.entries_at(branching, true, |name, _| {
            branching.text_start.iter().any(|known| known == name)
        })?;
        let alone = self.mode(patterns)?;
        let bytes = first_bytes(&alone, |_| true);
        let grafted = self.graft(mode, &bytes);
        let mut row = self.rows[usize::from(behind_break)];
        for (byte, state) in grafted {
            row[usize::from(byte)] = state;
        }
        self.rows.push(row);
        self.accept.push(None);
        self.kind.push(StateKind::Clean);
        self.restart.push(RawState::DEAD);
        self.fits_in_table()?;
        Ok(self.rows.len() as u16 - 1)
    }

    /// Appends the states of a mode that these bytes lead to from its start. The state behind each of the bytes.
    fn graft(&mut self, mode: &Mode, bytes: &[u8]) -> Vec<(u8, RawState)> {
        let first = self.rows.len() as u32;
        let mut ids: FxHashMap<u32, RawState> = FxHashMap::default();
        let mut order: Vec<u32> = Vec::new();
        let mut id_of = |state: u32, order: &mut Vec<u32>| {
            if state == DEAD {
                return RawState::DEAD;
            }
            *ids.entry(state).or_insert_with(|| {
                order.push(state);
                narrow(first + order.len() as u32 - 1)
            })
        };
        let start = mode.automaton.next[mode.start as usize];
        let behind: Vec<(u8, RawState)> =
            bytes.iter().map(|&byte| (byte, id_of(start[usize::from(byte)], &mut order))).collect();
        let mut index = 0;
        while let Some(&state) = order.get(index) {
            index += 1;
            let row = mode.automaton.next[state as usize].map(|target| id_of(target, &mut order));
            self.rows.push(row);
            self.accept.push(mode.accept(state));
            self.kind.push(mode.kind[state as usize]);
            self.restart.push(RawState::DEAD);
        }
        let torn = mode.torn.iter();
        self.torn
            .extend(torn.filter_map(|torn| Some(mode.torn_in_table(torn, *ids.get(&torn.state)?))));
        behind
    }

    /// Makes the copy of the mode go on behind a skipped line break, and behind other skipped text there.
    fn restart_by_breaks(&mut self, start: u16, behind_break: u16) {
        for (restart, accept) in self.restart.iter_mut().zip(&self.accept) {
            let is_break =
                accept.is_some_and(|EmissionId(id)| self.emissions[usize::from(id)].is_break);
            *restart = RawState(if is_break { behind_break } else { start });
        }
    }

    /// Lets reading go on, behind a symbol that ended in front of half a character, where that can only be a line
    /// end's.
    fn restart_in_line_ends(&mut self, start: u16) {
        let mut known: FxHashMap<Vec<u8>, RawState> = FxHashMap::default();
        for torn in std::mem::take(&mut self.torn) {
            let behind = *known.entry(torn.begun.clone()).or_insert_with(|| {
                let step =
                    |state: RawState, &byte: &u8| self.rows[state.index()][usize::from(byte)];
                let half = torn.begun.iter().fold(RawState(start), step);
                let is_break = |state: RawState| {
                    let accept = self.accept[state.index()];
                    accept.is_some_and(|EmissionId(id)| self.emissions[usize::from(id)].is_break)
                };
                let row = self.rows[half.index()];
                self.rows
                    .push(row.map(|state| if is_break(state) { state } else { RawState::DEAD }));
                self.accept.push(None);
                self.kind.push(StateKind::Symbol);
                self.restart.push(RawState::DEAD);
                narrow(self.rows.len() as u32 - 1)
            });
            self.restart[torn.state.index()] = behind;
            self.torn.push(torn);
        }
    }

    /// Puts forks behind all states, and into the rows that lead to them.
    fn add_forks(&mut self, forks: Vec<(u16, u8, Fork)>) -> Result<(), LexiconError> {
        self.first_fork = self.rows.len();
        // Where a text begins, the same bytes fork as behind a line break.
        let first = self.starts.first.filter(|first| self.starts.others.last() == Some(first));
        for (start, byte, fork) in forks {
            let known = self.forks.iter().position(|known| *known == fork);
            let index = known.unwrap_or_else(|| {
                self.forks.push(fork.clone());
                self.rows.push([RawState::DEAD; 256]);
                self.accept.push(None);
                self.kind.push(StateKind::Fork);
                self.restart.push(RawState::DEAD);
                self.forks.len() - 1
            });
            let state = narrow((self.first_fork + index) as u32);
            let before =
                std::mem::replace(&mut self.rows[usize::from(start)][usize::from(byte)], state);
            let is_behind_break =
                self.starts.first == Some(start) || self.starts.others.first() == Some(&start);
            if let Some(first) = first.filter(|&first| first != start && is_behind_break) {
                let known = &mut self.rows[usize::from(first)][usize::from(byte)];
                if *known != before {
                    return Err(LexiconError::new(
                        "what only a text begins with must not begin as a contextual terminal does",
                    ));
                }
                *known = state;
            }
        }
        self.fits_in_table()
    }
}

/// The bytes that begin a symbol with one of these emissions.
fn first_bytes(mode: &Mode, is_wanted: impl Fn(EmissionId) -> bool) -> Vec<u8> {
    let next = &mode.automaton.next;
    let mut leads: Vec<bool> =
        (0..next.len()).map(|state| mode.accept(state as u32).is_some_and(&is_wanted)).collect();
    let mut is_changed = true;
    while is_changed {
        is_changed = false;
        for state in 1..next.len() {
            if !leads[state] && next[state].iter().any(|&target| leads[target as usize]) {
                leads[state] = true;
                is_changed = true;
            }
        }
    }
    let start = &next[mode.start as usize];
    (0..=255).filter(|&byte| leads[start[usize::from(byte)] as usize]).collect()
}
