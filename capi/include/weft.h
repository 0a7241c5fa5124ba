// libweft: the bit-exact models of weft's blocks and NIC (docs/libweft.md).
// Written by cbindgen from capi/src; a test holds it against them.
//
// SPDX-License-Identifier: MIT OR Apache-2.0

#ifndef WEFT_H
#define WEFT_H



#include <stddef.h>
#include <stdint.h>

// Version of the interface. A change of bits 31:16 means that programs must be compiled again; a change of
// bits 15:0 means that functions were added.
#define WEFT_ABI_VERSION ((1 << 16) | 2)

// Success. Functions that return the next of several items return this code if there is none.
#define WEFT_OK 0

// There is an item, and the function has written it to the caller's memory.
#define WEFT_ONE 1

// A required pointer is NULL.
#define WEFT_NULL -1

// A number is out of range: a connection, a kind, a shape or the value of a register.
#define WEFT_RANGE -2

// No register of this block that software can write or read is at the offset.
#define WEFT_NO_REGISTER -3

// The caller's buffer is too small. The message has the required number of bytes.
#define WEFT_ROOM -4

// The call is not permitted at this time.
#define WEFT_ORDER -5

// A defect of the library. The handle must not be used any more, except in `weft_X_free`.
#define WEFT_DEFECT -6

// A setup that is not valid. The message has file, line and key.
#define WEFT_SETUP -7

// A time that is never reached: `weft_fabric_advance` runs until flows end.
#define WEFT_NEVER UINT64_MAX

// Kinds of events, by the names on the page. A packet leaves.
#define WEFT_REPS_SEND 0

// An ACK.
#define WEFT_REPS_ACK 1

// Packets were lost by a timeout.
#define WEFT_REPS_TIMEOUT 2

// Software reports that the paths are good again.
#define WEFT_REPS_PATH_OK 3

// The connection was idle.
#define WEFT_REPS_IDLE 4

// The connection is opened.
#define WEFT_REPS_OPEN 5

// The connection is closed.
#define WEFT_REPS_CLOSE 6

// The generator is seeded with `ev` and, above it, `rtt_ticks`.
#define WEFT_REPS_SEED 7

// Kinds of events, by the names on the page. A data packet.
#define WEFT_SACK_RX_DATA 0

// The rest of a data packet that a switch trimmed.
#define WEFT_SACK_RX_TRIMMED 1

// The ACK timer requests an ACK.
#define WEFT_SACK_RX_FLUSH 2

// The sender requests an ACK.
#define WEFT_SACK_RX_PROBE 3

// The connection is opened.
#define WEFT_SACK_RX_OPEN 4

// The connection is closed.
#define WEFT_SACK_RX_CLOSE 5

// Kinds of events, by the names on the page. A message is posted.
#define WEFT_SACK_TX_POST 0

// An ACK.
#define WEFT_SACK_TX_ACK 1

// A NACK.
#define WEFT_SACK_TX_NACK 2

// A congestion window.
#define WEFT_SACK_TX_WINDOW 3

// The connection is opened.
#define WEFT_SACK_TX_OPEN 4

// The connection is closed.
#define WEFT_SACK_TX_CLOSE 5

// An event of the block itself, from `weft_sack_tx_send` and `weft_sack_tx_timer`: a packet leaves.
#define WEFT_SACK_TX_SEND 6

// The RTO expired.
#define WEFT_SACK_TX_TIMEOUT 7

// An epoch ended.
#define WEFT_SACK_TX_EPOCH 8

// A PROBE is due.
#define WEFT_SACK_TX_PROBE 9

// Kinds of events, by the names on the page. Packets were acknowledged.
#define WEFT_SMARTT_ACK 0

// A NACK of a trimmed packet.
#define WEFT_SMARTT_TRIM 1

// A timeout found bytes lost.
#define WEFT_SMARTT_TIMEOUT 2

// The connection is opened.
#define WEFT_SMARTT_OPEN 3

// The connection is closed.
#define WEFT_SMARTT_CLOSE 4

// The frame is no RoCE frame for this NIC: it belongs to other software.
#define WEFT_FOREIGN 0

// The frame is for this NIC and cannot be used; `cause` is the reason.
#define WEFT_DROPPED 1

// The frame was for a connection.
#define WEFT_TAKEN 2

// An ACK or NACK is to be sent.
#define WEFT_REPLY 1

// The program must send a data packet.
#define WEFT_DATA 2

// A frame of other software is to be sent.
#define WEFT_OTHER 3

// A fabric.
typedef struct weft_fabric weft_fabric;

// A NIC of the transaction view.
typedef struct weft_nic weft_nic;

// A NIC with its ports.
typedef struct weft_nic_clocked weft_nic_clocked;

// REPS of all connections.
typedef struct weft_reps weft_reps;

// The block with its ports, for all connections.
typedef struct weft_reps_clocked weft_reps_clocked;

// The SACK receiver of all connections.
typedef struct weft_sack_rx weft_sack_rx;

// The block with its ports, for all connections.
typedef struct weft_sack_rx_clocked weft_sack_rx_clocked;

// The SACK sender of all connections.
typedef struct weft_sack_tx weft_sack_tx;

// The block with its ports, for all connections.
typedef struct weft_sack_tx_clocked weft_sack_tx_clocked;

// A model of the NIC, and the outputs that the model has made and the design has not made yet.
typedef struct weft_scoreboard weft_scoreboard;

// SMaRTT: the congestion window of all connections.
typedef struct weft_smartt weft_smartt;

// The block with its ports, for all connections.
typedef struct weft_smartt_clocked weft_smartt_clocked;

// The end of a flow at one of its hosts.
typedef struct {
  // The caller's own number of the flow.
  uint64_t user;
  // Time of the end in picoseconds.
  uint64_t at_ps;
  // Number of bytes.
  uint64_t bytes;
  // Number of the flow, from 0, in the order in which the program sent flows.
  uint32_t flow;
  // The host that sent.
  uint32_t source;
  // The host that received.
  uint32_t destination;
  // 0: the receiver has all bytes. 1: the sender has learned that the receiver has all bytes.
  uint8_t is_sender;
} weft_done;

