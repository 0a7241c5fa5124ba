//! `weft_sender`, its model alone: the oracle over long runs, and the required rates.

use super::bench::TICK;
use weft_bench::Driver;
use weft_bench::lockstep::run_model;
use weft_blocks::sender::far::Network;
use weft_blocks::sender::stimulus::{Settings, Traffic};
use weft_blocks::sender::tally::Tally;
use weft_blocks::sender::{Dut, default_csr};
use weft_nic::block::sender::{Clocked, Counters, Inputs, Outputs};
use weft_params::{EvMode, SackParams, SenderCsr};
use weft_random::Rng;

/// Runs until all requests have ended, or for this many clocks.
struct Whole(Traffic, u64);

impl Driver<Dut> for Whole {
    fn next(&mut self, outputs: &Outputs) -> Option<Inputs> {
        self.1 = self.1.checked_sub(1)?;
        if self.0.finished() { None } else { Some(self.0.drive(outputs)) }
    }

    fn csr(&self) -> &SenderCsr {
        self.0.csr()
    }
}

fn run(settings: Settings, seed: u64, clocks: u64) -> (Traffic, Clocked) {
    let params = SackParams { connections: settings.connections };
    let mut model = Clocked::new(params, settings.csr);
    let mut whole = Whole(Traffic::new(settings, seed), clocks);
    run_model::<Dut>(&mut model, &mut whole);
    (whole.0, model)
}

fn complete(settings: Settings, seed: u64, clocks: u64) -> Tally {
    let (traffic, _) = run(settings, seed, clocks);
    let tally = traffic.oracle.tally;
    assert!(traffic.finished(), "seed {seed}: {tally:?}");
    tally
}

/// Windows of `packets` packets, and timers that expire only after losses.
fn windows(packets: u32) -> SenderCsr {
    windows_of(packets, default_csr().mtu_shift)
}

/// Windows of `packets` packets with this MTU, as a power of 2.
fn windows_of(packets: u32, mtu_shift: u8) -> SenderCsr {
    let mut csr = SenderCsr { mtu_shift, ..default_csr() };
    csr.sack = csr.sack.with_rto(60_000);
    for class in &mut csr.smartt.classes {
        class.mtu_bytes = 1 << csr.mtu_shift;
        class.max_cwnd_bytes = packets << csr.mtu_shift;
    }
    csr
}

#[test]
fn without_loss_every_message_is_done_and_no_packet_is_sent_twice() {
    for (seed, stall) in [(1, 0), (2, 4)] {
        let settings = Settings { works: 3_000, stall, ..Settings::quiet(16, windows(100)) };
        let tally = complete(settings, seed, 1_000_000);
        assert_eq!((tally.works, tally.done, tally.again), (3_000, 3_000, 0));
        assert!(tally.empty > 50, "{tally:?}");
    }
}

/// A connection that never gives up, with short timers.
fn stubborn() -> SenderCsr {
    let mut csr = windows(100);
    csr.sack = csr.sack.with_rto(250).with_backoff(1).with_retries(15);
    csr
}

#[test]
fn with_a_fifth_lost_and_all_in_disorder_every_message_is_done() {
    let network =
        Network { loss: 51, trims: 20, denials: 0, marks: 20, delay: 100, jitter: 800, ..Network::default() };
    let settings = Settings { works: 1_000, network, packets: 40, ..Settings::quiet(16, stubborn()) };
    let tally = complete(settings, 3, 4_000_000);
    assert_eq!((tally.works, tally.done), (1_000, 1_000));
    assert!(tally.again > tally.fresh / 5, "{tally:?}");
}

