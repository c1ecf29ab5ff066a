//! Resampling for Python.

use numpy::ndarray::{ArrayView2, ArrayView3};
use numpy::{PyArray2, PyReadonlyArray1, PyReadonlyArray2, PyReadonlyArray3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::resampling::optimum::{self, Ratio, Table};
use crate::resampling::sums;
use crate::resampling::weights::{Kind, Replicate};

use crate::surface::arrays::{column, named, refuse_if, shaped, Longs};

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
#[allow(clippy::too_many_arguments)]
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

/// A table's counts [S, R, K], present references [S, R], and the keys [S].
type PyTable<'py> = (PyReadonlyArray3<'py, i64>, PyReadonlyArray2<'py, bool>, PyReadonlyArray1<'py, u64>);

/// The references [S] that are best for every ratio, -1 without one; see `_kernel.pyi`.
#[pyfunction]
pub fn settled_references<'py>(
    py: Python<'py>,
    counts: PyReadonlyArray3<'py, i64>,
    present: PyReadonlyArray2<'py, bool>,
    above: Vec<f64>,
    below: Vec<f64>,
) -> PyResult<Longs<'py>> {
    let ratio = ratio_of(&above, &below)?;
    let keys = vec![0; counts.as_array().dim().0];
    let table = Owned::checked(&counts.as_array(), &present.as_array(), &keys, above.len())?;
    let found = py.detach(|| optimum::settled(table.table(), ratio));
    Ok(column(py, &found, |own| own.map_or(-1, |r| r as i64)))
}

/// The sums [replicates, K] with the best references of each replicate; see `_kernel.pyi`.
#[pyfunction]
#[pyo3(signature = (base, own, other, above, below, kind, seed, threads = 0))]
pub fn optimal_sums<'py>(
    py: Python<'py>,
    base: PyReadonlyArray2<'py, i64>,
    own: PyTable<'py>,
    other: Option<PyTable<'py>>,
    above: Vec<f64>,
    below: Vec<f64>,
    kind: &str,
    seed: u64,
    threads: usize,
) -> PyResult<Matrix<'py, i64>> {
    let (kind, ratio) = (kind_of(kind)?, ratio_of(&above, &below)?);
    refuse_if(other.is_some() == (kind == Kind::Poisson), "two systems are swapped or labelled, one is resampled")?;
    let (replicates, columns) = base.as_array().dim();
    refuse_if(columns != above.len(), "counts, present and weights differ in shape")?;
    let own = Owned::of(&own, columns)?;
    let other = match &other {
        None => None,
        Some(other) => Some(Owned::of(other, columns)?),
    };
    let base: Vec<i64> = base.as_array().iter().copied().collect();
    let (own, other) = (own.table(), other.as_ref().map(Owned::table));
    let found = py.detach(|| optimum::optimal_sums(&base, own, other, ratio, (kind, seed), threads));
    shaped(py, (replicates, columns), found)
}

fn ratio_of<'a>(above: &'a [f64], below: &'a [f64]) -> PyResult<Ratio<'a>> {
    let unfit = above.len() != below.len() || above.is_empty();
    refuse_if(unfit, "the weights above and below the line differ in columns")?;
    Ok(Ratio { above, below })
}

struct Owned {
    counts: Vec<i64>,
    present: Vec<bool>,
    references: usize,
    keys: Vec<u64>,
}

impl Owned {
    fn of(table: &PyTable<'_>, columns: usize) -> PyResult<Self> {
        Self::checked(&table.0.as_array(), &table.1.as_array(), table.2.as_slice()?, columns)
    }

    fn checked(
        counts: &ArrayView3<'_, i64>,
        present: &ArrayView2<'_, bool>,
        keys: &[u64],
        columns: usize,
    ) -> PyResult<Self> {
        let (sentences, references, own) = counts.dim();
        same_length(sentences, keys)?;
        let unequal = own != columns || present.dim() != (sentences, references);
        refuse_if(unequal, "counts, present and weights differ in shape")?;
        if let Some(s) = present.rows().into_iter().position(|row| !row.iter().any(|&there| there)) {
            return Err(PyValueError::new_err(format!("sentence {s} has no reference")));
        }
        let (counts, present) = (counts.iter().copied().collect(), present.iter().copied().collect());
        // Without sentences there may be no references either, and chunks of length 0 are impossible.
        Ok(Self { counts, present, references: references.max(1), keys: keys.to_vec() })
    }

    fn table(&self) -> Table<'_> {
        Table { counts: &self.counts, present: &self.present, references: self.references, keys: &self.keys }
    }
}
