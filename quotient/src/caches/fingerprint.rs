//! Fingerprints: numbers that tell contents apart, and that caches are keyed by.
//!
//! The hash is the same on all machines and in all versions of Rust, as files are named after it. It
//! protects against accidents, not against people who look for collisions.

use std::fmt;

/// The hash of some content.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Fingerprint(pub u128);

impl fmt::Display for Fingerprint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:032x}", self.0)
    }
}

/// Two multiplicative hashes of 64-bit words, side by side.
pub(crate) struct Hasher {
    low: u64,
    high: u64,
}

impl Hasher {
    pub(crate) fn new() -> Self {
        Self { low: 0x9e37_79b9_7f4a_7c15, high: 0xc2b2_ae3d_27d4_eb4f }
    }

    #[inline]
    pub(crate) fn write_number(&mut self, number: u64) {
        self.low = (self.low ^ number).wrapping_mul(0xff51_afd7_ed55_8ccd).rotate_left(29);
        self.high = (self.high ^ number).wrapping_mul(0x9fb2_1c65_1e98_df25).rotate_left(37);
        self.high ^= self.low >> 7;
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_number(u64::from_le_bytes(word));
        }
    }

    pub(crate) fn finish(mut self) -> Fingerprint {
        for round in 0..4 {
            self.write_number(round);
        }
        Fingerprint(u128::from(self.high) << 64 | u128::from(self.low))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(bytes: &[u8]) -> Fingerprint {
        let mut hasher = Hasher::new();
        hasher.write(bytes);
        hasher.finish()
    }

    #[test]
    fn every_byte_matters() {
        let texts: Vec<Vec<u8>> =
            (0..=255).flat_map(|byte| [vec![byte], vec![0, byte], vec![byte; 9]]).collect();
        let found: std::collections::HashSet<_> = texts.iter().map(|text| of(text)).collect();
        // Texts that differ in trailing zeros are told apart by their lengths, which callers write.
        assert!(found.len() >= texts.len() - 2);
    }
}
