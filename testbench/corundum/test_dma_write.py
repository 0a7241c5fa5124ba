"""Tests of weft_dma_write against the model of the engine."""

import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge

from engine import WriteEngine
from memory import Memory
from streams import Source, figure, words

LONG = os.environ.get("WEFT_LONG") == "1"


class Bench:
    def __init__(self, dut, seed, rate=1.0, **engine):
        self.dut, self.rng, self.memory = dut, random.Random(seed), Memory(seed)
        cocotb.start_soon(Clock(dut.clk, 4, unit="ns").start())
        self.write = Source(dut, "s_axis_write", self.rng, rate)
        self.engine = WriteEngine(dut, self.rng, self.memory, **engine)
        self.sent, self.committed = [], []
        self.engine.on_commit = lambda job, data: self.committed.append((job, data, self.engine.now))

    async def reset(self):
        self.dut.rst.value = 1
        await ClockCycles(self.dut.clk, 4)
        self.dut.rst.value = 0
        await ClockCycles(self.dut.clk, 2)

    def send(self, address, data):
        self.sent.append((address, data))
        self.write.send(words(data, user=len(data) << 64 | address))

    async def all(self, clocks):
        """Waits until all data is written. Checks the order and the bytes, and that no other bytes are written."""
        for _ in range(clocks // 10):
            await ClockCycles(self.dut.clk, 10)
            if len(self.committed) == len(self.sent) and not self.engine.under_way:
                break
        await ClockCycles(self.dut.clk, 50)
        assert len(self.committed) == len(self.sent), f"{len(self.committed)} writes of {len(self.sent)}"
        for i, ((address, data), (job, wrote, _)) in enumerate(zip(self.sent, self.committed)):
            assert (job.dma, job.length) == (address, len(data)), f"packet {i}"
            assert wrote == data, f"packet {i}: wrong bytes"
        assert self.dut.s_axis_write_tready.value == 1 and not self.engine.under_way


@cocotb.test()
async def any_length_to_any_address(dut):
    """Every offset of an address, lengths up to 8 KiB, stalls everywhere."""
    bench = Bench(dut, 1, rate=0.8, ready=0.6, stall=0.3)
    await bench.reset()
    lengths = list(range(1, 8193, 3)) if LONG else [*range(1, 66), 127, 128, 129, 1024, 4095, 4096, 4097, 8191, 8192]
    bench.rng.shuffle(lengths)
    for i, length in enumerate(lengths):
        bench.send((bench.rng.getrandbits(57) << 6) + i % 64, bench.rng.randbytes(length))
    await bench.all(300 * len(lengths) if LONG else 20_000)


@cocotb.test()
async def errors_are_told(dut):
    """A pulse for every failed write. Later writes continue."""
    bench = Bench(dut, 2, stall=0.2, error_rate=0.3)
    await bench.reset()
    pulses = 0

    async def count():
        nonlocal pulses
        while True:
            await RisingEdge(dut.clk)
            pulses += int(dut.failed.value == 1)

    cocotb.start_soon(count())
    for _ in range(1000 if LONG else 100):
        bench.send(bench.rng.getrandbits(63), bench.rng.randbytes(bench.rng.choice((1, 16, 64, 65, 200))))
    await bench.all(100_000 if LONG else 15_000)
    assert pulses == sum(job.error != 0 for job, _, _ in bench.committed) > 0


@cocotb.test()
@cocotb.parametrize((("length", "fit"), [(4096, 16), (100, 64)]))
async def a_full_ring_waits(dut, length, fit):
    """At most 64 KiB or 64 packets: words are free again only when the status has arrived."""
    bench = Bench(dut, 3, depth=100)
    await bench.reset()
    bench.engine.hold_status = True
    for i in range(fit + 10):
        bench.send(0x1000 * i, bench.rng.randbytes(length))
    await ClockCycles(dut.clk, 2500)
    assert dut.s_axis_write_tready.value == 0 and len(bench.engine.under_way) == fit
    bench.engine.hold_status = False
    await bench.all(10_000)


@cocotb.test()
@cocotb.parametrize((("length", "count"), [(4096, 40), (1024, 120), (256, 240)] if LONG else [(4096, 40)]))
async def rates(dut, length, count):
    """100 Gb/s with 1 us until the status, and 32 writes under way."""
    bench = Bench(dut, 4, latency=(125, 125))
    await bench.reset()
    for i in range(count):
        bench.send(8192 * i, bench.rng.randbytes(length))
    await bench.all(30_000)
    clocks = [at for _, _, at in bench.committed]
    first = count // 3
    rate = (count - 1 - first) * length / (clocks[-1] - clocks[first]) * 8 / 4
    figure(dut, f"{length} bytes: {rate:.1f} Gb/s at 250 MHz, {bench.engine.most} under way")
    # 32 writes of 256 bytes in 1 us are 65 Gb/s, regardless of their source.
    assert rate > (100 * length / (length + 114) if length > 256 else 60)


@cocotb.test()
async def latency(dut):
    """From the last word to the descriptor; from a command to the word."""
    bench = Bench(dut, 5)
    await bench.reset()
    bench.engine.ready = 1.0
    seen, clocks = {}, 0
    bench.send(0x1234, bytes(range(100)))
    names = {"last": ("s_axis_write_tvalid", "s_axis_write_tlast"), "desc": ("m_axis_desc_valid",),
             "command": ("ram_rd_cmd_valid",), "answer": ("ram_rd_resp_valid",)}
    while len(seen) < len(names):
        await RisingEdge(dut.clk)
        clocks += 1
        for name, signals in names.items():
            if name not in seen and all(int(getattr(dut, signal).value) for signal in signals):
                seen[name] = clocks
    given, answered = seen["desc"] - seen["last"], seen["answer"] - seen["command"]
    figure(dut, f"{given} clocks from the last word to the descriptor, {answered} from a command to its word")
    assert (given, answered) == (2, 2)
    await bench.all(1000)
