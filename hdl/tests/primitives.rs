//! Compares every primitive's Rust behaviour with its Verilog, under Verilator and Icarus, and checks which
//! memory or DSP block yosys makes of it.

mod common;

use common::{Case, Ports, Random, agree};
use std::process::Command;
use weft_hdl::prelude::*;
use weft_hdl::{Emitter, Tools, gate};

fn emitter() -> Emitter {
    Emitter::new().source("hdl/tests/primitives.rs", include_str!("primitives.rs"))
}

/// Random vectors for `T`; `edit` changes each vector.
fn vectors<T: Ports>(count: usize, seed: u64, edit: impl Fn(usize, &mut [u128])) -> Vec<Vec<u128>> {
    let inputs = T::default().inputs();
    let mut random = Random::new(seed);
    (0..count)
        .map(|i| {
            let mut v: Vec<u128> = inputs.iter().map(|(_, w)| random.word(*w)).collect();
            edit(i, &mut v);
            v
        })
        .collect()
}

/// The case, compared only in vectors for which `care` is true.
fn check(mut case: Case, care: impl Fn(usize) -> bool) -> Case {
    for (i, expected) in case.expected.iter_mut().enumerate() {
        if !care(i) {
            *expected = None;
        }
    }
    case
}

/// One simulation runs all cases: a build of a simulator takes longer than its vectors. The message names
/// each case that differs.
#[test]
fn all_agree() {
    let cases = [
        reg(),
        pipe(),
        masked(),
        ram_lut(),
        ram_sdp(),
        ram_sdp_without_output_register(),
        ram_sdp_be(),
        ram_tdp(),
        mul(),
        div(),
        enable(),
        late_reset(),
        delay(),
        linear(),
        mul_of_parts("weft_mul_two", 18),
        mul_of_parts("weft_mul_many", 7),
    ];
    for case in &cases {
        gate(&case.modules, &case.name, Tools::default()).unwrap_or_else(|e| panic!("{e}"));
        let compared = case.expected.iter().flatten().count();
        assert!(2 * compared > case.expected.len(), "{}: too little compared", case.name);
    }
    agree(&cases);
}

/// A block around one primitive: its ports under their own names.
macro_rules! wrap {
    ($name:ident, $inner:ty, $new:expr; $($input:ident: $ity:ty),* => $($output:ident: $oty:ty),*) => {
        ports!($name; clk, $($input),* => $($output),*);
        impl Default for $name {
            fn default() -> Self {
                $name {
                    clk: Signal::default(),
                    $($input: Signal::default(),)*
                    $($output: Signal::default(),)*
                    inner: $new,
                }
            }
        }
    };
}

#[derive(LogicBlock)]
struct RegBench {
    clk: Signal<In, Clock>,
    rst: Signal<In, Bit>,
    en: Signal<In, Bit>,
    d: Signal<In, Bits<13>>,
    q: Signal<Out, Bits<13>>,
    inner: Reg<Bits<13>>,
}

impl Logic for RegBench {
    #[hdl_gen]
    fn update(&mut self) {
        self.inner.clk.next = self.clk.val();
        self.inner.rst.next = self.rst.val();
        self.inner.en.next = self.en.val();
        self.inner.d.next = self.d.val();
        self.q.next = self.inner.q.val();
    }
}

wrap!(RegBench, Reg<Bits<13>>, Reg::new(0x0abc.into());
    rst: Bit, en: Bit, d: Bits<13> => q: Bits<13>);

fn reg() -> Case {
    let vectors = vectors::<RegBench>(2000, 1, |_, _| {});
    check(Case::new::<RegBench>(&emitter(), "weft_reg_bench", vectors), |_| true)
}

#[derive(LogicBlock)]
struct PipeBench {
    clk: Signal<In, Clock>,
    en: Signal<In, Bit>,
    d: Signal<In, Bits<70>>,
    q: Signal<Out, Bits<70>>,
    inner: Pipe<Bits<70>>,
}

impl Logic for PipeBench {
    #[hdl_gen]
    fn update(&mut self) {
        self.inner.clk.next = self.clk.val();
        self.inner.en.next = self.en.val();
        self.inner.d.next = self.d.val();
        self.q.next = self.inner.q.val();
    }
}

wrap!(PipeBench, Pipe<Bits<70>>, Pipe::default(); en: Bit, d: Bits<70> => q: Bits<70>);

