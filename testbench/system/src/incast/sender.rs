//! One sender: its window, its packets in flight, its losses.

use std::collections::VecDeque;

/// One transmission of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Packet {
    pub(super) flow: u32,
    pub(super) number: u32,
    pub(super) bytes: u32,
    /// Number of earlier transmissions of the packet.
    pub(super) attempt: u32,
    pub(super) sent_ps: u64,
}

#[derive(Debug)]
pub(super) struct Sender {
    flow: u32,
    message_bytes: u32,
    mtu_bytes: u32,
    /// The window, in bytes.
    pub(super) cwnd_bytes: u32,
    /// The next packet that was never sent.
    next: u32,
    /// Packets to be sent again, in the order of their losses.
    lost: VecDeque<u32>,
    /// Transmission in flight of each packet that was sent.
    in_flight: Vec<Option<u32>>,
    attempts: Vec<u32>,
    in_flight_bytes: u32,
    acked_bytes: u32,
    /// The sender's link is busy.
    pub(super) busy: bool,
}

impl Sender {
    pub(super) fn new(flow: u32, message_bytes: u32, mtu_bytes: u32) -> Self {
        let packets = message_bytes.div_ceil(mtu_bytes) as usize;
        Self {
            flow,
            message_bytes,
            mtu_bytes,
            cwnd_bytes: 0,
            next: 0,
            lost: VecDeque::new(),
            in_flight: vec![None; packets],
            attempts: vec![0; packets],
            in_flight_bytes: 0,
            acked_bytes: 0,
            busy: false,
        }
    }

    pub(super) fn in_flight_bytes(&self) -> u32 {
        self.in_flight_bytes
    }

    pub(super) fn acked_bytes(&self) -> u32 {
        self.acked_bytes
    }

    pub(super) fn is_done(&self) -> bool {
        self.acked_bytes == self.message_bytes
    }

    fn bytes_of(&self, number: u32) -> u32 {
        self.mtu_bytes.min(self.message_bytes - number * self.mtu_bytes)
    }

    /// Packet to send now, if there is one and the window has space for it. Lost packets have priority.
    pub(super) fn send(&mut self, now_ps: u64) -> Option<Packet> {
        let again = self.lost.front().copied();
        let number = again.or_else(|| (self.next < self.in_flight.len() as u32).then_some(self.next))?;
        let bytes = self.bytes_of(number);
        if self.in_flight_bytes + bytes > self.cwnd_bytes {
            return None;
        }
        match again {
            Some(_) => drop(self.lost.pop_front()),
            None => self.next += 1,
        }
        let attempt = &mut self.attempts[number as usize];
        let packet = Packet { flow: self.flow, number, bytes, attempt: *attempt, sent_ps: now_ps };
        self.in_flight[number as usize] = Some(*attempt);
        *attempt += 1;
        self.in_flight_bytes += bytes;
        Some(packet)
    }

    /// Removes a transmission from those in flight. Returns `false` if the transmission was not in flight.
    fn land(&mut self, packet: &Packet) -> bool {
        let slot = &mut self.in_flight[packet.number as usize];
        let landed = *slot == Some(packet.attempt);
        if landed {
            *slot = None;
            self.in_flight_bytes -= packet.bytes;
        }
        landed
    }

    /// Notes that a transmission arrived. Returns `false` if the sender had counted the transmission as lost.
    pub(super) fn acknowledge(&mut self, packet: &Packet) -> bool {
        let landed = self.land(packet);
        self.acked_bytes += if landed { packet.bytes } else { 0 };
        landed
    }

    /// Notes that a transmission was lost. Returns `false` if the sender had already counted the transmission
    /// as lost, or the transmission has arrived.
    pub(super) fn lose(&mut self, packet: &Packet) -> bool {
        let landed = self.land(packet);
        if landed {
            self.lost.push_back(packet.number);
        }
        landed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_bounds_what_is_in_flight_and_losses_go_first() {
        let mut sender = Sender::new(3, 1_050, 100);
        assert_eq!(sender.send(0), None);
        sender.cwnd_bytes = 399;
        let sent: Vec<Packet> = std::iter::from_fn(|| sender.send(7)).collect();
        assert_eq!((sent.len(), sender.in_flight_bytes()), (3, 300));
        assert!(sender.lose(&sent[1]) && !sender.lose(&sent[1]) && !sender.acknowledge(&sent[1]));
        let again = sender.send(8).unwrap();
        assert_eq!((again.number, again.attempt, again.sent_ps), (1, 1, 8));
        assert!(sender.acknowledge(&again) && sender.acknowledge(&sent[0]) && sender.acknowledge(&sent[2]));
        sender.cwnd_bytes = 10_000;
        let rest: Vec<Packet> = std::iter::from_fn(|| sender.send(9)).collect();
        assert_eq!((rest.len(), rest[7].bytes, sender.in_flight_bytes()), (8, 50, 750));
        assert!(!sender.is_done() && rest.iter().all(|packet| sender.acknowledge(packet)));
        assert!(sender.is_done() && sender.in_flight_bytes() == 0 && sender.acked_bytes() == 1_050);
    }
}
