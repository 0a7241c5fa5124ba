//! The source's part (SrcToR): RTT monitoring, path sampling, rerouting, epochs.

use super::fields::{Fields, outcome, role, verb};
use super::options::{NoGoodPath, Options, PathTable, ReplyCompare, Sizes};
use super::stages;
use crate::kit::{Builder, Field, Guard, intrinsic::*};

/// Seed of the hash that gives a path its cell in the direct table.
pub const PATH_SEED: u32 = 5;
/// Bits of a watch: the awaited event, above the tick after which a reply is late.
const WATCH_BITS: u32 = 34;
/// A watch that awaits nothing: the next packet begins an epoch.
const STABLE: u64 = 0;
/// A watch that awaits a CLEAR.
const AWAITS_CLEAR: u64 = 1 << 32;
/// A watch that awaits a reply; the cutoff is below.
const AWAITS_REPLY: u64 = 2 << 32;

/// `a` is after `b`, on clocks of 32 bits that wrap.
pub(super) fn after(a: u64, b: u64) -> bool {
    (a as u32).wrapping_sub(b as u32) as i32 > 0
}

/// Adds the source's stages.
pub(super) fn add(b: &mut Builder, f: &Fields, options: &Options, sizes: &Sizes) {
    let connections = sizes.connections as usize;
    silence(b, f, options, connections);
    path_table(b, f, options, sizes);
    candidate(b, f);
    watch(b, f, options, connections);

    let epochs = b.array("source_epoch", connections, 2, 0);
    b.ingress(stages::EPOCH).register(
        ("epoch", epochs, f.conn),
        Guard::If(f.verb),
        [f.outcome],
        [f.src_epoch],
        |cell, [outcome]| [epoch(cell, outcome)],
    );
    let tail_ts = b.array("source_tail_ts", connections, 16, 0);
    b.ingress(stages::EPOCH).register(
        ("when the TAIL left", tail_ts, f.conn),
        Guard::If(f.is_source),
        [f.outcome, TICK],
        [f.tail_ts],
        |cell, [outcome, tick]| [tail_left(cell, outcome, tick)],
    );
}

/// The epoch of a connection; a cell has 2 bits.
pub fn epoch(cell: &mut u64, outcome: u64) -> u64 {
    if outcome == outcome::NEW {
        *cell = (*cell + 1) & 3;
    }
    *cell
}

/// Time at which the TAIL of the epoch left, in ticks. A cell has 16 bits.
pub fn tail_left(cell: &mut u64, outcome: u64, tick: u64) -> u64 {
    match outcome {
        outcome::NEW => *cell = 0,
        outcome::TAIL => *cell = tick & 0xFFFF,
        _ => {}
    }
    *cell
}

/// Finds whether a connection was silent. A cell has the tick of the connection's last packet, and in bit 32
/// whether there was a packet.
fn silence(b: &mut Builder, f: &Fields, options: &Options, connections: usize) {
    let active = b.array("source_active", connections, 33, 0);
    let inactive = u64::from(options.theta.inactive);
    b.ingress(stages::ACTIVE).register(
        ("silence", active, f.conn),
        Guard::If(f.is_source),
        [TICK],
        [f.expired],
        move |cell, [tick]| [silent(cell, tick, inactive).into()],
    );
}

/// Rule 2: whether a connection was silent for more than `inactive` ticks, or never sent a packet.
pub fn silent(cell: &mut u64, tick: u64, inactive: u64) -> bool {
    let silent = u64::from((tick as u32).wrapping_sub(*cell as u32));
    let expired = *cell == 0 || silent > inactive;
    *cell = 1 << 32 | tick;
    expired
}

/// A cell of the path-busy table: a tag (path, or group and path) above the tick until which it counts.
///
/// Ticks wrap: an entry that is more than the whole time ahead is old.
fn is_busy(cell: u64, tag: u64, tick: u64, whole: u64) -> bool {
    let rest = u64::from((cell as u32).wrapping_sub(tick as u32));
    tag != 0 && cell >> 32 == tag && (1..=whole).contains(&rest)
}

/// The cell of a path that is busy for the `whole` time from now on.
fn entry(tag: u64, tick: u64, whole: u64) -> u64 {
    tag << 32 | u64::from((tick as u32).wrapping_add(whole as u32))
}

/// A way of the associative table. Reads whether the two paths are busy there, one bit each; or enters the
/// path to note, if no earlier way has entered it.
pub fn busy_way(
    cell: &mut u64,
    [a, other, noted, tick]: [u64; 4],
    (whole, is_last): (u64, bool),
) -> [u64; 2] {
    let is_free = !is_busy(*cell, *cell >> 32, tick, whole);
    if noted == 0 && (is_free || *cell >> 32 == a || is_last) {
        // Bits 1:0 are 3 from the last way: the cell held another busy path.
        let lost = is_last && !is_free && *cell >> 32 != a;
        *cell = entry(a, tick, whole);
        return [3 * u64::from(lost), 1];
    }
    let busy = |path| u64::from(is_busy(*cell, path, tick, whole));
    [if noted == 1 { busy(a) | busy(other) << 1 } else { 0 }, noted]
}