fn pipe() -> Case {
    let vectors = vectors::<PipeBench>(2000, 2, |i, v| v[0] |= u128::from(i == 0));
    check(Case::new::<PipeBench>(&emitter(), "weft_pipe_bench", vectors), |_| true)
}

#[derive(LogicBlock)]
struct MaskedBench {
    clk: Signal<In, Clock>,
    keep: Signal<In, Bits<5>>,
    d: Signal<In, Bits<40>>,
    q: Signal<Out, Bits<40>>,
    inner: Masked<40, 5>,
}

impl Logic for MaskedBench {
    #[hdl_gen]
    fn update(&mut self) {
        self.inner.clk.next = self.clk.val();
        self.inner.keep.next = self.keep.val();
        self.inner.d.next = self.d.val();
        self.q.next = self.inner.q.val();
    }
}

wrap!(MaskedBench, Masked<40, 5>, Masked::default(); keep: Bits<5>, d: Bits<40> => q: Bits<40>);

fn masked() -> Case {
    let vectors = vectors::<MaskedBench>(2000, 13, |_, _| {});
    check(Case::new::<MaskedBench>(&emitter(), "weft_masked_bench", vectors), |_| true)
}

macro_rules! sdp {
    ($name:ident, $inner:ty, $new:expr, $we:ty, $word:ty, $addr:ty) => {
        wrap!($name, $inner, $new; we: $we, waddr: $addr, wdata: $word, re: Bit, raddr: $addr,
            oe: Bit => rdata: $word);
    };
}

#[derive(LogicBlock)]
struct SdpBench {
    clk: Signal<In, Clock>,
    we: Signal<In, Bit>,
    waddr: Signal<In, Bits<5>>,
    wdata: Signal<In, Bits<36>>,
    re: Signal<In, Bit>,
    raddr: Signal<In, Bits<5>>,
    oe: Signal<In, Bit>,
    rdata: Signal<Out, Bits<36>>,
    inner: RamSdp<Bits<36>, 5>,
}

impl Logic for SdpBench {
    #[hdl_gen]
    fn update(&mut self) {
        self.inner.clk.next = self.clk.val();
        self.inner.we.next = self.we.val();
        self.inner.waddr.next = self.waddr.val();
        self.inner.wdata.next = self.wdata.val();
        self.inner.re.next = self.re.val();
        self.inner.raddr.next = self.raddr.val();
        self.inner.oe.next = self.oe.val();
        self.rdata.next = self.inner.rdata.val();
    }
}

sdp!(SdpBench, RamSdp<Bits<36>, 5>, RamSdp::new(true, RamStyle::Block), Bit, Bits<36>, Bits<5>);

#[derive(LogicBlock)]
struct SdpDirectBench {
    clk: Signal<In, Clock>,
    we: Signal<In, Bit>,
    waddr: Signal<In, Bits<5>>,
    wdata: Signal<In, Bits<36>>,
    re: Signal<In, Bit>,
    raddr: Signal<In, Bits<5>>,
    oe: Signal<In, Bit>,
    rdata: Signal<Out, Bits<36>>,
    inner: RamSdp<Bits<36>, 5>,
}

impl Logic for SdpDirectBench {
    #[hdl_gen]
    fn update(&mut self) {
        self.inner.clk.next = self.clk.val();
        self.inner.we.next = self.we.val();
        self.inner.waddr.next = self.waddr.val();
        self.inner.wdata.next = self.wdata.val();
        self.inner.re.next = self.re.val();
        self.inner.raddr.next = self.raddr.val();
        self.inner.oe.next = self.oe.val();
        self.rdata.next = self.inner.rdata.val();
    }
}

sdp!(SdpDirectBench, RamSdp<Bits<36>, 5>, RamSdp::new(false, RamStyle::Auto), Bit, Bits<36>, Bits<5>);

#[derive(LogicBlock)]
struct LutBench {
    clk: Signal<In, Clock>,
    we: Signal<In, Bit>,
    waddr: Signal<In, Bits<2>>,
    wdata: Signal<In, Bits<36>>,
    raddr: Signal<In, Bits<2>>,
    rdata: Signal<Out, Bits<36>>,
    inner: RamLut<Bits<36>, 2>,
}

