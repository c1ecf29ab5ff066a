//! Removal of tokens that all versions of a sentence share at both ends.
//!
//! N-grams in source, reference and hypothesis alike only add to the intersection of all three. The versions are cut to
//! the tokens that differ, with n - 1 tokens before and after, which belong to n-grams with a difference. Each removed
//! token counts as the start of one n-gram of every order.

use super::tokens::{count_tokens, TokenUnit};
use crate::text::words::{common_prefix, common_suffix, is_space};

/// Removes tokens that belong to no n-gram with a difference, and returns their number. Requires at least one text.
/// O(bytes of all texts).
pub fn narrow(texts: &mut [&str], n: usize, unit: TokenUnit) -> i32 {
    if unit == TokenUnit::Grapheme {
        return 0; // the next character may extend a cluster
    }
    let (first, rest) = (texts[0], &texts[1..]);
    let shortest = texts.iter().map(|text| text.len()).min().unwrap_or(0);
    let prefix = rest.iter().fold(shortest, |bytes, text| common_prefix(&first.as_bytes()[..bytes], text.as_bytes()));
    let prefix = (0..=prefix).rev().find(|&bytes| first.is_char_boundary(bytes)).unwrap_or(0);
    let start = prefix - context_bytes(first[..prefix].chars().rev(), n, unit);
    let suffix = rest.iter().fold(shortest - prefix, |bytes, text| {
        common_suffix(&first.as_bytes()[first.len() - bytes..], text.as_bytes())
    });
    let suffix = (0..=suffix).rev().find(|&bytes| first.is_char_boundary(first.len() - bytes)).unwrap_or(0);
    let end = suffix - context_bytes(first[first.len() - suffix..].chars(), n, unit);
    let tokens = count_tokens(&first[..start], unit) + count_tokens(&first[first.len() - end..], unit);
    texts.iter_mut().for_each(|text| *text = &text[start..text.len() - end]);
    tokens as i32
}

/// The number of bytes of the common tokens that belong to n-grams with a difference. `outwards`: the common characters
/// from the difference on.
fn context_bytes(outwards: impl Iterator<Item = char>, n: usize, unit: TokenUnit) -> usize {
    let bytes = |characters: &mut dyn Iterator<Item = char>| characters.map(char::len_utf8).sum();
    if unit != TokenUnit::Word {
        return bytes(&mut outwards.take(n - 1));
    }
    // The first word, which may be empty, is part of a word with the difference.
    let (mut words, mut is_after_space) = (1, false);
    bytes(&mut outwards.take_while(|&c| {
        words += usize::from(is_space(c) && !is_after_space);
        is_after_space = is_space(c);
        words <= n
    }))
}
