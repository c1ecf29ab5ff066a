//! A linear classifier over hashed features: each of 2^bits buckets has a weight for each class, mostly 0.

use super::read::Reader;

/// A cache line.
#[repr(align(64))]
struct Line([u8; LINE]);
const LINE: usize = 64;

/// The weights of a bucket, plus `BIAS`: N numbers, 0 for missing classes.
type Row<const N: usize> = [u8; N];

/// Added to every weight to avoid negative numbers, which take more instructions to widen. All classes get the same
/// bias, so comparisons of scores do not change.
const BIAS: i8 = i8::MIN;

/// Sums of rows. A decision has at most `MOST` features, so 16 bits hold every sum.
pub type Scores<const N: usize> = [i16; N];

/// Maximum number of features of a decision.
pub const MOST: usize = 64;

/// Eight buckets: a bit for each non-zero one, and above these bits the number of non-zero buckets before the eight.
type Eight = u32;
/// The number of bits in each byte.
const ONES: [u8; 256] = {
    let mut ones = [0; 256];
    let mut byte = 1;
    while byte < 256 {
        ones[byte] = ones[byte / 2] + byte as u8 % 2;
        byte += 1;
    }
    ones
};

/// A classifier; N, 16 or 64, is the maximum number of classes.
pub struct Weights<const N: usize> {
    pub classes: usize,
    bits: u32,
    /// Which of 8 buckets are non-zero, and the number of non-zero ones before them. Most features of a text did not
    /// occur in training; this small table answers for them without reading the large one.
    present: Vec<Eight>,
    /// Row 0 represents all zero buckets and is never added; no row crosses a line.
    lines: Vec<Line>,
}

impl<const N: usize> Weights<N> {
    const PER_LINE: usize = LINE / N;

    /// Number of classes, log2 of the number of buckets, length of every bucket, then all classes and all weights.
    pub fn read(reader: &mut Reader) -> Result<Self, String> {
        let classes = reader.u8()? as usize;
        if classes > N {
            return Err(format!("the tagger's model has {classes} classes, more than {N}"));
        }
        let bits = u32::from(reader.u8()?);
        if !(6..=23).contains(&bits) {
            return Err("the tagger's model has an impossible number of buckets".into());
        }
        let lengths = reader.take(1 << bits)?;
        let total = lengths.iter().map(|&length| length as usize).sum();
        let (names, values) = (reader.take(total)?, reader.take(total)?);
        let mut entries = names.iter().zip(values);
        let (mut present, mut rows) = (Vec::with_capacity(lengths.len() / 8), 0);
        let weighed = lengths.iter().filter(|&&length| length > 0).count();
        let mut lines: Vec<Line> = Vec::new();
        lines.resize_with((1 + weighed).div_ceil(Self::PER_LINE), || Line([0; LINE]));
        for lengths in lengths.chunks(8) {
            let mut eight = (rows as Eight) << 8;
            for (bucket, &length) in lengths.iter().enumerate().filter(|(_, &length)| length > 0) {
                eight |= 1 << bucket;
                rows += 1;
                let mut weights = [0i8; N];
                for (&class, &value) in entries.by_ref().take(length.into()) {
                    let weight = weights[..classes].get_mut(class as usize).filter(|weight| **weight == 0);
                    *weight.ok_or("the tagger's model has a weight of an unknown class, or two of one class")? =
                        value as i8;
                }
                let row = &mut lines[rows / Self::PER_LINE].0[rows % Self::PER_LINE * N..][..classes];
                for (biased, weight) in row.iter_mut().zip(weights) {
                    *biased = weight.wrapping_sub(BIAS) as u8;
                }
            }
            present.push(eight);
        }
        Ok(Self { classes, bits, present, lines })
    }

    /// The row of a feature; 0 for a zero bucket.
    #[inline(always)]
    pub fn row(&self, feature: u64) -> u32 {
        let place = bucket(feature, self.bits);
        let eight = self.present[place / 8];
        let upto = (eight << (7 - place % 8)) as u8;
        // The top bit of `upto` is the bucket's bit: all ones if it is non-zero.
        ((eight >> 8) + Eight::from(ONES[upto as usize])) & (upto as i8 >> 7) as u32
    }

    /// Add rows to the scores of all classes. O(rows · N), in vector instructions and without a branch per row.
    #[inline]
    pub fn add(&self, rows: &[u32], scores: &mut Scores<N>) {
        // Read from all lines before the first is needed, so that the processor fetches them concurrently.
        let ahead = |seen, &row: &u32| seen ^ self.lines[row as usize / Self::PER_LINE].0[0];
        std::hint::black_box(rows.iter().fold(0, ahead));
        let mut sums = *scores;
        for &row in rows {
            let (line, place) = (row as usize / Self::PER_LINE, row as usize % Self::PER_LINE * N);
            let row: &Row<N> = self.lines[line].0[place..].first_chunk().expect("a row does not cross a line");
            for (sum, &weight) in sums.iter_mut().zip(row) {
                *sum += i16::from(weight);
            }
        }
        *scores = sums;
    }
}

/// The bucket of a feature's hash: its top bits.
#[inline(always)]
pub fn bucket(feature: u64, bits: u32) -> usize {
    (feature >> (64 - bits)) as usize
}

/// The rows of the features of one decision.
pub struct Rows {
    rows: [u32; MOST],
    len: usize,
}

impl Default for Rows {
    fn default() -> Self {
        Self { rows: [0; MOST], len: 0 }
    }
}

impl Rows {
    /// Adds a row; row 0, which is all zero, is skipped.
    #[inline(always)]
    pub fn push(&mut self, row: u32) {
        self.rows[self.len % MOST] = row;
        self.len += usize::from(row != 0);
    }

    pub fn get(&self) -> &[u32] {
        &self.rows[..self.len]
    }
}

/// A key that grows with the score, and among equal scores decreases with the class.
#[inline(always)]
fn rank(class: usize, score: i16) -> i32 {
    i32::from(score) * 64 + 63 - class as i32
}

#[inline(always)]
fn class_of(rank: i32) -> u8 {
    (63 - (rank & 63)) as u8
}

/// The class of the largest score, the first of equals.
#[inline]
pub fn best(scores: &[i16]) -> u8 {
    class_of(scores.iter().enumerate().map(|(class, &score)| rank(class, score)).fold(i32::MIN, i32::max))
}

/// The class of the largest score among those in a set of bits, the first of equals.
#[inline]
pub fn best_of(scores: &Scores<64>, mut set: u64) -> u8 {
    let mut top = i32::MIN;
    while set != 0 {
        let class = set.trailing_zeros() as usize;
        top = top.max(rank(class, scores[class]));
        set &= set - 1;
    }
    class_of(top)
}
