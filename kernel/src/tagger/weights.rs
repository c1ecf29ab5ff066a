//! A linear classifier over hashed features: each of 2^bits buckets has a weight for a few classes.

use super::read::Reader;

/// Maximum number of classes.
pub const CLASSES: usize = 64;

/// Sums of weights by class. A decision has fewer than 200 features, so 16 bits hold every sum.
pub type Scores = [i16; CLASSES];

/// The weight of a class: the class in the lowest six bits, the value above them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight(i16);

impl Weight {
    fn new(class: usize, value: i16) -> Self {
        Self(value << 6 | class as i16)
    }

    #[inline(always)]
    fn class(self) -> usize {
        self.0 as usize % CLASSES
    }

    #[inline(always)]
    fn value(self) -> i16 {
        self.0 >> 6
    }
}

/// Eight buckets: a bit for each that has weights, and above these bits the number of earlier buckets with weights.
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

/// A weight in a file: six bits of class, five of value (`ZERO` stands for 0), and one for the last of a bucket.
pub const PACKED_BITS: usize = 12;
pub const ZERO: i32 = 16;

/// A classifier.
pub struct Weights {
    pub classes: usize,
    bits: u32,
    /// Which of 8 buckets have weights. Most features of a text did not occur in training; this small table answers for
    /// them without reading the others.
    present: Vec<Eight>,
    /// Where the weights of each of these buckets begin, from the second on, and the end of the last; the first stands for
    /// all buckets without weights.
    starts: Vec<u32>,
    weights: Vec<Weight>,
}

impl Weights {
    /// Number of classes, log2 of the number of buckets, a bit for each bucket with weights, the number of weights, and
    /// the weights, two in three bytes. O(buckets + weights).
    pub fn read(reader: &mut Reader) -> Result<Self, String> {
        let (classes, bits) = (reader.u8()? as usize, u32::from(reader.u8()?));
        if classes > CLASSES {
            return Err(format!("the tagger's model has {classes} classes, more than {CLASSES}"));
        }
        if !(6..=23).contains(&bits) {
            return Err("the tagger's model has an impossible number of buckets".into());
        }
        let (mut present, mut rows) = (Vec::with_capacity(1 << (bits - 3)), 0);
        for &byte in reader.take(1 << (bits - 3))? {
            present.push((rows as Eight) << 8 | Eight::from(byte));
            rows += byte.count_ones() as usize;
        }
        let total = reader.u32()? as usize;
        let packed = reader.take(total.div_ceil(2) * 3)?;
        let mut starts = Vec::with_capacity(rows + 2);
        starts.extend([0, 0]);
        let (mut weights, mut top) = (vec![Weight(0); packed.len() / 3 * 2], 0);
        for (at, (pair, slots)) in packed.chunks_exact(3).zip(weights.chunks_exact_mut(2)).enumerate() {
            let both = u32::from(pair[0]) | u32::from(pair[1]) << 8 | u32::from(pair[2]) << 16;
            for (place, bits) in [both & 0xFFF, both >> PACKED_BITS].into_iter().enumerate() {
                let class = bits as usize % CLASSES;
                slots[place] = Weight::new(class, ((bits >> 6 & 31) as i32 - ZERO) as i16);
                top = top.max(class);
                if bits >> 11 == 1 {
                    starts.push((2 * at + place + 1) as u32);
                }
            }
        }
        weights.truncate(total);
        if top >= classes.max(1) || starts.len() != rows + 2 || *starts.last().expect("never empty") as usize != total {
            return Err("the weights of the tagger's model do not fit its buckets or classes".into());
        }
        Ok(Self { classes, bits, present, starts, weights })
    }

    /// The row of a feature; 0 for a bucket without weights.
    #[inline(always)]
    fn row(&self, feature: u64) -> u32 {
        let place = bucket(feature, self.bits);
        let eight = self.present[place / 8];
        let upto = (eight << (7 - place % 8)) as u8;
        // The top bit of `upto` is the bucket's bit: all ones if it has weights.
        ((eight >> 8) + Eight::from(ONES[upto as usize])) & (upto as i8 >> 7) as u32
    }

    /// Collects the rows of up to N features, N a power of two.
    #[inline(always)]
    pub fn rows<const N: usize>(&self) -> Rows<'_, N> {
        Rows { weights: self, rows: [0; N], count: 0 }
    }
}

/// The rows of the features of a decision. All are found before the first is read, without a branch, so that the
/// processor fetches them concurrently.
pub struct Rows<'w, const N: usize> {
    weights: &'w Weights,
    rows: [u32; N],
    count: usize,
}

impl<const N: usize> Rows<'_, N> {
    #[inline(always)]
    pub fn push(&mut self, feature: u64) {
        let row = self.weights.row(feature);
        self.rows[self.count % N] = row;
        self.count += usize::from(row != 0);
    }

    /// Add the weights of all features.
    #[inline(always)]
    pub fn add(&self, scores: &mut Scores) {
        let Weights { starts, weights, .. } = self.weights;
        let mut spans = [(0, 0); N];
        let mut ahead = 0;
        for (span, &row) in spans.iter_mut().zip(&self.rows[..self.count]) {
            *span = (starts[row as usize], starts[row as usize + 1]);
            ahead ^= weights[span.0 as usize].0;
        }
        std::hint::black_box(ahead);
        for &(start, end) in &spans[..self.count] {
            for weight in &weights[start as usize..end as usize] {
                scores[weight.class()] += weight.value();
            }
        }
    }
}

/// The bucket of a feature's hash: its top bits.
#[inline(always)]
pub fn bucket(feature: u64, bits: u32) -> usize {
    (feature >> (64 - bits)) as usize
}

/// The class of the largest score among those in a set of bits, the first of equals.
#[inline]
pub fn best_of(scores: &Scores, mut set: u64) -> u8 {
    let (mut best, mut top) = (0, i16::MIN);
    while set != 0 {
        let class = set.trailing_zeros() as usize;
        if scores[class] > top {
            (best, top) = (class, scores[class]);
        }
        set &= set - 1;
    }
    best as u8
}
