//! The rules: the effect of an event on the control word of its connection, and the action on the
//! connection's entropy values.

use super::state::{Control, Csr, Kind, Source, Stimulus};
use weft_params::{EvMode, RepsParams};
use weft_word::{Bit, Domain, Word};

/// The result of an event: the source of the entropy value of a packet, and the mode.
#[derive(Clone, Copy, Debug)]
pub struct Action<D: Domain> {
    /// The connection was open (or need not be): the event counts.
    pub accepted: Bit<D>,
    /// [`Source`] by its code; not a send: 0.
    pub source: D::Word<2>,
    /// Freezing mode after the event.
    pub frozen: Bit<D>,
    /// The event began or ended freezing mode.
    pub turned: Bit<D>,
    /// Read the entropy value in `slot`.
    pub read: Bit<D>,
    /// Write the entropy value of the event into `slot`.
    pub write: Bit<D>,
    /// The slot to read or write, below depth.
    pub slot: D::Word<5>,
    /// Use a random number and advance the generator.
    pub draw: Bit<D>,
    /// Mode 2024: use `entropy` in place of a random number.
    pub indexed: Bit<D>,
    /// Mode 2024: the entropy index, 0 to 255, scaled to the EVS like a random number.
    pub entropy: D::Word<8>,
}

/// Whether the time of this kind of event has passed: the freeze for an ACK, the window of a high RTT for a
/// timeout (rules 12 and 15). The RTL computes it one stage before [`step_with`].
pub fn elapsed<D: Domain>(csr: &Csr<D>, time: D::Word<32>, stimulus: &Stimulus<D>) -> Bit<D> {
    let is_ack = stimulus.kind.equals(D::lit(Kind::Ack as u128));
    let limit = csr.freeze_timeout.when(is_ack, csr.rtt_window);
    // More than `limit` ticks have gone by, modulo 2^32: `time` does not lie from `since` up to `now` on the circle.
    let since = stimulus.now - limit;
    let (before, behind) = (time.less(since), stimulus.now.less(time));
    (before & behind).when(stimulus.now.less(limit), before | behind)
}

/// One event of one connection: the control word after the event, and the action on its entropy values.
/// `depth` is the number of slots.
#[inline]
pub fn step<D: Domain>(
    depth: u32,
    csr: &Csr<D>,
    control: Control<D>,
    stimulus: &Stimulus<D>,
) -> (Control<D>, Action<D>) {
    let elapsed = elapsed(csr, control.time, stimulus);
    step_with(depth, csr, control, stimulus, elapsed)
}

/// [`step`] with the time comparison already made.
#[inline]
pub fn step_with<D: Domain>(
    depth: u32,
    csr: &Csr<D>,
    mut control: Control<D>,
    stimulus: &Stimulus<D>,
    elapsed: Bit<D>,
) -> (Control<D>, Action<D>) {
    let (no, yes) = (D::lit(0), D::lit(1));
    let is = |kind: Kind| stimulus.kind.equals(D::lit(kind as u128)).decide();
    let next_slot = |slot: D::Word<5>| (slot + D::lit(1)) & D::lit(u128::from(depth - 1));
    let mut action = Action {
        accepted: yes,
        source: D::lit(Source::Given as u128),
        frozen: no,
        turned: no,
        read: no,
        write: no,
        slot: D::lit(0),
        draw: no,
        indexed: no,
        entropy: D::lit(0),
    };

    if is(Kind::Seed) {
        return (control, action);
    }
    if is(Kind::Close) {
        action.accepted = control.open;
        return (Control::closed(), action);
    }
    if is(Kind::Open) {
        // Rule 2. The given entropy value is that of a fixed connection.
        control = Control { open: yes, ..Control::closed() };
        if csr.is(EvMode::Reps2024).decide() {
            control.explore = csr.explore();
            control.high = yes;
        }
        action.write = yes;
        return (control, action);
    }
    if (!control.open).decide() {
        action.accepted = no; // rule 3
        return (control, action);
    }

    // Rule 18: inputs that the mode ignores have no effect.
    let mode_reps = csr.is(EvMode::Reps).decide();
    let mode_2024 = csr.is(EvMode::Reps2024).decide();
    if is(Kind::Send) {
        if mode_reps {
            send(depth, &mut control, &mut action);
        } else if mode_2024 {
            send_2024(&mut control, &mut action);
        } else if csr.is(EvMode::Fixed).decide() {
            action.read = yes; // rule 20; the source is Given
        } else {
            action.draw = yes; // rule 19
            action.source = D::lit(Source::Explored as u128);
        }
    } else if is(Kind::Ack) {
        let unmarked = (!stimulus.ecn).decide();
        if mode_reps {
            // Rule 14: the window's largest RTT is only compared with the threshold, so the time of the last
            // high RTT is enough.
            let high = !control.frozen & !stimulus.rtt.less(csr.rtt_high);
            control.high = control.high | high;
            control.time = stimulus.now.when(high, control.time);
            if unmarked {
                thaw(elapsed, csr, &mut control, &mut action); // rule 12
                action.write = yes; // rules 4 and 5: Algorithm 1, lines 6 to 14
                action.slot = control.head;
                let all_valid = control.valid.equals(D::lit(u128::from(depth)));
                control.valid = control.valid.when(all_valid, control.valid + D::lit(1));
                let fresh = control.head.equals(control.written);
                control.written = (control.written + D::lit(1)).when(fresh, control.written);
                control.head = next_slot(control.head);
            }
        } else if mode_2024 {
            // Rule 23: SMaRTT-REPS Algorithm 4, lines 12 to 18.
            if unmarked {
                action.write = yes;
                control.high = no;
            } else {
                let next = next_entropy(&mut control);
                control.time = control
                    .time
                    .slice::<16, 16>()
                    .cat::<16, 32>(next.cat::<8, 16>(control.time.slice::<0, 8>()));
                control.high = yes;
            }
        }
    } else if mode_reps {
        if is(Kind::Timeout) {
            // Rules 10, 11 and 15: Algorithm 1, lines 21 to 26; Appendix A.
            let congestion = !csr.trimming & control.high & !elapsed;
            let freeze = !control.frozen & control.explore.is_zero() & !congestion;
            thaw(elapsed, csr, &mut control, &mut action); // rule 12
            if freeze.decide() {
                control.frozen = yes;
                control.high = no;
                control.time = stimulus.now;
                action.turned = yes;
            }
        } else if is(Kind::PathOk) {
            thaw(yes, csr, &mut control, &mut action); // rule 16
        } else {
            // Idle, rule 17.
            control.explore = control.explore.when(control.frozen, csr.explore());
        }
    }
    action.frozen = control.frozen;
    (control, action)
}

