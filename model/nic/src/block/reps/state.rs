//! The state of a connection, the inputs of an event, and the codes of both.

use weft_params::{EvMode, RepsCsr};
use weft_word::{Bit, Bits, Concrete, Domain, Word, stored};

/// The kind of an event: the low three bits of `s_axis_event_tuser`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A data packet leaves: choose its entropy value.
    Send = 0,
    /// An acknowledgement arrived: entropy value, ECN mark, round-trip time.
    Ack = 1,
    /// A retransmission timer expired.
    Timeout = 2,
    /// A probe shows that the failed path is back (ARCANE 3.2).
    PathOk = 3,
    /// The connection has been idle for the time that its NIC allows (ARCANE 3.1).
    Idle = 4,
    /// Open the connection: all its state gets the initial values.
    Open = 5,
    /// Close the connection.
    Close = 6,
    /// Seed the random number generator. No connection is concerned.
    Seed = 7,
}

impl Kind {
    /// All kinds, by their code.
    pub const ALL: [Kind; 8] =
        [Kind::Send, Kind::Ack, Kind::Timeout, Kind::PathOk, Kind::Idle, Kind::Open, Kind::Close, Kind::Seed];
}

/// Source of the entropy value of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// REPS did not choose: the value of a fixed connection, or an event other than a SEND.
    Given = 0,
    /// A new entropy value: drawn at random, or the next one in mode 2024.
    Explored = 1,
    /// A cached value, not used since its acknowledgement. Mode 2024: the cached value.
    Recycled = 2,
    /// Freezing mode: a cached one that has been used before.
    Reused = 3,
}

impl Source {
    /// All sources, by their code.
    pub const ALL: [Source; 4] = [Source::Given, Source::Explored, Source::Recycled, Source::Reused];
}

stored! {
    /// The state of one connection besides its entropy values. Words are as wide as the deepest buffer (16)
    /// needs. The RTL has `log2(depth)` bits of head and one more of `written`; in place of `valid` it has
    /// the oldest valid slot and whether there is one.
    #[derive(Clone, Copy, Debug)]
    pub struct Control<D: Domain> {
        /// The connection is open.
        pub open: Bit<D>,
        /// Freezing mode.
        pub frozen: Bit<D>,
        /// Not frozen: time of the high RTT. Mode 2024: the cached entropy is an index.
        pub high: Bit<D>,
        /// Next slot to write, below depth.
        pub head: D::Word<5>,
        /// Valid slots: the `valid` slots behind `head`.
        pub valid: D::Word<5>,
        /// Slots written since the connection was opened: slots 0 up to `written`.
        pub written: D::Word<5>,
        /// Packets still to send on random entropy values.
        pub explore: D::Word<8>,
        /// Frozen: when that began, in ticks. Else with `high`: time of the last high RTT. Mode 2024: cached
        /// entropy in bits 15:8, next entropy in bits 7:0.
        pub time: D::Word<32>,
    }
}

impl<D: Domain> Control<D> {
    /// A closed connection: all zeros, the state after reset and [`Kind::Close`].
    pub fn closed() -> Self {
        Self {
            open: D::lit(0),
            frozen: D::lit(0),
            high: D::lit(0),
            head: D::lit(0),
            valid: D::lit(0),
            written: D::lit(0),
            explore: D::lit(0),
            time: D::lit(0),
        }
    }

    /// The invariant between any two events (proved inductive): counts within the buffer, valid
    /// slots written, a partly written buffer written from slot 0, nothing to explore while frozen,
    /// a closed connection all zero.
    pub fn invariant(&self, depth: u32) -> Bit<D> {
        let depth = D::lit(u128::from(depth));
        let zero = self.head.is_zero()
            & self.valid.is_zero()
            & self.written.is_zero()
            & self.explore.is_zero()
            & self.time.is_zero()
            & !self.frozen
            & !self.high;
        self.head.less(depth)
            & self.valid.at_most(self.written)
            & self.written.at_most(depth)
            & (self.written.equals(depth) | self.head.at_most(self.written))
            & (self.written.equals(depth) | self.valid.at_most(self.head))
            & (!self.frozen | self.explore.is_zero())
            & (self.open | zero)
    }
}

/// The CSRs as words: the `cfg_*` ports.
#[derive(Clone, Copy, Debug)]
pub struct Csr<D: Domain> {
    /// [`EvMode`] by its code.
    pub mode: D::Word<2>,
    /// Ticks that a connection stays frozen.
    pub freeze_timeout: D::Word<32>,
    /// Packets of one BDP.
    pub bdp_packets: D::Word<16>,
    /// The fabric trims.
    pub trimming: Bit<D>,
    /// Ending a freeze empties the buffer.
    pub thaw_reset: Bit<D>,
    /// Number of ticks from which a round-trip time is high.
    pub rtt_high: D::Word<16>,
    /// Number of ticks during which a high RTT counts.
    pub rtt_window: D::Word<32>,
}

impl From<&RepsCsr> for Csr<Concrete> {
    fn from(csr: &RepsCsr) -> Self {
        Self {
            mode: Bits::lit(csr.mode as u128),
            freeze_timeout: Bits::lit(csr.freeze_timeout_ticks.into()),
            bdp_packets: Bits::lit(csr.bdp_packets.into()),
            trimming: Bits::lit(csr.trimming.into()),
            thaw_reset: Bits::lit(csr.thaw_reset.into()),
            rtt_high: Bits::lit(csr.rtt_high_ticks.into()),
            rtt_window: Bits::lit(csr.rtt_window_ticks.into()),
        }
    }
}

impl<D: Domain> Csr<D> {
    pub(super) fn is(&self, mode: EvMode) -> Bit<D> {
        self.mode.equals(D::lit(mode as u128))
    }

    /// NUM_PKTS_BDP, limited to the largest value of the explore counter.
    pub(super) fn explore(&self) -> D::Word<8> {
        D::lit(255).when(D::lit(255).less(self.bdp_packets), self.bdp_packets.slice::<0, 8>())
    }
}

/// The inputs of an event that the control word depends on.
#[derive(Clone, Copy, Debug)]
pub struct Stimulus<D: Domain> {
    /// [`Kind`] by its code.
    pub kind: D::Word<3>,
    /// The acknowledged packet was ECN-marked.
    pub ecn: Bit<D>,
    /// Round-trip time of the acknowledged packet in ticks, saturating; 0 when unknown.
    pub rtt: D::Word<16>,
    /// The time in ticks.
    pub now: D::Word<32>,
}
