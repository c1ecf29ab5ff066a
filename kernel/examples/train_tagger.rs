//! Trainer of the two perceptrons of `geceval::tagger`; called by `tools/train_tagger.py`, which prepares its input.
//!
//! train_tagger HEAD TRAIN DEV EXAMPLES OUT EPOCHS BITS SEED MARGIN FLOOR DROP: HEAD is the model without weights; TRAIN and
//! DEV have one token a line (form, tag, label; tabs) and a blank line after every sentence, EXAMPLES likewise form and kind.
//! Writes the weights to OUT.

use _kernel::tagger::context::View;
use _kernel::tagger::features::{as_window, label_features, tag_features};
use _kernel::tagger::read::Reader;
use _kernel::tagger::vocabulary::{Vocabulary, OUTSIDE};
use _kernel::tagger::weights::bucket;
use _kernel::tagger::word::Word;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

struct Sentence {
    words: Vec<Word>,
    tags: Vec<u8>,
    labels: Vec<u8>,
}

fn read_sentences(path: &str, vocabulary: &Vocabulary) -> Result<Vec<Sentence>> {
    let place = |names: &[String], name: &str| {
        names.iter().position(|known| known == name).map(|place| place as u8).ok_or_else(|| format!("unknown {name}"))
    };
    let empty = || Sentence { words: Vec::new(), tags: Vec::new(), labels: Vec::new() };
    let mut sentences = vec![];
    let mut sentence = empty();
    for line in std::fs::read_to_string(path)?.lines() {
        if line.is_empty() {
            sentences.push(std::mem::replace(&mut sentence, empty()));
            continue;
        }
        let fields: Vec<&str> = line.split('\t').collect();
        sentence.words.push(Word::new(fields[0], vocabulary));
        sentence.tags.push(place(&vocabulary.tags, fields[1])?);
        sentence.labels.push(place(&vocabulary.labels, fields[2])?);
    }
    Ok(sentences)
}

/// A sentence of which only the kind of some words is known: the tags these may have, else 0.
struct Example {
    words: Vec<Word>,
    allowed: Vec<u64>,
}

fn read_examples(path: &str, vocabulary: &Vocabulary) -> Result<Vec<Example>> {
    let set = |prefixes: &[&str]| {
        let of_kind = |tag: &String| prefixes.iter().any(|prefix| tag.starts_with(prefix));
        vocabulary.tags.iter().enumerate().filter(|(_, tag)| of_kind(tag)).fold(0, |set, (i, _)| set | 1 << i)
    };
    let kinds = [("noun", set(&["NN"])), ("verb", set(&["VB", "MD"])), ("adj", set(&["JJ", "VBN", "VBG"]))];
    let empty = || Example { words: Vec::new(), allowed: Vec::new() };
    let (mut examples, mut example) = (vec![], empty());
    for line in std::fs::read_to_string(path)?.lines() {
        if line.is_empty() {
            examples.push(std::mem::replace(&mut example, empty()));
            continue;
        }
        let (form, kind) = line.split_once('\t').ok_or("an example needs two fields")?;
        example.words.push(Word::new(form, vocabulary));
        example.allowed.push(kinds.iter().find(|(name, _)| *name == kind).map_or(0, |(_, set)| *set));
    }
    Ok(examples)
}

/// One pass over an example: where a word's best tag is not of the known kind, learn the best that is.
fn learn_example(model: &mut Perceptron, example: &Example, vocabulary: &Vocabulary, margin: f32) {
    let outside = Word::outside();
    let words = padded(&example.words, &outside);
    let mut tags = vec![OUTSIDE; 2];
    let (mut features, mut scores) = (Vec::new(), Vec::new());
    for (i, &allowed) in example.allowed.iter().enumerate() {
        let word = words[i + 2];
        if word.sure != OUTSIDE {
            tags.push(word.sure);
            continue;
        }
        features.clear();
        let quote = tags.iter().fold(false, |open, &tag| vocabulary.in_quotation(tag, open));
        tag_features(as_window(&words[i..]), [tags[i], tags[i + 1]], quote, |_, hash| {
            features.push(bucket(hash, model.bits));
        });
        model.corrupt(&mut features);
        model.scores(&features, &mut scores);
        let right = word.possible & allowed;
        if right == 0 || word.possible & !allowed == 0 {
            tags.push(argmax(&scores, word.possible));
            continue;
        }
        let gold = argmax(&scores, right);
        tags.push(gold);
        model.step += 1.0;
        model.update(&features, gold, argmax(&scores, word.possible & !allowed), &scores, margin);
    }
}

