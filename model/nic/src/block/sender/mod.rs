//! `weft_sender` (page `docs/blocks/sender.md`): work requests become messages, messages packets, acknowledgements
//! completions. [`step::Sender`] is the transaction view; [`Clocked`] is the RTL's twin, clock for clock.
//!
//! Around the models of the transport, REPS and SMaRTT. Its pipelines never stand: what enters one has room behind it,
//! so each is computed at once here and then travels.

mod dispatch;
mod endings;
mod events;
mod feeders;
mod intake;
mod line;
mod orders;
mod packets;
pub mod step;
mod windows;

use crate::block::{reps, sack_tx, smartt};
use crate::part::fifo::Fifo;
use crate::words::{Acknowledgement, Offer, Order, Place, Sent, Status, Work};
use dispatch::{Dispatch, Entry, Outcome};
use endings::Endings;
use events::{Choice, Events, Sources};
use feeders::{Congestion, Paths};
use intake::Intake;
use orders::Orders;
use packets::{Ending, Packets};
use weft_params::{RepsParams, SackParams, SenderCsr, SmarttParams};
use windows::{Allowance, Windows};

/// Messages of a connection that can be outstanding.
pub const SLOTS: u8 = 16;

/// What a command does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum ControlKind {
    /// Closes the connection.
    #[default]
    Close = 0,
    /// Opens it.
    Open = 1,
    /// Seeds the generator of entropy values.
    Seed = 2,
    /// A probe says that the failed path is back.
    PathOk = 3,
}

/// A command for one connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Control {
    /// What it does.
    pub kind: ControlKind,
    /// Open: first PSN, 24 bits.
    pub psn: u32,
    /// Open: class of round-trip time, 2 bits.
    pub class: u8,
    /// Open: entropy value of a connection with a fixed one.
    pub ev: u16,
    /// Seed.
    pub seed: u32,
}

/// The input ports during one clock. The `cfg_*` ports are set by [`Clocked::set_csr`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// Synchronous reset.
    pub rst: bool,
    /// The time in ticks.
    pub now: u32,
    /// `s_axis_work`: connection and work request.
    pub work: Option<(u32, Work)>,
    /// `s_axis_acknowledgement`
    pub acknowledgement: Option<(u32, Acknowledgement)>,
    /// `s_axis_control`
    pub control: Option<(u32, Control)>,
    /// `m_axis_fetch_tready`
    pub fetch_ready: bool,
    /// `m_axis_order_tready`
    pub order_ready: bool,
    /// `m_axis_sent_tready`
    pub sent_ready: bool,
}

/// The output ports during one clock. All are registers or functions of registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// `s_axis_work_tready`
    pub work_ready: bool,
    /// `s_axis_acknowledgement_tready`
    pub acknowledgement_ready: bool,
    /// `s_axis_control_tready`
    pub control_ready: bool,
    /// `m_axis_fetch`: DMA read requests.
    pub fetch: Offer<Place>,
    /// `m_axis_order`: packets to transmit.
    pub order: Offer<Order>,
    /// `m_axis_sent`: completions.
    pub sent: Offer<Sent>,
    /// The counters.
    pub counters: Counters,
}

/// The `stat_*` ports, all saturating.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// `stat_sack_tx_not_open_events`
    pub sack_tx_not_open_events: u32,
    /// `stat_sack_tx_never_sent`
    pub sack_tx_never_sent: u32,
    /// `stat_sack_tx_stale`
    pub sack_tx_stale: u32,
    /// `stat_sack_tx_refused`
    pub sack_tx_refused: u32,
    /// `stat_smartt_not_open_events`
    pub smartt_not_open_events: u32,
    /// `stat_reps_not_open_events`
    pub reps_not_open_events: u32,
    /// `stat_posted`: work requests posted as messages.
    pub posted: u32,
    /// `stat_refused`: completions of work requests that were refused.
    pub refused: u32,
    /// `stat_orders`: orders handed out.
    pub orders: u32,
}

/// The work requests of all slots, by connection.
type Messages = Vec<[Work; SLOTS as usize]>;

