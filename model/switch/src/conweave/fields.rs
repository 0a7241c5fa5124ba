//! The fields that a packet carries through the stages of a ToR switch.

use crate::kit::{Builder, Field};

/// The role of a packet at a ToR switch.
pub mod role {
    /// Forwarded as by any switch.
    pub const PLAIN: u64 = 0;
    /// From a host of ours to another ToR switch: the source's part.
    pub const SOURCE: u64 = 1;
    /// Data with a ConWeave header to a host of ours: the destination's part.
    pub const DESTINATION: u64 = 2;
    /// RTT_REPLY, CLEAR or NOTIFY for a connection of a host of ours.
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
    /// Data.
    pub const DATA: u64 = 1;
    /// Data after a silence.
    pub const EXPIRED: u64 = 2;
    /// An RTT_REPLY.
    pub const REPLY: u64 = 3;
    /// A CLEAR.
    pub const CLEAR: u64 = 4;
    /// The state that a reply or a CLEAR found becomes stable now, if it is still there.
    pub const SETTLE: u64 = 5;
}

/// The outcome.
pub mod outcome {
    /// Nothing.
    pub const REFUSED: u64 = 0;
    /// First packet of an epoch.
    pub const NEW: u64 = 1;
    /// Data on the old path.
    pub const OLD: u64 = 2;
    /// The last of these.
    pub const TAIL: u64 = 3;
    /// Data on the new path, until a CLEAR.
    pub const REROUTED: u64 = 4;
    /// OLD; it would have been rerouted, but no path is good.
    pub const ABORTED: u64 = 5;
    /// A reply or a CLEAR, if its epoch is right, too.
    pub const ACCEPTED: u64 = 6;
    /// A reply that is late.
    pub const LATE: u64 = 7;
}

/// The kind of a data packet at the destination.
pub mod kind {
    /// On the old path.
    pub const OLD: u64 = 0;
    /// The last of these.
    pub const TAIL: u64 = 1;
    /// On the new path.
    pub const REROUTED: u64 = 2;
}

