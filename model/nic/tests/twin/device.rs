//! The clocked NIC with a host that always serves it, and its outputs.

use std::collections::VecDeque;
use weft_nic::nic::{AxilInputs, Inputs, Nic};
use weft_nic::words::{Beat, Place, Received, Sent, Work};
use weft_params::SackParams;

/// Connections of the NIC.
pub(crate) const CONNECTIONS: u32 = 4;

/// The words that a NIC has handed out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    /// Frames of ACKs and NACKs, by connection.
    pub(crate) replies: [Vec<Vec<u8>>; CONNECTIONS as usize],
    pub(crate) data: Vec<Vec<u8>>,
    /// Frames of other software that were sent, and frames of other software that arrived.
    pub(crate) others: Vec<Vec<u8>>,
    pub(crate) bypassed: Vec<(Vec<u8>, bool)>,
    pub(crate) fetches: Vec<(u32, Place)>,
    pub(crate) writes: Vec<(u32, Place, Vec<u8>)>,
    pub(crate) received: Vec<(u32, Received)>,
    pub(crate) sent: Vec<(u32, Sent)>,
}

impl Seen {
    /// A frame was sent.
    pub(crate) fn frame(&mut self, frame: Vec<u8>) {
        match frame.get(42) {
            _ if frame[12] != 8 => self.others.push(frame),
            Some(0x11) => self.replies[usize::from(frame[49] & 3)].push(frame),
            _ => self.data.push(frame),
        }
    }
}

/// A decision of the transport, and the clock from which the decision applies to packets that are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Decision {
    /// The congestion window changes.
    Window,
    /// A packet is sent.
    Send,
    /// Sends the second packet of a turn of this connection; the view chose it with the first packet.
    Second(u32),
}

/// Clocks from the decision about an event to its publication, and from the reading of the published state to the
/// decision about the packet that it chooses (rules 18 and 19 of `sack_tx.md`).
const PUBLISHED: i64 = 22;
const CHOSEN: i64 = 6;

/// The state of a connection in the transport: una, next, lost, unacked, window.
type Glance = [u128; 5];

pub(crate) struct Device {
    pub(crate) nic: Nic,
    /// Clocks since reset.
    pub(crate) clock: u64,
    /// Writes to registers that wait, and whether the first was accepted.
    writes: VecDeque<(u16, u32)>,
    written: bool,
    pub(crate) net: VecDeque<Beat>,
    pub(crate) bypass: VecDeque<Beat>,
    pub(crate) works: VecDeque<(u32, Work)>,
    reads: VecDeque<Beat>,
    coming: Vec<u8>,
    bypassing: Vec<u8>,
    writing: Vec<u8>,
    pub(crate) seen: Seen,
    pub(crate) decisions: Vec<(i64, Decision)>,
    glances: [Glance; CONNECTIONS as usize],
    /// The connection that sent last, and the time.
    sent: (u32, i64),
    /// The clock of the last action.
    active: u64,
    /// The data of a fetch, and whether the fetch fails.
    read: fn(u64, &Place) -> (Vec<u8>, bool),
    fetches: u64,
}

impl Device {
    pub(crate) fn new(read: fn(u64, &Place) -> (Vec<u8>, bool)) -> Self {
        Self {
            nic: Nic::new(SackParams { connections: CONNECTIONS }),
            clock: 0,
            writes: VecDeque::new(),
            written: false,
            net: VecDeque::new(),
            bypass: VecDeque::new(),
            works: VecDeque::new(),
            reads: VecDeque::new(),
            coming: Vec::new(),
            bypassing: Vec::new(),
            writing: Vec::new(),
            seen: Seen::default(),
            decisions: Vec::new(),
            glances: [[0; 5]; CONNECTIONS as usize],
            sent: (0, i64::MIN / 2),
            active: 0,
            read,
            fetches: 0,
        }
    }

    /// Begins writes to registers.
    pub(crate) fn registers(&mut self, writes: impl IntoIterator<Item = (u16, u32)>) {
        self.writes.extend(writes);
        self.active = self.clock;
    }

    /// Passes a frame from the network to both views.
    pub(crate) fn receive(&mut self, frame: &[u8], bad: bool) {
        let mut beats = Beat::frame(frame);
        if let Some(last) = beats.last_mut() {
            last.bad = bad;
        }
        self.net.extend(beats);
        self.active = self.clock;
    }

