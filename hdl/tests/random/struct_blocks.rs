// Written by structs.rs; `WEFT_BLESS=1 cargo test -p weft-hdl --test random` writes it anew.

use super::types::{Inner, Mode, Outer};
use weft_hdl::prelude::*;

#[derive(LogicBlock, Default)]
pub(crate) struct Twist {
pub sink: Signal<In, Outer>,
pub source: Signal<Out, Outer>,
}

impl Logic for Twist {
#[hdl_gen]
fn update(&mut self) {
self.source.next = self.sink.val();
self.source.next.inner = self.sink.val().second;
self.source.next.tail = self.sink.val().tail + 1;
}
}

#[derive(LogicBlock, Default)]
pub(crate) struct S0 {
pub clk: Signal<In, Clock>,
pub rst: Signal<In, Bit>,
pub f: Signal<In, Bit>,
pub x: Signal<In, Outer>,
pub y: Signal<In, Outer>,
pub p: Signal<In, Inner>,
pub q: Signal<In, Inner>,
pub o: Signal<Out, Outer>,
pub i: Signal<Out, Inner>,
pub o16: Signal<Out, Bits<16>>,
pub all: Signal<Out, Bits<51>>,
pub o1: Signal<Out, Bit>,
pipe: Pipe<Outer>,
held: Reg<Outer>,
inner_reg: Reg<Inner>,
ram: RamSdp<Outer, 2>,
count: Reg<Bits<2>>,
started: Reg<Bit>,
later: Reg<Bit>,
twist: Twist,
copy: Signal<Local, Outer>,
part: Signal<Local, Inner>,
read: Signal<Local, Outer>,
m: Signal<Local, Outer>,
n: Signal<Local, Inner>,
}

impl Logic for S0 {
#[hdl_gen]
fn update(&mut self) {
self.pipe.clk.next = self.clk.val();
self.held.clk.next = self.clk.val();
self.inner_reg.clk.next = self.clk.val();
self.ram.clk.next = self.clk.val();
self.count.clk.next = self.clk.val();
self.started.clk.next = self.clk.val();
self.held.rst.next = self.rst.val();
self.inner_reg.rst.next = self.rst.val();
self.count.rst.next = self.rst.val();
self.started.rst.next = self.rst.val();
self.pipe.en.next = true;
self.count.en.next = true;
self.started.en.next = true;
self.count.d.next = self.count.q.val() + 1;
self.started.d.next = true;
self.ram.we.next = true;
self.ram.waddr.next = self.count.q.val();
self.ram.re.next = true;
self.ram.raddr.next = self.count.q.val() - 1;
self.ram.oe.next = true;
self.held.en.next = self.x.val() == self.x.val();
self.inner_reg.en.next = self.p.val().b;
self.copy.next = self.pipe.q.val();
self.part.next = self.pipe.q.val().inner;
self.twist.sink.next = self.y.val();
if self.part.val().b {
self.twist.sink.next = self.held.q.val();
} else {
self.twist.sink.next.tag = bit_cast::<3, 3>(self.x.val().tag + 1);
}
self.read.next = self.x.val();
if self.started.q.val() & self.later.q.val() {
self.read.next = self.ram.rdata.val();
}
self.later.clk.next = self.clk.val();
self.later.rst.next = self.rst.val();
self.later.en.next = true;
self.later.d.next = self.started.q.val();
self.n.next = self.inner_reg.q.val();
self.n.next.b = self.p.val().b;
self.n.next.c = self.read.val().tag.get_bits::<9>(0);
self.m.next = self.pipe.q.val();
self.m.next.tag = self.p.val().a.get_bits::<3>(3);
self.pipe.d.next = self.x.val();
self.pipe.d.next.second = self.held.q.val().inner;
if self.f.val() {
self.pipe.d.next = self.pipe.q.val();
} else {
self.pipe.d.next.tag = self.q.val().c.get_bits::<3>(5);
}
self.held.d.next = self.read.val();
self.held.d.next.second = self.held.q.val().second;
self.held.d.next.tag = bit_cast::<3, 3>(self.read.val().tag);
if self.part.val().b {
self.held.d.next = self.pipe.q.val();
} else {
self.held.d.next.tag = self.twist.source.val().tag.get_bits::<3>(1);
}
self.ram.wdata.next.inner = self.pipe.q.val().inner;
self.ram.wdata.next.second = self.y.val().second;
self.ram.wdata.next.tag = self.q.val().a.get_bits::<3>(4);
self.ram.wdata.next.tail = self.y.val().tag.get_bits::<16>(2);
self.ram.wdata.next.mode = self.twist.source.val().mode;
self.ram.wdata.next.mode = self.pipe.q.val().mode;
self.o.next.inner = self.read.val().inner;
self.o.next.second = self.copy.val().second;
self.o.next.tag = bit_cast::<3, 9>(self.q.val().c + 1);
self.o.next.tail = bit_cast::<16, 3>(self.y.val().tag);
self.o.next.mode = self.copy.val().mode;
self.o.next.tail = bit_cast::<16, 3>(self.read.val().tag + 1);
self.o.next.second = self.p.val();
if self.pipe.q.val().mode == Mode::Run {
self.o.next = self.y.val();
self.o.next.mode = self.x.val().mode;
} else {
self.o.next.second = self.copy.val().inner;
}
self.inner_reg.d.next = self.twist.source.val().inner;
self.inner_reg.d.next.c = bit_cast::<9, 16>(self.read.val().tail + 1);
self.i.next = self.m.val().second;
if self.pipe.q.val().mode == Mode::Run {
self.i.next = self.q.val();
} else {
self.i.next.a = bit_cast::<5, 5>(self.q.val().a + 1);
}
self.o16.next = bit_cast::<16, 5>(self.part.val().a + 1);
self.all.next = self.x.val().into();
self.o1.next = self.f.val();
}
}

ports!(S0; clk, rst, f, x, y, p, q => o, i, o16, all, o1);

#[derive(LogicBlock, Default)]
pub(crate) struct S1 {
pub clk: Signal<In, Clock>,
pub rst: Signal<In, Bit>,
pub f: Signal<In, Bit>,
pub x: Signal<In, Outer>,
pub y: Signal<In, Outer>,
pub p: Signal<In, Inner>,
pub q: Signal<In, Inner>,
pub o: Signal<Out, Outer>,
pub i: Signal<Out, Inner>,
pub o16: Signal<Out, Bits<16>>,
pub all: Signal<Out, Bits<51>>,
pub o1: Signal<Out, Bit>,
pipe: Pipe<Outer>,
held: Reg<Outer>,
inner_reg: Reg<Inner>,
ram: RamSdp<Outer, 2>,
count: Reg<Bits<2>>,
started: Reg<Bit>,
later: Reg<Bit>,
twist: Twist,
copy: Signal<Local, Outer>,
part: Signal<Local, Inner>,
read: Signal<Local, Outer>,
m: Signal<Local, Outer>,
n: Signal<Local, Inner>,
}

impl Logic for S1 {
#[hdl_gen]
fn update(&mut self) {
self.pipe.clk.next = self.clk.val();
self.held.clk.next = self.clk.val();
self.inner_reg.clk.next = self.clk.val();
self.ram.clk.next = self.clk.val();
self.count.clk.next = self.clk.val();
self.started.clk.next = self.clk.val();
self.held.rst.next = self.rst.val();
self.inner_reg.rst.next = self.rst.val();
self.count.rst.next = self.rst.val();
self.started.rst.next = self.rst.val();
self.pipe.en.next = true;
self.count.en.next = true;
self.started.en.next = true;
self.count.d.next = self.count.q.val() + 1;
self.started.d.next = true;
self.ram.we.next = true;
self.ram.waddr.next = self.count.q.val();
self.ram.re.next = true;
self.ram.raddr.next = self.count.q.val() - 1;
self.ram.oe.next = true;
self.held.en.next = self.pipe.q.val() == self.y.val();
self.inner_reg.en.next = self.y.val().mode == Mode::Run;
self.copy.next = self.held.q.val();
self.part.next = self.q.val();
self.twist.sink.next.inner = self.x.val().second;
self.twist.sink.next.second = self.q.val();
self.twist.sink.next.tag = bit_cast::<3, 3>(self.pipe.q.val().tag);
self.twist.sink.next.tail = bit_cast::<16, 16>(self.x.val().tail);
self.twist.sink.next.mode = self.x.val().mode;
self.twist.sink.next.inner = self.part.val();
self.twist.sink.next.mode = self.x.val().mode;
if self.f.val() {
self.twist.sink.next = self.copy.val();
self.twist.sink.next.tail = bit_cast::<16, 16>(self.y.val().tail);
} else {
self.twist.sink.next.tag = self.part.val().c.get_bits::<3>(4);
}
self.read.next = self.y.val();
if self.started.q.val() & self.later.q.val() {
self.read.next = self.ram.rdata.val();
}
self.later.clk.next = self.clk.val();
self.later.rst.next = self.rst.val();
self.later.en.next = true;
self.later.d.next = self.started.q.val();
self.n.next = self.inner_reg.q.val();
self.m.next.inner = self.p.val();
self.m.next.second = self.pipe.q.val().inner;
self.m.next.tag = bit_cast::<3, 5>(self.inner_reg.q.val().a + 1);
self.m.next.tail = self.inner_reg.q.val().a.get_bits::<16>(0);
self.m.next.mode = self.x.val().mode;
if self.q.val().b {
self.m.next = self.pipe.q.val();
} else {
self.m.next.mode = self.y.val().mode;
}
self.pipe.d.next = self.pipe.q.val();
self.pipe.d.next.inner = self.held.q.val().inner;
self.held.d.next = self.copy.val();
self.held.d.next.tail = bit_cast::<16, 9>(self.q.val().c + 1);
self.held.d.next.tag = bit_cast::<3, 5>(self.inner_reg.q.val().a);
if self.f.val() {
self.held.d.next = self.read.val();
} else {
self.held.d.next.mode = self.read.val().mode;
}
self.ram.wdata.next = self.y.val();
self.ram.wdata.next.tail = bit_cast::<16, 16>(self.y.val().tail + 1);
self.ram.wdata.next.tail = bit_cast::<16, 3>(self.held.q.val().tag);
if self.copy.val() == self.m.val() {
self.ram.wdata.next = self.read.val();
} else {
self.ram.wdata.next.mode = self.read.val().mode;
}
self.o.next.inner = self.m.val().inner;
self.o.next.second = self.inner_reg.q.val();
self.o.next.tag = bit_cast::<3, 16>(self.y.val().tail);
self.o.next.tail = bit_cast::<16, 3>(self.pipe.q.val().tag + 1);
self.o.next.mode = self.x.val().mode;
if self.inner_reg.q.val().b {
self.o.next = self.held.q.val();
} else {
self.o.next.second = self.y.val().second;
}
self.inner_reg.d.next = self.copy.val().second;
self.inner_reg.d.next.b = self.read.val() == self.m.val();
self.inner_reg.d.next.b = self.p.val().b;
if self.y.val().mode == Mode::Run {
self.inner_reg.d.next = self.part.val();
} else {
self.inner_reg.d.next.b = self.copy.val() == self.held.q.val();
}
self.i.next = self.copy.val().second;
self.o16.next = self.p.val().c.get_bits::<16>(2);
self.all.next = self.pipe.q.val().into();
self.o1.next = self.m.val() == self.copy.val();
}
}

ports!(S1; clk, rst, f, x, y, p, q => o, i, o16, all, o1);

#[derive(LogicBlock, Default)]
pub(crate) struct S2 {
pub clk: Signal<In, Clock>,
pub rst: Signal<In, Bit>,
pub f: Signal<In, Bit>,
pub x: Signal<In, Outer>,
pub y: Signal<In, Outer>,
pub p: Signal<In, Inner>,
pub q: Signal<In, Inner>,
pub o: Signal<Out, Outer>,
pub i: Signal<Out, Inner>,
pub o16: Signal<Out, Bits<16>>,
pub all: Signal<Out, Bits<51>>,
pub o1: Signal<Out, Bit>,
pipe: Pipe<Outer>,
held: Reg<Outer>,
inner_reg: Reg<Inner>,
ram: RamSdp<Outer, 2>,
count: Reg<Bits<2>>,
started: Reg<Bit>,
later: Reg<Bit>,
twist: Twist,
copy: Signal<Local, Outer>,
part: Signal<Local, Inner>,
read: Signal<Local, Outer>,
m: Signal<Local, Outer>,
n: Signal<Local, Inner>,
}

impl Logic for S2 {
#[hdl_gen]
fn update(&mut self) {
self.pipe.clk.next = self.clk.val();
self.held.clk.next = self.clk.val();
self.inner_reg.clk.next = self.clk.val();
self.ram.clk.next = self.clk.val();
self.count.clk.next = self.clk.val();
self.started.clk.next = self.clk.val();
self.held.rst.next = self.rst.val();
self.inner_reg.rst.next = self.rst.val();
self.count.rst.next = self.rst.val();
self.started.rst.next = self.rst.val();
self.pipe.en.next = true;
self.count.en.next = true;
self.started.en.next = true;
self.count.d.next = self.count.q.val() + 1;
self.started.d.next = true;
self.ram.we.next = true;
self.ram.waddr.next = self.count.q.val();
self.ram.re.next = true;
self.ram.raddr.next = self.count.q.val() - 1;
self.ram.oe.next = true;
self.held.en.next = self.f.val();
self.inner_reg.en.next = self.pipe.q.val() == self.held.q.val();
self.copy.next = self.y.val();
self.part.next = self.held.q.val().inner;
self.twist.sink.next = self.x.val();
self.twist.sink.next.second = self.pipe.q.val().second;
if self.held.q.val().mode == Mode::Run {
self.twist.sink.next = self.x.val();
self.twist.sink.next.second = self.p.val();
} else {
self.twist.sink.next.mode = self.copy.val().mode;
}
self.read.next = self.copy.val();
if self.started.q.val() & self.later.q.val() {
self.read.next = self.ram.rdata.val();
}
self.later.clk.next = self.clk.val();
self.later.rst.next = self.rst.val();
self.later.en.next = true;
self.later.d.next = self.started.q.val();
self.n.next = self.p.val();
if self.x.val().mode == Mode::Run {
self.n.next = self.part.val();
} else {
self.n.next.b = self.twist.source.val() == self.twist.source.val();
}
self.m.next = self.pipe.q.val();
self.m.next.tail = bit_cast::<16, 5>(self.p.val().a);
self.pipe.d.next = self.y.val();
self.pipe.d.next.tail = bit_cast::<16, 16>(self.m.val().tail + 1);
self.pipe.d.next.mode = self.m.val().mode;
if self.f.val() {
self.pipe.d.next = self.read.val();
self.pipe.d.next.inner = self.read.val().second;
} else {
self.pipe.d.next.second = self.pipe.q.val().second;
}
self.held.d.next.inner = self.x.val().inner;
self.held.d.next.second = self.held.q.val().inner;
self.held.d.next.tag = bit_cast::<3, 3>(self.copy.val().tag + 1);
self.held.d.next.tail = bit_cast::<16, 5>(self.p.val().a + 1);
self.held.d.next.mode = self.y.val().mode;
self.held.d.next.inner = self.copy.val().second;
self.ram.wdata.next = self.y.val();
self.ram.wdata.next.inner = self.part.val();
self.ram.wdata.next.tag = bit_cast::<3, 16>(self.copy.val().tail + 1);
if self.f.val() {
self.ram.wdata.next = self.m.val();
} else {
self.ram.wdata.next.tail = bit_cast::<16, 5>(self.part.val().a);
}
self.o.next = self.m.val();
self.o.next.inner = self.n.val();
self.o.next.tag = self.q.val().c.get_bits::<3>(5);
self.inner_reg.d.next = self.read.val().second;
self.inner_reg.d.next.a = bit_cast::<5, 16>(self.twist.source.val().tail);
self.inner_reg.d.next.c = self.part.val().c.get_bits::<9>(1);
self.i.next = self.twist.source.val().inner;
self.i.next.b = self.copy.val().mode == Mode::Run;
self.i.next.c = bit_cast::<9, 9>(self.n.val().c);
self.o16.next = bit_cast::<16, 16>(self.pipe.q.val().tail + 1);
self.all.next = self.pipe.q.val().into();
self.o1.next = self.read.val().mode == Mode::Run;
}
}

