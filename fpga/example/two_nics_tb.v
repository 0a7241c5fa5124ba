// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Two NICs of any shape, back to back, each with a memory: connection 1 of A writes a message into the memory of B.
// Prints every frame on the two wires, the completions, then PASS or what is wrong. Simulation only.

`default_nettype none
`timescale 1ns / 1ps

`define CONNECTIONS(OWN, OTHER) \
    .clk(clk), .rst(rst), \
    .mac_rx_tvalid(wire_valid[OTHER]), .mac_rx_tdata(wire_data[OTHER*W+:W]), .mac_rx_tkeep(wire_keep[OTHER*W/8+:W/8]), \
    .mac_rx_tlast(wire_last[OTHER]), .mac_rx_tuser(wire_user[OTHER]), \
    .mac_tx_tvalid(wire_valid[OWN]), .mac_tx_tready(1'b1), .mac_tx_tdata(wire_data[OWN*W+:W]), \
    .mac_tx_tkeep(wire_keep[OWN*W/8+:W/8]), .mac_tx_tlast(wire_last[OWN]), .mac_tx_tuser(wire_user[OWN]), \
    .s_axil_awvalid(awvalid & chosen == OWN), .s_axil_awready(awready[OWN]), .s_axil_awaddr(address), \
    .s_axil_wvalid(wvalid & chosen == OWN), .s_axil_wready(wready[OWN]), .s_axil_wdata(data), .s_axil_wstrb(4'hF), \
    .s_axil_bvalid(bvalid[OWN]), .s_axil_bready(1'b1), .s_axil_bresp(bresp[OWN*2+:2]), \
    .s_axil_arvalid(arvalid & chosen == OWN), .s_axil_arready(arready[OWN]), .s_axil_araddr(address), \
    .s_axil_rvalid(rvalid[OWN]), .s_axil_rready(1'b1), .s_axil_rdata(rdata[OWN*32+:32]), .s_axil_rresp(), \
    .work_tvalid(work_valid & OWN == 0), .work_tready(work_ready[OWN]), .work_tid({{C-1{1'b0}}, 1'b1}), \
    .work_tdata({32'd42, 32'h1DEA, BYTES, KEY, TO, FROM}), .work_tuser(1'b1), \
    .sent_tvalid(sent_valid[OWN]), .sent_tready(1'b1), .sent_tid(), .sent_tdata(sent_id[OWN*32+:32]), \
    .sent_tuser(sent_status[OWN*3+:3]), \
    .received_tvalid(received_valid[OWN]), .received_tready(1'b1), .received_tid(), \
    .received_tdata(received[OWN*56+:56]), \
    .buffer_tvalid(1'b0), .buffer_tready(), .buffer_tid({C{1'b0}}), .buffer_tdata(8'd0), \
    .event_tvalid(), .event_tready(1'b1), .event_tid(), .event_tdata(), .irq()

module two_nics_tb;

    parameter W = 512; // bits of the streams
    parameter C = 8;   // bits of a connection's number

    // Offsets of docs/registers.md.
    localparam ID = 16'h000, PEER_ADDRESS = 16'h080, PEER_MAC = 16'h090, PEER_QP = 16'h098, PEER_LINK = 16'h09C,
        SEND_PSN = 16'h0A0, RECEIVE_PSN = 16'h0A4, REGION_BASE = 16'h0A8, REGION_LENGTH = 16'h0B0,
        REGION_KEY = 16'h0B4, COMMAND = 16'h0C0, INGRESS_IPV4 = 16'h110, EGRESS_IPV4 = 16'h150;
    localparam [31:0] ADDRESS_A = 32'h0A000001, ADDRESS_B = 32'h0A000002, KEY = 32'h77, BYTES = 32'd9600;
    localparam [63:0] FROM = 64'h0, TO = 64'h4000;
    localparam A = 0, B = 1;

    // 250 MHz.
    reg clk = 0;
    reg rst = 1;
    always #2 clk = !clk;

    // The wire of A, and that of B.
    wire [1:0]     wire_valid, wire_last, wire_user;
    wire [2*W-1:0] wire_data;
    wire [W/4-1:0] wire_keep;

    reg          chosen = A;
    reg          awvalid = 0, wvalid = 0, arvalid = 0, work_valid = 0;
    reg  [15:0]  address = 0;
    reg  [31:0]  data = 0;
    wire [1:0]   awready, wready, bvalid, arready, rvalid, work_ready, sent_valid, received_valid;
    wire [3:0]   bresp;
    wire [5:0]   sent_status;
    wire [63:0]  rdata, sent_id;
    wire [111:0] received;

    nic_on_mac #(.W(W), .C(C), .A(12)) a (`CONNECTIONS(0, 1));
    nic_on_mac #(.W(W), .C(C), .A(12)) b (`CONNECTIONS(1, 0));

    task fail(input [8*40-1:0] what);
        begin
            $display("FAIL: %0s at %0t", what, $time);
            $finish;
        end
    endtask

    // What a frame says: Ethernet, IPv4, UDP, then the base transport header.
    reg [511:0] head [0:1];
    integer     bytes [0:1];
    integer     side, lane;

    task show(input integer from);
        reg [7:0] opcode;
        begin
            opcode = head[from][8*42+:8];
            $write("%6d ns  %0s  ", $rtoi($realtime), from == A ? "A to B" : "B to A");
            case (opcode)
                8'h06: $write("WRITE first ");
                8'h07: $write("WRITE middle");
                8'h08: $write("WRITE last  ");
                8'h09: $write("WRITE last with immediate");
                8'h0A: $write("WRITE only  ");
                8'h0B: $write("WRITE only with immediate");
                8'h11: $write("ACK         ");
                default: $write("opcode 0x%h", opcode);
            endcase
            $display("  PSN 0x%h  path 0x%h  %0d bytes",
                {head[from][8*51+:8], head[from][8*52+:8], head[from][8*53+:8]},
                {head[from][8*34+:8], head[from][8*35+:8]}, bytes[from]);
        end
    endtask

    initial begin
        bytes[A] = 0;
        bytes[B] = 0;
    end

    always @(posedge clk)
        for (side = 0; side < 2; side = side + 1)
            if (wire_valid[side]) begin
                for (lane = 0; lane < W / 8; lane = lane + 1)
                    if (wire_keep[side*W/8+lane]) begin
                        if (bytes[side] < 64) head[side][8*bytes[side]+:8] = wire_data[side*W+8*lane+:8];
                        bytes[side] = bytes[side] + 1;
                    end
                if (wire_last[side]) begin
                    show(side);
                    bytes[side] = 0;
                end
            end else if (bytes[side] != 0)
                fail("a gap inside a frame");

    // Everything moves at the falling edge and is looked at a time unit later: what is ready then is taken at the rising edge.
    reg address_taken, data_taken;

    task write(input [15:0] to, input [31:0] value);
        begin
            @(negedge clk);
            address = to;
            data = value;
            awvalid = 1;
            wvalid = 1;
            while (awvalid | wvalid) begin
                #1 address_taken = awready[chosen];
                data_taken = wready[chosen];
                @(negedge clk);
                if (address_taken) awvalid = 0;
                if (data_taken) wvalid = 0;
            end
            #1;
            while (!bvalid[chosen]) @(negedge clk) #1;
            if (bresp[chosen*2+:2] != 0) fail("register write refused");
            @(negedge clk);
        end
    endtask

    task read(input [15:0] from);
        begin
            @(negedge clk);
            address = from;
            arvalid = 1;
            #1;
            while (!arready[chosen]) @(negedge clk) #1;
            @(negedge clk);
            arvalid = 0;
            #1;
            while (!rvalid[chosen]) @(negedge clk) #1;
            value = rdata[chosen*32+:32];
            @(negedge clk);
        end
    endtask

    reg [31:0] value;

    task wait_for_command;
        begin
            value = 32'h80000000;
            while (value[31]) read(COMMAND);
        end
    endtask

    // Own address, then connection 1, which is that of the same number at the peer.
    task bring_up(input which, input [31:0] own, input [31:0] peer);
        begin
            chosen = which;
            read(ID);
            if (value != 32'h54464557) fail("no weft_nic");
            // The sweep after reset.
            wait_for_command;
            write(INGRESS_IPV4, own);
            write(EGRESS_IPV4, own);
            write(PEER_ADDRESS, peer);
            write(PEER_MAC, 32'h00000001);
            write(PEER_MAC + 16'd4, 32'h00000200);
            write(PEER_QP, 32'd1);
            write(PEER_LINK, 0);
            write(SEND_PSN, 32'h123);
            write(RECEIVE_PSN, 32'h123);
            write(REGION_BASE, TO[31:0]);
            write(REGION_BASE + 16'd4, 0);
            write(REGION_LENGTH, BYTES);
            write(REGION_KEY, KEY);
            write(COMMAND, 32'h00010001);
            wait_for_command;
        end
    endtask

    integer i, got;

    initial begin
        for (i = 0; i < 4096; i = i + 1)
            a.host.memory[i] = {W/32{i * 32'h9E3779B9}};
        repeat (8) @(posedge clk);
        @(negedge clk) rst = 0;
        bring_up(A, ADDRESS_A, ADDRESS_B);
        bring_up(B, ADDRESS_B, ADDRESS_A);
        $display("%6d ns  both are up: %0d connections, streams of %0d bits", $rtoi($realtime), 1 << C, W);

        @(negedge clk) work_valid = 1;
        #1;
        while (!work_ready[A]) @(negedge clk) #1;
        @(negedge clk) work_valid = 0;

        got = 0;
        i = 0;
        while (got != 2 && i < 20000) begin
            @(negedge clk) #1;
            i = i + 1;
            if (received_valid[B]) begin
                $display("%6d ns  B has a message with the immediate 0x%h", $rtoi($realtime), received[56+:16]);
                if (received[56+:56] != 56'h1DEA) fail("wrong message");
                got = got + 1;
            end
            if (sent_valid[A]) begin
                $display("%6d ns  A has completed request %0d with status %0d", $rtoi($realtime), sent_id[31:0], sent_status[2:0]);
                if (sent_id[31:0] != 42 || sent_status[2:0] != 0) fail("wrong completion");
                got = got + 1;
            end
            if (sent_valid[B] | received_valid[A]) fail("a completion at the wrong end");
        end
        if (got != 2) fail("no completion");
        for (i = 0; i < BYTES / (W / 8); i = i + 1)
            if (b.host.memory[TO / (W / 8) + i] !== a.host.memory[FROM / (W / 8) + i]) fail("wrong bytes");
        $display("PASS");
        $finish;
    end

endmodule

`default_nettype wire
