//! `weft_reps_entropy`: the cached entropy values, the random numbers, and the value that leaves.

use crate::prelude::*;

/// `A` bits of connection number, `S` of slot number, `AS = A + S`, `V` of entropy value. Two stages:
/// what enters with an event answers two clocks later.
#[derive(LogicBlock)]
pub struct Entropy<const A: usize, const S: usize, const AS: usize, const V: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// The pipeline moves.
    pub run: Signal<In, Bit>,
    /// The connection.
    pub id: Signal<In, Bits<A>>,
    /// The slot.
    pub slot: Signal<In, Bits<S>>,
    /// Write the entropy value in `data` into the slot.
    pub write: Signal<In, Bit>,
    /// Answer with the entropy value in the slot.
    pub read: Signal<In, Bit>,
    /// Answer with a random one and advance the generator.
    pub draw: Signal<In, Bit>,
    /// Answer with the one that `number` stands for.
    pub indexed: Signal<In, Bit>,
    /// Mode 2024: a number out of 256.
    pub number: Signal<In, Bits<8>>,
    /// Seed the generator with `data`.
    pub seed: Signal<In, Bit>,
    /// Entropy value in the low bits, or seed.
    pub data: Signal<In, Bits<32>>,
    /// CSR: wire value of index 0.
    pub ev_base: Signal<In, Bits<V>>,
    /// CSR: number of entropy values, 1 to 65,536.
    pub evs_size: Signal<In, Bits<17>>,
    /// The answer; 0 if none was asked for.
    pub ev: Signal<Out, Bits<V>>,

    evs: RamSdp<Bits<V>, AS>,
    generator: Reg<Bits<32>>,
    scale: Mul<24, 17, 41>,
    s6_drawn: Pipe<Bit>,
    s6_read: Pipe<Bit>,
    s7_drawn: Pipe<Bit>,
    s7_read: Pipe<Bit>,
    address: Signal<Local, Bits<AS>>,
    x1: Signal<Local, Bits<32>>,
    x2: Signal<Local, Bits<32>>,
    x3: Signal<Local, Bits<32>>,
    wide_index: Signal<Local, Bits<16>>,
    index: Signal<Local, Bits<V>>,
    slot_bits: Constant<Bits<8>>,
}

impl<const A: usize, const S: usize, const AS: usize, const V: usize> Default for Entropy<A, S, AS, V> {
    fn default() -> Self {
        assert!(AS == A + S, "the address of an entropy value is connection and slot");
        Entropy {
            clk: Default::default(),
            rst: Default::default(),
            run: Default::default(),
            id: Default::default(),
            slot: Default::default(),
            write: Default::default(),
            read: Default::default(),
            draw: Default::default(),
            indexed: Default::default(),
            number: Default::default(),
            seed: Default::default(),
            data: Default::default(),
            ev_base: Default::default(),
            evs_size: Default::default(),
            ev: Default::default(),
            evs: Default::default(),
            generator: Reg::new(1u64.to_bits()),
            scale: Mul::new(2),
            s6_drawn: Default::default(),
            s6_read: Default::default(),
            s7_drawn: Default::default(),
            s7_read: Default::default(),
            address: Default::default(),
            x1: Default::default(),
            x2: Default::default(),
            x3: Default::default(),
            wide_index: Default::default(),
            index: Default::default(),
            slot_bits: Constant::new((S as u64).to_bits()),
        }
    }
}

impl<const A: usize, const S: usize, const AS: usize, const V: usize> Logic for Entropy<A, S, AS, V> {
    #[hdl_gen]
    fn update(&mut self) {
        // An event writes or reads, so no two accesses meet.
        self.address.next =
            (bit_cast::<AS, A>(self.id.val()) << self.slot_bits.val()) | bit_cast::<AS, S>(self.slot.val());
        self.evs.clk.next = self.clk.val();
        self.evs.we.next = self.run.val() & self.write.val();
        self.evs.waddr.next = self.address.val();
        self.evs.wdata.next = self.data.val().get_bits::<V>(0);
        self.evs.re.next = self.run.val() & self.read.val();
        self.evs.raddr.next = self.address.val();
        self.evs.oe.next = self.run.val();

        // xorshift32; a seed of 0 counts as 1.
        self.x1.next = self.generator.q.val() ^ (self.generator.q.val() << 13);
        self.x2.next = self.x1.val() ^ (self.x1.val() >> 17);
        self.x3.next = self.x2.val() ^ (self.x2.val() << 5);
        self.generator.clk.next = self.clk.val();
        self.generator.rst.next = self.rst.val();
        self.generator.en.next = self.run.val() & (self.seed.val() | self.draw.val());
        self.generator.d.next = self.x3.val();
        if self.seed.val() {
            self.generator.d.next = self.data.val();
            if !self.data.val().any() {
                self.generator.d.next = 1.into();
            }
        }

        // index = floor(draw * size / 2^24)
        self.scale.clk.next = self.clk.val();
        self.scale.en.next = self.run.val();
        self.scale.a.next = self.generator.q.val().get_bits::<24>(8);
        if self.indexed.val() {
            self.scale.a.next = bit_cast::<24, 8>(self.number.val()) << 16;
        }
        self.scale.b.next = self.evs_size.val();

        self.s6_drawn.clk.next = self.clk.val();
        self.s6_drawn.en.next = self.run.val();
        self.s6_drawn.d.next = self.draw.val() | self.indexed.val();
        self.s6_read.clk.next = self.clk.val();
        self.s6_read.en.next = self.run.val();
        self.s6_read.d.next = self.read.val();
        self.s7_drawn.clk.next = self.clk.val();
        self.s7_drawn.en.next = self.run.val();
        self.s7_drawn.d.next = self.s6_drawn.q.val();
        self.s7_read.clk.next = self.clk.val();
        self.s7_read.en.next = self.run.val();
        self.s7_read.d.next = self.s6_read.q.val();

        self.wide_index.next = self.scale.p.val().get_bits::<16>(24);
        self.index.next = self.wide_index.val().get_bits::<V>(0);
        self.ev.next = 0.into();
        if self.s7_drawn.q.val() {
            self.ev.next = self.ev_base.val() + self.index.val();
        } else if self.s7_read.q.val() {
            self.ev.next = self.evs.rdata.val();
        }
    }
}
