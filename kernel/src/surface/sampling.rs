use std::collections::TryReserveError;
use std::sync::Arc;

use numpy::ndarray::{Array2, ArrayView1, ArrayView2};
use numpy::{Element, PyArray2, PyReadonlyArray2, PyReadonlyArray3};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::ranking::draws::{Draws, Seed};
use crate::ranking::number::Number;
use crate::ranking::sampling::Sampler;
use crate::surface::arrays::shaped;
use crate::surface::interrupt::detached;

/// The references [iterations, S] drawn among `present` [S, R].
#[pyfunction]
#[pyo3(signature = (present, iterations, seed = None, *, randint = false))]
pub fn sampled_references<'py>(
    py: Python<'py>,
    present: PyReadonlyArray2<'py, bool>,
    iterations: usize,
    seed: Option<u64>,
    randint: bool,
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    let available = available(present.as_array())?;
    let seed = seed_of(seed, randint);
    let drawn = detached(py, || Draws::all(seed, iterations, &available))?.map_err(lacking)?;
    shaped(py, (iterations, available.len()), drawn)
}

/// Sums of integers or of doubles, as determined by the first counts.
enum State {
    None,
    Whole(Sampler<i64>),
    Double(Sampler<f64>),
}

/// Counts [S, R, K], converted to 64 bits.
#[derive(FromPyObject)]
enum Table<'py> {
    Whole(PyReadonlyArray3<'py, i64>),
    Double(PyReadonlyArray3<'py, f64>),
}

/// The sums over drawn references of counts that are added in parts; see `_kernel.pyi`.
#[pyclass(name = "Sampler", module = "geceval._kernel")]
pub struct PySampler {
    iterations: usize,
    seed: Option<u64>,
    randint: bool,
    start: Arc<Draws>,
    state: State,
}

#[pymethods]
impl PySampler {
    #[new]
    #[pyo3(signature = (iterations, seed = None, state = None, randint = false))]
    fn new(iterations: usize, seed: Option<u64>, state: Option<(bool, Vec<u8>)>, randint: bool) -> PyResult<Self> {
        if iterations == 0 {
            return Err(PyValueError::new_err("at least one iteration"));
        }
        let damaged = || PyValueError::new_err("not the state of a sampler");
        let state = match state {
            None => State::None,
            Some((true, bytes)) => State::Whole(Sampler::restored(&bytes).ok_or_else(damaged)?),
            Some((false, bytes)) => State::Double(Sampler::restored(&bytes).ok_or_else(damaged)?),
        };
        Ok(Self { iterations, seed, randint, start: Draws::start(seed_of(seed, randint), iterations), state })
    }

    #[pyo3(signature = (counts, present = None, threads = 0))]
    fn add(
        &mut self,
        py: Python<'_>,
        counts: Table<'_>,
        present: Option<PyReadonlyArray2<'_, bool>>,
        threads: usize,
    ) -> PyResult<()> {
        let (sentences, references, columns) = match &counts {
            Table::Whole(counts) => counts.as_array().dim(),
            Table::Double(counts) => counts.as_array().dim(),
        };
        let available = match present {
            Some(present) if present.as_array().dim() != (sentences, references) => {
                return Err(PyValueError::new_err("counts and present differ in sentences or references"));
            }
            Some(present) => available(present.as_array())?,
            None => available(Array2::from_elem((sentences, references), true).view())?,
        };
        if matches!(self.state, State::None) {
            self.state = match &counts {
                Table::Whole(_) => State::Whole(Sampler::new(columns, self.start.clone())),
                Table::Double(_) => State::Double(Sampler::new(columns, self.start.clone())),
            };
        }
        match (&mut self.state, counts) {
            (State::Whole(sampler), Table::Whole(counts)) => take(py, sampler, &counts, &available, threads),
            (State::Double(sampler), Table::Double(counts)) => take(py, sampler, &counts, &available, threads),
            _ => Err(PyValueError::new_err("parts of whole numbers and of doubles")),
        }
    }

    #[getter]
    fn sums<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match &self.state {
            State::None => Err(PyValueError::new_err("nothing was counted")),
            State::Whole(sampler) => rows(py, sampler),
            State::Double(sampler) => rows(py, sampler),
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let own = slf.borrow();
        let state = match &own.state {
            State::None => None,
            State::Whole(sampler) => Some((true, PyBytes::new(slf.py(), &sampler.state()))),
            State::Double(sampler) => Some((false, PyBytes::new(slf.py(), &sampler.state()))),
        };
        let arguments = (own.iterations, own.seed, state, own.randint).into_pyobject(slf.py())?;
        Ok((slf.get_type().into_any(), arguments))
    }
}

fn lacking(error: TryReserveError) -> PyErr {
    PyMemoryError::new_err(error.to_string())
}

/// The given seed, or the draws of the original scorer, under Python 2 or under Python 3 (`randint`).
fn seed_of(seed: Option<u64>, randint: bool) -> Seed {
    seed.map_or(if randint { Seed::Randint } else { Seed::Fixed }, Seed::Free)
}

fn take<T: Number + Element + Send + Sync>(
    py: Python<'_>,
    sampler: &mut Sampler<T>,
    counts: &PyReadonlyArray3<'_, T>,
    available: &[Vec<u32>],
    threads: usize,
) -> PyResult<()> {
    let (_, references, columns) = counts.as_array().dim();
    if columns != sampler.columns() {
        return Err(PyValueError::new_err("the parts differ in columns"));
    }
    let counts = counts.as_array();
    let counts = counts.as_standard_layout();
    let flat = counts.as_slice().unwrap_or_default();
    detached(py, || sampler.add(flat, references, available, threads))?.map_err(lacking)
}

fn rows<'py, T: Number + Element + Send + Sync>(py: Python<'py>, sampler: &Sampler<T>) -> PyResult<Bound<'py, PyAny>> {
    Ok(shaped(py, (sampler.rows(), sampler.columns()), sampler.sums())?.into_any())
}

/// The numbers of the references of every sentence.
fn available(present: ArrayView2<'_, bool>) -> PyResult<Vec<Vec<u32>>> {
    let numbers = |row: ArrayView1<'_, bool>| (0..).zip(row).filter(|(_, &has)| has).map(|(r, _)| r).collect();
    let available: Vec<Vec<u32>> = present.rows().into_iter().map(numbers).collect();
    if available.iter().any(Vec::is_empty) {
        return Err(PyValueError::new_err("every sentence needs a reference"));
    }
    Ok(available)
}
