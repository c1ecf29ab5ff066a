//! Source, hypothesis and reference aligned token by token, all three at once (Felice and Briscoe, NAACL 2015).
//!
//! Every pair of tokens in a column costs 0 if they are equal, 3 if they differ, and 2 if one of them is missing; the
//! sum over all pairs is minimal. Ties in the trace back prefer, in this order, a column of all three, of source and
//! hypothesis, of source and reference, of hypothesis and reference, of source, of hypothesis, of reference.
//!
//! Most cells of the table lie on no cheap path. The tables of the three pairs give a lower bound of the cost through a
//! cell, and cells whose bound exceeds the cost of some alignment are skipped (Carrillo and Lipman, SIAM Journal on
//! Applied Mathematics 48.5, 1988). All best paths remain, and thus the result of the trace back.

const MISMATCH: u32 = 3;
const GAP: u32 = 2;

/// Texts that have a token in a column.
pub const SOURCE: u8 = 1;
pub const HYPOTHESIS: u8 = 2;
pub const REFERENCE: u8 = 4;

/// Columns in the order of preference.
const ORDER: [u8; 7] = [7, SOURCE | HYPOTHESIS, SOURCE | REFERENCE, HYPOTHESIS | REFERENCE, 1, 2, 4];

const FAR: u32 = u32::MAX / 2;

/// Memory reused for all alignments.
#[derive(Debug, Default)]
pub struct Scratch {
    steps: Vec<u8>,
    before: Vec<u32>,
    here: Vec<u32>,
}

/// The number of cells of an alignment of sentences of these lengths.
pub fn cells(lengths: [usize; 3]) -> usize {
    lengths.iter().fold(1, |cells, length| cells.saturating_mul(length + 1))
}

/// A source and a hypothesis, to be aligned with one reference after the other.
pub struct Sentence<'a> {
    source: &'a [u32],
    hypothesis: &'a [u32],
    /// Both aligned, and the extra costs of their alignments; None if they are equal.
    both: Option<(Vec<u8>, Slack)>,
}

impl<'a> Sentence<'a> {
    pub fn new(source: &'a [u32], hypothesis: &'a [u32], scratch: &mut Scratch) -> Self {
        let aligned = || (pair(source, hypothesis, scratch), Slack::of(source, hypothesis));
        Self { source, hypothesis, both: (source != hypothesis).then(aligned) }
    }

    /// The columns of the alignments, in order, of the hypothesis and of the source in its place: which of the three
    /// texts have a token.
    ///
    /// If the source equals one of the others, only two are aligned. O(product of the lengths) bytes, and time in the
    /// worst case; O(product of two lengths) for similar sentences.
    pub fn align(&self, reference: &[u32], scratch: &mut Scratch) -> [Vec<u8>; 2] {
        let with_reference = pair(self.source, reference, scratch);
        let base = widened(&with_reference, SOURCE | HYPOTHESIS, REFERENCE);
        let own = match &self.both {
            None => base.clone(),
            Some((steps, _)) if self.source == reference => widened(steps, SOURCE | REFERENCE, HYPOTHESIS),
            Some((steps, slack)) => {
                let texts = [self.source, self.hypothesis, reference];
                let budget = some_cost(texts, [steps, &with_reference]);
                three(texts, slack, budget, scratch)
            }
        };
        [own, base]
    }
}

/// The steps of a pair of texts in columns of three.
fn widened(steps: &[u8], first: u8, second: u8) -> Vec<u8> {
    steps.iter().map(|&step| [0, first, second, first | second][usize::from(step)]).collect()
}

/// The number of tokens at the end that all texts share. A column of all texts is best for them, and preferred.
fn common_end(texts: &[&[u32]]) -> usize {
    let shortest = texts.iter().map(|text| text.len()).min().unwrap_or(0);
    let same = |&back: &usize| texts.iter().all(|text| text[text.len() - back] == texts[0][texts[0].len() - back]);
    (1..=shortest).take_while(same).count()
}

fn differ(one: u32, other: u32) -> u32 {
    MISMATCH * u32::from(one != other)
}

