//! The part of a table that is worked out, and what is certain there.

use std::ops::Range;

/// Diagonals d = j - i: those between the first and the last cell's, and so many on either side.
#[derive(Clone, Copy)]
pub struct Band {
    /// The last cell's.
    pub last: i64,
    pub slack: i64,
}

impl Band {
    /// The target tokens from `first` to `end` that it pairs with source token i.
    #[inline]
    pub fn columns(self, i: usize, first: usize, end: usize) -> Range<usize> {
        let within = |j: i64| (j.max(first as i64) as usize).min(end);
        let (low, high) = (self.last.min(0) - self.slack, self.last.max(0) + self.slack);
        within(i as i64 + low)..within(i as i64 + high + 1)
    }

    /// What the cheapest path beyond the band costs.
    #[inline]
    pub fn beyond(self) -> f64 {
        (self.last.abs() + 2 * (self.slack + 1)) as f64
    }

    /// Up to which cost the cells of diagonal d are certain: what a path from beyond the band costs there. In a cell that is
    /// dearer the true cost may be less, but not less than that.
    #[inline]
    pub fn certain(self, d: i64) -> f64 {
        let (low, high) = (self.last.min(0) - self.slack - 1, self.last.max(0) + self.slack + 1);
        ((d - low) - low).min(high + (high - d)) as f64
    }
}