/// The action of the destination on a packet.
pub mod action {
    /// From an earlier epoch: goes on.
    pub const STALE: u64 = 0;
    /// An OLD packet in order.
    pub const OLD: u64 = 1;
    /// An OLD packet while REROUTED ones wait.
    pub const UPDATE: u64 = 2;
    /// An OLD packet behind REROUTED ones that have gone on.
    pub const OLD_LATE: u64 = 3;
    /// A TAIL while nothing waits.
    pub const TAIL: u64 = 4;
    /// A TAIL for which packets wait.
    pub const RELEASE: u64 = 5;
    /// A TAIL after the timer.
    pub const TAIL_LATE: u64 = 6;
    /// REROUTED, after the TAIL.
    pub const REROUTED: u64 = 7;
    /// The first REROUTED before the TAIL.
    pub const FIRST: u64 = 8;
    /// A later one.
    pub const HOLD: u64 = 9;
    /// The packet waited in vain for a queue.
    pub const GIVE_UP: u64 = 10;
    /// The loop packet goes on looping.
    pub const LOOP: u64 = 11;
    /// The timer has expired.
    pub const FLUSH: u64 = 12;
    /// The next epoch has begun while packets of this one wait.
    pub const EPOCH_FLUSH: u64 = 13;
    /// The TAIL has come.
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

/// The subject of a loop packet.
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
        /// The program's own fields.
        #[derive(Clone, Copy, Debug)]
        pub(super) struct Fields { $($(#[doc = $doc])+ pub(super) $name: Field),+ }

        impl Fields {
            /// Declares them all.
            pub(super) fn new(b: &mut Builder) -> Self {
                Self { $($name: b.$how(stringify!($name), $bits)),+ }
            }
        }
    };
}

fields! {
    /// The packet waits in the control queue, by its DSCP.
    is_urgent 1 field;
    /// The source address is known.
    src_hit 1 field;
    /// Its number.
    src_host 16 field;
    /// Paths to its ToR switch; 0: it is ours.
    src_group 16 field;
    /// The destination address is known.
    dst_hit 1 field;
    /// Its number.
    dst_host 16 field;
    /// Paths to its ToR switch; 0: it is ours.
    dst_group 16 field;
    /// Its port, if it is ours.
    dst_port 9 field;
    /// The packet came in by a port that leads to a switch.
    from_switch 1 field;
    /// Random.
    draw_a 16 field;
    /// Random.
    draw_b 16 field;
    /// The role, before the table of connections is read.
    wanted 3 field;
    /// Source of the connection (of a control packet: its destination).
    flow_src 16 field;
    /// Destination of the connection.
    flow_dst 16 field;
    /// Paths to the other ToR switch.
    group 16 field;
    /// The connection is in the table.
    conn_hit 1 field;
    /// Its number there.
    conn_found 16 field;
    /// Ticks that a reply has.
    reply_ticks 16 field;
    /// Hash of addresses and ports.
    flow_hash 16 field;
    /// A sampled path.
    sample_a 8 field;
    /// Another.
    sample_b 8 field;
    /// Path by the hash.
    ecmp_path 8 field;
    /// The role.
    role 3 field;
    /// Source: data of a connection.
    is_source 1 field;
    /// The packet is for the destination's arrays.
    at_destination 1 field;
    /// Number of the connection.
    conn 16 field;
    /// Connection and epoch.
    conn_epoch 18 field;
    /// The kind of a data packet.
    kind 2 field;
    /// Paths to look for in the path-busy table: a sample, or the one to note.
    look_a 8 field;
    /// The other sample, or the one to note.
    look_b 8 field;
    /// 1: there is no path to note, or it is noted.
    noted 1 field;
    /// Cell of the path-busy table.
    busy_row_a 16 field;
    /// Cell of its copy.
    busy_row_b 16 field;
    /// The ways of the path-busy table: bit 0 the first path is busy, bit 1 the other.
    busy_0 2 field;
    /// The same.
    busy_1 2 field;
    /// The same.
    busy_2 2 field;
    /// The same.
    busy_3 2 field;
    /// The copies' (forms with two).
    busy_4 2 field;
    /// The same.
    busy_5 2 field;
    /// The same.
    busy_6 2 field;
    /// The same.
    busy_7 2 field;
    /// The connection was silent for long.
    expired 1 field;
    /// Bit 8: it is good; the rest: the path. Nine bits above these: the same of the second good one.
    candidate 18 field;
    /// The action on the watch.
    verb 3 field;
    /// Watch that awaits a reply: its tick after which it is late.
    cutoff 34 field;
    /// The outcome.
    outcome 3 field;
    /// Path of the packet.
    path 8 field;
    /// The path leads to the other ToR switch.
    leads 1 field;
    /// Epoch of the source.
    src_epoch 2 field;
    /// Tick of the last TAIL.
    tail_ts 16 field;
    /// 0 new epoch, 1 the current, 2 an earlier one.
    class 2 field;
    /// The action of the destination.
    action 4 field;
    /// An OLD packet of the epoch has been seen.
    old_seen 1 field;
    /// Time stamp of the last OLD packet.
    old_tx 16 field;
    /// Tick of its arrival.
    old_rx 32 field;
    /// Time stamp of the TAIL.
    tail_tx 16 field;
    /// T_resume.
    resume 32 field;
    /// 0 none, 1 claim a queue, 2 find it, 3 free it.
    seek 2 field;
    /// Who holds a queue: connection, epoch, and 1 above.
    owner 19 field;
    /// The first queue of a connection's choices.
    slot_0 16 field;
    /// The next.
    slot_1 16 field;
    /// The next.
    slot_2 16 field;
    /// The last.
    slot_3 16 field;
    /// Hash that gives it.
    spot_0 8 field;
    /// The same.
    spot_1 8 field;
    /// The same.
    spot_2 8 field;
    /// The same.
    spot_3 8 field;
    /// Which of them it is, from 1; 0: none.
    found 3 field;
    /// Reorder queue.
    queue 7 field;
    /// Path by which something of ours goes up.
    up_path 8 field;
    /// The path has a port.
    up_hit 1 field;
    /// The port.
    up_port 9 field;
    /// The kind of the copy.
    copy 3 field;
    /// The copy is made as the packet leaves.
    notify_late 1 field;
    /// The next hop is a host.
    last_hop 1 field;
    /// The packet is a copy.
    is_copy 1 field;
    /// The outcome of the packet, for the counters.
    event 6 field;
    /// A further event.
    extra 4 field;
    /// The value of the watch when a reply or CLEAR was accepted.
    expect 34 carried;
    /// The subject of a loop packet.
    looping 2 carried;
    /// Its timer has expired.
    loop_expired 1 carried;
    /// Its queue was flushed by the timer or the next epoch.
    loop_flushed 1 carried;
    /// Its connection.
    loop_conn 16 carried;
    /// Port of its queue.
    loop_port 9 carried;
    /// Its queue.
    loop_queue 7 carried;
}
