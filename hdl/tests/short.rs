//! Short forms: a block with short forms and one with full forms have the same Verilog. Wrong forms are
//! refused with file and line.

use weft_hdl::emit::{Refusal, Source, check_sources};
use weft_hdl::prelude::*;
use weft_hdl::{EmitError, Emitter};

/// One set of structs for two sets of statements.
macro_rules! both {
    ($structs:tt { $a:ident: $($of_a:tt)* } { $b:ident: $($of_b:tt)* }) => {
        block!($a $structs { $($of_a)* });
        block!($b $structs { $($of_b)* });
    };
}

/// A block and its text.
macro_rules! block {
    ($module:ident { $($structs:tt)* } { $($logic:tt)* }) => {
        mod $module {
            use weft_hdl::prelude::*;

            $($structs)*
            $($logic)*

            pub(super) const TEXT: &str = stringify!($($structs)* $($logic)*);
        }
    };
}

both! {
    {
        #[derive(LogicStruct, Clone, Copy, Debug, Default, PartialEq)]
        pub(super) struct Pair {
            pub low: Bits<4>,
            pub high: Bits<4>,
        }

        #[derive(LogicBlock, Default)]
        pub(super) struct Inner {
            pub clk: Signal<In, Clock>,
            pub rst: Signal<In, Bit>,
            pub in_tvalid: Signal<In, Bit>,
            pub in_tready: Signal<Out, Bit>,
            pub in_tdata: Signal<In, Bits<8>>,
            pub sum: Signal<Out, Bits<8>>,
            total: Reg<Bits<8>>,
        }

        #[derive(LogicBlock, BlockDefault)]
        pub(super) struct Uut {
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
    }
    {
        brief:
        impl Logic for Inner {
            #[clocked(en = in_tvalid)]
            #[hdl_gen]
            fn update(&mut self) {
                self.total.reg = self.total.q.val() + self.in_tdata.val();
                self.sum.next = self.total.q.val();
                self.in_tready.next = true;
            }
        }

        impl Logic for Uut {
            #[clocked(en = run)]
            #[hdl_gen]
            fn update(&mut self) {
                wire!(self.inner.* <- self.*: clk, rst);
                stream!(self.inner.in_* <- self.net_*: tdata);
                wire!(self.* <- self.inner.*: sum);
                self.first.reg = when(self.run.val() & self.net_tvalid.val(), self.inner.sum.val() ^ 1);
                if self.pair.val().low == self.nine.val() {
                    self.first.d.next = 0.into();
                }
                self.second.pipe = self.first.q.val() + 1;
                self.third.delay = when(true, self.second.q.val());
                for i in 0..2 {
                    self.many[i].pipe = self.third.q.val() - 1;
                }
                self.product.mul = (self.many[0].q.val(), self.many[1].q.val());
                self.quotient.div = (self.product.p.val().get_bits::<8>(4), self.second.q.val());
                self.memory.write =
                    when(self.net_tvalid.val(), (bit_cast::<4, 4>(self.pair.val().high), self.quotient.q.val()));
                self.memory.read = self.pair.val().low;
                wire!(self.swapped.next.* <- self.pair.val().*: low, high);
                self.out.next = self.memory.rdata.val();
            }
        }
    }
    {
        spelled:
        impl Logic for Inner {
            #[hdl_gen]
            fn update(&mut self) {
                self.total.clk.next = self.clk.val();
                self.total.rst.next = self.rst.val();
                self.total.en.next = self.in_tvalid.val();
                self.total.d.next = self.total.q.val() + self.in_tdata.val();
                self.sum.next = self.total.q.val();
                self.in_tready.next = true;
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
                self.quotient.en_late.next = self.run.val();
                self.quotient.num.next = self.product.p.val().get_bits::<8>(4);
                self.quotient.den.next = self.second.q.val();
                self.memory.we.next = self.net_tvalid.val();
                self.memory.waddr.next = bit_cast::<4, 4>(self.pair.val().high);
                self.memory.wdata.next = self.quotient.q.val();
                self.memory.clk.next = self.clk.val();
                self.memory.re.next = self.run.val();
                self.memory.raddr.next = self.pair.val().low;
                self.memory.oe.next = self.run.val();
                self.swapped.next.low = self.pair.val().low;
                self.swapped.next.high = self.pair.val().high;
                self.out.next = self.memory.rdata.val();
            }
        }
    }
}

/// Verilog of `top` without its header; `source` is the source of `top`.
fn text(file: &'static str, source: &'static str, top: &mut impl Block) -> String {
    let modules =
        Emitter::default().source(file, source).emit(top, "weft_uut").unwrap_or_else(|e| panic!("{e}"));
    let module = modules.into_iter().find(|module| module.name == "weft_uut").expect("the top");
    module.text.split_once("`default_nettype").expect("a header").1.to_owned()
}

#[test]
fn brief_is_spelled() {
    let brief = text("brief.rs", brief::TEXT, &mut brief::Uut::default());
    assert_eq!(brief, text("spelled.rs", spelled::TEXT, &mut spelled::Uut::default()));
    // Prefix of the fields.
    for part in ["<= 8'd5;", ".CLOCKS(3)", ".STAGES(2)", ".STEPS(4)", "NINE = 4'd9"] {
        assert_eq!(brief.matches(part).count(), 1, "{part}\n{brief}");
    }
}

#[derive(LogicBlock, Default)]
struct Commented {
    clk: Signal<In, Clock>,
    a: Signal<In, Bits<8>>,
    b: Signal<In, Bits<8>>,
    in_low: Signal<In, Bit>,
    in_high: Signal<In, Bit>,
    out_low: Signal<Out, Bit>,
    out_high: Signal<Out, Bit>,
    copied: Signal<Out, Bits<8>>,
    sum: Pipe<Bits<8>>,
    copy: Signal<Local, Bits<8>>,
}

impl Logic for Commented {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        // Short form for a register.
        self.sum.pipe = if self.a.val().any() { self.a.val() + 1 } else { self.b.val() };
        // Short form for a choice.
        self.copy.next = if self.a.val() == self.b.val() {
            // Short form for a branch.
            self.sum.q.val() + 3
        } else {
            self.b.val()
        };
        // Short form for a wire.
        wire!(
            self.out_* <- self.in_*:
            low, high,
        );
        self.copied.next = self.copy.val();
    }
}

