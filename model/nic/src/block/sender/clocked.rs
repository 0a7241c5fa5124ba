//! The clocked view: the ports of `weft_sender` and their values on every clock, around the clocked views of the
//! transport, REPS and the congestion window.
//!
//! The pipelines never stall: an event that enters a pipeline has space behind it. So this model computes
//! each event at once and then delays the result.

use super::closing::{Closing, Steps};
use super::dispatch::Dispatch;
use super::drains::Drains;
use super::endings::Endings;
use super::events::{Choice, Events, Sources};
use super::feeders::{Congestion, Paths};
use super::intake::{self, Intake};
use super::lists::Lists;
use super::notes::{self, Entry, Heard};
use super::orders::Orders;
use super::packets::{Ending, Packets};
use super::state::{Control, Counters, Messages};
use super::step::{Allowance, ahead, answers, answers_close, mtu, transport};
use super::windows::Windows;
use crate::block::window::{self, Clocked as Window};
use crate::block::{reps, sack_tx, smartt};
use crate::part::fence::Fence;
use crate::part::fifo::Fifo;
use crate::words::{Acknowledgement, Offer, Order, Passed, Place, Sent, Status, Work};
use weft_params::{RepsParams, SackParams, SenderCsr, SenderParams};

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
    /// `s_axis_failure`: a connection has failed at this end: `Breach` or `Broken`.
    pub failure: Option<(u32, Status)>,
    /// `m_axis_fetch_tready`
    pub fetch_ready: bool,
    /// `m_axis_order_tready`
    pub order_ready: bool,
    /// `m_axis_sent_tready`
    pub sent_ready: bool,
    /// `m_axis_freeze_tready`
    pub freeze_ready: bool,
    /// `m_axis_drained_tready`
    pub drained_ready: bool,
    /// `m_axis_failed_tready`
    pub failed_ready: bool,
    /// `query`: the connection that software queries.
    pub query: u32,
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
    /// `s_axis_failure_tready`
    pub failure_ready: bool,
    /// `m_axis_fetch`: DMA read requests.
    pub fetch: Offer<Place>,
    /// `m_axis_order`: packets to transmit.
    pub order: Offer<Order>,
    /// `m_axis_passed`: packets that need not be sent any more; always accepted.
    pub passed: Offer<Passed>,
    /// `m_axis_sent`: completions.
    pub sent: Offer<Sent>,
    /// `m_axis_freeze`: a freeze began (`true`) or ended (rule 17).
    pub freeze: Offer<bool>,
    /// `m_axis_drained`: a draining connection has no outstanding work.
    pub drained: Offer<()>,
    /// `m_axis_failed`: a connection gave up, or its peer denied a packet (`true`).
    pub failed: Offer<bool>,
    /// `window_view`: the view of software, low word first.
    pub window: [u64; 2],
    /// The counters.
    pub counters: Counters,
}

/// `weft_sender`, clock for clock.
#[derive(Clone, Debug)]
pub struct Clocked {
    shape: SenderParams,
    csr: SenderCsr,
    /// The next connection that the sweep after reset clears; `connections` when it is done (rule 1).
    sweep: u32,
    intake: Intake,
    messages: Messages,
    events: Events,
    sack_tx: sack_tx::ShapedClocked,
    /// SENDs that entered the transport, less those without effect, modulo 256.
    begun: u8,
    dispatch: Dispatch,
    lists: Lists,
    entries: Fifo<Entry>,
    packets: Packets,
    paths: Paths,
    reps: reps::Clocked,
    freezes: Fifo<(u32, bool)>,
    /// The decision of REPS is accepted: there was space in the previous clock.
    decides: bool,
    freezes_fence: Fence,
    /// Connections that failed, until the report is accepted.
    failed: Fifo<(u32, bool)>,
    orders: Orders,
    drains: Drains,
    congestion: Congestion,
    window: Window,
    windows: Windows,
    ended: Fifo<Ending>,
    endings: Endings,
    closing: Closing,
    /// The counters of losses, paths, windows and round-trip times are reset at the next edge.
    clears: bool,
    outputs: Outputs,
}

