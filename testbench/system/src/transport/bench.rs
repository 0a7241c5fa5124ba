//! One clock for both blocks, the network between them, and the checkers.

mod receiver;
mod sender;
mod watch;
mod watched;

use super::breach::{Breach, Fault};
use super::buffers::Buffers;
use super::end::End;
use super::error::TransportError;
use super::figures::{Ending, Figures};
use super::host::{Host, Wish};
use super::ledger::{Ledger, Time};
use super::message::Arrival;
use super::nic::{ReceiverNic, SenderNic};
use super::plant::Plant;
use super::setting::{CLOCKS_PER_TICK, Transport};
use super::stream::{Pace, Stream};
use crate::network::adversary::Adversary;
use crate::network::seam::{Frame, Network};
use std::path::{Path, PathBuf};
use verilator_sys::Reset;
use watched::Watched;
use weft_bench::session::format_of;
use weft_bench::{Error, Rtl, Session, Subject};
use weft_blocks::{sack_rx, sack_tx};
use weft_nic::block::sack_tx::LONGEST;
use weft_nic::block::{sack_rx as rx, sack_tx as tx};
use weft_random::Rng;

/// Clocks between two calls of `go_on` with the figures so far.
const WATCH_PERIOD: u64 = 1 << 12;

/// An RTL instance with random values in its registers. With `wave` a waveform is recorded.
fn rtl<B: Subject>(session: &Session<B::Params>, wave: Option<(u64, &Path)>) -> Result<Rtl<B>, Error> {
    let (build, junk) = (session.build::<B>()?, Reset::Random(session.seed as u32));
    let Some((from, path)) = wave else { return Rtl::new(&build.load()?, junk) };
    let mut rtl = Rtl::new(&build.waves(format_of(path)).load()?, junk)?;
    rtl.record_from(from, &wave_of(path, B::TOP));
    Ok(rtl)
}

/// Path of the waveform of one module: the module's name comes before the extension.
pub(super) fn wave_of(path: &Path, top: &str) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().unwrap_or("vcd".as_ref()).to_string_lossy();
    path.with_file_name(format!("{stem}_{top}.{extension}"))
}

/// The ends of the network.
const SENDER: u32 = 0;
const RECEIVER: u32 = 1;

/// Maximum number of events of the hosts that wait for a block.
const HOST_EVENTS: usize = 4;

type Sender = End<sack_tx::Dut>;
type Receiver = End<sack_rx::Dut>;

/// A run of the transport.
pub(super) struct Bench<'a> {
    setting: &'a Transport,
    time: Time,
    sender: Sender,
    receiver: Receiver,
    sender_events: Stream<tx::Event>,
    receiver_events: Stream<(rx::Event, Arrival)>,
    sender_pace: Pace,
    receiver_pace: Pace,
    host: Host,
    sender_nic: SenderNic,
    receiver_nic: ReceiverNic,
    buffers: Buffers,
    network: Adversary,
    ledgers: Vec<Ledger>,
    watched: Watched,
    tags: u32,
    figures: Figures,
}

impl<'a> Bench<'a> {
    /// A bench. With `wave`, RTL records a waveform from that clock on.
    pub(super) fn new(setting: &'a Transport, wave: Option<(u64, &Path)>) -> Result<Self, Error> {
        let Transport { params, tx, rx, traffic, network, seed, .. } = *setting;
        let mut seeds = Rng::new(seed);
        let mut rng = || Rng::new(seeds.draw());
        let connections = params.connections;
        let session = |plant: Option<&weft_bench::Plant>| Session {
            exchange: plant.map(Into::into),
            ..Session::new(params, seed)
        };
        let sender_rtl = || {
            let plant = setting.plant.and_then(Plant::in_the_sender);
            rtl::<sack_tx::Dut>(&session(plant), wave)
        };
        let receiver_rtl = || {
            let plant = setting.plant.and_then(Plant::in_the_receiver);
            rtl::<sack_rx::Dut>(&session(plant), wave)
        };
        let mut sender = End::new(setting.sender, || tx::Clocked::new(params, tx), sender_rtl)?;
        let mut receiver = End::new(setting.receiver, || rx::Clocked::new(params, rx), receiver_rtl)?;
        sender.configure(&tx)?;
        receiver.configure(&rx)?;
        Ok(Self {
            setting,
            time: Time::default(),
            sender,
            receiver,
            sender_events: Stream::new(),
            receiver_events: Stream::new(),
            sender_pace: Pace::new(rng()),
            receiver_pace: Pace::new(rng()),
            host: Host::new(rng(), traffic, tx.mtu_bytes, 2 * network.longest_clocks(), connections),
            sender_nic: SenderNic::new(seed, rng(), tx.mtu_bytes, connections),
            receiver_nic: ReceiverNic::new(connections),
            buffers: Buffers::new(seed, tx.mtu_bytes, connections),
            network: Adversary::new(network.ways(), rng),
            ledgers: vec![Ledger::default(); connections as usize],
            watched: Watched::default(),
            tags: 0,
            figures: Figures::default(),
        })
    }

