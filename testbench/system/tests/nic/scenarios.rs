//! Whole NICs on a fabric: RTL and model in lockstep under every impairment, and the papers' FPGA workload on the RTL
//! (REPS section 4.4): a 4 MB ring AllReduce among 8 NICs at 100 Gb/s with packets of 8 KiB.

use std::sync::OnceLock;
use weft_params::{EvMode, SackParams};
use weft_system::nic::{
    CLOCK_NS, DeadPath, DeviceError, Figures, HostSettings, Impairments, Maker, Queue, Rate, RegisterDriver,
    Scenario, View, Wires, Workload, configuration,
};

const CONNECTIONS: u32 = 16;

/// The Verilog is built once, if it is needed.
fn maker(view: View) -> &'static Maker {
    static MAKERS: [OnceLock<Maker>; 2] = [const { OnceLock::new() }; 2];
    let rtl = view != View::Model;
    MAKERS[usize::from(rtl)].get_or_init(|| Maker::new(SackParams { connections: CONNECTIONS }, rtl).unwrap())
}

fn run(scenario: &Scenario, view: View, mode: EvMode) -> Figures {
    let make = |identity: &weft_system::nic::Identity| {
        let csr = configuration(identity, mode).map_err(weft_bench::Error::from)?;
        let device = maker(view).device(view, scenario.seed ^ u64::from(identity.number))?;
        Ok::<_, DeviceError>((device, RegisterDriver::new(identity, &csr)))
    };
    scenario.run_on(make, |_| true).unwrap_or_else(|error| panic!("{error}"))
}

fn pair(messages: u32, mtu: u32) -> Scenario {
    let workload = Workload::Pair { messages, bytes: 20_000 };
    Scenario { connections: CONNECTIONS, mtu, ..Scenario::new(2, workload) }
}

fn all_is_well(messages: u32) {
    for (mtu, v6, tag) in
        [(1024, false, None), (8192, true, None), (4096, false, Some(0x2005)), (2048, true, Some(7))]
    {
        let figures = run(&Scenario { v6, tag, ..pair(messages, mtu) }, View::Lockstep, EvMode::Reps);
        assert_eq!((figures.left, figures.packets.retransmissions), (0, 0), "MTU {mtu}");
    }
}

#[test]
fn all_is_well_in_lockstep() {
    all_is_well(10);
}

#[test]
#[ignore = "soak: four times the messages"]
fn all_is_well_in_lockstep_for_long() {
    all_is_well(40);
}

#[test]
fn everything_bad_in_lockstep() {
    everything_bad(1..=1);
}

#[test]
#[ignore = "soak: more seeds"]
fn everything_bad_in_lockstep_again_and_again() {
    everything_bad(2..=8);
}

fn everything_bad(seeds: std::ops::RangeInclusive<u64>) {
    for seed in seeds {
        let mut scenario =
            Scenario { seed, host: HostSettings { stalls: 0.3, ..Default::default() }, ..pair(40, 1024) };
        scenario.link.impairments = Impairments::EVERYTHING;
        let figures = run(&scenario, View::Lockstep, EvMode::Reps);
        assert_eq!(figures.left, 0);
        assert!(
            figures.packets.retransmissions > 10 && figures.packets.duplicates > 5,
            "{:?}",
            figures.packets
        );
    }
}

/// RTL and model are the same device: the same figures, to the last packet.
#[test]
fn views_give_the_same_figures() {
    let mut scenario = pair(20, 1024);
    scenario.link.impairments.loss = 0.05;
    let figures = [View::Rtl, View::Model, View::Lockstep].map(|view| run(&scenario, view, EvMode::Ops));
    assert_eq!(figures[0], figures[1]);
    assert_eq!(figures[0], figures[2]);
}

/// The papers' workload on four paths of 100 Gb/s; all connections cross them.
fn allreduce() -> Scenario {
    let mut scenario = Scenario::new(8, Workload::AllReduce { bytes: 4 << 20 });
    scenario.connections = CONNECTIONS;
    scenario.mtu = 8192;
    scenario.fabric.paths = 4;
    let bdp = (u64::from(Rate::GBPS_100.bytes) * scenario.base_rtt_clocks()) as u32;
    scenario.fabric.queue = Queue { bytes: bdp, mark_from: bdp / 5, mark_all: bdp / 5 * 4, trims: true };
    scenario
}

/// The model has the same figures as the RTL ([`views_give_the_same_figures`]), and needs less time.
#[test]
#[ignore = "soak: `make test` has the path that is cut"]
fn a_path_at_half_speed() {
    half_speed(View::Model);
}

#[test]
#[ignore = "soak: the same by the RTL"]
fn a_path_at_half_speed_by_the_rtl() {
    half_speed(View::Rtl);
}

fn half_speed(view: View) {
    let mut slow = allreduce();
    slow.fabric.slow_path = Some(Wires::of_path(0));
    let mut fair = allreduce();
    // Three paths and a half for four hosts.
    fair.link.rate = Rate { bytes: 7 * Rate::GBPS_100.bytes, clocks: 8 };
    let time = |scenario: &Scenario, mode| run(scenario, view, mode).finish_us().unwrap();
    let (fair, reps) = (time(&fair, EvMode::Reps), time(&slow, EvMode::Reps));
    println!("fair share {fair:.1} us, REPS {reps:.1} us");
    assert!(reps < 1.05 * fair, "REPS {reps} us, the fair share {fair} us");
    let ops = run(&slow, view, EvMode::Ops);
    let gbps = ops.goodput_gbps().unwrap() / 8.0;
    println!("OPS {:.1} us, {gbps:.1} Gb/s a NIC", ops.finish_us().unwrap());
    assert!(gbps < 51.0, "OPS is not capped by the slow path: {gbps} Gb/s");
}

#[test]
fn a_path_that_is_cut() {
    path_cut(View::Model);
}

#[test]
#[ignore = "soak: the same by the RTL"]
fn a_path_that_is_cut_by_the_rtl() {
    path_cut(View::Rtl);
}

fn path_cut(view: View) {
    let mut cut = allreduce();
    let clocks = |us: u64| us * 1_000 / CLOCK_NS;
    cut.fabric.dead_path =
        Some(DeadPath { wires: Wires::of_path(1), from: clocks(200), until: clocks(2_000) });
    let lost = |mode| {
        let figures = run(&cut, view, mode);
        let fabric = figures.fabric();
        println!("{mode:?}: {} lost, {:.1} us", fabric.dead + fabric.drops, figures.finish_us().unwrap());
        fabric.dead + fabric.drops
    };
    let (reps, ops) = (lost(EvMode::Reps), lost(EvMode::Ops));
    // A five-tuple's hash sends a packet and its ACK by unrelated paths, so until the timeout a fourth of
    // both is lost. (While packet and ACK of one entropy value shared a path, the factor was ten.)
    assert!(ops >= 5 * reps, "OPS lost {ops}, REPS {reps}");
}
