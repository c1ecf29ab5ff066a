//! Exceptions, and work without the GIL that an interrupt (Ctrl-C) ends.

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

/// Runs `work` with the GIL released; an exception of one of Python's signal handlers ends it.
pub fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T, Error> + Send) -> PyResult<T> {
    py.detach(|| run_interruptible(signalled, work)).map_err(|error| raised(py, &error))
}

fn signalled() -> bool {
    let checked = Python::try_attach(|py| py.check_signals()).unwrap_or(Ok(()));
    checked.map_err(|raised| RAISED.set(Some(raised))).is_err()
}

/// The exception for an error.
fn raised(py: Python<'_>, error: &Error) -> PyErr {
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

/// Refuses arguments that do not fit each other, with a message.
pub fn refuse_if(unfit: bool, message: impl ToString) -> PyResult<()> {
    (!unfit).then_some(()).ok_or_else(|| PyValueError::new_err(message.to_string()))
}

/// Refuses a number of texts or edits that is not the number of sentences.
pub fn check_number(number: usize, noun: &str, sentences: usize) -> PyResult<()> {
    refuse_if(number != sentences, format_args!("{number} {noun} for {sentences} sentences"))
}

/// Prints no panic of the first access to numpy's API, which runs Python code: a signal handler that raises there makes
/// the crate numpy panic. Python receives the panic as an exception, and the command ends by the signal.
pub fn silence_lookups() {
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let message = panic.payload().downcast_ref::<String>();
        if !message.is_some_and(|message| message.starts_with("Failed to access NumPy array API capsule")) {
            print(panic);
        }
    }));
}
