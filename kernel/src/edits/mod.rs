//! Edits out of pairs of annotated sentences: align, merge, classify, pair by pair.

pub mod alignment;
pub mod annotated;
pub mod batch;
pub mod classify;
pub mod columns;
pub mod compare;
pub mod distance;
pub mod extractor;
pub mod labels;
pub mod lexicon;
pub mod m2;
pub mod merge;
pub mod order;
pub mod pair;
mod replacement;
pub mod rules;
pub mod slots;
pub mod stemmer;
