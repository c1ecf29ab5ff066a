//! Comparison of two tables of edits as in ERRANT: for each pair of versions of a sentence, edits in both (true
//! positives), only in the first (false positives), and only in the second (false negatives).
//!
//! Edits are compared by `EditKey`; edits of one version with the same key count as one. A match and a miss count once
//! per reference edit with that key, a false positive once per hypothesis edit. Keys whose first edit is a noop are
//! skipped.

pub mod slots;

use foldhash::HashSet;

use crate::edits::columns::{EditColumns, EditRow, EvidenceRow, DELETE, NOOP};
use crate::error::{zeros, Error};
use crate::parallel;
use crate::text::strings::Strings;
use crate::text::words::words;

/// When two edits are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Span and correction.
    Correction,
    /// Span, correction and type.
    Typed,
    Span,
    /// Each token of the span; an insertion is an error of the token to its right.
    Token,
}

/// All edits, only edits of at most one token on either side, or only others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    All,
    Single,
    Multi,
}

/// Which edits count, and when two are equal.
#[derive(Clone, Copy, Debug)]
pub struct Matching<'a> {
    pub mode: Mode,
    pub size: Size,
    /// Types of edits that do not count.
    pub exclude: &'a [String],
}

/// Maximum number of tokens inside the edits of one version when tokens are compared.
pub const MAX_TOKENS: usize = 1 << 22;

/// Stands for the index of a string that is in neither table.
const MISSING: u32 = u32::MAX;
/// The type of an error without a correction, which matters only for detection.
const UNKNOWN: &str = "UNK";

/// The key of an edit; parts that the mode ignores are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct EditKey {
    start: i32,
    end: i32,
    kind: u32,
    text: u32,
}

/// An edit with its key (in mode `Token` one of its tokens). Type and text are indices of the strings of the first
/// table followed by the second's.
#[derive(Clone, Copy, Debug)]
struct KeyedEdit {
    key: EditKey,
    /// Its index in its version.
    position: u32,
    kind: u32,
    text: u32,
}

impl KeyedEdit {
    fn row(&self) -> EditRow {
        EditRow { start: self.key.start, end: self.key.end, kind: self.kind, text: self.text }
    }
}

/// The strings of two tables, the first followed by the second; strings in both have the index in the first.
struct JointStrings<'a> {
    matching: Matching<'a>,
    first: &'a Strings,
    second: &'a Strings,
    /// The index of each string of the second table.
    second_ids: Vec<u32>,
    excluded: HashSet<u32>,
    noop: u32,
    delete: u32,
    empty: u32,
}

impl<'a> JointStrings<'a> {
    /// O(bytes of the second table's strings).
    fn new(first: &'a Strings, second: &'a Strings, matching: Matching<'a>) -> Self {
        let from_second = |id: u32| first.len() as u32 + id;
        let second_ids =
            (0..).zip(second.iter()).map(|(id, text)| first.number(text).unwrap_or(from_second(id))).collect();
        let id_of = |text: &str| first.number(text).or(second.number(text).map(from_second));
        let [noop, delete, empty] = [NOOP, DELETE, ""].map(|text| id_of(text).unwrap_or(MISSING));
        let unknown = matches!(matching.mode, Mode::Correction | Mode::Typed).then_some(UNKNOWN);
        let excluded = matching.exclude.iter().map(|text| &**text).chain(unknown).filter_map(id_of).collect();
        Self { matching, first, second, second_ids, excluded, noop, delete, empty }
    }

    fn text(&self, id: u32) -> &str {
        match id.checked_sub(self.first.len() as u32) {
            Some(second_id) => self.second.get(second_id),
            None => self.first.get(id),
        }
    }

    fn is_counted(&self, row: &EditRow, kind: u32, text: u32) -> bool {
        !self.excluded.contains(&kind)
            && (self.matching.size == Size::All
                || self.is_single(row.end.saturating_sub(row.start), text) == (self.matching.size == Size::Single))
    }

