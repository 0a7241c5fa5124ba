//! The rules, in three parts with a division after the first and after the second.

use super::state::{Class, Control, Csr, Stimulus};
use crate::block::smartt::{Case, Kind};
use weft_word::{Bit, Bits, Domain, Word};

/// The delay of an event, and the average delay after it.
#[derive(Clone, Copy, Debug)]
pub struct Measured<D: Domain> {
    /// The event has a delay that counts: a valid RTT, or a trimmed packet.
    pub valid: Bit<D>,
    /// The delay in ticks, at most 4,095.
    pub delay: D::Word<12>,
    /// The average delay with this one, in 2^-11 ticks.
    pub average: D::Word<23>,
    /// Average minus target in 2^-11 ticks; 0 at or below the target.
    pub excess: D::Word<23>,
}

impl<D: Domain> Measured<D> {
    /// The dividend for `average`: the quotient is `excess / average` in 2^-16 (rule 13).
    pub fn numerator(&self) -> D::Word<39> {
        self.excess.cat::<16, 39>(D::lit(0))
    }
}

/// Part 1 of a step: delay and average (rules 5 to 7).
#[inline]
pub fn measure<D: Domain>(
    csr: &Csr<D>,
    class: &Class<D>,
    control: &Control<D>,
    stimulus: &Stimulus<D>,
) -> Measured<D> {
    let is = |kind: Kind| stimulus.kind.equals(D::lit(kind as u128));
    let trim = is(Kind::Trim);
    let valid = trim | (is(Kind::Ack) & !stimulus.rtt.is_zero());
    let base_rtt = class.base_rtt.widen::<16>();
    let above = stimulus.rtt - base_rtt;
    let delay = D::lit(Bits::<12>::MAX).when(!above.slice::<12, 4>().is_zero(), above.slice::<0, 12>());
    let delay = D::lit(0).when(stimulus.rtt.less(base_rtt), delay);
    let delay = class.base_rtt.widen().when(trim, delay); // rule 7
    let alpha = weight(csr, stimulus.packets);
    let rest = D::lit::<9>(256) - alpha.widen();
    let old = control.average.times::<9, 32>(rest);
    let new = delay.times::<8, 20>(alpha).widen::<32>().shl(11);
    let average = (old + new + D::lit(128)).slice::<8, 23>(); // rule 6: to the nearest, halves up
    let average = average.when(valid, control.average);
    let target = class.target_delay.widen::<23>().shl(11);
    let excess = D::lit(0).when(average.less(target), average - target);
    Measured { valid, delay, average, excess }
}

/// The results of [`decide`] for [`settle`].
#[derive(Clone, Copy, Debug)]
pub struct Decision<D: Domain> {
    /// The connection's state with the unchanged window.
    pub control: Control<D>,
    /// Whether the connection was open, or the event needs no open connection.
    pub accepted: Bit<D>,
    /// [`Case`] by its code.
    pub case: D::Word<4>,
    /// The window is bounded (rule 15): the event was an OPEN, an ACK or a loss of an open connection.
    pub bounded: Bit<D>,
    /// The window before the adjustment, in 2^-5 bytes.
    pub base: D::Word<29>,
    /// Bytes that the adjustment adds without a division, in 2^-5.
    pub eta: D::Word<25>,
    /// The dividend: the quotient is the rest of the adjustment in 2^-5 bytes.
    pub numerator: D::Word<47>,
    /// The divisor.
    pub denominator: D::Word<29>,
}

