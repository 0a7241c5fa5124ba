//! The networks that the registers can serve, and advice about all other networks.

use super::csr::SmarttParams;
use super::network::Network;
use super::preset::Preset;
use super::ratio::Ratio;
use crate::PSNS;
use crate::error::{ParamError, require};
use crate::nic::{MTU_RULE, is_mtu};

/// The coarsest tick (an RTT of 1 us is then 31 ticks).
const TICK_PS_MAX: u64 = 32_000;
/// Fewer ticks of base RTT resolve congestion too coarsely.
const BASE_RTT_TICKS_MIN: u64 = 16;
/// Ticks of base RTT to which a tick is chosen.
const BASE_RTT_TICKS_WANTED: u64 = 64;
/// Four target RTTs fit in the 16 bits of an RTT, which saturates there.
const TARGET_RTT_TICKS_MAX: u64 = 0xFFFF / 4;
/// Largest number of bytes in a register of a class.
const BYTES_MAX: u64 = (1 << SmarttParams::BYTES_WIDTH) - 2;

impl Network {
    /// A line of warning if the packets that a connection may have outstanding, as many as its window has PSNs, have
    /// fewer bytes than 1.25 BDP of the longest class. The line names the ways out that this NIC still has.
    ///
    /// ```
    /// use weft_params::Network;
    ///
    /// assert_eq!(Network::default().narrow(256), None);
    /// let fast = Network { link_gbps: 800, base_rtt_ns: vec![14_000], ..Network::default() };
    /// assert!(fast.narrow(256).unwrap().contains("at most 599 of 800 Gb/s"));
    /// assert!(fast.narrow(256).unwrap().ends_with("; use packets longer than 4096 bytes, windows of 512 or 1024 PSNs, or more connections"));
    /// assert_eq!(fast.narrow(512), None);
    /// let long = Network { mtu_bytes: 8_192, base_rtt_ns: vec![100_000], ..fast };
    /// assert!(long.narrow(512).unwrap().ends_with("; use windows of 1024 PSNs, or more connections"));
    /// assert!(long.narrow(1_024).unwrap().ends_with("; use more connections"));
    /// ```
    pub fn narrow(&self, psns: u32) -> Option<String> {
        let longest_ns = self.base_rtt_ns.iter().copied().max().unwrap_or_default();
        let (packets, mtu) = (psns, self.mtu_bytes);
        let (window_bits, bdp_bits) =
            (u64::from(packets) * u64::from(mtu) * 8, self.bdp_bits(longest_ns).max(1));
        let gbps = u64::from(self.link_gbps) * window_bits / bdp_bits;
        let cost = if window_bits < bdp_bits {
            format!("alone it gets at most {gbps} of {} Gb/s", self.link_gbps)
        } else {
            "one late packet stops it".to_owned()
        };
        let mut ways = Vec::new();
        if is_mtu(2 * mtu) {
            ways.push(format!("packets longer than {mtu} bytes"));
        }
        let larger: Vec<_> = PSNS.iter().filter(|&&more| more > psns).map(u32::to_string).collect();
        if !larger.is_empty() {
            ways.push(format!("windows of {} PSNs", larger.join(" or ")));
        }
        ways.push(if ways.is_empty() { "more connections" } else { "or more connections" }.to_owned());
        (4 * window_bits < 5 * bdp_bits).then(|| {
            format!(
                "a connection has at most {packets} packets outstanding, {} bytes, less than the 1.25 BDP of {longest_ns} ns, \
                 {} bytes: {cost}; use {}",
                window_bits / 8,
                5 * bdp_bits / 32,
                ways.join(", ")
            )
        })
    }

