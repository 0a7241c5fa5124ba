//! Checks of the ACKs and NACKs that leave: each answers a packet and reports PSNs that have arrived.

use super::books::{Books, Counts, Fed, Known, Opening};
use super::judge::Kind;
use super::receiving::{BEHIND, WINDOW, is_beyond};
use super::world::{Checked, TICK_SHIFT, behind, broken};
use weft_wire::{Ack, Nack};

/// Ticks by which the clock of the observer and the clock of the NIC may differ.
const TICKS: u64 = 4;
/// Minimum number of clocks between two requests of the timer for the ACK of one packet.
const ROUND: u64 = 64;

impl Books {
    /// Checks an ACK that left to the peer of these openings.
    pub(super) fn ack_left(&mut self, to: &[usize], ack: &Ack) -> Checked {
        let (said, stamp) = (&ack.seth, ack.cc_state.tx_timestamp());
        let what = format!(
            "an ACK of PSN {:#x} with entropy value {:#x}, stamp {stamp:#x}",
            ack.trigger_psn(),
            said.echoed_ev()
        );
        let (clock, timed) = (self.clock, self.ack_timeout > 0 && self.ack_packets > 1);
        let timeout = u64::from(self.ack_timeout);
        let waited = |fed: &Fed| u64::from(stamp.wrapping_sub(fed.packet.stamp));
        let late = |fed: &Fed| {
            let waits = timeout..=((clock - fed.clock) >> TICK_SHIFT) + TICKS;
            timed && fed.packet.kind == Kind::Data && waits.contains(&waited(fed))
        };
        let answers = |fed: &Fed| {
            let packet = &fed.packet;
            let probe = packet.kind == Kind::Probe;
            // The offset has 16 bits, so for a packet from long ago only the low 16 bits of its PSN are
            // compared.
            (packet.psn ^ ack.trigger_psn()) & 0xFFFF == 0
                && u32::from(packet.ev) == said.echoed_ev()
                && u8::from(packet.ce) == said.m()
                && probe == said.probe_reply()
                && (waited(fed) == 0 || late(fed))
        };
        let first = |fed: &Fed| !fed.answered && answers(fed);
        // The timer requests the ACK each round until an ACK has reached the end of the receiver. Another
        // ACK, timed or listing the packet, may overtake such an ACK. The timed ACK then answers the packet
        // on behalf of the packets that came behind it (page of the receiver, rule 14 and below 18). The
        // timer requests the ACK before the first ACK leaves, and the packet waits from its arrival on at the
        // earliest.
        let again = |fed: &Fed| {
            let before = |(earlier, left)| {
                let asked = fed.clock + (waited(fed) << TICK_SHIFT);
                let is_later = earlier == 0 || waited(fed) >= earlier + (ROUND >> TICK_SHIFT);
                late(fed) && is_later && asked <= left + (1 << TICK_SHIFT)
            };
            fed.flushed.is_some_and(before) && answers(fed)
        };
        // Several packets may match. The packet that requires an answer has priority, such as the trimmed
        // copy of a packet that arrived whole and waits, because no ACK lists the copy.
        let found = to.iter().find_map(|at| {
            let opening = &self.openings[*at];
            let at_first = |is: &dyn Fn(&Fed) -> bool| opening.fed.iter().position(is);
            let more = || says_more(opening, ack);
            let fed = at_first(&again).filter(|_| more());
            let fed = fed.or_else(|| at_first(&|fed| fed.packet.kind != Kind::Data && first(fed)));
            let fed = fed.or_else(|| at_first(&|fed| fed.due && first(fed)));
            Some((*at, fed.or_else(|| at_first(&first))?))
        });
        let Some((at, fed)) = found else {
            return broken(
                'd',
                format!("{what} to {}, which sent no such packet", self.openings[to[0]].name()),
            );
        };
        let opening = &mut self.openings[at];
        let asked = &mut opening.fed[fed];
        asked.answered = true;
        if waited(asked) > 0 {
            asked.flushed = Some((waited(asked), asked.flushed.map_or(clock, |(_, left)| left)));
        }
        let asked = &opening.fed[fed];
        if !asked.due && !asked.perhaps && !timed && !opening.ambiguous && self.counts.unasked.is_none() {
            self.counts.unasked = Some(what.clone());
        }
        let number = opening.expected(asked.packet.psn);
        let placed = opening.data.get(&number).is_some_and(|candidates| candidates.first() == Some(&fed));
        if asked.packet.kind == Kind::Data && !placed {
            self.counts.treated(opening);
        }
        let since = opening.denies.filter(|since| asked.clock > *since && waited(asked) == 0);
        if since.is_some() && asked.packet.kind != Kind::Probe && !opening.ambiguous {
            return broken('d', format!("{what}, of a connection that has failed"));
        }
        let missing = opening.hole..BEHIND;
        let trimmed = (asked.packet.kind == Kind::Trimmed || asked.denied)
            && missing.contains(&opening.expected(asked.packet.psn));
        if trimmed && !opening.ambiguous && !opening.data.contains_key(&opening.expected(asked.packet.psn)) {
            return broken('d', format!("{what}, which was trimmed or denied"));
        }
        listed(opening, ack, &what, clock)?;
        consistent(opening, ack, &what)
    }

