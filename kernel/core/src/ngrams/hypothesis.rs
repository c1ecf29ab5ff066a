//! A hypothesis compared with stored n-grams.

use super::grams::{token_hash, Starts};
use super::kept::Sentence;
use super::rows::{absent_sum, shared_sum};
use super::shared::{shared, Shared};
use super::table::NONE;
use super::tokens::{for_each_token, Unit};

/// The current hypothesis, in memory that a thread reuses.
#[derive(Default)]
pub struct Scratch {
    prefix: usize,
    suffix: usize,
    ids: Vec<u32>,
    places: Vec<u32>,
    /// The multiplicity of each n-gram of the sentence in the hypothesis, and the tokens shared with the source.
    seen: Vec<i32>,
    kept: Vec<i32>,
    pub sums: Vec<i32>,
}

impl Scratch {
    /// Numbers the tokens of a hypothesis.
    pub fn start<'a>(&mut self, sentence: Sentence, texts: impl Fn(u32) -> &'a str, hypothesis: &str, unit: Unit) {
        let Shared { prefix, suffix, middle } = shared(texts(0), sentence.spans, hypothesis, unit);
        let source = if sentence.spans.is_empty() { &[] } else { sentence.of_source(0) };
        (self.prefix, self.suffix) = (prefix, suffix);
        self.ids.clear();
        self.ids.extend_from_slice(&source[..prefix]);
        for_each_token(&hypothesis[middle], unit, |token| {
            let hash = token_hash(sentence.index.hasher, token);
            self.ids.push(sentence.index.token(&texts, token, hash).unwrap_or(NONE));
        });
        self.ids.extend_from_slice(&source[source.len() - suffix..]);
        self.places.clear();
        self.places.extend_from_slice(&self.ids);
        self.seen.clear();
        self.seen.resize(sentence.index.grams.len(), 0);
    }

    /// The number of the hypothesis' n-grams of the next order (0 for unigrams). Sets `sums` to |S∩H|, then per
    /// reference |R∩H|, |S∩R∩H| and the n-grams of S∩H that are not in R.
    pub fn overlap(&mut self, sentence: Sentence, versions: usize, order: usize) -> i32 {
        let length = self.ids.len().saturating_sub(order);
        let own = sentence.grams_of(order);
        if !own.is_empty() {
            self.extend(sentence, order);
            for &place in self.places[..length].iter().filter(|&&place| place != NONE) {
                self.seen[place as usize] += 1;
            }
        }
        let seen = &self.seen[own.clone()];
        self.kept.clear();
        self.kept.extend(sentence.counts_of(0)[own.clone()].iter().zip(seen).map(|(&s, &h)| s.min(h)));
        self.sums.clear();
        self.sums.push(self.kept.iter().sum());
        for version in 1..versions {
            let reference = &sentence.counts_of(version)[own.clone()];
            let [with, kept] = [shared_sum(reference, seen), shared_sum(reference, &self.kept)];
            self.sums.extend([with, kept, absent_sum(&self.kept, reference)]);
        }
        length as i32
    }

    /// Extends the n-grams of the previous order by one token; shared ones are copied from the source.
    fn extend(&mut self, sentence: Sentence, order: usize) {
        if order == 0 {
            return;
        }
        let starts = Starts::new(order + 1, self.ids.len(), self.prefix, self.suffix);
        for at in starts.own() {
            let (parent, token) = (self.places[at], self.ids[at + order]);
            let known = parent != NONE && token != NONE;
            self.places[at] = if known { sentence.index.extension(parent, token).unwrap_or(NONE) } else { NONE };
        }
        let source = sentence.of_source(order);
        self.places[..starts.prefix].copy_from_slice(&source[..starts.prefix]);
        let end = source.len().saturating_sub(order);
        self.places[starts.own().end..starts.all].copy_from_slice(&source[end - starts.suffix..end]);
    }
}
