//! Sets of bytes: those that may come next, that change nothing, or that a vocabulary writes.

use std::ops::BitOr;

/// A set of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct ByteSet(pub(crate) [u64; 4]);

impl ByteSet {
    pub(crate) fn of(is_in: impl Fn(u8) -> bool) -> Self {
        let mut words = [0; 4];
        for byte in (0..=255_u8).filter(|&byte| is_in(byte)) {
            words[usize::from(byte) / 64] |= 1 << (byte % 64);
        }
        Self(words)
    }

    pub(crate) fn contains(self, byte: u8) -> bool {
        self.0[usize::from(byte) / 64] & (1 << (byte % 64)) != 0
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == [0; 4]
    }

    #[inline]
    pub(crate) fn is_ascii(self) -> bool {
        self.0[2] | self.0[3] == 0
    }

    #[inline]
    pub(crate) fn is_subset(self, of: Self) -> bool {
        self.0.iter().zip(of.0).all(|(own, other)| own & !other == 0)
    }
}

impl From<&[u8]> for ByteSet {
    fn from(bytes: &[u8]) -> Self {
        let mut words = [0; 4];
        bytes.iter().for_each(|byte| words[usize::from(byte / 64)] |= 1 << (byte % 64));
        Self(words)
    }
}

impl BitOr for ByteSet {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }
}
