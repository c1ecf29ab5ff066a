//! Partition of all sentences into chunks, in threads.

use std::collections::TryReserveError;

use crate::chunks::references::References;
use crate::chunks::sentence::ChunkedSentence;
use crate::edits::columns::EditColumns;
use crate::edits::order::order_edits;
use crate::error::Error;
use crate::parallel;
use crate::text::Text;

/// Sources and their references.
#[derive(Clone, Copy)]
pub struct ReferenceInput<'a> {
    pub source: &'a Text,
    pub edits: &'a EditColumns,
    pub references: &'a References,
}

/// Data of the chunks of consecutive sentences.
pub trait ChunkCells: Default + Send {
    /// Adds a sentence that is split into chunks.
    fn add_sentence(&mut self, sentence: &mut ChunkedSentence) -> Result<(), TryReserveError>;
    /// Appends the data of the following sentences.
    fn append(&mut self, parts: Vec<Self>) -> Result<(), TryReserveError>;
}

/// The cells of all sentences. Edits at most `distance` unchanged tokens apart share a chunk. The hypothesis has one
/// version of each sentence.
///
/// Cost: O(E log E) for the E edits of a sentence, plus the tokens of its changed chunks × versions. Err: an edit that
/// cannot be applied, or not enough memory.
pub fn partition<C: ChunkCells>(
    gold: ReferenceInput,
    hypothesis: &EditColumns,
    distance: i32,
    threads: usize,
) -> Result<C, Error> {
    let order = order_edits(&gold.references.lengths, hypothesis, threads)?;
    let parts = parallel::map_blocks(gold.source.len(), threads, |block| {
        let mut cells = C::default();
        let mut sentence = ChunkedSentence::default();
        for s in block {
            sentence.read(gold.source.line(s));
            sentence.add_version(hypothesis, order.rows(hypothesis, s));
            for version in gold.references.row(gold.edits, s) {
                match version {
                    Some(version) => sentence.add_version(gold.edits, gold.references.order.rows(gold.edits, version)),
                    None => sentence.add_version(gold.edits, std::iter::empty()),
                }
            }
            sentence.split(distance);
            cells.add_sentence(&mut sentence).map_err(no_memory)?;
        }
        Ok(cells)
    })?;
    let mut cells = C::default();
    cells.append(parts).map_err(no_memory)?;
    Ok(cells)
}

fn no_memory(_: TryReserveError) -> Error {
    Error::Memory("the chunks")
}
