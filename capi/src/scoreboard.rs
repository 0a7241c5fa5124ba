//! Compares the outputs of a design with those of the model (page `docs/verify-your-nic.md`).

use crate::error::{Fault, WEFT_NO_REGISTER, WEFT_OK, WEFT_ONE, at, bit, bytes, call, free, make, of};
use crate::nic::{weft_nic, weft_nic_free, weft_nic_new};
use crate::words::{weft_received, weft_sent, weft_work};
use ::weft_nic::nic::transaction::Nic;
use ::weft_nic::words::{Received, Work};
use std::ffi::{CString, c_char};
use weft_handle::{Difference, Scoreboard};
use weft_params::registers::counter_at;

/// A model of the NIC, and the outputs that the model has made and the design has not made yet.
pub struct weft_scoreboard {
    board: Scoreboard,
    nic: *mut weft_nic,
    said: CString,
}

impl Drop for weft_scoreboard {
    fn drop(&mut self) {
        unsafe { weft_nic_free(self.nic) }
    }
}

impl weft_scoreboard {
    /// Stores the difference that a comparison found, if any, and returns the code.
    fn told(&mut self, said: Result<(), Difference>) -> i32 {
        let Err(difference) = said else { return WEFT_OK };
        self.said = CString::new(difference).unwrap_or_default();
        WEFT_ONE
    }

    /// Runs a call at a time; some calls have a connection.
    fn on(
        &mut self,
        connection: Option<u32>,
        now_ticks: u64,
        then: impl FnOnce(&mut Scoreboard, &mut Nic) -> Result<(), Difference>,
    ) -> Result<i32, Fault> {
        let nic = unsafe { at(self.nic, "nic") }?;
        connection.map_or(Ok(()), |connection| nic.has(connection))?;
        nic.at(now_ticks)?;
        let said = then(&mut self.board, &mut nic.model);
        Ok(self.told(said))
    }
}

/// Makes a scoreboard without outputs, and its model after reset. Connections: 4, 16, 64, 256, 1024, 4096 or
/// 16384. NULL: see `weft_error`.
#[unsafe(no_mangle)]
pub extern "C" fn weft_scoreboard_new(connections: u32) -> *mut weft_scoreboard {
    let nic = weft_nic_new(connections);
    if nic.is_null() {
        return std::ptr::null_mut();
    }
    make(|| {
        let board = Scoreboard::new(&mut unsafe { at(nic, "nic") }?.model);
        Ok(weft_scoreboard { board, nic, said: CString::default() })
    })
}

/// Frees a scoreboard and its model. NULL is permitted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_scoreboard_free(scoreboard: *mut weft_scoreboard) {
    unsafe { free(scoreboard) }
}

/// The model that the design is compared with. It serves calls for registers, connections and deadlines:
/// `weft_nic_write`, `weft_nic_open`, `weft_nic_buffer`, `weft_nic_deadline` and so on. The model belongs to
/// the scoreboard. NULL: see `weft_error`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_scoreboard_nic(scoreboard: *mut weft_scoreboard) -> *mut weft_nic {
    let mut nic = std::ptr::null_mut();
    call(|| {
        nic = unsafe { at(scoreboard, "scoreboard") }?.nic;
        Ok(WEFT_OK)
    });
    nic
}

/// The last difference, as one line of UTF-8: the output of the design, and the output of the model. The text
/// stays until the next difference of this scoreboard.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_scoreboard_difference(scoreboard: *mut weft_scoreboard) -> *const c_char {
    unsafe { scoreboard.as_ref() }.map_or(c"scoreboard is NULL".as_ptr(), |it| it.said.as_ptr())
}

/// Number of outputs that were equal. 0 without a scoreboard.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_scoreboard_compared(scoreboard: *mut weft_scoreboard) -> u64 {
    unsafe { scoreboard.as_ref() }.map_or(0, |it| it.board.compared())
}

/// The design accepted a work request.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_scoreboard_work(
    scoreboard: *mut weft_scoreboard,
    connection: u32,
    work: *const weft_work,
    now_ticks: u64,
) -> i32 {
    call(|| {
        let (it, work) = unsafe { (at(scoreboard, "scoreboard")?, of(work, "work")?) };
        let &weft_work { local, remote, key, length, immediate, id, with_immediate } = work;
        let with_immediate = bit("with_immediate", with_immediate)?;
        let work = Work { local, remote, key, length, immediate, id, with_immediate };
        it.on(Some(connection), now_ticks, |board, nic| {
            board.work(nic, connection, &work, now_ticks);
            Ok(())
        })
    })
}

/// The design accepted a frame from the network, without FCS; `bad`: 1 if the MAC of the design marked the
/// frame as bad.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_scoreboard_receive(
    scoreboard: *mut weft_scoreboard,
    frame: *const u8,
    frame_bytes: usize,
    bad: u8,
    now_ticks: u64,
) -> i32 {
    call(|| {
        let it = unsafe { at(scoreboard, "scoreboard") }?;
        let (frame, bad) = (unsafe { bytes(frame, frame_bytes, "frame") }?, bit("bad", bad)?);
        it.on(None, now_ticks, |board, nic| {
            board.receive(nic, frame, bad, now_ticks);
            Ok(())
        })
    })
}

/// The design accepted a frame of the host's other traffic, to be sent.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_scoreboard_bypass(
    scoreboard: *mut weft_scoreboard,
    frame: *const u8,
    frame_bytes: usize,
) -> i32 {
    call(|| {
        let (it, frame) = unsafe { (at(scoreboard, "scoreboard")?, bytes(frame, frame_bytes, "frame")?) };
        it.board.bypass(&mut unsafe { at(it.nic, "nic") }?.model, frame);
        Ok(WEFT_OK)
    })
}

