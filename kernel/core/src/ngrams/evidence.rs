//! Evidence of the counts: each n-gram of a sentence with its number in each region.

use super::index::{DistinctToken, NgramIndex, NONE};
use super::versions::VersionNgrams;
use super::{NgramTable, COLUMNS};
use crate::error::Error;
use crate::parallel;
use crate::text::strings::Strings;
use crate::text::Text;

/// `weight` n-grams of an order (from 1) in a region of [`COLUMNS`]; `text` is an index of the strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NgramRow {
    pub sentence: u32,
    pub reference: u32,
    pub order: u32,
    pub region: u32,
    pub weight: u32,
    pub text: u32,
}

/// Rows by sentence, reference, order and first appearance in source, references and hypothesis.
#[derive(Default)]
pub struct NgramEvidence {
    pub rows: Vec<NgramRow>,
    pub strings: Strings,
}

/// The regions of one n-gram with these multiplicities in source, reference and hypothesis.
fn regions(s: u32, r: u32, h: u32) -> [u32; COLUMNS.len()] {
    let [tk, ud] = [s.min(r).min(h), s.min(h).saturating_sub(r)];
    let [td, ti, od] = [s.saturating_sub(r.max(h)), r.min(h).saturating_sub(s), s.min(r).saturating_sub(h)];
    let [oi, ui] = [h.saturating_sub(s.max(r)), r.saturating_sub(s.max(h))];
    [tk, td, ti, od, oi, ud, ui, if r == 0 { ud } else { 0 }]
}

impl NgramTable {
    /// The evidence of the counts of [`Self::count`], for references that are present.
    ///
    /// `longest`: only the n-grams up to this order that source, reference and hypothesis do not share.
    ///
    /// Expected cost: O(tokens of all versions × n), O(tokens of source and hypothesis × n × references), and O(n) for
    /// the text of each n-gram. Err: the first sentence whose n-grams do not fit in memory.
    ///
    /// # Panics
    /// If the number of hypotheses differs from the number of sentences; callers check it.
    pub fn evidence(&self, hypotheses: &Text, longest: Option<usize>, threads: usize) -> Result<NgramEvidence, Error> {
        assert_eq!(hypotheses.len(), self.len());
        self.check(Some(hypotheses))?;
        let blocks = parallel::map_blocks(self.len(), threads, |block| {
            let (mut ngrams, mut evidence) = (VersionNgrams::default(), NgramEvidence::default());
            for s in block {
                self.explain(s, hypotheses, longest, &mut ngrams, &mut evidence)?;
            }
            Ok(evidence)
        })?;
        let mut evidence = NgramEvidence::default();
        for block in blocks {
            let texts: Vec<u32> = block.strings.iter().map(|text| evidence.strings.intern(text)).collect();
            evidence.rows.extend(block.rows.iter().map(|row| NgramRow { text: texts[row.text as usize], ..*row }));
        }
        Ok(evidence)
    }

    fn explain(
        &self,
        s: usize,
        hypotheses: &Text,
        longest: Option<usize>,
        ngrams: &mut VersionNgrams,
        evidence: &mut NgramEvidence,
    ) -> Result<(), Error> {
        let versions: Vec<&str> = self.texts.iter().chain([hypotheses]).map(|text| text.line(s)).collect();
        let n = longest.map_or(self.n, |longest| longest.min(self.n));
        ngrams.read(&versions, n, self.unit).ok_or_else(|| self.too_large(s, Some(hypotheses)))?;
        let mut texts = vec![NONE; ngrams.index.ngrams.len()];
        let hypothesis = versions.len() - 1;
        // The multiplicities of each n-gram in source, hypothesis and the current reference.
        let mut multiplicities = vec![[0; 3]; texts.len()];
        // The n-grams of source and hypothesis, by order.
        let mut fixed = vec![Vec::new(); ngrams.order_ends.len()];
        for (order, fixed) in fixed.iter_mut().enumerate() {
            for (version, index) in [(0, 0), (hypothesis, 1)] {
                for &ngram in ngrams.occurrences(version, order) {
                    if multiplicities[ngram as usize] == [0; 3] {
                        fixed.push(ngram);
                    }
                    multiplicities[ngram as usize][index] += 1;
                }
            }
            fixed.sort_unstable();
        }
        let mut present = Vec::new();
        for reference in 1..hypothesis {
            if self.texts[reference].get(s).is_none() {
                continue;
            }
            for (order, fixed) in fixed.iter().enumerate() {
                present.clone_from(fixed);
                for &ngram in ngrams.occurrences(reference, order) {
                    if multiplicities[ngram as usize] == [0; 3] {
                        present.push(ngram);
                    }
                    multiplicities[ngram as usize][2] += 1;
                }
                present.sort(); // stable: fast for two sequences, the first of which is sorted
                for &ngram in &present {
                    let [in_source, in_hypothesis, in_reference] = &mut multiplicities[ngram as usize];
                    let weights = regions(*in_source, std::mem::take(in_reference), *in_hypothesis);
                    let first = usize::from(longest.is_some()); // without the n-grams that all share
                    for (region, &weight) in weights.iter().enumerate().skip(first).filter(|(_, &weight)| weight > 0) {
                        if texts[ngram as usize] == NONE {
                            texts[ngram as usize] = evidence.strings.intern(&text_of(ngram, &ngrams.index, &versions));
                        }
                        evidence.rows.push(NgramRow {
                            sentence: s as u32,
                            reference: reference as u32 - 1,
                            order: order as u32 + 1,
                            region: region as u32,
                            weight,
                            text: texts[ngram as usize],
                        });
                    }
                }
            }
        }
        Ok(())
    }
}

/// The tokens of an n-gram, joined by a blank.
fn text_of(mut ngram: u32, index: &NgramIndex, versions: &[&str]) -> String {
    let mut tokens = Vec::new();
    while ngram != NONE {
        let DistinctToken { version, span } = index.tokens[index.ngrams[ngram as usize].token as usize];
        tokens.push(&versions[version as usize][span.start as usize..span.end as usize]);
        ngram = index.ngrams[ngram as usize].parent;
    }
    tokens.reverse();
    tokens.join(" ")
}
