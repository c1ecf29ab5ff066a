//! Long work without the GIL that an interrupt (Ctrl-C) ends.

use std::cell::RefCell;

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use crate::interrupt::until;

thread_local! {
    /// The exception that a signal handler raised.
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
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
