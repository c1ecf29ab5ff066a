//! Edits in columns: all versions (annotators, references, a system) of all sentences of a block.
//!
//! Sentence s has the versions `versions[s]..versions[s + 1]`, and version v the edits `offsets[v]..offsets[v + 1]`, in
//! the order of reading or extraction. Types and corrections are indices of a table of distinct strings.

use std::ops::Range;

use crate::error::Error;
use crate::text::strings::Strings;
use crate::text::words::{is_space, words};

pub const DELETE: &str = "-NONE-";
/// The type of a noop.
pub const NOOP: &str = "noop";

/// One edit: replaces source tokens `start..end` by `text` as written in the file, see [`EditColumns::correction`]. A
/// noop has the type `noop` or the span -1 -1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EditRow {
    pub start: i32,
    pub end: i32,
    pub kind: u32,
    pub text: u32,
}

impl EditRow {
    /// The edit with indices of another table of strings.
    fn with_ids(&self, new_ids: &[u32]) -> Self {
        Self { kind: new_ids[self.kind as usize], text: new_ids[self.text as usize], ..*self }
    }
}

/// The alternatives of a correction in M2, stripped; `-NONE-` becomes the empty string.
pub fn alternatives(written: &str) -> impl Iterator<Item = &str> {
    written.split("||").map(strip)
}

fn strip(text: &str) -> &str {
    match text.trim_matches(is_space) {
        DELETE => "",
        text => text,
    }
}

/// The annotator of a version, and (start, end, type, text) of each edit.
pub type VersionRows = (i32, Vec<(i32, i32, String, String)>);

/// An edit that adds 1 to a column of counts, with indices of the evidence's table of strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvidenceRow {
    pub sentence: usize,
    /// The reference, the annotator, or the pair of versions.
    pub reference: usize,
    pub column: u8,
    /// Whether it is an edit of the reference.
    pub is_gold: bool,
    pub edit: EditRow,
}

