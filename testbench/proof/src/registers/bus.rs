//! AXI4-Lite against the page: one access at a time, its turn, its word and its answer.

use super::Model;
use crate::Error;
use weft_nic::block::registers::rules::Write;
use weft_symbolic::{Design, Node, Proof, Signals, Symbolic, Term};

/// Responses.
const OKAY: u128 = 0;
const SLVERR: u128 = 2;

/// Bits of an address below those of a word.
const BYTE: usize = 2;

/// The bus alone.
pub struct Bus<'a> {
    design: &'a Design,
    model: Model,
    now: Signals,
    next: Signals,
}

/// Registers of the bus, whose names begin with `prefix`.
pub struct View<'a> {
    registers: &'a Signals,
    prefix: &'static str,
}

impl<'a> View<'a> {
    /// A view of `registers`.
    pub fn new(registers: &'a Signals, prefix: &'static str) -> Self {
        Self { registers, prefix }
    }

    /// The register with this name.
    pub fn get(&self, name: &str) -> Result<Node, Error> {
        Ok(self.registers.node(&format!("{}{name}_q", self.prefix))?)
    }

    /// The steps of an access.
    fn steps(&self) -> Result<[Node; 4], Error> {
        Ok([self.get("looking")?, self.get("answering")?, self.get("write_done")?, self.get("read_done")?])
    }

    /// No access is in progress.
    pub fn idle(&self) -> Result<Node, Error> {
        Ok(!Node::any(self.steps()?))
    }

    /// A write is answered in this clock.
    pub fn answers(&self) -> Result<Node, Error> {
        Ok(self.get("answering")? & self.get("writing")?)
    }

    /// The write with its bytes.
    pub fn write(&self) -> Result<Write<Symbolic>, Error> {
        let word = |name: &str| self.get(name);
        Ok(Write {
            data: Term::of(word("merged")?).expect("a word"),
            strobes: Term::of(word("strobes")?).expect("four strobes"),
        })
    }

    /// At most one access is in progress, and its data waits until its answer is accepted.
    pub fn invariant(&self) -> Result<Node, Error> {
        let steps = self.steps()?;
        let [looking, answering, write_done, read_done] = steps;
        let pairs = (0..4).flat_map(|a| (0..a).map(move |b| (a, b)));
        let one = Node::all(pairs.map(|(a, b)| !(steps[a] & steps[b])));
        let writing = self.get("writing")?;
        let written = self.get("address_here")? & self.get("data_here")?;
        let early = looking | answering;
        Ok(Node::all([
            one,
            (early & writing).implies(written),
            (early & !writing).implies(self.get("read_here")?),
            write_done.implies(writing & written),
            read_done.implies(!writing & self.get("read_here")?),
            self.get("pulse")?.implies(write_done),
        ]))
    }
}

impl<'a> Bus<'a> {
    /// `design` is `weft_registers_bus`.
    pub fn new(design: &'a Design, model: Model) -> Self {
        Self { design, model, now: design.registers(), next: design.next() }
    }

    /// All claims.
    pub fn prove(&self, proof: &mut Proof) -> Result<(), Error> {
        let (reset, before) = (self.input("rst")?, self.view().invariant()?);
        let after = View::new(&self.next, "").invariant()?;
        proof.claim("one access is under way at most: behind reset", &[reset], after)?;
        proof.claim("one access is under way at most: and every clock keeps it", &[before, !reset], after)?;
        self.accepts(proof)?;
        self.turns(proof)?;
        self.writes(proof)?;
        self.reads(proof)
    }

