//! Choosing and ranking: draws of references, TrueSkill, and the generators behind them.

pub mod number;
pub mod rng;
pub mod running;
pub mod sampling;
pub mod trueskill;
