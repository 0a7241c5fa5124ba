//! The rules of `docs/blocks/reps.md`, one by one. The expected values are computed by hand from the rule's
//! text. The naive oracle, the model and the RTL must all make these decisions, with any spacing of the
//! events.

mod bench;
mod pairs;
mod steps;

use bench::{check, check_encoding, check_parts, check_shape};
use steps::{Step, ack, close, idle, marked, open, open_with, path_ok, seed, send, timeout};
use weft_nic::block::reps::Source::{Explored, Given, Recycled, Reused};
use weft_params::{EvMode, RepsCsr, RepsParams};

/// There is one EV to explore, so random EVs are known. Times are short. Every TIMEOUT is a failure.
const CSR: RepsCsr = RepsCsr {
    mode: EvMode::Reps,
    ev_base: NEW as u32,
    evs_size: 1,
    freeze_timeout_ticks: 300,
    bdp_packets: 3,
    trimming: true,
    thaw_reset: false,
    rtt_high_ticks: 100,
    rtt_window_ticks: 50,
};

/// Settings with which the window of round-trip times decides on the meaning of a TIMEOUT.
const NO_TRIMMING: RepsCsr = RepsCsr { trimming: false, bdp_packets: 0, ..CSR };

/// 4,096 EVs to explore: a number of mode 2024 is 16 EVs.
const MODE_2024: RepsCsr = RepsCsr { mode: EvMode::Reps2024, evs_size: 4096, ..CSR };

/// The one EV to explore.
const NEW: u16 = 0xC000;
/// EVs that ACKs bring.
const A: u16 = 0xC10A;
const B: u16 = 0xC10B;
const C: u16 = 0xC10C;
const D: u16 = 0xC10D;
const E: u16 = 0xC10E;

/// The time wraps here.
const WRAP: u64 = 1 << 32;

/// As many steps as the buffer has slots, one for each of the EVs 0xC200, 0xC201, ...
fn for_each_slot(step: impl Fn(u16) -> Step) -> Vec<Step> {
    (0xC200..0xC208).map(step).collect()
}

#[test]
fn rule_01_reset_closes_every_connection() {
    // The RAM starts with noise, in which half of the connections would be open.
    let all: Vec<_> = (0..256).map(|connection| ack(A).of(connection).refused()).collect();
    check(CSR, &all);
}

#[test]
fn rule_02_open_starts_anew_and_close_ends() {
    check(CSR, &[open(), ack(A), open(), send(Explored, NEW)]);
    check(CSR, &[open(), ack(A), timeout().freezes(), open(), send(Explored, NEW)]);
    check(CSR, &[open(), idle(), open(), ack(A), send(Recycled, A)]);
    check(CSR, &[open(), ack(A), timeout().freezes(), close(), send(Given, 0).refused()]);
    check(CSR, &[open(), ack(A), close(), open(), send(Explored, NEW)]);
    check(NO_TRIMMING, &[open(), ack(A).rtt(100), open(), timeout().freezes()]);
    // The given EV is in slot 0, but does not count as written: only a fixed connection reads it.
    check(CSR, &[open_with(A), timeout().freezes(), send(Explored, NEW)]);
    check(RepsCsr { mode: EvMode::Fixed, ..CSR }, &[open_with(A), open_with(B), send(Given, B)]);
}

#[test]
fn rule_03_what_is_not_open_does_nothing_and_is_counted() {
    let refused =
        [send(Given, 0), ack(A), marked(A), timeout(), path_ok(), idle(), close()].map(Step::refused);
    let after = [open(), send(Explored, NEW), ack(B), send(Recycled, B)];
    check(CSR, &[&refused[..], &after].concat());
    // A SEED concerns no connection: it counts as an event, and leaves an open connection unchanged.
    check(CSR, &[seed(1), open(), ack(A), timeout().freezes(), seed(2), send(Recycled, A)]);
}

