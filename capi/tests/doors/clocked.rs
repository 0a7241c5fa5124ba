//! The blocks clock by clock: random events at random times, with idle clocks, back-pressure and resets.

use crate::answers::{
    Block, CONNECTIONS, chance, of_sack_rx, of_sack_tx, of_smartt, reps_event, sack_rx_event, sack_tx_event,
    smartt_event, zeroed,
};
use ::weft_nic::block::{reps, sack_rx, sack_tx, smartt};
use weft::*;
use weft_params::registers::NicCsr;
use weft_params::{RepsParams, SackParams, SmarttParams};
use weft_random::Rng;

/// Least number of outcomes in a run.
const LEAST: u32 = 10_000;

/// Low bits of a counter: as many as its port has.
fn low(counter: u32) -> u32 {
    counter & 0xFFFF
}

/// A model and the number of its outcomes.
pub(crate) struct Reps(reps::Clocked, u32);

pub(crate) fn reps_ports(given: &weft_reps_inputs) -> reps::Inputs {
    reps::Inputs {
        rst: given.rst == 1,
        now: given.now,
        event_valid: given.event_tvalid == 1,
        event_id: given.event_tid,
        event_data: given.event_tdata,
        event_user: given.event_tuser,
        decision_ready: given.decision_tready == 1,
    }
}

impl Block for Reps {
    const NAME: &str = "reps_clocked";
    type Given = weft_reps_inputs;
    type Told = weft_reps_outputs;
    type Seen = Self::Told;

    fn new() -> Self {
        let params = RepsParams { connections: CONNECTIONS, depth: 8, ev_width: 16 };
        Self(reps::Clocked::new(params, NicCsr::default().sender.reps), 0)
    }

    fn seen(told: &Self::Told) -> Self::Seen {
        *told
    }

    fn draw(&mut self, rng: &mut Rng, _: u32) -> Self::Given {
        let event = reps_event(rng);
        let mut inputs: weft_reps_inputs = zeroed();
        inputs.now = event.now_ticks;
        inputs.event_tid = event.connection;
        inputs.event_tdata = u32::from(event.rtt_ticks) << 16 | u32::from(event.ev);
        inputs.event_tuser = event.kind | event.ecn << 3;
        inputs.rst = chance(rng, 5_000);
        inputs.event_tvalid = 1 - chance(rng, 3);
        inputs.decision_tready = 1 - chance(rng, 3);
        inputs
    }

    fn answer(&mut self, given: &Self::Given) -> Self::Seen {
        self.0.clock(&reps_ports(given));
        let told = self.0.outputs();
        self.1 += u32::from(told.decision_valid);
        weft_reps_outputs {
            decision_tid: told.decision_id,
            not_open_events: low(told.not_open_events),
            decision_tdata: told.decision_data,
            event_tready: u8::from(told.event_ready),
            decision_tvalid: u8::from(told.decision_valid),
            decision_tuser: told.decision_user,
        }
    }

    fn everything_happened(&self) {
        assert!(self.1 > LEAST, "{} decisions", self.1);
    }
}

/// A model and the number of its outcomes.
pub(crate) struct Smartt(smartt::Clocked, u32);

pub(crate) fn smartt_ports(given: &weft_smartt_inputs) -> smartt::Inputs {
    let [first, second] = given.event_tdata;
    smartt::Inputs {
        rst: given.rst == 1,
        now: given.now,
        event_valid: given.event_tvalid == 1,
        event_id: given.event_tid,
        event_data: u128::from(second) << 64 | u128::from(first),
        event_user: given.event_tuser,
        window_ready: given.window_tready == 1,
    }
}

impl Block for Smartt {
    const NAME: &str = "smartt_clocked";
    type Given = weft_smartt_inputs;
    type Told = weft_smartt_outputs;
    type Seen = Self::Told;

    fn new() -> Self {
        let params = SmarttParams { connections: CONNECTIONS };
        Self(smartt::Clocked::new(params, NicCsr::default().sender.smartt), 0)
    }

    fn seen(told: &Self::Told) -> Self::Seen {
        *told
    }

    fn draw(&mut self, rng: &mut Rng, _: u32) -> Self::Given {
        let ports = smartt::Inputs::default().with_event(&of_smartt(&smartt_event(rng)));
        let mut inputs: weft_smartt_inputs = zeroed();
        inputs.event_tdata = [ports.event_data as u64, (ports.event_data >> 64) as u64];
        inputs.now = ports.now;
        inputs.event_tid = ports.event_id;
        inputs.event_tuser = ports.event_user;
        inputs.rst = chance(rng, 5_000);
        inputs.event_tvalid = 1 - chance(rng, 3);
        inputs.window_tready = 1 - chance(rng, 3);
        inputs
    }

    fn answer(&mut self, given: &Self::Given) -> Self::Seen {
        self.0.clock(&smartt_ports(given));
        let told = self.0.outputs();
        self.1 += u32::from(told.window_valid);
        weft_smartt_outputs {
            window_tid: told.window_id,
            window_tdata: told.window_data,
            not_open_events: low(told.not_open_events),
            event_tready: u8::from(told.event_ready),
            window_tvalid: u8::from(told.window_valid),
            window_tuser: told.window_user,
        }
    }