#[test]
fn counters_add_up_to_what_was_sent_again_and_on_which_paths() {
    let network =
        Network { loss: 51, trims: 20, denials: 0, marks: 20, delay: 100, jitter: 800, ..Network::default() };
    let settings = Settings { works: 1_000, network, packets: 40, ..Settings::quiet(16, stubborn()) };
    let (traffic, model) = run(settings, 8, 4_000_000);
    let tally = traffic.oracle.tally;
    let Counters { recovery, paths, window, rtt, orders, .. } = model.outputs().counters;
    assert!(traffic.finished() && u64::from(orders) == tally.fresh + tally.again);
    assert_eq!(u64::from(recovery.again), tally.again);
    let causes =
        [recovery.lost_by_nack, recovery.lost_by_verdict, recovery.lost_by_timeout, recovery.lost_by_probe];
    assert!(causes.iter().sum::<u32>() >= recovery.again, "{recovery:?}");
    assert!(causes[..2].iter().all(|&lost| lost > 0) && recovery.lost_by_probe > 0, "{recovery:?}");
    assert_eq!((recovery.unanswered, recovery.denied), (0, 0));
    assert_eq!(paths.explored + paths.recycled + paths.reused, orders, "{paths:?}");
    assert!(paths.freezes >= paths.thaws, "{paths:?}");
    let acks: u32 = rtt.bins.iter().sum();
    assert!(acks > orders / 2 && window.marks > 100 && window.marks < acks / 4, "{window:?} {rtt:?}");
    // A tick has 8 clocks. No round trip is shorter than the delay.
    assert!(rtt.smallest >= 12 && rtt.bins[..4].iter().all(|&acks| acks == 0), "{rtt:?}");
}

/// With two packets in five lost, late EPOCHs and PROBEs are lost as well, so timeouts remain.
#[test]
fn what_timeouts_lose_is_counted() {
    let network = Network { loss: 102, denials: 0, delay: 100, jitter: 800, ..Network::default() };
    let settings = Settings { works: 60, network, packets: 4, ..Settings::quiet(16, stubborn()) };
    let (traffic, model) = run(settings, 8, 4_000_000);
    let recovery = model.outputs().counters.recovery;
    assert!(traffic.finished() && u64::from(recovery.again) == traffic.oracle.tally.again);
    assert!(recovery.timeouts > 0 && recovery.lost_by_timeout > 0, "{recovery:?}");
    assert_eq!((recovery.unanswered, recovery.denied), (0, 0));
}

#[test]
fn acks_of_what_was_never_sent_and_of_long_ago_change_nothing() {
    let settings = Settings { works: 1_000, strays: 100, ..Settings::quiet(16, windows(100)) };
    let (traffic, model) = run(settings, 4, 1_000_000);
    let tally = traffic.oracle.tally;
    assert_eq!((tally.works, tally.done, tally.again), (1_000, 1_000, 0));
    let counters = model.outputs().counters;
    assert!(counters.sack_tx_never_sent > 100 && counters.sack_tx_stale > 100, "{counters:?}");
}

#[test]
fn whatever_happens_every_request_ends_once() {
    for seed in 0..12 {
        let mut rng = Rng::new(seed);
        let random = Settings::random(SackParams { connections: 16 }.into(), &mut rng);
        let (stall, tick) = (random.stall.min(5), random.tick.min(8));
        let mut settings = Settings { works: 400, lies: 0, stall, tick, resets: 0, ..random };
        settings.network.loss = settings.network.loss.min(51);
        let tally = complete(settings, seed, 6_000_000);
        assert_eq!(
            tally.works,
            tally.done + tally.errors + tally.unanswered + tally.denied + tally.failed + tally.refused
        );
    }
}

#[test]
fn lies_break_no_rule_but_that_what_is_done_has_come() {
    for seed in 0..8 {
        let mut rng = Rng::new(seed);
        let settings =
            Settings { lies: 200, ..Settings::random(SackParams { connections: 16 }.into(), &mut rng) };
        let (traffic, _) = run(settings, seed, 60_000);
        assert!(traffic.oracle.tally.fresh > 0);
    }
}

#[test]
fn what_is_too_long_or_too_much_is_refused_and_all_else_is_done() {
    let settings =
        Settings { works: 4_000, depth: 20, packets: 3, idle: 6, ..Settings::quiet(4, windows(100)) };
    let (traffic, model) = run(settings, 5, 3_000_000);
    let tally = traffic.oracle.tally;
    assert!(traffic.finished() && tally.errors == 0, "{tally:?}");
    assert!(tally.refused > 100 && tally.done > 500, "{tally:?}");
    let counters = model.outputs().counters;
    assert_eq!(u64::from(counters.refused), tally.refused);
    assert_eq!(u64::from(counters.posted), tally.done);
    assert_eq!(u64::from(counters.orders), tally.fresh + tally.again);
}

