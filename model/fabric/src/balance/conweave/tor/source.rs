//! The source's part: data that a connection sends up, and the replies to that data.

use super::{Ingress, Pass, Told, Tor, extra};
use crate::balance::Course;
use crate::balance::conweave::{Header, hash};
use crate::packet::{HEADER_BYTES, Packet};
use weft_switch::conweave::opcode::{DATA, NOTIFY, RTT_REQUEST};
use weft_switch::conweave::rules::{self, outcome, role};

impl Tor {
    /// Handles data of a connection whose sender is a host of this switch.
    pub(super) fn source(&mut self, packet: &mut Packet, it: &Ingress) -> Course {
        let at = it.found.unwrap_or(0) as usize;
        let (candidate, ..) = self.look(it, false);
        let options = &self.options;
        let cell = &mut self.sources[at];
        let expired = rules::silent(&mut cell.active, it.tick, options.theta.inactive.into());
        let verb = rules::verb([role::SOURCE, expired.into(), 1, 0]);
        let cutoff = rules::cutoff(it.tick, options.theta.reply.into());
        let [outcome, path, _] =
            rules::watched(&mut cell.watch_path, [verb, it.tick, cutoff, candidate, 0], options);
        let epoch = rules::epoch(&mut cell.epoch, outcome);
        let tail_ts = rules::tail_left(&mut cell.tail_ts, outcome, it.tick);
        let paths = &self.paths[it.group as usize];
        let leads = paths.lead(path);
        let path = if leads { path } else { paths.select(hash(rules::FLOW_SEED, packet)) };
        let up = self.ports[path as usize];
        let mut extra = extra(it);
        (extra[1], extra[9]) = (expired.into(), leads.into());
        self.count(it, Told { outcome, up, epoch, extra, ..Told::default() });
        let opcode = if outcome == outcome::NEW { RTT_REQUEST } else { DATA };
        let is = |what| u64::from(outcome == what);
        let (rerouted, tail) = (is(outcome::REROUTED), is(outcome::TAIL));
        packet.header = Header { path, opcode, epoch, rerouted, tail }.bits();
        packet.hash = (it.tick as u32 & 0xFFFF) | (tail_ts as u32) << 16;
        packet.bytes += HEADER_BYTES;
        up.map_or(Course::Nowhere, |port| Course::Out(port, 0))
    }

    /// Handles an RTT_REPLY, CLEAR or NOTIFY that ends at this switch.
    pub(super) fn control(
        &mut self,
        packet: &mut Packet,
        it: &Ingress,
        pass: Pass,
        down: Option<u16>,
        now_ps: u64,
    ) -> Course {
        let notes = it.role == role::CONTROL && it.header.opcode == NOTIFY;
        let (mut candidate, mut is_lost) = (0, false);
        if notes || self.busy.ages() {
            (candidate, _, is_lost) = self.look(it, notes);
        }
        let hit = u64::from(it.found.is_some());
        let verb = rules::verb([it.role, 0, hit, it.header.opcode]);
        let expect = if let Pass::Accepted(expect) = pass { expect } else { 0 };
        let (mut outcome, mut expected, mut epoch) = (0, expect, 0);
        if verb != 0 {
            let cell = &mut self.sources[it.found.unwrap_or(0) as usize];
            let cutoff = rules::cutoff(it.tick, self.options.theta.reply.into());
            let reads = [verb, it.tick, cutoff, candidate, expect];
            [outcome, _, expected] = rules::watched(&mut cell.watch_path, reads, &self.options);
            epoch = rules::epoch(&mut cell.epoch, outcome);
        }
        let mut extra = extra(it);
        extra[2] = if is_lost { 3 } else { 0 };
        self.count(it, Told { outcome, epoch, extra, ..Told::default() });
        if it.role == role::CONTROL && outcome == outcome::ACCEPTED && epoch == it.header.epoch {
            return self.pass(packet, Pass::Accepted(expected), down, now_ps);
        }
        self.books.ended += 1;
        Course::Ends
    }
}
