//! Analysis of the packets of a capture: their connections, retransmissions, timeouts, and the data that each
//! acknowledgement answers.

use super::error::TraceError;
use super::frames::Frames;
use super::mirror::Mirror;
use super::options::{MAX_CONNECTIONS, Options};
use super::pairing::{Election, Pairing};
use super::recent::Recent;
use super::step::{Found, Host, Packet, Step, What};
use super::summary::{Summary, Tally};
use std::collections::BTreeSet;
use std::net::IpAddr;
use weft_wire::headers::PSN_MASK;
use weft_wire::packet::{AckKind, ParseError};
use weft_wire::{Body, Ecn, Frame, packet};

/// Names of hosts that an error lists.
const LISTED: usize = 8;

/// Finds the connections of a capture and the meaning of its packets in three passes: for round trips, for
/// connections, and for the events of the connections. Memory does not grow with the number of packets. The
/// last pass calls `on_step` with the meaning of each packet.
pub(super) fn analyse(
    name: &str,
    frames: &(impl Frames + ?Sized),
    options: &Options,
    on_step: &mut dyn FnMut(Step),
) -> Result<Summary, TraceError> {
    let file = || name.to_owned();
    let mut mirror = Mirror::new(frames)?;
    let mut tally = Tally::default();
    let mut election = Election::default();
    let (mut has_data, mut has_host, mut senders) = (false, false, BTreeSet::new());
    let mut finder = Finder::new(&mut mirror);
    let left_out = frames.each(&mut |frame| {
        let Some((parsed, found)) = finder.see(frame) else { return tally.seen_twice(frame) };
        tally.frame(frame, &parsed);
        let Some(found) = found else { return };
        if found.is_request() {
            has_data = true;
            has_host |= options.host == Some(found.host.src);
            senders.insert(found.host.src);
            if senders.len() > LISTED {
                senders.pop_last();
            }
        }
        if found.is_of(options.host) {
            election.see(&found);
        }
    })?;
    tally.left_out(left_out);
    if !has_data {
        let frames = tally.frames();
        return Err(TraceError::NoData { file: file(), frames, roce: tally.roce(), others: tally.others() });
    }
    if let Some(host) = options.host.filter(|_| !has_host) {
        let senders: Vec<_> = senders.iter().map(IpAddr::to_string).collect();
        return Err(TraceError::NoSender { file: file(), host, senders: senders.join(", ") });
    }
    let pairing = election.result();
    if pairing.too_many() {
        let (found, have) = (pairing.connections.len(), MAX_CONNECTIONS);
        return Err(TraceError::Connections { file: file(), found, have });
    }
    tally.begin(&pairing);
    mirror.again();
    let mut finder = Finder::new(&mut mirror);
    let mut following = Following::new(&pairing, options);
    frames.each(&mut |frame| {
        if let Some((_, Some(found))) = finder.see(frame)
            && found.is_of(options.host)
            && let Some(step) = following.next(&found, &mut tally)
        {
            tally.step(&step);
            on_step(step);
        }
    })?;
    Ok(tally.finish(name))
}

impl Found {
    fn is_request(&self) -> bool {
        matches!(self.packet, Packet::Request { .. })
    }

    /// Whether the packet is data of this host or acknowledges such data. Without a host, every packet
    /// counts.
    fn is_of(&self, host: Option<IpAddr>) -> bool {
        let sender = if self.is_request() { self.host.src } else { self.host.dst };
        host.is_none_or(|host| host == sender)
    }
}

/// A packet or the reason why a frame has none, and its role in a connection.
type Seen<'a> = (Result<packet::Packet<'a>, ParseError>, Option<Found>);

/// Reads packets from the frames.
struct Finder<'a> {
    mirror: &'a mut Mirror,
    first_ns: Option<u64>,
    time_ns: u64,
    frame: u32,
}

impl<'a> Finder<'a> {
    fn new(mirror: &'a mut Mirror) -> Self {
        Self { mirror, first_ns: None, time_ns: 0, frame: 0 }
    }

    /// `None` if the packet was seen before.
    fn see<'f>(&mut self, frame: &'f Frame) -> Option<Seen<'f>> {
        let first_ns = *self.first_ns.get_or_insert(frame.time_ns);
        self.time_ns = self.time_ns.max(frame.time_ns.saturating_sub(first_ns));
        let number = self.frame;
        // The number only identifies packets in memory, so it may wrap.
        self.frame = number.wrapping_add(1);
        let parsed = packet::parse(&frame.data);
        if let Ok(parsed) = &parsed
            && self.mirror.is_again(frame, parsed)
        {
            return None;
        }
        let found = parsed.as_ref().ok().and_then(|parsed| {
            let packet = classify(parsed)?;
            let ip = parsed.envelope.ip;
            let host = Host { src: ip.src(), dst: ip.dst(), qp: parsed.dest_qp() };
            Some(Found { frame: number, time_ns: self.time_ns, host, packet })
        });
        Some((parsed, found))
    }
}