ports!(S2; clk, rst, f, x, y, p, q => o, i, o16, all, o1);

#[derive(LogicBlock, Default)]
pub(crate) struct S3 {
pub clk: Signal<In, Clock>,
pub rst: Signal<In, Bit>,
pub f: Signal<In, Bit>,
pub x: Signal<In, Outer>,
pub y: Signal<In, Outer>,
pub p: Signal<In, Inner>,
pub q: Signal<In, Inner>,
pub o: Signal<Out, Outer>,
pub i: Signal<Out, Inner>,
pub o16: Signal<Out, Bits<16>>,
pub all: Signal<Out, Bits<51>>,
pub o1: Signal<Out, Bit>,
pipe: Pipe<Outer>,
held: Reg<Outer>,
inner_reg: Reg<Inner>,
ram: RamSdp<Outer, 2>,
count: Reg<Bits<2>>,
started: Reg<Bit>,
later: Reg<Bit>,
twist: Twist,
copy: Signal<Local, Outer>,
part: Signal<Local, Inner>,
read: Signal<Local, Outer>,
m: Signal<Local, Outer>,
n: Signal<Local, Inner>,
}

impl Logic for S3 {
#[hdl_gen]
fn update(&mut self) {
self.pipe.clk.next = self.clk.val();
self.held.clk.next = self.clk.val();
self.inner_reg.clk.next = self.clk.val();
self.ram.clk.next = self.clk.val();
self.count.clk.next = self.clk.val();
self.started.clk.next = self.clk.val();
self.held.rst.next = self.rst.val();
self.inner_reg.rst.next = self.rst.val();
self.count.rst.next = self.rst.val();
self.started.rst.next = self.rst.val();
self.pipe.en.next = true;
self.count.en.next = true;
self.started.en.next = true;
self.count.d.next = self.count.q.val() + 1;
self.started.d.next = true;
self.ram.we.next = true;
self.ram.waddr.next = self.count.q.val();
self.ram.re.next = true;
self.ram.raddr.next = self.count.q.val() - 1;
self.ram.oe.next = true;
self.held.en.next = self.f.val();
self.inner_reg.en.next = self.held.q.val().mode == Mode::Run;
self.copy.next = self.held.q.val();
self.part.next = self.held.q.val().inner;
self.twist.sink.next = self.pipe.q.val();
self.twist.sink.next.tag = bit_cast::<3, 3>(self.held.q.val().tag + 1);
self.twist.sink.next.inner = self.x.val().inner;
if self.f.val() {
self.twist.sink.next = self.copy.val();
} else {
self.twist.sink.next.inner = self.x.val().second;
}
self.read.next = self.copy.val();
if self.started.q.val() & self.later.q.val() {
self.read.next = self.ram.rdata.val();
}
self.later.clk.next = self.clk.val();
self.later.rst.next = self.rst.val();
self.later.en.next = true;
self.later.d.next = self.started.q.val();
self.n.next = self.y.val().second;
self.n.next.a = self.pipe.q.val().tag.get_bits::<5>(2);
self.m.next.inner = self.twist.source.val().second;
self.m.next.second = self.y.val().inner;
self.m.next.tag = bit_cast::<3, 16>(self.x.val().tail + 1);
self.m.next.tail = self.held.q.val().tail.get_bits::<16>(9);
self.m.next.mode = self.pipe.q.val().mode;
self.pipe.d.next.inner = self.inner_reg.q.val();
self.pipe.d.next.second = self.m.val().second;
self.pipe.d.next.tag = self.twist.source.val().tail.get_bits::<3>(10);
self.pipe.d.next.tail = bit_cast::<16, 3>(self.pipe.q.val().tag);
self.pipe.d.next.mode = self.held.q.val().mode;
self.pipe.d.next.mode = self.twist.source.val().mode;
if self.f.val() {
self.pipe.d.next = self.read.val();
self.pipe.d.next.second = self.n.val();
} else {
self.pipe.d.next.tag = bit_cast::<3, 16>(self.twist.source.val().tail + 1);
}
self.held.d.next.inner = self.p.val();
self.held.d.next.second = self.part.val();
self.held.d.next.tag = bit_cast::<3, 16>(self.x.val().tail + 1);
self.held.d.next.tail = self.pipe.q.val().tag.get_bits::<16>(2);
self.held.d.next.mode = self.m.val().mode;
if self.inner_reg.q.val().b {
self.held.d.next = self.pipe.q.val();
} else {
self.held.d.next.tail = self.read.val().tag.get_bits::<16>(1);
}
self.ram.wdata.next.inner = self.y.val().inner;
self.ram.wdata.next.second = self.part.val();
self.ram.wdata.next.tag = self.y.val().tag.get_bits::<3>(0);
self.ram.wdata.next.tail = bit_cast::<16, 16>(self.x.val().tail);
self.ram.wdata.next.mode = self.m.val().mode;
self.ram.wdata.next.inner = self.y.val().inner;
self.o.next = self.x.val();
self.inner_reg.d.next = self.twist.source.val().inner;
if self.copy.val().mode == Mode::Run {
self.inner_reg.d.next = self.n.val();
} else {
self.inner_reg.d.next.a = bit_cast::<5, 5>(self.inner_reg.q.val().a + 1);
}
self.i.next = self.held.q.val().inner;
self.o16.next = bit_cast::<16, 16>(self.x.val().tail + 1);
self.all.next = self.twist.source.val().into();
self.o1.next = self.y.val().mode == Mode::Run;
}
}

ports!(S3; clk, rst, f, x, y, p, q => o, i, o16, all, o1);

#[derive(LogicBlock, Default)]
pub(crate) struct S4 {
pub clk: Signal<In, Clock>,
pub rst: Signal<In, Bit>,
pub f: Signal<In, Bit>,
pub x: Signal<In, Outer>,
pub y: Signal<In, Outer>,
pub p: Signal<In, Inner>,
pub q: Signal<In, Inner>,
pub o: Signal<Out, Outer>,
pub i: Signal<Out, Inner>,
pub o16: Signal<Out, Bits<16>>,
pub all: Signal<Out, Bits<51>>,
pub o1: Signal<Out, Bit>,
pipe: Pipe<Outer>,
held: Reg<Outer>,
inner_reg: Reg<Inner>,
ram: RamSdp<Outer, 2>,
count: Reg<Bits<2>>,
started: Reg<Bit>,
later: Reg<Bit>,
twist: Twist,
copy: Signal<Local, Outer>,
part: Signal<Local, Inner>,
read: Signal<Local, Outer>,
m: Signal<Local, Outer>,
n: Signal<Local, Inner>,
}

impl Logic for S4 {
#[hdl_gen]
fn update(&mut self) {
self.pipe.clk.next = self.clk.val();
self.held.clk.next = self.clk.val();
self.inner_reg.clk.next = self.clk.val();
self.ram.clk.next = self.clk.val();
self.count.clk.next = self.clk.val();
self.started.clk.next = self.clk.val();
self.held.rst.next = self.rst.val();
self.inner_reg.rst.next = self.rst.val();
self.count.rst.next = self.rst.val();
self.started.rst.next = self.rst.val();
self.pipe.en.next = true;
self.count.en.next = true;
self.started.en.next = true;
self.count.d.next = self.count.q.val() + 1;
self.started.d.next = true;
self.ram.we.next = true;
self.ram.waddr.next = self.count.q.val();
self.ram.re.next = true;
self.ram.raddr.next = self.count.q.val() - 1;
self.ram.oe.next = true;
self.held.en.next = self.held.q.val().mode == Mode::Run;
self.inner_reg.en.next = self.f.val();
self.copy.next = self.y.val();
self.part.next = self.pipe.q.val().inner;
self.twist.sink.next = self.copy.val();
self.twist.sink.next.second = self.part.val();
self.read.next = self.held.q.val();
if self.started.q.val() & self.later.q.val() {
self.read.next = self.ram.rdata.val();
}
self.later.clk.next = self.clk.val();
self.later.rst.next = self.rst.val();
self.later.en.next = true;
self.later.d.next = self.started.q.val();
self.n.next = self.y.val().inner;
self.n.next.c = self.x.val().tail.get_bits::<9>(13);
self.m.next.inner = self.p.val();
self.m.next.second = self.copy.val().second;
self.m.next.tag = bit_cast::<3, 5>(self.part.val().a + 1);
self.m.next.tail = bit_cast::<16, 3>(self.pipe.q.val().tag);
self.m.next.mode = self.copy.val().mode;
if self.p.val().b {
self.m.next = self.read.val();
self.m.next.tail = self.held.q.val().tail.get_bits::<16>(9);
} else {
self.m.next.tag = bit_cast::<3, 16>(self.y.val().tail);
}
self.pipe.d.next = self.m.val();
self.pipe.d.next.tail = self.copy.val().tail.get_bits::<16>(8);
self.pipe.d.next.tail = bit_cast::<16, 3>(self.copy.val().tag);
if self.twist.source.val() == self.y.val() {
self.pipe.d.next = self.twist.source.val();
} else {
self.pipe.d.next.mode = self.twist.source.val().mode;
}
self.held.d.next = self.y.val();
self.held.d.next.tail = self.held.q.val().tail.get_bits::<16>(9);
self.held.d.next.tag = self.copy.val().tag.get_bits::<3>(0);
if self.m.val() == self.pipe.q.val() {
self.held.d.next = self.twist.source.val();
self.held.d.next.inner = self.y.val().inner;
} else {
self.held.d.next.second = self.pipe.q.val().inner;
}
self.ram.wdata.next = self.pipe.q.val();
if self.held.q.val().mode == Mode::Run {
self.ram.wdata.next = self.copy.val();
} else {
self.ram.wdata.next.tag = bit_cast::<3, 5>(self.n.val().a);
}
self.o.next = self.x.val();
self.o.next.tag = self.q.val().a.get_bits::<3>(3);
self.inner_reg.d.next = self.part.val();
self.inner_reg.d.next.c = self.m.val().tag.get_bits::<9>(1);
self.inner_reg.d.next.b = self.twist.source.val().mode == Mode::Run;
if self.y.val() == self.twist.source.val() {
self.inner_reg.d.next = self.x.val().second;
} else {
self.inner_reg.d.next.c = bit_cast::<9, 16>(self.pipe.q.val().tail + 1);
}
self.i.next = self.pipe.q.val().inner;
if self.inner_reg.q.val().b {
self.i.next = self.n.val();
} else {
self.i.next.a = self.held.q.val().tag.get_bits::<5>(0);
}
self.o16.next = self.y.val().tail.get_bits::<16>(1);
self.all.next = self.held.q.val().into();
self.o1.next = self.inner_reg.q.val().b;
}
}

ports!(S4; clk, rst, f, x, y, p, q => o, i, o16, all, o1);

#[derive(LogicBlock, Default)]
pub(crate) struct S5 {
pub clk: Signal<In, Clock>,
pub rst: Signal<In, Bit>,
pub f: Signal<In, Bit>,
pub x: Signal<In, Outer>,
pub y: Signal<In, Outer>,
pub p: Signal<In, Inner>,
pub q: Signal<In, Inner>,
pub o: Signal<Out, Outer>,
pub i: Signal<Out, Inner>,
pub o16: Signal<Out, Bits<16>>,
pub all: Signal<Out, Bits<51>>,
pub o1: Signal<Out, Bit>,
pipe: Pipe<Outer>,
held: Reg<Outer>,
inner_reg: Reg<Inner>,
ram: RamSdp<Outer, 2>,
count: Reg<Bits<2>>,
started: Reg<Bit>,
later: Reg<Bit>,
twist: Twist,
copy: Signal<Local, Outer>,
part: Signal<Local, Inner>,
read: Signal<Local, Outer>,
m: Signal<Local, Outer>,
n: Signal<Local, Inner>,
}

impl Logic for S5 {
#[hdl_gen]
fn update(&mut self) {
self.pipe.clk.next = self.clk.val();
self.held.clk.next = self.clk.val();
self.inner_reg.clk.next = self.clk.val();
self.ram.clk.next = self.clk.val();
self.count.clk.next = self.clk.val();
self.started.clk.next = self.clk.val();
self.held.rst.next = self.rst.val();
self.inner_reg.rst.next = self.rst.val();
self.count.rst.next = self.rst.val();
self.started.rst.next = self.rst.val();
self.pipe.en.next = true;
self.count.en.next = true;
self.started.en.next = true;
self.count.d.next = self.count.q.val() + 1;
self.started.d.next = true;
self.ram.we.next = true;
self.ram.waddr.next = self.count.q.val();
self.ram.re.next = true;
self.ram.raddr.next = self.count.q.val() - 1;
self.ram.oe.next = true;
self.held.en.next = self.held.q.val().mode == Mode::Run;
self.inner_reg.en.next = self.x.val().mode == Mode::Run;
self.copy.next = self.x.val();
self.part.next = self.y.val().inner;
self.twist.sink.next.inner = self.held.q.val().second;
self.twist.sink.next.second = self.y.val().second;
self.twist.sink.next.tag = bit_cast::<3, 16>(self.held.q.val().tail + 1);
self.twist.sink.next.tail = bit_cast::<16, 3>(self.y.val().tag);
self.twist.sink.next.mode = self.held.q.val().mode;
self.twist.sink.next.second = self.x.val().second;
if self.y.val() == self.pipe.q.val() {
self.twist.sink.next = self.held.q.val();
self.twist.sink.next.tag = self.part.val().a.get_bits::<3>(4);
} else {
self.twist.sink.next.second = self.pipe.q.val().second;
}
self.read.next = self.twist.source.val();
if self.started.q.val() & self.later.q.val() {
self.read.next = self.ram.rdata.val();
}
self.later.clk.next = self.clk.val();
self.later.rst.next = self.rst.val();
self.later.en.next = true;
self.later.d.next = self.started.q.val();
self.n.next = self.read.val().inner;
self.n.next.a = self.read.val().tail.get_bits::<5>(5);
self.n.next.c = self.part.val().c.get_bits::<9>(4);
if self.f.val() {
self.n.next = self.q.val();
} else {
self.n.next.a = bit_cast::<5, 5>(self.inner_reg.q.val().a + 1);
}
self.m.next.inner = self.twist.source.val().inner;
self.m.next.second = self.y.val().inner;
self.m.next.tag = self.p.val().a.get_bits::<3>(0);
self.m.next.tail = bit_cast::<16, 9>(self.p.val().c);
self.m.next.mode = self.copy.val().mode;
self.m.next.tag = self.p.val().a.get_bits::<3>(3);
self.pipe.d.next = self.twist.source.val();
self.pipe.d.next.mode = self.m.val().mode;
if self.part.val().b {
self.pipe.d.next = self.twist.source.val();
} else {
self.pipe.d.next.tail = bit_cast::<16, 9>(self.p.val().c + 1);
}
self.held.d.next = self.y.val();
self.held.d.next.inner = self.held.q.val().second;
self.held.d.next.tail = bit_cast::<16, 5>(self.part.val().a);
if self.copy.val().mode == Mode::Run {
self.held.d.next = self.m.val();
self.held.d.next.tag = bit_cast::<3, 5>(self.n.val().a);
} else {
self.held.d.next.tail = bit_cast::<16, 5>(self.p.val().a);
}
self.ram.wdata.next.inner = self.m.val().second;
self.ram.wdata.next.second = self.y.val().second;
self.ram.wdata.next.tag = bit_cast::<3, 9>(self.part.val().c + 1);
self.ram.wdata.next.tail = self.p.val().a.get_bits::<16>(2);
self.ram.wdata.next.mode = self.x.val().mode;
self.o.next = self.pipe.q.val();
self.o.next.tail = self.read.val().tag.get_bits::<16>(1);
if self.twist.source.val().mode == Mode::Run {
self.o.next = self.read.val();
} else {
self.o.next.mode = self.x.val().mode;
}
self.inner_reg.d.next = self.x.val().second;
self.inner_reg.d.next.a = self.copy.val().tail.get_bits::<5>(3);
self.inner_reg.d.next.b = self.f.val();
if self.f.val() {
self.inner_reg.d.next = self.inner_reg.q.val();
} else {
self.inner_reg.d.next.c = bit_cast::<9, 9>(self.p.val().c + 1);
}
self.i.next = self.pipe.q.val().second;
if self.m.val().mode == Mode::Run {
self.i.next = self.copy.val().second;
} else {
self.i.next.b = self.q.val().b;
}
self.o16.next = bit_cast::<16, 9>(self.n.val().c);
self.all.next = self.held.q.val().into();
self.o1.next = self.p.val().b;
}
}

