//! The codes in words of the streams between the NIC and software.

/// A code, its meaning, and the action of software.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// Name of the code, lower case.
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

/// `m_axis_sent_tuser`: the result of a work request.
pub const SENT: [Code; 7] = [
    code(
        "done",
        0,
        "the peer has placed and acknowledged the whole message",
        "use the message's memory again",
    ),
    code(
        "closed",
        1,
        "the connection was closed or opened again",
        "post the request again on an open connection, if it is still wanted: the peer may have a part of the message, or all of it",
    ),
    code(
        "refused",
        2,
        "the NIC did not begin the request: the connection is closed, drains or has failed, the message is too long, or 16 requests are unfinished",
        "read STATE; keep at most 16 requests unfinished, then post the request again: no part of the message was sent",
    ),
    code(
        "unanswered",
        3,
        "the connection failed: the peer stopped answering",
        "close the connection; look at paths and peer; open the connection anew at both ends with new PSNs",
    ),
    code(
        "breach",
        4,
        "the connection failed: a packet of the peer was not permitted to write to its address",
        "close the connection and distrust the peer",
    ),
    code(
        "denied",
        5,
        "the connection failed: the peer denied a packet",
        "close the connection; compare key, address and length with the peer's region, and check whether the peer's end has failed",
    ),
    code(
        "broken",
        6,
        "the connection failed: the host reported that its buffer failed",
        "close the connection, repair its memory",
    ),
];

/// `s_axis_buffer_tdata`: the state of the host's buffer for a connection.
pub const BUFFER: [Code; 3] = [
    code("takes", 0, "the buffer accepts packets", "report this state when there is space again"),
    code(
        "holds",
        1,
        "the buffer accepts no packets for a while: the peer sends them again later",
        "report this state before the buffer is full",
    ),
    code(
        "failed",
        2,
        "the buffer failed: the connection ends at both ends",
        "close the connection afterwards",
    ),
];

/// The action of software for each bit of STATE and of the words of `m_axis_event`.
pub const EVENT: [(&str, &str); 8] = [
    ("open", "nothing"),
    ("held", "report when the buffer accepts packets again"),
    ("frozen", "nothing: lost packets use other paths; send PATH_OK when probes show that the paths work"),
    ("drained", "close the connection: all posted requests have ended"),
    ("unanswered", "as for the status of the same name"),
    ("denied", "as for the status of the same name"),
    (
        "breach",
        "close the connection and distrust the peer: its packet was not permitted to write to its address",
    ),
    ("broken", "close the connection, repair its memory"),
];
