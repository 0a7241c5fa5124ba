//! The ring pipelines under Verilator compared with plain Rust, their depth, and the gate.

mod common;

use common::Random;
use std::collections::{HashMap, VecDeque};
use std::fmt::Debug;
use std::process::Command;
use verilator_sys::{Build, Instance, Reset};
use weft_hdl::part::ring::{Below, Count, Extent, Find, Hot, Point, Rotate, Span, Store};
use weft_hdl::prelude::Block;
use weft_hdl::{Emitter, Module, Tools, gate};

/// Verilog of a block, which must pass the gate.
fn emit<B: Block + Default>(name: &str) -> Vec<Module> {
    let modules = Emitter::new().emit_new::<B>(name).unwrap_or_else(|e| panic!("{e}"));
    gate(&modules, name, Tools::default()).unwrap_or_else(|e| panic!("{e}"));
    modules
}

/// A ring. Slot i is bit i mod 64 of word i / 64.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Ring([u64; 4]);

impl Debug for Ring {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}_{:016x}_{:016x}_{:016x}", self.0[3], self.0[2], self.0[1], self.0[0])
    }
}

impl Ring {
    const EMPTY: Ring = Ring([0; 4]);
    const FULL: Ring = Ring([u64::MAX; 4]);

    fn of(slots: impl IntoIterator<Item = usize>) -> Ring {
        let mut ring = Ring::EMPTY;
        for slot in slots {
            ring.0[slot / 64] |= 1 << (slot % 64);
        }
        ring
    }

    fn has(&self, slot: usize) -> bool {
        self.0[slot / 64] >> (slot % 64) & 1 == 1
    }

    /// A random ring: empty, full, one bit, one bit missing, sparse, dense or arbitrary.
    fn random(random: &mut Random) -> Ring {
        let kind = random.below(12);
        let slot = random.below(256) as usize;
        let any = |random: &mut Random| Ring([(); 4].map(|()| random.draw()));
        let and = |a: Ring, b: Ring| Ring(std::array::from_fn(|i| a.0[i] & b.0[i]));
        match kind {
            0 => Ring::EMPTY,
            1 => Ring::FULL,
            2 => Ring::of([slot]),
            3 => Ring::of((0..256).filter(|i| *i != slot)),
            4 => Ring::of([slot, random.below(256) as usize]),
            5..8 => (0..5).fold(any(random), |ring, _| and(ring, any(random))),
            8 => Ring((0..5).fold(any(random), |ring, _| and(ring, any(random))).0.map(|word| !word)),
            _ => any(random),
        }
    }
}

/// A model with its ports by name.
struct Dut(Instance);

impl Dut {
    fn new(modules: &[Module], top: &str, seed: u32) -> Dut {
        let build = modules
            .iter()
            .fold(Build::new(top), |build, module| build.text(format!("{}.v", module.name), &module.text));
        let library = build.load().unwrap_or_else(|e| panic!("{e}"));
        Dut(library.instance(Reset::Random(seed)).unwrap())
    }

    fn set(&mut self, port: &str, value: u64) {
        let id = self.0.library().port(port).unwrap().id;
        self.0.set(id, value);
    }

    fn has(&self, port: &str) -> bool {
        self.0.library().port(port).is_ok()
    }

    fn get(&self, port: &str) -> u64 {
        self.0.get(self.0.library().port(port).unwrap().id)
    }

    fn set_ring(&mut self, port: &str, ring: Ring) {
        let id = self.0.library().port(port).unwrap().id;
        self.0.write(id, &ring.0);
    }

    fn ring(&self, port: &str) -> Ring {
        let mut ring = Ring::EMPTY;
        self.0.read(self.0.library().port(port).unwrap().id, &mut ring.0);
        ring
    }

    fn edge(&mut self) {
        for level in [0, 1] {
            self.set("clk", level);
            self.0.eval().unwrap();
        }
    }
}

