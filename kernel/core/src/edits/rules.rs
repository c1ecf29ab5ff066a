//! Rule sets, tag sets and sides of edits, shared by merging and typing.

use crate::edits::annotated::AnnotatedSentence;
use crate::edits::features::FeatureTypes;
use crate::edits::labels::Dep;
use std::ops::Range;

/// Rules that align sentences and merge edits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RuleSet {
    /// ERRANT 2.3 and later.
    Errant3,
    /// ERRANT 2.0, the release of BEA-2019.
    Errant2,
    /// Like `Errant3`, for any language: without possessive suffixes, which need a Penn tag.
    Generic,
    /// For Czech: reordered words may differ slightly, similar words may differ in accents, auxiliaries are not content
    /// words, verb groups are particles with verbs, and there are no possessive suffixes.
    Czech,
    /// For Chinese: sequences of operations, see `moves.rs`.
    Chinese,
}

/// Rules that determine the types of edits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TagSet {
    /// ERRANT 2.3 and later, for English with Penn tags and ClearNLP labels.
    Errant3,
    /// ERRANT 2.0, for English.
    Errant2,
    /// The universal POS that all words have, ORTH, WO or OTHER, for any language.
    Generic,
    /// Like `Generic`, with types from forms, lemmas and a word list of any language, and, where a table has its types,
    /// from features of a language; see `classify.rs`.
    Universal(Option<&'static FeatureTypes>),
    /// Only `M`, `U` or `R`, and `R:WO`.
    Operation,
}

/// The value that all items have.
pub fn only<T: PartialEq>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let first = items.next()?;
    items.all(|item| item == first).then_some(first)
}

/// One side of an edit: a span of a sentence.
#[derive(Clone)]
pub struct EditSide<'a> {
    pub sentence: AnnotatedSentence<'a>,
    pub span: Range<usize>,
}

impl<'a> EditSide<'a> {
    pub fn len(&self) -> usize {
        self.span.len()
    }

    pub fn is_empty(&self) -> bool {
        self.span.is_empty()
    }

    pub fn last(&self) -> usize {
        self.span.end - 1
    }

    pub fn without_last(&self) -> EditSide<'a> {
        EditSide { sentence: self.sentence, span: self.span.start..self.span.end - 1 }
    }

    pub fn category(&self, t: usize) -> &'static str {
        self.sentence.category(t)
    }

    pub fn categories(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.span.clone().map(|t| self.category(t))
    }

    /// Whether all labels are "aux" or "auxpass".
    pub fn is_auxiliary(&self) -> bool {
        self.span.clone().all(|t| self.sentence.is_plain_auxiliary(t))
    }

    pub fn deps(&self) -> impl Iterator<Item = Dep> + '_ {
        self.span.clone().map(|t| self.sentence.dep(t))
    }

    pub fn lowers(&self) -> Vec<u32> {
        self.span.clone().map(|t| self.sentence.lower(t)).collect()
    }

    pub fn letters(&self) -> impl Iterator<Item = u8> + '_ {
        self.span.clone().flat_map(|t| self.sentence.lower_text(t).bytes())
    }

    pub fn forms_equal(&self, other: &EditSide) -> bool {
        self.len() == other.len()
            && (self.span.clone().zip(other.span.clone())).all(|(s, t)| self.sentence.form(s) == other.sentence.form(t))
    }
}

/// Whether the items are exactly these two.
pub fn is_set<'a>(items: impl Iterator<Item = &'a str>, pair: [&str; 2]) -> bool {
    let items: Vec<&str> = items.collect();
    items.iter().all(|item| pair.contains(item)) && pair.iter().all(|item| items.contains(item))
}
