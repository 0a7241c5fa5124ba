//! The stimuli of the two views: work, frames, connections that open and close.

use super::bench::{Bench, OVER, RECEIVED, REFUSED, Stimulus};
use super::device::CONNECTIONS;
use crate::common::Network;
use std::cmp::Reverse;
use weft_nic::words::Work;

impl Bench {
    /// Work requests for both ends; the NIC must refuse some of them.
    fn works(&mut self, id: u32) {
        let longest = *self.rng.pick(&[300, 3_000, 12_000]);
        let mut stimuli = Vec::new();
        for _ in 0..1 + self.rng.below(4) {
            let length = self.rng.below(longest);
            let immediate = self.rng.chance(1, 2);
            self.ids += 1;
            let full = self.flows[0][id as usize].outstanding() == 16;
            if full || !self.open[id as usize] {
                let work = Work { id: self.ids | REFUSED, length, ..Work::default() };
                stimuli.push(Stimulus::Work(id, work));
            } else {
                stimuli
                    .push(Stimulus::Work(id, self.flows[0][id as usize].post(self.ids, length, immediate)));
            }
        }
        if self.rng.chance(100, 1000) {
            let mut frame = vec![0xEE; 60 + self.rng.index(1_000)];
            frame[12] = 0x86;
            stimuli.push(Stimulus::Bypass(frame));
        }
        self.round(stimuli, OVER);
        if self.rng.chance(50, 1000) {
            // The NIC refuses this request at once, so the refusal would overtake other completions.
            self.ids += 1;
            let work = Work { id: self.ids | REFUSED, length: u32::MAX, ..Work::default() };
            self.round(vec![Stimulus::Work(id, work)], OVER);
        }
        let most = self.rng.index(17);
        while self.open[id as usize] && self.flows[1][id as usize].outstanding() < most {
            let length = self.rng.below(longest);
            self.ids += 1;
            let work = self.flows[1][id as usize].post(self.ids, length, self.rng.chance(1, 2));
            self.peer.work(id, &work, self.now);
        }
        self.peer(None);
    }

    /// Passes on all frames that have arrived: data back to back, acknowledgements one after the other.
    fn arrivals(&mut self) {
        let (mut stimuli, mut quiet) = (Vec::new(), RECEIVED);
        while let Some(Reverse((time, ..))) = self.parcels.peek()
            && *time <= self.now
        {
            let Some(Reverse((_, _, to, mut frame))) = self.parcels.pop() else { break };
            if to == 1 {
                self.peer(Some(&frame));
                continue;
            }
            let mut bad = false;
            if self.rng.chance(10, 1000) {
                // Frames of other software, errors of the MAC, frames of strangers.
                match self.rng.below(3) {
                    0 => frame[12] ^= 0x40,
                    1 => bad = true,
                    _ => frame[29] ^= 1,
                }
            }
            let acknowledges = frame[42] == 0x11;
            if stimuli.len() == 24 || (acknowledges && quiet == OVER) {
                self.round(std::mem::take(&mut stimuli), quiet);
                quiet = RECEIVED;
            }
            if acknowledges {
                quiet = OVER;
            }
            stimuli.push(Stimulus::Frame(frame, bad));
        }
        if !stimuli.is_empty() {
            self.round(stimuli, quiet);
        }
    }

    /// If the timers of several connections would expire in the same tick, keeps one of these connections and
    /// closes the others.
    fn untie(&mut self, by: u64) {
        let times: Vec<_> = (0..CONNECTIONS).map(|id| self.twin.sender().deadline(id, self.now)).collect();
        for id in 1..CONNECTIONS as usize {
            if times[id].is_some_and(|time| time <= by) && times[..id].contains(&times[id]) {
                self.ties += 1;
                self.close(id as u32);
            }
        }
    }

    /// Advances time to the next event.
    fn tick(&mut self) {
        let mut next = self.now + 1 + u64::from(self.rng.below(60));
        if let Some(Reverse((time, ..))) = self.parcels.peek() {
            next = next.min(*time);
        }
        for time in [self.twin.next_deadline(self.now), self.peer.next_deadline(self.now)] {
            next = next.min(time.unwrap_or(u64::MAX));
        }
        self.untie(next);
        self.pass(next.max(self.now + 1) - self.now);
        self.peer(None);
        self.arrivals();
    }

    /// Passes frames in and out until `packets` packets have passed. Then waits for the end of all messages.
    pub(crate) fn run(&mut self, packets: u64) {
        while self.packets < packets {
            self.tick();
            let id = self.rng.below(CONNECTIONS);
            if self.rng.chance(150, 1000) {
                self.works(id);
            }
            if self.rng.chance(if self.open[id as usize] { 2 } else { 500 }, 1000) {
                if self.open[id as usize] { self.close(id) } else { self.open(id) }
            }
        }
        self.network = Network { loss: 0, twice: 0, mark: 0, trim: 0, damage: 0, ..self.network };
        let mut left = 100_000;
        while self.flows.iter().flatten().any(|flow| flow.outstanding() > 0) {
            self.tick();
            left -= 1;
            assert!(left > 0, "messages do not end");
        }
        self.compare_states();
    }
}
