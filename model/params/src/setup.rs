//! A NIC on a network: the NIC's whole configuration, from a designer's parameters of NIC and network.

use crate::error::{ParamError, require};
use crate::nic::{EgressCsr, IngressCsr, ReceiverCsr, SenderCsr};
use crate::nscc::WindowAlgorithm;
use crate::registers::{NicCsr, Op, Register, register, registers, writes};
use crate::reps::RepsCsr;
use crate::sack::{SackRxCsr, SackTxClass, SackTxCsr};
use crate::smartt::{Network, Sizing, SmarttParams};

/// The clock and the width of the NIC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Core {
    /// Clock frequency in Hz.
    pub clock_hz: u64,
    /// Width of a word of the streams in bits: 128, 256 or 512.
    pub width: u32,
}

impl Default for Core {
    /// 250 MHz, 512 bits.
    fn default() -> Self {
        Self { clock_hz: 250_000_000, width: 512 }
    }
}

/// Clocks that a NIC adds to a round-trip time (page `docs/blocks/nic.md`), in three parts: from the time
/// stamp of a data frame to its first word; from its last word to the first word of the ACK; from the ACK's
/// last word to the clock in which the NIC measures the time.
const RTT_CLOCKS: u64 = 18 + 77 + 20;
/// Clocks from the choice of a packet to its time stamp, besides the DMA read and its words.
const WAIT_CLOCKS: u64 = 87;
/// Bytes of a frame before and after its payload, without FCS; and further bytes on the wire.
const HEADERS: u32 = 86;
const OVERHEAD: u32 = 24;
/// Bits of a word inside the NIC.
const CORE_BITS: u32 = 512;

const PS_PER_S: u64 = 1_000_000_000_000;
const PS_PER_US: u64 = 1_000_000;

impl Core {
    /// Picoseconds of a number of clocks, rounded to the nearest.
    fn ps(&self, clocks: u64) -> u64 {
        ((2 * u128::from(clocks) * u128::from(PS_PER_S) / u128::from(self.clock_hz)) as u64).div_ceil(2)
    }

    fn ns(&self, clocks: u64) -> u32 {
        self.ps(clocks).div_ceil(1_000) as u32
    }

    /// Clocks of a number of bytes on a stream: whole words of the core, which converters split (rule 10 of
    /// the NIC).
    fn words(&self, bytes: u32) -> u64 {
        (bytes.div_ceil(CORE_BITS / 8) * (CORE_BITS / self.width)).into()
    }

    /// The time that the two NICs add to the round-trip time of a wire.
    pub fn rtt_ns(&self) -> u32 {
        self.ns(RTT_CLOCKS + 2 * self.words(1))
    }

    /// Time during which a packet of `mtu_bytes` counts in the window and has no time stamp yet, with DMA
    /// reads of `dma_ns`.
    pub fn wait_ns(&self, mtu_bytes: u32, dma_ns: u32) -> u32 {
        self.ns(WAIT_CLOCKS + self.words(mtu_bytes)) + dma_ns
    }

    /// A tick of 2^`shift` clocks, in ps.
    fn tick_ps(&self, shift: u8) -> u32 {
        self.ps(1 << shift).try_into().unwrap_or(u32::MAX)
    }

    /// Refuses a clock out of range, and a wire rate above the rate of the words.
    fn check(&self, link_gbps: u32, mtu_bytes: u32) -> Result<(), ParamError> {
        let mhz = self.clock_hz / 1_000_000;
        require((32..=1_000).contains(&mhz), "clock-mhz", mhz, "use 32 to 1000 MHz")?;
        require([128, 256, 512].contains(&self.width), "width", self.width.into(), "use 128, 256 or 512")?;
        // Full packets back to back: their bits on the wire, and in words.
        let bits = u128::from(8 * (mtu_bytes + HEADERS + OVERHEAD));
        let words = u128::from(self.words(mtu_bytes + HEADERS));
        let most = bits * u128::from(self.clock_hz) / words / 1_000_000_000;
        let clock = (u128::from(link_gbps) * words * 1_000).div_ceil(bits);
        require(
            u128::from(link_gbps) <= most,
            "rate",
            link_gbps.into(),
            format!(
                "{} bits at {} MHz carry {most} Gb/s of packets of {mtu_bytes} bytes; use at least {clock} MHz, or a \
                 rate of at most {most} Gb/s",
                self.width,
                self.clock_hz as f64 / 1e6
            ),
        )
    }
}

