//! The proof of `weft_reps` holds, and can fail: bugs in the RTL, in the model, mutants of the core.

use weft_bench::Subject;
use weft_blocks::reps::Dut;
use weft_params::RepsParams;
use weft_proof::refute::{changed, print, quick, tied, yosys};
use weft_proof::reps::counterexample::{Case, Counterexample};
use weft_proof::reps::mutants::{Fate, mutants};
use weft_proof::reps::step::{MODEL, Model, Step};
use weft_proof::reps::{SHAPES, prove, prove_shape};
use weft_proof::{Claim, Outcome, Report, Solvers, design};
use weft_symbolic::{Proof, Prover, Symbolic};
use weft_word::{Domain, Word};

#[test]
#[ignore = "soak: `weft prove` proves the same in `make test`"]
fn it_is_proved_in_every_shape() {
    if yosys().is_none() {
        return;
    }
    let (report, found) = prove(&Solvers::find(), &SHAPES, None, &mut |_| ()).unwrap();
    print(&report);
    assert!(report.is_proved() && found.is_empty());
}

#[test]
fn planted_bugs_are_refuted_and_verilator_shows_it() {
    if yosys().is_none() {
        return;
    }
    for plant in Dut::PLANTS {
        let name = plant.name;
        let (report, found) = prove(&quick(), &SHAPES, Some(&plant.into()), &mut |_| ()).unwrap();
        print(&report);
        assert!(report.failures().any(|claim| claim.outcome == Outcome::Refuted), "{name}");
        assert!(!found.is_empty(), "{name} has no counterexample");
        for counterexample in found {
            // The counterexample as a file, written and read as the command does.
            let text = serde_json::to_string(&counterexample).unwrap();
            let shown = serde_json::from_str::<Counterexample>(&text).unwrap().replay().unwrap();
            println!("{name}: {}: {}", shown.what, shown.differences.join("; "));
            assert!(!shown.differences.is_empty(), "{name}: {text}");
            // The same run on the unchanged RTL shows no fault.
            let mut sound = counterexample.clone();
            let modules = Dut::emit(&sound.params).unwrap();
            sound.verilog = modules.into_iter().map(|module| (module.name, module.text)).collect();
            assert_eq!(sound.replay().unwrap().differences, Vec::<String>::new(), "{name}");
        }
    }
}

/// Bugs in every module, and a word of the claim that must be refuted.
const BUGS: &[(&str, &str, &str, &str)] = &[
    ("weft_reps_control_decode", "kind == 3'd2", "kind == 3'd3", "decoder and core"),
    ("weft_reps_control_core", "drops = at_head & (reuse", "drops = at_head & (1'b0", "decoder and core"),
    ("weft_reps_control_core", "clear ? (opening", "opening ? (opening", "decoder and core"),
    ("weft_reps_control", "near2 = s3_live_q &", "near2 =", "know their distance"),
    ("weft_reps_control", "near3 = s4_live_q & (in_id == s4_id_q)", "near3 = 1'b0", "know their distance"),
    ("weft_reps_control", "near4 = s5_live_q & (in_id == s5_id_q)", "near4 = 1'b0", "know their distance"),
    ("weft_reps_control", "ram_we = run & s5_live_q", "ram_we = run", "every clock keeps it"),
    ("weft_reps_control", "ram_we = run & s5_live_q", "ram_we = run & s5_valid_q", "every clock keeps it"),
    ("weft_reps_control", "merged = s6_word_q", "merged = s7_word_q", "the word in stage 4"),
    ("weft_reps_control", "<= 8'hff;", "<= 8'hfe;", "NUM_PKTS_BDP"),
    ("weft_reps_control", "limit = freeze_timeout", "limit = rtt_window", "time limits"),
    ("weft_reps_control", ">= rtt_high", "> rtt_high", "round-trip times"),
    ("weft_reps_entropy", "fresh << 9", "fresh << 8", "the generator is seeded"),
    ("weft_reps_entropy", "evs_we = run & write", "evs_we = write", "a slot holds"),
    (
        "weft_reps_front",
        "sweeping_en = run & (&s1_id_q)",
        "sweeping_en = run",
        "closes one connection per clock",
    ),
    ("weft_reps_front", "ready = run & !sweeping_q", "ready = run", "ready if and only if"),
    ("weft_enable", "enable <= next_run", "enable <= 1'b1", "clock and step agree"),
    ("weft_skid", "moves = !some | free", "moves = 1'b1", "clock and step agree"),
    ("weft_skid", "offered_word_d = in_word", "offered_word_d = held_word_q", "clock and step agree"),
    ("weft_reps", "!control_accepted", "control_accepted", "counted"),
    ("weft_ram_sdp", "words[waddr] <= wdata", "words[raddr] <= wdata", "a slot holds"),
    ("weft_reps_front", "s1_live_q <= 1'b0", "s1_live_q <= s1_live_d", "reset leads into it"),
    (
        "weft_reps_front",
        "if (run) begin\n            s1_data_q",
        "begin\n            s1_data_q",
        "a stall changes nothing",
    ),
    ("weft_mul", "product <=", "product <= ~", "a draw answers"),
];

#[test]
fn bugs_of_a_sample_are_refuted() {
    bugs_are_refuted(5);
}