    fn is_single(&self, length: i32, text: u32) -> bool {
        length < 2 && words(self.text(text)).take(2).count() < 2
    }

    /// Calls `add` with each key of an edit.
    fn keys(&self, row: &EditRow, kind: u32, text: u32, mut add: impl FnMut(EditKey)) {
        let (start, end) = (row.start, row.end);
        let text = if text == self.delete { self.empty } else { text };
        match self.matching.mode {
            Mode::Correction => add(EditKey { start, end, kind: 0, text }),
            Mode::Typed => add(EditKey { start, end, kind, text }),
            Mode::Span => add(EditKey { start, end, kind: 0, text: 0 }),
            Mode::Token if start == -1 => add(EditKey { start: -1, end: -1, kind: 0, text: 0 }),
            Mode::Token => {
                let end = if start == end { start.saturating_add(1) } else { end };
                (start..end).for_each(|token| add(EditKey { start: token, end: token + 1, kind: 0, text: 0 }));
            }
        }
    }
}

/// The edits of one version by key.
#[derive(Debug, Default)]
struct KeyedVersion {
    /// Sorted by key; edits with the same key in the order of the table.
    edits: Vec<KeyedEdit>,
    /// The start of each key in `edits`, in ascending order, and the number of edits.
    key_starts: Vec<u32>,
    /// Indices of `key_starts`, in the order in which keys first appear.
    by_appearance: Vec<u32>,
}

impl KeyedVersion {
    /// Replaces the version of a sentence. Err: too many keys. O(keys log keys).
    fn fill(
        &mut self,
        sentence: usize,
        rows: &[EditRow],
        joint: &JointStrings,
        joint_id: impl Fn(u32) -> u32,
    ) -> Result<(), Error> {
        self.edits.clear();
        for row in rows {
            let (kind, text) = (joint_id(row.kind), joint_id(row.text));
            if !joint.is_counted(row, kind, text) {
                continue;
            }
            let length = i64::from(row.end) - i64::from(row.start);
            if joint.matching.mode == Mode::Token && self.edits.len() as i64 + length > MAX_TOKENS as i64 {
                return Err(Error::EditTokens { sentence, limit: MAX_TOKENS });
            }
            joint.keys(row, kind, text, |key| {
                let position = self.edits.len() as u32;
                self.edits.push(KeyedEdit { key, position, kind, text });
            });
        }
        self.edits.sort_unstable_by_key(|edit| (edit.key, edit.position));
        self.find_keys();
        Ok(())
    }

    fn find_keys(&mut self) {
        let edits = &self.edits;
        let begins = |&start: &usize| start == 0 || edits[start].key != edits[start - 1].key;
        self.key_starts.clear();
        self.key_starts.extend((0..edits.len()).filter(begins).map(|start| start as u32));
        self.by_appearance.clear();
        self.by_appearance.extend(0..self.key_starts.len() as u32);
        let key_starts = &self.key_starts;
        self.by_appearance.sort_unstable_by_key(|&key| edits[key_starts[key as usize] as usize].position);
        self.key_starts.push(edits.len() as u32);
    }

    /// The edits with the n-th smallest key.
    fn edits_of(&self, n: usize) -> &[KeyedEdit] {
        &self.edits[self.key_starts[n] as usize..self.key_starts[n + 1] as usize]
    }

    /// The edits by key, in the order of first appearance, without noops.
    fn groups(&self, noop: u32) -> impl Iterator<Item = &[KeyedEdit]> {
        self.by_appearance.iter().map(|&key| self.edits_of(key as usize)).filter(move |edits| edits[0].kind != noop)
    }

    fn with_key(&self, key: EditKey) -> Option<&[KeyedEdit]> {
        let key_starts = &self.key_starts[..self.key_starts.len() - 1];
        let n = key_starts.binary_search_by_key(&key, |&start| self.edits[start as usize].key).ok()?;
        Some(self.edits_of(n))
    }
}

