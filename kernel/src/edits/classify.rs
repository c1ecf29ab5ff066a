//! The type of an edit: an operation and a category. For English the ERRANT types (Bryant, Felice & Briscoe 2017),
//! decided by rules over POS tags, dependency labels, lemmas, a word list and string similarity, in the order of
//! errant 3; for other languages the universal POS.

use std::ops::Range;
use std::str::FromStr;

use crate::edits::annotated::{Dep, Sentence, Span};
use crate::edits::replacement;

/// By which rules edits are merged and get their categories.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RuleSet {
    /// ERRANT 2.3 and later, for English with Penn tags and ClearNLP labels.
    Errant3,
    /// ERRANT 2.0, the release of BEA-2019.
    Errant2,
    /// The universal POS the words share, ORTH, WO or OTHER, for any language.
    Generic,
}

impl FromStr for RuleSet {
    type Err = String;

    fn from_str(name: &str) -> Result<RuleSet, String> {
        match name {
            "errant-3" => Ok(RuleSet::Errant3),
            "errant-2.0" => Ok(RuleSet::Errant2),
            "generic" => Ok(RuleSet::Generic),
            _ => Err(format!("no rules {name:?}; there are errant-3, errant-2.0, generic")),
        }
    }
}

/// The two tokens have a lemma in common: the annotated one, or for ERRANT 2.0 any that some part of speech gives.
pub fn same_lemma(o: &Sentence, s: usize, c: &Sentence, t: usize, rules: RuleSet) -> bool {
    o.lemma(s) == c.lemma(t) || (rules == RuleSet::Errant2 && o.bases(s).any(|base| c.bases(t).any(|b| b == base)))
}

/// Categories too rare to say anything.
const RARE: [&str; 4] = ["INTJ", "NUM", "SYM", "X"];
const CONTRACTIONS: [&str; 7] = ["'d", "'ll", "'m", "n't", "'re", "'s", "'ve"];

pub fn is_rare(category: &str) -> bool {
    RARE.contains(&category)
}

pub fn is_contraction(word: &str) -> bool {
    CONTRACTIONS.contains(&word)
}

/// The category of a Penn tag; `None` for a tag that is not one.
pub fn penn_category(tag: &str) -> Option<&'static str> {
    Some(match tag {
        "JJ" | "JJR" | "JJS" | "AFX" => "ADJ",
        "RB" | "RBR" | "RBS" | "WRB" => "ADV",
        "CC" => "CONJ",
        "DT" | "PDT" | "PRP$" | "WDT" | "WP$" => "DET",
        "UH" => "INTJ",
        "NN" | "NNS" | "NNP" | "NNPS" => "NOUN",
        "CD" => "NUM",
        "POS" | "RP" | "TO" => "PART",
        "IN" => "PREP",
        "PRP" | "EX" | "WP" => "PRON",
        "''" | "``" | "\"\"" | "," | "." | ":" | "-LRB-" | "-RRB-" | "HYPH" => "PUNCT",
        "SP" | "_SP" => "SPACE",
        "#" | "$" | "SYM" => "SYM",
        "MD" | "VB" | "VBD" | "VBG" | "VBN" | "VBP" | "VBZ" | "BES" | "HVS" => "VERB",
        "ADD" | "FW" | "GW" | "LS" | "NFP" | "NIL" | "XX" => "X",
        _ => return None,
    })
}

/// One side of an edit: a span of a sentence.
#[derive(Clone)]
pub struct Side<'a> {
    pub sentence: Sentence<'a>,
    pub span: Range<usize>,
}

impl<'a> Side<'a> {
    pub fn len(&self) -> usize {
        self.span.len()
    }

    pub fn is_empty(&self) -> bool {
        self.span.is_empty()
    }

    fn last(&self) -> usize {
        self.span.end - 1
    }

    fn without_last(&self) -> Side<'a> {
        Side { sentence: self.sentence, span: self.span.start..self.span.end - 1 }
    }

    pub fn category(&self, t: usize) -> &'static str {
        penn_category(self.sentence.tag(t)).unwrap_or("X")
    }

    fn categories(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.span.clone().map(|t| self.category(t))
    }

    fn deps(&self) -> impl Iterator<Item = Dep> + '_ {
        self.span.clone().map(|t| self.sentence.dep(t))
    }

    fn lowers(&self) -> Vec<u32> {
        self.span.clone().map(|t| self.sentence.lower(t)).collect()
    }

    fn letters(&self) -> impl Iterator<Item = u8> + '_ {
        self.span.clone().flat_map(|t| self.sentence.lower_text(t).bytes())
    }

    fn forms_equal(&self, other: &Side) -> bool {
        self.len() == other.len()
            && (self.span.clone().zip(other.span.clone())).all(|(s, t)| self.sentence.form(s) == other.sentence.form(t))
    }
}

/// The one value that all items have.
fn only<T: PartialEq>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let first = items.next()?;
    items.all(|item| item == first).then_some(first)
}

