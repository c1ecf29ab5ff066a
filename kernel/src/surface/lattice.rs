//! MaxMatch for Python.

use std::time::Duration;

use numpy::{IntoPyArray, PyArray3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::lattice::count::{self, most_annotators, Task, COLUMNS};
use crate::lattice::views::{Method, Options};
use crate::surface::arrays::{named, shaped, Column, Ints, Longs};
use crate::surface::columns::PyEdits;
use crate::surface::interrupt::detached;
use crate::surface::text::PyText;
use crate::text::Text;

/// Sources and the gold edits of their annotators that can be compared with hypotheses.
#[pyclass(frozen, module = "geceval._kernel")]
pub struct GoldTable {
    source: Text,
    gold: Py<PyEdits>,
    annotators: usize,
}

type Counts<'py> = Bound<'py, PyArray3<i32>>;
/// Sentence, reference, column, side, start, end, text, type, strings.
type Evidence<'py> = (Longs<'py>, Longs<'py>, Longs<'py>, Column<'py, u8>, [Ints<'py>; 4], Vec<String>);

#[pymethods]
impl GoldTable {
    #[new]
    fn new(source: &PyText, gold: Py<PyEdits>) -> PyResult<Self> {
        let source = source.0.clone();
        let edits = &gold.get().0;
        if source.len() != edits.sentences() {
            let message = format!("{} sources, gold edits of {} sentences", source.len(), edits.sentences());
            return Err(PyValueError::new_err(message));
        }
        let annotators = most_annotators(edits);
        Ok(Self { source, gold, annotators })
    }

    /// The counts, and with `evidence` their edits in columns.
    #[pyo3(signature = (hypothesis, max_unchanged, ignore_whitespace_casing, timeout = None, method = "auto",
        threads = 0, *, evidence = false))]
    fn count<'py>(
        &self,
        py: Python<'py>,
        hypothesis: &PyText,
        max_unchanged: u32,
        ignore_whitespace_casing: bool,
        timeout: Option<f64>,
        method: &str,
        threads: usize,
        evidence: bool,
    ) -> PyResult<(Counts<'py>, Option<Evidence<'py>>)> {
        let methods = [("auto", Method::Auto), ("exact", Method::Exact), ("search", Method::Search)];
        let timeout = timeout.map(Duration::try_from_secs_f64).transpose();
        let timeout = timeout.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let method = named("method", method, &methods)?;
        let options = Options { max_unchanged, ignore_whitespace_casing, timeout, method };
        if hypothesis.0.len() != self.source.len() {
            let (got, needed) = (hypothesis.0.len(), self.source.len());
            return Err(PyValueError::new_err(format!("{got} hypotheses for {needed} sentences")));
        }
        let task = Task { source: &self.source, gold: &self.gold.get().0, options };
        let (counts, found) = detached(py, || task.count(&hypothesis.0, self.annotators, threads, evidence))?;
        let counts = shaped(py, (self.source.len(), self.annotators, COLUMNS.len()), counts)?;
        Ok((counts, evidence.then(|| columns(py, found))))
    }

    fn __len__(&self) -> usize {
        self.source.len()
    }
}

fn columns(py: Python<'_>, found: count::Evidence) -> Evidence<'_> {
    let strings = found.strings.iter().map(str::to_string).collect();
    let ints = [found.start, found.end, found.text, found.kind].map(|column| column.into_pyarray(py));
    let [sentence, reference, column] =
        [found.sentence, found.reference, found.column].map(|column| column.into_pyarray(py));
    (sentence, reference, column, found.side.into_pyarray(py), ints, strings)
}
