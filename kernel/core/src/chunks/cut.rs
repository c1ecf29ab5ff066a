//! Splits sentences into chunks, in threads.

use std::collections::TryReserveError;

use crate::chunks::references::References;
use crate::chunks::sentence::Sentence;
use crate::edits::columns::EditColumns;
use crate::edits::order::{in_order, Fault, Order};
use crate::parallel;
use crate::text::Text;

/// The reason why chunks cannot be made.
#[derive(Debug)]
pub enum Refused {
    /// An edit cannot be made.
    Fault(Fault),
    /// A sentence does not have exactly one hypothesis.
    Versions { sentence: usize, versions: usize },
    /// Different numbers of sentences.
    Sentences(usize),
    /// Not enough memory for the cells.
    Memory(TryReserveError),
}

/// Sources and references, which do not depend on the hypothesis.
#[derive(Clone, Copy)]
pub struct Gold<'a> {
    pub source: &'a Text,
    pub edits: &'a EditColumns,
    pub references: &'a References,
}

/// Consumes the chunks of a block of sentences, one sentence after the other.
pub trait Cells: Default + Send {
    /// Adds a sentence that is split into chunks.
    fn sentence(&mut self, sentence: &mut Sentence) -> Result<(), TryReserveError>;
    /// Appends the following blocks.
    fn join(&mut self, parts: Vec<Self>) -> Result<(), TryReserveError>;
}

/// The cells of all sentences. Edits at most `distance` unchanged tokens apart share a chunk. Threads do not change the
/// result.
///
/// Cost: O(E log E) for the E edits of a sentence, plus the tokens of its changed chunks × versions. Err: see
/// [`Refused`].
pub fn cut<C: Cells>(gold: Gold, hypothesis: &EditColumns, distance: i32, threads: usize) -> Result<C, Refused> {
    let order = hypothesis_order(gold, hypothesis, threads)?;
    let parts = parallel::blocks(gold.source.len(), threads, |block| {
        let mut cells = C::default();
        let mut sentence = Sentence::default();
        for s in block {
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
        Ok(cells)
    });
    let mut cells = C::default();
    let parts = parts.into_iter().collect::<Result<_, _>>();
    parts.and_then(|parts| cells.join(parts)).map_err(Refused::Memory)?;
    Ok(cells)
}

/// The ordered edits of the hypothesis; version s belongs to sentence s.
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
    in_order(&gold.references.lengths, hypothesis, threads).map_err(Refused::Fault)
}
