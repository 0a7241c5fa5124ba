//! Driver of a real NIC. The driver uses only the registers, as their page describes.

use super::axil::{Access, Axil};
use super::breach::Breach;
use super::driver::{Connection, Driver, Identity};
use crate::network::pace::CLOCK_NS;
use std::collections::VecDeque;
use std::net::IpAddr;
use weft_nic::nic::{AxilInputs, AxilOutputs};
use weft_params::registers::{NicCsr, Op, counters, register, writes};
use weft_params::{EvMode, Network, ParamError, RepsCsr, SackTxClass, WindowAlgorithm};

/// Log2 of the clocks of a tick: 32 ns at 250 MHz.
const TICK_SHIFT: u8 = 3;
/// Nanoseconds of a tick.
const TICK_NS: u64 = 32;
/// Longest time of a DMA read in nanoseconds.
const DMA_NS: u32 = 1_000;
/// The bit of COMMAND that marks a command in progress.
const BUSY: u32 = 1 << 31;

/// The configuration of a NIC on its network: addresses, MTU, windows by SMaRTT's rules for its base RTT.
pub fn configuration(identity: &Identity, mode: EvMode) -> Result<NicCsr, ParamError> {
    configuration_with(identity, mode, WindowAlgorithm::default())
}

/// The same with windows by the rules of this algorithm.
pub fn configuration_with(
    identity: &Identity,
    mode: EvMode,
    window: WindowAlgorithm,
) -> Result<NicCsr, ParamError> {
    let base_rtt_ns = identity.base_rtt_clocks * CLOCK_NS;
    let link_gbps = identity.rate.gbps();
    let network = Network {
        link_gbps: link_gbps as u32,
        base_rtt_ns: vec![base_rtt_ns as u32],
        mtu_bytes: identity.mtu,
        tick_ps: Some(TICK_NS as u32 * 1_000),
        trimming: identity.trims,
        ..Network::default()
    };
    let mut csr = NicCsr { tick_shift: TICK_SHIFT, ..NicCsr::default() };
    match identity.address {
        IpAddr::V4(address) => (csr.ingress.ipv4, csr.egress.ipv4) = (address.into(), address.into()),
        IpAddr::V6(address) => (csr.ingress.ipv6, csr.egress.ipv6) = (address.into(), address.into()),
    }
    csr.ingress.qp_base = identity.qp_base;
    csr.egress.mac = number(&identity.mac);
    csr.sender.mtu_shift = identity.mtu.ilog2() as u8;
    csr.sender.smartt = network.csr()?;
    let bdp_packets = (link_gbps * base_rtt_ns / 8).div_ceil(identity.mtu.into()) as u32;
    let of_class = |class| {
        let class = SackTxClass::for_window(&class).with_bdp(bdp_packets);
        class.with_wait(identity.mtu, link_gbps as u32, DMA_NS, TICK_NS as u32 * 1_000)
    };
    csr.sender.sack.classes = csr.sender.smartt.classes.map(of_class);
    if identity.pauses {
        csr.sender.sack.classes = csr.sender.sack.classes.map(SackTxClass::without_drops);
    }
    if window == WindowAlgorithm::Nscc {
        csr.sender.smartt = network.nscc()?.as_smartt();
    }
    csr.sender.reps = RepsCsr {
        mode,
        trimming: identity.trims,
        bdp_packets,
        rtt_high_ticks: (base_rtt_ns * 165 / 100 / TICK_NS) as u32,
        ..RepsCsr::default()
    };
    Ok(csr)
}

