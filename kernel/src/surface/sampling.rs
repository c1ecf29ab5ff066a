use numpy::ndarray::{Array2, ArrayView1};
use numpy::{IntoPyArray, PyArray2, PyReadonlyArray2, PyReadonlyArray3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::ranking::sampling::{self, Seed};

/// The references [iterations, S] that are drawn among those `present` [S, R].
#[pyfunction]
#[pyo3(signature = (present, iterations, seed = None))]
pub fn sampled_references<'py>(
    py: Python<'py>,
    present: PyReadonlyArray2<'py, bool>,
    iterations: usize,
    seed: Option<u64>,
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    let available = available(&present)?;
    let seed = seed.map_or(Seed::Fixed, Seed::Free);
    let drawn = py.detach(|| (0..iterations).flat_map(|i| sampling::draw(&available, seed, i)).collect());
    matrix(iterations, available.len(), drawn).map(|drawn| drawn.into_pyarray(py))
}

/// The sums [iterations, K] of counts [S, R, K] over the references that are drawn among those `present` [S, R].
#[pyfunction]
#[pyo3(signature = (counts, present, iterations, seed = None, threads = 0))]
pub fn sampled_sums<'py>(
    py: Python<'py>,
    counts: PyReadonlyArray3<'py, i32>,
    present: PyReadonlyArray2<'py, bool>,
    iterations: usize,
    seed: Option<u64>,
    threads: usize,
) -> PyResult<Bound<'py, PyArray2<i64>>> {
    let (sentences, references, columns) = counts.as_array().dim();
    if present.as_array().dim() != (sentences, references) {
        return Err(PyValueError::new_err("counts and present differ in sentences or references"));
    }
    let available = available(&present)?;
    let flat = counts.as_slice()?;
    let seed = seed.map_or(Seed::Fixed, Seed::Free);
    let sums = py.detach(|| sampling::sums(flat, columns, references, &available, iterations, seed, threads));
    matrix(iterations, columns, sums).map(|sums| sums.into_pyarray(py))
}

/// For every sentence the numbers of the references it has.
fn available(present: &PyReadonlyArray2<'_, bool>) -> PyResult<Vec<Vec<u32>>> {
    let numbers = |row: ArrayView1<'_, bool>| (0..).zip(row).filter(|(_, &has)| has).map(|(r, _)| r).collect();
    let available: Vec<Vec<u32>> = present.as_array().rows().into_iter().map(numbers).collect();
    if available.iter().any(Vec::is_empty) {
        return Err(PyValueError::new_err("every sentence needs a reference"));
    }
    Ok(available)
}

fn matrix<T>(rows: usize, columns: usize, values: Vec<T>) -> PyResult<Array2<T>> {
    Array2::from_shape_vec((rows, columns), values).map_err(|error| PyValueError::new_err(error.to_string()))
}
