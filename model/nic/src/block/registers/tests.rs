//! The transaction view against the clocked one: random accesses, one at a time.

use super::{Clocked, Inputs, Registers, Shown};
use crate::words::AxilInputs;
use weft_params::SackParams;
use weft_params::registers::{self, COUNTERS, PAGE};
use weft_random::Rng;

/// Clocks of the counters' first round.
const ROUND: u32 = 800;

/// Runs until the access is over. Returns whether the answer is OKAY, and the word read.
fn access(clocked: &mut Clocked, inputs: &Inputs) -> (bool, u32) {
    for _ in 0..20 {
        clocked.clock(inputs);
        let axil = clocked.outputs().axil;
        if axil.write_done || axil.read_done {
            let response = if axil.write_done { axil.write_response } else { axil.read_response };
            let answer = (response == 0, axil.read_data);
            let axil = AxilInputs { write_ready: true, read_ready: true, ..AxilInputs::default() };
            (0..3).for_each(|_| clocked.clock(&Inputs { axil, ..*inputs }));
            return answer;
        }
    }
    panic!("no answer to {:?}", inputs.axil);
}

#[test]
fn both_views_answer_and_hold_the_same() {
    let params = SackParams { connections: 16 };
    let (mut clocked, mut registers) = (Clocked::new(params), Registers::new(params));
    let mut stats: [u32; COUNTERS] = std::array::from_fn(|at| at as u32 * 3 + 1);
    // The sweep after reset, and the first round of the counters.
    (0..ROUND).for_each(|_| clocked.clock(&Inputs { stats, ..Inputs::default() }));
    let end = registers::pages().last().expect("a page").offset + PAGE;
    let mut rng = Rng::new(1);
    let mut written = 0;
    for _ in 0..20_000 {
        let offset = match rng.below(4) {
            0 => registers::offsets::COMMAND,
            1 => rng.below(u32::from(end) / 4) as u16 * 4,
            // Below the gauges and counters.
            _ => rng.below(0x300 / 4) as u16 * 4,
        };
        // Time does not stand still between the views: it is compared by the lockstep of the block.
        if offset == registers::offsets::NOW {
            continue;
        }
        // Fewer in a round than 16 bits can tell.
        let counter = rng.below(COUNTERS as u32) as usize;
        stats[counter] = stats[counter].wrapping_add(rng.below(200));
        let mut inputs = Inputs { stats, rtt: [7, 3], ..Inputs::default() };
        if rng.chance(1, 2) {
            let data = rng.draw() as u32 & if rng.chance(1, 2) { 0x3_000F } else { u32::MAX };
            let strobes = if rng.chance(1, 2) { 0xF } else { rng.below(16) as u8 };
            inputs.axil.write_address = Some(offset);
            inputs.axil.write_data = Some((data, strobes));
            let okay = registers.write(offset, data, strobes);
            assert_eq!(access(&mut clocked, &inputs).0, okay, "{offset:#06x} {data:#010x} {strobes:04b}");
            written += u32::from(okay);
        } else {
            inputs.axil.read_address = Some(offset);
            let (okay, data) = access(&mut clocked, &inputs);
            let shown = Shown { stats, rtt: inputs.rtt, ..Shown::default() };
            assert_eq!(okay.then_some(data), registers.read(offset, &shown), "{offset:#06x}");
        }
        let outputs = clocked.outputs();
        assert_eq!(outputs.csr, registers.csr());
        assert_eq!(outputs.ingress_peer, registers.offer(0));
        assert_eq!(outputs.egress_peer, registers.offer(1));
        assert_eq!(outputs.receiver_control, registers.offer(2));
        assert_eq!(outputs.sender_control, registers.offer(3));
        // Blocks take their words in their own time.
        let ready = [(); 4].map(|()| rng.chance(1, 4));
        registers.take(ready);
        let [ingress_peer_ready, egress_peer_ready, receiver_control_ready, sender_control_ready] = ready;
        clocked.clock(&Inputs {
            ingress_peer_ready,
            egress_peer_ready,
            receiver_control_ready,
            sender_control_ready,
            stats,
            ..Inputs::default()
        });
        // The status is told in its turn.
        (0..40).for_each(|_| clocked.clock(&Inputs { stats, ..Inputs::default() }));
    }
    assert!(written > 1_500, "{written} writes");
}
