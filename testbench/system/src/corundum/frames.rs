//! Frames of the hosts besides those of the NIC: the frames that a host's own driver sends and receives.

use crate::network::seam::Frame;
use std::collections::VecDeque;
use weft_nic::words::Beat;
use weft_random::Rng;

/// The bit of a transmit tag that the host's driver sets. Frames of the NIC have tag 0.
const OF_HOST: u16 = 1 << 15;
/// Bytes of the longest frame.
const LONGEST: usize = 9_000;

/// Frames of one host.
pub(super) struct Frames {
    rng: Rng,
    /// Addresses of this host and of the peer host: MAC, IPv4.
    own: ([u8; 6], [u8; 4]),
    other: ([u8; 6], [u8; 4]),
    /// Words to be sent; whether the first word is offered.
    words: VecDeque<Beat>,
    pub(super) offered: bool,
    tag: u16,
    /// Frames that must be on the wire, and frames that must be passed to this host, each in order.
    on_wire: VecDeque<(Vec<u8>, u16)>,
    due: VecDeque<Vec<u8>>,
    /// Damaged frames of the NIC that arrived: they may look like frames of another host.
    damaged: Vec<Vec<u8>>,
    frame: Vec<u8>,
    /// Number of frames that arrived intact, and of frames of the NIC that arrived damaged.
    pub(super) came: u64,
    pub(super) strays: u64,
}

impl Frames {
    pub(super) fn new(own: ([u8; 6], [u8; 4]), other: ([u8; 6], [u8; 4]), rng: Rng) -> Self {
        Self {
            rng,
            own,
            other,
            words: VecDeque::new(),
            offered: false,
            tag: 0,
            on_wire: VecDeque::new(),
            due: VecDeque::new(),
            damaged: Vec::new(),
            frame: Vec::new(),
            came: 0,
            strays: 0,
        }
    }

    /// The word that the host offers in this clock; with `more` the host begins frames, one in some hundred
    /// clocks.
    pub(super) fn offer(&mut self, more: bool) -> Option<Beat> {
        if self.words.is_empty() && more && self.rng.chance(1, 500) {
            let longest = *self.rng.pick(&[60, 200, 1_514, LONGEST]);
            let frame = self.make(longest);
            self.tag = self.tag.wrapping_add(1) | OF_HOST;
            let user = u128::from(self.tag);
            self.words.extend(Beat::frame(&frame).into_iter().map(|beat| Beat { user, ..beat }));
            self.on_wire.push_back((frame, self.tag));
        }
        self.offered |= !self.rng.chance(1, 4);
        self.words.front().filter(|_| self.offered).copied()
    }

    /// Removes the word that was accepted.
    pub(super) fn taken(&mut self) {
        self.words.pop_front();
        self.offered = false;
    }

    /// Makes a frame: ARP, TCP, or RoCE for another host.
    fn make(&mut self, longest: usize) -> Vec<u8> {
        let mut frame = [&self.other.0[..], &self.own.0].concat();
        let mut rest = vec![0; 46 + self.rng.index(longest - 59)];
        self.rng.fill(&mut rest);
        let ip = |rest: &mut [u8], protocol: u8, from: [u8; 4], to: [u8; 4]| {
            rest[0] = 0x45;
            let bytes = rest.len() as u16;
            rest[2..4].copy_from_slice(&bytes.to_be_bytes());
            (rest[6], rest[9]) = (0x40, protocol);
            rest[12..16].copy_from_slice(&from);
            rest[16..20].copy_from_slice(&to);
        };
        match self.rng.below(3) {
            0 => frame.extend([0x08, 0x06]),
            1 => {
                ip(&mut rest, 6, self.own.1, self.other.1);
                frame.extend([0x08, 0x00]);
            }
            _ => {
                ip(&mut rest, 17, self.own.1, [192, 168, 7, 9]);
                rest[22..24].copy_from_slice(&4_791u16.to_be_bytes());
                frame.extend([0x08, 0x00]);
            }
        }
        frame.extend(rest);
        frame
    }

    /// Checks that a frame on the wire, with its tag, is the next one that this host sent.
    pub(super) fn is_on_wire(&mut self, frame: &Frame, tag: u16) -> Result<(), String> {
        let due = self.on_wire.pop_front();
        let is_due = due.is_some_and(|(bytes, own)| bytes == frame.bytes && own == tag && !frame.bad);
        is_due
            .then_some(())
            .ok_or(format!("a frame of the host with tag {tag:#x} leaves that is not the next"))
    }

    /// Records a frame of the peer host that reaches the card.
    pub(super) fn comes(&mut self, frame: &Frame) {
        if !frame.bad {
            self.due.push_back(frame.bytes.clone());
        }
    }

    /// Records a damaged frame of the NIC that reaches the card.
    pub(super) fn damaged(&mut self, frame: &Frame) {
        self.damaged.push(frame.bytes.clone());
    }

    /// The host accepts a word.
    pub(super) fn take(&mut self, beat: &Beat) -> Result<(), String> {
        self.frame.extend(beat.bytes());
        if !beat.last {
            return Ok(());
        }
        let frame = std::mem::take(&mut self.frame);
        if beat.bad {
            // A driver takes none with a wrong FCS.
        } else if self.due.front() == Some(&frame) {
            self.due.pop_front();
            self.came += 1;
        } else if let Some(at) = self.damaged.iter().position(|bytes| *bytes == frame) {
            self.damaged.swap_remove(at);
            self.strays += 1;
        } else {
            return Err(format!("the host is given a frame of {} bytes that is not the next", frame.len()));
        }
        Ok(())
    }

    /// Whether all frames to send and to deliver have passed.
    pub(super) fn is_done(&self) -> bool {
        self.words.is_empty() && self.on_wire.is_empty() && self.due.is_empty()
    }
}
