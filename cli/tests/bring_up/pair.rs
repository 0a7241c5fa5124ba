//! Two NICs on a wire, with hosts that post messages, answer DMA reads after a delay and write registers.

use std::collections::VecDeque;
use weft_nic::nic::{Inputs, Outputs};
use weft_nic::words::{Beat, Work};
use weft_params::registers::{Op, Staged, register};
use weft_random::Rng;
use weft_system::nic::{Access, AnyNic, Axil, Device, Maker, OVERHEAD, View};

/// A site of a NIC.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) gbps: u32,
    pub(crate) mhz: f64,
    /// Rate of the wire: number of bytes, in a number of clocks.
    pub(crate) wire: (i64, i64),
    pub(crate) dma_ns: u32,
}

/// Payload of a full packet, and of a message.
const MTU: u32 = 4_096;
const MESSAGE: u32 = 1 << 16;
const MESSAGES: u32 = 16;
/// Bytes of a packet besides its payload, and bytes of an ACK.
const HEADERS: u32 = 82;
const ACK: u32 = 122;
const KEY: u32 = 7;

impl Place {
    /// Time of a full packet and its ACK on the wire.
    pub(crate) fn on_wire_ns(&self) -> u32 {
        (8 * (MTU + HEADERS + ACK + 2 * OVERHEAD as u32)).div_ceil(self.gbps)
    }

    /// Maximum payload rate of the wire.
    pub(crate) fn payload_gbps(&self) -> f64 {
        f64::from(self.gbps) * f64::from(MTU) / f64::from(MTU + HEADERS + OVERHEAD as u32)
    }

    fn clocks(&self, ns: u32) -> u64 {
        (f64::from(ns) * self.mhz / 1e3).round() as u64
    }
}

/// A NIC with its host, and the wire in its output direction.
struct End {
    nic: AnyNic,
    bus: Axil,
    /// Accesses that wait, even while COMMAND is busy.
    accesses: VecDeque<Access>,
    answer: Option<u32>,
    reads: VecDeque<(u64, Beat)>,
    wire: VecDeque<(u64, Beat)>,
    /// Bytes that the wire must still send, multiplied by clocks.
    debt: i64,
    /// Bytes that the NIC has written, and the clock and these bytes at the end of the last packet.
    written: u64,
    packet_end: (u64, u64),
    unfinished: Vec<u32>,
    turn: u32,
    /// Clocks of delays by cause, as on the NIC's page: wire, reads, writes, completions, acks, work.
    holds: [u64; 6],
    /// Numbers of DMA reads and work requests in progress.
    reading: u32,
    working: u32,
}

pub(crate) struct Pair {
    ends: [End; 2],
    place: Place,
    latency: u64,
    clock: u64,
    tick_shift: u32,
    /// Number of the first NIC's connections on which that NIC posts messages.
    posts: u32,
    /// Length of the messages, and number of messages left.
    length: u32,
    left: u32,
    /// Random stalls of streams, if any.
    stalls: Option<Rng>,
}

/// Offset of a register.
pub(crate) fn offset(name: &str) -> u16 {
    register(name).unwrap_or_else(|| panic!("no register {name}")).offset
}

impl Pair {
    pub(crate) fn new(
        maker: &Maker,
        view: View,
        place: &Place,
        latency_ns: u32,
        bring_up: [Vec<(u16, u32)>; 2],
    ) -> Self {
        let connections = maker.params().connections;
        let shift = bring_up[0].iter().find(|(at, _)| *at == offset("tick_shift")).expect("the tick").1;
        let mut number = 0;
        let ends = bring_up.map(|writes| {
            let address = |number: u32| 0x0A00_0001 + number;
            let own = ["ingress_ipv4", "egress_ipv4"].map(|name| (offset(name), address(number)));
            let mut accesses: VecDeque<Access> =
                writes.into_iter().chain(own).map(|(at, value)| Access::Write(at, value)).collect();
            for connection in 0..connections {
                let staged = Staged {
                    peer_address: address(1 - number).into(),
                    peer_mac: 0x0200_0000_0002 - u64::from(number),
                    peer_qp: connection,
                    region_length: MESSAGE,
                    region_key: KEY,
                    ..Staged::default()
                };
                // The printed registers already set the seed.
                let staged = staged.writes().into_iter().filter(|(at, _)| *at != offset("seed"));
                accesses.extend(staged.map(|(at, value)| Access::Write(at, value)));
                accesses.push_back(Access::Write(offset("command"), Op::Open.command(connection)));
            }
            let mut nic = maker.device(view, 1 + u64::from(number)).expect("a NIC");
            for _ in 0..8 {
                nic.clock(&Inputs { rst: true, ..Inputs::default() }).expect("a reset");
            }
            number += 1;
            End {
                nic,
                bus: Axil::default(),
                accesses,
                answer: Some(1 << 31),
                reads: VecDeque::new(),
                wire: VecDeque::new(),
                debt: 0,
                written: 0,
                packet_end: (0, 0),
                unfinished: vec![0; connections as usize],
                turn: 0,
                holds: [0; 6],
                reading: 0,
                working: 0,
            }
        });
        let latency = place.clocks(latency_ns);
        Self {
            ends,
            place: *place,
            latency,
            clock: 0,
            tick_shift: shift,
            posts: 0,
            length: MESSAGE,
            left: 0,
            stalls: None,
        }
    }

