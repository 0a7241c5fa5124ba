//! The run: senders, port and the light between them.

use super::port::{Departure, Fate, Port};
use super::sender::{Packet, Sender};
use super::{Controller, Incast, IncastError};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use weft_nic::block::smartt::{Event, Kind, Outcome};
use weft_params::{Network, ParamError, Sizing};
use weft_random::Rng;

/// The NIC's clock at the start: its low 20 bits, which the block sees, wrap soon after.
const FIRST_TICK: u64 = (1 << 20) - 1_000;

/// No incast takes so many times what it ideally takes.
const PATIENCE: u64 = 100;

/// What the network takes for what.
#[derive(Clone, Copy, Debug)]
pub(super) struct Times {
    link_gbps: u64,
    /// A full packet on a link.
    pub(super) packet_ps: u64,
    /// Light, and all else that takes time, from sender to port and from port to receiver and back.
    light_ps: [u64; 2],
    /// A packet of which nothing is heard for so long was dropped.
    rto_ps: u64,
    tick_ps: u64,
    queue_bytes: u64,
}

impl Times {
    pub(super) fn of(network: &Network) -> Result<Self, ParamError> {
        let Sizing { network, classes: [class, ..], .. } = network.sizing()?;
        let (link_gbps, queue_bytes) = (u64::from(network.link_gbps), u64::from(class.queue_bytes));
        let base_ps = 1_000 * u64::from(class.base_rtt_ns);
        let packet_ps = u64::from(network.mtu_bytes) * 8_000 / link_gbps;
        let light_ps = base_ps.saturating_sub(2 * packet_ps);
        Ok(Self {
            link_gbps,
            packet_ps,
            light_ps: [light_ps / 2, light_ps - light_ps / 2],
            // Nothing that comes back takes longer than through a full queue, which ends before a few packets.
            rto_ps: base_ps + queue_bytes * 8_000 / link_gbps + 4 * packet_ps,
            tick_ps: network.tick_ps.unwrap_or(1_000).into(),
            queue_bytes,
        })
    }

    fn on_link_ps(&self, bytes: u32) -> u64 {
        u64::from(bytes) * 8_000 / self.link_gbps
    }
}

/// An event of the block, with the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reaction {
    /// When it happened.
    pub time_ps: u64,
    /// What happened; the connection is the sender.
    pub event: Event,
    /// What the block made of it.
    pub outcome: Outcome,
}

/// The depth of the queue from a time on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depth {
    /// When it changed.
    pub time_ps: u64,
    /// Bytes of packets that wait.
    pub bytes: u64,
}

/// What became of one message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    /// When its first packet left.
    pub start_ps: u64,
    /// When its last ACK came back.
    pub end_ps: u64,
    /// Bytes acknowledged.
    pub acked_bytes: u32,
    /// Packets sent, each time counted.
    pub sent: u32,
    /// Packets acknowledged.
    pub acked: u32,
    /// Of them, marked.
    pub marked: u32,
    /// Packets trimmed.
    pub trimmed: u32,
    /// Packets dropped.
    pub dropped: u32,
}

/// What happened in an incast.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The incast.
    pub incast: Incast,
    /// Every event of the block, in order.
    pub reactions: Vec<Reaction>,
    /// The queue, whenever its depth changed.
    pub queue: Vec<Depth>,
    /// What became of the messages.
    pub flows: Vec<Flow>,
}

impl Run {
    /// On how many events this controller, after reset, gives another answer.
    pub fn differences(&self, controller: &mut impl Controller) -> Result<usize, IncastError> {
        let mut differences = 0;
        for reaction in &self.reactions {
            differences += usize::from(controller.react(&reaction.event)? != reaction.outcome);
        }
        Ok(differences)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    /// A sender begins.
    Start(u32),
    /// A sender's link is free.
    Free(u32),
    /// A packet comes to the port.
    Arrive(Packet),
    /// The port has sent what it was sending.
    Sent,
    /// A sender hears of its packet: it arrived, marked or not, or was trimmed.
    Heard { packet: Packet, trimmed: bool, marked: bool },
    /// A sender's timer of a packet expires.
    Timer(Packet),
}

struct Simulation<'a, C> {
    incast: &'a Incast,
    times: Times,
    controller: &'a mut C,
    rng: Rng,
    now_ps: u64,
    /// What will happen, by time; at the same time, in the order in which it was decided.
    agenda: BinaryHeap<Reverse<(u64, u64, What)>>,
    decided: u64,
    senders: Vec<Sender>,
    port: Port,
    port_is_busy: bool,
    run: Run,
}

pub(super) fn run(incast: &Incast, controller: &mut impl Controller) -> Result<Run, IncastError> {
    let times = Times::of(&incast.network)?;
    incast.check(times.packet_ps)?;
    let mut simulation = Simulation {
        incast,
        times,
        controller,
        rng: Rng::new(incast.seed),
        now_ps: 0,
        agenda: BinaryHeap::new(),
        decided: 0,
        senders: (0..incast.senders)
            .map(|flow| Sender::new(flow, incast.message_bytes, incast.network.mtu_bytes))
            .collect(),
        port: Port::new(times.queue_bytes, incast.network.trimming),
        port_is_busy: false,
        run: Run {
            incast: incast.clone(),
            reactions: Vec::new(),
            queue: vec![Depth { time_ps: 0, bytes: 0 }],
            flows: vec![Flow::default(); incast.senders as usize],
        },
    };
    for flow in 0..incast.senders {
        let start_ps = 1_000 * u64::from(simulation.rng.below(incast.start_spread_ns.max(1)));
        simulation.plan(start_ps, What::Start(flow));
    }
    simulation.play()?;
    Ok(simulation.run)
}

