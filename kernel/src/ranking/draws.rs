//! References drawn for every sentence, once for all systems.
//!
//! The generator is MT19937 (Matsumoto and Nishimura 1998), seeded by its `init_by_array`; a draw is a double of 53
//! bits, as in Python's `random.seed(int)` and `random.random()`. The draws of the original GLEU scorer can thus be
//! repeated, and seeds do not depend on library versions.

use std::collections::TryReserveError;
use std::sync::{Arc, Mutex, Weak};

use crate::parallel;

const N: usize = 624;
const M: usize = 397;

/// Numbers of references of sentences with one, whose draws are skipped together.
const SINGLE: [usize; 1024] = [1; 1024];

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
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Seed {
    /// The original scorer's: iteration i has the seed i × 101.
    #[default]
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

/// Number of draws made at once, in 4 bytes each.
const DRAWS: usize = 1 << 22;

/// Steps from which others may start, see [`Draws::start`].
static STARTS: Mutex<Vec<Weak<Draws>>> = Mutex::new(Vec::new());

/// The draws of all iterations for the sentences of a step, and the generators after them.
///
/// Systems that draw for the same sentences share a step as long as one of them keeps it. A lock that is taken is not
/// waited for (it stays taken in a child of a process that forked meanwhile): the step is then made again.
#[derive(Default)]
pub struct Draws {
    seed: Seed,
    iterations: usize,
    /// Number of sentences up to here.
    sentences: u64,
    /// The non-empty references of the sentences of this step.
    available: Vec<Vec<u32>>,
    /// One per iteration, or one for all while every sentence has one reference.
    runs: Vec<Run>,
    next: Mutex<Weak<Draws>>,
}

/// One iteration. It needs no generator while all draw the same.
#[derive(Default)]
struct Run {
    generator: Option<Box<MersenneTwister>>,
    drawn: Vec<u32>,
}

impl Draws {
    /// The state before the first sentence, shared with others that have not drawn yet.
    pub fn start(seed: Seed, iterations: usize) -> Arc<Self> {
        let made = Arc::new(Self { seed, iterations, ..Self::default() });
        let Ok(mut starts) = STARTS.try_lock() else { return made };
        starts.retain(|start| start.strong_count() > 0);
        let same = |start: &Arc<Self>| (start.seed, start.iterations) == (seed, iterations);
        if let Some(found) = starts.iter().filter_map(Weak::upgrade).find(same) {
            return found;
        }
        starts.push(Arc::downgrade(&made));
        made
    }

    /// The step that draws among the non-empty references of the next sentences.
    pub fn next(&self, available: &[Vec<u32>], threads: usize) -> Result<Arc<Self>, TryReserveError> {
        let shared = self.next.try_lock().ok().and_then(|next| next.upgrade());
        if let Some(found) = shared.filter(|found| found.available == available) {
            return Ok(found);
        }
        let made = Arc::new(self.after(available, threads)?);
        if let Ok(mut next) = self.next.try_lock() {
            *next = Arc::downgrade(&made);
        }
        Ok(made)
    }

    fn after(&self, available: &[Vec<u32>], threads: usize) -> Result<Self, TryReserveError> {
        let single = self.all_single() && available.iter().all(|own| own.len() == 1);
        let rows = if single { 1 } else { self.iterations };
        let numbers: Vec<usize> = available.iter().map(Vec::len).collect();
        let mut runs = Vec::new();
        runs.try_reserve_exact(rows)?;
        runs.resize_with(rows, Run::default);
        parallel::few(&mut runs, 1, threads, |iteration, run| {
            let mut generator = (!single).then(|| self.generator(iteration));
            let draw = |generator: &mut Box<MersenneTwister>| self.seed.places(generator, &numbers);
            let places = generator.as_mut().map_or_else(|| vec![0; numbers.len()], draw);
            let drawn = available.iter().zip(places).map(|(own, place)| own[place]).collect();
            run[0] = Run { generator, drawn };
        });
        let (seed, iterations, available) = (self.seed, self.iterations, available.to_vec());
        let sentences = self.sentences + available.len() as u64;
        Ok(Self { seed, iterations, sentences, available, runs, next: Mutex::default() })
    }

    /// The references `[iteration][sentence]` of all sentences, which have the non-empty references `available`.
    pub fn all(seed: Seed, iterations: usize, available: &[Vec<u32>]) -> Result<Vec<u32>, TryReserveError> {
        let mut all = Vec::new();
        all.try_reserve_exact(iterations.saturating_mul(available.len()))?;
        all.resize(iterations * available.len(), 0);
        let mut draws = Self::start(seed, iterations);
        for (step, own) in available.chunks(draws.most()).enumerate() {
            draws = draws.next(own, 1)?;
            for (iteration, row) in all.chunks_exact_mut(available.len()).enumerate() {
                row[step * draws.most()..][..own.len()].copy_from_slice(draws.drawn(iteration));
            }
        }
        Ok(all)
    }

    /// The generator of an iteration after the sentences up to here.
    fn generator(&self, iteration: usize) -> Box<MersenneTwister> {
        if let Some(own) = self.runs.get(iteration).and_then(|run| run.generator.as_ref()) {
            return own.clone();
        }
        let mut generator = Box::new(self.seed.generator(iteration));
        for start in (0..self.sentences).step_by(SINGLE.len()) {
            let rest = usize::try_from(self.sentences - start).unwrap_or(usize::MAX);
            self.seed.places(&mut generator, &SINGLE[..rest.min(SINGLE.len())]);
        }
        generator
    }

    /// Whether every sentence up to here has one reference.
    pub fn all_single(&self) -> bool {
        self.runs.iter().all(|run| run.generator.is_none())
    }

    pub fn iterations(&self) -> usize {
        self.iterations
    }

    /// The largest number of sentences of a step.
    pub fn most(&self) -> usize {
        (DRAWS / self.iterations.max(1)).max(1)
    }

    /// The reference of each sentence of this step in one iteration.
    pub fn drawn(&self, iteration: usize) -> &[u32] {
        &self.runs[iteration.min(self.runs.len() - 1)].drawn
    }

    /// The state as words, without the draws.
    pub fn state(&self) -> Vec<u64> {
        let mut words = vec![self.iterations as u64, self.sentences, u64::from(self.all_single())];
        words.extend(self.seed.words());
        for generator in self.runs.iter().filter_map(|run| run.generator.as_ref()) {
            words.extend(generator.state.iter().map(|&word| u64::from(word)));
            words.push(generator.next as u64);
        }
        words
    }

    /// The state that `next` returns word by word.
    pub fn restored(next: &mut impl FnMut() -> Option<u64>) -> Option<Self> {
        let (iterations, sentences, single) = (usize::try_from(next()?).ok()?, next()?, next()? != 0);
        let seed = Seed::of_words(next()?, next()?)?;
        let mut runs = Vec::new();
        for _ in 0..if single { 0 } else { iterations } {
            let generator = Some(Box::new(MersenneTwister::restored(next)?));
            runs.push(Run { generator, drawn: Vec::new() });
        }
        Some(Self { seed, iterations, sentences, runs, ..Self::default() })
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
    fn systems_share_steps_over_the_same_sentences() {
        let available = [vec![0, 1], vec![1]];
        let [first, second] = [(); 2].map(|()| Draws::start(Seed::Free(20), 3));
        assert!(Arc::ptr_eq(&first, &second));
        let step = first.next(&available, 1).unwrap();
        assert!(Arc::ptr_eq(&step, &second.next(&available, 2).unwrap()));
        assert!(!Arc::ptr_eq(&step, &second.next(&available[..1], 1).unwrap()));
        let _taken = second.next.lock().unwrap(); // as in a child of a process that forked
        let own = second.next(&available, 1).unwrap();
        assert!(!Arc::ptr_eq(&step, &own));
        assert_eq!(step.drawn(2), own.drawn(2));
    }
}
