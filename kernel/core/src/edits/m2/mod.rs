//! M2 files: sentences with the edits of their annotators, in columns.

pub mod blocks;
pub mod fit;
pub mod json;
pub mod merging;
pub mod parse;
pub mod write;
