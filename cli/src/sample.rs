//! What several runs, or the ports of a run, have in common.

use serde_json::Value;

/// A figure over seeds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spread {
    /// Mean.
    pub(crate) mean: f64,
    /// Standard deviation of a sample; 0 of one.
    pub(crate) deviation: f64,
    /// Least.
    pub(crate) least: f64,
    /// Most.
    pub(crate) most: f64,
}

impl Spread {
    /// `None` of nothing.
    pub(crate) fn of(values: &[f64]) -> Option<Self> {
        let count = values.len() as f64;
        let least = values.iter().copied().reduce(f64::min)?;
        let most = values.iter().copied().reduce(f64::max)?;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        Some(Self { mean, deviation: (squares / (count - 1.0).max(1.0)).sqrt(), least, most })
    }
}

/// By how many percent the busiest port of a layer, of those of a result, is above the mean; `None`: it carried nothing.
pub(crate) fn busiest(layer: &Value) -> Option<f64> {
    // Least, mean, most.
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
        assert_eq!(Spread::of(&[3.0]), Some(Spread { mean: 3.0, deviation: 0.0, least: 3.0, most: 3.0 }));
        assert_eq!(Spread::of(&[]), None);
    }
}
