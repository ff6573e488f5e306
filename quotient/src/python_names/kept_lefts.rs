//! What a document keeps of the names in front of its lines.
//!
//! An edit changes what stands in front of all lines behind it, and mostly not for long: where a later reading
//! is at a line what an earlier one was there, all that was read behind that line is known again.

use super::left_context::LineStart;

/// What has been read in front of some lines.
#[derive(Debug, Default)]
pub(super) struct KeptLefts {
    /// By their offsets, in order.
    known: Vec<(usize, LineStart)>,
    /// What was known before an edit further in front, the first one last. All are behind those that are known.
    stale: Vec<Stale>,
}

#[derive(Debug)]
struct Stale {
    offset: usize,
    line: LineStart,
    /// The text between the one in front of it and this one has been edited.
    is_cut_off: bool,
}

impl KeptLefts {
    pub(super) fn len(&self) -> usize {
        self.known.len() + self.stale.len()
    }

    /// Of so many lines it is known.
    #[cfg(test)]
    pub(super) fn n_known(&self) -> usize {
        self.known.len()
    }

    /// Follows an edit that puts so many bytes between two offsets.
    pub(super) fn edit(&mut self, start: usize, stop: usize, n_new: usize) {
        // A line that begins where the edit does may not begin there any more: `\r` and `\n` are one line break.
        let kept = self.known.partition_point(|&(offset, _)| offset < start);
        let behind = self.known.drain(kept..).rev();
        self.stale.extend(behind.map(|(offset, line)| Stale { offset, line, is_cut_off: false }));
        self.stale.retain_mut(|stale| {
            let is_behind = stale.offset > stop;
            if is_behind {
                stale.offset = stale.offset - stop + start + n_new;
            }
            is_behind || stale.offset < start
        });
        let behind = self.stale.partition_point(|stale| stale.offset > start + n_new);
        if let Some(index) = behind.checked_sub(1) {
            self.stale[index].is_cut_off = true;
        }
    }

    /// The last line up to an offset of which it is known what stands in front of it, and whether nothing is
    /// known behind it.
    pub(super) fn last_until(&self, offset: usize) -> (Option<&(usize, LineStart)>, bool) {
        let kept = self.known.partition_point(|&(known, _)| known <= offset);
        (self.known[..kept].last(), kept == self.known.len())
    }

    /// Whether what has been read in front of a line, behind all that is known, is what was read there before.
    /// Then what was read behind it is known, too.
    pub(super) fn meets(&mut self, offset: usize, line: &LineStart) -> bool {
        let passed = self.stale.iter().rev().take_while(|stale| stale.offset < offset).count();
        self.stale.truncate(self.stale.len() - passed);
        let Some(last) = self.stale.last().filter(|stale| stale.offset == offset) else {
            return false;
        };
        if last.line != *line {
            self.stale.pop();
            return false;
        }
        let behind = self.stale[..self.stale.len() - 1].iter().rposition(|stale| stale.is_cut_off);
        let met = self.stale.drain(behind.map_or(0, |index| index + 1)..).rev();
        self.known.extend(met.map(|stale| (stale.offset, stale.line)));
        true
    }

    /// Adds what has been read in front of a line behind all that is known.
    pub(super) fn push(&mut self, offset: usize, line: LineStart) {
        self.known.push((offset, line));
    }
}
