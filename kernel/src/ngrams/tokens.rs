//! Tokens of a line: words, code points or grapheme clusters.

use unicode_segmentation::UnicodeSegmentation;

use crate::text::words::words;

/// The unit of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Runs of characters other than white space, as in Python's `str.split()`.
    Word,
    /// Unicode code points, including white space.
    Char,
    /// Extended grapheme clusters (UAX #29), including white space.
    Grapheme,
}

/// Calls `token` with every token of `text`, in order.
#[inline]
pub fn for_each_token<'a>(text: &'a str, unit: Unit, mut token: impl FnMut(&'a str)) {
    match unit {
        Unit::Word => words(text).for_each(token),
        Unit::Char => text.char_indices().for_each(|(at, c)| token(&text[at..at + c.len_utf8()])),
        Unit::Grapheme => text.graphemes(true).for_each(token),
    }
}

const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// Mixes 64 bits into 32 whose low bits are well mixed, too.
#[inline]
pub fn mixed(key: u64) -> u32 {
    let product = u128::from(key ^ 0x2545_F491_4F6C_DD1D) * u128::from(FACTOR);
    let folded = (product as u64) ^ ((product >> 64) as u64);
    (folded >> 32) as u32 ^ folded as u32
}

/// A hash of a token. O(bytes), with few steps for short ones.
#[inline]
pub fn hash(token: &str) -> u32 {
    let bytes = token.as_bytes();
    let word = |at: usize| bytes[at..].first_chunk().map_or(0, |chunk| u64::from(u32::from_le_bytes(*chunk)));
    let length = bytes.len();
    match length {
        0..4 => {
            let byte = |at: usize| bytes.get(at).map_or(0, |&byte| u64::from(byte));
            mixed(byte(0) | byte(1) << 8 | byte(2) << 16 | (length as u64) << 56)
        }
        4..=8 => mixed(word(0) | word(length - 4) << 32) ^ length as u32,
        _ => {
            let mut hash = length as u64;
            for chunk in bytes.chunks(8) {
                let mut part = [0; 8];
                part[..chunk.len()].copy_from_slice(chunk);
                hash = (hash.rotate_left(23) ^ u64::from_le_bytes(part)).wrapping_mul(FACTOR);
                hash ^= hash >> 31;
            }
            mixed(hash)
        }
    }
}
