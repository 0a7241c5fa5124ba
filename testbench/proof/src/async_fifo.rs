//! `weft_async_fifo` with any two clocks: the words leave in order, and each leaves once, with resets of either side at any
//! time. In every step the solver chooses which clocks tick, so the steps cover all ratios and phases.
//!
//! The first register of a synchroniser may catch a bit while the bit changes. In this model, each bit that
//! changed in the previous step arrives as the old or the new value, independent of other bits.

use crate::{Claim, Error, Solvers, read};
use weft_hdl::{Floor, Module};
use weft_symbolic::{
    Abc, Answer, Design, Node, Proof, ProofError, Prover, SignalError, Signals, State, Substitution, System,
    Yosys,
};

/// The text of the queue.
pub const QUEUE: &str = include_str!("../../../fpga/cdc/weft_async_fifo.v");
/// The text of its synchronisers.
const SYNC: &str = include_str!("../../../fpga/cdc/weft_sync.v");

/// Log2 of the words, and whether whole frames leave.
pub const SHAPES: [(usize, bool); 7] =
    [(2, false), (3, false), (4, false), (4, true), (5, false), (9, false), (9, true)];

/// Bits of a word: how often the memory had been filled when the word arrived.
const WORD: usize = 2;

/// The modules without a change.
pub fn modules() -> Vec<Module> {
    let module = |name: &str, text: &str| Module { name: name.into(), text: text.into(), floor: Floor::Part };
    vec![module("weft_async_fifo", QUEUE), module("weft_sync", SYNC)]
}

