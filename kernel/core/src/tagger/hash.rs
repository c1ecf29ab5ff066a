//! The two hash functions of a model's features.

/// Mix a value into a hash (the multiplier is 2^64 over the golden ratio).
#[inline]
pub fn mix(hash: u64, value: u64) -> u64 {
    let product = (hash ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    product ^ (product >> 32)
}

/// FNV-1a, 64 bit, of the UTF-8 bytes.
pub fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3))
}
