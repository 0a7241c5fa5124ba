//! The transaction view: the effect of an access, independent of clocks.

use super::standing::{News, Standings};
use super::state::Map;
use super::step::{self, Command};
use super::totals::Totals;
use crate::words::Offer;
use weft_params::registers::{COUNTER, COUNTERS, NicCsr, offsets, shape};
use weft_params::{NicParams, SackParams};

/// The registers, and the words that the last command sends to the blocks.
#[derive(Clone, Debug)]
pub struct Registers {
    connections: u32,
    /// Value of SHAPE.
    shape: u32,
    map: Map,
    totals: Totals,
    command: Command,
    standings: Standings,
}

/// Values from outside that registers show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The time in ticks.
    pub now: u32,
    /// Counts of the blocks, modulo 2^32, by the index of [`weft_params::registers::counters`].
    pub stats: [u32; COUNTERS],
    /// The last and the smallest round-trip time, in ticks; all ones: not measured yet.
    pub rtt: [u16; 2],
    /// The sender's view of the connection in QUERY, low word first.
    pub window: [u64; 2],
}

impl Default for Shown {
    /// The state after reset.
    fn default() -> Self {
        Self { now: 0, stats: [0; COUNTERS], rtt: [u16::MAX; 2], window: [0; 2] }
    }
}

impl Registers {
    /// The state after the sweep that follows reset.
    pub fn new(params: SackParams) -> Self {
        let mut registers = Self::in_reset(&params.into());
        registers.settle();
        registers
    }

    /// The state in reset, before the sweep.
    pub(super) fn in_reset(nic: &NicParams) -> Self {
        let NicParams { connections, width, bypass_user, window, psns } = *nic;
        let (map, totals, command) = (Map::new(), Totals::new(), Command::new(connections));
        Self {
            connections,
            shape: shape(width, bypass_user, window, psns),
            map,
            totals,
            command,
            standings: Standings::default(),
        }
    }

    /// Reads the word at an offset, with the values to be shown now. `None` if there is no word. The read may
    /// clear a counter.
    pub fn read(&mut self, offset: u16, shown: &Shown) -> Option<u32> {
        let Some(counter) = self.counter(offset) else {
            return self.look(offset, shown.now, shown.rtt, shown.window);
        };
        let high = !offset.is_multiple_of(COUNTER);
        Some(self.totals.read(counter, high, shown.stats[counter], u32::BITS, self.clears()))
    }

    /// The word that a read returns; 0 for a counter. The time and the gauges are read with their present
    /// values (rule 7).
    pub(super) fn look(&self, offset: u16, now: u32, rtt: [u16; 2], window: [u64; 2]) -> Option<u32> {
        let standing = || self.standings.get(self.query() % self.connections);
        // Rule 23: bits of what the sender shows.
        let shown = |lsb: u32, bits: u32| {
            let word = u128::from(window[1]) << 64 | u128::from(window[0]);
            Some((word >> lsb) as u32 & ((1 << bits) - 1))
        };
        match offset {
            offsets::COMMAND => Some(self.command.word()),
            offsets::CONNECTIONS => Some(self.connections),
            offsets::SHAPE => Some(self.shape),
            offsets::NOW => Some(now),
            offsets::RTT_LATEST => Some(rtt[0].into()),
            offsets::RTT_SMALLEST => Some(rtt[1].into()),
            offsets::STATE => Some(standing().word().into()),
            offsets::QUERY_CWND => shown(0, 26),
            offsets::QUERY_UNA => shown(26, 24),
            offsets::QUERY_NEXT => shown(50, 24),
            offsets::QUERY_PACKETS => Some(shown(74, 18)? | shown(119, 4)? << 18),
            offsets::QUERY_TIMER => shown(92, 27),
            offsets::QUERY_HISTORY => Some(standing().history()),
            _ => self.map.read(offset),
        }
    }

    /// The counter that has a word at this offset.
    pub(super) fn counter(&self, offset: u16) -> Option<usize> {
        self.map.counter(offset)
    }

    /// A read of a counter clears it.
    pub(super) fn clears(&self) -> bool {
        self.map.stored(offsets::COUNTERS) & 1 == 1
    }

    /// The counters.
    pub(super) fn totals(&mut self) -> &mut Totals {
        &mut self.totals
    }

    /// The connection whose state is read.
    pub(super) fn query(&self) -> u32 {
        self.map.stored(offsets::QUERY)
    }

    /// The write is one that may be done.
    pub(super) fn accepts(&self, offset: u16, data: u32, strobes: u8) -> bool {
        match offset {
            offsets::COMMAND => self.command.accepts(data, strobes),
            offset => self.map.accepts(offset, self.command.busy()),
        }
    }

    /// Writes the bytes of `data` that `strobes` has bits for; `false`, with all registers as before, if the write is refused.
    pub fn write(&mut self, offset: u16, data: u32, strobes: u8) -> bool {
        // Words that may be written show neither the time nor a counter.
        let found = self.look(offset, 0, [0; 2], [0; 2]);
        let okay = found.is_some() && self.accepts(offset, data, strobes);
        if okay {
            self.set(offset, step::merged(found, data, strobes));
            self.settle();
        }
        okay
    }

    /// Whether a command is in progress.
    pub(super) fn busy(&self) -> bool {
        self.command.busy()
    }

    /// Advances the command as far as possible without an answer of a block.
    fn settle(&mut self) {
        loop {
            if let Some((connection, open)) = self.command.status() {
                self.standings.hear(connection, News::Control(open));
                self.command.clock([false; 4], true);
            } else if self.command.busy() && !self.command.waits() {
                self.command.clock([false; 4], false);
            } else {
                return;
            }
        }
    }

    /// Writes the word of a write that was accepted.
    pub(super) fn set(&mut self, offset: u16, word: u32) {
        match offset {
            offsets::COMMAND => self.command.begin(word),
            _ => self.map.write(offset, word),
        }
    }

    /// The stored word at an offset; 0 if there is none.
    pub fn stored(&self, offset: u16) -> u32 {
        self.map.stored(offset)
    }

    /// The configuration.
    pub fn csr(&self) -> NicCsr {
        self.map.csr()
    }

    /// The word of the command for a block, by the order of [`weft_params::registers::controls`].
    pub fn offer<const N: usize>(&self, control: usize) -> Offer<[u64; N]> {
        self.command.offer(control, &self.map)
    }

    /// The words that wait for their blocks.
    pub fn waiting(&self) -> [bool; 4] {
        self.command.waiting()
    }

    /// The blocks accept their words.
    pub fn take(&mut self, ready: [bool; 4]) {
        if self.command.waits() {
            self.command.clock(ready, false);
        }
        self.settle();
    }

    /// The connection that the command opens or closes, for the block of its status.
    pub(super) fn status(&self) -> Option<(u32, bool)> {
        self.command.status()
    }

    /// A clock edge of the command; `status_turn`: the status accepts the connection in this clock.
    pub(super) fn clock(&mut self, ready: [bool; 4], status_turn: bool) {
        self.command.clock(ready, status_turn);
    }
}
