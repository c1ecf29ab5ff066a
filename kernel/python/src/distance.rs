//! Distances between lines for Python.

use numpy::IntoPyArray;
use pyo3::prelude::*;

use crate::arrays::{refuse_if, Longs};
use crate::interrupt::detached;
use crate::text::PyText;
use geceval_core::edits::align::{distance, lines};

/// [S]: the number of inserted and deleted code points between the lines of two texts.
#[pyfunction]
#[pyo3(signature = (left, right, threads = 0))]
pub fn indel_distances<'py>(py: Python<'py>, left: &PyText, right: &PyText, threads: usize) -> PyResult<Longs<'py>> {
    refuse_if(left.0.len() != right.0.len(), "the texts differ in length")?;
    Ok(py.detach(|| distance::indel_distances(&left.0, &right.0, threads)).into_pyarray(py))
}

/// (lines, [merged, split, lost, doubtful], found)
type Divided = (PyText, [Vec<usize>; 4], f64);

/// A text divided into the lines of a source; None if they have too little in common.
#[pyfunction]
pub fn divided_lines(py: Python<'_>, source: &PyText, text: &PyText) -> PyResult<Option<Divided>> {
    let found = detached(py, || lines::divide(&source.0, &text.0))?;
    Ok(found.map(|own| (PyText(own.lines), [own.merged, own.split, own.lost, own.doubtful], own.found)))
}
