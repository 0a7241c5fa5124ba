//! State of a connection, fields of an event, and the codes of both.

use crate::part::ring::Ring;
use crate::words::Packed;
use weft_params::SackTxCsr;
use weft_word::{Bit, Bits, Concrete, Domain, Word, stored};

/// Kind of an event: `s_axis_event_tuser`, and bits 2:0 and 11 of `m_axis_outcome_tuser`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A message to send.
    Post = 0,
    /// An acknowledgement arrived.
    Ack = 1,
    /// The receiver reports that a packet is missing (trimmed, or beyond its window), or that it will never
    /// accept the packet.
    Nack = 2,
    /// The congestion window changed.
    Window = 3,
    /// Opens the connection: all its state gets the initial values.
    Open = 4,
    /// Close the connection.
    Close = 5,
    /// An event of the block: a packet's turn to leave.
    Send = 6,
    /// An event of the block: the retransmission timer expired.
    Timeout = 7,
    /// An event of the block: an epoch is over.
    Epoch = 8,
    /// An event of the block: silence requires a probe.
    Probe = 9,
}

impl Kind {
    /// All kinds, by their code.
    pub const ALL: [Kind; 10] = [
        Kind::Post,
        Kind::Ack,
        Kind::Nack,
        Kind::Window,
        Kind::Open,
        Kind::Close,
        Kind::Send,
        Kind::Timeout,
        Kind::Epoch,
        Kind::Probe,
    ];

    /// Whether only the block itself makes such events.
    pub fn is_own(self) -> bool {
        self as u8 >= Kind::Send as u8
    }
}

/// The reason why an event had no full effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The event had its full effect.
    None = 0,
    /// An ACK or NACK of PSNs that were never sent.
    NeverSent = 1,
    /// A NACK of a PSN before the window, or an ACK whose cumulative PSN is before the window. The ACK's
    /// bitmap may still have acknowledged packets.
    Stale = 2,
    /// A message of 0 packets, or posted into a full queue.
    Refused = 3,
}

impl Reason {
    /// All reasons, by their code.
    pub const ALL: [Reason; 4] = [Reason::None, Reason::NeverSent, Reason::Stale, Reason::Refused];
}

stored! {
    /// The state of its connection that an event finds when it enters the block: the state that the last
    /// finished event has published. The state excludes events that are still in the block.
    #[derive(Clone, Copy, Debug)]
    pub struct Published<D: Domain, const N: usize = 9> {
        /// Whether the connection is open.
        pub open: Bit<D>,
        /// Whether the connection was opened while it waited for its turn to send. The connection then loses
        /// the turn, as its packet may be one of the earlier connection.
        pub forfeit: Bit<D>,
        /// PSN of ring slot 0, modulo twice the window: the low bits of the first PSN.
        pub origin: D::Word<N>,
        /// The lowest PSN that is not acknowledged.
        pub una: D::Word<24>,
        /// The next PSN to assign.
        pub next: D::Word<24>,
        /// Index of the class in the CSRs.
        pub class: D::Word<2>,
        /// Ticks of an epoch.
        pub epoch: D::Word<15>,
        /// Total ticks of the two epochs before the present one. A missing epoch counts 0.
        pub past: D::Word<16>,
    }
}

stored! {
    /// State of one connection besides its rings.
    #[derive(Clone, Copy, Debug)]
    pub struct Flow<D: Domain, const N: usize = 9> {
        /// State that the next event finds that enters an empty block.
        pub published: Published<D, N>,
        /// Whether the connection waits for its turn to send, or its packet is in the block.
        pub queued: Bit<D>,
        /// Number of packets of the current message that are not sent yet.
        pub left: D::Word<16>,
        /// Place of the next message that waits, modulo twice the depth of the queue.
        pub head: D::Word<5>,
        /// Place for the next posted message, modulo twice the depth of the queue.
        pub tail: D::Word<5>,
        /// Congestion window in bytes.
        pub cwnd: D::Word<26>,
        /// Time at which the retransmission timer was started, in ticks.
        pub since: D::Word<24>,
        /// Number of timeouts in a row.
        pub retries: D::Word<10>,
        /// Number of probes since the last timeout or acknowledgement, at most 7.
        pub probes: D::Word<3>,
        /// Time at which the epoch began, in ticks.
        pub begun: D::Word<16>,
        /// The largest recent round-trip time, in ticks.
        pub peak: D::Word<15>,
        /// The value of `peak` at the end of the last epoch. This value determines the length of the present
        /// epoch.
        pub pace: D::Word<15>,
        /// Ticks of the previous epoch.
        pub former: D::Word<15>,
        /// Number of packets lost by ACKs in this epoch, at most 2.
        pub verdicts: D::Word<2>,
        /// Number of packets lost by ACKs in the epoch before, at most 2.
        pub verdicts_before: D::Word<2>,
        /// Whether a NACK of the window arrived in this epoch.
        pub nacked: Bit<D>,
        /// Whether a NACK of the window arrived in the previous epoch.
        pub nacked_before: Bit<D>,
        /// Limits of the age of the window's packets.
        pub horizon: Horizon<D, N>,
        /// Number of packets sent and not acknowledged.
        pub unacked: D::Word<N>,
        /// Number of packets that are lost and wait to be sent again.
        pub lost: D::Word<N>,
    }
}

