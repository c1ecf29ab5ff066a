//! F of sums of counts, and the policy `running`: it chooses, sentence by sentence, the reference with the highest F of
//! all sentences so far.
//!
//! A [`FScoreForm`] defines F from counts, independently of metrics. Sums are doubles in the stated order, so that
//! results equal plain Python's to the last bit (integers below 2^53 are exact doubles).

use crate::error::Error;
use crate::interrupt;

/// The weights [K] of the sums of counts [K] that F is computed from, and how candidates are compared.
#[derive(Clone, Debug)]
pub struct FScoreForm {
    pub hit: Vec<f64>,
    pub proposed: Vec<f64>,
    pub gold: Vec<f64>,
    pub wrong: Vec<f64>,
    pub missed: Vec<f64>,
    pub compared: ComparedF,
    /// Beta squared.
    pub square: f64,
    /// Number of decimals of the F by which references are compared, at most [`MAX_DIGITS`]; None: not rounded.
    pub digits: Option<u32>,
    /// Sums that break ties of F, in this order.
    pub ties: Vec<Vec<f64>>,
    pub ties_of: TieCounts,
}

/// The F by which references are compared.
#[derive(Clone, Copy, Debug)]
pub enum ComparedF {
    /// (1 + b²) hit / (b² gold + proposed); if the denominator is 0, 1 without a hit, else 0.
    OfSums,
    /// F of precision and recall.
    OfRatios,
}

/// Counts that break ties: of all sentences so far, or of the sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TieCounts {
    Totals,
    Sentence,
}

/// The largest power of 10 that is an exact double.
pub const MAX_DIGITS: u32 = 22;

/// The weighted sum of counts, from the last column to the first: with columns (hit, a, b), proposed is hit + (a + b),
/// never (hit + a) + b.
pub fn weighted_sum(weights: &[f64], counts: &[f64]) -> f64 {
    let parts = weights.iter().zip(counts).rev().filter(|(&weight, _)| weight != 0.0);
    parts.fold(0.0, |sum, (weight, count)| sum + weight * count)
}

/// The ratio of two sums, 0 if the denominator is 0.
pub fn ratio(numerator: f64, denominator: f64) -> f64 {
    if denominator > 0.0 {
        numerator / denominator
    } else {
        0.0
    }
}

/// Precision hit / proposed, 1 if nothing is wrong, and recall hit / gold, 1 if nothing is missed, of the
/// [`sums`](FScoreForm::sums).
pub fn precision_recall([hit, proposed, gold, wrong, missed]: [f64; 5]) -> [f64; 2] {
    [(wrong, proposed), (missed, gold)].map(|(faults, total)| if faults == 0.0 { 1.0 } else { ratio(hit, total) })
}

impl FScoreForm {
    /// The sums of hits, and of proposed, gold, wrong and missed counts, on which precision and recall depend.
    pub fn sums(&self, totals: &[f64]) -> [f64; 5] {
        [&self.hit, &self.proposed, &self.gold, &self.wrong, &self.missed].map(|weights| weighted_sum(weights, totals))
    }

    /// F of precision and recall: (1 + b²) P R / (b² P + R), or 0.
    pub fn f_of(&self, [precision, recall]: [f64; 2]) -> f64 {
        ratio((1.0 + self.square) * precision * recall, self.square * precision + recall)
    }

    fn of_ratios(&self, totals: &[f64]) -> f64 {
        self.f_of(precision_recall(self.sums(totals)))
    }

    fn of_sums(&self, totals: &[f64]) -> f64 {
        let hit = weighted_sum(&self.hit, totals);
        let denominator = self.square * weighted_sum(&self.gold, totals) + weighted_sum(&self.proposed, totals);
        if denominator > 0.0 {
            (1.0 + self.square) * hit / denominator
        } else {
            f64::from(u8::from(hit == 0.0))
        }
    }

