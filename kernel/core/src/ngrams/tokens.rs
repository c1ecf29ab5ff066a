//! Tokens of a line (words, code points or grapheme clusters) as codes of 64 bits: equal codes are equal tokens.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use crate::text::strings::Strings;
use crate::text::words::{chunk, common_prefix, common_suffix, plain_bytes, words};

/// The unit of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenUnit {
    /// Runs of characters other than white space, as in Python's `str.split()`.
    Word,
    /// Unicode code points, including white space.
    Char,
    /// Extended grapheme clusters (UAX #29), including white space.
    Grapheme,
}

/// The number of tokens. O(bytes).
pub fn count_tokens(text: &str, unit: TokenUnit) -> usize {
    match unit {
        TokenUnit::Word => words(text).count(),
        TokenUnit::Char => text.chars().count(),
        TokenUnit::Grapheme => text.graphemes(true).count(),
    }
}

/// The top byte of the codes of long tokens; no character in UTF-8 contains it.
const LONG: u64 = 0xFF << 56;

/// Maximum number of long tokens whose table is kept for the next sentence.
const MAX_KEPT: usize = 1 << 12;

/// The position of a token in its line, in bytes.
#[derive(Clone, Copy)]
struct ByteSpan {
    start: u32,
    end: u32,
}

/// Numbers of tokens that a version shares with the source at its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedEnds {
    pub prefix: usize,
    pub suffix: usize,
}

/// Codes of the tokens of a sentence, in memory reused for all sentences.
///
/// The code of a code point is its number. The code of another token of at most 8 bytes is the token itself, padded with
/// NUL. A longer token, or one that ends with NUL, has [`LONG`] and its number among such tokens of the sentence.
pub struct Codes {
    unit: TokenUnit,
    long: Strings,
    source_length: usize,
    /// The positions of the words of the source.
    source_spans: Vec<ByteSpan>,
    /// The codes of the source, then those that were added.
    pub codes: Vec<u64>,
}

impl Codes {
    pub fn new(unit: TokenUnit) -> Self {
        Self { unit, long: Strings::default(), source_length: 0, source_spans: Vec::new(), codes: Vec::new() }
    }

    /// The number of tokens of the source.
    pub fn source_length(&self) -> usize {
        self.source_length
    }

    /// Reserves memory for a sentence of this number of tokens in all versions. None: not enough memory.
    pub fn reserve(&mut self, tokens: usize) -> Option<()> {
        self.source_spans.try_reserve(tokens).ok()?;
        self.codes.try_reserve(tokens).ok()
    }

    /// Starts a sentence with the tokens of its source. O(bytes).
    pub fn read_source(&mut self, source: &str) {
        if self.long.len() > MAX_KEPT {
            self.long = Strings::default();
        }
        self.long.clear();
        self.source_spans.clear();
        self.codes.clear();
        if self.unit == TokenUnit::Word {
            let Self { long, source_spans, codes, .. } = self;
            for_each_word(source, 0..source.len(), long, |word, code| {
                source_spans.push(ByteSpan { start: word.start as u32, end: word.end as u32 });
                codes.push(code);
            });
        } else {
            self.add_part(source, 0..source.len());
        }
        self.source_length = self.codes.len();
    }

    /// Adds the tokens of a line, and returns the end of its codes. O(bytes).
    pub fn add(&mut self, line: &str) -> usize {
        self.add_part(line, 0..line.len());
        self.codes.len()
    }

    fn add_part(&mut self, line: &str, part: Range<usize>) {
        let Self { unit, long, codes, .. } = self;
        match unit {
            TokenUnit::Word => for_each_word(line, part, long, |_, code| codes.push(code)),
            // The same numbers, in a fraction of the time.
            TokenUnit::Char if line.is_ascii() => {
                codes.extend(line.as_bytes()[part].iter().map(|&byte| u64::from(byte)))
            }
            TokenUnit::Char => codes.extend(line[part].chars().map(u64::from)),
            TokenUnit::Grapheme => codes.extend(line[part].graphemes(true).map(|token| code(token, long))),
        }
    }

    /// Adds the tokens of a version that differ from the source at both ends, with at most `context` of the shared
    /// tokens before and after them. O(bytes).
    pub fn add_difference(&mut self, source: &str, version: &str, context: usize) -> SharedEnds {
        let (ends, middle) = self.shared_ends(source, version);
        let suffix = self.source_length() - ends.suffix;
        self.codes.extend_from_within(ends.prefix - context.min(ends.prefix)..ends.prefix);
        self.add_part(version, middle);
        self.codes.extend_from_within(suffix..suffix + context.min(ends.suffix));
        ends
    }

    /// The tokens that a version shares with the source, and the bytes of its other tokens. O(bytes).
    fn shared_ends(&self, source: &str, version: &str) -> (SharedEnds, Range<usize>) {
        match self.unit {
            TokenUnit::Word => self.shared_words(source.as_bytes(), version.as_bytes()),
            TokenUnit::Char => shared_chars(source, version),
            // A next character may extend a cluster.
            TokenUnit::Grapheme => (SharedEnds { prefix: 0, suffix: 0 }, 0..version.len()),
        }
    }

    fn shared_words(&self, source: &[u8], version: &[u8]) -> (SharedEnds, Range<usize>) {
        let spans = &self.source_spans;
        let common = common_prefix(source, version);
        // A word is complete if the next one starts within the common bytes.
        let prefix = spans.partition_point(|span| span.start as usize <= common).saturating_sub(1);
        let start = if prefix > 0 { spans[prefix].start as usize } else { 0 };
        let common = common_suffix(&source[start.min(source.len())..], &version[start..]);
        let last_unshared = spans.partition_point(|span| (span.end as usize) < source.len() - common);
        match spans.get(last_unshared) {
            Some(span) => {
                let end = version.len() - (source.len() - span.end as usize);
                (SharedEnds { prefix, suffix: spans.len() - 1 - last_unshared }, start..end)
            }
            None => (SharedEnds { prefix, suffix: 0 }, start..version.len()),
        }
    }

