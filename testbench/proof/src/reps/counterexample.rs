//! Counterexamples as files, and their replay under Verilator.
//!
//! A file includes the Verilog to which it applies, so a replay always has the same result. A claim about the
//! step fails on one event. The replay runs the decoder and the core on this control word and event, even if
//! no events lead to this state. A claim about the pipeline fails in a state: the file has a run from reset
//! that lockstep found and shortened.

use super::step::Step;
use crate::Error;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use verilator_sys::{Build, Library, Reset};
use weft_bench::{Block, Driver, Mismatch, Rtl, Subject, build, lockstep};
use weft_blocks::reps::Dut;
use weft_hdl::emit::Module;
use weft_nic::block::reps::{Action, Clocked, Control, Csr, Inputs, LATENCY, Outputs, Stimulus, step_with};
use weft_params::{EvMode, RepsCsr, RepsParams};
use weft_symbolic::{Assignment, Node};
use weft_word::{Bits, Concrete, Word};

/// A counterexample of a claim.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Counterexample {
    /// The block.
    pub block: String,
    /// The claim.
    pub claim: String,
    /// The block's shape.
    pub params: RepsParams,
    /// The CSRs.
    pub csr: RepsCsr,
    /// The event or the run.
    pub case: Case,
    /// The Verilog that differs from the model, by module.
    pub verilog: BTreeMap<String, String>,
}

/// One event, or a run from reset.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Case {
    /// One event on one control word.
    Event(EventCase),
    /// Clocks after reset and sweep.
    Run(Vec<ClockCase>),
}

/// One event on one control word, without the pipeline.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EventCase {
    /// The control word before the event, as the RTL stores it.
    pub control: u64,
    /// Fields of the control word.
    pub before: Values,
    /// Code of the event's kind.
    pub kind: u8,
    /// The ECN mark.
    pub ecn: bool,
    /// The round-trip time.
    pub rtt_ticks: u16,
    /// The time.
    pub now_ticks: u32,
    /// The result of the time comparison.
    pub elapsed: bool,
    /// The result of the model.
    pub expected: Values,
    /// The result of the Verilog in the proof.
    pub got: Values,
}

/// The ports during a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockCase {
    /// `now`
    pub now: u32,
    /// `s_axis_event_tvalid`
    pub valid: bool,
    /// `s_axis_event_tid`
    pub id: u32,
    /// `s_axis_event_tdata`
    pub data: u32,
    /// `s_axis_event_tuser`
    pub user: u8,
    /// `m_axis_decision_tready`
    pub ready: bool,
}

/// Numbers by name.
pub type Values = BTreeMap<String, u64>;

/// The result of a replay under Verilator.
#[derive(Clone, Debug, Serialize)]
pub struct Shown {
    /// The text that names the modules of the run.
    pub what: String,
    /// The differences, one per line. Empty if the Verilog agrees with the model.
    pub differences: Vec<String>,
}

impl Counterexample {
    fn new(claim: &str, params: RepsParams, csr: RepsCsr, case: Case, modules: &[Module]) -> Self {
        let verilog = modules.iter().map(|module| (module.name.clone(), module.text.clone())).collect();
        Self { block: "reps".into(), claim: claim.into(), params, csr, case, verilog }
    }

    /// The event at which a claim about `step` fails.
    pub fn event(
        claim: &str,
        step: &Step,
        found: &Assignment,
        params: RepsParams,
        modules: &[Module],
    ) -> Result<Self, Error> {
        let number = |node: Node| found.eval(node).to_u128().unwrap_or_default() as u64;
        let csr = RepsCsr {
            mode: MODES[number(step.csr.mode.node()) as usize & 3],
            freeze_timeout_ticks: number(step.csr.freeze_timeout.node()) as u32,
            bdp_packets: number(step.csr.bdp_packets.node()) as u32,
            trimming: number(step.csr.trimming.node()) == 1,
            thaw_reset: number(step.csr.thaw_reset.node()) == 1,
            rtt_high_ticks: number(step.csr.rtt_high.node()) as u32,
            rtt_window_ticks: number(step.csr.rtt_window.node()) as u32,
            ..RepsCsr::for_params(&params)
        };
        let control = number(step.word);
        let mut case = EventCase {
            control,
            before: control_values(&control_of(control, params.depth)),
            kind: number(step.stimulus.kind.node()) as u8,
            ecn: number(step.stimulus.ecn.node()) == 1,
            rtt_ticks: number(step.stimulus.rtt.node()) as u16,
            now_ticks: number(step.stimulus.now.node()) as u32,
            elapsed: number(step.elapsed.node()) == 1,
            expected: Values::new(),
            got: step.rtl()?.iter().map(|(name, node)| (name.to_owned(), number(node))).collect(),
        };
        case.expected = case.model(&params, &csr);
        Ok(Self::new(claim, params, csr, Case::Event(case), modules))
    }

