//! The n-grams of sources and references, stored in columns for several hypotheses.

use std::ops::Range;

use foldhash::fast::RandomState;

use super::grams::{Gram, Grams, Index, Token};
use super::rows::{absent_sum, shared_sum};
use super::shared::Span;

/// The ends of the parts of a sentence in the columns of its run.
#[derive(Clone, Copy, Default)]
struct Ends {
    tokens: usize,
    grams: usize,
    words: usize,
    further: usize,
    orders: usize,
    spans: usize,
    places: usize,
    /// Whether the sentence is stored.
    is_kept: bool,
}

/// The n-grams of consecutive sentences in columns.
#[derive(Default)]
pub struct Run {
    /// The hasher of the tables of all sentences.
    hasher: RandomState,
    ends: Vec<Ends>,
    tokens: Vec<Token>,
    grams: Vec<Gram>,
    words: Vec<u32>,
    further: Vec<u32>,
    /// The ends of the n-grams of each order.
    orders: Vec<usize>,
    /// The positions of the source's tokens, and the n-grams that start at them, order by order.
    spans: Vec<Span>,
    places: Vec<u32>,
    /// For each sentence `counts[version × n-grams + n-gram]`.
    counts: Vec<i32>,
    /// For each sentence that is stored, and each order, |S|, then per reference |R|, |S∩R| and the part of S that is not in R.
    pub sizes: Vec<i32>,
}

/// A sentence of a run: see [`Run`] and [`Grams`].
#[derive(Clone, Copy)]
pub struct Sentence<'a> {
    pub index: Index<'a>,
    orders: &'a [usize],
    pub spans: &'a [Span],
    places: &'a [u32],
    counts: &'a [i32],
}

impl Sentence<'_> {
    /// The multiplicities of the n-grams in a version.
    pub fn counts_of(&self, version: usize) -> &[i32] {
        let grams = self.index.grams.len();
        &self.counts[version * grams..(version + 1) * grams]
    }

    /// The n-grams of an order (from 0).
    pub fn grams_of(&self, order: usize) -> Range<usize> {
        let end = |order: usize| self.orders.get(order).or(self.orders.last()).copied().unwrap_or(0);
        order.checked_sub(1).map_or(0, end)..end(order)
    }

    /// The n-grams of an order that start at the tokens of the source.
    pub fn of_source(&self, order: usize) -> &[u32] {
        &self.places[order * self.spans.len()..][..self.spans.len()]
    }
}

/// The number of sums per order: one of the source or hypothesis, and three per reference.
pub fn sums_per_order(versions: usize) -> usize {
    1 + 3 * (versions - 1)
}

/// Reserves memory for a multiple of a column's length.
fn grow<T>(column: &mut Vec<T>, times: usize) {
    column.reserve(column.len() * times);
}

impl Run {
    /// Reserves memory for a multiple of the present sentences.
    pub fn reserve(&mut self, times: usize) {
        grow(&mut self.ends, times);
        grow(&mut self.tokens, times);
        grow(&mut self.grams, times);
        grow(&mut self.words, times);
        grow(&mut self.further, times);
        grow(&mut self.orders, times);
        grow(&mut self.spans, times);
        grow(&mut self.places, times);
        grow(&mut self.counts, times);
        grow(&mut self.sizes, times);
    }

    /// Adds a sentence without its n-grams.
    pub fn skip(&mut self, versions: usize, n: usize) {
        let before = self.ends.last().copied().unwrap_or_default();
        self.ends.push(Ends { is_kept: false, ..before });
        self.sizes.resize(self.sizes.len() + n * sums_per_order(versions), 0);
    }

    /// Adds a sentence. All sentences must be numbered by the same `grams`.
    pub fn push(&mut self, grams: &Grams, versions: usize, n: usize) {
        let index = grams.index();
        self.hasher.clone_from(index.hasher);
        self.tokens.extend_from_slice(index.tokens);
        self.grams.extend_from_slice(index.grams);
        self.words.extend_from_slice(index.words);
        self.further.extend_from_slice(index.further);
        self.orders.extend_from_slice(&grams.orders);
        self.spans.extend_from_slice(&grams.spans);
        (0..grams.orders.len()).for_each(|order| self.places.extend_from_slice(grams.of_source(order)));
        for version in 0..versions {
            let start = self.counts.len();
            self.counts.resize(start + index.grams.len(), 0);
            for order in 0..grams.orders.len() {
                grams.occurrences(version, order).iter().for_each(|&gram| self.counts[start + gram as usize] += 1);
            }
        }
        self.ends.push(Ends {
            tokens: self.tokens.len(),
            grams: self.grams.len(),
            words: self.words.len(),
            further: self.further.len(),
            orders: self.orders.len(),
            spans: self.spans.len(),
            places: self.places.len(),
            is_kept: true,
        });
        let mut sizes = std::mem::take(&mut self.sizes);
        let sentence = self.sentence_at(self.ends.len() - 1, versions);
        for order in 0..n {
            let own = sentence.grams_of(order);
            let source = &sentence.counts_of(0)[own.clone()];
            sizes.push(source.iter().sum());
            for version in 1..versions {
                let reference = &sentence.counts_of(version)[own.clone()];
                sizes.extend([reference.iter().sum(), shared_sum(source, reference), absent_sum(source, reference)]);
            }
        }
        self.sizes = sizes;
    }

    /// A sentence of the run, if it is stored.
    pub fn sentence(&self, at: usize, versions: usize) -> Option<Sentence<'_>> {
        self.ends[at].is_kept.then(|| self.sentence_at(at, versions))
    }

    fn sentence_at(&self, at: usize, versions: usize) -> Sentence<'_> {
        let start = at.checked_sub(1).map_or(Ends::default(), |before| self.ends[before]);
        let end = self.ends[at];
        let index = Index {
            tokens: &self.tokens[start.tokens..end.tokens],
            grams: &self.grams[start.grams..end.grams],
            words: &self.words[start.words..end.words],
            further: &self.further[start.further..end.further],
            hasher: &self.hasher,
        };
        Sentence {
            index,
            orders: &self.orders[start.orders..end.orders],
            spans: &self.spans[start.spans..end.spans],
            places: &self.places[start.places..end.places],
            counts: &self.counts[start.grams * versions..end.grams * versions],
        }
    }
}
