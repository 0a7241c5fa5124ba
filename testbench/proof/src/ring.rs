//! The pipelines that work on rings, each against the model's function, for any inputs and over as many moves
//! as the pipeline has stages. A pipeline that does not move keeps all its registers.

use super::{design, label};
use crate::Error;
use crate::moves::Moves;
use crate::slots::{blocks, first_of, ring, term, word};
use weft_hdl::emit::Module;
use weft_nic::part::ring::{Ring, SLOTS};
use weft_symbolic::{Design, Node, Proof, Signals, Substitution, Symbolic, Term, Yosys};
use weft_word::{Domain, Word};

/// A pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// One slot.
    Hot,
    /// One slot, as a function of registers.
    Point,
    /// All slots below a number.
    Below,
    /// Consecutive slots.
    Span,
    /// Consecutive slots, as a function of registers.
    Extent,
    /// A rotated ring.
    Rotate,
    /// The first slot that is set.
    Find,
    /// The first slot that is set in a ring above 256 slots, after the search in its first 256.
    Finds,
    /// The number of slots that are set.
    Count,
}

/// Proves the pipelines of a block, each by its kind and module, up to the first that fails.
pub fn prove<const S: usize, const N: usize, const L: usize>(
    pipelines: &[(Leaf, &str)],
    yosys: &Yosys,
    modules: &[Module],
    proof: &mut Proof,
) -> Result<(), Error> {
    for (leaf, module) in pipelines {
        leaf.prove::<S, N, L>(yosys, modules, module, proof)?;
        if !proof.is_proved() {
            break;
        }
    }
    Ok(())
}

impl Leaf {
    /// Latency in moves.
    pub fn moves(self) -> usize {
        match self {
            Leaf::Hot | Leaf::Point | Leaf::Extent => 1,
            Leaf::Below | Leaf::Span => 2,
            Leaf::Rotate | Leaf::Find | Leaf::Finds | Leaf::Count => 4,
        }
    }

    /// Proves the claims about `module`, which is a pipeline of this kind on a ring of 2^`S` slots. Turns, searches and
    /// counts have 256 slots in every window.
    pub fn prove<const S: usize, const N: usize, const L: usize>(
        self,
        yosys: &Yosys,
        modules: &[Module],
        module: &str,
        proof: &mut Proof,
    ) -> Result<(), Error> {
        let design = design(yosys, modules, module, module)?;
        let mut moves = Moves::new(&design, &Signals::new().with("run", Node::bit(true)))?;
        let input = |name: &str| -> Result<Node, Error> {
            let width = design.inputs.node(name)?.width();
            Ok(Node::variable(&format!("@0.{module}.{name}"), width))
        };
        let mut out = |name: &str| moves.wire(name, self.moves());
        let name = label(module);
        match self {
            Leaf::Hot | Leaf::Point => {
                let one = Ring::<Symbolic, L>::one(term::<S>(input("index")?));
                let expected = one.when(term(input("en")?), Ring::none());
                proof.claim(
                    &format!("{name}: the slot, if it is to be set"),
                    &[],
                    out("one")?.equals(word(expected)),
                )?;
            }
            Leaf::Below => {
                let index: Term<S> = term(input("index")?);
                let expected = Ring::<Symbolic, L>::below(index.widen::<N>());
                proof.claim(&format!("{name}: the slots below"), &[], out("mask")?.equals(word(expected)))?;
            }
            Leaf::Span | Leaf::Extent => {
                let (start, length) = (term::<S>(input("start")?), term::<N>(input("length")?));
                let fits = length.at_most(Symbolic::lit(Ring::<Symbolic, L>::SLOTS.into()));
                let expected = Ring::<Symbolic, L>::span(start, length);
                proof.claim(
                    &format!("{name}: so many slots from the start on"),
                    &[fits.node()],
                    out("mask")?.equals(word(expected)),
                )?;
            }
            Leaf::Rotate => {
                let amount = input("amount")?;
                let expected = word(ring::<2>(input("vec")?).rotated(term(amount)));
                let same = out("turned")?.equals(expected);
                // For each amount, both sides are wires. For the word as a whole, the claim is too hard for
                // solvers.
                let by = |number: u32| {
                    let mut amounts = Substitution::new();
                    amounts.replace(amount, Node::lit(8, number.into()));
                    amounts.apply([same])[0]
                };
                proof.claim(
                    &format!("{name}: turned by each of the 256 amounts"),
                    &[],
                    Node::all((0..SLOTS).map(by)),
                )?;
            }
            Leaf::Find => {
                let (found, first) = ring::<2>(input("vec")?).first_from(term::<8>(input("start")?));
                let (some, index) = (out("found")?, out("index")?);
                proof.claim(&format!("{name}: whether a slot is set"), &[], some.equals(found.node()))?;
                proof.claim(
                    &format!("{name}: the first that is set, from the start on"),
                    &[some],
                    index.equals(first.node()),
                )?;
            }
            Leaf::Finds => choose::<S, L>(module, [input("vec")?, input("start")?], &mut moves, proof)?,
            Leaf::Count => count(&name, input("vec")?, &mut moves, proof)?,
        }
        stands(&design, &format!("{name}: a stall changes nothing"), proof)
    }
}

