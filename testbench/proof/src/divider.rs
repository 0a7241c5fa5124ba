//! `weft_div`, stage by stage. Each bit of the quotient advances the remainder by one step. In whole numbers,
//!
//! `after = 2 x before + bit of the numerator -+ divisor`, with minus if `before` is not negative, else plus.
//! `-divisor <= after < divisor`, and the bit says that `after` is not negative.
//!
//! The sum over all stages is `numerator = quotient x divisor + remainder`: see `docs/proof/smartt.md`.

use crate::Error;
use crate::design;
use crate::moves::{Moves, moving};
use weft_hdl::emit::Module;
use weft_symbolic::{Design, Node, Proof, SignalError, Signals, Substitution, Yosys};

/// Quotient bits per stage.
const STEPS: usize = 2;

/// The values between two stages.
#[derive(Clone, Copy)]
struct Stage {
    /// Remaining numerator bits, above the quotient bits found.
    rest: Node,
    /// The remainder without its sign. The last bit found gives the sign.
    rem: Node,
    /// Whether the remainder is not negative.
    positive: Node,
    div: Node,
    /// Whether the quotient overflows.
    over: Node,
}

impl Stage {
    fn of(moves: &mut Moves, divider: &str, stage: usize, clock: usize) -> Result<Self, SignalError> {
        let mut get = |name: &str| moves.at(&format!("{divider}.g_stage[{stage}].{name}_q"), clock);
        let rest = get("rest")?;
        Ok(Self { rest, rem: get("rem")?, positive: rest.slice(0, 1), div: get("div")?, over: get("over")? })
    }

    /// Width for twice a remainder, a bit, a sign and the divisor.
    fn width(&self) -> usize {
        self.div.width() + 3
    }

    fn divisor(&self) -> Node {
        self.div.widen(self.width())
    }

    fn remainder(&self) -> Node {
        Node::lit(3, 0).when(self.positive, Node::lit(3, 7)).cat(self.rem)
    }

    /// Whether a remainder is at least the negative divisor, and below the divisor.
    fn is_within(&self, remainder: Node) -> Node {
        (remainder + self.divisor()).less(self.divisor() + self.divisor())
    }

    fn is_reduced(&self) -> Node {
        self.is_within(self.remainder())
    }

    /// The stage with the next bit of the quotient from `sum`: the remainder above a carry bit, below its
    /// sign and the bit.
    fn step(&self, sum: Node) -> Self {
        let (bits, width) = (self.rest.width(), self.rem.width());
        let positive = sum.slice(width + 2, 1);
        Self { rest: self.rest.slice(0, bits - 1).cat(positive), rem: sum.slice(1, width), positive, ..*self }
    }

    /// Whether `after` is the stage that follows this one, with the next bit of the quotient.
    fn gives(&self, after: &Stage) -> Node {
        let (bits, top) = (self.rest.width(), self.width() - 1);
        let shifted = self.remainder().slice(0, top).cat(self.rest.slice(bits - 1, 1));
        let remainder = (shifted - self.divisor()).when(self.positive, shifted + self.divisor());
        Node::all([
            after.div.equals(self.div),
            after.rest.slice(1, bits - 1).equals(self.rest.slice(0, bits - 1)),
            after.remainder().equals(remainder),
            self.is_within(remainder),
            after.positive.equals(!remainder.slice(top, 1)),
        ])
    }
}

/// The work of stage `stage` on `before`, separately for its two bits: whether the stage finds the first bit,
/// and whether it finds the second bit from every remainder that the first can leave.
struct Bits {
    first: Node,
    /// The condition on a remainder that the first bit leaves.
    reduced: Node,
    second: Node,
}

impl Bits {
    fn of(
        moves: &mut Moves,
        divider: &str,
        stage: usize,
        before: &Stage,
        after: &Stage,
    ) -> Result<Self, Error> {
        let sum = moves.wire(&format!("{divider}.g_stage[{stage}].g_step[0].sum"), 0)?;
        let any = Node::variable("first sum", sum.width());
        let mut cut = Substitution::new();
        cut.replace(sum, any);
        let between = before.step(any);
        let second = between.gives(after);
        Ok(Self {
            first: before.gives(&before.step(sum)),
            reduced: between.is_reduced(),
            second: cut.apply([second])[0],
        })
    }
}

