//! The event-driven NIC (page `docs/blocks/nic.md`). Events are: a frame arrives, a work request arrives, the
//! wire becomes free.

use crate::error::{
    Fault, WEFT_NO_REGISTER, WEFT_OK, WEFT_ONE, WEFT_ORDER, WEFT_ROOM, at, below, bit, bytes, call, free,
    make, next, of, on, put,
};
use crate::words::*;
use ::weft_nic::block::ingress::Cause;
use ::weft_nic::nic::transaction::{Incoming, Nic, Outgoing};
use ::weft_nic::words::{Received, Sent, Work};
use std::collections::VecDeque;
use weft_handle::{Image, check};
use weft_params::SackParams;
use weft_params::registers::{Staged, counter_at};

/// A NIC of the transaction view.
pub struct weft_nic {
    pub(crate) model: Nic,
    connections: u32,
    image: Image,
    /// Orders that `weft_nic_poll` returned and for which `weft_nic_frame` has not yet made the frame.
    orders: VecDeque<Outgoing>,
    now: u64,
}

impl weft_nic {
    pub(crate) fn has(&self, connection: u32) -> Result<(), Fault> {
        below("connection", connection, self.connections)
    }

    /// Moves the time forward to `now_ticks`.
    pub(crate) fn at(&mut self, now_ticks: u64) -> Result<(), Fault> {
        if now_ticks < self.now {
            return Err(Fault(
                WEFT_ORDER,
                format!(
                    "now_ticks {now_ticks} is earlier than {} of the call before; time must not go back",
                    self.now
                ),
            ));
        }
        self.now = now_ticks;
        Ok(())
    }
}

/// Makes a NIC after reset, with the reset values of the registers. Connections: 4, 16, 64, 256, 1024, 4096
/// or 16384. NULL: see `weft_error`.
#[unsafe(no_mangle)]
pub extern "C" fn weft_nic_new(connections: u32) -> *mut weft_nic {
    make(|| {
        let params = SackParams { connections };
        params.check()?;
        let image = Image::new();
        Ok(weft_nic {
            model: Nic::new(params, image.csr()),
            connections,
            image,
            orders: VecDeque::new(),
            now: 0,
        })
    })
}

/// Frees the handle. NULL is permitted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_nic_free(nic: *mut weft_nic) {
    unsafe { free(nic) }
}

/// Writes a register of the configuration, by its offset in `weft_nic.h`. (`TICK_SHIFT` has no effect,
/// because the caller counts the ticks.) `weft_nic_open` opens connections.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_nic_write(nic: *mut weft_nic, offset: u32, value: u32, now_ticks: u64) -> i32 {
    call(|| {
        let nic = unsafe { at(nic, "nic") }?;
        let (connections, before) = (nic.connections, nic.now);
        nic.at(now_ticks)?;
        // A refused value leaves the time and all other state unchanged.
        let csr = nic
            .image
            .write(&[], offset, value, |csr| check(csr, connections))
            .inspect_err(|_| nic.now = before)?;
        nic.model.set_csr(csr, now_ticks);
        Ok(WEFT_OK)
    })
}

/// Reads a register of the configuration, or the low word of a counter.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_nic_read(nic: *mut weft_nic, offset: u32, value: *mut u32) -> i32 {
    call(|| {
        let nic = unsafe { at(nic, "nic") }?;
        let counted = || counter_at(offset).map(|place| nic.model.counters()[place]);
        let word = nic.image.read(offset).or_else(counted);
        let word = word.ok_or_else(|| {
            Fault(
                WEFT_NO_REGISTER,
                format!("offset {offset:#x}: there is no such register; weft_nic.h lists the registers"),
            )
        })?;
        unsafe { put(value, word, "value") }
    })
}

