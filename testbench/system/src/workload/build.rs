//! Parts of plans: long messages cut up, memories with random bytes.

use super::plan::{Fires, Message, Places, Plan};
use crate::memory::random_bytes;
use weft_random::Rng;

/// Longest message of a workload. Longer ones are sent as several.
pub const LONGEST: u32 = 1 << 20;

/// Fills a memory at `address` with random bytes.
pub(super) fn fill(plan: &mut Plan, host: u32, address: u64, bytes: u64, rng: &mut Rng) {
    let written = plan.memories[host as usize].write(address, &random_bytes(rng, bytes as usize));
    debug_assert!(written, "the place was taken in this memory");
}

/// Cuts a message into messages of at most [`LONGEST`] bytes. Only the last part has the immediate and fires
/// triggers.
pub(super) fn split(whole: Message, plan: &mut Plan) {
    let mut at = 0;
    while at < whole.length {
        let length = (whole.length - at).min(LONGEST);
        let is_last = at + length == whole.length;
        plan.messages.push(Message {
            local: whole.local + u64::from(at),
            remote: whole.remote + u64::from(at),
            length,
            immediate: whole.immediate.filter(|_| is_last),
            sum: whole.sum.filter(|_| is_last),
            fires: if is_last { whole.fires } else { Fires::default() },
            ..whole
        });
        at += length;
    }
}

/// Makes the memories, with random bytes in the source places of messages.
pub(super) fn furnish(plan: &mut Plan, places: &[Places], rng: &mut Rng) {
    plan.memories = places.iter().map(Places::memory).collect();
    for message in 0..plan.messages.len() as u32 {
        let Message { local, length, .. } = plan.messages[message as usize];
        let (from, _) = plan.ends(message);
        fill(plan, from, local, length.into(), rng);
    }
}
