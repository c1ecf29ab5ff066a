//! N-grams of sources and references, stored in columns for several hypotheses.

use std::ops::Range;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use super::index::{DistinctToken, Ngram, NgramLookup};
use super::regions::{absent_sum, shared_sum};
use super::tokens::ByteSpan;
use super::versions::VersionNgrams;

/// The ends of a sentence's parts of the columns.
#[derive(Clone, Copy, Default)]
struct ColumnEnds {
    tokens: usize,
    ngrams: usize,
    orders: usize,
    source_spans: usize,
    source_ngrams: usize,
}

/// The n-grams of consecutive sentences in columns.
#[derive(Default)]
pub struct StoredSentences {
    /// The hasher of the tables of all sentences.
    hasher: RandomState,
    /// The table of each sentence; None if the sentence is not stored.
    ids: Vec<Option<HashTable<u32>>>,
    ends: Vec<ColumnEnds>,
    tokens: Vec<DistinctToken>,
    ngrams: Vec<Ngram>,
    /// The ends of the n-grams of each order.
    order_ends: Vec<usize>,
    /// The positions of the source's tokens, and the n-grams that start at them, order by order.
    source_spans: Vec<ByteSpan>,
    source_ngrams: Vec<u32>,
    /// For each sentence `multiplicities[version × n-grams + n-gram]`.
    multiplicities: Vec<i32>,
    /// For each sentence and order |S|, then per reference |R|, |S∩R| and the part of S that is not in R.
    pub sizes: Vec<i32>,
}

/// A stored sentence: see [`StoredSentences`] and [`VersionNgrams`].
#[derive(Clone, Copy)]
pub struct StoredSentence<'a> {
    pub lookup: NgramLookup<'a>,
    order_ends: &'a [usize],
    pub source_spans: &'a [ByteSpan],
    source_ngrams: &'a [u32],
    multiplicities: &'a [i32],
}

impl StoredSentence<'_> {
    /// The n-grams of an order (from 0).
    pub fn ngrams_of(&self, order: usize) -> Range<usize> {
        let end = |order: usize| self.order_ends.get(order).or(self.order_ends.last()).copied().unwrap_or(0);
        order.checked_sub(1).map_or(0, end)..end(order)
    }

    /// The multiplicities of the n-grams of an order in a version.
    pub fn multiplicities(&self, version: usize, order: usize) -> &[i32] {
        let size = self.lookup.ngrams.len();
        &self.multiplicities[version * size..][..size][self.ngrams_of(order)]
    }

    /// The n-grams of an order that start at the tokens of the source.
    pub fn of_source(&self, order: usize) -> &[u32] {
        &self.source_ngrams[order * self.source_spans.len()..][..self.source_spans.len()]
    }
}

/// The number of sums per order: one of the source or hypothesis, and three per reference.
pub fn sums_per_order(versions: usize) -> usize {
    1 + 3 * (versions - 1)
}

impl StoredSentences {
    /// Adds a sentence without its n-grams.
    pub fn skip(&mut self, versions: usize, n: usize) {
        self.ids.push(None);
        self.ends.push(self.ends.last().copied().unwrap_or_default());
        self.sizes.resize(self.sizes.len() + n * sums_per_order(versions), 0);
    }

    /// Adds a sentence, and takes its table. All sentences must be read by the same [`VersionNgrams`].
    pub fn push(&mut self, sentence: &mut VersionNgrams, versions: usize, n: usize) {
        let (orders, size) = (sentence.order_ends.len(), sentence.index.ngrams.len());
        self.hasher.clone_from(&sentence.index.hasher);
        self.ids.push(Some(std::mem::take(&mut sentence.index.ids)));
        self.tokens.extend_from_slice(&sentence.index.tokens);
        self.ngrams.extend_from_slice(&sentence.index.ngrams);
        self.order_ends.extend_from_slice(&sentence.order_ends);
        self.source_spans.extend_from_slice(&sentence.source_spans);
        (0..orders).for_each(|order| self.source_ngrams.extend_from_slice(sentence.of_source(order)));
        for version in 0..versions {
            let start = self.multiplicities.len();
            self.multiplicities.resize(start + size, 0);
            let multiplicities = &mut self.multiplicities[start..];
            for order in 0..orders {
                sentence.occurrences(version, order).iter().for_each(|&ngram| multiplicities[ngram as usize] += 1);
            }
        }
        self.ends.push(ColumnEnds {
            tokens: self.tokens.len(),
            ngrams: self.ngrams.len(),
            orders: self.order_ends.len(),
            source_spans: self.source_spans.len(),
            source_ngrams: self.source_ngrams.len(),
        });
        let mut sizes = std::mem::take(&mut self.sizes);
        if let Some(sentence) = self.sentence(self.ends.len() - 1, versions) {
            for order in 0..n {
                let source = sentence.multiplicities(0, order);
                sizes.push(source.iter().sum());
                for version in 1..versions {
                    let reference = sentence.multiplicities(version, order);
                    sizes.extend([
                        reference.iter().sum(),
                        shared_sum(source, reference),
                        absent_sum(source, reference),
                    ]);
                }
            }
        }
        self.sizes = sizes;
    }

    /// The sentence with this number, if it is stored.
    pub fn sentence(&self, number: usize, versions: usize) -> Option<StoredSentence<'_>> {
        let start = number.checked_sub(1).map_or(ColumnEnds::default(), |previous| self.ends[previous]);
        let end = self.ends[number];
        let lookup = NgramLookup {
            tokens: &self.tokens[start.tokens..end.tokens],
            ngrams: &self.ngrams[start.ngrams..end.ngrams],
            ids: self.ids[number].as_ref()?,
            hasher: &self.hasher,
        };
        Some(StoredSentence {
            lookup,
            order_ends: &self.order_ends[start.orders..end.orders],
            source_spans: &self.source_spans[start.source_spans..end.source_spans],
            source_ngrams: &self.source_ngrams[start.source_ngrams..end.source_ngrams],
            multiplicities: &self.multiplicities[start.ngrams * versions..end.ngrams * versions],
        })
    }
}
