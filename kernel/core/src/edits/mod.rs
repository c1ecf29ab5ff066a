//! Edits of pairs of annotated sentences: align, merge, classify, compare.

pub mod align;
pub mod annotated;
pub mod batch;
pub mod classify;
pub mod columns;
pub mod compare;
pub mod english;
pub mod extractor;
pub mod features;
pub mod labels;
pub mod lexicon;
pub mod m2;
pub mod merge;
pub mod order;
pub mod pair;
pub mod rules;
