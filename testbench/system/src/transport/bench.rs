//! One clock for both blocks, the network between them, and what watches them.

mod receiver;
mod sender;
mod watch;

use super::end::End;
use super::fault::{Breach, Fault};
use super::figures::Figures;
use super::host::{Host, Wish};
use super::ledger::{Ledger, Time};
use super::memory::Memory;
use super::network::Link;
use super::nic::{Arrival, ReceiverNic, SenderNic};
use super::plant::Plant;
use super::stream::{Pace, Stream};
use super::{Ending, Transport, TransportError};
use std::path::{Path, PathBuf};
use verilator_sys::{Build, Reset};
use watch::Watched;
use weft_bench::Error;
use weft_blocks::session::{Rtl, format_of};
use weft_blocks::{sack_rx, sack_tx};
use weft_nic::block::{sack_rx as rx, sack_tx as tx};
use weft_random::Rng;

/// Clocks between two looks at how far the run is.
const WATCH_PERIOD: u64 = 1 << 12;

/// A bug shows within thousands of clocks: then a fast build is worth more than a fast run.
fn built(build: Build, plant: Option<Plant>) -> Build {
    if plant.is_some() { build.cxx_argument("-O0") } else { build }
}

/// An instance with noise in its registers, of which a waveform is recorded or not.
fn rtl<R: Rtl>(build: Build, seed: u64, wave: Option<(u64, &Path)>) -> Result<R, Error> {
    let junk = Reset::Random(seed as u32);
    let Some((from, path)) = wave else { return Ok(R::new(&build.load()?, junk)?) };
    let mut rtl = R::new(&build.waves(format_of(path)).load()?, junk)?;
    rtl.record_from(from, &wave_of(path, R::TOP));
    Ok(rtl)
}

/// The waveform of one of several modules: its name before the extension.
pub(super) fn wave_of(path: &Path, top: &str) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().unwrap_or("vcd".as_ref()).to_string_lossy();
    path.with_file_name(format!("{stem}_{top}.{extension}"))
}

/// Events of the hosts that may wait.
const HOST_EVENTS: usize = 4;

type Sender = End<tx::Clocked, sack_tx::views::Rtl>;
type Receiver = End<rx::Clocked, sack_rx::views::Rtl>;

/// A run.
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
    memory: Memory,
    data: Link,
    control: Link,
    ledgers: Vec<Ledger>,
    watched: Watched,
    tags: u32,
    figures: Figures,
}

impl<'a> Bench<'a> {
    /// With `wave`, what has RTL is recorded from that clock on.
    pub(super) fn new(setting: &'a Transport, wave: Option<(u64, &Path)>) -> Result<Self, Error> {
        let Transport { params, tx, rx, traffic, network, seed, .. } = *setting;
        let mut seeds = Rng::new(seed);
        let mut rng = || Rng::new(seeds.draw());
        let connections = params.connections;
        let sender_rtl = || {
            let mut modules = sack_tx::views::verilog(&params)?;
            if let Some(Plant::Sender(plant)) = setting.plant {
                plant.apply(&mut modules);
            }
            rtl(built(sack_tx::views::build(&modules), setting.plant), seed, wave)
        };
        let receiver_rtl = || {
            let mut modules = sack_rx::views::verilog(&params)?;
            if let Some(Plant::Receiver(plant)) = setting.plant {
                plant.apply(&mut modules);
            }
            rtl(built(sack_rx::views::build(&modules), setting.plant), seed, wave)
        };
        let mut sender = End::new(setting.sender, || tx::Clocked::new(params, tx), sender_rtl)?;
        let mut receiver = End::new(setting.receiver, || rx::Clocked::new(params, rx), receiver_rtl)?;
        sender.configure(&tx);
        receiver.configure(&rx);
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
            memory: Memory::new(seed, tx.mtu_bytes, connections),
            data: Link::new(network.forward(), connections, rng()),
            control: Link::new(network.backward(), connections, rng()),
            ledgers: vec![Ledger::default(); connections as usize],
            watched: Watched::default(),
            tags: 0,
            figures: Figures::default(),
        })
    }

    /// Runs it to its end.
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

    /// What arrives in this clock, and the ACK timers.
    fn deliver(&mut self) {
        let clock = self.time.clock;
        while let Some(frame) = self.data.deliver(clock) {
            if let Some((mut event, mut arrival)) = self.receiver_nic.event(&frame) {
                self.plant(|plant| plant.arrival(&mut arrival));
                event.tag = self.tag();
                self.receiver_events.network.push_back((event, arrival));
            }
        }
        while let Some(frame) = self.control.deliver(clock) {
            if let Some(mut event) = self.sender_nic.event(&frame) {
                self.plant(|plant| plant.control(&mut event));
                event.tag = self.tag();
                self.sender_events.network.push_back(event);
            }
        }
        if let Some(event) = self.receiver_nic.flush(clock) {
            self.tell_receiver(event);
        }
    }

    /// What the hosts want, unless they wait for it already.
    fn ask(&mut self) {
        if self.sender_events.host.len() >= HOST_EVENTS {
            return;
        }
        let ledgers = &self.ledgers;
        match self.host.poll(self.time.clock, |connection| ledgers[connection as usize].sender.pending()) {
            Some(Wish::Receiver(event)) => self.tell_receiver(event),
            Some(Wish::Sender(event)) => self.tell_sender(event),
            Some(Wish::Post(connection, message)) => {
                self.memory.post(connection, message);
                self.sender_nic.post(connection, message);
                let event = tx::Event::new(tx::Kind::Post, connection);
                self.tell_sender(tx::Event { packets: message.packets, ..event });
            }
            None => {}
        }
    }

    fn tell_sender(&mut self, event: tx::Event) {
        let tag = self.tag();
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

    /// The network must let this connection's packets through.
    fn relents(&self, connection: u32) -> bool {
        self.ledgers[connection as usize].sender.retries() >= self.setting.relents_after()
    }

    fn fault(&self, connection: u32, breach: Breach) -> TransportError {
        Fault { clock: self.time.clock, connection, breach }.into()
    }

    /// All messages have ended, and the network is empty: nothing of them comes a second time.
    fn is_done(&self) -> bool {
        self.host.is_done()
            && self.data.is_empty()
            && self.control.is_empty()
            && self.sender_events.is_empty()
            && self.receiver_events.is_empty()
    }

    fn figures(&self) -> Figures {
        Figures {
            clocks: self.time.clock,
            bytes: self.memory.bytes,
            damaged: self.receiver_nic.damaged + self.sender_nic.damaged,
            data: self.data.figures,
            control: self.control.figures,
            ..self.figures
        }
    }
}
