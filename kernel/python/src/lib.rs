//! Python interface of `geceval_core`, which contains the algorithms: converts arguments to slices and results to
//! arrays, with the GIL released in between. Columns are dicts of arrays by name.

mod arrays;
mod checks;
mod choices;
mod edits;
mod errors;
mod extraction;
mod figures;
mod forks;
mod gold;
mod m2;
mod ngrams;
mod resampling;
mod text;

/// Imports of every file.
mod prelude {
    pub use pyo3::exceptions::{PyIndexError, PyValueError};
    pub use pyo3::prelude::*;

    pub(crate) use crate::arrays::dict;
    pub use crate::arrays::{array, column, longs, shaped, Column, Dict, Table};
    pub use crate::edits::{owned, PyEdits};
    pub use crate::errors::{check_number, detached, fail_if};
    pub use crate::text::PyText;
}

use geceval_core::checks::raw_output::LINE_MARKS;
use pyo3::types::PyTuple;

use prelude::*;

#[pymodule(gil_used = false)]
mod _kernel {
    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // Cargo writes 0.3.0-dev.0, Python 0.3.0.dev0.
        module.add("__version__", env!("CARGO_PKG_VERSION").replace("-dev.", ".dev"))?;
        module.add("LINE_MARKS", PyTuple::new(module.py(), LINE_MARKS)?)?;
        // Now, because a fork during their creation would block the child.
        foldhash::SharedSeed::global_random();
        geceval_core::text::Text::default().fingerprint();
        crate::forks::register(module.py())?;
        crate::arrays::load_numpy(module.py())
    }

    #[pymodule_export]
    use crate::{
        checks::{compare_lines, raw_lines, text_letters, text_marks, unlike_runs, PyCharacterPairs, PyPhrases},
        edits::{compare_edits, in_order, PyEdits},
        errors::KernelError,
        extraction::{
            classify_annotated, extract_annotated, lancaster_stem, letters, penn_category, PyExtractor, PyTagger,
            PyWordList,
        },
        figures::{best_regions, first_largest, region_figures, rounded_all, running_choices, PyForm, PyScoreFormula},
        forks::is_single_threaded,
        gold::{match_gold, PyChunkTable, PySlotTable},
        m2::PyBlocks,
        ngrams::PyNgramCorpus,
        resampling::{
            draw_references, resampling_weights, seeded_states, sums_of_choices, trueskill_in_order, trueskill_runs,
        },
        text::{divided_lines, indel_distances, normalised, tokenised, PyLineCutter, PyText},
    };
}
