//! Linguistically weighted Damerau-Levenshtein alignment with transpositions (Felice, Bryant & Briscoe 2016),
//! with the costs and the order of ties of errant 3.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::edits::annotated::{Sentence, Span};
use crate::edits::distance::Pattern;
use crate::edits::labels::pos;
use crate::edits::near::{has_order, is_near, MOST};
use crate::edits::rules::RuleSet;
use crate::interrupt;

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
    /// Which words are nearly the same, where the rules ask for it.
    near: Option<Near>,
    /// Costs and steps of the source token that is being looked at.
    row: Vec<(f64, Step)>,
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

    /// Whether a cell beyond the common beginning is one of equal tokens.
    fn is_match(&self, i: usize, j: usize) -> bool {
        i.min(j) > self.common && self.step(i, j).kind == Kind::Match
    }

    /// The step of a cell beyond the common beginning.
    fn step(&self, i: usize, j: usize) -> Step {
        self.step[(i - self.common) * self.width + j - self.common]
    }
}

/// Diagonals d = j - i: those between the first and the last cell's, and so many on either side.
#[derive(Clone, Copy)]
struct Band {
    /// The last cell's.
    last: i64,
    slack: i64,
}

impl Band {
    /// The target tokens from `first` to `end` that it pairs with source token i.
    fn columns(self, i: usize, first: usize, end: usize) -> Range<usize> {
        let within = |j: i64| (j.max(first as i64) as usize).min(end);
        let (low, high) = (self.last.min(0) - self.slack, self.last.max(0) + self.slack);
        within(i as i64 + low)..within(i as i64 + high + 1)
    }

    /// What the cheapest path beyond the band costs.
    fn beyond(self) -> f64 {
        (self.last.abs() + 2 * (self.slack + 1)) as f64
    }

    /// Up to which cost the cells of diagonal d are certain: what a path from beyond the band costs there. In a cell that is
    /// dearer the true cost may be less, but not less than that.
    fn certain(self, d: i64) -> f64 {
        let (low, high) = (self.last.min(0) - self.slack - 1, self.last.max(0) + self.slack + 1);
        ((d - low) - low).min(high + (high - d)) as f64
    }
}

/// More than rounding can add to the sums of a table.
const ROUNDING: f64 = 1e-6;

/// What the costs ask of a token.
#[derive(Clone, Copy)]
struct Word {
    form: u32,
    lower: u32,
    lemma: u32,
    pos: u32,
    is_open: bool,
    /// Where its lower case comes first in the other sentence.
    first: u32,
}