impl Logic for LutBench {
    #[hdl_gen]
    fn update(&mut self) {
        self.inner.clk.next = self.clk.val();
        self.inner.we.next = self.we.val();
        self.inner.waddr.next = self.waddr.val();
        self.inner.wdata.next = self.wdata.val();
        self.inner.raddr.next = self.raddr.val();
        self.rdata.next = self.inner.rdata.val();
    }
}

wrap!(LutBench, RamLut<Bits<36>, 2>, RamLut::default();
    we: Bit, waddr: Bits<2>, wdata: Bits<36>, raddr: Bits<2> => rdata: Bits<36>);

/// The first clocks write every word.
fn ram_lut() -> Case {
    let vectors = vectors::<LutBench>(2000, 12, |i, v| {
        if i < 4 {
            (v[0], v[1]) = (1, i as u128);
        }
    });
    check(Case::new::<LutBench>(&emitter(), "weft_lut_bench", vectors), |i| i >= 4)
}

#[derive(LogicBlock)]
struct SdpBeBench {
    clk: Signal<In, Clock>,
    we: Signal<In, Bits<4>>,
    waddr: Signal<In, Bits<5>>,
    wdata: Signal<In, Bits<32>>,
    re: Signal<In, Bit>,
    raddr: Signal<In, Bits<5>>,
    oe: Signal<In, Bit>,
    rdata: Signal<Out, Bits<32>>,
    inner: RamSdpBe<32, 4, 5>,
}

impl Logic for SdpBeBench {
    #[hdl_gen]
    fn update(&mut self) {
        self.inner.clk.next = self.clk.val();
        self.inner.we.next = self.we.val();
        self.inner.waddr.next = self.waddr.val();
        self.inner.wdata.next = self.wdata.val();
        self.inner.re.next = self.re.val();
        self.inner.raddr.next = self.raddr.val();
        self.inner.oe.next = self.oe.val();
        self.rdata.next = self.inner.rdata.val();
    }
}

sdp!(SdpBeBench, RamSdpBe<32, 4, 5>, RamSdpBe::default(), Bits<4>, Bits<32>, Bits<5>);

/// Words written before the words read, in the first 40 clocks.
fn fill(i: usize, v: &mut [u128], all: u128) {
    if i < 40 {
        (v[0], v[1], v[3], v[4], v[5]) = (all, i as u128 & 31, 1, (i as u128 + 31) & 31, 1);
    }
}

/// The clocks in which the output can show a read that collided.
fn sdp_cares(vectors: &[Vec<u128>], out_reg: bool) -> Vec<bool> {
    let (mut word, mut out) = (true, true);
    vectors
        .iter()
        .map(|v| {
            let before = word;
            if v[3] == 1 {
                word = v[0] == 0 || v[1] != v[4];
            }
            if v[5] == 1 {
                out = before;
            }
            if out_reg { out } else { word }
        })
        .collect()
}

fn ram_sdp_case<T: Ports>(name: &str, all: u128, out_reg: bool) -> Case {
    let mut vectors = vectors::<T>(4000, 3, |i, v| fill(i, v, all));
    // Collisions are rare among random addresses.
    for v in vectors.iter_mut().skip(40).step_by(7) {
        v[4] = v[1];
    }
    let cares = sdp_cares(&vectors, out_reg);
    assert!(cares.iter().any(|c| !c), "no collision tested");
    check(Case::new::<T>(&emitter(), name, vectors), |i| i > 40 && cares[i])
}

fn ram_sdp() -> Case {
    ram_sdp_case::<SdpBench>("weft_sdp_bench", 1, true)
}

fn ram_sdp_without_output_register() -> Case {
    ram_sdp_case::<SdpDirectBench>("weft_sdp_direct_bench", 1, false)
}

fn ram_sdp_be() -> Case {
    ram_sdp_case::<SdpBeBench>("weft_sdp_be_bench", 15, true)
}

/// A block that used the word of a collision would differ from its Verilog.
#[test]
fn collisions_are_noticed() {
    let mut vectors = vectors::<SdpBench>(4000, 3, |i, v| fill(i, v, 1));
    for v in vectors.iter_mut().skip(40).step_by(7) {
        v[4] = v[1];
    }
    let case = Case::new::<SdpBench>(&emitter(), "weft_sdp_bench", vectors);
    let outcome = common::run(&[case], common::Simulator::Icarus);
    let outcome = &outcome.expect("apt-get install iverilog")[0];
    assert!(outcome.mismatches > 100, "{outcome:?}");
}

