//! Every rule accepts a sequence that follows the rule, and rejects one that breaks it.

use super::{Monitor, Pins, Port};
use crate::rules::{Rule, Terms};
use std::collections::BTreeMap;

/// The ports of a made-up block.
const PORTS: [Port; 26] = {
    const fn port(name: &'static str, is_output: bool, bits: u32) -> Port {
        Port { name, is_output, bits }
    }
    [
        port("rst", false, 1),
        port("m_axis_net_tvalid", true, 1),
        port("m_axis_net_tready", false, 1),
        port("m_axis_net_tdata", true, 128),
        port("m_axis_net_tkeep", true, 16),
        port("m_axis_net_tlast", true, 1),
        port("s_axis_work_tvalid", false, 1),
        port("s_axis_work_tready", true, 1),
        port("s_axis_work_tdata", false, 80),
        port("s_axis_work_tid", false, 4),
        port("s_axil_awvalid", false, 1),
        port("s_axil_awready", true, 1),
        port("s_axil_awaddr", false, 16),
        port("s_axil_wvalid", false, 1),
        port("s_axil_wready", true, 1),
        port("s_axil_wdata", false, 32),
        port("s_axil_bvalid", true, 1),
        port("s_axil_bready", false, 1),
        port("s_axil_bresp", true, 2),
        port("s_axil_arvalid", false, 1),
        port("s_axil_arready", true, 1),
        port("s_axil_araddr", false, 16),
        port("s_axil_rvalid", true, 1),
        port("s_axil_rready", false, 1),
        port("s_axil_rdata", true, 32),
        port("s_axil_rresp", true, 2),
    ]
};

const TERMS: Terms = Terms { gapless: &["m_axis_net"], longest: &[("m_axis_net", 3)], broken: &[] };

/// The ports that are not zero in a clock; a second word behind a port of more than 64 bits is zero.
type Clock<'a> = &'a [(&'a str, u64)];

struct Given<'a>(BTreeMap<&'a str, u64>);

impl Pins for Given<'_> {
    fn bit(&self, port: usize) -> bool {
        self.0.get(PORTS[port].name).is_some_and(|value| value & 1 == 1)
    }

    fn words(&self, port: usize, words: &mut [u64]) {
        words.fill(0);
        words[0] = self.0.get(PORTS[port].name).copied().unwrap_or_default();
    }
}

