"""Tests of weft_nic through its ports: the promises of its pages, with frames that scapy makes and reads."""

import random

import cocotb
from cocotb.triggers import ClockCycles, with_timeout
from cocotbext.axi import AxiStreamFrame
from scapy.layers.inet import IP, TCP, UDP
from scapy.contrib.roce import BTH
from scapy.layers.l2 import ARP, Dot1Q, Ether
from scapy.packet import Raw

import wire
from nic import CLOSE, DRAIN, OPEN, Nic
from wire import Side

ME = Side("02:00:00:00:00:01", "10.0.0.1", 5)
PEER = Side("02:00:00:00:00:02", "10.0.0.2", 0x46)


async def nic_of(dut, **connection) -> Nic:
    nic = Nic(dut, ME)
    await nic.reset()
    await nic.set_up()
    await nic.open(ME.qp, PEER, **connection)
    return nic


@cocotb.test()
async def identity_and_errors(dut):
    nic = Nic(dut, ME)
    await nic.reset()
    assert (await nic.read("id")).to_bytes(4, "little") == b"WEFT"
    version = await nic.read("version")
    assert version
    await nic.write("scratch", 0xDEADBEEF)
    assert await nic.read("scratch") == 0xDEADBEEF
    for offset in (0x3FC0, 0xFFFC):
        assert (await nic.axil.read(offset, 4)).resp == 2, "SLVERR outside of the map"
        assert (await nic.axil.write(offset, bytes(4))).resp == 2
    assert (await nic.axil.write(nic.offsets["version"], bytes(4))).resp == 2
    assert await nic.read("version") == version


@cocotb.test()
async def others_pass_untouched(dut):
    nic = await nic_of(dut)
    frames = [
        bytes(Ether(dst="ff:ff:ff:ff:ff:ff") / ARP(pdst="10.0.0.1")),
        bytes(Ether() / IP(dst=ME.ip) / TCP(dport=80) / Raw(b"x" * 1000)),
        bytes(Ether() / IP(dst=ME.ip) / UDP(dport=53) / Raw(b"y" * 200)),
        bytes(Ether() / IP(dst=ME.ip) / UDP(dport=4791, chksum=0) / Raw(bytes.fromhex("04 00 ffff 00000123 00000007") + b"plain RoCE" + bytes(6))),
        bytes(range(14)),
        bytes(70),
    ]
    for frame in frames:
        await nic.deliver(frame)
    for frame in frames:
        assert bytes((await with_timeout(nic.bypass_out.recv(), 10_000, "ns")).tdata) == frame
    for frame in frames:
        await nic.bypass_in.send(AxiStreamFrame(frame))
    for frame in frames:
        assert await nic.frame() == frame


@cocotb.test()
async def data_is_placed_and_acknowledged(dut):
    nic = await nic_of(dut, expected=100)
    payload = bytes(random.Random(1).randbytes(1024))
    await nic.deliver(wire.data(PEER, ME, psn=100, address=0x10400, key=0x77, payload=payload, ev=0xC777, stamp=0x4321, last=False))
    reply = wire.read(await nic.frame())
    assert (reply.opcode, reply.qp, reply.psn, reply.trigger) == (wire.ACKNOWLEDGE, PEER.qp, 100, 100)
    assert (reply.echoed_ev, reply.bitmap, reply.ce, reply.dscp) == (0xC777, 0, False, 46)
    assert nic.written == [(0x10400, payload)]

    # Out of order: placed at once, completed in order.
    await nic.deliver(wire.data(PEER, ME, psn=102, address=0x10900, key=0x77, payload=b"end", immediate=0xABCD, solicited=True))
    assert wire.read(await nic.frame()).bitmap == 0b10
    await nic.deliver(wire.data(PEER, ME, psn=101, address=0x10800, key=0x77, payload=b"middle!", last=False, ce=True))
    reply = wire.read(await nic.frame())
    assert (reply.psn, reply.bitmap, reply.ce) == (102, 0, True)
    connection, word, _ = await nic.received.take()
    assert (connection, word & 0xFFFF_FFFF, word >> 32) == (ME.qp, 0xABCD, 0)
    assert nic.written[1:] == [(0x10900, b"end"), (0x10800, b"middle!")]

    # Once more: acknowledged, not placed.
    await nic.deliver(wire.data(PEER, ME, psn=101, address=0x10800, key=0x77, payload=b"middle!", last=False))
    assert wire.read(await nic.frame()).psn == 102
    assert len(nic.written) == 3
    assert await nic.read("sack_rx_duplicates") == 1
    counts = await nic.counts("ingress_data", "receiver_placed", "receiver_bytes", "receiver_marks", "receiver_acks")
    assert counts == [4, 3, 1024 + len(b"end") + len(b"middle!"), 1, 4]

    # A read clears the counter, if software has set this.
    await nic.write("counters", 1)
    assert await nic.counts("receiver_bytes", "receiver_bytes", "receiver_placed") == [1034, 0, 3]
    await nic.write("counters", 0)
    assert await nic.counts("receiver_placed", "ingress_data", "ingress_data") == [0, 4, 4]