// Flows with a start time in a window that had already run. These flows started in the next window.
typedef struct {
  // Number of late flows.
  uint64_t flows;
  // Sum of the delays of these flows.
  uint64_t sum_ps;
  // Greatest delay of a flow.
  uint64_t most_ps;
} weft_late;

// A connection's peer and its access to memory, as software would stage them in the registers.
typedef struct {
  // The peer's address, in the order of the wire; an IPv4 address in the last four bytes.
  uint8_t address[16];
  // Start of the memory region for the peer's writes.
  uint64_t region_base;
  // Bytes of the region.
  uint32_t region_length;
  // Key of the region.
  uint32_t region_key;
  // The peer's queue pair, 24 bits.
  uint32_t qp;
  // The first PSN sent, 24 bits.
  uint32_t send_psn;
  // The first PSN expected, 24 bits.
  uint32_t receive_psn;
  // TCI of the VLAN tag, with `tagged`.
  uint16_t tag;
  // P_Key; 0xFFFF is the default one.
  uint16_t pkey;
  // Entropy value of mode FIXED.
  uint16_t ev;
  // MAC address of the next hop.
  uint8_t mac[6];
  // 1: `address` is an IPv6 address.
  uint8_t v6;
  // 1: frames have a VLAN tag.
  uint8_t tagged;
  // Class of the base RTT, 0 to 3.
  uint8_t rtt_class;
} weft_peer;

// A work request: a write of bytes from this end's memory to the peer's.
typedef struct {
  // Address of the bytes at this end.
  uint64_t local;
  // Address at the peer.
  uint64_t remote;
  // The peer's key.
  uint32_t key;
  // Number of bytes.
  uint32_t length;
  // Immediate of the peer's completion.
  uint32_t immediate;
  // Number of this end's completion.
  uint32_t id;
  // 1: the peer gets a completion.
  uint8_t with_immediate;
} weft_work;

// The result of a frame from the network.
typedef struct {
  // Address to which the payload is to be written, if there is any.
  uint64_t address;
  // The connection.
  uint32_t connection;
  // Offset of the payload in the frame.
  uint32_t payload_at;
  // Number of bytes of payload to write; 0: none.
  uint32_t payload_bytes;
  // `WEFT_FOREIGN`, `WEFT_DROPPED` or `WEFT_TAKEN`.
  uint8_t kind;
  // Reason of a dropped frame: 0 MAC error, 1 malformed, 2 IPv4 checksum, 3 ICRC, 4 unknown connection, 5
  // another peer, 6 VLAN, 7 P_Key, 8 no space.
  uint8_t cause;
} weft_incoming;

// The next frame to send.
typedef struct {
  // Address of the payload in this end's memory.
  uint64_t address;
  // The connection. The field has no meaning for other frames.
  uint32_t connection;
  // PSN of a data packet.
  uint32_t psn;
  // Number of bytes of payload to read; 0: none.
  uint32_t payload_bytes;
  // Entropy value of a data packet: its UDP source port.
  uint16_t ev;
  // `WEFT_REPLY`, `WEFT_DATA` or `WEFT_OTHER`.
  uint8_t kind;
  // 1: a data packet that is sent again.
  uint8_t again;
} weft_outgoing;

// A received message with an immediate.
typedef struct {
  // The connection.
  uint32_t connection;
  // The immediate.
  uint32_t immediate;
  // Number of the message since the open, 24 bits.
  uint32_t message;
} weft_received;

// The end of a work request.
typedef struct {
  // The connection.
  uint32_t connection;
  // The request's `id`.
  uint32_t id;
  // `WEFT_SENT_*` of `weft_nic.h`: 0 done, 1 closed, 2 refused, 3 unanswered, 4 breach, 5 denied, 6 broken.
  uint8_t status;
} weft_sent;

// A word of a stream of 512 bits.
typedef struct {
  // `tdata`, low word first.
  uint64_t tdata[8];
  // `tkeep`.
  uint64_t tkeep;
  // `tlast`.
  uint8_t tlast;
  // Bit 0 of `tuser`: with `tlast`, the frame is bad.
  uint8_t tuser;
} weft_beat;

// Input ports of `weft_nic` during a clock. A word is valid while its `tvalid` is 1.
typedef struct {
  // `s_axis_net`: frames from the MAC, always accepted.
  weft_beat net;
  // `s_axis_bypass`: frames of other software.
  weft_beat bypass;
  // `s_axis_read`: DMA read data; bit 0 of `tuser`: the read failed.
  weft_beat read;
  // `s_axis_work_tdata` by its fields.
  weft_work work;
  // `s_axis_work_tid`: the connection.
  uint32_t work_tid;
  // `s_axis_buffer_tid`: the connection.
  uint32_t buffer_tid;
  // `s_axil_wdata`
  uint32_t axil_wdata;
  // `s_axil_awaddr`
  uint16_t axil_awaddr;
  // `s_axil_araddr`
  uint16_t axil_araddr;
  // `rst`
  uint8_t rst;
  // `s_axil_awvalid`
  uint8_t axil_awvalid;
  // `s_axil_wvalid`
  uint8_t axil_wvalid;
  // `s_axil_wstrb`
  uint8_t axil_wstrb;
  // `s_axil_bready`
  uint8_t axil_bready;
  // `s_axil_arvalid`
  uint8_t axil_arvalid;
  // `s_axil_rready`
  uint8_t axil_rready;
  // `s_axis_net_tvalid`
  uint8_t net_tvalid;
  // `m_axis_net_tready`
  uint8_t net_tready;
  // `s_axis_bypass_tvalid`
  uint8_t bypass_tvalid;
  // `m_axis_bypass_tready`
  uint8_t bypass_tready;
  // `s_axis_work_tvalid`
  uint8_t work_tvalid;
  // `m_axis_fetch_tready`
  uint8_t fetch_tready;
  // `s_axis_read_tvalid`
  uint8_t read_tvalid;
  // `m_axis_write_tready`
  uint8_t write_tready;
  // `m_axis_received_tready`
  uint8_t received_tready;
  // `m_axis_sent_tready`
  uint8_t sent_tready;
  // `s_axis_buffer_tvalid`
  uint8_t buffer_tvalid;
  // `s_axis_buffer_tdata`, 2 bits
  uint8_t buffer_tdata;
  // `m_axis_event_tready`
  uint8_t event_tready;
} weft_nic_inputs;

