//! Checks of the frames that leave: the connection of each frame, and every byte.

use super::books::{Books, Opening};
use super::world::{Checked, HOST, Identity, OWN_MAC, OWN_V4, OWN_V6, Violation, behind, broken, memory};
use std::net::IpAddr;
use weft_wire::headers::{Evx, Reth, Xeth};
use weft_wire::{Ack, Addresses, Body, Bth, Data, Ecn, Envelope, Nack, Packet, Vlan, frame, packet};

/// Ticks by which the observer's time may be wrong.
const TICKS: u16 = 4;

/// The envelope of a frame to a peer.
fn envelope(identity: &Identity, dscp: u8, ecn: Ecn, source_port: u16) -> Envelope {
    let ip = match identity.peer.address {
        IpAddr::V4(dst) => Addresses::V4 { src: OWN_V4, dst },
        IpAddr::V6(dst) => Addresses::V6 { src: OWN_V6, dst, flow_label: 0 },
    };
    let tag = identity.peer.tag.map(|tci| Vlan { tpid: 0x8100, tci });
    let (dst_mac, src_mac) = (identity.peer.mac, OWN_MAC);
    Envelope { dst_mac, src_mac, vlans: [tag, None], ip, dscp, ecn, ttl: 64, source_port }
}

/// The frame as it must be, rebuilt from its free fields and the rules.
fn rebuilt(identity: &Identity, seen: &Packet<'_>) -> Option<Vec<u8>> {
    let Packet { bth, body, envelope: was, .. } = seen;
    let port = was.source_port;
    let control = |ev: u32| envelope(identity, 46, Ecn::NotEct, ev as u16);
    let (envelope, bth, body) = match body {
        Body::Data(data) => {
            let again = bth.retransmission();
            let due = Bth::data(identity.peer_qp, bth.psn())
                .with_p_key(identity.pkey)
                .with_retransmission(again)
                .with_ack_request(again)
                .with_solicited_event(bth.solicited_event());
            let reth = Reth::default()
                .with_va(data.reth.va())
                .with_r_key(identity.remote_key)
                .with_dma_length(data.payload.len() as u32);
            let xeth = Xeth::new(data.xeth.tx_timestamp(), 0, data.xeth.msn());
            let envelope = envelope(identity, if again { 8 } else { 4 }, Ecn::Ect0, port);
            (envelope, due, Body::Data(Data { reth, xeth, ..data.clone() }))
        }
        Body::Ack(ack) => {
            let (said, state) = (&ack.seth, &ack.cc_state);
            let mut due = Ack::new(said.cack_psn(), ack.trigger_psn(), said.echoed_ev() as u16);
            due = due.with_bitmap(ack.bitmap());
            if let Some(list) = ack.evx {
                let evs = list.evs();
                let there = |at: usize| list.there() >> at & 1 == 1;
                let evs = std::array::from_fn(|at| if there(at) { evs[at] } else { 0 });
                due = due.with_list(Evx::default().with_there(list.there()).with_evs(evs));
            }
            due.aeth = due.aeth.with_msn(ack.aeth.msn());
            due.seth = due.seth.with_m(said.m() & 1).with_probe_reply(said.probe_reply());
            due.cc_state = due
                .cc_state
                .with_tx_timestamp(state.tx_timestamp())
                .with_ooo_count(state.ooo_count())
                .with_rcvd_bytes(state.rcvd_bytes());
            let bth = Bth::acknowledge(identity.peer_qp, said.cack_psn()).with_p_key(identity.pkey);
            (control(said.echoed_ev()), bth, Body::Ack(due))
        }
        Body::Nack(nack) => {
            let said = &nack.neth;
            let ev = said.echoed_ev() as u16;
            let mut due = Nack::new(said.nack_psn(), said.reason(), ev, said.tx_timestamp());
            due.aeth = due.aeth.with_msn(nack.aeth.msn());
            due.neth = due.neth.with_m(said.m() & 1);
            let bth = Bth::acknowledge(identity.peer_qp, said.nack_psn()).with_p_key(identity.pkey);
            (control(ev.into()), bth, Body::Nack(due))
        }
        _ => return None,
    };
    frame::encode(&envelope, bth, &body).ok()
}

