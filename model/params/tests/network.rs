//! The constants of a network, against the formulas of the paper in floating point.

use weft_params::{Network, ParamError, Preset, SmarttClass, SmarttCsr};

const LINKS_GBPS: [u32; 9] = [10, 25, 100, 133, 200, 400, 800, 1_237, 1_600];
const BASE_RTTS_NS: [u32; 8] = [2_000, 2_001, 4_000, 7_777, 12_000, 50_000, 123_457, 200_000];
const MTUS: [u32; 6] = [256, 512, 1_024, 2_048, 4_096, 8_192];

fn network(link_gbps: u32, base_rtt_ns: u32, mtu_bytes: u32) -> Network {
    Network { link_gbps, base_rtt_ns: vec![base_rtt_ns], mtu_bytes, ..Network::default() }
}

/// A register has the nearest representable value, up to the precision of f64.
#[track_caller]
fn nearest(name: &str, register: u32, real: f64, what: &Network) {
    let error = (f64::from(register) - real).abs();
    assert!(error <= 0.5 + 1e-6, "{name}: {register} for {real} of {what:?}");
}

/// Every constant, written down a second time from S section 3.5 and nic.md in floating point.
fn hold_against_paper(network: &Network, csr: &SmarttCsr, tick_ns: f64) {
    let (rate, mtu) = (f64::from(network.link_gbps) / 8.0, f64::from(network.mtu_bytes));
    for (number, class) in csr.classes.iter().enumerate() {
        let base = f64::from(network.base_rtt_ns[number.min(network.base_rtt_ns.len() - 1)]);
        let bdp = rate * base;
        let gamma = bdp / 150_000.0;
        let queue = network.queue_bytes.map_or(bdp, f64::from);
        let target = base + queue / rate / 2.0;
        let (window, fd, fast, mi, fi) = match network.preset {
            Preset::Paper => {
                (1.25, 0.8, base + 5.0 * mtu / rate, mtu * base / (target - base) * gamma, mtu * 0.25 * gamma)
            }
            Preset::Artifact => (1.5, 0.5, base + 1_000.0, mtu * 2.0, 0.02 * bdp),
        };
        assert_eq!(class.mtu_bytes, network.mtu_bytes);
        let near = |name, register, real| nearest(name, register, real, network);
        near("max_cwnd", class.max_cwnd_bytes, window * bdp);
        near("fair_decrease", class.fair_decrease_bytes, bdp / fd);
        near("base_rtt", class.base_rtt_ticks, base / tick_ns);
        near("target_rtt", class.target_rtt_ticks, target / tick_ns);
        near("multiplicative_increase", class.multiplicative_increase, 256.0 * mi);
        near("fair_increase", class.fair_increase, 1024.0 * fi);
        let allowed = (fast / tick_ns + 1e-9).floor().max((base / tick_ns - 1e-9).ceil());
        assert_eq!(f64::from(class.fast_rtt_ticks), allowed, "{network:?}");
        assert!(class.fast_rtt_ticks >= class.base_rtt_ticks && 4 * class.target_rtt_ticks <= 0xFFFF);
    }
    let (md, qa, alpha, threshold, k) = match (network.preset, network.trimming) {
        (Preset::Paper, true) => (2.0, 0.8, 0.125, 0.25, 2),
        (Preset::Paper, false) => (4.0, 0.8, 0.125, 0.25, 2),
        (Preset::Artifact, _) => (1.0, 1.0, 0.05, 0.3, 1),
    };
    let near = |name, register, real| nearest(name, register, real, network);
    near("multiplicative_decrease", csr.multiplicative_decrease, 16.0 * md);
    near("qa_scaling", csr.qa_scaling, 8_388_608.0 * qa);
    near("wtd_alpha", csr.wtd_alpha, 256.0 * alpha);
    near("wtd_threshold", csr.wtd_threshold, 256.0 * threshold);
    let kept = 1.0 - f64::from(csr.wtd_alpha) / 256.0;
    for (at, weight) in csr.wtd_alphas.into_iter().enumerate() {
        near("wtd_alphas", weight, 256.0 * (1.0 - kept.powi(at as i32 + 2)));
    }
    assert_eq!((csr.fast_mtus, csr.granularity), (k, network.granularity));
}

