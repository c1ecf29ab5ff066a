//! Processes forked while other threads run start no threads: the fork may have copied glibc and Rust's standard
//! library while they started or ended one.

use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;
use pyo3::types::IntoPyDict;

use geceval_core::parallel;

/// Whether the process had several threads at the last fork.
static HAS_THREADS: AtomicBool = AtomicBool::new(false);

/// Registers hooks before a fork and in the child, if the system supports forks.
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
    HAS_THREADS.store(threads > 1, Ordering::Relaxed);
    Ok(())
}

#[pyfunction]
fn after_fork() {
    if HAS_THREADS.load(Ordering::Relaxed) {
        parallel::make_single_threaded();
    }
}

#[pyfunction]
pub fn is_single_threaded() -> bool {
    parallel::is_single_threaded()
}
