//! The sender of the transport with each window that a NIC can have. The shapes differ in widths only: all have the
//! rules of [`SackTx`].

use super::clocked::{Clocked, Inputs, Outputs};
use super::event::{Event, Outcome};
use super::found::Found;
use super::state::{Kind, View};
use super::transaction::SackTx;
use crate::part::ahead::Ask;
use weft_params::{SackParams, SackTxCsr};
use weft_word::{Concrete, Word};

/// [`SackTx`] with a window that is chosen when it is made.
#[derive(Clone, Debug)]
pub enum Shaped {
    /// 256 PSNs.
    P256(SackTx),
    /// 512 PSNs.
    P512(SackTx<9, 10, 4>),
    /// 1,024 PSNs.
    P1024(SackTx<10, 11, 8>),
}

/// An expression about the block, whichever window it has.
macro_rules! of {
    ($shaped:expr, $block:ident => $about:expr) => {
        match $shaped {
            Self::P256($block) => $about,
            Self::P512($block) => $about,
            Self::P1024($block) => $about,
        }
    };
}

impl Shaped {
    /// A block after reset with a window of `psns`: 256, 512 or 1,024.
    ///
    /// # Panics
    /// If there is no such window.
    pub fn new(params: SackParams, psns: u32, csr: SackTxCsr) -> Self {
        match psns {
            256 => Self::P256(SackTx::new(params, csr)),
            512 => Self::P512(SackTx::new(params, csr)),
            1_024 => Self::P1024(SackTx::new(params, csr)),
            _ => panic!("no window of {psns} PSNs"),
        }
    }

    /// The block with the usual window, which it must have.
    pub fn usual(&self) -> &SackTx {
        match self {
            Self::P256(usual) => usual,
            _ => panic!("this sender was made with another window"),
        }
    }

    /// Sets the CSRs from the next event on.
    pub fn set_csr(&mut self, csr: SackTxCsr) {
        of!(self, it => it.set_csr(csr));
    }

    /// The CSRs.
    pub fn csr(&self) -> &SackTxCsr {
        of!(self, it => it.csr())
    }

    /// Asks for the memory of a connection.
    #[inline]
    pub(crate) fn ahead(&self, connection: u32, memory: &impl Ask) {
        of!(self, it => it.ahead(connection, memory));
    }

    /// The view of software of a connection.
    pub fn view(&self, connection: u32) -> View<Concrete, 11> {
        of!(self, it => {
            let view = it.flow(connection).view();
            View {
                cwnd: view.cwnd,
                una: view.una,
                next: view.next,
                in_flight: view.in_flight.widen(),
                unacked: view.unacked.widen(),
                epoch: view.epoch,
                timeouts: view.timeouts,
                class: view.class,
            }
        })
    }

    /// The PSNs of a connection that are lost and wait to be sent again, from the oldest on.
    pub fn lost(&self, connection: u32) -> Vec<u32> {
        of!(self, it => {
            let slots = it.rings(connection).lost;
            match slots.any().decide() {
                true => Found::new(&it.flow(connection).published, slots).psns().collect(),
                false => Vec::new(),
            }
        })
    }

    /// The packets that the last event with losses detected; the first call returns them, later calls nothing.
    #[inline]
    pub(crate) fn found(&mut self) -> Option<Found> {
        of!(self, it => it.found())
    }

    /// Handles one event.
    #[inline(always)]
    pub fn step(&mut self, event: &Event) -> Outcome {
        of!(self, it => it.step(event))
    }

    /// Lets the next connection that wants to send do so. `None` if there is none.
    #[inline(always)]
    pub fn send(&mut self, now_ticks: u32) -> Option<Outcome> {
        of!(self, it => it.send(now_ticks))
    }

    /// Lets a connection send out of its turn. `None` if the connection has no packet to send.
    pub fn send_of(&mut self, connection: u32, now_ticks: u32) -> Option<Outcome> {
        of!(self, it => it.send_of(connection, now_ticks))
    }

    /// The due timer event of a connection.
    pub fn due(&self, connection: u32, now_ticks: u32) -> Option<Kind> {
        of!(self, it => it.due(connection, now_ticks))
    }

    /// Ticks until the next timer event of a connection, if its timers run.
    #[inline]
    pub fn due_in(&self, connection: u32, now_ticks: u32) -> Option<u32> {
        of!(self, it => it.due_in(connection, now_ticks))
    }

    /// Handles a timer event of a connection: an epoch, a probe or a timeout.
    pub fn timer(&mut self, connection: u32, kind: Kind, now_ticks: u32) -> Outcome {
        of!(self, it => it.timer(connection, kind, now_ticks))
    }
}

/// [`Clocked`] with a window that is chosen when it is made.
#[derive(Clone, Debug)]
pub enum ShapedClocked {
    /// 256 PSNs.
    P256(Clocked),
    /// 512 PSNs.
    P512(Clocked<9, 10, 4>),
    /// 1,024 PSNs.
    P1024(Clocked<10, 11, 8>),
}

impl ShapedClocked {
    /// A block in its first clock after one with `rst`, with a window of `psns`: 256, 512 or 1,024.
    ///
    /// # Panics
    /// If there is no such window.
    pub fn new(params: SackParams, psns: u32, csr: SackTxCsr) -> Self {
        match psns {
            256 => Self::P256(Clocked::new(params, csr)),
            512 => Self::P512(Clocked::new(params, csr)),
            1_024 => Self::P1024(Clocked::new(params, csr)),
            _ => panic!("no window of {psns} PSNs"),
        }
    }

    /// The transaction view inside, which must have the usual window; it runs ahead of the ports by the pipeline.
    pub fn usual(&self) -> &SackTx {
        match self {
            Self::P256(usual) => usual.tx(),
            _ => panic!("this sender was made with another window"),
        }
    }

    /// Sets the CSRs from the next event on.
    pub fn set_csr(&mut self, csr: SackTxCsr) {
        of!(self, it => it.set_csr(csr));
    }

    /// The output ports before the next clock edge.
    #[inline]
    pub fn outputs(&self) -> &Outputs {
        of!(self, it => it.outputs())
    }

    /// A clock edge with these inputs.
    #[inline]
    pub fn clock(&mut self, inputs: &Inputs) {
        of!(self, it => it.clock(inputs));
    }
}
