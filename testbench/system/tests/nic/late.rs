//! A packet in transit for longer than time stamps reach, 2^16 ticks of 32 ns, does not count as a packet of
//! a fast path (rule 12 of page `docs/blocks/sender.md`). The same holds for a packet whose ACK waits that
//! long for the transport.

use crate::loopback::{KEY, QP_BASE, driver};
use crate::reuse::to_nic;
use std::collections::VecDeque;
use weft_nic::nic::{Inputs, Nic};
use weft_nic::words::{Beat, Work};
use weft_params::SackParams;
use weft_system::nic::Driver;
use weft_wire::{Ack, Body, Bth, packet};

/// Runs a message of one packet whose first frame needs `clocks` clocks. Frames that are sent again are lost.
/// Returns the smallest round-trip time that the NIC counts, in ticks, and their number.
fn answered_after(clocks: u64) -> (u16, u32) {
    let mut nic = Nic::new(SackParams { connections: 4 });
    let mut driver = driver(1024, 0, 1024);
    let work = Work { key: KEY, length: 1024, ..Work::default() };
    let (mut read, mut frame, mut wire) = (VecDeque::new(), Vec::new(), VecDeque::new());
    let (mut posted, mut data, mut ended) = (false, 0, false);
    nic.clock(&Inputs { rst: true, ..Inputs::default() });
    for cycle in 0..clocks + 20_000 {
        let outputs = *nic.outputs();
        let due = wire.front().is_some_and(|(due, _)| *due <= cycle);
        let work = (driver.is_idle() && !posted).then_some((0, work));
        let inputs = Inputs {
            axil: driver.poll(&outputs.axil).unwrap(),
            net: due.then(|| wire.pop_front().unwrap().1),
            read: read.front().copied(),
            work,
            ..Inputs::taking()
        };
        posted |= work.is_some() && outputs.work_ready;
        if inputs.read.is_some() && outputs.read_ready {
            read.pop_front();
        }
        if let Some((_, place)) = outputs.fetch.get() {
            read.extend(Beat::frame(&vec![0x5A; place.bytes.into()]));
        }
        if let Some((_, beat)) = outputs.net.get() {
            frame.push(beat);
            if beat.last {
                // Data has 1 KiB of payload, an ACK none.
                let is_data = frame.len() > 8;
                let delay = if is_data { clocks } else { 1 };
                if !is_data || data == 0 {
                    wire.extend(frame.iter().map(|beat| (cycle + delay, *beat)));
                }
                data += u32::from(is_data);
                frame.clear();
            }
        }
        ended |= outputs.sent.valid;
        nic.clock(&inputs);
    }
    assert!(ended, "the message ends after {data} packets");
    let rtt = nic.sender().outputs().counters.rtt;
    (rtt.smallest, rtt.bins.iter().sum())
}

#[test]
fn what_the_time_stamp_cannot_tell_is_told_as_the_longest() {
    // 1.2 ms: more than 37,500 ticks, above the largest time that a stamp can express.
    let (rtt, acks) = answered_after(300_000);
    assert_eq!((rtt, acks), (0x7FFF, 1));
    // 2.15 ms would be 53 us by the stamp alone: 1,650 ticks.
    let (rtt, acks) = answered_after(537_500);
    assert_eq!((rtt, acks), (0x7FFF, 1));
    // 0.2 ms are 6,250 ticks, and a few of the NIC's own.
    let (rtt, acks) = answered_after(50_000);
    assert!((6_250..6_300).contains(&rtt) && acks == 1, "{acks} of {rtt} ticks");
}

/// Clocks of the network, there and back: 440 ticks.
const NETWORK: u64 = 3_520;

/// The ACK of a data frame.
pub(crate) fn answer(frame: &[u8]) -> Option<Vec<u8>> {
    answer_marked(frame, false)
}

/// The answer to a frame; `mark`: it echoes a mark.
pub(crate) fn answer_marked(frame: &[u8], mark: bool) -> Option<Vec<u8>> {
    let parsed = packet::parse(frame).expect("a frame of ours");
    let Body::Data(data) = &parsed.body else { return None };
    let (psn, ev) = (parsed.psn(), parsed.envelope.source_port);
    let mut ack = Ack::new(psn, psn, ev);
    ack.cc_state = ack.cc_state.with_tx_timestamp(data.xeth.tx_timestamp());
    ack.seth = ack.seth.with_m(mark.into());
    let qp = QP_BASE + ((parsed.dest_qp() - QP_BASE) ^ 1);
    Some(to_nic(Bth::acknowledge(qp, psn), &Body::Ack(ack), ev))
}

/// The device that stops.
#[derive(Clone, Copy, Debug)]
enum Stop {
    /// The MAC accepts no word.
    Mac,
    /// The host accepts no completions.
    Host,
}

/// Runs messages of four connections to a peer that answers each packet. From some clock on, a stream stops
/// for `clocks` clocks. Returns the smallest round-trip time that the NIC counts, in ticks.
fn smallest_behind(stop: Stop, clocks: u64) -> u16 {
    let mut nic = Nic::new(SackParams { connections: 4 });
    let mut driver = driver(256, 0, 1 << 16);
    let work = Work { key: KEY, length: 1024, ..Work::default() };
    let (mut read, mut frame, mut wire) = (VecDeque::new(), Vec::new(), VecDeque::new());
    let (mut posted, mut ended) = (0_u32, 0_u32);
    nic.clock(&Inputs { rst: true, ..Inputs::default() });
    for cycle in 0..clocks + 40_000 {
        let outputs = *nic.outputs();
        let stopped = (20_000..20_000 + clocks).contains(&cycle);
        let due = wire.front().is_some_and(|(due, _)| *due <= cycle);
        // 16 of a connection may be outstanding.
        let work = (driver.is_idle() && cycle > 2_000).then_some((posted % 4, work));
        let inputs = Inputs {
            axil: driver.poll(&outputs.axil).unwrap(),
            net: due.then(|| wire.pop_front().unwrap().1),
            read: read.front().copied(),
            work,
            net_ready: !(matches!(stop, Stop::Mac) && stopped),
            sent_ready: !(matches!(stop, Stop::Host) && stopped),
            ..Inputs::taking()
        };
        posted += u32::from(work.is_some() && outputs.work_ready);
        if inputs.read.is_some() && outputs.read_ready {
            read.pop_front();
        }
        if let Some((_, place)) = outputs.fetch.get() {
            read.extend(Beat::frame(&vec![0x5A; place.bytes.into()]));
        }
        if let Some((_, beat)) = outputs.net.get().filter(|_| inputs.net_ready) {
            frame.extend(beat.bytes());
            if beat.last {
                let ack = answer(&std::mem::take(&mut frame));
                wire.extend(ack.iter().flat_map(|ack| Beat::frame(ack)).map(|beat| (cycle + NETWORK, beat)));
            }
        }
        ended += u32::from(outputs.sent.valid && inputs.sent_ready);
        nic.clock(&inputs);
    }
    assert!(ended > 100, "{ended} of {posted}");
    nic.sender().outputs().counters.rtt.smallest
}

#[test]
fn a_stop_of_the_transport_makes_no_round_trip_shorter() {
    // 2^16 ticks are 524,288 clocks; what waits from before is of a little longer ago.
    for stop in [Stop::Mac, Stop::Host] {
        for clocks in [10_000, 524_288 - 2_000, 2 * 524_288 - 2_000] {
            let rtt = smallest_behind(stop, clocks);
            assert!((440..520).contains(&rtt), "{rtt} ticks behind {clocks} clocks: {stop:?}");
        }
    }
}