fn number(mac: &[u8; 6]) -> u64 {
    mac.iter().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// Steps that the driver takes in order.
#[derive(Clone, Copy, Debug)]
enum Step {
    Access(Access),
    /// Reads COMMAND until no command is in progress.
    Settle,
    /// A counter's low word, then its high word.
    Low(usize),
    High(usize),
}

/// The driver.
#[derive(Clone, Debug)]
pub struct RegisterDriver {
    axil: Axil,
    steps: VecDeque<Step>,
    step: Option<Step>,
    connections: u32,
    counters: Vec<(String, u64)>,
    /// Low word of the counter that is being read.
    low: u32,
}

impl RegisterDriver {
    /// A driver that begins to bring a NIC up.
    pub fn new(identity: &Identity, csr: &NicCsr) -> Self {
        let mut driver = Self {
            axil: Axil::default(),
            steps: VecDeque::new(),
            step: None,
            connections: identity.connections,
            counters: Vec::new(),
            low: 0,
        };
        // The sweep after reset.
        driver.steps.push_back(Step::Settle);
        for (offset, value) in writes(csr) {
            driver.access(Access::Write(offset, value));
        }
        // Bit 0 did not count when the pages' results were recorded.
        driver.stage("seed", u128::from(identity.seed as u32 & !1));
        driver.command(Op::Seed, 0);
        driver
    }

    fn access(&mut self, access: Access) {
        self.steps.push_back(Step::Access(access));
    }

    fn stage(&mut self, name: &str, value: u128) {
        if let Some(register) = register(name) {
            for (offset, value) in register.writes(value) {
                self.access(Access::Write(offset, value));
            }
        }
    }

    /// Carries out a command with the staged values.
    pub fn command(&mut self, op: Op, connection: u32) {
        if let Some(command) = register("command") {
            self.access(Access::Write(command.offset, op.command(connection)));
            self.steps.push_back(Step::Settle);
        }
    }

    fn begin(&mut self, step: Step) {
        let command = register("command").map_or(0, |register| register.offset);
        let access = match step {
            Step::Access(access) => access,
            Step::Settle => Access::Read(command),
            Step::Low(index) => Access::Read(counters().nth(index).map_or(0, |register| register.offset)),
            Step::High(index) => {
                Access::Read(counters().nth(index).map_or(0, |register| register.offset + 4))
            }
        };
        self.axil.push(access);
        self.step = Some(step);
    }
}

impl Driver for RegisterDriver {
    fn connect(&mut self, connection: &Connection) {
        debug_assert!(connection.number < self.connections);
        let (address, v6) = match connection.peer_address {
            IpAddr::V4(address) => (u128::from(u32::from(address)), false),
            IpAddr::V6(address) => (address.into(), true),
        };
        let tag = connection.tag.map_or(0, |tag| u128::from(tag) | 1 << 16);
        self.stage("peer_address", address);
        self.stage("peer_mac", number(&connection.peer_mac).into());
        self.stage("peer_qp", connection.peer_qp.into());
        self.stage("peer_link", tag | u128::from(v6) << 17);
        self.stage("send_psn", connection.send_psn.into());
        self.stage("receive_psn", connection.receive_psn.into());
        self.stage("region_base", connection.region_base.into());
        self.stage("region_length", connection.region_length.into());
        self.stage("region_key", connection.region_key.into());
        self.stage("send_path", u128::from(connection.ev) | u128::from(connection.class) << 16);
        self.command(Op::Open, connection.number);
    }

    fn poll(&mut self, bus: &AxilOutputs) -> Result<AxilInputs, Breach> {
        if self.step.is_none()
            && let Some(step) = self.steps.pop_front()
        {
            self.begin(step);
        }
        let (inputs, answer) = self.axil.clock(bus)?;
        if let Some((_, value)) = answer {
            match self.step.take() {
                Some(Step::Settle) if value & BUSY != 0 => self.begin(Step::Settle),
                Some(Step::Low(_)) => self.low = value,
                Some(Step::High(index)) => {
                    let name = counters().nth(index).map_or("", |register| &register.name);
                    self.counters.push((name.to_owned(), u64::from(value) << 32 | u64::from(self.low)));
                }
                _ => {}
            }
        }
        Ok(inputs)
    }

    fn is_idle(&self) -> bool {
        self.steps.is_empty() && self.step.is_none()
    }

    fn read_counters(&mut self) {
        self.counters.clear();
        self.steps.extend((0..counters().count()).flat_map(|index| [Step::Low(index), Step::High(index)]));
    }

    fn counters(&self) -> Vec<(String, u64)> {
        self.counters.clone()
    }
}