/// Payload bytes of a full packet, as 14 bits hold them.
fn mtu(mtu_shift: u8) -> u16 {
    (1u32 << (mtu_shift & 15) & 0x3FFF) as u16
}

/// `weft_sender`, clock for clock.
#[derive(Clone, Debug)]
pub struct Clocked {
    params: SackParams,
    csr: SenderCsr,
    /// The next connection that the sweep after reset clears; `connections` when it is done.
    sweep: u32,
    intake: Intake,
    messages: Messages,
    events: Events,
    sack_tx: sack_tx::Clocked,
    dispatch: Dispatch,
    entries: Fifo<Entry>,
    packets: Packets,
    paths: Paths,
    reps: reps::Clocked,
    orders: Orders,
    congestion: Congestion,
    smartt: smartt::Clocked,
    windows: Windows,
    ended: Fifo<Ending>,
    endings: Endings,
    outputs: Outputs,
}

/// The transport's registers: its MTU follows from the shift.
fn transport(csr: &SenderCsr) -> weft_params::SackTxCsr {
    weft_params::SackTxCsr { mtu_bytes: mtu(csr.mtu_shift).into(), ..csr.sack }
}

impl Clocked {
    /// A block in its first clock after one with `rst`.
    pub fn new(params: SackParams, csr: SenderCsr) -> Self {
        let connections = params.connections;
        let reps = RepsParams { connections, depth: 8, ev_width: 16 };
        Self {
            params,
            csr,
            sweep: 0,
            intake: Intake::new(connections),
            messages: vec![Default::default(); connections as usize],
            events: Events::default(),
            sack_tx: sack_tx::Clocked::new(params, transport(&csr)),
            dispatch: Dispatch::new(connections),
            entries: Fifo::new(5),
            packets: Packets::new(connections),
            paths: Paths::new(),
            reps: reps::Clocked::new(reps, csr.reps),
            orders: Orders::new(),
            congestion: Congestion::new(),
            smartt: smartt::Clocked::new(SmarttParams { connections }, csr.smartt),
            windows: Windows::new(connections),
            ended: Fifo::new(4),
            endings: Endings::default(),
            outputs: Outputs::default(),
        }
    }

    /// Sets the `cfg_*` ports. They must not change while anything is outstanding.
    pub fn set_csr(&mut self, csr: SenderCsr) {
        self.csr = csr;
        self.sack_tx.set_csr(transport(&csr));
        self.reps.set_csr(csr.reps);
        self.smartt.set_csr(csr.smartt);
    }

    /// The transport inside. As the next two it runs ahead of the ports by its pipeline.
    pub fn sack_tx(&self) -> &sack_tx::SackTx {
        self.sack_tx.tx()
    }

    /// The congestion windows inside.
    pub fn smartt(&self) -> &smartt::Smartt {
        self.smartt.smartt()
    }

    /// The choice of paths inside.
    pub fn reps(&self) -> &reps::Reps {
        self.reps.reps()
    }

    /// The output ports before the next clock edge.
    #[inline]
    pub fn outputs(&self) -> &Outputs {
        &self.outputs
    }