// Output ports of `weft_nic` during a clock. The fields of a stream are the values of its ports, even while its
// `tvalid` is 0.
typedef struct {
  // `m_axis_net`: frames to the MAC.
  weft_beat net;
  // `m_axis_bypass`: frames that are not RoCE for this NIC.
  weft_beat bypass;
  // `m_axis_write`: DMA write data.
  weft_beat write;
  // `m_axis_write_tuser` 63:0: the packet's address.
  uint64_t write_address;
  // `m_axis_fetch_tdata` 63:0: the address of a DMA read.
  uint64_t fetch_address;
  // `m_axis_write_tid`
  uint32_t write_tid;
  // `m_axis_fetch_tid`
  uint32_t fetch_tid;
  // `m_axis_received_tid`
  uint32_t received_tid;
  // `m_axis_received_tdata`: immediate.
  uint32_t received_immediate;
  // `m_axis_received_tdata`: number of the message, 24 bits.
  uint32_t received_message;
  // `m_axis_sent_tid`
  uint32_t sent_tid;
  // `m_axis_sent_tdata`: the request's `id`.
  uint32_t sent_id;
  // `m_axis_event_tid`
  uint32_t event_tid;
  // `s_axil_rdata`
  uint32_t axil_rdata;
  // `m_axis_write_tuser`: the packet's bytes.
  uint16_t write_bytes;
  // `m_axis_fetch_tdata`: bytes of a DMA read.
  uint16_t fetch_bytes;
  // `s_axil_awready`
  uint8_t axil_awready;
  // `s_axil_wready`
  uint8_t axil_wready;
  // `s_axil_bvalid`
  uint8_t axil_bvalid;
  // `s_axil_bresp`
  uint8_t axil_bresp;
  // `s_axil_arready`
  uint8_t axil_arready;
  // `s_axil_rvalid`
  uint8_t axil_rvalid;
  // `s_axil_rresp`
  uint8_t axil_rresp;
  // `m_axis_net_tvalid`
  uint8_t net_tvalid;
  // `s_axis_bypass_tready`
  uint8_t bypass_tready;
  // `m_axis_bypass_tvalid`
  uint8_t bypass_tvalid;
  // `s_axis_work_tready`
  uint8_t work_tready;
  // `m_axis_fetch_tvalid`
  uint8_t fetch_tvalid;
  // `s_axis_read_tready`
  uint8_t read_tready;
  // `m_axis_write_tvalid`
  uint8_t write_tvalid;
  // `m_axis_received_tvalid`
  uint8_t received_tvalid;
  // `m_axis_sent_tvalid`
  uint8_t sent_tvalid;
  // `m_axis_sent_tuser`: the status.
  uint8_t sent_status;
  // `s_axis_buffer_tready`
  uint8_t buffer_tready;
  // `m_axis_event_tvalid`, also `irq`
  uint8_t event_tvalid;
  // `m_axis_event_tdata`
  uint8_t event_tdata;
} weft_nic_outputs;

// An event, as `s_axis_event` carries it.
typedef struct {
  // The connection.
  uint32_t connection;
  // The time in ticks.
  uint32_t now_ticks;
  // ACK: the packet's entropy value. Open: the value of a connection with a fixed one.
  uint16_t ev;
  // ACK: round-trip time in ticks, 0 if unknown.
  uint16_t rtt_ticks;
  // One of `WEFT_REPS_*`.
  uint8_t kind;
  // ACK: 1 if the packet was ECN-marked.
  uint8_t ecn;
} weft_reps_event;

// An answer of the block, as `m_axis_decision` carries it.
typedef struct {
  // The event's connection.
  uint32_t connection;
  // Entropy value of a packet to send; otherwise 0.
  uint16_t ev;
  // The event's kind.
  uint8_t kind;
  // 1: the connection was open, or the event needs no open connection.
  uint8_t accepted;
  // Origin of the entropy value: 0 none or given, 1 explored, 2 recycled, 3 reused.
  uint8_t source;
  // 1: frozen after the event.
  uint8_t frozen;
  // 1: the event began or ended freezing.
  uint8_t turned;
} weft_reps_outcome;

// Input ports of `weft_reps` during a clock.
typedef struct {
  // `now`
  uint32_t now;
  // `s_axis_event_tid`
  uint32_t event_tid;
  // `s_axis_event_tdata`
  uint32_t event_tdata;
  // `rst`
  uint8_t rst;
  // `s_axis_event_tvalid`
  uint8_t event_tvalid;
  // `s_axis_event_tuser`
  uint8_t event_tuser;
  // `m_axis_decision_tready`
  uint8_t decision_tready;
} weft_reps_inputs;

// Output ports of `weft_reps` during a clock.
typedef struct {
  // `m_axis_decision_tid`
  uint32_t decision_tid;
  // `stat_not_open_events`, 16 bits
  uint32_t not_open_events;
  // `m_axis_decision_tdata`
  uint16_t decision_tdata;
  // `s_axis_event_tready`
  uint8_t event_tready;
  // `m_axis_decision_tvalid`
  uint8_t decision_tvalid;
  // `m_axis_decision_tuser`
  uint8_t decision_tuser;
} weft_reps_outputs;

