//! The policy `running` for Python.

use numpy::ndarray::Array2;
use numpy::{Element, IntoPyArray, PyReadonlyArray1, PyReadonlyArray2, PyReadonlyArray3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::ranking::number::Number;
use crate::ranking::running::{self, Form, Shape, TiesOf, MOST_DIGITS};
use crate::surface::arrays::{named, Column, Longs};
use crate::surface::interrupt::detached;

/// The form of F, as attributes of a Python object; see `_kernel.pyi`.
#[derive(FromPyObject)]
pub struct PyForm {
    hit: Vec<f64>,
    proposed: Vec<f64>,
    gold: Vec<f64>,
    wrong: Vec<f64>,
    missed: Vec<f64>,
    square: f64,
    of: String,
    digits: Option<u32>,
    ties: Vec<Vec<f64>>,
    ties_of: String,
}

impl PyForm {
    /// The form, if it fits counts of this number of columns.
    fn checked(self, columns: usize) -> PyResult<Form> {
        let shape = match &*self.of {
            "sums" => Shape::OfSums,
            "ratios" => Shape::OfRatios { wrong: self.wrong, missed: self.missed },
            other => return Err(PyValueError::new_err(format!("F is made of sums or ratios, not {other}"))),
        };
        let ties_of = named("ties_of", &self.ties_of, &[("totals", TiesOf::Totals), ("sentence", TiesOf::Sentence)])?;
        let form = Form {
            hit: self.hit,
            proposed: self.proposed,
            gold: self.gold,
            shape,
            square: self.square,
            digits: self.digits,
            ties: self.ties,
            ties_of,
        };
        if !form.fits(columns) {
            return Err(PyValueError::new_err(format!("the form of F does not fit {columns} columns")));
        }
        if form.digits.is_some_and(|digits| digits > MOST_DIGITS) {
            return Err(PyValueError::new_err(format!("digits: at most {MOST_DIGITS}")));
        }
        Ok(form)
    }
}

/// Integers or doubles: counts [S, R, K] and totals [K].
#[derive(FromPyObject)]
pub enum Numbers<'py> {
    Whole(PyReadonlyArray3<'py, i64>, PyReadonlyArray1<'py, i64>),
    Double(PyReadonlyArray3<'py, f64>, PyReadonlyArray1<'py, f64>),
}

/// The choices [S] among the `present` references [S, R] of `counts` [S, R, K], and the new `totals` [K].
#[pyfunction]
pub fn running_choices<'py>(
    py: Python<'py>,
    counts: Bound<'py, PyAny>,
    present: Option<PyReadonlyArray2<'py, bool>>,
    totals: Bound<'py, PyAny>,
    form: PyForm,
) -> PyResult<(Longs<'py>, Bound<'py, PyAny>)> {
    match (counts, totals).into_pyobject(py)?.extract()? {
        Numbers::Whole(counts, totals) => fold(py, &counts, present.as_ref(), &totals, form),
        Numbers::Double(counts, totals) => fold(py, &counts, present.as_ref(), &totals, form),
    }
}

fn fold<'py, T: Number + Element + Send + Sync>(
    py: Python<'py>,
    counts: &PyReadonlyArray3<'py, T>,
    present: Option<&PyReadonlyArray2<'py, bool>>,
    totals: &PyReadonlyArray1<'py, T>,
    form: PyForm,
) -> PyResult<(Longs<'py>, Bound<'py, PyAny>)> {
    let (sentences, references, columns) = counts.as_array().dim();
    let mut totals = totals.as_array().to_vec();
    if totals.len() != columns {
        return Err(PyValueError::new_err("counts and totals differ in columns"));
    }
    if references == 0 && sentences > 0 {
        return Err(PyValueError::new_err("sentence 0 has no reference"));
    }
    let form = form.checked(columns)?;
    let present = match present {
        Some(present) => present.as_array().to_owned(),
        None => Array2::from_elem((sentences, references), true),
    };
    if present.dim() != (sentences, references) {
        return Err(PyValueError::new_err("counts and present differ in sentences or references"));
    }
    let (counts, present) = (counts.as_array(), present.as_standard_layout());
    let counts = counts.as_standard_layout();
    let (flat, has) = (counts.as_slice().unwrap_or_default(), present.as_slice().unwrap_or_default());
    let chosen = detached(py, || running::choices(flat, references, has, &mut totals, &form))?;
    let chosen = chosen.map_err(|s| PyValueError::new_err(format!("sentence {s} has no reference")))?;
    Ok((chosen.into_pyarray(py), totals.into_pyarray(py).into_any()))
}

/// Numbers [N] rounded like Python's `round`.
#[pyfunction]
pub fn rounded_all<'py>(
    py: Python<'py>,
    values: PyReadonlyArray1<'py, f64>,
    digits: u32,
) -> PyResult<Column<'py, f64>> {
    if digits > MOST_DIGITS {
        return Err(PyValueError::new_err(format!("digits: at most {MOST_DIGITS}")));
    }
    Ok(values.as_array().iter().map(|&value| running::rounded(value, digits)).collect::<Vec<_>>().into_pyarray(py))
}
