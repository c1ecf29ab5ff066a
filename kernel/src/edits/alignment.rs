//! Linguistically weighted Damerau-Levenshtein alignment with transpositions (Felice, Bryant & Briscoe 2016),
//! with the costs and the order of ties of errant 3.

use rustc_hash::FxHashMap;

use crate::edits::annotated::{Sentence, Span};
use crate::edits::distance::Pattern;
use crate::edits::labels::pos;

const LEMMA_COST: f64 = 0.499;
const OPEN_POS_COST: f64 = 0.25;
const POS_COST: f64 = 0.5;

/// Cells a table may have, 16 bytes each: 640 MB, two texts of 6,300 tokens.
pub const MOST_CELLS: usize = 40_000_000;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Match,
    Substitute,
    Insert,
    Delete,
    /// The same tokens, case aside, in another order.
    Transpose,
}

/// One step of an alignment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    pub kind: Kind,
    pub span: Span,
}

/// Tables of the alignment, kept between sentences.
#[derive(Default)]
pub struct Aligner {
    cost: Vec<f64>,
    step: Vec<Step>,
    pattern: Pattern,
    balance: Balance,
}

/// How a cell was reached; `length` is the number of tokens a transposition covers.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Step {
    kind: Kind,
    length: u32,
}

const fn single(kind: Kind) -> Step {
    Step { kind, length: 1 }
}

impl Aligner {
    /// The cheapest operations from `source` to `target`; a common end is left out, being matches. With `plain`
    /// all costs are 1 and nothing is transposed (Levenshtein). `None`: more than [`MOST_CELLS`] cells.
    ///
    /// Cost: O(n m) cells; each may look back along its diagonal for a transposition, O(n m min(n, m)) at worst.
    pub fn align(&mut self, source: &Sentence, target: &Sentence, plain: bool) -> Option<Vec<Operation>> {
        let (mut n, mut m) = (source.len(), target.len());
        // A cell of equal tokens is always a match, so the way back begins with the common end.
        while n > 0 && m > 0 && source.form(n - 1) == target.form(m - 1) {
            n -= 1;
            m -= 1;
        }
        if (n + 1).saturating_mul(m + 1) > MOST_CELLS {
            return None;
        }
        self.fill(source, n, target, m, plain);
        Some(self.trace(n, m))
    }

    fn fill(&mut self, source: &Sentence, n: usize, target: &Sentence, m: usize, plain: bool) {
        let width = m + 1;
        self.cost.clear();
        self.cost.resize((n + 1) * width, 0.0);
        self.step.clear();
        self.step.resize((n + 1) * width, single(Kind::Match));
        for i in 1..=n {
            self.cost[i * width] = i as f64;
            self.step[i * width] = single(Kind::Delete);
        }
        for j in 1..=m {
            self.cost[j] = j as f64;
            self.step[j] = single(Kind::Insert);
        }
        if !plain {
            self.balance.prepare(source, n, target, m);
        }
        for i in 0..n {
            if !plain {
                self.pattern.set(source.chars(i));
            }
            for j in 0..m {
                let here = (i + 1) * width + j + 1;
                let diagonal = self.cost[i * width + j];
                if source.form(i) == target.form(j) {
                    self.cost[here] = diagonal;
                    continue;
                }
                let (substitution, transposition) = if plain {
                    (diagonal + 1.0, None)
                } else {
                    (diagonal + self.substitution_cost(source, i, target, j), self.transposition(i, j, width))
                };
                let options = [
                    (substitution, single(Kind::Substitute)),
                    (self.cost[here - 1] + 1.0, single(Kind::Insert)),
                    (self.cost[here - width] + 1.0, single(Kind::Delete)),
                ];
                let mut best = transposition.unwrap_or(options[0]);
                for option in options {
                    if option.0 < best.0 {
                        best = option;
                    }
                }
                (self.cost[here], self.step[here]) = best;
            }
        }
    }

