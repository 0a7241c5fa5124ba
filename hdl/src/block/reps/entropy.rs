//! `weft_reps_entropy`: the cached entropy values, the random numbers, and the value that leaves.

use crate::prelude::*;

/// The constant that a seed is combined with; reset is the seed 0. The model's `prng` has the reason.
const SEED_MASK: u64 = 0x9E37_79B9;

/// The cached entropy values, the random numbers, and the value that leaves. A number is drawn in stage 4, a
/// slot is read or written in stage 5, and the answer is ready in stage 7.
///
/// # Parameters
///
/// `A` bits of connection number, `S` of slot number, `AS = A + S`, `V` of entropy value.
#[derive(LogicBlock, BlockDefault)]
#[requires(AS == A + S)]
pub struct Entropy<const A: usize, const S: usize, const AS: usize, const V: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// The pipeline moves.
    pub run: Signal<In, Bit>,
    /// Stage 4: use a random number and advance the generator.
    pub draw: Signal<In, Bit>,
    /// Stage 4: seed the generator with `seed_data`.
    pub seed: Signal<In, Bit>,
    /// Stage 4: the seed.
    pub seed_data: Signal<In, Bits<32>>,
    /// Stage 4, mode 2024: a number out of 256, in place of a random one.
    pub number: Signal<In, Bits<8>>,
    /// CSR: mode 2024.
    pub mode_2024: Signal<In, Bit>,
    /// Stage 5: the connection.
    pub id: Signal<In, Bits<A>>,
    /// Stage 5: the slot.
    pub slot: Signal<In, Bits<S>>,
    /// Stage 5: write `given` into the slot.
    pub write: Signal<In, Bit>,
    /// Stage 5: the entropy value of the event.
    pub given: Signal<In, Bits<16>>,
    /// Stage 5: answer with the entropy value in the slot.
    pub read: Signal<In, Bit>,
    /// Stage 5: answer with the value of the random number that was drawn.
    pub drawn: Signal<In, Bit>,
    /// CSR: wire value of index 0.
    pub ev_base: Signal<In, Bits<V>>,
    /// CSR: number of entropy values, 1 to 65,536.
    pub evs_size: Signal<In, Bits<17>>,
    /// Stage 7: the answer; 0 without a request.
    pub ev: Signal<Out, Bits<V>>,

    evs: RamSdp<Bits<V>, AS>,
    #[new(SEED_MASK.to_bits())]
    generator: Reg<Bits<32>>,
    operand: Reg<Bits<15>>,
    operand_top: Pipe<Bits<8>>,
    s7_base: Reg<Bits<V>>,
    #[new(2)]
    scale: Mul<23, 17, 40>,
    s6_drawn: Pipe<Bit>,
    s6_read: Pipe<Bit>,
    s7_drawn: Pipe<Bit>,
    s7_read: Pipe<Bit>,
    address: Signal<Local, Bits<AS>>,
    seeded: Signal<Local, Bits<32>>,
    fresh: Signal<Local, Bits<32>>,
    wide_index: Signal<Local, Bits<16>>,
    addend: Signal<Local, Bits<V>>,
    #[new((S as u64).to_bits())]
    slot_bits: Constant<Bits<8>>,
    #[new(SEED_MASK.to_bits())]
    seed_mask: Constant<Bits<32>>,
}

impl<const A: usize, const S: usize, const AS: usize, const V: usize> Logic for Entropy<A, S, AS, V> {
    #[clocked(en = run)]
    #[hdl_gen]
    fn update(&mut self) {
        // The generator: 23 new bits of an LFSR for every draw, the oldest 8 added to their top. Its state is never 0.
        self.fresh.next = self.generator.q.val()
            ^ (self.generator.q.val() >> 2)
            ^ (self.generator.q.val() >> 6)
            ^ (self.generator.q.val() >> 7);
        self.seeded.next = self.seed_data.val() ^ self.seed_mask.val();
        self.generator.reg = when(
            self.run.val() & (self.seed.val() | self.draw.val()),
            if self.seed.val() {
                self.seeded.val() | (bit_cast::<32, 1>((!self.seeded.val().any()).into()) << 31)
            } else {
                (self.fresh.val() << 9) | (self.generator.q.val() >> 23)
            },
        );

        // index = floor(draw * size / 2^23); a number counts as the top 8 bits of a draw.
        self.operand.clk.next = self.clk.val();
        self.operand.rst.next = self.run.val() & self.mode_2024.val();
        self.operand.en.next = self.run.val();
        self.operand.d.next = self.generator.q.val().get_bits::<15>(9);
        self.operand_top.pipe = if self.mode_2024.val() {
            self.number.val()
        } else {
            self.generator.q.val().get_bits::<8>(24) ^ self.generator.q.val().get_bits::<8>(0)
        };
        self.scale.mul = (
            (bit_cast::<23, 8>(self.operand_top.q.val()) << 15) | bit_cast::<23, 15>(self.operand.q.val()),
            self.evs_size.val(),
        );

        // An event writes or reads, so no two accesses meet.
        self.address.next =
            (bit_cast::<AS, A>(self.id.val()) << self.slot_bits.val()) | bit_cast::<AS, S>(self.slot.val());
        self.evs.write =
            when(self.run.val() & self.write.val(), (self.address.val(), self.given.val().get_bits::<V>(0)));
        self.evs.read = when(self.run.val() & self.read.val(), self.address.val());

        self.s6_drawn.pipe = self.drawn.val();
        self.s6_read.pipe = self.read.val();
        self.s7_drawn.pipe = self.s6_drawn.q.val();
        self.s7_read.pipe = self.s6_read.q.val();

        // base + index, or a slot's value; 0 where neither is requested.
        self.s7_base.clk.next = self.clk.val();
        self.s7_base.rst.next = self.run.val() & !self.s6_drawn.q.val();
        self.s7_base.en.next = self.run.val();
        self.s7_base.d.next = self.ev_base.val();
        self.wide_index.next = self.scale.p.val().get_bits::<16>(23);
        self.addend.next = if self.s7_drawn.q.val() {
            self.wide_index.val().get_bits::<V>(0)
        } else if self.s7_read.q.val() {
            self.evs.rdata.val()
        } else {
            0.into()
        };
        self.ev.next = self.s7_base.q.val() + self.addend.val();
    }
}
