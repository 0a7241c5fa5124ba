//! The receiver of the transport with each window that a NIC can have. The shapes differ in widths only: all have the
//! rules of [`SackRx`].

use super::clocked::{Clocked, Inputs, Outputs};
use super::transaction::{Event, Outcome, SackRx};
use crate::part::ahead::Ask;
use weft_params::{SackParams, SackRxCsr};

/// [`SackRx`] with a window that is chosen when it is made.
#[derive(Clone, Debug)]
pub enum Shaped {
    /// 256 PSNs.
    P256(SackRx),
    /// 512 PSNs.
    P512(SackRx<9, 10, 4>),
    /// 1,024 PSNs.
    P1024(SackRx<10, 11, 8>),
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
    pub fn new(params: SackParams, psns: u32, csr: SackRxCsr) -> Self {
        match psns {
            256 => Self::P256(SackRx::new(params, csr)),
            512 => Self::P512(SackRx::new(params, csr)),
            1_024 => Self::P1024(SackRx::new(params, csr)),
            _ => panic!("no window of {psns} PSNs"),
        }
    }

    /// The block with the usual window, which it must have.
    pub fn usual(&self) -> &SackRx {
        match self {
            Self::P256(usual) => usual,
            _ => panic!("this receiver was made with another window"),
        }
    }

    /// Asks for the memory of a connection.
    #[inline]
    pub(crate) fn ahead(&self, connection: u32, memory: &impl Ask) {
        of!(self, it => it.ahead(connection, memory));
    }

    /// Sets the CSRs from the next event on.
    pub fn set_csr(&mut self, csr: SackRxCsr) {
        of!(self, it => it.set_csr(csr));
    }

    /// Handles one event.
    #[inline(always)]
    pub fn step(&mut self, event: &Event) -> Outcome {
        of!(self, it => it.step(event))
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
    pub fn new(params: SackParams, psns: u32, csr: SackRxCsr) -> Self {
        match psns {
            256 => Self::P256(Clocked::new(params, csr)),
            512 => Self::P512(Clocked::new(params, csr)),
            1_024 => Self::P1024(Clocked::new(params, csr)),
            _ => panic!("no window of {psns} PSNs"),
        }
    }

    /// The transaction view inside, which must have the usual window; it runs ahead of the ports by the pipeline.
    pub fn usual(&self) -> &SackRx {
        match self {
            Self::P256(usual) => usual.rx(),
            _ => panic!("this receiver was made with another window"),
        }
    }

    /// Sets the CSRs from the next event on.
    pub fn set_csr(&mut self, csr: SackRxCsr) {
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
