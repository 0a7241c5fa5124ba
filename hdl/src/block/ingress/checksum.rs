//! `weft_ingress_checksum`: the checksum of an IPv4 header without options.

use crate::prelude::*;

/// Stages 4 to 9: the checksum of an IPv4 header without options. The sum of the ten words, with carries
/// added again, is all ones. For ten words, one round of added carries is enough.
#[derive(LogicBlock, Default)]
pub struct Checksum {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Stage 3: the IP header, the first byte highest.
    pub ip: Signal<In, Bits<512>>,
    /// Stage 9: the sum is wrong.
    pub wrong: Signal<Out, Bit>,
    s4_a: Pipe<Bits<20>>,
    s4_b: Pipe<Bits<20>>,
    s4_c: Pipe<Bits<20>>,
    s4_d: Pipe<Bits<20>>,
    s4_e: Pipe<Bits<20>>,
    s5_a: Pipe<Bits<20>>,
    s5_c: Pipe<Bits<20>>,
    s5_e: Pipe<Bits<20>>,
    s6_a: Pipe<Bits<20>>,
    s6_e: Pipe<Bits<20>>,
    s7: Pipe<Bits<20>>,
    s8: Pipe<Bits<17>>,
    s9_wrong: Pipe<Bit>,
}

impl Logic for Checksum {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        self.s4_a.pipe = bit_cast::<20, 16>(self.ip.val().get_bits::<16>(496))
            + bit_cast::<20, 16>(self.ip.val().get_bits::<16>(480));
        self.s4_b.pipe = bit_cast::<20, 16>(self.ip.val().get_bits::<16>(464))
            + bit_cast::<20, 16>(self.ip.val().get_bits::<16>(448));
        self.s4_c.pipe = bit_cast::<20, 16>(self.ip.val().get_bits::<16>(432))
            + bit_cast::<20, 16>(self.ip.val().get_bits::<16>(416));
        self.s4_d.pipe = bit_cast::<20, 16>(self.ip.val().get_bits::<16>(400))
            + bit_cast::<20, 16>(self.ip.val().get_bits::<16>(384));
        self.s4_e.pipe = bit_cast::<20, 16>(self.ip.val().get_bits::<16>(368))
            + bit_cast::<20, 16>(self.ip.val().get_bits::<16>(352));
        self.s5_a.pipe = self.s4_a.q.val() + self.s4_b.q.val();
        self.s5_c.pipe = self.s4_c.q.val() + self.s4_d.q.val();
        self.s5_e.pipe = self.s4_e.q.val();
        self.s6_a.pipe = self.s5_a.q.val() + self.s5_c.q.val();
        self.s6_e.pipe = self.s5_e.q.val();
        self.s7.pipe = self.s6_a.q.val() + self.s6_e.q.val();
        self.s8.pipe = bit_cast::<17, 16>(self.s7.q.val().get_bits::<16>(0))
            + bit_cast::<17, 4>(self.s7.q.val().get_bits::<4>(16));
        self.s9_wrong.pipe = self.s8.q.val() != 0xFFFF;
        self.wrong.next = self.s9_wrong.q.val();
    }
}
