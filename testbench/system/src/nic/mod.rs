//! NICs on wires (page `docs/nic-scenarios.md`): hosts with memory, DMA and a driver, wires at the rate of
//! 100 Gb/s, a simple fabric of many paths, workloads. Each host has a [`Device`]: the model of the NIC, its
//! RTL, or both. All choices depend only on the seed.

pub(crate) mod bench;
pub(crate) mod capture;
pub(crate) mod error;
pub(crate) mod figures;
pub(crate) mod host;
pub(crate) mod scenario;
mod station;
pub(crate) mod view;

pub use crate::host::axil::{Access, Axil};
pub use crate::host::breach::{Breach, Fault};
pub use crate::host::device::{Device, DeviceError};
pub use crate::host::driver::{Connection, Driver, Identity};
pub use crate::host::monitored::{Monitored, PortWatch};
pub use crate::host::registers::{RegisterDriver, configuration, configuration_with};
pub use crate::memory::Memory;
pub use crate::network::counts::{Counts, LinkCounts};
pub use crate::network::leaf_spine::{DeadPath, Fabric, Queue, Wires};
pub use crate::network::link::Impairments;
pub use crate::network::pace::{CLOCK_NS, OVERHEAD, Rate, SHORTEST, on_wire};
pub use crate::workload::build::LONGEST;
pub use crate::workload::flows::flow_times;
pub use crate::workload::kind::{MOST_NICS, Workload};
pub use crate::workload::matrix::{Flow, Matrix, MatrixError, Start, Unit};
pub use crate::workload::plan::{After, Fires, Leg, Message, Pairing, Plan, Sum, Times};
pub use capture::CaptureError;
pub use error::NicError;
pub use figures::{Bin, Figures, Packets};
pub use host::{HostSettings, LinkSettings};
pub use scenario::Scenario;
pub use view::{Alone, AnyNic, Maker, View};