/// A NIC on a network.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The network. Base RTTs are those of the wire: from the first bit of a full packet on the wire to the
    /// last bit of the ACK, if the peer answers at once.
    pub network: Network,
    /// The clock and the width of the NIC.
    pub core: Core,
    /// The algorithm of the NIC's windows.
    pub window: WindowAlgorithm,
    /// Duration of a DMA read under load.
    pub dma_ns: u32,
    /// Number of new packets after which the receiver sends an ACK.
    pub ack_packets: u32,
    /// Silence after which packets in flight are lost, for each class. If empty: 70 us, and at least two
    /// target RTTs.
    pub rto_us: Vec<u32>,
    /// Silence that a connection survives, for each class.
    pub retry_ms: Vec<u32>,
}

impl Default for Setup {
    /// The paper's network at 100 Gb/s, a DMA read of 1 us, an ACK for each packet, a silence of 1 s.
    fn default() -> Self {
        Self {
            network: Network { link_gbps: 100, ..Network::default() },
            core: Core::default(),
            window: WindowAlgorithm::default(),
            dma_ns: 1_000,
            ack_packets: 1,
            rto_us: Vec::new(),
            retry_ms: vec![1_000],
        }
    }
}

impl Default for NicCsr {
    /// The registers for the network of [`Setup::default`]. A tick has 8 clocks, 32 ns at 250 MHz.
    fn default() -> Self {
        Setup::default().csr().expect("the default network is possible")
    }
}

/// The shortest default RTO (ARCANE 4.1).
const RTO_US: u64 = 70;
/// Time after which the receiver acknowledges a waiting packet.
const ACK_TIMEOUT_US: u64 = 4;
/// Duration of a freeze of REPS.
const FREEZE_US: u64 = 10_000;

/// A write to a register.
#[derive(Clone, Copy, Debug)]
pub struct Write {
    /// The register.
    pub register: &'static Register,
    /// Number of the word in the register.
    pub word: u16,
    /// Value to write.
    pub value: u32,
}

impl Write {
    /// The word's offset in bytes.
    pub fn offset(&self) -> u16 {
        self.register.offset + 4 * self.word
    }
}

/// The value of a class in a list of up to four. Missing classes repeat the last.
fn of_class(list: &[u32], class: usize) -> Option<u32> {
    list.get(class).or(list.last()).copied()
}

impl Setup {
    /// The network as the NIC sees it: the NIC's own latency is a part of round-trip times, and the tick is
    /// one that the NIC can have.
    pub fn seen(&self) -> Result<(Network, u8), ParamError> {
        self.network.sizing()?;
        self.core.check(self.network.link_gbps, self.network.mtu_bytes)?;
        let added_ns = self.core.rtt_ns();
        let base_rtt_ns = self.network.base_rtt_ns.iter().map(|wire_ns| wire_ns + added_ns).collect();
        let wait_ns = self.core.wait_ns(self.network.mtu_bytes, self.dma_ns);
        let network = Network { base_rtt_ns, wait_ns, ..self.network.clone() };
        let shift = match network.tick_ps {
            None => network.tick_shift(|shift| self.core.tick_ps(shift)),
            Some(tick_ps) => {
                let shift = (0..16).find(|&shift| self.core.tick_ps(shift).abs_diff(tick_ps) <= 1);
                let rule = || format!("use {} ps, a clock, times a power of two", self.core.tick_ps(0));
                shift.ok_or_else(|| ParamError {
                    name: "tick-ps",
                    value: tick_ps.into(),
                    rule: rule().into(),
                })?
            }
        };
        Ok((Network { tick_ps: Some(self.core.tick_ps(shift)), ..network }, shift))
    }

    /// The registers of the transport for a network with its tick: ages, gap and timer of each class.
    pub fn transport(&self, sizing: &Sizing) -> Result<SackTxCsr, ParamError> {
        let Network { link_gbps, tick_ps, .. } = sizing.network;
        let tick_ps = tick_ps.unwrap_or(32_000);
        let ticks = |us: u64| (us * PS_PER_US).div_ceil(tick_ps.into());
        for (name, list) in [("rto-us", &self.rto_us), ("retry-ms", &self.retry_ms)] {
            require(list.len() <= SmarttParams::CLASSES, name, list.len() as u64, "give 1 to 4 times")?;
        }
        let classes = std::array::from_fn(|class| {
            let (window, sized) = (&sizing.csr.classes[class], &sizing.classes[class]);
            let wanted_us = of_class(&self.rto_us, class)
                .map_or_else(|| RTO_US.max((2 * u64::from(sized.target_rtt_ns)).div_ceil(1_000)), u64::from);
            let packets = sized.bdp_bytes.div_ceil(window.mtu_bytes);
            let of_window = SackTxClass::for_window(window).with_bdp(packets);
            let class = of_window.with_wait(window.mtu_bytes, link_gbps, self.dma_ns, tick_ps);
            SackTxClass { rto_ticks: ticks(wanted_us).try_into().unwrap_or(u32::MAX), ..class }
        });
        let mut csr = SackTxCsr { mtu_bytes: sizing.network.mtu_bytes, classes };
        csr.check()?;
        for (number, class) in csr.classes.iter_mut().enumerate() {
            let retry_ms = of_class(&self.retry_ms, number).unwrap_or_default();
            let silence_ticks = ticks(u64::from(retry_ms) * 1_000);
            *class = class.with_silence(silence_ticks);
            let longest_ms = class.silence_ticks() * u64::from(tick_ps) / PS_PER_US / 1_000;
            require(
                class.silence_ticks() > silence_ticks,
                "retry-ms",
                retry_ms.into(),
                format!(
                    "it is more than {} retries last; use at most {longest_ms}, or a longer rto-us",
                    class.retry_limit
                ),
            )?;
        }
        Ok(csr)
    }

