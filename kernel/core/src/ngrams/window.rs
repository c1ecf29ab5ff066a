//! Tokens that all versions of a sentence share at both ends are not numbered, since they count the same in all of
//! them.
//!
//! Adding n-grams to source, reference and hypothesis alike adds the same number to the intersection of all three, and
//! changes nothing else. The versions are thus cut to the tokens that differ, with n - 1 tokens before and after, which
//! belong to n-grams with a difference. Each removed token counts as the start of one n-gram of every order.

use super::tokens::{count_tokens, TokenUnit};
use crate::text::words::{common_prefix, common_suffix, is_space};

/// Removes tokens that belong to no n-gram with a difference, and returns their number. At least one text is required.
/// O(bytes of all texts).
pub fn narrow(texts: &mut [&str], n: usize, unit: TokenUnit) -> i32 {
    if unit == TokenUnit::Grapheme {
        return 0; // what follows may join a cluster
    }
    let (first, rest) = (texts[0], &texts[1..]);
    let shortest = texts.iter().map(|text| text.len()).min().unwrap_or(0);
    let prefix = rest.iter().fold(shortest, |bytes, text| common_prefix(&first.as_bytes()[..bytes], text.as_bytes()));
    let prefix = (0..=prefix).rev().find(|&at| first.is_char_boundary(at)).unwrap_or(0);
    let start = before(&first[..prefix], n, unit);
    let suffix = rest.iter().fold(shortest - prefix, |bytes, text| {
        common_suffix(&first.as_bytes()[first.len() - bytes..], text.as_bytes())
    });
    let suffix = (0..=suffix).rev().find(|&bytes| first.is_char_boundary(first.len() - bytes)).unwrap_or(0);
    let end = after(&first[first.len() - suffix..], n, unit);
    let tokens = count_tokens(&first[..start], unit) + count_tokens(&first[first.len() - end..], unit);
    texts.iter_mut().for_each(|text| *text = &text[start..text.len() - end]);
    tokens as i32
}

/// The number of bytes to remove at the start, if the versions differ after `common`.
fn before(common: &str, n: usize, unit: TokenUnit) -> usize {
    match unit {
        TokenUnit::Word => {
            // The last word may continue after `common`.
            let complete_words = common.trim_end_matches(|c| !is_space(c));
            let most = n.min(complete_words.len() + 1);
            (1..most)
                .fold(complete_words, |rest, _| rest.trim_end_matches(is_space).trim_end_matches(|c| !is_space(c)))
                .len()
        }
        _ => common.len() - common.chars().rev().take(n - 1).map(char::len_utf8).sum::<usize>(),
    }
}

/// The number of bytes to remove at the end, if the versions differ before `common`.
fn after(common: &str, n: usize, unit: TokenUnit) -> usize {
    match unit {
        TokenUnit::Word => {
            let complete_words = common.trim_start_matches(|c| !is_space(c));
            let most = n.min(complete_words.len() + 1);
            (1..most)
                .fold(complete_words, |rest, _| rest.trim_start_matches(is_space).trim_start_matches(|c| !is_space(c)))
                .len()
        }
        _ => common.len() - common.chars().take(n - 1).map(char::len_utf8).sum::<usize>(),
    }
}
