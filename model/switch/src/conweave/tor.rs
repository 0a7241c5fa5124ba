//! The program of a ToR switch: the role of a packet, its path, and its copies.

use super::fields::{Fields, action, copy, kind, looping, outcome, role};
use super::opcode::is_of_switches;
use super::options::{ClearAt, Notify, Options, Sizes};
use super::{counters, destination, opcode, reorder, source, stages};
use crate::kit::{Builder, Guard, Profile, Program, ProgramError, intrinsic::*};
use crate::packet::CwForm;
use crate::schemes::contract::is_control;

/// Bytes of UDP payload that copies keep: the BTH.
pub const COPY_BYTES: u64 = 12;

/// Seed of the hash of a flow.
pub const FLOW_SEED: u32 = 1;

/// The program of a ToR switch: source and destination in one, ECMP for the rest.
pub fn tor(options: &Options, sizes: &Sizes) -> Result<Program, ProgramError> {
    let mut builder = Builder::new("conweave-tor", Profile::default());
    let b = &mut builder;
    let f = &Fields::new(b);
    tables(b, f, sizes);
    classify(b, f, options);
    source::add(b, f, options, sizes);
    destination::add(b, f, options, sizes);
    reorder::add(b, f, options, sizes);
    decide(b, f, options);
    let ports = b.table("path_ports", 256, &[(f.up_port, 0)]);
    let leads = b.table("paths_that_lead", usize::from(sizes.groups) * usize::from(sizes.paths), &[]);
    let key = [f.group, f.path];
    b.ingress(stages::DECIDE - 1).exact(
        "path reaches the destination",
        leads,
        Guard::If(f.is_source),
        key,
        f.leads,
    );
    b.ingress(stages::DECIDE + 1).exact("port of the path", ports, Guard::Always, [f.up_path], f.up_hit);
    forward(b, f, options, sizes);
    counters::add(b, f);
    egress(b, f, options, sizes);
    builder.build()
}

fn tables(b: &mut Builder, f: &Fields, sizes: &Sizes) {
    let hosts = sizes.hosts as usize;
    let sources = b.table("hosts_by_source", hosts, &[(f.src_host, 0), (f.src_group, 0)]);
    let destinations =
        b.table("hosts_by_destination", hosts, &[(f.dst_host, 0), (f.dst_group, 0), (f.dst_port, 0)]);
    let uplinks = b.table("uplinks", sizes.ports.into(), &[]);
    b.ingress(0)
        .alu("priority", Guard::Always, [DSCP], [f.is_urgent], |[dscp]| [is_control(dscp).into()])
        .exact("source", sources, Guard::Always, [SRC_HIGH, SRC], f.src_hit)
        .exact("destination", destinations, Guard::Always, [DST_HIGH, DST], f.dst_hit)
        .exact("uplink", uplinks, Guard::Always, [PORT_IN], f.from_switch)
        .random("draw", Guard::Always, f.draw_a)
        .random("draw again", Guard::Always, f.draw_b);
    let connections =
        b.table("connections", sizes.connections as usize, &[(f.conn_found, 0), (f.reply_ticks, 0)]);
    let paths = b.selector("paths", sizes.groups.into(), sizes.paths.into());
    let key = ([SRC_HIGH, SRC, DST_HIGH, DST, SPORT], FLOW_SEED);
    b.ingress(2)
        .exact("connection", connections, Guard::Always, [f.flow_src, f.flow_dst, SPORT], f.conn_hit)
        .select("sample", paths, Guard::Always, (f.group, f.draw_a), f.sample_a)
        .select("sample again", paths, Guard::Always, (f.group, f.draw_b), f.sample_b);
    b.ingress(1).hash("flow", Guard::Always, key, f.flow_hash);
    b.ingress(2).select("ECMP", paths, Guard::Always, (f.group, f.flow_hash), f.ecmp_path);
}

