//! Trainer of the two classifiers of `geceval::tagger`; called by `research/train_tagger.py`, which prepares its input.
//!
//! train_tagger HEAD TRAIN DEV OUT EPOCHS BITS SEED MARGIN DROP CLAMP TAGS LABELS: HEAD is the model without weights;
//! TRAIN and DEV have one token a line (form, tag, label; tabs) and a blank line after every sentence. Writes the
//! weights to OUT.

use geceval_core::tagger::features::{joint_features, label_features, word_features, ContextWindow, Word};
use geceval_core::tagger::features::{LABEL_REACH, LABEL_WINDOW, TAG_REACH, TAG_WINDOW};
use geceval_core::tagger::model::{bucket, Vocabulary, OUTSIDE, PACKED_BITS, ZERO};
use geceval_core::tagger::read::ModelReader;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Sentences as words of a table.
struct Corpus {
    words: Vec<u32>,
    tags: Vec<u8>,
    labels: Vec<u8>,
    ends: Vec<usize>,
}

/// The distinct words of all corpora; the first is the one outside.
struct WordTable {
    words: Vec<Word>,
    ids: std::collections::HashMap<String, u32>,
}

fn read_sentences(path: &str, vocabulary: &Vocabulary, table: &mut WordTable) -> Result<Corpus> {
    let indices = |names: &[String]| -> std::collections::HashMap<String, u8> {
        names.iter().enumerate().map(|(index, name)| (name.clone(), index as u8)).collect()
    };
    let (tags, labels) = (indices(&vocabulary.tags), indices(&vocabulary.labels));
    let mut corpus = Corpus { words: vec![], tags: vec![], labels: vec![], ends: vec![] };
    for line in std::fs::read_to_string(path)?.lines() {
        if line.is_empty() {
            corpus.ends.push(corpus.words.len());
            continue;
        }
        let fields: Vec<&str> = line.split('\t').collect();
        let id = match table.ids.get(fields[0]) {
            Some(&id) => id,
            None => {
                let id = table.words.len() as u32;
                table.words.push(Word::new(&Word::key(fields[0], vocabulary), vocabulary));
                table.ids.insert(fields[0].to_string(), id);
                id
            }
        };
        corpus.words.push(id);
        corpus.tags.push(*tags.get(fields[1]).ok_or_else(|| format!("unknown tag {}", fields[1]))?);
        corpus.labels.push(*labels.get(fields[2]).ok_or_else(|| format!("unknown label {}", fields[2]))?);
    }
    Ok(corpus)
}

impl Corpus {
    fn sentences(&self) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
        (0..self.ends.len()).map(|s| if s == 0 { 0 } else { self.ends[s - 1] }..self.ends[s])
    }

    fn padded<'w>(&self, span: std::ops::Range<usize>, reach: usize, table: &'w WordTable) -> Vec<&'w Word> {
        let outside = std::iter::repeat_n(&table.words[0], reach);
        let inner = self.words[span].iter().map(|&id| &table.words[id as usize]);
        outside.clone().chain(inner).chain(outside).collect()
    }
}

/// Decisions to learn: buckets of the features, possible classes, and the correct class.
#[derive(Default)]
struct Decisions {
    features: Vec<u32>,
    ends: Vec<usize>,
    sets: Vec<u64>,
    gold: Vec<u8>,
}

impl Decisions {
    fn add(&mut self, set: u64, gold: u8) {
        self.ends.push(self.features.len());
        self.sets.push(set);
        self.gold.push(gold);
    }

    fn features(&self, i: usize) -> &[u32] {
        &self.features[if i == 0 { 0 } else { self.ends[i - 1] }..self.ends[i]]
    }
}

/// The decisions about ambiguous tags, and the number of correct tags among the certain ones.
fn tag_decisions(corpus: &Corpus, table: &WordTable, bits: u32) -> (Decisions, usize) {
    let mut decisions = Decisions::default();
    let mut correct = 0;
    for span in corpus.sentences() {
        let words = corpus.padded(span.clone(), TAG_REACH, table);
        for (window, &gold) in words.windows(TAG_WINDOW).zip(&corpus.tags[span]) {
            let word = window[TAG_REACH];
            let certain = if word.certain_tag != OUTSIDE { 1 << word.certain_tag } else { word.possible };
            if certain.is_power_of_two() {
                correct += usize::from(certain >> gold & 1 == 1);
                continue;
            }
            tag_buckets(window, bits, &mut decisions.features);
            decisions.add(word.possible, gold);
        }
    }
    (decisions, correct)
}

