//! Monitors of the ports around the RTL of the NIC (page `docs/monitors.md`). The monitors report every
//! broken rule, and no offer waits for its acceptance. A message goes from one connection to another one of
//! the same NIC, with frames of other software between its packets.

use crate::loopback::{KEY, driver};
use std::collections::VecDeque;
use std::sync::Arc;
use verilator_sys::{Library, Reset};
use weft_bench::{Broken, Error, Rtl, Rule};
use weft_blocks::nic::{Dut, verilator};
use weft_nic::nic::{Inputs, Outputs};
use weft_nic::words::{Beat, Work};
use weft_params::{NicParams, WindowAlgorithm};
use weft_random::Rng;
use weft_system::nic::{Driver, RegisterDriver};

const PARAMS: NicParams =
    NicParams { connections: 4, width: 512, bypass_user: 1, window: WindowAlgorithm::Smartt, psns: 256 };
const BYTES: u32 = 9_000;
/// Clocks after which all events have happened.
const CLOCKS: u64 = 12_000;

/// Streams of the NIC, by the name of their `tready` in [`Inputs`].
#[derive(Clone, Copy, Debug, PartialEq)]
enum Out {
    Net,
    Bypass,
    Fetch,
    Write,
    Received,
    Sent,
}

impl Out {
    const ALL: [Self; 6] = [Self::Net, Self::Bypass, Self::Fetch, Self::Write, Self::Received, Self::Sent];

    fn is_offered(self, outputs: &Outputs) -> bool {
        match self {
            Self::Net => outputs.net.valid,
            Self::Bypass => outputs.bypass.valid,
            Self::Fetch => outputs.fetch.valid,
            Self::Write => outputs.write.valid,
            Self::Received => outputs.received.valid,
            Self::Sent => outputs.sent.valid,
        }
    }
}

/// The surroundings of the NIC.
struct Around {
    driver: RegisterDriver,
    work: Option<(u32, Work)>,
    reads: VecDeque<Beat>,
    wire: Option<Beat>,
    rng: Rng,
    /// Clocks of 4 in which a stream to the host stalls.
    stalls: u32,
    /// The stream that is never accepted.
    held: Option<Out>,
}

impl Around {
    fn new(stalls: u32, held: Option<Out>) -> Self {
        let work = Work { remote: 0x40, key: KEY, length: BYTES, with_immediate: true, ..Work::default() };
        Self {
            driver: driver(1024, 0x40, BYTES),
            work: Some((0, work)),
            reads: VecDeque::new(),
            wire: None,
            rng: Rng::new(3),
            stalls,
            held,
        }
    }

    fn next(&mut self, outputs: &Outputs) -> Inputs {
        let mut ready =
            |of: Out| self.held != Some(of) && (of == Out::Net || self.rng.below(4) >= self.stalls);
        let [net_ready, bypass_ready, fetch_ready, write_ready, received_ready, sent_ready] =
            Out::ALL.map(&mut ready);
        let other = Beat { keep: u64::MAX, last: true, ..Beat::default() };
        let inputs = Inputs {
            // The monitors must object to everything that the driver objects to.
            axil: self.driver.poll(&outputs.axil).unwrap_or_default(),
            // A frame of other software uses the clocks in which the NIC sends none.
            net: Some(self.wire.unwrap_or(other)),
            net_ready,
            bypass_ready,
            work: self.work.filter(|_| self.driver.is_idle()),
            fetch_ready,
            read: self.reads.front().copied(),
            write_ready,
            received_ready,
            sent_ready,
            ..Inputs::default()
        };
        self.work = self.work.filter(|_| inputs.work.is_none() || !outputs.work_ready);
        if outputs.read_ready {
            self.reads.pop_front();
        }
        if let Some((_, place)) = outputs.fetch.get().filter(|_| fetch_ready) {
            self.reads.extend(Beat::frame(&vec![0x5A; place.bytes.into()]));
        }
        // Words of a frame of the NIC's own are not separated by other words.
        let inside = self.wire.is_some_and(|beat| !beat.last);
        let said = outputs.net.get().filter(|_| net_ready).map(|(_, beat)| beat);
        self.wire = if inside { said.or(self.wire) } else { said };
        inputs
    }
}

/// Runs until a rule is broken, or `done`.
fn run(
    library: &Arc<Library>,
    plant: Option<u64>,
    mut around: Around,
    done: impl Fn(&Outputs) -> bool,
) -> Result<bool, Broken> {
    let mut rtl = Rtl::<Dut>::new(library, Reset::Random(1)).expect("the ports");
    if let Some(plant) = plant {
        rtl.set("plant", plant).expect("the plants' port");
    }
    let clock = |rtl: &mut Rtl<Dut>, inputs: &Inputs| match rtl.clock(inputs) {
        Err(Error::Port(broken)) => Err(broken),
        other => {
            other.expect("a clock");
            Ok(())
        }
    };
    for _ in 0..4 {
        clock(&mut rtl, &Inputs { rst: true, ..Inputs::default() })?;
    }
    for _ in 0..CLOCKS {
        let outputs = rtl.outputs();
        if done(&outputs) {
            return Ok(true);
        }
        clock(&mut rtl, &around.next(&outputs))?;
    }
    Ok(false)
}

