//! Parts of the Python surface that are too long for lib.rs.

pub mod chunks;
pub mod edits;
pub mod tagger;
