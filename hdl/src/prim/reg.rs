//! Registers: `Reg` for control, `Pipe` for data, `weft_delay` for data that only waits, `weft_enable` for the enable of
//! a pipeline, `weft_late_reset` for the reset of a group of registers. The first two are `always` blocks in the
//! module around them.

use super::{instance, register};
use rust_hdl_core::prelude::*;
use std::collections::VecDeque;

/// Register with synchronous reset and clock enable. Reset wins over enable.
#[derive(Clone, Debug, LogicBlock)]
pub struct Reg<T: Synth> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset to the initial value.
    pub rst: Signal<In, Bit>,
    /// Load `d` at this edge.
    pub en: Signal<In, Bit>,
    /// Next value.
    pub d: Signal<In, T>,
    /// Current value.
    pub q: Signal<Out, T>,
    _init: T,
}

impl<T: Synth> Reg<T> {
    /// A register with the value `init` after reset. (In Rust also before the reset; the Verilog is undefined
    /// there.)
    pub fn new(init: T) -> Self {
        Reg {
            clk: Signal::default(),
            rst: Signal::default(),
            en: Signal::default(),
            d: Signal::default(),
            q: Signal::new_with_default(init),
            _init: init,
        }
    }
}

impl<T: Synth> Default for Reg<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T: Synth> Logic for Reg<T> {
    fn update(&mut self) {
        if self.clk.pos_edge() {
            if self.rst.val() {
                self.q.next = self._init;
            } else if self.en.val() {
                self.q.next = self.d.val();
            }
        }
    }

    fn connect(&mut self) {
        self.q.connect();
    }

    fn hdl(&self) -> Verilog {
        // The literal of an enum is 64 bits wide for every enum.
        let literal = format!("{:x}", self._init.verilog());
        let digits = literal.rsplit_once('h').map_or("0", |(_, digits)| digits);
        register(digits)
    }
}

/// Data register with clock enable and no reset. Undefined until first loaded.
#[derive(Clone, Debug, Default, LogicBlock)]
pub struct Pipe<T: Synth> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Load `d` at this edge.
    pub en: Signal<In, Bit>,
    /// Next value.
    pub d: Signal<In, T>,
    /// Current value.
    pub q: Signal<Out, T>,
}

impl<T: Synth> Logic for Pipe<T> {
    fn update(&mut self) {
        if self.clk.pos_edge() && self.en.val() {
            self.q.next = self.d.val();
        }
    }

    fn connect(&mut self) {
        self.q.connect();
    }

    fn hdl(&self) -> Verilog {
        register("")
    }
}

/// `weft_delay`: delay line for data with clock enable and no reset. Undefined until filled.
#[derive(Clone, Debug, LogicBlock)]
pub struct Delay<T: Synth> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Advance at this edge.
    pub en: Signal<In, Bit>,
    /// Word in.
    pub d: Signal<In, T>,
    /// Word of some clocks ago.
    pub q: Signal<Out, T>,
    _line: VecDeque<T>,
}

impl<T: Synth> Delay<T> {
    /// A delay of `clocks` clocks, at least 1.
    ///
    /// # Panics
    /// `clocks` is 0.
    pub fn new(clocks: usize) -> Self {
        assert!(clocks > 0, "Delay::new needs at least one clock");
        Delay {
            clk: Signal::default(),
            en: Signal::default(),
            d: Signal::default(),
            q: Signal::default(),
            _line: vec![T::default(); clocks].into(),
        }
    }
}

impl<T: Synth> Logic for Delay<T> {
    fn update(&mut self) {
        if self.clk.pos_edge() && self.en.val() {
            self._line.push_back(self.d.val());
            self._line.pop_front();
            self.q.next = self._line[0];
        }
    }

    fn connect(&mut self) {
        self.q.connect();
    }

    fn hdl(&self) -> Verilog {
        instance(
            "weft_delay",
            &[("W", T::BITS.to_string()), ("CLOCKS", self._line.len().to_string())],
            include_str!("../../verilog/prim/weft_delay.v"),
        )
    }
}

/// `weft_enable`: a pipeline's enable, one bit that is 1 after reset. Each module of the pipeline has its own
/// copy, so that no copy drives too many pins; an attribute keeps tools from merging the copies.
#[derive(Clone, Debug, LogicBlock)]
pub struct Enable {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset to 1.
    pub rst: Signal<In, Bit>,
    /// The pipeline moves in the next clock.
    pub next_run: Signal<In, Bit>,
    /// The pipeline moves.
    pub q: Signal<Out, Bit>,
}

impl Default for Enable {
    fn default() -> Self {
        Enable {
            clk: Signal::default(),
            rst: Signal::default(),
            next_run: Signal::default(),
            q: Signal::new_with_default(true),
        }
    }
}

impl Logic for Enable {
    fn update(&mut self) {
        if self.clk.pos_edge() {
            self.q.next = self.rst.val() | self.next_run.val();
        }
    }

    fn connect(&mut self) {
        self.q.connect();
    }

    fn hdl(&self) -> Verilog {
        instance("weft_enable", &[], include_str!("../../verilog/prim/weft_enable.v"))
    }
}

/// `weft_late_reset`: a copy of the reset, one clock later, for one group of registers, so that the reset
/// itself drives fewer pins. An attribute keeps tools from merging the copies.
#[derive(Clone, Debug, Default, LogicBlock)]
pub struct LateReset {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// The reset.
    pub rst: Signal<In, Bit>,
    /// The reset of the clock before.
    pub q: Signal<Out, Bit>,
}

impl Logic for LateReset {
    fn update(&mut self) {
        if self.clk.pos_edge() {
            self.q.next = self.rst.val();
        }
    }

    fn connect(&mut self) {
        self.q.connect();
    }

    fn hdl(&self) -> Verilog {
        instance("weft_late_reset", &[], include_str!("../../verilog/prim/weft_late_reset.v"))
    }
}
