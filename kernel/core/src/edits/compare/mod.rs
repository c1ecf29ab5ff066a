//! Compares two tables of edits as ERRANT does, each version of one with each version of the other, sentence by
//! sentence: edits in both (true positives), only in the first (false positives), and only in the second (false
//! negatives).
//!
//! Edits are compared by [`Key`]; edits of one version with the same key count as one. A match and a miss count once
//! per reference edit with that key, a false positive once per hypothesis edit. Keys whose first edit is a noop are
//! skipped.

pub mod slots;

use foldhash::HashSet;

use crate::edits::columns::{EditColumns, Row, DELETE, NOOP};
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
    /// Whether the correction `-NONE-` is a word and not a deletion.
    pub literal: bool,
}

/// Maximum number of tokens inside the edits of one version when tokens are compared.
pub const MOST_TOKENS: usize = 1 << 22;

/// The edits of a sentence contain too many tokens to compare them one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong {
    pub sentence: usize,
}

/// The index of a string that is in neither table.
const NOWHERE: u32 = u32::MAX;
/// The type of an error without a correction, which matters only for detection.
const UNKNOWN: &str = "UNK";

/// The key of an edit; parts that the mode ignores are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    start: i32,
    end: i32,
    kind: u32,
    text: u32,
}

/// An edit with its key (in mode `Token` one of its tokens). Type and text are indices of the strings of the first
/// table followed by the second's.
#[derive(Clone, Copy, Debug)]
pub struct Keyed {
    key: Key,
    /// Its index in its version.
    place: u32,
    pub kind: u32,
    pub text: u32,
}

impl Keyed {
    pub fn start(&self) -> i32 {
        self.key.start
    }

    pub fn end(&self) -> i32 {
        self.key.end
    }
}

/// The strings of two tables: indices of the first, then of the second; strings in both have the index of the first.
struct Joint<'a> {
    matching: Matching<'a>,
    first: &'a Strings,
    second: &'a Strings,
    /// The index of each string of the second table.
    places: Vec<u32>,
    out: HashSet<u32>,
    noop: u32,
    delete: u32,
    empty: u32,
}

impl<'a> Joint<'a> {
    /// O(bytes of the second table's strings).
    fn new(first: &'a Strings, second: &'a Strings, matching: Matching<'a>) -> Self {
        let later = |place: u32| first.len() as u32 + place;
        let places = (0..).zip(second.iter()).map(|(own, text)| first.place(text).unwrap_or(later(own))).collect();
        let place = |text: &str| first.place(text).or(second.place(text).map(later));
        let [noop, delete, empty] = [NOOP, DELETE, ""].map(|text| place(text).unwrap_or(NOWHERE));
        let unknown = matches!(matching.mode, Mode::Correction | Mode::Typed).then_some(UNKNOWN);
        let out = matching.exclude.iter().map(|text| &**text).chain(unknown).filter_map(place).collect();
        Self { matching, first, second, places, out, noop, delete, empty }
    }

    fn text(&self, place: u32) -> &str {
        let later = (place as usize).checked_sub(self.first.len());
        later.map_or_else(|| self.first.get(place), |place| self.second.get(place as u32))
    }

    fn counts(&self, row: &Row, kind: u32, text: u32) -> bool {
        !self.out.contains(&kind)
            && (self.matching.size == Size::All
                || self.is_single(row.end.saturating_sub(row.start), text) == (self.matching.size == Size::Single))
    }

    fn is_single(&self, length: i32, text: u32) -> bool {
        length < 2 && words(self.text(text)).take(2).count() < 2
    }

    /// Calls `found` with the spans and the keys of an edit.
    fn keys(&self, row: &Row, kind: u32, text: u32, mut found: impl FnMut(Key)) {
        let (start, end) = (row.start, row.end);
        let text = if text == self.delete && !self.matching.literal { self.empty } else { text };
        match self.matching.mode {
            Mode::Correction => found(Key { start, end, kind: 0, text }),
            Mode::Typed => found(Key { start, end, kind, text }),
            Mode::Span => found(Key { start, end, kind: 0, text: 0 }),
            Mode::Token if start == -1 => found(Key { start: -1, end: -1, kind: 0, text: 0 }),
            Mode::Token => {
                let end = if start == end { start.saturating_add(1) } else { end };
                (start..end).for_each(|token| found(Key { start: token, end: token + 1, kind: 0, text: 0 }));
            }
        }
    }
}

/// The edits of one version by key.
#[derive(Debug, Default)]
struct Version {
    /// Sorted by key; edits with the same key in the order of the table.
    edits: Vec<Keyed>,
    /// The start of each key in `edits`, in ascending order, and the number of edits.
    keys: Vec<u32>,
    /// Indices of `keys`, in the order in which keys first appear.
    turns: Vec<u32>,
}

