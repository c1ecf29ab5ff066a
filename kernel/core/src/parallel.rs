//! Parallel work on rows with scoped threads: no pool survives a call, so the process may fork. The calling thread
//! takes part, and checks between rows whether to continue.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Builder, Thread};

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
    work: impl Fn(usize, &mut [T], &mut S) + Sync,
) {
    let rows = data.len() / width;
    share(data, width, ROWS_AT_A_TIME, useful(threads, rows, ROWS_PER_THREAD), scratch, work);
}

/// Like [`chunks`], for rows that are much work each.
pub fn few<T: Send>(data: &mut [T], width: usize, threads: usize, work: impl Fn(usize, &mut [T]) + Sync) {
    let rows = data.len() / width;
    share(data, width, 1, useful(threads, rows, 1), || (), |row, part, ()| work(row, part));
}

fn share<T: Send, S>(
    data: &mut [T],
    width: usize,
    rows: usize,
    threads: usize,
    scratch: impl Fn() -> S + Sync,
    work: impl Fn(usize, &mut [T], &mut S) + Sync,
) {
    let parts = Mutex::new(data.chunks_mut(rows * width).enumerate());
    let next = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
    let run = || {
        let mut scratch = scratch();
        while let Some((at, part)) = next() {
            interrupt::heed();
            for (row, cells) in part.chunks_exact_mut(width).enumerate() {
                work(at * rows + row, cells, &mut scratch);
            }
        }
    };
    crew(threads, run);
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
        let mut found = vec![work()];
        while busy.load(Ordering::Acquire) > 0 {
            thread::park_timeout(interrupt::EVERY);
            interrupt::heed();
        }
        let joined = others.into_iter().map(|other| other.join());
        found.extend(joined.map(|done| done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))));
        found
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

/// The ordered results of `work(run of items, scratch)` for all runs of at most `size` among `items` items. The next
/// idle thread gets the next run. Each thread has its scratch, so the result of a run must not depend on previous runs.
pub fn runs<T: Send, S>(
    items: usize,
    size: usize,
    threads: usize,
    scratch: impl Fn() -> S + Sync,
    work: impl Fn(Range<usize>, &mut S) -> T + Sync,
) -> Vec<T> {
    let count = items.div_ceil(size);
    let run = |run: usize, scratch: &mut S| work(run * size..items.min((run + 1) * size), scratch);
    hand_out(count, useful(threads, count, 1), scratch, run)
}

/// `work(0..BLOCK), work(BLOCK..2 * BLOCK), …` for `items` items, like [`runs`].
pub fn blocks<T: Send>(items: usize, threads: usize, work: impl Fn(Range<usize>) -> T + Sync) -> Vec<T> {
    runs(items, BLOCK, threads, || (), |block, ()| work(block))
}

/// `work(0, scratch), work(1, scratch), …` for `items` items, like [`runs`] with runs of one item.
pub fn each<T: Send, S>(
    items: usize,
    threads: usize,
    scratch: impl Fn() -> S + Sync,
    work: impl Fn(usize, &mut S) -> T + Sync,
) -> Vec<T> {
    hand_out(items, useful(threads, items, ITEMS_PER_THREAD), scratch, work)
}

/// The ordered results of `work` for the pieces 0, 1, … `count`; the next idle thread gets the next piece.
fn hand_out<T: Send, S>(
    count: usize,
    threads: usize,
    scratch: impl Fn() -> S + Sync,
    work: impl Fn(usize, &mut S) -> T + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let thread = || {
        let mut scratch = scratch();
        let mine = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&at| at < count);
        let done = |at| {
            interrupt::heed();
            (at, work(at, &mut scratch))
        };
        std::iter::from_fn(mine).map(done).collect::<Vec<_>>()
    };
    let mut results: Vec<(usize, T)> = crew(threads, thread).into_iter().flatten().collect();
    results.sort_unstable_by_key(|&(at, _)| at);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_change_nothing() {
        let squares = |threads| each(1000, threads, || (), |at, ()| at * at);
        assert_eq!(squares(1), squares(7));
    }

    #[test]
    fn all_threads_stop() {
        for threads in [1, 2, 5] {
            let forever = |_: usize, (): &mut ()| -> usize {
                loop {
                    interrupt::tick();
                }
            };
            assert_eq!(interrupt::until(|| true, || each(100, threads, || (), forever)), None);
        }
    }
}
