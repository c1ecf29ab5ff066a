//! Comparison of a hypothesis with stored n-grams.

use super::index::NONE;
use super::regions::{absent_sum, shared_sum};
use super::stored::StoredSentence;
use super::tokens::{for_each_token, shared_ends, SharedEnds, TokenUnit};
use super::versions::NgramStarts;

/// N-grams of the current hypothesis, in memory that a thread reuses.
#[derive(Default)]
pub struct HypothesisNgrams {
    /// Numbers of tokens that the hypothesis shares with the source at both ends.
    prefix: usize,
    suffix: usize,
    /// Its tokens, and the n-grams of the current order that start at them; NONE if not in source and references.
    token_ids: Vec<u32>,
    ngram_ids: Vec<u32>,
    /// The multiplicity of each n-gram of the sentence in the hypothesis.
    multiplicities: Vec<i32>,
    /// The multiplicities of the current order that source and hypothesis share.
    shared_with_source: Vec<i32>,
    /// For the current order |S∩H|, then per reference |R∩H|, |S∩R∩H| and the n-grams of S∩H that are not in R.
    pub sums: Vec<i32>,
}

impl HypothesisNgrams {
    /// Numbers the tokens of a hypothesis.
    pub fn start<'a>(
        &mut self,
        sentence: StoredSentence,
        text_of: impl Fn(u32) -> &'a str,
        hypothesis: &str,
        unit: TokenUnit,
    ) {
        let SharedEnds { prefix, suffix, middle } = shared_ends(text_of(0), sentence.source_spans, hypothesis, unit);
        let source = if sentence.source_spans.is_empty() { &[] } else { sentence.of_source(0) };
        (self.prefix, self.suffix) = (prefix, suffix);
        self.token_ids.clear();
        self.token_ids.extend_from_slice(&source[..prefix]);
        for_each_token(&hypothesis[middle], unit, |token| {
            self.token_ids.push(sentence.lookup.token(&text_of, token.as_bytes()).unwrap_or(NONE));
        });
        self.token_ids.extend_from_slice(&source[source.len() - suffix..]);
        self.ngram_ids.clone_from(&self.token_ids);
        self.multiplicities.clear();
        self.multiplicities.resize(sentence.lookup.ngrams.len(), 0);
    }

    /// The number of the hypothesis' n-grams of the next order (0 for unigrams). Updates `sums`.
    pub fn overlap(&mut self, sentence: StoredSentence, versions: usize, order: usize) -> i32 {
        let length = self.token_ids.len().saturating_sub(order);
        let ngrams = sentence.ngrams_of(order);
        if !ngrams.is_empty() {
            self.extend(sentence, order);
            for &ngram in self.ngram_ids[..length].iter().filter(|&&ngram| ngram != NONE) {
                self.multiplicities[ngram as usize] += 1;
            }
        }
        let hypothesis = &self.multiplicities[ngrams];
        let source = sentence.multiplicities(0, order);
        self.shared_with_source.clear();
        self.shared_with_source.extend(source.iter().zip(hypothesis).map(|(&s, &h)| s.min(h)));
        self.sums.clear();
        self.sums.push(self.shared_with_source.iter().sum());
        for version in 1..versions {
            let reference = sentence.multiplicities(version, order);
            let [rh, srh] = [hypothesis, &self.shared_with_source].map(|counts| shared_sum(reference, counts));
            self.sums.extend([rh, srh, absent_sum(&self.shared_with_source, reference)]);
        }
        length as i32
    }

    /// Extends the n-grams of the previous order by one token; shared ones are copied from the source.
    fn extend(&mut self, sentence: StoredSentence, order: usize) {
        if order == 0 {
            return;
        }
        let starts = NgramStarts::new(order + 1, self.token_ids.len(), self.prefix, self.suffix);
        for start in starts.unshared() {
            let (parent, token) = (self.ngram_ids[start], self.token_ids[start + order]);
            let extension =
                if parent == NONE || token == NONE { None } else { sentence.lookup.extension(parent, token) };
            self.ngram_ids[start] = extension.unwrap_or(NONE);
        }
        let source = sentence.of_source(order);
        self.ngram_ids[..starts.prefix].copy_from_slice(&source[..starts.prefix]);
        let source_end = source.len().saturating_sub(order);
        self.ngram_ids[starts.unshared().end..starts.all]
            .copy_from_slice(&source[source_end - starts.suffix..source_end]);
    }
}