    /// Adds the key by which candidates are compared: F of the totals, then the ties.
    pub fn key(&self, totals: &[f64], sentence: &[f64], key: &mut Vec<f64>) {
        let f = match self.compared {
            ComparedF::OfSums => self.of_sums(totals),
            ComparedF::OfRatios => self.of_ratios(totals),
        };
        key.push(self.digits.map_or(f, |digits| rounded(f, digits)));
        let counts = if self.ties_of == TieCounts::Totals { totals } else { sentence };
        key.extend(self.ties.iter().map(|weights| weighted_sum(weights, counts)));
    }

    /// The number of columns of the counts.
    pub fn columns(&self) -> usize {
        self.hit.len()
    }

    /// Whether every sum has a weight for each column.
    pub fn is_consistent(&self) -> bool {
        let sums = [&self.proposed, &self.gold, &self.wrong, &self.missed];
        sums.into_iter().chain(&self.ties).all(|weights| weights.len() == self.columns())
    }
}

/// `value` rounded like Python's `round`: to the nearest decimal by the exact value of the double, ties to even.
/// `digits` is at most [`MAX_DIGITS`].
pub fn rounded(value: f64, digits: u32) -> f64 {
    const FIRST_WHOLE: f64 = (1u64 << 52) as f64;
    let power = 10f64.powi(digits as i32);
    let scaled = value.abs() * power;
    if scaled.is_nan() || scaled >= FIRST_WHOLE {
        // Larger doubles have no exact decimals to compare; this is rare, so it may be slow.
        return format!("{value:.0$}", digits as usize).parse().unwrap_or(value);
    }
    let (floor, fraction) = (scaled.floor(), scaled.fract());
    // The error of `scaled` is at most half of its last bit, so it matters only if `fraction` is 0.5.
    let past_half = if fraction == 0.5 { value.abs().mul_add(power, -scaled) } else { fraction - 0.5 };
    let rounds_up = past_half > 0.0 || (past_half == 0.0 && floor % 2.0 == 1.0);
    // The quotient of two exact numbers is the double nearest to the decimal.
    ((floor + f64::from(u8::from(rounds_up))) / power).copysign(value)
}

/// Whether `key` is larger than `best` at their first difference.
pub fn is_larger(key: &[f64], best: &[f64]) -> bool {
    key.iter().zip(best).find(|(a, b)| a != b).is_some_and(|(a, b)| a > b)
}

/// The first reference of every sentence whose counts, added to the totals so far, give the highest key, for
/// `counts[sentence][reference][column]` of references that are `present`. `add_key` appends the key of the totals with
/// the sentence, and of the counts of the sentence, to its last argument. Updates `totals` [K]. Err: a sentence
/// without references. O(sentences × references × columns × ties).
pub fn choices(
    counts: &[f64],
    [sentences, references, columns]: [usize; 3],
    present: &[bool],
    totals: &mut [f64],
    add_key: impl Fn(&[f64], &[f64], &mut Vec<f64>),
) -> Result<Vec<i64>, Error> {
    let mut keys = CandidateKeys { totals: vec![0.0; columns], candidate: Vec::new(), best: Vec::new() };
    let mut choices = Vec::with_capacity(sentences);
    for sentence in 0..sentences {
        interrupt::check_interrupt_sometimes()?;
        let is_present = &present[sentence * references..][..references];
        let row = |r: usize| &counts[(sentence * references + r) * columns..][..columns];
        let mut candidates = (0..references).filter(|&r| is_present[r]).peekable();
        let mut best = candidates.next().ok_or(Error::NoReference { sentence })?;
        if candidates.peek().is_some() {
            keys.read(row(best), totals, &add_key);
            keys.keep();
        }
        for r in candidates {
            keys.read(row(r), totals, &add_key);
            if is_larger(&keys.candidate, &keys.best) {
                best = r;
                keys.keep();
            }
        }
        totals.iter_mut().zip(row(best)).for_each(|(total, &count)| *total += count);
        choices.push(best as i64);
    }
    Ok(choices)
}

/// The key of a candidate, and the best key so far.
struct CandidateKeys {
    totals: Vec<f64>,
    candidate: Vec<f64>,
    best: Vec<f64>,
}

