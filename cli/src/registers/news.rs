//! The streams that report the state of connections to `weft_registers`, and the streams on which
//! `weft_registers` reports that state.

/// The type of a signal with a number of bits.
pub(super) fn signal(input: bool, bits: u32) -> String {
    let direction = if input { "In" } else { "Out" };
    match bits {
        1 => format!("Signal<{direction}, Bit>"),
        _ => format!("Signal<{direction}, Bits<{bits}>>"),
    }
}

/// The side that decides when a word is accepted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ready {
    /// The receiver always accepts.
    Always,
    /// The receiver has a `tready`.
    Waits,
}

/// A stream of the connections' status, other than COMMAND.
struct News {
    /// Name of the stream at the port, and in `weft_registers_status`.
    port: &'static str,
    inner: &'static str,
    /// Whether the stream is an input.
    input: bool,
    ready: Ready,
    /// The word that the stream carries besides the connection, and the number of bits of this word.
    word: Option<(&'static str, u32)>,
    /// The documentation of `tvalid`, `tready`, `tid` and the word.
    docs: [&'static str; 4],
}

const NEWS: [News; 8] = [
    News {
        port: "s_axis_sender_failed",
        inner: "failed",
        input: true,
        ready: Ready::Waits,
        word: Some(("tuser", 1)),
        docs: [
            "The sender reports a connection that it has ended.",
            "The registers accept the report.",
            "Connection that has ended.",
            "The peer denied a packet; 0: the peer did not answer.",
        ],
    },
    News {
        port: "s_axis_sender_freeze",
        inner: "freeze",
        input: true,
        ready: Ready::Waits,
        word: Some(("tuser", 1)),
        docs: [
            "The sender reports that a freeze began or ended.",
            "The registers accept the report.",
            "Connection of the freeze.",
            "The freeze began; 0: it ended.",
        ],
    },
    News {
        port: "s_axis_sender_drained",
        inner: "drained",
        input: true,
        ready: Ready::Waits,
        word: None,
        docs: [
            "The sender reports a connection that drains and has no outstanding work.",
            "The registers accept the report.",
            "Connection that has drained.",
            "",
        ],
    },
    News {
        port: "s_axis_receiver_breach",
        inner: "breach",
        input: true,
        ready: Ready::Waits,
        word: None,
        docs: [
            "The receiver reports a packet that was not permitted to write to its address.",
            "The registers accept the report.",
            "Connection of the packet.",
            "",
        ],
    },
    News {
        port: "s_axis_buffer",
        inner: "buffer",
        input: true,
        ready: Ready::Waits,
        word: Some(("tdata", 8)),
        docs: [
            "The host says how a connection's buffer is.",
            "The registers accept the word.",
            "Connection of the buffer.",
            "Bits 1:0: 0 the buffer takes packets, 1 it does not, 2 or 3 it failed.",
        ],
    },
    News {
        port: "m_axis_receiver_bar",
        inner: "bar",
        input: false,
        ready: Ready::Always,
        word: Some(("tdata", 2)),
        docs: [
            "New treatment of a connection's packets; the receiver always accepts.",
            "",
            "Connection of the packets.",
            "Bit 0: hold the packets back; bit 1: deny them.",
        ],
    },
    News {
        port: "m_axis_sender_failure",
        inner: "failure",
        input: false,
        ready: Ready::Waits,
        word: Some(("tuser", 1)),
        docs: [
            "A connection has failed at this end.",
            "The sender accepts the report.",
            "Connection that has failed.",
            "The buffer failed; 0: a packet of the peer was not permitted to write to its address.",
        ],
    },
    News {
        port: "m_axis_event",
        inner: "told",
        input: false,
        ready: Ready::Waits,
        word: Some(("tdata", 8)),
        docs: [
            "The NIC reports an event of a connection.",
            "The host accepts the event.",
            "Connection of the event.",
            "State of the connection, as STATE.",
        ],
    },
];

/// The ports of the streams: name, signal type, documentation.
pub(super) fn ports() -> Vec<(String, String, &'static str)> {
    let mut ports = Vec::new();
    for News { port, input, ready, word, docs: [offered, taken, connection, what], .. } in NEWS {
        ports.push((format!("{port}_tvalid"), signal(input, 1), offered));
        if ready != Ready::Always {
            ports.push((format!("{port}_tready"), signal(!input, 1), taken));
        }
        let direction = if input { "In" } else { "Out" };
        ports.push((format!("{port}_tid"), format!("Signal<{direction}, Bits<A>>"), connection));
        if let Some((part, bits)) = word {
            ports.push((format!("{port}_{part}"), signal(input, bits), what));
        }
    }
    ports
}

/// The statements that join the streams to the status.
pub(super) fn statements() -> Vec<String> {
    let mut lines = Vec::new();
    for News { port, inner, input, ready, word, .. } in NEWS {
        let mut join = |part: &str, inner: &str, inward: bool| {
            let (to, from) = (format!("self.{port}_{part}"), format!("self.status.{inner}"));
            let (to, from) = if inward { (from, to) } else { (to, from) };
            lines.push(format!("{to}.next = {from}.val();"));
        };
        join("tvalid", &format!("{inner}_valid"), input);
        if ready == Ready::Waits {
            join("tready", &format!("{inner}_ready"), !input);
        }
        join("tid", &format!("{inner}_id"), input);
        match word {
            Some((part, 8)) if input => {
                lines.push(format!("self.status.{inner}.next = self.{port}_{part}.val().get_bits::<2>(0);"));
            }
            Some((part, _)) => join(part, inner, input),
            None => {}
        }
    }
    lines
}