/// The columns of the counts.
pub const TP: u8 = 0;
pub const FP: u8 = 1;
pub const FN: u8 = 2;

/// Calls `add` with the column and the edit for each count. O((h + r) log r) for h and r edits.
fn compare(hypothesis: &KeyedVersion, reference: &KeyedVersion, noop: u32, mut add: impl FnMut(u8, &KeyedEdit)) {
    for edits in hypothesis.groups(noop) {
        let (column, edits_to_count) = match reference.with_key(edits[0].key) {
            Some(reference_edits) => (TP, reference_edits),
            None => (FP, edits),
        };
        edits_to_count.iter().for_each(|edit| add(column, edit));
    }
    for edits in reference.groups(noop).filter(|edits| hypothesis.with_key(edits[0].key).is_none()) {
        edits.iter().for_each(|edit| add(FN, edit));
    }
}

/// The comparison of S sentences with up to `width` pairs of versions: hypothesis versions × reference versions, the
/// latter varying faster.
#[derive(Debug)]
pub struct Comparison {
    pub width: usize,
    /// True positives, false positives, false negatives [S, width, 3].
    pub counts: Vec<i64>,
    /// Whether the sentence has the pair [S, width]; None: all have it.
    pub present: Option<Vec<bool>>,
    /// The evidence by sentence and pair, if requested. Edits are from the hypothesis if the column is [`FP`]; type and
    /// text are indices of the strings of the first table followed by the second's.
    pub evidence: Vec<EvidenceRow>,
}

/// Compares two tables with the same sentences. O(strings + E log E + P E) for E edits and P pairs per sentence.
pub fn compare_all(
    hypothesis: &EditColumns,
    reference: &EditColumns,
    matching: Matching,
    evidence: bool,
    threads: usize,
) -> Result<Comparison, Error> {
    let joint = JointStrings::new(&hypothesis.strings, &reference.strings, matching);
    let sentences = hypothesis.sentences();
    let parts = parallel::map_blocks(sentences, threads, |mut block| {
        let mut part = ComparisonPart::default();
        block.try_for_each(|s| part.add(s, hypothesis, reference, &joint, evidence)).map(|()| part)
    })?;
    let pairs = |s| hypothesis.versions_of(s).len() * reference.versions_of(s).len();
    let width = (0..sentences).map(pairs).max().unwrap_or(0);
    let pairs_in_all = sentences.saturating_mul(width);
    let (mut counts, mut present) = (zeros(pairs_in_all.saturating_mul(3))?, zeros(pairs_in_all)?);
    let mut pair_counts = parts.iter().flat_map(|part| &part.counts);
    for s in 0..sentences {
        for (cell, pair) in (s * width..s * width + pairs(s)).zip(&mut pair_counts) {
            counts[cell * 3..][..3].copy_from_slice(pair);
            present[cell] = true;
        }
    }
    let evidence = parts.iter().flat_map(|part| &part.evidence).copied().collect();
    Ok(Comparison { width, counts, present: Some(present).filter(|present| present.contains(&false)), evidence })
}

/// Results of consecutive sentences, and memory that is reused for each of them.
#[derive(Default)]
struct ComparisonPart {
    counts: Vec<[i64; 3]>,
    evidence: Vec<EvidenceRow>,
    hypotheses: Vec<KeyedVersion>,
    references: Vec<KeyedVersion>,
}