fn is_for(opening: &Opening, packet: &Packet<'_>, clock: u64) -> bool {
    let (identity, envelope) = (&opening.identity, &packet.envelope);
    let tag = envelope.vlans[0].map(|vlan| vlan.tci);
    let before = |(mac, until): &([u8; 6], u64)| *mac == envelope.dst_mac && clock < *until;
    let hop = envelope.dst_mac == identity.peer.mac || opening.hops_before.iter().any(before);
    (envelope.ip.dst(), tag) == (identity.peer.address, identity.peer.tag)
        && hop
        && packet.dest_qp() == identity.peer_qp
}

impl Books {
    /// Checks a frame that left: of other software, or of the NIC's own.
    pub(super) fn left(&mut self, bytes: &[u8], bad: bool) -> Checked {
        while self.giving.front().is_some_and(|(frame, _)| frame.len() > 256 * 64) {
            self.giving.pop_front();
            self.counts.count("egress_bypass_overflows");
        }
        if bytes.get(6..12) != Some(&OWN_MAC) {
            let due = self.giving.pop_front();
            self.counts.count("egress_bypass_frames");
            return match due {
                Some((frame, was_bad)) if frame == bytes && was_bad == bad => Ok(()),
                Some(_) => broken('d', "a frame of others leaves changed, or out of turn"),
                None => broken('d', "a frame leaves that nobody gave"),
            };
        }
        let wrong = |error: String| Violation { rule: 'e', seen: format!("a frame of ours: {error}") };
        if bad {
            return broken('e', "a frame of ours is marked as bad");
        }
        let packet = packet::parse(bytes).map_err(|error| wrong(error.to_string()))?;
        let owners: Vec<usize> = self.owners.iter().flatten().copied().collect();
        let to = owners.into_iter().filter(|at| is_for(&self.openings[*at], &packet, self.clock));
        let to: Vec<usize> = to.collect();
        let Some(&newest) = to.last() else {
            let rule = if matches!(packet.body, Body::Data(_)) { 'a' } else { 'd' };
            let before = self.openings.iter().rev().find(|opening| is_for(opening, &packet, self.clock));
            let whose = before.map_or("nobody".to_owned(), |opening| format!("{}, closed", opening.name()));
            return broken(rule, format!("a frame leaves to {} for {whose}", packet.envelope.ip.dst()));
        };
        let due = |at: &usize| {
            let mut identity = self.openings[*at].identity;
            identity.peer.mac = packet.envelope.dst_mac;
            rebuilt(&identity, &packet).unwrap_or_default()
        };
        let due = to.iter().map(due).find(|due| due == bytes).unwrap_or_else(|| due(&newest));
        if let Some(at) = (0..bytes.len().max(due.len())).find(|at| bytes.get(*at) != due.get(*at)) {
            let (is, due) = (bytes.get(at), due.get(at));
            let text = format!(
                "byte {at} of {} to {} is {is:02x?}, due is {due:02x?}",
                bytes.len(),
                packet.envelope.ip.dst()
            );
            return broken('e', format!("{text}: {:?} {:?}", packet.bth, packet.body));
        }
        match &packet.body {
            Body::Data(data) => {
                self.counts.count("egress_data_frames");
                self.counts.add("egress_data_bytes", data.payload.len() as u64);
                self.counts.add("sent again", packet.bth.retransmission().into());
                self.data_left(&to, &packet, data)
            }
            Body::Ack(ack) => {
                self.counts.count("egress_ack_frames");
                self.ack_left(&to, ack)
            }
            Body::Nack(nack) => {
                self.counts.count("egress_nack_frames");
                self.nack_left(&to, nack)
            }
            _ => broken('d', "a frame of ours of another kind"),
        }
    }

