//! The comparison of edit columns for Python.

use numpy::ndarray::{Array2, Array3};
use numpy::{Element, IntoPyArray, PyArray1, PyArray2, PyArray3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::edits::columns::EditColumns;
use crate::edits::compare::{self, Comparison, Evidence, Keyed, Matching, Mode, Size, TooLong, FP, MOST_TOKENS};
use crate::surface::columns::PyEdits;
use crate::surface::interrupt::detached;
use crate::surface::order::SentenceError;

type Column<'py, T> = Bound<'py, PyArray1<T>>;
/// sentence, reference, column, side, start, end, text, type, strings
type Columns<'py> = (
    Column<'py, i64>,
    Column<'py, i64>,
    Column<'py, i64>,
    Column<'py, u8>,
    Column<'py, i32>,
    Column<'py, i32>,
    Column<'py, i32>,
    Column<'py, i32>,
    Vec<String>,
);
type Present<'py> = Option<Bound<'py, PyArray2<bool>>>;

fn matching<'a>(mode: &str, size: &str, exclude: &'a [String], literal: bool) -> PyResult<Matching<'a>> {
    let mode = match mode {
        "cs" => Mode::Correction,
        "cse" => Mode::Typed,
        "ds" => Mode::Span,
        "dt" => Mode::Token,
        _ => return Err(PyValueError::new_err(format!("mode is cs, cse, ds or dt, not {mode}"))),
    };
    let size = match size {
        "all" => Size::All,
        "single" => Size::Single,
        "multi" => Size::Multi,
        _ => return Err(PyValueError::new_err(format!("size is all, single or multi, not {size}"))),
    };
    Ok(Matching { mode, size, exclude, literal })
}

fn too_long(TooLong { sentence }: TooLong) -> PyErr {
    SentenceError::new_err((format!("more than {MOST_TOKENS} tokens inside edits"), sentence))
}

/// The counts [S, pairs, 3], the present pairs [S, pairs], and the evidence.
#[pyfunction]
#[pyo3(signature = (hypothesis, references, mode, size, exclude, literal, threads = 0, *, evidence = false))]
#[allow(clippy::too_many_arguments)]
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
    if mine.sentences() != theirs.sentences() {
        let (mine, theirs) = (mine.sentences(), theirs.sentences());
        return Err(PyValueError::new_err(format!("{mine} sentences against {theirs}")));
    }
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
    fn column<'py, T: Element>(py: Python<'py>, rows: &[Evidence], of: impl Fn(&Evidence) -> T) -> Column<'py, T> {
        rows.iter().map(of).collect::<Vec<_>>().into_pyarray(py)
    }
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
type Keys<'py> = (Column<'py, i64>, Column<'py, i32>, Column<'py, i32>, Column<'py, i32>, Column<'py, i32>);

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
    let column = |of: fn(&Keyed) -> i32| found.iter().map(of).collect::<Vec<_>>().into_pyarray(py);
    let offsets = offsets.into_iter().map(|at| at as i64).collect::<Vec<_>>().into_pyarray(py);
    Ok((
        offsets,
        column(Keyed::start),
        column(Keyed::end),
        column(|edit| edit.text as i32),
        column(|edit| edit.kind as i32),
    ))
}
