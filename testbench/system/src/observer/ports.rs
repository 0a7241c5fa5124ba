//! The ports of the NIC: words that wait to be offered, streams that are held, and words that were seen.

use super::software::{Command, Software, Told};
use super::world::{Checked, Violation};
use crate::host::breach::Breach;
use crate::host::device::Device;
use crate::host::device::DeviceError;
use crate::host::dma::{Writes, Written};
use std::collections::VecDeque;
use weft_nic::nic::{Inputs, Outputs};
use weft_nic::words::{Beat, Place, Received, Sent, Work};
use weft_random::Rng;

/// The streams that the observer can hold separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(super) enum Stream {
    Read,
    Write,
    Sent,
    Received,
    Fetch,
    Net,
    Bypass,
    Work,
    Event,
}

impl Stream {
    pub(super) const ALL: [Self; 9] = [
        Self::Read,
        Self::Write,
        Self::Sent,
        Self::Received,
        Self::Fetch,
        Self::Net,
        Self::Bypass,
        Self::Work,
        Self::Event,
    ];
}

/// A transfer at a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// A frame from the MAC has entered, with the last word in this clock.
    Arrived { bytes: Vec<u8>, bad: bool },
    /// A frame for the MAC has left.
    Left { bytes: Vec<u8>, bad: bool },
    /// A frame for other software has left.
    Passed { bytes: Vec<u8>, bad: bool },
    /// A frame of other software has entered.
    Given { bytes: Vec<u8>, bad: bool },
    /// A work request has entered.
    Posted { index: u32, work: Work },
    /// A DMA read request.
    Fetched { index: u32, place: Place },
    /// A packet of read data has entered.
    Read { bad: bool },
    /// A packet for host memory.
    Written(Written),
    /// The completion of a received message.
    Received { index: u32, word: Received },
    /// The completion of a work request.
    Sent { index: u32, word: Sent },
    /// The host has reported the state of a buffer.
    Buffer { index: u32, word: u8 },
    /// The NIC has reported an event of a connection.
    Event { index: u32, word: u8 },
    /// The driver has made progress.
    Told(Told),
}

/// Frames cut into words. The bytes of a frame are stored until the NIC accepts the last word.
#[derive(Debug, Default)]
pub(super) struct Feed {
    frames: VecDeque<(Vec<u8>, bool)>,
    beats: VecDeque<Beat>,
}

impl Feed {
    pub(super) fn push(&mut self, bytes: Vec<u8>, bad: bool) {
        let beats = Beat::frame(&bytes).into_iter();
        self.beats.extend(beats.map(|beat| Beat { bad: beat.last && bad, ..beat }));
        self.frames.push_back((bytes, bad));
    }

    pub(super) fn words(&self) -> usize {
        self.beats.len()
    }

    fn front(&self) -> Option<Beat> {
        self.beats.front().copied()
    }

    /// The NIC has accepted the word. Returns the frame that ends with the word.
    fn taken(&mut self) -> Option<(Vec<u8>, bool)> {
        if self.beats.pop_front()?.last { self.frames.pop_front() } else { None }
    }
}

/// The NIC and the words that wait at its ports.
pub(super) struct Ports<D> {
    device: D,
    pub(super) clock: u64,
    pub(super) net: Feed,
    pub(super) bypass: Feed,
    pub(super) reads: Feed,
    pub(super) work: VecDeque<(u32, Work)>,
    pub(super) software: Software,
    /// Reports of the host on buffers.
    pub(super) buffers: VecDeque<(u32, u8)>,
    /// The clock until which each stream is held.
    pub(super) holds: [u64; 9],
    /// Clocks of 16 in which a stream stalls by chance.
    pub(super) stalls: u64,
    rng: Rng,
    /// Offered in the last clock and not accepted: read data, work, a word for the bypass.
    offered: [bool; 3],
    out: [Vec<u8>; 2],
    writes: Writes,
}

fn stream(breach: Breach) -> Violation {
    Violation { rule: '-', seen: breach.to_string() }
}

impl<D: Device> Ports<D> {
    pub(super) fn new(device: D, software: Software, stalls: u64, rng: Rng) -> Self {
        Self {
            device,
            clock: 0,
            net: Feed::default(),
            bypass: Feed::default(),
            reads: Feed::default(),
            work: VecDeque::new(),
            software,
            buffers: VecDeque::new(),
            holds: [0; 9],
            stalls,
            rng,
            offered: [false; 3],
            out: Default::default(),
            writes: Writes::default(),
        }
    }

    /// Clocks of reset.
    pub(super) fn reset(&mut self, clocks: u64) -> Checked {
        (0..clocks).try_for_each(|_| self.edge(&Inputs { rst: true, ..Inputs::default() }))
    }

    /// Lets `ticks` ticks pass at once, if the device supports this.
    pub(super) fn pass(&mut self, ticks: u32) -> bool {
        self.device.pass(ticks)
    }

