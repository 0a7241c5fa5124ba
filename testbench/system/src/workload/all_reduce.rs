//! The plan of a ring AllReduce.

use super::build::{fill, split};
use super::plan::{After, Fires, Message, Pairing, Places, Plan, Sum};
use weft_random::Rng;

/// First word of chunk `chunk` of `nics`. Sizes of chunks differ by at most one word.
fn chunk_start(words: u32, nics: u32, chunk: u32) -> u32 {
    (u64::from(words) * u64::from(chunk) / u64::from(nics)) as u32
}

/// In step s host h sends chunk h - s to host h + 1. In the first N - 1 steps the receiver adds the chunk to
/// its own. Then host h has the sums of chunk h + 1. In N - 1 more steps the sums travel around the ring.
pub(super) fn all_reduce(nics: u32, bytes: u32, rng: &mut Rng) -> Plan {
    let words = bytes / 4;
    let steps = 2 * (nics - 1);
    let longest = u64::from(bytes.div_ceil(4 * nics) * 4);
    let mut places: Vec<Places> = (0..nics).map(Places::of).collect();
    let vectors: Vec<u64> = places.iter_mut().map(|places| places.take(bytes.into(), 0)).collect();
    // Arriving chunks have a place for each step: a chunk may arrive before the previous one was added.
    let boxes: Vec<Vec<u64>> =
        places.iter_mut().map(|places| (1..nics).map(|_| places.take(longest, 0)).collect()).collect();
    let next = |host: u32| (host + 1) % nics;
    // With two hosts, both neighbours are the same.
    let pairings: Vec<Pairing> =
        (0..if nics == 2 { 1 } else { nics }).map(|host| Pairing { hosts: [host, next(host)] }).collect();
    let memories = places.iter().map(Places::memory).collect();
    let mut plan = Plan { memories, pairings, triggers: steps * nics, ..Plan::default() };
    for host in 0..nics {
        fill(&mut plan, host, vectors[host as usize], bytes.into(), rng);
    }

    // Fired as the chunk that a host sends in a step has arrived.
    let trigger = |step: u32, host: u32| step * nics + host;
    for step in 0..steps {
        for host in 0..nics {
            let to = next(host);
            let chunk = (host + 2 * nics - step) % nics;
            let (from_word, to_word) = (chunk_start(words, nics, chunk), chunk_start(words, nics, chunk + 1));
            let (offset, length) = (4 * u64::from(from_word), 4 * (to_word - from_word));
            let place = vectors[to as usize] + offset;
            let reduces = step < nics - 1;
            let remote = if reduces { boxes[to as usize][step as usize] } else { place };
            let (pairing, side) = if nics == 2 { (0, host as usize) } else { (host, 0) };
            split(
                Message {
                    pairing,
                    side,
                    local: vectors[host as usize] + offset,
                    remote,
                    length,
                    immediate: Some(step << 16 | host),
                    // The chunk that the host passes on came from the host before it.
                    after: step
                        .checked_sub(1)
                        .map(|step| After { trigger: trigger(step, (host + nics - 1) % nics), times: 1 }),
                    fires: Fires { received: Some(trigger(step, host)), sent: None },
                    sum: reduces.then_some(Sum { from: remote, to: place, bytes: length }),
                    ..Message::default()
                },
                &mut plan,
            );
        }
    }

    let sums: Vec<u8> = (0..u64::from(words))
        .flat_map(|word| {
            let own = |host: usize| plan.memories[host].word(vectors[host] + 4 * word).unwrap_or_default();
            (0..nics as usize).map(own).fold(0, u32::wrapping_add).to_le_bytes()
        })
        .collect();
    plan.results = (0..nics).map(|host| (host, vectors[host as usize], sums.clone())).collect();
    plan
}
