//! TrueSkill, for Python.

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::arrays::refuse_if;
use crate::interrupt::detached;
use geceval_core::ranking::trueskill::{self, Rules, Tally};

type Means<'py> = Bound<'py, PyArray1<f64>>;

/// The constants as attributes of a Python object.
#[derive(FromPyObject)]
pub struct PyRules {
    sigma: f64,
    beta: f64,
    draw_margin: f64,
}

impl From<PyRules> for Rules {
    fn from(PyRules { sigma, beta, draw_margin }: PyRules) -> Self {
        Self { sigma, beta, draw_margin }
    }
}

#[pyfunction]
pub fn trueskill_in_order<'py>(
    py: Python<'py>,
    players: usize,
    first: PyReadonlyArray1<'py, u32>,
    second: PyReadonlyArray1<'py, u32>,
    outcome: PyReadonlyArray1<'py, i8>,
    rules: PyRules,
) -> PyResult<(Means<'py>, Means<'py>)> {
    let (first, second, outcome) = (first.as_slice()?, second.as_slice()?, outcome.as_slice()?);
    let unequal = first.len() != second.len() || first.len() != outcome.len();
    refuse_if(unequal, "first, second and outcome differ in length")?;
    let unknown = first.iter().chain(second).any(|&player| player as usize >= players);
    refuse_if(unknown, "a player's number is out of range")?;
    let skills = detached(py, || {
        let games = first.iter().zip(second).zip(outcome);
        let games = games.map(|((&a, &b), &o)| (a as usize, b as usize, o));
        trueskill::in_order(players, games, rules.into())
    })?;
    Ok((skills.mean.into_pyarray(py), skills.variance.into_pyarray(py)))
}

#[pyfunction]
#[pyo3(signature = (wins, draws, updates, rules, seed, runs, threads = 0))]
#[expect(clippy::too_many_arguments, reason = "Python passes them by name")]
pub fn trueskill_runs<'py>(
    py: Python<'py>,
    wins: PyReadonlyArray2<'py, u64>,
    draws: PyReadonlyArray2<'py, u64>,
    updates: u64,
    rules: PyRules,
    seed: u64,
    runs: usize,
    threads: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let players = wins.as_array().nrows();
    let unequal = wins.as_array().dim() != (players, players) || draws.as_array().dim() != (players, players);
    refuse_if(unequal, "wins and draws must be square and of the same size")?;
    let tally = Tally { players, wins: wins.as_slice()?, draws: draws.as_slice()? };
    let means = detached(py, || trueskill::runs(tally, updates, rules.into(), seed, runs, threads))?;
    means.into_pyarray(py).reshape([runs, players])
}