fn tag_buckets(window: &[&Word], bits: u32, buckets: &mut Vec<u32>) {
    for (position, word) in window.iter().enumerate() {
        word_features(position, word, |hash| buckets.push(bucket(hash, bits) as u32));
    }
    buckets.extend(joint_features(as_array(window)).map(|hash| bucket(hash, bits) as u32));
}

fn label_decisions(corpus: &Corpus, tags: &[u8], table: &WordTable, vocabulary: &Vocabulary, bits: u32) -> Decisions {
    let mut decisions = Decisions::default();
    for span in corpus.sentences() {
        let words = corpus.padded(span.clone(), LABEL_REACH, table);
        let outside = std::iter::repeat_n(OUTSIDE, LABEL_REACH);
        let tags: Vec<u8> = outside.clone().chain(tags[span.clone()].iter().copied()).chain(outside).collect();
        let windows = words.windows(LABEL_WINDOW).zip(tags.windows(LABEL_WINDOW));
        for ((words, tags), &gold) in windows.zip(&corpus.labels[span]) {
            let context = ContextWindow::new(words, tags, &vocabulary.kinds).context(LABEL_REACH);
            let buckets = &mut decisions.features;
            let features = label_features(as_array(words), as_array(tags), &context);
            buckets.extend(features.map(|hash| bucket(hash, bits) as u32));
            decisions.add(vocabulary.label_sets[tags[LABEL_REACH] as usize] | 1 << gold, gold);
        }
    }
    decisions
}

/// Number of passes, margin, share of features lost, and share of weights that are not clamped.
struct TrainingOptions {
    epochs: usize,
    margin: f32,
    drop: f64,
    clamp: f64,
}

/// An averaged perceptron: weights, and sums of changes times their step (for the average).
struct Perceptron {
    classes: usize,
    bits: u32,
    weights: Vec<f32>,
    changes: Vec<f64>,
    step: f64,
    seed: u64,
    /// The classes of each bucket whose weights may change.
    free: Vec<u64>,
}

impl Perceptron {
    fn new(classes: usize, bits: u32, seed: u64) -> Self {
        let size = classes << bits;
        let free = vec![u64::MAX; 1 << bits];
        Self { classes, bits, weights: vec![0.0; size], changes: vec![0.0; size], step: 0.0, seed, free }
    }

    /// Keeps only the largest weights, fixes all others at 0, and starts a new average.
    fn prune(&mut self, keep: usize) {
        let mut sizes: Vec<f32> = self.weights.iter().map(|w| w.abs()).filter(|&w| w > 0.0).collect();
        let floor = match sizes.len().checked_sub(keep) {
            Some(excess) if excess > 0 => *sizes.select_nth_unstable_by(excess, f32::total_cmp).1,
            _ => 0.0,
        };
        for (row, free) in self.weights.chunks_mut(self.classes).zip(&mut self.free) {
            *free = 0;
            for (class, weight) in row.iter_mut().enumerate() {
                if weight.abs() < floor || *weight == 0.0 {
                    *weight = 0.0;
                } else {
                    *free |= 1 << class;
                }
            }
        }
        self.changes.fill(0.0);
        self.step = 0.0;
    }

    fn scores(&self, features: &[u32], out: &mut Vec<f32>) {
        out.clear();
        out.resize(self.classes, 0.0);
        for &feature in features {
            let start = feature as usize * self.classes;
            for (score, weight) in out.iter_mut().zip(&self.weights[start..start + self.classes]) {
                *score += weight;
            }
        }
    }

