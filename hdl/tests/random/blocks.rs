// Written by generate.rs; `WEFT_BLESS=1 cargo test -p weft-hdl --test random` writes it anew.

use super::types::{Mode, Rec};
use weft_hdl::prelude::*;

#[derive(LogicBlock, Default)]
pub(crate) struct R0 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub c8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b31: Signal<In, Bits<31>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R0 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = self.c32.val().get_bits::<8>(19).replace_bit(7, (self.c32.val()) >= 0x80000000_u64) << 8;
self.l33.next = (self.rec.val().data ^ 254 | self.b8.val().replace_bit(self.rec.val().tag.index(), self.rec.val().flag)).get_bits::<33>(self.b3.val().index());
self.o1.next = (signed_cast(self.c32.val())) >= -signed_cast(self.b32.val()) + -signed_cast(bits::<32>(0));
self.o16.next = unsigned_cast(signed_cast(self.c16.val() - 32768));
self.o32.next = bit_cast::<32, 33>(self.l33.val() - self.b33.val()) + ((bit_cast::<16, 4>(self.b4.val())) < 32767);
self.o100.next = 0x3fffffffffffffff_u64 - self.b100.val();
self.t_out.next = self.s33.val();
if (bit_cast::<32, 33>(self.l33.val() & self.l33.val())) != 1186426136 {
self.o1.next = bit_cast::<100, 32>(self.c32.val()).get_bit(33);
self.o1.next = (self.b32.val().get_bits::<4>(self.b5.val().index())) == self.b4.val() + self.f1.val();
} else {
self.o1.next = (1 << self.b5.val()) >= 0x3fffffffffffffff_u64;
}
if ((self.b31.val() - self.b31.val()) == bit_cast::<31, 64>(self.b64.val())) ^ ((signed_cast(self.c32.val()) + signed_cast(self.b32.val())) >= signed_cast(self.c32.val())) {
self.t_out.next = signed_cast(self.l33.val() ^ bits::<33>(1));
self.o32.next = (self.c32.val() >> self.b1.val()) + (self.c32.val() | self.b32.val());
} else {
self.l8.next = (self.l8.val() ^ self.c8.val()) + 254;
}
if !((bit_cast::<8, 100>(self.b100.val())) <= self.c8.val() - self.l8.val()) {
self.o16.next = self.c16.val() << bits::<1>(1).replace_bit(0, self.f1.val());
self.t_out.next = self.t33.val();
} else {
self.o100.next = !(self.b100.val() - self.b100.val());
}
match self.mode.val() {
Mode::Idle => {
self.o1.next = self.mode.val() == Mode::Halt;
}
Mode::Run => {
self.o16.next = (self.b16.val() & self.b16.val()) << self.b5.val() - 30;
}
Mode::Halt => {}
}
match (self.b4.val() & 9).index() {
0 => {
self.o100.next = (self.b100.val() >> 77).replace_bit(50, self.f0.val() & self.rec.val().flag);
}
3 => {
self.o1.next = !!self.f1.val();
}
7 => {
self.o100.next = (self.b64.val() >> self.l8.val()).get_bits::<100>(53);
}
15 => {
self.l8.next = (self.l8.val() - 234).get_bits::<8>(0);
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 3 + 1) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = (self.b32.val() ^ self.c32.val()) + ((bits::<1>(0)) != self.b1.val());
}
}