/// Aligns two sequences: 3 means a token of both, 1 and 2 a token of the first and of the second.
fn pair(first: &[u32], second: &[u32], scratch: &mut Scratch) -> Vec<u8> {
    let end = common_end(&[first, second]);
    let (first, second) = (&first[..first.len() - end], &second[..second.len() - end]);
    let width = second.len() + 1;
    let Scratch { steps, before, here } = scratch;
    reset(steps, (first.len() + 1) * width, 0);
    reset(before, width, FAR);
    reset(here, width, FAR);
    for i in 0..=first.len() {
        for k in 0..width {
            let (mut best, mut step) = if i + k == 0 { (0, 0) } else { (FAR, 0) };
            let mut offer = |cost: u32, by: u8| {
                if cost < best {
                    (best, step) = (cost, by);
                }
            };
            if i > 0 && k > 0 {
                offer(before[k - 1] + differ(first[i - 1], second[k - 1]), 3);
            }
            if i > 0 {
                offer(before[k] + GAP, 1);
            }
            if k > 0 {
                offer(here[k - 1] + GAP, 2);
            }
            here[k] = best;
            steps[i * width + k] = step;
        }
        std::mem::swap(before, here);
    }
    let (mut i, mut k) = (first.len(), second.len());
    let mut found = trace(|| {
        let step = steps[i * width + k];
        i -= usize::from(step & 1);
        k -= usize::from(step >> 1);
        step
    });
    found.resize(found.len() + end, 3);
    found
}

/// The extra cost of a pair's alignment through each cell, compared with the best one; and the cost of the best one.
struct Slack {
    width: usize,
    cells: Vec<u32>,
    best: u32,
}

impl Slack {
    fn of(first: &[u32], second: &[u32]) -> Self {
        let width = second.len() + 1;
        let backwards = |own: &[u32]| own.iter().rev().copied().collect::<Vec<_>>();
        let mut cells = distances(first, second);
        let rest = distances(&backwards(first), &backwards(second));
        let best = rest[rest.len() - 1];
        cells.iter_mut().zip(rest.iter().rev()).for_each(|(cell, rest)| *cell = *cell + rest - best);
        Self { width, cells, best }
    }

    fn row(&self, i: usize) -> &[u32] {
        &self.cells[i * self.width..][..self.width]
    }
}

/// The costs of aligning the first i with the first k of two sequences, for all i and k.
fn distances(first: &[u32], second: &[u32]) -> Vec<u32> {
    let width = second.len() + 1;
    let mut cells = vec![0; (first.len() + 1) * width];
    cells[..width].iter_mut().zip((0..).step_by(GAP as usize)).for_each(|(cell, cost)| *cell = cost);
    for (i, &one) in first.iter().enumerate() {
        let (above, row) = cells[i * width..].split_at_mut(width);
        let mut left = above[0] + GAP;
        row[0] = left;
        for ((cell, near), &other) in row[1..].iter_mut().zip(above.windows(2)).zip(second) {
            left = (left.min(near[1]) + GAP).min(near[0] + differ(one, other));
            *cell = left;
        }
    }
    cells
}

/// The cost of aligning hypothesis and reference with the source separately, with their insertions side by side.
fn some_cost([source, hypothesis, reference]: [&[u32]; 3], [with_h, with_r]: [&[u8]; 2]) -> u32 {
    let (mut h_steps, mut r_steps) = (with_h.iter().peekable(), with_r.iter().peekable());
    let (mut s, mut h, mut r) = (source.iter(), hypothesis.iter(), reference.iter());
    let mut cost = 0;
    loop {
        let inserts = [h_steps.next_if(|&&step| step == 2).is_some(), r_steps.next_if(|&&step| step == 2).is_some()];
        let (own, of_h, of_r) = match inserts {
            [false, false] => {
                let (Some(h_step), Some(r_step)) = (h_steps.next(), r_steps.next()) else { return cost };
                (s.next(), *h_step == 3, *r_step == 3)
            }
            [of_h, of_r] => (None, of_h, of_r),
        };
        let column = [own, of_h.then(|| h.next()).flatten(), of_r.then(|| r.next()).flatten()];
        for (one, other) in [(0, 1), (0, 2), (1, 2)] {
            cost += match (column[one], column[other]) {
                (Some(&one), Some(&other)) => differ(one, other),
                (None, None) => 0,
                _ => GAP,
            };
        }
    }
}

