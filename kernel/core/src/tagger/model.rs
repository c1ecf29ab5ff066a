//! The model of the tagger.
//!
//! Its classifiers are linear, over hashed features: each of 2^bits buckets has a weight for a few classes. Profiles have
//! universal parts of speech and lemmas by tags, forms and labels, as in a release of spaCy.

use super::lemmas::{Lemmatiser, PossibleTags};
use super::read::{ModelReader, RankedWords};
use crate::error::Error;

/// The vocabulary, and the weights of the two classifiers.
pub struct Model {
    pub vocabulary: Vocabulary,
    pub tagging: Weights,
    pub labelling: Weights,
}

impl Model {
    /// Parse a model. O(size).
    pub fn read(vocabulary: &[u8], weights: &[u8]) -> Result<Self, Error> {
        let (mut words, mut reader) = (ModelReader::new(vocabulary), ModelReader::new(weights));
        let vocabulary = Vocabulary::read(&mut words)?;
        let (tagging, labelling) = (Weights::read(&mut reader)?, Weights::read(&mut reader)?);
        if !words.is_empty() || !reader.is_empty() {
            return Err(Error::Model("the tagger's model goes on after its end".into()));
        }
        if tagging.classes != vocabulary.tags.len() || labelling.classes != vocabulary.labels.len() {
            return Err(Error::Model("the weights of the tagger's model do not fit its tags or labels".into()));
        }
        Ok(Self { vocabulary, tagging, labelling })
    }
}

/// The tag, label or word outside the sentence.
pub const OUTSIDE: u8 = 255;

/// Names of tags and labels, the dictionary of frequent words, the lexicon, and sets derived from them.
pub struct Vocabulary {
    pub tags: Vec<String>,
    pub labels: Vec<String>,
    words: RankedWords,
    classes: Vec<(u16, u8)>,
    /// The tags of each ambiguity class, as bits; class 0 is empty.
    pub class_tags: Vec<u64>,
    pub sets: PossibleTags,
    pub lexicon: Lemmatiser,
    /// The kind of each tag.
    pub kinds: [u8; 256],
    /// The tags of verbs, the labels of auxiliaries, and the labels that a token with each tag can have, as bits: only
    /// verbs, modals and "to" are auxiliaries.
    pub verbs: Vec<bool>,
    pub auxiliaries: Vec<bool>,
    pub label_sets: Vec<u64>,
}

impl Vocabulary {
    pub fn read(reader: &mut ModelReader) -> Result<Self, Error> {
        let (tags, labels) = (reader.names()?, reader.names()?);
        let class_tags: Vec<u64> = (0..reader.u16()?).map(|_| reader.u64()).collect::<Result<_, _>>()?;
        let words = RankedWords::read(reader)?;
        let classes = (0..words.len()).map(|_| Ok((reader.u16()?, reader.u8()?))).collect::<Result<Vec<_>, Error>>()?;
        let is_known = |&(class, certain_tag): &(u16, u8)| {
            (class as usize) < class_tags.len() && (certain_tag == OUTSIDE || (certain_tag as usize) < tags.len())
        };
        let are_few = |names: &[String]| (1..MAX_CLASSES).contains(&names.len());
        let has_unknown_tag = |&set: &u64| set >> tags.len() != 0;
        let are_consistent =
            are_few(&tags) && are_few(&labels) && !class_tags.is_empty() && !class_tags.iter().any(has_unknown_tag);
        if !are_consistent || !classes.iter().all(is_known) {
            return Err(Error::Model("the tagger's model refers to an unknown tag".into()));
        }
        // One more kind for the tag outside the sentence.
        let mut kinds = [b'$'; 256];
        for (number, tag) in tags.iter().enumerate() {
            kinds[number] = kind(tag);
        }
        let sets = PossibleTags::new(&tags);
        let begin_with = |names: &[String], start| names.iter().map(|name| name.starts_with(start)).collect();
        let (verbs, auxiliaries): (_, Vec<bool>) = (begin_with(&tags, "VB"), begin_with(&labels, "aux"));
        let auxiliary_labels =
            (0..labels.len()).filter(|&label| auxiliaries[label]).fold(0, |set, label| set | 1 << label);
        let can_be_auxiliary = |tag: &String| tag.starts_with("VB") || tag == "MD" || tag == "TO";
        let all_labels = (1 << labels.len()) - 1;
        let label_sets = tags
            .iter()
            .map(|tag| if can_be_auxiliary(tag) { all_labels } else { all_labels & !auxiliary_labels })
            .collect();
        let lexicon = Lemmatiser::read(reader)?;
        Ok(Self { tags, labels, words, classes, class_tags, sets, lexicon, kinds, verbs, auxiliaries, label_sets })
    }

    /// Ambiguity class and certain tag of a normalised word; (0, OUTSIDE) if it was not frequent in training.
    pub fn class(&self, word: &str) -> (u16, u8) {
        self.words.find(word).map_or((0, OUTSIDE), |rank| self.classes[rank])
    }

