//! A linear classifier over hashed features: each of 2^bits buckets has a weight for a few classes.

use super::read::ModelReader;

/// Maximum number of classes.
pub const MAX_CLASSES: usize = 64;

/// Sums of weights by class. A decision has fewer than 200 features, so 16 bits hold every sum.
pub type ClassScores = [i16; MAX_CLASSES];

/// A weight in a file: six bits of class, five of value (`ZERO` stands for 0), and one for the last of a bucket.
pub const PACKED_BITS: usize = 12;
pub const ZERO: i32 = 16;

/// The weight of a class: the class in the lowest six bits, a bit for the last weight of a bucket, and the value in the
/// highest five.
#[derive(Clone, Copy)]
struct Weight(i16);

impl Weight {
    fn unpack(packed: u32) -> Self {
        Self((packed & 0x3F | packed >> 5 & 0x40 | (packed << 5 & 0xF800) ^ 0x8000) as i16)
    }

    #[inline(always)]
    fn class(self) -> usize {
        self.0 as usize % MAX_CLASSES
    }

    #[inline(always)]
    fn value(self) -> i16 {
        self.0 >> 11
    }

    #[inline(always)]
    fn is_last(self) -> bool {
        self.0 & 64 != 0
    }
}

/// A bucket with more weights has a dense row. Frequent features have many weights, and adding a dense row has no
/// branch that the processor cannot predict.
const MAX_SPARSE: usize = 5;
/// Stands before a dense row; no weight has this bit.
const DENSE: i16 = 128;
/// A dense row has values plus `ZERO`: of class c in the low byte of entry c, of class c + `LANES` in the high byte.
const LANES: usize = MAX_CLASSES / 2;
/// Number of dense rows that can be added before a byte overflows.
const MAX_DENSE_ROWS: usize = 8;

/// Eight buckets: the position of the weights of the first one, and the distance from there to those of each.
#[derive(Clone, Copy)]
struct EightBuckets {
    start: u32,
    distances: [u8; 8],
}

/// The distance of a bucket without weights.
const NO_WEIGHTS: u8 = u8::MAX;

/// A classifier.
pub struct Weights {
    pub classes: usize,
    bits: u32,
    buckets: Vec<EightBuckets>,
    /// The weights in the order of the buckets, after one that belongs to no bucket.
    weights: Vec<Weight>,
}

impl Weights {
    /// Number of classes, log2 of the number of buckets, a bit for each bucket with weights, the number of weights, and
    /// the weights, two in three bytes. O(buckets + weights).
    pub fn read(reader: &mut ModelReader) -> Result<Self, String> {
        let (classes, bits) = (reader.u8()? as usize, u32::from(reader.u8()?));
        if classes > MAX_CLASSES {
            return Err(format!("the tagger's model has {classes} classes, more than {MAX_CLASSES}"));
        }
        if !(6..=23).contains(&bits) {
            return Err("the tagger's model has an impossible number of buckets".into());
        }
        let presence = reader.take(1 << (bits - 3))?;
        let total = reader.u32()? as usize;
        let packed = reader.take(total.div_ceil(2) * 3)?;
        let mut unpacked = Vec::with_capacity(total + 1);
        for pair in packed.chunks_exact(3) {
            let pair = u32::from_le_bytes([pair[0], pair[1], pair[2], 0]);
            unpacked.extend([Weight::unpack(pair), Weight::unpack(pair >> PACKED_BITS)]);
        }
        let mut unread = &unpacked[..total];
        let mut is_valid = total >> 24 == 0 && unread.iter().all(|weight| weight.class() < classes);
        let (mut buckets, mut weights) = (Vec::with_capacity(presence.len()), vec![Weight(0)]);
        for byte in presence {
            let start = weights.len();
            let mut distances = [NO_WEIGHTS; 8];
            for bucket in (0..8).filter(|bucket| byte >> bucket & 1 == 1) {
                let count = unread.iter().position(|weight| weight.is_last()).map_or(0, |last| last + 1);
                is_valid &= count > 0;
                // At most 7 · (LANES + 1).
                distances[bucket] = (weights.len() - start) as u8;
                let row;
                (row, unread) = unread.split_at(count);
                if count > MAX_SPARSE {
                    weights.push(Weight(DENSE));
                    weights.extend(dense_row(row));
                } else {
                    weights.extend_from_slice(row);
                }
            }
            buckets.push(EightBuckets { start: start as u32, distances });
        }
        if !(is_valid && unread.is_empty()) {
            return Err("the weights of the tagger's model do not fit its buckets or classes".into());
        }
        Ok(Self { classes, bits, buckets, weights })
    }

    /// The position of the first weight of a feature's bucket; 0 for a bucket without weights.
    #[inline(always)]
    fn row(&self, feature: u64) -> usize {
        let bucket = bucket(feature, self.bits);
        let EightBuckets { start, distances } = self.buckets[bucket / 8];
        match distances[bucket % 8] {
            NO_WEIGHTS => 0,
            distance => start as usize + usize::from(distance),
        }
    }

    /// Adds the weights of up to 64 features, plus the same number for all classes. All rows are computed before the
    /// first is read, without branches, so that the processor fetches them concurrently.
    #[inline(always)]
    pub fn add(&self, features: &[u64], scores: &mut ClassScores) {
        let (mut rows, mut count) = ([0; 64], 0);
        for &feature in features {
            rows[count % 64] = self.row(feature);
            count += usize::from(rows[count % 64] != 0);
        }
        let rows = &rows[..count];
        std::hint::black_box(rows.iter().fold(0, |ahead, &row| ahead ^ self.weights[row].0));
        for rows in rows.chunks(MAX_DENSE_ROWS) {
            let mut sums = [0; LANES];
            for &row in rows {
                let weights = &self.weights[row..];
                if weights[0].0 == DENSE {
                    sums.iter_mut().zip(&weights[1..=LANES]).for_each(|(sum, weight)| *sum += weight.0 as u16);
                    continue;
                }
                for weight in weights {
                    scores[weight.class()] += weight.value();
                    if weight.is_last() {
                        break;
                    }
                }
            }
            for (class, sum) in sums.into_iter().enumerate() {
                scores[class] += (sum & 0xFF) as i16;
                scores[class + LANES] += (sum >> 8) as i16;
            }
        }
    }
}

fn dense_row(weights: &[Weight]) -> [Weight; LANES] {
    let mut row = [Weight((ZERO << 8 | ZERO) as i16); LANES];
    for weight in weights {
        let lane = &mut row[weight.class() % LANES].0;
        *lane = lane.wrapping_add(if weight.class() < LANES { weight.value() } else { weight.value() << 8 });
    }
    row
}

/// The bucket of a feature's hash: its top bits.
#[inline(always)]
pub fn bucket(feature: u64, bits: u32) -> usize {
    (feature >> (64 - bits)) as usize
}

/// The class of the largest score among those in a set of bits, the first of equals.
#[inline]
pub fn best_of(scores: &ClassScores, mut set: u64) -> u8 {
    let (mut best, mut best_score) = (0, i16::MIN);
    while set != 0 {
        let class = set.trailing_zeros() as usize;
        if scores[class] > best_score {
            (best, best_score) = (class, scores[class]);
        }
        set &= set - 1;
    }
    best as u8
}
