//! `weft_*_wait`: wide words that only wait, in LUT RAM.

use crate::prelude::*;

/// A delay line for wide words, in LUT RAM: a shift register needs a LUT per bit, this memory four per seven
/// bits. Words before the first are undefined.
///
/// # Parameters
///
/// Words of `T`.
#[derive(LogicBlock, BlockDefault)]
pub struct Wait<T: Synth> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, of the place and not of the words.
    pub rst: Signal<In, Bit>,
    /// Advance at this edge.
    pub en: Signal<In, Bit>,
    /// The delay in enabled clocks, 2 to 15; a constant.
    pub clocks: Signal<In, Bits<4>>,
    /// Word in.
    pub word: Signal<In, T>,
    /// The word after that delay; a register.
    pub late: Signal<Out, T>,

    #[new(false, RamStyle::Distributed)]
    ram: RamSdp<T, 4>,
    place: Reg<Bits<4>>,
}

impl<T: Synth> Logic for Wait<T> {
    #[clocked(en = en)]
    #[hdl_gen]
    fn update(&mut self) {
        // A clock before the delay is over the word is read, into the memory's register.
        self.place.reg = self.place.q.val() + 1;
        self.ram.write = when(self.en.val(), (self.place.q.val(), self.word.val()));
        self.ram.read = self.place.q.val() + 1 - self.clocks.val();
        self.late.next = self.ram.rdata.val();
    }
}
