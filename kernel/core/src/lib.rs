//! The algorithms of geceval: pure functions on slices. `kernel/python` is their Python interface.
//!
//! # The path of a sentence
//!
//! GREEN: [`ngrams::NgramCorpus::count`] counts sentence by sentence. `counter.rs` (`SentenceCounter::count`) reads the
//! tokens of all versions as codes (`tokens.rs`), finds the changed places of each version (`changes.rs`), numbers the
//! n-grams that touch them (`distinct.rs`) and adds them for all versions at once (`lanes.rs`); `regions.rs` computes
//! regions and F.
//!
//! ERRANT: [`edits::extractor::Extractor`] reads text with [`tagger::session`], which computes tags and labels lazily;
//! [`edits::batch::Batch`] contains sentences of other annotators. [`edits::pair::PairExtractor::extract`] has the
//! three steps of a pair:
//!
//! 1. [`edits::align::Aligner::align`] fills a table (`fill`, `fill_row`) and follows the cheapest steps (`trace`).
//! 2. [`edits::merge::merge`] joins operations to edits by the rules of `OperationGroup::first_rule`.
//! 3. [`edits::classify::classify`] finds the type, for English by the rules of [`edits::english`].
//!
//! [`edits::compare::compare_all`] then compares the edits of hypotheses and references, which are stored in
//! [`edits::columns::EditColumns`] like the edits of M2 files ([`edits::m2`]). Other measures of edits: [`lattice`]
//! (MaxMatch), [`chunks`] (CLEME) and [`edits::compare::slots`] (GoToScorer).

// Most tables do not need `is_empty`.
#![allow(clippy::len_without_is_empty)]

pub mod checks;
pub mod chunks;
pub mod draws;
pub mod edits;
pub mod error;
pub mod interrupt;
pub mod lattice;
pub mod ngrams;
pub mod numbers;
pub mod parallel;
pub mod random;
pub mod resampling;
pub mod scores;
pub mod tagger;
pub mod text;
pub mod trueskill;