    /// Between 0 (only case differs) and 2: unlike lemma, unlike POS, unlike characters.
    fn substitution_cost(&mut self, source: &Sentence, i: usize, target: &Sentence, j: usize) -> f64 {
        if source.lower(i) == target.lower(j) {
            return 0.0;
        }
        let lemma = if source.lemma(i) == target.lemma(j) { 0.0 } else { LEMMA_COST };
        let pos = if source.pos(i) == target.pos(j) {
            0.0
        } else if source.pos_class(i) & pos::OPEN != 0 && target.pos_class(j) & pos::OPEN != 0 {
            OPEN_POS_COST
        } else {
            POS_COST
        };
        lemma + pos + self.pattern.indel(target.chars(j))
    }

    /// The shortest window of two or more tokens that ends in this cell and holds the same words on both sides, looked
    /// for along the diagonal until a match.
    fn transposition(&mut self, i: usize, j: usize, width: usize) -> Option<(f64, Step)> {
        if !self.balance.start(i, j) {
            return None;
        }
        for k in 1..=i.min(j) {
            let (inner, outer) = ((i - k + 1) * width + j - k + 1, (i - k) * width + j - k);
            if self.cost[inner] == self.cost[outer] || !self.balance.extend(i - k, j - k) {
                return None;
            }
            if self.balance.is_even() {
                let step = Step { kind: Kind::Transpose, length: k as u32 + 1 };
                return Some((self.cost[outer] + k as f64, step));
            }
        }
        None
    }

    fn trace(&self, n: usize, m: usize) -> Vec<Operation> {
        let (mut i, mut j) = (n, m);
        let mut operations = Vec::new();
        while i + j > 0 {
            let Step { kind, length } = self.step[i * (m + 1) + j];
            let length = length as usize;
            let (back, left) = match kind {
                Kind::Insert => (0, 1),
                Kind::Delete => (1, 0),
                _ => (length, length),
            };
            let span = Span { source: i - back..i, target: j - left..j };
            operations.push(Operation { kind, span });
            i -= back;
            j -= left;
        }
        operations.reverse();
        operations
    }
}

/// Whether two windows that grow to the left hold the same multiset of lower-cased words.
#[derive(Default)]
struct Balance {
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
}

const NEVER: u32 = u32::MAX;

impl Balance {
    fn prepare(&mut self, source: &Sentence, n: usize, target: &Sentence, m: usize) {
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        let mut number = |word: u32| {
            let next = numbers.len() as u32;
            *numbers.entry(word).or_insert(next)
        };
        self.source.clear();
        self.source.extend((0..n).map(|i| number(source.lower(i))));
        self.target.clear();
        self.target.extend((0..m).map(|j| number(target.lower(j))));
        let words = numbers.len();
        first_places(&self.source, words, &mut self.first_source);
        first_places(&self.target, words, &mut self.first_target);
        self.touched.clear();
        self.surplus.clear();
        self.surplus.resize(words, 0);
        self.uneven = 0;
    }

    /// Windows of one token each; false if they can never become equal.
    fn start(&mut self, i: usize, j: usize) -> bool {
        for number in self.touched.drain(..) {
            self.surplus[number as usize] = 0;
        }
        self.uneven = 0;
        self.end = (i as u32, j as u32);
        self.extend(i, j)
    }

    /// One more token on either side; false if its like is not to be had before the other window's end.
    fn extend(&mut self, i: usize, j: usize) -> bool {
        let (source, target) = (self.source[i], self.target[j]);
        if self.first_target[source as usize] > self.end.1 || self.first_source[target as usize] > self.end.0 {
            return false;
        }
        self.add(source, 1);
        self.add(target, -1);
        true
    }

    fn add(&mut self, number: u32, change: i32) {
        let surplus = &mut self.surplus[number as usize];
        self.uneven += usize::from(*surplus == 0);
        *surplus += change;
        self.uneven -= usize::from(*surplus == 0);
        self.touched.push(number);
    }

    fn is_even(&self) -> bool {
        self.uneven == 0
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
