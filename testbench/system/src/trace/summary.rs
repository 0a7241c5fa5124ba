//! A capture in numbers.

use super::pairing::Pairing;
use super::step::{Found, Host, Packet as What, Step, What as Meaning};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::net::IpAddr;
use weft_wire::headers::opcode;
use weft_wire::packet::{AckKind, Packet, ParseError};
use weft_wire::{Body, Ecn, Frame, icrc};

/// Packets by their ICRC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct IcrcCount {
    /// Packets with a right ICRC.
    pub valid: usize,
    /// Packets with a wrong ICRC.
    pub wrong: usize,
    /// Packets without an ICRC to check: cut off or trimmed.
    pub absent: usize,
}

/// Packets by their sign of congestion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct EcnCount {
    /// ECN-capable data packets, marked ones included.
    pub capable: usize,
    /// Data packets captured with CE.
    pub marked: usize,
    /// ACKs that echo a mark.
    pub echoed: usize,
}

/// A connection in numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConnectionSummary {
    /// Sender.
    pub src: IpAddr,
    /// Receiver.
    pub dst: IpAddr,
    /// QP of the receiver.
    pub dest_qp: u32,
    /// First PSN.
    pub first_psn: u32,
    /// Data packets.
    pub packets: usize,
    /// Data packets whose PSN was sent before.
    pub retransmissions: usize,
    /// Retransmissions after a timeout.
    pub timeouts: usize,
    /// ACKs.
    pub acks: usize,
    /// ACKs that echo a mark.
    pub marked_acks: usize,
    /// Different EVs (UDP source ports) of its data packets.
    pub evs: usize,
}

/// A capture in numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Name of the file.
    pub file: String,
    /// Frames.
    pub frames: usize,
    /// Bytes of frames as captured.
    pub bytes: usize,
    /// Nanoseconds from the first frame to the last.
    pub duration_ns: u64,
    /// Frames with an earlier time than a frame before them; the reader gives them the time of that frame.
    pub earlier: usize,
    /// RoCEv2 packets.
    pub roce: usize,
    /// Packets to the RoCEv2 port that are too short for their headers.
    pub malformed: usize,
    /// Packets whose headers the capture cut off; opcode, PSN and length are known if the BTH is whole.
    pub cut: usize,
    /// Packets that were seen before, because a mirror port shows them twice. No other count includes these
    /// packets.
    pub seen_twice: usize,
    /// Records of the file that could not be used, by reason.
    pub left_out: BTreeMap<String, u64>,
    /// Packets in weft's format.
    pub weft: usize,
    /// Data packets: sprayed WRITEs, plain requests.
    pub data: usize,
    /// Data packets whose PSN was sent before.
    pub retransmissions: usize,
    /// Retransmissions after a timeout.
    pub timeouts: usize,
    /// ACKs.
    pub acks: usize,
    /// ACKs and NAKs of data that is missing in the capture, or is of another host.
    pub unpaired: usize,
    /// NACKs and NAKs.
    pub nacks: usize,
    /// Congestion notifications.
    pub cnps: usize,
    /// Trimmed packets.
    pub trimmed: usize,
    /// READ responses.
    pub read_responses: usize,
    /// Probes and their answers.
    pub probes: usize,
    /// ACKs that echo an entropy value.
    pub echoes: usize,
    /// Packets of other opcodes: FLUSH, ATOMIC WRITE, reserved ones, other transports.
    pub other: usize,
    /// Packets by ECN.
    pub ecn: EcnCount,
    /// Packets by ICRC.
    pub icrc: IcrcCount,
    /// Connections, by number.
    pub connections: Vec<ConnectionSummary>,
}

/// A set of entropy values: 8 KiB for any number of values.
#[derive(Clone, Debug)]
struct Evs(Box<[u64; 1024]>);

impl Evs {
    fn insert(&mut self, ev: u16) {
        self.0[usize::from(ev >> 6)] |= 1 << (ev & 63);
    }

    fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }
}

/// The advice for a capture that cuts packets off.
const SNAP: &str = "capture with `tcpdump -s 192` or more";
/// The end of the UDP header behind Ethernet and the shortest IP header.
const UDP_END: usize = 14 + 20 + 8;

/// A summary that is being made.
#[derive(Debug, Default)]
pub(super) struct Tally {
    sum: Summary,
    /// Figures of the connections.
    evs: Vec<Evs>,
    /// Frames that the capture cut off before their UDP ports.
    short: usize,
    /// Earliest and latest time.
    times_ns: Option<(u64, u64)>,
}

