//! How evenly entropy values spread over uplinks (REPS appendix B, Figure 16; page `docs/results/r15.md`): for each of some
//! flows every value once, through the hash of a switch. `--nocapture` prints the table.

use weft_fabric::balance::hash::{Salted, of_flow};
use weft_random::Rng;

const UPLINKS: usize = 32;
const SWITCHES: u32 = 100;

/// By how much the busiest of the uplinks is above their mean; `ball` says the uplink of a flow's value.
fn imbalance(flows: u32, values: u32, mut ball: impl FnMut(u32, u16) -> u32) -> f64 {
    let mut uplinks = [0_u32; UPLINKS];
    for flow in 0..flows {
        (0..values).for_each(|value| uplinks[ball(flow, value as u16) as usize] += 1);
    }
    let mean = f64::from(flows * values) / UPLINKS as f64;
    f64::from(*uplinks.iter().max().expect("there are uplinks")) / mean - 1.0
}

/// Mean and standard deviation over switches: of the switch's hash, and of balls thrown at random.
fn spread(flows: u32, values: u32) -> [(f64, f64); 2] {
    let of = |thrown: bool| {
        let all: Vec<f64> = (0..SWITCHES)
            .map(|switch| {
                let mut rng = Rng::of(&[switch.into(), 0xB1]);
                let salted = Salted::new(rng.below(u32::MAX));
                let hashes: Vec<u32> = (0..flows).map(|flow| of_flow(flow, flow + 1_000)).collect();
                imbalance(flows, values, |flow, value| match thrown {
                    true => rng.below(UPLINKS as u32),
                    // As ECMP does, whose share of the upper 16 bits is that of the upper five among 32.
                    false => salted.hash(hashes[flow as usize], value) >> 27,
                })
            })
            .collect();
        let mean = all.iter().sum::<f64>() / all.len() as f64;
        let squares: f64 = all.iter().map(|value| (value - mean).powi(2)).sum();
        (mean, (squares / (all.len() - 1) as f64).sqrt())
    };
    [of(false), of(true)]
}

/// "For 32 flows, choosing less than 2^8 EVs can lead to more than 10% load-imbalance, whereas 2^16 EVs guarantee less than
/// a 1% load imbalance."
#[test]
fn few_entropy_values_are_uneven() {
    for flows in [1, 32] {
        println!("{flows} flows: values, by the switches' hash, at random; percent");
        for bits in [5, 6, 7, 8, 10, 12, 14, 16] {
            let [hash, random] = spread(flows, 1 << bits).map(|(mean, sd)| (100.0 * mean, 100.0 * sd));
            println!("2^{bits}: {:.2} ± {:.2}, {:.2} ± {:.2}", hash.0, hash.1, random.0, random.1);
            // The hash is as even as chance, or more.
            assert!(hash.0 < random.0 * 1.1, "{flows} flows, 2^{bits}: {hash:?}, {random:?}");
            match (flows, bits) {
                (32, ..8) => assert!(hash.0 + hash.1 > 10.0, "2^{bits}: {hash:?}"),
                (32, 16) => assert!(hash.0 < 1.0, "{hash:?}"),
                _ => {}
            }
        }
    }
}
