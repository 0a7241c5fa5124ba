//! REPS: the entropy buffer and freezing (page `docs/blocks/reps.md`).

use crate::error::{Fault, WEFT_OK, answer, below, bit, free, make, on, one_of, put, range};
use ::weft_nic::block::reps::{Clocked, Event, Inputs, Kind, Outcome, Outputs, Reps};
use weft_handle::Handle;
use weft_params::RepsParams;

/// Kinds of events, by the names on the page. A packet leaves.
pub const WEFT_REPS_SEND: u8 = 0;
/// An ACK.
pub const WEFT_REPS_ACK: u8 = 1;
/// Packets were lost by a timeout.
pub const WEFT_REPS_TIMEOUT: u8 = 2;
/// Software reports that the paths are good again.
pub const WEFT_REPS_PATH_OK: u8 = 3;
/// The connection was idle.
pub const WEFT_REPS_IDLE: u8 = 4;
/// The connection is opened.
pub const WEFT_REPS_OPEN: u8 = 5;
/// The connection is closed.
pub const WEFT_REPS_CLOSE: u8 = 6;
/// The generator is seeded with `ev` and, above it, `rtt_ticks`.
pub const WEFT_REPS_SEED: u8 = 7;

/// An event, as `s_axis_event` carries it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct weft_reps_event {
    /// The connection.
    pub connection: u32,
    /// The time in ticks.
    pub now_ticks: u32,
    /// ACK: the packet's entropy value. Open: the value of a connection with a fixed one.
    pub ev: u16,
    /// ACK: round-trip time in ticks, 0 if unknown.
    pub rtt_ticks: u16,
    /// One of `WEFT_REPS_*`.
    pub kind: u8,
    /// ACK: 1 if the packet was ECN-marked.
    pub ecn: u8,
}

/// An answer of the block, as `m_axis_decision` carries it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct weft_reps_outcome {
    /// The event's connection.
    pub connection: u32,
    /// Entropy value of a packet to send; otherwise 0.
    pub ev: u16,
    /// The event's kind.
    pub kind: u8,
    /// 1: the connection was open, or the event needs no open connection.
    pub accepted: u8,
    /// Origin of the entropy value: 0 none or given, 1 explored, 2 recycled, 3 reused.
    pub source: u8,
    /// 1: frozen after the event.
    pub frozen: u8,
    /// 1: the event began or ended freezing.
    pub turned: u8,
}

/// Input ports of `weft_reps` during a clock.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct weft_reps_inputs {
    /// `now`
    pub now: u32,
    /// `s_axis_event_tid`
    pub event_tid: u32,
    /// `s_axis_event_tdata`
    pub event_tdata: u32,
    /// `rst`
    pub rst: u8,
    /// `s_axis_event_tvalid`
    pub event_tvalid: u8,
    /// `s_axis_event_tuser`
    pub event_tuser: u8,
    /// `m_axis_decision_tready`
    pub decision_tready: u8,
}

/// Output ports of `weft_reps` during a clock.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct weft_reps_outputs {
    /// `m_axis_decision_tid`
    pub decision_tid: u32,
    /// `stat_not_open_events`, 16 bits
    pub not_open_events: u32,
    /// `m_axis_decision_tdata`
    pub decision_tdata: u16,
    /// `s_axis_event_tready`
    pub event_tready: u8,
    /// `m_axis_decision_tvalid`
    pub decision_tvalid: u8,
    /// `m_axis_decision_tuser`
    pub decision_tuser: u8,
}

/// REPS of all connections.
pub struct weft_reps(Handle<Reps>);

/// The block with its ports, for all connections.
pub struct weft_reps_clocked(Handle<Clocked>);

fn params(connections: u32, depth: u32, ev_width: u32) -> Result<RepsParams, Fault> {
    let params = RepsParams { connections, depth, ev_width };
    params.check()?;
    Ok(params)
}

fn event(event: &weft_reps_event, params: &RepsParams) -> Result<Event, Fault> {
    below("connection", event.connection, params.connections)?;
    let &weft_reps_event { connection, now_ticks, ev, rtt_ticks, .. } = event;
    let (kind, ecn) = (one_of("kind", event.kind, &Kind::ALL)?, bit("ecn", event.ecn)?);
    Ok(Event { kind, connection, ev, ecn, rtt_ticks, now_ticks })
}

