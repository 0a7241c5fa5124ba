//! The transaction view: the effect of an event, independent of clocks.

use super::event::{Event, Outcome};
use super::found::Found;
use super::messages::{Account, Messages, spot};
use super::rings::{calm, known, leave, mark, survey};
use super::state::{Csr, Flow, Kind, Published, Reason, Rings, Stimulus};
use super::step::{Action, Card, Place, place, settle};
use super::timer::Timer;
use crate::part::ahead::Ask;
use crate::part::ring::Ring;
use crate::part::table::Table;
use std::collections::VecDeque;
use std::sync::Arc;
use weft_params::{SackParams, SackTxCsr};
use weft_word::{Bits, Compact, Concrete, Stored, Word};

/// State after an event, besides its outcome.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effect {
    pub(super) outcome: Outcome,
    /// The connection must enter the queue of connections with packets to send.
    pub(super) enqueue: bool,
    /// A posted message: its destination and its packets.
    pub(super) posted: Option<(u8, u16)>,
}

/// A connection.
#[derive(Clone, Debug)]
struct Connection<const N: usize, const L: usize>
where
    Bits<N>: Stored,
{
    flow: Compact<Flow<Concrete, N>>,
    rings: Rings<Concrete, L>,
    told: Messages<N, L>,
    card: Compact<Card<Concrete>>,
    /// Packets of the messages in the queue.
    messages: [u16; SackParams::QUEUE as usize],
}

/// All connections of a sender, with a window of 2^S PSNs.
#[derive(Clone, Debug)]
pub struct SackTx<const S: usize = 8, const N: usize = 9, const L: usize = 2>
where
    Bits<N>: Stored,
{
    params: SackParams,
    registers: Arc<SackTxCsr>,
    csr: Arc<Csr<Concrete>>,
    connections: Table<Connection<N, L>>,
    waiting: VecDeque<u32>,
    /// Losses of the last event that lost a packet, until they are read.
    found: Option<Found>,
}

