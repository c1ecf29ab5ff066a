//! A linear classifier over hashed features: each of 2^bits buckets holds a few (class, weight) pairs.

use super::read::Reader;

pub struct Weights {
    pub classes: usize,
    bits: u32,
    /// Which of 64 buckets hold anything, and how many before them do. Most features of a text were never seen
    /// in training; this little table answers for them without a look at the large ones.
    present: Vec<(u64, u32)>,
    /// Where the entries of the buckets that hold anything begin.
    starts: Vec<u32>,
    entries: Vec<(u8, i8)>,
}

impl Weights {
    /// Number of classes, log2 of the number of buckets, length of every bucket, then all classes and
    /// all weights.
    pub fn read(reader: &mut Reader) -> Result<Self, String> {
        let classes = reader.u8()? as usize;
        let bits = u32::from(reader.u8()?);
        if !(6..=24).contains(&bits) {
            return Err("the tagger's model has an impossible number of buckets".into());
        }
        let (mut present, mut starts, mut total) = (Vec::new(), Vec::new(), 0);
        for lengths in reader.take(1 << bits)?.chunks(64) {
            let before = starts.len() as u32;
            let mut set = 0u64;
            for (bucket, &length) in lengths.iter().enumerate().filter(|(_, &length)| length > 0) {
                set |= 1 << bucket;
                starts.push(total);
                total += u32::from(length);
            }
            present.push((set, before));
        }
        starts.push(total);
        let names = reader.take(total as usize)?;
        let values = reader.take(total as usize)?;
        if names.iter().any(|&class| class as usize >= classes) {
            return Err("the tagger's model weighs a class it does not have".into());
        }
        let entries = names.iter().zip(values).map(|(&class, &value)| (class, value as i8)).collect();
        Ok(Self { classes, bits, present, starts, entries })
    }

    /// Add the weights of one feature to the scores of all classes. O(entries of its bucket).
    #[inline]
    pub fn add(&self, feature: u64, scores: &mut [i32]) {
        let place = bucket(feature, self.bits);
        let (set, before) = self.present[place / 64];
        let bit = 1u64 << (place % 64);
        if set & bit == 0 {
            return;
        }
        let rank = before as usize + (set & (bit - 1)).count_ones() as usize;
        let (start, end) = (self.starts[rank] as usize, self.starts[rank + 1] as usize);
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
