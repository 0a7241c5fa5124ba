"""Tests of weft_queues: the ring as a host sees it, work, buffers, registers."""

import os
import random
import struct

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiLiteBus, AxiLiteMaster

from streams import Sink, Source

LONG = os.environ.get("WEFT_LONG") == "1"
BASE = 0x12_3456_7000
OKAY, SLVERR = 0, 2


class Bench:
    def __init__(self, dut, seed, entry_rate=0.6, work_rate=0.6):
        self.dut, self.rng = dut, random.Random(seed)
        cocotb.start_soon(Clock(dut.clk, 4, unit="ns").start())
        self.axil = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)
        source = lambda name: Source(dut, f"s_axis_{name}", self.rng, 0.5)
        self.received, self.sent, self.event = source("received"), source("sent"), source("event")
        self.entry = Sink(dut, "m_axis_entry", self.rng, entry_rate)
        self.work = Sink(dut, "m_axis_work", self.rng, work_rate)
        self.buffer = Sink(dut, "m_axis_buffer", self.rng, 0.1)
        dut.write_failed.value = 0
        dut.ring_drained.value = 0

    async def start(self, order=None):
        self.dut.rst.value = 1
        await ClockCycles(self.dut.clk, 4)
        self.dut.rst.value = 0
        await ClockCycles(self.dut.clk, 4)
        if order is not None:
            await self.write(0x10, BASE & 0xFFFF_FFFF)
            await self.write(0x14, BASE >> 32)
            await self.write(0x18, 1 << 31 | order)

    async def write(self, offset, value):
        return (await self.axil.write(offset, value.to_bytes(4, "little"))).resp

    async def read(self, offset):
        return await self.axil.read_dword(offset)

    def entries(self):
        out = []
        while self.entry.words:
            word = self.entry.words.popleft()
            address, length = word["tuser"] & (1 << 64) - 1, word["tuser"] >> 64
            assert length == 16
            first, second, kind, last = struct.unpack("<IIII", word["tdata"].to_bytes(16, "little"))
            out.append((address, last >> 31, kind >> 16, kind & 0xFFFF, first, second))
        return out


