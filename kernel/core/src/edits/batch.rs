//! Extraction of edits from sentences that any annotator has annotated, given as columns of string ids.

use std::ops::Range;
use std::sync::Arc;

use crate::edits::annotated::{AnnotatedPair, AnnotatedSentence, SpanPair, Tokens};
use crate::edits::classify::classify;
use crate::edits::columns::EditColumns;
use crate::edits::lexicon::{Lexicon, WordList};
use crate::edits::pair::{PairExtractor, Settings};
use crate::edits::rules::TagSet;
use crate::error::Error;
use crate::parallel;
use crate::text::strings::Strings;

/// Columns of tokens: `form`, `lemma`, `pos` (universal), `tag`, `dep` are indices of strings, `head` the position of
/// the token's head in its sentence.
pub struct TokenColumns<'a> {
    pub form: &'a [i32],
    pub lemma: &'a [i32],
    pub pos: &'a [i32],
    pub tag: &'a [i32],
    pub dep: &'a [i32],
    pub head: &'a [i32],
}

impl TokenColumns<'_> {
    /// Whether the columns fit sentences with these offsets, with ids below the number of `strings`.
    fn are_consistent(&self, offsets: &[i64], strings: usize) -> bool {
        let ids = [self.form, self.lemma, self.pos, self.tag, self.dep];
        let heads = |ends: &[i64]| self.head.get(ends[0] as usize..ends[1] as usize);
        offsets.first() == Some(&0)
            && offsets.last() == Some(&(self.head.len() as i64))
            && ids.iter().all(|column| column.len() == self.head.len())
            && ids.iter().all(|column| column.iter().all(|&id| (0..strings as i64).contains(&id.into())))
            && offsets.windows(2).all(|ends| {
                heads(ends).is_some_and(|heads| heads.iter().all(|&head| (0..ends[1] - ends[0]).contains(&head.into())))
            })
    }
}

/// Annotation of a token: numbers of its lemma and labels, and the position of its head.
struct BatchToken {
    lemma: u32,
    pos: u32,
    tag: u32,
    dep: u32,
    head: usize,
}

struct BatchSentence {
    forms: Vec<u32>,
    tokens: Vec<BatchToken>,
}

impl Tokens for BatchSentence {
    fn lemma(&self, t: usize) -> u32 {
        self.tokens[t].lemma
    }

    fn pos(&self, t: usize) -> u32 {
        self.tokens[t].pos
    }

    fn tag(&self, t: usize) -> u32 {
        self.tokens[t].tag
    }

    fn dep(&self, t: usize) -> u32 {
        self.tokens[t].dep
    }

    fn head(&self, t: usize) -> usize {
        self.tokens[t].head
    }

    fn children(&self, t: usize) -> Vec<usize> {
        (0..self.tokens.len()).filter(|&child| child != t && self.head(child) == t).collect()
    }
}

/// Numbers of two sentences of a batch, equal if nothing changed; None for a sentence without a version.
pub type SentencePair = Option<(usize, usize)>;

/// Number of pairs that a thread takes at once.
const PAIRS_PER_TASK: usize = 64;

/// Annotated sentences with their distinct strings and labels.
pub struct Batch {
    lexicon: Lexicon,
    strings: Strings,
    labels: Strings,
    sentences: Vec<BatchSentence>,
}

impl Batch {
    pub fn new(words: Arc<WordList>) -> Self {
        let (strings, labels, sentences) = Default::default();
        Self { lexicon: Lexicon::new(words), strings, labels, sentences }
    }

