//! `weft_egress`: rules on the model alone: bytes of every length, rates, turns, time stamps.

use weft_blocks::egress::oracle;
use weft_blocks::egress::stimulus::{any_csr, any_order, any_peer, any_reply, beats};
use weft_nic::block::egress::{Clocked, Inputs, LATENCY, Peer, data, reply};
use weft_nic::words::{Beat, Listed, Order, Reply};
use weft_params::{EgressCsr, PSNS, SackParams};
use weft_random::Rng;

/// Rules 7 to 9: every payload from 0 to 8,192 bytes, the first thousand behind every header.
#[test]
fn data_frames_are_what_weft_wire_encodes() {
    let mut rng = Rng::new(1);
    let bytes: Vec<u8> = (0..8_192).map(|_| rng.draw() as u8).collect();
    for length in 0..=8_192 {
        let csr = any_csr(&mut rng);
        let some = rng.below(8);
        for kind in if length < 1_024 { 0..8 } else { some..some + 1 } {
            let peer = Peer { v6: kind & 1 != 0, tagged: kind & 2 != 0, ..any_peer(&mut rng, &csr) };
            let order = Order { last: kind & 4 != 0, ..any_order(&mut rng, length) };
            let payload = &bytes[..usize::from(length)];
            let stamp = rng.draw() as u16;
            let expected = oracle::data(&csr, &peer, &order, stamp, payload);
            assert_eq!(data(&csr, &peer, &order, stamp, payload), expected);
            assert_eq!(oracle::stamp_of(&peer, &order, &expected), Some(stamp));
        }
    }
}

/// Rules 7 to 9 and 13 for ACKs and NACKs.
#[test]
fn replies_are_what_weft_wire_encodes() {
    let mut rng = Rng::new(2);
    for psns in PSNS {
        for _ in 0..20_000 {
            let csr = any_csr(&mut rng);
            let (peer, mut word) = (any_peer(&mut rng, &csr), any_reply(&mut rng));
            if rng.below(4) > 0 {
                word.psn = (word.cumulative + 1 + rng.below(psns + 40)) & 0xFF_FFFF;
            }
            assert_eq!(reply(&csr, &peer, &word, psns), oracle::reply(&csr, &peer, &word, psns));
        }
    }
}

/// Rule 1: after reset the block accepts no word for a clock per connection. Then every peer is 0.
#[test]
fn rule_01_the_sweep_after_reset() {
    const CONNECTIONS: u32 = 16;
    let mut rng = Rng::new(6);
    let csr = EgressCsr::default();
    let mut block = Clocked::new(SackParams { connections: CONNECTIONS }, csr);
    let idle = Inputs { net_ready: true, ..Inputs::default() };
    for round in 0..3 {
        block.clock(&Inputs { rst: true, ..idle });
        let mut swept = 0;
        loop {
            let outputs = block.outputs();
            let ready = [outputs.peer_ready, outputs.reply_ready, outputs.order_ready];
            if ready.contains(&true) {
                break;
            }
            let id = rng.below(CONNECTIONS);
            block.clock(&Inputs {
                peer: Some((id, any_peer(&mut rng, &csr))),
                reply: Some((id, any_reply(&mut rng))),
                order: Some((id, any_order(&mut rng, 0))),
                ..idle
            });
            swept += 1;
        }
        assert_eq!(swept, CONNECTIONS, "round {round}");
        for id in 0..CONNECTIONS {
            let word = any_reply(&mut rng);
            let mut frame = Vec::new();
            let mut offered = Some((id, word));
            for _ in 0..60 {
                let outputs = *block.outputs();
                frame.extend(outputs.net.get().iter().flat_map(|(_, beat)| beat.bytes()));
                block.clock(&Inputs { reply: offered, ..idle });
                offered = offered.filter(|_| !outputs.reply_ready);
            }
            let expected = oracle::reply(&csr, &Peer::default(), &word, SackParams::WINDOW);
            assert_eq!(frame, expected, "connection {id}, round {round}");
        }
        for id in 0..CONNECTIONS {
            let set = Inputs { peer: Some((id, any_peer(&mut rng, &csr))), ..idle };
            while !block.outputs().peer_ready {
                block.clock(&set);
            }
            block.clock(&set);
        }
    }
}

/// Words that every stream offers, as long as there are any.
#[derive(Default)]
struct Bench {
    replies: Vec<Reply>,
    orders: Vec<Order>,
    reads: Vec<Beat>,
    others: Vec<Beat>,
    /// Clocks from which on orders and read data are offered.
    orders_from: u64,
    reads_from: u64,
}

