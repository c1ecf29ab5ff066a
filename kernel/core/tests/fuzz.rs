//! Fuzzing of the functions that read bytes and text: `make fuzz`, or
//!
//!     RUSTFLAGS="--cfg fuzz" cargo test --release --test fuzz --target-dir DIR -- --nocapture
//!
//! `GECEVAL_FUZZ_SECONDS` is the time of each test (default: 1). Failed inputs are kept in `GECEVAL_FUZZ_CACHE`, and
//! tried first in the next run.
#![cfg(fuzz)]

use std::collections::HashMap;
use std::fmt::Debug;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use geceval_core::edits::align::distance::{indel_distances, levenshtein};
use geceval_core::edits::align::lines::divide;
use geceval_core::edits::columns::EditColumns;
use geceval_core::edits::m2::blocks::Blocks;
use geceval_core::edits::m2::parse::{parse, FilePiece};
use geceval_core::edits::order::{order_edits, sentence_lengths};
use geceval_core::lattice::count::{LatticeOptions, LatticeTask, ENTRY_LIMIT};
use geceval_core::ngrams::{NgramCorpus, TokenUnit};
use geceval_core::text::lines::LineCutter;
use geceval_core::text::tokenise::{for_each_token, tokenised, TokenRules};
use geceval_core::text::words::{common_prefix, common_suffix, is_space, words};
use geceval_core::text::Text;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, FileFailurePersistence, TestCaseResult, TestRunner};
use unicode_segmentation::UnicodeSegmentation;

