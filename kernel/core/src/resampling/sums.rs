//! Sums of counts over resampled sentences, for many replicates at once.
//!
//! Groups of sentences are summed by table (the four Russians' method, Arlazarov et al. 1970): all possible sums of a
//! group are tabulated once, then each replicate looks up one row instead of adding several. Sums are integers, so
//! their order does not matter.

use std::ops::{Add, AddAssign, Mul, Range};

use crate::error::Error;
use crate::parallel;
use crate::resampling::weights::{Replicate, WeightScheme};

/// Number of columns summed at once; they fit into registers.
const TILE_COLUMNS: usize = 16;
/// Number of rows of the table; the weights of a group are the 8 bits of a row number.
const TABLE_ROWS: usize = 256;
/// Numbers of replicates and sentences processed at once; they fit into the cache.
const BLOCK_REPLICATES: usize = 1024;
const BLOCK_SENTENCES: usize = 512;
/// Maximum count whose sums over a block, with weights up to 12, fit into 32 bits.
const MAX_SMALL: i64 = (i32::MAX / (12 * BLOCK_SENTENCES as i32)) as i64;

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
    if rows.iter().all(|value| value.abs() <= MAX_SMALL) {
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
    let tiles: Vec<Vec<[T; TILE_COLUMNS]>> = (0..columns)
        .step_by(TILE_COLUMNS)
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
            range.map(|number| Replicate::new(scheme, seed, (replicates.start + number) as u64)).collect();
        for start in (0..keys.len()).step_by(BLOCK_SENTENCES) {
            let end = keys.len().min(start + BLOCK_SENTENCES);
            block.draw(&mut weights, &keys[start..end], scheme);
            for (tile_number, tile) in tiles.iter().enumerate() {
                block.add_up(&tile[start..end]);
                for (row, block_row) in sums.chunks_exact_mut(columns).zip(&block.sums) {
                    let cells = row[tile_number * TILE_COLUMNS..].iter_mut();
                    cells.zip(block_row).for_each(|(sum, &block_sum)| *sum += block_sum.into());
                }
            }
        }
        Ok(sums)
    };
    Ok(parallel::map_ranges(replicates.len(), BLOCK_REPLICATES, threads, BlockSums::default, work)?.concat())
}

/// The sums of a block of replicates, sentences and columns, in memory that a thread reuses.
struct BlockSums<T> {
    /// The two (one) lowest bits of the weights, of four (eight) sentences per code: `codes[group][replicate]`.
    codes: Vec<Vec<u8>>,
    /// Remainders of larger weights: replicate, sentence, remaining weight.
    remainders: Vec<(u32, u32, u8)>,
    table: Vec<[T; TILE_COLUMNS]>,
    sums: Vec<[T; TILE_COLUMNS]>,
    bits: usize,
}

impl<T: BlockInteger> Default for BlockSums<T> {
    fn default() -> Self {
        let table = vec![[T::default(); TILE_COLUMNS]; TABLE_ROWS];
        Self { codes: Vec::new(), remainders: Vec::new(), table, sums: Vec::new(), bits: 1 }
    }
}

impl<T: BlockInteger> BlockSums<T> {
    fn draw(&mut self, weights: &mut [Replicate], keys: &[u64], scheme: WeightScheme) {
        self.bits = if scheme == WeightScheme::Poisson { 2 } else { 1 };
        let (per_row, mask) = (8 / self.bits, (1 << self.bits) - 1);
        self.remainders.clear();
        self.codes.resize_with(keys.len().div_ceil(per_row), Vec::new);
        self.codes.iter_mut().for_each(|codes| {
            codes.clear();
            codes.resize(weights.len(), 0);
        });
        self.sums.resize(weights.len(), [T::default(); TILE_COLUMNS]);
        for (r, replicate) in weights.iter_mut().enumerate() {
            for (group, group_keys) in keys.chunks(per_row).enumerate() {
                let mut code = 0;
                for (position, &key) in group_keys.iter().enumerate() {
                    let weight = replicate.weight(key);
                    code |= (weight & mask) << (self.bits * position);
                    if weight > mask {
                        self.remainders.push((r as u32, (group * per_row + position) as u32, weight & !mask));
                    }
                }
                self.codes[group][r] = code;
            }
        }
    }

    fn add_up(&mut self, rows: &[[T; TILE_COLUMNS]]) {
        self.sums.fill([T::default(); TILE_COLUMNS]);
        for (codes, group) in self.codes.iter().zip(rows.chunks(8 / self.bits)) {
            tabulate(&mut self.table, group, self.bits);
            for (sums, &code) in self.sums.iter_mut().zip(codes) {
                add(sums, &self.table[usize::from(code)]);
            }
        }
        for &(r, s, weight) in &self.remainders {
            let weighted = rows[s as usize].map(|cell| cell * T::from(weight));
            add(&mut self.sums[r as usize], &weighted);
        }
    }
}

fn add<T: BlockInteger>(sums: &mut [T; TILE_COLUMNS], row: &[T; TILE_COLUMNS]) {
    sums.iter_mut().zip(row).for_each(|(sum, &cell)| *sum += cell);
}

/// `table[code]`: the sum of the rows, each multiplied by its `bits` of the code.
fn tabulate<T: BlockInteger>(table: &mut [[T; TILE_COLUMNS]], rows: &[[T; TILE_COLUMNS]], bits: usize) {
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
    fn sums_equal_a_plain_loop_with_any_number_of_threads() {
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
