//! The MAC at a NIC's port. The MAC paces words by the wire and exchanges frames with the network.

use crate::network::pace::{Pacer, Rate, SHORTEST};
use crate::network::seam::Frame;
use std::collections::VecDeque;
use weft_nic::words::Beat;
use weft_switch::pfc::Pause;

/// Bytes of a quantum of a pause: 512 bit times.
const QUANTUM: usize = 64;

/// Output side: joins words of the NIC to frames.
#[derive(Clone, Debug)]
pub(crate) struct Outgoing {
    pacer: Pacer,
    /// Bytes that a frame occupies on the wire beyond its own.
    overhead: i64,
    frame: Vec<u8>,
    /// Clocks for which no frame may begin.
    pause: u64,
}

impl Outgoing {
    pub(crate) fn new(rate: Rate, overhead: i64) -> Self {
        Self { pacer: Pacer::new(rate), overhead, frame: Vec::new(), pause: 0 }
    }

    /// Begins a clock.
    pub(crate) fn clock(&mut self) {
        self.pacer.clock();
        self.pause = self.pause.saturating_sub(1);
    }

    /// Handles a PFC frame. The NIC has no classes: the longest pause of any class stops all its frames.
    pub(crate) fn pause(&mut self, pause: &Pause) {
        let quanta = pause.iter().map(|(_, quanta)| quanta).max().unwrap_or(0);
        self.pause = self.pacer.rate().clocks_of(usize::from(quanta) * QUANTUM);
    }

    /// Prevents a frame from beginning in the next clock.
    pub(crate) fn hold(&mut self) {
        self.pause = self.pause.max(2);
    }

    /// Whether a frame is on the wire and its last word has not left.
    pub(crate) fn has_begun(&self) -> bool {
        !self.frame.is_empty()
    }

    /// Whether the MAC accepts a word in this clock. A frame that has begun continues.
    pub(crate) fn is_ready(&self) -> bool {
        self.pacer.is_free() && (self.pause == 0 || !self.frame.is_empty())
    }

    /// Accepts the word of a clock in which the MAC was ready. Returns the frame that ends with this word. A
    /// frame that the NIC marks as bad leaves with a wrong FCS, so that every receiver drops it.
    pub(crate) fn take(&mut self, beat: Option<&Beat>) -> Option<Frame> {
        let beat = beat?;
        self.frame.extend(beat.bytes());
        let ends = beat.last;
        let padding = if ends { SHORTEST.saturating_sub(self.frame.len()) as i64 + self.overhead } else { 0 };
        self.pacer.spend(i64::from(beat.keep.count_ones()) + padding);
        if !ends {
            return None;
        }
        let mut bytes = std::mem::take(&mut self.frame);
        bytes.resize(bytes.len().max(SHORTEST), 0);
        Some(Frame { bytes, bad: beat.bad })
    }
}

/// Input side: cuts frames into words for the NIC, which accepts every word.
#[derive(Clone, Debug)]
pub(crate) struct Incoming {
    pacer: Pacer,
    /// Bytes that a frame occupies on the wire beyond its own.
    overhead: i64,
    beats: VecDeque<Beat>,
}

impl Incoming {
    pub(crate) fn new(rate: Rate, overhead: i64) -> Self {
        Self { pacer: Pacer::new(rate), overhead, beats: VecDeque::new() }
    }

    /// Accepts a frame that arrives.
    pub(crate) fn push(&mut self, frame: &Frame) {
        let beats = Beat::frame(&frame.bytes).into_iter();
        self.beats.extend(beats.map(|beat| Beat { bad: beat.last && frame.bad, ..beat }));
    }