#[test]
fn rule_04_unmarked_acks_are_cached_marked_ones_are_not() {
    check(
        CSR,
        &[open(), ack(A), marked(B), ack(C), send(Recycled, A), send(Recycled, C), send(Explored, NEW)],
    );
    // There are two more ACKs than slots: the two oldest values are overwritten, and the number of valid
    // slots stays at the depth.
    let nine_and_ten = [ack(D), ack(E)];
    let sent = for_each_slot(|ev| send(Recycled, ev));
    let last = [send(Recycled, D), send(Recycled, E), send(Explored, NEW)];
    check(CSR, &[&[open()], &for_each_slot(ack)[..], &nine_and_ten, &sent[2..], &last].concat());
    // A slot whose EV was used becomes valid again.
    let again = [send(Recycled, 0xC200), ack(D)];
    check(CSR, &[&[open()], &for_each_slot(ack)[..], &again, &sent[1..], &[last[0], last[2]]].concat());
}

#[test]
fn rule_05_written_grows_slot_by_slot() {
    // Three of eight slots written and used; frozen, the three go round.
    let three = [open(), ack(A), ack(B), ack(C), send(Recycled, A), send(Recycled, B), send(Recycled, C)];
    let round = [timeout().freezes(), send(Reused, A), send(Reused, B), send(Reused, C), send(Reused, A)];
    // The head is at slot 1: D replaces B, and no new slot is written.
    let replaced =
        [ack(D), send(Recycled, D), send(Reused, C), send(Reused, A), send(Reused, D), send(Reused, C)];
    // The head is at slot 3, which was never written: now four slots are written.
    let grown =
        [ack(E), send(Recycled, E), send(Reused, A), send(Reused, D), send(Reused, C), send(Reused, E)];
    check(CSR, &[&three[..], &round, &replaced, &grown].concat());
}

#[test]
fn rule_06_when_a_send_explores() {
    check(CSR, &[open(), send(Explored, NEW)]);
    check(CSR, &[open(), timeout().freezes(), send(Explored, NEW), send(Explored, NEW)]);
    check(CSR, &[open(), ack(A), send(Recycled, A), send(Explored, NEW)]);
    check(CSR, &[open(), ack(A), idle(), send(Explored, NEW)]);
    check(CSR, &[open(), marked(A), send(Explored, NEW)]);
}

#[test]
fn rule_07_exploring_counts_down() {
    let three = [send(Explored, NEW); 3];
    check(CSR, &[&[open(), ack(A), idle()], &three[..], &[send(Recycled, A)]].concat());
    // At 0 the counter stays: the random EV of an empty buffer does not wrap it.
    check(CSR, &[open(), send(Explored, NEW), ack(A), send(Recycled, A)]);
}

#[test]
fn rule_08_the_oldest_valid_ev_is_used_once() {
    check(CSR, &[open(), ack(A), ack(B), send(Recycled, A), ack(C), send(Recycled, B), send(Recycled, C)]);
    // Round the buffer: with three always valid, twenty ACKs pass slot 7 twice.
    let mut steps = vec![open(), ack(0xC300), ack(0xC301), ack(0xC302)];
    for n in 0xC300..0xC314 {
        steps.extend([send(Recycled, n), ack(n + 3)]);
    }
    check(CSR, &steps);
}

#[test]
fn rule_09_frozen_it_reuses() {
    // Valid slots go first. Then, with all slots written, the EVs are reused in a circle from the head.
    let rounds = [for_each_slot(|ev| send(Recycled, ev)), for_each_slot(|ev| send(Reused, ev))];
    let again = [send(Reused, 0xC200), send(Reused, 0xC201)];
    let frozen = [&[open()], &for_each_slot(ack)[..], &[timeout().freezes()]].concat();
    check(CSR, &[&frozen[..], &rounds[0], &rounds[1], &again[..]].concat());
    // Head is not at slot 0: the round begins where head is.
    let moved = [ack(A), ack(B), timeout().freezes()];
    let sent: Vec<_> = (0xC202..0xC208).chain([A, B]).map(|ev| send(Recycled, ev)).collect();
    let reused: Vec<_> = (0xC202..0xC208).chain([A, B, 0xC202]).map(|ev| send(Reused, ev)).collect();
    check(CSR, &[&[open()], &for_each_slot(ack)[..], &moved, &sent, &reused].concat());
    // If fewer slots are written than exist, slot 0 follows the last written one.
    let few = [open(), ack(A), timeout().freezes(), send(Recycled, A), send(Reused, A), send(Reused, A)];
    check(CSR, &few);
}

