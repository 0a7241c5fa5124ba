//! Proofs that consist of parts, shape by shape.

use crate::{Claim, Error, Report, Solvers, alone, enables, ports, ram};
use weft_bench::{Exchange, Subject};
use weft_hdl::Module;
use weft_hdl::catalogue::Shape;
use weft_params::SackParams;
use weft_symbolic::{Design, Node, Proof, Prover, Yosys};

/// A part of the proof of a block.
pub trait Part: Copy + PartialEq + 'static {
    /// The block.
    type Dut: Subject;

    /// All parts, in the order of their proofs.
    const ALL: &'static [Self];

    /// The shapes that are proved: the default one, the smallest and the largest.
    const SHAPES: &'static [ParamsOf<Self>];

    /// The parameters of this block for a shape.
    fn of(shape: &Shape) -> ParamsOf<Self>;

    /// Parts of the block with their own enables, and wires in them that have an enable's name. Their own proofs cover the
    /// modules in them.
    const APART: &'static [&'static str] = &[];

    /// Parts of the block that move in every clock, with the modules in them.
    const FREE: &'static [&'static str] = &[];

    /// The instances that are proved alone, each as `module.instance`. The list is empty if each part is
    /// proved by its own name.
    fn alone() -> Vec<&'static str> {
        Vec::new()
    }

    /// The part's name in reports.
    fn name(self) -> &'static str;

    /// The text for a shape in reports.
    fn shape(params: &ParamsOf<Self>) -> String;

    /// Reads the block in `modules`, and watches each of its RAMs at one address.
    fn whole(yosys: &Yosys, modules: &[Module]) -> Result<Design, Error>;

    /// The modules that the part covers. If an earlier proof covered the same text, the part is not proved
    /// again. `None` to prove the part in any case.
    fn about(self, _modules: &[Module]) -> Option<Vec<Module>> {
        None
    }

    /// Proves the claims of this part about the Verilog in `modules`. [`whole`](Self::whole) is its design.
    fn prove(
        self,
        yosys: &Yosys,
        solvers: &Solvers,
        modules: &[Module],
        whole: &Design,
    ) -> Result<Vec<Claim>, Error>;
}

/// The text for a shape of a block whose window has so many PSNs.
pub(crate) fn with_psns(params: &SackParams, psns: u32) -> String {
    let connections = format!("{} connections", params.connections);
    if psns == SackParams::WINDOW { connections } else { format!("{connections}, windows of {psns} PSNs") }
}

/// The default prover, with more time for windows above 256 PSNs, whose words are wider.
pub(crate) fn prover(psns: u32) -> Prover {
    let usual = Prover::default();
    let seconds_max = if psns == SackParams::WINDOW { usual.seconds_max } else { 5.0 * usual.seconds_max };
    Prover { seconds_max, ..usual }
}

/// The shape of a part's block.
pub type ParamsOf<P> = <<P as Part>::Dut as Subject>::Params;

/// Proves the block in these shapes, with replaced modules if there are any. `tell` gets the claims of each
/// part when they are decided. The proof ends at the first shape that is not proved.
pub fn prove<P: Part>(
    solvers: &Solvers,
    shapes: &[ParamsOf<P>],
    exchange: Option<&Exchange>,
    tell: &mut dyn FnMut(&[Claim]),
) -> Result<Report, Error> {
    let yosys = Yosys::find()?;
    let mut report = Report { claims: Vec::new(), notes: solvers.note().into_iter().collect() };
    let mut proved: Vec<(P, Vec<Module>)> = Vec::new();
    for params in shapes {
        let mut modules = P::Dut::emit(params)?;
        if let Some(exchange) = exchange {
            exchange.apply(&mut modules)?;
        }
        let mut parts = P::ALL.to_vec();
        parts.retain(|part| part.about(&modules).is_none_or(|text| !proved.contains(&(*part, text))));
        proved.extend(parts.iter().filter_map(|part| Some((*part, part.about(&modules)?))));
        report.claims.extend(prove_shape(&yosys, solvers, params, &modules, &parts, tell)?);
        if !report.is_proved() {
            break;
        }
    }
    Ok(report)
}

/// Part name in reports for the claims about the block as a whole.
const WHOLE: &str = "block";

/// The block in `modules` with one enable, as the claims of parts need it. Also the claims that the block has
/// one enable, and that the ports of its parts are as their proofs assume.
pub fn with_one_enable<P: Part>(
    yosys: &Yosys,
    solvers: &Solvers,
    modules: &[Module],
) -> Result<(Design, Vec<Claim>), Error> {
    let mut proof = solvers.proof(Prover::default());
    let whole = of_block(&P::whole(yosys, modules)?, modules, P::APART, P::FREE, &mut proof)?;
    alone::every_instance(modules, &P::alone(), &mut proof)?;
    Ok((whole, solvers.claims(WHOLE, &proof)))
}

/// `design`, the block in `modules`, with one enable. Also the claims that the block has one enable, and that
/// the ports of its parts are as their proofs assume. The parts `apart` are included without the modules in
/// them. The parts `free` move in every clock.
pub fn of_block(
    design: &Design,
    modules: &[Module],
    apart: &[&str],
    free: &[&str],
    proof: &mut Proof,
) -> Result<Design, Error> {
    ports::text(design, modules, proof)?;
    ram::whole(design, proof)?;
    let whole = enables::of_block(design, proof)?;
    ports::reset(&whole, apart, proof)?;
    let run = whole.registers().node(enables::BLOCK).unwrap_or(Node::bit(true));
    ports::moves(&whole, run, apart, free, proof)?;
    Ok(whole)
}

/// Proves `parts` of the Verilog in `modules`, emitted for `params`.
pub fn prove_shape<P: Part>(
    yosys: &Yosys,
    solvers: &Solvers,
    params: &ParamsOf<P>,
    modules: &[Module],
    parts: &[P],
    tell: &mut dyn FnMut(&[Claim]),
) -> Result<Vec<Claim>, Error> {
    let mut claims = Vec::new();
    let mut told = |name: &str, decided: Vec<Claim>| {
        let named = |claim| Claim { part: format!("{name}, {}", P::shape(params)), ..claim };
        let decided: Vec<Claim> = decided.into_iter().map(named).collect();
        tell(&decided);
        claims.extend(decided);
    };
    let (whole, decided) = with_one_enable::<P>(yosys, solvers, modules)?;
    told(WHOLE, decided);
    for part in parts {
        if solvers.is_over() {
            break;
        }
        told(part.name(), part.prove(yosys, solvers, modules, &whole)?);
    }
    Ok(claims)
}
