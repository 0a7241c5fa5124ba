//! The destination's part: packets that wait, their times, and the replies that report such packets.

use super::{Ingress, Loop, Pass, Tag, Told, Tor, extra, of_copy};
use crate::balance::conweave::{CUT_BYTES, Header, LOOP_PS};
use crate::balance::{Act, Course};
use crate::packet::{ECN, MADE, MARKER, Packet};
use weft_switch::conweave::Options;
use weft_switch::conweave::rules::{self, action, copy, kind, role};
use weft_switch::kit;

impl Tor {
    /// Handles data to a host of this switch, and loop packets.
    pub(super) fn destination(
        &mut self,
        packet: &mut Packet,
        it: &Ingress,
        pass: Pass,
        down: Option<u16>,
        now_ps: u64,
    ) -> Course {
        if self.busy.ages() {
            self.look(it, false);
        }
        let round = if let Pass::Loop(round) = pass { Some(round) } else { None };
        let connection = round.map_or(it.found.unwrap_or(0), |round| round.connection);
        let dst_port = down.unwrap_or(0);
        let ([class, action, resume_expired], conn_epoch) = self.reorder(packet, it, connection, round);
        let queue_port = round.filter(|_| it.role == role::DRAINED).map_or(dst_port, |round| round.port);
        let (found, queue) = self.queue(it.role, action, [connection, conn_epoch], queue_port);
        let queue = round.filter(|_| it.role == role::LOOP).map_or(queue, |round| round.queue);
        let ecn = if packet.flags & ECN != 0 { 3 } else { 2 };
        let was_flushed = round.is_some_and(|round| round.was_flushed);
        let reads = [it.role, action, class, found, it.header.opcode, ecn, was_flushed.into()];
        let [copy, late] = rules::copied(reads, &self.options);
        let is_sent = late == 1 || !matches!(copy, 0 | copy::LOOP);
        let up = if is_sent { self.by_hash(packet, it.group) } else { None };
        let mut extra = extra(it);
        (extra[4], extra[5], extra[6], extra[7], extra[8]) = (action, found, ecn, copy, late);
        self.count(it, Told { action, found, up, extra, ..Told::default() });

        let (mut tag, loop_port) = (Tag::default(), round.map_or(0, |round| round.port));
        match rules::flow_control(action, found) {
            1 => self.acts.push_back(Act::Hold { port: dst_port, queue }),
            2 => self.acts.push_back(Act::Release { port: loop_port, queue }),
            3 => tag.queue = queue,
            _ => {}
        }
        if late == 1 {
            tag.up = up;
        }
        match copy {
            0 => {}
            copy::LOOP => {
                self.books.made += 1;
                self.copies[copy::LOOP as usize] += 1;
                let of = Loop {
                    packet: *packet,
                    connection,
                    port: dst_port,
                    queue,
                    has_expired: false,
                    was_flushed: false,
                    is_drained: false,
                };
                self.again(of, now_ps + LOOP_PS);
            }
            _ => self.send(up, of_copy(copy), packet, now_ps),
        }
        let is_early = matches!(action, action::FIRST | action::HOLD);
        match (it.role, round) {
            (role::LOOP, Some(round)) if action == action::LOOP => {
                self.again(Loop { has_expired: resume_expired == 1, ..round }, now_ps + LOOP_PS);
                Course::Ends
            }
            (role::LOOP, Some(Loop { port, queue, .. })) => {
                let was_flushed = matches!(action, action::FLUSH | action::EPOCH_FLUSH);
                let hash = connection as u32 | u32::from(queue) << 16 | u32::from(was_flushed) << 24;
                let (flags, bytes) = (MADE | MARKER, CUT_BYTES);
                let marker = Packet { time_ps: now_ps, hash, word: 0, flags, bytes, ..*packet };
                self.acts.push_back(Act::Send { port, queue, packet: marker });
                Course::Ends
            }
            (role::DRAINED, _) => {
                self.books.ended += 1;
                Course::Ends
            }
            (role::DESTINATION, _) if is_early && found == 0 => self.pass(packet, Pass::GiveUp, down, now_ps),
            _ => {
                packet.hash = tag.bits();
                let queue = if it.role == role::DESTINATION && is_early { queue } else { 0 };
                down.map_or(Course::Nowhere, |port| Course::Out(port, queue))
            }
        }
    }

