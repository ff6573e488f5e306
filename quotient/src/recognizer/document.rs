//! A text that is edited, with holes anywhere: both contexts' charts outlive edits and moves.
//!
//! Forward, the lexer's state and the chart are kept every few hundred bytes; an edit forgets those behind it.
//! Backward, the charts of logical lines are kept by their distance from the end; an edit forgets those in front of
//! it. So the cost of typing at a hole grows with the typed text alone, and that of moving the cursor with the
//! distance.
//!
//! Charts themselves are never forgotten one by one, as any other may refer to them. All charts are thrown away
//! together once those of texts long gone are many more than the present text needs; reading that text again costs as
//! much as opening the file did.

use std::sync::Arc;

use super::engine::{Engine, Session};
use super::{NoCompletion, Recognizer, Side, first_error};
use crate::charts::Parsing;
use crate::hole::Place;
use crate::laws::{Contexts, ContextsRead};
use crate::right_context::SuffixCharts;
use crate::right_side::{RightSide, Ways, ended_text};

/// The number of bytes between two kept places.
const STRIDE: usize = 512;

/// The number of right sides that are kept for cursors that come back.
const MAX_RIGHT_SIDES: usize = 4;

/// The number of bytes by which charts may grow beyond twice the text's needs.
const MAX_GROWTH: usize = 2 << 20;

/// The most bytes of charts that real texts need for each of their bytes. The needs of one hole say little about the
/// next: backward charts take eight times as much as forward ones.
const BYTES_PER_BYTE: usize = 32;

/// A text under edit.
#[derive(Debug)]
pub struct Document {
    session: Arc<Session>,
    /// The bytes of all charts when the text had been read for the first hole of the session.
    n_first_bytes: Option<usize>,
    text: Vec<u8>,
    places: Vec<(usize, Place)>,
    /// The offset of the first error of the text, if one was found: it stands in front of every hole behind it, and
    /// finding it takes reading all before it.
    first_error: Option<usize>,
    suffix: SuffixCharts,
    /// Right sides by their lengths and the ways into them, the one used last at the end. Errors are kept, too:
    /// finding them again takes reading all in front of them.
    rights: Vec<KnownRight>,
    /// The parts of the text that its language's law keeps, once the law has been asked for.
    law: Option<Box<dyn ContextsRead>>,
}

type KnownRight = (usize, Ways, Result<Arc<RightSide>, NoCompletion>);

impl Engine {
    /// A document of this text.
    pub fn document(&self, text: Vec<u8>) -> Document {
        Document {
            session: self.fresh_session(),
            n_first_bytes: None,
            text,
            places: Vec::new(),
            first_error: None,
            suffix: SuffixCharts::default(),
            rights: Vec::new(),
            law: None,
        }
    }
}

impl Document {
    /// The text.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Replaces the bytes between two offsets.
    ///
    /// # Panics
    ///
    /// If the offsets are out of range or out of order.
    pub fn edit(&mut self, start: usize, stop: usize, new: &[u8]) {
        let was_ended = ending(&self.text);
        let behind = self.text.len() - stop;
        self.text.splice(start..stop, new.iter().copied());
        let kept = self.places.partition_point(|&(offset, _)| offset <= start);
        self.places.truncate(kept);
        if let Some(law) = &mut self.law {
            law.edit(start, stop, new.len(), behind);
        }
        // The byte at that offset makes the text no beginning of any text, so an edit behind it changes nothing.
        self.first_error = self.first_error.filter(|&offset| offset < start);
        if behind == 0 || was_ended != ending(&self.text) {
            // Distances from the end change with the line break that the engine adds.
            self.suffix = SuffixCharts::default();
            self.rights.clear();
            return;
        }
        self.suffix.truncate(behind);
        self.rights.retain(|&(length, ..)| length <= behind);
    }

    /// A recognizer for the hole between two offsets.
    ///
    /// # Panics
    ///
    /// If the offsets are out of range or out of order.
    pub fn recognizer(&mut self, start: usize, stop: usize) -> Result<Recognizer, NoCompletion> {
        self.recognizer_by(start, stop, Ways::All)
    }

    /// A recognizer for a hole's texts that end in code: no comment that begins in the hole goes on behind it.
    ///
    /// # Panics
    ///
    /// If the offsets are out of range or out of order.
    pub fn recognizer_in_code(
        &mut self,
        start: usize,
        stop: usize,
        comment_end: &[u8],
    ) -> Result<Recognizer, NoCompletion> {
        self.recognizer_by(start, stop, Ways::InCode(comment_end.into()))
    }

