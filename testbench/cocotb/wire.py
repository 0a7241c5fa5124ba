"""Frames as section "Wire format" of docs/blocks/nic.md has them, built and read with scapy; its RoCE layer computes
the ICRC."""

import struct
from dataclasses import dataclass

from scapy.contrib.roce import BTH
from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Dot1Q, Ether
from scapy.packet import Raw

ROCE_PORT = 4791
WRITE, WRITE_LAST, ACKNOWLEDGE, PROBE = 0x0A, 0x0B, 0x11, 0xDE
TRIMMED_DSCP = 12


@dataclass(frozen=True)
class Side:
    """One end of a connection."""

    mac: str
    ip: str
    qp: int


def envelope(source: Side, to: Side, ev: int, dscp: int, ecn: int, vlan: int | None = None):
    """All headers before the BTH."""
    frame = Ether(src=source.mac, dst=to.mac)
    if vlan is not None:
        frame /= Dot1Q(vlan=vlan)
    tos = dscp << 2 | ecn
    if ":" in source.ip:
        frame /= IPv6(src=source.ip, dst=to.ip, tc=tos, hlim=64)
    else:
        frame /= IP(src=source.ip, dst=to.ip, tos=tos, ttl=64, flags="DF", id=0)
    return frame / UDP(sport=ev, dport=ROCE_PORT, chksum=0)


def data(source: Side, to: Side, *, psn, address, key, payload, ev=0xC123, last=True, immediate=0, solicited=False,
         request=False, again=False, stamp=0x1234, message=0, ce=False, vlan=None, pkey=0xFFFF) -> bytes:
    """A data packet."""
    body = struct.pack(">QII", address, key, len(payload))
    if last:
        body += struct.pack(">I", immediate)
    body += struct.pack(">HHHH", stamp, 0x8001, 0, message)
    pad = -len(payload) % 4
    bth = BTH(opcode=WRITE_LAST if last else WRITE, solicited=solicited, migreq=1, padcount=pad, dqpn=to.qp,
              ackreq=request, resv7=0x10 | again << 5, psn=psn, pkey=pkey)
    frame = envelope(source, to, ev, 4, 3 if ce else 2, vlan)
    return bytes(frame / bth / Raw(body + payload + bytes(pad)))


def trimmed(frame: bytes) -> bytes:
    """The part of an untagged IPv4 data packet that a switch leaves when it trims the packet."""
    packet = Ether(frame)
    keep = bytes(packet[UDP].payload)[:40]
    ip = packet[IP]
    tos = TRIMMED_DSCP << 2 | ip.tos & 3
    return bytes(Ether(src=packet.src, dst=packet.dst) / IP(src=ip.src, dst=ip.dst, tos=tos, ttl=ip.ttl, flags="DF", id=0)
                 / UDP(sport=packet[UDP].sport, dport=ROCE_PORT, chksum=0, len=48) / Raw(keep))


def ack(source: Side, to: Side, *, cumulative, trigger, bitmap=0, ev=0xC123, stamp=0, ce=False, listed=()) -> bytes:
    """An ACK with the bitmap of 256 PSNs after the cumulative one; `listed`: entropy value and mark of each of the
    other packets that the ACK answers, the oldest first."""
    word = lambda i: bitmap >> 64 * i & (1 << 64) - 1
    body = struct.pack(">II", 0x1F << 24, int(ce) << 21 | (trigger - cumulative) & 0xFFFF)
    body += struct.pack(">IIII", ev, 0, cumulative, 2 << 28 | bool(listed) << 25 | 1 << 24 | 2 << 16 | 1)
    body += struct.pack(">QII", word(0), stamp << 16, 0)
    body += struct.pack(">QQQ", word(1), word(2), word(3))
    if listed:
        there, marked = (1 << len(listed)) - 1, sum(mark << i for i, (_, mark) in enumerate(listed))
        evs = [entropy for entropy, _ in listed] + [0] * (16 - len(listed))
        body += struct.pack(">HH16H", there, marked, *evs)
    bth = BTH(opcode=ACKNOWLEDGE, migreq=1, dqpn=to.qp, psn=cumulative)
    return bytes(envelope(source, to, ev, 46, 0) / bth / Raw(body))