/// Makes a block after reset. Connections: 4, 16, 64, 256, 1024, 4096 or 16384; depth: 4, 8 or 16; width of entropy
/// values: 8, 12 or 16. NULL: see `weft_error`.
#[unsafe(no_mangle)]
pub extern "C" fn weft_reps_new(connections: u32, depth: u32, ev_width: u32) -> *mut weft_reps {
    make(|| Ok(weft_reps(Handle::new(params(connections, depth, ev_width)?)?)))
}

/// Frees the handle. NULL is permitted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_reps_free(reps: *mut weft_reps) {
    unsafe { free(reps) }
}

/// Writes a register `WEFT_REG_REPS_*` of `weft_nic.h`. Later events use the value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_reps_write(reps: *mut weft_reps, offset: u32, value: u32) -> i32 {
    unsafe { on(reps, "reps", |reps| Ok(reps.0.write(offset, value).map(|()| WEFT_OK)?)) }
}

/// Reads a register.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_reps_read(reps: *mut weft_reps, offset: u32, value: *mut u32) -> i32 {
    unsafe { on(reps, "reps", |reps| put(value, reps.0.read(offset)?, "value")) }
}

/// Handles an event.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_reps_step(
    reps: *mut weft_reps,
    happens: *const weft_reps_event,
    outcome: *mut weft_reps_outcome,
) -> i32 {
    unsafe {
        answer((reps, "reps"), (happens, "event"), (outcome, "outcome"), |weft_reps(handle), happens| {
            let event = event(happens, &handle.params)?;
            Ok(outcome_of(&handle.model.step(&event)))
        })
    }
}

/// Makes the block with its ports, after reset; see `weft_reps_new`.
#[unsafe(no_mangle)]
pub extern "C" fn weft_reps_clocked_new(
    connections: u32,
    depth: u32,
    ev_width: u32,
) -> *mut weft_reps_clocked {
    make(|| Ok(weft_reps_clocked(Handle::new(params(connections, depth, ev_width)?)?)))
}

/// Frees the handle. NULL is permitted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_reps_clocked_free(reps: *mut weft_reps_clocked) {
    unsafe { free(reps) }
}

/// Sets `cfg_*` ports as a register `WEFT_REG_REPS_*` would, from the next clock on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_reps_clocked_write(
    reps: *mut weft_reps_clocked,
    offset: u32,
    value: u32,
) -> i32 {
    unsafe { on(reps, "reps", |reps| Ok(reps.0.write(offset, value).map(|()| WEFT_OK)?)) }
}

/// Runs a rising edge with these inputs. Returns the outputs after the clock edge.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_reps_clock(
    reps: *mut weft_reps_clocked,
    inputs: *const weft_reps_inputs,
    outputs: *mut weft_reps_outputs,
) -> i32 {
    unsafe {
        answer(
            (reps, "reps"),
            (inputs, "inputs"),
            (outputs, "outputs"),
            |weft_reps_clocked(handle), given| {
                below("event_tid", given.event_tid, handle.params.connections)?;
                handle.model.clock(&ports(given)?);
                Ok(seen(handle.model.outputs()))
            },
        )
    }
}

fn seen(told: &Outputs) -> weft_reps_outputs {
    weft_reps_outputs {
        decision_tid: told.decision_id,
        not_open_events: told.not_open_events & 0xFFFF,
        decision_tdata: told.decision_data,
        event_tready: told.event_ready.into(),
        decision_tvalid: told.decision_valid.into(),
        decision_tuser: told.decision_user,
    }
}

fn outcome_of(told: &Outcome) -> weft_reps_outcome {
    weft_reps_outcome {
        connection: told.connection,
        ev: told.ev,
        kind: told.kind as u8,
        accepted: told.accepted.into(),
        source: told.source as u8,
        frozen: told.frozen.into(),
        turned: told.turned.into(),
    }
}

fn ports(given: &weft_reps_inputs) -> Result<Inputs, Fault> {
    if given.event_tuser > 15 {
        return Err(range("event_tuser", given.event_tuser, "4 bits"));
    }
    Ok(Inputs {
        rst: bit("rst", given.rst)?,
        now: given.now,
        event_valid: bit("event_tvalid", given.event_tvalid)?,
        event_id: given.event_tid,
        event_data: given.event_tdata,
        event_user: given.event_tuser,
        decision_ready: bit("decision_tready", given.decision_tready)?,
    })
}
