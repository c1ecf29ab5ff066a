//! Annotated sentences for the rules.

use std::ops::Range;

use crate::edits::labels::Dep;
use crate::edits::lexicon::Lexicon;

/// The annotation of a sentence by position, possibly computed lazily. Tags, parts of speech and dependency labels are
/// numbers of a lexicon's labels; lemmas are only compared.
pub trait Tokens {
    fn lemma(&self, t: usize) -> u32;
    fn pos(&self, t: usize) -> u32;
    fn tag(&self, t: usize) -> u32;
    fn dep(&self, t: usize) -> u32;
    fn head(&self, t: usize) -> usize;
    /// The other tokens whose head is `t`, from left to right.
    fn children(&self, t: usize) -> Vec<usize>;
    /// False only if the label is not an auxiliary's. Faster than computing the label.
    fn may_be_auxiliary(&self, _t: usize) -> bool {
        true
    }
}

/// One annotated sentence, with properties of its tokens by index.
#[derive(Clone, Copy)]
pub struct AnnotatedSentence<'a> {
    pub lexicon: &'a Lexicon,
    /// Numbers of the lexicon's strings.
    pub forms: &'a [u32],
    pub tokens: &'a dyn Tokens,
}

impl<'a> AnnotatedSentence<'a> {
    pub fn len(&self) -> usize {
        self.forms.len()
    }

    pub fn form(&self, t: usize) -> u32 {
        self.forms[t]
    }

    pub fn text(&self, t: usize) -> &'a str {
        self.lexicon.text(self.form(t))
    }

    pub fn chars(&self, t: usize) -> &'a [u32] {
        self.lexicon.chars(self.form(t))
    }

    /// The number of the lower-case form.
    pub fn lower(&self, t: usize) -> u32 {
        self.lexicon.lower(self.form(t))
    }

    pub fn lower_text(&self, t: usize) -> &'a str {
        self.lexicon.lower_text(self.lower(t))
    }

    pub fn lower_chars(&self, t: usize) -> &'a [u32] {
        self.lexicon.lower_chars(self.lower(t))
    }

    /// Numbers of the lower-case form and of its lemmas as a noun, a verb and an adjective.
    pub fn bases(&self, t: usize) -> impl Iterator<Item = u32> + 'a {
        let lower = self.lower(t);
        std::iter::once(lower).chain(self.lexicon.bases(lower).iter().copied())
    }

    pub fn lemma(&self, t: usize) -> u32 {
        self.tokens.lemma(t)
    }

    pub fn pos(&self, t: usize) -> u32 {
        self.tokens.pos(t)
    }

    pub fn pos_text(&self, t: usize) -> &'a str {
        self.lexicon.label(self.pos(t)).text()
    }

    pub fn tag_text(&self, t: usize) -> &'a str {
        self.lexicon.label(self.tokens.tag(t)).text()
    }

    pub fn pos_class(&self, t: usize) -> u8 {
        self.lexicon.label(self.pos(t)).pos_class
    }

    pub fn tag(&self, t: usize) -> &'a str {
        self.lexicon.label(self.tokens.tag(t)).text()
    }

    /// The category of the token's Penn tag.
    pub fn category(&self, t: usize) -> &'static str {
        self.lexicon.label(self.tokens.tag(t)).category
    }

    pub fn dep(&self, t: usize) -> Dep {
        self.lexicon.label(self.tokens.dep(t)).dep
    }

    /// Whether its label begins with "aux".
    pub fn is_auxiliary(&self, t: usize) -> bool {
        self.tokens.may_be_auxiliary(t) && self.dep(t).is_auxiliary()
    }

    /// Whether its label is "aux" or "auxpass".
    pub fn is_plain_auxiliary(&self, t: usize) -> bool {
        self.tokens.may_be_auxiliary(t) && self.dep(t).is_plain_auxiliary()
    }

    /// Whether its label is "acomp" or "amod".
    pub fn modifies(&self, t: usize) -> bool {
        matches!(self.dep(t), Dep::Category { category: "ADJ", .. })
    }

    pub fn head(&self, t: usize) -> usize {
        self.tokens.head(t)
    }

    /// The other tokens whose head is `t`, from left to right.
    pub fn children(&self, t: usize) -> impl Iterator<Item = usize> {
        self.tokens.children(t).into_iter()
    }
}

/// A sentence and its correction.
#[derive(Clone, Copy)]
pub struct AnnotatedPair<'a> {
    pub source: AnnotatedSentence<'a>,
    pub target: AnnotatedSentence<'a>,
}

/// A span of source tokens and the corresponding span of target tokens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpanPair {
    pub source: Range<usize>,
    pub target: Range<usize>,
}

impl SpanPair {
    /// The spans from the beginning of this pair to the end of a later one.
    pub fn to(&self, last: &SpanPair) -> SpanPair {
        SpanPair { source: self.source.start..last.source.end, target: self.target.start..last.target.end }
    }
}
