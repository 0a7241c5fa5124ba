//! Latencies of the whole NIC, as its page states them: one packet to itself, without other traffic.

use crate::loopback::KEY;
use std::collections::VecDeque;
use weft_nic::nic::{Inputs, Nic};
use weft_nic::words::{Beat, Work};
use weft_params::SackParams;
use weft_system::nic::Driver;

/// The first clock of each stage of a message.
#[derive(Debug, Default)]
struct Times {
    work: Option<u64>,
    fetch: Option<u64>,
    read: Option<u64>,
    /// First and last word of each frame, on the wire.
    frames: Vec<(u64, u64)>,
    write: Option<u64>,
    received: Option<u64>,
    sent: Option<u64>,
}

/// Runs a message of one packet, posted `clocks` clocks after the connection was opened.
fn times(bytes: u32, clocks: u64) -> Times {
    let mut nic = Nic::new(SackParams { connections: 4 });
    let mut driver = crate::loopback::driver(8192, 0, bytes);
    let work =
        Work { local: 0, remote: 0, key: KEY, length: bytes, immediate: 9, id: 3, with_immediate: true };
    let mut times = Times::default();
    let (mut read, mut wire, mut begin, mut idle) = (VecDeque::new(), None, None, 0);
    nic.clock(&Inputs { rst: true, ..Inputs::default() });
    for cycle in 0..20_000 {
        let outputs = *nic.outputs();
        let mut inputs = Inputs {
            axil: driver.poll(&outputs.axil).unwrap(),
            net: wire.take(),
            read: read.front().filter(|(due, _)| *due <= cycle).map(|(_, beat)| *beat),
            ..Inputs::taking()
        };
        idle += u64::from(driver.is_idle());
        if idle > OPENED + clocks && times.work.is_none() {
            inputs.work = Some((0, work));
            times.work = outputs.work_ready.then_some(cycle);
        }
        if inputs.read.is_some() && outputs.read_ready {
            read.pop_front();
            times.read = Some(cycle);
        }
        if let Some((_, place)) = outputs.fetch.get() {
            times.fetch.get_or_insert(cycle);
            let beats = Beat::frame(&vec![0x5A; place.bytes.into()]);
            read.extend(beats.into_iter().map(|beat| (cycle + DMA, beat)));
        }
        wire = outputs.net.get().map(|(_, beat)| beat);
        if let Some(beat) = wire {
            let first = *begin.get_or_insert(cycle);
            if beat.last {
                times.frames.push((first, cycle));
                begin = None;
            }
        }
        if outputs.write.valid {
            times.write.get_or_insert(cycle);
        }
        if outputs.received.valid {
            times.received.get_or_insert(cycle);
        }
        if outputs.sent.valid {
            times.sent = Some(cycle);
            return times;
        }
        nic.clock(&inputs);
    }
    panic!("no completion: {times:?}");
}

#[test]
fn latencies_of_the_page() {
    for bytes in [64, 8192] {
        // The transport's scanner and its scheduler go round: a request finds them where they are.
        let mut fetch = (u64::MAX, 0);
        for clocks in 0..PHASES {
            let times = times(bytes, clocks);
            println!("{bytes} bytes: {times:?}");
            let since = |later: Option<u64>, earlier: Option<u64>| {
                later.zip(earlier).map(|(later, earlier)| later - earlier)
            };
            let [data, ack] = times.frames[..] else { panic!("{times:?}") };
            // Work request to DMA read request; its last word of data to the frame.
            let wait = since(times.fetch, times.work).expect("a DMA read request");
            fetch = (fetch.0.min(wait), fetch.1.max(wait));
            assert_eq!(since(Some(data.0), times.read), Some(FRAME));
            // Wire to wire: the last word of data in to the first word of its ACK out (the wire takes a clock).
            assert_eq!(ack.0 - (data.1 + 1), ACK);
            assert_eq!(since(times.write, Some(data.1 + 1)), Some(WRITE));
            assert_eq!(since(times.sent, Some(ack.1 + 1)), Some(SENT));
            assert!(times.received.is_none_or(|at| Some(at) > times.write));
        }
        assert_eq!(fetch, FETCH);
    }
}

/// Clocks for which the transport accepts no event behind an OPEN, with a margin.
const OPENED: u64 = 64;
/// Number of clocks in which the message is posted, one by one.
const PHASES: u64 = 100;
/// Clocks from a DMA read request to its data: a faster host would not help, because the order takes the same
/// time through egress.
const DMA: u64 = 5;
/// Clocks from a work request to its DMA read request, at least and at most.
pub(crate) const FETCH: (u64, u64) = (87, 88);
/// Clocks from the last word of DMA read data to the frame's first word.
pub(crate) const FRAME: u64 = 22;
/// Clocks from a data frame's last word in to its ACK's first word out.
const ACK: u64 = 77;
/// Clocks from a data frame's last word in to the first word for host memory.
pub(crate) const WRITE: u64 = 56;
/// Clocks from an ACK's last word in to the completion of its message.
pub(crate) const SENT: u64 = 71;
