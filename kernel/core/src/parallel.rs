//! Parallel work on rows with scoped threads: no pool survives a call, so the process may fork. The calling thread
//! takes part, and checks between rows whether to continue.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Builder, Thread};

use crate::error::Error;
use crate::interrupt;

/// A thread is not worth its cost below this number of rows.
const ROWS_PER_THREAD: usize = 256;

/// Like [`ROWS_PER_THREAD`], for items that may be much work each and are distributed one by one.
const ITEMS_PER_THREAD: usize = 16;

/// Whether all work is done by the calling thread.
static ALONE: AtomicBool = AtomicBool::new(false);

/// Start no threads in this process from now on: the system libraries may be unable to after a fork.
pub fn stay_alone() {
    ALONE.store(true, Ordering::Relaxed);
}

/// Whether this process starts no threads.
pub fn is_alone() -> bool {
    ALONE.load(Ordering::Relaxed)
}

/// The number of threads for `rows` rows, at most `threads` (0: one per processor).
fn useful(threads: usize, rows: usize, rows_per_thread: usize) -> usize {
    if is_alone() {
        return 1;
    }
    let most = rows.div_ceil(rows_per_thread).max(1);
    match threads {
        // Querying the number of processors takes longer than a sentence.
        0 if most > 1 => std::thread::available_parallelism().map_or(1, NonZeroUsize::get).min(most),
        0 => 1,
        _ => threads.min(most),
    }
}

/// Number of items of a block.
const BLOCK: usize = 128;

/// Number of rows per task of a thread.
const ROWS_AT_A_TIME: usize = 128;

/// Calls `work(row number, row, scratch)` for every row of `data`, each `width` long. The next idle thread gets the
/// next run of rows, since a processor may be busy. Each thread has its scratch, which must not influence results, so
/// the number of threads does not change them.
pub fn chunks<T: Send, S>(
    data: &mut [T],
    width: usize,
    threads: usize,
    scratch: impl Fn() -> S + Sync,
    work: impl Fn(usize, &mut [T], &mut S) -> Result<(), Error> + Sync,
) -> Result<(), Error> {
    let threads = useful(threads, data.len() / width, ROWS_PER_THREAD);
    let parts = (0..).step_by(ROWS_AT_A_TIME).zip(data.chunks_mut(ROWS_AT_A_TIME * width));
    let part = |(first, part): (usize, &mut [T]), scratch: &mut S| {
        let mut rows = (first..).zip(part.chunks_exact_mut(width));
        rows.try_for_each(|(row, cells)| work(row, cells, scratch))
    };
    hand_out(parts, threads, scratch, part).map(drop)
}

/// The ordered results of `work(run of items, scratch)` for all runs of at most `size` among `items` items. The next
/// idle thread gets the next run. Each thread has its scratch, so the result of a run must not depend on previous runs.
pub fn runs<T: Send, S>(
    items: usize,
    size: usize,
    threads: usize,
    scratch: impl Fn() -> S + Sync,
    work: impl Fn(Range<usize>, &mut S) -> Result<T, Error> + Sync,
) -> Result<Vec<T>, Error> {
    let runs = (0..items).step_by(size).map(|start| start..items.min(start + size));
    let threads = useful(threads, items.div_ceil(size), 1);
    hand_out(runs, threads, scratch, work)
}

/// `work(0..BLOCK), work(BLOCK..2 * BLOCK), …` for `items` items, like [`runs`].
pub fn blocks<T: Send>(
    items: usize,
    threads: usize,
    work: impl Fn(Range<usize>) -> Result<T, Error> + Sync,
) -> Result<Vec<T>, Error> {
    runs(items, BLOCK, threads, || (), |block, ()| work(block))
}

/// `work(0, scratch), work(1, scratch), …` for `items` items, like [`runs`] with runs of one item.
pub fn each<T: Send, S>(
    items: usize,
    threads: usize,
    scratch: impl Fn() -> S + Sync,
    work: impl Fn(usize, &mut S) -> Result<T, Error> + Sync,
) -> Result<Vec<T>, Error> {
    hand_out(0..items, useful(threads, items, ITEMS_PER_THREAD), scratch, work)
}

