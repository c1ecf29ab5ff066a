//! Resampling: how often a sentence is drawn in a replicate is a pure function of seed, replicate and the sentence's
//! key, worked out when it is needed and never kept, so that nothing depends on parts, threads or what else is summed.

pub mod optimum;
pub mod sums;
pub mod weights;