impl Tally {
    /// Notes the records of the file that were left out.
    pub(super) fn left_out(&mut self, left_out: BTreeMap<String, u64>) {
        self.sum.left_out = left_out;
    }

    pub(super) fn frames(&self) -> usize {
        self.sum.frames
    }

    pub(super) fn roce(&self) -> usize {
        self.sum.roce
    }

    /// Description of unusable records and packets, for an error.
    pub(super) fn others(&self) -> String {
        let cut = if self.sum.cut > 0 { format!(", {}", self.sum.cut_line()) } else { String::new() };
        let short = if self.short > 0 {
            format!(", {} cut off before their UDP ports, {SNAP}", self.short)
        } else {
            String::new()
        };
        let left = if self.sum.left_out.is_empty() {
            String::new()
        } else {
            format!("; left out: {}", self.sum.left_out_line())
        };
        cut + &short + &left
    }

    /// Counts a frame that repeats a packet.
    pub(super) fn seen_twice(&mut self, frame: &Frame) {
        self.any(frame);
        self.sum.seen_twice += 1;
    }

    fn any(&mut self, frame: &Frame) {
        self.sum.frames += 1;
        self.sum.bytes += frame.data.len();
        let time_ns = frame.time_ns;
        let (earliest, latest) = self.times_ns.get_or_insert((time_ns, time_ns));
        self.sum.earlier += usize::from(time_ns < *latest);
        (*earliest, *latest) = (time_ns.min(*earliest), time_ns.max(*latest));
    }

    /// Counts a frame.
    pub(super) fn frame(&mut self, frame: &Frame, parsed: &Result<Packet<'_>, ParseError>) {
        self.any(frame);
        let sum = &mut self.sum;
        let packet = match parsed {
            Ok(packet) => packet,
            Err(error) => {
                self.short += usize::from(frame.is_cut_off() && frame.data.len() < UDP_END);
                sum.cut += usize::from(matches!(error, ParseError::CutOff { .. }));
                sum.malformed += usize::from(matches!(error, ParseError::Malformed { .. }));
                return;
            }
        };
        sum.roce += 1;
        match icrc::icrc_ok(&frame.data) {
            Some(true) => sum.icrc.valid += 1,
            Some(false) => sum.icrc.wrong += 1,
            None => sum.icrc.absent += 1,
        }
        let is_cut = matches!(packet.body, Body::Cut(_));
        let is_weft = matches!(
            packet.body,
            Body::Data(_) | Body::Ack(_) | Body::Nack(_) | Body::Trimmed(_) | Body::Probe(_)
        );
        sum.cut += usize::from(is_cut);
        sum.weft += usize::from(is_weft || is_cut && packet.bth.sprayed());
        let said = packet.acknowledgement();
        sum.echoes += usize::from(said.is_some_and(|said| said.echoed_ev.is_some()));
        match (&packet.body, said) {
            _ if matches!(packet.bth.opcode(), opcode::FLUSH | opcode::ATOMIC_WRITE) => sum.other += 1,
            _ if packet.is_request() => {
                sum.data += 1;
                sum.ecn.capable += usize::from(packet.ecn() != Ecn::NotEct);
                sum.ecn.marked += usize::from(packet.ecn() == Ecn::Ce);
            }
            (Body::Ack(ack), _) if ack.seth.probe_reply() => sum.probes += 1,
            (_, Some(said)) if said.kind == AckKind::Ack => sum.acks += 1,
            (_, Some(_)) => sum.nacks += 1,
            (Body::Cnp, _) => sum.cnps += 1,
            (Body::Trimmed(_), _) => sum.trimmed += 1,
            (Body::Probe(_), _) => sum.probes += 1,
            _ if packet.is_read_response() => sum.read_responses += 1,
            // An opcode that is known, but not whether the packet is an ACK or a NAK.
            (Body::Cut(_), _) => {}
            _ => sum.other += 1,
        }
    }

    /// Counts whether an acknowledgement found its connection.
    pub(super) fn paired(&mut self, found: &Found, paired: bool) {
        self.sum.unpaired += usize::from(!paired);
        let marked = matches!(found.packet, What::Ack { marked: true, .. });
        self.sum.ecn.echoed += usize::from(marked);
    }

