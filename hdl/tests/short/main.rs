//! Short forms: a block that uses them and one that spells them out have one Verilog; wrong ones are
//! refused with file and line.

mod brief;
mod spelled;

use weft_hdl::emit::{Refusal, Source, check_sources};
use weft_hdl::{EmitError, Emitter};

/// The text of `weft_uut` without its header.
fn text(emitter: Emitter, top: &mut impl rust_hdl_core::prelude::Block) -> String {
    let modules = emitter.emit(top, "weft_uut").unwrap_or_else(|e| panic!("{e}"));
    let module = modules.into_iter().find(|module| module.name == "weft_uut").expect("the top");
    module.text.split_once("`default_nettype").expect("a header").1.to_owned()
}

#[test]
fn brief_is_spelled() {
    let brief = Emitter::default().source("brief.rs", include_str!("brief.rs"));
    let spelled = Emitter::default().source("spelled.rs", include_str!("spelled.rs"));
    let brief = text(brief, &mut brief::Uut::default());
    assert_eq!(brief, text(spelled, &mut spelled::Uut::default()));
    // Every comment once, and what the fields begin with.
    for part in ["// The sum.", "// A chain.", "// Each.", "// Out.", ".INIT(8'h5)", ".CLOCKS(3)", "4'h9"] {
        assert_eq!(brief.matches(part).count(), 1, "{part}\n{brief}");
    }
}

/// What is found in a block of these statements, which are the lines from 10 on.
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
