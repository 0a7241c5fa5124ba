//! And-inverter graph: every function as two-input ANDs and inverters, equal gates shared.

use std::collections::HashMap;

/// A wire or its complement: twice the gate's number, plus 1 when inverted.
pub(crate) type Lit = u32;

pub(crate) const FALSE: Lit = 0;
pub(crate) const TRUE: Lit = 1;

pub(crate) fn not(a: Lit) -> Lit {
    a ^ 1
}

pub(crate) fn gate_of(a: Lit) -> usize {
    (a >> 1) as usize
}

/// Gate 0 is the constant FALSE; a gate with inputs is an AND; all other gates are free.
pub(crate) struct Aig {
    gates: Vec<Option<(Lit, Lit)>>,
    index: HashMap<(Lit, Lit), Lit>,
}

impl Aig {
    pub(crate) fn new() -> Self {
        Self { gates: vec![None], index: HashMap::new() }
    }

    fn push(&mut self, gate: Option<(Lit, Lit)>) -> Lit {
        let id = Lit::try_from(self.gates.len()).ok().filter(|&id| id <= Lit::MAX >> 1);
        self.gates.push(gate);
        id.expect("an AIG has fewer than 2^31 gates") << 1
    }

    pub(crate) fn input(&mut self) -> Lit {
        self.push(None)
    }

    /// The inputs of an AND gate; `None` for the constant and for free gates.
    pub(crate) fn inputs(&self, gate: usize) -> Option<(Lit, Lit)> {
        self.gates[gate]
    }

    pub(crate) fn len(&self) -> usize {
        self.gates.len()
    }

    pub(crate) fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = (a.min(b), a.max(b));
        match (a, b) {
            (FALSE, _) => FALSE,
            (TRUE, b) => b,
            _ if a == b => a,
            _ if a == not(b) => FALSE,
            key => match self.index.get(&key) {
                Some(&gate) => gate,
                None => {
                    let gate = self.push(Some(key));
                    self.index.insert(key, gate);
                    gate
                }
            },
        }
    }

    pub(crate) fn or(&mut self, a: Lit, b: Lit) -> Lit {
        not(self.and(not(a), not(b)))
    }

    pub(crate) fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let both = self.and(a, b);
        let neither = self.and(not(a), not(b));
        self.and(not(both), not(neither))
    }

    pub(crate) fn mux(&mut self, condition: Lit, then: Lit, otherwise: Lit) -> Lit {
        let a = self.and(condition, then);
        let b = self.and(not(condition), otherwise);
        self.or(a, b)
    }

    /// The gates that `roots` need, inputs before their users.
    pub(crate) fn cone(&self, roots: impl IntoIterator<Item = Lit>) -> Vec<usize> {
        let mut seen = vec![false; self.len()];
        let mut open: Vec<usize> = roots.into_iter().map(gate_of).collect();
        while let Some(gate) = open.pop() {
            if !std::mem::replace(&mut seen[gate], true)
                && let Some((a, b)) = self.gates[gate]
            {
                open.extend([gate_of(a), gate_of(b)]);
            }
        }
        (0..self.len()).filter(|&gate| seen[gate]).collect()
    }
}