// An event, as `s_axis_event` carries it.
typedef struct {
  // The connection.
  uint32_t connection;
  // PSN of the packet, 24 bits. Open: the first PSN.
  uint32_t psn;
  // A number of the caller's choice. The outcome returns the number.
  uint32_t tag;
  // Bytes of payload.
  uint16_t bytes;
  // One of `WEFT_SACK_RX_*`.
  uint8_t kind;
  // 1: the packet is ECN-marked.
  uint8_t ce;
  // 1: the packet requests an ACK.
  uint8_t request;
  // 1: the packet ends a message.
  uint8_t last;
} weft_sack_rx_event;

// An answer of the block, as `m_axis_outcome` carries it.
typedef struct {
  // Bit i, low word first: the PSN i after `expected` has been received.
  uint64_t bitmap[4];
  // The event's connection.
  uint32_t connection;
  // The event's tag.
  uint32_t tag;
  // The first PSN that has not been received.
  uint32_t expected;
  // The event's PSN.
  uint32_t psn;
  // Number of messages completed since the open, modulo 2^24.
  uint32_t messages;
  // Units of 256 bytes placed, rounded up, modulo 2^24.
  uint32_t received;
  // Number of messages that this event completed.
  uint16_t completed;
  // Number of packets received beyond the cumulative PSN.
  uint8_t out_of_order;
  // Number of packets that waited for an ACK before the event.
  uint8_t waited;
  // The event's kind.
  uint8_t kind;
  // 1: the connection was open, or is opened.
  uint8_t accepted;
  // 0 none, 1 placed, 2 duplicate, 3 outside, 4 trimmed.
  uint8_t verdict;
  // 0 none, 1 ACK, 2 NACK.
  uint8_t response;
  // The event's ECN mark.
  uint8_t ce;
} weft_sack_rx_outcome;

// Input ports of `weft_sack_rx` during a clock.
typedef struct {
  // `s_axis_event_tdata`, low word first, 72 bits
  uint64_t event_tdata[2];
  // `s_axis_event_tid`
  uint32_t event_tid;
  // `rst`
  uint8_t rst;
  // `s_axis_event_tvalid`
  uint8_t event_tvalid;
  // `s_axis_event_tuser`, 6 bits
  uint8_t event_tuser;
  // `m_axis_outcome_tready`
  uint8_t outcome_tready;
} weft_sack_rx_inputs;

// Output ports of `weft_sack_rx` during a clock.
typedef struct {
  // `m_axis_outcome_tdata`, low word first
  uint64_t outcome_tdata[7];
  // `m_axis_outcome_tid`
  uint32_t outcome_tid;
  // `stat_not_open_events`, 16 bits
  uint32_t not_open_events;
  // `stat_duplicates`, 16 bits
  uint32_t duplicates;
  // `stat_outside`, 16 bits
  uint32_t outside;
  // `m_axis_outcome_tuser`
  uint16_t outcome_tuser;
  // `s_axis_event_tready`
  uint8_t event_tready;
  // `m_axis_outcome_tvalid`
  uint8_t outcome_tvalid;
} weft_sack_rx_outputs;

// An event, as `s_axis_event` carries it.
typedef struct {
  // ACK: bit i, low word first, says that PSN `psn + i` has arrived.
  uint64_t bitmap[4];
  // The connection.
  uint32_t connection;
  // ACK: the first PSN that has not arrived. NACK: the PSN. Open: the first PSN. 24 bits.
  uint32_t psn;
  // ACK: the PSN that the ACK answers, 24 bits.
  uint32_t trigger;
  // Window and open: congestion window in bytes, 26 bits.
  uint32_t cwnd_bytes;
  // A number that the outcome returns. ACK: bits 30:16 are the round-trip time in ticks. Open: bits 17:16
  // are the class.
  uint32_t tag;
  // The time in ticks, 24 bits.
  uint32_t now_ticks;
  // Post: number of packets of the message, 1 to 65,535.
  uint16_t packets;
  // One of `WEFT_SACK_TX_*` up to `WEFT_SACK_TX_CLOSE`.
  uint8_t kind;
  // NACK: 1 if the receiver will never accept this packet.
  uint8_t denied;
} weft_sack_tx_event;

// An answer of the block, as `m_axis_outcome` carries it.
typedef struct {
  // The event's connection.
  uint32_t connection;
  // Send: the packet's PSN. Otherwise the lowest PSN that is not acknowledged.
  uint32_t psn;
  // The event's tag.
  uint32_t tag;
  // Number of packets that the event acknowledged.
  uint16_t acked;
  // Number of packets that the event found lost, minus the number of lost packets that it acknowledged; 16
  // bits.
  uint16_t lost;
  // Number of messages that the event completed.
  uint16_t completed;
  // Number of messages that the event ended unfinished.
  uint16_t errors;
  // Number of packets sent and not acknowledged, after the event.
  uint16_t unacked;
  // Number of unacknowledged packets that are not lost.
  uint16_t in_flight;
  // The event's kind.
  uint8_t kind;
  // 1: the connection was open, or is opened.
  uint8_t accepted;
  // 1: send the packet `psn`.
  uint8_t send;
  // 1: the packet has not been sent before.
  uint8_t fresh;
  // 1: a new packet that ends its message.
  uint8_t last;
  // 1: the connection closed itself.
  uint8_t failed;
  // Reason why the event was ignored in whole or in part: 0 none, 1 never sent, 2 stale, 3 refused.
  uint8_t reason;
  // 1: the bitmap has PSNs never sent.
  uint8_t beyond;
  // 1: round-trip times show congestion of the network.
  uint8_t congested;
  // 1: the packets that the ACK lost show that a path failed.
  uint8_t failure;
  // 1: the ACK's round-trip time may be wrong.
  uint8_t unsure;
} weft_sack_tx_outcome;

