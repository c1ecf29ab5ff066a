//! Sums over lines with which callers check whether texts are tokenised, English, and versions of the same sentences.

pub mod english;
pub mod marks;
pub mod overlap;
pub mod raw_output;
