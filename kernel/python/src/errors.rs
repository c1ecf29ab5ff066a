//! Exceptions, and interruptible work without the GIL.

use std::cell::RefCell;

use geceval_core::error::Error;
use geceval_core::interrupt::run_interruptible;
use pyo3::create_exception;
use pyo3::exceptions::{PyKeyboardInterrupt, PyMemoryError, PyValueError};
use pyo3::prelude::*;

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
        Error::Memory(_) => PyMemoryError::new_err(error.to_string()),
        _ => {
            let exception = KernelError::new_err(error.to_string());
            set_attributes(exception.value(py), error).err().unwrap_or(exception)
        }
    }
}

fn set_attributes(exception: &Bound<'_, PyAny>, error: &Error) -> PyResult<()> {
    exception.setattr("sentence", error.sentence())?;
    exception.setattr("version", error.version())?;
    exception.setattr("line", error.line())?;
    exception.setattr("hint", error.hint())
}

/// Err: ValueError with the message if `is_invalid`.
pub fn fail_if(is_invalid: bool, message: impl ToString) -> PyResult<()> {
    (!is_invalid).then_some(()).ok_or_else(|| PyValueError::new_err(message.to_string()))
}

/// Err: ValueError if a number of texts or edits is not the number of sentences.
pub fn check_number(number: usize, noun: &str, sentences: usize) -> PyResult<()> {
    fail_if(number != sentences, format_args!("{number} {noun} for {sentences} sentences"))
}

/// Hides the message of a panic that an interrupt causes. The first access to numpy's API runs Python code, and if a
/// signal handler raises there, the crate numpy panics. Python receives the panic as an exception all the same.
pub fn hide_numpy_import_panics() {
    let print_panic = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let message = panic.payload().downcast_ref::<String>();
        if !message.is_some_and(|message| message.starts_with("Failed to access NumPy array API capsule")) {
            print_panic(panic);
        }
    }));
}
