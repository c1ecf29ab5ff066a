//! MaxMatch for Python.

use std::time::Duration;

use numpy::PyArray3;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::{check_number, column, memory_error, shaped, Column, Ints, Longs};
use crate::columns::PyEdits;
use crate::interrupt::detached;
use crate::text::PyText;
use geceval_core::lattice::count::{most_annotators, Evidence, Task, COLUMNS, GOLD};
use geceval_core::lattice::views::{Options, ENTRY_LIMIT};
use geceval_core::text::Text;

/// Sources and the gold edits of their annotators that can be compared with hypotheses.
#[pyclass(frozen, module = "geceval._kernel")]
pub struct GoldTable {
    source: Text,
    gold: Py<PyEdits>,
    annotators: usize,
}

type Counts<'py> = Bound<'py, PyArray3<i32>>;
/// Sentence, reference, column, side, start, end, text, type, strings.
type Columns<'py> = (Longs<'py>, Longs<'py>, Longs<'py>, Column<'py, u8>, [Ints<'py>; 4], Vec<String>);

#[pymethods]
impl GoldTable {
    #[new]
    fn new(source: &PyText, gold: Py<PyEdits>) -> PyResult<Self> {
        let source = source.0.clone();
        let edits = &gold.get().0;
        check_number(edits.sentences(), "sentences with gold edits", source.len())?;
        let annotators = most_annotators(edits);
        Ok(Self { source, gold, annotators })
    }

    /// The counts, and with `evidence` their edits in columns.
    #[pyo3(signature = (hypothesis, max_unchanged, ignore_whitespace_casing, timeout = None, threads = 0, *,
        evidence = false))]
    #[expect(clippy::too_many_arguments, reason = "Python passes them by name")]
    fn count<'py>(
        &self,
        py: Python<'py>,
        hypothesis: &PyText,
        max_unchanged: u32,
        ignore_whitespace_casing: bool,
        timeout: Option<f64>,
        threads: usize,
        evidence: bool,
    ) -> PyResult<(Counts<'py>, Option<Columns<'py>>)> {
        let timeout = timeout.map(Duration::try_from_secs_f64).transpose();
        let timeout = timeout.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let options = Options { max_unchanged, ignore_whitespace_casing, timeout, entry_limit: ENTRY_LIMIT };
        check_number(hypothesis.0.len(), "hypotheses", self.source.len())?;
        let task = Task { source: &self.source, gold: &self.gold.get().0, options };
        let counted = detached(py, || task.count(&hypothesis.0, self.annotators, threads, evidence))?;
        let (counts, found) = counted.map_err(memory_error)?;
        let counts = shaped(py, (self.source.len(), self.annotators, COLUMNS.len()), counts)?;
        Ok((counts, evidence.then(|| columns(py, found))))
    }

    fn __len__(&self) -> usize {
        self.source.len()
    }
}

fn columns(py: Python<'_>, found: Evidence) -> Columns<'_> {
    let rows = &found.rows;
    (
        column(py, rows, |row| row.sentence as i64),
        column(py, rows, |row| row.annotator as i64),
        column(py, rows, |row| row.column.into()),
        column(py, rows, |row| u8::from(row.column == GOLD)),
        [
            column(py, rows, |row| row.edit.start),
            column(py, rows, |row| row.edit.end),
            column(py, rows, |row| row.edit.text as i32),
            column(py, rows, |row| row.edit.kind as i32),
        ],
        found.strings.iter().map(str::to_string).collect(),
    )
}
