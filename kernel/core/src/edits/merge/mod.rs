//! Merging: from the operations of an alignment to the spans of edits (Felice, Bryant & Briscoe 2016, section 4).

pub mod moves;

use crate::edits::align::distance::Pattern;
use crate::edits::align::near::is_near;
use crate::edits::align::{Kind, Operation};
use crate::edits::annotated::{Sentence, Span};
use crate::edits::labels::pos;
use crate::edits::lexicon::bare;
use crate::edits::merge::moves::by_runs;
use crate::edits::rules::RuleSet;

/// A pair of words at least this similar, at the border of a sequence, is a separate edit.
const ALIKE: f64 = 0.75;
const PUNCTUATION: &str = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Merging {
    /// By the rules.
    Rules,
    /// Every operation is an edit.
    AllSplit,
    /// Adjacent operations are one edit.
    AllMerge,
    /// Adjacent operations of one kind (and, for transpositions, one length) are one edit.
    AllEqual,
}

/// The edits of an alignment, in order. Cost: [`by_rules`] for the rules, else O(operations).
pub fn merge(
    operations: &[Operation],
    source: &Sentence,
    target: &Sentence,
    merging: Merging,
    rules: RuleSet,
) -> Vec<Span> {
    let same_group = |a: &Operation, b: &Operation| match merging {
        Merging::AllSplit => false,
        Merging::AllMerge => true,
        Merging::AllEqual => {
            a.kind == b.kind && (a.kind != Kind::Transpose || a.span.source.len() == b.span.source.len())
        }
        Merging::Rules => a.kind != Kind::Transpose && b.kind != Kind::Transpose,
    };
    if merging == Merging::Rules && rules == RuleSet::Chinese {
        return by_runs(operations, source, target);
    }
    let mut spans = Vec::new();
    let changes = operations.split(|operation| operation.kind == Kind::Match);
    for group in changes.flat_map(|run| run.chunk_by(same_group)) {
        if merging == Merging::Rules {
            by_rules(group, source, target, rules, &mut spans);
        } else {
            spans.push(joined(group));
        }
    }
    spans
}

fn joined(group: &[Operation]) -> Span {
    let (first, last) = (&group[0].span, &group[group.len() - 1].span);
    Span { source: first.source.start..last.source.end, target: first.target.start..last.target.end }
}

/// A remaining task: a sequence to divide, or a settled edit.
enum Task<'a> {
    /// The parts from a size on were checked when a longer sequence was divided; of these only the ones at the
    /// beginning can still match a rule.
    Divide(&'a [Operation], usize),
    Emit(Span),
}

/// Splits and merges adjacent operations by errant's rules.
///
/// Cost for L operations: O(L^2) parts, each in constant time except for the letters of parts with the same number of
/// tokens on both sides.
fn by_rules(group: &[Operation], source: &Sentence, target: &Sentence, rules: RuleSet, spans: &mut Vec<Span>) {
    if let [only] = group {
        spans.push(only.span.clone());
        return;
    }
    let mut rules = Rules::new(joined(group), source, target, rules);
    let mut tasks = vec![Task::Divide(group, usize::MAX)];
    while let Some(task) = tasks.pop() {
        match task {
            Task::Emit(span) => spans.push(span),
            Task::Divide([], _) => {}
            Task::Divide([only], _) => spans.push(only.span.clone()),
            Task::Divide(sequence, known) => {
                let parts = rules.divide(sequence, known);
                tasks.extend(parts.into_iter().rev());
            }
        }
    }
}

/// The group's tokens with running sums, which answer questions about a span in constant time.
struct Rules<'a> {
    source: Side<'a>,
    target: Side<'a>,
    pattern: Pattern,
    rules: RuleSet,
}

/// One side of the group: tokens `start..end` of a sentence.
struct Side<'a> {
    sentence: &'a Sentence<'a>,
    start: usize,
    /// Number of bytes of the bare lower-case forms before each token.
    bare: Vec<u32>,
    /// Number of words of verb groups before each token: auxiliaries, particles and verbs, in Czech the last two.
    verbal: Vec<u32>,
    /// Number of particles before each token.
    particles: Vec<u32>,
    /// The end of the run of tokens with this token's POS.
    run: Vec<usize>,
}

