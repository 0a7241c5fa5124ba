//! The rules, in five parts with a division after the first and after the third.

use super::state::{Case, Class, Control, Csr, Kind, Stimulus};
use weft_word::{Bit, Bits, Domain, Word};

/// The congestion that an event signals.
#[derive(Clone, Copy, Debug)]
pub struct Congestion<D: Domain> {
    /// The packet is marked, and marks count.
    pub marked: Bit<D>,
    /// The RTT is above the target, and the delay counts.
    pub high: Bit<D>,
    /// Neither marked nor delayed, independent of the signals in use: for FastIncrease.
    pub calm: Bit<D>,
    /// Distance of RTT and target, in ticks.
    pub delay: D::Word<16>,
    /// The RTT that counts, in ticks.
    pub rtt: D::Word<16>,
}

impl<D: Domain> Congestion<D> {
    /// The dividend for `rtt`: the quotient is `delay / rtt` in 2^-33 (rule 10).
    pub fn numerator(&self) -> D::Word<49> {
        self.delay.cat::<33, 49>(D::lit(0))
    }
}

/// Part 1 of a step (rules 8 and 9).
pub fn read_signals<D: Domain>(csr: &Csr<D>, class: &Class<D>, stimulus: &Stimulus<D>) -> Congestion<D> {
    let measured = class.base_rtt.when(stimulus.rtt.less(class.base_rtt), stimulus.rtt);
    let rtt = class.target_rtt.when(csr.ecn_only(), measured);
    let high = class.target_rtt.less(rtt);
    let above = rtt - class.target_rtt;
    Congestion {
        marked: high.when(csr.delay_only(), stimulus.ecn),
        high,
        calm: !stimulus.ecn & measured.at_most(class.fast_rtt),
        delay: above.when(high, class.target_rtt - rtt),
        rtt,
    }
}

/// The change by an acknowledged byte, from the delay alone.
#[derive(Clone, Copy, Debug)]
pub struct Gains<D: Domain> {
    /// Multiplicative increase, times the window: bytes in 2^-10.
    pub multiplicative: D::Word<35>,
    /// Multiplicative and fair increase, times the window: bytes in 2^-10.
    pub increase: D::Word<36>,
    /// Multiplicative decrease in 2^-33; at most 1.
    pub decrease: D::Word<34>,
}

/// Part 2 of a step (rule 10). `ratio` is [`Congestion::numerator`] over [`Congestion::rtt`].
pub fn gains<D: Domain>(csr: &Csr<D>, class: &Class<D>, ratio: D::Word<34>) -> Gains<D> {
    let multiplicative = class.multiplicative_increase.times::<34, 66>(ratio).slice::<31, 35>();
    let decrease = csr.multiplicative_decrease.times::<34, 42>(ratio).slice::<4, 38>();
    let one = D::lit(1 << 33);
    Gains {
        multiplicative,
        increase: multiplicative.widen::<36>() + class.fair_increase.widen(),
        decrease: one.slice::<0, 34>().when(one.less(decrease), decrease.slice::<0, 34>()),
    }
}

/// The results of [`decide`] for [`moved`] and [`settle`].
#[derive(Clone, Copy, Debug)]
pub struct Decision<D: Domain> {
    /// The connection's state with the unchanged window.
    pub control: Control<D>,
    /// Whether the connection was open, or the event needs no open connection.
    pub accepted: Bit<D>,
    /// [`Case`] by its code.
    pub case: D::Word<4>,
    /// The window is bounded (rule 25): the event was an ACK or a loss of an open connection.
    pub bounded: Bit<D>,
    /// The window before the reaction, in 2^-11 bytes.
    pub base: D::Word<39>,
    /// The reaction adds to the window.
    pub add: Bit<D>,
    /// The reaction subtracts from the window.
    pub sub: Bit<D>,
    /// Bytes that the reaction counts.
    pub bytes: D::Word<19>,
    /// Multiplicative increase is at its limit, and adds `bytes` once more.
    pub limited: Bit<D>,
    /// The decrease is limited to half of `bytes`.
    pub half: Bit<D>,
    /// [`Gains::decrease`], if the case is multiplicative decrease.
    pub decrease: D::Word<34>,
    /// The dividend: the quotient is the rest of the change in 2^-12 bytes.
    pub numerator: D::Word<69>,
    /// The divisor.
    pub denominator: D::Word<38>,
}

