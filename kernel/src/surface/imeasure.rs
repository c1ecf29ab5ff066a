//! Tallies of three-way alignments for Python.

use numpy::{PyArray2, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::edits::imeasure::{tallies, Column, Texts, CLASSES};
use crate::surface::arrays::{column, refuse_if, shaped, Longs};
use crate::surface::text::PyText;

/// Candidate, base, class, start, and the positions of the three tokens.
type Columns<'py> = [Longs<'py>; 7];

fn listed<'py>(py: Python<'py>, columns: &[Column]) -> Columns<'py> {
    let ints = |of: &dyn Fn(&Column) -> i64| column(py, columns, of);
    let place = |which: usize| ints(&|column: &Column| column.tokens[which].map_or(-1, i64::from));
    [
        ints(&|column| i64::from(column.candidate)),
        ints(&|column| i64::from(column.base)),
        ints(&|column| column.class as i64),
        ints(&|column| i64::from(column.start)),
        place(0),
        place(1),
        place(2),
    ]
}

#[pyfunction]
#[pyo3(signature = (source, hypothesis, candidates, offsets, most, threads = 0, *, evidence = false))]
pub fn three_way<'py>(
    py: Python<'py>,
    source: &PyText,
    hypothesis: &PyText,
    candidates: &PyText,
    offsets: PyReadonlyArray1<'py, i64>,
    most: usize,
    threads: usize,
    evidence: bool,
) -> PyResult<(Bound<'py, PyArray2<u32>>, Option<Columns<'py>>)> {
    let offsets: Vec<usize> = offsets.as_array().iter().map(|&at| at as usize).collect();
    let ends = (offsets.first().copied(), offsets.last().copied());
    let fit = offsets.len() == source.0.len() + 1
        && hypothesis.0.len() == source.0.len()
        && ends == (Some(0), Some(candidates.0.len()))
        && offsets.is_sorted();
    refuse_if(!fit, "source, hypothesis and candidates differ in length")?;
    let texts = Texts { source: &source.0, hypothesis: &hypothesis.0, candidates: &candidates.0, offsets: &offsets };
    let (found, columns) = py
        .detach(|| tallies(texts, most, evidence, threads))
        .map_err(|long| PyValueError::new_err((long.sentence, long.lengths)))?;
    let table = shaped(py, (found.len(), 2 * CLASSES), found.concat())?;
    Ok((table, evidence.then(|| listed(py, &columns))))
}
