//! The Python interface, one file per subject: converts arguments to slices and results to arrays.

pub mod arrays;
pub mod checks;
pub mod chunks;
pub mod columns;
pub mod compare;
pub mod distance;
pub mod edits;
pub mod forks;
pub mod interrupt;
pub mod lattice;
pub mod lines;
pub mod m2;
pub mod ngrams;
pub mod order;
pub mod preparation;
pub mod resampling;
pub mod running;
pub mod slots;
pub mod tagger;
pub mod text;
pub mod trueskill;
