//! Work on rows in parallel, with plain scoped threads: no pool survives a call, so a process may fork.

use std::num::NonZeroUsize;

/// Below this many rows a thread costs more than it saves.
const ROWS_PER_THREAD: usize = 256;

/// The number of threads for `rows` rows, when `threads` are allowed (0: as many as there are processors).
fn useful(threads: usize, rows: usize, rows_per_thread: usize) -> usize {
    let allowed = match threads {
        0 => std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
        _ => threads,
    };
    allowed.min(rows.div_ceil(rows_per_thread)).max(1)
}

/// Calls `work(row number, row, scratch)` for every row of `data`, each `width` long. Rows are shared out in
/// contiguous runs, one a thread, each thread with a scratch of its own; so the result cannot depend on the
/// number of threads.
pub fn chunks<T: Send, S>(
    data: &mut [T],
    width: usize,
    threads: usize,
    scratch: impl Fn() -> S + Sync,
    work: impl Fn(usize, &mut [T], &mut S) + Sync,
) {
    let rows = data.len() / width;
    share(data, width, useful(threads, rows, ROWS_PER_THREAD), scratch, work);
}

/// As [`chunks`], for rows each of which is much work.
pub fn few<T: Send>(data: &mut [T], width: usize, threads: usize, work: impl Fn(usize, &mut [T]) + Sync) {
    let rows = data.len() / width;
    share(data, width, useful(threads, rows, 1), || (), |row, part, ()| work(row, part));
}

fn share<T: Send, S>(
    data: &mut [T],
    width: usize,
    threads: usize,
    scratch: impl Fn() -> S + Sync,
    work: impl Fn(usize, &mut [T], &mut S) + Sync,
) {
    let rows = data.len() / width;
    let run = |first: usize, part: &mut [T]| {
        let mut scratch = scratch();
        for (at, row) in part.chunks_exact_mut(width).enumerate() {
            work(first + at, row, &mut scratch);
        }
    };
    if threads == 1 {
        return run(0, data);
    }
    let per_thread = rows.div_ceil(threads);
    let run = &run;
    std::thread::scope(|scope| {
        for (thread, part) in data.chunks_mut(per_thread * width).enumerate() {
            scope.spawn(move || run(thread * per_thread, part));
        }
    });
}