    /// Checks a NACK that left.
    pub(super) fn nack_left(&mut self, to: &[usize], nack: &Nack) -> Checked {
        let said = &nack.neth;
        let what = format!("a NACK of PSN {:#x} for {}", said.nack_psn(), said.reason());
        let beyond = |opening: &Opening, fed: &Fed| {
            let number = opening.expected(fed.packet.psn);
            [fed.known, opening.hole].iter().any(|from| is_beyond(number, *from))
        };
        let answers = |opening: &Opening, fed: &Fed| {
            let packet = &fed.packet;
            let reason = match (packet.kind, said.reason()) {
                (Kind::Data | Kind::Trimmed, 0x19) => {
                    fed.denied || opening.may_deny() || beyond(opening, fed)
                }
                (Kind::Data, 0x02) => opening.perhaps_held,
                (Kind::Trimmed, reason) => reason == 1 + u8::from(packet.last_hop),
                _ => false,
            };
            !fed.answered
                && reason
                && (packet.psn, u32::from(packet.ev)) == (said.nack_psn(), said.echoed_ev())
                && (packet.stamp, u8::from(packet.ce)) == (said.tx_timestamp(), said.m())
        };
        for at in to {
            let opening = &mut self.openings[*at];
            if let Some(fed) = opening.fed.iter().position(|fed| answers(opening, fed)) {
                opening.fed[fed].answered = true;
                match (opening.fed[fed].packet.kind, said.reason()) {
                    (Kind::Data, 0x02) => self.counts.perhaps("receiver_held"),
                    (Kind::Data, 0x19) if opening.perhaps_held => {
                        self.counts.perhaps("receiver_access_errors");
                        self.counts.perhaps("receiver_held");
                    }
                    (_, 0x19) => self.counts.perhaps("receiver_access_errors"),
                    _ => {}
                }
                // A NACK of a packet beyond the window denies the packet and leaves the connection open.
                if said.reason() == 0x19 && !beyond(opening, &opening.fed[fed]) {
                    let others = opening.failed || opening.perhaps_broken || opening.perhaps_denied;
                    opening.breach |= opening.suspect && !others;
                    opening.ends(self.clock);
                }
                return Ok(());
            }
        }
        broken('d', format!("{what} to {}, which sent no such packet", self.openings[to[0]].name()))
    }
}

impl Counts {
    /// Counts a data packet that was answered and not placed. Ingress may have stored the packet until its
    /// connection was held or had failed. The counter then follows the connection's state and not the answer.
    fn treated(&mut self, opening: &Opening) {
        if opening.perhaps_held {
            self.perhaps("receiver_held");
        }
        if opening.may_deny() {
            self.perhaps("receiver_access_errors");
        }
    }
}

