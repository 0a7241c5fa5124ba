//! Every construct that is refused: each test is a block that compiles in Rust.

#![allow(clippy::single_match, clippy::match_single_binding)]

use weft_hdl::emit::Refusal;
use weft_hdl::prelude::*;
use weft_hdl::{EmitError, Emitter};

/// A test whose block `Uut` is refused with `$error`.
macro_rules! refused {
    ($test:ident, $error:pat, { $($item:tt)* }) => {
        #[test]
        fn $test() {
            $($item)*
            let emitter = Emitter::default().source("block.rs", stringify!($($item)*));
            let error = emitter.emit(&mut Uut::default(), "weft_uut").expect_err("emitted");
            assert!(matches!(error, $error), "{error}");
        }
    };
}

/// A test whose error is a [`Refusal`], for a block of inputs, a local and an output.
macro_rules! refused_update {
    ($test:ident, $refusal:pat, { $($update:tt)* }) => {
        refused!($test, EmitError::Refused { refusal: $refusal, .. }, {
            #[derive(LogicBlock, Default)]
            struct Uut {
                go: Signal<In, Bit>,
                a: Signal<In, Bits<8>>,
                many: [Signal<In, Bits<8>>; 4],
                t: Signal<Local, Bits<8>>,
                y: Signal<Out, Bits<8>>,
            }
            impl Logic for Uut {
                $($update)*
            }
        });
    };
}

/// A refused block with a register. The block drives all of its inputs first.
macro_rules! refused_register {
    ($test:ident, $refusal:pat, { $($update:tt)* }) => {
        refused!($test, EmitError::Refused { refusal: $refusal, .. }, {
            #[derive(LogicBlock, Default)]
            struct Uut {
                clk: Signal<In, Clock>,
                go: Signal<In, Bit>,
                a: Signal<In, Bits<8>>,
                y: Signal<Out, Bits<8>>,
                state: Pipe<Bits<8>>,
            }
            impl Logic for Uut {
                $($update)*
            }
        });
    };
}

const K: u64 = 5;
const OFFSET: usize = 1;

fn bits_of(x: Bits<8>) -> Bits<8> {
    x
}

refused_update!(match_guard, Refusal::MatchGuard, {
    #[hdl_gen]
    fn update(&mut self) {
        match self.a.val().index() {
            3 if self.go.val() => self.y.next = 1.into(),
            _ => self.y.next = 2.into(),
        }
    }
});

refused_update!(inclusive_range, Refusal::InclusiveRange, {
    #[hdl_gen]
    fn update(&mut self) {
        self.y.next = 0.into();
        for i in 0..=3 {
            self.y.next = self.y.val() + self.many[i].val();
        }
    }
});

refused_update!(attribute, Refusal::Attribute, {
    #[hdl_gen]
    fn update(&mut self) {
        self.y.next = 0.into();
        #[cfg(any())]
        if self.go.val() {
            self.y.next = 1.into();
        }
    }
});

refused_update!(undeclared_constant, Refusal::UnknownName(_), {
    #[hdl_gen]
    fn update(&mut self) {
        self.y.next = K.into();
    }
});

refused_update!(undeclared_slice_offset, Refusal::UnknownName(_), {
    #[hdl_gen]
    fn update(&mut self) {
        self.y.next = self.a.val().get_bits::<8>(OFFSET);
    }
});

refused_update!(literal_too_wide, Refusal::TooWide { value: 0x1ff, width: 8, .. }, {
    #[hdl_gen]
    fn update(&mut self) {
        self.y.next = 0x1FF.into();
    }
});

refused_update!(operand_too_wide, Refusal::TooWide { value: 256, .. }, {
    #[hdl_gen]
    fn update(&mut self) {
        self.y.next = self.a.val() + 256;
    }
});

refused_update!(comparison_too_wide, Refusal::TooWide { value: 256, .. }, {
    #[hdl_gen]
    fn update(&mut self) {
        self.y.next = 0.into();
        if self.a.val() == 256 {
            self.y.next = 1.into();
        }
    }
});

refused_update!(arm_too_wide, Refusal::TooWide { value: 300, .. }, {
    #[hdl_gen]
    fn update(&mut self) {
        match self.a.val().index() {
            300 => self.y.next = 1.into(),
            _ => self.y.next = 2.into(),
        }
    }
});

refused_update!(latch_of_if, Refusal::Latch(_), {
    #[hdl_gen]
    fn update(&mut self) {
        if self.go.val() {
            self.y.next = self.a.val();
        }
    }
});

