//! The blocks that have proofs: one row each, by the name in [`weft_hdl::catalogue`].

use crate::reps::counterexample::Counterexample;
use crate::{
    Claim, Error, Report, Solvers, egress, ingress, nscc, part, ram, receiver, registers, reps, sack_rx,
    sack_tx, sender, smartt,
};
use std::panic::{AssertUnwindSafe, catch_unwind};
use weft_bench::Exchange;
use weft_hdl::Module;
use weft_hdl::catalogue::Shape;
use weft_symbolic::{Node, ProofError, SignalError, Yosys};

/// The result of a proof: its claims, and counterexamples where they can be shown.
pub type Found = (Report, Vec<Counterexample>);

/// Options of the proof of a block.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// The shape to prove; `None` for all shapes that are usually proved.
    pub shape: Option<Shape>,
    /// PSNs of the windows.
    pub psns: u32,
    /// The modules that replace emitted ones.
    pub exchange: Option<Exchange>,
}

/// Proves a block. Reports claims as they are decided.
pub type Prove = fn(&Solvers, &Asked, &mut dyn FnMut(&[Claim])) -> Result<Found, Error>;

/// Decides the claims about modules that were emitted for a shape. The claims about the part with a given
/// name come first.
pub type Decide = fn(&Yosys, &Solvers, &Shape, &[Module], &str) -> Result<Vec<Claim>, Error>;

/// The proof of a block.
#[derive(Clone, Copy)]
pub struct Proof {
    /// Name of the block.
    pub name: &'static str,
    /// The modules that are proved, if not all are.
    pub part: Option<&'static str>,
    /// The claims can be about windows above 256 PSNs.
    pub has_psns: bool,
    /// Proves the block.
    pub prove: Prove,
    /// Proves modules.
    pub decide: Decide,
}

impl Proof {
    /// Proves a block with its options. For modules of a user, a claim can be impossible to state. The error
    /// then lists the differences from the emitted Verilog.
    pub fn run(
        &self,
        solvers: &Solvers,
        asked: &Asked,
        tell: &mut dyn FnMut(&[Claim]),
    ) -> Result<Found, Error> {
        let Some(Exchange::Own(_)) = asked.exchange else { return (self.prove)(solvers, asked, tell) };
        // A claim panics if words have other widths than those for which it is written.
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| ()));
        let found = catch_unwind(AssertUnwindSafe(|| (self.prove)(solvers, asked, tell)));
        std::panic::set_hook(hook);
        let advice = format!("or compare {} with the emitted one as a whole: weft equiv", self.name);
        match found {
            Ok(Err(Error::Signal(error) | Error::Proof(ProofError::Signal(error)))) => {
                let what = match error {
                    SignalError::Missing { name, .. } => format!("there is no `{name}`: keep its name"),
                    SignalError::Width { name, asked, actual } => {
                        format!("`{name}` has {actual} bits and not {asked}: keep its width")
                    }
                };
                Err(Error::Unlike(format!("{what}, {advice}")))
            }
            Ok(found) => found,
            Err(_) => {
                let widths = self.widths(asked)?;
                let what = widths
                    .first()
                    .map_or("words have other widths than the emitted ones".into(), Clone::clone);
                Err(Error::Unlike(format!("{what}: keep it, {advice}")))
            }
        }
    }

    /// Registers and wires whose widths differ from the emitted ones, as text.
    fn widths(&self, asked: &Asked) -> Result<Vec<String>, Error> {
        let Some((block, exchange)) = weft_hdl::catalogue::named(self.name).zip(asked.exchange.as_ref())
        else {
            return Ok(Vec::new());
        };
        let (yosys, emitted) = (Yosys::find()?, (block.emit)(&asked.shape.unwrap_or_default())?);
        let mut own = emitted.clone();
        exchange.apply(&mut own)?;
        let words = |modules: &[Module]| {
            let design = ram::watched(&yosys, modules, block.top, "whole")?;
            let mut words = design.registers();
            words.extend(&design.wires);
            Ok::<_, Error>(words)
        };
        let (emitted, own) = (words(&emitted)?, words(&own)?);
        let wrong = |(name, node): (&str, Node)| {
            let actual = own.node(name).ok()?.width();
            let bits = node.width();
            (bits != actual).then(|| format!("`{name}` has {actual} bits and not {bits}"))
        };
        Ok(emitted.iter().filter_map(wrong).collect())
    }
}