/// Opens a connection. An open connection is closed first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_nic_open(
    nic: *mut weft_nic,
    connection: u32,
    peer: *const weft_peer,
    now_ticks: u64,
) -> i32 {
    call(|| {
        let (nic, peer) = unsafe { (at(nic, "nic")?, of(peer, "peer")?) };
        nic.has(connection)?;
        for (name, value) in [("qp", peer.qp), ("send_psn", peer.send_psn), ("receive_psn", peer.receive_psn)]
        {
            below(name, value, 1 << 24)?;
        }
        below("rtt_class", peer.rtt_class.into(), 4)?;
        let (v6, tagged) = (bit("v6", peer.v6)?, bit("tagged", peer.tagged)?);
        nic.at(now_ticks)?;
        let address = u128::from_be_bytes(peer.address);
        let staged = Staged {
            peer_address: if v6 { address } else { address & 0xFFFF_FFFF },
            peer_v6: v6,
            peer_mac: peer.mac.iter().fold(0, |mac, &byte| mac << 8 | u64::from(byte)),
            peer_tag: tagged.then_some(peer.tag),
            peer_pkey: Some(peer.pkey),
            peer_qp: peer.qp,
            send_psn: peer.send_psn,
            receive_psn: peer.receive_psn,
            region_base: peer.region_base,
            region_length: peer.region_length,
            region_key: peer.region_key,
            class: peer.rtt_class,
            ev: peer.ev,
            seed: 0,
        };
        nic.model.open(connection, &staged, now_ticks);
        Ok(WEFT_OK)
    })
}

/// Closes a connection: its work ends, and the NIC sends no further packet to its peer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_nic_close(nic: *mut weft_nic, connection: u32, now_ticks: u64) -> i32 {
    of_connection(nic, connection, now_ticks, |nic| nic.model.close(connection, now_ticks))
}

/// Drains a connection: the NIC accepts no more work for it, and an event reports when all of its work has ended.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_nic_drain(nic: *mut weft_nic, connection: u32, now_ticks: u64) -> i32 {
    of_connection(nic, connection, now_ticks, |nic| nic.model.drain(connection, now_ticks))
}

/// Tells REPS that the paths of a connection are good again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_nic_path_ok(nic: *mut weft_nic, connection: u32, now_ticks: u64) -> i32 {
    of_connection(nic, connection, now_ticks, |nic| nic.model.path_ok(connection, now_ticks))
}

/// Reports the state of the host's buffer for a connection: 0 the buffer accepts packets, 1 it holds them
/// back, 2 it failed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_nic_buffer(
    nic: *mut weft_nic,
    connection: u32,
    word: u8,
    now_ticks: u64,
) -> i32 {
    let then = |nic: &mut weft_nic| {
        nic.has(connection)?;
        below("word", word.into(), 3)?;
        nic.at(now_ticks)?;
        nic.model.buffer(connection, word, now_ticks);
        Ok(WEFT_OK)
    };
    unsafe { on(nic, "nic", then) }
}

/// Seeds the generator of entropy values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_nic_seed(nic: *mut weft_nic, seed: u32, now_ticks: u64) -> i32 {
    of_connection(nic, 0, now_ticks, |nic| nic.model.seed(seed, now_ticks))
}

fn of_connection(
    nic: *mut weft_nic,
    connection: u32,
    now_ticks: u64,
    then: impl FnOnce(&mut weft_nic),
) -> i32 {
    let then = |nic: &mut weft_nic| {
        nic.has(connection)?;
        nic.at(now_ticks)?;
        then(nic);
        Ok(WEFT_OK)
    };
    unsafe { on(nic, "nic", then) }
}

/// Returns the state of a connection: the byte of the register STATE (docs/registers.md).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_nic_state(nic: *mut weft_nic, connection: u32, state: *mut u8) -> i32 {
    call(|| {
        let nic = unsafe { at(nic, "nic") }?;
        nic.has(connection)?;
        unsafe { put(state, nic.model.standing(connection).word(), "state") }
    })
}

/// Returns the next connection with an event, and its present state; `WEFT_ONE` if there is one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_nic_event(nic: *mut weft_nic, connection: *mut u32, state: *mut u8) -> i32 {
    call(|| {
        let nic = unsafe { at(nic, "nic") }?;
        let (number, word) = unsafe { (at(connection, "connection")?, at(state, "state")?) };
        Ok(nic.model.event().map_or(WEFT_OK, |(connection, standing)| {
            (*number, *word) = (connection, standing.word());
            WEFT_ONE
        }))
    })
}