ports!(S5; clk, rst, f, x, y, p, q => o, i, o16, all, o1);

#[derive(LogicBlock, Default)]
pub(crate) struct S6 {
pub clk: Signal<In, Clock>,
pub rst: Signal<In, Bit>,
pub f: Signal<In, Bit>,
pub x: Signal<In, Outer>,
pub y: Signal<In, Outer>,
pub p: Signal<In, Inner>,
pub q: Signal<In, Inner>,
pub o: Signal<Out, Outer>,
pub i: Signal<Out, Inner>,
pub o16: Signal<Out, Bits<16>>,
pub all: Signal<Out, Bits<51>>,
pub o1: Signal<Out, Bit>,
pipe: Pipe<Outer>,
held: Reg<Outer>,
inner_reg: Reg<Inner>,
ram: RamSdp<Outer, 2>,
count: Reg<Bits<2>>,
started: Reg<Bit>,
later: Reg<Bit>,
twist: Twist,
copy: Signal<Local, Outer>,
part: Signal<Local, Inner>,
read: Signal<Local, Outer>,
m: Signal<Local, Outer>,
n: Signal<Local, Inner>,
}

impl Logic for S6 {
#[hdl_gen]
fn update(&mut self) {
self.pipe.clk.next = self.clk.val();
self.held.clk.next = self.clk.val();
self.inner_reg.clk.next = self.clk.val();
self.ram.clk.next = self.clk.val();
self.count.clk.next = self.clk.val();
self.started.clk.next = self.clk.val();
self.held.rst.next = self.rst.val();
self.inner_reg.rst.next = self.rst.val();
self.count.rst.next = self.rst.val();
self.started.rst.next = self.rst.val();
self.pipe.en.next = true;
self.count.en.next = true;
self.started.en.next = true;
self.count.d.next = self.count.q.val() + 1;
self.started.d.next = true;
self.ram.we.next = true;
self.ram.waddr.next = self.count.q.val();
self.ram.re.next = true;
self.ram.raddr.next = self.count.q.val() - 1;
self.ram.oe.next = true;
self.held.en.next = self.y.val() == self.x.val();
self.inner_reg.en.next = self.f.val();
self.copy.next = self.x.val();
self.part.next = self.y.val().inner;
self.twist.sink.next.inner = self.y.val().inner;
self.twist.sink.next.second = self.x.val().second;
self.twist.sink.next.tag = bit_cast::<3, 5>(self.q.val().a);
self.twist.sink.next.tail = bit_cast::<16, 16>(self.y.val().tail);
self.twist.sink.next.mode = self.copy.val().mode;
self.read.next = self.twist.source.val();
if self.started.q.val() & self.later.q.val() {
self.read.next = self.ram.rdata.val();
}
self.later.clk.next = self.clk.val();
self.later.rst.next = self.rst.val();
self.later.en.next = true;
self.later.d.next = self.started.q.val();
self.n.next = self.q.val();
if self.f.val() {
self.n.next = self.q.val();
} else {
self.n.next.a = bit_cast::<5, 3>(self.twist.source.val().tag);
}
self.m.next = self.read.val();
self.m.next.inner = self.inner_reg.q.val();
if self.copy.val() == self.x.val() {
self.m.next = self.copy.val();
self.m.next.inner = self.x.val().inner;
} else {
self.m.next.mode = self.pipe.q.val().mode;
}
self.pipe.d.next = self.copy.val();
self.held.d.next = self.read.val();
self.held.d.next.tail = bit_cast::<16, 5>(self.inner_reg.q.val().a);
if self.f.val() {
self.held.d.next = self.y.val();
self.held.d.next.tail = bit_cast::<16, 16>(self.pipe.q.val().tail);
} else {
self.held.d.next.tag = bit_cast::<3, 5>(self.q.val().a);
}
self.ram.wdata.next.inner = self.twist.source.val().inner;
self.ram.wdata.next.second = self.pipe.q.val().inner;
self.ram.wdata.next.tag = bit_cast::<3, 5>(self.p.val().a);
self.ram.wdata.next.tail = self.twist.source.val().tag.get_bits::<16>(1);
self.ram.wdata.next.mode = self.pipe.q.val().mode;
self.o.next.inner = self.read.val().inner;
self.o.next.second = self.n.val();
self.o.next.tag = bit_cast::<3, 3>(self.held.q.val().tag + 1);
self.o.next.tail = bit_cast::<16, 16>(self.read.val().tail);
self.o.next.mode = self.pipe.q.val().mode;
self.inner_reg.d.next = self.held.q.val().inner;
self.i.next = self.copy.val().second;
self.i.next.c = bit_cast::<9, 5>(self.q.val().a + 1);
self.o16.next = bit_cast::<16, 9>(self.part.val().c + 1);
self.all.next = self.twist.source.val().into();
self.o1.next = self.part.val().b;
}
}

ports!(S6; clk, rst, f, x, y, p, q => o, i, o16, all, o1);

#[derive(LogicBlock, Default)]
pub(crate) struct S7 {
pub clk: Signal<In, Clock>,
pub rst: Signal<In, Bit>,
pub f: Signal<In, Bit>,
pub x: Signal<In, Outer>,
pub y: Signal<In, Outer>,
pub p: Signal<In, Inner>,
pub q: Signal<In, Inner>,
pub o: Signal<Out, Outer>,
pub i: Signal<Out, Inner>,
pub o16: Signal<Out, Bits<16>>,
pub all: Signal<Out, Bits<51>>,
pub o1: Signal<Out, Bit>,
pipe: Pipe<Outer>,
held: Reg<Outer>,
inner_reg: Reg<Inner>,
ram: RamSdp<Outer, 2>,
count: Reg<Bits<2>>,
started: Reg<Bit>,
later: Reg<Bit>,
twist: Twist,
copy: Signal<Local, Outer>,
part: Signal<Local, Inner>,
read: Signal<Local, Outer>,
m: Signal<Local, Outer>,
n: Signal<Local, Inner>,
}

impl Logic for S7 {
#[hdl_gen]
fn update(&mut self) {
self.pipe.clk.next = self.clk.val();
self.held.clk.next = self.clk.val();
self.inner_reg.clk.next = self.clk.val();
self.ram.clk.next = self.clk.val();
self.count.clk.next = self.clk.val();
self.started.clk.next = self.clk.val();
self.held.rst.next = self.rst.val();
self.inner_reg.rst.next = self.rst.val();
self.count.rst.next = self.rst.val();
self.started.rst.next = self.rst.val();
self.pipe.en.next = true;
self.count.en.next = true;
self.started.en.next = true;
self.count.d.next = self.count.q.val() + 1;
self.started.d.next = true;
self.ram.we.next = true;
self.ram.waddr.next = self.count.q.val();
self.ram.re.next = true;
self.ram.raddr.next = self.count.q.val() - 1;
self.ram.oe.next = true;
self.held.en.next = self.f.val();
self.inner_reg.en.next = self.q.val().b;
self.copy.next = self.pipe.q.val();
self.part.next = self.y.val().second;
self.twist.sink.next = self.x.val();
self.read.next = self.pipe.q.val();
if self.started.q.val() & self.later.q.val() {
self.read.next = self.ram.rdata.val();
}
self.later.clk.next = self.clk.val();
self.later.rst.next = self.rst.val();
self.later.en.next = true;
self.later.d.next = self.started.q.val();
self.n.next = self.held.q.val().inner;
self.n.next.c = bit_cast::<9, 3>(self.twist.source.val().tag + 1);
self.n.next.c = bit_cast::<9, 16>(self.pipe.q.val().tail);
self.m.next.inner = self.twist.source.val().second;
self.m.next.second = self.read.val().second;
self.m.next.tag = self.pipe.q.val().tag.get_bits::<3>(0);
self.m.next.tail = bit_cast::<16, 3>(self.pipe.q.val().tag + 1);
self.m.next.mode = self.held.q.val().mode;
self.m.next.inner = self.y.val().second;
if self.held.q.val().mode == Mode::Run {
self.m.next = self.y.val();
} else {
self.m.next.tag = bit_cast::<3, 3>(self.copy.val().tag);
}
self.pipe.d.next.inner = self.y.val().inner;
self.pipe.d.next.second = self.p.val();
self.pipe.d.next.tag = bit_cast::<3, 5>(self.q.val().a + 1);
self.pipe.d.next.tail = self.pipe.q.val().tail.get_bits::<16>(1);
self.pipe.d.next.mode = self.m.val().mode;
self.pipe.d.next.tag = self.q.val().a.get_bits::<3>(1);
if self.m.val().mode == Mode::Run {
self.pipe.d.next = self.y.val();
} else {
self.pipe.d.next.mode = self.pipe.q.val().mode;
}
self.held.d.next = self.read.val();
self.held.d.next.mode = self.x.val().mode;
if self.y.val() == self.pipe.q.val() {
self.held.d.next = self.read.val();
self.held.d.next.tag = bit_cast::<3, 5>(self.part.val().a + 1);
} else {
self.held.d.next.mode = self.copy.val().mode;
}
self.ram.wdata.next = self.m.val();
self.ram.wdata.next.tail = bit_cast::<16, 3>(self.copy.val().tag);
self.ram.wdata.next.tag = bit_cast::<3, 16>(self.twist.source.val().tail);
if self.inner_reg.q.val().b {
self.ram.wdata.next = self.copy.val();
} else {
self.ram.wdata.next.tag = self.y.val().tail.get_bits::<3>(1);
}
self.o.next = self.y.val();
self.o.next.inner = self.m.val().inner;
if self.read.val().mode == Mode::Run {
self.o.next = self.m.val();
self.o.next.second = self.m.val().inner;
} else {
self.o.next.tag = self.n.val().c.get_bits::<3>(0);
}
self.inner_reg.d.next = self.copy.val().second;
self.inner_reg.d.next.b = self.part.val().b;
if self.q.val().b {
self.inner_reg.d.next = self.inner_reg.q.val();
} else {
self.inner_reg.d.next.c = bit_cast::<9, 16>(self.twist.source.val().tail);
}
self.i.next = self.x.val().inner;
self.i.next.c = self.inner_reg.q.val().c.get_bits::<9>(2);
self.i.next.b = self.held.q.val() == self.twist.source.val();
self.o16.next = bit_cast::<16, 5>(self.inner_reg.q.val().a);
self.all.next = self.pipe.q.val().into();
self.o1.next = self.y.val().mode == Mode::Run;
}
}

ports!(S7; clk, rst, f, x, y, p, q => o, i, o16, all, o1);

#[derive(LogicBlock, Default)]
pub(crate) struct S8 {
pub clk: Signal<In, Clock>,
pub rst: Signal<In, Bit>,
pub f: Signal<In, Bit>,
pub x: Signal<In, Outer>,
pub y: Signal<In, Outer>,
pub p: Signal<In, Inner>,
pub q: Signal<In, Inner>,
pub o: Signal<Out, Outer>,
pub i: Signal<Out, Inner>,
pub o16: Signal<Out, Bits<16>>,
pub all: Signal<Out, Bits<51>>,
pub o1: Signal<Out, Bit>,
pipe: Pipe<Outer>,
held: Reg<Outer>,
inner_reg: Reg<Inner>,
ram: RamSdp<Outer, 2>,
count: Reg<Bits<2>>,
started: Reg<Bit>,
later: Reg<Bit>,
twist: Twist,
copy: Signal<Local, Outer>,
part: Signal<Local, Inner>,
read: Signal<Local, Outer>,
m: Signal<Local, Outer>,
n: Signal<Local, Inner>,
}

impl Logic for S8 {
#[hdl_gen]
fn update(&mut self) {
self.pipe.clk.next = self.clk.val();
self.held.clk.next = self.clk.val();
self.inner_reg.clk.next = self.clk.val();
self.ram.clk.next = self.clk.val();
self.count.clk.next = self.clk.val();
self.started.clk.next = self.clk.val();
self.held.rst.next = self.rst.val();
self.inner_reg.rst.next = self.rst.val();
self.count.rst.next = self.rst.val();
self.started.rst.next = self.rst.val();
self.pipe.en.next = true;
self.count.en.next = true;
self.started.en.next = true;
self.count.d.next = self.count.q.val() + 1;
self.started.d.next = true;
self.ram.we.next = true;
self.ram.waddr.next = self.count.q.val();
self.ram.re.next = true;
self.ram.raddr.next = self.count.q.val() - 1;
self.ram.oe.next = true;
self.held.en.next = self.f.val();
self.inner_reg.en.next = self.pipe.q.val() == self.held.q.val();
self.copy.next = self.x.val();
self.part.next = self.pipe.q.val().inner;
self.twist.sink.next.inner = self.y.val().second;
self.twist.sink.next.second = self.y.val().second;
self.twist.sink.next.tag = bit_cast::<3, 16>(self.copy.val().tail + 1);
self.twist.sink.next.tail = bit_cast::<16, 16>(self.x.val().tail + 1);
self.twist.sink.next.mode = self.x.val().mode;
if self.p.val().b {
self.twist.sink.next = self.copy.val();
} else {
self.twist.sink.next.mode = self.x.val().mode;
}
self.read.next = self.twist.source.val();
if self.started.q.val() & self.later.q.val() {
self.read.next = self.ram.rdata.val();
}
self.later.clk.next = self.clk.val();
self.later.rst.next = self.rst.val();
self.later.en.next = true;
self.later.d.next = self.started.q.val();
self.n.next = self.copy.val().inner;
self.n.next.b = self.part.val().b;
if self.f.val() {
self.n.next = self.held.q.val().inner;
} else {
self.n.next.a = bit_cast::<5, 3>(self.pipe.q.val().tag);
}
self.m.next = self.twist.source.val();
if self.f.val() {
self.m.next = self.held.q.val();
self.m.next.tag = self.p.val().c.get_bits::<3>(8);
} else {
self.m.next.mode = self.y.val().mode;
}
self.pipe.d.next.inner = self.copy.val().inner;
self.pipe.d.next.second = self.pipe.q.val().second;
self.pipe.d.next.tag = self.q.val().c.get_bits::<3>(0);
self.pipe.d.next.tail = self.q.val().c.get_bits::<16>(4);
self.pipe.d.next.mode = self.held.q.val().mode;
if self.p.val().b {
self.pipe.d.next = self.m.val();
} else {
self.pipe.d.next.second = self.twist.source.val().second;
}
self.held.d.next.inner = self.m.val().inner;
self.held.d.next.second = self.n.val();
self.held.d.next.tag = bit_cast::<3, 9>(self.part.val().c);
self.held.d.next.tail = bit_cast::<16, 16>(self.pipe.q.val().tail);
self.held.d.next.mode = self.x.val().mode;
if self.read.val() == self.m.val() {
self.held.d.next = self.read.val();
} else {
self.held.d.next.inner = self.n.val();
}
self.ram.wdata.next.inner = self.q.val();
self.ram.wdata.next.second = self.copy.val().inner;
self.ram.wdata.next.tag = bit_cast::<3, 16>(self.m.val().tail);
self.ram.wdata.next.tail = self.held.q.val().tail.get_bits::<16>(3);
self.ram.wdata.next.mode = self.y.val().mode;
self.ram.wdata.next.mode = self.m.val().mode;
if self.f.val() {
self.ram.wdata.next = self.m.val();
self.ram.wdata.next.tail = bit_cast::<16, 3>(self.m.val().tag + 1);
} else {
self.ram.wdata.next.second = self.q.val();
}
self.o.next.inner = self.read.val().second;
self.o.next.second = self.y.val().second;
self.o.next.tag = self.copy.val().tag.get_bits::<3>(1);
self.o.next.tail = self.q.val().a.get_bits::<16>(1);
self.o.next.mode = self.held.q.val().mode;
self.inner_reg.d.next = self.q.val();
self.inner_reg.d.next.a = bit_cast::<5, 9>(self.inner_reg.q.val().c + 1);
self.inner_reg.d.next.c = self.inner_reg.q.val().c.get_bits::<9>(7);
if self.f.val() {
self.inner_reg.d.next = self.y.val().second;
} else {
self.inner_reg.d.next.b = self.held.q.val() == self.twist.source.val();
}
self.i.next = self.x.val().second;
self.i.next.c = self.q.val().a.get_bits::<9>(4);
self.i.next.a = self.inner_reg.q.val().c.get_bits::<5>(7);
self.o16.next = bit_cast::<16, 3>(self.x.val().tag);
self.all.next = self.m.val().into();
self.o1.next = self.twist.source.val() == self.held.q.val();
}
}

