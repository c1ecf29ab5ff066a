//! Long work without the GIL that an interrupt (Ctrl-C) ends.

use std::cell::RefCell;

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use geceval_core::interrupt::until;

thread_local! {
    /// The exception that a signal handler raised.
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
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

/// Runs `work` with the GIL released; exceptions of Python's signal handlers end it.
pub fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let found = py.detach(|| until(signalled, work));
    found.ok_or_else(|| RAISED.take().unwrap_or_else(|| PyKeyboardInterrupt::new_err(())))
}

fn signalled() -> bool {
    let checked = Python::try_attach(|py| py.check_signals()).unwrap_or(Ok(()));
    checked.map_err(|raised| RAISED.set(Some(raised))).is_err()
}
