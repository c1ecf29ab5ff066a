//! Choice of references, TrueSkill, and a random generator.

pub mod rng;
pub mod running;
pub mod trueskill;
