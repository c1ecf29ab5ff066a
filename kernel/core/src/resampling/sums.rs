//! Sums of counts over resampled sentences, for many replicates at once.
//!
//! Groups of sentences are summed by table (the four Russians' method, Arlazarov et al. 1970): all possible sums of a
//! group are tabulated once, then each replicate looks up one row instead of adding several. Sums are integers, so
//! their order does not matter.

use std::ops::{Add, AddAssign, Mul, Range};

use crate::error::Error;
use crate::parallel;
use crate::resampling::weights::{Replicate, WeightScheme};

/// Number of columns summed at once, which fit into registers.
const WIDTH: usize = 16;
/// Number of rows of the table; the weights of a group make up the 8 bits of a row number.
const ROWS: usize = 256;
/// Numbers of replicates and sentences processed at once, which fit into the cache.
const REPLICATES: usize = 1024;
const SENTENCES: usize = 512;
/// Numbers up to this size can be added over SENTENCES, up to 12 times each, in 32 bits.
const SMALL: i64 = (i32::MAX / (12 * SENTENCES as i32)) as i64;

/// Integers that are wide enough for the sums of a block.
trait BlockInteger:
    Copy + Default + Add<Output = Self> + AddAssign + Mul<Output = Self> + From<u8> + TryFrom<i64> + Into<i64> + Send + Sync
{
}

impl BlockInteger for i32 {}

impl BlockInteger for i64 {}

/// `sums[replicate][column]` over sentences i of weight × `rows[i][column]`, with weights by `keys[i]`.
///
/// O(replicates × sentences × (1 + columns / 4)), for Swap columns / 8. Err: 12 times the sum of all absolute values is
/// not below 2^63.
pub fn sums(
    rows: &[i64],
    columns: usize,
    keys: &[u64],
    scheme: WeightScheme,
    seed: u64,
    replicates: Range<usize>,
    threads: usize,
) -> Result<Vec<i64>, Error> {
    if rows.is_empty() {
        return Ok(vec![0; replicates.len() * columns]);
    }
    // Weights are at most 12.
    let total: i128 = rows.iter().map(|&value| i128::from(value).abs()).sum();
    Error::check_arguments(total <= i128::from(i64::MAX / 12), "the counts are too large to be added up")?;
    if rows.iter().all(|value| value.abs() <= SMALL) {
        sums_by_block::<i32>(rows, keys, scheme, seed, replicates, threads)
    } else {
        sums_by_block::<i64>(rows, keys, scheme, seed, replicates, threads)
    }
}

fn sums_by_block<T: BlockInteger>(
    rows: &[i64],
    keys: &[u64],
    scheme: WeightScheme,
    seed: u64,
    replicates: Range<usize>,
    threads: usize,
) -> Result<Vec<i64>, Error> {
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
    let work = |range: Range<usize>, block: &mut BlockSums<T>| {
        let mut sums = vec![0; range.len() * columns];
        let mut weights: Vec<_> =
            range.map(|at| Replicate::new(scheme, seed, (replicates.start + at) as u64)).collect();
        for start in (0..keys.len()).step_by(SENTENCES) {
            let end = keys.len().min(start + SENTENCES);
            block.draw(&mut weights, &keys[start..end], scheme);
            for (tile_number, tile) in tiles.iter().enumerate() {
                block.add_up(&tile[start..end]);
                for (row, block_row) in sums.chunks_exact_mut(columns).zip(&block.sums) {
                    let cells = row[tile_number * WIDTH..].iter_mut();
                    cells.zip(block_row).for_each(|(sum, &block_sum)| *sum += block_sum.into());
                }
            }
        }
        Ok(sums)
    };
    Ok(parallel::map_ranges(replicates.len(), REPLICATES, threads, BlockSums::default, work)?.concat())
}

/// The sums of a block of replicates, sentences and columns, in memory that a thread reuses.
struct BlockSums<T> {
    /// The two (one) lowest bits of the weights, of four (eight) sentences per code: `codes[group][replicate]`.
    codes: Vec<Vec<u8>>,
    /// The remainders of larger weights: replicate, sentence, remaining weight.
    rest: Vec<(u32, u32, u8)>,
    table: Vec<[T; WIDTH]>,
    sums: Vec<[T; WIDTH]>,
    bits: usize,
}

