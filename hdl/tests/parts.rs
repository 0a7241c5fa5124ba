//! Parts with parameters: the module at widths other than the samples, and cases in which no parameter is
//! right.

#[macro_use]
mod common;

use common::{Case, agree};
use weft_hdl::emit::{Parameter, Part};
use weft_hdl::part::context::Context;
use weft_hdl::part::fifo::Fifo;
use weft_hdl::part::skid::Skid;
use weft_hdl::prelude::*;
use weft_hdl::{Emitter, Module, Tools, gate};

/// Number of vectors after which undefined initial values have left a block.
const UNDEFINED: usize = 64;

/// A choice of one of two bits. Its module has its own name, as the module occurs twice below.
#[derive(LogicBlock, BlockDefault)]
#[named]
struct Choice {
    two: Signal<In, Bits<2>>,
    high: Signal<In, Bit>,
    one: Signal<Out, Bit>,
}

impl Logic for Choice {
    #[hdl_gen]
    fn update(&mut self) {
        self.one.next =
            (self.high.val() & self.two.val().get_bit(1)) | (!self.high.val() & self.two.val().get_bit(0));
    }
}

/// A queue, a skid and contexts with their own widths.
#[derive(LogicBlock, Default)]
struct Parts {
    clk: Signal<In, Clock>,
    rst: Signal<In, Bit>,
    valid: Signal<In, Bit>,
    ready: Signal<In, Bit>,
    word: Signal<In, Bits<21>>,
    queued: Signal<Out, Bits<21>>,
    level: Signal<Out, Bits<3>>,
    held: Signal<Out, Bits<21>>,
    after: Signal<Out, Bits<21>>,
    fifo: Fifo<Bits<21>, 2, 3>,
    skid: Skid<21>,
    words: Context<Bits<21>, 2>,
    bits: Context<Bit, 2>,
    bit_after: Signal<Out, Bit>,
    left: Choice,
    right: Choice,
    chosen: Signal<Out, Bits<2>>,
}

impl Logic for Parts {
    #[hdl_gen]
    fn update(&mut self) {
        self.fifo.clk.next = self.clk.val();
        self.fifo.rst.next = self.rst.val();
        self.fifo.in_valid.next = self.valid.val();
        self.fifo.in_word.next = self.word.val();
        self.fifo.in_commit.next = true;
        self.fifo.in_rollback.next = false;
        self.fifo.out_ready.next = self.ready.val();
        self.level.next = self.fifo.level.val();
        self.queued.next = 0.into();
        if self.fifo.out_valid.val() {
            self.queued.next = self.fifo.out_word.val();
        }
        self.skid.clk.next = self.clk.val();
        self.skid.rst.next = self.rst.val();
        self.skid.in_valid.next = self.valid.val();
        self.skid.in_word.next = self.word.val();
        self.skid.out_ready.next = self.ready.val();
        self.held.next = 0.into();
        if self.skid.out_valid.val() {
            self.held.next = self.skid.out_word.val();
        }
        self.words.clk.next = self.clk.val();
        self.words.rst.next = self.rst.val();
        self.words.next_run.next = true;
        self.words.in_live.next = true;
        self.words.in_id.next = self.word.val().get_bits::<2>(0);
        self.words.word.next = self.word.val();
        self.after.next = self.words.after.val();
        self.bits.clk.next = self.clk.val();
        self.bits.rst.next = self.rst.val();
        self.bits.next_run.next = true;
        self.bits.in_live.next = true;
        self.bits.in_id.next = self.word.val().get_bits::<2>(0);
        self.bits.word.next = self.word.val().get_bit(2);
        self.bit_after.next = self.bits.after.val();
        self.left.two.next = self.word.val().get_bits::<2>(3);
        self.left.high.next = self.valid.val();
        self.right.two.next = self.word.val().get_bits::<2>(5);
        self.right.high.next = self.ready.val();
        self.chosen.next = bit_cast::<2, 1>(self.left.one.val().into())
            | (bit_cast::<2, 1>(self.right.one.val().into()) << 1);
    }
}

ports!(Parts; clk, rst, valid, ready, word => queued, level, held, after, bit_after, chosen);