    /// A run from reset in which model and RTL differ, shortened by removal of clocks. `None` if random runs
    /// show no difference.
    pub fn run(claim: &str, params: RepsParams, modules: &[Module]) -> Result<Option<Self>, Error> {
        let library = build(Dut::TOP, modules).load()?;
        let mut found: Vec<(RepsCsr, Vec<ClockCase>)> = Vec::new();
        for seed in 0..SEEDS {
            let mut recorder = Recorder { inner: Dut::driver(&params, seed, CLOCKS), clocks: Vec::new() };
            let mut model = Clocked::new(params, RepsCsr::for_params(&params));
            let mut rtl = Rtl::<Dut>::new(&library, Reset::Random(1))?;
            if lockstep::run(&mut model, &mut rtl, &mut recorder, &mut ())?.mismatch.is_some() {
                let csr = *recorder.csr();
                let clocks = shortened(recorder.clocks, &library, params, csr)?;
                found.extend((!clocks.is_empty()).then_some((csr, clocks)));
            }
            if found.len() == RUNS {
                break;
            }
        }
        let shortest = found.into_iter().min_by_key(|(_, clocks)| clocks.len());
        Ok(shortest.map(|(csr, clocks)| Self::new(claim, params, csr, Case::Run(clocks), modules)))
    }

    /// Runs the counterexample under Verilator and compares the result with the present model.
    pub fn replay(&self) -> Result<Shown, Error> {
        self.params.check()?;
        let modules: Vec<Module> = self
            .verilog
            .iter()
            .map(|(name, text)| Module {
                name: name.clone(),
                text: text.clone(),
                floor: weft_hdl::Floor::Block,
            })
            .collect();
        match &self.case {
            Case::Event(event) => event.replay(&self.params, &self.csr, &modules),
            Case::Run(clocks) => {
                let library = build(Dut::TOP, &modules).load()?;
                let mismatch = script(clocks, &library, self.params, self.csr)?;
                let events = clocks.iter().filter(|clock| clock.valid).count();
                Ok(Shown {
                    what: format!("weft_reps from reset, {events} events in {} clocks", clocks.len()),
                    differences: mismatch.iter().map(Mismatch::to_string).collect(),
                })
            }
        }
    }
}

const MODES: [EvMode; 4] = [EvMode::Reps, EvMode::Ops, EvMode::Fixed, EvMode::Reps2024];

/// Reads the fields of a control word, see `hdl/src/block/reps/core.rs`.
fn control_of(word: u64, depth: u32) -> Control<Concrete> {
    let width = |node: Node| node.value().and_then(|value| value.to_u128()).unwrap_or_default();
    // The shared description of the layout also reads constants.
    let constant = Node::lit(super::words::control_width(depth), word.into());
    let fields = super::words::control(constant, depth);
    Control {
        open: Bits::lit(width(fields.open.node())),
        frozen: Bits::lit(width(fields.frozen.node())),
        high: Bits::lit(width(fields.high.node())),
        head: Bits::lit(width(fields.head.node())),
        valid: Bits::lit(width(fields.valid.node())),
        written: Bits::lit(width(fields.written.node())),
        explore: Bits::lit(width(fields.explore.node())),
        time: Bits::lit(width(fields.time.node())),
    }
}

fn control_values(control: &Control<Concrete>) -> Values {
    [
        ("open", control.open.value()),
        ("frozen", control.frozen.value()),
        ("high", control.high.value()),
        ("head", control.head.value()),
        ("valid", control.valid.value()),
        ("written", control.written.value()),
        ("explore", control.explore.value()),
        ("time", control.time.value()),
    ]
    .map(|(name, value)| (name.to_owned(), value as u64))
    .into()
}

fn result_values(control: &Control<Concrete>, action: &Action<Concrete>) -> Values {
    let slot = if (action.read | action.write).decide() { action.slot.value() } else { 0 };
    let entropy = if action.indexed.decide() { action.entropy.value() } else { 0 };
    let mut values = control_values(control);
    let rest = [
        ("accepted", action.accepted.value()),
        ("source", action.source.value()),
        ("is_frozen", action.frozen.value()),
        ("turned", action.turned.value()),
        ("read", action.read.value()),
        ("write", action.write.value()),
        ("slot", slot),
        ("draw", action.draw.value()),
        ("indexed", action.indexed.value()),
        ("entropy", entropy),
    ];
    values.extend(rest.map(|(name, value)| (name.to_owned(), value as u64)));
    values
}

