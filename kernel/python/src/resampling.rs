//! Resampled sentences, and skills by TrueSkill.

use geceval_core::ranking::trueskill::{self, GameTally, TrueSkillRules};
use geceval_core::resampling::{sums, weights};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};

use crate::choices::WeightsName;
use crate::prelude::*;

/// The weights [replicates, S] of the sentences with these keys [S].
#[pyfunction]
pub fn resampling_weights(
    py: Python<'_>,
    keys: PyReadonlyArray1<'_, u64>,
    kind: WeightsName,
    seed: u64,
    replicates: usize,
) -> PyResult<Table<u8>> {
    let keys = keys.as_slice()?;
    shaped(py, (replicates, keys.len()), weights::weights(keys, kind.0, seed, replicates))
}

/// The sums [replicates, C] of rows [S, C] times their weights, from replicate number `first` on.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "rows, and what determines their weights")]
pub fn resampled_sums(
    py: Python<'_>,
    rows: PyReadonlyArray2<'_, i64>,
    keys: PyReadonlyArray1<'_, u64>,
    kind: WeightsName,
    seed: u64,
    replicates: usize,
    threads: usize,
    first: usize,
) -> PyResult<Table<i64>> {
    let (keys, rows) = (keys.as_slice()?, rows.as_array());
    let (sentences, columns) = rows.dim();
    fail_if(sentences != keys.len(), format_args!("{sentences} sentences and {} keys", keys.len()))?;
    let rows = rows.as_standard_layout();
    let rows = rows.as_slice().expect("the standard layout is a slice");
    let sums = detached(py, || sums::sums(rows, columns, keys, kind.0, seed, first..first + replicates, threads))?;
    shaped(py, (replicates, columns), sums)
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
