//! Sums of counts over resampled sentences, for many replicates at once.
//!
//! Groups of sentences are summed by table (the four Russians' method, Arlazarov et al. 1970): all possible sums of a
//! group are tabulated once, then each replicate looks up one row instead of adding several. Sums are integers, so
//! their order does not matter.

use std::ops::{Add, AddAssign, Mul, Range};

use crate::parallel;
use crate::resampling::weights::{Kind, Replicate};

/// Number of columns summed at once, which fit into registers.
const WIDTH: usize = 16;
/// Number of rows of the table; the weights of a group make up the 8 bits of a row number.
const ROWS: usize = 256;
/// Numbers of replicates and sentences processed at once, which fit into the cache.
const REPLICATES: usize = 1024;
const SENTENCES: usize = 512;
/// Numbers up to this size can be added over SENTENCES, up to 12 times each, in 32 bits.
const SMALL: i64 = (i32::MAX / (12 * SENTENCES as i32)) as i64;

trait Cell:
    Copy + Default + Add<Output = Self> + AddAssign + Mul<Output = Self> + From<u8> + TryFrom<i64> + Into<i64> + Send + Sync
{
}

impl Cell for i32 {}

impl Cell for i64 {}

/// `sums[replicate][column]` over sentences i of weight × `rows[i][column]`, with weights by `keys[i]`.
///
/// O(replicates × sentences × (1 + columns / 4)), for Swap columns / 8. Callers ensure that 12 times the sum of all
/// absolute values is below 2^63.
pub fn sums(rows: &[i64], keys: &[u64], kind: Kind, seed: u64, replicates: Range<usize>, threads: usize) -> Vec<i64> {
    if keys.is_empty() {
        return Vec::new();
    }
    if rows.iter().all(|value| value.abs() <= SMALL) {
        blocks::<i32>(rows, keys, kind, seed, replicates, threads)
    } else {
        blocks::<i64>(rows, keys, kind, seed, replicates, threads)
    }
}

fn blocks<T: Cell>(
    rows: &[i64],
    keys: &[u64],
    kind: Kind,
    seed: u64,
    replicates: Range<usize>,
    threads: usize,
) -> Vec<i64> {
    let columns = rows.len() / keys.len();
    // Column blocks of all sentences, padded with zeros.
    let tiles: Vec<Vec<[T; WIDTH]>> = (0..columns)
        .step_by(WIDTH)
        .map(|first| {
            let cells = |row: &[i64]| {
                std::array::from_fn(|k| row.get(first + k).and_then(|&x| x.try_into().ok()).unwrap_or_default())
            };
            rows.chunks_exact(columns).map(cells).collect()
        })
        .collect();
    let work = |range: Range<usize>, scratch: &mut Scratch<T>| {
        let mut found = vec![0; range.len() * columns];
        let mut weights: Vec<_> = range.map(|at| Replicate::new(kind, seed, (replicates.start + at) as u64)).collect();
        for start in (0..keys.len()).step_by(SENTENCES) {
            let end = keys.len().min(start + SENTENCES);
            scratch.draw(&mut weights, &keys[start..end], kind);
            for (at, tile) in tiles.iter().enumerate() {
                scratch.add_up(&tile[start..end]);
                for (sums, more) in found.chunks_exact_mut(columns).zip(&scratch.sums) {
                    sums[at * WIDTH..].iter_mut().zip(more).for_each(|(sum, &more)| *sum += more.into());
                }
            }
        }
        found
    };
    parallel::runs(replicates.len(), REPLICATES, threads, Scratch::default, work).concat()
}

struct Scratch<T> {
    /// The two (one) lowest bits of the weights, of four (eight) sentences per code: `codes[group][replicate]`.
    codes: Vec<Vec<u8>>,
    /// The remainders of larger weights: replicate, sentence, remaining weight.
    rest: Vec<(u32, u32, u8)>,
    table: Vec<[T; WIDTH]>,
    sums: Vec<[T; WIDTH]>,
    bits: usize,
}

impl<T: Cell> Default for Scratch<T> {
    fn default() -> Self {
        let table = vec![[T::default(); WIDTH]; ROWS];
        Self { codes: Vec::new(), rest: Vec::new(), table, sums: Vec::new(), bits: 1 }
    }
}

