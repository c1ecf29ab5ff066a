//! Order of the edits of each version by position.

use crate::edits::columns::{EditColumns, EditRow};
use crate::error::{Error, Misfit};
use crate::parallel;
use crate::text::words::words;
use crate::text::Text;

/// Version v of the columns has the rows `row_ids[offsets[v]..offsets[v + 1]]`: sorted by span, without overlap and
/// noops; edits of equal span keep their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditOrder {
    pub offsets: Vec<usize>,
    pub row_ids: Vec<u32>,
}

impl Default for EditOrder {
    fn default() -> Self {
        Self { offsets: vec![0], row_ids: Vec::new() }
    }
}

impl EditOrder {
    /// The indices of a version's rows, in order.
    pub fn row_ids_of(&self, version: usize) -> &[u32] {
        &self.row_ids[self.offsets[version]..self.offsets[version + 1]]
    }

    /// The rows of a version, in order.
    pub fn rows<'a>(&'a self, edits: &'a EditColumns, version: usize) -> impl Iterator<Item = &'a EditRow> {
        self.row_ids_of(version).iter().map(|&id| &edits.rows[id as usize])
    }

    fn append(&mut self, part: &EditOrder) {
        let first_new = self.row_ids.len();
        self.row_ids.extend_from_slice(&part.row_ids);
        self.offsets.extend(part.offsets[1..].iter().map(|offset| first_new + offset));
    }
}

/// Whether the span lies in a sentence of this length and does not end before it starts.
pub fn fits(row: &EditRow, length: usize) -> bool {
    0 <= row.start && row.start <= row.end && row.end as usize <= length
}

/// Appends the indices of a version's edits for which `is_counted`, by position and without noops, to `row_ids`. Err:
/// the number in its version of the first edit that cannot be applied.
pub fn order_version(
    edits: &EditColumns,
    version: usize,
    length: usize,
    is_counted: impl Fn(usize) -> bool,
    row_ids: &mut Vec<u32>,
) -> Result<(), (usize, Misfit)> {
    let first_row = edits.offsets[version];
    let first_new = row_ids.len();
    for (edit, row) in edits.edits_of(version).iter().enumerate() {
        if !is_counted(first_row + edit) || edits.is_noop(row) {
            continue;
        }
        if !fits(row, length) {
            return Err((edit, Misfit::Outside));
        }
        row_ids.push((first_row + edit) as u32);
    }
    let row = |id: u32| &edits.rows[id as usize];
    row_ids[first_new..].sort_by_key(|&id| (row(id).start, row(id).end));
    for pair in row_ids[first_new..].windows(2) {
        if row(pair[1]).start < row(pair[0]).end {
            return Err((pair[1] as usize - first_row, Misfit::Overlap));
        }
    }
    Ok(())
}

/// The number of tokens of every sentence. Cost: O(bytes).
pub fn sentence_lengths(source: &Text, threads: usize) -> Result<Vec<u32>, Error> {
    let length = |s| words(source.line(s)).count() as u32;
    Ok(parallel::map_blocks(source.len(), threads, |block| Ok(block.map(length).collect::<Vec<_>>()))?.concat())
}

/// All edits in order; sentence s has `lengths[s]` tokens. Cost: O(E log E) for the E edits of a version.
///
/// Err: the first edit that cannot be applied.
pub fn order_edits(lengths: &[u32], edits: &EditColumns, threads: usize) -> Result<EditOrder, Error> {
    let parts = parallel::map_blocks(lengths.len(), threads, |block| {
        let mut part = EditOrder::default();
        for sentence in block {
            let versions = edits.versions_of(sentence);
            for version in versions.clone() {
                let error = |(edit, misfit)| Error::Edit { sentence, version: version - versions.start, edit, misfit };
                order_version(edits, version, lengths[sentence] as usize, |_| true, &mut part.row_ids)
                    .map_err(error)?;
                part.offsets.push(part.row_ids.len());
            }
        }
        Ok(part)
    })?;
    let mut order = EditOrder::default();
    parts.iter().for_each(|part| order.append(part));
    Ok(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(edits: &[(i32, i32, &str)]) -> EditColumns {
        let mut columns = EditColumns::default();
        for &(start, end, kind) in edits {
            columns.push(start, end, kind, "x");
        }
        columns.end_version(0);
        columns.end_sentence();
        columns
    }

    fn misfit(edits: &[(i32, i32, &str)]) -> (usize, Misfit) {
        match order_edits(&[4], &columns(edits), 1) {
            Err(Error::Edit { sentence: 0, version: 0, edit, misfit }) => (edit, misfit),
            result => panic!("{result:?}"),
        }
    }

    #[test]
    fn edits_are_sorted_without_noops() {
        let edits = columns(&[(3, 4, "X"), (1, 2, "X"), (0, 4, "noop"), (-1, -1, "X"), (1, 1, "X"), (2, 2, "X")]);
        let order = order_edits(&[4], &edits, 1).unwrap();
        assert_eq!((order.offsets, order.row_ids), (vec![0, 4], vec![4, 1, 5, 0]));
    }

    #[test]
    fn first_invalid_edit_is_reported() {
        assert_eq!(misfit(&[(0, 1, "X"), (3, 5, "X")]), (1, Misfit::Outside));
        assert_eq!(misfit(&[(2, 1, "X")]), (0, Misfit::Outside));
        assert_eq!(misfit(&[(-1, 1, "X")]), (0, Misfit::Outside));
        assert_eq!(misfit(&[(2, 3, "X"), (0, 3, "X")]), (0, Misfit::Overlap));
        assert_eq!(misfit(&[(1, 3, "X"), (2, 2, "X")]), (1, Misfit::Overlap));
    }
}
