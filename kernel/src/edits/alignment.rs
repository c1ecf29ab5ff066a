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
    table: Table,
    /// The target's words.
    target: Vec<Word>,
    pattern: Pattern,
    balance: Balance,
    operations: Vec<Operation>,
}

/// Cost and step of each cell: the cheapest way to turn i tokens of the source into j of the target.
///
/// Where i or j is at most the length of the common beginning, nothing need be worked out. The cost is |i - j|: it is
/// never less, since only insertions and deletions leave a diagonal, and each costs 1; and it is so much, by induction on
/// i + j, since one of them leads here from a cell that is cheaper by 1, or a match from one that costs the same. So there
/// a step along the diagonal is taken only if it costs nothing. Only the cells beyond are kept.
#[derive(Default)]
struct Table {
    cost: Vec<f64>,
    step: Vec<Step>,
    common: usize,
    width: usize,
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

impl Table {
    /// Makes room for the cells of n and m tokens with so many in common at the beginning; false if that is too much.
    fn reserve(&mut self, n: usize, m: usize, common: usize) -> bool {
        (self.common, self.width) = (common, m - common + 1);
        let cells = (n - common + 1).saturating_mul(self.width);
        if cells > MOST_CELLS || !(reserve(&mut self.cost, cells, 0.0) && reserve(&mut self.step, cells, NONE)) {
            return false;
        }
        for j in 0..self.width {
            self.cost[j] = j as f64;
        }
        for i in 0..=n - common {
            self.cost[i * self.width] = i as f64;
        }
        true
    }

    /// Gives large tables back.
    fn release(&mut self) {
        if self.cost.len() > KEPT_CELLS {
            (self.cost, self.step) = Default::default();
        }
    }

    fn cost(&self, i: usize, j: usize) -> f64 {
        if i <= self.common || j <= self.common {
            i.abs_diff(j) as f64
        } else {
            self.cost[(i - self.common) * self.width + j - self.common]
        }
    }

    /// The step of a cell beyond the common beginning.
    fn step(&self, i: usize, j: usize) -> Step {
        self.step[(i - self.common) * self.width + j - self.common]
    }
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
    #[inline]
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
    /// Cost: O(n m) cells, the common beginning and end not counted; each may look back along its diagonal for a
    /// transposition, O(n m min(n, m)) at worst.
    pub fn align(&mut self, source: &Sentence, target: &Sentence, plain: bool) -> Option<&[Operation]> {
        let (mut n, mut m) = (source.len(), target.len());
        // A cell of equal tokens is always a match, so the way back begins with the common end.
        while n > 0 && m > 0 && source.form(n - 1) == target.form(m - 1) {
            n -= 1;
            m -= 1;
        }
        let common = (0..n.min(m)).take_while(|&t| source.form(t) == target.form(t)).count();
        if !self.table.reserve(n, m, common) {
            return None;
        }
        if plain {
            self.fill_plain(source, n, target, m);
        } else {
            self.fill(source, n, target, m);
        }
        self.trace(source, n, target, m, plain);
        self.table.release();
        Some(&self.operations)
    }

    fn fill_plain(&mut self, source: &Sentence, n: usize, target: &Sentence, m: usize) {
        let Table { cost, step, common, width } = &mut self.table;
        for i in *common..n {
            for j in *common..m {
                let here = (i - *common + 1) * *width + j - *common + 1;
                let diagonal = cost[here - *width - 1];
                (cost[here], step[here]) = if source.form(i) == target.form(j) {
                    (diagonal, single(Kind::Match))
                } else {
                    let rest = insert_or_delete(cost[here - 1] + 1.0, cost[here - *width] + 1.0);
                    if diagonal + 1.0 <= rest.0 {
                        (diagonal + 1.0, single(Kind::Substitute))
                    } else {
                        rest
                    }
                };
            }
        }
    }

    fn fill(&mut self, source: &Sentence, n: usize, target: &Sentence, m: usize) {
        self.balance.prepare(source, n, target, m);
        self.target.clear();
        self.target.extend((self.table.common..m).map(|j| Word::of(target, j)));
        for i in self.table.common..n {
            self.fill_row(source, i, target);
        }
    }

    /// The costs and steps of a source token. Of equally cheap steps transposition, substitution, insertion, deletion
    /// are taken in this order.
    ///
    /// What cannot win is not worked out: a substitution costs at least what lemma and POS cost, where the words differ in
    /// more than case; and what ends off the main diagonal by d tokens costs at least d, so that a transposition costs
    /// at least d + 1. Sums of floating-point numbers keep these orders.
    fn fill_row(&mut self, source: &Sentence, i: usize, target: &Sentence) {
        let word = Word::of(source, i);
        let (common, width) = (self.table.common, self.table.width);
        let start = (i - common + 1) * width;
        let mut is_prepared = false;
        let mut left = self.table.cost[start];
        for at in 0..self.target.len() {
            let above = start + at - width;
            let (diagonal, up) = (self.table.cost[above], self.table.cost[above + 1]);
            let other = &self.target[at];
            let best = if word.form == other.form {
                (diagonal, single(Kind::Match))
            } else {
                let mut best = insert_or_delete(left + 1.0, up + 1.0);
                let is_case = word.lower == other.lower;
                let mut change = diagonal + if is_case { 0.0 } else { word.distance(other) };
                if change <= best.0 {
                    if !is_case {
                        if !is_prepared {
                            self.pattern.set(source.chars(i));
                            is_prepared = true;
                        }
                        change = diagonal + (word.distance(other) + self.pattern.indel(target.chars(common + at)));
                    }
                    if change <= best.0 {
                        best = (change, single(Kind::Substitute));
                    }
                }
                let j = common + at;
                if i.abs_diff(j) as f64 + 1.0 <= best.0 {
                    let transposition = transposition(&self.table, &mut self.balance, i, j);
                    best = transposition.filter(|(cost, _)| *cost <= best.0).unwrap_or(best);
                }
                best
            };
            (self.table.cost[start + at + 1], self.table.step[start + at + 1]) = best;
            left = best.0;
        }
    }

    fn trace(&mut self, source: &Sentence, n: usize, target: &Sentence, m: usize, plain: bool) {
        let (mut i, mut j) = (n, m);
        self.operations.clear();
        while i + j > 0 {
            let Step { kind, length } = if i > self.table.common && j > self.table.common {
                self.table.step(i, j)
            } else {
                single(early_step(source, i, target, j, plain))
            };
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

/// The step of a cell not beyond the common beginning, see [`Table`].
fn early_step(source: &Sentence, i: usize, target: &Sentence, j: usize, plain: bool) -> Kind {
    if i > 0 && j > 0 && source.form(i - 1) == target.form(j - 1) {
        Kind::Match
    } else if i > 0 && j > 0 && !plain && source.lower(i - 1) == target.lower(j - 1) {
        Kind::Substitute
    } else if j > i {
        Kind::Insert
    } else {
        Kind::Delete
    }
}

/// The shortest window of two or more tokens that ends in tokens i and j and holds the same words on both sides, looked
/// for along the diagonal until a match.
fn transposition(table: &Table, balance: &mut Balance, i: usize, j: usize) -> Option<(f64, Step)> {
    if !balance.start(i, j) {
        return None;
    }
    for k in 1..=i.min(j) {
        let outer = table.cost(i - k, j - k);
        if table.cost(i - k + 1, j - k + 1) == outer || !balance.extend(i - k, j - k) {
            return None;
        }
        if balance.is_even() {
            return Some((outer + k as f64, Step { kind: Kind::Transpose, length: k as u32 + 1 }));
        }
    }
    None
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
