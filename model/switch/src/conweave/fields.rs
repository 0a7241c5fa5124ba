//! The fields that a packet carries through the stages of a ToR switch.

use crate::kit::{Builder, Field};

/// The role of a packet at a ToR switch.
pub mod role {
    /// A packet that the switch forwards as any switch does.
    pub const PLAIN: u64 = 0;
    /// Data from a host of this switch to another ToR switch: the source's part.
    pub const SOURCE: u64 = 1;
    /// Data with a ConWeave header to a host of this switch: the destination's part.
    pub const DESTINATION: u64 = 2;
    /// RTT_REPLY, CLEAR or NOTIFY for a connection of a host of this switch.
    pub const CONTROL: u64 = 3;
    /// The second pass of an RTT_REPLY or a CLEAR that is accepted.
    pub const ACCEPTED: u64 = 4;
    /// The second pass of a packet that found no reorder queue.
    pub const GIVE_UP: u64 = 5;
    /// A loop packet.
    pub const LOOP: u64 = 6;
    /// A loop packet that was the last in its queue.
    pub const DRAINED: u64 = 7;
}

/// The action of the source on a connection's watch.
pub mod verb {
    /// Data of a connection.
    pub const DATA: u64 = 1;
    /// Data after a silence.
    pub const EXPIRED: u64 = 2;
    /// An RTT_REPLY.
    pub const REPLY: u64 = 3;
    /// A CLEAR.
    pub const CLEAR: u64 = 4;
    /// The state that a reply or a CLEAR found becomes stable now, if it has not changed.
    pub const SETTLE: u64 = 5;
}

/// The outcome of the action on a watch.
pub mod outcome {
    /// No effect.
    pub const REFUSED: u64 = 0;
    /// First packet of an epoch.
    pub const NEW: u64 = 1;
    /// Data on the old path.
    pub const OLD: u64 = 2;
    /// The last packet on the old path.
    pub const TAIL: u64 = 3;
    /// Data on the new path, until a CLEAR.
    pub const REROUTED: u64 = 4;
    /// OLD. The packet would have been rerouted, but no path is good.
    pub const ABORTED: u64 = 5;
    /// A reply or a CLEAR was accepted, if its epoch is also right.
    pub const ACCEPTED: u64 = 6;
    /// A reply arrived late.
    pub const LATE: u64 = 7;
}

/// The kind of a data packet at the destination.
pub mod kind {
    /// Data on the old path.
    pub const OLD: u64 = 0;
    /// The last packet on the old path.
    pub const TAIL: u64 = 1;
    /// Data on the new path.
    pub const REROUTED: u64 = 2;
}

/// The action of the destination on a packet.
pub mod action {
    /// A packet of an earlier epoch, which continues.
    pub const STALE: u64 = 0;
    /// An OLD packet in order.
    pub const OLD: u64 = 1;
    /// An OLD packet while REROUTED ones wait.
    pub const UPDATE: u64 = 2;
    /// An OLD packet behind REROUTED ones that have left.
    pub const OLD_LATE: u64 = 3;
    /// A TAIL while no packet waits.
    pub const TAIL: u64 = 4;
    /// A TAIL for which packets wait.
    pub const RELEASE: u64 = 5;
    /// A TAIL after the timer.
    pub const TAIL_LATE: u64 = 6;
    /// A REROUTED packet after the TAIL.
    pub const REROUTED: u64 = 7;
    /// The first REROUTED packet before the TAIL.
    pub const FIRST: u64 = 8;
    /// A later REROUTED packet before the TAIL.
    pub const HOLD: u64 = 9;
    /// The packet found no queue to wait in.
    pub const GIVE_UP: u64 = 10;
    /// The loop packet stays in the loop.
    pub const LOOP: u64 = 11;
    /// The timer has expired.
    pub const FLUSH: u64 = 12;
    /// The next epoch has begun while packets of this one wait.
    pub const EPOCH_FLUSH: u64 = 13;
    /// The TAIL has arrived.
    pub const DONE: u64 = 14;
}

/// The kind of a copy.
pub mod copy {
    /// An RTT_REPLY.
    pub const REPLY: u64 = 1;
    /// A CLEAR.
    pub const CLEAR: u64 = 2;
    /// A NOTIFY.
    pub const NOTIFY: u64 = 3;
    /// A loop packet.
    pub const LOOP: u64 = 4;
    /// A loop packet that has left its queue.
    pub const MARKER: u64 = 5;
}

/// The task of a loop packet.
pub mod looping {
    /// The loop packet waits for the TAIL or the timer.
    pub const WAITING: u64 = 1;
    /// The loop packet is the last packet in the reorder queue.
    pub const MARKER: u64 = 2;
    /// The loop packet has left that queue.
    pub const DRAINED: u64 = 3;
}

