//! The settings with which a traffic manager is built.

use super::error::{MAX_QUEUES, MIN_QUANTA, SettingsError};
use super::red::Red;
use serde::Serialize;

/// Bytes of a frame on the wire besides its own: preamble, FCS, gap.
pub const WIRE_OVERHEAD: u32 = 24;
/// Minimum number of bytes of a frame on the wire.
pub const WIRE_MIN: u32 = 84;

/// A rate in bytes per clocks. 100 Gb/s with a clock of 1 ns is 25 bytes in 2 clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Rate {
    /// Number of bytes.
    pub bytes: u32,
    /// Number of clocks for these bytes.
    pub clocks: u32,
}

impl Rate {
    /// A rate in Gb/s, with a clock of 1 ns.
    pub const fn gbps(gbps: u32) -> Self {
        Self { bytes: gbps, clocks: 8 }
    }

    /// Minimum number of whole clocks for a number of bytes.
    pub fn clocks_of(self, bytes: u64) -> u64 {
        (u128::from(bytes) * u128::from(self.clocks)).div_ceil(u128::from(self.bytes.max(1))) as u64
    }

    /// Number of bytes in a number of clocks, rounded up.
    pub fn bytes_in(self, clocks: u64) -> u64 {
        (u128::from(clocks) * u128::from(self.bytes)).div_ceil(u128::from(self.clocks.max(1))) as u64
    }
}

/// A share of the free buffer: `numerator / denominator` of it, rounded down (Choudhury and Hahne, "Dynamic
/// queue length thresholds for shared-memory packet switches", IEEE/ACM ToN 6(2), 1998: a queue may hold
/// alpha x free bytes).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Alpha {
    /// Factor of the free bytes.
    pub numerator: u32,
    /// Divisor of the free bytes.
    pub denominator: u32,
}

impl Alpha {
    /// All free bytes.
    pub const ONE: Self = Self { numerator: 1, denominator: 1 };

    /// Number of bytes that a queue may hold if `free` bytes are free.
    pub fn of(self, free: u64) -> u64 {
        (u128::from(free) * u128::from(self.numerator) / u128::from(self.denominator.max(1))) as u64
    }
}

/// A queue of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Queue {
    /// Bytes that belong to the queue. The queue uses these bytes before the shared buffer.
    pub reserve_bytes: u32,
    /// Bytes that the queue never exceeds, if there is a limit.
    pub limit_bytes: Option<u32>,
    /// The queue's share of the free buffer. The share has no meaning if the class is lossless.
    pub alpha: Alpha,
    /// PFC class (priority). A peer's pause of the class stops the queue.
    pub class: Option<u8>,
    /// Whether the queue's items are marked, and count for marking.
    pub marks: bool,
    /// Whether an item without space is trimmed, if trimming is on.
    pub trims: bool,
}

impl Queue {
    /// A queue of data, also one for reordering: class 3 (the data class of ConWeave's simulations), marked, trimmed.
    pub const DATA: Self = Self {
        reserve_bytes: 0,
        limit_bytes: None,
        alpha: Alpha::ONE,
        class: Some(3),
        marks: true,
        trims: true,
    };

    /// A queue that is never marked, trimmed or paused by a peer.
    pub const CONTROL: Self = Self { class: None, marks: false, trims: false, ..Self::DATA };
}

/// A port.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Port {
    /// The rate of the wire.
    pub rate: Rate,
    /// The queues. A higher number has higher priority.
    pub queues: Vec<Queue>,
    /// Whether the port leads to a host: an item trimmed for it was trimmed at the last hop.
    pub is_last_hop: bool,
    /// Bytes, for each lossless class, for packets that still arrive after a request for a pause. 0: this
    /// port requests no pause, and its packets may be dropped in their queues.
    pub headroom_bytes: u32,
}

impl Port {
    /// A port with three kinds of queues: one queue of data, a number of queues for reordering above it, and
    /// one control queue on top.
    pub fn new(rate: Rate, reorder_queues: usize) -> Self {
        let mut queues = vec![Queue::DATA; 1 + reorder_queues];
        queues.push(Queue::CONTROL);
        Self { rate, queues, is_last_hop: false, headroom_bytes: 0 }
    }

    /// Headroom with which no packet is lost: the bytes that the peer sends until it has read the pause. The
    /// link and both switches need `round_trip_clocks` for a round trip, and the longest frame has
    /// `frame_bytes`. Besides the round trip, the headroom contains the frame that met the threshold, the
    /// frame that this switch was sending, the PFC frame, and the frame that the peer had begun. (ConWeave's
    /// simulations count two frames, and leave out the third and the PFC frame.)
    pub fn headroom_for(rate: Rate, round_trip_clocks: u64, frame_bytes: u32) -> u32 {
        let frames = 3 * (u64::from(frame_bytes) + u64::from(WIRE_OVERHEAD));
        // Two clocks more: the wire of this switch can begin within a clock and not at its edge, and so can
        // the peer's.
        let bytes = rate.bytes_in(round_trip_clocks.saturating_add(2)) + frames + u64::from(WIRE_MIN);
        bytes.try_into().unwrap_or(u32::MAX)
    }
}

