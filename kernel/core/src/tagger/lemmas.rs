//! What a form can be.
//!
//! Lemmas: rules and exceptions of WordNet's "morphy", with its lists of base forms and of irregular forms. Tags: "used"
//! is no base form in "can used", whatever the context.

use super::read::{ModelReader, RankedWords};
use crate::error::Error;

/// Part of speech of a list of base forms; the value is its bit in the lexicon.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum OpenClass {
    Noun = 1,
    Verb = 2,
    Adjective = 4,
    Adverb = 8,
}

/// Bits of `Lemmatiser::shapes`: base forms, inflected forms.
pub const NOUN_BASE: u64 = 1;
pub const VERB_BASE: u64 = 2;
pub const ADJECTIVE_BASE: u64 = 4;
pub const ADVERB_BASE: u64 = 8;
pub const BASES: u64 = 15;
pub const NOUN_INFLECTED: u64 = 16;
pub const VERB_INFLECTED: u64 = 32;
pub const ADJECTIVE_INFLECTED: u64 = 64;

/// Suffixes and their replacements, in the order in which they are tried (WordNet, morphy(7)).
const NOUN: &[(&str, &str)] = &[
    ("s", ""),
    ("ses", "s"),
    ("ves", "f"),
    ("xes", "x"),
    ("zes", "z"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("men", "man"),
    ("ies", "y"),
];
const VERB: &[(&str, &str)] =
    &[("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")];
const ADJECTIVE: &[(&str, &str)] = &[("er", ""), ("est", ""), ("er", "e"), ("est", "e")];

impl OpenClass {
    fn rules(self) -> &'static [(&'static str, &'static str)] {
        match self {
            OpenClass::Noun => NOUN,
            OpenClass::Verb => VERB,
            OpenClass::Adjective => ADJECTIVE,
            OpenClass::Adverb => &[],
        }
    }

    /// The inflected class of a Penn tag; base forms and closed classes have none.
    fn inflected(tag: &str) -> Option<OpenClass> {
        match tag {
            "NNS" => Some(OpenClass::Noun),
            "VBD" | "VBG" | "VBN" | "VBZ" => Some(OpenClass::Verb),
            "JJR" | "JJS" => Some(OpenClass::Adjective),
            "RB" | "RBR" | "RBS" => Some(OpenClass::Adverb),
            _ => None,
        }
    }
}

/// Base forms with the parts of speech they have, and irregular forms with their lemmas.
pub struct Lemmatiser {
    bases: RankedWords,
    kinds: Vec<u8>,
    irregular: RankedWords,
    lemmas: Vec<Vec<(u8, String)>>,
}

impl Lemmatiser {
    pub fn read(reader: &mut ModelReader) -> Result<Self, Error> {
        let bases = RankedWords::read(reader)?;
        let kinds = reader.take(bases.len())?.to_vec();
        let irregular = RankedWords::read(reader)?;
        let mut lemmas = Vec::with_capacity(irregular.len());
        for _ in 0..irregular.len() {
            let count = reader.u8()?;
            lemmas.push((0..count).map(|_| Ok((reader.u8()?, reader.string()?))).collect::<Result<_, Error>>()?);
        }
        Ok(Self { bases, kinds, irregular, lemmas })
    }

    fn kinds(&self, word: &str) -> u8 {
        self.bases.find(word).map_or(0, |rank| self.kinds[rank])
    }

    fn exception(&self, word: &str, kind: OpenClass) -> Option<&str> {
        let rank = self.irregular.find(word)?;
        self.lemmas[rank].iter().find(|(open, _)| *open == kind as u8).map(|(_, lemma)| lemma.as_str())
    }

    /// The lemma of a form with a Penn tag. Proper nouns keep their case. O(rules · log lexicon).
    pub fn lemma(&self, form: &str, tag: &str) -> String {
        if tag == "NNP" || tag == "NNPS" {
            return form.to_string();
        }
        let lower = form.to_lowercase();
        match OpenClass::inflected(tag) {
            Some(kind) => self.base(&lower, kind),
            None => lower,
        }
    }

