// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What the events of a block are made of, docs/board.md: 64 random bits, a connection, the time, and whether the connection is
// open. All of it stands still until the event is taken.
`default_nettype none

module weft_board_source (
    input  wire        clk,
    input  wire        rst,
    input  wire [63:0] start,      // The first random bits, not 0.
    input  wire [31:0] events,     // Events to give.
    input  wire        taken,      // The event is taken with this edge.
    input  wire        opens,      // It opens its connection.
    input  wire        closes,     // It closes its connection.
    output wire        valid,
    output wire [63:0] random,
    output wire  [7:0] connection,
    output wire        is_open,
    output wire [31:0] now
);

    // xorshift64: Marsaglia 2003, triple 13, 7, 17.
    function automatic [63:0] next(input [63:0] x);
        reg [63:0] y;
        reg [63:0] z;
        begin
            y    = x ^ {x[50:0], 13'd0};
            z    = y ^ {7'd0, y[63:7]};
            next = z ^ {z[46:0], 17'd0};
        end
    endfunction

    reg  [63:0] bits;
    reg  [31:0] left;
    reg  [31:0] time_now;
    reg [255:0] open;
    initial begin
        bits     = 64'd1;
        left     = 32'd0;
        time_now = 32'd0;
        open     = 256'd0;
    end
    always @(posedge clk) begin
        if (rst) begin
            bits     <= start;
            left     <= events;
            time_now <= 32'hFFFF0000;
            open     <= 256'd0;
        end else if (taken) begin
            bits     <= next(bits);
            left     <= left - 32'd1;
            time_now <= time_now + {27'd0, bits[43:39]} + 32'd1;
            if (opens) open[connection] <= 1'b1;
            if (closes) open[connection] <= 1'b0;
        end
    end

    assign valid      = left != 32'd0;
    assign random     = bits;
    // Every second event is of one of eight connections.
    assign connection = bits[8] ? {5'd0, bits[2:0]} : bits[7:0];
    assign is_open    = open[connection];
    assign now        = time_now;

endmodule

`default_nettype wire
