//! Matching of insertions before one source token with gold insertions, from both ends inwards.

use crate::lattice::problem::{Clock, GoldTarget, Stop, TokenId};

/// Calls `visit(entry, span, is_matched)` for the entries of one insertion point in the arc list, from both ends
/// alternately; an entry may be visited twice. `span_of(entry)` are the hypothesis tokens `from..to` that it inserts,
/// and entries have the order of (from, to). After a match, the entries up to the one that continues it are unmatched.
/// Cost: O(entries × gold insertions).
pub fn match_insertions(
    entries: usize,
    span_of: impl Fn(usize) -> (u32, u32),
    gold: &[&GoldTarget],
    hypothesis: &[TokenId],
    clock: Clock,
    mut visit: impl FnMut(usize, (u32, u32), bool),
) -> Result<(), Stop> {
    let (mut left, mut right) = (0, entries);
    let (mut first, mut last) = (0, gold.len());
    let mut is_left = true;
    while left < right {
        if (left + right) % (1 << 14) == 0 {
            clock.check()?;
        }
        let entry = if is_left { left } else { right - 1 };
        // Both ends meet at the last entry; the official scorer visits it from the left.
        is_left = entry == left;
        let (from, to) = span_of(entry);
        let text = &hypothesis[from as usize..to as usize];
        let is_match = |number: &usize| gold[*number].alternatives.iter().any(|tokens| tokens == text);
        let matched = if is_left { (first..last).find(is_match) } else { (first..last).rev().find(is_match) };
        visit(entry, (from, to), matched.is_some());
        if is_left {
            left += 1;
        } else {
            right -= 1;
        }
        let Some(number) = matched else {
            is_left = !is_left;
            continue;
        };
        if is_left {
            first = number + 1;
            let continues = |entry: &usize| span_of(*entry).0 == to;
            let next = (left..entries).find(continues).unwrap_or(entries);
            (left..next).for_each(|entry| visit(entry, span_of(entry), false));
            left = next;
        } else {
            last = number;
            let continues = |entry: &usize| span_of(*entry).1 == from;
            let next = (0..right).rev().find(continues).map_or(0, |entry| entry + 1);
            (next..right).rev().for_each(|entry| visit(entry, span_of(entry), false));
            right = next;
        }
    }
    Ok(())
}
