//! Random words for every function: a result, or a code with a message. No word makes a function panic.

use crate::answers::{values, zeroed};
use std::ffi::CStr;
use weft::*;
use weft_random::Rng;

/// Calls of each function for each seed.
const CALLS: u32 = 300;
const SEEDS: u64 = 12;

/// A word of random bytes, most of them small: then kinds, bits and connections are often possible.
fn odd<T: Copy>(rng: &mut Rng) -> T {
    let byte = |rng: &mut Rng| [0, 0, 0, 0, 0, 1, 2, 3, 255, rng.draw() as u8][rng.index(10)];
    let bytes: Vec<u8> = (0..size_of::<T>()).map(|_| byte(rng)).collect();
    values(&bytes)[0]
}

/// The offset of a register of the configuration, or any other.
fn offset(rng: &mut Rng) -> u32 {
    if rng.below(8) > 0 { 0x100 + 4 * rng.below(160) } else { odd(rng) }
}

/// The results of calls.
struct Calls {
    seed: u64,
    good: u32,
    refused: u32,
}

impl Calls {
    fn is(&mut self, what: &str, code: i32) {
        let said = unsafe { CStr::from_ptr(weft_error()) }.to_string_lossy();
        assert!(code != WEFT_DEFECT, "seed {}: {what}: {said}", self.seed);
        assert!(code >= 0 || !said.is_empty(), "seed {}: {what}: code {code} without a message", self.seed);
        if code >= 0 { self.good += 1 } else { self.refused += 1 }
    }
}

/// Calls the functions of a block with two views.
macro_rules! block {
    ($calls:ident, $rng:ident, $new:expr, $write:ident, $read:ident, $step:ident, $free:ident;
     $clocked:expr, $clocked_write:ident, $clock:ident, $clocked_free:ident) => {
        let (block, clocked) = ($new, $clocked);
        for _ in 0..CALLS {
            let mut word = 0;
            $calls.is(stringify!($write), $write(block, offset(&mut $rng), odd(&mut $rng)));
            $calls.is(stringify!($read), $read(block, offset(&mut $rng), &mut word));
            $calls.is(stringify!($step), $step(block, &odd(&mut $rng), &mut zeroed()));
            $calls.is(stringify!($clocked_write), $clocked_write(clocked, offset(&mut $rng), odd(&mut $rng)));
            $calls.is(stringify!($clock), $clock(clocked, &odd(&mut $rng), &mut zeroed()));
        }
        $free(block);
        $clocked_free(clocked);
    };
}

fn blocks(calls: &mut Calls, rng: &mut Rng) {
    let mut rng = rng.clone();
    unsafe {
        block!(calls, rng, weft_reps_new(4, 8, 16), weft_reps_write, weft_reps_read, weft_reps_step, weft_reps_free;
            weft_reps_clocked_new(4, 8, 16), weft_reps_clocked_write, weft_reps_clock, weft_reps_clocked_free);
        block!(calls, rng, weft_smartt_new(4), weft_smartt_write, weft_smartt_read, weft_smartt_step, weft_smartt_free;
            weft_smartt_clocked_new(4), weft_smartt_clocked_write, weft_smartt_clock, weft_smartt_clocked_free);
        block!(calls, rng, weft_sack_rx_new(4), weft_sack_rx_write, weft_sack_rx_read, weft_sack_rx_step, weft_sack_rx_free;
            weft_sack_rx_clocked_new(4), weft_sack_rx_clocked_write, weft_sack_rx_clock, weft_sack_rx_clocked_free);
        block!(calls, rng, weft_sack_tx_new(4), weft_sack_tx_write, weft_sack_tx_read, weft_sack_tx_step, weft_sack_tx_free;
            weft_sack_tx_clocked_new(4), weft_sack_tx_clocked_write, weft_sack_tx_clock, weft_sack_tx_clocked_free);
        let sender = weft_sack_tx_new(4);
        for _ in 0..CALLS {
            calls.is("weft_sack_tx_step", weft_sack_tx_step(sender, &odd(&mut rng), &mut zeroed()));
            calls.is("weft_sack_tx_send", weft_sack_tx_send(sender, odd(&mut rng), &mut zeroed()));
            let (connection, now) = (rng.below(5), odd(&mut rng));
            calls.is("weft_sack_tx_timer", weft_sack_tx_timer(sender, connection, now, &mut zeroed()));
        }
        weft_sack_tx_free(sender);
        let clocked = weft_nic_clocked_new(4);
        for _ in 0..CALLS {
            calls.is("weft_nic_clock", weft_nic_clock(clocked, &odd(&mut rng), &mut zeroed()));
        }
        weft_nic_clocked_free(clocked);
    }
}

