//! `weft_sender` under Verilator at a host, compared with the clocked model on every clock.

use super::transport::{Counts, Sent, Transport, seeded};
use std::collections::VecDeque;
use std::sync::Arc;
use verilator_sys::{Library, Reset};
use weft_bench::{Driver, Mismatch, Plant, Rtl, Session, lockstep};
use weft_blocks::sender::Dut;
use weft_nic::block::sender::{Clocked, Control, Inputs, Outputs};
use weft_nic::words::{Acknowledgement, Order, Work};
use weft_params::{SackParams, SenderCsr};

/// Clocks of a tick of 32 ns.
const TICK_CLOCKS: u64 = 8;
/// Clocks after which a connection is open.
const OPENED: u64 = 400;
/// The smallest shape, because a host has one connection.
const PARAMS: SackParams = SackParams { connections: 4 };

/// Verilog of the sender, with a bug or without, built once for all hosts.
///
/// # Errors
/// The Verilog cannot be emitted or built.
pub(super) fn library(plant: Option<&'static Plant>) -> Result<Arc<Library>, weft_bench::Error> {
    Ok(Session { exchange: plant.map(Into::into), ..Session::new(PARAMS.into(), 1) }
        .build::<Dut>()?
        .load()?)
}

/// RTL and model of a sender, compared with each other.
pub(super) struct Lockstep {
    model: Clocked,
    rtl: Rtl<Dut>,
    errand: Errand,
    /// Next new PSN, not wrapped.
    next: u64,
    mtu_bytes: u32,
    mismatch: Option<Mismatch>,
}

impl Lockstep {
    /// An open connection. Before reset the RTL's registers hold random values that follow from the seed.
    pub(super) fn new(library: &Arc<Library>, csr: SenderCsr, seed: u64) -> Result<Self, weft_bench::Error> {
        let mut it = Self {
            model: Clocked::new(PARAMS, csr),
            rtl: Rtl::new(library, Reset::Random(seed as u32))?,
            errand: Errand::new(csr),
            next: 0,
            mtu_bytes: 1 << csr.mtu_shift,
            mismatch: None,
        };
        it.errand.controls.extend(seeded(seed));
        it.run_until(0);
        Ok(it)
    }

    /// Runs until a tick begins.
    fn run_until(&mut self, now: u64) {
        self.errand.until = OPENED + now * TICK_CLOCKS;
        if self.mismatch.is_some() || self.errand.clock >= self.errand.until {
            return;
        }
        let begin = self.errand.clock;
        let report = lockstep::run(&mut self.model, &mut self.rtl, &mut self.errand, &mut ());
        let report = report.unwrap_or_else(|error| panic!("{error}"));
        self.mismatch = report.mismatch.map(|it| Mismatch { cycle: begin + it.cycle, ..it });
    }
}

impl Transport for Lockstep {
    fn post(&mut self, packets: u32, now: u64) {
        self.run_until(now);
        self.errand.works.push_back(Work { length: packets * self.mtu_bytes, ..Work::default() });
    }

    fn send(&mut self, now: u64) -> Option<Sent> {
        self.run_until(now);
        let order = self.errand.order.take()?;
        Some(Sent::of(&order, &mut self.next))
    }

    fn take(&mut self, answer: &Acknowledgement, now: u64) {
        self.run_until(now);
        self.errand.answers.push_back(*answer);
    }

    fn expire(&mut self, now: u64) {
        self.run_until(now);
    }

    /// An event is possible in every tick, until RTL and model differ.
    fn deadline(&mut self, now: u64) -> Option<u64> {
        self.mismatch.is_none().then_some(now + 1)
    }

    fn ended(&mut self) -> u32 {
        std::mem::take(&mut self.errand.ended)
    }

    fn counts(&self) -> Counts {
        let counters = &self.model.outputs().counters;
        Counts { freezes: counters.paths.freezes.into(), timeouts: counters.recovery.timeouts.into() }
    }

    fn mismatch(&self) -> Option<&Mismatch> {
        self.mismatch.as_ref()
    }
}

/// Words that wait at the ports, up to a clock.
struct Errand {
    csr: SenderCsr,
    clock: u64,
    until: u64,
    controls: VecDeque<Control>,
    works: VecDeque<Work>,
    answers: VecDeque<Acknowledgement>,
    /// Order that waits for the link.
    order: Option<Order>,
    ended: u32,
}

impl Errand {
    fn new(csr: SenderCsr) -> Self {
        let (controls, works, answers) = Default::default();
        Self { csr, clock: 0, until: 0, controls, works, answers, order: None, ended: 0 }
    }
}

impl Driver<Dut> for Errand {
    fn next(&mut self, outputs: &Outputs) -> Option<Inputs> {
        if self.clock == self.until {
            return None;
        }
        self.clock += 1;
        let rst = self.clock == 1;
        let open = self.clock > OPENED;
        let inputs = Inputs {
            rst,
            now: (self.clock as i64 - 1 - OPENED as i64).div_euclid(TICK_CLOCKS as i64) as u32,
            control: (!rst).then(|| self.controls.front()).flatten().map(|it| (0, *it)),
            work: open.then(|| self.works.front()).flatten().map(|it| (0, *it)),
            acknowledgement: open.then(|| self.answers.front()).flatten().map(|it| (0, *it)),
            fetch_ready: true,
            order_ready: self.order.is_none(),
            sent_ready: true,
            freeze_ready: true,
            drained_ready: true,
            failure: None,
            failed_ready: true,
            query: 0,
        };
        self.controls.drain(..usize::from(inputs.control.is_some() && outputs.control_ready));
        self.works.drain(..usize::from(inputs.work.is_some() && outputs.work_ready));
        self.answers.drain(..usize::from(inputs.acknowledgement.is_some() && outputs.acknowledgement_ready));
        if inputs.order_ready {
            self.order = outputs.order.get().map(|(_, order)| order);
        }
        self.ended += u32::from(outputs.sent.valid);
        Some(inputs)
    }

    fn csr(&self) -> &SenderCsr {
        &self.csr
    }
}
