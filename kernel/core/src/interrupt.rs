//! Interruptible work: long loops call [`check_interrupt`] or [`check_interrupt_sometimes`], and their caller provides
//! the check ([`run_interruptible`]). Only the calling thread runs the check; threads that it starts see its result.

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::error::Error;

/// Minimum time between two checks.
pub const CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// Number of calls of [`check_interrupt_sometimes`] per call of [`check_interrupt`].
const ROUNDS_PER_CHECK: u32 = 64;

/// The interruptible work of a thread.
#[derive(Clone)]
pub struct InterruptState {
    stop: Arc<AtomicBool>,
    /// The check and the time of the last one; only the caller's thread has it.
    check: Option<(fn() -> bool, Instant)>,
}

thread_local! {
    static STATE: RefCell<Option<InterruptState>> = const { RefCell::new(None) };
    static ROUND: Cell<u32> = const { Cell::new(0) };
}

/// Runs `work`, which ends with [`Error::Interrupted`] if `check`, called at most every 50 ms, returns true.
pub fn run_interruptible<T>(check: fn() -> bool, work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    let stop = Arc::<AtomicBool>::default();
    let outer = STATE.replace(Some(InterruptState { stop: Arc::clone(&stop), check: Some((check, Instant::now())) }));
    let result = work();
    STATE.set(outer);
    if stop.load(Ordering::Relaxed) {
        return Err(Error::Interrupted);
    }
    result
}

/// The state for [`run_in_thread`] in a thread that this one starts.
pub fn state_for_thread() -> Option<InterruptState> {
    STATE.with_borrow(|state| state.as_ref().map(|state| InterruptState { stop: Arc::clone(&state.stop), check: None }))
}

/// Calls `work` in a new thread, with the state of the thread that started it.
pub fn run_in_thread<T>(state: Option<InterruptState>, work: impl FnOnce() -> T) -> T {
    STATE.set(state);
    work()
}

/// Err: the work should stop. Reads the clock.
pub fn check_interrupt() -> Result<(), Error> {
    let Some(InterruptState { stop, check }) = STATE.with_borrow(Clone::clone) else {
        return Ok(());
    };
    if let Some((check, checked_at)) = check {
        if checked_at.elapsed() < CHECK_INTERVAL {
            return Ok(());
        }
        if check() {
            stop.store(true, Ordering::Relaxed);
        }
        STATE.with_borrow_mut(|state| state.iter_mut().for_each(|state| state.check = Some((check, Instant::now()))));
    }
    if stop.load(Ordering::Relaxed) {
        return Err(Error::Interrupted);
    }
    Ok(())
}

/// Like [`check_interrupt`], for loops with short rounds: reads the clock in one of 64 calls.
pub fn check_interrupt_sometimes() -> Result<(), Error> {
    let round = ROUND.get().wrapping_add(1);
    ROUND.set(round);
    if round % ROUNDS_PER_CHECK == 0 {
        return check_interrupt();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forever() -> Result<(), Error> {
        loop {
            check_interrupt_sometimes()?;
        }
    }

    #[test]
    fn work_without_an_interrupt_ends_normally() {
        assert_eq!(run_interruptible(|| false, || Ok(3)), Ok(3));
        assert_eq!(check_interrupt(), Ok(())); // outside of `run_interruptible` there is no check
    }

    #[test]
    fn a_loop_ends_when_the_check_requests_a_stop() {
        assert_eq!(run_interruptible(|| true, forever), Err(Error::Interrupted));
        assert_eq!(run_interruptible(|| true, || run_interruptible(|| false, || Ok(1))), Ok(1));
    }

    #[test]
    fn a_stop_is_reported_even_if_the_work_has_another_error() {
        let work = || forever().or(Err(Error::Memory("the results")));
        assert_eq!(run_interruptible(|| true, work), Err(Error::Interrupted));
    }
}
