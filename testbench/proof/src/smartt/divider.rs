//! `weft_div`, stage by stage. Each bit of the quotient takes the remainder on: in whole numbers,
//!
//! `after = 2 x before + bit of the numerator - bit of the quotient x divisor`, and `0 <= after < divisor`.
//!
//! Added up over all stages this is `numerator = quotient x divisor + remainder`: see `docs/proof.md`.

use super::moves::{Moves, moving};
use crate::Error;
use crate::design;
use weft_hdl::emit::Module;
use weft_symbolic::{Design, Node, Proof, SignalError, Signals, Yosys};

/// Quotient bits per stage.
const STEPS: usize = 2;

/// What is between two stages.
#[derive(Clone, Copy)]
struct Stage {
    /// Numerator bits to come, above the quotient bits found.
    rest: Node,
    /// The remainder, below the divisor.
    rem: Node,
    div: Node,
}

impl Stage {
    fn of(moves: &mut Moves, divider: &str, stage: usize, clock: usize) -> Result<Self, SignalError> {
        let mut get = |name: &str| moves.at(&format!("{divider}.g_stage[{stage}].{name}_q"), clock);
        Ok(Self { rest: get("rest")?, rem: get("rem")?, div: get("div")? })
    }

    /// Wide enough for twice a remainder and a bit; less the divisor, it does not wrap to below the divisor.
    fn width(&self) -> usize {
        self.div.width() + 2
    }

    fn divisor(&self) -> Node {
        self.div.widen(self.width())
    }

    fn remainder(&self) -> Node {
        self.rem.widen(self.width())
    }

    fn is_reduced(&self) -> Node {
        self.remainder().less(self.divisor())
    }

    /// `after` is this with the next bits of the quotient found, one after the other.
    fn gives(&self, after: &Stage) -> Node {
        let bits = self.rest.width();
        let mut remainder = self.remainder();
        let mut reduced = Node::bit(true);
        for step in 0..STEPS {
            let coming = self.rest.slice(bits - 1 - step, 1);
            let digit = after.rest.slice(STEPS - 1 - step, 1);
            let shifted = remainder.slice(0, self.width() - 1).cat(coming);
            remainder = shifted - self.divisor().when(digit, Node::lit(self.width(), 0));
            reduced = reduced & remainder.less(self.divisor());
        }
        Node::all([
            after.div.equals(self.div),
            after.rest.slice(STEPS, bits - STEPS).equals(self.rest.slice(0, bits - STEPS)),
            after.remainder().equals(remainder),
            reduced,
        ])
    }

    /// The quotient does not fit: so many of its bits, all that were found, are ones.
    fn is_saturated(&self, found: usize) -> Node {
        let ones = (!self.rest.slice(0, found)).is_zero();
        self.div.is_zero() & ones
    }
}

/// The divider that is instance `name` of `weft_smartt`.
pub fn stages(design: &Design, name: &str, proof: &mut Proof) -> Result<(), Error> {
    let count = design.states.keys().filter(|key| key.starts_with(&format!("{name}.g_stage["))).count() / 3;
    let mut moves = Moves::new(design, &moving())?;
    let (num, den) = (moves.wire(&format!("{name}.num"), 0)?, moves.wire(&format!("{name}.den"), 0)?);
    let first = Stage::of(&mut moves, name, 0, 1)?;
    let bits = first.rest.width();
    let rem = num.slice(bits, num.width() - bits).widen(first.rem.width());
    let entry = Stage { rest: num.slice(0, bits), rem, div: den };
    proof.claim(
        "the first stage takes numerator and divisor and finds two bits, if the quotient fits",
        &[entry.is_reduced()],
        entry.gives(&first),
    )?;
    proof.claim(
        "if it does not, as when the divisor is 0, it is marked as too large",
        &[!entry.is_reduced()],
        first.is_saturated(STEPS),
    )?;
    // The same words in front of every stage: what is the same circuit is the same claim.
    let any = |name: &str, like: Node| Node::variable(&format!("{name} before"), like.width());
    let before =
        Stage { rest: any("rest", first.rest), rem: any("rem", first.rem), div: any("div", first.div) };
    let (mut finds, mut saturates) = (Vec::new(), Vec::new());
    for stage in 1..count {
        for (register, word) in [("rest", before.rest), ("rem", before.rem), ("div", before.div)] {
            moves.set(&format!("{name}.g_stage[{}].{register}_q", stage - 1), 0, word)?;
        }
        let after = Stage::of(&mut moves, name, stage, 1)?;
        finds.push(before.gives(&after));
        let found = STEPS * stage;
        saturates.push(before.is_saturated(found).implies(after.is_saturated(found + STEPS)));
    }
    let reduced = before.is_reduced();
    proof.satisfiable("a remainder can be below its divisor", &[reduced])?;
    proof.claim("every further stage finds two bits", &[reduced], Node::all(finds))?;
    proof.claim("every further stage keeps a quotient too large at all ones", &[], Node::all(saturates))?;
    let mut moves = Moves::new(design, &moving())?;
    let last = Stage::of(&mut moves, name, count - 1, 0)?;
    proof.claim(
        "all bits are found, and the last stage holds the quotient",
        &[],
        Node::bit(count * STEPS == bits) & moves.wire(&format!("{name}.q"), 0)?.equals(last.rest),
    )?;
    Ok(())
}

/// The whole divider at small widths, against division itself.
pub fn small(yosys: &Yosys, modules: &[Module], proof: &mut Proof) -> Result<(), Error> {
    for (n, d, q) in [(12, 6, 6), (11, 6, 6), (6, 4, 6)] {
        let text = format!(
            "module small(input clk, input [{}:0] num, input [{}:0] den, output [{}:0] q);
                 weft_div #(.N({n}), .D({d}), .Q({q}), .STEPS({STEPS})) div(.clk(clk), .en(1'b1), .num(num), .den(den), .q(q));
             endmodule",
            n - 1,
            d - 1,
            q - 1
        );
        let divider = modules.iter().filter(|module| module.name == "weft_div").cloned();
        let small = Module { name: "small".into(), text, floor: weft_hdl::Floor::Block };
        let design = design(yosys, &divider.chain([small]).collect::<Vec<_>>(), "small", "small")?;
        let mut moves = Moves::new(&design, &Signals::new())?;
        let (num, den) = (Node::variable("@0.small.num", n), Node::variable("@0.small.den", d));
        let exact = num / den.widen(n);
        let most = Node::lit(n, (1 << q) - 1);
        let expected = most.when(most.less(exact), exact).slice(0, q);
        proof.claim(
            &format!("{n} by {d} to {q} bits, it divides: rounded down, all ones if larger"),
            &[],
            moves.wire("q", q / STEPS)?.equals(expected),
        )?;
    }
    Ok(())
}