impl<T: BlockInteger> Default for BlockSums<T> {
    fn default() -> Self {
        let table = vec![[T::default(); WIDTH]; ROWS];
        Self { codes: Vec::new(), rest: Vec::new(), table, sums: Vec::new(), bits: 1 }
    }
}

impl<T: BlockInteger> BlockSums<T> {
    fn draw(&mut self, weights: &mut [Replicate], keys: &[u64], scheme: WeightScheme) {
        self.bits = if scheme == WeightScheme::Poisson { 2 } else { 1 };
        let (per_row, mask) = (8 / self.bits, (1 << self.bits) - 1);
        self.rest.clear();
        self.codes.resize_with(keys.len().div_ceil(per_row), Vec::new);
        self.codes.iter_mut().for_each(|codes| {
            codes.clear();
            codes.resize(weights.len(), 0);
        });
        self.sums.resize(weights.len(), [T::default(); WIDTH]);
        for (r, replicate) in weights.iter_mut().enumerate() {
            for (group, group_keys) in keys.chunks(per_row).enumerate() {
                let mut code = 0;
                for (at, &key) in group_keys.iter().enumerate() {
                    let weight = replicate.weight(key);
                    code |= (weight & mask) << (self.bits * at);
                    if weight > mask {
                        self.rest.push((r as u32, (group * per_row + at) as u32, weight & !mask));
                    }
                }
                self.codes[group][r] = code;
            }
        }
    }

    fn add_up(&mut self, rows: &[[T; WIDTH]]) {
        self.sums.fill([T::default(); WIDTH]);
        for (codes, group) in self.codes.iter().zip(rows.chunks(8 / self.bits)) {
            tabulate(&mut self.table, group, self.bits);
            for (sums, &code) in self.sums.iter_mut().zip(codes) {
                add(sums, &self.table[usize::from(code)]);
            }
        }
        for &(r, s, weight) in &self.rest {
            let weighted = rows[s as usize].map(|cell| cell * T::from(weight));
            add(&mut self.sums[r as usize], &weighted);
        }
    }
}

fn add<T: BlockInteger>(sums: &mut [T; WIDTH], row: &[T; WIDTH]) {
    sums.iter_mut().zip(row).for_each(|(sum, &cell)| *sum += cell);
}

/// `table[code]`: the sum of the rows, each multiplied by its `bits` of the code.
fn tabulate<T: BlockInteger>(table: &mut [[T; WIDTH]], rows: &[[T; WIDTH]], bits: usize) {
    for code in 1..1_usize << (bits * rows.len()) {
        let row = code.trailing_zeros() as usize / bits;
        table[code] = table[code - (1 << (bits * row))];
        add(&mut table[code], &rows[row]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(rows: &[i64], keys: &[u64], scheme: WeightScheme, seed: u64, replicates: usize) -> Vec<i64> {
        let columns = rows.len() / keys.len();
        let mut all_sums = vec![0; replicates * columns];
        for (number, sums) in all_sums.chunks_exact_mut(columns).enumerate() {
            let mut replicate = Replicate::new(scheme, seed, number as u64);
            for (row, &key) in rows.chunks_exact(columns).zip(keys) {
                let weight = i64::from(replicate.weight(key));
                sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += weight * value);
            }
        }
        all_sums
    }

    #[test]
    fn sums_are_those_of_a_plain_loop_whatever_the_threads() {
        for (sentences, columns) in [(1, 1), (7, 17), (515, 2), (260, 17)] {
            let rows: Vec<i64> = (0..sentences * columns).map(|i| (i * 7919 % 23) as i64 - 3).collect();
            let large: Vec<i64> = rows.iter().map(|x| x * 1_000_000_007).collect();
            let keys: Vec<u64> = (0..sentences as u64).map(|i| i * 3 + 1).collect();
            for scheme in [WeightScheme::Poisson, WeightScheme::Swap, WeightScheme::Labelling] {
                for rows in [&rows, &large] {
                    let expected = plain(rows, &keys, scheme, 5, 1030);
                    let sums_of =
                        |replicates, threads| sums(rows, columns, &keys, scheme, 5, replicates, threads).unwrap();
                    assert_eq!(sums_of(0..1030, 1), expected);
                    assert_eq!(sums_of(0..1030, 3), expected);
                    assert_eq!(sums_of(700..1030, 2), expected[700 * columns..]);
                }
            }
        }
        assert_eq!(sums(&[], 2, &[], WeightScheme::Swap, 0, 0..10, 1), Ok(vec![0; 20]));
    }
}