/// A pipeline: `apply` sets its inputs, and `expect` compares its outputs `clocks` clocks later.
struct Pipeline<I> {
    top: &'static str,
    modules: Vec<Module>,
    clocks: usize,
    apply: fn(&mut Dut, &I),
    expect: fn(&Dut, &I) -> Result<(), String>,
}

impl<I: Debug> Pipeline<I> {
    /// Applies an input in each clock in which the pipeline moves. In one clock of four the pipeline stalls
    /// and must ignore its inputs. A module has its own enable, which it gets a clock ahead, or the module
    /// around it provides the enable.
    fn check(&self, inputs: &[I]) {
        let mut dut = Dut::new(&self.modules, self.top, 1);
        let mut random = Random::new(7);
        let (mut taken, mut compared) = (0, 0);
        let is_ahead = dut.has("next_run");
        if is_ahead {
            dut.set("rst", 1);
            dut.edge();
            dut.set("rst", 0);
        }
        let mut next_run = true;
        while taken < inputs.len() {
            let run = std::mem::replace(&mut next_run, random.below(4) > 0);
            let given = if run { taken } else { random.below(inputs.len() as u64) as usize };
            (self.apply)(&mut dut, &inputs[given]);
            if is_ahead {
                dut.set("next_run", next_run.into());
            } else {
                dut.set("run", run.into());
            }
            dut.edge();
            taken += usize::from(run);
            if taken >= self.clocks {
                let input = &inputs[taken - self.clocks];
                (self.expect)(&dut, input).unwrap_or_else(|e| panic!("{} of {input:x?}: {e}", self.top));
                compared += 1;
            }
        }
        assert!(compared >= inputs.len() - self.clocks);
    }
}

fn same<T: PartialEq + Debug>(got: T, want: T) -> Result<(), String> {
    if got == want { Ok(()) } else { Err(format!("{got:x?}, should be {want:x?}")) }
}

/// Every slot, set and not set.
fn slots<B: Block + Default>(top: &'static str) {
    let inputs: Vec<_> = (0..20_000).map(|i| (i * 77 % 256, i % 3 > 0)).collect();
    Pipeline {
        top,
        modules: emit::<B>(top),
        clocks: 1,
        apply: |dut, (index, en): &(usize, bool)| {
            dut.set("index", *index as u64);
            dut.set("en", (*en).into());
        },
        expect: |dut, (index, en)| same(dut.ring("one"), Ring::of(en.then_some(*index))),
    }
    .check(&inputs);
}

#[test]
fn hot() {
    slots::<Hot>("weft_hot");
}

#[test]
fn point() {
    slots::<Point>("weft_point");
}

/// Every number.
#[test]
fn below() {
    let inputs: Vec<usize> = (0..20_000).map(|i| i * 77 % 256).collect();
    Pipeline {
        top: "weft_below",
        modules: emit::<Below>("weft_below"),
        clocks: 2,
        apply: |dut, index| dut.set("index", *index as u64),
        expect: |dut, index| same(dut.ring("mask"), Ring::of(0..*index)),
    }
    .check(&inputs);
}

/// Every start with every length, in an order in which neighbours differ in both.
fn spans<B: Block + Default>(top: &'static str, clocks: usize) {
    let inputs: Vec<(usize, usize)> =
        (0..256 * 257).map(|i| i * 10_007 % (256 * 257)).map(|i| (i % 256, i / 256)).collect();
    Pipeline {
        top,
        modules: emit::<B>(top),
        clocks,
        apply: |dut, (start, length)| {
            dut.set("start", *start as u64);
            dut.set("length", *length as u64);
        },
        expect: |dut, (start, length)| {
            same(dut.ring("mask"), Ring::of((*start..start + length).map(|slot| slot % 256)))
        },
    }
    .check(&inputs);
}

#[test]
fn span() {
    spans::<Span>("weft_span", 2);
}

#[test]
fn extent() {
    spans::<Extent>("weft_extent", 1);
}

