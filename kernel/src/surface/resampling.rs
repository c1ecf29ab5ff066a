//! Resampling for Python.

use numpy::ndarray::{Array2, ArrayView2, ArrayView3};
use numpy::{IntoPyArray, PyArray2, PyReadonlyArray1, PyReadonlyArray2, PyReadonlyArray3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::resampling::optimum::{self, Ratio, Table};
use crate::resampling::sums;
use crate::resampling::weights::{Kind, Replicate};

type Matrix<'py, T> = Bound<'py, PyArray2<T>>;

fn kind_of(kind: &str) -> PyResult<Kind> {
    match kind {
        "poisson" => Ok(Kind::Poisson),
        "swap" => Ok(Kind::Swap),
        "labelling" => Ok(Kind::Labelling),
        other => Err(PyValueError::new_err(format!("weights are poisson, swap or labelling, not {other}"))),
    }
}

fn matrix<T>(rows: usize, columns: usize, values: Vec<T>) -> PyResult<Array2<T>> {
    Array2::from_shape_vec((rows, columns), values).map_err(|error| PyValueError::new_err(error.to_string()))
}

fn same_length(sentences: usize, keys: &[u64]) -> PyResult<()> {
    if sentences != keys.len() {
        return Err(PyValueError::new_err(format!("{sentences} sentences and {} keys", keys.len())));
    }
    Ok(())
}

/// The weights [replicates, S] of the sentences with these keys [S].
#[pyfunction]
pub fn resampling_weights<'py>(
    py: Python<'py>,
    keys: PyReadonlyArray1<'py, u64>,
    kind: &str,
    seed: u64,
    replicates: usize,
) -> PyResult<Matrix<'py, u8>> {
    let (keys, kind) = (keys.as_slice()?, kind_of(kind)?);
    let mut weights = Vec::with_capacity(keys.len() * replicates);
    for number in 0..replicates {
        let mut replicate = Replicate::new(kind, seed, number as u64);
        weights.extend(keys.iter().map(|&key| replicate.weight(key)));
    }
    Ok(matrix(replicates, keys.len(), weights)?.into_pyarray(py))
}

/// The sums [replicates, C] of rows [S, C], each times its weight.
#[pyfunction]
#[pyo3(signature = (rows, keys, kind, seed, replicates, threads = 0))]
pub fn resampled_sums<'py>(
    py: Python<'py>,
    rows: PyReadonlyArray2<'py, i64>,
    keys: PyReadonlyArray1<'py, u64>,
    kind: &str,
    seed: u64,
    replicates: usize,
    threads: usize,
) -> PyResult<Matrix<'py, i64>> {
    let (keys, kind) = (keys.as_slice()?, kind_of(kind)?);
    let (sentences, columns) = rows.as_array().dim();
    same_length(sentences, keys)?;
    if sentences == 0 || columns == 0 {
        return Ok(Array2::zeros((replicates, columns)).into_pyarray(py));
    }
    let rows = rows.as_array();
    let rows = rows.as_standard_layout();
    let flat = rows.as_slice().unwrap_or_default();
    // Weights are 12 at most.
    let total: i128 = flat.iter().map(|&value| i128::from(value).abs()).sum();
    if total > i128::from(i64::MAX / 12) {
        return Err(PyValueError::new_err("the counts are too large to be added up"));
    }
    let found = py.detach(|| sums::sums(flat, keys, kind, seed, replicates, threads));
    Ok(matrix(replicates, columns, found)?.into_pyarray(py))
}

/// The sums [replicates, K] with the references that are best in each replicate; see `_kernel.pyi`.
#[pyfunction]
#[pyo3(signature = (own, other, above, below, keys, kind, seed, replicates, threads = 0))]
#[allow(clippy::too_many_arguments)]
pub fn optimal_sums<'py>(
    py: Python<'py>,
    own: (PyReadonlyArray3<'py, i64>, PyReadonlyArray2<'py, bool>),
    other: Option<(PyReadonlyArray3<'py, i64>, PyReadonlyArray2<'py, bool>)>,
    above: Vec<f64>,
    below: Vec<f64>,
    keys: PyReadonlyArray1<'py, u64>,
    kind: &str,
    seed: u64,
    replicates: usize,
    threads: usize,
) -> PyResult<Matrix<'py, i64>> {
    let (keys, kind) = (keys.as_slice()?, kind_of(kind)?);
    if above.len() != below.len() {
        return Err(PyValueError::new_err("the weights above and below the line differ in columns"));
    }
    if other.is_some() == (kind == Kind::Poisson) {
        return Err(PyValueError::new_err("two systems are swapped or labelled, one is resampled"));
    }
    let own = checked(&own.0.as_array(), &own.1.as_array(), above.len(), keys)?;
    let other = match &other {
        None => None,
        Some((counts, present)) => Some(checked(&counts.as_array(), &present.as_array(), above.len(), keys)?),
    };
    let ratio = Ratio { above: &above, below: &below };
    let draws = (kind, seed, replicates);
    let (own, other) = (own.table(), other.as_ref().map(Owned::table));
    let found = py.detach(|| optimum::optimal_sums(own, other, ratio, keys, draws, threads));
    Ok(matrix(replicates, above.len(), found)?.into_pyarray(py))
}

struct Owned {
    counts: Vec<i64>,
    present: Vec<bool>,
    references: usize,
}

impl Owned {
    fn table(&self) -> Table<'_> {
        Table { counts: &self.counts, present: &self.present, references: self.references }
    }
}

fn checked(
    counts: &ArrayView3<'_, i64>,
    present: &ArrayView2<'_, bool>,
    columns: usize,
    keys: &[u64],
) -> PyResult<Owned> {
    let (sentences, references, own) = counts.dim();
    same_length(sentences, keys)?;
    if own != columns || columns == 0 || present.dim() != (sentences, references) {
        return Err(PyValueError::new_err("counts, present and weights differ in shape"));
    }
    if let Some(s) = present.rows().into_iter().position(|row| !row.iter().any(|&there| there)) {
        return Err(PyValueError::new_err(format!("sentence {s} has no reference")));
    }
    let (counts, present) = (counts.iter().copied().collect(), present.iter().copied().collect());
    Ok(Owned { counts, present, references })
}
