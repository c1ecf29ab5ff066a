//! Vocabulary of a model: names of tags and labels, frequent words, the lexicon.

use super::lemmas::Lemmatiser;
use super::possible::PossibleTags;
use super::read::{ModelReader, RankedWords};
use super::weights::MAX_CLASSES;
use crate::error::Error;

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
            return Err(Error::Model("the tagger's model refers to an unknown tag"));
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
