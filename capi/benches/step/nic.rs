//! The NIC of the transaction view: the calls of one of two NICs that send each other messages, recorded once,
//! then made through C and in Rust.

use crate::compare;
use ::weft_nic::nic::transaction::{Incoming, Nic, Outgoing};
use ::weft_nic::words::Work;
use std::collections::VecDeque;
use std::hint::black_box;
use weft::*;
use weft_params::SackParams;
use weft_params::registers::{NicCsr, Staged, offsets};
use weft_random::Rng;

const CONNECTIONS: u32 = 16;
/// Steps: work requests, frames that arrive, frames that leave.
const STEPS: usize = 20_000;
/// Messages of an end that are under way.
const UNDER_WAY: u32 = 32;
const REGION: u32 = 1 << 16;
const KEY: u32 = 7;
/// Room for any frame.
const ROOM: usize = 1 << 14;

enum Call {
    Work(u32, Work, weft_work),
    Receive(Vec<u8>),
    /// The next frame, if there is one, and completions.
    Poll,
}

/// The calls of end 0 with their times, and their number of frames that left.
struct Record {
    calls: Vec<(u64, Call)>,
    frames: usize,
}

fn address(end: u32) -> u32 {
    0x0A00_0001 + end
}

fn made(end: u32) -> Nic {
    let mut csr = NicCsr::default();
    csr.ingress.ipv4 = address(end);
    csr.egress.ipv4 = address(end);
    let mut nic = Nic::new(SackParams { connections: CONNECTIONS }, csr);
    for connection in 0..CONNECTIONS {
        let staged = Staged {
            peer_address: address(1 - end).into(),
            peer_pkey: Some(0xFFFF),
            peer_qp: connection,
            region_length: REGION,
            region_key: KEY,
            ..Staged::default()
        };
        nic.open(connection, &staged, 0);
    }
    nic
}

/// End 0 through C.
fn made_in_c() -> *mut weft_nic {
    let nic = weft_nic_new(CONNECTIONS);
    for offset in [offsets::INGRESS_IPV4, offsets::EGRESS_IPV4] {
        assert_eq!(unsafe { weft_nic_write(nic, offset.into(), address(0), 0) }, WEFT_OK);
    }
    let mut peer = weft_peer { region_length: REGION, region_key: KEY, pkey: 0xFFFF, ..weft_peer::default() };
    peer.address[12..].copy_from_slice(&address(1).to_be_bytes());
    for connection in 0..CONNECTIONS {
        peer.qp = connection;
        assert_eq!(unsafe { weft_nic_open(nic, connection, &peer, 0) }, WEFT_OK);
    }
    nic
}

/// The next frame of a NIC; the payload is the begin of `memory`.
#[inline]
fn next_frame(nic: &mut Nic, memory: &[u8], now: u64) -> Option<Vec<u8>> {
    let order = nic.poll(now)?;
    let fetch = if let Outgoing::Data(ordered) = &order { ordered.fetch } else { None };
    let bytes = fetch.map_or(0, |place| place.bytes.into());
    nic.frame(order, Some(&memory[..bytes]), now)
}

