//! The chunk partition of CLEME: source, hypothesis and all references of a sentence cut at the same places.
//!
//! Every edit of every version is put into one pool; edits that touch (or lie at most `distance` tokens apart) share an
//! interval; the stretches of source between intervals are chunks as well. So all versions of a sentence are the same
//! sequence of chunks, each a span of the source and, in each version, a text.

mod cells;
mod references;
mod sentence;

pub use cells::{Partition, Texts};
pub use references::References;

use std::collections::TryReserveError;

use crate::chunks::sentence::Sentence;
use crate::edits::columns::EditColumns;
use crate::edits::order::{block_of, in_order, Fault, Order, BLOCK};
use crate::parallel;
use crate::text::Text;

/// Why there are no chunks.
#[derive(Debug)]
pub enum Refused {
    /// An edit cannot be made.
    Fault(Fault),
    /// A sentence has not one hypothesis.
    Versions { sentence: usize, versions: usize },
    /// A different number of sentences.
    Sentences(usize),
    /// There is no room for the cells.
    Memory(TryReserveError),
}

impl From<Fault> for Refused {
    fn from(fault: Fault) -> Self {
        Refused::Fault(fault)
    }
}

impl From<TryReserveError> for Refused {
    fn from(error: TryReserveError) -> Self {
        Refused::Memory(error)
    }
}

/// Sources and their references: what is cut, whatever the hypothesis.
#[derive(Clone, Copy)]
pub struct Gold<'a> {
    pub source: &'a Text,
    pub edits: &'a EditColumns,
    pub references: &'a References,
}

/// What is made of the chunks of a block of sentences, one sentence after the other.
pub trait Cells: Default + Send {
    /// Takes in a sentence that was cut.
    fn sentence(&mut self, sentence: &mut Sentence) -> Result<(), TryReserveError>;
    /// Takes in the blocks that follow.
    fn join(&mut self, parts: Vec<Self>) -> Result<(), TryReserveError>;
}

/// The cells of all sentences. Edits up to `distance` unchanged tokens apart share a chunk. The same whatever the
/// threads.
///
/// Cost: O(E log E) for the E edits of a sentence, plus the tokens of its changed chunks × versions. Err: see [`Refused`].
pub fn cut<C: Cells>(gold: Gold, hypothesis: &EditColumns, distance: i32, threads: usize) -> Result<C, Refused> {
    let order = hypothesis_order(gold, hypothesis, threads)?;
    let sentences = gold.source.len();
    let parts = parallel::each(sentences.div_ceil(BLOCK), threads, |block| {
        let mut cells = C::default();
        let mut sentence = Sentence::default();
        for s in block_of(block, sentences) {
            sentence.read(gold.source.line(s));
            sentence.version(hypothesis, order.rows(hypothesis, s));
            for version in gold.references.row(gold.edits, s) {
                match version {
                    Some(version) => sentence.version(gold.edits, gold.references.order.rows(gold.edits, version)),
                    None => sentence.version(gold.edits, std::iter::empty()),
                }
            }
            sentence.cut(distance);
            cells.sentence(&mut sentence)?;
        }
        Ok::<C, TryReserveError>(cells)
    });
    let mut cells = C::default();
    cells.join(parts.into_iter().collect::<Result<_, _>>()?)?;
    Ok(cells)
}

/// The edits of the hypothesis in order; version s is that of sentence s.
fn hypothesis_order(gold: Gold, hypothesis: &EditColumns, threads: usize) -> Result<Order, Refused> {
    if hypothesis.sentences() != gold.source.len() {
        return Err(Refused::Sentences(hypothesis.sentences()));
    }
    for sentence in 0..hypothesis.sentences() {
        let versions = hypothesis.versions_of(sentence).len();
        if versions != 1 {
            return Err(Refused::Versions { sentence, versions });
        }
    }
    Ok(in_order(&gold.references.lengths, hypothesis, threads)?)
}

#[cfg(test)]
mod tests {
    use super::*;

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

    fn cells<C: Cells>(source: &str, hypothesis: &[(i32, i32, &str)], references: Versions) -> C {
        let (source, edits) = (Text::new([Some(source)]), columns(references));
        let references = References::new(&source, &edits, false, 1).unwrap();
        cut(Gold { source: &source, edits: &edits, references: &references }, &columns(&[hypothesis]), 0, 1).unwrap()
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
    fn texts_of_the_chunks() {
        let texts: Texts = cells("a b c", &[(1, 2, "B")], &[&[(2, 3, "y||z"), (1, 2, "-NONE-")]]);
        let found = |places: &[i32]| places.iter().map(|&place| texts.strings.get(place as u32).to_owned()).collect();
        let (source, text, kind): (Vec<_>, Vec<_>, Vec<_>) =
            (found(&texts.source), found(&texts.text), found(&texts.kind));
        assert_eq!(source, ["a", "b c"]);
        assert_eq!(text, ["a", "a", "B c", "y"]);
        assert_eq!(kind, ["", "", "X", "X+X"]);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let (source, edits) = (Text::new([Some("a")]), columns(&[&[]]));
        let references = References::new(&source, &edits, false, 1).unwrap();
        let gold = Gold { source: &source, edits: &edits, references: &references };
        let refused = |hypothesis: &EditColumns| cut::<Partition>(gold, hypothesis, 0, 1).unwrap_err();
        assert!(matches!(refused(&columns(&[&[(0, 2, "x")]])), Refused::Fault(_)));
        assert!(matches!(refused(&columns(&[&[], &[]])), Refused::Versions { sentence: 0, versions: 2 }));
        assert!(matches!(refused(&EditColumns::default()), Refused::Sentences(0)));
    }
}
