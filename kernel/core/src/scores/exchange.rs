//! Paired randomisation tests: the scores of two systems that exchange the counts of some sentences.

use crate::numbers::Numbers;
use crate::scores::formulas::{Precision, ScoreFormula};

/// The largest error of a difference of two fast scores, with a wide margin. Scores whose fast form differs are at most
/// 1.
const LARGEST_ERROR: f64 = 1e-12;

/// Sums of the counts of systems: of all sentences, `totals[system][choice][column]`, and of the sentences that each
/// replicate exchanges, `exchanged[replicate][system][choice][column]`. A score is the mean over the choices of
/// references.
#[derive(Clone, Copy, Debug)]
pub struct ExchangedCounts<'a> {
    pub systems: usize,
    pub choices: usize,
    pub totals: Numbers<'a>,
    pub exchanged: Numbers<'a>,
}

/// For each pair of systems, the number of replicates whose difference of scores is at least as far from 0 as the
/// observed one, less the tolerance. The published scores decide: fast ones do where they are far from the threshold.
/// O(replicates × pairs × choices × columns).
pub fn count_extreme(
    formula: &ScoreFormula,
    counts: ExchangedCounts<'_>,
    pairs: &[(usize, usize)],
    observed: &[f64],
    tolerance: f64,
) -> Vec<i64> {
    let ExchangedCounts { systems, choices, totals, exchanged } = counts;
    let (columns, rows) = (formula.columns(), systems * choices);
    let sums_of = |counts: &[f64], sums: &mut Vec<f64>| {
        sums.clear();
        counts.chunks_exact(columns).for_each(|row| formula.add_sums(row, sums));
    };
    let (mut all, mut moved, mut extreme) = (Vec::new(), Vec::new(), vec![0; pairs.len()]);
    sums_of(&totals.doubles(), &mut all);
    let width = all.len() / rows.max(1);
    let (mut first, mut second, mut buffer) = (vec![0.0; width], vec![0.0; width], Vec::new());
    for start in (0..exchanged.len()).step_by((rows * columns).max(1)) {
        sums_of(exchanged.read(start..start + rows * columns, &mut buffer), &mut moved);
        for ((&(a, b), &observed), count) in pairs.iter().zip(observed).zip(&mut extreme) {
            let mut difference_of = |precision: Precision| {
                let mut difference = 0.0;
                for choice in 0..choices {
                    let [a, b] = [a, b].map(|system| (system * choices + choice) * width);
                    let sums = all[a..a + width].iter().zip(&all[b..b + width]);
                    let gained =
                        moved[a..a + width].iter().zip(&moved[b..b + width]).map(|(lost, gained)| gained - lost);
                    for (((a, b), gained), (first, second)) in sums.zip(gained).zip(first.iter_mut().zip(&mut second)) {
                        (*first, *second) = (a + gained, b - gained);
                    }
                    difference += formula.score(&first, precision) - formula.score(&second, precision);
                }
                f64::abs(difference / choices as f64)
            };
            let threshold = observed.abs() - tolerance;
            let mut difference = difference_of(Precision::Fast);
            if difference.is_nan() || (difference - threshold).abs() <= LARGEST_ERROR {
                difference = difference_of(Precision::Published);
            }
            // A difference without a value counts, as a tie does.
            let is_nearer = difference < threshold;
            *count += i64::from(!is_nearer);
        }
    }
    extreme
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_replicate_of_the_observed_difference_is_as_extreme() {
        let formula = ScoreFormula::Gleu { orders: 1 };
        // Match, penalty, total and lengths: precision 1 against 1/2; the second replicate exchanges everything.
        let totals = [4, 0, 4, 4, 4, 2, 0, 4, 4, 4];
        let exchanged = [totals.map(|count| count / 2), totals].concat();
        let [totals, exchanged] = [&totals[..], &exchanged].map(Numbers::Integers);
        let counts = ExchangedCounts { systems: 2, choices: 1, totals, exchanged };
        assert_eq!(count_extreme(&formula, counts, &[(0, 1)], &[0.5], 1e-9), [1]);
        assert_eq!(count_extreme(&formula, counts, &[(0, 1)], &[f64::NAN], 1e-9), [2]);
    }

    #[test]
    fn at_the_threshold_the_published_scores_decide() {
        let formula = ScoreFormula::Regions { orders: 2, beta: 1.0 };
        let totals: Vec<f64> = (0..28).map(|k| f64::from(1 + k * 5 % 11)).collect();
        let [first, second] = [&totals[..14], &totals[14..]].map(|counts| {
            let mut sums = Vec::new();
            formula.add_sums(counts, &mut sums);
            formula.score(&sums, Precision::Published)
        });
        let exchanged = [0.0; 28];
        let [totals, exchanged] = [&totals[..], &exchanged].map(Numbers::Doubles);
        let counts = ExchangedCounts { systems: 2, choices: 1, totals, exchanged };
        let observed = (first - second).abs();
        assert_eq!(count_extreme(&formula, counts, &[(0, 1)], &[observed], 0.0), [1]);
        assert_eq!(count_extreme(&formula, counts, &[(0, 1)], &[observed.next_up()], 0.0), [0]);
    }
}