/// Two NICs, messages of so many bytes, and a network that keeps some frames back.
fn record(bytes: u32, memory: &[u8]) -> Record {
    let (mut nics, mut rng) = ([made(0), made(1)], Rng::new(7));
    let (mut wires, mut under_way) = ([const { VecDeque::<Vec<u8>>::new() }; 2], [0; 2]);
    let (mut record, mut steps) = (Record { calls: Vec::new(), frames: 0 }, 0);
    for now in 1.. {
        for end in 0..2 {
            let mut calls = Vec::new();
            if under_way[end] < UNDER_WAY {
                under_way[end] += 1;
                let (connection, id, immediate) = (rng.below(CONNECTIONS), now as u32, rng.draw() as u32);
                let work =
                    Work { key: KEY, length: bytes, immediate, id, with_immediate: true, ..Work::default() };
                let Work { local, remote, key, length, .. } = work;
                let given = weft_work { local, remote, key, length, immediate, id, with_immediate: 1 };
                nics[end].work(connection, &work, now);
                calls.push(Call::Work(connection, work, given));
            }
            let waiting = wires[end].len() as u32;
            if waiting > rng.below(16) {
                let frame = wires[end].remove(rng.below(4).min(waiting - 1) as usize).expect("a frame");
                assert!(matches!(nics[end].receive(&frame, false, now), Incoming::Taken { .. }));
                calls.push(Call::Receive(frame));
            }
            let frame = next_frame(&mut nics[end], memory, now);
            while nics[end].received().is_some() {}
            while nics[end].sent().is_some() {
                under_way[end] -= 1;
            }
            calls.push(Call::Poll);
            if end == 0 {
                record.frames += usize::from(frame.is_some());
                steps += calls.len() - usize::from(frame.is_none());
                record.calls.extend(calls.into_iter().map(|call| (now, call)));
            }
            wires[1 - end].extend(frame);
        }
        if steps >= STEPS {
            break;
        }
    }
    record
}

/// The frames that left.
fn in_rust(calls: &[(u64, Call)], memory: &[u8]) -> usize {
    let (mut nic, mut frames) = (made(0), 0);
    for (now, call) in black_box(calls) {
        match call {
            Call::Work(connection, work, _) => nic.work(*connection, work, *now),
            Call::Receive(frame) => {
                black_box(nic.receive(frame, false, *now));
            }
            Call::Poll => {
                frames += usize::from(black_box(next_frame(&mut nic, memory, *now)).is_some());
                while black_box(nic.received()).is_some() {}
                while black_box(nic.sent()).is_some() {}
            }
        }
    }
    frames
}

/// The frames that left.
fn through_c(calls: &[(u64, Call)], memory: &[u8]) -> usize {
    let (nic, mut frames) = (made_in_c(), 0);
    let (mut frame, mut length) = (vec![0; ROOM], 0);
    let (mut incoming, mut outgoing) = (weft_incoming::default(), weft_outgoing::default());
    let (mut received, mut sent) = (weft_received::default(), weft_sent::default());
    for &(now, ref call) in black_box(calls) {
        // SAFETY: every pointer is valid, and of this function alone.
        unsafe {
            match call {
                Call::Work(connection, _, work) => {
                    assert_eq!(weft_nic_work(nic, *connection, work, now), WEFT_OK);
                }
                Call::Receive(given) => {
                    let told = weft_nic_receive(nic, given.as_ptr(), given.len(), 0, now, &mut incoming);
                    assert_eq!(told, WEFT_OK);
                }
                Call::Poll => {
                    if weft_nic_poll(nic, now, &mut outgoing) == WEFT_ONE {
                        let bytes = outgoing.payload_bytes as usize;
                        let (from, to) = (memory[..bytes].as_ptr(), frame.as_mut_ptr());
                        let told = weft_nic_frame(nic, from, bytes, now, to, ROOM, &mut length);
                        frames += usize::from(told == WEFT_ONE);
                    }
                    while weft_nic_received(nic, &mut received) == WEFT_ONE {}
                    while weft_nic_sent(nic, &mut sent) == WEFT_ONE {}
                }
            }
        }
    }
    unsafe { weft_nic_free(nic) };
    frames
}

pub(crate) fn compare_calls(bytes: u32, size: &str) {
    let memory: Vec<u8> = (0..bytes).map(|at| at as u8).collect();
    let Record { calls, frames } = record(bytes, &memory);
    let polls = calls.iter().filter(|(_, call)| matches!(call, Call::Poll)).count();
    compare(
        &format!("NIC, messages of {size}"),
        calls.len() - polls + frames,
        || assert_eq!(through_c(&calls, &memory), frames),
        || assert_eq!(in_rust(&calls, &memory), frames),
    );
}
