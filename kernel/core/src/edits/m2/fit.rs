//! Edits that fit their sentences, and corrected text.

use std::collections::BTreeSet;

use crate::edits::columns::apply;
use crate::edits::m2::blocks::{Blocks, BlocksBuilder, EditLine};
use crate::edits::order::{fits, order_version};
use crate::error::{Error, Misfit};
use crate::text::words::words;
use crate::text::Text;

/// The lines that fit each sentence; a line that fits no sentence is added to all. Cost: O(sentences · lines).
pub fn share_lines<S: AsRef<str>>(
    sources: &[S],
    lines: &[EditLine],
    builder: &mut BlocksBuilder,
) -> Vec<Vec<EditLine>> {
    let misfits = |source: &S| -> BTreeSet<usize> {
        let length = words(source.as_ref()).count();
        let is_misfit = |line: &EditLine| !fits(&line.row, length) && !builder.is_noop(&line.row);
        (0..lines.len()).filter(|&number| is_misfit(&lines[number])).collect()
    };
    let misfits: Vec<BTreeSet<usize>> = sources.iter().map(misfits).collect();
    let fits_none = |number: &usize| misfits.iter().all(|misfits| misfits.contains(number));
    let fitting_none: BTreeSet<usize> = (0..lines.len()).filter(fits_none).collect();
    misfits.iter().map(|misfits| without(lines, &(misfits - &fitting_none), builder)).collect()
}

/// The lines except the removed ones; a noop replaces the first line of an annotator who loses all.
fn without(lines: &[EditLine], removed: &BTreeSet<usize>, builder: &mut BlocksBuilder) -> Vec<EditLine> {
    let remaining = lines.iter().enumerate().filter(|(number, _)| !removed.contains(number));
    let mut present: BTreeSet<i32> = remaining.map(|(_, line)| line.annotator).collect();
    let mut result = Vec::with_capacity(lines.len());
    for (number, line) in lines.iter().enumerate() {
        if !removed.contains(&number) {
            result.push(*line);
        } else if present.insert(line.annotator) {
            result.push(builder.noop(line.annotator));
        }
    }
    result
}

/// How to correct a sentence without a line of the annotator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// With the first annotator's edits.
    Fallback,
    /// Without changes.
    Plain,
    /// Not at all: the line is missing.
    Absent,
}

impl Blocks {
    pub fn length(&self, block: usize) -> usize {
        words(self.source.line(block)).count()
    }

    /// The blocks with all noops and the edits that `keep` selects by index; an annotator who loses all edits gets a
    /// noop. Err: another number of edits. Cost: O(edits).
    pub fn kept(&self, keep: &[bool]) -> Result<Blocks, Error> {
        Error::check_arguments(keep.len() == self.edits.rows.len(), "a bool for each edit is required")?;
        let builder = self.rebuilt(0..self.len(), |block, lines, extras, builder| {
            let row_ids = self.row_ids_of(block);
            let is_removed = |number: &usize| !keep[row_ids[*number]] && !builder.is_noop(&lines[*number].row);
            let removed: BTreeSet<usize> = (0..lines.len()).filter(is_removed).collect();
            (if removed.is_empty() { lines } else { without(&lines, &removed, builder) }, extras)
        })?;
        Ok(builder.finish(self.source.clone()))
    }

    /// The sentences after the edits (first alternatives) of an annotator in one alignment, with one blank between
    /// tokens. Err: the first edit that overlaps another or does not fit. Cost: O(bytes + edits · log edits).
    pub fn corrected(&self, annotator: i32, missing: Missing, alignment: i32) -> Result<Text, Error> {
        self.applied(alignment, |block| {
            let mut versions = self.edits.versions_of(block);
            let first_version = versions.start;
            match (versions.find(|&version| self.edits.annotator[version] == annotator), missing) {
                (Some(version), _) => Some(Some(version)),
                (None, Missing::Fallback) => Some(Some(first_version)),
                (None, Missing::Plain) => Some(None),
                (None, Missing::Absent) => None,
            }
        })
    }

    /// The sentences after the edits of the annotator with this number; missing in blocks with fewer annotators.
    pub fn version(&self, number: usize) -> Result<Text, Error> {
        self.applied(0, |block| self.edits.versions_of(block).nth(number).map(Some))
    }

    /// The sentences after the edits of the version `pick(block)`: unchanged for Some(None), missing for None.
    fn applied(&self, alignment: i32, pick: impl Fn(usize) -> Option<Option<usize>>) -> Result<Text, Error> {
        let line = |block| pick(block).map(|version| self.line_after(block, version, alignment)).transpose();
        (0..self.len()).map(line).collect::<Result<Vec<_>, _>>().map(Text::new)
    }

    /// The indices of a version's edits of one alignment, see [`order_version`].
    pub fn ordered(&self, version: usize, length: usize, alignment: i32) -> Result<Vec<u32>, (usize, Misfit)> {
        let mut row_ids = Vec::new();
        order_version(&self.edits, version, length, |row| self.alignment[row] == alignment, &mut row_ids)?;
        Ok(row_ids)
    }

    fn line_after(&self, block: usize, version: Option<usize>, alignment: i32) -> Result<String, Error> {
        let tokens: Vec<&str> = words(self.source.line(block)).collect();
        let Some(version) = version else { return Ok(tokens.join(" ")) };
        let first_version = self.edits.versions_of(block).start;
        let error = |(edit, misfit)| Error::Edit { sentence: block, version: version - first_version, edit, misfit };
        let row_ids = self.ordered(version, tokens.len(), alignment).map_err(error)?;
        let changes = row_ids.iter().map(|&id| self.edits.change(&self.edits.rows[id as usize]));
        let mut corrected = Vec::with_capacity(tokens.len());
        apply(&tokens, 0..tokens.len(), changes, &mut corrected);
        Ok(corrected.join(" "))
    }
}
