//! The block of `brief.rs` without short forms.

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
    #[hdl_gen]
    fn update(&mut self) {
        // The sum.
        self.total.clk.next = self.clk.val();
        self.total.rst.next = self.rst.val();
        self.total.en.next = self.in_tvalid.val();
        self.total.d.next = self.total.q.val() + self.in_tdata.val();
        self.sum.next = self.total.q.val();
        self.in_tready.next = true;
    }
}

#[derive(LogicBlock)]
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
    first: Reg<Bits<8>>,
    second: Pipe<Bits<8>>,
    third: Delay<Bits<8>>,
    many: [Pipe<Bits<8>>; 2],
    product: Mul<8, 8, 16>,
    quotient: Div<8, 8, 8>,
    memory: RamSdp<Bits<8>, 4>,
    nine: Constant<Bits<4>>,
}

impl Default for Uut {
    fn default() -> Self {
        Uut {
            clk: Default::default(),
            rst: Default::default(),
            run: Default::default(),
            pair: Default::default(),
            net_tvalid: Default::default(),
            net_tready: Default::default(),
            net_tdata: Default::default(),
            sum: Default::default(),
            out: Default::default(),
            swapped: Default::default(),
            inner: Default::default(),
            first: Reg::new(5.into()),
            second: Default::default(),
            third: Delay::new(3),
            many: Default::default(),
            product: Mul::new(2),
            quotient: Div::new(4),
            memory: Default::default(),
            nine: Constant::new(9.into()),
        }
    }
}

impl Logic for Uut {
    #[hdl_gen]
    fn update(&mut self) {
        self.inner.clk.next = self.clk.val();
        self.inner.rst.next = self.rst.val();
        self.inner.in_tvalid.next = self.net_tvalid.val();
        self.net_tready.next = self.inner.in_tready.val();
        self.inner.in_tdata.next = self.net_tdata.val();
        self.sum.next = self.inner.sum.val();
        // A chain.
        self.first.clk.next = self.clk.val();
        self.first.rst.next = self.rst.val();
        self.first.en.next = self.run.val() & self.net_tvalid.val();
        self.first.d.next = self.inner.sum.val() ^ 1;
        if self.pair.val().low == self.nine.val() {
            self.first.d.next = 0.into();
        }
        self.second.clk.next = self.clk.val();
        self.second.en.next = self.run.val();
        self.second.d.next = self.first.q.val() + 1;
        self.third.clk.next = self.clk.val();
        self.third.en.next = true;
        self.third.d.next = self.second.q.val();
        // Each.
        for i in 0..2 {
            self.many[i].clk.next = self.clk.val();
            self.many[i].en.next = self.run.val();
            self.many[i].d.next = self.third.q.val() - 1;
        }
        self.product.clk.next = self.clk.val();
        self.product.en.next = self.run.val();
        self.product.a.next = self.many[0].q.val();
        self.product.b.next = self.many[1].q.val();
        self.quotient.clk.next = self.clk.val();
        self.quotient.en.next = self.run.val();
        self.quotient.num.next = self.product.p.val().get_bits::<8>(4);
        self.quotient.den.next = self.second.q.val();
        self.memory.we.next = self.net_tvalid.val();
        self.memory.waddr.next = bit_cast::<4, 4>(self.pair.val().high);
        self.memory.wdata.next = self.quotient.q.val();
        self.memory.clk.next = self.clk.val();
        self.memory.re.next = self.run.val();
        self.memory.raddr.next = self.pair.val().low;
        self.memory.oe.next = self.run.val();
        // Out.
        self.swapped.next.low = self.pair.val().low;
        self.swapped.next.high = self.pair.val().high;
        self.out.next = self.memory.rdata.val();
    }
}
