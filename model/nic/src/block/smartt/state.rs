//! The state of a connection, the inputs of an event, and the codes of both.

use weft_params::{Signals, SmarttClass, SmarttCsr};
use weft_word::{Bit, Bits, Concrete, Domain, Word, stored};

/// The kind of an event: the low three bits of `s_axis_event_tuser`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Bytes were acknowledged: how many, ECN mark, round-trip time.
    Ack = 0,
    /// A switch cut the payload off a packet.
    Trim = 1,
    /// A retransmission timer expired.
    Timeout = 2,
    /// Open the connection: all its state gets the initial values.
    Open = 3,
    /// Close the connection.
    Close = 4,
    /// Not an event: the block ignores it.
    Reserved5 = 5,
    /// Not an event: the block ignores it.
    Reserved6 = 6,
    /// Not an event: the block ignores it.
    Reserved7 = 7,
}

impl Kind {
    /// All kinds, by their code.
    pub const ALL: [Kind; 8] = [
        Kind::Ack,
        Kind::Trim,
        Kind::Timeout,
        Kind::Open,
        Kind::Close,
        Kind::Reserved5,
        Kind::Reserved6,
        Kind::Reserved7,
    ];
}

/// The case of an event: the low four bits of `m_axis_window_tuser`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Case {
    /// No reaction, or opened or closed the connection.
    None = 0,
    /// Fair decrease (S 3.2.1).
    FairDecrease = 1,
    /// Multiplicative decrease, then fair decrease (S 3.2.2).
    MultiplicativeDecrease = 2,
    /// Fair increase (S 3.2.3).
    FairIncrease = 3,
    /// Multiplicative increase, then fair increase (S 3.2.4).
    MultiplicativeIncrease = 4,
    /// Marked, but too few ACKs are: Wait-to-Decrease (S 3.6.1).
    Held = 5,
    /// An ACK between those that the window reacts on (S 3.1, Fig 3b).
    Waiting = 6,
    /// Ignored: sent before QuickAdapt set the window (S 3.3).
    Ignored = 7,
    /// A loss: the window decreased by its bytes (Algorithm 1, line 29).
    Loss = 8,
    /// QuickAdapt set the window (S 3.3).
    QuickAdapt = 9,
    /// FastIncrease (S 3.4).
    FastIncrease = 10,
    /// QuickAdapt set the window, and FastIncrease added to it.
    Both = 11,
}

impl Case {
    /// All cases, by their code.
    pub const ALL: [Case; 12] = [
        Case::None,
        Case::FairDecrease,
        Case::MultiplicativeDecrease,
        Case::FairIncrease,
        Case::MultiplicativeIncrease,
        Case::Held,
        Case::Waiting,
        Case::Ignored,
        Case::Loss,
        Case::QuickAdapt,
        Case::FastIncrease,
        Case::Both,
    ];
}

stored! {
    /// The state of one connection: the word in the RTL's RAM.
    #[derive(Clone, Copy, Debug)]
    pub struct Control<D: Domain> {
        /// The connection is open.
        pub open: Bit<D>,
        /// No QuickAdapt period has begun since: `end = 0` in Algorithm 2.
        pub fresh: Bit<D>,
        /// A loss causes QuickAdapt to set the window at the end of the period.
        pub trigger: Bit<D>,
        /// The connection ignores feedback until `shared` bytes of feedback have arrived.
        pub ignoring: Bit<D>,
        /// The window in 2^-11 bytes.
        pub cwnd: D::Word<37>,
        /// Bytes acknowledged in this QuickAdapt period, saturating.
        pub acked: D::Word<26>,
        /// While ignoring: bytes still to ignore. Else ACKs that wait for a reaction in bits 24:19, their
        /// bytes in 18:0, saturating.
        pub shared: D::Word<26>,
        /// Bytes acknowledged in a row without congestion, saturating; all ones while FastIncrease is on.
        pub calm: D::Word<26>,
        /// End of the QuickAdapt period, low 20 bits of the time in ticks.
        pub end: D::Word<20>,
        /// Average share of marked ACKs, in 2^-13.
        pub average: D::Word<13>,
    }
}

impl<D: Domain> Control<D> {
    /// A closed connection: all zeros, the state after reset and [`Kind::Close`].
    pub fn closed() -> Self {
        Self {
            open: D::lit(0),
            fresh: D::lit(0),
            trigger: D::lit(0),
            ignoring: D::lit(0),
            cwnd: D::lit(0),
            acked: D::lit(0),
            shared: D::lit(0),
            calm: D::lit(0),
            end: D::lit(0),
            average: D::lit(0),
        }
    }

    /// The invariant that reset establishes and every event preserves. A closed connection is all zeros, a
    /// fresh one all but the window. A connection that ignores feedback has bytes to ignore. Any other
    /// connection has ACKs that wait, or 0 bytes of such ACKs.
    pub fn invariant(&self) -> Bit<D> {
        let (acks, bytes) = (self.waiting_acks(), self.waiting_bytes());
        let idle = !self.trigger
            & !self.ignoring
            & self.acked.is_zero()
            & self.shared.is_zero()
            & self.calm.is_zero()
            & self.end.is_zero()
            & self.average.is_zero();
        let closed = !self.fresh & idle & self.cwnd.is_zero();
        let waits = !self.shared.slice::<25, 1>()
            & !acks.equals(D::lit(Bits::<6>::MAX))
            & (!acks.is_zero() | bytes.is_zero());
        (self.open | closed) & (!self.fresh | idle) & (!self.shared.is_zero()).when(self.ignoring, waits)
    }

