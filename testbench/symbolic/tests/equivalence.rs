//! A step function against Verilog, by the commuting diagram: proved when right, refuted when not.

use weft_symbolic::{
    Abc, Answer, Design, Equivalence, Node, Proof, ProofError, Prover, Signals, Source, Symbolic, System,
    Term, Value, Yosys, merge, paths,
};
use weft_word::{Bit, Domain, Word};

const DEPTH: usize = 4;

/// A queue of four bytes: `count` of them, the oldest first; unused bytes are 0.
#[derive(Clone, Copy)]
struct Queue<D: Domain> {
    count: D::Word<3>,
    bytes: [D::Word<8>; DEPTH],
}

impl<D: Domain> Queue<D> {
    /// Removes a word before it puts one; if full, drops the word. Returns whether a byte was dropped.
    fn step(&mut self, put: Bit<D>, take: Bit<D>, byte: D::Word<8>) -> Bit<D> {
        if (take & !self.count.is_zero()).decide() {
            self.bytes = std::array::from_fn(|i| self.bytes.get(i + 1).copied().unwrap_or(D::lit(0)));
            self.count = self.count - D::lit(1);
        }
        if !put.decide() {
            return D::lit(0);
        }
        if self.count.equals(D::lit(DEPTH as u128)).decide() {
            return D::lit(1);
        }
        for (i, slot) in self.bytes.iter_mut().enumerate() {
            *slot = byte.when(self.count.equals(D::lit(i as u128)), *slot);
        }
        self.count = self.count + D::lit(1);
        D::lit(0)
    }
}

/// The queue as a ring: a read pointer, a write pointer with a wrap bit, and stale bytes.
const RING: &str = "
module ring(input clk, input rst, input put, input take, input [7:0] in,
            output [7:0] oldest, output empty, output dropped);
  reg [7:0] mem [0:3]; reg [2:0] rd, wr;
  wire takes = take & !empty;
  wire full = (wr - rd) == 3'd4;
  assign dropped = put & full & !takes;
  assign empty = rd == wr;
  assign oldest = empty ? 8'd0 : mem[rd[1:0]];
  always @(posedge clk)
    if (rst) begin rd <= 0; wr <= 0; end
    else begin
      if (takes) rd <= rd + 1;
      if (put & !dropped) begin wr <= wr + 1; mem[wr[1:0]] <= in; end
    end
endmodule";

fn alpha(registers: &Signals) -> Result<Queue<Symbolic>, weft_symbolic::SignalError> {
    let (rd, wr) = (registers.word::<3>("rd")?, registers.word::<3>("wr")?);
    let count = wr - rd;
    let mut mem = [Symbolic::lit(0); DEPTH];
    for (i, byte) in mem.iter_mut().enumerate() {
        *byte = registers.word::<8>(&format!("mem[{i}]"))?;
    }
    let bytes = std::array::from_fn(|i| {
        let i = Symbolic::lit::<3>(i as u128);
        let at = (rd + i).slice::<0, 2>();
        let byte = (0..DEPTH).fold(Symbolic::lit(0), |byte: Term<8>, j| {
            mem[j].when(at.equals(Symbolic::lit(j as u128)), byte)
        });
        byte.when(i.less(count), Symbolic::lit(0))
    });
    Ok(Queue { count, bytes })
}

fn words(queue: &Queue<Symbolic>) -> Signals {
    let count = Signals::new().with("count", queue.count);
    queue.bytes.iter().enumerate().fold(count, |words, (i, byte)| words.with(format!("byte {i}"), *byte))
}

fn prove(design: &Design, invariant: &dyn Fn(&Queue<Symbolic>) -> Node) -> Result<Proof, ProofError> {
    let (put, take) = (design.inputs.word("put")?, design.inputs.word("take")?);
    let byte = design.inputs.word("in")?;
    let mut proof = Proof::new(Prover::default());
    if let Some(solver) = weft_symbolic::SmtSolver::find() {
        proof = proof.and_by(solver);
    }
    Equivalence {
        design,
        reset: design.inputs.node("rst")?,
        assumptions: &[],
        alpha: &alpha,
        initial: Signals::new().with("count", Node::lit(3, 0)),
        invariant,
        step: &|mut queue: Queue<Symbolic>| {
            let outputs = Signals::new().with("oldest", queue.bytes[0]).with("empty", queue.count.is_zero());
            let dropped = queue.step(put, take, byte);
            (queue, outputs.with("dropped", dropped))
        },
        words: &words,
    }
    .prove(&mut proof)?;
    Ok(proof)
}

fn at_most_full(queue: &Queue<Symbolic>) -> Node {
    queue.count.at_most(Symbolic::lit(DEPTH as u128)).node()
}

fn design(verilog: &str) -> Option<Design> {
    let yosys = Yosys::find().map_err(|error| println!("skipped: {error}")).ok()?;
    Some(yosys.design("ring", &[Source::Text(verilog)], "rtl").unwrap())
}

#[test]
fn a_ring_is_a_queue() {
    let Some(design) = design(RING) else { return };
    let proof = prove(&design, &at_most_full).unwrap();
    println!("{proof}");
    assert!(proof.is_proved(), "{proof}");
    assert_eq!(proof.obligations().len(), 7, "{proof}");
}

/// The report's text about the obligation that fails.
fn refutation(verilog: &str, invariant: &dyn Fn(&Queue<Symbolic>) -> Node) -> Option<String> {
    let proof = prove(&design(verilog)?, invariant).unwrap();
    assert!(!proof.is_proved(), "{proof}");
    let report = proof.to_string();
    println!("{report}");
    Some(report.lines().skip_while(|line| !line.starts_with("REFUTED")).collect::<Vec<_>>().join("\n"))
}

