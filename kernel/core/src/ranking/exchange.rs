//! Paired randomisation tests: the scores of two systems that exchange the counts of some sentences.

use crate::ngrams::regions::{self, REGIONS};
use crate::ranking::running::FScoreForm;

/// A score of sums of counts. It equals the score of the metric but for rounding, and takes a fraction of the time.
#[derive(Clone, Debug)]
pub enum TestedScore {
    F(FScoreForm),
    /// F of the geometric means of precision and recall of the n-gram regions. Their weights 1 / (1 + b²), here of the
    /// precision, add up to 1.
    Regions {
        orders: usize,
        weight: f64,
    },
    /// Factors times the rates of hit, 1 - wrong, 1 - under- and 1 - over-correction of the chunks of CLEME2.0.
    Rates([f64; 4]),
    /// GLEU of match, penalty and total of each order, then the lengths of reference and hypothesis.
    Gleu {
        orders: usize,
    },
}

impl TestedScore {
    /// The number of columns of the counts.
    pub fn columns(&self) -> usize {
        match self {
            Self::F(form) => form.columns(),
            Self::Regions { orders, .. } => orders * REGIONS,
            Self::Rates(_) => 5,
            Self::Gleu { orders } => 3 * orders + 2,
        }
    }

    /// Adds the sums of counts on which the score depends.
    fn add_sums(&self, counts: &[f64], sums: &mut Vec<f64>) {
        match self {
            Self::F(form) => sums.extend(form.sums(counts)),
            Self::Regions { .. } => {
                sums.extend(counts.chunks_exact(REGIONS).flat_map(regions::totals));
            }
            Self::Rates(_) => sums.extend(counts),
            Self::Gleu { orders } => {
                let (of_orders, lengths) = counts.split_at(3 * orders);
                sums.extend(of_orders.chunks_exact(3).flat_map(|order| [order[0] - order[1], order[2]]));
                sums.extend(lengths);
            }
        }
    }

    /// The score of these sums.
    fn score(&self, sums: &[f64]) -> f64 {
        match self {
            Self::F(form) => form.f_of([sums[0], sums[1], sums[2], sums[3], sums[4]]),
            &Self::Regions { orders, weight } => {
                let fractions = sums
                    .chunks_exact(3)
                    .map(|order| [fraction(order[0], order[1], 1.0), fraction(order[0], order[2], 0.0)]);
                let [precision, recall] = geometric_means(fractions, orders);
                let below = weight * recall + (1.0 - weight) * precision;
                if precision * recall > 0.0 {
                    precision * recall / below
                } else {
                    0.0
                }
            }
            Self::Rates([hit, right, found, kept]) => {
                let [necessary, unnecessary, missed] = [sums[1], sums[2], sums[3]];
                let (gold, proposed) = (sums[0] + necessary + missed, sums[0] + necessary + unnecessary);
                let rate = |count: f64, total: f64| if total > 0.0 { count / total } else { 0.0 };
                hit * rate(sums[0], gold)
                    + right * (1.0 - rate(necessary, gold))
                    + found * (1.0 - rate(missed, gold))
                    + kept * (1.0 - rate(unnecessary, proposed))
            }
            &Self::Gleu { orders } => {
                let (of_orders, lengths) = sums.split_at(2 * orders);
                let precisions = of_orders.chunks_exact(2).map(|order| [fraction(order[0].max(0.0), order[1], 1.0)]);
                let [precision] = geometric_means(precisions, orders);
                precision * brevity_penalty(lengths[0], lengths[1])
            }
        }
    }
}

/// Numerator and denominator of `hits / total`, which is `empty` for a total of 0.
fn fraction(hits: f64, total: f64, empty: f64) -> [f64; 2] {
    if total > 0.0 {
        [hits, total]
    } else {
        [empty, 1.0]
    }
}

/// The geometric means of N fractions over the orders of n-grams.
fn geometric_means<const N: usize>(fractions: impl Iterator<Item = [[f64; 2]; N]>, orders: usize) -> [f64; N] {
    let product = |fractions| {
        let products: [[f64; 2]; N] = Iterator::fold(fractions, [[1.0; 2]; N], |product, of_order: [[f64; 2]; N]| {
            std::array::from_fn(|k| [product[k][0] * of_order[k][0], product[k][1] * of_order[k][1]])
        });
        products.map(|[hits, total]| hits / total)
    };
    match orders {
        1 => product(fractions),
        2 => product(fractions).map(f64::sqrt),
        4 => product(fractions).map(|product| product.sqrt().sqrt()),
        // The product of many fractions would underflow.
        _ => fractions.fold([1.0; N], |product, of_order| {
            std::array::from_fn(|k| product[k] * libm::pow(of_order[k][0] / of_order[k][1], 1.0 / orders as f64))
        }),
    }
}

