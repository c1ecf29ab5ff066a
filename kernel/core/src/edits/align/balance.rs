//! Whether two windows contain the same words.

use crate::edits::annotated::Sentence;

/// Whether two windows that grow to the left contain the same multiset of lower-case words.
#[derive(Default)]
pub struct Balance {
    /// The words of the two sentences, numbered from 0.
    source: Vec<u32>,
    target: Vec<u32>,
    /// First position of each word, or `NEVER`.
    first_source: Vec<u32>,
    first_target: Vec<u32>,
    /// The last tokens of the windows.
    end: (u32, u32),
    surplus: Vec<i32>,
    uneven: usize,
    touched: Vec<u32>,
    numbers: Numbers,
}

const NEVER: u32 = u32::MAX;

impl Balance {
    pub fn prepare(&mut self, source: &Sentence, n: usize, target: &Sentence, m: usize) {
        self.numbers.restart(source.lexicon.lower_len());
        self.source.clear();
        self.source.extend((0..n).map(|i| self.numbers.of(source.lower(i))));
        self.target.clear();
        self.target.extend((0..m).map(|j| self.numbers.of(target.lower(j))));
        let words = self.numbers.count as usize;
        first_places(&self.source, words, &mut self.first_source);
        first_places(&self.target, words, &mut self.first_target);
        self.touched.clear();
        self.surplus.clear();
        self.surplus.resize(words, 0);
        self.uneven = 0;
    }

    /// First position of a source token in the target.
    #[inline]
    pub fn first_of_source(&self, i: usize) -> u32 {
        self.first_target[self.source[i] as usize]
    }

    /// First position of a target token in the source.
    #[inline]
    pub fn first_of_target(&self, j: usize) -> u32 {
        self.first_source[self.target[j] as usize]
    }

    /// Starts with windows of one token; false if they can never become equal.
    #[inline]
    pub fn start(&mut self, i: usize, j: usize) -> bool {
        self.end = (i as u32, j as u32);
        for number in self.touched.drain(..) {
            self.surplus[number as usize] = 0;
        }
        self.uneven = 0;
        self.extend(i, j)
    }

    /// Adds a token on either side; false if it does not occur before the end of the other window.
    #[inline]
    pub fn extend(&mut self, i: usize, j: usize) -> bool {
        if self.first_of_source(i) > self.end.1 || self.first_of_target(j) > self.end.0 {
            return false;
        }
        self.add(self.source[i], 1);
        self.add(self.target[j], -1);
        true
    }

    fn add(&mut self, number: u32, change: i32) {
        let surplus = &mut self.surplus[number as usize];
        self.uneven += usize::from(*surplus == 0);
        *surplus += change;
        self.uneven -= usize::from(*surplus == 0);
        self.touched.push(number);
    }

    #[inline]
    pub fn is_even(&self) -> bool {
        self.uneven == 0
    }
}

/// Numbers 0, 1, … for the words of a sentence pair, without a search: every word of the lexicon has a slot.
#[derive(Default)]
struct Numbers {
    /// The pair in which the word was numbered, and its number.
    given: Vec<(u32, u32)>,
    pair: u32,
    count: u32,
}

impl Numbers {
    fn restart(&mut self, words: usize) {
        if self.given.len() < words {
            self.given.resize(words.next_power_of_two(), (0, 0));
        }
        self.pair = self.pair.wrapping_add(1);
        if self.pair == 0 {
            self.given.fill((0, 0));
            self.pair = 1;
        }
        self.count = 0;
    }

    fn of(&mut self, word: u32) -> u32 {
        let (pair, number) = &mut self.given[word as usize];
        if *pair != self.pair {
            (*pair, *number) = (self.pair, self.count);
            self.count += 1;
        }
        *number
    }
}

/// First position in `sentence` of each of `words` numbers.
fn first_places(sentence: &[u32], words: usize, places: &mut Vec<u32>) {
    places.clear();
    places.resize(words, NEVER);
    for (at, &number) in sentence.iter().enumerate().rev() {
        places[number as usize] = at as u32;
    }
}
