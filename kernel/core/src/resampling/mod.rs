//! Resampling: the weight of a sentence in a replicate is a pure function of seed, replicate and the sentence's key, so
//! it does not depend on parts, threads or other sums.

pub mod sums;
pub mod weights;
