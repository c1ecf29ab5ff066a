//! Splitting raw text into tokens, for Python.

use pyo3::prelude::*;

use super::text::PyText;
use crate::surface::arrays::named;
use crate::text::tokenise::{self, Rules};

/// The lines of a text with a blank between tokens.
#[pyfunction]
#[pyo3(signature = (text, rules, threads = 0))]
pub fn tokenised(py: Python<'_>, text: &PyText, rules: &str, threads: usize) -> PyResult<PyText> {
    let known = [
        ("english", Rules::English),
        ("treebank", Rules::Treebank),
        ("char", Rules::Char),
        ("grapheme", Rules::Grapheme),
    ];
    let rules = named("rules", rules, &known)?;
    Ok(PyText(py.detach(|| tokenise::tokenised(&text.0, rules, threads))))
}
