//! The RTL's words as the model's, and the model's results by name.

use crate::paced::lane;
use weft_nic::block::smartt::{Class, Control, Csr, Stimulus};
use weft_symbolic::{Node, SignalError, Signals, Symbolic, Term};

/// `node` as a model word.
///
/// # Panics
/// The node has another width: the caller names both.
pub fn word<const W: usize>(node: Node) -> Term<W> {
    Term::of(node).expect("a word of just this width")
}

/// Bits of a connection's state.
pub const STATE_WIDTH: usize = 152;

/// The state with the part `early` in one RAM and `late` in the other, see `Early`, `Late` and `State` in
/// `hdl/src/block/smartt/words.rs`.
pub fn state(early: Node, late: Node) -> Node {
    let (acked, shared, end) = (early.slice(0, 26), early.slice(26, 26), early.slice(52, 20));
    let (calm, average) = (late.slice(41, 26), late.slice(67, 13));
    average.cat(end).cat(calm).cat(shared).cat(acked).cat(late.slice(0, 41))
}

/// The early part of a state.
pub fn early(control: &Control<Symbolic>) -> Node {
    control.end.node().cat(control.shared.node()).cat(control.acked.node())
}

/// The state in `node`, see `State` in `hdl/src/block/smartt/words.rs`.
pub fn control(node: Node) -> Control<Symbolic> {
    Control {
        open: word(node.slice(0, 1)),
        fresh: word(node.slice(1, 1)),
        trigger: word(node.slice(2, 1)),
        ignoring: word(node.slice(3, 1)),
        cwnd: word(node.slice(4, 37)),
        acked: word(node.slice(41, 26)),
        shared: word(node.slice(67, 26)),
        calm: word(node.slice(93, 26)),
        end: word(node.slice(119, 20)),
        average: word(node.slice(139, 13)),
    }
}

/// The fields of a state by name.
pub fn control_words(control: &Control<Symbolic>) -> Signals {
    Signals::new()
        .with("open", control.open)
        .with("fresh", control.fresh)
        .with("trigger", control.trigger)
        .with("ignoring", control.ignoring)
        .with("cwnd", control.cwnd)
        .with("acked", control.acked)
        .with("shared", control.shared)
        .with("calm", control.calm)
        .with("end", control.end)
        .with("average", control.average)
}

/// An arbitrary event. Its class is a separate word.
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

/// An event in the input register and from there on, see `Event` in `hdl/src/block/smartt/words.rs`.
pub fn event(stimulus: &Stimulus<Symbolic>, class: Node) -> Node {
    let in_flight = stimulus.in_flight.node();
    let beyond = !in_flight.slice(26, 6).is_zero();
    let in_flight = Node::lit(26, (1 << 26) - 1).when(beyond, in_flight.slice(0, 26));
    [
        in_flight,
        stimulus.bytes.node(),
        stimulus.packets.node(),
        class,
        stimulus.ecn.node(),
        stimulus.kind.node(),
    ]
    .into_iter()
    .fold(stimulus.now.node(), Node::cat)
}

/// The constants of the class with this number, from the `cfg_*` ports.
pub fn class(ports: &Signals, number: Node) -> Result<Class<Symbolic>, SignalError> {
    let lane = |name: &str| lane(ports, name, number);
    Ok(Class {
        mtu: word(lane("mtu")?),
        max_cwnd: word(lane("max_cwnd")?),
        fair_decrease: word(lane("fair_decrease")?),
        base_rtt: word(lane("base_rtt")?),
        target_rtt: word(lane("target_rtt")?),
        fast_rtt: word(lane("fast_rtt")?),
        multiplicative_increase: word(lane("multiplicative_increase")?),
        fair_increase: word(lane("fair_increase")?),
    })
}

/// The CSRs that all classes share, from the `cfg_*` ports.
pub fn csr(ports: &Signals) -> Result<Csr<Symbolic>, SignalError> {
    let (of_one, of_more) = (ports.node("cfg_wtd_alpha")?, ports.node("cfg_wtd_alphas")?);
    let weight = |at: usize| if at == 0 { of_one } else { of_more.slice(8 * (at - 1), 8) };
    Ok(Csr {
        multiplicative_decrease: ports.word("cfg_multiplicative_decrease")?,
        qa_scaling: ports.word("cfg_qa_scaling")?,
        wtd_alphas: std::array::from_fn(|at| word(weight(at))),
        wtd_threshold: ports.word("cfg_wtd_threshold")?,
        granularity: ports.word("cfg_granularity")?,
        fast_mtus: ports.word("cfg_fast_mtus")?,
        late_losses: ports.word("cfg_late_losses")?,
        signals: ports.word("cfg_signals")?,
    })
}