/// Accepts a work request. `weft_nic_sent` returns the request's result, also for a refused request.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_nic_work(
    nic: *mut weft_nic,
    connection: u32,
    work: *const weft_work,
    now_ticks: u64,
) -> i32 {
    call(|| {
        let (nic, work) = unsafe { (at(nic, "nic")?, of(work, "work")?) };
        nic.has(connection)?;
        let with_immediate = bit("with_immediate", work.with_immediate)?;
        nic.at(now_ticks)?;
        let &weft_work { local, remote, key, length, immediate, id, .. } = work;
        nic.model.work(
            connection,
            &Work { local, remote, key, length, immediate, id, with_immediate },
            now_ticks,
        );
        Ok(WEFT_OK)
    })
}

/// Accepts a frame of other software, to be sent, without FCS. A frame of more than 16 KiB is dropped and
/// counted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_nic_bypass(nic: *mut weft_nic, frame: *const u8, frame_bytes: usize) -> i32 {
    call(|| {
        let (nic, frame) = unsafe { (at(nic, "nic")?, bytes(frame, frame_bytes, "frame")?) };
        nic.model.bypass(frame.to_vec());
        Ok(WEFT_OK)
    })
}

/// Handles a frame from the network, without FCS; `bad`: 1 if the MAC marks it as bad. The caller writes the
/// payload in `incoming` before it requests completions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_nic_receive(
    nic: *mut weft_nic,
    frame: *const u8,
    frame_bytes: usize,
    bad: u8,
    now_ticks: u64,
    incoming: *mut weft_incoming,
) -> i32 {
    call(|| {
        let (nic, frame) = unsafe { (at(nic, "nic")?, bytes(frame, frame_bytes, "frame")?) };
        let (place, bad) = (unsafe { at(incoming, "incoming") }?, bit("bad", bad)?);
        nic.at(now_ticks)?;
        *place = match nic.model.receive(frame, bad, now_ticks) {
            Incoming::Foreign => weft_incoming { kind: WEFT_FOREIGN, ..weft_incoming::default() },
            Incoming::Dropped(cause) => {
                weft_incoming { kind: WEFT_DROPPED, cause: code(cause), ..weft_incoming::default() }
            }
            Incoming::Taken { connection, write } => {
                let (address, payload) = write.unwrap_or((0, &[]));
                let payload_at =
                    if payload.is_empty() { 0 } else { payload.as_ptr() as usize - frame.as_ptr() as usize };
                let (payload_at, payload_bytes) = (payload_at as u32, payload.len() as u32);
                weft_incoming { kind: WEFT_TAKEN, cause: 0, address, connection, payload_at, payload_bytes }
            }
        };
        Ok(WEFT_OK)
    })
}

fn code(cause: Cause) -> u8 {
    match cause {
        Cause::Mac => 0,
        Cause::Malformed => 1,
        Cause::Checksum => 2,
        Cause::Icrc => 3,
        Cause::Unknown => 4,
        Cause::Stranger => 5,
        Cause::Vlan => 6,
        Cause::Partition => 7,
        Cause::Overflow => 8,
    }
}

/// Returns the next frame to send when the wire is free; `WEFT_ONE` if there is one. `weft_nic_frame` makes
/// the frames, in the order of these calls. `WEFT_OK`: none until the next input of the NIC, or
/// `weft_nic_deadline`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_nic_poll(
    nic: *mut weft_nic,
    now_ticks: u64,
    outgoing: *mut weft_outgoing,
) -> i32 {
    unsafe {
        next((nic, "nic"), (outgoing, "outgoing"), |nic| {
            nic.at(now_ticks)?;
            let Some(order) = nic.model.poll(now_ticks) else { return Ok(None) };
            let shown = shown(&order);
            nic.orders.push_back(order);
            Ok(Some(shown))
        })
    }
}

