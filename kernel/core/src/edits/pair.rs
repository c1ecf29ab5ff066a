//! The edits of one pair of annotated sentences: align, merge, classify.

use std::fmt::Write;

use crate::edits::align::Aligner;
use crate::edits::annotated::Sentence;
use crate::edits::classify::classify;
use crate::edits::columns::EditColumns;
use crate::edits::merge::{merge, Merging};
use crate::edits::rules::{RuleSet, TagSet};

/// How edits are extracted and typed.
#[derive(Clone, Copy)]
pub struct Settings {
    pub merging: Merging,
    /// Levenshtein instead of the linguistically weighted alignment.
    pub plain: bool,
    pub rules: RuleSet,
    pub types: TagSet,
}

/// A pair of sentences too long to align: its number, the numbers of tokens, and the beginning of the source.
#[derive(Debug, PartialEq, Eq)]
pub struct TooLong {
    pub sentence: usize,
    pub lengths: [usize; 2],
    pub beginning: String,
}

impl TooLong {
    pub fn of(sentence: usize, source: &Sentence, target: &Sentence) -> Self {
        let words: Vec<&str> = (0..source.len().min(8)).map(|t| source.text(t)).collect();
        Self { sentence, lengths: [source.len(), target.len()], beginning: words.join(" ") }
    }
}

/// Extracts the edits of pairs, reusing memory.
#[derive(Default)]
pub struct Pairs {
    aligner: Aligner,
    kind: String,
    text: String,
}

impl Pairs {
    /// Adds the edits of a pair, in order, to the current version; false if the pair is too long to align.
    ///
    /// Cost: `Aligner::align`, `merge`, and `classify` for each edit.
    pub fn extract(
        &mut self,
        source: &Sentence,
        target: &Sentence,
        settings: Settings,
        edits: &mut EditColumns,
    ) -> bool {
        let Some(operations) = self.aligner.align(source, target, settings.plain, settings.rules) else {
            return false;
        };
        for span in merge(operations, source, target, settings.merging, settings.rules) {
            self.kind.clear();
            let kind = classify(source, target, &span, settings.types);
            write!(self.kind, "{kind}").expect("a string takes what is written");
            self.text.clear();
            for t in span.target.clone() {
                if t > span.target.start {
                    self.text.push(' ');
                }
                self.text.push_str(target.text(t));
            }
            edits.push(span.source.start as i32, span.source.end as i32, &self.kind, &self.text);
        }
        true
    }
}