/// Appends the tokens of `span` with ordered changes to `changed`.
pub fn apply<'a>(
    tokens: &[&'a str],
    span: Range<usize>,
    changes: impl Iterator<Item = (Range<usize>, &'a str)>,
    changed: &mut Vec<&'a str>,
) {
    let mut next = span.start;
    for (range, text) in changes {
        changed.extend_from_slice(&tokens[next..range.start]);
        changed.extend(words(text));
        next = range.end;
    }
    changed.extend_from_slice(&tokens[next..span.end]);
}

#[derive(Clone, Debug)]
pub struct EditColumns {
    pub versions: Vec<usize>,
    /// The annotator of each version.
    pub annotator: Vec<i32>,
    pub offsets: Vec<usize>,
    pub rows: Vec<EditRow>,
    pub strings: Strings,
    /// Whether the edits were extracted from text, where `||` is a token; in M2 it separates alternatives.
    pub literal: bool,
}

impl Default for EditColumns {
    fn default() -> Self {
        let (versions, offsets) = (vec![0], vec![0]);
        Self { versions, annotator: Vec::new(), offsets, rows: Vec::new(), strings: Strings::default(), literal: false }
    }
}

impl EditColumns {
    /// An empty table of edits extracted from text.
    pub fn new_from_text() -> Self {
        Self { literal: true, ..Self::default() }
    }

    /// The first alternative of an edit, stripped; empty for a deletion (`-NONE-`).
    pub fn correction(&self, row: &EditRow) -> &str {
        let written = self.strings.get(row.text);
        if self.literal {
            strip(written)
        } else {
            alternatives(written).next().unwrap_or_default()
        }
    }

    /// The source tokens of an edit, and the text that replaces them.
    pub fn change(&self, row: &EditRow) -> (Range<usize>, &str) {
        (row.start as usize..row.end as usize, self.correction(row))
    }

    /// Whether the edit is a noop.
    pub fn is_noop(&self, row: &EditRow) -> bool {
        (row.start, row.end) == (-1, -1) || self.strings.get(row.kind) == NOOP
    }

    pub fn sentences(&self) -> usize {
        self.versions.len() - 1
    }

    /// The versions of a sentence.
    pub fn versions_of(&self, sentence: usize) -> Range<usize> {
        self.versions[sentence]..self.versions[sentence + 1]
    }

    /// The edits of a version.
    pub fn edits_of(&self, version: usize) -> &[EditRow] {
        &self.rows[self.offsets[version]..self.offsets[version + 1]]
    }

    /// The versions of sentences.
    pub fn new(sentences: &[Vec<VersionRows>], literal: bool) -> Self {
        let mut columns = Self { literal, ..Self::default() };
        for versions in sentences {
            for (annotator, edits) in versions {
                edits.iter().for_each(|(start, end, kind, text)| columns.push(*start, *end, kind, text));
                columns.end_version(*annotator);
            }
            columns.end_sentence();
        }
        columns
    }

    /// Adds an edit to the current version; `end_version` completes it.
    pub fn push(&mut self, start: i32, end: i32, kind: &str, text: &str) {
        let (kind, text) = (self.strings.intern(kind), self.strings.intern(text));
        self.rows.push(EditRow { start, end, kind, text });
    }

    /// The sentences of several parts, extracted from text. O(edits).
    pub fn concatenated<'a>(parts: impl Iterator<Item = &'a Self>) -> Self {
        let mut columns = Self::new_from_text();
        parts.for_each(|part| columns.append(part));
        columns.shrink_to_fit();
        columns
    }

    fn append(&mut self, part: &Self) {
        let (versions, rows) = (self.annotator.len(), self.rows.len());
        let new_ids: Vec<u32> = part.strings.iter().map(|text| self.strings.intern(text)).collect();
        self.versions.extend(part.versions[1..].iter().map(|offset| versions + offset));
        self.annotator.extend(&part.annotator);
        self.offsets.extend(part.offsets[1..].iter().map(|offset| rows + offset));
        self.rows.extend(part.rows.iter().map(|row| row.with_ids(&new_ids)));
    }

    /// The versions of all parts, which have the same sentences; a version gets the index of its part as annotator.
    /// Err: parts differ in the number of sentences or in `literal`. O(edits).
    pub fn merged_versions(parts: &[&Self]) -> Result<Self, Error> {
        let is_uniform = |are_alike: fn(&Self, &Self) -> bool| parts.windows(2).all(|pair| are_alike(pair[0], pair[1]));
        let unequal = "edits of unequally many sentences cannot stand beside each other";
        Error::check_arguments(is_uniform(|part, next| part.sentences() == next.sentences()), unequal)?;
        let mixed = "edits of M2 and edits found in text cannot stand beside each other";
        Error::check_arguments(is_uniform(|part, next| part.literal == next.literal), mixed)?;
        let mut columns = Self { literal: parts.first().is_some_and(|part| part.literal), ..Self::default() };
        let new_ids: Vec<Vec<u32>> =
            parts.iter().map(|part| part.strings.iter().map(|text| columns.strings.intern(text)).collect()).collect();
        for sentence in 0..parts.first().map_or(0, |part| part.sentences()) {
            for (annotator, part) in parts.iter().enumerate() {
                for version in part.versions_of(sentence) {
                    columns.rows.extend(part.edits_of(version).iter().map(|row| row.with_ids(&new_ids[annotator])));
                    columns.end_version(annotator as i32);
                }
            }
            columns.end_sentence();
        }
        Ok(columns)
    }

    /// The same versions with the edits that `keep` selects by index. Err: another number of edits. O(edits).
    pub fn kept(&self, keep: &[bool]) -> Result<Self, Error> {
        Error::check_arguments(keep.len() == self.rows.len(), "a bool for each edit is required")?;
        let rows = self.rows.iter().zip(keep).filter_map(|(row, &is_kept)| is_kept.then_some(*row)).collect();
        let before: Vec<usize> = std::iter::once(0)
            .chain(keep.iter().scan(0, |number, &is_kept| {
                *number += usize::from(is_kept);
                Some(*number)
            }))
            .collect();
        let offsets = self.offsets.iter().map(|&offset| before[offset]).collect();
        Ok(Self { rows, offsets, ..self.clone() })
    }

    fn shrink_to_fit(&mut self) {
        self.versions.shrink_to_fit();
        self.annotator.shrink_to_fit();
        self.offsets.shrink_to_fit();
        self.rows.shrink_to_fit();
    }

    /// Approximate size in bytes.
    pub fn bytes(&self) -> usize {
        8 * (self.versions.len() + self.offsets.len())
            + 4 * self.annotator.len()
            + 16 * self.rows.len()
            + self.strings.bytes()
    }

    pub fn end_version(&mut self, annotator: i32) {
        self.annotator.push(annotator);
        self.offsets.push(self.rows.len());
    }

    pub fn end_sentence(&mut self) {
        self.versions.push(self.annotator.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrections_are_first_alternatives_or_literal() {
        let correction = |literal, written: &str| {
            let edits = EditColumns { literal, ..single_edit("X", written) };
            edits.correction(&edits.rows[0]).to_string()
        };
        let written = [" a  b ||c", "-NONE-", "", " -NONE- ||x", "||x"];
        assert_eq!(written.map(|text| correction(false, text)), ["a  b", "", "", "", ""]);
        assert_eq!(written.map(|text| correction(true, text)), ["a  b ||c", "", "", "-NONE- ||x", "||x"]);
    }

    #[test]
    fn kept_edits_stay_in_their_versions() {
        let mut edits = EditColumns::default();
        edits.push(0, 1, "R:NOUN", "cats");
        edits.push(2, 2, "M:DET", "the");
        edits.end_version(0);
        edits.push(0, 1, "R:NOUN", "dogs");
        edits.end_version(1);
        edits.end_sentence();
        let kept = edits.kept(&[false, true, false]).unwrap();
        assert_eq!((&kept.versions, &kept.annotator), (&edits.versions, &edits.annotator));
        assert_eq!((kept.edits_of(0), kept.edits_of(1)), (&edits.edits_of(0)[1..], &[][..]));
        assert!(edits.kept(&[true]).is_err());
    }

    #[test]
    fn pushed_edits_belong_to_their_versions() {
        let mut edits = EditColumns::default();
        edits.push(0, 1, "R:NOUN", "cats");
        edits.push(2, 2, "M:DET", "the");
        edits.end_version(0);
        edits.end_version(3);
        edits.end_sentence();
        edits.end_sentence();
        assert_eq!((edits.sentences(), edits.versions_of(0), edits.versions_of(1)), (2, 0..2, 2..2));
        assert_eq!(edits.edits_of(1), []);
        let row = edits.edits_of(0)[1];
        assert_eq!((edits.strings.get(row.kind), edits.strings.get(row.text)), ("M:DET", "the"));
        assert_eq!(edits.annotator, [0, 3]);
    }

    fn single_edit(kind: &str, text: &str) -> EditColumns {
        let mut edits = EditColumns::default();
        edits.push(0, 1, kind, text);
        edits.end_version(0);
        edits.end_sentence();
        edits
    }

    #[test]
    fn parts_are_concatenated_or_merged_as_versions() {
        let all = EditColumns::concatenated([single_edit("R:NOUN", "a"), single_edit("R:VERB", "a")].iter());
        assert_eq!(all.strings.iter().collect::<Vec<_>>(), ["R:NOUN", "a", "R:VERB"]);
        assert_eq!((all.sentences(), all.versions_of(1), all.edits_of(1)[0].kind), (2, 1..2, 2));
        let merged = EditColumns::merged_versions(&[&single_edit("R:NOUN", "a"), &single_edit("R:VERB", "b")]).unwrap();
        assert_eq!((merged.sentences(), merged.versions_of(0), &merged.annotator[..]), (1, 0..2, &[0, 1][..]));
        assert_eq!(merged.strings.get(merged.edits_of(1)[0].text), "b");
    }
}
