//! REPS entropy buffer and freezing FSM (page `docs/blocks/reps.md`; its rule numbers stand beside
//! the code that they force). Sources: REPS, Algorithms 1 and 2, Table 1, Appendix A; SMaRTT-REPS,
//! Algorithm 4.
//!
//! * [`step`] decides, over any word type, what an event does to the control word of its connection
//!   and what is to be done with the connection's entropy values.
//! * [`Reps`] is the transaction view: all connections, their entropy values, the random numbers.
//! * [`Clocked`] is the RTL's twin, port for port and clock for clock.

mod clocked;
mod transaction;

pub use clocked::{Clocked, Inputs, LATENCY, Outputs};
pub use transaction::{Event, Outcome, Reps, Source};

use weft_params::{EvMode, RepsCsr, RepsParams};
use weft_word::{Bit, Bits, Concrete, Domain, Word};

/// What an event is: the low three bits of `s_axis_event_tuser`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A data packet leaves: choose its entropy value.
    Send = 0,
    /// An acknowledgement arrived: entropy value, ECN mark, round-trip time.
    Ack = 1,
    /// A retransmission timer expired.
    Timeout = 2,
    /// A probe says that the failed path is back (ARCANE 3.2).
    PathOk = 3,
    /// The connection has been idle for the time that its NIC allows (ARCANE 3.1).
    Idle = 4,
    /// Open the connection: all its state takes the initial values.
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

/// What one connection remembers besides its entropy values. Words are as wide as the deepest buffer
/// (16) needs; the RTL holds `log2(depth)` bits of head and one more of each count.
#[derive(Clone, Copy, Debug)]
pub struct Control<D: Domain> {
    /// The connection is open.
    pub open: Bit<D>,
    /// Freezing mode.
    pub frozen: Bit<D>,
    /// Not frozen: a high RTT was seen at `time`. Mode 2024: the cached entropy is an index.
    pub high: Bit<D>,
    /// Next slot to write, below depth.
    pub head: D::Word<5>,
    /// Valid slots: the `valid` ones behind `head`.
    pub valid: D::Word<5>,
    /// Slots written since the connection was opened: slots 0 up to `written`.
    pub written: D::Word<5>,
    /// Packets still to send on random entropy values.
    pub explore: D::Word<8>,
    /// Frozen: when that began, in ticks. Else with `high`: when the last high RTT was seen.
    /// Mode 2024: cached entropy in bits 15:8, next entropy in bits 7:0.
    pub time: D::Word<32>,
}

impl<D: Domain> Control<D> {
    /// A closed connection: all zeros, what reset and [`Kind::Close`] leave.
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

    /// What holds between any two events (proved inductive): counts within the buffer, valid slots
    /// written, a partly written buffer written from slot 0,
    /// nothing to explore while frozen, a closed connection all zero.
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
    /// Round-trip times of at least so many ticks are high.
    pub rtt_high: D::Word<16>,
    /// Ticks for which a high RTT counts.
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
    fn is(&self, mode: EvMode) -> Bit<D> {
        self.mode.equals(D::lit(mode as u128))
    }

    /// NUM_PKTS_BDP as the explore counter holds it.
    fn explore(&self) -> D::Word<8> {
        D::lit(255).when(D::lit(255).less(self.bdp_packets), self.bdp_packets.slice::<0, 8>())
    }
}

/// What an event brings that the control word depends on.
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

/// Where the entropy value of a packet comes from.
#[derive(Clone, Copy, Debug)]
pub struct Action<D: Domain> {
    /// The connection was open (or needs not be): the event counts.
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
    /// Take a random number and advance the generator.
    pub draw: Bit<D>,
    /// Mode 2024: take `entropy` in place of a random number.
    pub indexed: Bit<D>,
    /// Mode 2024: the entropy index, 0 to 255, scaled to the EVS like a random number.
    pub entropy: D::Word<8>,
}

/// Whether the time that `stimulus.kind` compares with has passed: a freeze for an ACK, the window of
/// a high RTT for a timeout (rules 12 and 15). The RTL computes it one stage before [`step_with`].
pub fn elapsed<D: Domain>(csr: &Csr<D>, time: D::Word<32>, stimulus: &Stimulus<D>) -> Bit<D> {
    let is_ack = stimulus.kind.equals(D::lit(Kind::Ack as u128));
    let limit = csr.freeze_timeout.when(is_ack, csr.rtt_window);
    (stimulus.now - limit).after(time)
}

/// One event of one connection: the control word after it and what is to be done with its entropy
/// values. `depth` is the number of slots.
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
        // Rule 2. The given entropy value is the one of a fixed connection.
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
            // Rule 14: the largest RTT of the window counts only against the threshold, so the time
            // of the last high one says all.
            let high = !control.frozen & !stimulus.rtt.less(csr.rtt_high);
            control.high = control.high | high;
            control.time = stimulus.now.when(high, control.time);
            if unmarked {
                let thaw = control.frozen & elapsed; // rule 12
                if (thaw & csr.thaw_reset).decide() {
                    empty(&mut control); // rule 13
                }
                action.write = yes; // rules 4 and 5: Algorithm 1, lines 6 to 14
                action.slot = control.head;
                let all_valid = control.valid.equals(D::lit(u128::from(depth)));
                control.valid = control.valid.when(all_valid, control.valid + D::lit(1));
                let fresh = control.head.equals(control.written);
                control.written = (control.written + D::lit(1)).when(fresh, control.written);
                control.head = next_slot(control.head);
                thaw_when(thaw, csr, &mut control, &mut action);
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
            if freeze.decide() {
                control.frozen = yes;
                control.high = no;
                control.time = stimulus.now;
                action.turned = yes;
            }
        } else if is(Kind::PathOk) {
            let thaw = control.frozen; // rule 16
            if (thaw & csr.thaw_reset).decide() {
                empty(&mut control);
            }
            thaw_when(thaw, csr, &mut control, &mut action);
        } else {
            // Idle, rule 17.
            control.explore = control.explore.when(control.frozen, csr.explore());
        }
    }
    action.frozen = control.frozen;
    (control, action)
}

/// Algorithm 2 (rules 6 to 9): the oldest valid entropy value, else a random one; while frozen, a
/// used one again.
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

/// Takes the next entropy of mode 2024. When all 256 have been tried, exploring ends.
fn next_entropy<D: Domain>(control: &mut Control<D>) -> D::Word<8> {
    let next = control.time.slice::<0, 8>();
    let after = next + D::lit(1);
    control.time = control.time.slice::<8, 24>().cat::<8, 32>(after);
    control.explore = D::lit(0).when(after.is_zero(), control.explore);
    next
}

fn empty<D: Domain>(control: &mut Control<D>) {
    control.head = D::lit(0);
    control.valid = D::lit(0);
    control.written = D::lit(0);
}

/// Ends freezing mode (rule 12): the next NUM_PKTS_BDP packets explore.
fn thaw_when<D: Domain>(thaw: Bit<D>, csr: &Csr<D>, control: &mut Control<D>, action: &mut Action<D>) {
    control.frozen = control.frozen & !thaw;
    control.explore = csr.explore().when(thaw, control.explore);
    action.turned = thaw;
}

/// The wire's entropy value for an index: `(base + index) mod 2^ev_width`.
fn on_the_wire(params: &RepsParams, base: u32, index: u32) -> u32 {
    (base + index) & params.ev_max()
}
