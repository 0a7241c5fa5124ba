//! One run in several processes (*ranks*) that share no memory: each rank has a part of the network. The
//! ranks meet once a window, as threads do, and the result is the same to the byte (page `docs/clusters.md`).

#[cfg(feature = "mpi")]
pub mod mpi;

use super::mail::{Exchange, Mail, State, open};
use super::shard::{End, join};
use super::windows::{Worker, divide};
use super::{Limits, Outcome, Progress, Reorder, World};
use crate::balance::Balancer;
use crate::host::words::Words;
use crate::host::{Endpoint, Signal, Told};
use crate::packet::Packet;
use serde::{Deserialize, Serialize};
use std::sync::{Mutex, MutexGuard};

/// The processes of a run, as seen by one of them.
pub trait Ranks {
    /// The number of this rank, from 0.
    fn own(&self) -> usize;
    /// Number of ranks.
    fn count(&self) -> usize;
    /// Sends a letter to each rank, and receives one from each. `letters[n]` is for rank `n`, and is replaced
    /// by the letter from rank `n`. All ranks call this function together.
    fn exchange(&self, letters: &mut Vec<Vec<u64>>);
}

/// Boxes to and from the other ranks. A letter has the words of [`State`], then the packets and the signals,
/// with the number of each in front.
struct Letters<'a, T> {
    ranks: &'a dyn Ranks,
    /// A box to each rank, then a box from each rank.
    boxes: Vec<Mutex<Mail<T>>>,
}

impl<'a, T> Letters<'a, T> {
    fn new(ranks: &'a dyn Ranks) -> Self {
        Self { ranks, boxes: (0..2 * ranks.count()).map(|_| Mutex::default()).collect() }
    }
}

impl<T: Words> Exchange<T> for Letters<'_, T> {
    fn mail(&self, _: u64, from: usize, to: usize) -> MutexGuard<'_, Mail<T>> {
        let at = if from == self.ranks.own() { to } else { self.ranks.count() + from };
        open(&self.boxes[at])
    }

    fn meet(&self, _: u64, own: usize, state: State, all: &mut Vec<State>) {
        let (to, from) = self.boxes.split_at(self.ranks.count());
        let of = |(rank, to): (usize, &Mutex<Mail<T>>)| {
            let mut words = Vec::new();
            state.write(&mut words);
            if rank != own {
                open(to).write(&mut words);
            }
            words
        };
        let mut letters = to.iter().enumerate().map(of).collect();
        self.ranks.exchange(&mut letters);
        all.clear();
        for ((rank, from), letter) in from.iter().enumerate().zip(letters) {
            let mut words = letter.into_iter();
            all.push(State::read(&mut words));
            if rank != own {
                *open(from) = Mail::read(&mut words);
            }
        }
    }
}

impl Words for State {
    fn write(&self, words: &mut Vec<u64>) {
        words.extend([self.finished, self.held, self.stops.into(), self.next_ps]);
    }

    fn read(words: &mut impl Iterator<Item = u64>) -> Self {
        let mut next = || u64::read(words);
        Self { finished: next(), held: next(), stops: next() != 0, next_ps: next() }
    }
}

/// Writing a mail empties it.
impl<T: Words> Mail<T> {
    fn write(&mut self, words: &mut Vec<u64>) {
        let Self { packets, signals } = self;
        words.push(packets.len() as u64);
        for (link, packet, body) in packets.drain(..) {
            link.write(words);
            packet.write(words);
            body.write(words);
        }
        words.push(signals.len() as u64);
        signals.drain(..).for_each(|signal| signal.write(words));
    }

    fn read(words: &mut impl Iterator<Item = u64>) -> Self {
        let packets = (0..u64::read(words))
            .map(|_| (u32::read(words), Packet::read(words), Option::read(words)))
            .collect();
        Self { packets, signals: (0..u64::read(words)).map(|_| Signal::read(words)).collect() }
    }
}

/// The outcome of the part of one rank, with the numbers of its hosts and ports.
#[derive(Serialize, Deserialize)]
struct Share {
    /// Hosts, with the digests of the packets that they received.
    hosts: Vec<(u32, u64)>,
    ports: Vec<u32>,
    outcome: Outcome<Told>,
}