macro_rules! fields {
    ($($(#[doc = $doc:literal])+ $name:ident $bits:literal $how:ident;)+) => {
        /// Fields that belong to the program.
        #[derive(Clone, Copy, Debug)]
        pub(super) struct Fields { $($(#[doc = $doc])+ pub(super) $name: Field),+ }

        impl Fields {
            /// Declares all fields.
            pub(super) fn new(b: &mut Builder) -> Self {
                Self { $($name: b.$how(stringify!($name), $bits)),+ }
            }
        }
    };
}

fields! {
    /// Whether the packet waits in the control queue, by its DSCP.
    is_urgent 1 field;
    /// Whether the source address is known.
    src_hit 1 field;
    /// Number of the source host.
    src_host 16 field;
    /// Group of paths to the source's ToR switch; 0: this switch.
    src_group 16 field;
    /// Whether the destination address is known.
    dst_hit 1 field;
    /// Number of the destination host.
    dst_host 16 field;
    /// Group of paths to the destination's ToR switch; 0: this switch.
    dst_group 16 field;
    /// Port of the destination, if it is a host of this switch.
    dst_port 9 field;
    /// Whether the packet arrived by a port that leads to a switch.
    from_switch 1 field;
    /// Random number.
    draw_a 16 field;
    /// Random number.
    draw_b 16 field;
    /// The role, before the table of connections is read.
    wanted 3 field;
    /// Source of the connection (of a control packet: its destination).
    flow_src 16 field;
    /// Destination of the connection.
    flow_dst 16 field;
    /// Group of paths to the other ToR switch.
    group 16 field;
    /// Whether the connection is in the table.
    conn_hit 1 field;
    /// Number of the connection in the table.
    conn_found 16 field;
    /// Ticks within which a reply must arrive.
    reply_ticks 16 field;
    /// Hash of addresses and ports.
    flow_hash 16 field;
    /// A sampled path.
    sample_a 8 field;
    /// Another sampled path.
    sample_b 8 field;
    /// Path selected by the hash.
    ecmp_path 8 field;
    /// The role.
    role 3 field;
    /// Whether the packet is data of a connection at its source.
    is_source 1 field;
    /// Whether the packet accesses the destination's arrays.
    at_destination 1 field;
    /// Number of the connection.
    conn 16 field;
    /// Connection and epoch.
    conn_epoch 18 field;
    /// The kind of a data packet.
    kind 2 field;
    /// First path to look for in the path-busy table: a sample, or the one to note.
    look_a 8 field;
    /// Second path to look up: the second sample, or the path to note.
    look_b 8 field;
    /// 1 if there is no path to note, or the path was noted.
    noted 1 field;
    /// Cell of the path-busy table.
    busy_row_a 16 field;
    /// Cell of the table's copy.
    busy_row_b 16 field;
    /// A way of the path-busy table. Bit 0: the first path is busy; bit 1: the other path is busy.
    busy_0 2 field;
    /// The second way.
    busy_1 2 field;
    /// The third way.
    busy_2 2 field;
    /// The fourth way.
    busy_3 2 field;
    /// The first way of the copy (in forms with two copies).
    busy_4 2 field;
    /// The second way of the copy.
    busy_5 2 field;
    /// The third way of the copy.
    busy_6 2 field;
    /// The fourth way of the copy.
    busy_7 2 field;
    /// Whether the connection was silent for a long time.
    expired 1 field;
    /// Bits 7:0: a sampled path; bit 8: the path is good. The nine bits above: the same for the second
    /// sample.
    candidate 18 field;
    /// The action on the watch.
    verb 3 field;
    /// A watch awaits a reply: the tick after which the reply is late.
    cutoff 34 field;
    /// The outcome.
    outcome 3 field;
    /// Path of the packet.
    path 8 field;
    /// Whether the path leads to the other ToR switch.
    leads 1 field;
    /// Epoch of the source.
    src_epoch 2 field;
    /// Tick of the last TAIL.
    tail_ts 16 field;
    /// 0: new epoch, 1: the current one, 2: an earlier one.
    class 2 field;
    /// The action of the destination.
    action 4 field;
    /// Whether an OLD packet of the epoch has been seen.
    old_seen 1 field;
    /// Time stamp of the last OLD packet.
    old_tx 16 field;
    /// Tick of arrival of the last OLD packet.
    old_rx 32 field;
    /// Time stamp of the TAIL.
    tail_tx 16 field;
    /// T_resume.
    resume 32 field;
    /// 0: none, 1: claim a queue, 2: find it, 3: free it.
    seek 2 field;
    /// Owner of a queue: connection, epoch, and 1 above.
    owner 19 field;
    /// The first queue of a connection's choices.
    slot_0 16 field;
    /// The second queue.
    slot_1 16 field;
    /// The third queue.
    slot_2 16 field;
    /// The last queue.
    slot_3 16 field;
    /// Hash that selects the first queue.
    spot_0 8 field;
    /// Hash that selects the second queue.
    spot_1 8 field;
    /// Hash that selects the third queue.
    spot_2 8 field;
    /// Hash that selects the last queue.
    spot_3 8 field;
    /// Index of the queue found, from 1; 0: none.
    found 3 field;
    /// Reorder queue.
    queue 7 field;
    /// Path up of a packet that this switch makes.
    up_path 8 field;
    /// Whether the path has a port.
    up_hit 1 field;
    /// The port.
    up_port 9 field;
    /// The kind of the copy.
    copy 3 field;
    /// Whether the copy is made when the packet leaves.
    notify_late 1 field;
    /// Whether the next hop is a host.
    last_hop 1 field;
    /// Whether the packet is a copy.
    is_copy 1 field;
    /// The outcome of the packet, for the counters.
    event 6 field;
    /// A further event.
    extra 4 field;
    /// The value of the watch when a reply or CLEAR was accepted.
    expect 34 carried;
    /// The task of a loop packet.
    looping 2 carried;
    /// Whether the loop packet's timer has expired.
    loop_expired 1 carried;
    /// Whether the timer or the next epoch flushed the loop packet's queue.
    loop_flushed 1 carried;
    /// Connection of the loop packet.
    loop_conn 16 carried;
    /// Port of the loop packet's queue.
    loop_port 9 carried;
    /// The loop packet's queue.
    loop_queue 7 carried;
}
