//! `weft_egress`: time at which a connection's peer is set (rule 10), as seen at the ports.

use weft_blocks::egress::stimulus::{any_order, any_reply, beats};
use weft_nic::block::egress::{Clocked, Inputs, Outputs, Peer};
use weft_nic::words::Beat;
use weft_params::{EgressCsr, SackParams};
use weft_random::Rng;

/// A block, and the frames that left: clock of the last beat, and MAC address of the receiver.
struct Desk {
    block: Clocked,
    rng: Rng,
    clock: u64,
    first: Option<u64>,
    sent: Vec<(u64, u64)>,
}

fn peer(mac: u64) -> Peer {
    Peer { mac, ..Peer::default() }
}

impl Desk {
    /// A desk in which every connection has the peer 1.
    fn new() -> Self {
        let params = SackParams { connections: 4 };
        let mut block = Clocked::new(params, EgressCsr::default());
        block.clock(&Inputs { rst: true, ..Inputs::default() });
        let mut desk = Self { block, rng: Rng::new(1), clock: 0, first: None, sent: Vec::new() };
        for connection in 0..4 {
            desk.set(connection, 1, Inputs::default());
        }
        desk.clock = 0;
        desk
    }

    /// One clock. Returns the outputs of the clock.
    fn clock(&mut self, inputs: Inputs) -> Outputs {
        let outputs = *self.block.outputs();
        if let Some((_, beat)) = outputs.net.get().filter(|_| inputs.net_ready) {
            let mac = (0..6).fold(0, |mac, at| mac << 8 | u64::from(beat.byte(at)));
            let mac = *self.first.get_or_insert(mac);
            if beat.last {
                self.sent.push((self.clock, mac));
                self.first = None;
            }
        }
        self.block.clock(&inputs);
        self.clock += 1;
        outputs
    }

    /// Sets a peer with these other inputs. Returns the clocks from the offer to the acceptance.
    fn set(&mut self, connection: u32, mac: u64, inputs: Inputs) -> u64 {
        let peer = Some((connection, peer(mac)));
        (0..).find(|_| self.clock(Inputs { peer, ..inputs }).peer_ready).unwrap()
    }

    /// Offers an order of a connection until it is accepted.
    fn order(&mut self, connection: u32, bytes: u16) {
        let order = Some((connection, any_order(&mut self.rng, bytes)));
        assert!(self.clock(Inputs { order, ..Inputs::default() }).order_ready);
    }

    /// Offers the read data of that order.
    fn read(&mut self, bytes: usize, bad: bool) {
        for mut beat in beats(&mut self.rng, bytes) {
            beat.bad = bad && beat.last;
            let read = Some(beat);
            assert!(self.clock(Inputs { read, ..Inputs::default() }).read_ready);
        }
    }

    /// Offers a peer word for `clocks` clocks. The block must not accept the word.
    fn held(&mut self, connection: u32, mac: u64, clocks: u64) {
        for _ in 0..clocks {
            let peer = Some((connection, peer(mac)));
            assert!(!self.clock(Inputs { peer, ..Inputs::default() }).peer_ready);
        }
    }
}

const NET: Inputs = Inputs {
    rst: false,
    now: 0,
    reply: None,
    passed: None,
    order: None,
    read: None,
    bypass: None,
    peer: None,
    net_ready: true,
};

#[test]
fn an_idle_block_takes_a_word_in_the_clock_after() {
    let mut desk = Desk::new();
    for _ in 0..3 {
        assert_eq!(desk.set(2, 5, NET), 1);
    }
}

