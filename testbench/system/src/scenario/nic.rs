//! The NIC at whose port the trace is captured, and the loop through the fabric.

use super::packets;
use super::paths::{Packet, Paths};
use super::receiver::{Arrival, Receiver};
use super::run::{Run, Stats};
use super::sender::Sender;
use super::settings::{ScenarioError, Settings, TICK_NS};
use crate::network::seam::Network;
use crate::trace::replay::seed_event;
use weft_nic::block::reps::{Event, Kind, Outcome, Reps};
use weft_wire::Frame;

struct Nic<'a> {
    settings: &'a Settings,
    reps: Reps,
    paths: Paths<'a>,
    senders: Vec<Sender>,
    receivers: Vec<Receiver>,
    now_ns: u64,
    port_free_ns: u64,
    /// The connection whose turn is next.
    turn: u32,
    frames: Vec<Frame>,
    events: Vec<Event>,
    stats: Stats,
}

impl Settings {
    /// Runs the scenario.
    pub fn run(&self) -> Result<Run, ScenarioError> {
        self.check()?;
        let first_psns: Vec<u32> = (0..self.connections).map(packets::first_psn).collect();
        let mut nic = Nic {
            settings: self,
            reps: Reps::new(self.params, self.csr),
            paths: Paths::new(self),
            senders: first_psns.iter().map(|psn| Sender::new(*psn, self.window, self.rto_ns)).collect(),
            receivers: first_psns.iter().map(|psn| Receiver::new(*psn)).collect(),
            now_ns: 0,
            port_free_ns: 0,
            turn: 0,
            frames: Vec::new(),
            events: Vec::new(),
            stats: Stats::default(),
        };
        nic.tell(seed_event(self.seed));
        nic.run()?;
        let Paths { lost, marked, .. } = nic.paths;
        let stats = Stats { lost, marked, end_ns: nic.now_ns, ..nic.stats };
        Ok(Run { frames: nic.frames, events: nic.events, comment: self.comment(), stats })
    }
}

impl Nic<'_> {
    /// Runs until the last ACK. An ACK that arrives as a packet leaves is handled first.
    fn run(&mut self) -> Result<(), ScenarioError> {
        loop {
            let ack_ns = self.paths.next_ns();
            match self.next_send() {
                Some((time_ns, connection)) if ack_ns.is_none_or(|ack_ns| time_ns < ack_ns) => {
                    self.now_ns = time_ns;
                    self.send(connection)?;
                }
                _ => {
                    let Some(ack_ns) = ack_ns else { return Ok(()) };
                    self.now_ns = ack_ns;
                    let mut arrived = Vec::new();
                    self.paths.poll(ack_ns, &mut |_, packet| arrived.push(packet));
                    arrived.iter().try_for_each(|packet| self.receive(packet))?;
                }
            }
        }
    }

    /// Time at which the next packet can leave, and its connection.
    fn next_send(&self) -> Option<(u64, u32)> {
        let (free_ns, count) = (self.now_ns.max(self.port_free_ns), self.settings.connections);
        let turns = (0..count).map(|i| (self.turn + i) % count);
        let ready = turns.filter_map(|connection| {
            let sender = &self.senders[connection as usize];
            Some((sender.ready_ns(free_ns, self.settings.duration_ns)?, connection))
        });
        ready.min_by_key(|(time_ns, _)| *time_ns)
    }

    /// Gives the block an event at the present time.
    fn event(&mut self, kind: Kind, connection: u32, about: Event) -> Outcome {
        let now_ticks = (self.now_ns / TICK_NS) as u32;
        self.tell(Event { kind, connection, now_ticks, ..about })
    }

    fn tell(&mut self, event: Event) -> Outcome {
        self.events.push(event);
        let outcome = self.reps.step(&event);
        self.stats.freezes += usize::from(outcome.turned && outcome.frozen);
        outcome
    }

    fn send(&mut self, connection: u32) -> Result<(), ScenarioError> {
        let sender = &mut self.senders[connection as usize];
        let is_new = sender.is_new();
        let packet = sender.take(self.now_ns);
        let nothing = seed_event(0);
        if is_new {
            let ev = packets::fixed_ev(connection, &self.settings.csr);
            self.event(Kind::Open, connection, Event { ev, ..nothing });
        }
        if packet.again {
            self.event(Kind::Timeout, connection, nothing);
            self.stats.retransmissions += 1;
        }
        let ev = self.event(Kind::Send, connection, nothing).ev;
        let data = packets::Data {
            connection,
            psn: packet.psn,
            again: packet.again,
            ev,
            tx_timestamp: (self.now_ns / TICK_NS) as u16,
            payload_len: self.settings.payload_len,
        };
        self.frames.push(Frame::new(self.now_ns, packets::data(&data)?));
        self.stats.sent += 1;
        self.turn = (connection + 1) % self.settings.connections;
        self.port_free_ns = self.now_ns + self.settings.port_ns;
        let arrival = Arrival {
            psn: packet.psn,
            ev,
            marked: false,
            tx_timestamp: data.tx_timestamp,
            payload_len: data.payload_len,
        };
        self.paths.send(self.port_free_ns, 0, Packet { connection, arrival });
        Ok(())
    }

    fn receive(&mut self, packet: &Packet) -> Result<(), ScenarioError> {
        let Packet { connection, arrival } = packet;
        let ack = self.receivers[*connection as usize].receive(arrival);
        self.frames.push(Frame::new(self.now_ns, packets::ack(*connection, ack)?));
        let sent = self.senders[*connection as usize].acknowledge(arrival.psn);
        let once = sent.filter(|packet| !packet.again);
        let rtt = once.map_or(0, |packet| (self.now_ns - packet.sent_ns) / TICK_NS);
        let rtt_ticks = rtt.min(u16::MAX.into()) as u16;
        let about = Event { ev: arrival.ev, ecn: arrival.marked, rtt_ticks, ..seed_event(0) };
        self.event(Kind::Ack, *connection, about);
        Ok(())
    }
}