/// Decoder and core, connected as in `weft_reps_control`.
const HARNESS: &str = "
module weft_reps_step (
    input wire [KK:0] control, input wire [2:0] kind, input wire [1:0] mode, input wire ecn,
    input wire rtt_is_high, input wire elapsed, input wire [31:0] now, input wire [7:0] bdp_packets,
    input wire trimming, input wire thaw_reset,
    output wire [KK:0] next_control, output wire accepted, output wire [1:0] source, output wire is_frozen,
    output wire turned, output wire touched, output wire read, output wire write, output wire [SS:0] slot,
    output wire draw, output wire indexed, output wire [7:0] entropy);
    wire [11:0] op;
    weft_reps_control_decode decode(.live(1'b1), .kind(kind), .mode(mode), .op(op));
    weft_reps_control_core core(.control(control), .exploring(|control[10:3]), .op(op), .ecn(ecn), .rtt_is_high(rtt_is_high),
        .elapsed(elapsed), .now(now), .bdp_packets(bdp_packets), .trimming(trimming),
        .thaw_reset(thaw_reset), .mode_2024(mode == 2'd3), .next_open(next_control[0]),
        .next_frozen(next_control[1]), .next_high(next_control[2]), .next_explore(next_control[10:3]),
        .next_low(next_control[18:11]), .next_middle(next_control[26:19]), .next_top(next_control[42:27]),
        .next_head(next_control[43+:SS+1]), .next_tail(next_control[44+SS+:SS+1]),
        .next_some(next_control[45+2*SS]), .next_written(next_control[46+2*SS+:SS+2]),
        .accepted(accepted), .source(source), .is_frozen(is_frozen), .turned(turned), .touched(touched),
        .read(read), .write(write), .slot(slot), .draw(draw), .indexed(indexed), .entropy(entropy));
endmodule
";

impl EventCase {
    fn model(&self, params: &RepsParams, csr: &RepsCsr) -> Values {
        let stimulus = Stimulus {
            kind: Bits::lit(self.kind.into()),
            ecn: Bits::lit(self.ecn.into()),
            rtt: Bits::lit(self.rtt_ticks.into()),
            now: Bits::lit(self.now_ticks.into()),
        };
        let control = control_of(self.control, params.depth);
        let elapsed = Bits::lit(self.elapsed.into());
        let (after, action) =
            step_with::<Concrete>(params.depth, &Csr::from(csr), control, &stimulus, elapsed);
        result_values(&after, &action)
    }

    fn replay(&self, params: &RepsParams, csr: &RepsCsr, modules: &[Module]) -> Result<Shown, Error> {
        let harness = HARNESS
            .replace("KK", &(super::words::control_width(params.depth) - 1).to_string())
            .replace("SS", &(params.slot_width() - 1).to_string());
        // Mutants by yosys do not pass lint.
        let step = Build::new("weft_reps_step").argument("-Wno-fatal").text("weft_reps_step.v", harness);
        let library = modules
            .iter()
            .filter(|module| {
                ["weft_reps_control_decode", "weft_reps_control_core"].contains(&&module.name[..])
            })
            .fold(step, |build, module| build.text(format!("{}.v", module.name), &module.text))
            .load()?;
        let mut dut = library.instance(Reset::Zeros)?;
        for (port, value) in [
            ("control", self.control),
            ("kind", self.kind.into()),
            ("mode", csr.mode as u64),
            ("ecn", self.ecn.into()),
            ("rtt_is_high", (u32::from(self.rtt_ticks) >= csr.rtt_high_ticks).into()),
            ("elapsed", self.elapsed.into()),
            ("now", self.now_ticks.into()),
            ("bdp_packets", csr.bdp_packets.min(255).into()),
            ("trimming", csr.trimming.into()),
            ("thaw_reset", csr.thaw_reset.into()),
        ] {
            dut.set(library.port(port)?.id, value);
        }
        dut.eval()?;
        let get = |name: &str| Ok::<_, Error>(dut.get(library.port(name)?.id));
        let after = control_of(get("next_control")?, params.depth);
        let action = Action {
            accepted: Bits::truncated(get("accepted")?.into()),
            source: Bits::truncated(get("source")?.into()),
            frozen: Bits::truncated(get("is_frozen")?.into()),
            turned: Bits::truncated(get("turned")?.into()),
            read: Bits::truncated(get("read")?.into()),
            write: Bits::truncated(get("write")?.into()),
            slot: Bits::truncated(get("slot")?.into()),
            draw: Bits::truncated(get("draw")?.into()),
            indexed: Bits::truncated(get("indexed")?.into()),
            entropy: Bits::truncated(get("entropy")?.into()),
        };
        let (expected, got) = (self.model(params, csr), result_values(&after, &action));
        let mut differences: Vec<String> = expected
            .iter()
            .filter(|(name, value)| got[*name] != **value)
            .map(|(name, value)| format!("{name}: model {value:#x}, RTL {:#x}", got[name]))
            .collect();
        let touched = get("touched")? == 1;
        let now = after.time.value() == u128::from(self.now_ticks);
        let same = after.time.value() == u128::from(self.before["time"]);
        let matters = csr.mode == EvMode::Reps && (after.frozen | after.high).decide();
        if touched && !now || !touched && matters && !same {
            differences.push(format!(
                "touched: RTL {}, time {:#x} after the event",
                u8::from(touched),
                after.time.value()
            ));
        }
        Ok(Shown { what: "decoder and core of weft_reps on one event".into(), differences })
    }
}

/// Number of random runs to try, number of differing runs that are enough, and clocks of each run, all within
/// one configuration.
const SEEDS: u64 = 20;
const RUNS: usize = 5;
const CLOCKS: u64 = 15_000;

/// Passes a driver on and records its inputs since the last reset.
struct Recorder {
    inner: <Dut as Subject>::Driver,
    clocks: Vec<ClockCase>,
}

impl Driver<Dut> for Recorder {
    fn next(&mut self, outputs: &Outputs) -> Option<Inputs> {
        let inputs = self.inner.next(outputs)?;
        if inputs.rst {
            self.clocks.clear();
        } else {
            self.clocks.push(ClockCase {
                now: inputs.now,
                valid: inputs.event_valid,
                id: inputs.event_id,
                data: inputs.event_data,
                user: inputs.event_user,
                ready: inputs.decision_ready,
            });
        }
        Some(inputs)
    }

    fn csr(&self) -> &RepsCsr {
        self.inner.csr()
    }
}

/// Resets, waits for the sweep, drives the clocks, and lets the pipeline empty.
struct Script<'a> {
    csr: RepsCsr,
    /// Clocks of the sweep that remain, including those of reset.
    opening: u32,
    reset: bool,
    clocks: std::slice::Iter<'a, ClockCase>,
    closing: usize,
}

impl Driver<Dut> for Script<'_> {
    fn next(&mut self, _outputs: &Outputs) -> Option<Inputs> {
        let idle = Inputs { decision_ready: true, ..Inputs::default() };
        if self.opening > 0 {
            self.opening -= 1;
            return Some(Inputs { rst: std::mem::take(&mut self.reset), ..idle });
        }
        if let Some(clock) = self.clocks.next() {
            return Some(Inputs {
                rst: false,
                now: clock.now,
                event_valid: clock.valid,
                event_id: clock.id,
                event_data: clock.data,
                event_user: clock.user,
                decision_ready: clock.ready,
            });
        }
        self.closing = self.closing.checked_sub(1)?;
        Some(idle)
    }

    fn csr(&self) -> &RepsCsr {
        &self.csr
    }
}

fn script(
    clocks: &[ClockCase],
    library: &Arc<Library>,
    params: RepsParams,
    csr: RepsCsr,
) -> Result<Option<Mismatch>, Error> {
    let mut driver = Script {
        csr,
        opening: params.connections + 2,
        reset: true,
        clocks: clocks.iter(),
        closing: LATENCY + 3,
    };
    let mut model = Clocked::new(params, csr);
    // The removal of clocks can withdraw an offered word, hence no monitors watch the streams.
    let mut rtl = Rtl::<Dut>::new(library, Reset::Random(1))?.unwatched();
    Ok(lockstep::run(&mut model, &mut rtl, &mut driver, &mut ())?.mismatch)
}

/// Removes clocks while model and RTL still differ: halves, quarters, and so on. Empty if they do not differ
/// after a clean reset.
fn shortened(
    mut clocks: Vec<ClockCase>,
    library: &Arc<Library>,
    params: RepsParams,
    csr: RepsCsr,
) -> Result<Vec<ClockCase>, Error> {
    if script(&clocks, library, params, csr)?.is_none() {
        return Ok(Vec::new());
    }
    let mut size = clocks.len().div_ceil(2);
    loop {
        let (mut start, before) = (0, clocks.len());
        while start < clocks.len() {
            let mut fewer = clocks.clone();
            fewer.drain(start..(start + size).min(clocks.len()));
            if script(&fewer, library, params, csr)?.is_some() {
                clocks = fewer;
            } else {
                start += size;
            }
        }
        if size == 1 && clocks.len() == before {
            return Ok(clocks);
        }
        size = size.div_ceil(2);
    }
}
