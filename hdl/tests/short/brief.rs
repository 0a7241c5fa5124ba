//! A block that uses every short form.

use weft_hdl::prelude::*;

#[derive(LogicStruct, Clone, Copy, Debug, Default, PartialEq)]
pub struct Pair {
    pub low: Bits<4>,
    pub high: Bits<4>,
}

#[derive(LogicBlock, Default)]
pub struct Inner {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    pub in_tvalid: Signal<In, Bit>,
    pub in_tready: Signal<Out, Bit>,
    pub in_tdata: Signal<In, Bits<8>>,
    pub sum: Signal<Out, Bits<8>>,
    total: Reg<Bits<8>>,
}

impl Logic for Inner {
    #[clocked(en = in_tvalid)]
    #[hdl_gen]
    fn update(&mut self) {
        // The sum.
        self.total.reg = self.total.q.val() + self.in_tdata.val();
        self.sum.next = self.total.q.val();
        self.in_tready.next = true;
    }
}

#[derive(LogicBlock, BlockDefault)]
pub struct Uut {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    pub run: Signal<In, Bit>,
    pub pair: Signal<In, Pair>,
    pub net_tvalid: Signal<In, Bit>,
    pub net_tready: Signal<Out, Bit>,
    pub net_tdata: Signal<In, Bits<8>>,
    pub sum: Signal<Out, Bits<8>>,
    pub out: Signal<Out, Bits<8>>,
    pub swapped: Signal<Out, Pair>,
    inner: Inner,
    #[new(5.into())]
    first: Reg<Bits<8>>,
    second: Pipe<Bits<8>>,
    #[new(3)]
    third: Delay<Bits<8>>,
    many: [Pipe<Bits<8>>; 2],
    #[new(2)]
    product: Mul<8, 8, 16>,
    #[default(Div::new(4))]
    quotient: Div<8, 8, 8>,
    memory: RamSdp<Bits<8>, 4>,
    #[new(9.into())]
    nine: Constant<Bits<4>>,
}

impl Logic for Uut {
    #[clocked(en = run)]
    #[hdl_gen]
    fn update(&mut self) {
        wire!(self.inner.* <- self.*: clk, rst);
        stream!(self.inner.in_* <- self.net_*: tdata);
        wire!(self.* <- self.inner.*: sum);
        // A chain.
        self.first.reg = when(self.run.val() & self.net_tvalid.val(), self.inner.sum.val() ^ 1);
        if self.pair.val().low == self.nine.val() {
            self.first.d.next = 0.into();
        }
        self.second.pipe = self.first.q.val() + 1;
        self.third.delay = when(true, self.second.q.val());
        // Each.
        for i in 0..2 {
            self.many[i].pipe = self.third.q.val() - 1;
        }
        self.product.mul = (self.many[0].q.val(), self.many[1].q.val());
        self.quotient.div = (self.product.p.val().get_bits::<8>(4), self.second.q.val());
        self.memory.write =
            when(self.net_tvalid.val(), (bit_cast::<4, 4>(self.pair.val().high), self.quotient.q.val()));
        self.memory.read = self.pair.val().low;
        // Out.
        wire!(self.swapped.next.* <- self.pair.val().*: low, high);
        self.out.next = self.memory.rdata.val();
    }
}
