//! Choice of references, TrueSkill, and random generators.

pub mod number;
pub mod rng;
pub mod running;
pub mod trueskill;
