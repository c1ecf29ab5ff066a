//! F of sums of counts, and the policy `running`, which chooses, sentence after sentence, the reference with the highest
//! F of all sentences so far.
//!
//! A [`Form`] defines F from counts, so this module knows no metric. Arithmetic uses doubles in the stated order and
//! thus equals plain Python to the last bit (integers below 2^53 are exact doubles).

use crate::interrupt;
use crate::ranking::number::Number;

/// The form of F for counts [K]: sums of counts, each with weights [K].
#[derive(Clone, Debug)]
pub struct Form {
    pub hit: Vec<f64>,
    pub proposed: Vec<f64>,
    pub gold: Vec<f64>,
    pub wrong: Vec<f64>,
    pub missed: Vec<f64>,
    pub compared: Compared,
    /// Beta squared.
    pub square: f64,
    /// The F by which references are compared is rounded to this number of decimals, at most [`MOST_DIGITS`].
    pub digits: Option<u32>,
    /// Sums that decide between equal F, one after the other.
    pub ties: Vec<Vec<f64>>,
    pub ties_of: TiesOf,
}

/// The F by which references are compared.
#[derive(Clone, Copy, Debug)]
pub enum Compared {
    /// (1 + b²) hit / (b² gold + proposed); if the denominator is 0, 1 without a hit, else 0.
    OfSums,
    /// F of precision and recall.
    OfRatios,
}

/// The counts that break ties: of all sentences so far, or of the sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TiesOf {
    Totals,
    Sentence,
}

/// The largest power of 10 that is an exact double.
pub const MOST_DIGITS: u32 = 22;

/// The weighted sum of counts, from the last column to the first: with columns (hit, a, b), proposed is hit + (a + b),
/// never (hit + a) + b.
fn weighed(weights: &[f64], counts: &[f64]) -> f64 {
    let parts = weights.iter().zip(counts).rev().filter(|(&weight, _)| weight != 0.0);
    parts.fold(0.0, |sum, (weight, count)| sum + weight * count)
}

fn ratio(above: f64, below: f64) -> f64 {
    if below > 0.0 {
        above / below
    } else {
        0.0
    }
}

impl Form {
    /// Precision hit / proposed, 1 if nothing is wrong, and recall hit / gold, 1 if nothing is missed.
    pub fn precision_recall(&self, totals: &[f64]) -> [f64; 2] {
        let hit = weighed(&self.hit, totals);
        [(&self.wrong, &self.proposed), (&self.missed, &self.gold)].map(|(faults, whole)| {
            if weighed(faults, totals) == 0.0 {
                1.0
            } else {
                ratio(hit, weighed(whole, totals))
            }
        })
    }

    /// F of precision and recall: (1 + b²) P R / (b² P + R), or 0.
    pub fn f(&self, totals: &[f64]) -> f64 {
        let [precision, recall] = self.precision_recall(totals);
        ratio((1.0 + self.square) * precision * recall, self.square * precision + recall)
    }

    fn of_sums(&self, totals: &[f64]) -> f64 {
        let hit = weighed(&self.hit, totals);
        let below = self.square * weighed(&self.gold, totals) + weighed(&self.proposed, totals);
        if below > 0.0 {
            (1.0 + self.square) * hit / below
        } else {
            f64::from(u8::from(hit == 0.0))
        }
    }

    /// Adds the key by which candidates are compared: F of the totals, then the ties.
    pub fn key(&self, totals: &[f64], own: &[f64], key: &mut Vec<f64>) {
        let f = match self.compared {
            Compared::OfSums => self.of_sums(totals),
            Compared::OfRatios => self.f(totals),
        };
        key.push(self.digits.map_or(f, |digits| rounded(f, digits)));
        let counts = if self.ties_of == TiesOf::Totals { totals } else { own };
        key.extend(self.ties.iter().map(|weights| weighed(weights, counts)));
    }

    /// Whether every sum has `columns` weights.
    pub fn fits(&self, columns: usize) -> bool {
        let sums = [&self.hit, &self.proposed, &self.gold, &self.wrong, &self.missed];
        sums.into_iter().chain(&self.ties).all(|weights| weights.len() == columns)
    }
}

/// `value` rounded like Python's `round`: to the nearest decimal, to even if two are equally near, by the exact value
/// of the double. `digits` is at most [`MOST_DIGITS`].
pub fn rounded(value: f64, digits: u32) -> f64 {
    const WHOLE: f64 = (1u64 << 52) as f64;
    let power = 10f64.powi(digits as i32);
    let scaled = value.abs() * power;
    if scaled.is_nan() || scaled >= WHOLE {
        // Larger doubles have no exact decimals to compare; this is rare, so it may be slow.
        return format!("{value:.0$}", digits as usize).parse().unwrap_or(value);
    }
    let (whole, rest) = (scaled.floor(), scaled.fract());
    // `rest` is a multiple of the last bit of `scaled`, whose error is half of it, so it matters only at 0.5.
    let past_half = if rest == 0.5 { value.abs().mul_add(power, -scaled) } else { rest - 0.5 };
    let up = past_half > 0.0 || (past_half == 0.0 && whole % 2.0 == 1.0);
    // The quotient of two exact numbers is the double nearest to the decimal.
    ((whole + f64::from(u8::from(up))) / power).copysign(value)
}

