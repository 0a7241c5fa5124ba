//! Words of the RTL as words of the model, and the model's results by name: see
//! `hdl/src/block/nscc/words.rs`.

use crate::paced::lane;
use crate::smartt::words::word;
use weft_nic::block::nscc::{Class, Control, Csr, Stimulus};
use weft_symbolic::{Node, SignalError, Signals, Symbolic, Term};

/// A field of a word: its name and its bits.
pub type Field = (&'static str, usize);

/// The fields of a state behind its window, in the order of `State` and `Decided`.
const REST: [Field; 9] = [
    ("ignore", 23),
    ("achieved", 20),
    ("received", 17),
    ("calm", 23),
    ("increase", 29),
    ("end", 12),
    ("decreased", 11),
    ("adjusted", 11),
    ("average", 23),
];

/// The fields of a state before its window.
const FLAGS: [Field; 3] = [("open", 1), ("fresh", 1), ("trigger", 1)];

/// `Decided` in front of the state's fields.
const PLAN: [Field; 6] =
    [("kind", 3), ("class", 2), ("accepted", 1), ("case", 4), ("bounded", 1), ("reacts", 1)];

/// `State`.
fn state_fields() -> Vec<Field> {
    [&FLAGS[..], &[("cwnd", 28)], &REST].concat()
}

/// `Decided`.
fn plan_fields() -> Vec<Field> {
    [&PLAN[..], &FLAGS, &REST].concat()
}

/// `Base`.
pub const BASE: [Field; 3] = [("due", 1), ("floor", 14), ("cwnd", 29)];
/// `Added`.
pub const ADDED: [Field; 2] = [("added", 29), ("eta", 25)];

/// Bits of a connection's state.
pub const STATE_WIDTH: usize = 200;

/// The fields of a word by name, the lowest first.
///
/// # Panics
/// The word has more or fewer bits: the caller names the fields.
pub fn fields(word: Node, names: &[Field]) -> Signals {
    let mut low = 0;
    let found = names.iter().map(|&(name, width)| {
        low += width;
        (name.to_owned(), word.slice(low - width, width))
    });
    let found: Signals = found.collect();
    assert_eq!(low, word.width(), "a word of just these fields");
    found
}

/// The word of these fields.
pub fn packed(words: &Signals, names: &[Field]) -> Result<Node, SignalError> {
    let nodes = names.iter().map(|&(name, _)| words.node(name)).collect::<Result<Vec<_>, _>>()?;
    Ok(nodes.into_iter().reduce(|low, high| high.cat(low)).expect("words have fields"))
}

/// The fields of `Decided` by name.
pub fn plan(word: Node) -> Signals {
    fields(word, &plan_fields())
}

/// The word `Decided` of these fields.
pub fn plan_word(words: &Signals) -> Result<Node, SignalError> {
    packed(words, &plan_fields())
}

/// The state in `node`.
pub fn control(node: Node) -> Result<Control<Symbolic>, SignalError> {
    let state = fields(node, &state_fields());
    Ok(Control {
        open: state.word("open")?,
        fresh: state.word("fresh")?,
        trigger: state.word("trigger")?,
        cwnd: state.word("cwnd")?,
        ignore: state.word("ignore")?,
        achieved: state.word("achieved")?,
        received: state.word("received")?,
        calm: state.word("calm")?,
        increase: state.word("increase")?,
        end: state.word("end")?,
        decreased: state.word("decreased")?,
        adjusted: state.word("adjusted")?,
        average: state.word("average")?,
    })
}

/// The fields of a state by name.
pub fn control_words(control: &Control<Symbolic>) -> Signals {
    rest_words(control).with("cwnd", control.cwnd)
}

/// The fields of a state but its window.
pub fn rest_words(control: &Control<Symbolic>) -> Signals {
    Signals::new()
        .with("open", control.open)
        .with("fresh", control.fresh)
        .with("trigger", control.trigger)
        .with("ignore", control.ignore)
        .with("achieved", control.achieved)
        .with("received", control.received)
        .with("calm", control.calm)
        .with("increase", control.increase)
        .with("end", control.end)
        .with("decreased", control.decreased)
        .with("adjusted", control.adjusted)
        .with("average", control.average)
}

/// An arbitrary event. The event's class is a separate word.
pub fn any_stimulus() -> Stimulus<Symbolic> {
    Stimulus {
        kind: Term::variable("event.kind"),
        ecn: Term::variable("event.ecn"),
        packets: Term::variable("event.packets"),
        bytes: Term::variable("event.bytes"),
        rtt: Term::variable("event.rtt"),
        in_flight: Term::variable("event.in_flight"),
        now: Term::variable("event.now"),
    }
}

/// An event in the form of `Event`: the bytes in flight saturate.
pub fn event(stimulus: &Stimulus<Symbolic>, class: Node) -> Result<Node, SignalError> {
    let in_flight = stimulus.in_flight.node();
    let beyond = !in_flight.slice(23, 9).is_zero();
    let words = Signals::new()
        .with("kind", stimulus.kind)
        .with("ecn", stimulus.ecn)
        .with("class", class)
        .with("packets", stimulus.packets)
        .with("bytes", stimulus.bytes)
        .with("in_flight", Node::lit(23, (1 << 23) - 1).when(beyond, in_flight.slice(0, 23)))
        .with("now", stimulus.now);
    let order = ["kind", "ecn", "class", "packets", "bytes", "in_flight", "now"];
    packed(&words, &order.map(|name| (name, 0)))
}

/// The constants of the class with this number, from the `cfg_*` ports. Some fields use fewer bits than their
/// ports have.
pub fn class(ports: &Signals, number: Node) -> Result<Class<Symbolic>, SignalError> {
    let lane = |name: &str| lane(ports, name, number);
    let low = |name: &str, bits| Ok::<_, SignalError>(lane(name)?.slice(0, bits));
    Ok(Class {
        mtu: word(lane("mtu")?),
        max_cwnd: word(low("max_cwnd", 23)?),
        base_rtt: word(low("base_rtt", 10)?),
        target_delay: word(low("target_rtt", 10)?),
        calm_delay: word(low("fast_rtt", 10)?),
        proportional_increase: word(lane("multiplicative_increase")?),
        fair_increase: word(lane("fair_increase")?),
        fast_increase: word(lane("fair_decrease")?),
    })
}

/// The CSRs that all classes share, from the `cfg_*` ports.
pub fn csr(ports: &Signals) -> Result<Csr<Symbolic>, SignalError> {
    let (of_one, of_more) = (ports.node("cfg_wtd_alpha")?, ports.node("cfg_wtd_alphas")?);
    let weights = of_more.cat(of_one);
    Ok(Csr {
        gamma: ports.word("cfg_multiplicative_decrease")?,
        eta: ports.word("cfg_wtd_threshold")?,
        delay_alphas: std::array::from_fn(|at| word(weights.slice(8 * at, 8))),
        adapt_by_delay: ports.word("cfg_late_losses")?,
    })
}