    /// Whether a token with a tag can have an auxiliary's label.
    pub fn allows_auxiliary(&self, tag: u8) -> bool {
        self.label_sets[tag as usize] == (1 << self.labels.len()) - 1
    }

    /// The part of an unknown word with slashes between letters that is tagged: the last one ("his/her" as "her").
    pub fn tagged_part<'a>(&self, form: &'a str) -> &'a str {
        let is_letters = |part: &str| !part.is_empty() && part.chars().all(char::is_alphabetic);
        match form.rsplit_once('/') {
            Some((_, last))
                if form.split('/').all(is_letters) && self.words.find(&zeros(form).to_lowercase()).is_none() =>
            {
                last
            }
            _ => form,
        }
    }
}

/// The form with zeros for digits.
pub fn zeros(form: &str) -> String {
    form.replace(|c: char| c.is_ascii_digit(), "0")
}

/// Coarse kind of a Penn tag: verb, modal, preposition, to, noun, pronoun, determiner, ... one letter each.
pub fn kind(tag: &str) -> u8 {
    match tag {
        "VB" | "VBD" | "VBG" | "VBN" | "VBP" | "VBZ" => b'v',
        "MD" => b'm',
        "IN" => b'p',
        "TO" => b't',
        "NN" | "NNS" | "NNP" | "NNPS" | "CD" | "GW" | "ADD" | "FW" => b'n',
        "PRP" | "EX" => b'i',
        "DT" | "PDT" | "PRP$" => b'd',
        "POS" => b's',
        "JJ" | "JJR" | "JJS" | "AFX" => b'j',
        "RB" | "RBR" | "RBS" => b'r',
        "RP" => b'q',
        "WDT" | "WP" | "WP$" | "WRB" => b'w',
        "CC" => b'c',
        "," => b',',
        "." | ":" | "-LRB-" | "-RRB-" | "``" | "''" | "NFP" => b'.',
        "HYPH" => b'h',
        _ => b'x',
    }
}

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

/// Tags, lower-case forms and labels to which a rule applies (separated by blanks; empty: all), and its universal part
/// of speech and lemma (empty: no change).
pub struct ProfileRule {
    pub tags: String,
    pub forms: String,
    pub labels: String,
    pub pos: String,
    pub lemma: String,
}

fn includes(names: &str, name: &str) -> bool {
    names.is_empty() || names.split(' ').any(|listed| listed == name)
}

/// Rules, of which later ones override earlier ones, and the release of the lemmatiser.
pub struct Profile {
    /// The distinct parts of speech; the first is the empty one of tags without a rule.
    pub parts: Vec<String>,
    rules: Vec<ProfileRule>,
    /// Whether lemmas depend on the part of speech, as in spaCy 3, and not on the tag only, as in spaCy 2.
    by_pos: bool,
}

impl Profile {
    /// Requires at most 255 parts of speech.
    pub fn new(rules: Vec<ProfileRule>, by_pos: bool) -> Self {
        let mut parts = vec![String::new()];
        for rule in &rules {
            if !parts.contains(&rule.pos) {
                parts.push(rule.pos.clone());
            }
        }
        Self { parts, rules, by_pos }
    }

    /// Whether a rule for a form with a tag depends on the label. O(rules).
    pub fn reads_label(&self, vocabulary: &Vocabulary, form: &str, tag: u8) -> bool {
        let (tag, lower) = (vocabulary.tags[tag as usize].as_str(), form.to_lowercase());
        let reads =
            |rule: &ProfileRule| !rule.labels.is_empty() && includes(&rule.tags, tag) && includes(&rule.forms, &lower);
        self.rules.iter().any(reads)
    }

    /// Lemma and index of the part of speech of a form with a tag and, if a rule reads it, a label. O(rules).
    pub fn reading(&self, vocabulary: &Vocabulary, form: &str, tag: u8, label: u8) -> (String, u8) {
        let (tag, lower) = (vocabulary.tags[tag as usize].as_str(), form.to_lowercase());
        let label = vocabulary.labels.get(label as usize).map_or("", String::as_str);
        let (mut pos, mut rule_lemma) = ("", "");
        for rule in &self.rules {
            if includes(&rule.tags, tag) && includes(&rule.forms, &lower) && includes(&rule.labels, label) {
                pos = if rule.pos.is_empty() { pos } else { &rule.pos };
                rule_lemma = if rule.lemma.is_empty() { rule_lemma } else { &rule.lemma };
            }
        }
        let lemma = match self.by_pos {
            _ if !rule_lemma.is_empty() => rule_lemma.to_string(),
            false => vocabulary.lexicon.lemma(form, tag),
            true => vocabulary.lexicon.lemma_by_pos(form, tag, pos),
        };
        let pos_index = self.parts.iter().position(|part| part == pos).expect("a rule's part of speech is listed");
        (lemma, pos_index as u8)
    }
}
