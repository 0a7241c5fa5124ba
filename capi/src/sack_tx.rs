//! The SACK sender: the packets to send, and the packets that are lost (page `docs/blocks/sack_tx.md`).

use crate::error::{Fault, WEFT_OK, answer, below, bit, free, make, next, on, one_of, put};
use ::weft_nic::block::sack_tx::{Clocked, Event, Inputs, Kind, Outcome, Outputs, SackTx};
use weft_handle::Handle;
use weft_params::SackParams;

/// Kinds of events, by the names on the page. A message is posted.
pub const WEFT_SACK_TX_POST: u8 = 0;
/// An ACK.
pub const WEFT_SACK_TX_ACK: u8 = 1;
/// A NACK.
pub const WEFT_SACK_TX_NACK: u8 = 2;
/// A congestion window.
pub const WEFT_SACK_TX_WINDOW: u8 = 3;
/// The connection is opened.
pub const WEFT_SACK_TX_OPEN: u8 = 4;
/// The connection is closed.
pub const WEFT_SACK_TX_CLOSE: u8 = 5;
/// An event of the block itself, from `weft_sack_tx_send` and `weft_sack_tx_timer`: a packet leaves.
pub const WEFT_SACK_TX_SEND: u8 = 6;
/// The RTO expired.
pub const WEFT_SACK_TX_TIMEOUT: u8 = 7;
/// An epoch ended.
pub const WEFT_SACK_TX_EPOCH: u8 = 8;
/// A PROBE is due.
pub const WEFT_SACK_TX_PROBE: u8 = 9;

/// An event, as `s_axis_event` carries it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct weft_sack_tx_event {
    /// ACK: bit i, low word first, says that PSN `psn + i` has arrived.
    pub bitmap: [u64; 4],
    /// The connection.
    pub connection: u32,
    /// ACK: the first PSN that has not arrived. NACK: the PSN. Open: the first PSN. 24 bits.
    pub psn: u32,
    /// ACK: the PSN that the ACK answers, 24 bits.
    pub trigger: u32,
    /// Window and open: congestion window in bytes, 26 bits.
    pub cwnd_bytes: u32,
    /// A number that the outcome returns. ACK: bits 30:16 are the round-trip time in ticks. Open: bits 17:16
    /// are the class.
    pub tag: u32,
    /// The time in ticks, 24 bits.
    pub now_ticks: u32,
    /// Post: number of packets of the message, 1 to 65,535.
    pub packets: u16,
    /// One of `WEFT_SACK_TX_*` up to `WEFT_SACK_TX_CLOSE`.
    pub kind: u8,
    /// NACK: 1 if the receiver will never accept this packet.
    pub denied: u8,
}

/// An answer of the block, as `m_axis_outcome` carries it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct weft_sack_tx_outcome {
    /// The event's connection.
    pub connection: u32,
    /// Send: the packet's PSN. Otherwise the lowest PSN that is not acknowledged.
    pub psn: u32,
    /// The event's tag.
    pub tag: u32,
    /// Number of packets that the event acknowledged.
    pub acked: u16,
    /// Number of packets that the event found lost, minus the number of lost packets that it acknowledged; 16
    /// bits.
    pub lost: u16,
    /// Number of messages that the event completed.
    pub completed: u16,
    /// Number of messages that the event ended unfinished.
    pub errors: u16,
    /// Number of packets sent and not acknowledged, after the event.
    pub unacked: u16,
    /// Number of unacknowledged packets that are not lost.
    pub in_flight: u16,
    /// The event's kind.
    pub kind: u8,
    /// 1: the connection was open, or is opened.
    pub accepted: u8,
    /// 1: send the packet `psn`.
    pub send: u8,
    /// 1: the packet has not been sent before.
    pub fresh: u8,
    /// 1: a new packet that ends its message.
    pub last: u8,
    /// 1: the connection closed itself.
    pub failed: u8,
    /// Reason why the event was ignored in whole or in part: 0 none, 1 never sent, 2 stale, 3 refused.
    pub reason: u8,
    /// 1: the bitmap has PSNs never sent.
    pub beyond: u8,
    /// 1: round-trip times show congestion of the network.
    pub congested: u8,
    /// 1: the packets that the ACK lost show that a path failed.
    pub failure: u8,
    /// 1: the ACK's round-trip time may be wrong.
    pub unsure: u8,
}