refused_update!(latch_of_match, Refusal::Latch(_), {
    #[hdl_gen]
    fn update(&mut self) {
        match self.a.val().index() {
            0 => self.y.next = self.a.val(),
            _ => {}
        }
    }
});

refused_update!(undriven, Refusal::Undriven(_), {
    #[hdl_gen]
    fn update(&mut self) {}
});

refused_update!(read_before_write, Refusal::ReadBeforeWrite(_), {
    #[hdl_gen]
    fn update(&mut self) {
        self.y.next = self.y.val() + 1;
    }
});

refused_register!(read_back, Refusal::ReadBack(_), {
    #[hdl_gen]
    fn update(&mut self) {
        self.state.en.next = self.go.val();
        self.state.clk.next = self.clk.val();
        self.state.d.next = self.a.val();
        self.y.next = self.state.d.val();
        self.state.d.next = 0.into();
    }
});

refused_update!(drives_an_input, Refusal::NotDrivable(_), {
    #[hdl_gen]
    fn update(&mut self) {
        self.y.next = 0.into();
        self.go.next = true;
    }
});

refused_register!(drives_a_submodules_output, Refusal::NotDrivable(_), {
    #[hdl_gen]
    fn update(&mut self) {
        self.state.en.next = self.go.val();
        self.state.clk.next = self.clk.val();
        self.state.d.next = self.a.val();
        self.y.next = 0.into();
        self.state.q.next = 0.into();
    }
});

refused_update!(index_to_bits, Refusal::LostWidth(_) | Refusal::MisplacedIndex, {
    #[hdl_gen]
    fn update(&mut self) {
        self.y.next = self.a.val().index().to_bits();
    }
});

refused_update!(index_arithmetic, Refusal::MisplacedIndex, {
    #[hdl_gen]
    fn update(&mut self) {
        self.y.next = 0.into();
        if self.a.val().get_bit(self.a.val().index() + 1) {
            self.y.next = 1.into();
        }
    }
});

refused_update!(constant_arithmetic_of_a_width, Refusal::LostWidth(_), {
    #[hdl_gen]
    fn update(&mut self) {
        self.y.next = 0.into();
        for i in 0_usize..4 {
            self.y.next = self.y.val() + ((i.to_bits::<8>() << 7) >> 7);
        }
    }
});

refused_update!(bit_out_of_range, Refusal::OutOfRange { index: 8, width: 8 }, {
    #[hdl_gen]
    fn update(&mut self) {
        self.y.next = 0.into();
        if self.a.val().get_bit(8) {
            self.y.next = 1.into();
        }
    }
});

refused_update!(run_time_array_index, Refusal::ArrayIndex(_), {
    #[hdl_gen]
    fn update(&mut self) {
        self.y.next = self.many[self.a.val().index()].val();
    }
});

refused_update!(array_index_out_of_range, Refusal::UnknownName(_), {
    #[hdl_gen]
    fn update(&mut self) {
        self.y.next = 0.into();
        for i in 0..4 {
            self.y.next = self.y.val() + self.many[i + 1].val();
        }
    }
});

refused_update!(loop_variable_with_a_fields_name, Refusal::LoopShadowsField(_), {
    #[hdl_gen]
    fn update(&mut self) {
        self.y.next = 0.into();
        for t in 0_usize..3 {
            self.y.next = self.y.val() + t.to_bits::<8>();
        }
    }
});

refused_update!(unknown_function, Refusal::UnsupportedCall(_), {
    #[hdl_gen]
    fn update(&mut self) {
        self.y.next = bits_of(self.a.val());
    }
});

refused_register!(gated_clock, Refusal::Clock(_), {
    #[hdl_gen]
    fn update(&mut self) {
        self.state.en.next = self.go.val();
        self.state.d.next = self.a.val();
        self.y.next = 0.into();
        if self.go.val() {
            self.state.clk.next = self.clk.val();
        }
    }
});

refused_register!(inverted_clock, Refusal::Operator { .. }, {
    #[hdl_gen]
    fn update(&mut self) {
        self.state.en.next = self.go.val();
        self.state.d.next = self.a.val();
        self.y.next = 0.into();
        self.state.clk.next = !self.clk.val();
    }
});

