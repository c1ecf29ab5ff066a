//! Tokens that all versions of a sentence share at both ends are not numbered, since they count the same in all of
//! them.
//!
//! Adding n-grams to source, reference and hypothesis alike adds the same number to the intersection of all three, and
//! changes nothing else. The versions are thus cut to the tokens that differ, with n - 1 tokens before and after, which
//! belong to n-grams with a difference. Each removed token counts as the start of one n-gram of every order.

use super::tokens::{for_each_token, Unit};
use crate::text::words::{common_prefix, common_suffix, is_space};

/// Removes tokens that belong to no n-gram with a difference, and returns their number. At least one text is required.
/// O(bytes of all texts).
pub fn narrow(texts: &mut [&str], n: usize, unit: Unit) -> i32 {
    if unit == Unit::Grapheme {
        return 0; // what follows may join a cluster
    }
    let (first, rest) = (texts[0], &texts[1..]);
    let shortest = texts.iter().map(|text| text.len()).min().unwrap_or(0);
    let same = rest.iter().fold(shortest, |same, text| common_prefix(&first.as_bytes()[..same], text.as_bytes()));
    let start = before(&first[..boundary(first, same)], n, unit);
    let same = rest
        .iter()
        .fold(shortest - same, |same, text| common_suffix(&first.as_bytes()[first.len() - same..], text.as_bytes()));
    let from = (first.len() - same..first.len()).find(|&at| first.is_char_boundary(at)).unwrap_or(first.len());
    let end = after(&first[from..], n, unit);
    let tokens = number(&first[..start], unit) + number(&first[first.len() - end..], unit);
    texts.iter_mut().for_each(|text| *text = &text[start..text.len() - end]);
    tokens
}

/// The number of bytes to remove at the start, if the versions differ after `common`.
fn before(common: &str, n: usize, unit: Unit) -> usize {
    match unit {
        Unit::Word => {
            // The last word may continue after `common`.
            let whole = common.trim_end_matches(|c| !is_space(c));
            let most = n.min(whole.len() + 1);
            (1..most).fold(whole, |rest, _| rest.trim_end_matches(is_space).trim_end_matches(|c| !is_space(c))).len()
        }
        _ => common.len() - common.chars().rev().take(n - 1).map(char::len_utf8).sum::<usize>(),
    }
}

/// The number of bytes to remove at the end, if the versions differ before `common`.
fn after(common: &str, n: usize, unit: Unit) -> usize {
    match unit {
        Unit::Word => {
            let whole = common.trim_start_matches(|c| !is_space(c));
            let most = n.min(whole.len() + 1);
            (1..most)
                .fold(whole, |rest, _| rest.trim_start_matches(is_space).trim_start_matches(|c| !is_space(c)))
                .len()
        }
        _ => common.len() - common.chars().take(n - 1).map(char::len_utf8).sum::<usize>(),
    }
}

fn boundary(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

fn number(text: &str, unit: Unit) -> i32 {
    let mut tokens = 0;
    for_each_token(text, unit, |_| tokens += 1);
    tokens
}
