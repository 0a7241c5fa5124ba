//! Distribution of entropy values over the uplinks of a switch (REPS appendix B): each of a number of flows
//! uses each value once.

use crate::balance::hash::{Salted, of_flow};
use weft_random::Rng;

/// The part of a packet that decides its uplink.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The hash of a switch, as in ECMP.
    Hash,
    /// A random choice.
    Chance,
}

/// Distance between source and destination of a flow, as a difference of host numbers. The flows are those of
/// one host and the hosts after it.
const DISTANCE: u32 = 1_000;

/// Excess of the busiest uplink of switch `switch` over the mean of its `uplinks` (1 to 65,536), if each of
/// `flows` flows sends a packet on each of `values` entropy values.
pub fn imbalance(by: By, switch: u32, uplinks: u32, flows: u32, values: u32) -> f64 {
    let mut rng = Rng::of(&[switch.into(), 0xB1]);
    let salted = Salted::new(rng.below(u32::MAX));
    let mut counts = vec![0_u32; uplinks as usize];
    for flow in 0..flows {
        let of_flow = of_flow(flow, flow + DISTANCE);
        for value in 0..values {
            let uplink = match by {
                By::Hash => ((salted.hash(of_flow, value as u16) >> 16) * uplinks) >> 16,
                By::Chance => rng.below(uplinks),
            };
            counts[uplink as usize] += 1;
        }
    }
    let mean = f64::from(flows) * f64::from(values) / f64::from(uplinks);
    f64::from(counts.into_iter().max().unwrap_or(0)) / mean - 1.0
}
