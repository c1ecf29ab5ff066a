//! The tokens that a version shares with the source at its start and end. These are most tokens, and they need not be
//! split and looked up again.

use std::ops::Range;

use super::tokens::Unit;
use crate::text::words::{common_prefix, common_suffix};

/// The position of a token in its line, in bytes.
#[derive(Clone, Copy)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

/// The first `prefix` and the last `suffix` tokens are the source's; the others are in the bytes `middle`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shared {
    pub prefix: usize,
    pub suffix: usize,
    pub middle: Range<usize>,
}

/// Compares `other` with a source and the positions of its tokens. O(bytes).
pub fn shared(source: &str, spans: &[Span], other: &str, unit: Unit) -> Shared {
    if spans.is_empty() || unit == Unit::Grapheme {
        return Shared { prefix: 0, suffix: 0, middle: 0..other.len() }; // what follows may join a cluster
    }
    let (a, b) = (source.as_bytes(), other.as_bytes());
    let same = common_prefix(a, b);
    // A token is complete if the next one starts within the common bytes; the same holds for the white space between.
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
