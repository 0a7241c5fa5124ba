//! The transaction view: the effect of an event, independent of clocks.

use super::state::{Class, Control, Csr, Stimulus};
use super::step::{decide, measure, settle};
use crate::block::smartt::{Case, Event, Outcome, quotient};
use crate::part::ahead::Ask;
use crate::part::table::Table;
use std::sync::Arc;
use weft_params::{NsccCsr, NsccParams};
use weft_word::{Bits, Compact, Concrete, Word};

/// Bits of the quotient of excess and average.
pub const RATIO_BITS: u32 = 16;
/// Bits of the quotient of increase and window.
pub const CHANGE_BITS: u32 = 30;

/// All connections of a NIC.
#[derive(Clone, Debug)]
pub struct Nscc {
    params: NsccParams,
    registers: Arc<NsccCsr>,
    csr: Arc<Csr<Concrete>>,
    classes: Arc<[Class<Concrete>; NsccParams::CLASSES]>,
    controls: Table<Compact<Control<Concrete>>>,
}

impl Nscc {
    /// A block after reset: every connection closed. `params` and `csr` must have passed their checks.
    pub fn new(params: NsccParams, csr: NsccCsr) -> Self {
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
    pub fn params(&self) -> &NsccParams {
        &self.params
    }

    /// The CSRs.
    pub fn csr(&self) -> &NsccCsr {
        &self.registers
    }

    /// Sets the CSRs from the next event on.
    pub fn set_csr(&mut self, csr: NsccCsr) {
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
        let control = row.get();
        let measured = measure(&self.csr, class, &control, &stimulus);
        let ratio = quotient(measured.numerator().value(), measured.average.value(), RATIO_BITS);
        let decision = decide(&self.csr, class, control, &stimulus, &measured, Bits::lit(ratio));
        let change = quotient(decision.numerator.value(), decision.denominator.value(), CHANGE_BITS);
        let control = settle(class, &decision, Bits::lit(change));
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
