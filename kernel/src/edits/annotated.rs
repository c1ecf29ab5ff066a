//! Annotated sentences for the rules: columns of ids of a lexicon's strings.

use std::ops::Range;

use crate::edits::english::labels::Dep;
use crate::edits::lexicon::Lexicon;

/// Columns of tokens: `form`, `lemma`, `pos` (universal), `tag`, `dep` are ids of a lexicon's strings, `head` is the
/// position of the token's head in its sentence.
#[derive(Clone, Copy)]
pub struct Columns<'a> {
    pub form: &'a [i32],
    pub lemma: &'a [i32],
    pub pos: &'a [i32],
    pub tag: &'a [i32],
    pub dep: &'a [i32],
    pub head: &'a [i32],
}

impl<'a> Columns<'a> {
    /// The tokens `span` of one sentence, with the lexicon of their ids.
    pub fn sentence(&self, span: Range<usize>, lexicon: &'a Lexicon) -> Sentence<'a> {
        let columns = Columns {
            form: &self.form[span.clone()],
            lemma: &self.lemma[span.clone()],
            pos: &self.pos[span.clone()],
            tag: &self.tag[span.clone()],
            dep: &self.dep[span.clone()],
            head: &self.head[span],
        };
        Sentence { lexicon, columns }
    }
}

/// One annotated sentence, with properties of its tokens by index.
#[derive(Clone, Copy)]
pub struct Sentence<'a> {
    pub lexicon: &'a Lexicon,
    pub columns: Columns<'a>,
}

impl<'a> Sentence<'a> {
    pub fn len(&self) -> usize {
        self.columns.form.len()
    }

    pub fn is_empty(&self) -> bool {
        self.columns.form.is_empty()
    }

    pub fn form(&self, t: usize) -> u32 {
        self.columns.form[t] as u32
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

    /// Number of bytes of the lower-case form without apostrophes and hyphens.
    pub fn bare_length(&self, t: usize) -> u32 {
        self.lexicon.bare_length(self.lower(t))
    }

    /// Numbers of the lower-case form and of its lemmas as a noun, a verb and an adjective.
    pub fn bases(&self, t: usize) -> impl Iterator<Item = u32> + 'a {
        let lower = self.lower(t);
        std::iter::once(lower).chain(self.lexicon.bases(lower).iter().copied())
    }

    pub fn lemma(&self, t: usize) -> u32 {
        self.columns.lemma[t] as u32
    }

    pub fn pos(&self, t: usize) -> u32 {
        self.columns.pos[t] as u32
    }

    pub fn pos_text(&self, t: usize) -> &'a str {
        self.lexicon.text(self.columns.pos[t] as u32)
    }

    pub fn pos_class(&self, t: usize) -> u8 {
        self.lexicon.pos_class(self.columns.pos[t] as u32)
    }

    pub fn tag(&self, t: usize) -> &'a str {
        self.lexicon.text(self.columns.tag[t] as u32)
    }

    /// The category of the token's Penn tag.
    pub fn category(&self, t: usize) -> &'static str {
        self.lexicon.category(self.columns.tag[t] as u32)
    }

    pub fn dep(&self, t: usize) -> Dep {
        self.lexicon.dep(self.columns.dep[t] as u32)
    }

    /// Whether its label is "acomp" or "amod".
    pub fn modifies(&self, t: usize) -> bool {
        matches!(self.dep(t), Dep::Category { category: "ADJ", .. })
    }

    pub fn head(&self, t: usize) -> usize {
        self.columns.head[t] as usize
    }

    /// The tokens whose head is `t`, from left to right.
    pub fn children(&self, t: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.len()).filter(move |&child| child != t && self.head(child) == t)
    }
}

/// A span of source tokens and the corresponding span of target tokens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Span {
    pub source: Range<usize>,
    pub target: Range<usize>,
}
