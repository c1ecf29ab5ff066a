//! Sampled references: for every iteration each sentence draws one of its references, and their counts are summed.
//!
//! The generator is MT19937 (Matsumoto and Nishimura 1998), seeded by its `init_by_array`; a draw is a double of 53
//! bits, as in Python's `random.seed(int)` and `random.random()`. The draws of the original GLEU scorer can thus be
//! repeated, and seeds do not depend on library versions.
//!
//! Cost: O(iterations × sentences × columns) time, O(iterations + size of the counts) memory.

use std::collections::TryReserveError;

use crate::parallel;
use crate::ranking::number::Number;

const N: usize = 624;
const M: usize = 397;

/// Numbers of references of sentences with one, whose draws are skipped together.
const SINGLE: [usize; 1024] = [1; 1024];

/// Number of columns summed at once, which fit into registers.
const WIDTH: usize = 16;

/// The state of `init_genrand(19650218)`, from which every seeding starts.
const SEEDED: [u32; N] = {
    let mut state = [19_650_218; N];
    let mut i = 1;
    while i < N {
        state[i] = 1_812_433_253_u32.wrapping_mul(state[i - 1] ^ (state[i - 1] >> 30)).wrapping_add(i as u32);
        i += 1;
    }
    state
};

/// The Mersenne Twister MT19937.
#[derive(Clone)]
pub struct MersenneTwister {
    state: [u32; N],
    next: usize,
}

impl MersenneTwister {
    /// `init_by_array` of the reference implementation. The key must not be empty.
    pub fn new(key: &[u32]) -> Self {
        let mut state = SEEDED;
        let mut i = 1;
        let mut step = |state: &mut [u32; N], multiplier: u32, add: &dyn Fn(u32, usize) -> u32| {
            let mixed = (state[i - 1] ^ (state[i - 1] >> 30)).wrapping_mul(multiplier);
            state[i] = add(state[i] ^ mixed, i);
            i += 1;
            if i == N {
                state[0] = state[N - 1];
                i = 1;
            }
        };
        for (j, &own) in (0..).zip(key).cycle().take(N.max(key.len())) {
            step(&mut state, 1_664_525, &|mixed, _| mixed.wrapping_add(own).wrapping_add(j));
        }
        for _ in 1..N {
            step(&mut state, 1_566_083_941, &|mixed, i| mixed.wrapping_sub(i as u32));
        }
        state[0] = 0x8000_0000;
        Self { state, next: N }
    }

    /// The generator with the state and position that `next` returns word by word.
    fn restored(next: &mut impl FnMut() -> Option<u64>) -> Option<Self> {
        let mut state = [0; N];
        for word in &mut state {
            *word = u32::try_from(next()?).ok()?;
        }
        let place = usize::try_from(next()?).ok()?;
        (place <= N).then_some(Self { state, next: place })
    }

    fn refill(&mut self) {
        let state = &mut self.state;
        let twisted = |own: u32, next: u32, far: u32| {
            let y = (own & 0x8000_0000) | (next & 0x7fff_ffff);
            far ^ (y >> 1) ^ ((y & 1) * 0x9908_b0df)
        };
        // Loops without a remainder, which the compiler turns into vectors.
        for i in 0..N - M {
            state[i] = twisted(state[i], state[i + 1], state[i + M]);
        }
        for i in N - M..N - 1 {
            state[i] = twisted(state[i], state[i + 1], state[i + M - N]);
        }
        state[N - 1] = twisted(state[N - 1], state[0], state[M - 1]);
        self.next = 0;
    }

    /// The next words.
    fn fill(&mut self, mut words: &mut [u32]) {
        while !words.is_empty() {
            if self.next == N {
                self.refill();
            }
            let (now, later) = words.split_at_mut(words.len().min(N - self.next));
            now.copy_from_slice(&self.state[self.next..][..now.len()]);
            for word in &mut *now {
                *word ^= *word >> 11;
                *word ^= (*word << 7) & 0x9d2c_5680;
                *word ^= (*word << 15) & 0xefc6_0000;
                *word ^= *word >> 18;
            }
            self.next += now.len();
            words = later;
        }
    }