/// The ordered results of `work` for all items; the next idle thread gets the next item. Err: the error of the first
/// item that has one. No item is handed out after an error; the ones before it are done, so it does not depend on the
/// number of threads.
fn hand_out<I: Send, T: Send, S>(
    items: impl Iterator<Item = I> + Send,
    threads: usize,
    scratch: impl Fn() -> S + Sync,
    work: impl Fn(I, &mut S) -> Result<T, Error> + Sync,
) -> Result<Vec<T>, Error> {
    let (queue, has_failed) = (Mutex::new(items.enumerate()), AtomicBool::new(false));
    let next = || match has_failed.load(Ordering::Relaxed) {
        true => None,
        false => queue.lock().unwrap_or_else(PoisonError::into_inner).next(),
    };
    let thread = || {
        let (mut scratch, mut results) = (scratch(), Vec::new());
        while let Some((number, item)) = next() {
            let result = interrupt::heed().and_then(|()| work(item, &mut scratch));
            has_failed.fetch_or(result.is_err(), Ordering::Relaxed);
            results.push((number, result));
        }
        results
    };
    let mut results: Vec<(usize, Result<T, Error>)> = crew(threads, thread).into_iter().flatten().collect();
    results.sort_unstable_by_key(|&(number, _)| number);
    results.into_iter().map(|(_, result)| result).collect()
}

/// The results of `work` in this number of threads, including the calling one; fewer if the system provides fewer.
fn crew<T: Send>(threads: usize, work: impl Fn() -> T + Sync) -> Vec<T> {
    if threads == 1 {
        return vec![work()];
    }
    let (watch, busy, caller) = (interrupt::watch(), AtomicUsize::new(0), thread::current());
    let other = || {
        let _leaving = Leaving { busy: &busy, caller: &caller };
        interrupt::within(watch.clone(), &work)
    };
    thread::scope(|scope| {
        let start = |_| {
            busy.fetch_add(1, Ordering::Relaxed);
            let started = Builder::new().spawn_scoped(scope, other).ok();
            if started.is_none() {
                busy.fetch_sub(1, Ordering::Relaxed);
            }
            started
        };
        let others: Vec<_> = (1..threads).map_while(start).collect();
        let mut results = vec![work()];
        while busy.load(Ordering::Acquire) > 0 {
            thread::park_timeout(interrupt::EVERY);
            let _ = interrupt::heed(); // the others see a stop, and end
        }
        let joined = others.into_iter().map(|other| other.join());
        results.extend(joined.map(|result| result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))));
        results
    })
}

/// Notifies the waiting thread when a thread ends or panics.
struct Leaving<'a> {
    busy: &'a AtomicUsize,
    caller: &'a Thread,
}

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.busy.fetch_sub(1, Ordering::Release);
        self.caller.unpark();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_change_nothing() {
        let squares = |threads| each(1000, threads, || (), |number, ()| Ok(number * number));
        assert_eq!(squares(1), squares(7));
    }

    #[test]
    fn the_first_error_is_reported() {
        let work =
            |sentence, (): &mut ()| if sentence % 2 == 0 { Ok(()) } else { Err(Error::NoReference { sentence }) };
        for threads in [1, 2, 5] {
            assert_eq!(each(1000, threads, || (), work), Err(Error::NoReference { sentence: 1 }));
        }
    }

    #[test]
    fn all_threads_stop() {
        for threads in [1, 2, 5] {
            let forever = |_: usize, (): &mut ()| -> Result<(), Error> {
                loop {
                    interrupt::tick()?;
                }
            };
            let stopped = interrupt::until(|| true, || each(100, threads, || (), forever));
            assert_eq!(stopped, Err(Error::Interrupted));
        }
    }
}
