//! The Python surface of the kernel, and nothing else: arguments in, arrays out, the GIL released
//! while counting. What is counted lives in the modules.

pub mod ngrams;
mod parallel;
pub mod rng;
pub mod trueskill;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
mod _kernel {
    use numpy::ndarray::Array4;
    use numpy::{
        IntoPyArray, PyArray1, PyArray2, PyArray4, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
    };
    use pyo3::exceptions::PyValueError;
    use pyo3::prelude::*;
    use pyo3::pybacked::PyBackedStr;

    use crate::ngrams::{NgramTable, Unit};
    use crate::trueskill::{self, Rules, Schedule, Tally};

    type Means<'py> = Bound<'py, PyArray1<f64>>;

    /// The n-grams of sources and references, ready to be compared with hypotheses.
    #[pyclass(frozen, name = "NgramTable", module = "geceval._kernel")]
    struct PyNgramTable(NgramTable<PyBackedStr>);

    #[pymethods]
    impl PyNgramTable {
        #[new]
        #[pyo3(signature = (texts, n, unit, threads = 0))]
        fn new(py: Python<'_>, texts: Vec<Vec<PyBackedStr>>, n: usize, unit: &str, threads: usize) -> PyResult<Self> {
            let unit = match unit {
                "word" => Unit::Word,
                "char" => Unit::Char,
                "grapheme" => Unit::Grapheme,
                _ => return Err(PyValueError::new_err(format!("unknown unit {unit:?}"))),
            };
            let lengths = texts.first().map_or(1, Vec::len);
            if lengths == 0 || texts.iter().any(|texts| texts.len() != lengths) {
                return Err(PyValueError::new_err("every sentence needs a source and the same number of references"));
            }
            Ok(Self(py.detach(|| NgramTable::new(texts, n, unit, threads))))
        }

        #[pyo3(signature = (hypotheses, threads = 0))]
        fn count<'py>(
            &self,
            py: Python<'py>,
            hypotheses: Vec<PyBackedStr>,
            threads: usize,
        ) -> PyResult<Bound<'py, PyArray4<i32>>> {
            if hypotheses.len() != self.0.len() {
                return Err(PyValueError::new_err(format!(
                    "{} hypotheses for {} sentences",
                    hypotheses.len(),
                    self.0.len()
                )));
            }
            let counts = py.detach(|| self.0.count(&hypotheses, threads));
            let counts = Array4::from_shape_vec(self.0.shape(), counts)
                .map_err(|error| PyValueError::new_err(error.to_string()))?;
            Ok(counts.into_pyarray(py))
        }

        fn __len__(&self) -> usize {
            self.0.len()
        }
    }

    #[pyfunction]
    #[allow(clippy::too_many_arguments)]
    fn trueskill_in_order<'py>(
        py: Python<'py>,
        players: usize,
        first: PyReadonlyArray1<'py, u32>,
        second: PyReadonlyArray1<'py, u32>,
        outcome: PyReadonlyArray1<'py, i8>,
        sigma: f64,
        beta: f64,
        draw_margin: f64,
    ) -> PyResult<(Means<'py>, Means<'py>)> {
        let (first, second, outcome) = (first.as_slice()?, second.as_slice()?, outcome.as_slice()?);
        if first.len() != second.len() || first.len() != outcome.len() {
            return Err(PyValueError::new_err(
                "first, second and outcome must be of one length",
            ));
        }
        if first
            .iter()
            .chain(second)
            .any(|&player| player as usize >= players)
        {
            return Err(PyValueError::new_err("a player's number is out of range"));
        }
        let skills = py.detach(|| {
            let games = first.iter().zip(second).zip(outcome);
            let games = games.map(|((&a, &b), &o)| (a as usize, b as usize, o));
            trueskill::in_order(players, games, sigma, Rules { beta, draw_margin })
        });
        Ok((skills.mean.into_pyarray(py), skills.variance.into_pyarray(py)))
    }

    #[pyfunction]
    #[pyo3(signature = (wins, draws, updates, sigma, beta, draw_margin, seed, runs, threads = 0))]
    #[allow(clippy::too_many_arguments)]
    fn trueskill_runs<'py>(
        py: Python<'py>,
        wins: PyReadonlyArray2<'py, u64>,
        draws: PyReadonlyArray2<'py, u64>,
        updates: u64,
        sigma: f64,
        beta: f64,
        draw_margin: f64,
        seed: u64,
        runs: usize,
        threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let players = wins.as_array().nrows();
        if wins.as_array().dim() != (players, players) || draws.as_array().dim() != (players, players) {
            return Err(PyValueError::new_err(
                "wins and draws must be square and of one size",
            ));
        }
        let tally = Tally {
            players,
            wins: wins.as_slice()?,
            draws: draws.as_slice()?,
        };
        let rules = Rules { beta, draw_margin };
        let schedule = Schedule {
            updates,
            sigma,
            rules,
        };
        let means = py.detach(|| trueskill::runs(tally, schedule, seed, runs, threads));
        means.into_pyarray(py).reshape([runs, players])
    }
}
