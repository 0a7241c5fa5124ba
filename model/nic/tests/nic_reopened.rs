//! One end alone closes a connection and opens it again with other PSNs (rule 17 of the NIC). At every
//! distance of PSNs, work posted at either end ends, and a failed connection denies all packets of its peer.
//! The test has two NICs as transactions. The checks depend only on the pages.

mod common;

use common::{KEY, configuration, connection, read};
use std::collections::VecDeque;
use weft_nic::nic::transaction::{Nic, Outgoing};
use weft_nic::words::{Status, Work};
use weft_params::SackParams;

/// Delay in ticks from one NIC to the other.
const DELAY: u64 = 150;
/// Number of ticks in which a denied packet ends its connection, if the packet is sent at once.
const SOON: u64 = 6 * DELAY;
/// Number of ticks after which an end with these retries has failed.
const LATE: u64 = 150_000;
const CONNECTION: u32 = 2;
const REGION: u64 = 2 << 32;
/// The first PSNs of NIC 0 and of NIC 1.
const FIRST: [u32; 2] = [0xFF_FF80, 0x12_3456];
const MASK: u32 = 0xFF_FFFF;

struct Wire {
    nics: [Nic; 2],
    frames: VecDeque<(u64, usize, Vec<u8>)>,
    now: u64,
    /// Number of packets that each NIC has sent for the first time.
    sent: [u32; 2],
    ended: [Vec<(u64, Status)>; 2],
}

impl Wire {
    fn new() -> Self {
        let nics = [0, 1].map(|number| {
            let mut csr = configuration(number, 12);
            csr.sender.sack = csr.sender.sack.with_retries(3).with_backoff(1);
            let mut nic = Nic::new(SackParams { connections: 4 }, csr);
            let [own, other] = [number, 1 - number].map(|it| FIRST[it as usize]);
            nic.open(CONNECTION, &connection(number, CONNECTION, own, other), 0);
            nic
        });
        let (frames, ended) = (VecDeque::new(), [Vec::new(), Vec::new()]);
        Self { nics, frames, now: 0, sent: [0; 2], ended }
    }

    fn run(&mut self, ticks: u64) {
        for _ in 0..ticks {
            self.now += 1;
            while self.frames.front().is_some_and(|(at, ..)| *at <= self.now) {
                let Some((_, to, frame)) = self.frames.pop_front() else { break };
                self.nics[to].receive(&frame, false, self.now);
            }
            for from in [0, 1] {
                while let Some(outgoing) = self.nics[from].poll(self.now) {
                    let mut fetch = None;
                    if let Outgoing::Data(ordered) = &outgoing {
                        fetch = ordered.fetch;
                        self.sent[from] += u32::from(!ordered.order.again);
                    }
                    let payload = fetch.map_or(Vec::new(), |place| read(place.address, place.bytes));
                    let frame = self.nics[from].frame(outgoing, Some(&payload), self.now);
                    self.frames.push_back((self.now + DELAY, 1 - from, frame.expect("a frame")));
                }
                while let Some((CONNECTION, sent)) = self.nics[from].sent() {
                    self.ended[from].push((self.now, sent.status));
                }
            }
        }
    }

    /// Posts a message of three packets.
    fn post(&mut self, nic: usize) {
        let work = Work { local: 1 << 40, remote: REGION, key: KEY, length: 9_000, ..Work::default() };
        self.nics[nic].work(CONNECTION, &work, self.now);
    }

    /// The result of the only message posted since the last call, if it ended in time.
    fn ends(&mut self, nic: usize, ticks: u64) -> Option<Status> {
        let until = self.now + ticks;
        while self.ended[nic].is_empty() && self.now < until {
            self.run(1);
        }
        let ended = std::mem::take(&mut self.ended[nic]);
        assert!(ended.len() < 2, "{ended:?}");
        ended.first().map(|(_, status)| *status)
    }

    /// Opens one end again. The next PSN of the peer is `ahead` of the PSN that this end expects. The first
    /// PSN of this end is as far ahead of the PSN that the peer expects.
    fn reopen(&mut self, nic: usize, ahead: u32) {
        let next = |of: usize| FIRST[of].wrapping_add(self.sent[of]) & MASK;
        let (own, other) = (next(nic).wrapping_add(ahead) & MASK, next(1 - nic).wrapping_sub(ahead) & MASK);
        let with = connection(nic as u32, CONNECTION, own, other);
        self.nics[nic].open(CONNECTION, &with, self.now);
    }