/// A `tready` that stays low does not keep `tvalid` low.
#[test]
fn no_offer_waits_to_be_taken() {
    let library = verilator(&PARAMS).unwrap().load().unwrap();
    for out in Out::ALL {
        let offered = run(&library, None, Around::new(0, Some(out)), |outputs| out.is_offered(outputs));
        assert_eq!(offered, Ok(true), "{out:?}");
    }
    // The master makes one access at a time, so each direction is tested by itself.
    for reads in [true, false] {
        let mut rtl = Rtl::<Dut>::new(&library, Reset::Random(2)).unwrap();
        rtl.clock(&Inputs { rst: true, ..Inputs::default() }).unwrap();
        let mut inputs = Inputs::default();
        inputs.axil.read_address = reads.then_some(0);
        inputs.axil.write_address = (!reads).then_some(0);
        inputs.axil.write_data = (!reads).then_some((0, 0xF));
        for _ in 0..20 {
            let bus = rtl.outputs().axil;
            rtl.clock(&inputs).unwrap();
            inputs.axil.read_address = inputs.axil.read_address.filter(|_| !bus.read_address_ready);
            inputs.axil.write_address = inputs.axil.write_address.filter(|_| !bus.write_address_ready);
            inputs.axil.write_data = inputs.axil.write_data.filter(|_| !bus.write_data_ready);
        }
        let bus = rtl.outputs().axil;
        assert_eq!((bus.read_done, bus.write_done), (reads, !reads));
    }
}

/// Faults in the wires at the ports: the changed port, its value, and the rule that the fault breaks, with
/// its port.
const PLANTS: [(&str, &str, &str, Rule); 10] = [
    ("m_axis_fetch_tvalid", "sender_m_axis_fetch_tvalid & flip", "m_axis_fetch", Rule::Withdrawn),
    ("m_axis_fetch_tdata", "{79'd0, flip}", "m_axis_fetch_tdata", Rule::Changed),
    ("m_axis_sent_tvalid", "sender_m_axis_sent_tvalid | rst", "m_axis_sent", Rule::Reset),
    (
        "m_axis_bypass_tvalid",
        "ingress_m_axis_bypass_tvalid & m_axis_bypass_tready",
        "m_axis_bypass_tvalid",
        Rule::Path,
    ),
    ("m_axis_write_tkeep", "receiver_m_axis_write_tkeep & ~64'd2", "m_axis_write", Rule::Keep),
    ("m_axis_net_tvalid", "egress_m_axis_net_tvalid & flip", "m_axis_net", Rule::Gap),
    ("m_axis_bypass_tlast", "1'b0", "m_axis_bypass", Rule::Long),
    ("s_axil_rvalid", "registers_s_axil_rvalid | registers_s_axil_bvalid", "s_axil_r", Rule::Unasked),
    ("s_axil_bvalid", "1'b0", "s_axil_b", Rule::Late),
    ("s_axil_bresp", "2'd1", "s_axil_b", Rule::Response),
];

#[test]
#[ignore = "soak: a build of the NIC with its faults"]
fn every_rule_is_seen_broken() {
    let mut modules = weft_hdl::block::nic::emit(&PARAMS).unwrap();
    let nic = modules.iter_mut().find(|module| module.name == "weft_nic").unwrap();
    let plants = nic.text.replacen("\n) (", "\n) (\n    input wire [3:0] plant,", 1);
    let flip = "\n);\n    reg flip;\n    always @(posedge clk) flip <= !rst & !flip;\n";
    nic.text = plants.replacen("\n);\n", flip, 1);
    for ((port, bug, ..), number) in PLANTS.iter().zip(1..) {
        let (before, after) = nic.text.split_once(&format!("assign {port} = ")).unwrap();
        nic.text = format!("{before}assign {port} = (plant == 4'd{number}) ? ({bug}) : {after}");
    }
    let library = weft_bench::build("weft_nic", &modules).quick().load().unwrap();
    let judge =
        |plant| run(&library, Some(plant), Around::new(2, None), |outputs| plant == 0 && outputs.sent.valid);
    assert_eq!(judge(0), Ok(true), "without a fault the message is sent");
    for ((port, bug, broken, rule), number) in PLANTS.into_iter().zip(1..) {
        match judge(number) {
            Err(found) => assert_eq!((found.port, found.rule), (broken, rule), "{port} = {bug}"),
            Ok(_) => panic!("{port} = {bug}: nothing is found"),
        }
    }
    assert_eq!(Rule::ALL.map(|rule| PLANTS.iter().filter(|(.., it)| *it == rule).count()), [1; 10]);
}
