//! A host with the transaction view whose packets leave about as late as those of the Verilog. All packets
//! leave at the edge of a clock. Data packets leave later by the time of a work request and of their words,
//! and are chosen at the time when the wire becomes free. Runs with such hosts separate the effect of
//! lateness from the rest of a difference.

use super::timing::Timing;
use std::collections::VecDeque;
use std::sync::Arc;
use weft_fabric::host::cargo::{Cargo, Hold};
use weft_fabric::host::nic::{NicHost, Shared};
use weft_fabric::host::{Endpoint, NEVER, Signal, Told};
use weft_fabric::packet::{CONTROL, Packet};

/// The late host.
pub(super) struct LateHost {
    host: NicHost,
    timing: Timing,
    /// Time from the choice of a packet to its read data.
    work_ps: u64,
    /// The host had no packet to send, and no event has occurred since.
    is_idle: bool,
    /// Earliest time at which the next packet is chosen.
    free_ps: u64,
    /// Chosen packets and the times at which they leave: data, and answers, which do not wait for DMA.
    data: VecDeque<(u64, Packet)>,
    answers: VecDeque<(u64, Packet)>,
    /// Time up to which the engine has got the leaving packets.
    told_ps: u64,
}

impl LateHost {
    pub(super) fn new(number: u32, shared: &Arc<Shared>, timing: Timing) -> Self {
        let (mut at_once, work_ps) = (Shared::clone(shared), shared.work_ps);
        at_once.work_ps = 0;
        let host = NicHost::new(number, &Arc::new(at_once));
        let (data, answers) = Default::default();
        Self { host, timing, work_ps, is_idle: true, free_ps: 0, data, answers, told_ps: 0 }
    }

    /// Time at which the next packet is chosen.
    fn chooses(&self) -> u64 {
        if self.is_idle { NEVER } else { self.free_ps }
    }

    /// Chooses packets up to a time.
    fn choose(&mut self, desk: &mut Hold, now_ps: u64) {
        while self.chooses() <= now_ps {
            let at_ps = self.free_ps;
            let Some(packet) = self.host.poll(desk, at_ps) else {
                self.is_idle = true;
                return;
            };
            self.free_ps = at_ps + self.timing.wire_ps(packet.bytes);
            let edge_ps = at_ps.next_multiple_of(self.timing.clock_ps);
            if packet.flags & CONTROL != 0 {
                self.answers.push_back((edge_ps, packet));
            } else {
                let words_ps = self.timing.words_ps(packet.bytes);
                self.data.push_back((edge_ps + self.work_ps + words_ps, packet));
            }
        }
    }

    /// Handles an event at a time: packets may be chosen again.
    fn stir(&mut self, desk: &mut Hold, now_ps: u64) {
        (self.is_idle, self.free_ps) = (false, self.free_ps.max(now_ps));
        self.choose(desk, now_ps);
    }
}

impl From<LateHost> for Told {
    fn from(it: LateHost) -> Self {
        it.host.into()
    }
}

impl Endpoint for LateHost {
    type Desk = Hold;
    type Body = Cargo;

    fn holds_ps(&self) -> [u64; 2] {
        [0; 2]
    }

    fn due(&self) -> u64 {
        let leaves = |queue: &VecDeque<(u64, Packet)>| {
            let told = queue.partition_point(|(at_ps, _)| *at_ps <= self.told_ps);
            queue.get(told).map_or(NEVER, |(at_ps, _)| *at_ps)
        };
        let leaves = leaves(&self.data).min(leaves(&self.answers));
        self.host.due().min(self.chooses()).min(leaves)
    }

    fn wake(&mut self, desk: &mut Hold, now_ps: u64) {
        self.choose(desk, now_ps);
        if self.host.due() <= now_ps {
            self.host.wake(desk, now_ps);
            self.stir(desk, now_ps);
        }
        self.told_ps = now_ps;
    }

    fn fetch(&self, desk: &Hold, packets: &[Packet]) {
        self.host.fetch(desk, packets);
    }

    fn fetch_behind(&self, desk: &Hold, packets: &[Packet]) {
        self.host.fetch_behind(desk, packets);
    }

    fn arrive(&mut self, desk: &mut Hold, packet: &Packet) {
        self.choose(desk, packet.time_ps);
        self.host.arrive(desk, packet);
        self.stir(desk, packet.time_ps);
        self.told_ps = packet.time_ps;
    }

    fn poll(&mut self, _: &mut Hold, now_ps: u64) -> Option<Packet> {
        let due = |queue: &VecDeque<(u64, Packet)>| queue.front().is_some_and(|(at_ps, _)| *at_ps <= now_ps);
        let queue = if due(&self.answers) { &mut self.answers } else { &mut self.data };
        if due(queue) { queue.pop_front().map(|(_, packet)| packet) } else { None }
    }

    fn finished(&self) -> u32 {
        self.host.finished()
    }

    fn expected(&self) -> u32 {
        self.host.expected()
    }

    fn signal(&mut self, signal: Signal) {
        self.host.signal(signal);
    }

    fn signals(&mut self) -> &mut Vec<Signal> {
        self.host.signals()
    }

    fn lose(desk: &mut Hold, packet: &Packet) -> Option<u32> {
        desk.lose(packet.word)
    }

    fn take(desk: &mut Hold, word: u32) -> Cargo {
        desk.take(word).copied()
    }

    fn put(desk: &mut Hold, body: Cargo) -> u32 {
        desk.put(body)
    }
}
