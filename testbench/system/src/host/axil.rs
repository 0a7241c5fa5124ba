//! An AXI4-Lite master: one access at a time, in order.

use super::breach::Breach;
use std::collections::VecDeque;
use weft_nic::nic::{AxilInputs, AxilOutputs};

/// An access to a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Write all four bytes.
    Write(u16, u32),
    /// Read.
    Read(u16),
}

/// The master. The master offers address and data of a write together, and holds each until the slave accepts
/// it.
#[derive(Clone, Debug, Default)]
pub struct Axil {
    waiting: VecDeque<Access>,
    under_way: Option<UnderWay>,
}

#[derive(Clone, Copy, Debug)]
struct UnderWay {
    access: Access,
    address_taken: bool,
    data_taken: bool,
}

impl Axil {
    /// Appends an access.
    pub fn push(&mut self, access: Access) {
        self.waiting.push_back(access);
    }

    /// Whether all accesses have been answered.
    pub fn is_idle(&self) -> bool {
        self.waiting.is_empty() && self.under_way.is_none()
    }

    /// One clock. `inputs` are those that the master applies; the result is the accepted answer: the value of
    /// a read, or 0 for a write.
    pub fn clock(&mut self, bus: &AxilOutputs) -> Result<(AxilInputs, Option<(Access, u32)>), Breach> {
        let mut inputs = AxilInputs::default();
        if self.under_way.is_none() {
            let next = self.waiting.pop_front();
            self.under_way = next.map(|access| UnderWay { access, address_taken: false, data_taken: false });
        }
        let Some(UnderWay { access, address_taken, data_taken }) = &mut self.under_way else {
            return Ok((inputs, None));
        };
        let access = *access;
        let (done, address, response, value) = match access {
            Access::Write(address, value) => {
                inputs.write_address = (!*address_taken).then_some(address);
                inputs.write_data = (!*data_taken).then_some((value, 0xF));
                inputs.write_ready = *address_taken && *data_taken;
                *address_taken |= bus.write_address_ready;
                *data_taken |= bus.write_data_ready;
                (inputs.write_ready && bus.write_done, address, bus.write_response, 0)
            }
            Access::Read(address) => {
                inputs.read_address = (!*address_taken).then_some(address);
                inputs.read_ready = *address_taken;
                *address_taken |= bus.read_address_ready;
                (inputs.read_ready && bus.read_done, address, bus.read_response, bus.read_data)
            }
        };
        if !done {
            return Ok((inputs, None));
        }
        if response != 0 {
            return Err(Breach::Register { address, response });
        }
        self.under_way = None;
        Ok((inputs, Some((access, value))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Registers that accept address and data, and answer, at odd times. Address 0xF00 does not exist.
    #[derive(Default)]
    struct Registers {
        words: BTreeMap<u16, u32>,
        address: Option<u16>,
        data: Option<u32>,
        clock: u32,
        out: AxilOutputs,
    }

    impl Registers {
        fn clock(&mut self, inputs: &AxilInputs) {
            let out = &mut self.out;
            out.write_done &= !inputs.write_ready;
            out.read_done &= !inputs.read_ready;
            if out.write_address_ready {
                self.address = inputs.write_address.or(self.address);
            }
            if out.write_data_ready {
                self.data = inputs.write_data.map(|(data, _)| data).or(self.data);
            }
            if let (Some(address), Some(data), false) = (self.address, self.data, out.write_done) {
                self.words.insert(address, data);
                (self.address, self.data) = (None, None);
                out.write_done = true;
                out.write_response = if address == 0xF00 { 2 } else { 0 };
            }
            if let (true, Some(address)) = (out.read_address_ready, inputs.read_address) {
                out.read_done = true;
                out.read_data = self.words[&address];
            }
            self.clock += 1;
            out.write_address_ready = self.clock.is_multiple_of(3) && self.address.is_none();
            out.write_data_ready = self.clock.is_multiple_of(5) && self.data.is_none();
            out.read_address_ready = self.clock.is_multiple_of(7) && !out.read_done;
        }
    }

    fn run(accesses: &[Access]) -> Result<Vec<(Access, u32)>, Breach> {
        let (mut registers, mut axil, mut answers) = (Registers::default(), Axil::default(), Vec::new());
        accesses.iter().for_each(|access| axil.push(*access));
        while !axil.is_idle() {
            let (inputs, answer) = axil.clock(&registers.out)?;
            answers.extend(answer);
            registers.clock(&inputs);
        }
        Ok(answers)
    }

    #[test]
    fn accesses_are_answered_in_order() {
        use Access::{Read, Write};
        let answers = run(&[Write(0, 7), Write(4, 8), Read(0), Write(0, 9), Read(4), Read(0)]);
        let due =
            [(Write(0, 7), 0), (Write(4, 8), 0), (Read(0), 7), (Write(0, 9), 0), (Read(4), 8), (Read(0), 9)];
        assert_eq!(answers, Ok(due.to_vec()));
    }

    #[test]
    fn an_error_is_told() {
        let refused = Breach::Register { address: 0xF00, response: 2 };
        assert_eq!(run(&[Access::Write(0, 1), Access::Write(0xF00, 1)]), Err(refused));
    }
}