    fn failures(&mut self, nic: usize) -> [bool; 4] {
        let standing = self.nics[nic].standing(CONNECTION);
        [standing.unanswered, standing.denied, standing.breach, standing.broken]
    }
}

const UNANSWERED: [bool; 4] = [true, false, false, false];
const DENIED: [bool; 4] = [false, true, false, false];
const NONE: [bool; 4] = [false; 4];

/// Rule 17 of the NIC, the first two rows of its table. Beyond the window, the sender learns within a round
/// trip that the peer does not have the connection. The peer's connection fails with the first packet that
/// the peer sends, at any PSN. Before the window, the sent packets stay unacknowledged.
#[test]
fn an_end_that_is_opened_anew_alone_parts_from_the_other() {
    let beyond = [256, 257, 1 << 22, (1 << 23) - 1 - 3];
    let before = [1 << 23, (1 << 23) + 1, MASK - 300, MASK - 3];
    for ahead in beyond.into_iter().chain(before) {
        for reopened in [0, 1] {
            for first in [0, 1] {
                let mut wire = Wire::new();
                for nic in [0, 1] {
                    wire.post(nic);
                    assert_eq!(wire.ends(nic, SOON), Some(Status::Done));
                }
                wire.run(SOON);
                wire.reopen(reopened, ahead);
                wire.post(first);
                let case = format!("{ahead:#x} ahead, {reopened} is opened anew, {first} sends first");
                if beyond.contains(&ahead) {
                    assert_eq!(wire.ends(first, SOON), Some(Status::Denied), "{case}");
                    assert_eq!((wire.failures(first), wire.failures(1 - first)), (DENIED, NONE), "{case}");
                } else {
                    assert_eq!(wire.ends(first, LATE), Some(Status::Unanswered), "{case}");
                    assert_eq!(
                        (wire.failures(first), wire.failures(1 - first)),
                        (UNANSWERED, NONE),
                        "{case}"
                    );
                }
                wire.post(1 - first);
                assert_eq!(wire.ends(1 - first, SOON), Some(Status::Denied), "{case}: the other");
                assert_eq!(wire.failures(1 - first), DENIED, "{case}: the other");
                // The connection is idle, and both ends are opened again.
                wire.run(SOON);
                assert!(wire.frames.is_empty(), "{case}: frames");
            }
        }
    }
}

/// The same situation with messages in progress in both directions: each message ends.
#[test]
fn messages_under_way_end_when_one_end_is_opened_anew() {
    for ahead in [1, 255, 256, 1 << 22, (1 << 23) - 1, 1 << 23, MASK - 300, MASK] {
        for reopened in [0, 1] {
            for later in [10, DELAY, 2 * DELAY + 10] {
                let mut wire = Wire::new();
                for _ in 0..8 {
                    (0..2).for_each(|nic| wire.post(nic));
                }
                wire.run(later);
                wire.reopen(reopened, ahead);
                wire.run(SOON);
                wire.post(reopened);
                wire.run(LATE);
                let case = format!("{ahead:#x} ahead, {reopened} is opened anew after {later}");
                let count = |nic: usize| wire.ended[nic].len();
                let posted = if reopened == 0 { (9, 8) } else { (8, 9) };
                assert_eq!((count(0), count(1)), posted, "{case}");
                assert!(wire.frames.is_empty(), "{case}: frames");
            }
        }
    }
}

/// A connection whose buffer has failed still answers its peer. The connection denies any PSN, including PSNs
/// that have arrived.
#[test]
fn a_connection_that_has_failed_denies_every_psn() {
    for ahead in [0, 1, 255, 256, 1 << 22, (1 << 23) - 1, 1 << 23, MASK - 300, MASK] {
        for failed in [0, 1] {
            let mut wire = Wire::new();
            for nic in [0, 1] {
                wire.post(nic);
                assert_eq!(wire.ends(nic, SOON), Some(Status::Done));
            }
            wire.nics[failed].buffer(CONNECTION, 2, wire.now);
            wire.reopen(1 - failed, ahead);
            wire.post(1 - failed);
            let case = format!("{ahead:#x} ahead, {failed} has failed");
            assert_eq!(wire.ends(1 - failed, SOON), Some(Status::Denied), "{case}");
            assert_eq!(wire.failures(1 - failed), DENIED, "{case}");
        }
    }
}
