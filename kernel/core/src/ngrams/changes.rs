//! Changed places: an alignment of a version with the source, as runs of equal tokens and changes between them.
//!
//! Counts are exact for every alignment; a good one has few changed tokens, which saves time.

use std::ops::Range;

/// Source tokens and the tokens that replace them, as positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub source: Range<usize>,
    pub version: Range<usize>,
}

/// Rules of the alignment.
#[derive(Clone, Copy)]
pub struct AlignmentLimits {
    /// Changes with fewer equal tokens between them are one.
    pub gap: usize,
    /// Maximum number of tokens that a change skips in both texts together; the rest is one change otherwise.
    pub reach: usize,
    /// Number of equal tokens that end a change.
    pub run: usize,
}

/// The length of the longest common prefix.
#[inline]
fn common(first: &[u64], second: &[u64]) -> usize {
    first.iter().zip(second).take_while(|(a, b)| a == b).count()
}

/// Appends the changes from `source` to `version`, in order. O(tokens): a search that fails ends the alignment.
pub fn find_changes(mut source: &[u64], mut version: &[u64], limits: AlignmentLimits, changes: &mut Vec<Change>) {
    let AlignmentLimits { gap, reach, run } = limits;
    let shared_end = source.iter().rev().zip(version.iter().rev()).take_while(|(a, b)| a == b).count();
    source = &source[..source.len() - shared_end];
    version = &version[..version.len() - shared_end];
    let first_change = changes.len();
    let (mut at, mut version_at) = (0, 0);
    loop {
        let equal = common(&source[at..], &version[version_at..]);
        (at, version_at) = (at + equal, version_at + equal);
        if at == source.len() && version_at == version.len() {
            return;
        }
        let (skipped, added) = skip(&source[at..], &version[version_at..], reach, run);
        let (end, version_end) = (at + skipped, version_at + added);
        match changes[first_change..].last_mut() {
            Some(previous) if at - previous.source.end < gap => {
                *previous = Change { source: previous.source.start..end, version: previous.version.start..version_end };
            }
            _ => changes.push(Change { source: at..end, version: version_at..version_end }),
        }
        (at, version_at) = (end, version_end);
    }
}

/// The numbers of tokens to skip until `run` tokens, or both rests, are equal: as few as possible, and all if these are
/// more than `reach`. At most reach² / 2 comparisons.
fn skip(source: &[u64], version: &[u64], reach: usize, run: usize) -> (usize, usize) {
    // Tokens, or both ends, are equal; most are not.
    let is_end = |skipped: usize, added: usize| source.get(skipped) == version.get(added);
    let ends_change = |skipped: usize, added: usize| match (source.get(skipped..), version.get(added..)) {
        (Some(source), Some(version)) => {
            let equal = common(&source[..run.min(source.len())], version);
            equal == run || equal == source.len() && equal == version.len()
        }
        _ => false,
    };
    // Most changes replace one token.
    if is_end(1, 1) && ends_change(1, 1) {
        return (1, 1);
    }
    for size in 1..=reach {
        for skipped in 0..=size {
            if is_end(skipped, size - skipped) && ends_change(skipped, size - skipped) {
                return (skipped, size - skipped);
            }
        }
    }
    (source.len(), version.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(source: &str, version: &str, gap: usize) -> Vec<(String, String)> {
        let codes = |line: &str| line.bytes().map(u64::from).collect::<Vec<_>>();
        let mut changes = Vec::new();
        let limits = AlignmentLimits { gap, reach: 12, run: 2 };
        find_changes(&codes(source), &codes(version), limits, &mut changes);
        let mut rebuilt = String::new();
        let (mut at, mut version_at) = (0, 0);
        for Change { source: replaced, version: replacement } in &changes {
            rebuilt.push_str(&source[at..replaced.start]);
            assert_eq!(replaced.start - at, replacement.start - version_at);
            rebuilt.push_str(&version[replacement.clone()]);
            (at, version_at) = (replaced.end, replacement.end);
        }
        assert_eq!(rebuilt + &source[at..], version);
        changes
            .iter()
            .map(|change| (source[change.source.clone()].into(), version[change.version.clone()].into()))
            .collect()
    }

    #[test]
    fn changes_are_found_between_equal_tokens() {
        let pair = |first: &str, second: &str| (first.to_string(), second.to_string());
        assert_eq!(changes("abcdefgh", "abcdefgh", 3), []);
        assert_eq!(changes("abcdefgh", "abXdefgh", 3), [pair("c", "X")]);
        assert_eq!(changes("abcdefghijk", "aXcdefghYijk", 3), [pair("b", "X"), pair("", "Y")]);
        assert_eq!(changes("abcdefghijk", "aXcdefghYijk", 7), [pair("bcdefgh", "XcdefghY")]);
        assert_eq!(changes("abcdefgh", "efgh", 3), [pair("abcd", "")]);
        assert_eq!(changes("", "ab", 3), [pair("", "ab")]);
    }

    #[test]
    fn a_search_that_fails_ends_the_alignment() {
        let (source, version) = ("abcdefghijklmnopqrst", "ABCDEFGHIJKLMNOPQRST");
        assert_eq!(changes(source, version, 3), [(source.to_string(), version.to_string())]);
    }
}
