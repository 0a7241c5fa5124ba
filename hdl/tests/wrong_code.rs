//! Cases that rust-hdl's own printer gets wrong, and cases that it gets right. Each case is one output, whose
//! Rust is compared with its Verilog under Verilator and Icarus on 3,000 vectors.

mod common;

use common::{Case, Outcome, Simulator, run};
use std::sync::OnceLock;
use weft_hdl::Emitter;
use weft_hdl::prelude::*;

const VECTORS: usize = 3000;

/// Each output is a line of the table in docs/emitter.md.
#[derive(LogicBlock, Default)]
struct Table {
    a: Signal<In, Bits<8>>,
    b: Signal<In, Bits<8>>,
    c: Signal<In, Bits<8>>,
    p: Signal<In, Bits<4>>,
    q: Signal<In, Bits<4>>,
    w: Signal<In, Bits<16>>,
    v: Signal<In, Bits<16>>,
    s: Signal<In, Signed<8>>,
    t: Signal<In, Signed<8>>,
    h: Signal<In, Signed<16>>,
    k: Signal<In, Signed<16>>,
    and_equals: Signal<Out, Bit>,
    equals_or: Signal<Out, Bit>,
    fifo_full: Signal<Out, Bit>,
    less_one_greater: Signal<Out, Bit>,
    carry_shifted: Signal<Out, Bits<8>>,
    cast_sum: Signal<Out, Bits<16>>,
    cast_difference: Signal<Out, Bits<16>>,
    cast_not: Signal<Out, Bits<16>>,
    cast_shift: Signal<Out, Bits<16>>,
    narrow_sum_equals: Signal<Out, Bit>,
    index_wraps: Signal<Out, Bit>,
    all_of_sum: Signal<Out, Bit>,
    sum: Signal<Out, Bits<8>>,
    difference: Signal<Out, Bits<8>>,
    shifted_left: Signal<Out, Bits<8>>,
    shifted_right: Signal<Out, Bits<8>>,
    signed_less: Signal<Out, Bit>,
    signed_sum: Signal<Out, Signed<8>>,
    signed_difference: Signal<Out, Signed<8>>,
    signed_negated: Signal<Out, Signed<8>>,
    bit_replaced: Signal<Out, Bits<8>>,
    cast_wider: Signal<Out, Bits<16>>,
    cast_narrower: Signal<Out, Bits<8>>,
    product: Signal<Out, Bits<32>>,
    signed_product: Signal<Out, Signed<32>>,
    run_time_slice: Signal<Out, Bits<8>>,
    run_time_bit: Signal<Out, Bit>,
    slice_of_sum: Signal<Out, Bits<4>>,
    bit_added: Signal<Out, Bits<8>>,
    one_hot: Signal<Out, Bits<64>>,
    index_compared: Signal<Out, Bit>,
}

impl Logic for Table {
    #[hdl_gen]
    fn update(&mut self) {
        self.and_equals.next = self.a.val() & self.b.val() == self.c.val();
        self.equals_or.next = self.a.val() == self.b.val() | self.c.val();
        self.fifo_full.next = (self.p.val() + 1) == self.q.val();
        self.less_one_greater.next = (self.a.val() - 1) > self.b.val();
        self.carry_shifted.next = (self.a.val() + 255) >> 1;
        self.cast_sum.next = bit_cast::<16, 8>(self.a.val() + self.b.val());
        self.cast_difference.next = bit_cast::<16, 8>(self.a.val() - self.b.val());
        self.cast_not.next = bit_cast::<16, 8>(!self.a.val());
        self.cast_shift.next = bit_cast::<16, 8>(self.a.val() << 4);
        self.narrow_sum_equals.next = (bit_cast::<8, 16>(self.w.val()) + self.a.val()) == self.b.val();
        self.index_wraps.next = self.a.val().get_bit((bit_cast::<3, 4>(self.p.val()) + 1).index());
        self.all_of_sum.next = (self.a.val() + 1).all();
        self.sum.next = self.a.val() + self.b.val();
        self.difference.next = self.a.val() - self.b.val();
        self.shifted_left.next = self.a.val() << self.p.val();
        self.shifted_right.next = self.a.val() >> self.p.val();
        self.signed_less.next = self.s.val() < self.t.val();
        self.signed_sum.next = self.s.val() + self.t.val();
        self.signed_difference.next = self.s.val() - self.t.val();
        self.signed_negated.next = -self.s.val();
        self.bit_replaced.next =
            self.a.val().replace_bit(bit_cast::<3, 4>(self.p.val()).index(), self.b.val().any());
        self.cast_wider.next = bit_cast::<16, 8>(self.a.val());
        self.cast_narrower.next = bit_cast::<8, 16>(self.w.val());
        self.product.next = self.w.val() * self.v.val();
        self.signed_product.next = self.h.val() * self.k.val();
        self.run_time_slice.next = self.w.val().get_bits::<8>(self.p.val().index());
        self.run_time_bit.next = self.w.val().get_bit(self.p.val().index());
        self.slice_of_sum.next = (self.a.val() + self.b.val()).get_bits::<4>(2);
        self.bit_added.next = self.a.val() + self.b.val().xor();
        self.one_hot.next = 1 << self.p.val();
        self.index_compared.next = self.p.val().index() < self.a.val().index();
    }
}