#[test]
#[ignore = "soak: `make test` has a sample"]
fn a_bug_in_any_module_is_refuted() {
    bugs_are_refuted(1);
}

/// Checks that every bug has its place in the Verilog, and that every `every`-th is refuted.
fn bugs_are_refuted(every: usize) {
    let Some(yosys) = yosys() else { return };
    let params = RepsParams { connections: 16, ..RepsParams::default() };
    let sound = Dut::emit(&params).unwrap();
    let planted: Vec<_> = BUGS.iter().map(|(name, from, to, _)| changed(&sound, name, from, to)).collect();
    for ((name, _, to, symptom), modules) in BUGS.iter().zip(&planted).rev().step_by(every) {
        let (claims, _) = prove_shape(&yosys, &quick(), &params, modules, &mut |_| ()).unwrap();
        let report = Report { claims, notes: Vec::new() };
        let failures: Vec<&str> = report.failures().map(|claim| &claim.name[..]).collect();
        println!("{name}: {to}: {failures:?}");
        assert!(failures.iter().any(|failure| failure.contains(symptom)), "{name}: {to}: {failures:?}");
    }
}

/// Ports of the two modules that are proved alone; no port resets them.
#[test]
fn ports_that_are_tied_wrongly_are_refuted() {
    let Some(yosys) = yosys() else { return };
    let params = RepsParams { connections: 16, ..RepsParams::default() };
    let sound = Dut::emit(&params).unwrap();
    for instance in ["front", "entropy"] {
        let modules = tied(&sound, "weft_reps", instance, "rst", "1'b0");
        let (claims, _) = prove_shape(&yosys, &quick(), &params, &modules, &mut |_| ()).unwrap();
        let refuted =
            |claim: &Claim| claim.outcome == Outcome::Refuted && claim.name.contains("reset with it");
        assert!(claims.iter().any(refuted), "{instance}");
    }
}

/// Models with one change each.
const MODELS: &[(&str, Model)] = &[
    ("a full buffer forgets", |depth, csr, control, stimulus, elapsed| {
        let (mut next, action) = MODEL(depth, csr, control, stimulus, elapsed);
        let full = control.valid.equals(Symbolic::lit(depth.into()));
        next.valid = (next.valid - Symbolic::lit(1)).when(full & action.write & control.open, next.valid);
        (next, action)
    }),
    ("a thaw does not explore", |depth, csr, control, stimulus, elapsed| {
        let (mut next, action) = MODEL(depth, csr, control, stimulus, elapsed);
        next.explore = control.explore.when(action.turned & !next.frozen, next.explore);
        (next, action)
    }),
    ("congestion freezes", |depth, csr, control, stimulus, _| {
        MODEL(depth, csr, control, stimulus, Symbolic::lit(1))
    }),
    ("NUM_PKTS_BDP is cut, not saturated", |depth, csr, control, stimulus, elapsed| {
        let low = csr.bdp_packets.slice::<0, 8>().widen();
        MODEL(depth, &weft_nic::block::reps::Csr { bdp_packets: low, ..*csr }, control, stimulus, elapsed)
    }),
    ("an opening keeps the time", |depth, csr, control, stimulus, elapsed| {
        let (mut next, action) = MODEL(depth, csr, control, stimulus, elapsed);
        let opens = stimulus.kind.equals(Symbolic::lit(5));
        next.time = control.time.when(opens, next.time);
        (next, action)
    }),
];

#[test]
fn a_bug_in_the_model_is_refuted() {
    let Some(yosys) = yosys() else { return };
    let params = SHAPES[0];
    let modules = Dut::emit(&params).unwrap();
    let decode = design(&yosys, &modules, "weft_reps_control_decode", "decode").unwrap();
    let core = design(&yosys, &modules, "weft_reps_control_core", "core").unwrap();
    let step = Step::new(&decode, &core, params.depth).unwrap();
    let refuted = |model| {
        let mut proof = Proof::new(Prover::default());
        step.equals_model(model, &mut proof).unwrap();
        println!("{proof}");
        !proof.is_proved()
    };
    assert!(!refuted(MODEL));
    for (name, model) in MODELS {
        assert!(refuted(*model), "{name}");
    }
}

#[test]
fn mutants_of_the_core_are_refuted_or_the_same() {
    if yosys().is_none() {
        return;
    }
    let found = mutants(&quick(), &SHAPES[0], 60, 7).unwrap();
    assert_eq!(found.len(), 60);
    let refuted: Vec<_> = found.iter().filter(|mutant| matches!(mutant.fate, Fate::Refuted(_))).collect();
    for mutant in found.iter().filter(|mutant| !matches!(mutant.fate, Fate::Refuted(_))) {
        println!("{:?}: {}", mutant.fate, mutant.command);
        assert_ne!(mutant.fate, Fate::Unknown);
    }
    println!("{} refuted", refuted.len());
    assert!(refuted.len() >= 40);
    // Verilator agrees with the proof on every tenth.
    for mutant in refuted.iter().step_by(10) {
        let counterexample = mutant.counterexample.as_ref().unwrap();
        let Case::Event(_) = &counterexample.case else { panic!("one event") };
        let shown = counterexample.replay().unwrap();
        println!("{}: {}", mutant.command, shown.differences.join("; "));
        assert!(!shown.differences.is_empty(), "{}", mutant.command);
    }
}
