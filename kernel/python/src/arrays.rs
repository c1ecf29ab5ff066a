//! Values from and for Python: arrays of numbers, and settings by name.

use std::collections::TryReserveError;
use std::fmt::Display;

use numpy::ndarray::{Array, IntoDimension};
use numpy::{
    Element, IntoPyArray, PyArray, PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::Borrowed;

pub type Column<'py, T> = Bound<'py, PyArray1<T>>;
pub type Ints<'py> = Column<'py, i32>;
pub type Longs<'py> = Column<'py, i64>;

/// A number of each row.
pub fn column<'py, R, T: Element>(py: Python<'py>, rows: &[R], of: impl Fn(&R) -> T) -> Column<'py, T> {
    rows.iter().map(of).collect::<Vec<_>>().into_pyarray(py)
}

/// Places as numbers.
pub fn longs<'py>(py: Python<'py>, places: &[usize]) -> Longs<'py> {
    column(py, places, |&place| place as i64)
}

/// Values, row after row, as an array of this shape.
pub fn shaped<T: Element, D: IntoDimension>(
    py: Python<'_>,
    shape: D,
    values: Vec<T>,
) -> PyResult<Bound<'_, PyArray<T, D::Dim>>> {
    let array = Array::from_shape_vec(shape.into_dimension(), values);
    Ok(array.map_err(|error| PyValueError::new_err(error.to_string()))?.into_pyarray(py))
}

/// Refuses a number of texts or edits that is not the number of sentences.
pub fn check_number(found: usize, noun: &str, sentences: usize) -> PyResult<()> {
    refuse_if(found != sentences, format_args!("{found} {noun} for {sentences} sentences"))
}

/// Refuses arguments that do not fit each other, with a message.
pub fn refuse_if(unfit: bool, message: impl Display) -> PyResult<()> {
    (!unfit).then_some(()).ok_or_else(|| PyValueError::new_err(message.to_string()))
}

/// The value with a name.
pub fn named<T: Copy>(what: &str, name: &str, known: &[(&str, T)]) -> PyResult<T> {
    let found = known.iter().find(|(own, _)| *own == name);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|(own, _)| *own).collect();
        PyValueError::new_err(format!("{what} is one of {}, not {name}", names.join(", ")))
    })
}

/// The exception for too little memory.
pub fn memory_error(error: TryReserveError) -> PyErr {
    PyMemoryError::new_err(error.to_string())
}

fn reserved<T>(length: usize) -> PyResult<Vec<T>> {
    let mut values = Vec::new();
    values.try_reserve_exact(length).map_err(memory_error)?;
    Ok(values)
}

/// Number of counts from which the GIL is released.
const RELEASED: usize = 1000;

/// Counts [..., K] of any type of numbers, row after row.
pub struct Counts<'py> {
    py: Python<'py>,
    shape: Vec<usize>,
    values: Vec<f64>,
}

impl<'py> FromPyObject<'_, 'py> for Counts<'py> {
    type Error = PyErr;

    fn extract(counts: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(ints) = counts.cast::<PyArrayDyn<i32>>() {
            return Self::new(&ints, f64::from);
        }
        if let Ok(longs) = counts.cast::<PyArrayDyn<i64>>() {
            return Self::new(&longs, |count| count as f64);
        }
        if let Ok(doubles) = counts.cast::<PyArrayDyn<f64>>() {
            return Self::new(&doubles, f64::from);
        }
        Self::new(counts.call_method1("astype", ("float64",))?.cast::<PyArrayDyn<f64>>()?, f64::from)
    }
}

impl<'py> Counts<'py> {
    fn new<T: Element + Copy>(counts: &Bound<'py, PyArrayDyn<T>>, double: impl Fn(T) -> f64) -> PyResult<Self> {
        let own = counts.readonly();
        let mut values = reserved(own.len())?;
        match own.as_array().as_slice() {
            Some(own) => values.extend(own.iter().map(|&count| double(count))),
            None => values.extend(own.as_array().iter().map(|&count| double(count))),
        };
        Ok(Self { py: counts.py(), shape: counts.shape().to_vec(), values })
    }

    /// An array [..., width] of what `write` adds for each row of K = `columns` counts.
    pub fn each(
        &self,
        columns: usize,
        width: &[usize],
        write: impl Fn(&[f64], &mut Vec<f64>) + Sync,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let Some((_, leading)) = self.shape.split_last().filter(|(last, _)| **last == columns) else {
            return Err(PyValueError::new_err(format!("counts of shape {:?} for {columns} columns", self.shape)));
        };
        let shape = [leading, width].concat();
        let mut values = reserved(shape.iter().product())?;
        let rows = self.values.chunks_exact(columns.max(1));
        let all = || rows.for_each(|row| write(row, &mut values));
        // Releasing the GIL takes as long as a few rows.
        if self.values.len() > RELEASED {
            self.py.detach(all)
        } else {
            all()
        }
        shaped(self.py, shape, values)
    }

    /// The first largest reference [S] of counts [S, R, K], among those `present` [S, R]; `above` compares two rows.
    pub fn first_largest(
        &self,
        present: Option<&PyReadonlyArray2<'py, bool>>,
        above: impl Fn(&[f64], &[f64]) -> bool,
    ) -> PyResult<Longs<'py>> {
        let present = present.map(|present| present.as_array());
        let (&[sentences, references, columns], true) = (
            &self.shape[..],
            present.is_none_or(|present| present.shape() == &self.shape[..self.shape.len().saturating_sub(1)]),
        ) else {
            return Err(PyValueError::new_err("counts and present differ in sentences or references"));
        };
        let row = |s: usize, r: usize| &self.values[(s * references + r) * columns..][..columns];
        let chosen = (0..sentences).map(|s| {
            let there = (0..references).filter(|&r| present.is_none_or(|present| present[[s, r]]));
            let best = there.reduce(|best, r| if above(row(s, r), row(s, best)) { r } else { best });
            best.unwrap_or(0) as i64
        });
        Ok(chosen.collect::<Vec<_>>().into_pyarray(self.py))
    }
}
