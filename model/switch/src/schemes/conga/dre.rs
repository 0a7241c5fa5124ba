//! The load of a link: CONGA's discounting rate estimator (section 3.2).

/// Number of decays after which a silent link is idle. Each leaves 15 of 16 parts, and all together leave 2
/// %.
const MOST_DECAYS: u64 = 64;
/// Greatest number of decays. The count of decays wraps after this number.
const DECAYS: u64 = (1 << 24) - 1;
/// Maximum of `parts`: a decay subtracts one part.
pub(super) const MOST_PARTS: u32 = 16;

/// An estimate adds the bytes of packets, and subtracts one part in `parts` every `dre_clocks`.
#[derive(Clone, Copy, Debug)]
pub struct Dre {
    /// The value at full rate.
    pub(super) full_bytes: u64,
    pub(super) dre_clocks: u64,
    pub(super) parts: u64,
    pub(super) age_clocks: u64,
}

impl Dre {
    /// Adds a packet to a cell: bytes 32, decays so far 24, level 3, age 4. Returns the level, 0 to 7, and 1
    /// if the level differs from the cell's last level or is the first of its age. The clock is that of a
    /// packet's arrival. Packets of the control queue overtake other packets: a packet that entered before
    /// the last decay adds to the present value.
    pub fn add(&self, cell: &mut u64, clock: u64, length: u64) -> [u64; 2] {
        let (mut bytes, mut decays) = (*cell & 0xFFFF_FFFF, *cell >> 32 & DECAYS);
        let (now, age) = ((clock / self.dre_clocks) & DECAYS, (clock / self.age_clocks) & 0xF);
        // Hardware has a table of powers with `MOST_DECAYS` rows instead.
        match now.wrapping_sub(decays) & DECAYS {
            passed @ ..MOST_DECAYS => {
                for _ in 0..passed {
                    bytes -= bytes.div_ceil(self.parts);
                }
                decays = now;
            }
            passed if passed <= DECAYS / 2 => (bytes, decays) = (0, now),
            _ => {}
        }
        bytes = (bytes + length).min(0xFFFF_FFFF);
        let level = (8 * bytes / self.full_bytes).min(7);
        let before = (*cell >> 56 & 7, *cell >> 59 & 0xF);
        *cell = age << 59 | level << 56 | decays << 32 | bytes;
        [level, u64::from(before != (level, age))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_level_follows_the_rate() {
        let dre = Dre { full_bytes: 12_500 * 5, dre_clocks: 1_000, parts: 5, age_clocks: 1 << 40 };
        for (share, expected) in [(8, 0..=1), (4, 1..=2), (2, 3..=4), (1, 6..=7)] {
            let mut cell = 0;
            let mut level = 0;
            // 1,250 bytes take 100 clocks at full rate.
            for packet in 0..400 {
                [level, _] = dre.add(&mut cell, packet * 100 * share, 1_250);
            }
            assert!(expected.contains(&level), "1/{share}: {level}");
            let [later, tells] = dre.add(&mut cell, 400 * 100 * share + 60_000, 64);
            assert_eq!((later, tells), (0, u64::from(level != 0)));
        }
    }

    /// After a silence of any length, an access needs a limited time and finds a lower value than before.
    #[test]
    fn a_silent_link_is_idle() {
        let dre = Dre { full_bytes: 1 << 20, dre_clocks: 1_000, parts: 16, age_clocks: 1 << 40 };
        let estimate = |decays: u64| {
            let mut cell = 0;
            dre.add(&mut cell, 0, 1 << 30);
            dre.add(&mut cell, decays * 1_000, 0);
            cell & 0xFFFF_FFFF
        };
        let bytes: Vec<u64> = (0..64).map(estimate).collect();
        assert!(bytes.is_sorted_by(|a, b| a > b) && bytes[63] < (1 << 30) / 50, "{bytes:?}");
        assert_eq!((estimate(64), estimate(65_535)), (0, 0));
    }

    /// A packet of the control queue overtakes data that entered before it, and before a decay. The test
    /// checks that no bytes are lost.
    #[test]
    fn a_packet_that_was_overtaken_adds_to_what_there_is() {
        let dre = Dre { full_bytes: 1 << 20, dre_clocks: 1_000, parts: 5, age_clocks: 1 << 40 };
        let mut cell = 0;
        for (clock, length) in [(990, 1_000), (1_010, 100), (995, 1_000)] {
            dre.add(&mut cell, clock, length);
        }
        assert_eq!(cell & 0xFFFF_FFFF, 800 + 100 + 1_000);
        // The decay happens only once.
        dre.add(&mut cell, 1_020, 0);
        assert_eq!(cell & 0xFFFF_FFFF, 1_900);
    }

    #[test]
    fn the_first_of_an_age_is_told() {
        let dre = Dre { full_bytes: 1 << 30, dre_clocks: 1_000, parts: 5, age_clocks: 100 };
        let mut cell = 0;
        let told: Vec<u64> = (0..6).map(|at| dre.add(&mut cell, 40 * at + 20, 64)[1]).collect();
        assert_eq!(told, [0, 0, 1, 0, 0, 1]);
    }
}
