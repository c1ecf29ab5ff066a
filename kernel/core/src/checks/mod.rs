//! Sums over lines that show whether texts are tokenised, English, and about the same sentences. Callers judge them.

pub mod english;
pub mod marks;
pub mod overlap;
pub mod raw_output;
