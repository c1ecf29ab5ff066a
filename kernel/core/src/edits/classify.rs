//! Types of edits: an operation and a category. The category depends on the tag set: English categories, the universal
//! POS, or categories of any language determined by forms, lemmas, a word list and features.

use std::fmt;

use crate::edits::align::distance::similarity;
use crate::edits::align::near;
use crate::edits::annotated::{AnnotatedPair, SpanPair};
use crate::edits::english;
use crate::edits::features::{FeatureTypes, FeaturedWord};
use crate::edits::rules::{only, EditSide, TagSet};

/// The type of an edit: `M:`, `U:` or `R:` and a category, `M`, `U` or `R` without a category, or `UNK` if nothing
/// changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EditType<'a> {
    operation: &'static str,
    category: &'a str,
    /// The part after the category, such as `:INFL`.
    detail: &'static str,
}

/// Minimum similarity of a misspelt word to the correct one, as in ERRANT.
const MISSPELT: f64 = 0.55;

const UNKNOWN: EditType<'static> = EditType { operation: "", category: "UNK", detail: "" };

impl fmt::Display for EditType<'_> {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let operation = self.operation;
        out.write_str(if self.category.is_empty() { operation.trim_end_matches(':') } else { operation })?;
        out.write_str(self.category)?;
        out.write_str(self.detail)
    }
}

/// The type of the edit `span` of a pair.
///
/// Here and in `english`, o is the original side of the edit and c the corrected one, as in ERRANT.
///
/// Cost: O(length of the edit + length of the sentences), and O(a b) for the characters of a word pair.
pub fn classify<'a>(pair: &AnnotatedPair<'a>, span: &SpanPair, types: TagSet) -> EditType<'a> {
    let AnnotatedPair { source, target } = *pair;
    let mut o = EditSide { sentence: source, span: span.source.clone() };
    let mut c = EditSide { sentence: target, span: span.target.clone() };
    if o.forms_equal(&c) {
        return UNKNOWN;
    }
    // Last tokens that differ only in case are ignored: [Doctor -> The doctor], [, since -> . Since].
    while !o.is_empty() && !c.is_empty() && o.len() + c.len() > 2 && source.lower(o.last()) == target.lower(c.last()) {
        o = o.without_last();
        c = c.without_last();
    }
    let (operation, (category, detail)) = match (o.is_empty(), c.is_empty()) {
        (true, true) => return UNKNOWN,
        (true, false) => ("M:", (one_sided(&c, types), "")),
        (false, true) => ("U:", (one_sided(&o, types), "")),
        (false, false) => ("R:", two_sided(&o, &c, types)),
    };
    EditType { operation, category, detail }
}

fn one_sided<'a>(side: &EditSide<'a>, types: TagSet) -> &'a str {
    match types {
        TagSet::Errant3 | TagSet::Errant2 => english::one_sided(side),
        TagSet::Generic | TagSet::Universal(_) => shared_pos(side, None),
        TagSet::Operation => "",
    }
}

fn two_sided<'a>(o: &EditSide<'a>, c: &EditSide<'a>, types: TagSet) -> (&'a str, &'static str) {
    if types != TagSet::Operation && o.letters().eq(c.letters()) {
        let has_details = matches!(types, TagSet::Universal(_));
        return ("ORTH", if has_details { spelling_detail(o, c) } else { "" });
    }
    if has_same_words(o, c) {
        return ("WO", "");
    }
    match types {
        TagSet::Errant3 | TagSet::Errant2 => (english::two_sided(o, c, types), ""),
        TagSet::Generic => (shared_pos(o, Some(c)), ""),
        TagSet::Operation => ("", ""),
        TagSet::Universal(features) => universal(o, c, features).unwrap_or_else(|| (shared_pos(o, Some(c)), "")),
    }
}

fn has_same_words(o: &EditSide, c: &EditSide) -> bool {
    let (mut o, mut c) = (o.lowers(), c.lowers());
    o.sort_unstable();
    c.sort_unstable();
    o == c
}

/// The universal POS that all words have.
fn shared_pos<'a>(side: &EditSide<'a>, other: Option<&EditSide<'a>>) -> &'a str {
    let pos = |side: &EditSide<'a>| {
        let sentence = side.sentence;
        side.span.clone().map(move |t| sentence.pos_text(t))
    };
    let category = only(pos(side).chain(other.into_iter().flat_map(pos)));
    category.filter(|pos| !pos.is_empty()).unwrap_or("OTHER")
}

/// The detail of words that differ only in case and blanks; empty if they differ in both.
fn spelling_detail(o: &EditSide, c: &EditSide) -> &'static str {
    if o.lowers() == c.lowers() {
        return ":CASING";
    }
    let joined = |side: &EditSide| -> String { side.span.clone().map(|t| side.sentence.text(t)).collect() };
    if joined(o) == joined(c) {
        ":WSPACE"
    } else {
        ""
    }
}

/// The category and the detail of a replacement in any language, unless only the POS determines them. In this order:
/// accents, reordered and misspelt words, a word outside the word list, features, equal lemmas.
fn universal<'a>(
    o: &EditSide<'a>,
    c: &EditSide<'a>,
    features: Option<&'static FeatureTypes>,
) -> Option<(&'a str, &'static str)> {
    let (source, target) = (&o.sentence, &c.sentence);
    let same_without_marks = |(s, t)| {
        let [s, t] = [source.lower_text(s), target.lower_text(t)].map(near::without_marks);
        s.eq(t)
    };
    if o.len() == c.len() && o.span.clone().zip(c.span.clone()).all(same_without_marks) {
        return Some(("DIACR", ""));
    }
    if o.len() > 1 || c.len() > 1 {
        let words =
            |side: &EditSide<'a>| -> Vec<&'a [u32]> { side.span.clone().map(|t| side.sentence.chars(t)).collect() };
        return near::is_reordering(&words(o), &words(c)).then_some(("WO", ":SPELL"));
    }
    let (s, t) = (o.span.start, c.span.start);
    let (lexicon, form) = (source.lexicon, source.form(s));
    let is_misspelt = || {
        lexicon.has_words()
            && lexicon.is_alphabetic(form)
            && !lexicon.is_known(form)
            && similarity(source.lower_chars(s), target.lower_chars(t)) > MISSPELT
    };
    if !lexicon.has_some_words() && is_misspelt() {
        return Some(("SPELL", ""));
    }
    let pos = source.pos_text(s);
    let word = |side: &EditSide<'a>, t: usize| {
        let sentence = side.sentence;
        FeaturedWord { pos: sentence.pos_text(t), lemma: sentence.lemma(t), features: sentence.tag_text(t) }
    };
    if let Some(category) = features.and_then(|features| features.category(&word(o, s), &word(c, t))) {
        return Some((category, ""));
    }
    if source.lemma(s) != target.lemma(t) || pos.is_empty() {
        // A form of a known word may be missing from a list of some words.
        return (lexicon.has_some_words() && is_misspelt()).then_some(("SPELL", ""));
    }
    if pos == "X" {
        // The annotator knows the word that is meant.
        return (target.pos_text(t) != "X").then_some(("SPELL", ""));
    }
    Some(if source.pos(s) == target.pos(t) { (pos, ":INFL") } else { ("MORPH", "") })
}
