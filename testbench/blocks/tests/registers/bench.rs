//! The registers under test: a master that makes one access after the other, on the RTL and the model at
//! once.

#![allow(dead_code, reason = "each test uses its part")]

use verilator_sys::Reset;
use weft_bench::script::library;
use weft_bench::{Block, Rtl};
use weft_blocks::registers::{Dut, In, Model};
use weft_nic::block::registers::{Inputs, Outputs};
use weft_nic::nic::AxilInputs;
use weft_params::SackParams;

pub(crate) use weft_blocks::registers::oracle::{OKAY, SLVERR};

/// A master that makes one access after the other, on the RTL and the model at once.
pub(crate) struct Bench {
    pub(crate) inputs: Inputs,
    model: Model,
    rtl: Rtl<Dut>,
    cycle: u64,
    connections: u32,
}

impl Bench {
    /// The bench after the sweep that follows reset.
    pub(crate) fn new(connections: u32) -> Self {
        let params = SackParams { connections };
        let rtl = Rtl::new(&library::<Dut>(&params), Reset::Random(5)).expect("an instance");
        let mut bench =
            Self { inputs: Inputs::default(), model: Model::new(params), rtl, cycle: 0, connections };
        bench.reset();
        bench
    }

    /// A reset and the sweep after it.
    pub(crate) fn reset(&mut self) {
        self.hard_reset();
        (0..=self.connections).for_each(|_| self.clock());
    }

    /// A clock with reset.
    pub(crate) fn hard_reset(&mut self) {
        self.inputs.rst = true;
        self.clock();
        self.inputs.rst = false;
    }

    pub(crate) fn outputs(&self) -> &Outputs {
        &Dut::outputs(&self.model).ports
    }

    /// A clock edge; RTL and model must agree after it.
    pub(crate) fn clock(&mut self) {
        let inputs = In { ports: self.inputs, junk: self.cycle.wrapping_mul(0x9E37_79B9_7F4A_7C15) };
        Dut::clock(&mut self.model, &inputs);
        self.rtl.clock(&inputs).expect("the RTL runs");
        self.cycle += 1;
        if let Some(mismatch) = self.rtl.compare(self.cycle, Dut::outputs(&self.model)) {
            panic!("{mismatch}");
        }
    }

    /// Runs clocks until the outputs satisfy `done`.
    pub(crate) fn until(&mut self, done: impl Fn(&Outputs) -> bool) {
        for _ in 0..1_000 {
            if done(self.outputs()) {
                return;
            }
            self.clock();
        }
        panic!("it does not come");
    }

    pub(crate) fn offer_address(&mut self, offset: u16) {
        self.inputs.axil.write_address = Some(offset);
        self.until(|outputs| outputs.axil.write_address_ready);
        self.clock();
        self.inputs.axil.write_address = None;
    }

    pub(crate) fn offer_data(&mut self, data: u32, strobes: u8) {
        self.inputs.axil.write_data = Some((data, strobes));
        self.until(|outputs| outputs.axil.write_data_ready);
        self.clock();
        self.inputs.axil.write_data = None;
    }

    /// Reads the response of a write.
    pub(crate) fn written(&mut self) -> u8 {
        self.until(|outputs| outputs.axil.write_done);
        let response = self.outputs().axil.write_response;
        self.inputs.axil.write_ready = true;
        self.clock();
        self.inputs.axil.write_ready = false;
        response
    }

    /// Writes some bytes of a word.
    pub(crate) fn write_bytes(&mut self, offset: u16, data: u32, strobes: u8) -> u8 {
        self.offer_address(offset);
        self.offer_data(data, strobes);
        self.written()
    }

    /// Writes a word.
    pub(crate) fn write(&mut self, offset: u16, data: u32) -> u8 {
        self.write_bytes(offset, data, 0xF)
    }

    /// Reads a word: returns the word and the response.
    pub(crate) fn read(&mut self, offset: u16) -> (u32, u8) {
        self.inputs.axil = AxilInputs { read_address: Some(offset), ..self.inputs.axil };
        self.until(|outputs| outputs.axil.read_address_ready);
        self.clock();
        self.inputs.axil.read_address = None;
        self.until(|outputs| outputs.axil.read_done);
        let answer = (self.outputs().axil.read_data, self.outputs().axil.read_response);
        self.inputs.axil.read_ready = true;
        self.clock();
        self.inputs.axil.read_ready = false;
        answer
    }
}
