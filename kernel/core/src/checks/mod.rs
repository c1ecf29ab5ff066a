//! Sums over lines with which callers check whether texts are tokenised, English, and versions of the same sentences.

pub mod characters;
pub mod overlap;
pub mod raw_output;
pub mod similarity;
