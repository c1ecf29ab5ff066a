//! Parallel work on rows with scoped threads. Threads end with the call, so that the process may fork. The calling
//! thread works too, and checks for interrupts between rows.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Builder, Thread};

use crate::error::Error;
use crate::interrupt;

/// Minimum number of rows for which starting a thread saves time.
const ROWS_PER_THREAD: usize = 256;

/// Like [`ROWS_PER_THREAD`], for items that may take long and are distributed singly.
const ITEMS_PER_THREAD: usize = 16;

static IS_SINGLE_THREADED: AtomicBool = AtomicBool::new(false);

/// Starts no more threads in this process, because system libraries may not support it after a fork.
pub fn make_single_threaded() {
    IS_SINGLE_THREADED.store(true, Ordering::Relaxed);
}

pub fn is_single_threaded() -> bool {
    IS_SINGLE_THREADED.load(Ordering::Relaxed)
}

/// The number of threads for `rows` rows, at most `threads` (0: one per processor).
fn useful_threads(threads: usize, rows: usize, rows_per_thread: usize) -> usize {
    if is_single_threaded() {
        return 1;
    }
    let max_threads = rows.div_ceil(rows_per_thread).max(1);
    match threads {
        // Querying the number of processors takes longer than processing a sentence.
        0 if max_threads > 1 => std::thread::available_parallelism().map_or(1, NonZeroUsize::get).min(max_threads),
        0 => 1,
        _ => threads.min(max_threads),
    }
}

/// Number of items per block.
const BLOCK: usize = 128;

/// Number of rows that a thread takes from the queue at once.
const ROWS_PER_TASK: usize = 128;

/// Calls `work(row number, row, scratch)` for every row of `data`, each `width` long. Idle threads take the next rows
/// from a queue. Each thread has its scratch, which must not influence results, so that the number of threads does not
/// change them.
pub fn for_each_row<T: Send, S>(
    data: &mut [T],
    width: usize,
    threads: usize,
    scratch: impl Fn() -> S + Sync,
    work: impl Fn(usize, &mut [T], &mut S) -> Result<(), Error> + Sync,
) -> Result<(), Error> {
    let threads = useful_threads(threads, data.len() / width, ROWS_PER_THREAD);
    let tasks = (0..).step_by(ROWS_PER_TASK).zip(data.chunks_mut(ROWS_PER_TASK * width));
    let run_task = |(first, rows): (usize, &mut [T]), scratch: &mut S| {
        let mut rows = (first..).zip(rows.chunks_exact_mut(width));
        rows.try_for_each(|(row, cells)| work(row, cells, scratch))
    };
    map_queue(tasks, threads, scratch, run_task).map(drop)
}

/// Like [`for_each_row`], for several arrays of equal length: `work(row number, rows, scratch)` gets a row of each.
pub fn for_each_row_of<T: Send, S>(
    arrays: &mut [Vec<T>],
    width: usize,
    threads: usize,
    scratch: impl Fn() -> S + Sync,
    work: impl Fn(usize, &mut [&mut [T]], &mut S) -> Result<(), Error> + Sync,
) -> Result<(), Error> {
    let rows = arrays.first().map_or(0, |array| array.len() / width);
    let threads = useful_threads(threads, rows, ROWS_PER_THREAD);
    let mut chunks: Vec<_> = arrays.iter_mut().map(|array| array.chunks_mut(ROWS_PER_TASK * width)).collect();
    let tasks = (0..rows).step_by(ROWS_PER_TASK).map_while(|first| {
        let task: Option<Vec<_>> = chunks.iter_mut().map(Iterator::next).collect();
        task.map(|task| (first, task))
    });
    let run_task = |(first, task): (usize, Vec<&mut [T]>), scratch: &mut S| {
        let mut arrays: Vec<_> = task.into_iter().map(|array| array.chunks_exact_mut(width)).collect();
        for row in first..rows.min(first + ROWS_PER_TASK) {
            work(row, &mut arrays.iter_mut().filter_map(Iterator::next).collect::<Vec<_>>(), scratch)?;
        }
        Ok(())
    };
    map_queue(tasks, threads, scratch, run_task).map(drop)
}

/// The ordered results of `work(range, scratch)` for `items` items in ranges of at most `size`. Idle threads take the
/// next range. Each thread has its scratch, which must not influence results.
pub fn map_ranges<T: Send, S>(
    items: usize,
    size: usize,
    threads: usize,
    scratch: impl Fn() -> S + Sync,
    work: impl Fn(Range<usize>, &mut S) -> Result<T, Error> + Sync,
) -> Result<Vec<T>, Error> {
    let ranges = (0..items).step_by(size).map(|start| start..items.min(start + size));
    let threads = useful_threads(threads, items.div_ceil(size), 1);
    map_queue(ranges, threads, scratch, work)
}