    /// An integer in 0..n for 0 < n < 2^32: draws as many bits as n has until they are below n, as Python 3's
    /// `randrange` and `randint` do. Expected O(1).
    pub fn below(&mut self, n: u32) -> u32 {
        loop {
            let mut word = [0];
            self.fill(&mut word);
            let number = word[0] >> n.leading_zeros();
            if number < n {
                return number;
            }
        }
    }
}

/// A double in [0, 1) with 53 random bits, from two words.
fn unit([a, b]: [u32; 2]) -> f64 {
    (f64::from(a >> 5) * 67_108_864.0 + f64::from(b >> 6)) / 9_007_199_254_740_992.0
}

/// `unit(words) * n`, rounded down, for n > 0.
#[inline]
fn scaled(words: [u32; 2], n: usize) -> usize {
    if n.is_power_of_two() && n <= 1 << 27 {
        return ((u64::from(words[0]) * n as u64) >> 32) as usize; // the upper bits of the first word
    }
    (unit(words) * n as f64) as usize
}

/// The source of the draws of iteration i.
#[derive(Clone, Copy, Debug)]
pub enum Seed {
    /// The original scorer's: iteration i has the seed i × 101.
    Fixed,
    /// The same seeds with integers (`below`): the draws of the original scorer's code under Python 3.
    Randint,
    /// Iteration i has the array (low half of the seed, high half, i) as its seed.
    Free(u64),
}

impl Seed {
    fn generator(self, iteration: usize) -> MersenneTwister {
        match self {
            Self::Fixed | Self::Randint => {
                let seed = iteration as u64 * 101;
                // A key of the required length, split as in Python.
                let key = [seed as u32, (seed >> 32) as u32];
                MersenneTwister::new(if key[1] == 0 { &key[..1] } else { &key })
            }
            Self::Free(seed) => MersenneTwister::new(&[seed as u32, (seed >> 32) as u32, iteration as u32]),
        }
    }

    /// The next draws, one among each number of references.
    fn places(self, generator: &mut MersenneTwister, numbers: &[usize]) -> Vec<usize> {
        if matches!(self, Self::Randint) {
            return numbers.iter().map(|&number| generator.below(number as u32) as usize).collect();
        }
        let mut words = vec![[0; 2]; numbers.len()];
        generator.fill(words.as_flattened_mut());
        words.into_iter().zip(numbers).map(|(words, &number)| scaled(words, number)).collect()
    }

    /// As two words.
    fn words(self) -> [u64; 2] {
        match self {
            Self::Fixed => [0, 0],
            Self::Free(seed) => [1, seed],
            Self::Randint => [2, 0],
        }
    }

    fn of_words(kind: u64, seed: u64) -> Option<Self> {
        [Self::Fixed, Self::Free(seed), Self::Randint].get(usize::try_from(kind).ok()?).copied()
    }
}

/// The reference of every sentence in one iteration; sentence s has the non-empty references `available[s]`.
pub fn draw(available: &[Vec<u32>], seed: Seed, iteration: usize) -> impl Iterator<Item = u32> + '_ {
    let numbers: Vec<usize> = available.iter().map(Vec::len).collect();
    let places = seed.places(&mut seed.generator(iteration), &numbers);
    available.iter().zip(places).map(|(own, place)| own[place])
}

/// Sums, for every iteration, over drawn references of counts that are added in parts; the draws of a part continue the
/// previous part's. Memory: iterations × (2.5 KB and the columns).
///
/// While every sentence has only one reference, all iterations have the same sums, and one is stored.
#[derive(Clone)]
pub struct Sampler<T> {
    columns: usize,
    iterations: usize,
    seed: Seed,
    /// Number of sentences so far.
    sentences: u64,
    /// One, or one per iteration.
    runs: Vec<Run<T>>,
}

/// One iteration. It needs no generator while all have the same sums.
#[derive(Clone)]
struct Run<T> {
    generator: Option<Box<MersenneTwister>>,
    sums: Vec<T>,
}

