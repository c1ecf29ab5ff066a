//! From text to edit columns with the builtin annotator: words, tags, alignment, merging and types, in threads.

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use crate::edits::annotated::{Columns, Sentence};
use crate::edits::columns::EditColumns;
use crate::edits::lexicon::{Lexicon, WordList};
use crate::edits::pair::{Pairs, Settings, TooLong};
use crate::edits::rules::TagSet;
use crate::parallel;
use crate::tagger::model::Model;
use crate::tagger::profile::Profile;
use crate::tagger::session::{Annotation, Session};
use crate::text::words::words;
use crate::text::Text;

/// Number of sentences per task of a thread.
const RUN: usize = 64;

/// Sentences with the decisions of the annotator, from which their annotation is restored without work.
pub struct AnnotatedText {
    text: Text,
    /// Sentence s has the tokens `offsets[s]..offsets[s + 1]`.
    offsets: Vec<usize>,
    /// Tag and label of each token, see `Session::decisions`.
    decisions: Vec<[u8; 2]>,
}

impl AnnotatedText {
    pub fn len(&self) -> usize {
        self.text.len()
    }

    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Approximate size in bytes.
    pub fn bytes(&self) -> usize {
        let text: usize = (0..self.text.len()).map(|s| self.text.line(s).len() + 8).sum();
        text + 8 * self.offsets.len() + 2 * self.decisions.len()
    }

    fn decisions(&self, s: usize) -> &[[u8; 2]] {
        &self.decisions[self.offsets[s]..self.offsets[s + 1]]
    }
}

/// Extracts edits with the annotator and rules. Facts about words that its threads compute are kept for the next call.
pub struct Extractor {
    tools: Arc<Tools>,
    idle: Mutex<Vec<Worker>>,
}

/// Read-only data of all threads.
pub struct Tools {
    pub model: Arc<Model>,
    pub profile: Arc<Profile>,
    pub words: Arc<WordList>,
    pub settings: Settings,
}

impl Extractor {
    pub fn new(tools: Tools) -> Self {
        Self { tools: Arc::new(tools), idle: Mutex::default() }
    }

    /// The idle workers; None while another thread holds the lock. It never waits, since a process forked meanwhile
    /// would wait forever.
    fn idle(&self) -> Option<MutexGuard<'_, Vec<Worker>>> {
        match self.idle.try_lock() {
            Ok(idle) => Some(idle),
            Err(TryLockError::Poisoned(idle)) => Some(idle.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// A worker for a thread: an idle one or a new one.
    fn worker(&self) -> Hired<'_> {
        let idle = self.idle().and_then(|mut idle| idle.pop());
        let worker = idle.unwrap_or_else(|| Worker::new(Arc::clone(&self.tools)));
        Hired { worker: Some(worker), extractor: self }
    }

    /// Annotates sentences one by one. Cost: `Session::annotate`, about a microsecond per token.
    pub fn annotate(&self, source: &Text, threads: usize) -> AnnotatedText {
        let work = |run: Range<usize>, worker: &mut Hired| {
            let mut decisions = Vec::new();
            let mut ends = Vec::with_capacity(run.len());
            for s in run {
                worker.get().annotate(source.line(s), &mut decisions);
                ends.push(decisions.len());
            }
            (ends, decisions)
        };
        let (mut offsets, mut decisions) = (vec![0], Vec::new());
        for (ends, part) in parallel::runs(source.len(), RUN, threads, || self.worker(), work) {
            let before = decisions.len();
            offsets.extend(ends.into_iter().map(|end| before + end));
            decisions.extend(part);
        }
        decisions.shrink_to_fit();
        // A copy, since a slice would keep the whole original text.
        let text = Text::new(source.iter());
        AnnotatedText { text, offsets, decisions }
    }

    /// The edits from each source to its target, one version per sentence, none if the target is missing. Both have the
    /// same number of lines.
    ///
    /// Cost: only the comparison for equal tokens, else `Session::annotate_like` for the target and `Pairs::extract`.
    /// The result does not depend on `threads`.
    pub fn extract(&self, source: &AnnotatedText, target: &Text, threads: usize) -> Result<EditColumns, TooLong> {
        assert_eq!(source.len(), target.len(), "source and target have equally many lines");
        let work = |run: Range<usize>, worker: &mut Hired| {
            let mut edits = EditColumns::found_in_text();
            for s in run {
                if let Some(line) = target.get(s) {
                    worker.get().extract(s, source, line, &mut edits)?;
                    edits.end_version(0);
                }
                edits.end_sentence();
            }
            Ok(edits)
        };
        EditColumns::joined(parallel::runs(source.len(), RUN, threads, || self.worker(), work))
    }
}

/// A worker that returns to the extractor when the thread is done.
struct Hired<'e> {
    worker: Option<Worker>,
    extractor: &'e Extractor,
}

