//! The counters of ConWeave: each pass of each packet by its outcome, shortages of resources, and copies by
//! their kind.

use super::fields::{Fields, action, copy, outcome, role};
use super::stages;
use crate::kit::{Builder, Guard, Pipe, intrinsic::*};

/// Names of the cells of `events`: the outcomes of a packet in a pass.
pub const EVENTS: [&str; 38] = [
    "plain_down",
    "plain_up",
    "not_in_table",
    "unknown_address",
    "no_path",
    "came_down_to_go_up",
    "destination_not_in_table",
    "source_request",
    "source_old",
    "source_tail",
    "source_rerouted",
    "source_aborted",
    "reply_accepted",
    "reply_late",
    "clear_accepted",
    "control_refused",
    "control_not_in_table",
    "settled",
    "settle_raced",
    "notify_noted",
    "stale_epoch",
    "old_in_order",
    "old_while_waiting",
    "old_late",
    "tail_in_order",
    "tail_releases",
    "tail_late",
    "rerouted_in_order",
    "first_waits",
    "waits",
    "no_reorder_queue",
    "gave_up",
    "loop",
    "timer_flush",
    "epoch_flush",
    "loop_done",
    "queue_freed",
    "loop_lost_its_queue",
];

/// Names of the cells of `extras`: further events.
pub const EXTRAS: [&str; 7] = [
    "nothing",
    "inactive",
    "path_table_full",
    "notify_lost",
    "reply_of_marked_request",
    "queue_not_found",
    "path_leads_nowhere",
];

/// Names of the cells of `copies`: packets that the switch made.
pub const COPIES: [&str; 6] = ["other", "reply", "clear", "notify", "loop_begun", "marker"];

/// The cells of an array that count, as pairs of name and count.
fn cells<'a>(pipe: &Pipe, array: &str, names: &'a [&'static str]) -> Vec<(&'a str, u64)> {
    let array = pipe.program().arrays().find(|(_, name, ..)| *name == array);
    array.map_or_else(Vec::new, |(array, ..)| {
        names.iter().zip(0..).map(|(name, at)| (*name, pipe.cell(array, at))).collect()
    })
}

/// All counters of a ConWeave switch, by name.
pub fn counters(pipe: &Pipe) -> Vec<(&'static str, u64)> {
    let mut all = cells(pipe, "events", &EVENTS);
    all.extend(cells(pipe, "extras", &EXTRAS).into_iter().skip(1));
    all.extend(cells(pipe, "copies", &COPIES).into_iter().skip(1));
    all.extend(cells(pipe, "transit", &TRANSIT));
    all
}

/// Names of the cells of `transit`, a transit switch's.
pub const TRANSIT: [&str; 5] =
    ["transit_down", "transit_up_by_path", "transit_up_by_hash", "transit_unknown", "transit_no_path"];

/// One counter of a ConWeave switch; 0 if no counter has this name.
pub fn counter(pipe: &Pipe, name: &str) -> u64 {
    counters(pipe).iter().find(|(other, _)| *other == name).map_or(0, |(_, count)| *count)
}

