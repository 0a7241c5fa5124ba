//! The registers, rule by rule, on RTL and model at once.

use crate::bench::{Bench, OKAY, SLVERR};
use weft_nic::words::Packed;
use weft_params::registers::{self as map, Access, Kind, NicCsr, Op, Register, Staged, offsets};
use weft_params::{
    EgressCsr, EvMode, IngressCsr, ReceiverCsr, RepsCsr, SackRxCsr, SackTxClass, SackTxCsr, Setup, Signals,
};
use weft_random::Rng;

/// Clocks from the accepted address to the offered answer (page `docs/blocks/registers.md`).
const READ_LATENCY: usize = 4;
/// Clocks from the address to the answer for counters.
const COUNTER_LATENCY: std::ops::RangeInclusive<u32> = 11..=18;
/// Clocks within which the scanner visits every counter, with reads in between.
const ROUND: u32 = 1_536;
/// Clocks of a write from the later of address and data to the answer.
const WRITE_LATENCY: usize = 4;

/// Every register with storage.
fn stored() -> impl Iterator<Item = &'static Register> {
    map::registers()
        .iter()
        .filter(|register| register.access == Access::ReadWrite && register.name != "command")
}

/// All registers that can be read and do not change by themselves.
fn dump(bench: &mut Bench) -> Vec<(u16, u32)> {
    let all = map::registers().iter().filter(|register| register.name != "now");
    all.flat_map(|register| register.offsets())
        .map(|offset| {
            let (word, response) = bench.read(offset);
            assert_eq!(response, OKAY, "{offset:#x}");
            (offset, word)
        })
        .collect()
}

/// The blocks accept commands at once.
fn ready(bench: &mut Bench) {
    bench.inputs.ingress_peer_ready = true;
    bench.inputs.egress_peer_ready = true;
    bench.inputs.receiver_control_ready = true;
    bench.inputs.sender_control_ready = true;
}

/// Rule 5 for registers that can be read.
#[test]
fn reset_gives_every_register_its_default() {
    let mut bench = Bench::new(256);
    for again in [false, true] {
        if again {
            for register in stored() {
                for offset in register.offsets() {
                    assert_eq!(bench.write(offset, 0xA5A5_A5A5), OKAY, "{}", register.name);
                }
            }
            assert_ne!(bench.outputs().csr.ingress, IngressCsr::default());
            bench.reset();
        }
        let words: std::collections::HashMap<_, _> = dump(&mut bench).into_iter().collect();
        let csr = map::decode(|offset| words[&offset]);
        assert_eq!(csr, bench.outputs().csr);
        assert_eq!(csr.tick_shift, 3);
        assert_eq!(csr.ingress, IngressCsr::default());
        assert_eq!(csr.egress, EgressCsr::default());
        assert_eq!(csr.receiver, ReceiverCsr::default());
        assert_eq!(csr.receiver.sack, SackRxCsr::default());
        // All defaults describe one network: 100 Gb/s, base RTTs of 4, 8 and 12 us and 117 clocks in the
        // NICs.
        assert_eq!(csr.sender, Setup::default().csr().expect("a network").sender);
        let base_rtts = csr.sender.smartt.classes.map(|class| class.base_rtt_ticks);
        assert_eq!(base_rtts, [4_468_u32, 8_468, 12_468, 12_468].map(|ns| (2 * ns / 32).div_ceil(2)));
        assert_eq!((csr.sender.mtu_shift, csr.sender.idle_ticks), (12, 0));
        for offset in (offsets::PEER_ADDRESS..=offsets::COMMAND).step_by(4) {
            assert_eq!(words[&offset], 0, "{offset:#x}");
        }
    }
}

#[test]
fn the_nic_says_who_it_is() {
    let mut bench = Bench::new(64);
    assert_eq!(bench.read(0), (0x5446_4557, OKAY));
    assert_eq!(bench.read(4), (map::VERSION, OKAY));
    assert_eq!(bench.read(8), (64, OKAY));
    // 512 bits, one of them in tuser, block RAM.
    assert_eq!(bench.read(0x14), (0x0001_0200, OKAY));
}

