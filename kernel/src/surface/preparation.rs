//! Preparation of text, for Python.

use std::sync::{PoisonError, RwLock};

use pyo3::prelude::*;

use super::text::PyText;
use crate::surface::arrays::named;
use crate::text::normal_forms::Form;
use crate::text::tokenise::{self, Rules};
use crate::text::truecase::Truecaser;

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

/// The usual case of words within sentences.
#[pyclass(frozen, name = "Truecaser", module = "geceval._kernel")]
#[derive(Default)]
pub struct PyTruecaser(RwLock<Truecaser>);

#[pymethods]
impl PyTruecaser {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    fn learn(&self, py: Python<'_>, text: &PyText) {
        py.detach(|| self.0.write().unwrap_or_else(PoisonError::into_inner).learn(&text.0));
    }

    #[pyo3(signature = (text, threads = 0))]
    fn apply(&self, py: Python<'_>, text: &PyText, threads: usize) -> PyText {
        PyText(py.detach(|| {
            let own = self.0.read().unwrap_or_else(PoisonError::into_inner);
            text.0.rewritten(threads, |line, out| own.write(line, out))
        }))
    }
}
