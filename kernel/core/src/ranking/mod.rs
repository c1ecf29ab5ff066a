//! Choice of references, tests of pairs, TrueSkill, and a random generator.

pub mod exchange;
pub mod rng;
pub mod running;
pub mod trueskill;
