//! The n-grams of the versions of a sentence: source, references and possibly a hypothesis.

use std::ops::Range;

use super::index::{DistinctToken, NgramIndex, NONE};
use super::tokens::{count_tokens, for_each_token, shared_ends, ByteSpan, SharedEnds, TokenUnit};

/// Memory for more n-grams than this is reserved first, so that missing memory is an error and not an abort.
const MAX_UNRESERVED: usize = 1 << 20;

/// Position of a version's tokens among the tokens of all versions, and numbers of tokens at its ends that the source
/// shares.
#[derive(Clone, Copy, Default)]
struct VersionTokens {
    start: usize,
    length: usize,
    prefix: usize,
    suffix: usize,
}

/// Numbers of n-grams of one order in a version: all, and those within the tokens shared with the source at its ends.
pub struct NgramStarts {
    pub all: usize,
    pub prefix: usize,
    pub suffix: usize,
}

impl NgramStarts {
    pub fn new(order: usize, tokens: usize, prefix: usize, suffix: usize) -> Self {
        let starts = |tokens: usize| (tokens + 1).saturating_sub(order);
        Self { all: starts(tokens), prefix: starts(prefix), suffix: starts(suffix) }
    }

    /// The starts outside the shared tokens.
    pub fn unshared(&self) -> Range<usize> {
        self.prefix..self.all - self.suffix
    }
}

/// The n-grams of the versions of one sentence, in memory reused for all sentences.
#[derive(Default)]
pub struct VersionNgrams {
    pub index: NgramIndex,
    /// The n-grams of order k + 1 are the ones before `order_ends[k]`, after order k. May end before order n.
    pub order_ends: Vec<usize>,
    /// The positions of the tokens of the source.
    pub source_spans: Vec<ByteSpan>,
    versions: Vec<VersionTokens>,
    /// The tokens of all versions.
    token_ids: Vec<u32>,
    /// The n-grams that start at these tokens, order by order.
    ngram_ids: Vec<u32>,
}

impl VersionNgrams {
    /// The n-grams of an order (from 0) that start at the tokens of the source.
    pub fn of_source(&self, order: usize) -> &[u32] {
        &self.ngram_ids[order * self.token_ids.len()..][..self.source_spans.len()]
    }

    /// The n-grams of an order (from 0) in a version, in the order of the text.
    pub fn occurrences(&self, version: usize, order: usize) -> &[u32] {
        let VersionTokens { start, length, .. } = self.versions[version];
        let size = if order < self.order_ends.len() { length.saturating_sub(order) } else { 0 };
        self.ngram_ids.get(order * self.token_ids.len() + start..).map_or(&[], |ids| &ids[..size])
    }

    /// The number of n-grams of an order (from 0) in a version.
    pub fn size(&self, version: usize, order: usize) -> i32 {
        self.versions[version].length.saturating_sub(order) as i32
    }

    /// Numbers the n-grams of orders 1..=n. Expected O(tokens × n), also in memory. None: not enough memory.
    pub fn read(&mut self, texts: &[&str], n: usize, unit: TokenUnit) -> Option<()> {
        let is_large = texts.iter().map(|text| text.len()).sum::<usize>().saturating_mul(n) > MAX_UNRESERVED;
        // An estimate: words have at least five bytes, and versions are similar.
        let expected_tokens = texts.iter().map(|text| text.len()).max().unwrap_or(0) / 4;
        self.index.clear(if is_large { 0 } else { expected_tokens });
        self.order_ends.clear();
        self.source_spans.clear();
        self.versions.clear();
        self.token_ids.clear();
        self.ngram_ids.clear();
        if is_large {
            self.reserve(texts.iter().map(|text| count_tokens(text, unit)).sum(), n)?;
        }
        self.number_tokens(texts, unit);
        self.ngram_ids.extend_from_slice(&self.token_ids);
        for order in 1..=n {
            let lower_orders = self.order_ends.last().copied().unwrap_or(0);
            if order > 1 {
                self.ngram_ids.resize(order * self.token_ids.len(), NONE);
                (0..texts.len()).for_each(|version| self.extend_version(texts, version, order));
            }
            if self.index.ngrams.len() == lower_orders {
                break;
            }
            self.order_ends.push(self.index.ngrams.len());
        }
        Some(())
    }

    /// Reserves the memory for at most this number of tokens. None: not enough memory.
    fn reserve(&mut self, tokens: usize, n: usize) -> Option<()> {
        self.index.reserve(tokens, tokens * n)?;
        self.source_spans.try_reserve_exact(tokens).ok()?;
        self.token_ids.try_reserve_exact(tokens).ok()?;
        self.ngram_ids.try_reserve_exact(tokens * n).ok()
    }

    fn number_tokens(&mut self, texts: &[&str], unit: TokenUnit) {
        for (version, &text) in texts.iter().enumerate() {
            let start = self.token_ids.len();
            let SharedEnds { prefix, suffix, middle } = shared_ends(texts[0], &self.source_spans, text, unit);
            self.token_ids.extend_from_within(..prefix);
            for_each_token(&text[middle], unit, |token| self.number_token(texts, version, token));
            self.token_ids.extend_from_within(self.source_spans.len() - suffix..self.source_spans.len());
            let length = self.token_ids.len() - start;
            let (prefix, suffix) = if version == 0 { (0, 0) } else { (prefix, suffix) };
            self.versions.push(VersionTokens { start, length, prefix, suffix });
        }
    }

    #[inline]
    fn number_token(&mut self, texts: &[&str], version: usize, token: &str) {
        let start = (token.as_ptr() as usize - texts[version].as_ptr() as usize) as u32;
        let span = ByteSpan { start, end: start + token.len() as u32 };
        let token = DistinctToken { version: version as u32, span };
        self.token_ids.push(self.index.add_token(&|version| texts[version as usize], token));
        if version == 0 {
            self.source_spans.push(span);
        }
    }

    /// Extends a version's n-grams of the previous order by one token.
    fn extend_version(&mut self, texts: &[&str], version: usize, order: usize) {
        let VersionTokens { start, length, prefix, suffix } = self.versions[version];
        let starts = NgramStarts::new(order, length, prefix, suffix);
        let unshared = start + starts.unshared().start..start + starts.unshared().end;
        let (lower_orders, extensions) = self.ngram_ids.split_at_mut((order - 1) * self.token_ids.len());
        let parents = &lower_orders[(order - 2) * self.token_ids.len()..][unshared.clone()];
        let tokens = self.token_ids.iter().skip(unshared.start + order - 1);
        for ((extension, &parent), &token) in extensions[unshared.clone()].iter_mut().zip(parents).zip(tokens) {
            *extension = self.index.add_extension(&|version| texts[version as usize], parent, token);
        }
        extensions.copy_within(..starts.prefix, start);
        let source_end = (self.source_spans.len() + 1).saturating_sub(order);
        extensions.copy_within(source_end - starts.suffix..source_end, unshared.end);
    }
}
