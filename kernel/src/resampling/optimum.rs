//! The references that maximise a ratio of sums, in every replicate (Dinkelbach, Management Science 13.7, 1967).
//!
//! Most sentences have a reference that is best for every ratio. They are settled first, and their sums are computed
//! like any other counts. Each replicate solves only the open sentences.

use crate::parallel;
use crate::resampling::weights::{Kind, Replicate};

/// Sentences of one system: `counts[s][r][k]`, `present[s][r]` (whether the reference exists), and their keys.
#[derive(Clone, Copy)]
pub struct Table<'a> {
    pub counts: &'a [i64],
    pub present: &'a [bool],
    pub references: usize,
    pub keys: &'a [u64],
}

/// The score is the weighted sum of counts [K] `above` divided by the weighted sum `below`; no weight is negative.
#[derive(Clone, Copy)]
pub struct Ratio<'a> {
    pub above: &'a [f64],
    pub below: &'a [f64],
}

struct Candidate<'a> {
    gain: f64,
    cost: f64,
    reference: usize,
    row: &'a [i64],
}

impl Ratio<'_> {
    fn of(&self, row: &[i64]) -> (f64, f64) {
        let weigh = |weights: &[f64]| weights.iter().zip(row).map(|(w, &x)| w * x as f64).sum();
        (weigh(self.above), weigh(self.below))
    }
}

/// The references of each sentence that are best under some ratio: no other has as much above and as little below.
fn candidates<'a>(table: Table<'a>, ratio: Ratio) -> Vec<Vec<Candidate<'a>>> {
    let columns = ratio.above.len();
    let rows = table.counts.chunks_exact(table.references * columns).zip(table.present.chunks_exact(table.references));
    let sentences = rows.map(|(rows, present)| {
        let mut kept: Vec<Candidate> = Vec::new();
        for (reference, row) in rows.chunks_exact(columns).enumerate().filter(|&(r, _)| present[r]) {
            let (gain, cost) = ratio.of(row);
            if !kept.iter().any(|old| old.gain >= gain && old.cost <= cost) {
                kept.retain(|old| gain < old.gain || cost > old.cost);
                kept.push(Candidate { gain, cost, reference, row });
            }
        }
        kept
    });
    sentences.collect()
}

/// The reference of each sentence that is best for every ratio, if there is one. O(sentences × references²).
pub fn settled(table: Table, ratio: Ratio) -> Vec<Option<usize>> {
    let only = |own: Vec<Candidate>| if let [only] = &own[..] { Some(only.reference) } else { None };
    candidates(table, ratio).into_iter().map(only).collect()
}

/// The candidate with the largest gain - ratio × cost, then the largest gain, then the smallest cost, then the first.
fn best<'c, 'a>(candidates: &'c [Candidate<'a>], ratio: f64) -> &'c Candidate<'a> {
    let mut found = &candidates[0];
    let mut most = found.gain - ratio * found.cost;
    for candidate in &candidates[1..] {
        let value = candidate.gain - ratio * candidate.cost;
        let tied = value == most && (candidate.gain, -candidate.cost) > (found.gain, -found.cost);
        if value > most || tied {
            (found, most) = (candidate, value);
        }
    }
    found
}

/// `sums[replicate][column]` with the best references of each replicate, added to the settled
/// `base[replicate][column]`.
///
/// Without `other`, sentences count by their weights. With it, sentences of the other system with weight 1 count, and
/// sentences of this system with weight 0: labels are swapped. Every sentence has a reference. O(replicates × sentences
/// × rounds).
pub fn optimal_sums(
    base: &[i64],
    own: Table,
    other: Option<Table>,
    ratio: Ratio,
    (kind, seed): (Kind, u64),
    threads: usize,
) -> Vec<i64> {
    let columns = ratio.above.len();
    let own = (candidates(own, ratio), own.keys);
    let other = other.map(|table| (candidates(table, ratio), table.keys));
    let mut sums = base.to_vec();
    let swapped = i64::from(other.is_some());
    parallel::few(&mut sums, columns, threads, |number, sums| {
        let mut weights = Replicate::new(kind, seed, number as u64);
        let mut open: Vec<(&[Candidate], i64)> = Vec::new();
        for (sentence, &key) in own.0.iter().zip(own.1) {
            let weight = i64::from(weights.weight(key));
            let weight = if swapped == 1 { 1 - weight } else { weight };
            if weight != 0 {
                open.push((sentence, weight));
            }
        }
        for (sentence, &key) in other.iter().flat_map(|(sentences, keys)| sentences.iter().zip(*keys)) {
            if weights.weight(key) == 1 {
                open.push((sentence, 1));
            }
        }
        solve(sums, ratio, &open);
    });
    sums
}

fn include(sums: &mut [i64], chosen: &Candidate, weight: i64) {
    sums.iter_mut().zip(chosen.row).for_each(|(sum, &count)| *sum += weight * count);
}

fn solve(sums: &mut [i64], ratio: Ratio, open: &[(&[Candidate], i64)]) {
    let (gain, cost) = ratio.of(sums);
    if cost == 0.0 && open.iter().all(|(candidates, _)| candidates.iter().any(|one| one.cost == 0.0)) {
        // Neither proposed nor missed edits: perfect, although the ratio is undefined.
        for (candidates, weight) in open {
            candidates.iter().filter(|one| one.cost == 0.0).take(1).for_each(|one| include(sums, one, *weight));
        }
        return;
    }
    let mut largest = 0.0;
    loop {
        let (mut above, mut below) = (gain, cost);
        for (candidates, weight) in open {
            let chosen = best(candidates, largest);
            above += chosen.gain * *weight as f64;
            below += chosen.cost * *weight as f64;
        }
        let found = above / below;
        if below == 0.0 || found <= largest || found.is_nan() {
            break;
        }
        largest = found;
    }
    for (candidates, weight) in open {
        include(sums, best(candidates, largest), *weight);
    }
}
