//! The output queue that every block has.

use crate::Error;
use weft_symbolic::{Design, Equivalence, Node, Proof, Signals, Symbolic, Term};
use weft_word::{Domain, Word};

/// Up to two words, the first of them offered.
#[derive(Clone, Copy)]
struct Queue {
    count: Term<2>,
    first: Node,
    second: Node,
}

/// `weft_*_skid` is a queue of two words.
pub fn queue(design: &Design, proof: &mut Proof) -> Result<(), Error> {
    let (word, put, take) = (
        design.inputs.node("in_word")?,
        design.inputs.word::<1>("in_valid")?,
        design.inputs.word::<1>("out_ready")?,
    );
    // Kept back but nothing offered: there is no such queue, and the invariant says that it never is.
    let queue = |registers: &Signals| {
        let (held, offered) = (!registers.word::<1>("running.q")?, registers.word::<1>("offered.q")?);
        let (first, second) = (registers.node("offered_word.q")?, registers.node("held_word.q")?);
        let count = held.cat::<1, 2>(held ^ offered);
        Ok(Queue { count, first, second })
    };
    Equivalence {
        design,
        reset: design.inputs.node("rst")?,
        assumptions: &[],
        alpha: &queue,
        initial: Signals::new().with("count", Node::lit(2, 0)),
        invariant: &|queue: &Queue| queue.count.at_most(Symbolic::lit(2)).node(),
        step: &|queue: Queue| {
            let some = !queue.count.is_zero();
            let two = queue.count.equals(Symbolic::lit(2));
            // The word in the output register stays while there is none to offer.
            let mut outputs =
                Signals::new().with("run", !two).with("out_valid", some).with("out_word", queue.first);
            let mut queue = queue;
            if (some & take).decide() {
                queue.first = queue.second.when(two.node(), queue.first);
                queue.count = queue.count - Symbolic::lit(1);
            }
            // What arrives while it does not run is offered again.
            if (put & !two).decide() {
                let empty = queue.count.is_zero().node();
                queue.first = word.when(empty, queue.first);
                queue.second = queue.second.when(empty, word);
                queue.count = queue.count + Symbolic::lit(1);
            }
            outputs.insert("next_run", !queue.count.equals(Symbolic::lit(2)));
            (queue, outputs)
        },
        words: &|queue| {
            let two = queue.count.equals(Symbolic::lit(2)).node();
            let nothing = Node::lit(queue.second.width(), 0);
            Signals::new()
                .with("count", queue.count)
                .with("first", queue.first)
                .with("second", queue.second.when(two, nothing))
        },
    }
    .prove(proof)?;
    Ok(())
}
