//! The state of a connection, the inputs of an event, and the codes of both.

use crate::part::ring::Ring;
use weft_params::SackRxCsr;
use weft_word::{Bit, Bits, Concrete, Domain, Word, stored};

/// The kind of an event: the low three bits of `s_axis_event_tuser`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A whole data packet with a correct ICRC.
    Data = 0,
    /// A data packet whose payload a switch removed.
    Trimmed = 1,
    /// The ACK timer: acknowledge the waiting packets.
    Flush = 2,
    /// A request of the sender for an ACK, without data.
    Probe = 3,
    /// Opens the connection: all its state gets the initial values.
    Open = 4,
    /// Close the connection.
    Close = 5,
    /// Reserved: has no effect.
    Reserved6 = 6,
    /// Reserved: has no effect.
    Reserved7 = 7,
}

impl Kind {
    /// All kinds, by their code.
    pub const ALL: [Kind; 8] = [
        Kind::Data,
        Kind::Trimmed,
        Kind::Flush,
        Kind::Probe,
        Kind::Open,
        Kind::Close,
        Kind::Reserved6,
        Kind::Reserved7,
    ];
}

/// The verdict on a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The event was not a packet, or its connection was closed.
    None = 0,
    /// New: the payload is to be written to its address.
    Placed = 1,
    /// Received before: the payload is to be dropped.
    Duplicate = 2,
    /// Beyond the window: the packet is to be dropped.
    Outside = 3,
    /// The payload is missing.
    Trimmed = 4,
}

impl Verdict {
    /// All verdicts, by their code.
    pub const ALL: [Verdict; 5] =
        [Verdict::None, Verdict::Placed, Verdict::Duplicate, Verdict::Outside, Verdict::Trimmed];
}

/// The reply to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Response {
    /// No reply.
    None = 0,
    /// An ACK with the fields of the outcome.
    Ack = 1,
    /// A NACK of the packet's PSN; the verdict is the reason.
    Nack = 2,
}

impl Response {
    /// All responses, by their code.
    pub const ALL: [Response; 3] = [Response::None, Response::Ack, Response::Nack];
}

stored! {
    /// The state of its connection that an event reads when it enters the block: the state that the last
    /// finished event has published. This state does not include events that are still in the block, and need
    /// not: see [`place`](super::step::place).
    #[derive(Clone, Copy, Debug)]
    pub struct Published<D: Domain, const N: usize = 9> {
        /// Whether the connection is open.
        pub open: Bit<D>,
        /// PSN of ring slot 0, modulo twice the window: the low bits of the first PSN.
        pub origin: D::Word<N>,
        /// The cumulative PSN: the first that has not been received.
        pub expected: D::Word<24>,
        /// Messages completed since the connection was opened.
        pub messages: D::Word<24>,
    }
}

impl<D: Domain, const N: usize> Published<D, N> {
    /// A closed connection, the state after reset and [`Kind::Close`].
    pub fn closed() -> Self {
        Self { open: D::lit(0), origin: D::lit(0), expected: D::lit(0), messages: D::lit(0) }
    }
}

stored! {
    /// The counters of a connection.
    #[derive(Clone, Copy, Debug)]
    pub struct Tail<D: Domain, const S: usize = 8> {
        /// Number of messages completed, as of the last event.
        pub messages: D::Word<24>,
        /// Bytes placed, modulo 2^32.
        pub bytes: D::Word<32>,
        /// The first PSN plus the number of packets placed since, modulo the window.
        pub total: D::Word<S>,
        /// Number of packets placed and not yet acknowledged, saturating.
        pub pending_packets: D::Word<8>,
        /// Bytes of these packets, at least 1 KiB each, saturating.
        pub pending_bytes: D::Word<16>,
    }
}

impl<D: Domain, const S: usize> Tail<D, S> {
    /// The counters of a closed connection.
    pub fn closed() -> Self {
        Self {
            messages: D::lit(0),
            bytes: D::lit(0),
            total: D::lit(0),
            pending_packets: D::lit(0),
            pending_bytes: D::lit(0),
        }
    }
}

stored! {
    /// The state of one connection.
    ///
    /// Slot `i` of `received` has the *turn* of the PSN that was received there last: of its offset from the
    /// origin the bit above the slot. A PSN is received when its slot has its turn. The window therefore moves without clearing
    /// slots, and setting a slot is independent of the window's place.
    #[derive(Clone, Copy, Debug)]
    pub struct State<D: Domain, const S: usize = 8, const N: usize = 9, const L: usize = 2> {
        /// The state that the next event reads when it enters an empty block.
        pub published: Published<D, N>,
        /// The turn of the PSN received last in each slot.
        pub received: Ring<D, L>,
        /// Whether the PSN of `received` ended a message.
        pub last: Ring<D, L>,
        /// The counters.
        pub tail: Tail<D, S>,
    }
}

impl<D: Domain, const S: usize, const N: usize, const L: usize> State<D, S, N, L> {
    /// A closed connection. The rings have no meaning until it is opened.
    pub fn closed() -> Self {
        Self {
            published: Published::closed(),
            received: Ring::none(),
            last: Ring::none(),
            tail: Tail::closed(),
        }
    }
}

/// The CSRs as words: the `cfg_*` ports.
#[derive(Clone, Copy, Debug)]
pub struct Csr<D: Domain> {
    /// Number of new packets after which the receiver sends an ACK.
    pub ack_packets: D::Word<8>,
    /// Number of new bytes after which the receiver sends an ACK; 0: never.
    pub ack_bytes: D::Word<16>,
}

impl From<&SackRxCsr> for Csr<Concrete> {
    fn from(csr: &SackRxCsr) -> Self {
        Self { ack_packets: Bits::lit(csr.ack_packets.into()), ack_bytes: Bits::lit(csr.ack_bytes.into()) }
    }
}

/// The inputs of an event.
#[derive(Clone, Copy, Debug)]
pub struct Stimulus<D: Domain> {
    /// [`Kind`] by its code.
    pub kind: D::Word<3>,
    /// Whether the packet is ECN-marked.
    pub ce: Bit<D>,
    /// Whether the packet requests an ACK.
    pub request: Bit<D>,
    /// Whether the packet ends a message.
    pub last: Bit<D>,
    /// PSN of the packet; for an open, the first PSN.
    pub psn: D::Word<24>,
    /// Bytes of payload.
    pub bytes: D::Word<16>,
}

impl<D: Domain> Stimulus<D> {
    #[inline(always)]
    pub(super) fn is(&self, kind: Kind) -> Bit<D> {
        self.kind.equals(D::lit(kind as u128))
    }
}