/// `work(0..BLOCK), work(BLOCK..2 * BLOCK), …` for `items` items, like [`map_ranges`].
pub fn map_blocks<T: Send>(
    items: usize,
    threads: usize,
    work: impl Fn(Range<usize>) -> Result<T, Error> + Sync,
) -> Result<Vec<T>, Error> {
    map_ranges(items, BLOCK, threads, || (), |range, ()| work(range))
}

/// `work(0, scratch), work(1, scratch), …` for `items` items, like [`map_ranges`] with ranges of one item.
pub fn map_items<T: Send, S>(
    items: usize,
    threads: usize,
    scratch: impl Fn() -> S + Sync,
    work: impl Fn(usize, &mut S) -> Result<T, Error> + Sync,
) -> Result<Vec<T>, Error> {
    map_queue(0..items, useful_threads(threads, items, ITEMS_PER_THREAD), scratch, work)
}

/// The ordered results of `work` for all items; idle threads take the next item. Err: the first error in the order of
/// the items, whatever the number of threads: threads take no item after an error, but finish the items before it.
fn map_queue<I: Send, T: Send, S>(
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
    let worker = || {
        let (mut scratch, mut results) = (scratch(), Vec::new());
        while let Some((number, item)) = next() {
            let result = interrupt::check_interrupt().and_then(|()| work(item, &mut scratch));
            has_failed.fetch_or(result.is_err(), Ordering::Relaxed);
            results.push((number, result));
        }
        results
    };
    let mut results: Vec<(usize, Result<T, Error>)> = run_in_threads(threads, worker).into_iter().flatten().collect();
    results.sort_unstable_by_key(|&(number, _)| number);
    results.into_iter().map(|(_, result)| result).collect()
}

/// The results of `work` in this number of threads, including the calling one; fewer if the system provides fewer.
fn run_in_threads<T: Send>(threads: usize, work: impl Fn() -> T + Sync) -> Vec<T> {
    if threads == 1 {
        return vec![work()];
    }
    let (interrupt_state, running, caller) = (interrupt::state_for_thread(), AtomicUsize::new(0), thread::current());
    let work_in_thread = || {
        let _exit = ThreadExit { running: &running, caller: &caller };
        interrupt::run_in_thread(interrupt_state.clone(), &work)
    };
    thread::scope(|scope| {
        let start = |_| {
            running.fetch_add(1, Ordering::Relaxed);
            let handle = Builder::new().spawn_scoped(scope, work_in_thread).ok();
            if handle.is_none() {
                running.fetch_sub(1, Ordering::Relaxed);
            }
            handle
        };
        let handles: Vec<_> = (1..threads).map_while(start).collect();
        let mut results = vec![work()];
        while running.load(Ordering::Acquire) > 0 {
            thread::park_timeout(interrupt::CHECK_INTERVAL);
            let _ = interrupt::check_interrupt(); // tells the other threads to stop
        }
        let joined = handles.into_iter().map(|handle| handle.join());
        results.extend(joined.map(|result| result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))));
        results
    })
}

/// Wakes the calling thread when a thread ends or panics.
struct ThreadExit<'a> {
    running: &'a AtomicUsize,
    caller: &'a Thread,
}

impl Drop for ThreadExit<'_> {
    fn drop(&mut self) {
        self.running.fetch_sub(1, Ordering::Release);
        self.caller.unpark();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_do_not_depend_on_the_number_of_threads() {
        let squares = |threads| map_items(1000, threads, || (), |number, ()| Ok(number * number));
        assert_eq!(squares(1), squares(7));
    }

    #[test]
    fn the_first_error_is_reported() {
        let work =
            |sentence, (): &mut ()| if sentence % 2 == 0 { Ok(()) } else { Err(Error::NoReference { sentence }) };
        for threads in [1, 2, 5] {
            assert_eq!(map_items(1000, threads, || (), work), Err(Error::NoReference { sentence: 1 }));
        }
    }

    #[test]
    fn all_threads_stop() {
        for threads in [1, 2, 5] {
            let forever = |_: usize, (): &mut ()| -> Result<(), Error> {
                loop {
                    interrupt::check_interrupt_sometimes()?;
                }
            };
            let result = interrupt::run_interruptible(|| true, || map_items(100, threads, || (), forever));
            assert_eq!(result, Err(Error::Interrupted));
        }
    }
}
