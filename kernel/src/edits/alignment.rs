//! Linguistically weighted Damerau-Levenshtein alignment with transpositions (Felice, Bryant & Briscoe 2016),
//! with the costs and the order of ties of errant 3.

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
    target: Vec<Word>,
    pattern: Pattern,
    /// Which source token `pattern` is of.
    prepared: Option<usize>,
    balance: Balance,
    operations: Vec<Operation>,
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

/// What the costs ask of a token.
#[derive(Clone, Copy)]
struct Word {
    form: u32,
    lower: u32,
    lemma: u32,
    pos: u32,
    is_open: bool,
}

impl Word {
    fn of(sentence: &Sentence, t: usize) -> Self {
        Word {
            form: sentence.form(t),
            lower: sentence.lower(t),
            lemma: sentence.lemma(t),
            pos: sentence.pos(t),
            is_open: sentence.pos_class(t) & pos::OPEN != 0,
        }
    }

    /// What unlike lemma and unlike POS cost.
    fn distance(&self, other: &Word) -> f64 {
        let lemma = if self.lemma == other.lemma { 0.0 } else { LEMMA_COST };
        let pos = if self.pos == other.pos {
            0.0
        } else if self.is_open && other.is_open {
            OPEN_POS_COST
        } else {
            POS_COST
        };
        lemma + pos
    }
}

impl Aligner {
    /// The cheapest operations from `source` to `target`; a common end is left out, being matches. With `plain`
    /// all costs are 1 and nothing is transposed (Levenshtein). `None`: more than [`MOST_CELLS`] cells, or no memory
    /// for them.
    ///
    /// Cost: O(n m) cells; each may look back along its diagonal for a transposition, O(n m min(n, m)) at worst.
    pub fn align(&mut self, source: &Sentence, target: &Sentence, plain: bool) -> Option<&[Operation]> {
        let (mut n, mut m) = (source.len(), target.len());
        // A cell of equal tokens is always a match, so the way back begins with the common end.
        while n > 0 && m > 0 && source.form(n - 1) == target.form(m - 1) {
            n -= 1;
            m -= 1;
        }
        let cells = (n + 1).saturating_mul(m + 1);
        if cells > MOST_CELLS || !(reserve(&mut self.cost, cells, 0.0) && reserve(&mut self.step, cells, NONE)) {
            return None;
        }
        self.borders(n, m);
        if plain {
            self.fill_plain(source, n, target, m);
        } else {
            self.fill(source, n, target, m);
        }
        self.trace(n, m);
        if cells > KEPT_CELLS {
            (self.cost, self.step) = Default::default();
        }
        Some(&self.operations)
    }

    /// The first row and the first column: insertions and deletions alone.
    fn borders(&mut self, n: usize, m: usize) {
        for j in 0..=m {
            self.cost[j] = j as f64;
            self.step[j] = single(Kind::Insert);
        }
        for i in 1..=n {
            self.cost[i * (m + 1)] = i as f64;
            self.step[i * (m + 1)] = single(Kind::Delete);
        }
    }

    fn fill_plain(&mut self, source: &Sentence, n: usize, target: &Sentence, m: usize) {
        let width = m + 1;
        for i in 0..n {
            for j in 0..m {
                let here = (i + 1) * width + j + 1;
                let diagonal = self.cost[i * width + j];
                (self.cost[here], self.step[here]) = if source.form(i) == target.form(j) {
                    (diagonal, single(Kind::Match))
                } else {
                    let rest = insert_or_delete(self.cost[here - 1] + 1.0, self.cost[here - width] + 1.0);
                    if diagonal + 1.0 <= rest.0 { (diagonal + 1.0, single(Kind::Substitute)) } else { rest }
                };
            }
        }
    }

    fn fill(&mut self, source: &Sentence, n: usize, target: &Sentence, m: usize) {
        let width = m + 1;
        self.balance.prepare(source, n, target, m);
        self.target.clear();
        self.target.extend((0..m).map(|j| Word::of(target, j)));
        self.prepared = None;
        for i in 0..n {
            let word = Word::of(source, i);
            let mut left = self.cost[(i + 1) * width];
            for j in 0..m {
                let (diagonal, up) = (self.cost[i * width + j], self.cost[i * width + j + 1]);
                let other = self.target[j];
                let (cost, step) = if word.form == other.form {
                    (diagonal, single(Kind::Match))
                } else {
                    self.cell(source, i, &word, target, j, &other, [diagonal, left + 1.0, up + 1.0])
                };
                let here = (i + 1) * width + j + 1;
                (self.cost[here], self.step[here]) = (cost, step);
                left = cost;
            }
        }
    }

