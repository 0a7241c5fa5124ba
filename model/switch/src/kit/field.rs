//! The fields that a packet carries through the pipeline.

use std::ops::{Index, IndexMut};

/// A field of the packet header vector (PHV), up to 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Field(pub(crate) u16);

/// The packet header vector: the fields of one packet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Phv(pub(crate) Vec<u64>);

impl Index<Field> for Phv {
    type Output = u64;

    fn index(&self, field: Field) -> &u64 {
        &self.0[usize::from(field.0)]
    }
}

impl IndexMut<Field> for Phv {
    fn index_mut(&mut self, field: Field) -> &mut u64 {
        &mut self.0[usize::from(field.0)]
    }
}

/// The role of a field for the hardware around the stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Set by the parser and the hardware before each pass.
    Given,
    /// Part of the packet: set by the parser, written back by the deparser, kept between passes.
    Header,
    /// Read by the hardware after each pass; 0 before it.
    Asked,
    /// A program's own: 0 before the ingress stages of each pass.
    Own,
    /// A field of the program, kept when the packet is mirrored, resubmitted or recirculated.
    Carried,
}

/// A field's name and width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) name: &'static str,
    pub(crate) bits: u32,
    pub(crate) role: Role,
}

/// The largest value of `bits` bits.
pub(crate) fn mask(bits: u32) -> u64 {
    u64::MAX >> (64 - bits.clamp(1, 64))
}

macro_rules! intrinsic {
    ($($(#[doc = $doc:literal])+ $name:ident $bits:literal $role:ident;)+) => {
        /// The fields of every program: results of the parser, facts from the hardware, and requests to the
        /// hardware.
        pub mod intrinsic {
            use super::{Field, Role, Shape};

            #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
            enum Number { $($name),+ }
            $($(#[doc = $doc])+ pub const $name: Field = Field(Number::$name as u16);)+

            pub(crate) const SHAPES: &[Shape] =
                &[$(Shape { name: stringify!($name), bits: $bits, role: Role::$role }),+];
        }
    };
}

intrinsic! {
    /// Clock in which the packet entered the ingress stages.
    CLOCK 48 Given;
    /// The time in ticks of [`crate::kit::Pipe::clocks_per_tick`].
    TICK 32 Given;
    /// Port by which the packet arrived.
    PORT_IN 9 Given;
    /// The kind of the pass: 0 from a port, 1 resubmitted, 2 recirculated, 3 a mirrored copy (in egress).
    PASS 2 Given;
    /// Bytes of the frame on the wire, without FCS.
    LENGTH 16 Given;
    /// Egress: bytes in the packet's queue when the packet left it, with the packet itself.
    WAITING 32 Given;
    /// 1 for an IP packet. For any other packet 0, and the fields below are 0 as well.
    IS_IP 1 Given;
    /// 1: RoCEv2; 0: the fields of the BTH are 0.
    IS_ROCE 1 Given;
    /// 1: IPv6.
    IS_V6 1 Given;
    /// Source address, upper half (IPv4: 0).
    SRC_HIGH 64 Header;
    /// Source address, lower half; the whole of an IPv4 address.
    SRC 64 Header;
    /// Destination address, upper half (IPv4: 0).
    DST_HIGH 64 Header;
    /// Destination address, lower half; the whole of an IPv4 address.
    DST 64 Header;
    /// DSCP.
    DSCP 6 Header;
    /// ECN: 3 is CE.
    ECN 2 Header;
    /// UDP source port: the entropy value.
    SPORT 16 Header;
    /// UDP destination port.
    DPORT 16 Header;
    /// BTH opcode.
    OPCODE 8 Header;
    /// BTH Resv8a as the host sent it.
    RESV8 8 Header;
    /// BTH Resv7 as the host sent it.
    RESV7 7 Header;
    /// BTH destination queue pair.
    DEST_QP 24 Header;
    /// BTH PSN.
    PSN 24 Header;
    /// 1: the packet carries a ConWeave header.
    CW_VALID 1 Header;
    /// ConWeave: path, 1 to 255.
    CW_PATH 8 Header;
    /// ConWeave: opcode.
    CW_OPCODE 3 Header;
    /// ConWeave: epoch.
    CW_EPOCH 2 Header;
    /// ConWeave: REROUTED.
    CW_REROUTED 1 Header;
    /// ConWeave: TAIL.
    CW_TAIL 1 Header;
    /// ConWeave: TX_TSTAMP.
    CW_TX 16 Header;
    /// ConWeave: TAIL_TX_TSTAMP.
    CW_TAIL_TX 16 Header;
    /// Port to leave by.
    PORT_OUT 9 Asked;
    /// Queue of that port.
    QUEUE 7 Asked;
    /// 1: the packet ends here.
    DROP 1 Asked;
    /// Ingress, 1: the packet enters the ingress stages again in place of leaving.
    RESUBMIT 1 Asked;
    /// 1: a copy of the packet, in its state at the end of the stages, goes to a queue of its own.
    MIRROR 1 Asked;
    /// Port of the copy.
    MIRROR_PORT 9 Asked;
    /// Queue of the copy.
    MIRROR_QUEUE 7 Asked;
    /// Bytes of UDP payload that the copy keeps; 0: all.
    MIRROR_BYTES 16 Asked;
    /// Flow control of a queue: 0 none, 1 pause it, 2 resume it, 3 (ingress) resume it when this packet
    /// leaves its queue.
    AFC 2 Asked;
    /// Port of that queue.
    AFC_PORT 9 Asked;
    /// The queue.
    AFC_QUEUE 7 Asked;
}
