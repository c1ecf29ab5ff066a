//! What the classifiers look at: hashes of words, affixes, tags and labels around a token.

use super::Vocabulary;

/// Stands for a tag, label or word beyond the sentence.
pub const OUTSIDE: u8 = 255;

/// Mix a value into a hash (the multiplier is 2^64 over the golden ratio).
#[inline]
pub fn mix(hash: u64, value: u64) -> u64 {
    let product = (hash ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    product ^ (product >> 32)
}

/// FNV-1a, 64 bit, of the UTF-8 bytes.
pub fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3))
}

/// The feature of a template with up to three values.
#[inline]
fn feature(template: u64, a: u64, b: u64, c: u64) -> u64 {
    mix(mix(mix(mix(template, 0), a), b), c).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

/// Everything about a word that does not depend on its sentence.
#[derive(Clone)]
pub struct Word {
    pub hash: u64,
    prefixes: [u64; 3],
    suffixes: [u64; 5],
    shape: u64,
    /// Which tags it had in training (0: not seen often enough) and what the lexicon says of it.
    pub class: u64,
    lexicon: u64,
    /// The only tag it had in training, if it was frequent, else `OUTSIDE`.
    pub sure: u8,
    /// The tags it can have, as bits.
    pub possible: u64,
}

impl Word {
    /// The word on both sides of a sentence.
    pub fn outside() -> Self {
        Word {
            hash: 1,
            prefixes: [0; 3],
            suffixes: [0; 5],
            shape: 0,
            class: 0xFFFF,
            lexicon: 0,
            sure: OUTSIDE,
            possible: 0,
        }
    }

    pub fn new(form: &str, vocabulary: &Vocabulary) -> Self {
        let lower = form.to_lowercase();
        let normal: Vec<char> = lower.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
        let text: String = normal.iter().collect();
        let affix = |range: &[char]| fnv(&range.iter().collect::<String>());
        let (class, sure) = vocabulary.class(&text);
        Word {
            hash: fnv(&text),
            prefixes: std::array::from_fn(|n| affix(&normal[..normal.len().min(n + 1)])),
            suffixes: std::array::from_fn(|n| affix(&normal[normal.len().saturating_sub(n + 1)..])),
            shape: fnv(&shape(form)),
            class: u64::from(class),
            lexicon: vocabulary.lexicon.shapes(&lower),
            sure,
            possible: vocabulary.possible(&lower, class),
        }
    }
}

/// X, x, 0 for upper case, lower case and digits, other ASCII as it is, the rest "*"; runs shortened to two.
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

/// Features that choose the tag of token `i`, given the words and the tags chosen before it.
/// `words` has two outside words on both sides, so that token i is `words[i + 2]`.
#[inline]
pub fn tag_features(words: &[&Word], i: usize, before: u8, second: u8, mut emit: impl FnMut(u64)) {
    let (w2, w1, w0, n1, n2) = (words[i], words[i + 1], words[i + 2], words[i + 3], words[i + 4]);
    let (t1, t2) = (u64::from(before), u64::from(second));
    let first = u64::from(i == 0);
    emit(feature(1, 0, 0, 0));
    emit(feature(2, w0.hash, 0, 0));
    emit(feature(3, w0.hash, t1, 0));
    emit(feature(4, w0.hash, t1, t2));
    emit(feature(5, w1.hash, 0, 0));
    emit(feature(6, n1.hash, 0, 0));
    emit(feature(7, w2.hash, 0, 0));
    emit(feature(8, n2.hash, 0, 0));
    emit(feature(9, w1.hash, w0.hash, 0));
    emit(feature(10, w0.hash, n1.hash, 0));
    emit(feature(11, t1, 0, 0));
    emit(feature(12, t2, 0, 0));
    emit(feature(13, t1, t2, 0));
    emit(feature(14, t1, n1.hash, 0));
    for (n, &suffix) in w0.suffixes.iter().enumerate() {
        emit(feature(20 + n as u64, suffix, 0, 0));
    }
    for (n, &prefix) in w0.prefixes.iter().enumerate() {
        emit(feature(30 + n as u64, prefix, 0, 0));
    }
    emit(feature(35, w0.shape, first, 0));
    emit(feature(36, w0.shape, w1.shape, 0));
    emit(feature(37, w0.suffixes[2], t1, 0));
    emit(feature(38, w1.suffixes[2], 0, 0));
    emit(feature(39, n1.suffixes[2], 0, 0));
    emit(feature(40, n1.shape, w0.shape, 0));
    emit(feature(41, w0.class, t1, 0));
    emit(feature(42, w0.class, n1.class, 0));
    emit(feature(43, w0.class, t1, n1.class));
    emit(feature(44, n1.class, t1, 0));
    emit(feature(45, n1.class, n2.class, w0.class));
    emit(feature(46, w0.class, t1, t2));
    emit(feature(47, w0.lexicon, w0.suffixes[1], 0));
    emit(feature(48, w0.lexicon, t1, 0));
    emit(feature(49, w0.lexicon, n1.lexicon, t1));
    emit(feature(50, n1.lexicon, n1.suffixes[1], w0.class));
}

/// Features that choose the label of token `i`, given all words and tags and the labels chosen before it.
/// `words` and `tags` have two outside entries on both sides.
#[inline]
pub fn label_features(
    words: &[&Word],
    tags: &[u8],
    i: usize,
    context: &Context,
    before: u8,
    second: u8,
    mut emit: impl FnMut(u64),
) {
    let (w1, w0, n1, n2) = (words[i + 1].hash, words[i + 2].hash, words[i + 3].hash, words[i + 4].hash);
    let tag = |place: usize| u64::from(tags[i + place]);
    let (t2, t1, t0, u1, u2) = (tag(0), tag(1), tag(2), tag(3), tag(4));
    let (l1, l2) = (u64::from(before), u64::from(second));
    emit(feature(101, t0, 0, 0));
    emit(feature(102, w0, t0, 0));
    emit(feature(103, t1, t0, 0));
    emit(feature(104, t0, u1, 0));
    emit(feature(105, t1, t0, u1));
    emit(feature(106, t2, t1, t0));
    emit(feature(107, t0, u1, u2));
    emit(feature(108, w1, t0, 0));
    emit(feature(109, t0, n1, 0));
    emit(feature(110, w1, w0, 0));
    emit(feature(111, w0, n1, 0));
    emit(feature(112, w0, t1, u1));
    emit(feature(113, w0, u1, u2));
    emit(feature(114, l1, t0, 0));
    emit(feature(115, l1, l2, t0));
    emit(feature(116, l1, w0, 0));
    emit(feature(117, l1, t0, u1));
    emit(feature(118, w0, n2, 0));
    emit(feature(120, context.verb_tag, context.verb_word, t0));
    emit(feature(121, context.verb_tag, t0, u1));
    emit(feature(122, context.preposition, t0, u1));
    emit(feature(123, context.next_verb_tag, context.next_verb_word, w0));
    emit(feature(124, context.next_verb_tag, t0, u1));
    emit(feature(125, context.path, t0, u1));
    emit(feature(126, context.path, t0, w0));
    emit(feature(127, context.verb_word, w0, t0));
    emit(feature(128, context.passive, context.next_verb_tag, t0));
    emit(feature(129, context.ahead, t0, 0));
    emit(feature(130, context.ahead, w0, 0));
    emit(feature(131, context.path, context.ahead, t0));
    emit(feature(132, words[i + 2].suffixes[2], t0, l1));
}

/// What lies further left and right of a token than the neighbours.
#[derive(Clone, Default)]
pub struct Context {
    /// The last verb to the left, unless a clause boundary is between.
    verb_tag: u64,
    verb_word: u64,
    /// Distance class of the last preposition to the left with no verb or boundary between.
    preposition: u64,
    /// Kinds of the tokens back to the nearest verb, preposition or boundary.
    path: u64,
    /// The next verb to the right before a boundary.
    next_verb_tag: u64,
    next_verb_word: u64,
    /// Whether a form of "be" or "get" is among the verbs just before the next verb.
    passive: u64,
    /// Kinds of the tokens on to the end of the noun phrase, and what follows it.
    ahead: u64,
}

/// Coarse kind of a Penn tag, for paths: verb, preposition, noun, pronoun, determiner, ... one letter each.
pub fn kind(tag: &str) -> u8 {
    match tag {
        "VB" | "VBD" | "VBG" | "VBN" | "VBP" | "VBZ" => b'v',
        "MD" => b'm',
        "IN" => b'p',
        "TO" => b't',
        "NN" | "NNS" | "NNP" | "NNPS" | "CD" | "GW" | "ADD" | "FW" => b'n',
        "PRP" | "EX" => b'i',
        "DT" | "PDT" | "PRP$" => b'd',
        "POS" => b's',
        "JJ" | "JJR" | "JJS" | "AFX" => b'j',
        "RB" | "RBR" | "RBS" => b'r',
        "RP" => b'q',
        "WDT" | "WP" | "WP$" | "WRB" => b'w',
        "CC" => b'c',
        "," => b',',
        "." | ":" | "-LRB-" | "-RRB-" | "``" | "''" | "NFP" => b'.',
        "HYPH" => b'h',
        _ => b'x',
    }
}

/// The contexts of all tokens of a sentence. O(n) but for the walks to a boundary, which stop after 8 tokens.
pub fn contexts(words: &[&Word], tags: &[u8], kinds: &[u8], be: &[u64]) -> Vec<Context> {
    const REACH: usize = 8;
    let n = tags.len() - 4;
    let mut out = Vec::with_capacity(n);
    let kind_at = |i: usize| kinds[tags[i + 2] as usize];
    for i in 0..n {
        let mut context = Context::default();
        let mut path = 7;
        let mut previous = 0;
        for j in (i.saturating_sub(REACH)..i).rev() {
            let kind = kind_at(j);
            if kind != previous {
                path = mix(path, u64::from(kind));
            }
            previous = kind;
            if kind == b'p' || kind == b't' {
                context.preposition = (i - j) as u64;
            }
            if matches!(kind, b'v' | b'm' | b'p' | b't' | b'w' | b'.' | b'c') {
                break;
            }
        }
        context.path = path;
        for j in (i.saturating_sub(REACH)..i).rev() {
            match kind_at(j) {
                b'v' => {
                    context.verb_tag = u64::from(tags[j + 2]) + 1;
                    context.verb_word = words[j + 2].hash;
                    break;
                }
                b'.' | b'w' => break,
                _ => {}
            }
        }
        for j in i + 1..n.min(i + 1 + REACH) {
            match kind_at(j) {
                b'v' | b'm' => {
                    context.next_verb_tag = u64::from(tags[j + 2]) + 1;
                    context.next_verb_word = words[j + 2].hash;
                    context.passive = u64::from(be.contains(&words[j + 2].hash));
                    for k in j + 1..n.min(j + 4) {
                        match kind_at(k) {
                            b'r' => continue,
                            b'v' => {
                                let follows = u64::from(tags[k + 2]) + 2;
                                context.passive = context.passive * 256 + follows;
                            }
                            _ => break,
                        }
                    }
                    break;
                }
                b'.' => break,
                _ => {}
            }
        }
        let mut ahead = 9;
        for j in i + 1..=n.min(i + REACH) {
            let kind = if j < n { kind_at(j) } else { b'$' };
            if matches!(kind, b'n' | b'j' | b'd' | b'h') {
                ahead = mix(ahead, u64::from(kind == b'n'));
                if kind != b'n' {
                    continue;
                }
            } else {
                ahead = mix(ahead, u64::from(kind));
                break;
            }
        }
        context.ahead = ahead;
        out.push(context);
    }
    out
}
