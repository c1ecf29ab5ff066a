//! Tags and labels of tokens, as functions of the words around them (Liang et al., ICML 2008): linear classifiers over
//! hashed features, in which each of 2^bits buckets has a weight for a few classes.

use std::sync::Arc;

use foldhash::HashMap;

use super::features::{joint_features, label_features, word_features, ContextWindow, Word};
use super::features::{LABEL_REACH, LABEL_WINDOW, TAG_REACH, TAG_WINDOW};
use super::model::{Model, ModelReader, OUTSIDE};
use crate::error::Error;
use crate::text::strings::Strings;

/// Maximum number of classes.
pub const MAX_CLASSES: usize = 64;

/// Sums of weights by class. A decision has fewer than 200 features, so 16 bits hold every sum.
pub type ClassScores = [i16; MAX_CLASSES];

/// The weight of a class: the class in the lowest six bits, a bit for the last weight of a bucket, and the value in the
/// highest five.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight(i16);

impl Weight {
    /// Two packed weights, computed together in the halves of a number.
    fn unpack_pair(packed: u32) -> [Self; 2] {
        let halves = packed & 0xFFF | packed >> PACKED_BITS << 16;
        let pair = halves & 0x3F_003F | halves >> 5 & 0x40_0040 | (halves << 5 & 0xF800_F800) ^ 0x8000_8000;
        [Self(pair as i16), Self((pair >> 16) as i16)]
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

/// Number of bytes of buckets that are read together, so that their positions stay in the cache.
const BLOCK: usize = 64;

/// Eight buckets: a bit for each that has weights, and above these bits the position of the first weight.
type EightBuckets = u32;
/// A weight in a file: six bits of class, five of value (`ZERO` stands for 0), and one for the last of a bucket.
pub const PACKED_BITS: usize = 12;
pub const ZERO: i32 = 16;

/// A classifier.
pub struct Weights {
    pub classes: usize,
    bits: u32,
    /// The buckets with weights. Most features of a text did not occur in training and need only this small table.
    present: Vec<EightBuckets>,
    /// The weights in the order of the buckets, after one that belongs to no bucket.
    weights: Vec<Weight>,
}

impl Weights {
    /// Number of classes, log2 of the number of buckets, a bit for each bucket with weights, the number of weights, and
    /// the weights, two in three bytes. O(buckets + weights).
    pub fn read(reader: &mut ModelReader) -> Result<Self, Error> {
        let (classes, bits) = (reader.u8()? as usize, u32::from(reader.u8()?));
        if classes > MAX_CLASSES {
            return Err(Error::Model(format!("the tagger's model has {classes} classes, more than {MAX_CLASSES}")));
        }
        if !(6..=23).contains(&bits) {
            return Err(Error::Model("the tagger's model has an impossible number of buckets".into()));
        }
        let buckets = reader.take(1 << (bits - 3))?;
        let total = reader.u32()? as usize;
        let packed = reader.take(total.div_ceil(2) * 3)?;
        let mut weights = vec![Weight(0); packed.len() / 3 * 2 + 1];
        for (bytes, pair) in packed.chunks_exact(3).zip(weights[1..].chunks_exact_mut(2)) {
            pair.copy_from_slice(&Weight::unpack_pair(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], 0])));
        }
        weights.truncate(total + 1);
        let top_class = weights.iter().fold(0, |top_class, weight| top_class.max(weight.0 & 63));
        let mut is_invalid = top_class as usize >= classes.max(1) || total >> 24 > 0;
        let (mut position, mut present) = (1, Vec::with_capacity(buckets.len()));
        for buckets in buckets.chunks(BLOCK) {
            // Start of the weights of each bucket.
            let (mut starts, mut row) = ([position; 8 * BLOCK + 1], 0);
            let rows: usize = buckets.iter().map(|byte| byte.count_ones() as usize).sum();
            for weight in &weights[position..] {
                if row == rows {
                    break;
                }
                position += 1;
                starts[row + 1] = position;
                row += usize::from(weight.is_last());
            }
            is_invalid |= row != rows;
            row = 0;
            present.extend(buckets.iter().map(|byte| {
                let packed_buckets = (starts[row] as EightBuckets) << 8 | EightBuckets::from(*byte);
                row += byte.count_ones() as usize;
                packed_buckets
            }));
        }
        if is_invalid || position <= total {
            return Err(Error::Model("the weights of the tagger's model do not fit its buckets or classes".into()));
        }
        Ok(Self { classes, bits, present, weights })
    }

    /// The position of the first weight of a feature's eight buckets, times eight, plus the number of these buckets
    /// with weights before the feature's; 0 for a bucket without weights.
    #[inline(always)]
    fn row(&self, feature: u64) -> u32 {
        let bucket = bucket(feature, self.bits);
        let packed_buckets = self.present[bucket / 8];
        let bits_up_to_bucket = (packed_buckets << (7 - bucket % 8)) as u8;
        // The top bit of `bits_up_to_bucket` is the bucket's bit: all ones if it has weights.
        ((packed_buckets >> 8 << 3) + bits_up_to_bucket.count_ones().wrapping_sub(1))
            & (bits_up_to_bucket as i8 >> 7) as u32
    }

    /// Adds the weights of up to 64 features. All rows are computed before the first is read, without branches, so that
    /// the processor fetches them concurrently.
    #[inline(always)]
    pub fn add(&self, features: &[u64], scores: &mut ClassScores) {
        let (mut rows, mut count) = ([0; 64], 0);
        for &feature in features {
            rows[count % 64] = self.row(feature);
            count += usize::from(rows[count % 64] != 0);
        }
        let rows = &rows[..count];
        std::hint::black_box(rows.iter().fold(0, |ahead, &row| ahead ^ self.weights[row as usize / 8].0));
        for &row in rows {
            let (mut position, mut to_skip) = (row as usize / 8, row % 8);
            while to_skip > 0 {
                to_skip -= u32::from(self.weights[position].is_last());
                position += 1;
            }
            for weight in &self.weights[position..] {
                scores[weight.class()] += weight.value();
                if weight.is_last() {
                    break;
                }
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

/// Stands for the number of the string outside a sentence.
pub const NO_STRING: u32 = u32::MAX;

/// The contribution of one word's features to the scores of a token's tags. Each part fits into one cache line.
#[repr(align(64))]
struct WordScores {
    /// For the token itself.
    middle: ClassScores,
    /// For a neighbour, by position in the window, plus `BIAS`: unsigned numbers are widened faster, and an equal bias
    /// of all tags does not change decisions.
    neighbour: [[u8; MAX_CLASSES]; TAG_WINDOW],
}
const BIAS: i16 = 128;

impl WordScores {
    fn new(word: &Word, weights: &Weights) -> Self {
        let scores: [ClassScores; TAG_WINDOW] = std::array::from_fn(|position| {
            let (mut scores, mut features) = ([0; MAX_CLASSES], Vec::new());
            word_features(position, word, |feature| features.push(feature));
            weights.add(&features, &mut scores);
            scores
        });
        // A neighbour has four features, whose weights are at most 15.
        Self { middle: scores[TAG_REACH], neighbour: scores.map(|scores| scores.map(|score| (score + BIAS) as u8)) }
    }
}

/// Computes tags and labels; contributions of words are cached.
pub struct Annotator {
    pub model: Arc<Model>,
    /// Words and their contributions; the first is the word outside the sentence.
    words: Vec<Word>,
    word_scores: Vec<WordScores>,
    /// Index in `words` by the number of the string; 0 if it is not known yet.
    indices: Vec<u32>,
    /// Index in `words` by the key of the word.
    indices_by_key: HashMap<(String, u64), u32>,
}

impl Annotator {
    pub fn new(model: Arc<Model>) -> Self {
        let (words, word_scores, indices, indices_by_key) = Default::default();
        let mut annotator = Self { model, words, word_scores, indices, indices_by_key };
        annotator.add(Word::outside());
        annotator
    }

    fn add(&mut self, word: Word) {
        self.word_scores.push(WordScores::new(&word, &self.model.tagging));
        self.words.push(word);
    }

    /// The index of a word by the number of its string, [`NO_STRING`] outside the sentence. A number must refer to the
    /// same string in every call.
    #[inline]
    pub fn word_index(&mut self, strings: &Strings, number: u32) -> u32 {
        match self.indices.get(number as usize) {
            Some(&index) if index > 0 => index,
            _ => self.read(strings, number),
        }
    }

    #[cold]
    fn read(&mut self, strings: &Strings, number: u32) -> u32 {
        if number == NO_STRING {
            return 0;
        }
        if self.indices.len() <= number as usize {
            self.indices.resize(strings.len(), 0);
        }
        let key = Word::key(strings.get(number), &self.model.vocabulary);
        if !self.indices_by_key.contains_key(&key) {
            self.add(Word::new(&key, &self.model.vocabulary));
        }
        let index = *self.indices_by_key.entry(key).or_insert(self.words.len() as u32 - 1);
        self.indices[number as usize] = index;
        index
    }

    /// The tag of the token in the middle of a window.
    pub fn tag(&self, window: &[u32; TAG_WINDOW]) -> u8 {
        let word = &self.words[window[TAG_REACH] as usize];
        if word.certain_tag != OUTSIDE {
            return word.certain_tag;
        }
        if word.possible.is_power_of_two() {
            return word.possible.trailing_zeros() as u8;
        }
        let mut scores = self.word_scores[window[TAG_REACH] as usize].middle;
        for (position, &index) in window.iter().enumerate().filter(|&(position, _)| position != TAG_REACH) {
            for (score, &value) in scores.iter_mut().zip(&self.word_scores[index as usize].neighbour[position]) {
                *score += i16::from(value);
            }
        }
        let words = window.map(|index| &self.words[index as usize]);
        self.model.tagging.add(&joint_features(words), &mut scores);
        best_of(&scores, word.possible)
    }

    /// The label of the token in the middle of a window; the tag outside the sentence is [`OUTSIDE`].
    pub fn label(&self, window: &[u32; LABEL_WINDOW], tags: &[u8; LABEL_WINDOW]) -> u8 {
        let words = window.map(|index| &self.words[index as usize]);
        let context = ContextWindow::new(&words, tags, &self.model.vocabulary.kinds).context(LABEL_REACH);
        let mut scores = [0; MAX_CLASSES];
        self.model.labelling.add(&label_features(words, *tags, &context), &mut scores);
        best_of(&scores, self.model.vocabulary.label_sets[tags[LABEL_REACH] as usize])
    }
}
