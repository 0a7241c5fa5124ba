//! `weft_registers_bus`: AXI4-Lite, one access at a time. The block looks the word up in all pages, then
//! answers, and writes.

use crate::prelude::*;

/// Response: all is well.
const OKAY: u64 = 0;
/// Response: the access is refused.
const SLVERR: u64 = 2;

/// AXI4-Lite, one access at a time: looks the word up in all pages, then answers, and writes. Address and
/// data of a write arrive in any order. Reads and writes that wait take turns. All outputs are registers or
/// functions of registers.
#[derive(LogicBlock, BlockDefault)]
pub struct Bus {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// Write address.
    pub awaddr: Signal<In, Bits<16>>,
    /// The host offers a write address.
    pub awvalid: Signal<In, Bit>,
    /// The NIC accepts the write address.
    pub awready: Signal<Out, Bit>,
    /// Write data.
    pub wdata: Signal<In, Bits<32>>,
    /// Bit i: byte i of the data is written.
    pub wstrb: Signal<In, Bits<4>>,
    /// The host offers write data.
    pub wvalid: Signal<In, Bit>,
    /// The NIC accepts the write data.
    pub wready: Signal<Out, Bit>,
    /// Result of the write.
    pub bresp: Signal<Out, Bits<2>>,
    /// The NIC offers the result of the write.
    pub bvalid: Signal<Out, Bit>,
    /// The host accepts the result of the write.
    pub bready: Signal<In, Bit>,
    /// Read address.
    pub araddr: Signal<In, Bits<16>>,
    /// The host offers a read address.
    pub arvalid: Signal<In, Bit>,
    /// The NIC accepts the read address.
    pub arready: Signal<Out, Bit>,
    /// The word read.
    pub rdata: Signal<Out, Bits<32>>,
    /// Result of the read.
    pub rresp: Signal<Out, Bits<2>>,
    /// The NIC offers the word read.
    pub rvalid: Signal<Out, Bit>,
    /// The host accepts the word read.
    pub rready: Signal<In, Bit>,
    /// Offset of the access, in words.
    pub at: Signal<Out, Bits<14>>,
    /// A read waits for its word.
    pub reads: Signal<Out, Bit>,
    /// Two clocks after `at`: the word is not ready yet; the read waits.
    pub late: Signal<In, Bit>,
    /// Two clocks after `at`: a page has this word.
    pub found: Signal<In, Bit>,
    /// Two clocks after `at`: the word may be written.
    pub writable: Signal<In, Bit>,
    /// Two clocks after `at`: the word.
    pub word: Signal<In, Bits<32>>,
    /// Write `data` at `at`.
    pub write: Signal<Out, Bit>,
    /// Data of the write: before the answer the data of the bus.
    /// After the answer the bytes that are not written have their present values.
    pub data: Signal<Out, Bits<32>>,
    /// All bytes are to be written.
    pub whole: Signal<Out, Bit>,

    #[new(OKAY.to_bits())]
    okay: Constant<Bits<2>>,
    #[new(SLVERR.to_bits())]
    slverr: Constant<Bits<2>>,
    address_here: Reg<Bit>,
    address: Pipe<Bits<14>>,
    data_here: Reg<Bit>,
    read_here: Reg<Bit>,
    read_address: Pipe<Bits<14>>,
    strobes: Pipe<Bits<4>>,
    merged: Pipe<Bits<32>>,
    kept: [Signal<Local, Bits<8>>; 4],
    keeps: Signal<Local, Bits<32>>,
    write_waits: Signal<Local, Bit>,
    idle: Signal<Local, Bit>,
    begin_write: Signal<Local, Bit>,
    begin_read: Signal<Local, Bit>,
    writing: Reg<Bit>,
    offset: Pipe<Bits<14>>,
    looking: Reg<Bit>,
    answering: Reg<Bit>,
    answer_write: Signal<Local, Bit>,
    reading: Signal<Local, Bit>,
    answer_read: Signal<Local, Bit>,
    pulse: Reg<Bit>,
    write_done: Reg<Bit>,
    write_response: Reg<Bits<2>>,
    write_over: Signal<Local, Bit>,
    read_done: Reg<Bit>,
    read_response: Reg<Bits<2>>,
    read_data: Reg<Bits<32>>,
    read_over: Signal<Local, Bit>,
}