/// Changes of the text that make one clock of two: a process runs in the steps in which its clock ticks. Nothing drives
/// `late`, so the solver chooses its value.
const STEPS: [&[(&str, &str)]; 2] = [
    &[
        ("@(posedge s_clk)", "@(posedge clk) if (s_clk)"),
        ("@(posedge m_clk)", "@(posedge clk) if (m_clk)"),
        (".clk(s_clk)", ".clk(clk), .ticks(s_clk)"),
        (".clk(m_clk)", ".clk(clk), .ticks(m_clk)"),
        ("input  wire         s_clk,", "input wire clk, input wire s_clk,"),
    ],
    &[
        ("@(posedge clk)", "@(posedge clk) if (ticks)"),
        ("input  wire         clk,", "input wire clk, input wire ticks,"),
        ("meta   <= d;", "meta <= (d & ~late) | (before & late);"),
        (
            "    assign q",
            "    (* keep *) wire [W-1:0] late;
                 reg [W-1:0] before = {W{1'b0}};
                 always @(posedge clk) before <= d;
                 assign q",
        ),
    ],
];

/// The modules with one clock.
fn in_steps(modules: &[Module]) -> Result<Vec<Module>, Error> {
    let stepped = |(module, rules): (&Module, &&[(&str, &str)])| {
        let mut text = module.text.clone();
        for (from, to) in *rules {
            if !text.contains(from) {
                return Err(Error::Unlike(format!("{} has no `{from}`: keep it", module.name)));
            }
            text = text.replace(from, to);
        }
        Ok(Module { text, ..module.clone() })
    };
    modules.iter().zip(&STEPS).map(stepped).collect()
}

type Found<T> = Result<T, SignalError>;

/// The queue, with numbers of words as ghosts: a word's number is the count of words written since both sides
/// began at 0.
struct Queue {
    design: Design,
    depth: usize,
}

/// Registers and ghosts, now or after a step.
struct View<'a> {
    registers: &'a Signals,
    depth: usize,
    address: Node,
}

fn zero(node: Node) -> Node {
    node.is_zero()
}

impl View<'_> {
    fn get(&self, name: &str) -> Found<Node> {
        self.registers.node(name)
    }

    /// Counts of words: `written`, `fetched`, `taken`. `w0` is the value of `written` one step before; `w1`
    /// and `w2` are its copies in the synchroniser. `t0` to `t2` are the same for `taken`.
    fn number(&self, name: &str) -> Found<Node> {
        self.get(&format!("ghost.{name}"))
    }

    /// A number as a pointer.
    fn pointer(&self, number: Node) -> Node {
        number.slice(0, self.depth + 1)
    }

    fn gray(&self, number: Node) -> Node {
        gray(self.pointer(number))
    }

    /// Whether the word with this number is at the watched address of the memory.
    fn is_here(&self, number: Node) -> Node {
        number.slice(0, self.depth).equals(self.address)
    }

    /// The word of this number.
    fn word_of(&self, number: Node) -> Node {
        number.slice(self.depth, WORD)
    }

    /// The path of a clear: the writing side makes a request, the reading side answers.
    fn ring(&self) -> Found<[Node; 6]> {
        let names =
            ["s_clear", "sync_clear.meta", "sync_clear.stable", "m_ack", "sync_ack.meta", "sync_ack.stable"];
        let nodes = names.map(|name| self.get(name));
        let mut ring = [Node::bit(false); 6];
        for (place, node) in ring.iter_mut().zip(nodes) {
            *place = node?;
        }
        Ok(ring)
    }

    /// Whether the word at the output was written since the last clear.
    fn offers(&self) -> Found<Node> {
        Ok(self.get("m_offered")? & !self.get("m_stale")?)
    }

    /// The invariant: facts of every clock since configuration, by name.
    fn invariant(&self) -> Found<Vec<(&'static str, Node)>> {
        let ring @ [clear, arrives, seen, ack, acks, told] = self.ring()?;
        let falling = !clear & told;
        let quiet = !Node::any(ring);
        // The side that reads has not gone back to word 0 yet.
        let before = quiet | (clear & !ack);
        let of = |name: &str| self.number(name);
        let (written, fetched, taken) = (of("written")?, of("fetched")?, of("taken")?);
        let [w0, w1, w2, t0, t1, t2] = ["w0", "w1", "w2", "t0", "t1", "t2"].map(of);
        let (w0, w1, w2, t0, t1, t2) = (w0?, w1?, w2?, t0?, t1?, t2?);

        let changes = (0..5).map(|at| (ring[at] ^ ring[at + 1]).widen(3));
        let changes = changes.reduce(|sum, one| sum + one).expect("five places");
        let (clear_before, ack_before) = (self.get("sync_clear.before")?, self.get("sync_ack.before")?);
        let goes = Node::all([
            changes.less(Node::lit(3, 2)),
            clear.equals(arrives).implies(clear_before.equals(clear)),
            ack.equals(acks).implies(ack_before.equals(ack)),
        ]);

        let is = |name: &str, number: Node| Ok::<_, SignalError>(self.get(name)?.equals(self.gray(number)));
        let counts = Node::all([
            self.get("s_count")?.equals(self.pointer(written)),
            self.get("m_count")?.equals(self.pointer(taken)),
            self.get("m_fetched")?.equals(self.pointer(fetched)),
            is("s_gray", written)?,
            is("m_gray", taken)?,
            is("sync_written.before", w0)?,
            is("sync_taken.before", t0)?,
        ]);
        let crossings = Node::all([
            (before | (falling & !arrives)).implies(is("sync_written.meta", w1)?),
            (before | (falling & !seen)).implies(is("sync_written.stable", w2)?),
            (before | falling).implies(is("sync_taken.meta", t1)? & is("sync_taken.stable", t2)?),
        ]);

        let zeroed = self.get("s_zero")?;
        let none = |numbers: &[Node]| Node::all(numbers.iter().map(|&number| zero(number)));
        let meta = zero(self.get("sync_taken.meta")?) & zero(t1);
        let stable = zero(self.get("sync_taken.stable")?) & zero(t2);
        let cleared = Node::all([
            ack.implies(none(&[taken, fetched])),
            acks.implies(zero(t0)),
            told.implies(meta),
            zeroed.implies(told & stable & zero(written)),
            (falling | (!clear & !quiet)).implies(none(&[written, w0, taken, fetched, t0]) & meta & stable),
            (!clear & !arrives & !quiet).implies(zero(w1)),
            (!clear & !seen & !quiet).implies(zero(w2)),
        ]);

        let most = Node::lit(written.width(), 1 << self.depth);
        let order = [t2, t1, t0, taken, fetched, w2, w1, w0, written];
        let mut chain = vec![!most.less(written - t2)];
        for pair in order.windows(2) {
            chain.push(!(pair[1] - t2).less(pair[0] - t2));
        }
        let one = Node::lit(written.width(), 2);
        chain.push((written - w0).less(one) & (taken - t0).less(one));

        let (reads, asks) = (self.get("m_read")?, self.get("m_ask")?);
        let offers = self.offers()?;
        let width = written.width();
        let held = fetched.equals(taken + reads.widen(width) + offers.widen(width));

        // The word at the watched address.
        let ahead = (self.address - taken.slice(0, self.depth)).widen(width);
        let stored = self.get("words.watched")?.slice(0, WORD);
        let in_memory = ahead.less(written - taken).implies(stored.equals(self.word_of(taken + ahead)));
        let last = fetched - Node::lit(width, 1);
        let read = (reads & self.is_here(last))
            .implies(self.get("m_ram")?.slice(0, WORD).equals(self.word_of(last)));
        let offered = (offers & self.is_here(taken))
            .implies(self.get("m_word")?.slice(0, WORD).equals(self.word_of(taken)));
        Ok(vec![
            ("a clear goes round, and not two at once", goes),
            ("pointers are the numbers of words", counts),
            ("a pointer that crosses is one that was sent", crossings),
            ("a clear leaves word 0 on both sides and on the way", cleared),
            ("no pointer overtakes another", before.implies(Node::all(chain))),
            ("words fetched that have not left are in the two registers", asks | held),
            ("the memory has what has not left", before.implies(in_memory)),
            ("the registers have what was fetched", asks | (read & offered)),
        ])
    }

    /// The state after configuration, if neither side is ever reset.
    fn calm(&self) -> Found<Node> {
        let quiet = !Node::any(self.ring()?);
        let get = |name: &str| self.get(name);
        let asks = [get("m_ask")?, get("sync_ask.before")?, get("sync_ask.meta")?, get("sync_ask.stable")?];
        let (offered, begun) = (get("m_offered")?, get("m_begun")?);
        let mut still = vec![!get("m_read")?, !offered, !begun, !get("s_inside")?];
        for name in ["written", "w0", "w1", "w2", "t0", "t1", "t2"] {
            still.push(zero(self.number(name)?));
        }
        for name in ["sync_written.meta", "sync_written.stable", "sync_taken.meta", "sync_taken.stable"] {
            still.push(zero(get(name)?));
        }
        Ok(Node::all([
            !Node::any(asks) & !get("s_swallows")?,
            quiet | Node::all(still),
            get("m_stale")?.implies(!offered & !begun),
        ]))
    }
}

