//! Choices of entropy values with which the REPS papers compare, each for one flow (page
//! `docs/baselines.md`).

use super::settings::{By, Paths};
use weft_nic::block::sender::Cause;
use weft_random::Rng;

/// Number of parts of a flow under `mptcp`.
pub(super) const PARTS: u32 = 8;
/// Numbers of packets that skip a value after a marked answer, a NACK and a timeout, and their maximum.
const PENALTIES: [u8; 3] = [1, 4, 15];
const MOST_PENALTY: u8 = 15;

/// The choice for one flow.
#[derive(Debug)]
pub(super) struct Chooser {
    rng: Rng,
    /// Number of entropy values.
    evs: u32,
    rule: Rule,
}

#[derive(Debug)]
enum Rule {
    /// Probabilistic moves of the whole flow after congested rounds.
    Plb { settings: Paths, ev: u16, round: Round },
    /// The value of the last packet, and the time at which the packet left.
    Flowlet { gap_ps: u64, ev: u16, left_ps: u64 },
    /// Number of packets that are to skip each value, the value of each packet, and the next value.
    Bitmap { penalties: Vec<u8>, given: Vec<u16>, next: u32 },
    /// The value of the last answer, until a packet uses the value.
    Mprdma { free: Option<u16> },
    /// The values of the parts, and the number of packets of each part.
    Mptcp { evs: Vec<u16>, packets: u32 },
}

/// Answers of a round trip.
#[derive(Debug, Default)]
struct Round {
    /// Time of departure from which a packet's answer ends the round.
    begin_ps: Option<u64>,
    answers: u32,
    marked: u32,
    /// Number of congested rounds in a row.
    congested: u32,
}

impl Round {
    /// Handles an answer. Returns whether the flow moves.
    fn answer(&mut self, settings: &Paths, is_bad: bool, sent_ps: u64, now_ps: u64) -> bool {
        let begin_ps = *self.begin_ps.get_or_insert(now_ps);
        self.answers += 1;
        self.marked += u32::from(is_bad);
        if sent_ps < begin_ps {
            return false;
        }
        let is_congested = f64::from(self.marked) > settings.share * f64::from(self.answers);
        let congested = if is_congested { self.congested + 1 } else { 0 };
        let moves = congested >= settings.rounds;
        let congested = if moves { 0 } else { congested };
        *self = Self { begin_ps: Some(now_ps), congested, ..Self::default() };
        moves
    }
}

/// Number of packets of each part of a flow.
pub(super) fn part(packets: u32) -> u32 {
    packets.div_ceil(PARTS).max(1)
}

impl Chooser {
    /// Makes the chooser for a flow of `packets` packets. `None` if the block chooses.
    pub(super) fn new(
        settings: &Paths,
        (seed, flow): (u64, u32),
        evs: u32,
        packets: u32,
        rtt_ps: u64,
    ) -> Option<Self> {
        let mut rng = Rng::of(&[seed, flow.into(), 0x5041]);
        let first = rng.below(evs) as u16;
        let rule = match settings.name {
            By::Block => return None,
            By::Plb => Rule::Plb { settings: *settings, ev: first, round: Round::default() },
            By::Flowlet => {
                let gap_ps = settings.gap_us.map_or(rtt_ps / 2, |us| (us * 1e6) as u64);
                Rule::Flowlet { gap_ps, ev: first, left_ps: 0 }
            }
            By::Bitmap => Rule::Bitmap {
                penalties: vec![0; evs as usize],
                given: vec![0; packets as usize],
                next: first.into(),
            },
            By::Mprdma => Rule::Mprdma { free: None },
            By::Mptcp => {
                let packets = part(packets);
                Rule::Mptcp { evs: (0..PARTS).map(|_| rng.below(evs) as u16).collect(), packets }
            }
        };
        Some(Self { rng, evs, rule })
    }

    /// Chooses the value of a packet that leaves. `lost` is the cause of a retransmission.
    pub(super) fn send(&mut self, number: u32, lost: Option<Cause>, now_ps: u64) -> u16 {
        match &mut self.rule {
            Rule::Plb { ev, .. } => *ev,
            Rule::Flowlet { gap_ps, ev, left_ps } => {
                if now_ps - *left_ps > *gap_ps {
                    *ev = self.rng.below(self.evs) as u16;
                }
                *left_ps = now_ps;
                *ev
            }
            Rule::Bitmap { penalties, given, next } => {
                if lost == Some(Cause::Timeout) {
                    punish(&mut penalties[usize::from(given[number as usize])], 2);
                }
                loop {
                    let value = *next;
                    *next = (*next + 1) % self.evs;
                    let penalty = &mut penalties[value as usize];
                    if *penalty == 0 {
                        given[number as usize] = value as u16;
                        return value as u16;
                    }
                    *penalty -= 1;
                }
            }
            Rule::Mprdma { free } => free.take().unwrap_or_else(|| self.rng.below(self.evs) as u16),
            Rule::Mptcp { evs, packets } => evs[(number / *packets) as usize % evs.len()],
        }
    }

