"""Tests of weft_axil_split between a master that does not wait for answers and two slow windows."""

import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge

LONG = os.environ.get("WEFT_LONG") == "1"
WORDS = 4
SLVERR = 2


class Window:
    """Registers behind one of the two ports: writes and reads use separate channels, each at its own speed. A word is
    written before its answer, and read in the clock in which the address is accepted."""

    def __init__(self, bench, number):
        self.bench, self.number, self.words = bench, number, [0] * WORDS
        cocotb.start_soon(self._write())
        cocotb.start_soon(self._read())

    def bit(self, name):
        return int(getattr(self.bench.dut, f"m_axil_{name}").value) >> self.number & 1

    async def drive(self, name, value):
        """Waits some clocks, then reads one bit of a port that both windows have."""
        await ClockCycles(self.bench.dut.clk, self.bench.rng.randint(1, self.bench.slow))
        self.bench.bits(name, self.number, value)

    async def handshake(self, name, ready):
        """Accepts a word some time after it was offered."""
        await self.drive(ready, 1)
        await RisingEdge(self.bench.dut.clk)
        while not self.bit(name):
            await RisingEdge(self.bench.dut.clk)
        self.bench.bits(ready, self.number, 0)

    async def _write(self):
        dut = self.bench.dut
        while True:
            await self.handshake("awvalid", "awready")
            at = int(dut.m_axil_awaddr.value)
            await self.handshake("wvalid", "wready")
            value, strobes = int(dut.m_axil_wdata.value), int(dut.m_axil_wstrb.value)
            self.words[at >> 2 & WORDS - 1] = value
            self.bench.fields("bresp", self.number, 2, strobes & 3)
            await self.drive("bvalid", 1)
            await RisingEdge(dut.clk)
            while not self.bit("bready"):
                await RisingEdge(dut.clk)
            self.bench.bits("bvalid", self.number, 0)

    async def _read(self):
        dut = self.bench.dut
        while True:
            await self.handshake("arvalid", "arready")
            word = self.words[int(dut.m_axil_araddr.value) >> 2 & WORDS - 1]
            self.bench.fields("rdata", self.number, 32, word)
            self.bench.fields("rresp", self.number, 2, word & 3)
            await self.drive("rvalid", 1)
            await RisingEdge(dut.clk)
            while not self.bit("rready"):
                await RisingEdge(dut.clk)
            self.bench.bits("rvalid", self.number, 0)


class Bench:
    """The master. It offers address, data and the address of a read independently, and is ready at random."""

    def __init__(self, dut, seed, slow, rate):
        self.dut, self.rng, self.slow, self.rate, self.driven = dut, random.Random(seed), slow, rate, {}
        cocotb.start_soon(Clock(dut.clk, 4, unit="ns").start())
        for name in ("awready", "wready", "bresp", "bvalid", "arready", "rdata", "rresp", "rvalid"):
            self.driven[name] = 0
            getattr(dut, f"m_axil_{name}").value = 0
        for name in ("awvalid", "wvalid", "bready", "arvalid", "rready", "awaddr", "wdata", "wstrb", "araddr"):
            getattr(dut, f"s_axil_{name}").value = 0

    def fields(self, name, number, width, value):
        mask = (1 << width) - 1
        self.driven[name] = self.driven[name] & ~(mask << width * number) | value << width * number
        getattr(self.dut, f"m_axil_{name}").value = self.driven[name]

    def bits(self, name, number, value):
        self.fields(name, number, 1, value)

    async def start(self):
        self.dut.rst.value = 1
        await ClockCycles(self.dut.clk, 4)
        self.dut.rst.value = 0
        self.windows = [Window(self, number) for number in range(2)]
        await ClockCycles(self.dut.clk, 2)


def value(signal):
    return int(signal.value)


