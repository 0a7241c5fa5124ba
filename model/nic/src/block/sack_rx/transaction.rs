//! The transaction view: the effect of an event, independent of clocks.

use super::state::{Csr, Kind, Published, Response, State, Stimulus, Verdict};
use super::step::step;
use crate::part::ahead::Ask;
use crate::part::ring::Ring;
use crate::part::table::Table;
use weft_params::{SackParams, SackRxCsr};
use weft_word::{Bits, Compact, Concrete, Stored, Word};

/// One event, as `s_axis_event` carries it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// The kind of the event.
    pub kind: Kind,
    /// Number of the connection.
    pub connection: u32,
    /// PSN of the packet, 24 bits. Open: the first PSN.
    pub psn: u32,
    /// Bytes of payload.
    pub bytes: u16,
    /// The packet is ECN-marked.
    pub ce: bool,
    /// The packet requests an ACK.
    pub request: bool,
    /// The packet ends a message.
    pub last: bool,
    /// Any number: the outcome returns it.
    pub tag: u32,
}

impl Event {
    /// An event that has only its kind, connection and PSN.
    pub fn new(kind: Kind, connection: u32, psn: u32) -> Self {
        Self { kind, connection, psn, bytes: 0, ce: false, request: false, last: false, tag: 0 }
    }

    #[inline(always)]
    pub(super) fn stimulus(&self) -> Stimulus<Concrete> {
        Stimulus {
            kind: Bits::lit(self.kind as u128),
            ce: Bits::lit(self.ce.into()),
            request: Bits::lit(self.request.into()),
            last: Bits::lit(self.last.into()),
            psn: Bits::lit(self.psn.into()),
            bytes: Bits::lit(self.bytes.into()),
        }
    }
}

/// The answer of the block to an event, as `m_axis_outcome` carries it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The event's kind.
    pub kind: Kind,
    /// The event's connection.
    pub connection: u32,
    /// The connection was open, or the event opens it.
    pub accepted: bool,
    /// The verdict on the packet.
    pub verdict: Verdict,
    /// The reply to send.
    pub response: Response,
    /// The event's ECN mark.
    pub ce: bool,
    /// Bit `i`, low word first: the PSN `i` after the bitmap's first has been received: after `expected`, unless `psn` is far
    /// (rule 17).
    pub bitmap: [u64; 4],
    /// The cumulative PSN: the first that has not been received. An ACK carries the previous PSN.
    pub expected: u32,
    /// The event's PSN.
    pub psn: u32,
    /// Messages completed since the connection was opened, modulo 2^24.
    pub messages: u32,
    /// Bytes placed, in units of 256 rounded up, modulo 2^24.
    pub received: u32,
    /// The event's tag.
    pub tag: u32,
    /// Messages that this event completed; the last ones of `messages`.
    pub completed: u16,
    /// Packets received beyond the cumulative PSN, 255 if more.
    pub out_of_order: u8,
    /// Packets that waited for an ACK before the event, saturating.
    pub waited: u8,
}

impl Outcome {
    /// `m_axis_outcome_tuser`: kind in bits 2:0, accepted 3, verdict 6:4, response 8:7, ECN mark 9.
    pub fn user(&self) -> u16 {
        self.kind as u16
            | u16::from(self.accepted) << 3
            | (self.verdict as u16) << 4
            | (self.response as u16) << 7
            | u16::from(self.ce) << 9
    }

    /// `m_axis_outcome_tdata`, low word first: bitmap 255:0, expected 279:256, PSN 303:280, messages 327:304,
    /// received 351:328, tag 383:352, completed 399:384, out of order 407:400, waited 415:408.
    pub fn data(&self) -> [u64; 7] {
        let [a, b, c, d] = self.bitmap;
        let (expected, psn, messages) = (self.expected.into(), u64::from(self.psn), u64::from(self.messages));
        let (received, tag) = (u64::from(self.received), u64::from(self.tag));
        let e: u64 = expected;
        [
            a,
            b,
            c,
            d,
            e | psn << 24 | messages << 48,
            messages >> 16 | received << 8 | tag << 32,
            u64::from(self.completed) | u64::from(self.out_of_order) << 16 | u64::from(self.waited) << 24,
        ]
    }
}

