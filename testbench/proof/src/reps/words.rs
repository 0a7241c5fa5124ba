//! The RTL's words as words of the model, and the model's results by name.

use weft_nic::block::reps::{Action, Control, Csr, Stimulus};
use weft_symbolic::{Node, SignalError, Signals, Symbolic, Term};
use weft_word::{Bit, Word};

/// Places of the fields of a control word, see `hdl/src/block/reps/core.rs`. Head, tail, whether any slot is
/// valid, and written are above the fields of fixed width. Their widths follow from the depth of the buffer.
const HEAD_AT: usize = 43;

/// `node` as a model word, which may be wider than the register.
pub fn word<const W: usize>(node: Node) -> Term<W> {
    Term::of(node.widen(W)).expect("widened to just this")
}

/// The control word in `node`, of a buffer of `depth` slots. The model counts the valid slots between tail and
/// head. A tail away from the head with no valid slot is a count beyond the buffer, which the model's invariant
/// forbids.
pub fn control(node: Node, depth: u32) -> Control<Symbolic> {
    let slot = depth.trailing_zeros() as usize;
    let count = slot + 1;
    let field = |low, width| node.slice(low, width);
    let (head, tail) = (field(HEAD_AT, slot), field(HEAD_AT + slot, slot));
    let (some, between) = (field(HEAD_AT + 2 * slot, 1), head - tail);
    Control {
        open: word(field(0, 1)),
        frozen: word(field(1, 1)),
        high: word(field(2, 1)),
        explore: word(field(3, 8)),
        time: word(field(11, 32)),
        head: word(head),
        valid: word(some.equals(between.is_zero()).cat(between)),
        written: word(field(HEAD_AT + 2 * slot + 1, count)),
    }
}

/// Bits of a control word.
pub fn control_width(depth: u32) -> usize {
    HEAD_AT + 3 * depth.trailing_zeros() as usize + 2
}

/// The fields of the RTL's control word, low to high; the stamp has three fields.
const FIELDS: [&str; 11] =
    ["open", "frozen", "high", "explore", "low", "middle", "top", "head", "tail", "some", "written"];

/// The control word that the RTL stores field by field. `name` gives the name of each field.
pub fn gathered(signals: &Signals, name: impl Fn(&str) -> String) -> Result<Node, SignalError> {
    let mut fields = Vec::new();
    for field in FIELDS {
        fields.push(signals.node(&name(field))?);
    }
    Ok(fields.into_iter().reduce(|low, high| high.cat(low)).expect("there are fields"))
}

/// The control word in stage 5.
pub fn stored(registers: &Signals) -> Result<Node, SignalError> {
    gathered(registers, |field| format!("control.s5_{field}_q"))
}

/// Whether a control word has packets left to explore.
pub fn exploring(word: Node) -> Node {
    !word.slice(3, 8).is_zero()
}

/// The fields of a control word by name.
pub fn control_words(control: &Control<Symbolic>) -> Signals {
    Signals::new()
        .with("open", control.open)
        .with("frozen", control.frozen)
        .with("high", control.high)
        .with("head", control.head)
        .with("valid", control.valid)
        .with("written", control.written)
        .with("explore", control.explore)
        .with("time", control.time)
}

/// The control word after an event, and the other results. Slot and entropy are 0 where no logic reads them:
/// there the RTL may have any value.
pub fn result_words((control, action): &(Control<Symbolic>, Action<Symbolic>)) -> Signals {
    control_words(control)
        .with("accepted", action.accepted)
        .with("source", action.source)
        .with("is_frozen", action.frozen)
        .with("turned", action.turned)
        .with("read", action.read)
        .with("write", action.write)
        .with("slot", action.slot.when(action.read | action.write, Word::lit(0)))
        .with("draw", action.draw)
        .with("indexed", action.indexed)
        .with("entropy", action.entropy.when(action.indexed, Word::lit(0)))
}

/// The results of the RTL: the control word in `next`, and ports or registers by the names of the core's
/// outputs.
pub fn rtl_words(next: Node, ports: &Signals, depth: u32) -> Result<Signals, SignalError> {
    let bit = |name: &str| ports.word::<1>(name);
    let action = Action {
        accepted: bit("accepted")?,
        source: ports.word("source")?,
        frozen: bit("is_frozen")?,
        turned: bit("turned")?,
        read: bit("read")?,
        write: bit("write")?,
        slot: word(ports.node("slot")?),
        draw: bit("draw")?,
        indexed: bit("indexed")?,
        entropy: ports.word("entropy")?,
    };
    Ok(result_words(&(control(next, depth), action)))
}

/// The CSRs as ports of these names.
pub fn csr(ports: &Signals, prefix: &str) -> Result<Csr<Symbolic>, SignalError> {
    let name = |port: &str| format!("{prefix}{port}");
    Ok(Csr {
        mode: ports.word(&name("mode"))?,
        freeze_timeout: ports.word(&name("freeze_timeout"))?,
        bdp_packets: ports.word(&name("bdp_packets"))?,
        trimming: ports.word(&name("trimming"))?,
        thaw_reset: ports.word(&name("thaw_reset"))?,
        rtt_high: ports.word(&name("rtt_high"))?,
        rtt_window: ports.word(&name("rtt_window"))?,
    })
}

/// Arbitrary CSRs.
pub fn any_csr() -> Csr<Symbolic> {
    Csr {
        mode: Term::variable("csr.mode"),
        freeze_timeout: Term::variable("csr.freeze_timeout"),
        bdp_packets: Term::variable("csr.bdp_packets"),
        trimming: Term::variable("csr.trimming"),
        thaw_reset: Term::variable("csr.thaw_reset"),
        rtt_high: Term::variable("csr.rtt_high"),
        rtt_window: Term::variable("csr.rtt_window"),
    }
}

/// An arbitrary event.
pub fn any_stimulus() -> Stimulus<Symbolic> {
    Stimulus {
        kind: Term::variable("event.kind"),
        ecn: Term::variable("event.ecn"),
        rtt: Term::variable("event.rtt"),
        now: Term::variable("event.now"),
    }
}

/// NUM_PKTS_BDP in the eight bits of the explore counter.
pub fn saturated(csr: &Csr<Symbolic>) -> Bit8 {
    let low = csr.bdp_packets.slice::<0, 8>();
    low.when(csr.bdp_packets.slice::<8, 8>().is_zero(), Word::lit(255))
}

type Bit8 = Term<8>;

/// Whether a time comparison matters to this control word: only in mode REPS, while frozen or after a
/// high round-trip time.
pub fn time_matters(csr: &Csr<Symbolic>, control: &Control<Symbolic>) -> Bit<Symbolic> {
    csr.mode.is_zero() & (control.frozen | control.high)
}