/// An averaged perceptron: weights, and weights times the step of their change (for the average).
struct Perceptron {
    classes: usize,
    bits: u32,
    weights: Vec<f32>,
    changes: Vec<f64>,
    step: f64,
    seed: u64,
    drop: f64,
}

impl Perceptron {
    fn new(classes: usize, bits: u32, seed: u64, drop: f64) -> Self {
        let size = classes << bits;
        Self { classes, bits, weights: vec![0.0; size], changes: vec![0.0; size], step: 0.0, seed, drop }
    }

    /// Lose a share of the features at random, so that the rest learns to do without them.
    fn corrupt(&mut self, features: &mut Vec<usize>) {
        let limit = (self.drop * f64::from(u32::MAX)) as u64;
        features.retain(|_| random(&mut self.seed) >= limit);
    }

    fn scores(&self, features: &[usize], out: &mut Vec<f32>) {
        out.clear();
        out.resize(self.classes, 0.0);
        for &feature in features {
            let row = &self.weights[feature * self.classes..(feature + 1) * self.classes];
            for (score, weight) in out.iter_mut().zip(row) {
                *score += weight;
            }
        }
    }

    /// Predict, and learn unless the gold class wins by the margin.
    fn learn(&mut self, features: &[usize], gold: u8, set: u64, scores: &mut Vec<f32>, margin: f32) -> u8 {
        self.step += 1.0;
        self.scores(features, scores);
        let guess = argmax(scores, set);
        if set != 1 << gold {
            self.update(features, gold, argmax(scores, set & !(1 << gold)), scores, margin);
        }
        guess
    }

    fn update(&mut self, features: &[usize], gold: u8, rival: u8, scores: &[f32], margin: f32) {
        let (gold, rival) = (gold as usize, rival as usize);
        if scores[gold] > scores[rival] + margin {
            return;
        }
        for &feature in features {
            let row = feature * self.classes;
            self.weights[row + gold] += 1.0;
            self.changes[row + gold] += self.step;
            self.weights[row + rival] -= 1.0;
            self.changes[row + rival] -= self.step;
        }
    }

    fn average(&mut self) {
        for (weight, change) in self.weights.iter_mut().zip(&self.changes) {
            *weight -= (change / self.step.max(1.0)) as f32;
        }
    }

    /// Round to 8 bits and drop small weights; returns the section of the model.
    fn pack(&mut self, floor: f32) -> Vec<u8> {
        let mut sizes: Vec<f32> = self.weights.iter().map(|w| w.abs()).filter(|&w| w > 0.0).collect();
        sizes.sort_by(f32::total_cmp);
        let top = sizes[(sizes.len() - 1) * 9998 / 10000];
        let scale = 127.0 / top;
        let (mut lengths, mut classes, mut values) = (vec![], vec![], vec![]);
        for row in self.weights.chunks_mut(self.classes) {
            let before = classes.len();
            for (class, weight) in row.iter_mut().enumerate() {
                let value = if weight.abs() < floor { 0.0 } else { (*weight * scale).round().clamp(-127.0, 127.0) };
                *weight = value;
                if value != 0.0 {
                    classes.push(class as u8);
                    values.push(value as i8 as u8);
                }
            }
            lengths.push((classes.len() - before) as u8);
        }
        eprintln!("  scale {scale:.3}, {} weights", classes.len());
        let mut out = vec![self.classes as u8, self.bits as u8];
        out.extend(lengths);
        out.extend(classes);
        out.extend(values);
        out
    }
}

