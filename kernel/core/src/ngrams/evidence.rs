//! The n-grams behind the counts: every n-gram of a sentence with its number in each region.

use super::grams::Grams;
use super::table::NONE;
use super::{NgramTable, Refused, COLUMNS};
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
    /// Expected cost: O(tokens of all versions × n), O(tokens of source and hypothesis × n × references), and O(n) for the
    /// text of each n-gram. Err: the first sentence whose n-grams do not fit in memory.
    ///
    /// # Panics
    /// If the number of hypotheses differs from the number of sentences; callers check it.
    pub fn evidence(&self, hypotheses: &Text, threads: usize) -> Result<NgramEvidence, Refused> {
        assert_eq!(hypotheses.len(), self.len());
        let runs = parallel::blocks(self.len(), threads, |block| {
            let (mut grams, mut found) = (Grams::default(), NgramEvidence::default());
            for s in block {
                self.explain(s, hypotheses, &mut grams, &mut found)?;
            }
            Ok(found)
        });
        let mut whole = NgramEvidence::default();
        for run in runs {
            let run: NgramEvidence = run?;
            let places: Vec<u32> = run.strings.iter().map(|text| whole.strings.intern(text)).collect();
            whole.rows.extend(run.rows.iter().map(|row| NgramRow { text: places[row.text as usize], ..*row }));
        }
        Ok(whole)
    }

    fn explain(
        &self,
        s: usize,
        hypotheses: &Text,
        grams: &mut Grams,
        evidence: &mut NgramEvidence,
    ) -> Result<(), Refused> {
        let texts: Vec<&str> = self.texts.iter().chain([hypotheses]).map(|text| text.line(s)).collect();
        grams.read(&texts, self.n, self.unit).map_err(|_| self.too_large(s, Some(hypotheses)))?;
        let places: Vec<u32> =
            (0..grams.grams.len()).map(|gram| evidence.strings.intern(&spelled(grams, &texts, gram))).collect();
        let hypothesis = texts.len() - 1;
        // The multiplicities of each n-gram in source, hypothesis and the current reference.
        let mut multiplicities = vec![[0; 3]; places.len()];
        // The n-grams of source and hypothesis, by order.
        let mut fixed = vec![Vec::new(); grams.orders.len()];
        for (order, fixed) in fixed.iter_mut().enumerate() {
            for (version, index) in [(0, 0), (hypothesis, 1)] {
                for &gram in grams.occurrences(version, order) {
                    if multiplicities[gram as usize] == [0; 3] {
                        fixed.push(gram);
                    }
                    multiplicities[gram as usize][index] += 1;
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
                for &gram in grams.occurrences(reference, order) {
                    if multiplicities[gram as usize] == [0; 3] {
                        present.push(gram);
                    }
                    multiplicities[gram as usize][2] += 1;
                }
                present.sort(); // two runs, of which at least the first is sorted
                for &gram in &present {
                    let [source, hypothesis, reference_times] = &mut multiplicities[gram as usize];
                    let numbers = regions(*source, std::mem::take(reference_times), *hypothesis);
                    for (region, &weight) in numbers.iter().enumerate().filter(|(_, &weight)| weight > 0) {
                        evidence.rows.push(NgramRow {
                            sentence: s as u32,
                            reference: reference as u32 - 1,
                            order: order as u32 + 1,
                            region: region as u32,
                            weight,
                            text: places[gram as usize],
                        });
                    }
                }
            }
        }
        Ok(())
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
