//! Checks of texts.

use geceval_core::checks::overlap::LineOverlap;
use geceval_core::checks::raw_output::{MarkBits, Phrases};
use geceval_core::checks::similarity::CharacterPairs;
use geceval_core::checks::{characters, overlap, raw_output};
use pyo3::types::PyString;

use crate::extraction::PyWordList;
use crate::prelude::*;

#[pyfunction]
pub fn text_marks(py: Python<'_>, text: &PyText) -> PyResult<Dict> {
    let sums = py.detach(|| characters::count_marks(&text.0));
    Ok(dict!(py, "glued": sums.glued, "alone": sums.separate, "curly": sums.curly, "straight": sums.straight))
}

#[pyfunction]
pub fn text_letters(py: Python<'_>, text: &PyText, words: &PyWordList) -> PyResult<Dict> {
    let sums = py.detach(|| characters::count_letters(&text.0, &words.0));
    Ok(dict!(
        py,
        "letters": sums.letters,
        "foreign": sums.foreign,
        "tokens": sums.tokens,
        "lower": sums.lower,
        "unknown": sums.unknown,
    ))
}

/// The sums of each text.
#[pyfunction]
pub fn compare_lines(
    py: Python<'_>,
    source: &PyText,
    others: Vec<(PyRef<'_, PyText>, u64)>,
    words: &PyWordList,
) -> PyResult<Vec<Dict>> {
    fail_if(others.iter().any(|(text, _)| text.0.len() != source.0.len()), "the texts differ in length")?;
    let texts: Vec<_> = others.iter().map(|(text, most)| (&text.0, *most)).collect();
    let overlaps = py.detach(|| overlap::compare(&source.0, &texts, &words.0));
    let sums = |sums: LineOverlap| {
        Ok(dict!(
            py,
            "emptied": sums.emptied,
            "comparable": sums.comparable,
            "unlike": sums.unlike,
            "removed": sums.removed,
            "added": sums.added,
        ))
    };
    overlaps.into_iter().map(sums).collect()
}

/// The first lines and the ends of runs of lines that are unlike their source.
#[pyfunction]
pub fn unlike_runs(py: Python<'_>, source: &PyText, text: &PyText, least: usize) -> PyResult<Vec<(usize, usize)>> {
    fail_if(source.0.len() != text.0.len(), "the texts differ in length")?;
    fail_if(least == 0, "a run has lines")?;
    let runs = py.detach(|| overlap::unlike_runs(&source.0, &text.0, least));
    Ok(runs.into_iter().map(|run| (run.start, run.end)).collect())
}

#[pyfunction]
pub fn raw_lines(py: Python<'_>, text: &PyText) -> Vec<usize> {
    py.detach(|| raw_output::raw_lines(&text.0))
}

/// The pairs of characters in a text.
#[pyclass(frozen, name = "CharacterPairs", module = "geceval._kernel")]
pub struct PyCharacterPairs(CharacterPairs);

#[pymethods]
impl PyCharacterPairs {
    #[new]
    fn new(text: &Bound<'_, PyString>) -> Self {
        Self(CharacterPairs::of(&text.to_string_lossy()))
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn without(&self, other: &Self) -> Self {
        Self(self.0.without(&other.0))
    }

    fn shared(&self, other: &Self) -> usize {
        self.0.shared(&other.0)
    }

    fn similarity(&self, other: &Self) -> f64 {
        self.0.similarity(&other.0)
    }
}

/// Phrases of raw output.
#[pyclass(frozen, name = "Phrases", module = "geceval._kernel")]
pub struct PyPhrases(Phrases);

#[pymethods]
impl PyPhrases {
    #[new]
    fn new(rows: Vec<(String, String)>) -> Self {
        Self(Phrases::new(rows))
    }

    /// The number of equal lines, and the lines with marks.
    fn odd_lines(&self, py: Python<'_>, source: &PyText, text: &PyText) -> PyResult<(usize, Vec<(usize, MarkBits)>)> {
        fail_if(source.0.len() != text.0.len(), "the texts differ in length")?;
        Ok(py.detach(|| raw_output::odd_lines(&source.0, &text.0, &self.0)))
    }

    fn after_statement<'a>(&self, source: &str, line: &'a str) -> Option<&'a str> {
        self.0.after_statement(source, line).map(|length| &line[line.len() - length..])
    }
}