    /// Cost and step of a cell of unlike tokens, from the costs before a substitution, after an insertion and after a
    /// deletion. Of equally cheap steps transposition, substitution, insertion, deletion are taken in this order.
    ///
    /// What cannot win is not worked out. A substitution costs at least `distance`, where the words differ in more
    /// than case; and what ends off the main diagonal by d tokens costs at least d, so that a transposition costs at
    /// least d + 1. Sums of floating-point numbers keep these orders.
    #[allow(clippy::too_many_arguments)]
    #[inline]
    fn cell(
        &mut self,
        source: &Sentence,
        i: usize,
        word: &Word,
        target: &Sentence,
        j: usize,
        other: &Word,
        [diagonal, insert, delete]: [f64; 3],
    ) -> (f64, Step) {
        let is_case = word.lower == other.lower;
        let distance = if is_case { 0.0 } else { word.distance(other) };
        let rest = insert.min(delete);
        let mut best = insert_or_delete(insert, delete);
        if diagonal + distance <= rest {
            let substitution = if is_case { 0.0 } else { distance + self.indel(source, i, target, j) };
            let cost = diagonal + substitution;
            if cost <= rest {
                best = (cost, single(Kind::Substitute));
            }
        }
        if i.abs_diff(j) as f64 + 1.0 <= best.0 {
            let transposition = self.transposition(i, j, self.target.len() + 1);
            best = transposition.filter(|(cost, _)| *cost <= best.0).unwrap_or(best);
        }
        best
    }

    fn indel(&mut self, source: &Sentence, i: usize, target: &Sentence, j: usize) -> f64 {
        if self.prepared != Some(i) {
            self.pattern.set(source.chars(i));
            self.prepared = Some(i);
        }
        self.pattern.indel(target.chars(j))
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

    fn trace(&mut self, n: usize, m: usize) {
        let (mut i, mut j) = (n, m);
        self.operations.clear();
        while i + j > 0 {
            let Step { kind, length } = self.step[i * (m + 1) + j];
            let length = length as usize;
            let (back, left) = match kind {
                Kind::Insert => (0, 1),
                Kind::Delete => (1, 0),
                _ => (length, length),
            };
            let span = Span { source: i - back..i, target: j - left..j };
            self.operations.push(Operation { kind, span });
            i -= back;
            j -= left;
        }
        self.operations.reverse();
    }
}

const NONE: Step = single(Kind::Match);

/// Cells that are kept for the next pair; larger tables are given back.
const KEPT_CELLS: usize = 1 << 20;

/// Makes the table so large, what is in it being of no account; false if there is no memory.
fn reserve<T: Clone>(table: &mut Vec<T>, cells: usize, value: T) -> bool {
    if table.len() >= cells {
        return true;
    }
    if table.try_reserve_exact(cells - table.len()).is_err() {
        return false;
    }
    table.resize(cells, value);
    true
}

/// Insertion, or deletion if that is cheaper.
#[inline]
fn insert_or_delete(insert: f64, delete: f64) -> (f64, Step) {
    if delete < insert {
        (delete, single(Kind::Delete))
    } else {
        (insert, single(Kind::Insert))
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
    numbers: Numbers,
}

const NEVER: u32 = u32::MAX;

impl Balance {
    fn prepare(&mut self, source: &Sentence, n: usize, target: &Sentence, m: usize) {
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

    /// Windows of one token each; false if they can never become equal.
    #[inline]
    fn start(&mut self, i: usize, j: usize) -> bool {
        self.end = (i as u32, j as u32);
        if !self.can_extend(i, j) {
            return false;
        }
        for number in self.touched.drain(..) {
            self.surplus[number as usize] = 0;
        }
        self.uneven = 0;
        self.extend(i, j)
    }

    /// Whether the like of both tokens is to be had before the other window's end.
    #[inline]
    fn can_extend(&self, i: usize, j: usize) -> bool {
        let (source, target) = (self.source[i], self.target[j]);
        self.first_target[source as usize] <= self.end.1 && self.first_source[target as usize] <= self.end.0
    }

    /// One more token on either side; false if its like is not to be had before the other window's end.
    fn extend(&mut self, i: usize, j: usize) -> bool {
        if !self.can_extend(i, j) {
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

    fn is_even(&self) -> bool {
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
