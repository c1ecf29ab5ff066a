//! The Python interface of the kernel: converts arguments and results, and releases the GIL while counting. The modules
//! contain the algorithms.

pub mod checks;
pub mod chunks;
pub mod edits;
mod interrupt;
pub mod lattice;
pub mod ngrams;
mod parallel;
pub mod ranking;
pub mod resampling;
mod surface;
pub mod tagger;
pub mod text;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
mod _kernel {
    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    use crate::surface::checks::{beyond_ascii, compare_lines, raw_lines, text_letters, text_marks, PyPhrases};
    #[pymodule_export]
    use crate::surface::chunks::PyChunkTable;
    #[pymodule_export]
    use crate::surface::columns::PyEdits;
    #[pymodule_export]
    use crate::surface::compare::{compare_edits, keyed_edits};
    #[pymodule_export]
    use crate::surface::distance::{divided_lines, indel_distances};
    #[pymodule_export]
    use crate::surface::edits::{
        classify_annotated, extract_annotated, lancaster_stem, letters, penn_category, PyExtractor, PyWordList,
    };
    #[pymodule_export]
    use crate::surface::imeasure::three_way;
    #[pymodule_export]
    use crate::surface::lattice::GoldTable;
    #[pymodule_export]
    use crate::surface::lines::PyLineCutter;
    #[pymodule_export]
    use crate::surface::m2::PyBlocks;
    #[pymodule_export]
    use crate::surface::ngrams::PyNgramTable;
    #[pymodule_export]
    use crate::surface::order::{in_order, EditError, SentenceError};
    #[pymodule_export]
    use crate::surface::resampling::{optimal_sums, resampled_sums, resampling_weights, settled_references};
    #[pymodule_export]
    use crate::surface::running::{rounded_all, running_choices};
    #[pymodule_export]
    use crate::surface::sampling::{sampled_references, PySampler};
    #[pymodule_export]
    use crate::surface::slots::PySlotTable;
    #[pymodule_export]
    use crate::surface::tagger::PyTagger;
    #[pymodule_export]
    use crate::surface::text::PyText;
    #[pymodule_export]
    use crate::surface::tokenise::tokenised;
    #[pymodule_export]
    use crate::surface::trueskill::{trueskill_in_order, trueskill_runs};
}
