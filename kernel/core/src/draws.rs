//! References drawn at random for every sentence, as Python's random module draws them, and sums of their counts.
//!
//! The generator is MT19937 (Matsumoto and Nishimura 1998), whose state is that of numpy's `RandomState`.

use crate::error::{zeros, Error};
use crate::interrupt;

/// Number of words of a state, which are followed by the position of the next one.
const WORDS: usize = 624;
pub const STATE: usize = WORDS + 1;
const MIDDLE: usize = 397;

/// Number of sentences whose words are drawn at once.
const BLOCK: usize = 1024;

/// Mixes a word with the one before it, as both initialisations of the generator do.
fn mixed(word: u32, previous: u32, multiplier: u32) -> u32 {
    word ^ (previous ^ (previous >> 30)).wrapping_mul(multiplier)
}

/// The state of a seed of one word, `init_genrand`.
fn state_of_word(seed: u32) -> Vec<u32> {
    let mut state = vec![seed];
    for i in 1..WORDS as u32 {
        let previous = state[i as usize - 1];
        state.push(mixed(0, previous, 1_812_433_253).wrapping_add(i));
    }
    state.push(WORDS as u32);
    state
}

/// The state of a seed of several words, `init_by_array`; `None` without words. O(words).
pub fn state_of_words(seed: &[u32]) -> Option<Vec<u32>> {
    let mut state = state_of_word(19_650_218);
    let mut place = 0;
    let mut next = |state: &mut [u32], multiplier, added: u32| {
        let previous = state[place];
        place = place % (WORDS - 1) + 1;
        state[0] = if place == 1 { previous } else { state[0] };
        state[place] = mixed(state[place], previous, multiplier).wrapping_add(added);
        place as u32
    };
    for i in 0..WORDS.max(seed.len()) {
        let j = i.checked_rem(seed.len())?;
        next(&mut state, 1_664_525, seed[j].wrapping_add(j as u32));
    }
    for _ in 1..WORDS {
        let place = next(&mut state, 1_566_083_941, 0);
        state[place as usize] = state[place as usize].wrapping_sub(place);
    }
    state[0] = 1 << 31;
    Some(state)
}

/// Replaces the words of a state by the next ones.
fn twist(state: &mut [u32]) {
    let twisted = |upper: u32, lower: u32, middle: u32| {
        let y = (upper & 0x8000_0000) | (lower & 0x7fff_ffff);
        middle ^ (y >> 1) ^ ((y & 1) * 0x9908_b0df)
    };
    // Loops without a remainder, which the compiler turns into vectors.
    for i in 0..WORDS - MIDDLE {
        state[i] = twisted(state[i], state[i + 1], state[i + MIDDLE]);
    }
    for i in WORDS - MIDDLE..WORDS - 1 {
        state[i] = twisted(state[i], state[i + 1], state[i + MIDDLE - WORDS]);
    }
    state[WORDS - 1] = twisted(state[WORDS - 1], state[0], state[MIDDLE - 1]);
}

/// Draws the next words.
fn fill(state: &mut [u32], mut words: &mut [u32]) {
    while !words.is_empty() {
        if state[WORDS] as usize >= WORDS {
            twist(&mut state[..WORDS]);
            state[WORDS] = 0;
        }
        let unused = &state[state[WORDS] as usize..WORDS];
        let (now, later) = words.split_at_mut(words.len().min(unused.len()));
        for (word, &unused) in now.iter_mut().zip(unused) {
            let mut tempered = unused;
            tempered ^= tempered >> 11;
            tempered ^= (tempered << 7) & 0x9d2c_5680;
            tempered ^= (tempered << 15) & 0xefc6_0000;
            tempered ^= tempered >> 18;
            *word = tempered;
        }
        state[WORDS] += now.len() as u32;
        words = later;
    }
}

