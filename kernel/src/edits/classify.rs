//! The type of an edit: an operation and a category. For English the ERRANT types (Bryant, Felice & Briscoe 2017),
//! decided by rules over POS tags, dependency labels, lemmas, a word list and string similarity, in the order of
//! errant 3; for other languages the universal POS.

use std::fmt;

use crate::edits::annotated::{Sentence, Span};
use crate::edits::labels::Dep;
use crate::edits::replacement;
use crate::edits::rules::{is_contraction, is_rare, is_set, same_lemma, RuleSet, Side};

/// The one value that all items have.
fn only<T: PartialEq>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let first = items.next()?;
    items.all(|item| item == first).then_some(first)
}

/// The type of an edit: `M:`, `U:` or `R:` and a category, or `UNK` alone where nothing changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Type<'a> {
    operation: &'static str,
    category: &'a str,
}

const UNKNOWN: Type<'static> = Type { operation: "", category: "UNK" };

impl fmt::Display for Type<'_> {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(self.operation)?;
        out.write_str(self.category)
    }
}

/// The type of the edit `span` between two sentences.
///
/// Cost: O(length of the edit + length of the sentences), and O(a b) for the characters of a word pair.
pub fn classify<'a>(source: &Sentence<'a>, target: &Sentence<'a>, span: &Span, rules: RuleSet) -> Type<'a> {
    let mut o = Side { sentence: *source, span: span.source.clone() };
    let mut c = Side { sentence: *target, span: span.target.clone() };
    if o.forms_equal(&c) {
        return UNKNOWN;
    }
    // A last token that differs at most in case says nothing: [Doctor -> The doctor], [, since -> . Since].
    while !o.is_empty() && !c.is_empty() && o.len() + c.len() > 2 && source.lower(o.last()) == target.lower(c.last()) {
        o = o.without_last();
        c = c.without_last();
    }
    let (operation, category) = match (o.is_empty(), c.is_empty()) {
        (true, true) => return UNKNOWN,
        (true, false) => ("M:", one_sided(&c, rules)),
        (false, true) => ("U:", one_sided(&o, rules)),
        (false, false) => ("R:", two_sided(&o, &c, rules)),
    };
    Type { operation, category }
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
