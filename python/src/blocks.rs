//! The blocks: each call handles an event and returns the outcome (pages `docs/blocks/*.md`).

use crate::error::{below, one_of, value};
use crate::words::{Bitmap, Where, record};
use pyo3::prelude::*;
use weft_handle::Handle;
use weft_nic::block::{reps, sack_rx, sack_tx, smartt};
use weft_params::{RepsParams, SackParams, SmarttParams};

/// A block with its registers, and the methods that are its own.
macro_rules! block {
    ($(#[$doc:meta])* $name:ident, $model:ty; $($own:tt)*) => {
        $(#[$doc])*
        #[pyclass(module = "weft_sim")]
        pub(crate) struct $name(Handle<$model>);

        #[pymethods]
        impl $name {
            /// Writes a register of the block; later events use the value.
            fn write(&mut self, register: Where, value: u128) -> PyResult<()> {
                register.write(value, |offset, word| self.0.write(offset, word))
            }

            /// Reads a register.
            fn read(&self, register: Where) -> PyResult<u128> {
                register.read(|offset| self.0.read(offset))
            }

            $($own)*
        }
    };
}

const REPS_KINDS: [&str; 8] = ["send", "ack", "timeout", "path_ok", "idle", "open", "close", "seed"];
const REPS_SOURCES: [&str; 4] = ["given", "explored", "recycled", "reused"];

record! {
    /// The outcome of an event of REPS.
    RepsOutcome {
        kind: &'static str,
        connection: u32,
        accepted: bool,
        source: &'static str,
        ev: u16,
        frozen: bool,
        turned: bool,
    }
}

block! {
    /// REPS: the entropy buffer and freezing.
    Reps, reps::Reps;

    #[new]
    #[pyo3(signature = (connections=256, depth=8, ev_width=16))]
    fn new(connections: u32, depth: u32, ev_width: u32) -> PyResult<Self> {
        let params = RepsParams { connections, depth, ev_width };
        params.check().map_err(value)?;
        Handle::new(params).map(Self).map_err(value)
    }

    #[pyo3(signature = (kind, connection=0, *, ev=0, ecn=false, rtt_ticks=0, now_ticks=0))]
    fn step(
        &mut self,
        kind: &str,
        connection: u32,
        ev: u16,
        ecn: bool,
        rtt_ticks: u16,
        now_ticks: u32,
    ) -> PyResult<RepsOutcome> {
        let kind = reps::Kind::ALL[one_of("kind", kind, &REPS_KINDS)?];
        below("connection", connection, self.0.params.connections)?;
        let event = reps::Event { kind, connection, ev, ecn, rtt_ticks, now_ticks };
        let reps::Outcome { kind, connection, accepted, source, ev, frozen, turned } =
            self.0.model.step(&event);
        let (kind, source) = (REPS_KINDS[kind as usize], REPS_SOURCES[source as usize]);
        Ok(RepsOutcome { kind, connection, accepted, source, ev, frozen, turned })
    }
}

/// The names of the kinds of events. Three more codes have no meaning, and the block ignores them.
const SMARTT_KINDS: [&str; 5] = ["ack", "trim", "timeout", "open", "close"];
const SMARTT_CASES: [&str; 12] = [
    "none",
    "fair_decrease",
    "multiplicative_decrease",
    "fair_increase",
    "multiplicative_increase",
    "held",
    "waiting",
    "ignored",
    "loss",
    "quick_adapt",
    "fast_increase",
    "both",
];

record! {
    /// The outcome of an event of SMaRTT.
    SmarttOutcome {
        kind: &'static str,
        connection: u32,
        accepted: bool,
        case: &'static str,
        cwnd_bytes: u32,
    }
}

block! {
    /// SMaRTT: the congestion window.
    Smartt, smartt::Smartt;

    #[new]
    #[pyo3(signature = (connections=256))]
    fn new(connections: u32) -> PyResult<Self> {
        let params = SmarttParams { connections };
        params.check().map_err(value)?;
        Handle::new(params).map(Self).map_err(value)
    }

    #[pyo3(signature = (kind, connection=0, *, size_bytes=0, packets=1, ecn=false, rtt_ticks=0, in_flight_bytes=0, rtt_class=0, now_ticks=0))]
    #[expect(clippy::too_many_arguments, reason = "the fields of an event, by their names")]
    fn step(
        &mut self,
        kind: &str,
        connection: u32,
        size_bytes: u32,
        packets: u8,
        ecn: bool,
        rtt_ticks: u16,
        in_flight_bytes: u32,
        rtt_class: u8,
        now_ticks: u32,
    ) -> PyResult<SmarttOutcome> {
        let kind = smartt::Kind::ALL[one_of("kind", kind, &SMARTT_KINDS)?];
        below("connection", connection, self.0.params.connections)?;
        below("size_bytes", size_bytes, 1 << 24)?;
        below("rtt_class", rtt_class.into(), SmarttParams::CLASSES as u32)?;
        if !(1..=16).contains(&packets) {
            return Err(value(format!("packets {packets}: use 1 to 16")));
        }
        let (class, bytes) = (rtt_class, size_bytes);
        let event = smartt::Event {
            kind,
            connection,
            class,
            ecn,
            packets,
            bytes,
            rtt_ticks,
            in_flight_bytes,
            now_ticks,
        };
        let smartt::Outcome { kind, connection, accepted, case, cwnd_bytes } = self.0.model.step(&event);
        let kind = SMARTT_KINDS.get(kind as usize).copied().unwrap_or("none");
        Ok(SmarttOutcome { kind, connection, accepted, case: SMARTT_CASES[case as usize], cwnd_bytes })
    }
}

fn sack_params(connections: u32) -> PyResult<SackParams> {
    let params = SackParams { connections };
    params.check().map_err(value)?;
    Ok(params)
}

const SACK_RX_KINDS: [&str; 6] = ["data", "trimmed", "flush", "probe", "open", "close"];
const VERDICTS: [&str; 5] = ["none", "placed", "duplicate", "outside", "trimmed"];
const RESPONSES: [&str; 3] = ["none", "ack", "nack"];

record! {
    /// The outcome of an event of the SACK receiver.
    SackRxOutcome {
        kind: &'static str,
        connection: u32,
        accepted: bool,
        verdict: &'static str,
        response: &'static str,
        ce: bool,
        bitmap: Bitmap,
        expected: u32,
        psn: u32,
        messages: u32,
        received: u32,
        tag: u32,
        completed: u16,
        out_of_order: u8,
        waited: u8,
    }
}

block! {
    /// The SACK receiver: the record of the packets that have arrived.
    SackRx, sack_rx::SackRx;

    #[new]
    #[pyo3(signature = (connections=256))]
    fn new(connections: u32) -> PyResult<Self> {
        Handle::new(sack_params(connections)?).map(Self).map_err(value)
    }

    #[pyo3(signature = (kind, connection=0, *, psn=0, size_bytes=0, ce=false, request=false, last=false, tag=0))]
    #[expect(clippy::too_many_arguments, reason = "the fields of an event, by their names")]
    fn step(
        &mut self,
        kind: &str,
        connection: u32,
        psn: u32,
        size_bytes: u16,
        ce: bool,
        request: bool,
        last: bool,
        tag: u32,
    ) -> PyResult<SackRxOutcome> {
        let kind = sack_rx::Kind::ALL[one_of("kind", kind, &SACK_RX_KINDS)?];
        below("connection", connection, self.0.params.connections)?;
        below("psn", psn, 1 << 24)?;
        let event = sack_rx::Event { kind, connection, psn, bytes: size_bytes, ce, request, last, tag };
        let told = self.0.model.step(&event);
        let sack_rx::Outcome { kind, connection, accepted, verdict, response, ce, bitmap, expected, psn, .. } =
            told;
        let sack_rx::Outcome { messages, received, tag, completed, out_of_order, waited, .. } = told;
        let kind = SACK_RX_KINDS.get(kind as usize).copied().unwrap_or("none");
        let (verdict, response) = (VERDICTS[verdict as usize], RESPONSES[response as usize]);
        let bitmap = Bitmap(bitmap);
        Ok(SackRxOutcome { kind, connection, accepted, verdict, response, ce, bitmap, expected, psn, messages, received, tag, completed, out_of_order, waited })
    }
}

const SACK_TX_KINDS: [&str; 10] =
    ["post", "ack", "nack", "window", "open", "close", "send", "timeout", "epoch", "probe"];
const REASONS: [&str; 4] = ["none", "never_sent", "stale", "refused"];

record! {
    /// The outcome of an event of the SACK sender.
    SackTxOutcome {
        kind: &'static str,
        connection: u32,
        accepted: bool,
        send: bool,
        fresh: bool,
        last: bool,
        failed: bool,
        reason: &'static str,
        beyond: bool,
        congested: bool,
        failure: bool,
        unsure: bool,
        psn: u32,
        acked: u16,
        /// The number excludes the lost packets that the event acknowledged, so it may be below 0.
        lost: i16,
        completed: u16,
        errors: u16,
        unacked: u16,
        in_flight: u16,
        tag: u32,
    }
}

fn sent(told: &sack_tx::Outcome) -> SackTxOutcome {
    SackTxOutcome {
        kind: SACK_TX_KINDS[told.kind as usize],
        connection: told.connection,
        accepted: told.accepted,
        send: told.send,
        fresh: told.fresh,
        last: told.last,
        failed: told.failed,
        reason: REASONS[told.reason as usize],
        beyond: told.beyond,
        congested: told.congested,
        failure: told.failure,
        unsure: told.unsure,
        psn: told.psn,
        acked: told.acked,
        lost: told.lost as i16,
        completed: told.completed,
        errors: told.errors,
        unacked: told.unacked,
        in_flight: told.in_flight,
        tag: told.tag,
    }
}

block! {
    /// The SACK sender: the packets to send, and the packets that are lost.
    SackTx, sack_tx::SackTx;

    #[new]
    #[pyo3(signature = (connections=256))]
    fn new(connections: u32) -> PyResult<Self> {
        Handle::new(sack_params(connections)?).map(Self).map_err(value)
    }

    #[pyo3(signature = (kind, connection=0, *, psn=0, trigger=0, denied=false, bitmap=None, packets=0, cwnd_bytes=0, tag=0, now_ticks=0))]
    #[expect(clippy::too_many_arguments, reason = "the fields of an event, by their names")]
    fn step(
        &mut self,
        kind: &str,
        connection: u32,
        psn: u32,
        trigger: u32,
        denied: bool,
        bitmap: Option<Bitmap>,
        packets: u16,
        cwnd_bytes: u32,
        tag: u32,
        now_ticks: u32,
    ) -> PyResult<SackTxOutcome> {
        // The block's own kinds come from `send` and `timer`.
        let kind = sack_tx::Kind::ALL[one_of("kind", kind, &SACK_TX_KINDS[..6])?];
        below("connection", connection, self.0.params.connections)?;
        below("psn", psn, 1 << 24)?;
        below("trigger", trigger, 1 << 24)?;
        below("cwnd_bytes", cwnd_bytes, 1 << 26)?;
        below("now_ticks", now_ticks, 1 << 24)?;
        let mut event = sack_tx::Event::new(kind, connection);
        (event.psn, event.trigger, event.denied) = (psn, trigger, denied);
        (event.packets, event.cwnd_bytes, event.tag, event.now_ticks) = (packets, cwnd_bytes, tag, now_ticks);
        event.bitmap = bitmap.map_or([0; 4], |it| it.0);
        Ok(sent(&self.0.model.step(&event)))
    }

    /// Returns the next packet that may leave. Connections take turns.
    #[pyo3(signature = (*, now_ticks))]
    fn send(&mut self, now_ticks: u32) -> PyResult<Option<SackTxOutcome>> {
        below("now_ticks", now_ticks, 1 << 24)?;
        Ok(self.0.model.send(now_ticks).as_ref().map(sent))
    }

    /// Handles the timer of a connection, if one is due.
    #[pyo3(signature = (connection, *, now_ticks))]
    fn timer(&mut self, connection: u32, now_ticks: u32) -> PyResult<Option<SackTxOutcome>> {
        below("connection", connection, self.0.params.connections)?;
        below("now_ticks", now_ticks, 1 << 24)?;
        let due = self.0.model.due(connection, now_ticks);
        Ok(due.map(|kind| sent(&self.0.model.timer(connection, kind, now_ticks))))
    }
}
