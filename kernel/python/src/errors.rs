//! Exceptions, and interruptible work without the GIL.

use std::cell::RefCell;

use geceval_core::error::{ByteFault, Error, Misfit};
use geceval_core::interrupt::run_interruptible;
use pyo3::create_exception;
use pyo3::exceptions::{PyKeyboardInterrupt, PyMemoryError, PyValueError};
use pyo3::prelude::*;

use crate::arrays::{dict, Dict};

create_exception!(geceval._kernel, KernelError, PyValueError);

thread_local! {
    /// The exception that a signal handler raised.
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Runs `work` with the GIL released, until an exception of one of Python's signal handlers.
pub fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T, Error> + Send) -> PyResult<T> {
    py.detach(|| run_interruptible(has_pending_signal, work)).map_err(|error| to_exception(py, &error))
}

fn has_pending_signal() -> bool {
    let result = Python::try_attach(|py| py.check_signals()).unwrap_or(Ok(()));
    result.map_err(|exception| RAISED.set(Some(exception))).is_err()
}

/// The exception for an error.
fn to_exception(py: Python<'_>, error: &Error) -> PyErr {
    match error {
        Error::Interrupted => RAISED.take().unwrap_or_else(|| PyKeyboardInterrupt::new_err(())),
        Error::Memory(results) => PyMemoryError::new_err(format!("{results} do not fit into memory")),
        _ => kernel_error(py, error).unwrap_or_else(|exception| exception),
    }
}

/// A `KernelError` with the kind and the data of an error.
fn kernel_error(py: Python<'_>, error: &Error) -> PyResult<PyErr> {
    let (kind, data) = kind_and_data(py, error)?;
    let exception = KernelError::new_err(error.to_string());
    let value = exception.value(py);
    for name in ["sentence", "version", "line"] {
        value.setattr(name, data.bind(py).get_item(name)?)?;
    }
    value.setattr("kind", kind)?;
    value.setattr("data", data)?;
    Ok(exception)
}

fn kind_and_data(py: Python<'_>, error: &Error) -> PyResult<(&'static str, Dict)> {
    Ok(match error {
        Error::Edit { sentence, version, edit, misfit } => {
            let kind = match misfit {
                Misfit::Outside => "edit-outside",
                Misfit::Overlap => "edit-overlap",
            };
            (kind, dict!(py, "sentence": sentence, "version": version, "edit": edit))
        }
        Error::EditTokens { sentence, limit } => ("edit-tokens", dict!(py, "sentence": sentence, "limit": limit)),
        Error::Pair { sentence, tokens: [source, target], limit, beginning } => {
            let data = dict!(
                py,
                "sentence": sentence,
                "source": source,
                "target": target,
                "limit": limit,
                "beginning": beginning,
            );
            ("pair", data)
        }
        Error::NgramCounts { sentences, n } => ("ngram-counts", dict!(py, "sentences": sentences, "n": n)),
        Error::Ngrams { sentence, tokens, n, limit } => {
            ("ngrams", dict!(py, "sentence": sentence, "tokens": tokens, "n": n, "limit": limit))
        }
        Error::NgramMemory { sentence, tokens, references, n } => {
            ("ngram-memory", dict!(py, "sentence": sentence, "tokens": tokens, "references": references, "n": n))
        }
        Error::NoReference { sentence } => ("no-reference", dict!(py, "sentence": sentence)),
        Error::Bytes { line, offset, byte, fault } => {
            let kind = match fault {
                ByteFault::Nul => "nul",
                ByteFault::Start => "utf-8-start",
                ByteFault::Continuation => "utf-8-continuation",
                ByteFault::End => "utf-8-end",
            };
            (kind, dict!(py, "line": line, "offset": offset, "byte": byte))
        }
        Error::LongLine { line } => ("long-line", dict!(py, "line": line)),
        Error::LineMemory { line } => ("line-memory", dict!(py, "line": line)),
        Error::Arguments(_) | Error::Model(_) | Error::Memory(_) | Error::Interrupted => {
            ("arguments", dict!(py, "message": error.to_string()))
        }
    })
}

/// Err: ValueError with the message if `is_invalid`.
pub fn fail_if(is_invalid: bool, message: impl ToString) -> PyResult<()> {
    (!is_invalid).then_some(()).ok_or_else(|| PyValueError::new_err(message.to_string()))
}

/// Err: ValueError if a number of texts or edits is not the number of sentences.
pub fn check_number(number: usize, noun: &str, sentences: usize) -> PyResult<()> {
    fail_if(number != sentences, format_args!("{number} {noun} for {sentences} sentences"))
}
