//! Edits in columns: stored, ordered and compared.

use std::sync::Arc;

use geceval_core::edits::columns::{EditColumns, EvidenceRow, VersionRows};
use geceval_core::edits::compare::{self, Comparison, Matching};
use geceval_core::edits::order;
use geceval_core::text::strings::Strings;
use numpy::{PyArray3, PyReadonlyArray1};

use crate::choices::{ModeName, SizeName};
use crate::prelude::*;

#[pyclass(frozen, name = "Edits", module = "geceval._kernel")]
pub struct PyEdits(pub Arc<EditColumns>);

#[pymethods]
impl PyEdits {
    #[new]
    #[pyo3(signature = (sentences, literal = false))]
    fn new(sentences: Vec<Vec<VersionRows>>, literal: bool) -> Self {
        Self(Arc::new(EditColumns::new(&sentences, literal)))
    }

    /// The versions of all parts, which have the same sentences; the annotator of a version is the index of its part.
    #[staticmethod]
    fn merged_versions(py: Python<'_>, parts: Vec<PyRef<'_, Self>>) -> PyResult<Self> {
        let parts: Vec<&EditColumns> = parts.iter().map(|part| &*part.0).collect();
        Ok(Self(Arc::new(detached(py, || EditColumns::merged_versions(&parts))?)))
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

    /// The same versions with the edits that `keep` selects by index.
    fn kept(&self, py: Python<'_>, keep: PyReadonlyArray1<'_, bool>) -> PyResult<Self> {
        let keep = keep.as_slice()?;
        detached(py, || self.0.kept(keep)).map(|kept| Self(Arc::new(kept)))
    }

    /// The versions of a sentence: (annotator, edits) each.
    fn sentence(&self, at: usize) -> PyResult<Vec<VersionRows>> {
        if at >= self.0.sentences() {
            return Err(PyIndexError::new_err("sentence index out of range"));
        }
        let text = |number| self.0.strings.get(number).to_string();
        let edits =
            |version| self.0.edits_of(version).iter().map(|row| (row.start, row.end, text(row.kind), text(row.text)));
        Ok(self.0.versions_of(at).map(|version| (self.0.annotator[version], edits(version).collect())).collect())
    }

    #[getter]
    fn versions(&self, py: Python<'_>) -> Column<i64> {
        longs(py, &self.0.versions)
    }

    #[getter]
    fn annotator(&self, py: Python<'_>) -> Column<i32> {
        array(py, self.0.annotator.clone())
    }

    #[getter]
    fn offsets(&self, py: Python<'_>) -> Column<i64> {
        longs(py, &self.0.offsets)
    }

    #[getter]
    fn start(&self, py: Python<'_>) -> Column<i32> {
        column(py, &self.0.rows, |row| row.start)
    }

    #[getter]
    fn end(&self, py: Python<'_>) -> Column<i32> {
        column(py, &self.0.rows, |row| row.end)
    }

    #[getter(r#type)]
    fn kind(&self, py: Python<'_>) -> Column<i32> {
        column(py, &self.0.rows, |row| row.kind as i32)
    }

    #[getter]
    fn text(&self, py: Python<'_>) -> Column<i32> {
        column(py, &self.0.rows, |row| row.text as i32)
    }

    #[getter]
    fn strings(&self) -> Vec<&str> {
        self.0.strings.iter().collect()
    }

    fn __getnewargs__(&self) -> PyResult<(Vec<Vec<VersionRows>>, bool)> {
        let sentences = (0..self.0.sentences()).map(|number| self.sentence(number)).collect::<PyResult<_>>()?;
        Ok((sentences, self.0.literal))
    }
}

/// The edits of each version in order: version v has the edits `places[offsets[v]..offsets[v + 1]]`.
#[pyfunction]
pub fn in_order(
    py: Python<'_>,
    source: &PyText,
    edits: &PyEdits,
    threads: usize,
) -> PyResult<(Column<i64>, Column<i64>)> {
    let (source, edits) = (&source.0, &edits.0);
    check_number(edits.sentences(), "sentences with edits", source.len())?;
    let order = detached(py, || order::order_edits(&order::sentence_lengths(source, threads)?, edits, threads))?;
    Ok((longs(py, &order.offsets), column(py, &order.row_ids, |&id| id.into())))
}

/// The strings of tables.
pub fn owned<'a>(tables: impl IntoIterator<Item = &'a Strings>) -> Vec<String> {
    tables.into_iter().flat_map(Strings::iter).map(str::to_string).collect()
}

/// The edits behind counts in columns; text and type are indices of the strings.
pub fn edit_evidence(py: Python<'_>, rows: &[EvidenceRow], strings: Vec<String>) -> PyResult<Dict> {
    Ok(dict!(
        py,
        "sentence": column(py, rows, |row| row.sentence as i64),
        "reference": column(py, rows, |row| row.reference as i64),
        "column": column(py, rows, |row| i64::from(row.column)),
        "weight": column(py, rows, |_| 1.0),
        "side": column(py, rows, |row| u8::from(row.is_gold)),
        "start": column(py, rows, |row| row.edit.start),
        "end": column(py, rows, |row| row.edit.end),
        "text": column(py, rows, |row| row.edit.text as i32),
        "type": column(py, rows, |row| row.edit.kind as i32),
        "strings": strings,
    ))
}

/// Mode, size and excluded types.
type MatchingSettings = (ModeName, SizeName, Vec<String>);

fn matching((mode, size, exclude): &MatchingSettings) -> Matching<'_> {
    Matching { mode: mode.0, size: size.0, exclude }
}

/// Counts [S, pairs, 3], the present pairs [S, pairs] (None: all), and the evidence.
type Compared = (Py<PyArray3<i64>>, Option<Table<bool>>, Option<Dict>);

#[pyfunction]
pub fn compare_edits(
    py: Python<'_>,
    hypothesis: &PyEdits,
    references: &PyEdits,
    settings: MatchingSettings,
    threads: usize,
    evidence: bool,
) -> PyResult<Compared> {
    let (hypothesis, references) = (&hypothesis.0, &references.0);
    check_number(hypothesis.sentences(), "hypotheses", references.sentences())?;
    let matching = matching(&settings);
    let compare = || compare::compare_all(hypothesis, references, matching, evidence, threads);
    let Comparison { width, counts, present, evidence: rows } = detached(py, compare)?;
    let sentences = hypothesis.sentences();
    let present = present.map(|present| shaped(py, (sentences, width), present)).transpose()?;
    let strings = || owned([&hypothesis.strings, &references.strings]);
    let evidence = evidence.then(|| edit_evidence(py, &rows, strings())).transpose()?;
    Ok((shaped(py, (sentences, width, 3), counts)?, present, evidence))
}
