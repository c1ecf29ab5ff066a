//! The Python surface of extracting and typing edits.

use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray2, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::edits::annotated::{Batch, Columns, Lexicon, Span};
use crate::edits::{self, Settings};

/// The columns of `geceval.edits.annotation.Annotated`, as its fields are named.
#[derive(FromPyObject)]
pub struct PyAnnotated<'py> {
    offsets: PyReadonlyArray1<'py, i64>,
    form: PyReadonlyArray1<'py, i32>,
    lemma: PyReadonlyArray1<'py, i32>,
    pos: PyReadonlyArray1<'py, i32>,
    tag: PyReadonlyArray1<'py, i32>,
    dep: PyReadonlyArray1<'py, i32>,
    head: PyReadonlyArray1<'py, i32>,
}

impl PyAnnotated<'_> {
    fn columns(&self) -> PyResult<Columns<'_>> {
        Ok(Columns {
            offsets: self.offsets.as_slice()?,
            form: self.form.as_slice()?,
            lemma: self.lemma.as_slice()?,
            pos: self.pos.as_slice()?,
            tag: self.tag.as_slice()?,
            dep: self.dep.as_slice()?,
            head: self.head.as_slice()?,
        })
    }
}

/// Edits of each pair (-1: the pair is too long to align), spans, types.
type PyEdits<'py> = (Vec<i64>, Bound<'py, PyArray2<i32>>, Vec<String>);

/// The fields of `geceval.edits.extract.Lexicon`.
#[derive(FromPyObject)]
pub struct PyLexicon<'py> {
    strings: Vec<String>,
    lower: PyReadonlyArray1<'py, i32>,
    flags: PyReadonlyArray1<'py, u8>,
    bases: Vec<[i32; 3]>,
}

impl PyLexicon<'_> {
    fn lexicon(self) -> PyResult<Lexicon> {
        let (lower, flags) = (self.lower.as_slice()?, self.flags.as_slice()?);
        Ok(Lexicon::new(self.strings, lower, flags, self.bases))
    }
}

/// Spans [E, 4] as int32: source start and end, target start and end.
fn spans_array<'py>(py: Python<'py>, spans: impl Iterator<Item = Span>) -> PyResult<Bound<'py, PyArray2<i32>>> {
    let flat: Vec<i32> = spans
        .flat_map(|Span { source, target }| [source.start, source.end, target.start, target.end].map(|end| end as i32))
        .collect();
    let array =
        Array2::from_shape_vec((flat.len() / 4, 4), flat).map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(array.into_pyarray(py))
}

#[pyfunction]
#[pyo3(signature = (annotated, lexicon, pairs, merging, plain, rules, threads = 0))]
#[allow(clippy::too_many_arguments)]
pub fn extract_edits<'py>(
    py: Python<'py>,
    annotated: PyAnnotated<'py>,
    lexicon: PyLexicon<'py>,
    pairs: Vec<(usize, usize)>,
    merging: &str,
    plain: bool,
    rules: &str,
    threads: usize,
) -> PyResult<PyEdits<'py>> {
    let settings = Settings {
        merging: merging.parse().map_err(PyValueError::new_err)?,
        plain,
        rules: rules.parse().map_err(PyValueError::new_err)?,
    };
    let columns = annotated.columns()?;
    let lexicon = lexicon.lexicon()?;
    let batch = Batch { lexicon, columns };
    let edits = py.detach(|| edits::extract(&batch, &pairs, settings, threads));
    let counts = edits.iter().map(|edits| edits.as_ref().map_or(-1, |edits| edits.len() as i64)).collect();
    let (spans, types): (Vec<_>, Vec<_>) = edits.into_iter().flatten().flatten().unzip();
    Ok((counts, spans_array(py, spans.into_iter())?, types))
}

#[pyfunction]
pub fn classify_edits<'py>(
    py: Python<'py>,
    annotated: PyAnnotated<'py>,
    lexicon: PyLexicon<'py>,
    edits: Vec<[usize; 6]>,
    rules: &str,
) -> PyResult<Vec<String>> {
    let columns = annotated.columns()?;
    let lexicon = lexicon.lexicon()?;
    let batch = Batch { lexicon, columns };
    let edits: Vec<_> = edits
        .into_iter()
        .map(|[s, t, start, end, c_start, c_end]| {
            let (source, target) = (start..end, c_start..c_end);
            (s, t, Span { source, target })
        })
        .collect();
    let rules = rules.parse().map_err(PyValueError::new_err)?;
    Ok(py.detach(|| edits::types(&batch, &edits, rules)))
}

#[pyfunction]
pub fn penn_category(tag: &str) -> Option<&'static str> {
    crate::edits::labels::penn_category(tag)
}

#[pyfunction]
pub fn lancaster_stem(word: &str) -> String {
    crate::edits::stemmer::stem(word)
}