    /// One pass over the decisions in random order, with a share of the features dropped at random. Updates the weights
    /// unless the correct class wins by the margin. Returns the number of errors.
    fn pass(&mut self, decisions: &Decisions, margin: f32, drop: f64) -> usize {
        let limit = (drop * f64::from(u32::MAX)) as u64;
        let (mut wrong, mut scores, mut features) = (0, Vec::new(), Vec::new());
        for i in shuffled(decisions.gold.len(), &mut self.seed) {
            features.clear();
            let seed = &mut self.seed;
            features.extend(decisions.features(i).iter().filter(|_| random(seed) >= limit));
            self.step += 1.0;
            self.scores(&features, &mut scores);
            let gold = decisions.gold[i];
            let rival = argmax(&scores, decisions.sets[i] & !(1 << gold));
            let lead = scores[gold as usize] - scores[rival as usize];
            wrong += usize::from(lead < 0.0);
            if lead <= margin {
                for &feature in &features {
                    let row = feature as usize * self.classes;
                    for (class, change) in [(gold, 1.0), (rival, -1.0)] {
                        if self.free[feature as usize] >> class & 1 == 0 {
                            continue;
                        }
                        self.weights[row + class as usize] += change;
                        self.changes[row + class as usize] += f64::from(change) * self.step;
                    }
                }
            }
        }
        wrong
    }

    /// Trains in passes, keeps only the largest weights and trains these once more, and rounds them. Prints `score`
    /// after every step. Returns the section of the model.
    fn train(
        &mut self,
        name: &str,
        decisions: &Decisions,
        options: &TrainingOptions,
        weights_to_keep: usize,
        score: impl Fn(&Self) -> f64,
    ) -> Vec<u8> {
        for epoch in 0..options.epochs {
            let wrong = self.pass(decisions, options.margin, options.drop);
            eprintln!("{name}, pass {epoch}: {wrong} wrong, {:.2} on dev", score(self));
        }
        self.average();
        eprintln!("{name}, averaged: {:.2}", score(self));
        self.prune(weights_to_keep);
        self.pass(decisions, options.margin, options.drop);
        self.average();
        eprintln!("{name}, pruned and trained again: {:.2}", score(self));
        let section = self.pack(options.clamp);
        eprintln!("{name}, packed: {:.2}", score(self));
        section
    }

    fn decide(&self, decisions: &Decisions) -> Vec<u8> {
        let mut scores = Vec::new();
        (0..decisions.gold.len())
            .map(|i| {
                self.scores(decisions.features(i), &mut scores);
                argmax(&scores, decisions.sets[i])
            })
            .collect()
    }

    /// The number of correct decisions.
    fn right(&self, decisions: &Decisions) -> usize {
        self.decide(decisions).iter().zip(&decisions.gold).filter(|(a, b)| a == b).count()
    }

    fn average(&mut self) {
        for (weight, change) in self.weights.iter_mut().zip(&self.changes) {
            *weight -= (change / self.step.max(1.0)) as f32;
        }
    }

    /// Rounds the weights to 5 bits; returns the section of the model.
    fn pack(&mut self, clamp: f64) -> Vec<u8> {
        let mut sizes: Vec<f32> = self.weights.iter().map(|w| w.abs()).filter(|&w| w > 0.0).collect();
        let clamped_at = ((sizes.len() - 1) as f64 * clamp) as usize;
        let scale = (ZERO - 1) as f32 / *sizes.select_nth_unstable_by(clamped_at, f32::total_cmp).1;
        let (mut present, mut packed) = (vec![], vec![]);
        for (bucket, row) in self.weights.chunks_mut(self.classes).enumerate() {
            let first = packed.len();
            for (class, weight) in row.iter_mut().enumerate() {
                *weight = (*weight * scale).round().clamp(-(ZERO - 1) as f32, (ZERO - 1) as f32);
                if *weight != 0.0 {
                    packed.push(class as u32 | ((*weight as i32 + ZERO) as u32) << 6);
                }
            }
            if bucket % 8 == 0 {
                present.push(0u8);
            }
            if packed.len() > first {
                *packed.last_mut().expect("not empty") |= 1 << (PACKED_BITS - 1);
                *present.last_mut().expect("not empty") |= 1 << (bucket % 8);
            }
        }
        eprintln!("  scale {scale:.3}, {} weights", packed.len());
        let mut section = vec![self.classes as u8, self.bits as u8];
        section.extend(present);
        section.extend((packed.len() as u32).to_le_bytes());
        for pair in packed.chunks(2) {
            let packed_pair = pair[0] | pair.get(1).copied().unwrap_or(0) << PACKED_BITS;
            section.extend(&packed_pair.to_le_bytes()[..3]);
        }
        section
    }
}

fn as_array<T: Copy, const N: usize>(values: &[T]) -> [T; N] {
    std::array::from_fn(|n| values[n])
}