    fn data_left(&mut self, to: &[usize], packet: &Packet<'_>, data: &Data<'_>) -> Checked {
        let (va, mtu) = (data.reth.va(), u64::from(self.mtu));
        let what = format!("PSN {:#x} with {} bytes for {va:#x}", packet.psn(), data.payload.len());
        let holds = |at: &&usize| {
            let work = &self.posted[**at].work;
            va.wrapping_sub(work.remote) < u64::from(work.length).max(1)
        };
        let found = to.iter().find_map(|opening| {
            let messages = &self.openings[*opening].messages;
            messages.iter().rev().find(holds).map(|at| (*opening, *at))
        });
        let Some((owner, at)) = found else {
            return broken('a', format!("{what} leaves to {}: not posted", self.openings[to[0]].name()));
        };
        let (message, opening) = (&self.posted[at], &self.openings[owner]);
        let (work, name) = (message.work, opening.name());
        let offset = va.wrapping_sub(work.remote);
        let bytes = mtu.min(u64::from(work.length) - offset);
        let due = memory(HOST, work.local.wrapping_add(offset), bytes as usize);
        if !offset.is_multiple_of(mtu) || data.payload != due {
            return broken('a', format!("{what} leaves to {name}: not the bytes of work {}", work.id));
        }
        let number = (offset / mtu) as u32;
        let last = u64::from(number) + 1 == message.packets;
        let says = (data.immediate, packet.bth.solicited_event());
        if says != (last.then_some(work.immediate), work.with_immediate) {
            return broken(
                'a',
                format!("{what} leaves to {name}: immediate or SE are not those of {work:?}"),
            );
        }
        if packet.envelope.source_port < 0xC000
            || (self.fixed_ev && packet.envelope.source_port != opening.identity.ev)
        {
            return broken('a', format!("{what} leaves on entropy value {}", packet.envelope.source_port));
        }
        if !data.payload.is_empty() {
            self.comes_from_memory(at, u64::from(number), data.xeth.tx_timestamp(), &what)?;
        }
        self.has_its_psn(owner, at, number, packet, data.xeth.msn())
    }

    /// Checks that packets leave in the order in which they were read, each once. Some of these packets no
    /// longer need to leave.
    fn comes_from_memory(&mut self, at: usize, number: u64, stamp: u16, what: &str) -> Checked {
        while let Some((message, packet, clock)) = self.read.pop_front() {
            if (message, packet) == (at, number) {
                let now = self.tick(self.clock).zip(self.tick(clock));
                let aged = now.map(|(now, read)| (now.wrapping_sub(stamp), now.wrapping_sub(read)));
                return match aged {
                    Some((age, most)) if age.wrapping_add(TICKS) > most.wrapping_add(2 * TICKS) => {
                        broken('a', format!("{what}: its time stamp is {age} ticks old, its bytes {most}"))
                    }
                    _ => Ok(()),
                };
            }
            self.counts.count("stayed");
            if !self.may_stay(message, packet) {
                return broken(
                    'a',
                    format!("{what} leaves before packet {packet} of work {}", self.posted[message].work.id),
                );
            }
        }
        broken('a', format!("{what} leaves, but was not read"))
    }

    /// Whether a packet that was read may stay in the NIC: it was acknowledged, or its message has ended or
    /// will end for certain.
    fn may_stay(&self, at: usize, packet: u64) -> bool {
        let message = &self.posted[at];
        let Some(owner) = message.opening else { return true };
        let opening = &self.openings[owner];
        let over = opening.close_asked.is_some() || opening.has_failed(self.clock) || opening.may_deny();
        let acked = |first: u32| opening.counted.contains(first + packet as u32);
        let (least, most) = self.places(owner, at);
        over || message.ended.is_some()
            || self.gives_up(opening)
            || message.place.map_or_else(|| (least.0..=most.0).any(acked), |(first, _)| acked(first))
    }

    fn has_its_psn(
        &mut self,
        owner: usize,
        at: usize,
        number: u32,
        packet: &Packet<'_>,
        msn: u16,
    ) -> Checked {
        let psn = behind(self.openings[owner].identity.send_psn, packet.psn());
        let (least, most) = self.places(owner, at);
        let first = psn.wrapping_sub(number);
        let fits = match self.posted[at].place {
            Some(place) => place == (first, msn),
            None => (least.0..=most.0).contains(&first) && (least.1..=most.1).contains(&msn),
        };
        if !fits {
            let text = format!("PSN {psn} and message {msn} of work {}", self.posted[at].work.id);
            return broken('a', format!("{text}: due are {least:?} to {most:?} and packet {number}"));
        }
        self.posted[at].place = Some((first, msn));
        let again = packet.bth.retransmission();
        let fetches = self.posted[at].fetched.get(&number.into()).copied().unwrap_or_default();
        let opening = &mut self.openings[owner];
        let known = !opening.on_wire.insert(psn);
        self.counts.add("sent in vain", (again && opening.acked.contains(psn)).into());
        if !known {
            opening.left = self.clock;
        }
        if (known && !again) || (again && !known && fetches < 2 && self.posted[at].work.length > 0) {
            return broken(
                'd',
                format!("PSN {psn}: RTX is {again}, was on the wire {known}, fetched {fetches} times"),
            );
        }
        Ok(())
    }
}