/// Trimming: the rest of an item enters another queue of its port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Trim {
    /// The queue, which must not trim.
    pub to_queue: u16,
}

/// Priority flow control (IEEE 802.1Qbb).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Pfc {
    /// Lossless classes, one bit each.
    pub classes: u8,
    /// Share of the free buffer that an ingress port may use in a class before it requests a pause.
    pub alpha: Alpha,
    /// Bytes of each ingress port and class, which they use before the shared buffer.
    pub reserve_bytes: u32,
    /// Bytes below the start of a pause at which the pause ends.
    pub xon_offset_bytes: u32,
    /// Duration of a pause in quanta of 512 bit times. The pause is refreshed at half time.
    pub quanta: u16,
}

impl Pfc {
    /// ConWeave's simulations: class 3, alpha 1/16, 5 us at 100 Gb/s.
    pub const CONWEAVE: Self = Self {
        classes: 1 << 3,
        alpha: Alpha { numerator: 1, denominator: 16 },
        reserve_bytes: 0,
        xon_offset_bytes: 3 * 1024,
        quanta: 977,
    };
}

/// A traffic manager.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Settings {
    /// Ports.
    pub ports: Vec<Port>,
    /// The whole buffer: the bytes that belong to queues and ingress ports, headroom, and the rest, which is
    /// shared.
    pub buffer_bytes: u64,
    /// ECN marking, if any.
    pub red: Option<Red>,
    /// Trimming, if any.
    pub trim: Option<Trim>,
    /// PFC, if any.
    pub pfc: Option<Pfc>,
    /// Whether an item that enters a paused queue is charged and counts for marking at once; otherwise both
    /// happen when the queue is resumed.
    pub charge_paused: bool,
}

impl Settings {
    /// Settings with a buffer of a number of bytes. ECN, trimming and PFC are off.
    pub fn new(ports: Vec<Port>, buffer_bytes: u64) -> Self {
        Self { ports, buffer_bytes, red: None, trim: None, pfc: None, charge_paused: true }
    }

    /// Buffer of ConWeave's simulations: 9 MiB.
    pub const CONWEAVE_BUFFER_BYTES: u64 = 9 << 20;

    /// The shared bytes of the buffer, if the settings are possible.
    pub(super) fn shared_bytes(&self) -> Result<u64, SettingsError> {
        if self.ports.is_empty() || self.ports.len() > usize::from(u16::MAX) {
            return Err(SettingsError::Ports { ports: self.ports.len() });
        }
        let mut kept = 0;
        for (at, port) in self.ports.iter().enumerate() {
            port.check(at, self.trim)?;
            let of_queues: u64 = port.queues.iter().map(|queue| u64::from(queue.reserve_bytes)).sum();
            let of_classes = self.pfc.filter(|_| port.headroom_bytes > 0).map_or(0, |pfc| {
                u64::from(pfc.classes.count_ones())
                    * (u64::from(pfc.reserve_bytes) + u64::from(port.headroom_bytes))
            });
            kept += of_queues + of_classes;
        }
        if let Some(red) = self.red {
            red.check()?;
        }
        if let Some(pfc) = self.pfc {
            if pfc.quanta < MIN_QUANTA {
                return Err(SettingsError::Quanta { quanta: pfc.quanta });
            }
            if pfc.alpha.denominator == 0 {
                return Err(SettingsError::PfcAlpha);
            }
        }
        self.buffer_bytes.checked_sub(kept).ok_or(SettingsError::Buffer { kept, buffer: self.buffer_bytes })
    }

    /// Whether the queue's class is lossless.
    pub(super) fn is_lossless(&self, queue: &Queue) -> bool {
        match (self.pfc, queue.class) {
            (Some(pfc), Some(class)) => pfc.classes & (1 << (class & 7)) != 0,
            _ => false,
        }
    }
}

impl Port {
    fn check(&self, port: usize, trim: Option<Trim>) -> Result<(), SettingsError> {
        if self.rate.bytes == 0 || self.rate.clocks == 0 {
            return Err(SettingsError::Rate { port });
        }
        if self.queues.is_empty() || self.queues.len() > MAX_QUEUES {
            return Err(SettingsError::Queues { port, queues: self.queues.len() });
        }
        for (at, queue) in self.queues.iter().enumerate() {
            if queue.alpha.denominator == 0 {
                return Err(SettingsError::Alpha { port, queue: at });
            }
            if let Some(class) = queue.class.filter(|class| *class > 7) {
                return Err(SettingsError::Class { port, queue: at, class });
            }
        }
        if let Some(Trim { to_queue }) = trim
            && self.queues.get(usize::from(to_queue)).is_none_or(|queue| queue.trims)
        {
            return Err(SettingsError::TrimQueue { port, to_queue });
        }
        Ok(())
    }
}
