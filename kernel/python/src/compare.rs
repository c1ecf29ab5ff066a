//! The comparison of edit columns for Python.

use numpy::ndarray::{Array2, Array3};
use numpy::{IntoPyArray, PyArray2, PyArray3};
use pyo3::prelude::*;

use crate::arrays::{check_number, column, longs, named, Column, Ints, Longs};
use crate::columns::PyEdits;
use crate::interrupt::detached;
use crate::order::SentenceError;
use geceval_core::edits::columns::EditColumns;
use geceval_core::edits::compare::{self, Comparison, Evidence, Keyed, Matching, Mode, Size, TooLong, FP, MOST_TOKENS};

/// sentence, reference, column, side, start, end, text, type, strings
type Columns<'py> =
    (Longs<'py>, Longs<'py>, Longs<'py>, Column<'py, u8>, Ints<'py>, Ints<'py>, Ints<'py>, Ints<'py>, Vec<String>);
type Present<'py> = Option<Bound<'py, PyArray2<bool>>>;

fn matching<'a>(mode: &str, size: &str, exclude: &'a [String], literal: bool) -> PyResult<Matching<'a>> {
    let modes = [("cs", Mode::Correction), ("cse", Mode::Typed), ("ds", Mode::Span), ("dt", Mode::Token)];
    let sizes = [("all", Size::All), ("single", Size::Single), ("multi", Size::Multi)];
    Ok(Matching { mode: named("mode", mode, &modes)?, size: named("size", size, &sizes)?, exclude, literal })
}

fn too_long(TooLong { sentence }: TooLong) -> PyErr {
    SentenceError::new_err((format!("more than {MOST_TOKENS} tokens inside edits"), sentence))
}

/// The counts [S, pairs, 3], the present pairs [S, pairs], and the evidence.
#[pyfunction]
#[pyo3(signature = (hypothesis, references, mode, size, exclude, literal, threads = 0, *, evidence = false))]
#[expect(clippy::too_many_arguments, reason = "Python passes them by name")]
pub fn compare_edits<'py>(
    py: Python<'py>,
    hypothesis: &Bound<'py, PyEdits>,
    references: &Bound<'py, PyEdits>,
    mode: &str,
    size: &str,
    exclude: Vec<String>,
    literal: bool,
    threads: usize,
    evidence: bool,
) -> PyResult<(Bound<'py, PyArray3<i64>>, Present<'py>, Option<Columns<'py>>)> {
    let (mine, theirs) = (&hypothesis.get().0, &references.get().0);
    check_number(mine.sentences(), "hypotheses", theirs.sentences())?;
    let matching = matching(mode, size, &exclude, literal)?;
    let found = detached(py, || compare::compare_all(mine, theirs, matching, evidence, threads))?.map_err(too_long)?;
    let (counts, present) = table(py, &found);
    Ok((counts, present, evidence.then(|| columns(py, &found.evidence, mine, theirs))))
}

/// The counts in a table as wide as the maximum number of pairs of a sentence.
fn table<'py>(py: Python<'py>, found: &Comparison) -> (Bound<'py, PyArray3<i64>>, Present<'py>) {
    let width = found.pairs.iter().copied().max().unwrap_or(0);
    let mut counts = Array3::zeros((found.pairs.len(), width, 3));
    let mut present = Array2::from_elem((found.pairs.len(), width), false);
    let mut next = found.counts.iter();
    for (s, &pairs) in found.pairs.iter().enumerate() {
        for (pair, row) in (0..pairs).zip(&mut next) {
            row.iter().enumerate().for_each(|(k, &count)| counts[[s, pair, k]] = count);
            present[[s, pair]] = true;
        }
    }
    let ragged = found.pairs.iter().any(|&pairs| pairs < width);
    (counts.into_pyarray(py), ragged.then(|| present.into_pyarray(py)))
}

fn columns<'py>(py: Python<'py>, rows: &[Evidence], mine: &EditColumns, theirs: &EditColumns) -> Columns<'py> {
    (
        column(py, rows, |row| row.sentence as i64),
        column(py, rows, |row| i64::from(row.pair)),
        column(py, rows, |row| i64::from(row.column)),
        column(py, rows, |row| u8::from(row.column != FP)),
        column(py, rows, |row| row.edit.start()),
        column(py, rows, |row| row.edit.end()),
        column(py, rows, |row| row.edit.text as i32),
        column(py, rows, |row| row.edit.kind as i32),
        mine.strings.iter().chain(theirs.strings.iter()).map(str::to_string).collect(),
    )
}

/// offsets [V + 1], start, end, text, type
type Keys<'py> = (Longs<'py>, Ints<'py>, Ints<'py>, Ints<'py>, Ints<'py>);

/// The keys by which versions are compared: the first edit of every key, including noops.
#[pyfunction]
pub fn keyed_edits<'py>(
    py: Python<'py>,
    edits: &Bound<'py, PyEdits>,
    mode: &str,
    size: &str,
    exclude: Vec<String>,
    literal: bool,
) -> PyResult<Keys<'py>> {
    let table = &edits.get().0;
    let matching = matching(mode, size, &exclude, literal)?;
    let (offsets, found) = detached(py, || compare::keyed(table, matching))?.map_err(too_long)?;
    Ok((
        longs(py, &offsets),
        column(py, &found, Keyed::start),
        column(py, &found, Keyed::end),
        column(py, &found, |edit| edit.text as i32),
        column(py, &found, |edit| edit.kind as i32),
    ))
}
