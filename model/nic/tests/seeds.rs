//! The seeds that `weft params --mac` gives to NICs whose addresses follow each other.

use weft_nic::block::reps::{Event, Kind, Reps};
use weft_params::{RepsCsr, RepsParams, seed_of_mac};

/// The entropy values of the first packets of a connection, in their order.
fn explored(seed: u32) -> Vec<u16> {
    let mut reps = Reps::new(RepsParams { connections: 4, ..RepsParams::default() }, RepsCsr::default());
    let event = |kind, ev, rtt_ticks| Event { kind, connection: 0, ev, ecn: false, rtt_ticks, now_ticks: 0 };
    reps.step(&event(Kind::Seed, seed as u16, (seed >> 16) as u16));
    reps.step(&event(Kind::Open, 0, 0));
    (0..32).map(|_| reps.step(&event(Kind::Send, 0, 0)).ev).collect()
}

/// Two NICs of one batch spray over paths in different orders; so do neighbouring seeds of software.
#[test]
fn neighbours_draw_other_entropy_values() {
    for mac in (0x02_00_00_00_00_00..0x02_00_00_00_04_00).chain(0x02_5E_FF_FF_FE_00..0x02_5F_00_00_02_00) {
        let [one, next] = [mac, mac + 1].map(|mac: u64| explored(seed_of_mac(mac)));
        let same = one.iter().zip(&next).filter(|(one, next)| one == next).count();
        assert!(same < 4, "{mac:#x}: {same} of {} entropy values are those of the next NIC", one.len());
    }
    for seed in [6, 7, 0x9E37_79B8, 0x9E37_79B9, u32::MAX] {
        assert_ne!(explored(seed), explored(seed.wrapping_add(1)), "{seed:#x}");
    }
}