/// Rule 3: a register has only its own bits, and a write changes no other register.
#[test]
fn every_bit_of_every_register_is_its_own() {
    let mut bench = Bench::new(256);
    for register in stored() {
        for offset in register.offsets() {
            assert_eq!(bench.write(offset, 0), OKAY, "{}", register.name);
        }
    }
    for register in stored() {
        for (word, offset) in register.offsets().enumerate() {
            let mask = register.mask(word as u16);
            for bit in 0..32 {
                assert_eq!(bench.write(offset, 1 << bit), OKAY);
                assert_eq!(bench.read(offset), (1 << bit & mask, OKAY), "{} bit {bit}", register.name);
            }
            assert_eq!(bench.write(offset, u32::MAX), OKAY);
            assert_eq!(bench.read(offset), (mask, OKAY), "{}", register.name);
            // No other register has the bit.
            for (other, value) in dump(&mut bench) {
                let (name, _) = map::at(other).expect("of a register");
                let own = name.access == Access::ReadOnly || other == offset;
                assert!(own || value == 0, "{} changed {}", register.name, name.name);
            }
            assert_eq!(bench.write(offset, 0), OKAY);
        }
    }
}

/// Rule 3: a write changes the bytes whose strobes are set.
#[test]
fn a_strobe_writes_its_byte_only() {
    let mut bench = Bench::new(256);
    for strobes in 0..16u8 {
        for offset in [offsets::SCRATCH, offsets::INGRESS_IPV6 + 8, offsets::REGION_BASE + 4] {
            assert_eq!(bench.write(offset, 0x1122_3344), OKAY);
            assert_eq!(bench.write_bytes(offset, 0xAABB_CCDD, strobes), OKAY);
            let byte = |at: u32| {
                let from = if strobes >> at & 1 == 1 { 0xAABB_CCDDu32 } else { 0x1122_3344 };
                from & 0xFF << (8 * at)
            };
            assert_eq!(bench.read(offset), ((0..4).map(byte).sum(), OKAY), "{strobes:04b}");
        }
    }
}

/// Rule 6: a block sees each word of a value as soon as it is written, together with other words, in any
/// order.
#[test]
fn rule_06_a_value_of_several_words_changes_word_by_word() {
    let mut bench = Bench::new(256);
    let shown = |bench: &Bench| {
        let address = bench.outputs().csr.ingress.ipv6;
        [0, 1, 2, 3].map(|word| (address >> (32 * word)) as u32)
    };
    let mut rng = Rng::new(6);
    let mut words = shown(&bench);
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
        for word in order {
            words[word] = rng.draw() as u32;
            assert_eq!(bench.write(offsets::INGRESS_IPV6 + 4 * word as u16, words[word]), OKAY);
            assert_eq!(shown(&bench), words, "word {word} of {order:?}");
        }
    }
}

/// Rule 1.
#[test]
fn the_low_address_bits_do_not_count() {
    let mut bench = Bench::new(256);
    for low in 0..4 {
        assert_eq!(bench.write(offsets::SCRATCH + low, 0x100 + u32::from(low)), OKAY);
        assert_eq!(bench.read(offsets::SCRATCH + (3 - low)), (0x100 + u32::from(low), OKAY));
    }
}

/// Rules 1 and 2.
#[test]
fn address_and_data_may_come_far_apart() {
    let mut bench = Bench::new(256);
    bench.offer_address(offsets::SCRATCH);
    (0..1_000).for_each(|_| bench.clock());
    // A read does not wait for the rest of the write.
    assert_eq!(bench.read(0), (map::ID, OKAY));
    bench.offer_data(7, 0xF);
    assert_eq!(bench.written(), OKAY);
    bench.offer_data(8, 0xF);
    (0..1_000).for_each(|_| bench.clock());
    assert_eq!(bench.read(offsets::SCRATCH), (7, OKAY));
    bench.offer_address(offsets::SCRATCH);
    (0..1_000).for_each(|_| bench.clock());
    assert_eq!(bench.written(), OKAY);
    assert_eq!(bench.read(offsets::SCRATCH), (8, OKAY));
}