    /// Runs until the NIC was quiet for a number of clocks.
    pub(crate) fn settle(&mut self, quiet: u64) {
        self.active = self.clock;
        while self.clock - self.active < quiet {
            self.step();
        }
    }

    /// A clock.
    pub(crate) fn step(&mut self) {
        let out = *self.nic.outputs();
        let mut axil = AxilInputs::default();
        if let Some(&(offset, data)) = self.writes.front() {
            self.active = self.clock;
            if self.written {
                axil.write_ready = true;
                if out.axil.write_done {
                    assert_eq!(out.axil.write_response, 0, "register {offset:#x}");
                    self.writes.pop_front();
                    self.written = false;
                }
            } else {
                assert!(out.axil.write_address_ready && out.axil.write_data_ready);
                (axil.write_address, axil.write_data) = (Some(offset), Some((data, 0xF)));
                self.written = true;
            }
        }
        let net = self.net.pop_front();
        if net.is_some() {
            self.active = self.clock;
        }
        let inputs = Inputs {
            axil,
            net,
            net_ready: true,
            bypass: self.bypass.front().copied(),
            bypass_ready: true,
            work: self.works.front().copied(),
            fetch_ready: true,
            read: self.reads.front().copied(),
            write_ready: true,
            received_ready: true,
            sent_ready: true,
            buffer: None,
            event_ready: true,
            rst: false,
        };
        self.look(&out, &inputs);
        self.nic.clock(&inputs);
        self.clock += 1;
        self.decide();
    }

    fn look(&mut self, out: &weft_nic::nic::Outputs, inputs: &Inputs) {
        let seen = &mut self.seen;
        let mut active = false;
        if out.bypass_ready && inputs.bypass.is_some() {
            self.bypass.pop_front();
            active = true;
        }
        if out.work_ready && inputs.work.is_some() {
            self.works.pop_front();
            active = true;
        }
        if out.read_ready && inputs.read.is_some() {
            self.reads.pop_front();
            active = true;
        }
        if let Some((_, beat)) = out.net.get() {
            active = true;
            self.coming.extend(beat.bytes());
            if beat.last {
                seen.frame(std::mem::take(&mut self.coming));
            }
        }
        if let Some((_, beat)) = out.bypass.get() {
            active = true;
            self.bypassing.extend(beat.bytes());
            if beat.last {
                seen.bypassed.push((std::mem::take(&mut self.bypassing), beat.bad));
            }
        }
        if let Some((id, place)) = out.fetch.get() {
            active = true;
            seen.fetches.push((id, place));
            let (bytes, failed) = (self.read)(self.fetches, &place);
            self.fetches += 1;
            let mut beats = Beat::frame(&bytes);
            beats.last_mut().expect("a fetch has bytes").bad = failed;
            self.reads.extend(beats);
        }
        if let Some((id, write)) = out.write.get() {
            active = true;
            self.writing.extend(write.beat.bytes());
            if write.beat.last {
                seen.writes.push((id, write.place, std::mem::take(&mut self.writing)));
            }
        }
        active |= out.received.valid || out.sent.valid;
        seen.received.extend(out.received.get());
        seen.sent.extend(out.sent.get());
        if active {
            self.active = self.clock;
        }
    }

    /// The decisions of the transport in the clock before.
    fn decide(&mut self) {
        let clock = self.clock as i64;
        for (id, before) in (0..).zip(&mut self.glances) {
            let flow = self.nic.sender().sack_tx().flow(id);
            let published = &flow.published;
            let glance = [
                published.una.value(),
                published.next.value(),
                flow.lost.value(),
                flow.unacked.value(),
                flow.cwnd.value(),
            ];
            if glance == *before {
                continue;
            }
            let [una, next, lost, unacked, cwnd] = *before;
            let same = |fields: &[usize]| fields.iter().all(|&at| glance[at] == before[at]);
            let fresh = glance == [una, (next + 1) & 0xFF_FFFF, lost, unacked + 1, cwnd];
            let again = same(&[0, 1, 3, 4]) && glance[2] + 1 == lost;
            if fresh && self.sent.0 == id && clock < self.sent.1 + PUBLISHED {
                self.decisions.push((self.sent.1 - CHOSEN, Decision::Second(id)));
            } else if fresh || again {
                self.sent = (id, clock);
                self.decisions.push((clock - CHOSEN, Decision::Send));
            } else if same(&[0, 1, 2, 3]) {
                self.decisions.push((clock + PUBLISHED, Decision::Window));
            }
            *before = glance;
            self.active = self.clock;
        }
    }
}
