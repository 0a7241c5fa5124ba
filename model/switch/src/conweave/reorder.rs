//! Reorder queues (rule 9): a connection finds a free one among a few choices, each in its own block (paper,
//! section 3.4.2).

use super::fields::{Fields, action};
use super::options::{Options, Sizes};
use super::stages;
use crate::kit::{Builder, Guard};

/// Operation on the tables of queues: claim a queue.
pub(super) const CLAIM: u64 = 1;
/// Operation: find the claimed queue.
pub const FIND: u64 = 2;
/// Operation: free the claimed queue.
pub(super) const FREE: u64 = 3;

/// Seed of the hash that gives a connection its first choice.
pub const SPOT_SEED: u32 = 17;

/// The queue of a choice: `spot` is a hash of 8 bits.
pub fn queue_of(first: u64, size: u64, spot: u64) -> u64 {
    first + ((spot * size) >> 8)
}

/// Adds the stages that find queues.
pub(super) fn add(b: &mut Builder, f: &Fields, options: &Options, sizes: &Sizes) {
    b.ingress(stages::QUEUES - 1).alu(
        "owner of the queue",
        Guard::If(f.at_destination),
        [f.role, f.action, f.conn_epoch],
        [f.seek, f.owner],
        |[role, action, conn_epoch]| [seek(role, action), owner(conn_epoch)],
    );
    let spots = [f.spot_0, f.spot_1, f.spot_2, f.spot_3];
    let slots = [f.slot_0, f.slot_1, f.slot_2, f.slot_3];
    let names = ["queues_held_0", "queues_held_1", "queues_held_2", "queues_held_3"];
    b.ingress(0).alu("clear found", Guard::Always, [], [f.found], |[]| [0]);
    for (way, (first, size)) in options.blocks().enumerate() {
        b.ingress(stages::SPOTS).hash("spot", Guard::Always, ([f.conn], SPOT_SEED + way as u32), spots[way]);
        b.ingress(stages::SPOTS + 1).alu(
            "slot",
            Guard::Always,
            [f.dst_port, f.loop_port, f.role, spots[way]],
            [slots[way]],
            move |[port, loop_port, role, spot]| {
                let port = if role == super::fields::role::DRAINED { loop_port } else { port };
                [port * size + queue_of(0, size, spot)]
            },
        );
        let cells = (usize::from(sizes.ports) * size as usize).max(1);
        let array = b.array(names[way], cells, 19, 0);
        // A connection with a choice of zero queues claims none.
        let exists = size > 0 && first > 0;
        b.ingress(stages::QUEUES + way).register(
            ("queue", array, slots[way]),
            Guard::If(f.seek),
            [f.seek, f.owner, f.found],
            [f.found],
            move |cell, reads| [held(cell, reads, exists, 1 + way as u64)],
        );
    }
}

/// The operation on the tables of queues that a packet needs; 0: none.
pub fn seek(role: u64, action: u64) -> u64 {
    match action {
        action::FIRST => CLAIM,
        action::HOLD | action::RELEASE => FIND,
        _ if role == super::fields::role::DRAINED => FREE,
        _ => 0,
    }
}

/// The holder of a queue, by connection and epoch.
pub fn owner(conn_epoch: u64) -> u64 {
    1 << 18 | conn_epoch
}

/// Claims, finds or frees a queue by one access to the queue's cell. `way` is the number of this choice, from 1.
/// Returns the number of the choice that has been found so far; 0: none.
pub fn held(cell: &mut u64, [seek, owner, found]: [u64; 3], exists: bool, way: u64) -> u64 {
    match seek {
        CLAIM if found == 0 && *cell == 0 && exists => *cell = owner,
        FREE if *cell == owner => *cell = 0,
        FIND | CLAIM if found == 0 && *cell == owner => {}
        _ => return found,
    }
    way
}