@cocotb.test()
async def bad_frames_change_nothing(dut):
    nic = await nic_of(dut)
    good = wire.data(PEER, ME, psn=0, address=0x10000, key=0x77, payload=b"payload of a packet")
    flipped = bytearray(good)
    flipped[-10] ^= 1
    stranger = wire.data(Side(PEER.mac, "10.0.0.9", 1), ME, psn=0, address=0x10000, key=0x77, payload=b"x")
    unknown = wire.data(PEER, Side(ME.mac, ME.ip, 6), psn=0, address=0x10000, key=0x77, payload=b"x")
    outside = wire.data(PEER, ME, psn=0, address=0xFFFF, key=0x77, payload=b"xy")
    wrong_key = wire.data(PEER, ME, psn=0, address=0x10000, key=0x78, payload=b"xy")
    for frame in (bytes(flipped), good[:-8], stranger, unknown, outside, wrong_key):
        await nic.deliver(frame)
    await nic.net_in.send(AxiStreamFrame(good, tuser=[0] * (len(good) - 1) + [1]))
    # The peer gets NACKs of the packets that it was not permitted to send.
    for _ in (outside, wrong_key):
        reply = wire.read(await nic.frame())
        assert (reply.is_nack, reply.psn, reply.reason) == (True, 0, 0x19)
    await nic.quiet()
    assert nic.written == []
    counters = {name: await nic.read(f"ingress_{name}") for name in ("icrc_errors", "malformed", "wrong_peers", "unknown_connections", "mac_errors")}
    assert counters == dict(icrc_errors=1, malformed=1, wrong_peers=1, unknown_connections=1, mac_errors=1)
    assert await nic.read("receiver_access_errors") == 2
    # These packets have ended the connection: the events are open and breach.
    assert dut.irq.value == 1
    assert (await nic.event.take())[:2] == (ME.qp, 0x41)
    assert await nic.state(ME.qp) == 0x41
    await nic.deliver(good)
    assert wire.read(await nic.frame()).reason == 0x19
    assert nic.written == []
    await nic.command(ME.qp, OPEN)
    assert dut.irq.value == 0 and await nic.state(ME.qp) == 1
    await nic.deliver(good)
    assert not wire.read(await nic.frame()).is_nack
    assert nic.written == [(0x10000, b"payload of a packet")]


@cocotb.test()
async def what_the_host_cannot_take_is_asked_for_later(dut):
    nic = await nic_of(dut)
    packet = wire.data(PEER, ME, psn=0, address=0x10000, key=0x77, payload=b"later")
    await nic.buffer(ME.qp, 1)
    await nic.quiet()
    assert await nic.state(ME.qp) == 3
    await nic.deliver(packet)
    reply = wire.read(await nic.frame())
    assert (reply.is_nack, reply.psn, reply.reason) == (True, 0, 2)
    assert await nic.read("receiver_held") == 1 and nic.written == []
    await nic.buffer(ME.qp, 0)
    await nic.quiet()
    await nic.deliver(packet)
    assert not wire.read(await nic.frame()).is_nack
    assert nic.written == [(0x10000, b"later")]
    await nic.buffer(ME.qp, 2)
    assert (await nic.event.take())[:2] == (ME.qp, 0x81)