fn shown(order: &Outgoing) -> weft_outgoing {
    match order {
        Outgoing::Reply(connection, _) => {
            weft_outgoing { kind: WEFT_REPLY, connection: *connection, ..weft_outgoing::default() }
        }
        Outgoing::Data(ordered) => {
            let fetch = ordered.fetch.unwrap_or_default();
            weft_outgoing {
                address: fetch.address,
                connection: ordered.connection,
                psn: ordered.order.psn,
                payload_bytes: fetch.bytes.into(),
                ev: ordered.order.ev,
                kind: WEFT_DATA,
                again: ordered.order.again.into(),
            }
        }
        Outgoing::Other(_) => weft_outgoing { kind: WEFT_OTHER, ..weft_outgoing::default() },
    }
}

/// Makes the frame of the oldest order of `weft_nic_poll` that has no frame yet, without FCS. `payload`: the
/// bytes that were read. NULL means that the read failed, if the packet has a payload. `WEFT_ONE`: `frame`
/// has `frame_bytes` bytes. `WEFT_OK`: there is no frame, because the read failed or because the NIC no
/// longer sends the packet. 16,384 bytes are enough for any frame.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_nic_frame(
    nic: *mut weft_nic,
    payload: *const u8,
    payload_bytes: usize,
    now_ticks: u64,
    frame: *mut u8,
    room: usize,
    frame_bytes: *mut usize,
) -> i32 {
    call(|| {
        let (nic, length) = unsafe { (at(nic, "nic")?, at(frame_bytes, "frame_bytes")?) };
        let wanted = match nic.orders.front() {
            None => {
                return Err(Fault(
                    WEFT_ORDER,
                    "no polled packet waits for its frame: call weft_nic_poll first".into(),
                ));
            }
            Some(Outgoing::Data(ordered)) => usize::from(ordered.fetch.unwrap_or_default().bytes),
            Some(_) => 0,
        };
        let given =
            if payload.is_null() { None } else { Some(unsafe { bytes(payload, payload_bytes, "payload") }?) };
        if given.is_some_and(|given| given.len() != wanted) {
            return Err(Fault(
                crate::WEFT_RANGE,
                format!("payload_bytes {payload_bytes}: this packet has {wanted}"),
            ));
        }
        // The largest header is far below 512 bytes. A frame of other software has its own length.
        let most = match nic.orders.front() {
            Some(Outgoing::Other(other)) => other.len(),
            _ => wanted + 512,
        };
        if room < most || frame.is_null() {
            return Err(Fault(WEFT_ROOM, format!("room for {room} bytes: {most} are needed")));
        }
        nic.at(now_ticks)?;
        let Some(order) = nic.orders.pop_front() else { return Ok(WEFT_OK) };
        // Without payload there is no read that could fail.
        let payload = if wanted == 0 { Some(&[][..]) } else { given };
        let Some(made) = nic.model.frame(order, payload, now_ticks) else { return Ok(WEFT_OK) };
        unsafe { std::ptr::copy_nonoverlapping(made.as_ptr(), frame, made.len()) };
        *length = made.len();
        Ok(WEFT_ONE)
    })
}

/// Returns the next received message with an immediate; `WEFT_ONE` if there is one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_nic_received(nic: *mut weft_nic, received: *mut weft_received) -> i32 {
    unsafe {
        next((nic, "nic"), (received, "received"), |nic| {
            let one = |(connection, told): (u32, Received)| {
                let (immediate, message) = (told.immediate, told.message);
                weft_received { connection, immediate, message }
            };
            Ok(nic.model.received().map(one))
        })
    }
}

/// Returns the next work request that has ended; `WEFT_ONE` if there is one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_nic_sent(nic: *mut weft_nic, sent: *mut weft_sent) -> i32 {
    unsafe {
        next((nic, "nic"), (sent, "sent"), |nic| {
            let one = |(connection, told): (u32, Sent)| weft_sent {
                connection,
                id: told.id,
                status: told.status as u8,
            };
            Ok(nic.model.sent().map(one))
        })
    }
}

/// Returns the time at which the next timer expires; `WEFT_ONE` if a timer runs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_nic_deadline(
    nic: *mut weft_nic,
    now_ticks: u64,
    deadline_ticks: *mut u64,
) -> i32 {
    unsafe {
        next((nic, "nic"), (deadline_ticks, "deadline_ticks"), |nic| Ok(nic.model.next_deadline(now_ticks)))
    }
}