// Input ports of `weft_sack_tx` during a clock.
typedef struct {
  // `s_axis_event_tdata`, low word first, 344 bits
  uint64_t event_tdata[6];
  // `now`, 24 bits
  uint32_t now;
  // `s_axis_event_tid`
  uint32_t event_tid;
  // `query`
  uint32_t query;
  // `rst`
  uint8_t rst;
  // `s_axis_event_tvalid`
  uint8_t event_tvalid;
  // `s_axis_event_tuser`, 3 bits
  uint8_t event_tuser;
  // `m_axis_outcome_tready`
  uint8_t outcome_tready;
  // `hold`
  uint8_t hold;
} weft_sack_tx_inputs;

// Output ports of `weft_sack_tx` during a clock.
typedef struct {
  // `m_axis_outcome_tdata`, low word first
  uint64_t outcome_tdata[3];
  // `window_view`, low word first
  uint64_t window_view[2];
  // `m_axis_outcome_tid`
  uint32_t outcome_tid;
  // `stat_not_open_events`, 16 bits
  uint32_t not_open_events;
  // `stat_never_sent`, 16 bits
  uint32_t never_sent;
  // `stat_stale`, 16 bits
  uint32_t stale;
  // `stat_refused`, 16 bits
  uint32_t refused;
  // `m_axis_outcome_tuser`
  uint16_t outcome_tuser;
  // `s_axis_event_tready`
  uint8_t event_tready;
  // `sends`
  uint8_t sends;
  // `m_axis_outcome_tvalid`
  uint8_t outcome_tvalid;
} weft_sack_tx_outputs;

// An event, as `s_axis_event` carries it.
typedef struct {
  // The connection.
  uint32_t connection;
  // Bytes acknowledged or lost, below 2^24.
  uint32_t bytes;
  // Bytes in the network after this event.
  uint32_t in_flight_bytes;
  // The time in ticks, of which the low 20 bits are used.
  uint32_t now_ticks;
  // ACK: round-trip time in ticks, 0 if unknown.
  uint16_t rtt_ticks;
  // One of `WEFT_SMARTT_*`.
  uint8_t kind;
  // Class of the connection, 0 to 3.
  uint8_t rtt_class;
  // ACK: number of packets acknowledged, 1 to 16.
  uint8_t packets;
  // ACK: 1 if marked.
  uint8_t ecn;
} weft_smartt_event;

// An answer of the block, as `m_axis_window` carries it.
typedef struct {
  // The event's connection.
  uint32_t connection;
  // The window after the event in whole bytes; 0 if the connection is closed.
  uint32_t cwnd_bytes;
  // The event's kind.
  uint8_t kind;
  // 1: the connection was open, or the event needs no open connection.
  uint8_t accepted;
  // The case of the page: 0 none, 1 fair decrease, 2 multiplicative decrease, 3 fair increase, 4
  // multiplicative increase, 5 held, 6 waiting, 7 ignored, 8 loss, 9 QuickAdapt, 10 fast increase, 11 fair
  // and multiplicative increase.
  uint8_t what;
} weft_smartt_outcome;

// Input ports of `weft_smartt` during a clock.
typedef struct {
  // `s_axis_event_tdata`, low word first, 72 bits
  uint64_t event_tdata[2];
  // `now`, 20 bits
  uint32_t now;
  // `s_axis_event_tid`
  uint32_t event_tid;
  // `s_axis_event_tuser`, 10 bits
  uint16_t event_tuser;
  // `rst`
  uint8_t rst;
  // `s_axis_event_tvalid`
  uint8_t event_tvalid;
  // `m_axis_window_tready`
  uint8_t window_tready;
} weft_smartt_inputs;

// Output ports of `weft_smartt` during a clock.
typedef struct {
  // `m_axis_window_tid`
  uint32_t window_tid;
  // `m_axis_window_tdata`
  uint32_t window_tdata;
  // `stat_not_open_events`, 16 bits
  uint32_t not_open_events;
  // `s_axis_event_tready`
  uint8_t event_tready;
  // `m_axis_window_tvalid`
  uint8_t window_tvalid;
  // `m_axis_window_tuser`
  uint8_t window_tuser;
} weft_smartt_outputs;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Returns the version of the library's interface. A program compares bits 31:16 with those of its
// `WEFT_ABI_VERSION`.
uint32_t weft_abi_version(void);

// Returns the message of this thread's last failed call, as one line of UTF-8. The text stays until the next
// call that fails.
const char *weft_error(void);

// Makes a fabric from a setup of `weft sim` with `workload.kind = "none"`. `bytes` bytes of text are the
// setup; `count` keys as KEY=VALUE replace keys of the text. Names of files are relative to `folder`, if
// that is not NULL. NULL: see `weft_error`.
weft_fabric *weft_fabric_new(const char *toml, size_t bytes, const char *folder, const char *const *sets, size_t count);

// Makes a fabric from a file with a setup.
weft_fabric *weft_fabric_read(const char *file, const char *const *sets, size_t count);

// Frees the handle. NULL is permitted.
void weft_fabric_free(weft_fabric *fabric);

// Returns the length of a window in picoseconds: the greatest delay of the reaction to a completion. 0: see
// `weft_error`.
uint64_t weft_fabric_window_ps(weft_fabric *fabric);

// Returns the start of the next window: the earliest time at which a flow can start.
uint64_t weft_fabric_now_ps(weft_fabric *fabric);

// Returns the number of hosts of the network. 0: see `weft_error`.
uint32_t weft_fabric_hosts(weft_fabric *fabric);

// Returns settings that are possible but probably not intended, one per line. The text is empty if there are
// none. The text belongs to the fabric.
const char *weft_fabric_warnings(weft_fabric *fabric);

// Opens `count` connections from one host to another, if none are open. The pair then gets no further
// connections. Without this call, a flow opens a connection if all connections of its pair are in use, up to
// `hosts.pair_connections`.
int32_t weft_fabric_connect(weft_fabric *fabric, uint32_t source, uint32_t destination, uint32_t count);

// Sends bytes from one host to another, at a given time. A time before `weft_fabric_now_ps` is replaced with
// that time, and the flow counts as late. Completions return `user`.
int32_t weft_fabric_send(weft_fabric *fabric,
                         uint32_t source,
                         uint32_t destination,
                         uint64_t bytes,
                         uint64_t at_ps,
                         uint64_t user);