ports!(S8; clk, rst, f, x, y, p, q => o, i, o16, all, o1);

#[derive(LogicBlock, Default)]
pub(crate) struct S9 {
pub clk: Signal<In, Clock>,
pub rst: Signal<In, Bit>,
pub f: Signal<In, Bit>,
pub x: Signal<In, Outer>,
pub y: Signal<In, Outer>,
pub p: Signal<In, Inner>,
pub q: Signal<In, Inner>,
pub o: Signal<Out, Outer>,
pub i: Signal<Out, Inner>,
pub o16: Signal<Out, Bits<16>>,
pub all: Signal<Out, Bits<51>>,
pub o1: Signal<Out, Bit>,
pipe: Pipe<Outer>,
held: Reg<Outer>,
inner_reg: Reg<Inner>,
ram: RamSdp<Outer, 2>,
count: Reg<Bits<2>>,
started: Reg<Bit>,
later: Reg<Bit>,
twist: Twist,
copy: Signal<Local, Outer>,
part: Signal<Local, Inner>,
read: Signal<Local, Outer>,
m: Signal<Local, Outer>,
n: Signal<Local, Inner>,
}

impl Logic for S9 {
#[hdl_gen]
fn update(&mut self) {
self.pipe.clk.next = self.clk.val();
self.held.clk.next = self.clk.val();
self.inner_reg.clk.next = self.clk.val();
self.ram.clk.next = self.clk.val();
self.count.clk.next = self.clk.val();
self.started.clk.next = self.clk.val();
self.held.rst.next = self.rst.val();
self.inner_reg.rst.next = self.rst.val();
self.count.rst.next = self.rst.val();
self.started.rst.next = self.rst.val();
self.pipe.en.next = true;
self.count.en.next = true;
self.started.en.next = true;
self.count.d.next = self.count.q.val() + 1;
self.started.d.next = true;
self.ram.we.next = true;
self.ram.waddr.next = self.count.q.val();
self.ram.re.next = true;
self.ram.raddr.next = self.count.q.val() - 1;
self.ram.oe.next = true;
self.held.en.next = self.f.val();
self.inner_reg.en.next = self.held.q.val() == self.pipe.q.val();
self.copy.next = self.y.val();
self.part.next = self.y.val().second;
self.twist.sink.next.inner = self.copy.val().inner;
self.twist.sink.next.second = self.part.val();
self.twist.sink.next.tag = bit_cast::<3, 3>(self.y.val().tag);
self.twist.sink.next.tail = bit_cast::<16, 16>(self.x.val().tail + 1);
self.twist.sink.next.mode = self.x.val().mode;
self.twist.sink.next.second = self.held.q.val().second;
self.read.next = self.held.q.val();
if self.started.q.val() & self.later.q.val() {
self.read.next = self.ram.rdata.val();
}
self.later.clk.next = self.clk.val();
self.later.rst.next = self.rst.val();
self.later.en.next = true;
self.later.d.next = self.started.q.val();
self.n.next = self.twist.source.val().inner;
if self.twist.source.val().mode == Mode::Run {
self.n.next = self.x.val().second;
} else {
self.n.next.a = bit_cast::<5, 5>(self.q.val().a);
}
self.m.next = self.held.q.val();
self.m.next.tail = self.held.q.val().tail.get_bits::<16>(7);
if self.x.val() == self.read.val() {
self.m.next = self.held.q.val();
} else {
self.m.next.tag = bit_cast::<3, 3>(self.read.val().tag + 1);
}
self.pipe.d.next = self.twist.source.val();
if self.held.q.val().mode == Mode::Run {
self.pipe.d.next = self.m.val();
} else {
self.pipe.d.next.inner = self.copy.val().inner;
}
self.held.d.next.inner = self.q.val();
self.held.d.next.second = self.copy.val().second;
self.held.d.next.tag = bit_cast::<3, 9>(self.n.val().c);
self.held.d.next.tail = bit_cast::<16, 9>(self.n.val().c);
self.held.d.next.mode = self.y.val().mode;
self.held.d.next.tag = bit_cast::<3, 16>(self.y.val().tail);
if self.held.q.val() == self.held.q.val() {
self.held.d.next = self.held.q.val();
self.held.d.next.second = self.twist.source.val().inner;
} else {
self.held.d.next.inner = self.q.val();
}
self.ram.wdata.next = self.y.val();
if self.pipe.q.val() == self.y.val() {
self.ram.wdata.next = self.y.val();
} else {
self.ram.wdata.next.mode = self.x.val().mode;
}
self.o.next.inner = self.read.val().second;
self.o.next.second = self.read.val().second;
self.o.next.tag = bit_cast::<3, 5>(self.p.val().a);
self.o.next.tail = self.held.q.val().tail.get_bits::<16>(6);
self.o.next.mode = self.x.val().mode;
self.o.next.tag = bit_cast::<3, 16>(self.twist.source.val().tail + 1);
self.o.next.tag = bit_cast::<3, 9>(self.inner_reg.q.val().c);
self.inner_reg.d.next = self.x.val().inner;
self.inner_reg.d.next.c = bit_cast::<9, 16>(self.twist.source.val().tail);
self.i.next = self.copy.val().second;
self.i.next.b = self.n.val().b;
if self.f.val() {
self.i.next = self.y.val().second;
} else {
self.i.next.b = self.f.val();
}
self.o16.next = bit_cast::<16, 3>(self.read.val().tag + 1);
self.all.next = self.pipe.q.val().into();
self.o1.next = self.m.val().mode == Mode::Run;
}
}

ports!(S9; clk, rst, f, x, y, p, q => o, i, o16, all, o1);

#[derive(LogicBlock, Default)]
pub(crate) struct S10 {
pub clk: Signal<In, Clock>,
pub rst: Signal<In, Bit>,
pub f: Signal<In, Bit>,
pub x: Signal<In, Outer>,
pub y: Signal<In, Outer>,
pub p: Signal<In, Inner>,
pub q: Signal<In, Inner>,
pub o: Signal<Out, Outer>,
pub i: Signal<Out, Inner>,
pub o16: Signal<Out, Bits<16>>,
pub all: Signal<Out, Bits<51>>,
pub o1: Signal<Out, Bit>,
pipe: Pipe<Outer>,
held: Reg<Outer>,
inner_reg: Reg<Inner>,
ram: RamSdp<Outer, 2>,
count: Reg<Bits<2>>,
started: Reg<Bit>,
later: Reg<Bit>,
twist: Twist,
copy: Signal<Local, Outer>,
part: Signal<Local, Inner>,
read: Signal<Local, Outer>,
m: Signal<Local, Outer>,
n: Signal<Local, Inner>,
}

impl Logic for S10 {
#[hdl_gen]
fn update(&mut self) {
self.pipe.clk.next = self.clk.val();
self.held.clk.next = self.clk.val();
self.inner_reg.clk.next = self.clk.val();
self.ram.clk.next = self.clk.val();
self.count.clk.next = self.clk.val();
self.started.clk.next = self.clk.val();
self.held.rst.next = self.rst.val();
self.inner_reg.rst.next = self.rst.val();
self.count.rst.next = self.rst.val();
self.started.rst.next = self.rst.val();
self.pipe.en.next = true;
self.count.en.next = true;
self.started.en.next = true;
self.count.d.next = self.count.q.val() + 1;
self.started.d.next = true;
self.ram.we.next = true;
self.ram.waddr.next = self.count.q.val();
self.ram.re.next = true;
self.ram.raddr.next = self.count.q.val() - 1;
self.ram.oe.next = true;
self.held.en.next = self.pipe.q.val().mode == Mode::Run;
self.inner_reg.en.next = self.x.val().mode == Mode::Run;
self.copy.next = self.pipe.q.val();
self.part.next = self.q.val();
self.twist.sink.next = self.pipe.q.val();
self.twist.sink.next.inner = self.x.val().inner;
self.twist.sink.next.tag = self.pipe.q.val().tag.get_bits::<3>(2);
if self.q.val().b {
self.twist.sink.next = self.x.val();
self.twist.sink.next.mode = self.x.val().mode;
} else {
self.twist.sink.next.mode = self.x.val().mode;
}
self.read.next = self.copy.val();
if self.started.q.val() & self.later.q.val() {
self.read.next = self.ram.rdata.val();
}
self.later.clk.next = self.clk.val();
self.later.rst.next = self.rst.val();
self.later.en.next = true;
self.later.d.next = self.started.q.val();
self.n.next = self.copy.val().second;
self.n.next.c = bit_cast::<9, 9>(self.inner_reg.q.val().c + 1);
self.n.next.a = bit_cast::<5, 3>(self.pipe.q.val().tag);
if self.x.val().mode == Mode::Run {
self.n.next = self.part.val();
} else {
self.n.next.b = self.inner_reg.q.val().b;
}
self.m.next = self.copy.val();
self.m.next.inner = self.copy.val().second;
if self.f.val() {
self.m.next = self.pipe.q.val();
} else {
self.m.next.second = self.copy.val().second;
}
self.pipe.d.next = self.m.val();
self.pipe.d.next.tail = bit_cast::<16, 3>(self.y.val().tag + 1);
self.held.d.next.inner = self.copy.val().inner;
self.held.d.next.second = self.copy.val().second;
self.held.d.next.tag = bit_cast::<3, 3>(self.twist.source.val().tag + 1);
self.held.d.next.tail = bit_cast::<16, 16>(self.read.val().tail + 1);
self.held.d.next.mode = self.x.val().mode;
self.held.d.next.tail = bit_cast::<16, 5>(self.p.val().a + 1);
if self.pipe.q.val().mode == Mode::Run {
self.held.d.next = self.read.val();
self.held.d.next.tail = bit_cast::<16, 5>(self.p.val().a + 1);
} else {
self.held.d.next.mode = self.copy.val().mode;
}
self.ram.wdata.next = self.x.val();
self.o.next = self.y.val();
self.o.next.inner = self.held.q.val().inner;
self.inner_reg.d.next = self.y.val().inner;
self.inner_reg.d.next.c = bit_cast::<9, 16>(self.pipe.q.val().tail + 1);
self.inner_reg.d.next.c = bit_cast::<9, 5>(self.q.val().a + 1);
self.i.next = self.p.val();
if self.q.val().b {
self.i.next = self.x.val().inner;
} else {
self.i.next.a = self.p.val().a.get_bits::<5>(4);
}
self.o16.next = bit_cast::<16, 9>(self.inner_reg.q.val().c + 1);
self.all.next = self.copy.val().into();
self.o1.next = self.copy.val().mode == Mode::Run;
}
}

ports!(S10; clk, rst, f, x, y, p, q => o, i, o16, all, o1);

#[derive(LogicBlock, Default)]
pub(crate) struct S11 {
pub clk: Signal<In, Clock>,
pub rst: Signal<In, Bit>,
pub f: Signal<In, Bit>,
pub x: Signal<In, Outer>,
pub y: Signal<In, Outer>,
pub p: Signal<In, Inner>,
pub q: Signal<In, Inner>,
pub o: Signal<Out, Outer>,
pub i: Signal<Out, Inner>,
pub o16: Signal<Out, Bits<16>>,
pub all: Signal<Out, Bits<51>>,
pub o1: Signal<Out, Bit>,
pipe: Pipe<Outer>,
held: Reg<Outer>,
inner_reg: Reg<Inner>,
ram: RamSdp<Outer, 2>,
count: Reg<Bits<2>>,
started: Reg<Bit>,
later: Reg<Bit>,
twist: Twist,
copy: Signal<Local, Outer>,
part: Signal<Local, Inner>,
read: Signal<Local, Outer>,
m: Signal<Local, Outer>,
n: Signal<Local, Inner>,
}

impl Logic for S11 {
#[hdl_gen]
fn update(&mut self) {
self.pipe.clk.next = self.clk.val();
self.held.clk.next = self.clk.val();
self.inner_reg.clk.next = self.clk.val();
self.ram.clk.next = self.clk.val();
self.count.clk.next = self.clk.val();
self.started.clk.next = self.clk.val();
self.held.rst.next = self.rst.val();
self.inner_reg.rst.next = self.rst.val();
self.count.rst.next = self.rst.val();
self.started.rst.next = self.rst.val();
self.pipe.en.next = true;
self.count.en.next = true;
self.started.en.next = true;
self.count.d.next = self.count.q.val() + 1;
self.started.d.next = true;
self.ram.we.next = true;
self.ram.waddr.next = self.count.q.val();
self.ram.re.next = true;
self.ram.raddr.next = self.count.q.val() - 1;
self.ram.oe.next = true;
self.held.en.next = self.y.val() == self.x.val();
self.inner_reg.en.next = self.x.val().mode == Mode::Run;
self.copy.next = self.y.val();
self.part.next = self.q.val();
self.twist.sink.next.inner = self.y.val().second;
self.twist.sink.next.second = self.q.val();
self.twist.sink.next.tag = self.pipe.q.val().tail.get_bits::<3>(7);
self.twist.sink.next.tail = bit_cast::<16, 5>(self.p.val().a);
self.twist.sink.next.mode = self.pipe.q.val().mode;
self.twist.sink.next.second = self.x.val().second;
self.twist.sink.next.mode = self.held.q.val().mode;
self.read.next = self.twist.source.val();
if self.started.q.val() & self.later.q.val() {
self.read.next = self.ram.rdata.val();
}
self.later.clk.next = self.clk.val();
self.later.rst.next = self.rst.val();
self.later.en.next = true;
self.later.d.next = self.started.q.val();
self.n.next = self.read.val().second;
self.n.next.c = bit_cast::<9, 16>(self.held.q.val().tail);
self.n.next.a = self.q.val().a.get_bits::<5>(2);
self.m.next = self.copy.val();
self.pipe.d.next.inner = self.inner_reg.q.val();
self.pipe.d.next.second = self.inner_reg.q.val();
self.pipe.d.next.tag = self.part.val().a.get_bits::<3>(2);
self.pipe.d.next.tail = bit_cast::<16, 9>(self.inner_reg.q.val().c);
self.pipe.d.next.mode = self.twist.source.val().mode;
self.pipe.d.next.tail = bit_cast::<16, 16>(self.held.q.val().tail + 1);
self.held.d.next = self.m.val();
self.held.d.next.tag = self.read.val().tag.get_bits::<3>(1);
self.ram.wdata.next.inner = self.copy.val().inner;
self.ram.wdata.next.second = self.held.q.val().inner;
self.ram.wdata.next.tag = bit_cast::<3, 5>(self.q.val().a);
self.ram.wdata.next.tail = self.m.val().tail.get_bits::<16>(7);
self.ram.wdata.next.mode = self.m.val().mode;
self.ram.wdata.next.tag = bit_cast::<3, 9>(self.inner_reg.q.val().c);
self.o.next = self.copy.val();
self.o.next.tag = bit_cast::<3, 3>(self.m.val().tag + 1);
if self.read.val().mode == Mode::Run {
self.o.next = self.pipe.q.val();
} else {
self.o.next.mode = self.x.val().mode;
}
self.inner_reg.d.next = self.pipe.q.val().second;
if self.read.val() == self.held.q.val() {
self.inner_reg.d.next = self.n.val();
} else {
self.inner_reg.d.next.c = bit_cast::<9, 5>(self.p.val().a + 1);
}
self.i.next = self.twist.source.val().inner;
self.o16.next = bit_cast::<16, 3>(self.y.val().tag);
self.all.next = self.read.val().into();
self.o1.next = self.f.val();
}
}

