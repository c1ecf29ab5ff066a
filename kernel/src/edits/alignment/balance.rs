//! Whether two windows hold the same words.

use crate::edits::annotated::Sentence;

/// Whether two windows that grow to the left hold the same multiset of lower-cased words.
#[derive(Default)]
pub struct Balance {
    /// The words of the two sentences, numbered from 0.
    source: Vec<u32>,
    target: Vec<u32>,
    /// Where each word comes first; `NEVER` if it does not.
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

    /// Where the like of a source token comes first in the target.
    #[inline]
    pub fn first_of_source(&self, i: usize) -> u32 {
        self.first_target[self.source[i] as usize]
    }

    /// Where the like of a target token comes first in the source.
    #[inline]
    pub fn first_of_target(&self, j: usize) -> u32 {
        self.first_source[self.target[j] as usize]
    }

    /// Windows of one token each; false if they can never become equal.
    #[inline]
    pub fn start(&mut self, i: usize, j: usize) -> bool {
        self.end = (i as u32, j as u32);
        for number in self.touched.drain(..) {
            self.surplus[number as usize] = 0;
        }
        self.uneven = 0;
        self.extend(i, j)
    }

    /// One more token on either side; false if its like is not to be had before the other window's end.
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

/// Numbers 0, 1, … for the words of a pair of sentences, without a search: a place for every word of the lexicon.
#[derive(Default)]
struct Numbers {
    /// The pair in which the word got its number, and the number.
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

/// Where each of `words` numbers stands first in `sentence`.
fn first_places(sentence: &[u32], words: usize, places: &mut Vec<u32>) {
    places.clear();
    places.resize(words, NEVER);
    for (at, &number) in sentence.iter().enumerate().rev() {
        places[number as usize] = at as u32;
    }
}
