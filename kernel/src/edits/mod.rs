//! Edits of pairs of annotated sentences: align, merge, classify.

pub mod alignment;
pub mod annotated;
pub mod batch;
pub mod classify;
pub mod columns;
pub mod compare;
pub mod distance;
pub mod english;
pub mod extractor;
pub mod labels;
pub mod lexicon;
pub mod line_alignment;
pub mod m2;
pub mod merge;
pub mod moves;
pub mod near;
pub mod order;
pub mod pair;
pub mod rules;
pub mod slots;
mod universal;