impl Bench {
    /// Runs a block whose peer 0 is `peer`. Returns the beats that leave, with their clocks.
    fn run(mut self, peer: Peer, clocks: u64) -> Vec<(u64, Beat)> {
        self.offer(peer, clocks)
    }

    /// Like [`Self::run`]. Words that were not accepted remain.
    fn offer(&mut self, peer: Peer, clocks: u64) -> Vec<(u64, Beat)> {
        let params = SackParams { connections: 4 };
        let mut block = Clocked::new(params, EgressCsr::default());
        block.clock(&Inputs { rst: true, ..Inputs::default() });
        let set = Inputs { peer: Some((0, peer)), ..Inputs::default() };
        while !block.outputs().peer_ready {
            block.clock(&set);
        }
        block.clock(&set);
        for words in [&mut self.reads, &mut self.others] {
            words.reverse();
        }
        self.replies.reverse();
        self.orders.reverse();
        let mut sent = Vec::new();
        for clock in 0..clocks {
            let inputs = Inputs {
                now: clock as u32,
                reply: self.replies.last().map(|word| (0, *word)),
                order: self.orders.last().filter(|_| clock >= self.orders_from).map(|word| (0, *word)),
                read: self.reads.last().copied().filter(|_| clock >= self.reads_from),
                bypass: self.others.last().copied(),
                net_ready: true,
                ..Inputs::default()
            };
            let outputs = *block.outputs();
            block.clock(&inputs);
            if outputs.reply_ready {
                self.replies.pop();
            }
            if outputs.order_ready && inputs.order.is_some() {
                self.orders.pop();
            }
            if outputs.read_ready && inputs.read.is_some() {
                self.reads.pop();
            }
            if outputs.bypass_ready {
                self.others.pop();
            }
            sent.extend(outputs.net.get().map(|(_, beat)| (clock, beat)));
        }
        sent
    }
}

/// Checks that the beats leave in consecutive clocks. Returns the number of frames.
fn back_to_back(sent: &[(u64, Beat)]) -> usize {
    for pair in sent.windows(2) {
        assert_eq!(pair[1].0, pair[0].0 + 1, "a clock without a beat");
    }
    sent.iter().filter(|(_, beat)| beat.last).count()
}

fn orders(rng: &mut Rng, count: usize, bytes: u16) -> Bench {
    let orders = (0..count).map(|_| any_order(rng, bytes)).collect();
    let reads = (0..count).flat_map(|_| beats(rng, bytes.into())).collect();
    Bench { orders, reads, ..Bench::default() }
}

#[test]
fn long_frames_fill_the_bus() {
    let mut rng = Rng::new(3);
    for v6 in [false, true] {
        // Data comes a word per clock, and a frame needs two or three clocks more, so it never waits.
        let mut bench = orders(&mut rng, 40, 8_192);
        for order in &mut bench.orders {
            order.last = false;
        }
        let sent = bench.run(Peer { v6, ..Peer::default() }, 8_000);
        assert_eq!(back_to_back(&sent), 40);
        assert_eq!(sent.len(), 40 * 130);
    }
}

/// Two beats, the fewest of a frame of the NIC; and three.
#[test]
fn short_frames_fill_the_bus() {
    let mut rng = Rng::new(4);
    for (bytes, beats) in [(0, 2), (1, 2), (40, 2), (64, 3), (104, 3)] {
        let sent = orders(&mut rng, 400, bytes).run(Peer::default(), 2_000);
        assert_eq!(back_to_back(&sent), 400, "{bytes} bytes");
        assert_eq!(sent.len(), 400 * beats);
    }
}

#[test]
fn replies_fill_the_bus() {
    let mut rng = Rng::new(5);
    for (v6, lists) in [(false, false), (false, true), (true, false), (true, true)] {
        let listed = Listed { there: u16::from(lists), ..Listed::default() };
        let reply = |rng: &mut Rng| Reply { nack: false, ..any_reply(rng) }.with_list(listed);
        let replies: Vec<Reply> = (0..400).map(|_| reply(&mut rng)).collect();
        let sent = Bench { replies, ..Bench::default() }.run(Peer { v6, ..Peer::default() }, 2_000);
        assert_eq!(back_to_back(&sent), 400);
        assert_eq!(sent.len(), 400 * if v6 || lists { 3 } else { 2 });
    }
}

#[test]
fn frames_of_others_fill_the_bus() {
    let mut rng = Rng::new(6);
    let others: Vec<Beat> = (0..400).flat_map(|_| beats(&mut rng, 64)).collect();
    let sent = Bench { others: others.clone(), ..Bench::default() }.run(Peer::default(), 2_000);
    assert_eq!(back_to_back(&sent), 400);
    assert_eq!(sent.iter().map(|(_, beat)| *beat).collect::<Vec<_>>(), others);
}

