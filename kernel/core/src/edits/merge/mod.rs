//! Merging of the operations of an alignment to edits (Felice, Bryant & Briscoe 2016, section 4).

pub mod moves;

use std::ops::Range;

use crate::edits::align::distance::indel_similarity;
use crate::edits::align::near::is_near;
use crate::edits::align::{Operation, OperationKind};
use crate::edits::annotated::{AnnotatedPair, AnnotatedSentence, SpanPair};
use crate::edits::labels::pos;
use crate::edits::lexicon::without_apostrophes_and_hyphens;
use crate::edits::merge::moves::merge_runs;
use crate::edits::rules::RuleSet;

/// Minimum similarity of two words at the border of a sequence that are a separate edit.
const MIN_SIMILARITY: f64 = 0.75;
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
pub fn merge(operations: &[Operation], pair: &AnnotatedPair, merging: Merging, rules: RuleSet) -> Vec<SpanPair> {
    let same_group = |a: &Operation, b: &Operation| match merging {
        Merging::AllSplit => false,
        Merging::AllMerge => true,
        Merging::AllEqual => {
            a.kind == b.kind && (a.kind != OperationKind::Transpose || a.span.source.len() == b.span.source.len())
        }
        Merging::Rules => a.kind != OperationKind::Transpose && b.kind != OperationKind::Transpose,
    };
    if merging == Merging::Rules && rules == RuleSet::Chinese {
        return merge_runs(operations, pair);
    }
    let mut spans = Vec::new();
    let changes = operations.split(|operation| operation.kind == OperationKind::Match);
    for group in changes.flat_map(|run| run.chunk_by(same_group)) {
        if merging == Merging::Rules {
            by_rules(group, pair, rules, &mut spans);
        } else {
            spans.push(covering_span(group));
        }
    }
    spans
}

/// The spans from the first to the last of adjacent operations.
fn covering_span(group: &[Operation]) -> SpanPair {
    group[0].span.to(&group[group.len() - 1].span)
}

/// A pending sequence to divide, or an edit.
enum PendingGroup<'a> {
    /// A sequence, and the size from which on parts were checked when a longer sequence was divided; of those parts
    /// only the ones at the beginning can still match a rule.
    Divide(&'a [Operation], usize),
    Emit(SpanPair),
}

/// Splits and merges adjacent operations by errant's rules.
///
/// Cost for L operations: O(L^2) parts, each in constant time except for the letters of parts with the same number of
/// tokens on both sides.
fn by_rules(group: &[Operation], pair: &AnnotatedPair, rules: RuleSet, spans: &mut Vec<SpanPair>) {
    if let [operation] = group {
        spans.push(operation.span.clone());
        return;
    }
    let span = covering_span(group);
    let mut rules = OperationGroup {
        source: GroupSide::new(&pair.source, span.source, rules),
        target: GroupSide::new(&pair.target, span.target, rules),
        rules,
    };
    let mut pending = vec![PendingGroup::Divide(group, usize::MAX)];
    while let Some(group) = pending.pop() {
        match group {
            PendingGroup::Emit(span) => spans.push(span),
            PendingGroup::Divide([], _) => {}
            PendingGroup::Divide([operation], _) => spans.push(operation.span.clone()),
            PendingGroup::Divide(sequence, checked_size) => {
                pending.extend(rules.divide(sequence, checked_size).into_iter().rev());
            }
        }
    }
}

/// The tokens of adjacent operations, with prefix sums over properties of tokens.
struct OperationGroup<'a> {
    source: GroupSide<'a>,
    target: GroupSide<'a>,
    rules: RuleSet,
}

/// One side of the group: tokens `start..end` of a sentence.
struct GroupSide<'a> {
    sentence: &'a AnnotatedSentence<'a>,
    start: usize,
    /// Number of bytes of the lower-case forms, without apostrophes and hyphens, before each token.
    bare_lengths: Vec<u32>,
    /// Number of words of verb groups before each token: auxiliaries, particles and verbs, in Czech the last two.
    verbal_counts: Vec<u32>,
    /// Number of particles before each token.
    particle_counts: Vec<u32>,
    /// The end of the sequence of tokens with this token's POS.
    run_ends: Vec<usize>,
}

