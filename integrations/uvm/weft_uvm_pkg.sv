// SPDX-License-Identifier: MIT OR Apache-2.0
// A UVM scoreboard for a NIC, around the model's (docs/verify-your-nic.md). Monitors write what the NIC accepts and gives out to
// eight analysis FIFOs; `settle` compares. Linted by slang against the few base classes in stub/; no simulator has run it.
package weft_uvm_pkg;
    import uvm_pkg::*;
    `include "uvm_macros.svh"
    `include "weft_dpi.svh"
    `include "weft_dpi_nic.svh"

    // A work request that the NIC accepted.
    class weft_work_item extends uvm_sequence_item;
        `uvm_object_utils(weft_work_item)
        int unsigned connection, key, length, immediate, id;
        longint unsigned local_address, remote_address;
        bit with_immediate;
        function new(string name = "weft_work_item");
            super.new(name);
        endfunction
    endclass

    // A frame without FCS; `bad`: with the MAC's error.
    class weft_frame_item extends uvm_sequence_item;
        `uvm_object_utils(weft_frame_item)
        byte unsigned bytes[$];
        bit bad;
        function new(string name = "weft_frame_item");
            super.new(name);
        endfunction
    endclass

    // A packet on the host's side. Write: address and payload. Fetch: address, and the payload that the host answered;
    // `bad`: the read failed.
    class weft_dma_item extends uvm_sequence_item;
        `uvm_object_utils(weft_dma_item)
        int unsigned connection;
        longint unsigned address;
        byte unsigned bytes[$];
        bit bad;
        function new(string name = "weft_dma_item");
            super.new(name);
        endfunction
    endclass

    // A completion. Sent: `number` is the id, `code` the status. Received: `number` is the immediate, `code` the message.
    class weft_completion_item extends uvm_sequence_item;
        `uvm_object_utils(weft_completion_item)
        int unsigned connection, number, code;
        function new(string name = "weft_completion_item");
            super.new(name);
        endfunction
    endclass

    // An event of a connection, with the byte of the register STATE.
    class weft_event_item extends uvm_sequence_item;
        `uvm_object_utils(weft_event_item)
        int unsigned connection;
        byte unsigned state;
        function new(string name = "weft_event_item");
            super.new(name);
        endfunction
    endclass

    class weft_scoreboard extends uvm_scoreboard;
        `uvm_component_utils(weft_scoreboard)

        uvm_tlm_analysis_fifo #(weft_work_item) work;
        uvm_tlm_analysis_fifo #(weft_frame_item) net_rx, net_tx;
        uvm_tlm_analysis_fifo #(weft_dma_item) write, fetch;
        uvm_tlm_analysis_fifo #(weft_completion_item) sent, received;
        uvm_tlm_analysis_fifo #(weft_event_item) events;

        // Set before the build phase.
        int unsigned connections = 256;
        // The time in ticks of the NIC; the driver of the NIC's time sets it before `settle`.
        longint unsigned now_ticks = 0;

        local chandle board;

        function new(string name, uvm_component parent);
            super.new(name, parent);
        endfunction

        function void build_phase(uvm_phase phase);
            super.build_phase(phase);
            work = new("work", this);
            net_rx = new("net_rx", this);
            net_tx = new("net_tx", this);
            write = new("write", this);
            fetch = new("fetch", this);
            sent = new("sent", this);
            received = new("received", this);
            events = new("events", this);
            board = weft_dpi_scoreboard_new(connections);
            if (board == null) `uvm_fatal("WEFT", weft_dpi_error())
        endfunction

        // The model, for weft_dpi_nic_*: the test writes its registers and opens its connections as it does the NIC's.
        function chandle model();
            return weft_dpi_scoreboard_nic(board);
        endfunction

        // The NIC is quiet: everything it accepted since the last call, then everything it gave out.
        function void settle();
            weft_work_item request;
            weft_frame_item frame;
            weft_dma_item packet;
            weft_completion_item completion;
            weft_event_item change;
            while (work.try_get(request))
                check(weft_dpi_scoreboard_work(board, request.connection, request.local_address, request.remote_address, request.key,
                    request.length, request.immediate, request.id, request.with_immediate, now_ticks));
            while (net_rx.try_get(frame)) words(WEFT_NET_RX, frame.bytes, frame.bad);
            while (fetch.try_get(packet)) begin
                check(weft_dpi_scoreboard_fetch(board, packet.connection, packet.address, unsigned'(packet.bytes.size()), now_ticks));
                words(WEFT_READ, packet.bytes, packet.bad);
            end
            while (net_tx.try_get(frame)) words(WEFT_NET_TX, frame.bytes, frame.bad);
            while (write.try_get(packet)) written(packet);
            while (received.try_get(completion))
                check(weft_dpi_scoreboard_received(board, completion.connection, completion.number, completion.code, now_ticks));
            while (sent.try_get(completion))
                check(weft_dpi_scoreboard_sent(board, completion.connection, completion.number, 8'(completion.code), now_ticks));
            while (events.try_get(change)) check(weft_dpi_scoreboard_event(board, change.connection, change.state, now_ticks));
            check(weft_dpi_scoreboard_settle(board, now_ticks));
        endfunction

        // The NIC is quiet, and has this value in the counter that weft_nic.h has at this offset.
        function void counter(int unsigned offset, int unsigned value);
            check(weft_dpi_scoreboard_counter(board, offset, value, now_ticks));
        endfunction

        function void check_phase(uvm_phase phase);
            super.check_phase(phase);
            settle();
        endfunction

        function void report_phase(uvm_phase phase);
            super.report_phase(phase);
            `uvm_info("WEFT", $sformatf("%0d outputs are the model's", weft_dpi_scoreboard_compared(board)), UVM_LOW)
        endfunction

        function void final_phase(uvm_phase phase);
            super.final_phase(phase);
            weft_dpi_scoreboard_free(board);
            board = null;
        endfunction

        // An answer of the scoreboard.
        local function void check(int code);
            if (code == 1) `uvm_error("WEFT", weft_dpi_scoreboard_difference(board))
            if (code < 0) `uvm_fatal("WEFT", weft_dpi_error())
        endfunction

        // Word `at / 64` of bytes, and which of its bytes there are.
        local function void word(byte unsigned bytes[$], int at, output bit [511:0] data, output longint unsigned keep);
            data = '0;
            keep = '0;
            for (int i = 0; i < 64 && at + i < bytes.size(); i++) begin
                data[8*i+:8] = bytes[at+i];
                keep[i] = 1'b1;
            end
        endfunction

        local function void words(weft_stream_t stream, byte unsigned bytes[$], bit bad);
            bit [511:0] data;
            longint unsigned keep;
            for (int at = 0; at < bytes.size(); at += 64) begin
                bit last = at + 64 >= bytes.size();
                word(bytes, at, data, keep);
                check(weft_dpi_scoreboard_word(board, stream, data, keep, last, bad & last, now_ticks));
            end
        endfunction

        local function void written(weft_dma_item packet);
            bit [511:0] data;
            longint unsigned keep;
            for (int at = 0; at < packet.bytes.size(); at += 64) begin
                word(packet.bytes, at, data, keep);
                check(weft_dpi_scoreboard_write(board, data, keep, at + 64 >= packet.bytes.size(), packet.connection, packet.address));
            end
        endfunction
    endclass
endpackage