impl Clocked {
    /// A block in its first clock after one with `rst`.
    pub fn new(params: SackParams, csr: SenderCsr) -> Self {
        Self::of_shape(params.into(), csr)
    }

    /// A block of this shape in its first clock after one with `rst`.
    pub fn of_shape(shape: SenderParams, csr: SenderCsr) -> Self {
        let SenderParams { connections, window: algorithm, psns } = shape;
        let reps = RepsParams { connections, depth: 8, ev_width: 16 };
        Self {
            shape,
            csr,
            sweep: 0,
            intake: Intake::new(connections),
            messages: vec![Default::default(); connections as usize],
            events: Events::default(),
            sack_tx: sack_tx::ShapedClocked::new(shape.blocks(), psns, transport(&csr)),
            begun: 0,
            dispatch: Dispatch::new(connections, psns),
            lists: Lists::new(),
            entries: Fifo::new(5),
            packets: Packets::new(connections, psns),
            paths: Paths::new(),
            reps: reps::Clocked::new(reps, csr.reps),
            freezes: Fifo::new(4),
            decides: true,
            freezes_fence: Fence::default(),
            failed: Fifo::new(4),
            orders: Orders::new(),
            drains: Drains::new(connections),
            congestion: Congestion::new(psns),
            window: Window::new(algorithm, connections, csr.smartt),
            windows: Windows::new(connections),
            ended: Fifo::new(4),
            endings: Endings::default(),
            closing: Closing::default(),
            clears: false,
            outputs: Outputs::default(),
        }
    }

    /// Sets the `cfg_*` ports. CSRs must not change while work is outstanding.
    pub fn set_csr(&mut self, csr: SenderCsr) {
        self.csr = csr;
        self.sack_tx.set_csr(transport(&csr));
        self.reps.set_csr(csr.reps);
        self.window.set_csr(csr.smartt);
    }

    /// The transport inside, which must have the usual window. Like the next two blocks, it runs ahead of the ports by its pipeline.
    pub fn sack_tx(&self) -> &sack_tx::SackTx {
        self.sack_tx.usual()
    }

    /// The congestion windows inside, which must be SMaRTT's.
    pub fn smartt(&self) -> &smartt::Smartt {
        match &self.window {
            Window::Smartt(smartt) => smartt.smartt(),
            Window::Nscc(_) => panic!("the windows of this sender are NSCC's"),
        }
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
        let clears = std::mem::replace(&mut self.clears, inputs.rst);
        self.edge(inputs);
        if clears {
            self.outputs.counters.reset_late(&Counters::default());
        }
        if inputs.rst {
            let counters = self.outputs.counters;
            let fresh = Self::of_shape(self.shape, self.csr);
            *self = Self { clears: true, ..fresh };
            self.outputs.counters.reset_late(&counters);
        }
    }