/// Rule 3, and rule 6 of the NIC: replies first; then an order, a frame of other software, an order.
#[test]
fn turns() {
    let mut rng = Rng::new(7);
    let mut bench = orders(&mut rng, 20, 128);
    bench.others = (0..20).flat_map(|_| beats(&mut rng, 200)).collect();
    let sent = bench.run(Peer::default(), 1_000);
    assert_eq!(back_to_back(&sent), 40);
    let frames = sent.split_inclusive(|(_, beat)| beat.last);
    let lengths = frames.map(|frame| frame.iter().map(|(_, beat)| beat.bytes().count()).sum::<usize>());
    let foreign: Vec<bool> = lengths.map(|length| length == 200).collect();
    assert!(foreign.windows(2).all(|pair| pair[0] != pair[1]), "{foreign:?}");

    let mut bench = orders(&mut rng, 200, 8);
    bench.replies = (0..200).map(|_| Reply { nack: true, ..any_reply(&mut rng) }).collect();
    let sent = bench.run(Peer::default(), 2_000);
    let opcodes = sent.split_inclusive(|(_, beat)| beat.last).map(|frame| frame[0].1.byte(42));
    let replies: Vec<bool> = opcodes.map(|opcode| opcode == 0x11).collect();
    assert_eq!(replies, [[true; 200], [false; 200]].concat());
}

/// Number of orders that the block accepts before the read data of the first order arrives: the maximum
/// number of reads in progress.
const WAITING: usize = 38;

/// Rule 4, and rule 7 of the NIC.
#[test]
fn orders_wait_for_their_read_data_and_keep_nobody_else_waiting() {
    let mut rng = Rng::new(10);
    let mut bench = |reads_from| {
        let others = (0..20).flat_map(|_| beats(&mut rng, 200)).collect();
        Bench { others, reads_from, ..orders(&mut rng, 60, 128) }
    };
    let mut never = bench(u64::MAX);
    let sent = never.offer(Peer::default(), 1_000);
    assert_eq!(60 - never.orders.len(), WAITING);
    assert_eq!(back_to_back(&sent), 20);
    let late = bench(500).run(Peer::default(), 2_000);
    assert_eq!(late.iter().filter(|(clock, beat)| *clock > 500 && beat.last).count(), 60);
}

/// Rule 4: the store of read data fills without a loss. When the orders arrive, all frames leave.
#[test]
fn read_data_waits_for_its_orders() {
    let mut rng = Rng::new(11);
    let mut early = orders(&mut rng, 8, 8_192);
    early.orders_from = u64::MAX;
    assert_eq!(early.offer(Peer::default(), 2_000).len(), 0);
    // 512 words are in the store, two on their way out of it.
    assert_eq!(8 * 128 - early.reads.len(), 514);
    let sent = Bench { orders_from: 2_000, ..orders(&mut rng, 8, 8_192) }.run(Peer::default(), 4_000);
    assert_eq!(sent.iter().filter(|(_, beat)| beat.last).count(), 8);
}

/// Rule 6: the stamp is the time of the clock that chose the frame.
#[test]
fn stamps() {
    let mut rng = Rng::new(8);
    let bench = orders(&mut rng, 50, 300);
    let of = bench.orders.clone();
    let sent = bench.run(Peer::default(), 1_000);
    let frames: Vec<_> = sent.split_inclusive(|(_, beat)| beat.last).collect();
    assert_eq!(frames.len(), 50);
    for (frame, order) in frames.iter().zip(&of) {
        let bytes: Vec<u8> = frame.iter().flat_map(|(_, beat)| beat.bytes().collect::<Vec<_>>()).collect();
        let chosen = frame[0].0 - LATENCY as u64;
        assert_eq!(oracle::stamp_of(&Peer::default(), order, &bytes), Some(chosen as u16));
    }
}

/// Clocks from the last input of a frame to its first beat; the page has the same numbers.
#[test]
fn latencies() {
    let mut rng = Rng::new(9);
    let first = |bench: Bench| bench.run(Peer::default(), 100)[0].0;
    let replies = vec![any_reply(&mut rng)];
    assert_eq!(first(Bench { replies, ..Bench::default() }), 22);
    assert_eq!(first(orders(&mut rng, 1, 0)), 26);
    let late = orders(&mut rng, 1, 64 * 50);
    assert_eq!(first(late), 49 + 22);
    let others = beats(&mut rng, 64);
    assert_eq!(first(Bench { others, ..Bench::default() }), 20);
}