    /// ACKs that wait for a reaction; only when not ignoring.
    pub fn waiting_acks(&self) -> D::Word<6> {
        self.shared.slice::<19, 6>()
    }

    /// Bytes of the waiting ACKs; valid only while feedback is not ignored.
    pub fn waiting_bytes(&self) -> D::Word<19> {
        self.shared.slice::<0, 19>()
    }

    /// The window in whole bytes, rounded down.
    pub fn cwnd_bytes(&self) -> D::Word<26> {
        self.cwnd.slice::<11, 26>()
    }
}

/// The constants of one class as words.
#[derive(Clone, Copy, Debug)]
pub struct Class<D: Domain> {
    /// Smallest window and full packet, in bytes.
    pub mtu: D::Word<14>,
    /// Largest window, in bytes.
    pub max_cwnd: D::Word<26>,
    /// BDP over fair-decrease constant, in bytes.
    pub fair_decrease: D::Word<26>,
    /// RTT of an empty network, in ticks.
    pub base_rtt: D::Word<16>,
    /// Target RTT, in ticks.
    pub target_rtt: D::Word<16>,
    /// Largest RTT that FastIncrease treats as the base RTT, in ticks.
    pub fast_rtt: D::Word<16>,
    /// MTU times multiplicative-increase constant, in 2^-8 bytes.
    pub multiplicative_increase: D::Word<32>,
    /// MTU times fair-increase constant, in 2^-10 bytes.
    pub fair_increase: D::Word<30>,
}

impl From<&SmarttClass> for Class<Concrete> {
    fn from(class: &SmarttClass) -> Self {
        Self {
            mtu: Bits::lit(class.mtu_bytes.into()),
            max_cwnd: Bits::lit(class.max_cwnd_bytes.into()),
            fair_decrease: Bits::lit(class.fair_decrease_bytes.into()),
            base_rtt: Bits::lit(class.base_rtt_ticks.into()),
            target_rtt: Bits::lit(class.target_rtt_ticks.into()),
            fast_rtt: Bits::lit(class.fast_rtt_ticks.into()),
            multiplicative_increase: Bits::lit(class.multiplicative_increase.into()),
            fair_increase: Bits::lit(class.fair_increase.into()),
        }
    }
}

/// The CSRs that all classes share, as words: the `cfg_*` ports of one lane.
#[derive(Clone, Copy, Debug)]
pub struct Csr<D: Domain> {
    /// Multiplicative-decrease constant, in 2^-4.
    pub multiplicative_decrease: D::Word<8>,
    /// QuickAdapt scaling, in 2^-23.
    pub qa_scaling: D::Word<24>,
    /// Weight of the newest 1 to 16 packets in the average, in 2^-8.
    pub wtd_alphas: [D::Word<8>; 16],
    /// Average from which on the window may decrease, in 2^-8.
    pub wtd_threshold: D::Word<8>,
    /// ACKs per reaction; 0 counts as 1.
    pub granularity: D::Word<6>,
    /// MTUs that FastIncrease adds.
    pub fast_mtus: D::Word<4>,
    /// [`Signals`] by its code; 3 counts as 0.
    pub signals: D::Word<2>,
    /// Losses count while feedback is ignored.
    pub late_losses: Bit<D>,
}

impl From<&SmarttCsr> for Csr<Concrete> {
    fn from(csr: &SmarttCsr) -> Self {
        Self {
            multiplicative_decrease: Bits::lit(csr.multiplicative_decrease.into()),
            qa_scaling: Bits::lit(csr.qa_scaling.into()),
            wtd_alphas: std::array::from_fn(|at| Bits::lit(csr.alpha_of(at).into())),
            wtd_threshold: Bits::lit(csr.wtd_threshold.into()),
            granularity: Bits::lit(csr.granularity.into()),
            fast_mtus: Bits::lit(csr.fast_mtus.into()),
            signals: Bits::lit(csr.signals as u128),
            late_losses: Bits::lit(csr.late_losses.into()),
        }
    }
}

impl<D: Domain> Csr<D> {
    pub(super) fn ecn_only(&self) -> Bit<D> {
        self.signals.equals(D::lit(Signals::Ecn as u128))
    }

    pub(super) fn delay_only(&self) -> Bit<D> {
        self.signals.equals(D::lit(Signals::Delay as u128))
    }
}

/// The inputs of an event.
#[derive(Clone, Copy, Debug)]
pub struct Stimulus<D: Domain> {
    /// [`Kind`] by its code.
    pub kind: D::Word<3>,
    /// ACK: marked.
    pub ecn: Bit<D>,
    /// ACK: packets that it acknowledges, minus one.
    pub packets: D::Word<4>,
    /// Bytes acknowledged or lost.
    pub bytes: D::Word<24>,
    /// ACK: round-trip time in ticks, saturating; 0 when unknown.
    pub rtt: D::Word<16>,
    /// Bytes in the network after this event: sent, and neither acknowledged nor found lost.
    pub in_flight: D::Word<32>,
    /// Low 20 bits of the time in ticks.
    pub now: D::Word<20>,
}