/// The role of a packet (rule 1).
fn classify(b: &mut Builder, f: &Fields, options: &Options) {
    let form = options.form;
    b.ingress(1).alu(
        "wanted role",
        Guard::Always,
        [
            PASS,
            IS_ROCE,
            f.from_switch,
            f.src_hit,
            f.dst_hit,
            f.src_group,
            f.dst_group,
            CW_VALID,
            CW_OPCODE,
            OPCODE,
            RESV7,
            RESV8,
            f.looping,
            f.is_urgent,
        ],
        [f.wanted],
        move |[
            pass,
            is_roce,
            from_switch,
            src_hit,
            dst_hit,
            src_group,
            dst_group,
            cw,
            cw_opcode,
            opcode,
            resv7,
            resv8,
            looping,
            is_urgent,
        ]| {
            let is_control = is_of_switches(cw_opcode);
            let is_taken = match form {
                CwForm::Paper => opcode >> 5 == 0 && resv7 == 0 && resv8 == 0,
                CwForm::Restoring => resv8 == 0,
            };
            let known = is_roce == 1 && src_hit == 1 && dst_hit == 1;
            [match () {
                _ if pass == 2 && looping == looping::DRAINED => role::DRAINED,
                _ if pass == 2 => role::LOOP,
                _ if pass == 1 && is_control => role::ACCEPTED,
                _ if pass == 1 => role::GIVE_UP,
                _ if from_switch == 1 && cw == 1 && is_control => role::CONTROL,
                // Rule 15: an ACK is no data of a connection; a trimmed packet has overtaken other packets.
                _ if !known || is_urgent == 1 => role::PLAIN,
                _ if from_switch == 1 && cw == 1 && dst_group == 0 && src_group != 0 => role::DESTINATION,
                _ if from_switch == 0 && src_group == 0 && dst_group != 0 && is_taken => role::SOURCE,
                _ => role::PLAIN,
            }]
        },
    );
    b.ingress(1).alu(
        "ends of the connection",
        Guard::Always,
        [CW_VALID, CW_OPCODE, f.src_host, f.dst_host, f.src_group, f.dst_group],
        [f.flow_src, f.flow_dst, f.group],
        |[cw, opcode, src, dst, src_group, dst_group]| {
            // A control packet travels against the connection's direction.
            let is_control = cw == 1 && is_of_switches(opcode);
            let (from, to) = if is_control { (dst, src) } else { (src, dst) };
            // Of the two groups, the one that is not this switch's own.
            [from, to, if dst_group == 0 { src_group } else { dst_group }]
        },
    );
    b.ingress(3).alu(
        "role",
        Guard::Always,
        [f.wanted, f.conn_hit, f.conn_found, f.loop_conn, CW_EPOCH],
        [f.role, f.is_source, f.at_destination, f.conn, f.conn_epoch],
        |[wanted, hit, found, loop_conn, epoch]| {
            let role = match wanted {
                role::SOURCE | role::DESTINATION | role::GIVE_UP if hit == 0 => role::PLAIN,
                _ => wanted,
            };
            let conn = if matches!(role, role::LOOP | role::DRAINED) { loop_conn } else { found };
            let at_destination =
                matches!(role, role::DESTINATION | role::GIVE_UP | role::LOOP | role::DRAINED);
            [role, u64::from(role == role::SOURCE), at_destination.into(), conn, conn << 2 | epoch]
        },
    );
    b.ingress(3).alu(
        "paths to test",
        Guard::Always,
        [f.wanted, CW_OPCODE, CW_PATH, f.sample_a, f.sample_b, CW_REROUTED, CW_TAIL],
        [f.look_a, f.look_b, f.noted, f.kind],
        |[wanted, opcode, path, a, b, rerouted, tail]| {
            let kind = match (tail, rerouted) {
                (1, _) => kind::TAIL,
                (_, 1) => kind::REROUTED,
                _ => kind::OLD,
            };
            match wanted == role::CONTROL && opcode == opcode::NOTIFY {
                true => [path, path, 0, kind],
                false => [a, b, 1, kind],
            }
        },
    );
}

