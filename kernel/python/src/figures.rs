//! Scores of counts, and choices of references by them.

use geceval_core::ngrams::regions;
use geceval_core::ranking::exchange::{self, ExchangedCounts, TestedScore};
use geceval_core::ranking::running::{self, FScoreForm, MAX_DIGITS};
use numpy::{PyArrayDyn, PyReadonlyArray1};

use crate::arrays::{Counts, Present};
use crate::choices::{ComparedName, TiesName};
use crate::prelude::*;

/// The form of F for counts of `columns` columns.
#[pyclass(frozen, name = "Form", module = "geceval._kernel")]
pub struct PyForm(FScoreForm);

#[pymethods]
impl PyForm {
    #[new]
    fn new(
        weights: [Vec<f64>; 5],
        square: f64,
        of: ComparedName,
        digits: Option<u32>,
        ties: Vec<Vec<f64>>,
        ties_of: TiesName,
    ) -> PyResult<Self> {
        let ([hit, proposed, gold, wrong, missed], compared, ties_of) = (weights, of.0, ties_of.0);
        let form = FScoreForm { hit, proposed, gold, wrong, missed, compared, square, digits, ties, ties_of };
        fail_if(!form.is_consistent(), "weights differ in number")?;
        check_digits(form.digits.unwrap_or_default())?;
        Ok(Self(form))
    }

    /// Precision and recall [..., 2] of counts [..., K].
    fn precision_recall(&self, py: Python<'_>, counts: Counts<'_>) -> PyResult<Py<PyArrayDyn<f64>>> {
        counts.each(py, self.0.columns(), &[2], |row, out| out.extend(self.0.precision_recall(row)))
    }

    /// F [...] of counts [..., K].
    fn scores(&self, py: Python<'_>, counts: Counts<'_>) -> PyResult<Py<PyArrayDyn<f64>>> {
        counts.each(py, self.0.columns(), &[], |row, out| out.push(self.0.f(row)))
    }

    /// The compared F and the sums that break ties, [..., 1 + T] of counts [..., K].
    fn ranks(&self, py: Python<'_>, counts: Counts<'_>) -> PyResult<Py<PyArrayDyn<f64>>> {
        counts.each(py, self.0.columns(), &[1 + self.0.ties.len()], |row, out| self.0.key(row, row, out))
    }
}

fn check_digits(digits: u32) -> PyResult<()> {
    fail_if(digits > MAX_DIGITS, format_args!("digits: at most {MAX_DIGITS}"))
}

/// The choices [S] among the `present` references [S, R] of `counts` [S, R, K], and the new `totals` [K].
#[pyfunction]
pub fn running_choices(
    py: Python<'_>,
    counts: Counts<'_>,
    present: Present<'_>,
    totals: Counts<'_>,
    form: &PyForm,
) -> PyResult<(Column<i64>, Column<f64>)> {
    let (shape, is_present) = counts.present(&present)?;
    fail_if(totals.shape() != &shape[2..], "counts and totals differ in columns")?;
    fail_if(form.0.columns() != shape[2], format_args!("the form of F does not fit {} columns", shape[2]))?;
    let (counts, mut totals) = (counts.rows()?, totals.rows()?.to_vec());
    let choices = detached(py, || running::choices(counts, shape, &is_present, &mut totals, &form.0))?;
    Ok((array(py, choices), array(py, totals)))
}

/// A form of F; orders and beta of n-gram regions; the orders of GLEU; the factors of CLEME2.0.
#[derive(FromPyObject)]
enum ScoreArgument<'py> {
    F(Bound<'py, PyForm>),
    Regions(u16, f64),
    Gleu(u16),
    Rates([f64; 4]),
}

/// A score as tests of pairs compute it.
#[pyclass(frozen, name = "TestedScore", module = "geceval._kernel")]
pub struct PyTestedScore(TestedScore);

#[pymethods]
impl PyTestedScore {
    #[new]
    fn new(score: ScoreArgument<'_>) -> PyResult<Self> {
        let tested = match score {
            ScoreArgument::F(form) => TestedScore::F(form.get().0.clone()),
            ScoreArgument::Regions(orders, beta) => {
                TestedScore::Regions { orders: orders.into(), weight: 1.0 / (1.0 + beta * beta) }
            }
            ScoreArgument::Rates(factors) => TestedScore::Rates(factors),
            ScoreArgument::Gleu(orders) => TestedScore::Gleu { orders: orders.into() },
        };
        fail_if(tested.columns() == 0 || matches!(tested, TestedScore::Gleu { orders: 0 }), "no columns")?;
        Ok(Self(tested))
    }