#[test]
fn accesses_take_the_clocks_that_the_page_says() {
    let mut bench = Bench::new(256);
    bench.inputs.axil.write_ready = true;
    bench.inputs.axil.read_ready = true;
    // Clocks from acceptance to answer, and to the next acceptance.
    for _ in 0..3 {
        bench.inputs.axil.read_address = Some(offsets::ID);
        assert!(bench.outputs().axil.read_address_ready);
        for clock in 1..=READ_LATENCY {
            bench.clock();
            bench.inputs.axil.read_address = None;
            assert_eq!(bench.outputs().axil.read_done, clock == READ_LATENCY);
        }
        bench.clock();
    }
    (0..10).for_each(|_| bench.clock());
    for value in 1..4 {
        bench.inputs.axil.write_address = Some(offsets::EGRESS_HOP_LIMIT);
        bench.inputs.axil.write_data = Some((value, 0xF));
        assert!(bench.outputs().axil.write_address_ready && bench.outputs().axil.write_data_ready);
        for clock in 1..=WRITE_LATENCY {
            bench.clock();
            (bench.inputs.axil.write_address, bench.inputs.axil.write_data) = (None, None);
            assert_eq!(bench.outputs().axil.write_done, clock == WRITE_LATENCY);
            assert_ne!(u32::from(bench.outputs().csr.egress.hop_limit), value);
        }
        bench.clock();
        assert_eq!(u32::from(bench.outputs().csr.egress.hop_limit), value);
    }
}

/// Rule 2.
#[test]
fn a_read_and_a_write_that_wait_take_turns() {
    let mut bench = Bench::new(256);
    bench.inputs.axil.write_ready = true;
    bench.inputs.axil.read_ready = true;
    let mut answers = Vec::new();
    for _ in 0..200 {
        bench.inputs.axil.write_address = Some(offsets::SCRATCH);
        bench.inputs.axil.write_data = Some((7, 0xF));
        bench.inputs.axil.read_address = Some(offsets::SCRATCH);
        bench.clock();
        answers.extend(bench.outputs().axil.write_done.then_some('w'));
        answers.extend(bench.outputs().axil.read_done.then_some('r'));
    }
    let turns: String = answers.iter().collect();
    assert!(turns.len() > 40 && !turns.contains("rr") && !turns.contains("ww"), "{turns}");
}

/// Rules 4 and 8: refused accesses, which change nothing.
#[test]
fn slverr_changes_nothing() {
    let mut bench = Bench::new(64);
    let mut rng = Rng::new(1);
    for (offset, word) in map::writes(&random_csr(&mut rng)) {
        assert_eq!(bench.write(offset, word), OKAY);
    }
    bench.write(offsets::COMMAND, Op::Seed.command(63));
    ready(&mut bench);
    let before = dump(&mut bench);
    let known = |offset: u16| map::at(offset).is_some();
    // All holes of the map, the space behind the map, and offsets that differ from a register's in one
    // address bit.
    let near = |offset: u16| (6..16).any(|bit| known(offset ^ 1 << bit));
    let outside: Vec<u16> = (0..=u16::MAX - 3)
        .step_by(4)
        .filter(|&offset| !known(offset) && (offset < 0xA00 || near(offset)))
        .collect();
    assert!(outside.len() > 1_000);
    for &offset in &outside {
        assert_eq!(bench.read(offset), (0, SLVERR), "{offset:#x}");
        assert_eq!(bench.write(offset, u32::MAX), SLVERR, "{offset:#x}");
    }
    for register in map::registers().iter().filter(|register| register.access == Access::ReadOnly) {
        assert_eq!(bench.write(register.offset, u32::MAX), SLVERR, "{}", register.name);
    }
    for strobes in 0..15 {
        assert_eq!(
            bench.write_bytes(offsets::COMMAND, Op::Open.command(3), strobes),
            SLVERR,
            "{strobes:04b}"
        );
    }
    for connection in [64, 65, 128, 256, 4096, 0xFFFF] {
        assert_eq!(bench.write(offsets::COMMAND, Op::Open.command(connection)), SLVERR, "{connection}");
    }
    assert_eq!(dump(&mut bench), before);
    assert_eq!(bench.write(offsets::COMMAND, Op::Open.command(62)), OKAY);
    assert_ne!(dump(&mut bench), before);
}