impl<const S: usize, const N: usize, const L: usize> SackTx<S, N, L>
where
    Bits<N>: Stored,
{
    /// A block after reset: every connection closed. `params` and `csr` must have passed their checks.
    pub fn new(params: SackParams, csr: SackTxCsr) -> Self {
        let none = Ring::none();
        let rings = Rings { waiting: none, lost: none, age_low: none, age_high: none };
        Self {
            params,
            registers: Arc::new(csr),
            csr: Arc::new(Csr::from(&csr)),
            connections: Table::new(Connection {
                flow: Compact::new(Flow::closed()),
                rings,
                told: Messages::none(),
                card: Compact::new(Card::none()),
                messages: [0; SackParams::QUEUE as usize],
            }),
            waiting: VecDeque::new(),
            found: None,
        }
    }

    /// Requests the memory of a connection.
    #[inline]
    pub(crate) fn ahead(&self, connection: u32, memory: &impl Ask) {
        memory.ask(self.connections.get(connection));
    }

    /// The parameters.
    pub fn params(&self) -> &SackParams {
        &self.params
    }

    /// The CSRs.
    pub fn csr(&self) -> &SackTxCsr {
        &self.registers
    }

    /// Sets the CSRs from the next event on.
    pub fn set_csr(&mut self, csr: SackTxCsr) {
        self.csr = Arc::new(Csr::from(&csr));
        self.registers = Arc::new(csr);
    }

    /// The state of a connection below `connections`.
    #[inline]
    pub fn flow(&self, connection: u32) -> Flow<Concrete, N> {
        self.connections.get(connection).flow.get()
    }

    /// The rings of a connection below `connections`.
    pub fn rings(&self, connection: u32) -> &Rings<Concrete, L> {
        &self.connections.get(connection).rings
    }

    /// The word for the scheduler, of a connection below `connections`.
    pub(super) fn card(&self, connection: u32) -> Card<Concrete> {
        self.connections.get(connection).card.get()
    }

    /// The messages of a connection below `connections`.
    pub fn messages(&self, connection: u32) -> &Messages<N, L> {
        &self.connections.get(connection).told
    }

    /// Messages of a connection below `connections` that are posted and not completed.
    pub fn pending(&self, connection: u32) -> u32 {
        let Account { posted, completed } = self.messages(connection).account.get();
        (posted - completed).value() as u32
    }

    /// The packets that the last event with losses detected; only the first call after the event returns
    /// them.
    #[inline]
    pub(crate) fn found(&mut self) -> Option<Found> {
        if self.found.is_some() { self.found.take() } else { None }
    }

    /// Handles one event. Its connection must be below `connections`: the port is no wider.
    #[inline(always)]
    pub fn step(&mut self, event: &Event) -> Outcome {
        self.apply(event.connection, event.tag, &event.stimulus())
    }

    /// Lets the next connection with packets to send do so. `None` if there is no such connection.
    #[inline(always)]
    pub fn send(&mut self, now_ticks: u32) -> Option<Outcome> {
        let connection = self.waiting.pop_front()?;
        Some(self.turn(connection, now_ticks))
    }

    /// Lets a connection send out of turn, because the clocked view may give a connection two packets in a
    /// turn. `None` if the connection has no packet to send.
    pub fn send_of(&mut self, connection: u32, now_ticks: u32) -> Option<Outcome> {
        let place = self.waiting.iter().position(|waiting| *waiting == connection)?;
        self.waiting.remove(place);
        Some(self.turn(connection, now_ticks))
    }

    #[inline(always)]
    fn turn(&mut self, connection: u32, now_ticks: u32) -> Outcome {
        let Connection { card, messages, .. } = self.connections.get(connection);
        let card = card.get();
        let stimulus = card.stimulus(messages[card.head.value() as usize], now_ticks);
        self.apply(connection, 0, &stimulus)
    }

    /// The due timer event of a connection.
    pub fn due(&self, connection: u32, now_ticks: u32) -> Option<Kind> {
        Timer::of(&self.flow(connection)).due(&self.registers, now_ticks)
    }

    /// Ticks until the next timer event of a connection, if its timers run.
    #[inline]
    pub fn due_in(&self, connection: u32, now_ticks: u32) -> Option<u32> {
        Timer::of(&self.flow(connection)).left(&self.registers, now_ticks)
    }

    /// Handles a timer event of a connection: an epoch, a probe or a timeout.
    pub fn timer(&mut self, connection: u32, kind: Kind, now_ticks: u32) -> Outcome {
        let silent = Timer::of(&self.flow(connection)).is_silent(now_ticks);
        self.timer_found(connection, kind, silent, now_ticks)
    }

    /// Handles a timer event that was found before. `silent`: an epoch was late in a silence at that time.
    pub fn timer_found(&mut self, connection: u32, kind: Kind, silent: bool, now_ticks: u32) -> Outcome {
        self.apply(connection, 0, &timed(kind, silent, now_ticks))
    }

    #[inline(always)]
    fn apply(&mut self, connection: u32, tag: u32, stimulus: &Stimulus<Concrete>) -> Outcome {
        let published = self.flow(connection).published;
        let effect = self.step_seeing(&published, connection, tag, stimulus);
        if let Some((place, packets)) = effect.posted {
            self.connections.row(connection).messages[usize::from(place)] = packets;
        }
        if effect.enqueue {
            self.waiting.push_back(connection);
        }
        effect.outcome
    }

    /// Handles one event that found `published` when it entered. The caller handles the queues.
    #[inline(always)]
    pub(super) fn step_seeing(
        &mut self,
        published: &Published<Concrete, N>,
        connection: u32,
        tag: u32,
        stimulus: &Stimulus<Concrete>,
    ) -> Effect {
        let (row, id) = (self.connections.row(connection), (connection, tag));
        let found = &mut self.found;
        let flow = row.flow.get();
        let is_open = flag(published.open & flow.published.open);
        // For the most frequent events the compiler knows the kind and that the connection is open, and drops
        // tests that these events do not need.
        let open = |it: &Published<Concrete, N>| Published { open: Bits::lit(1), ..*it };
        let (seen, known) = (open(published), Flow { published: open(&flow.published), ..flow });
        let of = |kind: Kind| Stimulus { kind: Bits::lit(kind as u128), ..*stimulus };
        match Kind::ALL[stimulus.kind.value() as usize] {
            Kind::Ack if is_open => row.step::<S>(&self.csr, &seen, &known, id, &of(Kind::Ack), found),
            Kind::Window if is_open => row.step::<S>(&self.csr, &seen, &known, id, &of(Kind::Window), found),
            Kind::Send if is_open => row.step::<S>(&self.csr, &seen, &known, id, &of(Kind::Send), found),
            _ => row.step_of_any::<S>(&self.csr, published, &flow, id, stimulus, found),
        }
    }
}

