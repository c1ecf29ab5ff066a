//! Linguistically weighted Damerau-Levenshtein alignment with transpositions (Felice, Bryant & Briscoe 2016),
//! with the costs and the order of ties of errant 3.

mod balance;
pub mod distance;
pub mod lines;
pub mod near;
mod table;

use std::ops::Range;

use foldhash::HashMap;

use self::balance::WordBalance;
pub use self::table::MAX_CELLS;
use self::table::{insert_or_delete, single, AlignStep, AlignTable, DiagonalBand};
use crate::edits::align::distance::{WordBits, MAX_BITS};
use crate::edits::align::near::{has_order, is_near, MAX_REORDERED};
use crate::edits::annotated::{AnnotatedPair, AnnotatedSentence, SpanPair};
use crate::edits::labels::pos;
use crate::edits::rules::RuleSet;
use crate::error::Error;
use crate::interrupt;

const LEMMA_COST: f64 = 0.499;
const OPEN_POS_COST: f64 = 0.25;
const POS_COST: f64 = 0.5;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperationKind {
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
    pub kind: OperationKind,
    pub span: SpanPair,
}

/// Aligns sentences, with tables that are reused.
#[derive(Default)]
pub struct Aligner {
    table: AlignTable,
    /// The words of both sentences.
    words: [Vec<AlignWord>; 2],
    balance: WordBalance,
    /// The last position of each word in the source up to the current row, or `NEVER`.
    last_in_source: Vec<i64>,
    /// The diagonals of the band, by j - i plus the number of source tokens.
    diagonals: Vec<DiagonalState>,
    bits: WordBits,
    /// Cache of near forms, if the rules need it.
    near: Option<NearForms>,
    operations: Vec<Operation>,
}

/// The properties of a token that every cell reads.
#[derive(Clone, Copy)]
struct AlignWord {
    form: u32,
    /// Number of the lower-cased word in the pair; the form if case matters.
    lower: u32,
}

/// A position that is further away than all others.
const NEVER: i64 = i64::MIN / 2;

/// Upper bound of the rounding error of sums in a table.
const ROUNDING: f64 = 1e-6;

impl Aligner {
    /// The cheapest operations from source to target; the common end, which consists of matches, is omitted. With
    /// `plain` all costs are 1 and nothing is transposed (Levenshtein). The rules for Czech transpose up to
    /// [`MAX_REORDERED`] tokens if they are nearly the same in another order. `Ok(None)`: more than [`MAX_CELLS`]
    /// cells of up to [`MAX_BITS`] letters, or not enough memory.
    ///
    /// Cost: O(n m) cells without the common beginning and end. With the Czech rules each cell may also try the orders
    /// of up to [`MAX_REORDERED`] words.
    pub fn align(
        &mut self,
        AnnotatedPair { source, target }: AnnotatedPair,
        plain: bool,
        rules: RuleSet,
    ) -> Result<Option<&[Operation]>, Error> {
        // A cell of equal tokens is always a match, so the trace back begins with the common end.
        let common_end = source.forms.iter().rev().zip(target.forms.iter().rev()).take_while(|(a, b)| a == b).count();
        let source = AnnotatedSentence { forms: &source.forms[..source.len() - common_end], ..source };
        let target = AnnotatedSentence { forms: &target.forms[..target.len() - common_end], ..target };
        let common = source.forms.iter().zip(target.forms).take_while(|(a, b)| a == b).count();
        // Distances of long words are computed for 64 letters at a time.
        let parts = |sentence: AnnotatedSentence| -> usize {
            (common..sentence.len()).map(|t| sentence.chars(t).len().div_ceil(MAX_BITS)).sum()
        };
        let is_too_long = !plain && parts(source).saturating_mul(parts(target)) > MAX_CELLS;
        if is_too_long || !self.table.reserve(source.len(), target.len(), common) {
            return Ok(None);
        }
        self.near = (rules == RuleSet::Czech && !plain).then(NearForms::default);
        self.fill(&AnnotatedPair { source, target }, plain)?;
        self.trace();
        self.table.release();
        Ok(Some(&self.operations))
    }

