//! A program at work.

use super::field::{Field, Phv, Role, mask};
use super::op::{Kind, MOST_KEYS, Op};
use super::program::Program;
use super::shape::{Array, Gress, Selector, Table};
use std::collections::BTreeMap;
use std::sync::Arc;
use weft_random::Rng;

/// Bytes that wait at each port.
pub type Load = [u32];

/// The state of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Register arrays.
    arrays: Vec<Vec<u64>>,
    /// Entries of tables: keys to data.
    tables: Vec<BTreeMap<Vec<u64>, Vec<u64>>>,
    /// Groups.
    groups: Vec<Vec<Vec<u64>>>,
    /// Random generators.
    generators: Vec<Rng>,
}

/// A program with its state: runs packets through stages.
#[derive(Clone, Debug)]
pub struct Pipe {
    program: Arc<Program>,
    state: State,
    clocks_per_tick: u64,
}

impl Pipe {
    /// A program at its start. `clocks_per_tick` is the unit of [`super::intrinsic::TICK`].
    pub fn new(program: Arc<Program>, clocks_per_tick: u64, seed: u64) -> Self {
        let state = State {
            arrays: program.arrays.iter().map(|shape| vec![shape.initial; shape.cells]).collect(),
            tables: vec![BTreeMap::new(); program.tables.len()],
            groups: program.selectors.iter().map(|shape| vec![Vec::new(); shape.groups]).collect(),
            generators: (0..program.generators as u64).map(|at| Rng::of(&[seed, at])).collect(),
        };
        Self { program, state, clocks_per_tick: clocks_per_tick.max(1) }
    }

    /// The program.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// The state of the program.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Clocks of a tick.
    pub fn clocks_per_tick(&self) -> u64 {
        self.clocks_per_tick
    }

    /// A header vector, all 0.
    pub fn phv(&self) -> Phv {
        Phv(vec![0; self.program.shapes.len()])
    }

    /// Whether ingress operations read the bytes that wait at the ports.
    pub fn needs_load(&self) -> bool {
        self.program.needs_load
    }

    /// Clears the fields that are not passed on to the next pass: requests to the hardware, and the program's
    /// own fields except the carried ones. With `all` (a packet from a port) also clears the carried fields.
    pub fn forget(&self, phv: &mut Phv, all: bool) {
        for (value, shape) in phv.0.iter_mut().zip(&self.program.shapes) {
            let gone = match shape.role {
                Role::Own | Role::Asked => true,
                Role::Carried => all,
                Role::Given | Role::Header => false,
            };
            if gone {
                *value = 0;
            }
        }
    }

    /// Clears the requests to the hardware, before the egress stages.
    pub fn ask_anew(&self, phv: &mut Phv) {
        for (value, shape) in phv.0.iter_mut().zip(&self.program.shapes) {
            if shape.role == Role::Asked {
                *value = 0;
            }
        }
    }

    /// Runs all stages of one half.
    pub fn run(&mut self, gress: Gress, phv: &mut Phv, load: &Load) {
        for stage in 0..self.program.depth(gress) {
            self.stage(gress, stage, phv, load);
        }
    }

    /// Runs one stage; a missing stage has no effect.
    pub fn stage(&mut self, gress: Gress, stage: usize, phv: &mut Phv, load: &Load) {
        let Self { program, state, .. } = self;
        if let Some(ops) = program.half(gress).get(stage) {
            // Each operation reads only fields that the stage's other operations leave unchanged, so running
            // them in turn equals running them side by side.
            for op in ops {
                if op.guard.holds(phv) {
                    state.apply(program, op, phv, load);
                }
            }
        }
    }

    /// Puts an entry into a table, as the control plane does. `false`: the table is full, or the number of
    /// values in key or data is wrong.
    pub fn insert(&mut self, table: Table, key: &[u64], data: &[u64]) -> bool {
        let at = usize::from(table.0);
        let (entries, shape) = (&mut self.state.tables[at], &self.program.tables[at]);
        let fits =
            data.len() == shape.data.len() && (entries.len() < shape.entries || entries.contains_key(key));
        if fits {
            entries.insert(key.to_vec(), data.to_vec());
        }
        fits
    }

    /// Removes an entry.
    pub fn remove(&mut self, table: Table, key: &[u64]) {
        self.state.tables[usize::from(table.0)].remove(key);
    }

    /// Entries of a table.
    pub fn entries(&self, table: Table) -> usize {
        self.state.tables[usize::from(table.0)].len()
    }

