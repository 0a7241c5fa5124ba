//! The codes in words of the streams between the NIC and software.

/// A code, its meaning, and the action of software.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// Its name, lower case.
    pub name: &'static str,
    /// The number.
    pub value: u32,
    /// The meaning.
    pub doc: &'static str,
    /// The action of software.
    pub then: &'static str,
}

const fn code(name: &'static str, value: u32, doc: &'static str, then: &'static str) -> Code {
    Code { name, value, doc, then }
}

/// `m_axis_sent_tuser`: how a work request ended.
pub const SENT: [Code; 7] = [
    code("done", 0, "all of it has been placed at the peer and acknowledged", "use its memory again"),
    code(
        "closed",
        1,
        "the connection was closed or opened anew",
        "post it again on a connection that is open, if it is still wanted: the peer may have some of it or all",
    ),
    code(
        "refused",
        2,
        "it was never begun: no such connection, too long, too many unfinished, or the connection drains or has failed",
        "nothing of it was sent: read STATE; keep at most 16 unfinished, then post it again",
    ),
    code(
        "unanswered",
        3,
        "the connection failed: the peer did not answer any more",
        "close the connection; look at paths and peer; open it anew at both ends with new PSNs",
    ),
    code(
        "breach",
        4,
        "the connection failed: a packet of the peer had no right to its address",
        "close the connection and distrust the peer",
    ),
    code(
        "denied",
        5,
        "the connection failed: the peer did not take a packet",
        "close the connection; compare key, address and length with the peer's region, and whether its end has failed",
    ),
    code(
        "broken",
        6,
        "the connection failed: the host said that its buffer failed",
        "close the connection, mend its memory",
    ),
];

/// `s_axis_buffer_tdata`: how the host's buffer for a connection is.
pub const BUFFER: [Code; 3] = [
    code("takes", 0, "it takes packets", "say it when there is room again"),
    code(
        "holds",
        1,
        "it takes none for a while: the peer sends them again later",
        "say it before it is full",
    ),
    code("failed", 2, "it failed: the connection ends at both ends", "close the connection after it"),
];

/// The action of software for each bit of STATE and of the words of `m_axis_event`.
pub const EVENT: [(&str, &str); 8] = [
    ("open", "nothing"),
    ("held", "say when the buffer takes packets again"),
    ("frozen", "nothing: lost packets go over other paths; PATH_OK when probes say that the paths are well"),
    ("drained", "close the connection: all that was posted has ended"),
    ("unanswered", "as for the status of the same name"),
    ("denied", "as for the status of the same name"),
    ("breach", "close the connection and distrust the peer: its packet had no right to its address"),
    ("broken", "close the connection, mend its memory"),
];