#[test]
fn a_counter_is_read_at_its_offset() {
    // Counters in the order of the contract.
    let names: Vec<String> = [
        "ingress: data, trims, acks, nacks, probes, bypassed, wrong_vlans, wrong_pkeys, mac_errors, malformed, checksum_errors, \
         icrc_errors, unknown_connections, wrong_peers, overflows, bypass_overflows",
        "egress: data_frames, ack_frames, nack_frames, bypass_frames, read_errors, bypass_overflows, data_bytes",
        "receiver: access_errors, placed, acks, nacks, received, marks, bytes, held",
        "sack_rx: not_open_events, duplicates, outside",
        "sender: posted, refused, orders, probes",
        "sack_tx: not_open_events, never_sent, stale, refused",
        "reps: not_open_events",
        "smartt: not_open_events",
        "recovery: again, lost_by_nack, lost_by_verdict, lost_by_timeout, timeouts, spurious_timeouts, \
         unanswered, denied",
        "paths: explored, recycled, reused, freezes, thaws",
        "window: marks, floors",
        "holds: wire, reads, writes, completions, acks, work",
        "rtt: 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384",
    ]
    .iter()
    .filter_map(|line| line.split_once(": "))
    .flat_map(|(block, names)| names.split(", ").map(move |name| format!("{block}_{name}")))
    .collect();
    let mut bench = Bench::new(256);
    assert_eq!(names.len(), map::COUNTERS);
    for (index, counter) in map::counters().enumerate() {
        bench.inputs.stats[index] = 0xFF00 + index as u32;
        assert!(names.contains(&counter.name), "{}", counter.name);
        let port = counter.port.as_ref().expect("a counter has a port");
        assert!(format!("stat_{}", counter.name).starts_with(&port.name), "{}", counter.name);
        let wide = ["bytes", "lost_by"].iter().any(|part| counter.name.contains(part));
        assert_eq!(port.bits, if wide { 24 } else { 16 }, "{}", counter.name);
    }
    for (index, counter) in map::counters().enumerate() {
        assert_eq!(counter_of(&mut bench, counter), 0xFF00 + index as u64, "{}", counter.name);
    }
}

/// Reads both words of a counter, the low one first.
fn counter_of(bench: &mut Bench, counter: &Register) -> u64 {
    let [(low, first), (high, second)] = [bench.read(counter.offset), bench.read(counter.offset + 4)];
    assert_eq!([first, second], [OKAY; 2]);
    u64::from(high) << 32 | u64::from(low)
}

fn clocks(bench: &mut Bench, clocks: u32) {
    (0..clocks).for_each(|_| bench.clock());
}

/// Rules 18 and 21: no count is missed between visits that are a round apart.
#[test]
fn a_counter_adds_up_what_its_block_counts_and_wraps() {
    let mut bench = Bench::new(4);
    let mut rng = Rng::new(4);
    let mut sums = [0u64; map::COUNTERS];
    for _ in 0..20 {
        for (sum, stat) in sums.iter_mut().zip(&mut bench.inputs.stats) {
            let by = rng.below(1 << 16);
            *stat = stat.wrapping_add(by);
            *sum += u64::from(by);
        }
        clocks(&mut bench, ROUND);
        // The count of this very clock is included.
        let index = rng.index(map::COUNTERS);
        bench.inputs.stats[index] = bench.inputs.stats[index].wrapping_add(1);
        sums[index] += 1;
        let counter = map::counters().nth(index).expect("a counter");
        assert_eq!(counter_of(&mut bench, counter), sums[index], "{}", counter.name);
    }
    for (counter, sum) in map::counters().zip(sums) {
        assert_eq!(counter_of(&mut bench, counter), sum, "{}", counter.name);
    }
}

/// Rules 19 and 20: value of the high word, and effect of a clearing read.
#[test]
fn the_high_word_is_that_of_the_moment_in_which_the_low_one_was_read() {
    let mut bench = Bench::new(4);
    let index = map::counters().position(|counter| counter.name == "receiver_bytes").expect("a counter");
    let counter = map::counters().nth(index).expect("a counter");
    let other = map::register("egress_data_bytes").expect("a counter");
    let mut sum = 0u64;
    let mut count = |bench: &mut Bench, by: u32| {
        bench.inputs.stats[index] = bench.inputs.stats[index].wrapping_add(by);
        clocks(bench, ROUND);
        sum += u64::from(by);
        sum
    };
    for _ in 0..256 {
        count(&mut bench, 0xFF_FFFF);
    }
    let before = count(&mut bench, 255);
    assert_eq!(before, 0xFFFF_FFFF);
    assert_eq!(bench.read(counter.offset), (u32::MAX, OKAY));
    let after = count(&mut bench, 1);
    assert_eq!(after, 1 << 32);
    assert_eq!(bench.read(other.offset), (0, OKAY));
    assert_eq!(bench.read(counter.offset + 4), (0, OKAY));
    assert_eq!(counter_of(&mut bench, counter), after);
    // The counter keeps its value until a read requests it, and is then cleared by the value read.
    assert_eq!(bench.write(offsets::COUNTERS, 1), OKAY);
    assert_eq!(bench.read(counter.offset + 4), (1, OKAY));
    let last = count(&mut bench, 7);
    assert_eq!(counter_of(&mut bench, counter), last);
    assert_eq!(counter_of(&mut bench, counter), 0);
    count(&mut bench, 5);
    assert_eq!(counter_of(&mut bench, counter), 5);
    assert_eq!(bench.write(offsets::COUNTERS, 0), OKAY);
    count(&mut bench, 6);
    assert_eq!(counter_of(&mut bench, counter), 6);
    assert_eq!(counter_of(&mut bench, counter), 6);
}