@cocotb.test()
async def entries_in_rounds(dut):
    """All three kinds, in the order of each; places and phases; a full ring waits for the host."""
    bench = Bench(dut, 1)
    await bench.start(order=3)
    rng, count = bench.rng, 300 if LONG else 25
    told = {1: [], 2: [], 3: []}
    for _ in range(count):
        tid, a, b = rng.randrange(256), rng.getrandbits(32), rng.getrandbits(24)
        told[1].append((tid, a, b))
        bench.received.send([dict(tid=tid, tdata=b << 32 | a)])
        tid, a, b = rng.randrange(256), rng.getrandbits(32), rng.randrange(8)
        told[2].append((tid, a, b))
        bench.sent.send([dict(tid=tid, tdata=a, tuser=b)])
        tid, a = rng.randrange(256), rng.getrandbits(8)
        told[3].append((tid, a, 0))
        bench.event.send([dict(tid=tid, tdata=a)])
    got = []
    while len(got) < 3 * count:
        await ClockCycles(dut.clk, 60)
        new = bench.entries()
        got += new
        # The ring never has more entries than its size that the host has not yet processed.
        assert len(new) == min(8, 3 * count - len(got) + len(new)), "the ring was not filled, or overfilled"
        assert await bench.read(0x20) == len(got)
        assert await bench.write(0x1C, len(got)) == OKAY
    for number, (address, phase, *_rest) in enumerate(got):
        assert (address, phase) == (BASE + 16 * (number % 8), 1 - number // 8 % 2)
    for kind in told:
        assert [entry[3:] for entry in got if entry[2] == kind] == told[kind]
    # The queues take turns: all three have entries nearly always.
    assert max(sum(entry[2] == kind for entry in got[:30]) for kind in told) <= 16


@cocotb.test()
async def nothing_before_the_ring_is_there(dut):
    bench = Bench(dut, 2)
    await bench.start()
    bench.sent.send([dict(tid=1, tdata=2, tuser=3)])
    await ClockCycles(dut.clk, 50)
    assert not bench.entry.words
    await bench.write(0x10, BASE & 0xFFFF_FFFF)
    await bench.write(0x14, BASE >> 32)
    await bench.write(0x18, 1 << 31 | 4)
    await ClockCycles(dut.clk, 50)
    assert bench.entries() == [(BASE, 1, 2, 1, 2, 3)]
    # A new set-up begins again at the first entry.
    await bench.write(0x18, 1 << 31 | 4)
    bench.sent.send([dict(tid=9, tdata=8, tuser=0)])
    await ClockCycles(dut.clk, 50)
    assert bench.entries() == [(BASE, 1, 2, 9, 8, 0)]


@cocotb.test()
async def work_is_posted_by_its_ninth_word(dut):
    bench = Bench(dut, 3, work_rate=0.0)
    await bench.start()
    expected = []
    for number in range(18):
        fields = [bench.rng.getrandbits(32) for _ in range(8)]
        for i, field in enumerate(fields):
            assert await bench.write(0x40 + 4 * i, field) == OKAY
        assert await bench.read(0x24) == 16 - min(number, 16)
        connection, immediate = bench.rng.randrange(256), bench.rng.getrandbits(1)
        assert await bench.write(0x60, immediate << 31 | connection) == (OKAY if number < 16 else SLVERR)
        expected.append((sum(field << 32 * i for i, field in enumerate(fields)), connection, immediate))
    assert await bench.read(0x28) == 2
    bench.work.rate = 0.7
    await ClockCycles(dut.clk, 80)
    assert [(word["tdata"], word["tid"], word["tuser"]) for word in bench.work.words] == expected[:16]
    assert await bench.read(0x24) == 16


@cocotb.test()
async def buffers_errors_and_what_is_no_register(dut):
    bench = Bench(dut, 4)
    await bench.start()
    bench.buffer.rate = 0.0
    await ClockCycles(dut.clk, 2)
    assert await bench.write(0x2C, 2 << 16 | 77) == OKAY
    assert await bench.read(0x2C) == 1 << 31
    assert await bench.write(0x2C, 1 << 16 | 5) == SLVERR
    bench.buffer.rate = 1.0
    await ClockCycles(dut.clk, 5)
    assert await bench.read(0x2C) == 0
    assert [(word["tid"], word["tdata"]) for word in bench.buffer.words] == [(77, 2)]
    dut.write_failed.value = 1
    await ClockCycles(dut.clk, 3)
    dut.write_failed.value = 0
    assert await bench.read(0x08) == 3
    for offset in (0x0C, 0x64, 0x100, 0x400, 0x410, 0xFFFC):
        assert (await bench.axil.read(offset, 4)).resp == SLVERR and await bench.write(offset, 1) == SLVERR
    for offset in (0x00, 0x04, 0x08, 0x20, 0x24, 0x28):
        assert await bench.write(offset, 1) == SLVERR, "read only"
    assert (await bench.axil.write(0x10, b"\x01")).resp == SLVERR, "part of a word"
    assert await bench.write(0x10, 0xFFFF_FFFF) == OKAY and await bench.read(0x10) == 0xFFFF_FFF0


@cocotb.test()
async def a_buffer_that_is_refused_is_not_said(dut):
    """The second of two words about buffers, in each clock around the one in which the NIC accepts the first word. An
    accepted word reaches the NIC once."""
    bench = Bench(dut, 5)
    await bench.start()
    answers = set()
    for clocks in range(24):
        bench.buffer.rate = 0.0
        await ClockCycles(dut.clk, 4)
        assert await bench.write(0x2C, 2 << 16 | clocks) == OKAY
        second = cocotb.start_soon(bench.write(0x2C, 1 << 16 | 100 + clocks))
        await ClockCycles(dut.clk, clocks)
        bench.buffer.rate = 1.0
        answer = await second
        await ClockCycles(dut.clk, 8)
        said = [(word["tid"], word["tdata"]) for word in bench.buffer.words]
        bench.buffer.words.clear()
        assert said == [(clocks, 2), (100 + clocks, 1)][:1 + (answer == OKAY)], f"{clocks} clocks: {said}, answer {answer}"
        answers.add(answer)
    assert answers == {OKAY, SLVERR}, "too weak"


@cocotb.test()
async def connections_that_do_not_exist(dut):
    """Accesses to other registers affect neither work nor buffer."""
    bench = Bench(dut, 6, work_rate=1.0)
    await bench.start()
    bench.buffer.rate = 1.0
    strangers = (256, 0x1FF, 0x8001, 0xFFFF)
    for lost, connection in enumerate(strangers, 1):
        assert await bench.write(0x60, 1 << 31 | connection) == SLVERR
        assert await bench.read(0x28) == lost
        assert await bench.write(0x2C, 1 << 16 | connection) == SLVERR
        assert await bench.read(0x2C) == 0 and await bench.read(0x24) == 16
    assert await bench.write(0x60, 255) == OKAY and await bench.write(0x2C, 255) == OKAY
    await ClockCycles(dut.clk, 20)
    assert [word["tid"] for word in bench.work.words] == [word["tid"] for word in bench.buffer.words] == [255]


@cocotb.test()
async def a_ring_that_begins_anew_drains(dut):
    """Bit 30 is 1 from a write of RING_SIZE until all entries are written, as the writes show."""
    bench = Bench(dut, 7)
    await bench.start()
    begins = 0

    async def count():
        nonlocal begins
        while True:
            await RisingEdge(dut.clk)
            begins += int(dut.ring_begins.value == 1)

    cocotb.start_soon(count())
    assert dut.ring_drains.value == 0
    for number, value in enumerate((1 << 31 | 4, 1 << 31 | 5, 0), 1):
        assert await bench.write(0x18, value) == OKAY
        assert await bench.read(0x18) == value | 1 << 30 and begins == number and dut.ring_drains.value == 1
    assert await bench.write(0x1C, 0) == OKAY
    dut.ring_drained.value = 1
    await ClockCycles(dut.clk, 2)
    dut.ring_drained.value = 0
    assert await bench.read(0x18) == 0 and begins == 3
