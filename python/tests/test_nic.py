"""The NIC through Python and through libweft: two pairs of NICs send each other random messages over a network that
loses, marks and damages frames. The test compares every answer of every call, 100,000 of them."""

import ctypes
import random
import unittest

import libweft
import weft_sim

CALLS = 100_000
CONNECTIONS = 16
MEMORY = 1 << 20
CAUSES = ["mac", "malformed", "checksum", "icrc", "unknown", "stranger", "vlan", "partition", "overflow"]
STATUS = ["done", "error", "refused", "unanswered", "breach", "denied", "broken"]
# The registers with a NIC's own address.
OWN = ["ingress_ipv4", "egress_ipv4"]


class C:
    """libweft with the methods of `weft_sim.Nic`."""

    def __init__(self):
        self.nic = libweft.new("nic", CONNECTIONS)

    def struct(self, name, **values):
        return libweft.STRUCTS[f"weft_{name}"](**values)

    def next(self, function, name, *words):
        place = self.struct(name)
        there = libweft.call(f"weft_nic_{function}", self.nic, *words, ctypes.byref(place))
        return libweft.fields(place) if there == libweft.ONE else None

    def write(self, at, value):
        libweft.call("weft_nic_write", self.nic, at, value, ctypes.c_uint64(0))

    def open(self, connection, address, now, **values):
        octets = [0] * 12 + [int(octet) for octet in address.split(".")]
        peer = self.struct("peer", pkey=0xFFFF, **values)
        peer.address[:] = octets
        libweft.call("weft_nic_open", self.nic, connection, ctypes.byref(peer), ctypes.c_uint64(now))

    def work(self, connection, now, immediate, **values):
        work = self.struct("work", immediate=immediate or 0, with_immediate=immediate is not None, **values)
        libweft.call("weft_nic_work", self.nic, connection, ctypes.byref(work), ctypes.c_uint64(now))

    def receive(self, frame, bad, now):
        place = self.struct("incoming")
        size = ctypes.c_size_t(len(frame))
        libweft.call("weft_nic_receive", self.nic, frame, size, bad, ctypes.c_uint64(now), ctypes.byref(place))
        return libweft.fields(place)

    def frame(self, payload, now):
        room, size = ctypes.create_string_buffer(16_384), ctypes.c_size_t()
        words = self.nic, payload, ctypes.c_size_t(len(payload or b"")), ctypes.c_uint64(now)
        there = libweft.call("weft_nic_frame", *words, room, ctypes.c_size_t(16_384), ctypes.byref(size))
        return room.raw[: size.value] if there == libweft.ONE else None

    def number(self, function, kind, *words):
        place = kind()
        there = libweft.call(f"weft_nic_{function}", self.nic, *words, ctypes.byref(place))
        return there, place.value

    def event(self):
        connection, state = ctypes.c_uint32(), ctypes.c_uint8()
        there = libweft.call("weft_nic_event", self.nic, ctypes.byref(connection), ctypes.byref(state))
        return (connection.value, state.value) if there == libweft.ONE else None


