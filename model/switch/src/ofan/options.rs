//! The options.

use serde::{Deserialize, Serialize};

/// Options. The defaults are the paper's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Ofan {
    /// Classes of packet size: the most bytes of a frame (without FCS) of each class but the last.
    pub classes: Classes,
    /// The flows that share a schedule.
    pub schedules: Schedules,
    /// The weights that schedules are made from.
    pub weights: Weights,
    /// The start of a pointer, and its order.
    pub first: First,
}

/// Bounds of classes of packet size, rising; at most three.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Classes(pub Vec<u16>);

impl Default for Classes {
    /// Two classes (section 7: "one for data packets and another for ACKs"): up to 256 bytes, and above.
    fn default() -> Self {
        Self(vec![256])
    }
}

/// The flows that share a schedule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Schedules {
    /// One order for all pointers to a pod (Appendix F.4): the pointers differ in their starts, and skip
    /// ports that do not reach their destination. Each pod has one random order at each switch.
    #[default]
    PerPod,
    /// The pointers to one destination share the random order.
    PerDestination,
}

/// The weights that schedules are made from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Weights {
    /// W-ECMP weights.
    #[default]
    Wecmp,
    /// Reachability alone (Appendix F.4: the FIB-based version): all weights are 1.
    Fib,
}

/// The start of a pointer, and its order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum First {
    /// A random port, in a random order (section 7).
    #[default]
    Random,
    /// The port up with the fewest waiting bytes when the first packet arrives, the first of equal ones
    /// (Appendix F.4, variants).
    ShortestQueue,
}