#[derive(LogicBlock)]
struct TdpBench {
    clk: Signal<In, Clock>,
    a_en: Signal<In, Bit>,
    a_we: Signal<In, Bit>,
    a_addr: Signal<In, Bits<4>>,
    a_wdata: Signal<In, Bits<18>>,
    a_oe: Signal<In, Bit>,
    b_en: Signal<In, Bit>,
    b_we: Signal<In, Bit>,
    b_addr: Signal<In, Bits<4>>,
    b_wdata: Signal<In, Bits<18>>,
    b_oe: Signal<In, Bit>,
    a_rdata: Signal<Out, Bits<18>>,
    b_rdata: Signal<Out, Bits<18>>,
    inner: RamTdp<Bits<18>, 4>,
}

impl Logic for TdpBench {
    #[hdl_gen]
    fn update(&mut self) {
        self.inner.clk.next = self.clk.val();
        self.inner.a_en.next = self.a_en.val();
        self.inner.a_we.next = self.a_we.val();
        self.inner.a_addr.next = self.a_addr.val();
        self.inner.a_wdata.next = self.a_wdata.val();
        self.inner.a_oe.next = self.a_oe.val();
        self.inner.b_en.next = self.b_en.val();
        self.inner.b_we.next = self.b_we.val();
        self.inner.b_addr.next = self.b_addr.val();
        self.inner.b_wdata.next = self.b_wdata.val();
        self.inner.b_oe.next = self.b_oe.val();
        self.a_rdata.next = self.inner.a_rdata.val();
        self.b_rdata.next = self.inner.b_rdata.val();
    }
}

wrap!(TdpBench, RamTdp<Bits<18>, 4>, RamTdp::default();
    a_en: Bit, a_we: Bit, a_addr: Bits<4>, a_wdata: Bits<18>, a_oe: Bit,
    b_en: Bit, b_we: Bit, b_addr: Bits<4>, b_wdata: Bits<18>, b_oe: Bit
    => a_rdata: Bits<18>, b_rdata: Bits<18>);

/// Collisions are excluded, because their effects on the memory would be visible for long.
fn ram_tdp() -> Case {
    let vectors = vectors::<TdpBench>(4000, 5, |i, v| {
        if i < 16 {
            (v[0], v[1], v[2], v[5]) = (1, 1, i as u128, 0);
        } else if i < 20 {
            (v[0], v[1], v[4], v[5], v[6], v[9]) = (1, 0, 1, 1, 0, 1);
        } else if v[2] == v[7] {
            v[7] ^= 1;
        }
    });
    check(Case::new::<TdpBench>(&emitter(), "weft_tdp_bench", vectors), |i| i >= 20)
}

#[derive(LogicBlock)]
struct MulBench {
    clk: Signal<In, Clock>,
    en: Signal<In, Bit>,
    a: Signal<In, Bits<17>>,
    b: Signal<In, Bits<24>>,
    p: Signal<Out, Bits<41>>,
    p_one: Signal<Out, Bits<41>>,
    p_two: Signal<Out, Bits<41>>,
    p_five: Signal<Out, Bits<41>>,
    inner: Mul<17, 24, 41>,
    one: Mul<17, 24, 41>,
    two: Mul<17, 24, 41>,
    five: Mul<17, 24, 41>,
}

impl Default for MulBench {
    fn default() -> Self {
        MulBench {
            clk: Signal::default(),
            en: Signal::default(),
            a: Signal::default(),
            b: Signal::default(),
            p: Signal::default(),
            p_one: Signal::default(),
            p_two: Signal::default(),
            p_five: Signal::default(),
            inner: Mul::default(),
            one: Mul::new(1),
            two: Mul::new(2),
            five: Mul::new(5),
        }
    }
}

impl Logic for MulBench {
    #[hdl_gen]
    fn update(&mut self) {
        self.inner.clk.next = self.clk.val();
        self.inner.en.next = self.en.val();
        self.inner.a.next = self.a.val();
        self.inner.b.next = self.b.val();
        self.p.next = self.inner.p.val();
        self.one.clk.next = self.clk.val();
        self.one.en.next = self.en.val();
        self.one.a.next = self.a.val();
        self.one.b.next = self.b.val();
        self.p_one.next = self.one.p.val();
        self.two.clk.next = self.clk.val();
        self.two.en.next = self.en.val();
        self.two.a.next = self.a.val();
        self.two.b.next = self.b.val();
        self.p_two.next = self.two.p.val();
        self.five.clk.next = self.clk.val();
        self.five.en.next = self.en.val();
        self.five.a.next = self.a.val();
        self.five.b.next = self.b.val();
        self.p_five.next = self.five.p.val();
    }
}

