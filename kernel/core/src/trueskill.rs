//! TrueSkill for two players (Herbrich, Minka and Graepel 2006), as in the WMT ranking of Sakaguchi, Post and Van Durme
//! (2014): skills after games in a given order, or after randomly drawn games in many runs.

use std::ops::Range;

use crate::error::Error;
use crate::interrupt;
use crate::parallel;
use crate::random::Xoshiro256;

/// Constants: initial standard deviation `sigma`, performance noise `beta`, and the margin of a draw.
#[derive(Clone, Copy, Debug)]
pub struct TrueSkillRules {
    pub sigma: f64,
    pub beta: f64,
    pub draw_margin: f64,
}

/// The skills of all players: means and variances, one entry per player.
#[derive(Clone, Debug)]
pub struct Skills {
    pub mean: Vec<f64>,
    pub variance: Vec<f64>,
}

impl Skills {
    /// Every player at mean 0 and standard deviation `sigma`.
    pub fn new(players: usize, sigma: f64) -> Self {
        Self { mean: vec![0.0; players], variance: vec![sigma * sigma; players] }
    }

    /// Updates the skills by one game: `outcome` > 0 if `first` won, < 0 if `second` won, 0 for a draw. O(1).
    pub fn play(&mut self, first: usize, second: usize, outcome: i8, rules: TrueSkillRules) {
        let (winner, loser) = if outcome < 0 { (second, first) } else { (first, second) };
        let (sw, sl) = (self.variance[winner], self.variance[loser]);
        let c2 = 2.0 * rules.beta * rules.beta + sw + sl;
        let c = c2.sqrt();
        let t = (self.mean[winner] - self.mean[loser]) / c;
        let e = rules.draw_margin / c;
        let (v, w) = if outcome == 0 { draw_update(t, e) } else { win_update(t, e) };
        self.mean[winner] += sw / c * v;
        self.mean[loser] -= sl / c * v;
        self.variance[winner] *= 1.0 - sw / c2 * w;
        self.variance[loser] *= 1.0 - sl / c2 * w;
    }
}

fn density(x: f64) -> f64 {
    const INV_SQRT_TAU: f64 = 0.398_942_280_401_432_7;
    INV_SQRT_TAU * libm::exp(-0.5 * x * x)
}

fn cumulative(x: f64) -> f64 {
    0.5 * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2)
}

/// Smaller probabilities have no significant digits, so the limits of v and w are used.
const MIN_PROBABILITY: f64 = 1e-290;

/// v and w of a decided game; as the winner becomes less likely, v -> e - t and w -> 1.
fn win_update(t: f64, e: f64) -> (f64, f64) {
    let x = t - e;
    let mass = cumulative(x);
    if mass < MIN_PROBABILITY {
        return (-x, 1.0);
    }
    let v = density(x) / mass;
    (v, v * (v + x))
}

/// v and w of a draw. v is odd and w even in t, so they are computed at |t|, where both tails are left tails and
/// nothing cancels; with margin 0 a draw is a point: v -> -t, w -> 1.
fn draw_update(t: f64, e: f64) -> (f64, f64) {
    let x = t.abs();
    let mass = cumulative(e - x) - cumulative(-e - x);
    let (v, w) = if mass < MIN_PROBABILITY {
        (e.min(x) - x, 1.0)
    } else {
        let v = (density(-e - x) - density(e - x)) / mass;
        let spread = (e - x) * density(e - x) + (e + x) * density(e + x);
        (v, v * v + spread / mass)
    };
    (if t < 0.0 { -v } else { v }, w)
}

/// Skills after the games in the given order. Err: unequal columns, or an unknown player. O(games).
pub fn play_all(
    players: usize,
    first: &[u32],
    second: &[u32],
    outcome: &[i8],
    rules: TrueSkillRules,
) -> Result<Skills, Error> {
    let is_equal = first.len() == second.len() && first.len() == outcome.len();
    Error::check_arguments(is_equal, "first, second and outcome differ in length")?;
    let is_known = first.iter().chain(second).all(|&player| (player as usize) < players);
    Error::check_arguments(is_known, "a player's number is out of range")?;
    let mut skills = Skills::new(players, rules.sigma);
    for ((&first, &second), &outcome) in first.iter().zip(second).zip(outcome) {
        interrupt::check_interrupt_sometimes()?;
        skills.play(first as usize, second as usize, outcome, rules);
    }
    Ok(skills)
}

/// Numbers of games to draw from: `wins[i * players + j]` games that i won against j, and symmetric `draws`.
#[derive(Clone, Copy, Debug)]
pub struct GameTally<'a> {
    pub players: usize,
    pub wins: &'a [u64],
    pub draws: &'a [u64],
}

impl GameTally<'_> {
    fn games(&self, i: usize, j: usize) -> u64 {
        let n = self.players;
        self.wins[i * n + j] + self.wins[j * n + i] + self.draws[i * n + j]
    }

    fn draw_game(&self, i: usize, j: usize, rng: &mut Xoshiro256) -> i8 {
        let n = self.players;
        let ticket = rng.below(self.games(i, j));
        if ticket < self.wins[i * n + j] {
            1
        } else if ticket < self.wins[i * n + j] + self.wins[j * n + i] {
            -1
        } else {
            0
        }
    }
}