/// The proof of a block, or of some of its modules.
const fn of<P: part::Part>(name: &'static str, part: Option<&'static str>) -> Proof {
    Proof { name, part, has_psns: false, prove: in_parts::<P>, decide: parts_in::<P> }
}

/// All proofs.
pub const PROOFS: &[Proof] = &[
    Proof { name: "reps", part: None, has_psns: false, prove: of_reps, decide: reps_in },
    of::<smartt::Part>("smartt", None),
    of::<nscc::Part>("nscc", None),
    Proof { name: "sack_rx", part: None, has_psns: true, prove: of_sack_rx, decide: sack_rx_in },
    of::<sack_tx::Part>("sack_tx", None),
    of::<ingress::Part>("ingress", None),
    of::<egress::Part>("egress", None),
    of::<receiver::Part>("receiver", Some("front and settle")),
    of::<registers::Part>("registers", Some("COMMAND")),
    of::<sender::Part>("sender", Some("dispatch and billing")),
];

/// The proofs of whole blocks.
pub fn whole() -> impl Iterator<Item = &'static Proof> {
    PROOFS.iter().filter(|proof| proof.part.is_none())
}

/// The proof of a block, by name.
pub fn named(name: &str) -> Option<&'static Proof> {
    PROOFS.iter().find(|proof| proof.name == name)
}

fn of_reps(solvers: &Solvers, asked: &Asked, tell: &mut dyn FnMut(&[Claim])) -> Result<Found, Error> {
    let shapes = asked.shape.map_or(reps::SHAPES.to_vec(), |shape| vec![shape.reps()]);
    reps::prove(solvers, &shapes, asked.exchange.as_ref(), tell)
}

fn reps_in(
    yosys: &Yosys,
    solvers: &Solvers,
    shape: &Shape,
    modules: &[Module],
    _first: &str,
) -> Result<Vec<Claim>, Error> {
    Ok(reps::prove_shape(yosys, solvers, &shape.reps(), modules, &mut |_| ())?.0)
}

fn of_sack_rx(solvers: &Solvers, asked: &Asked, tell: &mut dyn FnMut(&[Claim])) -> Result<Found, Error> {
    let prove = match asked.psns {
        512 => in_parts::<sack_rx::Part<9, 10, 4>>,
        1_024 => in_parts::<sack_rx::Part<10, 11, 8>>,
        _ => in_parts::<sack_rx::Part>,
    };
    prove(solvers, asked, tell)
}

fn sack_rx_in(
    yosys: &Yosys,
    solvers: &Solvers,
    shape: &Shape,
    modules: &[Module],
    first: &str,
) -> Result<Vec<Claim>, Error> {
    let decide = match shape.psns {
        512 => parts_in::<sack_rx::Part<9, 10, 4>>,
        1_024 => parts_in::<sack_rx::Part<10, 11, 8>>,
        _ => parts_in::<sack_rx::Part>,
    };
    decide(yosys, solvers, shape, modules, first)
}

fn parts_in<P: part::Part>(
    yosys: &Yosys,
    solvers: &Solvers,
    shape: &Shape,
    modules: &[Module],
    first: &str,
) -> Result<Vec<Claim>, Error> {
    let mut parts = P::ALL.to_vec();
    parts.sort_by_key(|part| part.name() != first);
    part::prove_shape(yosys, solvers, &P::of(shape), modules, &parts, &mut |_| ())
}

fn in_parts<P: part::Part>(
    solvers: &Solvers,
    asked: &Asked,
    tell: &mut dyn FnMut(&[Claim]),
) -> Result<Found, Error> {
    let shapes = asked.shape.map_or(P::SHAPES.to_vec(), |shape| vec![P::of(&shape)]);
    Ok((part::prove::<P>(solvers, &shapes, asked.exchange.as_ref(), tell)?, Vec::new()))
}