    /// The tokens of an n-gram, joined by a blank.
    pub fn text(&self, ngram: Range<usize>) -> String {
        let mut text = String::new();
        for (number, &code) in self.codes[ngram].iter().enumerate() {
            if number > 0 {
                text.push(' ');
            }
            if self.unit == TokenUnit::Char {
                text.extend(char::from_u32(code as u32));
            } else if code >= LONG {
                text.push_str(self.long.get((code ^ LONG) as u32));
            } else {
                let bytes = code.to_le_bytes();
                let length = bytes.len() - code.leading_zeros() as usize / 8;
                text.push_str(std::str::from_utf8(&bytes[..length]).expect("a short token is its code"));
            }
        }
        text
    }
}

/// The code points that a version shares with the source, and the bytes of its others. O(bytes).
fn shared_chars(source: &str, version: &str) -> (SharedEnds, Range<usize>) {
    let mut start = common_prefix(source.as_bytes(), version.as_bytes());
    while !source.is_char_boundary(start) {
        start -= 1;
    }
    let mut suffix = common_suffix(&source.as_bytes()[start..], &version.as_bytes()[start..]);
    while !source.is_char_boundary(source.len() - suffix) {
        suffix -= 1;
    }
    let ends =
        SharedEnds { prefix: source[..start].chars().count(), suffix: source[source.len() - suffix..].chars().count() };
    (ends, start..version.len() - suffix)
}

/// The code of a token.
#[inline]
fn code(token: &str, long: &mut Strings) -> u64 {
    let bytes = token.as_bytes();
    if bytes.len() > 8 || bytes.last() == Some(&0) {
        return LONG | u64::from(long.intern(token));
    }
    bytes.iter().rev().fold(0, |code, &byte| code << 8 | u64::from(byte))
}

/// Calls `visit` with the bytes and the code of every word in a part of a line, which begins and ends between words.
#[inline]
fn for_each_word(line: &str, part: Range<usize>, long: &mut Strings, mut visit: impl FnMut(Range<usize>, u64)) {
    let mut position = part.start;
    while position < part.end {
        // Short words of ASCII before a blank need no loop.
        let chunk = chunk(line.as_bytes(), position);
        let length = plain_bytes(chunk);
        if length < 8 && chunk >> (8 * length) & 0xFF == u64::from(b' ') {
            if length > 0 {
                visit(position..position + length, chunk & (u64::MAX >> (64 - 8 * length)));
            }
            position += length + 1;
            continue;
        }
        let Some(word) = words(&line[position..part.end]).next() else { return };
        let start = word.as_ptr() as usize - line.as_ptr() as usize;
        position = start + word.len();
        visit(start..position, code(word, long));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(line: &str, unit: TokenUnit) -> Vec<String> {
        let mut codes = Codes::new(unit);
        codes.read_source(line);
        assert_eq!(codes.source_length(), count_tokens(line, unit));
        (0..codes.codes.len()).map(|position| codes.text(position..position + 1)).collect()
    }

    #[test]
    fn words_are_split_at_pythons_white_space() {
        let words = tokens(" a\u{1c}b\u{a0}c\u{200b}d\u{3000}\t", TokenUnit::Word);
        assert_eq!(words, ["a", "b", "c\u{200b}d"]);
    }

    #[test]
    fn graphemes_are_not_code_points() {
        assert_eq!(tokens("👨‍👩‍👧e\u{301}", TokenUnit::Grapheme), ["👨‍👩‍👧", "e\u{301}"]);
        assert_eq!(tokens("e\u{301}😀", TokenUnit::Char), ["e", "\u{301}", "😀"]);
    }

    #[test]
    fn only_equal_tokens_have_equal_codes() {
        let line = "a a\0 a\0\0 \0 \0\0 12345678 123456789 1234567\0 1234567 123456780 \u{10ffff}\u{10ffff} a";
        let mut codes = Codes::new(TokenUnit::Word);
        codes.read_source(line);
        codes.add(line);
        let words: Vec<&str> = line.split(' ').chain(line.split(' ')).collect();
        for (first, code) in words.iter().zip(&codes.codes) {
            assert!(words.iter().zip(&codes.codes).all(|(second, other)| (first == second) == (code == other)));
        }
        assert_eq!(tokens(line, TokenUnit::Word), line.split(' ').collect::<Vec<_>>());
        assert_eq!(tokens("a\0\0b", TokenUnit::Char), ["a", "\0", "\0", "b"]);
    }

    #[test]
    fn differences_are_between_shared_tokens() {
        for (source, version) in
            [("a b c d e", "a b x d e"), ("a b", "a b c"), ("", "a"), ("a b b", "a b"), ("ab cd", "ax cd"), ("é", "è")]
        {
            for unit in [TokenUnit::Word, TokenUnit::Char, TokenUnit::Grapheme] {
                let mut codes = Codes::new(unit);
                codes.read_source(source);
                let length = codes.source_length();
                let ends = codes.add_difference(source, version, usize::MAX);
                let added = codes.codes.split_off(length);
                codes.add(version);
                assert_eq!(added, codes.codes[length..], "{source:?} {version:?}");
                assert!(ends.prefix + ends.suffix <= length.min(added.len()));
            }
        }
    }
}
