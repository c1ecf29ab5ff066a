//! Precision, recall and F of the seven regions of n-grams, of one order and over several orders.

/// The number of regions of an order: true keep, true delete, true insert, over-delete, over-insert, under-delete,
/// under-insert.
pub const REGIONS: usize = 7;

/// Precision (1 if nothing is proposed) and recall (0 if there is nothing to find).
fn ratios(regions: &[f64]) -> [f64; 2] {
    let sum = |columns: std::ops::Range<usize>| regions[columns].iter().sum::<f64>();
    let (hits, over, under) = (sum(0..3), sum(3..5), sum(5..7));
    [(hits + over, 1.0), (hits + under, 0.0)].map(|(total, empty)| if total > 0.0 { hits / total } else { empty })
}

/// F as the public code computes it; an infinite beta gives the recall.
fn f_score([precision, recall]: [f64; 2], beta: f64) -> f64 {
    if precision == 0.0 || recall == 0.0 {
        return 0.0;
    }
    let alpha = 1.0 / (beta * beta + 1.0);
    1.0 / (alpha / precision + (1.0 - alpha) / recall)
}

/// Precision, recall and F of one order.
pub fn of_order(regions: &[f64], beta: f64) -> [f64; 3] {
    let [precision, recall] = ratios(regions);
    [precision, recall, f_score([precision, recall], beta)]
}

/// Geometric means of precision and recall over the orders of `counts`, and their F.
pub fn over_orders(counts: &[f64], beta: f64) -> [f64; 3] {
    let mut sums = [0.0; 2];
    for regions in counts.chunks_exact(REGIONS) {
        sums.iter_mut().zip(ratios(regions)).for_each(|(sum, ratio)| *sum += logarithm(ratio));
    }
    let orders = (counts.len() / REGIONS) as f64;
    let [precision, recall] = sums.map(|sum| libm::exp(sum / orders));
    [precision, recall, f_score([precision, recall], beta)]
}

/// The natural logarithm, with a shortcut for the frequent ratio 1.
fn logarithm(ratio: f64) -> f64 {
    if ratio == 1.0 {
        0.0
    } else {
        libm::log(ratio)
    }
}

/// Whether the first F over all orders is larger; ties are broken by F over fewer and fewer orders.
pub fn is_better(first: &[f64], second: &[f64], beta: f64) -> bool {
    let ends = (1..=first.len() / REGIONS).rev().map(|orders| orders * REGIONS);
    let mut pairs = ends.map(|end| [first, second].map(|counts| over_orders(&counts[..end], beta)[2]));
    first != second && pairs.find(|[first, second]| first != second).is_some_and(|[first, second]| first > second)
}
