//! The Python surface of the kernel, and nothing else: arguments in, arrays out, the GIL released
//! while counting. What is counted lives in the modules.

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
mod _kernel {}