impl<T: Cell> Scratch<T> {
    fn draw(&mut self, weights: &mut [Replicate], keys: &[u64], kind: Kind) {
        self.bits = if kind == Kind::Poisson { 2 } else { 1 };
        let (per_row, mask) = (8 / self.bits, (1 << self.bits) - 1);
        self.rest.clear();
        self.codes.resize_with(keys.len().div_ceil(per_row), Vec::new);
        self.codes.iter_mut().for_each(|codes| {
            codes.clear();
            codes.resize(weights.len(), 0);
        });
        self.sums.resize(weights.len(), [T::default(); WIDTH]);
        for (r, weight) in weights.iter_mut().enumerate() {
            for (group, own) in keys.chunks(per_row).enumerate() {
                let mut code = 0;
                for (at, &key) in own.iter().enumerate() {
                    let drawn = weight.weight(key);
                    code |= (drawn & mask) << (self.bits * at);
                    if drawn > mask {
                        self.rest.push((r as u32, (group * per_row + at) as u32, drawn & !mask));
                    }
                }
                self.codes[group][r] = code;
            }
        }
    }

    fn add_up(&mut self, rows: &[[T; WIDTH]]) {
        self.sums.fill([T::default(); WIDTH]);
        for (codes, own) in self.codes.iter().zip(rows.chunks(8 / self.bits)) {
            tabulate(&mut self.table, own, self.bits);
            for (sums, &code) in self.sums.iter_mut().zip(codes) {
                add(sums, &self.table[usize::from(code)]);
            }
        }
        for &(r, s, weight) in &self.rest {
            let more = rows[s as usize].map(|cell| cell * T::from(weight));
            add(&mut self.sums[r as usize], &more);
        }
    }
}

fn add<T: Cell>(sums: &mut [T; WIDTH], more: &[T; WIDTH]) {
    sums.iter_mut().zip(more).for_each(|(sum, &more)| *sum += more);
}

/// `table[code]`: the sum of the rows, each multiplied by its `bits` of the code.
fn tabulate<T: Cell>(table: &mut [[T; WIDTH]], rows: &[[T; WIDTH]], bits: usize) {
    for code in 1..1_usize << (bits * rows.len()) {
        let at = code.trailing_zeros() as usize / bits;
        let (done, rest) = table.split_at_mut(code);
        rest[0] = done[code - (1 << (bits * at))];
        add(&mut rest[0], &rows[at]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(rows: &[i64], keys: &[u64], kind: Kind, seed: u64, replicates: usize) -> Vec<i64> {
        let columns = rows.len() / keys.len();
        let mut found = vec![0; replicates * columns];
        for (number, sums) in found.chunks_exact_mut(columns).enumerate() {
            let mut replicate = Replicate::new(kind, seed, number as u64);
            for (row, &key) in rows.chunks_exact(columns).zip(keys) {
                let weight = i64::from(replicate.weight(key));
                sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += weight * value);
            }
        }
        found
    }

    #[test]
    fn sums_are_those_of_a_plain_loop_whatever_the_threads() {
        for (sentences, columns) in [(1, 1), (7, 17), (515, 2), (260, 17)] {
            let rows: Vec<i64> = (0..sentences * columns).map(|i| (i * 7919 % 23) as i64 - 3).collect();
            let large: Vec<i64> = rows.iter().map(|x| x * 1_000_000_007).collect();
            let keys: Vec<u64> = (0..sentences as u64).map(|i| i * 3 + 1).collect();
            for kind in [Kind::Poisson, Kind::Swap, Kind::Labelling] {
                for rows in [&rows, &large] {
                    let expected = plain(rows, &keys, kind, 5, 1030);
                    assert_eq!(sums(rows, &keys, kind, 5, 0..1030, 1), expected);
                    assert_eq!(sums(rows, &keys, kind, 5, 0..1030, 3), expected);
                    assert_eq!(sums(rows, &keys, kind, 5, 700..1030, 2), expected[700 * columns..]);
                }
            }
        }
        assert!(sums(&[], &[], Kind::Swap, 0, 0..10, 1).is_empty());
    }
}
