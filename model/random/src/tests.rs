//! Compares the generator with its authors' numbers, and each way of drawing with [`Rng::draw`].

use super::Rng;

/// The first numbers of the authors' code, seeded with 1234567 and with 0.
#[test]
fn it_is_splitmix64() {
    let mut rng = Rng::new(1_234_567);
    let drawn = [(); 5].map(|()| rng.draw());
    assert_eq!(
        drawn,
        [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ]
    );
    let mut rng = Rng::new(0);
    let drawn = [(); 3].map(|()| rng.draw() >> 32);
    assert_eq!(drawn, [0xE220_A839, 0x6E78_9E6A, 0x06C4_5D18]);
}

#[test]
fn every_way_to_draw_follows_from_the_64_bits() {
    let (mut rng, mut twin) = (Rng::new(5), Rng::new(5));
    for bound in [1, 2, 3, 1000, 1 << 24, u32::MAX] {
        let half = twin.draw() >> 32;
        let below = ((u128::from(half) * u128::from(bound)) >> 32) as u32;
        let mut others = [rng.clone(), rng.clone(), rng.clone()];
        assert_eq!(rng.below(bound), below);
        assert_eq!(others[0].range(7..=6 + u64::from(bound)), 7 + u64::from(below));
        assert_eq!(others[1].chance(bound / 2, bound), below < bound / 2);
        assert_eq!(others[2].index(bound as usize), below as usize);
        assert!(others.iter().all(|other| *other == rng), "one draw each");
    }
    assert_eq!(rng.clone().pick(&[10, 11, 12]), &(10 + rng.below(3)));
    twin = rng.clone();
    let (high, low) = (twin.draw(), twin.draw());
    assert_eq!(rng.wide(), u128::from(high) << 64 | u128::from(low));

    let mut bytes = [0; 11];
    rng.fill(&mut bytes);
    let (first, second) = (twin.draw().to_le_bytes(), twin.draw().to_le_bytes());
    assert_eq!((&bytes[..8], &bytes[8..]), (&first[..], &second[..3]));

    let mut order = [0, 1, 2, 3];
    rng.shuffle(&mut order);
    let mut same = [0, 1, 2, 3];
    for at in [3, 2, 1] {
        same.swap(at, twin.below(at as u32 + 1) as usize);
    }
    assert_eq!((order, rng), (same, twin));
}

#[test]
fn bounds_are_kept_and_reached() {
    let mut rng = Rng::new(9);
    let mut seen = [0u32; 6];
    (0..6000).for_each(|_| seen[rng.range(0..=5) as usize] += 1);
    // Binomial: within five deviations.
    assert!(seen.iter().all(|count| count.abs_diff(1000) < 145), "{seen:?}");
    assert_eq!((rng.below(0), rng.below(1), rng.range(8..=8), rng.index(0)), (0, 0, 8, 0));
    assert!(!rng.chance(0, 9) && rng.chance(9, 9));
    let mut orders = [[0; 3]; 3];
    for _ in 0..3000 {
        let mut order = [0, 1, 2];
        rng.shuffle(&mut order);
        order.into_iter().enumerate().for_each(|(place, thing)| orders[place][thing] += 1_u32);
    }
    assert!(orders.iter().flatten().all(|count| count.abs_diff(1000) < 130), "{orders:?}");
}

#[test]
#[should_panic(expected = "1 to 2^32 - 1 numbers")]
fn an_empty_range_has_no_number() {
    // The form hides the range from the compiler.
    let (low, high) = (Rng::new(1).range(5..=5), 4);
    Rng::new(1).range(low..=high);
}

/// Several seeds: each counts, and their order.
#[test]
fn seeds_are_mixed_in_one_after_the_other() {
    assert_eq!(Rng::of(&[]), Rng::new(0));
    let first = Rng::new(7).draw();
    assert_eq!(Rng::of(&[7]), Rng::new(first));
    assert_eq!(Rng::of(&[7, 8]), Rng::new(Rng::new(first ^ 8).draw()));
    assert_ne!(Rng::of(&[7, 8]), Rng::of(&[8, 7]));
}