impl Share {
    fn new<B: Balancer, H: Endpoint + Into<Told>>(world: World<B, H>, end: End<B, H>) -> Self {
        let hosts: Vec<_> =
            end.parts.stations.iter().map(|(number, station)| (*number, station.digest)).collect();
        let of_nodes = end.parts.nodes.iter().flat_map(|node| node.links());
        let ports: Vec<_> = hosts.iter().map(|(number, _)| *number).chain(of_nodes).collect();
        let mut outcome = join(world, vec![end]).map(Into::into);
        // The outcome of a part counts its ports from 0.
        outcome.series.iter_mut().for_each(|(port, _)| *port = ports[*port as usize]);
        Self { hosts, ports, outcome }
    }

    /// Adds the share of another rank.
    fn and(mut self, other: Self) -> Self {
        self.hosts.extend(other.hosts);
        self.ports.extend(other.ports);
        self.outcome.add(other.outcome);
        self
    }

    /// The outcome of all shares: hosts, ports and series in the order of their numbers.
    fn whole(self) -> Outcome<Told> {
        let Self { hosts, ports, mut outcome } = self;
        outcome.ports = in_order(ports, outcome.ports);
        outcome.series.sort_unstable_by_key(|(port, _)| *port);
        let (numbers, digests): (Vec<_>, Vec<_>) = hosts.into_iter().unzip();
        let hosts = in_order(numbers, digests.into_iter().zip(outcome.hosts).collect());
        let (digests, hosts): (Vec<_>, Vec<_>) = hosts.into_iter().unzip();
        Outcome { hosts, digest: Outcome::<Told>::digest_of(digests), ..outcome }
    }
}

/// The things in the order of their numbers.
fn in_order<T>(numbers: Vec<u32>, things: Vec<T>) -> Vec<T> {
    let mut all: Vec<_> = numbers.into_iter().zip(things).collect();
    all.sort_unstable_by_key(|(number, _)| *number);
    all.into_iter().map(|(_, thing)| thing).collect()
}

/// Runs a world in all ranks, each of which calls this with the same world. Rank 0 returns the outcome and
/// calls its `watch`; all other ranks return `None`.
///
/// # Panics
/// There are more ranks than edge switches.
pub fn run<B: Balancer, H: Endpoint + Into<Told>>(
    mut world: World<B, H>,
    limits: Limits,
    ranks: &dyn Ranks,
    mut watch: impl FnMut(Progress) -> bool,
) -> Option<Outcome<Told>> {
    let (own, goal) = (ranks.own(), (world.expected(), limits.until_ps));
    let (plan, parts) = divide(&mut world, ranks.count() as u32);
    let part = parts.into_iter().nth(own).expect("a rank has a part");
    let worker = Worker::new(own, &plan, part);
    let mut end = worker.finish(&Letters::new(ranks), goal, &mut |so_far| own != 0 || watch(so_far));
    // A switch gets as many samples as the switch with the most, also if that switch is in another rank.
    let nodes = &mut end.parts.nodes;
    let mut counts = vec![vec![Reorder::most(nodes).unwrap_or(0)]; ranks.count()];
    ranks.exchange(&mut counts);
    let most = counts.into_iter().flatten().max().unwrap_or(0);
    nodes.iter_mut().for_each(|node| node.fill_samples(most));
    gather(ranks, &Share::new(world, end))
        .map(|shares| shares.into_iter().reduce(Share::and).map(Share::whole))?
}

/// The shares of all ranks, at rank 0.
fn gather(ranks: &dyn Ranks, share: &Share) -> Option<Vec<Share>> {
    let text = serde_json::to_vec(share).expect("a share is text");
    let mut words = vec![text.len() as u64];
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    words.extend(text.chunks(8).map(word));
    let mut letters = vec![Vec::new(); ranks.count()];
    letters[0] = words;
    ranks.exchange(&mut letters);
    let read = |letter: Vec<u64>| {
        let bytes: Vec<u8> = letter[1..].iter().flat_map(|word| word.to_le_bytes()).collect();
        serde_json::from_slice(&bytes[..letter[0] as usize]).expect("a rank of the same program wrote it")
    };
    (ranks.own() == 0).then(|| letters.into_iter().map(read).collect())
}