    /// Runs the bench to its end.
    pub(super) fn run(mut self, mut go_on: impl FnMut(&Figures) -> bool) -> Result<Ending, TransportError> {
        self.clock_sender(&tx::Inputs { rst: true, ..tx::Inputs::default() })?;
        self.clock_receiver(&rx::Inputs { rst: true, ..rx::Inputs::default() })?;
        while !self.is_done() {
            self.step()?;
            if self.time.clock.is_multiple_of(WATCH_PERIOD) && !go_on(&self.figures()) {
                return Ok(Ending { figures: self.figures(), stopped: true });
            }
        }
        Ok(Ending { figures: self.figures(), stopped: false })
    }

    fn step(&mut self) -> Result<(), TransportError> {
        self.time.clock += 1;
        self.deliver();
        self.ask();
        self.step_sender()?;
        self.step_receiver()?;
        self.listen()
    }

    /// Hands over frames that arrive in this clock, and events of the ACK timers.
    fn deliver(&mut self) {
        let clock = self.time.clock;
        let mut arrived = Vec::new();
        self.network.poll(clock, &mut |to, frame| arrived.push((to, frame)));
        for (to, Frame { bytes, .. }) in arrived {
            if to == RECEIVER {
                if let Some((mut event, mut arrival)) = self.receiver_nic.event(&bytes) {
                    self.plant(|plant| plant.arrival(&mut arrival));
                    event.tag = self.tag();
                    self.receiver_events.network.push_back((event, arrival));
                }
            } else if let Some(mut event) = self.sender_nic.event(&bytes) {
                self.plant(|plant| plant.control(&mut event));
                let rtt = (self.time.clock / CLOCKS_PER_TICK).wrapping_sub(u64::from(event.tag >> 16)) as u16;
                let rtt = if event.kind == tx::Kind::Ack { rtt.min(LONGEST) } else { 0 };
                event.tag = self.tag() & 0xFFFF | u32::from(rtt) << 16;
                self.sender_events.network.push_back(event);
            }
        }
        if let Some(event) = self.receiver_nic.flush(clock) {
            self.tell_receiver(event);
        }
    }

    /// Requests the next event from the hosts, unless several events of the hosts still wait.
    fn ask(&mut self) {
        if self.sender_events.host.len() >= HOST_EVENTS {
            return;
        }
        let ledgers = &self.ledgers;
        match self.host.poll(self.time.clock, |connection| ledgers[connection as usize].sender.pending()) {
            Some(Wish::Receiver(event)) => self.tell_receiver(event),
            Some(Wish::Sender(event)) => self.tell_sender(event),
            Some(Wish::Post(connection, message)) => {
                self.buffers.post(connection, message);
                self.sender_nic.post(connection, message);
                let event = tx::Event::new(tx::Kind::Post, connection);
                self.tell_sender(tx::Event { packets: message.packets, ..event });
            }
            None => {}
        }
    }

    fn tell_sender(&mut self, event: tx::Event) {
        // Class 0.
        let tag = self.tag() & 0xFFFF;
        self.sender_events.host.push_back(tx::Event { tag, ..event });
    }

    fn tell_receiver(&mut self, event: rx::Event) {
        let tag = self.tag();
        self.receiver_events.host.push_back((rx::Event { tag, ..event }, Arrival::default()));
    }

    fn tag(&mut self) -> u32 {
        self.tags = self.tags.wrapping_add(1);
        self.tags
    }

    fn plant(&self, fault: impl FnOnce(Plant)) {
        if let Some(plant) = self.setting.plant {
            fault(plant);
        }
    }

    /// Sends a frame of a connection. The network must deliver it if too few frames of the connection were
    /// delivered before.
    fn send(&mut self, from: u32, connection: u32, bytes: Vec<u8>) {
        let blackout = self.setting.plant == Some(Plant::Blackout);
        let retries = self.ledgers[connection as usize].sender.retries();
        self.network
            .spare(connection, retries >= self.setting.relents_after() && !(blackout && from == SENDER));
        self.network.send(self.time.clock, from, Frame { bytes, bad: false });
    }

    fn fault(&self, connection: u32, breach: Breach) -> TransportError {
        Fault { clock: self.time.clock, connection, breach }.into()
    }

    /// Whether all messages have ended and the network is empty, so that no frame can arrive a second time.
    fn is_done(&self) -> bool {
        self.host.is_done()
            && self.network.is_empty()
            && self.sender_events.is_empty()
            && self.receiver_events.is_empty()
    }

    fn figures(&self) -> Figures {
        Figures {
            clocks: self.time.clock,
            bytes: self.buffers.bytes,
            damaged: self.receiver_nic.damaged + self.sender_nic.damaged,
            data: self.network.counts(SENDER as usize),
            control: self.network.counts(RECEIVER as usize),
            ..self.figures
        }
    }
}
