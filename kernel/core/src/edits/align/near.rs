//! Words that are nearly the same, by costs that consider accents and similar sounds, also in another order.

use crate::edits::align::distance::levenshtein;
use unicode_normalization::char::{decompose_canonical, is_combining_mark};
use unicode_normalization::UnicodeNormalization;

/// Words with a smaller distance are nearly the same.
const NEAR_DISTANCE: f64 = 0.25;
/// Maximum number of words whose orders are tried.
pub const MAX_REORDERED: usize = 5;

const CASE_COST: f64 = 0.1;
const ACCENT_COST: f64 = 0.2;
const SOUND_COST: f64 = 0.3;

/// The characters of a text without combining marks.
pub fn without_marks(text: &str) -> impl Iterator<Item = char> + '_ {
    text.nfd().filter(|&c| !is_combining_mark(c))
}

/// Whether twice the Levenshtein distance over the sum of the lengths is below a quarter. Substituting a letter costs
/// .1 if the letters differ in case, .2 if one has an accent and the other none, .3 if they have different accents or
/// are i and y, else 1. Cost: O(len(a) len(b)), and O(1) if the lengths differ too much.
pub fn is_near(a: &[u32], b: &[u32]) -> bool {
    if a == b {
        return true;
    }
    let limit = NEAR_DISTANCE / 2.0 * (a.len() + b.len()) as f64;
    a.len().abs_diff(b.len()) as f64 <= limit && levenshtein(a, b, limit, substitution_cost) < limit
}

/// The cost of substituting a letter.
fn substitution_cost(x: u32, y: u32) -> f64 {
    if x == y {
        return 0.0;
    }
    let (Some(x), Some(y)) = (char::from_u32(x), char::from_u32(y)) else { return 1.0 };
    let (x, y) = (lower(x), lower(y));
    if x == y {
        return CASE_COST;
    }
    let (bare_x, bare_y) = (without_accent(x), without_accent(y));
    if bare_x == bare_y {
        return if x == bare_x || y == bare_y { ACCENT_COST } else { SOUND_COST };
    }
    if matches!((bare_x, bare_y), ('i', 'y') | ('y', 'i')) {
        return SOUND_COST;
    }
    1.0
}

fn lower(c: char) -> char {
    c.to_lowercase().next().unwrap_or(c)
}

/// A letter without accents.
fn without_accent(c: char) -> char {
    let mut first = None;
    if !c.is_ascii() {
        decompose_canonical(c, |part| first = first.or(Some(part)));
    }
    first.unwrap_or(c)
}

/// Whether both contain the same number of words, 2 to [`MAX_REORDERED`], nearly the same in an order that moves first
/// and last.
pub fn is_reordering(a: &[&[u32]], b: &[&[u32]]) -> bool {
    a.len() == b.len() && (2..=MAX_REORDERED).contains(&a.len()) && has_order(a.len(), |i, j| is_near(a[i], b[j]))
}

/// Whether n items can be paired with n other items so that `is_pair` allows each pair, and the first items are not a
/// pair, nor the last ones. Cost: at most n! / 2 steps.
pub fn has_order(n: usize, mut is_pair: impl FnMut(usize, usize) -> bool) -> bool {
    fn order_from(i: usize, used: u32, n: usize, is_pair: &mut impl FnMut(usize, usize) -> bool) -> bool {
        i == n
            || (0..n).any(|j| {
                let is_fixed = i == j && (i == 0 || i == n - 1);
                !is_fixed && used & (1 << j) == 0 && is_pair(i, j) && order_from(i + 1, used | 1 << j, n, is_pair)
            })
    }
    order_from(0, 0, n, &mut is_pair)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chars(word: &str) -> Vec<u32> {
        word.chars().map(u32::from).collect()
    }

    fn near(a: &str, b: &str) -> bool {
        is_near(&chars(a), &chars(b))
    }

    #[test]
    fn accents_and_case_cost_little() {
        assert!(near("byl", "Byl") && near("dul", "důl") && near("bili", "byly") && near("pět", "pét"));
        assert!(!near("byl", "byt") && !near("", "a") && near("", ""));
        assert!(near("nejlepší", "nejlepšího") && !near("se", "s"));
    }

    #[test]
    fn combining_marks_are_removed() {
        assert_eq!(without_marks("příliš e\u{301}ß").collect::<String>(), "prilis eß");
    }

    #[test]
    fn a_reordering_moves_first_and_last_words() {
        let order = |a: &str, b: &str| {
            let words = |text: &str| text.split(' ').map(chars).collect::<Vec<_>>();
            let (a, b) = (words(a), words(b));
            let a: Vec<&[u32]> = a.iter().map(Vec::as_slice).collect();
            let b: Vec<&[u32]> = b.iter().map(Vec::as_slice).collect();
            is_reordering(&a, &b)
        };
        assert!(order("jsem byl", "Byl jsem") && order("a b c", "c b a") && order("a b c", "b c a"));
        assert!(!order("a b c", "a c b") && !order("a b c", "b a c") && !order("a", "a"));
        assert!(!order("a b c d e f", "f e d c b a"));
        assert!(!order("a a b", "b a c"));
    }
}