    fn recognizer_by(
        &mut self,
        start: usize,
        stop: usize,
        ways: Ways,
    ) -> Result<Recognizer, NoCompletion> {
        assert!(start <= stop && stop <= self.text.len(), "a hole inside the text");
        if let Some(offset) = self.first_error.filter(|&offset| offset < start) {
            return Err(NoCompletion { side: Side::Left, offset });
        }
        self.forget_much();
        let made = self.new_recognizer(start, stop, ways);
        if let Err(NoCompletion { side: Side::Left, offset }) = made {
            self.first_error = Some(offset);
        }
        made
    }

    /// The recognizer held to the language's law from here on: see [`Recognizer::held_to_law`]. It is this document's
    /// for the hole between two offsets, and has read `begun`.
    ///
    /// # Panics
    ///
    /// If the offsets are out of range or out of order.
    #[must_use]
    pub fn held_to_law(
        &mut self,
        recognizer: Recognizer,
        start: usize,
        stop: usize,
        begun: &[u8],
        known: &[Vec<u8>],
    ) -> Recognizer {
        let contexts = Contexts { left: &self.text[..start], begun, right: &self.text[stop..] };
        let Some(law) = self.session.law() else { return recognizer };
        let kept = self.law.get_or_insert_with(|| Arc::clone(law).contexts());
        recognizer.with_law(&contexts, kept.as_mut(), known)
    }

    fn new_recognizer(
        &mut self,
        start: usize,
        stop: usize,
        ways: Ways,
    ) -> Result<Recognizer, NoCompletion> {
        let place = self.place(start)?;
        let side = self.right_side(stop, ways);
        let n_bytes = self.session.charts().memory();
        self.n_first_bytes.get_or_insert(n_bytes);
        let left = &self.text[..start];
        Recognizer::new(Arc::clone(&self.session), side, place, left)
    }

    /// Begins a new session if the charts have grown too much. Recognizers keep the old one.
    fn forget_much(&mut self) {
        let Some(n_first_bytes) = self.n_first_bytes else { return };
        let needed = n_first_bytes.max(BYTES_PER_BYTE * self.text.len());
        if self.session.charts().memory() > 2 * needed + MAX_GROWTH {
            let text = std::mem::take(&mut self.text);
            *self = self.session.engine().clone().document(text);
        }
    }

    /// Bytes held by this document's charts, roughly.
    pub fn memory(&self) -> usize {
        self.session.charts().memory()
            + self.suffix.memory()
            + self.law.as_ref().map_or(0, |law| law.memory())
            + self.places.capacity() * size_of::<(usize, Place)>()
    }

    /// The place at an offset, read from the last kept one before it.
    fn place(&mut self, offset: usize) -> Result<Place, NoCompletion> {
        let language = self.session.language();
        let mut charts = self.session.charts();
        let parsing = &mut Parsing::new(self.session.language(), &mut charts);
        let kept = self.places.partition_point(|&(known, _)| known <= offset);
        let (mut at, mut place) = match kept.checked_sub(1) {
            Some(index) => self.places[index].clone(),
            None => (0, Place::first(&language.lexer)),
        };
        let mut is_behind_all = kept == self.places.len();
        while at < offset {
            let next = offset.min(at + STRIDE - at % STRIDE);
            let n_read = place.read(parsing, &self.text[at..next]);
            if n_read < next - at {
                let offset = first_error(parsing, &self.text[..offset]);
                return Err(NoCompletion { side: Side::Left, offset });
            }
            at = next;
            is_behind_all &= at % STRIDE == 0;
            if is_behind_all {
                self.places.push((at, place.clone()));
            }
        }
        Ok(place)
    }

    fn right_side(&mut self, stop: usize, ways: Ways) -> Result<Arc<RightSide>, NoCompletion> {
        let length = self.text.len() - stop;
        let is_same = |known: &KnownRight| (known.0, &known.1) == (length, &ways);
        if let Some(index) = self.rights.iter().position(is_same) {
            let found = self.rights.remove(index);
            let side = found.2.clone();
            self.rights.push(found);
            return side;
        }
        let language = self.session.language();
        let mut charts = self.session.charts();
        let parsing = &mut Parsing::new(self.session.language(), &mut charts);
        let right = &self.text[stop..];
        // The engine may add another line break to an empty right context, or to the last line break alone, than to
        // all longer ones. The caches, by distances from the end, must not mix the two.
        let mut last = SuffixCharts::default();
        let side = RightSide::new(
            &language.tables(),
            parsing.right,
            if right.len() < 2 { &mut last } else { &mut self.suffix },
            ended_text(language, right),
            right.len(),
            &ways,
        );
        let side = side.map(Arc::new).map_err(|error| NoCompletion::of_right(error, right.len()));
        if self.rights.len() == MAX_RIGHT_SIDES {
            drop(self.rights.remove(0));
        }
        self.rights.push((length, ways, side.clone()));
        side
    }
}

/// The facts about a text's end that decide what the engine adds.
fn ending(text: &[u8]) -> (bool, bool) {
    (matches!(text.last(), Some(b'\n' | b'\r')), text.ends_with(b"\r\n"))
}
