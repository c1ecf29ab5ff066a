//! Edits out of pairs of annotated sentences: align, merge, classify, pair by pair.

pub mod alignment;
pub mod annotated;
pub mod classify;
pub mod columns;
pub mod distance;
pub mod m2;
pub mod merge;
pub mod order;
mod replacement;
pub mod stemmer;

use crate::edits::alignment::Aligner;
use crate::edits::annotated::{Batch, Span};
use crate::edits::classify::{classify, RuleSet};
use crate::edits::merge::{merge, Merging};
use crate::parallel;

/// How edits are extracted and typed.
#[derive(Clone, Copy)]
pub struct Settings {
    pub merging: Merging,
    /// Levenshtein instead of the linguistically weighted alignment.
    pub plain: bool,
    pub rules: RuleSet,
}

/// An edit's spans and type.
pub type Edit = (Span, String);

/// The edits of each pair (source sentence, target sentence) of the batch, in order; `None` for a pair too long to
/// align. Cost: that of `Aligner::align` and `merge` for every pair.
pub fn extract(batch: &Batch, pairs: &[(usize, usize)], settings: Settings, threads: usize) -> Vec<Option<Vec<Edit>>> {
    let mut edits = vec![None; pairs.len()];
    parallel::chunks(&mut edits, 1, threads, Aligner::default, |p, slot, aligner| {
        let (source, target) = (batch.sentence(pairs[p].0), batch.sentence(pairs[p].1));
        let operations = aligner.align(&source, &target, settings.plain);
        slot[0] = operations.map(|operations| {
            merge(&operations, &source, &target, settings.merging, settings.rules)
                .into_iter()
                .map(|span| (span.clone(), classify(&source, &target, &span, settings.rules)))
                .collect()
        });
    });
    edits
}

/// The types of given edits: `edits[e]` is a pair of sentences and the spans. Cost: that of `classify` for each.
pub fn types(batch: &Batch, edits: &[(usize, usize, Span)], rules: RuleSet) -> Vec<String> {
    edits.iter().map(|(s, t, span)| classify(&batch.sentence(*s), &batch.sentence(*t), span, rules)).collect()
}