/// Calls functions of a NIC, and those of a scoreboard with its NIC.
fn nics(calls: &mut Calls, rng: &mut Rng) {
    unsafe {
        let board = weft_scoreboard_new(4);
        let nics = [weft_nic_new(4), weft_scoreboard_nic(board)];
        // Mostly the time moves on a little.
        let mut now = 0u64;
        let (mut frames, mut room) = (vec![vec![0u8; 60]], vec![0u8; 16_384]);
        for call in 0..20 * CALLS {
            now = now.saturating_add(if call % 4_000 == 3_999 { odd(rng) } else { rng.below(40).into() });
            let (nic, connection) = (nics[rng.index(2)], rng.below(5));
            let mut frame = frames[rng.index(frames.len())].clone();
            if rng.below(3) > 0 {
                let at = rng.index(frame.len());
                frame[at] = odd(rng);
            }
            let (data, bytes) = (frame.as_ptr(), rng.index(frame.len() + 1));
            let mut word = 0u8;
            let code = match rng.below(30) {
                0 => weft_nic_write(nic, offset(rng), odd(rng), now),
                1 => weft_nic_read(nic, offset(rng).wrapping_add(0x1000 * rng.below(2)), &mut 0),
                2 | 3 => weft_nic_open(nic, connection, &odd(rng), now),
                4 => weft_nic_close(nic, connection, now),
                5 => weft_nic_drain(nic, connection, now),
                6 => weft_nic_path_ok(nic, connection, now),
                7 => weft_nic_buffer(nic, connection, odd(rng), now),
                8 => weft_nic_seed(nic, odd(rng), now),
                9 => weft_nic_state(nic, connection, &mut word),
                10 => weft_nic_event(nic, &mut 0, &mut word),
                11 | 12 => weft_nic_work(nic, connection, &odd(rng), now),
                13 => weft_nic_bypass(nic, data, bytes),
                14 | 15 => weft_nic_receive(nic, data, bytes, odd(rng), now, &mut zeroed()),
                16 => weft_nic_received(nic, &mut zeroed()),
                17 => weft_nic_sent(nic, &mut zeroed()),
                18 => weft_nic_deadline(nic, now, &mut 0),
                19 => weft_scoreboard_work(board, connection, &odd(rng), now),
                20 => weft_scoreboard_receive(board, data, bytes, odd(rng), now),
                21 => weft_scoreboard_bypass(board, data, bytes),
                22 => weft_scoreboard_frame(board, data, bytes, now),
                23 => weft_scoreboard_bypassed(board, data, bytes, odd(rng)),
                24 => weft_scoreboard_fetch(board, connection, odd(rng), odd(rng), now),
                25 => weft_scoreboard_read(board, data, bytes),
                26 => weft_scoreboard_write(board, connection, odd(rng), data, bytes),
                27 => weft_scoreboard_event(board, connection, odd(rng), now),
                28 => weft_scoreboard_counter(board, 0x1000 + 4 * rng.below(200), odd(rng), now),
                _ => weft_scoreboard_settle(board, now),
            };
            calls.is("a function of the NIC", code);
            calls.is("weft_scoreboard_received", weft_scoreboard_received(board, &odd(rng), now));
            calls.is("weft_scoreboard_sent", weft_scoreboard_sent(board, &odd(rng), now));
            // What the NIC sends comes back, changed.
            let mut outgoing: weft_outgoing = zeroed();
            let code = weft_nic_poll(nic, now, &mut outgoing);
            calls.is("weft_nic_poll", code);
            let mut length = 0;
            let payload = if code == WEFT_ONE { outgoing.payload_bytes as usize } else { rng.index(100) };
            let code = weft_nic_frame(
                nic,
                vec![7; payload].as_ptr(),
                payload,
                now,
                room.as_mut_ptr(),
                room.len(),
                &mut length,
            );
            calls.is("weft_nic_frame", code);
            if code == WEFT_ONE && length > 0 {
                let at = rng.index(8);
                frames.resize(8, vec![0; 60]);
                frames[at] = room[..length].to_vec();
            }
        }
        weft_nic_free(nics[0]);
        weft_scoreboard_free(board);
    }
}

fn fabrics(calls: &mut Calls, rng: &mut Rng) {
    let setup = "topology = { kind = 'leaf-spine', leaves = 2, spines = 2, hosts_per_leaf = 2 }\nscheme = { name = 'ecmp' }\n\
                 workload = { kind = 'none' }\n";
    unsafe {
        let fabric =
            weft_fabric_new(setup.as_ptr().cast(), setup.len(), std::ptr::null(), std::ptr::null(), 0);
        for _ in 0..CALLS {
            let (source, destination) = (rng.below(5), rng.below(5));
            let bytes = if rng.below(3) > 0 { rng.below(9_000).into() } else { odd(rng) };
            // Flows of terabytes are possible, and would last.
            let bytes = if bytes > 1 << 20 { bytes | 1 << 60 } else { bytes };
            calls.is(
                "weft_fabric_send",
                weft_fabric_send(fabric, source, destination, bytes, odd(rng), odd(rng)),
            );
            calls.is("weft_fabric_connect", weft_fabric_connect(fabric, source, destination, odd(rng)));
            let until = weft_fabric_now_ps(fabric).saturating_add(rng.below(1 << 22).into());
            let mut done: [weft_done; 4] = zeroed();
            calls.is(
                "weft_fabric_advance",
                weft_fabric_advance(fabric, until, done.as_mut_ptr(), rng.index(5), &mut 0),
            );
            calls.is("weft_fabric_is_idle", weft_fabric_is_idle(fabric));
            calls.is("weft_fabric_late", weft_fabric_late(fabric, &mut zeroed()));
        }
        calls.is("weft_fabric_report", weft_fabric_report(fabric, &mut std::ptr::null(), &mut 0));
        weft_fabric_free(fabric);
    }
}

pub(crate) fn nothing_panics() {
    for seed in 1..=SEEDS {
        let (mut calls, mut rng) = (Calls { seed, good: 0, refused: 0 }, Rng::new(seed));
        blocks(&mut calls, &mut rng);
        nics(&mut calls, &mut rng);
        fabrics(&mut calls, &mut rng);
        let Calls { good, refused, .. } = calls;
        println!("seed {seed}: {good} results, {refused} refusals");
        assert!(good > 1_000 && refused > 1_000, "seed {seed}: {good} results, {refused} refusals");
    }
}
