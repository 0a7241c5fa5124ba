//! Incasts on one queue. The windows become fair, and the paper's statements on signals, reaction granularity
//! and trimming hold (SMaRTT-REPS, sections 3.1 and 4.2). S is the paper.

use weft_blocks::smartt::oracle::{Constants, Oracle};
use weft_blocks::smartt::plant::PLANTS;
use weft_nic::block::smartt::{Kind, Smartt};
use weft_params::{Network, Signals, SmarttParams};
use weft_system::incast::{Figures, Incast, IncastError, Lockstep, Run};

/// Base RTT of the paper's incasts in microseconds.
const BASE_RTT_US: f64 = 11.9;
const SEEDS: std::ops::RangeInclusive<u64> = 1..=8;

fn model(incast: &Incast) -> Run {
    let csr = incast.csr().unwrap_or_else(|error| panic!("{error}"));
    incast.run(&mut Smartt::new(SmarttParams::default(), csr)).unwrap_or_else(|error| panic!("{error}"))
}

fn with(incast: &Incast, change: impl FnOnce(&mut Network)) -> Incast {
    let mut incast = incast.clone();
    change(&mut incast.network);
    incast
}

/// Figures of every seed, because a single incast is a random sample.
fn of_seeds(incast: &Incast) -> Vec<Figures> {
    SEEDS.map(|seed| model(&Incast { seed, ..incast.clone() }).figures()).collect()
}

/// Mean of a figure.
fn mean(runs: &[Figures], figure: impl Fn(&Figures) -> f64) -> f64 {
    runs.iter().map(figure).sum::<f64>() / runs.len() as f64
}

fn spread_us(figures: &Figures) -> f64 {
    figures.fct_us[2] - figures.fct_us[0]
}

/// Checks that hold in every run, with any windows.
#[track_caller]
fn nothing_is_lost(run: &Run) {
    let incast = &run.incast;
    let packets = incast.message_bytes.div_ceil(incast.network.mtu_bytes);
    for flow in &run.flows {
        assert_eq!((flow.acked_bytes, flow.acked), (incast.message_bytes, packets));
        assert_eq!(flow.sent, flow.acked + flow.trimmed + flow.dropped);
        assert!(flow.end_ps > flow.start_ps);
    }
    let losses =
        run.reactions.iter().filter(|it| matches!(it.event.kind, Kind::Trim | Kind::Timeout)).count();
    assert_eq!(losses, run.flows.iter().map(|flow| (flow.trimmed + flow.dropped) as usize).sum::<usize>());
    let [_, queue_bytes] = run.bdp_and_queue_bytes();
    assert!(run.queue.iter().all(|depth| depth.bytes as f64 <= queue_bytes));
}

/// A single sender has the link for itself, so the harness costs no time.
#[test]
fn one_sender_takes_the_whole_link() {
    let run = model(&Incast::paper(1));
    nothing_is_lost(&run);
    let figures = run.figures();
    assert!((figures.completion_us - figures.ideal_us).abs() < 0.1, "{figures:?}");
    assert_eq!((figures.trimmed, figures.marked, figures.jain), (0, 0, 1.0));
    // The RTT is the base RTT, up to the jitter and the resolution of the clock.
    let tick_us = f64::from(run.incast.network.sizing().unwrap().network.tick_ps.unwrap()) / 1e6;
    let acks = run.reactions.iter().filter(|it| it.event.kind == Kind::Ack);
    for rtt_us in acks.map(|ack| f64::from(ack.event.rtt_ticks) * tick_us) {
        assert!((rtt_us - BASE_RTT_US).abs() < 0.1, "{rtt_us}");
    }
}

/// 2:1, 8:1 and 32:1: after the first window each sender has its share, the link is full, and the queue is
/// not.
#[test]
fn incasts_become_fair() {
    for senders in [2, 8, 32] {
        let run = model(&Incast::paper(senders));
        nothing_is_lost(&run);
        let figures = run.figures();
        println!("{senders}:1 {figures:?}");
        let [bdp, queue_bytes] = run.bdp_and_queue_bytes();
        assert!(figures.jain >= 0.95 && figures.jain_windows >= 0.95, "{senders}:1 {figures:?}");
        let settled = figures.converged_us.unwrap_or(f64::MAX);
        assert!(settled < 8.0 * BASE_RTT_US, "{senders}:1 {figures:?}");
        let share = |bytes: &f64| (0.8..1.25).contains(&(bytes / figures.fair_share_bytes));
        assert!(figures.windows_bytes.iter().all(share), "{senders}:1 {figures:?}");
        // The queue is full at first; otherwise the test would be void. The queue does not stay full.
        assert!(figures.deepest_bytes as f64 > queue_bytes - 4096.0);
        let later = run.queue.iter().filter(|depth| depth.time_ps as f64 > 1e6 * settled);
        let deepest = later.map(|depth| depth.bytes).max().unwrap_or(0) as f64;
        assert!(deepest < queue_bytes - 4096.0 && figures.queue_bytes < 0.8 * bdp, "{senders}:1 {figures:?}");
        assert!(figures.rate_gbps > 0.99 * 800.0, "{senders}:1 {figures:?}");
        assert!(figures.completion_us < 1.05 * figures.ideal_us, "{senders}:1 {figures:?}");
        // No sender starves.
        assert!(figures.longest_silence_us < 2.0 * BASE_RTT_US, "{senders}:1 {figures:?}");
    }
}