/// One way of the table for a path's two low bits: reads whether the path is busy, or enters the path.
pub fn busy_by_path(cell: &mut u64, [path, noted, tick]: [u64; 3], (whole, way): (u64, u64)) -> bool {
    let busy = is_busy(*cell, path, tick, whole);
    if noted == 0 && path & 3 == way {
        *cell = entry(path, tick, whole);
    } else if noted == 1 && !is_busy(*cell, *cell >> 32, tick, whole) {
        *cell = 0;
    }
    busy && noted == 1
}

/// The cell of a path's hash: reads whether the path is busy, or enters the path.
pub fn busy_direct(cell: &mut u64, [group, path, noted, tick]: [u64; 4], whole: u64) -> bool {
    let tag = if path == 0 { 0 } else { group << 8 | path };
    if noted == 0 {
        *cell = entry(tag, tick, whole);
    }
    noted == 1 && is_busy(*cell, tag, tick, whole)
}

/// The path-busy table (rule 7).
fn path_table(b: &mut Builder, f: &Fields, options: &Options, sizes: &Sizes) {
    let whole = u64::from(options.theta.path_busy);
    let groups = usize::from(sizes.groups);
    let says = [f.busy_0, f.busy_1, f.busy_2, f.busy_3, f.busy_4, f.busy_5, f.busy_6, f.busy_7];
    match options.path_table {
        PathTable::Associative => {
            rows_by_group(b, f);
            let ways = ["paths_busy_0", "paths_busy_1", "paths_busy_2", "paths_busy_3"];
            for (way, (name, says)) in ways.into_iter().zip(says).enumerate() {
                let array = b.array(name, groups, 40, 0);
                let is_last = way == ways.len() - 1;
                b.ingress(stages::PATHS + way).register(
                    ("busy path", array, f.busy_row_a),
                    Guard::Always,
                    [f.look_a, f.look_b, f.noted, TICK],
                    [says, f.noted],
                    move |cell, reads| busy_way(cell, reads, (whole, is_last)),
                );
            }
        }
        PathTable::ByPath => {
            rows_by_group(b, f);
            let ways = [
                ["paths_busy_0a", "paths_busy_0b"],
                ["paths_busy_1a", "paths_busy_1b"],
                ["paths_busy_2a", "paths_busy_2b"],
                ["paths_busy_3a", "paths_busy_3b"],
            ];
            for (way, names) in ways.into_iter().enumerate() {
                for (copy, (name, look)) in names.into_iter().zip([f.look_a, f.look_b]).enumerate() {
                    let array = b.array(name, groups, 40, 0);
                    b.ingress(stages::PATHS + way).register(
                        ("busy path", array, f.busy_row_a),
                        Guard::Always,
                        [look, f.noted, TICK],
                        [says[2 * way + copy]],
                        move |cell, reads| {
                            [u64::from(busy_by_path(cell, reads, (whole, way as u64))) << copy]
                        },
                    );
                }
            }
        }
        PathTable::Direct => {
            for (copy, (name, look, row)) in [
                ("paths_busy_a", f.look_a, f.busy_row_a), //
                ("paths_busy_b", f.look_b, f.busy_row_b),
            ]
            .into_iter()
            .enumerate()
            {
                b.ingress(stages::ROWS).hash("path", Guard::Always, ([f.group, look], PATH_SEED), row);
                let array = b.array(name, 1 << 16, 56, 0);
                b.ingress(stages::PATHS).register(
                    ("path", array, row),
                    Guard::Always,
                    [f.group, look, f.noted, TICK],
                    [says[2 * copy]],
                    move |cell, reads| [u64::from(busy_direct(cell, reads, whole)) << copy],
                );
            }
        }
    }
}

/// The row of a path is that of its group.
fn rows_by_group(b: &mut Builder, f: &Fields) {
    b.ingress(stages::ROWS).alu("row", Guard::Always, [f.group], [f.busy_row_a], |[group]| [group]);
}

/// The path to take if there is a change, and the action on the watch.
fn candidate(b: &mut Builder, f: &Fields) {
    let says = [f.busy_0, f.busy_1, f.busy_2, f.busy_3, f.busy_4, f.busy_5, f.busy_6, f.busy_7];
    // Ways that the form of the table lacks give 0.
    b.ingress(0).alu("clear busy flags", Guard::Always, [], says, |[]| [0; 8]);
    let mut reads: [Field; 10] = [f.look_a; 10];
    reads[1] = f.look_b;
    reads[2..].copy_from_slice(&says);
    b.ingress(stages::CANDIDATE).alu("candidate", Guard::Always, reads, [f.candidate], |reads| {
        let [a, other, says @ ..] = reads;
        [choice([a, other], says.iter().fold(0, |all, one| all | one))]
    });
    b.ingress(stages::CANDIDATE).alu(
        "action on the watch",
        Guard::Always,
        [f.role, f.expired, f.conn_hit, CW_OPCODE, TICK, f.reply_ticks],
        [f.verb, f.cutoff],
        |[role, expired, hit, opcode, tick, reply]| [verb([role, expired, hit, opcode]), cutoff(tick, reply)],
    );
}

