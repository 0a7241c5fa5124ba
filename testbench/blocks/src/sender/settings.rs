//! Settings of a run's traffic: registers, network, back-pressure, commands.

use super::far::Network;
use super::ports::default_csr;
use weft_params::{
    EvMode, NsccCsr, SackParams, SackTxClass, SenderCsr, SenderParams, Signals, SmarttCsr, WindowAlgorithm,
};
use weft_random::Rng;

/// Settings of a run's traffic.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Connections of the block.
    pub connections: u32,
    /// PSNs of a window.
    pub psns: u32,
    /// Connections that are used.
    pub active: u32,
    /// The registers.
    pub csr: SenderCsr,
    /// The network.
    pub network: Network,
    /// Clocks of 8 in which no new word is offered.
    pub idle: u32,
    /// Clocks of 8 in which no word is accepted.
    pub stall: u32,
    /// Clocks of 2^16 in which an output begins a long stall.
    pub stalls: u32,
    /// Clocks of 2^16 in which the stream of freezes alone begins a long stall.
    pub unheard: u32,
    /// Resets in 2^16 clocks.
    pub resets: u32,
    /// Commands in 2^16 clocks.
    pub commands: u32,
    /// Forged ACKs and NACKs in 2^10 clocks that name only PSNs never sent.
    pub strays: u32,
    /// Forged ACKs and NACKs in 2^10 clocks with random contents.
    pub lies: u32,
    /// Requests of all connections.
    pub works: u64,
    /// Maximum number of packets of a usual request; a few are longer, some are empty or too long.
    pub packets: u32,
    /// Maximum number of requests of a connection that wait at once.
    pub depth: usize,
    /// Connections may give up.
    pub failing: bool,
    /// Clocks of a tick.
    pub tick: u64,
}

impl Settings {
    /// Quiet traffic of `connections` connections: a good network, and no command but the openings.
    pub fn quiet(connections: u32, csr: SenderCsr) -> Self {
        Self {
            connections,
            psns: SackParams::WINDOW,
            active: connections,
            csr,
            network: Network { delay: 200, ..Network::default() },
            idle: 0,
            stall: 0,
            stalls: 0,
            unheard: 0,
            resets: 0,
            commands: 0,
            strays: 0,
            lies: 0,
            works: u64::MAX,
            packets: 20,
            depth: 16,
            failing: false,
            tick: 8,
        }
    }

