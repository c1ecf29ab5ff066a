//! Source, references and one hypothesis counted at once, in the memory of one sentence.

use super::grams::Grams;
use super::rows::{absent_sum, shared_sum, Rows, Sums, COLUMNS};
use super::tokens::Unit;
use super::window::narrow;

/// The current sentence, whose n-grams are not stored.
#[derive(Default)]
pub struct Together<'a> {
    pub texts: Vec<&'a str>,
    grams: Grams,
    /// The multiplicity of each n-gram of an order in both hypothesis and source.
    kept: Vec<i32>,
}

impl Together<'_> {
    /// Only the number of tokens that all versions share at both ends matters, since they are kept; the n-grams that
    /// are not in a reference are looked up in full.
    pub fn count(&mut self, unit: Unit, rows: &mut Rows) {
        let absent = rows.columns == COLUMNS.len();
        let common = if absent { 0 } else { narrow(&mut self.texts, rows.n, unit) };
        self.grams.read(&self.texts, rows.n, unit);
        let hypothesis = self.texts.len() - 1;
        for order in 0..rows.n {
            let counts = |version: usize| self.grams.counts_of(version, order);
            let size = |version: usize| self.grams.size(version, order) + common;
            let (source, own) = (counts(0), counts(hypothesis));
            self.kept.clear();
            self.kept.extend(source.iter().zip(own).map(|(&s, &h)| s.min(h)));
            let (s, h, sh) = (size(0), size(hypothesis), common + self.kept.iter().sum::<i32>());
            for version in 1..hypothesis {
                let reference = counts(version);
                let [sr, rh, srh] = [source, own, &self.kept].map(|other| common + shared_sum(reference, other));
                let absent = if absent { absent_sum(&self.kept, reference) } else { 0 };
                rows.write(version - 1, order, Sums { s, r: size(version), h, sr, sh, rh, srh, absent });
            }
        }
    }
}
