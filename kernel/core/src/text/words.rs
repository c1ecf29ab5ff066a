//! Words: runs of characters other than white space, as in Python's `str.split()`.

use std::ops::RangeInclusive;

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

/// White space as in Python's `str.isspace()`: Rust's definition and the four information separators.
pub fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\x1c'..='\x1f').contains(&c)
}

/// Whether a character is a letter, as in Python's `str.isalpha()`.
pub fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || (!c.is_ascii() && c.general_category_group() == GeneralCategoryGroup::Letter)
}

/// The words of a line, in order. O(bytes).
pub fn words(text: &str) -> WordIter<'_> {
    WordIter { text, position: 0 }
}

/// Iterates over the words of a line.
pub struct WordIter<'a> {
    text: &'a str,
    position: usize,
}

/// The length of the white space outside ASCII at `at`; 0 for other characters.
#[cold]
fn wide_space_length(text: &str, position: usize) -> usize {
    text[position..].chars().next().filter(|&c| is_space(c)).map_or(0, char::len_utf8)
}

/// Whether a byte is white space or begins a character that may be.
const MAY_BE_SPACE: [bool; 256] = {
    let mut bytes = [false; 256];
    let mut byte = 0;
    while byte < bytes.len() {
        bytes[byte] = matches!(byte as u8, b'\t'..=b'\r' | 0x1C..=0x1F | b' ' | 0xC2 | 0xE1..=0xE3);
        byte += 1;
    }
    bytes
};

/// The length of the white space at `at`; 0 for other characters, None at the end.
#[inline]
fn space_length(text: &str, position: usize) -> Option<usize> {
    let byte = *text.as_bytes().get(position)?;
    Some(match MAY_BE_SPACE[usize::from(byte)] {
        false => 0,
        true if byte.is_ascii() => 1,
        true => wide_space_length(text, position),
    })
}

/// The eight bytes at a position, padded with blanks.
#[inline]
pub fn chunk(bytes: &[u8], position: usize) -> u64 {
    let rest = &bytes[position..];
    u64::from_le_bytes(rest.first_chunk().copied().unwrap_or_else(|| {
        let mut chunk = [b' '; 8];
        chunk[..rest.len()].copy_from_slice(rest);
        chunk
    }))
}

const ONES: u64 = u64::MAX / 0xFF;
const TOP_BITS: u64 = ONES << 7;

/// The top bit of each byte that is a control character, a blank or no ASCII; others may be set after the first one.
#[inline]
fn other_bytes(chunk: u64) -> u64 {
    // A difference below 0 has the top bit, and borrows from the next byte.
    (chunk.wrapping_sub(ONES * u64::from(b' ' + 1)) | chunk) & TOP_BITS
}

/// The number of bytes before the first one that is a control character, a blank or no ASCII.
#[inline]
pub fn plain_bytes(chunk: u64) -> usize {
    other_bytes(chunk).trailing_zeros() as usize / 8
}

impl<'a> Iterator for WordIter<'a> {
    type Item = &'a str;

    #[inline]
    fn next(&mut self) -> Option<&'a str> {
        // Copies, so that they stay in registers.
        let WordIter { text, position: mut start } = *self;
        loop {
            match space_length(text, start)? {
                0 => break,
                length => start += length,
            }
        }
        let mut end = start + plain_bytes(chunk(text.as_bytes(), start));
        // No byte within a character is a lead byte or ASCII, so moving byte by byte cannot miss the start of one.
        while space_length(text, end) == Some(0) {
            end += 1;
        }
        self.position = end;
        Some(&text[start..end])
    }
}

/// Numbers of words that a text has at least and at most, which are equal for words of ASCII between single blanks.
/// O(bytes), faster than counting them.
pub fn words_within(text: &str) -> RangeInclusive<usize> {
    let bytes = text.as_bytes();
    let (mut least, mut most, mut before) = (0, usize::from(!text.is_empty()), 1 << 7);
    for position in (0..bytes.len()).step_by(8) {
        let chunk = chunk(bytes, position);
        let seven_bits = chunk & !TOP_BITS;
        // No byte exceeds 0xFF here, so that none is carried to the next one.
        let visible = (seven_bits + ONES * u64::from(0x7F - b' ')) & !chunk & TOP_BITS;
        let blank = !((seven_bits ^ (ONES * u64::from(b' '))) + ONES * 0x7F) & !chunk & TOP_BITS;
        least += (visible & (blank << 8 | before)).count_ones() as usize;
        most += (!visible & TOP_BITS).count_ones() as usize;
        before = blank >> 56;
    }
    // The last chunk is padded with blanks.
    least..=most - (bytes.len().next_multiple_of(8) - bytes.len())
}

/// Number of bytes compared at once.
const BLOCK: usize = 16;

/// The number of bytes that two slices share at the start.
pub fn common_prefix(first: &[u8], second: &[u8]) -> usize {
    let equal = first.chunks_exact(BLOCK).zip(second.chunks_exact(BLOCK)).take_while(|(a, b)| a == b).count() * BLOCK;
    equal + first[equal..].iter().zip(&second[equal..]).take_while(|(a, b)| a == b).count()
}

/// The number of bytes that two slices share at the end.
pub fn common_suffix(first: &[u8], second: &[u8]) -> usize {
    let equal = first.rchunks_exact(BLOCK).zip(second.rchunks_exact(BLOCK)).take_while(|(a, b)| a == b).count() * BLOCK;
    let (first, second) = (&first[..first.len() - equal], &second[..second.len() - equal]);
    equal + first.iter().rev().zip(second.iter().rev()).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_white_space_character_separates_words() {
        for c in (0..=0x10_FFFF).filter_map(char::from_u32) {
            let (alone, inside) = (format!("{c}"), format!("a{c}é"));
            let expected: Vec<&str> = inside.split(is_space).filter(|word| !word.is_empty()).collect();
            assert_eq!(words(&inside).collect::<Vec<_>>(), expected, "{c:?}");
            assert_eq!(words(&alone).count(), usize::from(!is_space(c)), "{c:?}");
            for text in [inside, alone] {
                assert!(words_within(&text).contains(&words(&text).count()), "{text:?}");
            }
        }
    }

    #[test]
    fn numbers_of_words_in_plain_text_are_exact() {
        for text in ["", "a", "I like cats .", "0123456 8901234567 x", "! \" 1 ~ 12345678"] {
            let number = words(text).count();
            assert_eq!(words_within(text), number..=number, "{text:?}");
        }
        for text in ["  a  b  ", "é è", "a\tb", "\u{1}x \u{a0} y", "na\u{ef}ve \u{e9}l\u{e8}ve"] {
            assert!(words_within(text).contains(&words(text).count()), "{text:?}");
        }
    }
}