refused_update!(dead_arm, Refusal::DeadArm(_), {
    #[hdl_gen]
    fn update(&mut self) {
        match self.a.val().index() {
            _ => self.y.next = 2.into(),
            1 => self.y.next = 1.into(),
        }
    }
});

refused_update!(binding_arm, Refusal::UnknownName(_), {
    #[hdl_gen]
    fn update(&mut self) {
        match self.a.val().index() {
            _x => self.y.next = 2.into(),
        }
    }
});

refused!(hdl_panics, EmitError::Panicked { .. }, {
    #[derive(LogicBlock, Default)]
    struct Uut {
        y: Signal<Out, Bits<8>>,
    }
    impl Logic for Uut {
        #[hdl_gen]
        fn update(&mut self) {
            self.y.next = bits::<8>(0x1ff);
        }
    }
});

refused!(const_generic, EmitError::Refused { refusal: Refusal::UnknownName(_), .. }, {
    #[derive(LogicBlock, Default)]
    struct Block<const N: usize> {
        y: Signal<Out, Bits<8>>,
    }
    impl<const N: usize> Logic for Block<N> {
        #[hdl_gen]
        fn update(&mut self) {
            self.y.next = N.to_bits();
        }
    }
    type Uut = Block<3>;
});

refused!(signed_bit_cast_loses_its_width, EmitError::Refused { refusal: Refusal::UnsupportedCall(_), .. }, {
    #[derive(LogicBlock, Default)]
    struct Uut {
        s: Signal<In, Signed<8>>,
        y: Signal<Out, Signed<16>>,
    }
    impl Logic for Uut {
        #[hdl_gen]
        fn update(&mut self) {
            self.y.next = signed_bit_cast::<16, 8>(self.s.val());
        }
    }
});

refused!(keyword, EmitError::Refused { refusal: Refusal::BadName(_), .. }, {
    #[derive(LogicBlock, Default)]
    struct Uut {
        table: Signal<In, Bits<8>>,
        y: Signal<Out, Bits<8>>,
    }
    impl Logic for Uut {
        #[hdl_gen]
        fn update(&mut self) {
            self.y.next = self.table.val();
        }
    }
});

refused!(raw_name, EmitError::Refused { refusal: Refusal::BadName(_), .. }, {
    #[derive(LogicBlock, Default)]
    struct Uut {
        r#loop: Signal<In, Bits<8>>,
        y: Signal<Out, Bits<8>>,
    }
    impl Logic for Uut {
        #[hdl_gen]
        fn update(&mut self) {
            self.y.next = self.r#loop.val();
        }
    }
});

refused!(clash_of_names, EmitError::Refused { refusal: Refusal::NameClash(_), .. }, {
    #[derive(LogicBlock, Default)]
    struct Uut {
        x: [Signal<In, Bits<8>>; 1],
        x_0: Signal<In, Bits<8>>,
        y: Signal<Out, Bits<8>>,
    }
    impl Logic for Uut {
        #[hdl_gen]
        fn update(&mut self) {
            self.y.next = self.x[0].val() + self.x_0.val();
        }
    }
});

refused!(partly_assigned_struct, EmitError::Refused { refusal: Refusal::PartlyAssigned { .. }, .. }, {
    #[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
    struct Pair {
        first: Bits<4>,
        second: Bits<4>,
    }
    #[derive(LogicBlock, Default)]
    struct Uut {
        a: Signal<In, Bits<4>>,
        y: Signal<Out, Pair>,
    }
    impl Logic for Uut {
        #[hdl_gen]
        fn update(&mut self) {
            self.y.next.first = self.a.val();
        }
    }
});

refused!(constants_only, EmitError::Refused { refusal: Refusal::ConstantLogic(_), .. }, {
    #[derive(LogicBlock)]
    struct Uut {
        k: Constant<Bits<8>>,
        y: Signal<Out, Bits<8>>,
    }
    impl Default for Uut {
        fn default() -> Self {
            Uut { k: Constant::new(3.into()), y: Signal::default() }
        }
    }
    impl Logic for Uut {
        #[hdl_gen]
        fn update(&mut self) {
            self.y.next = 0.into();
            if self.k.val() == 3 {
                self.y.next = 1.into();
            }
        }
    }
});

refused!(no_bits, EmitError::Refused { refusal: Refusal::NoBits(_), .. }, {
    #[derive(Clone, Copy, Debug, PartialEq, LogicState)]
    enum Only {
        One,
    }
    #[derive(LogicBlock, Default)]
    struct Uut {
        m: Signal<In, Only>,
        y: Signal<Out, Only>,
    }
    impl Logic for Uut {
        #[hdl_gen]
        fn update(&mut self) {
            self.y.next = self.m.val();
        }
    }
});

