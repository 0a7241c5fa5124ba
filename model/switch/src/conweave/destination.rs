//! The destination's part (DstToR): which packets are early, and the latest time until which they wait (T_resume).

use super::fields::{Fields, action, kind, role};
use super::options::{AfterTail, Options, Sizes};
use super::source::after;
use super::stages;
use crate::kit::{Builder, Guard, intrinsic::*};

/// Class of an epoch: a new epoch.
pub const NEW: u64 = 0;
/// Class of an epoch: the current epoch.
pub const CURRENT: u64 = 1;
/// Class of an epoch: an earlier epoch.
pub const EARLIER: u64 = 2;

/// The state of an epoch of a connection at the destination, in bits 2:0; bit 3: an OLD packet has been seen.
mod state {
    /// No packet arrived too early.
    pub(super) const OPEN: u64 = 0;
    /// Packets wait.
    pub(super) const HOLDING: u64 = 1;
    /// The TAIL has arrived.
    pub(super) const PASSED: u64 = 2;
    /// The TAIL has arrived, but the loop packet has not seen this yet.
    pub(super) const TAILED: u64 = 3;
    /// The timer or the next epoch has released the waiting packets.
    pub(super) const FLUSHED: u64 = 4;
    /// No queue was free for the packets.
    pub(super) const GIVEN_UP: u64 = 5;
    pub(super) const OLD_SEEN: u64 = 8;
}

/// Class of a packet's epoch relative to the current epoch, both of 2 bits: one or two ahead is new, one
/// behind is earlier, as in the P4 code.
pub(super) fn class(packet: u64, current: u64) -> u64 {
    match packet.wrapping_sub(current) & 3 {
        0 => CURRENT,
        3 => EARLIER,
        _ => NEW,
    }
}

/// Ticks from one time stamp to another, or 0 if the second is not later, which the highest bit of the
/// difference shows (paper, section 3.4).
pub(super) fn gap(from: u64, to: u64) -> u64 {
    let gap = (to as u16).wrapping_sub(from as u16);
    if gap < 1 << 15 { gap.into() } else { 0 }
}

/// Adds the destination's stages.
pub(super) fn add(b: &mut Builder, f: &Fields, options: &Options, sizes: &Sizes) {
    let connections = sizes.connections as usize;
    let epoch = b.array("destination_epoch", connections, 2, 0);
    b.ingress(stages::ACTIVE).register(
        ("class", epoch, f.conn),
        Guard::If(f.at_destination),
        [CW_EPOCH, f.role],
        [f.class],
        |cell, [packet, role]| [classed(cell, packet, role)],
    );
    order(b, f, options, connections);
    old_path(b, f, connections);
    resume(b, f, options, connections);
}

/// Rule 8: the class of a packet's epoch; data of a new epoch makes that epoch the current one.
pub fn classed(cell: &mut u64, packet: u64, role: u64) -> u64 {
    let class = class(packet, *cell);
    let is_data = role == role::DESTINATION;
    if is_data && class == NEW {
        *cell = packet;
    }
    // A second pass and a loop packet only check whether their epoch is still the current one.
    if is_data || class == CURRENT { class } else { EARLIER }
}

/// The packets seen of an epoch, and the action for a packet.
fn order(b: &mut Builder, f: &Fields, options: &Options, connections: usize) {
    let array = b.array("destination_order", connections * 4, 4, 0);
    let options = *options;
    b.ingress(stages::ORDER).register(
        ("order", array, f.conn_epoch),
        Guard::If(f.at_destination),
        [f.role, f.class, f.kind, f.loop_expired],
        [f.action, f.old_seen],
        move |cell, reads| ordered(cell, reads, &options),
    );
}

/// The action for a packet (rules 9 and 10), which depends on the earlier packets of its epoch, and whether
/// an OLD packet was among these.
pub fn ordered(cell: &mut u64, [role, class, kind, loop_expired]: [u64; 4], options: &Options) -> [u64; 2] {
    let tail_state = match options.after_tail {
        AfterTail::Default => state::PASSED,
        AfterTail::Reorder => state::TAILED,
    };
    if role == role::DESTINATION && class == NEW {
        *cell = state::OPEN;
    }
    let (mut state, mut seen) = (*cell & 7, *cell & state::OLD_SEEN);
    let action = match (role, kind) {
        (role::DESTINATION, _) if class == EARLIER => action::STALE,
        (role::DESTINATION, kind::OLD) => match state {
            state::OPEN => action::OLD,
            state::HOLDING => action::UPDATE,
            _ => action::OLD_LATE,
        },
        (role::DESTINATION, kind::TAIL) => {
            let (next, action) = match state {
                state::HOLDING => (tail_state, action::RELEASE),
                state::OPEN | state::GIVEN_UP => (state::PASSED, action::TAIL),
                _ => (state::PASSED, action::TAIL_LATE),
            };
            state = next;
            action
        }
        (role::DESTINATION, _) => match state {
            state::OPEN if options.reorder => {
                state = state::HOLDING;
                action::FIRST
            }
            state::HOLDING | state::TAILED => action::HOLD,
            _ => action::REROUTED,
        },
        (role::DRAINED, _) => action::STALE,
        (role::GIVE_UP, _) => {
            if state == state::HOLDING {
                state = state::GIVEN_UP;
            }
            action::GIVE_UP
        }
        // A loop packet, below (rule 12).
        _ => match state {
            state::HOLDING if class != CURRENT => {
                state = state::FLUSHED;
                action::EPOCH_FLUSH
            }
            state::HOLDING if loop_expired == 1 => {
                state = state::FLUSHED;
                action::FLUSH
            }
            state::HOLDING => action::LOOP,
            state::PASSED => action::DONE,
            state::TAILED => {
                state = state::PASSED;
                action::DONE
            }
            // Four epochs have passed: the state is another epoch's.
            _ => action::EPOCH_FLUSH,
        },
    };
    let is_old = role == role::DESTINATION && class != EARLIER && kind != kind::REROUTED;
    let seen_before = seen;
    if is_old {
        seen = state::OLD_SEEN;
    }
    *cell = seen | state;
    [action, u64::from(seen_before != 0)]
}

