//! What tells whether texts are what they are taken for: tokenised, English, about the same sentences. Sums over lines, to
//! be judged elsewhere.

pub mod english;
pub mod marks;
pub mod overlap;
