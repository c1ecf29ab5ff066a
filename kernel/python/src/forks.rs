//! Children that are forked while other threads run start no threads: glibc and Rust's standard library may have been
//! copied in the middle of starting or ending one.

use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;
use pyo3::types::IntoPyDict;

use geceval_core::parallel;

/// Whether several threads ran when the last fork began.
static THREADED: AtomicBool = AtomicBool::new(false);

/// Registers what happens before a fork and in the child, where the system has forks.
pub fn register(py: Python<'_>) -> PyResult<()> {
    let Ok(register) = py.import("os")?.getattr("register_at_fork") else {
        return Ok(());
    };
    let (before, after) = (wrap_pyfunction!(before_fork, py)?, wrap_pyfunction!(after_fork, py)?);
    let hooks = [("before", before), ("after_in_child", after)].into_py_dict(py)?;
    register.call((), Some(&hooks)).map(drop)
}

#[pyfunction]
fn before_fork(py: Python<'_>) -> PyResult<()> {
    let threads: usize = py.import("threading")?.call_method0("active_count")?.extract()?;
    THREADED.store(threads > 1, Ordering::Relaxed);
    Ok(())
}

#[pyfunction]
fn after_fork() {
    if THREADED.load(Ordering::Relaxed) {
        parallel::make_single_threaded();
    }
}

#[pyfunction]
pub fn is_alone() -> bool {
    parallel::is_single_threaded()
}
