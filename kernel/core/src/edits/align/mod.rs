//! Linguistically weighted Damerau-Levenshtein alignment with transpositions (Felice, Bryant & Briscoe 2016),
//! with the costs and the order of ties of errant 3.

mod balance;
mod band;
pub mod distance;
pub mod lines;
pub mod near;
mod table;
mod word;

use std::ops::Range;

use foldhash::HashMap;

use self::balance::Balance;
use self::band::Band;
pub use self::table::MOST_CELLS;
use self::table::{insert_or_delete, single, Step, Table};
use self::word::{distance, Word};
use crate::edits::align::distance::Pattern;
use crate::edits::align::near::{has_order, is_near, MOST};
use crate::edits::annotated::{Sentence, Span};
use crate::edits::rules::RuleSet;
use crate::interrupt;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Match,
    Substitute,
    Insert,
    Delete,
    /// The same tokens, ignoring case, in another order.
    Transpose,
}

/// One step of an alignment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    pub kind: Kind,
    pub span: Span,
}

/// Tables of the alignment, reused for all sentences.
#[derive(Default)]
pub struct Aligner {
    table: Table,
    /// The target's words.
    target: Vec<Word>,
    pattern: Pattern,
    balance: Balance,
    /// Which words are nearly the same, if the rules need it.
    near: Option<Near>,
    operations: Vec<Operation>,
}

/// Upper bound of the rounding error of sums in a table.
const ROUNDING: f64 = 1e-6;

impl Aligner {
    /// The cheapest operations from `source` to `target`; the common end, which consists of matches, is omitted. With
    /// `plain` all costs are 1 and nothing is transposed (Levenshtein). The rules for Czech transpose up to [`MOST`]
    /// tokens if they are nearly the same in another order. `None`: more than [`MOST_CELLS`] cells, or not enough
    /// memory.
    ///
    /// With the Czech rules each cell may also compare up to [`MOST`] words and try their orders.
    ///
    /// Cost: O(n m) cells without the common beginning and end; each may look back along its diagonal for a
    /// transposition, O(n m min(n, m)) in the worst case.
    pub fn align(&mut self, source: &Sentence, target: &Sentence, plain: bool, rules: RuleSet) -> Option<&[Operation]> {
        let (mut n, mut m) = (source.len(), target.len());
        // A cell of equal tokens is always a match, so the trace back begins with the common end.
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

    /// Computes the costs and steps that can matter. A path over diagonal d = j - i costs at least |d| + |m - n - d|,
    /// since only insertions and deletions leave a diagonal and each costs 1. No cell of a more expensive diagonal is
    /// on a cheapest path or decides between equal ones. A band of diagonals is computed; if its cost does not exclude
    /// the others, a band that is wide enough for this cost, or all cells, see `certain`.
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

    /// The costs and steps of a source token in a band. Ties prefer transposition, substitution, insertion and
    /// deletion, in this order.
    ///
    /// Steps that cannot win are skipped: a substitution of words that differ in more than case costs at least the cost
    /// of lemma and POS; and a step that ends d tokens off the main diagonal costs at least d, so a transposition costs
    /// at least d + 1. Sums of floats preserve these orders.
    fn fill_row(&mut self, source: &Sentence, i: usize, target: &Sentence, band: Band) -> Result<(), Doubt> {
        let word = Word::of(source, i, self.balance.first_of_source(i));
        let Aligner { table, target: others, pattern, balance, near: nearly, .. } = self;
        let (common, all) = (table.common, table.common + others.len());
        let Range { start: first, end } = band.columns(i, common, all);
        let start = (i - common + 1) * table.width + first - common;
        if first > common {
            table.cost[start] = f64::INFINITY;
        }
        let others = &others[first - common..end - common];
        let mut is_prepared = false;
        let mut left = table.cost[start];
        for ((j, here), other) in (first..).zip(start + 1..).zip(others) {
            let (diagonal, up) = (table.cost[here - table.width - 1], table.cost[here - table.width]);
            let mut best = insert_or_delete(left + 1.0, up + 1.0);
            let is_match = word.form == other.form;
            if is_match {
                best = (diagonal, single(Kind::Match));
            } else if word.lower == other.lower {
                if diagonal <= best.0 {
                    best = (diagonal, single(Kind::Substitute));
                }
            } else if diagonal < best.0 {
                // Different letters cost something, so a diagonal that is no better cannot win. They are compared first,
                // since this needs no annotation.
                if !is_prepared {
                    pattern.set(source.chars(i));
                    is_prepared = true;
                }
                let letters = pattern.indel(target.chars(j));
                if diagonal + letters <= best.0 {
                    let substitution = diagonal + (distance(source, i, target, j) + letters);
                    best = if substitution <= best.0 { (substitution, single(Kind::Substitute)) } else { best };
                }
            }
            let can_be_even = nearly.is_some() || (i >= other.first as usize && j >= word.first as usize);
            if !is_match && can_be_even && (i as i64 - j as i64).abs() as f64 + 1.0 <= best.0 {
                let likeness = nearly.as_mut().map(|near| (near, source, target));
                let transposition = transposition(table, balance, likeness, band, (i, j), best.0)?;
                best = transposition.filter(|(cost, _)| *cost <= best.0).unwrap_or(best);
            }
            (table.cost[here], table.step[here]) = best;
            left = best.0;
        }
        if end < all {
            table.cost[start + 1 + others.len()] = f64::INFINITY;
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

/// The step of a cell within the common beginning, see [`Table`].
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

/// The shortest window of two or more tokens that ends in tokens i and j and contains the same words on both sides. The
/// search follows the diagonal until a match and stops if the window would cost more than `most`. Err: the result
/// depends on cells that are not certain.
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
                // Expensive whatever is found, and so is the cell.
                (true, _) => Ok(None),
                (false, true) => Err(Doubt),
                (false, false) => Ok(Some((outer + k as f64, Step { kind: Kind::Transpose, length: k as u32 + 1 }))),
            };
        }
    }
    Ok(None)
}

/// Which forms of two sentences are nearly the same, computed for each pair on first use.
#[derive(Default)]
struct Near {
    known: HashMap<(u32, u32), bool>,
}

impl Near {
    /// Whether this number of tokens from i and from j on is nearly the same in an order that moves the first and last.
    fn is_reordering(&mut self, source: &Sentence, i: usize, target: &Sentence, j: usize, tokens: usize) -> bool {
        has_order(tokens, |a, b| {
            let (a, b) = (i + a, j + b);
            let known = self.known.entry((source.form(a), target.form(b)));
            *known.or_insert_with(|| is_near(source.chars(a), target.chars(b)))
        })
    }
}

/// The band is too narrow for a result.
#[derive(Debug)]
struct Doubt;
