//! Counts of a sentence, reference and order: sums over n-grams, and the seven regions computed from them by inclusion
//! and exclusion.

/// The counts of one order: true keep, true delete, true insert, over-delete, over-insert, under-delete, under-insert,
/// and under-delete of n-grams that are not in the reference.
pub const COLUMNS: [&str; 8] = ["tk", "td", "ti", "od", "oi", "ud", "ui", "ud_absent"];

/// Sums over the n-grams of an order: |S|, |R|, |H|, |S∩R|, |S∩H|, |R∩H|, |S∩R∩H|, and the n-grams of S∩H not in R.
#[derive(Clone, Copy)]
pub struct OverlapSums {
    pub s: i32,
    pub r: i32,
    pub h: i32,
    pub sr: i32,
    pub sh: i32,
    pub rh: i32,
    pub srh: i32,
    pub absent: i32,
}

/// Output array of the counts of a sentence: `[reference][order][column]`.
pub struct RegionRows<'a> {
    pub n: usize,
    pub columns: usize,
    pub out: &'a mut [i32],
}

impl RegionRows<'_> {
    /// Writes the row of a reference and order.
    #[inline]
    pub fn write(&mut self, reference: usize, order: usize, sums: OverlapSums) {
        let OverlapSums { s, r, h, sr, sh, rh, srh, absent } = sums;
        let row = [srh, s + srh - sr - sh, rh - srh, sr - srh, h + srh - sh - rh, sh - srh, r + srh - sr - rh, absent];
        let start = (reference * self.n + order) * self.columns;
        self.out[start..start + self.columns].copy_from_slice(&row[..self.columns]);
    }
}

/// The number of n-grams that two multisets share.
#[inline]
pub fn shared_sum(first: &[i32], second: &[i32]) -> i32 {
    first.iter().zip(second).map(|(&first, &second)| first.min(second)).sum()
}

/// The number of n-grams of the first multiset that are not in the second.
#[inline]
pub fn absent_sum(first: &[i32], second: &[i32]) -> i32 {
    first.iter().zip(second).map(|(&first, &second)| if second == 0 { first } else { 0 }).sum()
}