impl ComparisonPart {
    fn add(
        &mut self,
        sentence: usize,
        hypothesis: &EditColumns,
        reference: &EditColumns,
        joint: &JointStrings,
        evidence: bool,
    ) -> Result<(), Error> {
        let hypotheses = fill(&mut self.hypotheses, hypothesis, sentence, joint, |id| id)?;
        let references = fill(&mut self.references, reference, sentence, joint, |id| joint.second_ids[id as usize])?;
        let pairs = hypotheses.iter().flat_map(|first| references.iter().map(move |second| (first, second)));
        for ((hypothesis, reference), pair) in pairs.zip(0..) {
            let mut counts = [0; 3];
            compare(hypothesis, reference, joint.noop, |column, edit| {
                counts[usize::from(column)] += 1;
                if evidence {
                    let (is_gold, edit) = (column != FP, edit.row());
                    self.evidence.push(EvidenceRow { sentence, reference: pair, column, is_gold, edit });
                }
            });
            self.counts.push(counts);
        }
        Ok(())
    }
}

/// The versions of a sentence, in reused memory. Err: too many tokens.
fn fill<'a>(
    memory: &'a mut Vec<KeyedVersion>,
    table: &EditColumns,
    sentence: usize,
    joint: &JointStrings,
    joint_id: impl Fn(u32) -> u32,
) -> Result<&'a [KeyedVersion], Error> {
    let versions = table.versions_of(sentence);
    if memory.len() < versions.len() {
        memory.resize_with(versions.len(), KeyedVersion::default);
    }
    let memory = &mut memory[..versions.len()];
    for (keyed_version, version) in memory.iter_mut().zip(versions) {
        keyed_version.fill(sentence, table.edits_of(version), joint, &joint_id)?;
    }
    Ok(memory)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MATCHING: Matching = Matching { mode: Mode::Correction, size: Size::All, exclude: &[] };

    fn table(versions: &[&[(i32, i32, &str, &str)]]) -> EditColumns {
        let mut table = EditColumns::default();
        for (annotator, edits) in versions.iter().enumerate() {
            edits.iter().for_each(|(start, end, kind, text)| table.push(*start, *end, kind, text));
            table.end_version(annotator as i32);
        }
        table.end_sentence();
        table
    }

    #[test]
    fn all_pairs_of_versions_are_compared_by_key() {
        let hypothesis = table(&[&[(3, 4, "R:PREP", "on"), (0, 1, "R:DET", "A")], &[(-1, -1, "noop", "-NONE-")]]);
        let reference = table(&[&[(4, 4, "M:DET", "the"), (3, 4, "R:X", "on"), (3, 4, "R:Y", "on")], &[]]);
        let comparison = compare_all(&hypothesis, &reference, MATCHING, true, 1).unwrap();
        assert_eq!((comparison.width, comparison.present), (4, None));
        assert_eq!(comparison.counts, [[2, 1, 1], [0, 2, 0], [0, 0, 3], [0, 0, 0]].concat());
        let joint: Vec<&str> = hypothesis.strings.iter().chain(reference.strings.iter()).collect();
        let rows: Vec<_> =
            comparison.evidence.iter().map(|row| (row.reference, row.column, joint[row.edit.kind as usize])).collect();
        let first = [(0, TP, "R:X"), (0, TP, "R:Y"), (0, FP, "R:DET"), (0, FN, "M:DET")];
        assert_eq!(rows[..4], first);
        assert_eq!(rows[4..], [(1, FP, "R:PREP"), (1, FP, "R:DET"), (2, FN, "M:DET"), (2, FN, "R:X"), (2, FN, "R:Y")]);
    }

    #[test]
    fn too_many_tokens_are_an_error() {
        let long = table(&[&[(0, i32::MAX, "R:X", "on")]]);
        let tokens = Matching { mode: Mode::Token, ..MATCHING };
        assert_eq!(
            compare_all(&long, &long, tokens, false, 1).unwrap_err(),
            Error::EditTokens { sentence: 0, limit: MAX_TOKENS }
        );
        assert_eq!(compare_all(&long, &long, MATCHING, false, 1).unwrap().counts, [1, 0, 0]);
        let last = table(&[&[(i32::MAX, i32::MAX, "M:X", "on")]]);
        assert_eq!(compare_all(&last, &last, tokens, false, 1).unwrap().counts, [0, 0, 0]);
    }
}