    /// Refuses a network that the registers cannot serve.
    pub(super) fn check(&self) -> Result<(), ParamError> {
        require(
            (10..=1_600).contains(&self.link_gbps),
            "link-gbps",
            self.link_gbps.into(),
            "use 10 to 1600 Gb/s",
        )?;
        require(
            (1..=SmarttParams::CLASSES).contains(&self.base_rtt_ns.len()),
            "classes",
            self.base_rtt_ns.len() as u64,
            "give 1 to 4 base RTTs",
        )?;
        require(is_mtu(self.mtu_bytes), "mtu", self.mtu_bytes.into(), format!("use {MTU_RULE}"))?;
        for base_rtt_ns in self.classes() {
            self.check_base_rtt(base_rtt_ns.into())?;
        }
        self.check_tick()?;
        self.check_queue()
    }

    fn check_base_rtt(&self, base_rtt_ns: u64) -> Result<(), ParamError> {
        require((100..=200_000).contains(&base_rtt_ns), "base-rtt-ns", base_rtt_ns, "use 100 to 200000 ns")?;
        let tuning = self.preset.tuning();
        let bits_per_ns = Ratio::whole(self.link_gbps.into());
        let shortest = Ratio::whole(8 * u64::from(self.mtu_bytes)).per(tuning.window).per(bits_per_ns).ceil();
        require(
            base_rtt_ns >= shortest,
            "base-rtt-ns",
            base_rtt_ns,
            format!(
                "the largest window holds at least one MTU of {} bytes; at {} Gb/s use at least {shortest} ns",
                self.mtu_bytes, self.link_gbps
            ),
        )?;
        // The constant of fair decrease is never smaller than the largest window.
        let longest = Ratio::whole(8 * BYTES_MAX).times(tuning.fair_decrease).per(bits_per_ns).floor();
        let longest = longest.saturating_sub(self.wait_ns.into());
        require(
            base_rtt_ns <= longest,
            "base-rtt-ns",
            base_rtt_ns,
            format!(
                "BDP / fd must fit in 26 bits; at {} Gb/s preset {} serves at most {longest} ns",
                self.link_gbps, self.preset
            ),
        )
    }

    fn check_tick(&self) -> Result<(), ParamError> {
        let (finest, coarsest) = (self.finest_tick_ps(), self.coarsest_tick_ps());
        let (shortest, longest) = self.base_rtt_range();
        require(
            finest <= coarsest,
            "base-rtt-ns",
            longest,
            format!(
                "no tick serves it and {shortest} ns together: {shortest} ns need at most {coarsest} ps, {longest} ns at least {finest} ps"
            ),
        )?;
        let tick_ps = self.tick_ps().into();
        require(
            tick_ps <= coarsest,
            "tick-ps",
            tick_ps,
            format!(
                "the base RTT of {shortest} ns needs at least 16 ticks, each at most 32 ns; use {finest} to {coarsest} ps"
            ),
        )?;
        require(
            tick_ps >= finest,
            "tick-ps",
            tick_ps,
            format!(
                "four target RTTs, and the RTT of FastIncrease, of the base RTT of {longest} ns must fit in 65535 ticks; use {finest} to {coarsest} ps"
            ),
        )
    }

    /// The configured tick, or the tick that [`Network::tick_ps`](field@Network::tick_ps) defines.
    pub(super) fn tick_ps(&self) -> u32 {
        self.tick_ps.unwrap_or_else(|| {
            let (finest, shortest_ps) = (self.finest_tick_ps(), 1_000 * self.base_rtt_range().0);
            let mut tick_ps = TICK_PS_MAX as u32;
            while shortest_ps < BASE_RTT_TICKS_WANTED * u64::from(tick_ps)
                && tick_ps > 1_000
                && u64::from(tick_ps / 2) >= finest
            {
                tick_ps /= 2;
            }
            tick_ps
        })
    }

    /// The tick of a NIC as a power of 2 of clocks. `tick_ps` gives its duration.
    pub(crate) fn tick_shift(&self, tick_ps: impl Fn(u8) -> u32) -> u8 {
        let (finest, shortest_ps) = (self.finest_tick_ps(), 1_000 * self.base_rtt_range().0);
        let is_fine = |shift: &u8| {
            let ps = u64::from(tick_ps(*shift));
            ps <= TICK_PS_MAX
                && (*shift == 0
                    || shortest_ps >= BASE_RTT_TICKS_WANTED * ps
                    || u64::from(tick_ps(shift - 1)) < finest)
        };
        (0..16).rev().find(is_fine).unwrap_or_default()
    }