/// The means after `updates` updates. Each update takes the player of largest variance (the last of equals), draws an
/// opponent with probability proportional to exp(-|difference of means|) among the players it has a game with, and
/// draws one of the two players' games with replacement.
/// O(updates x players) comparisons and, while means stay within a few units, O(updates) exponentials.
pub fn sample_run(tally: GameTally, updates: u64, rules: TrueSkillRules, seed: u64) -> Result<Vec<f64>, Error> {
    let n = tally.players;
    let opponents: Vec<Vec<usize>> =
        (0..n).map(|i| (0..n).filter(|&j| j != i && tally.games(i, j) > 0).collect()).collect();
    let mut skills = Skills::new(n, rules.sigma);
    let mut rng = Xoshiro256::new(seed);
    let active: Vec<usize> = (0..n).filter(|&i| !opponents[i].is_empty()).collect();
    for _ in 0..updates {
        interrupt::check_interrupt_sometimes()?;
        let Some(a) = most_uncertain(&skills.variance, &active) else {
            break;
        };
        let b = opponent(a, &opponents[a], &skills.mean, &mut rng);
        let outcome = tally.draw_game(a, b, &mut rng);
        skills.play(a, b, outcome, rules);
    }
    Ok(skills.mean)
}

/// The last player with the largest variance.
fn most_uncertain(variance: &[f64], active: &[usize]) -> Option<usize> {
    active.iter().copied().reduce(|best, i| if variance[i] >= variance[best] { i } else { best })
}

/// Draws an opponent by rejection, which needs about one exponential instead of one per player. Proposals are
/// independent, so drawing by inversion after some rejections bounds the work without changing probabilities.
fn opponent(a: usize, opponents: &[usize], mean: &[f64], rng: &mut Xoshiro256) -> usize {
    const PROPOSALS: usize = 16;
    for _ in 0..PROPOSALS {
        let b = opponents[rng.below(opponents.len() as u64) as usize];
        let (gap, ticket) = ((mean[a] - mean[b]).abs(), rng.unit());
        // 1 - x < exp(-x): most proposals are accepted without the exponential.
        if ticket < 1.0 - gap || ticket < libm::exp(-gap) {
            return b;
        }
    }
    let gap = |b: usize| (mean[a] - mean[b]).abs();
    let nearest = opponents.iter().map(|&b| gap(b)).fold(f64::INFINITY, f64::min);
    let weights: Vec<f64> = opponents.iter().map(|&b| libm::exp(nearest - gap(b))).collect();
    let mut ticket = rng.unit() * weights.iter().sum::<f64>();
    for (&b, &weight) in opponents.iter().zip(&weights) {
        ticket -= weight;
        if ticket < 0.0 {
            return b;
        }
    }
    opponents[opponents.len() - 1]
}

/// The means `count x players` of `count` runs, run k with the seed `seed + k`.
pub fn sample_runs(
    tally: GameTally,
    updates: u64,
    rules: TrueSkillRules,
    seed: u64,
    count: usize,
    threads: usize,
) -> Result<Vec<f64>, Error> {
    let run = |k: Range<usize>, (): &mut ()| sample_run(tally, updates, rules, seed.wrapping_add(k.start as u64));
    Ok(parallel::map_ranges(count, 1, threads, || (), run)?.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: TrueSkillRules = TrueSkillRules { sigma: 0.5, beta: 25.0 / 6.0, draw_margin: 0.740_466_587_452_105_1 };

    #[test]
    fn a_win_separates_the_players_and_a_draw_of_equals_does_not() {
        let mut skills = Skills::new(2, 1.0);
        skills.play(0, 1, 0, RULES);
        assert_eq!(skills.mean, [0.0, 0.0]);
        assert!(skills.variance[0] < 1.0);
        skills.play(0, 1, -1, RULES);
        assert!(skills.mean[1] > 0.0);
        assert_eq!(skills.mean[0], -skills.mean[1]);
    }

    #[test]
    fn impossible_results_stay_finite() {
        for t in [-1e3, -60.0, 0.0, 60.0, 1e3] {
            for e in [0.0, 1e-9, 1.0, 50.0] {
                let (v, w) = win_update(t, e);
                assert!(v.is_finite() && (-1e-9..=1.0 + 1e-9).contains(&w), "won {t} {e}: {v} {w}");
                let (v, w) = draw_update(t, e);
                assert!(v.is_finite() && (-1e-9..=1.0 + 1e-6).contains(&w), "drawn {t} {e}: {v} {w}");
            }
        }
    }

    #[test]
    fn results_do_not_depend_on_the_number_of_threads() {
        let wins = [0, 5, 1, 2, 0, 3, 4, 4, 0];
        let draws = [0, 1, 0, 1, 0, 2, 0, 2, 0];
        let tally = GameTally { players: 3, wins: &wins, draws: &draws };
        let means = sample_runs(tally, 50, RULES, 7, 5, 1).unwrap();
        assert_eq!(Ok(&means), sample_runs(tally, 50, RULES, 7, 5, 3).as_ref());
        assert_eq!(Ok(&means[3..6]), sample_run(tally, 50, RULES, 8).as_deref());
        assert_eq!(sample_runs(tally, 50, RULES, 7, 0, 3), Ok(Vec::new()));
    }

    #[test]
    fn distant_opponents_are_drawn_by_inversion() {
        let mut rng = Xoshiro256::new(0);
        let mean = [0.0, 900.0, -901.0];
        let chosen = (0..1000).filter(|_| opponent(0, &[1, 2], &mean, &mut rng) == 1).count();
        // e / (1 + e) = 0.731; sd 14.
        assert!((660..=800).contains(&chosen), "{chosen}");
    }
}