impl<'a> GroupSide<'a> {
    fn new(sentence: &'a AnnotatedSentence<'a>, span: Range<usize>, rules: RuleSet) -> GroupSide<'a> {
        let start = span.start;
        let verbal_classes =
            if rules == RuleSet::Czech { pos::PART | pos::VERB } else { pos::AUX | pos::PART | pos::VERB };
        let (mut bare_lengths, mut verbal_counts, mut particle_counts) = (vec![0], vec![0], vec![0]);
        for (index, t) in span.clone().enumerate() {
            bare_lengths.push(bare_lengths[index] + sentence.bare_length(t));
            let class = sentence.pos_class(t);
            verbal_counts.push(verbal_counts[index] + u32::from(class & verbal_classes != 0));
            particle_counts.push(particle_counts[index] + u32::from(class == pos::PART));
        }
        let mut run_ends = vec![span.end; span.len()];
        for t in span.rev().skip(1) {
            if sentence.pos(t) != sentence.pos(t + 1) {
                run_ends[t - start] = t + 1;
            } else {
                run_ends[t - start] = run_ends[t + 1 - start];
            }
        }
        GroupSide { sentence, start, bare_lengths, verbal_counts, particle_counts, run_ends }
    }

    fn sum(&self, sums: &[u32], span: &Range<usize>) -> u32 {
        sums[span.end - self.start] - sums[span.start - self.start]
    }

    fn one_pos(&self, span: &Range<usize>) -> bool {
        self.run_ends[span.start - self.start] >= span.end
    }
}

fn is_punctuation(sentence: &AnnotatedSentence, t: usize) -> bool {
    sentence.pos_class(t) == pos::PUNCT || PUNCTUATION.contains(sentence.text(t))
}