impl Hired<'_> {
    fn get(&mut self) -> &mut Worker {
        self.worker.as_mut().expect("a worker stays until the thread is done")
    }
}

impl Drop for Hired<'_> {
    fn drop(&mut self) {
        // A panic may have interrupted the worker within a sentence.
        if let Some(worker) = self.worker.take().filter(|_| !std::thread::panicking()) {
            if let Some(mut idle) = self.extractor.idle() {
                idle.push(worker);
            }
        }
    }
}

/// The state that a thread reuses for all sentences.
struct Worker {
    tools: Arc<Tools>,
    session: Session,
    lexicon: Lexicon,
    source: Annotation,
    target: Annotation,
    pairs: Pairs,
}

impl Worker {
    fn new(tools: Arc<Tools>) -> Self {
        Worker {
            session: Session::new(Arc::clone(&tools.model), Arc::clone(&tools.profile)),
            lexicon: Lexicon::new(Arc::clone(&tools.words)),
            tools,
            source: Annotation::default(),
            target: Annotation::default(),
            pairs: Pairs::default(),
        }
    }

    fn refresh(&mut self) {
        if self.session.refresh() {
            self.lexicon = Lexicon::new(Arc::clone(&self.tools.words));
        }
    }

    fn annotate(&mut self, line: &str, decisions: &mut Vec<[u8; 2]>) {
        self.refresh();
        self.session.annotate(words(line), &mut self.source);
        decisions.extend(Session::decisions(&self.source));
    }

    fn extract(
        &mut self,
        s: usize,
        source: &AnnotatedText,
        target: &str,
        edits: &mut EditColumns,
    ) -> Result<(), TooLong> {
        let line = source.text.line(s);
        if line == target || words(line).eq(words(target)) {
            return Ok(());
        }
        self.refresh();
        self.session.recall(words(line), source.decisions(s), &mut self.source);
        self.session.annotate_like(&self.source, words(target), &mut self.target);
        self.learn();
        let (source, target) = (sentence(&self.source, &self.lexicon), sentence(&self.target, &self.lexicon));
        if self.pairs.extract(&source, &target, self.tools.settings, edits) {
            Ok(())
        } else {
            Err(TooLong::of(s, &source, &target))
        }
    }

    /// Computes the facts that the rules need about new strings.
    fn learn(&mut self) {
        let known = self.lexicon.len();
        for (id, text) in self.session.strings().iter().enumerate().skip(known) {
            self.lexicon.add(text);
            if self.tools.settings.types == TagSet::Errant2 {
                let bases = &self.tools.model.vocabulary.lexicon;
                self.lexicon.set_bases(id as u32, |lower| bases.bases(lower));
            }
        }
    }
}

fn sentence<'a>(annotation: &'a Annotation, lexicon: &'a Lexicon) -> Sentence<'a> {
    let Annotation { form, lemma, pos, tag, dep, head, .. } = annotation;
    let columns = Columns { form, lemma, pos, tag, dep, head };
    Sentence { lexicon, columns }
}
