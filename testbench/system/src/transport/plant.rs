//! Deliberate faults between the blocks and the checkers: a check that cannot fail proves nothing.

use super::message::Arrival;
use weft_nic::block::sack_rx::{self, Response, Verdict};
use weft_nic::block::sack_tx;

/// A fault of a block, of the NIC around it, or of the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plant {
    /// The receiver reports a duplicate as new, and its payload is written again.
    DoubleWrite,
    /// Payloads go to an address that belongs to no message.
    WrongAddress,
    /// The first bit of payloads flips after the ICRC was checked.
    WrongPayload,
    /// The receiver reports incomplete messages as complete.
    Holes,
    /// The receiver does not report the completion of messages.
    LostCompletion,
    /// The receiver does not answer a trimmed packet.
    LostNack,
    /// The receiver's bitmap reports the first missing packet as received.
    WrongBitmap,
    /// ACKs acknowledge one packet more than has arrived.
    EarlyAck,
    /// The sender reports messages twice.
    DoubleCompletion,
    /// The sender counts one packet less in flight.
    Miscount,
    /// The sender skips a PSN.
    SkippedPsn,
    /// The sender sends packets again that are in flight.
    Again,
    /// ACKs go to the neighbour of their connection.
    Misroute,
    /// The sender counts one packet too many for a message.
    LongMessage,
    /// The sender uses four times the given window.
    WideWindow,
    /// The time that the sender sees does not advance.
    StoppedClock,
    /// The network drops all packets of connection 0.
    Blackout,
    /// An event also changes the connection after its own.
    Leak,
    /// A bug in the RTL of the sender.
    Sender(&'static weft_bench::Plant),
    /// A bug in the RTL of the receiver.
    Receiver(&'static weft_bench::Plant),
}

impl Plant {
    /// Faults outside the RTL, with their names on the command line.
    pub const OUTSIDE: [(&'static str, Plant); 18] = [
        ("double-write", Plant::DoubleWrite),
        ("wrong-address", Plant::WrongAddress),
        ("wrong-payload", Plant::WrongPayload),
        ("holes", Plant::Holes),
        ("lost-completion", Plant::LostCompletion),
        ("lost-nack", Plant::LostNack),
        ("wrong-bitmap", Plant::WrongBitmap),
        ("early-ack", Plant::EarlyAck),
        ("double-completion", Plant::DoubleCompletion),
        ("miscount", Plant::Miscount),
        ("skipped-psn", Plant::SkippedPsn),
        ("again", Plant::Again),
        ("misroute", Plant::Misroute),
        ("long-message", Plant::LongMessage),
        ("wide-window", Plant::WideWindow),
        ("stopped-clock", Plant::StoppedClock),
        ("blackout", Plant::Blackout),
        ("leak", Plant::Leak),
    ];

    /// All faults, with their names on the command line.
    pub fn all() -> Vec<(String, Plant)> {
        let outside = Self::OUTSIDE.map(|(name, plant)| (name.to_owned(), plant));
        let sender = weft_blocks::sack_tx::plant::PLANTS.iter();
        let sender = sender.map(|plant| (format!("sender-{}", plant.name), Plant::Sender(plant)));
        let receiver = weft_blocks::sack_rx::plant::PLANTS.iter();
        let receiver = receiver.map(|plant| (format!("receiver-{}", plant.name), Plant::Receiver(plant)));
        outside.into_iter().chain(sender).chain(receiver).collect()
    }

    /// The bug in the RTL of the sender.
    pub(super) fn in_the_sender(self) -> Option<&'static weft_bench::Plant> {
        if let Plant::Sender(plant) = self { Some(plant) } else { None }
    }

    /// The bug in the RTL of the receiver.
    pub(super) fn in_the_receiver(self) -> Option<&'static weft_bench::Plant> {
        if let Plant::Receiver(plant) = self { Some(plant) } else { None }
    }

    pub(super) fn arrival(self, arrival: &mut Arrival) {
        match self {
            Plant::WrongAddress => arrival.address |= 1 << 63,
            Plant::WrongPayload => arrival.payload.iter_mut().take(1).for_each(|byte| *byte ^= 1),
            _ => {}
        }
    }

    pub(super) fn receiver_outcome(self, outcome: &mut sack_rx::Outcome) {
        let placed = outcome.verdict == Verdict::Placed;
        match self {
            Plant::DoubleWrite if outcome.verdict == Verdict::Duplicate => outcome.verdict = Verdict::Placed,
            Plant::Holes if placed => outcome.completed += 1,
            Plant::LostCompletion => outcome.completed = 0,
            Plant::LostNack if outcome.response == Response::Nack => outcome.response = Response::None,
            Plant::WrongBitmap if placed => outcome.bitmap[0] |= 1,
            _ => {}
        }
    }

    /// Changes an ACK or NACK to the sender.
    pub(super) fn control(self, event: &mut sack_tx::Event) {
        if self == Plant::EarlyAck && event.kind == sack_tx::Kind::Ack {
            event.psn = event.psn.wrapping_add(1) & 0xFF_FFFF;
            event.bitmap = [0; 4];
        }
    }

    /// Changes an event to the sender.
    pub(super) fn sender_event(self, event: &mut sack_tx::Event) {
        match (self, event.kind) {
            (Plant::Misroute, sack_tx::Kind::Ack) => event.connection ^= 1,
            (Plant::LongMessage, sack_tx::Kind::Post) => event.packets += 1,
            (Plant::WideWindow, sack_tx::Kind::Window) => event.cwnd_bytes *= 4,
            _ => {}
        }
    }

    pub(super) fn sender_outcome(self, outcome: &mut sack_tx::Outcome) {
        match self {
            Plant::DoubleCompletion => outcome.completed *= 2,
            Plant::Miscount => outcome.in_flight = outcome.in_flight.saturating_sub(1),
            Plant::SkippedPsn if outcome.fresh => outcome.psn = outcome.psn.wrapping_add(1) & 0xFF_FFFF,
            Plant::Again if outcome.fresh && outcome.in_flight > 1 => {
                (outcome.fresh, outcome.last) = (false, false);
                outcome.psn = outcome.psn.wrapping_sub(1) & 0xFF_FFFF;
            }
            _ => {}
        }
    }

    /// Time that the sender sees.
    pub(super) fn now(self, now_ticks: u32) -> u32 {
        if self == Plant::StoppedClock { 0 } else { now_ticks }
    }
}
