//! Edit columns for Python.

use std::sync::Arc;

use numpy::IntoPyArray;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::arrays::{column, longs, refuse_if, Ints, Longs};
use geceval_core::edits::columns::EditColumns;

/// (start, end, type, text) of each edit of an annotator.
type Version = (i32, Vec<(i32, i32, String, String)>);

#[pyclass(frozen, name = "Edits", module = "geceval._kernel")]
pub struct PyEdits(pub Arc<EditColumns>);

#[pymethods]
impl PyEdits {
    #[new]
    #[pyo3(signature = (sentences, literal = false))]
    fn new(sentences: Vec<Vec<Version>>, literal: bool) -> Self {
        let mut columns = EditColumns { literal, ..EditColumns::default() };
        for versions in &sentences {
            for (annotator, edits) in versions {
                for (start, end, kind, text) in edits {
                    columns.push(*start, *end, kind, text);
                }
                columns.end_version(*annotator);
            }
            columns.end_sentence();
        }
        Self(Arc::new(columns))
    }

    /// All versions of the same sentences; the annotator of a version is its index in `parts`.
    #[staticmethod]
    fn beside(py: Python<'_>, parts: Vec<PyRef<'_, Self>>) -> PyResult<Self> {
        let parts: Vec<&EditColumns> = parts.iter().map(|part| &*part.0).collect();
        let unequal = parts.iter().any(|part| part.sentences() != parts[0].sentences());
        refuse_if(unequal, "edits of unequally many sentences cannot stand beside each other")?;
        let mixed = parts.iter().any(|part| part.literal != parts[0].literal);
        refuse_if(mixed, "edits of M2 and edits found in text cannot stand beside each other")?;
        Ok(Self(Arc::new(py.detach(|| EditColumns::beside(&parts)))))
    }

    /// Whether `||` in a correction is a token.
    #[getter]
    fn literal(&self) -> bool {
        self.0.literal
    }

    /// Size in bytes.
    #[getter]
    fn nbytes(&self) -> usize {
        self.0.bytes()
    }

    fn __len__(&self) -> usize {
        self.0.sentences()
    }

    /// The versions of a sentence: (annotator, edits) each.
    fn sentence(&self, at: usize) -> PyResult<Vec<Version>> {
        if at >= self.0.sentences() {
            return Err(PyIndexError::new_err("sentence index out of range"));
        }
        let text = |place| self.0.strings.get(place).to_string();
        let edits =
            |version| self.0.edits_of(version).iter().map(|row| (row.start, row.end, text(row.kind), text(row.text)));
        Ok(self.0.versions_of(at).map(|version| (self.0.annotator[version], edits(version).collect())).collect())
    }

    #[getter]
    fn versions<'py>(&self, py: Python<'py>) -> Longs<'py> {
        longs(py, &self.0.versions)
    }

    #[getter]
    fn annotator<'py>(&self, py: Python<'py>) -> Ints<'py> {
        self.0.annotator.clone().into_pyarray(py)
    }

    #[getter]
    fn offsets<'py>(&self, py: Python<'py>) -> Longs<'py> {
        longs(py, &self.0.offsets)
    }

    #[getter]
    fn start<'py>(&self, py: Python<'py>) -> Ints<'py> {
        column(py, &self.0.rows, |row| row.start)
    }

    #[getter]
    fn end<'py>(&self, py: Python<'py>) -> Ints<'py> {
        column(py, &self.0.rows, |row| row.end)
    }

    #[getter(r#type)]
    fn kind<'py>(&self, py: Python<'py>) -> Ints<'py> {
        column(py, &self.0.rows, |row| row.kind as i32)
    }

    #[getter]
    fn text<'py>(&self, py: Python<'py>) -> Ints<'py> {
        column(py, &self.0.rows, |row| row.text as i32)
    }

    #[getter]
    fn strings(&self) -> Vec<&str> {
        self.0.strings.iter().collect()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let own = slf.get();
        let sentences = (0..own.0.sentences()).map(|at| own.sentence(at)).collect::<PyResult<Vec<_>>>()?;
        Ok((slf.get_type().into_any(), (sentences, own.0.literal).into_pyobject(slf.py())?))
    }
}
