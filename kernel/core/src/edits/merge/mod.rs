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
use crate::text::words::common_prefix;

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

/// Operations of a group, by index: a pending sequence to divide, or an edit.
enum PendingGroup {
    /// A sequence, and the size from which on parts were checked when a longer sequence was divided; of those parts
    /// only the ones at the beginning can still match a rule.
    Divide(Range<usize>, usize),
    Emit(Range<usize>),
}

/// Splits and merges adjacent operations by errant's rules.
///
/// Cost: O(L log L) for each division of a sequence of L operations; there are fewer divisions than twice the
/// substitutions. Letters are compared in O(L min(letters of source, letters of target)).
fn by_rules(operations: &[Operation], pair: &AnnotatedPair, rules: RuleSet, spans: &mut Vec<SpanPair>) {
    if let [operation] = operations {
        spans.push(operation.span.clone());
        return;
    }
    let group = OperationGroup::new(operations, pair, rules);
    let mut pending = vec![PendingGroup::Divide(0..operations.len(), usize::MAX)];
    while let Some(next) = pending.pop() {
        match next {
            PendingGroup::Emit(part) => spans.push(group.span(part)),
            PendingGroup::Divide(sequence, _) if sequence.is_empty() => {}
            PendingGroup::Divide(sequence, _) if sequence.len() == 1 => spans.push(group.span(sequence)),
            PendingGroup::Divide(sequence, checked_size) => {
                pending.extend(group.divide(sequence, checked_size).into_iter().rev());
            }
        }
    }
}

/// Adjacent operations: substitutions, insertions and deletions.
struct OperationGroup<'a> {
    operations: &'a [Operation],
    /// Number of substitutions before each operation, and in total.
    substitutions: Vec<usize>,
    source: GroupSide<'a>,
    target: GroupSide<'a>,
    /// Letters of the source minus letters of the target before each operation, and in total.
    surplus: Vec<i64>,
    /// The indices of `surplus` by their value.
    by_surplus: Vec<usize>,
    rules: RuleSet,
}

/// One side of the group: tokens `start..` of a sentence, with prefix sums over properties of tokens.
struct GroupSide<'a> {
    sentence: &'a AnnotatedSentence<'a>,
    start: usize,
    /// The lower-case forms without apostrophes and hyphens.
    letters: Vec<u8>,
    /// Number of letters before each token, and in total.
    letter_counts: Vec<usize>,
    /// Number of words of verb groups before each token: auxiliaries, particles and verbs, in Czech the last two.
    verbal_counts: Vec<usize>,
    /// Number of particles before each token.
    particle_counts: Vec<usize>,
    /// The end of the sequence of tokens with this token's POS.
    run_ends: Vec<usize>,
}

impl<'a> GroupSide<'a> {
    fn new(sentence: &'a AnnotatedSentence<'a>, span: Range<usize>, rules: RuleSet) -> GroupSide<'a> {
        let start = span.start;
        let verbal_classes =
            if rules == RuleSet::Czech { pos::PART | pos::VERB } else { pos::AUX | pos::PART | pos::VERB };
        let (mut letters, mut letter_counts) = (Vec::new(), vec![0]);
        let (mut verbal_counts, mut particle_counts) = (vec![0], vec![0]);
        for (index, t) in span.clone().enumerate() {
            letters.extend(without_apostrophes_and_hyphens(sentence.lower_text(t)));
            letter_counts.push(letters.len());
            let class = sentence.pos_class(t);
            verbal_counts.push(verbal_counts[index] + usize::from(class & verbal_classes != 0));
            particle_counts.push(particle_counts[index] + usize::from(class == pos::PART));
        }
        let mut run_ends = vec![span.end; span.len()];
        for t in span.rev().skip(1) {
            if sentence.pos(t) != sentence.pos(t + 1) {
                run_ends[t - start] = t + 1;
            } else {
                run_ends[t - start] = run_ends[t + 1 - start];
            }
        }
        GroupSide { sentence, start, letters, letter_counts, verbal_counts, particle_counts, run_ends }
    }

    fn sum(&self, sums: &[usize], span: &Range<usize>) -> usize {
        sums[span.end - self.start] - sums[span.start - self.start]
    }

    /// The letters from token t on.
    fn letters_from(&self, t: usize) -> &[u8] {
        &self.letters[self.letter_counts[t - self.start]..]
    }

    fn one_pos(&self, span: &Range<usize>) -> bool {
        span.is_empty() || self.run_ends[span.start - self.start] >= span.end
    }
}