/// Tries inputs for the given time. The first failure is minimised and ends the test.
fn fuzz<S: Strategy>(name: &str, strategy: S, check: impl Fn(S::Value) -> TestCaseResult)
where
    S::Value: Debug,
{
    let seconds = std::env::var("GECEVAL_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(1.0);
    let failure_path =
        std::env::var_os("GECEVAL_FUZZ_CACHE").map(|folder| PathBuf::from(folder).join(format!("{name}.txt")));
    let failure_path: Option<&'static str> =
        failure_path.and_then(|path| path.to_str().map(|path| &*path.to_owned().leak()));
    let config = Config {
        cases: 1000,
        failure_persistence: failure_path.map(|path| Box::new(FileFailurePersistence::Direct(path)) as Box<_>),
        ..Config::default()
    };
    let end = Instant::now() + Duration::from_secs_f64(seconds);
    let mut inputs = 0;
    while inputs == 0 || Instant::now() < end {
        if let Err(error) = TestRunner::new(config.clone()).run(&strategy, &check) {
            panic!("{name}: {error}");
        }
        inputs += config.cases;
    }
    println!("{name}: {inputs} inputs");
}

const PIECES: [&str; 28] = [
    "a",
    "b",
    "the",
    "The",
    "cat",
    "é",
    "e\u{301}",
    "\u{301}",
    "\u{200b}",
    "，",
    "他",
    "İ",
    "ß",
    "can't",
    "U.S.",
    "1.5",
    "``",
    "\"",
    "(",
    ".",
    "...",
    "||",
    "-NONE-",
    "http://a.b/c",
    "👨\u{200d}👩",
    "\u{feff}",
    "-",
    "'",
];
const SPACES: [&str; 8] = [" ", " ", " ", "  ", "\t", "\u{3000}", "\u{a0}", ""];

/// Lines of words and marks, sometimes of arbitrary characters.
fn line() -> impl Strategy<Value = String> {
    let pieces = vec((select(&PIECES[..]), select(&SPACES[..])), 0..12);
    let words = pieces.prop_map(|pieces| pieces.iter().flat_map(|(piece, space)| [*piece, *space]).collect());
    prop_oneof![4 => words, 1 => any::<String>().prop_map(|text| text.replace(['\n', '\r', '\0'], " "))]
}

fn short() -> impl Strategy<Value = String> {
    vec(select(&["a", "b", "c", "A", "the"][..]), 0..8).prop_map(|words| words.join(" "))
}

fn text(lines: &[String]) -> Text {
    Text::new(lines.iter().map(Some))
}

/// Bytes of M2 in most cases, with valid and invalid edits.
fn m2() -> impl Strategy<Value = Vec<u8>> {
    let number = prop_oneof![4 => (-2..7_i64).prop_map(|n| n.to_string()), 1 => any::<String>(), 1 => any::<i64>().prop_map(|n| n.to_string())];
    let kind = select(&["R:NOUN", "noop", "UNK", "", "M", "|", "||"][..]);
    let edit =
        (number.clone(), number.clone(), kind, line(), number).prop_map(|(start, end, kind, text, annotator)| {
            format!("A {start} {end}|||{kind}|||{text}|||REQUIRED|||-NONE-|||{annotator}")
        });
    let line_of_block = prop_oneof![
        4 => line().prop_map(|line| format!("S {line}")),
        6 => edit,
        2 => Just(String::new()),
        1 => line(),
        1 => line().prop_map(|line| format!("I {line}")),
        1 => (0..3, 0..3, line()).prop_map(|(annotator, alignment, line)| format!("T{annotator}-A{alignment} {line}")),
    ];
    let well_formed = (vec(line_of_block, 0..9), select(&["\n", "\r\n", "\n\n"][..]))
        .prop_map(|(lines, end)| lines.join(end).into_bytes());
    prop_oneof![9 => well_formed.clone(), 1 => (well_formed, any::<(usize, u8)>()).prop_map(|(mut data, (position, byte))| {
        if !data.is_empty() {
            let position = position % data.len();
            data[position] = byte;
        }
        data
    }), 1 => any::<Vec<u8>>()]
}

fn blocks_of(data: &[u8]) -> (Blocks, Vec<&'static str>) {
    let (blocks, faults) =
        parse(data, Some("file"), FilePiece { line: 1, last: true, shared: data.len() % 2 == 0 }).unwrap();
    (blocks, faults.iter().map(|fault| fault.kind.0).collect())
}

/// Faults whose edits are kept. A field next to a bar may be another one after it is written: `first_altered` finds its
/// block, which no command writes.
const KEPT: [&str; 3] = ["more fields", "bar", "empty alternative"];

#[test]
fn written_m2_is_read_without_faults() {
    fuzz("m2", m2(), |data| {
        let (blocks, faults) = blocks_of(&data);
        let has_kept = faults.iter().any(|fault| KEPT.contains(fault));
        if has_kept && blocks.first_altered().unwrap().is_some() {
            return Ok(());
        }
        let written = blocks.written().unwrap();
        let (reread, faults) = blocks_of(written.as_bytes());
        prop_assert!(faults.iter().all(|fault| has_kept && KEPT.contains(fault)));
        prop_assert_eq!(reread.written().unwrap(), written);
        prop_assert_eq!(reread.len(), blocks.len());
        prop_assert_eq!(blocks.kept(&vec![false; blocks.edits.rows.len()]).unwrap().len(), blocks.len());
        Ok(())
    });
}

#[test]
fn lines_do_not_depend_on_portions() {
    let split = |data: &[u8], ends: &[usize]| {
        let (mut cutter, mut lines, mut pushed) = (LineCutter::default(), Vec::new(), 0);
        let mut fault = None;
        for &end in ends.iter().chain([&data.len()]) {
            let end = end.clamp(pushed, data.len());
            if let Err(error) = cutter.push(&data[pushed..end]) {
                fault = Some(format!("{error:?}"));
                break;
            }
            pushed = end;
            let portion_lines = cutter.take(if end % 2 == 0 { usize::MAX } else { 1 });
            lines.extend((0..portion_lines.len()).map(|number| portion_lines.line(number).to_owned()));
        }
        let fault = fault.or_else(|| cutter.finish().err().map(|error| format!("{error:?}")));
        let last_lines = cutter.take(usize::MAX);
        lines.extend((0..last_lines.len()).map(|number| last_lines.line(number).to_owned()));
        (lines, fault)
    };
    let texts = vec(prop_oneof![line(), Just("\n".into()), Just("\r\n".into()), Just("\r".into())], 0..9);
    let bytes =
        prop_oneof![3 => texts.prop_map(|texts: Vec<String>| texts.concat().into_bytes()), 1 => any::<Vec<u8>>()];
    fuzz("lines", (bytes, vec(0..40_usize, 0..5)), |(data, mut ends)| {
        ends.sort_unstable();
        let (all_lines, fault) = split(&data, &[]);
        let (portions, portions_fault) = split(&data, &ends);
        prop_assert_eq!(&fault, &portions_fault);
        if fault.is_none() {
            prop_assert_eq!(&all_lines, &portions);
            prop_assert!(all_lines.iter().all(|line| !line.contains('\n')));
        }
        Ok(())
    });
}

#[test]
fn tokens_are_the_line_without_white_space() {
    let without_spaces = |text: &str| text.chars().filter(|&c| !is_space(c)).collect::<String>();
    fuzz("tokenise", vec(line(), 0..4), |lines| {
        for rules in [TokenRules::English, TokenRules::Treebank, TokenRules::Char, TokenRules::Grapheme] {
            for line in &lines {
                let mut tokens = Vec::new();
                for_each_token(line, rules, |token| tokens.push(token.to_owned()));
                prop_assert!(tokens.iter().all(|token| !token.is_empty() && !token.contains(is_space)));
                prop_assert_eq!(tokens.concat(), without_spaces(line));
            }
            let (single, parallel) =
                (tokenised(&text(&lines), rules, 1).unwrap(), tokenised(&text(&lines), rules, 3).unwrap());
            prop_assert!((0..lines.len()).all(|number| single.get(number) == parallel.get(number)));
        }
        Ok(())
    });
}

#[test]
fn words_and_common_ends_equal_simple_versions() {
    fuzz("words", (line(), line()), |(first, second)| {
        let split: Vec<&str> = first.split(is_space).filter(|word| !word.is_empty()).collect();
        prop_assert_eq!(words(&first).collect::<Vec<_>>(), split);
        let (a, b) = (first.as_bytes(), second.as_bytes());
        prop_assert_eq!(common_prefix(a, b), a.iter().zip(b).take_while(|(x, y)| x == y).count());
        prop_assert_eq!(common_suffix(a, b), a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count());
        Ok(())
    });
}

/// The distance by the table of all prefixes.
fn slow_distance(a: &[u32], b: &[u32], substitution: usize) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut previous = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let diagonal = previous + if x == y { 0 } else { substitution };
            previous = row[j + 1];
            row[j + 1] = diagonal.min(previous + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[test]
fn distances_equal_those_of_the_full_table() {
    fuzz("distances", (vec(line(), 0..3), vec(line(), 3)), |(left, right)| {
        let right = &right[..left.len()];
        let distances = indel_distances(&text(&left), &text(right), 1).unwrap();
        prop_assert_eq!(&distances, &indel_distances(&text(&left), &text(right), 3).unwrap());
        for ((first, second), &distance) in left.iter().zip(right).zip(&distances) {
            let [a, b]: [Vec<u32>; 2] = [first, second].map(|text| text.chars().map(u32::from).collect());
            prop_assert_eq!(distance as usize, slow_distance(&a, &b, 2));
            prop_assert_eq!(
                levenshtein(&a, &b, f64::INFINITY, |x, y| f64::from(u8::from(x != y))) as usize,
                slow_distance(&a, &b, 1)
            );
        }
        Ok(())
    });
}

/// The counts `[reference][order][column]` of a hypothesis, from multisets of n-grams.
fn slow_counts(source: &str, references: &[String], hypothesis: &str, n: usize, unit: TokenUnit) -> Vec<i32> {
    let tokens = |line| -> Vec<&str> {
        match unit {
            TokenUnit::Word => words(line).collect(),
            TokenUnit::Char => line.split("").filter(|c| !c.is_empty()).collect(),
            TokenUnit::Grapheme => line.graphemes(true).collect(),
        }
    };
    let mut counts = Vec::new();
    for reference in references {
        for order in 1..=n {
            let mut multiplicities = HashMap::<Vec<&str>, [i32; 3]>::new();
            for (version, line) in [source, reference, hypothesis].into_iter().enumerate() {
                for ngram in tokens(line).windows(order) {
                    multiplicities.entry(ngram.to_vec()).or_default()[version] += 1;
                }
            }
            let mut row = [0; 8];
            for [s, r, h] in multiplicities.into_values() {
                let beyond = |count: i32, others: i32| (count - others).max(0);
                let under_delete = beyond(s.min(h), r);
                let regions = [
                    s.min(r).min(h),
                    beyond(s, r.max(h)),
                    beyond(r.min(h), s),
                    beyond(s.min(r), h),
                    beyond(h, s.max(r)),
                    under_delete,
                    beyond(r, s.max(h)),
                    if r == 0 { under_delete } else { 0 },
                ];
                row.iter_mut().zip(regions).for_each(|(sum, count)| *sum += count);
            }
            counts.extend(row);
        }
    }
    counts
}

/// A source of few words that may be long, and versions of it that are equal, edited, moved, cut or rewritten.
fn versions() -> impl Strategy<Value = (String, Vec<String>)> {
    let word =
        || select(vec!["a", "b", "ab", "longer words", "longer wordz", "é", "e\u{301}", "\u{3000}", "c\0", "c", ""]);
    let edits = vec((0..5_usize, any::<usize>(), vec(word(), 0..7)), 1..9);
    let copies = prop_oneof![400 => Just(1_usize), 1 => Just(5000)];
    (vec(word(), 0..30), edits, copies).prop_map(|(source, edits, copies)| {
        let line = |words: &[&str]| words.repeat(copies).join(" ");
        let versions = edits.into_iter().map(|(kind, number, words)| {
            let mut version = source.clone();
            let place = number % (source.len() + 1);
            let end = source.len().min(place + number / 64 % 4);
            match kind {
                0 => {}
                1 => version.rotate_left(place),
                2 => version = words,
                3 => version.truncate(place),
                _ => drop(version.splice(place..end, words)),
            }
            line(&version)
        });
        (line(&source), versions.collect())
    })
}

#[test]
fn counts_of_ngrams_equal_those_of_multisets() {
    fuzz("ngrams", (versions(), 1..6_usize, any::<usize>()), |((source, versions), n, number)| {
        let (references, hypotheses) = versions.split_at(1 + number % versions.len());
        let texts = |lines: &[String]| lines.iter().map(|line| text(&[line.clone()])).collect::<Vec<_>>();
        for unit in [TokenUnit::Word, TokenUnit::Char, TokenUnit::Grapheme] {
            let corpus = NgramCorpus { source: text(&[source.clone()]), references: texts(references), n, unit };
            let counts = corpus.count(&texts(hypotheses), true, 1).unwrap();
            for (hypothesis, counts) in hypotheses.iter().zip(counts) {
                prop_assert_eq!(counts, slow_counts(&source, references, hypothesis, n, unit));
            }
        }
        Ok(())
    });
}

#[test]
fn counts_of_ngrams_do_not_depend_on_other_hypotheses_and_threads() {
    let corpus = (1..4_usize).prop_flat_map(|size| vec(vec(line(), size), 4));
    fuzz("hypotheses", (corpus, 1..6_usize), |(texts, n)| {
        let [source, reference, first, second] = [0, 1, 2, 3].map(|k| text(&texts[k]));
        for unit in [TokenUnit::Word, TokenUnit::Char, TokenUnit::Grapheme] {
            let corpus = NgramCorpus { source: source.clone(), references: vec![reference.clone()], n, unit };
            let counts = corpus.count(&[first.clone(), second.clone()], true, 3).unwrap();
            prop_assert_eq!(&counts[..1], &corpus.count(&[first.clone()], true, 1).unwrap());
            prop_assert_eq!(&counts[1..], &corpus.count(&[second.clone()], true, 1).unwrap());
        }
        Ok(())
    });
}

#[test]
fn lattice_counts_do_not_depend_on_limits_and_threads() {
    let edit = (0..6_i32, 0..3_i32, short());
    fuzz("lattice", (short(), short(), vec(vec(edit, 0..4), 1..3)), |(source, hypothesis, versions)| {
        let mut gold = EditColumns::default();
        for (annotator, edits) in versions.iter().enumerate() {
            for (start, length, text) in edits {
                gold.push(*start, start + length, "X", text);
            }
            gold.end_version(annotator as i32);
        }
        gold.end_sentence();
        // Among equal paths, the number of correct edits can differ if a gold edit changes nothing, is there twice, or
        // precedes the one before it.
        let tokens: Vec<&str> = words(&source).collect();
        let changes = |&(start, length, ref text): &(i32, i32, String)| {
            let span = start as usize..(start + length) as usize;
            tokens.get(span).is_none_or(|tokens| tokens.join(" ") != *text)
        };
        let key = |&(start, length, ref text): &(i32, i32, String)| (start, start + length, text.clone());
        let is_plain =
            |edits: &Vec<_>| edits.iter().all(changes) && edits.windows(2).all(|pair| key(&pair[0]) < key(&pair[1]));
        let are_plain = versions.iter().all(is_plain);
        let (source, hypothesis) = (text(&[source]), text(&[hypothesis]));
        let count = |entry_limit, threads| {
            let options =
                LatticeOptions { max_unchanged: 2, ignore_whitespace_casing: false, timeout: None, entry_limit };
            LatticeTask { source: &source, gold: &gold, options }.count(&hypothesis, threads, false).unwrap().1
        };
        let counts = count(usize::MAX, 1);
        prop_assert_eq!(&counts, &count(ENTRY_LIMIT, 3));
        // Correct and gold edits; equal paths may differ in the number of proposed ones.
        let searched = count(0, 1);
        let same = |column: usize| counts[column..].iter().step_by(4).eq(searched[column..].iter().step_by(4));
        prop_assert!((same(0) || !are_plain) && same(2));
        let order = order_edits(&sentence_lengths(&source, 1).unwrap(), &gold, 1).map(|order| order.row_ids);
        prop_assert_eq!(
            order,
            order_edits(&sentence_lengths(&source, 3).unwrap(), &gold, 3).map(|order| order.row_ids)
        );
        Ok(())
    });
}

#[test]
fn divided_lines_are_as_many_as_the_source() {
    fuzz("divide", (vec(line(), 0..5), vec(line(), 0..5)), |(source, lines)| {
        if let Some(divided) = divide(&text(&source), &text(&lines)).unwrap() {
            prop_assert_eq!(divided.lines.len(), source.len());
        }
        Ok(())
    });
}
