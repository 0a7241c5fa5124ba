//! The streams that report the state of connections to `weft_registers`, and those on which
//! `weft_registers` reports it.

/// The type of a signal of so many bits.
pub(super) fn signal(input: bool, bits: u32) -> String {
    let direction = if input { "In" } else { "Out" };
    match bits {
        1 => format!("Signal<{direction}, Bit>"),
        _ => format!("Signal<{direction}, Bits<{bits}>>"),
    }
}

/// Who decides when a word is accepted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ready {
    /// Nobody: it always is.
    Always,
    /// Who takes it.
    Waits,
}

/// A stream of the connections' status beside COMMAND.
struct News {
    /// Its name at the port, and in `weft_registers_status`.
    port: &'static str,
    inner: &'static str,
    /// The stream is an input.
    input: bool,
    ready: Ready,
    /// The word beside the connection, and its bits.
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
            "The sender has ended a connection.",
            "That is taken.",
            "This one.",
            "Its peer denied a packet, else did not answer.",
        ],
    },
    News {
        port: "s_axis_sender_freeze",
        inner: "freeze",
        input: true,
        ready: Ready::Waits,
        word: Some(("tuser", 1)),
        docs: ["A freeze began or ended.", "That is noted.", "Of this connection.", "It began."],
    },
    News {
        port: "s_axis_sender_drained",
        inner: "drained",
        input: true,
        ready: Ready::Waits,
        word: None,
        docs: [
            "A connection that drains has nothing outstanding any more.",
            "That is noted.",
            "This one.",
            "",
        ],
    },
    News {
        port: "s_axis_receiver_breach",
        inner: "breach",
        input: true,
        ready: Ready::Waits,
        word: None,
        docs: ["A packet had no right to its address.", "That is noted.", "Its connection.", ""],
    },
    News {
        port: "s_axis_buffer",
        inner: "buffer",
        input: true,
        ready: Ready::Waits,
        word: Some(("tdata", 8)),
        docs: [
            "The host says how a connection's buffer is.",
            "That is noted.",
            "Of this connection.",
            "Bits 1:0: 0 it takes packets, 1 it does not, 2 or 3 it failed.",
        ],
    },
    News {
        port: "m_axis_receiver_bar",
        inner: "bar",
        input: false,
        ready: Ready::Always,
        word: Some(("tdata", 2)),
        docs: [
            "How the receiver is to treat a connection's packets; always taken.",
            "",
            "Which one's.",
            "Bit 0: hold them back; bit 1: deny them.",
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
            "The sender takes that.",
            "Which one.",
            "Its buffer did, else its peer's packet had no right to its address.",
        ],
    },
    News {
        port: "m_axis_event",
        inner: "told",
        input: false,
        ready: Ready::Waits,
        word: Some(("tdata", 8)),
        docs: [
            "Something happened to a connection.",
            "That is known.",
            "To this one.",
            "How it stands, as STATE.",
        ],
    },
];

/// Their ports: name, signal type, documentation.
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
