//! Arrivals, control and the ACK timer's requests in one order; data packets stay inside the region of their
//! connection.

use super::state::{Bar, Control};
use super::step::{Region, Treatment};
use super::timer::Timer;
use crate::block::sack_rx::{Event, Kind};
use crate::words::{Arrival, ArrivalKind};

/// Clocks from the acceptance of an event to its offer to `weft_sack_rx`.
const STAGES: usize = 6;

/// The side word that waits for an event's outcome of `weft_sack_rx`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Side {
    /// Payload arrived with the event.
    pub(super) payload: bool,
    /// The treatment of the packet.
    pub(super) treatment: Treatment,
    /// The packet as it arrived.
    pub(super) arrival: Arrival,
}

/// Chooses the next event, checks it, and passes it through the stages.
#[derive(Clone, Debug)]
pub(super) struct Front {
    regions: Vec<Region>,
    bars: Vec<Bar>,
    /// Control that is offered and was not accepted.
    control: Option<(u32, Control)>,
    /// The control is a close that has had its turn.
    entered: bool,
    /// Control or the timer had the last turn.
    was_own: bool,
    stages: [Option<(Event, Side)>; STAGES],
}

impl Front {
    pub(super) fn new(connections: u32) -> Self {
        Self {
            regions: vec![Region::default(); connections as usize],
            bars: vec![Bar::default(); connections as usize],
            control: None,
            entered: false,
            was_own: false,
            stages: [None; STAGES],
        }
    }

    /// The event that is offered to `weft_sack_rx`.
    pub(super) fn entry(&self) -> Option<(Event, Side)> {
        self.stages[STAGES - 1]
    }

    fn runs(&self, event_ready: bool) -> bool {
        event_ready || self.entry().is_none()
    }

    /// Whether control requests a turn.
    fn waits(&self) -> bool {
        self.control.is_some() && !self.entered
    }

    /// Control and the timer have priority, but never in two successive clocks (rule 3).
    fn own_turn(&self, timer: &Timer) -> bool {
        timer.swept() && (timer.asking().is_some() || self.waits()) && !self.was_own
    }

    pub(super) fn arrival_ready(&self, event_ready: bool, timer: &Timer) -> bool {
        self.runs(event_ready) && timer.swept() && !self.own_turn(timer)
    }

    /// An open is accepted in its turn, a close when all earlier work has left (rule 16).
    pub(super) fn control_ready(&self, event_ready: bool, timer: &Timer, out: bool) -> bool {
        let opens = self.control.is_some_and(|(_, control)| control.open);
        opens && self.control_enters(event_ready, timer) || out
    }

    pub(super) fn hears_flush(&self, event_ready: bool, timer: &Timer) -> bool {
        self.runs(event_ready) && self.own_turn(timer) && !self.waits()
    }

    pub(super) fn control_enters(&self, event_ready: bool, timer: &Timer) -> bool {
        self.runs(event_ready) && self.own_turn(timer) && self.waits()
    }

    /// A clock edge. The inputs: an offered arrival, an offered control word, whether all work from before a
    /// close has left (`out`), and a change of the treatment of a connection's packets.
    pub(super) fn clock(
        &mut self,
        arrival: Option<(u32, Arrival)>,
        control: Option<(u32, Control)>,
        event_ready: bool,
        timer: &Timer,
        out: bool,
        bar: Option<(u32, Bar)>,
    ) {
        if let Some((id, bar)) = bar.filter(|_| timer.swept()) {
            self.bars[id as usize] = bar;
        }
        let offered = control.filter(|_| timer.swept() && self.control.is_none());
        let leaves = self.control_ready(event_ready, timer, out);
        let enters = self.control_enters(event_ready, timer);
        if self.runs(event_ready) {
            let own = self.own_turn(timer);
            self.treat();
            let taken = if own {
                let control = self.control.filter(|_| enters);
                let control = control.map(|(id, control)| self.of_control(id, &control));
                control.or_else(|| timer.asking().map(|flush| (flush, Side::default())))
            } else {
                let arrival = arrival.filter(|_| timer.swept());
                arrival.map(|(id, arrival)| Self::of_arrival(id, arrival))
            };
            self.was_own = own;
            self.stages.rotate_right(1);
            self.stages[0] = taken;
        }
        self.control = offered.or(self.control).filter(|_| !leaves);
        self.entered = (self.entered || enters) && !leaves;
    }

    /// Rule 2: an open sets first PSN and region, and keeps its place among the packets; so does a close.
    fn of_control(&mut self, id: u32, control: &Control) -> (Event, Side) {
        if !control.open {
            return (Event::new(Kind::Close, id, control.psn), Side::default());
        }
        self.regions[id as usize] = Region::of(control);
        (Event::new(Kind::Open, id, control.psn), Side::default())
    }

    fn of_arrival(id: u32, arrival: Arrival) -> (Event, Side) {
        let treatment = Treatment::default();
        let payload = arrival.kind == ArrivalKind::Data && arrival.bytes > 0;
        (treatment.event(id, &arrival), Side { payload, treatment, arrival })
    }

    /// A packet leaves the first stage: its treatment follows from the present state.
    fn treat(&mut self) {
        let Some((event, side)) = &mut self.stages[0] else { return };
        if !matches!(event.kind, Kind::Flush | Kind::Open | Kind::Close) {
            let at = event.connection as usize;
            side.treatment = self.regions[at].treats(&side.arrival, self.bars[at]);
            *event = side.treatment.event(event.connection, &side.arrival);
        }
    }
}
