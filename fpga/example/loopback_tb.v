// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The example at work: the MAC's transmit side goes into its receive side, and
// connection 0 writes a message through connection 1 into the same memory. With
// CLOCKS the MAC, the NIC and the host have a clock each, none in step with another.
// Prints PASS or what is wrong. Simulation only.

`default_nettype none
`timescale 1ps / 1ps

`define CONNECTIONS \
    .clk(clk), .rst(rst), \
    .mac_rx_tvalid(wire_valid), .mac_rx_tdata(wire_data), .mac_rx_tkeep(wire_keep), \
    .mac_rx_tlast(wire_last), .mac_rx_tuser(wire_user), \
    .mac_tx_tvalid(wire_valid), .mac_tx_tready(1'b1), .mac_tx_tdata(wire_data), .mac_tx_tkeep(wire_keep), \
    .mac_tx_tlast(wire_last), .mac_tx_tuser(wire_user), \
    .s_axil_awvalid(awvalid), .s_axil_awready(awready), .s_axil_awaddr(address), \
    .s_axil_wvalid(wvalid), .s_axil_wready(wready), .s_axil_wdata(data), .s_axil_wstrb(4'hF), \
    .s_axil_bvalid(bvalid), .s_axil_bready(1'b1), .s_axil_bresp(bresp), \
    .s_axil_arvalid(arvalid), .s_axil_arready(arready), .s_axil_araddr(address), \
    .s_axil_rvalid(rvalid), .s_axil_rready(1'b1), .s_axil_rdata(rdata), .s_axil_rresp(rresp), \
    .work_tvalid(work_valid), .work_tready(work_ready), .work_tid(8'd0), \
    .work_tdata({32'd42, 32'h1DEA, BYTES, KEY, TO, FROM}), .work_tuser(1'b1), \
    .sent_tvalid(sent_valid), .sent_tready(1'b1), .sent_tid(sent_connection), .sent_tdata(sent_id), \
    .sent_tuser(sent_status), \
    .received_tvalid(received_valid), .received_tready(1'b1), .received_tid(received_connection), \
    .received_tdata(received), \
    .buffer_tvalid(1'b0), .buffer_tready(), .buffer_tid(8'd0), .buffer_tdata(8'd0), \
    .event_tvalid(), .event_tready(1'b1), .event_tid(), .event_tdata(), .irq()

module loopback_tb;

    parameter CLOCKS = 0;
    parameter FACTOR_BITS = 0;

    // Offsets of docs/registers.md.
    localparam ID = 16'h000, PEER_ADDRESS = 16'h080, PEER_MAC = 16'h090, PEER_QP = 16'h098, PEER_LINK = 16'h09C,
        SEND_PSN = 16'h0A0, RECEIVE_PSN = 16'h0A4, REGION_BASE = 16'h0A8, REGION_LENGTH = 16'h0B0,
        REGION_KEY = 16'h0B4, COMMAND = 16'h0C0, INGRESS_IPV4 = 16'h110, EGRESS_IPV4 = 16'h150;
    localparam ADDRESS = 32'h0A000001, KEY = 32'h77;
    localparam FROM = 64'h0, TO = 64'h8000, BYTES = 32'd6000;

    reg clk = 0;
    reg rst = 1;
    always #2000 clk = !clk;

    reg core_clk = 0;
    reg mac_clk = 0;
    reg mac_rst = 1;
    always #1937 core_clk = !core_clk;
    always #1551 mac_clk = !mac_clk;

    wire         wire_valid, wire_last, wire_user, dropped;
    wire [511:0] wire_data;
    wire  [63:0] wire_keep;

    reg         awvalid = 0, wvalid = 0, arvalid = 0, work_valid = 0;
    reg  [15:0] address = 0;
    reg  [31:0] data = 0;
    wire        awready, wready, bvalid, arready, rvalid, work_ready, sent_valid, received_valid;
    wire  [1:0] bresp, rresp;
    wire  [2:0] sent_status;
    wire [31:0] rdata, sent_id;
    wire  [7:0] sent_connection, received_connection;
    wire [55:0] received;

    generate
        if (CLOCKS != 0) begin : g
            nic_on_clocks #(.FACTOR_BITS(FACTOR_BITS)) dut (
                .core_clk(core_clk), .mac_clk(mac_clk), .mac_rst(mac_rst), .mac_rx_dropped(dropped),
                `CONNECTIONS
            );
        end else begin : g
            assign dropped = 1'b0;

            nic_on_mac #(.FACTOR_BITS(FACTOR_BITS)) dut (
                `CONNECTIONS
            );
        end
    endgenerate

    // A MAC takes a word each clock, so a frame has no gap. What it lost would come back as an error.
    wire wire_clk = CLOCKS != 0 ? mac_clk : clk;
    reg  in_frame = 0;

    always @(posedge wire_clk) begin
        if (in_frame & !wire_valid) fail("a gap inside a frame");
        if (wire_valid) in_frame <= !wire_last;
        if (dropped) fail("a frame dropped");
    end

    task fail(input [8*40-1:0] what);
        begin
            $display("FAIL: %0s at %0t", what, $time);
            $finish;
        end
    endtask

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
                #1 address_taken = awready;
                data_taken = wready;
                @(negedge clk);
                if (address_taken) awvalid = 0;
                if (data_taken) wvalid = 0;
            end
            #1;
            while (!bvalid) @(negedge clk) #1;
            if (bresp != 0) fail("register write refused");
            @(negedge clk);
        end
    endtask

    task read(input [15:0] from, output [31:0] value);
        begin
            @(negedge clk);
            address = from;
            arvalid = 1;
            #1;
            while (!arready) @(negedge clk) #1;
            @(negedge clk);
            arvalid = 0;
            #1;
            while (!rvalid) @(negedge clk) #1;
            value = rdata;
            @(negedge clk);
        end
    endtask

    reg [31:0] value;

    task open(input [15:0] connection, input [23:0] peer_qp);
        begin
            write(PEER_ADDRESS, ADDRESS);
            write(PEER_MAC, 32'h00000001);
            write(PEER_MAC + 4, 32'h00000200);
            write(PEER_QP, {8'd0, peer_qp});
            write(PEER_LINK, 0);
            write(SEND_PSN, 32'h123);
            write(RECEIVE_PSN, 32'h123);
            write(REGION_BASE, TO[31:0]);
            write(REGION_BASE + 4, 0);
            write(REGION_LENGTH, BYTES);
            write(REGION_KEY, KEY);
            write(COMMAND, {16'd1, connection});
            value = 32'h80000000;
            while (value[31]) read(COMMAND, value);
        end
    endtask

    integer i, got;

    initial #1_000_000_000 fail("no end");

    initial begin
        for (i = 0; i < 1024; i = i + 1)
            g.dut.host.memory[i] = {16{i * 32'h9E3779B9}};
        repeat (8) @(posedge clk);
        @(negedge clk) rst = 0;
        @(posedge mac_clk) #1 mac_rst = 0;
        read(ID, value);
        if (value != 32'h54464557) fail("no weft_nic");
        // The sweep after reset.
        value = 32'h80000000;
        while (value[31]) read(COMMAND, value);
        write(INGRESS_IPV4, ADDRESS);
        write(EGRESS_IPV4, ADDRESS);
        open(0, 1);
        open(1, 0);

        @(negedge clk) work_valid = 1;
        #1;
        while (!work_ready) @(negedge clk) #1;
        @(negedge clk) work_valid = 0;

        got = 0;
        i = 0;
        while (got != 2 && i < 20000) begin
            @(negedge clk) #1;
            i = i + 1;
            if (sent_valid) begin
                if (sent_connection != 0 || sent_id != 42 || sent_status != 0) fail("wrong completion");
                got = got + 1;
            end
            if (received_valid) begin
                if (received_connection != 1 || received != 56'h1DEA) fail("wrong message");
                got = got + 1;
            end
        end
        if (got != 2) fail("no completion");
        for (i = 0; i < BYTES / 64; i = i + 1)
            if (g.dut.host.memory[TO / 64 + i] !== g.dut.host.memory[FROM / 64 + i]) fail("wrong bytes");
        $display("PASS");
        $finish;
    end

endmodule

`default_nettype wire
