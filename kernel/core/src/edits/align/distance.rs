//! String distances on code points, for the similarity of words in ERRANT's alignment and types, and of sentences.

use foldhash::HashMap;

use crate::parallel;
use crate::text::Text;

const WORD: usize = 64;
const ASCII: usize = 128;

/// A word prepared for repeated computation of longest common subsequences: for each character the bit vector of its
/// positions (Hyyrö 2004), in one block of the word at a time.
#[derive(Default)]
pub struct Pattern {
    word: Vec<u32>,
    /// The block whose bit vectors are loaded.
    block: usize,
    ascii: Vec<u64>,
    other: HashMap<u32, u64>,
    /// The carry of each character of a text from one block to the next.
    carries: Vec<bool>,
}

impl Pattern {
    /// Sets the pattern to `word`, reusing memory. O(len).
    pub fn set(&mut self, word: &[u32]) {
        self.unload();
        self.word.clear();
        self.word.extend(word);
        self.load(0);
    }

    fn unload(&mut self) {
        self.ascii.resize(ASCII, 0);
        let Self { word, block, ascii, other, .. } = self;
        for &character in word.chunks(WORD).nth(*block).unwrap_or_default() {
            if let Some(mask) = ascii.get_mut(character as usize) {
                *mask = 0;
            }
        }
        other.clear();
    }

    /// Loads the bit vectors of a block; none must be loaded.
    fn load(&mut self, block: usize) {
        self.block = block;
        let Self { word, ascii, other, .. } = self;
        for (position, &character) in word.chunks(WORD).nth(block).unwrap_or_default().iter().enumerate() {
            let mask = match ascii.get_mut(character as usize) {
                Some(mask) => mask,
                None => other.entry(character).or_default(),
            };
            *mask |= 1 << position;
        }
    }

    fn mask(&self, character: u32) -> u64 {
        match self.ascii.get(character as usize) {
            Some(&mask) => mask,
            None => self.other.get(&character).copied().unwrap_or(0),
        }
    }

    /// Length of the longest common subsequence with `text`. Cost: O(len(text) ceil(len / 64)) time, O(len(text)) memory.
    pub fn lcs(&mut self, text: &[u32]) -> usize {
        if self.word.len() <= WORD {
            return self.short_lcs(text);
        }
        self.carries.clear();
        self.carries.resize(text.len(), false);
        let mut carries = std::mem::take(&mut self.carries);
        let mut length = 0;
        for block in 0..self.word.len().div_ceil(WORD) {
            self.unload();
            self.load(block);
            let mut state = u64::MAX;
            for (&character, carry) in text.iter().zip(&mut carries) {
                let matched = state & self.mask(character);
                let (sum, over) = state.overflowing_add(matched);
                let (sum, over_carry) = sum.overflowing_add(u64::from(*carry));
                *carry = over || over_carry;
                state = sum | (state - matched);
            }
            // Bits beyond the word's length have an empty mask and thus stay set.
            length += state.count_zeros() as usize;
        }
        self.carries = carries;
        length
    }

    /// Like `lcs`, for a word of one block.
    fn short_lcs(&self, text: &[u32]) -> usize {
        let mut state = u64::MAX;
        for &character in text {
            let matched = state & self.mask(character);
            state = state.wrapping_add(matched) | (state - matched);
        }
        state.count_zeros() as usize
    }

    /// Number of insertions and deletions between the two words.
    fn distance(&mut self, text: &[u32]) -> usize {
        self.word.len() + text.len() - 2 * self.lcs(text)
    }

    /// Number of insertions and deletions divided by the sum of lengths: in [0, 1].
    pub fn indel(&mut self, text: &[u32]) -> f64 {
        let total = self.word.len() + text.len();
        if total == 0 {
            return 0.0;
        }
        self.distance(text) as f64 / total as f64
    }
}

/// Numbers of insertions and deletions of code points between the lines of two texts of equal length.
/// Cost: O(len(a) ceil(len(b) / 64)) per line.
pub fn indel_distances(left: &Text, right: &Text, threads: usize) -> Vec<i64> {
    let mut found = vec![0; left.len()];
    let scratch = || (Pattern::default(), Vec::new(), Vec::new());
    parallel::chunks(&mut found, 1, threads, scratch, |line, cell, (pattern, word, text)| {
        for (characters, side) in [(&mut *word, left), (&mut *text, right)] {
            characters.clear();
            characters.extend(side.line(line).chars().map(u32::from));
        }
        pattern.set(word);
        cell[0] = pattern.distance(text) as i64;
    });
    found
}

/// 1 - Levenshtein distance / length of the longer word: in [0, 1]. Cost: O(len(a) len(b)).
pub fn similarity(a: &[u32], b: &[u32]) -> f64 {
    let longest = a.len().max(b.len());
    if longest == 0 {
        return 1.0;
    }
    1.0 - levenshtein(a, b, f64::INFINITY, |x, y| f64::from(u8::from(x != y))) / longest as f64
}

/// The Levenshtein distance with the `cost` of substitutions, or something at least `most`.
pub fn levenshtein(a: &[u32], b: &[u32], most: f64, cost: impl Fn(u32, u32) -> f64) -> f64 {
    let mut row: Vec<f64> = (0..=b.len()).map(|j| j as f64).collect();
    for (i, &x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = (i + 1) as f64;
        let mut least = row[0];
        for (j, &y) in b.iter().enumerate() {
            let substitution = diagonal + cost(x, y);
            diagonal = row[j + 1];
            row[j + 1] = substitution.min(row[j] + 1.0).min(diagonal + 1.0);
            least = least.min(row[j + 1]);
        }
        if least >= most {
            return least;
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

    fn slow_lcs(a: &[u32], b: &[u32]) -> usize {
        let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                table[i + 1][j + 1] = if x == y { table[i][j] + 1 } else { table[i][j + 1].max(table[i + 1][j]) };
            }
        }
        table[a.len()][b.len()]
    }

    #[test]
    fn bits_equal_the_table_over_one_and_several_blocks() {
        let text: Vec<u32> =
            (0..400u32).map(|i| (i * i * 31 + i / 7) % 9 + if i % 11 == 0 { 900 } else { 97 }).collect();
        let mut pattern = Pattern::default();
        for (start, length) in [(0, 0), (3, 5), (9, 64), (2, 65), (0, 128), (5, 300)] {
            for (other, size) in [(0, 0), (1, 4), (70, 64), (100, 200)] {
                let (a, b) = (&text[start..start + length], &text[other..other + size]);
                pattern.set(a);
                assert_eq!(pattern.lcs(b), slow_lcs(a, b), "{length} {size}");
            }
        }
    }

    #[test]
    fn known_distances() {
        let mut pattern = Pattern::default();
        pattern.set(&chars("cats"));
        assert_eq!(pattern.indel(&chars("cat")), 1.0 / 7.0);
        pattern.set(&[]);
        assert_eq!(pattern.indel(&[]), 0.0);
        assert_eq!(similarity(&chars("kitten"), &chars("sitting")), 1.0 - 3.0 / 7.0);
        assert_eq!(similarity(&[], &[]), 1.0);
        assert_eq!(similarity(&[], &chars("a")), 0.0);
    }
}
