//! The driver. The driver brings the NIC up by its registers, then posts work and empties the ring by the
//! registers of the queues.

use super::block::Block;
use super::books::{Books, ENTRIES, Message, RING, key};
use crate::host::axil::{Access, Axil};
use crate::host::driver::Driver;
use crate::host::registers::RegisterDriver;
use weft_nic::words::{AxilInputs, AxilOutputs};
use weft_random::Rng;

/// The register window of the queues (page `docs/corundum.md`).
const WINDOW: u64 = 0x1_0000;
const RING_BASE: u16 = 0x10;
const RING_SIZE: u16 = 0x18;
const RING_HEAD: u16 = 0x1C;
const WRITE_ERRORS: u16 = 0x08;
const WORK_ROOM: u16 = 0x24;
const WORK_LOST: u16 = 0x28;
const WORK: u16 = 0x40;
const POST: u16 = 0x60;
const PATIENCE: [u32; 4] = [1, 10, 100, 5_000];

/// The driver of the queues.
pub(super) struct Queues {
    card: usize,
    rng: Rng,
    pub(super) nic: RegisterDriver,
    axil: Axil,
    /// The ring is set up.
    begun: bool,
    /// Work requests that the queue has space for.
    room: u32,
    /// Further accesses before the driver reads the ring again. The ring may fill up meanwhile.
    patience: u32,
    /// Registers that the driver reads at the end. The values of these registers must be 0.
    checks: Vec<u16>,
}

impl Queues {
    pub(super) fn new(card: usize, nic: RegisterDriver, rng: Rng) -> Self {
        Self { card, rng, nic, axil: Axil::default(), begun: false, room: 0, patience: 0, checks: Vec::new() }
    }

    /// Whether no register access is in progress.
    pub(super) fn is_idle(&self) -> bool {
        self.nic.is_idle() && self.axil.is_idle()
    }

    fn write(&mut self, offset: u16, value: u32) {
        self.axil.push(Access::Write(offset, value));
    }

    /// Requests the registers that must be 0 at the end.
    pub(super) fn check(&mut self) {
        self.checks = vec![WRITE_ERRORS, WORK_LOST];
        for offset in [WRITE_ERRORS, WORK_LOST] {
            self.axil.push(Access::Read(offset));
        }
    }

    /// Begins the next access.
    fn next(&mut self, books: &mut Books) {
        self.patience = self.patience.saturating_sub(1);
        if !self.begun {
            self.begun = true;
            self.write(RING_BASE, RING as u32);
            self.write(RING_BASE + 4, (RING >> 32) as u32);
            self.write(RING_SIZE, 1 << 31 | ENTRIES.ilog2());
        } else if self.patience == 0
            && let Some(entries) = books.new_entries(self.card)
        {
            books.done(self.card, entries);
            self.patience = *self.rng.pick(&PATIENCE);
            self.write(RING_HEAD, entries.into());
        } else if self.room == 0 {
            self.axil.push(Access::Read(WORK_ROOM));
        } else if let Some(message) = books.post(self.card) {
            self.post(&message);
            self.room -= 1;
        }
    }

    fn post(&mut self, message: &Message) {
        let halves = |address: u64| [address as u32, (address >> 32) as u32];
        let [[local, local_high], [remote, remote_high]] = [message.source, message.target].map(halves);
        let key = key(1 - self.card, message.connection);
        let immediate = message.immediate.unwrap_or_default();
        let work = [local, local_high, remote, remote_high, key, message.bytes, immediate, message.id];
        for (offset, word) in (WORK..).step_by(4).zip(work) {
            self.write(offset, word);
        }
        self.write(POST, message.connection | u32::from(message.immediate.is_some()) << 31);
    }

    /// Applies the driver's inputs of this clock.
    pub(super) fn drive(&mut self, block: &mut Block, books: &mut Books) -> Result<(), String> {
        let bus = AxilOutputs {
            write_address_ready: block.s_axil_app_ctrl_awready() == 1,
            write_data_ready: block.s_axil_app_ctrl_wready() == 1,
            write_done: block.s_axil_app_ctrl_bvalid() == 1,
            write_response: block.s_axil_app_ctrl_bresp() as u8,
            read_address_ready: block.s_axil_app_ctrl_arready() == 1,
            read_done: block.s_axil_app_ctrl_rvalid() == 1,
            read_data: block.s_axil_app_ctrl_rdata() as u32,
            read_response: block.s_axil_app_ctrl_rresp() as u8,
        };
        let to_nic = !self.nic.is_idle() && self.axil.is_idle();
        let (inputs, window) = if to_nic {
            (self.nic.poll(&bus).map_err(|breach| breach.to_string())?, 0)
        } else {
            if self.axil.is_idle() {
                self.next(books);
            }
            let (inputs, answer) = self.axil.clock(&bus).map_err(|breach| breach.to_string())?;
            self.answered(answer)?;
            (inputs, WINDOW)
        };
        let AxilInputs { write_address, write_data, write_ready, read_address, read_ready } = inputs;
        block.s_axil_app_ctrl_awvalid(write_address.is_some().into());
        block.s_axil_app_ctrl_awaddr(window | u64::from(write_address.unwrap_or_default()));
        block.s_axil_app_ctrl_wvalid(write_data.is_some().into());
        block.s_axil_app_ctrl_wdata(write_data.unwrap_or_default().0.into());
        block.s_axil_app_ctrl_wstrb(write_data.unwrap_or_default().1.into());
        block.s_axil_app_ctrl_bready(write_ready.into());
        block.s_axil_app_ctrl_arvalid(read_address.is_some().into());
        block.s_axil_app_ctrl_araddr(window | u64::from(read_address.unwrap_or_default()));
        block.s_axil_app_ctrl_rready(read_ready.into());
        Ok(())
    }

    fn answered(&mut self, answer: Option<(Access, u32)>) -> Result<(), String> {
        match answer {
            Some((Access::Read(WORK_ROOM), room)) => self.room = room,
            Some((Access::Read(offset), value)) if self.checks.contains(&offset) && value != 0 => {
                return Err(format!("register {offset:#x} of the queues is {value}"));
            }
            _ => {}
        }
        Ok(())
    }
}
