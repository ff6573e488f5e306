//! Offsets in characters, which callers use, and in bytes, which the engine uses: the conversion between them.

/// The number of bytes between two counts.
const STRIDE: usize = 1024;

/// The number of characters in front of each stretch of a UTF-8 text.
#[derive(Clone, Debug, Default)]
pub struct CharacterOffsets {
    /// The number of characters in front of each multiple of [`STRIDE`] bytes.
    counts: Vec<usize>,
    n_characters: usize,
    n_bytes: usize,
}

impl CharacterOffsets {
    /// Counts the characters of a text.
    pub fn new(text: &[u8]) -> Self {
        let mut offsets = Self::default();
        offsets.recount(text, 0);
        offsets
    }

    /// Counts the characters again that an edit at byte `from` and behind may have changed.
    pub fn recount(&mut self, text: &[u8], from: usize) {
        let n_kept = (from / STRIDE).min(self.counts.len().saturating_sub(1));
        let mut total = self.counts.get(n_kept).copied().unwrap_or(0);
        self.counts.truncate(n_kept);
        for stretch in text[n_kept * STRIDE..].chunks(STRIDE) {
            self.counts.push(total);
            total += count(stretch);
        }
        self.n_characters = total;
        self.n_bytes = text.len();
    }

    /// The number of characters.
    pub fn n_characters(&self) -> usize {
        self.n_characters
    }

    /// The byte offset of a character offset, if it is in range.
    pub fn byte(&self, text: &[u8], character: usize) -> Option<usize> {
        if character > self.n_characters {
            return None;
        }
        if self.n_characters == self.n_bytes {
            return Some(character);
        }
        let stretch = self.counts.partition_point(|&count| count <= character).saturating_sub(1);
        let begin = stretch * STRIDE;
        let mut missing = character - self.counts.get(stretch).copied().unwrap_or(0);
        for (index, &byte) in text[begin..].iter().enumerate() {
            if !is_continuation(byte) {
                if missing == 0 {
                    return Some(begin + index);
                }
                missing -= 1;
            }
        }
        Some(text.len())
    }
}

/// The number of characters of a text.
pub fn count(text: &[u8]) -> usize {
    text.iter().filter(|&&byte| !is_continuation(byte)).count()
}

/// The offset in characters of the character that a byte belongs to.
pub fn character(text: &[u8], byte: usize) -> usize {
    let is_inside = text.get(byte).is_some_and(|&byte| is_continuation(byte));
    count(&text[..byte]) - usize::from(is_inside && byte > 0)
}

fn is_continuation(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) {
        let offsets = CharacterOffsets::new(text.as_bytes());
        let mut starts: Vec<usize> = text.char_indices().map(|(index, _)| index).collect();
        starts.push(text.len());
        for (character, byte) in starts.into_iter().enumerate() {
            assert_eq!(offsets.byte(text.as_bytes(), character), Some(byte), "{character}");
        }
        assert_eq!(offsets.byte(text.as_bytes(), text.chars().count() + 1), None);
    }

    #[test]
    fn offsets_are_those_of_characters() {
        check("");
        check("plain");
        check("é😀x");
        check(&"aé😀".repeat(900));
    }

    #[test]
    fn recounting_behind_an_edit_is_enough() {
        let mut text = "é".repeat(3000);
        let mut offsets = CharacterOffsets::new(text.as_bytes());
        text.replace_range(4000..4002, "abc");
        offsets.recount(text.as_bytes(), 4000);
        assert_eq!(offsets.byte(text.as_bytes(), 2003), Some(4003));
        assert_eq!(offsets.n_characters(), text.chars().count());
    }
}