impl<T: Number + Send + Sync> Sampler<T> {
    /// Requires at least one iteration.
    pub fn new(columns: usize, iterations: usize, seed: Seed) -> Self {
        let runs = vec![Run { generator: None, sums: vec![T::ZERO; columns] }];
        Self { columns, iterations, seed, sentences: 0, runs }
    }

    /// Whether every sentence has at most one reference so far.
    pub fn all_single(&self) -> bool {
        self.runs.iter().all(|run| run.generator.is_none())
    }

    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The number of rows of sums.
    pub fn rows(&self) -> usize {
        self.runs.len()
    }

    /// The sums `[iteration][column]`, or only `[column]` while they are the same for all iterations.
    pub fn sums(&self) -> Vec<T> {
        self.runs.iter().flat_map(|run| &run.sums).copied().collect()
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
        if self.all_single() && available.iter().any(|own| own.len() > 1) {
            self.start_drawing(threads)?;
        }
        // Rows in tiles of WIDTH columns, padded with zeros, and the row of each reference that can be drawn.
        let rows = || counts.chunks_exact(self.columns.max(1));
        let tile = |first| move |row: &[T]| std::array::from_fn(|k| row.get(first + k).copied().unwrap_or(T::ZERO));
        let tiles: Vec<Vec<[T; WIDTH]>> =
            (0..self.columns).step_by(WIDTH).map(|first| rows().map(tile(first)).collect()).collect();
        let own: Vec<usize> = available.iter().map(Vec::len).collect();
        let starts: Vec<usize> = own.iter().scan(0, |end, own| Some(std::mem::replace(end, *end + own))).collect();
        let numbers: Vec<usize> = available
            .iter()
            .enumerate()
            .flat_map(|(s, own)| own.iter().map(move |&r| s * references + r as usize))
            .collect();
        // Iterations are few, but each takes as much work as there are sentences.
        let threads = if available.len() < 4096 / self.columns.max(1) { 1 } else { threads };
        let seed = self.seed;
        parallel::few(&mut self.runs, 1, threads, |_, run| {
            let Run { generator, sums } = &mut run[0];
            let places = generator.as_mut().map_or(vec![0; own.len()], |generator| seed.places(generator, &own));
            let drawn: Vec<usize> = starts.iter().zip(places).map(|(start, place)| numbers[start + place]).collect();
            for (sums, tile) in sums.chunks_mut(WIDTH).zip(&tiles) {
                let mut found = [T::ZERO; WIDTH];
                found[..sums.len()].copy_from_slice(sums);
                for &row in &drawn {
                    found.iter_mut().zip(&tile[row]).for_each(|(sum, &count)| *sum += count);
                }
                sums.copy_from_slice(&found[..sums.len()]);
            }
        });
        self.sentences += available.len() as u64;
        Ok(())
    }

    /// Creates one run per iteration, with a generator advanced by the sentences so far.
    fn start_drawing(&mut self, threads: usize) -> Result<(), TryReserveError> {
        let (seed, sentences) = (self.seed, self.sentences);
        self.runs.try_reserve_exact(self.iterations)?;
        self.runs.resize(self.iterations, self.runs[0].clone());
        parallel::few(&mut self.runs, 1, threads, |iteration, run| {
            let mut generator = seed.generator(iteration);
            for start in (0..sentences).step_by(SINGLE.len()) {
                let rest = usize::try_from(sentences - start).unwrap_or(usize::MAX);
                seed.places(&mut generator, &SINGLE[..rest.min(SINGLE.len())]);
            }
            run[0].generator = Some(Box::new(generator));
        });
        Ok(())
    }

    /// The state as bytes: little-endian words.
    pub fn state(&self) -> Vec<u8> {
        let mut words = vec![self.columns as u64, self.iterations as u64, self.sentences, u64::from(self.all_single())];
        words.extend(self.seed.words());
        for run in &self.runs {
            words.extend(run.sums.iter().map(|sum| sum.to_bits64()));
            if let Some(generator) = &run.generator {
                words.extend(generator.state.iter().map(|&word| u64::from(word)));
                words.push(generator.next as u64);
            }
        }
        words.into_iter().flat_map(u64::to_le_bytes).collect()
    }