/// The port and the rule that `clocks` break first, after a clock of reset and an idle one.
fn broken(terms: &Terms, clocks: &[Clock<'_>]) -> Option<(&'static str, Rule)> {
    let mut monitor = Monitor::new(&PORTS, terms);
    let before: [Clock<'_>; 2] = [&[("rst", 1)], &[]];
    before.iter().chain(clocks).find_map(|clock| {
        let result = monitor.clock(&Given(clock.iter().copied().collect()));
        result.err().map(|broken| (broken.port, broken.rule))
    })
}

#[track_caller]
fn kept(clocks: &[Clock<'_>]) {
    assert_eq!(broken(&TERMS, clocks), None);
}

#[track_caller]
fn breaks(port: &'static str, rule: Rule, clocks: &[Clock<'_>]) {
    assert_eq!(broken(&TERMS, clocks), Some((port, rule)));
}

const VALID: (&str, u64) = ("m_axis_net_tvalid", 1);
const READY: (&str, u64) = ("m_axis_net_tready", 1);
const FULL: (&str, u64) = ("m_axis_net_tkeep", 0xFFFF);
const LAST: (&str, u64) = ("m_axis_net_tlast", 1);
const WORK: (&str, u64) = ("s_axis_work_tvalid", 1);

#[test]
fn what_is_offered_stays() {
    kept(&[&[VALID, FULL], &[VALID, FULL], &[VALID, FULL, READY], &[VALID, FULL, LAST, READY], &[READY]]);
    kept(&[&[WORK, ("s_axis_work_tid", 3)], &[WORK, ("s_axis_work_tid", 3), ("s_axis_work_tready", 1)], &[]]);
    breaks("m_axis_net", Rule::Withdrawn, &[&[VALID, FULL], &[READY]]);
    breaks("s_axis_work", Rule::Withdrawn, &[&[WORK], &[]]);
    breaks("m_axis_net_tlast", Rule::Changed, &[&[VALID, FULL], &[VALID, FULL, LAST, READY]]);
    breaks("m_axis_net_tdata", Rule::Changed, &[&[VALID, FULL], &[VALID, FULL, ("m_axis_net_tdata", 1)]]);
    breaks("s_axis_work_tid", Rule::Changed, &[&[WORK], &[WORK, ("s_axis_work_tid", 3)]]);
    // A reset takes back an offered word.
    kept(&[&[VALID, FULL], &[VALID, FULL, ("rst", 1)], &[("rst", 1)], &[]]);
}

#[test]
fn a_rule_that_the_bench_breaks_on_purpose_is_not_judged() {
    let terms = Terms { broken: &[("s_axis_work", Rule::Withdrawn)], ..TERMS };
    assert_eq!(broken(&terms, &[&[WORK], &[]]), None);
    assert_eq!(
        broken(&terms, &[&[VALID, FULL], &[]]),
        Some(("m_axis_net", Rule::Withdrawn)),
        "of another stream it is"
    );
}

#[test]
fn nothing_is_offered_in_reset_or_in_the_clock_after_it() {
    // In the first clock of reset the block has not seen the reset.
    kept(&[&[("rst", 1), VALID, FULL], &[], &[VALID, FULL]]);
    breaks("m_axis_net", Rule::Reset, &[&[("rst", 1)], &[("rst", 1), VALID, FULL]]);
    breaks("m_axis_net", Rule::Reset, &[&[("rst", 1)], &[VALID, FULL]]);
    breaks("s_axil_r", Rule::Reset, &[&[("rst", 1)], &[("s_axil_rvalid", 1)]]);
    // The bench does anything in reset.
    kept(&[&[("rst", 1), WORK], &[WORK, ("s_axis_work_tready", 1)]]);
}

#[test]
fn no_path_leads_from_an_input_to_a_handshake() {
    let judge = |after: Clock<'_>, before: Clock<'_>| {
        let mut monitor = Monitor::new(&PORTS, &TERMS);
        let given = |clock: Clock<'static>| Given(clock.iter().copied().collect());
        monitor.clock(&given(&[("rst", 1)])).expect("a reset");
        monitor.clock(&given(&[])).expect("an idle clock");
        monitor.settle(&Given(after.iter().copied().collect()));
        monitor.clock(&Given(before.iter().copied().collect())).err().map(|broken| (broken.port, broken.rule))
    };
    assert_eq!(judge(&[VALID, FULL], &[VALID, FULL, READY]), None);
    assert_eq!(judge(&[], &[VALID, FULL, READY]), Some(("m_axis_net_tvalid", Rule::Path)));
    assert_eq!(
        judge(&[], &[WORK, ("s_axis_work_tready", 1)]),
        Some(("s_axis_work_tready", Rule::Path)),
        "tready may wait for tvalid, but a clock later"
    );
}

#[test]
fn tkeep_is_full_but_in_the_last_word() {
    let keep = |keep: u64| ("m_axis_net_tkeep", keep);
    kept(&[&[VALID, READY, FULL], &[VALID, READY, LAST, keep(1)], &[VALID, READY, LAST, keep(0x7FFF)]]);
    kept(&[&[VALID, READY, LAST, FULL]]);
    for wrong in [0, 0b101, 0b110, 0xFFFE, 0x1_FFFF] {
        breaks("m_axis_net", Rule::Keep, &[&[VALID, READY, LAST, keep(wrong)]]);
    }
    breaks("m_axis_net", Rule::Keep, &[&[VALID, READY, keep(0x7FFF)]]);
    // The word is judged when it is offered.
    breaks("m_axis_net", Rule::Keep, &[&[VALID, keep(0)]]);
}

#[test]
fn a_frame_has_no_gap_and_an_end() {
    breaks("m_axis_net", Rule::Gap, &[&[VALID, READY, FULL], &[READY]]);
    breaks("m_axis_net", Rule::Gap, &[&[VALID, READY, FULL], &[]]);
    let word: Clock<'_> = &[VALID, READY, FULL];
    let last: Clock<'_> = &[VALID, READY, FULL, LAST];
    kept(&[word, word, last, &[], word, word, last]);
    breaks("m_axis_net", Rule::Long, &[word, word, word, last]);
    // A frame that a reset cuts off counts as no frame.
    kept(&[word, &[("rst", 1)], &[], word, word, last]);
}

const AW: [(&str, u64); 2] = [("s_axil_awvalid", 1), ("s_axil_awready", 1)];
const W: [(&str, u64); 2] = [("s_axil_wvalid", 1), ("s_axil_wready", 1)];
const AR: [(&str, u64); 2] = [("s_axil_arvalid", 1), ("s_axil_arready", 1)];
const B: [(&str, u64); 2] = [("s_axil_bvalid", 1), ("s_axil_bready", 1)];
const R: [(&str, u64); 2] = [("s_axil_rvalid", 1), ("s_axil_rready", 1)];

#[test]
fn each_request_has_one_response() {
    let both = [AW, W].concat();
    kept(&[&both, &B, &AR, &R]);
    kept(&[&AW, &[], &W, &B[..1], &B]);
    kept(&[&W, &AW, &B]);
    // Several at once.
    kept(&[&AR, &AR, &R, &R]);
    breaks("s_axil_b", Rule::Unasked, &[&B]);
    breaks("s_axil_b", Rule::Unasked, &[&AW, &B]);
    breaks("s_axil_b", Rule::Unasked, &[&W, &B]);
    // An answer in the clock of the request is also too early.
    breaks("s_axil_r", Rule::Unasked, &[&[AR, R].concat()]);
    breaks("s_axil_r", Rule::Unasked, &[&AR, &R, &R]);
    breaks("s_axil_b", Rule::Unasked, &[&both, &B, &[], &B[..1]]);
    // A reset forgets requests.
    breaks("s_axil_r", Rule::Unasked, &[&AR, &[("rst", 1)], &[], &R]);
}

#[test]
fn responses_stay_and_are_none_that_does_not_exist() {
    let code = |code: u64| ("s_axil_rresp", code);
    breaks("s_axil_rresp", Rule::Changed, &[&AR, &[R[0]], &[R[0], code(2)]]);
    breaks("s_axil_rdata", Rule::Changed, &[&AR, &[R[0]], &[R[0], ("s_axil_rdata", 9)]]);
    breaks("s_axil_r", Rule::Withdrawn, &[&AR, &[R[0]], &[]]);
    breaks("s_axil_awaddr", Rule::Changed, &[&[AW[0]], &[AW[0], AW[1], ("s_axil_awaddr", 4)]]);
    kept(&[&AR, &[R[0], R[1], code(2)], &AR, &[R[0], R[1], code(3)]]);
    breaks("s_axil_r", Rule::Response, &[&AR, &[R[0], code(1)]]);
    breaks("s_axil_b", Rule::Response, &[&AW, &W, &[B[0], ("s_axil_bresp", 1)]]);
}

#[test]
fn responses_come_in_time() {
    let (idle, offered): (Vec<Clock<'_>>, Vec<Clock<'_>>) = (vec![&[]; 32], vec![&AR[..1]; 33]);
    let begun: Vec<Clock<'_>> = vec![&[]; 800];
    breaks("s_axil_r", Rule::Late, &[&begun[..], &[&AR[..]], &idle[..]].concat());
    kept(&[&begun[..], &[&AR[..]], &idle[..31], &[&R[..]]].concat());
    // The same with a request that the block does not accept.
    breaks("s_axil_r", Rule::Late, &[&begun[..], &offered[..]].concat());
    // Soon after reset a counter's first round may have to end first, and not longer.
    kept(&[&[&AR[..]], &begun[..], &[&R[..]]].concat());
    breaks("s_axil_r", Rule::Late, &[&[&AR[..]], &begun[..], &idle[..]].concat());
    // One half of a write may wait for the other half forever.
    kept(&[&[&AW[..]], &idle[..], &idle[..], &[&W[..]], &[&B[..]]].concat());
    // An earlier response may wait for its reader, and so may requests in the other direction.
    let asked: Vec<Clock<'_>> = vec![&[AW[0], W[0], R[0]]; 40];
    kept(&[&[&AR[..]], &asked[..], &[&[AW[0], AW[1], W[0], W[1], R[0], R[1]]], &[&B[..]]].concat());
    let held: Vec<Clock<'_>> = vec![&R[..1]; 40];
    kept(&[&[&AR[..]], &held[..], &[&R[..]]].concat());
}
