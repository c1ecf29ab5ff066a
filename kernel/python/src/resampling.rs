//! Resampled sentences, drawn references, and skills by TrueSkill.

use geceval_core::draws;
use geceval_core::resampling;
use geceval_core::trueskill::{self, GameTally, TrueSkillRules};
use numpy::{PyReadonlyArray1, PyReadonlyArray2, PyReadonlyArray3, PyReadwriteArray2};

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
    let last = first.checked_add(replicates).ok_or_else(|| PyValueError::new_err("no such replicate"))?;
    let weights = detached(py, || resampling::weights(keys, kind.0, seed, first..last))?;
    shaped(py, (replicates as usize, keys.len()), weights)
}

/// The states [M, 625] of generators with seeds [M, W].
#[pyfunction]
pub fn seeded_states(py: Python<'_>, seeds: PyReadonlyArray2<'_, u32>) -> PyResult<Table<u32>> {
    let (seeds, (rows, words)) = (seeds.as_slice()?, seeds.as_array().dim());
    let states: Option<Vec<_>> = seeds.chunks(words.max(1)).map(draws::state_of_words).collect();
    let states = states.filter(|_| words > 0).ok_or_else(|| PyValueError::new_err("a seed has words"))?;
    shaped(py, (rows, draws::STATE), states.concat())
}

/// References [M, S], drawn among those that are `present` [S, R] with M states of generators, which are continued.
#[pyfunction]
pub fn draw_references(
    py: Python<'_>,
    mut states: PyReadwriteArray2<'_, u32>,
    present: PyReadonlyArray2<'_, bool>,
    integers: bool,
) -> PyResult<Table<u32>> {
    let (present, (sentences, references)) = (present.as_slice()?, present.as_array().dim());
    let rows = states.as_array().nrows();
    fail_if(states.as_array().ncols() != draws::STATE, "states have 624 words and a position")?;
    let is_alone = |row: &[bool]| !row.contains(&true);
    fail_if(references == 0 || present.chunks(references).any(is_alone), "each sentence needs a reference")?;
    let states = states.as_slice_mut()?;
    let drawn = detached(py, || draws::draw(states, present, references, integers))?;
    shaped(py, (rows, sentences), drawn)
}

/// The sums [M, K] of counts [S, R, K] for choices [M, S] of references.
#[pyfunction]
pub fn sums_of_choices(
    py: Python<'_>,
    counts: PyReadonlyArray3<'_, i64>,
    choices: PyReadonlyArray2<'_, u32>,
) -> PyResult<Table<i64>> {
    let (shape, rows) = (counts.as_array().dim(), choices.as_array().nrows());
    fail_if(choices.as_array().ncols() != shape.0, "counts and choices differ in sentences")?;
    fail_if(shape.1 == 0 || shape.2 == 0, "counts need references and columns")?;
    let (counts, choices) = (counts.as_slice()?, choices.as_slice()?);
    let last = choices.iter().fold(0, |last, &choice| choice.max(last)); // vectorised
    fail_if(!choices.is_empty() && last as usize >= shape.1, "no such reference")?;
    let sums = detached(py, || draws::sums_of_choices(counts, shape.into(), choices))?;
    shaped(py, (rows, shape.2), sums)
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