@cocotb.test()
async def trimmed_is_asked_for_again(dut):
    nic = await nic_of(dut)
    await nic.deliver(wire.trimmed(wire.data(PEER, ME, psn=3, address=0x10000, key=0x77, payload=bytes(500), ev=0xD00D)))
    reply = wire.read(await nic.frame())
    assert (reply.is_nack, reply.psn, reply.reason, reply.echoed_ev) == (True, 3, 1, 0xD00D)
    assert nic.written == []


@cocotb.test()
async def a_message_is_sent_and_completed(dut):
    nic = await nic_of(dut, psn=0xFFFFFE)
    message = random.Random(2).randbytes(2500)
    nic.memory = {0x5000 + i: byte for i, byte in enumerate(message)}
    await nic.post(ME.qp, local=0x5000, remote=0x90000, key=0x99, length=2500, immediate=0x1DEA, id=42, with_immediate=True)
    got, psn = b"", 0xFFFFFE
    for i in range(3):
        packet = wire.read(await nic.frame())
        assert (packet.psn, packet.qp, packet.key, packet.again) == ((psn + i) % (1 << 24), PEER.qp, 0x99, False)
        assert (packet.address, packet.last) == (0x90000 + len(got), i == 2)
        assert 0xC000 <= packet.ev and packet.dscp == 4 and packet.ecn == 2
        got += packet.payload
    assert got == message and packet.immediate == 0x1DEA and packet.solicited
    await nic.deliver(wire.ack(PEER, ME, cumulative=0, trigger=0, ev=packet.ev, stamp=packet.stamp))
    connection, id, status = await nic.sent.take()
    assert (connection, id, status) == (ME.qp, 42, 0)
    assert await nic.counts("egress_data_frames", "egress_data_bytes", "recovery_again", "window_marks") == [3, 2500, 0, 0]
    assert sum(await nic.counts("paths_explored", "paths_recycled", "paths_reused")) == 3
    # One ACK, whose round-trip time is that of the last packet.
    rtts, latest = await nic.rtts(), await nic.read("rtt_latest")
    assert latest == await nic.read("rtt_smallest") and 0 < latest < 1_000
    assert {least: count for least, count in rtts.items() if count} == {1 << latest.bit_length() - 1: 1}


@cocotb.test()
async def what_is_lost_is_sent_again(dut):
    nic = await nic_of(dut)
    await nic.write("sack_tx_class0_epoch", 100)
    # Shorter than the five epochs after which an EPOCH would judge behind the second probe.
    await nic.write("sack_tx_class0_rto", 450)
    nic.memory = {0x5000 + i: i % 251 for i in range(3072)}
    await nic.post(ME.qp, local=0x5000, remote=0x90000, key=0x99, length=3072, id=7)
    first = [wire.read(await nic.frame()) for _ in range(3)]
    # The middle one was trimmed.
    await nic.deliver(wire.nack(PEER, ME, psn=1, ev=first[1].ev, stamp=first[1].stamp))
    again = wire.read(await nic.frame())
    assert (again.psn, again.again, again.dscp, again.payload) == (1, True, 8, first[1].payload)
    # Only the last one is acknowledged: a probe sends the first one again, an epoch late in the silence behind it the
    # second one, which is old by then; then both that are missing time out.
    await nic.deliver(wire.ack(PEER, ME, cumulative=0xFFFFFF, trigger=2, bitmap=0b100, ev=first[2].ev, stamp=first[2].stamp))
    late = [wire.read(await nic.frame()) for _ in range(4)]
    assert [packet.psn for packet in late] == [0, 1, 0, 1]
    counts = await nic.counts("recovery_again", "recovery_lost_by_nack", "recovery_lost_by_verdict", "sender_probes", "recovery_lost_by_timeout", "recovery_timeouts")
    assert counts == [5, 1, 1, 1, 2, 1]
    # The packet that the timeout sent again has arrived, not an earlier copy.
    await nic.deliver(wire.ack(PEER, ME, cumulative=2, trigger=0, ev=0xC000, stamp=late[2].stamp))
    assert await nic.sent.take() == (ME.qp, 7, 0)
    assert await nic.counts("recovery_spurious_timeouts", "recovery_unanswered") == [0, 0]