/// Proves the choice between searches in blocks of 256 slots, each of which has the model's result.
fn choose<const S: usize, const L: usize>(
    module: &str,
    [vec, start]: [Node; 2],
    moves: &mut Moves,
    proof: &mut Proof,
) -> Result<(), Error> {
    let name = label(module);
    for find in &blocks::<L>("", "finds")[1..] {
        moves.searches(find, 0)?;
    }
    let from = moves.wire("first_start", 0)?;
    let (found, index) = first_of(vec.slice(0, SLOTS as usize), from, &name);
    let mut first = Substitution::new();
    for (port, result) in [("first_found", found), ("first_index", index)] {
        first.replace(Node::variable(&format!("@4.{module}.{port}"), result.width()), result);
    }
    let actual = first.apply([moves.wire("found", 4)?, moves.wire("index", 4)?]);
    let (found, index) = ring::<L>(vec).first_from(term::<S>(start));
    proof.claim(&format!("{name}: whether a slot is set"), &[], actual[0].equals(found.node()))?;
    let same = actual[0].implies(actual[1].equals(index.node()));
    for block in 0..L / 2 {
        let mut known = Substitution::new();
        known.replace(start, Node::lit(S - 8, block as u128).cat(Node::variable("start in its block", 8)));
        let same = known.apply([same])[0];
        proof.claim(
            &format!("{name}: the first that is set, from a start in block {block} on"),
            &[],
            same,
        )?;
    }
    Ok(())
}

fn bit(word: Node, at: usize) -> Node {
    word.slice(at, 1).widen(9)
}

fn sum(bits: impl IntoIterator<Item = Node>) -> Node {
    bits.into_iter().fold(Node::lit(9, 0), |sum, bit| sum + bit)
}

/// The value of three bits in a column.
fn weighted([ones, twos, fours]: [Node; 3], at: usize) -> Node {
    bit(ones, at) + (bit(twos, at) + bit(twos, at)) + sum([bit(fours, at); 4])
}

/// Proves the first two levels of a count. Each compressor behind `slots` counts in three bits how many of
/// its six inputs are set. The compressors after them count each of these bits in the same way. `wire` gives
/// the value of a row of an instance.
pub fn compressed(
    name: &str,
    slots: Node,
    instances: [&str; 4],
    wire: &mut dyn FnMut(&str) -> Result<Node, Error>,
    proof: &mut Proof,
) -> Result<(), Error> {
    let mut rows = |instance: &str| -> Result<[Node; 3], Error> {
        let mut row = |row: &str| wire(&format!("{instance}.{row}"));
        Ok([row("ones")?, row("twos")?, row("fours")?])
    };
    let columns = rows(instances[0])?;
    let width = columns[0].width();
    let first = (0..width).map(|column| {
        weighted(columns, column)
            .equals(sum((column..slots.width()).step_by(width).map(|slot| bit(slots, slot))))
    });
    proof.claim(
        &format!("{name}: in three bits, how many of every {width}th slot are set"),
        &[],
        Node::all(first),
    )?;
    for (weight, what) in ["ones", "twos", "fours"].into_iter().enumerate() {
        let counts = rows(instances[1 + weight])?;
        let lanes = counts[0].width();
        // Arbitrary words in place of the first counts.
        let any = Node::variable(&format!("{what} of the columns"), width);
        let mut cut = Substitution::new();
        cut.replace(columns[weight], any);
        let counts: [Node; 3] = cut.apply(counts).try_into().expect("three rows");
        let second = (0..lanes).map(|lane| {
            weighted(counts, lane).equals(sum((lane..width).step_by(lanes).map(|column| bit(any, column))))
        });
        proof.claim(&format!("{name}: the same of their {what}"), &[], Node::all(second))?;
    }
    Ok(())
}

/// Proves a count in parts: the compressors, and the sum of their outputs. An argument on paper shows that
/// the parts add up to the whole, see `docs/proof.md`.
fn count(name: &str, ring: Node, moves: &mut Moves, proof: &mut Proof) -> Result<(), Error> {
    let instances = ["slots", "counts_0", "counts_1", "counts_2"];
    // The counts of six are registers. The counts of their bits follow a clock later.
    let mut wire = |row: &str| Ok(moves.wire(row, usize::from(!row.starts_with(instances[0])))?);
    compressed(name, ring, instances, &mut wire, proof)?;
    // Proves each sum over its inputs, which are arbitrary numbers for the next sum.
    let mut pairs = Vec::new();
    for weight in 0..3 {
        let mut row = |row: &str| moves.wire(&format!("{}.{row}", instances[1 + weight]), 1);
        let rows = [row("ones")?, row("twos")?, row("fours")?];
        for pair in 0..4 {
            let register = format!("pair_{}_q", 4 * weight + pair);
            let lanes = sum((2 * pair..2 * pair + 2).map(|lane| weighted(rows, lane)));
            pairs.push(moves.at(&register, 2)?.widen(9).equals(lanes));
            moves.set(&register, 2, Node::variable(&register, 4))?;
        }
    }
    proof.claim(&format!("{name}: what is left is added up, pair by pair"), &[], Node::all(pairs))?;
    let mut weights = Vec::new();
    let mut total = Node::lit(9, 0);
    for weight in 0..3 {
        let register = format!("weight_{weight}_q");
        let pair = |pair: usize| Node::variable(&format!("pair_{}_q", 4 * weight + pair), 4).widen(9);
        let whole = sum((0..4).map(pair));
        weights.push(moves.at(&register, 3)?.widen(9).equals(whole));
        let any = Node::variable(&register, 6);
        moves.set(&register, 3, any)?;
        total = total + any.widen(9).shift_left(Node::lit(9, weight as u128));
    }
    proof.claim(&format!("{name}: all four pairs"), &[], Node::all(weights))?;
    proof.claim(&format!("{name}: by their weight"), &[], moves.wire("total", 4)?.equals(total))?;
    Ok(())
}

/// Proves that no register changes while `run` is low.
pub fn stands(design: &Design, name: &str, proof: &mut Proof) -> Result<(), Error> {
    let still = design.feed(&Signals::new().with("run", Node::bit(false)))?;
    proof.equal(name, &[], &design.registers(), &still.apply_to(&design.next()))?;
    Ok(())
}
