//! Choice of references, TrueSkill, and random generators.

pub mod draws;
pub mod number;
pub mod rng;
pub mod running;
pub mod sampling;
pub mod trueskill;