ports!(Table; a, b, c, p, q, w, v, s, t, h, k =>
    and_equals, equals_or, fifo_full, less_one_greater, carry_shifted, cast_sum, cast_difference,
    cast_not, cast_shift, narrow_sum_equals, index_wraps, all_of_sum, sum, difference,
    shifted_left, shifted_right, signed_less, signed_sum, signed_difference, signed_negated,
    bit_replaced, cast_wider, cast_narrower, product, signed_product, run_time_slice,
    run_time_bit, slice_of_sum, bit_added, one_hot, index_compared);

/// Vectors, some with neighbouring operands, so that equalities and wraps happen.
fn vectors() -> Vec<Vec<u128>> {
    let inputs = common::Ports::inputs(&Table::default());
    let mut random = common::Random::new(1);
    (0..VECTORS)
        .map(|i| {
            let mut v: Vec<u128> = inputs.iter().map(|(_, w)| random.word(*w)).collect();
            match i % 4 {
                0 => v[2] = v[0] & v[1],
                1 => {
                    v[4] = (v[3] + 1) & 15;
                    v[0] = v[1] | v[2];
                }
                2 => v[1] = (v[5] + v[0]) & 255,
                _ => {}
            }
            v
        })
        .collect()
}

fn emitter() -> Emitter {
    Emitter::new().source("hdl/tests/wrong_code.rs", include_str!("wrong_code.rs"))
}

/// Outcomes of one simulation for all tests.
fn outcomes() -> &'static [Outcome; 2] {
    static OUTCOMES: OnceLock<[Outcome; 2]> = OnceLock::new();
    OUTCOMES.get_or_init(|| {
        let cases = [Case::new::<Table>(&emitter(), "weft_table", vectors())];
        [Simulator::Icarus, Simulator::Verilator].map(|simulator| {
            let outcomes = run(&cases, simulator);
            outcomes.expect("apt-get install iverilog verilator g++ make")[0].clone()
        })
    })
}

fn agrees(output: &str) {
    for outcome in outcomes() {
        assert_eq!(outcome.compared, VECTORS);
        let found = outcome.outputs.iter().find(|(name, _)| *name == output);
        assert_eq!(found.map(|f| f.1), Some(0), "{}", outcome.first);
    }
}

macro_rules! lines {
    ($($output:ident)*) => {
        $(#[test]
        fn $output() {
            agrees(stringify!($output));
        })*
    };
}

lines! {
    and_equals equals_or fifo_full less_one_greater carry_shifted cast_sum cast_difference
    cast_not cast_shift narrow_sum_equals index_wraps all_of_sum sum difference
    shifted_left shifted_right signed_less signed_sum signed_difference signed_negated
    bit_replaced cast_wider cast_narrower product signed_product run_time_slice
    run_time_bit slice_of_sum bit_added one_hot index_compared
}

/// The comparison finds wrong widths: printed in rust-hdl's way, lines of the table differ.
#[test]
fn wrong_widths_are_seen() {
    let cases = [Case::new::<Table>(&emitter().wrong_widths(), "weft_table", vectors())];
    let outcome = &run(&cases, Simulator::Icarus).expect("apt-get install iverilog")[0];
    for output in [
        "fifo_full",
        "less_one_greater",
        "carry_shifted",
        "cast_sum",
        "cast_difference",
        "cast_not",
        "cast_shift",
        "all_of_sum",
    ] {
        let found = outcome.outputs.iter().find(|(name, _)| *name == output);
        assert!(found.is_some_and(|f| f.1 > 0), "{output}: {outcome:?}");
    }
}

/// The emitted table passes every lint.
#[test]
fn table_passes_the_gate() {
    let modules = emitter().emit(&mut Table::default(), "weft_table");
    let modules = modules.unwrap_or_else(|e| panic!("{e}"));
    weft_hdl::gate(&modules, "weft_table", weft_hdl::Tools::default()).unwrap_or_else(|e| panic!("{e}"));
}
