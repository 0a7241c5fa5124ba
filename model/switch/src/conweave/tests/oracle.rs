//! Compares the program on random packets at random times with the state machines of SrcToR and DstToR. These
//! are straight from the paper (sections 3.2, 3.3 and Appendix A), without stages.

use super::bench::{Bench, Data};
use crate::conweave::*;
use crate::kit::{Phv, intrinsic::*};
use std::collections::{BTreeMap, BTreeSet};
use weft_random::Rng;

/// The event that the source awaits.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Awaits {
    Nothing,
    Reply { until: i64 },
    Clear,
}

/// A connection at the source.
#[derive(Debug)]
struct Source {
    last: Option<i64>,
    awaits: Awaits,
    epoch: u64,
    path: u64,
    tail_left: u64,
}

/// A data packet of the source: path, REROUTED, TAIL, epoch, is a request, TAIL_TX_TSTAMP.
type Sent = (u64, bool, bool, u64, bool, u64);

impl Source {
    fn new() -> Self {
        Self { last: None, awaits: Awaits::Nothing, epoch: 0, path: 0, tail_left: 0 }
    }

    /// Rules 2 to 5.
    fn send(&mut self, o: &Options, now: i64, samples: [u64; 2], busy: &BTreeMap<u64, i64>) -> Sent {
        let good = |path: u64| busy.get(&path).is_none_or(|until| *until <= now);
        let found = samples.into_iter().find(|path| good(*path));
        let silent = self.last.is_none_or(|last| now - last > i64::from(o.theta.inactive));
        self.last = Some(now);
        let (mut path, mut rerouted, mut tail, mut request) = (self.path, false, false, false);
        match self.awaits {
            _ if silent || self.awaits == Awaits::Nothing => {
                if self.path == 0 {
                    self.path = found.unwrap_or(samples[0]);
                } else if let Some(found) = found.filter(|_| silent && o.inactivity_moves) {
                    self.path = found;
                }
                path = self.path;
                request = true;
                self.epoch = (self.epoch + 1) % 4;
                self.tail_left = 0;
                self.awaits = Awaits::Reply { until: now + i64::from(o.theta.reply) };
            }
            Awaits::Clear => rerouted = true,
            Awaits::Reply { until } if now > until => {
                let other = |path: u64| !o.exclude_current || path != self.path;
                let found = samples.into_iter().find(|path| good(*path) && other(*path));
                if found.is_some() || o.no_good_path == NoGoodPath::Tail {
                    tail = true;
                    self.awaits = Awaits::Clear;
                    self.path = found.unwrap_or(self.path);
                    self.tail_left = now as u64 & 0xFFFF;
                }
            }
            _ => {}
        }
        (path, rerouted, tail, self.epoch, request, self.tail_left)
    }

    /// Rule 6: handles an RTT_REPLY.
    fn reply(&mut self, o: &Options, now: i64, epoch: u64) {
        if let Awaits::Reply { until } = self.awaits {
            let in_time = match o.reply_compare {
                ReplyCompare::Strict => now < until,
                ReplyCompare::Inclusive => now <= until,
            };
            if in_time && epoch == self.epoch {
                self.awaits = Awaits::Nothing;
            } else if in_time && o.reply_grace > 0 {
                // The P4 code's cutoff moves before it looks at the epoch.
                self.awaits = Awaits::Reply { until: now + i64::from(o.reply_grace) };
            }
        }
    }

    fn clear(&mut self, epoch: u64) {
        if self.awaits == Awaits::Clear && epoch == self.epoch {
            self.awaits = Awaits::Nothing;
        }
    }
}

fn options(preset: Preset, rng: &mut Rng) -> Options {
    let mut options = Options::preset(preset);
    options.theta =
        Thetas { reply: 8, path_busy: 10, inactive: 40, resume_default: 30, resume_extra: rng.below(8) };
    // Each switch by itself, too, not only the three presets.
    let bit = |rng: &mut Rng| rng.chance(1, 2);
    options.exclude_current = bit(rng);
    options.inactivity_moves = bit(rng);
    options.extra_on_default = bit(rng);
    options.clear_on_flush = bit(rng);
    options.notify = *rng.pick(&[Notify::Separate, Notify::Merged, Notify::Piggyback]);
    options.reorder_queues = *rng.pick(&[4, 12, 31]);
    options
}