    /// Handles an answer to a packet that left at `sent_ps`, with its value and whether it is marked or a
    /// NACK.
    pub(super) fn answer(&mut self, ev: u16, [is_marked, is_nack]: [bool; 2], sent_ps: u64, now_ps: u64) {
        match &mut self.rule {
            Rule::Plb { settings, ev, round } => {
                let moves = round.answer(settings, is_marked || is_nack, sent_ps, now_ps);
                if moves {
                    *ev = self.rng.below(self.evs) as u16;
                }
            }
            Rule::Bitmap { penalties, .. } if is_nack => punish(&mut penalties[usize::from(ev)], 1),
            Rule::Bitmap { penalties, .. } if is_marked => punish(&mut penalties[usize::from(ev)], 0),
            Rule::Mprdma { free } if !is_nack => *free = Some(ev),
            _ => {}
        }
    }

    /// Handles a timeout.
    pub(super) fn timeout(&mut self) {
        if let Rule::Plb { ev, .. } = &mut self.rule {
            *ev = self.rng.below(self.evs) as u16;
        }
    }
}

fn punish(penalty: &mut u8, cause: usize) {
    *penalty = (*penalty + PENALTIES[cause]).min(MOST_PENALTY);
}

#[cfg(test)]
mod tests {
    use super::*;

    const US: u64 = 1_000_000;

    fn chooser(name: By, evs: u32) -> Chooser {
        let settings = Paths { name, ..Paths::default() };
        Chooser::new(&settings, (1, 2), evs, 64, 8 * US).expect("not the block")
    }

    fn send(chooser: &mut Chooser, number: u32, now_ps: u64) -> u16 {
        chooser.send(number, None, now_ps)
    }

    /// Computed by hand: a round has four answers. One marked answer is a quarter, which is not above the limit. With
    /// two, the flow moves.
    #[test]
    fn plb_moves_after_a_round_with_many_marks() {
        let mut it = chooser(By::Plb, 65_536);
        let first = send(&mut it, 0, 0);
        // The first answer begins a round, which ends with the answer to a packet that left later.
        let round = |it: &mut Chooser, at: u64, marks: [bool; 4]| {
            for (more, is_marked) in (0..).zip(marks) {
                let sent_ps = if more < 3 { at - 8 * US } else { at };
                it.answer(first, [is_marked, false], sent_ps, at + more * US);
            }
        };
        round(&mut it, 10 * US, [true, false, false, false]);
        assert_eq!(send(&mut it, 1, 14 * US), first);
        // The answer at 13 us began the next round.
        round(&mut it, 20 * US, [true, true, false, false]);
        let moved = send(&mut it, 2, 24 * US);
        assert_ne!(moved, first);
        // A trimmed packet counts as marked. A timeout moves the flow at once.
        assert_eq!(send(&mut it, 3, 25 * US), moved);
        it.timeout();
        assert_ne!(send(&mut it, 3, 26 * US), moved);
    }

    /// A gap of more than 4 us, half of a round trip, begins a flowlet.
    #[test]
    fn a_flowlet_ends_with_a_gap() {
        let mut it = chooser(By::Flowlet, 65_536);
        let values: Vec<u16> = [10, 14, 18, 23].map(|us| send(&mut it, 0, us * US)).into();
        assert!(values[0] == values[1] && values[1] == values[2] && values[2] != values[3], "{values:?}");
    }

    /// Four values in turn. Packets skip a marked value once, a trimmed value four times, and a value with a
    /// timeout fifteen times.
    #[test]
    fn a_value_that_did_badly_is_passed_over() {
        let mut it = chooser(By::Bitmap, 4);
        let first: Vec<u16> = (0..4).map(|number| send(&mut it, number, 0)).collect();
        let [a, b, c, d] = first[..] else { panic!("{first:?}") };
        assert_eq!([b, c, d].map(|value| (value + 4 - a) % 4), [1, 2, 3]);
        it.answer(a, [true, false], 0, US);
        it.answer(b, [false, true], 0, US);
        let next: Vec<u16> = (4..17).map(|number| send(&mut it, number, US)).collect();
        assert_eq!(next, [c, d, a, c, d, a, c, d, a, c, d, a, b]);
        // Packet 4 skipped c in its turn, for the first time.
        assert_eq!(it.send(4, Some(Cause::Timeout), 2 * US), d);
        let next: Vec<u16> = (17..62).map(|number| send(&mut it, number, US)).collect();
        assert_eq!(next.iter().position(|value| *value == c), Some(44));
    }

    #[test]
    fn a_packet_takes_the_value_of_the_answer_that_lets_it_go() {
        let mut it = chooser(By::Mprdma, 65_536);
        it.answer(7, [false, false], 0, US);
        it.answer(9, [true, false], 0, US);
        assert_eq!(send(&mut it, 0, US), 9);
        assert_ne!(send(&mut it, 1, US), 9);
    }

    #[test]
    fn each_of_eight_parts_has_a_value() {
        let mut it = chooser(By::Mptcp, 65_536);
        let values: Vec<u16> = (0..64).map(|number| send(&mut it, number, 0)).collect();
        assert!(values.chunks(8).all(|part| part.iter().all(|value| *value == part[0])), "{values:?}");
        let parts: std::collections::BTreeSet<u16> = values.into_iter().collect();
        assert_eq!(parts.len(), 8);
    }
}
