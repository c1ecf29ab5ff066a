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
