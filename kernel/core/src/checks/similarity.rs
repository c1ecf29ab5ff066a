//! Similarity of two texts by their pairs of characters.

use std::cmp::Ordering;
use std::iter;

use crate::text::words::is_space;

/// The pairs of characters in a text without blanks, and its first and last characters with a blank: a multiset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CharacterPairs {
    /// Sorted code points, the first in the upper half; equal pairs stand as often as they occur.
    pairs: Vec<u64>,
}

impl CharacterPairs {
    /// O(n log n) for n characters.
    pub fn of(text: &str) -> Self {
        let characters: Vec<char> = text.chars().filter(|&c| !is_space(c)).collect();
        if characters.is_empty() {
            return Self::default();
        }
        let blank = iter::once(' ');
        let (first, second) =
            (blank.clone().chain(characters.iter().copied()), characters.iter().copied().chain(blank));
        let mut pairs: Vec<_> = first.zip(second).map(|(a, b)| u64::from(a) << 32 | u64::from(b)).collect();
        pairs.sort_unstable();
        Self { pairs }
    }

    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The pairs of this text without those of another. O(pairs).
    pub fn without(&self, other: &Self) -> Self {
        let mut rest = &other.pairs[..];
        let is_extra = |pair: &&u64| loop {
            match rest.first().map_or(Ordering::Greater, |first| first.cmp(pair)) {
                Ordering::Less => rest = &rest[1..],
                Ordering::Equal => {
                    rest = &rest[1..];
                    return false;
                }
                Ordering::Greater => return true,
            }
        };
        Self { pairs: self.pairs.iter().filter(is_extra).copied().collect() }
    }

    /// The number of pairs that both texts have. O(pairs).
    pub fn shared(&self, other: &Self) -> usize {
        let (mut first, mut second, mut number) = (&self.pairs[..], &other.pairs[..], 0);
        while let ([a, after_a @ ..], [b, after_b @ ..]) = (first, second) {
            let order = a.cmp(b);
            number += usize::from(order.is_eq());
            first = if order.is_le() { after_a } else { first };
            second = if order.is_ge() { after_b } else { second };
        }
        number
    }

    /// Dice's coefficient of two multisets, from 0 to 1. O(pairs).
    pub fn similarity(&self, other: &Self) -> f64 {
        (2 * self.shared(other)) as f64 / (self.len() + other.len()).max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_a_multiset_with_both_ends() {
        let [text, other, blank] = ["aa b", "ab", " \u{3000}"].map(CharacterPairs::of);
        assert_eq!((text.len(), other.len(), blank.len()), (4, 3, 0)); // " a aa ab b ", " a ab b "
        assert_eq!((text.shared(&other), other.shared(&text)), (3, 3));
        assert_eq!(text.without(&other), CharacterPairs { pairs: vec![0x61_0000_0061] });
        assert!(other.without(&text).is_empty());
        assert_eq!(text.similarity(&other), 6.0 / 7.0);
        assert_eq!(blank.similarity(&blank), 0.0);
    }
}
