//! References, prepared for any number of hypotheses.

use crate::edits::columns::{apply, EditColumns};
use crate::edits::order::{order_edits, sentence_lengths, EditOrder};
use crate::error::Error;
use crate::text::words::words;
use crate::text::Text;

/// The ordered edits of the references of every sentence, and which references are used.
///
/// A reference that deletes everything is not used, and with `drop_unchanged` also an unchanged one, unless no
/// reference would remain.
#[derive(Debug)]
pub struct References {
    /// Number of tokens of every source.
    pub lengths: Vec<u32>,
    pub order: EditOrder,
    /// Whether each version is used.
    is_used: Vec<bool>,
    /// Maximum number of references of a sentence.
    pub width: usize,
}

impl References {
    /// Cost: O(bytes of the sources + E log E) for the E edits of a version. Err: the first edit that cannot be
    /// applied.
    pub fn new(source: &Text, edits: &EditColumns, drop_unchanged: bool, threads: usize) -> Result<Self, Error> {
        let lengths = sentence_lengths(source, threads)?;
        let order = order_edits(&lengths, edits, threads)?;
        let width = (0..source.len()).map(|s| edits.versions_of(s).len()).max().unwrap_or(0);
        let mut references = Self { lengths, order, is_used: vec![true; edits.annotator.len()], width };
        for s in 0..source.len() {
            references.select_versions(s, source.line(s), edits, drop_unchanged);
        }
        Ok(references)
    }

    /// The version of each of `width` references of sentence s; None if it is missing or not used.
    pub fn row<'a>(&'a self, edits: &EditColumns, s: usize) -> impl Iterator<Item = Option<usize>> + 'a {
        let versions = edits.versions_of(s);
        let absent = self.width - versions.len();
        versions.map(|version| self.is_used[version].then_some(version)).chain(std::iter::repeat_n(None, absent))
    }

    fn select_versions(&mut self, s: usize, source: &str, edits: &EditColumns, drop_unchanged: bool) {
        let versions = edits.versions_of(s);
        let mut used: Vec<usize> = versions.clone().filter(|&v| !self.is_empty(s, edits, v)).collect();
        if used.is_empty() {
            used.extend(versions.clone().next());
        }
        if drop_unchanged {
            let changed: Vec<usize> = used.iter().copied().filter(|&v| self.changes(source, edits, v)).collect();
            used = if changed.is_empty() { used[..1.min(used.len())].to_vec() } else { changed };
        }
        for version in versions {
            self.is_used[version] = used.binary_search(&version).is_ok();
        }
    }

    /// Whether the edits delete all tokens; edits do not overlap, so their total length decides.
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
