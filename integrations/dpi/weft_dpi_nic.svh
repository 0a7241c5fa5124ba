// SPDX-License-Identifier: MIT OR Apache-2.0
// A scoreboard for a NIC (docs/verify-your-nic.md). Include this file behind weft_dpi.svh.
// Functions with an answer return 0; 1 where there is a difference, or a result; less than 0 with weft_dpi_error.

// Streams of weft_dpi_scoreboard_word: frames and DMA read data, words of 512 bits.
typedef enum int {
    WEFT_NET_RX,    // accepted from the MAC; `bad` with the last word: an error
    WEFT_NET_TX,    // sent to the MAC
    WEFT_BYPASS_RX, // accepted from the host's other traffic
    WEFT_BYPASS_TX, // passed on to it; `bad` with the last word: with an error
    WEFT_READ       // payload that the host has read, a fetch a packet; `bad` with the last word: failed
} weft_stream_t;

import "DPI-C" function chandle weft_dpi_scoreboard_new(input int unsigned connections);
import "DPI-C" function void weft_dpi_scoreboard_free(input chandle scoreboard);
// The model inside, for weft_dpi_nic_*.
import "DPI-C" function chandle weft_dpi_scoreboard_nic(input chandle scoreboard);
// The difference between design and model, after an answer of 1.
import "DPI-C" function string weft_dpi_scoreboard_difference(input chandle scoreboard);
import "DPI-C" function longint unsigned weft_dpi_scoreboard_compared(input chandle scoreboard);

// Inputs and outputs of the design, as they are accepted.
import "DPI-C" function int weft_dpi_scoreboard_word(input chandle scoreboard, input int stream, input bit [511:0] data,
    input longint unsigned keep, input bit last, input bit bad, input longint unsigned now_ticks);
import "DPI-C" function int weft_dpi_scoreboard_write(input chandle scoreboard, input bit [511:0] data, input longint unsigned keep,
    input bit last, input int unsigned connection, input longint unsigned address);
import "DPI-C" function int weft_dpi_scoreboard_work(input chandle scoreboard, input int unsigned connection,
    input longint unsigned local_address, input longint unsigned remote_address, input int unsigned key, input int unsigned length,
    input int unsigned immediate, input int unsigned id, input bit with_immediate, input longint unsigned now_ticks);
import "DPI-C" function int weft_dpi_scoreboard_fetch(input chandle scoreboard, input int unsigned connection,
    input longint unsigned address, input int unsigned bytes, input longint unsigned now_ticks);
import "DPI-C" function int weft_dpi_scoreboard_received(input chandle scoreboard, input int unsigned connection,
    input int unsigned immediate, input int unsigned message, input longint unsigned now_ticks);
import "DPI-C" function int weft_dpi_scoreboard_sent(input chandle scoreboard, input int unsigned connection, input int unsigned id,
    input byte unsigned status, input longint unsigned now_ticks);
// The design reported an event; `state` is the byte of the register STATE.
import "DPI-C" function int weft_dpi_scoreboard_event(input chandle scoreboard, input int unsigned connection,
    input byte unsigned state, input longint unsigned now_ticks);
// The design is quiet: the value of a counter by its offset in weft_nic.h, modulo 2^32. Counters of clocks may have any.
import "DPI-C" function int weft_dpi_scoreboard_counter(input chandle scoreboard, input int unsigned offset,
    input int unsigned value, input longint unsigned now_ticks);
// The design is quiet, and owes nothing.
import "DPI-C" function int weft_dpi_scoreboard_settle(input chandle scoreboard, input longint unsigned now_ticks);

// A model: registers by the offsets of weft_nic.h, its events, connections, the host's buffers, the next timer.
import "DPI-C" function int weft_dpi_nic_write(input chandle nic, input int unsigned offset, input int unsigned value,
    input longint unsigned now_ticks);
import "DPI-C" function int weft_dpi_nic_read(input chandle nic, input int unsigned offset, output int unsigned value);
import "DPI-C" function int weft_dpi_nic_event(input chandle nic, output int unsigned connection, output byte unsigned state);
import "DPI-C" function int weft_dpi_nic_open(input chandle nic, input int unsigned connection, input int unsigned ipv4,
    input longint unsigned mac, input int unsigned qp, input int unsigned send_psn, input int unsigned receive_psn,
    input longint unsigned region_base, input int unsigned region_length, input int unsigned region_key,
    input longint unsigned now_ticks);
import "DPI-C" function int weft_dpi_nic_buffer(input chandle nic, input int unsigned connection, input byte unsigned word,
    input longint unsigned now_ticks);
import "DPI-C" function int weft_dpi_nic_deadline(input chandle nic, input longint unsigned now_ticks,
    output longint unsigned deadline_ticks);

// A NIC at the other end of the wire: gets the design's frames, and has frames for it.
import "DPI-C" function chandle weft_dpi_peer_new(input int unsigned connections);
import "DPI-C" function void weft_dpi_peer_free(input chandle peer);
import "DPI-C" function chandle weft_dpi_peer_nic(input chandle peer);
import "DPI-C" function int weft_dpi_peer_work(input chandle peer, input int unsigned connection,
    input longint unsigned remote_address, input int unsigned key, input int unsigned length, input int unsigned immediate,
    input int unsigned id, input bit with_immediate, input longint unsigned now_ticks);
import "DPI-C" function int weft_dpi_peer_word(input chandle peer, input bit [511:0] data, input longint unsigned keep, input bit last,
    input longint unsigned now_ticks);
// The peer's next frame, if the answer is 1: how many words it has; weft_dpi_peer_get gives them.
import "DPI-C" function int weft_dpi_peer_next(input chandle peer, input longint unsigned now_ticks, output int unsigned words);
import "DPI-C" function int weft_dpi_peer_get(input chandle peer, input int unsigned index, output bit [511:0] data,
    output longint unsigned keep);