refused!(inout, EmitError::Refused { refusal: Refusal::Unsupported(_), .. }, {
    #[derive(LogicBlock, Default)]
    struct Uut {
        pad: Signal<InOut, Bits<8>>,
        y: Signal<Out, Bits<8>>,
    }
    impl Logic for Uut {
        #[hdl_gen]
        fn update(&mut self) {
            self.y.next = self.pad.val();
        }
    }
});

refused!(custom_text, EmitError::Refused { refusal: Refusal::Unsupported(_), .. }, {
    #[derive(LogicBlock, Default)]
    struct Uut {
        y: Signal<Out, Bits<8>>,
    }
    impl Logic for Uut {
        fn update(&mut self) {}
        fn connect(&mut self) {
            self.y.connect();
        }
        fn hdl(&self) -> Verilog {
            Verilog::Custom("assign y = 8'd1;".into())
        }
    }
});

#[test]
fn block_without_a_source() {
    #[derive(LogicBlock, Default)]
    struct Uut {
        unheard_of: Signal<In, Bits<8>>,
        y: Signal<Out, Bits<8>>,
    }
    impl Logic for Uut {
        #[hdl_gen]
        fn update(&mut self) {
            self.y.next = self.unheard_of.val();
        }
    }
    let error = weft_hdl::emit(&mut Uut::default(), "weft_uut").expect_err("emitted");
    assert!(matches!(error, EmitError::NoSource { .. }), "{error}");
}

/// A module with the name of a primitive that it uses.
#[test]
fn name_of_a_primitive() {
    let emitter = Emitter::default().source("hdl/tests/refused.rs", include_str!("refused.rs"));
    let emitted = emitter.emit(&mut Late::default(), "weft_late_reset");
    assert_eq!(emitted.err(), Some(EmitError::PrimitiveClash("weft_late_reset".into())));
}

#[derive(LogicBlock, Default)]
struct Late {
    clk: Signal<In, Clock>,
    rst: Signal<In, Bit>,
    late: Signal<Out, Bit>,
    state: LateReset,
}

impl Logic for Late {
    #[hdl_gen]
    fn update(&mut self) {
        self.state.clk.next = self.clk.val();
        self.state.rst.next = self.rst.val();
        self.late.next = self.state.q.val();
    }
}

#[test]
fn primitive_as_top() {
    let error = weft_hdl::emit(&mut Pipe::<Bits<8>>::default(), "weft_uut").expect_err("emitted");
    assert!(matches!(error.refusal(), Some(Refusal::Unsupported(_))), "{error}");
}

#[derive(LogicBlock, Default)]
struct Guarded {
    state: Signal<In, Bits<2>>,
    guard: Signal<In, Bit>,
    chosen: Signal<Out, Bit>,
}

impl Logic for Guarded {
    #[hdl_gen]
    fn update(&mut self) {
        match self.state.val().index() {
            1 if self.guard.val() => self.chosen.next = true, // this line
            _ => self.chosen.next = false,
        }
    }
}

/// The message names file and line.
#[test]
fn messages_have_file_and_line() {
    let text = include_str!("refused.rs");
    let line = text.lines().position(|l| l.ends_with("// this line")).expect("it is there") + 1;
    let emitter = Emitter::default().source("hdl/tests/refused.rs", text);
    let error = emitter.emit(&mut Guarded::default(), "weft_guarded").expect_err("emitted");
    let start = format!("hdl/tests/refused.rs:{line} (weft_guarded): match guards");
    assert!(error.to_string().starts_with(&start), "{error}");
}

/// The sources of this crate have no fault, including blocks that are not used.
#[test]
fn own_sources_are_clean() {
    weft_hdl::emit::check_sources(weft_hdl::emit::SOURCES).unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn a_block_with_other_ports_does_not_stand_in() {
    use weft_hdl::block::reps::Reps;
    use weft_hdl::part::fifo::Fifo;
    let emitter = Emitter::new().instead("weft_skid", || Box::new(Fifo::<Bits<37>, 3, 4>::default()));
    let error = emitter.emit_new::<Reps<2, 2, 8, 4, 3, 51, 18>>("weft_uut").expect_err("emitted");
    assert!(matches!(error, EmitError::Instead { .. }), "{error}");
}