#[test]
fn the_source_decides_as_the_paper_does() {
    let mut kinds = BTreeMap::new();
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let preset = [Preset::Paper, Preset::Ns3, Preset::P4][seed as usize % 3];
        let options = options(preset, &mut rng);
        let mut bench = Bench::new(options, seed);
        // For some seeds time begins shortly before its 32 bits wrap.
        bench.tick = if seed % 2 == 0 { 70_000 } else { (1 << 32) - 2000 };
        let mut oracles: Vec<Source> = (0..3).map(|_| Source::new()).collect();
        (0..3).for_each(|sport| bench.connect(sport));
        let mut busy = BTreeMap::new();
        for step in 0..4000 {
            let label = format!("seed {seed}, step {step}, {options:?}");
            bench.tick += *rng.pick(&[0, 0, 1, 3, 9, 41]) * rng.range(1..=2) / 2;
            let now = bench.tick as i64;
            let sport = rng.below(3) as u16;
            let oracle = &mut oracles[usize::from(sport)];
            let epoch = if rng.chance(2, 3) { oracle.epoch } else { rng.below(4).into() };
            match rng.below(10) {
                0 => {
                    let path = rng.range(1..=4);
                    busy.insert(path, now + i64::from(options.theta.path_busy));
                    bench.control(sport, opcode::NOTIFY, epoch, path);
                }
                1 | 2 => {
                    oracle.reply(&options, now, epoch);
                    bench.control(sport, opcode::RTT_REPLY, epoch, 1);
                }
                3 | 4 => {
                    oracle.clear(epoch);
                    bench.control(sport, opcode::CLEAR, epoch, 1);
                }
                _ => {
                    let packet = bench.send(sport);
                    let samples = [packet[bench.f.sample_a], packet[bench.f.sample_b]];
                    let expected = oracle.send(&options, now, samples, &busy);
                    let (path, rerouted, tail, _, request, _) = expected;
                    let is = (
                        packet[CW_PATH],
                        packet[CW_REROUTED] == 1,
                        packet[CW_TAIL] == 1,
                        packet[CW_EPOCH],
                        packet[CW_OPCODE] == opcode::RTT_REQUEST,
                        packet[CW_TAIL_TX],
                    );
                    assert_eq!(is, expected, "{label}");
                    assert_eq!((packet[PORT_OUT], packet[QUEUE]), (3 + path, 0), "{label}");
                    assert_eq!(packet[CW_TX], now as u64 & 0xFFFF, "{label}");
                    *kinds.entry((rerouted, tail, request)).or_insert(0) += 1;
                }
            }
        }
    }
    assert!(kinds.len() == 4 && kinds.values().all(|count| *count > 1000), "{kinds:?}");
}

/// An epoch of a connection at the destination.
#[derive(Debug, Default, Clone)]
struct Epoch {
    /// Time stamp of the last OLD packet, and the time of its arrival.
    old: Option<(u64, i64)>,
    tail_seen: bool,
    /// The reorder queue in which packets wait.
    waits: Option<u64>,
    resume_at: i64,
    /// The TAIL has arrived, but the loop packet has not seen this yet.
    until_loop: bool,
    /// REROUTED packets pass: the queue was flushed, or there is none.
    goes_on: bool,
}

/// A connection at the destination.
#[derive(Debug, Default)]
struct Destination {
    current: u64,
    epochs: [Epoch; 4],
}

/// The actions of the destination: queue (0 or the queue of the flow), flow control, copy, and copy as the
/// packet leaves.
#[derive(Debug, PartialEq)]
struct Done {
    queue: u64,
    afc: u64,
    copy: Option<u64>,
    late: bool,
}

/// Ticks from one time stamp to another, if the second is not before the first.
fn between(from: u64, to: u64) -> i64 {
    let ticks = (to + 65_536 - from) % 65_536;
    if ticks >= 32_768 { 0 } else { ticks as i64 }
}