    /// Decides on the reordering of a packet: class, action, and whether the time of a loop packet is over.
    /// Connection and epoch are one number.
    fn reorder(
        &mut self,
        packet: &Packet,
        it: &Ingress,
        connection: u64,
        round: Option<Loop>,
    ) -> ([u64; 3], u64) {
        let Header { epoch, rerouted, tail, .. } = it.header;
        let kind = match (tail, rerouted) {
            (1, _) => kind::TAIL,
            (_, 1) => kind::REROUTED,
            _ => kind::OLD,
        };
        let expired = u64::from(round.is_some_and(|round| round.has_expired));
        let cell = &mut self.destinations[connection as usize];
        let class = rules::classed(&mut cell.epoch, epoch, it.role);
        let order = &mut cell.order[epoch as usize];
        let [action, old_seen] = rules::ordered(order, [it.role, class, kind, expired], &self.options);
        let [tx, tail_stamp] = match round {
            // The check excludes loop packets and packets that give up.
            Some(_) => [0; 2],
            None => [packet.hash & 0xFFFF, packet.hash >> 16].map(u64::from),
        };
        let old_tx = rules::old(&mut cell.old_tx, action, tx);
        let old_rx = rules::old(&mut cell.old_rx, action, it.tick);
        let tail_tx = rules::tail(&mut cell.tail_tx, action, tail_stamp);
        let resume = rules::resumes([action, old_seen, it.tick, old_tx, old_rx, tail_tx], &self.options);
        let error = match action {
            action::FIRST => {
                cell.is_told = old_seen == 1;
                None
            }
            action::UPDATE => {
                cell.is_told = true;
                None
            }
            // A TAIL after a flush is handled in the same way: T_resume stays.
            action::RELEASE | action::TAIL_LATE => {
                std::mem::take(&mut cell.is_told).then(|| late_ns(&self.options, it.tick, cell.resume))
            }
            _ => None,
        };
        if let Some(error_ns) = error {
            *self.resume_errors.entry(error_ns).or_default() += 1;
        }
        let expired = rules::expires(&mut cell.resume, [action, resume, it.tick, expired]);
        ([class, action, expired], connection << 2 | epoch)
    }

    /// Claims, finds or frees a reorder queue. Returns the choice, from 1, and the number of the queue.
    fn queue(&mut self, role: u64, action: u64, [connection, conn_epoch]: [u64; 2], port: u16) -> (u64, u8) {
        let seek = rules::seek(role, action);
        if seek == 0 {
            return (0, 0);
        }
        let (owner, mut found, mut queue) = (rules::owner(conn_epoch), 0, 0);
        for (way, ((first, size), cells)) in (0u32..).zip(self.blocks.iter().zip(&mut self.held)) {
            let spot = u64::from(kit::hash(rules::SPOT_SEED + way, std::iter::once(connection)) >> 24);
            let at = u64::from(port) * size + rules::queue_of(0, *size, spot);
            let at = at as usize % cells.len();
            let exists = *size > 0 && *first > 0;
            let before = found;
            found = rules::held(&mut cells[at], [seek, owner, found], exists, u64::from(way) + 1);
            if found != before {
                queue = rules::queue_of(*first, *size, spot) as u8;
            }
        }
        (found, queue)
    }
}

/// Delay of a TAIL after T_resume without its extra term. The delay is negative if the TAIL arrives before
/// T_resume. `tick` and `resume` are ticks of 32 bits.
fn late_ns(options: &Options, tick: u64, resume: u64) -> i64 {
    let estimate = resume.wrapping_sub(options.theta.resume_extra.into());
    i64::from((tick as u32).wrapping_sub(estimate as u32) as i32) * options.clocks_per_tick as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_switch::conweave::Preset;

    /// T_resume of 106 us includes 16 us of the extra term: the estimate is 90 us. The ticks wrap at 2^32.
    #[test]
    fn a_tail_is_late_by_its_time_after_the_estimate() {
        let options = Options::preset(Preset::Paper);
        let late = |tick, resume| late_ns(&options, tick, resume);
        assert_eq!([late(100, 106), late(90, 106), late(80, 106)], [10_000, 0, -10_000]);
        assert_eq!([late(3, 10), late(u64::from(u32::MAX), 10)], [9_000, 5_000]);
    }
}