/// Every comment is emitted once.
#[test]
fn comments() {
    let text = text("short.rs", include_str!("short.rs"), &mut Commented::default());
    for part in
        ["a register.", "a choice.", "a branch.", "a wire."].map(|what| format!("Short form for {what}"))
    {
        assert_eq!(text.matches(&part).count(), 1, "{part}\n{text}");
    }
}

/// Error for a block with `statements`, whose first line is line 10.
fn found(statements: &str) -> EmitError {
    let text = format!(
        "struct Uut {{\n    clk: Signal<In, Clock>,\n    state: Pipe<Bits<8>>,\n    late: Delay<Bits<8>>,\n}}\n\
         impl Logic for Uut {{\n    #[clocked]\n    #[hdl_gen]\n    fn update(&mut self) {{\n{statements}\n    }}\n}}\n"
    );
    check_sources(&[Source { file: "uut.rs", text: text.leak() }]).expect_err("clean")
}

#[test]
fn refusals_have_the_line_of_the_form() {
    let error = found("self.late.delay = self.state.q.val();\nself.state.pipe =\n    self.late.q.val() + K;");
    assert_eq!(error.refusal(), Some(&Refusal::UnknownName("K".into())));
    assert!(error.to_string().starts_with("uut.rs:12 "), "{error}");
}

#[test]
fn words_name_the_primitive() {
    let error = found("self.state.pipe = 0.into();\nself.late.pipe = self.state.q.val();");
    let refusal = Refusal::WrongWord { word: "pipe".into(), ty: "Delay".into() };
    assert_eq!(error.refusal(), Some(&refusal));
    assert!(error.to_string().starts_with("uut.rs:11 "), "{error}");
}

#[test]
fn wrong_forms_do_not_parse() {
    let error = found("self.late.delay = self.state.q.val();\nwire!(self.state.* <- self.*);");
    assert!(matches!(error, EmitError::Parse { .. }), "{error}");
    assert!(error.to_string().starts_with("uut.rs:11: "), "{error}");
}
