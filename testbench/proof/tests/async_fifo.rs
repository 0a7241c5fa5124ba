//! `weft_async_fifo` keeps its words at any ratio of its clocks, and the proof of this can fail.

use weft_proof::async_fifo::{modules, prove, reached};
use weft_proof::refute::{changed, refuted, yosys};
use weft_symbolic::{Answer, Proof, Prover};

/// The shapes that this test proves; `weft prove streams` has all shapes.
const SHAPES: [(usize, bool); 2] = [(2, false), (4, true)];

#[test]
fn words_cross_in_order() {
    let Some(yosys) = yosys() else { return };
    for shape in SHAPES {
        let mut proof = Proof::new(Prover::default());
        prove(&yosys, &modules(), shape, &mut proof).expect("claims");
        println!("{proof}");
        assert!(proof.is_proved());
    }
}

/// Bugs: the module, the present text, the text that replaces it.
const BUGS: [(&str, &str, &str); 12] = [
    ("weft_async_fifo", "gray = binary ^ (binary >> 1)", "gray = binary ^ (binary >> 2)"),
    ("weft_async_fifo", "gray = binary ^ (binary >> 1)", "gray = binary"),
    ("weft_async_fifo", "m_gray_seen[D-2:0]};", "s_gray_seen[D-2:0]};"),
    ("weft_async_fifo", "{~m_gray_seen[D:D-1], m_gray_seen[D-2:0]}", "{~m_gray_seen[D], m_gray_seen[D-1:0]}"),
    ("weft_async_fifo", "m_gray  <= gray(m_next);", "m_gray  <= gray(m_fetched);"),
    ("weft_async_fifo", "            m_fetched <= 0;\n", ""),
    ("weft_async_fifo", "            m_gray    <= 0;\n", ""),
    ("weft_async_fifo", "gray(m_fetched) != s_gray_seen", "m_fetched != s_count"),
    ("weft_async_fifo", "m_offered <= m_read;", "m_offered <= m_some;"),
    ("weft_async_fifo", "s_rst | m_ask_seen | !s_zero;", "s_rst | m_ask_seen;"),
    ("weft_async_fifo", "s_hold = s_rst | s_clear | m_ask_seen | m_ack_seen", "s_hold = s_rst | s_clear"),
    ("weft_sync", "assign q = stable", "assign q = meta"),
];

#[test]
fn bugs_are_refuted() {
    let Some(yosys) = yosys() else { return };
    for (name, from, to) in BUGS {
        let mut proof = Proof::new(Prover::default());
        prove(&yosys, &changed(&modules(), name, from, to), (2, false), &mut proof).expect("claims");
        let refuted = refuted(&proof);
        println!("{from} -> {to}: {refuted:?}");
        assert!(!refuted.is_empty(), "{from} -> {to}");
    }
}

/// The first of them break words from the configuration on, and not only an invariant of ours.
#[test]
fn bugs_break_words() {
    let Some(yosys) = yosys() else { return };
    for (name, from, to) in &BUGS[..5] {
        let modules = changed(&modules(), name, from, to);
        let found = reached(&yosys, &modules, (2, false), "scleanup; strash; dc2; bmc3 -F 60");
        let (answer, steps) = found.expect("an answer");
        println!("{from} -> {to}: {answer:?} after {steps:?} steps");
        assert_eq!(answer, Answer::Refuted, "{from} -> {to}");
    }
}

/// ABC's property directed reachability needs no invariant of ours.
#[test]
#[ignore = "soak: a second route to what `weft prove streams` proves, for a minute"]
fn abc_finds_an_invariant_of_its_own() {
    let Some(yosys) = yosys() else { return };
    let found =
        reached(&yosys, &modules(), (2, false), "scleanup; strash; dc2; scorr; pdr").expect("an answer");
    assert_eq!(found.0, Answer::Proved);
}