/// Part 3 of a step: which case applies (rules 2 to 7 and 11 to 22).
#[inline]
pub fn decide<D: Domain>(
    csr: &Csr<D>,
    class: &Class<D>,
    mut control: Control<D>,
    stimulus: &Stimulus<D>,
    congestion: &Congestion<D>,
    gains: &Gains<D>,
) -> Decision<D> {
    let (no, yes) = (D::lit(0), D::lit(1));
    let is = |kind: Kind| stimulus.kind.equals(D::lit(kind as u128)).decide();
    let mut decision = Decision {
        control,
        accepted: yes,
        case: D::lit(Case::None as u128),
        bounded: no,
        base: control.cwnd.widen(),
        add: no,
        sub: no,
        bytes: D::lit(0),
        limited: no,
        half: no,
        decrease: D::lit(0),
        numerator: D::lit(0),
        denominator: D::lit(1),
    };

    if is(Kind::Close) {
        decision.accepted = control.open;
        decision.control = Control::closed();
        decision.base = D::lit(0);
        return decision;
    }
    if is(Kind::Open) {
        decision.control = Control { open: yes, fresh: yes, ..Control::closed() }; // rule 2
        decision.base = D::lit(Bits::<37>::MAX); // which rule 25 cuts
        decision.bounded = yes;
        return decision;
    }
    let (ack, trim, timeout) = (is(Kind::Ack), is(Kind::Trim), is(Kind::Timeout));
    if !(ack || trim || timeout) || (!control.open).decide() {
        decision.accepted = no; // rule 3
        return decision;
    }
    decision.bounded = yes;
    let single = csr.ecn_only() | csr.delay_only();
    let case = |case: Case| D::lit(case as u128);

    // Rule 5: every event counts down the bytes to ignore.
    let left = less_or_zero(control.shared, stimulus.bytes.widen());
    control.shared = left.when(control.ignoring, control.shared);
    control.ignoring = control.ignoring & !control.shared.is_zero();

    if ack {
        control.acked = saturating::<D>(control.acked, stimulus.bytes); // rule 4
    }
    let ignored = control.ignoring & if ack { yes } else { !csr.late_losses };
    if ignored.decide() {
        decision.case = case(Case::Ignored); // rule 6: Algorithm 1, lines 8 to 10
        decision.control = control;
        return decision;
    }
    let share = share::<D>(csr, control.average, stimulus); // rule 11
    if ack {
        control.average = nearest::<D>(share);
    } else {
        let lost = stimulus.bytes.widen::<37>().shl(11);
        decision.base = less_or_zero(control.cwnd, lost).widen(); // rule 7: lines 29 and 30
        decision.case = case(Case::Loss);
        control.trigger = control.trigger | !single;
    }

    // Rules 12 to 15, Algorithm 2.
    let ahead = control.end - stimulus.now;
    let over = control.fresh | ahead.is_zero() | class.target_rtt.widen().less(ahead);
    let over = over & !control.ignoring;
    let adapted = over & control.trigger & !control.fresh;
    if adapted.decide() {
        let mtu = class.mtu.widen();
        let reached = mtu.when(control.acked.less(mtu), control.acked);
        decision.base = reached.times::<24, 50>(csr.qa_scaling).slice::<12, 38>().widen();
        decision.case = case(Case::QuickAdapt);
        control.trigger = no;
        let in_flight = stimulus.in_flight.slice::<0, 26>();
        let beyond = !stimulus.in_flight.slice::<26, 6>().is_zero();
        control.shared = D::lit(Bits::<26>::MAX).when(beyond, in_flight);
        control.ignoring = !control.shared.is_zero();
    }
    control.end = (stimulus.now + class.target_rtt.widen()).when(over, control.end);
    control.acked = D::lit(0).when(over, control.acked);
    control.fresh = control.fresh & !over;

    if ack {
        // Rules 16 to 18, Algorithm 3.
        let calm = congestion.calm & !single;
        let count = saturating::<D>(control.calm, stimulus.bytes);
        let fast = calm & decision.base.slice::<11, 28>().less(count.widen());
        let count = D::lit(Bits::<26>::MAX).when(fast, count);
        control.calm = count.when(calm, D::lit(0));
        if fast.decide() {
            let step = class.mtu.times::<4, 18>(csr.fast_mtus).widen::<39>().shl(11);
            decision.base = decision.base + step;
            decision.case = case(Case::Both).when(adapted, case(Case::FastIncrease));
        } else if (!adapted).decide() {
            react(csr, class, &mut control, (stimulus, share), congestion, gains, &mut decision);
        }
    }
    decision.control = control;
    decision
}