/// The design sent a frame, without FCS. `WEFT_ONE`: the frame differs, see `weft_scoreboard_difference`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_scoreboard_frame(
    scoreboard: *mut weft_scoreboard,
    frame: *const u8,
    frame_bytes: usize,
    now_ticks: u64,
) -> i32 {
    call(|| {
        let (it, frame) = unsafe { (at(scoreboard, "scoreboard")?, bytes(frame, frame_bytes, "frame")?) };
        it.on(None, now_ticks, |board, nic| board.frame(nic, frame, now_ticks))
    })
}

/// The design passed on a frame of other software; `bad`: 1 if the design marked the frame as bad.
/// `WEFT_ONE`: the output differs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_scoreboard_bypassed(
    scoreboard: *mut weft_scoreboard,
    frame: *const u8,
    frame_bytes: usize,
    bad: u8,
) -> i32 {
    call(|| {
        let (it, frame) = unsafe { (at(scoreboard, "scoreboard")?, bytes(frame, frame_bytes, "frame")?) };
        let said = it.board.bypassed(frame, bit("bad", bad)?);
        Ok(it.told(said))
    })
}

/// The design requested the payload of a packet. `WEFT_ONE`: the output differs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_scoreboard_fetch(
    scoreboard: *mut weft_scoreboard,
    connection: u32,
    address: u64,
    payload_bytes: usize,
    now_ticks: u64,
) -> i32 {
    call(|| {
        let it = unsafe { at(scoreboard, "scoreboard") }?;
        it.on(Some(connection), now_ticks, |board, nic| {
            board.fetch(nic, connection, address, payload_bytes, now_ticks)
        })
    })
}

/// The design got the answer to its oldest fetch; NULL: the read failed. `WEFT_ONE`: there is no such fetch.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_scoreboard_read(
    scoreboard: *mut weft_scoreboard,
    payload: *const u8,
    payload_bytes: usize,
) -> i32 {
    call(|| {
        let it = unsafe { at(scoreboard, "scoreboard") }?;
        let there = !payload.is_null();
        let payload = if there { Some(unsafe { bytes(payload, payload_bytes, "payload") }?) } else { None };
        let said = it.board.read(payload);
        Ok(it.told(said))
    })
}

/// The design wrote the payload of a packet. `WEFT_ONE`: the output differs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_scoreboard_write(
    scoreboard: *mut weft_scoreboard,
    connection: u32,
    address: u64,
    payload: *const u8,
    payload_bytes: usize,
) -> i32 {
    call(|| {
        let (it, payload) =
            unsafe { (at(scoreboard, "scoreboard")?, bytes(payload, payload_bytes, "payload")?) };
        let said = it.board.write(connection, address, payload);
        Ok(it.told(said))
    })
}

/// The design completed a received message. `WEFT_ONE`: the output differs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_scoreboard_received(
    scoreboard: *mut weft_scoreboard,
    received: *const weft_received,
    now_ticks: u64,
) -> i32 {
    call(|| {
        let (it, given) = unsafe { (at(scoreboard, "scoreboard")?, of(received, "received")?) };
        let &weft_received { connection, immediate, message } = given;
        it.on(Some(connection), now_ticks, |board, nic| {
            board.received(nic, connection, Received { immediate, message }, now_ticks)
        })
    })
}

/// The design completed a work request. `WEFT_ONE`: the output differs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_scoreboard_sent(
    scoreboard: *mut weft_scoreboard,
    sent: *const weft_sent,
    now_ticks: u64,
) -> i32 {
    call(|| {
        let (it, given) = unsafe { (at(scoreboard, "scoreboard")?, of(sent, "sent")?) };
        let &weft_sent { connection, id, status } = given;
        it.on(Some(connection), now_ticks, |board, nic| board.sent(nic, connection, id, status, now_ticks))
    })
}

/// The design reported an event of a connection; `state` is the byte of the register STATE. `WEFT_ONE`: the
/// output differs. A design without events can report those of the model, which `weft_nic_event` returns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_scoreboard_event(
    scoreboard: *mut weft_scoreboard,
    connection: u32,
    state: u8,
    now_ticks: u64,
) -> i32 {
    call(|| {
        let it = unsafe { at(scoreboard, "scoreboard") }?;
        it.on(Some(connection), now_ticks, |board, nic| board.event(nic, connection, state, now_ticks))
    })
}

/// The design is quiet, and its counter at this offset of `weft_nic.h` has this value, modulo 2^32.
/// `WEFT_ONE`: the value differs. Counters of clocks (`WEFT_REG_HOLDS_*`) may have any value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_scoreboard_counter(
    scoreboard: *mut weft_scoreboard,
    offset: u32,
    value: u32,
    now_ticks: u64,
) -> i32 {
    call(|| {
        let it = unsafe { at(scoreboard, "scoreboard") }?;
        let place = counter_at(offset).ok_or_else(|| {
            let what = format!("offset {offset:#x}: there is no such counter; weft_nic.h lists the counters");
            Fault(WEFT_NO_REGISTER, what)
        })?;
        it.on(None, now_ticks, |board, nic| board.counter(nic, place, value, now_ticks))
    })
}

/// The design is quiet. `WEFT_ONE`: an output is missing, or the model would have sent more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weft_scoreboard_settle(scoreboard: *mut weft_scoreboard, now_ticks: u64) -> i32 {
    call(|| {
        let it = unsafe { at(scoreboard, "scoreboard") }?;
        it.on(None, now_ticks, |board, nic| board.settle(nic, now_ticks))
    })
}