impl Destination {
    /// Rules 8 to 11 and 14. `claimed` is the queue that the program found, if it found one.
    fn arrive(&mut self, o: &Options, now: i64, data: Data, claimed: Option<u64>) -> Done {
        let extra = i64::from(o.theta.resume_extra);
        let ahead = (data.epoch + 4 - self.current) % 4;
        let mut done = Done { queue: 0, afc: 0, copy: None, late: false };
        if ahead == 3 {
            return done;
        }
        if ahead != 0 {
            self.current = data.epoch;
            self.epochs[data.epoch as usize] = Epoch::default();
        }
        let epoch = &mut self.epochs[data.epoch as usize];
        let mut first = false;
        if data.tail {
            let releases = epoch.waits.is_some() && !epoch.tail_seen;
            if releases {
                done.afc = 3;
            }
            // The queue counts as open at once, or when the loop packet returns.
            epoch.until_loop = releases && o.after_tail == AfterTail::Reorder;
            if !epoch.until_loop {
                epoch.waits = None;
            }
            if !releases || o.clear == ClearAt::Tail {
                done.copy = Some(opcode::CLEAR);
            }
            epoch.tail_seen = true;
            epoch.old = Some((data.tx, now));
        } else if data.rerouted {
            let in_order = (epoch.tail_seen && !epoch.until_loop) || epoch.goes_on;
            if !in_order {
                match epoch.waits {
                    Some(queue) => done.queue = queue,
                    None => match claimed {
                        Some(queue) => {
                            first = true;
                            done.queue = queue;
                            done.afc = 1;
                            epoch.waits = Some(queue);
                            epoch.resume_at = match epoch.old {
                                Some((left, came)) => came + between(left, data.tail_tx) + extra,
                                None => {
                                    let more = if o.extra_on_default { extra } else { 0 };
                                    now + i64::from(o.theta.resume_default) + more
                                }
                            };
                        }
                        None => epoch.goes_on = true,
                    },
                }
            }
        } else {
            if epoch.waits.is_some() && !epoch.tail_seen && now <= epoch.resume_at {
                epoch.resume_at = now + between(data.tx, data.tail_tx) + extra;
            }
            epoch.old = Some((data.tx, now));
        }
        if data.opcode == opcode::RTT_REQUEST && done.copy.is_none() {
            done.copy = Some(opcode::RTT_REPLY);
        } else if first {
            done.copy = Some(0);
        }
        if data.marked {
            match done.copy {
                None => done.copy = Some(opcode::NOTIFY),
                Some(_) => done.late = o.notify == Notify::Separate,
            }
        }
        done
    }

    /// Rule 12: the loop packet returns; `saw` is whether it found the timer expired before. The result is
    /// the action now. One action is to continue, with the information whether the timer has expired. The
    /// other is to become the last packet in the queue, with the information whether the queue is resumed.
    fn round(&mut self, number: u64, queue: u64, now: i64, saw: bool) -> std::result::Result<bool, bool> {
        let is_current = self.current == number;
        let epoch = &mut self.epochs[number as usize];
        if epoch.until_loop {
            epoch.until_loop = false;
            epoch.waits = None;
            return Err(false);
        }
        if epoch.tail_seen {
            return Err(false);
        }
        if epoch.waits != Some(queue) {
            return Err(true);
        }
        if saw || !is_current {
            epoch.waits = None;
            epoch.goes_on = true;
            return Err(true);
        }
        Ok(now > epoch.resume_at)
    }
}

