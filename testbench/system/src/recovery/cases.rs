//! Cases that lose a whole window or nearly all ACKs, or lengthen every round trip at once; and queues of
//! many sizes.

use super::setting::{Setting, Work};
use super::sim::Figures;
use super::table::{Goal, Of};
use weft_params::ParamError;

/// Packets of the long message.
const PACKETS: u32 = 1_024;
/// Beginning of a case. The sender has measured round-trip times by then.
const FROM_US: f64 = 30.0;
/// Share of packets that may arrive twice, in percent.
const TWICE: f64 = 0.2;

impl Of<'_> {
    /// Rows of the cases. Times must be at most twice those of a sender that learns of every loss when the
    /// lost packet's ACK would have arrived.
    pub(super) fn cases(&mut self) -> Result<(), ParamError> {
        let base = self.base;
        let packet_us = (base.mtu_bytes * 8) as f64 / base.gbps as f64 / 1e3;
        let whole_us = f64::from(PACKETS) * packet_us + base.rtt_us;
        for rtts in [10.0, 50.0] {
            let dark_us = rtts * base.rtt_us;
            let setting = Setting { blackout: Some((FROM_US, FROM_US + dark_us)), ..base };
            let what = format!("1,024 packets, nothing passes for {rtts} RTT");
            self.case(&what, setting, Some(whole_us + dark_us))?;
        }
        let setting = Setting { tail: Some(PACKETS - 256), ..base };
        self.case(
            "1,024 packets, the last 256 lost",
            setting,
            Some(whole_us + 256.0 * packet_us + base.rtt_us),
        )?;
        for times in [2, 3] {
            let (rules, setting) = (self.rules, Setting { hole: Some((0, times)), ..base });
            let goal = Goal::Most(2.0 * f64::from(times + 1) * base.rtt_us);
            self.row(&format!("one packet, lost {times} times, us"), Some(goal), |seed| {
                Ok(rules.run(setting, Work::One { packets: 1, messages: 1 }, seed)?.us)
            })?;
        }
        for ack_loss in [0.5, 0.9, 0.99] {
            // The last ACK is lost this many times.
            let ideal = whole_us + packet_us / (1.0 - ack_loss);
            let what = format!("1,024 packets, {ack_loss} of ACKs lost");
            self.case(&what, Setting { ack_loss, ..base }, Some(ideal))?;
        }
        for times in [2.0, 3.0, 5.0, 10.0, 30.0] {
            let setting = Setting { grows: Some((FROM_US, times)), ..base };
            self.case(&format!("1,024 packets, every RTT times {times} at once"), setting, None)?;
        }
        let setting = Setting { back_rtts: 5.0, loss: 0.01, ..base };
        self.case("1,024 packets, the way back 5 RTT longer, 0.01 lost", setting, None)?;
        for by in [2, 4, 8] {
            let setting = Setting { hosts: 16, slow: Some((0, by)), ..base };
            let work = Work::Ring { packets: 4 * PACKETS, messages: 1 };
            self.judged(&format!("one of 8 paths at 1/{by}, 4,096 packets"), setting, work, None)?;
        }
        self.incasts(packet_us)
    }

    fn incasts(&mut self, packet_us: f64) -> Result<(), ParamError> {
        let base = self.base;
        for trims in [true, false] {
            for (senders, kib) in [(2, 8_192), (16, 128), (16, 512), (32, 1_024), (100, 128)] {
                let packets = kib * 1_024 / base.mtu_bytes as u32;
                let setting = Setting { hosts: senders + 1, trims, path_gbps: 4 * base.gbps, ..base };
                let ideal = (senders as u32 * packets) as f64 * packet_us + base.rtt_us;
                let how = if trims { "trims" } else { "drops" };
                let work = Work::Incast { packets, messages: 1 };
                self.judged(&format!("incast {senders}:1, {kib} KiB, {how}"), setting, work, Some(ideal))?;
            }
        }
        Ok(())
    }

    fn case(&mut self, what: &str, setting: Setting, ideal: Option<f64>) -> Result<(), ParamError> {
        self.judged(what, setting, Work::One { packets: PACKETS, messages: 1 }, ideal)
    }

    /// Adds two rows: the completion time, and the packets that arrive twice.
    fn judged(
        &mut self,
        what: &str,
        setting: Setting,
        work: Work,
        ideal: Option<f64>,
    ) -> Result<(), ParamError> {
        let runs: Result<Vec<Figures>, ParamError> =
            self.seeds.clone().map(|seed| self.rules.run(setting, work, seed)).collect();
        let runs = runs?;
        let goal = ideal.map(|ideal| Goal::Most(2.0 * ideal));
        self.add(&format!("{what}, us"), goal, runs.iter().map(|figures| figures.us).collect());
        // Packets whose ACKs are lost must leave again.
        if setting.ack_loss == 0.0 && setting.blackout.is_none() {
            let twice = |figures: &Figures| 100.0 * figures.twice as f64 / figures.packets as f64;
            self.add(&format!("{what}: twice, %"), Some(Goal::Most(TWICE)), runs.iter().map(twice).collect());
        }
        Ok(())
    }
}