/// The best class of a set of bits.
fn argmax(scores: &[f32], set: u64) -> u8 {
    let mut winner = set.trailing_zeros() as usize;
    for class in 0..scores.len() {
        if set >> class & 1 == 1 && scores[class] > scores[winner] {
            winner = class;
        }
    }
    winner as u8
}

/// 32 bits of a linear congruential generator.
fn random(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *seed >> 32
}

/// A seeded order of n things (Fisher and Yates with a linear congruential generator).
fn shuffled(n: usize, seed: &mut u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    for i in (1..n).rev() {
        order.swap(i, (random(seed) % (i as u64 + 1)) as usize);
    }
    order
}

fn padded<'a>(words: &'a [Word], outside: &'a Word) -> Vec<&'a Word> {
    let mut out = vec![outside; 2];
    out.extend(words);
    out.extend([outside; 2]);
    out
}

/// One pass over a sentence with the tagger; learns if `margin` is given. Returns padded predictions.
fn tag(model: &mut Perceptron, sentence: &Sentence, vocabulary: &Vocabulary, margin: Option<f32>) -> Vec<u8> {
    let outside = Word::outside();
    let words = padded(&sentence.words, &outside);
    let mut tags = vec![OUTSIDE; 2];
    let (mut features, mut scores) = (Vec::new(), Vec::new());
    for (i, &gold) in sentence.tags.iter().enumerate() {
        if words[i + 2].sure != OUTSIDE {
            tags.push(words[i + 2].sure);
            continue;
        }
        let set = words[i + 2].possible | if margin.is_some() { 1 << gold } else { 0 };
        features.clear();
        let quote = tags.iter().fold(false, |open, &tag| vocabulary.in_quotation(tag, open));
        tag_features(as_window(&words[i..]), [tags[i], tags[i + 1]], quote, |_, hash| {
            features.push(bucket(hash, model.bits));
        });
        tags.push(match margin {
            Some(margin) => {
                model.corrupt(&mut features);
                model.learn(&features, gold, set, &mut scores, margin)
            }
            None => {
                model.scores(&features, &mut scores);
                argmax(&scores, set)
            }
        });
    }
    tags.extend([OUTSIDE; 2]);
    tags
}

fn label(
    model: &mut Perceptron,
    sentence: &Sentence,
    tags: &[u8],
    vocabulary: &Vocabulary,
    margin: Option<f32>,
) -> Vec<u8> {
    let outside = Word::outside();
    let words = padded(&sentence.words, &outside);
    let view = View::new(&words, tags, &vocabulary.kinds);
    let mut labels = vec![OUTSIDE; 2];
    let (mut features, mut scores) = (Vec::new(), Vec::new());
    for (i, &gold) in sentence.labels.iter().enumerate() {
        let set = (1 << model.classes) - 1;
        features.clear();
        let (window, around, before) = (as_window(&words[i..]), as_array(&tags[i..]), as_array(&labels[i..]));
        label_features(window, around, &view.context(i), before, |hash| features.push(bucket(hash, model.bits)));
        labels.push(match margin {
            Some(margin) => {
                model.corrupt(&mut features);
                model.learn(&features, gold, set, &mut scores, margin)
            }
            None => {
                model.scores(&features, &mut scores);
                argmax(&scores, set)
            }
        });
    }
    labels.split_off(2)
}

fn as_array<const N: usize>(values: &[u8]) -> [u8; N] {
    std::array::from_fn(|n| values[n])
}

fn accuracy<'a>(pairs: impl Iterator<Item = (&'a [u8], Vec<u8>)>) -> f64 {
    let (mut right, mut all) = (0, 0);
    for (gold, guess) in pairs {
        right += gold.iter().zip(&guess).filter(|(a, b)| a == b).count();
        all += gold.len();
    }
    100.0 * right as f64 / all as f64
}

