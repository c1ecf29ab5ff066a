//! Insertions before one source token: gold insertions are consumed in order, from both ends inwards.

use crate::lattice::problem::{Clock, Stop, Target, Token};

/// The arc list entries of one insertion point in the order of (from, to), as hypothesis positions.
pub trait Entries {
    fn len(&self) -> usize;
    /// The hypothesis tokens `from..to` that entry `at` inserts.
    fn span(&self, at: usize) -> (u32, u32);
}

impl Entries for Vec<(u32, u32)> {
    fn len(&self) -> usize {
        Vec::len(self)
    }

    fn span(&self, at: usize) -> (u32, u32) {
        self[at]
    }
}

/// Walks over the entries from both ends alternately and calls `act(entry, span, matched)` for each; an entry may occur
/// twice. After a match, the entries up to the one that continues it are skipped (unmatched).
/// Cost: O(entries × gold insertions).
pub fn consume(
    entries: &impl Entries,
    gold: &[&Target],
    hypothesis: &[Token],
    clock: Clock,
    mut act: impl FnMut(usize, (u32, u32), bool),
) -> Result<(), Stop> {
    let length = entries.len();
    let (mut left, mut right) = (0, length);
    let (mut first, mut last) = (0, gold.len());
    let mut from_left = true;
    while left < right {
        if (left + right) % (1 << 14) == 0 {
            clock.check()?;
        }
        let at = if from_left { left } else { right - 1 };
        // At the last entry both ends meet, and the official scorer treats it as the left one.
        from_left = at == left;
        let (from, to) = entries.span(at);
        let text = &hypothesis[from as usize..to as usize];
        let wanted = |i: &usize| gold[*i].alternatives.iter().any(|tokens| tokens == text);
        let matched = if from_left { (first..last).find(wanted) } else { (first..last).rev().find(wanted) };
        act(at, (from, to), matched.is_some());
        match (matched, from_left) {
            (Some(i), true) => {
                first = i + 1;
                left += 1;
                while left < length {
                    let span = entries.span(left);
                    if span.0 == to {
                        break;
                    }
                    act(left, span, false);
                    left += 1;
                }
            }
            (Some(i), false) => {
                last = i;
                right -= 1;
                while right > 0 {
                    let span = entries.span(right - 1);
                    if span.1 == from {
                        break;
                    }
                    act(right - 1, span, false);
                    right -= 1;
                }
            }
            (None, true) => {
                left += 1;
                from_left = false;
            }
            (None, false) => {
                right -= 1;
                from_left = true;
            }
        }
    }
    Ok(())
}
