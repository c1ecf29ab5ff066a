//! The features of the classifiers: hashes of words, affixes, classes and tags in a window around a token.

use super::model::{zeros, Vocabulary, OUTSIDE};

/// The number of words on each side of a token that determine its tag.
pub const TAG_REACH: usize = 3;
/// The number of words and tags on each side of a token that determine its label.
pub const LABEL_REACH: usize = 4;
/// The number of words of a window.
pub const TAG_WINDOW: usize = 2 * TAG_REACH + 1;
pub const LABEL_WINDOW: usize = 2 * LABEL_REACH + 1;

/// The feature of a template with up to three values.
#[inline(always)]
fn feature(template: u64, values: [u64; 3]) -> u64 {
    let [a, b, c] = values;
    mix(mix(mix(template, a), b), c).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

/// The features of one word at a position of the window for the tag of the token in its middle.
#[inline(always)]
pub fn word_features(position: usize, word: &Word, mut emit: impl FnMut(u64)) {
    let mut add = |template: u64, value: u64| emit(feature(template * 16 + position as u64, [value, 0, 0]));
    add(1, word.hash);
    if position != TAG_REACH {
        add(2, word.class);
        if position.abs_diff(TAG_REACH) == 1 {
            add(3, word.suffixes[2]);
            add(4, word.shape);
        }
        return;
    }
    add(5, 0);
    for (n, &suffix) in word.suffixes.iter().enumerate() {
        add(20 + n as u64, suffix);
    }
    for (n, &prefix) in word.prefixes.iter().enumerate() {
        add(30 + n as u64, prefix);
    }
    add(6, word.shape);
    add(7, mix(word.hash, word.shape));
    add(8, mix(word.lexicon, word.suffixes[1]));
    add(9, word.class);
    add(10, mix(word.class, word.suffixes[2]));
}

/// The features of several words together for the tag of the token in the middle.
#[inline(always)]
pub fn joint_features(window: [&Word; TAG_WINDOW]) -> [u64; 13] {
    let [_, w2, w1, w0, n1, n2, _] = window;
    let (c2, c1, c0, d1, d2) = (w2.class, w1.class, w0.class, n1.class, n2.class);
    let first = u64::from(w1.is_outside());
    [
        feature(900, [w1.hash, w0.hash, 0]),
        feature(901, [w0.hash, n1.hash, 0]),
        feature(902, [c1, w0.hash, 0]),
        feature(903, [w0.hash, d1, 0]),
        feature(904, [w1.hash, c0, 0]),
        feature(905, [c0, n1.hash, 0]),
        feature(906, [c1, c0, 0]),
        feature(907, [c0, d1, 0]),
        feature(908, [c1, c0, d1]),
        feature(909, [c2, c1, c0]),
        feature(910, [c0, d1, d2]),
        feature(911, [w0.shape, first, 0]),
        feature(912, [w0.shape, w1.shape, n1.shape]),
    ]
}

/// Features for the label of the token in the middle, from the words and tags around it.
#[inline(always)]
pub fn label_features(window: [&Word; LABEL_WINDOW], tags: [u8; LABEL_WINDOW], context: &Context) -> [u64; 33] {
    let [_, _, _, w1, w0, n1, _, _, _] = window.map(|word| word.hash);
    let [_, t3, t2, t1, t0, u1, u2, u3, _] = tags.map(u64::from);
    let with = |template: u64, a: u64, b: u64, c: u64| feature(1000 + template, [a, b, c]);
    [
        with(1, t0, 0, 0),
        with(2, w0, t0, 0),
        with(3, t1, t0, 0),
        with(4, t0, u1, 0),
        with(5, t1, t0, u1),
        with(6, t2, t1, t0),
        with(7, t0, u1, u2),
        with(8, w1, t0, 0),
        with(9, t0, n1, 0),
        with(10, w1, w0, 0),
        with(11, w0, n1, 0),
        with(12, w0, t1, u1),
        with(13, w0, u1, u2),
        with(14, w0, t1, t2),
        with(15, t3, t2 << 8 | t1, t0),
        with(16, t0, u1 << 8 | u2, u3),
        with(17, t2 << 8 | t1, t0, u1),
        with(18, t1, t0, u1 << 8 | u2),
        with(19, w1, t0, u1),
        with(20, window[LABEL_REACH].suffixes[2], t0, t1),
        with(30, context.verb_tag, context.verb_word, t0),
        with(31, context.verb_tag, t0, u1),
        with(32, context.preposition, t0, u1),
        with(33, context.next_verb_tag, context.next_verb_word, w0),
        with(34, context.next_verb_tag, t0, u1),
        with(35, context.path, t0, u1),
        with(36, context.path, t0, w0),
        with(37, context.verb_word, w0, t0),
        with(38, context.passive, context.next_verb_tag, t0),
        with(39, context.ahead, t0, 0),
        with(40, context.ahead, w0, 0),
        with(41, context.path, context.ahead, t0),
        with(42, context.path, context.next_verb_tag, t0),
    ]
}

/// Forms before a participle that make it passive.
const BE: &[&str] =
    &["be", "is", "are", "was", "were", "been", "being", "am", "'s", "'re", "'m", "get", "gets", "got", "getting"];

/// Properties of a word that do not depend on its sentence. The first ones are in one cache line.
#[derive(Clone)]
#[repr(C, align(64))]
pub struct Word {
    pub hash: u64,
    /// Its tags in training (0: not frequent enough), and the lexicon's facts about it.
    pub class: u64,
    pub lexicon: u64,
    /// The tags it can have, as bits.
    pub possible: u64,
    /// Its only tag in training, if it was frequent; else `OUTSIDE`.
    pub certain_tag: u8,
    /// Whether it is a form of "be" or "get".
    pub is_be_or_get: bool,
    /// Hashes of the shape, of the first 1 to 3 characters, and of the last 1 to 5.
    pub shape: u64,
    pub prefixes: [u64; 3],
    pub suffixes: [u64; 5],
}

impl Word {
    /// Whether this is the word outside a sentence.
    #[inline(always)]
    pub fn is_outside(&self) -> bool {
        self.possible == 0
    }

    /// The word outside a sentence, on both sides.
    pub fn outside() -> Self {
        Word {
            hash: 1,
            prefixes: [0; 3],
            suffixes: [0; 5],
            shape: 0,
            class: 0xFFFF,
            lexicon: 0,
            certain_tag: OUTSIDE,
            possible: 0,
            is_be_or_get: false,
        }
    }

    /// The properties of a form that determine its word: text with zeros for digits, and the lexicon's facts about it.
    pub fn key(form: &str, vocabulary: &Vocabulary) -> (String, u64) {
        let form = vocabulary.tagged_part(form);
        (zeros(form), vocabulary.lexicon.shapes(&form.to_lowercase()))
    }

    pub fn new((form, lexicon): &(String, u64), vocabulary: &Vocabulary) -> Self {
        let text = form.to_lowercase();
        let normal: Vec<char> = text.chars().collect();
        let affix = |range: &[char]| fnv(&range.iter().collect::<String>());
        let (class, certain_tag) = vocabulary.class(&text);
        let seen = vocabulary.class_tags[class as usize];
        let possible = vocabulary.sets.possible(&text, seen, *lexicon);
        Word {
            hash: fnv(&text),
            prefixes: std::array::from_fn(|n| affix(&normal[..normal.len().min(n + 1)])),
            suffixes: std::array::from_fn(|n| affix(&normal[normal.len().saturating_sub(n + 1)..])),
            shape: fnv(&shape(form)),
            class: if class > 0 {
                u64::from(class)
            } else {
                mix(possible, u64::from(form.starts_with(char::is_uppercase)))
            },
            lexicon: *lexicon,
            certain_tag,
            possible,
            is_be_or_get: BE.contains(&text.as_str()),
        }
    }
}

/// X, x, 0 for upper case, lower case and digits, other ASCII unchanged, "*" otherwise; repetitions are shortened to
/// two.
fn shape(form: &str) -> String {
    let mut out: Vec<char> = Vec::new();
    for c in form.chars() {
        let kind = match c {
            c if c.is_ascii_digit() => '0',
            c if c.is_uppercase() => 'X',
            c if c.is_lowercase() => 'x',
            c if c.is_ascii() => c,
            _ => '*',
        };
        if out.len() < 2 || out[out.len() - 1] != kind || out[out.len() - 2] != kind {
            out.push(kind);
        }
    }
    out.into_iter().collect()
}

/// Mixes a value into a hash (the multiplier is 2^64 over the golden ratio).
#[inline]
pub fn mix(hash: u64, value: u64) -> u64 {
    let product = (hash ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    product ^ (product >> 32)
}

/// FNV-1a, 64 bit, of the UTF-8 bytes.
pub fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3))
}

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
