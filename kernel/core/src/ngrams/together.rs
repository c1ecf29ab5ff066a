//! Source, references and one hypothesis counted at once, in the memory of one sentence.

use std::collections::TryReserveError;

use super::grams::Grams;
use super::rows::{Rows, Sums, COLUMNS};
use super::tokens::Unit;
use super::window::narrow;

/// The multiplicities of an n-gram.
#[derive(Clone, Copy, Default)]
struct Cell {
    source: i32,
    hypothesis: i32,
    /// In the current reference, up to the current token.
    reference: i32,
}

impl Cell {
    /// The multiplicity in both hypothesis and source.
    fn kept(&self) -> i32 {
        self.source.min(self.hypothesis)
    }
}

/// The current sentence, whose n-grams are not stored.
#[derive(Default)]
pub struct Together<'a> {
    pub texts: Vec<&'a str>,
    grams: Grams,
    cells: Vec<Cell>,
}

impl Together<'_> {
    /// Only the number of tokens that all versions share at both ends matters, since they are kept; the n-grams that
    /// are not in a reference are looked up in full. Expected O(tokens × n), also in memory. Err: not enough memory.
    pub fn count(&mut self, unit: Unit, rows: &mut Rows) -> Result<(), TryReserveError> {
        let is_full = rows.columns == COLUMNS.len();
        let common = if is_full { 0 } else { narrow(&mut self.texts, rows.n, unit) };
        self.grams.read(&self.texts, rows.n, unit)?;
        let Self { texts, grams, cells } = self;
        cells.clear();
        cells.try_reserve(grams.grams.len())?;
        cells.resize(grams.grams.len(), Cell::default());
        let hypothesis = texts.len() - 1;
        for order in 0..rows.n {
            let size = |version: usize| grams.size(version, order) + common;
            let (s, h, mut sh) = (size(0), size(hypothesis), common);
            grams.occurrences(0, order).iter().for_each(|&gram| cells[gram as usize].source += 1);
            for &gram in grams.occurrences(hypothesis, order) {
                let cell = &mut cells[gram as usize];
                sh += i32::from(cell.hypothesis < cell.source);
                cell.hypothesis += 1;
            }
            for version in 1..hypothesis {
                let occurrences = grams.occurrences(version, order);
                let (mut sr, mut rh, mut srh, mut absent) = (common, common, common, sh);
                for &gram in occurrences {
                    let cell = &mut cells[gram as usize];
                    sr += i32::from(cell.reference < cell.source);
                    rh += i32::from(cell.reference < cell.hypothesis);
                    srh += i32::from(cell.reference < cell.kept());
                    absent -= if cell.reference == 0 { cell.kept() } else { 0 };
                    cell.reference += 1;
                }
                occurrences.iter().for_each(|&gram| cells[gram as usize].reference = 0);
                rows.write(version - 1, order, Sums { s, r: size(version), h, sr, sh, rh, srh, absent });
            }
        }
        Ok(())
    }
}