// Runs the windows that end at `until_ps` at the latest, and stops after the first window in which flows
// end. Writes these ends, at most `room` of them, in the order of time, and writes their number. `WEFT_ONE`:
// flows ended; call the function again, because it then returns the ends that did not fit. `WEFT_OK`:
// everything has happened up to that time, or, with `WEFT_NEVER`, every flow has ended.
int32_t weft_fabric_advance(weft_fabric *fabric, uint64_t until_ps, weft_done *done, size_t room, size_t *count);

// `WEFT_ONE`: every flow has ended at both hosts, and no packet is in transit. `WEFT_OK`: otherwise.
int32_t weft_fabric_is_idle(weft_fabric *fabric);

// Returns the flows that started late so far.
int32_t weft_fabric_late(weft_fabric *fabric, weft_late *late);

// Ends the run. Returns the JSON of `weft sim`, and its number of bytes without the NUL behind them. The
// text belongs to the fabric. Later calls return the same JSON.
int32_t weft_fabric_report(weft_fabric *fabric, const char **json, size_t *bytes);

// Makes a NIC after reset, with the reset values of the registers. Connections: 4, 16, 64, 256, 1024, 4096
// or 16384. NULL: see `weft_error`.
weft_nic *weft_nic_new(uint32_t connections);

// Frees the handle. NULL is permitted.
void weft_nic_free(weft_nic *nic);

// Writes a register of the configuration, by its offset in `weft_nic.h`. (`TICK_SHIFT` has no effect,
// because the caller counts the ticks.) `weft_nic_open` opens connections.
int32_t weft_nic_write(weft_nic *nic, uint32_t offset, uint32_t value, uint64_t now_ticks);

// Reads a register of the configuration, or the low word of a counter.
int32_t weft_nic_read(weft_nic *nic, uint32_t offset, uint32_t *value);

// Opens a connection. An open connection is closed first.
int32_t weft_nic_open(weft_nic *nic, uint32_t connection, const weft_peer *peer, uint64_t now_ticks);

// Closes a connection: its work ends, and the NIC sends no further packet to its peer.
int32_t weft_nic_close(weft_nic *nic, uint32_t connection, uint64_t now_ticks);

// Drains a connection: the NIC accepts no more work for it, and an event reports when all of its work has ended.
int32_t weft_nic_drain(weft_nic *nic, uint32_t connection, uint64_t now_ticks);

// Tells REPS that the paths of a connection are good again.
int32_t weft_nic_path_ok(weft_nic *nic, uint32_t connection, uint64_t now_ticks);

// Reports the state of the host's buffer for a connection: 0 the buffer accepts packets, 1 it holds them
// back, 2 it failed.
int32_t weft_nic_buffer(weft_nic *nic, uint32_t connection, uint8_t word, uint64_t now_ticks);

// Seeds the generator of entropy values.
int32_t weft_nic_seed(weft_nic *nic, uint32_t seed, uint64_t now_ticks);

// Returns the state of a connection: the byte of the register STATE (docs/registers.md).
int32_t weft_nic_state(weft_nic *nic, uint32_t connection, uint8_t *state);

// Returns the next connection with an event, and its present state; `WEFT_ONE` if there is one.
int32_t weft_nic_event(weft_nic *nic, uint32_t *connection, uint8_t *state);

// Accepts a work request. `weft_nic_sent` returns the request's result, also for a refused request.
int32_t weft_nic_work(weft_nic *nic, uint32_t connection, const weft_work *work, uint64_t now_ticks);

// Accepts a frame of other software, to be sent, without FCS. A frame of more than 16 KiB is dropped and
// counted.
int32_t weft_nic_bypass(weft_nic *nic, const uint8_t *frame, size_t frame_bytes);

// Handles a frame from the network, without FCS; `bad`: 1 if the MAC marks it as bad. The caller writes the
// payload in `incoming` before it requests completions.
int32_t weft_nic_receive(weft_nic *nic,
                         const uint8_t *frame,
                         size_t frame_bytes,
                         uint8_t bad,
                         uint64_t now_ticks,
                         weft_incoming *incoming);

// Returns the next frame to send when the wire is free; `WEFT_ONE` if there is one. `weft_nic_frame` makes
// the frames, in the order of these calls. `WEFT_OK`: none until the next input of the NIC, or
// `weft_nic_deadline`.
int32_t weft_nic_poll(weft_nic *nic, uint64_t now_ticks, weft_outgoing *outgoing);

// Makes the frame of the oldest order of `weft_nic_poll` that has no frame yet, without FCS. `payload`: the
// bytes that were read. NULL means that the read failed, if the packet has a payload. `WEFT_ONE`: `frame`
// has `frame_bytes` bytes. `WEFT_OK`: there is no frame, because the read failed or because the NIC no
// longer sends the packet. 16,384 bytes are enough for any frame.
int32_t weft_nic_frame(weft_nic *nic,
                       const uint8_t *payload,
                       size_t payload_bytes,
                       uint64_t now_ticks,
                       uint8_t *frame,
                       size_t room,
                       size_t *frame_bytes);

// Returns the next received message with an immediate; `WEFT_ONE` if there is one.
int32_t weft_nic_received(weft_nic *nic, weft_received *received);

// Returns the next work request that has ended; `WEFT_ONE` if there is one.
int32_t weft_nic_sent(weft_nic *nic, weft_sent *sent);

// Returns the time at which the next timer expires; `WEFT_ONE` if a timer runs.
int32_t weft_nic_deadline(weft_nic *nic, uint64_t now_ticks, uint64_t *deadline_ticks);

// Makes a NIC after reset, with streams of 512 bits and without bits of other software in `tuser`. Its
// registers are behind AXI4-Lite, as in the hardware. Connections: 4, 16, 64, 256, 1024, 4096 or 16384.
// NULL: see `weft_error`.
weft_nic_clocked *weft_nic_clocked_new(uint32_t connections);

