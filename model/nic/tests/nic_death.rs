//! Failures of connections: two NICs as transactions, one of which writes to an address that is not
//! permitted.

mod common;

use common::{KEY, configuration, connection, read};
use std::collections::VecDeque;
use weft_nic::nic::transaction::{Incoming, Nic, Outgoing};
use weft_nic::words::{Sent, Status, Work};
use weft_params::SackParams;

/// Delay in ticks from one NIC to the other.
const DELAY: u64 = 150;

struct Wire {
    nics: [Nic; 2],
    frames: VecDeque<(u64, usize, Vec<u8>)>,
    now: u64,
    written: Vec<(u64, Vec<u8>)>,
    sent: Vec<(u64, Sent)>,
}

impl Wire {
    fn new() -> Self {
        let nics = [0, 1].map(|number| {
            let mut nic = Nic::new(SackParams { connections: 4 }, configuration(number, 12));
            nic.open(2, &connection(number, 2, 100, 100), 0);
            nic
        });
        Self { nics, frames: VecDeque::new(), now: 0, written: Vec::new(), sent: Vec::new() }
    }

    /// Lets ticks pass.
    fn run(&mut self, ticks: u64) {
        for _ in 0..ticks {
            self.now += 1;
            while self.frames.front().is_some_and(|(at, _, _)| *at <= self.now) {
                let Some((_, to, frame)) = self.frames.pop_front() else { break };
                let taken = self.nics[to].receive(&frame, false, self.now);
                if let Incoming::Taken { write: Some((address, bytes)), .. } = taken {
                    self.written.push((address, bytes.to_vec()));
                }
            }
            for from in [0, 1] {
                while let Some(outgoing) = self.nics[from].poll(self.now) {
                    let fetch = if let Outgoing::Data(ordered) = &outgoing { ordered.fetch } else { None };
                    let payload = fetch.map_or(Vec::new(), |place| read(place.address, place.bytes));
                    let frame = self.nics[from].frame(outgoing, Some(&payload), self.now);
                    self.frames.push_back((self.now + DELAY, 1 - from, frame.expect("a frame")));
                }
            }
            while let Some((2, sent)) = self.nics[0].sent() {
                self.sent.push((self.now, sent));
            }
        }
    }

    fn work(&mut self, id: u32, remote: u64, key: u32) {
        let work = Work { local: 1 << 40, remote, key, length: 9_000, id, ..Work::default() };
        self.nics[0].work(2, &work, self.now);
    }
}

/// The whole region of connection 2.
const REGION: u64 = 2 << 32;

/// A wrong key, and an address behind the region. The request with that packet and all later requests end
/// with the cause, within two round trips. Earlier requests are done. Opened again, the connection works.
#[test]
fn a_write_that_is_not_allowed_ends_the_connection_with_its_cause() {
    for (remote, key) in [(REGION, KEY ^ 1), (REGION - 1, KEY), (REGION + 0xFFFF_FFFF - 8_999, KEY)] {
        let mut wire = Wire::new();
        wire.work(1, REGION, KEY);
        wire.run(3 * DELAY);
        assert_eq!(
            wire.sent.drain(..).map(|(_, sent)| sent).collect::<Vec<_>>(),
            [Sent { id: 1, status: Status::Done }]
        );
        let (before, asked) = (wire.written.len(), wire.now);
        wire.work(2, remote, key);
        wire.work(3, REGION, KEY);
        wire.run(20 * DELAY);
        let allowed = remote > REGION;
        assert_eq!(wire.sent.len(), 2, "{:?}", wire.sent);
        for ((at, sent), id) in wire.sent.drain(..).zip([2, 3]) {
            assert_eq!(sent, Sent { id, status: Status::Denied });
            assert!(at <= asked + 4 * DELAY, "after {} ticks", at - asked);
        }
        assert!(wire.written.len() > before || !allowed, "the first packets of a message may be allowed");
        // Packets are no longer sent. Work posted now finds the connection closed.
        wire.work(4, REGION, KEY);
        wire.run(10);
        assert_eq!(wire.sent.pop().map(|(_, sent)| sent), Some(Sent { id: 4, status: Status::Refused }));
        // Both ends are opened again.
        for (number, nic) in (0u32..).zip(&mut wire.nics) {
            nic.open(2, &connection(number, 2, 500, 500), wire.now);
        }
        wire.work(5, REGION, KEY);
        wire.run(4 * DELAY);
        assert_eq!(wire.sent.pop().map(|(_, sent)| sent), Some(Sent { id: 5, status: Status::Done }));
    }
}