#[test]
fn a_read_of_a_counter_takes_as_long_as_the_page_says() {
    let mut bench = Bench::new(4);
    clocks(&mut bench, ROUND);
    bench.inputs.axil.read_ready = true;
    let mut seen = std::collections::BTreeSet::new();
    for wait in 0..200u32 {
        clocks(&mut bench, wait % 23);
        let place = if wait % 2 == 0 { offsets::RTT_64 } else { offsets::INGRESS_DATA + 4 };
        bench.inputs.axil.read_address = Some(place);
        assert!(bench.outputs().axil.read_address_ready);
        bench.clock();
        bench.inputs.axil.read_address = None;
        let mut latency = 1;
        while !bench.outputs().axil.read_done {
            bench.clock();
            latency += 1;
        }
        bench.clock();
        seen.insert(latency);
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), COUNTER_LATENCY.collect::<Vec<_>>());
    // After reset the read waits for the first round.
    bench.hard_reset();
    bench.inputs.axil.read_address = Some(offsets::INGRESS_DATA);
    bench.clock();
    bench.inputs.axil.read_address = None;
    let mut latency = 1;
    while !bench.outputs().axil.read_done {
        bench.clock();
        latency += 1;
    }
    assert!((ROUND / 2..=ROUND / 2 + 20).contains(&latency), "{latency}");
}

#[test]
fn counters_are_not_written() {
    let mut bench = Bench::new(4);
    bench.inputs.stats = [3; map::COUNTERS];
    for counter in map::counters() {
        assert_eq!(bench.write(counter.offset, 0), SLVERR, "{}", counter.name);
        assert_eq!(bench.write(counter.offset + 4, 0), SLVERR, "{}", counter.name);
        assert_eq!(counter_of(&mut bench, counter), 3, "{}", counter.name);
    }
}

#[test]
fn software_can_set_everything() {
    let mut bench = Bench::new(256);
    let mut rng = Rng::new(2);
    for _ in 0..20 {
        let csr = random_csr(&mut rng);
        for (offset, word) in map::writes(&csr) {
            assert_eq!(bench.write(offset, word), OKAY, "{offset:#x}");
        }
        bench.clock();
        assert_eq!(bench.outputs().csr, csr);
    }
}

/// Rule 11, and rule 7: NOW reads as the time.
#[test]
fn a_tick_has_so_many_clocks() {
    let mut bench = Bench::new(256);
    for shift in [3, 0, 1, 4, 7, 10] {
        assert_eq!(bench.write(offsets::TICK_SHIFT, shift), OKAY);
        (0..4).for_each(|_| bench.clock());
        let start = bench.outputs().now;
        (0..10 << shift).for_each(|_| bench.clock());
        assert_eq!(bench.outputs().now, start + 10, "shift {shift}");
    }
    let before = bench.outputs().now;
    let (now, response) = bench.read(offsets::NOW);
    assert_eq!(response, OKAY);
    assert!((before..=bench.outputs().now).contains(&now));
    bench.hard_reset();
    assert_eq!(bench.outputs().now, 0);
}

/// Words for the blocks, packed as in the contract, for an open and for a close.
fn words(staged: &Staged, open: bool, op: Op) -> ([u64; 3], [u64; 4], [u64; 3], [u64; 2]) {
    (
        Packed::default()
            .flag(open)
            .flag(staged.peer_v6)
            .put(staged.peer_address, 128)
            .flag(staged.peer_tag.is_some())
            .put(staged.peer_tag.unwrap_or(0), 16)
            .put(staged.peer_pkey.unwrap_or(0xFFFF), 16)
            .words(),
        Packed::default()
            .flag(staged.peer_v6)
            .put(staged.peer_address, 128)
            .put(staged.peer_mac, 48)
            .flag(staged.peer_tag.is_some())
            .put(staged.peer_tag.unwrap_or(0), 16)
            .put(staged.peer_qp, 24)
            .put(staged.peer_pkey.unwrap_or(0xFFFF), 16)
            .words(),
        Packed::default()
            .flag(open)
            .put(staged.receive_psn, 24)
            .put(staged.region_base, 64)
            .put(staged.region_length, 32)
            .put(staged.region_key, 32)
            .words(),
        Packed::default()
            .put(op as u8, 3)
            .put(staged.send_psn, 24)
            .put(staged.class, 2)
            .put(staged.ev, 16)
            .put(staged.seed, 32)
            .words(),
    )
}

