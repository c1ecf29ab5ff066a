//! Choice of references, TrueSkill, and its random generator.

pub mod rng;
pub mod running;
pub mod trueskill;