fn gray(binary: Node) -> Node {
    let width = binary.width();
    binary ^ binary.slice(1, width - 1).widen(width)
}

impl Queue {
    /// The queue with its ghosts; the words written are their own numbers.
    fn new(yosys: &Yosys, modules: &[Module], (depth, frames): (usize, bool)) -> Result<Self, Error> {
        let (bits, frame, word) = (depth.to_string(), u8::from(frames).to_string(), WORD.to_string());
        let given = [("W", word.as_str()), ("D", bits.as_str()), ("FRAME", frame.as_str())];
        let modules = in_steps(modules)?;
        let mut design = read(yosys, &modules, "weft_async_fifo", &given, "queue", Some("weft_async_fifo"))?;
        let width = depth + WORD;
        let ghost = |name: &str| Node::variable(&format!("ghost.{name}"), width);
        let wire = |name: &str| design.wires.node(name);
        let (s, m) = (design.inputs.node("s_clk")?, design.inputs.node("m_clk")?);
        let after = |name: &str| design.next().node(name);
        let (nothing, one) = (Node::lit(width, 0), Node::lit(width, 1));
        let (written, fetched, taken) = (ghost("written"), ghost("fetched"), ghost("taken"));
        let seen = wire("s_clear_seen")?;
        let fetches = wire("m_fetches")? & wire("m_some")? & !wire("m_hold")?;
        let counts = |clock: Node, back: Node, on: Node, number: Node| {
            nothing.when(clock & back, (number + one).when(clock & on, number))
        };
        let crosses = |clock: Node, sync: &str, number: Node, before: Node, first: Node| -> Found<Node> {
            let arrived = after(&format!("{sync}.meta"))?.equals(gray(number.slice(0, depth + 1)));
            Ok(number.when(arrived, before).when(clock, first))
        };
        let ghosts = [
            ("written", counts(s, wire("s_zeroes")?, wire("s_writes")?, written)),
            ("fetched", counts(m, seen, fetches, fetched)),
            ("taken", counts(m, seen, wire("m_takes")?, taken)),
            ("w0", written),
            ("w1", crosses(m, "sync_written", written, ghost("w0"), ghost("w1"))?),
            ("w2", ghost("w1").when(m, ghost("w2"))),
            ("t0", taken),
            ("t1", crosses(s, "sync_taken", taken, ghost("t0"), ghost("t1"))?),
            ("t2", ghost("t1").when(s, ghost("t2"))),
        ];
        let mut data = Substitution::new();
        data.replace(design.inputs.node("s_axis_tdata")?, written.slice(depth, WORD));
        for (name, next) in ghosts {
            let state = State { node: ghost(name), init: Some(nothing), next };
            design.states.insert(format!("ghost.{name}"), state);
        }
        for state in design.states.values_mut() {
            state.next = data.apply([state.next])[0];
        }
        Ok(Self { design, depth })
    }

