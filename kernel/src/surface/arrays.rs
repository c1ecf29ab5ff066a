//! Values from and for Python: arrays of numbers, and settings by name.

use numpy::ndarray::{Array, IntoDimension};
use numpy::{Element, IntoPyArray, PyArray, PyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

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

/// The value with a name.
pub fn named<T: Copy>(what: &str, name: &str, known: &[(&str, T)]) -> PyResult<T> {
    let found = known.iter().find(|(own, _)| *own == name);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|(own, _)| *own).collect();
        PyValueError::new_err(format!("{what} is one of {}, not {name}", names.join(", ")))
    })
}