/// Algorithm 2 (rules 6 to 9): the oldest valid entropy value, else a random one; while frozen, a value that
/// was used before.
fn send<D: Domain>(depth: u32, control: &mut Control<D>, action: &mut Action<D>) {
    let last = D::lit(u128::from(depth - 1));
    let none_valid = control.valid.is_zero();
    let none_left = none_valid & !control.frozen;
    let exploring = !control.explore.is_zero();
    if (control.written.is_zero() | none_left | exploring).decide() {
        action.draw = D::lit(1);
        action.source = D::lit(Source::Explored as u128);
        control.explore = (control.explore - D::lit(1)).when(exploring, control.explore);
        return;
    }
    action.read = D::lit(1);
    if (!none_valid).decide() {
        action.slot = (control.head - control.valid) & last;
        action.source = D::lit(Source::Recycled as u128);
        control.valid = control.valid - D::lit(1);
    } else {
        action.slot = control.head.when(control.head.less(control.written), D::lit(0));
        action.source = D::lit(Source::Reused as u128);
        control.head = (action.slot + D::lit(1)) & last;
    }
}

/// SMaRTT-REPS Algorithm 4, lines 4 to 10 (rules 21 and 22).
fn send_2024<D: Domain>(control: &mut Control<D>, action: &mut Action<D>) {
    if (!control.explore.is_zero()).decide() {
        action.indexed = D::lit(1);
        action.source = D::lit(Source::Explored as u128);
        control.explore = control.explore - D::lit(1);
        action.entropy = next_entropy(control);
    } else if control.high.decide() {
        action.indexed = D::lit(1);
        action.source = D::lit(Source::Recycled as u128);
        action.entropy = control.time.slice::<8, 8>();
    } else {
        action.read = D::lit(1);
        action.source = D::lit(Source::Recycled as u128);
    }
}

/// Uses the next entropy of mode 2024. When all 256 values have been tried, exploring ends.
fn next_entropy<D: Domain>(control: &mut Control<D>) -> D::Word<8> {
    let next = control.time.slice::<0, 8>();
    let after = next + D::lit(1);
    control.time = control.time.slice::<8, 24>().cat::<8, 32>(after);
    control.explore = D::lit(0).when(after.is_zero(), control.explore);
    next
}

/// Ends freezing mode if the connection is frozen and `is_over`. If software has set this, the buffer is
/// emptied (rule 13). The next NUM_PKTS_BDP packets explore.
fn thaw<D: Domain>(is_over: Bit<D>, csr: &Csr<D>, control: &mut Control<D>, action: &mut Action<D>) {
    let thaws = control.frozen & is_over;
    if (thaws & csr.thaw_reset).decide() {
        control.head = D::lit(0);
        control.valid = D::lit(0);
        control.written = D::lit(0);
    }
    control.frozen = control.frozen & !thaws;
    control.explore = csr.explore().when(thaws, control.explore);
    action.turned = thaws;
}

/// The wire's entropy value for an index: `(base + index) mod 2^ev_width`.
pub(super) fn on_the_wire(params: &RepsParams, base: u32, index: u32) -> u32 {
    (base + index) & params.ev_max()
}