#[test]
fn an_order_before_it_goes_to_the_old_peer() {
    for bytes in [0, 64, 1_000] {
        let mut desk = Desk::new();
        desk.order(0, bytes);
        if bytes > 0 {
            // The word waits as long as the read data does not arrive.
            desk.held(0, 2, 300);
            desk.read(bytes.into(), false);
        }
        // The word waits as long as the net does not accept the last beat.
        desk.held(0, 2, 100);
        assert!(desk.sent.is_empty());
        desk.set(0, 2, NET);
        assert_eq!(desk.sent.len(), 1);
        let (sent, mac) = desk.sent[0];
        assert_eq!((desk.clock, mac), (sent + 2, 1), "taken in the clock after the last beat");
        desk.order(0, 0);
        for _ in 0..100 {
            desk.clock(NET);
        }
        assert_eq!(desk.sent[1].1, 2);
    }
}

#[test]
fn a_reply_before_it_goes_to_the_old_peer() {
    let mut desk = Desk::new();
    let reply = Some((3, any_reply(&mut desk.rng)));
    assert!(desk.clock(Inputs { reply, ..Inputs::default() }).reply_ready);
    desk.held(3, 2, 200);
    desk.set(3, 2, NET);
    assert_eq!(desk.sent.iter().map(|frame| frame.1).collect::<Vec<_>>(), [1]);
}

#[test]
fn an_order_that_is_thrown_away_is_gone() {
    let mut desk = Desk::new();
    desk.order(0, 100);
    desk.held(0, 2, 100);
    desk.read(100, true);
    assert!(desk.set(0, 2, Inputs::default()) < 20);
    assert_eq!((desk.block.outputs().counters.read_errors, desk.sent.len()), (1, 0));
}

/// Orders, replies and frames of other connections and other software arrive at the highest rate all the
/// time.
#[test]
fn what_comes_later_is_not_waited_for() {
    for replies in [false, true] {
        let mut desk = Desk::new();
        let (mut orders, mut reads, mut taken) = (Vec::new(), Vec::<Beat>::new(), Vec::new());
        let mut offered = None;
        for clock in 0..20_000_u64 {
            if orders.is_empty() {
                orders.push((1 + (clock % 3) as u32, any_order(&mut desk.rng, 100)));
                reads.extend(beats(&mut desk.rng, 100));
            }
            // Replies at every turn would keep the orders waiting.
            let reply = (replies && clock % 16 == 0).then(|| (1, any_reply(&mut desk.rng)));
            offered = offered.or((clock % 500 == 499).then_some(clock));
            let bypass = beats(&mut desk.rng, 64).pop();
            let inputs = Inputs {
                reply,
                order: orders.last().copied(),
                read: reads.first().copied(),
                bypass,
                peer: offered.map(|_| (0, peer(clock / 500))),
                ..NET
            };
            let outputs = desk.clock(inputs);
            if outputs.order_ready {
                orders.pop();
            }
            if outputs.read_ready && !reads.is_empty() {
                reads.remove(0);
            }
            if outputs.peer_ready {
                taken.extend(offered.take().map(|since| clock - since));
            }
        }
        // 39 orders of four beats, as many frames of other software, and the words behind the choice.
        assert_eq!(taken.len(), 39, "{taken:?}");
        assert!(taken.iter().all(|clocks| (20..300).contains(clocks)), "{taken:?}");
        assert!(desk.sent.iter().all(|(_, mac)| *mac <= 1 || *mac > 1 << 20), "only frames of others beside");
    }
}

/// Rule 11: while the net accepted none, 19 frames of one beat have begun. A later reply is the twentieth to
/// leave.
#[test]
fn nineteen_frames_have_begun() {
    let mut desk = Desk::new();
    let bypass = beats(&mut desk.rng, 64).pop();
    for _ in 0..500 {
        desk.clock(Inputs { bypass, ..Inputs::default() });
    }
    let reply = Some((3, any_reply(&mut desk.rng)));
    assert!(desk.clock(Inputs { reply, bypass, ..Inputs::default() }).reply_ready);
    desk.held(3, 2, 100);
    desk.set(3, 2, Inputs { bypass, ..NET });
    // One more frame leaves in the clock in which the word is accepted.
    assert_eq!(desk.sent.iter().position(|(_, mac)| *mac == 1), Some(19));
    assert_eq!(desk.sent.len(), 21);
}
