//! Comparison of the words of two growing windows.

use crate::edits::annotated::AnnotatedSentence;

/// Compares the multisets of lower-case words of two windows that grow to the left.
#[derive(Default)]
pub struct WordBalance {
    /// The words of the two sentences, numbered from 0.
    source: Vec<u32>,
    target: Vec<u32>,
    /// First position of each word, or `NEVER`.
    first_in_source: Vec<u32>,
    first_in_target: Vec<u32>,
    /// The last tokens of the windows.
    window_ends: (u32, u32),
    surplus: Vec<i32>,
    unbalanced: usize,
    changed_words: Vec<u32>,
    numbers: WordNumbers,
}

pub const NEVER: u32 = u32::MAX;

impl WordBalance {
    pub fn prepare(&mut self, source: &AnnotatedSentence, target: &AnnotatedSentence) {
        self.numbers.restart(source.lexicon.lower_len());
        self.source.clear();
        self.source.extend((0..source.len()).map(|i| self.numbers.number(source.lower(i))));
        self.target.clear();
        self.target.extend((0..target.len()).map(|j| self.numbers.number(target.lower(j))));
        let words = self.numbers.count as usize;
        find_first(&self.source, words, &mut self.first_in_source);
        find_first(&self.target, words, &mut self.first_in_target);
        self.changed_words.clear();
        self.surplus.clear();
        self.surplus.resize(words, 0);
        self.unbalanced = 0;
    }

    /// The number of each source word, and its first position in the target.
    pub fn source_words(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.source.iter().map(|&number| (number, self.first_in_target[number as usize]))
    }

    /// The number of each target word, and its first position in the source.
    pub fn target_words(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.target.iter().map(|&number| (number, self.first_in_source[number as usize]))
    }

    /// Starts with windows of one token; false if they can never become equal.
    #[inline]
    pub fn start(&mut self, i: usize, j: usize) -> bool {
        self.window_ends = (i as u32, j as u32);
        for number in self.changed_words.drain(..) {
            self.surplus[number as usize] = 0;
        }
        self.unbalanced = 0;
        self.extend(i, j)
    }

    /// Adds a token on either side; false if it does not occur before the end of the other window.
    #[inline(always)]
    pub fn extend(&mut self, i: usize, j: usize) -> bool {
        let (source, target) = (self.source[i], self.target[j]);
        if self.first_in_target[source as usize] > self.window_ends.1
            || self.first_in_source[target as usize] > self.window_ends.0
        {
            return false;
        }
        self.add(source, 1);
        self.add(target, -1);
        true
    }

    fn add(&mut self, number: u32, change: i32) {
        let surplus = &mut self.surplus[number as usize];
        self.unbalanced += usize::from(*surplus == 0);
        *surplus += change;
        self.unbalanced -= usize::from(*surplus == 0);
        self.changed_words.push(number);
    }

    #[inline]
    pub fn is_balanced(&self) -> bool {
        self.unbalanced == 0
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

/// First position in `sentence` of each of `words` numbers.
fn find_first(sentence: &[u32], words: usize, first: &mut Vec<u32>) {
    first.clear();
    first.resize(words, NEVER);
    for (position, &number) in sentence.iter().enumerate().rev() {
        first[number as usize] = position as u32;
    }
}