ports!(MulBench; clk, en, a, b => p, p_one, p_two, p_five);

fn mul() -> Case {
    let vectors = vectors::<MulBench>(4000, 6, |i, v| v[0] |= u128::from(i < 8));
    check(Case::new::<MulBench>(&emitter(), "weft_mul_bench", vectors), |i| i >= 8)
}

/// Products of divided factors: in two parts of 18 bits, and in three and four of 7 bits.
fn mul_of_parts(name: &str, bits: u32) -> Case {
    let vectors = vectors::<MulBench>(4000, 6, |i, v| v[0] |= u128::from(i < 8));
    let mut case = Case::new::<MulBench>(&emitter(), name, vectors);
    let top = case.modules.iter_mut().find(|module| module.name == name).unwrap();
    let cut = top.text.replace("FACTOR_BITS = 0", &format!("FACTOR_BITS = {bits}"));
    assert_ne!(top.text, cut);
    top.text = cut;
    check(case, |i| i >= 8)
}

#[derive(LogicBlock)]
struct DivBench {
    clk: Signal<In, Clock>,
    en: Signal<In, Bit>,
    num: Signal<In, Bits<20>>,
    den: Signal<In, Bits<9>>,
    q: Signal<Out, Bits<20>>,
    q_wide: Signal<Out, Bits<9>>,
    q_bit: Signal<Out, Bits<1>>,
    q_short: Signal<Out, Bits<12>>,
    inner: Div<20, 9, 20>,
    wide: Div<9, 20, 9>,
    bit_wide: Div<1, 1, 1>,
    short: Div<20, 9, 12>,
}

impl Default for DivBench {
    fn default() -> Self {
        DivBench {
            clk: Default::default(),
            en: Default::default(),
            num: Default::default(),
            den: Default::default(),
            q: Default::default(),
            q_wide: Default::default(),
            q_bit: Default::default(),
            q_short: Default::default(),
            inner: Div::new(2),
            wide: Div::new(3),
            bit_wide: Default::default(),
            short: Div::new(4),
        }
    }
}

impl Logic for DivBench {
    #[hdl_gen]
    fn update(&mut self) {
        self.inner.clk.next = self.clk.val();
        self.inner.en.next = self.en.val();
        self.inner.en_late.next = self.en.val();
        self.inner.num.next = self.num.val();
        self.inner.den.next = self.den.val();
        self.q.next = self.inner.q.val();
        self.wide.clk.next = self.clk.val();
        self.wide.en.next = self.en.val();
        self.wide.en_late.next = self.en.val();
        self.wide.num.next = self.den.val();
        self.wide.den.next = self.num.val();
        self.q_wide.next = self.wide.q.val();
        self.bit_wide.clk.next = self.clk.val();
        self.bit_wide.en.next = self.en.val();
        self.bit_wide.en_late.next = self.en.val();
        self.bit_wide.num.next = self.num.val().get_bits::<1>(0);
        self.bit_wide.den.next = self.den.val().get_bits::<1>(0);
        self.q_bit.next = self.bit_wide.q.val();
        self.short.clk.next = self.clk.val();
        self.short.en.next = self.en.val();
        self.short.en_late.next = self.en.val();
        self.short.num.next = self.num.val();
        self.short.den.next = self.den.val();
        self.q_short.next = self.short.q.val();
    }
}

ports!(DivBench; clk, en, num, den => q, q_wide, q_bit, q_short);

fn div() -> Case {
    let vectors = vectors::<DivBench>(6000, 7, |i, v| {
        v[0] |= u128::from(i < 24);
        // Division by zero, by small numbers, and quotients at the edge of the range.
        match i % 8 {
            0 => v[2] = 0,
            1 => v[2] &= 7,
            2 => v[2] = v[1] >> 12,
            3 => v[2] = (v[1] >> 12) + 1,
            _ => {}
        }
    });
    check(Case::new::<DivBench>(&emitter(), "weft_div_bench", vectors), |i| i >= 24)
}

