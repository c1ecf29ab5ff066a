//! Extraction of edits from text with the builtin annotator, in threads.

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use crate::edits::annotated::{AnnotatedPair, AnnotatedSentence, Tokens};
use crate::edits::columns::EditColumns;
use crate::edits::lexicon::{Lexicon, WordList};
use crate::edits::pair::{PairExtractor, Settings};
use crate::edits::rules::TagSet;
use crate::error::Error;
use crate::parallel;
use crate::tagger::model::{Model, Profile};
use crate::tagger::session::{Annotation, SentenceMemo, Session};
use crate::text::Text;

/// Number of sentences that a thread takes at once.
const SENTENCES_PER_TASK: usize = 64;

/// Extracts edits with the annotator and rules. Facts about words are cached between calls.
pub struct Extractor {
    tools: Arc<ExtractorTools>,
    idle_workers: Mutex<Vec<Worker>>,
}

/// Read-only data of all threads.
pub struct ExtractorTools {
    pub model: Arc<Model>,
    pub profile: Arc<Profile>,
    pub words: Arc<WordList>,
    pub settings: Settings,
}

impl Extractor {
    pub fn new(tools: ExtractorTools) -> Self {
        Self { tools: Arc::new(tools), idle_workers: Mutex::default() }
    }

    /// The idle workers; None while another thread holds the lock. Never waits, because a process forked while the lock
    /// is held would wait forever.
    fn idle_workers(&self) -> Option<MutexGuard<'_, Vec<Worker>>> {
        match self.idle_workers.try_lock() {
            Ok(idle_workers) => Some(idle_workers),
            Err(TryLockError::Poisoned(idle_workers)) => Some(idle_workers.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// A worker for a thread: an idle one or a new one.
    fn worker(&self) -> BorrowedWorker<'_> {
        let idle_worker = self.idle_workers().and_then(|mut idle_workers| idle_workers.pop());
        let worker = idle_worker.unwrap_or_else(|| Worker::new(Arc::clone(&self.tools)));
        BorrowedWorker { worker: Some(worker), extractor: self }
    }

    /// The edits from each source to each of its targets: one version per target and sentence, none if the line is
    /// missing. All texts have the same number of lines.
    ///
    /// Cost: only the comparison for equal tokens, else `PairExtractor::extract` and the annotation of the tokens that
    /// it reads, at most a microsecond each. The result does not depend on `threads`.
    pub fn extract(&self, source: &Text, targets: &[Text], threads: usize) -> Result<Vec<EditColumns>, Error> {
        assert!(targets.iter().all(|target| target.len() == source.len()), "source and target have equally many lines");
        let work = |range: Range<usize>, worker: &mut BorrowedWorker| {
            let mut edits = vec![EditColumns::new_from_text(); targets.len()];
            for s in range {
                let lines = targets.iter().map(|target| target.get(s));
                worker.get().extract(s, source.line(s), lines.zip(&mut edits))?;
            }
            Ok(edits)
        };
        let parts = parallel::map_ranges(source.len(), SENTENCES_PER_TASK, threads, || self.worker(), work)?;
        Ok((0..targets.len()).map(|target| EditColumns::concatenated(parts.iter().map(|part| &part[target]))).collect())
    }
}

/// A worker that returns to the extractor when the thread ends.
struct BorrowedWorker<'e> {
    worker: Option<Worker>,
    extractor: &'e Extractor,
}

impl BorrowedWorker<'_> {
    fn get(&mut self) -> &mut Worker {
        self.worker.as_mut().expect("the worker returns only when this is dropped")
    }
}

impl Drop for BorrowedWorker<'_> {
    fn drop(&mut self) {
        // A panic may have interrupted the worker within a sentence.
        if let Some(worker) = self.worker.take().filter(|_| !std::thread::panicking()) {
            if let Some(mut idle_workers) = self.extractor.idle_workers() {
                idle_workers.push(worker);
            }
        }
    }
}

/// The state that a thread reuses for all sentences.
struct Worker {
    tools: Arc<ExtractorTools>,
    session: Session,
    lexicon: Lexicon,
    source: SentenceMemo,
    target: SentenceMemo,
    pairs: PairExtractor,
}

