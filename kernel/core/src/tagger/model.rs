//! The model of the tagger, read from bytes: little-endian numbers, short strings, and sorted tables of front-coded words.
//! Every read is checked, so that a damaged file causes an error and not a panic.

use super::classifiers::{Weights, MAX_CLASSES};
use super::lemmas::{Lemmatiser, PossibleTags};
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

/// The remaining bytes of a model.
pub struct ModelReader<'a> {
    bytes: &'a [u8],
}

impl<'a> ModelReader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub fn take(&mut self, count: usize) -> Result<&'a [u8], Error> {
        if count > self.bytes.len() {
            return Err(Error::Model("the tagger's model ends too early".into()));
        }
        let (head, tail) = self.bytes.split_at(count);
        self.bytes = tail;
        Ok(head)
    }

    pub fn u8(&mut self) -> Result<u8, Error> {
        Ok(self.take(1)?[0])
    }

    pub fn u16(&mut self) -> Result<u16, Error> {
        let bytes = self.take(2)?;
        Ok(u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    pub fn u32(&mut self) -> Result<u32, Error> {
        let bytes = self.take(4)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    pub fn u64(&mut self) -> Result<u64, Error> {
        Ok(u64::from(self.u32()?) | u64::from(self.u32()?) << 32)
    }

    /// A string of at most 255 bytes, preceded by its length.
    pub fn string(&mut self) -> Result<String, Error> {
        let length = self.u8()? as usize;
        utf8(self.take(length)?.to_vec())
    }

    /// At most 255 strings, preceded by their number.
    pub fn names(&mut self) -> Result<Vec<String>, Error> {
        (0..self.u8()?).map(|_| self.string()).collect()
    }
}

fn utf8(bytes: Vec<u8>) -> Result<String, Error> {
    String::from_utf8(bytes).map_err(|_| Error::Model("the tagger's model contains invalid UTF-8".into()))
}

/// Sorted distinct words in one string; the index of a word is its rank.
pub struct RankedWords {
    text: String,
    ends: Vec<u32>,
}

impl RankedWords {
    /// Front-coded: each word is the number of bytes that it shares with the previous word, and its other bytes.
    pub fn read(reader: &mut ModelReader) -> Result<Self, Error> {
        let count = reader.u32()? as usize;
        let (mut bytes, mut ends) = (Vec::new(), Vec::new());
        let mut start = 0;
        for _ in 0..count {
            let shared = reader.u8()? as usize;
            let length = reader.u8()? as usize;
            let suffix = reader.take(length)?;
            let end = bytes.len();
            if start + shared > end {
                return Err(Error::Model("a word of the tagger's model shares too many bytes".into()));
            }
            bytes.extend_from_within(start..start + shared);
            bytes.extend_from_slice(suffix);
            start = end;
            ends.push(bytes.len() as u32);
        }
        let text = utf8(bytes)?;
        if ends.iter().any(|&end| !text.is_char_boundary(end as usize)) {
            return Err(Error::Model("the tagger's model splits a character".into()));
        }
        Ok(Self { text, ends })
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    fn word(&self, rank: usize) -> &str {
        let start = if rank == 0 { 0 } else { self.ends[rank - 1] };
        &self.text[start as usize..self.ends[rank] as usize]
    }

    /// The rank of a word, or None. O(log n) comparisons.
    pub fn find(&self, word: &str) -> Option<usize> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = (low + high) / 2;
            match self.word(middle).cmp(word) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(middle),
            }
        }
        None
    }
}
