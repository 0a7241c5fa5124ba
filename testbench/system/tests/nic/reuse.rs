//! A host overwrites a message's memory as soon as it has the message's completion. No new byte may leave
//! (rule 8, and rule 12 of page `docs/blocks/egress.md`). The peer requests a packet again, waits until the
//! NIC reads it, and then acknowledges all packets.

use std::collections::VecDeque;
use weft_nic::nic::{Inputs, Outputs};
use weft_nic::words::{Beat, Status, Work};
use weft_params::SackParams;
use weft_params::registers::Op;
use weft_system::nic::{Device, Driver, Maker, View};
use weft_wire::headers::nack_reason;
use weft_wire::{Ack, Addresses, Body, Bth, Ecn, Envelope, Nack, frame, packet};

use crate::loopback::KEY;

/// Number of connections, as in `loopback`.
const CONNECTIONS: u32 = 4;
const MTU: u32 = 1024;
/// Packets of the message.
const PACKETS: u32 = 4;
/// Contents of the message's memory before the completion and after it.
const OURS: u8 = 0x5A;
const SECRET: u8 = 0xEE;
/// Queue pair of connection 0 and first PSN, as in `loopback`.
const QP: u32 = 8;
const PSN: u32 = 5;

/// End of the message while its packet is being read again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Acknowledged,
    Denied,
    Closed,
}

/// A frame for connection 0, or for the queue pair that the BTH names.
pub(crate) fn to_nic(bth: Bth, body: &Body<'_>, ev: u16) -> Vec<u8> {
    let own = std::net::Ipv4Addr::new(10, 0, 0, 1);
    let mac = [2, 0, 0, 0, 0, 1];
    let envelope = Envelope {
        dst_mac: mac,
        src_mac: mac,
        vlans: [None; 2],
        ip: Addresses::V4 { src: own, dst: own },
        dscp: 46,
        ecn: Ecn::NotEct,
        ttl: 63,
        source_port: ev,
    };
    frame::encode(&envelope, bth, body).expect("it is short")
}

fn nack(psn: u32, reason: u8) -> Vec<u8> {
    to_nic(Bth::acknowledge(QP, psn), &Body::Nack(Nack::new(psn, reason, 0xC000, 0)), 0xC000)
}

/// An ACK of everything up to this PSN.
fn ack(psn: u32) -> Vec<u8> {
    to_nic(Bth::acknowledge(QP, psn), &Body::Ack(Ack::new(psn, psn, 0xC000)), 0xC000)
}

/// Observations of a run.
#[derive(Debug, Default)]
struct Seen {
    completions: Vec<Status>,
    /// Clock of the first completion, and clocks from it to the last read.
    ended: Option<u64>,
    read_last: u64,
    /// Data frames, and the data frames with a byte that was not in the message's memory before the message
    /// ended.
    frames: u32,
    leaks: u32,
}

/// Runs a message of four packets whose second packet is requested again. Host memory answers the second read
/// of that packet `late` clocks after the completion, or after that many clocks if there is no completion.
/// With `fails` the read fails.
fn run(mut nic: impl Device, end: End, late: u64, fails: bool) -> Seen {
    let mut driver = crate::loopback::driver(MTU, 0, PACKETS * MTU);
    let work = Work { key: KEY, length: PACKETS * MTU, ..Work::default() };
    let mut seen = Seen::default();
    let (mut wire, mut coming) = (VecDeque::new(), Vec::new());
    let mut reads: VecDeque<(u64, u16)> = VecDeque::new();
    let (mut beats, mut fetched, mut posted, mut told) = (VecDeque::new(), 0, false, 0_u64);
    let mut closing = false;
    nic.clock(&Inputs { rst: true, ..Inputs::default() }).expect("it runs");
    for cycle in 0..40_000_u64 {
        let outputs: Outputs = *nic.outputs();
        if let Some((_, place)) = outputs.fetch.get() {
            fetched += 1;
            reads.push_back((cycle, place.bytes));
        }
        // The read for the packet that leaves again waits until the message has ended, or much longer.
        let again = fetched > PACKETS && reads.len() <= (fetched - PACKETS) as usize;
        let due = !again || seen.ended.map_or(cycle > 30_000, |ended| cycle >= ended + late);
        if beats.is_empty()
            && due
            && let Some((_, bytes)) = reads.pop_front()
        {
            let byte = if seen.ended.is_some() { SECRET } else { OURS };
            beats = Beat::frame(&vec![byte; bytes.into()]).into();
            if again
                && fails
                && let Some(last) = beats.back_mut()
            {
                last.bad = true;
            }
            seen.read_last = cycle;
        }
        if fetched > PACKETS && told == 0 {
            told = cycle + 40;
        }
        if told == cycle && cycle > 0 {
            match end {
                End::Acknowledged => wire.extend(Beat::frame(&ack(PSN + PACKETS - 1))),
                End::Denied => wire.extend(Beat::frame(&nack(PSN + 1, nack_reason::UNEXP_EVENT))),
                End::Closed => closing = true,
            }
        }
        if closing && driver.is_idle() {
            driver.command(Op::Close, 0);
            closing = false;
        }
        let inputs = Inputs {
            axil: driver.poll(&outputs.axil).expect("registers answer"),
            net: wire.pop_front(),
            read: beats.front().copied(),
            work: (driver.is_idle() && !posted && cycle > 200).then_some((0, work)),
            ..Inputs::taking()
        };
        posted |= inputs.work.is_some() && outputs.work_ready;
        if inputs.read.is_some() && outputs.read_ready {
            beats.pop_front();
        }
        if let Some((_, sent)) = outputs.sent.get() {
            seen.completions.push(sent.status);
            seen.ended.get_or_insert(cycle);
        }
        if let Some((_, beat)) = outputs.net.get() {
            coming.push(beat);
            if beat.last {
                let bytes: Vec<u8> =
                    coming.drain(..).flat_map(|beat: Beat| beat.bytes().collect::<Vec<_>>()).collect();
                let parsed = packet::parse(&bytes).expect("a frame of ours");
                if let Body::Data(data) = &parsed.body {
                    seen.frames += 1;
                    seen.leaks += u32::from(data.payload.iter().any(|byte| *byte != OURS));
                    if seen.frames == PACKETS {
                        wire.extend(Beat::frame(&nack(PSN + 1, nack_reason::TRIMMED)));
                    }
                }
            }
        }
        nic.clock(&inputs).expect("it runs");
    }
    seen
}

fn holds(view: View) {
    let maker = Maker::new(SackParams { connections: CONNECTIONS }, view != View::Model).expect("it builds");
    for end in [End::Acknowledged, End::Denied, End::Closed] {
        for (late, fails) in [(0, false), (1, false), (3, false), (500, false), (2_000, true)] {
            let seen = run(maker.device(view, 1).expect("a NIC"), end, late, fails);
            let status = match end {
                End::Acknowledged => Status::Done,
                End::Denied => Status::Denied,
                End::Closed => Status::Error,
            };
            assert_eq!(seen.completions, [status], "{end:?}, {late}: {seen:?}");
            assert!(seen.ended.is_some_and(|ended| seen.read_last >= ended), "{end:?}, {late}: {seen:?}");
            assert_eq!((seen.frames, seen.leaks), (PACKETS, 0), "{end:?}, {late}: {seen:?}");
        }
    }
}

#[test]
fn memory_that_the_host_has_back_is_not_sent() {
    holds(View::Model);
}

#[test]
fn memory_that_the_host_has_back_is_not_sent_by_the_rtl() {
    holds(View::Lockstep);
}