    /// A clock edge without reset.
    fn edge(&mut self, inputs: &Inputs) {
        let now = inputs.now;
        let shift = self.csr.mtu_shift & 15;
        let offered = self.outputs;

        // The offers between the parts before the edge.
        let aside = self.events.aside();
        let judged = self.intake.post();
        let refusal = self.intake.refusal();
        let outcome = *self.sack_tx.outputs();
        let decision = *self.reps.outputs();
        let answer = *self.window.outputs();
        let sources = Sources {
            failure: inputs.failure.filter(|_| self.swept()),
            acknowledgement: inputs.acknowledgement.filter(|_| offered.acknowledgement_ready),
            control: inputs.control.filter(|_| self.swept()),
            ..self.sources()
        };
        let choice = self.events.choice(&sources);
        let event = self.events.offered();
        let outcome_ready = self.dispatch.ready();
        let room = self.entries.level() < 16
            && self.paths.room()
            && self.congestion.room()
            && self.failed.level() < 8;
        let entry = self.entries.offered().filter(|_| self.packets.ready());
        let behind = self.packets.behind(self.ended.offered());
        let packet_room = self.orders.packet_room() && self.ended.level() < 8 && !behind;
        let telling = self.drains.left();
        let ending_taken = self.endings.take(self.ended.offered(), self.orders.handed(), telling);
        let ending = ending_taken.flatten();
        let refused = refusal.filter(|_| ending_taken == Some(None));
        let done = self.endings.done(inputs.sent_ready);
        let closing = self.events.closing().filter(|_| self.events.told());
        let paths_turn = decision.event_ready && aside.is_none();
        let news_event = self.paths.event(aside, self.lists.entry());
        let feedback_event = self.congestion.event(shift);
        let room_to_decide = self.orders.ev_room() && self.freezes.level() < 8;
        let decides = std::mem::replace(&mut self.decides, room_to_decide);
        let decided = decision.decision_valid && decides;
        let chosen = decided && decision.decision_user & 7 == 0;
        let closed = decided && decision.decision_user & 7 == reps::Kind::Close as u8;
        let turned = (decided && decision.decision_user & 1 << 7 != 0)
            .then_some((decision.decision_id, decision.decision_user & 1 << 6 != 0));
        let answered = answer.window_valid && answers(answer.window_user);
        let answer_close = Some(answer.window_id).filter(|_| answer.window_valid);
        let answer_close = answer_close.and_then(|id| answers_close(id, answer.window_user));
        let boxed = self.closing.boxed(closing, answer_close);
        let steps = Steps {
            paths: closed.then_some(decision.decision_id),
            answer: answer_close,
            window: self.windows.closed(),
            ended: self.endings.closed(ending, inputs.sent_ready),
            unsaid: self.unsaid(),
        };

        // Counters.
        let count = |counter: &mut u32, one: bool| *counter = counter.wrapping_add(one.into());
        let counters = &mut self.outputs.counters;
        count(&mut counters.posted, choice == Choice::Post);
        count(
            &mut counters.refused,
            offered.sent.valid && inputs.sent_ready && offered.sent.word.status == Status::Refused,
        );
        if offered.order.valid && inputs.order_ready {
            counters.ordered(offered.order.word.again);
        }
        if decided {
            counters.decided(decision.decision_user);
        }
        if answered {
            counters.window(answer.window_user, answer.window_data & 0x3FF_FFFF, mtu(shift));
        }

        // The edge.
        if let Some(judged) = judged.filter(|_| choice == Choice::Post) {
            self.messages[judged.connection as usize][usize::from(judged.slot)] = judged.work;
        }
        let work = inputs.work.filter(|_| offered.work_ready);
        let write = self.events.clears().map(|id| (id, None)).or(self.intake.mark());
        let draining = self.drains.draining(self.intake.connection(), write);
        let tells = self.drains.tells(done);
        let settled = self.intake.settled().filter(|_| !telling && tells.is_none());
        let steps_in = intake::Steps {
            work,
            done,
            taken: choice == Choice::Post || refused.is_some(),
            drains: self.events.drains(),
            draining,
            settled: settled.is_some(),
            telling,
        };
        self.intake.clock(&steps_in, shift);
        self.drains.clock(write, tells, settled, inputs.drained_ready);
        let classes = self.csr.smartt.classes;
        self.events.clock(&sources, now, &classes);
        let hold = self.begun.wrapping_sub(self.orders.handed()) >= ahead(shift);
        let tx = sack_tx::Inputs { outcome_ready, hold, query: inputs.query, ..Default::default() };
        let tx = event.map_or(tx, |event| tx.with_event(&event));
        self.sack_tx.clock(&sack_tx::Inputs { now: now & 0xFF_FFFF, ..tx });
        let taken = (outcome.outcome_valid && outcome_ready)
            .then(|| notes::outcome(outcome.outcome_id, outcome.outcome_data, outcome.outcome_user));
        let heard = taken.map(|outcome| Heard::of(outcome, self.lists.count()));
        let meaning = self.dispatch.clock(heard, now, &self.csr, room);
        self.begun = self.begun.wrapping_add(outcome.sends.into()).wrapping_sub(meaning.void.into());
        self.outputs.counters.facts(&meaning.facts);
        let failed = meaning.facts.failure().map(|(id, status)| (id, status == Status::Denied));
        self.failed.clock(failed, true, false, inputs.failed_ready);
        let (packet, over) = self.packets.clock(entry, &self.messages, shift, packet_room);
        self.entries.clock(meaning.entry, true, false, entry.is_some());
        self.ended.clock(over, true, false, ending.is_some());
        let refusal = refused.map(|judged| (judged.connection, judged.work.id));
        self.endings.clock(ending, refusal, inputs.sent_ready, &self.messages);
        self.reps.clock(&reps::Inputs { now, decision_ready: decides, ..news_event });
        let entry = paths_turn && self.paths.lists();
        let ack = sources.acknowledgement.as_ref().map(|(_, ack)| ack);
        self.lists.clock(ack, taken.is_some_and(|outcome| outcome.kind == sack_tx::Kind::Ack), entry);
        self.paths.clock(meaning.news, paths_turn);
        let noted = inputs.freeze_ready && self.freezes.offered().is_some();
        self.freezes_fence.clock(turned.is_some(), noted, self.closing.waits_for_freezes());
        self.freezes.clock(turned, true, false, inputs.freeze_ready);
        let ev = chosen.then_some(decision.decision_data);
        self.orders.clock(packet, ev, inputs.order_ready, inputs.fetch_ready);
        self.window.clock(&window::Inputs { now: now & 0xF_FFFF, window_ready: true, ..feedback_event });
        self.congestion.clock(meaning.feedback, answer.event_ready);
        let answered = answered
            .then_some(Allowance { connection: answer.window_id, bytes: answer.window_data & 0x3FF_FFFF });
        self.windows.clock(answered, boxed, choice == Choice::Window);
        self.closing.clock(closing, &steps);
        self.sweep = (self.sweep + 1).min(self.shape.connections);
        self.offer();
    }

