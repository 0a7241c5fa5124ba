"""weft_nic plays a foreign NIC: the scoreboard of weft_sim watches its streams, and a second model is its peer. `nic.py` of
testbench/cocotb drives the registers and the DMA streams."""

import os
import random

import cocotb
from cocotb.triggers import ClockCycles

import weft_sim
import weft_sim.cocotb
from nic import Nic
from wire import Side

ME = Side("02:00:00:00:00:01", "10.0.0.1", 0)
PEER = Side("02:00:00:00:00:02", "10.0.0.2", 0)
ROUNDS = int(os.environ.get("WEFT_ROUNDS", "7"))
MEMORY = 1 << 16
# Clocks without a frame after which the NIC is quiet.
QUIET = 400


def other_end() -> weft_sim.Nic:
    peer = weft_sim.Nic(256)
    for name in ("ingress_ipv4", "egress_ipv4"):
        peer.write(name, 0x0A00_0002)
    peer.write("sender_mtu_shift", 10)
    peer.open(PEER.qp, address=ME.ip, mac=ME.mac, qp=ME.qp, region_length=MEMORY, region_key=7)
    return peer


@cocotb.test()
async def the_nic_is_the_model(dut):
    rng = random.Random(1)
    nic, board, peer = Nic(dut, ME), weft_sim.cocotb.Scoreboard(dut), other_end()
    await nic.reset()
    await nic.write("tick_shift", 15)
    await nic.set_up()
    await nic.open(ME.qp, PEER, base=0, length=MEMORY, key=7)
    for name, value in (("ingress_ipv4", 0x0A00_0001), ("egress_ipv4", 0x0A00_0001), ("egress_mac", 0x02_0000_0000_01), ("sender_mtu_shift", 10)):
        board.nic.write(name, value)
    nic.memory = {place: rng.randrange(256) for place in range(MEMORY)}
    board.nic.open(ME.qp, address=PEER.ip, mac=PEER.mac, qp=PEER.qp, region_length=MEMORY, region_key=7)
    cocotb.start_soon(take(nic))
    wire = []
    for number in range(ROUNDS):
        # The time of the round; it stands still for 32,768 clocks.
        board.now_ticks = await nic.read("now")
        now = board.now_ticks
        words = {"remote": rng.randrange(MEMORY // 2), "key": 7, "length": rng.randrange(1, 5000)}
        if number % 3 == 0:
            await nic.post(ME.qp, local=rng.randrange(MEMORY // 2), id=number, immediate=number, with_immediate=rng.random() < 0.5, **words)
        elif number % 3 == 1:
            peer.work(PEER.qp, local=0, immediate=number, id=number, now_ticks=now, **words)
        while (order := peer.poll(now_ticks=now)) is not None:
            frame = peer.frame(bytes(rng.randbytes(order.payload_bytes)), now_ticks=now)
            if rng.random() < 0.95:
                wire.append(frame)
        # Frames in any order, at most one ACK among them, some spoilt.
        rng.shuffle(wire)
        acks = [frame for frame in wire if frame[42] == 0x11]
        given = [frame for frame in wire if frame[42] != 0x11][:6] + acks[:1]
        wire = [frame for frame in wire if frame not in given]
        for frame in given:
            spoilt = bytearray(frame)
            if rng.random() < 0.1:
                spoilt[rng.randrange(len(frame))] ^= 1
            await nic.deliver(bytes(spoilt))
        await ClockCycles(dut.clk, QUIET)
        board.settle(now_ticks=now)
        while not nic.net_out.empty():
            peer.receive(bytes(nic.net_out.recv_nowait().tdata), now_ticks=now)
        while peer.received() or peer.sent():
            pass
    for name in board.nic.counters():
        board.counter(name, await nic.read(name), now_ticks=board.now_ticks)
    cocotb.log.info("%d outputs are the model's", board.compared)
    assert board.compared > 2 * ROUNDS


async def take(nic):
    """Only the scoreboard reads the completions."""
    for stream in (nic.received, nic.sent, nic.event):
        stream.ready.value = 1
    while True:
        await nic.bypass_out.recv()
