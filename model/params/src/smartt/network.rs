//! Computes the constants of the window from a network architect's figures.

use super::constant::{Constant, Constants};
use super::csr::{Signals, SmarttCsr, SmarttParams};
use super::preset::Preset;
use super::ratio::Ratio;
use crate::error::ParamError;
use serde::{Deserialize, Serialize};

/// BDP of 100 Gb/s and 12 us, in bits: where `fi` was tuned and gamma is 1 (S section 3.5).
const REFERENCE_BDP_BITS: u64 = 1_200_000;
/// Number of MTU serialisation times above the base RTT up to which an RTT counts as the base RTT.
const FAST_MTUS: u64 = 5;
/// The limit in the authors' simulator, which states it as a time.
const FAST_PS_ARTIFACT: u64 = 1_000_000;

/// A network, as its architect describes it; S is the SMaRTT-REPS paper.
///
/// ```
/// use weft_params::{Network, Preset};
///
/// let network = Network { link_gbps: 800, base_rtt_ns: vec![12_000], ..Network::default() };
/// let csr = network.csr()?;
/// assert_eq!(csr.classes[0].max_cwnd_bytes, 1_500_000); // 1.25 BDP
/// let artifact = Network { preset: Preset::Artifact, ..network }.csr()?;
/// assert_eq!(artifact.classes[0].max_cwnd_bytes, 1_800_000); // 1.5 BDP
/// # Ok::<(), weft_params::ParamError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Network {
    /// Rate of the NIC's link in Gb/s: 10 to 1,600.
    pub link_gbps: u32,
    /// RTT of the empty network in ns, one per class of flows (S section 3: "once for each possible hop
    /// count"): 1 to 4 classes, each 100 to 200,000. Classes not given repeat the last.
    pub base_rtt_ns: Vec<u32>,
    /// Time in ns during which a packet counts in the window and not in a round-trip time: from the choice of
    /// the packet by the transport to the packet's time stamp. The window includes the bytes of this time.
    #[serde(default)]
    pub wait_ns: u32,
    /// Payload bytes of a full packet: a power of two, 256 to 8,192.
    pub mtu_bytes: u32,
    /// Bytes that fit into the queue of a switch port; `None`: one BDP of each class (S section 3). The
    /// target RTT is that of a half-full queue.
    pub queue_bytes: Option<u32>,
    /// Duration of a tick of the NIC in ps, at most 32,000. `None`: the largest power of two of nanoseconds
    /// with which the shortest base RTT has 64 ticks, if the longest base RTT allows it.
    pub tick_ps: Option<u32>,
    /// The tuning constants.
    pub preset: Preset,
    /// The switches trim. Without trimming the paper doubles `md` (S section 3.3).
    pub trimming: bool,
    /// Number of ACKs between two reactions of the window: 1 to 50.
    pub granularity: u32,
    /// The signals that the window follows.
    pub signals: Signals,
    /// Losses count while feedback is ignored after QuickAdapt, by the letter of Algorithm 1. S section 3.3
    /// and the authors' simulator ignore such losses.
    pub late_losses: bool,
}

impl Default for Network {
    /// 400 Gb/s, MTU 4,096. Three classes for 1, 3 and 5 switches on the way: within a rack, a pod and a fat
    /// tree of three tiers. With links of 600 ns and switches of 400 ns (S section 4), light and headers
    /// account for 3.2, 7.2 and 11.2 us. Serialisation and the two NICs account for the rest of 4, 8 and 12
    /// us.
    fn default() -> Self {
        Self {
            link_gbps: 400,
            base_rtt_ns: vec![4_000, 8_000, 12_000],
            wait_ns: 0,
            mtu_bytes: 4_096,
            queue_bytes: None,
            tick_ps: None,
            preset: Preset::default(),
            trimming: true,
            granularity: 1,
            signals: Signals::default(),
            late_losses: false,
        }
    }
}

/// A network with its constants: the output of `weft params --json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sizing {
    /// The network, with the tick that was chosen.
    pub network: Network,
    /// The sizes that the constants of each class are derived from.
    pub classes: [ClassSizing; SmarttParams::CLASSES],
    /// The constants.
    pub csr: SmarttCsr,
}

