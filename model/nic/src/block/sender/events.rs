//! The events of the transport: failures and windows first, then in turns acknowledgements and the rest, which
//! is commands and then messages.

use super::state::{Control, ControlKind};
use super::step::{
    Allowance, Judged, age, largest, of_acknowledgement, of_command, of_failure, of_post, of_window,
};
use crate::block::sack_tx::Event;
use crate::words::{Acknowledgement, Status};
use weft_params::SmarttClass;

/// The sources of the events of a clock.
pub(super) struct Sources {
    /// A connection has failed at this end.
    pub(super) failure: Option<(u32, Status)>,
    pub(super) window: Option<Allowance>,
    pub(super) post: Option<Judged>,
    pub(super) acknowledgement: Option<(u32, Acknowledgement)>,
    pub(super) control: Option<(u32, Control)>,
    /// The command of [`Events::aside`] is accepted.
    pub(super) aside_taken: bool,
    /// A drain is carried out.
    pub(super) drain_over: bool,
    /// All work requests from before a close are posted (rule 15).
    pub(super) idle: bool,
    /// The closing connection has no state left.
    pub(super) closed: bool,
    /// The event is accepted.
    pub(super) taken: bool,
}

/// The source that becomes an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    None,
    Failure,
    Window,
    Acknowledgement,
    Command,
    Post,
}

/// The events.
#[derive(Clone, Debug, Default)]
pub(super) struct Events {
    /// A connection has failed at this end.
    failure: Option<(u32, Status)>,
    /// An acknowledgement, and the ticks since the departure of the answered packet.
    acknowledgement: Option<(u32, Acknowledgement, u16)>,
    /// The offered command that was not accepted yet, with the window with which an open begins.
    control: Option<(u32, Control, u32)>,
    /// The command is a close that the transport got.
    told: bool,
    /// The acknowledgement arrived before the command.
    acknowledged: bool,
    /// An acknowledgement had the last turn: now the rest has its turn.
    turn: bool,
    event: Option<Event>,
}

impl Events {
    /// Whether a failure is accepted.
    pub(super) fn failure_ready(&self) -> bool {
        self.failure.is_none()
    }

    /// Whether an acknowledgement is accepted.
    pub(super) fn acknowledgement_ready(&self) -> bool {
        self.acknowledgement.is_none()
    }

    /// Whether the command is accepted: a close when the NIC has no state of the connection any more, any
    /// other command in its turn.
    pub(super) fn control_ready(&self, sources: &Sources) -> bool {
        let aside = sources.aside_taken && self.aside().is_some();
        aside
            || sources.drain_over
            || sources.closed
            || self.closing().is_none() && self.choice(sources) == Choice::Command
    }

    /// The connection that closes.
    pub(super) fn closing(&self) -> Option<u32> {
        self.control
            .filter(|(_, control, _)| control.kind == ControlKind::Close)
            .map(|(connection, ..)| connection)
    }

    /// The connection that is to drain.
    pub(super) fn drains(&self) -> Option<u32> {
        self.control.filter(|(_, control, _)| control.kind == ControlKind::Drain).map(|(id, ..)| id)
    }

    /// The connection that stops draining, because it is opened or closed.
    pub(super) fn clears(&self) -> Option<u32> {
        let (connection, control, _) = self.control?;
        let closes = control.kind == ControlKind::Close && self.told;
        (closes || control.kind == ControlKind::Open).then_some(connection)
    }

    /// The transport got the close of the connection.
    pub(super) fn told(&self) -> bool {
        self.told
    }

    /// The event that is offered.
    pub(super) fn offered(&self) -> Option<Event> {
        self.event
    }

    /// A command for the choice of paths.
    pub(super) fn aside(&self) -> Option<(u32, Control)> {
        self.control
            .filter(|(_, control, _)| matches!(control.kind, ControlKind::Seed | ControlKind::PathOk))
            .map(|(connection, control, _)| (connection, control))
    }

    /// A command for the transport.
    fn for_transport(&self) -> bool {
        let told = |kind| matches!(kind, ControlKind::Close | ControlKind::Open);
        self.control.is_some_and(|(_, control, _)| told(control.kind))
    }

    /// The source that becomes the next event.
    pub(super) fn choice(&self, sources: &Sources) -> Choice {
        // Everything that was accepted before a command stays ahead of the command.
        let waits = self.told || self.acknowledged || self.closing().is_some() && !sources.idle;
        let commanded = self.for_transport() && !waits;
        let rest = self.turn && (commanded || sources.post.is_some());
        if self.event.is_some() && !sources.taken {
            Choice::None
        } else if self.failure.is_some() {
            Choice::Failure
        } else if sources.window.is_some() {
            Choice::Window
        } else if self.acknowledgement.is_some() && !rest {
            Choice::Acknowledgement
        } else if commanded {
            Choice::Command
        } else if sources.post.is_some() {
            Choice::Post
        } else {
            Choice::None
        }
    }

    /// A clock.
    pub(super) fn clock(&mut self, sources: &Sources, now: u32, classes: &[SmarttClass]) {
        let choice = self.choice(sources);
        let over = self.control_ready(sources);
        if self.event.is_none() || sources.taken {
            self.event = self.event_of(choice, sources);
        }
        if matches!(choice, Choice::Acknowledgement | Choice::Command | Choice::Post) {
            self.turn = choice == Choice::Acknowledgement;
        }
        let stays = self.acknowledgement.is_some() && choice != Choice::Acknowledgement;
        self.acknowledged = stays && (self.acknowledged || self.control.is_none());
        self.told = !over && (self.told || choice == Choice::Command);
        if self.control.is_none() {
            self.control = sources
                .control
                .map(|(connection, control)| (connection, control, largest(classes, control.class)));
        } else if over {
            self.control = None;
        }
        if self.failure.is_none() {
            self.failure = sources.failure;
        } else if choice == Choice::Failure {
            self.failure = None;
        }
        if self.acknowledgement.is_none() {
            self.acknowledgement =
                sources.acknowledgement.map(|(connection, ack)| (connection, ack, age(&ack, now)));
        } else if choice == Choice::Acknowledgement {
            self.acknowledgement = None;
        }
    }

    fn event_of(&self, choice: Choice, sources: &Sources) -> Option<Event> {
        match choice {
            Choice::None => None,
            Choice::Failure => self.failure.map(|(connection, cause)| of_failure(connection, cause)),
            Choice::Window => sources.window.as_ref().map(of_window),
            Choice::Acknowledgement => {
                self.acknowledgement.map(|(connection, ack, age)| of_acknowledgement(connection, &ack, age))
            }
            Choice::Command => {
                self.control.map(|(connection, control, window)| of_command(connection, &control, window))
            }
            Choice::Post => sources.post.as_ref().map(of_post),
        }
    }
}