    /// The numbers of extreme replicates [P] of the pairs of systems `first` [P] and `second` [P], whose `observed`
    /// differences [P] are given.
    #[expect(clippy::too_many_arguments, reason = "counts and pairs")]
    fn count_extreme(
        &self,
        py: Python<'_>,
        sums: Counts<'_>,
        exchanged: Counts<'_>,
        first: PyReadonlyArray1<'_, i64>,
        second: PyReadonlyArray1<'_, i64>,
        observed: PyReadonlyArray1<'_, f64>,
        tolerance: f64,
    ) -> PyResult<Column<i64>> {
        let columns = self.0.columns();
        let &[systems, width] = sums.shape() else {
            return Err(PyValueError::new_err("sums have systems and columns"));
        };
        fail_if(exchanged.shape().get(1..) != Some(sums.shape()), "sums and exchanged counts differ in shape")?;
        fail_if(width % columns != 0, format_args!("{width} counts for {columns} columns"))?;
        let (first, second, observed) = (first.as_slice()?, second.as_slice()?, observed.as_slice()?);
        fail_if(first.len() != second.len() || first.len() != observed.len(), "pairs differ in number")?;
        let is_unknown = |&system: &i64| usize::try_from(system).map_or(true, |system| system >= systems);
        fail_if(first.iter().chain(second).any(is_unknown), "a pair has an unknown system")?;
        let pairs: Vec<_> = first.iter().zip(second).map(|(&a, &b)| (a as usize, b as usize)).collect();
        let (totals, exchanged) = (sums.rows()?, exchanged.rows()?);
        let counts = ExchangedCounts { systems, choices: width / columns, totals, exchanged };
        let extreme = py.detach(|| exchange::count_extreme(&self.0, counts, &pairs, observed, tolerance));
        Ok(array(py, extreme))
    }
}

/// Numbers [N] rounded like Python's `round`.
#[pyfunction]
pub fn rounded_all(py: Python<'_>, values: PyReadonlyArray1<'_, f64>, digits: u32) -> PyResult<Column<f64>> {
    check_digits(digits)?;
    Ok(array(py, values.as_array().iter().map(|&value| running::rounded(value, digits)).collect()))
}

/// The first references [S] with the largest ranks [S, R, T] of those present [S, R].
#[pyfunction]
pub fn first_largest(py: Python<'_>, ranks: Counts<'_>, present: Present<'_>) -> PyResult<Column<i64>> {
    ranks.first_largest(py, &present, running::is_larger)
}

/// F [...] of the n-gram regions [..., 7n], over all orders.
#[pyfunction]
pub fn region_scores(py: Python<'_>, counts: Counts<'_>, n: usize, beta: f64) -> PyResult<Py<PyArrayDyn<f64>>> {
    counts.each(py, n * regions::REGIONS, &[], |row, out| out.push(regions::over_orders(row, beta)[2]))
}

/// Precision, recall and F of each order 1..n alone, and over the orders up to it, [..., n, 6] of regions [..., 7n].
#[pyfunction]
pub fn region_figures(py: Python<'_>, counts: Counts<'_>, n: usize, beta: f64) -> PyResult<Py<PyArrayDyn<f64>>> {
    counts.each(py, n * regions::REGIONS, &[n, 6], |row, out| {
        for end in (1..=n).map(|order| order * regions::REGIONS) {
            out.extend(regions::of_order(&row[end - regions::REGIONS..end], beta));
            out.extend(regions::over_orders(&row[..end], beta));
        }
    })
}

/// The references [S] with the largest F over the orders 1..n of the regions [S, R, 7n], over 1..n-1, and so on.
#[pyfunction]
pub fn best_regions(py: Python<'_>, counts: Counts<'_>, present: Present<'_>, beta: f64) -> PyResult<Column<i64>> {
    counts.first_largest(py, &present, |row, best| regions::is_better(row, best, beta))
}
