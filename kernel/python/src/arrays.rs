//! Arrays from and for Python.

use geceval_core::numbers::Numbers;
use geceval_core::scores::running;
use numpy::ndarray::{Array, IntoDimension};
use numpy::{
    Element, IntoPyArray, PyArray, PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyReadonlyArray2,
    PyReadonlyArrayDyn, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3::Borrowed;

use crate::errors::fail_if;

/// Loads the interface of numpy. Its first use runs Python code, where an exception of a signal handler would be a panic.
pub fn load_numpy(py: Python<'_>) -> PyResult<()> {
    // The part that runs Python code, with its exceptions.
    numpy::get_array_module(py)?;
    PyArray1::<u8>::zeros(py, 0, false).try_readonly()?;
    Ok(())
}

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

/// An array with a value of each row.
pub fn column<R, T: Element>(py: Python<'_>, rows: &[R], value_of: impl Fn(&R) -> T) -> Column<T> {
    array(py, rows.iter().map(value_of).collect())
}

/// An array of indices.
pub fn longs(py: Python<'_>, indices: &[usize]) -> Column<i64> {
    column(py, indices, |&index| index as i64)
}

/// An array of this shape with these values in row-major order.
pub fn shaped<T: Element, D: IntoDimension>(
    py: Python<'_>,
    shape: D,
    values: Vec<T>,
) -> PyResult<Py<PyArray<T, D::Dim>>> {
    let array = Array::from_shape_vec(shape.into_dimension(), values);
    Ok(array.map_err(|error| PyValueError::new_err(error.to_string()))?.into_pyarray(py).unbind())
}

/// Which references are present, [S, R]; None: all.
pub type Present<'py> = Option<PyReadonlyArray2<'py, bool>>;

/// Counts [..., K] in row-major order. Doubles and 64-bit integers are read in place, others converted to doubles.
pub enum Counts<'py> {
    Integers(PyReadonlyArrayDyn<'py, i64>),
    Doubles(PyReadonlyArrayDyn<'py, f64>),
}

impl<'py> FromPyObject<'_, 'py> for Counts<'py> {
    type Error = PyErr;

    fn extract(counts: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(integers) = counts.extract::<PyReadonlyArrayDyn<'py, i64>>() {
            if integers.is_c_contiguous() {
                return Ok(Self::Integers(integers));
            }
        }
        if let Ok(doubles) = counts.extract::<PyReadonlyArrayDyn<'py, f64>>() {
            if doubles.is_c_contiguous() {
                return Ok(Self::Doubles(doubles));
            }
        }
        Ok(Self::Doubles(counts.call_method1("astype", ("float64", "C"))?.extract()?))
    }
}

impl Counts<'_> {
    pub fn shape(&self) -> &[usize] {
        match self {
            Self::Integers(counts) => counts.shape(),
            Self::Doubles(counts) => counts.shape(),
        }
    }

    pub fn numbers(&self) -> PyResult<Numbers<'_>> {
        Ok(match self {
            Self::Integers(counts) => Numbers::Integers(counts.as_slice()?),
            Self::Doubles(counts) => Numbers::Doubles(counts.as_slice()?),
        })
    }

    /// An array [..., width] of the values that `write` appends for each row of K = `columns` counts.
    pub fn each(
        &self,
        py: Python<'_>,
        columns: usize,
        width: &[usize],
        mut write: impl FnMut(&[f64], &mut Vec<f64>) + Send,
    ) -> PyResult<Py<PyArrayDyn<f64>>> {
        let Some((_, leading)) = self.shape().split_last().filter(|(last, _)| **last == columns) else {
            return Err(PyValueError::new_err(format!("counts of shape {:?} for {columns} columns", self.shape())));
        };
        let (shape, numbers, mut values) = ([leading, width].concat(), self.numbers()?, Vec::new());
        let reserved = values.try_reserve_exact(shape.iter().product());
        reserved.map_err(|error| PyMemoryError::new_err(error.to_string()))?;
        py.detach(|| {
            let mut buffer = Vec::new();
            for start in (0..numbers.len()).step_by(columns.max(1)) {
                write(numbers.read(start..start + columns, &mut buffer), &mut values);
            }
        });
        shaped(py, shape, values)
    }

    /// The numbers of sentences, references and columns of counts [S, R, K], and the references that are `present`
    /// [S, R], row after row.
    pub fn present(&self, present: &Present<'_>) -> PyResult<([usize; 3], Vec<bool>)> {
        let &[sentences, references, columns] = self.shape() else {
            return Err(PyValueError::new_err("counts have sentences, references and columns"));
        };
        let Some(present) = present.as_ref().map(|present| present.as_array()) else {
            return Ok(([sentences, references, columns], vec![true; sentences * references]));
        };
        fail_if(present.dim() != (sentences, references), "counts and present differ in sentences or references")?;
        Ok(([sentences, references, columns], present.iter().copied().collect()))
    }

    /// The first largest reference [S] of counts [S, R, K], among those `present` [S, R].
    pub fn first_largest(
        &self,
        py: Python<'_>,
        present: &Present<'_>,
        is_larger: impl Fn(&[f64], &[f64]) -> bool,
    ) -> PyResult<Column<i64>> {
        let (shape, is_present) = self.present(present)?;
        Ok(array(py, running::first_largest(&self.numbers()?.doubles(), shape, &is_present, is_larger)))
    }
}
