//! Interruptible work: a long loop checks now and then whether to continue (`heed`, `tick`), and its caller provides
//! the check (`until`). Only the calling thread runs the check; threads that it starts see its result.

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::error::Error;

/// Minimum time between two checks.
pub const EVERY: Duration = Duration::from_millis(50);

/// Loops with short rounds read the clock once per this number of rounds.
const ROUNDS: u32 = 64;

/// The state of interruptible work that a thread takes part in.
#[derive(Clone)]
pub struct Watch {
    stop: Arc<AtomicBool>,
    /// The check and the time of the last one; only the caller's thread has it.
    ask: Option<(fn() -> bool, Instant)>,
}

thread_local! {
    static WATCH: RefCell<Option<Watch>> = const { RefCell::new(None) };
    static ROUND: Cell<u32> = const { Cell::new(0) };
}

/// Runs `work`, which ends with [`Error::Interrupted`] if `ask`, called at most every 50 ms, requests a stop.
pub fn until<T>(ask: fn() -> bool, work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    let stop = Arc::<AtomicBool>::default();
    let before = WATCH.replace(Some(Watch { stop: Arc::clone(&stop), ask: Some((ask, Instant::now())) }));
    let result = work();
    WATCH.set(before);
    if stop.load(Ordering::Relaxed) {
        return Err(Error::Interrupted);
    }
    result
}

/// The state for a thread that this one starts; see [`within`].
pub fn watch() -> Option<Watch> {
    WATCH.with_borrow(|watch| watch.as_ref().map(|watch| Watch { stop: Arc::clone(&watch.stop), ask: None }))
}

/// Calls `work` in a thread started for it.
pub fn within<T>(watch: Option<Watch>, work: impl FnOnce() -> T) -> T {
    WATCH.set(watch);
    work()
}

/// Err: the work should stop. O(1): reads the clock.
pub fn heed() -> Result<(), Error> {
    let Some(Watch { stop, ask }) = WATCH.with_borrow(Clone::clone) else {
        return Ok(());
    };
    if let Some((ask, asked)) = ask {
        if asked.elapsed() < EVERY {
            return Ok(());
        }
        if ask() {
            stop.store(true, Ordering::Relaxed);
        }
        WATCH.with_borrow_mut(|watch| watch.iter_mut().for_each(|watch| watch.ask = Some((ask, Instant::now()))));
    }
    if stop.load(Ordering::Relaxed) {
        return Err(Error::Interrupted);
    }
    Ok(())
}

/// Like [`heed`], for loops with short rounds.
pub fn tick() -> Result<(), Error> {
    let round = ROUND.get().wrapping_add(1);
    ROUND.set(round);
    if round % ROUNDS == 0 {
        return heed();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forever() -> Result<(), Error> {
        loop {
            tick()?;
        }
    }

    #[test]
    fn work_that_nobody_stops_is_done() {
        assert_eq!(until(|| false, || Ok(3)), Ok(3));
        assert_eq!(heed(), Ok(())); // outside of `until` there is no check
    }

    #[test]
    fn a_loop_ends_when_it_should() {
        assert_eq!(until(|| true, forever), Err(Error::Interrupted));
        assert_eq!(until(|| true, || until(|| false, || Ok(1))), Ok(1));
    }

    #[test]
    fn a_stop_is_reported_even_if_the_work_has_another_error() {
        let work = || forever().or(Err(Error::Memory("the results")));
        assert_eq!(until(|| true, work), Err(Error::Interrupted));
    }
}
