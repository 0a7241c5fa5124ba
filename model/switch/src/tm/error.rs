//! Errors of settings.

/// Maximum number of queues of a port.
pub const MAX_QUEUES: usize = 64;
/// Minimum number of quanta of a pause. Half of a pause must last longer than a frame of 16 KiB and a PFC
/// frame on the wire, so that a refresh at half time arrives in time.
pub const MIN_QUANTA: u16 = 516;

/// The reason why settings are refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// No ports, or too many.
    #[error("{ports} ports; a switch has 1 to 65535")]
    Ports {
        /// Number of ports.
        ports: usize,
    },
    /// With this rate no item would ever leave the port, or all items would leave at once.
    #[error("port {port}: the rate has 0 bytes or 0 clocks; use at least 1 of each")]
    Rate {
        /// Port.
        port: usize,
    },
    /// No queues, or too many.
    #[error("port {port}: {queues} queues; a port has 1 to {MAX_QUEUES}")]
    Queues {
        /// Port.
        port: usize,
        /// Number of queues.
        queues: usize,
    },
    /// The denominator of a share is 0.
    #[error("port {port}, queue {queue}: alpha's denominator is 0; use 1 or more")]
    Alpha {
        /// Port.
        port: usize,
        /// Queue.
        queue: usize,
    },
    /// PFC has only eight classes.
    #[error("port {port}, queue {queue}: class {class}; classes are 0 to 7")]
    Class {
        /// Port.
        port: usize,
        /// Queue.
        queue: usize,
        /// Class of the queue.
        class: u8,
    },
    /// Trimmed packets have no valid queue.
    #[error("port {port}: queue {to_queue} for trimmed packets does not exist or trims itself")]
    TrimQueue {
        /// Port.
        port: usize,
        /// Queue for trimmed packets.
        to_queue: u16,
    },
    /// The lower threshold is above the upper one.
    #[error("ECN: Kmin {kmin} is above Kmax {kmax}")]
    Thresholds {
        /// Kmin.
        kmin: u32,
        /// Kmax.
        kmax: u32,
    },
    /// A probability above 1.
    #[error("ECN: Pmax {pmax} is above 65536, which is a probability of 1")]
    Pmax {
        /// Pmax.
        pmax: u32,
    },
    /// A pause would end before the next refresh.
    #[error("PFC: {quanta} quanta; a pause has at least {MIN_QUANTA}")]
    Quanta {
        /// Quanta.
        quanta: u16,
    },
    /// The denominator of a share is 0.
    #[error("PFC: alpha's denominator is 0; use 1 or more")]
    PfcAlpha,
    /// Queues and ports reserve more than the buffer has.
    #[error("reserves and headroom need {kept} bytes, and the buffer has {buffer}; use a larger buffer")]
    Buffer {
        /// Reserves and headroom.
        kept: u64,
        /// The buffer.
        buffer: u64,
    },
}