    fn swept(&self) -> bool {
        self.sweep == self.shape.connections
    }

    /// The offers of the parts to [`Events`], before inputs from outside.
    fn sources(&self) -> Sources {
        Sources {
            failure: None,
            window: self.windows.offered(),
            post: self.intake.post(),
            acknowledgement: None,
            control: None,
            aside_taken: self.reps.outputs().event_ready,
            taken: self.sack_tx.outputs().event_ready,
            idle: self.intake.idle(),
            drain_over: self.intake.drain_over(self.drains.left()),
            closed: self.closing.over(self.unsaid()),
        }
    }

    /// A report that a close waits for is still due.
    fn unsaid(&self) -> bool {
        self.freezes_fence.ahead() > 0 || self.drains.left() || self.failed.offered().is_some()
    }

    fn offer(&mut self) {
        let swept = self.swept();
        let (transport, window, paths) = (self.sack_tx.outputs(), self.window.outputs(), self.reps.outputs());
        self.outputs = Outputs {
            work_ready: swept && self.intake.ready(self.events.drains()) && self.events.closing().is_none(),
            acknowledgement_ready: swept && self.events.acknowledgement_ready() && self.lists.ready(),
            control_ready: self.events.control_ready(&self.sources()),
            failure_ready: swept && self.events.failure_ready(),
            fetch: self.orders.fetch(),
            order: self.orders.order(),
            passed: self.dispatch.passed(),
            sent: self.endings.sent(),
            freeze: {
                let (id, word) = self.freezes.word();
                Offer { valid: self.freezes.offered().is_some(), id, word }
            },
            drained: {
                let (valid, id) = self.drains.offered();
                Offer { valid, id, word: () }
            },
            failed: {
                let (id, word) = self.failed.word();
                Offer { valid: self.failed.offered().is_some(), id, word }
            },
            window: transport.window,
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