    /// Computes the costs and steps that can matter. A path over diagonal d = j - i costs at least |d| + |m - n - d|,
    /// since only insertions and deletions leave a diagonal and each costs 1. A cell of a more expensive diagonal is
    /// not on a cheapest path and does not affect ties. First a narrow band of diagonals is computed. If its cost does
    /// not exclude other diagonals, a band that is wide enough for this cost is computed, or all cells (see
    /// [`DiagonalBand::certain_cost`]).
    fn fill(&mut self, pair: &AnnotatedPair, plain: bool) -> Result<(), Error> {
        let (n, m) = (pair.source.len(), pair.target.len());
        self.read_words(pair, plain);
        let last_diagonal = m as i64 - n as i64;
        let mut slack = 1;
        while slack < n.min(m) - self.table.common {
            let band = DiagonalBand { last: last_diagonal, slack: slack as i64 };
            if !self.fill_band(pair, band, plain)? {
                slack *= 4;
                continue;
            }
            let cost = self.table.cost(n, m) + ROUNDING;
            if cost < band.cost_outside() {
                return Ok(());
            }
            slack = ((cost - last_diagonal.abs() as f64) / 2.0) as usize;
        }
        let all_diagonals = DiagonalBand { last: last_diagonal, slack: (n + m) as i64 };
        let is_certain = self.fill_band(pair, all_diagonals, plain)?;
        assert!(is_certain, "a band of all diagonals is wide enough");
        Ok(())
    }

    fn read_words(&mut self, AnnotatedPair { source, target }: &AnnotatedPair, plain: bool) {
        let Aligner { words: [source_words, target_words], balance, .. } = self;
        source_words.clear();
        target_words.clear();
        if plain {
            let word = |&form: &u32| AlignWord { form, lower: form };
            source_words.extend(source.forms.iter().map(word));
            target_words.extend(target.forms.iter().map(word));
            return;
        }
        balance.prepare(source, target);
        let word = |(&form, &lower)| AlignWord { form, lower };
        source_words.extend(source.forms.iter().zip(&balance.source).map(word));
        target_words.extend(target.forms.iter().zip(&balance.target).map(word));
    }

