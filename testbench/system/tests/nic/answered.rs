//! A NIC at a peer that answers its data, and a host that reads its memory and posts messages: a clock at a time.

use crate::loopback::{KEY, driver};
use std::collections::VecDeque;
use weft_nic::nic::{Inputs, Nic, Outputs};
use weft_nic::words::{Beat, Work};
use weft_params::SackParams;
use weft_random::Rng;
use weft_system::nic::{Driver, RegisterDriver};

/// Number of connections in `loopback`.
pub(crate) const CONNECTIONS: u32 = 4;
/// Clocks of the network, there and back.
const NETWORK: u64 = 1_000;
/// Clocks of a DMA read.
const DMA: u64 = 60;

/// The NIC and its surroundings.
pub(crate) struct Answered {
    pub(crate) nic: Nic,
    driver: RegisterDriver,
    pub(crate) cycle: u64,
    reads: VecDeque<(u64, Beat)>,
    frame: Vec<u8>,
    wire: VecDeque<(u64, Beat)>,
    /// Messages posted, and those that have ended.
    pub(crate) posted: u32,
    pub(crate) ended: u32,
    /// The generator of everything that is drawn.
    pub(crate) rng: Rng,
}

impl Answered {
    /// Makes a NIC after reset and bring-up, with packets of `mtu` bytes.
    pub(crate) fn new(mtu: u32, seed: u64) -> Self {
        let mut nic = Nic::new(SackParams { connections: CONNECTIONS });
        nic.clock(&Inputs { rst: true, ..Inputs::default() });
        let (reads, wire) = (VecDeque::new(), VecDeque::new());
        Self {
            nic,
            driver: driver(mtu, 0, 1 << 20),
            cycle: 0,
            reads,
            frame: Vec::new(),
            wire,
            posted: 0,
            ended: 0,
            rng: Rng::new(seed),
        }
    }

    /// Software has brought the NIC up.
    pub(crate) fn is_up(&self) -> bool {
        self.driver.is_idle()
    }

    /// Whether the NIC gets no more input from the peer or the memory.
    pub(crate) fn is_quiet(&self) -> bool {
        self.posted == self.ended && self.wire.is_empty() && self.reads.is_empty()
    }

    /// Gives the NIC a frame after a number of clocks.
    pub(crate) fn send(&mut self, clocks: u64, frame: &[u8]) {
        let due = (self.cycle + clocks).max(self.wire.back().map_or(0, |(due, _)| *due));
        self.wire.extend(Beat::frame(frame).into_iter().map(|beat| (due, beat)));
    }

    /// Runs a clock. `takes` has the streams that the host and the MAC accept. Posts a message if there is
    /// one, and answers the frames that leave. Returns the ports of the clock.
    pub(crate) fn clock(
        &mut self,
        takes: Inputs,
        message: Option<u32>,
        mut answer: impl FnMut(&mut Rng, &[u8]) -> Option<Vec<u8>>,
    ) -> (Inputs, Outputs) {
        let outputs = *self.nic.outputs();
        let now = self.cycle;
        let due = |queue: &mut VecDeque<(u64, Beat)>| queue.front().copied().filter(|(due, _)| *due <= now);
        let work = message.map(|length| {
            (self.posted % CONNECTIONS, Work { key: KEY, length, with_immediate: true, ..Work::default() })
        });
        let inputs = Inputs {
            axil: self.driver.poll(&outputs.axil).expect("registers answer"),
            net: due(&mut self.wire).map(|(_, beat)| beat),
            read: due(&mut self.reads).map(|(_, beat)| beat),
            work,
            ..takes
        };
        self.posted += u32::from(work.is_some() && outputs.work_ready);
        self.ended += u32::from(outputs.sent.valid && inputs.sent_ready);
        inputs.net.map(|_| self.wire.pop_front());
        if inputs.read.is_some() && outputs.read_ready {
            self.reads.pop_front();
        }
        if let Some((_, place)) = outputs.fetch.get().filter(|_| inputs.fetch_ready) {
            let bytes = vec![0x5A; place.bytes.into()];
            self.reads.extend(Beat::frame(&bytes).into_iter().map(|beat| (now + DMA, beat)));
        }
        if let Some((_, beat)) = outputs.net.get().filter(|_| inputs.net_ready) {
            self.frame.extend(beat.bytes());
            if beat.last {
                let frame = std::mem::take(&mut self.frame);
                let back = answer(&mut self.rng, &frame);
                back.into_iter().for_each(|frame| self.send(NETWORK, &frame));
            }
        }
        self.nic.clock(&inputs);
        self.cycle += 1;
        (inputs, outputs)
    }
}
