//! `weft_*_slots`: two words of a skid, in LUT RAM.

use crate::prelude::*;

/// The data of wide words beside a skid, in two slots of LUT RAM. A skid needs a LUT and two registers per
/// bit, this memory four LUTs per seven bits. The skid says when a word enters and leaves: there is never a
/// third word.
///
/// # Parameters
///
/// Words of `T`.
#[derive(LogicBlock, Default)]
pub struct Slots<T: Synth> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, of the places and not of the words.
    pub rst: Signal<In, Bit>,
    /// A word is put after the stored one.
    pub put: Signal<In, Bit>,
    /// The word.
    pub word: Signal<In, T>,
    /// The first word is removed.
    pub take: Signal<In, Bit>,
    /// The first word, if there is one; read from the memory.
    pub first: Signal<Out, T>,

    ram: RamLut<T, 1>,
    behind: Reg<Bits<1>>,
    ahead: Reg<Bits<1>>,
}

impl<T: Synth> Logic for Slots<T> {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        self.behind.reg = when(self.put.val(), !self.behind.q.val());
        self.ahead.reg = when(self.take.val(), !self.ahead.q.val());
        self.ram.clk.next = self.clk.val();
        self.ram.write = when(self.put.val(), (self.behind.q.val(), self.word.val()));
        self.ram.raddr.next = self.ahead.q.val();
        self.first.next = self.ram.rdata.val();
    }
}