ports!(R0; f0, f1, b1, b3, b4, b5, b8, c8, b16, c16, b31, b32, c32, b33, b64, b100, s33, t33, mode, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R1 {
pub f0: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub c8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b31: Signal<In, Bits<31>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub s8: Signal<In, Signed<8>>,
pub t8: Signal<In, Signed<8>>,
pub s16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub last: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R1 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = self.rec.val().data - self.rec.val().data + bits::<8>(35) & 127;
self.l33.next = self.b33.val() - bits::<33>(0x17f51edff_u64) - 0xe413195a_u64 + (((signed_cast(self.c32.val())) >= signed_cast(self.c32.val())) ^ self.b8.val().get_bit(self.b1.val().index()));
self.o1.next = (signed_cast(self.b16.val()) * self.s16.val()) > signed_cast(unsigned_cast(-signed_cast(self.b32.val()))) - (-14).to_signed_bits::<32>();
self.o16.next = 35177 ^ 45315 + self.b16.val() ^ !(self.b16.val() - 1);
self.o32.next = 634864215 ^ !(self.b16.val() * bits::<16>(42670));
self.o100.next = (0x1f42c443c66da128_u64 & bits::<100>(0) & 0x7fffffffffffffff_u64) - (self.b100.val() >> 34);
self.t_out.next = self.t33.val() + (self.t33.val() + (self.s33.val() + self.s33.val()));
if (self.b4.val() >> self.l8.val() ^ 0) != bit_cast::<4, 1>(!self.b1.val()) {
self.t_out.next = self.s33.val() - self.t33.val();
self.l8.next = !bit_cast::<8, 8>(self.c8.val());
} else if (signed_cast(self.rec.val().data)) < signed_cast(unsigned_cast(self.t8.val())) - (-27).to_signed_bits::<8>() {
self.o16.next = !self.c16.val() & 39608;
} else {
self.t_out.next = signed_cast(self.l33.val() - bits::<33>(0x100000000_u64));
}
if ((1 << self.b5.val()) + bits::<64>(1)).get_bit(54) {
self.l8.next = (self.l8.val() + self.rec.val().flag).replace_bit(bit_cast::<3, 100>(self.b100.val()).index(), (self.t8.val()) != self.t8.val());
self.l8.next = bit_cast::<8, 64>(self.b64.val()) ^ self.b32.val().get_bits::<8>(bits::<3>(0).index());
} else {
self.l33.next = self.l33.val() + self.l33.val() + ((signed_cast(self.b32.val())) != signed_cast(self.b32.val()));
}
if (4 - (self.b5.val() + self.f0.val())) != self.b32.val().get_bits::<5>(12) >> self.b3.val() + self.f0.val() {
self.l8.next = unsigned_cast(self.s8.val()) - 211;
self.o32.next = bit_cast::<32, 1>(self.b1.val()).replace_bit(self.l8.val().get_bits::<3>(self.rec.val().tag.index()).index(), (self.c33.val()) == self.l33.val());
} else if (self.c8.val() >> bits::<3>(6)).index() < (self.b5.val() | self.b5.val()).index() {
self.o1.next = (bits::<64>(0x3fffffffffffffff_u64) + 0x3ac71e6427472f32_u64) <= self.b64.val() - 0xea5d286b7ac4e28_u64;
} else {
self.o1.next = !(bits::<4>(15).index() < bits::<5>(15).index());
}
match self.mode.val() {
Mode::Idle => {
self.t_out.next = self.s33.val() - (self.s33.val() - self.t33.val());
}
Mode::Run => {
self.t_out.next = self.t33.val();
}
_ => {}
}
match (self.b4.val() ^ 15).index() {
0 => {
self.o16.next = bit_cast::<16, 4>(bit_cast::<4, 31>(self.b31.val()));
}
3 => {
self.o100.next = self.b100.val();
}
7 => {
self.l33.next = bits::<33>(1) & self.c33.val() & 0x1f2cb133c_u64;
}
15 => {
self.o1.next = self.mode.val() == self.last.val();
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 2 + 1) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = 0xffffffff_u64 & bits::<32>(1828496896);
}
}

ports!(R1; f0, b1, b3, b4, b5, b8, c8, b16, c16, b31, b32, c32, b33, c33, b64, b100, s8, t8, s16, s33, t33, mode, last, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R2 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub c8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub s8: Signal<In, Signed<8>>,
pub t8: Signal<In, Signed<8>>,
pub s16: Signal<In, Signed<16>>,
pub t16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub last: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R2 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = self.b8.val();
self.l33.next = (105 ^ self.b8.val() << 9).get_bits::<33>(8);
self.o1.next = (!(self.b4.val() ^ 12)) != (self.b4.val() << self.b5.val()) + 0;
self.o16.next = unsigned_cast(self.t16.val() - self.s16.val()) << self.b1.val();
self.o32.next = (0xfffffffe_u64 ^ bits::<32>(519616798)) << 7 ^ bit_cast::<32, 31>(bits::<31>(1425710351)) + 1034100245;
self.o100.next = (!self.b100.val().replace_bit(93, self.rec.val().flag)).replace_bit(self.b3.val().index(), (!self.b32.val()).xor());
self.t_out.next = self.t33.val();
if self.mode.val() != self.last.val() {
self.t_out.next = self.t33.val() + self.s33.val();
self.t_out.next = self.s33.val();
} else if (bit_cast::<4, 16>(self.b16.val())) > 14 {
self.t_out.next = self.s33.val();
} else {
self.l8.next = !(0 - self.rec.val().data);
}
if (0x4f9548529ff1720c_u64 | !self.b64.val()) >= 1 << self.b5.val() + self.f1.val() {
self.o100.next = self.b100.val();
self.o100.next = self.b100.val() << 75 & self.b16.val().get_bits::<100>(self.b3.val().index());
} else {
self.t_out.next = -self.s33.val() - -self.t33.val();
}
if (!self.l33.val().get_bits::<3>(23)).index() < self.b5.val().index() {
self.l8.next = self.c8.val() & self.l8.val() & 139;
self.o1.next = ((bits::<1>(0)) <= self.b1.val()) | ((self.t8.val()) == self.s8.val());
} else if (signed_cast(self.c32.val()) + signed_cast(self.b32.val())) != signed_cast(self.b32.val()) - signed_cast(self.b32.val()) {
self.o32.next = (self.c16.val() | 27185) * (self.b16.val() + self.f0.val());
} else {
self.t_out.next = self.s33.val();
}
match self.mode.val() {
Mode::Idle => {
self.o16.next = bit_cast::<16, 8>(self.b8.val()).replace_bit(self.b3.val().index(), (bits::<1>(0)) == 1);
}
Mode::Run => {
self.l33.next = unsigned_cast(self.t33.val());
}
Mode::Halt => {}
}
match self.c8.val().get_bits::<4>(self.b3.val().index()).index() {
0 => {
self.o16.next = 65534 ^ bit_cast::<16, 5>(self.b5.val());
}
3 => {
self.o32.next = (self.b16.val() + self.f0.val()).get_bits::<32>((self.b3.val() << 3).index());
}
7 => {
self.l33.next = unsigned_cast(self.s33.val());
}
15 => {
self.o100.next = self.b100.val() - bits::<100>(0x7ffffffffffffffe_u64) + (self.b100.val() - 0x4f8b36ea3168d0ba_u64);
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 1 + 1) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = self.c16.val().replace_bit(9, self.f1.val()) * bit_cast::<16, 64>(self.b64.val());
}
}

ports!(R2; f0, f1, b1, b3, b4, b5, b8, c8, b16, c16, b32, c32, b64, b100, s8, t8, s16, t16, s33, t33, mode, last, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R3 {
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub c8: Signal<In, Bits<8>>,
pub c16: Signal<In, Bits<16>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub s8: Signal<In, Signed<8>>,
pub t8: Signal<In, Signed<8>>,
pub s16: Signal<In, Signed<16>>,
pub t16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub last: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R3 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = !((255 ^ self.b8.val()) << 0);
self.l33.next = self.b33.val() + (self.b8.val().index() < self.c16.val().index()) - !bit_cast::<33, 32>(self.b32.val());
self.o1.next = self.b64.val().get_bit((self.b64.val() >> self.c8.val()).get_bits::<3>(46).index());
self.o16.next = unsigned_cast(self.t16.val());
self.o32.next = (0x7fffffffffffffff_u64 | bits::<64>(0x4000000000000000_u64) << bits::<4>(7)).get_bits::<32>(self.b4.val().index());
self.o100.next = (!self.b100.val() & self.b100.val() - 0x7fffffffffffffff_u64) >> (self.b4.val() >> 4 | 10);
self.t_out.next = signed_cast(self.b33.val().replace_bit(bits::<3>(6).index(), self.f1.val()) ^ self.b33.val() >> self.b1.val());
if ((self.b100.val() >> bits::<4>(2)) <= 0) | ((self.t16.val()) >= self.s16.val() || (self.rec.val().data) <= 254) {
self.l33.next = bit_cast::<33, 8>(self.c8.val());
self.o100.next = (self.b100.val() - self.b100.val()).replace_bit(bit_cast::<3, 32>(self.b32.val()).index(), self.b4.val().index() < self.b5.val().index());
} else {
self.o100.next = self.b32.val().get_bits::<100>(self.b5.val().index()) >> self.b5.val().replace_bit(2, self.rec.val().flag);
}
if !(self.mode.val() == self.last.val() && self.b64.val().xor()) {
self.o1.next = ((self.l33.val()) >= self.c33.val()) ^ !self.f1.val();
self.l33.next = (self.c33.val() ^ self.l33.val()) + (703964191 | self.c33.val());
} else {
self.o1.next = !self.b100.val().get_bit(60);
}
if ((self.t33.val()) != self.t33.val()) | ((-self.s8.val()) >= signed_cast(unsigned_cast(self.t8.val())) - (-76).to_signed_bits::<8>()) {
self.o100.next = bit_cast::<100, 5>(self.c8.val().get_bits::<5>(self.b3.val().index()));
self.l33.next = (self.c33.val() + self.l33.val()).get_bits::<33>((self.b5.val() << 0).index());
} else {
self.l33.next = 0 ^ self.b33.val() - 0x1ffffffff_u64;
}
match self.mode.val() {
Mode::Idle => {
self.l8.next = (self.rec.val().data << 8) + (127 & self.b8.val());
}
Mode::Run => {
self.l33.next = (self.l33.val() | 0x1ffffffff_u64) << !self.b1.val();
}
Mode::Halt => {}
}
match (bits::<4>(4) - 14).index() {
0 => {
self.t_out.next = self.t33.val();
}
3 => {
self.t_out.next = self.s33.val();
}
7 => {
self.t_out.next = -self.t33.val();
}
15 => {
self.o1.next = (bit_cast::<5, 4>(self.b4.val())) <= 30;
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 3 + 3) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = 1073258194 + self.c32.val() | self.c32.val();
}
}

ports!(R3; f1, b1, b3, b4, b5, b8, c8, c16, b32, c32, b33, c33, b64, b100, s8, t8, s16, t16, s33, t33, mode, last, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R4 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b31: Signal<In, Bits<31>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub t8: Signal<In, Signed<8>>,
pub s16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub last: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R4 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = bit_cast::<8, 33>(bit_cast::<33, 64>(self.b64.val()) ^ bit_cast::<33, 5>(self.b5.val()));
self.l33.next = (!self.b33.val() | self.b33.val().get_bits::<33>(self.b1.val().index())) & (self.b33.val() << self.b4.val() ^ self.c33.val() + 0xffffffff_u64);
self.o1.next = (self.b100.val().get_bits::<8>(43).get_bits::<64>((self.b1.val() >> 0).index())) == self.b100.val().get_bits::<64>(self.b4.val().index()) - 0x3fffffffffffffff_u64;
self.o16.next = (self.c16.val().replace_bit(self.b3.val().index(), self.f1.val()) & 30448) - (unsigned_cast(self.s16.val()) ^ 65535);
self.o32.next = (self.c16.val() << self.b1.val()).replace_bit(self.b100.val().get_bits::<3>(25).index(), self.rec.val().tag.index() < self.b5.val().index()) * unsigned_cast(signed_cast(unsigned_cast(self.s16.val())) - (-86).to_signed_bits::<16>());
self.o100.next = bit_cast::<100, 5>(self.b5.val() ^ self.b5.val()).replace_bit(71, self.mode.val() == self.last.val() && (self.l33.val()) < self.l33.val());
self.t_out.next = signed_cast(self.l33.val().replace_bit(self.rec.val().tag.index(), self.rec.val().flag)) + self.t33.val();
if !((self.l33.val().get_bits::<1>(11)) == self.b1.val() | self.b1.val()) {
self.l33.next = (self.b33.val() & 0).get_bits::<33>(self.b3.val().replace_bit(0, self.f1.val()).index());
self.t_out.next = self.s33.val();
} else if unsigned_cast(self.t8.val()).index() < self.c16.val().index() {
self.o16.next = self.b16.val() + self.f1.val() + (self.f0.val() ^ self.rec.val().flag);
} else {
self.o100.next = (bits::<33>(0) & self.b33.val()).get_bits::<100>(3);
}
if (3 + !self.b3.val()).index() < bit_cast::<16, 8>(!self.rec.val().data).index() {
self.o32.next = 0xd2f020d2_u64 | self.b32.val() + 0xb0243d2c_u64;
self.l33.next = 0xffffffff_u64 + self.b33.val().replace_bit(15, self.rec.val().flag);
} else if !((self.b8.val()) == 0) {
self.l33.next = (self.c33.val() ^ self.b33.val()) + ((self.b31.val()) != bits::<31>(2147483647));
} else {
self.o16.next = self.b16.val() + self.b16.val() >> 11;
}
if (!(self.b16.val() | bits::<16>(3401))).xor() {
self.t_out.next = signed_cast(self.l33.val() ^ self.c33.val());
self.o100.next = 0x6778207a6eccd829_u64 - self.b100.val() - self.b100.val();
} else {
self.t_out.next = signed_cast(self.c33.val() + self.f0.val());
}
match self.mode.val() {
Mode::Idle => {
self.t_out.next = self.s33.val() + self.s33.val() - self.s33.val();
}
Mode::Run => {
self.l8.next = self.l8.val();
}
Mode::Halt => {}
}
match (self.b4.val() >> self.l8.val()).index() {
0 => {
self.o1.next = (self.c16.val() | self.c16.val()) == 19089;
}
3 => {
self.l8.next = self.b64.val().get_bits::<8>(29) | (255 | self.rec.val().data);
}
7 => {
self.o100.next = self.b100.val() + self.rec.val().flag ^ 0x4c4a699db1acc266_u64 + self.b100.val();
}
15 => {
self.o16.next = self.c16.val();
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 3 + 3) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = 0xfffffffe_u64 & self.b32.val().replace_bit(self.rec.val().tag.index(), self.f1.val());
}
}

ports!(R4; f0, f1, b1, b3, b4, b5, b8, b16, c16, b31, b32, c32, b33, c33, b64, b100, t8, s16, s33, t33, mode, last, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R5 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub c8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b31: Signal<In, Bits<31>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub t8: Signal<In, Signed<8>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub last: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R5 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = bit_cast::<8, 31>(self.b31.val()).replace_bit(6, self.mode.val() != self.last.val());
self.l33.next = (self.c16.val().get_bits::<32>(1) + 2147483647).get_bits::<33>((self.b4.val() - self.b4.val() & self.b4.val()).index());
self.o1.next = (0x2b2f7925a8881e8f_u64 - (self.b64.val() << self.l8.val())).any();
self.o16.next = bit_cast::<16, 16>(self.c16.val() + self.rec.val().flag) << 3;
self.o32.next = (self.c32.val() & self.b32.val()) + ((self.b31.val()) <= 0) + ((self.b8.val() - 200).index() < bits::<32>(1998305069).get_bits::<16>(self.b5.val().index()).index());
self.o100.next = self.b100.val();
self.t_out.next = self.s33.val();
if !!self.rec.val().flag && (1 << self.b5.val()) == 0x4000000000000000_u64 {
self.l8.next = self.l8.val() + 9 << (6 | self.b3.val());
self.o100.next = 0x25a61942a16f6af5_u64 ^ (self.b100.val() ^ self.b100.val());
} else if self.b64.val().get_bits::<5>(33).xor() {
self.o16.next = 34102 | 18231 ^ self.b16.val();
} else {
self.l8.next = (212 & self.b8.val()).get_bits::<8>(bits::<33>(0x19fc37fc0_u64).get_bits::<3>(self.b4.val().index()).index());
}
if self.c33.val().xor() {
self.l8.next = bit_cast::<16, 100>(self.b100.val()).get_bits::<8>(self.b3.val().replace_bit(2, self.f1.val()).index());
self.o100.next = 0x4000000000000000_u64 - self.b100.val() + (self.f0.val() | self.f1.val());
} else if (self.b100.val() & self.b100.val()) == self.b100.val() + self.f0.val() {
self.o32.next = (self.c32.val() << self.b4.val()) + 0xffffffff_u64;
} else {
self.l33.next = self.l33.val() - self.b33.val() | self.b33.val();
}
if (bit_cast::<100, 1>(self.b1.val()) | self.b100.val()).all() {
self.o100.next = (self.b100.val() ^ 0x7a07f7ec24a36b2c_u64).get_bits::<100>(self.b4.val().index());
self.t_out.next = self.t33.val();
} else if (self.t8.val() + self.t8.val()) < signed_cast(unsigned_cast(self.t8.val())) - (-76).to_signed_bits::<8>() {
self.o100.next = self.b100.val() + self.b100.val() & 0x37a31bf5b2e69a31_u64;
} else {
self.o100.next = self.b100.val() + self.b100.val() ^ (self.b100.val() | 0x7fffffffffffffff_u64);
}
match self.mode.val() {
Mode::Idle => {
self.o1.next = (self.c8.val() + self.c8.val()).index() < self.b64.val().get_bits::<16>(self.b3.val().index()).index();
}
Mode::Run => {
self.l8.next = bit_cast::<8, 1>(self.b1.val() - 1);
}
_ => {}
}
match (self.b4.val() >> 5).index() {
0 => {
self.l33.next = (self.c16.val() << 6).get_bits::<33>(5);
}
3 => {
self.o16.next = (self.c16.val() | self.b16.val()) + ((self.b5.val()) != self.b5.val());
}
7 => {
self.o100.next = (self.b100.val() ^ self.b100.val()) >> 20 + self.b5.val();
}
15 => {
self.o100.next = self.c8.val().get_bits::<100>(self.b3.val().index()) - self.b64.val().get_bits::<100>(36);
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 1 + 0) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = (self.b100.val() >> bits::<4>(14)).get_bits::<32>(13);
}
}

ports!(R5; f0, f1, b1, b3, b4, b5, b8, c8, b16, c16, b31, b32, c32, b33, c33, b64, b100, t8, s33, t33, mode, last, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R6 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b8: Signal<In, Bits<8>>,
pub c8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub s8: Signal<In, Signed<8>>,
pub t8: Signal<In, Signed<8>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R6 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = (bits::<100>(0x19f0059227e144b2_u64) - 0x3c46c536277a0b52_u64).get_bits::<8>(81) - 0;
self.l33.next = 0x171423576_u64 ^ unsigned_cast(signed_cast(bits::<33>(0x1c27e3d57_u64)));
self.o1.next = ((self.l8.val() + self.f0.val()).get_bits::<8>(self.b64.val().get_bits::<3>(bits::<5>(0).index()).index())) > self.rec.val().data.replace_bit(7, self.f1.val()) & 64;
self.o16.next = self.c16.val() + self.b16.val() ^ self.b16.val() << 17 | bit_cast::<16, 100>(self.b100.val()) >> 12;
self.o32.next = bit_cast::<32, 3>((self.b32.val() + self.f1.val()).get_bits::<3>(11));
self.o100.next = (self.b8.val() ^ self.rec.val().data).get_bits::<100>(4) + !!self.b100.val();
self.t_out.next = signed_cast(bit_cast::<33, 32>(self.c32.val()) + (self.f0.val() ^ self.f1.val()));
if (self.b100.val().replace_bit(74, self.f0.val()) >> 64) > !self.b100.val().replace_bit(3, self.f1.val()) {
self.o16.next = (self.b16.val() ^ bits::<16>(45778)).replace_bit(0, self.rec.val().flag || self.f1.val());
self.o100.next = self.b100.val();
} else {
self.o1.next = (self.b64.val() & 0x3fffffffffffffff_u64) <= self.b64.val() << self.b1.val();
}
if unsigned_cast(self.s8.val() + self.t8.val()).index() < (self.b33.val() >> self.b3.val()).get_bits::<16>(self.b32.val().get_bits::<1>(22).index()).index() {
self.o100.next = self.b100.val() + self.b100.val() ^ self.b100.val();
self.o32.next = self.c32.val() - self.c32.val() & self.c32.val() + self.c32.val();
} else {
self.l8.next = self.c8.val().replace_bit(self.b3.val().index(), self.f0.val()) & 127;
}
if (bit_cast::<31, 100>(self.b100.val() >> 13)) > 1073741823 {
self.o100.next = (self.b16.val() * self.c16.val()).get_bits::<100>(14);
self.l8.next = bits::<8>(152) + 14 >> self.c16.val().get_bits::<1>(self.b3.val().index());
} else if (bit_cast::<8, 100>(self.b100.val())) < 254 {
self.o100.next = bits::<100>(0x7fffffffffffffff_u64);
} else {
self.l8.next = unsigned_cast(self.s8.val()) ^ bit_cast::<8, 16>(self.b16.val());
}
match self.mode.val() {
Mode::Idle => {
self.o16.next = self.b100.val().get_bits::<16>(17).replace_bit((self.b3.val() >> 4).index(), (self.b64.val()) <= 0x18e64fbc8d5c132c_u64);
}
Mode::Run => {
self.l8.next = (138 & self.b8.val()) << self.rec.val().data + self.f1.val();
}
Mode::Halt => {}
}
match bit_cast::<4, 1>(self.b1.val()).index() {
0 => {
self.l33.next = self.l33.val().replace_bit(self.b3.val().index(), self.f1.val()).replace_bit((self.b3.val() ^ bits::<3>(4)).index(), (self.c8.val()) < self.l8.val());
}
3 => {
self.t_out.next = -self.t33.val() + (self.s33.val() + self.s33.val());
}
7 => {
self.l33.next = self.b64.val().get_bits::<33>(self.b1.val().index()) - 1;
}
15 => {
self.o1.next = self.b33.val().replace_bit(self.rec.val().tag.index(), self.rec.val().flag).any();
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 2 + 0) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = bit_cast::<16, 32>(self.b32.val()) * self.c8.val().get_bits::<16>(self.b3.val().index());
}
}

ports!(R6; f0, f1, b1, b3, b8, c8, b16, c16, b32, c32, b33, b64, b100, s8, t8, s33, t33, mode, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R7 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub c8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b31: Signal<In, Bits<31>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub s16: Signal<In, Signed<16>>,
pub t16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R7 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = bit_cast::<8, 33>(bits::<33>(0x1fffffffe_u64)) - 198 - 194;
self.l33.next = unsigned_cast(self.t33.val()) << (self.b5.val() >> 6) + 15;
self.o1.next = (0xf5ff57dc20cb9f4_u64 - (self.b100.val() & 0x6f1db01ea8c4b4ae_u64)).xor();
self.o16.next = (self.b64.val() + self.f1.val() + self.l8.val().xor()).get_bits::<16>((!(self.b5.val() & 15)).index());
self.o32.next = 428155423 + (1 << self.b5.val()).get_bits::<32>(13);
self.o100.next = (self.b100.val() >> self.l8.val()) + self.b64.val().get_bits::<100>(self.b1.val().index()) ^ self.b100.val() + (self.mode.val() != Mode::Halt);
self.t_out.next = self.t33.val() + (signed_cast(self.b33.val()) - self.t33.val());
if ((self.b4.val() | 4) >> 5) >= 3 {
self.l33.next = self.b64.val().get_bits::<33>(self.rec.val().tag.index()) | 0 + self.c33.val();
self.t_out.next = -signed_cast(self.l33.val());
} else {
self.o32.next = (self.b32.val() ^ self.c32.val()) + self.c32.val();
}
if (signed_cast(unsigned_cast(signed_cast(self.b32.val()))) - (-17).to_signed_bits::<32>()) >= -self.t16.val() * (self.t16.val() - self.s16.val()) {
self.t_out.next = signed_cast(self.c33.val() | bits::<33>(0xd971bf0f_u64));
self.o1.next = (self.b1.val() - self.b1.val()) <= 0;
} else {
self.o1.next = ((self.b31.val()) == self.b31.val()) & ((self.b5.val()) == 13);
}
if (self.b4.val() << 3 << (self.b5.val() >> self.c8.val())) <= 11 {
self.l8.next = bit_cast::<8, 100>(self.b100.val()) | 86;
self.t_out.next = signed_cast(self.b33.val()) - (self.s33.val() - self.s33.val());
} else if (self.b1.val()) < self.b1.val() || self.f0.val() & self.f1.val() {
self.t_out.next = signed_cast(self.l33.val());
} else {
self.o100.next = (self.b100.val() | self.b100.val()).replace_bit(70, self.b16.val().any());
}
match self.mode.val() {
Mode::Idle => {
self.o1.next = (self.rec.val().data & self.l8.val()) != self.c16.val().get_bits::<8>(self.b4.val().index());
}
Mode::Run => {
self.t_out.next = self.s33.val();
}
Mode::Halt => {}
}
match bit_cast::<4, 3>(self.b3.val()).index() {
0 => {
self.o16.next = (self.b16.val() & 1) + 65534;
}
3 => {
self.o32.next = self.c32.val();
}
7 => {
self.o100.next = bit_cast::<100, 32>(self.c32.val()) - (bits::<100>(0x4000000000000000_u64) | self.b100.val());
}
15 => {
self.o100.next = bits::<100>(0x6ed830a8c1f17e97_u64) - 0x7ffffffffffffffe_u64 << 76;
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 2 + 3) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = self.b64.val().get_bits::<32>(31) + ((self.b64.val()) == self.b64.val());
}
}

ports!(R7; f0, f1, b1, b3, b4, b5, c8, b16, c16, b31, b32, c32, b33, c33, b64, b100, s16, t16, s33, t33, mode, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R8 {
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b31: Signal<In, Bits<31>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub s8: Signal<In, Signed<8>>,
pub t8: Signal<In, Signed<8>>,
pub s16: Signal<In, Signed<16>>,
pub t16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R8 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = ((bits::<8>(158) ^ self.b8.val()) >> 9) - 255;
self.l33.next = bit_cast::<33, 64>(self.b33.val().get_bits::<64>(13) | 0x2c6c7c1052cb9295_u64);
self.o1.next = (bit_cast::<3, 1>(self.b1.val())) < bits::<3>(4) + 6 - (self.b3.val() << self.b1.val());
self.o16.next = bit_cast::<16, 32>(!self.c32.val() | self.c32.val() + self.f1.val());
self.o32.next = bits::<32>(1);
self.o100.next = bit_cast::<100, 16>(self.b16.val() & 43961) | self.b8.val().get_bits::<100>(3).replace_bit((!self.b3.val()).index(), bits::<8>(252).index() < bits::<5>(30).index());
self.t_out.next = self.s33.val();
if (15 | self.b4.val()).replace_bit(1, (signed_cast(self.c32.val())) > signed_cast(self.c32.val())).index() < (32767 | unsigned_cast(self.t16.val())).index() {
self.o100.next = bit_cast::<100, 32>(bits::<32>(1078348481)) - 1;
self.l8.next = unsigned_cast(self.t8.val() - self.s8.val());
} else {
self.o16.next = unsigned_cast(self.s16.val());
}
if (self.c32.val()) <= self.b32.val() + self.f1.val() << self.b3.val() {
self.l33.next = !(self.b33.val() - self.l33.val());
self.o100.next = bit_cast::<100, 64>(bit_cast::<64, 1>(self.b1.val()));
} else if (self.b32.val() & 1179089472).any() {
self.o1.next = self.b64.val().get_bit(self.b5.val().index()) ^ !self.rec.val().flag;
} else {
self.l8.next = bit_cast::<8, 4>(self.b4.val() | self.b4.val());
}
if bit_cast::<31, 16>(self.c16.val() | self.b16.val()).all() {
self.o100.next = bit_cast::<100, 100>(self.b100.val());
self.o32.next = self.b32.val() + self.f1.val() | 0xd9dc4e8e_u64;
} else if self.b32.val().get_bit(4) {
self.l8.next = unsigned_cast(-self.s8.val());
} else {
self.l8.next = self.c33.val().get_bits::<8>(16);
}
match self.mode.val() {
Mode::Idle => {
self.l33.next = !self.b33.val() | self.b33.val() - 1625260123;
}
Mode::Run => {
self.l33.next = bit_cast::<33, 5>(self.b5.val()) >> 28;
}
Mode::Halt => {}
}
match self.c16.val().get_bits::<4>(self.b4.val().index()).index() {
0 => {
self.t_out.next = self.t33.val() + -self.t33.val();
}
3 => {
self.t_out.next = -self.s33.val() - self.s33.val();
}
7 => {
self.l33.next = !bit_cast::<33, 16>(self.b16.val());
}
15 => {
self.o100.next = self.b100.val() >> 16 ^ self.b100.val() >> self.b3.val();
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 3 + 0) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = bit_cast::<32, 31>(self.b31.val() ^ self.b31.val());
}
}

ports!(R8; f1, b1, b3, b4, b5, b8, b16, c16, b31, b32, c32, b33, c33, b64, b100, s8, t8, s16, t16, s33, t33, mode, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R9 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b31: Signal<In, Bits<31>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub s8: Signal<In, Signed<8>>,
pub t8: Signal<In, Signed<8>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub last: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R9 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = bit_cast::<8, 33>(bit_cast::<33, 64>(self.b64.val().replace_bit(56, self.rec.val().flag)));
self.l33.next = (self.b32.val().get_bits::<33>(bits::<1>(1).index()) ^ bit_cast::<33, 32>(self.b32.val())) & !(self.c33.val() + self.rec.val().flag);
self.o1.next = (self.b16.val() + self.f0.val() + 0) < 22269;
self.o16.next = bit_cast::<16, 16>(self.l33.val().get_bits::<16>(self.b5.val().index()) & (self.c16.val() ^ 32767));
self.o32.next = bit_cast::<32, 16>(self.b16.val() + self.b16.val()) ^ bit_cast::<32, 1>(self.b1.val()).replace_bit(self.rec.val().tag.index(), self.b3.val().index() < self.c16.val().index());
self.o100.next = self.b100.val();
self.t_out.next = -signed_cast(self.b33.val() ^ self.b33.val());
if ((self.b32.val() & self.b32.val()) << 20).xor() {
self.t_out.next = self.s33.val();
self.o100.next = (self.b100.val() << 24).replace_bit(1, bits::<32>(574441303).get_bit(30));
} else {
self.o16.next = bit_cast::<16, 31>(self.b31.val()) << bit_cast::<8, 1>(self.b1.val());
}
if (84 + self.l8.val() << self.b1.val().replace_bit(0, self.f1.val())) < 254 {
self.o16.next = !(self.b16.val() + self.f0.val());
self.l8.next = unsigned_cast(self.s8.val());
} else if (bits::<32>(0xd034214b_u64) + 0xcd17056d_u64) < 2147483647 {
self.t_out.next = signed_cast(self.b33.val()) + self.t33.val();
} else {
self.o1.next = (bits::<8>(255)) == self.rec.val().data || !self.rec.val().flag;
}
if !((self.t8.val() - self.t8.val()) == signed_cast(self.b8.val())) {
self.o32.next = bit_cast::<32, 5>(bits::<16>(0).get_bits::<5>(0));
self.t_out.next = self.s33.val();
} else if (signed_cast(self.c32.val())) == signed_cast(self.b32.val()) - signed_cast(self.b32.val()) {
self.t_out.next = self.t33.val();
} else {
self.o1.next = self.mode.val() != self.last.val();
}
match self.mode.val() {
Mode::Idle => {
self.o16.next = self.c16.val().replace_bit(2, self.rec.val().flag) << (self.b3.val() >> 1);
}
Mode::Run => {
self.l8.next = !self.rec.val().data - self.rec.val().data.replace_bit(0, self.f1.val());
}
_ => {}
}
match self.b100.val().get_bits::<4>(57).index() {
0 => {
self.l8.next = self.b32.val().get_bits::<8>(8) << 3;
}
3 => {
self.t_out.next = self.s33.val();
}
7 => {
self.o16.next = bit_cast::<16, 3>(self.rec.val().tag >> 1);
}
15 => {
self.o1.next = (signed_cast(unsigned_cast(self.s8.val())) - (-53).to_signed_bits::<8>()) < signed_cast(unsigned_cast(self.t8.val())) - (-3).to_signed_bits::<8>();
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 2 + 2) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = self.b16.val() * bits::<16>(32768) - 0xfffffffe_u64;
}
}

ports!(R9; f0, f1, b1, b3, b5, b8, b16, c16, b31, b32, c32, b33, c33, b64, b100, s8, t8, s33, t33, mode, last, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R10 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub c8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub t8: Signal<In, Signed<8>>,
pub s16: Signal<In, Signed<16>>,
pub t16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub last: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R10 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = bit_cast::<64, 100>(self.b100.val()).get_bits::<8>((self.b5.val() - self.b5.val() | (self.b5.val() | self.b5.val())).index());
self.l33.next = ((self.b16.val() + self.b16.val()) * self.c16.val()).get_bits::<33>(27);
self.o1.next = (!self.f1.val() ^ bits::<32>(2147483647).get_bit(2)) & (self.rec.val().data - self.c8.val()).get_bit(1);
self.o16.next = (bit_cast::<16, 32>(self.b32.val()) & 14373) + ((!self.b32.val()) != self.b32.val());
self.o32.next = (self.c33.val() ^ self.c33.val()).get_bits::<32>(27) & self.c32.val().replace_bit(23, self.f1.val()).replace_bit((self.b3.val() + self.rec.val().tag).index(), (self.s16.val()) > self.s16.val());
self.o100.next = (1 + self.b100.val() ^ 0x3a20107d60fd1fe5_u64) + (self.l8.val().get_bits::<100>(self.b1.val().index()) + (self.mode.val() != Mode::Halt));
self.t_out.next = self.s33.val() + signed_cast(self.b33.val() | bits::<33>(0x1fffffffe_u64));
if !(self.mode.val() != self.last.val()) {
self.l8.next = unsigned_cast(self.t8.val());
self.o1.next = (0x3fffffffffffffff_u64 - self.b100.val()).any();
} else {
self.o32.next = bit_cast::<32, 1>(self.b1.val()).replace_bit(self.b8.val().get_bits::<3>(7).index(), self.c16.val().xor());
}
if (self.mode.val() != self.last.val()) & ((self.s16.val()) <= self.s16.val()) ^ ((self.b32.val() << self.b4.val()) > 1) {
self.o100.next = self.b100.val();
self.l33.next = self.c16.val().get_bits::<33>(9) + self.c33.val().replace_bit(self.b3.val().index(), self.f0.val());
} else if (self.t16.val()) >= self.s16.val() {
self.o1.next = bit_cast::<33, 100>(self.b100.val()).get_bit(23);
} else {
self.o16.next = (self.c16.val() << self.l8.val()) + 58563;
}
if (self.b5.val() + bits::<5>(30) & (30 ^ bits::<5>(31))) < 31 + (self.b5.val() - self.b5.val()) {
self.o100.next = self.b100.val();
self.t_out.next = self.s33.val() - -self.t33.val();
} else if (self.l8.val() << 9) == bits::<8>(113) << 0 {
self.l33.next = bit_cast::<33, 32>(1082271754 | self.c32.val());
} else {
self.l33.next = self.l33.val() + self.rec.val().flag - unsigned_cast(self.t33.val());
}
match self.mode.val() {
Mode::Idle => {
self.o1.next = (self.b1.val() << 2) > 0;
}
Mode::Run => {
self.o32.next = !(836050904 ^ self.b32.val());
}
_ => {}
}
match (bits::<4>(9) << 1).index() {
0 => {
self.o100.next = bit_cast::<100, 3>(self.b3.val()) >> 27;
}
3 => {
self.o16.next = self.b16.val() >> self.b4.val() | 45773;
}
7 => {
self.o1.next = (bit_cast::<5, 5>(self.b5.val())) < bit_cast::<5, 64>(self.b64.val());
}
15 => {
self.o1.next = bit_cast::<3, 8>(self.l8.val()).index() < bits::<16>(0).index();
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 2 + 0) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = !bit_cast::<32, 100>(self.b100.val());
}
}

ports!(R10; f0, f1, b1, b3, b4, b5, b8, c8, b16, c16, b32, c32, b33, c33, b64, b100, t8, s16, t16, s33, t33, mode, last, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R11 {
pub f0: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub c8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b31: Signal<In, Bits<31>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub s16: Signal<In, Signed<16>>,
pub t16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub last: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R11 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = (bits::<8>(0) >> self.b1.val() >> (3 & self.b4.val())) - (251 - bits::<8>(143).get_bits::<8>(self.b3.val().index()));
self.l33.next = !(self.b33.val() | self.c33.val()) & bit_cast::<33, 31>(self.c32.val().get_bits::<31>(self.rec.val().tag.index()));
self.o1.next = (self.b31.val() | self.b31.val()).any() || (signed_cast(unsigned_cast(self.t16.val())) - (-18).to_signed_bits::<16>()) != -self.s16.val();
self.o16.next = (bits::<64>(0x7ffffffffffffffe_u64) << self.b8.val()).get_bits::<100>((self.b4.val() >> self.b8.val()).index()).get_bits::<16>((7 + self.b5.val() + (self.b5.val() + self.b5.val())).index());
self.o32.next = self.c8.val().get_bits::<32>(bits::<1>(1).index()) << self.b1.val() << 11;
self.o100.next = 0xb36b0b7f914c76_u64 & (self.b64.val() << self.b1.val()).get_bits::<100>((self.b5.val() & 1).index());
self.t_out.next = self.s33.val();
if self.mode.val() != self.last.val() {
self.l8.next = (0x6786d43f0d9f2d1e_u64 & self.b100.val()).get_bits::<8>(69);
self.o16.next = bit_cast::<16, 32>(self.c32.val()) + ((self.b32.val()) <= self.c32.val());
} else if (self.b64.val()) >= 0x3fffffffffffffff_u64 {
self.t_out.next = self.s33.val();
} else {
self.o32.next = bit_cast::<32, 16>(self.c16.val().replace_bit(9, self.f0.val()));
}
if (bit_cast::<4, 32>(self.b32.val()) + ((self.s33.val()) == self.t33.val())) != !self.b4.val().replace_bit(1, self.f0.val()) {
self.l33.next = bit_cast::<33, 5>(self.b5.val());
self.o100.next = self.c33.val().get_bits::<100>(14) - 0x713dfaa406986e40_u64;
} else if (signed_cast(self.c32.val()) + signed_cast(self.c32.val())) < signed_cast(self.c32.val()) + signed_cast(self.b32.val()) {
self.o100.next = self.b100.val();
} else {
self.o100.next = bit_cast::<100, 8>(self.b100.val().get_bits::<8>(self.b4.val().index()));
}
if (bit_cast::<32, 4>(self.b4.val()).get_bits::<4>((self.b5.val() & self.b5.val()).index())) < 15 {
self.o100.next = (self.b100.val() & self.b100.val()) + bit_cast::<100, 33>(self.l33.val());
self.o100.next = self.b100.val().get_bits::<100>(self.b5.val().index()) - (0x5d7e4e1b13c9003f_u64 & self.b100.val());
} else if bit_cast::<4, 5>(self.b5.val()).index() < (self.c16.val() & bits::<16>(2103)).index() {
self.o32.next = (self.b16.val() << self.b8.val()) * unsigned_cast(self.s16.val());
} else {
self.o100.next = self.b100.val() - 0x227d8e39f97998b3_u64 ^ 0x7ffffffffffffffe_u64;
}
match self.mode.val() {
Mode::Idle => {
self.o100.next = (!self.b100.val()).get_bits::<100>(84);
}
Mode::Run => {
self.o16.next = 32767 - self.b16.val() >> !bits::<8>(3);
}
_ => {}
}
match (self.b4.val() & 7).index() {
0 => {
self.l33.next = 0x1ddb3dd65_u64 + self.b64.val().get_bits::<33>(self.b3.val().index());
}
3 => {
self.o32.next = self.b32.val();
}
7 => {
self.o16.next = (bits::<16>(14583) ^ self.b16.val()) - (self.b16.val() << 9);
}
15 => {
self.o16.next = self.b16.val() << 13;
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 3 + 3) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = self.c32.val() + self.c32.val();
}
}

ports!(R11; f0, b1, b3, b4, b5, b8, c8, b16, c16, b31, b32, c32, b33, c33, b64, b100, s16, t16, s33, t33, mode, last, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R12 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub c8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b31: Signal<In, Bits<31>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub s16: Signal<In, Signed<16>>,
pub t16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R12 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = 1 | (254 | self.c8.val() + self.f1.val());
self.l33.next = (bits::<33>(0x191956f07_u64) << self.b1.val() | bit_cast::<33, 4>(self.b4.val())) - 1;
self.o1.next = !self.c32.val().get_bits::<8>(self.b5.val().index()).all();
self.o16.next = bit_cast::<16, 31>(self.b31.val()) - (self.c16.val() ^ self.c16.val()) & (1 | self.b16.val() + 3016);
self.o32.next = bit_cast::<32, 32>(self.c32.val()).replace_bit((self.b3.val() ^ self.b3.val()).index(), !self.f0.val()) ^ 0x80000000_u64;
self.o100.next = self.b100.val() | 0x53767a21070f8c90_u64;
self.t_out.next = signed_cast(bit_cast::<33, 4>(self.b4.val())) - (self.t33.val() + self.t33.val() + self.s33.val());
if ((self.b32.val() >> 17) == self.b32.val().replace_bit(17, self.f0.val())) ^ ((self.b64.val() >> 62) != bit_cast::<64, 16>(bits::<16>(32768))) {
self.o100.next = self.b100.val() - self.b100.val() + ((self.c8.val()) <= 181);
self.t_out.next = self.t33.val();
} else if self.mode.val() != Mode::Idle {
self.o1.next = (self.b1.val()) != self.b1.val() || (self.c32.val()) != self.c32.val();
} else {
self.o32.next = self.b32.val() + self.c32.val().replace_bit(self.rec.val().tag.index(), self.f1.val());
}
if (self.t16.val() - signed_cast(self.c16.val())) < signed_cast(unsigned_cast(self.s16.val() - self.t16.val())) - (-67).to_signed_bits::<16>() {
self.o1.next = self.b5.val().all() ^ !self.f1.val();
self.o32.next = self.c32.val() + self.rec.val().flag & (0xd6b96278_u64 ^ self.b32.val());
} else {
self.t_out.next = signed_cast(bits::<33>(9568217) << self.b5.val());
}
if ((bits::<3>(6) | 4) << (self.c8.val() << 7)).index() < (27498 + self.b16.val().replace_bit(self.b3.val().index(), self.f1.val())).index() {
self.t_out.next = signed_cast(bit_cast::<33, 4>(self.b4.val()));
self.o1.next = (0 & self.b5.val()) == 22;
} else {
self.o16.next = (65192 & self.b16.val()) - !self.c16.val();
}
match self.mode.val() {
Mode::Idle => {
self.l33.next = self.b64.val().get_bits::<33>(self.b5.val().index());
}
Mode::Run => {
self.l33.next = bit_cast::<8, 5>(self.b5.val()).get_bits::<33>(bit_cast::<3, 32>(self.c32.val()).index());
}
_ => {}
}
match self.b4.val().index() {
0 => {
self.l8.next = bit_cast::<8, 100>(self.b100.val() + self.f1.val());
}
3 => {
self.o1.next = (bits::<100>(0).get_bits::<16>(29)) <= 0;
}
7 => {
self.o16.next = bit_cast::<16, 32>(self.c32.val().get_bits::<32>(self.b4.val().index()));
}
15 => {
self.o32.next = self.b16.val().replace_bit(6, self.rec.val().flag).get_bits::<32>(10);
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 3 + 1) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = bit_cast::<32, 100>(self.b100.val()) >> 25;
}
}

ports!(R12; f0, f1, b1, b3, b4, b5, c8, b16, c16, b31, b32, c32, b64, b100, s16, t16, s33, t33, mode, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R13 {
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub c16: Signal<In, Bits<16>>,
pub b31: Signal<In, Bits<31>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub s8: Signal<In, Signed<8>>,
pub s16: Signal<In, Signed<16>>,
pub t16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R13 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = !bit_cast::<8, 32>(self.c32.val()) & !self.c16.val().get_bits::<8>(4);
self.l33.next = !bit_cast::<33, 31>(self.b31.val().replace_bit(23, self.f1.val()));
self.o1.next = (signed_cast(unsigned_cast(self.t16.val())) - (-60).to_signed_bits::<16>()) > -self.s16.val();
self.o16.next = (bit_cast::<100, 64>(self.b64.val()) - 0).get_bits::<16>(self.rec.val().tag.index());
self.o32.next = 1 - ((bits::<32>(2080765003) ^ self.b32.val()) & self.c32.val().replace_bit(8, self.f1.val()));
self.o100.next = self.b100.val() >> 49;
self.t_out.next = -(self.t33.val() - self.s33.val());
if ((self.b4.val() | 9).replace_bit(1, (self.s8.val()) > self.s8.val())) > self.b4.val() & self.b4.val() & (self.b4.val() & bits::<4>(14)) {
self.o1.next = (self.b1.val() | 0) <= 0;
self.o32.next = bit_cast::<32, 3>(self.b3.val()) ^ self.c32.val() << 28;
} else {
self.o16.next = self.b33.val().get_bits::<16>(7) | unsigned_cast(self.t16.val());
}
if ((self.b4.val()) < 10) | ((self.b32.val()) == self.b32.val()) | unsigned_cast(self.s16.val()).get_bit((self.b1.val() | self.b1.val()).index()) {
self.l33.next = (0x1fffffffe_u64 + self.c33.val()).replace_bit(22, self.b1.val().all());
self.o32.next = bit_cast::<32, 4>(self.b4.val()) - (self.b32.val() | self.b32.val());
} else {
self.o100.next = (self.b100.val() >> self.l8.val()) + (self.b4.val().index() < self.b5.val().index());
}
if (!self.b32.val()).get_bits::<100>(12).get_bit((bit_cast::<3, 5>(self.b5.val()) - (0 & self.rec.val().tag)).index()) {
self.o1.next = !self.rec.val().flag & self.b100.val().get_bit(self.b4.val().index());
self.l33.next = 0x100000000_u64 + (self.b33.val() - self.c33.val());
} else {
self.o32.next = 0 ^ self.b32.val() >> 26;
}
match self.mode.val() {
Mode::Idle => {
self.t_out.next = self.t33.val() - self.t33.val() + self.s33.val();
}
Mode::Run => {
self.o16.next = bit_cast::<8, 32>(self.b32.val()).get_bits::<16>(self.b3.val().replace_bit(1, self.rec.val().flag).index());
}
Mode::Halt => {}
}
match (self.b4.val() << self.b8.val()).index() {
0 => {
self.o32.next = self.b32.val().get_bits::<32>(self.b4.val().index()) >> bit_cast::<3, 64>(self.b64.val());
}
3 => {
self.l8.next = !bit_cast::<8, 8>(self.rec.val().data);
}
7 => {
self.o100.next = self.b100.val() - 0x2ffb49c352c0989f_u64 << 13;
}
15 => {
self.l8.next = !bits::<64>(1).get_bits::<8>(bits::<4>(12).index());
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 1 + 0) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = bit_cast::<32, 31>(self.b100.val().get_bits::<31>(97));
}
}

ports!(R13; f1, b1, b3, b4, b5, b8, c16, b31, b32, c32, b33, c33, b64, b100, s8, s16, t16, s33, t33, mode, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R14 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b31: Signal<In, Bits<31>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub t8: Signal<In, Signed<8>>,
pub s16: Signal<In, Signed<16>>,
pub t16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R14 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = !(self.c33.val() + self.f0.val()).get_bits::<8>(33);
self.l33.next = (self.c33.val() + self.c33.val() << !self.b3.val()).replace_bit(10, ((bits::<3>(2)) != 0) ^ ((bits::<3>(5)) > self.b3.val()));
self.o1.next = (self.t8.val()) < self.t8.val();
self.o16.next = 36337 - ((self.c16.val() ^ self.b16.val()) + ((self.c16.val()) <= self.b16.val()));
self.o32.next = (1 << (self.b5.val() << 4)).get_bits::<32>(60);
self.o100.next = (self.b100.val() >> self.b1.val()) - 0x4378b97322d76699_u64 - !self.b16.val().get_bits::<100>(10);
self.t_out.next = self.t33.val();
if (self.t16.val()) > -signed_cast(self.c16.val()) {
self.o1.next = (self.b32.val().get_bits::<100>(self.b4.val().index())) >= 0x37fd49ae0c6d5806_u64;
self.o16.next = (self.b16.val() ^ 65534) + (self.b16.val() & 21620);
} else {
self.o16.next = bit_cast::<16, 1>(self.b1.val() >> self.b3.val());
}
if (-(self.t33.val() - self.s33.val())) != self.s33.val() {
self.o16.next = bit_cast::<16, 3>(self.b3.val() + self.f1.val());
self.o100.next = bit_cast::<100, 16>(self.b64.val().get_bits::<16>(self.b5.val().index()));
} else if (self.l33.val() + self.f0.val()) <= self.b33.val() ^ self.b33.val() {
self.o16.next = self.b16.val();
} else {
self.l33.next = 0xa673ffb3_u64 ^ bit_cast::<33, 4>(self.b4.val());
}
if (bit_cast::<64, 31>(self.b31.val()).get_bits::<3>(bit_cast::<5, 16>(bits::<16>(1)).index())) <= 3 {
self.o1.next = (bits::<5>(16) + self.f1.val()) != bit_cast::<5, 100>(self.b100.val());
self.o100.next = self.b64.val().get_bits::<100>(self.b3.val().index()) - 1;
} else {
self.o16.next = 32768 ^ self.b16.val() & 12760;
}
match self.mode.val() {
Mode::Idle => {
self.o16.next = self.c16.val() << 11 ^ unsigned_cast(self.s16.val());
}
Mode::Run => {
self.l8.next = self.b8.val().replace_bit(self.b3.val().index(), self.f1.val()) >> 4;
}
Mode::Halt => {}
}
match (11 & self.b4.val()).index() {
0 => {
self.o100.next = (self.b100.val() | 0x142c6e6e63e08f35_u64) + self.b16.val().get_bit(15);
}
3 => {
self.o16.next = self.c16.val() + self.b16.val() ^ (63242 ^ bits::<16>(1));
}
7 => {
self.t_out.next = self.t33.val();
}
15 => {
self.l33.next = self.l33.val() >> 6 >> self.b5.val().replace_bit(0, self.f1.val());
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 1 + 0) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = self.b32.val() + self.rec.val().flag ^ bit_cast::<32, 1>(self.b1.val());
}
}

ports!(R14; f0, f1, b1, b3, b4, b5, b8, b16, c16, b31, b32, c32, b33, c33, b64, b100, t8, s16, t16, s33, t33, mode, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R15 {
pub f0: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub s16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub last: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R15 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = bit_cast::<8, 64>((self.b64.val() - self.b64.val()).get_bits::<64>((self.b4.val() & 3).index()));
self.l33.next = (1407745342 - unsigned_cast(self.t33.val())).replace_bit(22, (self.b5.val() + self.b5.val()) != 31 - self.b5.val());
self.o1.next = (self.s16.val()) < -(self.s16.val() + self.s16.val());
self.o16.next = (5190 ^ self.b16.val()) >> 6 ^ self.c16.val();
self.o32.next = bit_cast::<32, 4>(bit_cast::<4, 8>(self.rec.val().data ^ 1));
self.o100.next = self.b100.val();
self.t_out.next = -self.t33.val();
if (3 - self.b100.val().get_bits::<3>(self.b3.val().index())) != 1 & bits::<32>(0xffffffff_u64).get_bits::<3>(20) {
self.t_out.next = self.t33.val();
self.l33.next = self.l33.val() & bits::<33>(0x1ca6d63c4_u64) & self.c33.val() + bits::<33>(0xf3d8a98a_u64);
} else {
self.o100.next = (0x2ab94ea259e33ba5_u64 | self.b100.val()) - self.b100.val();
}
if ((self.b3.val() | self.b3.val()) >> 4).index() < self.b5.val().index() {
self.o1.next = self.mode.val() == self.last.val();
self.o100.next = !(self.b100.val() + 0);
} else {
self.o32.next = bit_cast::<32, 8>(self.l8.val().replace_bit(self.b3.val().index(), self.f0.val()));
}
if self.mode.val() == self.last.val() {
self.o16.next = (self.b16.val() << self.b5.val()) + bits::<32>(1416642307).get_bits::<16>(self.b1.val().index());
self.o32.next = 0xfffffffe_u64 - bits::<16>(26633) * bits::<16>(65534);
} else if !((self.s33.val()) == self.s33.val()) {
self.o100.next = (self.b33.val() | 0xffffffff_u64).get_bits::<100>(28);
} else {
self.o100.next = !bits::<100>(0x4000000000000000_u64);
}
match self.mode.val() {
Mode::Idle => {
self.o16.next = 65534 - self.b16.val() ^ (self.c16.val() | self.b16.val());
}
Mode::Run => {
self.o100.next = 0x30e53b2827450866_u64 | 0x5de3f2dcfe15514f_u64 - self.b100.val();
}
_ => {}
}
match (!self.b4.val()).index() {
0 => {
self.o1.next = (signed_cast(self.c16.val())) >= signed_cast(self.b16.val());
}
3 => {
self.t_out.next = self.s33.val();
}
7 => {
self.o1.next = (bits::<100>(0x6d408544ef3429b7_u64).get_bits::<31>(31)) <= 1;
}
15 => {
self.o16.next = unsigned_cast(self.s16.val());
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 3 + 3) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = 1243632388 | (self.b32.val() | self.b32.val());
}
}

ports!(R15; f0, b1, b3, b4, b5, b16, c16, b32, c32, b33, c33, b64, b100, s16, s33, t33, mode, last, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R16 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub c8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b31: Signal<In, Bits<31>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub s8: Signal<In, Signed<8>>,
pub t8: Signal<In, Signed<8>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub last: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R16 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = bit_cast::<8, 16>(self.c16.val() | self.b16.val()).replace_bit(self.b3.val().index(), self.mode.val() == self.last.val());
self.l33.next = (bits::<33>(0) << self.b5.val()) + ((self.b32.val()) >= 1103406913) << (!self.b33.val()).get_bits::<4>((bits::<1>(1) - self.b1.val()).index());
self.o1.next = (self.mode.val() == self.last.val()) ^ ((signed_cast(self.c8.val())) > signed_cast(bits::<8>(1)));
self.o16.next = bit_cast::<16, 31>(self.b31.val() + self.b31.val()) >> !!self.b1.val();
self.o32.next = bits::<32>(189790621).get_bits::<16>(31).get_bits::<32>(9);
self.o100.next = bit_cast::<100, 3>(!self.b3.val() ^ self.rec.val().tag);
self.t_out.next = self.s33.val();
if (self.b4.val().all() | ((self.s8.val()) <= self.t8.val())) ^ ((self.b64.val().get_bits::<16>(61)) >= self.b16.val()) {
self.o100.next = self.b100.val() << self.b1.val() ^ self.b100.val();
self.o100.next = self.b100.val() + 0;
} else if ((signed_cast(self.c32.val())) != signed_cast(self.b32.val())) & (self.f1.val() & self.f0.val()) {
self.o100.next = self.b100.val() + self.b100.val() + self.c16.val().get_bit(self.b3.val().index());
} else {
self.o32.next = bit_cast::<32, 31>(self.b31.val()) ^ (self.c32.val() | self.c32.val());
}
if (self.l33.val() + self.f0.val() + !self.c33.val()).get_bit(6) {
self.t_out.next = self.t33.val() + signed_cast(self.b33.val());
self.l33.next = self.c33.val();
} else if (self.b1.val() ^ self.b1.val()) >= !self.b1.val() {
self.t_out.next = signed_cast(self.c33.val()) - self.t33.val();
} else {
self.l33.next = (self.b33.val() | 1) ^ self.b64.val().get_bits::<33>(self.b3.val().index());
}
if !(0x4468ea88f9283a2_u64 + self.b100.val()).xor() {
self.o100.next = bit_cast::<100, 8>(self.c8.val());
self.o16.next = !self.c16.val() << (self.l8.val() | 217);
} else if (self.b16.val().replace_bit(bits::<3>(7).index(), self.f1.val())) == bit_cast::<16, 5>(self.b5.val()) {
self.l8.next = bit_cast::<8, 32>(self.c32.val() ^ self.c32.val());
} else {
self.l8.next = (self.c8.val() ^ self.b8.val()) + 1;
}
match self.mode.val() {
Mode::Idle => {
self.l33.next = (0x18bfbeceb_u64 ^ self.c33.val()) + self.l33.val().replace_bit(self.b3.val().index(), self.f0.val());
}
Mode::Run => {
self.t_out.next = signed_cast(unsigned_cast(self.t33.val()));
}
_ => {}
}
match (self.b4.val() | self.b4.val()).index() {
0 => {
self.o16.next = self.b16.val() - 11380 - 32768;
}
3 => {
self.l33.next = (self.c33.val() & self.l33.val()) >> 23;
}
7 => {
self.o100.next = self.b100.val() >> self.b4.val() | self.b100.val().replace_bit(self.b3.val().index(), self.f0.val());
}
15 => {
self.l33.next = self.c33.val() - self.c33.val() << (bits::<4>(15) & self.b4.val());
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 1 + 3) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = self.c32.val();
}
}

ports!(R16; f0, f1, b1, b3, b4, b5, b8, c8, b16, c16, b31, b32, c32, b33, c33, b64, b100, s8, t8, s33, t33, mode, last, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R17 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b31: Signal<In, Bits<31>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b100: Signal<In, Bits<100>>,
pub s8: Signal<In, Signed<8>>,
pub t8: Signal<In, Signed<8>>,
pub s16: Signal<In, Signed<16>>,
pub t16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub last: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R17 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = self.b8.val();
self.l33.next = self.b33.val() - 0 + (self.c16.val().get_bits::<33>(self.b3.val().index()) << 23);
self.o1.next = ((signed_cast(bits::<32>(0))) >= signed_cast(bits::<32>(0x80000000_u64))) & ((signed_cast(unsigned_cast(self.s8.val())) - (-80).to_signed_bits::<8>()) > self.t8.val() + self.t8.val());
self.o16.next = unsigned_cast(self.t16.val() - self.t16.val()) & 100;
self.o32.next = self.c32.val();
self.o100.next = (!self.b100.val()).replace_bit(self.b3.val().index(), !self.f0.val()).replace_bit(33, self.mode.val() == Mode::Run);
self.t_out.next = -self.s33.val() - signed_cast(self.c33.val()) + --self.s33.val();
if self.mode.val() != self.last.val() {
self.l33.next = self.c33.val();
self.o1.next = (signed_cast(bits::<32>(1806801388)) - signed_cast(bits::<32>(0xfffffffe_u64))) > signed_cast(unsigned_cast(signed_cast(self.b32.val()))) - (-98).to_signed_bits::<32>();
} else {
self.o16.next = unsigned_cast(self.s16.val()) + (self.rec.val().flag ^ self.rec.val().flag);
}
if (!self.b33.val().get_bits::<1>(self.b1.val().index())).all() {
self.o32.next = self.b16.val() * (self.c16.val() ^ bits::<16>(21044));
self.l8.next = unsigned_cast(self.s8.val() + self.s8.val());
} else {
self.o100.next = self.b100.val().replace_bit(9, self.rec.val().flag) & self.b100.val();
}
if (self.t16.val() * self.s16.val() - (signed_cast(unsigned_cast(signed_cast(self.b32.val()))) - (-48).to_signed_bits::<32>())) <= signed_cast(self.b32.val() >> self.b5.val()) {
self.o32.next = !self.b32.val() | 2147483647;
self.o100.next = bit_cast::<100, 1>(0 - self.b1.val());
} else if !((self.t8.val()) < self.t8.val()) {
self.l8.next = (bits::<16>(65534) << 10).get_bits::<8>((self.rec.val().tag >> 1).index());
} else {
self.l8.next = 127 & !self.b8.val();
}
match self.mode.val() {
Mode::Idle => {
self.t_out.next = self.t33.val();
}
Mode::Run => {
self.o100.next = bits::<100>(0x75e98deb92fb2bee_u64) + self.f1.val() ^ self.b100.val() >> 35;
}
Mode::Halt => {}
}
match (self.b4.val() >> 2).index() {
0 => {
self.l8.next = self.l8.val() << 4 ^ bit_cast::<8, 31>(self.b31.val());
}
3 => {
self.o32.next = self.c32.val().replace_bit(1, self.f1.val()) << self.b32.val().get_bits::<3>(30);
}
7 => {
self.l8.next = 0 + self.b16.val().get_bits::<8>(15);
}
15 => {
self.t_out.next = -(self.t33.val() - self.s33.val());
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 1 + 3) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = self.c32.val().replace_bit(28, self.rec.val().flag) - 0xe4ba7faf_u64;
}
}

ports!(R17; f0, f1, b1, b3, b4, b5, b8, b16, c16, b31, b32, c32, b33, c33, b100, s8, t8, s16, t16, s33, t33, mode, last, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R18 {
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub b31: Signal<In, Bits<31>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R18 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = !(self.rec.val().data + self.rec.val().data) & (self.b8.val() ^ self.b8.val() | self.b8.val() - self.b8.val());
self.l33.next = self.c33.val() >> (9 + self.b5.val() ^ 31);
self.o1.next = ((self.b33.val() + 0) == 0x1fffffffe_u64) & self.b16.val().get_bits::<4>(16).xor();
self.o16.next = bit_cast::<16, 33>((bits::<33>(0xfd0ace62_u64) >> 1).replace_bit(6, (self.b5.val()) >= self.b5.val()));
self.o32.next = self.b64.val().get_bits::<32>(self.b3.val().index()).replace_bit(26, self.rec.val().flag && self.f1.val()) + (self.b32.val() << self.b5.val() << 16);
self.o100.next = bit_cast::<100, 1>(self.b1.val() << 2) - 1;
self.t_out.next = ---self.s33.val();
if !bit_cast::<32, 1>(self.b1.val()).xor() {
self.l33.next = bit_cast::<33, 32>(self.b32.val() - 2147483647);
self.t_out.next = self.s33.val();
} else {
self.l33.next = self.c33.val() - self.c33.val() & self.l33.val() - 997265216;
}
if (127 & !self.l8.val()).index() < self.b5.val().index() {
self.l33.next = 0x1ec1c2057_u64 + bit_cast::<33, 4>(bits::<4>(4));
self.o100.next = bit_cast::<100, 31>(self.b31.val()) ^ (self.b100.val() ^ self.b100.val());
} else {
self.o100.next = (self.b100.val() | self.b100.val()) + 0x69bb16897a1ed88e_u64;
}
if self.b3.val().replace_bit(0, self.f1.val()).replace_bit(2, (self.b31.val()) > 2147483647).index() < ((self.b5.val() | self.b5.val()) ^ 30).index() {
self.l33.next = !self.b33.val() + ((self.l8.val()) >= 128);
self.o100.next = (self.b100.val() + self.b100.val()).get_bits::<100>((self.b5.val() << bits::<5>(31)).index());
} else {
self.l33.next = bit_cast::<33, 4>(self.b4.val() + self.f1.val());
}
match self.mode.val() {
Mode::Idle => {
self.l33.next = (self.l33.val() << 28) + ((self.b5.val()) > self.b5.val());
}
Mode::Run => {
self.o32.next = 2125402108 - !self.c32.val();
}
_ => {}
}
match (self.b4.val() ^ 8).index() {
0 => {
self.o100.next = (1 & self.b100.val()) + 0;
}
3 => {
self.t_out.next = self.s33.val();
}
7 => {
self.o32.next = self.c32.val().replace_bit(3, (self.t33.val()) != self.s33.val());
}
15 => {
self.l8.next = 127 - self.rec.val().data & self.b8.val() + self.l8.val();
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 3 + 3) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = self.c32.val();
}
}

ports!(R18; f1, b1, b3, b4, b5, b8, b16, b31, b32, c32, b33, c33, b64, b100, s33, t33, mode, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R19 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub c8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b31: Signal<In, Bits<31>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R19 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = bit_cast::<8, 1>(!(self.b1.val() ^ self.b1.val()));
self.l33.next = bit_cast::<33, 33>(self.c33.val()) << 24 | (self.b33.val() << self.b4.val()) + 870261407;
self.o1.next = !(self.b3.val() - self.b3.val()).all();
self.o16.next = (self.c16.val() + self.f0.val() - 32767).replace_bit((!bits::<3>(3)).index(), (self.s33.val()) == signed_cast(self.c33.val()));
self.o32.next = bit_cast::<16, 33>(self.l33.val()) * (self.c16.val() + self.f0.val()) - 0xaab97f07_u64;
self.o100.next = 0x4000000000000000_u64 & (0x11d91496b4b46a36_u64 ^ 0x1e7bb76037477cb7_u64 & self.b100.val());
self.t_out.next = -self.s33.val() + self.t33.val() - self.t33.val();
if (!self.c32.val()).get_bits::<4>(28).index() < bits::<16>(65535).index() {
self.o100.next = (self.b100.val() | self.b100.val()) ^ self.b100.val() + 0x5c07e735cda066fa_u64;
self.o1.next = (self.c16.val() ^ 0) == self.c16.val() << self.b4.val();
} else {
self.l33.next = bit_cast::<33, 5>(self.b5.val()) ^ unsigned_cast(self.s33.val());
}
if (!self.l8.val()).get_bits::<3>((!self.rec.val().tag).index()).index() < self.b16.val().index() {
self.l33.next = (self.c33.val() << 6) + (self.mode.val() == Mode::Halt);
self.o32.next = bit_cast::<32, 32>(self.b32.val() + self.f0.val());
} else {
self.o32.next = bit_cast::<32, 8>(self.l8.val() + 55);
}
if ((self.t33.val()) <= self.s33.val()) | self.l33.val().get_bit(self.b5.val().index()) | ((signed_cast(self.b32.val())) > signed_cast(self.c32.val()) + signed_cast(self.b32.val())) {
self.o32.next = (self.b8.val() - 0).get_bits::<32>(self.b3.val().index());
self.o32.next = (self.c32.val() | bits::<32>(0xbb30950a_u64)) << 14;
} else {
self.o1.next = (0x5c975d3592345752_u64 - self.b64.val()) > bit_cast::<64, 31>(self.b31.val());
}
match self.mode.val() {
Mode::Idle => {
self.o32.next = self.b100.val().get_bits::<32>(self.b1.val().index());
}
Mode::Run => {
self.l33.next = self.l33.val().replace_bit(14, self.f1.val()) | self.l33.val() & 0;
}
Mode::Halt => {}
}
match (self.b4.val() - self.b4.val()).index() {
0 => {
self.l33.next = 0x100000000_u64 ^ self.b16.val().get_bits::<33>(self.b1.val().index());
}
3 => {
self.o16.next = (self.c16.val() >> 10).replace_bit(10, self.f1.val() | self.rec.val().flag);
}
7 => {
self.l33.next = !(self.l33.val() >> self.b4.val());
}
15 => {
self.l8.next = self.c8.val() + self.c8.val();
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 3 + 2) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = !bits::<16>(14469) * self.b16.val().get_bits::<16>(self.rec.val().tag.index());
}
}

ports!(R19; f0, f1, b1, b3, b4, b5, b8, c8, b16, c16, b31, b32, c32, b33, c33, b64, b100, s33, t33, mode, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R20 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub c8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub b31: Signal<In, Bits<31>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub t16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R20 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = (0x80000000_u64 & 0xfffffffe_u64 - self.c32.val()).get_bits::<8>(27);
self.l33.next = bit_cast::<33, 33>(0x100000000_u64 | self.b33.val()) >> 6;
self.o1.next = (self.s33.val()) >= -self.t33.val() + -self.s33.val();
self.o16.next = unsigned_cast(signed_cast(unsigned_cast(self.t16.val())) - (-86).to_signed_bits::<16>()) >> 1;
self.o32.next = (1 << (self.b5.val() & self.b5.val())).get_bits::<32>((!self.b3.val() + self.b64.val().get_bits::<3>(31)).index());
self.o100.next = bit_cast::<100, 32>(bits::<32>(0) | self.b32.val()).replace_bit(27, (self.b16.val() + 65534).get_bit((!self.b3.val()).index()));
self.t_out.next = signed_cast(0x1681dce3f_u64 + self.b33.val() - (0 & self.b33.val()));
if !(((self.b1.val()) != self.b1.val()) | ((self.b100.val()) > self.b100.val())) {
self.o16.next = (bits::<16>(1) & self.b16.val()) - !self.b16.val();
self.o16.next = unsigned_cast(signed_cast(unsigned_cast(self.t16.val())) - (-94).to_signed_bits::<16>());
} else if (signed_cast(unsigned_cast(signed_cast(bits::<32>(0)))) - (-10).to_signed_bits::<32>()) != signed_cast(self.b32.val()) - signed_cast(self.c32.val()) {
self.o100.next = self.b100.val().replace_bit(81, self.b5.val().xor());
} else {
self.o1.next = (self.b16.val().get_bits::<31>(self.b3.val().index())) > 0 | self.b31.val();
}
if ((self.b64.val() ^ self.b64.val()) + !self.b64.val()).get_bit(9) {
self.o32.next = self.b32.val() + self.f0.val() | self.b32.val() + self.f0.val();
self.o1.next = (self.b1.val() & self.b1.val()).all();
} else {
self.l33.next = self.b100.val().get_bits::<33>((self.b1.val() | self.b1.val()).index());
}
if (self.c8.val() >> 1).index() < (self.b33.val() >> 14).get_bits::<5>(4).index() {
self.l8.next = (160 & self.l8.val()).replace_bit((1 + self.b3.val()).index(), (signed_cast(bits::<32>(735532468))) < signed_cast(bits::<32>(31194551)));
self.t_out.next = self.s33.val();
} else if !self.f1.val() & self.b64.val().get_bit(self.b5.val().index()) {
self.l8.next = self.b100.val().get_bits::<8>(88) | 230;
} else {
self.l33.next = 0x1a24fdfd0_u64 & self.b100.val().get_bits::<33>(self.b5.val().index());
}
match self.mode.val() {
Mode::Idle => {
self.l33.next = self.b33.val();
}
Mode::Run => {
self.o100.next = (!self.b100.val()).get_bits::<100>((11 & bits::<5>(0)).index());
}
Mode::Halt => {}
}
match self.b4.val().replace_bit(0, self.rec.val().flag).index() {
0 => {
self.o100.next = self.b100.val() | 0x62aef5d5c4dc734c_u64;
}
3 => {
self.l33.next = bits::<33>(0x15f02a0f5_u64) + self.rec.val().flag + ((self.b1.val()) != self.b1.val());
}
7 => {
self.o100.next = bit_cast::<100, 31>(bit_cast::<31, 5>(self.b5.val()));
}
15 => {
self.o1.next = (bits::<33>(0xa693d63e_u64) >> 30) != 0xec62cb6d_u64;
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 2 + 0) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = self.b32.val() + self.rec.val().flag + self.b32.val().get_bits::<32>(19);
}
}

ports!(R20; f0, f1, b1, b3, b4, b5, c8, b16, b31, b32, c32, b33, b64, b100, t16, s33, t33, mode, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R21 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b31: Signal<In, Bits<31>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub s8: Signal<In, Signed<8>>,
pub s16: Signal<In, Signed<16>>,
pub t16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub last: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R21 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = self.b8.val() + self.f1.val() << self.b4.val() - 13 | bit_cast::<8, 3>(self.b3.val()) & unsigned_cast(self.s8.val());
self.l33.next = bit_cast::<33, 1>(self.b1.val()) >> 13 & (self.b33.val() + self.f0.val() ^ (bits::<33>(0) ^ self.b33.val()));
self.o1.next = (bits::<5>(30) << 0 ^ self.b5.val() << 4) != self.b5.val();
self.o16.next = bit_cast::<16, 31>(self.b31.val() | 1539394340);
self.o32.next = self.b32.val() + self.b32.val() ^ self.b32.val() - self.b32.val() | (bit_cast::<32, 33>(self.c33.val()) | bits::<32>(0) << 20);
self.o100.next = (self.b100.val() << 82) - (self.b100.val() >> self.b1.val()) & (!self.b100.val() | 0x7fffffffffffffff_u64);
self.t_out.next = self.s33.val() + -self.s33.val();
if ((self.s33.val()) <= self.t33.val()) ^ ((1 - self.b3.val()).index() < (self.c16.val() & bits::<16>(32767)).index()) {
self.t_out.next = signed_cast(bit_cast::<33, 1>(self.b1.val()));
self.o32.next = self.b32.val() ^ self.b16.val() * self.c16.val();
} else if !((self.b16.val()) != self.b16.val()) {
self.o1.next = !(self.mode.val() == self.last.val());
} else {
self.t_out.next = self.s33.val();
}
if (!(self.l8.val() + 68)) != bit_cast::<8, 32>(bit_cast::<32, 5>(self.b5.val())) {
self.l33.next = (bits::<33>(0x1fffffffe_u64) & 0x1f813b52d_u64).replace_bit(30, self.rec.val().flag & self.f0.val());
self.t_out.next = self.s33.val();
} else {
self.t_out.next = -self.s33.val();
}
if ((self.b31.val() << 7) + 0) != self.b32.val().get_bits::<31>(15) + 1918519247 {
self.o1.next = (self.t16.val()) > signed_cast(self.b16.val());
self.l33.next = unsigned_cast(signed_cast(self.l33.val()));
} else {
self.o100.next = self.b100.val() + 0x7ffffffffffffffe_u64 - (bits::<100>(0x290069984b255f46_u64) + 0x6ac4503643f38c95_u64);
}
match self.mode.val() {
Mode::Idle => {
self.o16.next = 1 - unsigned_cast(self.s16.val());
}
Mode::Run => {
self.o32.next = self.b32.val() | self.c32.val() >> 0;
}
_ => {}
}
match self.c32.val().get_bits::<4>(16).index() {
0 => {
self.l33.next = self.b8.val().get_bits::<33>(0) + self.b64.val().xor();
}
3 => {
self.t_out.next = signed_cast(self.c33.val() | bits::<33>(0x1e7418c4b_u64));
}
7 => {
self.o100.next = !(self.b100.val() << self.b4.val());
}
15 => {
self.l33.next = self.l33.val() + 0x98eafbcb_u64 | bit_cast::<33, 64>(self.b64.val());
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 1 + 2) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = self.c32.val() ^ 1;
}
}

ports!(R21; f0, f1, b1, b3, b4, b5, b8, b16, c16, b31, b32, c32, b33, c33, b64, b100, s8, s16, t16, s33, t33, mode, last, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R22 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub c8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b31: Signal<In, Bits<31>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub t8: Signal<In, Signed<8>>,
pub s16: Signal<In, Signed<16>>,
pub t16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub last: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R22 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = (self.b33.val().get_bits::<8>(25) & 0) + (self.c8.val() >> bits::<1>(0) >> 5);
self.l33.next = self.c33.val();
self.o1.next = (self.s16.val() * (self.t16.val() - self.t16.val())) >= -(signed_cast(bits::<32>(0)) - signed_cast(self.b32.val()));
self.o16.next = (bit_cast::<16, 16>(self.b16.val()) & 32768) + bit_cast::<16, 64>(self.b64.val() ^ self.b64.val());
self.o32.next = bits::<100>(0x14bdaff961f4d6f5_u64).get_bits::<32>(bit_cast::<1, 5>(self.b5.val()).index()) << 0 + self.l8.val();
self.o100.next = (!self.b33.val()).get_bits::<100>((self.b5.val() | self.b5.val()).index()) & 0x4e245e4d980d6575_u64;
self.t_out.next = signed_cast((0x15d0d2c53_u64 ^ self.b33.val()) - !self.c33.val());
if !((signed_cast(self.b32.val())) <= signed_cast(self.b32.val())) ^ (self.b64.val() + self.rec.val().flag).any() {
self.l8.next = self.l8.val();
self.o1.next = (self.s33.val() - self.t33.val()) < self.s33.val() - self.t33.val();
} else {
self.l33.next = self.b100.val().get_bits::<33>(86);
}
if (unsigned_cast(self.t8.val()) + (219 - self.b8.val())).index() < self.b5.val().index() {
self.o32.next = bit_cast::<32, 3>(self.rec.val().tag - self.b3.val());
self.o32.next = bit_cast::<32, 31>(self.b31.val().replace_bit(16, self.f1.val()));
} else {
self.t_out.next = -(self.s33.val() - self.s33.val());
}
if (bits::<16>(43630) - self.c16.val()).get_bit(self.c33.val().get_bits::<3>(16).index()) ^ ((self.l8.val() + self.f0.val()) == 108) {
self.o1.next = self.mode.val() != self.last.val() || (self.f0.val() || self.f0.val());
self.o16.next = (bits::<16>(10858) | self.c16.val()) - (self.b16.val() >> self.rec.val().data);
} else if (self.b1.val() ^ 1).xor() {
self.o16.next = 46538 - (self.b16.val() >> self.b3.val());
} else {
self.o16.next = bit_cast::<16, 100>(0 ^ self.b100.val());
}
match self.mode.val() {
Mode::Idle => {
self.o1.next = self.f1.val() ^ self.f0.val() && (self.b64.val()) != self.b64.val();
}
Mode::Run => {
self.o1.next = (self.c16.val() + self.f1.val()).xor();
}
Mode::Halt => {}
}
match (self.b4.val() + self.f1.val()).index() {
0 => {
self.l33.next = bit_cast::<33, 3>(self.b3.val()) ^ bit_cast::<33, 64>(self.b64.val());
}
3 => {
self.o1.next = !self.f1.val() || (self.b100.val()) >= bits::<100>(1);
}
7 => {
self.l33.next = self.b33.val();
}
15 => {
self.o100.next = bit_cast::<100, 100>(self.b100.val()) + self.b100.val().get_bits::<100>(bits::<4>(8).index());
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 2 + 2) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = !self.c32.val().replace_bit(self.b3.val().index(), self.f0.val());
}
}

ports!(R22; f0, f1, b1, b3, b4, b5, b8, c8, b16, c16, b31, b32, c32, b33, c33, b64, b100, t8, s16, t16, s33, t33, mode, last, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R23 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub c8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub s8: Signal<In, Signed<8>>,
pub t8: Signal<In, Signed<8>>,
pub s16: Signal<In, Signed<16>>,
pub t16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub last: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R23 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = self.c33.val().replace_bit(13, self.rec.val().tag.all()).get_bits::<8>((self.b5.val() >> self.b8.val() << bit_cast::<5, 33>(self.b33.val())).index());
self.l33.next = !((self.c33.val() | self.c33.val()) << 21);
self.o1.next = !!self.rec.val().flag & ((self.b64.val() + self.b64.val()) != self.b64.val() | self.b64.val());
self.o16.next = (31767 ^ self.c16.val()) + 0 << (97 ^ self.b8.val());
self.o32.next = bit_cast::<32, 3>(self.b3.val()).replace_bit((0 - self.b3.val()).index(), self.f0.val() & self.f1.val()) + (((self.b32.val()) == 0xfb83d700_u64) & !self.rec.val().flag);
self.o100.next = self.b100.val().replace_bit(80, !self.rec.val().flag) >> 38;
self.t_out.next = -self.s33.val();
if ((self.c8.val() ^ 0) << bit_cast::<8, 5>(self.b5.val())).index() < (self.c32.val() & 1061936024).get_bits::<5>(0).index() {
self.l33.next = self.c33.val();
self.o1.next = (self.t33.val() - self.s33.val()) == self.t33.val() - self.t33.val();
} else {
self.o16.next = (self.c32.val() >> self.b3.val()).get_bits::<16>(bits::<4>(4).index());
}
if (self.s33.val() + self.t33.val()) >= self.t33.val() + self.s33.val() {
self.l33.next = self.b16.val().get_bits::<33>(self.b3.val().index()) >> self.b4.val().replace_bit(1, self.rec.val().flag);
self.o16.next = bit_cast::<16, 4>(self.b4.val() + self.b4.val());
} else if ((self.t8.val()) != self.t8.val()) ^ ((self.t16.val()) != self.s16.val()) {
self.t_out.next = self.s33.val() - self.t33.val() - self.s33.val();
} else {
self.t_out.next = self.s33.val() + self.s33.val() + (self.t33.val() - self.s33.val());
}
if ((self.c33.val() | self.b33.val()).replace_bit(19, (self.c8.val()) >= self.rec.val().data)) > self.l33.val() - (self.b33.val() << bits::<1>(1)) {
self.t_out.next = self.s33.val() + -self.t33.val();
self.o32.next = 0xffffffff_u64 - self.c32.val() - (self.b32.val() & 0xfffffffe_u64);
} else {
self.o1.next = (signed_cast(self.l33.val())) == self.t33.val() + self.s33.val();
}
match self.mode.val() {
Mode::Idle => {
self.l8.next = unsigned_cast(self.s8.val() + self.s8.val());
}
Mode::Run => {
self.o32.next = bit_cast::<32, 3>(self.b3.val()) >> !self.b5.val();
}
Mode::Halt => {}
}
match (self.b4.val() << 3).index() {
0 => {
self.o100.next = (self.b100.val() | self.b100.val()) + (self.mode.val() != self.last.val());
}
3 => {
self.o32.next = bit_cast::<32, 100>(self.b100.val() + 0x7eb54f5c9a9ab673_u64);
}
7 => {
self.o100.next = (self.rec.val().data | self.c8.val()).get_bits::<100>(self.c16.val().get_bits::<3>(self.rec.val().tag.index()).index());
}
15 => {
self.t_out.next = self.s33.val() - (self.s33.val() + self.s33.val());
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 2 + 0) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = !self.b32.val() >> 2;
}
}

ports!(R23; f0, f1, b3, b4, b5, b8, c8, b16, c16, b32, c32, b33, c33, b64, b100, s8, t8, s16, t16, s33, t33, mode, last, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R24 {
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b31: Signal<In, Bits<31>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b100: Signal<In, Bits<100>>,
pub s8: Signal<In, Signed<8>>,
pub t8: Signal<In, Signed<8>>,
pub t16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub last: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R24 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = 128 ^ bit_cast::<8, 31>(!self.b31.val());
self.l33.next = (self.b33.val() ^ 0) + 1903788458 >> (self.b5.val() >> (bits::<3>(6) ^ self.rec.val().tag));
self.o1.next = (signed_cast(unsigned_cast(self.s8.val() - self.t8.val())) - (-22).to_signed_bits::<8>()) != self.s8.val();
self.o16.next = bit_cast::<16, 4>(self.b4.val());
self.o32.next = bit_cast::<32, 33>(unsigned_cast(signed_cast(self.c33.val())));
self.o100.next = !(0x10944f853e81468b_u64 & self.b100.val() & 0x895eae075dc936e_u64 + self.b100.val());
self.t_out.next = -self.s33.val();
if (bit_cast::<16, 1>(self.b1.val()) + (self.c16.val() + self.b16.val())).get_bit(13) {
self.l8.next = self.l8.val() >> 2 & bit_cast::<8, 32>(self.b32.val());
self.o1.next = (self.c32.val() ^ 0xffffffff_u64).get_bit(self.b5.val().index());
} else {
self.o1.next = self.mode.val() != Mode::Run;
}
if !((self.c33.val()) == 0xd59c38f0_u64) | (self.mode.val() != self.last.val()) {
self.o1.next = (self.t8.val() - self.t8.val()) != self.s8.val() - self.s8.val();
self.l8.next = unsigned_cast(self.t8.val() + self.s8.val());
} else {
self.o16.next = self.b16.val().get_bits::<16>(16) << self.b1.val();
}
if (-(signed_cast(unsigned_cast(self.t8.val())) - (-67).to_signed_bits::<8>())) == signed_cast(self.l8.val()) - signed_cast(self.l8.val()) {
self.l33.next = 0x15c268860_u64 + self.b33.val() + 0x10993db88_u64;
self.o32.next = self.c32.val() & 1879812522 | 0xffffffff_u64;
} else {
self.l33.next = !self.b32.val().get_bits::<33>(16);
}
match self.mode.val() {
Mode::Idle => {
self.o32.next = (21622 ^ self.c16.val()) * !bits::<16>(11707);
}
Mode::Run => {
self.o100.next = self.b100.val() + self.rec.val().flag | 0x4000000000000000_u64;
}
_ => {}
}
match self.b4.val().index() {
0 => {
self.o1.next = (self.b32.val().get_bits::<16>(self.b4.val().index())) != self.b16.val();
}
3 => {
self.o16.next = bit_cast::<16, 100>(self.b100.val()) ^ self.c32.val().get_bits::<16>(1);
}
7 => {
self.o32.next = !(self.c32.val() - bits::<32>(0xffffffff_u64));
}
15 => {
self.o16.next = unsigned_cast(-self.t16.val());
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 1 + 2) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = self.b32.val().replace_bit(self.b3.val().index(), self.f1.val()) + 0x80000000_u64;
}
}

ports!(R24; f1, b1, b3, b4, b5, b16, c16, b31, b32, c32, b33, c33, b100, s8, t8, t16, s33, mode, last, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R25 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b31: Signal<In, Bits<31>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub s8: Signal<In, Signed<8>>,
pub t8: Signal<In, Signed<8>>,
pub s16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R25 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = bit_cast::<8, 32>(self.c32.val().replace_bit(self.b3.val().index(), self.rec.val().flag) << 21);
self.l33.next = (self.b33.val() ^ 0xf9565473_u64) & 0 ^ 0x146c684e4_u64;
self.o1.next = (!self.b64.val() + !self.f1.val()).get_bit(bit_cast::<3, 64>(self.b64.val() << 20).index());
self.o16.next = self.b33.val().replace_bit(5, self.f0.val()).get_bits::<33>(26).get_bits::<16>(bit_cast::<3, 1>(self.b1.val() << 2).index());
self.o32.next = self.b100.val().replace_bit(self.b3.val().index(), self.f0.val()).get_bits::<32>(4) >> 1 + (self.b1.val() << 2);
self.o100.next = bit_cast::<100, 4>(bit_cast::<4, 64>(self.b64.val())) << 37;
self.t_out.next = self.t33.val() - self.s33.val();
if (self.c33.val()) >= (self.b33.val() ^ self.b33.val()) >> 13 {
self.o16.next = bit_cast::<16, 31>(bit_cast::<31, 33>(self.c33.val()));
self.o32.next = !(self.b16.val() * self.c16.val());
} else {
self.o1.next = (signed_cast(self.l8.val())) < -self.t8.val();
}
if ((self.b1.val() ^ 0) << 2) < 1 {
self.t_out.next = self.t33.val();
self.o100.next = 0x4000000000000000_u64 - (0 ^ self.b100.val());
} else if self.mode.val() == Mode::Idle {
self.o32.next = 0xab7065bc_u64 - self.c32.val() - 0xffffffff_u64;
} else {
self.o32.next = (self.c16.val() + self.c16.val()) * (0 ^ self.c16.val());
}
if (bit_cast::<3, 31>(self.b31.val()) + (self.b3.val() >> self.l8.val())) < 3 {
self.o16.next = (self.b16.val() & self.c16.val()) - 63357;
self.o1.next = (signed_cast(unsigned_cast(self.t8.val())) - (-59).to_signed_bits::<8>()) == self.s8.val();
} else if (self.b33.val().get_bits::<100>(self.b3.val().index())) == bit_cast::<100, 64>(bits::<64>(0x3fffffffffffffff_u64)) {
self.o100.next = bit_cast::<100, 8>(self.b8.val() >> self.b5.val());
} else {
self.o32.next = (self.c32.val() << 28) + (self.mode.val() != Mode::Run);
}
match self.mode.val() {
Mode::Idle => {
self.o16.next = unsigned_cast(signed_cast(self.b16.val()));
}
Mode::Run => {
self.l33.next = bit_cast::<33, 4>(self.c32.val().get_bits::<4>(self.b5.val().index()));
}
Mode::Halt => {}
}
match (15 & self.b4.val()).index() {
0 => {
self.o32.next = unsigned_cast(self.s16.val()).get_bits::<32>(6);
}
3 => {
self.o32.next = bit_cast::<32, 32>(self.b32.val() ^ 476328085);
}
7 => {
self.o100.next = 0x3fffffffffffffff_u64 | self.b100.val().replace_bit(79, self.rec.val().flag);
}
15 => {
self.o1.next = (signed_cast(bits::<32>(0)) + signed_cast(self.b32.val())) >= -signed_cast(self.c32.val());
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 1 + 1) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = bits::<32>(791260251) - self.b32.val() + (self.b32.val() & 1928031089);
}
}

ports!(R25; f0, f1, b1, b3, b4, b5, b8, b16, c16, b31, b32, c32, b33, c33, b64, b100, s8, t8, s16, s33, t33, mode, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R26 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub c8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub s8: Signal<In, Signed<8>>,
pub t8: Signal<In, Signed<8>>,
pub s16: Signal<In, Signed<16>>,
pub t16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub last: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R26 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = 0 + (self.b8.val() | self.b8.val() >> self.b5.val());
self.l33.next = bit_cast::<33, 8>(self.rec.val().data & self.b8.val()).replace_bit((!self.b3.val() << 4).index(), (self.s16.val()) != self.s16.val() && !self.f0.val());
self.o1.next = !((self.s16.val()) < self.s16.val() - self.t16.val());
self.o16.next = 32768 | (self.b16.val() ^ self.b16.val()) << bit_cast::<8, 64>(self.b64.val());
self.o32.next = (self.c32.val() + self.f0.val()).replace_bit(self.b3.val().index(), self.f0.val() & self.f1.val()) & (bits::<32>(0x80000000_u64) >> 23) + 0xea027df9_u64;
self.o100.next = ((self.b100.val() >> 2) - 0x7ffffffffffffffe_u64).replace_bit(27, !self.b8.val().any());
self.t_out.next = self.s33.val();
if (self.b64.val() + 0x3166e768fe9ca222_u64).get_bit(7) ^ (((self.t8.val()) == self.t8.val()) | bits::<100>(1).get_bit(self.b1.val().index())) {
self.l33.next = !unsigned_cast(self.s33.val());
self.l33.next = (self.c33.val() | 0) >> 10;
} else if self.mode.val() == self.last.val() {
self.o16.next = 1 ^ self.c16.val() & self.b16.val();
} else {
self.o16.next = self.c16.val() & bits::<16>(31160) | 9538;
}
if self.mode.val() != self.last.val() {
self.l8.next = self.rec.val().data.replace_bit(self.b3.val().index(), self.f1.val()) + (self.c8.val() & self.b8.val());
self.l33.next = self.b33.val();
} else if self.b4.val().replace_bit(1, self.rec.val().flag).index() < self.c16.val().get_bits::<16>(12).index() {
self.o32.next = (self.b32.val() ^ 0xffffffff_u64).get_bits::<32>(25);
} else {
self.o16.next = bits::<16>(65534).replace_bit(self.b3.val().index(), self.f1.val()) + 56902;
}
if ((self.b16.val() - self.c16.val()) >= self.b32.val().get_bits::<16>(13)) | ((self.s33.val()) > self.t33.val()) {
self.o1.next = bit_cast::<4, 5>(bits::<5>(16)).index() < (!self.b16.val()).index();
self.l8.next = self.rec.val().data;
} else if (signed_cast(unsigned_cast(self.t16.val())) - (-47).to_signed_bits::<16>()) >= signed_cast(self.b16.val()) {
self.l8.next = bit_cast::<8, 100>(self.b100.val()) + bit_cast::<8, 5>(self.b5.val());
} else {
self.l8.next = (self.c8.val() >> 8).get_bits::<8>(self.b3.val().index());
}
match self.mode.val() {
Mode::Idle => {
self.o1.next = unsigned_cast(self.s8.val()).index() < (self.b5.val() & 30).index();
}
Mode::Run => {
self.o16.next = bits::<16>(33275);
}
Mode::Halt => {}
}
match bit_cast::<4, 1>(self.b1.val()).index() {
0 => {
self.l8.next = bit_cast::<8, 1>(self.b1.val()) >> self.b1.val();
}
3 => {
self.o100.next = bits::<100>(0x7ffffffffffffffe_u64);
}
7 => {
self.o1.next = (self.f0.val() && self.f0.val()) | ((self.s8.val()) >= self.s8.val());
}
15 => {
self.l33.next = self.l33.val();
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 1 + 3) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = bit_cast::<32, 3>(bits::<3>(1) - self.b3.val());
}
}

ports!(R26; f0, f1, b1, b3, b4, b5, b8, c8, b16, c16, b32, c32, b33, c33, b64, b100, s8, t8, s16, t16, s33, t33, mode, last, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R27 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub c8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b31: Signal<In, Bits<31>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub s8: Signal<In, Signed<8>>,
pub t8: Signal<In, Signed<8>>,
pub t16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R27 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = self.c8.val().replace_bit(self.b3.val().index(), self.f0.val()) + (self.mode.val() != Mode::Halt) | unsigned_cast(self.t8.val()) - (self.rec.val().data | self.b8.val());
self.l33.next = unsigned_cast(self.s33.val());
self.o1.next = (bit_cast::<100, 4>(self.b4.val()) ^ bits::<100>(0x7fffffffffffffff_u64)).get_bit((self.b5.val() << 3 & self.b5.val() >> 6).index());
self.o16.next = (40781 - self.b16.val() << self.b64.val().get_bits::<1>(10)) - (self.c16.val() + self.rec.val().flag >> 16);
self.o32.next = bit_cast::<33, 5>(bits::<5>(24)).get_bits::<32>(17) | (0x80000000_u64 | bit_cast::<32, 31>(self.b31.val()));
self.o100.next = self.b100.val();
self.t_out.next = self.s33.val();
if (signed_cast(self.b32.val()) + signed_cast(self.c32.val())) <= signed_cast(self.b32.val()) + signed_cast(self.b32.val()) - signed_cast(bits::<32>(0x8359c116_u64)) {
self.l8.next = self.l8.val().replace_bit(self.b3.val().index(), self.f1.val()) - (self.rec.val().data & 57);
self.o32.next = (self.c33.val() + self.b33.val()).get_bits::<32>(10);
} else {
self.t_out.next = self.s33.val() + self.t33.val();
}
if ((self.s8.val() - self.t8.val()) >= signed_cast(self.c8.val())) & ((self.b4.val() + self.rec.val().flag).index() < (bits::<16>(65535) << self.b1.val()).index()) {
self.t_out.next = -self.s33.val() - (self.s33.val() + self.s33.val());
self.o1.next = (self.t16.val()) >= self.t16.val() || (self.f0.val() || self.rec.val().flag);
} else if self.mode.val() != Mode::Idle {
self.t_out.next = self.s33.val();
} else {
self.l8.next = 128 - self.l8.val() >> 2;
}
if !(0 & self.b64.val()).get_bit(3) {
self.l33.next = !bits::<33>(94146857) + ((self.b3.val()) <= bits::<3>(0));
self.o100.next = self.b100.val();
} else {
self.t_out.next = self.s33.val();
}
match self.mode.val() {
Mode::Idle => {
self.o32.next = (self.b32.val() | self.b32.val()).replace_bit((1 ^ self.b3.val()).index(), (self.c32.val()) == bits::<32>(1006936825));
}
Mode::Run => {
self.o100.next = 0x2ca0e7b15f0c3898_u64 - (self.b100.val() >> 33);
}
_ => {}
}
match (self.b4.val() & 0).index() {
0 => {
self.o1.next = (bit_cast::<100, 16>(self.b16.val())) > bits::<100>(0x9b3cf0d0a27260a_u64) + self.f1.val();
}
3 => {
self.o1.next = !((self.b31.val()) == 2147483646);
}
7 => {
self.l33.next = (self.l33.val() >> self.b1.val()).get_bits::<33>((self.b4.val() << self.b4.val()).index());
}
15 => {
self.o100.next = (self.rec.val().data | self.c8.val()).get_bits::<100>(bit_cast::<3, 100>(self.b100.val()).index());
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 2 + 2) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = (33646 & bits::<16>(21482)) * (self.b16.val() + self.f0.val());
}
}

ports!(R27; f0, f1, b1, b3, b4, b5, b8, c8, b16, c16, b31, b32, c32, b33, c33, b64, b100, s8, t8, t16, s33, t33, mode, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R28 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub c8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b31: Signal<In, Bits<31>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub s16: Signal<In, Signed<16>>,
pub t16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R28 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = 127 ^ (self.c8.val() ^ self.b8.val()).replace_bit(7, self.f0.val() || self.f1.val());
self.l33.next = (!self.c33.val() | bit_cast::<33, 31>(bits::<31>(461964360))) << (bit_cast::<4, 64>(self.b64.val()) << 2);
self.o1.next = (self.b3.val()) == self.b3.val() - self.rec.val().tag + ((self.c32.val()) >= 0xfffffffe_u64);
self.o16.next = unsigned_cast(self.t16.val() + self.s16.val() + (signed_cast(unsigned_cast(self.t16.val())) - (-76).to_signed_bits::<16>()));
self.o32.next = !(0xfffffffe_u64 | self.b32.val()) << 33;
self.o100.next = 0 + bit_cast::<100, 1>(self.b1.val() & self.b1.val());
self.t_out.next = self.t33.val() - self.s33.val() - self.s33.val() - (self.s33.val() - self.t33.val() - signed_cast(self.b33.val()));
if (self.t16.val()) >= signed_cast(unsigned_cast(signed_cast(unsigned_cast(self.s16.val())) - (-32).to_signed_bits::<16>())) - (-85).to_signed_bits::<16>() {
self.l33.next = self.b8.val().replace_bit(6, self.rec.val().flag).get_bits::<33>((self.b3.val() & self.b3.val()).index());
self.l8.next = bit_cast::<8, 5>(self.b5.val()) - bit_cast::<8, 31>(self.b31.val());
} else {
self.t_out.next = self.s33.val();
}
if !((signed_cast(self.b32.val()) + signed_cast(self.c32.val())) < signed_cast(self.b32.val()) - signed_cast(self.c32.val())) {
self.l8.next = self.l8.val() - self.b8.val() + ((self.t16.val()) < self.t16.val());
self.o16.next = bit_cast::<16, 16>(bits::<16>(65534));
} else {
self.o32.next = self.b33.val().get_bits::<32>(self.b4.val().index()) + !self.rec.val().flag;
}
if ((1 << self.b5.val()) + 0x7fffffffffffffff_u64).xor() {
self.o100.next = self.b100.val() | self.b100.val() | bit_cast::<100, 33>(self.l33.val());
self.o1.next = (-self.t16.val()) != self.s16.val() + self.s16.val();
} else {
self.o1.next = (self.t16.val()) != self.t16.val() + self.t16.val();
}
match self.mode.val() {
Mode::Idle => {
self.o32.next = self.b32.val() << 28 >> 9;
}
Mode::Run => {
self.o32.next = (self.c32.val() + 0xb1c96dbb_u64).get_bits::<32>(7);
}
Mode::Halt => {}
}
match (bits::<4>(3) >> self.b1.val()).index() {
0 => {
self.o16.next = bit_cast::<16, 16>(self.c16.val()) | bit_cast::<16, 32>(self.b32.val());
}
3 => {
self.o100.next = self.b100.val() << self.b3.val() | 0x7ffffffffffffffe_u64;
}
7 => {
self.o1.next = (bits::<4>(1) ^ 5).index() < (self.b16.val() >> bits::<4>(1)).index();
}
15 => {
self.t_out.next = self.t33.val();
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 2 + 3) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = bit_cast::<32, 16>(self.b16.val()) + ((self.t16.val()) >= self.t16.val());
}
}

ports!(R28; f0, f1, b1, b3, b4, b5, b8, c8, b16, c16, b31, b32, c32, b33, c33, b64, b100, s16, t16, s33, t33, mode, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R29 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub c8: Signal<In, Bits<8>>,
pub c16: Signal<In, Bits<16>>,
pub b31: Signal<In, Bits<31>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub t8: Signal<In, Signed<8>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R29 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = (self.b8.val() - 226 | (self.c8.val() | self.c8.val())) - bit_cast::<8, 33>(unsigned_cast(self.s33.val()));
self.l33.next = 0xac32eac1_u64 | (self.c33.val() + self.rec.val().flag | 0x1d3492a57_u64);
self.o1.next = (bit_cast::<1, 100>(bit_cast::<100, 32>(bits::<32>(992650811)))) == 0;
self.o16.next = bit_cast::<16, 5>(self.b5.val() & 16) - 0;
self.o32.next = bits::<32>(0xcedfcab3_u64) + self.f1.val() + (self.f1.val() | self.rec.val().flag) + bit_cast::<32, 4>(bit_cast::<4, 8>(bits::<8>(119)));
self.o100.next = bit_cast::<100, 1>(0 + (self.b1.val() + self.f0.val()));
self.t_out.next = signed_cast(bits::<33>(0x1855c5c7c_u64) << 9) + signed_cast(self.l33.val());
if self.b100.val().replace_bit(self.rec.val().tag.index(), self.f1.val()).replace_bit(28, (self.l8.val()) != self.c8.val()).get_bit(46) {
self.o16.next = bits::<16>(32767) + self.rec.val().flag ^ 15228;
self.l33.next = self.c32.val().get_bits::<33>(23) & 0x1ffffffff_u64;
} else {
self.o32.next = self.b100.val().get_bits::<8>(self.b5.val().index()).get_bits::<32>(6);
}
if (!(self.c32.val() & self.c32.val())).get_bit(5) {
self.o100.next = !self.b33.val().get_bits::<100>(9);
self.l33.next = self.l33.val() >> self.b4.val();
} else {
self.o1.next = (self.b64.val().get_bits::<5>(self.b1.val().index())) > 31;
}
if (!(self.b3.val() + 2)).index() < (bit_cast::<16, 31>(self.b31.val()) + bits::<32>(0xffffffff_u64).get_bit(29)).index() {
self.l33.next = self.l33.val().replace_bit(bits::<3>(6).index(), self.f1.val()) + 0;
self.o100.next = (self.b100.val() ^ 0x3fffffffffffffff_u64) >> 92;
} else if (self.b3.val() & 5).index() < bit_cast::<16, 5>(self.b5.val()).index() {
self.t_out.next = -self.t33.val();
} else {
self.o100.next = bit_cast::<100, 100>(bits::<100>(0x3fffffffffffffff_u64)) - self.b100.val().replace_bit(58, self.f1.val());
}
match self.mode.val() {
Mode::Idle => {
self.l8.next = self.b8.val() << self.b4.val() << 8;
}
Mode::Run => {
self.l33.next = unsigned_cast(self.s33.val() - self.s33.val());
}
_ => {}
}
match bit_cast::<4, 5>(self.b5.val()).index() {
0 => {
self.o1.next = self.rec.val().flag & self.f0.val() ^ (self.b8.val().index() < self.b5.val().index());
}
3 => {
self.o32.next = self.b8.val().get_bits::<64>(5).get_bits::<32>((self.b1.val() >> 1).index());
}
7 => {
self.t_out.next = self.s33.val();
}
15 => {
self.o1.next = (-self.t8.val()) > self.t8.val() + self.t8.val();
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 2 + 1) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = self.c16.val().replace_bit(self.b3.val().index(), self.f1.val()) * (self.c16.val() - self.c16.val());
}
}

ports!(R29; f0, f1, b1, b3, b4, b5, b8, c8, c16, b31, c32, b33, c33, b64, b100, t8, s33, t33, mode, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R30 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub c8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b31: Signal<In, Bits<31>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub s8: Signal<In, Signed<8>>,
pub t16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R30 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = bit_cast::<8, 31>(self.c8.val().get_bits::<31>(self.b3.val().index())) + !(self.f0.val() && self.f1.val());
self.l33.next = self.b64.val().get_bits::<33>(60) >> unsigned_cast(self.s8.val()) + ((self.b31.val()) >= 93055023);
self.o1.next = (self.b64.val() << 20).get_bit(48) | ((self.t16.val()) > -self.t16.val());
self.o16.next = (self.c16.val() - 65535).replace_bit(self.b3.val().index(), !self.f0.val()) + (self.c16.val() + bits::<16>(32768)).replace_bit(bit_cast::<3, 5>(bits::<5>(1)).index(), (self.t33.val()) < self.t33.val());
self.o32.next = bit_cast::<32, 32>(bit_cast::<32, 1>(self.b1.val()).get_bits::<32>(self.b1.val().replace_bit(0, self.rec.val().flag).index()));
self.o100.next = self.b100.val();
self.t_out.next = self.s33.val();
if ((0 ^ self.b5.val()) & 2) == 29 ^ self.b5.val() >> 2 {
self.o32.next = 0x80000000_u64 ^ self.c32.val().replace_bit(self.rec.val().tag.index(), self.f1.val());
self.t_out.next = self.s33.val();
} else if (self.b100.val() + self.b100.val()).get_bit(91) {
self.o100.next = self.b100.val();
} else {
self.o100.next = (self.b64.val() + self.rec.val().flag).get_bits::<100>((self.b4.val() + self.f1.val()).index());
}
if ((self.rec.val().tag >> 4) + ((self.b100.val()) > bits::<100>(0x7ffffffffffffffe_u64))) > 3 {
self.o1.next = (self.t16.val() - self.t16.val()) != self.t16.val();
self.o16.next = self.b16.val() + self.b16.val() + self.b64.val().get_bit(self.b3.val().index());
} else {
self.o16.next = self.b16.val() + self.f0.val() + (self.c16.val() + bits::<16>(32767));
}
if (self.b4.val() >> 2) < 0 {
self.l8.next = (self.rec.val().data | bits::<8>(0)).replace_bit(1, (signed_cast(self.b32.val())) < signed_cast(self.b32.val()));
self.o16.next = self.b16.val() >> 0;
} else if (self.b8.val() + self.f0.val()) < bit_cast::<8, 100>(self.b100.val()) {
self.l8.next = (!self.l33.val()).get_bits::<8>(30);
} else {
self.o16.next = bit_cast::<16, 8>(self.rec.val().data) - (self.b16.val() | 57344);
}
match self.mode.val() {
Mode::Idle => {
self.t_out.next = self.s33.val() + self.s33.val();
}
Mode::Run => {
self.o32.next = bits::<32>(439355631) + self.f1.val() >> 21;
}
_ => {}
}
match (!self.b4.val()).index() {
0 => {
self.o16.next = (self.c16.val() >> self.l8.val()) + !self.rec.val().flag;
}
3 => {
self.l33.next = bit_cast::<33, 32>(self.b32.val()) + ((self.b3.val()) != 4);
}
7 => {
self.o1.next = self.b3.val().replace_bit(1, self.f1.val()).index() < self.rec.val().data.get_bits::<16>(self.b1.val().index()).index();
}
15 => {
self.t_out.next = -self.t33.val() - (self.t33.val() + self.s33.val());
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 3 + 0) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = self.b32.val() + self.c33.val().get_bits::<32>(self.b1.val().index());
}
}

ports!(R30; f0, f1, b1, b3, b4, b5, b8, c8, b16, c16, b31, b32, c32, c33, b64, b100, s8, t16, s33, t33, mode, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R31 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b31: Signal<In, Bits<31>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub s16: Signal<In, Signed<16>>,
pub t16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R31 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = self.b8.val().replace_bit((self.b3.val() - self.b3.val() ^ 6).index(), (bits::<8>(128).get_bits::<100>(4)) >= bit_cast::<100, 5>(self.b5.val()));
self.l33.next = (self.b100.val().replace_bit(self.b3.val().index(), self.f0.val()) ^ self.b100.val() << 96).get_bits::<33>((self.rec.val().tag >> 4 ^ self.rec.val().tag.replace_bit(0, self.rec.val().flag)).index());
self.o1.next = (self.b31.val() << self.b4.val() | self.b31.val() ^ self.b31.val()) > self.b31.val() + self.rec.val().flag + self.b31.val();
self.o16.next = bit_cast::<16, 33>(bit_cast::<33, 4>(self.b4.val().replace_bit(3, self.f1.val())));
self.o32.next = 0xe2cb9237_u64 ^ (self.b16.val() & 32767) * (self.b16.val() << 3);
self.o100.next = self.b33.val().get_bits::<100>(self.b3.val().index()) + (self.b100.val() - self.b100.val()) | self.b100.val();
self.t_out.next = self.s33.val();
if (1 - (self.b100.val() - self.b100.val())).get_bit(56) {
self.o16.next = (bits::<16>(52193) >> 4).replace_bit(7, (bits::<1>(1)) >= 0);
self.o16.next = self.b64.val().get_bits::<16>(0).replace_bit((self.b3.val() << 4).index(), (self.t16.val()) >= self.s16.val());
} else if (self.b16.val().replace_bit(5, self.rec.val().flag)) < !self.b16.val() {
self.t_out.next = self.t33.val();
} else {
self.o100.next = !(1 | self.b100.val());
}
if (signed_cast(self.c16.val()) + (signed_cast(unsigned_cast(self.s16.val())) - (-50).to_signed_bits::<16>())) >= signed_cast(self.c16.val() ^ 1) {
self.o32.next = bit_cast::<32, 100>(self.b100.val()) + 0xfffffffe_u64;
self.o100.next = 0x4000000000000000_u64 | self.b100.val().replace_bit(38, self.rec.val().flag);
} else if (self.b3.val()) >= self.b3.val() {
self.o1.next = self.b1.val().xor();
} else {
self.o100.next = self.b100.val() - self.b100.val() | self.b100.val() - bits::<100>(0x4000000000000000_u64);
}
if self.mode.val() != Mode::Idle {
self.l33.next = !(self.l33.val() >> bits::<1>(1));
self.o100.next = self.b64.val().get_bits::<100>(9) | self.b100.val().replace_bit(self.b3.val().index(), self.rec.val().flag);
} else if (self.b31.val() + 1073741823) <= self.b31.val() + self.f0.val() {
self.o32.next = (self.c32.val() << self.b8.val()) + ((self.t33.val()) < self.s33.val());
} else {
self.o16.next = self.b16.val();
}
match self.mode.val() {
Mode::Idle => {
self.o16.next = bit_cast::<16, 33>(self.l33.val()) >> self.rec.val().tag - self.rec.val().tag;
}
Mode::Run => {
self.o32.next = bit_cast::<32, 16>(bits::<16>(41059)).replace_bit(self.b3.val().index(), (self.c32.val()) != self.c32.val());
}
Mode::Halt => {}
}
match (self.b4.val() >> 3).index() {
0 => {
self.l8.next = 128 + self.b8.val();
}
3 => {
self.t_out.next = signed_cast(self.b16.val().get_bits::<33>(self.rec.val().tag.index()));
}
7 => {
self.o1.next = (bit_cast::<3, 3>(self.b3.val())) <= self.b3.val() | self.rec.val().tag;
}
15 => {
self.o32.next = bit_cast::<32, 4>(15 + self.b4.val());
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 1 + 0) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = bit_cast::<32, 100>(!self.b100.val());
}
}

ports!(R31; f0, f1, b1, b3, b4, b5, b8, b16, c16, b31, c32, b33, b64, b100, s16, t16, s33, t33, mode, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R32 {
pub f0: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub c8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b31: Signal<In, Bits<31>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub s16: Signal<In, Signed<16>>,
pub t16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R32 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = 189 & !!self.c8.val();
self.l33.next = self.b33.val() << self.b5.val() << bit_cast::<1, 5>(self.b5.val()) & (self.b33.val() | 0x1fffffffe_u64) << 2;
self.o1.next = ((self.rec.val().tag | bits::<3>(1)) & 1) >= 7;
self.o16.next = unsigned_cast(self.t16.val() + self.s16.val()) - (self.b64.val().get_bits::<16>(57) + 2300);
self.o32.next = bit_cast::<32, 8>(bit_cast::<8, 31>(self.b31.val()) - 95);
self.o100.next = !(!self.b100.val()).replace_bit(71, (self.b8.val()) < self.b8.val());
self.t_out.next = self.t33.val();
if (self.c32.val() - self.b32.val()).get_bit(31) && self.mode.val() != Mode::Halt {
self.o16.next = !(self.b16.val() + self.rec.val().flag);
self.o32.next = self.b32.val();
} else {
self.o100.next = self.b100.val().get_bits::<100>(self.b4.val().index()) & self.b100.val() << self.b5.val();
}
if (self.b100.val().get_bits::<8>(40).get_bits::<3>(4)) < 6 {
self.o1.next = (self.b32.val() | bits::<32>(0xabcb44ae_u64)) != bit_cast::<32, 32>(self.c32.val());
self.l33.next = 0x1ffffffff_u64 + !bits::<33>(0x14dc5c73e_u64);
} else {
self.t_out.next = self.s33.val();
}
if (-(self.s16.val() - self.s16.val())) > signed_cast(bit_cast::<16, 5>(self.b5.val())) {
self.l33.next = (self.l33.val() - 1142007822).get_bits::<33>(14);
self.l8.next = bit_cast::<8, 4>(bits::<4>(0) + self.f0.val());
} else if self.mode.val() != Mode::Idle {
self.o100.next = 0x4939c5f7fdc50fa3_u64 & !self.b100.val();
} else {
self.o100.next = self.b100.val() << 0 ^ 0x1da366a7d725acb5_u64;
}
match self.mode.val() {
Mode::Idle => {
self.o1.next = (signed_cast(self.b32.val())) < signed_cast(self.c32.val()) || (self.b31.val()) == self.b31.val();
}
Mode::Run => {
self.o100.next = !(self.b100.val() + 0x658dbbcf011676dd_u64);
}
_ => {}
}
match (!self.b4.val()).index() {
0 => {
self.l8.next = self.c16.val().get_bits::<8>(10) >> (self.b1.val() >> 0);
}
3 => {
self.l8.next = (self.c32.val() ^ self.b32.val()).get_bits::<8>(15);
}
7 => {
self.o100.next = (self.b100.val() >> bits::<1>(0)).replace_bit(21, (self.s16.val()) != self.s16.val());
}
15 => {
self.l33.next = self.b33.val() + 0x1fffffffe_u64 + (self.l33.val() & self.l33.val());
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 1 + 1) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = self.c8.val().get_bits::<32>(5) - (self.c32.val() + self.c32.val());
}
}

ports!(R32; f0, b1, b4, b5, b8, c8, b16, c16, b31, b32, c32, b33, b64, b100, s16, t16, s33, t33, mode, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R33 {
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub c16: Signal<In, Bits<16>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub s8: Signal<In, Signed<8>>,
pub t8: Signal<In, Signed<8>>,
pub s16: Signal<In, Signed<16>>,
pub t16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R33 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = self.b8.val() & (self.b8.val() >> self.b4.val() & 22);
self.l33.next = (!self.c16.val()).get_bits::<33>((self.b3.val() + 5).index()) << bits::<1>(1);
self.o1.next = ((bits::<16>(35454) + self.c16.val()).replace_bit(bit_cast::<3, 100>(self.b100.val()).index(), bits::<100>(0x4000000000000000_u64).get_bit(self.b4.val().index()))) <= 53894;
self.o16.next = bit_cast::<16, 8>(self.b8.val() + self.b8.val() | 128);
self.o32.next = self.b32.val().replace_bit((self.b33.val().get_bits::<3>(10) | 6).index(), (signed_cast(unsigned_cast(self.t8.val())) - (-97).to_signed_bits::<8>()) <= self.s8.val());
self.o100.next = self.b100.val() + 0x7fffffffffffffff_u64 >> 16 << bit_cast::<8, 32>(self.c32.val() >> 16);
self.t_out.next = -signed_cast(0x1fffffffe_u64 - self.l33.val());
if ((self.s33.val()) != self.t33.val()) | (self.rec.val().tag.index() < self.b5.val().index()) && (self.l8.val() >> self.b3.val()).all() {
self.l8.next = (self.b8.val() | 254) + ((self.t8.val()) > self.t8.val());
self.o32.next = bit_cast::<32, 8>(self.l8.val().replace_bit(self.b3.val().index(), self.rec.val().flag));
} else {
self.o32.next = (self.c16.val() << 15).get_bits::<32>((self.b1.val() >> self.b1.val()).index());
}
if bit_cast::<33, 16>(32767 ^ self.c16.val()).all() {
self.o100.next = bit_cast::<100, 1>(self.b1.val() ^ self.b1.val());
self.o1.next = (self.c16.val() + self.c16.val()) < 1;
} else if (self.b100.val().get_bits::<5>(93)) != self.b5.val() - self.b5.val() {
self.o16.next = (17623 | self.c16.val()) >> self.b1.val() + bits::<1>(1);
} else {
self.o16.next = bit_cast::<16, 1>(self.b1.val()) >> !self.b5.val();
}
if (!bits::<64>(0x7ffffffffffffffe_u64) - 0x31a668c04cd73cdf_u64) <= 0x4a684be837a4a809_u64 {
self.o1.next = (signed_cast(self.b8.val())) >= signed_cast(unsigned_cast(self.t8.val())) - (-72).to_signed_bits::<8>();
self.l33.next = bit_cast::<33, 16>(self.c16.val()) & self.b33.val().replace_bit(3, self.f1.val());
} else {
self.o32.next = self.c16.val() * (self.c16.val() << self.b4.val());
}
match self.mode.val() {
Mode::Idle => {
self.l33.next = bit_cast::<33, 4>(self.b4.val());
}
Mode::Run => {
self.o1.next = (self.s8.val()) != signed_cast(bits::<8>(0));
}
Mode::Halt => {}
}
match (self.b4.val() << self.b5.val()).index() {
0 => {
self.o16.next = unsigned_cast(-self.t16.val());
}
3 => {
self.t_out.next = self.s33.val() + self.s33.val() + self.s33.val();
}
7 => {
self.o1.next = (signed_cast(self.b32.val())) != signed_cast(bits::<32>(2147483647)) + signed_cast(self.c32.val());
}
15 => {
self.o1.next = (signed_cast(unsigned_cast(self.s16.val())) - (-47).to_signed_bits::<16>()) >= self.s16.val();
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 1 + 1) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = (self.b64.val() ^ 0x3fffffffffffffff_u64).get_bits::<32>(self.b1.val().index());
}
}

ports!(R33; f1, b1, b3, b4, b5, b8, c16, b32, c32, b33, b64, b100, s8, t8, s16, t16, s33, t33, mode, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R34 {
pub f0: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub c8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub s8: Signal<In, Signed<8>>,
pub t8: Signal<In, Signed<8>>,
pub t16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R34 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = unsigned_cast(signed_cast(self.b8.val() + 147));
self.l33.next = bit_cast::<33, 1>(0 ^ self.b1.val() & self.b1.val());
self.o1.next = (-self.t16.val() + signed_cast(self.c16.val())) == self.t16.val() + (signed_cast(unsigned_cast(self.t16.val())) - (-66).to_signed_bits::<16>());
self.o16.next = 7153 ^ self.c16.val();
self.o32.next = 0xffffffff_u64 - (self.c32.val() ^ self.b32.val()) & 0x96c118ea_u64;
self.o100.next = bit_cast::<100, 8>(bit_cast::<8, 8>(self.c8.val()).replace_bit(4, (bits::<5>(30)) != 3));
self.t_out.next = self.t33.val();
if ((self.b16.val() << self.b1.val()) * unsigned_cast(self.t16.val())).get_bit((!self.b1.val() - (self.b1.val() << self.b5.val())).index()) {
self.o32.next = bit_cast::<32, 3>(6 | self.b3.val());
self.o32.next = (2147483647 | self.c32.val()) + (self.f0.val() || self.f0.val());
} else {
self.l8.next = !unsigned_cast(self.s8.val());
}
if (bit_cast::<1, 16>(self.b16.val()) & 0) <= !bits::<1>(0) {
self.o16.next = self.b16.val() + (self.c16.val() >> 10);
self.l8.next = bit_cast::<8, 33>(self.c33.val()) << (2 ^ self.rec.val().tag);
} else {
self.t_out.next = self.s33.val();
}
if (signed_cast(unsigned_cast(-self.t8.val())) - (-11).to_signed_bits::<8>()) != signed_cast(unsigned_cast(self.s8.val())) {
self.l33.next = self.b64.val().get_bits::<33>(self.b3.val().index()) + ((self.b64.val()) == 0x2a090170e7eda02d_u64);
self.t_out.next = self.s33.val() + self.s33.val() - self.s33.val();
} else {
self.o1.next = (self.rec.val().tag) > 3 - self.b3.val();
}
match self.mode.val() {
Mode::Idle => {
self.o1.next = !((self.b100.val()) >= self.b100.val());
}
Mode::Run => {
self.l8.next = (self.rec.val().data ^ 0) + self.l8.val().get_bits::<8>(5);
}
_ => {}
}
match (self.b4.val() >> 4).index() {
0 => {
self.t_out.next = --self.s33.val();
}
3 => {
self.o1.next = bit_cast::<32, 64>(self.b64.val()).all();
}
7 => {
self.l33.next = self.b33.val();
}
15 => {
self.t_out.next = signed_cast(self.l33.val() & 1);
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 2 + 3) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = bit_cast::<32, 33>(self.l33.val()) >> bits::<4>(14);
}
}

ports!(R34; f0, b1, b3, b4, b5, b8, c8, b16, c16, b32, c32, b33, c33, b64, b100, s8, t8, t16, s33, t33, mode, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R35 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub c8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub t16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub last: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R35 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = bit_cast::<32, 33>(self.c33.val()).get_bits::<8>(18).replace_bit((self.c16.val().get_bits::<3>(11) - bit_cast::<3, 33>(self.c33.val())).index(), self.c16.val().xor() & (self.f1.val() ^ self.rec.val().flag));
self.l33.next = self.c33.val();
self.o1.next = (13 + self.b4.val() & 7).index() < (self.c16.val().get_bits::<5>(self.b4.val().index()) | bits::<5>(23).replace_bit(4, self.rec.val().flag)).index();
self.o16.next = bit_cast::<16, 64>(self.b64.val()) + (32767 & self.b16.val()) ^ 57703;
self.o32.next = !!self.b32.val();
self.o100.next = self.b100.val() + self.f0.val() & self.b100.val().get_bits::<100>(self.b5.val().index()) ^ 0x2ac388f362a865c0_u64;
self.t_out.next = self.t33.val() - (signed_cast(bits::<33>(0x9b1161cd_u64)) - (self.t33.val() + self.s33.val()));
if (bit_cast::<4, 4>(8 - bits::<4>(15))) <= bits::<4>(8) + bits::<4>(4) | self.c33.val().get_bits::<4>(19) {
self.o32.next = (self.b16.val() - self.c16.val()).get_bits::<32>(14);
self.t_out.next = self.t33.val() + self.s33.val() + self.t33.val();
} else {
self.o1.next = self.mode.val() != self.last.val();
}
if self.c16.val().replace_bit(bits::<3>(7).index(), self.rec.val().flag).get_bits::<1>((self.b1.val() - 1).index()).xor() {
self.o1.next = (bits::<4>(15) + 10).index() < (bits::<5>(16) << self.b4.val()).index();
self.o32.next = 0xffffffff_u64 + (self.c32.val() - bits::<32>(0x80000000_u64));
} else if (self.l33.val()) <= bits::<33>(0x1ffffffff_u64) && self.f0.val() | self.f1.val() {
self.o1.next = self.c16.val().get_bit(self.b8.val().get_bits::<1>(0).index());
} else {
self.o1.next = (self.t16.val()) <= signed_cast(self.b16.val());
}
if (bit_cast::<64, 5>(self.b5.val()).get_bits::<4>(48)) <= bit_cast::<4, 100>(bits::<100>(1)) << bit_cast::<4, 5>(self.b5.val()) {
self.l33.next = self.b100.val().get_bits::<33>(34) ^ (self.c33.val() ^ 0);
self.o16.next = (!self.b64.val()).get_bits::<16>((self.b4.val() + 15).index());
} else {
self.o32.next = self.c32.val() >> 1 | 1;
}
match self.mode.val() {
Mode::Idle => {
self.l8.next = self.l8.val().replace_bit(5, self.f1.val()) - (self.rec.val().data | self.l8.val());
}
Mode::Run => {
self.o16.next = !self.b16.val() + (65535 - self.c16.val());
}
Mode::Halt => {}
}
match self.b4.val().index() {
0 => {
self.o1.next = (bits::<4>(8) + self.f0.val()).index() < bit_cast::<5, 3>(self.b3.val()).index();
}
3 => {
self.o32.next = (self.c8.val() | self.l8.val()).get_bits::<32>(5);
}
7 => {
self.l8.next = self.l8.val() >> 2 & !self.c8.val();
}
15 => {
self.o32.next = (0x15affd4523cee89e_u64 - self.b100.val()).get_bits::<32>((self.b1.val() + self.b1.val()).index());
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 2 + 3) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = self.b32.val();
}
}

ports!(R35; f0, f1, b1, b3, b4, b5, b8, c8, b16, c16, b32, c32, c33, b64, b100, t16, s33, t33, mode, last, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R36 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub s16: Signal<In, Signed<16>>,
pub t16: Signal<In, Signed<16>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R36 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = 254 ^ self.b8.val() << self.b1.val() & !self.rec.val().data;
self.l33.next = (!self.rec.val().data).get_bits::<33>((self.rec.val().tag & self.b3.val()).index()).replace_bit((0 ^ bits::<3>(4) + bits::<3>(6)).index(), bit_cast::<33, 4>(bits::<4>(7)).get_bit(0));
self.o1.next = (self.f0.val() || self.f0.val()) & !self.f0.val() & ((bits::<5>(15) >> 1) == self.b5.val().replace_bit(4, self.rec.val().flag));
self.o16.next = 32768 ^ (unsigned_cast(self.t16.val()) ^ 53806);
self.o32.next = (self.b32.val() << self.b1.val()) + 0xffffffff_u64 - 0xfffffffe_u64;
self.o100.next = bit_cast::<100, 32>((1604990267 | self.c32.val()).get_bits::<32>((self.b4.val() | self.b4.val()).index()));
self.t_out.next = self.t33.val();
if self.mode.val() == Mode::Halt {
self.l33.next = self.b100.val().get_bits::<33>(61) | self.b33.val().replace_bit(20, self.rec.val().flag);
self.o1.next = (self.l33.val() + self.f1.val()).get_bit(6);
} else if ((self.b100.val()) <= self.b100.val()) ^ self.f0.val() & self.f0.val() {
self.o1.next = !((bits::<8>(72)) <= 0);
} else {
self.l33.next = self.b33.val();
}
if (!(1 << self.b5.val())) >= 0 {
self.t_out.next = self.t33.val();
self.o1.next = !(self.mode.val() == Mode::Halt);
} else if (self.b4.val() << self.b5.val()) == self.b4.val() & bits::<4>(7) {
self.l33.next = !(self.c33.val() | self.l33.val());
} else {
self.o32.next = self.b16.val().get_bits::<32>(7) >> 9;
}
if !((self.b4.val()) >= 9) {
self.t_out.next = self.t33.val();
self.l33.next = self.b33.val();
} else if bits::<32>(0xb5426185_u64).get_bit(self.b1.val().index()) | ((self.b32.val()) <= self.c32.val()) {
self.l8.next = 151 + !self.l8.val();
} else {
self.o16.next = bit_cast::<16, 100>(0x4000000000000000_u64 ^ self.b100.val());
}
match self.mode.val() {
Mode::Idle => {
self.o16.next = unsigned_cast(self.s16.val()) << bit_cast::<3, 33>(self.l33.val());
}
Mode::Run => {
self.o16.next = self.c16.val() >> 14 & bits::<16>(37907) + 0;
}
Mode::Halt => {}
}
match (10 + self.b4.val()).index() {
0 => {
self.o32.next = self.b32.val().replace_bit(self.b3.val().index(), self.f0.val()) ^ 0xffffffff_u64;
}
3 => {
self.o1.next = (self.b64.val()) >= self.b64.val() || (self.b4.val()) >= self.b4.val();
}
7 => {
self.o100.next = bit_cast::<100, 1>(self.b1.val() & self.b1.val());
}
15 => {
self.o1.next = bits::<3>(0).index() < self.l33.val().get_bits::<16>(0).index();
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 2 + 2) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = self.b16.val() * self.b16.val() + bits::<8>(188).get_bit(self.b1.val().index());
}
}

ports!(R36; f0, f1, b1, b3, b4, b5, b8, b16, c16, b32, c32, b33, c33, b64, b100, s16, t16, t33, mode, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R37 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub c8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub t16: Signal<In, Signed<16>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R37 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = (self.c16.val() << 4).get_bits::<33>((self.rec.val().tag << 1).index()).get_bits::<8>((0 | self.b4.val() - 8).index());
self.l33.next = 964255190 & 1 - (bits::<33>(0x13cb26648_u64) + 0x1fffffffe_u64);
self.o1.next = (!bits::<8>(128) | self.l33.val().get_bits::<8>(self.rec.val().tag.index())).index() < (!bit_cast::<16, 100>(self.b100.val())).index();
self.o16.next = bit_cast::<16, 4>(15 | self.b4.val().replace_bit(2, self.rec.val().flag));
self.o32.next = self.c8.val().get_bits::<32>(self.rec.val().tag.index()).replace_bit(1, self.b4.val().index() < self.b5.val().index()) << 27;
self.o100.next = (self.b32.val().get_bits::<100>(self.b4.val().index()) + (self.l8.val().index() < self.b16.val().index())).replace_bit(bit_cast::<3, 1>(bits::<1>(0) & self.b1.val()).index(), (self.t16.val() * self.t16.val()) != self.t16.val() * self.t16.val());
self.t_out.next = self.t33.val();
if (!self.b64.val() + (0x541afa5453b53749_u64 - self.b64.val())) <= (bits::<8>(222) & self.l8.val()).get_bits::<64>(8) {
self.o100.next = (self.b100.val() << self.b5.val()) + self.b33.val().get_bit(4);
self.t_out.next = signed_cast(self.c33.val()) + signed_cast(self.b33.val());
} else {
self.l33.next = (self.b33.val() - self.c33.val()).replace_bit(17, self.rec.val().flag ^ self.f1.val());
}
if !(self.mode.val() == Mode::Idle) || self.mode.val() == Mode::Run {
self.o16.next = self.b16.val();
self.t_out.next = -self.t33.val();
} else {
self.l8.next = (self.c8.val() - 128).replace_bit(2, self.mode.val() == Mode::Idle);
}
if !(self.b64.val() >> 27).get_bit(49) {
self.t_out.next = signed_cast(self.b33.val() + self.b33.val());
self.o16.next = 32767 + (self.c16.val() | 40915);
} else if (self.b100.val()) < !self.b100.val() {
self.l33.next = self.c33.val();
} else {
self.o32.next = bit_cast::<32, 64>(bit_cast::<64, 5>(self.b5.val()));
}
match self.mode.val() {
Mode::Idle => {
self.o100.next = bit_cast::<100, 32>(self.b32.val());
}
Mode::Run => {
self.o100.next = self.b100.val() >> 62;
}
_ => {}
}
match bit_cast::<4, 16>(self.b16.val()).index() {
0 => {
self.t_out.next = -self.t33.val();
}
3 => {
self.l33.next = bit_cast::<33, 5>(self.b5.val()) | bit_cast::<33, 8>(self.b8.val());
}
7 => {
self.o32.next = (32768 & self.b16.val()).get_bits::<32>(self.b1.val().replace_bit(0, self.f0.val()).index());
}
15 => {
self.l33.next = self.b33.val() + self.c33.val() + 0x82a6988d_u64;
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 1 + 1) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = self.c32.val() + bits::<32>(0xffffffff_u64) & !self.b32.val();
}
}

ports!(R37; f0, f1, b1, b4, b5, b8, c8, b16, c16, b32, c32, b33, c33, b64, b100, t16, t33, mode, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R38 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub s8: Signal<In, Signed<8>>,
pub t8: Signal<In, Signed<8>>,
pub s16: Signal<In, Signed<16>>,
pub t16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R38 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = (bit_cast::<64, 33>(self.c33.val()) + !self.b64.val()).get_bits::<8>(self.b3.val().index());
self.l33.next = (self.b100.val() ^ 0x391b62b8809df7c0_u64).get_bits::<33>(57) ^ 1 - bits::<33>(0x1ef1fe058_u64).get_bits::<33>(self.b3.val().index());
self.o1.next = self.mode.val() != Mode::Idle;
self.o16.next = unsigned_cast(signed_cast(self.b16.val()) + -self.s16.val());
self.o32.next = bit_cast::<16, 1>(bits::<1>(1)) * self.b16.val() >> (0 & self.b1.val() << self.b5.val());
self.o100.next = (self.b100.val() - 0x6114b88dca0a3c08_u64 << 21).replace_bit(26, self.mode.val() != Mode::Halt);
self.t_out.next = signed_cast(0x134d4a66f_u64 - self.l33.val().replace_bit(self.b3.val().index(), self.rec.val().flag));
if !(self.f0.val() || self.rec.val().flag || (self.b16.val()) > self.b16.val()) {
self.o32.next = !(self.c32.val() << 20);
self.t_out.next = signed_cast(self.l33.val() & 1758062987);
} else {
self.o16.next = 0 | bits::<16>(12182) + 61770;
}
if ((self.b32.val() + self.c32.val()).get_bits::<100>(3)) <= 0x7fffffffffffffff_u64 {
self.o16.next = (self.c16.val() >> self.b8.val()) + bit_cast::<16, 64>(self.b64.val());
self.l8.next = self.b8.val().get_bits::<8>(1) >> 8;
} else {
self.o100.next = self.b100.val().replace_bit(self.b3.val().index(), self.f1.val()).replace_bit(81, (self.t16.val()) != self.s16.val());
}
if self.b16.val().get_bit((self.b4.val() | self.b4.val()).replace_bit(3, self.b3.val().index() < self.b5.val().index()).index()) {
self.t_out.next = self.s33.val();
self.o32.next = bits::<16>(1) * self.b16.val() + (self.c32.val() - self.b32.val());
} else {
self.o16.next = self.c16.val().replace_bit(self.b3.val().index(), self.rec.val().flag) << 6;
}
match self.mode.val() {
Mode::Idle => {
self.o32.next = bit_cast::<32, 100>(!self.b100.val());
}
Mode::Run => {
self.o1.next = (self.t8.val()) >= self.s8.val() || (signed_cast(self.b32.val())) <= signed_cast(self.c32.val());
}
Mode::Halt => {}
}
match (self.b4.val() | self.b4.val()).index() {
0 => {
self.l33.next = bit_cast::<33, 100>(self.b100.val()) + bit_cast::<33, 1>(self.b1.val());
}
3 => {
self.l33.next = self.l33.val();
}
7 => {
self.o1.next = !(self.b4.val().index() < self.c16.val().index());
}
15 => {
self.o1.next = (self.c33.val()) <= self.c33.val() + self.l33.val();
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 1 + 1) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = self.l33.val().get_bits::<32>(15).get_bits::<32>(26);
}
}

ports!(R38; f0, f1, b1, b3, b4, b5, b8, b16, c16, b32, c32, c33, b64, b100, s8, t8, s16, t16, s33, mode, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R39 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b4: Signal<In, Bits<4>>,
pub b8: Signal<In, Bits<8>>,
pub c8: Signal<In, Bits<8>>,
pub c16: Signal<In, Bits<16>>,
pub b31: Signal<In, Bits<31>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b100: Signal<In, Bits<100>>,
pub s16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub last: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R39 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = ((self.rec.val().data | self.b8.val()) >> 8) - (!self.c8.val() << 4);
self.l33.next = (self.b100.val() - self.b100.val() | 0x451dca0aee4f31c_u64).get_bits::<33>(66);
self.o1.next = (self.b32.val()) < bit_cast::<32, 64>(bit_cast::<64, 3>(self.rec.val().tag));
self.o16.next = (self.rec.val().data & 127).get_bits::<16>(3).get_bits::<16>(bit_cast::<3, 8>(self.b8.val() | self.l8.val()).index());
self.o32.next = 1633618199 & 1 + self.b32.val() - 0xecab4b3f_u64;
self.o100.next = bits::<100>(0x7fffffffffffffff_u64);
self.t_out.next = signed_cast(!bit_cast::<33, 4>(self.b4.val()));
if !(self.mode.val() != self.last.val()) {
self.o100.next = bit_cast::<100, 8>(self.b8.val() << self.b4.val());
self.o100.next = bits::<100>(0x48d384434b07215a_u64);
} else {
self.l33.next = 502627787 - bit_cast::<33, 31>(self.b31.val());
}
if (0x70e9b4bf39a5473f_u64 + !bits::<100>(0x30fd3e50d92c33cb_u64)).get_bit(6) {
self.o16.next = !self.c16.val().replace_bit(bits::<3>(7).index(), self.f1.val());
self.o16.next = self.c16.val() << 4 >> 4;
} else {
self.o1.next = self.l8.val().get_bits::<8>(3).any();
}
if (signed_cast(unsigned_cast(self.t33.val()))) >= self.s33.val() + self.s33.val() - (self.t33.val() + self.t33.val()) {
self.l33.next = self.c33.val() + self.f0.val() ^ 0 + self.b33.val();
self.o32.next = self.c32.val();
} else {
self.o100.next = bit_cast::<100, 100>(self.b100.val() << 98);
}
match self.mode.val() {
Mode::Idle => {
self.o16.next = bit_cast::<16, 1>(self.b1.val()) | 52842 ^ self.c16.val();
}
Mode::Run => {
self.o100.next = 1 & (self.b100.val() ^ 0x7ffffffffffffffe_u64);
}
_ => {}
}
match self.c8.val().get_bits::<4>(7).index() {
0 => {
self.o1.next = (self.b4.val() & self.b4.val()).index() < bit_cast::<16, 100>(self.b100.val()).index();
}
3 => {
self.l33.next = bit_cast::<33, 32>(self.b32.val() & 2078899599);
}
7 => {
self.o32.next = (self.c16.val() << self.b1.val()) * unsigned_cast(self.s16.val());
}
15 => {
self.l33.next = bit_cast::<33, 8>(self.c8.val());
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 2 + 3) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = (self.c32.val() | bits::<32>(0x9795d60a_u64)) & 72056213;
}
}

ports!(R39; f0, f1, b1, b4, b8, c8, c16, b31, b32, c32, b33, c33, b100, s16, s33, t33, mode, last, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R40 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub c8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub s8: Signal<In, Signed<8>>,
pub t8: Signal<In, Signed<8>>,
pub s16: Signal<In, Signed<16>>,
pub t16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R40 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = self.b8.val();
self.l33.next = bit_cast::<33, 4>(bits::<4>(1)) >> 23 << 14;
self.o1.next = (bits::<1>(1)) >= 0 ^ (self.b1.val() ^ 1);
self.o16.next = bit_cast::<16, 4>((self.b4.val() ^ 7) + (self.b4.val() + self.f0.val()));
self.o32.next = self.b64.val().get_bits::<32>(44) + self.c32.val() ^ self.b16.val().replace_bit(3, self.f1.val()) * self.b64.val().get_bits::<16>(29);
self.o100.next = bit_cast::<8, 3>(self.b3.val()).get_bits::<100>(8) & 0x51972803741c2d72_u64;
self.t_out.next = -(self.t33.val() - self.t33.val());
if !(bit_cast::<3, 16>(self.c16.val()).index() < (self.c16.val() + 31232).index()) {
self.t_out.next = -self.s33.val() + self.t33.val();
self.o1.next = (self.s8.val()) >= self.t8.val();
} else {
self.t_out.next = self.s33.val();
}
if (bit_cast::<3, 4>(self.b4.val()) + (7 ^ self.b3.val())).index() < (!(self.b5.val() >> self.l8.val())).index() {
self.t_out.next = self.t33.val() - self.t33.val() - self.s33.val();
self.o100.next = !self.b100.val() - 0x7780fde9cfc2665d_u64;
} else {
self.o100.next = self.b100.val() >> self.b1.val() << 55;
}
if (unsigned_cast(self.s33.val()) | 0xffffffff_u64).get_bit((4 | self.b3.val()).index()) {
self.l8.next = bit_cast::<8, 8>(self.b8.val()).replace_bit(1, (self.b3.val()) == self.b3.val());
self.l8.next = 127 | self.b8.val() | 127;
} else {
self.t_out.next = signed_cast(!self.l33.val());
}
match self.mode.val() {
Mode::Idle => {
self.o1.next = ((self.b64.val()) != self.b64.val()) ^ ((self.t16.val()) < self.s16.val());
}
Mode::Run => {
self.l33.next = unsigned_cast(signed_cast(self.b33.val()));
}
Mode::Halt => {}
}
match (self.b4.val() + self.f1.val()).index() {
0 => {
self.o1.next = (signed_cast(self.rec.val().data)) > signed_cast(unsigned_cast(self.s8.val())) - (-79).to_signed_bits::<8>();
}
3 => {
self.l8.next = 137 ^ self.c8.val() + self.c8.val();
}
7 => {
self.o32.next = self.c32.val() & 0x8d81e38e_u64;
}
15 => {
self.o100.next = bit_cast::<100, 4>(bits::<4>(15) >> 0);
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 1 + 2) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = bit_cast::<32, 3>(self.b3.val()) ^ 0x80000000_u64;
}
}

ports!(R40; f0, f1, b1, b3, b4, b5, b8, c8, b16, c16, c32, b33, b64, b100, s8, t8, s16, t16, s33, t33, mode, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R41 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b31: Signal<In, Bits<31>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub s8: Signal<In, Signed<8>>,
pub s16: Signal<In, Signed<16>>,
pub t16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R41 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = self.b8.val() | !bits::<8>(1) + self.b100.val().get_bits::<8>(14);
self.l33.next = (!self.b32.val().get_bits::<32>(self.b4.val().index())).get_bits::<33>(8);
self.o1.next = ((self.b64.val()) >= self.b64.val() || (self.c16.val()) >= 65534) & (self.b1.val().any() || (bits::<100>(0x27bda8744aa7d2d9_u64)) == 1);
self.o16.next = !(self.c16.val() >> self.b3.val() << 13);
self.o32.next = (self.c33.val() | self.c33.val()).get_bits::<32>((5 + self.b3.val()).index()).replace_bit(bit_cast::<3, 32>(self.b32.val() + self.b32.val()).index(), (self.b100.val() - 1) > self.b100.val() >> 3);
self.o100.next = !((self.b100.val() & self.b100.val()) << 70);
self.t_out.next = self.s33.val();
if (bits::<100>(0x4000000000000000_u64).replace_bit(14, self.rec.val().flag) & 0x20fb336f9d3a5e36_u64).get_bit(55) {
self.o16.next = (self.c16.val() - self.b16.val()).replace_bit(10, (self.s16.val()) == self.t16.val());
self.l33.next = self.c33.val() - self.l33.val() ^ self.c33.val();
} else if (0x100000000_u64 | self.b33.val()).get_bit(30) {
self.o100.next = self.b100.val();
} else {
self.o32.next = bit_cast::<32, 31>(self.b31.val()) | (self.c32.val() | 0xfffffffe_u64);
}
if self.b4.val().xor() {
self.l33.next = !(self.b33.val() + 0xefc8462c_u64);
self.o32.next = (self.c32.val() ^ self.c32.val()).replace_bit((self.b3.val() + self.b3.val()).index(), (self.rec.val().tag) == self.b3.val());
} else {
self.l8.next = 1 + bit_cast::<8, 4>(self.b4.val());
}
if ((1 & self.b100.val()) >> unsigned_cast(self.s8.val())).get_bit((self.b1.val() >> self.b1.val() | (self.b1.val() | self.b1.val())).index()) {
self.o100.next = (self.b100.val() & 0x7ffffffffffffffe_u64) + 1;
self.t_out.next = --self.s33.val();
} else if !self.rec.val().flag & (self.f1.val() || self.f1.val()) {
self.l8.next = 127 + !self.l8.val();
} else {
self.o32.next = self.b16.val().replace_bit(13, self.f0.val()).get_bits::<32>((self.b1.val() - self.b1.val()).index());
}
match self.mode.val() {
Mode::Idle => {
self.o16.next = (self.b16.val() + 65535).replace_bit((self.b3.val() + 3).index(), self.c33.val().get_bit(3));
}
Mode::Run => {
self.l33.next = self.l33.val().replace_bit(27, self.f1.val()) | self.c33.val() >> 9;
}
Mode::Halt => {}
}
match self.b4.val().index() {
0 => {
self.o100.next = self.b100.val();
}
3 => {
self.l33.next = self.c33.val().get_bits::<33>(self.b5.val().index()) - bits::<32>(973270133).get_bits::<33>(self.b1.val().index());
}
7 => {
self.o16.next = unsigned_cast(self.s16.val());
}
15 => {
self.o1.next = (!self.rec.val().tag) < self.b3.val() + self.rec.val().tag;
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 3 + 3) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = self.c32.val() - self.b32.val() >> 7;
}
}

ports!(R41; f0, f1, b1, b3, b4, b5, b8, b16, c16, b31, b32, c32, b33, c33, b64, b100, s8, s16, t16, s33, mode, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R42 {
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub c8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub t8: Signal<In, Signed<8>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R42 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = (self.c8.val() >> 7) + 128 | 1;
self.l33.next = bits::<33>(0x18c04ff19_u64) + (1254106696 & self.b32.val()).all();
self.o1.next = (236 ^ unsigned_cast(self.t8.val())).index() < (bits::<5>(1) << 4 >> self.b5.val() + self.b5.val()).index();
self.o16.next = (self.c16.val() & self.c16.val()).get_bits::<16>(self.b32.val().get_bits::<1>(18).index()) - bit_cast::<16, 31>(self.c8.val().get_bits::<31>(bits::<3>(5).index()));
self.o32.next = bit_cast::<32, 5>(bit_cast::<5, 64>(self.b64.val()) << 1);
self.o100.next = (0x7503ea0a4611872c_u64 | self.b100.val() & self.b100.val()) & !self.b100.val() - bits::<100>(0x5d17597deb29e49_u64).get_bits::<100>(self.b4.val().index());
self.t_out.next = -signed_cast(self.b100.val().get_bits::<33>(self.b3.val().index()));
if self.b100.val().replace_bit(32, self.f1.val()).get_bit(self.b1.val().index()) & ((self.b1.val() + self.f1.val()) > 1) {
self.l8.next = self.l8.val() + self.c8.val() << bits::<8>(255).replace_bit(self.b3.val().index(), self.f1.val());
self.t_out.next = -self.t33.val();
} else {
self.o1.next = (self.l33.val() + self.l33.val()).get_bit(21);
}
if !((self.b1.val()) == self.b1.val() >> 1) {
self.o16.next = 10431 | bit_cast::<16, 3>(self.b3.val());
self.o32.next = bit_cast::<32, 8>(self.b8.val() & self.b8.val());
} else {
self.o16.next = !(self.b16.val() | self.b16.val());
}
if !!(self.rec.val().flag && self.f1.val()) {
self.o32.next = self.c16.val() * self.c16.val() << 2;
self.l33.next = self.b33.val() - self.b33.val() << 3;
} else {
self.o1.next = self.mode.val() == Mode::Halt;
}
match self.mode.val() {
Mode::Idle => {
self.l33.next = self.b16.val().get_bits::<33>(self.b3.val().index()).replace_bit((self.b3.val() & self.b3.val()).index(), (self.t33.val()) != self.t33.val());
}
Mode::Run => {
self.l33.next = !(self.l33.val() + self.f1.val());
}
Mode::Halt => {}
}
match (self.b4.val() << self.l8.val()).index() {
0 => {
self.o100.next = bit_cast::<100, 8>(self.l8.val() | self.rec.val().data);
}
3 => {
self.o1.next = (self.b16.val() ^ self.b16.val()) <= bit_cast::<16, 16>(self.b16.val());
}
7 => {
self.t_out.next = -self.s33.val() + (self.t33.val() + self.s33.val());
}
15 => {
self.l8.next = self.rec.val().data + 254 & self.b8.val();
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 2 + 0) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = (self.b32.val() & self.c32.val()) - (self.c32.val() | self.c32.val());
}
}

ports!(R42; f1, b1, b3, b4, b5, b8, c8, b16, c16, b32, c32, b33, b64, b100, t8, s33, t33, mode, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R43 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub c8: Signal<In, Bits<8>>,
pub c16: Signal<In, Bits<16>>,
pub b31: Signal<In, Bits<31>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub s8: Signal<In, Signed<8>>,
pub t8: Signal<In, Signed<8>>,
pub s16: Signal<In, Signed<16>>,
pub t16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub last: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R43 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = unsigned_cast(signed_cast(unsigned_cast(signed_cast(unsigned_cast(self.s8.val())) - (-86).to_signed_bits::<8>())) - (-72).to_signed_bits::<8>());
self.l33.next = 0x1500b46d2_u64 & self.c33.val() - 0x159150514_u64 >> (self.b5.val() << self.b3.val());
self.o1.next = self.mode.val() == self.last.val();
self.o16.next = unsigned_cast(self.t16.val() + self.s16.val() + (self.t16.val() - self.t16.val()));
self.o32.next = bit_cast::<32, 100>(!(self.b100.val() << 26));
self.o100.next = 0x2f488c85f3daf35d_u64 - (bit_cast::<100, 8>(self.b8.val()) + bit_cast::<100, 4>(self.b4.val()));
self.t_out.next = self.t33.val();
if bit_cast::<4, 32>(self.b32.val()).index() < (15 + self.b5.val()).index() || (self.b5.val() & 27) >= 16 {
self.o1.next = self.mode.val() != Mode::Idle;
self.o100.next = bit_cast::<100, 33>(self.c33.val()) << 37;
} else {
self.o16.next = self.c16.val();
}
if (bit_cast::<31, 8>(self.l8.val())) >= 0 {
self.o32.next = bit_cast::<32, 3>(self.b3.val() + self.rec.val().tag);
self.l33.next = bits::<33>(1225540627).replace_bit(self.b3.val().index(), self.f0.val()).replace_bit(12, self.b32.val().get_bit(self.b5.val().index()));
} else if (signed_cast(unsigned_cast(self.s16.val())) - (-18).to_signed_bits::<16>()) >= self.t16.val() - self.s16.val() {
self.o1.next = !self.rec.val().flag | ((self.b31.val()) > self.b31.val());
} else {
self.o100.next = bit_cast::<100, 64>(self.b64.val()) - 0x74f067f82bb8a064_u64;
}
if self.mode.val() != self.last.val() {
self.o1.next = (self.b100.val()) <= self.b100.val() && !self.f0.val();
self.l8.next = !(self.c8.val() - self.rec.val().data);
} else if (self.b100.val() >> self.c8.val()) != self.b100.val() >> 67 {
self.t_out.next = self.s33.val() + -self.t33.val();
} else {
self.o32.next = bit_cast::<32, 16>(self.c16.val() + 55969);
}
match self.mode.val() {
Mode::Idle => {
self.l33.next = 0x1e966f053_u64 & self.b33.val();
}
Mode::Run => {
self.l33.next = self.b100.val().get_bits::<33>((!bits::<1>(1)).index());
}
_ => {}
}
match self.b4.val().replace_bit(0, self.f1.val()).index() {
0 => {
self.o32.next = self.b32.val() >> 26 & self.c32.val().replace_bit(1, self.rec.val().flag);
}
3 => {
self.l8.next = self.b8.val() - self.rec.val().data >> self.l8.val().get_bits::<5>(2);
}
7 => {
self.l8.next = unsigned_cast(self.t8.val()) << (self.l8.val() << bits::<5>(25));
}
15 => {
self.o1.next = (self.s8.val()) != signed_cast(unsigned_cast(self.s8.val())) - (-67).to_signed_bits::<8>();
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 3 + 3) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = (bits::<16>(25884) + self.f1.val()) * self.b32.val().get_bits::<16>(26);
}
}

ports!(R43; f0, f1, b3, b4, b5, b8, c8, c16, b31, b32, c32, b33, c33, b64, b100, s8, t8, s16, t16, s33, t33, mode, last, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R44 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub c8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b31: Signal<In, Bits<31>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub t8: Signal<In, Signed<8>>,
pub s16: Signal<In, Signed<16>>,
pub t16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R44 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = (self.rec.val().data + self.b8.val()).replace_bit((self.b3.val() | self.b3.val()).index(), (self.s16.val()) <= self.t16.val()) & (!self.c8.val()).replace_bit(2, self.f0.val() && self.f1.val());
self.l33.next = (self.b16.val() & bits::<16>(32767)).get_bits::<33>((self.rec.val().tag ^ 1).index()) & bit_cast::<33, 16>(self.b16.val()) + self.b100.val().all();
self.o1.next = self.mode.val() != Mode::Halt || (self.b4.val() << 0).index() < self.b64.val().get_bits::<16>(51).index();
self.o16.next = 10509 | self.c16.val();
self.o32.next = bits::<32>(936303200) >> 20;
self.o100.next = (self.b100.val() & 0x5d286948e0d230a_u64) + self.b100.val().get_bits::<100>(bits::<1>(0).index()) << 55;
self.t_out.next = self.s33.val();
if (signed_cast(unsigned_cast(signed_cast(self.c8.val()))) - (-15).to_signed_bits::<8>()) < self.t8.val() {
self.o32.next = bit_cast::<32, 8>(self.c8.val());
self.o100.next = 0x3fffffffffffffff_u64 ^ self.b100.val() >> self.b3.val();
} else if !((self.b100.val()) > self.b100.val()) {
self.t_out.next = self.s33.val();
} else {
self.o100.next = self.b100.val() + bits::<100>(0x44a4d055e3c2ff02_u64) + 0x7ffffffffffffffe_u64;
}
if (self.b16.val().get_bits::<31>(1) << self.b4.val() - self.b4.val()).all() {
self.t_out.next = self.t33.val();
self.o16.next = unsigned_cast(self.t16.val()) + 18142;
} else {
self.l33.next = self.l33.val().get_bits::<33>(self.b5.val().index()) - (0x100000000_u64 & self.c33.val());
}
if ((!self.b31.val()) != 1073741824) ^ ((signed_cast(self.b32.val())) < signed_cast(self.c32.val())) {
self.t_out.next = -self.t33.val() - signed_cast(self.b33.val());
self.o16.next = bit_cast::<16, 1>(0 + self.b1.val());
} else {
self.l33.next = bit_cast::<33, 1>(0 + self.b1.val());
}
match self.mode.val() {
Mode::Idle => {
self.t_out.next = self.t33.val();
}
Mode::Run => {
self.o16.next = bits::<16>(65534);
}
Mode::Halt => {}
}
match self.b4.val().index() {
0 => {
self.o32.next = 842808472 ^ bit_cast::<32, 31>(self.b31.val());
}
3 => {
self.o1.next = bits::<33>(1).get_bits::<8>(32).get_bit((self.rec.val().tag & 7).index());
}
7 => {
self.o32.next = (0x80000000_u64 ^ self.c32.val()) & 0;
}
15 => {
self.o16.next = !bit_cast::<16, 100>(self.b100.val());
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 3 + 3) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = bit_cast::<32, 5>(self.b5.val()) >> (self.b8.val() << self.b3.val());
}
}

ports!(R44; f0, f1, b1, b3, b4, b5, b8, c8, b16, c16, b31, b32, c32, b33, c33, b64, b100, t8, s16, t16, s33, t33, mode, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R45 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub c8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub s8: Signal<In, Signed<8>>,
pub t8: Signal<In, Signed<8>>,
pub s16: Signal<In, Signed<16>>,
pub t16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub last: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R45 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = bit_cast::<8, 33>(unsigned_cast(self.t33.val()));
self.l33.next = unsigned_cast(self.s33.val()) + 0x1960892e7_u64 + ((self.c33.val() ^ 0) & self.b33.val() >> self.b5.val());
self.o1.next = (signed_cast(self.b32.val()) - signed_cast(bits::<32>(2147483647))) != self.s16.val() * (self.s16.val() - self.t16.val());
self.o16.next = self.l33.val().get_bits::<16>(3) | self.b16.val();
self.o32.next = self.c8.val().get_bits::<32>(self.b3.val().index());
self.o100.next = !((self.b100.val() ^ self.b100.val()) & bits::<33>(0xffffffff_u64).get_bits::<100>(4));
self.t_out.next = signed_cast(self.b33.val());
if (self.b1.val()) < 1 {
self.l33.next = 0xffffffff_u64 - (self.b33.val() + self.f0.val());
self.o16.next = unsigned_cast(self.t16.val()).get_bits::<16>(4);
} else if (self.b4.val() & 7).index() < (self.b5.val() | 30).index() {
self.l33.next = self.b16.val().get_bits::<33>(self.b3.val().index()).replace_bit(29, (self.c16.val()) <= 1);
} else {
self.o16.next = unsigned_cast(self.s16.val() - self.s16.val());
}
if !((-self.s8.val()) < signed_cast(unsigned_cast(self.t8.val())) - (-10).to_signed_bits::<8>()) {
self.o100.next = bit_cast::<100, 4>(self.b4.val()) + (self.b100.val() - self.b100.val());
self.l8.next = self.l33.val().get_bits::<8>(20) + 255;
} else if self.b33.val().get_bit(bits::<4>(7).index()) ^ ((self.b3.val()) <= self.rec.val().tag) {
self.o1.next = self.mode.val() != self.last.val();
} else {
self.o16.next = self.b16.val() + self.rec.val().flag ^ self.b16.val() + self.rec.val().flag;
}
if (self.b4.val() ^ 7).xor() && (self.s16.val()) < self.s16.val() {
self.l8.next = bit_cast::<8, 31>(self.b64.val().get_bits::<31>(52));
self.l33.next = self.b64.val().get_bits::<33>((!self.b4.val()).index());
} else if self.mode.val() != Mode::Halt {
self.o16.next = self.b16.val() & 65535;
} else {
self.l8.next = bit_cast::<8, 16>(self.b16.val().get_bits::<16>(self.b3.val().index()));
}
match self.mode.val() {
Mode::Idle => {
self.o16.next = (self.c16.val() ^ self.b16.val()) << self.b64.val().get_bits::<8>(53);
}
Mode::Run => {
self.o100.next = self.b100.val() + self.b100.val() | 0x37e6a65cff51fc17_u64;
}
Mode::Halt => {}
}
match self.b4.val().replace_bit(1, self.f0.val()).index() {
0 => {
self.t_out.next = self.s33.val();
}
3 => {
self.o32.next = self.c32.val() - self.c32.val() | 1882997718;
}
7 => {
self.l8.next = unsigned_cast(self.t33.val()).get_bits::<8>(9);
}
15 => {
self.l33.next = bit_cast::<33, 4>(bits::<4>(8)) & self.b33.val() + 0xeb5457fc_u64;
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 1 + 2) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = self.b16.val() * self.c16.val().replace_bit(5, self.f1.val());
}
}

ports!(R45; f0, f1, b1, b3, b4, b5, c8, b16, c16, b32, c32, b33, c33, b64, b100, s8, t8, s16, t16, s33, t33, mode, last, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R46 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub c8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b31: Signal<In, Bits<31>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b100: Signal<In, Bits<100>>,
pub s8: Signal<In, Signed<8>>,
pub s16: Signal<In, Signed<16>>,
pub t16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R46 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = !bit_cast::<8, 8>(self.b8.val()) & bit_cast::<8, 100>(self.b32.val().get_bits::<100>(12));
self.l33.next = (self.c33.val() + self.rec.val().flag + ((signed_cast(self.c32.val())) <= signed_cast(bits::<32>(0x88663335_u64)))).replace_bit(bit_cast::<64, 5>(self.b5.val()).get_bits::<3>(self.b16.val().get_bits::<1>(10).index()).index(), ((self.s8.val()) == self.s8.val()) ^ ((self.b4.val()) <= self.b4.val()));
self.o1.next = (signed_cast(self.c16.val())) != self.s16.val() - self.s16.val() || ((signed_cast(self.c32.val())) <= signed_cast(self.c32.val()) || !self.f0.val());
self.o16.next = bit_cast::<16, 4>(self.b4.val()) - 32767 >> (bits::<3>(1) << 2) - (1 - self.b3.val());
self.o32.next = unsigned_cast(self.t16.val()) * (self.c16.val() ^ 65534) | 0xc45745b5_u64;
self.o100.next = !(self.b100.val().replace_bit(self.b3.val().index(), self.f0.val()) + 0);
self.t_out.next = self.t33.val();
if (self.b32.val() | bits::<32>(0x80000000_u64) | 0).any() {
self.o100.next = bits::<100>(0x7ffffffffffffffe_u64) + self.f1.val() + ((self.t33.val()) > self.t33.val());
self.o32.next = self.b32.val() + self.b32.val() >> 2;
} else {
self.l33.next = 103182741 + bit_cast::<33, 5>(self.b5.val());
}
if self.mode.val() != Mode::Idle {
self.o32.next = 0x80000000_u64 | self.b32.val() ^ self.c32.val();
self.t_out.next = -(self.t33.val() + self.s33.val());
} else if (self.c32.val() & self.c32.val()) <= 0xc4224517_u64 {
self.l8.next = (self.rec.val().data >> self.b4.val()) - (self.rec.val().data | 255);
} else {
self.l33.next = !bits::<33>(0x1ffffffff_u64).replace_bit(self.b3.val().index(), self.f0.val());
}
if (self.b1.val() + self.rec.val().flag) > self.b1.val() || (1073741823 & self.b31.val()).xor() {
self.l33.next = bit_cast::<33, 4>(self.b4.val() - 15);
self.l33.next = (self.b8.val() ^ self.rec.val().data).get_bits::<33>(5);
} else {
self.o1.next = (self.b1.val() >> self.b4.val()) == 1;
}
match self.mode.val() {
Mode::Idle => {
self.l8.next = (self.c8.val() & 127) << (self.b5.val() >> bits::<3>(4));
}
Mode::Run => {
self.o1.next = self.mode.val() == Mode::Halt;
}
_ => {}
}
match (self.b4.val() & self.b4.val()).index() {
0 => {
self.l33.next = bit_cast::<33, 3>(self.b3.val());
}
3 => {
self.t_out.next = signed_cast(bit_cast::<33, 31>(self.b31.val()));
}
7 => {
self.t_out.next = -signed_cast(self.b33.val());
}
15 => {
self.o16.next = self.c16.val().replace_bit(2, self.rec.val().flag) >> bit_cast::<5, 1>(self.b1.val());
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 3 + 3) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = 2147483647 + self.c32.val() >> 19;
}
}

ports!(R46; f0, f1, b1, b3, b4, b5, b8, c8, b16, c16, b31, b32, c32, b33, c33, b100, s8, s16, t16, s33, t33, mode, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R47 {
pub f0: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub c8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b100: Signal<In, Bits<100>>,
pub s8: Signal<In, Signed<8>>,
pub s16: Signal<In, Signed<16>>,
pub t16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub last: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R47 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = (self.c8.val() - self.c8.val()).get_bits::<8>(5) + (88 ^ self.rec.val().data >> self.b3.val());
self.l33.next = bit_cast::<33, 8>(!(self.c8.val() - 246));
self.o1.next = self.l8.val().xor();
self.o16.next = !(self.b16.val() - self.b16.val() << self.b16.val().get_bits::<8>(12));
self.o32.next = 0x80000000_u64 & 0xffffffff_u64 - (bits::<32>(0) << self.b5.val());
self.o100.next = bit_cast::<100, 33>(unsigned_cast(self.t33.val()));
self.t_out.next = -self.s33.val();
if (self.s8.val()) > self.s8.val() - self.s8.val() || !self.rec.val().flag & (self.mode.val() == self.last.val()) {
self.t_out.next = -self.s33.val() + self.s33.val();
self.l8.next = !bit_cast::<8, 1>(self.b1.val());
} else if (self.b3.val()) != 0 {
self.l33.next = 1 | self.c33.val() + self.f0.val();
} else {
self.o16.next = (32768 & self.b16.val()) >> self.b8.val();
}
if self.mode.val() != Mode::Run && (self.s33.val()) < self.s33.val() + self.s33.val() {
self.l33.next = 0xffffffff_u64 + (self.c33.val() & self.c33.val());
self.o100.next = 0x7fffffffffffffff_u64 - self.b100.val() ^ 0x7fb0350b5c873d27_u64 & self.b100.val();
} else {
self.o100.next = (self.b100.val() >> self.c8.val()).replace_bit(40, self.rec.val().flag || self.f0.val());
}
if (self.t33.val() + self.s33.val()) == self.t33.val() {
self.o32.next = bit_cast::<32, 1>(self.b1.val().replace_bit(0, self.rec.val().flag));
self.l33.next = (self.c33.val() ^ self.b33.val()).replace_bit(9, (signed_cast(self.c32.val())) == signed_cast(self.b32.val()));
} else if (-self.t16.val()) == self.s16.val() - self.s16.val() {
self.o1.next = (self.s33.val() - self.s33.val()) != self.s33.val();
} else {
self.o100.next = 0x7fffffffffffffff_u64 - (self.b100.val() ^ self.b100.val());
}
match self.mode.val() {
Mode::Idle => {
self.o32.next = (0xb7458b6d_u64 | self.b32.val()) & self.c32.val();
}
Mode::Run => {
self.o1.next = ((self.s16.val()) >= self.t16.val()) & self.b5.val().xor();
}
Mode::Halt => {}
}
match self.rec.val().data.get_bits::<4>(5).index() {
0 => {
self.o16.next = (self.c33.val() & self.b33.val()).get_bits::<16>(28);
}
3 => {
self.o32.next = bits::<8>(0).get_bits::<32>(self.rec.val().tag.index()).replace_bit((4 ^ self.b3.val()).index(), self.c33.val().any());
}
7 => {
self.l8.next = self.l8.val();
}
15 => {
self.l33.next = unsigned_cast(self.s33.val());
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 2 + 1) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = self.b32.val();
}
}

ports!(R47; f0, b1, b3, b5, b8, c8, b16, b32, c32, b33, c33, b100, s8, s16, t16, s33, t33, mode, last, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R48 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b31: Signal<In, Bits<31>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub t8: Signal<In, Signed<8>>,
pub s33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R48 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = bit_cast::<8, 16>(10178 ^ self.c16.val() - self.b16.val());
self.l33.next = (self.c33.val() | 0xaa0ca95f_u64) >> (self.b4.val() | self.b4.val()) << 27;
self.o1.next = self.mode.val() == Mode::Idle;
self.o16.next = !self.c32.val().get_bits::<16>(self.b5.val().index()) + (((self.t8.val()) >= self.t8.val()) ^ ((self.b100.val()) != self.b100.val()));
self.o32.next = (2147483647 & self.c32.val()) << self.b3.val();
self.o100.next = (self.b64.val().get_bits::<100>(self.b3.val().index()) & 0x3fffffffffffffff_u64) - self.b100.val();
self.t_out.next = self.s33.val();
if !((signed_cast(self.c16.val())) >= signed_cast(self.b16.val())) {
self.o32.next = self.c32.val() - !self.c32.val();
self.o100.next = bit_cast::<100, 5>(self.b5.val());
} else if self.rec.val().data.any() | self.f0.val() ^ self.f0.val() {
self.o1.next = (self.b64.val() + self.b64.val()) >= self.b64.val() | self.b64.val();
} else {
self.o1.next = (self.b32.val()) >= 2147483647 && self.rec.val().tag.index() < self.b5.val().index();
}
if self.b100.val().any() {
self.o16.next = bit_cast::<16, 31>(self.b31.val()) >> (self.b1.val() << 0);
self.o16.next = !(bits::<16>(65534) | bits::<16>(60597));
} else {
self.l8.next = self.b33.val().get_bits::<8>(11);
}
if self.c32.val().get_bits::<32>(2).get_bit(8) {
self.o32.next = (self.c32.val() >> 5) - 0x80000000_u64;
self.o16.next = !!self.b16.val();
} else if self.mode.val() != Mode::Run {
self.l8.next = self.c16.val().get_bits::<8>(self.b4.val().index()) << 8;
} else {
self.l8.next = (self.rec.val().data | self.rec.val().data) + self.l8.val().replace_bit(self.rec.val().tag.index(), self.f1.val());
}
match self.mode.val() {
Mode::Idle => {
self.o16.next = self.c33.val().get_bits::<16>(4) | self.c16.val() - 65535;
}
Mode::Run => {
self.o16.next = self.b16.val().get_bits::<16>(bits::<1>(1).index()) << (self.b4.val() ^ bits::<4>(14));
}
Mode::Halt => {}
}
match (self.b4.val() << self.b1.val()).index() {
0 => {
self.l8.next = (self.b8.val() ^ self.rec.val().data) << 8;
}
3 => {
self.l8.next = self.b100.val().get_bits::<8>(self.b4.val().index()) << 0;
}
7 => {
self.o1.next = !(self.f0.val() & self.rec.val().flag);
}
15 => {
self.l33.next = bit_cast::<33, 31>(self.b31.val()) ^ (self.l33.val() | self.l33.val());
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 3 + 2) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = self.c16.val() * self.c16.val() ^ 1326802241;
}
}

ports!(R48; f0, f1, b1, b3, b4, b5, b8, b16, c16, b31, b32, c32, b33, c33, b64, b100, t8, s33, mode, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R49 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub c8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b31: Signal<In, Bits<31>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R49 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = self.c8.val();
self.l33.next = self.rec.val().data.replace_bit(6, self.f0.val()).get_bits::<33>(bit_cast::<3, 31>(self.b31.val()).index()) & self.b33.val() >> bit_cast::<3, 1>(self.b1.val());
self.o1.next = (!self.b1.val().replace_bit(0, self.f1.val())) == !(self.b1.val() >> self.b4.val());
self.o16.next = (bit_cast::<16, 4>(self.b4.val()) >> 12) + (1 + (0 & self.c16.val()));
self.o32.next = (bits::<64>(1) << self.rec.val().tag).get_bits::<32>((self.b1.val() + 1).index()) | self.b64.val().get_bits::<32>(self.b1.val().index()) << 26;
self.o100.next = self.b100.val();
self.t_out.next = self.t33.val();
if (bit_cast::<64, 100>(self.b100.val()) + (self.b64.val() >> self.b1.val())) > bit_cast::<64, 33>(self.c33.val() >> self.b5.val()) {
self.l33.next = self.b64.val().get_bits::<64>(40).get_bits::<33>((self.b1.val() | 1).index());
self.o16.next = 58736 & bits::<16>(63342) << 3;
} else {
self.l8.next = self.rec.val().data >> bits::<3>(6) ^ self.c8.val() << 8;
}
if ((0 - self.b64.val()) <= 1) & ((self.b31.val()) > bit_cast::<31, 3>(self.b3.val())) {
self.l33.next = unsigned_cast(self.s33.val()) ^ bit_cast::<33, 1>(self.b1.val());
self.t_out.next = self.t33.val() - self.s33.val() - (self.s33.val() - self.t33.val());
} else {
self.l8.next = bit_cast::<8, 33>(bits::<33>(0x1fffffffe_u64)).replace_bit(0, !self.rec.val().flag);
}
if (self.c32.val().get_bits::<31>(self.b5.val().index()) + self.c32.val().get_bits::<31>(self.b3.val().index())) == !self.b31.val() << 24 {
self.l33.next = bit_cast::<33, 3>(self.b3.val()) >> bit_cast::<8, 4>(self.b4.val());
self.o16.next = (!self.b16.val()).replace_bit(10, (self.s33.val()) != self.s33.val());
} else {
self.o32.next = bit_cast::<32, 3>(2 - self.rec.val().tag);
}
match self.mode.val() {
Mode::Idle => {
self.t_out.next = self.s33.val() + self.t33.val() + (self.s33.val() + self.s33.val());
}
Mode::Run => {
self.o32.next = 2147483647 & self.c32.val() & 0xfb5e6069_u64;
}
_ => {}
}
match bits::<32>(0xf269133a_u64).get_bits::<4>(4).index() {
0 => {
self.o100.next = (0x753abf2ced126deb_u64 & self.b100.val()) + (bits::<100>(0x75267f660a04f991_u64) >> self.c8.val());
}
3 => {
self.o32.next = self.c32.val() >> 29 ^ self.c32.val() << bits::<5>(31);
}
7 => {
self.o1.next = (1 << self.b5.val()) < self.b64.val() | self.b64.val();
}
15 => {
self.o1.next = !(self.f1.val() && self.f0.val());
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 3 + 3) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = (1 | self.b32.val()) + (self.b32.val() & self.c32.val());
}
}

ports!(R49; f0, f1, b1, b3, b4, b5, c8, b16, c16, b31, b32, c32, b33, c33, b64, b100, s33, t33, mode, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R50 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub c8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b31: Signal<In, Bits<31>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub t8: Signal<In, Signed<8>>,
pub s16: Signal<In, Signed<16>>,
pub t16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R50 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = ((133 ^ self.b8.val()) + 254).replace_bit((7 + (0 + self.b3.val())).index(), (self.c8.val() >> self.rec.val().data).index() < (self.b5.val() + 26).index());
self.l33.next = self.c32.val().get_bits::<33>(20) - (self.b33.val() & self.c33.val()) ^ !self.c33.val() & 0x8b91f817_u64 - self.b33.val();
self.o1.next = !((self.b100.val() - 1) >= 0);
self.o16.next = bit_cast::<32, 8>(self.c8.val()).replace_bit(self.b3.val().replace_bit(1, self.f1.val()).index(), (self.b1.val()) <= 0).get_bits::<16>(self.rec.val().data.get_bits::<3>(3).replace_bit(1, self.rec.val().flag ^ self.f1.val()).index());
self.o32.next = (self.b100.val().get_bits::<16>(91) ^ 4776).get_bits::<32>((!(self.rec.val().tag << 4)).index());
self.o100.next = (1 ^ bits::<32>(1936966105).get_bits::<100>(30)).replace_bit(53, self.b100.val().get_bit((!bits::<4>(0)).index()));
self.t_out.next = self.t33.val();
if ((self.t16.val() + self.t16.val()) == self.t16.val() - self.s16.val()) ^ ((self.t16.val()) > -self.t16.val()) {
self.o32.next = self.c32.val();
self.l8.next = self.b8.val().replace_bit(self.rec.val().tag.index(), self.rec.val().flag).replace_bit((self.b3.val() + self.f1.val()).index(), (self.b5.val()) > self.b5.val());
} else if !(self.f1.val() || self.f0.val()) {
self.o100.next = self.b64.val().get_bits::<100>(62);
} else {
self.o32.next = bit_cast::<32, 1>(self.b1.val()) + ((self.t16.val()) >= self.t16.val());
}
if ((self.b8.val() | self.l8.val()).index() < (self.c16.val() + self.f0.val()).index()) & ((bits::<64>(0x4000000000000000_u64)) >= self.b64.val() || (self.t8.val()) == self.t8.val()) {
self.o100.next = self.b100.val() + self.b100.val() - (self.b100.val() ^ self.b100.val());
self.l33.next = (self.c32.val() + self.rec.val().flag).get_bits::<33>(30);
} else {
self.o100.next = (self.b100.val() ^ 0x7ffffffffffffffe_u64) + ((signed_cast(self.c32.val())) == signed_cast(self.c32.val()));
}
if (bit_cast::<5, 16>(unsigned_cast(self.t16.val()))) >= bit_cast::<5, 1>(bits::<1>(1)) + ((bits::<64>(0x2dd45f2beeb82bb4_u64)) < 0x57868bfd38a25fda_u64) {
self.l33.next = bits::<33>(1) - bits::<33>(0x1ffffffff_u64) << (self.b4.val() & 1);
self.o1.next = ((self.c16.val()) != self.c16.val()) | ((self.b31.val()) >= 308129645);
} else {
self.o100.next = self.b100.val();
}
match self.mode.val() {
Mode::Idle => {
self.l8.next = !self.b8.val().get_bits::<8>(2);
}
Mode::Run => {
self.o32.next = (0xfffffffe_u64 & self.c32.val()) >> 6;
}
_ => {}
}
match bit_cast::<4, 1>(self.b1.val()).index() {
0 => {
self.o16.next = self.c33.val().get_bits::<16>(14) | self.b16.val() ^ bits::<16>(65535);
}
3 => {
self.t_out.next = self.s33.val();
}
7 => {
self.l8.next = bit_cast::<8, 32>(bit_cast::<32, 100>(self.b100.val()));
}
15 => {
self.o1.next = (bits::<100>(0x4000000000000000_u64)) > self.b100.val() + self.rec.val().flag;
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 1 + 0) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = (self.b32.val() << self.b5.val()) + !self.b32.val();
}
}

ports!(R50; f0, f1, b1, b3, b4, b5, b8, c8, b16, c16, b31, b32, c32, b33, c33, b64, b100, t8, s16, t16, s33, t33, mode, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R51 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub c8: Signal<In, Bits<8>>,
pub c16: Signal<In, Bits<16>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub t8: Signal<In, Signed<8>>,
pub s16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub last: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R51 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = self.rec.val().data << 8 & 235;
self.l33.next = unsigned_cast(self.s33.val()) + !self.f1.val() >> 33;
self.o1.next = (-(signed_cast(unsigned_cast(signed_cast(self.c32.val()))) - (-31).to_signed_bits::<32>())) < signed_cast(self.b32.val());
self.o16.next = (self.b100.val() ^ self.b100.val()).get_bits::<16>(1) << (self.c8.val() | 15).get_bits::<1>(2);
self.o32.next = bit_cast::<32, 5>(self.b5.val() >> 2) ^ (0xffffffff_u64 ^ self.c32.val());
self.o100.next = self.b100.val();
self.t_out.next = signed_cast(!self.l33.val()) - -(self.s33.val() + self.t33.val());
if (30 - bit_cast::<5, 5>(bits::<5>(0))) <= 20 {
self.t_out.next = self.s33.val();
self.o32.next = self.c32.val();
} else if (self.s33.val() - self.s33.val()) != self.s33.val() {
self.t_out.next = self.t33.val();
} else {
self.o16.next = self.b100.val().get_bits::<16>(self.b3.val().index()) - 65534;
}
if (bits::<33>(1) ^ !self.l33.val()).get_bit(bits::<33>(0x1dcc9e862_u64).get_bits::<1>(19).index()) {
self.l33.next = (1 << self.b5.val()).get_bits::<33>(self.b1.val().index());
self.o16.next = 46029 + !bits::<16>(1);
} else {
self.o100.next = self.b100.val() & self.b100.val() + 0x7db20b1be8406e11_u64;
}
if (-(self.s16.val() * self.s16.val())) < signed_cast(self.b32.val()) - signed_cast(self.c32.val()) {
self.o100.next = self.b100.val();
self.o32.next = (self.c32.val() >> self.b1.val()).replace_bit(22, (self.t8.val()) <= self.t8.val());
} else if self.mode.val() != self.last.val() {
self.o100.next = self.b100.val() & self.b100.val() & 0x4000000000000000_u64;
} else {
self.l8.next = bit_cast::<8, 4>(0 ^ self.b4.val());
}
match self.mode.val() {
Mode::Idle => {
self.l8.next = self.b8.val() + self.c8.val() + bits::<8>(162).replace_bit(3, self.f1.val());
}
Mode::Run => {
self.o32.next = self.b64.val().get_bits::<32>(self.b3.val().index()) ^ 2005092971;
}
Mode::Halt => {}
}
match (self.b4.val() - self.b4.val()).index() {
0 => {
self.o32.next = bit_cast::<32, 16>(self.c16.val() | self.c16.val());
}
3 => {
self.l8.next = self.l8.val().replace_bit(4, self.f0.val()) + ((self.b4.val()) <= 11);
}
7 => {
self.o1.next = ((signed_cast(self.c32.val())) <= signed_cast(self.c32.val())) ^ (self.l8.val().index() < bits::<5>(31).index());
}
15 => {
self.l33.next = 0xffffffff_u64 + self.c33.val() + ((self.b4.val()) != self.b4.val());
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 1 + 2) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = self.b32.val();
}
}

ports!(R51; f0, f1, b1, b3, b4, b5, b8, c8, c16, b32, c32, c33, b64, b100, t8, s16, s33, t33, mode, last, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R52 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub c8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub s8: Signal<In, Signed<8>>,
pub t8: Signal<In, Signed<8>>,
pub s16: Signal<In, Signed<16>>,
pub t16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R52 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = (self.c8.val() & self.rec.val().data) + ((signed_cast(self.c32.val())) != signed_cast(self.c32.val())) + !(self.rec.val().flag || self.f0.val());
self.l33.next = 0x100000000_u64 - (bits::<33>(0x1fffffffe_u64) | 0x100000000_u64) + ((self.s8.val()) < self.t8.val());
self.o1.next = bit_cast::<8, 4>(self.b4.val() + self.b4.val()).all();
self.o16.next = ((bits::<16>(65534) ^ 39253) >> 15) - 32768;
self.o32.next = ((1 | self.b32.val()) ^ (self.b32.val() | bits::<32>(0x80000000_u64))) - 319136765;
self.o100.next = (self.b100.val() - 0x7417c2ed2493ed83_u64).replace_bit(self.rec.val().tag.index(), self.b33.val().get_bit(26)) >> 15;
self.t_out.next = self.t33.val();
if (self.b64.val() ^ self.b64.val().replace_bit(41, self.rec.val().flag)) < 0x7fffffffffffffff_u64 {
self.o16.next = (self.b16.val() + self.f1.val()).replace_bit(7, (self.l33.val()) < self.c33.val());
self.l33.next = bit_cast::<33, 8>(self.c8.val()) - bits::<33>(0x1ffffffff_u64).replace_bit(self.b3.val().index(), self.f1.val());
} else {
self.l33.next = self.l33.val();
}
if bit_cast::<3, 100>(self.b100.val().replace_bit(80, self.rec.val().flag)).index() < (15 + (15 ^ self.b5.val())).index() {
self.o32.next = self.b32.val();
self.o16.next = !(self.b16.val() - bits::<16>(55971));
} else if (self.b32.val() + self.f0.val()) < 0xc421f963_u64 {
self.o16.next = unsigned_cast(self.t16.val() - self.s16.val());
} else {
self.o16.next = (self.c16.val() | self.b16.val()) - bit_cast::<16, 8>(self.b8.val());
}
if (bit_cast::<1, 8>(self.rec.val().data) | self.b1.val()) == self.b1.val() {
self.l33.next = (self.l33.val() | 0x1ffffffff_u64).replace_bit((self.b3.val() >> self.c8.val()).index(), self.b16.val().get_bit(9));
self.o100.next = self.b100.val() - 0x4000000000000000_u64;
} else {
self.o100.next = 0x385ce00e071315f5_u64 | bit_cast::<100, 33>(self.b33.val());
}
match self.mode.val() {
Mode::Idle => {
self.t_out.next = self.t33.val();
}
Mode::Run => {
self.o16.next = !unsigned_cast(self.s16.val());
}
_ => {}
}
match (6 + self.b4.val()).index() {
0 => {
self.o32.next = self.b32.val() + self.rec.val().flag >> 6;
}
3 => {
self.o16.next = self.c16.val();
}
7 => {
self.o1.next = ((self.t33.val()) > self.t33.val()) & bits::<64>(0x7fffffffffffffff_u64).get_bit(self.b5.val().index());
}
15 => {
self.t_out.next = self.t33.val() + self.s33.val();
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 1 + 2) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = self.b16.val() * self.b16.val() + ((self.s8.val()) != self.t8.val());
}
}

ports!(R52; f0, f1, b1, b3, b4, b5, b8, c8, b16, c16, b32, c32, b33, c33, b64, b100, s8, t8, s16, t16, s33, t33, mode, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R53 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b31: Signal<In, Bits<31>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub s8: Signal<In, Signed<8>>,
pub s16: Signal<In, Signed<16>>,
pub t16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R53 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = !(bit_cast::<8, 64>(self.b64.val()) >> 6);
self.l33.next = (bit_cast::<16, 32>(bits::<32>(2147483647)) << self.b4.val().replace_bit(1, self.f1.val())).get_bits::<33>((!self.b1.val() | bit_cast::<1, 100>(self.b100.val())).index());
self.o1.next = (9 | bits::<32>(1).get_bits::<4>(self.b5.val().index())).index() < self.b16.val().get_bits::<16>(3).index();
self.o16.next = !self.b16.val().replace_bit(9, self.f1.val()) | (self.b100.val().get_bits::<16>(self.rec.val().tag.index()) | 0);
self.o32.next = !(self.b16.val() * self.c16.val()) >> 29;
self.o100.next = (self.b100.val() | 0x6e9ccd03fe0911a9_u64) >> 40;
self.t_out.next = self.t33.val();
if bit_cast::<8, 8>(self.c32.val().get_bits::<8>(14)).index() < self.b100.val().get_bits::<5>((26 + self.b5.val()).index()).index() {
self.l8.next = !bits::<100>(0x41f7a1b6a6d3043c_u64).get_bits::<8>(3);
self.o32.next = bit_cast::<32, 16>(self.c16.val() - self.c16.val());
} else if ((self.s33.val()) >= self.s33.val()) ^ self.b8.val().get_bit(self.b1.val().index()) {
self.l8.next = bits::<16>(65534).get_bits::<8>(7) | self.b8.val() >> 8;
} else {
self.l33.next = self.c33.val();
}
if (bit_cast::<16, 64>(self.b64.val()) + ((self.s33.val()) > self.t33.val())).get_bit(2) {
self.t_out.next = -(self.t33.val() - self.t33.val());
self.t_out.next = signed_cast(self.b33.val()) - (self.t33.val() - self.s33.val());
} else {
self.o100.next = (self.b100.val() << self.b1.val()).get_bits::<100>((3 | self.rec.val().tag).index());
}
if (self.b31.val() + self.b31.val() | 1073741823) < (1073741824 ^ bits::<31>(1)) >> 20 {
self.o32.next = (self.b16.val() + self.b16.val()) * (65535 ^ self.c16.val());
self.l8.next = bits::<16>(30598).get_bits::<33>(13).get_bits::<8>(self.b5.val().index());
} else if (bit_cast::<4, 3>(self.b3.val())) != self.b4.val() {
self.o16.next = unsigned_cast(self.t16.val()) | 41269;
} else {
self.o32.next = unsigned_cast(self.s16.val()) * (self.c16.val() + self.rec.val().flag);
}
match self.mode.val() {
Mode::Idle => {
self.l8.next = 231 - (self.b8.val() >> self.b1.val());
}
Mode::Run => {
self.o16.next = bits::<16>(53208) + self.c16.val() + !self.f1.val();
}
_ => {}
}
match (!self.b4.val()).index() {
0 => {
self.o100.next = self.b100.val() - (bits::<100>(0x50958051d7669bb_u64) + self.f0.val());
}
3 => {
self.l8.next = unsigned_cast(self.s8.val()) + self.b64.val().get_bit(58);
}
7 => {
self.o100.next = (self.b16.val() + self.f0.val()).get_bits::<100>(15);
}
15 => {
self.t_out.next = self.s33.val();
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 3 + 0) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = self.c16.val() * self.c16.val() >> 32;
}
}

ports!(R53; f0, f1, b1, b3, b4, b5, b8, b16, c16, b31, c32, b33, c33, b64, b100, s8, s16, t16, s33, t33, mode, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R54 {
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b5: Signal<In, Bits<5>>,
pub c16: Signal<In, Bits<16>>,
pub b31: Signal<In, Bits<31>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub s16: Signal<In, Signed<16>>,
pub t16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R54 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = bit_cast::<33, 32>(self.c32.val()).get_bits::<8>(31) ^ 104;
self.l33.next = unsigned_cast(self.t33.val() - self.s33.val() - self.t33.val());
self.o1.next = !(self.mode.val() == Mode::Run);
self.o16.next = self.l8.val().get_bits::<16>(2).replace_bit(bit_cast::<3, 100>(bits::<100>(0x7ba4b6068b7476de_u64)).index(), (self.s16.val()) != self.s16.val()).get_bits::<16>(1);
self.o32.next = bit_cast::<32, 5>(self.b5.val() ^ 16) << 29;
self.o100.next = (self.c32.val() & 0xe31d0841_u64).replace_bit((self.b3.val() ^ self.rec.val().tag).index(), (self.b32.val()) <= bits::<32>(1340190883)).get_bits::<100>(25);
self.t_out.next = self.s33.val();
if ((bit_cast::<31, 5>(self.b5.val())) < self.b100.val().get_bits::<31>(6)) ^ (0xffffffff_u64 - self.l33.val()).get_bit((self.rec.val().tag >> 1).index()) {
self.t_out.next = self.s33.val() + self.s33.val() + signed_cast(self.b33.val());
self.t_out.next = -self.t33.val();
} else {
self.l33.next = bit_cast::<33, 64>(self.b64.val()) | unsigned_cast(self.t33.val());
}
if self.mode.val() != Mode::Halt {
self.o16.next = 32768 - (self.c16.val() + self.c16.val());
self.o100.next = (self.b100.val() | self.b100.val()) & 0;
} else {
self.l33.next = bit_cast::<33, 5>(self.b5.val()).get_bits::<33>(7);
}
if (signed_cast(unsigned_cast(-signed_cast(bits::<32>(0xffa989c6_u64)))) - (-19).to_signed_bits::<32>()) >= signed_cast(self.c32.val()) {
self.o16.next = unsigned_cast(self.t16.val()).replace_bit(self.b32.val().get_bits::<3>(self.b1.val().index()).index(), (self.b1.val()) == self.b1.val());
self.o16.next = bit_cast::<16, 1>(self.b1.val().replace_bit(0, self.rec.val().flag));
} else {
self.o16.next = bit_cast::<16, 1>(self.b1.val()) + ((self.b31.val()) == self.b31.val());
}
match self.mode.val() {
Mode::Idle => {
self.o100.next = self.c32.val().replace_bit(6, self.f1.val()).get_bits::<100>(2);
}
Mode::Run => {
self.l8.next = bit_cast::<8, 1>(self.b1.val() >> self.b3.val());
}
Mode::Halt => {}
}
match bit_cast::<4, 3>(self.b3.val()).index() {
0 => {
self.t_out.next = self.s33.val();
}
3 => {
self.o100.next = (self.b100.val() >> self.b1.val()) - (self.b100.val() >> self.rec.val().data);
}
7 => {
self.o16.next = 0 ^ bits::<16>(42687) >> self.b1.val();
}
15 => {
self.o100.next = bit_cast::<100, 100>(self.b100.val()) ^ self.b64.val().get_bits::<100>(15);
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 1 + 3) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = unsigned_cast(self.s33.val()).get_bits::<32>(self.c16.val().get_bits::<3>(0).index());
}
}

ports!(R54; f1, b1, b3, b5, c16, b31, b32, c32, b33, b64, b100, s16, t16, s33, t33, mode, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R55 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub c8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b31: Signal<In, Bits<31>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub s8: Signal<In, Signed<8>>,
pub s16: Signal<In, Signed<16>>,
pub t16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub last: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R55 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = (self.c8.val() - self.c8.val()).replace_bit(self.c33.val().get_bits::<3>(18).index(), self.rec.val().tag.index() < self.c16.val().index()).replace_bit(2, (self.t33.val() + self.t33.val()) == self.t33.val());
self.l33.next = (self.c33.val() + self.c33.val() + (self.f1.val() && self.f1.val())).replace_bit(26, unsigned_cast(self.s33.val()).xor());
self.o1.next = ((self.b16.val() >> self.b3.val()) >= 53619) ^ ((0xffffffff_u64 - self.b33.val()) <= 0);
self.o16.next = 65535 ^ (bit_cast::<16, 31>(self.b31.val()) | bits::<8>(6).get_bits::<16>(4));
self.o32.next = 0x890afdf1_u64 ^ (self.c32.val() | 0xfffffffe_u64) - (bits::<32>(944937849) << 28);
self.o100.next = (0x3cb48e19e8e63524_u64 | self.b100.val()) + (bits::<100>(0x4000000000000000_u64) + self.f0.val()) + ((self.b100.val() ^ 1) << (self.b4.val() & self.b4.val()));
self.t_out.next = self.t33.val() - (self.t33.val() - self.s33.val()) - (self.t33.val() + (self.t33.val() + self.t33.val()));
if (bits::<3>(7).index() < self.b16.val().index()) & ((self.s8.val()) > self.s8.val()) & ((self.b4.val() & 4).index() < (self.b5.val() >> 2).index()) {
self.t_out.next = self.t33.val();
self.t_out.next = self.s33.val();
} else {
self.o16.next = (0xffffffff_u64 & self.b33.val()).get_bits::<16>((6 ^ self.b5.val()).index());
}
if self.mode.val() == self.last.val() {
self.o16.next = (self.b16.val() >> self.l8.val()) + (self.mode.val() != Mode::Halt);
self.o32.next = bit_cast::<32, 33>(self.c33.val() ^ 0xe75ee9bb_u64);
} else if self.b64.val().get_bit(51) {
self.t_out.next = self.t33.val() + -self.t33.val();
} else {
self.o16.next = (!self.b16.val()).replace_bit((0 ^ self.b3.val()).index(), (self.s16.val()) != self.t16.val());
}
if self.mode.val() != Mode::Idle {
self.l33.next = self.c33.val().replace_bit(self.b3.val().index(), self.rec.val().flag) + ((self.c16.val()) >= self.c16.val());
self.o32.next = self.c32.val() - 2147483647 - bits::<33>(1).get_bits::<32>(self.b5.val().index());
} else if self.mode.val() == self.last.val() {
self.o16.next = self.b33.val().get_bits::<16>(self.b3.val().index()) ^ self.b16.val() >> 4;
} else {
self.o1.next = (bits::<16>(46884) | self.c16.val()) >= 26998;
}
match self.mode.val() {
Mode::Idle => {
self.l8.next = !(self.l8.val() << self.b4.val());
}
Mode::Run => {
self.l33.next = self.b16.val().get_bits::<33>(self.b4.val().index()) << 5;
}
_ => {}
}
match (self.b4.val() + self.b4.val()).index() {
0 => {
self.l33.next = bit_cast::<33, 5>(self.b5.val()).replace_bit((self.b3.val() + self.f1.val()).index(), (self.t33.val()) < self.t33.val());
}
3 => {
self.o1.next = (self.b8.val()) <= 254;
}
7 => {
self.l8.next = (self.c8.val() | 233).replace_bit((self.b3.val() >> self.b3.val()).index(), self.mode.val() != self.last.val());
}
15 => {
self.o1.next = (self.t33.val() + self.s33.val()) >= -self.t33.val();
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 3 + 0) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = !self.b32.val() << (self.b5.val() & 27);
}
}

ports!(R55; f0, f1, b3, b4, b5, b8, c8, b16, c16, b31, b32, c32, b33, c33, b64, b100, s8, s16, t16, s33, t33, mode, last, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R56 {
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub c8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b31: Signal<In, Bits<31>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub t8: Signal<In, Signed<8>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R56 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = unsigned_cast(self.s33.val()).get_bits::<8>((7 | self.b4.val()).index()) & 12;
self.l33.next = (self.b33.val() + 0x12477f186_u64 | (self.b33.val() | 0x100000000_u64)) << (self.c8.val() - self.b8.val() << bit_cast::<3, 3>(self.rec.val().tag));
self.o1.next = ((bits::<1>(1) | self.b1.val()) + self.b4.val().all()) >= (1 + self.b1.val()).replace_bit(0, (self.b100.val()) == self.b100.val());
self.o16.next = (self.c16.val() & bits::<16>(37518) | (self.b16.val() | 1)) + ((self.s33.val() + self.t33.val()) > self.t33.val());
self.o32.next = 0xec0414fc_u64 & self.c32.val() - self.c32.val() & 608861443;
self.o100.next = (self.b64.val() >> bits::<8>(110)).get_bits::<100>((!self.b3.val()).index()) + (self.b5.val() << 2).any();
self.t_out.next = self.t33.val();
if self.mode.val() != Mode::Halt {
self.l8.next = self.rec.val().data + self.rec.val().data ^ unsigned_cast(self.t8.val());
self.l8.next = bit_cast::<8, 32>(!self.c32.val());
} else {
self.l33.next = bit_cast::<33, 32>(self.c32.val()) + !self.rec.val().flag;
}
if ((self.b5.val() ^ self.b5.val()) + self.b100.val().get_bits::<5>(73)) == (self.b5.val() << self.b1.val()) + self.b5.val() {
self.l8.next = bits::<8>(52) + self.rec.val().flag - (self.l8.val() + self.rec.val().flag);
self.o32.next = (self.b16.val() | 1) * (self.c16.val() & self.b16.val());
} else {
self.o1.next = ((self.b100.val()) != 0x7ffffffffffffffe_u64) ^ !self.f1.val();
}
if ((1081752417 ^ self.b31.val()) - (self.b31.val() << self.b3.val())) >= 1073741824 {
self.o16.next = (self.b16.val() | 65534).get_bits::<16>((self.rec.val().tag | 6).index());
self.o1.next = (self.b4.val()) == self.b4.val() || self.rec.val().tag.index() < self.b5.val().index();
} else if (self.b5.val()) > self.b5.val() && self.b31.val().xor() {
self.l8.next = !(self.c8.val() ^ self.l8.val());
} else {
self.l33.next = self.l33.val();
}
match self.mode.val() {
Mode::Idle => {
self.o100.next = (!self.b100.val()).get_bits::<100>((self.b5.val() - 0).index());
}
Mode::Run => {
self.o32.next = (0xffffffff_u64 | self.c32.val()) ^ self.c32.val().replace_bit(self.rec.val().tag.index(), self.rec.val().flag);
}
Mode::Halt => {}
}
match (!self.b4.val()).index() {
0 => {
self.o16.next = bit_cast::<32, 64>(self.b64.val()).get_bits::<16>((self.b3.val() & 0).index());
}
3 => {
self.o32.next = self.b100.val().get_bits::<32>(92) - (self.c32.val() >> bits::<4>(15));
}
7 => {
self.o32.next = (self.b100.val() + 0x7fffffffffffffff_u64).get_bits::<32>((self.b3.val() >> self.b1.val()).index());
}
15 => {
self.o16.next = self.b16.val() + self.b16.val() << 13;
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 3 + 0) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = 778661900 - !self.c32.val();
}
}

ports!(R56; f1, b1, b3, b4, b5, b8, c8, b16, c16, b31, c32, b33, b64, b100, t8, s33, t33, mode, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R57 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub c8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub s16: Signal<In, Signed<16>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub last: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R57 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = bit_cast::<8, 16>(self.b16.val() | self.c16.val()) + 254;
self.l33.next = unsigned_cast(signed_cast(self.b33.val())).replace_bit((self.b3.val() + self.f0.val()).replace_bit(0, self.f1.val() | self.f0.val()).index(), (!self.b3.val()) < bit_cast::<3, 16>(self.c16.val()));
self.o1.next = ((self.b32.val() >> self.c8.val()).get_bits::<8>(24)) <= self.b64.val().get_bits::<8>(39) ^ self.c8.val() + self.rec.val().flag;
self.o16.next = 65535 + (self.b16.val() + (self.rec.val().flag && self.rec.val().flag));
self.o32.next = bit_cast::<32, 8>(bit_cast::<8, 8>(self.b8.val()) | 0);
self.o100.next = ((self.b32.val() | 2056481220) << self.b4.val() + self.b4.val()).get_bits::<100>(22);
self.t_out.next = self.s33.val();
if self.mode.val() == self.last.val() {
self.o1.next = (self.b64.val().get_bits::<4>(self.b4.val().index())) > self.b4.val() + self.f1.val();
self.o16.next = bit_cast::<16, 100>(self.rec.val().data.get_bits::<100>(self.b3.val().index()));
} else if (self.c8.val() + self.f1.val()).index() < unsigned_cast(self.s16.val()).index() {
self.t_out.next = self.s33.val();
} else {
self.t_out.next = self.t33.val();
}
if ((0xffffffff_u64 - self.b33.val()).get_bits::<1>(17)) != 1 {
self.t_out.next = self.t33.val();
self.o32.next = bit_cast::<32, 100>(self.b100.val()) << 15;
} else {
self.o100.next = self.c8.val().get_bits::<100>(self.rec.val().tag.index()) + (bits::<4>(10).index() < self.c16.val().index());
}
if self.mode.val() != Mode::Run {
self.t_out.next = self.s33.val();
self.l33.next = unsigned_cast(self.t33.val() + self.t33.val());
} else if (self.s16.val()) != self.s16.val() {
self.o100.next = self.b100.val() + self.f0.val() + (self.b100.val() + self.rec.val().flag);
} else {
self.o100.next = self.l33.val().get_bits::<100>(self.b5.val().index()) & self.b100.val() + self.b100.val();
}
match self.mode.val() {
Mode::Idle => {
self.l33.next = self.b33.val() << self.b4.val() ^ 0x1ffffffff_u64;
}
Mode::Run => {
self.l33.next = self.b64.val().get_bits::<33>(self.b1.val().index()) << 10;
}
Mode::Halt => {}
}
match (!self.b4.val()).index() {
0 => {
self.l8.next = bit_cast::<8, 100>(self.b100.val() << 42);
}
3 => {
self.o32.next = bit_cast::<32, 8>(self.b8.val() - self.c8.val());
}
7 => {
self.t_out.next = self.s33.val() - signed_cast(self.c33.val());
}
15 => {
self.o16.next = (self.c16.val() & self.c16.val()) - (1 ^ self.b16.val());
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 2 + 2) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = self.c8.val().get_bits::<16>(0) * bit_cast::<16, 4>(self.b4.val());
}
}

ports!(R57; f0, f1, b1, b3, b4, b5, b8, c8, b16, c16, b32, c32, b33, c33, b64, b100, s16, s33, t33, mode, last, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R58 {
pub f0: Signal<In, Bit>,
pub f1: Signal<In, Bit>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub c8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub c33: Signal<In, Bits<33>>,
pub b100: Signal<In, Bits<100>>,
pub s8: Signal<In, Signed<8>>,
pub t8: Signal<In, Signed<8>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub last: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R58 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = 128 + (self.b8.val() & self.rec.val().data) << 8;
self.l33.next = bit_cast::<33, 5>(16 ^ bit_cast::<5, 8>(self.c8.val()));
self.o1.next = ((self.rec.val().tag ^ self.b3.val()) + !self.b3.val()) >= 6;
self.o16.next = bit_cast::<16, 16>(self.b16.val());
self.o32.next = ((self.c33.val() ^ self.c33.val()) + (self.rec.val().flag | self.f0.val())).get_bits::<32>(15);
self.o100.next = !(self.b100.val() << self.l33.val().get_bits::<5>(self.b3.val().index()));
self.t_out.next = self.t33.val() + self.s33.val() + self.t33.val() - (self.s33.val() - self.s33.val() - (self.s33.val() + self.t33.val()));
if ((self.c8.val() | self.l8.val()) ^ self.rec.val().data << self.b4.val()) != 254 {
self.o1.next = (self.b33.val() ^ 0x939c36f9_u64).get_bit(26);
self.t_out.next = self.s33.val();
} else if (self.b4.val() + self.f0.val()) == 1 {
self.t_out.next = signed_cast(self.l33.val() >> 34);
} else {
self.o100.next = 0x3fffffffffffffff_u64 - !self.b100.val();
}
if (7 | self.b3.val()).index() < (!self.b16.val().get_bits::<16>(6)).index() {
self.t_out.next = -self.t33.val();
self.l33.next = !self.l33.val() ^ self.c33.val() + self.f1.val();
} else {
self.o16.next = !(self.c16.val() | 40187);
}
if ((self.b5.val() >> self.b5.val()) + ((self.s8.val()) >= self.s8.val())) >= self.b5.val() - 10 << 1 {
self.t_out.next = signed_cast(0x9197aa1b_u64 - bits::<33>(0xffffffff_u64));
self.t_out.next = self.s33.val() - (self.s33.val() - self.t33.val());
} else if self.mode.val() == Mode::Idle {
self.o32.next = bit_cast::<32, 16>(self.b16.val()) + self.l33.val().get_bits::<32>(self.b3.val().index());
} else {
self.o32.next = (self.l8.val() << 0).get_bits::<32>(2);
}
match self.mode.val() {
Mode::Idle => {
self.l8.next = self.l8.val() ^ self.c8.val() | !self.l8.val();
}
Mode::Run => {
self.o1.next = !(self.mode.val() == self.last.val());
}
_ => {}
}
match (!bits::<4>(15)).index() {
0 => {
self.l8.next = (self.c32.val() ^ 0).get_bits::<8>((self.b5.val() >> 1).index());
}
3 => {
self.o16.next = self.b16.val();
}
7 => {
self.t_out.next = self.s33.val();
}
15 => {
self.l8.next = unsigned_cast(self.s8.val() - self.t8.val());
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 1 + 1) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = self.b32.val();
}
}

ports!(R58; f0, f1, b3, b4, b5, b8, c8, b16, c16, b32, c32, b33, c33, b100, s8, t8, s33, t33, mode, last, rec => o1, o16, o32, o100, t_out);

#[derive(LogicBlock, Default)]
pub(crate) struct R59 {
pub f0: Signal<In, Bit>,
pub b1: Signal<In, Bits<1>>,
pub b3: Signal<In, Bits<3>>,
pub b4: Signal<In, Bits<4>>,
pub b5: Signal<In, Bits<5>>,
pub b8: Signal<In, Bits<8>>,
pub b16: Signal<In, Bits<16>>,
pub c16: Signal<In, Bits<16>>,
pub b31: Signal<In, Bits<31>>,
pub b32: Signal<In, Bits<32>>,
pub c32: Signal<In, Bits<32>>,
pub b33: Signal<In, Bits<33>>,
pub b64: Signal<In, Bits<64>>,
pub b100: Signal<In, Bits<100>>,
pub s8: Signal<In, Signed<8>>,
pub t8: Signal<In, Signed<8>>,
pub s33: Signal<In, Signed<33>>,
pub t33: Signal<In, Signed<33>>,
pub mode: Signal<In, Mode>,
pub last: Signal<In, Mode>,
pub rec: Signal<In, Rec>,
l8: Signal<Local, Bits<8>>,
l33: Signal<Local, Bits<33>>,
pub o1: Signal<Out, Bit>,
pub o16: Signal<Out, Bits<16>>,
pub o32: Signal<Out, Bits<32>>,
pub o100: Signal<Out, Bits<100>>,
pub t_out: Signal<Out, Signed<33>>,
}

impl Logic for R59 {
#[hdl_gen]
fn update(&mut self) {
self.l8.next = bit_cast::<8, 100>(bits::<64>(0x124218fc1459e904_u64).get_bits::<100>(25).replace_bit((self.rec.val().tag << self.b1.val()).index(), self.rec.val().flag && self.f0.val()));
self.l33.next = (bits::<8>(255) >> 3).get_bits::<33>((1 & self.b1.val()).index()) ^ 0xffffffff_u64;
self.o1.next = (self.b4.val() & 6 ^ (1 ^ self.b4.val())).index() < (bits::<33>(0x136f3088d_u64).get_bits::<16>(self.b1.val().index()) + self.b16.val()).index();
self.o16.next = !!self.c32.val().get_bits::<16>(18);
self.o32.next = !(0x9519af21_u64 + self.b32.val());
self.o100.next = self.b100.val();
self.t_out.next = -self.s33.val();
if !((self.b31.val()) == 1562875782) ^ ((0 + bits::<1>(0)) > self.b1.val() ^ self.b1.val()) {
self.o16.next = self.l8.val().get_bits::<16>(bits::<3>(4).index()) + 33541;
self.o16.next = !self.c16.val().replace_bit(self.b3.val().index(), self.f0.val());
} else if (self.b4.val()) <= self.b32.val().get_bits::<4>(7) {
self.l33.next = !(0x1ffffffff_u64 | self.b33.val());
} else {
self.o16.next = self.c16.val() >> self.b8.val() << (self.l8.val() << self.rec.val().tag);
}
if self.mode.val() == self.last.val() {
self.o16.next = bit_cast::<16, 5>(self.b5.val()) << self.b5.val() + self.b5.val();
self.o100.next = bit_cast::<100, 31>(self.c16.val().get_bits::<31>(2));
} else {
self.o16.next = (self.c16.val() ^ 65534) & self.c16.val().replace_bit(15, self.f0.val());
}
if (self.s8.val() + self.s8.val() + (self.s8.val() - self.t8.val())) < signed_cast(unsigned_cast(signed_cast(self.l8.val()))) - (-69).to_signed_bits::<8>() {
self.o100.next = 0x7fffffffffffffff_u64 ^ self.b100.val();
self.o32.next = (self.c32.val() << self.b1.val()) - self.c16.val() * self.c16.val();
} else {
self.t_out.next = self.s33.val() - self.t33.val();
}
match self.mode.val() {
Mode::Idle => {
self.t_out.next = -self.s33.val();
}
Mode::Run => {
self.o1.next = bit_cast::<8, 16>(self.b16.val()).index() < self.b16.val().replace_bit(self.b3.val().index(), self.f0.val()).index();
}
Mode::Halt => {}
}
match (self.b4.val() ^ self.b4.val()).index() {
0 => {
self.o100.next = (bits::<32>(0xd581bc42_u64) << self.b5.val()).get_bits::<100>(24);
}
3 => {
self.t_out.next = self.t33.val() + self.t33.val();
}
7 => {
self.o1.next = (self.b64.val() << 7).get_bit(43);
}
15 => {
self.o1.next = ((self.b1.val()) <= self.b1.val()) & ((signed_cast(self.c32.val())) != signed_cast(self.c32.val()));
}
_ => {}
}
for i in 0..3 {
if self.c32.val().get_bit(i * 3 + 2) {
self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);
self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();
}
}
self.o32.next = (self.c16.val() | self.c16.val()) * (self.c16.val() & self.c16.val());
}
}

ports!(R59; f0, b1, b3, b4, b5, b8, b16, c16, b31, b32, c32, b33, b64, b100, s8, t8, s33, t33, mode, last, rec => o1, o16, o32, o100, t_out);

/// Calls a macro with every block.
macro_rules! all {
($m:ident) => {
$m!(R0);
$m!(R1);
$m!(R2);
$m!(R3);
$m!(R4);
$m!(R5);
$m!(R6);
$m!(R7);
$m!(R8);
$m!(R9);
$m!(R10);
$m!(R11);
$m!(R12);
$m!(R13);
$m!(R14);
$m!(R15);
$m!(R16);
$m!(R17);
$m!(R18);
$m!(R19);
$m!(R20);
$m!(R21);
$m!(R22);
$m!(R23);
$m!(R24);
$m!(R25);
$m!(R26);
$m!(R27);
$m!(R28);
$m!(R29);
$m!(R30);
$m!(R31);
$m!(R32);
$m!(R33);
$m!(R34);
$m!(R35);
$m!(R36);
$m!(R37);
$m!(R38);
$m!(R39);
$m!(R40);
$m!(R41);
$m!(R42);
$m!(R43);
$m!(R44);
$m!(R45);
$m!(R46);
$m!(R47);
$m!(R48);
$m!(R49);
$m!(R50);
$m!(R51);
$m!(R52);
$m!(R53);
$m!(R54);
$m!(R55);
$m!(R56);
$m!(R57);
$m!(R58);
$m!(R59);
};
}
pub(crate) use all;
