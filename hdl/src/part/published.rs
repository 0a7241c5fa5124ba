//! `weft_*_published`: a word for every connection, written at the end of a pipeline and read at its beginning.

use crate::prelude::*;

/// A word for every connection, written at the end of a pipeline and read at its beginning. A read returns
/// the word written in the same clock.
///
/// # Parameters
///
/// Words of `T`, `A` bits of connection number.
#[derive(LogicBlock, Default)]
pub struct Published<T: Synth, const A: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// The reader moves.
    pub run: Signal<In, Bit>,
    /// Write enable; does not wait for the reader.
    pub we: Signal<In, Bit>,
    /// Connection to write.
    pub waddr: Signal<In, Bits<A>>,
    /// Word to write.
    pub wdata: Signal<In, T>,
    /// Connection to read; a register of the user.
    pub raddr: Signal<In, Bits<A>>,
    /// Two clocks later: its word.
    pub rdata: Signal<Out, T>,

    ram: RamSdp<T, A>,
    s2_same: Pipe<Bit>,
    s2_word: Pipe<T>,
    s3_same: Pipe<Bit>,
    s3_word: Pipe<T>,
}

impl<T: Synth, const A: usize> Logic for Published<T, A> {
    #[clocked(en = run)]
    #[hdl_gen]
    fn update(&mut self) {
        self.ram.write = when(self.we.val(), (self.waddr.val(), self.wdata.val()));
        self.ram.read = self.raddr.val();
        // The RAM's word is any word when its address is written in the same clock.
        self.s2_same.pipe = self.we.val() & (self.waddr.val() == self.raddr.val());
        self.s2_word.pipe = self.wdata.val();
        self.s3_same.pipe = self.s2_same.q.val();
        self.s3_word.pipe = self.s2_word.q.val();
        self.rdata.next = if self.s3_same.q.val() { self.s3_word.q.val() } else { self.ram.rdata.val() };
    }
}
