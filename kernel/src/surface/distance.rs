//! Distances between lines for Python.

use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::edits::distance;
use crate::surface::text::PyText;

/// [S]: the number of inserted and deleted code points between the lines of two texts.
#[pyfunction]
#[pyo3(signature = (left, right, threads = 0))]
pub fn indel_distances<'py>(
    py: Python<'py>,
    left: &PyText,
    right: &PyText,
    threads: usize,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    if left.0.len() != right.0.len() {
        return Err(PyValueError::new_err("the texts differ in length"));
    }
    Ok(py.detach(|| distance::indel_distances(&left.0, &right.0, threads)).into_pyarray(py))
}
