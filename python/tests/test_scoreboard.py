"""The scoreboard through Python and through libweft: a model with faults is the design, and both scoreboards give the
same reports for 100,000 inputs and outputs. Without faults they report no difference."""

import ctypes
import random
import unittest

import libweft
import weft_sim

CALLS = 100_000
CONNECTIONS = 4
MEMORY = 1 << 16
STATUS = ["done", "error", "refused", "unanswered", "breach", "denied", "broken"]
OWN = {"ingress_ipv4": 0x0A00_0001, "egress_ipv4": 0x0A00_0001, "sender_mtu_shift": 10}


def ticks(now):
    return ctypes.c_uint64(now)


def struct(name, **values):
    return ctypes.byref(libweft.STRUCTS[f"weft_{name}"](**values))


def opened(nic, own, other):
    for name, value in OWN.items():
        nic.write(name, value + (own - 1 if name.endswith("ipv4") else 0))
    for connection in range(CONNECTIONS):
        nic.open(connection, address=f"10.0.0.{other}", qp=connection, region_length=MEMORY, region_key=7)
    return nic


class Both:
    """A scoreboard behind both doors."""

    def __init__(self, test):
        self.test, self.calls, self.found = test, 0, 0
        self.python, self.c = weft_sim.Scoreboard(CONNECTIONS), libweft.new("scoreboard", CONNECTIONS)
        opened(self.python.nic, 1, 2)
        model = libweft.LIBRARY.weft_scoreboard_nic
        model.restype = ctypes.c_void_p
        libweft.LIBRARY.weft_scoreboard_difference.restype = ctypes.c_char_p
        nic = ctypes.c_void_p(model(self.c))
        for name, value in OWN.items():
            libweft.call("weft_nic_write", nic, libweft.offsets(name)[0], value, ticks(0))
        for connection in range(CONNECTIONS):
            peer = libweft.STRUCTS["weft_peer"](pkey=0xFFFF, qp=connection, region_length=MEMORY, region_key=7)
            peer.address[:] = [0] * 12 + [10, 0, 0, 2]
            libweft.call("weft_nic_open", nic, connection, ctypes.byref(peer), ticks(0))

    def tell(self, name, python, *c):
        """Makes one call through each interface: the difference, if any, must be the same."""
        self.calls += 1
        said = None
        try:
            python()
        except weft_sim.Difference as difference:
            said = str(difference)
        code = libweft.call(f"weft_scoreboard_{name}", self.c, *c)
        other = libweft.LIBRARY.weft_scoreboard_difference(self.c).decode() if code == libweft.ONE else None
        self.test.assertEqual(said, other, name)
        self.found += said is not None


def run(test, calls, faults):
    """Makes this many calls, in which a share of the design's outputs is wrong; returns the number of differences that
    were found."""
    rng = random.Random(3)
    memory = rng.randbytes(MEMORY)
    design, peer, board = opened(weft_sim.Nic(CONNECTIONS), 1, 2), opened(weft_sim.Nic(CONNECTIONS), 2, 1), Both(test)
    py, wire, now, counters = board.python, [], 0, design.counters()
    size = ctypes.c_size_t

    def wrong(frame):
        if rng.random() >= faults:
            return frame
        at = rng.randrange(len(frame))
        return frame[:at] + bytes([frame[at] ^ 1]) + frame[at + 1 :]

    while board.calls < calls:
        now += 1
        connection = rng.randrange(CONNECTIONS)
        words = {"local": 0, "remote": rng.randrange(MEMORY // 2), "key": 7, "length": rng.randrange(1, 9000), "id": now}
        if now % 3 == 0:
            board.tell("work", lambda: py.work(connection, now_ticks=now, **words), connection, struct("work", **words), ticks(now))
            design.work(connection, now_ticks=now, **words)
        elif now % 3 == 1:
            peer.work(connection, immediate=now, now_ticks=now, **words)
        elif wire:
            frame = wire.pop(rng.randrange(len(wire)))
            board.tell("receive", lambda: py.receive(frame, now_ticks=now), frame, size(len(frame)), 0, ticks(now))
            told = design.receive(frame, now_ticks=now)
            if told.payload_bytes:
                to, at = told.connection, told.address
                payload = wrong(frame[told.payload_at : told.payload_at + told.payload_bytes])
                board.tell("write", lambda: py.write(to, at, payload), to, ctypes.c_uint64(at), payload, size(len(payload)))
        while (order := design.poll(now_ticks=now)) is not None:
            count = order.payload_bytes
            payload = memory[order.address or 0 :][:count]
            if payload:
                to, at = order.connection, order.address
                board.tell("fetch", lambda: py.fetch(to, at, count, now_ticks=now), to, ctypes.c_uint64(at), size(count), ticks(now))
                board.tell("read", lambda: py.read(payload), payload, size(count))
            frame = design.frame(payload, now_ticks=now)
            given = wrong(frame)
            board.tell("frame", lambda: py.frame(given, now_ticks=now), given, size(len(given)), ticks(now))
            peer.receive(frame, now_ticks=now)
        while (sent := design.sent()) is not None:
            code = STATUS.index(sent.status)
            told = struct("sent", connection=sent.connection, id=sent.id, status=code)
            board.tell("sent", lambda: py.sent(sent.connection, sent.id, sent.status, now_ticks=now), told, ticks(now))
        while (it := design.received()) is not None:
            told = struct("received", connection=it.connection, immediate=it.immediate, message=it.message)
            board.tell("received", lambda: py.received(it.connection, it.immediate, it.message, now_ticks=now), told, ticks(now))
        while (event := design.event()) is not None:
            to, state = event[0], event[1] ^ (rng.random() < faults)
            board.tell("event", lambda: py.event(to, state, now_ticks=now), to, state, ticks(now))
        board.tell("settle", lambda: py.settle(now_ticks=now), ticks(now))
        if now % 50 == 0:
            name = rng.choice(list(counters))
            value = design.counters()[name] + (rng.random() < 10 * faults)
            board.tell("counter", lambda: py.counter(name, value, now_ticks=now), libweft.offsets(name)[0], value, ticks(now))
        while (order := peer.poll(now_ticks=now)) is not None:
            frame = peer.frame(memory[: order.payload_bytes], now_ticks=now)
            if rng.random() > 0.05 and len(wire) < 200:
                wire.append(frame)
    return board.found


class TheScoreboard(unittest.TestCase):
    def test_a_sound_design(self):
        self.assertEqual(run(self, 10_000, 0), 0)

    def test_a_design_with_faults(self):
        self.assertGreater(run(self, CALLS, 0.02), 100)


if __name__ == "__main__":
    unittest.main()
