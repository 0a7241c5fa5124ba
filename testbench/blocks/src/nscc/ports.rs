//! The ports of `weft_nscc` by name: those of `weft_smartt`.

use crate::smartt::{self, Answer};
use weft_bench::{Block, EventBlock, FromPorts, Visit};
use weft_nic::block::nscc::{Clocked, Event, Inputs, Outputs};
use weft_params::NsccCsr;

/// `weft_nscc`.
pub struct Dut;

impl Block for Dut {
    const TOP: &'static str = "weft_nscc";
    type Model = Clocked;
    type Csr = NsccCsr;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn configure(model: &mut Clocked, csr: &NsccCsr) {
        model.set_csr(*csr);
    }

    #[inline]
    fn clock(model: &mut Clocked, inputs: &Inputs) {
        model.clock(inputs);
    }

    #[inline]
    fn outputs(model: &Clocked) -> &Outputs {
        model.outputs()
    }

    fn show_csr(csr: &NsccCsr, visit: &mut impl Visit) {
        smartt::Dut::show_csr(&csr.as_smartt(), visit);
    }

    #[inline]
    fn show_inputs(inputs: &Inputs, visit: &mut impl Visit) {
        smartt::Dut::show_inputs(inputs, visit);
    }

    #[inline]
    fn show_outputs(outputs: &Outputs, visit: &mut impl Visit) {
        smartt::Dut::show_outputs(outputs, visit);
    }
}

impl FromPorts for Dut {
    fn outputs_from(next: &mut impl FnMut() -> u64) -> Outputs {
        smartt::Dut::outputs_from(next)
    }
}

impl EventBlock for Dut {
    type Event = Event;
    type Answer = Answer;

    #[inline]
    fn inputs(event: Option<&Event>, ready: bool) -> Inputs {
        smartt::Dut::inputs(event, ready)
    }

    fn reset(inputs: Inputs) -> Inputs {
        smartt::Dut::reset(inputs)
    }

    #[inline]
    fn takes(outputs: &Outputs) -> bool {
        smartt::Dut::takes(outputs)
    }

    fn answer(outputs: &Outputs) -> Option<Answer> {
        smartt::Dut::answer(outputs)
    }
}
