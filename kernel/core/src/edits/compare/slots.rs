//! Verdicts on a system for each chunk of the gold, as in GoToScorer (Gotou et al., COLING 2020).
//!
//! The edits of one version split a sentence into chunks: each edit, each token outside them, and an empty slot before
//! each of these and at the end unless there is an insertion.

use std::ops::Range;

use crate::edits::columns::EditColumns;
use crate::edits::order::{order_edits, sentence_lengths};
use crate::error::Error;
use crate::parallel;
use crate::text::words::words;
use crate::text::Text;

/// A span of the source: an edit, by its row in the columns, or unchanged tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotChunk {
    pub start: i32,
    pub end: i32,
    pub edit: Option<u32>,
}

impl SlotChunk {
    fn is_insertion(&self) -> bool {
        self.start == self.end
    }

    /// Whether one of the chunks starts inside the other.
    fn touches(&self, other: &Self) -> bool {
        (self.start..self.end).contains(&other.start) || (other.start..other.end).contains(&self.start)
    }

    /// The text of the chunk, given the tokens of the sentence.
    fn text<'a>(&self, edits: &'a EditColumns, tokens: &[&'a str]) -> &'a str {
        match self.edit {
            Some(row_id) => edits.correction(&edits.rows[row_id as usize]),
            None if self.is_insertion() => "",
            None => tokens[self.start as usize],
        }
    }
}

/// Whether a system is right in a chunk of the gold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    pub right: bool,
    /// The first edit of the system that touches it, if any.
    pub modified_by: Option<u32>,
}

/// The chunks of one version of each sentence: sentence s has `chunks[offsets[s]..offsets[s + 1]]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SlotChunks {
    pub offsets: Vec<usize>,
    pub chunks: Vec<SlotChunk>,
}

/// Appends the chunks of a sentence of this length, given the indices of its edits in order.
fn split_sentence(length: i32, edits: &EditColumns, row_ids: impl Iterator<Item = u32>, chunks: &mut Vec<SlotChunk>) {
    // Whether an insertion fills the empty slot at the position.
    let (mut position, mut is_filled) = (0, false);
    for row_id in row_ids.map(Some).chain([None]) {
        let row = row_id.map(|id| edits.rows[id as usize]);
        let (start, end) = row.map_or((length, length), |row| (row.start, row.end));
        for token in position..start {
            if !is_filled {
                chunks.push(SlotChunk { start: token, end: token, edit: None });
            }
            chunks.push(SlotChunk { start: token, end: token + 1, edit: None });
            is_filled = false;
        }
        if !is_filled && (start < end || row_id.is_none()) {
            chunks.push(SlotChunk { start, end: start, edit: None });
        }
        if row_id.is_some() {
            chunks.push(SlotChunk { start, end, edit: row_id });
        }
        (position, is_filled) = (end, start == end);
    }
}

/// The chunks of every sentence by its version `versions[s]` (negative: without edits), without edits of the types
/// `exclude`. O(tokens + E log E). Err: the first edit that cannot be applied, or a version of another sentence.
pub fn split_sentences(
    source: &Text,
    edits: &EditColumns,
    versions: &[i64],
    exclude: &[String],
    threads: usize,
) -> Result<SlotChunks, Error> {
    let is_consistent = edits.sentences() == source.len() && versions.len() == source.len();
    Error::check_arguments(
        is_consistent,
        format_args!("{} sentences require the same number of versions", source.len()),
    )?;
    let versions: Vec<Option<usize>> = versions.iter().map(|&version| usize::try_from(version).ok()).collect();
    let is_of_sentence =
        |(s, version): (usize, &Option<usize>)| version.is_none_or(|version| edits.versions_of(s).contains(&version));
    Error::check_arguments(versions.iter().enumerate().all(is_of_sentence), "a version belongs to another sentence")?;
    let lengths = sentence_lengths(source, threads)?;
    let order = order_edits(&lengths, edits, threads)?;
    let excluded: Vec<u32> = exclude.iter().filter_map(|name| edits.strings.number(name)).collect();
    let mut slots = SlotChunks { offsets: vec![0], chunks: Vec::new() };
    for (&length, version) in lengths.iter().zip(versions) {
        let row_ids = version.map_or(&[][..], |version| order.row_ids_of(version));
        let counted = row_ids.iter().copied().filter(|&id| !excluded.contains(&edits.rows[id as usize].kind));
        split_sentence(length as i32, edits, counted, &mut slots.chunks);
        slots.offsets.push(slots.chunks.len());
    }
    Ok(slots)
}

