//! Preparation of text, for Python.

use pyo3::prelude::*;

use crate::arrays::named;
use crate::text::PyText;
use geceval_core::text::normal_forms::Form;
use geceval_core::text::tokenise::{self, Rules};

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

/// The lines of a text in a form.
#[pyfunction]
#[pyo3(signature = (text, form, threads = 0))]
pub fn normalised(py: Python<'_>, text: &PyText, form: &str, threads: usize) -> PyResult<PyText> {
    let known = [
        ("nfc", Form::Nfc),
        ("nfd", Form::Nfd),
        ("nfkc", Form::Nfkc),
        ("nfkd", Form::Nfkd),
        ("quotes", Form::Quotes),
        ("dashes", Form::Dashes),
        ("ellipses", Form::Ellipses),
        ("words", Form::Words),
        ("blanks", Form::Blanks),
    ];
    let form = named("form", form, &known)?;
    Ok(PyText(py.detach(|| text.0.rewritten(threads, |line, out| form.write(line, out)))))
}
