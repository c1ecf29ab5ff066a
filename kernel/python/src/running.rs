//! Figures of counts, by which references are compared, for Python.

use numpy::ndarray::Array2;
use numpy::{Element, IntoPyArray, PyArrayDyn, PyReadonlyArray1, PyReadonlyArray2, PyReadonlyArray3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::{named, refuse_if, Column, Counts, Longs};
use crate::interrupt::detached;
use geceval_core::ngrams::scores;
use geceval_core::ranking::number::Number;
use geceval_core::ranking::running::{self, Compared, Form, TiesOf, MOST_DIGITS};

/// The form of F for counts of `columns` columns.
#[pyclass(frozen, name = "Form", module = "geceval._kernel")]
pub struct PyForm(Form);

#[pymethods]
impl PyForm {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "Python passes them by name")]
    fn new(
        hit: Vec<f64>,
        proposed: Vec<f64>,
        gold: Vec<f64>,
        wrong: Vec<f64>,
        missed: Vec<f64>,
        square: f64,
        of: &str,
        digits: Option<u32>,
        ties: Vec<Vec<f64>>,
        ties_of: &str,
    ) -> PyResult<Self> {
        let compared = named("of", of, &[("sums", Compared::OfSums), ("ratios", Compared::OfRatios)])?;
        let ties_of = named("ties_of", ties_of, &[("totals", TiesOf::Totals), ("sentence", TiesOf::Sentence)])?;
        let form = Form { hit, proposed, gold, wrong, missed, compared, square, digits, ties, ties_of };
        refuse_if(!form.fits(form.hit.len()), "weights differ in number")?;
        let too_many = form.digits.is_some_and(|digits| digits > MOST_DIGITS);
        refuse_if(too_many, format_args!("digits: at most {MOST_DIGITS}"))?;
        Ok(Self(form))
    }

    /// Precision and recall [..., 2] of counts [..., K].
    fn precision_recall<'py>(&self, counts: Counts<'py>) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        counts.each(self.columns(), &[2], |row, out| out.extend(self.0.precision_recall(row)))
    }

    /// F [...] of counts [..., K].
    fn scores<'py>(&self, counts: Counts<'py>) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        counts.each(self.columns(), &[], |row, out| out.push(self.0.f(row)))
    }

    /// The compared F and the sums that break ties, [..., 1 + T] of counts [..., K].
    fn ranks<'py>(&self, counts: Counts<'py>) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        counts.each(self.columns(), &[1 + self.0.ties.len()], |row, out| self.0.key(row, row, out))
    }
}

impl PyForm {
    fn columns(&self) -> usize {
        self.0.hit.len()
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
    form: &PyForm,
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
    form: &PyForm,
) -> PyResult<(Longs<'py>, Bound<'py, PyAny>)> {
    let (sentences, references, columns) = counts.as_array().dim();
    let mut totals = totals.as_array().to_vec();
    refuse_if(totals.len() != columns, "counts and totals differ in columns")?;
    refuse_if(references == 0 && sentences > 0, "sentence 0 has no reference")?;
    refuse_if(form.columns() != columns, format_args!("the form of F does not fit {columns} columns"))?;
    let present = match present {
        Some(present) => present.as_array().to_owned(),
        None => Array2::from_elem((sentences, references), true),
    };
    refuse_if(present.dim() != (sentences, references), "counts and present differ in sentences or references")?;
    let (counts, present) = (counts.as_array(), present.as_standard_layout());
    let counts = counts.as_standard_layout();
    let (flat, has) = (counts.as_slice().unwrap_or_default(), present.as_slice().unwrap_or_default());
    let chosen = detached(py, || running::choices(flat, references, has, &mut totals, &form.0))?;
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
    refuse_if(digits > MOST_DIGITS, format_args!("digits: at most {MOST_DIGITS}"))?;
    Ok(values.as_array().iter().map(|&value| running::rounded(value, digits)).collect::<Vec<_>>().into_pyarray(py))
}

/// The references [S] with the largest ranks [S, R, T] of those present [S, R], the first among equals.
#[pyfunction]
pub fn first_largest<'py>(ranks: Counts<'py>, present: Option<PyReadonlyArray2<'py, bool>>) -> PyResult<Longs<'py>> {
    ranks.first_largest(present.as_ref(), running::above)
}

/// F [...] of the n-gram regions [..., 7n], over all orders.
#[pyfunction]
pub fn region_scores<'py>(counts: Counts<'py>, n: usize, beta: f64) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    counts.each(n * scores::REGIONS, &[], |row, out| out.push(scores::over_orders(row, beta)[2]))
}

/// Precision, recall and F of each order 1..n alone, and over the orders up to it, [..., n, 6] of regions [..., 7n].
#[pyfunction]
pub fn region_figures<'py>(counts: Counts<'py>, n: usize, beta: f64) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    counts.each(n * scores::REGIONS, &[n, 6], |row, out| {
        for end in (1..=n).map(|order| order * scores::REGIONS) {
            out.extend(scores::of_order(&row[end - scores::REGIONS..end], beta));
            out.extend(scores::over_orders(&row[..end], beta));
        }
    })
}

/// The references [S] with the largest F over the orders 1..n of the regions [S, R, 7n], over 1..n-1, and so on.
#[pyfunction]
pub fn best_regions<'py>(
    counts: Counts<'py>,
    present: Option<PyReadonlyArray2<'py, bool>>,
    beta: f64,
) -> PyResult<Longs<'py>> {
    counts.first_largest(present.as_ref(), |row, other| scores::above(row, other, beta))
}