impl<'a> Side<'a> {
    fn new(sentence: &'a Sentence<'a>, span: std::ops::Range<usize>, rules: RuleSet) -> Side<'a> {
        let start = span.start;
        let of_groups = if rules == RuleSet::Czech { pos::PART | pos::VERB } else { pos::AUX | pos::PART | pos::VERB };
        let (mut bare, mut verbal, mut particles) = (vec![0], vec![0], vec![0]);
        for (index, t) in span.clone().enumerate() {
            bare.push(bare[index] + sentence.bare_length(t));
            let class = sentence.pos_class(t);
            verbal.push(verbal[index] + u32::from(class & of_groups != 0));
            particles.push(particles[index] + u32::from(class == pos::PART));
        }
        let mut run = vec![span.end; span.len()];
        for t in span.rev().skip(1) {
            if sentence.pos(t) != sentence.pos(t + 1) {
                run[t - start] = t + 1;
            } else {
                run[t - start] = run[t + 1 - start];
            }
        }
        Side { sentence, start, bare, verbal, particles, run }
    }

    fn sum(&self, sums: &[u32], span: &std::ops::Range<usize>) -> u32 {
        sums[span.end - self.start] - sums[span.start - self.start]
    }

    fn one_pos(&self, span: &std::ops::Range<usize>) -> bool {
        self.run[span.start - self.start] >= span.end
    }
}

fn is_punctuation(sentence: &Sentence, t: usize) -> bool {
    sentence.pos_class(t) == pos::PUNCT || PUNCTUATION.contains(sentence.text(t))
}