    /// All of the NIC's configuration except its addresses.
    pub fn csr(&self) -> Result<NicCsr, ParamError> {
        let (network, tick_shift) = self.seen()?;
        let sizing = network.sizing()?;
        let tick_ps = u64::from(self.core.tick_ps(tick_shift));
        let ticks = |us: u64| (us * PS_PER_US).div_ceil(tick_ps);
        let sack = self.transport(&sizing)?;
        let longest = |of: fn(&SackTxClass) -> u32| sack.classes.iter().map(of).max().unwrap_or_default();
        let bdp_bytes = sizing.classes.iter().map(|class| class.bdp_bytes).max().unwrap_or_default();
        let receiver = ReceiverCsr {
            sack: SackRxCsr { ack_packets: self.ack_packets, ..SackRxCsr::default() },
            ack_timeout_ticks: ticks(ACK_TIMEOUT_US).try_into().unwrap_or(u16::MAX),
        };
        receiver.sack.check()?;
        let reps = RepsCsr {
            freeze_timeout_ticks: ticks(FREEZE_US) as u32,
            bdp_packets: bdp_bytes.div_ceil(network.mtu_bytes),
            trimming: network.trimming,
            rtt_high_ticks: longest(|class| class.high_ticks),
            rtt_window_ticks: 2 * longest(|class| class.rto_ticks),
            ..RepsCsr::default()
        };
        let mut smartt = match self.window {
            WindowAlgorithm::Smartt => sizing.csr,
            WindowAlgorithm::Nscc => network.nscc()?.as_smartt(),
        };
        for (class, sized) in smartt.classes.iter_mut().zip(&sizing.classes) {
            // The transport sends a packet only if the window has room for all of it.
            let whole_bytes = sized.bdp_bytes.next_multiple_of(class.mtu_bytes);
            class.max_cwnd_bytes = class.max_cwnd_bytes.max(whole_bytes);
        }
        let mtu_shift = network.mtu_bytes.ilog2() as u8;
        Ok(NicCsr {
            tick_shift,
            ingress: IngressCsr::default(),
            egress: EgressCsr::default(),
            receiver,
            sender: SenderCsr { mtu_shift, idle_ticks: 0, sack, smartt, reps },
        })
    }

    /// The writes of bring-up, in order, after software has found COMMAND not busy: the configuration, the
    /// seed of the generator of entropy values, and the command that applies the seed. With a MAC address,
    /// the writes also have the address, and a seed that is computed from it.
    pub fn writes(&self, mac: Option<u64>, seed: u32) -> Result<Vec<Write>, ParamError> {
        let mut csr = self.csr()?;
        csr.egress.mac = mac.unwrap_or_default();
        let is_own = |name: &str| {
            name.starts_with("ingress_ip") || name.starts_with("egress_ip") || name == "ingress_qp_base"
        };
        let is_there = |write: &Write| {
            !is_own(&write.register.name) && (mac.is_some() || write.register.name != "egress_mac")
        };
        let of = |(offset, value)| {
            let register = registers().iter().rfind(|register| register.offset <= offset)?;
            Some(Write { register, word: (offset - register.offset) / 4, value })
        };
        let configured = writes(&csr).into_iter().filter_map(of).filter(is_there);
        let seeded = [("seed", seed), ("command", Op::Seed.command(0))];
        let seeded = seeded
            .into_iter()
            .filter_map(|(name, value)| Some(Write { register: register(name)?, word: 0, value }));
        Ok(configured.chain(seeded).collect())
    }
}

/// A seed for the generator of entropy values that differs between NICs: the bits of the MAC address, mixed
/// so that successive addresses give seeds that differ in half of their bits.
pub fn seed_of_mac(mac: u64) -> u32 {
    let mixed = (mac ^ mac >> 24).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 32 ^ mixed >> 13) as u32
}
