// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The NIC, or what stands around it, in a generate block, its reset high from time
// 0 on: what a simulator may set before it begins to wait for changes. Behind the
// reset all registers read as numbers. Prints PASS or what is wrong. Simulation only.

`default_nettype none
`timescale 1ns / 1ns

module reset_tb;

    parameter A = 8;       // log2 of the NIC's connections
    parameter WIDTH = 512; // bits of its streams
    parameter AROUND = 0;  // 0 the NIC, 1 weft_nic_cdc, 2 weft_app, 3 mqnic_app_block

    // Offsets of docs/registers.md: identity, then those with a reset value.
    localparam ID = 16'h000, COUNTERS = 16'h04C, STAGING = 16'h080, FIRST = 16'h100, LAST = 16'h2FC;

    reg clk = 0;
    reg rst = 1;
    always #2 clk = !clk;

    reg         arvalid = 0;
    reg  [15:0] araddr = 0;
    wire        arready, rvalid;
    wire [31:0] rdata;
    wire  [1:0] rresp;

`define REGISTERS(p) \
    .s_axil``p``awvalid(1'b0), .s_axil``p``awaddr(16'd0), .s_axil``p``wvalid(1'b0), .s_axil``p``wdata(32'd0), .s_axil``p``wstrb(4'd0), \
    .s_axil``p``bready(1'b1), .s_axil``p``arvalid(arvalid), .s_axil``p``arready(arready), .s_axil``p``rvalid(rvalid), \
    .s_axil``p``rready(1'b1), .s_axil``p``rdata(rdata), .s_axil``p``rresp(rresp)

    generate
        if (AROUND == 0) begin : g
            weft_nic nic (
                .clk(clk), .rst(rst), .s_axil_awprot(3'd0), .s_axil_arprot(3'd0), .s_axil_araddr(araddr), `REGISTERS(_)
            );
        end else if (AROUND == 1) begin : g
            weft_nic_cdc #(.A(A), .WIDTH(WIDTH)) nic (
                .core_clk(clk), .mac_rx_clk(clk), .mac_rx_rst(rst), .mac_tx_clk(clk), .mac_tx_rst(rst), .host_clk(clk), .host_rst(rst),
                .mac_rx_tvalid(1'b0), .mac_tx_tready(1'b1), .s_axil_awprot(3'd0), .s_axil_arprot(3'd0), .s_axil_araddr(araddr), `REGISTERS(_)
            );
        end else if (AROUND == 2) begin : g
            weft_app #(.A(A)) nic (
                .clk(clk), .rst(rst), .s_axil_araddr({8'd0, araddr}), .s_axis_rx_tvalid(1'b0), .s_axis_host_tvalid(1'b0), `REGISTERS(_)
            );
        end else if (AROUND == 3) begin : g
            mqnic_app_block #(.A(A)) nic (
                .clk(clk), .rst(rst), .s_axil_app_ctrl_araddr({8'd0, araddr}), `REGISTERS(_app_ctrl_)
            );
        end
    endgenerate

    task read(input [15:0] from);
        begin
            @(negedge clk);
            araddr = from;
            arvalid = 1;
            #1;
            while (arready !== 1'b1) @(negedge clk) #1;
            @(negedge clk);
            arvalid = 0;
            #1;
            while (rvalid !== 1'b1) @(negedge clk) #1;
            if (rresp === 2'd0 && ^rdata === 1'bx) begin
                $display("FAIL: register %h reads %h", from, rdata);
                $finish;
            end
            if (rresp === 2'd0) registers = registers + 1;
        end
    endtask

    integer at, registers;

    initial begin
        registers = 0;
        repeat (8) @(negedge clk);
        rst = 0;
        repeat (64 + (1 << A)) @(negedge clk);
        read(ID);
        for (at = FIRST; at <= LAST; at = at + 4) read(at[15:0]);
        for (at = STAGING; at < STAGING + 16'h40; at = at + 4) read(at[15:0]);
        read(COUNTERS);
        if (registers < 60) $display("FAIL: only %0d registers", registers);
        else $display("PASS");
        $finish;
    end

    initial begin
        #2000000 $display("FAIL: nothing answers");
        $finish;
    end

endmodule

`default_nettype wire