impl<'a> Rules<'a> {
    fn new(group: Span, source: &'a Sentence<'a>, target: &'a Sentence<'a>, rules: RuleSet) -> Rules<'a> {
        Rules {
            source: Side::new(source, group.source, rules),
            target: Side::new(target, group.target, rules),
            pattern: Pattern::default(),
            rules,
        }
    }

    /// Applies the rules once to two or more operations: the first rule that holds for a part, longest parts first.
    fn divide<'s>(&mut self, sequence: &'s [Operation], known: usize) -> Vec<Task<'s>> {
        let length = sequence.len();
        let is_all = |kind| sequence.iter().all(|operation| operation.kind == kind);
        if is_all(Kind::Delete) || is_all(Kind::Insert) {
            return vec![Task::Emit(joined(sequence))];
        }
        let mut substitutions = vec![0];
        for (index, operation) in sequence.iter().enumerate() {
            let is_one = operation.kind == Kind::Substitute;
            substitutions.push(substitutions[index] + usize::from(is_one));
        }
        for size in (1..length).rev() {
            let starts = if size >= known { 1 } else { length - size };
            for start in 0..starts {
                let end = start + size;
                if substitutions[end + 1] == substitutions[start] {
                    continue;
                }
                if let Some(parts) = self.first_rule(sequence, start, end) {
                    return parts;
                }
            }
        }
        if substitutions[length] > 0 && self.has_content(&joined(sequence)) {
            return vec![Task::Emit(joined(sequence))];
        }
        let alone = |operation: &Operation| Task::Emit(operation.span.clone());
        sequence.iter().map(alone).collect()
    }

    /// The first rule that holds for the operations `start..=end`, which contain a substitution.
    fn first_rule<'s>(&mut self, sequence: &'s [Operation], start: usize, end: usize) -> Option<Vec<Task<'s>>> {
        let part = joined(&sequence[start..=end]);
        let (source, target) = (self.source.sentence, self.target.sentence);
        let (first_o, first_c) = (part.source.start, part.target.start);
        let (last_o, last_c) = (part.source.end - 1, part.target.end - 1);
        let (size_o, size_c) = (part.source.len(), part.target.len());
        let known = end - start + 1;
        let merged = |from: usize, to: usize| {
            vec![
                Task::Divide(&sequence[..from], known),
                Task::Emit(joined(&sequence[from..=to])),
                Task::Divide(&sequence[to + 1..], known),
            ]
        };
        let split = |at: usize| vec![Task::Divide(&sequence[..at], known), Task::Divide(&sequence[at..], known)];

        // Possessive suffixes of English: split one at the beginning (not in ERRANT 2.0), merge others with the word
        // before. Tags of other languages may have any meaning.
        if matches!(self.rules, RuleSet::Errant3 | RuleSet::Errant2) {
            let is_possessive = |o, c| source.tag(o) == "POS" || target.tag(c) == "POS";
            if start == 0 && self.rules != RuleSet::Errant2 && is_possessive(first_o, first_c) {
                return Some(split(1));
            }
            if is_possessive(last_o, last_c) {
                return Some(merged(end - 1, end));
            }
        }
        // Case: [Cat -> The big cat], [, we -> . We].
        if source.lower(last_o) == target.lower(last_c) {
            let capital = |sentence: &Sentence, t| sentence.lexicon.is_capital(sentence.form(t));
            if start == 0 && ((size_o == 1 && capital(target, first_c)) || (size_c == 1 && capital(source, first_o))) {
                return Some(merged(start, end));
            }
            if (size_o > 1 && is_punctuation(source, last_o - 1)) || (size_c > 1 && is_punctuation(target, last_c - 1))
            {
                return Some(merged(end - 1, end));
            }
        }
        // White space and hyphens: [acat -> a cat], [sub - way -> subway].
        if self.same_letters(&part) {
            return Some(merged(start, end));
        }
        // One POS, or auxiliaries, infinitives, phrasal verbs: [to eat -> eating], [watch -> look at].
        if size_o != size_c && (self.one_pos(&part) || self.all_verbal(&part)) {
            return Some(merged(start, end));
        }
        if end - start > 1 {
            return None;
        }
        // The smallest parts: adjacent substitutions, similar words and a last determiner are separate.
        if size_o == 2 && size_c == 2 {
            return Some(split(start + 1));
        }
        if (sequence[start].kind == Kind::Substitute && self.alike(first_o, first_c))
            || (sequence[end].kind == Kind::Substitute && self.alike(last_o, last_c))
        {
            return Some(split(start + 1));
        }
        let is_determiner = |sentence: &Sentence, t| sentence.pos_class(t) == pos::DET;
        let last = sequence[end].kind;
        if end == sequence.len() - 1
            && ((last != Kind::Insert && is_determiner(source, last_o))
                || (last != Kind::Delete && is_determiner(target, last_c)))
        {
            return Some(split(end));
        }
        None
    }

    fn same_letters(&self, part: &Span) -> bool {
        let Rules { source, target, .. } = self;
        if source.sum(&source.bare, &part.source) != target.sum(&target.bare, &part.target) {
            return false;
        }
        let letters = |side: &Side<'a>, span: &std::ops::Range<usize>| {
            let sentence = side.sentence;
            span.clone().flat_map(|t| bare(sentence.lower_text(t)))
        };
        letters(source, &part.source).eq(letters(target, &part.target))
    }

    fn one_pos(&self, part: &Span) -> bool {
        let (source, target) = (&self.source, &self.target);
        source.one_pos(&part.source)
            && target.one_pos(&part.target)
            && source.sentence.pos(part.source.start) == target.sentence.pos(part.target.start)
    }

    fn all_verbal(&self, part: &Span) -> bool {
        let verbal =
            self.source.sum(&self.source.verbal, &part.source) + self.target.sum(&self.target.verbal, &part.target);
        let all = verbal as usize == part.source.len() + part.target.len();
        all && (self.rules != RuleSet::Czech || (1..verbal).contains(&self.particles(part)))
    }

    fn particles(&self, part: &Span) -> u32 {
        let Rules { source, target, .. } = self;
        source.sum(&source.particles, &part.source) + target.sum(&target.particles, &part.target)
    }

    fn has_content(&self, part: &Span) -> bool {
        let content = if self.rules == RuleSet::Czech { pos::OPEN } else { pos::OPEN | pos::AUX };
        let open = |sentence: &Sentence, t| sentence.pos_class(t) & content != 0;
        part.source.clone().any(|t| open(self.source.sentence, t))
            || part.target.clone().any(|t| open(self.target.sentence, t))
    }

    fn alike(&mut self, o: usize, c: usize) -> bool {
        let (o, c) = (self.source.sentence.chars(o), self.target.sentence.chars(c));
        if self.rules == RuleSet::Czech {
            return is_near(o, c);
        }
        self.pattern.set(o);
        1.0 - self.pattern.indel(c) > ALIKE
    }
}
