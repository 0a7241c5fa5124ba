//! Values that fields of headers can have, by name.

/// A value with a name that a field can have: one row of a module's `ALL`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// Name of the constant.
    pub name: &'static str,
    /// The value.
    pub value: u8,
    /// The meaning, as Rust documentation.
    pub doc: &'static str,
}

/// Declares a module of values of a field, and `ALL` of them.
macro_rules! codes {
    ($(#[$attribute:meta])* $module:ident { $($(#[doc = $doc:literal])* $name:ident = $value:literal;)* }) => {
        $(#[$attribute])*
        pub mod $module {
            $($(#[doc = $doc])* pub const $name: u8 = $value;)*

            /// All codes.
            pub const ALL: &[super::Code] = &[
                $(super::Code { name: stringify!($name), value: $value, doc: concat!($($doc),*) }),*
            ];
        }
    };
}

codes! {
    /// BTH opcodes that this crate decodes.
    opcode {
        /// RC SEND First; the codes of RC requests continue up to [`SEND_ONLY_IMMEDIATE`].
        SEND_FIRST = 0x00;
        /// RC SEND Middle.
        SEND_MIDDLE = 0x01;
        /// RC SEND Last.
        SEND_LAST = 0x02;
        /// RC SEND Last with immediate.
        SEND_LAST_IMMEDIATE = 0x03;
        /// RC SEND Only.
        SEND_ONLY = 0x04;
        /// RC SEND Only with immediate.
        SEND_ONLY_IMMEDIATE = 0x05;
        /// RC RDMA WRITE First.
        WRITE_FIRST = 0x06;
        /// RC RDMA WRITE Middle.
        WRITE_MIDDLE = 0x07;
        /// RC RDMA WRITE Last.
        WRITE_LAST = 0x08;
        /// RC RDMA WRITE Last with immediate.
        WRITE_LAST_IMMEDIATE = 0x09;
        /// RC RDMA WRITE Only; with the TS bit set: a sprayed data packet.
        WRITE_ONLY = 0x0A;
        /// RC RDMA WRITE Only with immediate; with the TS bit set: the last sprayed packet of a message.
        WRITE_ONLY_IMMEDIATE = 0x0B;
        /// RC RDMA READ Request.
        READ_REQUEST = 0x0C;
        /// RC RDMA READ Response First.
        READ_RESPONSE_FIRST = 0x0D;
        /// RC RDMA READ Response Middle.
        READ_RESPONSE_MIDDLE = 0x0E;
        /// RC RDMA READ Response Last.
        READ_RESPONSE_LAST = 0x0F;
        /// RC RDMA READ Response Only.
        READ_RESPONSE_ONLY = 0x10;
        /// RC Acknowledge; by its UDP length: plain RC, ACK-64, ACK-256 or NACK.
        ACKNOWLEDGE = 0x11;
        /// RC ATOMIC Acknowledge.
        ATOMIC_ACKNOWLEDGE = 0x12;
        /// RC Compare & Swap.
        COMPARE_SWAP = 0x13;
        /// RC Fetch & Add.
        FETCH_ADD = 0x14;
        /// RC SEND Last with invalidate.
        SEND_LAST_INVALIDATE = 0x16;
        /// RC SEND Only with invalidate.
        SEND_ONLY_INVALIDATE = 0x17;
        /// RC FLUSH.
        FLUSH = 0x1C;
        /// RC ATOMIC WRITE.
        ATOMIC_WRITE = 0x1D;
        /// Congestion notification packet (RoCEv2 CNP).
        CNP = 0x81;
        /// Reliability probe (MRC).
        PROBE = 0xDE;
    }
}

codes! {
    /// AETH syndromes.
    syndrome {
        /// ACK, credits not used.
        ACK = 0x1F;
        /// NAK, PSN sequence error.
        NAK_PSN_SEQUENCE = 0x60;
    }
}

codes! {
    /// Values of the M field of SETH and NETH: the ECN bits that the receiver saw.
    echo {
        /// No congestion mark.
        NONE = 0;
        /// The packet arrived with CE: skip its path once.
        CE = 1;
        /// Always skip the path.
        ALWAYS_SKIP = 2;
    }
}

codes! {
    /// Reasons of a NACK (NETH); the codes of UET and MRC.
    nack_reason {
        /// The packet was trimmed.
        TRIMMED = 0x01;
        /// The packet was trimmed at the last hop.
        TRIMMED_LASTHOP = 0x02;
        /// The receiver has no bitmap to track the packet.
        NO_BITMAP = 0x06;
        /// The receiver has no packet buffer.
        NO_PKT_BUFFER = 0x07;
        /// The receiver lacks another resource.
        NO_RESOURCE = 0x0A;
        /// The PSN is outside the receive window.
        PSN_OOR_WINDOW = 0x0B;
        /// Unexpected event.
        UNEXP_EVENT = 0x19;
    }
}
