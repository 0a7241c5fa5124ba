//! NICs whose windows have 512 and 1,024 PSNs: RTL and model in lockstep on every port, over long wires that lose and
//! reorder. ACKs of far PSNs, whose bitmaps move, show that windows have more than 256 PSNs.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use weft_nic::nic::{Inputs, Outputs};
use weft_params::registers::{SHAPE, offsets, register, shape};
use weft_params::{EvMode, NicParams, WindowAlgorithm};
use weft_system::nic::{
    Access, AnyNic, Axil, Device, DeviceError, HostSettings, Identity, Impairments, Maker, RegisterDriver,
    Scenario, View, Workload, configuration,
};
use weft_wire::{Body, packet};

/// ACKs that two NICs sent of far PSNs.
#[derive(Debug, Default)]
struct Far {
    acks: AtomicU32,
    /// The most PSNs from the first missing one to that of an ACK.
    most: AtomicU32,
}

/// A NIC, and a record of the frames that it sends.
struct Watched {
    nic: AnyNic,
    frame: Vec<u8>,
    far: Arc<Far>,
}

impl Watched {
    fn sent(&self) {
        let Ok(said) = packet::parse(&self.frame) else { return };
        let Body::Ack(ack) = &said.body else { return };
        let ahead = i32::from(ack.seth.ack_psn_offset()) - 1;
        if ahead >= 256 && ack.seth.sack_offset() > 1 {
            self.far.acks.fetch_add(1, Ordering::Relaxed);
            self.far.most.fetch_max(ahead as u32, Ordering::Relaxed);
        }
    }
}

impl Device for Watched {
    fn outputs(&self) -> &Outputs {
        self.nic.outputs()
    }

    fn clock(&mut self, inputs: &Inputs) -> Result<(), DeviceError> {
        if let Some((_, beat)) = self.nic.outputs().net.get().filter(|_| inputs.net_ready) {
            self.frame.extend(beat.bytes());
            if beat.last {
                self.sent();
                self.frame.clear();
            }
        }
        self.nic.clock(inputs)
    }
}

fn maker(psns: u32) -> Maker {
    let params = NicParams { connections: 16, psns, ..NicParams::default() };
    Maker::new(params, true).expect("the Verilog builds")
}

/// A pair of NICs over wires on which as many packets have room as a window has PSNs, from random registers, with hosts
/// that stall.
fn long_wires(maker: &Maker, seed: u64, impairments: Impairments) {
    let psns = maker.params().psns;
    let workload = Workload::Pair { messages: 12, bytes: 250_000 };
    let mut scenario = Scenario {
        seed,
        connections: 16,
        mtu: 256,
        host: HostSettings { stalls: 0.1, ..HostSettings::default() },
        ..Scenario::new(2, workload)
    };
    scenario.link.latency_clocks = u64::from(psns) * 2;
    scenario.link.impairments = impairments;
    let far = Arc::new(Far::default());
    let make = |identity: &Identity| {
        let csr = configuration(identity, EvMode::Reps).map_err(weft_bench::Error::from)?;
        let nic = maker.device(View::Lockstep, seed ^ u64::from(identity.number))?;
        let device = Watched { nic, frame: Vec::new(), far: far.clone() };
        Ok::<_, DeviceError>((device, RegisterDriver::new(identity, &csr)))
    };
    let figures = scenario.run_on(make, |_| true).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    assert_eq!(figures.left, 0);
    let packets = figures.packets;
    assert!(packets.retransmissions > 10, "{packets:?}");
    let (acks, most) = (far.acks.load(Ordering::Relaxed), far.most.load(Ordering::Relaxed));
    assert!(acks > 100 && most >= psns / 4 * 3, "{acks} ACKs of far PSNs, up to {most}");
}

/// Wires that lose and reorder a little: windows are full.
const MILD: Impairments = Impairments {
    loss: 0.002,
    duplicate: 0.001,
    reorder: 0.01,
    reorder_clocks: 500,
    corrupt: 0.0005,
    damage: 0.0005,
};

#[test]
fn windows_of_512_in_lockstep() {
    let maker = maker(512);
    long_wires(&maker, 1, MILD);
}

#[test]
fn windows_of_1024_in_lockstep() {
    let maker = maker(1_024);
    long_wires(&maker, 1, MILD);
}

#[test]
#[ignore = "soak: more seeds, and everything bad"]
fn larger_windows_in_lockstep_again_and_again() {
    for psns in [512, 1_024] {
        let maker = maker(psns);
        (2..=6).for_each(|seed| long_wires(&maker, seed, MILD));
        (7..=9).for_each(|seed| long_wires(&maker, seed, Impairments { loss: 0.005, reorder: 0.05, ..MILD }));
    }
}

/// Software reads the number of PSNs of a window from the NIC.
#[test]
fn the_register_shape_says_which_window() {
    let mut nic = maker(1_024).device(View::Lockstep, 1).expect("it can be made");
    nic.clock(&Inputs { rst: true, ..Inputs::default() }).expect("it runs");
    let mut axil = Axil::default();
    axil.push(Access::Read(offsets::SHAPE));
    let read = (0..100).find_map(|_| {
        let (inputs, answer) = axil.clock(&nic.outputs().axil).expect("registers answer");
        nic.clock(&Inputs { axil: inputs, ..Inputs::taking() }).expect("model and RTL agree");
        answer
    });
    let field = register("shape").and_then(|register| register.field("psns")).expect("a field");
    assert_eq!(read.map(|(_, value)| value), Some(SHAPE | 2 << field.lsb));
    assert_eq!(shape(512, 1, WindowAlgorithm::Smartt, 1_024), SHAPE | 2 << field.lsb);
}