    /// The lemma of a form with a universal part of speech, as in spaCy 3: an exception that is no rule's result, or
    /// the last result of a rule that is a base form. Base forms, by their tag, and closed classes are only
    /// lower-cased. O(rules · log lexicon).
    pub fn lemma_by_pos(&self, form: &str, tag: &str, pos: &str) -> String {
        let lower = form.to_lowercase();
        let kind = match pos {
            "PROPN" => return form.to_string(),
            "NOUN" => OpenClass::Noun,
            "VERB" => OpenClass::Verb,
            "ADJ" => OpenClass::Adjective,
            "ADV" => OpenClass::Adverb,
            _ => return lower,
        };
        if matches!(tag, "NN" | "VB" | "VBP" | "JJ") {
            return lower;
        }
        let is_base_form = |word: &String| self.kinds(word) & kind as u8 != 0;
        let is_result_of_rule =
            |lemma: &&str| candidates(&lower, kind).any(|word| word == **lemma && is_base_form(&word));
        if let Some(lemma) = self.exception(&lower, kind).filter(|lemma| !is_result_of_rule(lemma)) {
            return lemma.to_string();
        }
        if kind == OpenClass::Adverb {
            let stem = |end| lower.strip_suffix(end).map(str::to_string).filter(is_base_form);
            let comparative_base = ["er", "est"].into_iter().find_map(stem);
            return comparative_base.filter(|_| matches!(tag, "RBR" | "RBS")).unwrap_or(lower);
        }
        let is_alphabetic = |word: &String| word.chars().all(char::is_alphabetic);
        candidates(&lower, kind)
            .filter(is_base_form)
            .last()
            .or_else(|| candidates(&lower, kind).find(|word| !is_alphabetic(word)))
            .or_else(|| candidates(&lower, kind).next())
            .unwrap_or_else(|| form.to_string())
    }

    /// The lemmas of a lower-case word as a noun, a verb and an adjective: the word if it is a base form.
    pub fn bases(&self, lower: &str) -> [String; 3] {
        let kinds = self.kinds(lower);
        [OpenClass::Noun, OpenClass::Verb, OpenClass::Adjective].map(|kind| {
            if kinds & kind as u8 != 0 {
                lower.to_string()
            } else {
                self.base(lower, kind)
            }
        })
    }

    /// The lemma of an exception; else the first result of a rule that is a base form; else the first rule's result;
    /// else the word.
    fn base(&self, lower: &str, kind: OpenClass) -> String {
        if let Some(lemma) = self.exception(lower, kind) {
            return lemma.to_string();
        }
        let mut unlisted = None;
        for candidate in candidates(lower, kind) {
            let is_alphabetic = candidate.chars().all(char::is_alphabetic);
            if !is_alphabetic || self.kinds(&candidate) & kind as u8 != 0 {
                return candidate;
            }
            unlisted.get_or_insert(candidate);
        }
        unlisted.unwrap_or_else(|| lower.to_string())
    }

    /// The lexicon's facts about a lower-case word, as bits: 0-3 base form (noun, verb, adjective, adverb), 4-6
    /// inflected noun, verb, adjective by rule or exception, 8-9 the most frequent of the four for its base form, 10-11
    /// the share of that one.
    pub fn shapes(&self, lower: &str) -> u64 {
        let kinds = self.kinds(lower);
        let (mut bits, mut usual) = (u64::from(kinds & 15), kinds >> 4);
        for (number, kind) in [OpenClass::Noun, OpenClass::Verb, OpenClass::Adjective].into_iter().enumerate() {
            let base = match self.exception(lower, kind) {
                Some(lemma) => self.kinds(lemma) | kind as u8,
                None => candidates(lower, kind)
                    .map(|word| self.kinds(&word))
                    .find(|kinds| kinds & kind as u8 != 0)
                    .unwrap_or(0),
            };
            if base & kind as u8 != 0 {
                bits |= NOUN_INFLECTED << number;
                usual = if usual == 0 { base >> 4 } else { usual };
            }
        }
        bits | u64::from(usual) << 8
    }
}

fn candidates(lower: &str, kind: OpenClass) -> impl Iterator<Item = String> + '_ {
    kind.rules().iter().filter_map(move |(old, new)| {
        let stem = lower.strip_suffix(old)?;
        let candidate = format!("{stem}{new}");
        (!candidate.is_empty()).then_some(candidate)
    })
}

/// Sets of tags as bits, by the index of the tag in the model's list.
pub struct PossibleTags {
    all: u64,
    closed: u64,
    marks: u64,
    symbols: u64,
    rules: Vec<(u64, TagRule)>,
}

/// Whether a form can have the tags of the rule, given the lexicon's facts about it as base and inflected form.
type TagRule = fn(form: &str, lexicon_facts: u64) -> bool;