/// The type of the edit `span` between two sentences: `M:`, `U:` or `R:` and a category, or `UNK` where nothing
/// changes. Cost: O(length of the edit + length of the sentences), and O(a b) for the characters of a word pair.
pub fn classify(source: &Sentence, target: &Sentence, span: &Span, rules: RuleSet) -> String {
    let mut o = Side { sentence: *source, span: span.source.clone() };
    let mut c = Side { sentence: *target, span: span.target.clone() };
    if o.forms_equal(&c) {
        return "UNK".to_owned();
    }
    // A last token that differs at most in case says nothing: [Doctor -> The doctor], [, since -> . Since].
    while !o.is_empty() && !c.is_empty() && o.len() + c.len() > 2 && source.lower(o.last()) == target.lower(c.last()) {
        o = o.without_last();
        c = c.without_last();
    }
    let (operation, category) = match (o.is_empty(), c.is_empty()) {
        (true, true) => return "UNK".to_owned(),
        (true, false) => ("M", one_sided(&c, rules)),
        (false, true) => ("U", one_sided(&o, rules)),
        (false, false) => ("R", two_sided(&o, &c, rules)),
    };
    format!("{operation}:{category}")
}

fn one_sided<'a>(side: &Side<'a>, rules: RuleSet) -> &'a str {
    match rules {
        RuleSet::Generic => generic(side, None),
        _ => english_one_sided(side),
    }
}

fn two_sided<'a>(o: &Side<'a>, c: &Side<'a>, rules: RuleSet) -> &'a str {
    if o.letters().eq(c.letters()) {
        return "ORTH";
    }
    if is_reordering(o, c) {
        return "WO";
    }
    match rules {
        RuleSet::Generic => generic(o, Some(c)),
        _ => {
            let pair = (o.len() == 1 && c.len() == 1).then(|| replacement::category(o, c, rules));
            pair.flatten().unwrap_or_else(|| english_two_sided(o, c, rules))
        }
    }
}

fn is_reordering(o: &Side, c: &Side) -> bool {
    let (mut o, mut c) = (o.lowers(), c.lowers());
    o.sort_unstable();
    c.sort_unstable();
    o == c
}

fn generic<'a>(side: &Side<'a>, other: Option<&Side<'a>>) -> &'a str {
    let pos = |side: &Side<'a>| {
        let sentence = side.sentence;
        side.span.clone().map(move |t| sentence.pos_text(t))
    };
    let category = only(pos(side).chain(other.into_iter().flat_map(pos)));
    category.filter(|pos| !pos.is_empty()).unwrap_or("OTHER")
}

fn english_one_sided(side: &Side) -> &'static str {
    let Side { sentence, span } = side;
    if side.len() == 1 {
        let t = span.start;
        let word = sentence.lower_text(t);
        if sentence.tag(t) == "POS" {
            return "NOUN:POSS";
        }
        if is_contraction(word) {
            return "CONTR";
        }
        let is_infinitival = sentence.pos_text(t) == "PART" && !is_preposition(sentence.dep(t));
        if word == "to" && is_infinitival {
            return "VERB:FORM";
        }
    }
    if side.deps().all(Dep::is_plain_auxiliary) {
        return "VERB:TENSE";
    }
    if let Some(category) = only(side.categories()).filter(|category| !is_rare(category)) {
        return category;
    }
    if let Some(Dep::Category { category, .. }) = only(side.deps()) {
        return category;
    }
    if is_set(side.categories(), ["PART", "VERB"]) {
        return "VERB";
    }
    "OTHER"
}

fn is_preposition(dep: Dep) -> bool {
    matches!(dep, Dep::Category { label: "prep", .. })
}

/// The items are these two, both of them.
pub fn is_set<'a>(items: impl Iterator<Item = &'a str>, pair: [&str; 2]) -> bool {
    let (mut first, mut second) = (false, false);
    for item in items {
        first |= item == pair[0];
        second |= item == pair[1];
        if item != pair[0] && item != pair[1] {
            return false;
        }
    }
    first && second
}

/// Replacements of several tokens, and of one by one that no rule for word pairs decided.
fn english_two_sided(o: &Side, c: &Side, rules: RuleSet) -> &'static str {
    let categories = || o.categories().chain(c.categories());
    let deps = || o.deps().chain(c.deps());
    let same_lemma = |s: usize, t: usize| same_lemma(&o.sentence, s, &c.sentence, t, rules);
    let same_last_lemma = same_lemma(o.last(), c.last());
    if deps().all(Dep::is_plain_auxiliary) {
        return "VERB:TENSE";
    }
    if let Some(category) = only(categories()) {
        // [eat -> has eaten]
        if category == "VERB" && same_last_lemma {
            return "VERB:TENSE";
        }
        if !is_rare(category) {
            return category;
        }
    }
    if let Some(Dep::Category { category, .. }) = only(deps()) {
        return category;
    }
    // [to eat -> eating], [look at -> see]
    if is_set(categories(), ["PART", "VERB"]) {
        return if same_last_lemma { "VERB:FORM" } else { "VERB" };
    }
    // [friends -> friend 's]
    let is_possessive = |side: &Side| side.categories().eq(["NOUN", "PART"]);
    if (is_possessive(o) || is_possessive(c)) && same_lemma(o.span.start, c.span.start) {
        return "NOUN:POSS";
    }
    // [more free -> freer]
    let compares =
        |side: &Side| side.len() <= 2 && matches!(side.sentence.lower_text(side.span.start), "most" | "more");
    if o.len() <= 2 && c.len() <= 2 && (compares(o) || compares(c)) && same_last_lemma {
        return "ADJ:FORM";
    }
    "OTHER"
}