/// Phases of rule 9: blocks that get a word, and whether the word opens a connection.
fn phases(op: Op, was_open: bool) -> Vec<([bool; 4], bool)> {
    let closing = [([true, false, false, false], false), ([false, false, true, true], false)];
    let peer = ([false, true, false, false], false);
    let opening = [([false, false, true, true], true), ([true, false, false, false], true)];
    match op {
        Op::Close => closing.into_iter().chain([peer]).collect(),
        Op::Open if was_open => closing.into_iter().chain([peer]).chain(opening).collect(),
        Op::Open => std::iter::once(peer).chain(opening).collect(),
        Op::Peer => vec![peer],
        Op::Seed | Op::PathOk | Op::Drain => vec![([false, false, false, true], true)],
    }
}

/// Rules 9 and 10.
#[test]
fn a_command_sends_what_is_staged_in_phases_and_is_busy_until_all_is_taken() {
    let mut bench = Bench::new(16);
    let mut rng = Rng::new(3);
    let mut open = [false; 16];
    let mut reopened = 0;
    for round in 0..260 {
        let op = Op::ALL[rng.below(Op::ALL.len() as u32) as usize];
        let connection = rng.below(16);
        let was_open = open[connection as usize];
        reopened += u32::from(was_open && op == Op::Open);
        if matches!(op, Op::Open | Op::Close) {
            open[connection as usize] = op == Op::Open;
        }
        let staged = random_staged(&mut rng);
        for (offset, word) in staged.writes() {
            assert_eq!(bench.write(offset, word), OKAY, "{offset:#x}");
        }
        assert_eq!(bench.write(offsets::COMMAND, op.command(connection)), OKAY);
        let busy = op.command(connection) | 1 << 31;
        for (gets, opens) in phases(op, was_open) {
            // The status changes within its turn.
            (0..24).for_each(|_| bench.clock());
            let outputs = *bench.outputs();
            let (ingress, egress, receiver, sender) =
                words(&staged, opens, if opens { op } else { Op::Close });
            let wanted = |gets: bool| gets.then_some(connection);
            assert_eq!(outputs.ingress_peer.get(), wanted(gets[0]).map(|id| (id, ingress)));
            assert_eq!(outputs.egress_peer.get(), wanted(gets[1]).map(|id| (id, egress)));
            assert_eq!(outputs.receiver_control.get(), wanted(gets[2]).map(|id| (id, receiver)));
            assert_eq!(outputs.sender_control.get(), wanted(gets[3]).map(|id| (id, sender)));

            // While COMMAND is busy, neither the staging registers nor COMMAND can be written. All other
            // registers can.
            let mut left: Vec<usize> = (0..4).filter(|&block| gets[block]).collect();
            if rng.chance(1, 2) {
                left.reverse();
            }
            while let Some(block) = left.pop() {
                assert_eq!(bench.read(offsets::COMMAND), (busy, OKAY));
                assert_eq!(bench.write(offsets::COMMAND, Op::Open.command(1)), SLVERR);
                assert_eq!(bench.write(offsets::SEND_PSN, 5), SLVERR);
                assert_eq!(bench.read(offsets::SEND_PSN), (staged.send_psn, OKAY));
                assert_eq!(bench.write(offsets::SCRATCH, round as u32), OKAY);
                let waits = |block: usize| match block {
                    0 => bench.outputs().ingress_peer.valid,
                    1 => bench.outputs().egress_peer.valid,
                    2 => bench.outputs().receiver_control.valid,
                    _ => bench.outputs().sender_control.valid,
                };
                assert!(waits(block));
                bench.inputs.ingress_peer_ready = block == 0;
                bench.inputs.egress_peer_ready = block == 1;
                bench.inputs.receiver_control_ready = block == 2;
                bench.inputs.sender_control_ready = block == 3;
                bench.clock();
                bench.inputs.ingress_peer_ready = false;
                bench.inputs.egress_peer_ready = false;
                bench.inputs.receiver_control_ready = false;
                bench.inputs.sender_control_ready = false;
            }
        }
        (0..24).for_each(|_| bench.clock());
        assert_eq!(bench.read(offsets::COMMAND), (op.command(connection), OKAY));
    }
    assert!(reopened > 10, "{reopened}");
}

