//! The transaction view: the effect of an event, independent of clocks.

use super::state::{Control, Csr, Kind, Source, Stimulus};
use super::step::{Action, on_the_wire, step};
use crate::part::ahead::Ask;
use crate::part::prng;
use crate::part::table::Table;
use std::sync::Arc;
use weft_params::{RepsCsr, RepsParams};
use weft_word::{Bits, Compact, Concrete, Word};

/// One event, as `s_axis_event` carries it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// The kind of the event.
    pub kind: Kind,
    /// Number of the connection; any number for [`Kind::Seed`].
    pub connection: u32,
    /// ACK: the packet's entropy value. Open: the value of a fixed connection. Seed: bits 15:0.
    pub ev: u16,
    /// ACK: the acknowledged packet was ECN-marked.
    pub ecn: bool,
    /// ACK: round-trip time in ticks, saturating, 0 when unknown. Seed: bits 31:16.
    pub rtt_ticks: u16,
    /// The time in ticks.
    pub now_ticks: u32,
}

/// The answer of the block to an event, as `m_axis_decision` carries it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The event's kind.
    pub kind: Kind,
    /// The event's connection.
    pub connection: u32,
    /// Whether the connection was open, or the event needs no open connection.
    pub accepted: bool,
    /// Source of the entropy value.
    pub source: Source,
    /// The entropy value of a packet to send; else 0.
    pub ev: u16,
    /// Freezing mode after the event.
    pub frozen: bool,
    /// The event began or ended freezing mode.
    pub turned: bool,
}

impl Outcome {
    /// `m_axis_decision_tuser`: kind in bits 2:0, accepted 3, source 5:4, frozen 6, turned 7.
    pub fn user(&self) -> u8 {
        self.kind as u8
            | u8::from(self.accepted) << 3
            | (self.source as u8) << 4
            | u8::from(self.frozen) << 6
            | u8::from(self.turned) << 7
    }
}

/// Slots of the deepest buffer.
const DEEPEST: usize = 16;

/// All connections of a NIC, their entropy values and the random number generator.
#[derive(Clone, Debug)]
pub struct Reps {
    params: RepsParams,
    registers: Arc<RepsCsr>,
    csr: Arc<Csr<Concrete>>,
    connections: Table<(Compact<Control<Concrete>>, [u16; DEEPEST])>,
    prng: Bits<32>,
}

impl Reps {
    /// A block after reset: every connection closed. `params` and `csr` must have passed their checks.
    pub fn new(params: RepsParams, csr: RepsCsr) -> Self {
        Self {
            params,
            registers: Arc::new(csr),
            csr: Arc::new(Csr::from(&csr)),
            connections: Table::new((Compact::new(Control::closed()), [0; DEEPEST])),
            prng: prng::seeded::<Concrete>(Bits::lit(0)),
        }
    }

    /// Requests the memory of a connection.
    #[inline]
    pub(crate) fn ahead(&self, connection: u32, memory: &impl Ask) {
        memory.ask(self.connections.get(connection));
    }

    /// The parameters.
    pub fn params(&self) -> &RepsParams {
        &self.params
    }

    /// The CSRs.
    pub fn csr(&self) -> &RepsCsr {
        &self.registers
    }

    /// Sets the CSRs from the next event on.
    pub fn set_csr(&mut self, csr: RepsCsr) {
        self.csr = Arc::new(Csr::from(&csr));
        self.registers = Arc::new(csr);
    }

    /// The control word of a connection below `connections`.
    pub fn control(&self, connection: u32) -> Control<Concrete> {
        self.connections.get(connection).0.get()
    }

    /// The entropy values of a connection below `connections`, written or not.
    pub fn evs(&self, connection: u32) -> &[u16] {
        &self.connections.get(connection).1[..self.params.depth as usize]
    }

    /// Handles one event. Its connection must be below `connections`: the port is no wider.
    pub fn step(&mut self, event: &Event) -> Outcome {
        let stimulus = Stimulus {
            kind: Bits::lit(event.kind as u128),
            ecn: Bits::lit(event.ecn.into()),
            rtt: Bits::lit(event.rtt_ticks.into()),
            now: Bits::lit(event.now_ticks.into()),
        };
        let (control, _) = self.connections.row(event.connection);
        let (after, action) = step(self.params.depth, &self.csr, control.get(), &stimulus);
        control.set(after);
        if event.kind == Kind::Seed {
            let seed = u128::from(event.rtt_ticks) << 16 | u128::from(event.ev);
            self.prng = prng::seeded::<Concrete>(Bits::lit(seed));
        }
        Outcome {
            kind: event.kind,
            connection: event.connection,
            accepted: flag(action.accepted),
            source: Source::ALL[action.source.value() as usize],
            ev: self.entropy_value(event, &action),
            frozen: flag(action.frozen),
            turned: flag(action.turned),
        }
    }

    /// Rule 24: a random entropy value, or the one that is written or read; the generator advances once per
    /// random value.
    fn entropy_value(&mut self, event: &Event, action: &Action<Concrete>) -> u16 {
        let slot = action.slot.value() as usize;
        let (_, evs) = self.connections.row(event.connection);
        if flag(action.write) {
            evs[slot] = event.ev & self.params.ev_max() as u16;
        }
        if flag(action.read) {
            return evs[slot];
        }
        let size = Bits::lit(self.registers.evs_size.into());
        let index = if flag(action.draw) {
            let index = prng::reduce::<Concrete>(self.prng, size);
            self.prng = prng::advance::<Concrete>(self.prng);
            index
        } else if flag(action.indexed) {
            // A number out of 256 counts as the top bits of a draw.
            prng::scale::<Concrete>(Bits::lit(action.entropy.value() << 15), size)
        } else {
            return 0;
        };
        on_the_wire(&self.params, self.registers.ev_base, index.value() as u32) as u16
    }
}

fn flag(bit: Bits<1>) -> bool {
    bit.value() == 1
}