/// The divider that is instance `name` of a block.
pub fn stages(design: &Design, name: &str, proof: &mut Proof) -> Result<(), Error> {
    let is_stage = |key: &&String| key.starts_with(&format!("{name}.g_stage[")) && key.ends_with(".rest_q");
    let count = design.states.keys().filter(is_stage).count();
    let mut moves = Moves::new(design, &moving())?;
    let (num, den) = (moves.wire(&format!("{name}.num"), 0)?, moves.wire(&format!("{name}.den"), 0)?);
    let first = Stage::of(&mut moves, name, 0, 1)?;
    let bits = first.rest.width();
    let rem = num.slice(bits, num.width() - bits).widen(first.rem.width());
    let yes = Node::bit(true);
    let entry = Stage { rest: num.slice(0, bits), rem, positive: yes, div: den, over: !rem.less(den) };
    let found = Bits::of(&mut moves, name, 0, &entry, &first)?;
    proof.claim(
        "the first stage takes numerator and divisor and finds a bit, if the quotient fits",
        &[!entry.over],
        found.first,
    )?;
    proof.claim("the first stage finds another", &[!entry.over, found.reduced], found.second)?;
    proof.claim(
        "if it does not, as when the divisor is 0, it is marked as too large",
        &[],
        first.over.equals(entry.over),
    )?;
    // The same variables in front of every stage: equal circuits then give equal claims.
    let any = |name: &str, like: Node| Node::variable(&format!("{name} before"), like.width());
    let rest = any("rest", first.rest);
    let before = Stage {
        rest,
        rem: any("rem", first.rem),
        positive: rest.slice(0, 1),
        div: any("div", first.div),
        over: any("over", first.over),
    };
    let (mut firsts, mut seconds, mut marks) = (Vec::new(), Vec::new(), Vec::new());
    for stage in 1..count {
        for (register, word) in
            [("rest", before.rest), ("rem", before.rem), ("div", before.div), ("over", before.over)]
        {
            moves.set(&format!("{name}.g_stage[{}].{register}_q", stage - 1), 0, word)?;
        }
        let after = Stage::of(&mut moves, name, stage, 1)?;
        let found = Bits::of(&mut moves, name, stage, &before, &after)?;
        firsts.push(found.first);
        seconds.push(found.reduced.implies(found.second));
        let kept = if stage < count - 1 { after.over } else { (!after.rest).is_zero() };
        marks.push(before.over.implies(kept) & (!before.over).implies(!after.over));
    }
    let reduced = before.is_reduced();
    proof.satisfiable("a remainder can be negative", &[reduced, !before.positive])?;
    proof.claim("every further stage finds a bit", &[reduced, !before.over], Node::all(firsts))?;
    proof.claim("every further stage finds another", &[!before.over], Node::all(seconds))?;
    proof.claim(
        "every further stage keeps the mark, and the last makes it a quotient of all ones",
        &[],
        Node::all(marks),
    )?;
    let mut moves = Moves::new(design, &moving())?;
    let last = Stage::of(&mut moves, name, count - 1, 0)?;
    proof.claim(
        "all bits are found, and the last stage holds the quotient",
        &[],
        Node::bit(count * STEPS == bits) & moves.wire(&format!("{name}.q"), 0)?.equals(last.rest),
    )?;
    Ok(())
}

/// Proves the whole divider at small widths, against division.
pub fn small(yosys: &Yosys, modules: &[Module], proof: &mut Proof) -> Result<(), Error> {
    for (n, d, q) in [(12, 6, 6), (11, 6, 6), (6, 4, 6)] {
        let text = format!(
            "module small(input clk, input [{}:0] num, input [{}:0] den, output [{}:0] q);
                 weft_div #(.N({n}), .D({d}), .Q({q}), .STEPS({STEPS})) div(.clk(clk), .en(1'b1), .en_late(1'b1), .num(num), .den(den), .q(q));
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
