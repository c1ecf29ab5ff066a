//! The category of an English word replaced by another word: errant's rules, in its order.

use crate::edits::align::distance::{indel_similarity, similarity};
use crate::edits::annotated::AnnotatedSentence;
use crate::edits::english::stemmer::stem;
use crate::edits::english::{is_contraction, is_rare, same_lemma};
use crate::edits::labels::Dep;
use crate::edits::rules::{is_set, EditSide, TagSet};

/// Source word s of o and target word t of c, with their categories.
struct WordPair<'a> {
    o: AnnotatedSentence<'a>,
    c: AnnotatedSentence<'a>,
    s: usize,
    t: usize,
    o_category: &'static str,
    c_category: &'static str,
    types: TagSet,
}

/// The category, if a rule for word pairs applies. Both sides have one token.
pub fn category(o: &EditSide, c: &EditSide, types: TagSet) -> Option<&'static str> {
    let (s, t) = (o.span.start, c.span.start);
    let (o_category, c_category) = (o.category(s), c.category(t));
    let pair = WordPair { o: o.sentence, c: c.sentence, s, t, o_category, c_category, types };
    (pair.special())
        .or_else(|| pair.misspelt())
        .or_else(|| pair.inflected())
        .or_else(|| pair.grammatical())
        .or_else(|| pair.similar())
}

fn is_open(category: &str) -> bool {
    matches!(category, "ADJ" | "ADV" | "NOUN" | "VERB")
}

/// The full form of "ca", "sha" and "wo" before "n't".
fn full_auxiliary(word: &str) -> Option<&'static str> {
    match word {
        "ca" => Some("can"),
        "sha" => Some("shall"),
        "wo" => Some("will"),
        _ => None,
    }
}