/// The best class of a set of bits.
fn argmax(scores: &[f32], mut set: u64) -> u8 {
    let mut winner = set.trailing_zeros() as usize;
    while set != 0 {
        let class = set.trailing_zeros() as usize;
        if scores[class] > scores[winner] {
            winner = class;
        }
        set &= set - 1;
    }
    winner as u8
}

/// 32 bits of a linear congruential generator.
fn random(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *seed >> 32
}

/// A seeded random order of n items (Fisher and Yates with a linear congruential generator).
fn shuffled(n: usize, seed: &mut u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    for i in (1..n).rev() {
        order.swap(i, (random(seed) % (i as u64 + 1)) as usize);
    }
    order
}

/// The classifier's tags of all tokens.
fn all_tags(corpus: &Corpus, table: &WordTable, decisions: Vec<u8>) -> Vec<u8> {
    let mut decisions = decisions.into_iter();
    let certain = |&id: &u32| {
        let word = &table.words[id as usize];
        match (word.certain_tag, word.possible) {
            (OUTSIDE, set) if set.is_power_of_two() => set.trailing_zeros() as u8,
            (OUTSIDE, _) => decisions.next().expect("one decision for every open token"),
            (sure, _) => sure,
        }
    };
    corpus.words.iter().map(certain).collect()
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, head, train, dev, out, epochs, bits, seed, margin, share, clamp, tag_weights, label_weights] =
        arguments.as_slice()
    else {
        return Err("usage: train_tagger HEAD TRAIN DEV OUT EPOCHS BITS SEED MARGIN DROP CLAMP TAGS LABELS".into());
    };
    let vocabulary = Vocabulary::read(&mut ModelReader::new(&std::fs::read(head)?))?;
    let mut table = WordTable { words: vec![Word::outside()], ids: Default::default() };
    let train = read_sentences(train, &vocabulary, &mut table)?;
    let dev = read_sentences(dev, &vocabulary, &mut table)?;
    let (bits, seed): (u32, u64) = (bits.parse()?, seed.parse()?);
    let options = TrainingOptions {
        epochs: epochs.parse()?,
        margin: margin.parse()?,
        drop: share.parse()?,
        clamp: clamp.parse()?,
    };
    let (tag_weights, label_weights): (usize, usize) = (tag_weights.parse()?, label_weights.parse()?);
    let percent = |right: usize, corpus: &Corpus| 100.0 * right as f64 / corpus.words.len() as f64;
    for corpus in [&train, &dev] {
        let words = || corpus.words.iter().map(|&id| &table.words[id as usize]);
        let reachable = words().zip(&corpus.tags).filter(|(word, &tag)| word.possible >> tag & 1 == 1).count();
        eprintln!("{} tokens, {:.2}% of the tags held possible", corpus.words.len(), percent(reachable, corpus));
    }

    let (decisions, _) = tag_decisions(&train, &table, bits);
    let (dev_decisions, certain) = tag_decisions(&dev, &table, bits);
    eprintln!(
        "{} tags to learn, {:.2}% of dev settled",
        decisions.gold.len(),
        percent(dev.words.len() - dev_decisions.gold.len(), &dev)
    );
    eprintln!(
        "{:.2}% of dev's errors are settled ones",
        percent(dev.words.len() - dev_decisions.gold.len() - certain, &dev)
    );
    let mut tagger = Perceptron::new(vocabulary.tags.len(), bits, seed);
    let on_dev = |tagger: &Perceptron| percent(tagger.right(&dev_decisions) + certain, &dev);
    let mut sections = tagger.train("tags", &decisions, &options, tag_weights, on_dev);

    let tags = all_tags(&train, &table, tagger.decide(&decisions));
    drop(decisions);
    let decisions = label_decisions(&train, &tags, &table, &vocabulary, bits);
    let tags = all_tags(&dev, &table, tagger.decide(&dev_decisions));
    let dev_decisions = label_decisions(&dev, &tags, &table, &vocabulary, bits);
    let mut labeller = Perceptron::new(vocabulary.labels.len(), bits, seed);
    let on_dev = |labeller: &Perceptron| percent(labeller.right(&dev_decisions), &dev);
    sections.extend(labeller.train("labels", &decisions, &options, label_weights, on_dev));
    std::fs::write(out, sections)?;
    Ok(())
}