impl<'a> OperationGroup<'a> {
    /// Applies the first rule that holds for a part of two or more operations, longest parts first.
    fn divide<'s>(&mut self, sequence: &'s [Operation], checked_size: usize) -> Vec<PendingGroup<'s>> {
        let length = sequence.len();
        let is_all = |kind| sequence.iter().all(|operation| operation.kind == kind);
        if is_all(OperationKind::Delete) || is_all(OperationKind::Insert) {
            return vec![PendingGroup::Emit(covering_span(sequence))];
        }
        let mut substitutions = vec![0];
        for (index, operation) in sequence.iter().enumerate() {
            let is_substitution = operation.kind == OperationKind::Substitute;
            substitutions.push(substitutions[index] + usize::from(is_substitution));
        }
        for size in (1..length).rev() {
            let starts = if size >= checked_size { 1 } else { length - size };
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
        if substitutions[length] > 0 && self.has_content(&covering_span(sequence)) {
            return vec![PendingGroup::Emit(covering_span(sequence))];
        }
        let single_edit = |operation: &Operation| PendingGroup::Emit(operation.span.clone());
        sequence.iter().map(single_edit).collect()
    }

    /// The first rule that holds for the operations `start..=end`, which contain a substitution.
    fn first_rule<'s>(&mut self, sequence: &'s [Operation], start: usize, end: usize) -> Option<Vec<PendingGroup<'s>>> {
        let part = covering_span(&sequence[start..=end]);
        let (source, target) = (self.source.sentence, self.target.sentence);
        let (first_o, first_c) = (part.source.start, part.target.start);
        let (last_o, last_c) = (part.source.end - 1, part.target.end - 1);
        let (size_o, size_c) = (part.source.len(), part.target.len());
        let size = end - start + 1;
        let merge_range = |from: usize, to: usize| {
            vec![
                PendingGroup::Divide(&sequence[..from], size),
                PendingGroup::Emit(covering_span(&sequence[from..=to])),
                PendingGroup::Divide(&sequence[to + 1..], size),
            ]
        };
        let split = |middle: usize| {
            vec![PendingGroup::Divide(&sequence[..middle], size), PendingGroup::Divide(&sequence[middle..], size)]
        };

        // Possessive suffixes of English: split one at the beginning (not in ERRANT 2.0), merge others with the word
        // before.
        if matches!(self.rules, RuleSet::Errant3 | RuleSet::Errant2) {
            let is_possessive = |o, c| source.tag(o) == "POS" || target.tag(c) == "POS";
            if start == 0 && self.rules != RuleSet::Errant2 && is_possessive(first_o, first_c) {
                return Some(split(1));
            }
            if is_possessive(last_o, last_c) {
                return Some(merge_range(end - 1, end));
            }
        }
        // Case: [Cat -> The big cat], [, we -> . We].
        if source.lower(last_o) == target.lower(last_c) {
            let is_capital = |sentence: &AnnotatedSentence, t| sentence.lexicon.is_capital(sentence.form(t));
            if start == 0
                && ((size_o == 1 && is_capital(target, first_c)) || (size_c == 1 && is_capital(source, first_o)))
            {
                return Some(merge_range(start, end));
            }
            if (size_o > 1 && is_punctuation(source, last_o - 1)) || (size_c > 1 && is_punctuation(target, last_c - 1))
            {
                return Some(merge_range(end - 1, end));
            }
        }
        // White space and hyphens: [acat -> a cat], [sub - way -> subway].
        if self.same_letters(&part) {
            return Some(merge_range(start, end));
        }
        // One POS, or auxiliaries, infinitives, phrasal verbs: [to eat -> eating], [watch -> look at].
        if size_o != size_c && (self.one_pos(&part) || self.all_verbal(&part)) {
            return Some(merge_range(start, end));
        }
        if end - start > 1 {
            return None;
        }
        // The smallest parts: adjacent substitutions, similar words and a last determiner are separate.
        if size_o == 2 && size_c == 2 {
            return Some(split(start + 1));
        }
        if (sequence[start].kind == OperationKind::Substitute && self.are_similar(first_o, first_c))
            || (sequence[end].kind == OperationKind::Substitute && self.are_similar(last_o, last_c))
        {
            return Some(split(start + 1));
        }
        let is_determiner = |sentence: &AnnotatedSentence, t| sentence.pos_class(t) == pos::DET;
        let last_kind = sequence[end].kind;
        if end == sequence.len() - 1
            && ((last_kind != OperationKind::Insert && is_determiner(source, last_o))
                || (last_kind != OperationKind::Delete && is_determiner(target, last_c)))
        {
            return Some(split(end));
        }
        None
    }

    fn same_letters(&self, part: &SpanPair) -> bool {
        let OperationGroup { source, target, .. } = self;
        if source.sum(&source.bare_lengths, &part.source) != target.sum(&target.bare_lengths, &part.target) {
            return false;
        }
        let letters = |side: &GroupSide<'a>, span: &Range<usize>| {
            let sentence = side.sentence;
            span.clone().flat_map(|t| without_apostrophes_and_hyphens(sentence.lower_text(t)))
        };
        letters(source, &part.source).eq(letters(target, &part.target))
    }

    fn one_pos(&self, part: &SpanPair) -> bool {
        let (source, target) = (&self.source, &self.target);
        source.one_pos(&part.source)
            && target.one_pos(&part.target)
            && source.sentence.pos(part.source.start) == target.sentence.pos(part.target.start)
    }

    fn all_verbal(&self, part: &SpanPair) -> bool {
        let OperationGroup { source, target, .. } = self;
        let total = |in_source, in_target| source.sum(in_source, &part.source) + target.sum(in_target, &part.target);
        let verbal = total(&source.verbal_counts, &target.verbal_counts);
        let particles = total(&source.particle_counts, &target.particle_counts);
        verbal as usize == part.source.len() + part.target.len()
            && (self.rules != RuleSet::Czech || (1..verbal).contains(&particles))
    }

    fn has_content(&self, part: &SpanPair) -> bool {
        let content = if self.rules == RuleSet::Czech { pos::OPEN } else { pos::OPEN | pos::AUX };
        let is_content = |sentence: &AnnotatedSentence, t| sentence.pos_class(t) & content != 0;
        part.source.clone().any(|t| is_content(self.source.sentence, t))
            || part.target.clone().any(|t| is_content(self.target.sentence, t))
    }

    fn are_similar(&mut self, o: usize, c: usize) -> bool {
        let (o, c) = (self.source.sentence.chars(o), self.target.sentence.chars(c));
        if self.rules == RuleSet::Czech {
            return is_near(o, c);
        }
        indel_similarity(o, c) > MIN_SIMILARITY
    }
}