ports!(S11; clk, rst, f, x, y, p, q => o, i, o16, all, o1);

#[derive(LogicBlock, Default)]
pub(crate) struct S12 {
pub clk: Signal<In, Clock>,
pub rst: Signal<In, Bit>,
pub f: Signal<In, Bit>,
pub x: Signal<In, Outer>,
pub y: Signal<In, Outer>,
pub p: Signal<In, Inner>,
pub q: Signal<In, Inner>,
pub o: Signal<Out, Outer>,
pub i: Signal<Out, Inner>,
pub o16: Signal<Out, Bits<16>>,
pub all: Signal<Out, Bits<51>>,
pub o1: Signal<Out, Bit>,
pipe: Pipe<Outer>,
held: Reg<Outer>,
inner_reg: Reg<Inner>,
ram: RamSdp<Outer, 2>,
count: Reg<Bits<2>>,
started: Reg<Bit>,
later: Reg<Bit>,
twist: Twist,
copy: Signal<Local, Outer>,
part: Signal<Local, Inner>,
read: Signal<Local, Outer>,
m: Signal<Local, Outer>,
n: Signal<Local, Inner>,
}

impl Logic for S12 {
#[hdl_gen]
fn update(&mut self) {
self.pipe.clk.next = self.clk.val();
self.held.clk.next = self.clk.val();
self.inner_reg.clk.next = self.clk.val();
self.ram.clk.next = self.clk.val();
self.count.clk.next = self.clk.val();
self.started.clk.next = self.clk.val();
self.held.rst.next = self.rst.val();
self.inner_reg.rst.next = self.rst.val();
self.count.rst.next = self.rst.val();
self.started.rst.next = self.rst.val();
self.pipe.en.next = true;
self.count.en.next = true;
self.started.en.next = true;
self.count.d.next = self.count.q.val() + 1;
self.started.d.next = true;
self.ram.we.next = true;
self.ram.waddr.next = self.count.q.val();
self.ram.re.next = true;
self.ram.raddr.next = self.count.q.val() - 1;
self.ram.oe.next = true;
self.held.en.next = self.p.val().b;
self.inner_reg.en.next = self.y.val().mode == Mode::Run;
self.copy.next = self.pipe.q.val();
self.part.next = self.copy.val().second;
self.twist.sink.next = self.pipe.q.val();
self.twist.sink.next.tag = bit_cast::<3, 5>(self.q.val().a);
if self.x.val().mode == Mode::Run {
self.twist.sink.next = self.copy.val();
} else {
self.twist.sink.next.inner = self.y.val().inner;
}
self.read.next = self.x.val();
if self.started.q.val() & self.later.q.val() {
self.read.next = self.ram.rdata.val();
}
self.later.clk.next = self.clk.val();
self.later.rst.next = self.rst.val();
self.later.en.next = true;
self.later.d.next = self.started.q.val();
self.n.next = self.inner_reg.q.val();
self.n.next.c = bit_cast::<9, 16>(self.pipe.q.val().tail);
self.m.next = self.copy.val();
self.m.next.mode = self.pipe.q.val().mode;
self.m.next.tail = bit_cast::<16, 16>(self.read.val().tail);
if self.p.val().b {
self.m.next = self.y.val();
} else {
self.m.next.mode = self.pipe.q.val().mode;
}
self.pipe.d.next.inner = self.held.q.val().second;
self.pipe.d.next.second = self.p.val();
self.pipe.d.next.tag = self.twist.source.val().tail.get_bits::<3>(4);
self.pipe.d.next.tail = bit_cast::<16, 9>(self.inner_reg.q.val().c);
self.pipe.d.next.mode = self.y.val().mode;
self.pipe.d.next.inner = self.x.val().second;
self.held.d.next.inner = self.n.val();
self.held.d.next.second = self.held.q.val().second;
self.held.d.next.tag = bit_cast::<3, 3>(self.x.val().tag);
self.held.d.next.tail = bit_cast::<16, 5>(self.n.val().a);
self.held.d.next.mode = self.y.val().mode;
self.ram.wdata.next = self.x.val();
self.o.next = self.twist.source.val();
if self.p.val().b {
self.o.next = self.pipe.q.val();
} else {
self.o.next.mode = self.held.q.val().mode;
}
self.inner_reg.d.next = self.held.q.val().second;
if self.f.val() {
self.inner_reg.d.next = self.m.val().inner;
} else {
self.inner_reg.d.next.a = self.inner_reg.q.val().c.get_bits::<5>(3);
}
self.i.next = self.inner_reg.q.val();
self.i.next.a = self.y.val().tail.get_bits::<5>(14);
self.i.next.b = self.f.val();
if self.x.val().mode == Mode::Run {
self.i.next = self.y.val().second;
} else {
self.i.next.b = self.f.val();
}
self.o16.next = bit_cast::<16, 5>(self.n.val().a);
self.all.next = self.read.val().into();
self.o1.next = self.f.val();
}
}

ports!(S12; clk, rst, f, x, y, p, q => o, i, o16, all, o1);

#[derive(LogicBlock, Default)]
pub(crate) struct S13 {
pub clk: Signal<In, Clock>,
pub rst: Signal<In, Bit>,
pub f: Signal<In, Bit>,
pub x: Signal<In, Outer>,
pub y: Signal<In, Outer>,
pub p: Signal<In, Inner>,
pub q: Signal<In, Inner>,
pub o: Signal<Out, Outer>,
pub i: Signal<Out, Inner>,
pub o16: Signal<Out, Bits<16>>,
pub all: Signal<Out, Bits<51>>,
pub o1: Signal<Out, Bit>,
pipe: Pipe<Outer>,
held: Reg<Outer>,
inner_reg: Reg<Inner>,
ram: RamSdp<Outer, 2>,
count: Reg<Bits<2>>,
started: Reg<Bit>,
later: Reg<Bit>,
twist: Twist,
copy: Signal<Local, Outer>,
part: Signal<Local, Inner>,
read: Signal<Local, Outer>,
m: Signal<Local, Outer>,
n: Signal<Local, Inner>,
}

impl Logic for S13 {
#[hdl_gen]
fn update(&mut self) {
self.pipe.clk.next = self.clk.val();
self.held.clk.next = self.clk.val();
self.inner_reg.clk.next = self.clk.val();
self.ram.clk.next = self.clk.val();
self.count.clk.next = self.clk.val();
self.started.clk.next = self.clk.val();
self.held.rst.next = self.rst.val();
self.inner_reg.rst.next = self.rst.val();
self.count.rst.next = self.rst.val();
self.started.rst.next = self.rst.val();
self.pipe.en.next = true;
self.count.en.next = true;
self.started.en.next = true;
self.count.d.next = self.count.q.val() + 1;
self.started.d.next = true;
self.ram.we.next = true;
self.ram.waddr.next = self.count.q.val();
self.ram.re.next = true;
self.ram.raddr.next = self.count.q.val() - 1;
self.ram.oe.next = true;
self.held.en.next = self.f.val();
self.inner_reg.en.next = self.inner_reg.q.val().b;
self.copy.next = self.x.val();
self.part.next = self.copy.val().second;
self.twist.sink.next = self.y.val();
self.twist.sink.next.tail = self.q.val().c.get_bits::<16>(1);
if self.x.val().mode == Mode::Run {
self.twist.sink.next = self.pipe.q.val();
self.twist.sink.next.tail = bit_cast::<16, 3>(self.x.val().tag + 1);
} else {
self.twist.sink.next.mode = self.pipe.q.val().mode;
}
self.read.next = self.copy.val();
if self.started.q.val() & self.later.q.val() {
self.read.next = self.ram.rdata.val();
}
self.later.clk.next = self.clk.val();
self.later.rst.next = self.rst.val();
self.later.en.next = true;
self.later.d.next = self.started.q.val();
self.n.next = self.held.q.val().second;
self.n.next.b = self.f.val();
self.n.next.a = bit_cast::<5, 16>(self.copy.val().tail + 1);
self.m.next = self.copy.val();
self.m.next.inner = self.x.val().second;
self.pipe.d.next = self.m.val();
self.held.d.next.inner = self.held.q.val().second;
self.held.d.next.second = self.x.val().inner;
self.held.d.next.tag = self.inner_reg.q.val().a.get_bits::<3>(0);
self.held.d.next.tail = bit_cast::<16, 5>(self.inner_reg.q.val().a + 1);
self.held.d.next.mode = self.x.val().mode;
self.ram.wdata.next = self.twist.source.val();
self.ram.wdata.next.tag = bit_cast::<3, 9>(self.n.val().c);
self.ram.wdata.next.mode = self.twist.source.val().mode;
if self.q.val().b {
self.ram.wdata.next = self.copy.val();
} else {
self.ram.wdata.next.tag = bit_cast::<3, 16>(self.pipe.q.val().tail);
}
self.o.next = self.read.val();
if self.held.q.val() == self.x.val() {
self.o.next = self.read.val();
} else {
self.o.next.mode = self.twist.source.val().mode;
}
self.inner_reg.d.next = self.read.val().inner;
self.i.next = self.pipe.q.val().second;
self.o16.next = self.n.val().a.get_bits::<16>(4);
self.all.next = self.m.val().into();
self.o1.next = self.pipe.q.val().mode == Mode::Run;
}
}

ports!(S13; clk, rst, f, x, y, p, q => o, i, o16, all, o1);

#[derive(LogicBlock, Default)]
pub(crate) struct S14 {
pub clk: Signal<In, Clock>,
pub rst: Signal<In, Bit>,
pub f: Signal<In, Bit>,
pub x: Signal<In, Outer>,
pub y: Signal<In, Outer>,
pub p: Signal<In, Inner>,
pub q: Signal<In, Inner>,
pub o: Signal<Out, Outer>,
pub i: Signal<Out, Inner>,
pub o16: Signal<Out, Bits<16>>,
pub all: Signal<Out, Bits<51>>,
pub o1: Signal<Out, Bit>,
pipe: Pipe<Outer>,
held: Reg<Outer>,
inner_reg: Reg<Inner>,
ram: RamSdp<Outer, 2>,
count: Reg<Bits<2>>,
started: Reg<Bit>,
later: Reg<Bit>,
twist: Twist,
copy: Signal<Local, Outer>,
part: Signal<Local, Inner>,
read: Signal<Local, Outer>,
m: Signal<Local, Outer>,
n: Signal<Local, Inner>,
}

impl Logic for S14 {
#[hdl_gen]
fn update(&mut self) {
self.pipe.clk.next = self.clk.val();
self.held.clk.next = self.clk.val();
self.inner_reg.clk.next = self.clk.val();
self.ram.clk.next = self.clk.val();
self.count.clk.next = self.clk.val();
self.started.clk.next = self.clk.val();
self.held.rst.next = self.rst.val();
self.inner_reg.rst.next = self.rst.val();
self.count.rst.next = self.rst.val();
self.started.rst.next = self.rst.val();
self.pipe.en.next = true;
self.count.en.next = true;
self.started.en.next = true;
self.count.d.next = self.count.q.val() + 1;
self.started.d.next = true;
self.ram.we.next = true;
self.ram.waddr.next = self.count.q.val();
self.ram.re.next = true;
self.ram.raddr.next = self.count.q.val() - 1;
self.ram.oe.next = true;
self.held.en.next = self.y.val() == self.y.val();
self.inner_reg.en.next = self.pipe.q.val().mode == Mode::Run;
self.copy.next = self.x.val();
self.part.next = self.held.q.val().second;
self.twist.sink.next = self.pipe.q.val();
self.read.next = self.y.val();
if self.started.q.val() & self.later.q.val() {
self.read.next = self.ram.rdata.val();
}
self.later.clk.next = self.clk.val();
self.later.rst.next = self.rst.val();
self.later.en.next = true;
self.later.d.next = self.started.q.val();
self.n.next = self.read.val().inner;
self.n.next.b = self.y.val() == self.y.val();
self.n.next.a = bit_cast::<5, 3>(self.twist.source.val().tag);
self.m.next = self.read.val();
if self.copy.val().mode == Mode::Run {
self.m.next = self.x.val();
self.m.next.mode = self.copy.val().mode;
} else {
self.m.next.tail = self.y.val().tag.get_bits::<16>(1);
}
self.pipe.d.next = self.y.val();
self.held.d.next = self.pipe.q.val();
self.held.d.next.tag = self.q.val().a.get_bits::<3>(0);
self.held.d.next.inner = self.y.val().second;
if self.pipe.q.val().mode == Mode::Run {
self.held.d.next = self.copy.val();
self.held.d.next.inner = self.m.val().second;
} else {
self.held.d.next.tail = bit_cast::<16, 3>(self.held.q.val().tag + 1);
}
self.ram.wdata.next = self.twist.source.val();
self.ram.wdata.next.second = self.inner_reg.q.val();
self.ram.wdata.next.second = self.x.val().inner;
if self.pipe.q.val() == self.pipe.q.val() {
self.ram.wdata.next = self.pipe.q.val();
} else {
self.ram.wdata.next.tail = bit_cast::<16, 9>(self.inner_reg.q.val().c);
}
self.o.next.inner = self.part.val();
self.o.next.second = self.pipe.q.val().inner;
self.o.next.tag = self.y.val().tag.get_bits::<3>(0);
self.o.next.tail = bit_cast::<16, 9>(self.part.val().c + 1);
self.o.next.mode = self.pipe.q.val().mode;
self.o.next.inner = self.held.q.val().second;
if self.f.val() {
self.o.next = self.read.val();
} else {
self.o.next.mode = self.m.val().mode;
}
self.inner_reg.d.next = self.part.val();
self.i.next = self.m.val().second;
self.i.next.a = bit_cast::<5, 5>(self.n.val().a);
self.o16.next = self.pipe.q.val().tag.get_bits::<16>(0);
self.all.next = self.held.q.val().into();
self.o1.next = self.n.val().b;
}
}

ports!(S14; clk, rst, f, x, y, p, q => o, i, o16, all, o1);

