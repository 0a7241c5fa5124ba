//! Catalogue of the blocks, one row each, for code that emits, runs or proves blocks.

use crate::block;
use crate::emit::{EmitError, Module};
use weft_params::{
    NicParams, NsccParams, ParamError, RepsParams, SackParams, SenderParams, SmarttParams, WindowAlgorithm,
    check_bypass_user, check_psns,
};

/// Values that are fixed when a block is emitted. A block has some of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Connections with state in block RAM.
    pub connections: u32,
    /// Entropy values cached per connection.
    pub depth: u32,
    /// Bits of an entropy value.
    pub ev_width: u32,
    /// Bits of the NIC's streams.
    pub width: u32,
    /// Bits of `tuser` that pass with frames of other software, plus the bit that marks a bad frame.
    pub bypass_user: u32,
    /// The algorithm of the congestion windows.
    pub window: WindowAlgorithm,
    /// PSNs of a window.
    pub psns: u32,
}

impl Default for Shape {
    fn default() -> Self {
        let RepsParams { connections, depth, ev_width } = RepsParams::default();
        let NicParams { width, bypass_user, window, psns, .. } = NicParams::default();
        Self { connections, depth, ev_width, width, bypass_user, window, psns }
    }
}

impl Shape {
    /// The default shape with `connections` connections.
    pub fn of(connections: u32) -> Self {
        Self { connections, ..Self::default() }
    }

    /// The shape of REPS.
    pub fn reps(&self) -> RepsParams {
        RepsParams { connections: self.connections, depth: self.depth, ev_width: self.ev_width }
    }

    /// The shape of SMaRTT.
    pub fn smartt(&self) -> SmarttParams {
        SmarttParams { connections: self.connections }
    }

    /// The shape of NSCC.
    pub fn nscc(&self) -> NsccParams {
        NsccParams { connections: self.connections }
    }

    /// The shape of the blocks that have no parameter but their connections.
    pub fn sack(&self) -> SackParams {
        SackParams { connections: self.connections }
    }

    /// The shape of the sender.
    pub fn sender(&self) -> SenderParams {
        SenderParams { connections: self.connections, window: self.window, psns: self.psns }
    }

    /// The shape of the NIC.
    pub fn nic(&self) -> NicParams {
        let Self { connections, width, bypass_user, window, psns, .. } = *self;
        NicParams { connections, width, bypass_user, window, psns }
    }

    /// The value of a parameter.
    pub fn value(&self, parameter: &str) -> Option<u32> {
        match parameter {
            "connections" => Some(self.connections),
            "depth" => Some(self.depth),
            "ev-width" => Some(self.ev_width),
            "width" => Some(self.width),
            "bypass-user" => Some(self.bypass_user),
            "psns" => Some(self.psns),
            _ => None,
        }
    }

    fn connections(&self) -> String {
        format!("{} connections", self.connections)
    }

    /// The words of a block whose PSNs have a window.
    fn with_psns(&self) -> String {
        self.and_psns(self.connections())
    }

    /// These words, and those of a window that is not the usual one.
    fn and_psns(&self, words: String) -> String {
        if self.psns == SackParams::WINDOW {
            words
        } else {
            format!("{words}, windows of {} PSNs", self.psns)
        }
    }

    fn check_psns(&self) -> Result<(), ParamError> {
        self.sack().check()?;
        check_psns(self.psns)
    }

    /// The words of a block with a window; `words` describes everything else.
    fn with_window(&self, words: String) -> String {
        match self.window {
            WindowAlgorithm::Smartt => words,
            WindowAlgorithm::Nscc => format!("{words}, NSCC"),
        }
    }
}

/// A parameter of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Name of the parameter.
    pub name: &'static str,
    /// Values that the parameter can have.
    pub values: &'static [u32],
}

const CONNECTIONS: Parameter = Parameter { name: "connections", values: &weft_params::CONNECTIONS };
const DEPTH: Parameter = Parameter { name: "depth", values: &[4, 8, 16] };
const EV_WIDTH: Parameter = Parameter { name: "ev-width", values: &[8, 12, 16] };
const WIDTH: Parameter = Parameter { name: "width", values: &[128, 256, 512] };
/// Any number from 1 to 128 is valid. Corundum uses three of them: the bad bit alone, with its transmit tag,
/// with its time stamp.
const BYPASS_USER: Parameter = Parameter { name: "bypass-user", values: &[1, 17, 97] };
const PSNS: Parameter = Parameter { name: "psns", values: &weft_params::PSNS };