/// Whether `key` is larger at the first difference.
pub fn above(key: &[f64], other: &[f64]) -> bool {
    key.iter().zip(other).find(|(a, b)| a != b).is_some_and(|(a, b)| a > b)
}

/// The reference of every sentence whose counts, added to the totals so far, give the highest key, the first among
/// equals; `counts[sentence][reference][column]`, for references that are `present`. `totals` [K] are the sums so far
/// and are updated. Err: the number of a sentence without references. O(sentences × references × columns × ties).
pub fn choices<T: Number>(
    counts: &[T],
    references: usize,
    present: &[bool],
    totals: &mut [T],
    form: &Form,
) -> Result<Vec<i64>, usize> {
    let columns = totals.len();
    let mut scratch = Scratch::new(columns);
    let mut chosen = Vec::with_capacity(present.len() / references.max(1));
    for (s, has) in present.chunks_exact(references.max(1)).enumerate() {
        interrupt::tick();
        let rows = &counts[s * references * columns..][..references * columns];
        let row = |r: usize| &rows[r * columns..][..columns];
        let mut there = (0..references).filter(|&r| has[r]);
        let first = there.next().ok_or(s)?;
        let mut best = first;
        for (n, r) in there.enumerate() {
            if n == 0 {
                scratch.take(row(first), totals, form);
                scratch.keep();
            }
            scratch.take(row(r), totals, form);
            if above(&scratch.key, &scratch.best) {
                best = r;
                scratch.keep();
            }
        }
        totals.iter_mut().zip(row(best)).for_each(|(total, &more)| *total += more);
        chosen.push(best as i64);
    }
    Ok(chosen)
}

/// The key of a candidate, and the best key so far.
struct Scratch {
    totals: Vec<f64>,
    own: Vec<f64>,
    key: Vec<f64>,
    best: Vec<f64>,
}

impl Scratch {
    fn new(columns: usize) -> Self {
        Self { totals: vec![0.0; columns], own: vec![0.0; columns], key: Vec::new(), best: Vec::new() }
    }

    fn take<T: Number>(&mut self, row: &[T], totals: &[T], form: &Form) {
        for (k, (&total, &more)) in totals.iter().zip(row).enumerate() {
            let mut sum = total;
            sum += more;
            (self.totals[k], self.own[k]) = (sum.double(), more.double());
        }
        self.key.clear();
        form.key(&self.totals, &self.own, &mut self.key);
    }

    fn keep(&mut self) {
        std::mem::swap(&mut self.key, &mut self.best);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(compared: Compared, [proposed, gold, wrong, missed]: [[f64; 3]; 4]) -> Form {
        let [proposed, gold, wrong, missed] = [proposed, gold, wrong, missed].map(Vec::from);
        let (hit, ties) = (vec![1.0, 0.0, 0.0], vec![vec![1.0, 0.0, 0.0]]);
        let (square, digits, ties_of) = (0.25, None, TiesOf::Totals);
        Form { hit, proposed, gold, wrong, missed, compared, square, digits, ties, ties_of }
    }

    fn of_sums() -> Form {
        let (proposed, gold) = ([0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
        form(Compared::OfSums, [proposed, gold, proposed, gold])
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
    fn nothing_below_the_line() {
        assert_eq!([of_sums().of_sums(&[0.0, 0.0, 0.0]), of_sums().of_sums(&[2.0, 0.0, 0.0])], [1.0, 0.0]);
        let sums = [[1.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let ratios = form(Compared::OfRatios, sums);
        assert_eq!([ratios.f(&[0.0, 0.0, 0.0]), ratios.f(&[0.0, 1.0, 1.0])], [1.0, 0.0]);
    }

    #[test]
    fn the_first_among_equals_and_the_best_of_all_so_far() {
        let sums = of_sums();
        let counts: [i64; 18] = [1, 1, 1, 1, 1, 1, 9, 9, 9, 0, 1, 1, 1, 2, 1, 0, 0, 5];
        let present = [true, true, false, true, true, true];
        let mut totals = [0; 3];
        assert_eq!(choices(&counts, 3, &present, &mut totals, &sums), Ok(vec![0, 1]));
        assert_eq!(totals, [2, 3, 2]);
        assert_eq!(choices(&counts[..9], 3, &[false; 3], &mut totals, &sums), Err(0));
    }
}