/// Later senders also get their share, and earlier senders release it.
#[test]
fn senders_that_come_later_get_their_share() {
    // The first message is long enough to end after the last sender has its share.
    let incast = Incast { start_spread_ns: 50_000, message_bytes: 16 << 20, ..Incast::paper(8) };
    for seed in SEEDS {
        let run = model(&Incast { seed, ..incast.clone() });
        nothing_is_lost(&run);
        let figures = run.figures();
        println!("seed {seed}: {figures:?}");
        assert!(figures.jain >= 0.99, "seed {seed}: {figures:?}");
        assert!(figures.converged_us.is_some_and(|us| us < 30.0 * BASE_RTT_US), "seed {seed}: {figures:?}");
    }
}

#[test]
fn a_seed_makes_the_same_incast_again() {
    let incast = Incast { message_bytes: 1 << 20, ..Incast::paper(8) };
    let run = model(&incast);
    assert!(run == model(&incast));
    assert!(run.reactions != model(&Incast { seed: 2, ..incast }).reactions);
}

/// S 3.1, Figures 2 and 3a. With ECN windows shrink earlier: a packet is marked as it leaves the queue, while
/// its delay is known only after the packet has crossed the queue. With the delay the messages need more
/// equal times. Both signals together end earlier than ECN alone.
#[test]
fn ecn_is_faster_and_the_delay_is_fairer() {
    for senders in [2, 8, 32] {
        let of = |signals| of_seeds(&with(&Incast::paper(senders), |network| network.signals = signals));
        let (both, ecn, delay) = (of(Signals::Both), of(Signals::Ecn), of(Signals::Delay));
        let first = |runs: &[Figures]| mean(runs, |figures| figures.first_decrease_us.unwrap_or(f64::MAX));
        let earlier_us = first(&delay) - first(&ecn);
        assert!((0.4 * BASE_RTT_US..BASE_RTT_US).contains(&earlier_us), "{senders}:1 {earlier_us}");
        let spreads = [&both, &ecn, &delay].map(|runs| mean(runs, spread_us));
        println!("{senders}:1 spreads of SMaRTT, ECN only, delay only: {spreads:.1?} us");
        assert!(spreads[2] < spreads[1], "{senders}:1 {spreads:?}");
        let through = [&both, &ecn, &delay].map(|runs| mean(runs, |figures| figures.completion_us));
        println!("{senders}:1 completion of SMaRTT, ECN only, delay only: {through:.1?} us");
        assert!(through[0] < through[1], "{senders}:1 {through:?}");
    }
}

/// S Figure 3b: reacting on every 50th ACK only costs at most 5 %.
#[test]
fn reacting_rarely_costs_little() {
    let of = |granularity| of_seeds(&with(&Incast::paper(8), |network| network.granularity = granularity));
    let each = mean(&of(1), |figures| figures.completion_us);
    for granularity in [2, 5, 10, 20, 50] {
        let rarely = mean(&of(granularity), |figures| figures.completion_us);
        println!("8:1, every {granularity} ACKs: {rarely:.1} us, every ACK {each:.1} us");
        assert!(rarely < 1.05 * each, "every {granularity} ACKs: {rarely} us, every ACK {each} us");
    }
}

/// S Figure 8: small messages wait about one base RTT longer where switches drop and do not trim.
#[test]
fn timeouts_cost_about_one_base_rtt() {
    for senders in [4, 16] {
        let trimming = Incast { message_bytes: 512 << 10, ..Incast::paper(senders) };
        let dropping = with(&trimming, |network| network.trimming = false);
        nothing_is_lost(&model(&dropping));
        let [with_us, without_us] =
            [&trimming, &dropping].map(|incast| mean(&of_seeds(incast), |figures| figures.fct_us[1]));
        println!("{senders}:1 of 512 KiB: {with_us:.1} us with trimming, {without_us:.1} us without");
        let cost = (without_us - with_us) / BASE_RTT_US;
        assert!((0.5..2.0).contains(&cost), "{senders}:1 costs {cost:.2} base RTTs");
    }
}

