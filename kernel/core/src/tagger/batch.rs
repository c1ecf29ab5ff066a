//! Annotation of many sentences, in columns of ids of one table of strings.

use std::ops::Range;
use std::sync::Arc;

use super::annotator::Model;
use super::profile::Profile;
use super::session::{SentenceMemo, Session};
use crate::error::Error;
use crate::parallel;
use crate::text::strings::Strings;

use foldhash::HashMap;

/// Number of sentences that a thread takes at once.
const SENTENCES_PER_TASK: usize = 64;

/// Annotated tokens: `form`, `lemma`, `pos`, `tag`, `dep` are indices of `strings`, `head` a position in the sentence.
#[derive(Default)]
pub struct AnnotatedColumns {
    pub strings: Vec<String>,
    pub form: Vec<i32>,
    pub lemma: Vec<i32>,
    pub pos: Vec<i32>,
    pub tag: Vec<i32>,
    pub dep: Vec<i32>,
    pub head: Vec<i32>,
}

/// Tags, labels and heads of the tokens of consecutive sentences.
#[derive(Default)]
struct TokenDecisions {
    tags: Vec<u8>,
    labels: Vec<u8>,
    heads: Vec<i32>,
}

/// Annotates sentences: token t is string `ids[t]`, sentence s has the tokens `offsets[s]..offsets[s + 1]`.
///
/// Cost: a tag and a label for every token, distributed to `threads` (0: one per processor), and one reading per
/// distinct form with tag and label.
pub fn columns(
    model: &Arc<Model>,
    profile: &Arc<Profile>,
    mut strings: Strings,
    ids: &[u32],
    offsets: &[usize],
    threads: usize,
) -> Result<AnnotatedColumns, Error> {
    let decide = |sentences: Range<usize>, session: &mut Session| {
        let (mut decisions, mut memo) = (TokenDecisions::default(), SentenceMemo::default());
        let _ = session.refresh(); // no numbers are in use
        for s in sentences {
            session.read_tokens(ids[offsets[s]..offsets[s + 1]].iter().map(|&id| strings.get(id)), &mut memo);
            let annotation = session.annotation(&memo, None);
            for t in 0..memo.forms().len() {
                decisions.tags.push(annotation.tag(t));
                decisions.labels.push(annotation.label(t));
                decisions.heads.push(annotation.head(t) as i32);
            }
        }
        Ok(decisions)
    };
    let session = || Session::new(Arc::clone(model), Arc::clone(profile));
    let runs = parallel::map_ranges(offsets.len().saturating_sub(1), SENTENCES_PER_TASK, threads, session, decide)?;
    let vocabulary = &model.vocabulary;
    let mut intern = |names: &[String]| -> Vec<i32> { names.iter().map(|name| strings.intern(name) as i32).collect() };
    let (tags, labels, pos_ids) = (intern(&vocabulary.tags), intern(&vocabulary.labels), intern(&profile.parts));
    let mut readings: HashMap<(u32, u8, u8), (i32, u8)> = HashMap::default();
    let mut columns = AnnotatedColumns { form: ids.iter().map(|&id| id as i32).collect(), ..Default::default() };
    let decisions = runs.iter().flat_map(|run| run.tags.iter().zip(&run.labels));
    for (&id, (&tag, &label)) in ids.iter().zip(decisions) {
        let &mut (lemma, pos) = readings.entry((id, tag, label)).or_insert_with(|| {
            let (lemma, pos) = profile.reading(vocabulary, strings.get(id), tag, label);
            (strings.intern(&lemma) as i32, pos)
        });
        columns.lemma.push(lemma);
        columns.pos.push(pos_ids[pos as usize]);
        columns.tag.push(tags[tag as usize]);
        columns.dep.push(labels[label as usize]);
    }
    columns.head = runs.into_iter().flat_map(|run| run.heads).collect();
    columns.strings = strings.iter().map(str::to_string).collect();
    Ok(columns)
}