/// Input ports of `weft_sack_tx` during a clock.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct weft_sack_tx_inputs {
    /// `s_axis_event_tdata`, low word first, 344 bits
    pub event_tdata: [u64; 6],
    /// `now`, 24 bits
    pub now: u32,
    /// `s_axis_event_tid`
    pub event_tid: u32,
    /// `query`
    pub query: u32,
    /// `rst`
    pub rst: u8,
    /// `s_axis_event_tvalid`
    pub event_tvalid: u8,
    /// `s_axis_event_tuser`, 3 bits
    pub event_tuser: u8,
    /// `m_axis_outcome_tready`
    pub outcome_tready: u8,
    /// `hold`
    pub hold: u8,
}

/// Output ports of `weft_sack_tx` during a clock.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct weft_sack_tx_outputs {
    /// `m_axis_outcome_tdata`, low word first
    pub outcome_tdata: [u64; 3],
    /// `window_view`, low word first
    pub window_view: [u64; 2],
    /// `m_axis_outcome_tid`
    pub outcome_tid: u32,
    /// `stat_not_open_events`, 16 bits
    pub not_open_events: u32,
    /// `stat_never_sent`, 16 bits
    pub never_sent: u32,
    /// `stat_stale`, 16 bits
    pub stale: u32,
    /// `stat_refused`, 16 bits
    pub refused: u32,
    /// `m_axis_outcome_tuser`
    pub outcome_tuser: u16,
    /// `s_axis_event_tready`
    pub event_tready: u8,
    /// `sends`
    pub sends: u8,
    /// `m_axis_outcome_tvalid`
    pub outcome_tvalid: u8,
}

/// The SACK sender of all connections.
pub struct weft_sack_tx(Handle<SackTx>);

/// The block with its ports, for all connections.
pub struct weft_sack_tx_clocked(Handle<Clocked>);

fn params(connections: u32) -> Result<SackParams, Fault> {
    let params = SackParams { connections };
    params.check()?;
    Ok(params)
}

/// Makes a block after reset. Connections: 4, 16, 64, 256, 1024, 4096 or 16384. NULL: see `weft_error`.
#[unsafe(no_mangle)]
pub extern "C" fn weft_sack_tx_new(connections: u32) -> *mut weft_sack_tx {
    make(|| Ok(weft_sack_tx(Handle::new(params(connections)?)?)))
}

/// Frees the handle. NULL is permitted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_sack_tx_free(sack_tx: *mut weft_sack_tx) {
    unsafe { free(sack_tx) }
}

/// Writes a register `WEFT_REG_SACK_TX_*`, or `WEFT_REG_SENDER_MTU_SHIFT`, of `weft_nic.h`. Later events use the value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_sack_tx_write(sack_tx: *mut weft_sack_tx, offset: u32, value: u32) -> i32 {
    unsafe { on(sack_tx, "sack_tx", |sack_tx| Ok(sack_tx.0.write(offset, value).map(|()| WEFT_OK)?)) }
}

/// Reads a register.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_sack_tx_read(sack_tx: *mut weft_sack_tx, offset: u32, value: *mut u32) -> i32 {
    unsafe { on(sack_tx, "sack_tx", |sack_tx| put(value, sack_tx.0.read(offset)?, "value")) }
}

/// Handles an event.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_sack_tx_step(
    sack_tx: *mut weft_sack_tx,
    happens: *const weft_sack_tx_event,
    outcome: *mut weft_sack_tx_outcome,
) -> i32 {
    unsafe {
        answer(
            (sack_tx, "sack_tx"),
            (happens, "event"),
            (outcome, "outcome"),
            |weft_sack_tx(handle), happens| {
                let event = event(happens, handle.params.connections)?;
                Ok(outcome_of(&handle.model.step(&event)))
            },
        )
    }
}

/// Returns the next packet that may leave. Connections take turns. `WEFT_ONE` if there is one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_sack_tx_send(
    sack_tx: *mut weft_sack_tx,
    now_ticks: u32,
    outcome: *mut weft_sack_tx_outcome,
) -> i32 {
    unsafe {
        next((sack_tx, "sack_tx"), (outcome, "outcome"), |sack_tx| {
            below("now_ticks", now_ticks, 1 << 24)?;
            Ok(sack_tx.0.model.send(now_ticks).as_ref().map(outcome_of))
        })
    }
}

/// Handles the timer of a connection if one is due (a timeout, an epoch, a PROBE); `WEFT_ONE` if one was due.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_sack_tx_timer(
    sack_tx: *mut weft_sack_tx,
    connection: u32,
    now_ticks: u32,
    outcome: *mut weft_sack_tx_outcome,
) -> i32 {
    unsafe {
        next((sack_tx, "sack_tx"), (outcome, "outcome"), |weft_sack_tx(handle)| {
            below("connection", connection, handle.params.connections)?;
            below("now_ticks", now_ticks, 1 << 24)?;
            let due = handle.model.due(connection, now_ticks);
            Ok(due.map(|kind| outcome_of(&handle.model.timer(connection, kind, now_ticks))))
        })
    }
}

