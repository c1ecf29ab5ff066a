//! Formulas of scores: a score of sums of counts, by its parts.

use std::sync::Arc;

use crate::ngrams::regions::{self, REGIONS};
use crate::scores::geometric_mean::{fraction, geometric_means, platform_logarithm, MeanArithmetic};
use crate::scores::running::{self, ratio, FScoreForm};

/// The score of a metric from counts [K]. Each formula stands here once, or in the function that it calls.
#[derive(Clone, Debug)]
pub enum ScoreFormula {
    /// F of precision and recall.
    F(Arc<FScoreForm>),
    /// F of the geometric means of precision and recall over the orders of n-gram regions (GREEN).
    Regions { orders: usize, beta: f64 },
    /// GLEU of match, penalty and total of each order, then the lengths of reference and hypothesis.
    Gleu { orders: usize },
    /// Factors times the rates of hit, 1 - wrong, 1 - under- and 1 - over-correction of the chunks of CLEME2.0.
    Rates([f64; 4]),
}

/// Whether a score is the published one, or may differ in its last bits to take less time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    Published,
    Fast,
}

impl ScoreFormula {
    /// The number of columns of the counts.
    pub fn columns(&self) -> usize {
        match self {
            Self::F(form) => form.columns(),
            Self::Regions { orders, .. } => orders * REGIONS,
            Self::Gleu { orders } => 3 * orders + 2,
            Self::Rates(_) => 5,
        }
    }

    /// The number of parts.
    pub fn number_of_parts(&self) -> usize {
        match self {
            Self::F(_) | Self::Regions { .. } => 2,
            Self::Gleu { orders } => orders + 1,
            Self::Rates(_) => 4,
        }
    }

    /// Adds the sums of counts on which the score depends. They are linear in the counts.
    pub fn add_sums(&self, counts: &[f64], sums: &mut Vec<f64>) {
        match self {
            Self::F(form) => sums.extend(form.sums(counts)),
            Self::Regions { .. } => sums.extend(counts.chunks_exact(REGIONS).flat_map(regions::totals)),
            Self::Gleu { orders } => {
                let (of_orders, lengths) = counts.split_at(3 * orders);
                sums.extend(of_orders.chunks_exact(3).flat_map(|order| [order[0] - order[1], order[2]]));
                sums.extend(lengths);
            }
            Self::Rates(_) => sums.extend(&counts[..4]),
        }
    }

    /// The score of the sums.
    #[inline(always)]
    pub fn score(&self, sums: &[f64], precision: Precision) -> f64 {
        let arithmetic = |published| if precision == Precision::Fast { MeanArithmetic::Root } else { published };
        match self {
            Self::F(form) => form.f_of(precision_recall(sums)),
            &Self::Regions { beta, .. } => {
                let means = regions::precision_recall(orders_of(sums), arithmetic(MeanArithmetic::Portable));
                regions::f_score(means, beta)
            }
            Self::Gleu { orders } => {
                let (of_orders, lengths) = sums.split_at(2 * orders);
                let precisions = of_orders.chunks_exact(2).map(|order| [gleu_precision(order)]);
                let log_brevity = log_brevity_penalty(lengths[0], lengths[1]);
                let [score] = geometric_means(precisions, log_brevity, arithmetic(MeanArithmetic::Platform));
                score
            }
            Self::Rates(factors) => {
                let [hit, wrong, under, over] = rates(sums);
                factors[0] * hit + factors[1] * (1.0 - wrong) + factors[2] * (1.0 - under) + factors[3] * (1.0 - over)
            }
        }
    }

    /// Adds the parts of the score of the sums: precision and recall; of GLEU the logarithms of the precisions of the
    /// orders and of the brevity penalty; hit, wrong, under- and over-correction.
    pub fn add_parts(&self, sums: &[f64], parts: &mut Vec<f64>) {
        match self {
            Self::F(_) => parts.extend(precision_recall(sums)),
            Self::Regions { .. } => {
                parts.extend(regions::precision_recall(orders_of(sums), MeanArithmetic::Portable));
            }
            Self::Gleu { orders } => {
                let (of_orders, lengths) = sums.split_at(2 * orders);
                parts.extend(of_orders.chunks_exact(2).map(|order| platform_logarithm(gleu_precision(order))));
                parts.push(log_brevity_penalty(lengths[0], lengths[1]));
            }
            Self::Rates(_) => parts.extend(rates(sums)),
        }
    }
}

#[inline]
fn precision_recall(sums: &[f64]) -> [f64; 2] {
    running::precision_recall([sums[0], sums[1], sums[2], sums[3], sums[4]])
}

fn orders_of(sums: &[f64]) -> impl ExactSizeIterator<Item = [f64; 3]> + '_ {
    sums.chunks_exact(3).map(|order| [order[0], order[1], order[2]])
}

/// The precision of match - penalty and total, as a fraction: 1 without n-grams, and never below 0.
fn gleu_precision(order: &[f64]) -> [f64; 2] {
    fraction(order[0].max(0.0), order[1], 1.0)
}

/// The logarithm of the brevity penalty: 0 unless the hypothesis is shorter than the reference.
fn log_brevity_penalty(reference: f64, hypothesis: f64) -> f64 {
    if hypothesis >= reference {
        0.0
    } else if hypothesis > 0.0 {
        1.0 - reference / hypothesis
    } else {
        f64::NEG_INFINITY
    }
}

/// The rates of hit, wrong, under- and over-correction.
fn rates(sums: &[f64]) -> [f64; 4] {
    let [hits, necessary, unnecessary, missed] = [sums[0], sums[1], sums[2], sums[3]];
    let gold = hits + necessary + missed;
    let over = ratio(unnecessary, hits + necessary + unnecessary);
    [ratio(hits, gold), ratio(necessary, gold), ratio(missed, gold), over]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(formula: &ScoreFormula, counts: &[f64], precision: Precision) -> f64 {
        let mut sums = Vec::new();
        formula.add_sums(counts, &mut sums);
        formula.score(&sums, precision)
    }

    #[test]
    fn regions_score_as_over_orders() {
        let counts: Vec<f64> = (0..28).map(|k| f64::from(k * 5 % 11)).collect();
        let formula = ScoreFormula::Regions { orders: 4, beta: 2.0 };
        let published = regions::over_orders(&counts, 2.0)[2];
        assert_eq!(score(&formula, &counts, Precision::Published), published);
        assert!((score(&formula, &counts, Precision::Fast) - published).abs() < 1e-15);
    }

    #[test]
    fn gleu_of_empty_texts_is_1_and_of_an_empty_hypothesis_0() {
        let formula = ScoreFormula::Gleu { orders: 1 };
        for (counts, expected) in [([0.0; 5], 1.0), ([0.0, 0.0, 0.0, 3.0, 0.0], 0.0), ([1.0, 2.0, 4.0, 1.0, 4.0], 0.0)]
        {
            for precision in [Precision::Published, Precision::Fast] {
                assert_eq!(score(&formula, &counts, precision), expected);
            }
        }
    }

    #[test]
    fn rates_without_gold_chunks_are_0() {
        let formula = ScoreFormula::Rates([0.4, 0.3, 0.2, 0.1]);
        assert_eq!(score(&formula, &[0.0, 0.0, 1.0, 0.0, 5.0], Precision::Published), 0.3 + 0.2);
    }
}