#[test]
fn widths_that_are_no_samples_agree() {
    let emitter = weft_hdl::part::emitter().source("hdl/tests/parts.rs", include_str!("parts.rs"));
    let mut case = Case::random::<Parts>(&emitter, "weft_parts", 3000, 5);
    case.expected[..UNDEFINED].fill(None);
    let text = text_of(&case.modules, "weft_parts");
    for instance in [
        "weft_fifo #(.W(21), .D(2), .RAM_STYLE(\"distributed\")) fifo (",
        "weft_skid #(.W(21)) skid (",
        "weft_context #(.W(21), .A(2), .RAM_STYLE(\"block\")) words (",
        // A wire of one bit has no range.
        "weft_context #(.W(1), .A(2), .RAM_STYLE(\"block\")) bits (",
        "weft_tests_parts left (",
        "weft_tests_parts right (",
    ] {
        assert!(text.contains(instance), "{instance}: {text}");
    }
    assert!(text_of(&case.modules, "weft_fifo").contains("input  wire [W-1:0] in_word,"));
    gate(&case.modules, "weft_parts", Tools::default()).unwrap_or_else(|e| panic!("{e}"));
    agree(&[case]);
}

/// A delay of the square of the width, which is not an expression that the emitter tries.
#[derive(LogicBlock)]
struct Square<const W: usize> {
    clk: Signal<In, Clock>,
    a: Signal<In, Bits<W>>,
    b: Signal<Out, Bits<W>>,
    delay: Delay<Bits<W>>,
}

impl<const W: usize> Default for Square<W> {
    fn default() -> Self {
        Square {
            clk: Default::default(),
            a: Default::default(),
            b: Default::default(),
            delay: Delay::new(W * W),
        }
    }
}

impl<const W: usize> Logic for Square<W> {
    #[hdl_gen]
    fn update(&mut self) {
        self.delay.clk.next = self.clk.val();
        self.delay.en.next = true;
        self.delay.d.next = self.a.val();
        self.b.next = self.delay.q.val();
    }
}

/// 9 and 25 clocks: 8 times the width, less 15.
const SQUARE: &[Part] = &[Part {
    name: "weft_square",
    parameters: &[Parameter { name: "W", doc: "bits of a word", port: "a", more: 0 }],
    samples: &[|| Box::new(Square::<3>::default()), || Box::new(Square::<5>::default())],
}];

#[derive(LogicBlock, Default)]
struct Squares {
    clk: Signal<In, Clock>,
    a: Signal<In, Bits<7>>,
    b: Signal<Out, Bits<7>>,
    c: Signal<Out, Bits<5>>,
    seven: Square<7>,
    five: Square<5>,
}

impl Logic for Squares {
    #[hdl_gen]
    fn update(&mut self) {
        self.seven.clk.next = self.clk.val();
        self.seven.a.next = self.a.val();
        self.b.next = self.seven.b.val();
        self.five.clk.next = self.clk.val();
        self.five.a.next = self.a.val().get_bits::<5>(1);
        self.c.next = self.five.b.val();
    }
}

ports!(Squares; clk, a => b, c);

#[test]
fn a_parameter_that_is_wrong_at_an_instance_is_refused_there() {
    let emitter = Emitter::new().source("tests/src/part/square.rs", include_str!("parts.rs")).parts(SQUARE);
    let mut case = Case::random::<Squares>(&emitter, "weft_squares", 400, 6);
    case.expected[..UNDEFINED].fill(None);
    let text = text_of(&case.modules, "weft_squares");
    assert!(text.contains("weft_square #(.W(5)) five ("), "{text}");
    assert!(text.contains("weft_square_w7 seven ("), "{text}");
    assert!(text_of(&case.modules, "weft_square").contains(".CLOCKS(8*W-15)"));
    assert!(text_of(&case.modules, "weft_square_w7").contains(".CLOCKS(49)"));
    agree(&[case]);
}

fn text_of<'a>(modules: &'a [Module], name: &str) -> &'a str {
    &modules.iter().find(|m| m.name == name).unwrap_or_else(|| panic!("{name}")).text
}