// Frees the handle. NULL is permitted.
void weft_nic_clocked_free(weft_nic_clocked *nic);

// Runs a rising edge with these inputs. Returns the outputs after the clock edge.
int32_t weft_nic_clock(weft_nic_clocked *nic, const weft_nic_inputs *inputs, weft_nic_outputs *outputs);

// Makes a block after reset. Connections: 4, 16, 64, 256, 1024, 4096 or 16384; depth: 4, 8 or 16; width of entropy
// values: 8, 12 or 16. NULL: see `weft_error`.
weft_reps *weft_reps_new(uint32_t connections, uint32_t depth, uint32_t ev_width);

// Frees the handle. NULL is permitted.
void weft_reps_free(weft_reps *reps);

// Writes a register `WEFT_REG_REPS_*` of `weft_nic.h`. Later events use the value.
int32_t weft_reps_write(weft_reps *reps, uint32_t offset, uint32_t value);

// Reads a register.
int32_t weft_reps_read(weft_reps *reps, uint32_t offset, uint32_t *value);

// Handles an event.
int32_t weft_reps_step(weft_reps *reps, const weft_reps_event *happens, weft_reps_outcome *outcome);

// Makes the block with its ports, after reset; see `weft_reps_new`.
weft_reps_clocked *weft_reps_clocked_new(uint32_t connections, uint32_t depth, uint32_t ev_width);

// Frees the handle. NULL is permitted.
void weft_reps_clocked_free(weft_reps_clocked *reps);

// Sets `cfg_*` ports as a register `WEFT_REG_REPS_*` would, from the next clock on.
int32_t weft_reps_clocked_write(weft_reps_clocked *reps, uint32_t offset, uint32_t value);

// Runs a rising edge with these inputs. Returns the outputs after the clock edge.
int32_t weft_reps_clock(weft_reps_clocked *reps, const weft_reps_inputs *inputs, weft_reps_outputs *outputs);

// Makes a block after reset. Connections: 4, 16, 64, 256, 1024, 4096 or 16384. NULL: see `weft_error`.
weft_sack_rx *weft_sack_rx_new(uint32_t connections);

// Frees the handle. NULL is permitted.
void weft_sack_rx_free(weft_sack_rx *sack_rx);

// Writes a register `WEFT_REG_SACK_RX_*` of `weft_nic.h`. Later events use the value.
int32_t weft_sack_rx_write(weft_sack_rx *sack_rx, uint32_t offset, uint32_t value);

// Reads a register.
int32_t weft_sack_rx_read(weft_sack_rx *sack_rx, uint32_t offset, uint32_t *value);

// Handles an event.
int32_t weft_sack_rx_step(weft_sack_rx *sack_rx, const weft_sack_rx_event *happens, weft_sack_rx_outcome *outcome);

// Makes the block with its ports, after reset; see `weft_sack_rx_new`.
weft_sack_rx_clocked *weft_sack_rx_clocked_new(uint32_t connections);

// Frees the handle. NULL is permitted.
void weft_sack_rx_clocked_free(weft_sack_rx_clocked *sack_rx);

// Sets `cfg_*` ports as a register `WEFT_REG_SACK_RX_*` would, from the next clock on.
int32_t weft_sack_rx_clocked_write(weft_sack_rx_clocked *sack_rx, uint32_t offset, uint32_t value);

// Runs a rising edge with these inputs. Returns the outputs after the clock edge.
int32_t weft_sack_rx_clock(weft_sack_rx_clocked *sack_rx,
                           const weft_sack_rx_inputs *inputs,
                           weft_sack_rx_outputs *outputs);

// Makes a block after reset. Connections: 4, 16, 64, 256, 1024, 4096 or 16384. NULL: see `weft_error`.
weft_sack_tx *weft_sack_tx_new(uint32_t connections);

// Frees the handle. NULL is permitted.
void weft_sack_tx_free(weft_sack_tx *sack_tx);

// Writes a register `WEFT_REG_SACK_TX_*`, or `WEFT_REG_SENDER_MTU_SHIFT`, of `weft_nic.h`. Later events use the value.
int32_t weft_sack_tx_write(weft_sack_tx *sack_tx, uint32_t offset, uint32_t value);

// Reads a register.
int32_t weft_sack_tx_read(weft_sack_tx *sack_tx, uint32_t offset, uint32_t *value);

// Handles an event.
int32_t weft_sack_tx_step(weft_sack_tx *sack_tx, const weft_sack_tx_event *happens, weft_sack_tx_outcome *outcome);

// Returns the next packet that may leave. Connections take turns. `WEFT_ONE` if there is one.
int32_t weft_sack_tx_send(weft_sack_tx *sack_tx, uint32_t now_ticks, weft_sack_tx_outcome *outcome);

// Handles the timer of a connection if one is due (a timeout, an epoch, a PROBE); `WEFT_ONE` if one was due.
int32_t weft_sack_tx_timer(weft_sack_tx *sack_tx,
                           uint32_t connection,
                           uint32_t now_ticks,
                           weft_sack_tx_outcome *outcome);

// Makes the block with its ports, after reset; see `weft_sack_tx_new`.
weft_sack_tx_clocked *weft_sack_tx_clocked_new(uint32_t connections);

// Frees the handle. NULL is permitted.
void weft_sack_tx_clocked_free(weft_sack_tx_clocked *sack_tx);

// Sets `cfg_*` ports from the next clock on, as a write to the register `WEFT_REG_SACK_TX_*` or
// `WEFT_REG_SENDER_MTU_SHIFT` would.
int32_t weft_sack_tx_clocked_write(weft_sack_tx_clocked *sack_tx, uint32_t offset, uint32_t value);

// Runs a rising edge with these inputs. Returns the outputs after the clock edge.
int32_t weft_sack_tx_clock(weft_sack_tx_clocked *sack_tx,
                           const weft_sack_tx_inputs *inputs,
                           weft_sack_tx_outputs *outputs);