#[test]
fn rule_10_a_failure_freezes_once_and_not_while_exploring() {
    let exploring = [open(), ack(A), idle(), timeout(), send(Explored, NEW), timeout(), send(Explored, NEW)];
    let explored = [timeout(), send(Explored, NEW), timeout().freezes(), send(Recycled, A), send(Reused, A)];
    check(CSR, &[&exploring[..], &explored].concat());
    // The second failure does not begin the freeze again.
    check(
        CSR,
        &[open(), timeout().at(10).freezes(), timeout().at(60), ack(A).at(310), ack(B).at(311).thaws()],
    );
}

#[test]
fn rule_11_with_trimming_every_timeout_is_a_failure() {
    check(CSR, &[open(), ack(A).rtt(0xFFFF), timeout().freezes()]);
    check(NO_TRIMMING, &[open(), ack(A).rtt(0xFFFF), timeout(), send(Recycled, A), send(Explored, NEW)]);
}

#[test]
fn rule_12_an_unmarked_ack_after_the_timeout_thaws() {
    let explored = [send(Explored, NEW); 3];
    let frozen = [open(), ack(A), timeout().at(1000).freezes()];
    // Exactly at the timeout it is frozen still; one tick later it is not. The buffer is kept.
    let after = [send(Recycled, A), send(Recycled, B), send(Recycled, C), send(Explored, NEW)];
    check(CSR, &[&frozen[..], &[ack(B).at(1300), ack(C).at(1301).thaws()], &explored[..], &after].concat());
    // A marked ACK changes nothing while frozen, however late.
    let late = [marked(B).at(1301), marked(B).at(5000), send(Recycled, A), send(Reused, A)];
    check(CSR, &[&frozen[..], &late, &[ack(C).thaws()]].concat());
    // The connection's own EV is cached first: if that EV is the only one, it is recycled.
    check(
        CSR,
        &[&[open(), timeout().freezes(), ack(A).at(301).thaws()], &explored[..], &[send(Recycled, A)]]
            .concat(),
    );
    // The time wraps during the freeze.
    let wrapped =
        [open(), timeout().at(WRAP - 100).freezes(), ack(A).at(WRAP + 200), ack(B).at(WRAP + 201).thaws()];
    check(CSR, &wrapped);
    check(CSR, &[open(), timeout().at(WRAP - 301).freezes(), ack(A).at(WRAP - 1), ack(B).at(WRAP).thaws()]);
    // The shortest and the longest timeout, and no exploring without a BDP.
    let shortest = RepsCsr { freeze_timeout_ticks: 0, bdp_packets: 0, ..CSR };
    check(shortest, &[open(), timeout().freezes(), ack(A), ack(B).at(1).thaws(), send(Recycled, A)]);
    let longest = RepsCsr { freeze_timeout_ticks: (1 << 31) - 1, ..CSR };
    let half = WRAP / 2;
    check(longest, &[open(), timeout().at(7).freezes(), ack(A).at(half + 6), ack(B).at(half + 7).thaws()]);
}

