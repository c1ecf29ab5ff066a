//! M2: sentences with the edits of their annotators, read into columns, checked, applied and written.

pub mod blocks;
pub mod fit;
pub mod merging;
pub mod parse;
pub mod write;