    /// Traffic with all kinds of events, different for every seed.
    pub fn random(params: SenderParams, rng: &mut Rng) -> Self {
        let SenderParams { connections, window, psns } = params;
        let mut csr = default_csr();
        let pick = |rng: &mut Rng, list: &[u32]| list[rng.below(list.len() as u32) as usize];
        csr.mtu_shift = pick(rng, &[8, 9, 10, 12, 13]) as u8;
        csr.idle_ticks = pick(rng, &[0, 1, 20, 300]);
        csr.sack.classes = std::array::from_fn(|_| SackTxClass {
            gap: pick(rng, &[0, 1, 8, 64]),
            rto_ticks: pick(rng, &[60, 300, 2_000]),
            epoch_ticks: pick(rng, &[10, 30, 100, 281]),
            high_ticks: pick(rng, &[1, 100, 619]),
            backoff_limit: rng.below(8),
            retry_limit: pick(rng, &[1, 3, 255]),
        });
        csr.reps.trimming = rng.below(2) == 0;
        csr.reps.freeze_timeout_ticks = pick(rng, &[0, 50, 1_000]);
        csr.reps.mode =
            [EvMode::Reps, EvMode::Reps, EvMode::Ops, EvMode::Fixed, EvMode::Reps2024][rng.below(5) as usize];
        random_paths(&mut csr, rng);
        csr.smartt = match window {
            WindowAlgorithm::Smartt => random_windows(csr.mtu_shift, rng),
            WindowAlgorithm::Nscc => random_nscc(csr.mtu_shift, rng).as_smartt(),
        };
        let settings = Self {
            active: [1, 3, connections.min(20), connections][rng.below(4) as usize].min(connections),
            network: Network {
                loss: pick(rng, &[0, 0, 5, 51]),
                silence: 0,
                trims: pick(rng, &[0, 0, 20, 100]),
                denials: 0,
                marks: pick(rng, &[0, 60, 256]),
                delay: pick(rng, &[0, 100, 600]),
                jitter: pick(rng, &[0, 40, 1_500]),
                coalesce: pick(rng, &[1, 1, 4, 12, 17]) as usize,
                shut: 0,
            },
            idle: pick(rng, &[0, 1, 4, 7]),
            stall: pick(rng, &[0, 0, 2, 5, 7]),
            stalls: pick(rng, &[0, 2, 20]),
            resets: pick(rng, &[0, 0, 2, 8]),
            commands: pick(rng, &[0, 20, 500, 5_000]),
            strays: pick(rng, &[0, 3, 100]),
            lies: pick(rng, &[0, 0, 5, 100]),
            packets: pick(rng, &[1, 3, 40]),
            depth: [1, 14, 20][rng.below(3) as usize],
            failing: true,
            tick: u64::from(pick(rng, &[1, 8, 64])),
            psns,
            ..Self::quiet(connections, csr)
        };
        let settings = if settings.tick > 8 { settings.hasty() } else { settings };
        match rng.below(8) {
            // Some packets are denied.
            0 => Self { network: Network { denials: 40, ..settings.network }, ..settings },
            // Many packets may leave, and orders wait long.
            2 => Self {
                active: connections.min(20),
                stalls: 100,
                packets: 40,
                depth: 14,
                idle: 0,
                ..settings.small()
            },
            // Paths fail, connections are closed, and no one accepts reports of freezes.
            3 => {
                let network = Network { loss: 51, trims: 0, ..settings.network };
                Self {
                    active: connections.min(20),
                    network,
                    idle: 0,
                    stall: settings.stall.min(2),
                    stalls: 0,
                    unheard: 200,
                    commands: 400,
                    packets: 40,
                    ..settings.freezing()
                }
            }
            // An ACK answers many packets, some of them marked, and some ACKs are lost.
            4 => {
                let coalesce = pick(rng, &[4, 12, 17]) as usize;
                let silence = pick(rng, &[0, 64, 128]);
                let network = Network {
                    loss: 0,
                    silence,
                    trims: 0,
                    marks: pick(rng, &[20, 128]),
                    jitter: 0,
                    coalesce,
                    ..settings.network
                };
                let packets = pick(rng, &[8, 30, psns + 44]);
                Self { network, stalls: 0, packets: 40, depth: 14, lies: 0, ..settings.windows(packets) }
            }
            // Round trips are so long that packets are sent again while windows are full, and connections give up.
            5 => {
                let times = psns / SackParams::WINDOW;
                let network = Network {
                    loss: 5,
                    trims: 0,
                    marks: 0,
                    delay: 12_000 * times,
                    jitter: 0,
                    ..settings.network
                };
                Self {
                    active: connections.min(3),
                    network,
                    idle: 0,
                    stall: 0,
                    stalls: 0,
                    commands: 0,
                    lies: 0,
                    packets: 60 * times,
                    depth: 16,
                    tick: settings.tick.min(8),
                    ..settings.small().windows(psns + 44).impatient()
                }
            }
            // The way back is shut again and again. When it opens, an ACK of one connection acknowledges 128 packets
            // or more while others wait, or ACKs find packets lost when a period of QuickAdapt has ended.
            6 => {
                let (active, loss, shut) = if rng.below(2) == 0 { (1, 0, 2_500) } else { (3, 26, 1_000) };
                let network = Network {
                    loss,
                    trims: 0,
                    marks: pick(rng, &[60, 128]),
                    delay: pick(rng, &[100, 600]),
                    jitter: 0,
                    coalesce: 1,
                    shut,
                    ..settings.network
                };
                Self {
                    active: connections.min(active),
                    network,
                    idle: 0,
                    stall: pick(rng, &[0, 2]),
                    stalls: 0,
                    commands: 0,
                    lies: 0,
                    packets: 60,
                    depth: 16,
                    tick: pick(rng, &[1, 8]).into(),
                    ..settings.small().windows(300).congested()
                }
            }
            // Windows change with every ACK, and outputs stall: new windows arrive before the transport has
            // accepted the last one.
            1 => {
                let network = Network { loss: 0, trims: 0, marks: 128, ..settings.network };
                Self { network, stalls: 200, resets: 0, commands: 0, lies: 0, packets: 40, ..settings }
            }
            _ => settings,
        }
    }

    /// Times of a few ticks, for long ticks.
    fn hasty(mut self) -> Self {
        for class in &mut self.csr.sack.classes {
            (class.epoch_ticks, class.rto_ticks) = (1 + class.epoch_ticks % 3, 1 + class.rto_ticks % 7);
        }
        self
    }

    /// Two classes of connections that give up soon: the RTO ends before an epoch is late for the sixth time.
    fn impatient(mut self) -> Self {
        for class in &mut self.csr.sack.classes[..2] {
            (class.epoch_ticks, class.rto_ticks, class.retry_limit) = (15, 60, 0);
        }
        self
    }

    /// Losses that are failures of paths, and short freezes.
    fn freezing(mut self) -> Self {
        self.csr.reps.mode = EvMode::Reps;
        self.csr.reps.trimming = true;
        self.csr.reps.freeze_timeout_ticks = 50;
        self.csr.sack = self.csr.sack.with_backoff(1);
        self.csr.sack.classes.iter_mut().for_each(|class| class.high_ticks = 20_000);
        self
    }