impl Logic for Bus {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        // One address and one word each wait here until the host accepts their answer.
        self.write_over.next = self.write_done.q.val() & self.bready.val();
        self.read_over.next = self.read_done.q.val() & self.rready.val();
        self.address_here.reg = when(self.awvalid.val() | self.write_over.val(), !self.write_over.val());
        self.address.pipe = when(!self.address_here.q.val(), self.awaddr.val().get_bits::<14>(2));
        self.data_here.reg = when(self.wvalid.val() | self.write_over.val(), !self.write_over.val());
        self.strobes.pipe = when(!self.data_here.q.val(), self.wstrb.val());
        self.read_here.reg = when(self.arvalid.val() | self.read_over.val(), !self.read_over.val());
        self.read_address.pipe = when(!self.read_here.q.val(), self.araddr.val().get_bits::<14>(2));
        self.awready.next = !self.address_here.q.val();
        self.wready.next = !self.data_here.q.val();
        self.arready.next = !self.read_here.q.val();

        // Choose; a read that waits comes after a write.
        self.idle.next = !self.looking.q.val()
            & !self.answering.q.val()
            & !self.write_done.q.val()
            & !self.read_done.q.val();
        self.write_waits.next = self.address_here.q.val() & self.data_here.q.val();
        self.begin_write.next =
            self.idle.val() & self.write_waits.val() & !(self.read_here.q.val() & self.writing.q.val());
        self.begin_read.next =
            self.idle.val() & self.read_here.q.val() & !(self.write_waits.val() & !self.writing.q.val());
        self.writing.reg = when(self.begin_write.val() | self.begin_read.val(), self.begin_write.val());
        self.offset.pipe = when(
            self.idle.val(),
            if self.begin_write.val() { self.address.q.val() } else { self.read_address.q.val() },
        );
        self.at.next = self.offset.q.val();

        // The pages look the word up.
        self.looking.reg = self.begin_write.val() | self.begin_read.val();
        self.reading.next = self.answering.q.val() & !self.writing.q.val();
        self.reads.next = self.reading.val();
        self.answering.reg = self.looking.q.val() | (self.reading.val() & self.late.val());
        self.answer_write.next = self.answering.q.val() & self.writing.q.val();
        self.answer_read.next = self.reading.val() & !self.late.val();

        // Bytes and bits that are not written keep their values.
        for b in 0..4 {
            self.kept[b].next = if self.strobes.q.val().get_bit(b) { 0.into() } else { bits::<8>(255) };
        }
        self.keeps.next = bit_cast::<32, 8>(self.kept[0].val())
            | (bit_cast::<32, 8>(self.kept[1].val()) << 8)
            | (bit_cast::<32, 8>(self.kept[2].val()) << 16)
            | (bit_cast::<32, 8>(self.kept[3].val()) << 24);
        self.merged.pipe = when(
            !self.data_here.q.val() | self.answer_write.val(),
            if self.data_here.q.val() {
                (self.word.val() & self.keeps.val()) | (self.merged.q.val() & !self.keeps.val())
            } else {
                self.wdata.val()
            },
        );
        self.data.next = self.merged.q.val();
        self.whole.next = self.strobes.q.val().all();
        self.pulse.reg = self.answer_write.val() & self.writable.val();
        self.write.next = self.pulse.q.val();

        // The answers.
        self.write_done.reg = when(self.answer_write.val() | self.write_over.val(), self.answer_write.val());
        self.write_response.reg = when(
            self.answer_write.val(),
            if self.writable.val() { self.okay.val() } else { self.slverr.val() },
        );
        self.bvalid.next = self.write_done.q.val();
        self.bresp.next = self.write_response.q.val();
        self.read_done.reg = when(self.answer_read.val() | self.read_over.val(), self.answer_read.val());
        self.read_response.reg =
            when(self.answer_read.val(), if self.found.val() { self.okay.val() } else { self.slverr.val() });
        self.read_data.reg = when(self.answer_read.val(), self.word.val());
        self.rvalid.next = self.read_done.q.val();
        self.rresp.next = self.read_response.q.val();
        self.rdata.next = self.read_data.q.val();
    }
}
