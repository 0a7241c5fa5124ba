//! Tests the rules of the streams that weft writes for other benches. Bound to the blocks, the rules pass the
//! lint. A module breaks one rule after the other, and the rules find each fault.

use verilator_sys::{Build, Error, Reset};
use weft_bench::bind::{STREAM_RULES, bound};
use weft_bench::{Terms, build};
use weft_hdl::catalogue::Shape;

/// A module that offers one stream and accepts another; `broken` selects the rule that the module breaks from
/// clock 8 on.
const OFFENDER: &str = "module offender (
    input wire clk, input wire rst, input wire [3:0] broken, input wire s_axis_work_tvalid,
    output wire s_axis_work_tready, input wire [7:0] s_axis_work_tdata,
    output wire m_axis_net_tvalid, input wire m_axis_net_tready, output wire [31:0] m_axis_net_tdata,
    output wire [3:0] m_axis_net_tkeep, output wire m_axis_net_tlast
);
    reg [5:0] clock;
    always @(posedge clk) clock <= rst ? 6'd0 : clock + 6'd1;
    wire bad = clock >= 6'd8;
    reg was;
    always @(posedge clk) was <= rst;
    // A frame of four words; each word waits for a clock before its acceptance.
    assign m_axis_net_tvalid = (broken == 4'd1 && clock == 6'd9) || (broken == 4'd5 && clock == 6'd14) ? 1'b0
        : broken == 4'd3 ? 1'b1 : !rst && !was;
    assign m_axis_net_tdata = {28'd0, clock[4:1]} ^ (broken == 4'd2 && bad ? {31'd0, clock[0]} : 32'd0);
    assign m_axis_net_tkeep = broken == 4'd4 && bad ? 4'b0101 : 4'b1111;
    assign m_axis_net_tlast = clock[2:1] == 2'd3 && !(broken == 4'd6 && bad);
    assign s_axis_work_tready = m_axis_net_tready & s_axis_work_tvalid & s_axis_work_tdata[0];
endmodule
";

const TERMS: Terms = Terms { gapless: &["m_axis_net"], longest: &[("m_axis_net", 4)], broken: &[] };

fn with(build: Build, bound: &str) -> Build {
    build.text("weft_stream_rules.sv", STREAM_RULES).text("bound.sv", bound)
}

#[test]
fn every_rule_is_seen_to_be_broken() {
    let bound = bound("offender", OFFENDER, &TERMS);
    let library =
        with(Build::new("offender").text("offender.v", OFFENDER), &bound).quick().load().expect("it builds");
    let port = |name: &str| library.port(name).expect("a port").id;
    let run = |broken: u64| {
        let mut offender = library.instance(Reset::Zeros).expect("an instance");
        offender.set(port("broken"), broken);
        for half in 0..120_u64 {
            let clock = half / 2;
            offender.set(port("clk"), half % 2);
            if half % 2 == 0 {
                offender.set(port("rst"), u64::from(clock < 4));
                // The bench accepts a word in every second clock.
                offender.set(port("m_axis_net_tready"), clock % 2);
            }
            if let Err(error) = offender.eval() {
                let Error::Stopped { message } = error else { panic!("{error}") };
                return Some(message);
            }
        }
        None
    };
    assert_eq!(run(0), None, "nothing is broken");
    for (broken, rule) in
        [(1, "withdrawn"), (2, "changed"), (3, "reset"), (4, "keep"), (5, "gap"), (6, "long")]
    {
        let said = run(broken).unwrap_or_else(|| panic!("{rule} is not seen"));
        println!("{said}");
        assert!(said.contains(&format!("rules_m_axis_net: {rule}: ")), "{rule}: {said}");
    }
}

#[test]
fn bound_to_the_blocks_they_are_silent_under_lint() {
    let terms = weft_blocks::catalogue::named("egress").expect("a block").terms;
    let block = weft_hdl::catalogue::named("egress").expect("a block");
    let modules = (block.emit)(&Shape::of(4)).expect("it is emitted");
    let top = modules.iter().find(|module| module.name == block.top).expect("its top");
    let bound = bound(block.top, &top.text, &terms);
    assert!(bound.contains("rules_m_axis_net") && bound.contains(".GAPLESS(1'b1), .MOST(256)"), "{bound}");
    // Read data that does not fill its last word is no fault of the bench (rule 5 of the page).
    let read = bound.split("bind ").find(|text| text.contains("rules_s_axis_read")).expect("a stream");
    assert!(read.contains(".BYTES(0)") && read.contains(".OFFERED(1'b0)"), "{read}");
    with(build(block.top, &modules), &bound).lint().unwrap_or_else(|error| panic!("{error}"));
}