impl<C: Controller> Simulation<'_, C> {
    fn plan(&mut self, delay_ps: u64, what: What) {
        self.decided += 1;
        self.agenda.push(Reverse((self.now_ps + delay_ps, self.decided, what)));
    }

    fn play(&mut self) -> Result<(), IncastError> {
        let ideal_ps = self.times.on_link_ps(self.incast.message_bytes) * u64::from(self.incast.senders);
        let end_ps = PATIENCE * (ideal_ps + self.times.rto_ps) + 1_000_000_000;
        while let Some(Reverse((time_ps, _, what))) = self.agenda.pop() {
            if time_ps > end_ps {
                break;
            }
            self.now_ps = time_ps;
            match what {
                What::Start(flow) => self.start(flow)?,
                What::Free(flow) => {
                    self.senders[flow as usize].busy = false;
                    self.send(flow);
                }
                What::Arrive(packet) => self.arrive(packet),
                What::Sent => {
                    self.port_is_busy = false;
                    self.serve();
                }
                What::Heard { packet, trimmed, marked } => self.heard(&packet, trimmed, marked)?,
                What::Timer(packet) => self.lost(&packet, Kind::Timeout)?,
            }
        }
        if self.senders.iter().all(Sender::is_done) {
            Ok(())
        } else {
            Err(IncastError::Stuck { after_us: self.now_ps / 1_000_000 })
        }
    }

    fn start(&mut self, flow: u32) -> Result<(), IncastError> {
        self.run.flows[flow as usize].start_ps = self.now_ps;
        self.react(flow, Kind::Open, 0, 0, false)?;
        self.send(flow);
        Ok(())
    }

    /// Tells the block, and takes over the window that it answers.
    fn react(
        &mut self,
        flow: u32,
        kind: Kind,
        bytes: u32,
        rtt_ticks: u64,
        ecn: bool,
    ) -> Result<(), IncastError> {
        let sender = &mut self.senders[flow as usize];
        let event = Event {
            kind,
            connection: flow,
            class: 0,
            ecn,
            bytes,
            rtt_ticks: rtt_ticks.min(u16::MAX.into()) as u16,
            unacked_bytes: sender.in_flight_bytes(),
            now_ticks: (FIRST_TICK + self.now_ps / self.times.tick_ps) as u32,
        };
        let outcome = self.controller.react(&event)?;
        sender.cwnd_bytes = outcome.cwnd_bytes;
        self.run.reactions.push(Reaction { time_ps: self.now_ps, event, outcome });
        Ok(())
    }

    /// Sends a packet if the link is free and the window lets one out.
    fn send(&mut self, flow: u32) {
        let sender = &mut self.senders[flow as usize];
        if sender.busy {
            return;
        }
        let Some(packet) = sender.send(self.now_ps) else { return };
        let on_link_ps = self.times.on_link_ps(packet.bytes);
        sender.busy = true;
        self.run.flows[flow as usize].sent += 1;
        self.plan(on_link_ps, What::Free(flow));
        let jitter_ps = u64::from(self.rng.below(self.incast.jitter_ps + 1));
        self.plan(on_link_ps + self.times.light_ps[0] + jitter_ps, What::Arrive(packet));
        if !self.incast.network.trimming {
            self.plan(self.times.rto_ps, What::Timer(packet));
        }
    }

    fn arrive(&mut self, packet: Packet) {
        let flow = &mut self.run.flows[packet.flow as usize];
        match self.port.arrive(packet) {
            Fate::Queued => self.note_depth(),
            Fate::Trimmed => flow.trimmed += 1,
            Fate::Dropped => flow.dropped += 1,
        }
        if !self.port_is_busy {
            self.serve();
        }
    }

    fn serve(&mut self) {
        let Some(departure) = self.port.depart(&mut self.rng) else { return };
        self.port_is_busy = true;
        self.note_depth();
        let on_link_ps = self.times.on_link_ps(departure.bytes());
        let Departure { packet, trimmed, marked } = departure;
        self.plan(on_link_ps, What::Sent);
        self.plan(on_link_ps + self.times.light_ps[1], What::Heard { packet, trimmed, marked });
    }

    fn note_depth(&mut self) {
        let depth = Depth { time_ps: self.now_ps, bytes: self.port.queued_bytes() };
        match self.run.queue.last_mut() {
            Some(last) if last.time_ps == depth.time_ps => *last = depth,
            Some(last) if last.bytes == depth.bytes => {}
            _ => self.run.queue.push(depth),
        }
    }

    fn heard(&mut self, packet: &Packet, trimmed: bool, marked: bool) -> Result<(), IncastError> {
        if trimmed {
            return self.lost(packet, Kind::Trim);
        }
        let sender = &mut self.senders[packet.flow as usize];
        if !sender.acknowledge(packet) {
            return Ok(());
        }
        let flow = &mut self.run.flows[packet.flow as usize];
        flow.acked += 1;
        flow.marked += u32::from(marked);
        flow.acked_bytes = sender.acked_bytes();
        if sender.is_done() {
            flow.end_ps = self.now_ps;
        }
        // Two readings of the clock, as the NIC does.
        let tick_ps = self.times.tick_ps;
        let rtt_ticks = self.now_ps / tick_ps - packet.sent_ps / tick_ps;
        self.react(packet.flow, Kind::Ack, packet.bytes, rtt_ticks, marked)?;
        self.send(packet.flow);
        Ok(())
    }

    fn lost(&mut self, packet: &Packet, kind: Kind) -> Result<(), IncastError> {
        if self.senders[packet.flow as usize].lose(packet) {
            self.react(packet.flow, kind, packet.bytes, 0, false)?;
            self.send(packet.flow);
        }
        Ok(())
    }
}