/// Header of the source, queue and copies of the destination, path of packets that go up.
fn decide(b: &mut Builder, f: &Fields, options: &Options) {
    b.ingress(stages::DECIDE + 1).alu(
        "header",
        Guard::If(f.is_source),
        [f.outcome, f.up_path, f.src_epoch, f.tail_ts, TICK],
        [CW_VALID, CW_PATH, CW_OPCODE, CW_EPOCH, CW_REROUTED, CW_TAIL, CW_TX, CW_TAIL_TX],
        |[outcome, path, epoch, tail_ts, tick]| {
            let opcode = if outcome == outcome::NEW { opcode::RTT_REQUEST } else { opcode::DATA };
            let is = |what| u64::from(outcome == what);
            [1, path, opcode, epoch, is(outcome::REROUTED), is(outcome::TAIL), tick, tail_ts]
        },
    );
    b.ingress(stages::DECIDE).alu(
        "path up",
        Guard::Always,
        [f.is_source, f.leads, f.path, f.ecmp_path],
        [f.up_path],
        // Routing has learned that the connection's path leads nowhere: until there is another path, the path
        // of the hash applies.
        |[is_source, leads, path, ecmp]| [if is_source == 1 && leads == 1 { path } else { ecmp }],
    );
    let blocks: Vec<(u64, u64)> = options.blocks().collect();
    let block = |way: usize| blocks.get(way).copied().unwrap_or((0, 0));
    let blocks = [block(0), block(1), block(2), block(3)];
    // The last of three choices is the third: the fourth's hash is not made.
    let spots = [f.spot_0, f.spot_1, f.spot_2, if options.choices < 4 { f.spot_2 } else { f.spot_3 }];
    b.ingress(stages::DECIDE).alu(
        "queue",
        Guard::If(f.at_destination),
        [f.role, f.found, spots[0], spots[1], spots[2], spots[3], f.loop_queue],
        [f.queue],
        move |[role, found, s0, s1, s2, s3, loop_queue]| {
            if role == role::LOOP {
                return [loop_queue];
            }
            let spots = [s0, s1, s2, s3];
            let way = (found as usize).checked_sub(1);
            let queue = way.and_then(|way| {
                let (first, size) = blocks.get(way)?;
                Some(reorder::queue_of(*first, *size, *spots.get(way)?))
            });
            [queue.unwrap_or(0)]
        },
    );
    let options = *options;
    b.ingress(stages::DECIDE).alu(
        "copy",
        Guard::If(f.at_destination),
        [f.role, f.action, f.class, f.found, CW_OPCODE, ECN, f.loop_flushed],
        [f.copy, f.notify_late],
        move |reads| copied(reads, &options),
    );
}

/// Rule 14: the copy that a packet makes, and whether the switch makes a NOTIFY when the packet leaves.
pub fn copied([role, action, class, found, opcode, ecn, flushed]: [u64; 7], options: &Options) -> [u64; 2] {
    let Options { notify, clear, clear_on_flush, .. } = *options;
    let wants_clear = match (role, action) {
        (role::DRAINED, _) => clear == ClearAt::Drained && (flushed == 0 || clear_on_flush),
        (_, action::RELEASE) => clear == ClearAt::Tail,
        (_, action::FLUSH) => clear == ClearAt::Tail && clear_on_flush,
        (_, action::TAIL | action::TAIL_LATE) => true,
        _ => false,
    };
    let is_data = role == role::DESTINATION && class != destination::EARLIER;
    let gives_up = found == 0 && matches!(action, action::FIRST | action::HOLD);
    let wants_notify = (is_data && !gives_up || role == role::GIVE_UP) && ecn == 3;
    let copy = match () {
        _ if wants_clear => copy::CLEAR,
        _ if is_data && opcode == opcode::RTT_REQUEST => copy::REPLY,
        _ if action == action::FIRST && !gives_up => copy::LOOP,
        _ if wants_notify => copy::NOTIFY,
        _ => 0,
    };
    let is_late = wants_notify && copy != copy::NOTIFY && notify == Notify::Separate;
    [copy, is_late.into()]
}