impl Worker {
    fn new(tools: Arc<ExtractorTools>) -> Self {
        Worker {
            session: Session::new(Arc::clone(&tools.model), Arc::clone(&tools.profile)),
            lexicon: lexicon(&tools),
            tools,
            source: SentenceMemo::default(),
            target: SentenceMemo::default(),
            pairs: PairExtractor::default(),
        }
    }

    /// Adds the edits of sentence s to each target's table.
    fn extract<'t>(
        &mut self,
        s: usize,
        line: &str,
        targets: impl Iterator<Item = (Option<&'t str>, &'t mut EditColumns)>,
    ) -> Result<(), Error> {
        if self.session.refresh() {
            self.lexicon = lexicon(&self.tools);
        }
        let mut is_read = false;
        for (target, edits) in targets {
            if let Some(target) = target.filter(|&target| line != target) {
                if !is_read {
                    self.session.read(line, &mut self.source);
                    is_read = true;
                }
                self.session.read_like(&self.source, [line, target], &mut self.target);
                if self.source.forms() != self.target.forms() {
                    self.compare(s, edits)?;
                }
            }
            if target.is_some() {
                edits.end_version(0);
            }
            edits.end_sentence();
        }
        Ok(())
    }

    /// Adds the edits of the current pair.
    fn compare(&mut self, s: usize, edits: &mut EditColumns) -> Result<(), Error> {
        self.update_lexicon();
        let source = BuiltinTokens::new(self.session.annotation(&self.source, None), &self.tools);
        let target = BuiltinTokens::new(self.session.annotation(&self.target, Some(&source.annotation)), &self.tools);
        let source = AnnotatedSentence { lexicon: &self.lexicon, forms: self.source.forms(), tokens: &source };
        let target = AnnotatedSentence { lexicon: &self.lexicon, forms: self.target.forms(), tokens: &target };
        self.pairs.extract(s, AnnotatedPair { source, target }, self.tools.settings, edits)
    }

    /// Computes the facts that the rules need about new strings.
    fn update_lexicon(&mut self) {
        for id in self.lexicon.len()..self.session.strings().len() {
            self.lexicon.add(self.session.strings().get(id as u32));
            if self.tools.settings.types == TagSet::Errant2 {
                let bases = &self.tools.model.vocabulary.lexicon;
                self.lexicon.set_bases(id as u32, |lower| bases.bases(lower));
            }
        }
    }
}

/// A lexicon with the labels of `BuiltinTokens`: the model's tags and labels, and the profile's parts of speech.
fn lexicon(tools: &ExtractorTools) -> Lexicon {
    let mut lexicon = Lexicon::new(Arc::clone(&tools.words));
    let vocabulary = &tools.model.vocabulary;
    let labels = vocabulary.tags.iter().chain(&vocabulary.labels).chain(&tools.profile.parts);
    labels.for_each(|label| lexicon.add_label(label));
    lexicon
}

/// A sentence annotated by the builtin annotator.
struct BuiltinTokens<'a> {
    annotation: Annotation<'a>,
    /// The numbers of the first dependency label and the first part of speech.
    first_dep: u32,
    first_pos: u32,
}

impl<'a> BuiltinTokens<'a> {
    fn new(annotation: Annotation<'a>, tools: &ExtractorTools) -> Self {
        let vocabulary = &tools.model.vocabulary;
        let (tags, labels) = (vocabulary.tags.len() as u32, vocabulary.labels.len() as u32);
        Self { annotation, first_dep: tags, first_pos: tags + labels }
    }
}

impl Tokens for BuiltinTokens<'_> {
    fn lemma(&self, t: usize) -> u32 {
        self.annotation.lemma(t)
    }

    fn pos(&self, t: usize) -> u32 {
        self.first_pos + u32::from(self.annotation.pos(t))
    }

    fn tag(&self, t: usize) -> u32 {
        u32::from(self.annotation.tag(t))
    }

    fn dep(&self, t: usize) -> u32 {
        self.first_dep + u32::from(self.annotation.label(t))
    }

    fn head(&self, t: usize) -> usize {
        self.annotation.head(t)
    }

    fn children(&self, t: usize) -> Vec<usize> {
        self.annotation.auxiliaries(t)
    }

    fn may_be_auxiliary(&self, t: usize) -> bool {
        self.annotation.may_be_auxiliary(t)
    }
}