@cocotb.test()
async def a_timeout_that_came_too_early_is_counted(dut):
    nic = await nic_of(dut)
    # Of 300 ticks, behind seven probes: after 30 and 60 ticks, and five late EPOCHs after 50 each; the scanner takes 32 for a round.
    await nic.write("sack_tx_class0_epoch", 10)
    await nic.write("sack_tx_class0_rto", 300)
    nic.memory = {0x5000 + i: i % 251 for i in range(1024)}
    await nic.post(ME.qp, local=0x5000, remote=0x90000, key=0x99, length=1024, id=7)
    first = wire.read(await nic.frame())
    for again in [wire.read(await nic.frame()) for _ in range(8)]:
        assert (again.psn, again.again) == (first.psn, True)
    # The first one is acknowledged, with a mark.
    await nic.deliver(wire.ack(PEER, ME, cumulative=first.psn, trigger=first.psn, ev=first.ev, stamp=first.stamp, ce=True))
    assert await nic.sent.take() == (ME.qp, 7, 0)
    assert await nic.counts("recovery_timeouts", "recovery_spurious_timeouts", "window_marks") == [1, 1, 1]
    rtts = await nic.rtts()
    assert sum(rtts.values()) == 1 and rtts[1024] == 1


@cocotb.test()
async def what_the_peer_denies_ends_the_connection(dut):
    nic = await nic_of(dut)
    nic.memory = {0x5000 + i: i % 251 for i in range(3072)}
    for id in (1, 2):
        await nic.post(ME.qp, local=0x5000, remote=0x90000, key=0x99, length=1024, id=id)
    first = wire.read(await nic.frame())
    await nic.frame()
    await nic.deliver(wire.nack(PEER, ME, psn=first.psn, reason=0x19, ev=first.ev, stamp=first.stamp))
    for id in (1, 2):
        assert await nic.sent.take() == (ME.qp, id, 5)
    await nic.post(ME.qp, local=0x5000, remote=0x90000, key=0x99, length=1024, id=3)
    assert await nic.sent.take() == (ME.qp, 3, 2)
    assert await nic.counts("recovery_denied", "recovery_unanswered") == [1, 0]
    assert (await nic.event.take())[:2] == (ME.qp, 0x21)
    # The far end has failed as well.
    await nic.deliver(wire.data(PEER, ME, psn=0, address=0x10000, key=0x77, payload=b"x"))
    assert wire.read(await nic.frame()).reason == 0x19


@cocotb.test()
async def closing_ends_what_is_posted(dut):
    nic = await nic_of(dut)
    await nic.post(ME.qp, local=0x5000, remote=0x90000, key=0x99, length=100, id=1)
    await nic.frame()
    # A close lasts until no state of the connection is left, including a completion that is not yet accepted.
    closing = cocotb.start_soon(nic.command(ME.qp, CLOSE))
    await ClockCycles(dut.clk, 1_000)
    assert await nic.read("command") >> 31 and not closing.done()
    assert await nic.sent.take() == (ME.qp, 1, 1)
    await closing
    await nic.post(ME.qp, local=0x5000, remote=0x90000, key=0x99, length=100, id=2)
    assert await nic.sent.take() == (ME.qp, 2, 2)
    await ClockCycles(dut.clk, 100)