/// Pause (1), resume (2), or resume as the packet leaves (3) its queue: rules 9, 10 and 12.
pub fn flow_control(action: u64, found: u64) -> u64 {
    match action {
        action::FIRST if found != 0 => 1,
        action::FLUSH | action::EPOCH_FLUSH => 2,
        action::RELEASE if found != 0 => 3,
        _ => 0,
    }
}

/// The requests to the hardware.
fn forward(b: &mut Builder, f: &Fields, options: &Options, sizes: &Sizes) {
    let (recirculate, control) = (u64::from(sizes.ports), u64::from(options.control_queue()));
    b.ingress(stages::FORWARD).alu(
        "output port and queue",
        Guard::Always,
        [
            f.role,
            f.dst_hit,
            f.dst_group,
            f.dst_port,
            f.from_switch,
            f.up_hit,
            f.up_port,
            f.action,
            f.found,
            f.queue,
            f.loop_port,
            f.outcome,
            f.src_epoch,
            CW_EPOCH,
            f.is_urgent,
        ],
        [PORT_OUT, QUEUE, DROP, f.last_hop, RESUBMIT],
        move |[
            role,
            dst_hit,
            dst_group,
            dst_port,
            from_switch,
            up_hit,
            up_port,
            action,
            found,
            queue,
            loop_port,
            outcome,
            epoch,
            packet_epoch,
            is_urgent,
        ]| {
            let to = |port, queue, last_hop| [port, queue, 0, last_hop, 0];
            let (dropped, again) = ([0, 0, 1, 0, 0], [0, 0, 0, 0, 1]);
            let q0 = if is_urgent == 1 { control } else { 0 };
            let up = if up_hit == 1 { to(up_port, q0, 0) } else { dropped };
            let is_early = matches!(action, action::FIRST | action::HOLD);
            match role {
                role::CONTROL if outcome == outcome::ACCEPTED && epoch == packet_epoch => again,
                role::CONTROL | role::ACCEPTED | role::DRAINED => dropped,
                role::SOURCE => up,
                role::LOOP if action == action::LOOP => to(recirculate, control, 0),
                role::LOOP => to(loop_port, queue, 0),
                role::DESTINATION if is_early && found == 0 => again,
                role::DESTINATION if is_early => to(dst_port, queue, 1),
                _ if dst_hit == 0 => dropped,
                _ if dst_group == 0 => to(dst_port, q0, 1),
                // The packet came from above and would go up again.
                _ if from_switch == 1 => dropped,
                _ => up,
            }
        },
    );
    b.ingress(stages::FORWARD).alu(
        "output port of the copy",
        Guard::If(f.copy),
        [f.copy, f.up_hit, f.up_port],
        [MIRROR, MIRROR_PORT, MIRROR_QUEUE, MIRROR_BYTES],
        move |[copy, up_hit, up_port]| match copy == copy::LOOP {
            true => [1, recirculate, control, COPY_BYTES],
            false => [up_hit, up_port, control, COPY_BYTES],
        },
    );
    b.ingress(stages::FORWARD).alu(
        "pause and resume",
        Guard::If(f.at_destination),
        [f.action, f.found, f.queue, f.dst_port, f.loop_port, f.role],
        [AFC, AFC_PORT, AFC_QUEUE],
        |[action, found, queue, port, loop_port, role]| {
            [flow_control(action, found), if role == role::LOOP { loop_port } else { port }, queue]
        },
    );
    b.ingress(stages::FORWARD + 1).alu(
        "state that the loop packet carries",
        Guard::If(f.at_destination),
        [f.role, f.action, f.found, f.conn, f.dst_port, f.queue, f.loop_port, f.looping, f.loop_flushed],
        [f.looping, f.loop_conn, f.loop_port, f.loop_queue, f.loop_flushed],
        |[role, action, found, conn, port, queue, loop_port, looping, flushed]| match role {
            role::DESTINATION if action == action::FIRST && found != 0 => {
                [looping::WAITING, conn, port, queue, 0]
            }
            role::LOOP if action == action::LOOP => [looping, conn, loop_port, queue, 0],
            role::LOOP => {
                let is_flush = matches!(action, action::FLUSH | action::EPOCH_FLUSH);
                [looping::MARKER, conn, loop_port, queue, is_flush.into()]
            }
            role::DRAINED => [looping, conn, loop_port, queue, flushed],
            _ => [0, 0, 0, 0, 0],
        },
    );
}