#[test]
fn planted_faults_are_refuted() {
    for (good, bad, symptom) in [
        ("== 3'd4", "== 3'd3", "output dropped is"),
        // A 32-bit context: the pointers no longer wrap.
        ("== 3'd4", "== 4", "next count is 3'h5, expected 3'h4"),
        ("put & full & !takes", "put & full", "output dropped is 1'h1, expected 1'h0"),
        ("mem[wr[1:0]] <= in", "mem[wr[1:0]] <= in + 1", "next byte"),
        ("if (takes) rd", "if (take) rd", "REFUTED"),
        ("wr <= 0; end", "wr <= 1; end", "reset gives the initial state"),
        ("empty ? 8'd0 : mem", "empty ? 8'd1 : mem", "output oldest is 8'h1, expected 8'h0"),
    ] {
        assert!(RING.contains(good));
        let Some(report) = refutation(&RING.replace(good, bad), &at_most_full) else { return };
        assert!(report.contains(symptom) && report.contains("when rtl."), "{bad}: {report}");
    }
}

#[test]
fn the_invariant_is_needed_and_must_be_kept_and_possible() {
    let Some(report) = refutation(RING, &|_| Node::bit(true)) else { return };
    assert!(report.contains("clock and step agree"), "{report}");
    let report = refutation(RING, &|queue| queue.count.less(Symbolic::lit(3)).node()).unwrap();
    assert!(report.contains("the invariant is kept"), "{report}");
    let report = refutation(RING, &|_| Node::bit(false)).unwrap();
    assert!(report.contains("the invariant can hold"), "{report}");
}

#[test]
fn names_that_differ_are_errors() {
    let Some(renamed) = design(&RING.replace("rd", "tail")) else { return };
    assert!(prove(&renamed, &at_most_full).unwrap_err().to_string().starts_with("no signal `rd`"));
    let more = RING.replace("output dropped", "output dropped, output more = clk");
    let error = prove(&design(&more.replace(", output more = clk", ", output more")).unwrap(), &at_most_full);
    assert!(matches!(error, Err(ProofError::Unchecked(name)) if name == "more"));
}

/// The queue as a separate transition system, on the inputs of `rtl`.
fn model(rtl: &Design) -> Design {
    let initial: Vec<_> = ["byte 0", "byte 1", "byte 2", "byte 3"].map(|name| (name, Value::zero(8))).into();
    let initial = [&[("count", Value::zero(3))], &initial[..]].concat();
    let inputs = |name: &str| rtl.inputs.node(name).unwrap();
    let term = |name: &str| Term::<1>::of(inputs(name)).unwrap();
    let byte = Term::<8>::of(inputs("in")).unwrap();
    Design::of_step("model", &initial, Signals::new(), |registers| {
        let count = registers.word("count")?;
        let mut bytes = [Symbolic::lit(0); DEPTH];
        for (i, slot) in bytes.iter_mut().enumerate() {
            *slot = registers.word(&format!("byte {i}"))?;
        }
        let found = paths(|| {
            let mut queue = Queue::<Symbolic> { count, bytes };
            let outputs = Signals::new().with("oldest", bytes[0]).with("empty", count.is_zero());
            if term("rst").decide() {
                return (Queue { count: Symbolic::lit(0), bytes: [Symbolic::lit(0); DEPTH] }, outputs);
            }
            let dropped = queue.step(term("put"), term("take"), byte);
            (queue, outputs.with("dropped", dropped))
        });
        let next = merge(&found, |(queue, _)| words(queue));
        // In reset the design's output is ignored, so any word serves.
        let outputs = merge(&found, |(_, outputs)| match outputs.node("dropped") {
            Ok(_) => outputs.clone(),
            Err(_) => outputs.clone().with("dropped", Node::bit(false)),
        });
        Ok::<_, weft_symbolic::SignalError>((next, outputs))
    })
    .unwrap()
}

#[test]
fn a_model_checker_finds_the_same_without_an_invariant() {
    let Ok(abc) = Abc::find().map_err(|error| println!("skipped: {error}")) else { return };
    let Some(rtl) = design(RING) else { return };
    let system = System::miter(&rtl, &model(&rtl), "rst").unwrap();
    assert_eq!(abc.prove(&system).unwrap(), Answer::Proved);
    for (good, bad) in [("== 3'd4", "== 3'd3"), ("in;", "in + 1;"), ("wr <= 0; end", "wr <= 1; end")] {
        let rtl = design(&RING.replace(good, bad)).unwrap();
        let system = System::miter(&rtl, &model(&rtl), "rst").unwrap();
        assert_eq!(abc.prove(&system).unwrap(), Answer::Refuted, "{bad}");
    }
    // A constraint that forbids puts hides the fault; registers without reset may start anywhere.
    let rtl = design(&RING.replace("in;", "in + 1;")).unwrap();
    let mut system = System::miter(&rtl, &model(&rtl), "rst").unwrap();
    system.constraints.push(!rtl.inputs.node("put").unwrap());
    assert_eq!(abc.prove(&system).unwrap(), Answer::Proved);
    system.bad = rtl.states["mem[0]"].node.equals(Node::lit(8, 77));
    assert_eq!(abc.prove(&system).unwrap(), Answer::Refuted);
    for state in &mut system.states {
        state.init = state.init.or(Some(Node::constant(Value::new(state.node.width(), 3u8))));
    }
    assert_eq!(abc.prove(&system).unwrap(), Answer::Proved);
}
