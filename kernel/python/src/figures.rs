//! Scores of counts, and choices of references by them.

use std::sync::Arc;

use geceval_core::ngrams::regions;
use geceval_core::scores::exchange::{self, ExchangedCounts};
use geceval_core::scores::formulas::{Precision, ScoreFormula};
use geceval_core::scores::running::{self, FScoreForm, MAX_DIGITS};
use numpy::{PyArrayDyn, PyReadonlyArray1};

use crate::arrays::{Counts, Present};
use crate::choices::{ComparedName, TiesName};
use crate::prelude::*;

/// The form of F for counts of `columns` columns.
#[pyclass(frozen, name = "Form", module = "geceval._kernel")]
pub struct PyForm(Arc<FScoreForm>);

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
        Ok(Self(form.into()))
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
    let add_key = |totals: &[f64], sentence: &[f64], key: &mut Vec<f64>| form.0.key(totals, sentence, key);
    chosen_in_order(py, &counts, &present, &totals, form.0.columns(), add_key)
}

/// The choices [S] by this key, see [`running::choices`], and the new `totals` [K].
fn chosen_in_order(
    py: Python<'_>,
    counts: &Counts<'_>,
    present: &Present<'_>,
    totals: &Counts<'_>,
    columns: usize,
    add_key: impl Fn(&[f64], &[f64], &mut Vec<f64>) + Sync,
) -> PyResult<(Column<i64>, Column<f64>)> {
    let (shape, is_present) = counts.present(present)?;
    fail_if(totals.shape() != &shape[2..], "counts and totals differ in columns")?;
    fail_if(columns != shape[2], format_args!("the form of F does not fit {} columns", shape[2]))?;
    let (counts, mut totals) = (counts.numbers()?.doubles(), totals.numbers()?.doubles().into_owned());
    let choices = detached(py, || running::choices(&counts, shape, &is_present, &mut totals, &add_key))?;
    Ok((array(py, choices), array(py, totals)))
}

/// The formula of a score.
#[pyclass(frozen, name = "ScoreFormula", module = "geceval._kernel")]
pub struct PyScoreFormula(ScoreFormula);

impl PyScoreFormula {
    /// An array [..., width] of the values that `write` appends for the sums of each row of `counts` [..., K].
    fn each(
        &self,
        py: Python<'_>,
        counts: &Counts<'_>,
        width: &[usize],
        write: impl Fn(&[f64], &mut Vec<f64>) + Sync,
    ) -> PyResult<Py<PyArrayDyn<f64>>> {
        let mut sums = Vec::new();
        counts.each(py, self.0.columns(), width, |row, out| {
            sums.clear();
            self.0.add_sums(row, &mut sums);
            write(&sums, out);
        })
    }
}

#[pymethods]
impl PyScoreFormula {
    #[staticmethod]
    fn f(form: &PyForm) -> PyResult<Self> {
        fail_if(form.0.columns() == 0, "no columns")?;
        Ok(Self(ScoreFormula::F(form.0.clone())))
    }

    #[staticmethod]
    #[pyo3(signature = (*, n, beta))]
    fn regions(n: u16, beta: f64) -> PyResult<Self> {
        fail_if(n == 0, "no orders")?;
        Ok(Self(ScoreFormula::Regions { orders: n.into(), beta }))
    }

    #[staticmethod]
    fn gleu(n: u16) -> PyResult<Self> {
        fail_if(n == 0, "no orders")?;
        Ok(Self(ScoreFormula::Gleu { orders: n.into() }))
    }

    #[staticmethod]
    fn rates(factors: [f64; 4]) -> Self {
        Self(ScoreFormula::Rates(factors))
    }

    /// Scores [...] of totals [..., K].
    fn scores(&self, py: Python<'_>, totals: Counts<'_>) -> PyResult<Py<PyArrayDyn<f64>>> {
        self.each(py, &totals, &[], |sums, out| out.push(self.0.score(sums, Precision::Published)))
    }

    /// Parts of the scores [..., P] of totals [..., K].
    fn parts(&self, py: Python<'_>, totals: Counts<'_>) -> PyResult<Py<PyArrayDyn<f64>>> {
        self.each(py, &totals, &[self.0.number_of_parts()], |sums, out| self.0.add_parts(sums, out))
    }

    /// The choices [S] among the `present` references [S, R] of `counts` [S, R, K] by the score of all sentences so far,
    /// then by the sums `ties` of the sentence, and the new `totals` [K].
    fn running_choices(
        &self,
        py: Python<'_>,
        counts: Counts<'_>,
        present: Present<'_>,
        totals: Counts<'_>,
        ties: Vec<Vec<f64>>,
    ) -> PyResult<(Column<i64>, Column<f64>)> {
        let (formula, columns) = (&self.0, self.0.columns());
        fail_if(ties.iter().any(|weights| weights.len() != columns), "weights differ in number")?;
        chosen_in_order(py, &counts, &present, &totals, columns, |totals, sentence, key| {
            let mut sums = Vec::new();
            formula.add_sums(totals, &mut sums);
            key.push(formula.score(&sums, Precision::Published));
            key.extend(ties.iter().map(|weights| running::weighted_sum(weights, sentence)));
        })
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
        let (totals, exchanged) = (sums.numbers()?, exchanged.numbers()?);
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