#[derive(LogicBlock, Default)]
pub(crate) struct S15 {
pub clk: Signal<In, Clock>,
pub rst: Signal<In, Bit>,
pub f: Signal<In, Bit>,
pub x: Signal<In, Outer>,
pub y: Signal<In, Outer>,
pub p: Signal<In, Inner>,
pub q: Signal<In, Inner>,
pub o: Signal<Out, Outer>,
pub i: Signal<Out, Inner>,
pub o16: Signal<Out, Bits<16>>,
pub all: Signal<Out, Bits<51>>,
pub o1: Signal<Out, Bit>,
pipe: Pipe<Outer>,
held: Reg<Outer>,
inner_reg: Reg<Inner>,
ram: RamSdp<Outer, 2>,
count: Reg<Bits<2>>,
started: Reg<Bit>,
later: Reg<Bit>,
twist: Twist,
copy: Signal<Local, Outer>,
part: Signal<Local, Inner>,
read: Signal<Local, Outer>,
m: Signal<Local, Outer>,
n: Signal<Local, Inner>,
}

impl Logic for S15 {
#[hdl_gen]
fn update(&mut self) {
self.pipe.clk.next = self.clk.val();
self.held.clk.next = self.clk.val();
self.inner_reg.clk.next = self.clk.val();
self.ram.clk.next = self.clk.val();
self.count.clk.next = self.clk.val();
self.started.clk.next = self.clk.val();
self.held.rst.next = self.rst.val();
self.inner_reg.rst.next = self.rst.val();
self.count.rst.next = self.rst.val();
self.started.rst.next = self.rst.val();
self.pipe.en.next = true;
self.count.en.next = true;
self.started.en.next = true;
self.count.d.next = self.count.q.val() + 1;
self.started.d.next = true;
self.ram.we.next = true;
self.ram.waddr.next = self.count.q.val();
self.ram.re.next = true;
self.ram.raddr.next = self.count.q.val() - 1;
self.ram.oe.next = true;
self.held.en.next = self.f.val();
self.inner_reg.en.next = self.y.val() == self.pipe.q.val();
self.copy.next = self.held.q.val();
self.part.next = self.x.val().inner;
self.twist.sink.next = self.x.val();
self.twist.sink.next.second = self.inner_reg.q.val();
if self.f.val() {
self.twist.sink.next = self.x.val();
self.twist.sink.next.inner = self.copy.val().inner;
} else {
self.twist.sink.next.tag = self.p.val().c.get_bits::<3>(4);
}
self.read.next = self.pipe.q.val();
if self.started.q.val() & self.later.q.val() {
self.read.next = self.ram.rdata.val();
}
self.later.clk.next = self.clk.val();
self.later.rst.next = self.rst.val();
self.later.en.next = true;
self.later.d.next = self.started.q.val();
self.n.next = self.inner_reg.q.val();
self.n.next.c = bit_cast::<9, 3>(self.y.val().tag);
self.m.next = self.x.val();
if self.x.val().mode == Mode::Run {
self.m.next = self.twist.source.val();
} else {
self.m.next.inner = self.pipe.q.val().inner;
}
self.pipe.d.next = self.m.val();
self.pipe.d.next.tag = bit_cast::<3, 9>(self.p.val().c);
self.held.d.next = self.m.val();
self.ram.wdata.next = self.copy.val();
self.ram.wdata.next.tag = bit_cast::<3, 3>(self.y.val().tag + 1);
if self.twist.source.val().mode == Mode::Run {
self.ram.wdata.next = self.x.val();
self.ram.wdata.next.tail = bit_cast::<16, 3>(self.twist.source.val().tag);
} else {
self.ram.wdata.next.second = self.copy.val().second;
}
self.o.next.inner = self.n.val();
self.o.next.second = self.y.val().inner;
self.o.next.tag = self.n.val().c.get_bits::<3>(6);
self.o.next.tail = self.p.val().a.get_bits::<16>(4);
self.o.next.mode = self.x.val().mode;
if self.f.val() {
self.o.next = self.y.val();
self.o.next.second = self.y.val().inner;
} else {
self.o.next.second = self.read.val().inner;
}
self.inner_reg.d.next = self.copy.val().inner;
self.inner_reg.d.next.c = bit_cast::<9, 9>(self.q.val().c + 1);
self.inner_reg.d.next.c = self.inner_reg.q.val().a.get_bits::<9>(3);
self.i.next = self.x.val().inner;
self.i.next.b = self.held.q.val().mode == Mode::Run;
self.i.next.c = bit_cast::<9, 5>(self.q.val().a);
self.o16.next = bit_cast::<16, 3>(self.twist.source.val().tag);
self.all.next = self.m.val().into();
self.o1.next = self.f.val();
}
}

ports!(S15; clk, rst, f, x, y, p, q => o, i, o16, all, o1);

#[derive(LogicBlock, Default)]
pub(crate) struct S16 {
pub clk: Signal<In, Clock>,
pub rst: Signal<In, Bit>,
pub f: Signal<In, Bit>,
pub x: Signal<In, Outer>,
pub y: Signal<In, Outer>,
pub p: Signal<In, Inner>,
pub q: Signal<In, Inner>,
pub o: Signal<Out, Outer>,
pub i: Signal<Out, Inner>,
pub o16: Signal<Out, Bits<16>>,
pub all: Signal<Out, Bits<51>>,
pub o1: Signal<Out, Bit>,
pipe: Pipe<Outer>,
held: Reg<Outer>,
inner_reg: Reg<Inner>,
ram: RamSdp<Outer, 2>,
count: Reg<Bits<2>>,
started: Reg<Bit>,
later: Reg<Bit>,
twist: Twist,
copy: Signal<Local, Outer>,
part: Signal<Local, Inner>,
read: Signal<Local, Outer>,
m: Signal<Local, Outer>,
n: Signal<Local, Inner>,
}

impl Logic for S16 {
#[hdl_gen]
fn update(&mut self) {
self.pipe.clk.next = self.clk.val();
self.held.clk.next = self.clk.val();
self.inner_reg.clk.next = self.clk.val();
self.ram.clk.next = self.clk.val();
self.count.clk.next = self.clk.val();
self.started.clk.next = self.clk.val();
self.held.rst.next = self.rst.val();
self.inner_reg.rst.next = self.rst.val();
self.count.rst.next = self.rst.val();
self.started.rst.next = self.rst.val();
self.pipe.en.next = true;
self.count.en.next = true;
self.started.en.next = true;
self.count.d.next = self.count.q.val() + 1;
self.started.d.next = true;
self.ram.we.next = true;
self.ram.waddr.next = self.count.q.val();
self.ram.re.next = true;
self.ram.raddr.next = self.count.q.val() - 1;
self.ram.oe.next = true;
self.held.en.next = self.x.val().mode == Mode::Run;
self.inner_reg.en.next = self.q.val().b;
self.copy.next = self.x.val();
self.part.next = self.inner_reg.q.val();
self.twist.sink.next = self.held.q.val();
if self.held.q.val() == self.pipe.q.val() {
self.twist.sink.next = self.held.q.val();
} else {
self.twist.sink.next.second = self.pipe.q.val().second;
}
self.read.next = self.pipe.q.val();
if self.started.q.val() & self.later.q.val() {
self.read.next = self.ram.rdata.val();
}
self.later.clk.next = self.clk.val();
self.later.rst.next = self.rst.val();
self.later.en.next = true;
self.later.d.next = self.started.q.val();
self.n.next = self.y.val().inner;
self.n.next.a = self.y.val().tag.get_bits::<5>(1);
if self.read.val() == self.copy.val() {
self.n.next = self.copy.val().second;
} else {
self.n.next.c = bit_cast::<9, 3>(self.held.q.val().tag);
}
self.m.next = self.held.q.val();
self.pipe.d.next = self.m.val();
self.pipe.d.next.second = self.n.val();
self.held.d.next = self.copy.val();
if self.held.q.val().mode == Mode::Run {
self.held.d.next = self.copy.val();
} else {
self.held.d.next.tail = self.q.val().c.get_bits::<16>(8);
}
self.ram.wdata.next.inner = self.n.val();
self.ram.wdata.next.second = self.twist.source.val().inner;
self.ram.wdata.next.tag = self.inner_reg.q.val().a.get_bits::<3>(0);
self.ram.wdata.next.tail = bit_cast::<16, 16>(self.m.val().tail);
self.ram.wdata.next.mode = self.read.val().mode;
self.o.next = self.m.val();
self.o.next.tail = bit_cast::<16, 9>(self.inner_reg.q.val().c + 1);
self.inner_reg.d.next = self.m.val().inner;
self.inner_reg.d.next.c = bit_cast::<9, 5>(self.inner_reg.q.val().a + 1);
if self.copy.val() == self.y.val() {
self.inner_reg.d.next = self.part.val();
} else {
self.inner_reg.d.next.c = bit_cast::<9, 3>(self.m.val().tag);
}
self.i.next = self.p.val();
self.o16.next = self.part.val().c.get_bits::<16>(3);
self.all.next = self.copy.val().into();
self.o1.next = self.m.val() == self.copy.val();
}
}

ports!(S16; clk, rst, f, x, y, p, q => o, i, o16, all, o1);

#[derive(LogicBlock, Default)]
pub(crate) struct S17 {
pub clk: Signal<In, Clock>,
pub rst: Signal<In, Bit>,
pub f: Signal<In, Bit>,
pub x: Signal<In, Outer>,
pub y: Signal<In, Outer>,
pub p: Signal<In, Inner>,
pub q: Signal<In, Inner>,
pub o: Signal<Out, Outer>,
pub i: Signal<Out, Inner>,
pub o16: Signal<Out, Bits<16>>,
pub all: Signal<Out, Bits<51>>,
pub o1: Signal<Out, Bit>,
pipe: Pipe<Outer>,
held: Reg<Outer>,
inner_reg: Reg<Inner>,
ram: RamSdp<Outer, 2>,
count: Reg<Bits<2>>,
started: Reg<Bit>,
later: Reg<Bit>,
twist: Twist,
copy: Signal<Local, Outer>,
part: Signal<Local, Inner>,
read: Signal<Local, Outer>,
m: Signal<Local, Outer>,
n: Signal<Local, Inner>,
}

impl Logic for S17 {
#[hdl_gen]
fn update(&mut self) {
self.pipe.clk.next = self.clk.val();
self.held.clk.next = self.clk.val();
self.inner_reg.clk.next = self.clk.val();
self.ram.clk.next = self.clk.val();
self.count.clk.next = self.clk.val();
self.started.clk.next = self.clk.val();
self.held.rst.next = self.rst.val();
self.inner_reg.rst.next = self.rst.val();
self.count.rst.next = self.rst.val();
self.started.rst.next = self.rst.val();
self.pipe.en.next = true;
self.count.en.next = true;
self.started.en.next = true;
self.count.d.next = self.count.q.val() + 1;
self.started.d.next = true;
self.ram.we.next = true;
self.ram.waddr.next = self.count.q.val();
self.ram.re.next = true;
self.ram.raddr.next = self.count.q.val() - 1;
self.ram.oe.next = true;
self.held.en.next = self.y.val().mode == Mode::Run;
self.inner_reg.en.next = self.x.val().mode == Mode::Run;
self.copy.next = self.held.q.val();
self.part.next = self.copy.val().inner;
self.twist.sink.next.inner = self.q.val();
self.twist.sink.next.second = self.q.val();
self.twist.sink.next.tag = bit_cast::<3, 5>(self.p.val().a);
self.twist.sink.next.tail = bit_cast::<16, 9>(self.p.val().c);
self.twist.sink.next.mode = self.x.val().mode;
if self.y.val() == self.x.val() {
self.twist.sink.next = self.x.val();
self.twist.sink.next.tag = bit_cast::<3, 16>(self.y.val().tail);
} else {
self.twist.sink.next.tail = bit_cast::<16, 9>(self.inner_reg.q.val().c + 1);
}
self.read.next = self.x.val();
if self.started.q.val() & self.later.q.val() {
self.read.next = self.ram.rdata.val();
}
self.later.clk.next = self.clk.val();
self.later.rst.next = self.rst.val();
self.later.en.next = true;
self.later.d.next = self.started.q.val();
self.n.next = self.pipe.q.val().second;
self.n.next.b = self.read.val().mode == Mode::Run;
self.m.next = self.read.val();
self.m.next.second = self.inner_reg.q.val();
self.m.next.tag = bit_cast::<3, 9>(self.q.val().c);
self.pipe.d.next.inner = self.x.val().inner;
self.pipe.d.next.second = self.inner_reg.q.val();
self.pipe.d.next.tag = bit_cast::<3, 5>(self.part.val().a + 1);
self.pipe.d.next.tail = bit_cast::<16, 16>(self.x.val().tail);
self.pipe.d.next.mode = self.twist.source.val().mode;
self.pipe.d.next.inner = self.m.val().second;
self.pipe.d.next.second = self.q.val();
self.held.d.next = self.m.val();
self.held.d.next.tag = self.x.val().tail.get_bits::<3>(8);
self.held.d.next.second = self.pipe.q.val().inner;
self.ram.wdata.next.inner = self.twist.source.val().inner;
self.ram.wdata.next.second = self.p.val();
self.ram.wdata.next.tag = self.inner_reg.q.val().c.get_bits::<3>(0);
self.ram.wdata.next.tail = bit_cast::<16, 9>(self.part.val().c + 1);
self.ram.wdata.next.mode = self.read.val().mode;
if self.f.val() {
self.ram.wdata.next = self.m.val();
self.ram.wdata.next.tail = bit_cast::<16, 16>(self.x.val().tail);
} else {
self.ram.wdata.next.mode = self.x.val().mode;
}
self.o.next = self.twist.source.val();
self.o.next.inner = self.pipe.q.val().inner;
if self.y.val().mode == Mode::Run {
self.o.next = self.held.q.val();
} else {
self.o.next.second = self.inner_reg.q.val();
}
self.inner_reg.d.next = self.q.val();
self.i.next = self.held.q.val().second;
self.i.next.a = bit_cast::<5, 16>(self.twist.source.val().tail);
self.i.next.a = bit_cast::<5, 16>(self.m.val().tail);
self.o16.next = bit_cast::<16, 5>(self.n.val().a);
self.all.next = self.m.val().into();
self.o1.next = self.p.val().b;
}
}

ports!(S17; clk, rst, f, x, y, p, q => o, i, o16, all, o1);

#[derive(LogicBlock, Default)]
pub(crate) struct S18 {
pub clk: Signal<In, Clock>,
pub rst: Signal<In, Bit>,
pub f: Signal<In, Bit>,
pub x: Signal<In, Outer>,
pub y: Signal<In, Outer>,
pub p: Signal<In, Inner>,
pub q: Signal<In, Inner>,
pub o: Signal<Out, Outer>,
pub i: Signal<Out, Inner>,
pub o16: Signal<Out, Bits<16>>,
pub all: Signal<Out, Bits<51>>,
pub o1: Signal<Out, Bit>,
pipe: Pipe<Outer>,
held: Reg<Outer>,
inner_reg: Reg<Inner>,
ram: RamSdp<Outer, 2>,
count: Reg<Bits<2>>,
started: Reg<Bit>,
later: Reg<Bit>,
twist: Twist,
copy: Signal<Local, Outer>,
part: Signal<Local, Inner>,
read: Signal<Local, Outer>,
m: Signal<Local, Outer>,
n: Signal<Local, Inner>,
}