/// The paths of all cached values may be dead: then no ACK arrives.
#[test]
fn rule_12_a_timeout_after_the_window_thaws() {
    let explored = [send(Explored, NEW); 3];
    let frozen = [open(), ack(A), ack(B), timeout().at(1000).freezes(), send(Recycled, A)];
    // Exactly at the end of the window it is frozen still. The buffer is kept, and the same TIMEOUT does not freeze.
    let stuck = [timeout().at(1050), send(Recycled, B), send(Reused, A), timeout().at(1051).thaws()];
    let after = [send(Explored, NEW), ack(C).at(1052), send(Recycled, C)];
    check(CSR, &[&frozen[..], &stuck, &explored[..], &after].concat());
    // The next freeze has a window of its own.
    let next = [timeout().at(1100).freezes(), timeout().at(1150), timeout().at(1151).thaws()];
    check(CSR, &[&frozen[..], &stuck, &explored[..], &next].concat());
    // The same without trimming, and at a time that wraps.
    let [begin, end] = [timeout().at(WRAP - 20).freezes(), timeout().at(WRAP + 31).thaws()];
    check(NO_TRIMMING, &[open(), begin, timeout().at(WRAP + 30), end, timeout().at(WRAP + 32).freezes()]);
    // A high round-trip time after the thaw counts again.
    let high = [ack(A).at(101).rtt(100), timeout().at(102), timeout().at(152).freezes()];
    check(
        NO_TRIMMING,
        &[&[open(), timeout().at(9).freezes(), timeout().at(100).thaws()], &high[..]].concat(),
    );
    // With `thaw_reset` the buffer is empty.
    let csr = RepsCsr { thaw_reset: true, ..CSR };
    let emptied =
        [timeout().at(1051).thaws(), send(Explored, NEW), ack(C), send(Explored, NEW), send(Explored, NEW)];
    check(csr, &[&frozen[..], &emptied, &[send(Recycled, C), send(Explored, NEW)]].concat());
}

#[test]
fn rule_13_thaw_reset_empties_the_buffer() {
    let csr = RepsCsr { thaw_reset: true, ..CSR };
    let explored = [send(Explored, NEW); 3];
    let frozen = [open(), ack(A), ack(B), ack(C), send(Recycled, A), timeout().freezes()];
    // After an ACK, the only EV is that of the ACK, valid and written.
    let by_ack =
        [send(Recycled, D), send(Explored, NEW), timeout().freezes(), send(Reused, D), send(Reused, D)];
    check(csr, &[&frozen[..], &[ack(D).at(301).thaws()], &explored[..], &by_ack].concat());
    // After a PATH_OK, the buffer has no EV, not even one to reuse.
    let by_probe = [send(Explored, NEW), timeout().freezes(), send(Explored, NEW)];
    check(csr, &[&frozen[..], &[path_ok().thaws()], &explored[..], &by_probe].concat());
    // No other event empties the buffer.
    check(
        csr,
        &[&frozen[..], &[ack(D).at(300), send(Recycled, B), send(Recycled, C), send(Recycled, D)]].concat(),
    );
}

#[test]
fn rule_14_a_high_round_trip_time_is_remembered() {
    // An RTT at the threshold is high, below it is not; a mark does not matter.
    check(NO_TRIMMING, &[open(), ack(A).rtt(100), timeout()]);
    check(NO_TRIMMING, &[open(), ack(A).rtt(99), timeout().freezes()]);
    check(NO_TRIMMING, &[open(), marked(A).rtt(100), timeout()]);
    check(NO_TRIMMING, &[open(), marked(A).rtt(99), timeout().freezes()]);
    // The RTT does not count while frozen, nor does that of the ACK that ends the freeze.
    let frozen = [open(), timeout().freezes()];
    let during = [ack(A).at(299).rtt(500), path_ok().thaws(), timeout().freezes()];
    check(NO_TRIMMING, &[&frozen[..], &during].concat());
    check(NO_TRIMMING, &[&frozen[..], &[ack(A).at(301).rtt(500).thaws(), timeout().freezes()]].concat());
    check(NO_TRIMMING, &[&frozen[..], &[path_ok().thaws(), ack(A).rtt(500), timeout()]].concat());
    // The RTT counts for its own connection only.
    check(NO_TRIMMING, &[open(), open().of(6), ack(A).of(6).rtt(500), timeout().of(6), timeout().freezes()]);
}

