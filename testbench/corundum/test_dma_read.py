"""Tests of weft_dma_read against the model of the engine."""

import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge

from engine import ReadEngine
from memory import Memory
from streams import Sink, Source, figure

LONG = os.environ.get("WEFT_LONG") == "1"


class Bench:
    def __init__(self, dut, seed, rate=1.0, ready=1.0, **engine):
        self.dut, self.rng, self.memory = dut, random.Random(seed), Memory(seed)
        cocotb.start_soon(Clock(dut.clk, 4, unit="ns").start())
        self.fetch = Source(dut, "s_axis_fetch", self.rng, rate)
        self.read = Sink(dut, "m_axis_read", self.rng, ready)
        self.engine = ReadEngine(dut, self.rng, self.memory, **engine)
        self.asked, self.taken = [], []
        self.engine.on_take = self.taken.append

    async def reset(self):
        self.dut.rst.value = 1
        await ClockCycles(self.dut.clk, 4)
        self.dut.rst.value = 0
        await ClockCycles(self.dut.clk, 2)

    def ask(self, address, length):
        self.asked.append((address, length))
        self.fetch.send([dict(tdata=length << 64 | address)])

    async def all(self, clocks, first=0):
        """Waits for all packets from a number on, checks them and returns them."""
        got, asked = [], self.asked[first:]
        for _ in range(clocks // 10):
            await ClockCycles(self.dut.clk, 10)
            got += self.read.frames()
            if len(got) == len(asked):
                break
        assert len(got) == len(asked), f"{len(got)} packets of {len(asked)}"
        for i, ((address, length), (data, bad, _), job) in enumerate(zip(asked, got, self.taken[first:])):
            assert (job.dma, job.length) == (address, length)
            assert len(data) == length, f"packet {i}: {len(data)} bytes of {length}"
            assert bad == int(job.error != 0), f"packet {i}: tuser {bad}, status {job.error}"
            assert bad or data == self.memory.read(address, length), f"packet {i}: wrong bytes"
        await ClockCycles(self.dut.clk, 50)
        assert not self.read.words and not self.engine.under_way
        return got


@cocotb.test()
async def any_length_from_any_address(dut):
    """Every offset of an address, lengths up to 8 KiB; statuses in any order, stalls everywhere."""
    bench = Bench(dut, 1, rate=0.7, ready=0.8, stall=0.2)
    bench.engine.ready = 0.6
    await bench.reset()
    lengths = list(range(1, 8193, 3)) if LONG else [*range(1, 66), 127, 128, 129, 1024, 4095, 4096, 4097, 8191, 8192]
    bench.rng.shuffle(lengths)
    for i, length in enumerate(lengths):
        bench.ask((bench.rng.getrandbits(57) << 6) + i % 64, length)
    await bench.all(600 * len(lengths) if LONG else 30_000)


@cocotb.test()
async def what_fails_is_marked_and_nothing_else(dut):
    bench = Bench(dut, 2, ready=0.7, stall=0.3, error_rate=0.3)
    await bench.reset()
    for _ in range(1500 if LONG else 120):
        bench.ask(bench.rng.getrandbits(63), bench.rng.choice((1, 63, 64, 65, 128, 129, 500)))
    await bench.all(200_000 if LONG else 30_000)
    bad = sum(job.error != 0 for job in bench.taken)
    assert 0 < bad < len(bench.taken)


@cocotb.test()
async def reads_are_under_way_together(dut):
    """As many reads as the NIC can request, 39, and as many as there are slots, before the first status."""
    bench = Bench(dut, 3)
    await bench.reset()
    bench.engine.hold_status = True
    for _ in range(70):
        bench.ask(bench.rng.getrandbits(63), 500)
    await ClockCycles(dut.clk, 1500)
    assert len(bench.engine.under_way) == 64 and dut.s_axis_fetch_tready.value == 0 and not bench.read.words
    bench.engine.hold_status = False
    await bench.all(10_000)
    # Once more: no slot remembers the status of the read before.
    bench.engine.hold_status = True
    for _ in range(64):
        bench.ask(bench.rng.getrandbits(63), 100)
    await ClockCycles(dut.clk, 400)
    assert len(bench.engine.under_way) == 64 and not bench.read.words
    bench.engine.hold_status = False
    await bench.all(10_000, len(bench.asked) - 64)


@cocotb.test()
async def a_full_ring_waits(dut):
    """At most 64 KiB: no bytes are overwritten while the NIC does not accept them."""
    bench = Bench(dut, 4, ready=0.0)
    await bench.reset()
    for _ in range(30):
        bench.ask(bench.rng.getrandbits(63), bench.rng.choice((4096, 4097, 4000)))
    await ClockCycles(dut.clk, 3000)
    rows = sum(-(-length // 128) for _, length in bench.asked[:len(bench.taken)])
    assert 512 - 33 < rows <= 512 + 1 and not bench.engine.under_way
    bench.read.rate = 0.9
    await bench.all(20_000)


@cocotb.test()
@cocotb.parametrize((("length", "count"), [(4096, 40), (1024, 120), (256, 240)] if LONG else [(4096, 40)]))
async def rates(dut, length, count):
    """100 Gb/s of 4 KiB with 1 us of latency: the engine brings 64 bytes a clock, and all of them pass."""
    bench = Bench(dut, 5, latency=(250, 250), shuffle=False)
    await bench.reset()
    for i in range(count):
        bench.ask(0x1000_0000 + 8192 * i, length)
    got = await bench.all(20_000)
    clocks = [frame[-1]["at"] for _, _, frame in got]
    first = count // 3
    rate = (count - 1 - first) * length / (clocks[-1] - clocks[first]) * 8 / 4
    figure(dut, f"{length} bytes: {rate:.1f} Gb/s at 250 MHz, {bench.engine.most} under way")
    # Maximum payload rate at 100 Gb/s: 114 bytes of headers, ICRC, FCS, preamble and gap come with each packet.
    assert rate > 100 * length / (length + 114)


@cocotb.test()
async def latency(dut):
    """From the status to the first word, and from the request to its descriptor."""
    bench = Bench(dut, 6, latency=(20, 20), shuffle=False)
    await bench.reset()
    status = []

    async def watch():
        clocks = 0
        seen = {}
        while True:
            await RisingEdge(dut.clk)
            clocks += 1
            for name in ("s_axis_fetch_tvalid", "m_axis_desc_valid", "s_axis_status_valid", "m_axis_read_tvalid"):
                if getattr(dut, name).value == 1 and name not in seen:
                    seen[name] = clocks
            if len(seen) == 4:
                status.append(seen)
                return

    watcher = cocotb.start_soon(watch())
    bench.ask(0x1234, 100)
    await bench.all(1000)
    await watcher
    seen = status[0]
    asked = seen["m_axis_desc_valid"] - seen["s_axis_fetch_tvalid"]
    given = seen["m_axis_read_tvalid"] - seen["s_axis_status_valid"]
    figure(dut, f"{asked} clocks from request to descriptor, {given} from status to data")
    assert (asked, given) == (2, 4)