/// The cell of a name. Names are constants of this file: the tests look each up.
const fn at(name: &str) -> u64 {
    let mut cell = 0;
    while cell < EVENTS.len() {
        if same(EVENTS[cell].as_bytes(), name.as_bytes()) {
            return cell as u64;
        }
        cell += 1;
    }
    panic!("no such counter")
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

/// Adds the stage that counts.
pub(super) fn add(b: &mut Builder, f: &Fields) {
    b.ingress(stages::FORWARD).alu(
        "counted event",
        Guard::Always,
        [
            f.role,
            f.wanted,
            f.outcome,
            f.action,
            f.found,
            f.conn_hit,
            f.dst_hit,
            f.dst_group,
            f.from_switch,
            f.up_hit,
            f.src_epoch,
            CW_EPOCH,
            CW_OPCODE,
        ],
        [f.event],
        |reads| [event(reads)],
    );
    b.ingress(stages::FORWARD).alu(
        "further counted event",
        Guard::Always,
        [f.role, f.expired, f.busy_3, CW_OPCODE, f.action, f.found, ECN, f.copy, f.notify_late, f.leads],
        [f.extra],
        |reads| [extra(reads)],
    );
    let count = |cell: &mut u64, []: [u64; 0]| {
        *cell += 1;
        []
    };
    let events = b.array("events", 64, 32, 0);
    b.ingress(stages::FORWARD + 1).register(("event", events, f.event), Guard::Always, [], [], count);
    let extras = b.array("extras", 16, 32, 0);
    b.ingress(stages::FORWARD + 1).register(("extra", extras, f.extra), Guard::Always, [], [], count);
    let copies = b.array("copies", 8, 32, 0);
    b.egress(2).register(("copy", copies, f.copy), Guard::If(f.is_copy), [], [], count);
}

/// The cell of `events` for a pass of a packet.
pub fn event(
    [
        role,
        wanted,
        outcome,
        action,
        found,
        hit,
        dst_hit,
        dst_group,
        from_switch,
        up_hit,
        epoch,
        cw_epoch,
        opcode,
    ]: [u64; 13],
) -> u64 {
    match role {
        role::PLAIN => match () {
            _ if dst_hit == 0 => const { at("unknown_address") },
            _ if wanted == role::DESTINATION => const { at("destination_not_in_table") },
            _ if dst_group == 0 => const { at("plain_down") },
            _ if from_switch == 1 => const { at("came_down_to_go_up") },
            _ if up_hit == 0 => const { at("no_path") },
            _ if wanted == role::SOURCE => const { at("not_in_table") },
            _ => const { at("plain_up") },
        },
        role::SOURCE => match outcome {
            _ if up_hit == 0 => const { at("no_path") },
            outcome::NEW => const { at("source_request") },
            outcome::TAIL => const { at("source_tail") },
            outcome::REROUTED => const { at("source_rerouted") },
            outcome::ABORTED => const { at("source_aborted") },
            _ => const { at("source_old") },
        },
        role::CONTROL => match outcome {
            _ if opcode == super::opcode::NOTIFY => const { at("notify_noted") },
            _ if hit == 0 => const { at("control_not_in_table") },
            outcome::ACCEPTED if epoch == cw_epoch => match opcode {
                super::opcode::CLEAR => const { at("clear_accepted") },
                _ => const { at("reply_accepted") },
            },
            outcome::LATE if epoch == cw_epoch => const { at("reply_late") },
            _ => const { at("control_refused") },
        },
        role::ACCEPTED if outcome == outcome::ACCEPTED => const { at("settled") },
        role::ACCEPTED => const { at("settle_raced") },
        role::GIVE_UP => const { at("gave_up") },
        role::DRAINED if found != 0 => const { at("queue_freed") },
        role::DRAINED => const { at("loop_lost_its_queue") },
        _ => match action {
            action::STALE => const { at("stale_epoch") },
            action::OLD => const { at("old_in_order") },
            action::UPDATE => const { at("old_while_waiting") },
            action::OLD_LATE => const { at("old_late") },
            action::TAIL => const { at("tail_in_order") },
            action::RELEASE => const { at("tail_releases") },
            action::TAIL_LATE => const { at("tail_late") },
            action::REROUTED => const { at("rerouted_in_order") },
            action::FIRST | action::HOLD if found == 0 => const { at("no_reorder_queue") },
            action::FIRST => const { at("first_waits") },
            action::HOLD => const { at("waits") },
            action::LOOP => const { at("loop") },
            action::FLUSH => const { at("timer_flush") },
            action::EPOCH_FLUSH => const { at("epoch_flush") },
            _ => const { at("loop_done") },
        },
    }
}

/// The cell of `extras` for a pass of a packet.
pub fn extra([role, expired, last_way, opcode, action, found, ecn, copy, late, leads]: [u64; 10]) -> u64 {
    match role {
        role::SOURCE if leads == 0 => 6,
        role::SOURCE if expired == 1 => 1,
        role::CONTROL if opcode == super::opcode::NOTIFY && last_way == 3 => 2,
        role::DESTINATION if action == action::RELEASE && found == 0 => 5,
        role::DESTINATION if ecn == 3 && copy == copy::REPLY => 4,
        role::DESTINATION if ecn == 3 && copy != 0 && copy != copy::NOTIFY && late == 0 => 3,
        _ => 0,
    }
}
