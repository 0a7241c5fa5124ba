//! The transaction view: the effect of an event, independent of clocks.

use super::state::{Case, Class, Control, Csr, Kind, Stimulus};
use super::step::{decide, gains, moved, read_signals, settle};
use crate::part::ahead::Ask;
use crate::part::table::Table;
use std::sync::Arc;
use weft_params::{SmarttCsr, SmarttParams};
use weft_word::{Bits, Compact, Concrete, Word};

/// One event, as `s_axis_event` carries it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// The kind of the event.
    pub kind: Kind,
    /// Number of the connection.
    pub connection: u32,
    /// RTT class of the connection, below [`SmarttParams::CLASSES`].
    pub class: u8,
    /// ACK: marked.
    pub ecn: bool,
    /// ACK: packets acknowledged, 1 to 16; more count as 16.
    pub packets: u8,
    /// Bytes acknowledged or lost, below 2^24.
    pub bytes: u32,
    /// ACK: round-trip time in ticks, saturating, 0 when unknown.
    pub rtt_ticks: u16,
    /// Bytes in the network after this event: sent, and neither acknowledged nor found lost.
    pub in_flight_bytes: u32,
    /// The time in ticks; its low 20 bits count.
    pub now_ticks: u32,
}

/// The answer of the block to an event, as `m_axis_window` carries it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The event's kind.
    pub kind: Kind,
    /// The event's connection.
    pub connection: u32,
    /// Whether the connection was open, or the event needs no open connection.
    pub accepted: bool,
    /// The case of the event.
    pub case: Case,
    /// The window after the event in whole bytes, rounded down; 0 when closed.
    pub cwnd_bytes: u32,
}

impl Outcome {
    /// `m_axis_window_tuser`: case in bits 3:0, accepted 4, kind 7:5.
    pub fn user(&self) -> u8 {
        self.case as u8 | u8::from(self.accepted) << 4 | (self.kind as u8) << 5
    }
}

/// Bits of both quotients.
const QUOTIENT_BITS: u32 = 34;

/// A quotient as the RTL's dividers give it: with `bits` bits, saturating. A division by 0 also saturates.
pub(crate) fn quotient(numerator: u128, denominator: u128, bits: u32) -> u128 {
    let most = (1 << bits) - 1;
    numerator.checked_div(denominator).map_or(most, |quotient| quotient.min(most))
}

/// All connections of a NIC.
#[derive(Clone, Debug)]
pub struct Smartt {
    params: SmarttParams,
    registers: Arc<SmarttCsr>,
    csr: Arc<Csr<Concrete>>,
    classes: Arc<[Class<Concrete>; SmarttParams::CLASSES]>,
    controls: Table<Compact<Control<Concrete>>>,
}

impl Smartt {
    /// A block after reset: every connection closed. `params` and `csr` must have passed their checks.
    pub fn new(params: SmarttParams, csr: SmarttCsr) -> Self {
        Self {
            params,
            registers: Arc::new(csr),
            csr: Arc::new(Csr::from(&csr)),
            classes: Arc::new(csr.classes.each_ref().map(Class::from)),
            controls: Table::new(Compact::new(Control::closed())),
        }
    }

    /// Prefetches the memory of a connection.
    #[inline]
    pub(crate) fn ahead(&self, connection: u32, memory: &impl Ask) {
        memory.ask(self.controls.get(connection));
    }

    /// The parameters.
    pub fn params(&self) -> &SmarttParams {
        &self.params
    }

    /// The CSRs.
    pub fn csr(&self) -> &SmarttCsr {
        &self.registers
    }

    /// Sets the CSRs from the next event on.
    pub fn set_csr(&mut self, csr: SmarttCsr) {
        self.csr = Arc::new(Csr::from(&csr));
        self.classes = Arc::new(csr.classes.each_ref().map(Class::from));
        self.registers = Arc::new(csr);
    }

    /// The state of a connection below `connections`.
    pub fn control(&self, connection: u32) -> Control<Concrete> {
        self.controls.get(connection).get()
    }

    /// Handles one event. Its connection and class must be below their numbers: the ports are no wider.
    pub fn step(&mut self, event: &Event) -> Outcome {
        let stimulus = Stimulus {
            kind: Bits::lit(event.kind as u128),
            ecn: Bits::lit(event.ecn.into()),
            packets: Bits::lit(event.packets.wrapping_sub(1).into()),
            bytes: Bits::lit(event.bytes.into()),
            rtt: Bits::lit(event.rtt_ticks.into()),
            in_flight: Bits::lit(event.in_flight_bytes.into()),
            now: Bits::truncated(event.now_ticks.into()),
        };
        let class = &self.classes[usize::from(event.class)];
        let row = self.controls.row(event.connection);
        let congestion = read_signals(&self.csr, class, &stimulus);
        let ratio = quotient(congestion.numerator().value(), congestion.rtt.value(), QUOTIENT_BITS);
        let gains = gains(&self.csr, class, Bits::lit(ratio));
        let decision = decide(&self.csr, class, row.get(), &stimulus, &congestion, &gains);
        let change = quotient(decision.numerator.value(), decision.denominator.value(), QUOTIENT_BITS);
        let control = settle(class, &decision, moved(&decision, Bits::lit(change)));
        row.set(control);
        Outcome {
            kind: event.kind,
            connection: event.connection,
            accepted: decision.accepted.value() == 1,
            case: Case::ALL[decision.case.value() as usize],
            cwnd_bytes: control.cwnd_bytes().value() as u32,
        }
    }
}