impl Version {
    /// Replaces the version; None for too many keys. O(keys log keys).
    fn fill(&mut self, rows: &[Row], joint: &Joint, place: impl Fn(u32) -> u32) -> Option<()> {
        self.edits.clear();
        for row in rows {
            let (kind, text) = (place(row.kind), place(row.text));
            if !joint.counts(row, kind, text) {
                continue;
            }
            let length = i64::from(row.end) - i64::from(row.start);
            if joint.matching.mode == Mode::Token && self.edits.len() as i64 + length > MOST_TOKENS as i64 {
                return None;
            }
            joint.keys(row, kind, text, |key| {
                let place = self.edits.len() as u32;
                self.edits.push(Keyed { key, place, kind, text });
            });
        }
        self.edits.sort_unstable_by_key(|edit| (edit.key, edit.place));
        self.find_keys();
        Some(())
    }

    fn find_keys(&mut self) {
        let edits = &self.edits;
        let begins = |&at: &usize| at == 0 || edits[at].key != edits[at - 1].key;
        self.keys.clear();
        self.keys.extend((0..edits.len()).filter(begins).map(|at| at as u32));
        self.turns.clear();
        self.turns.extend(0..self.keys.len() as u32);
        let keys = &self.keys;
        self.turns.sort_unstable_by_key(|&turn| edits[keys[turn as usize] as usize].place);
        self.keys.push(edits.len() as u32);
    }

    /// The edits with the n-th smallest key.
    fn edits_of(&self, n: usize) -> &[Keyed] {
        &self.edits[self.keys[n] as usize..self.keys[n + 1] as usize]
    }

    /// The edits by key, in the order of first appearance, without noops.
    fn groups(&self, noop: u32) -> impl Iterator<Item = &[Keyed]> {
        self.turns.iter().map(|&turn| self.edits_of(turn as usize)).filter(move |edits| edits[0].kind != noop)
    }

    fn with_key(&self, key: Key) -> Option<&[Keyed]> {
        let keys = &self.keys[..self.keys.len() - 1];
        let n = keys.binary_search_by_key(&key, |&at| self.edits[at as usize].key).ok()?;
        Some(self.edits_of(n))
    }
}

/// The columns of the counts.
pub const TP: u8 = 0;
pub const FP: u8 = 1;
pub const FN: u8 = 2;

/// Calls `found` with the column and the edit for each count. O((h + r) log r) for h and r edits.
fn compare(hypothesis: &Version, reference: &Version, noop: u32, mut found: impl FnMut(u8, &Keyed)) {
    for own in hypothesis.groups(noop) {
        let (column, edits) = reference.with_key(own[0].key).map_or((FP, own), |theirs| (TP, theirs));
        edits.iter().for_each(|edit| found(column, edit));
    }
    for theirs in reference.groups(noop).filter(|theirs| hypothesis.with_key(theirs[0].key).is_none()) {
        theirs.iter().for_each(|edit| found(FN, edit));
    }
}

/// An edit that counts: from the hypothesis if `column` is [`FP`], else from the reference.
#[derive(Clone, Copy, Debug)]
pub struct Evidence {
    pub sentence: usize,
    /// The pair of versions.
    pub pair: u32,
    pub column: u8,
    pub edit: Keyed,
}

/// The comparison of S sentences.
#[derive(Debug)]
pub struct Comparison {
    /// The number of pairs of each sentence: hypothesis versions × reference versions, the latter varying faster.
    pub pairs: Vec<usize>,
    /// True positives, false positives, false negatives of each pair of each sentence.
    pub counts: Vec<[i64; 3]>,
    /// The evidence by sentence and pair, if requested.
    pub evidence: Vec<Evidence>,
}

/// Compares two tables with the same sentences. O(strings + E log E + P E) for E edits and P pairs per sentence.
pub fn compare_all(
    hypothesis: &EditColumns,
    reference: &EditColumns,
    matching: Matching,
    evidence: bool,
    threads: usize,
) -> Result<Comparison, TooLong> {
    let joint = Joint::new(&hypothesis.strings, &reference.strings, matching);
    let sentences = hypothesis.sentences();
    let parts = parallel::blocks(sentences, threads, |mut block| {
        let mut part = Part::default();
        block.try_for_each(|s| part.add(s, hypothesis, reference, &joint, evidence)).map(|()| part)
    });
    let parts = parts.into_iter().collect::<Result<Vec<_>, _>>()?;
    let number = |table: &EditColumns, s| table.versions_of(s).len();
    Ok(Comparison {
        pairs: (0..sentences).map(|s| number(hypothesis, s) * number(reference, s)).collect(),
        counts: parts.iter().flat_map(|part| &part.counts).copied().collect(),
        evidence: parts.iter().flat_map(|part| &part.evidence).copied().collect(),
    })
}

/// Some consecutive sentences, and memory that is reused for each of them.
#[derive(Default)]
struct Part {
    counts: Vec<[i64; 3]>,
    evidence: Vec<Evidence>,
    hypotheses: Vec<Version>,
    references: Vec<Version>,
}

