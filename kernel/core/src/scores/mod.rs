//! Scores of sums of counts: their formulas, choices of references, and tests of pairs.

pub mod exchange;
pub mod formulas;
pub mod geometric_mean;
pub mod running;