fn classify(parsed: &packet::Packet<'_>) -> Option<Packet> {
    let port = parsed.envelope.source_port;
    if parsed.is_request() {
        let sprayed = matches!(parsed.body, Body::Data(_));
        let rtx = sprayed && parsed.bth.retransmission();
        return Some(Packet::Request { psn: parsed.psn(), ev: port, rtx });
    }
    if matches!(&parsed.body, Body::Ack(ack) if ack.seth.probe_reply()) {
        return None;
    }
    let said = parsed.acknowledgement()?;
    if said.kind != AckKind::Ack {
        return Some(match said.trigger_psn {
            Some(psn) => Packet::Nak { psn, onwards: false },
            None => Packet::Nak { psn: parsed.psn(), onwards: true },
        });
    }
    Some(Packet::Ack {
        psn: said.trigger_psn.or(said.cumulative_psn)?,
        ev: said.echoed_ev.unwrap_or(port),
        echo: said.echoed_ev.is_some(),
        marked: said.ecn_echo.unwrap_or(parsed.ecn() == Ecn::Ce),
    })
}

/// Last transmission of a PSN of a connection.
#[derive(Clone, Copy)]
struct Sent {
    step: u64,
    time_ns: u64,
    again: bool,
    asked_for: bool,
}

/// State of a connection.
#[derive(Clone, Default)]
struct Connection {
    highest: Option<u32>,
    /// Last go-back-N: its PSN, and the number of earlier steps.
    back_to: Option<(u32, u64)>,
    last_ns: u64,
}

/// Whether `a` comes after `b`, modulo 2^24.
fn after(a: u32, b: u32) -> bool {
    (1..1 << 23).contains(&(a.wrapping_sub(b) & PSN_MASK))
}

/// Follows every connection through the capture.
struct Following<'a> {
    pairing: &'a Pairing,
    options: &'a Options,
    connections: Vec<Connection>,
    /// Last transmissions by connection and PSN.
    sent: Recent<(usize, u32), Sent>,
    steps: u64,
}

impl<'a> Following<'a> {
    fn new(pairing: &'a Pairing, options: &'a Options) -> Self {
        let connections = vec![Connection::default(); pairing.connections.len()];
        Self { pairing, options, connections, sent: Recent::default(), steps: 0 }
    }

    fn next(&mut self, found: &Found, tally: &mut Tally) -> Option<Step> {
        let (number, what) = if let Packet::Request { .. } = found.packet {
            let number = self.pairing.sender(&found.host)?;
            (number, self.send(number, found)?)
        } else {
            // The ACK precedes all data of its connection, so the connection is closed.
            let number = self.pairing.receiver(&found.host);
            let number = number.filter(|&number| self.connections[number].highest.is_some());
            tally.paired(found, number.is_some());
            (number?, self.receive(number?, found)?)
        };
        self.steps += 1;
        let Found { frame, time_ns, .. } = *found;
        Some(Step { frame, time_ns, connection: number as u32, what })
    }

    fn send(&mut self, number: usize, found: &Found) -> Option<What> {
        let Packet::Request { psn, ev, rtx } = found.packet else { return None };
        let connection = &mut self.connections[number];
        let (time_ns, step) = (found.time_ns, self.steps);
        let first = connection.highest.is_none();
        let new = connection.highest.is_none_or(|highest| after(psn, highest));
        let before = self.sent.get(&(number, psn)).filter(|_| !new).copied();
        let retransmission = rtx || before.is_some();
        let timeout = before.is_some_and(|sent| {
            let gone_back = |&(to, when): &(u32, u64)| !after(to, psn) && when > sent.step;
            let asked_for = sent.asked_for || connection.back_to.as_ref().is_some_and(gone_back);
            time_ns - sent.time_ns >= self.options.rto_ns && !asked_for
        });
        let idle_ns = self.options.idle_ns;
        let silent = idle_ns > 0 && time_ns - connection.last_ns >= idle_ns;
        let idle = silent && !first && !retransmission;
        if new {
            connection.highest = Some(psn);
        }
        connection.last_ns = time_ns;
        self.sent.insert((number, psn), Sent { step, time_ns, again: retransmission, asked_for: false });
        Some(What::Send { psn, ev, first, retransmission, timeout, idle })
    }

    fn receive(&mut self, number: usize, found: &Found) -> Option<What> {
        let connection = &mut self.connections[number];
        connection.last_ns = found.time_ns;
        match found.packet {
            Packet::Ack { psn, ev, marked, .. } => {
                let sent = self.sent.get(&(number, psn));
                let once = sent.filter(|sent| !sent.again);
                let rtt_ns = once.map(|sent| found.time_ns - sent.time_ns);
                Some(What::Ack { psn, ev, marked, rtt_ns, sent: sent.map(|sent| sent.step as u32) })
            }
            Packet::Nak { psn, onwards: true } => {
                connection.back_to = Some((psn, self.steps));
                None
            }
            Packet::Nak { psn, onwards: false } => {
                if let Some(sent) = self.sent.get_mut(&(number, psn)) {
                    sent.asked_for = true;
                }
                None
            }
            Packet::Request { .. } => None,
        }
    }
}
