//! The Python surface of the kernel, and nothing else: arguments in, arrays out, the GIL released
//! while counting. What is counted lives in the modules.

pub mod lattice;
pub mod ngrams;
mod parallel;
pub mod rng;
pub mod sampling;
mod surface;
pub mod trueskill;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
mod _kernel {
    #[pymodule_export]
    use crate::surface::lattice::GoldTable;
    #[pymodule_export]
    use crate::surface::ngrams::PyNgramTable;
    #[pymodule_export]
    use crate::surface::sampling::{sampled_references, sampled_sums};
    #[pymodule_export]
    use crate::surface::trueskill::{trueskill_in_order, trueskill_runs};
}
