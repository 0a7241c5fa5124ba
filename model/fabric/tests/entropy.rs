//! Evenness of the distribution of entropy values over uplinks (REPS appendix B, Figure 16; page
//! `docs/results/r15.md`).

use weft_fabric::entropy::{By, imbalance};

const UPLINKS: u32 = 32;
const SWITCHES: u32 = 100;

/// Mean and standard deviation over switches, percent.
fn spread(by: By, flows: u32, values: u32) -> (f64, f64) {
    let all: Vec<f64> =
        (0..SWITCHES).map(|switch| 100.0 * imbalance(by, switch, UPLINKS, flows, values)).collect();
    let mean = all.iter().sum::<f64>() / all.len() as f64;
    let squares: f64 = all.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (squares / (all.len() - 1) as f64).sqrt())
}

/// "For 32 flows, choosing less than 2^8 EVs can lead to more than 10% load-imbalance, whereas 2^16 EVs guarantee less than
/// a 1% load imbalance."
#[test]
fn few_entropy_values_are_uneven() {
    for flows in [1, 32] {
        for bits in [5, 6, 7, 8, 10, 12, 14, 16] {
            let [hash, random] = [By::Hash, By::Chance].map(|by| spread(by, flows, 1 << bits));
            // The hash is at least as even as a random choice.
            assert!(hash.0 < random.0 * 1.1, "{flows} flows, 2^{bits}: {hash:?}, {random:?}");
            match (flows, bits) {
                (32, ..8) => assert!(hash.0 + hash.1 > 10.0, "2^{bits}: {hash:?}"),
                (32, 16) => assert!(hash.0 < 1.0, "{hash:?}"),
                _ => {}
            }
        }
    }
}
