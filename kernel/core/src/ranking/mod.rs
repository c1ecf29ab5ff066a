//! Choice of references, TrueSkill, and its random generator.

pub mod number;
pub mod rng;
pub mod running;
pub mod trueskill;