    /// Every loss is congestion, round trips are longer than the windows' target, and no connection gives up.
    fn congested(mut self) -> Self {
        for class in &mut self.csr.sack.classes {
            (class.high_ticks, class.retry_limit) = (1, 255);
        }
        for class in &mut self.csr.smartt.classes {
            (class.base_rtt_ticks, class.fast_rtt_ticks, class.target_rtt_ticks) = (50, 62, 99);
        }
        self.csr.smartt.signals = Signals::Both;
        self.csr.reps.trimming = false;
        self
    }

    /// Windows for `packets` packets.
    fn windows(mut self, packets: u32) -> Self {
        let mtu_shift = self.csr.mtu_shift;
        self.csr.smartt.classes.iter_mut().for_each(|class| class.max_cwnd_bytes = packets << mtu_shift);
        self
    }

    /// Packets of 256 bytes, and windows for 30 of them.
    fn small(mut self) -> Self {
        self.csr.mtu_shift = 8;
        self.csr.smartt.classes.iter_mut().for_each(|class| class.mtu_bytes = 1 << 8);
        self.windows(30)
    }
}

/// Registers of the choice of paths, sometimes at their defaults.
fn random_paths(csr: &mut SenderCsr, rng: &mut Rng) {
    let reps = &mut csr.reps;
    reps.thaw_reset = rng.below(2) == 0;
    reps.ev_base = [reps.ev_base, 0, 0x1234][rng.below(3) as usize];
    reps.evs_size = [reps.evs_size, 1, 16, 50_000][rng.below(4) as usize].min((1 << 16) - reps.ev_base);
    reps.bdp_packets = [reps.bdp_packets, 1, 8, 300][rng.below(4) as usize];
    reps.rtt_high_ticks = [reps.rtt_high_ticks, 1, 100][rng.below(3) as usize];
    reps.rtt_window_ticks = [reps.rtt_window_ticks, 0, 500, 50_000][rng.below(4) as usize];
}

/// A value somewhere near a register's default.
fn near(rng: &mut Rng, value: u32) -> u32 {
    match rng.below(3) {
        0 => value,
        1 => value - value / 4,
        _ => value + value / 4,
    }
}

/// The largest window of a class.
fn largest(mtu_shift: u8, rng: &mut Rng) -> u32 {
    [1, 3, 30, 300][rng.below(4) as usize] << mtu_shift
}

/// Registers of the congestion window, each somewhere near its default.
fn random_windows(mtu_shift: u8, rng: &mut Rng) -> SmarttCsr {
    let mut smartt = SmarttCsr::default();
    for class in &mut smartt.classes {
        class.mtu_bytes = 1 << mtu_shift;
        class.max_cwnd_bytes = largest(mtu_shift, rng);
        class.fair_decrease_bytes = near(rng, class.fair_decrease_bytes);
        class.base_rtt_ticks = near(rng, class.base_rtt_ticks);
        class.target_rtt_ticks = class.base_rtt_ticks + rng.below(class.base_rtt_ticks);
        class.fast_rtt_ticks = near(rng, class.fast_rtt_ticks);
        class.multiplicative_increase = near(rng, class.multiplicative_increase);
        class.fair_increase = near(rng, class.fair_increase);
    }
    smartt.multiplicative_decrease = near(rng, smartt.multiplicative_decrease);
    smartt.qa_scaling = near(rng, smartt.qa_scaling);
    smartt.wtd_alpha = near(rng, smartt.wtd_alpha);
    smartt.wtd_alphas = smartt.wtd_alphas.map(|alpha| near(rng, alpha).min(255));
    smartt.wtd_threshold = near(rng, smartt.wtd_threshold);
    smartt.granularity = 1 + rng.below(8);
    smartt.fast_mtus = 1 + rng.below(4);
    smartt.signals = [Signals::Both, Signals::Both, Signals::Ecn, Signals::Delay][rng.below(4) as usize];
    smartt.late_losses = rng.below(2) == 0;
    smartt
}

/// The same for NSCC.
fn random_nscc(mtu_shift: u8, rng: &mut Rng) -> NsccCsr {
    let mut nscc = NsccCsr::default();
    for class in &mut nscc.classes {
        class.mtu_bytes = 1 << mtu_shift;
        class.max_cwnd_bytes = largest(mtu_shift, rng);
        class.base_rtt_ticks = near(rng, class.base_rtt_ticks);
        class.target_delay_ticks = near(rng, class.target_delay_ticks);
        class.calm_delay_ticks = near(rng, class.calm_delay_ticks);
        class.proportional_increase = near(rng, class.proportional_increase);
        class.fair_increase = near(rng, class.fair_increase);
        class.fast_increase = near(rng, class.fast_increase);
    }
    nscc.gamma = near(rng, nscc.gamma).min(255);
    nscc.eta = near(rng, nscc.eta);
    nscc.delay_alpha = near(rng, nscc.delay_alpha);
    nscc.delay_alphas = nscc.delay_alphas.map(|alpha| near(rng, alpha).min(255));
    nscc.adapt_by_delay = rng.below(2) == 0;
    nscc
}
