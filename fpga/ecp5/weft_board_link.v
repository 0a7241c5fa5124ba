// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Frames of seven bytes on the UART, docs/board.md: a request reads or writes a register of 32 bits, its reply has the value.
`default_nettype none

module weft_board_link #(
    parameter DIVIDER = 217 // Clocks of a bit.
) (
    input  wire        clk,
    input  wire        rx,
    output wire        tx,
    output wire  [6:0] address,
    output wire        write,      // For one clock.
    output wire [31:0] write_data,
    input  wire [31:0] read_data   // Of `address`, two clocks after `write`.
);

    localparam [7:0] REQUEST = 8'hA5;
    localparam [7:0] REPLY   = 8'h5A;
    // A frame whose next byte does not come for so many clocks was none.
    localparam [31:0] SILENCE = 64 * DIVIDER;

    wire  [7:0] in_data;
    wire        in_valid;
    wire        out_ready;
    reg  [55:0] out;
    reg   [2:0] out_left;
    initial begin
        out      = 56'd0;
        out_left = 3'd0;
    end
    weft_board_uart #(.DIVIDER(DIVIDER)) uart (
        .clk       (clk),
        .rx        (rx),
        .tx        (tx),
        .in_data   (in_data),
        .in_valid  (in_valid),
        .out_data  (out[7:0]),
        .out_valid (out_left != 3'd0),
        .out_ready (out_ready)
    );

    // The first byte lowest.
    reg  [55:0] in;
    reg   [2:0] in_got;
    reg  [23:0] silent;
    reg         whole;
    initial begin
        in     = 56'd0;
        in_got = 3'd0;
        silent = 24'd0;
        whole  = 1'b0;
    end
    always @(posedge clk) begin
        whole  <= 1'b0;
        silent <= in_valid ? 24'd0 : silent + 24'd1;
        if (in_valid && (in_got != 3'd0 || in_data == REQUEST)) begin
            in     <= {in_data, in[55:8]};
            in_got <= (in_got == 3'd6) ? 3'd0 : in_got + 3'd1;
            whole  <= in_got == 3'd6;
        end else if (silent == SILENCE[23:0]) begin
            in_got <= 3'd0;
        end
    end

    // All bytes of a frame, added without carry, are 0.
    wire [7:0] sum  = in[7:0] ^ in[15:8] ^ in[23:16] ^ in[31:24] ^ in[39:32] ^ in[47:40] ^ in[55:48];
    wire       good = whole && sum == 8'd0;
    assign address    = in[14:8];
    assign write      = good & in[15];
    assign write_data = in[47:16];

    reg  [1:0] replies;
    initial replies = 2'd0;
    wire [7:0] check = REPLY ^ in[15:8] ^ read_data[7:0] ^ read_data[15:8] ^ read_data[23:16] ^ read_data[31:24];
    always @(posedge clk) begin
        replies <= {replies[0], good};
        if (replies[1]) begin
            out      <= {check, read_data, in[15:8], REPLY};
            out_left <= 3'd7;
        end else if (out_left != 3'd0 && out_ready) begin
            out      <= {8'd0, out[55:8]};
            out_left <= out_left - 3'd1;
        end
    end

endmodule

`default_nettype wire
