//! Weights of resampled sentences. The weight of a sentence in a replicate is a pure function of seed, replicate and the
//! sentence's key, so it does not depend on parts, threads or other sums. The draws are counter-based, after Salmon et al.
//! (Parallel random numbers, SC 2011), with the finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014) as the
//! mixing function.

use std::ops::Range;

use crate::error::Error;
use crate::interrupt;
use crate::random::{mix, INCREMENT};

/// The rule for the weight of a sentence in a replicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeightScheme {
    /// Its frequency in a bootstrap sample, 0..=12: Poisson with mean 1 (Hanley and MacGibbon 2006), to 32 bits.
    Poisson,
    /// Whether the outputs of two systems are swapped, 0 or 1 with equal probability.
    Swap,
    /// All labellings in turn: bit `key` of the replicate's number, without a draw.
    Labelling,
}

/// 2^32 times the probability that a Poisson variable of mean 1 is at most 0, 1, …, 11, rounded.
pub const POISSON_THRESHOLDS: [u32; 12] = [
    1_580_030_169,
    3_160_060_337,
    3_950_075_422,
    4_213_413_783,
    4_279_248_374,
    4_292_415_292,
    4_294_609_778,
    4_294_923_276,
    4_294_962_463,
    4_294_966_817,
    4_294_967_253,
    4_294_967_292,
];

/// The weights of one replicate.
#[derive(Clone, Copy, Debug)]
pub struct Replicate {
    scheme: WeightScheme,
    /// The start of the replicate's draws; for labellings its number.
    start: u64,
    /// The last word of 64 bits, which neighbouring keys share, and its counter.
    counter: u64,
    word: u64,
}

impl Replicate {
    /// The replicate with this number. Each scheme draws from separate numbers.
    pub fn new(scheme: WeightScheme, seed: u64, number: u64) -> Self {
        let stream = match scheme {
            WeightScheme::Poisson => 1,
            WeightScheme::Swap => 2,
            WeightScheme::Labelling => return Self { scheme, start: number, counter: 0, word: 0 },
        };
        let stream_start = mix(mix(seed.wrapping_add(INCREMENT)).wrapping_add(INCREMENT.wrapping_mul(stream)));
        let start = mix(stream_start.wrapping_add(INCREMENT.wrapping_mul(number.wrapping_add(1))));
        Self { scheme, start, counter: 0, word: mix(start) }
    }

    fn word(&mut self, counter: u64) -> u64 {
        if counter != self.counter {
            self.counter = counter;
            self.word = mix(self.start.wrapping_add(INCREMENT.wrapping_mul(counter)));
        }
        self.word
    }

    /// The random bits that determine the weight of the sentence with this key. O(1).
    fn draw(&mut self, key: u64) -> u32 {
        match self.scheme {
            WeightScheme::Poisson => (self.word(key >> 1) >> (32 * (key & 1))) as u32,
            WeightScheme::Swap => (self.word(key >> 6) >> (key & 63) & 1) as u32,
            WeightScheme::Labelling => (self.start >> key.min(63) & 1) as u32,
        }
    }
}

/// The weights of sentences in each of the replicates. Err: not enough memory.
pub fn weights(keys: &[u64], scheme: WeightScheme, seed: u64, replicates: Range<u64>) -> Result<Vec<u8>, Error> {
    let number_of_replicates = replicates.end.saturating_sub(replicates.start) as usize;
    let (mut weights, mut draws) = (Vec::new(), Vec::new());
    weights.try_reserve_exact(keys.len().saturating_mul(number_of_replicates))?;
    draws.try_reserve_exact(keys.len())?;
    for number in replicates {
        interrupt::check_interrupt()?;
        let mut replicate = Replicate::new(scheme, seed, number);
        draws.clear();
        draws.extend(keys.iter().map(|&key| replicate.draw(key)));
        // In a separate loop, which is vectorised.
        if scheme == WeightScheme::Poisson {
            let weight =
                |draw: u32| POISSON_THRESHOLDS.iter().map(|&threshold| u8::from(draw >= threshold)).sum::<u8>();
            weights.extend(draws.iter().map(|&draw| weight(draw)));
        } else {
            weights.extend(draws.iter().map(|&draw| draw as u8));
        }
    }
    Ok(weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_cumulative_poisson_probabilities() {
        let (mut term, mut sum) = ((-1f64).exp(), 0.0);
        for (k, &threshold) in POISSON_THRESHOLDS.iter().enumerate() {
            sum += term;
            term /= (k + 1) as f64;
            assert!(
                (f64::from(threshold) - sum * 4_294_967_296.0).abs() < 1.0,
                "{k}: {threshold} {}",
                sum * 4_294_967_296.0
            );
        }
    }

    #[test]
    fn weights_have_mean_and_variance_1_and_swaps_are_fair() {
        let keys: Vec<u64> = (0..1000).collect();
        let poisson = weights(&keys, WeightScheme::Poisson, 0, 0..200).unwrap();
        let sum: u64 = poisson.iter().map(|&weight| u64::from(weight)).sum();
        let squares: u64 = poisson.iter().map(|&weight| u64::from(weight).pow(2)).sum();
        let ones: u64 =
            weights(&keys, WeightScheme::Swap, 0, 0..200).unwrap().iter().map(|&weight| u64::from(weight)).sum();
        // 200,000 draws: five standard errors are 0.011 of the mean, 0.031 of the mean square, 0.0056 of the share.
        assert!((sum as f64 / 2e5 - 1.0).abs() < 0.011, "{sum}");
        assert!((squares as f64 / 2e5 - 2.0).abs() < 0.031, "{squares}");
        assert!((ones as f64 / 2e5 - 0.5).abs() < 0.0056, "{ones}");
    }

    #[test]
    fn too_many_replicates_are_an_error() {
        assert_eq!(weights(&[0, 1], WeightScheme::Swap, 0, 0..u64::MAX), Err(Error::Memory("the results")));
    }

    #[test]
    fn a_weight_depends_on_its_key_and_replicate_only() {
        let keys = [5, 4, 64, 65, 0, 1 << 63, 5];
        for scheme in [WeightScheme::Poisson, WeightScheme::Swap] {
            let together = weights(&keys, scheme, 7, 0..5).unwrap();
            let alone: Vec<u8> = keys.iter().flat_map(|&key| weights(&[key], scheme, 7, 3..4).unwrap()).collect();
            assert_eq!(together[3 * keys.len()..4 * keys.len()], alone);
        }
        assert_eq!(weights(&[0, 1, 2, 3], WeightScheme::Labelling, 0, 6..7), Ok(vec![0, 1, 1, 0]));
    }
}