    fn view<'a>(&self, registers: &'a Signals) -> Result<View<'a>, Error> {
        let address = self.design.wires.node("words.address")?;
        Ok(View { registers, depth: self.depth, address })
    }

    /// The promises to a user of the queue: name, condition, and the fact that holds under this condition.
    fn promises(&self, view: &View<'_>) -> Found<[(&'static str, Node, Node); 3]> {
        let (written, taken) = (view.number("written")?, view.number("taken")?);
        let wire = |name: &str| self.design.wires.node(name);
        let writes = self.design.inputs.node("s_clk")? & wire("s_writes")?;
        let leaves = self.design.inputs.node("m_clk")? & wire("m_takes")?;
        let (level, most) = (written - taken, Node::lit(written.width(), 1 << self.depth));
        Ok([
            (
                "the word that leaves is the one behind the word that left before it",
                leaves & view.is_here(taken),
                self.design.outputs.node("m_axis_tdata")?.equals(view.word_of(taken)),
            ),
            ("a word leaves only while one is inside", leaves, !level.is_zero() & !most.less(level)),
            ("a word is written only while the memory has room", writes, level.less(most)),
        ])
    }

    /// Comparisons of Gray codes as comparisons of numbers: name and fact. With these facts a solver has no
    /// need to decode Gray codes of ten bits in every step.
    fn comparisons(&self, view: &View<'_>) -> Found<[(&'static str, Node); 2]> {
        let wire = |name: &str| self.design.wires.node(name);
        let number = |name: &str| view.number(name).map(|number| view.pointer(number));
        let quiet = !Node::any(view.ring()?);
        let full = (number("written")? - number("t2")?).equals(Node::lit(self.depth + 1, 1 << self.depth));
        let some = !number("fetched")?.equals(number("w2")?);
        Ok([
            ("a full memory is one with all its words written", quiet.implies(wire("s_full")?.equals(full))),
            (
                "a word is in the memory if its pointer has crossed",
                quiet.implies(wire("m_some")?.equals(some)),
            ),
        ])
    }

    /// The registers after configuration.
    fn begin(&self) -> Signals {
        let first = |state: &State| state.init.unwrap_or(state.node);
        self.design.states.iter().map(|(name, state)| (name.clone(), first(state))).collect()
    }
}