    /// Adds the connections with counts of zero.
    pub(super) fn begin(&mut self, pairing: &Pairing) {
        let empty = |host: &Host| ConnectionSummary {
            src: host.src,
            dst: host.dst,
            dest_qp: host.qp,
            first_psn: 0,
            packets: 0,
            retransmissions: 0,
            timeouts: 0,
            acks: 0,
            marked_acks: 0,
            evs: 0,
        };
        self.sum.connections = pairing.connections.iter().map(empty).collect();
        self.evs = vec![Evs(Box::new([0; 1024])); pairing.connections.len()];
    }

    /// Counts a step of a connection.
    pub(super) fn step(&mut self, step: &Step) {
        let number = step.connection as usize;
        let connection = &mut self.sum.connections[number];
        match step.what {
            Meaning::Send { psn, ev, first, retransmission, timeout, .. } => {
                if first {
                    connection.first_psn = psn;
                }
                connection.packets += 1;
                connection.retransmissions += usize::from(retransmission);
                connection.timeouts += usize::from(timeout);
                self.evs[number].insert(ev);
            }
            Meaning::Ack { marked, .. } => {
                connection.acks += 1;
                connection.marked_acks += usize::from(marked);
            }
        }
    }

    /// Adds up the connections.
    pub(super) fn finish(self, name: &str) -> Summary {
        let mut sum = self.sum;
        sum.file = name.to_owned();
        sum.duration_ns = self.times_ns.map_or(0, |(earliest, latest)| latest - earliest);
        for (connection, evs) in sum.connections.iter_mut().zip(self.evs) {
            connection.evs = evs.len();
            sum.retransmissions += connection.retransmissions;
            sum.timeouts += connection.timeouts;
        }
        sum
    }
}

/// Maximum number of connections that are printed.
const PRINTED: usize = 32;

impl Summary {
    fn cut_line(&self) -> String {
        format!("{} cut off within their headers, {SNAP}", self.cut)
    }

    fn left_out_line(&self) -> String {
        let of = |(reason, count): (&String, &u64)| {
            format!("{count} record{} {reason}", if *count == 1 { "" } else { "s" })
        };
        self.left_out.iter().map(of).collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ecn, icrc, .. } = self;
        let mut line = |name: &str, value: String| writeln!(f, "{name:<16}{value}");
        line("file", self.file.clone())?;
        line("frames", format!("{} in {} bytes", self.frames, self.bytes))?;
        line("time span", format!("{:.3} us", self.duration_ns as f64 / 1e3))?;
        line(
            "RoCEv2",
            format!("{}, {} in weft's format, {} malformed", self.roce, self.weft, self.malformed),
        )?;
        line("data packets", format!("{}, {} ECN capable, {} marked", self.data, ecn.capable, ecn.marked))?;
        line("retransmissions", format!("{}, {} after a timeout", self.retransmissions, self.timeouts))?;
        line(
            "ACKs",
            format!("{}, {} tell of a mark, {} of data not in here", self.acks, ecn.echoed, self.unpaired),
        )?;
        line(
            "others",
            format!(
                "{} NACKs, {} CNPs, {} trimmed, {} READ responses, {} probes, {} of other opcodes",
                self.nacks, self.cnps, self.trimmed, self.read_responses, self.probes, self.other
            ),
        )?;
        if self.earlier > 0 {
            let Self { earlier, .. } = self;
            line(
                "out of order",
                format!("{earlier} earlier than one before; `reordercap FILE SORTED` sorts them"),
            )?;
        }
        if self.cut > 0 {
            line("snap length", self.cut_line())?;
        }
        if self.seen_twice > 0 {
            line("seen twice", format!("{} (a mirror port), not counted above", self.seen_twice))?;
        }
        if !self.left_out.is_empty() {
            line("left out", self.left_out_line())?;
        }
        line("ICRC", format!("{} valid, {} wrong, {} absent", icrc.valid, icrc.wrong, icrc.absent))?;
        line("connections", self.connections.len().to_string())?;
        for (number, it) in self.connections.iter().enumerate().take(PRINTED) {
            writeln!(
                f,
                "  {number}: {} -> {} QP {:#x}, from PSN {}: {} packets on {} EVs, {} retransmissions, \
                 {} ACKs ({} marked)",
                it.src,
                it.dst,
                it.dest_qp,
                it.first_psn,
                it.packets,
                it.evs,
                it.retransmissions,
                it.acks,
                it.marked_acks
            )?;
        }
        if self.connections.len() > PRINTED {
            writeln!(f, "  and {} more", self.connections.len() - PRINTED)?;
        }
        Ok(())
    }
}
