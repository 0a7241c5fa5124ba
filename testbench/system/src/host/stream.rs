//! Rules of streams: what is offered holds until it is taken; beats are full but for the last one.

use super::breach::Breach;
use weft_nic::words::{Beat, Offer};

/// Watches a stream of the NIC.
#[derive(Clone, Debug)]
pub(crate) struct Watched<T> {
    port: &'static str,
    /// What was offered and not taken in the last clock.
    held: Option<(u32, T)>,
}

impl<T: Copy + PartialEq> Watched<T> {
    pub(crate) fn new(port: &'static str) -> Self {
        Self { port, held: None }
    }

    /// What is taken in a clock with `tready` as it is.
    pub(crate) fn take(&mut self, offer: &Offer<T>, ready: bool) -> Result<Option<(u32, T)>, Breach> {
        let offered = offer.get();
        if self.held.is_some() && offered != self.held {
            return Err(Breach::Unstable { port: self.port });
        }
        self.held = offered.filter(|_| !ready);
        Ok(offered.filter(|_| ready))
    }
}

/// Appends the bytes of a beat, and says whether the frame ends with it.
pub(crate) fn append(bytes: &mut Vec<u8>, beat: &Beat, port: &'static str) -> Result<bool, Breach> {
    let keep = beat.keep;
    // From byte 0 on without a hole: adding 1 to it leaves none of its bits.
    let fits = keep != 0 && keep & keep.wrapping_add(1) == 0 && (beat.last || keep == u64::MAX);
    if !fits {
        return Err(Breach::Keep { port, keep });
    }
    bytes.extend(beat.bytes());
    Ok(beat.last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_holds_until_it_is_taken() {
        let offer = |word: u32| Offer { valid: true, id: 1, word };
        let mut stream = Watched::new("m_axis");
        assert_eq!(stream.take(&offer(7), false), Ok(None));
        assert_eq!(stream.take(&offer(7), true), Ok(Some((1, 7))));
        assert_eq!(stream.take(&offer(8), false), Ok(None));
        let unstable = Err(Breach::Unstable { port: "m_axis" });
        assert_eq!(stream.clone().take(&offer(9), true), unstable);
        assert_eq!(stream.clone().take(&Offer { id: 2, ..offer(8) }, true), unstable);
        assert_eq!(stream.take(&Offer::default(), true), unstable);
    }

    #[test]
    fn beats_are_full_but_the_last() {
        let mut bytes = Vec::new();
        let frame: Vec<u8> = (0..100).collect();
        let ends: Vec<_> =
            Beat::frame(&frame).iter().map(|beat| append(&mut bytes, beat, "m_axis")).collect();
        assert_eq!((ends, bytes), (vec![Ok(false), Ok(true)], frame));
        for (keep, last) in [(0, true), (0b101, true), (0b110, true), (0b1, false)] {
            let beat = Beat { keep, last, ..Beat::default() };
            let refused = Err(Breach::Keep { port: "m_axis", keep });
            assert_eq!(append(&mut Vec::new(), &beat, "m_axis"), refused);
        }
    }
}
