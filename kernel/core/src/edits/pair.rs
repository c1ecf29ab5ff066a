//! Extraction of the edits of one pair of annotated sentences: align, merge, classify.

use std::fmt::Write;

use crate::edits::align::{Aligner, MAX_CELLS};
use crate::edits::annotated::AnnotatedPair;
use crate::edits::classify::classify;
use crate::edits::columns::EditColumns;
use crate::edits::merge::{merge, Merging};
use crate::edits::rules::{RuleSet, TagSet};
use crate::error::Error;

/// How edits are extracted and typed.
#[derive(Clone, Copy)]
pub struct Settings {
    pub merging: Merging,
    /// Levenshtein instead of the linguistically weighted alignment.
    pub plain: bool,
    pub rules: RuleSet,
    pub types: TagSet,
}

/// Extracts the edits of pairs, reusing memory.
#[derive(Default)]
pub struct PairExtractor {
    aligner: Aligner,
    kind: String,
    text: String,
}

impl PairExtractor {
    /// Adds the edits of the pair of a sentence, in order, to the current version. Err: the pair is too long to align.
    ///
    /// Cost: `Aligner::align`, `merge`, and `classify` for each edit.
    pub fn extract(
        &mut self,
        sentence: usize,
        pair: AnnotatedPair,
        settings: Settings,
        edits: &mut EditColumns,
    ) -> Result<(), Error> {
        let operations = self.aligner.align(pair, settings.plain, settings.rules)?.ok_or_else(|| {
            let AnnotatedPair { source, target } = pair;
            let words: Vec<&str> = (0..source.len().min(8)).map(|t| source.text(t)).collect();
            Error::Pair { sentence, limit: MAX_CELLS, tokens: [source.len(), target.len()], beginning: words.join(" ") }
        })?;
        for span in merge(operations, &pair, settings.merging, settings.rules) {
            self.kind.clear();
            let kind = classify(&pair, &span, settings.types);
            write!(self.kind, "{kind}").expect("writing to a string succeeds");
            self.text.clear();
            for t in span.target.clone() {
                if t > span.target.start {
                    self.text.push(' ');
                }
                self.text.push_str(pair.target.text(t));
            }
            edits.push(span.source.start as i32, span.source.end as i32, &self.kind, &self.text);
        }
        Ok(())
    }
}
