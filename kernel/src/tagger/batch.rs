//! Annotation of a batch: words are interned once, and annotations are columns of ids of one table of strings.

use std::sync::Arc;

use super::annotator::{Annotations, Annotator};
use super::model::Model;
use super::profile::Profile;
use super::strings::Table;
use crate::parallel;

use rustc_hash::FxHashMap;

/// Maximum number of words that a thread stores.
const MANY: usize = 1 << 15;

/// Annotated tokens: `form`, `lemma`, `pos`, `tag`, `dep` are indices of `strings`, `head` a position in the sentence.
pub struct Columns {
    pub strings: Vec<String>,
    pub form: Vec<i32>,
    pub lemma: Vec<i32>,
    pub pos: Vec<i32>,
    pub tag: Vec<i32>,
    pub dep: Vec<i32>,
    pub head: Vec<i32>,
}

/// Tags, labels and heads of a sentence.
type Decided = (Vec<u8>, Vec<u8>, Vec<i32>);

/// Annotate a batch: token t is `table.strings[ids[t]]`, sentence s is `offsets[s]..offsets[s + 1]`.
///
/// Cost: `Annotator::annotate`, split over `threads` (0: one per processor) by sentences; and one lemma and one rule
/// per distinct pair of form and tag. The number of threads does not change the result.
pub fn columns(
    model: &Arc<Model>,
    profile: &Profile,
    mut table: Table,
    ids: &[i32],
    offsets: &[usize],
    threads: usize,
) -> Columns {
    let mut found = vec![Decided::default(); offsets.len().saturating_sub(1)];
    parallel::chunks(
        &mut found,
        1,
        threads,
        || (Annotator::new(Arc::clone(model)), Annotations::default(), Annotations::default()),
        |s, out, (annotator, before, all)| {
            if annotator.words() > MANY {
                *annotator = Annotator::new(Arc::clone(model));
            }
            // Adjacent sentences are often versions of one sentence.
            std::mem::swap(before, all);
            annotator.annotate(&table.strings, &ids[offsets[s]..offsets[s + 1]], Some(before), all);
            out[0] = (all.tags().to_vec(), all.labels().to_vec(), all.heads().to_vec());
        },
    );
    let vocabulary = &model.vocabulary;
    let tags: Vec<u32> = vocabulary.tags.iter().map(|tag| table.intern(tag)).collect();
    let labels: Vec<u32> = vocabulary.labels.iter().map(|label| table.intern(label)).collect();
    let mut pairs: FxHashMap<(i32, u8), (i32, i32)> = FxHashMap::default();
    let (mut lemma, mut pos) = (Vec::with_capacity(ids.len()), Vec::with_capacity(ids.len()));
    let each_tag = found.iter().flat_map(|(tags, _, _)| tags);
    for (&id, &tag) in ids.iter().zip(each_tag) {
        let &mut (its_lemma, its_pos) = pairs.entry((id, tag)).or_insert_with(|| {
            let form = table.strings[id as usize].clone();
            let (lemma, pos) = profile.reading(vocabulary, &form, tag);
            (table.intern(&lemma) as i32, table.intern(&pos) as i32)
        });
        lemma.push(its_lemma);
        pos.push(its_pos);
    }
    let place = |names: &[u32], name: u8| names[name as usize] as i32;
    Columns {
        form: ids.to_vec(),
        lemma,
        pos,
        tag: found.iter().flat_map(|(tags, _, _)| tags).map(|&tag| place(&tags, tag)).collect(),
        dep: found.iter().flat_map(|(_, labels, _)| labels).map(|&label| place(&labels, label)).collect(),
        head: found.iter().flat_map(|(_, _, heads)| heads).copied().collect(),
        strings: table.strings,
    }
}
