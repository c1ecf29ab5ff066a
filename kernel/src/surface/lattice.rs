//! MaxMatch for Python.

use std::time::Duration;

use numpy::ndarray::Array3;
use numpy::{Element, IntoPyArray, PyArray1, PyArray3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::lattice::count::{most_annotators, Task, COLUMNS};
use crate::lattice::views::{Method, Options};
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
type Longs<'py> = Bound<'py, PyArray1<i64>>;
type Ints<'py> = Bound<'py, PyArray1<i32>>;
/// Sentence, reference, column, side, start, end, text, type, strings.
type Evidence<'py> = (Longs<'py>, Longs<'py>, Longs<'py>, Bound<'py, PyArray1<u8>>, [Ints<'py>; 4], Vec<String>);

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

    #[pyo3(signature = (hypothesis, max_unchanged, ignore_whitespace_casing, timeout = None, method = "auto",
        threads = 0))]
    #[allow(clippy::too_many_arguments)]
    fn count<'py>(
        &self,
        py: Python<'py>,
        hypothesis: &PyText,
        max_unchanged: u32,
        ignore_whitespace_casing: bool,
        timeout: Option<f64>,
        method: &str,
        threads: usize,
    ) -> PyResult<Counts<'py>> {
        let task = self.task(hypothesis, options(max_unchanged, ignore_whitespace_casing, timeout, method)?)?;
        let counts = detached(py, || task.count(&hypothesis.0, self.annotators, threads))?;
        self.shaped(py, counts)
    }

    /// The counts, and their edits in columns.
    #[pyo3(signature = (hypothesis, max_unchanged, ignore_whitespace_casing, timeout = None, method = "auto",
        threads = 0))]
    #[allow(clippy::too_many_arguments)]
    fn evidence<'py>(
        &self,
        py: Python<'py>,
        hypothesis: &PyText,
        max_unchanged: u32,
        ignore_whitespace_casing: bool,
        timeout: Option<f64>,
        method: &str,
        threads: usize,
    ) -> PyResult<(Counts<'py>, Evidence<'py>)> {
        let task = self.task(hypothesis, options(max_unchanged, ignore_whitespace_casing, timeout, method)?)?;
        let (counts, found) = detached(py, || task.evidence(&hypothesis.0, self.annotators, threads))?;
        let strings = found.strings.iter().map(str::to_string).collect();
        let ints = [found.start, found.end, found.text, found.kind].map(|column| array(py, column));
        let [sentence, reference, column] =
            [found.sentence, found.reference, found.column].map(|column| array(py, column));
        Ok((self.shaped(py, counts)?, (sentence, reference, column, array(py, found.side), ints, strings)))
    }

    fn __len__(&self) -> usize {
        self.source.len()
    }
}

impl GoldTable {
    fn task(&self, hypothesis: &PyText, options: Options) -> PyResult<Task<'_>> {
        if hypothesis.0.len() != self.source.len() {
            let (got, needed) = (hypothesis.0.len(), self.source.len());
            return Err(PyValueError::new_err(format!("{got} hypotheses for {needed} sentences")));
        }
        Ok(Task { source: &self.source, gold: &self.gold.get().0, options })
    }

    fn shaped<'py>(&self, py: Python<'py>, counts: Vec<i32>) -> PyResult<Counts<'py>> {
        let shape = (self.source.len(), self.annotators, COLUMNS.len());
        let counts = Array3::from_shape_vec(shape, counts).map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(counts.into_pyarray(py))
    }
}

fn array<T: Element>(py: Python<'_>, column: Vec<T>) -> Bound<'_, PyArray1<T>> {
    column.into_pyarray(py)
}

fn options(
    max_unchanged: u32,
    ignore_whitespace_casing: bool,
    timeout: Option<f64>,
    method: &str,
) -> PyResult<Options> {
    let method = match method {
        "auto" => Method::Auto,
        "exact" => Method::Exact,
        "search" => Method::Search,
        _ => return Err(PyValueError::new_err(format!("unknown method {method:?}"))),
    };
    let timeout = timeout
        .map(Duration::try_from_secs_f64)
        .transpose()
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(Options { max_unchanged, ignore_whitespace_casing, timeout, method })
}
