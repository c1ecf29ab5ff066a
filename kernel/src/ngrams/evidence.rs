//! The n-grams behind the counts: every n-gram of a sentence with its number in each region.

use super::grams::Grams;
use super::table::NONE;
use super::{NgramTable, COLUMNS};
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
    let [kept, ud] = [s.min(r).min(h), s.min(h).saturating_sub(r)];
    let [td, ti, od] = [s.saturating_sub(r.max(h)), r.min(h).saturating_sub(s), s.min(r).saturating_sub(h)];
    let [oi, ui] = [h.saturating_sub(s.max(r)), r.saturating_sub(s.max(h))];
    [kept, td, ti, od, oi, ud, ui, if r == 0 { ud } else { 0 }]
}

impl NgramTable {
    /// The evidence of the counts of [`Self::count`], for references that are present.
    ///
    /// Cost: O(tokens of all versions × n × references) expected, and O(n) for the text of each n-gram.
    ///
    /// # Panics
    /// If the number of hypotheses differs from the number of sentences; callers check it.
    pub fn evidence(&self, hypotheses: &Text, threads: usize) -> NgramEvidence {
        assert_eq!(hypotheses.len(), self.len());
        let runs = parallel::blocks(self.len(), threads, |block| {
            let (mut grams, mut found) = (Grams::default(), NgramEvidence::default());
            block.for_each(|s| self.explain(s, hypotheses.line(s), &mut grams, &mut found));
            found
        });
        let mut whole = NgramEvidence::default();
        for run in runs {
            let places: Vec<u32> = run.strings.iter().map(|text| whole.strings.intern(text)).collect();
            whole.rows.extend(run.rows.iter().map(|row| NgramRow { text: places[row.text as usize], ..*row }));
        }
        whole
    }

    fn explain(&self, s: usize, hypothesis: &str, grams: &mut Grams, evidence: &mut NgramEvidence) {
        let mut texts: Vec<&str> = self.texts.iter().map(|text| text.line(s)).collect();
        texts.push(hypothesis);
        grams.read(&texts, self.n, self.unit);
        let places: Vec<u32> =
            (0..grams.grams.len()).map(|gram| evidence.strings.intern(&spelled(grams, &texts, gram))).collect();
        for reference in 1..self.texts.len() {
            if self.texts[reference].get(s).is_none() {
                continue;
            }
            let mut first = 0;
            for (order, &end) in grams.orders.iter().enumerate() {
                for (gram, &text) in places.iter().enumerate().take(end).skip(first) {
                    let times = |version: usize| grams.counts[version * grams.grams.len() + gram] as u32;
                    let numbers = regions(times(0), times(reference), times(texts.len() - 1));
                    for (region, &weight) in numbers.iter().enumerate().filter(|(_, &weight)| weight > 0) {
                        evidence.rows.push(NgramRow {
                            sentence: s as u32,
                            reference: reference as u32 - 1,
                            order: order as u32 + 1,
                            region: region as u32,
                            weight,
                            text,
                        });
                    }
                }
                first = end;
            }
        }
    }
}

/// The tokens of an n-gram, joined by a blank.
fn spelled(grams: &Grams, texts: &[&str], gram: usize) -> String {
    let mut tokens = Vec::new();
    let mut at = gram as u32;
    while at != NONE {
        let own = &grams.grams[at as usize];
        tokens.push(grams.tokens[own.token as usize].text(&|version| texts[version as usize]));
        at = own.parent;
    }
    tokens.reverse();
    tokens.join(" ")
}