@cocotb.test()
async def a_drained_connection_has_ended_what_was_posted_and_takes_no_more(dut):
    nic = await nic_of(dut)
    await nic.open(1, PEER)
    nic.memory = {0x5000 + i: i % 251 for i in range(2048)}
    # No work is outstanding: the event comes at once.
    await nic.command(1, DRAIN)
    assert (await nic.event.take())[:2] == (1, 0x09)
    await nic.post(ME.qp, local=0x5000, remote=0x90000, key=0x99, length=2048, id=1)
    await nic.command(ME.qp, DRAIN)
    await nic.post(ME.qp, local=0x5000, remote=0x90000, key=0x99, length=1024, id=2)
    assert await nic.sent.take() == (ME.qp, 2, 2)
    packets = [wire.read(await nic.frame()) for _ in range(2)]
    assert [packet.psn for packet in packets] == [0, 1]
    # The connection still receives, and is not drained before its completion is accepted.
    await nic.deliver(wire.data(PEER, ME, psn=0, address=0x10000, key=0x77, payload=b"still here"))
    assert not wire.read(await nic.frame()).is_nack
    assert nic.written == [(0x10000, b"still here")]
    await nic.deliver(wire.ack(PEER, ME, cumulative=1, trigger=1, ev=packets[1].ev, stamp=packets[1].stamp))
    await nic.quiet()
    assert dut.irq.value == 0 and await nic.state(ME.qp) == 0x01
    assert await nic.sent.take() == (ME.qp, 1, 0)
    assert (await nic.event.take())[:2] == (ME.qp, 0x09)
    assert await nic.state(ME.qp) == 0x09
    # A close and an open end the drain.
    await nic.command(ME.qp, CLOSE)
    assert await nic.state(ME.qp) == 0
    await nic.command(ME.qp, OPEN)
    assert dut.irq.value == 0 and await nic.state(ME.qp) == 0x01
    await nic.post(ME.qp, local=0x5000, remote=0x90000, key=0x99, length=100, id=3)
    packet = wire.read(await nic.frame())
    await nic.deliver(wire.ack(PEER, ME, cumulative=0, trigger=0, ev=packet.ev, stamp=packet.stamp))
    assert await nic.sent.take() == (ME.qp, 3, 0)


@cocotb.test()
async def vlan_and_partition_have_to_be_those_of_the_connection(dut):
    nic = await nic_of(dut, vlan=0x6123, pkey=0x0042)
    good = dict(psn=0, address=0x10000, key=0x77, payload=b"of the partition", vlan=0x123, pkey=0x8042)
    # Another VLAN, none, a tag without one; another partition, and a limited member like the NIC itself.
    for wrong in (dict(vlan=0x124), dict(vlan=None), dict(vlan=0), dict(pkey=0x8043), dict(pkey=0x0042)):
        await nic.deliver(wire.data(PEER, ME, **{**good, **wrong}))
    await nic.quiet()
    assert nic.written == []
    assert await nic.counts("ingress_wrong_vlans", "ingress_wrong_pkeys", "ingress_wrong_peers", "ingress_data") == [3, 2, 0, 0]
    await nic.deliver(wire.data(PEER, ME, **good))
    frame = Ether(await nic.frame())
    assert (frame[Dot1Q].vlan, frame[Dot1Q].prio, frame[BTH].pkey) == (0x123, 3, 0x0042)
    assert nic.written == [(0x10000, b"of the partition")]
    # A connection without a VLAN accepts no VLAN; a tag of VLAN 0 is a priority, not a VLAN.
    await nic.open(ME.qp, PEER)
    for psn, vlan, pkey in ((0, 0x123, 0xFFFF), (0, None, 0x7FFF), (1, 0, 0xFFFF)):
        await nic.deliver(wire.data(PEER, ME, **{**good, "psn": psn, "vlan": vlan, "pkey": pkey}))
    for _ in range(2):
        assert Dot1Q not in Ether(await nic.frame())
    assert len(nic.written) == 3 and await nic.counts("ingress_wrong_vlans") == [4]