/// `int(random() * number)`: 53 bits of two words, times a number above 0.
fn scaled([first, second]: [u32; 2], number: u32) -> u32 {
    let random = (f64::from(first >> 5) * 67_108_864.0 + f64::from(second >> 6)) / 9_007_199_254_740_992.0;
    (random * f64::from(number)) as u32
}

/// [`scaled`] for powers of two, which the compiler turns into vectors.
fn upper_bits([first, _]: [u32; 2], number: u32) -> u32 {
    ((u64::from(first) * u64::from(number)) >> 32) as u32
}

/// `randint(0, number - 1)`: as many bits as the number has, until they are below it. Expected O(1).
fn below(state: &mut [u32], number: u32) -> u32 {
    let mut word = [0];
    loop {
        fill(state, &mut word);
        let drawn = word[0] >> number.leading_zeros();
        if drawn < number {
            return drawn;
        }
    }
}

/// The references `[state][sentence]` that are drawn among those that are present, `is_present[sentence][reference]`.
/// `integers`: as `randint` draws them, not as `random` does. O(states × sentences), which continues the states.
///
/// # Panics
/// If a sentence has no reference; callers check it.
pub fn draw(states: &mut [u32], is_present: &[bool], references: usize, integers: bool) -> Result<Vec<u32>, Error> {
    let (mut numbers, mut present) = (Vec::new(), Vec::new());
    for is_present in is_present.chunks_exact(references) {
        let first = present.len();
        present.extend((0..).zip(is_present).filter(|(_, &is_present)| is_present).map(|(reference, _)| reference));
        numbers.push((present.len() - first) as u32);
    }
    assert!(!numbers.contains(&0), "every sentence has a reference");
    let are_powers = numbers.iter().all(|number| number.is_power_of_two());
    let mut words = [[0; 2]; BLOCK];
    let mut choices = zeros((states.len() / STATE).saturating_mul(numbers.len()))?;
    for (state, drawn) in states.chunks_exact_mut(STATE).zip(choices.chunks_mut(numbers.len().max(1))) {
        interrupt::check_interrupt()?;
        for (drawn, numbers) in drawn.chunks_mut(BLOCK).zip(numbers.chunks(BLOCK)) {
            let pairs = &mut words[..numbers.len()];
            let choices = drawn.iter_mut().zip(numbers);
            if integers {
                choices.for_each(|(choice, &number)| *choice = below(state, number));
                continue;
            }
            fill(state, pairs.as_flattened_mut());
            match are_powers {
                true => choices.zip(pairs).for_each(|((choice, &number), pair)| *choice = upper_bits(*pair, number)),
                false => choices.zip(pairs).for_each(|((choice, &number), pair)| *choice = scaled(*pair, number)),
            }
        }
        if present.len() < is_present.len() {
            let mut first = 0;
            for (choice, &number) in drawn.iter_mut().zip(&numbers) {
                *choice = present[first + *choice as usize];
                first += number as usize;
            }
        }
    }
    Ok(choices)
}

/// Number of sentences whose counts are summed once for all choices of their references, and maximum number of these.
const GROUP: u32 = 4;
const MAX_COMBINATIONS: usize = 16;

/// Number of sums that the processor's cache holds, and number of columns summed at once, in registers.
const CACHED: usize = 256;
const WIDTH: usize = 16;