@cocotb.test()
@cocotb.parametrize((("slow", "rate"), [(1, 1.0), (4, 0.5), (9, 0.9), (2, 0.1)]))
async def reads_see_the_writes_before_them(dut, slow, rate):
    """For any waits of the master and the windows: each access is answered once, in order. A read returns the last
    write whose address and data were accepted before the read's address, or a later write."""
    bench = Bench(dut, slow, slow, rate)
    await bench.start()
    rng, count = bench.rng, 4000 if LONG else 400
    writes = [(rng.choice((0, 0x10000, 0x20000)) + 4 * rng.randrange(WORDS), rng.getrandbits(32), rng.getrandbits(4)) for _ in range(count)]
    asked = [rng.choice((0, 0x10000, 0x20000)) + 4 * rng.randrange(WORDS) for _ in range(count)]
    # All values written to each register, with the numbers of the writes.
    told = {0x10000 * window + 4 * word: [(-1, 0)] for window in range(2) for word in range(WORDS)}
    for number, (at, word, _) in enumerate(writes):
        if at in told:
            told[at].append((number, word))
    taken = dict(aw=0, w=0, ar=0, b=0, r=0)
    offered = dict(aw=False, w=False, ar=False)
    before = []  # of each read the writes that were whole when it was taken
    quiet = 0
    while taken["b"] < count or taken["r"] < count:
        await RisingEdge(dut.clk)
        moved = {name: offered[name] and value(getattr(dut, f"s_axil_{name}ready")) for name in offered}
        whole = min(taken["aw"], taken["w"])
        if moved["ar"]:
            before.append(whole)
        if value(dut.s_axil_bready) and value(dut.s_axil_bvalid):
            at, _, strobes = writes[taken["b"]]
            assert value(dut.s_axil_bresp) == (strobes & 3 if at in told else SLVERR), f"answer {taken['b']}"
            taken["b"] += 1
        if value(dut.s_axil_rready) and value(dut.s_axil_rvalid):
            number = taken["r"]
            at, word, answer = asked[number], value(dut.s_axil_rdata), value(dut.s_axil_rresp)
            if at in told:
                # The value written then, and all values written since.
                last = max(when for when, _ in told[at] if when < before[number])
                may = {word for when, word in told[at] if last <= when < taken["aw"]}
                assert word in may, f"read {number} of {at:x}, behind {before[number]} writes: {word:x} is old"
                assert answer == word & 3
            else:
                assert (word, answer) == (0, SLVERR)
            taken["r"] += 1
        quiet = quiet + 1 if not any(moved.values()) else 0
        assert quiet < 4000, f"it stands: {taken}"
        for name, moves in moved.items():
            taken[name] += moves
            if moves or not offered[name]:
                number = taken[name]
                # The bench waits for no answer, but keeps data and address of a write near each other.
                near = name == "ar" or number <= min(taken["aw"], taken["w"]) + 2
                offered[name] = number < count and near and rng.random() < rate
                getattr(dut, f"s_axil_{name}valid").value = int(offered[name])
                if offered[name]:
                    if name == "aw":
                        dut.s_axil_awaddr.value = writes[number][0]
                    elif name == "w":
                        dut.s_axil_wdata.value, dut.s_axil_wstrb.value = writes[number][1:]
                    else:
                        dut.s_axil_araddr.value = asked[number]
        dut.s_axil_bready.value, dut.s_axil_rready.value = int(rng.random() < rate), int(rng.random() < rate)
    assert taken == dict(aw=count, w=count, ar=count, b=count, r=count)


@cocotb.test()
async def half_a_write_holds_no_read(dut):
    """Tests an address without data, and data without an address."""
    bench = Bench(dut, 5, 2, 1.0)
    await bench.start()
    for half, other in (("aw", "w"), ("w", "aw")):
        await offer(dut, half)
        await offer(dut, "ar")
        dut.s_axil_rready.value, dut.s_axil_bready.value = 1, 1
        await answer(dut, "rvalid")
        await offer(dut, other)
        await answer(dut, "bvalid")


async def offer(dut, name):
    valid, ready = getattr(dut, f"s_axil_{name}valid"), getattr(dut, f"s_axil_{name}ready")
    valid.value = 1
    await RisingEdge(dut.clk)
    while not value(ready):
        await RisingEdge(dut.clk)
    valid.value = 0


async def answer(dut, name):
    for _ in range(100):
        await RisingEdge(dut.clk)
        if value(getattr(dut, f"s_axil_{name}")):
            return
    raise AssertionError(f"{name} does not come")