#[test]
fn constants_are_the_formulas_rounded_once() {
    let mut held = 0;
    for link_gbps in LINKS_GBPS {
        for base_rtt_ns in BASE_RTTS_NS {
            for mtu_bytes in MTUS {
                for preset in [Preset::Paper, Preset::Artifact] {
                    for queue_share in [None, Some(0.4), Some(1.7)] {
                        for tick_ps in [None, Some(32_000), Some(25_600), Some(8_000)] {
                            let bdp = f64::from(link_gbps) * f64::from(base_rtt_ns) / 8.0;
                            let network = Network {
                                queue_bytes: queue_share.map(|share| (bdp * share) as u32),
                                tick_ps,
                                preset,
                                trimming: base_rtt_ns % 2 == 0,
                                ..network(link_gbps, base_rtt_ns, mtu_bytes)
                            };
                            let Ok(sizing) = network.sizing() else { continue };
                            let tick_ns = f64::from(sizing.network.tick_ps.unwrap()) / 1_000.0;
                            hold_against_paper(&network, &sizing.csr, tick_ns);
                            assert_eq!(sizing.network.csr(), Ok(sizing.csr), "the chosen tick, given");
                            held += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(held > 5_000, "only {held} networks were possible");
}

#[test]
fn the_whole_range_is_possible() {
    for link_gbps in LINKS_GBPS.into_iter().filter(|gbps| *gbps >= 100) {
        for base_rtt_ns in BASE_RTTS_NS {
            for mtu_bytes in MTUS {
                let paper = network(link_gbps, base_rtt_ns, mtu_bytes);
                assert!(paper.csr().and_then(|csr| csr.check()).is_ok(), "{paper:?}");
                // With fd = 0.5, two BDPs must fit in 26 bits.
                let fits = u64::from(link_gbps) * u64::from(base_rtt_ns) / 4 <= (1 << 26) - 2;
                let artifact = Network { preset: Preset::Artifact, ..paper };
                assert_eq!(artifact.csr().is_ok(), fits, "{artifact:?}");
            }
        }
    }
    let wide = Network { base_rtt_ns: vec![2_000, 12_000, 50_000, 200_000], ..Network::default() };
    hold_against_paper(&wide, &wide.csr().unwrap(), 32.0);
}

#[test]
fn the_default_is_the_reference_of_the_paper_scaled() {
    let csr = SmarttCsr::default();
    // 400 Gb/s x 12 us: gamma is 4, so fi is 1 and mi 8.
    let across = SmarttClass {
        mtu_bytes: 4_096,
        max_cwnd_bytes: 750_000,
        fair_decrease_bytes: 750_000,
        base_rtt_ticks: 375,
        target_rtt_ticks: 563,
        fast_rtt_ticks: 387,
        multiplicative_increase: 8 * 4_096 * 256,
        fair_increase: 4_096 * 1_024,
    };
    assert_eq!(csr.classes[2], across);
    assert_eq!(csr.classes[3], across, "a class that is not given repeats the last");
    assert_eq!(csr.classes.map(|class| class.base_rtt_ticks), [125, 250, 375, 375]);
    assert!(csr.check().is_ok());
}

#[test]
fn the_tick_follows_the_shortest_and_the_longest_base_rtt() {
    for (base_rtt_ns, tick_ps) in [
        (vec![12_000], 32_000),
        (vec![2_048], 32_000),
        (vec![2_047], 16_000),
        (vec![1_000, 12_000], 8_000),
        // 200 us need at least 18.4 ns.
        (vec![2_000, 200_000], 32_000),
        (vec![200], 2_000),
        (vec![100], 1_000),
    ] {
        let network = Network { link_gbps: 800, mtu_bytes: 1_024, base_rtt_ns, ..Network::default() };
        assert_eq!(network.sizing().unwrap().network.tick_ps, Some(tick_ps), "{network:?}");
    }
}

/// The error is one line, names the parameter, and contains every text of `says`.
#[track_caller]
fn refused(network: &Network, name: &str, says: &[&str]) -> ParamError {
    let error = network.csr().expect_err("refused");
    let line = error.to_string();
    assert!(line.starts_with(&format!("{name} = ")), "{line}");
    assert!(!line.contains('\n') && says.iter().all(|text| line.contains(text)), "{line}");
    error
}

#[test]
fn what_does_not_fit_is_named_with_what_would() {
    let usual = Network::default();
    refused(&Network { link_gbps: 9, ..usual.clone() }, "link-gbps", &["10 to 1600"]);
    refused(&Network { link_gbps: 1_601, ..usual.clone() }, "link-gbps", &["10 to 1600"]);
    for mtu_bytes in [0, 128, 1_023, 1_500, 9_000, 16_384, u32::MAX] {
        let network = Network { mtu_bytes, ..usual.clone() };
        refused(&network, "mtu", &["a power of two, 256 to 8192"]);
    }
    refused(&Network { base_rtt_ns: vec![], ..usual.clone() }, "classes", &["1 to 4"]);
    refused(&Network { base_rtt_ns: vec![9_000; 5], ..usual.clone() }, "classes", &["1 to 4"]);
    refused(&Network { base_rtt_ns: vec![9_000, 0], ..usual.clone() }, "base-rtt-ns", &["100 to 200000"]);
    refused(&Network { base_rtt_ns: vec![200_001], ..usual.clone() }, "base-rtt-ns", &["100 to 200000"]);
    refused(&Network { granularity: 0, ..usual.clone() }, "granularity", &["1 to 50"]);
    refused(&Network { granularity: 51, ..usual.clone() }, "granularity", &["1 to 50"]);
    refused(&Network { tick_ps: Some(32_001), ..usual.clone() }, "tick-ps", &["at most 32 ns"]);
    refused(&Network { tick_ps: Some(0), ..usual.clone() }, "tick-ps", &["65535 ticks"]);
    refused(
        &Network { base_rtt_ns: vec![100, 200_000], link_gbps: 1_600, ..usual },
        "base-rtt-ns",
        &["100 ns"],
    );
}

#[test]
fn the_limits_that_an_error_tells_are_the_limits() {
    let bounds = |line: String| -> Vec<u32> {
        let (_, range) = line.rsplit_once("; ").expect("what to use");
        range.split(' ').filter_map(|word| word.parse().ok()).filter(|value| *value > 0).collect()
    };
    for link_gbps in [100, 400, 1_600] {
        for (base_rtt_ns, tick_ps) in [
            (vec![4_000], None),
            (vec![4_000, 6_001], None),
            (vec![2_049, 3_333], Some(17_003)),
            (vec![500], Some(29_999)),
            (vec![200_000], None),
        ] {
            let usual = Network { link_gbps, base_rtt_ns, tick_ps, mtu_bytes: 1_024, ..Network::default() };
            let queue = |bytes| Network { queue_bytes: Some(bytes), ..usual.clone() };
            for out in [0, u32::MAX] {
                let told = bounds(refused(&queue(out), "queue-bytes", &["use "]).to_string());
                let [low, high] = told[..] else { panic!("{told:?}") };
                for bytes in [low, high] {
                    let sizing = queue(bytes).sizing().expect("a queue that the error allows");
                    let tick_ns = f64::from(sizing.network.tick_ps.unwrap()) / 1_000.0;
                    hold_against_paper(&sizing.network, &sizing.csr, tick_ns);
                    let between = |class: &SmarttClass| {
                        (class.base_rtt_ticks + 1..2 * class.base_rtt_ticks).contains(&class.target_rtt_ticks)
                    };
                    assert!(sizing.csr.classes.iter().all(between), "{sizing:?}");
                }
                assert!(queue(low - 1).csr().is_err() && queue(high + 1).csr().is_err());
            }
            let tick = |ps| Network { tick_ps: Some(ps), ..usual.clone() };
            for out in [0, 32_001] {
                let told = bounds(refused(&tick(out), "tick-ps", &["use "]).to_string());
                let [low, high] = told[..] else { panic!("{told:?}") };
                assert!(tick(low).csr().is_ok() && tick(high).csr().is_ok(), "{usual:?} {told:?}");
                assert!(tick(low - 1).csr().is_err() && tick(high + 1).csr().is_err());
                let ticks = |base_rtts: f64, ps: u32| (1_000.0 * base_rtts / f64::from(ps)).round() as u32;
                let (shortest, longest) =
                    (*usual.base_rtt_ns.iter().min().unwrap(), *usual.base_rtt_ns.iter().max().unwrap());
                let target = 1.5 * f64::from(longest);
                assert!(ticks(target, low) <= 16_383 && ticks(target, low - 1) > 16_383, "{told:?}");
                assert!(high == 32_000 || ticks(shortest.into(), high) == 16, "{told:?}");
                assert!(high == 32_000 || ticks(shortest.into(), high + 1) == 15, "{told:?}");
            }
        }
    }
    // 300 ns are 16 ticks, by rounding, of 19,354 ps.
    let coarse = |tick_ps| Network { tick_ps: Some(tick_ps), ..network(400, 300, 1_024) };
    refused(&coarse(19_355), "tick-ps", &["to 19354 ps"]);
    assert_eq!(coarse(19_354).csr().map(|csr| csr.classes[0].base_rtt_ticks), Ok(16));
    // Five large packets of a slow link.
    let slow = |tick_ps| Network { tick_ps: Some(tick_ps), ..network(10, 6_000, 8_192) };
    refused(&slow(1), "tick-ps", &["use 592 to"]);
    assert!(slow(592).csr().is_ok() && slow(591).csr().is_err());
    // A window of one MTU, and the 26 bits of fair decrease.
    let short = network(10, 100, 8_192);
    refused(&short, "base-rtt-ns", &["use at least 5243 ns"]);
    assert!(Network { base_rtt_ns: vec![5_243], ..short.clone() }.csr().is_ok());
    assert!(Network { base_rtt_ns: vec![5_242], ..short }.csr().is_err());
    let long = Network { preset: Preset::Artifact, ..network(1_600, 200_000, 4_096) };
    refused(&long, "base-rtt-ns", &["artifact", "at most 167772 ns"]);
    assert!(Network { base_rtt_ns: vec![167_772], ..long.clone() }.csr().is_ok());
    assert!(Network { base_rtt_ns: vec![167_773], ..long }.csr().is_err());
}

#[test]
fn no_input_panics() {
    let values = [0, 1, 9, 10, 100, 999, 1_024, 1_600, 8_192, 32_000, 65_536, 200_000, u32::MAX];
    for link_gbps in values {
        for base_rtt_ns in values {
            for mtu_bytes in values {
                for other in values {
                    let network = Network {
                        link_gbps,
                        base_rtt_ns: vec![base_rtt_ns, 12_000],
                        mtu_bytes,
                        queue_bytes: Some(other),
                        tick_ps: Some(other),
                        granularity: 1,
                        ..Network::default()
                    };
                    let _ = network.sizing();
                    let _ = Network { queue_bytes: None, ..network.clone() }.sizing();
                    let _ = Network { tick_ps: None, ..network }.sizing();
                }
            }
        }
    }
}