fn is_punctuation(sentence: &AnnotatedSentence, t: usize) -> bool {
    sentence.pos_class(t) == pos::PUNCT || PUNCTUATION.contains(sentence.text(t))
}

/// The first number of a range without a property that the numbers before it have and the ones after it have not.
fn first_without(range: Range<usize>, has_property: impl Fn(usize) -> bool) -> usize {
    let Range { start: mut low, end: mut high } = range;
    while low < high {
        let middle = low + (high - low) / 2;
        if has_property(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

impl<'a> OperationGroup<'a> {
    fn new(operations: &'a [Operation], pair: &'a AnnotatedPair<'a>, rules: RuleSet) -> Self {
        let span = covering_span(operations);
        let source = GroupSide::new(&pair.source, span.source, rules);
        let target = GroupSide::new(&pair.target, span.target, rules);
        let (mut substitutions, mut surplus) = (vec![0], vec![0]);
        for (index, operation) in operations.iter().enumerate() {
            substitutions.push(substitutions[index] + usize::from(operation.kind == OperationKind::Substitute));
            let source_letters = source.sum(&source.letter_counts, &operation.span.source) as i64;
            let target_letters = target.sum(&target.letter_counts, &operation.span.target) as i64;
            surplus.push(surplus[index] + source_letters - target_letters);
        }
        let mut by_surplus: Vec<usize> = (0..surplus.len()).collect();
        by_surplus.sort_by_key(|&index| surplus[index]);
        Self { operations, substitutions, source, target, surplus, by_surplus, rules }
    }

    /// The tokens of a part.
    fn span(&self, part: Range<usize>) -> SpanPair {
        covering_span(&self.operations[part])
    }

    fn has_substitution(&self, part: &Range<usize>) -> bool {
        self.substitutions[part.end] > self.substitutions[part.start]
    }

    /// Applies the first rule that holds for a part of two or more operations, longest parts first.
    fn divide(&self, sequence: Range<usize>, checked_size: usize) -> Vec<PendingGroup> {
        let Range { start: first, end } = sequence;
        let is_one_kind = || self.operations[sequence.clone()].windows(2).all(|pair| pair[0].kind == pair[1].kind);
        if self.has_substitution(&sequence) {
            // Every rule that holds for more than two operations also holds for the part from the beginning to the same
            // end, except for those of `merged_end`.
            let mut longest = first..first;
            if sequence.len().min(checked_size) > 2 {
                for start in first + 1..end - 2 {
                    let part = start..self.merged_end(start, end);
                    if part.len() > longest.len() {
                        longest = part;
                    }
                }
            }
            for size in (2..=sequence.len()).rev() {
                let later_starts = match size {
                    2 => first + 1..end - 1,
                    _ if size == longest.len() => longest.start..longest.start + 1,
                    _ => first..first,
                };
                for start in std::iter::once(first).chain(later_starts) {
                    let part = start..start + size;
                    if self.has_substitution(&part) {
                        if let Some(parts) = self.first_rule(&sequence, part) {
                            return parts;
                        }
                    }
                }
            }
            if self.has_content(&self.span(sequence.clone())) {
                return vec![PendingGroup::Emit(sequence)];
            }
        } else if is_one_kind() {
            return vec![PendingGroup::Emit(sequence)];
        }
        sequence.map(|index| PendingGroup::Emit(index..index + 1)).collect()
    }

    /// The end of the longest part from `start` on, at most to `end`, that has a substitution and is merged because of
    /// its letters or parts of speech; `start` if there is none. O(log L), and the comparison of letters.
    fn merged_end(&self, start: usize, end: usize) -> usize {
        let is_unequal = |part: &SpanPair| part.source.len() != part.target.len();
        // The longest part with different numbers of tokens and a property that its parts have, too.
        let unequal_end = |has_property: &dyn Fn(&SpanPair) -> bool| {
            let part_end = first_without(start + 1..end + 1, |part_end| has_property(&self.span(start..part_end))) - 1;
            if part_end == start || is_unequal(&self.span(start..part_end)) {
                return part_end;
            }
            // It ends before the last insertion or deletion.
            let has_change = |index| self.substitutions[part_end] - self.substitutions[index] < part_end - index;
            start.max(first_without(start..part_end, has_change) - 1)
        };
        let verbal_end = unequal_end(&|part| self.are_verbal(part));
        let is_verbal = verbal_end > start && self.all_verbal(&self.span(start..verbal_end));
        let part_end = self
            .same_letters_end(start, end)
            .max(unequal_end(&|part| self.one_pos(part)))
            .max(if is_verbal { verbal_end } else { start });
        if self.has_substitution(&(start..part_end)) {
            part_end
        } else {
            start
        }
    }

    /// The end of the longest part from `start` on, at most to `end`, with the same letters on both sides.
    fn same_letters_end(&self, start: usize, end: usize) -> usize {
        let last_with_same_surplus = |end: usize| {
            let key = (self.surplus[start], end);
            self.by_surplus[self.by_surplus.partition_point(|&index| (self.surplus[index], index) <= key) - 1]
        };
        let part_end = last_with_same_surplus(end);
        if !self.has_substitution(&(start..part_end)) {
            return start;
        }
        let SpanPair { source, target } = self.span(start..part_end);
        let letters = self.source.sum(&self.source.letter_counts, &source);
        let sides = (self.source.letters_from(source.start), self.target.letters_from(target.start));
        let shared = common_prefix(&sides.0[..letters], &sides.1[..letters]);
        let has_shared_letters =
            |part_end: usize| self.source.sum(&self.source.letter_counts, &self.span(start..part_end).source) <= shared;
        last_with_same_surplus(first_without(start + 1..part_end + 1, has_shared_letters) - 1)
    }

    /// The first rule that holds for a part with a substitution.
    fn first_rule(&self, sequence: &Range<usize>, part: Range<usize>) -> Option<Vec<PendingGroup>> {
        let (Range { start, end }, size) = (part.clone(), part.len());
        let part = self.span(part);
        let (source, target) = (self.source.sentence, self.target.sentence);
        let (first_o, first_c) = (part.source.start, part.target.start);
        let (last_o, last_c) = (part.source.end - 1, part.target.end - 1);
        let (size_o, size_c) = (part.source.len(), part.target.len());
        let is_first = start == sequence.start;
        let merge_range = |merged: Range<usize>| {
            vec![
                PendingGroup::Divide(sequence.start..merged.start, size),
                PendingGroup::Emit(merged.clone()),
                PendingGroup::Divide(merged.end..sequence.end, size),
            ]
        };
        let split = |middle: usize| {
            vec![PendingGroup::Divide(sequence.start..middle, size), PendingGroup::Divide(middle..sequence.end, size)]
        };

        // Possessive suffixes of English: split one at the beginning (not in ERRANT 2.0), merge others with the word
        // before.
        if matches!(self.rules, RuleSet::Errant3 | RuleSet::Errant2) {
            let is_possessive = |o, c| source.tag(o) == "POS" || target.tag(c) == "POS";
            if is_first && self.rules != RuleSet::Errant2 && is_possessive(first_o, first_c) {
                return Some(split(start + 1));
            }
            if is_possessive(last_o, last_c) {
                return Some(merge_range(end - 2..end));
            }
        }
        // Case: [Cat -> The big cat], [, we -> . We].
        if source.lower(last_o) == target.lower(last_c) {
            let is_capital = |sentence: &AnnotatedSentence, t| sentence.lexicon.is_capital(sentence.form(t));
            if is_first
                && ((size_o == 1 && is_capital(target, first_c)) || (size_c == 1 && is_capital(source, first_o)))
            {
                return Some(merge_range(start..end));
            }
            if (size_o > 1 && is_punctuation(source, last_o - 1)) || (size_c > 1 && is_punctuation(target, last_c - 1))
            {
                return Some(merge_range(end - 2..end));
            }
        }
        // White space and hyphens: [acat -> a cat], [sub - way -> subway].
        if self.same_letters(&part) {
            return Some(merge_range(start..end));
        }
        // One POS, or auxiliaries, infinitives, phrasal verbs: [to eat -> eating], [watch -> look at].
        if size_o != size_c && (self.one_pos(&part) || self.all_verbal(&part)) {
            return Some(merge_range(start..end));
        }
        if size > 2 {
            return None;
        }
        // The smallest parts: adjacent substitutions, similar words and a last determiner are separate.
        if size_o == 2 && size_c == 2 {
            return Some(split(start + 1));
        }
        if (self.operations[start].kind == OperationKind::Substitute && self.are_similar(first_o, first_c))
            || (self.operations[end - 1].kind == OperationKind::Substitute && self.are_similar(last_o, last_c))
        {
            return Some(split(start + 1));
        }
        let is_determiner = |sentence: &AnnotatedSentence, t| sentence.pos_class(t) == pos::DET;
        let last_kind = self.operations[end - 1].kind;
        if end == sequence.end
            && ((last_kind != OperationKind::Insert && is_determiner(source, last_o))
                || (last_kind != OperationKind::Delete && is_determiner(target, last_c)))
        {
            return Some(split(end - 1));
        }
        None
    }

    fn same_letters(&self, part: &SpanPair) -> bool {
        let letters = |side: &GroupSide<'a>, span: &Range<usize>| {
            side.letter_counts[span.start - side.start]..side.letter_counts[span.end - side.start]
        };
        let OperationGroup { source, target, .. } = self;
        source.letters[letters(source, &part.source)] == target.letters[letters(target, &part.target)]
    }

    fn one_pos(&self, part: &SpanPair) -> bool {
        let (source, target) = (&self.source, &self.target);
        source.one_pos(&part.source)
            && target.one_pos(&part.target)
            && (part.source.is_empty()
                || part.target.is_empty()
                || source.sentence.pos(part.source.start) == target.sentence.pos(part.target.start))
    }

    fn all_verbal(&self, part: &SpanPair) -> bool {
        let OperationGroup { source, target, .. } = self;
        let particles =
            source.sum(&source.particle_counts, &part.source) + target.sum(&target.particle_counts, &part.target);
        let words = part.source.len() + part.target.len();
        self.are_verbal(part) && (self.rules != RuleSet::Czech || (1..words).contains(&particles))
    }

    /// Whether all words may be part of a verb group.
    fn are_verbal(&self, part: &SpanPair) -> bool {
        let OperationGroup { source, target, .. } = self;
        let verbal = source.sum(&source.verbal_counts, &part.source) + target.sum(&target.verbal_counts, &part.target);
        verbal == part.source.len() + part.target.len()
    }

    fn has_content(&self, part: &SpanPair) -> bool {
        let content = if self.rules == RuleSet::Czech { pos::OPEN } else { pos::OPEN | pos::AUX };
        let is_content = |sentence: &AnnotatedSentence, t| sentence.pos_class(t) & content != 0;
        part.source.clone().any(|t| is_content(self.source.sentence, t))
            || part.target.clone().any(|t| is_content(self.target.sentence, t))
    }

    fn are_similar(&self, o: usize, c: usize) -> bool {
        let (o, c) = (self.source.sentence.chars(o), self.target.sentence.chars(c));
        if self.rules == RuleSet::Czech {
            return is_near(o, c);
        }
        indel_similarity(o, c) > MIN_SIMILARITY
    }
}
