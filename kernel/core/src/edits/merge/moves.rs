//! Merging for Chinese by ChERRANT's rules (Zhang et al., NAACL 2022, section 4.2): runs of changes, reordered words
//! and moved words.

use std::ops::Range;

use crate::edits::align::{Operation, OperationKind};
use crate::edits::annotated::{AnnotatedPair, AnnotatedSentence, SpanPair};
use crate::edits::labels::pos;

/// The effect of a run of operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum RunEffect {
    Keep,
    Delete,
    Insert,
    Replace,
    Reorder,
}

/// The edits of an alignment, in order. Runs of operations are edits. Deletions next to insertions are separate unless
/// the run has a substitution; substitutions of words and transpositions are separate. Three runs are one edit if the
/// outer two move tokens across the middle or are exchanged. Tokens are words if the source has a token of several
/// characters; the target does not matter, so that all corrections are treated alike. Cost: O(tokens + moved tokens²).
pub fn merge_runs(operations: &[Operation], pair: &AnnotatedPair) -> Vec<SpanPair> {
    let by_words = (0..pair.source.len()).any(|t| pair.source.chars(t).len() > 1);
    let runs = runs(operations, by_words);
    let mut remaining = &runs[..];
    let mut spans = Vec::new();
    while let [(effect, span), rest @ ..] = remaining {
        if let Some(moved) = remaining.get(..3).filter(|runs| is_move(runs, pair)) {
            spans.push(span.to(&moved[2].1));
            remaining = &remaining[3..];
            continue;
        }
        if *effect != RunEffect::Keep {
            spans.push(span.clone());
        }
        remaining = rest;
    }
    spans
}

fn runs(operations: &[Operation], by_words: bool) -> Vec<(RunEffect, SpanPair)> {
    let is_one_run = |a: &Operation, b: &Operation| {
        a.kind != OperationKind::Transpose
            && b.kind != OperationKind::Transpose
            && (a.kind == OperationKind::Match) == (b.kind == OperationKind::Match)
    };
    let run = |effect, group: &[Operation]| (effect, group[0].span.to(&group[group.len() - 1].span));
    let is_substitution = |operation: &Operation| operation.kind == OperationKind::Substitute;
    let mut runs = Vec::new();
    for group in operations.chunk_by(is_one_run) {
        match group[0].kind {
            OperationKind::Match => runs.push(run(RunEffect::Keep, group)),
            OperationKind::Transpose => runs.push(run(RunEffect::Reorder, group)),
            _ if by_words && group.iter().all(is_substitution) => {
                runs.extend(group.chunks(1).map(|operation| run(RunEffect::Replace, operation)));
            }
            _ if group.iter().any(is_substitution) => runs.push(run(RunEffect::Replace, group)),
            _ => runs.extend(group.chunk_by(|a, b| a.kind == b.kind).map(|part| {
                let is_deletion = part[0].kind == OperationKind::Delete;
                run(if is_deletion { RunEffect::Delete } else { RunEffect::Insert }, part)
            })),
        }
    }
    runs
}

/// Whether the first of three runs deletes tokens that the last inserts, or the other way round, or the first and the
/// last exchange tokens.
fn is_move(runs: &[(RunEffect, SpanPair)], AnnotatedPair { source, target }: &AnnotatedPair) -> bool {
    let [(first_effect, first), (middle_effect, _), (last_effect, last)] = runs else { return false };
    let is_same = |from: &Range<usize>, to: &Range<usize>| {
        are_nearly_same(&source.forms[from.clone()], &target.forms[to.clone()])
    };
    let is_moved = |from: &Range<usize>, to: &Range<usize>| {
        is_same(from, to) || is_rotation(&source.forms[from.clone()], &target.forms[to.clone()])
    };
    let is_word = |sentence: &AnnotatedSentence, span: &Range<usize>| {
        span.len() > 1 || span.clone().any(|t| sentence.pos_class(t) != pos::PUNCT)
    };
    match (first_effect, middle_effect, last_effect) {
        (RunEffect::Delete, RunEffect::Keep | RunEffect::Reorder, RunEffect::Insert) => {
            is_word(source, &first.source) && is_moved(&first.source, &last.target)
        }
        (RunEffect::Insert, RunEffect::Keep | RunEffect::Reorder, RunEffect::Delete) => {
            is_word(target, &first.target) && is_moved(&last.source, &first.target)
        }
        (RunEffect::Replace, RunEffect::Keep, RunEffect::Replace) => {
            is_same(&first.source, &last.target) && is_same(&last.source, &first.target)
        }
        _ => false,
    }
}

/// Whether two sequences are equal or, from two tokens on, differ in one token. O(tokens).
fn are_nearly_same(a: &[u32], b: &[u32]) -> bool {
    if a == b {
        return true;
    }
    if a.len().min(b.len()) < 2 || a.len().abs_diff(b.len()) > 1 {
        return false;
    }
    let front = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let max_back = a.len().min(b.len()) - front;
    let back = a.iter().rev().zip(b.iter().rev()).take(max_back).take_while(|(x, y)| x == y).count();
    a.len().max(b.len()) - front - back <= 1
}

/// Whether moving the end of the first before its beginning gives the second. O(moved tokens²).
fn is_rotation(a: &[u32], b: &[u32]) -> bool {
    a.len() == b.len()
        && (1..a.len()).any(|split| a[split..] == b[..a.len() - split] && a[..split] == b[a.len() - split..])
}

#[cfg(test)]
mod tests {
    use super::{are_nearly_same, is_rotation};

    #[test]
    fn rotations_move_the_end_to_the_beginning() {
        assert!(is_rotation(&[1, 2, 3], &[2, 3, 1]) && is_rotation(&[1, 1], &[1, 1]));
        assert!(!is_rotation(&[1, 2, 3], &[2, 1, 3]) && !is_rotation(&[1], &[1]) && !is_rotation(&[1, 2], &[2]));
    }

    #[test]
    fn one_token_may_differ() {
        let same = |a: &[u32], b: &[u32]| are_nearly_same(a, b);
        assert!(same(&[1], &[1]) && same(&[1, 2, 3], &[1, 3]) && same(&[1, 2], &[1, 4]) && same(&[1, 1], &[1, 1, 1]));
        assert!(!same(&[1], &[2]) && !same(&[1], &[1, 2]) && !same(&[1, 2], &[2, 1]) && !same(&[1, 2, 3], &[1]));
    }
}