/// Makes the block with its ports, after reset; see `weft_sack_tx_new`.
#[unsafe(no_mangle)]
pub extern "C" fn weft_sack_tx_clocked_new(connections: u32) -> *mut weft_sack_tx_clocked {
    make(|| Ok(weft_sack_tx_clocked(Handle::new(params(connections)?)?)))
}

/// Frees the handle. NULL is permitted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_sack_tx_clocked_free(sack_tx: *mut weft_sack_tx_clocked) {
    unsafe { free(sack_tx) }
}

/// Sets `cfg_*` ports from the next clock on, as a write to the register `WEFT_REG_SACK_TX_*` or
/// `WEFT_REG_SENDER_MTU_SHIFT` would.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_sack_tx_clocked_write(
    sack_tx: *mut weft_sack_tx_clocked,
    offset: u32,
    value: u32,
) -> i32 {
    unsafe { on(sack_tx, "sack_tx", |sack_tx| Ok(sack_tx.0.write(offset, value).map(|()| WEFT_OK)?)) }
}

/// Runs a rising edge with these inputs. Returns the outputs after the clock edge.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_sack_tx_clock(
    sack_tx: *mut weft_sack_tx_clocked,
    inputs: *const weft_sack_tx_inputs,
    outputs: *mut weft_sack_tx_outputs,
) -> i32 {
    unsafe {
        answer(
            (sack_tx, "sack_tx"),
            (inputs, "inputs"),
            (outputs, "outputs"),
            |weft_sack_tx_clocked(handle), given| {
                below("event_tid", given.event_tid, handle.params.connections)?;
                below("query", given.query, handle.params.connections)?;
                handle.model.clock(&ports(given)?);
                Ok(seen(handle.model.outputs()))
            },
        )
    }
}

fn event(event: &weft_sack_tx_event, connections: u32) -> Result<Event, Fault> {
    let &weft_sack_tx_event { bitmap, connection, psn, trigger, cwnd_bytes, tag, now_ticks, packets, .. } =
        event;
    below("connection", connection, connections)?;
    for (name, value, bits) in [
        ("psn", psn, 24),
        ("trigger", trigger, 24),
        ("cwnd_bytes", cwnd_bytes, 26),
        ("now_ticks", now_ticks, 24),
    ] {
        below(name, value, 1 << bits)?;
    }
    // The block's own kinds come from `weft_sack_tx_send` and `weft_sack_tx_timer`.
    let kind = one_of("kind", event.kind, &Kind::ALL[..6])?;
    let denied = bit("denied", event.denied)?;
    Ok(Event { kind, connection, psn, trigger, denied, bitmap, packets, cwnd_bytes, tag, now_ticks })
}

fn outcome_of(told: &Outcome) -> weft_sack_tx_outcome {
    weft_sack_tx_outcome {
        connection: told.connection,
        psn: told.psn,
        tag: told.tag,
        acked: told.acked,
        lost: told.lost,
        completed: told.completed,
        errors: told.errors,
        unacked: told.unacked,
        in_flight: told.in_flight,
        kind: told.kind as u8,
        accepted: told.accepted.into(),
        send: told.send.into(),
        fresh: told.fresh.into(),
        last: told.last.into(),
        failed: told.failed.into(),
        reason: told.reason as u8,
        beyond: told.beyond.into(),
        congested: told.congested.into(),
        failure: told.failure.into(),
        unsure: told.unsure.into(),
    }
}

fn ports(given: &weft_sack_tx_inputs) -> Result<Inputs, Fault> {
    below("event_tuser", given.event_tuser.into(), 1 << 3)?;
    Ok(Inputs {
        rst: bit("rst", given.rst)?,
        now: given.now & 0xFF_FFFF,
        event_valid: bit("event_tvalid", given.event_tvalid)?,
        event_id: given.event_tid,
        event_data: given.event_tdata,
        event_user: given.event_tuser,
        outcome_ready: bit("outcome_tready", given.outcome_tready)?,
        hold: bit("hold", given.hold)?,
        query: given.query,
    })
}

fn seen(told: &Outputs) -> weft_sack_tx_outputs {
    weft_sack_tx_outputs {
        outcome_tdata: told.outcome_data,
        window_view: told.window,
        outcome_tid: told.outcome_id,
        not_open_events: told.not_open_events & 0xFFFF,
        never_sent: told.never_sent & 0xFFFF,
        stale: told.stale & 0xFFFF,
        refused: told.refused & 0xFFFF,
        outcome_tuser: told.outcome_user,
        event_tready: told.event_ready.into(),
        sends: told.sends.into(),
        outcome_tvalid: told.outcome_valid.into(),
    }
}