    fn edge(&mut self, inputs: &Inputs) -> Checked {
        self.clock += 1;
        let rule = |error: &DeviceError| if matches!(error, DeviceError::Port(_)) { '-' } else { '=' };
        self.device.clock(inputs).map_err(|error| Violation { rule: rule(&error), seen: error.to_string() })
    }

    /// One clock. Appends the transfers of this clock to `seen`: data before the completions that report the
    /// data.
    pub(super) fn clock(&mut self, may_begin: impl Fn(&Command) -> bool, seen: &mut Vec<Seen>) -> Checked {
        let dice = if self.stalls == 0 { u64::MAX } else { self.rng.draw() };
        let open = |of: Stream| {
            let held = self.holds[of as usize] > self.clock;
            !held && (dice >> (4 * of as u64) & 15 >= self.stalls)
        };
        let out = *self.device.outputs();
        let mut told = Vec::new();
        let axil = self.software.clock(&out.axil, may_begin, &mut told)?;
        seen.extend(told.into_iter().map(Seen::Told));
        let [reading, working, giving] = self.offered;
        let inputs = Inputs {
            rst: false,
            axil,
            net: self.net.front(),
            net_ready: open(Stream::Net),
            bypass: self.bypass.front().filter(|_| giving || dice >> 60 >= self.stalls),
            bypass_ready: open(Stream::Bypass),
            work: self.work.front().copied().filter(|_| working || open(Stream::Work)),
            fetch_ready: open(Stream::Fetch),
            read: self.reads.front().filter(|_| reading || open(Stream::Read)),
            write_ready: open(Stream::Write),
            received_ready: open(Stream::Received),
            sent_ready: open(Stream::Sent),
            buffer: self.buffers.front().copied(),
            event_ready: open(Stream::Event),
        };
        self.hand_over(&out, &inputs, seen);
        self.take(&out, &inputs, seen)?;
        self.edge(&inputs)
    }

    /// Ports towards the NIC.
    fn hand_over(&mut self, out: &Outputs, inputs: &Inputs, seen: &mut Vec<Seen>) {
        self.offered = [
            inputs.read.is_some() && !out.read_ready,
            inputs.work.is_some() && !out.work_ready,
            inputs.bypass.is_some() && !out.bypass_ready,
        ];
        if inputs.work.is_some() && out.work_ready {
            seen.extend(self.work.pop_front().map(|(index, work)| Seen::Posted { index, work }));
        }
        if inputs.read.is_some() && out.read_ready {
            seen.extend(self.reads.taken().map(|(_, bad)| Seen::Read { bad }));
        }
        if out.buffer_ready
            && let Some((index, word)) = self.buffers.pop_front()
        {
            seen.push(Seen::Buffer { index, word });
        }
        if inputs.bypass.is_some() && out.bypass_ready {
            seen.extend(self.bypass.taken().map(|(bytes, bad)| Seen::Given { bytes, bad }));
        }
        seen.extend(self.net.taken().map(|(bytes, bad)| Seen::Arrived { bytes, bad }));
    }

    /// Ports from the NIC.
    fn take(&mut self, out: &Outputs, inputs: &Inputs, seen: &mut Vec<Seen>) -> Checked {
        let place = out.fetch.get().filter(|_| inputs.fetch_ready);
        seen.extend(place.map(|(index, place)| Seen::Fetched { index, place }));
        let word = out.write.get().filter(|_| inputs.write_ready);
        if let Some((index, word)) = word {
            seen.extend(self.writes.take(index, &word).map_err(stream)?.map(Seen::Written));
        }
        let word = out.received.get().filter(|_| inputs.received_ready);
        seen.extend(word.map(|(index, word)| Seen::Received { index, word }));
        let word = out.sent.get().filter(|_| inputs.sent_ready);
        seen.extend(word.map(|(index, word)| Seen::Sent { index, word }));

        let word = out.event.get().filter(|_| inputs.event_ready);
        seen.extend(word.map(|(index, word)| Seen::Event { index, word }));

        let [net, bypass] = &mut self.out;
        if let Some((_, beat)) = out.bypass.get().filter(|_| inputs.bypass_ready) {
            seen.extend(whole(bypass, &beat).map(|bytes| Seen::Passed { bytes, bad: beat.bad }));
        }
        if let Some((_, beat)) = out.net.get().filter(|_| inputs.net_ready) {
            seen.extend(whole(net, &beat).map(|bytes| Seen::Left { bytes, bad: beat.bad }));
        }
        Ok(())
    }
}

/// Appends a word. Returns the frame if the word ends one.
fn whole(bytes: &mut Vec<u8>, beat: &Beat) -> Option<Vec<u8>> {
    bytes.extend(beat.bytes());
    beat.last.then(|| std::mem::take(bytes))
}