/// The verdict on each chunk of the gold of one sentence.
///
/// A chunk of the system with the same span and text makes it right. Otherwise a chunk with the same span, or one that
/// touches it, makes it wrong; no chunk touches an empty slot. An untouched chunk is right unless it is an edit.
fn judge(gold: &[SlotChunk], system: &[SlotChunk], texts: [&EditColumns; 2], tokens: &[&str]) -> Vec<Verdict> {
    let mut first = 0;
    let verdict = |gold_chunk: &SlotChunk| {
        while system[first].end < gold_chunk.start {
            first += 1;
        }
        let mut is_wrong = false;
        let mut modified_by = None;
        for chunk in system[first..].iter().take_while(|chunk| chunk.start <= gold_chunk.end) {
            if (chunk.start, chunk.end) == (gold_chunk.start, gold_chunk.end) {
                if words(chunk.text(texts[1], tokens)).eq(words(gold_chunk.text(texts[0], tokens))) {
                    return Verdict { right: true, modified_by: chunk.edit };
                }
            } else if gold_chunk.is_insertion() || !gold_chunk.touches(chunk) {
                continue;
            }
            is_wrong = true;
            modified_by = modified_by.or(chunk.edit);
        }
        Verdict { right: !is_wrong && gold_chunk.edit.is_none(), modified_by }
    };
    gold.iter().map(verdict).collect()
}

/// The verdict on every chunk of the gold, given the chunks of both. O(tokens), except for many insertions at one
/// position.
pub fn verdicts(
    source: &Text,
    (gold, gold_edits): (&SlotChunks, &EditColumns),
    (system, system_edits): (&SlotChunks, &EditColumns),
    threads: usize,
) -> Result<Vec<Verdict>, Error> {
    let judge_block = |block: Range<usize>| {
        let mut verdicts = Vec::new();
        for s in block {
            let tokens: Vec<&str> = words(source.line(s)).collect();
            let [gold, system] = [gold, system].map(|slots| &slots.chunks[slots.offsets[s]..slots.offsets[s + 1]]);
            verdicts.extend(judge(gold, system, [gold_edits, system_edits], &tokens));
        }
        Ok(verdicts)
    };
    Ok(parallel::map_blocks(source.len(), threads, judge_block)?.concat())
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
        let slots = split_sentences(&Text::new([Some("a b")]), &columns(edits), &[0], &[], 1).unwrap();
        slots.chunks.iter().map(|chunk| (chunk.start, chunk.end)).collect()
    }

    #[test]
    fn slots_separate_chunks_except_insertions() {
        assert_eq!(spans(&[]), [(0, 0), (0, 1), (1, 1), (1, 2), (2, 2)]);
        assert_eq!(spans(&[(0, 2, "x")]), [(0, 0), (0, 2), (2, 2)]);
        assert_eq!(spans(&[(1, 1, "x"), (1, 1, "y"), (2, 2, "z")]), [(0, 0), (0, 1), (1, 1), (1, 1), (1, 2), (2, 2)]);
    }

    #[test]
    fn verdicts_depend_on_span_and_text() {
        let source = Text::new([Some("a b c")]);
        let judged = |gold: &[(i32, i32, &str)], system: &[(i32, i32, &str)]| {
            let (gold, system) = (columns(gold), columns(system));
            let split = |edits| split_sentences(&source, edits, &[0], &[], 1).unwrap();
            let verdicts = verdicts(&source, (&split(&gold), &gold), (&split(&system), &system), 1).unwrap();
            verdicts.iter().map(|verdict| (verdict.right, verdict.modified_by.is_some())).collect::<Vec<_>>()
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
