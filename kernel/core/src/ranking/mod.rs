//! Scores of sums of counts, choices of references, tests of pairs, TrueSkill, and a random generator.

pub mod exchange;
pub mod formulas;
pub mod geometric_mean;
pub mod rng;
pub mod running;
pub mod trueskill;
