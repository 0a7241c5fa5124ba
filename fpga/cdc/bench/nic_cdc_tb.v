// SPDX-License-Identifier: MIT OR Apache-2.0
//
// weft_nic_cdc around a stand-in that gives back what it gets: every bit of every
// stream arrives where it belongs, and nothing is told to the host before what
// happened earlier. Resets of the MAC's sides come in between, and one of the host;
// for a while the host takes nothing until COMMAND was answered, then little.
// Prints PASS or what is wrong. Simulation only.
//
//   +seed=N +core_ps=N +host_ps=N (halves of the clocks' periods)

`default_nettype none
`timescale 1ps / 1ps

module nic_cdc_tb;

    localparam MAC_PS = 1551;

    integer seed, core_ps, host_ps, drawn;
    reg     core_clk = 0, mac_clk = 0, clk = 0;
    reg     rst = 1, mac_rst = 1;

    initial begin
        if (!$value$plusargs("seed=%d", seed)) seed = 1;
        if (!$value$plusargs("core_ps=%d", core_ps)) core_ps = 1937;
        if (!$value$plusargs("host_ps=%d", host_ps)) host_ps = 2000;
        repeat (seed) drawn = $random;
        fork
            forever #core_ps core_clk = !core_clk;
            forever #MAC_PS mac_clk = !mac_clk;
            forever #host_ps clk = !clk;
        join
    end

    function integer draw(input integer below);
        draw = $unsigned($random(seed)) % below;
    endfunction

    // Bits that belong to a number.
    function [511:0] bits(input [31:0] n);
        integer i;
        for (i = 0; i < 16; i = i + 1)
            bits[32*i+:32] = (n * 16 + i + 1) * 32'h9E3779B1;
    endfunction

    // Which of the newest writes go to COMMAND: one at most from one answer that it is not busy to the next.
    reg   [63:0] commands = 0;
    reg   [31:0] seen_then = 0;

    // Streams: 0 work, 1 read, 2 bypass, 3 buffer, 4 write address, 5 write data, 6 read address; out 0 fetch, 1 sent,
    // 2 write, 3 received, 4 bypass, 5 event, 6 write response, 7 read response.
    reg    [6:0] in_valid = 0;
    wire   [6:0] in_ready;
    reg    [7:0] out_ready = 0;
    wire   [7:0] out_valid;
    integer      given [0:6];
    integer      got [0:7];
    integer      i, k, happened;
    wire [511:0] work_bits = bits(given[0]), read_bits = bits(given[1]), bypass_bits = bits(given[2]);
    wire [511:0] address_bits = bits(given[4]), data_bits = bits(given[5]);
    wire  [15:0] write_address = commands[given[4] % 64] ? 16'h0C0 : address_bits[15:0];
    wire         read_last = given[1] % 5 == 4 || given[1] % 7 == 0;
    wire         bypass_last = given[2] % 3 == 2;

    wire   [7:0] fetch_tid, write_tid, received_tid, sent_tid, event_tid, event_tdata;
    wire  [79:0] fetch_tdata;
    wire [511:0] write_tdata, bypass_tdata, tx_tdata;
    wire  [63:0] write_tkeep, bypass_tkeep, tx_tkeep;
    wire  [77:0] write_tuser;
    wire         write_tlast, bypass_tlast, bypass_tuser, tx_tvalid, tx_tlast, tx_tuser, dropped, irq;
    wire  [55:0] received_tdata;
    wire  [31:0] sent_tdata, rdata;
    wire   [2:0] sent_tuser;
    wire   [1:0] bresp, rresp;
    reg          rx_valid = 0, rx_last = 0;
    integer      rx_frame = 0, rx_place = 0, rx_length = 1;
    wire [511:0] rx_bits = bits({rx_frame[23:0], rx_place[7:0]});

    weft_nic_cdc dut (
        .core_clk(core_clk),
        .mac_rx_clk(mac_clk), .mac_rx_rst(mac_rst), .mac_rx_tvalid(rx_valid),
        .mac_rx_tdata({rx_bits[511:32], rx_frame[23:0], rx_place[7:0]}),
        .mac_rx_tkeep(rx_last ? rx_bits[99:36] : {64{1'b1}}), .mac_rx_tlast(rx_last), .mac_rx_tuser(1'b0), .mac_rx_dropped(dropped),
        .mac_tx_clk(mac_clk), .mac_tx_rst(mac_rst), .mac_tx_tvalid(tx_tvalid), .mac_tx_tready(1'b1),
        .mac_tx_tdata(tx_tdata), .mac_tx_tkeep(tx_tkeep), .mac_tx_tlast(tx_tlast), .mac_tx_tuser(tx_tuser),
        .host_clk(clk), .host_rst(rst),
        .s_axil_awaddr(write_address), .s_axil_awprot(3'd0), .s_axil_awvalid(in_valid[4]), .s_axil_awready(in_ready[4]),
        .s_axil_wdata(data_bits[31:0]), .s_axil_wstrb(data_bits[35:32]), .s_axil_wvalid(in_valid[5]), .s_axil_wready(in_ready[5]),
        .s_axil_bresp(bresp), .s_axil_bvalid(out_valid[6]), .s_axil_bready(out_ready[6]),
        .s_axil_araddr(given[6] % 4 == 3 ? 16'h0C4 : 16'h0C0), .s_axil_arprot(3'd0), .s_axil_arvalid(in_valid[6]), .s_axil_arready(in_ready[6]),
        .s_axil_rdata(rdata), .s_axil_rresp(rresp), .s_axil_rvalid(out_valid[7]), .s_axil_rready(out_ready[7]),
        .s_axis_work_tvalid(in_valid[0]), .s_axis_work_tready(in_ready[0]), .s_axis_work_tid(work_bits[263:256]),
        .s_axis_work_tdata(work_bits[255:0]), .s_axis_work_tuser(work_bits[264]),
        .s_axis_buffer_tvalid(in_valid[3]), .s_axis_buffer_tready(in_ready[3]), .s_axis_buffer_tid(given[3][7:0]),
        .s_axis_buffer_tdata(8'h3C),
        .s_axis_read_tvalid(in_valid[1]), .s_axis_read_tready(in_ready[1]), .s_axis_read_tdata(read_bits),
        .s_axis_read_tkeep(~read_bits[63:0]), .s_axis_read_tlast(read_last), .s_axis_read_tuser(read_bits[7]),
        .s_axis_bypass_tvalid(in_valid[2]), .s_axis_bypass_tready(in_ready[2]), .s_axis_bypass_tdata(bypass_bits),
        .s_axis_bypass_tkeep(~bypass_bits[63:0]), .s_axis_bypass_tlast(bypass_last), .s_axis_bypass_tuser(bypass_bits[9]),
        .m_axis_bypass_tvalid(out_valid[4]), .m_axis_bypass_tready(out_ready[4]), .m_axis_bypass_tdata(bypass_tdata),
        .m_axis_bypass_tkeep(bypass_tkeep), .m_axis_bypass_tlast(bypass_tlast), .m_axis_bypass_tuser(bypass_tuser),
        .m_axis_fetch_tvalid(out_valid[0]), .m_axis_fetch_tready(out_ready[0]), .m_axis_fetch_tid(fetch_tid),
        .m_axis_fetch_tdata(fetch_tdata),
        .m_axis_write_tvalid(out_valid[2]), .m_axis_write_tready(out_ready[2]), .m_axis_write_tid(write_tid),
        .m_axis_write_tdata(write_tdata), .m_axis_write_tkeep(write_tkeep), .m_axis_write_tlast(write_tlast),
        .m_axis_write_tuser(write_tuser),
        .m_axis_received_tvalid(out_valid[3]), .m_axis_received_tready(out_ready[3]), .m_axis_received_tid(received_tid),
        .m_axis_received_tdata(received_tdata),
        .m_axis_sent_tvalid(out_valid[1]), .m_axis_sent_tready(out_ready[1]), .m_axis_sent_tid(sent_tid),
        .m_axis_sent_tdata(sent_tdata), .m_axis_sent_tuser(sent_tuser),
        .m_axis_event_tvalid(out_valid[5]), .m_axis_event_tready(out_ready[5]), .m_axis_event_tid(event_tid),
        .m_axis_event_tdata(event_tdata), .irq(irq)
    );

    task fail(input [8*40-1:0] what);
        begin
            $display("FAIL: %0s at %0t", what, $time);
            $finish;
        end
    endtask

    task hold(input [8*40-1:0] what, input is_so);
        if (is_so !== 1'b1) fail(what);
    endtask

    // What the host takes of the queue with payload and completions; answers of COMMAND that said busy, one after the other, and
    // those that did not; clocks that a read has waited.
    localparam [1:0] ALL = 0, NOTHING = 1, LITTLE = 2, NO_EVENT = 3;
    reg   [1:0] mood = ALL;
    integer     unheld = 0; // from this event on none was held for so long that what happened has turned its 8 bits
    reg  [31:0] busy = 0, seen = 0, held = 0;
    reg [511:0] was;
    reg  [31:0] kept;
    reg   [7:0] behind, packet;

    // The host.
    always @(posedge clk) begin
        if (!rst) begin
            if (^{in_ready, out_valid, irq} === 1'bx) fail("unknown");
            hold("irq is another than the event", irq == out_valid[5]);
            if (out_valid[0] & out_ready[0]) begin
                was = bits(got[0]);
                hold("fetch", fetch_tid == ~was[263:256] && fetch_tdata == was[199:120]);
            end
            if (out_valid[1] & out_ready[1]) begin
                was = bits(got[1]);
                hold("sent", sent_tid == was[263:256] && sent_tdata == was[255:224] && sent_tuser == {was[264], was[1:0]});
                happened = happened + 1;
            end
            if (out_valid[2] & out_ready[2]) begin
                was = bits(got[2]);
                hold("write", write_tdata == was && write_tkeep == ~was[63:0] && write_tid == packet
                    && write_tuser == {packet[5:0], was[7], was[70:0]} && write_tlast == (got[2] % 5 == 4 || got[2] % 7 == 0));
                happened = happened + 1;
            end
            if (out_valid[3] & out_ready[3]) begin
                hold("received", received_tid == packet && received_tdata[55:32] == 24'h5A5A5A);
                hold("a message before its data", received_tdata[31:0] == got[2]);
                packet = packet + 1;
                happened = happened + 1;
            end
            if (out_valid[4] & out_ready[4]) begin
                was = bits(got[4]);
                hold("bypass", bypass_tdata == {was[255:0], was[511:256]} && bypass_tkeep == ~was[63:0] && bypass_tuser == was[9]
                    && bypass_tlast == (got[4] % 3 == 2));
            end
            if (out_valid[5] & out_ready[5]) begin
                hold("event", (event_tid ^ event_tdata) == (got[5][7:0] ^ 8'h3C));
                behind = happened - event_tdata;
                hold("an event before what led to it", !behind[7] | got[5] < unheld);
            end
            if (out_valid[6] & out_ready[6]) begin
                was = bits(got[6]);
                kept = was[31:0] ^ {commands[got[6] % 64] ? 16'h0C0 : was[15:0], 12'd0, was[35:32]};
                hold("write response", bresp == kept[1:0]);
            end
            if (out_valid[7] & out_ready[7]) begin
                hold("read response", rresp == rdata[1:0]);
                if (got[7] % 4 == 3) hold("another register", rdata == 16'h0C4);
                else if (rdata[31]) busy = busy + 1;
                else begin
                    hold("COMMAND before the data", rdata[23:0] <= got[2]);
                    behind = {got[5][6:0] - rdata[30:24], 1'b0};
                    hold("COMMAND before the events", !behind[7]);
                    busy = 0;
                    seen = seen + 1;
                end
                held = 0;
            end else begin
                held = given[6] == got[7] ? 0 : held + 1;
                hold("a read is held", held * host_ps < 320 * core_ps);
            end
            for (i = 0; i < 8; i = i + 1) got[i] = got[i] + (out_valid[i] & out_ready[i]);
        end
    end

    always @(posedge clk) begin : giver
        reg [6:0] taken;
        integer   j;
        taken = in_valid & in_ready;
        #1;
        if (mood == NO_EVENT) unheld = got[5] + 16;
        for (j = 0; j < 7; j = j + 1) begin
            if (taken[j]) given[j] = given[j] + 1;
            if (taken[j] | !in_valid[j]) begin
                in_valid[j] = !rst && draw(j == 6 || j == 3 ? 12 : 2) == 0;
                if (j == 4 && in_valid[j]) begin
                    commands[given[4] % 64] = seen != seen_then && draw(4) == 0;
                    if (commands[given[4] % 64]) seen_then = seen;
                end
            end
        end
        if (rst) in_valid = 0;
        out_ready = $random(seed) | $random(seed);
        if (($time / (host_ps * 200)) % 4 == 1) out_ready[3:1] = $random(seed) & $random(seed) & $random(seed);
        if (($time / (host_ps * 200)) % 4 == 2) out_ready[5] = draw(16) == 0;
        if (mood == NOTHING || mood == LITTLE && draw(20) != 0) out_ready[3:1] = 0;
        if (mood == NOTHING || mood == NO_EVENT || mood == LITTLE && draw(20) != 0) out_ready[5] = 0;
    end

    // The MAC: what comes back is what was sent, in whole frames, or ends bad after a reset.
    integer tx_frame = 0, tx_place = 0, frames = 0, cuts = 0, resets = 0;

    always @(posedge mac_clk) begin
        if (dropped === 1'b1 && !mac_settling) fail("a frame dropped");
        if (!mac_rst && tx_tvalid) begin
            if (tx_tlast & tx_tuser) begin
                cuts = cuts + 1;
                tx_place = 0;
            end else begin
                if (tx_place == 0) begin
                    hold("an old frame", ~tx_tdata[31:8] >= tx_frame);
                    tx_frame = ~tx_tdata[31:8];
                end
                was = bits({tx_frame[23:0], tx_place[7:0]});
                hold("frame", ~tx_tdata == {was[511:32], tx_frame[23:0], tx_place[7:0]} && tx_tkeep == (tx_tlast ? was[99:36] : {64{1'b1}}));
                tx_place = tx_place + 1;
                if (tx_tlast) begin
                    frames = frames + 1;
                    tx_place = 0;
                    tx_frame = tx_frame + 1;
                end
            end
        end
        if (mac_rst) tx_place = 0;
        #1;
        if (mac_rst) begin
            rx_valid = 0;
            rx_last = 0;
            rx_frame = rx_frame + (rx_place != 0);
            rx_place = 0;
        end else begin
            if (rx_valid) begin
                rx_place = rx_last ? 0 : rx_place + 1;
                rx_frame = rx_frame + rx_last;
            end
            rx_valid = draw(4) == 0;
            if (rx_valid && rx_place == 0) rx_length = 1 + draw(draw(4) == 0 ? 100 : 4);
            rx_last = rx_valid && rx_place + 1 == rx_length;
        end
    end

    reg mac_settling = 1;

    task begin_anew;
        begin
            repeat (8) @(posedge clk);
            for (k = 0; k < 7; k = k + 1) given[k] = 0;
            for (k = 0; k < 8; k = k + 1) got[k] = 0;
            {happened, packet, busy, seen, seen_then, held, unheld} = 0;
            {dut.nic.written, dut.nic.happened, dut.nic.packets, dut.nic.ended, dut.nic.events, dut.nic.events_then} = 0;
            #2 rst = 0;
        end
    endtask

    initial begin
        begin_anew;
        repeat (8) begin
            @(posedge mac_clk) #1 mac_rst = 1;
            repeat (1 + draw(4)) @(posedge mac_clk);
            #1 mac_rst = 0;
            #(300 * core_ps) mac_settling = 0;
            #(4000 * host_ps);
            // A CPU that polls COMMAND and takes nothing meanwhile, or no event: busy, until it has taken what waits.
            if (resets == 2 || resets == 5) begin
                mood = resets == 2 ? NOTHING : NO_EVENT;
                #(400 * host_ps) k = seen;
                busy = 0;
                fork : polls
                    begin
                        wait (busy == 3);
                        disable polls;
                    end
                    #(4000 * host_ps + 4000 * core_ps) fail("COMMAND is not busy, or held");
                join
                if (seen != k) fail("COMMAND passes what is held");
                mood = ALL;
                #(2000 * host_ps) if (seen == k) fail("COMMAND stays busy");
            end
            // A host that is slow, so that the queue is never empty.
            if (resets == 3) begin
                mood = LITTLE;
                repeat (3) begin
                    #(1000 * host_ps) k = seen;
                    #(4000 * host_ps) if (seen == k) fail("COMMAND stays busy");
                end
                mood = ALL;
            end
            // The host's reset is the NIC's.
            if (resets == 4) begin
                @(posedge clk) #1 rst = 1;
                mac_settling = 1;
                begin_anew;
                #(300 * core_ps) mac_settling = 0;
            end
            mac_settling = 1;
            resets = resets + 1;
        end
        for (k = 0; k < 8; k = k + 1) if (got[k] < 100) fail("a stream stands still");
        if (frames < 100) fail("no frames");
        $display("PASS: %0d words written, %0d frames, %0d cut", got[2], frames, cuts);
        $finish;
    end

endmodule

`default_nettype wire
