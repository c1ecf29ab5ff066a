//! The Python interface of the kernel, one file per subject: converts arguments to slices and results to arrays, and
//! releases the GIL meanwhile. `geceval_core` contains the algorithms.

mod arrays;
mod checks;
mod chunks;
mod columns;
mod compare;
mod distance;
mod edits;
mod forks;
mod interrupt;
mod lattice;
mod lines;
mod m2;
mod ngrams;
mod order;
mod preparation;
mod resampling;
mod running;
mod slots;
mod tagger;
mod text;
mod trueskill;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
mod _kernel {
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // Cargo writes 0.3.0-dev.0, Python 0.3.0.dev0.
        module.add("__version__", env!("CARGO_PKG_VERSION").replace("-dev.", ".dev"))?;
        foldhash::SharedSeed::global_random(); // now: a fork while another thread makes it would hang the child
        crate::interrupt::silence_lookups();
        crate::forks::register(module.py())
    }

    #[pymodule_export]
    use crate::{
        checks::{beyond_ascii, compare_lines, raw_lines, text_letters, text_marks, PyPhrases},
        chunks::PyChunkTable,
        columns::PyEdits,
        compare::{compare_edits, keyed_edits},
        distance::{divided_lines, indel_distances},
        edits::{classify_annotated, extract_annotated, letters, penn_category, PyExtractor, PyWordList},
        forks::is_alone,
        lattice::GoldTable,
        lines::PyLineCutter,
        m2::PyBlocks,
        ngrams::PyNgramTable,
        order::{in_order, EditError, SentenceError},
        preparation::{normalised, tokenised},
        resampling::{resampled_sums, resampling_weights},
        running::{best_regions, first_largest, region_figures, region_scores, rounded_all, running_choices, PyForm},
        slots::PySlotTable,
        tagger::PyTagger,
        text::PyText,
        trueskill::{trueskill_in_order, trueskill_runs},
    };
}
