//! Splitting raw text into tokens, for Python.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::text::PyText;
use crate::text::tokenise::{self, Rules};

/// The lines of a text with a blank between tokens.
#[pyfunction]
#[pyo3(signature = (text, rules, threads = 0))]
pub fn tokenised(py: Python<'_>, text: &PyText, rules: &str, threads: usize) -> PyResult<PyText> {
    let rules = match rules {
        "english" => Rules::English,
        "treebank" => Rules::Treebank,
        "char" => Rules::Char,
        "grapheme" => Rules::Grapheme,
        _ => return Err(PyValueError::new_err(format!("unknown rules: {rules}"))),
    };
    Ok(PyText(py.detach(|| tokenise::tokenised(&text.0, rules, threads))))
}