/// Rule 9: at most 32 KiB are in the block, each packet for at most 100 clocks.
#[test]
fn longer_packets_are_as_fast_as_their_bytes() {
    for (mtu_shift, packets) in [(10, 32), (11, 16), (12, 8), (13, 4)] {
        let settings = Settings { packets: 1_000, ..Settings::quiet(64, windows_of(256, mtu_shift)) };
        let orders = |clocks| run(settings, 6, clocks).0.orders.iter().sum::<u64>();
        let sum = orders(60_000) - orders(20_000);
        println!("{packets} packets in {} clocks", 40_000 * packets / sum);
        assert!(
            sum * 100 > 40_000 * packets && sum * 50 < 40_000 * packets,
            "{mtu_shift}: {sum} in 40,000 clocks"
        );
    }
}

#[test]
fn many_connections_share_a_packet_every_two_clocks() {
    for connections in [16, 64] {
        let settings = Settings { packets: 1_000, ..Settings::quiet(connections, windows_of(256, 9)) };
        let (traffic, _) = run(settings, 6, 20_000);
        let before = traffic.orders;
        let (traffic, _) = run(settings, 6, 60_000);
        let orders: Vec<u64> =
            traffic.orders.iter().zip(&before).map(|(after, before)| after - before).collect();
        let sum: u64 = orders.iter().sum();
        // An epoch takes the turn of a packet: one of each connection in 281 ticks.
        let epochs = u64::from(connections) * (40_000 / (281 * TICK) + 1);
        assert!(sum + epochs > 40_000 * 49 / 100, "{sum} in 40,000 clocks");
        let (least, most) = (orders.iter().min().unwrap(), orders.iter().max().unwrap());
        assert!(most - least <= most / 20, "{orders:?}");
    }
}

#[test]
fn the_congestion_window_reaches_the_transport() {
    // The largest window bounds the packets in flight, and is used.
    for packets in [1, 3, 40] {
        let network = Network { delay: 3_000, ..Network::default() };
        let settings = Settings { network, packets: 300, ..Settings::quiet(4, windows(packets)) };
        let (traffic, _) = run(settings, 7, 60_000);
        assert_eq!(traffic.most_in_flight, packets, "the largest window");
    }
    // Marks make the window small, and so do trimmed packets.
    let clean = Network { delay: 4_000, ..Network::default() };
    for (network, small) in
        [(clean, false), (Network { marks: 256, ..clean }, true), (Network { trims: 100, ..clean }, true)]
    {
        let settings = Settings { network, packets: 1_000, ..Settings::quiet(4, windows(200)) };
        let (mut traffic, mut model) = run(settings, 8, 800_000);
        assert!(traffic.most_in_flight > 100);
        traffic.most_in_flight = 0;
        for _ in 0..20_000 {
            let inputs = traffic.drive(model.outputs());
            model.clock(&inputs);
        }
        assert_eq!(traffic.most_in_flight < 60, small, "{network:?}: {}", traffic.most_in_flight);
    }
}

/// Percentage of the later orders whose entropy value an unmarked ACK had returned.
fn recycled(csr: SenderCsr, network: Network) -> usize {
    let settings = Settings { network, packets: 300, ..Settings::quiet(4, csr) };
    let (traffic, _) = run(settings, 9, 60_000);
    let late = &traffic.entropy[traffic.entropy.len() / 4..];
    late.iter().filter(|(_, _, returned)| *returned).count() * 100 / late.len()
}

#[test]
fn entropy_values_are_recycled_as_acks_allow() {
    let mut csr = windows(40);
    csr.reps.ev_base = 0;
    csr.reps.evs_size = 1 << 16;
    let clean = Network { delay: 200, ..Network::default() };
    let marked = Network { marks: 256, ..clean };
    assert!(recycled(csr, clean) > 80, "{} of 100", recycled(csr, clean));
    assert!(recycled(csr, marked) < 20, "{} of 100", recycled(csr, marked));
    // An idle time of one tick: every packet of a slow connection explores.
    let slow = windows(1);
    let slow = SenderCsr { idle_ticks: 1, reps: weft_params::RepsCsr { bdp_packets: 1, ..csr.reps }, ..slow };
    assert!(recycled(slow, clean) < 20, "{} of 100", recycled(slow, clean));
    assert!(recycled(SenderCsr { idle_ticks: 0, ..slow }, clean) > 80);
    csr.reps.mode = EvMode::Fixed;
    let settings = Settings { packets: 300, ..Settings::quiet(4, csr) };
    let (traffic, _) = run(settings, 10, 20_000);
    let values: std::collections::HashSet<_> =
        traffic.entropy.iter().map(|&(connection, ev, _)| (connection, ev)).collect();
    assert!(traffic.entropy.len() > 1_000);
    assert_eq!(values.len(), 4, "one for each connection");
}
