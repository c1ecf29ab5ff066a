"""Unbalanced transport: against the iteration as it is written down, and what must hold of plans."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval.metrics.uot import start_kernel, transport

Problem = tuple[np.ndarray, np.ndarray, np.ndarray]


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    n, m = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    mass = st.floats(0.01, 2.0)
    rows, columns = (np.array(draw(st.lists(mass, min_size=k, max_size=k))) for k in (n, m))
    cost = draw(st.lists(st.floats(0.0, 3.0), min_size=n * m, max_size=n * m))
    return rows, columns, np.array(cost).reshape(n, m)


def slow(rows: np.ndarray, columns: np.ndarray, cost: np.ndarray, reg: float, reg_m: float) -> np.ndarray:
    kernel = np.outer(rows, columns) * np.exp(-cost / reg)
    u, v, f = np.ones(len(rows)), np.ones(len(columns)), reg_m / (reg_m + reg)
    for iteration in range(1000):
        before = u
        u = (rows / (kernel @ v)) ** f
        v = (columns / (kernel.T @ u)) ** f
        if iteration % 10 == 0 and np.abs(u - before).max() <= 1e-6 * max(u.max(), before.max(), 1):
            break
    return u[:, None] * kernel * v


@given(problems(), st.sampled_from([0.1, 0.5]), st.sampled_from([0.1, 1.0]))
def test_equal_to_the_iteration_as_written(problem: Problem, reg: float, reg_m: float) -> None:
    plan = transport(*problem, reg, reg_m)
    np.testing.assert_allclose(plan.mass, slow(*problem, reg, reg_m), rtol=1e-9, atol=1e-300)
    assert plan.converged


@given(problems(), st.randoms(use_true_random=False))
def test_a_permutation_permutes_the_plan(problem: Problem, random: object) -> None:
    rows, columns, cost = problem
    order = np.random.default_rng(1).permutation(len(rows))
    column_order = np.random.default_rng(2).permutation(len(columns))
    plan = transport(rows, columns, cost, 0.1, 0.1).mass
    permuted = transport(rows[order], columns[column_order], cost[np.ix_(order, column_order)], 0.1, 0.1).mass
    np.testing.assert_allclose(permuted, plan[np.ix_(order, column_order)], rtol=1e-9)


def test_the_plan_is_the_minimum() -> None:
    """Of the stated objective: any small change makes it larger."""
    rows, columns = np.array([0.4, 1.0]), np.array([0.7, 0.2, 0.5])
    cost = np.array([[0.1, 0.5, 0.3], [0.6, 0.2, 0.0]])
    reg, reg_m = 0.2, 0.3

    def kl(p: np.ndarray, q: np.ndarray) -> float:
        return float((p * np.log(p / q) - p + q).sum())

    def objective(plan: np.ndarray) -> float:
        prior = reg * kl(plan, np.outer(rows, columns))
        return float((plan * cost).sum()) + prior + reg_m * (kl(plan.sum(1), rows) + kl(plan.sum(0), columns))

    plan = transport(rows, columns, cost, reg, reg_m).mass
    draws = np.random.default_rng(0)
    for _ in range(50):
        assert objective(plan * np.exp(draws.normal(0, 0.05, plan.shape))) > objective(plan)


@pytest.mark.parametrize("reg", [1e-2, 1e-3])
def test_without_regularisation_all_goes_where_it_costs_nothing(reg: float) -> None:
    mass = np.array([0.7])
    assert transport(mass, mass, np.zeros((1, 1)), reg, 1.0).mass[0, 0] == pytest.approx(0.7, abs=2 * reg)
    far = transport(mass, mass, np.full((1, 1), 50.0), reg, 1.0)
    assert far.mass[0, 0] < 1e-9
    assert np.isfinite(far.mass).all()


def test_the_start_kernel() -> None:
    rows, columns = np.array([0.5, 0.0]), np.array([2.0])
    cost = np.array([[0.3], [0.0]])
    np.testing.assert_allclose(start_kernel(rows, columns, cost, 0.1), [[np.exp(-3)], [0.0]])