/// Removes the headers after the queues, and turns copies into their final packets.
fn egress(b: &mut Builder, f: &Fields, options: &Options, sizes: &Sizes) {
    let (recirculate, control) = (u64::from(sizes.ports), u64::from(options.control_queue()));
    b.egress(0).alu("copy or original", Guard::Always, [PASS], [f.is_copy], |[pass]| [u64::from(pass == 3)]);
    let piggyback = options.notify == Notify::Piggyback;
    b.egress(1).alu(
        "copy",
        Guard::If(f.is_copy),
        [f.copy, CW_OPCODE, CW_REROUTED, CW_TAIL, ECN, f.looping],
        [CW_VALID, CW_OPCODE, CW_REROUTED, CW_TAIL, ECN, f.looping],
        move |[copy, opcode, rerouted, tail, ecn, looping]| {
            let control = |opcode, marked| [1, opcode, 0, marked, 0, 0];
            match copy {
                copy::REPLY => control(opcode::RTT_REPLY, u64::from(piggyback && ecn == 3)),
                copy::CLEAR => control(opcode::CLEAR, 0),
                copy::NOTIFY => control(opcode::NOTIFY, 0),
                copy::MARKER => [1, opcode, rerouted, tail, ecn, looping::DRAINED],
                _ => [1, opcode, rerouted, tail, ecn, looping],
            }
        },
    );
    b.egress(1).alu(
        "addresses of the copy",
        Guard::If(f.is_copy),
        [f.copy, SRC_HIGH, SRC, DST_HIGH, DST, CW_TX, CW_TAIL_TX],
        [SRC_HIGH, SRC, DST_HIGH, DST, CW_TX, CW_TAIL_TX],
        |[copy, src_high, src, dst_high, dst, tx, tail_tx]| match copy {
            copy::REPLY | copy::CLEAR | copy::NOTIFY => [dst_high, dst, src_high, src, 0, 0],
            _ => [src_high, src, dst_high, dst, tx, tail_tx],
        },
    );
    b.egress(1).alu(
        "no copy",
        Guard::Unless(f.is_copy),
        [CW_VALID, f.last_hop, f.looping, f.notify_late, f.up_hit, f.up_port, f.copy],
        [CW_VALID, DROP, MIRROR, MIRROR_PORT, MIRROR_QUEUE, MIRROR_BYTES, f.copy],
        move |[cw, last_hop, looping, late, up_hit, up_port, copy]| {
            let cw = if last_hop == 1 { 0 } else { cw };
            match () {
                // Rule 13: the marker has left the reorder queue, so all packets before it have left as well.
                _ if looping == looping::MARKER => [cw, 1, 1, recirculate, control, COPY_BYTES, copy::MARKER],
                _ if late == 1 => [cw, 0, up_hit, up_port, control, COPY_BYTES, copy::NOTIFY],
                _ => [cw, 0, 0, 0, 0, 0, copy],
            }
        },
    );
}