    /// Adds sentences: sentence s has the tokens `offsets[s]..offsets[s + 1]` of the columns, whose ids are indices of
    /// `strings`; `bases[v]` has the lemmas of lower-cased string v, if the rules need them. Err: inconsistent columns.
    /// O(strings + tokens).
    pub fn add(
        &mut self,
        strings: &[String],
        bases: &[[String; 3]],
        offsets: &[i64],
        columns: TokenColumns,
    ) -> Result<(), Error> {
        Error::check_arguments(
            columns.are_consistent(offsets, strings.len()),
            "the columns of an annotator are inconsistent",
        )?;
        let ids: Vec<u32> = strings.iter().map(|string| self.intern(string)).collect();
        for (&id, bases) in ids.iter().zip(bases) {
            self.lexicon.set_bases(id, |_| bases.clone());
        }
        let mut label = |id: i32| {
            let number = self.labels.intern(&strings[id as usize]);
            if number as usize == self.lexicon.labels() {
                self.lexicon.add_label(self.labels.get(number));
            }
            number
        };
        for ends in offsets.windows(2) {
            let tokens = ends[0] as usize..ends[1] as usize;
            self.sentences.push(BatchSentence {
                forms: columns.form[tokens.clone()].iter().map(|&id| ids[id as usize]).collect(),
                tokens: tokens
                    .map(|t| BatchToken {
                        lemma: ids[columns.lemma[t] as usize],
                        pos: label(columns.pos[t]),
                        tag: label(columns.tag[t]),
                        dep: label(columns.dep[t]),
                        head: columns.head[t] as usize,
                    })
                    .collect(),
            });
        }
        Ok(())
    }

    fn intern(&mut self, text: &str) -> u32 {
        let id = self.strings.intern(text);
        if id as usize == self.lexicon.len() {
            self.lexicon.add(text);
        }
        id
    }

    fn sentence(&self, s: usize) -> AnnotatedSentence<'_> {
        let sentence = &self.sentences[s];
        AnnotatedSentence { lexicon: &self.lexicon, forms: &sentence.forms, tokens: sentence }
    }

    /// The edits of each pair (source, target), one version per sentence. Cost: `PairExtractor::extract` for each.
    pub fn extract(&self, pairs: &[SentencePair], settings: Settings, threads: usize) -> Result<EditColumns, Error> {
        let is_known =
            |&(source, target): &(usize, usize)| source == target || source.max(target) < self.sentences.len();
        Error::check_arguments(pairs.iter().flatten().all(is_known), "a pair contains an unknown sentence")?;
        let extract = |range: Range<usize>, extractor: &mut PairExtractor| {
            let mut edits = EditColumns::new_from_text();
            for s in range {
                if let Some((source, target)) = pairs[s].filter(|(source, target)| source != target) {
                    let pair = AnnotatedPair { source: self.sentence(source), target: self.sentence(target) };
                    extractor.extract(s, pair, settings, &mut edits)?;
                }
                if pairs[s].is_some() {
                    edits.end_version(0);
                }
                edits.end_sentence();
            }
            Ok(edits)
        };
        let blocks = parallel::map_ranges(pairs.len(), PAIRS_PER_TASK, threads, PairExtractor::default, extract)?;
        Ok(EditColumns::concatenated(blocks.iter()))
    }

    /// The types of edits: `edits[e]` has the numbers of two sentences, and start and end in each. Cost: `classify` for
    /// each. Err: an edit does not fit its sentences.
    pub fn types(&self, edits: &[[i64; 6]], types: TagSet) -> Result<Vec<String>, Error> {
        let sentence = |s: i64, start: i64, end: i64| {
            let s = usize::try_from(s).ok().filter(|&s| s < self.sentences.len())?;
            (0 <= start && start <= end && end <= self.sentences[s].forms.len() as i64).then(|| self.sentence(s))
        };
        let type_of = |&[s, t, start, end, target_start, target_end]: &[i64; 6]| {
            let pair = sentence(s, start, end).zip(sentence(t, target_start, target_end));
            let (source, target) = pair.ok_or_else(|| {
                let edit = format!("the edit {start} {end} -> {target_start} {target_end}");
                Error::Arguments(edit + " does not fit its sentences")
            })?;
            let target_span = target_start as usize..target_end as usize;
            let span = SpanPair { source: start as usize..end as usize, target: target_span };
            Ok(classify(&AnnotatedPair { source, target }, &span, types).to_string())
        };
        edits.iter().map(type_of).collect()
    }
}
