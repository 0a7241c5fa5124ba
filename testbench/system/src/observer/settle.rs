//! Checks at the end of a run: outputs that were due, and the values of the counters.

use super::books::{Books, Fed, Opening};
use super::world::{Checked, broken};
use std::collections::{BTreeMap, BTreeSet};
use weft_params::registers::counters;

/// Counters that must equal the observer's counts.
const EXACT: [&str; 6] = [
    "egress_data_frames",
    "egress_ack_frames",
    "egress_nack_frames",
    "egress_bypass_frames",
    "egress_bypass_overflows",
    "egress_data_bytes",
];
/// Counters of frames that ingress accepts while it has space.
const KINDS: [&str; 5] = ["ingress_data", "ingress_trims", "ingress_acks", "ingress_nacks", "ingress_probes"];
/// Counters of all other outcomes of a frame in ingress.
const CAUSES: [&str; 8] = [
    "ingress_mac_errors",
    "ingress_malformed",
    "ingress_checksum_errors",
    "ingress_icrc_errors",
    "ingress_unknown_connections",
    "ingress_wrong_peers",
    "ingress_wrong_vlans",
    "ingress_wrong_pkeys",
];

impl Books {
    /// Checks the counters of a NIC in which no work is in progress.
    pub(super) fn settle(&mut self, counters: &[(&'static str, u64)]) -> Checked {
        while let Some(frame) = self.passing.pop_front() {
            self.lost(&frame)?;
        }
        while self.giving.front().is_some_and(|(frame, _)| frame.len() > 256 * 64) {
            self.giving.pop_front();
            self.counts.count("egress_bypass_overflows");
        }
        if let Some((frame, _)) = self.giving.front() {
            return broken('d', format!("{} bytes of other software did not leave", frame.len()));
        }
        let read: BTreeMap<&str, u64> = counters.iter().copied().collect();
        let is = |name: &str| read.get(name).copied().unwrap_or_default();
        let overflows = is("ingress_overflows");
        self.streams_agree(overflows)?;
        self.received_agrees(overflows)?;
        let least = |name: &str| self.counts.least.get(name).copied().unwrap_or_default();
        let most = |name: &str| least(name) + self.counts.perhaps.get(name).copied().unwrap_or_default();
        let within = |name: &str, less: u64| {
            let (is, least, most) = (is(name), least(name).saturating_sub(less), most(name));
            if (least..=most).contains(&is) {
                Ok(())
            } else {
                broken('f', format!("{name} is {is}, not {least} to {most}"))
            }
        };
        EXACT.iter().try_for_each(|name| within(name, 0))?;
        CAUSES.iter().try_for_each(|name| within(name, 0))?;
        KINDS.iter().try_for_each(|name| within(name, overflows))?;
        within("egress_read_errors", 0)?;
        within("ingress_bypassed", 0)?;
        within("ingress_bypass_overflows", 0)?;
        within("receiver_access_errors", overflows)?;
        within("receiver_received", 0)?;
        within("receiver_bytes", 0)?;
        within("receiver_marks", overflows)?;
        within("receiver_held", overflows)?;
        self.events_agree()?;
        let ends = KINDS.iter().chain(&CAUSES).map(|name| is(name)).sum::<u64>();
        let all = ends + overflows + is("ingress_bypassed") + is("ingress_bypass_overflows");
        if all != self.counts.frames {
            return broken('f', format!("{} frames came, {all} are counted", self.counts.frames));
        }
        self.sums_agree(&is)
    }

    fn sums_agree(&self, is: &dyn Fn(&str) -> u64) -> Checked {
        let refused =
            |message: &&super::books::Posted| message.ended == Some(weft_nic::words::Status::Refused);
        let refused = self.posted.iter().filter(refused).count() as u64;
        let posted = self.posted.len() as u64;
        let written: u64 = self.openings.iter().map(|opening| opening.written.len() as u64).sum();
        let sent = is("egress_data_frames") + is("egress_read_errors");
        // A packet that was acknowledged during its read does not leave, nor does a packet whose message
        // ended.
        let stayed = self.counts.least.get("stayed").copied().unwrap_or_default();
        let ordered = sent + stayed + self.read.len() as u64;
        // The NIC may drop packets that an opening ordered before its end.
        let closes = self.counts.closes > 0;
        let rules = [
            ("sender_refused", is("sender_refused") == refused),
            ("sender_posted", (posted - refused..=posted).contains(&is("sender_posted"))),
            ("sender_orders", is("sender_orders") == ordered || (closes && is("sender_orders") > sent)),
            ("receiver_placed", is("receiver_placed") >= written),
            // Frames that ingress accepted meet the opening that they were for.
            ("sack_rx_not_open_events", is("sack_rx_not_open_events") == 0),
            ("receiver_acks", is("receiver_acks") == is("egress_ack_frames") || closes),
            ("receiver_nacks", is("receiver_nacks") == is("egress_nack_frames") || closes),
        ];
        let rules = rules.into_iter().chain(self.recovery_agrees(is));
        let wrong = rules.into_iter().find(|(_, agrees)| !agrees);
        wrong.map_or(Ok(()), |(name, _)| {
            let others = format!("posted {posted}, refused {refused}, sent {sent}, written {written}");
            broken('f', format!("{name} is {}; {others}", is(name)))
        })
    }

    /// Checks the sender's counters of losses, paths and round-trip times by the pages of sender and
    /// registers.
    fn recovery_agrees(&self, is: &dyn Fn(&str) -> u64) -> [(&'static str, bool); 7] {
        let sum = |prefix: &str| -> u64 {
            let names = counters().map(|register| register.name.as_str());
            names.filter(|name| name.starts_with(prefix)).map(is).sum()
        };
        let count = |name| self.counts.least.get(name).copied().unwrap_or_default();
        let (again, in_vain) = (count("sent again"), count("sent in vain"));
        // Packets ordered and not sent: failed reads, and remainders of an opening.
        let unsent = is("sender_orders").saturating_sub(is("egress_data_frames"));
        let chosen = ["paths_explored", "paths_recycled", "paths_reused"].map(is).iter().sum::<u64>();
        let orders = is("sender_orders");
        let ended = self.counts.closes + self.counts.failed > 0;
        let ended = ended || self.openings.iter().any(Opening::may_deny);
        let chosen_agrees = match (self.fixed_ev, ended) {
            (true, _) => chosen == 0,
            (false, false) => chosen == orders,
            _ => chosen <= orders,
        };
        // Some ACKs do not count: those of PSNs never sent, and those of connections that closed by
        // themselves.
        let spared = is("sack_tx_never_sent") + is("sack_tx_not_open_events");
        let acks = is("ingress_acks");
        [
            ("recovery_again", (again..=again + unsent).contains(&is("recovery_again"))),
            (
                "recovery_lost_by_timeout",
                sum("recovery_lost_by_") + is("sender_probes") + in_vain + unsent >= is("recovery_again"),
            ),
            ("recovery_spurious_timeouts", is("recovery_spurious_timeouts") <= is("recovery_timeouts")),
            ("recovery_unanswered", is("recovery_unanswered") >= self.counts.failed),
            ("paths_explored", chosen_agrees && is("paths_thaws") <= is("paths_freezes")),
            ("rtt_0", (acks - spared.min(acks)..=acks).contains(&sum("rtt_"))),
            ("window_marks", is("window_marks") <= sum("rtt_")),
        ]
    }

    /// Checks that every due packet was answered, and that no other packet was.
    fn streams_agree(&self, overflows: u64) -> Checked {
        let open = || self.openings.iter().filter(|opening| opening.is_open() && !opening.ambiguous);
        let silent: Vec<_> = open().flat_map(Opening::silent).collect();
        let dropped: usize = open().map(Opening::dropped).sum();
        if dropped as u64 > overflows {
            let first = silent.first().map(|fed| {
                let packet = &fed.packet;
                let asks = (packet.ce, packet.request, packet.last);
                (packet.kind, packet.psn, packet.payload.len(), asks, fed.known, fed.clock)
            });
            let triggers = (self.ack_packets, self.ack_bytes, self.ack_timeout);
            let first = (first, triggers);
            let counts = format!("{} packets without an answer (overflows: {overflows})", silent.len());
            return broken('d', format!("{counts}, the first {first:?}"));
        }
        match &self.counts.unasked {
            Some(what) if overflows == 0 => broken('d', format!("{what}, which nothing asked for")),
            _ => Ok(()),
        }
    }

    /// Checks that every acknowledged packet is written and every message of acknowledged packets is
    /// reported.
    fn received_agrees(&self, overflows: u64) -> Checked {
        for opening in self.openings.iter().filter(|opening| opening.is_open() && !opening.ambiguous) {
            let (mut due, mut lasts, mut counts) = (0, 0, true);
            for (number, fed) in opening.data.range(..opening.said.below) {
                let Some(packet) = fed.first().map(|fed| &opening.fed[*fed].packet) else { continue };
                if !packet.payload.is_empty() && !opening.written.contains(number) {
                    let name = opening.name();
                    return broken(
                        'b',
                        format!("PSN number {number} of {name} is acknowledged and not written"),
                    );
                }
                due += u32::from(packet.last && packet.solicited);
                // A peer that numbers messages wrongly, because of frames of an earlier opening, loses
                // reports.
                counts &= packet.message == lasts;
                lasts = lasts.wrapping_add(u16::from(packet.last));
            }
            if due != opening.reports && overflows == 0 && counts {
                let name = opening.name();
                return broken('c', format!("{} messages of {due} of {name} are reported", opening.reports));
            }
        }
        Ok(())
    }
}

impl Opening {
    /// Packets that had to be answered and were not.
    fn silent(&self) -> impl Iterator<Item = &Fed> {
        self.fed.iter().filter(|fed| fed.due && !fed.answered)
    }

    /// Minimum number of packets that ingress dropped, if nothing else explains the missing answers. Each
    /// packet of `silent` was dropped itself or depends on a dropped packet. If several depend on the same
    /// packet, one drop explains all of them.
    fn dropped(&self) -> usize {
        let (rest, alone): (Vec<_>, Vec<_>) = self.silent().partition(|fed| !fed.rests.is_empty());
        let mut blamed: BTreeSet<u32> = alone.iter().map(|fed| self.expected(fed.packet.psn)).collect();
        let mut dropped = alone.len();
        for fed in rest {
            let mut may = fed.rests.clone();
            may.insert(self.expected(fed.packet.psn));
            if may.is_disjoint(&blamed) {
                dropped += 1;
                blamed.extend(may);
            }
        }
        dropped
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observer::craft::{self, Marks};
    use crate::observer::software::{Command, Told};
    use crate::observer::world::{Identity, peer};

    /// Opens a connection whose ACKs are due after `ack_packets` packets or `ack_timeout` ticks.
    fn opened(ack_packets: u32, ack_timeout: u32) -> (Books, Identity) {
        let identity = Identity {
            index: 1,
            peer: peer(0),
            peer_qp: 0x910,
            pkey: 0xFFFF,
            peer_pkey: 0xFFFF,
            send_psn: 0,
            receive_psn: 0xFF_FFF0,
            base: 0x1000,
            length: 0x1_0000,
            key: 7,
            remote_key: 8,
            ev: 0xC000,
        };
        let mut books = Books::new(1024);
        (books.ack_packets, books.ack_bytes, books.ack_timeout) = (ack_packets, 0, ack_timeout);
        for told in [Told::Asked(Command::Open(identity)), Told::Done(Command::Open(identity))] {
            books.told(&told).expect("an index that is free");
        }
        (books, identity)
    }

    /// Feeds a packet of eight bytes. With `request` the packet requests an answer.
    fn feed((books, identity): &mut (Books, Identity), number: u32, last: bool, request: bool) {
        let packet = craft::Packet {
            number,
            address: identity.base + 8 * u64::from(number),
            key: identity.key,
            bytes: 8,
            last,
            solicited: false,
            message: 0,
            owner: 1,
        };
        let marks = Marks { ev: 0xC123, stamp: 5, request, ce: false };
        books.arrived(craft::data(identity, &identity.peer, &packet, marks), false);
    }

    /// Minimum number of overflows that explain the missing answers.
    fn explained(books: &Books) -> u64 {
        let agrees = |overflows: &u64| books.streams_agree(*overflows).is_ok();
        (0..9).find(agrees).expect("a few overflows explain it")
    }

    /// The last packet of a message was dropped, so the packet before it does not complete the message.
    #[test]
    fn a_dropped_end_explains_that_nothing_completes_its_message() {
        let mut nic = opened(8, 60);
        [(1, true), (0, false)].into_iter().for_each(|(number, last)| feed(&mut nic, number, last, false));
        assert_eq!(nic.0.openings[0].silent().count(), 2);
        assert_eq!(explained(&nic.0), 1);
        nic.0.openings[0].fed[0].answered = true;
        assert_eq!(explained(&nic.0), 1, "the end has come: then the other one was dropped");
    }

    /// An unmarked ACK ends a freeze that has lasted its time, and the NIC reports an event. A shorter freeze
    /// has no such event.
    #[test]
    fn a_freeze_whose_end_is_not_told_is_seen() {
        for (ticks, told, is_wrong) in [(9_000, false, true), (9_000, true, false), (2_000, false, false)] {
            let (mut books, identity) = opened(1, 0);
            (books.ticks, books.freeze) = (Some(0), 4_000);
            books.event(identity.index, 0b101).expect("a freeze needs no cause");
            books.clock = ticks << 3;
            let marks = Marks { ev: 0xC123, stamp: 5, request: false, ce: false };
            books.arrived(craft::ack(&identity, 0, [0; 4], 0, marks, &[]), false);
            books.clock += 100;
            if told {
                books.event(identity.index, 1).expect("the freeze has ended");
            }
            books.clock += 10_000;
            assert_eq!(books.thaws_agree(0).is_err(), is_wrong, "after {ticks} ticks, told {told}");
        }
    }

    /// A packet that requests an answer depends on no other packet.
    #[test]
    fn a_dropped_packet_explains_no_other_that_asks() {
        let mut nic = opened(8, 60);
        [(1, true), (0, false)].into_iter().for_each(|(number, last)| feed(&mut nic, number, last, true));
        assert_eq!(explained(&nic.0), 2);
    }

    /// A packet that the NIC acknowledged was not dropped.
    #[test]
    fn what_has_come_for_certain_explains_nothing() {
        let mut nic = opened(8, 60);
        feed(&mut nic, 2, true, true);
        feed(&mut nic, 1, false, false);
        nic.0.openings[0].said.others.extend([1, 2]);
        feed(&mut nic, 0, false, false);
        assert_eq!(explained(&nic.0), 2);
    }

    /// A packet that seems to arrive again may arrive for the first time.
    #[test]
    fn a_dropped_packet_explains_that_the_next_is_no_duplicate() {
        let mut nic = opened(8, 60);
        [3, 3].into_iter().for_each(|number| feed(&mut nic, number, false, false));
        assert_eq!((nic.0.openings[0].silent().count(), explained(&nic.0)), (1, 1));
        feed(&mut nic, 4, false, false);
        nic.0.openings[0].said.others.insert(4);
        [4, 4].into_iter().for_each(|number| feed(&mut nic, number, false, false));
        assert_eq!(explained(&nic.0), 3);
    }

    /// Every fourth packet is due by its count. A packet that requests an answer restarts the count.
    #[test]
    fn a_dropped_packet_explains_counts_until_one_that_asks() {
        let mut nic = opened(4, 0);
        (0..8).for_each(|number| feed(&mut nic, number, false, false));
        assert_eq!(nic.0.openings[0].silent().count(), 2);
        assert_eq!(explained(&nic.0), 1);
        feed(&mut nic, 8, false, true);
        nic.0.openings[0].fed[8].answered = true;
        (9..13).for_each(|number| feed(&mut nic, number, false, false));
        assert_eq!(nic.0.openings[0].silent().count(), 3);
        assert_eq!(explained(&nic.0), 2);
    }
}