impl Part {
    fn add(
        &mut self,
        sentence: usize,
        hypothesis: &EditColumns,
        reference: &EditColumns,
        joint: &Joint,
        evidence: bool,
    ) -> Result<(), TooLong> {
        let mine = fill(&mut self.hypotheses, hypothesis, sentence, joint, |place| place);
        let theirs = fill(&mut self.references, reference, sentence, joint, |place| joint.places[place as usize]);
        let (mine, theirs) = mine.zip(theirs).ok_or(TooLong { sentence })?;
        let pairs = mine.iter().flat_map(|one| theirs.iter().map(move |other| (one, other)));
        for ((one, other), pair) in pairs.zip(0..) {
            let mut counts = [0; 3];
            compare(one, other, joint.noop, |column, &edit| {
                counts[usize::from(column)] += 1;
                if evidence {
                    self.evidence.push(Evidence { sentence, pair, column, edit });
                }
            });
            self.counts.push(counts);
        }
        Ok(())
    }
}

/// The versions of a sentence, in reused memory; None for too many tokens.
fn fill<'a>(
    scratch: &'a mut Vec<Version>,
    table: &EditColumns,
    sentence: usize,
    joint: &Joint,
    place: impl Fn(u32) -> u32,
) -> Option<&'a [Version]> {
    let versions = table.versions_of(sentence);
    if scratch.len() < versions.len() {
        scratch.resize_with(versions.len(), Version::default);
    }
    let scratch = &mut scratch[..versions.len()];
    for (own, version) in scratch.iter_mut().zip(versions) {
        own.fill(table.edits_of(version), joint, &place)?;
    }
    Some(scratch)
}

/// The keys by which versions are compared: for every key, in the order of appearance, the first edit with it,
/// including noops; and the start of each version, [V + 1]. Type and text are indices of the table's strings. O(E log
/// E) per version.
pub fn keyed(table: &EditColumns, matching: Matching) -> Result<(Vec<usize>, Vec<Keyed>), TooLong> {
    let none = Strings::default();
    let joint = Joint::new(&table.strings, &none, matching);
    let (mut offsets, mut found) = (vec![0], Vec::new());
    let mut version = Version::default();
    for sentence in 0..table.sentences() {
        for number in table.versions_of(sentence) {
            version.fill(table.edits_of(number), &joint, |place| place).ok_or(TooLong { sentence })?;
            found.extend(version.turns.iter().map(|&turn| version.edits_of(turn as usize)[0]));
            offsets.push(found.len());
        }
    }
    Ok((offsets, found))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MATCHING: Matching = Matching { mode: Mode::Correction, size: Size::All, exclude: &[], literal: false };

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
    fn each_pair_and_each_edit_with_the_key() {
        let hypothesis = table(&[&[(3, 4, "R:PREP", "on"), (0, 1, "R:DET", "A")], &[(-1, -1, "noop", "-NONE-")]]);
        let reference = table(&[&[(4, 4, "M:DET", "the"), (3, 4, "R:X", "on"), (3, 4, "R:Y", "on")], &[]]);
        let found = compare_all(&hypothesis, &reference, MATCHING, true, 1).unwrap();
        assert_eq!(found.pairs, [4]);
        assert_eq!(found.counts, [[2, 1, 1], [0, 2, 0], [0, 0, 3], [0, 0, 0]]);
        let joint: Vec<&str> = hypothesis.strings.iter().chain(reference.strings.iter()).collect();
        let rows: Vec<_> =
            found.evidence.iter().map(|row| (row.pair, row.column, joint[row.edit.kind as usize])).collect();
        let first = [(0, TP, "R:X"), (0, TP, "R:Y"), (0, FP, "R:DET"), (0, FN, "M:DET")];
        assert_eq!(rows[..4], first);
        assert_eq!(rows[4..], [(1, FP, "R:PREP"), (1, FP, "R:DET"), (2, FN, "M:DET"), (2, FN, "R:X"), (2, FN, "R:Y")]);
    }

    #[test]
    fn tokens_are_bounded() {
        let long = table(&[&[(0, i32::MAX, "R:X", "on")]]);
        let tokens = Matching { mode: Mode::Token, ..MATCHING };
        assert_eq!(compare_all(&long, &long, tokens, false, 1).unwrap_err(), TooLong { sentence: 0 });
        assert_eq!(compare_all(&long, &long, MATCHING, false, 1).unwrap().counts, [[1, 0, 0]]);
        let most = table(&[&[(i32::MAX, i32::MAX, "M:X", "on")]]);
        assert_eq!(compare_all(&most, &most, tokens, false, 1).unwrap().counts, [[0, 0, 0]]);
    }

    #[test]
    fn keys_are_listed_once() {
        let (offsets, found) =
            keyed(&table(&[&[(1, 2, "A", "x"), (0, 1, "B", "y"), (1, 2, "C", "x")], &[]]), MATCHING).unwrap();
        assert_eq!(offsets, [0, 2, 2]);
        assert_eq!(found.iter().map(|edit| (edit.start(), edit.end())).collect::<Vec<_>>(), [(1, 2), (0, 1)]);
    }
}