impl<const N: usize, const L: usize> Connection<N, L>
where
    Bits<N>: Stored,
{
    /// [`Self::step`] once for all events of which nothing is known.
    #[inline(never)]
    fn step_of_any<const S: usize>(
        &mut self,
        csr: &Csr<Concrete>,
        published: &Published<Concrete, N>,
        flow: &Flow<Concrete, N>,
        id: (u32, u32),
        stimulus: &Stimulus<Concrete>,
        found: &mut Option<Found>,
    ) -> Effect {
        self.step::<S>(csr, published, flow, id, stimulus, found)
    }

    /// Handles one event of a connection with this flow that found `published` when it entered. Writes its
    /// losses to `found`.
    #[inline(always)]
    fn step<const S: usize>(
        &mut self,
        csr: &Csr<Concrete>,
        published: &Published<Concrete, N>,
        flow: &Flow<Concrete, N>,
        (connection, tag): (u32, u32),
        stimulus: &Stimulus<Concrete>,
        found: &mut Option<Found>,
    ) -> Effect {
        let card = self.card.get();
        let place: Place<Concrete, S, N> = place(csr, published, stimulus);
        let calm = flag(calm(published, flow, stimulus, &place));
        let (survey, beyond) = if calm {
            if flag(place.send) {
                self.rings = leave(&place, &self.rings);
            }
            (known(flow, &card, &place), Bits::lit(0))
        } else {
            let (rings, beyond) = mark(&place, stimulus, &self.rings);
            let before = std::mem::replace(&mut self.rings, rings).lost;
            let slots = rings.lost & !before;
            if flag(slots.any()) {
                *found = Some(Found::new(&flow.published, slots));
            }
            (survey(&place, &rings), beyond)
        };
        let (flow, action) = settle(csr, flow, stimulus, &place, &survey);
        let spot = spot(stimulus, &action, &flow);
        let (completed, errors) = self.told.step(stimulus, &action, &spot);
        self.flow.set(flow);
        self.card.set(action.card);
        let outcome = outcome(connection, tag, stimulus, &flow, &action, beyond, completed, errors);
        let posted =
            flag(action.posted).then(|| (action.place.value() as u8, stimulus.packets.value() as u16));
        Effect { outcome, enqueue: flag(action.enqueue), posted }
    }
}

#[allow(clippy::too_many_arguments, reason = "one word of the outcome each")]
#[inline(always)]
fn outcome<const N: usize>(
    connection: u32,
    tag: u32,
    stimulus: &Stimulus<Concrete>,
    flow: &Flow<Concrete, N>,
    action: &Action<Concrete, N>,
    beyond: Bits<1>,
    completed: Bits<N>,
    errors: Bits<N>,
) -> Outcome {
    let kind = Kind::ALL[stimulus.kind.value() as usize];
    let sends = flag(action.send);
    let psn = if sends { stimulus.psn } else { flow.published.una };
    Outcome {
        kind,
        connection,
        accepted: flag(action.accepted),
        send: sends,
        fresh: sends && flag(stimulus.fresh),
        last: flag(action.last),
        failed: flag(action.failed),
        reason: Reason::ALL[action.reason.value() as usize],
        beyond: flag(beyond) && flag(action.accepted),
        congested: flag(action.congested),
        failure: flag(action.failure),
        unsure: flag(action.unsure),
        psn: psn.value() as u32,
        acked: action.acked.value() as u16,
        lost: action.lost.value() as u16,
        completed: completed.value() as u16,
        errors: errors.value() as u16,
        unacked: flow.unacked.value() as u16,
        in_flight: (flow.unacked - flow.lost).value() as u16,
        tag,
    }
}

impl Card<Concrete> {
    /// Word of a connection that has nothing to send.
    pub(super) fn none() -> Self {
        Self {
            ready: Bits::lit(0),
            fresh: Bits::lit(0),
            pair: Bits::lit(0),
            psn: Bits::lit(0),
            left: Bits::lit(0),
            head: Bits::lit(0),
        }
    }

    /// The send that the request stands for, when the message at `head` has `message` packets.
    #[inline(always)]
    pub(super) fn stimulus(&self, message: u16, now_ticks: u32) -> Stimulus<Concrete> {
        let taken = self.left.is_zero();
        Stimulus {
            kind: Bits::lit(Kind::Send as u128),
            own: Bits::lit(1),
            psn: self.psn,
            packets: Bits::<16>::lit(message.into()).when(taken, self.left),
            ready: self.ready,
            fresh: self.fresh,
            taken,
            now: Bits::lit(now_ticks.into()),
            ..Event::new(Kind::Send, 0).stimulus()
        }
    }
}

/// The event of a timer; an EPOCH late in a silence or not.
pub(super) fn timed(kind: Kind, silent: bool, now_ticks: u32) -> Stimulus<Concrete> {
    let (own, silent) = (Bits::lit(1), Bits::lit(silent.into()));
    Stimulus { own, silent, now: Bits::lit(now_ticks.into()), ..Event::new(kind, 0).stimulus() }
}

pub(super) fn flag(bit: Bits<1>) -> bool {
    bit.value() == 1
}