/// Rule 13, and rule 11 of the NIC.
#[test]
fn after_reset_command_is_busy_for_a_sweep() {
    let mut bench = Bench::new(64);
    // The memory still has the state of an earlier opening; after reset the connection is closed.
    ready(&mut bench);
    assert_eq!(bench.write(offsets::COMMAND, Op::Open.command(5)), OKAY);
    (0..20).for_each(|_| bench.clock());
    bench.hard_reset();
    assert_eq!(bench.read(offsets::COMMAND), (1 << 31, OKAY));
    assert_eq!(bench.write(offsets::COMMAND, Op::Open.command(5)), SLVERR);
    (0..64).for_each(|_| bench.clock());
    assert_eq!(bench.read(offsets::COMMAND), (0, OKAY));
    bench.inputs.ingress_peer_ready = false;
    bench.inputs.egress_peer_ready = false;
    assert_eq!(bench.write(offsets::COMMAND, Op::Open.command(5)), OKAY);
    (0..4).for_each(|_| bench.clock());
    assert!(bench.outputs().egress_peer.valid, "it begins with the peer: there is nothing to close");
}

#[test]
fn a_connection_is_set_up_with_offsets_alone() {
    // The steps of a driver without the library, with the numbers of the page.
    let mut bench = Bench::new(256);
    ready(&mut bench);
    bench.inputs.sender_control_ready = false;
    for (offset, word) in [(0x80, 0xC0A8_0002), (0x98, 0x00_0142), (0xA0, 100), (0xA4, 200), (0xB8, 0x2_C000)]
    {
        assert_eq!(bench.write(offset, word), OKAY);
    }
    assert_eq!(bench.write(0xC0, 1 << 16 | 17), OKAY);
    // Egress, then receiver and sender.
    (0..10).for_each(|_| bench.clock());
    assert_eq!(bench.read(0xC0), (1 << 31 | 1 << 16 | 17, OKAY));
    let sender = bench.outputs().sender_control;
    assert_eq!((sender.valid, sender.id), (true, 17));
    assert_eq!(sender.word[0], 1 | 100 << 3 | 2 << 27 | 0xC000 << 29);
    // Ingress is next.
    bench.inputs.sender_control_ready = true;
    (0..10).for_each(|_| bench.clock());
    assert_eq!(bench.read(0xC0), (1 << 16 | 17, OKAY));
}

#[test]
fn pages_of_the_description_are_those_of_the_contract() {
    let staging = map::page("staging").expect("a page");
    assert_eq!((staging.kind, staging.offset), (Kind::Staged, offsets::PEER_ADDRESS));
    assert_eq!(offsets::ID, 0);
    assert_eq!(offsets::VERSION, 4);
    for register in map::registers() {
        assert_eq!(register.offset >= 0x800, is_shown(register), "{}", register.name);
        assert_eq!(register.offset >= 0x1000, is_shown(register) && register.bits == 64, "{}", register.name);
    }
}

fn is_shown(register: &Register) -> bool {
    register.port.as_ref().is_some_and(|port| port.name.starts_with("stat_"))
}

fn random_staged(rng: &mut Rng) -> Staged {
    let wide = |rng: &mut Rng| u128::from(rng.draw()) << 64 | u128::from(rng.draw());
    Staged {
        peer_address: wide(rng),
        peer_v6: rng.below(2) == 0,
        peer_mac: rng.draw() >> 16,
        peer_tag: (rng.below(2) == 0).then_some(rng.draw() as u16),
        peer_pkey: (rng.below(2) == 0).then_some(rng.draw() as u16),
        peer_qp: rng.below(1 << 24),
        send_psn: rng.below(1 << 24),
        receive_psn: rng.below(1 << 24),
        region_base: rng.draw(),
        region_length: rng.draw() as u32,
        region_key: rng.draw() as u32,
        class: rng.below(4) as u8,
        ev: rng.draw() as u16,
        seed: rng.draw() as u32,
    }
}

