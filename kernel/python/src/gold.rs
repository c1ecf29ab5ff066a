//! Comparison of hypotheses with gold edits by MaxMatch, by GoToScorer's chunks and by CLEME's chunks.

use std::time::Duration;

use geceval_core::chunks::{self, ChunkCells, ChunkTexts, Partition, ReferenceInput, References};
use geceval_core::edits::columns::EditColumns;
use geceval_core::edits::compare::slots::{self, SlotChunks};
use geceval_core::lattice::count::{LatticeOptions, LatticeTask, COLUMNS, ENTRY_LIMIT};

use numpy::{Element, PyArray3, PyReadonlyArray1};

use crate::edits::edit_evidence;
use crate::prelude::*;

/// The edits of hypotheses that match the gold edits of each annotator (MaxMatch): their counts, and with `evidence`
/// the edits in columns.
#[pyfunction]
pub fn match_gold(
    py: Python<'_>,
    source: &PyText,
    gold: &PyEdits,
    hypothesis: &PyText,
    settings: (u32, bool, Option<f64>),
    threads: usize,
    evidence: bool,
) -> PyResult<(Py<PyArray3<i32>>, Option<Dict>)> {
    let (max_unchanged, ignore_whitespace_casing, timeout) = settings;
    let timeout = timeout.map(Duration::try_from_secs_f64).transpose();
    let timeout = timeout.map_err(|error| PyValueError::new_err(error.to_string()))?;
    let options = LatticeOptions { max_unchanged, ignore_whitespace_casing, timeout, entry_limit: ENTRY_LIMIT };
    let (source, gold) = (&source.0, &*gold.0);
    check_number(gold.sentences(), "sentences with gold edits", source.len())?;
    check_number(hypothesis.0.len(), "hypotheses", source.len())?;
    let task = LatticeTask { source, gold, options };
    let (annotators, counts, matches) = detached(py, || task.count(&hypothesis.0, threads, evidence))?;
    let counts = shaped(py, (source.len(), annotators, COLUMNS.len()), counts)?;
    let evidence = evidence.then(|| edit_evidence(py, &matches.rows, owned([&matches.strings])));
    Ok((counts, evidence.transpose()?))
}

/// Err: ValueError unless each sentence has one hypothesis.
fn check_hypotheses(hypotheses: &EditColumns, sentences: usize) -> PyResult<()> {
    let is_invalid =
        hypotheses.sentences() != sentences || (0..sentences).any(|s| hypotheses.versions_of(s) != (s..s + 1));
    fail_if(is_invalid, format_args!("each of {sentences} sentences requires one hypothesis"))
}

/// Sources split into chunks by one version of the gold, for comparison with hypotheses; see `_kernel.pyi`.
#[pyclass(frozen, name = "SlotTable", module = "geceval._kernel")]
pub struct PySlotTable {
    source: Py<PyText>,
    gold: Py<PyEdits>,
    exclude: Vec<String>,
    chunks: SlotChunks,
}

/// The index of an edit, -1 for none.
fn index(edit: Option<u32>) -> i64 {
    edit.map_or(-1, i64::from)
}

#[pymethods]
impl PySlotTable {
    #[new]
    fn new(
        py: Python<'_>,
        source: Py<PyText>,
        gold: Py<PyEdits>,
        versions: PyReadonlyArray1<'_, i64>,
        exclude: Vec<String>,
        threads: usize,
    ) -> PyResult<Self> {
        let (text, edits, versions) = (&source.get().0, &gold.get().0, versions.as_slice()?);
        let chunks = detached(py, || slots::split_sentences(text, edits, versions, &exclude, threads))?;
        Ok(Self { source, gold, exclude, chunks })
    }

    fn __len__(&self) -> usize {
        self.chunks.offsets.len() - 1
    }

    #[getter]
    fn offsets(&self, py: Python<'_>) -> Column<i64> {
        longs(py, &self.chunks.offsets)
    }

    #[getter]
    fn start(&self, py: Python<'_>) -> Column<i32> {
        column(py, &self.chunks.chunks, |chunk| chunk.start)
    }

