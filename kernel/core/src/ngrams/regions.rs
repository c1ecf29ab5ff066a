//! The seven regions of n-grams, computed from sums over n-grams by inclusion and exclusion, and precision, recall and
//! F of them.

use super::lanes::Difference;
use crate::scores::geometric_mean::{fraction, geometric_means, MeanArithmetic};

/// The counts of one order: true keep, true delete, true insert, over-delete, over-insert, under-delete, under-insert,
/// and under-delete of n-grams that are not in the reference.
pub const COLUMNS: [&str; 8] = ["tk", "td", "ti", "od", "oi", "ud", "ui", "ud_absent"];

/// The counts of an order, from the number of n-grams of the source and from what hypothesis and reference do to them.
#[inline]
pub fn region_row(size: i32, hypothesis: Difference, reference: Difference, both: Difference) -> [i32; COLUMNS.len()] {
    [
        size - reference.removed - hypothesis.removed + both.removed,
        both.removed,
        both.added,
        hypothesis.removed - both.removed,
        hypothesis.added - both.added,
        reference.removed - both.removed,
        reference.added - both.added,
        reference.lost - both.lost,
    ]
}

/// The number of regions of an order, the first [`COLUMNS`].
pub const REGIONS: usize = 7;

/// The hits of an order, its proposed and its gold n-grams.
pub fn totals(regions: &[f64]) -> [f64; 3] {
    let sum = |columns: std::ops::Range<usize>| regions[columns].iter().sum::<f64>();
    let (hits, over, under) = (sum(0..3), sum(3..5), sum(5..7));
    [hits, hits + over, hits + under]
}

/// Precision (1 if nothing is proposed) and recall (0 if there is nothing to find) as fractions.
fn fractions([hits, proposed, gold]: [f64; 3]) -> [[f64; 2]; 2] {
    [fraction(hits, proposed, 1.0), fraction(hits, gold, 0.0)]
}

/// F of precision and recall as the public code computes it; an infinite beta gives the recall.
pub fn f_score([precision, recall]: [f64; 2], beta: f64) -> f64 {
    if precision == 0.0 || recall == 0.0 {
        return 0.0;
    }
    let alpha = 1.0 / (beta * beta + 1.0);
    1.0 / (alpha / precision + (1.0 - alpha) / recall)
}

/// Geometric means of precision and recall over the [`totals`] of orders.
pub fn precision_recall(orders: impl ExactSizeIterator<Item = [f64; 3]>, arithmetic: MeanArithmetic) -> [f64; 2] {
    geometric_means(orders.map(fractions), 0.0, arithmetic)
}

/// Precision, recall and F of one order.
pub fn of_order(regions: &[f64], beta: f64) -> [f64; 3] {
    let [precision, recall] = fractions(totals(regions)).map(|[hits, total]| hits / total);
    [precision, recall, f_score([precision, recall], beta)]
}

/// Geometric means of precision and recall over the orders of `counts`, and their F.
pub fn over_orders(counts: &[f64], beta: f64) -> [f64; 3] {
    let [precision, recall] = precision_recall(counts.chunks_exact(REGIONS).map(totals), MeanArithmetic::Portable);
    [precision, recall, f_score([precision, recall], beta)]
}

/// The least difference of fast scores by which the published ones differ, with a wide margin.
const CERTAIN_DIFFERENCE: f64 = 1e-9;

/// Whether the first F over all orders is larger; ties are broken by F over fewer and fewer orders.
pub fn is_better(first: &[f64], second: &[f64], beta: f64) -> bool {
    if first == second {
        return false;
    }
    let [first_score, second_score] = [first, second].map(|counts| {
        let orders = counts.chunks_exact(REGIONS).map(totals);
        f_score(precision_recall(orders, MeanArithmetic::Root), beta)
    });
    if (first_score - second_score).abs() > CERTAIN_DIFFERENCE {
        return first_score > second_score;
    }
    let ends = (1..=first.len() / REGIONS).rev().map(|orders| orders * REGIONS);
    let mut pairs = ends.map(|end| [first, second].map(|counts| over_orders(&counts[..end], beta)[2]));
    pairs.find(|[first, second]| first != second).is_some_and(|[first, second]| first > second)
}
