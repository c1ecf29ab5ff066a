//! Sampled references: for every iteration each sentence draws one of its references, and the counts of those are
//! summed up.
//!
//! The generator is MT19937 (Matsumoto and Nishimura 1998) seeded through its `init_by_array`, a draw a double of
//! 53 bits: what Python's `random.seed(int)` and `random.random()` do. So the draws of the original GLEU scorer can be
//! repeated, and seeds outlive versions of any library.
//!
//! Cost: O(iterations × sentences × columns) time, O(iterations × columns) memory. The text is not looked at.

use crate::parallel;

const N: usize = 624;
const M: usize = 397;

/// The Mersenne Twister MT19937.
pub struct MersenneTwister {
    state: [u32; N],
    next: usize,
}

impl MersenneTwister {
    /// `init_by_array` of the reference implementation. The key must not be empty.
    pub fn new(key: &[u32]) -> Self {
        let mut state = [0; N];
        state[0] = 19_650_218;
        for i in 1..N {
            state[i] = 1_812_433_253_u32.wrapping_mul(state[i - 1] ^ (state[i - 1] >> 30)).wrapping_add(i as u32);
        }
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
        for k in 0..N.max(key.len()) {
            let j = k % key.len();
            step(&mut state, 1_664_525, &|mixed, _| mixed.wrapping_add(key[j]).wrapping_add(j as u32));
        }
        for _ in 1..N {
            step(&mut state, 1_566_083_941, &|mixed, i| mixed.wrapping_sub(i as u32));
        }
        state[0] = 0x8000_0000;
        Self { state, next: N }
    }

    fn refill(&mut self) {
        for i in 0..N {
            let y = (self.state[i] & 0x8000_0000) | (self.state[(i + 1) % N] & 0x7fff_ffff);
            let twist = if y & 1 == 0 { 0 } else { 0x9908_b0df };
            self.state[i] = self.state[(i + M) % N] ^ (y >> 1) ^ twist;
        }
        self.next = 0;
    }

    fn next_u32(&mut self) -> u32 {
        if self.next == N {
            self.refill();
        }
        let mut y = self.state[self.next];
        self.next += 1;
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c_5680;
        y ^= (y << 15) & 0xefc6_0000;
        y ^ (y >> 18)
    }

    /// A double in [0, 1) with 53 random bits.
    pub fn random(&mut self) -> f64 {
        let (a, b) = (self.next_u32() >> 5, self.next_u32() >> 6);
        (f64::from(a) * 67_108_864.0 + f64::from(b)) / 9_007_199_254_740_992.0
    }
}

/// Where the draws of iteration i come from.
#[derive(Clone, Copy)]
pub enum Seed {
    /// The original scorer's: iteration i seeds with i × 101.
    Fixed,
    /// Iteration i seeds with the array (low half of the seed, high half, i).
    Free(u64),
}

impl Seed {
    fn generator(self, iteration: usize) -> MersenneTwister {
        match self {
            Self::Fixed => {
                let seed = iteration as u64 * 101;
                // A key as long as the number needs, as Python splits it.
                let key = [seed as u32, (seed >> 32) as u32];
                MersenneTwister::new(if key[1] == 0 { &key[..1] } else { &key })
            }
            Self::Free(seed) => MersenneTwister::new(&[seed as u32, (seed >> 32) as u32, iteration as u32]),
        }
    }
}

/// The reference of every sentence in one iteration; sentence s has the references `available[s]`, never none.
pub fn draw<'a>(available: &'a [Vec<u32>], seed: Seed, iteration: usize) -> impl Iterator<Item = u32> + 'a {
    let mut generator = seed.generator(iteration);
    available.iter().map(move |own| own[(generator.random() * own.len() as f64) as usize])
}

/// The sums `[iteration][column]` of `counts[sentence][reference][column]` over the references that are drawn.
pub fn sums(
    counts: &[i32],
    columns: usize,
    references: usize,
    available: &[Vec<u32>],
    iterations: usize,
    seed: Seed,
    threads: usize,
) -> Vec<i64> {
    let mut sums = vec![0; iterations * columns];
    if columns == 0 {
        return sums;
    }
    // Iterations are few but each is as much work as there are sentences.
    let threads = if available.len() < 4096 / columns { 1 } else { threads };
    parallel::few(&mut sums, columns, threads, |iteration, total| {
        for (s, reference) in draw(available, seed, iteration).enumerate() {
            let at = (s * references + reference as usize) * columns;
            for (sum, &count) in total.iter_mut().zip(&counts[at..at + columns]) {
                *sum += i64::from(count);
            }
        }
    });
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reference_output_of_the_generator() {
        // The first numbers of the reference implementation's own test (mt19937ar.out), seeded by this array.
        let mut generator = MersenneTwister::new(&[0x123, 0x234, 0x345, 0x456]);
        let first: Vec<u32> = (0..5).map(|_| generator.next_u32()).collect();
        assert_eq!(first, [1_067_595_299, 955_945_823, 477_289_528, 4_107_218_783, 4_228_976_476]);
    }

    #[test]
    fn python_draws() {
        // random.seed(101); random.random()
        assert_eq!(MersenneTwister::new(&[101]).random(), 0.5811521325045647);
        assert_eq!(MersenneTwister::new(&[0]).random(), 0.8444218515250481);
    }

    #[test]
    fn sums_are_those_of_the_drawn_rows() {
        let counts: Vec<i32> = (0..3 * 2 * 2).collect();
        let available = [vec![0, 1], vec![1], vec![0, 1]];
        let sums = sums(&counts, 2, 2, &available, 7, Seed::Free(5), 2);
        for iteration in 0..7 {
            let mut expected = [0, 0];
            for (s, r) in draw(&available, Seed::Free(5), iteration).enumerate() {
                for (k, sum) in expected.iter_mut().enumerate() {
                    *sum += i64::from(counts[(s * 2 + r as usize) * 2 + k]);
                }
            }
            assert_eq!(sums[iteration * 2..][..2], expected);
        }
    }
}
