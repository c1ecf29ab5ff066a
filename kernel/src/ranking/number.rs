//! The number types of counts.

/// A count: sums of it are exact, and arithmetic uses its value as a double.
pub trait Number: Copy + std::ops::AddAssign {
    const ZERO: Self;
    fn double(self) -> f64;
    /// The number as 64 bits, and back.
    fn to_bits64(self) -> u64;
    fn from_bits64(bits: u64) -> Self;
}

impl Number for i64 {
    const ZERO: Self = 0;
    fn double(self) -> f64 {
        self as f64
    }
    fn to_bits64(self) -> u64 {
        self as u64
    }
    fn from_bits64(bits: u64) -> Self {
        bits as i64
    }
}

impl Number for f64 {
    const ZERO: Self = 0.0;
    fn double(self) -> f64 {
        self
    }
    fn to_bits64(self) -> u64 {
        self.to_bits()
    }
    fn from_bits64(bits: u64) -> Self {
        Self::from_bits(bits)
    }
}