// Makes a scoreboard without outputs, and its model after reset. Connections: 4, 16, 64, 256, 1024, 4096 or
// 16384. NULL: see `weft_error`.
weft_scoreboard *weft_scoreboard_new(uint32_t connections);

// Frees a scoreboard and its model. NULL is permitted.
void weft_scoreboard_free(weft_scoreboard *scoreboard);

// The model that the design is compared with. It serves calls for registers, connections and deadlines:
// `weft_nic_write`, `weft_nic_open`, `weft_nic_buffer`, `weft_nic_deadline` and so on. The model belongs to
// the scoreboard. NULL: see `weft_error`.
weft_nic *weft_scoreboard_nic(weft_scoreboard *scoreboard);

// The last difference, as one line of UTF-8: the output of the design, and the output of the model. The text
// stays until the next difference of this scoreboard.
const char *weft_scoreboard_difference(weft_scoreboard *scoreboard);

// Number of outputs that were equal. 0 without a scoreboard.
uint64_t weft_scoreboard_compared(weft_scoreboard *scoreboard);

// The design accepted a work request.
int32_t weft_scoreboard_work(weft_scoreboard *scoreboard,
                             uint32_t connection,
                             const weft_work *work,
                             uint64_t now_ticks);

// The design accepted a frame from the network, without FCS; `bad`: 1 if the MAC of the design marked the
// frame as bad.
int32_t weft_scoreboard_receive(weft_scoreboard *scoreboard,
                                const uint8_t *frame,
                                size_t frame_bytes,
                                uint8_t bad,
                                uint64_t now_ticks);

// The design accepted a frame of the host's other traffic, to be sent.
int32_t weft_scoreboard_bypass(weft_scoreboard *scoreboard, const uint8_t *frame, size_t frame_bytes);

// The design sent a frame, without FCS. `WEFT_ONE`: the frame differs, see `weft_scoreboard_difference`.
int32_t weft_scoreboard_frame(weft_scoreboard *scoreboard,
                              const uint8_t *frame,
                              size_t frame_bytes,
                              uint64_t now_ticks);

// The design passed on a frame of other software; `bad`: 1 if the design marked the frame as bad.
// `WEFT_ONE`: the output differs.
int32_t weft_scoreboard_bypassed(weft_scoreboard *scoreboard, const uint8_t *frame, size_t frame_bytes, uint8_t bad);

// The design requested the payload of a packet. `WEFT_ONE`: the output differs.
int32_t weft_scoreboard_fetch(weft_scoreboard *scoreboard,
                              uint32_t connection,
                              uint64_t address,
                              size_t payload_bytes,
                              uint64_t now_ticks);

// The design got the answer to its oldest fetch; NULL: the read failed. `WEFT_ONE`: there is no such fetch.
int32_t weft_scoreboard_read(weft_scoreboard *scoreboard, const uint8_t *payload, size_t payload_bytes);

// The design wrote the payload of a packet. `WEFT_ONE`: the output differs.
int32_t weft_scoreboard_write(weft_scoreboard *scoreboard,
                              uint32_t connection,
                              uint64_t address,
                              const uint8_t *payload,
                              size_t payload_bytes);

// The design completed a received message. `WEFT_ONE`: the output differs.
int32_t weft_scoreboard_received(weft_scoreboard *scoreboard, const weft_received *received, uint64_t now_ticks);

// The design completed a work request. `WEFT_ONE`: the output differs.
int32_t weft_scoreboard_sent(weft_scoreboard *scoreboard, const weft_sent *sent, uint64_t now_ticks);

// The design reported an event of a connection; `state` is the byte of the register STATE. `WEFT_ONE`: the
// output differs. A design without events can report those of the model, which `weft_nic_event` returns.
int32_t weft_scoreboard_event(weft_scoreboard *scoreboard, uint32_t connection, uint8_t state, uint64_t now_ticks);

// The design is quiet, and its counter at this offset of `weft_nic.h` has this value, modulo 2^32.
// `WEFT_ONE`: the value differs. Counters of clocks (`WEFT_REG_HOLDS_*`) may have any value.
int32_t weft_scoreboard_counter(weft_scoreboard *scoreboard, uint32_t offset, uint32_t value, uint64_t now_ticks);

// The design is quiet. `WEFT_ONE`: an output is missing, or the model would have sent more.
int32_t weft_scoreboard_settle(weft_scoreboard *scoreboard, uint64_t now_ticks);

// Makes a block after reset. Connections: 4, 16, 64, 256, 1024, 4096 or 16384. NULL: see `weft_error`.
weft_smartt *weft_smartt_new(uint32_t connections);

// Frees the handle. NULL is permitted.
void weft_smartt_free(weft_smartt *smartt);

// Writes a register `WEFT_REG_SMARTT_*` of `weft_nic.h`. Later events use the value.
int32_t weft_smartt_write(weft_smartt *smartt, uint32_t offset, uint32_t value);

// Reads a register.
int32_t weft_smartt_read(weft_smartt *smartt, uint32_t offset, uint32_t *value);

// Handles an event.
int32_t weft_smartt_step(weft_smartt *smartt, const weft_smartt_event *happens, weft_smartt_outcome *outcome);

// Makes the block with its ports, after reset; see `weft_smartt_new`.
weft_smartt_clocked *weft_smartt_clocked_new(uint32_t connections);

// Frees the handle. NULL is permitted.
void weft_smartt_clocked_free(weft_smartt_clocked *smartt);

// Sets `cfg_*` ports as a register `WEFT_REG_SMARTT_*` would, from the next clock on.
int32_t weft_smartt_clocked_write(weft_smartt_clocked *smartt, uint32_t offset, uint32_t value);

// Runs a rising edge with these inputs. Returns the outputs after the clock edge.
int32_t weft_smartt_clock(weft_smartt_clocked *smartt, const weft_smartt_inputs *inputs, weft_smartt_outputs *outputs);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* WEFT_H */
