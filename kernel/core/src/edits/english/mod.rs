//! ERRANT's categories for English (Bryant, Felice & Briscoe 2017), from rules over Penn tags, ClearNLP labels, lemmas,
//! a word list and string similarity, in the order of errant 3.

mod replacement;
pub mod stemmer;

use crate::edits::annotated::AnnotatedSentence;
use crate::edits::labels::Dep;
use crate::edits::rules::{is_set, only, EditSide, TagSet};

/// Categories too rare to be informative.
const RARE: [&str; 4] = ["INTJ", "NUM", "SYM", "X"];
const CONTRACTIONS: [&str; 7] = ["'d", "'ll", "'m", "n't", "'re", "'s", "'ve"];

fn is_rare(category: &str) -> bool {
    RARE.contains(&category)
}

fn is_contraction(word: &str) -> bool {
    CONTRACTIONS.contains(&word)
}

/// Whether two tokens share a lemma: the annotated one, or for ERRANT 2.0 the lemma of any part of speech.
fn same_lemma(o: &AnnotatedSentence, s: usize, c: &AnnotatedSentence, t: usize, types: TagSet) -> bool {
    o.lemma(s) == c.lemma(t) || (types == TagSet::Errant2 && o.bases(s).any(|base| c.bases(t).any(|b| b == base)))
}

/// The category of an insertion or a deletion.
pub fn one_sided(side: &EditSide) -> &'static str {
    let EditSide { sentence, span } = side;
    if side.len() == 1 {
        let t = span.start;
        let word = sentence.lower_text(t);
        if sentence.tag(t) == "POS" {
            return "NOUN:POSS";
        }
        if is_contraction(word) {
            return "CONTR";
        }
        let is_preposition = || matches!(sentence.dep(t), Dep::Category { label: "prep", .. });
        if word == "to" && sentence.pos_text(t) == "PART" && !is_preposition() {
            return "VERB:FORM";
        }
    }
    if side.is_auxiliary() {
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

/// The category of a replacement.
pub fn two_sided(o: &EditSide, c: &EditSide, types: TagSet) -> &'static str {
    let pair = (o.len() == 1 && c.len() == 1).then(|| replacement::category(o, c, types));
    pair.flatten().unwrap_or_else(|| several_tokens_category(o, c, types))
}

/// The category of a replacement of several tokens, or of a word pair that no rule decided.
fn several_tokens_category(o: &EditSide, c: &EditSide, types: TagSet) -> &'static str {
    let categories = || o.categories().chain(c.categories());
    let deps = || o.deps().chain(c.deps());
    let same_lemma = |s: usize, t: usize| same_lemma(&o.sentence, s, &c.sentence, t, types);
    let same_last_lemma = same_lemma(o.last(), c.last());
    if o.is_auxiliary() && c.is_auxiliary() {
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
    let is_possessive = |side: &EditSide| side.categories().eq(["NOUN", "PART"]);
    if (is_possessive(o) || is_possessive(c)) && same_lemma(o.span.start, c.span.start) {
        return "NOUN:POSS";
    }
    // [more free -> freer]
    let begins_with_comparison =
        |side: &EditSide| side.len() <= 2 && matches!(side.sentence.lower_text(side.span.start), "most" | "more");
    if o.len() <= 2 && c.len() <= 2 && (begins_with_comparison(o) || begins_with_comparison(c)) && same_last_lemma {
        return "ADJ:FORM";
    }
    "OTHER"
}
