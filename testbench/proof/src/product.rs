//! `weft_mul` divided into parts by the parameter `FACTOR_BITS`. Proofs of blocks leave `FACTOR_BITS` 0,
//! which is one product. The claims here say that the parts make the same product with the same latency.

use crate::moves::Moves;
use crate::{Claim, Error, Solvers, alone};
use weft_hdl::emit::Module;
use weft_symbolic::{Design, Node, Proof, Prover, Reading, Signals, Source, Yosys};

const NAME: &str = "weft_mul";
/// The value of `FACTOR_BITS` with which `weft_mul` divides a product.
const FACTOR_BITS: usize = 18;
/// Widths of both factors and of a part, and the latency, for claims in which a solver multiplies.
const SMALL: [(usize, usize, usize, usize); 5] =
    [(4, 5, 2, 2), (5, 3, 4, 3), (3, 4, 2, 4), (4, 4, 3, 1), (4, 3, 0, 3)];

fn multiplier(
    yosys: &Yosys,
    modules: &[Module],
    (a, b, part, stages): (usize, usize, usize, usize),
) -> Result<Design, Error> {
    let text = modules.iter().filter(|module| module.name == NAME).map(|module| Source::Text(&module.text));
    let numbers = [a, b, stages, part].map(|number| number.to_string());
    let names = ["A", "B", "STAGES", "FACTOR_BITS"];
    let parameters: Vec<(&str, &str)> = names.into_iter().zip(numbers.iter().map(String::as_str)).collect();
    let sources: Vec<Source<'_>> = text.collect();
    Ok(yosys.read(&Reading {
        top: NAME,
        parameters: &parameters,
        sources: &sources,
        scope: "mul",
        ..Reading::default()
    })?)
}

/// The output, and both factors `stages` moves before.
fn answer(design: &Design, a: usize, b: usize, stages: usize) -> Result<[Node; 3], Error> {
    let mut moves = Moves::new(design, &Signals::new().with("en", Node::bit(true)))?;
    let factor = |name: &str, width| Node::variable(&format!("@0.mul.{name}"), width);
    Ok([moves.wire("p", stages)?, factor("a", a), factor("b", b)])
}

/// Proves at small widths that the parts make the product. Products are exact in `proof`.
pub fn small(yosys: &Yosys, modules: &[Module], proof: &mut Proof) -> Result<(), Error> {
    for (a, b, part, stages) in SMALL {
        let design = multiplier(yosys, modules, (a, b, part, stages))?;
        let [product, first, second] = answer(&design, a, b, stages)?;
        proof.claim(
            &format!("{a} by {b} bits in parts of {part}, {stages} clocks: it is the product"),
            &[],
            product.equals(first.widen(a + b) * second.widen(a + b)),
        )?;
    }
    Ok(())
}

/// Proves at the widths of the block, with parts of 18 bits, that the output is the sum of the products of
/// the parts, each shifted to its place.
pub fn wide(yosys: &Yosys, modules: &[Module], proof: &mut Proof) -> Result<(), Error> {
    for (path, parameters) in alone::of_kind(modules, NAME) {
        let number = |name: &str| {
            let found = parameters.iter().find(|(key, _)| *key == name);
            found.and_then(|(_, value)| value.parse::<usize>().ok()).unwrap_or(0)
        };
        let (a, b, stages) = (number("A"), number("B"), number("STAGES"));
        let design = multiplier(yosys, modules, (a, b, FACTOR_BITS, stages))?;
        let [product, first, second] = answer(&design, a, b, stages)?;
        let parts = |factor: Node| -> Vec<(usize, Node)> {
            let width = factor.width();
            let starts = (0..width).step_by(FACTOR_BITS);
            starts.map(|low| (low, factor.slice(low, FACTOR_BITS.min(width - low)))).collect()
        };
        let mut sum: Option<Node> = None;
        for (low, one) in parts(first) {
            for (more, other) in parts(second) {
                let bits = one.width() + other.width();
                let part = (one.widen(bits) * other.widen(bits)).widen(a + b);
                let above = part.shift_left(Node::lit(a + b, (low + more) as u128));
                sum = Some(sum.map_or(above, |sum| sum + above));
            }
        }
        proof.claim(
            &format!("{path} in parts of {FACTOR_BITS} bits: the products of the parts, each in its place"),
            &[],
            product.equals(sum.expect("factors have bits")),
        )?;
        let still = design.feed(&Signals::new().with("en", Node::bit(false)))?;
        proof.equal(
            &format!("{path} in parts of {FACTOR_BITS} bits: a stall changes nothing"),
            &[],
            &design.registers(),
            &still.apply_to(&design.next()),
        )?;
    }
    Ok(())
}

/// Both formulas, as claims of the part `name`: at small widths with exact products, at the block's width in
/// `shared`.
pub fn claims(
    yosys: &Yosys,
    solvers: &Solvers,
    modules: &[Module],
    name: &str,
    mut shared: Proof,
) -> Result<Vec<Claim>, Error> {
    let mut exact = solvers.proof(Prover::default());
    small(yosys, modules, &mut exact)?;
    wide(yosys, modules, &mut shared)?;
    Ok([exact, shared].iter().flat_map(|proof| solvers.claims(name, proof)).collect())
}