#[test]
fn rule_15_a_timeout_in_the_window_of_a_high_one_is_congestion() {
    let seen = [open(), ack(A).at(1000).rtt(100)];
    check(NO_TRIMMING, &[&seen[..], &[timeout().at(1050), timeout().at(1051).freezes()]].concat());
    // The last high RTT counts, and a later low RTT does not undo it.
    let twice = [ack(B).at(1040).rtt(100), ack(C).at(1041).rtt(99)];
    check(NO_TRIMMING, &[&seen[..], &twice, &[timeout().at(1090), timeout().at(1091).freezes()]].concat());
    // No RTT was high.
    check(NO_TRIMMING, &[open(), timeout().freezes()]);
    // The time wraps in the window.
    let wrapped =
        [open(), ack(A).at(WRAP - 20).rtt(100), timeout().at(WRAP + 30), timeout().at(WRAP + 31).freezes()];
    check(NO_TRIMMING, &wrapped);
    // The narrowest window.
    let narrow = RepsCsr { rtt_window_ticks: 0, ..NO_TRIMMING };
    check(narrow, &[open(), ack(A).at(9).rtt(100), timeout(), timeout().at(10).freezes()]);
    // An RTT that was high before a freeze is forgotten. (With trimming the connection freezes all the same.)
    let trimming = RepsCsr { trimming: true, ..NO_TRIMMING };
    let frozen = [open(), ack(A).rtt(100), timeout().freezes(), path_ok().thaws()];
    check_parts(&[(trimming, &frozen), (NO_TRIMMING, &[timeout().freezes()])]);
}

#[test]
fn rule_16_path_ok_thaws_at_once() {
    let frozen = [open(), ack(A), timeout().freezes(), send(Recycled, A), send(Reused, A), path_ok().thaws()];
    let after =
        [send(Explored, NEW), send(Explored, NEW), timeout(), send(Explored, NEW), timeout().freezes()];
    check(CSR, &[&frozen[..], &after, &[send(Reused, A)]].concat());
    // On a connection that is not frozen, PATH_OK has no effect.
    check(CSR, &[open(), ack(A), path_ok(), send(Recycled, A)]);
}

#[test]
fn rule_17_idle_explores_unless_frozen() {
    check(CSR, &[open(), ack(A), timeout().freezes(), idle(), send(Recycled, A), idle(), send(Reused, A)]);
    // Anew each time.
    let anew = [open(), ack(A), idle(), send(Explored, NEW), send(Explored, NEW), idle()];
    check(CSR, &[&anew, &[send(Explored, NEW); 3][..], &[send(Recycled, A)]].concat());
    // u saturates at 255.
    for (bdp_packets, u) in [(0, 0), (1, 1), (254, 254), (255, 255), (256, 255), (257, 255), (0xFFFF, 255)] {
        let explored = vec![send(Explored, NEW); u];
        let csr = RepsCsr { bdp_packets, ..CSR };
        check(csr, &[&[open(), ack(A), idle()], &explored[..], &[send(Recycled, A)]].concat());
    }
}

#[test]
fn rule_18_other_modes_keep_what_they_do_not_use() {
    let [ops, fixed, old] =
        [EvMode::Ops, EvMode::Fixed, EvMode::Reps2024].map(|mode| RepsCsr { mode, bdp_packets: 0, ..CSR });
    let idles = [ack(B), marked(B).rtt(500), timeout(), path_ok(), idle()];
    for (csr, sent) in [(ops, send(Explored, NEW)), (fixed, send(Given, A))] {
        // Meanwhile the block neither caches, freezes, explores nor remembers.
        let none = [&[open_with(A)], &idles[..], &[sent]].concat();
        check_parts(&[
            (csr, &none),
            (CSR, &[ack(C), send(Recycled, C)]),
            (NO_TRIMMING, &[timeout().freezes()]),
        ]);
        // The explored packets are not counted.
        let exploring = [open_with(A), ack(A), idle()];
        let explored = [&[send(Explored, NEW); 3][..], &[send(Recycled, A)]].concat();
        check_parts(&[(CSR, &exploring), (csr, &[sent; 2]), (CSR, &explored)]);
        // State is kept: a buffer, a freeze and its begin.
        let kept = [open_with(A), ack(A), timeout().freezes()];
        let during = [&idles.map(|step| step.at(400))[..], &[sent]].concat();
        let parts: [(_, &[_]); 3] =
            [(CSR, &kept), (csr, &during), (CSR, &[send(Recycled, A), send(Reused, A), ack(D).thaws()])];
        check_parts(&parts);
        // Seeds do.
        let wide = RepsCsr { evs_size: 4096, ..csr };
        check_parts(&[(wide, &[seed(0xDEAD_BEEE), open()]), (WIDE, &[send(Explored, 0xC179)])]);
    }
    // In mode 2024 ACKs have an effect, the other events have none.
    let no_acks = [timeout(), path_ok(), idle()];
    check(old, &[&[open(), ack(A)], &no_acks[..], &[send(Recycled, A)]].concat());
}