impl Logic for S18 {
#[hdl_gen]
fn update(&mut self) {
self.pipe.clk.next = self.clk.val();
self.held.clk.next = self.clk.val();
self.inner_reg.clk.next = self.clk.val();
self.ram.clk.next = self.clk.val();
self.count.clk.next = self.clk.val();
self.started.clk.next = self.clk.val();
self.held.rst.next = self.rst.val();
self.inner_reg.rst.next = self.rst.val();
self.count.rst.next = self.rst.val();
self.started.rst.next = self.rst.val();
self.pipe.en.next = true;
self.count.en.next = true;
self.started.en.next = true;
self.count.d.next = self.count.q.val() + 1;
self.started.d.next = true;
self.ram.we.next = true;
self.ram.waddr.next = self.count.q.val();
self.ram.re.next = true;
self.ram.raddr.next = self.count.q.val() - 1;
self.ram.oe.next = true;
self.held.en.next = self.f.val();
self.inner_reg.en.next = self.f.val();
self.copy.next = self.x.val();
self.part.next = self.held.q.val().second;
self.twist.sink.next.inner = self.x.val().second;
self.twist.sink.next.second = self.copy.val().second;
self.twist.sink.next.tag = bit_cast::<3, 16>(self.pipe.q.val().tail);
self.twist.sink.next.tail = bit_cast::<16, 3>(self.x.val().tag + 1);
self.twist.sink.next.mode = self.held.q.val().mode;
self.twist.sink.next.mode = self.pipe.q.val().mode;
self.twist.sink.next.tag = bit_cast::<3, 9>(self.inner_reg.q.val().c);
if self.pipe.q.val().mode == Mode::Run {
self.twist.sink.next = self.x.val();
self.twist.sink.next.tag = self.copy.val().tag.get_bits::<3>(0);
} else {
self.twist.sink.next.tag = self.part.val().a.get_bits::<3>(3);
}
self.read.next = self.pipe.q.val();
if self.started.q.val() & self.later.q.val() {
self.read.next = self.ram.rdata.val();
}
self.later.clk.next = self.clk.val();
self.later.rst.next = self.rst.val();
self.later.en.next = true;
self.later.d.next = self.started.q.val();
self.n.next = self.read.val().second;
self.n.next.c = bit_cast::<9, 16>(self.y.val().tail + 1);
if self.copy.val() == self.x.val() {
self.n.next = self.pipe.q.val().inner;
} else {
self.n.next.c = bit_cast::<9, 9>(self.part.val().c + 1);
}
self.m.next = self.pipe.q.val();
self.m.next.mode = self.pipe.q.val().mode;
self.m.next.tag = bit_cast::<3, 9>(self.p.val().c);
if self.f.val() {
self.m.next = self.y.val();
self.m.next.mode = self.held.q.val().mode;
} else {
self.m.next.tag = self.y.val().tag.get_bits::<3>(0);
}
self.pipe.d.next = self.held.q.val();
self.held.d.next = self.m.val();
self.held.d.next.tag = bit_cast::<3, 9>(self.q.val().c);
self.ram.wdata.next = self.x.val();
self.ram.wdata.next.mode = self.held.q.val().mode;
self.ram.wdata.next.tag = bit_cast::<3, 3>(self.held.q.val().tag);
self.o.next = self.pipe.q.val();
self.o.next.tag = self.held.q.val().tag.get_bits::<3>(2);
self.o.next.second = self.pipe.q.val().inner;
if self.twist.source.val().mode == Mode::Run {
self.o.next = self.twist.source.val();
} else {
self.o.next.second = self.y.val().second;
}
self.inner_reg.d.next = self.n.val();
self.inner_reg.d.next.b = self.y.val().mode == Mode::Run;
self.inner_reg.d.next.a = self.read.val().tail.get_bits::<5>(1);
self.i.next = self.x.val().second;
self.i.next.c = bit_cast::<9, 5>(self.part.val().a);
self.i.next.a = self.held.q.val().tag.get_bits::<5>(2);
if self.q.val().b {
self.i.next = self.held.q.val().second;
} else {
self.i.next.a = bit_cast::<5, 5>(self.inner_reg.q.val().a);
}
self.o16.next = bit_cast::<16, 16>(self.y.val().tail + 1);
self.all.next = self.held.q.val().into();
self.o1.next = self.f.val();
}
}

ports!(S18; clk, rst, f, x, y, p, q => o, i, o16, all, o1);

#[derive(LogicBlock, Default)]
pub(crate) struct S19 {
pub clk: Signal<In, Clock>,
pub rst: Signal<In, Bit>,
pub f: Signal<In, Bit>,
pub x: Signal<In, Outer>,
pub y: Signal<In, Outer>,
pub p: Signal<In, Inner>,
pub q: Signal<In, Inner>,
pub o: Signal<Out, Outer>,
pub i: Signal<Out, Inner>,
pub o16: Signal<Out, Bits<16>>,
pub all: Signal<Out, Bits<51>>,
pub o1: Signal<Out, Bit>,
pipe: Pipe<Outer>,
held: Reg<Outer>,
inner_reg: Reg<Inner>,
ram: RamSdp<Outer, 2>,
count: Reg<Bits<2>>,
started: Reg<Bit>,
later: Reg<Bit>,
twist: Twist,
copy: Signal<Local, Outer>,
part: Signal<Local, Inner>,
read: Signal<Local, Outer>,
m: Signal<Local, Outer>,
n: Signal<Local, Inner>,
}

impl Logic for S19 {
#[hdl_gen]
fn update(&mut self) {
self.pipe.clk.next = self.clk.val();
self.held.clk.next = self.clk.val();
self.inner_reg.clk.next = self.clk.val();
self.ram.clk.next = self.clk.val();
self.count.clk.next = self.clk.val();
self.started.clk.next = self.clk.val();
self.held.rst.next = self.rst.val();
self.inner_reg.rst.next = self.rst.val();
self.count.rst.next = self.rst.val();
self.started.rst.next = self.rst.val();
self.pipe.en.next = true;
self.count.en.next = true;
self.started.en.next = true;
self.count.d.next = self.count.q.val() + 1;
self.started.d.next = true;
self.ram.we.next = true;
self.ram.waddr.next = self.count.q.val();
self.ram.re.next = true;
self.ram.raddr.next = self.count.q.val() - 1;
self.ram.oe.next = true;
self.held.en.next = self.x.val().mode == Mode::Run;
self.inner_reg.en.next = self.inner_reg.q.val().b;
self.copy.next = self.y.val();
self.part.next = self.x.val().second;
self.twist.sink.next.inner = self.pipe.q.val().inner;
self.twist.sink.next.second = self.inner_reg.q.val();
self.twist.sink.next.tag = bit_cast::<3, 9>(self.q.val().c + 1);
self.twist.sink.next.tail = bit_cast::<16, 16>(self.y.val().tail + 1);
self.twist.sink.next.mode = self.x.val().mode;
self.twist.sink.next.tail = bit_cast::<16, 16>(self.y.val().tail + 1);
if self.p.val().b {
self.twist.sink.next = self.y.val();
} else {
self.twist.sink.next.tail = bit_cast::<16, 16>(self.pipe.q.val().tail);
}
self.read.next = self.x.val();
if self.started.q.val() & self.later.q.val() {
self.read.next = self.ram.rdata.val();
}
self.later.clk.next = self.clk.val();
self.later.rst.next = self.rst.val();
self.later.en.next = true;
self.later.d.next = self.started.q.val();
self.n.next = self.q.val();
self.n.next.c = bit_cast::<9, 5>(self.q.val().a + 1);
self.n.next.b = self.twist.source.val().mode == Mode::Run;
if self.q.val().b {
self.n.next = self.read.val().second;
} else {
self.n.next.a = bit_cast::<5, 5>(self.p.val().a);
}
self.m.next = self.copy.val();
if self.twist.source.val() == self.copy.val() {
self.m.next = self.held.q.val();
self.m.next.tag = bit_cast::<3, 5>(self.part.val().a + 1);
} else {
self.m.next.tail = bit_cast::<16, 5>(self.q.val().a + 1);
}
self.pipe.d.next.inner = self.held.q.val().inner;
self.pipe.d.next.second = self.pipe.q.val().second;
self.pipe.d.next.tag = bit_cast::<3, 5>(self.inner_reg.q.val().a + 1);
self.pipe.d.next.tail = bit_cast::<16, 5>(self.inner_reg.q.val().a);
self.pipe.d.next.mode = self.read.val().mode;
self.pipe.d.next.mode = self.x.val().mode;
self.pipe.d.next.second = self.m.val().second;
if self.inner_reg.q.val().b {
self.pipe.d.next = self.m.val();
} else {
self.pipe.d.next.second = self.m.val().second;
}
self.held.d.next = self.y.val();
self.held.d.next.second = self.m.val().second;
self.held.d.next.mode = self.m.val().mode;
self.ram.wdata.next = self.read.val();
self.ram.wdata.next.mode = self.m.val().mode;
self.ram.wdata.next.tail = self.m.val().tag.get_bits::<16>(0);
if self.x.val() == self.held.q.val() {
self.ram.wdata.next = self.pipe.q.val();
self.ram.wdata.next.tail = bit_cast::<16, 3>(self.m.val().tag);
} else {
self.ram.wdata.next.second = self.inner_reg.q.val();
}
self.o.next.inner = self.twist.source.val().second;
self.o.next.second = self.p.val();
self.o.next.tag = self.x.val().tail.get_bits::<3>(9);
self.o.next.tail = self.copy.val().tail.get_bits::<16>(13);
self.o.next.mode = self.held.q.val().mode;
if self.f.val() {
self.o.next = self.y.val();
} else {
self.o.next.mode = self.y.val().mode;
}
self.inner_reg.d.next = self.x.val().second;
self.inner_reg.d.next.b = self.f.val();
self.inner_reg.d.next.a = bit_cast::<5, 5>(self.part.val().a + 1);
if self.f.val() {
self.inner_reg.d.next = self.q.val();
} else {
self.inner_reg.d.next.c = bit_cast::<9, 9>(self.inner_reg.q.val().c + 1);
}
self.i.next = self.q.val();
self.i.next.a = bit_cast::<5, 9>(self.q.val().c);
if self.copy.val() == self.m.val() {
self.i.next = self.copy.val().inner;
} else {
self.i.next.a = self.inner_reg.q.val().a.get_bits::<5>(0);
}
self.o16.next = bit_cast::<16, 16>(self.read.val().tail);
self.all.next = self.y.val().into();
self.o1.next = self.copy.val().mode == Mode::Run;
}
}

ports!(S19; clk, rst, f, x, y, p, q => o, i, o16, all, o1);

#[derive(LogicBlock, Default)]
pub(crate) struct S20 {
pub clk: Signal<In, Clock>,
pub rst: Signal<In, Bit>,
pub f: Signal<In, Bit>,
pub x: Signal<In, Outer>,
pub y: Signal<In, Outer>,
pub p: Signal<In, Inner>,
pub q: Signal<In, Inner>,
pub o: Signal<Out, Outer>,
pub i: Signal<Out, Inner>,
pub o16: Signal<Out, Bits<16>>,
pub all: Signal<Out, Bits<51>>,
pub o1: Signal<Out, Bit>,
pipe: Pipe<Outer>,
held: Reg<Outer>,
inner_reg: Reg<Inner>,
ram: RamSdp<Outer, 2>,
count: Reg<Bits<2>>,
started: Reg<Bit>,
later: Reg<Bit>,
twist: Twist,
copy: Signal<Local, Outer>,
part: Signal<Local, Inner>,
read: Signal<Local, Outer>,
m: Signal<Local, Outer>,
n: Signal<Local, Inner>,
}

impl Logic for S20 {
#[hdl_gen]
fn update(&mut self) {
self.pipe.clk.next = self.clk.val();
self.held.clk.next = self.clk.val();
self.inner_reg.clk.next = self.clk.val();
self.ram.clk.next = self.clk.val();
self.count.clk.next = self.clk.val();
self.started.clk.next = self.clk.val();
self.held.rst.next = self.rst.val();
self.inner_reg.rst.next = self.rst.val();
self.count.rst.next = self.rst.val();
self.started.rst.next = self.rst.val();
self.pipe.en.next = true;
self.count.en.next = true;
self.started.en.next = true;
self.count.d.next = self.count.q.val() + 1;
self.started.d.next = true;
self.ram.we.next = true;
self.ram.waddr.next = self.count.q.val();
self.ram.re.next = true;
self.ram.raddr.next = self.count.q.val() - 1;
self.ram.oe.next = true;
self.held.en.next = self.p.val().b;
self.inner_reg.en.next = self.f.val();
self.copy.next = self.y.val();
self.part.next = self.copy.val().inner;
self.twist.sink.next = self.x.val();
if self.held.q.val() == self.y.val() {
self.twist.sink.next = self.x.val();
} else {
self.twist.sink.next.tail = bit_cast::<16, 5>(self.p.val().a + 1);
}
self.read.next = self.twist.source.val();
if self.started.q.val() & self.later.q.val() {
self.read.next = self.ram.rdata.val();
}
self.later.clk.next = self.clk.val();
self.later.rst.next = self.rst.val();
self.later.en.next = true;
self.later.d.next = self.started.q.val();
self.n.next = self.held.q.val().inner;
if self.copy.val() == self.held.q.val() {
self.n.next = self.twist.source.val().second;
} else {
self.n.next.b = self.f.val();
}
self.m.next = self.read.val();
self.m.next.tag = bit_cast::<3, 16>(self.y.val().tail);
self.m.next.second = self.q.val();
self.pipe.d.next = self.x.val();
self.pipe.d.next.inner = self.m.val().inner;
if self.m.val() == self.copy.val() {
self.pipe.d.next = self.held.q.val();
} else {
self.pipe.d.next.mode = self.held.q.val().mode;
}
self.held.d.next.inner = self.pipe.q.val().second;
self.held.d.next.second = self.p.val();
self.held.d.next.tag = self.m.val().tag.get_bits::<3>(1);
self.held.d.next.tail = self.n.val().c.get_bits::<16>(5);
self.held.d.next.mode = self.copy.val().mode;
self.held.d.next.mode = self.y.val().mode;
self.held.d.next.tag = bit_cast::<3, 3>(self.pipe.q.val().tag);
self.ram.wdata.next = self.m.val();
self.ram.wdata.next.tail = bit_cast::<16, 9>(self.inner_reg.q.val().c);
if self.y.val() == self.pipe.q.val() {
self.ram.wdata.next = self.twist.source.val();
} else {
self.ram.wdata.next.inner = self.x.val().second;
}
self.o.next.inner = self.n.val();
self.o.next.second = self.held.q.val().second;
self.o.next.tag = self.inner_reg.q.val().c.get_bits::<3>(7);
self.o.next.tail = self.copy.val().tail.get_bits::<16>(15);
self.o.next.mode = self.held.q.val().mode;
self.o.next.tail = bit_cast::<16, 9>(self.n.val().c + 1);
if self.x.val().mode == Mode::Run {
self.o.next = self.read.val();
} else {
self.o.next.inner = self.n.val();
}
self.inner_reg.d.next = self.x.val().second;
self.inner_reg.d.next.c = self.inner_reg.q.val().c.get_bits::<9>(8);
if self.f.val() {
self.inner_reg.d.next = self.part.val();
} else {
self.inner_reg.d.next.b = self.m.val().mode == Mode::Run;
}
self.i.next = self.y.val().inner;
self.i.next.a = bit_cast::<5, 5>(self.n.val().a + 1);
if self.q.val().b {
self.i.next = self.inner_reg.q.val();
} else {
self.i.next.c = self.pipe.q.val().tag.get_bits::<9>(0);
}
self.o16.next = bit_cast::<16, 9>(self.n.val().c);
self.all.next = self.y.val().into();
self.o1.next = self.held.q.val() == self.pipe.q.val();
}
}

ports!(S20; clk, rst, f, x, y, p, q => o, i, o16, all, o1);

