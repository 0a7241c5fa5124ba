//! The program of the switches between ToR switches: spine, aggregation, core.

use super::counters::TRANSIT;
use super::opcode;
use super::options::{Options, Sizes};
use crate::kit::{Builder, Guard, Profile, Program, ProgramError, intrinsic::*};
use crate::schemes::contract;

/// Seed of the hash of a flow in layer 0.
pub const LAYER_SEED: u32 = 100;

/// The program of a switch between ToR switches. Packets go down by destination. Packets go up by the path of
/// the ConWeave header if there is one, else by a hash. `layer` is part of the hash: switches of different
/// layers need different hashes.
pub fn transit(options: &Options, sizes: &Sizes, layer: u32) -> Result<Program, ProgramError> {
    let mut builder = Builder::new("conweave-transit", Profile::default());
    let b = &mut builder;
    let (is_known, down) = (b.field("is_known", 1), b.field("down", 9));
    let (by_path, path_port) = (b.field("by_path", 1), b.field("path_port", 9));
    let (hash, group, member) = (b.field("flow_hash", 16), b.field("group", 16), b.field("member", 16));
    let event = b.field("event", 3);
    let hosts = b.table("hosts_by_destination", sizes.hosts as usize, &[(group, 0), (down, 0)]);
    let paths = b.table("path_ports", 256, &[(path_port, 0)]);
    let uplinks = b.selector("uplinks_by_hash", sizes.groups.into(), sizes.ports.into());
    let key = ([SRC_HIGH, SRC, DST_HIGH, DST, SPORT], LAYER_SEED.wrapping_add(layer));
    b.ingress(0)
        .exact("destination", hosts, Guard::Always, [DST_HIGH, DST], is_known)
        .exact("path", paths, Guard::Always, [CW_PATH], by_path)
        .hash("flow", Guard::Always, key, hash);
    b.ingress(1).select("uplink", uplinks, Guard::Always, (group, hash), member);
    let control_queue = u64::from(options.control_queue());
    b.ingress(2).alu(
        "output port and queue",
        Guard::Always,
        [is_known, group, down, by_path, path_port, member, CW_VALID, CW_OPCODE, DSCP],
        [PORT_OUT, QUEUE, DROP, event],
        move |[is_known, group, down, by_path, path_port, member, cw, opcode, dscp]| {
            let is_control = cw == 1 && opcode::is_of_switches(opcode);
            let queue = if is_control || contract::is_control(dscp) { control_queue } else { 0 };
            match () {
                _ if is_known == 0 => [0, 0, 1, 3],
                _ if group == 0 => [down, queue, 0, 0],
                // A control packet names a path of the reverse direction.
                _ if cw == 1 && !is_control && by_path == 1 => [path_port, queue, 0, 1],
                // Members are ports + 1; an empty group gives 0.
                _ if member > 0 => [member - 1, queue, 0, 2],
                _ => [0, 0, 1, 4],
            }
        },
    );
    let count = b.array("transit", TRANSIT.len(), 32, 0);
    b.ingress(3).register(("event", count, event), Guard::Always, [], [], |cell, []| {
        *cell += 1;
        []
    });
    builder.build()
}
