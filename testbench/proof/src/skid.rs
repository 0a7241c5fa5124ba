//! The output queue that every block has.

use crate::Error;
use weft_symbolic::{Design, Equivalence, Node, Proof, Signals, State, Symbolic, Term};
use weft_word::{Domain, Word};

/// A queue of up to two words. The queue offers the first word.
#[derive(Clone, Copy)]
struct Queue {
    count: Term<2>,
    first: Node,
    second: Node,
}

impl Queue {
    fn two(&self) -> Node {
        self.count.equals(Symbolic::lit(2)).node()
    }

    /// Removes the first word.
    fn take(&mut self) {
        self.first = self.second.when(self.two(), self.first);
        self.count = self.count - Symbolic::lit(1);
    }

    /// Adds a word after the stored ones.
    fn put(&mut self, word: Node) {
        let empty = self.count.is_zero().node();
        self.first = word.when(empty, self.first);
        self.second = self.second.when(empty, word);
        self.count = self.count + Symbolic::lit(1);
    }

    /// The words of the queue, including the first word behind the last.
    fn words(&self) -> Signals {
        let nothing = Node::lit(self.second.width(), 0);
        Signals::new()
            .with("count", self.count)
            .with("first", self.first)
            .with("second", self.second.when(self.two(), nothing))
    }
}

/// Proves that `weft_*_skid` is a queue of two words.
pub fn queue(design: &Design, proof: &mut Proof) -> Result<(), Error> {
    let (word, put, take) = (
        design.inputs.node("in_word")?,
        design.inputs.word::<1>("in_valid")?,
        design.inputs.word::<1>("out_ready")?,
    );
    // A word kept back while none is offered: the invariant excludes this state.
    let queue = |registers: &Signals| {
        let (held, offered) = (!registers.word::<1>("running_q")?, registers.word::<1>("offered_q")?);
        let (first, second) = (registers.node("offered_word_q")?, registers.node("held_word_q")?);
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
            // The word in the output register stays while no word is offered.
            let mut outputs =
                Signals::new().with("run", !two).with("out_valid", some).with("out_word", queue.first);
            let mut queue = queue;
            if (some & take).decide() {
                queue.take();
            }
            // A word that arrives while the queue does not run is offered again.
            if (put & !two).decide() {
                queue.put(word);
            }
            outputs.insert("next_run", !queue.count.equals(Symbolic::lit(2)));
            (queue, outputs)
        },
        words: &Queue::words,
    }
    .prove(proof)?;
    Ok(())
}

/// Two slots: the queue in them, and the place of the next word behind its words.
struct Slots {
    queue: Queue,
    in_turn: Node,
}

/// Proves that `weft_slots` is a queue of two words. No word may be put if the queue has two, and no word may
/// be removed if it is empty: the skid beside it guarantees both. Only the skid knows the number of words, so
/// the proof adds a count.
pub fn slots(mut design: Design, proof: &mut Proof) -> Result<(), Error> {
    let (reset, word) = (design.inputs.node("rst")?, design.inputs.node("word")?);
    let (put, take) = (design.inputs.word::<1>("put")?, design.inputs.word::<1>("take")?);
    let (count, one) = (Node::variable("slots.ghost.count", 2), Node::lit(2, 1));
    let left = (count - one).when(take.node(), count);
    let next = Node::lit(2, 0).when(reset, (left + one).when(put.node(), left));
    design.states.insert("ghost.count".into(), State { node: count, init: None, next });
    let slots = |registers: &Signals| {
        let (ahead, behind) = (registers.node("ahead_q")?, registers.node("behind_q")?);
        let (low, high) = (registers.node("ram.words[0]")?, registers.node("ram.words[1]")?);
        let count = registers.word::<2>("ghost.count")?;
        let in_turn = behind.equals(ahead ^ count.node().slice(0, 1));
        Ok(Slots {
            queue: Queue { count, first: high.when(ahead, low), second: low.when(ahead, high) },
            in_turn,
        })
    };
    let full = count.equals(Node::lit(2, 2));
    Equivalence {
        design: &design,
        reset,
        assumptions: &[!(put.node() & full), !(take.node() & count.is_zero())],
        alpha: &slots,
        initial: Signals::new().with("count", Node::lit(2, 0)),
        invariant: &|slots: &Slots| slots.in_turn & slots.queue.count.at_most(Symbolic::lit(2)).node(),
        step: &|Slots { mut queue, in_turn }| {
            let outputs = Signals::new().with("first", queue.first);
            if take.decide() {
                queue.take();
            }
            if put.decide() {
                queue.put(word);
            }
            (Slots { queue, in_turn }, outputs)
        },
        // After removal of the only word, the queue is empty.
        words: &|Slots { queue, .. }| {
            let nothing = Node::lit(queue.first.width(), 0);
            queue.words().with("first", nothing.when(queue.count.is_zero().node(), queue.first))
        },
    }
    .prove(proof)?;
    Ok(())
}
