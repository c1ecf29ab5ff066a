//! The computed part of a table, and the cells that are certain in it.

use std::ops::Range;

/// Diagonals d = j - i: the ones between the first and the last cell, and this number on either side.
#[derive(Clone, Copy)]
pub struct Band {
    /// The diagonal of the last cell.
    pub last: i64,
    pub slack: i64,
}

impl Band {
    /// The target tokens, from `first` to `end`, that the band pairs with source token i.
    #[inline]
    pub fn columns(self, i: usize, first: usize, end: usize) -> Range<usize> {
        let within = |j: i64| (j.max(first as i64) as usize).min(end);
        let (low, high) = (self.last.min(0) - self.slack, self.last.max(0) + self.slack);
        within(i as i64 + low)..within(i as i64 + high + 1)
    }

    /// Cost of the cheapest path outside the band.
    #[inline]
    pub fn beyond(self) -> f64 {
        (self.last.abs() + 2 * (self.slack + 1)) as f64
    }

    /// The cost up to which cells of diagonal d are certain: the cost of a path from outside the band. The true cost of
    /// a more expensive cell may be lower, but not below this value.
    #[inline]
    pub fn certain(self, d: i64) -> f64 {
        let (low, high) = (self.last.min(0) - self.slack - 1, self.last.max(0) + self.slack + 1);
        ((d - low) - low).min(high + (high - d)) as f64
    }
}
