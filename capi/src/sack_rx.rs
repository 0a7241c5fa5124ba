//! The SACK receiver: the record of the packets that have arrived (page `docs/blocks/sack_rx.md`).

use crate::error::{Fault, WEFT_OK, answer, below, bit, free, make, on, one_of, put, range};
use ::weft_nic::block::sack_rx::{Clocked, Event, Inputs, Kind, Outcome, Outputs, SackRx};
use weft_handle::Handle;
use weft_params::SackParams;

/// Kinds of events, by the names on the page. A data packet.
pub const WEFT_SACK_RX_DATA: u8 = 0;
/// The rest of a data packet that a switch trimmed.
pub const WEFT_SACK_RX_TRIMMED: u8 = 1;
/// The ACK timer requests an ACK.
pub const WEFT_SACK_RX_FLUSH: u8 = 2;
/// The sender requests an ACK.
pub const WEFT_SACK_RX_PROBE: u8 = 3;
/// The connection is opened.
pub const WEFT_SACK_RX_OPEN: u8 = 4;
/// The connection is closed.
pub const WEFT_SACK_RX_CLOSE: u8 = 5;

/// An event, as `s_axis_event` carries it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct weft_sack_rx_event {
    /// The connection.
    pub connection: u32,
    /// PSN of the packet, 24 bits. Open: the first PSN.
    pub psn: u32,
    /// A number of the caller's choice. The outcome returns the number.
    pub tag: u32,
    /// Bytes of payload.
    pub bytes: u16,
    /// One of `WEFT_SACK_RX_*`.
    pub kind: u8,
    /// 1: the packet is ECN-marked.
    pub ce: u8,
    /// 1: the packet requests an ACK.
    pub request: u8,
    /// 1: the packet ends a message.
    pub last: u8,
}

/// An answer of the block, as `m_axis_outcome` carries it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct weft_sack_rx_outcome {
    /// Bit i, low word first: the PSN i after `expected` has been received.
    pub bitmap: [u64; 4],
    /// The event's connection.
    pub connection: u32,
    /// The event's tag.
    pub tag: u32,
    /// The first PSN that has not been received.
    pub expected: u32,
    /// The event's PSN.
    pub psn: u32,
    /// Number of messages completed since the open, modulo 2^24.
    pub messages: u32,
    /// Units of 256 bytes placed, rounded up, modulo 2^24.
    pub received: u32,
    /// Number of messages that this event completed.
    pub completed: u16,
    /// Number of packets received beyond the cumulative PSN.
    pub out_of_order: u8,
    /// Number of packets that waited for an ACK before the event.
    pub waited: u8,
    /// The event's kind.
    pub kind: u8,
    /// 1: the connection was open, or is opened.
    pub accepted: u8,
    /// 0 none, 1 placed, 2 duplicate, 3 outside, 4 trimmed.
    pub verdict: u8,
    /// 0 none, 1 ACK, 2 NACK.
    pub response: u8,
    /// The event's ECN mark.
    pub ce: u8,
}

/// Input ports of `weft_sack_rx` during a clock.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct weft_sack_rx_inputs {
    /// `s_axis_event_tdata`, low word first, 72 bits
    pub event_tdata: [u64; 2],
    /// `s_axis_event_tid`
    pub event_tid: u32,
    /// `rst`
    pub rst: u8,
    /// `s_axis_event_tvalid`
    pub event_tvalid: u8,
    /// `s_axis_event_tuser`, 6 bits
    pub event_tuser: u8,
    /// `m_axis_outcome_tready`
    pub outcome_tready: u8,
}

/// Output ports of `weft_sack_rx` during a clock.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct weft_sack_rx_outputs {
    /// `m_axis_outcome_tdata`, low word first
    pub outcome_tdata: [u64; 7],
    /// `m_axis_outcome_tid`
    pub outcome_tid: u32,
    /// `stat_not_open_events`, 16 bits
    pub not_open_events: u32,
    /// `stat_duplicates`, 16 bits
    pub duplicates: u32,
    /// `stat_outside`, 16 bits
    pub outside: u32,
    /// `m_axis_outcome_tuser`
    pub outcome_tuser: u16,
    /// `s_axis_event_tready`
    pub event_tready: u8,
    /// `m_axis_outcome_tvalid`
    pub outcome_tvalid: u8,
}

/// The SACK receiver of all connections.
pub struct weft_sack_rx(Handle<SackRx>);

/// The block with its ports, for all connections.
pub struct weft_sack_rx_clocked(Handle<Clocked>);

fn params(connections: u32) -> Result<SackParams, Fault> {
    let params = SackParams { connections };
    params.check()?;
    Ok(params)
}

/// Makes a block after reset. Connections: 4, 16, 64, 256, 1024, 4096 or 16384. NULL: see `weft_error`.
#[unsafe(no_mangle)]
pub extern "C" fn weft_sack_rx_new(connections: u32) -> *mut weft_sack_rx {
    make(|| Ok(weft_sack_rx(Handle::new(params(connections)?)?)))
}

/// Frees the handle. NULL is permitted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_sack_rx_free(sack_rx: *mut weft_sack_rx) {
    unsafe { free(sack_rx) }
}