impl WordPair<'_> {
    fn words(&self) -> (&str, &str) {
        (self.o.lower_text(self.s), self.c.lower_text(self.t))
    }

    fn words_are(&self, a: &str, b: &str) -> bool {
        let (o, c) = self.words();
        (o == a && c == b) || (o == b && c == a)
    }

    fn tags(&self) -> (&str, &str) {
        (self.o.tag(self.s), self.c.tag(self.t))
    }

    fn same_lemma(&self) -> bool {
        same_lemma(&self.o, self.s, &self.c, self.t, self.types)
    }

    fn same_category(&self) -> bool {
        self.o_category == self.c_category
    }

    fn categories_are(&self, a: &str, b: &str) -> bool {
        is_set([self.o_category, self.c_category].into_iter(), [a, b])
    }

    fn similarity(&self) -> f64 {
        similarity(self.o.lower_chars(self.s), self.c.lower_chars(self.t))
    }

    /// The category of the correction, unless it is too rare to be informative.
    fn informative_category(&self) -> Option<&'static str> {
        (!is_rare(self.c_category)).then_some(self.c_category)
    }

    fn special(&self) -> Option<&'static str> {
        let (o, c) = self.words();
        let (o_tag, c_tag) = self.tags();
        if o_tag == "POS" || c_tag == "POS" {
            return Some("NOUN:POSS");
        }
        if (is_contraction(o) || is_contraction(c)) && self.same_category() {
            return Some("CONTR");
        }
        let (o_full, c_full) = (full_auxiliary(o), full_auxiliary(c));
        if self.types != TagSet::Errant2 && (o_full == Some(c) || c_full == Some(o)) {
            return Some("CONTR");
        }
        if o_full.is_some() || c_full.is_some() {
            return Some("VERB:TENSE");
        }
        self.words_are("was", "were").then_some("VERB:SVA")
    }

    /// The category of a word outside the word list: a wrong inflection, a spelling error, or another word.
    fn misspelt(&self) -> Option<&'static str> {
        let form = self.o.form(self.s);
        if !self.o.lexicon.is_alphabetic(form) || self.o.lexicon.is_known(form) {
            return None;
        }
        if self.same_lemma() {
            return Some(match self.o_category {
                "NOUN" if self.same_category() => "NOUN:INFL",
                "VERB" if self.same_category() => "VERB:INFL",
                _ => "MORPH",
            });
        }
        if self.types == TagSet::Errant2 {
            // More than half of the characters are shared, including case.
            let is_spelling = indel_similarity(self.o.chars(self.s), self.c.chars(self.t)) > 0.5;
            let other_word = || self.informative_category().filter(|_| self.same_category()).unwrap_or("OTHER");
            return Some(if is_spelling { "SPELL" } else { other_word() });
        }
        let similarity = self.similarity();
        let is_half_or_third = similarity == 0.5 || (similarity * 1000.0).round() == 333.0;
        let is_short = self.o.chars(self.s).len() <= 4 && self.c.chars(self.t).len() <= 4;
        if similarity > 0.55 || (is_half_or_third && is_short) {
            return Some("SPELL");
        }
        Some(self.informative_category().unwrap_or("OTHER"))
    }

    /// The category of words of open classes with the same lemma or stem.
    fn inflected(&self) -> Option<&'static str> {
        if !is_open(self.o_category) || !is_open(self.c_category) {
            return None;
        }
        if self.same_lemma() {
            return Some(self.form());
        }
        let (o, c) = self.words();
        // A stem keeps the first two characters of its word.
        (o.chars().take(2).eq(c.chars().take(2)) && stem(o) == stem(c)).then_some("MORPH")
    }

    /// The category of two forms of one lemma.
    fn form(&self) -> &'static str {
        let (o_tag, c_tag) = self.tags();
        let either = |tag: &str| o_tag == tag || c_tag == tag;
        if self.same_category() {
            match self.o_category {
                "ADJ" => return "ADJ:FORM",
                "NOUN" => return "NOUN:NUM",
                "VERB" if either("VBG") || either("VBN") || self.has_auxiliary_before() => return "VERB:FORM",
                "VERB" if either("VBD") => return "VERB:TENSE",
                "VERB" if either("VBZ") => return "VERB:SVA",
                "VERB" if self.are_auxiliaries() => return "VERB:TENSE",
                _ => {}
            }
        }
        if self.o.modifies(self.s) && self.c.modifies(self.t) {
            return "ADJ:FORM";
        }
        match c_tag {
            "NNS" if self.o_category == "ADJ" => "NOUN:NUM",
            "VBG" | "VBN" => "VERB:FORM",
            "VBD" => "VERB:TENSE",
            "VBZ" => "VERB:SVA",
            _ => "MORPH",
        }
    }

    fn are_auxiliaries(&self) -> bool {
        self.o.is_auxiliary(self.s) && self.c.is_auxiliary(self.t)
    }

    /// Whether neither auxiliary is the first one of its verb, or both verbs have one.
    fn has_auxiliary_before(&self) -> bool {
        if self.are_auxiliaries() {
            return is_later_auxiliary(&self.o, self.s) && is_later_auxiliary(&self.c, self.t);
        }
        has_auxiliary(&self.o, self.s) && has_auxiliary(&self.c, self.t)
    }

    fn grammatical(&self) -> Option<&'static str> {
        if self.are_auxiliaries() {
            return Some("VERB:TENSE");
        }
        if self.same_category() && !is_rare(self.o_category) {
            return Some(self.o_category);
        }
        // Labels are computed lazily.
        if let Dep::Category { label: a, category } = self.o.dep(self.s) {
            match self.c.dep(self.t) {
                Dep::Category { label: b, .. } if a == b => return Some(category),
                Dep::Category { label: b, .. } if is_set([a, b].into_iter(), ["prt", "prep"]) => return Some("PART"),
                _ => {}
            }
        }
        if self.categories_are("PART", "PREP") {
            return Some("PART");
        }
        if self.categories_are("DET", "PRON") {
            match self.c.dep(self.t) {
                Dep::Argument => return Some("PRON"),
                Dep::Poss => return Some("DET"),
                _ => {}
            }
        }
        if self.types == TagSet::Errant2 {
            return (!self.categories_are("DET", "PRON")).then_some("OTHER");
        }
        if self.categories_are("NUM", "DET") || self.words_are("other", "another") {
            return Some("DET");
        }
        if self.words() == ("your", "yours") {
            return Some("PRON");
        }
        self.words_are("no", "not").then_some("OTHER")
    }

    /// The category of two alphabetic words, by lengths and similarity.
    fn similar(&self) -> Option<&'static str> {
        if self.types == TagSet::Errant2 {
            return None;
        }
        let (o_form, c_form) = (self.o.form(self.s), self.c.form(self.t));
        let lexicon = self.o.lexicon;
        if !lexicon.is_alphabetic(o_form) || !lexicon.is_alphabetic(c_form) {
            return Some("OTHER");
        }
        let (similarity, informative_category) = (self.similarity(), self.informative_category());
        let is_spelling = match (self.o.chars(self.s).len(), self.c.chars(self.t).len()) {
            (1, 2) => similarity == 0.5,
            (2, 2..=3) => similarity >= 0.5,
            (3, _) if matches!(self.words(), ("the", "that") | ("all", "everything")) => return Some("PRON"),
            (3, 2..=4) => similarity >= 0.5,
            (4, _) if self.words_are("that", "what") => return Some("PRON"),
            (4, _) if self.words_are("good", "well") && informative_category.is_some() => return informative_category,
            (4, 3) => similarity > 0.5,
            (4, 4) => similarity >= 0.5,
            (4, 5) => similarity == 0.8,
            (4, 6..) => return informative_category.filter(|_| similarity > 0.5),
            (5, _) if self.words_are("after", "later") && informative_category.is_some() => {
                return informative_category
            }
            (5, 4) => similarity == 0.8,
            (5, 5) => similarity >= 0.6,
            (5, 6..) => return informative_category,
            (6.., 6..) if self.words() == ("therefor", "therefore") || self.words_are("though", "thought") => true,
            (6.., 6..) if similarity >= 0.66 && self.is_prefix() => return Some("MORPH"),
            (6.., 6..) if similarity < 0.55 => return informative_category,
            (6.., 6..) => similarity > 0.8,
            _ => false,
        };
        is_spelling.then_some("SPELL")
    }

    /// Whether one word begins with the other, including case.
    fn is_prefix(&self) -> bool {
        let (o, c) = (self.o.text(self.s), self.c.text(self.t));
        o.starts_with(c) || c.starts_with(o)
    }
}

/// Whether the first auxiliary of the token's head is another word.
fn is_later_auxiliary(sentence: &AnnotatedSentence, t: usize) -> bool {
    let first_auxiliary = sentence.children(sentence.head(t)).find(|&sibling| sentence.is_auxiliary(sibling));
    first_auxiliary.is_some_and(|first_auxiliary| sentence.form(first_auxiliary) != sentence.form(t))
}

fn has_auxiliary(sentence: &AnnotatedSentence, t: usize) -> bool {
    sentence.children(t).any(|child| sentence.is_plain_auxiliary(child))
}
