//! Resampled sentences, and skills by TrueSkill.

use geceval_core::ranking::trueskill::{self, GameTally, TrueSkillRules};
use geceval_core::resampling;
use numpy::{PyReadonlyArray1, PyReadonlyArray2};

use crate::choices::WeightsName;
use crate::prelude::*;

/// The weights [replicates, S] of the sentences with these keys [S], from replicate number `first` on.
#[pyfunction]
#[pyo3(signature = (keys, kind, seed, replicates, first = 0))]
pub fn resampling_weights(
    py: Python<'_>,
    keys: PyReadonlyArray1<'_, u64>,
    kind: WeightsName,
    seed: u64,
    replicates: u64,
    first: u64,
) -> PyResult<Table<u8>> {
    let keys = keys.as_slice()?;
    let weights = py.detach(|| resampling::weights(keys, kind.0, seed, first..first + replicates));
    shaped(py, (replicates as usize, keys.len()), weights)
}

/// The constants of TrueSkill.
fn rules((sigma, beta, draw_margin): (f64, f64, f64)) -> TrueSkillRules {
    TrueSkillRules { sigma, beta, draw_margin }
}

#[pyfunction]
pub fn trueskill_in_order(
    py: Python<'_>,
    players: usize,
    first: PyReadonlyArray1<'_, u32>,
    second: PyReadonlyArray1<'_, u32>,
    outcome: PyReadonlyArray1<'_, i8>,
    constants: (f64, f64, f64),
) -> PyResult<(Column<f64>, Column<f64>)> {
    let (first, second, outcome) = (first.as_slice()?, second.as_slice()?, outcome.as_slice()?);
    let skills = detached(py, || trueskill::play_all(players, first, second, outcome, rules(constants)))?;
    Ok((array(py, skills.mean), array(py, skills.variance)))
}

#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "games, and how they are drawn")]
pub fn trueskill_runs(
    py: Python<'_>,
    wins: PyReadonlyArray2<'_, u64>,
    draws: PyReadonlyArray2<'_, u64>,
    updates: u64,
    constants: (f64, f64, f64),
    seed: u64,
    runs: usize,
    threads: usize,
) -> PyResult<Table<f64>> {
    let players = wins.as_array().nrows();
    let unequal = wins.as_array().dim() != (players, players) || draws.as_array().dim() != (players, players);
    fail_if(unequal, "wins and draws must be square and of the same size")?;
    let tally = GameTally { players, wins: wins.as_slice()?, draws: draws.as_slice()? };
    let means = detached(py, || trueskill::sample_runs(tally, updates, rules(constants), seed, runs, threads))?;
    shaped(py, (runs, players), means)
}
