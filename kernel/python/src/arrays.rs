//! Arrays from and for Python.

use geceval_core::ranking::running;
use numpy::ndarray::{Array, IntoDimension};
use numpy::{
    Element, IntoPyArray, PyArray, PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyReadonlyArray2,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3::Borrowed;

pub type Column<T> = Py<PyArray1<T>>;
pub type Table<T> = Py<PyArray2<T>>;
/// Columns and sums by name.
pub type Dict = Py<PyDict>;

/// A dict with these values by name.
macro_rules! dict {
    ($py:expr, $($name:literal: $value:expr),+ $(,)?) => {{
        let dict = pyo3::types::PyDict::new($py);
        $(dict.set_item($name, $value)?;)+
        dict.unbind()
    }};
}
pub(crate) use dict;

pub fn array<T: Element>(py: Python<'_>, values: Vec<T>) -> Column<T> {
    values.into_pyarray(py).unbind()
}

/// A number of each row.
pub fn column<R, T: Element>(py: Python<'_>, rows: &[R], of: impl Fn(&R) -> T) -> Column<T> {
    array(py, rows.iter().map(of).collect())
}

/// Indices as numbers.
pub fn longs(py: Python<'_>, indices: &[usize]) -> Column<i64> {
    column(py, indices, |&index| index as i64)
}

/// Values, row after row, as an array of this shape.
pub fn shaped<T: Element, D: IntoDimension>(
    py: Python<'_>,
    shape: D,
    values: Vec<T>,
) -> PyResult<Py<PyArray<T, D::Dim>>> {
    let array = Array::from_shape_vec(shape.into_dimension(), values);
    Ok(array.map_err(|error| PyValueError::new_err(error.to_string()))?.into_pyarray(py).unbind())
}

fn reserved<T>(length: usize) -> PyResult<Vec<T>> {
    let mut values = Vec::new();
    values.try_reserve_exact(length).map_err(|error| PyMemoryError::new_err(error.to_string()))?;
    Ok(values)
}

/// Counts [..., K] of any type of numbers, row after row.
pub struct Counts {
    pub shape: Vec<usize>,
    pub values: Vec<f64>,
}

impl<'py> FromPyObject<'_, 'py> for Counts {
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

impl Counts {
    fn new<T: Element + Copy>(counts: &Bound<'_, PyArrayDyn<T>>, double: impl Fn(T) -> f64) -> PyResult<Self> {
        let array = counts.readonly();
        let mut values = reserved(array.len())?;
        match array.as_array().as_slice() {
            Some(flat) => values.extend(flat.iter().map(|&count| double(count))),
            None => values.extend(array.as_array().iter().map(|&count| double(count))),
        };
        Ok(Self { shape: counts.shape().to_vec(), values })
    }

    /// An array [..., width] of what `write` adds for each row of K = `columns` counts.
    pub fn each(
        &self,
        py: Python<'_>,
        columns: usize,
        width: &[usize],
        write: impl Fn(&[f64], &mut Vec<f64>) + Sync,
    ) -> PyResult<Py<PyArrayDyn<f64>>> {
        let Some((_, leading)) = self.shape.split_last().filter(|(last, _)| **last == columns) else {
            return Err(PyValueError::new_err(format!("counts of shape {:?} for {columns} columns", self.shape)));
        };
        let shape = [leading, width].concat();
        let mut values = reserved(shape.iter().product())?;
        py.detach(|| self.values.chunks_exact(columns.max(1)).for_each(|row| write(row, &mut values)));
        shaped(py, shape, values)
    }

    /// The numbers of sentences, references and columns of counts [S, R, K], and the references that are `present`
    /// [S, R], row after row.
    pub fn present(&self, present: Option<&PyReadonlyArray2<'_, bool>>) -> PyResult<([usize; 3], Vec<bool>)> {
        let present = present.map(|present| present.as_array());
        let &[sentences, references, columns] = &self.shape[..] else {
            return Err(PyValueError::new_err("counts and present differ in sentences or references"));
        };
        if present.is_some_and(|present| present.dim() != (sentences, references)) {
            return Err(PyValueError::new_err("counts and present differ in sentences or references"));
        }
        let flags =
            present.map_or_else(|| vec![true; sentences * references], |present| present.iter().copied().collect());
        Ok(([sentences, references, columns], flags))
    }

    /// The first largest reference [S] of counts [S, R, K], among those `present` [S, R]; `above` compares two rows.
    pub fn first_largest(
        &self,
        py: Python<'_>,
        present: Option<&PyReadonlyArray2<'_, bool>>,
        above: impl Fn(&[f64], &[f64]) -> bool,
    ) -> PyResult<Column<i64>> {
        let (shape, is_present) = self.present(present)?;
        Ok(array(py, running::first_largest(&self.values, shape, &is_present, above)))
    }
}