    /// Fills the rows of a band; false if the band is too narrow for a row.
    fn fill_band(&mut self, pair: &AnnotatedPair, band: DiagonalBand, plain: bool) -> Result<bool, Error> {
        self.diagonals.clear();
        self.diagonals.resize(pair.source.len() + pair.target.len() + 1, DiagonalState::default());
        self.last_in_source.clear();
        self.last_in_source.resize(self.balance.words(), NEVER);
        for (i, word) in self.words[0][..self.table.common].iter().enumerate().filter(|_| !plain) {
            self.last_in_source[word.lower as usize] = i as i64;
        }
        for i in self.table.common..pair.source.len() {
            interrupt::check_interrupt_sometimes()?;
            if self.fill_row(pair, i, band, plain).is_err() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The costs and steps of a source token in a band. Ties prefer transposition, substitution, insertion and
    /// deletion, in this order.
    ///
    /// Steps that cannot be cheapest are skipped: a substitution of words that differ in more than case costs at least
    /// the cost of lemma and POS; a step that ends d tokens off the main diagonal costs at least d, so a transposition
    /// costs at least d + 1. Sums of floats preserve these orders.
    fn fill_row(
        &mut self,
        pair: &AnnotatedPair,
        i: usize,
        band: DiagonalBand,
        plain: bool,
    ) -> Result<(), UncertainCell> {
        let Aligner {
            table, words: [source_words, target_words], balance, last_in_source, diagonals, bits, near, ..
        } = self;
        let common = table.common;
        let Range { start: first, end } = band.columns(i, common, target_words.len());
        let start = (i - common + 1) * table.width + first - common;
        if first > common {
            table.costs[start] = f64::INFINITY;
        }
        let word = source_words[i];
        let row_words = &target_words[first..end];
        let mut last_in_target = NEVER;
        if !plain {
            last_in_source[word.lower as usize] = i as i64;
            let last_before_row = target_words[..first].iter().rposition(|target_word| target_word.lower == word.lower);
            last_in_target = last_before_row.map_or(NEVER, |j| j as i64);
        }
        let mut is_set = false;
        let mut left = table.costs[start];
        for ((j, cell), target_word) in (first..).zip(start + 1..).zip(row_words) {
            let (diagonal, up) = (table.costs[cell - table.width - 1], table.costs[cell - table.width]);
            let mut best = insert_or_delete(left + 1.0, up + 1.0);
            let is_match = word.form == target_word.form;
            if is_match {
                best = (diagonal, single(OperationKind::Match));
            } else if word.lower == target_word.lower {
                if diagonal <= best.0 {
                    best = (diagonal, single(OperationKind::Substitute));
                }
            } else if diagonal < best.0 && plain {
                best = (diagonal + 1.0, single(OperationKind::Substitute));
            } else if diagonal < best.0 {
                // Different letters cost more than 0, so an equal diagonal is not cheaper. Letters are compared first,
                // because this needs no annotation.
                if !is_set {
                    bits.set(pair.source.chars(i));
                    is_set = true;
                }
                let letter_distance = bits.distance(pair.target.chars(j));
                if diagonal + letter_distance <= best.0 {
                    let substitution = diagonal + (annotation_distance(pair, i, j) + letter_distance);
                    if substitution <= best.0 {
                        best = (substitution, single(OperationKind::Substitute));
                    }
                }
            }
            if word.lower == target_word.lower {
                last_in_target = j as i64;
            }
            if !(is_match || plain) {
                // A transposition of k + 1 words contains the word of each side on the other side, too.
                let to_last_in_source = i as i64 - last_in_source[target_word.lower as usize];
                let to_last_words = to_last_in_source.max(j as i64 - last_in_target);
                let min_k = if near.is_some() { 1 } else { to_last_words.max(1) };
                if ((i as i64 - j as i64).abs() + min_k) as f64 <= best.0 {
                    let near = near.as_mut().map(|near| (near, pair));
                    let diagonal = &mut diagonals[source_words.len() + j - i];
                    diagonal.update(table, band, (i, j));
                    let transposition = transposition(table, balance, near, diagonal, (i, j), min_k as usize, best.0)?;
                    best = transposition.filter(|(cost, _)| *cost <= best.0).unwrap_or(best);
                }
            }
            (table.costs[cell], table.steps[cell]) = best;
            left = best.0;
        }
        if end < target_words.len() {
            table.costs[start + 1 + row_words.len()] = f64::INFINITY;
        }
        Ok(())
    }

    /// Follows the steps from the last cell to the first one.
    fn trace(&mut self) {
        let (mut i, mut j) = (self.words[0].len(), self.words[1].len());
        self.operations.clear();
        while i + j > 0 {
            let AlignStep { kind, length } = if i > self.table.common && j > self.table.common {
                self.table.step(i, j)
            } else {
                single(self.step_in_common_beginning(i, j))
            };
            let length = length as usize;
            let (deleted, inserted) = match kind {
                OperationKind::Insert => (0, 1),
                OperationKind::Delete => (1, 0),
                _ => (length, length),
            };
            let span = SpanPair { source: i - deleted..i, target: j - inserted..j };
            self.operations.push(Operation { kind, span });
            i -= deleted;
            j -= inserted;
        }
        self.operations.reverse();
    }

    /// The step of a cell within the common beginning, see [`AlignTable`].
    fn step_in_common_beginning(&self, i: usize, j: usize) -> OperationKind {
        if i > 0 && j > 0 {
            let (source, target) = (self.words[0][i - 1], self.words[1][j - 1]);
            if source.form == target.form {
                return OperationKind::Match;
            }
            if source.lower == target.lower {
                return OperationKind::Substitute;
            }
        }
        if j > i {
            OperationKind::Insert
        } else {
            OperationKind::Delete
        }
    }
}

/// The cost of different lemmas and different POS of source token i and target token j.
#[inline]
fn annotation_distance(AnnotatedPair { source, target }: &AnnotatedPair, i: usize, j: usize) -> f64 {
    let lemma = if source.lemma(i) == target.lemma(j) { 0.0 } else { LEMMA_COST };
    let pos = if source.pos(i) == target.pos(j) {
        0.0
    } else if source.pos_class(i) & pos::OPEN != 0 && target.pos_class(j) & pos::OPEN != 0 {
        OPEN_POS_COST
    } else {
        POS_COST
    };
    lemma + pos
}

/// The last steps along a diagonal that limit transpositions, by their source tokens.
#[derive(Clone, Default)]
struct DiagonalState {
    /// The end of the steps that were checked.
    checked: usize,
    /// The last step that no transposition crosses: a match, or another step that costs nothing.
    last_free: usize,
    /// The last step after `last_free` whose costs are not certain.
    last_uncertain: usize,
    /// Up to this cost, costs are certain.
    certain_cost: f64,
    /// Number of cells that were searched for the same words.
    searched: usize,
}

impl DiagonalState {
    /// Checks the steps up to cell (i, j).
    fn update(&mut self, table: &AlignTable, band: DiagonalBand, (i, j): (usize, usize)) {
        if self.checked == 0 {
            self.checked = table.common.max((table.common + i).saturating_sub(j));
            self.last_free = self.checked;
            self.certain_cost = band.certain_cost(j as i64 - i as i64);
        }
        for end in (self.checked + 1..=i).rev() {
            let target_end = end + j - i;
            let (inner, outer) = (table.cost(end, target_end), table.cost(end - 1, target_end - 1));
            let is_certain = inner.max(outer) <= self.certain_cost || inner.min(outer) < self.certain_cost;
            if table.is_match(end, target_end) || is_certain && inner == outer {
                self.last_free = end;
                break;
            }
            if !is_certain {
                self.last_uncertain = self.last_uncertain.max(end);
            }
        }
        self.checked = i;
    }
}

/// The shortest window of two or more tokens that ends in tokens i and j and contains the same words on both sides. The
/// window crosses no step of the diagonal that costs nothing, and costs at most `max_cost`. Err: the result depends on
/// cells whose costs are not certain.
fn transposition(
    table: &AlignTable,
    balance: &mut WordBalance,
    near: Option<(&mut NearForms, &AnnotatedPair)>,
    diagonal: &mut DiagonalState,
    (i, j): (usize, usize),
    min_k: usize,
    max_cost: f64,
) -> Result<Option<(f64, AlignStep)>, UncertainCell> {
    // A window of k + 1 tokens costs k.
    let max_k = ((max_cost - i.abs_diff(j) as f64) as usize).min(i - diagonal.last_free);
    if max_k < min_k {
        return Ok(None);
    }
    let min_k = if near.is_some() { MAX_REORDERED } else { min_k };
    let reordered = near.and_then(|(near, pair)| {
        (1..MAX_REORDERED.min(max_k + 1)).find(|&k| near.is_reordering(pair, i - k, j - k, k + 1))
    });
    let same_words = || {
        balance.shortest_window((i + 1, j + 1), min_k + 1..max_k + 2, &mut diagonal.searched).map(|tokens| tokens - 1)
    };
    let Some(k) = reordered.or_else(same_words) else { return Ok(None) };
    let outer = table.cost(i - k, j - k);
    if outer > diagonal.certain_cost {
        // The cell is too expensive with any result.
        return Ok(None);
    }
    if diagonal.last_uncertain > i - k {
        return Err(UncertainCell);
    }
    Ok(Some((outer + k as f64, AlignStep { kind: OperationKind::Transpose, length: k as u32 + 1 })))
}

/// Whether forms of two sentences are nearly the same, computed lazily and cached.
#[derive(Default)]
struct NearForms {
    is_near: HashMap<(u32, u32), bool>,
}

impl NearForms {
    /// Whether this number of tokens from i and from j on is nearly the same in an order that moves the first and last.
    fn is_reordering(&mut self, pair: &AnnotatedPair, i: usize, j: usize, tokens: usize) -> bool {
        let AnnotatedPair { source, target } = pair;
        has_order(tokens, |a, b| {
            let (s, t) = (i + a, j + b);
            let entry = self.is_near.entry((source.form(s), target.form(t)));
            *entry.or_insert_with(|| is_near(source.chars(s), target.chars(t)))
        })
    }
}

/// The band is too narrow for a result.
#[derive(Debug)]
struct UncertainCell;
