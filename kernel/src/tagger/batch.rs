//! A batch in and out: words interned once, annotations as columns of ids into one table of strings.

use super::{Model, Vocabulary};

use rustc_hash::FxHashMap;

/// Distinct strings in order of first appearance.
#[derive(Default)]
pub struct Table {
    pub strings: Vec<String>,
    places: FxHashMap<String, u32>,
}

impl Table {
    /// The place of a string, which is added if it is new.
    pub fn intern(&mut self, text: &str) -> u32 {
        if let Some(&place) = self.places.get(text) {
            return place;
        }
        let place = self.strings.len() as u32;
        self.strings.push(text.to_string());
        self.places.insert(text.to_string(), place);
        place
    }
}

/// What a profile says of a tag (empty form) or of one lower-case form with that tag: the universal part of
/// speech, and the lemma unless it is empty.
pub struct Rule {
    pub tag: String,
    pub form: String,
    pub pos: String,
    pub lemma: String,
}

/// Rules by tag and form.
pub struct Profile {
    rules: FxHashMap<(String, String), (String, String)>,
}

impl Profile {
    pub fn new(rules: Vec<Rule>) -> Self {
        let rules = rules.into_iter().map(|rule| ((rule.tag, rule.form), (rule.pos, rule.lemma))).collect();
        Self { rules }
    }

    /// Part of speech and lemma ("" if none is prescribed) of a lower-case form with a tag.
    fn of(&self, tag: &str, lower: &str) -> (&str, &str) {
        let rule = |form: &str| self.rules.get(&(tag.to_string(), form.to_string()));
        rule(lower).or_else(|| rule("")).map_or(("", ""), |(pos, lemma)| (pos, lemma))
    }

    /// Lemma and part of speech of a form with a tag of the vocabulary.
    pub fn reading(&self, vocabulary: &Vocabulary, form: &str, tag: u8) -> (String, String) {
        let tag = vocabulary.tags[tag as usize].as_str();
        let (pos, prescribed) = self.of(tag, &form.to_lowercase());
        let lemma = if prescribed.is_empty() { vocabulary.lexicon.lemma(form, tag) } else { prescribed.to_string() };
        (lemma, pos.to_string())
    }
}

/// Annotated tokens: `form`, `lemma`, `pos`, `tag`, `dep` are places in `strings`, `head` a place in the sentence.
pub struct Columns {
    pub strings: Vec<String>,
    pub form: Vec<i32>,
    pub lemma: Vec<i32>,
    pub pos: Vec<i32>,
    pub tag: Vec<i32>,
    pub dep: Vec<i32>,
    pub head: Vec<i32>,
}

/// Annotate a batch: token t is `table.strings[ids[t]]`, sentence s is `offsets[s]..offsets[s + 1]`.
///
/// Cost: that of `Model::annotate`, and one lemma and one rule a distinct pair of form and tag.
pub fn columns(
    model: &Model,
    profile: &Profile,
    mut table: Table,
    ids: &[u32],
    offsets: &[usize],
    threads: usize,
) -> Columns {
    let found = model.annotate(&table.strings, ids, offsets, threads);
    let vocabulary = &model.vocabulary;
    let tags: Vec<u32> = vocabulary.tags.iter().map(|tag| table.intern(tag)).collect();
    let labels: Vec<u32> = vocabulary.labels.iter().map(|label| table.intern(label)).collect();
    let mut pairs: FxHashMap<(u32, u8), (i32, i32)> = FxHashMap::default();
    let (mut lemma, mut pos) = (Vec::with_capacity(ids.len()), Vec::with_capacity(ids.len()));
    let each_tag = found.iter().flat_map(|sentence| &sentence.tags);
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
        form: ids.iter().map(|&id| id as i32).collect(),
        lemma,
        pos,
        tag: found.iter().flat_map(|sentence| &sentence.tags).map(|&tag| place(&tags, tag)).collect(),
        dep: found.iter().flat_map(|sentence| &sentence.labels).map(|&label| place(&labels, label)).collect(),
        head: found.iter().flat_map(|sentence| &sentence.heads).copied().collect(),
        strings: table.strings,
    }
}
