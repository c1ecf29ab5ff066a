//! Tokens of a line (words, code points or grapheme clusters), and the tokens that a version shares with the source at
//! its start and end: most tokens, which are not split and looked up again.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use crate::text::words::{common_prefix, common_suffix, words};

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

/// Calls `visit` with every token of `text`, in order.
#[inline]
pub fn for_each_token<'a>(text: &'a str, unit: TokenUnit, mut visit: impl FnMut(&'a str)) {
    match unit {
        TokenUnit::Word => words(text).for_each(visit),
        TokenUnit::Char => text.char_indices().for_each(|(start, c)| visit(&text[start..start + c.len_utf8()])),
        TokenUnit::Grapheme => text.graphemes(true).for_each(visit),
    }
}

/// The number of tokens. O(bytes).
pub fn count_tokens(text: &str, unit: TokenUnit) -> usize {
    let mut tokens = 0;
    for_each_token(text, unit, |_| tokens += 1);
    tokens
}

/// The position of a token in its line, in bytes.
#[derive(Clone, Copy)]
pub struct ByteSpan {
    pub start: u32,
    pub end: u32,
}

/// Numbers of tokens that a version shares with the source at its ends; the other tokens are in the bytes `middle`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedEnds {
    pub prefix: usize,
    pub suffix: usize,
    pub middle: Range<usize>,
}

/// Compares `version` with a source and the positions of its tokens. O(bytes).
pub fn shared_ends(source: &str, spans: &[ByteSpan], version: &str, unit: TokenUnit) -> SharedEnds {
    if spans.is_empty() || unit == TokenUnit::Grapheme {
        return SharedEnds { prefix: 0, suffix: 0, middle: 0..version.len() }; // a next character may extend a cluster
    }
    let (source, version) = (source.as_bytes(), version.as_bytes());
    let common = common_prefix(source, version);
    // A token is complete if the next one starts within the common bytes.
    let prefix = spans.partition_point(|span| span.start as usize <= common).saturating_sub(1);
    let start = if prefix > 0 { spans[prefix].start as usize } else { 0 };
    let common = common_suffix(&source[start.min(source.len())..], &version[start..]);
    let last_unshared = spans.partition_point(|span| (span.end as usize) < source.len() - common);
    match spans.get(last_unshared) {
        Some(span) => {
            let end = version.len() - (source.len() - span.end as usize);
            SharedEnds { prefix, suffix: spans.len() - 1 - last_unshared, middle: start..end }
        }
        None => SharedEnds { prefix, suffix: 0, middle: start..version.len() },
    }
}