#[test]
fn rule_19_ops_sends_are_random() {
    let ops = RepsCsr { mode: EvMode::Ops, ..CSR };
    check(ops, &[open(), ack(A), send(Explored, NEW), send(Explored, NEW)]);
    // The EV stays the given one, with cached EVs and while frozen.
    let cached = [open(), ack(A), ack(B), timeout().freezes()];
    check_parts(&[(CSR, &cached), (ops, &[send(Explored, NEW)]), (CSR, &[send(Recycled, A)])]);
    // Out of all EVs.
    let wide = RepsCsr { mode: EvMode::Ops, ..WIDE };
    check(wide, &[open(), send(Explored, 0xC273), send(Explored, 0xCC02), send(Explored, 0xCAE2)]);
}

#[test]
fn rule_20_fixed_sends_take_slot_0() {
    let fixed = RepsCsr { mode: EvMode::Fixed, ..CSR };
    let two =
        [open_with(A), open_with(B).of(6), ack(C), send(Given, A), send(Given, B).of(6), send(Given, A)];
    check(fixed, &two);
    // The same holds if REPS wrote the slot.
    check_encoding(&[(CSR, &[open_with(A), ack(C)]), (fixed, &[send(Given, C)])]);
}

#[test]
fn rule_21_2024_explores_one_number_after_the_other() {
    // Three numbers out of 256 in 4,096 EVs, then the cached one, which is number 0.
    let three = [send(Explored, 0xC000), send(Explored, 0xC010), send(Explored, 0xC020)];
    check(MODE_2024, &[&[open()], &three[..], &[send(Recycled, 0xC000)]].concat());
    // 255 sends take the numbers 0 to 254.
    let most = RepsCsr { bdp_packets: 300, ..MODE_2024 };
    let number = |n: u16| 0xC000 + 16 * n;
    let sends = |from, to| (from..=to).map(|n| send(Explored, number(n))).collect::<Vec<_>>();
    check(most, &[&[open()], &sends(0, 254)[..], &[send(Recycled, number(0))]].concat());
    // Marked ACKs have used 0 and 1. When one packet is left to explore, 255 is used, and exploring ends.
    let all = [&[open(), marked(A), marked(A)], &sends(2, 255)[..], &[send(Recycled, number(1))]].concat();
    check(most, &all);
    // A marked ACK that takes 255 ends it as well; the number after it is 0.
    let marks = [&[open()], &[marked(A); 256][..]].concat();
    check(most, &[&marks[..], &[send(Recycled, number(255)), marked(A), send(Recycled, number(0))]].concat());
    // Numbers are spread by floor: 3 * 100 / 256 = 1.17.
    let hundred = RepsCsr { bdp_packets: 6, evs_size: 100, ..MODE_2024 };
    let evs = [0, 0, 0, 1, 1, 1].map(|index| send(Explored, 0xC000 + index));
    check(hundred, &[&[open()], &evs[..], &[send(Recycled, 0xC000)]].concat());
}

#[test]
fn rule_22_2024_sends_the_cached_entropy_again_and_again() {
    let none = RepsCsr { bdp_packets: 0, ..MODE_2024 };
    check(none, &[open(), send(Recycled, 0xC000), send(Recycled, 0xC000)]);
    check(none, &[open(), ack(A), send(Recycled, A), send(Recycled, A), ack(B), send(Recycled, B)]);
    // An ACK while exploring is for later.
    let three = [send(Explored, 0xC000), send(Explored, 0xC010), send(Explored, 0xC020)];
    check(MODE_2024, &[&[open(), ack(A)], &three[..], &[send(Recycled, A)]].concat());
}