    pub(crate) fn tick_ns(&self) -> f64 {
        f64::from(1u32 << self.tick_shift) * 1e3 / self.place.mhz
    }

    fn step(&mut self) {
        let (clock, place) = (self.clock, self.place);
        let due = |words: &VecDeque<(u64, Beat)>| {
            words.front().filter(|(due, _)| *due <= clock).map(|(_, beat)| *beat)
        };
        let arrivals = [1, 0].map(|from: usize| {
            let beat = due(&self.ends[from].wire);
            if beat.is_some() {
                self.ends[from].wire.pop_front();
            }
            beat
        });
        for (number, net) in arrivals.into_iter().enumerate() {
            let end = &mut self.ends[number];
            let outputs = *end.nic.outputs();
            // A wire that was idle sends no sooner than a clock before the first word arrives.
            end.debt = (end.debt - place.wire.0).max(-place.wire.0);
            let mut inputs = Inputs {
                axil: end.bus(&outputs.axil),
                net,
                net_ready: end.debt <= 0,
                read: due(&end.reads),
                ..Inputs::taking()
            };
            if let Some(rng) = &mut self.stalls {
                // One stream stalls for a time, then the next stream.
                let still = (clock / 512 * 7 + number as u64) % 5;
                let mut goes = |stream: u64| still != stream || rng.below(8) == 0;
                inputs.net_ready &= goes(0);
                inputs.fetch_ready = goes(1);
                inputs.write_ready = goes(2);
                (inputs.received_ready, inputs.sent_ready) = (goes(3), goes(3));
            }
            if number == 0 && self.posts > 0 && self.left > 0 && outputs.work_ready {
                let connection = end.turn % self.posts;
                end.turn += 1;
                if end.unfinished[connection as usize] < MESSAGES {
                    end.unfinished[connection as usize] += 1;
                    self.left -= 1;
                    inputs.work =
                        Some((connection, Work { key: KEY, length: self.length, ..Work::default() }));
                }
            }
            if outputs.read_ready && inputs.read.is_some() {
                end.reads.pop_front();
            }
            end.tally(&inputs, &outputs);
            if let Some((_, fetch)) = outputs.fetch.get().filter(|_| inputs.fetch_ready) {
                let due = clock + place.clocks(place.dma_ns);
                end.reads
                    .extend(Beat::frame(&vec![0x5A; fetch.bytes.into()]).into_iter().map(|beat| (due, beat)));
            }
            if let Some((_, beat)) = outputs.net.get().filter(|_| inputs.net_ready) {
                let bytes = i64::from(beat.keep.count_ones()) + if beat.last { OVERHEAD as i64 } else { 0 };
                end.debt += bytes * place.wire.1;
                // A word is available when the wire has carried its last byte.
                let carried = bytes * place.wire.1 / place.wire.0;
                end.wire.push_back((clock + carried as u64 + self.latency, beat));
            }
            if let Some((_, write)) = outputs.write.get().filter(|_| inputs.write_ready) {
                end.written += u64::from(write.beat.keep.count_ones());
                if write.beat.last {
                    end.packet_end = (clock, end.written);
                }
            }
            if let Some((connection, sent)) = outputs.sent.get().filter(|_| inputs.sent_ready) {
                assert_eq!(sent.status, Default::default(), "a message ended with an error");
                end.unfinished[connection as usize] -= 1;
            }
            end.nic.clock(&inputs).unwrap_or_else(|error| panic!("clock {clock}: {error}"));
        }
        self.clock += 1;
    }

    fn run(&mut self, clocks: u64) {
        (0..clocks).for_each(|_| self.step());
    }

    fn until(&mut self, done: impl Fn(&Self) -> bool) {
        let end = self.clock + 200_000;
        while !done(self) {
            assert!(self.clock < end, "it does not end");
            self.step();
        }
    }

    /// Runs until both are configured and their connections are open.
    pub(crate) fn settle(&mut self) {
        self.until(|pair| pair.ends.iter().all(End::is_settled));
    }