impl Word {
    fn of(sentence: &Sentence, t: usize, first: u32) -> Self {
        Word {
            first,
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
    /// all costs are 1 and nothing is transposed (Levenshtein). By the rules for Czech up to [`MOST`] tokens are
    /// transposed if they are nearly the same in another order. `None`: more than [`MOST_CELLS`] cells, or no memory
    /// for them.
    ///
    /// By those rules each cell may also ask which of up to [`MOST`] words are near each other, and try their orders.
    ///
    /// Cost: O(n m) cells, the common beginning and end not counted; each may look back along its diagonal for a
    /// transposition, O(n m min(n, m)) at worst.
    pub fn align(&mut self, source: &Sentence, target: &Sentence, plain: bool, rules: RuleSet) -> Option<&[Operation]> {
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
        self.near = (rules == RuleSet::Czech).then(Near::default);
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
            interrupt::tick();
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

    /// Costs and steps as far as they can matter. A path that leads over diagonal d = j - i costs at least
    /// |d| + |m - n - d|, since only insertions and deletions leave a diagonal and each costs 1; so no cell of a dearer
    /// diagonal is on a cheapest path or is one of two equally cheap ways to go on. A band of diagonals is worked out, and
    /// if its cost does not rule out those beyond, a band that this cost makes wide enough; or all cells, see `certain`.
    fn fill(&mut self, source: &Sentence, n: usize, target: &Sentence, m: usize) {
        self.balance.prepare(source, n, target, m);
        self.target.clear();
        let balance = &self.balance;
        self.target.extend((self.table.common..m).map(|j| Word::of(target, j, balance.first_of_target(j))));
        let last = m as i64 - n as i64;
        let mut slack = 1;
        while slack < n.min(m) - self.table.common {
            let band = Band { last, slack: slack as i64 };
            if self.fill_band(source, n, target, band).is_err() {
                break;
            }
            let cost = self.table.cost(n, m) + ROUNDING;
            if cost < band.beyond() {
                return;
            }
            slack = ((cost - last.abs() as f64) / 2.0) as usize;
        }
        let all = Band { last, slack: (n + m) as i64 };
        let Ok(()) = self.fill_band(source, n, target, all) else { unreachable!("of all cells each is certain") };
    }

    fn fill_band(&mut self, source: &Sentence, n: usize, target: &Sentence, band: Band) -> Result<(), Doubt> {
        (self.table.common..n).try_for_each(|i| {
            interrupt::tick();
            self.fill_row(source, i, target, band)
        })
    }

    /// The costs and steps of a source token in a band. Of equally cheap steps transposition, substitution, insertion,
    /// deletion are taken in this order.
    ///
    /// What cannot win is not worked out: a substitution costs at least what lemma and POS cost, where the words differ in
    /// more than case; and what ends off the main diagonal by d tokens costs at least d, so that a transposition costs
    /// at least d + 1. Sums of floating-point numbers keep these orders.
    fn fill_row(&mut self, source: &Sentence, i: usize, target: &Sentence, band: Band) -> Result<(), Doubt> {
        let word = Word::of(source, i, self.balance.first_of_source(i));
        let Aligner { table, target: others, pattern, balance, near: nearly, row, .. } = self;
        let (common, all) = (table.common, table.common + others.len());
        let Range { start: first, end } = band.columns(i, common, all);
        let start = (i - common + 1) * table.width + first - common;
        if first > common {
            table.cost[start] = f64::INFINITY;
        }
        let others = &others[first - common..end - common];
        let above = &table.cost[start - table.width..][..=others.len()];
        let mut is_prepared = false;
        let mut left = table.cost[start];
        row.resize(others.len(), (0.0, NONE));
        for (((j, other), near), out) in (first..).zip(others.iter()).zip(above.windows(2)).zip(row.iter_mut()) {
            let (diagonal, up) = (near[0], near[1]);
            if word.form == other.form {
                *out = (diagonal, single(Kind::Match));
                left = diagonal;
                continue;
            }
            let mut best = insert_or_delete(left + 1.0, up + 1.0);
            let is_case = word.lower == other.lower;
            let distance = if is_case { 0.0 } else { word.distance(other) };
            if diagonal + distance <= best.0 {
                if !is_prepared {
                    pattern.set(source.chars(i));
                    is_prepared = true;
                }
                let substitution = if is_case { 0.0 } else { distance + pattern.indel(target.chars(j)) };
                if diagonal + substitution <= best.0 {
                    best = (diagonal + substitution, single(Kind::Substitute));
                }
            }
            let can_be_even = nearly.is_some() || (i >= other.first as usize && j >= word.first as usize);
            if can_be_even && (i as i64 - j as i64).abs() as f64 + 1.0 <= best.0 {
                let likeness = nearly.as_mut().map(|near| (near, source, target));
                let transposition = transposition(table, balance, likeness, band, (i, j), best.0)?;
                best = transposition.filter(|(cost, _)| *cost <= best.0).unwrap_or(best);
            }
            *out = best;
            left = best.0;
        }
        let places = start + 1..start + 1 + row.len();
        for (cost, (own, _)) in table.cost[places.clone()].iter_mut().zip(row.iter()) {
            *cost = *own;
        }
        for (step, (_, own)) in table.step[places.clone()].iter_mut().zip(row.iter()) {
            *step = *own;
        }
        if end < all {
            table.cost[places.end] = f64::INFINITY;
        }
        Ok(())
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
/// for along the diagonal until a match; given up where it would cost more than `most`. Err: cells decide that are not
/// worked out for certain.
fn transposition(
    table: &Table,
    balance: &mut Balance,
    mut near: Option<(&mut Near, &Sentence, &Sentence)>,
    band: Band,
    (i, j): (usize, usize),
    most: f64,
) -> Result<Option<(f64, Step)>, Doubt> {
    let mut can_be_even = balance.start(i, j);
    let certain = band.certain(j as i64 - i as i64);
    let mut is_doubtful = false;
    for k in 1..=i.min(j) {
        let is_dear = i.abs_diff(j) as f64 + k as f64 > most;
        if is_dear || table.is_match(i - k + 1, j - k + 1) {
            return Ok(None);
        }
        can_be_even = can_be_even && balance.extend(i - k, j - k);
        let near = near.as_mut().filter(|_| k < MOST);
        if !can_be_even && near.is_none() {
            return Ok(None);
        }
        let (inner, outer) = (table.cost(i - k + 1, j - k + 1), table.cost(i - k, j - k));
        let is_certain = inner.max(outer) <= certain || inner.min(outer) < certain;
        if is_certain && inner == outer {
            return Ok(None);
        }
        is_doubtful |= !is_certain;
        let is_even = match near {
            Some((near, source, target)) => near.is_reordering(source, i - k, target, j - k, k + 1),
            None => balance.is_even(),
        };
        if is_even {
            return match (outer > certain, is_doubtful) {
                // It is dear, and so is the cell, whatever is found.
                (true, _) => Ok(None),
                (false, true) => Err(Doubt),
                (false, false) => Ok(Some((outer + k as f64, Step { kind: Kind::Transpose, length: k as u32 + 1 }))),
            };
        }
    }
    Ok(None)
}

/// Which forms of two sentences are nearly the same, each pair looked at when it is first asked for.
#[derive(Default)]
struct Near {
    known: FxHashMap<(u32, u32), bool>,
}

impl Near {
    /// Whether so many tokens from i and from j on are nearly the same in an order that moves the first and the last.
    fn is_reordering(&mut self, source: &Sentence, i: usize, target: &Sentence, j: usize, tokens: usize) -> bool {
        has_order(tokens, |a, b| {
            let (a, b) = (i + a, j + b);
            let known = self.known.entry((source.form(a), target.form(b)));
            *known.or_insert_with(|| is_near(source.chars(a), target.chars(b)))
        })
    }
}

/// A band is too narrow to tell.
#[derive(Debug)]
struct Doubt;

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

    /// Where the like of a source token comes first in the target.
    fn first_of_source(&self, i: usize) -> u32 {
        self.first_target[self.source[i] as usize]
    }

    /// Where the like of a target token comes first in the source.
    fn first_of_target(&self, j: usize) -> u32 {
        self.first_source[self.target[j] as usize]
    }

    /// Windows of one token each; false if they can never become equal.
    fn start(&mut self, i: usize, j: usize) -> bool {
        self.end = (i as u32, j as u32);
        for number in self.touched.drain(..) {
            self.surplus[number as usize] = 0;
        }
        self.uneven = 0;
        self.extend(i, j)
    }

    /// One more token on either side; false if its like is not to be had before the other window's end.
    fn extend(&mut self, i: usize, j: usize) -> bool {
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