#[derive(LogicBlock)]
struct EnableBench {
    clk: Signal<In, Clock>,
    rst: Signal<In, Bit>,
    next_run: Signal<In, Bit>,
    q: Signal<Out, Bit>,
    inner: Enable,
}

impl Logic for EnableBench {
    #[hdl_gen]
    fn update(&mut self) {
        self.inner.clk.next = self.clk.val();
        self.inner.rst.next = self.rst.val();
        self.inner.next_run.next = self.next_run.val();
        self.q.next = self.inner.q.val();
    }
}

wrap!(EnableBench, Enable, Enable::default(); rst: Bit, next_run: Bit => q: Bit);

fn enable() -> Case {
    let vectors = vectors::<EnableBench>(2000, 9, |_, _| {});
    check(Case::new::<EnableBench>(&emitter(), "weft_enable_bench", vectors), |_| true)
}

#[derive(LogicBlock)]
struct LateResetBench {
    clk: Signal<In, Clock>,
    rst: Signal<In, Bit>,
    q: Signal<Out, Bit>,
    inner: LateReset,
}

impl Logic for LateResetBench {
    #[hdl_gen]
    fn update(&mut self) {
        self.inner.clk.next = self.clk.val();
        self.inner.rst.next = self.rst.val();
        self.q.next = self.inner.q.val();
    }
}

wrap!(LateResetBench, LateReset, LateReset::default(); rst: Bit => q: Bit);

fn late_reset() -> Case {
    let vectors = vectors::<LateResetBench>(2000, 9, |_, _| {});
    check(Case::new::<LateResetBench>(&emitter(), "weft_late_reset_bench", vectors), |_| true)
}

#[derive(LogicBlock)]
struct DelayBench {
    clk: Signal<In, Clock>,
    en: Signal<In, Bit>,
    d: Signal<In, Bits<7>>,
    one: Signal<Out, Bits<7>>,
    five: Signal<Out, Bits<7>>,
    short: Delay<Bits<7>>,
    long: Delay<Bits<7>>,
}

impl Default for DelayBench {
    fn default() -> Self {
        DelayBench {
            clk: Default::default(),
            en: Default::default(),
            d: Default::default(),
            one: Default::default(),
            five: Default::default(),
            short: Delay::new(1),
            long: Delay::new(5),
        }
    }
}

impl Logic for DelayBench {
    #[hdl_gen]
    fn update(&mut self) {
        self.short.clk.next = self.clk.val();
        self.short.en.next = self.en.val();
        self.short.d.next = self.d.val();
        self.one.next = self.short.q.val();
        self.long.clk.next = self.clk.val();
        self.long.en.next = self.en.val();
        self.long.d.next = self.d.val();
        self.five.next = self.long.q.val();
    }
}

ports!(DelayBench; clk, en, d => one, five);

fn delay() -> Case {
    let vectors = vectors::<DelayBench>(2000, 8, |i, v| v[0] |= u128::from(i < 8));
    check(Case::new::<DelayBench>(&emitter(), "weft_delay_bench", vectors), |i| i >= 8)
}

/// Cells of `kind` after synthesis of one primitive.
fn cells(module: &str, parameters: &str, synth: &str) -> Vec<(String, usize)> {
    let file = format!("{}/verilog/prim/{module}.v", env!("CARGO_MANIFEST_DIR"));
    let script = format!("read_verilog {file}; chparam {parameters} {module}; {synth} -top {module}; stat");
    let output = Command::new("yosys").args(["-p", &script]).output();
    let output = output.expect("apt-get install yosys");
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout);
    let (_, stat) = text.rsplit_once("Number of cells:").expect("stat");
    stat.lines()
        .skip(1)
        .map_while(|l| {
            let mut parts = l.split_whitespace();
            Some((parts.next()?.to_string(), parts.next()?.parse().ok()?))
        })
        .filter(|(cell, _)| !cell.contains("BUF"))
        .collect()
}

fn has(cells: &[(String, usize)], cell: &str) -> usize {
    cells.iter().find(|(c, _)| c == cell).map_or(0, |c| c.1)
}

/// Each memory is one memory block without further logic, on two families. A column for every input bit; all
/// columns differ.
fn column(bit: usize) -> Bits<13> {
    ((0x1357 * (bit as u64 + 3)) & 0x1FFF).to_bits()
}