/// Part 2 of a step: which case applies, all state but the window (rules 2 to 14). `ratio` is
/// [`Measured::numerator`] over [`Measured::average`].
#[inline]
pub fn decide<D: Domain>(
    csr: &Csr<D>,
    class: &Class<D>,
    mut control: Control<D>,
    stimulus: &Stimulus<D>,
    measured: &Measured<D>,
    ratio: D::Word<16>,
) -> Decision<D> {
    let (no, yes) = (D::lit(0), D::lit(1));
    let case = |case: Case| D::lit(case as u128);
    let is = |kind: Kind| stimulus.kind.equals(D::lit(kind as u128)).decide();
    let mut decision = Decision {
        control,
        accepted: yes,
        case: case(Case::None),
        bounded: no,
        base: control.cwnd.widen(),
        eta: D::lit(0),
        numerator: D::lit(0),
        denominator: D::lit(1),
    };

    if is(Kind::Close) {
        decision.accepted = control.open;
        decision.control = Control::closed();
        decision.base = D::lit(0);
        return decision;
    }
    let now = stimulus.now.slice::<0, 11>();
    if is(Kind::Open) {
        // Rule 2.
        decision.control =
            Control { open: yes, fresh: yes, decreased: now, adjusted: now, ..Control::closed() };
        decision.base = D::lit(Bits::<28>::MAX); // which rule 15 cuts
        decision.bounded = yes;
        return decision;
    }
    let (ack, trim, timeout) = (is(Kind::Ack), is(Kind::Trim), is(Kind::Timeout));
    if !(ack || trim || timeout) || (!control.open).decide() {
        decision.accepted = no; // rule 3
        return decision;
    }
    decision.bounded = yes;

    // Rule 4: counts.
    control.ignore = less_or_zero(control.ignore.widen::<24>(), stimulus.bytes).slice::<0, 23>();
    if ack {
        control.achieved = saturating::<D, 20, 25>(control.achieved, stimulus.bytes);
        control.received = saturating::<D, 17, 25>(control.received, stimulus.bytes);
    }
    control.average = measured.average;
    let lessened = less_or_zero(control.cwnd.widen::<29>(), stimulus.bytes.widen::<29>().shl(5));
    if timeout || (!measured.valid).decide() {
        // Rules 5 and 10: an RTT that is unknown, and a loss that a timer inferred.
        if timeout {
            decision.base = lessened;
            decision.case = case(Case::Loss);
        }
        decision.control = control;
        return decision;
    }

    // Rules 8 and 9: quick_adapt.
    let marked = if trim { yes } else { stimulus.ecn };
    control.trigger = control.trigger | if trim { yes } else { no };
    let ignored = marked & !control.ignore.is_zero();
    let period = class.base_rtt.widen::<12>() + class.target_delay.widen();
    let ahead = control.end - stimulus.now;
    let over = control.fresh | ahead.is_zero() | period.less(ahead);
    let over = over & !ignored;
    let late = class.target_delay.widen::<12>().shl(2).less(measured.delay) & csr.adapt_by_delay;
    let slow = control.achieved.less(class.max_cwnd.slice::<3, 20>());
    let adapted = over & !control.fresh & (control.trigger | (late & if ack { yes } else { no })) & slow;
    let reached = control.achieved.widen::<23>();
    control.end = (stimulus.now + period).when(over, control.end);
    control.achieved = D::lit(0).when(over, control.achieved);
    control.fresh = control.fresh & !over;
    if adapted.decide() {
        let mtu = class.mtu.widen();
        decision.base = mtu.when(reached.less(mtu), reached).widen::<29>().shl(5);
        decision.case = case(Case::QuickAdapt);
        control.trigger = no;
        let beyond = !stimulus.in_flight.slice::<23, 9>().is_zero();
        control.ignore = D::lit(Bits::<23>::MAX).when(beyond, stimulus.in_flight.slice::<0, 23>());
    }
    if (adapted | ignored).decide() {
        decision.case = case(Case::QuickAdapt).when(adapted, case(Case::Ignored));
        control.increase = D::lit(0);
        control.received = D::lit(0);
        decision.control = control;
        return decision;
    }
    if trim {
        decision.base = lessened; // rule 10
        decision.case = case(Case::Loss);
        decision.control = control;
        return decision;
    }
    react(csr, class, &mut control, stimulus, measured, ratio, &mut decision);
    decision.control = control;
    decision
}

