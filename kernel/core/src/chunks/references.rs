//! References, ordered once for any number of hypotheses.

use crate::edits::columns::{apply, EditColumns};
use crate::edits::order::{order_edits, sentence_lengths, EditOrder};
use crate::error::Error;
use crate::text::words::words;
use crate::text::Text;

/// The references of every sentence: their ordered edits, and which of them count.
///
/// A reference that deletes everything is dropped, and with `drop_unchanged` also an unchanged one, unless no reference
/// would remain.
#[derive(Debug)]
pub struct References {
    /// Number of tokens of every source.
    pub lengths: Vec<u32>,
    pub order: EditOrder,
    /// Whether the version counts.
    counts: Vec<bool>,
    /// Maximum number of references of a sentence.
    pub width: usize,
}

impl References {
    /// Cost: O(bytes of the sources + E log E) for the E edits of a version. Err: the first edit that cannot be made.
    pub fn new(source: &Text, edits: &EditColumns, drop_unchanged: bool, threads: usize) -> Result<Self, Error> {
        let lengths = sentence_lengths(source, threads)?;
        let order = order_edits(&lengths, edits, threads)?;
        let width = (0..source.len()).map(|s| edits.versions_of(s).len()).max().unwrap_or(0);
        let mut references = Self { lengths, order, counts: vec![true; edits.annotator.len()], width };
        for s in 0..source.len() {
            references.choose(s, source.line(s), edits, drop_unchanged);
        }
        Ok(references)
    }

    /// The counting versions of sentence s, by reference; `width` of them.
    pub fn row<'a>(&'a self, edits: &EditColumns, s: usize) -> impl Iterator<Item = Option<usize>> + 'a {
        let versions = edits.versions_of(s);
        let absent = self.width - versions.len();
        versions.map(|version| self.counts[version].then_some(version)).chain(std::iter::repeat_n(None, absent))
    }

    fn choose(&mut self, s: usize, source: &str, edits: &EditColumns, drop_unchanged: bool) {
        let versions = edits.versions_of(s);
        let mut counting: Vec<usize> = versions.clone().filter(|&v| !self.is_empty(s, edits, v)).collect();
        if counting.is_empty() {
            counting.extend(versions.clone().next());
        }
        if drop_unchanged {
            let changed: Vec<usize> = counting.iter().copied().filter(|&v| self.changes(source, edits, v)).collect();
            counting = if changed.is_empty() { counting[..1.min(counting.len())].to_vec() } else { changed };
        }
        for version in versions {
            self.counts[version] = counting.binary_search(&version).is_ok();
        }
    }

    /// Whether the edits delete everything; their lengths suffice because they do not overlap.
    fn is_empty(&self, s: usize, edits: &EditColumns, version: usize) -> bool {
        let mut deleted = 0;
        for row in self.order.rows(edits, version) {
            if !edits.correction(row).is_empty() {
                return false;
            }
            deleted += row.end - row.start;
        }
        deleted == self.lengths[s] as i32
    }

    /// Whether the edits change the tokens.
    fn changes(&self, source: &str, edits: &EditColumns, version: usize) -> bool {
        let tokens: Vec<&str> = words(source).collect();
        let mut changed = Vec::with_capacity(tokens.len());
        let changes = self.order.rows(edits, version).map(|row| edits.change(row));
        apply(&tokens, 0..tokens.len(), changes, &mut changed);
        changed != tokens
    }
}
