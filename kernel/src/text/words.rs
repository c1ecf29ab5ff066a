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

/// The meaning of a byte of UTF-8 for white space.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Other,
    Space,
    /// The first byte of white space outside ASCII, and of other characters.
    Lead,
}

const KINDS: [Kind; 256] = {
    let mut kinds = [Kind::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        kinds[byte] = match byte as u8 {
            b'\t'..=b'\r' | 0x1c..=0x1f | b' ' => Kind::Space,
            0xC2 | 0xE1 | 0xE2 | 0xE3 => Kind::Lead,
            _ => Kind::Other,
        };
        byte += 1;
    }
    kinds
};

/// Eight bytes of the same value.
const fn eight(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// A bit at the position of each byte that may be white space: bytes other than letters and visible characters of
/// ASCII.
#[inline]
fn marks(bytes: &[u8; 8]) -> u64 {
    let word = u64::from_le_bytes(*bytes);
    let visible = (word & eight(0x7F)) + eight(0x7F - b' ');
    let highest = (!visible | word) & eight(0x80);
    (highest >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// Number of bytes whose bits are stored.
const BLOCK: usize = 64;

/// The words of a line, in order. O(bytes).
pub fn words(text: &str) -> Words<'_> {
    Words { text, at: 0, marks: 0, marked: 0 }
}

pub struct Words<'a> {
    text: &'a str,
    at: usize,
    /// The bits of the bytes before `marked`, from the byte at `at` on.
    marks: u64,
    marked: usize,
}

/// The length of the white space at `at`, at a byte of kind Lead; 0 for other characters.
#[cold]
fn wide_space(text: &str, at: usize) -> usize {
    text[at..].chars().next().filter(|&c| is_space(c)).map_or(0, char::len_utf8)
}

impl Words<'_> {
    /// The length of the white space at `at`; 0 for other characters.
    #[inline]
    fn space(&self, at: usize) -> Option<usize> {
        self.text.as_bytes().get(at).map(|&byte| match KINDS[usize::from(byte)] {
            Kind::Space => 1,
            Kind::Other => 0,
            Kind::Lead => wide_space(self.text, at),
        })
    }

    #[inline]
    fn advance(&mut self, bytes: usize) {
        self.at += bytes;
        self.marks = if bytes < BLOCK { self.marks >> bytes } else { 0 };
    }

    /// Moves to the next marked byte, or to the end.
    #[inline]
    fn find_mark(&mut self) {
        while self.marks == 0 {
            self.at = self.at.max(self.marked);
            let rest = &self.text.as_bytes()[self.at..];
            if rest.is_empty() {
                return;
            }
            let block = &rest[..rest.len().min(BLOCK)];
            for (at, bytes) in block.chunks(8).enumerate() {
                let whole = bytes.first_chunk().copied().unwrap_or_else(|| {
                    let mut filled = [b'.'; 8];
                    filled[..bytes.len()].copy_from_slice(bytes);
                    filled
                });
                self.marks |= marks(&whole) << (8 * at);
            }
            self.marked = self.at + block.len();
        }
        self.advance(self.marks.trailing_zeros() as usize);
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    #[inline]
    fn next(&mut self) -> Option<&'a str> {
        loop {
            match self.space(self.at)? {
                0 => break,
                width => self.advance(width),
            }
        }
        let start = self.at;
        // No byte within a character is a lead byte or ASCII, so moving byte by byte cannot miss the start of one.
        loop {
            self.advance(1);
            self.find_mark();
            if self.space(self.at) != Some(0) {
                return Some(&self.text[start..self.at]);
            }
        }
    }
}

const STEP: usize = 16;

pub fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    let steps = a.chunks_exact(STEP).zip(b.chunks_exact(STEP)).take_while(|(a, b)| a == b).count() * STEP;
    steps + a[steps..].iter().zip(&b[steps..]).take_while(|(a, b)| a == b).count()
}

pub fn common_suffix(a: &[u8], b: &[u8]) -> usize {
    let steps = a.rchunks_exact(STEP).zip(b.rchunks_exact(STEP)).take_while(|(a, b)| a == b).count() * STEP;
    let (a, b) = (&a[..a.len() - steps], &b[..b.len() - steps]);
    steps + a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_what_stands_between_white_space() {
        for c in (0..=0x10_FFFF).filter_map(char::from_u32) {
            let (alone, inside) = (format!("{c}"), format!("a{c}é"));
            let expected: Vec<&str> = inside.split(is_space).filter(|word| !word.is_empty()).collect();
            assert_eq!(words(&inside).collect::<Vec<_>>(), expected, "{c:?}");
            assert_eq!(words(&alone).count(), usize::from(!is_space(c)), "{c:?}");
        }
    }
}