/// The sums `[row][column]` of `counts[sentence][reference][column]` for the references `choices[row][sentence]`.
/// O(rows × sentences × columns).
pub fn sums_of_choices(
    counts: &[i64],
    [sentences, references, columns]: [usize; 3],
    choices: &[u32],
) -> Result<Vec<i64>, Error> {
    let mut sums = zeros((choices.len() / sentences.max(1)).saturating_mul(columns))?;
    let combinations = |size: u32| references.saturating_pow(size);
    let group = (1..=GROUP).rev().find(|&size| combinations(size) <= MAX_COMBINATIONS).unwrap_or(1);
    let block = group as usize * (CACHED / combinations(group)).max(1);
    let group = group as usize;
    let blocks = (0..sentences).step_by(block).zip(counts.chunks(block * references * columns));
    for (first, counts) in blocks {
        interrupt::check_interrupt()?;
        for column in (0..columns).step_by(WIDTH) {
            let tile = |row: &[i64]| std::array::from_fn(|k| row.get(column + k).copied().unwrap_or(0));
            let tiles: Vec<_> = counts.chunks_exact(columns).map(tile).collect();
            let tables: Vec<_> =
                tiles.chunks(group * references).map(|group| sums_of_combinations(group, references)).collect();
            for (sums, choices) in sums.chunks_exact_mut(columns).zip(choices.chunks_exact(sentences)) {
                let mut total = [0; WIDTH];
                for (table, choices) in tables.iter().zip(choices[first..].chunks(group)) {
                    let combination = choices.iter().rfold(0, |number, &choice| number * references + choice as usize);
                    add(&mut total, &table[combination]);
                }
                sums[column..].iter_mut().zip(total).for_each(|(sum, count)| *sum += count);
            }
        }
    }
    Ok(sums)
}

/// The sums of all combinations of references; the reference of the first sentence changes fastest.
fn sums_of_combinations(counts: &[[i64; WIDTH]], references: usize) -> Vec<[i64; WIDTH]> {
    counts.chunks_exact(references).fold(vec![[0; WIDTH]], |sums, sentence| {
        let sums_with = |counts| {
            sums.iter().map(move |sums| {
                let mut sums = *sums;
                add(&mut sums, counts);
                sums
            })
        };
        sentence.iter().flat_map(sums_with).collect()
    })
}

fn add(sums: &mut [i64; WIDTH], counts: &[i64; WIDTH]) {
    sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reference_output_of_the_generator() {
        // The state of init_genrand(5489), which the authors' mt19937ar.c uses by default; its 10,000th output is that
        // of std::mt19937.
        let mut words = vec![0; 10_000];
        fill(&mut state_of_word(5489), &mut words);
        assert_eq!((words[0], words[9_999]), (3_499_211_612, 4_123_659_995));
    }

    #[test]
    fn reference_output_for_a_seed_of_several_words() {
        // The first outputs that the authors' mt19937ar.out has for init_by_array.
        let mut words = [0; 5];
        fill(&mut state_of_words(&[0x123, 0x234, 0x345, 0x456]).unwrap(), &mut words);
        assert_eq!(words, [1_067_595_299, 955_945_823, 477_289_528, 4_107_218_783, 4_228_976_476]);
        assert_eq!(state_of_words(&[]), None);
    }

    #[test]
    fn upper_bits_suffice_for_powers_of_two() {
        for number in [1, 2, 4, 1 << 20] {
            for words in [[0; 2], [u32::MAX; 2], [0x7fff_ffff, 0xffff_ffff], [0x8000_0000, 0]] {
                assert_eq!(scaled(words, number), upper_bits(words, number));
            }
        }
    }

    #[test]
    fn sums_of_choices_are_sums_of_their_counts() {
        for (sentences, references, columns) in [(1, 1, 2), (67, 2, 17), (70, 3, 2), (9, 5, 33), (3, 300, 1), (0, 2, 1)]
        {
            let counts: Vec<i64> =
                (0..(sentences * references * columns) as i64).map(|count| count * count % 31).collect();
            let choices: Vec<u32> =
                (0..3 * sentences as u32).map(|number| number * number % references as u32).collect();
            let mut expected = vec![];
            for choices in choices.chunks(sentences.max(1)) {
                for column in 0..columns {
                    let count =
                        |(s, &choice): (usize, &u32)| counts[(s * references + choice as usize) * columns + column];
                    expected.push(choices.iter().enumerate().map(count).sum());
                }
            }
            assert_eq!(sums_of_choices(&counts, [sentences, references, columns], &choices), Ok(expected));
        }
    }
}
