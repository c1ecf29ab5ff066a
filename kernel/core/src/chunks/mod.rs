//! CLEME's partition into chunks: source, hypothesis and all references of a sentence are split at the same positions.
//!
//! Edits of any versions that touch, or lie at most `distance` tokens apart, share a chunk; the source tokens between
//! are chunks as well. Each chunk has a span of the source and a text per version.

mod cells;
mod references;
mod sentence;

use crate::chunks::sentence::ChunkedSentence;
use crate::edits::columns::EditColumns;
use crate::edits::order::order_edits;
use crate::error::Error;
use crate::parallel;
use crate::text::Text;

pub use cells::{ChunkTexts, Partition};
pub use references::References;

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
    fn add_sentence(&mut self, sentence: &mut ChunkedSentence) -> Result<(), Error>;
    /// Appends the data of the following sentences.
    fn append(&mut self, parts: Vec<Self>) -> Result<(), Error>;
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
            cells.add_sentence(&mut sentence)?;
        }
        Ok(cells)
    })?;
    let mut cells = C::default();
    cells.append(parts)?;
    Ok(cells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edits::columns::EditColumns;
    use crate::error::{Error, Misfit};
    use crate::text::Text;

    type Versions<'a> = &'a [&'a [(i32, i32, &'a str)]];

    fn columns(versions: Versions) -> EditColumns {
        let mut columns = EditColumns::default();
        for version in versions {
            for &(start, end, text) in *version {
                columns.push(start, end, "X", text);
            }
            columns.end_version(0);
        }
        columns.end_sentence();
        columns
    }

    fn cells<C: ChunkCells>(source: &str, hypothesis: &[(i32, i32, &str)], references: Versions) -> C {
        let (source, edits) = (Text::new([Some(source)]), columns(references));
        let references = References::new(&source, &edits, false, 1).unwrap();
        partition(
            ReferenceInput { source: &source, edits: &edits, references: &references },
            &columns(&[hypothesis]),
            0,
            1,
        )
        .unwrap()
    }

    #[test]
    fn touching_edits_share_a_chunk_and_insertions_have_no_source() {
        let chunks: Partition = cells("a b c", &[(1, 2, "B")], &[&[(0, 0, "x"), (2, 3, "C y")]]);
        assert_eq!(chunks.offsets, [0, 4 - 1]);
        assert_eq!(chunks.start, [0, 0, 1]);
        assert_eq!(chunks.end, [0, 1, 3]);
        assert_eq!(chunks.changed, [false, true, false, false, true, true]);
        assert_eq!(chunks.length, [0, 1, 1, 1, 2, 3]);
        assert_eq!(chunks.same, [false, true, false]);
    }

    #[test]
    fn an_empty_sentence_is_one_chunk() {
        let chunks: Partition = cells("", &[], &[&[]]);
        assert_eq!((chunks.start, chunks.end), (vec![0], vec![0]));
    }

    #[test]
    fn chunks_have_texts_and_types() {
        let texts: ChunkTexts = cells("a b c", &[(1, 2, "B")], &[&[(2, 3, "y||z"), (1, 2, "-NONE-")]]);
        let strings = |ids: &[i32]| ids.iter().map(|&id| texts.strings.get(id as u32).to_owned()).collect();
        let (source, text, kind): (Vec<_>, Vec<_>, Vec<_>) =
            (strings(&texts.source), strings(&texts.text), strings(&texts.kind));
        assert_eq!(source, ["a", "b c"]);
        assert_eq!(text, ["a", "a", "B c", "y"]);
        assert_eq!(kind, ["", "", "X", "X+X"]);
    }

    #[test]
    fn an_edit_outside_the_sentence_is_an_error() {
        let (source, edits) = (Text::new([Some("a")]), columns(&[&[]]));
        let references = References::new(&source, &edits, false, 1).unwrap();
        let gold = ReferenceInput { source: &source, edits: &edits, references: &references };
        let error = Error::Edit { sentence: 0, version: 0, edit: 0, misfit: Misfit::Outside };
        assert_eq!(partition::<Partition>(gold, &columns(&[&[(0, 2, "x")]]), 0, 1), Err(error));
    }
}