fn inner(tags: Vec<u8>) -> Vec<u8> {
    tags[2..tags.len() - 2].to_vec()
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, head, train, dev, examples, out, epochs, bits, seed, margin, floor, drop] = arguments.as_slice() else {
        return Err("usage: train_tagger HEAD TRAIN DEV EXAMPLES OUT EPOCHS BITS SEED MARGIN FLOOR DROP".into());
    };
    let vocabulary = Vocabulary::read(&mut Reader::new(&std::fs::read(head)?))?;
    let (train, dev) = (read_sentences(train, &vocabulary)?, read_sentences(dev, &vocabulary)?);
    let examples = read_examples(examples, &vocabulary)?;
    let (epochs, bits, mut seed): (usize, u32, u64) = (epochs.parse()?, bits.parse()?, seed.parse()?);
    let (margin, floor, drop): (f32, f32, f64) = (margin.parse()?, floor.parse()?, drop.parse()?);

    let out_of_reach = |sentences: &[Sentence]| {
        let pairs = sentences.iter().flat_map(|s| s.words.iter().zip(&s.tags));
        let (mut lost, mut all) = (0, 0);
        for (word, tag) in pairs {
            lost += usize::from(word.possible >> tag & 1 == 0);
            all += 1;
        }
        100.0 * lost as f64 / all as f64
    };
    eprintln!("gold tags held impossible: {:.2}% of train, {:.2}% of dev", out_of_reach(&train), out_of_reach(&dev));
    let mut tagger = Perceptron::new(vocabulary.tags.len(), bits, seed, drop);
    for epoch in 0..epochs {
        let mut wrong = 0;
        for i in shuffled(train.len() + if epoch > 1 { examples.len() } else { 0 }, &mut seed) {
            if i >= train.len() {
                learn_example(&mut tagger, &examples[i - train.len()], &vocabulary, margin);
                continue;
            }
            let guess = inner(tag(&mut tagger, &train[i], &vocabulary, Some(margin)));
            wrong += guess.iter().zip(&train[i].tags).filter(|(a, b)| a != b).count();
        }
        let now = accuracy(dev.iter().map(|s| (&s.tags[..], inner(tag(&mut tagger, s, &vocabulary, None)))));
        eprintln!("tags, pass {epoch}: {wrong} wrong, {now:.2} on dev");
    }
    tagger.average();
    eprintln!(
        "tags, averaged: {:.2}",
        accuracy(dev.iter().map(|s| (&s.tags[..], inner(tag(&mut tagger, s, &vocabulary, None)))))
    );
    let mut sections = tagger.pack(floor);
    eprintln!(
        "tags, packed: {:.2}",
        accuracy(dev.iter().map(|s| (&s.tags[..], inner(tag(&mut tagger, s, &vocabulary, None)))))
    );

    let mut labeller = Perceptron::new(vocabulary.labels.len(), bits, seed, drop);
    for epoch in 0..epochs {
        for i in shuffled(train.len(), &mut seed) {
            // Half of the passes see the tagger's tags, so that the labels learn to live with its errors.
            let tags = if (epoch + i) % 2 == 0 {
                tag(&mut tagger, &train[i], &vocabulary, None)
            } else {
                [&[OUTSIDE; 2][..], &train[i].tags, &[OUTSIDE; 2]].concat()
            };
            label(&mut labeller, &train[i], &tags, &vocabulary, Some(margin));
        }
    }
    let mut score = |labeller: &mut Perceptron| {
        accuracy(dev.iter().map(|s| {
            let tags = tag(&mut tagger, s, &vocabulary, None);
            (&s.labels[..], label(labeller, s, &tags, &vocabulary, None))
        }))
    };
    labeller.average();
    eprintln!("labels, averaged: {:.2}", score(&mut labeller));
    sections.extend(labeller.pack(floor));
    eprintln!("labels, packed: {:.2}", score(&mut labeller));
    std::fs::write(out, sections)?;
    Ok(())
}
