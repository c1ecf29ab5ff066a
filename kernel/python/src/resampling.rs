//! Resampling for Python.

use numpy::{PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use geceval_core::resampling::sums;
use geceval_core::resampling::weights::{Kind, Replicate};

use crate::arrays::{named, refuse_if, shaped};

type Matrix<'py, T> = Bound<'py, PyArray2<T>>;

fn kind_of(kind: &str) -> PyResult<Kind> {
    named("kind", kind, &[("poisson", Kind::Poisson), ("swap", Kind::Swap), ("labelling", Kind::Labelling)])
}

fn same_length(sentences: usize, keys: &[u64]) -> PyResult<()> {
    refuse_if(sentences != keys.len(), format_args!("{sentences} sentences and {} keys", keys.len()))
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
    shaped(py, (replicates, keys.len()), weights)
}

/// The sums [replicates, C] of rows [S, C] times their weights, from replicate number `first` on.
#[pyfunction]
#[pyo3(signature = (rows, keys, kind, seed, replicates, threads = 0, first = 0))]
#[expect(clippy::too_many_arguments, reason = "Python passes them by name")]
pub fn resampled_sums<'py>(
    py: Python<'py>,
    rows: PyReadonlyArray2<'py, i64>,
    keys: PyReadonlyArray1<'py, u64>,
    kind: &str,
    seed: u64,
    replicates: usize,
    threads: usize,
    first: usize,
) -> PyResult<Matrix<'py, i64>> {
    let (keys, kind) = (keys.as_slice()?, kind_of(kind)?);
    let (sentences, columns) = rows.as_array().dim();
    same_length(sentences, keys)?;
    if sentences == 0 || columns == 0 {
        return shaped(py, (replicates, columns), vec![0; replicates * columns]);
    }
    let rows = rows.as_array();
    let rows = rows.as_standard_layout();
    let flat = rows.as_slice().unwrap_or_default();
    // Weights are at most 12.
    let total: i128 = flat.iter().map(|&value| i128::from(value).abs()).sum();
    refuse_if(total > i128::from(i64::MAX / 12), "the counts are too large to be added up")?;
    let found = py.detach(|| sums::sums(flat, keys, kind, seed, first..first + replicates, threads));
    shaped(py, (replicates, columns), found)
}
