//! What a version of a sentence has in common with the source, at its start and at its end: most of it, as a rule, so
//! that it need not be cut into tokens and looked up again.

use std::ops::Range;

use super::tokens::Unit;

/// Where a token stands in its line, in bytes.
#[derive(Clone, Copy)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

/// The first `prefix` and the last `suffix` tokens are those of the source; the others stand in the bytes `middle`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shared {
    pub prefix: usize,
    pub suffix: usize,
    pub middle: Range<usize>,
}

/// Of `other` and a source with its tokens' places. O(bytes).
pub fn shared(source: &str, spans: &[Span], other: &str, unit: Unit) -> Shared {
    if spans.is_empty() || unit == Unit::Grapheme {
        return Shared { prefix: 0, suffix: 0, middle: 0..other.len() }; // what follows may join a cluster
    }
    let (a, b) = (source.as_bytes(), other.as_bytes());
    let same = common_prefix(a, b);
    // A token is complete where the next one starts within what is common: so is the white space between.
    let prefix = spans.partition_point(|span| span.start as usize <= same).saturating_sub(1);
    let start = if prefix > 0 { spans[prefix].start as usize } else { 0 };
    let same = common_suffix(&a[start.min(a.len())..], &b[start..]);
    let before = spans.partition_point(|span| (span.end as usize) < a.len() - same);
    match spans.get(before) {
        Some(span) => {
            let end = b.len() - (a.len() - span.end as usize);
            Shared { prefix, suffix: spans.len() - 1 - before, middle: start..end }
        }
        None => Shared { prefix, suffix: 0, middle: start..b.len() },
    }
}

const STEP: usize = 16;

pub fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    let steps = a.chunks_exact(STEP).zip(b.chunks_exact(STEP)).take_while(|(a, b)| a == b).count() * STEP;
    steps + a[steps..].iter().zip(&b[steps..]).take_while(|(a, b)| a == b).count()
}

pub fn common_suffix(a: &[u8], b: &[u8]) -> usize {
    let steps = a.rchunks_exact(STEP).zip(b.rchunks_exact(STEP)).take_while(|(a, b)| a == b).count() * STEP;
    let (a, b) = (&a[..a.len() - steps], &b[..b.len() - steps]);
    steps + a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count()
}