def nack(source: Side, to: Side, *, psn, reason=1, ev=0xC123, stamp=0) -> bytes:
    """A NACK."""
    body = struct.pack(">IIIIII", 0x60 << 24, reason << 8, ev, 0, psn, stamp)
    return bytes(envelope(source, to, ev, 46, 0) / BTH(opcode=ACKNOWLEDGE, migreq=1, dqpn=to.qp, psn=psn) / Raw(body))


def probe(source: Side, to: Side) -> bytes:
    """A probe."""
    return bytes(envelope(source, to, 0xC001, 46, 0) / BTH(opcode=PROBE, migreq=1, dqpn=to.qp) / Raw(bytes(16)))


@dataclass
class Seen:
    """The contents of a frame of the NIC."""

    opcode: int
    qp: int
    psn: int
    ev: int
    dscp: int
    ecn: int
    request: bool
    solicited: bool
    again: bool
    body: bytes

    # Data.
    @property
    def address(self):
        return struct.unpack(">Q", self.body[:8])[0]

    @property
    def key(self):
        return struct.unpack(">I", self.body[8:12])[0]

    @property
    def length(self):
        return struct.unpack(">I", self.body[12:16])[0]

    @property
    def last(self):
        return self.opcode == WRITE_LAST

    @property
    def immediate(self):
        return struct.unpack(">I", self.body[16:20])[0]

    @property
    def stamp(self):
        at = 20 if self.last else 16
        return struct.unpack(">H", self.body[at:at + 2])[0]

    @property
    def payload(self):
        at = 28 if self.last else 24
        return self.body[at:at + self.length]

    # ACK and NACK.
    @property
    def is_nack(self):
        return self.body[0] == 0x60

    @property
    def echoed_ev(self):
        return struct.unpack(">I", self.body[8:12])[0]

    @property
    def trigger(self):
        return (self.psn + struct.unpack(">h", self.body[6:8])[0]) % (1 << 24)

    @property
    def reason(self):
        return self.body[6]

    @property
    def ce(self):
        return bool(self.body[5] >> 5 & 3)

    @property
    def bitmap(self):
        first, = struct.unpack(">Q", self.body[24:32])
        rest = struct.unpack(">QQQ", self.body[40:64])
        return sum(word << 64 * i for i, word in enumerate((first, *rest)))

    @property
    def listed(self):
        """Entropy value and mark of the other packets that an ACK answers, the oldest first."""
        if len(self.body) < 100:
            return []
        there, marked, *evs = struct.unpack(">HH16H", self.body[64:100])
        return [(ev, bool(marked >> i & 1)) for i, ev in enumerate(evs) if there >> i & 1]


def read(frame: bytes) -> Seen:
    """Reads a frame of the NIC and checks all fields that must be right in every frame."""
    packet = Ether(frame)
    udp, bth = packet[UDP], packet[BTH]
    ip = packet[IPv6] if IPv6 in packet else packet[IP]
    assert udp.dport == ROCE_PORT and udp.chksum == 0
    if IP in packet:
        assert ip.len == len(bytes(ip)) and ip.flags == "DF"
        again = IP(bytes(ip))
        del again.chksum
        assert IP(bytes(again)).chksum == ip.chksum, "IPv4 header checksum"
        tos = ip.tos
    else:
        tos = ip.tc
    assert udp.len == len(bytes(udp))
    icrc = bytes(udp)[-4:]
    body = bytes(udp.payload)[12:-4]
    assert bth.compute_icrc(bytes(bth)) == icrc, "ICRC"
    return Seen(bth.opcode, bth.dqpn, bth.psn, udp.sport, tos >> 2, tos & 3, bool(bth.ackreq), bool(bth.solicited),
                bool(bth.resv7 & 0x20), body)