const CLOSED: &[&str] =
    &["CC", "DT", "EX", "IN", "LS", "MD", "PDT", "POS", "PRP", "PRP$", "RP", "TO", "UH", "WDT", "WP", "WP$", "WRB"];
const MARKS: &[&str] = &["$", "''", ",", "-LRB-", "-RRB-", ".", ":", "HYPH", "``"];

const RULES: &[(&[&str], TagRule)] = &[
    (&["NN"], |form, lexicon_facts| lexicon_facts == 0 || lexicon_facts & NOUN_BASE != 0 || form.ends_with("ing")),
    (&["NNS"], |form, lexicon_facts| {
        lexicon_facts & NOUN_INFLECTED != 0
            || (lexicon_facts == 0 || lexicon_facts & NOUN_BASE != 0) && form.ends_with('s')
    }),
    (&["NNPS"], |form, lexicon_facts| lexicon_facts & NOUN_INFLECTED != 0 || form.ends_with('s')),
    (&["VB", "VBP"], |form, lexicon_facts| {
        lexicon_facts & VERB_BASE != 0 || lexicon_facts == 0 && !form.ends_with("ing")
    }),
    (&["VBZ"], |form, lexicon_facts| {
        form.ends_with('s') && (lexicon_facts & VERB_INFLECTED != 0 || lexicon_facts == 0)
    }),
    (&["VBG"], |form, lexicon_facts| {
        (form.ends_with("ing") || form.ends_with("in")) && (lexicon_facts & VERB_INFLECTED != 0 || lexicon_facts == 0)
    }),
    (&["VBD", "VBN"], |form, lexicon_facts| {
        lexicon_facts & VERB_INFLECTED != 0 && !form.ends_with("ing") && !form.ends_with('s')
            || lexicon_facts == 0 && (form.ends_with('d') || form.ends_with('t') || form.ends_with('n'))
    }),
    (&["JJ"], |form, lexicon_facts| {
        lexicon_facts == 0
            || lexicon_facts & ADJECTIVE_BASE != 0
            || lexicon_facts & VERB_INFLECTED != 0 && !form.ends_with('s')
    }),
    (&["JJR", "RBR"], |form, lexicon_facts| {
        form.ends_with('r') && (lexicon_facts & ADJECTIVE_INFLECTED != 0 || lexicon_facts == 0)
    }),
    (&["JJS", "RBS"], |form, lexicon_facts| {
        form.ends_with("st") && (lexicon_facts & ADJECTIVE_INFLECTED != 0 || lexicon_facts == 0)
    }),
    (&["RB"], |form, lexicon_facts| lexicon_facts == 0 || lexicon_facts & ADVERB_BASE != 0 || form.ends_with("ly")),
];
const INFLECTED: u64 = NOUN_INFLECTED | VERB_INFLECTED | ADJECTIVE_INFLECTED;

/// A set of tags as bits, by their index among all tags.
fn set(tags: &[String], names: &[&str]) -> u64 {
    tags.iter().enumerate().filter(|(_, tag)| names.contains(&tag.as_str())).fold(0, |set, (i, _)| set | 1 << i)
}

impl PossibleTags {
    pub fn new(tags: &[String]) -> Self {
        let set = |names: &[&str]| set(tags, names);
        PossibleTags {
            all: (1 << tags.len()) - 1,
            closed: set(CLOSED),
            marks: set(MARKS),
            symbols: set(&["NFP", "SYM"]),
            rules: RULES.iter().map(|(names, rule)| (set(names), *rule)).collect(),
        }
    }

    /// The tags that a lower-case form can have: its tags in training (`seen`) and, unless all of them are of closed
    /// classes, the tags that its ending and the lexicon's facts allow. Never empty.
    pub fn possible(&self, lower: &str, seen: u64, facts: u64) -> u64 {
        if seen != 0 && seen & !(self.closed | self.marks) == 0 {
            return seen;
        }
        if !lower.chars().any(char::is_alphanumeric) {
            return self.marks | self.symbols | seen;
        }
        let lexicon_facts = facts & (BASES | INFLECTED);
        let mut set = self.all & !self.marks;
        if lexicon_facts != 0 || seen != 0 {
            set &= !self.closed;
        }
        for (tags, rule) in &self.rules {
            if !rule(lower, lexicon_facts) {
                set &= !tags;
            }
        }
        set | seen
    }
}