/// All connections of a receiver, with a window of 2^S PSNs.
#[derive(Clone, Debug)]
pub struct SackRx<const S: usize = 8, const N: usize = 9, const L: usize = 2>
where
    Bits<S>: Stored,
    Bits<N>: Stored,
{
    params: SackParams,
    registers: SackRxCsr,
    csr: Csr<Concrete>,
    states: Table<Compact<State<Concrete, S, N, L>>>,
}

impl<const S: usize, const N: usize, const L: usize> SackRx<S, N, L>
where
    Bits<S>: Stored,
    Bits<N>: Stored,
{
    /// A block after reset: every connection closed. `params` and `csr` must have passed their checks.
    pub fn new(params: SackParams, csr: SackRxCsr) -> Self {
        Self {
            params,
            registers: csr,
            csr: Csr::from(&csr),
            states: Table::new(Compact::new(State::closed())),
        }
    }

    /// Requests the memory of a connection.
    #[inline]
    pub(crate) fn ahead(&self, connection: u32, memory: &impl Ask) {
        memory.ask(self.states.get(connection));
    }

    /// The parameters.
    pub fn params(&self) -> &SackParams {
        &self.params
    }

    /// The CSRs.
    pub fn csr(&self) -> &SackRxCsr {
        &self.registers
    }

    /// Sets the CSRs from the next event on.
    pub fn set_csr(&mut self, csr: SackRxCsr) {
        self.registers = csr;
        self.csr = Csr::from(&csr);
    }

    /// The state of a connection below `connections`.
    #[inline]
    pub fn state(&self, connection: u32) -> State<Concrete, S, N, L> {
        self.states.get(connection).get()
    }

    /// Handles one event. Its connection must be below `connections`: the port is no wider.
    #[inline(always)]
    pub fn step(&mut self, event: &Event) -> Outcome {
        let published = self.state(event.connection).published;
        self.step_seeing(&published, event)
    }

    /// Handles one event that found `published` when it entered.
    #[inline(always)]
    pub(super) fn step_seeing(&mut self, published: &Published<Concrete, N>, event: &Event) -> Outcome {
        let row = self.states.row(event.connection);
        let (state, stimulus) = (row.get(), event.stimulus());
        let (after, action) = match event.kind {
            // A shortcut for the compiler: with a constant kind it leaves out code for other events.
            Kind::Data if published.open.value() == 1 => {
                let published = Published { open: Bits::lit(1), ..*published };
                let stimulus = Stimulus { kind: Bits::lit(Kind::Data as u128), ..stimulus };
                step(&self.csr, &published, &state, &stimulus)
            }
            _ => step(&self.csr, published, &state, &stimulus),
        };
        row.set(after);
        Outcome {
            kind: event.kind,
            connection: event.connection,
            accepted: action.accepted.value() == 1,
            verdict: Verdict::ALL[action.verdict.value() as usize],
            response: Response::ALL[action.response.value() as usize],
            ce: event.ce,
            bitmap: words(action.bitmap),
            expected: after.published.expected.value() as u32,
            psn: event.psn,
            messages: after.published.messages.value() as u32,
            received: (after.tail.bytes + Bits::lit(255)).slice::<8, 24>().value() as u32,
            tag: event.tag,
            completed: action.completed.value() as u16,
            out_of_order: action.out_of_order.value() as u8,
            waited: action.waited.value() as u8,
        }
    }
}

#[inline(always)]
fn words(ring: Ring<Concrete>) -> [u64; 4] {
    let [low, high] = ring.limbs.map(Bits::value);
    [low as u64, (low >> 64) as u64, high as u64, (high >> 64) as u64]
}
