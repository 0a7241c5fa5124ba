//! Monitors of AXI4-Stream and AXI4-Lite (page `docs/monitors.md`). The monitors judge every stream and every
//! channel of a block on every clock, on both sides. Monitors find the ports by name. Besides the rules of
//! AXI they use only the terms that the block's page adds.

mod axil;
mod shown;
mod stream;
#[cfg(test)]
mod tests;

pub use shown::Shown;

use crate::block::Block;
use crate::rules::{Broken, Rule, Terms};
use axil::Axil;
use stream::Stream;

/// Words of the widest port.
pub(crate) const WORDS_MAX: usize = 16;

/// The values of a block's ports in a clock. The number of a port is its place among the ports that the block
/// shows: inputs, then outputs.
pub trait Pins {
    /// The lowest bit of a port.
    fn bit(&self, port: usize) -> bool;

    /// All words of a port, the lowest first.
    fn words(&self, port: usize, words: &mut [u64]);
}

/// A port, as the monitors identify it.
#[derive(Clone, Copy, Debug)]
pub struct Port {
    /// Name of the port.
    pub name: &'static str,
    /// Whether the block drives the port.
    pub is_output: bool,
    /// Width in bits.
    pub bits: u32,
}

/// The monitors of all streams of a block, and of its AXI4-Lite side.
#[derive(Clone, Debug)]
pub struct Monitor {
    reset: Option<usize>,
    streams: Vec<Stream>,
    axil: Option<Axil>,
    /// `tvalid` and `tready` that the block drives: port, name, value after the last edge.
    handshakes: Vec<(usize, &'static str, bool)>,
    /// Whether the monitor read the handshakes after the last edge.
    settled: bool,
    /// Whether the previous clock was a clock of reset. `None` in the first clock.
    reset_before: Option<bool>,
    clock: u64,
}

/// Group of a port, and its signal in the group: (`m_axis_net`, `valid`), (`s_axil_aw`, `addr`).
pub fn group(name: &str) -> Option<(&str, &str)> {
    if let Some(rest) = name.strip_prefix("s_axil_") {
        let channel = ["aw", "ar", "w", "b", "r"].into_iter().find(|channel| rest.starts_with(channel))?;
        return Some(name.split_at("s_axil_".len() + channel.len()));
    }
    if !name.contains("_axis_") {
        return None;
    }
    let (group, signal) = name.rsplit_once("_t")?;
    ["valid", "ready", "data", "keep", "last", "user", "id"].contains(&signal).then_some((group, signal))
}

/// The name of the `tvalid` that validates a port of a stream; for `out_*` of a part, that is `out_valid`.
pub fn valid_of(port: &str) -> Option<String> {
    if port.starts_with("out_") {
        return (port != "out_valid").then(|| "out_valid".into());
    }
    let (stream, signal) = group(port).filter(|_| !port.starts_with("s_axil_"))?;
    (!matches!(signal, "valid" | "ready")).then(|| format!("{stream}_tvalid"))
}

impl Monitor {
    /// Monitors of the ports of a list. The number of a port is its index.
    pub fn new(ports: &[Port], terms: &Terms) -> Self {
        let mut streams: Vec<Stream> = Vec::new();
        let mut handshakes = Vec::new();
        for (number, port) in ports.iter().enumerate() {
            let Some((name, signal)) = group(port.name) else { continue };
            let at = streams.iter().position(|stream| stream.name == name).unwrap_or_else(|| {
                streams.push(Stream::new(name, terms));
                streams.len() - 1
            });
            streams[at].add(signal, number, port);
            if port.is_output && matches!(signal, "valid" | "ready") {
                handshakes.push((number, port.name, false));
            }
        }
        Self {
            reset: ports.iter().position(|port| port.name == "rst"),
            axil: Axil::of(&streams),
            streams,
            handshakes,
            settled: false,
            reset_before: None,
            clock: 0,
        }
    }

    /// Monitors of the ports that a block shows.
    pub fn of<B: Block>() -> (Self, Shown<B>) {
        let shown = Shown::<B>::new();
        (Self::new(shown.ports(), &B::STREAMS), shown)
    }

    /// Number of clocks seen.
    pub fn clocks(&self) -> u64 {
        self.clock
    }

    /// Reads the pins after a clock edge, before inputs change.
    #[inline]
    pub fn settle(&mut self, pins: &impl Pins) {
        self.handshakes.iter_mut().for_each(|(port, _, before)| *before = pins.bit(*port));
        self.settled = true;
    }

    /// Judges a clock by the pins before its edge.
    #[inline]
    pub fn clock(&mut self, pins: &impl Pins) -> Result<(), Broken> {
        let result = self.judge(pins);
        self.clock += 1;
        result.map_err(|(port, rule)| Broken { clock: self.clock - 1, port, rule })
    }

    #[inline]
    fn judge(&mut self, pins: &impl Pins) -> Result<(), (&'static str, Rule)> {
        let reset = self.reset.is_some_and(|port| pins.bit(port));
        let Some(reset_before) = self.reset_before.replace(reset) else { return Ok(()) };
        if std::mem::take(&mut self.settled) && !reset && !reset_before {
            for &(port, name, before) in &self.handshakes {
                if pins.bit(port) != before {
                    return Err((name, Rule::Path));
                }
            }
        }
        for stream in &mut self.streams {
            stream.clock(pins, reset, reset_before)?;
        }
        match &mut self.axil {
            Some(axil) => axil.clock(&self.streams, pins, reset),
            None => Ok(()),
        }
    }
}