impl CandidateKeys {
    /// Computes the key of the totals with the counts of a candidate.
    fn read(&mut self, row: &[f64], totals: &[f64], add_key: impl Fn(&[f64], &[f64], &mut Vec<f64>)) {
        self.totals.iter_mut().zip(totals).zip(row).for_each(|((sum, &total), &count)| *sum = total + count);
        self.candidate.clear();
        add_key(&self.totals, row, &mut self.candidate);
    }

    fn keep(&mut self) {
        std::mem::swap(&mut self.candidate, &mut self.best);
    }
}

/// The first largest reference of each sentence by rows [S, R, K], among those `present`.
pub fn first_largest(
    rows: &[f64],
    [sentences, references, columns]: [usize; 3],
    present: &[bool],
    is_larger: impl Fn(&[f64], &[f64]) -> bool,
) -> Vec<i64> {
    let row = |s: usize, r: usize| &rows[(s * references + r) * columns..][..columns];
    let choice = |s| {
        let candidates = (0..references).filter(|&r| present[s * references + r]);
        let best = candidates.reduce(|best, r| if is_larger(row(s, r), row(s, best)) { r } else { best });
        best.unwrap_or(0) as i64
    };
    (0..sentences).map(choice).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(compared: ComparedF, [proposed, gold, wrong, missed]: [[f64; 3]; 4]) -> FScoreForm {
        let [proposed, gold, wrong, missed] = [proposed, gold, wrong, missed].map(Vec::from);
        let (hit, ties) = (vec![1.0, 0.0, 0.0], vec![vec![1.0, 0.0, 0.0]]);
        let (square, digits, ties_of) = (0.25, None, TieCounts::Totals);
        FScoreForm { hit, proposed, gold, wrong, missed, compared, square, digits, ties, ties_of }
    }

    fn of_sums() -> FScoreForm {
        let (proposed, gold) = ([0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
        form(ComparedF::OfSums, [proposed, gold, proposed, gold])
    }

    #[test]
    fn rounding_is_pythons() {
        for (value, digits, expected) in [
            (0.5, 0, 0.0),
            (1.5, 0, 2.0),
            (2.5, 0, 2.0),
            (2.675, 2, 2.67),
            (0.125, 2, 0.12),
            (0.375, 2, 0.38),
            (0.00005, 4, 0.0001),
            (0.12345, 4, 0.1235),
            (-0.12345, 4, -0.1235),
            (1e300, 4, 1e300),
            (562_949_953_421_312.062_5, 3, 562_949_953_421_312.062),
        ] {
            assert_eq!(rounded(value, digits), expected, "{value} to {digits}");
        }
        assert!(rounded(f64::NAN, 4).is_nan());
        assert_eq!(rounded(f64::INFINITY, 4), f64::INFINITY);
    }

    #[test]
    fn f_without_a_denominator_is_0_or_1() {
        assert_eq!([of_sums().of_sums(&[0.0, 0.0, 0.0]), of_sums().of_sums(&[2.0, 0.0, 0.0])], [1.0, 0.0]);
        let sums = [[1.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let ratios = form(ComparedF::OfRatios, sums);
        assert_eq!([ratios.of_ratios(&[0.0, 0.0, 0.0]), ratios.of_ratios(&[0.0, 1.0, 1.0])], [1.0, 0.0]);
    }

    #[test]
    fn choices_maximise_the_running_f_and_prefer_the_first() {
        let form = of_sums();
        let add_key = |totals: &[f64], sentence: &[f64], key: &mut Vec<f64>| form.key(totals, sentence, key);
        let counts = [1, 1, 1, 1, 1, 1, 9, 9, 9, 0, 1, 1, 1, 2, 1, 0, 0, 5].map(f64::from);
        let present = [true, true, false, true, true, true];
        let mut totals = [0.0; 3];
        assert_eq!(choices(&counts, [2, 3, 3], &present, &mut totals, add_key), Ok(vec![0, 1]));
        assert_eq!(totals, [2.0, 3.0, 2.0]);
        assert_eq!(
            choices(&counts[..9], [1, 3, 3], &[false; 3], &mut totals, add_key),
            Err(Error::NoReference { sentence: 0 })
        );
    }
}
