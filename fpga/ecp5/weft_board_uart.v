// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A UART, 8N1. A byte comes in with `in_valid` for one clock, and only with a right stop bit.
`default_nettype none

module weft_board_uart #(
    parameter DIVIDER = 217 // Clocks of a bit, 4 to 65,535.
) (
    input  wire       clk,
    input  wire       rx,
    output wire       tx,
    output wire [7:0] in_data,
    output wire       in_valid,
    input  wire [7:0] out_data,
    input  wire       out_valid,
    output wire       out_ready
);

    localparam [31:0] BIT  = DIVIDER - 1;
    localparam [31:0] HALF = DIVIDER / 2;

    // Three registers: the line is of no clock.
    reg  [2:0] line;
    initial line = 3'b111;
    always @(posedge clk) line <= {line[1:0], rx};

    // Samples that are left: start bit, eight of data, stop bit.
    reg  [3:0] rx_left;
    reg [15:0] rx_wait;
    reg  [7:0] rx_word;
    reg        rx_valid;
    initial begin
        rx_left  = 4'd0;
        rx_wait  = 16'd0;
        rx_word  = 8'd0;
        rx_valid = 1'b0;
    end
    always @(posedge clk) begin
        rx_valid <= 1'b0;
        if (rx_left == 4'd0) begin
            rx_wait <= HALF[15:0];
            if (!line[2]) rx_left <= 4'd10;
        end else if (rx_wait != 16'd0) begin
            rx_wait <= rx_wait - 16'd1;
        end else begin
            rx_wait <= BIT[15:0];
            // A start bit that is over at its middle was none.
            rx_left <= (rx_left == 4'd10 && line[2]) ? 4'd0 : rx_left - 4'd1;
            if (rx_left != 4'd1) rx_word <= {line[2], rx_word[7:1]};
            else rx_valid <= line[2];
        end
    end
    assign in_data  = rx_word;
    assign in_valid = rx_valid;

    // Bits that are left, the next one lowest.
    reg  [3:0] tx_left;
    reg [15:0] tx_wait;
    reg  [9:0] tx_bits;
    initial begin
        tx_left = 4'd0;
        tx_wait = 16'd0;
        tx_bits = 10'h3FF;
    end
    always @(posedge clk) begin
        if (tx_left == 4'd0) begin
            tx_wait <= BIT[15:0];
            if (out_valid) begin
                tx_left <= 4'd10;
                tx_bits <= {1'b1, out_data, 1'b0};
            end
        end else if (tx_wait != 16'd0) begin
            tx_wait <= tx_wait - 16'd1;
        end else begin
            tx_wait <= BIT[15:0];
            tx_left <= tx_left - 4'd1;
            tx_bits <= {1'b1, tx_bits[9:1]};
        end
    end
    assign tx        = tx_bits[0];
    assign out_ready = tx_left == 4'd0;

endmodule

`default_nettype wire