    fn view(&self) -> View<'_> {
        View::new(&self.now, "")
    }

    fn input(&self, name: &str) -> Result<Node, Error> {
        Ok(self.design.inputs.node(name)?)
    }

    fn get(&self, name: &str) -> Result<Node, Error> {
        self.view().get(name)
    }

    /// Any reachable state, out of reset.
    fn running(&self) -> Result<[Node; 2], Error> {
        Ok([self.view().invariant()?, !self.input("rst")?])
    }

    /// The answer is accepted in this clock.
    fn over(&self, done: &str, ready: &str) -> Result<Node, Error> {
        Ok(self.get(done)? & self.input(ready)?)
    }

    /// Rule 1: addresses and data.
    fn accepts(&self, proof: &mut Proof) -> Result<(), Error> {
        let word = |name: &str| Ok::<_, Error>(self.input(name)?.slice(BYTE, 14));
        let (written, read) = (self.over("write_done", "bready")?, self.over("read_done", "rready")?);
        let (mut expected, mut ready) = (Signals::new(), Signals::new());
        for (here, kept, port, offered, over) in [
            ("address_here", "address", "aw", word("awaddr")?, written),
            ("data_here", "strobes", "w", self.input("wstrb")?, written),
            ("read_here", "read_address", "ar", word("araddr")?, read),
        ] {
            let waits = self.get(here)?;
            expected.insert(format!("{here}_q"), (waits | self.input(&format!("{port}valid"))?) & !over);
            expected.insert(format!("{kept}_q"), self.get(kept)?.when(waits, offered));
            ready.insert(format!("{port}ready"), !waits);
        }
        proof.equal(
            "rule 1: address and data come in any order, and wait until the answer is accepted",
            &self.running()?,
            &expected,
            &self.next,
        )?;
        proof.equal("one of each waits", &[], &ready, &self.design.outputs)?;
        Ok(())
    }

    /// Rule 2: which access begins.
    fn turns(&self, proof: &mut Proof) -> Result<(), Error> {
        let view = self.view();
        let (idle, writing, reads) = (view.idle()?, view.get("writing")?, view.get("read_here")?);
        let both = view.get("address_here")? & view.get("data_here")?;
        let write = idle & both & !(reads & writing);
        let read = idle & reads & !write;
        let reset = self.input("rst")?;
        let expected = Signals::new()
            .with("writing_q", (write | (writing & !read)) & !reset)
            .with("looking_q", (write | read) & !reset);
        proof.equal(
            "rule 2: one access begins when the one before is over; a read and a write that wait take turns",
            &[],
            &expected,
            &self.next,
        )?;
        let at = view.get("offset")?;
        let asked = view.get("address")?.when(write, view.get("read_address")?);
        proof.claim(
            "its offset is that of its address, and stays until its answer is accepted",
            &[write | read | !idle],
            self.next.node("offset_q")?.equals(asked.when(idle, at))
                & self.design.outputs.node("at")?.equals(at),
        )?;
        Ok(())
    }

    /// Rule 3: the word of a write, and its answer.
    fn writes(&self, proof: &mut Proof) -> Result<(), Error> {
        let view = self.view();
        let (answers, write) = (view.answers()?, view.write()?);
        let found: Term<32> = Term::of(self.input("word")?).expect("a word");
        let merged = (self.model.merged)(&write, found).node();
        let data = view.get("merged")?;
        let waits = data.when(view.get("data_here")?, self.input("wdata")?);
        let writable = self.input("writable")?;
        let response = Node::lit(2, OKAY).when(writable, Node::lit(2, SLVERR));
        let done = view.get("write_done")?;
        let expected = Signals::new()
            .with("merged_q", merged.when(answers, waits))
            .with("pulse_q", answers & writable)
            .with("write_response_q", response.when(answers, view.get("write_response")?))
            .with("write_done_q", answers | (done & !self.input("bready")?));
        proof.equal(
            "rule 3: a write that may be done is done in the next clock, with the word that `merged` says; else SLVERR",
            &self.running()?,
            &expected,
            &self.next,
        )?;
        let whole = write.strobes.node().equals(Node::lit(4, 0xF));
        let expected = Signals::new()
            .with("write", view.get("pulse")?)
            .with("data", data)
            .with("whole", whole)
            .with("bvalid", done)
            .with("bresp", view.get("write_response")?);
        proof.equal("pages and host see it", &[], &expected, &self.design.outputs)?;
        Ok(())
    }

    /// The answer of a read.
    fn reads(&self, proof: &mut Proof) -> Result<(), Error> {
        let view = self.view();
        let reads = view.get("answering")? & !view.get("writing")?;
        let late = self.input("late")?;
        let gets = reads & !late;
        let response = Node::lit(2, OKAY).when(self.input("found")?, Node::lit(2, SLVERR));
        let done = view.get("read_done")?;
        let expected = Signals::new()
            .with("answering_q", view.get("looking")? | (reads & late))
            .with("read_done_q", gets | (done & !self.input("rready")?))
            .with("read_response_q", response.when(gets, view.get("read_response")?))
            .with("read_data_q", self.input("word")?.when(gets, view.get("read_data")?));
        proof.equal(
            "rule 4: a read answers with the word that was found, or SLVERR, when it is there",
            &self.running()?,
            &expected,
            &self.next,
        )?;
        let expected = Signals::new()
            .with("reads", reads)
            .with("rvalid", done)
            .with("rresp", view.get("read_response")?)
            .with("rdata", view.get("read_data")?);
        proof.equal("the host sees it", &[], &expected, &self.design.outputs)?;
        Ok(())
    }
}