stored! {
    /// Limits of the age of the window's packets. These limits determine whether a time stamp of 16 bits
    /// identifies the packet that an ACK answers.
    #[derive(Clone, Copy, Debug)]
    pub struct Horizon<D: Domain, const N: usize = 9> {
        /// PSN, modulo twice the window, at which the older limit is replaced with the newer one, when una reaches it.
        pub mark: D::Word<N>,
        /// Number of turns of bit 15 of the time, at most 2, since a time before which no packet of the
        /// window was sent.
        pub older: D::Word<2>,
        /// Number of turns of bit 15 of the time, since a time before which no packet from the mark on was
        /// sent.
        pub newer: D::Word<2>,
        /// Bits 23:15 of the time of the last event.
        pub phase: D::Word<9>,
    }
}

impl<D: Domain, const N: usize> Flow<D, N> {
    /// A closed connection.
    pub fn closed() -> Self {
        Self {
            published: Published {
                open: D::lit(0),
                forfeit: D::lit(0),
                origin: D::lit(0),
                una: D::lit(0),
                next: D::lit(0),
                class: D::lit(0),
                epoch: D::lit(0),
                past: D::lit(0),
            },
            queued: D::lit(0),
            left: D::lit(0),
            head: D::lit(0),
            tail: D::lit(0),
            cwnd: D::lit(0),
            since: D::lit(0),
            retries: D::lit(0),
            probes: D::lit(0),
            begun: D::lit(0),
            peak: D::lit(0),
            pace: D::lit(0),
            former: D::lit(0),
            verdicts: D::lit(0),
            verdicts_before: D::lit(0),
            nacked: D::lit(0),
            nacked_before: D::lit(0),
            horizon: Horizon { mark: D::lit(0), older: D::lit(0), newer: D::lit(0), phase: D::lit(0) },
            unacked: D::lit(0),
            lost: D::lit(0),
        }
    }
}

/// View of a connection for software; 0 for a closed one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View<D: Domain, const N: usize = 9> {
    /// Congestion window in bytes.
    pub cwnd: D::Word<26>,
    /// The lowest PSN that is not acknowledged.
    pub una: D::Word<24>,
    /// The next PSN to assign.
    pub next: D::Word<24>,
    /// Number of packets sent that are neither acknowledged nor lost.
    pub in_flight: D::Word<N>,
    /// Number of packets sent and not acknowledged.
    pub unacked: D::Word<N>,
    /// Ticks of an epoch.
    pub epoch: D::Word<15>,
    /// Number of timeouts in a row.
    pub timeouts: D::Word<10>,
    /// Index of the class in the CSRs.
    pub class: D::Word<2>,
}

impl<D: Domain, const N: usize> Flow<D, N> {
    /// View for software (rule 24).
    pub fn view(&self) -> View<D, N> {
        View {
            cwnd: self.cwnd,
            una: self.published.una,
            next: self.published.next,
            in_flight: self.unacked - self.lost,
            unacked: self.unacked,
            epoch: self.published.epoch,
            timeouts: self.retries,
            class: self.published.class,
        }
    }
}

