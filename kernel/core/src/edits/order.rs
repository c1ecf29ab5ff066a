//! The edits of every version in the order of the sentence.

use crate::edits::columns::{EditColumns, Row};
use crate::parallel;
use crate::text::words::words;
use crate::text::Text;

/// The fault of an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The edit lies outside its sentence, or ends before it starts.
    Outside,
    /// The edit overlaps an edit of the same version.
    Overlap,
}

/// An edit that cannot be made: edit `edit` of version `version` of its sentence, each counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    pub sentence: usize,
    pub version: usize,
    pub edit: usize,
    pub kind: Kind,
}

/// Version v of the columns has the rows `places[offsets[v]..offsets[v + 1]]`: sorted by span, without overlap and
/// noops; edits of equal span keep their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    pub offsets: Vec<usize>,
    pub places: Vec<u32>,
}

impl Default for Order {
    fn default() -> Self {
        Self { offsets: vec![0], places: Vec::new() }
    }
}

impl Order {
    /// The rows of a version, in order.
    pub fn rows<'a>(&'a self, edits: &'a EditColumns, version: usize) -> impl Iterator<Item = &'a Row> {
        let places = &self.places[self.offsets[version]..self.offsets[version + 1]];
        places.iter().map(|&place| &edits.rows[place as usize])
    }

    fn append(&mut self, other: &Order) {
        let done = self.places.len();
        self.places.extend_from_slice(&other.places);
        self.offsets.extend(other.offsets[1..].iter().map(|offset| done + offset));
    }
}

/// Whether the span lies in a sentence of this length and does not end before it starts.
pub fn fits(row: &Row, length: usize) -> bool {
    0 <= row.start && row.start <= row.end && row.end as usize <= length
}

/// Adds the indices of a version's edits that `counts` accepts, by position and without noops, to `places`. Err: the
/// number, in its version, of the first edit that cannot be made.
pub fn order_version(
    edits: &EditColumns,
    version: usize,
    length: usize,
    counts: impl Fn(usize) -> bool,
    places: &mut Vec<u32>,
) -> Result<(), (usize, Kind)> {
    let first = edits.offsets[version];
    let begin = places.len();
    for (at, row) in edits.edits_of(version).iter().enumerate() {
        if !counts(first + at) || edits.is_noop(row) {
            continue;
        }
        if !fits(row, length) {
            return Err((at, Kind::Outside));
        }
        places.push((first + at) as u32);
    }
    let place = |place: u32| &edits.rows[place as usize];
    places[begin..].sort_by_key(|&at| (place(at).start, place(at).end));
    for pair in places[begin..].windows(2) {
        if place(pair[1]).start < place(pair[0]).end {
            return Err((pair[1] as usize - first, Kind::Overlap));
        }
    }
    Ok(())
}

/// The number of tokens of every sentence. Cost: O(bytes).
pub fn lengths(source: &Text, threads: usize) -> Vec<u32> {
    let mut lengths = vec![0; source.len()];
    parallel::chunks(&mut lengths, 1, threads, || (), |s, slot, ()| slot[0] = words(source.line(s)).count() as u32);
    lengths
}

/// All edits in order; sentence s has `lengths[s]` tokens. Cost: O(E log E) for the E edits of a version.
///
/// Err: the first edit that cannot be made.
pub fn in_order(lengths: &[u32], edits: &EditColumns, threads: usize) -> Result<Order, Fault> {
    let parts = parallel::blocks(lengths.len(), threads, |block| {
        let mut part = Order::default();
        for sentence in block {
            let versions = edits.versions_of(sentence);
            for version in versions.clone() {
                let fault = |(edit, kind)| Fault { sentence, version: version - versions.start, edit, kind };
                order_version(edits, version, lengths[sentence] as usize, |_| true, &mut part.places).map_err(fault)?;
                part.offsets.push(part.places.len());
            }
        }
        Ok(part)
    });
    let mut order = Order::default();
    for part in parts {
        order.append(&part?);
    }
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

    fn faults(edits: &[(i32, i32, &str)]) -> (usize, Kind) {
        let fault = in_order(&[4], &columns(edits), 1).unwrap_err();
        (fault.edit, fault.kind)
    }

    #[test]
    fn edits_are_sorted_and_noops_go() {
        let edits = columns(&[(3, 4, "X"), (1, 2, "X"), (0, 4, "noop"), (-1, -1, "X"), (1, 1, "X"), (2, 2, "X")]);
        let order = in_order(&[4], &edits, 1).unwrap();
        assert_eq!((order.offsets, order.places), (vec![0, 4], vec![4, 1, 5, 0]));
    }

    #[test]
    fn what_cannot_be_made_is_found() {
        assert_eq!(faults(&[(0, 1, "X"), (3, 5, "X")]), (1, Kind::Outside));
        assert_eq!(faults(&[(2, 1, "X")]), (0, Kind::Outside));
        assert_eq!(faults(&[(-1, 1, "X")]), (0, Kind::Outside));
        assert_eq!(faults(&[(2, 3, "X"), (0, 3, "X")]), (0, Kind::Overlap));
        assert_eq!(faults(&[(1, 3, "X"), (2, 2, "X")]), (1, Kind::Overlap));
    }
}
