//! CLEME's chunks for Python.

use numpy::{Element, IntoPyArray, PyArray2};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;

use crate::arrays::{check_number, shaped, Ints, Longs};
use crate::columns::PyEdits;
use crate::interrupt::detached;
use crate::order::fault_error;
use crate::text::PyText;
use geceval_core::chunks::{cut, Cells, Gold, Partition, References, Refused, Texts};

type Table<'py, T> = Bound<'py, PyArray2<T>>;
type ChunkColumns<'py> = (Longs<'py>, Ints<'py>, Ints<'py>, Table<'py, bool>, Table<'py, i32>, Table<'py, bool>);
type TextColumns<'py> = (Ints<'py>, Table<'py, i32>, Table<'py, i32>, Vec<String>);

/// Sources and ordered references that can be split into chunks with any hypothesis.
#[pyclass(frozen, name = "ChunkTable", module = "geceval._kernel")]
pub struct PyChunkTable {
    source: Py<PyText>,
    edits: Py<PyEdits>,
    references: References,
    distance: i32,
}

fn table<T: Element>(py: Python<'_>, width: usize, cells: Vec<T>) -> PyResult<Table<'_, T>> {
    shaped(py, (cells.len().checked_div(width).unwrap_or(0), width), cells)
}

fn refused(refused: Refused, sentences: usize) -> PyErr {
    match refused {
        Refused::Fault(fault) => fault_error(fault),
        Refused::Versions { sentence, versions } => {
            PyValueError::new_err(format!("sentence {sentence} has {versions} hypotheses, not one"))
        }
        Refused::Sentences(found) => PyValueError::new_err(format!("{found} hypotheses for {sentences} sentences")),
        Refused::Memory(error) => PyMemoryError::new_err(format!("the chunks do not fit into memory: {error}")),
    }
}

impl PyChunkTable {
    fn cut<C: Cells>(&self, py: Python<'_>, hypothesis: &PyEdits, threads: usize) -> PyResult<C> {
        let (source, edits) = (&self.source.get().0, &self.edits.get().0);
        let gold = Gold { source, edits, references: &self.references };
        detached(py, || cut(gold, &hypothesis.0, self.distance, threads))?.map_err(|error| refused(error, source.len()))
    }
}

#[pymethods]
impl PyChunkTable {
    #[new]
    #[pyo3(signature = (source, references, merge_distance = 0, drop_unchanged = false, threads = 0))]
    fn new(
        py: Python<'_>,
        source: Py<PyText>,
        references: Py<PyEdits>,
        merge_distance: u64,
        drop_unchanged: bool,
        threads: usize,
    ) -> PyResult<Self> {
        let (text, edits) = (&source.get().0, &references.get().0);
        check_number(edits.sentences(), "references", text.len())?;
        let ready = detached(py, || References::new(text, edits, drop_unchanged, threads))?.map_err(fault_error)?;
        let distance = merge_distance.min(i32::MAX as u64) as i32;
        Ok(Self { source, edits: references, references: ready, distance })
    }

    fn __len__(&self) -> usize {
        self.references.lengths.len()
    }

    #[getter]
    fn present<'py>(&self, py: Python<'py>) -> PyResult<Table<'py, bool>> {
        let edits = &self.edits.get().0;
        let sentences = self.references.lengths.len();
        let rows = (0..sentences).flat_map(|s| self.references.row(edits, s));
        shaped(py, (sentences, self.references.width), rows.map(|version| version.is_some()).collect())
    }

    #[pyo3(signature = (hypothesis, threads = 0))]
    fn partition<'py>(&self, py: Python<'py>, hypothesis: &PyEdits, threads: usize) -> PyResult<ChunkColumns<'py>> {
        let chunks: Partition = self.cut(py, hypothesis, threads)?;
        let width = self.references.width;
        Ok((
            chunks.offsets.into_pyarray(py),
            chunks.start.into_pyarray(py),
            chunks.end.into_pyarray(py),
            table(py, 1 + width, chunks.changed)?,
            table(py, 1 + width, chunks.length)?,
            table(py, width, chunks.same)?,
        ))
    }

    #[pyo3(signature = (hypothesis, threads = 0))]
    fn texts<'py>(&self, py: Python<'py>, hypothesis: &PyEdits, threads: usize) -> PyResult<TextColumns<'py>> {
        let texts: Texts = self.cut(py, hypothesis, threads)?;
        let width = 1 + self.references.width;
        Ok((
            texts.source.into_pyarray(py),
            table(py, width, texts.text)?,
            table(py, width, texts.kind)?,
            texts.strings.iter().map(str::to_owned).collect(),
        ))
    }
}