    /// A clock edge with these inputs.
    pub fn clock(&mut self, inputs: &Inputs) {
        if inputs.rst {
            *self = Self::new(self.params, self.csr);
            return;
        }
        let now = inputs.now;
        let shift = self.csr.mtu_shift & 15;
        let offered = self.outputs;

        // What the parts offer each other before the edge.
        let aside = self.events.aside();
        let judged = self.intake.post();
        let refusal = self.intake.refusal();
        let outcome = *self.sack_tx.outputs();
        let decision = *self.reps.outputs();
        let answer = *self.smartt.outputs();
        let sources = Sources {
            window: self.windows.offered(),
            post: judged,
            acknowledgement: inputs.acknowledgement.filter(|_| offered.acknowledgement_ready),
            control: inputs.control.filter(|_| offered.control_ready),
            aside_taken: decision.event_ready,
            taken: outcome.event_ready,
        };
        let choice = self.events.choice(&sources);
        let event = self.events.offered();
        let outcome_ready = self.dispatch.ready();
        let room = self.entries.level() < 16 && self.paths.room() && self.congestion.room();
        let entry = self.entries.offered().filter(|_| self.packets.ready());
        let packet_room = self.orders.packet_room() && self.ended.level() < 8;
        let ending_taken = self.endings.take(self.ended.offered(), self.orders.handed());
        let ending = ending_taken.flatten();
        let refused = refusal.filter(|_| ending_taken == Some(None));
        let done = self.endings.done(inputs.sent_ready);
        let news_event = self.paths.event(aside);
        let feedback_event = self.congestion.event(shift);
        let ev_room = self.orders.ev_room();
        let chosen = decision.decision_valid && ev_room && decision.decision_user & 7 == 0;
        let answered = answer.window_valid && windows::answers(answer.window_user);

        // Counters.
        let count = |counter: &mut u32, one: bool| *counter = counter.saturating_add(one.into());
        let counters = &mut self.outputs.counters;
        count(&mut counters.posted, choice == Choice::Post);
        count(
            &mut counters.refused,
            offered.sent.valid && inputs.sent_ready && offered.sent.word.status == Status::Refused,
        );
        count(&mut counters.orders, offered.order.valid && inputs.order_ready);

        // The edge.
        if let Some(judged) = judged.filter(|_| choice == Choice::Post) {
            self.messages[judged.connection as usize][usize::from(judged.slot)] = judged.work;
        }
        let work = inputs.work.filter(|_| offered.work_ready);
        self.intake.clock(work, done, choice == Choice::Post || refused.is_some(), shift);
        let classes = self.csr.smartt.classes;
        self.events.clock(&sources, now, &classes);
        let tx = sack_tx::Inputs { outcome_ready, ..Default::default() };
        let tx = event.map_or(tx, |event| tx.with_event(&event));
        self.sack_tx.clock(&sack_tx::Inputs { now: now & 0xFF_FFFF, ..tx });
        let taken = (outcome.outcome_valid && outcome_ready).then_some(Outcome {
            connection: outcome.outcome_id,
            data: outcome.outcome_data,
            user: outcome.outcome_user,
        });
        let meaning = self.dispatch.clock(taken, now, self.csr.idle_ticks, room);
        let (packet, over) = self.packets.clock(entry, &self.messages, shift, packet_room);
        self.entries.clock(meaning.entry, true, false, entry.is_some());
        self.ended.clock(over, true, false, ending.is_some());
        let refusal = refused.map(|judged| (judged.connection, judged.work.id));
        self.endings.clock(ending, refusal, inputs.sent_ready, &self.messages);
        self.reps.clock(&reps::Inputs { now, decision_ready: ev_room, ..news_event });
        self.paths.clock(meaning.news, decision.event_ready && aside.is_none());
        let ev = chosen.then_some(decision.decision_data);
        self.orders.clock(packet, ev, inputs.order_ready, inputs.fetch_ready);
        self.smartt.clock(&smartt::Inputs { now: now & 0xF_FFFF, window_ready: true, ..feedback_event });
        self.congestion.clock(meaning.feedback, answer.event_ready);
        let answered = answered
            .then_some(Allowance { connection: answer.window_id, bytes: answer.window_data & 0x3FF_FFFF });
        self.windows.clock(answered, choice == Choice::Window);
        self.sweep = (self.sweep + 1).min(self.params.connections);
        self.offer();
    }

    fn offer(&mut self) {
        let swept = self.sweep == self.params.connections;
        let (transport, window, paths) = (self.sack_tx.outputs(), self.smartt.outputs(), self.reps.outputs());
        self.outputs = Outputs {
            work_ready: swept && self.intake.ready(),
            acknowledgement_ready: swept && self.events.acknowledgement_ready(),
            control_ready: swept && self.events.control_ready(),
            fetch: self.orders.fetch(),
            order: self.orders.order(),
            sent: self.endings.sent(),
            counters: Counters {
                sack_tx_not_open_events: transport.not_open_events,
                sack_tx_never_sent: transport.never_sent,
                sack_tx_stale: transport.stale,
                sack_tx_refused: transport.refused,
                smartt_not_open_events: window.not_open_events,
                reps_not_open_events: paths.not_open_events,
                ..self.outputs.counters
            },
        };
    }
}
