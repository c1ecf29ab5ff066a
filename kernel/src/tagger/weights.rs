//! A linear classifier over hashed features: each of 2^bits buckets holds a few (class, weight) pairs.

use super::read::Reader;

pub struct Weights {
    pub classes: usize,
    bits: u32,
    starts: Vec<u32>,
    entries: Vec<(u8, i8)>,
}

impl Weights {
    /// Number of classes, log2 of the number of buckets, length of every bucket, then all classes and
    /// all weights.
    pub fn read(reader: &mut Reader) -> Result<Self, String> {
        let classes = reader.u8()? as usize;
        let bits = u32::from(reader.u8()?);
        if !(1..=24).contains(&bits) {
            return Err("the tagger's model has an impossible number of buckets".into());
        }
        let mut starts = Vec::with_capacity((1 << bits) + 1);
        let mut total = 0u32;
        starts.push(0);
        for &length in reader.take(1 << bits)? {
            total += u32::from(length);
            starts.push(total);
        }
        let names = reader.take(total as usize)?;
        let values = reader.take(total as usize)?;
        if names.iter().any(|&class| class as usize >= classes) {
            return Err("the tagger's model weighs a class it does not have".into());
        }
        let entries = names.iter().zip(values).map(|(&class, &value)| (class, value as i8)).collect();
        Ok(Self { classes, bits, starts, entries })
    }

    /// Add the weights of one feature to the scores of all classes. O(entries of its bucket).
    #[inline]
    pub fn add(&self, feature: u64, scores: &mut [i32]) {
        let place = bucket(feature, self.bits);
        let (start, end) = (self.starts[place] as usize, self.starts[place + 1] as usize);
        for &(class, value) in &self.entries[start..end] {
            scores[class as usize] += i32::from(value);
        }
    }
}

/// The bucket of a feature's hash: its top bits.
#[inline]
pub fn bucket(feature: u64, bits: u32) -> usize {
    (feature >> (64 - bits)) as usize
}

/// The class of the largest score, the first of equals.
#[inline]
pub fn best(scores: &[i32]) -> u8 {
    let mut winner = 0;
    for (class, &score) in scores.iter().enumerate() {
        if score > scores[winner] {
            winner = class;
        }
    }
    winner as u8
}

/// The class of the largest score among those in a set of bits, the first of equals.
#[inline]
pub fn best_of(scores: &[i32], set: u64) -> u8 {
    let mut winner = set.trailing_zeros() as usize;
    let mut rest = set & set.wrapping_sub(1);
    while rest != 0 {
        let class = rest.trailing_zeros() as usize;
        if scores[class] > scores[winner] {
            winner = class;
        }
        rest &= rest - 1;
    }
    winner as u8
}
