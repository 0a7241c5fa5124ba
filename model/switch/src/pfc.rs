//! PFC frames (IEEE 802.1Qbb; 802.3 clause 31): a MAC control frame that pauses classes of a wire.

/// Bytes of a PFC frame without FCS.
pub const FRAME_BYTES: usize = 60;

/// Destination address of MAC control frames. Bridges do not forward such frames.
const DESTINATION: [u8; 6] = [0x01, 0x80, 0xC2, 0x00, 0x00, 0x01];
/// EtherType of MAC control, opcode of PFC.
const KIND: [u8; 4] = [0x88, 0x08, 0x01, 0x01];

/// The contents of a PFC frame: a number of quanta of 512 bit times for each enabled class; 0 ends its pause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pause {
    /// Enabled classes, a bit each.
    pub classes: u8,
    /// Quanta of each class; the quanta of classes that are not named have no meaning.
    pub quanta: [u16; 8],
}

impl Pause {
    /// The frame, from a port with this MAC address.
    pub fn encode(&self, source: [u8; 6]) -> [u8; FRAME_BYTES] {
        let mut frame = [0; FRAME_BYTES];
        frame[..6].copy_from_slice(&DESTINATION);
        frame[6..12].copy_from_slice(&source);
        frame[12..16].copy_from_slice(&KIND);
        frame[17] = self.classes;
        for (place, quanta) in frame[18..34].chunks_exact_mut(2).zip(self.quanta) {
            place.copy_from_slice(&quanta.to_be_bytes());
        }
        frame
    }

    /// The contents of a frame, if it is a PFC frame. The upper byte of the class vector is reserved and ignored, and
    /// so is the padding. The destination is ignored, too: it may be the port's own address.
    pub fn parse(frame: &[u8]) -> Option<Self> {
        let body = frame.get(12..34)?;
        if body[..4] != KIND {
            return None;
        }
        let mut quanta = [0; 8];
        for (quanta, bytes) in quanta.iter_mut().zip(body[6..].chunks_exact(2)) {
            *quanta = u16::from_be_bytes([bytes[0], bytes[1]]);
        }
        Some(Self { classes: body[5], quanta })
    }

    /// Classes with their quanta.
    pub fn iter(&self) -> impl Iterator<Item = (u8, u16)> + '_ {
        (0..8u8).zip(self.quanta).filter(|(class, _)| self.classes & (1 << class) != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_as_the_standard_draws_it() {
        let mut pause = Pause { classes: 0b1000_1000, ..Pause::default() };
        (pause.quanta[3], pause.quanta[7]) = (0xFFFF, 0x0102);
        let frame = pause.encode([2, 0, 0, 0, 0, 9]);
        let hex: String = frame.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(
            hex,
            "0180c2000001".to_owned()
                + "020000000009"
                + "88080101"
                + "0088"
                + "000000000000ffff0000000000000102"
                + &"00".repeat(26)
        );
        assert_eq!(Pause::parse(&frame), Some(pause));
        assert_eq!(pause.iter().collect::<Vec<_>>(), [(3, 0xFFFF), (7, 0x0102)]);
    }

    #[test]
    fn other_frames_are_none() {
        let frame = Pause { classes: 8, quanta: [1; 8] }.encode([0; 6]);
        assert_eq!(Pause::parse(&frame[..33]), None);
        assert!(Pause::parse(&frame[..34]).is_some());
        // A frame of the older PAUSE has opcode 1.
        for (at, byte) in [(12, 0x08), (13, 0x00), (14, 0x00), (15, 0x02)] {
            let mut other = frame;
            other[at] = byte;
            assert_eq!(Pause::parse(&other), None);
        }
    }
}
