//! NICs with NSCC in place of SMaRTT: RTL and model in lockstep on every port, over a network that loses and
//! reorders.

use std::sync::OnceLock;
use weft_nic::nic::Inputs;
use weft_params::registers::{self, SHAPE, offsets, shape};
use weft_params::{EvMode, NicParams, WindowAlgorithm};
use weft_system::nic::{
    Access, Axil, Device, DeviceError, Figures, HostSettings, Identity, Impairments, Maker, Queue, Rate,
    RegisterDriver, Scenario, View, Workload, configuration_with,
};

const SHAPE_OF_NIC: NicParams =
    NicParams { connections: 16, width: 512, bypass_user: 1, window: WindowAlgorithm::Nscc, psns: 256 };

/// The Verilog is built once.
fn maker() -> &'static Maker {
    static MAKER: OnceLock<Maker> = OnceLock::new();
    MAKER.get_or_init(|| Maker::new(SHAPE_OF_NIC, true).expect("the Verilog builds"))
}

fn run(scenario: &Scenario) -> Figures {
    let make = |identity: &Identity| {
        let csr = configuration_with(identity, EvMode::Reps, WindowAlgorithm::Nscc);
        let csr = csr.map_err(weft_bench::Error::from)?;
        let device = maker().device(View::Lockstep, scenario.seed ^ u64::from(identity.number))?;
        Ok::<_, DeviceError>((device, RegisterDriver::new(identity, &csr)))
    };
    scenario.run_on(make, |_| true).unwrap_or_else(|error| panic!("{error}"))
}

fn everything_bad(seeds: std::ops::RangeInclusive<u64>) {
    for seed in seeds {
        let workload = Workload::Pair { messages: 30, bytes: 20_000 };
        let mut scenario = Scenario {
            seed,
            connections: SHAPE_OF_NIC.connections,
            mtu: 1024,
            host: HostSettings { stalls: 0.3, ..HostSettings::default() },
            ..Scenario::new(2, workload)
        };
        scenario.link.impairments = Impairments::EVERYTHING;
        let figures = run(&scenario);
        assert_eq!(figures.left, 0);
        let packets = figures.packets;
        assert!(packets.retransmissions > 10 && packets.duplicates > 5, "{packets:?}");
    }
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

/// Wires so slow that the windows shrink and grow: then every register of NSCC counts.
#[test]
fn a_congested_path_in_lockstep() {
    let workload = Workload::Pair { messages: 30, bytes: 40_000 };
    let mut scenario =
        Scenario { connections: SHAPE_OF_NIC.connections, mtu: 1024, ..Scenario::new(2, workload) };
    (scenario.fabric.paths, scenario.fabric.rate) = (1, Rate::of_gbps(20));
    let bdp = (u64::from(Rate::GBPS_100.bytes) * scenario.base_rtt_clocks()) as u32 / 2;
    scenario.fabric.queue = Queue { bytes: bdp, mark_from: bdp / 5, mark_all: bdp / 5 * 4, trims: true };
    let figures = run(&scenario);
    let fabric = figures.fabric();
    assert!(figures.left == 0 && fabric.marks > 50 && fabric.trims > 10, "{fabric:?}");
}

/// Software reads the algorithm of the windows from the NIC.
#[test]
fn the_register_shape_says_which_window() {
    let mut nic = maker().device(View::Lockstep, 1).expect("it can be made");
    nic.clock(&Inputs { rst: true, ..Inputs::default() }).expect("it runs");
    let mut axil = Axil::default();
    axil.push(Access::Read(offsets::SHAPE));
    let read = (0..100).find_map(|_| {
        let (inputs, answer) = axil.clock(&nic.outputs().axil).expect("registers answer");
        nic.clock(&Inputs { axil: inputs, ..Inputs::taking() }).expect("model and RTL agree");
        answer
    });
    assert_eq!(read.map(|(_, value)| value), Some(shape(512, 1, WindowAlgorithm::Nscc, 256)));
    let field = registers::register("shape").and_then(|register| register.field("window")).expect("a field");
    assert_eq!(shape(512, 1, WindowAlgorithm::Nscc, 256), SHAPE | 1 << field.lsb);
}
