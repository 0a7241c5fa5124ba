//! The run: senders, port and the delays between them.

use super::error::IncastError;
use super::port::{Departure, Port};
use super::record::{Depth, Flow, Reaction, Run};
use super::sender::{Packet, Sender};
use super::setting::Incast;
use crate::network::flight::Flight;
use weft_nic::block::window::{Event, Kind, Window};
use weft_params::{Network, ParamError, Sizing};
use weft_random::Rng;

/// Time of the NIC's clock at the start. The block sees the low 20 bits of this time, which wrap soon after.
const FIRST_TICK: u64 = (1 << 20) - 1_000;

/// A run fails after this multiple of its ideal time.
const PATIENCE: u64 = 100;

/// Delays of the network.
#[derive(Clone, Copy, Debug)]
pub(super) struct Times {
    link_gbps: u64,
    /// Time of a full packet on a link.
    pub(super) packet_ps: u64,
    /// Propagation and processing time from sender to port, and from port to receiver and back.
    light_ps: [u64; 2],
    /// Time without an answer after which a packet counts as dropped.
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
            // No answer takes longer than through a full queue, which a few packets bound.
            rto_ps: base_ps + queue_bytes * 8_000 / link_gbps + 4 * packet_ps,
            tick_ps: network.tick_ps.unwrap_or(1_000).into(),
            queue_bytes,
        })
    }

    fn on_link_ps(&self, bytes: u32) -> u64 {
        u64::from(bytes) * 8_000 / self.link_gbps
    }
}

#[derive(Clone, Copy, Debug)]
enum What {
    /// A sender begins.
    Start(u32),
    /// The link of a sender becomes free.
    Free(u32),
    /// A packet arrives at the port.
    Arrive(Packet),
    /// The port has finished a packet.
    Sent,
    /// A sender gets the answer for a packet: it arrived, marked or not, or was trimmed.
    Heard { packet: Packet, trimmed: bool, marked: bool },
    /// A sender's timer for a packet expires.
    Timer(Packet),
}

struct Simulation<'a, W> {
    incast: &'a Incast,
    times: Times,
    window: &'a mut W,
    rng: Rng,
    now_ps: u64,
    /// Future events by time. Events at the same time keep the order in which they were planned.
    agenda: Flight<What>,
    senders: Vec<Sender>,
    port: Port,
    port_is_busy: bool,
    run: Run,
}

impl Incast {
    /// Runs the incast to its end with these windows. `window` is a block after reset with [`Incast::csr`]
    /// and at least one connection per sender.
    pub fn run<W: Window>(&self, window: &mut W) -> Result<Run, IncastError>
    where
        IncastError: From<W::Error>,
    {
        let times = Times::of(&self.network)?;
        self.check(times.packet_ps)?;
        self.has_connections(window)?;
        let mut simulation = Simulation {
            incast: self,
            times,
            window,
            rng: Rng::new(self.seed),
            now_ps: 0,
            agenda: Flight::new(),
            senders: (0..self.senders)
                .map(|flow| Sender::new(flow, self.message_bytes, self.network.mtu_bytes))
                .collect(),
            port: Port::new(times.queue_bytes, self.network.trimming),
            port_is_busy: false,
            run: Run {
                incast: self.clone(),
                reactions: Vec::new(),
                queue: vec![Depth { time_ps: 0, bytes: 0 }],
                flows: vec![Flow::default(); self.senders as usize],
            },
        };
        for flow in 0..self.senders {
            let start_ps = 1_000 * u64::from(simulation.rng.below(self.start_spread_ns.max(1)));
            simulation.plan(start_ps, What::Start(flow));
        }
        simulation.play()?;
        Ok(simulation.run)
    }
}

impl<W: Window> Simulation<'_, W>
where
    IncastError: From<W::Error>,
{
    fn plan(&mut self, delay_ps: u64, what: What) {
        self.agenda.launch(self.now_ps + delay_ps, what);
    }

    fn play(&mut self) -> Result<(), IncastError> {
        let ideal_ps = self.times.on_link_ps(self.incast.message_bytes) * u64::from(self.incast.senders);
        let end_ps = PATIENCE * (ideal_ps + self.times.rto_ps) + 1_000_000_000;
        while let Some((time_ps, what)) = self.agenda.pop() {
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

    /// Gives an event to the block and applies the window of its answer.
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
            packets: 1,
            bytes,
            rtt_ticks: rtt_ticks.min(u16::MAX.into()) as u16,
            in_flight_bytes: sender.in_flight_bytes(),
            now_ticks: (FIRST_TICK + self.now_ps / self.times.tick_ps) as u32,
        };
        let outcome = self.window.event(&event)?;
        sender.cwnd_bytes = outcome.cwnd_bytes;
        self.run.reactions.push(Reaction { time_ps: self.now_ps, event, outcome });
        Ok(())
    }

    /// Sends a packet if the link is free and the window has space.
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
        let fate = self.port.arrive(packet);
        flow.trimmed += u32::from(fate.trimmed);
        flow.dropped += u32::from(fate.dropped);
        if !fate.trimmed && !fate.dropped {
            self.note_depth();
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
        // The difference of two readings of the clock, as the NIC measures it.
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
