//! Sampled references: for every iteration each sentence draws one of its references, and their counts are summed.
//!
//! Cost: O(iterations × sentences × columns) time, O(iterations + size of the counts) memory.

use std::collections::TryReserveError;
use std::sync::Arc;

use crate::parallel;
use crate::ranking::draws::Draws;
use crate::ranking::number::Number;

/// Number of columns summed at once, which fit into registers.
const WIDTH: usize = 16;

/// Sums, for every iteration, over drawn references of counts that are added in parts; the draws of a part continue the
/// previous part's. Memory: iterations × (2.5 KB and the columns), of which systems share the 2.5 KB.
///
/// While every sentence has only one reference, all iterations have the same sums, and one is stored.
pub struct Sampler<T> {
    columns: usize,
    draws: Arc<Draws>,
    /// `[iteration][column]`, or only `[column]` while they are the same for all iterations.
    sums: Vec<T>,
}

impl<T: Number + Send + Sync> Sampler<T> {
    /// Starts drawing, at least once.
    pub fn new(columns: usize, draws: Arc<Draws>) -> Self {
        Self { columns, draws, sums: vec![T::ZERO; columns] }
    }

    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The number of rows of sums.
    pub fn rows(&self) -> usize {
        if self.draws.all_single() {
            1
        } else {
            self.draws.iterations()
        }
    }

    /// The sums `[iteration][column]`, or only `[column]` while they are the same for all iterations.
    pub fn sums(&self) -> Vec<T> {
        self.sums.clone()
    }

    /// Adds `counts[sentence][reference][column]`; sentence s has the non-empty references `available[s]`.
    /// O(iterations × sentences × columns), O(sentences × columns) while every sentence has one reference.
    pub fn add(
        &mut self,
        counts: &[T],
        references: usize,
        available: &[Vec<u32>],
        threads: usize,
    ) -> Result<(), TryReserveError> {
        // Iterations are few, but each takes as much work as there are sentences.
        let threads = if available.len() < 4096 / self.columns.max(1) { 1 } else { threads };
        let (most, width) = (self.draws.most(), (references * self.columns).max(1));
        available.chunks(most).zip(counts.chunks(most * width)).try_for_each(|(available, counts)| {
            self.draw(available, threads)?;
            self.sum(counts, references, threads);
            Ok(())
        })
    }

    fn draw(&mut self, available: &[Vec<u32>], threads: usize) -> Result<(), TryReserveError> {
        let draws = self.draws.next(available, threads)?;
        if self.draws.all_single() && !draws.all_single() {
            let more = draws.iterations() - 1;
            self.sums.try_reserve_exact(self.columns.saturating_mul(more))?;
            (0..more).for_each(|_| self.sums.extend_from_within(..self.columns));
        }
        self.draws = draws;
        Ok(())
    }

    fn sum(&mut self, counts: &[T], references: usize, threads: usize) {
        // Rows in tiles of WIDTH columns, padded with zeros.
        let rows = || counts.chunks_exact(self.columns.max(1));
        let tile = |first| move |row: &[T]| std::array::from_fn(|k| row.get(first + k).copied().unwrap_or(T::ZERO));
        let tiles: Vec<Vec<[T; WIDTH]>> =
            (0..self.columns).step_by(WIDTH).map(|first| rows().map(tile(first)).collect()).collect();
        let draws = &self.draws;
        parallel::few(&mut self.sums, self.columns.max(1), threads, |iteration, sums| {
            for (sums, tile) in sums.chunks_mut(WIDTH).zip(&tiles) {
                let mut found = [T::ZERO; WIDTH];
                found[..sums.len()].copy_from_slice(sums);
                for (own, &reference) in tile.chunks_exact(references).zip(draws.drawn(iteration)) {
                    found.iter_mut().zip(&own[reference as usize]).for_each(|(sum, &count)| *sum += count);
                }
                sums.copy_from_slice(&found[..sums.len()]);
            }
        });
    }

    /// The state as bytes: little-endian words.
    pub fn state(&self) -> Vec<u8> {
        let own = [self.columns as u64, self.sums.len() as u64];
        let sums = self.sums.iter().map(|sum| sum.to_bits64());
        own.into_iter().chain(sums).chain(self.draws.state()).flat_map(u64::to_le_bytes).collect()
    }

    /// The sampler with that state; None for an invalid state.
    pub fn restored(state: &[u8]) -> Option<Self> {
        let mut words = state.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().unwrap_or_default()));
        let mut next = || words.next();
        let (columns, size) = (usize::try_from(next()?).ok()?, next()?);
        let sums = (0..size).map(|_| next().map(T::from_bits64)).collect::<Option<Vec<T>>>()?;
        let draws = Draws::restored(&mut next)?;
        let made = Self { columns, draws: Arc::new(draws), sums };
        let whole = state.len() % 8 == 0 && next().is_none() && made.rows() > 0;
        (whole && Some(made.sums.len()) == made.rows().checked_mul(columns)).then_some(made)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranking::draws::Seed;

    #[test]
    fn sums_are_those_of_the_drawn_rows_whatever_the_parts() {
        for columns in [2, 17] {
            let counts: Vec<i64> = (0..4 * 2 * columns as i64).collect();
            let available = [vec![1], vec![0, 1], vec![1], vec![0, 1]];
            let mut whole = Sampler::new(columns, Draws::start(Seed::Free(5), 7));
            whole.add(&counts, 2, &available, 2).unwrap();
            let drawn = Draws::all(Seed::Free(5), 7, &available).unwrap();
            for (iteration, sums) in whole.sums().chunks(columns).enumerate() {
                let mut expected = vec![0; columns];
                for (s, &r) in drawn[4 * iteration..][..4].iter().enumerate() {
                    for (k, sum) in expected.iter_mut().enumerate() {
                        *sum += counts[(s * 2 + r as usize) * columns + k];
                    }
                }
                assert_eq!(sums, expected);
            }
            let mut parts = Sampler::new(columns, Draws::start(Seed::Free(5), 7));
            for s in 0..4 {
                assert_eq!(parts.rows(), if s < 2 { 1 } else { 7 });
                parts.add(&counts[2 * s * columns..][..2 * columns], 2, &available[s..=s], 1).unwrap();
                parts = Sampler::restored(&parts.state()).unwrap();
            }
            assert_eq!(parts.sums(), whole.sums());
            assert!(Sampler::<i64>::restored(&whole.state()[8..]).is_none());
        }
    }
}
