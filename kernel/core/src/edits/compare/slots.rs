//! The result of a system for each chunk of the gold, as GoToScorer splits sentences (Gotou et al., COLING 2020).
//!
//! The edits of one version split a sentence into chunks: each edit, each token outside them, and an empty slot before
//! each of these and at the end unless there is an insertion.

use std::ops::Range;

use crate::edits::columns::{EditColumns, Row};
use crate::edits::order::{in_order, lengths, Fault};
use crate::parallel;
use crate::text::words::words;
use crate::text::Text;

/// A span of the source: an edit, by its row in the columns, or unchanged tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    pub start: i32,
    pub end: i32,
    pub edit: Option<u32>,
}

impl Chunk {
    fn slot(at: i32) -> Self {
        Self { start: at, end: at, edit: None }
    }

    fn is_insertion(&self) -> bool {
        self.start == self.end
    }

    /// Whether the start of either lies inside the other.
    fn meets(&self, other: &Self) -> bool {
        (self.start..self.end).contains(&other.start) || (other.start..other.end).contains(&self.start)
    }

    /// Its text, from the words of its sentence.
    fn text<'a>(&self, edits: &'a EditColumns, tokens: &[&'a str]) -> &'a str {
        match self.edit {
            Some(place) => edits.correction(&edits.rows[place as usize]),
            None if self.is_insertion() => "",
            None => tokens[self.start as usize],
        }
    }
}

/// The result of a system for a chunk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    pub right: bool,
    /// The first edit of the system that touches it, if any.
    pub modified_by: Option<u32>,
}

/// The chunks of one version of each sentence: sentence s has `chunks[offsets[s]..offsets[s + 1]]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    pub offsets: Vec<usize>,
    pub chunks: Vec<Chunk>,
}

/// The chunks of a sentence of this length by the ordered edits at these indices.
fn cut_one(length: i32, edits: &EditColumns, places: impl Iterator<Item = u32>, chunks: &mut Vec<Chunk>) {
    let (mut at, mut filled) = (0, false);
    let slot = |at: i32, filled: bool| (!filled).then(|| Chunk::slot(at));
    for place in places {
        let Row { start, end, .. } = edits.rows[place as usize];
        for token in at..start {
            chunks.extend(slot(token, filled));
            chunks.push(Chunk { start: token, end: token + 1, edit: None });
            filled = false;
        }
        if start < end {
            chunks.extend(slot(start, filled));
        }
        chunks.push(Chunk { start, end, edit: Some(place) });
        (at, filled) = (end, start == end);
    }
    for token in at..length {
        chunks.extend(slot(token, filled));
        chunks.push(Chunk { start: token, end: token + 1, edit: None });
        filled = false;
    }
    chunks.extend(slot(length, filled));
}

/// The chunks of every sentence by its version `versions[s]` (None: without edits); edits of the types `exclude` do not
/// count. O(tokens + E log E). Err: the first edit that cannot be made.
pub fn cut(
    source: &Text,
    edits: &EditColumns,
    versions: &[Option<usize>],
    exclude: &[String],
    threads: usize,
) -> Result<Cut, Fault> {
    let lengths = lengths(source, threads);
    let order = in_order(&lengths, edits, threads)?;
    let excluded: Vec<u32> = exclude.iter().filter_map(|name| edits.strings.place(name)).collect();
    let mut cut = Cut { offsets: vec![0], chunks: Vec::new() };
    for (&length, version) in lengths.iter().zip(versions) {
        let places = version.map_or(&[][..], |v| &order.places[order.offsets[v]..order.offsets[v + 1]]);
        let counting = places.iter().copied().filter(|&at| !excluded.contains(&edits.rows[at as usize].kind));
        cut_one(length as i32, edits, counting, &mut cut.chunks);
        cut.offsets.push(cut.chunks.len());
    }
    Ok(cut)
}

