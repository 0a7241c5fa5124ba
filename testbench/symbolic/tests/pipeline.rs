//! A read-modify-write pipeline over a memory with forwarding: the model steps when an event commits.
//!
//! Because the proof starts at the commit, it stays small: the model's memory is the memory, no event in
//! flight is executed symbolically, and the query contains the step once. The hazard invariant makes this
//! sound: the value about to be modified is the one in the memory.

use weft_symbolic::{
    Design, Equivalence, Node, Proof, ProofError, Prover, Signals, Source, Symbolic, Term, Yosys,
};
use weft_word::{Bit, Domain, Word};

const CONNECTIONS: usize = 4;

/// A credit of eight bits that saturates both ways.
fn step<D: Domain>(credit: D::Word<8>, spend: Bit<D>, amount: D::Word<4>) -> (D::Word<8>, Bit<D>) {
    let wide = amount.widen::<8>();
    if spend.decide() {
        if credit.less(wide).decide() { (credit, D::lit(0)) } else { (credit - wide, D::lit(1)) }
    } else {
        let sum = credit + wide;
        (D::lit::<8>(255).when(sum.less(credit), sum), D::lit(1))
    }
}

/// Stage 1 reads, stage 2 modifies and writes. An event that follows one of the same connection by one clock
/// reads too early and uses the result of its predecessor instead.
const PIPELINE: &str = "
module core(input [7:0] credit, input spend, input [3:0] amount, output [7:0] next, output granted);
  wire [8:0] sum = credit + amount;
  wire [8:0] rest = credit - amount;
  assign granted = !(spend & rest[8]);
  assign next = spend ? (rest[8] ? credit : rest[7:0]) : (sum[8] ? 8'hff : sum[7:0]);
endmodule
module pipeline(input clk, input rst, input valid, input [1:0] conn, input spend, input [3:0] amount,
                output done, output [1:0] done_conn, output granted);
  reg [7:0] mem [0:3];
  reg valid_r; reg [1:0] conn_r; reg spend_r; reg [3:0] amount_r; reg [7:0] credit_r;
  wire [7:0] next;
  core core(.credit(credit_r), .spend(spend_r), .amount(amount_r), .next(next), .granted(granted));
  assign done = valid_r; assign done_conn = conn_r;
  integer i;
  always @(posedge clk) begin
    if (rst) begin
      valid_r <= 0;
      for (i = 0; i < 4; i = i + 1) mem[i] <= 0;
    end else begin
      valid_r <= valid; conn_r <= conn; spend_r <= spend; amount_r <= amount;
      credit_r <= (valid_r & conn_r == conn) ? next : mem[conn];
      if (valid_r) mem[conn_r] <= next;
    end
  end
endmodule";

/// The model's memory, and the event that is about to commit.
struct State {
    credits: [Term<8>; CONNECTIONS],
    valid: Term<1>,
    conn: Term<2>,
    read: Term<8>,
}

fn select(credits: &[Term<8>; CONNECTIONS], conn: Term<2>) -> Term<8> {
    (1..CONNECTIONS)
        .fold(credits[0], |found, i| credits[i].when(conn.equals(Symbolic::lit(i as u128)), found))
}

fn prove(design: &Design) -> Result<Proof, ProofError> {
    let now = design.registers();
    let (spend, amount) = (now.word("spend_r")?, now.word("amount_r")?);
    let mut proof = Proof::new(Prover::default());

    // An event arrives at stage 2 as it was, one clock later.
    let running = !design.inputs.node("rst")?;
    let arrives = ["valid", "conn", "spend", "amount"]
        .map(|name| (format!("{name}_r"), design.inputs.node(name).unwrap()));
    proof.equal("events arrive", &[running], &Signals::from_iter(arrives), &design.next())?;

    Equivalence {
        design,
        reset: design.inputs.node("rst")?,
        assumptions: &[],
        alpha: &|registers| {
            let mut credits = [Symbolic::lit(0); CONNECTIONS];
            for (i, credit) in credits.iter_mut().enumerate() {
                *credit = registers.word(&format!("mem[{i}]"))?;
            }
            let (valid, conn) = (registers.word("valid_r")?, registers.word("conn_r")?);
            Ok(State { credits, valid, conn, read: registers.word("credit_r")? })
        },
        initial: (0..CONNECTIONS).map(|i| (format!("credit {i}"), Node::lit(8, 0))).collect(),
        invariant: &|state: &State| {
            (!state.valid | state.read.equals(select(&state.credits, state.conn))).node()
        },
        step: &|mut state: State| {
            let conn = state.conn;
            let (next, granted) = step::<Symbolic>(select(&state.credits, conn), spend, amount);
            let commits = state.valid;
            for (i, credit) in state.credits.iter_mut().enumerate() {
                *credit = next.when(commits & conn.equals(Symbolic::lit(i as u128)), *credit);
            }
            // Without an event, `granted` and the connection may be anything: the design's own words.
            let granted = granted.when(commits, design.outputs.word("granted").expect("a port"));
            let outputs =
                Signals::new().with("done", commits).with("done_conn", conn).with("granted", granted);
            (state, outputs)
        },
        words: &|state| {
            state.credits.iter().enumerate().map(|(i, c)| (format!("credit {i}"), c.node())).collect()
        },
    }
    .prove(&mut proof)?;
    Ok(proof)
}

fn design(verilog: &str) -> Option<Design> {
    let yosys = Yosys::find().map_err(|error| println!("skipped: {error}")).ok()?;
    Some(yosys.design("pipeline", &[Source::Text(verilog)], "rtl").unwrap())
}

#[test]
fn the_pipeline_commits_what_the_model_does() {
    let Some(design) = design(PIPELINE) else { return };
    let proof = prove(&design).unwrap();
    println!("{proof}");
    assert!(proof.is_proved(), "{proof}");
}

#[test]
fn planted_hazards_are_refuted() {
    for (good, bad, symptom) in [
        // No forwarding at all; forwarding of events that are none; forwarding to any connection.
        ("(valid_r & conn_r == conn) ? next :", "", "the invariant is kept"),
        ("(valid_r & conn_r == conn)", "(conn_r == conn)", "the invariant is kept"),
        ("(valid_r & conn_r == conn)", "(valid_r)", "the invariant is kept"),
        ("if (valid_r) mem", "mem", "clock and step agree"),
        ("spend_r <= spend", "spend_r <= spend & valid_r", "events arrive"),
        ("sum[8] ? 8'hff", "sum[8] ? 8'hfe", "clock and step agree"),
        ("mem[i] <= 0", "mem[i] <= i", "reset gives the initial state"),
    ] {
        assert!(PIPELINE.contains(good));
        let Some(design) = design(&PIPELINE.replace(good, bad)) else { return };
        let report = prove(&design).unwrap().to_string();
        let refuted = report.lines().any(|line| line.starts_with("REFUTED") && line.ends_with(symptom));
        assert!(refuted, "{bad}: {report}");
    }
}
