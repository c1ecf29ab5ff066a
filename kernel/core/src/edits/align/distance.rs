//! String distances on code points, for the similarity of words in ERRANT's alignment and types, and of sentences.

use std::ops::Range;

use foldhash::HashMap;
use rapidfuzz::distance::{indel, levenshtein};

use crate::error::Error;
use crate::parallel;
use crate::text::Text;

/// Numbers of insertions and deletions of code points between the lines of two texts of equal length.
/// Cost: O(len(a) ceil(len(b) / 64)) per line.
pub fn indel_distances(left: &Text, right: &Text, threads: usize) -> Result<Vec<i64>, Error> {
    let distance = |line| indel::distance(left.line(line).chars(), right.line(line).chars()) as i64;
    let block = |lines: Range<usize>| Ok(lines.map(distance).collect::<Vec<_>>());
    Ok(parallel::map_blocks(left.len(), threads, block)?.concat())
}

/// Number of letters whose positions fit into one bit vector.
pub const MAX_BITS: usize = 64;

/// A word to compare with many others: for each letter the bit vector of its positions (Hyyrö 2004). Memory is reused;
/// rapidfuzz clears 4 KB for each word, which takes a sixth of ERRANT's time.
pub struct WordBits {
    word: Vec<u32>,
    ascii: [u64; 128],
    beyond_ascii: HashMap<u32, u64>,
}

impl Default for WordBits {
    fn default() -> Self {
        Self { word: Vec::new(), ascii: [0; 128], beyond_ascii: HashMap::default() }
    }
}

impl WordBits {
    /// Replaces the word. O(len).
    pub fn set(&mut self, word: &[u32]) {
        for &letter in &self.word {
            if let Some(positions) = self.ascii.get_mut(letter as usize) {
                *positions = 0;
            }
        }
        self.beyond_ascii.clear();
        self.word.clear();
        self.word.extend(word);
        for (position, &letter) in word.iter().take(MAX_BITS).enumerate() {
            let positions = match self.ascii.get_mut(letter as usize) {
                Some(positions) => positions,
                None => self.beyond_ascii.entry(letter).or_default(),
            };
            *positions |= 1 << position;
        }
    }

    /// Number of insertions and deletions divided by the sum of lengths: in [0, 1]. O(len of the other word); longer
    /// words are compared by rapidfuzz.
    pub fn distance(&self, other: &[u32]) -> f64 {
        if self.word.len() > MAX_BITS {
            return indel::normalized_distance(self.word.iter().copied(), other.iter().copied());
        }
        let total = self.word.len() + other.len();
        let mut state = u64::MAX;
        for &letter in other {
            let positions = match self.ascii.get(letter as usize) {
                Some(&positions) => positions,
                None => self.beyond_ascii.get(&letter).copied().unwrap_or(0),
            };
            let matched = state & positions;
            state = state.wrapping_add(matched) | (state - matched);
        }
        let common = state.count_zeros() as usize;
        if total == 0 {
            return 0.0;
        }
        (total - 2 * common) as f64 / total as f64
    }
}

/// 1 - insertions and deletions / sum of lengths: in [0, 1].
pub fn indel_similarity(first: &[u32], second: &[u32]) -> f64 {
    indel::normalized_similarity(first.iter().copied(), second.iter().copied())
}

/// 1 - Levenshtein distance / length of the longer word: in [0, 1].
pub fn similarity(first: &[u32], second: &[u32]) -> f64 {
    levenshtein::normalized_similarity(first.iter().copied(), second.iter().copied())
}

/// The Levenshtein distance with the `cost` of substitutions, or any number from `limit` on if it is at least `limit`.
pub fn levenshtein(a: &[u32], b: &[u32], limit: f64, cost: impl Fn(u32, u32) -> f64) -> f64 {
    let mut row: Vec<f64> = (0..=b.len()).map(|j| j as f64).collect();
    for (i, &x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = (i + 1) as f64;
        let mut row_minimum = row[0];
        for (j, &y) in b.iter().enumerate() {
            let substitution = diagonal + cost(x, y);
            diagonal = row[j + 1];
            row[j + 1] = substitution.min(row[j] + 1.0).min(diagonal + 1.0);
            row_minimum = row_minimum.min(row[j + 1]);
        }
        if row_minimum >= limit {
            return row_minimum;
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chars(word: &str) -> Vec<u32> {
        word.chars().map(u32::from).collect()
    }

    #[test]
    fn bits_equal_rapidfuzz() {
        let text: Vec<u32> =
            (0..400u32).map(|i| (i * i * 31 + i / 7) % 9 + if i % 11 == 0 { 900 } else { 97 }).collect();
        let mut bits = WordBits::default();
        for (start, length) in [(0, 0), (3, 5), (9, 64), (2, 65), (5, 300), (1, 7)] {
            bits.set(&text[start..start + length]);
            for (other_start, other_length) in [(0, 0), (1, 4), (70, 64), (100, 200)] {
                let [word, other] =
                    [(start, length), (other_start, other_length)].map(|(start, length)| &text[start..start + length]);
                let expected = indel::normalized_distance(word.iter().copied(), other.iter().copied());
                assert_eq!(bits.distance(other), expected);
            }
        }
    }

    #[test]
    fn known_similarities() {
        assert_eq!(indel_similarity(&chars("cats"), &chars("cat")), 1.0 - 1.0 / 7.0);
        assert_eq!(indel_similarity(&[], &[]), 1.0);
        assert_eq!(similarity(&chars("kitten"), &chars("sitting")), 1.0 - 3.0 / 7.0);
        assert_eq!(similarity(&[], &[]), 1.0);
        assert_eq!(similarity(&[], &chars("a")), 0.0);
    }
}
