//! GoToScorer's chunks for Python.

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use crate::arrays::{column, longs, refuse_if, Column, Ints, Longs};
use crate::columns::PyEdits;
use crate::order::fault_error;
use crate::text::PyText;
use geceval_core::edits::compare::slots::{cut, verdicts, Cut};

type Verdicts<'py> = (Column<'py, bool>, Longs<'py>);

/// Sources split into chunks by one version of the gold, for comparison with hypotheses; see `_kernel.pyi`.
#[pyclass(frozen, name = "SlotTable", module = "geceval._kernel")]
pub struct PySlotTable {
    source: Py<PyText>,
    gold: Py<PyEdits>,
    exclude: Vec<String>,
    cut: Cut,
}

/// A version for each sentence of the table; a negative number means none.
fn checked(versions: &[i64], edits: &PyEdits, sentences: usize) -> PyResult<Vec<Option<usize>>> {
    let unequal = edits.0.sentences() != sentences || versions.len() != sentences;
    refuse_if(unequal, format_args!("{sentences} sentences require the same number of versions"))?;
    let versions: Vec<Option<usize>> = versions.iter().map(|&version| usize::try_from(version).ok()).collect();
    let is_of_another = |(s, version): (usize, &Option<usize>)| {
        version.is_some_and(|version| !edits.0.versions_of(s).contains(&version))
    };
    refuse_if(versions.iter().enumerate().any(is_of_another), "a version belongs to another sentence")?;
    Ok(versions)
}

/// The number of a place, -1 for none.
fn number(place: Option<u32>) -> i64 {
    place.map_or(-1, i64::from)
}

#[pymethods]
impl PySlotTable {
    #[new]
    #[pyo3(signature = (source, gold, versions, exclude, threads = 0))]
    fn new(
        py: Python<'_>,
        source: Py<PyText>,
        gold: Py<PyEdits>,
        versions: PyReadonlyArray1<'_, i64>,
        exclude: Vec<String>,
        threads: usize,
    ) -> PyResult<Self> {
        let (text, edits) = (&source.get().0, gold.get());
        let versions = checked(versions.as_slice()?, edits, text.len())?;
        let cut = py.detach(|| cut(text, &edits.0, &versions, &exclude, threads)).map_err(fault_error)?;
        Ok(Self { source, gold, exclude, cut })
    }

    fn __len__(&self) -> usize {
        self.cut.offsets.len() - 1
    }

    #[getter]
    fn offsets<'py>(&self, py: Python<'py>) -> Longs<'py> {
        longs(py, &self.cut.offsets)
    }

    #[getter]
    fn start<'py>(&self, py: Python<'py>) -> Ints<'py> {
        column(py, &self.cut.chunks, |chunk| chunk.start)
    }

    #[getter]
    fn end<'py>(&self, py: Python<'py>) -> Ints<'py> {
        column(py, &self.cut.chunks, |chunk| chunk.end)
    }

    #[getter]
    fn edit<'py>(&self, py: Python<'py>) -> Longs<'py> {
        column(py, &self.cut.chunks, |chunk| number(chunk.edit))
    }

    #[pyo3(signature = (hypothesis, threads = 0))]
    fn verdicts<'py>(&self, py: Python<'py>, hypothesis: &PyEdits, threads: usize) -> PyResult<Verdicts<'py>> {
        let (source, gold, own) = (&self.source.get().0, &self.gold.get().0, &hypothesis.0);
        let several = own.sentences() != source.len() || (0..source.len()).any(|s| own.versions_of(s) != (s..s + 1));
        refuse_if(several, format_args!("each of {} sentences requires one hypothesis", source.len()))?;
        let found = py.detach(|| {
            let versions: Vec<_> = (0..source.len()).map(Some).collect();
            let system = cut(source, own, &versions, &self.exclude, threads)?;
            Ok(verdicts(source, (&self.cut, gold), (&system, own), threads))
        });
        let found = found.map_err(fault_error)?;
        let modified_by = column(py, &found, |verdict| number(verdict.modified_by));
        Ok((column(py, &found, |verdict| verdict.right), modified_by))
    }
}
