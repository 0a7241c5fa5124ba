"""Tests of weft_join: frames pass whole, once and in order; no clock is lost; sources take turns."""

import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles

from streams import Sink, Source, figure, words

LONG = os.environ.get("WEFT_LONG") == "1"


async def bench_of(dut, seed, rates):
    rng = random.Random(seed)
    cocotb.start_soon(Clock(dut.clk, 4, unit="ns").start())
    sources = [Source(dut, f"s_axis_{name}", rng, rate) for name, rate in zip("ab", rates)]
    sink = Sink(dut, "m_axis", rng, rates[2])
    dut.rst.value = 1
    await ClockCycles(dut.clk, 4)
    dut.rst.value = 0
    return rng, sources, sink


@cocotb.test()
@cocotb.parametrize((("a", "b", "out"), [(0.7, 0.5, 0.6), (1.0, 0.3, 1.0), (0.2, 1.0, 0.8)]))
async def frames_stay_whole(dut, a, b, out):
    rng, sources, sink = await bench_of(dut, int(100 * a), (a, b, out))
    sent = ([], [])
    for which in range(2):
        for number in range(1500 if LONG else 60):
            # The user bits have the sender and the mark of a bad frame.
            data, user = rng.randbytes(rng.choice((1, 14, 64, 65, 128, 300))), which << 16 | number << 1 & 0xFFFF | rng.getrandbits(1)
            sent[which].append((data, user))
            sources[which].send(words(data, user=user))
    for _ in range(4000 if LONG else 200):
        await ClockCycles(dut.clk, 20)
        if not sources[0].waiting and not sources[1].waiting:
            break
    await ClockCycles(dut.clk, 50)
    got = []
    for data, user, frame in sink.frames():
        assert all(word["tuser"] == user for word in frame), "two frames were mixed"
        got.append((data, user))
    assert not sink.words
    for which in range(2):
        assert [frame for frame in got if frame[1] >> 16 == which] == sent[which]


@cocotb.test()
async def in_turns_and_without_a_gap(dut):
    rng, sources, sink = await bench_of(dut, 1, (1.0, 1.0, 1.0))
    for which in range(2):
        for _ in range(40):
            sources[which].send(words(rng.randbytes(64 * rng.choice((1, 2, 3))), user=which << 16))
    await ClockCycles(dut.clk, 400)
    frames = sink.frames()
    owners = [user >> 16 for _, user, _ in frames]
    assert len(owners) == 80 and all(owner != after for owner, after in zip(owners[2:], owners[3:]))
    at = [word["at"] for _, _, frame in frames for word in frame]
    # Each source of this bench offers a word in every clock in which its last word was accepted.
    figure(dut, f"{len(at)} words in {at[-1] - at[0] + 1} clocks")
    assert at[-1] - at[0] + 1 == len(at)
