//! Requests an ACK for every connection whose packet has waited too long for one.

use super::step::{Mark, Waiting};
use crate::block::sack_rx::Event;

/// Minimum number of clocks of a round of the scanner.
const LEAST_ROUND: u32 = 64;

/// Clocks during which the timer makes no request after the outcome of a control word.
const QUIET: u8 = 15;

/// All connections.
#[derive(Clone, Debug)]
pub(super) struct Timer {
    oldest: Vec<Option<Waiting>>,
    /// The next connection that the sweep clears; `connections` when it is done.
    sweep: u32,
    /// Marks in the pipeline, the youngest first.
    marks: [Option<Mark>; 4],
    /// Number of the connection that the scanner reads next.
    scan: u32,
    /// The entries that the scanner has read, the youngest first.
    found: [Option<Waiting>; 2],
    /// The waiting packet, and its age.
    aged: Option<(Waiting, u32)>,
    asking: Option<Event>,
    /// Number of opens and closes in the pipeline.
    controls: u32,
    /// Clocks in which the timer requests no ACK.
    shut: u8,
}

impl Timer {
    pub(super) fn new(connections: u32) -> Self {
        Self {
            oldest: vec![None; connections as usize],
            sweep: 0,
            marks: [None; 4],
            scan: 0,
            found: [None; 2],
            aged: None,
            asking: None,
            controls: 0,
            shut: 0,
        }
    }

    /// The sweep after reset is over; before, the block accepts no input (rule 1).
    pub(super) fn swept(&self) -> bool {
        self.sweep as usize == self.oldest.len()
    }

    /// The flush that is requested.
    pub(super) fn asking(&self) -> Option<Event> {
        self.asking
    }

    /// A clock edge: `control` enters the pipeline, a `mark` arrives from its end, `heard` accepts the
    /// request.
    pub(super) fn clock(&mut self, now: u32, timeout: u16, control: bool, mark: Option<Mark>, heard: bool) {
        if let Some(mark) = self.marks[3] {
            mark.apply(&mut self.oldest[mark.id as usize], now);
        }
        if self.asking.is_none() {
            self.look(now, timeout);
        } else if heard {
            self.asking = None;
        }
        // Rule 15: no ACK may name a packet of an older opening.
        self.asking = self.asking.filter(|_| self.shut == 0);
        let quiet = control || self.controls > 0;
        self.shut = if quiet { QUIET } else { self.shut.saturating_sub(1) };
        self.controls += u32::from(control);
        self.controls -= u32::from(mark.is_some_and(|mark| mark.control));
        self.marks.rotate_right(1);
        self.marks[0] = mark;
        if !self.swept() {
            self.marks[0] = Some(Mark { id: self.sweep, stop: true, ..Mark::default() });
            self.sweep += 1;
        }
    }

    /// Advances the scanner, which reads one connection per clock, and requests an ACK if its packet is too
    /// old (rule 14).
    fn look(&mut self, now: u32, timeout: u16) {
        let late = self.aged.filter(|(_, age)| timeout > 0 && *age >= timeout.into());
        self.asking = late.map(|(waiting, age)| waiting.flush(age));
        self.aged = self.found[1].map(|waiting| (waiting, waiting.age(now)));
        self.found[1] = self.found[0];
        self.found[0] = self.oldest.get(self.scan as usize).copied().flatten().filter(|_| self.swept());
        self.scan = (self.scan + 1) % LEAST_ROUND.max(self.oldest.len() as u32);
    }
}
