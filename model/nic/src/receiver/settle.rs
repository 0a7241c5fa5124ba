//! What the outcomes of `weft_sack_rx` lead to: replies, tokens for the payload and for messages that are complete,
//! marks for the ACK timer.

use super::Side;
use super::timer::Mark;
use crate::nic::words::{Place, Received, Reply, Unpacked};
use crate::sack_rx::{self, Kind, Response, Verdict};

/// Slots of a connection: messages whose last packets may have come before they are complete.
const SLOTS: usize = 16;

/// Clocks from a step to its token.
const STAGES: usize = 3;

/// Reasons of NACKs on the wire.
const TRIMMED: u8 = 0x01;
const TRIMMED_LASTHOP: u8 = 0x02;
const PSN_OOR_WINDOW: u8 = 0x0B;

/// An outcome, from its ports.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcome {
    id: u32,
    kind: Kind,
    accepted: bool,
    verdict: Verdict,
    response: Response,
    ce: bool,
    bitmap: [u64; 4],
    expected: u32,
    psn: u32,
    messages: u32,
    received: u32,
    stamp: u16,
    ev: u16,
    completed: u16,
    out_of_order: u8,
}

impl Outcome {
    pub(super) fn of(ports: &sack_rx::Outputs) -> Self {
        let user = usize::from(ports.outcome_user);
        let mut data = Unpacked::new(&ports.outcome_data);
        Self {
            id: ports.outcome_id,
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
            stamp: data.take(16) as u16,
            ev: data.take(16) as u16,
            completed: data.take(16) as u16,
            out_of_order: data.take(8) as u8,
        }
    }

    /// Rules 6 to 8.
    fn reply(&self, side: &Side) -> Option<(u32, Reply)> {
        let nack = match self.response {
            Response::None => return None,
            Response::Ack => false,
            Response::Nack => true,
        };
        let reason = match (nack, self.verdict) {
            (false, _) => 0,
            (true, Verdict::Outside) => PSN_OOR_WINDOW,
            (true, _) if side.arrival.last_hop => TRIMMED_LASTHOP,
            (true, _) => TRIMMED,
        };
        let reply = Reply {
            nack,
            cumulative: self.expected.wrapping_sub(1) & 0xFF_FFFF,
            psn: self.psn,
            bitmap: self.bitmap,
            ce: self.ce,
            ev: self.ev,
            stamp: self.stamp,
            out_of_order: self.out_of_order,
            received: self.received,
            messages: self.messages,
            reason,
            probe: self.kind == Kind::Probe,
        };
        Some((self.id, reply))
    }

    fn mark(&self) -> Mark {
        let acks = self.response == Response::Ack;
        let control = matches!(self.kind, Kind::Open | Kind::Close);
        Mark {
            id: self.id,
            start: self.verdict == Verdict::Placed && !acks,
            stop: acks || control,
            control,
            psn: self.psn,
            stamp: self.stamp,
            ev: self.ev,
        }
    }
}

/// The next thing to do with the payload stream and the completions.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Token {
    pub(super) id: u32,
    /// Take a packet from the payload stream.
    pub(super) payload: bool,
    /// Write it; else it is thrown away.
    pub(super) write: bool,
    /// Where it goes.
    pub(super) place: Place,
    /// Then report a message.
    pub(super) completes: Option<Received>,
}

/// What is kept of a message whose last packet has come.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    solicited: bool,
    number: u16,
    immediate: u32,
}

/// What a clock comes to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Settled {
    /// An outcome would be taken.
    pub(super) ready: bool,
    pub(super) reply: Option<(u32, Reply)>,
    pub(super) mark: Option<Mark>,
    pub(super) denied: bool,
    pub(super) placed: bool,
    /// The step that is taken: the outcome and the word beside it.
    step: Option<(Outcome, Side)>,
}

/// Takes an outcome in steps: one for each message that it completes, one at least, an open 16.
#[derive(Clone, Debug)]
pub(super) struct Settle {
    slots: Vec<[Slot; SLOTS]>,
    /// Steps to go of the outcome that is offered; 0 before its first.
    left: u16,
    /// Number of the message of the last step.
    number: u32,
    stages: [Option<Token>; STAGES],
}

impl Settle {
    pub(super) fn new(connections: u32) -> Self {
        Self {
            slots: vec![[Slot::default(); SLOTS]; connections as usize],
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
            reply: outcome.reply(side),
            mark: Some(outcome.mark()),
            denied: outcome.accepted && outcome.kind == Kind::Reserved6,
            placed: outcome.verdict == Verdict::Placed,
            step,
        }
    }

    pub(super) fn clock(&mut self, settled: &Settled) {
        self.stages.rotate_right(1);
        self.stages[0] = settled.step.and_then(|(outcome, side)| self.step(&outcome, &side));
    }

    fn step(&mut self, outcome: &Outcome, side: &Side) -> Option<Token> {
        let slots = &mut self.slots[outcome.id as usize];
        let first = self.left == 0;
        let arrival = &side.arrival;
        // Rule 10: nothing of an older connection is left.
        if outcome.kind == Kind::Open {
            slots[usize::from(self.left)] = Slot::default();
        } else if first && outcome.verdict == Verdict::Placed && arrival.last {
            let Slot { solicited, number, immediate } = &mut slots[usize::from(arrival.message) % SLOTS];
            (*solicited, *number, *immediate) = (arrival.solicited, arrival.message, arrival.immediate);
        }
        self.number = match first {
            true => outcome.messages.wrapping_sub(outcome.completed.into()),
            false => self.number.wrapping_add(1),
        } & 0xFF_FFFF;
        self.left = if first { steps(outcome) } else { self.left } - 1;
        // Rule 11.
        let slot = slots[self.number as usize % SLOTS];
        let reported = outcome.completed > 0 && slot.solicited && slot.number == self.number as u16;
        let payload = first && side.payload;
        (payload || reported).then(|| Token {
            id: outcome.id,
            payload,
            write: outcome.verdict == Verdict::Placed,
            place: Place { address: arrival.address, bytes: arrival.bytes },
            completes: reported.then_some(Received { immediate: slot.immediate, message: self.number }),
        })
    }
}

fn steps(outcome: &Outcome) -> u16 {
    if outcome.kind == Kind::Open { SLOTS as u16 } else { outcome.completed.max(1) }
}