#[test]
fn rule_23_2024_a_mark_moves_on_to_the_next_number() {
    let three = [send(Explored, 0xC000), send(Explored, 0xC010), send(Explored, 0xC020)];
    let marks = [marked(A), send(Recycled, 0xC030), marked(A), marked(A), send(Recycled, 0xC050)];
    let acked = [ack(A), send(Recycled, A), marked(B), send(Recycled, 0xC060)];
    check(MODE_2024, &[&[open()], &three[..], &marks, &acked].concat());
}

/// 4,096 EVs from 0xC000. Their first draws after the seed 0 are 0x273, 0xC02, 0xAE2, 0x114, 0x498.
const WIDE: RepsCsr = RepsCsr { evs_size: 4096, ..CSR };

#[test]
fn rule_24_random_evs_follow_from_the_seed() {
    let first = [send(Explored, 0xC273), send(Explored, 0xCC02), send(Explored, 0xCAE2)];
    check(WIDE, &[&[open()], &first[..], &[send(Explored, 0xC114), send(Explored, 0xC498)]].concat());
    // Reset is seed 0, and a seed gives the same draws again, for any connection.
    check(WIDE, &[&[open()], &first[..], &[seed(0).of(9)], &first].concat());
    let other = [0xC179, 0xCFF5, 0xC7F9, 0xCF4A].map(|ev| send(Explored, ev));
    check(
        WIDE,
        &[&[seed(0xDEAD_BEEE), open()], &other[..], &[seed(0xDEAD_BEEE)], &other, &[seed(0)], &first]
            .concat(),
    );
    // Neighbouring seeds give different draws, and so does the one seed whose state would be 0, for which all
    // draws would be 0.
    let next = [0xC263, 0xCC02, 0xCAE2, 0xC19C, 0xC7F9].map(|ev| send(Explored, ev));
    check(WIDE, &[&[seed(1), open()], &next[..]].concat());
    let never_zero = [0xC800, 0xC000, 0xC000, 0xC044, 0xC9B8].map(|ev| send(Explored, ev));
    check(WIDE, &[&[seed(0x9E37_79B9), open()], &never_zero[..]].concat());
    // Only random EVs advance the generator, which all connections share.
    let mixed = [
        first[0].of(6),
        ack(A),
        send(Recycled, A),
        marked(B),
        first[1],
        timeout().freezes(),
        send(Reused, A),
    ];
    let rest =
        [path_ok().thaws(), close(), send(Given, 0).refused(), open(), idle(), first[2], close(), open()];
    check(WIDE, &[&[open(), open().of(6)], &mixed[..], &rest, &[send(Explored, 0xC114)]].concat());
    // Exploring numbers is not random.
    check_parts(&[(MODE_2024, &[open(), send(Explored, 0xC000)]), (WIDE, &[open(), first[0]])]);
}

#[test]
fn rule_24_random_evs_stay_in_the_evs() {
    let evs = |csr, evs: [u16; 3]| check(csr, &[&[open()], &evs.map(|ev| send(Explored, ev))[..]].concat());
    evs(RepsCsr { evs_size: 65_536, ev_base: 0, ..CSR }, [0x2737, 0xC029, 0xAE22]);
    evs(RepsCsr { evs_size: 3, ..CSR }, [0xC000, 0xC002, 0xC002]);
    evs(RepsCsr { evs_size: 1, ev_base: 0xFFFF, ..CSR }, [0xFFFF; 3]);
    // Modulo 2^V: 0xFE00 + 0x273.
    evs(RepsCsr { ev_base: 0xFE00, ..WIDE }, [0x0073, 0x0A02, 0x08E2]);
}