/// The claims about a queue.
pub fn prove(
    yosys: &Yosys,
    modules: &[Module],
    shape: (usize, bool),
    proof: &mut Proof,
) -> Result<(), Error> {
    let queue = Queue::new(yosys, modules, shape)?;
    let design = &queue.design;
    let whole = if shape.1 { ", whole frames" } else { "" };
    let name = |what: &str| format!("2^{} words{whole}: {what}", shape.0);
    let one_clock = Node::bit(design.other_clocks.is_empty());
    proof.claim(&name("every register follows one of the clocks"), &[], one_clock)?;

    let (now, next, begin) = (design.registers(), design.next(), queue.begin());
    let (view, then, first) = (queue.view(&now)?, queue.view(&next)?, queue.view(&begin)?);
    let all = |view: &View<'_>| -> Found<Vec<Node>> {
        Ok(view.invariant()?.into_iter().map(|(_, node)| node).collect())
    };
    let holds = all(&view)?;
    proof.claim(&name("the configuration leads into the invariant"), &[], Node::all(all(&first)?))?;
    let lemmas = queue.comparisons(&view)?;
    for &(what, node) in &lemmas {
        proof.claim(&name(what), &holds, node)?;
    }
    let known = [&holds[..], &lemmas.map(|(_, node)| node)].concat();
    for (what, node) in then.invariant()? {
        proof.claim(&name(&format!("every step keeps it: {what}")), &known, node)?;
    }

    let wire = |name: &str| design.wires.node(name);
    let (written, taken) = (view.number("written")?, view.number("taken")?);
    let with = |more: &[Node]| [&holds[..], more].concat();
    for (what, when, promise) in queue.promises(&view)? {
        proof.claim(&name(what), &with(&[when]), promise)?;
    }
    let most = Node::lit(written.width(), 1 << shape.0);
    let output = |name: &str| design.outputs.node(name);
    let quiet = !Node::any(view.ring()?);
    let full = [quiet, (written - taken).equals(most), view.offers()?, view.is_here(taken)];
    proof.satisfiable(&name("the memory can be full while a word is offered"), &with(&full))?;
    let told = (output("s_written")? - output("s_taken")?).equals(view.pointer(written - view.number("t2")?));
    proof.claim(
        &name("the levels that it tells are no less than what waits"),
        &with(&[quiet]),
        told & !(written - view.number("t2")?).less(written - taken),
    )?;
    crossings(design, &name, proof)?;

    // Without resets, the counts at the ports equal the counts of words.
    let calm = view.calm()?;
    let resets = design.inputs.node("s_rst")? | design.inputs.node("m_rst")?;
    proof.claim(&name("the configuration is calm"), &[], first.calm()?)?;
    proof.claim(&name("without resets it stays so"), &with(&[calm, !resets]), then.calm()?)?;
    let ours = with(&[calm, !resets]);
    let moves = output("m_axis_tvalid")? & design.inputs.node("m_axis_tready")?;
    let accepts = output("s_axis_tready")? & design.inputs.node("s_axis_tvalid")?;
    proof.claim(
        &name("without resets, each word that the ports hand over is counted"),
        &ours,
        moves.equals(wire("m_takes")?) & accepts.equals(wire("s_writes")?),
    )?;
    Ok(())
}

/// Whether the queue keeps its promises from the configuration on, decided by these commands of ABC without
/// an invariant; if it does not, the number of steps.
pub fn reached(
    yosys: &Yosys,
    modules: &[Module],
    shape: (usize, bool),
    commands: &str,
) -> Result<(Answer, Option<u32>), Error> {
    let queue = Queue::new(yosys, modules, shape)?;
    let now = queue.design.registers();
    let kept = queue.promises(&queue.view(&now)?)?.map(|(_, when, promise)| when.implies(promise));
    let states = queue.design.states.values().cloned().collect();
    let system = System { states, constraints: Vec::new(), bad: !Node::all(kept) };
    Ok(Abc::find()?.decide(&system, commands)?)
}

/// Claims that each crossing signal passes two registers of the other clock before other logic reads it.
fn crossings(design: &Design, name: &impl Fn(&str) -> String, proof: &mut Proof) -> Result<(), ProofError> {
    let (now, next) = (design.registers(), design.next());
    let mut ways = Vec::new();
    for (sync, seen, clock) in [
        ("sync_written", "s_gray_seen", "m_clk"),
        ("sync_clear", "s_clear_seen", "m_clk"),
        ("sync_taken", "m_gray_seen", "s_clk"),
        ("sync_ask", "m_ask_seen", "s_clk"),
        ("sync_ack", "m_ack_seen", "s_clk"),
    ] {
        let [meta, stable] = ["meta", "stable"].map(|part| format!("{sync}.{part}"));
        let ticks = design.inputs.node(clock)?;
        let second = now.node(&meta)?.when(ticks, now.node(&stable)?);
        ways.push(next.node(&stable)?.equals(second));
        ways.push(design.wires.node(seen)?.equals(now.node(&stable)?));
    }
    let what = "what comes from the other clock is seen behind two registers of this one";
    proof.claim(&name(what), &[], Node::all(ways))?;
    Ok(())
}

/// The claims about queues of all [`SHAPES`].
pub fn all(solvers: &Solvers, tell: &mut dyn FnMut(&[Claim])) -> Result<Vec<Claim>, Error> {
    let (yosys, modules) = (Yosys::find()?, modules());
    let mut claims = Vec::new();
    for shape in SHAPES {
        // The order of the pointers of 2^9 words takes CaDiCaL half a minute and z3 more.
        let patient = Prover { conflicts_max: 4_000_000, seconds_max: 900.0, ..Prover::default() };
        let mut proof = solvers.proof(patient);
        prove(&yosys, &modules, shape, &mut proof)?;
        let decided = solvers.claims("async_fifo", &proof);
        tell(&decided);
        claims.extend(decided);
    }
    Ok(claims)
}
