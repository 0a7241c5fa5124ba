//! A block with open connections, valid frames for it, and the words that leave it.

use weft_nic::block::ingress::{Clocked, Inputs, Peer, Stats};
use weft_nic::words::Beat;
use weft_params::{IngressCsr, SackParams};
use weft_wire::headers::{Reth, Xeth};
use weft_wire::{Ack, Body, Bth, Data, Dscp, Ecn, Envelope, Nack, Trimmed, frame};

/// Connections of the block.
pub(crate) const CONNECTIONS: u32 = 16;
/// Address of the block.
const HERE: u32 = 0x0A00_0001;

/// Peer of a connection.
pub(crate) fn peer(connection: u32) -> Peer {
    Peer { open: true, v6: false, address: (HERE + 1 + connection).into(), vlan: 0, pkey: 0xFFFF }
}

fn words(connection: u32, control: bool, dscp: Option<u8>, psn: u32, body: &Body<'_>) -> Vec<Beat> {
    let mut envelope = Envelope::v4((HERE + 1 + connection).into(), HERE.into(), 7);
    if let Some(dscp) = dscp {
        envelope = envelope.marked(dscp, Ecn::Ect0);
    }
    let bth = if control { Bth::acknowledge(connection, psn) } else { Bth::data(connection, psn) };
    Beat::frame(&frame::encode(&envelope, bth, body).unwrap())
}

/// A data packet of `bytes` bytes.
pub(crate) fn data(connection: u32, psn: u32, bytes: usize) -> Vec<Beat> {
    let payload = vec![psn as u8; bytes];
    let reth = Reth::default().with_dma_length(bytes as u32);
    let body = Body::Data(Data { reth, immediate: None, xeth: Xeth::new(0, 0, 0), payload: &payload });
    words(connection, false, None, psn, &body)
}

/// A trimmed data packet: one word.
pub(crate) fn trimmed(connection: u32, psn: u32) -> Vec<Beat> {
    let rest = Trimmed { last_hop: false, reth: None, immediate: None, xeth: None, rest: &[] };
    words(connection, false, Some(Dscp::DEFAULT.trimmed), psn, &Body::Trimmed(rest))
}

/// An ACK of two words, the longest possible.
pub(crate) fn ack(connection: u32, psn: u32) -> Vec<Beat> {
    words(connection, true, None, psn, &Body::Ack(Ack::new(psn, psn, 0).with_bitmap([0; 4])))
}

/// A NACK, two words.
pub(crate) fn nack(connection: u32, psn: u32) -> Vec<Beat> {
    words(connection, true, None, psn, &Body::Nack(Nack::new(psn, 1, 0, 0)))
}

/// Streams that the block's neighbours accept in a clock.
#[derive(Clone, Copy)]
pub(crate) struct Takes {
    pub(crate) arrivals: bool,
    pub(crate) payload: bool,
    pub(crate) acknowledgements: bool,
}

/// All streams.
pub(crate) const ALL: Takes = Takes { arrivals: true, payload: true, acknowledgements: true };
/// No stream.
pub(crate) const NONE: Takes = Takes { arrivals: false, payload: false, acknowledgements: false };

/// The block and the words that left: PSN and clock.
pub(crate) struct Desk {
    pub(crate) block: Clocked,
    pub(crate) clock: u64,
    pub(crate) arrivals: Vec<(u32, u64)>,
    pub(crate) payloads: Vec<u64>,
    pub(crate) acknowledgements: Vec<(u32, u64)>,
}

impl Desk {
    /// A desk in which every connection is open.
    pub(crate) fn new() -> Self {
        let csr = IngressCsr { ipv4: HERE, ..IngressCsr::default() };
        let mut block = Clocked::new(SackParams { connections: CONNECTIONS }, csr);
        block.clock(&Inputs { rst: true, ..Inputs::default() });
        let (arrivals, payloads, acknowledgements) = Default::default();
        let mut desk = Self { block, clock: 0, arrivals, payloads, acknowledgements };
        for connection in 0..CONNECTIONS {
            let word = Some((connection, peer(connection)));
            while !desk.clock(None, word, NONE) {}
        }
        desk.clock = 0;
        desk
    }

    /// One clock. Returns whether the word for the peers was accepted.
    pub(crate) fn clock(&mut self, net: Option<Beat>, peer: Option<(u32, Peer)>, takes: Takes) -> bool {
        let outputs = *self.block.outputs();
        let now = self.clock;
        let arrival = outputs.arrival.get().filter(|_| takes.arrivals);
        self.arrivals.extend(arrival.map(|(_, word)| (word.psn, now)));
        let paid = outputs.payload.get().filter(|(_, beat)| takes.payload && beat.last);
        self.payloads.extend(paid.map(|_| now));
        let acknowledgement = outputs.acknowledgement.get().filter(|_| takes.acknowledgements);
        self.acknowledgements.extend(acknowledgement.map(|(_, word)| (word.trigger, now)));
        self.block.clock(&Inputs {
            rst: false,
            net,
            peer,
            arrival_ready: takes.arrivals,
            payload_ready: takes.payload,
            acknowledgement_ready: takes.acknowledgements,
            bypass_ready: true,
        });
        self.clock += 1;
        peer.is_some() && outputs.peer_ready
    }

    /// Words from the network, one per clock.
    pub(crate) fn send(&mut self, words: &[Beat], takes: Takes) {
        for word in words {
            self.clock(Some(*word), None, takes);
        }
    }

    /// Lets `clocks` clocks pass without a word from the network.
    pub(crate) fn idle(&mut self, clocks: u64, takes: Takes) {
        for _ in 0..clocks {
            self.clock(None, None, takes);
        }
    }

    /// The counters.
    pub(crate) fn stats(&self) -> Stats {
        self.block.outputs().stats
    }
}
