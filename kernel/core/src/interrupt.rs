//! Interruptible work: a long loop checks now and then whether to continue (`heed`, `tick`), and its caller provides
//! the check (`until`). Only the calling thread runs the check; threads that it starts see its result.

use std::cell::{Cell, RefCell};
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Minimum time between two checks.
pub const EVERY: Duration = Duration::from_millis(50);

/// Loops with short rounds read the clock once per this number of rounds.
const ROUNDS: u32 = 64;

/// The panic payload that unwinds a loop.
struct Interrupted;

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

/// Runs `work`; returns None if `ask`, called at most every 50 ms, requests a stop.
pub fn until<T>(ask: fn() -> bool, work: impl FnOnce() -> T) -> Option<T> {
    let watch = Watch { stop: Arc::default(), ask: Some((ask, Instant::now())) };
    let before = WATCH.replace(Some(watch));
    let found = catch_unwind(AssertUnwindSafe(work));
    WATCH.set(before);
    match found {
        Ok(found) => Some(found),
        Err(panic) if panic.is::<Interrupted>() => None,
        Err(panic) => resume_unwind(panic),
    }
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

/// Unwinds if the work should stop. O(1): reads the clock.
pub fn heed() {
    let Some(Watch { stop, ask }) = WATCH.with_borrow(Clone::clone) else {
        return;
    };
    if let Some((ask, asked)) = ask {
        if asked.elapsed() < EVERY {
            return;
        }
        if ask() {
            stop.store(true, Ordering::Relaxed);
        }
        WATCH.with_borrow_mut(|watch| watch.iter_mut().for_each(|own| own.ask = Some((ask, Instant::now()))));
    }
    if stop.load(Ordering::Relaxed) {
        resume_unwind(Box::new(Interrupted));
    }
}

/// Like [`heed`], for loops with short rounds.
pub fn tick() {
    let round = ROUND.get().wrapping_add(1);
    ROUND.set(round);
    if round % ROUNDS == 0 {
        heed();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_nobody_stops_is_done() {
        assert_eq!(until(|| false, || 3), Some(3));
        heed(); // outside of `until` there is no check
    }

    #[test]
    fn a_loop_ends_when_it_should() {
        let forever = || -> () {
            loop {
                tick();
            }
        };
        assert_eq!(until(|| true, forever), None);
        assert_eq!(until(|| true, || until(|| false, || 1)), Some(Some(1)));
    }

    #[test]
    fn other_panics_go_on() {
        let caught = catch_unwind(|| until(|| false, || resume_unwind(Box::new(7))));
        assert_eq!(caught.err().and_then(|panic| panic.downcast_ref().copied()), Some(7));
    }
}