/// A block.
#[derive(Clone, Copy)]
pub struct Block {
    /// The block's name everywhere.
    pub name: &'static str,
    /// Name of the top module.
    pub top: &'static str,
    /// A description.
    pub what: &'static str,
    /// The block's parameters that are numbers.
    pub parameters: &'static [Parameter],
    /// Whether the algorithm of congestion windows is a parameter.
    pub has_window: bool,
    /// The block's shape in words.
    pub words: fn(&Shape) -> String,
    /// Refuses a shape that the block cannot have.
    pub check: fn(&Shape) -> Result<(), ParamError>,
    /// Verilog of the block for one of its shapes.
    pub emit: fn(&Shape) -> Result<Vec<Module>, EmitError>,
}

/// A block whose only parameters are its number of connections and the PSNs of a window.
macro_rules! of_connections {
    ($name:ident, $what:literal) => {
        Block {
            name: stringify!($name),
            top: concat!("weft_", stringify!($name)),
            what: $what,
            parameters: &[CONNECTIONS, PSNS],
            has_window: false,
            words: Shape::with_psns,
            check: Shape::check_psns,
            emit: |shape| block::$name::emit_with(&shape.sack(), shape.psns),
        }
    };
}

/// A block through which frames of other software pass.
macro_rules! of_frames {
    ($name:ident, $what:literal) => {
        Block {
            parameters: &[CONNECTIONS, BYPASS_USER, PSNS],
            check: |shape| {
                shape.check_psns()?;
                check_bypass_user(shape.bypass_user)
            },
            emit: |shape| block::bypass_user::$name(&shape.sack(), shape.psns, shape.bypass_user),
            ..of_connections!($name, $what)
        }
    };
}

/// All blocks, in the order in which they are emitted.
pub const BLOCKS: &[Block] = &[
    Block {
        name: "reps",
        top: "weft_reps",
        what: "REPS entropy buffer",
        parameters: &[CONNECTIONS, DEPTH, EV_WIDTH],
        has_window: false,
        words: |shape| {
            let Shape { connections, depth, ev_width, .. } = shape;
            format!("{connections} connections of {depth} entropy values of {ev_width} bits")
        },
        check: |shape| shape.reps().check(),
        emit: |shape| block::reps::emit(&shape.reps()),
    },
    Block {
        name: "smartt",
        top: "weft_smartt",
        what: "SMaRTT congestion window",
        parameters: &[CONNECTIONS],
        has_window: false,
        words: Shape::connections,
        check: |shape| shape.smartt().check(),
        emit: |shape| block::smartt::emit(&shape.smartt()),
    },
    Block {
        name: "nscc",
        top: "weft_nscc",
        what: "NSCC congestion window",
        parameters: &[CONNECTIONS],
        has_window: false,
        words: Shape::connections,
        check: |shape| shape.nscc().check(),
        emit: |shape| block::nscc::emit(&shape.nscc()),
    },
    of_connections!(sack_rx, "Receiver of the out-of-order transport"),
    of_connections!(sack_tx, "Sender of the out-of-order transport"),
    of_frames!(ingress, "From frames of the network to packets"),
    of_connections!(receiver, "From packets to memory and messages"),
    Block {
        name: "sender",
        top: "weft_sender",
        what: "From work requests to packets",
        parameters: &[CONNECTIONS, PSNS],
        has_window: true,
        words: |shape| shape.with_window(shape.with_psns()),
        check: |shape| shape.sender().check(),
        emit: |shape| block::sender::emit(&shape.sender()),
    },
    of_frames!(egress, "From packets to frames for the network"),
    of_connections!(registers, "Registers behind AXI4-Lite"),
    Block {
        name: "nic",
        top: "weft_nic",
        what: "Packet-spraying NIC",
        parameters: &[CONNECTIONS, WIDTH, BYPASS_USER, PSNS],
        has_window: true,
        words: |shape| {
            shape.and_psns(shape.with_window(format!("{}, {} bits", shape.connections(), shape.width)))
        },
        check: |shape| shape.nic().check(),
        emit: |shape| block::nic::emit(&shape.nic()),
    },
];

/// The block of this name.
pub fn named(name: &str) -> Option<&'static Block> {
    BLOCKS.iter().find(|block| block.name == name)
}