#[derive(LogicBlock)]
struct LinearBench {
    clk: Signal<In, Clock>,
    x: Signal<In, Bits<70>>,
    y: Signal<Out, Bits<13>>,
    map: Linear<70, 13>,
    held: Pipe<Bits<70>>,
}

impl Default for LinearBench {
    fn default() -> Self {
        LinearBench {
            clk: Signal::default(),
            x: Signal::default(),
            y: Signal::default(),
            map: Linear::new(column),
            held: Pipe::default(),
        }
    }
}

impl Logic for LinearBench {
    #[hdl_gen]
    fn update(&mut self) {
        self.held.clk.next = self.clk.val();
        self.held.en.next = true;
        self.held.d.next = self.x.val();
        self.map.x.next = self.held.q.val();
        self.y.next = self.map.y.val();
    }
}

ports!(LinearBench; clk, x => y);

/// Compares behaviour and Verilog with each other, and with the columns that a single bit selects.
fn linear() -> Case {
    let vectors = vectors::<LinearBench>(2000, 11, |i, v| {
        if i < 70 {
            v[0] = 1 << i;
        }
    });
    let case = Case::new::<LinearBench>(&emitter(), "weft_linear_bench", vectors);
    for bit in 0..70 {
        assert_eq!(case.expected[bit], Some(vec![column(bit).to_u128()]), "input bit {bit}");
    }
    check(case, |_| true)
}

#[test]
fn memories_infer() {
    for (module, parameters, synth, block) in [
        ("weft_ram_sdp", "-set W 36 -set A 9 -set OUT_REG 0", "synth_ecp5", "DP16KD"),
        ("weft_ram_sdp", "-set W 72 -set A 9 -set OUT_REG 0", "synth_xilinx -family xcup", "RAMB36E2"),
        ("weft_ram_sdp_be", "-set B 4 -set A 9 -set OUT_REG 0", "synth_ecp5", "DP16KD"),
        ("weft_ram_sdp_be", "-set B 8 -set A 9 -set OUT_REG 0", "synth_xilinx -family xcup", "RAMB36E2"),
    ] {
        let cells = cells(module, parameters, synth);
        assert_eq!(cells, [(block.to_string(), 1)], "{module} {synth}");
    }
    for (synth, block, width) in [("synth_ecp5", "DP16KD", 18), ("synth_xilinx -family xcup", "RAMB36E2", 36)]
    {
        let parameters = format!("-set W {width} -set A 10 -set OUT_REG 0");
        let cells = cells("weft_ram_tdp", &parameters, synth);
        assert_eq!(has(&cells, block), 1, "{synth}: {cells:?}");
        // The two enables of a port meet in one LUT each.
        let total: usize = cells.iter().map(|c| c.1).sum();
        assert!(total <= 3, "{synth}: {cells:?}");
    }
}

/// Eight LUTs for 14 bits, and no register.
#[test]
fn memory_that_is_read_without_a_clock_is_luts() {
    let cells = cells("weft_ram_lut", "-set W 28 -set A 1", "synth_xilinx -family xcup");
    assert_eq!(cells, [("RAM32M16".to_string(), 2)]);
}

/// The output register costs only registers.
#[test]
fn output_register_costs_registers_only() {
    let cells = cells("weft_ram_sdp", "-set W 36 -set A 9 -set OUT_REG 1", "synth_ecp5");
    assert_eq!(has(&cells, "DP16KD"), 1, "{cells:?}");
    assert_eq!(has(&cells, "TRELLIS_FF"), 36, "{cells:?}");
    assert_eq!(cells.len(), 2, "{cells:?}");
}

#[test]
fn multiplier_is_one_dsp() {
    for (synth, block) in [("synth_ecp5", "MULT18X18D"), ("synth_xilinx -family xcup", "DSP48E2")] {
        let cells = cells("weft_mul", "-set A 16 -set B 16 -set STAGES 3", synth);
        assert_eq!(has(&cells, block), 1, "{synth}: {cells:?}");
    }
}

/// Each part of a product is one multiplier block, with a register behind it.
#[test]
fn parts_of_a_product_are_one_dsp_each() {
    let cells = cells("weft_mul", "-set A 36 -set B 30 -set STAGES 2 -set FACTOR_BITS 18", "synth_ecp5");
    assert_eq!(has(&cells, "MULT18X18D"), 4, "{cells:?}");
    assert_eq!(has(&cells, "TRELLIS_FF"), 36 + 30 + 36 + 30 + 66, "{cells:?}");
}