/// Whether the packet took the OLD path and carries information about that path.
fn is_of_old_path(action: u64) -> bool {
    (action::OLD..=action::TAIL_LATE).contains(&action)
}

/// Time stamp and arrival of the last packet of the OLD path; time stamp of the TAIL.
fn old_path(b: &mut Builder, f: &Fields, connections: usize) {
    let old_tx = b.array("destination_old_tx", connections, 16, 0);
    let old_rx = b.array("destination_old_rx", connections, 32, 0);
    let tail_tx = b.array("destination_tail_tx", connections, 16, 0);
    for (name, array, from, to) in [
        ("OLD left", old_tx, CW_TX, f.old_tx), //
        ("OLD arrived", old_rx, TICK, f.old_rx),
    ] {
        b.ingress(stages::OLD_PATH).register(
            (name, array, f.conn),
            Guard::If(f.at_destination),
            [f.action, from],
            [to],
            |cell, [action, now]| [old(cell, action, now)],
        );
    }
    b.ingress(stages::OLD_PATH + 1).register(
        ("TAIL left", tail_tx, f.conn),
        Guard::If(f.at_destination),
        [f.action, CW_TAIL_TX],
        [f.tail_tx],
        |cell, [action, tail_tx]| [tail(cell, action, tail_tx)],
    );
}

/// The time stamps that the last packet of the OLD path brought.
pub fn old(cell: &mut u64, action: u64, now: u64) -> u64 {
    if is_of_old_path(action) {
        *cell = now;
    }
    *cell
}

/// The time stamp of the TAIL.
pub fn tail(cell: &mut u64, action: u64, tail_tx: u64) -> u64 {
    // A TAIL and REROUTED packets carry it, OLD ones do not.
    if matches!(action, action::TAIL..=action::HOLD) {
        *cell = tail_tx;
    }
    *cell
}

/// T_resume (paper, Appendix A).
fn resume(b: &mut Builder, f: &Fields, options: &Options, connections: usize) {
    let options = *options;
    b.ingress(stages::RESUME - 1).alu(
        "T_resume",
        Guard::If(f.at_destination),
        [f.action, f.old_seen, TICK, f.old_tx, f.old_rx, f.tail_tx],
        [f.resume],
        move |reads| [resumes(reads, &options)],
    );
    let array = b.array("destination_resume", connections, 32, 0);
    b.ingress(stages::RESUME).register(
        ("resume", array, f.conn),
        Guard::If(f.at_destination),
        [f.action, f.resume, TICK, f.loop_expired],
        [f.loop_expired],
        |cell, reads| [expires(cell, reads)],
    );
}

/// T_resume (rule 11).
pub fn resumes([action, old_seen, tick, old_tx, old_rx, tail_tx]: [u64; 6], options: &Options) -> u64 {
    let extra = u64::from(options.theta.resume_extra);
    let default = u64::from(options.theta.resume_default) + if options.extra_on_default { extra } else { 0 };
    let resume = match (action, old_seen) {
        (action::FIRST, 0) => tick + default,
        // For an OLD packet, old_tx is the packet's own time stamp and old_rx is the present time.
        _ => old_rx + gap(old_tx, tail_tx) + extra,
    };
    resume & u64::from(u32::MAX)
}

/// Sets T_resume, or checks whether T_resume has passed (rules 11 and 12).
pub fn expires(cell: &mut u64, [action, resume, tick, expired]: [u64; 4]) -> u64 {
    let is_over = after(tick, *cell);
    match action {
        action::FIRST => *cell = resume,
        // T_resume stays until it expires (Appendix A).
        action::UPDATE if !is_over => *cell = resume,
        _ => {}
    }
    if action == action::LOOP { is_over.into() } else { expired }
}
