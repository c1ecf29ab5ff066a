//! The number types of counts.

/// A count: sums of it are exact, and arithmetic uses its value as a double.
pub trait Number: Copy + std::ops::AddAssign {
    const ZERO: Self;
    fn double(self) -> f64;
}

impl Number for i64 {
    const ZERO: Self = 0;
    fn double(self) -> f64 {
        self as f64
    }
}

impl Number for f64 {
    const ZERO: Self = 0.0;
    fn double(self) -> f64 {
        self
    }
}
