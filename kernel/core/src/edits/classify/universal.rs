//! Types from forms, lemmas and a word list of any language, in addition to universal POS.

use crate::edits::align::distance::similarity;
use crate::edits::align::near;
use crate::edits::rules::Side;

/// Minimum similarity of a misspelt word to the correct one, as in ERRANT.
const ALIKE: f64 = 0.55;

/// The category of words that differ only in case and blanks; empty if they differ in both.
pub fn spelt_apart(o: &Side, c: &Side) -> &'static str {
    if o.lowers() == c.lowers() {
        return ":CASING";
    }
    let written = |side: &Side| -> String { side.span.clone().map(|t| side.sentence.text(t)).collect() };
    if written(o) == written(c) {
        ":WSPACE"
    } else {
        ""
    }
}

/// The category of a replacement and its detail, if more than the POS determines it. In this order: accents, a word
/// outside the word list, one lemma, words in another order with other letters.
pub fn two_sided<'a>(o: &Side<'a>, c: &Side<'a>) -> Option<(&'a str, &'static str)> {
    if differ_in_accents(o, c) {
        return Some(("DIACR", ""));
    }
    if o.len() == 1 && c.len() == 1 {
        return of_a_pair(o, c);
    }
    let words = |side: &Side<'a>| -> Vec<&'a [u32]> { side.span.clone().map(|t| side.sentence.chars(t)).collect() };
    near::is_reordering(&words(o), &words(c)).then_some(("WO", ":SPELL"))
}

/// Whether the words are the same, ignoring case, without combining marks.
fn differ_in_accents(o: &Side, c: &Side) -> bool {
    let (source, target) = (&o.sentence, &c.sentence);
    let same = |(s, t)| near::without_marks(source.lower_text(s)).eq(near::without_marks(target.lower_text(t)));
    o.len() == c.len() && o.span.clone().zip(c.span.clone()).all(same)
}

fn of_a_pair<'a>(o: &Side<'a>, c: &Side<'a>) -> Option<(&'a str, &'static str)> {
    let (s, t) = (o.span.start, c.span.start);
    let (source, target) = (&o.sentence, &c.sentence);
    let lexicon = source.lexicon;
    let form = source.form(s);
    if lexicon.has_words()
        && lexicon.is_alphabetic(form)
        && !lexicon.is_known(form)
        && similarity(source.lower_chars(s), target.lower_chars(t)) > ALIKE
    {
        return Some(("SPELL", ""));
    }
    let pos = source.pos_text(s);
    if source.lemma(s) != target.lemma(t) || pos.is_empty() || pos == "X" {
        return None;
    }
    if source.pos(s) == target.pos(t) {
        Some((pos, ":INFL"))
    } else {
        Some(("MORPH", ""))
    }
}