/// Windows of the RTL equal those of the model, event by event, with each kind of signals. The oracle's
/// windows are not rounded and give the same figures.
#[test]
fn the_rtl_is_the_model_and_near_the_oracle() {
    for signals in [Signals::Both, Signals::Ecn, Signals::Delay] {
        let incast = with(&Incast { message_bytes: 4 << 20, ..Incast::paper(8) }, |it| it.signals = signals);
        let mut rtl = Lockstep::new(SmarttParams::default(), incast.csr().unwrap(), incast.seed, None)
            .unwrap_or_else(|error| panic!("{error}"));
        let run = incast.run(&mut rtl).unwrap_or_else(|error| panic!("{error}"));
        let same = model(&incast);
        for (number, (rtl, model)) in run.reactions.iter().zip(&same.reactions).enumerate() {
            assert_eq!(rtl, model, "{signals:?}, event {number}");
        }
        assert!(run == same && rtl.clocks() > run.reactions.len() as u64);

        let mut oracle = Oracle::new(Constants::of(&incast.network).unwrap());
        let (ours, theirs) = (run.figures(), incast.run(&mut oracle).unwrap().figures());
        let line = |who: &str, it: &Figures| {
            let (windows, through) = (&it.windows_bytes, it.completion_us);
            println!(
                "{signals:?} {who:6} {through:.1} us, settled {:.1?}, Jain {:.4}",
                it.converged_us, it.jain
            );
            println!("{signals:?} {who:6} windows at the end {windows:.0?}");
        };
        line("RTL", &ours);
        line("oracle", &theirs);
        assert!((ours.completion_us / theirs.completion_us - 1.0).abs() < 0.02);
        assert!((ours.jain - theirs.jain).abs() < 0.01 && theirs.jain >= 0.95);
        let sum = |figures: &Figures| figures.windows_bytes.iter().sum::<f64>();
        assert!((sum(&ours) / sum(&theirs) - 1.0).abs() < 0.02);
    }
}

/// A bug of half a digit in the RTL ends the run, and the message names the place.
#[test]
fn a_bug_in_the_rtl_is_found() {
    let incast = Incast { message_bytes: 1 << 20, ..Incast::paper(8) };
    let plant = weft_bench::Plant::named(PLANTS, "rounding");
    let mut rtl = Lockstep::new(SmarttParams::default(), incast.csr().unwrap(), 1, plant).unwrap();
    match incast.run(&mut rtl) {
        Err(IncastError::Mismatch(mismatch)) => {
            println!("{mismatch}");
            assert_eq!((mismatch.cycle, mismatch.port), (rtl.clocks(), "m_axis_window_tdata"));
        }
        other => panic!("not found: {:?}", other.map(|run| run.figures())),
    }
}

#[test]
fn impossible_incasts_are_refused() {
    let refused = |incast: &Incast, message: &str| {
        let mut block = Smartt::new(SmarttParams::default(), Incast::paper(1).csr().unwrap());
        let error = incast.run(&mut block).expect_err(message).to_string();
        assert_eq!(error, message);
    };
    let paper = Incast::paper(8);
    refused(
        &Incast { senders: 0, ..paper.clone() },
        "senders = 0 is not possible in an incast; use 1 to 256",
    );
    refused(
        &Incast { senders: 257, ..paper.clone() },
        "senders = 257 is not possible in an incast; use 1 to 256",
    );
    refused(
        &Incast { message_bytes: 0, ..paper.clone() },
        "message = 0 is not possible in an incast; use at least one byte",
    );
    refused(
        &Incast { message_bytes: 1 << 30, senders: 256, ..paper.clone() },
        "packets = 67108864 is not possible in an incast; use fewer senders or a smaller message",
    );
    refused(
        &Incast { jitter_ps: 40_960, ..paper.clone() },
        "jitter = 40960 is not possible in an incast; use less than a packet takes on the link",
    );
    let mut four = Smartt::new(SmarttParams { connections: 4 }, paper.csr().unwrap());
    let error = paper.run(&mut four).expect_err("8 senders").to_string();
    assert_eq!(error, "senders = 8 is not possible in an incast; use a block with a connection for each");
    let mut incast = paper;
    incast.network.link_gbps = 0;
    let mut block = Smartt::new(SmarttParams::default(), Incast::paper(1).csr().unwrap());
    assert!(matches!(incast.run(&mut block), Err(IncastError::Param(_))));
}