class Both:
    """A NIC through Python and through libweft. Their answers must be equal."""

    def __init__(self, test, own):
        self.test, self.calls = test, 0
        self.python, self.c = weft_sim.Nic(CONNECTIONS), C()
        for name in OWN:
            self.python.write(name, own)
            self.c.write(libweft.offsets(name)[0], own)

    def same(self, one, other):
        self.calls += 1
        self.test.assertEqual(one, other)
        return one

    def open(self, connection, address, now, **values):
        self.python.open(connection, address=address, now_ticks=now, **values)
        self.c.open(connection, address, now, **values)

    def close(self, connection, now):
        self.python.close(connection, now_ticks=now)
        libweft.call("weft_nic_close", self.c.nic, connection, ctypes.c_uint64(now))

    def work(self, connection, now, **values):
        self.python.work(connection, now_ticks=now, **values)
        self.c.work(connection, now, **values)

    def receive(self, frame, bad, now):
        told = self.python.receive(frame, bad=bad, now_ticks=now)
        mine = {"kind": ["foreign", "dropped", "taken"].index(told.kind), "cause": CAUSES.index(told.cause) if told.cause else 0}
        mine |= {"connection": told.connection or 0, "address": told.address or 0}
        mine |= {"payload_at": told.payload_at, "payload_bytes": told.payload_bytes}
        self.same(mine, self.c.receive(frame, bad, now))
        return told

    def poll(self, now):
        told, other = self.python.poll(now_ticks=now), self.c.next("poll", "outgoing", ctypes.c_uint64(now))
        mine = told and {
            "kind": [None, "reply", "data", "other"].index(told.kind),
            "connection": told.connection or 0,
            "psn": told.psn or 0,
            "ev": told.ev or 0,
            "again": told.again,
            "address": told.address or 0,
            "payload_bytes": told.payload_bytes,
        }
        self.same(mine, other)
        return told

    def frame(self, payload, now):
        return self.same(self.python.frame(payload, now_ticks=now), self.c.frame(payload, now))

    def ends(self, now):
        told = self.python.received()
        self.same(told and told.asdict(), self.c.next("received", "received"))
        sent = self.python.sent()
        self.same(sent and sent.asdict() | {"status": STATUS.index(sent.status)}, self.c.next("sent", "sent"))
        self.same(self.python.event(), self.c.event())
        there, deadline = self.c.number("deadline", ctypes.c_uint64, ctypes.c_uint64(now))
        self.same(self.python.deadline(now_ticks=now), deadline if there == libweft.ONE else None)
        return told, sent

    def registers(self):
        for name, count in self.python.counters().items():
            there, value = self.c.number("read", ctypes.c_uint32, libweft.offsets(name)[0])
            self.same(count, value)


class TheNic(unittest.TestCase):
    def test_messages_through_a_bad_network(self):
        rng = random.Random(7)
        memory = rng.randbytes(MEMORY)
        nics = [Both(self, 0x0A00_0001 + at) for at in range(2)]
        places = [bytearray(MEMORY), bytearray(MEMORY)]
        for at, nic in enumerate(nics):
            for connection in range(4):
                words = {"region_length": MEMORY, "region_key": 7, "send_psn": 5, "receive_psn": 5, "qp": connection}
                nic.open(connection, f"10.0.0.{2 - at}", 0, **words)
        now, works, done, messages, whole = 0, 0, 0, 0, 0
        wire, posted = [], {}
        while sum(nic.calls for nic in nics) < CALLS:
            now += 1
            at = rng.randrange(2)
            nic = nics[at]
            if rng.random() < 0.05 and works - done < 40:
                connection, length = rng.randrange(4), rng.randrange(1, 20_000)
                local, remote = (rng.randrange(MEMORY - length) for _ in range(2))
                immediate = rng.randrange(1 << 32) if rng.random() < 0.5 else None
                nic.work(connection, now, local=local, remote=remote, key=7, length=length, immediate=immediate, id=works)
                posted[works] = (at, local, remote, length)
                works += 1
            told = nic.poll(now)
            if told is not None:
                payload = None
                if told.kind == "data" and rng.random() > 0.001:
                    payload = memory[told.address : told.address + told.payload_bytes]
                frame = nic.frame(payload if told.kind == "data" else None, now)
                chance = rng.random()
                if frame is not None and chance > 0.02:
                    if chance < 0.03:
                        spoilt = rng.randrange(len(frame))
                        frame = frame[:spoilt] + bytes([frame[spoilt] ^ 1]) + frame[spoilt + 1 :]
                    wire.append((1 - at, frame, rng.random() < 0.005))
            if wire and rng.random() < 0.9:
                to, frame, bad = wire.pop(rng.randrange(min(len(wire), 8)))
                told = nics[to].receive(frame, bad, now)
                if told.kind == "taken" and told.payload_bytes:
                    payload = frame[told.payload_at : told.payload_at + told.payload_bytes]
                    places[to][told.address : told.address + told.payload_bytes] = payload
            received, sent = nic.ends(now)
            messages += received is not None
            if sent is not None:
                done += 1
                whole += sent.status == "done"
            if rng.random() < 0.0005:
                connection = rng.randrange(4)
                for end, each in enumerate(nics):
                    each.close(connection, now)
                    words = {"region_length": MEMORY, "region_key": 7, "send_psn": 5, "receive_psn": 5, "qp": connection}
                    each.open(connection, f"10.0.0.{2 - end}", now, **words)
                wire = []
        for nic in nics:
            nic.registers()
        self.assertGreater(whole, 50, f"{works} posted, {done} ended, {whole} of them whole")
        self.assertGreater(messages, 10)


if __name__ == "__main__":
    unittest.main()