/// Eight bits of EV, four slots, four connections.
#[test]
fn rule_24_narrow_evs() {
    let params = RepsParams { connections: 4, depth: 4, ev_width: 8 };
    let csr = RepsCsr { ev_base: 0, evs_size: 256, bdp_packets: 0, ..CSR };
    let three = [0x27, 0xC0, 0xAE].map(|ev| send(Explored, ev).of(3));
    check_shape(params, csr, &[&[open().of(3)], &three[..]].concat());
    check_shape(params, RepsCsr { ev_base: 0xF0, ..csr }, &[open().of(0), send(Explored, 0x17).of(0)]);
    // Only the low eight bits of an ACK or OPEN count; the fifth ACK overwrites the first.
    let acks = [0xC101, 0xFF02, 0x0003, 0xAB04, 0x1205].map(|ev| ack(ev).of(3));
    let sent = [0x02, 0x03, 0x04, 0x05].map(|ev| send(Recycled, ev).of(3));
    check_shape(params, csr, &[&[open().of(3)], &acks[..], &sent].concat());
    let fixed = RepsCsr { mode: EvMode::Fixed, ..csr };
    check_shape(params, fixed, &[open_with(0xC1FE).of(1), send(Given, 0xFE).of(1)]);
}

#[test]
fn bad_input_is_what_the_page_says() {
    // An EV outside the EVS comes back, and only to its connection.
    let outside = [open(), open().of(6), ack(0x0007), send(Explored, NEW).of(6), send(Recycled, 0x0007)];
    check(CSR, &outside);
    check(RepsCsr { evs_size: 0, ..CSR }, &[open(), send(Explored, NEW), send(Explored, NEW)]);
    // The port has only the low bits of a connection number: 255 is the last number.
    check(CSR, &[open().of(255), ack(A).of(255), ack(B).of(0).refused(), send(Recycled, A).of(255)]);
}

/// A freeze is over, even if it began long ago. After a wrap of the time, the freeze seems active again for
/// its own length.
#[test]
fn bad_input_time_goes_round() {
    let half = WRAP / 2;
    let frozen = [open(), timeout().freezes()];
    for time in [half + 300, half + 301, WRAP - 1] {
        check(CSR, &[&frozen[..], &[ack(A).at(time).thaws()]].concat());
    }
    let round = [ack(A).at(WRAP + 300), ack(B).at(WRAP + 301).thaws()];
    check_encoding(&[(CSR, &[&frozen[..], &round].concat())]);
    let high = [open(), ack(A).rtt(100), ack(A).at(half).rtt(99)];
    for time in [half + 50, half + 51, WRAP - 1] {
        check(NO_TRIMMING, &[&high[..], &[timeout().at(time).freezes()]].concat());
    }
    let round = [timeout().at(WRAP + 50), timeout().at(WRAP + 51).freezes()];
    check_encoding(&[(NO_TRIMMING, &[&high[..], &round].concat())]);
    // Limits of half the range and more are as good.
    let long = RepsCsr { freeze_timeout_ticks: (1 << 31) + 10, ..CSR };
    check_encoding(&[(long, &[&frozen[..], &[ack(A).at(half + 10), ack(A).at(half + 11).thaws()]].concat())]);
}

/// Every rule of the page has a test here, and every test here a rule.
#[test]
fn every_rule_has_a_test() {
    let page = include_str!("../../../../docs/blocks/reps.md");
    let rules = page.split("\n## Rules\n").nth(1).expect("rules").split("\n## ").next().expect("rules");
    let numbers: Vec<u32> = rules
        .lines()
        .filter_map(|line| line.split_once(". ").and_then(|(number, _)| number.parse().ok()))
        .collect();
    assert_eq!(numbers, (1..=numbers.len() as u32).collect::<Vec<_>>(), "rules are numbered from 1");
    let mut tested: Vec<u32> = include_str!("rules.rs")
        .split("#[test]\nfn rule_")
        .skip(1)
        .map(|test| test[..2].parse().expect("a test is named rule_NN_..."))
        .collect();
    tested.dedup();
    assert_eq!(tested, numbers, "tests (left) and rules (right)");
}
