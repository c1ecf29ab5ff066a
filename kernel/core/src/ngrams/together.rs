//! Counts of sentences whose n-grams are not stored, in the memory of one sentence.

use super::rows::{OverlapSums, RegionRows, COLUMNS};
use super::tokens::TokenUnit;
use super::versions::VersionNgrams;
use super::window::narrow;

/// Multiplicities of an n-gram.
#[derive(Clone, Copy, Default)]
struct Multiplicities {
    source: i32,
    hypothesis: i32,
    /// In the current reference, up to the current token.
    reference: i32,
}

impl Multiplicities {
    /// The multiplicity in both source and hypothesis.
    fn shared(&self) -> i32 {
        self.source.min(self.hypothesis)
    }
}

/// Counts sentences one by one, in memory that a thread reuses.
#[derive(Default)]
pub struct SentenceCounter<'a> {
    /// The source, the references and the hypothesis.
    pub texts: Vec<&'a str>,
    ngrams: VersionNgrams,
    multiplicities: Vec<Multiplicities>,
}

impl SentenceCounter<'_> {
    /// Writes the rows of the sentence. Expected O(tokens × n), also in memory. None: not enough memory.
    pub fn count(&mut self, unit: TokenUnit, rows: &mut RegionRows) -> Option<()> {
        // Only the regions can be computed without the tokens that all versions share at both ends.
        let has_absent = rows.columns == COLUMNS.len();
        let common = if has_absent { 0 } else { narrow(&mut self.texts, rows.n, unit) };
        self.ngrams.read(&self.texts, rows.n, unit)?;
        let Self { texts, ngrams, multiplicities } = self;
        let distinct = ngrams.index.ngrams.len();
        multiplicities.clear();
        multiplicities.try_reserve(distinct).ok()?;
        multiplicities.resize(distinct, Multiplicities::default());
        let hypothesis = texts.len() - 1;
        for order in 0..rows.n {
            let size = |version: usize| ngrams.size(version, order) + common;
            let (s, h, mut sh) = (size(0), size(hypothesis), common);
            ngrams.occurrences(0, order).iter().for_each(|&ngram| multiplicities[ngram as usize].source += 1);
            for &ngram in ngrams.occurrences(hypothesis, order) {
                let ngram = &mut multiplicities[ngram as usize];
                sh += i32::from(ngram.hypothesis < ngram.source);
                ngram.hypothesis += 1;
            }
            for reference in 1..hypothesis {
                let occurrences = ngrams.occurrences(reference, order);
                let (mut sr, mut rh, mut srh, mut absent) = (common, common, common, sh);
                for &ngram in occurrences {
                    let ngram = &mut multiplicities[ngram as usize];
                    sr += i32::from(ngram.reference < ngram.source);
                    rh += i32::from(ngram.reference < ngram.hypothesis);
                    srh += i32::from(ngram.reference < ngram.shared());
                    absent -= if ngram.reference == 0 { ngram.shared() } else { 0 };
                    ngram.reference += 1;
                }
                occurrences.iter().for_each(|&ngram| multiplicities[ngram as usize].reference = 0);
                rows.write(reference - 1, order, OverlapSums { s, r: size(reference), h, sr, sh, rh, srh, absent });
            }
        }
        Some(())
    }
}