    /// Passes a clock. Returns the word of this clock.
    pub(crate) fn clock(&mut self) -> Option<Beat> {
        self.pacer.clock();
        let beat = if self.pacer.is_free() { self.beats.pop_front()? } else { return None };
        self.pacer.spend(i64::from(beat.keep.count_ones()) + if beat.last { self.overhead } else { 0 });
        Some(beat)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.beats.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::pace::OVERHEAD;

    const GAP: i64 = OVERHEAD as i64;

    fn frame(bytes: usize) -> Frame {
        Frame { bytes: (0..bytes).map(|at| at as u8).collect(), bad: false }
    }

    /// Sends frames through both sides as fast as the wire accepts them. Returns the frames and the clocks.
    fn through(frames: &[Frame], overhead: i64) -> (Vec<Frame>, u64) {
        let (mut incoming, mut outgoing) =
            (Incoming::new(Rate::GBPS_100, overhead), Outgoing::new(Rate::GBPS_100, overhead));
        frames.iter().for_each(|frame| incoming.push(frame));
        let (mut seen, mut waiting, mut clocks) = (Vec::new(), VecDeque::new(), 0);
        while seen.len() < frames.len() {
            waiting.extend(incoming.clock());
            outgoing.clock();
            if outgoing.is_ready()
                && let Some(beat) = waiting.pop_front()
            {
                seen.extend(outgoing.take(Some(&beat)));
            }
            clocks += 1;
        }
        (seen, clocks)
    }

    #[test]
    fn frames_pass_at_the_rate_of_the_wire() {
        let bad = Frame { bad: true, ..frame(200) };
        let frames: Vec<_> =
            std::iter::repeat_n([frame(60), bad, frame(1514), frame(64)], 100).flatten().collect();
        let (seen, clocks) = through(&frames, GAP);
        assert_eq!(seen, frames);
        let bytes: usize = frames.iter().map(|frame| frame.bytes.len() + 24).sum();
        assert!(clocks.abs_diff(bytes as u64 / 50) <= 4, "{clocks}");
    }

    /// Headers of 82 bytes occupy 64 on the wire, so the last word of 18 bytes costs no time.
    #[test]
    fn frames_that_are_shorter_on_the_wire_keep_its_rate() {
        let frames = vec![frame(4178); 500];
        let (seen, clocks) = through(&frames, -18);
        assert_eq!(seen.len(), frames.len());
        assert!(clocks.abs_diff(500 * 4160 / 50) <= 4, "{clocks}");
    }

    #[test]
    fn short_frames_are_padded() {
        let mut outgoing = Outgoing::new(Rate::GBPS_100, GAP);
        assert_eq!(outgoing.take(None), None);
        let beats = Beat::frame(&frame(65).bytes);
        assert_eq!(outgoing.take(Some(&beats[0])), None);
        assert_eq!(outgoing.take(Some(&beats[1])), Some(frame(65)));
        let short = outgoing.take(Some(&Beat::frame(&[1; 20])[0])).expect("a frame");
        assert_eq!(short.bytes, [vec![1; 20], vec![0; 40]].concat());
    }

    #[test]
    fn a_pause_waits_for_the_end_of_a_frame() {
        let mut outgoing = Outgoing::new(Rate::GBPS_100, GAP);
        let beats = Beat::frame(&frame(128).bytes);
        let ready = |outgoing: &mut Outgoing| {
            outgoing.clock();
            outgoing.is_ready()
        };
        assert!(ready(&mut outgoing));
        assert_eq!(outgoing.take(Some(&beats[0])), None);
        let quanta = [0, 0, 0, 25, 0, 0, 0, 9];
        outgoing.pause(&Pause { classes: 1 << 3, quanta });
        while !ready(&mut outgoing) {}
        assert_eq!(outgoing.take(Some(&beats[1])), Some(frame(128)));
        // 25 quanta of 64 bytes at 50 bytes a clock are 32 clocks, of which one or two have passed.
        let waits = std::iter::repeat_with(|| ready(&mut outgoing)).take_while(|ready| !ready).count();
        assert!((28..32).contains(&waits), "{waits}");
        outgoing.pause(&Pause { classes: 1 << 3, quanta });
        assert!(!ready(&mut outgoing));
        outgoing.pause(&Pause { classes: 1 << 3, quanta: [0; 8] });
        assert!(ready(&mut outgoing));
    }
}