    fn everything_happened(&self) {
        assert!(self.1 > LEAST, "{} windows", self.1);
    }
}

/// A model and the number of its outcomes.
pub(crate) struct SackRx(sack_rx::Clocked, u32);

pub(crate) fn sack_rx_ports(given: &weft_sack_rx_inputs) -> sack_rx::Inputs {
    let [first, second] = given.event_tdata;
    sack_rx::Inputs {
        rst: given.rst == 1,
        event_valid: given.event_tvalid == 1,
        event_id: given.event_tid,
        event_data: u128::from(second) << 64 | u128::from(first),
        event_user: given.event_tuser,
        outcome_ready: given.outcome_tready == 1,
    }
}

impl Block for SackRx {
    const NAME: &str = "sack_rx_clocked";
    type Given = weft_sack_rx_inputs;
    type Told = weft_sack_rx_outputs;
    type Seen = Self::Told;

    fn new() -> Self {
        let params = SackParams { connections: CONNECTIONS };
        Self(sack_rx::Clocked::new(params, NicCsr::default().receiver.sack), 0)
    }

    fn seen(told: &Self::Told) -> Self::Seen {
        *told
    }

    fn draw(&mut self, rng: &mut Rng, _: u32) -> Self::Given {
        let ports = sack_rx::Inputs::default().with_event(&of_sack_rx(&sack_rx_event(rng)));
        let mut inputs: weft_sack_rx_inputs = zeroed();
        inputs.event_tdata = [ports.event_data as u64, (ports.event_data >> 64) as u64];
        inputs.event_tid = ports.event_id;
        inputs.event_tuser = ports.event_user;
        inputs.rst = chance(rng, 5_000);
        inputs.event_tvalid = 1 - chance(rng, 3);
        inputs.outcome_tready = 1 - chance(rng, 3);
        inputs
    }

    fn answer(&mut self, given: &Self::Given) -> Self::Seen {
        self.0.clock(&sack_rx_ports(given));
        let told = self.0.outputs();
        self.1 += u32::from(told.outcome_valid);
        weft_sack_rx_outputs {
            outcome_tdata: told.outcome_data,
            outcome_tid: told.outcome_id,
            not_open_events: low(told.not_open_events),
            duplicates: low(told.duplicates),
            outside: low(told.outside),
            outcome_tuser: told.outcome_user,
            event_tready: u8::from(told.event_ready),
            outcome_tvalid: u8::from(told.outcome_valid),
        }
    }

    fn everything_happened(&self) {
        assert!(self.1 > LEAST, "{} outcomes", self.1);
    }
}

/// A model, the number of its outcomes, and the number of packets that left.
pub(crate) struct SackTx(sack_tx::Clocked, u32, u32);

pub(crate) fn sack_tx_ports(given: &weft_sack_tx_inputs) -> sack_tx::Inputs {
    sack_tx::Inputs {
        rst: given.rst == 1,
        now: given.now,
        event_valid: given.event_tvalid == 1,
        event_id: given.event_tid,
        event_data: given.event_tdata,
        event_user: given.event_tuser,
        outcome_ready: given.outcome_tready == 1,
        hold: given.hold == 1,
        query: given.query,
    }
}

impl Block for SackTx {
    const NAME: &str = "sack_tx_clocked";
    type Given = weft_sack_tx_inputs;
    type Told = weft_sack_tx_outputs;
    type Seen = Self::Told;

    fn new() -> Self {
        let params = SackParams { connections: CONNECTIONS };
        Self(sack_tx::Clocked::new(params, NicCsr::default().sender.sack), 0, 0)
    }

    fn seen(told: &Self::Told) -> Self::Seen {
        *told
    }

    fn draw(&mut self, rng: &mut Rng, at: u32) -> Self::Given {
        let ports = sack_tx::Inputs::default().with_event(&of_sack_tx(&sack_tx_event(rng, at)));
        let mut inputs: weft_sack_tx_inputs = zeroed();
        inputs.event_tdata = ports.event_data;
        inputs.now = at;
        inputs.event_tid = ports.event_id;
        inputs.query = rng.below(CONNECTIONS);
        inputs.event_tuser = ports.event_user;
        inputs.rst = chance(rng, 20_000);
        inputs.event_tvalid = chance(rng, 3);
        inputs.outcome_tready = 1 - chance(rng, 3);
        inputs.hold = chance(rng, 5);
        inputs
    }

    fn answer(&mut self, given: &Self::Given) -> Self::Seen {
        self.0.clock(&sack_tx_ports(given));
        let told = self.0.outputs();
        self.1 += u32::from(told.outcome_valid);
        self.2 += u32::from(told.sends);
        weft_sack_tx_outputs {
            outcome_tdata: told.outcome_data,
            window_view: told.window,
            outcome_tid: told.outcome_id,
            not_open_events: low(told.not_open_events),
            never_sent: low(told.never_sent),
            stale: low(told.stale),
            refused: low(told.refused),
            outcome_tuser: told.outcome_user,
            event_tready: u8::from(told.event_ready),
            sends: u8::from(told.sends),
            outcome_tvalid: u8::from(told.outcome_valid),
        }
    }

    fn everything_happened(&self) {
        assert!(self.1 > LEAST && self.2 > 1_000, "{} outcomes, {} packets", self.1, self.2);
    }
}
