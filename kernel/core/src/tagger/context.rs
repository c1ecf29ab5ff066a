//! Wider context of a token: the verbs around it and its phrase.

use super::word::{mix, Word};

/// Hashes and tags, 0 for missing ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// The last verb to the left without a clause boundary between: tag + 1 and word.
    pub verb_tag: u64,
    pub verb_word: u64,
    /// Distance to the last preposition to the left without a verb or boundary between.
    pub preposition: u64,
    /// Kinds of the tokens back to the nearest verb, preposition or boundary.
    pub path: u64,
    /// The next verb to the right before a boundary: tag + 1 and word.
    pub next_verb_tag: u64,
    pub next_verb_word: u64,
    /// Whether that verb is a form of "be" or "get", and the verbs that follow it.
    pub passive: u64,
    /// Kinds of the tokens up to the end of the noun phrase, and the kind that follows.
    pub ahead: u64,
}

/// The window of words and tags that the context is computed from.
pub struct ContextWindow<'a> {
    words: &'a [&'a Word],
    tags: &'a [u8],
    kinds: &'a [u8; 256],
}

impl<'a> ContextWindow<'a> {
    /// `kinds[tag]` is the kind of a tag.
    pub fn new(words: &'a [&'a Word], tags: &'a [u8], kinds: &'a [u8; 256]) -> Self {
        ContextWindow { words, tags, kinds }
    }

    fn len(&self) -> usize {
        self.tags.len()
    }

    fn kind(&self, i: usize) -> u8 {
        self.kinds[self.tags[i] as usize]
    }

    fn tag(&self, i: usize) -> u64 {
        u64::from(self.tags[i])
    }

    fn word(&self, i: usize) -> u64 {
        self.words[i].hash
    }

    /// The context of token i. O(window).
    pub fn context(&self, i: usize) -> Context {
        let mut context = Context { ahead: self.ahead(i), ..Context::default() };
        self.previous_words(i, &mut context);
        self.next_verb(i, &mut context);
        context
    }

    fn previous_words(&self, i: usize, context: &mut Context) {
        let mut previous = 0;
        context.path = 7;
        for j in (0..i).rev() {
            let kind = self.kind(j);
            if kind != previous {
                context.path = mix(context.path, u64::from(kind));
            }
            previous = kind;
            if matches!(kind, b'p' | b't') {
                context.preposition = (i - j) as u64;
            }
            if matches!(kind, b'v' | b'm' | b'p' | b't' | b'w' | b'.' | b'c') {
                return self.last_verb(j + 1, context);
            }
        }
    }

    fn last_verb(&self, end: usize, context: &mut Context) {
        for j in (0..end).rev() {
            match self.kind(j) {
                b'v' => {
                    context.verb_tag = self.tag(j) + 1;
                    context.verb_word = self.word(j);
                    return;
                }
                b'.' | b'w' => return,
                _ => {}
            }
        }
    }

    fn next_verb(&self, i: usize, context: &mut Context) {
        for j in i + 1..self.len() {
            match self.kind(j) {
                b'v' | b'm' => {
                    context.next_verb_tag = self.tag(j) + 1;
                    context.next_verb_word = self.word(j);
                    context.passive = self.passive(j);
                    return;
                }
                b'.' => return,
                _ => {}
            }
        }
    }

    /// Whether verb j is a form of "be" or "get", and the tags of up to three verbs after it, adverbs between allowed.
    fn passive(&self, j: usize) -> u64 {
        let mut passive = u64::from(self.words[j].is_be_or_get);
        for k in j + 1..self.len().min(j + 4) {
            match self.kind(k) {
                b'r' => {}
                b'v' => passive = passive * 256 + self.tag(k) + 2,
                _ => break,
            }
        }
        passive
    }

    fn ahead(&self, i: usize) -> u64 {
        let mut ahead = 9;
        for j in i + 1..=self.len() {
            let kind = if j < self.len() { self.kind(j) } else { b'$' };
            if !matches!(kind, b'n' | b'j' | b'd' | b'h') {
                return mix(ahead, u64::from(kind));
            }
            ahead = mix(ahead, u64::from(kind == b'n'));
        }
        ahead
    }
}