/// Every amount with every single bit, and random rings.
#[test]
fn rotate() {
    let mut random = Random::new(2);
    let mut inputs: Vec<_> = (0..1 << 16).map(|i| (Ring::of([i % 256]), i / 256)).collect();
    inputs.extend((0..50_000).map(|_| (Ring::random(&mut random), random.below(256) as usize)));
    Pipeline {
        top: "weft_rotate",
        modules: emit::<Rotate>("weft_rotate"),
        clocks: 4,
        apply: |dut, (vec, amount)| {
            dut.set_ring("vec", *vec);
            dut.set("amount", *amount as u64);
        },
        expect: |dut, (vec, amount)| {
            let turned = (0..256).filter(|slot| vec.has(*slot)).map(|slot| (slot + amount) % 256);
            same(dut.ring("turned"), Ring::of(turned))
        },
    }
    .check(&inputs);
}

/// Every span that begins at slot 0, every single bit, and random rings.
#[test]
fn count() {
    let mut random = Random::new(3);
    let mut inputs: Vec<_> = (0..=256).map(|length| Ring::of(0..length)).collect();
    inputs.extend((0..256).map(|slot| Ring::of([slot])));
    inputs.extend((0..50_000).map(|_| Ring::random(&mut random)));
    Pipeline {
        top: "weft_count",
        modules: emit::<Count>("weft_count"),
        clocks: 4,
        apply: |dut, vec| dut.set_ring("vec", *vec),
        expect: |dut, vec| same(dut.get("total"), (0..256).filter(|slot| vec.has(*slot)).count() as u64),
    }
    .check(&inputs);
}

/// Every start with every single bit; every start with a full, an empty and random rings.
#[test]
fn find() {
    let mut random = Random::new(4);
    let mut inputs: Vec<_> = (0..1 << 16).map(|i| (Ring::of([i % 256]), i / 256)).collect();
    inputs.extend((0..256).flat_map(|start| [(Ring::EMPTY, start), (Ring::FULL, start)]));
    inputs.extend((0..50_000).map(|_| (Ring::random(&mut random), random.below(256) as usize)));
    Pipeline {
        top: "weft_find",
        modules: emit::<Find>("weft_find"),
        clocks: 4,
        apply: |dut, (vec, start)| {
            dut.set_ring("vec", *vec);
            dut.set("start", *start as u64);
        },
        expect: |dut, (vec, start)| {
            let first = (0..256).map(|i| (start + i) % 256).find(|slot| vec.has(*slot));
            let index = (dut.get("found") == 1).then_some(dut.get("index") as usize);
            same(index, first)
        },
    }
    .check(&inputs);
}

/// An event of [`store`].
#[derive(Clone, Copy)]
struct Event {
    live: bool,
    id: u64,
    mark: Ring,
    clear: Ring,
}

impl Event {
    const NONE: Event = Event { live: false, id: 0, mark: Ring::EMPTY, clear: Ring::EMPTY };

    fn random(random: &mut Random, id: u64) -> Event {
        Event { live: random.below(8) > 0, id, mark: Ring::random(random), clear: Ring::random(random) }
    }

    fn after(&self, prior: Ring) -> Ring {
        Ring(std::array::from_fn(|i| prior.0[i] & !self.clear.0[i] | self.mark.0[i]))
    }
}

