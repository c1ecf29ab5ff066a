//! A tagging model: its vocabulary, and the weights of its two classifiers.

use super::read::Reader;
use super::vocabulary::Vocabulary;
use super::weights::Weights;

pub struct Model {
    pub vocabulary: Vocabulary,
    pub tagging: Weights,
    pub labelling: Weights,
}

impl Model {
    /// Parse a model. O(size).
    pub fn read(vocabulary: &[u8], weights: &[u8]) -> Result<Self, String> {
        let (mut words, mut reader) = (Reader::new(vocabulary), Reader::new(weights));
        let vocabulary = Vocabulary::read(&mut words)?;
        let (tagging, labelling) = (Weights::read(&mut reader)?, Weights::read(&mut reader)?);
        if !words.is_empty() || !reader.is_empty() {
            return Err("the tagger's model goes on after its end".into());
        }
        if tagging.classes != vocabulary.tags.len() || labelling.classes != vocabulary.labels.len() {
            return Err("the weights of the tagger's model do not fit its tags or labels".into());
        }
        Ok(Self { vocabulary, tagging, labelling })
    }
}
