//! The effects of the outcomes of `weft_sack_rx`: replies, tokens for the payload and for messages that are
//! complete, marks for the ACK timer.

use super::front::Side;
use super::rules;
use super::step::{Mark, Slots, Waits, breach, first_completed, mark, reply};
use crate::block::sack_rx::{self, Kind, Outcome, Response, Verdict};
use crate::part::line::Line;
use crate::words::{Listed, Place, Received, Reply, Unpacked};
use weft_word::Concrete;

/// Clocks from a step to its token.
const STAGES: usize = 3;

/// Clocks from a step to the clock in which the step's reply has its list.
const LISTING: usize = 3;

/// Unpacks an outcome from its ports.
pub(super) fn decode(ports: &sack_rx::Outputs) -> Outcome {
    let user = usize::from(ports.outcome_user);
    let mut data = Unpacked::new(&ports.outcome_data);
    Outcome {
        connection: ports.outcome_id,
        kind: Kind::ALL[user & 7],
        accepted: user & 8 != 0,
        verdict: Verdict::ALL[user >> 4 & 7],
        response: Response::ALL[user >> 7 & 3],
        ce: user & 1 << 9 != 0,
        bitmap: data.wide(),
        expected: data.take(24) as u32,
        psn: data.take(24) as u32,
        messages: data.take(24) as u32,
        received: data.take(24) as u32,
        tag: data.take(32) as u32,
        completed: data.take(16) as u16,
        out_of_order: data.take(8) as u8,
        waited: data.take(8) as u8,
    }
}

/// The next actions for the payload stream and the completions.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Token {
    pub(super) id: u32,
    /// Whether to remove a packet from the payload stream.
    pub(super) payload: bool,
    /// Whether to write the payload, because the packet is placed; otherwise the receiver drops it (rule 5).
    pub(super) write: bool,
    /// The place of the payload.
    pub(super) place: Place,
    /// The message to report after the payload.
    pub(super) completes: Option<Received>,
    /// Whether the connection closes. All earlier work must leave first.
    pub(super) closes: bool,
}

/// The actions of a clock.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Settled {
    /// Whether the block accepts an outcome.
    pub(super) ready: bool,
    pub(super) reply: Option<(u32, Reply)>,
    pub(super) mark: Option<Mark>,
    pub(super) denied: bool,
    /// Whether the reply denies a packet of a connection that had not failed before.
    pub(super) breach: bool,
    pub(super) held: bool,
    pub(super) placed: bool,
    /// Bytes of the packet.
    pub(super) bytes: u16,
    /// Whether the outcome closes a connection.
    pub(super) closes: bool,
    /// Whether the step is the first of its outcome.
    first: bool,
    /// The step in progress: the outcome and the word beside it.
    step: Option<(Outcome, Side)>,
}

/// Processes an outcome in steps: one for each message that the outcome completes, at least one, and 16 for
/// an open.
#[derive(Clone, Debug)]
pub(super) struct Settle {
    /// PSNs of a window.
    psns: u32,
    slots: Vec<Slots>,
    /// Packets of each connection that wait for their ACKs.
    waits: Vec<Waits>,
    /// The lists of replies in the pipeline.
    listed: Line<Listed, LISTING>,
    /// Remaining steps of the offered outcome; 0 before its first.
    left: u16,
    /// Number of the message of the last step.
    number: u32,
    stages: [Option<Token>; STAGES],
}

impl Settle {
    pub(super) fn new(connections: u32, psns: u32) -> Self {
        Self {
            psns,
            slots: vec![Slots::default(); connections as usize],
            waits: vec![Waits::default(); connections as usize],
            listed: Line::default(),
            left: 0,
            number: 0,
            stages: [None; STAGES],
        }
    }

    /// The token that leaves.
    pub(super) fn leaving(&self) -> Option<Token> {
        self.stages[STAGES - 1]
    }

    pub(super) fn decide(&self, room: bool, outcome: Option<&Outcome>, side: &Side) -> Settled {
        let Some(outcome) = outcome.filter(|_| room) else { return Settled::default() };
        let step = Some((*outcome, *side));
        if self.left > 0 {
            return Settled { ready: self.left == 1, step, ..Settled::default() };
        }
        Settled {
            ready: steps(outcome) == 1,
            reply: reply(outcome, &side.treatment, side.arrival.last_hop, Listed::default())
                .map(|reply| (outcome.connection, reply)),
            first: true,
            mark: Some(mark(outcome, self.psns)),
            denied: outcome.accepted && side.treatment.denied,
            breach: breach(outcome, &side.treatment),
            held: outcome.accepted && side.treatment.held,
            placed: outcome.verdict == Verdict::Placed,
            bytes: if outcome.verdict == Verdict::Placed { side.arrival.bytes } else { 0 },
            closes: outcome.kind == Kind::Close,
            step,
        }
    }

    /// A clock edge. Returns the list for the reply that gets its list now.
    pub(super) fn clock(&mut self, settled: &Settled) -> Option<Listed> {
        let first = settled.step.filter(|_| settled.first);
        let listed = first.map(|(outcome, side)| {
            self.waits[outcome.connection as usize].take(&outcome, &side.treatment, self.psns)
        });
        self.stages.rotate_right(1);
        self.stages[0] = settled.step.and_then(|(outcome, side)| self.step(&outcome, &side));
        self.listed.clock(listed.filter(|_| settled.reply.is_some()))
    }

    fn step(&mut self, outcome: &Outcome, side: &Side) -> Option<Token> {
        let slots = &mut self.slots[outcome.connection as usize];
        let first = self.left == 0;
        let arrival = &side.arrival;
        if outcome.kind == Kind::Open {
            slots.forget(self.left);
        } else if first && outcome.verdict == Verdict::Placed && arrival.last {
            slots.keep(arrival);
        }
        self.number = match first {
            true => first_completed(outcome),
            false => self.number.wrapping_add(1) & 0xFF_FFFF,
        };
        self.left = if first { steps(outcome) } else { self.left } - 1;
        let completes = slots.completion(self.number).filter(|_| outcome.completed > 0);
        let payload = first && side.payload;
        let closes = outcome.kind == Kind::Close;
        (payload || completes.is_some() || closes).then(|| Token {
            id: outcome.connection,
            payload,
            write: outcome.verdict == Verdict::Placed,
            place: Place { address: arrival.address, bytes: arrival.bytes },
            completes,
            closes,
        })
    }
}

fn steps(outcome: &Outcome) -> u16 {
    rules::steps::<Concrete>(&outcome.into()).value() as u16
}
