//! The values of registers after a number of moves of the pipeline, as expressions. A proof follows an event
//! from the input register to the answer, without the clocks in which the pipeline stalls.

use crate::slots::{first_of, ring};
use std::collections::{BTreeMap, HashMap};
use weft_nic::part::ring::SLOTS;
use weft_symbolic::{Design, Node, Proof, ProofError, SignalError, Signals, Substitution, Term, variables};
use weft_word::Word;

/// A design that moves in every clock. Values are computed on request, so only the logic that they depend on
/// is computed.
#[derive(Clone)]
pub struct Moves {
    wires: Signals,
    /// Names of the registers by node, and by name the values after a move as expressions over the values
    /// before the move.
    names: HashMap<Node, String>,
    next: BTreeMap<String, Node>,
    known: HashMap<(String, usize), Node>,
    /// Assumptions about ports of parts that are proved alone.
    assumed: Vec<Node>,
}

impl Moves {
    /// `moving` has the values of the inputs and registers that are constant while the design moves.
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

    /// Sets `register` to `value` after a number of moves. Values that are requested for the first time
    /// afterwards no longer depend on the logic that led to the register.
    pub fn set(&mut self, register: &str, moves: usize, value: impl Into<Node>) -> Result<(), SignalError> {
        let (old, value) = (self.next(register)?, value.into());
        if old.width() != value.width() {
            let (asked, actual) = (value.width(), old.width());
            return Err(SignalError::Width { name: register.to_owned(), asked, actual });
        }
        self.known.insert((register.to_owned(), moves), value);
        Ok(())
    }

    /// The value of `register` after a number of moves. The value before the first move is arbitrary.
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

    /// The value of a wire or output after a number of moves.
    pub fn wire(&mut self, name: &str, moves: usize) -> Result<Node, SignalError> {
        let node = self.wires.node(name)?;
        self.over(node, moves)
    }

    /// Sets the output of a `Wait`: the word at its input after `given` moves leaves it `moves` moves later.
    /// The delay at the `Wait`'s port is an [assumption](Self::assumptions_hold).
    pub fn waits(&mut self, wait: &str, given: usize, moves: usize) -> Result<(), SignalError> {
        self.assume(&format!("{wait}.clocks"), given, Node::lit(4, moves as u128))?;
        let word = self.wire(&format!("{wait}.word"), given)?;
        self.set(&format!("{wait}.ram.word"), given + moves, word)
    }

    /// Sets the word in stage 4 of a `Context` after a number of moves to `found`. A `live` event of
    /// connection `id` as the reader is an [assumption](Self::assumptions_hold).
    pub fn finds(
        &mut self,
        context: &str,
        moves: usize,
        (id, live): (Node, Node),
        found: Node,
    ) -> Result<(), SignalError> {
        self.assume(&format!("{context}.in_id"), moves - 3, id)?;
        self.assume(&format!("{context}.in_live"), moves - 3, live)?;
        self.set(&format!("{context}.s4_near1_q"), moves, Node::bit(false))?;
        self.set(&format!("{context}.s4_word_q"), moves, found)
    }

    /// Sets the output of a `Published` after a number of moves to `found`. The method adds an
    /// [assumption](Self::assumptions_hold): the address of the `Published` is the connection `id`.
    pub fn reads(&mut self, published: &str, moves: usize, id: Node, found: Node) -> Result<(), SignalError> {
        self.assume(&format!("{published}.raddr"), moves - 2, id)?;
        self.set(&format!("{published}.s3_same_q"), moves, Node::bit(false))?;
        self.set(&format!("{published}.ram.g_out.out"), moves, found)
    }

    /// Sets the result of a search in a ring of 256 slots, four moves after its inputs, to that of the model.
    pub fn searches(&mut self, find: &str, moves: usize) -> Result<(), SignalError> {
        let (vec, start) =
            (self.wire(&format!("{find}.vec"), moves)?, self.wire(&format!("{find}.start"), moves)?);
        let (found, first) = first_of(vec, start, find);
        self.set(&format!("{find}.s4_found_q"), moves + 4, found)?;
        self.set(&format!("{find}.s4_index_q"), moves + 4, first)
    }

    /// Puts the result of the model in place of a search in a ring above 256 slots, four moves after its inputs. The
    /// result of `find`, which searches the first 256 slots, is an [assumption](Self::assumptions_hold).
    pub fn chooses<const S: usize, const L: usize>(
        &mut self,
        find: &str,
        finds: &str,
        moves: usize,
        results: &mut Substitution,
    ) -> Result<(), SignalError> {
        let [vec, start, from] =
            ["vec", "start", "first_start"].map(|port| self.wire(&format!("{finds}.{port}"), moves));
        let (vec, later) = (vec?, moves + 4);
        let (found, first) = first_of(vec.slice(0, SLOTS as usize), from?, find);
        self.assume(&format!("{finds}.first_found"), later, found)?;
        self.assume(&format!("{finds}.first_index"), later, first)?;
        let (found, index) = ring::<L>(vec).first_from(Term::<S>::of(start?).expect("a slot's number"));
        let any = Term::variable(&format!("{finds}: index of none"));
        // The block may not ask whether there is one.
        if let Ok(some) = self.wire(&format!("{finds}.found"), later) {
            results.replace(some, found.node());
        }
        results.replace(self.wire(&format!("{finds}.index"), later)?, index.when(found, any).node());
        Ok(())
    }

    /// Sets a count of the slots of a ring of 256, four moves after its input, to that of the model.
    pub fn counts(&mut self, count: &str, moves: usize) -> Result<(), SignalError> {
        let vec = self.wire(&format!("{count}.vec"), moves)?;
        self.set(&format!("{count}.sum_q"), moves + 4, ring::<2>(vec).count::<9>())
    }

    /// Sets the output of a RAM with an output register after a number of moves to `found`. The address is an
    /// [assumption](Self::assumptions_hold).
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

    /// Assumes the value of a port of a part after a number of moves.
    fn assume(&mut self, port: &str, moves: usize, value: Node) -> Result<(), SignalError> {
        let carried = self.wire(port, moves)?;
        self.assumed.push(carried.equals(value));
        Ok(())
    }

    /// Adds the claim that the ports of the parts have the values that their proofs assume.
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

    /// An expression over registers and inputs, after a number of moves. CSRs are constant.
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

/// The signal values with which a block moves that has a skid as its output.
pub fn moving() -> Signals {
    Signals::new().with("rst", Node::bit(false)).with("skid.running_q", Node::bit(true))
}