    /// Sends a full packet, and its ACK.
    pub(crate) fn send_one(&mut self) {
        (self.posts, self.length, self.left) = (1, MTU, 1);
        self.until(|pair| pair.left == 0 && pair.ends[0].unfinished[0] == 0);
    }

    /// Reads a register.
    pub(crate) fn read(&mut self, end: usize, name: &str) -> u32 {
        self.ends[end].accesses.push_back(Access::Read(offset(name)));
        self.until(|pair| pair.ends[end].is_settled());
        self.ends[end].answer.expect("it was read")
    }

    /// Runs with streams that stall, and compares the counters of clocks with the ports.
    pub(crate) fn hold_against_ports(&mut self, clocks: u64) {
        const CAUSES: [&str; 6] = ["wire", "reads", "writes", "completions", "acks", "work"];
        (self.posts, self.length, self.left) = (2, MESSAGE, 60);
        self.stalls = Some(Rng::new(46));
        self.run(clocks);
        self.until(|pair| pair.left == 0 && pair.ends[0].working == 0);
        for (cause, name) in CAUSES.into_iter().enumerate() {
            for end in 0..2 {
                let least = self.ends[end].holds[cause];
                let said = u64::from(self.read(end, &format!("holds_{name}")));
                // The counters lag by three clocks.
                let right = least.saturating_sub(3)..=self.ends[end].holds[cause];
                assert!(right.contains(&said), "{name} of {end}: {said}, {right:?}");
                // The second NIC posts no work and reads no data, and the first NIC gets no writes.
                let is_idle = [&[2][..], &[1, 3, 4]][end].contains(&cause);
                assert!(is_idle || least > 100, "{name} of {end} never held: {least}");
            }
        }
    }

    /// Bytes that arrive per clock after the warm-up, while the first NIC posts on a number of connections.
    ///
    /// The NIC writes a packet when all of it has arrived. So the measurement goes from the end of a packet to
    /// the end of another: any other clocks would hold up to one packet more than the wire carries meanwhile.
    pub(crate) fn goodput(&mut self, connections: u32, warm_up: u64, clocks: u64) -> f64 {
        (self.posts, self.length, self.left) = (connections, MESSAGE, u32::MAX);
        self.run(warm_up);
        let (begin, before) = self.ends[1].packet_end;
        self.run(clocks);
        let (end, after) = self.ends[1].packet_end;
        (after - before) as f64 / (end - begin) as f64
    }
}

impl End {
    fn is_settled(&self) -> bool {
        self.accesses.is_empty() && self.bus.is_idle() && self.answer.is_some_and(|value| value >> 31 == 0)
    }

    /// Counts the delays of a clock from the ports.
    fn tally(&mut self, inputs: &Inputs, outputs: &Outputs) {
        let is_quiet = !outputs.net.valid;
        let reads = self.reading > 0 || outputs.fetch.valid;
        let held = [
            outputs.net.valid && !inputs.net_ready,
            is_quiet && reads,
            outputs.write.valid && !inputs.write_ready,
            outputs.received.valid && !inputs.received_ready || outputs.sent.valid && !inputs.sent_ready,
            is_quiet && !reads && self.working > 0,
            is_quiet && !reads && self.working == 0,
        ];
        self.holds.iter_mut().zip(held).for_each(|(clocks, held)| *clocks += u64::from(held));
        self.reading += u32::from(outputs.fetch.valid && inputs.fetch_ready);
        self.reading -= u32::from(outputs.read_ready && inputs.read.is_some_and(|beat| beat.last));
        self.working += u32::from(outputs.work_ready && inputs.work.is_some());
        self.working -= u32::from(outputs.sent.valid && inputs.sent_ready);
    }

    /// A clock of the bus. After each write to COMMAND, and after reset, the host reads COMMAND until it is
    /// not busy.
    fn bus(&mut self, outputs: &weft_nic::nic::AxilOutputs) -> weft_nic::nic::AxilInputs {
        if self.bus.is_idle() {
            let is_busy = self.answer.is_none_or(|value| value >> 31 == 1);
            let next =
                if is_busy { Some(Access::Read(offset("command"))) } else { self.accesses.pop_front() };
            next.into_iter().for_each(|access| self.bus.push(access));
        }
        let (inputs, answer) = self.bus.clock(outputs).unwrap_or_else(|error| panic!("a register: {error}"));
        match answer {
            Some((Access::Write(at, _), _)) if at == offset("command") => self.answer = None,
            Some((Access::Read(_), value)) => self.answer = Some(value),
            _ => {}
        }
        inputs
    }
}
