//! Tags that a form can have, so that the context does not overrule the form: in "can used", "used" is no base form.

use super::lemmas::{ADJECTIVE_BASE, ADVERB_BASE, BASES, NOUN_BASE, VERB_BASE};
use super::lemmas::{ADJECTIVE_INFLECTED, NOUN_INFLECTED, VERB_INFLECTED};

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
