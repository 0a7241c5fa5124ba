//! The counters of delays (rule 16 of the NIC), clock for clock, compared with the ports.

use crate::answered::Answered;
use weft_nic::nic::Inputs;
use weft_params::registers::counters;

/// Clocks from an event on the ports to the clock in which the counters include it.
const LATE: usize = 3;
/// The counters, in the order of [`of_clock`].
const NAMES: [&str; 6] =
    ["holds_wire", "holds_reads", "holds_writes", "holds_completions", "holds_acks", "holds_work"];

/// The host's side, as the ports have shown it so far.
#[derive(Default)]
struct Host {
    /// Reads whose data has not arrived completely, and work without its completion.
    reads: u32,
    works: u32,
}

impl Host {
    /// The causes that a clock counts for.
    fn of_clock(&mut self, inputs: &Inputs, outputs: &weft_nic::nic::Outputs) -> [bool; 6] {
        let idle = !outputs.net.valid;
        let (reading, working) = (self.reads > 0 || outputs.fetch.valid, self.works > 0);
        self.reads += u32::from(outputs.fetch.valid && inputs.fetch_ready);
        self.reads -= u32::from(outputs.read_ready && inputs.read.is_some_and(|beat| beat.last));
        self.works += u32::from(inputs.work.is_some() && outputs.work_ready);
        self.works -= u32::from(outputs.sent.valid && inputs.sent_ready);
        [
            outputs.net.valid && !inputs.net_ready,
            idle && reading,
            outputs.write.valid && !inputs.write_ready,
            outputs.received.valid && !inputs.received_ready || outputs.sent.valid && !inputs.sent_ready,
            idle && !reading && working,
            idle && !reading && !working,
        ]
    }
}

#[test]
fn rule_16_of_the_nic_every_clock_counts_for_what_holds_it_up() {
    let places = NAMES
        .map(|name| counters().position(|register| register.name == name).expect("a counter of this name"));
    let mut bench = Answered::new(512, 16);
    let mut host = Host::default();
    let mut due = vec![[0u32; 6]];
    for cycle in 0..60_000u64 {
        // Somebody stops for a while, or nothing is posted.
        let phase = cycle / 600 % 8;
        let most = |bench: &mut Answered, held: bool| !held || bench.rng.chance(1, 8);
        let takes = Inputs {
            net_ready: most(&mut bench, phase == 1),
            sent_ready: most(&mut bench, phase == 2),
            fetch_ready: most(&mut bench, phase == 3),
            write_ready: most(&mut bench, phase == 4),
            received_ready: most(&mut bench, phase == 5),
            ..Inputs::taking()
        };
        let posts = bench.is_up() && phase != 6 && cycle > 2_000 && bench.rng.chance(1, 50);
        let length = posts.then(|| 1 + bench.rng.below(2_000));
        // The NIC is its own peer.
        let (inputs, outputs) = bench.clock(takes, length, |_, frame| Some(frame.to_vec()));
        let more = host.of_clock(&inputs, &outputs);
        let mut sum = *due.last().expect("a sum");
        sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += u32::from(more));
        due.push(sum);
        let counted = bench.nic.counters();
        let counted = places.map(|place| counted[place]);
        let late = due[due.len().saturating_sub(LATE)];
        assert_eq!(counted, late, "clock {cycle}: {NAMES:?}");
    }
    let last = due.last().expect("a sum");
    for (name, count) in NAMES.iter().zip(last) {
        assert!(*count > 300, "{name}: {count}");
    }
}