/// The four cases of Algorithm 1, lines 19 to 27 (rules 19 to 24).
fn react<D: Domain>(
    csr: &Csr<D>,
    class: &Class<D>,
    control: &mut Control<D>,
    (stimulus, share): (&Stimulus<D>, D::Word<22>),
    congestion: &Congestion<D>,
    gains: &Gains<D>,
    decision: &mut Decision<D>,
) {
    let case = |case: Case| D::lit(case as u128);
    // Rule 19: sizes are summed up to the ACK that is reacted on.
    let acks = control.waiting_acks() + D::lit(1);
    let sum = control.waiting_bytes().widen::<25>() + stimulus.bytes.widen();
    let beyond = !sum.slice::<19, 6>().is_zero();
    let bytes = D::lit(Bits::<19>::MAX).when(beyond, sum.slice::<0, 19>());
    if acks.less(csr.granularity).decide() {
        control.shared = D::lit::<1>(0).cat::<6, 7>(acks).cat::<19, 26>(bytes);
        decision.case = case(Case::Waiting);
        return;
    }
    control.shared = D::lit(0);
    let single = csr.ecn_only() | csr.delay_only();
    let allowed = !share.less(csr.wtd_threshold.cat::<13, 21>(D::lit(0)).widen()) | single;
    let held = congestion.marked & !allowed;
    let down = congestion.marked & allowed;
    let up = !congestion.marked;
    let decreased = case(Case::MultiplicativeDecrease).when(congestion.high, case(Case::FairDecrease));
    let increased = case(Case::FairIncrease).when(congestion.high, case(Case::MultiplicativeIncrease));
    decision.case = case(Case::Held).when(held, increased.when(up, decreased));
    decision.add = up;
    decision.sub = down;
    decision.bytes = bytes;
    decision.half = single;

    // Rules 21 to 24. min(size, multiplicative increase) is the size from mi * ratio = cwnd on.
    let full = !gains.multiplicative.widen::<37>().shl(1).less(control.cwnd);
    decision.limited = up & !congestion.high & full;
    let fair_only = congestion.high | full;
    let increase = class.fair_increase.widen().when(fair_only, gains.increase).widen::<37>();
    let product = bytes.times::<37, 56>(increase.when(up, control.cwnd)).widen::<69>();
    decision.numerator = product.shl(13);
    decision.denominator = control.cwnd.widen().when(up, class.fair_decrease.widen::<38>().shl(12));
    decision.decrease = gains.decrease.when(down & congestion.high, D::lit(0));
}

/// Part 4 of a step: the window before its bounds, in 2^-11 bytes; below 0 as a number of two's complement (rules 20 to 24).
/// `quotient` is [`Decision::numerator`] over [`Decision::denominator`].
#[inline]
pub fn moved<D: Domain>(decision: &Decision<D>, quotient: D::Word<34>) -> D::Word<40> {
    let size = decision.bytes.widen::<36>().shl(12);
    let rise = quotient.widen::<36>() + size.when(decision.limited, D::lit(0));
    let multiplicative = decision.bytes.times::<34, 53>(decision.decrease).slice::<21, 32>();
    let fall = quotient.widen::<36>() + multiplicative.widen();
    let limit = size.shr(1).when(decision.half, size);
    let fall = limit.when(limit.less(fall), fall);
    // Rule 20: to the nearest 2^-11 byte, halves up.
    let rounded = |change: D::Word<36>| (change + D::lit(1)).shr(1).widen::<40>();
    let base = decision.base.widen::<40>();
    (base + rounded(rise)).when(decision.add, (base - rounded(fall)).when(decision.sub, base))
}

/// Part 5 of a step: the window within its bounds (rule 25: Algorithm 1, line 36).
#[inline]
pub fn settle<D: Domain>(class: &Class<D>, decision: &Decision<D>, moved: D::Word<40>) -> Control<D> {
    let below = decision.sub & moved.slice::<39, 1>();
    let cwnd = D::lit(0).when(below, moved.slice::<0, 39>());
    let max_cwnd = class.max_cwnd.widen::<39>().shl(11);
    let mtu = class.mtu.widen::<39>().shl(11);
    let bounded = max_cwnd.when(max_cwnd.less(cwnd), cwnd);
    let bounded = mtu.when(bounded.less(mtu), bounded);
    let mut control = decision.control;
    control.cwnd = bounded.slice::<0, 37>().when(decision.bounded, cwnd.slice::<0, 37>());
    control
}

/// The share of marks with the packets of one more ACK in it (rule 11), in 2^-21.
fn share<D: Domain>(csr: &Csr<D>, average: D::Word<13>, stimulus: &Stimulus<D>) -> D::Word<22> {
    let alpha = weight(csr, stimulus.packets);
    let rest = D::lit::<9>(256) - alpha.widen();
    let new = alpha.cat::<13, 21>(D::lit(0));
    average.times::<9, 22>(rest).slice::<0, 21>().widen::<22>() + new.when(stimulus.ecn, D::lit(0)).widen()
}

/// The new average from a share, in 2^-13: to the nearest, halves up.
fn nearest<D: Domain>(share: D::Word<22>) -> D::Word<13> {
    let sum = (share + D::lit(128)).slice::<8, 14>();
    D::lit(Bits::<13>::MAX).when(sum.slice::<13, 1>(), sum.slice::<0, 13>())
}

/// The weight of `packets` packets, minus one.
fn weight<D: Domain>(csr: &Csr<D>, packets: D::Word<4>) -> D::Word<8> {
    let of = |at: usize| packets.equals(D::lit(at as u128));
    (1..16).fold(csr.wtd_alphas[0], |weight, at| csr.wtd_alphas[at].when(of(at), weight))
}

fn saturating<D: Domain>(count: D::Word<26>, bytes: D::Word<24>) -> D::Word<26> {
    let sum = count.widen::<27>() + bytes.widen();
    D::lit(Bits::<26>::MAX).when(sum.slice::<26, 1>(), sum.slice::<0, 26>())
}

fn less_or_zero<W: Word<N>, const N: usize>(from: W, what: W) -> W {
    W::lit(0).when(from.less(what), from - what)
}
