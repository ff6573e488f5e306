//! Repeated names in witnesses: the texts that are worth writing for them.

use fim_lexer::scanner::EmissionId;

use super::WitnessSearch;
use super::plan::Planned;
use super::writer::Writer;
use crate::charts::{KnownName, LeftChart, Spelling};
use crate::grammar::{BYTE, IMPOSSIBLE};
use crate::hole::Place;

impl WitnessSearch<'_> {
    /// The names that begin like this and are needed behind a chart: the innermost rule's, to be repeated, and those
    /// that the right context needs.
    pub(super) fn wanted_names(&mut self, chart: LeftChart, begun: &[u8]) -> Vec<Vec<u8>> {
        let needed = self.hole.right().needed.iter().copied();
        let mut names: Vec<Vec<u8>> = Vec::new();
        for name in self.hole.parsing.mark(chart).name().into_iter().chain(needed) {
            let name = match self.hole.parsing.left.spellings.name(name) {
                KnownName::Whole(name) => name.to_vec(),
                KnownName::Ending(end) if !begun.is_empty() => ending_in(begun, &end),
                _ => continue,
            };
            if name.len() > begun.len() && name.starts_with(begun) && !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
}

/// The shortest name that begins with `begun` and ends with `end`, with more in front of its end.
fn ending_in(begun: &[u8], end: &[u8]) -> Vec<u8> {
    let most = end.len().min(begun.len() - 1);
    let n_shared = (0..=most).rev().find(|&length| begun.ends_with(&end[..length]));
    [begun, &end[n_shared.unwrap_or(0)..]].concat()
}

impl WitnessSearch<'_> {
    /// The cost of ending a name in progress and of the text that must follow, where the spelling matters.
    pub(super) fn cost_of_name_in_progress(
        &mut self,
        place: &Place,
        (emission, n_bytes): (EmissionId, u32),
    ) -> u32 {
        let begun = &place.begun;
        let mut behind = |spelling| {
            let chart = place.chart_spelled(&mut self.hole.parsing, emission, spelling);
            chart.map_or(IMPOSSIBLE, |chart| self.hole.cost(chart))
        };
        let mut least = behind(Spelling::Unlike).saturating_add(BYTE * n_bytes);
        least = least.min(behind(Spelling::Whole(begun)).saturating_add(BYTE * n_bytes));
        for name in self.wanted_names(place.chart, begun) {
            let rest = (name.len() - begun.len()) as u32;
            let chart =
                place.chart_spelled(&mut self.hole.parsing, emission, Spelling::Whole(&name));
            let cost = chart.map_or(IMPOSSIBLE, |chart| self.hole.cost(chart));
            least = least.min(cost.saturating_add(BYTE * rest));
        }
        least
    }
}

impl Writer<'_> {
    /// Writes a repeated name: a rule's name as it is needed, or its repetition as the rule's name was.
    pub(super) fn write_name(&mut self, planned: Planned) -> Option<()> {
        let rules = self.hole.parsing.rules();
        let scanner = &self.hole.language().lexer.scanner;
        let is_name = |emission| {
            let symbols = &scanner.emission(emission).symbols;
            matches!(symbols[..], [name] if rules.names_written_as(name).is_some())
        };
        let clean = self.behind(&self.place.lexed).raw;
        let shortest = self.hole.language().reach.shortest_symbol(scanner, clean, is_name)?;
        let name = match rules.first_name() == Some(planned.terminal) {
            true => planned.marks.name(),
            false => self.hole.parsing.mark(self.chart).name(),
        };
        let texts = match name.map(|name| self.hole.parsing.left.spellings.name(name)) {
            Some(KnownName::Whole(name)) => vec![name.to_vec()],
            // The beginning in front of the end, once and twice: one of the two is no keyword.
            Some(KnownName::Ending(end)) => {
                vec![[&*shortest, &end].concat(), [&shortest, &*shortest, &end].concat()]
            }
            _ => vec![shortest],
        };
        texts.iter().find_map(|text| self.write_spelled(text, is_name))
    }

    /// Writes a symbol with this text.
    fn write_spelled(&mut self, text: &[u8], is_wanted: impl Fn(EmissionId) -> bool) -> Option<()> {
        let scanner = &self.hole.language().lexer.scanner;
        for separator in self.separators(fim_lexer::Column::ZERO) {
            let mut place = self.place.clone();
            let written = [&separator, text].concat();
            if self.hole.read(&mut place, &written) < written.len()
                || place.chart != self.chart
                || place.begun[..] != *text
            {
                continue;
            }
            if let Some(emission) = scanner.accept(place.lexed.raw).filter(|&id| is_wanted(id)) {
                self.chart = place.chart_ended(&mut self.hole.parsing, emission)?;
                self.place = place;
                self.text.extend(written);
                return Some(());
            }
        }
        None
    }
}
