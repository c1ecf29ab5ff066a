//! Parts of the Python surface that are too long for lib.rs.

pub mod trueskill;
