//! Statistics over several runs, or over the ports of a run.

use serde_json::Value;

/// A figure over seeds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The number of runs.
    pub count: usize,
    /// Mean.
    pub mean: f64,
    /// Standard deviation of a sample; 0 for one value.
    pub deviation: f64,
    /// Least.
    pub least: f64,
    /// Most.
    pub most: f64,
}

impl Spread {
    /// `None` without values.
    pub fn of(values: &[f64]) -> Option<Self> {
        let count = values.len() as f64;
        let least = values.iter().copied().reduce(f64::min)?;
        let most = values.iter().copied().reduce(f64::max)?;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let deviation = (squares / (count - 1.0).max(1.0)).sqrt();
        Some(Self { count: values.len(), mean, deviation, least, most })
    }

    /// The confidence interval of the mean at 95 %, by Student's distribution; one value has none.
    pub fn confidence(&self) -> Option<[f64; 2]> {
        let half = student(self.count.checked_sub(1).filter(|degrees| *degrees > 0)?) * self.deviation
            / (self.count as f64).sqrt();
        Some([self.mean - half, self.mean + half])
    }
}

/// The 97.5th percentile of Student's distribution, by degrees of freedom from 1 on.
const STUDENT: [f64; 30] = [
    12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281, 2.2010, 2.1788, 2.1604,
    2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860, 2.0796, 2.0739, 2.0687, 2.0639, 2.0595, 2.0555,
    2.0518, 2.0484, 2.0452, 2.0423,
];

fn student(degrees: usize) -> f64 {
    // Beyond the table two terms of its expansion are exact to four digits (Abramowitz and Stegun, 26.7.5).
    let (z, n) = (1.959_964_f64, degrees as f64);
    let beyond =
        || z + (z.powi(3) + z) / (4.0 * n) + (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / (96.0 * n * n);
    STUDENT.get(degrees - 1).copied().unwrap_or_else(beyond)
}

/// Excess of the busiest port of a layer over the layer's mean in percent. `None` if the layer carried no
/// bytes.
pub fn busiest(layer: &Value) -> Option<f64> {
    // Minimum, mean, maximum.
    let bytes = |at: usize| layer["bytes"][at].as_f64();
    Some((bytes(2)? / bytes(1).filter(|mean| *mean > 0.0)? - 1.0) * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_layer_without_bytes_has_no_busiest_port() {
        assert_eq!(busiest(&json!({ "bytes": [0, 10, 15] })), Some(50.0));
        assert_eq!(busiest(&json!({ "bytes": [0, 0, 0] })), None);
    }

    #[test]
    fn a_spread_is_that_of_a_sample() {
        let spread = Spread::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
        assert_eq!(spread.map(|it| (it.mean, it.least, it.most)), Some((5.0, 2.0, 9.0)));
        assert!(spread.is_some_and(|it| (it.deviation - 2.138).abs() < 1e-3));
        let one = Spread { count: 1, mean: 3.0, deviation: 0.0, least: 3.0, most: 3.0 };
        assert_eq!(Spread::of(&[3.0]), Some(one));
        assert_eq!(Spread::of(&[]), None);
    }

    /// Student's table: 2.2622 at 9 degrees, 1.9840 at 100.
    #[test]
    fn an_interval_of_confidence_is_students() {
        let ten: Vec<f64> = (1..=10).map(f64::from).collect();
        // By hand: mean 5.5, deviation 3.02765; divided by the root of ten, 0.95743.
        let [low, high] = Spread::of(&ten).and_then(|it| it.confidence()).expect("of ten");
        assert!((low - 3.3341).abs() < 1e-3 && (high - 7.6659).abs() < 1e-3, "{low} {high}");
        assert!((student(100) - 1.9840).abs() < 1e-4 && (student(31) - 2.0395).abs() < 1e-4);
        assert_eq!(Spread::of(&[3.0]).and_then(|it| it.confidence()), None);
    }
}
