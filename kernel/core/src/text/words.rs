//! Words: runs of characters other than white space, as in Python's `str.split()`.

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

/// The top bit of each byte that is a control character, a blank or no ASCII; others may be set after the first one.
#[inline]
fn other_bytes(chunk: u64) -> u64 {
    const ONES: u64 = u64::MAX / 0xFF;
    // A difference below 0 has the top bit, and borrows from the next byte.
    (chunk.wrapping_sub(ONES * u64::from(b' ' + 1)) | chunk) & (ONES << 7)
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

/// A number of words that a text does not exceed. O(bytes), faster than counting them.
pub fn most_words(text: &str) -> usize {
    let bytes = text.as_bytes();
    let others = (0..bytes.len()).step_by(8).map(|position| other_bytes(chunk(bytes, position)).count_ones() as usize);
    others.sum::<usize>() + usize::from(!text.is_empty())
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
            assert!(most_words(&inside) >= words(&inside).count() && most_words(&alone) >= words(&alone).count());
        }
    }
}