impl<const N: usize> View<Concrete, N> {
    /// The port `window_view`, low word first. Bits 10:9 of the numbers of packets are behind everything, and 0 in a window
    /// of 256 PSNs.
    pub fn words(&self) -> [u64; 2] {
        Packed::default()
            .put(self.cwnd.value(), 26)
            .put(self.una.value(), 24)
            .put(self.next.value(), 24)
            .put(self.in_flight.value() & 0x1FF, 9)
            .put(self.unacked.value() & 0x1FF, 9)
            .put(self.epoch.value(), 15)
            .put(self.timeouts.value(), 10)
            .put(self.class.value(), 2)
            .put(self.in_flight.value() >> 9, 2)
            .put(self.unacked.value() >> 9, 2)
            .words()
    }
}

/// One bit per PSN of the window.
#[derive(Clone, Copy, Debug)]
pub struct Rings<D: Domain, const L: usize = 2> {
    /// PSNs sent and not acknowledged.
    pub waiting: Ring<D, L>,
    /// Packets to be sent again.
    pub lost: Ring<D, L>,
    /// Low bit of the age.
    pub age_low: Ring<D, L>,
    /// High bit of the age.
    pub age_high: Ring<D, L>,
}

/// The CSRs as words: the `cfg_*` ports.
#[derive(Clone, Copy, Debug)]
pub struct Csr<D: Domain> {
    /// Number of bytes that a packet in flight counts.
    pub mtu: D::Word<14>,
    /// SACK gap of each class; 0: never.
    pub gap: [D::Word<8>; 4],
    /// Shortest epoch of each class.
    pub epoch: [D::Word<15>; 4],
    /// Lowest round-trip time of congestion of each class.
    pub high: [D::Word<15>; 4],
    /// Number of timeouts in a row that a connection of each class survives.
    pub retry_limit: [D::Word<10>; 4],
}

impl From<&SackTxCsr> for Csr<Concrete> {
    fn from(csr: &SackTxCsr) -> Self {
        Self {
            mtu: Bits::lit(csr.mtu_bytes.into()),
            gap: csr.classes.map(|class| Bits::lit(class.gap.into())),
            epoch: csr.classes.map(|class| Bits::lit(class.epoch_ticks.into())),
            high: csr.classes.map(|class| Bits::lit(class.high_ticks.into())),
            retry_limit: csr.classes.map(|class| Bits::lit(class.retry_limit.into())),
        }
    }
}

/// The longest round-trip time that an ACK can give, in ticks.
pub const LONGEST: u16 = 0x7FFF;

/// Fields of an event.
#[derive(Clone, Copy, Debug)]
pub struct Stimulus<D: Domain> {
    /// [`Kind`] by its code.
    pub kind: D::Word<4>,
    /// Whether the block itself made the event. From outside, sends and timer events have no effect.
    pub own: Bit<D>,
    /// ACK: the receiver's cumulative PSN, the first that has not arrived. NACK: the PSN. Open: the first
    /// PSN. Send: the PSN to send.
    pub psn: D::Word<24>,
    /// ACK: the PSN that the ACK answers.
    pub trigger: D::Word<24>,
    /// NACK: whether the receiver will never accept this packet.
    pub denied: Bit<D>,
    /// ACK: the round-trip time in ticks. [`LONGEST`] means this time or more.
    pub rtt: D::Word<15>,
    /// Open: the class.
    pub class: D::Word<2>,
    /// ACK: bit `i` says that PSN `psn + i` has arrived.
    pub bitmap: Ring<D>,
    /// Window and open: congestion window in bytes.
    pub cwnd: D::Word<26>,
    /// Post: number of packets of the message. Send of a new packet: number of packets left of the message,
    /// including this one.
    pub packets: D::Word<16>,
    /// Send: whether there was a packet to send when the scheduler chose the connection.
    pub ready: Bit<D>,
    /// Send: whether the packet was not sent before.
    pub fresh: Bit<D>,
    /// Send: whether the message was removed from the queue for this packet.
    pub taken: Bit<D>,
    /// Send: whether a second one of the same turn follows.
    pub more: Bit<D>,
    /// Epoch: whether the epoch is late in a silence.
    pub silent: Bit<D>,
    /// The time in ticks.
    pub now: D::Word<24>,
}

impl<D: Domain> Stimulus<D> {
    #[inline(always)]
    pub(super) fn is(&self, kind: Kind) -> Bit<D> {
        let same = self.kind.equals(D::lit(kind as u128));
        if kind.is_own() { same & self.own } else { same }
    }
}
