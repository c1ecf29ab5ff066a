//! Chunks in columns: comparison of versions, and texts.

use crate::chunks::sentence::ChunkedSentence;
use crate::chunks::ChunkCells;
use crate::error::Error;
use crate::text::strings::Strings;

/// The C chunks of S sentences, with a cell for each of the V versions: hypothesis, then references.
///
/// Sentence s has the chunks `offsets[s]..offsets[s + 1]`; chunk c spans the source tokens `start[c]..end[c]`.
/// `changed` and `length` have rows of V: whether the version has an edit in the chunk, and its number of tokens.
/// `same` has rows of V - 1: whether the hypothesis has the reference's text.
#[derive(Debug, PartialEq, Eq)]
pub struct Partition {
    pub offsets: Vec<i64>,
    pub start: Vec<i32>,
    pub end: Vec<i32>,
    pub changed: Vec<bool>,
    pub length: Vec<i32>,
    pub same: Vec<bool>,
}

impl Default for Partition {
    fn default() -> Self {
        let (start, end, changed, length, same) = Default::default();
        Self { offsets: vec![0], start, end, changed, length, same }
    }
}

impl Partition {
    /// Reserves memory for more sentences, chunks and cells.
    fn reserve(&mut self, sentences: usize, chunks: usize, cells: usize) -> Result<(), Error> {
        self.offsets.try_reserve(sentences)?;
        self.start.try_reserve(chunks)?;
        self.end.try_reserve(chunks)?;
        self.changed.try_reserve(cells)?;
        self.length.try_reserve(cells)?;
        self.same.try_reserve(cells.saturating_sub(chunks))?;
        Ok(())
    }
}

impl ChunkCells for Partition {
    fn add_sentence(&mut self, sentence: &mut ChunkedSentence) -> Result<(), Error> {
        let (chunks, versions) = (sentence.chunks.len(), sentence.versions());
        self.reserve(1, chunks, chunks.saturating_mul(versions))?;
        let (mut hypothesis, mut reference) = (Vec::new(), Vec::new());
        for c in 0..chunks {
            let chunk = sentence.chunks[c];
            self.start.push(chunk.start as i32);
            self.end.push(chunk.end as i32);
            let hypothesis_edits = sentence.edits_in(chunk, 0);
            let is_changed = !hypothesis_edits.is_empty();
            sentence.correct(chunk, hypothesis_edits, &mut hypothesis);
            self.changed.push(is_changed);
            self.length.push(hypothesis.len() as i32);
            for version in 1..versions {
                let edits = sentence.edits_in(chunk, version);
                self.changed.push(!edits.is_empty());
                if is_changed || !edits.is_empty() {
                    sentence.correct(chunk, edits, &mut reference);
                    self.length.push(reference.len() as i32);
                    self.same.push(hypothesis == reference);
                } else {
                    self.length.push((chunk.end - chunk.start) as i32);
                    self.same.push(true);
                }
            }
        }
        self.offsets.push(self.start.len() as i64);
        Ok(())
    }

    fn append(&mut self, parts: Vec<Self>) -> Result<(), Error> {
        let total = |length: fn(&Self) -> usize| parts.iter().map(length).sum::<usize>();
        self.reserve(
            total(|part| part.offsets.len()),
            total(|part| part.start.len()),
            total(|part| part.changed.len()),
        )?;
        for part in parts {
            let chunks = self.start.len() as i64;
            self.offsets.extend(part.offsets[1..].iter().map(|offset| chunks + offset));
            self.start.extend(part.start);
            self.end.extend(part.end);
            self.changed.extend(part.changed);
            self.length.extend(part.length);
            self.same.extend(part.same);
        }
        Ok(())
    }
}

/// The texts of chunks as indices of `strings`: `source[c]`, and rows of V cells with the text of each version and the
/// types of its edits, joined by `+`.
#[derive(Default)]
pub struct ChunkTexts {
    pub source: Vec<i32>,
    pub text: Vec<i32>,
    pub kind: Vec<i32>,
    pub strings: Strings,
}

impl ChunkTexts {
    /// Reserves memory for more chunks and cells.
    fn reserve(&mut self, chunks: usize, cells: usize) -> Result<(), Error> {
        self.source.try_reserve(chunks)?;
        self.text.try_reserve(cells)?;
        self.kind.try_reserve(cells)?;
        Ok(())
    }
}

impl ChunkCells for ChunkTexts {
    fn add_sentence(&mut self, sentence: &mut ChunkedSentence) -> Result<(), Error> {
        let (chunks, versions) = (sentence.chunks.len(), sentence.versions());
        self.reserve(chunks, chunks.saturating_mul(versions))?;
        let mut text = Vec::new();
        for c in 0..chunks {
            let chunk = sentence.chunks[c];
            let source = self.strings.intern(&sentence.tokens[chunk.start..chunk.end].join(" ")) as i32;
            self.source.push(source);
            for version in 0..versions {
                let edits = sentence.edits_in(chunk, version);
                if edits.is_empty() {
                    self.text.push(source);
                    self.kind.push(self.strings.intern("") as i32);
                    continue;
                }
                let kinds: Vec<&str> = sentence.edits(edits.clone()).iter().map(|edit| edit.kind).collect();
                self.kind.push(self.strings.intern(&kinds.join("+")) as i32);
                sentence.correct(chunk, edits, &mut text);
                self.text.push(self.strings.intern(&text.join(" ")) as i32);
            }
        }
        Ok(())
    }

    fn append(&mut self, parts: Vec<Self>) -> Result<(), Error> {
        let total = |length: fn(&Self) -> usize| parts.iter().map(length).sum::<usize>();
        self.reserve(total(|part| part.source.len()), total(|part| part.text.len()))?;
        for part in parts {
            let ids: Vec<i32> = part.strings.iter().map(|string| self.strings.intern(string) as i32).collect();
            let new_id = |part_id: i32| ids[part_id as usize];
            self.source.extend(part.source.into_iter().map(new_id));
            self.text.extend(part.text.into_iter().map(new_id));
            self.kind.extend(part.kind.into_iter().map(new_id));
        }
        Ok(())
    }
}
