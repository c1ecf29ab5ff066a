//! Numbered strings.

use rustc_hash::FxHashMap;

/// Distinct strings in order of first appearance.
#[derive(Default)]
pub struct Table {
    pub strings: Vec<String>,
    places: FxHashMap<String, u32>,
}

impl Table {
    /// The index of a string, which is added if it is new.
    pub fn intern(&mut self, text: &str) -> u32 {
        if let Some(&place) = self.places.get(text) {
            return place;
        }
        let place = self.strings.len() as u32;
        self.strings.push(text.to_string());
        self.places.insert(text.to_string(), place);
        place
    }
}
