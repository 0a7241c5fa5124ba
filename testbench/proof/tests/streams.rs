//! The promises of streams are proved, and each promise can be shown to be broken: bugs in the queue at the
//! output of a block, in the wiring of the NIC, in the answers of AXI4-Lite, in `weft_fifo`.

use weft_hdl::Module;
use weft_hdl::catalogue::{Shape, named};
use weft_proof::refute::{changed, print, quick, yosys};
use weft_proof::{Claim, Outcome, Report, fifo, streams};
use weft_symbolic::{Proof, Prover};

fn emitted(block: &str) -> Vec<Module> {
    (named(block).expect("a block").emit)(&Shape::of(4)).expect("it is emitted")
}

fn claims(block: &str, modules: &[Module]) -> Vec<Claim> {
    let yosys = yosys().expect("yosys");
    let claims =
        streams::of_block(&yosys, &quick(), named(block).expect("a block"), modules).expect("claims");
    print(&Report { claims: claims.clone(), notes: Vec::new() });
    claims
}

/// The names of the claims that are refuted.
fn refuted(claims: &[Claim]) -> Vec<&str> {
    claims.iter().filter(|claim| claim.outcome == Outcome::Refuted).map(|claim| claim.name.as_str()).collect()
}

fn is_proved(claims: &[Claim]) -> bool {
    claims.iter().all(|claim| claim.outcome == Outcome::Proved)
}

#[test]
fn streams_of_a_block_are_proved_and_each_rule_can_be_broken() {
    if yosys().is_none() {
        return;
    }
    let modules = emitted("reps");
    let sound = claims("reps", &modules);
    assert!(is_proved(&sound) && sound.len() == 6, "{} claims", sound.len());
    for (from, to, rule) in [
        ("else if (free) offered_q", "else offered_q", "withdrawn"),
        ("free = out_ready | !offered_q", "free = out_ready | !offered_q | in_valid", "changed"),
        ("if (rst) offered_q <= 1'b0;\n        else if (free)", "if (free)", "reset"),
        ("out_valid = offered_q", "out_valid = offered_q & (out_ready | in_valid)", "path"),
    ] {
        let claims = claims("reps", &changed(&modules, "weft_skid", from, to));
        assert!(refuted(&claims).iter().any(|name| name.contains(rule)), "{rule}: {:?}", refuted(&claims));
    }
}

/// `weft prove streams` proves the NIC itself.
#[test]
fn streams_of_the_nic_that_are_no_blocks_are_refuted() {
    if yosys().is_none() {
        return;
    }
    let offers = "assign m_axis_bypass_tvalid = ingress_m_axis_bypass_tvalid";
    let modules = changed(
        &emitted("nic"),
        "weft_nic",
        offers,
        &offers.replace("= ingress_m_axis_bypass", "= ingress_m_axis_payload"),
    );
    let takes = ".m_axis_net_tready     (m_axis_net_tready)";
    let modules = changed(&modules, "weft_nic", takes, ".m_axis_net_tready     (1'b1)");
    let claims = claims("nic", &modules);
    let refuted = refuted(&claims);
    assert_eq!(refuted.len(), 2, "{refuted:?}");
    assert!(refuted[0].contains("what it offers") && refuted[1].contains("the inputs of its streams"));
}

/// Depths of the queue in which bugs are searched, and in which the queue is proved; `weft prove streams` has
/// all depths.
const DEPTHS: [usize; 2] = [3, 6];

#[test]
fn a_queue_keeps_its_words_and_bugs_in_it_are_refuted() {
    let Some(yosys) = yosys() else { return };
    let modules = emitted("ingress");
    let prove = |modules: &[Module], depth: usize| {
        let mut proof = Proof::new(Prover::default());
        fifo::prove(&yosys, modules, depth, &mut proof).expect("claims");
        println!("{proof}");
        proof
    };
    for depth in DEPTHS {
        assert!(prove(&modules, depth).is_proved());
    }
    for (from, to) in [
        (" & !(in_rollback & pending_q)", ""),
        ("(ahead ^ fetched_q) == MOST", "(written_q ^ fetched_q) == MOST"),
        ("written_d = committed_q", "written_d = fetched_q"),
        ("wire committed_en = in_commit & !in_rollback", "wire committed_en = in_commit"),
        ("wire some = fetched_q != committed_q", "wire some = fetched_q != written_q"),
        ("wire ram_we = !is_full_q", "wire ram_we = 1'b1"),
        (
            "wire [D-1:0] ram_raddr = fetched_q[D-1:0]",
            "wire [D-1:0] ram_raddr = fetched_q[D-1:0] & {{(D-1){1'b1}}, 1'b0}",
        ),
        ("wire offered_word_en = loads & read_q", "wire offered_word_en = read_q"),
        ("wire fetches = loads | !read_q", "wire fetches = loads"),
    ] {
        let proof = prove(&changed(&modules, "weft_fifo", from, to), 3);
        assert!(!proof.is_proved(), "{from}");
    }
}