/// Connections in turns of one to seven and at random, from registers and a RAM with random contents. The
/// first event of a connection clears its ring. A reset loses the events that have not written.
#[test]
fn store() {
    let modules = emit::<Store<4>>("weft_store");
    // Events by the clocks since the last event of their connection; the last entry is more than five.
    let mut distances = [0; 6];
    let mut compared = 0;
    for seed in 0..4 {
        let mut dut = Dut::new(&modules, "weft_store", seed);
        let mut random = Random::new(seed.into());
        let mut rings: HashMap<u64, Ring> = HashMap::new();
        let mut written: HashMap<u64, Ring> = HashMap::new();
        let mut opened: Vec<u64> = Vec::new();
        // Stages 2 to 5.
        let mut stages = VecDeque::from([Event::NONE; 4]);
        let mut turns = 1;
        let mut next_run = true;
        for clock in 0..20_000 {
            let rst = clock < 3 || random.below(2000) == 0;
            let run = std::mem::replace(&mut next_run, rst || random.below(4) > 0);
            if random.below(40) == 0 {
                turns = random.below(8);
            }
            let id = if turns == 7 { random.below(16) } else { clock % (turns + 1) };
            let mut event = Event::random(&mut random, id);
            if run && event.live && !opened.contains(&id) {
                opened.push(id);
                event.clear = Ring::FULL;
            }
            // A clock that does not move must ignore the bits.
            let fourth = if run { stages[2] } else { Event::random(&mut random, 0) };
            dut.set("rst", rst.into());
            // A reset enables the move in any case.
            dut.set("next_run", (next_run && (!rst || random.below(2) > 0)).into());
            dut.set("in_live", event.live.into());
            dut.set("in_id", event.id);
            dut.set_ring("mark", fourth.mark);
            dut.set_ring("clear", fourth.clear);
            dut.set("clk", 0);
            dut.0.eval().unwrap();
            if stages[2].live
                && let Some(ring) = rings.get(&stages[2].id)
            {
                assert_eq!(dut.ring("prior"), *ring, "seed {seed} clock {clock}");
                compared += 1;
            }
            dut.edge();

            if run && stages[3].live {
                written.insert(stages[3].id, rings[&stages[3].id]);
            }
            if rst {
                rings = written.clone();
                opened = written.keys().copied().collect();
                stages = VecDeque::from([Event::NONE; 4]);
            } else if run {
                if event.live {
                    let earlier = stages.iter().position(|stage| stage.live && stage.id == id);
                    distances[earlier.map_or(5, |place| place + 1)] += 1;
                }
                stages.push_front(event);
                stages.pop_back();
                let fifth = &stages[3];
                if fifth.live {
                    let prior = rings.get(&fifth.id).copied().unwrap_or(Ring::EMPTY);
                    rings.insert(fifth.id, fifth.after(prior));
                }
            }
            if stages[3].live {
                assert_eq!(dut.ring("after"), rings[&stages[3].id], "seed {seed} clock {clock}");
            }
        }
    }
    assert!(compared > 30_000, "{compared}");
    assert!(distances[1..].iter().all(|events| *events > 2000), "{distances:?}");
}

/// Levels of six-input LUTs between registers; carries and wide choices are also made of LUTs.
#[test]
fn depth() {
    fn levels<B: Block + Default>(name: &str) -> usize {
        let dir = tempfile::tempdir().unwrap();
        let mut script = String::new();
        for module in Emitter::new().emit_new::<B>(name).unwrap() {
            let file = dir.path().join(format!("{}.v", module.name));
            std::fs::write(&file, module.text).unwrap();
            script += &format!("read_verilog {}; ", file.display());
        }
        script += &format!("synth -flatten -lut 6 -top {name}; ltp -noff");
        let output = Command::new("yosys").args(["-p", &script]).output().expect("apt-get install yosys");
        let text = String::from_utf8_lossy(&output.stdout);
        let (_, length) = text.split_once("Longest topological path").expect("ltp");
        let (_, length) = length.split_once("(length=").expect("ltp");
        length.split_once(')').expect("ltp").0.parse().expect("ltp")
    }
    let measured = [
        levels::<Hot>("weft_hot"),
        levels::<Below>("weft_below"),
        levels::<Span>("weft_span"),
        levels::<Rotate>("weft_rotate"),
        levels::<Count>("weft_count"),
        levels::<Find>("weft_find"),
        levels::<Store<2>>("weft_store"),
    ];
    let bounds = [2, 1, 4, 1, 4, 4, 2];
    assert!(
        measured.iter().zip(&bounds).all(|(levels, bound)| levels <= bound),
        "{measured:?}, not {bounds:?}"
    );
}
