//! Geometric means of fractions.

/// Arithmetic of a geometric mean. The results differ in their last bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeanArithmetic {
    /// Exponential of the mean logarithm, equal on every platform.
    Portable,
    /// Exponential of the mean logarithm by the platform's C library, which Python's `math` uses, in numpy's order of
    /// summation.
    Platform,
    /// Root of the product for 1, 2 and 4 fractions, which takes a fraction of the time; `Platform` for other numbers.
    Root,
}

/// Numerator and denominator of `hits / total`, which is `empty` for a total of 0.
pub fn fraction(hits: f64, total: f64, empty: f64) -> [f64; 2] {
    if total > 0.0 {
        [hits, total]
    } else {
        [empty, 1.0]
    }
}

/// The natural logarithm of a fraction by this function, with a shortcut for the frequent ratio 1.
fn logarithm([hits, total]: [f64; 2], ln: impl Fn(f64) -> f64) -> f64 {
    if hits == total {
        0.0
    } else {
        ln(hits / total)
    }
}

/// The natural logarithm of a fraction by the platform's C library.
pub fn platform_logarithm(fraction: [f64; 2]) -> f64 {
    logarithm(fraction, f64::ln)
}

/// The geometric means of N sequences of fractions, times the exponential of `log_factor`.
pub fn geometric_means<const N: usize>(
    fractions: impl ExactSizeIterator<Item = [[f64; 2]; N]>,
    log_factor: f64,
    arithmetic: MeanArithmetic,
) -> [f64; N] {
    let number = fractions.len();
    match (arithmetic, number) {
        (MeanArithmetic::Root, 1) => products(fractions, log_factor),
        (MeanArithmetic::Root, 2) => products(fractions, 2.0 * log_factor).map(f64::sqrt),
        (MeanArithmetic::Root, 4) => products(fractions, 4.0 * log_factor).map(|product| product.sqrt().sqrt()),
        (MeanArithmetic::Portable, _) => {
            let sums = sums_of_logarithms(fractions, libm::log, 0);
            sums.map(|sum| libm::exp(log_factor + sum / number as f64))
        }
        (MeanArithmetic::Platform | MeanArithmetic::Root, _) => {
            let sums = sums_of_logarithms(fractions, f64::ln, number - number % LANES);
            sums.map(|sum| f64::exp(log_factor + sum / number as f64))
        }
    }
}

/// The number of partial sums in numpy's order of summation.
const LANES: usize = 8;

/// The sums of the logarithms of N sequences of fractions: first of `in_lanes` fractions in turn in partial sums, then
/// of the others in order.
fn sums_of_logarithms<const N: usize>(
    mut fractions: impl Iterator<Item = [[f64; 2]; N]>,
    ln: impl Fn(f64) -> f64,
    in_lanes: usize,
) -> [f64; N] {
    let add = |sums: &mut [f64; N], group: [[f64; 2]; N]| {
        sums.iter_mut().zip(group).for_each(|(sum, fraction)| *sum += logarithm(fraction, &ln));
    };
    let mut lanes = [[0.0; N]; LANES];
    for (index, group) in fractions.by_ref().take(in_lanes).enumerate() {
        add(&mut lanes[index % LANES], group);
    }
    let [a, b, c, d, e, f, g, h] = lanes;
    let mut sums = std::array::from_fn(|k| ((a[k] + b[k]) + (c[k] + d[k])) + ((e[k] + f[k]) + (g[k] + h[k])));
    fractions.for_each(|group| add(&mut sums, group));
    sums
}

/// The products of N sequences of fractions, times the exponential of `log_factor`.
fn products<const N: usize>(fractions: impl Iterator<Item = [[f64; 2]; N]>, log_factor: f64) -> [f64; N] {
    let factor = if log_factor == 0.0 { 1.0 } else { log_factor.exp() };
    let products = fractions.fold([[factor, 1.0]; N], |products, group| {
        std::array::from_fn(|k| [products[k][0] * group[k][0], products[k][1] * group[k][1]])
    });
    products.map(|[hits, total]| hits / total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetics_differ_in_last_bits_only() {
        let fractions = [[1.0, 2.0], [1.0, 4.0], [3.0, 8.0], [3.0, 4.0], [5.0, 5.0], [2.0, 3.0]].repeat(3);
        for (number, log_factor) in [(1, 0.0), (2, -0.5), (3, 0.0), (4, -0.5), (5, f64::NEG_INFINITY), (18, -0.5)] {
            let mean_of = |arithmetic| {
                let [mean] = geometric_means(fractions[..number].iter().map(|&pair| [pair]), log_factor, arithmetic);
                mean
            };
            let published = mean_of(MeanArithmetic::Portable);
            assert!((mean_of(MeanArithmetic::Platform) - published).abs() < 1e-15);
            assert!((mean_of(MeanArithmetic::Root) - published).abs() < 1e-15);
        }
    }
}
