//! The references that make a ratio of sums largest, solved anew in every replicate (Dinkelbach, Management Science
//! 13.7, 1967).

use crate::parallel;
use crate::resampling::weights::{Kind, Replicate};

/// The sentences of one system: `counts[s][r][k]`, and which references are there, `present[s][r]`.
#[derive(Clone, Copy)]
pub struct Table<'a> {
    pub counts: &'a [i64],
    pub present: &'a [bool],
    pub references: usize,
}

/// The score is the weighted sum of counts [K] `above` over that `below`; no weight is negative.
#[derive(Clone, Copy)]
pub struct Ratio<'a> {
    pub above: &'a [f64],
    pub below: &'a [f64],
}

struct Candidate<'a> {
    gain: f64,
    cost: f64,
    row: &'a [i64],
}

/// The references of a sentence that can be the best one under some ratio: none other has as much above and as little
/// below.
fn candidates<'a>(table: Table<'a>, ratio: Ratio, columns: usize) -> Vec<Vec<Candidate<'a>>> {
    let weigh = |weights: &[f64], row: &[i64]| weights.iter().zip(row).map(|(w, &x)| w * x as f64).sum::<f64>();
    let rows = table.counts.chunks_exact(table.references * columns).zip(table.present.chunks_exact(table.references));
    let sentences = rows.map(|(rows, present)| {
        let own = rows.chunks_exact(columns).zip(present).filter(|(_, &there)| there);
        let own = own.map(|(row, _)| Candidate { gain: weigh(ratio.above, row), cost: weigh(ratio.below, row), row });
        let mut kept: Vec<Candidate> = Vec::new();
        for new in own {
            if !kept.iter().any(|old| old.gain >= new.gain && old.cost <= new.cost) {
                kept.retain(|old| new.gain < old.gain || new.cost > old.cost);
                kept.push(new);
            }
        }
        kept
    });
    sentences.collect()
}

/// More of gain - ratio × cost, then more gain, then less cost; the first among equals.
fn best<'c, 'a>(candidates: &'c [Candidate<'a>], ratio: f64) -> &'c Candidate<'a> {
    let key = |c: &Candidate| [c.gain - ratio * c.cost, c.gain, -c.cost];
    let mut found = &candidates[0];
    for candidate in &candidates[1..] {
        if key(candidate) > key(found) {
            found = candidate;
        }
    }
    found
}

/// `sums[replicate][column]` of the references that are best in the replicate.
///
/// With `other` a sentence of weight 1 is the other system's and one of weight 0 the own one's (labels swapped); else
/// weights are how often it counts. Every sentence has a reference. O(replicates × sentences × (columns + open × rounds)),
/// `open` the share of sentences whose choice depends on the ratio.
pub fn optimal_sums(
    own: Table,
    other: Option<Table>,
    ratio: Ratio,
    keys: &[u64],
    (kind, seed, replicates): (Kind, u64, usize),
    threads: usize,
) -> Vec<i64> {
    let columns = ratio.above.len();
    let versions = [Some(own), other].map(|table| table.map(|table| candidates(table, ratio, columns)));
    let [Some(own), other] = versions else { return Vec::new() };
    let one = |number: usize, _: &mut ()| {
        let mut open = Vec::new();
        let mut weights = Replicate::new(kind, seed, number as u64);
        let (mut settled, mut gain, mut cost) = (vec![0; columns], 0.0, 0.0_f64);
        for (s, &key) in keys.iter().enumerate() {
            let weight = weights.weight(key);
            let (row, weight) = match &other {
                Some(other) => (if weight == 1 { &other[s] } else { &own[s] }, 1),
                None => (&own[s], i64::from(weight)),
            };
            match (&row[..], weight) {
                (_, 0) => {}
                ([only], weight) => {
                    gain += only.gain * weight as f64;
                    cost += only.cost * weight as f64;
                    include(&mut settled, only, weight);
                }
                (several, weight) => open.push((several, weight)),
            }
        }
        solve(settled, gain, cost, &open)
    };
    parallel::each(replicates, threads, || (), one).concat()
}

fn include(sums: &mut [i64], chosen: &Candidate, weight: i64) {
    sums.iter_mut().zip(chosen.row).for_each(|(sum, &count)| *sum += weight * count);
}

fn solve(mut sums: Vec<i64>, gain: f64, cost: f64, open: &[(&[Candidate], i64)]) -> Vec<i64> {
    let free = |candidates: &[Candidate]| candidates.iter().any(|candidate| candidate.cost == 0.0);
    if cost == 0.0 && open.iter().all(|(candidates, _)| free(candidates)) {
        // Nothing found, nothing missed: perfect, though no ratio.
        for (candidates, weight) in open {
            candidates
                .iter()
                .filter(|candidate| candidate.cost == 0.0)
                .take(1)
                .for_each(|c| include(&mut sums, c, *weight));
        }
        return sums;
    }
    let mut ratio = 0.0;
    loop {
        let (mut above, mut below) = (gain, cost);
        for (candidates, weight) in open {
            let chosen = best(candidates, ratio);
            above += chosen.gain * *weight as f64;
            below += chosen.cost * *weight as f64;
        }
        if below == 0.0 || above / below <= ratio {
            break;
        }
        ratio = above / below;
    }
    for (candidates, weight) in open {
        include(&mut sums, best(candidates, ratio), *weight);
    }
    sums
}
