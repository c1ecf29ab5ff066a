//! Annotation of a batch: words are interned once, and annotations are columns of ids of one table of strings.

use std::ops::Range;
use std::sync::Arc;

use super::annotator::{Annotator, NOWHERE};
use super::features::{LABEL_REACH, LABEL_WINDOW, TAG_REACH, TAG_WINDOW};
use super::model::Model;
use super::profile::Profile;
use super::vocabulary::{Vocabulary, OUTSIDE};
use crate::parallel;
use crate::text::strings::Strings;

use foldhash::HashMap;

/// Maximum number of words that a thread stores.
const MANY: usize = 1 << 15;

/// Number of sentences per task of a thread.
const RUN: usize = 64;

/// Annotated tokens: `form`, `lemma`, `pos`, `tag`, `dep` are indices of `strings`, `head` a position in the sentence.
#[derive(Default)]
pub struct Columns {
    pub strings: Vec<String>,
    pub form: Vec<i32>,
    pub lemma: Vec<i32>,
    pub pos: Vec<i32>,
    pub tag: Vec<i32>,
    pub dep: Vec<i32>,
    pub head: Vec<i32>,
}

/// Tags, labels and heads.
#[derive(Default)]
struct Decided {
    tags: Vec<u8>,
    labels: Vec<u8>,
    heads: Vec<i32>,
}

/// Annotate a batch: token t is string `ids[t]`, sentence s is `offsets[s]..offsets[s + 1]`.
///
/// Cost: a tag and a label for every token, split over `threads` (0: one per processor) by sentences; and one reading
/// per distinct form with tag and label. The number of threads does not change the result.
pub fn columns(
    model: &Arc<Model>,
    profile: &Profile,
    mut strings: Strings,
    ids: &[u32],
    offsets: &[usize],
    threads: usize,
) -> Columns {
    let work = |sentences: Range<usize>, annotator: &mut Annotator| {
        let mut found = Decided::default();
        if annotator.words() > MANY {
            *annotator = Annotator::new(Arc::clone(model));
        }
        for s in sentences {
            decide(annotator, &strings, &ids[offsets[s]..offsets[s + 1]], &mut found);
        }
        found
    };
    let annotator = || Annotator::new(Arc::clone(model));
    let found = parallel::runs(offsets.len().saturating_sub(1), RUN, threads, annotator, work);
    let vocabulary = &model.vocabulary;
    let mut intern = |names: &[String]| -> Vec<i32> { names.iter().map(|name| strings.intern(name) as i32).collect() };
    let (tags, labels, parts) = (intern(&vocabulary.tags), intern(&vocabulary.labels), intern(&profile.parts));
    let mut readings: HashMap<(u32, u8, u8), (i32, u8)> = HashMap::default();
    let mut columns = Columns { form: ids.iter().map(|&id| id as i32).collect(), ..Columns::default() };
    let decisions = found.iter().flat_map(|part| part.tags.iter().zip(&part.labels));
    for (&id, (&tag, &label)) in ids.iter().zip(decisions) {
        let &mut (lemma, pos) = readings.entry((id, tag, label)).or_insert_with(|| {
            let (lemma, pos) = profile.reading(vocabulary, strings.get(id), tag, label);
            (strings.intern(&lemma) as i32, pos)
        });
        columns.lemma.push(lemma);
        columns.pos.push(parts[pos as usize]);
        columns.tag.push(tags[tag as usize]);
        columns.dep.push(labels[label as usize]);
    }
    columns.head = found.into_iter().flat_map(|part| part.heads).collect();
    columns.strings = strings.iter().map(str::to_string).collect();
    columns
}

/// Adds the decisions about a sentence.
fn decide(annotator: &mut Annotator, strings: &Strings, ids: &[u32], found: &mut Decided) {
    let around = [NOWHERE; LABEL_REACH];
    let numbers = around.iter().chain(ids).chain(&around);
    let places: Vec<u32> = numbers.map(|&number| annotator.place(strings, number)).collect();
    let mut tags = vec![OUTSIDE; places.len()];
    for (window, tag) in
        places[LABEL_REACH - TAG_REACH..].windows(TAG_WINDOW).zip(&mut tags[LABEL_REACH..]).take(ids.len())
    {
        *tag = annotator.tag(window.first_chunk().expect("a window has its size"));
    }
    let windows = places.windows(LABEL_WINDOW).zip(tags.windows(LABEL_WINDOW));
    let start = found.labels.len();
    found.labels.extend(windows.map(|(words, tags)| {
        let (words, tags) = words.first_chunk().zip(tags.first_chunk()).expect("a window has its size");
        annotator.label(words, tags)
    }));
    let (tags, labels) = (&tags[LABEL_REACH..][..ids.len()], &found.labels[start..]);
    found.heads.extend(heads(&annotator.model.vocabulary, tags, labels));
    found.tags.extend(tags);
}

/// The head of an auxiliary is the next other verb to its right; every other token is a root.
fn heads(vocabulary: &Vocabulary, tags: &[u8], labels: &[u8]) -> Vec<i32> {
    let mut next = None;
    let mut heads: Vec<i32> = (0..tags.len() as i32).collect();
    for t in (0..tags.len()).rev() {
        if vocabulary.auxiliaries[labels[t] as usize] {
            heads[t] = next.unwrap_or(t) as i32;
        } else if vocabulary.verbs[tags[t] as usize] {
            next = Some(t);
        }
    }
    heads
}
