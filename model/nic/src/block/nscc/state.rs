//! The state of a connection and the inputs of an event.

use weft_params::{NsccClass, NsccCsr};
use weft_word::{Bit, Bits, Concrete, Domain, Word, stored};

stored! {
    /// The state of one connection: the word in the RTL's RAM, 200 bits.
    #[derive(Clone, Copy, Debug)]
    pub struct Control<D: Domain> {
        /// The connection is open.
        pub open: Bit<D>,
        /// No QuickAdapt period has begun: `qa_endtime = 0`.
        pub fresh: Bit<D>,
        /// A trimmed packet makes QuickAdapt set the window.
        pub trigger: Bit<D>,
        /// The window in 2^-5 bytes.
        pub cwnd: D::Word<28>,
        /// Bytes for which marked ACKs are still ignored: `bytes_to_ignore - bytes_ignored`.
        pub ignore: D::Word<23>,
        /// Bytes acknowledged in this QuickAdapt period, saturating.
        pub achieved: D::Word<20>,
        /// Bytes acknowledged since the window was adjusted, saturating.
        pub received: D::Word<17>,
        /// Bytes acknowledged without delay, saturating; all ones while fast increase is on.
        pub calm: D::Word<23>,
        /// The increase that waits for its division by the window, in 2^8 square bytes, saturating.
        pub increase: D::Word<29>,
        /// End of the QuickAdapt period, low bits of the time in ticks.
        pub end: D::Word<12>,
        /// Time of the last decrease of the window: low bits of the time in ticks.
        pub decreased: D::Word<11>,
        /// Time at which a period of adjustments began: low bits of the time in ticks.
        pub adjusted: D::Word<11>,
        /// Average delay in 2^-11 ticks.
        pub average: D::Word<23>,
    }
}

impl<D: Domain> Control<D> {
    /// A closed connection: all zeros, the state after reset and a CLOSE.
    pub fn closed() -> Self {
        Self {
            open: D::lit(0),
            fresh: D::lit(0),
            trigger: D::lit(0),
            cwnd: D::lit(0),
            ignore: D::lit(0),
            achieved: D::lit(0),
            received: D::lit(0),
            calm: D::lit(0),
            increase: D::lit(0),
            end: D::lit(0),
            decreased: D::lit(0),
            adjusted: D::lit(0),
            average: D::lit(0),
        }
    }

    /// The invariant that reset establishes and every event preserves: a closed connection is all zeros, and
    /// a connection ignores no bytes before its first QuickAdapt period.
    pub fn invariant(&self) -> Bit<D> {
        let idle = self.ignore.is_zero() & self.end.is_zero();
        let closed = idle
            & !self.fresh
            & !self.trigger
            & self.cwnd.is_zero()
            & self.achieved.is_zero()
            & self.received.is_zero()
            & self.calm.is_zero()
            & self.increase.is_zero()
            & self.decreased.is_zero()
            & self.adjusted.is_zero()
            & self.average.is_zero();
        (self.open | closed) & (!self.fresh | idle)
    }

    /// The window in whole bytes, rounded down.
    pub fn cwnd_bytes(&self) -> D::Word<23> {
        self.cwnd.slice::<5, 23>()
    }
}

/// The constants of one class as words.
#[derive(Clone, Copy, Debug)]
pub struct Class<D: Domain> {
    /// Smallest window and full packet, in bytes.
    pub mtu: D::Word<14>,
    /// Largest window, in bytes.
    pub max_cwnd: D::Word<23>,
    /// RTT of an empty network, in ticks.
    pub base_rtt: D::Word<10>,
    /// Target of the queueing delay, in ticks.
    pub target_delay: D::Word<10>,
    /// Largest delay that counts as none, in ticks.
    pub calm_delay: D::Word<10>,
    /// Proportional increase, in 2^-12 bytes per tick.
    pub proportional_increase: D::Word<32>,
    /// Fair increase, in 2^-6 bytes.
    pub fair_increase: D::Word<30>,
    /// Bytes that fast increase adds per byte, in 2^-20.
    pub fast_increase: D::Word<26>,
}

impl From<&NsccClass> for Class<Concrete> {
    fn from(class: &NsccClass) -> Self {
        Self {
            mtu: Bits::lit(class.mtu_bytes.into()),
            max_cwnd: Bits::lit(class.max_cwnd_bytes.into()),
            base_rtt: Bits::lit(class.base_rtt_ticks.into()),
            target_delay: Bits::lit(class.target_delay_ticks.into()),
            calm_delay: Bits::lit(class.calm_delay_ticks.into()),
            proportional_increase: Bits::lit(class.proportional_increase.into()),
            fair_increase: Bits::lit(class.fair_increase.into()),
            fast_increase: Bits::lit(class.fast_increase.into()),
        }
    }
}

/// The CSRs that all classes share, as words.
#[derive(Clone, Copy, Debug)]
pub struct Csr<D: Domain> {
    /// Share of the excess delay by which the window decreases, in 2^-8.
    pub gamma: D::Word<8>,
    /// Growth of each period, in 2^-12 of the fair increase.
    pub eta: D::Word<8>,
    /// Weight of the newest 1 to 16 packets in the average delay, in 2^-8.
    pub delay_alphas: [D::Word<8>; 16],
    /// A delay above four targets lets QuickAdapt set the window.
    pub adapt_by_delay: Bit<D>,
}

impl From<&NsccCsr> for Csr<Concrete> {
    fn from(csr: &NsccCsr) -> Self {
        Self {
            gamma: Bits::lit(csr.gamma.into()),
            eta: Bits::lit(csr.eta.into()),
            delay_alphas: std::array::from_fn(|at| Bits::lit(csr.alpha_of(at).into())),
            adapt_by_delay: Bits::lit(csr.adapt_by_delay.into()),
        }
    }
}

/// The inputs of an event.
#[derive(Clone, Copy, Debug)]
pub struct Stimulus<D: Domain> {
    /// [`Kind`](super::Kind) by its code.
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
    /// Low bits of the time in ticks.
    pub now: D::Word<12>,
}
