//! Chunks in columns, for comparison and for display.

use std::collections::TryReserveError;

use crate::chunks::cut::Cells;
use crate::chunks::sentence::Sentence;
use crate::text::strings::Strings;

/// The C chunks of S sentences, with a cell for each of the V versions: hypothesis, then references.
///
/// Sentence s has the chunks `offsets[s]..offsets[s + 1]`; chunk c spans the source tokens `start[c]..end[c]`. Cells
/// are rows of V: whether the version has an edit in the chunk, and the number of its tokens. `same` contains rows of
/// V - 1: whether the hypothesis has the reference's text.
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
    fn reserve(&mut self, sentences: usize, chunks: usize, cells: usize) -> Result<(), TryReserveError> {
        self.offsets.try_reserve(sentences)?;
        self.start.try_reserve(chunks)?;
        self.end.try_reserve(chunks)?;
        self.changed.try_reserve(cells)?;
        self.length.try_reserve(cells)?;
        self.same.try_reserve(cells.saturating_sub(chunks))
    }
}

impl Cells for Partition {
    fn sentence(&mut self, sentence: &mut Sentence) -> Result<(), TryReserveError> {
        let (chunks, versions) = (sentence.chunks.len(), sentence.versions());
        self.reserve(1, chunks, chunks.saturating_mul(versions))?;
        let (mut hypothesis, mut reference) = (Vec::new(), Vec::new());
        for c in 0..chunks {
            let chunk = sentence.chunks[c];
            self.start.push(chunk.start as i32);
            self.end.push(chunk.end as i32);
            let own = sentence.inside(chunk, 0);
            sentence.made(chunk, own.clone(), &mut hypothesis);
            self.changed.push(!own.is_empty());
            self.length.push(hypothesis.len() as i32);
            for version in 1..versions {
                let edits = sentence.inside(chunk, version);
                let changed = !edits.is_empty();
                self.changed.push(changed);
                if changed || !own.is_empty() {
                    sentence.made(chunk, edits, &mut reference);
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

    fn join(&mut self, parts: Vec<Self>) -> Result<(), TryReserveError> {
        let total = |of: fn(&Self) -> usize| parts.iter().map(of).sum::<usize>();
        self.reserve(
            total(|part| part.offsets.len()),
            total(|part| part.start.len()),
            total(|part| part.changed.len()),
        )?;
        for part in parts {
            let done = self.start.len() as i64;
            self.offsets.extend(part.offsets[1..].iter().map(|offset| done + offset));
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
pub struct Texts {
    pub source: Vec<i32>,
    pub text: Vec<i32>,
    pub kind: Vec<i32>,
    pub strings: Strings,
}

impl Texts {
    /// Reserves memory for more chunks and cells.
    fn reserve(&mut self, chunks: usize, cells: usize) -> Result<(), TryReserveError> {
        self.source.try_reserve(chunks)?;
        self.text.try_reserve(cells)?;
        self.kind.try_reserve(cells)
    }
}

impl Cells for Texts {
    fn sentence(&mut self, sentence: &mut Sentence) -> Result<(), TryReserveError> {
        let (chunks, versions) = (sentence.chunks.len(), sentence.versions());
        self.reserve(chunks, chunks.saturating_mul(versions))?;
        let mut text = Vec::new();
        for c in 0..chunks {
            let chunk = sentence.chunks[c];
            let source = self.strings.intern(&sentence.tokens[chunk.start..chunk.end].join(" ")) as i32;
            self.source.push(source);
            for version in 0..versions {
                let edits = sentence.inside(chunk, version);
                if edits.is_empty() {
                    self.text.push(source);
                    self.kind.push(self.strings.intern("") as i32);
                    continue;
                }
                let kinds: Vec<&str> = sentence.edits(edits.clone()).iter().map(|edit| edit.kind).collect();
                self.kind.push(self.strings.intern(&kinds.join("+")) as i32);
                sentence.made(chunk, edits, &mut text);
                self.text.push(self.strings.intern(&text.join(" ")) as i32);
            }
        }
        Ok(())
    }

    fn join(&mut self, parts: Vec<Self>) -> Result<(), TryReserveError> {
        let total = |of: fn(&Self) -> usize| parts.iter().map(of).sum::<usize>();
        self.reserve(total(|part| part.source.len()), total(|part| part.text.len()))?;
        for part in parts {
            let places: Vec<i32> = part.strings.iter().map(|string| self.strings.intern(string) as i32).collect();
            let place = |own: i32| places[own as usize];
            self.source.extend(part.source.into_iter().map(place));
            self.text.extend(part.text.into_iter().map(place));
            self.kind.extend(part.kind.into_iter().map(place));
        }
        Ok(())
    }
}