/// The sizes that the constants of a class are derived from, rounded to integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassSizing {
    /// RTT of the empty network.
    pub base_rtt_ns: u32,
    /// Bytes in flight when the link is full: link rate times base RTT, and the bytes that wait for their
    /// time stamp.
    pub bdp_bytes: u32,
    /// Bytes that the queue of a switch port holds.
    pub queue_bytes: u32,
    /// RTT with that queue half full.
    pub target_rtt_ns: u32,
}

impl Network {
    /// The constants, or the reason why the network has none.
    pub fn csr(&self) -> Result<SmarttCsr, ParamError> {
        self.constants().map(|constants| constants.csr())
    }

    /// The constants with their sources.
    pub fn sizing(&self) -> Result<Sizing, ParamError> {
        let csr = self.csr()?;
        let network = Self { tick_ps: Some(self.tick_ps()), ..self.clone() };
        let classes = self.classes().map(|base_rtt_ns| {
            let rounded = |value: Ratio| u32::try_from(value.round()).unwrap_or(u32::MAX);
            ClassSizing {
                base_rtt_ns,
                bdp_bytes: rounded(self.open_bytes(base_rtt_ns)),
                queue_bytes: rounded(Ratio::new(self.queue_bits(base_rtt_ns), 8)),
                target_rtt_ns: rounded(self.target_rtt_ps(base_rtt_ns).per(Ratio::whole(1_000))),
            }
        });
        Ok(Sizing { network, classes, csr })
    }

    /// The constants with their real values.
    pub fn constants(&self) -> Result<Constants, ParamError> {
        self.check()?;
        let constants = Constants {
            classes: self.classes().map(|base_rtt_ns| self.class_constants(base_rtt_ns)),
            shared: self.shared_constants(),
            signals: self.signals,
            late_losses: self.late_losses,
        };
        constants.csr().check().map(|()| constants)
    }

    fn class_constants(&self, base_rtt_ns: u32) -> [Constant; 8] {
        let tuning = self.preset.tuning();
        let open_bytes = self.open_bytes(base_rtt_ns);
        let in_ticks = |ps: Ratio| ps.per(Ratio::whole(self.tick_ps().into()));
        let base_rtt = Ratio::whole(1_000 * u64::from(base_rtt_ns));
        let fast_rtt = in_ticks(self.fast_rtt_ps(base_rtt_ns));
        [
            Constant::new("mtu_bytes", "bytes", 1, Ratio::whole(self.mtu_bytes.into())),
            Constant::new("max_cwnd_bytes", "bytes", 1, open_bytes.times(tuning.window)),
            Constant::new("fair_decrease_bytes", "bytes", 1, open_bytes.per(tuning.fair_decrease)),
            Constant::new("base_rtt_ticks", "ticks", 1, in_ticks(base_rtt)),
            Constant::new("target_rtt_ticks", "ticks", 1, in_ticks(self.target_rtt_ps(base_rtt_ns))),
            // An RTT is the difference of two readings of the clock and may be up to a tick too long: an
            // empty network must stay below the limit.
            Constant::ticks("fast_rtt_ticks", fast_rtt, fast_rtt.floor().max(in_ticks(base_rtt).ceil())),
            Constant::new(
                "multiplicative_increase",
                "bytes",
                256,
                self.multiplicative_increase_bytes(base_rtt_ns),
            ),
            Constant::new("fair_increase", "bytes", 1024, self.fair_increase_bytes(base_rtt_ns)),
        ]
    }

    fn shared_constants(&self) -> [Constant; 6] {
        let tuning = self.preset.tuning();
        let decrease = tuning.multiplicative_decrease[usize::from(!self.trimming)];
        [
            Constant::new("multiplicative_decrease", "", 16, Ratio::whole(decrease)),
            Constant::new("qa_scaling", "", 1 << 23, tuning.qa_scaling),
            Constant::new("wtd_alpha", "", 256, tuning.wtd_alpha),
            Constant::new("wtd_threshold", "", 256, tuning.wtd_threshold),
            Constant::new("granularity", "ACKs", 1, Ratio::whole(self.granularity.into())),
            Constant::new("fast_mtus", "MTUs", 1, Ratio::whole(tuning.fast_mtus)),
        ]
    }

