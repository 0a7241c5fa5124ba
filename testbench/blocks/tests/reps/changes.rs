//! A register that software writes while events are inside.

use crate::changing::{Change, Changes, Seen};
use weft_blocks::reps::Dut;
use weft_blocks::reps::stimulus::{Stimulus, random_csr};
use weft_nic::block::reps::LATENCY;
use weft_params::{RepsCsr, RepsParams};
use weft_random::Rng;

const PARAMS: RepsParams = RepsParams { connections: 16, depth: 8, ev_width: 16 };

/// Changes the value of one register. The mode never changes: three stages read it, so an event inside could
/// be decoded in one mode and carried out in another. The proof has a claim that such an event keeps the
/// connection's word valid.
fn change(rng: &mut Rng) -> Change<RepsCsr> {
    let (old, other) = (random_csr(rng, &PARAMS), random_csr(rng, &PARAMS));
    let (name, new) = match rng.below(8) {
        0 => ("ev_base", RepsCsr { ev_base: other.ev_base, ..old }),
        1 => ("evs_size", RepsCsr { evs_size: other.evs_size, ..old }),
        2 => ("freeze_timeout", RepsCsr { freeze_timeout_ticks: other.freeze_timeout_ticks, ..old }),
        3 => ("bdp_packets", RepsCsr { bdp_packets: other.bdp_packets, ..old }),
        4 => ("trimming", RepsCsr { trimming: !old.trimming, ..old }),
        5 => ("thaw_reset", RepsCsr { thaw_reset: !old.thaw_reset, ..old }),
        6 => ("rtt_high", RepsCsr { rtt_high_ticks: other.rtt_high_ticks, ..old }),
        _ => ("rtt_window", RepsCsr { rtt_window_ticks: other.rtt_window_ticks, ..old }),
    };
    Change { name, old, new }
}

fn run(reach: u64, seed: u64, trials: u32) -> Result<Seen, String> {
    let changes = Changes::<Dut> { params: PARAMS, sweep: u64::from(PARAMS.connections), reach };
    changes.run((seed, trials), change, |rng, change| {
        let mut stimulus = Stimulus::new(Rng::new(rng.draw()), PARAMS, &change.old);
        move || stimulus.event().0
    })
}

/// The block stalls in at most 100 of 256 clocks: that many clocks are enough for all stages.
const REACH: u64 = 10 * LATENCY as u64;

#[test]
fn an_event_inside_has_the_old_value_or_the_new_one() {
    let seen = run(REACH, 1, 3_000).unwrap_or_else(|what| panic!("{what}"));
    println!("{seen:?}");
    assert!(seen.told > 300, "{seen:?}");
}

/// Events inside do see the new value: a model in which no event sees it is wrong.
#[test]
fn not_every_event_inside_has_the_old_value() {
    let what = run(0, 1, 3_000).expect_err("no model is right");
    println!("{what}");
}