/// Aligns three sequences at a cost of at most `most`; `sh_slack` is the slack of source and hypothesis.
///
/// Costs are stored in planes with a border of expensive cells, so that no step leaves the table.
fn three(texts: [&[u32]; 3], sh_slack: &Slack, most: u32, scratch: &mut Scratch) -> Vec<u8> {
    let end = common_end(&texts);
    let [source, hypothesis, reference] = texts.map(|text| &text[..text.len() - end]);
    let (rows, width) = (hypothesis.len() + 1, reference.len() + 1);
    let pitch = width + 1;
    let [sr_slack, hr_slack] = [source, hypothesis].map(|own| Slack::of(own, reference));
    // The slack of whole texts is never more than the slack without a common end.
    let budget = most - (sh_slack.best + sr_slack.best + hr_slack.best);
    let Scratch { steps, before, here } = scratch;
    reset(steps, (source.len() + 1) * rows * width, 0);
    reset(before, (rows + 1) * pitch, FAR);
    for i in 0..=source.len() {
        reset(here, (rows + 1) * pitch, FAR);
        let sr_row = sr_slack.row(i);
        let near_enough = |&slack: &u32| slack <= budget;
        let from = sr_row.iter().position(near_enough).unwrap_or(0);
        let to = sr_row.iter().rposition(near_enough).map_or(0, |last| last + 1);
        for j in (0..rows).filter(|&j| sh_slack.row(i)[j] <= budget) {
            let (left, hr_row) = (budget - sh_slack.row(i)[j], hr_slack.row(j));
            let cells = &mut steps[(i * rows + j) * width..][..width];
            let sh = if i > 0 && j > 0 { differ(source[i - 1], hypothesis[j - 1]) } else { 0 };
            let (upper, lower) = here.split_at_mut((j + 1) * pitch);
            let (near, near_row) = (&upper[j * pitch..], &mut lower[..pitch]);
            let (past, past_row) = (&before[j * pitch..][..pitch], &before[(j + 1) * pitch..][..pitch]);
            for k in (from..to).filter(|&k| sr_row[k] + hr_row[k] <= left) {
                let (sr, hr) = if k > 0 {
                    let sr = if i > 0 { differ(source[i - 1], reference[k - 1]) } else { 0 };
                    (sr, if j > 0 { differ(hypothesis[j - 1], reference[k - 1]) } else { 0 })
                } else {
                    (0, 0)
                };
                let offers = [
                    past[k] + sh + sr + hr,
                    past[k + 1] + sh + 2 * GAP,
                    past_row[k] + sr + 2 * GAP,
                    near[k] + hr + 2 * GAP,
                    past_row[k + 1] + 2 * GAP,
                    near[k + 1] + 2 * GAP,
                    near_row[k] + 2 * GAP,
                ];
                let (mut best, mut step) = (offers[0], ORDER[0]);
                for (&cost, &by) in offers.iter().zip(&ORDER).skip(1) {
                    if cost < best {
                        (best, step) = (cost, by);
                    }
                }
                let origin = i + j + k == 0;
                near_row[k + 1] = if origin { 0 } else { best };
                cells[k] = if origin { 0 } else { step };
            }
        }
        std::mem::swap(before, here);
    }
    let (mut i, mut j, mut k) = (source.len(), hypothesis.len(), reference.len());
    let mut found = trace(|| {
        let step = steps[(i * rows + j) * width + k];
        i -= usize::from(step & SOURCE != 0);
        j -= usize::from(step & HYPOTHESIS != 0);
        k -= usize::from(step & REFERENCE != 0);
        step
    });
    found.resize(found.len() + end, 7);
    found
}

fn reset<T: Clone>(cells: &mut Vec<T>, length: usize, value: T) {
    cells.clear();
    cells.resize(length, value);
}

/// The steps from the end back to the beginning, where `back` returns 0, in reverse.
fn trace(back: impl FnMut() -> u8) -> Vec<u8> {
    let mut steps: Vec<u8> = std::iter::repeat_with(back).take_while(|&step| step != 0).collect();
    steps.reverse();
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn aligned(source: &str, hypothesis: &str, reference: &str) -> Vec<u8> {
        let ids = |text: &str| text.bytes().map(u32::from).collect::<Vec<_>>();
        let (source, hypothesis, mut scratch) = (ids(source), ids(hypothesis), Scratch::default());
        let [own, _] = Sentence::new(&source, &hypothesis, &mut scratch).align(&ids(reference), &mut scratch);
        own
    }

    #[test]
    fn equal_ones_are_aligned_as_pairs() {
        assert_eq!(aligned("ab", "ab", "ab"), [7, 7]);
        assert_eq!(aligned("ab", "ab", "b"), [3, 7]);
        assert_eq!(aligned("b", "ab", "b"), [2, 7]);
        assert_eq!(aligned("", "", ""), [0u8; 0]);
        assert_eq!(aligned("a", "b", "c"), [7]);
        assert_eq!(aligned("a", "", ""), [1]);
    }

    #[test]
    fn all_three() {
        assert_eq!(aligned("ac", "abc", "abbc"), [7, 4, 6, 7]);
        assert_eq!(cells([1, 2, 3]), 24);
        assert_eq!(cells([usize::MAX / 2; 3]), usize::MAX);
    }
}
