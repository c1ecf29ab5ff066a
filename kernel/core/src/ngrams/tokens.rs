//! Tokens of a line: words, code points or grapheme clusters.

use unicode_segmentation::UnicodeSegmentation;

use crate::text::words::words;

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