#[test]
fn the_destination_decides_as_the_paper_does() {
    let mut seen = BTreeMap::new();
    for seed in 0..90 {
        let mut rng = Rng::new(1000 + seed);
        let preset = [Preset::Paper, Preset::Ns3, Preset::P4][seed as usize % 3];
        let options = options(preset, &mut rng);
        let mut bench = Bench::new(options, seed);
        bench.tick = if seed % 2 == 0 { 65_000 } else { (1 << 32) - 2000 };
        let flows = 12;
        (0..flows).for_each(|sport| bench.connect(sport));
        let mut oracles: Vec<Destination> = (0..flows).map(|_| Destination::default()).collect();
        // The times when the TAIL of a flow's epoch leaves.
        let mut tails = vec![[0; 4]; usize::from(flows)];
        // Queues in use, and loop packets: flow, epoch, queue, whether the packet saw the timer expired, kind.
        let mut taken = BTreeSet::new();
        let mut loops: Vec<(u16, u64, u64, bool, Phv)> = Vec::new();
        for step in 0..3000 {
            let label = format!("seed {seed}, step {step}, {options:?}");
            bench.tick += *rng.pick(&[0, 0, 1, 2, 5]);
            let now = bench.tick as i64;
            if !loops.is_empty() && rng.chance(1, 3) {
                let at = rng.index(loops.len());
                let (flow, epoch, queue, saw, mut phv) = loops.remove(at);
                bench.round(&mut phv);
                match oracles[usize::from(flow)].round(epoch, queue, now, saw) {
                    Ok(expired) => {
                        assert_eq!((phv[PORT_OUT], phv[AFC], phv[MIRROR]), (8, 0, 0), "{label}");
                        loops.push((flow, epoch, queue, expired, phv));
                    }
                    Err(resumed) => {
                        let is_resumed = (phv[AFC] == 2, phv[AFC_PORT], phv[AFC_QUEUE]);
                        assert_eq!(is_resumed, (resumed, 0, queue), "{label}");
                        assert_eq!((phv[PORT_OUT], phv[QUEUE]), (0, queue), "{label}");
                        let timer = saw && phv[bench.f.action] == super::super::fields::action::FLUSH;
                        let clears = timer && options.clear_on_flush && options.clear == ClearAt::Tail;
                        assert_eq!(bench.answer(&phv), clears.then_some(opcode::CLEAR), "{label}");
                        let marker = bench.leave(&phv);
                        let mut back = bench.copy(&marker).expect("it goes round");
                        bench.round(&mut back);
                        let clears =
                            options.clear == ClearAt::Drained && (!resumed || options.clear_on_flush);
                        assert_eq!(bench.answer(&back), clears.then_some(opcode::CLEAR), "{label}");
                        assert!(taken.remove(&queue), "{label}");
                        *seen.entry(if resumed { "flushed" } else { "released" }).or_insert(0) += 1;
                    }
                }
                continue;
            }
            let flow = rng.below(flows.into()) as u16;
            let oracle = &mut oracles[usize::from(flow)];
            let epoch = match rng.below(60) {
                0 => rng.below(4).into(),
                1 | 2 => (oracle.current + 1) % 4,
                _ => oracle.current,
            };
            // Loop packets that are older than three epochs are another test's.
            if loops.iter().any(|(of, number, ..)| *of == flow && *number == epoch) && epoch != oracle.current
            {
                continue;
            }
            let tx = bench.tick.wrapping_sub(rng.below(20).into()) & 0xFFFF;
            if epoch != oracle.current {
                tails[usize::from(flow)][epoch as usize] = (tx + u64::from(rng.below(30))) & 0xFFFF;
            }
            let kind = rng.below(12);
            let data = Data {
                opcode: if kind == 0 { opcode::RTT_REQUEST } else { opcode::DATA },
                epoch,
                rerouted: (4..11).contains(&kind),
                tail: kind == 11 && rng.chance(1, 2),
                tx,
                tail_tx: tails[usize::from(flow)][epoch as usize],
                marked: rng.chance(1, 4),
            };
            let packet = bench.arrive(flow, data);
            let claims = packet[AFC] == 1;
            let done = oracle.arrive(&options, now, data, claims.then_some(packet[QUEUE]));
            let is = Done {
                queue: packet[QUEUE],
                afc: packet[AFC],
                copy: bench.answer(&packet),
                late: bench.leave(&packet)[MIRROR] == 1,
            };
            assert_eq!(is, done, "{label} {data:?}");
            assert_eq!(packet[PORT_OUT], 0, "{label}");
            if is.afc == 1 {
                assert!(taken.insert(is.queue), "{label}: queue {} is another's", is.queue);
                let copy = bench.copy(&packet).expect("a loop packet");
                loops.push((flow, epoch, is.queue, false, copy));
            }
            if packet[PASS] == 1 {
                assert!(taken.len() >= usize::from(options.choices), "{label}: queues are free");
            }
            let name = match (data.tail, data.rerouted, is.queue > 0) {
                (true, ..) => "tail",
                (_, true, true) => "waits",
                (_, true, false) if packet[PASS] == 1 => "gives up",
                (_, true, false) => "rerouted",
                _ => "old",
            };
            *seen.entry(name).or_insert(0) += 1;
        }
    }
    assert!(seen.len() == 7 && seen.values().all(|count| *count > 100), "{seen:?}");
}