/// The results of the system's chunks of one sentence for each chunk of the gold.
///
/// A chunk with the same span and text makes it right. Otherwise a chunk with the same span, or one that meets it,
/// makes it wrong; no chunk meets an empty slot. An untouched chunk is right unless it is an edit.
fn judge(gold: &[Chunk], system: &[Chunk], texts: [&EditColumns; 2], tokens: &[&str]) -> Vec<Verdict> {
    let mut first = 0;
    let one = |chunk: &Chunk| {
        while system[first].end < chunk.start {
            first += 1;
        }
        let mut wrong = false;
        let mut modified_by = None;
        for other in system[first..].iter().take_while(|other| other.start <= chunk.end) {
            if (other.start, other.end) == (chunk.start, chunk.end) {
                if words(other.text(texts[1], tokens)).eq(words(chunk.text(texts[0], tokens))) {
                    return Verdict { right: true, modified_by: other.edit };
                }
            } else if chunk.is_insertion() || !chunk.meets(other) {
                continue;
            }
            wrong = true;
            modified_by = modified_by.or(other.edit);
        }
        Verdict { right: !wrong && chunk.edit.is_none(), modified_by }
    };
    gold.iter().map(one).collect()
}

/// The results of a system for every chunk of the gold, from the chunks of both. O(tokens), except for many insertions
/// at one point.
pub fn verdicts(
    source: &Text,
    (gold, gold_edits): (&Cut, &EditColumns),
    (system, system_edits): (&Cut, &EditColumns),
    threads: usize,
) -> Vec<Verdict> {
    let judged = |block: Range<usize>| {
        let mut found = Vec::new();
        for s in block {
            let tokens: Vec<&str> = words(source.line(s)).collect();
            let of = |cut: &'_ Cut| cut.offsets[s]..cut.offsets[s + 1];
            let (gold, system) = (&gold.chunks[of(gold)], &system.chunks[of(system)]);
            found.extend(judge(gold, system, [gold_edits, system_edits], &tokens));
        }
        found
    };
    parallel::blocks(source.len(), threads, judged).concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(edits: &[(i32, i32, &str)]) -> EditColumns {
        let mut columns = EditColumns::default();
        for &(start, end, text) in edits {
            columns.push(start, end, "X", text);
        }
        columns.end_version(0);
        columns.end_sentence();
        columns
    }

    fn spans(edits: &[(i32, i32, &str)]) -> Vec<(i32, i32)> {
        let cut = cut(&Text::new([Some("a b")]), &columns(edits), &[Some(0)], &[], 1).unwrap();
        cut.chunks.iter().map(|chunk| (chunk.start, chunk.end)).collect()
    }

    #[test]
    fn slots_stand_between_all_but_insertions() {
        assert_eq!(spans(&[]), [(0, 0), (0, 1), (1, 1), (1, 2), (2, 2)]);
        assert_eq!(spans(&[(0, 2, "x")]), [(0, 0), (0, 2), (2, 2)]);
        assert_eq!(spans(&[(1, 1, "x"), (1, 1, "y"), (2, 2, "z")]), [(0, 0), (0, 1), (1, 1), (1, 1), (1, 2), (2, 2)]);
    }

    #[test]
    fn verdicts_follow_the_definition() {
        let source = Text::new([Some("a b c")]);
        let judged = |gold: &[(i32, i32, &str)], system: &[(i32, i32, &str)]| {
            let (gold, system) = (columns(gold), columns(system));
            let cut = |edits| cut(&source, edits, &[Some(0)], &[], 1).unwrap();
            let found = verdicts(&source, (&cut(&gold), &gold), (&cut(&system), &system), 1);
            found.iter().map(|one| (one.right, one.modified_by.is_some())).collect::<Vec<_>>()
        };
        let (right, missed) = ((true, false), (false, false));
        assert_eq!(judged(&[(1, 2, "x")], &[(1, 2, "x")])[3], (true, true));
        assert_eq!(judged(&[(1, 2, "x")], &[]), [right, right, right, missed, right, right, right]);
        assert_eq!(judged(&[(1, 2, "x")], &[(0, 2, "x")])[1..4], [(false, true), right, (false, true)]);
        // An insertion before a token leaves the token right; before a missed edit it counts as an attempt.
        assert_eq!(judged(&[], &[(1, 1, "x")])[2..4], [(false, true), right]);
        assert_eq!(judged(&[(1, 2, "x")], &[(1, 1, "y")])[3], (false, true));
    }
}