/// The four cases (rules 11 to 13) and the adjustment (rule 14).
fn react<D: Domain>(
    csr: &Csr<D>,
    class: &Class<D>,
    control: &mut Control<D>,
    stimulus: &Stimulus<D>,
    measured: &Measured<D>,
    ratio: D::Word<16>,
    decision: &mut Decision<D>,
) {
    let case = |case: Case| D::lit(case as u128);
    let now = stimulus.now.slice::<0, 11>();
    let target = class.target_delay.widen::<12>();
    let high = target.at_most(measured.delay);
    // One event adds at most 2^17 - 1 bytes to the increase.
    let most = !stimulus.bytes.slice::<17, 7>().is_zero();
    let size = D::lit(Bits::<17>::MAX).when(most, stimulus.bytes.slice::<0, 17>());
    let (mut gain, mut gains) = (class.fair_increase, D::lit(0));
    if (!stimulus.ecn & high).decide() {
        decision.case = case(Case::FairIncrease); // rule 11
        gains = D::lit(1);
    } else if (!stimulus.ecn).decide() {
        // Rule 12: proportional_increase and fast_increase.
        let quiet = measured.delay.at_most(class.calm_delay.widen());
        let count = saturating::<D, 23, 25>(control.calm, stimulus.bytes);
        let fast = quiet & control.cwnd_bytes().less(count);
        control.calm = D::lit(Bits::<23>::MAX).when(fast, count.when(quiet, D::lit(0)));
        let step = size.times::<26, 43>(class.fast_increase).slice::<15, 28>().widen::<29>();
        decision.base = capped::<D>(class, decision.base + step).when(fast, decision.base);
        decision.case = case(Case::FastIncrease).when(fast, case(Case::MultiplicativeIncrease));
        let room = (target - measured.delay).slice::<0, 10>();
        let product = class.proportional_increase.times::<10, 42>(room).slice::<6, 36>();
        let most = !product.slice::<30, 6>().is_zero();
        gain = D::lit(Bits::<30>::MAX).when(most, product.slice::<0, 30>());
        gains = !fast;
    } else if high.decide() {
        // Rule 13: multiplicative_decrease.
        control.calm = D::lit(0);
        let since = now - control.decreased;
        let due = !measured.excess.is_zero() & class.base_rtt.widen().less(since);
        let taken = csr.gamma.times::<16, 24>(ratio).widen::<25>();
        let left = (D::lit::<25>(1 << 24) - taken).slice::<8, 17>();
        let half = D::lit::<17>(1 << 15);
        let factor = half.when(left.less(half), left);
        let shrunk = control.cwnd.times::<17, 45>(factor).slice::<16, 28>();
        let mtu = class.mtu.widen::<28>().shl(5);
        let shrunk = mtu.when(shrunk.less(mtu), shrunk);
        decision.base = shrunk.when(due, control.cwnd).widen();
        control.decreased = now.when(due, control.decreased);
        decision.case = case(Case::MultiplicativeDecrease).when(due, case(Case::Held));
    } else {
        decision.case = case(Case::Held);
    }
    // The result is rounded to the nearest 2^8 square bytes, halves up.
    let more = (size.times::<30, 47>(gain).widen::<48>() + D::lit(1 << 13)).slice::<14, 34>();
    let sum = control.increase.widen::<35>() + more.widen();
    let full = !sum.slice::<29, 6>().is_zero();
    let sum = D::lit(Bits::<29>::MAX).when(full, sum.slice::<0, 29>());
    let increase = sum.when(gains, control.increase);

    // Rule 14: fulfill_adjustment.
    let elapsed = class.base_rtt.widen().at_most(now - control.adjusted);
    let enough = class.mtu.widen::<17>().shl(3).less(control.received);
    let adjusts = elapsed | enough;
    let eta = class.fair_increase.times::<8, 38>(csr.eta).slice::<13, 25>();
    decision.eta = eta.when(elapsed, D::lit(0));
    decision.numerator = increase.cat::<18, 47>(D::lit(0)).when(adjusts, D::lit(0));
    decision.denominator = decision.base;
    control.adjusted = now.when(elapsed, control.adjusted);
    control.increase = D::lit(0).when(adjusts, increase);
    control.received = D::lit(0).when(adjusts, control.received);
}

/// Part 3 of a step: the window within its bounds (rules 14 and 15). `quotient` is [`Decision::numerator`] over
/// [`Decision::denominator`].
#[inline]
pub fn settle<D: Domain>(class: &Class<D>, decision: &Decision<D>, quotient: D::Word<30>) -> Control<D> {
    let sum = decision.base.widen::<31>() + decision.eta.widen::<31>() + quotient.widen();
    let max_cwnd = class.max_cwnd.widen::<31>().shl(5);
    let mtu = class.mtu.widen::<31>().shl(5);
    let bounded = max_cwnd.when(max_cwnd.less(sum), sum);
    let bounded = mtu.when(bounded.less(mtu), bounded);
    let mut control = decision.control;
    control.cwnd = bounded.slice::<0, 28>().when(decision.bounded, decision.base.slice::<0, 28>());
    control
}

/// A window that is at most the largest one.
fn capped<D: Domain>(class: &Class<D>, cwnd: D::Word<29>) -> D::Word<29> {
    let max_cwnd = class.max_cwnd.widen::<29>().shl(5);
    max_cwnd.when(max_cwnd.less(cwnd), cwnd)
}

/// The weight of `packets` packets, minus one.
fn weight<D: Domain>(csr: &Csr<D>, packets: D::Word<4>) -> D::Word<8> {
    let of = |at: usize| packets.equals(D::lit(at as u128));
    (1..16).fold(csr.delay_alphas[0], |weight, at| csr.delay_alphas[at].when(of(at), weight))
}

/// A count of `N` bits plus a number of bytes, saturating; `S` is 25.
fn saturating<D: Domain, const N: usize, const S: usize>(
    count: D::Word<N>,
    bytes: D::Word<24>,
) -> D::Word<N> {
    let most = D::lit::<S>(Bits::<N>::MAX);
    let sum = count.widen::<S>() + bytes.widen::<S>();
    most.when(most.less(sum), sum).slice::<0, N>()
}

fn less_or_zero<W: Word<N>, const N: usize>(from: W, what: W) -> W {
    W::lit(0).when(from.less(what), from - what)
}