    /// The base RTT of each class of the block; call it after the check.
    pub(super) fn classes(&self) -> [u32; SmarttParams::CLASSES] {
        let last = self.base_rtt_ns.last().copied().unwrap_or_default();
        std::array::from_fn(|class| self.base_rtt_ns.get(class).copied().unwrap_or(last))
    }

    /// Gb/s times ns is bits.
    pub(super) fn bdp_bits(&self, base_rtt_ns: u32) -> u64 {
        u64::from(self.link_gbps) * u64::from(base_rtt_ns)
    }

    /// Unacknowledged bytes when the link is full.
    fn open_bytes(&self, base_rtt_ns: u32) -> Ratio {
        Ratio::new(self.bdp_bits(base_rtt_ns) + self.bdp_bits(self.wait_ns), 8)
    }

    pub(super) fn queue_bits(&self, base_rtt_ns: u32) -> u64 {
        self.queue_bytes.map_or(self.bdp_bits(base_rtt_ns), |bytes| 8 * u64::from(bytes))
    }

    /// Base RTT and the drain time of half a queue (S section 3.5).
    pub(super) fn target_rtt_ps(&self, base_rtt_ns: u32) -> Ratio {
        let half_drained = Ratio::new(500 * self.queue_bits(base_rtt_ns), self.link_gbps.into());
        Ratio::whole(1_000 * u64::from(base_rtt_ns)).plus(half_drained)
    }

    /// Largest RTT that counts as the base RTT.
    pub(super) fn fast_rtt_ps(&self, base_rtt_ns: u32) -> Ratio {
        let more = match self.preset {
            Preset::Paper => Ratio::new(FAST_MTUS * 8_000 * u64::from(self.mtu_bytes), self.link_gbps.into()),
            Preset::Artifact => Ratio::whole(FAST_PS_ARTIFACT),
        };
        Ratio::whole(1_000 * u64::from(base_rtt_ns)).plus(more)
    }

    /// MTU times `mi`: base RTT over the difference of target RTT and base RTT, times gamma (S sections
    /// 3.2.4 and 3.5).
    pub(super) fn multiplicative_increase_bytes(&self, base_rtt_ns: u32) -> Ratio {
        let mtu = Ratio::whole(self.mtu_bytes.into());
        let mi = match self.preset {
            Preset::Paper => Ratio::new(2 * self.bdp_bits(base_rtt_ns), self.queue_bits(base_rtt_ns))
                .times(self.gamma(base_rtt_ns)),
            Preset::Artifact => Ratio::whole(2),
        };
        mtu.times(mi)
    }

    /// MTU times `fi`.
    fn fair_increase_bytes(&self, base_rtt_ns: u32) -> Ratio {
        match self.preset {
            Preset::Paper => Ratio::new(self.mtu_bytes.into(), 4).times(self.gamma(base_rtt_ns)),
            // 0.02 BDP, independent of the MTU.
            Preset::Artifact => Ratio::new(self.bdp_bits(base_rtt_ns), 8 * 50),
        }
    }

    fn gamma(&self, base_rtt_ns: u32) -> Ratio {
        Ratio::new(self.bdp_bits(base_rtt_ns), REFERENCE_BDP_BITS)
    }
}

impl Default for SmarttCsr {
    /// The constants of [`Network::default`].
    fn default() -> Self {
        Network::default().csr().expect("the default network is possible")
    }
}

impl std::fmt::Display for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let base_rtt: Vec<String> = self.base_rtt_ns.iter().map(ToString::to_string).collect();
        let queue = self.queue_bytes.map_or("one BDP".to_owned(), |bytes| format!("{bytes} bytes"));
        write!(
            f,
            "{} Gb/s, base RTT {} ns, MTU {} bytes, queue of {queue}, {}, preset {}",
            self.link_gbps,
            base_rtt.join(", "),
            self.mtu_bytes,
            if self.trimming { "trimming" } else { "no trimming" },
            self.preset
        )?;
        self.tick_ps.map_or(Ok(()), |ps| write!(f, ", tick {} ns", f64::from(ps) / 1_000.0))
    }
}