/// Checks the packets that an ACK lists: each was fed, had no mark, waited, and is answered once. A packet
/// that is due at once does not wait, so a list does not answer it. The final check weighs such a packet
/// against the drops of ingress.
fn listed(opening: &mut Opening, ack: &Ack, what: &str, clock: u64) -> Checked {
    for (ev, ce) in ack.evx.iter().flat_map(|list| list.entries()) {
        let waits = |fed: &Fed| {
            let packet = &fed.packet;
            !fed.answered && !fed.listed && packet.kind == Kind::Data && packet.ev == ev && !packet.ce
        };
        let at_first = |is: &dyn Fn(&Fed) -> bool| opening.fed.iter().position(|fed| is(fed) && waits(fed));
        let found = at_first(&|fed| !fed.due).or_else(|| at_first(&|fed| !fed.rests.is_empty()));
        match found.or_else(|| at_first(&|_| true)) {
            Some(fed) if !ce => {
                let fed = &mut opening.fed[fed];
                fed.listed = true;
                fed.answered = !fed.due || !fed.rests.is_empty();
                fed.flushed = Some((0, clock));
            }
            _ => {
                return broken('d', format!("{what} lists entropy value {ev:#x}, mark {ce}: no such packet"));
            }
        }
    }
    Ok(())
}

/// Numbers that an ACK acknowledges.
fn said_by(opening: &Opening, ack: &Ack) -> Known {
    let below = behind(opening.identity.receive_psn, ack.seth.cack_psn().wrapping_add(1));
    let words = ack.bitmap();
    let bits = (0..WINDOW).filter(|bit| words[*bit as usize / 64] >> (bit % 64) & 1 == 1);
    Known { below, others: bits.map(|bit| below + bit).collect() }
}

/// Whether an ACK acknowledges more than the previous ACK.
fn says_more(opening: &Opening, ack: &Ack) -> bool {
    let Known { below, others } = said_by(opening, ack);
    (opening.said.below..below.min(BEHIND)).chain(others).any(|number| !opening.said.contains(number))
}

/// Checks that an ACK acknowledges only packets that arrived, and all packets that the previous ACK
/// acknowledged.
fn consistent(opening: &mut Opening, ack: &Ack, what: &str) -> Checked {
    let Known { below, others } = said_by(opening, ack);
    if below < opening.said.below || below >= BEHIND || others.contains(&below) {
        return broken('d', format!("{what}: cumulative {below} after {}", opening.said.below));
    }
    let come = |number: &u32| opening.data.contains_key(number);
    if let Some(number) =
        (opening.said.below..below).chain(others.iter().copied()).find(|number| !come(number))
    {
        return broken('d', format!("{what} says that PSN number {number} has come"));
    }
    let forgotten = opening.said.others.iter().find(|number| **number >= below && !others.contains(number));
    if let Some(number) = forgotten {
        return broken('d', format!("{what} forgets PSN number {number}"));
    }
    let packet = |number: u32| {
        opening.data.get(&number).and_then(|fed| fed.first()).map(|fed| &opening.fed[*fed].packet)
    };
    let bytes = |number: u32| packet(number).map_or(0, |packet| packet.payload.len() as u64);
    for number in opening.said.below..below {
        opening.totals.0 += u32::from(packet(number).is_some_and(|packet| packet.last));
        opening.totals.1 += bytes(number);
    }
    let all = opening.totals.1 + others.iter().map(|number| bytes(*number)).sum::<u64>();
    let due = (opening.totals.0, all.div_ceil(256) as u32, others.len() as u16);
    let is = (ack.aeth.msn(), ack.cc_state.rcvd_bytes(), ack.cc_state.ooo_count());
    if is != due && !opening.ambiguous {
        return broken(
            'd',
            format!("{what}: messages, bytes / 256 and out of order are {is:?}, due are {due:?}"),
        );
    }
    (opening.said.below, opening.said.others) = (below, others);
    Ok(())
}
