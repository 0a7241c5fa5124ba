//! AXI4-Lite, one access at a time (rule 2): it is looked up, then answered, then written.

use super::step::Write;
use crate::words::{AxilInputs, AxilOutputs};

#[derive(Clone, Copy, Debug, Default)]
enum Step {
    #[default]
    Idle,
    /// The word at the offset is being looked up.
    Look,
    /// This was found; `None`: nothing is there.
    Answer(Option<u32>),
    /// The answer is offered.
    Done,
}

/// The bus.
#[derive(Clone, Debug, Default)]
pub(super) struct Bus {
    write_address: Option<u16>,
    write_data: Option<(u32, u8)>,
    read_address: Option<u16>,
    step: Step,
    /// The access is a write; of the last one, while there is none.
    writing: bool,
    /// Offset and word to be written.
    pulse: Option<(u16, u32)>,
    /// The answers on offer; the ports that are ready follow from the rest.
    answer: AxilOutputs,
}

/// The offset of the word; the low two bits do not count (rule 1).
fn word(address: u16) -> u16 {
    address & !3
}

impl Bus {
    /// Offset and word that are written at the next edge.
    pub(super) fn pulse(&self) -> Option<(u16, u32)> {
        self.pulse
    }

    /// The output ports.
    pub(super) fn outputs(&self) -> AxilOutputs {
        AxilOutputs {
            write_address_ready: self.write_address.is_none(),
            write_data_ready: self.write_data.is_none(),
            read_address_ready: self.read_address.is_none(),
            ..self.answer
        }
    }

    /// The offset of the read that waits for its word.
    pub(super) fn reads(&self) -> Option<u16> {
        self.read_address.map(word).filter(|_| !self.writing && matches!(self.step, Step::Answer(_)))
    }

    /// A clock edge. `late`: the word that is read is of a counter, and ready or not yet. `read` gives any other word
    /// at an offset, `accepts` says whether it may be written.
    pub(super) fn clock(
        &mut self,
        inputs: &AxilInputs,
        late: Option<Option<u32>>,
        read: impl FnOnce(u16) -> Option<u32>,
        accepts: impl FnOnce(&Write) -> bool,
    ) {
        let ready = self.outputs();
        self.pulse = None;
        let response = |okay| if okay { 0 } else { 2 };
        let next = match (self.step, self.write_address, self.write_data, self.read_address) {
            (Step::Idle, Some(_), Some(_), read) if read.is_none() || !self.writing => {
                self.writing = true;
                Step::Look
            }
            (Step::Idle, _, _, Some(_)) => {
                self.writing = false;
                Step::Look
            }
            (Step::Look, Some(address), _, _) if self.writing => Step::Answer(read(word(address))),
            (Step::Look, _, _, Some(address)) => Step::Answer(read(word(address))),
            (Step::Answer(found), Some(address), Some((data, strobes)), _) if self.writing => {
                let write = Write { offset: word(address), data, strobes };
                let okay = found.is_some() && accepts(&write);
                self.pulse = okay.then_some((write.offset, write.merged(found.unwrap_or(0))));
                self.answer.write_done = true;
                self.answer.write_response = response(okay);
                Step::Done
            }
            (Step::Answer(found), ..) if late == Some(None) => Step::Answer(found),
            (Step::Answer(found), ..) => {
                let found = late.unwrap_or(found);
                self.answer.read_done = true;
                self.answer.read_response = response(found.is_some());
                self.answer.read_data = found.unwrap_or(0);
                Step::Done
            }
            (Step::Done, ..) if self.writing && inputs.write_ready => {
                self.answer.write_done = false;
                (self.write_address, self.write_data) = (None, None);
                Step::Idle
            }
            (Step::Done, ..) if !self.writing && inputs.read_ready => {
                self.answer.read_done = false;
                self.read_address = None;
                Step::Idle
            }
            (step, ..) => step,
        };
        self.step = next;
        // Ports that were ready take what is offered.
        if ready.write_address_ready {
            self.write_address = inputs.write_address;
        }
        if ready.write_data_ready {
            self.write_data = inputs.write_data;
        }
        if ready.read_address_ready {
            self.read_address = inputs.read_address;
        }
    }
}
