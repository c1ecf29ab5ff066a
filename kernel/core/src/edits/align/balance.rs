//! Windows of two sentences with the same words.

use std::hash::BuildHasher;
use std::ops::Range;

use foldhash::fast::RandomState;
use foldhash::HashMap;

use crate::edits::annotated::AnnotatedSentence;
use crate::random::Xoshiro256;

/// Finds windows on a diagonal with the same multiset of lower-case words.
///
/// Each word has a random number of 128 bits. If two windows have the same words, the sums of the numbers are equal; if
/// not, the sums differ but for a probability of about 2^-128 per pair of windows, and the largest table has 2^38. The
/// sums are equal if the difference of the prefix sums of both sides is the same before and after the windows.
#[derive(Default)]
pub struct WordBalance {
    /// The words of the two sentences, numbered from 0.
    pub source: Vec<u32>,
    pub target: Vec<u32>,
    /// Random numbers of words, and their sums over the words before each position.
    random_numbers: Vec<u128>,
    source_sums: Vec<u128>,
    target_sums: Vec<u128>,
    generator: Option<Xoshiro256>,
    /// By diagonal, for each of its cells the distance to the previous cell with the same difference of sums, or 0.
    distances: HashMap<i64, Vec<u32>>,
    numbers: WordNumbers,
}

/// Number of cells whose search costs less than the distances of a diagonal, however often it is repeated.
const MAX_SEARCHED: usize = 32;

impl WordBalance {
    pub fn prepare(&mut self, source: &AnnotatedSentence, target: &AnnotatedSentence) {
        self.numbers.restart(source.lexicon.lower_len());
        self.source.clear();
        self.source.extend((0..source.len()).map(|i| self.numbers.number(source.lower(i))));
        self.target.clear();
        self.target.extend((0..target.len()).map(|j| self.numbers.number(target.lower(j))));
        let words = self.words();
        let random_seed = || Xoshiro256::new(RandomState::default().hash_one(words));
        let generator = self.generator.get_or_insert_with(random_seed);
        let random_number = || u128::from(generator.bits()) << 64 | u128::from(generator.bits());
        self.random_numbers.resize_with(self.random_numbers.len().max(words), random_number);
        sum_before(&self.source, &self.random_numbers, &mut self.source_sums);
        sum_before(&self.target, &self.random_numbers, &mut self.target_sums);
        self.distances.clear();
    }

    /// The number of different words.
    pub fn words(&self) -> usize {
        self.numbers.count as usize
    }

    /// The difference of the sums before two positions.
    #[inline]
    fn balance(&self, i: usize, j: usize) -> u128 {
        self.source_sums[i].wrapping_sub(self.target_sums[j])
    }

    /// The shortest of these lengths of windows before two positions with the same words. Cells are searched until
    /// their number on the diagonal, `searched`, exceeds its length; then its distances are computed once. Amortised
    /// O(1), and once for each diagonal O(its cells).
    pub fn shortest_window(
        &mut self,
        (i, j): (usize, usize),
        mut lengths: Range<usize>,
        searched: &mut usize,
    ) -> Option<usize> {
        if *searched + lengths.len() <= i.min(j) + MAX_SEARCHED {
            *searched += lengths.len().saturating_sub(MAX_SEARCHED);
            let balance = self.balance(i, j);
            return lengths.find(|&length| self.balance(i - length, j - length) == balance);
        }
        let cell = i.min(j);
        let distances = self.distances((i - cell, j - cell));
        let mut length = 0;
        while length < lengths.start {
            match distances[cell - length] {
                0 => return None,
                distance => length += distance as usize,
            }
        }
        lengths.contains(&length).then_some(length)
    }

    /// The distances of the diagonal that begins with a cell.
    fn distances(&mut self, (i, j): (usize, usize)) -> &[u32] {
        let diagonal = j as i64 - i as i64;
        if !self.distances.contains_key(&diagonal) {
            let cells = (self.source_sums.len() - i).min(self.target_sums.len() - j);
            let mut last_cells = HashMap::default();
            let distance = |cell| {
                let last_cell = last_cells.insert(self.balance(i + cell, j + cell), cell);
                last_cell.map_or(0, |last_cell| (cell - last_cell) as u32)
            };
            let distances = (0..cells).map(distance).collect();
            self.distances.insert(diagonal, distances);
        }
        &self.distances[&diagonal]
    }
}

/// Numbers 0, 1, … of the words of a sentence pair, in an array with an entry per word of the lexicon.
#[derive(Default)]
struct WordNumbers {
    /// The pair in which the word was numbered, and its number.
    pair_and_number: Vec<(u32, u32)>,
    pair: u32,
    count: u32,
}

impl WordNumbers {
    fn restart(&mut self, words: usize) {
        if self.pair_and_number.len() < words {
            self.pair_and_number.resize(words.next_power_of_two(), (0, 0));
        }
        self.pair = self.pair.wrapping_add(1);
        if self.pair == 0 {
            self.pair_and_number.fill((0, 0));
            self.pair = 1;
        }
        self.count = 0;
    }

    fn number(&mut self, word: u32) -> u32 {
        let (pair, number) = &mut self.pair_and_number[word as usize];
        if *pair != self.pair {
            (*pair, *number) = (self.pair, self.count);
            self.count += 1;
        }
        *number
    }
}

/// The sum of the numbers of the words before each position.
fn sum_before(sentence: &[u32], numbers: &[u128], sums: &mut Vec<u128>) {
    sums.clear();
    sums.push(0);
    for &word in sentence {
        sums.push(sums[sums.len() - 1].wrapping_add(numbers[word as usize]));
    }
}
