// SPDX-License-Identifier: MIT OR Apache-2.0 weft_nic against the model's scoreboard: random work, frames of
// a peer over a bad network, frames of other software, DMA with random latency, back-pressure, timers,
// closes. Prints PASS, or the first difference.
//
//   +seed=N  +rounds=N
//
// Nothing here counts on latencies, so the design may be another NIC: what is weft_nic's own is its registers.
// Time stands still while the design works on a round, and moves on between rounds, by the register TICK_SHIFT.
`timescale 1ns / 1ps
module nic_tb;
    `include "weft_dpi.svh"
    `include "weft_dpi_nic.svh"

    localparam int CONNECTIONS = 256;
    // Connections that are used: few, so that each gets far.
    localparam int USED = 4;
    // Clocks without a transfer after which the design is quiet: after inputs, and after timers, which are scanned.
    localparam int OVER = 250, SCANNED = 1500;
    // Clocks of a tick while time stands still, as a power of 2; and a bound on the clocks of a round.
    localparam int STILL = 15, LONGEST = 12_000;
    // Words of the longest frame of an MTU of 1 KiB, and frames on the wire.
    localparam int WORDS = 20, SLOTS = 32;
    localparam int unsigned OUR_IP = 32'h0A00_0001, PEER_IP = 32'h0A00_0002, KEY = 7, REGION = 1 << 20;

    // Registers, as in hdl/include/weft_nic.h.
    localparam bit [15:0] NOW = 'h00C, TICK_SHIFT = 'h040, PEER_ADDRESS = 'h080, PEER_MAC = 'h090, PEER_QP = 'h098, SEND_PSN = 'h0A0,
        RECEIVE_PSN = 'h0A4, REGION_LENGTH = 'h0B0, REGION_KEY = 'h0B4, COMMAND = 'h0C0, INGRESS_IPV4 = 'h110, EGRESS_IPV4 = 'h150,
        MTU_SHIFT = 'h1C0, FREEZE_TIMEOUT = 'h20C, BDP_PACKETS = 'h210, REPS_TRIMMING = 'h214, SMARTT_MTU = 'h280, SMARTT_MAX_CWND = 'h284,
        SACK_TX_RTO = 'h304, ACK_PACKETS = 'h184, COUNTERS = 'h1000;

    typedef struct packed {
        bit [511:0] data;
        bit [63:0] keep;
        bit last;
        bit user;
    } word_t;

    typedef struct packed {
        bit [7:0] connection;
        bit [255:0] data;
        bit user;
    } work_t;

    bit clk = 0, rst = 1;
    // The inputs of the design.
    word_t net, bypass, read;
    work_t work;
    bit net_valid, bypass_valid, read_valid, work_valid, buffer_valid;
    bit [7:0] buffer_connection;
    bit [1:0] buffer_state;
    bit net_ready, bypass_ready, fetch_ready, write_ready, received_ready, sent_ready, event_ready;
    bit [15:0] axil_awaddr, axil_araddr;
    bit [31:0] axil_wdata, axil_read;
    bit axil_awvalid, axil_wvalid, axil_arvalid, axil_done;

    wire bypass_in_ready, read_in_ready, work_in_ready, buffer_in_ready, awready, wready, bvalid, arready, rvalid;
    wire net_out_valid, bypass_out_valid, fetch_valid, write_valid, received_valid, sent_valid, event_valid;
    wire [511:0] net_out_data, bypass_out_data, write_data;
    wire [63:0] net_out_keep, bypass_out_keep, write_keep;
    wire net_out_last, net_out_user, bypass_out_last, bypass_out_user, write_last;
    wire [7:0] fetch_connection, write_connection, received_connection, sent_connection, event_connection, event_state;
    wire [79:0] fetch_data;
    wire [77:0] write_place;
    wire [55:0] received_data;
    wire [31:0] sent_id, rdata;
    wire [2:0] sent_status;
    wire [1:0] bresp, rresp;

    // verilator lint_off PINCONNECTEMPTY
    weft_nic dut (
        .clk(clk), .rst(rst),
        .s_axil_awaddr(axil_awaddr), .s_axil_awprot(3'd0), .s_axil_awvalid(axil_awvalid), .s_axil_awready(awready),
        .s_axil_wdata(axil_wdata), .s_axil_wstrb(4'hF), .s_axil_wvalid(axil_wvalid), .s_axil_wready(wready),
        .s_axil_bresp(bresp), .s_axil_bvalid(bvalid), .s_axil_bready(1'b1),
        .s_axil_araddr(axil_araddr), .s_axil_arprot(3'd0), .s_axil_arvalid(axil_arvalid), .s_axil_arready(arready),
        .s_axil_rdata(rdata), .s_axil_rresp(rresp), .s_axil_rvalid(rvalid), .s_axil_rready(1'b1),
        .s_axis_net_tvalid(net_valid), .s_axis_net_tdata(net.data), .s_axis_net_tkeep(net.keep), .s_axis_net_tlast(net.last),
        .s_axis_net_tuser(net.user),
        .m_axis_net_tvalid(net_out_valid), .m_axis_net_tready(net_ready), .m_axis_net_tdata(net_out_data),
        .m_axis_net_tkeep(net_out_keep), .m_axis_net_tlast(net_out_last), .m_axis_net_tuser(net_out_user),
        .s_axis_bypass_tvalid(bypass_valid), .s_axis_bypass_tready(bypass_in_ready), .s_axis_bypass_tdata(bypass.data),
        .s_axis_bypass_tkeep(bypass.keep), .s_axis_bypass_tlast(bypass.last), .s_axis_bypass_tuser(bypass.user),
        .m_axis_bypass_tvalid(bypass_out_valid), .m_axis_bypass_tready(bypass_ready), .m_axis_bypass_tdata(bypass_out_data),
        .m_axis_bypass_tkeep(bypass_out_keep), .m_axis_bypass_tlast(bypass_out_last), .m_axis_bypass_tuser(bypass_out_user),
        .s_axis_work_tvalid(work_valid), .s_axis_work_tready(work_in_ready), .s_axis_work_tid(work.connection),
        .s_axis_work_tdata(work.data), .s_axis_work_tuser(work.user),
        .m_axis_fetch_tvalid(fetch_valid), .m_axis_fetch_tready(fetch_ready), .m_axis_fetch_tid(fetch_connection),
        .m_axis_fetch_tdata(fetch_data),
        .s_axis_read_tvalid(read_valid), .s_axis_read_tready(read_in_ready), .s_axis_read_tdata(read.data), .s_axis_read_tkeep(read.keep),
        .s_axis_read_tlast(read.last), .s_axis_read_tuser(read.user),
        .m_axis_write_tvalid(write_valid), .m_axis_write_tready(write_ready), .m_axis_write_tid(write_connection),
        .m_axis_write_tdata(write_data), .m_axis_write_tkeep(write_keep), .m_axis_write_tlast(write_last), .m_axis_write_tuser(write_place),
        .m_axis_received_tvalid(received_valid), .m_axis_received_tready(received_ready), .m_axis_received_tid(received_connection),
        .m_axis_received_tdata(received_data),
        .m_axis_sent_tvalid(sent_valid), .m_axis_sent_tready(sent_ready), .m_axis_sent_tid(sent_connection), .m_axis_sent_tdata(sent_id),
        .m_axis_sent_tuser(sent_status),
        .s_axis_buffer_tvalid(buffer_valid), .s_axis_buffer_tready(buffer_in_ready), .s_axis_buffer_tid(buffer_connection),
        .s_axis_buffer_tdata({6'd0, buffer_state}),
        .m_axis_event_tvalid(event_valid), .m_axis_event_tready(event_ready), .m_axis_event_tid(event_connection),
        .m_axis_event_tdata(event_state), .irq()
    );
    // verilator lint_on PINCONNECTEMPTY

    chandle board, model, peer;
    longint unsigned now = 0;
    int unsigned random, clocks = 0, opened = 0, quiet = 0, read_gap = 0, ids = 0, rounds = 1200;
    int unsigned marks = 0, trims = 0, spoilt = 0, done = 0, events = 0, written = 0;
    bit failed = 0, passing = 0;
    // Inputs that wait, and the frames that the design has sent.
    word_t net_in[$], bypass_in[$], read_in[$], sent_words[$];
    work_t work_in[$];
    // The wire to the design: frames, their words, 0 where there is none; and the frame that is worked on.
    word_t wire_words[SLOTS * WORDS];
    int unsigned wire_count[SLOTS];
    int unsigned wired = 0;
    word_t scratch[WORDS];
    int unsigned scratch_words;
    bit [USED-1:0] held = 0;

    // xorshift: the same numbers in every simulator.
    function automatic int unsigned draw(input int unsigned below);
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
        return random % below;
    endfunction

    function automatic bit chance(input int unsigned of);
        return draw(of) == 0;
    endfunction

    task automatic fail(input string what);
        if (!failed) $display("FAIL: %s, clock %0d, tick %0d", what, clocks, now);
        failed = 1;
    endtask

    // An answer of the scoreboard or of a model.
    task automatic check(input int code);
        if (code == 1) fail(weft_dpi_scoreboard_difference(board));
        if (code < 0) fail(weft_dpi_error());
    endtask

    // In each clock, the bench passes the transfers at the edge to the scoreboard, inputs first; then new
    // inputs follow.
    bit bypass_took, read_took, work_took, buffer_took, awaddr_took, wdata_took, araddr_took;
    initial forever begin
        #1;
        bypass_took = bypass_valid && bypass_in_ready;
        read_took = read_valid && read_in_ready;
        work_took = work_valid && work_in_ready;
        buffer_took = buffer_valid && buffer_in_ready;
        if (net_valid) check(weft_dpi_scoreboard_word(board, WEFT_NET_RX, net.data, net.keep, net.last, net.user, now));
        if (bypass_took) check(weft_dpi_scoreboard_word(board, WEFT_BYPASS_RX, bypass.data, bypass.keep, bypass.last, 0, now));
        if (read_took) check(weft_dpi_scoreboard_word(board, WEFT_READ, read.data, read.keep, read.last, read.user, now));
        if (work_took)
            check(weft_dpi_scoreboard_work(board, 32'(work.connection), work.data[63:0], work.data[127:64], work.data[159:128],
                work.data[191:160], work.data[223:192], work.data[255:224], work.user, now));
        if (net_out_valid && net_ready) begin
            check(weft_dpi_scoreboard_word(board, WEFT_NET_TX, net_out_data, net_out_keep, net_out_last, net_out_user, now));
            sent_words.push_back({net_out_data, net_out_keep, net_out_last, net_out_user});
        end
        if (bypass_out_valid && bypass_ready)
            check(weft_dpi_scoreboard_word(board, WEFT_BYPASS_TX, bypass_out_data, bypass_out_keep, bypass_out_last, bypass_out_user, now));
        if (write_valid && write_ready) begin
            written += $countones(write_keep);
            if (write_last && written != 32'(write_place[77:64])) fail("m_axis_write_tuser has other bytes than its words");
            if (write_last) written = 0;
            check(weft_dpi_scoreboard_write(board, write_data, write_keep, write_last, 32'(write_connection), write_place[63:0]));
        end
        if (fetch_valid && fetch_ready) begin
            check(weft_dpi_scoreboard_fetch(board, 32'(fetch_connection), fetch_data[63:0], 32'(fetch_data[77:64]), now));
            serve(32'(fetch_data[77:64]));
        end
        if (received_valid && received_ready)
            check(weft_dpi_scoreboard_received(board, 32'(received_connection), received_data[31:0], 32'(received_data[55:32]), now));
        if (sent_valid && sent_ready) begin
            check(weft_dpi_scoreboard_sent(board, 32'(sent_connection), sent_id, 8'(sent_status), now));
            if (sent_status == 0) done++;
        end
        if (event_valid && event_ready) begin
            check(weft_dpi_scoreboard_event(board, 32'(event_connection), event_state, now));
            events++;
        end
        quiet = net_valid || bypass_valid || read_valid || work_valid || buffer_valid || net_out_valid || bypass_out_valid || fetch_valid
            || write_valid || received_valid || sent_valid || event_valid || net_in.size() + bypass_in.size() + read_in.size() + work_in.size() != 0
            ? 0 : quiet + 1;
        awaddr_took = axil_awvalid && awready;
        wdata_took = axil_wvalid && wready;
        araddr_took = axil_arvalid && arready;
        if (bvalid || rvalid) begin
            axil_done = 1;
            axil_read = rdata;
            if ((bvalid ? bresp : rresp) != 0) fail("a register answers with an error");
        end
        clk = 1;
        #1;
        clocks++;
        // Inputs change behind the edge, as registers of a design around the NIC would.
        if (awaddr_took) axil_awvalid = 0;
        if (wdata_took) axil_wvalid = 0;
        if (araddr_took) axil_arvalid = 0;
        net_valid = net_in.size() != 0 && !chance(4);
        if (net_valid) net = net_in.pop_front();
        if (bypass_took) bypass_valid = 0;
        if (!bypass_valid && bypass_in.size() != 0 && !chance(3)) begin
            bypass = bypass_in.pop_front();
            bypass_valid = 1;
        end
        if (work_took) work_valid = 0;
        if (!work_valid && work_in.size() != 0 && !chance(3)) begin
            work = work_in.pop_front();
            work_valid = 1;
        end
        if (read_took) begin
            read_valid = 0;
            // The latency of the next read.
            if (read.last && chance(2)) read_gap = draw(60);
        end
        if (read_gap != 0) read_gap--;
        else if (!read_valid && read_in.size() != 0 && !chance(4)) begin
            read = read_in.pop_front();
            read_valid = 1;
        end
        if (buffer_took) buffer_valid = 0;
        net_ready = !chance(4);
        bypass_ready = !chance(4);
        fetch_ready = !chance(3);
        write_ready = !chance(4);
        received_ready = !chance(3);
        sent_ready = !chance(3);
        // While time advances, the model does not know yet which timers expire.
        event_ready = !passing && !chance(3);
        clk = 0;
    end

    // A clock later, all of the above.
    task automatic tick();
        @(negedge clk);
    endtask

    // The host answers a fetch with random bytes, or fails.
    task automatic serve(input int unsigned bytes);
        bit wrong = chance(97);
        word_t one;
        for (int unsigned at = 0; at < bytes; at += 64) begin
            for (int i = 0; i < 16; i++) one.data[32*i+:32] = draw(32'hFFFF_FFFF);
            one.last = at + 64 >= bytes;
            one.keep = one.last && bytes % 64 != 0 ? (64'd1 << bytes % 64) - 1 : '1;
            one.user = one.last && wrong;
            read_in.push_back(one);
        end
    endtask

    task automatic axil_write(input bit [15:0] address, input bit [31:0] data);
        axil_awaddr = address;
        axil_wdata = data;
        axil_awvalid = 1;
        axil_wvalid = 1;
        axil_done = 0;
        while (!axil_done) tick();
    endtask

    task automatic axil_get(input bit [15:0] address);
        axil_araddr = address;
        axil_arvalid = 1;
        axil_done = 0;
        while (!axil_done) tick();
    endtask

    // A register of the design, the model and the peer.
    task automatic configure(input bit [15:0] address, input bit [31:0] data);
        axil_write(address, data);
        check(weft_dpi_nic_write(model, 32'(address), data, now));
        check(weft_dpi_nic_write(weft_dpi_peer_nic(peer), 32'(address), data, now));
    endtask

    task automatic command(input int unsigned op, input int unsigned connection);
        axil_write(COMMAND, op << 16 | connection);
        axil_get(COMMAND);
        while (axil_read[31]) axil_get(COMMAND);
    endtask

    task automatic open(input int unsigned connection);
        int unsigned ours = draw(1 << 24), theirs = draw(1 << 24);
        axil_write(PEER_ADDRESS, PEER_IP);
        axil_write(PEER_MAC, 32'h0000_0002);
        axil_write(PEER_QP, connection);
        axil_write(SEND_PSN, ours);
        axil_write(RECEIVE_PSN, theirs);
        axil_write(REGION_LENGTH, REGION);
        axil_write(REGION_KEY, KEY);
        // If the connection is open, the model's completions of the earlier opening are ready when the
        // design's arrive.
        check(weft_dpi_nic_open(model, connection, PEER_IP, 2, connection, ours, theirs, 0, REGION, KEY, now));
        check(weft_dpi_nic_open(weft_dpi_peer_nic(peer), connection, OUR_IP, 1, connection, theirs, ours, 0, REGION, KEY, now));
        command(1, connection);
        opened = clocks;
    endtask

    function automatic int unsigned left();
        return (1 << STILL) - clocks % (1 << STILL);
    endfunction

    // Lets a number of ticks pass, or one tick if a timer is due.
    task automatic pass(input int unsigned ticks);
        int unsigned shift = ticks < 16 ? 4 : 0, start = clocks;
        passing = 1;
        if (left() < (ticks << shift) + LONGEST + 200) begin
            while (left() > 100) tick();
            repeat (200) tick();
        end else begin
            axil_write(TICK_SHIFT, shift);
            while (clocks - start < ticks << shift) tick();
            axil_write(TICK_SHIFT, STILL);
            repeat (16) tick();
        end
        axil_get(NOW);
        now = 64'(axil_read);
        passing = 0;
    endtask

    // Compares all counters that the model has.
    task automatic count();
        int unsigned expected;
        for (int unsigned offset = 32'(COUNTERS); offset < 32'(COUNTERS) + 1024 && !failed; offset += 8)
            if (weft_dpi_nic_read(model, offset, expected) == 0) begin
                axil_get(16'(offset));
                check(weft_dpi_scoreboard_counter(board, offset, axil_read, now));
            end
    endtask

    // Until the design is quiet; then its frames go to the peer, and the peer's frames onto the wire.
    task automatic settle(input int unsigned clocks_quiet);
        int unsigned had = left();
        quiet = 0;
        while (quiet < clocks_quiet && !failed) tick();
        if (left() > had) fail("a round took longer than a tick");
        check(weft_dpi_scoreboard_settle(board, now));
        while (sent_words.size() != 0 && !failed) begin
            scratch_words = 0;
            do begin
                scratch[scratch_words] = sent_words.pop_front();
                scratch_words++;
            end while (!scratch[scratch_words-1].last && sent_words.size() != 0 && scratch_words < WORDS);
            travel();
            if (!chance(30))
                for (int unsigned i = 0; i < scratch_words; i++)
                    check(weft_dpi_peer_word(peer, scratch[i].data, scratch[i].keep, i + 1 == scratch_words, now));
            collect();
        end
        collect();
    endtask

    // The peer's frames go onto the wire: some get lost, some come twice, some are spoilt.
    task automatic collect();
        int unsigned words, at, bits;
        int code = weft_dpi_peer_next(peer, now, words);
        while (code == 1 && !failed) begin
            bit [511:0] data;
            longint unsigned keep;
            scratch_words = words;
            for (int unsigned i = 0; i < words; i++) begin
                check(weft_dpi_peer_get(peer, i, data, keep));
                scratch[i] = {data, keep, i + 1 == words, 1'b0};
            end
            travel();
            at = draw(scratch_words);
            bits = draw(512);
            case (draw(60))
                0: scratch[scratch_words-1].user = 1;
                1, 2, 3: begin
                    scratch[at].data[bits] = !scratch[at].data[bits];
                    spoilt++;
                end
                4: put();
                default: ;
            endcase
            if (!chance(40)) put();
            code = weft_dpi_peer_next(peer, now, words);
        end
        if (code < 0) fail(weft_dpi_error());
    endtask

    task automatic put();
        for (int slot = 0; slot < SLOTS; slot++)
            if (wire_count[slot] == 0) begin
                wire_count[slot] = scratch_words;
                for (int unsigned i = 0; i < scratch_words; i++) wire_words[slot * WORDS + i] = scratch[i];
                wired++;
                return;
            end
    endtask

    // Switches mark data, and trim data.
    task automatic travel();
        if (scratch[0].data[8*42+:8] != 8'h0A && scratch[0].data[8*42+:8] != 8'h0B || scratch_words < 2) return;
        if (chance(8)) begin
            scratch[0].data[8*15+:2] = 2'd3;
            marks++;
        end
        if (chance(25)) begin
            scratch[0].data[8*15+2+:6] = 6'd12;
            scratch[0].data[8*16+:16] = {8'd68, 8'd0};
            scratch[0].data[8*38+:16] = {8'd48, 8'd0};
            scratch[1].keep = (64'd1 << 18) - 1;
            scratch[1].last = 1;
            scratch_words = 2;
            trims++;
        end
        checksum();
    endtask

    // IPv4's header.
    task automatic checksum();
        int unsigned sum = 0;
        scratch[0].data[8*24+:16] = 0;
        for (int i = 14; i < 34; i += 2) sum += 32'({scratch[0].data[8*i+:8], scratch[0].data[8*i+8+:8]});
        sum = (sum & 'hFFFF) + (sum >> 16);
        sum = ~((sum & 'hFFFF) + (sum >> 16));
        scratch[0].data[8*24+:16] = {sum[7:0], sum[15:8]};
    endtask

    // Some frames of the wire come, in any order, at most one ACK or NACK among them: its effects have latencies.
    task automatic arrivals();
        bit control = 0;
        for (int unsigned n = 0; n < 8 && wired != 0; n++) begin
            int unsigned slot = draw(SLOTS);
            while (wire_count[slot] == 0) slot = (slot + 1) % SLOTS;
            if (wire_words[slot*WORDS].data[8*42+:8] == 8'h11) begin
                if (control) continue;
                control = 1;
            end
            for (int unsigned i = 0; i < wire_count[slot]; i++) net_in.push_back(wire_words[slot*WORDS+i]);
            wire_count[slot] = 0;
            wired--;
        end
    endtask

    // Work for both ends, and frames of other software both ways.
    task automatic works();
        int unsigned connection = draw(USED), longest = chance(3) ? 12_000 : 2_000, bytes;
        work_t one;
        repeat (1 + draw(3)) begin
            one.connection = 8'(connection);
            // Whole packets are a corner of their own.
            bytes = chance(4) ? 1024 * (1 + draw(6)) : 1 + draw(longest);
            one.data = {ids, draw(32'hFFFF_FFFF), bytes, KEY, 64'(draw(1 << 19)), 64'(draw(1 << 30))};
            one.user = chance(2);
            work_in.push_back(one);
            ids++;
            if (chance(2)) connection = draw(USED);
        end
        if (chance(6)) others(0);
        if (chance(6)) others(1);
        if (wired < SLOTS / 2)
            repeat (2) check(weft_dpi_peer_work(peer, draw(USED), 64'(draw(1 << 19)), KEY, 1 + draw(longest), draw(32'hFFFF_FFFF), ids, chance(2), now));
    endtask

    task automatic others(input bit from_net);
        int unsigned words = 1 + draw(20);
        word_t one;
        for (int unsigned i = 0; i < words; i++) begin
            for (int j = 0; j < 16; j++) one.data[32*j+:32] = draw(32'hFFFF_FFFF);
            // No IPv4 or IPv6.
            if (i == 0) one.data[8*12+:16] = 16'hB588;
            one.last = i + 1 == words;
            one.keep = one.last ? '1 >> draw(50) : '1;
            one.user = one.last && from_net && chance(4);
            if (from_net) net_in.push_back(one);
            else bypass_in.push_back(one);
        end
    endtask

    // The host's buffer of a connection takes no more, or takes again: one at a time, or little data would come.
    task automatic hold();
        int unsigned connection = draw(USED);
        if (held != 0)
            for (int unsigned i = 0; i < USED; i++)
                if (held[i]) connection = i;
        held[connection] = !held[connection];
        buffer(connection, {1'b0, held[connection]});
    endtask

    task automatic buffer(input int unsigned connection, input bit [1:0] state);
        buffer_connection = 8'(connection);
        buffer_state = state;
        buffer_valid = 1;
        while (buffer_valid) tick();
        check(weft_dpi_nic_buffer(model, connection, {6'd0, state}, now));
    endtask

    // A connection is closed and opened at both ends, sometimes after a failure of its buffer, which is an event.
    task automatic reopen();
        int unsigned connection = draw(USED);
        // The round of the last open ends before: its first window has a latency.
        if (clocks - opened < OVER) settle(OVER);
        if (chance(2)) begin
            buffer(connection, 2);
            settle(OVER);
        end
        held[connection] = 0;
        open(connection);
    endtask

    // Time moves on, at most to the next timer; then how long the design is to be quiet.
    task automatic next_tick(output int unsigned clocks_quiet);
        longint unsigned deadline;
        longint unsigned ticks = 1 + 64'(draw(chance(8) ? 400 : 40));
        bit due = weft_dpi_nic_deadline(model, now, deadline) == 1;
        if (due && deadline <= now + ticks) ticks = deadline > now ? deadline - now : 1;
        pass(32'(ticks));
        clocks_quiet = due && deadline <= now ? SCANNED : 1;
    endtask

    initial begin
        int unsigned seed = 1;
        void'($value$plusargs("seed=%d", seed));
        void'($value$plusargs("rounds=%d", rounds));
        random = seed * 32'h9E37_79B1 | 1;
        board = weft_dpi_scoreboard_new(CONNECTIONS);
        peer = weft_dpi_peer_new(CONNECTIONS);
        if (board == null || peer == null) begin
            $display("FAIL: %s", weft_dpi_error());
            $finish;
        end
        model = weft_dpi_scoreboard_nic(board);
        repeat (8) tick();
        rst = 0;
        clocks = 0;
        // The sweep over all connections.
        repeat (2 * CONNECTIONS + 100) tick();
        axil_write(TICK_SHIFT, STILL);
        repeat (16) tick();
        axil_get(NOW);
        now = 64'(axil_read);
        configure(MTU_SHIFT, 10);
        configure(SMARTT_MTU, 1024);
        configure(SMARTT_MAX_CWND, 24 * 1024);
        configure(SACK_TX_RTO, 500);
        configure(FREEZE_TIMEOUT, 1000);
        configure(BDP_PACKETS, 16);
        // Even seeds are for fabrics that do not trim.
        configure(REPS_TRIMMING, 32'(seed[0]));
        configure(ACK_PACKETS, 1 + draw(3));
        configure(INGRESS_IPV4, OUR_IP);
        configure(EGRESS_IPV4, OUR_IP);
        check(weft_dpi_nic_write(weft_dpi_peer_nic(peer), 32'(INGRESS_IPV4), PEER_IP, now));
        check(weft_dpi_nic_write(weft_dpi_peer_nic(peer), 32'(EGRESS_IPV4), PEER_IP, now));
        for (int unsigned i = 0; i < USED; i++) open(i);
        for (int unsigned i = 0; i < rounds && !failed; i++) begin
            int unsigned clocks_quiet = OVER;
            case (draw(16))
                0: works();
                1: if (held != 0 || chance(4)) hold();
                2: if (chance(8)) reopen();
                // Arrivals are more frequent than work, as a round needs one ACK.
                3, 4, 5, 6, 7, 8, 9, 10, 11: arrivals();
                default: next_tick(clocks_quiet);
            endcase
            settle(clocks_quiet);
            if (i % 32 == 31) count();
        end
        count();
        if (!failed) begin
            if (rounds >= 1200 && (done < 40 || marks < 40 || trims < 5 || spoilt < 5))
                fail($sformatf("%0d requests done, %0d marks, %0d trimmed, %0d spoilt: too few", done, marks, trims, spoilt));
            else
                $display("PASS: %0d outputs, %0d requests done, %0d events, %0d marks, %0d trimmed, %0d spoilt, %0d clocks",
                    weft_dpi_scoreboard_compared(board), done, events, marks, trims, spoilt, clocks);
        end
        weft_dpi_scoreboard_free(board);
        weft_dpi_peer_free(peer);
        $finish;
    end
endmodule