/// Writes a register `WEFT_REG_SACK_RX_*` of `weft_nic.h`. Later events use the value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_sack_rx_write(sack_rx: *mut weft_sack_rx, offset: u32, value: u32) -> i32 {
    unsafe { on(sack_rx, "sack_rx", |sack_rx| Ok(sack_rx.0.write(offset, value).map(|()| WEFT_OK)?)) }
}

/// Reads a register.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_sack_rx_read(sack_rx: *mut weft_sack_rx, offset: u32, value: *mut u32) -> i32 {
    unsafe { on(sack_rx, "sack_rx", |sack_rx| put(value, sack_rx.0.read(offset)?, "value")) }
}

/// Handles an event.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_sack_rx_step(
    sack_rx: *mut weft_sack_rx,
    happens: *const weft_sack_rx_event,
    outcome: *mut weft_sack_rx_outcome,
) -> i32 {
    unsafe {
        answer(
            (sack_rx, "sack_rx"),
            (happens, "event"),
            (outcome, "outcome"),
            |weft_sack_rx(handle), happens| {
                let event = event(happens, handle.params.connections)?;
                Ok(outcome_of(&handle.model.step(&event)))
            },
        )
    }
}

/// Makes the block with its ports, after reset; see `weft_sack_rx_new`.
#[unsafe(no_mangle)]
pub extern "C" fn weft_sack_rx_clocked_new(connections: u32) -> *mut weft_sack_rx_clocked {
    make(|| Ok(weft_sack_rx_clocked(Handle::new(params(connections)?)?)))
}

/// Frees the handle. NULL is permitted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_sack_rx_clocked_free(sack_rx: *mut weft_sack_rx_clocked) {
    unsafe { free(sack_rx) }
}

/// Sets `cfg_*` ports as a register `WEFT_REG_SACK_RX_*` would, from the next clock on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_sack_rx_clocked_write(
    sack_rx: *mut weft_sack_rx_clocked,
    offset: u32,
    value: u32,
) -> i32 {
    unsafe { on(sack_rx, "sack_rx", |sack_rx| Ok(sack_rx.0.write(offset, value).map(|()| WEFT_OK)?)) }
}

/// Runs a rising edge with these inputs. Returns the outputs after the clock edge.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_sack_rx_clock(
    sack_rx: *mut weft_sack_rx_clocked,
    inputs: *const weft_sack_rx_inputs,
    outputs: *mut weft_sack_rx_outputs,
) -> i32 {
    unsafe {
        answer(
            (sack_rx, "sack_rx"),
            (inputs, "inputs"),
            (outputs, "outputs"),
            |weft_sack_rx_clocked(handle), given| {
                below("event_tid", given.event_tid, handle.params.connections)?;
                handle.model.clock(&ports(given)?);
                Ok(seen(handle.model.outputs()))
            },
        )
    }
}

fn event(event: &weft_sack_rx_event, connections: u32) -> Result<Event, Fault> {
    let &weft_sack_rx_event { connection, psn, tag, bytes, .. } = event;
    below("connection", connection, connections)?;
    below("psn", psn, 1 << 24)?;
    Ok(Event {
        kind: one_of("kind", event.kind, &Kind::ALL)?,
        connection,
        psn,
        bytes,
        ce: bit("ce", event.ce)?,
        request: bit("request", event.request)?,
        last: bit("last", event.last)?,
        tag,
    })
}

fn outcome_of(told: &Outcome) -> weft_sack_rx_outcome {
    weft_sack_rx_outcome {
        bitmap: told.bitmap,
        connection: told.connection,
        expected: told.expected,
        psn: told.psn,
        messages: told.messages,
        received: told.received,
        tag: told.tag,
        completed: told.completed,
        out_of_order: told.out_of_order,
        waited: told.waited,
        kind: told.kind as u8,
        accepted: told.accepted.into(),
        verdict: told.verdict as u8,
        response: told.response as u8,
        ce: told.ce.into(),
    }
}

fn ports(given: &weft_sack_rx_inputs) -> Result<Inputs, Fault> {
    let [low, high] = given.event_tdata;
    below("event_tuser", given.event_tuser.into(), 1 << 6)?;
    if high > 0xFF {
        return Err(range("event_tdata's high word", high, "0 to 255"));
    }
    Ok(Inputs {
        rst: bit("rst", given.rst)?,
        event_valid: bit("event_tvalid", given.event_tvalid)?,
        event_id: given.event_tid,
        event_data: u128::from(high) << 64 | u128::from(low),
        event_user: given.event_tuser,
        outcome_ready: bit("outcome_tready", given.outcome_tready)?,
    })
}

fn seen(told: &Outputs) -> weft_sack_rx_outputs {
    weft_sack_rx_outputs {
        outcome_tdata: told.outcome_data,
        outcome_tid: told.outcome_id,
        not_open_events: told.not_open_events & 0xFFFF,
        duplicates: told.duplicates & 0xFFFF,
        outside: told.outside & 0xFFFF,
        outcome_tuser: told.outcome_user,
        event_tready: told.event_ready.into(),
        outcome_tvalid: told.outcome_valid.into(),
    }
}
