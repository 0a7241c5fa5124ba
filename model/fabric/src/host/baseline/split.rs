//! A flow in parts, each with its own sender: MPTCP as in the REPS paper ("we divide each message into 8
//! subflows").

use super::{Answer, Sender};
use weft_nic::block::sender::Cause;

/// Senders of the parts. All parts except the last have the same number of packets.
pub(super) struct Split {
    parts: Vec<Box<dyn Sender>>,
    packets: u32,
    /// Number of the part that sends next.
    turn: usize,
}

impl Split {
    pub(super) fn new(all: u32, packets: u32, sender: impl Fn(u32) -> Box<dyn Sender>) -> Self {
        let sizes = (0..all).step_by(packets as usize).map(|first| packets.min(all - first));
        Self { parts: sizes.map(sender).collect(), packets, turn: 0 }
    }

    /// The next part in turn among the parts that may send at a time. If no part may send, the earliest time
    /// at which one may.
    fn next(&mut self, now_ps: u64) -> Result<usize, Option<u64>> {
        let (count, turn) = (self.parts.len(), self.turn);
        let mut earliest: Option<u64> = None;
        for at in (turn..turn + count).map(|at| at % count) {
            match self.parts[at].ready_ps(now_ps) {
                Some(ready_ps) if ready_ps <= now_ps => return Ok(at),
                ready_ps => earliest = [earliest, ready_ps].into_iter().flatten().min(),
            }
        }
        Err(earliest)
    }
}

impl Sender for Split {
    fn ready_ps(&mut self, now_ps: u64) -> Option<u64> {
        self.next(now_ps).map_or_else(|earliest| earliest, |_| Some(0))
    }

    fn send(&mut self, now_ps: u64, wire_bytes: &dyn Fn(u32) -> u32) -> (u32, Option<Cause>) {
        let at = self.next(now_ps).expect("one was ready");
        self.turn = (at + 1) % self.parts.len();
        let first = at as u32 * self.packets;
        let (number, cause) = self.parts[at].send(now_ps, &|number| wire_bytes(first + number));
        (first + number, cause)
    }

    fn answer(&mut self, answer: &Answer, now_ps: u64) {
        let part = &mut self.parts[(answer.number / self.packets) as usize];
        part.answer(&Answer { number: answer.number % self.packets, ..*answer }, now_ps);
    }

    fn due(&self) -> u64 {
        self.parts.iter().map(|part| part.due()).min().expect("there is one")
    }

    fn expire(&mut self, now_ps: u64) {
        self.parts.iter_mut().filter(|part| part.due() <= now_ps).for_each(|part| part.expire(now_ps));
    }

    fn is_done(&self) -> bool {
        self.parts.iter().all(|part| part.is_done())
    }
}