    #[getter]
    fn end(&self, py: Python<'_>) -> Column<i32> {
        column(py, &self.chunks.chunks, |chunk| chunk.end)
    }

    #[getter]
    fn edit(&self, py: Python<'_>) -> Column<i64> {
        column(py, &self.chunks.chunks, |chunk| index(chunk.edit))
    }

    fn verdicts(&self, py: Python<'_>, hypothesis: &PyEdits, threads: usize) -> PyResult<(Column<bool>, Column<i64>)> {
        let (source, gold, edits) = (&self.source.get().0, &self.gold.get().0, &hypothesis.0);
        check_hypotheses(edits, source.len())?;
        let verdicts = detached(py, || {
            let versions: Vec<i64> = (0..source.len() as i64).collect();
            let system = slots::split_sentences(source, edits, &versions, &self.exclude, threads)?;
            slots::verdicts(source, (&self.chunks, gold), (&system, edits), threads)
        })?;
        let modified_by = column(py, &verdicts, |verdict| index(verdict.modified_by));
        Ok((column(py, &verdicts, |verdict| verdict.right), modified_by))
    }
}

/// Sources and ordered references that can be split into chunks with any hypothesis.
#[pyclass(frozen, name = "ChunkTable", module = "geceval._kernel")]
pub struct PyChunkTable {
    source: Py<PyText>,
    edits: Py<PyEdits>,
    references: References,
    merge_distance: i32,
}

fn table<T: Element>(py: Python<'_>, width: usize, cells: Vec<T>) -> PyResult<Table<T>> {
    shaped(py, (cells.len().checked_div(width).unwrap_or(0), width), cells)
}

impl PyChunkTable {
    fn split<C: ChunkCells>(&self, py: Python<'_>, hypothesis: &PyEdits, threads: usize) -> PyResult<C> {
        let (source, edits) = (&self.source.get().0, &self.edits.get().0);
        check_hypotheses(&hypothesis.0, source.len())?;
        let gold = ReferenceInput { source, edits, references: &self.references };
        detached(py, || chunks::partition(gold, &hypothesis.0, self.merge_distance, threads))
    }
}

#[pymethods]
impl PyChunkTable {
    #[new]
    fn new(
        py: Python<'_>,
        source: Py<PyText>,
        references: Py<PyEdits>,
        merge_distance: i32,
        drop_unchanged: bool,
        threads: usize,
    ) -> PyResult<Self> {
        let (text, edits) = (&source.get().0, &references.get().0);
        check_number(edits.sentences(), "references", text.len())?;
        let ordered = detached(py, || References::new(text, edits, drop_unchanged, threads))?;
        Ok(Self { source, edits: references, references: ordered, merge_distance })
    }

    #[getter]
    fn present(&self, py: Python<'_>) -> PyResult<Table<bool>> {
        let edits = &self.edits.get().0;
        let sentences = self.references.lengths.len();
        let rows = (0..sentences).flat_map(|s| self.references.row(edits, s));
        shaped(py, (sentences, self.references.width), rows.map(|version| version.is_some()).collect())
    }

    fn partition(&self, py: Python<'_>, hypothesis: &PyEdits, threads: usize) -> PyResult<Dict> {
        let chunks: Partition = self.split(py, hypothesis, threads)?;
        let width = self.references.width;
        Ok(dict!(
            py,
            "offsets": array(py, chunks.offsets),
            "start": array(py, chunks.start),
            "end": array(py, chunks.end),
            "changed": table(py, 1 + width, chunks.changed)?,
            "length": table(py, 1 + width, chunks.length)?,
            "same": table(py, width, chunks.same)?,
        ))
    }

    fn texts(&self, py: Python<'_>, hypothesis: &PyEdits, threads: usize) -> PyResult<Dict> {
        let texts: ChunkTexts = self.split(py, hypothesis, threads)?;
        let width = 1 + self.references.width;
        Ok(dict!(
            py,
            "source": array(py, texts.source),
            "text": table(py, width, texts.text)?,
            "type": table(py, width, texts.kind)?,
            "strings": owned([&texts.strings]),
        ))
    }
}
