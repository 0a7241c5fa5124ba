//! The words.

/// Passes every word to a macro: `words!(structs)` is `structs! { Arrival { kind: 2 as ArrivalKind, .. } .. }`.
///
/// A field is `name: bits`, with its documentation. The first field has the lowest bits. A field of one bit
/// is a `bool`. The type after `as` is the field's type in the model, if it is not a number. `+ tuser` has
/// the fields in `tuser` of the same stream. The first line of a field's documentation is also in the header
/// of the Verilog.
#[macro_export]
macro_rules! words {
    ($with:ident) => {
        $with! {
            /// A packet for the receiver, from `weft_ingress`.
            Arrival {
                /// 0 data, 1 trimmed, 2 probe, 3 none.
                kind: 2 as ArrivalKind,
                /// PSN.
                psn: 24,
                /// ECN-marked.
                ce: 1,
                /// Requests an ACK.
                request: 1,
                /// Last packet of its message.
                last: 1,
                /// The message makes a completion at the receiver.
                solicited: 1,
                /// Trimmed at the last hop.
                last_hop: 1,
                /// Entropy value: the UDP source port.
                ev: 16,
                /// The sender's time stamp.
                stamp: 16,
                /// Virtual address of this packet.
                address: 64,
                /// Remote key.
                key: 32,
                /// Bytes of payload.
                bytes: 14,
                /// Immediate of the last packet.
                immediate: 32,
                /// Message number.
                message: 16,
            }

            /// An ACK or NACK for the sender, from `weft_ingress`.
            Acknowledgement {
                /// NACK; 0: ACK.
                nack: 1,
                /// ACK: the first PSN that has not arrived. NACK: the PSN to send again.
                expected: 24,
                /// The PSN that is answered.
                trigger: 24,
                /// Bit i: the PSN i after `expected` has arrived.
                bitmap: 256,
                /// The answered packet was ECN-marked.
                ce: 1,
                /// Entropy value of that packet.
                ev: 16,
                /// Time stamp of that packet.
                stamp: 16,
                /// Reason of a NACK.
                reason: 8,
                /// Bit i: entry i of its list is there.
                there: 16,
                /// Bit i: the packet of entry i was ECN-marked.
                marked: 16,
                /// Entropy values of the entries, 16 bits each.
                evs: 256 as [u16; 16],
            }

            /// An ACK or NACK to be sent, for `weft_egress`.
            Reply {
                /// NACK; 0: ACK.
                nack: 1,
                /// The last PSN with no gap before it.
                cumulative: 24,
                /// The PSN that is answered.
                psn: 24,
                /// Bit i: the PSN i + 1 after `cumulative` has arrived.
                bitmap: 256,
                /// The answered packet was ECN-marked.
                ce: 1,
                /// Entropy value of that packet.
                ev: 16,
                /// Time stamp of that packet.
                stamp: 16,
                /// Packets received out of order.
                out_of_order: 8,
                /// Bytes received, in units of 256.
                received: 24,
                /// Messages completed.
                messages: 24,
                /// Reason of a NACK.
                reason: 8,
                /// Answers a probe.
                probe: 1,
                /// Bit i: entry i of its list is there.
                there: 16,
                /// Entropy values of the entries, 16 bits each.
                evs: 256 as [u16; 16],
            }

            /// A data packet to be sent, for `weft_egress`; its payload arrives as DMA read data in the same
            /// order.
            Order {
                /// PSN.
                psn: 24,
                /// Entropy value: the UDP source port.
                ev: 16,
                /// Sent again.
                again: 1,
                /// Last packet of its message.
                last: 1,
                /// The solicited bit of a write with immediate.
                solicited: 1,
                /// Requests an ACK.
                request: 1,
                /// Address at the receiver.
                address: 64,
                /// Remote key.
                key: 32,
                /// Bytes of payload.
                bytes: 14,
                /// Immediate of the message.
                immediate: 32,
                /// Message number.
                message: 16,
            }

            /// The packets of a connection that are not to be sent any more.
            Passed {
                /// The lowest PSN that is not acknowledged, modulo 1,024.
                /// Packets before the PSN are not sent.
                una: 10,
                /// The messages have ended: no packet is sent.
                ended: 1,
            }

            /// A work request: a write of bytes from the sender's memory to the receiver's.
            Work {
                /// Address at the sender.
                local: 64,
                /// Address at the receiver.
                remote: 64,
                /// Remote key.
                key: 32,
                /// Bytes.
                length: 32,
                /// For the receiver's completion.
                immediate: 32,
                /// For the sender's completion.
                id: 32,
            } + tuser {
                /// With immediate; the receiver gets a completion.
                with_immediate: 1,
            }

            /// A command for one connection of the sender.
            SenderControl {
                /// 0 close, 1 open, 2 seed of the entropy generator, 3 the failed path is back, 5 drain.
                kind: 3 as ControlKind,
                /// Open: first PSN.
                psn: 24,
                /// Open: class of round-trip time.
                class: 2,
                /// Open: entropy value of a connection with a fixed one.
                ev: 16,
                /// Seed.
                seed: 32,
            }

            /// Opens or closes a connection of the receiver.
            ReceiverControl {
                /// Open; 0: close.
                open: 1,
                /// The first PSN that is expected.
                psn: 24,
                /// First address of the region.
                base: 64,
                /// Bytes of the region.
                length: 32,
                /// Key of the region.
                key: 32,
            }

            /// Treatment of the packets of a connection by the receiver.
            Bar {
                /// The peer must send the packets again later.
                held: 1,
                /// The packets are denied.
                failed: 1,
            }

            /// The peer that may send on a connection, for `weft_ingress`.
            IngressPeer {
                /// The connection is open.
                open: 1,
                /// The address is of IPv6.
                v6: 1,
                /// The address; of IPv4 in the low bits, zeros above.
                address: 128,
                /// The frames have a VLAN tag.
                tagged: 1,
                /// TCI of the tag, of which only the VLAN counts.
                tag: 16,
                /// P_Key of the connection's packets.
                pkey: 16,
            }

            /// The NIC at the other end of a connection, for `weft_egress`.
            EgressPeer {
                /// IPv6; 0: IPv4.
                v6: 1,
                /// IP address; IPv4 in the low 32 bits.
                address: 128,
                /// MAC address, the first byte on the wire highest.
                mac: 48,
                /// Frames have a VLAN tag.
                tagged: 1,
                /// TCI of the tag.
                tag: 16,
                /// Queue pair.
                qp: 24,
                /// P_Key of the connection's packets.
                pkey: 16,
            }

            /// A place in the host's memory: of a DMA read, or of a packet to write.
            Place {
                /// Address.
                address: 64,
                /// Bytes.
                bytes: 14,
            }

            /// A message was received that carries an immediate.
            Received {
                /// The immediate.
                immediate: 32,
                /// Number of the message since the connection was opened.
                message: 24,
            }

            /// A work request has ended.
            Sent {
                /// Id of the request.
                id: 32,
            } + tuser {
                /// Result: 0 done, 1 closed, 2 refused, 3 unanswered, 4 breach, 5 denied, 6 broken.
                status: 3 as Status,
            }
        }
    };
}
