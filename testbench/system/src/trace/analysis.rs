//! What the packets of a capture mean: whose they are, and which are retransmissions, timeouts and
//! acknowledgements of what.

use super::capture::Capture;
use super::error::TraceError;
use super::mirror::Mirror;
use super::options::{MAX_CONNECTIONS, Options};
use super::pairing::{Pairing, pair};
use super::step::{Found, Host, Packet, Step, What};
use super::summary::{Summary, Tally};
use std::collections::HashMap;
use std::net::IpAddr;
use weft_wire::headers::PSN_MASK;
use weft_wire::packet::AckKind;
use weft_wire::{Body, Ecn, Frame, packet};

/// Finds the connections of a capture and what its packets mean to them.
pub(super) fn analyse(
    name: &str,
    capture: &Capture,
    options: &Options,
) -> Result<(Vec<Step>, Summary), TraceError> {
    let frames = &capture.frames[..];
    let mut tally = Tally::new(&capture.left_out);
    let mut found = find(frames, &mut tally);
    let is_request = |found: &&Found| matches!(found.packet, Packet::Request { .. });
    if !found.iter().any(|found| is_request(&found)) {
        let (file, frames) = (name.to_owned(), frames.len());
        return Err(TraceError::NoData { file, frames, roce: tally.roce(), others: tally.others() });
    }
    if let Some(host) = options.host {
        let mut senders: Vec<_> = found.iter().filter(is_request).map(|found| found.host.src).collect();
        senders.sort_unstable();
        senders.dedup();
        if !senders.contains(&host) {
            let senders: Vec<_> = senders.iter().take(8).map(IpAddr::to_string).collect();
            return Err(TraceError::NoSender { file: name.to_owned(), host, senders: senders.join(", ") });
        }
        found.retain(|found| {
            let sender = if is_request(&found) { found.host.src } else { found.host.dst };
            sender == host
        });
    }
    let pairing = pair(&found);
    if pairing.connections.len() > MAX_CONNECTIONS {
        let (found, have) = (pairing.connections.len(), MAX_CONNECTIONS);
        return Err(TraceError::Connections { file: name.to_owned(), found, have });
    }
    let steps = follow(&found, &pairing, options, &mut tally);
    let summary = tally.finish(name, frames, &pairing, &steps);
    Ok((steps, summary))
}

/// The requests and acknowledgements of all connections; everything is counted.
fn find(frames: &[Frame], tally: &mut Tally) -> Vec<Found> {
    let first_ns = frames.first().map_or(0, |frame| frame.time_ns);
    let mut found = Vec::new();
    let mut time_ns = 0;
    let mut mirror = Mirror::new(frames);
    for (number, frame) in frames.iter().enumerate() {
        time_ns = time_ns.max(frame.time_ns.saturating_sub(first_ns));
        let parsed = packet::parse(&frame.data);
        if let Ok(parsed) = &parsed
            && mirror.is_again(frame, parsed)
        {
            tally.seen_twice(frame);
            continue;
        }
        tally.frame(frame, &parsed);
        let Ok(parsed) = parsed else { continue };
        let Some(packet) = classify(&parsed) else { continue };
        let ip = parsed.envelope.ip;
        let host = Host { src: ip.src(), dst: ip.dst(), qp: parsed.dest_qp() };
        found.push(Found { frame: number as u32, time_ns, host, packet });
    }
    found
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

/// A PSN of a connection: how it was last sent.
#[derive(Clone, Copy)]
struct Sent {
    step: u32,
    time_ns: u64,
    again: bool,
    asked_for: bool,
}

/// What is known of a connection.
#[derive(Default)]
struct Connection {
    sent: HashMap<u32, Sent>,
    highest: Option<u32>,
    /// The last go-back-N: its PSN, and the steps before it.
    back_to: Option<(u32, u32)>,
    last_ns: u64,
}

/// `a` comes after `b`, modulo 2^24.
fn after(a: u32, b: u32) -> bool {
    (1..1 << 23).contains(&(a.wrapping_sub(b) & PSN_MASK))
}

impl Connection {
    fn send(&mut self, found: &Found, step: u32, options: &Options) -> Option<What> {
        let Packet::Request { psn, ev, rtx } = found.packet else { return None };
        let time_ns = found.time_ns;
        let first = self.highest.is_none();
        let new = self.highest.is_none_or(|highest| after(psn, highest));
        let before = self.sent.get(&psn).filter(|_| !new).copied();
        let retransmission = rtx || before.is_some();
        let timeout = before.is_some_and(|sent| {
            let gone_back = |&(to, when): &(u32, u32)| !after(to, psn) && when > sent.step;
            let asked_for = sent.asked_for || self.back_to.as_ref().is_some_and(gone_back);
            time_ns - sent.time_ns >= options.rto_ns && !asked_for
        });
        let silent = options.idle_ns > 0 && time_ns - self.last_ns >= options.idle_ns;
        let idle = silent && !first && !retransmission;
        if new {
            self.highest = Some(psn);
        }
        self.sent.insert(psn, Sent { step, time_ns, again: retransmission, asked_for: false });
        self.last_ns = time_ns;
        Some(What::Send { psn, ev, first, retransmission, timeout, idle })
    }

    fn receive(&mut self, found: &Found, step: u32) -> Option<What> {
        self.last_ns = found.time_ns;
        match found.packet {
            Packet::Ack { psn, ev, marked, .. } => {
                let sent = self.sent.get(&psn);
                let once = sent.filter(|sent| !sent.again);
                let rtt_ns = once.map(|sent| found.time_ns - sent.time_ns);
                Some(What::Ack { psn, ev, marked, rtt_ns, sent: sent.map(|sent| sent.step) })
            }
            Packet::Nak { psn, onwards: true } => {
                self.back_to = Some((psn, step));
                None
            }
            Packet::Nak { psn, onwards: false } => {
                if let Some(sent) = self.sent.get_mut(&psn) {
                    sent.asked_for = true;
                }
                None
            }
            Packet::Request { .. } => None,
        }
    }
}

/// Follows every connection through the capture.
fn follow(found: &[Found], pairing: &Pairing, options: &Options, tally: &mut Tally) -> Vec<Step> {
    let mut connections: Vec<Connection> = Vec::new();
    connections.resize_with(pairing.connections.len(), Connection::default);
    let mut steps = Vec::new();
    for found in found {
        let step = steps.len() as u32;
        let (number, what) = match found.packet {
            Packet::Request { .. } => {
                let number = pairing.sender(&found.host);
                (number, number.and_then(|number| connections[number].send(found, step, options)))
            }
            _ => {
                // An ACK before all data of its connection finds it closed.
                let number =
                    pairing.receiver(&found.host).filter(|&number| connections[number].highest.is_some());
                tally.paired(found, number.is_some());
                (number, number.and_then(|number| connections[number].receive(found, step)))
            }
        };
        if let (Some(number), Some(what)) = (number, what) {
            let Found { frame, time_ns, .. } = *found;
            steps.push(Step { frame, time_ns, connection: number as u32, what });
        }
    }
    steps
}
