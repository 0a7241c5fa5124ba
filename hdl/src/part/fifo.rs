//! `weft_*_fifo`: words in order, which leave when they are committed and can be dropped until then.

use crate::prelude::*;

/// Depth of the deepest queue in LUT RAM, as a power of 2.
const SHALLOW: usize = 5;

/// A queue of words, which leave in order when they are committed and can be dropped until then. All outputs
/// are registers or functions of registers; a word is offered three clock edges after it was written and
/// committed.
///
/// # Parameters
///
/// 2^D words of `T`; `E = D + 1`.
#[derive(LogicBlock, BlockDefault)]
#[requires(E == D + 1)]
pub struct Fifo<T: Synth, const D: usize, const E: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset: empty.
    pub rst: Signal<In, Bit>,
    /// A word is written; it is lost when the level is 2^D.
    pub in_valid: Signal<In, Bit>,
    /// The word.
    pub in_word: Signal<In, T>,
    /// All written words may leave, the word of this clock included.
    pub in_commit: Signal<In, Bit>,
    /// All words written and not committed are discarded, the word of this clock included.
    pub in_rollback: Signal<In, Bit>,
    /// Words written and not fetched yet.
    pub level: Signal<Out, Bits<E>>,
    /// The level is 2^D.
    pub full: Signal<Out, Bit>,
    /// A word is offered.
    pub out_valid: Signal<Out, Bit>,
    /// The word. A register without reset, which keeps its value until the queue offers the next word.
    pub out_word: Signal<Out, T>,
    /// The word is accepted.
    pub out_ready: Signal<In, Bit>,

    #[new(false, if D <= SHALLOW { RamStyle::Distributed } else { RamStyle::Block })]
    ram: RamSdp<T, D>,
    #[new((1u64 << D).to_bits())]
    most: Constant<Bits<E>>,
    written: Reg<Bits<E>>,
    committed: Reg<Bits<E>>,
    fetched: Reg<Bits<E>>,
    is_full: Reg<Bit>,
    pending: Pipe<Bit>,
    push: Signal<Local, Bit>,
    fills: Signal<Local, Bit>,
    ahead: Signal<Local, Bits<E>>,
    behind: Signal<Local, Bits<E>>,
    some: Signal<Local, Bit>,
    loads: Signal<Local, Bit>,
    fetches: Signal<Local, Bit>,
    fetched_one: Signal<Local, Bit>,
    read: Reg<Bit>,
    offered: Reg<Bit>,
    offered_word: Pipe<T>,
}

impl<T: Synth, const D: usize, const E: usize> Logic for Fifo<T, D, E> {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        // Write. The memory is written in every clock, so that a register drives its enable: the next write
        // overwrites a word that did not arrive.
        self.level.next = self.written.q.val() - self.fetched.q.val();
        self.push.next = self.in_valid.val() & !self.is_full.q.val();
        self.ahead.next = self.written.q.val() + 1;
        self.behind.next = if self.push.val() { self.ahead.val() } else { self.written.q.val() };
        self.written.reg = if self.in_rollback.val() { self.committed.q.val() } else { self.behind.val() };
        self.committed.reg = when(self.in_commit.val() & !self.in_rollback.val(), self.behind.val());
        self.ram.write =
            when(!self.is_full.q.val(), (self.written.q.val().get_bits::<D>(0), self.in_word.val()));

        // Fetch a word when the one before has gone on. The memory is read in every such clock, also when it is
        // empty, so that the enable does not depend on its level.
        self.some.next = self.fetched.q.val() != self.committed.q.val();
        self.loads.next = self.out_ready.val() | !self.offered.q.val();
        self.fetches.next = self.loads.val() | !self.read.q.val();
        self.fetched_one.next = self.fetches.val() & self.some.val();
        self.fetched.reg = when(self.fetched_one.val(), self.fetched.q.val() + 1);
        self.ram.read = when(self.fetches.val(), self.fetched.q.val().get_bits::<D>(0));
        self.read.reg = when(self.fetches.val(), self.some.val());

        // Full after this clock: with the last word, and until one is fetched or a word that waits for its commit is
        // forgotten. Whether any waits need not be known before a word is written.
        self.pending.pipe =
            (self.pending.q.val() | self.push.val()) & !self.in_commit.val() & !self.in_rollback.val();
        self.fills.next = (self.ahead.val() ^ self.fetched.q.val()) == self.most.val();
        self.is_full.reg = !self.fetched_one.val()
            & ((self.is_full.q.val() & !(self.in_rollback.val() & self.pending.q.val()))
                | (self.push.val() & self.fills.val() & !self.in_rollback.val()));
        self.full.next = self.is_full.q.val();

        // Offer it.
        self.offered.reg = when(self.loads.val(), self.read.q.val());
        self.offered_word.pipe = when(self.loads.val() & self.read.q.val(), self.ram.rdata.val());
        self.out_valid.next = self.offered.q.val();
        self.out_word.next = self.offered_word.q.val();
    }
}
