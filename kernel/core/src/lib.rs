//! The algorithms of geceval: pure functions on slices. `kernel/python` is their Python interface.

// Most tables are never asked whether they are empty.
#![allow(clippy::len_without_is_empty)]

pub mod checks;
pub mod chunks;
pub mod edits;
pub mod interrupt;
pub mod lattice;
pub mod ngrams;
pub mod parallel;
pub mod ranking;
pub mod resampling;
pub mod tagger;
pub mod text;