fn brevity_penalty(reference: f64, hypothesis: f64) -> f64 {
    if hypothesis >= reference {
        1.0
    } else if hypothesis > 0.0 {
        libm::exp(1.0 - reference / hypothesis)
    } else {
        0.0
    }
}

/// Sums of the counts of systems: of all sentences, `totals[system][choice][column]`, and of the sentences that each
/// replicate exchanges, `exchanged[replicate][system][choice][column]`. A score is the mean over the choices of
/// references.
#[derive(Clone, Copy, Debug)]
pub struct ExchangedCounts<'a> {
    pub systems: usize,
    pub choices: usize,
    pub totals: &'a [f64],
    pub exchanged: &'a [f64],
}

/// For each pair of systems, the number of replicates whose difference of scores is at least as far from 0 as the
/// observed one, less the tolerance. O(replicates × pairs × choices × columns).
pub fn count_extreme(
    tested: &TestedScore,
    counts: ExchangedCounts<'_>,
    pairs: &[(usize, usize)],
    observed: &[f64],
    tolerance: f64,
) -> Vec<i64> {
    let ExchangedCounts { systems, choices, totals, exchanged } = counts;
    let columns = tested.columns();
    let sums_of = |counts: &[f64], sums: &mut Vec<f64>| {
        sums.clear();
        counts.chunks_exact(columns).for_each(|row| tested.add_sums(row, sums));
    };
    let (mut all, mut moved, mut extreme) = (Vec::new(), Vec::new(), vec![0; pairs.len()]);
    sums_of(totals, &mut all);
    let width = all.len() / (systems * choices).max(1);
    let (mut first, mut second) = (vec![0.0; width], vec![0.0; width]);
    for replicate in exchanged.chunks_exact((systems * choices * columns).max(1)) {
        sums_of(replicate, &mut moved);
        for ((&(a, b), &observed), count) in pairs.iter().zip(observed).zip(&mut extreme) {
            let mut difference = 0.0;
            for choice in 0..choices {
                let [a, b] = [a, b].map(|system| (system * choices + choice) * width);
                let sums = all[a..a + width].iter().zip(&all[b..b + width]);
                let gained = moved[a..a + width].iter().zip(&moved[b..b + width]).map(|(lost, gained)| gained - lost);
                for (((a, b), gained), (first, second)) in sums.zip(gained).zip(first.iter_mut().zip(&mut second)) {
                    (*first, *second) = (a + gained, b - gained);
                }
                difference += tested.score(&first) - tested.score(&second);
            }
            // A difference without a value counts, as a tie does.
            let is_nearer = (difference / choices as f64).abs() < observed.abs() - tolerance;
            *count += i64::from(!is_nearer);
        }
    }
    extreme
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_of_roots_and_of_products_agree() {
        let fractions = [[1.0, 2.0], [1.0, 4.0], [3.0, 8.0], [3.0, 4.0]];
        for orders in 1..=4 {
            let logs: f64 = fractions[..orders].iter().map(|[hits, total]: &[f64; 2]| (hits / total).ln()).sum();
            let [mean] = geometric_means(fractions[..orders].iter().map(|&fraction| [fraction]), orders);
            assert!((mean - (logs / orders as f64).exp()).abs() < 1e-15);
        }
    }

    #[test]
    fn regions_score_as_over_orders() {
        let counts: Vec<f64> = (0..28).map(|k| f64::from(k * 5 % 11)).collect();
        let (tested, mut sums) = (TestedScore::Regions { orders: 4, weight: 0.2 }, Vec::new());
        tested.add_sums(&counts, &mut sums);
        assert!((tested.score(&sums) - regions::over_orders(&counts, 2.0)[2]).abs() < 1e-15);
    }

    #[test]
    fn only_the_replicate_of_the_observed_difference_is_as_extreme() {
        let tested = TestedScore::Gleu { orders: 1 };
        // Match, penalty, total and lengths: precision 1 against 1/2; the second replicate exchanges everything.
        let totals = [4.0, 0.0, 4.0, 4.0, 4.0, 2.0, 0.0, 4.0, 4.0, 4.0];
        let half = totals.map(|count| count / 2.0);
        let counts = ExchangedCounts { systems: 2, choices: 1, totals: &totals, exchanged: &[half, totals].concat() };
        assert_eq!(count_extreme(&tested, counts, &[(0, 1)], &[0.5], 1e-9), [1]);
        assert_eq!(count_extreme(&tested, counts, &[(0, 1)], &[f64::NAN], 1e-9), [2]);
    }
}