/// Rule 5: the candidates of two samples; bits 0 and 1 of `busy` mark busy samples. The result has the first
/// good path, with bit 8 set if there is one. The nine bits above have the second good path.
pub fn choice([a, other]: [u64; 2], busy: u64) -> u64 {
    let good = |path: u64, bit: u64| path != 0 && busy & bit == 0;
    match (good(a, 1), good(other, 2)) {
        (true, true) => (0x100 | other) << 9 | 0x100 | a,
        (true, false) => 0x100 | a,
        (false, true) => 0x100 | other,
        (false, false) => a,
    }
}

/// The action on a connection's watch.
pub fn verb([role, expired, hit, opcode]: [u64; 4]) -> u64 {
    match role {
        role::SOURCE => verb::DATA + expired,
        role::CONTROL if hit == 1 && opcode == super::opcode::RTT_REPLY => verb::REPLY,
        role::CONTROL if hit == 1 && opcode == super::opcode::CLEAR => verb::CLEAR,
        role::ACCEPTED if hit == 1 => verb::SETTLE,
        _ => 0,
    }
}

/// The watch that awaits a reply from now on.
pub fn cutoff(tick: u64, reply: u64) -> u64 {
    AWAITS_REPLY | u64::from((tick as u32).wrapping_add(reply as u32))
}

/// A connection's watch (34 bits) and path (8 bits), a pair in one stateful ALU.
fn watch(b: &mut Builder, f: &Fields, options: &Options, connections: usize) {
    let array = b.array("source_watch_path", connections, WATCH_BITS + 8, STABLE);
    let options = *options;
    b.ingress(stages::WATCH).register(
        ("watch and path", array, f.conn),
        Guard::If(f.verb),
        [f.verb, TICK, f.cutoff, f.candidate, f.expect],
        [f.outcome, f.path, f.expect],
        move |cell, reads| watched(cell, reads, &options),
    );
}

/// A step of a connection's watch and path (rules 3, 4 and 6): its outcome, the path of the packet, the value that a
/// second pass expects.
pub fn watched(
    cell: &mut u64,
    [verb, tick, cutoff, candidate, expect]: [u64; 5],
    options: &Options,
) -> [u64; 3] {
    let Options { no_good_path, exclude_current, inactivity_moves, reply_compare, .. } = *options;
    let grace = u32::from(options.reply_grace);
    let (mut watch, mut path) = (*cell & ((1 << WATCH_BITS) - 1), *cell >> WATCH_BITS);
    let mut result = [outcome::REFUSED, path, expect];
    let candidates = [candidate, candidate >> 9].map(|it| (it >> 8 & 1 == 1, it & 0xFF));
    let [(is_good, sample), _] = candidates;
    match verb {
        verb::DATA | verb::EXPIRED if verb == verb::EXPIRED || watch == STABLE => {
            if path == 0 || (verb == verb::EXPIRED && inactivity_moves && is_good) {
                path = sample;
            }
            watch = cutoff;
            result = [outcome::NEW, path, expect];
        }
        verb::DATA if watch == AWAITS_CLEAR => result[0] = outcome::REROUTED,
        verb::DATA if after(tick, watch) => {
            let fits = |(is_good, sample): &(bool, u64)| *is_good && !(exclude_current && *sample == path);
            let found = candidates.into_iter().find(fits);
            if found.is_some() || no_good_path == NoGoodPath::Tail {
                // This packet is the last one on the old path.
                result[0] = outcome::TAIL;
                watch = AWAITS_CLEAR;
                path = found.map_or(path, |(_, sample)| sample);
            } else {
                result[0] = outcome::ABORTED;
            }
        }
        verb::DATA => result[0] = outcome::OLD,
        verb::REPLY if watch >= AWAITS_REPLY => {
            let in_time = match reply_compare {
                ReplyCompare::Strict => after(watch, tick),
                ReplyCompare::Inclusive => !after(tick, watch),
            };
            result[0] = if in_time { outcome::ACCEPTED } else { outcome::LATE };
            if in_time && grace != 0 {
                watch = AWAITS_REPLY | u64::from((tick as u32).wrapping_add(grace));
            }
            result[2] = watch;
        }
        verb::CLEAR if watch == AWAITS_CLEAR => result = [outcome::ACCEPTED, path, watch],
        // The state settles only from the value of the first pass: a packet between the passes may have
        // changed it.
        verb::SETTLE if watch == expect => {
            watch = STABLE;
            result[0] = outcome::ACCEPTED;
        }
        _ => {}
    }
    *cell = path << WATCH_BITS | watch;
    result
}