    /// The sampler with that state; None for an invalid state.
    pub fn restored(state: &[u8]) -> Option<Self> {
        let mut words = state.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().unwrap_or_default()));
        let mut next = || words.next();
        let [columns, iterations, sentences, single] = [next()?, next()?, next()?, next()?];
        let seed = Seed::of_words(next()?, next()?)?;
        let (columns, iterations) = (usize::try_from(columns).ok()?, usize::try_from(iterations).ok()?);
        let single = single != 0;
        let length = if single { columns } else { iterations.checked_mul(columns.checked_add(N + 1)?)? };
        if state.len() != length.checked_add(6)?.checked_mul(8)? {
            return None;
        }
        let mut runs = Vec::new();
        for _ in 0..if single { 1 } else { iterations } {
            let sums = (0..columns).map(|_| next().map(T::from_bits64)).collect::<Option<Vec<T>>>()?;
            let generator = if single { None } else { Some(Box::new(MersenneTwister::restored(&mut next)?)) };
            runs.push(Run { generator, sums });
        }
        Some(Self { columns, iterations, seed, sentences, runs })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reference_output_of_the_generator() {
        // The first numbers of the reference implementation's own test (mt19937ar.out), seeded by this array.
        let mut first = [0; 5];
        MersenneTwister::new(&[0x123, 0x234, 0x345, 0x456]).fill(&mut first);
        assert_eq!(first, [1_067_595_299, 955_945_823, 477_289_528, 4_107_218_783, 4_228_976_476]);
    }

    #[test]
    fn python_draws() {
        // random.seed(101); random.random()
        let words = |seed: u32| {
            let mut words = vec![[0; 2]; 2000];
            MersenneTwister::new(&[seed]).fill(words.as_flattened_mut());
            words
        };
        assert_eq!([101, 0].map(|seed| unit(words(seed)[0])), [0.5811521325045647, 0.8444218515250481]);
        for n in [1, 2, 3, 4, 6, 1 << 27, 1 << 28] {
            words(7).iter().for_each(|&two| assert_eq!(scaled(two, n), (unit(two) * n as f64) as usize));
        }
        // random.seed(101); [random.randint(0, 2) for _ in range(8)]
        let mut generator = MersenneTwister::new(&[101]);
        assert_eq!([(); 8].map(|()| generator.below(3)), [2, 0, 2, 1, 1, 0, 2, 2]);
    }

    #[test]
    fn sums_are_those_of_the_drawn_rows_whatever_the_parts() {
        for columns in [2, 17] {
            let counts: Vec<i64> = (0..4 * 2 * columns as i64).collect();
            let available = [vec![1], vec![0, 1], vec![1], vec![0, 1]];
            let mut whole = Sampler::new(columns, 7, Seed::Free(5));
            whole.add(&counts, 2, &available, 2).unwrap();
            for (iteration, sums) in whole.sums().chunks(columns).enumerate() {
                let mut expected = vec![0; columns];
                for (s, r) in draw(&available, Seed::Free(5), iteration).enumerate() {
                    for (k, sum) in expected.iter_mut().enumerate() {
                        *sum += counts[(s * 2 + r as usize) * columns + k];
                    }
                }
                assert_eq!(sums, expected);
            }
            let mut parts = Sampler::new(columns, 7, Seed::Free(5));
            for s in 0..4 {
                assert_eq!(parts.all_single(), s < 2);
                parts.add(&counts[2 * s * columns..][..2 * columns], 2, &available[s..=s], 1).unwrap();
                parts = Sampler::restored(&parts.state()).unwrap();
            }
            assert_eq!(parts.sums(), whole.sums());
            assert!(Sampler::<i64>::restored(&whole.state()[8..]).is_none());
        }
    }
}
