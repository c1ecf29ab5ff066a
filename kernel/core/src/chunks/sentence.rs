//! The chunks of one sentence and its versions.

use std::ops::Range;

use crate::edits::columns::{apply, EditColumns, EditRow};
use crate::text::words::words;

/// An edit that replaces source tokens `span` by the words of `text`.
pub struct ChunkEdit<'a> {
    pub span: Range<usize>,
    pub text: &'a str,
    pub kind: &'a str,
}

/// A span of source tokens, with edits of some version or unchanged in all.
#[derive(Clone, Copy)]
pub struct SourceChunk {
    pub start: usize,
    pub end: usize,
    has_edits: bool,
}

/// The tokens of a source, the edits of its versions (the hypothesis, then the references), and the chunks. Memory is
/// reused for all sentences.
#[derive(Default)]
pub struct ChunkedSentence<'a> {
    pub tokens: Vec<&'a str>,
    /// Version v has `edits[bounds[v]..bounds[v + 1]]`.
    edits: Vec<ChunkEdit<'a>>,
    version_ends: Vec<usize>,
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
        self.version_ends.clear();
        self.version_ends.push(0);
    }

    /// Adds a version with ordered edits.
    pub fn add_version<'b>(&mut self, columns: &'a EditColumns, rows: impl Iterator<Item = &'b EditRow>) {
        self.edits.extend(rows.map(|row| {
            let (span, text) = columns.change(row);
            ChunkEdit { span, text, kind: columns.strings.get(row.kind) }
        }));
        self.version_ends.push(self.edits.len());
    }

    pub fn versions(&self) -> usize {
        self.version_ends.len() - 1
    }

    /// Computes the chunks: edits within `distance` of each other, and the tokens between them.
    pub fn split(&mut self, distance: i32) {
        self.spans.clear();
        self.spans.extend(self.edits.iter().map(|edit| (edit.span.start, edit.span.end)));
        self.spans.sort_unstable();
        self.chunks.clear();
        for &(start, end) in &self.spans {
            match self.chunks.last_mut() {
                Some(last_chunk)
                    if last_chunk.has_edits && start <= last_chunk.end.saturating_add(distance as usize) =>
                {
                    last_chunk.end = end.max(last_chunk.end);
                }
                last_chunk => {
                    let covered = last_chunk.map_or(0, |chunk| chunk.end);
                    if start > covered {
                        self.chunks.push(SourceChunk { start: covered, end: start, has_edits: false });
                    }
                    self.chunks.push(SourceChunk { start, end, has_edits: true });
                }
            }
        }
        let (covered, length) = (self.chunks.last().map_or(0, |chunk| chunk.end), self.tokens.len());
        if length > covered || self.chunks.is_empty() {
            self.chunks.push(SourceChunk { start: covered, end: length, has_edits: false });
        }
        self.next.clear();
        self.next.extend_from_slice(&self.version_ends[..self.version_ends.len() - 1]);
    }

    /// The edits of a version in a chunk. Call it in the order of chunks, for every version.
    pub fn edits_in(&mut self, chunk: SourceChunk, version: usize) -> Range<usize> {
        let first_edit = self.next[version];
        if chunk.has_edits {
            let remaining = &self.edits[first_edit..self.version_ends[version + 1]];
            self.next[version] += remaining.iter().take_while(|edit| edit.span.end <= chunk.end).count();
        }
        first_edit..self.next[version]
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