    fn coarsest_tick_ps(&self) -> u64 {
        let shortest_ps = 1_000 * self.base_rtt_range().0;
        // The nearest number of ticks is 16 from 15.5 on.
        (2 * shortest_ps / (2 * BASE_RTT_TICKS_MIN - 1)).min(TICK_PS_MAX)
    }

    fn finest_tick_ps(&self) -> u64 {
        let longest = self.base_rtt_range().1;
        // A queue that takes the target RTT to twice the base RTT is refused for that.
        let target_ps = self.target_rtt_ps(longest as u32).min(Ratio::whole(2_000 * longest));
        // The number of ticks is rounded to the nearest integer, so up to half a tick above the maximum still
        // fits.
        let for_target = target_ps.times(Ratio::new(2, 2 * TARGET_RTT_TICKS_MAX + 1)).floor() + 1;
        let for_fast = self.fast_rtt_ps(longest as u32).per(Ratio::whole(1 << 16)).floor() + 1;
        for_target.max(for_fast)
    }

    /// The shortest and the longest base RTT.
    fn base_rtt_range(&self) -> (u64, u64) {
        let classes = self.classes().map(u64::from);
        classes.iter().fold((u64::MAX, 0), |(low, high), &rtt| (low.min(rtt), high.max(rtt)))
    }

    /// If a queue is given, the target RTT of every class must be above its base RTT and below twice the base
    /// RTT, and the queue must fit a packet.
    fn check_queue(&self) -> Result<(), ParamError> {
        let Some(queue_bytes) = self.queue_bytes.map(u64::from) else { return Ok(()) };
        let (mut smallest, mut largest) = (u64::from(self.mtu_bytes), u64::MAX);
        for base_rtt_ns in self.classes() {
            let (low, high) = self.queue_range(base_rtt_ns);
            (smallest, largest) = (smallest.max(low), largest.min(high));
        }
        let rule = if smallest <= largest {
            format!(
                "the target RTT, base RTT + half its drain time, must lie between base RTT and twice of it in every class; use {smallest} to {largest} bytes"
            )
        } else {
            "no queue suits all these base RTTs; leave it out for one BDP per class".to_owned()
        };
        require((smallest..=largest).contains(&queue_bytes), "queue-bytes", queue_bytes, rule)
    }

    /// The queues, in bytes, that a class can have with this tick.
    fn queue_range(&self, base_rtt_ns: u32) -> (u64, u64) {
        let (tick_ps, base_ps) = (u64::from(self.tick_ps()), 1_000 * u64::from(base_rtt_ns));
        let base_ticks = Ratio::new(base_ps, tick_ps).round();
        // Drain times in ps: twice the difference of the target RTT and the base RTT. The target RTT rounds to
        // more than base_ticks from half a tick above base_ticks on, and to twice base_ticks from half a tick
        // below twice base_ticks on.
        let drain_low = ((2 * base_ticks + 1) * tick_ps).saturating_sub(2 * base_ps);
        let drain_high = (4 * base_ticks - 1) * tick_ps - 2 * base_ps;
        let bytes = |drain: u64| Ratio::new(drain * u64::from(self.link_gbps), 8_000);
        let (low, high) = (bytes(drain_low).ceil(), bytes(drain_high).ceil() - 1);
        match self.preset {
            Preset::Paper => (low.max(self.queue_for_increase(base_rtt_ns)), high),
            Preset::Artifact => (low, high),
        }
    }

    /// The smallest queue for which the constant of multiplicative increase fits in 32 bits; the constant
    /// falls as the queue grows.
    fn queue_for_increase(&self, base_rtt_ns: u32) -> u64 {
        let of_a_byte = Self { queue_bytes: Some(1), ..self.clone() };
        let increase = of_a_byte.multiplicative_increase_bytes(base_rtt_ns).times(Ratio::whole(256));
        increase.per(Ratio::whole(u32::MAX.into())).ceil()
    }
}
