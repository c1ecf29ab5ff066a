//! xoshiro256++ 1.0 (Blackman and Vigna 2019), seeded by SplitMix64 as its authors recommend.
//!
//! Implemented here so that a seed gives the same draws in every release, on every machine and with any number of
//! threads: each run or replicate has its own generator, seeded by its number.

/// The increment of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
pub const INCREMENT: u64 = 0x9e37_79b9_7f4a_7c15;

/// SplitMix64's finaliser.
pub fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// 256 bits of state; a period of 2^256 - 1.
#[derive(Clone, Debug)]
pub struct Xoshiro256 {
    state: [u64; 4],
}

impl Xoshiro256 {
    /// The generator of `seed`, which may be 0.
    pub fn new(seed: u64) -> Self {
        let mut mixer = seed;
        let mut next = || {
            mixer = mixer.wrapping_add(INCREMENT);
            mix(mixer)
        };
        Self { state: [next(), next(), next(), next()] }
    }

    /// 64 uniform bits. O(1).
    pub fn bits(&mut self) -> u64 {
        let [a, b, c, d] = self.state;
        let result = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
        let (c, d) = (c ^ a, d ^ b);
        self.state = [a ^ d, b ^ c, c ^ (b << 17), d.rotate_left(45)];
        result
    }

    /// Uniform in [0, 1), in steps of 2^-53. O(1).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Uniform in 0..n for n > 0, without bias (Lemire 2019). Expected O(1).
    pub fn below(&mut self, n: u64) -> u64 {
        let mut product = u128::from(self.bits()) * u128::from(n);
        if (product as u64) < n {
            let rejected = n.wrapping_neg() % n;
            while (product as u64) < rejected {
                product = u128::from(self.bits()) * u128::from(n);
            }
        }
        (product >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_follow_the_published_recurrence() {
        // First outputs of the authors' C code from the state 1, 2, 3, 4.
        let mut rng = Xoshiro256 { state: [1, 2, 3, 4] };
        let expected =
            [41_943_041, 58_720_359, 3_588_806_011_781_223, 3_591_011_842_654_386, 9_228_616_714_210_784_205];
        for value in expected {
            assert_eq!(rng.bits(), value);
        }
    }

    #[test]
    fn seeds_are_mixed_by_splitmix64() {
        // First outputs of SplitMix64 from 0, the published check values.
        let rng = Xoshiro256::new(0);
        assert_eq!(rng.state[0], 0xe220_a839_7b1d_cdaf);
        assert_eq!(rng.state[1], 0x6e78_9e6a_a1b9_65f4);
    }

    #[test]
    fn below_is_uniform_and_in_range() {
        let mut rng = Xoshiro256::new(0);
        let mut seen = [0u32; 7];
        for _ in 0..70_000 {
            seen[rng.below(7) as usize] += 1;
        }
        // Binomial(70000, 1/7): sd 93; five of them either way.
        assert!(seen.iter().all(|&n| (9_535..10_465).contains(&n)), "{seen:?}");
    }

    #[test]
    fn unit_stays_below_one() {
        let mut rng = Xoshiro256::new(1);
        let mean = (0..10_000).map(|_| rng.unit()).inspect(|u| assert!((0.0..1.0).contains(u))).sum::<f64>() / 1e4;
        assert!((mean - 0.5).abs() < 0.015, "{mean}");
    }
}
