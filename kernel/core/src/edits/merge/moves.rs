//! Merging for Chinese: runs of changes, words in another order, and moved words.
//! The rules are ChERRANT's (Zhang et al., NAACL 2022, section 4.2), by characters or by words.

use std::ops::Range;

use crate::edits::align::{Kind, Operation};
use crate::edits::annotated::{Sentence, Span};
use crate::edits::labels::pos;

/// The effect of a run of operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Does {
    Keep,
    Delete,
    Insert,
    Replace,
    Reorder,
}

/// The edits of an alignment, in order. Runs of operations are edits; deletions next to insertions are separate unless
/// something is substituted, substitutions of words are separate from each other, and so are transpositions. Three runs
/// are one edit if the outer two move something across the middle or exchange places. A sentence is by words if its
/// source has a token of several characters; the target does not matter, so all corrections are treated alike. Cost:
/// O(tokens + moved tokens²).
pub fn by_runs(operations: &[Operation], source: &Sentence, target: &Sentence) -> Vec<Span> {
    let by_words = (0..source.len()).any(|t| source.chars(t).len() > 1);
    let runs = runs(operations, by_words);
    let mut spans = Vec::new();
    let mut at = 0;
    while let Some((does, span)) = runs.get(at) {
        if runs.get(at..at + 3).is_some_and(|three| is_move(three, source, target)) {
            let last = &runs[at + 2].1;
            spans.push(between(span, last));
            at += 3;
        } else {
            if *does != Does::Keep {
                spans.push(span.clone());
            }
            at += 1;
        }
    }
    spans
}

fn between(first: &Span, last: &Span) -> Span {
    Span { source: first.source.start..last.source.end, target: first.target.start..last.target.end }
}

fn runs(operations: &[Operation], by_words: bool) -> Vec<(Does, Span)> {
    let together = |a: &Operation, b: &Operation| {
        a.kind != Kind::Transpose && b.kind != Kind::Transpose && (a.kind == Kind::Match) == (b.kind == Kind::Match)
    };
    let mut runs = Vec::new();
    for group in operations.chunk_by(together) {
        let whole = |does| (does, between(&group[0].span, &group[group.len() - 1].span));
        match group[0].kind {
            Kind::Match => runs.push(whole(Does::Keep)),
            Kind::Transpose => runs.push(whole(Does::Reorder)),
            _ if by_words && group.iter().all(|operation| operation.kind == Kind::Substitute) => {
                runs.extend(group.iter().map(|operation| (Does::Replace, operation.span.clone())));
            }
            _ if group.iter().any(|operation| operation.kind == Kind::Substitute) => runs.push(whole(Does::Replace)),
            _ => runs.extend(group.chunk_by(|a, b| a.kind == b.kind).map(|own| {
                let does = if own[0].kind == Kind::Delete { Does::Delete } else { Does::Insert };
                (does, between(&own[0].span, &own[own.len() - 1].span))
            })),
        }
    }
    runs
}

/// Whether something is deleted before the middle and inserted after it, or the other way round; or whether the
/// replacements before and after the middle are the inverse of each other.
fn is_move(three: &[(Does, Span)], source: &Sentence, target: &Sentence) -> bool {
    let [(first, a), (middle, _), (last, b)] = three else { return false };
    let same = |from: &Range<usize>, to: &Range<usize>| nearly_same(&forms(source, from), &forms(target, to));
    let moved = |from, to| same(from, to) || is_rotation(&forms(source, from), &forms(target, to));
    let is_word = |sentence: &Sentence, span: &Range<usize>| {
        span.len() > 1 || span.clone().any(|t| sentence.pos_class(t) != pos::PUNCT)
    };
    match (first, middle, last) {
        (Does::Delete, Does::Keep | Does::Reorder, Does::Insert) => {
            is_word(source, &a.source) && moved(&a.source, &b.target)
        }
        (Does::Insert, Does::Keep | Does::Reorder, Does::Delete) => {
            is_word(target, &a.target) && moved(&b.source, &a.target)
        }
        (Does::Replace, Does::Keep, Does::Replace) => same(&a.source, &b.target) && same(&b.source, &a.target),
        _ => false,
    }
}

fn forms(sentence: &Sentence, span: &Range<usize>) -> Vec<u32> {
    span.clone().map(|t| sentence.form(t)).collect()
}

/// Equal, or, from two tokens on, with one token added, removed or changed. O(tokens).
fn nearly_same(a: &[u32], b: &[u32]) -> bool {
    if a == b {
        return true;
    }
    if a.len().min(b.len()) < 2 || a.len().abs_diff(b.len()) > 1 {
        return false;
    }
    let front = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let most = a.len().min(b.len()) - front;
    let back = a.iter().rev().zip(b.iter().rev()).take(most).take_while(|(x, y)| x == y).count();
    a.len().max(b.len()) - front - back <= 1
}

/// Whether moving the end of one before its beginning gives the other. O(moved tokens²).
fn is_rotation(a: &[u32], b: &[u32]) -> bool {
    a.len() == b.len() && (1..a.len()).any(|cut| a[cut..] == b[..a.len() - cut] && a[..cut] == b[a.len() - cut..])
}

#[cfg(test)]
mod tests {
    use super::{is_rotation, nearly_same};

    #[test]
    fn the_end_before_the_beginning() {
        assert!(is_rotation(&[1, 2, 3], &[2, 3, 1]) && is_rotation(&[1, 1], &[1, 1]));
        assert!(!is_rotation(&[1, 2, 3], &[2, 1, 3]) && !is_rotation(&[1], &[1]) && !is_rotation(&[1, 2], &[2]));
    }

    #[test]
    fn one_token_may_differ_in_two() {
        let same = |a: &[u32], b: &[u32]| nearly_same(a, b);
        assert!(same(&[1], &[1]) && same(&[1, 2, 3], &[1, 3]) && same(&[1, 2], &[1, 4]) && same(&[1, 1], &[1, 1, 1]));
        assert!(!same(&[1], &[2]) && !same(&[1], &[1, 2]) && !same(&[1, 2], &[2, 1]) && !same(&[1, 2, 3], &[1]));
    }
}
