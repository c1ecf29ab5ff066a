//! Checks of texts, for Python.

use pyo3::prelude::*;

use crate::arrays::refuse_if;
use crate::edits::PyWordList;
use crate::text::PyText;
use geceval_core::checks::raw_output::Phrases;
use geceval_core::checks::{english, marks, overlap, raw_output};

/// (glued, alone, curly, straight)
#[pyfunction]
pub fn text_marks(py: Python<'_>, text: &PyText) -> (u64, u64, u64, u64) {
    let sums = py.detach(|| marks::marks(&text.0));
    (sums.glued, sums.alone, sums.curly, sums.straight)
}

#[pyfunction]
pub fn beyond_ascii(py: Python<'_>, text: &PyText) -> Vec<usize> {
    py.detach(|| marks::beyond_ascii(&text.0))
}

/// (letters, letters of other scripts, tokens of letters, lower-case tokens, unknown lower-case tokens)
#[pyfunction]
pub fn text_letters(py: Python<'_>, text: &PyText, words: &PyWordList) -> (u64, u64, u64, u64, u64) {
    let sums = py.detach(|| english::letters(&text.0, &words.0));
    (sums.letters, sums.other, sums.tokens, sums.lower, sums.unknown)
}

/// (emptied lines, compared lines, lines that differ, unknown words removed, unknown words added)
type Sums = (u64, u64, u64, u64, u64);

/// The sums of each text.
#[pyfunction]
pub fn compare_lines(
    py: Python<'_>,
    source: &PyText,
    others: Vec<(PyRef<'_, PyText>, u64)>,
    words: &PyWordList,
) -> PyResult<Vec<Sums>> {
    refuse_if(others.iter().any(|(other, _)| other.0.len() != source.0.len()), "the texts differ in length")?;
    let others: Vec<_> = others.iter().map(|(other, most)| (&other.0, *most)).collect();
    let sums = py.detach(|| overlap::compare(&source.0, &others, &words.0));
    Ok(sums.iter().map(|sums| (sums.emptied, sums.told, sums.unlike, sums.removed, sums.added)).collect())
}

#[pyfunction]
pub fn raw_lines(py: Python<'_>, text: &PyText) -> Vec<usize> {
    py.detach(|| raw_output::raw_lines(&text.0))
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

    /// The number of equal lines, and the lines with bits.
    fn odd_lines(&self, py: Python<'_>, source: &PyText, text: &PyText) -> PyResult<(usize, Vec<(usize, u16)>)> {
        refuse_if(source.0.len() != text.0.len(), "the texts differ in length")?;
        Ok(py.detach(|| raw_output::odd_lines(&source.0, &text.0, &self.0)))
    }

    fn after_statement<'a>(&self, source: &str, line: &'a str) -> Option<&'a str> {
        self.0.after_statement(source, line).map(|left| &line[line.len() - left..])
    }
}