    /// Sets the members of a group. Returns `false` if there is no such group, or if there are too many
    /// members.
    pub fn set_group(&mut self, selector: Selector, group: usize, members: &[u64]) -> bool {
        let at = usize::from(selector.0);
        let fits = members.len() <= self.program.selectors[at].members;
        match self.state.groups[at].get_mut(group).filter(|_| fits) {
            Some(place) => {
                *place = members.to_vec();
                true
            }
            None => false,
        }
    }

    /// A cell of an array, the index modulo the cells.
    pub fn cell(&self, array: Array, index: u64) -> u64 {
        let cells = &self.state.arrays[usize::from(array.0)];
        cells[(index % cells.len() as u64) as usize]
    }

    /// Sets a cell, as the control plane can; the cell keeps the lowest bits that fit.
    pub fn set_cell(&mut self, array: Array, index: u64, value: u64) {
        let at = usize::from(array.0);
        let cells = &mut self.state.arrays[at];
        let index = (index % cells.len() as u64) as usize;
        cells[index] = value & mask(self.program.arrays[at].bits);
    }
}

impl State {
    fn apply(&mut self, program: &Program, op: &Op, phv: &mut Phv, load: &Load) {
        let set = |phv: &mut Phv, field: Field, value: u64| {
            phv[field] = value & mask(program.shapes[usize::from(field.0)].bits);
        };
        match &op.kind {
            Kind::Alu(apply) => apply(phv),
            Kind::Register { array, index, apply } => {
                let cells = &mut self.arrays[*array];
                let at = (phv[*index] % cells.len() as u64) as usize;
                apply(&mut cells[at], phv);
            }
            Kind::Exact { table, keys, hit } => {
                let mut values = [0; MOST_KEYS];
                values.iter_mut().zip(keys).for_each(|(value, key)| *value = phv[*key]);
                let entry = self.tables[*table].get(&values[..keys.len()]);
                set(phv, *hit, entry.is_some().into());
                for (at, (field, default)) in program.tables[*table].data.iter().enumerate() {
                    set(phv, *field, entry.map_or(*default, |data| data[at]));
                }
            }
            Kind::Select { selector, group, value, bits, write } => {
                let members = members(&self.groups[*selector], phv[*group]);
                let at = (u128::from(phv[*value]) * members.len() as u128) >> bits;
                let member = members.get(at as usize).copied().unwrap_or(0);
                set(phv, *write, member);
            }
            Kind::Choose { selector, memory, group, write, apply } => {
                let members = members(&self.groups[*selector], phv[*group]);
                let cells = memory.map(|array| &mut self.arrays[array]);
                let cell = cells.and_then(|cells| cells.get_mut(phv[*group] as usize));
                let (mut none, mask) = (0, memory.map_or(0, |array| mask(program.arrays[array].bits)));
                let cell = cell.unwrap_or(&mut none);
                let bytes = |port: u64| load.get(port as usize).copied().unwrap_or(0);
                let loaded: Vec<(u64, u32)> = members.iter().map(|port| (*port, bytes(*port))).collect();
                let at = if loaded.is_empty() { 0 } else { apply(cell, &loaded, phv) };
                *cell &= mask;
                let member = members.get(at).copied().unwrap_or(0);
                set(phv, *write, member);
            }
            Kind::Hash { reads, write, seed } => {
                let bits = program.shapes[usize::from(write.0)].bits.min(32);
                let value = hash(*seed, reads.iter().map(|field| phv[*field]));
                set(phv, *write, u64::from(value >> (32 - bits)));
            }
            Kind::Random { generator, write } => {
                let bits = program.shapes[usize::from(write.0)].bits.min(32);
                set(phv, *write, self.generators[*generator].draw() >> (64 - bits));
            }
        }
    }
}

/// The members of a group; a missing group is empty.
fn members(groups: &[Vec<u64>], group: u64) -> &[u64] {
    usize::try_from(group).ok().and_then(|group| groups.get(group)).map_or(&[], |it| it)
}

/// CRC-32 of a seed and values (big-endian), with its bits mixed. Hardware uses another polynomial for each
/// purpose. This function uses another seed.
pub fn hash(seed: u32, values: impl Iterator<Item = u64>) -> u32 {
    let mut crc = crc32fast::Hasher::new();
    crc.update(&seed.to_be_bytes());
    values.for_each(|value| crc.update(&value.to_be_bytes()));
    mixed(crc.finalize())
}

/// The bits of a CRC, mixed. A CRC is linear: two seeds would give values that differ by a constant.
#[inline]
pub fn mixed(crc: u32) -> u32 {
    let mixed = (crc ^ (crc >> 16)).wrapping_mul(0x85EB_CA6B);
    (mixed ^ (mixed >> 13)).wrapping_mul(0xC2B2_AE35)
}
