//! BTOR2 reading against a simulation of the same Verilog.

use std::process::Command;

use weft_random::Rng;
use weft_symbolic::{
    Btor2Problem, Node, Prover, Simulation, Source, Substitution, Yosys, YosysError, read_btor2,
};

/// Every kind of operator, a memory, wide words, signed words, initial values.
const OPERATORS: &str = r"
module leaf #(parameter N = 3) (input clk, input [7:0] in, output reg [7:0] out);
  reg [7:0] stage = N;
  always @(posedge clk) begin stage <= in + N; out <= stage; end
  initial out = 8'h11;
endmodule
module operators(input clk, input rst, input [7:0] a, input signed [7:0] b, input [3:0] s,
                 output reg [199:0] wide, output [7:0] sum, output [7:0] shifted, output signed [7:0] arith,
                 output [7:0] quotient, output [7:0] product, output [7:0] chosen, output [7:0] compare,
                 output [7:0] delayed, output [7:0] ram, output [7:0] signed_division, output [7:0] part);
  reg [7:0] mem [0:3];
  reg [7:0] hidden = 8'd200;
  integer i;
  initial begin wide = 200'd7; for (i = 0; i < 4; i = i + 1) mem[i] = i * 17; end
  leaf #(.N(5)) u (.clk(clk), .in(a ^ hidden), .out(delayed));
  always @(posedge clk) begin
    if (rst) begin wide <= 200'd1; hidden <= 8'd0; end
    else begin
      wide <= {wide[192:0], wide[199:193]} + {192'd0, a};
      hidden <= hidden * a - 8'd3;
      wide[a[6:0] +: 4] <= s;
    end
    if (s[3]) mem[s[1:0]] <= b;
  end
  assign sum = a + b - hidden;
  assign shifted = (a << s) ^ (a >> hidden[3:0]);
  assign arith = (b >>> s) ^ -b;
  assign quotient = (s == 0) ? 8'd0 : (a / s) + (a % s);
  assign signed_division = (b == 0) ? 8'd1 : ($signed(a) / b) ^ ($signed(a) % b);
  assign product = a * b;
  assign part = wide[a[6:0] +: 8];
  assign ram = mem[a[1:0]];
  assign compare = {&a, |s, ^hidden, a < b, $signed(a) < b, a >= hidden, !(a && s), a == b};
  reg [7:0] c;
  always @* case (s)
    4'd0: c = a; 4'd1: c = b; 4'd2: c = ~hidden; 4'd3: c = {4{a[1:0]}};
    default: c = s[2] ? a ~^ b : a | b;
  endcase
  assign chosen = c;
endmodule
";

const OUTPUTS: [&str; 12] = [
    "wide",
    "sum",
    "shifted",
    "arith",
    "quotient",
    "product",
    "chosen",
    "compare",
    "delayed",
    "ram",
    "signed_division",
    "part",
];

fn yosys() -> Option<Yosys> {
    Yosys::find().map_err(|error| println!("skipped: {error}")).ok()
}

fn stimulus(cycles: usize) -> Vec<[u32; 4]> {
    let mut rng = Rng::new(1);
    let mut draw = |limit: u32| rng.below(limit);
    (0..cycles).map(|_| [u32::from(draw(16) == 0), draw(256), draw(256), draw(16)]).collect()
}

/// One line of hexadecimal outputs per cycle, from Icarus Verilog.
fn icarus(stimulus: &[[u32; 4]]) -> Option<Vec<String>> {
    let folder = tempfile::tempdir().unwrap();
    let format = vec!["%h"; OUTPUTS.len()].join(" ");
    let mut bench = format!(
        "module bench; reg clk = 0, rst; reg [7:0] a, b; reg [3:0] s; wire [199:0] wide; wire [7:0] {};\n\
         operators dut(.*); initial begin\n",
        OUTPUTS[1..].join(", ")
    );
    for [rst, a, b, s] in stimulus {
        bench += &format!(
            "rst = {rst}; a = {a}; b = {b}; s = {s}; #1 $display(\"{format}\", {}); clk = 1; #1 clk = 0;\n",
            OUTPUTS.join(", ")
        );
    }
    bench += "end endmodule\n";
    std::fs::write(folder.path().join("bench.sv"), OPERATORS.to_owned() + &bench).unwrap();
    let compile =
        Command::new("iverilog").args(["-g2012", "-o", "bench", "bench.sv"]).current_dir(&folder).status();
    let Ok(status) = compile else {
        println!("skipped: no iverilog on the search path");
        return None;
    };
    assert!(status.success());
    let run = Command::new("vvp").args(["-N", "bench"]).current_dir(&folder).output().unwrap();
    Some(String::from_utf8(run.stdout).unwrap().lines().map(str::to_owned).collect())
}

#[test]
fn a_design_runs_like_its_verilog() {
    let Some(yosys) = yosys() else { return };
    let design = yosys.design("operators", &[Source::Text(OPERATORS)], "rtl").unwrap();
    for register in ["wide", "hidden", "mem[0]", "mem[3]", "u.stage"] {
        assert!(design.states.contains_key(register), "{register} is among {:?}", design.states.keys());
    }
    let stimulus = stimulus(400);
    let Some(lines) = icarus(&stimulus) else { return };
    assert_eq!(lines.len(), stimulus.len());
    let mut simulation = Simulation::new(&design);
    for (cycle, ([rst, a, b, s], line)) in stimulus.iter().zip(lines).enumerate() {
        for (name, value) in [("rst", rst), ("a", a), ("b", b), ("s", s)] {
            simulation.set(name, *value).unwrap();
        }
        for (name, expected) in OUTPUTS.iter().zip(line.split(' ')) {
            let value = simulation.output(name).unwrap();
            let width = value.width().div_ceil(4);
            assert_eq!(format!("{:0width$x}", value.number()), expected, "{name} in cycle {cycle}");
        }
        simulation.clock();
    }
}

#[test]
fn bits_of_the_verilog_are_proved_not_only_sampled() {
    let Some(yosys) = yosys() else { return };
    let text = "module m(input [9:0] a, b, output same, output [9:0] y);
                  assign y = (a & b) + (a | b); assign same = y == a + b; endmodule";
    let design = yosys.design("m", &[Source::Text(text)], "m").unwrap();
    assert!(Prover::default().prove(&[], design.outputs.node("same").unwrap()).unwrap().is_proved());
    assert!(design.outputs.word::<9>("y").unwrap_err().to_string().contains("has 10 bits"));
    assert!(design.outputs.word::<9>("z").unwrap_err().to_string().contains("same, y"));
}

#[test]
fn bad_verilog_is_an_error_of_one_line() {
    let Some(yosys) = yosys() else { return };
    let error = yosys.design("m", &[Source::Text("module m(input a; endmodule")], "m").unwrap_err();
    assert!(matches!(error, YosysError::Refused { .. }));
    assert_eq!(error.to_string().lines().count(), 1);
    assert!(yosys.design("absent", &[Source::Text("module m; endmodule")], "m").is_err());
    assert!(yosys.design("m; shell", &[Source::Text("module m; endmodule")], "m").is_err());
    assert!(yosys.design("m", &[Source::File("no/such/file.v".as_ref())], "m").is_err());
}

#[test]
fn bad_btor2_is_an_error_with_its_line() {
    let problem = |text: &str| {
        let error = read_btor2(text, "t").unwrap_err();
        (error.line, error.problem)
    };
    assert_eq!(problem("1 sort array 2 3"), (1, Btor2Problem::Array));
    assert_eq!(problem("1 sort bitvec 4\n; comment\n2 input 9 a"), (3, Btor2Problem::Undefined(9)));
    assert_eq!(problem("1 sort bitvec 0"), (1, Btor2Problem::Width));
    assert_eq!(problem("1 sort bitvec 4\n2 add 1 7 7"), (2, Btor2Problem::Undefined(7)));
    assert_eq!(
        problem("1 sort bitvec 4\n2 input 1 a\n3 rol 1 2 2"),
        (3, Btor2Problem::Operation("rol".into()))
    );
    assert_eq!(problem("1 sort bitvec 4\n2 input 1 a\n3 slice 1 2 4 0"), (3, Btor2Problem::Width));
    assert_eq!(problem("1 sort bitvec 4\n2 input 1 a\n3 next 1 2 2"), (3, Btor2Problem::NoState(2)));
    assert_eq!(problem("1 sort bitvec 4\n2 const 1 10000"), (2, Btor2Problem::Width));
    assert_eq!(problem("x"), (1, Btor2Problem::Field(1)));
    assert_eq!(problem("1 sort bitvec 4\n2 input 1 a\n3 input 1 a").1, Btor2Problem::Twice("a".into()));
    assert_eq!(problem("1 sort bitvec 4\n2 not 1 -9223372036854775808").1, Btor2Problem::Undefined(i64::MIN));
}

#[test]
fn a_design_fed_with_its_own_next_state_runs_two_clocks() {
    let Some(yosys) = yosys() else { return };
    let design = yosys.design("operators", &[Source::Text(OPERATORS)], "rtl").unwrap();
    let second = design.feed(&design.next()).unwrap().apply_to(&design.outputs);
    let mut simulation = Simulation::new(&design);
    for [rst, a, b, s] in stimulus(50) {
        for (name, value) in [("rst", rst), ("a", a), ("b", b), ("s", s)] {
            simulation.set(name, value).unwrap();
        }
        let before = simulation.values().clone();
        simulation.clock();
        for (name, node) in second.iter() {
            assert_eq!(before.eval(node), simulation.output(name).unwrap(), "{name}");
        }
    }
}

#[test]
fn what_is_proved_of_a_cut_expression_holds_of_the_whole() {
    let [a, b, c] = ["a", "b", "c"].map(|name| Node::variable(name, 32));
    let product = a * b;
    let claim = ((product + c) - c).equals(product);
    let mut cut = Substitution::new();
    cut.replace(product, Node::fresh("product", 32));
    let prover = Prover::default();
    assert!(prover.prove(&[], cut.apply([claim])[0]).unwrap().is_proved());
    // A cut removes information: claims that need the product itself can no longer be proved.
    let small = product.equals(b * a);
    assert!(prover.prove(&[], small).unwrap().is_proved());
    let even = (a.slice(0, 1) | product.slice(0, 1)).equals(a.slice(0, 1));
    assert!(prover.prove(&[], even).unwrap().is_proved());
    assert!(prover.prove(&[], cut.apply([even])[0]).unwrap().counterexample().is_some());
}

#[test]
fn wires_and_registers_that_nothing_reads_keep_their_names() {
    let Some(yosys) = yosys() else { return };
    let verilog = "module m(input clk, input [3:0] a, output [3:0] y);
        reg [3:0] unread; wire [3:0] next = a + 4'd1;
        always @(posedge clk) unread <= next;
        assign y = next ^ 4'd3;
    endmodule";
    let design = yosys.design("m", &[Source::Text(verilog)], "rtl").unwrap();
    let a = design.inputs.node("a").unwrap();
    assert_eq!(design.wires.node("next").unwrap(), a + Node::lit(4, 1));
    assert_eq!(design.states["unread"].next, a + Node::lit(4, 1));
}
