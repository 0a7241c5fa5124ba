//! What registers hold after so many moves of the pipeline, as expressions: an event is followed from
//! the input register to the answer, without the clocks in which the pipeline stands.

use std::collections::{BTreeMap, HashMap};
use weft_symbolic::{Design, Node, Proof, ProofError, SignalError, Signals, Substitution, variables};

/// A design that moves in every clock. Values are found when asked for, so only what they depend on
/// is ever looked at.
#[derive(Clone)]
pub struct Moves {
    wires: Signals,
    /// By register, its name; by name, its value after a move over values before it.
    names: HashMap<Node, String>,
    next: BTreeMap<String, Node>,
    known: HashMap<(String, usize), Node>,
    /// What the proofs of parts that are cut off assume of their ports.
    assumed: Vec<Node>,
}

impl Moves {
    /// `moving` are the inputs and registers that are the same in every clock in which it moves.
    pub fn new(design: &Design, moving: &Signals) -> Result<Self, SignalError> {
        let moving = design.feed(moving)?;
        let mut wires = design.wires.clone();
        wires.extend(&design.outputs);
        let names = design.states.iter().map(|(name, state)| (state.node, name.clone())).collect();
        Ok(Self {
            wires: moving.apply_to(&wires),
            names,
            next: moving
                .apply_to(&design.next())
                .iter()
                .map(|(name, node)| (name.to_owned(), node))
                .collect(),
            known: HashMap::new(),
            assumed: Vec::new(),
        })
    }

    /// `register` holds `value` after so many moves: what led to it is cut off from all that is asked for
    /// the first time from here on.
    pub fn set(&mut self, register: &str, moves: usize, value: impl Into<Node>) -> Result<(), SignalError> {
        let (old, value) = (self.next(register)?, value.into());
        if old.width() != value.width() {
            let (asked, actual) = (value.width(), old.width());
            return Err(SignalError::Width { name: register.to_owned(), asked, actual });
        }
        self.known.insert((register.to_owned(), moves), value);
        Ok(())
    }

    /// What `register` holds after so many moves. Before the first, it may be anything.
    pub fn at(&mut self, register: &str, moves: usize) -> Result<Node, SignalError> {
        let key = (register.to_owned(), moves);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let next = self.next(register)?;
        let value = match moves {
            0 => Node::variable(&format!("{register} at first"), next.width()),
            _ => self.over(next, moves - 1)?,
        };
        self.known.insert(key, value);
        Ok(value)
    }

    /// What a wire or output carries after so many moves.
    pub fn wire(&mut self, name: &str, moves: usize) -> Result<Node, SignalError> {
        let node = self.wires.node(name)?;
        self.over(node, moves)
    }

    /// What the `Wait` of this name is given after `given` moves comes out so many later. That it is told so is
    /// [assumed](Self::assumptions_hold).
    pub fn waits(&mut self, wait: &str, given: usize, moves: usize) -> Result<(), SignalError> {
        self.assume(&format!("{wait}.clocks"), given, Node::lit(4, moves as u128))?;
        let word = self.wire(&format!("{wait}.word"), given)?;
        self.set(&format!("{wait}.ram.word"), given + moves, word)
    }

    /// After so many moves, stage 4 of the `Context` of this name has `found`. That it was asked for the connection `id`,
    /// by an event that is `live`, is [assumed](Self::assumptions_hold).
    pub fn finds(
        &mut self,
        context: &str,
        moves: usize,
        (id, live): (Node, Node),
        found: Node,
    ) -> Result<(), SignalError> {
        self.assume(&format!("{context}.in_id"), moves - 3, id)?;
        self.assume(&format!("{context}.in_live"), moves - 3, live)?;
        self.set(&format!("{context}.s4_near1.q"), moves, Node::bit(false))?;
        self.set(&format!("{context}.s4_word.q"), moves, found)
    }

    /// After so many moves, the `Published` of this name shows `found`. That it was asked for the connection `id` is
    /// [assumed](Self::assumptions_hold).
    pub fn reads(&mut self, published: &str, moves: usize, id: Node, found: Node) -> Result<(), SignalError> {
        self.assume(&format!("{published}.raddr"), moves - 2, id)?;
        self.set(&format!("{published}.s3_same.q"), moves, Node::bit(false))?;
        self.set(&format!("{published}.ram.g_out.out"), moves, found)
    }

    /// After so many moves, the RAM of this name, with an output register, shows `found`. That it was asked for that
    /// address is [assumed](Self::assumptions_hold).
    pub fn fetches(
        &mut self,
        ram: &str,
        moves: usize,
        address: Node,
        found: Node,
    ) -> Result<(), SignalError> {
        self.assume(&format!("{ram}.raddr"), moves - 2, address)?;
        self.set(&format!("{ram}.g_out.out"), moves, found)
    }

    /// A port of a part that is cut off carries this after so many moves.
    fn assume(&mut self, port: &str, moves: usize, value: Node) -> Result<(), SignalError> {
        let carried = self.wire(port, moves)?;
        self.assumed.push(carried.equals(value));
        Ok(())
    }

    /// The claim that the ports of parts that are cut off carry what their proofs assume.
    pub fn assumptions_hold(&self, proof: &mut Proof) -> Result<(), ProofError> {
        let ports = Node::all(self.assumed.iter().copied());
        proof.claim(
            "words are read of the event's connection, and a word that only waits does so for as long as is said",
            &[],
            ports,
        )?;
        Ok(())
    }

    fn next(&self, register: &str) -> Result<Node, SignalError> {
        self.next.get(register).copied().ok_or_else(|| SignalError::Missing {
            name: register.to_owned(),
            known: self.next.keys().cloned().collect(),
        })
    }

    /// An expression over registers and inputs, after so many moves. CSRs are the same in every clock.
    fn over(&mut self, node: Node, moves: usize) -> Result<Node, SignalError> {
        let mut values = Substitution::new();
        for variable in variables([node]) {
            if let Some(register) = self.names.get(&variable).cloned() {
                values.replace(variable, self.at(&register, moves)?);
            } else if let Some(name) = variable.name().filter(|name| !name.contains(".cfg_")) {
                values.replace(variable, Node::variable(&format!("@{moves}.{name}"), variable.width()));
            }
        }
        Ok(values.apply([node])[0])
    }
}

/// What lets a block move whose output is a skid.
pub fn moving() -> Signals {
    Signals::new().with("rst", Node::bit(false)).with("skid.running.q", Node::bit(true))
}