#[derive(LogicBlock, Default)]
pub(crate) struct S21 {
pub clk: Signal<In, Clock>,
pub rst: Signal<In, Bit>,
pub f: Signal<In, Bit>,
pub x: Signal<In, Outer>,
pub y: Signal<In, Outer>,
pub p: Signal<In, Inner>,
pub q: Signal<In, Inner>,
pub o: Signal<Out, Outer>,
pub i: Signal<Out, Inner>,
pub o16: Signal<Out, Bits<16>>,
pub all: Signal<Out, Bits<51>>,
pub o1: Signal<Out, Bit>,
pipe: Pipe<Outer>,
held: Reg<Outer>,
inner_reg: Reg<Inner>,
ram: RamSdp<Outer, 2>,
count: Reg<Bits<2>>,
started: Reg<Bit>,
later: Reg<Bit>,
twist: Twist,
copy: Signal<Local, Outer>,
part: Signal<Local, Inner>,
read: Signal<Local, Outer>,
m: Signal<Local, Outer>,
n: Signal<Local, Inner>,
}

impl Logic for S21 {
#[hdl_gen]
fn update(&mut self) {
self.pipe.clk.next = self.clk.val();
self.held.clk.next = self.clk.val();
self.inner_reg.clk.next = self.clk.val();
self.ram.clk.next = self.clk.val();
self.count.clk.next = self.clk.val();
self.started.clk.next = self.clk.val();
self.held.rst.next = self.rst.val();
self.inner_reg.rst.next = self.rst.val();
self.count.rst.next = self.rst.val();
self.started.rst.next = self.rst.val();
self.pipe.en.next = true;
self.count.en.next = true;
self.started.en.next = true;
self.count.d.next = self.count.q.val() + 1;
self.started.d.next = true;
self.ram.we.next = true;
self.ram.waddr.next = self.count.q.val();
self.ram.re.next = true;
self.ram.raddr.next = self.count.q.val() - 1;
self.ram.oe.next = true;
self.held.en.next = self.x.val().mode == Mode::Run;
self.inner_reg.en.next = self.y.val().mode == Mode::Run;
self.copy.next = self.pipe.q.val();
self.part.next = self.y.val().inner;
self.twist.sink.next = self.y.val();
self.twist.sink.next.tail = bit_cast::<16, 5>(self.inner_reg.q.val().a + 1);
self.read.next = self.x.val();
if self.started.q.val() & self.later.q.val() {
self.read.next = self.ram.rdata.val();
}
self.later.clk.next = self.clk.val();
self.later.rst.next = self.rst.val();
self.later.en.next = true;
self.later.d.next = self.started.q.val();
self.n.next = self.pipe.q.val().inner;
if self.f.val() {
self.n.next = self.q.val();
} else {
self.n.next.a = bit_cast::<5, 5>(self.part.val().a + 1);
}
self.m.next.inner = self.p.val();
self.m.next.second = self.y.val().inner;
self.m.next.tag = bit_cast::<3, 9>(self.part.val().c + 1);
self.m.next.tail = bit_cast::<16, 9>(self.q.val().c + 1);
self.m.next.mode = self.y.val().mode;
self.m.next.second = self.copy.val().second;
self.m.next.tail = self.n.val().a.get_bits::<16>(3);
if self.f.val() {
self.m.next = self.twist.source.val();
self.m.next.second = self.pipe.q.val().inner;
} else {
self.m.next.second = self.copy.val().second;
}
self.pipe.d.next.inner = self.inner_reg.q.val();
self.pipe.d.next.second = self.p.val();
self.pipe.d.next.tag = bit_cast::<3, 3>(self.pipe.q.val().tag);
self.pipe.d.next.tail = self.q.val().c.get_bits::<16>(1);
self.pipe.d.next.mode = self.held.q.val().mode;
self.held.d.next.inner = self.y.val().inner;
self.held.d.next.second = self.copy.val().inner;
self.held.d.next.tag = self.inner_reg.q.val().a.get_bits::<3>(1);
self.held.d.next.tail = bit_cast::<16, 16>(self.pipe.q.val().tail);
self.held.d.next.mode = self.x.val().mode;
self.ram.wdata.next = self.copy.val();
self.o.next.inner = self.held.q.val().inner;
self.o.next.second = self.q.val();
self.o.next.tag = self.twist.source.val().tail.get_bits::<3>(0);
self.o.next.tail = self.x.val().tag.get_bits::<16>(1);
self.o.next.mode = self.y.val().mode;
self.inner_reg.d.next = self.n.val();
self.inner_reg.d.next.b = self.m.val() == self.read.val();
if self.y.val().mode == Mode::Run {
self.inner_reg.d.next = self.read.val().second;
} else {
self.inner_reg.d.next.a = bit_cast::<5, 3>(self.copy.val().tag + 1);
}
self.i.next = self.copy.val().inner;
self.i.next.c = self.copy.val().tag.get_bits::<9>(1);
if self.copy.val() == self.pipe.q.val() {
self.i.next = self.twist.source.val().second;
} else {
self.i.next.b = self.twist.source.val().mode == Mode::Run;
}
self.o16.next = bit_cast::<16, 9>(self.part.val().c + 1);
self.all.next = self.m.val().into();
self.o1.next = self.read.val().mode == Mode::Run;
}
}

ports!(S21; clk, rst, f, x, y, p, q => o, i, o16, all, o1);

#[derive(LogicBlock, Default)]
pub(crate) struct S22 {
pub clk: Signal<In, Clock>,
pub rst: Signal<In, Bit>,
pub f: Signal<In, Bit>,
pub x: Signal<In, Outer>,
pub y: Signal<In, Outer>,
pub p: Signal<In, Inner>,
pub q: Signal<In, Inner>,
pub o: Signal<Out, Outer>,
pub i: Signal<Out, Inner>,
pub o16: Signal<Out, Bits<16>>,
pub all: Signal<Out, Bits<51>>,
pub o1: Signal<Out, Bit>,
pipe: Pipe<Outer>,
held: Reg<Outer>,
inner_reg: Reg<Inner>,
ram: RamSdp<Outer, 2>,
count: Reg<Bits<2>>,
started: Reg<Bit>,
later: Reg<Bit>,
twist: Twist,
copy: Signal<Local, Outer>,
part: Signal<Local, Inner>,
read: Signal<Local, Outer>,
m: Signal<Local, Outer>,
n: Signal<Local, Inner>,
}

impl Logic for S22 {
#[hdl_gen]
fn update(&mut self) {
self.pipe.clk.next = self.clk.val();
self.held.clk.next = self.clk.val();
self.inner_reg.clk.next = self.clk.val();
self.ram.clk.next = self.clk.val();
self.count.clk.next = self.clk.val();
self.started.clk.next = self.clk.val();
self.held.rst.next = self.rst.val();
self.inner_reg.rst.next = self.rst.val();
self.count.rst.next = self.rst.val();
self.started.rst.next = self.rst.val();
self.pipe.en.next = true;
self.count.en.next = true;
self.started.en.next = true;
self.count.d.next = self.count.q.val() + 1;
self.started.d.next = true;
self.ram.we.next = true;
self.ram.waddr.next = self.count.q.val();
self.ram.re.next = true;
self.ram.raddr.next = self.count.q.val() - 1;
self.ram.oe.next = true;
self.held.en.next = self.held.q.val().mode == Mode::Run;
self.inner_reg.en.next = self.x.val() == self.held.q.val();
self.copy.next = self.y.val();
self.part.next = self.inner_reg.q.val();
self.twist.sink.next = self.pipe.q.val();
self.read.next = self.twist.source.val();
if self.started.q.val() & self.later.q.val() {
self.read.next = self.ram.rdata.val();
}
self.later.clk.next = self.clk.val();
self.later.rst.next = self.rst.val();
self.later.en.next = true;
self.later.d.next = self.started.q.val();
self.n.next = self.read.val().inner;
self.n.next.b = self.q.val().b;
self.n.next.b = self.f.val();
if self.inner_reg.q.val().b {
self.n.next = self.twist.source.val().inner;
} else {
self.n.next.c = bit_cast::<9, 5>(self.part.val().a);
}
self.m.next = self.read.val();
self.m.next.second = self.q.val();
self.m.next.second = self.twist.source.val().inner;
self.pipe.d.next = self.x.val();
self.pipe.d.next.mode = self.pipe.q.val().mode;
self.pipe.d.next.tail = bit_cast::<16, 9>(self.q.val().c);
self.held.d.next.inner = self.q.val();
self.held.d.next.second = self.read.val().second;
self.held.d.next.tag = bit_cast::<3, 16>(self.y.val().tail + 1);
self.held.d.next.tail = bit_cast::<16, 16>(self.held.q.val().tail + 1);
self.held.d.next.mode = self.read.val().mode;
self.held.d.next.inner = self.y.val().second;
self.ram.wdata.next.inner = self.part.val();
self.ram.wdata.next.second = self.twist.source.val().inner;
self.ram.wdata.next.tag = bit_cast::<3, 5>(self.q.val().a);
self.ram.wdata.next.tail = bit_cast::<16, 16>(self.pipe.q.val().tail);
self.ram.wdata.next.mode = self.x.val().mode;
if self.f.val() {
self.ram.wdata.next = self.y.val();
self.ram.wdata.next.mode = self.m.val().mode;
} else {
self.ram.wdata.next.mode = self.m.val().mode;
}
self.o.next.inner = self.x.val().second;
self.o.next.second = self.twist.source.val().inner;
self.o.next.tag = bit_cast::<3, 5>(self.p.val().a);
self.o.next.tail = self.inner_reg.q.val().a.get_bits::<16>(1);
self.o.next.mode = self.held.q.val().mode;
self.o.next.mode = self.pipe.q.val().mode;
if self.f.val() {
self.o.next = self.read.val();
} else {
self.o.next.tail = bit_cast::<16, 5>(self.n.val().a + 1);
}
self.inner_reg.d.next = self.x.val().inner;
self.inner_reg.d.next.c = bit_cast::<9, 5>(self.inner_reg.q.val().a);
self.i.next = self.read.val().inner;
self.o16.next = bit_cast::<16, 3>(self.pipe.q.val().tag);
self.all.next = self.m.val().into();
self.o1.next = self.twist.source.val().mode == Mode::Run;
}
}

ports!(S22; clk, rst, f, x, y, p, q => o, i, o16, all, o1);

#[derive(LogicBlock, Default)]
pub(crate) struct S23 {
pub clk: Signal<In, Clock>,
pub rst: Signal<In, Bit>,
pub f: Signal<In, Bit>,
pub x: Signal<In, Outer>,
pub y: Signal<In, Outer>,
pub p: Signal<In, Inner>,
pub q: Signal<In, Inner>,
pub o: Signal<Out, Outer>,
pub i: Signal<Out, Inner>,
pub o16: Signal<Out, Bits<16>>,
pub all: Signal<Out, Bits<51>>,
pub o1: Signal<Out, Bit>,
pipe: Pipe<Outer>,
held: Reg<Outer>,
inner_reg: Reg<Inner>,
ram: RamSdp<Outer, 2>,
count: Reg<Bits<2>>,
started: Reg<Bit>,
later: Reg<Bit>,
twist: Twist,
copy: Signal<Local, Outer>,
part: Signal<Local, Inner>,
read: Signal<Local, Outer>,
m: Signal<Local, Outer>,
n: Signal<Local, Inner>,
}

impl Logic for S23 {
#[hdl_gen]
fn update(&mut self) {
self.pipe.clk.next = self.clk.val();
self.held.clk.next = self.clk.val();
self.inner_reg.clk.next = self.clk.val();
self.ram.clk.next = self.clk.val();
self.count.clk.next = self.clk.val();
self.started.clk.next = self.clk.val();
self.held.rst.next = self.rst.val();
self.inner_reg.rst.next = self.rst.val();
self.count.rst.next = self.rst.val();
self.started.rst.next = self.rst.val();
self.pipe.en.next = true;
self.count.en.next = true;
self.started.en.next = true;
self.count.d.next = self.count.q.val() + 1;
self.started.d.next = true;
self.ram.we.next = true;
self.ram.waddr.next = self.count.q.val();
self.ram.re.next = true;
self.ram.raddr.next = self.count.q.val() - 1;
self.ram.oe.next = true;
self.held.en.next = self.inner_reg.q.val().b;
self.inner_reg.en.next = self.y.val().mode == Mode::Run;
self.copy.next = self.y.val();
self.part.next = self.y.val().inner;
self.twist.sink.next.inner = self.copy.val().inner;
self.twist.sink.next.second = self.copy.val().inner;
self.twist.sink.next.tag = bit_cast::<3, 5>(self.part.val().a);
self.twist.sink.next.tail = bit_cast::<16, 9>(self.part.val().c + 1);
self.twist.sink.next.mode = self.x.val().mode;
if self.y.val().mode == Mode::Run {
self.twist.sink.next = self.pipe.q.val();
self.twist.sink.next.inner = self.held.q.val().second;
} else {
self.twist.sink.next.inner = self.pipe.q.val().second;
}
self.read.next = self.held.q.val();
if self.started.q.val() & self.later.q.val() {
self.read.next = self.ram.rdata.val();
}
self.later.clk.next = self.clk.val();
self.later.rst.next = self.rst.val();
self.later.en.next = true;
self.later.d.next = self.started.q.val();
self.n.next = self.inner_reg.q.val();
self.n.next.a = bit_cast::<5, 9>(self.inner_reg.q.val().c + 1);
self.n.next.c = bit_cast::<9, 9>(self.q.val().c);
self.m.next = self.twist.source.val();
self.m.next.mode = self.copy.val().mode;
self.m.next.tag = bit_cast::<3, 9>(self.part.val().c + 1);
if self.f.val() {
self.m.next = self.read.val();
} else {
self.m.next.inner = self.copy.val().second;
}
self.pipe.d.next = self.twist.source.val();
if self.f.val() {
self.pipe.d.next = self.held.q.val();
self.pipe.d.next.second = self.y.val().inner;
} else {
self.pipe.d.next.mode = self.y.val().mode;
}
self.held.d.next = self.read.val();
if self.copy.val() == self.y.val() {
self.held.d.next = self.m.val();
self.held.d.next.tail = bit_cast::<16, 9>(self.part.val().c + 1);
} else {
self.held.d.next.second = self.n.val();
}
self.ram.wdata.next = self.m.val();
self.ram.wdata.next.tail = bit_cast::<16, 9>(self.n.val().c);
if self.read.val() == self.read.val() {
self.ram.wdata.next = self.y.val();
} else {
self.ram.wdata.next.inner = self.q.val();
}
self.o.next.inner = self.m.val().inner;
self.o.next.second = self.q.val();
self.o.next.tag = self.copy.val().tail.get_bits::<3>(7);
self.o.next.tail = bit_cast::<16, 3>(self.read.val().tag);
self.o.next.mode = self.m.val().mode;
self.o.next.tail = self.read.val().tag.get_bits::<16>(2);
self.inner_reg.d.next = self.pipe.q.val().second;
self.inner_reg.d.next.c = self.inner_reg.q.val().a.get_bits::<9>(0);
self.inner_reg.d.next.c = bit_cast::<9, 9>(self.n.val().c + 1);
self.i.next = self.n.val();
if self.f.val() {
self.i.next = self.x.val().inner;
} else {
self.i.next.a = bit_cast::<5, 9>(self.q.val().c);
}
self.o16.next = self.q.val().a.get_bits::<16>(0);
self.all.next = self.y.val().into();
self.o1.next = self.read.val().mode == Mode::Run;
}
}

ports!(S23; clk, rst, f, x, y, p, q => o, i, o16, all, o1);

/// Calls a macro with every block.
macro_rules! all {
($m:ident) => {
$m!(S0);
$m!(S1);
$m!(S2);
$m!(S3);
$m!(S4);
$m!(S5);
$m!(S6);
$m!(S7);
$m!(S8);
$m!(S9);
$m!(S10);
$m!(S11);
$m!(S12);
$m!(S13);
$m!(S14);
$m!(S15);
$m!(S16);
$m!(S17);
$m!(S18);
$m!(S19);
$m!(S20);
$m!(S21);
$m!(S22);
$m!(S23);
};
}
pub(crate) use all;
