//! One sentence and its versions, split into chunks.

use std::ops::Range;

use crate::edits::columns::{apply, EditColumns, EditRow};
use crate::text::words::words;

/// An edit: source tokens `span` become the words of `text`.
pub struct ChunkEdit<'a> {
    pub span: Range<usize>,
    pub text: &'a str,
    pub kind: &'a str,
}

/// A run of source tokens; `shared` is whether it is an interval of edits.
#[derive(Clone, Copy)]
pub struct SourceChunk {
    pub start: usize,
    pub end: usize,
    shared: bool,
}

/// The tokens of a source, the edits of its versions (the hypothesis, then the references), and the chunks. It is
/// reused for all sentences to avoid allocations.
#[derive(Default)]
pub struct ChunkedSentence<'a> {
    pub tokens: Vec<&'a str>,
    /// Version v has `edits[bounds[v]..bounds[v + 1]]`.
    edits: Vec<ChunkEdit<'a>>,
    bounds: Vec<usize>,
    spans: Vec<(usize, usize)>,
    pub chunks: Vec<SourceChunk>,
    next: Vec<usize>,
}

impl<'a> ChunkedSentence<'a> {
    /// Starts a source without versions.
    pub fn read(&mut self, source: &'a str) {
        self.tokens.clear();
        self.tokens.extend(words(source));
        self.edits.clear();
        self.bounds.clear();
        self.bounds.push(0);
    }

    /// Adds a version with ordered edits.
    pub fn version<'b>(&mut self, columns: &'a EditColumns, rows: impl Iterator<Item = &'b EditRow>) {
        self.edits.extend(rows.map(|row| {
            let (span, text) = columns.change(row);
            ChunkEdit { span, text, kind: columns.strings.get(row.kind) }
        }));
        self.bounds.push(self.edits.len());
    }

    pub fn versions(&self) -> usize {
        self.bounds.len() - 1
    }

    /// Finds the chunks: edits within `distance` of each other, and the tokens between them.
    pub fn cut(&mut self, distance: i32) {
        self.spans.clear();
        self.spans.extend(self.edits.iter().map(|edit| (edit.span.start, edit.span.end)));
        self.spans.sort_unstable();
        self.chunks.clear();
        for &(start, end) in &self.spans {
            match self.chunks.last_mut() {
                Some(last) if last.shared && start <= last.end.saturating_add(distance as usize) => {
                    last.end = end.max(last.end);
                }
                last => {
                    let before = last.map_or(0, |last| last.end);
                    if start > before {
                        self.chunks.push(SourceChunk { start: before, end: start, shared: false });
                    }
                    self.chunks.push(SourceChunk { start, end, shared: true });
                }
            }
        }
        let (before, length) = (self.chunks.last().map_or(0, |last| last.end), self.tokens.len());
        if length > before || self.chunks.is_empty() {
            self.chunks.push(SourceChunk { start: before, end: length, shared: false });
        }
        self.next.clear();
        self.next.extend_from_slice(&self.bounds[..self.bounds.len() - 1]);
    }

    /// The edits of a version in the next chunk; called in the order of chunks, for every version.
    pub fn inside(&mut self, chunk: SourceChunk, version: usize) -> Range<usize> {
        let first = self.next[version];
        if chunk.shared {
            let rest = &self.edits[first..self.bounds[version + 1]];
            self.next[version] += rest.iter().take_while(|edit| edit.span.end <= chunk.end).count();
        }
        first..self.next[version]
    }

    pub fn edits(&self, range: Range<usize>) -> &[ChunkEdit<'a>] {
        &self.edits[range]
    }

    /// Sets `text` to the chunk's tokens after its edits.
    pub fn correct(&self, chunk: SourceChunk, edits: Range<usize>, text: &mut Vec<&'a str>) {
        text.clear();
        let changes = self.edits[edits].iter().map(|edit| (edit.span.clone(), edit.text));
        apply(&self.tokens, chunk.start..chunk.end, changes, text);
    }
}