/// Random values that the registers can represent.
fn random_csr(rng: &mut Rng) -> NicCsr {
    let mut csr = NicCsr::default();
    let mut bits = |bits: u32| (rng.draw() >> (64 - bits)) as u32;
    csr.tick_shift = bits(4) as u8;
    csr.ingress = IngressCsr {
        ipv4: bits(32),
        ipv6: u128::from(bits(32)) << 96
            | u128::from(bits(32)) << 64
            | u128::from(bits(32)) << 32
            | u128::from(bits(32)),
        qp_base: bits(24),
        dscp_trimmed: bits(6) as u8,
        dscp_trimmed_last_hop: bits(6) as u8,
    };
    csr.egress = EgressCsr {
        mac: u64::from(bits(32)) << 16 | u64::from(bits(16)),
        ipv4: bits(32),
        ipv6: u128::from(bits(32)) << 70 | u128::from(bits(32)),
        hop_limit: bits(8) as u8,
        dscp_data: bits(6) as u8,
        dscp_again: bits(6) as u8,
        dscp_control: bits(6) as u8,
    };
    csr.receiver = ReceiverCsr {
        sack: SackRxCsr { ack_packets: bits(8), ack_bytes: bits(16) },
        ack_timeout_ticks: bits(16) as u16,
    };
    let sender = &mut csr.sender;
    sender.mtu_shift = bits(4) as u8;
    sender.idle_ticks = bits(32);
    sender.sack = SackTxCsr {
        mtu_bytes: 1 << sender.mtu_shift,
        classes: std::array::from_fn(|_| SackTxClass {
            gap: bits(8),
            rto_ticks: bits(16),
            epoch_ticks: bits(15),
            high_ticks: bits(15),
            backoff_limit: bits(3),
            retry_limit: bits(10),
        }),
    };
    sender.reps = RepsCsr {
        mode: [EvMode::Reps, EvMode::Ops, EvMode::Fixed, EvMode::Reps2024][bits(2) as usize],
        ev_base: bits(16),
        evs_size: bits(17),
        freeze_timeout_ticks: bits(32),
        bdp_packets: bits(16),
        trimming: bits(1) == 1,
        thaw_reset: bits(1) == 1,
        rtt_high_ticks: bits(16),
        rtt_window_ticks: bits(32),
    };
    for class in &mut sender.smartt.classes {
        class.mtu_bytes = bits(14);
        class.max_cwnd_bytes = bits(26);
        class.fair_decrease_bytes = bits(26);
        class.base_rtt_ticks = bits(16);
        class.target_rtt_ticks = bits(16);
        class.fast_rtt_ticks = bits(16);
        class.multiplicative_increase = bits(32);
        class.fair_increase = bits(30);
    }
    sender.smartt.multiplicative_decrease = bits(8);
    sender.smartt.qa_scaling = bits(24);
    sender.smartt.wtd_alpha = bits(8);
    sender.smartt.wtd_alphas = std::array::from_fn(|_| bits(8));
    sender.smartt.wtd_threshold = bits(8);
    sender.smartt.granularity = bits(6);
    sender.smartt.fast_mtus = bits(4);
    sender.smartt.signals = [Signals::Both, Signals::Ecn, Signals::Delay][bits(8) as usize % 3];
    sender.smartt.late_losses = bits(1) == 1;
    csr
}

/// Rule 23: words of the sender for the connection that QUERY names, field by field.
#[test]
fn rule_23_query_shows_what_the_sender_knows() {
    let mut bench = Bench::new(16);
    let fields = [(0x018, 0, 26), (0x020, 26, 24), (0x024, 50, 24), (0x01C, 74, 18), (0x028, 92, 27)];
    for connection in [0_u32, 7, 15] {
        // Bits of QUERY above the last connection are ignored.
        assert_eq!(bench.write(offsets::QUERY, connection | 0xFFF0), OKAY);
        assert_eq!(bench.outputs().query, connection);
        let word = (0x0123_4567_89AB_CDEF_u128 << 55 | 0x00FE_DCBA_9876_5432) >> connection;
        bench.inputs.window = [word as u64, (word >> 64) as u64];
        for (offset, lsb, bits) in fields {
            let field = (word >> lsb) as u32 & ((1 << bits) - 1);
            assert_eq!(bench.read(offset), (field, OKAY), "{offset:#x}");
            assert_eq!(bench.write(offset, 0), SLVERR, "{offset:#x}");
        }
    }
}
