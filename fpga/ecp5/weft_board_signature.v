// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The CRC-32 of Ethernet and zlib over the bytes of all words, and how many words there were.
`default_nettype none

module weft_board_signature #(
    parameter BITS = 32 // Of a word, a multiple of 8.
) (
    input  wire            clk,
    input  wire            rst,
    input  wire            valid,
    input  wire [BITS-1:0] word,   // The first byte lowest.
    output wire     [31:0] signature,
    output reg      [31:0] words
);

    function automatic [31:0] next(input [31:0] from, input [BITS-1:0] added);
        integer i;
        begin
            next = from;
            for (i = 0; i < BITS; i = i + 1)
                next = {1'b0, next[31:1]} ^ ((next[0] ^ added[i]) ? 32'hEDB88320 : 32'd0);
        end
    endfunction

    reg [31:0] crc;
    initial begin
        crc   = 32'd0;
        words = 32'd0;
    end
    always @(posedge clk) begin
        if (rst) begin
            crc   <= 32'hFFFFFFFF;
            words <= 32'd0;
        end else if (valid) begin
            crc   <= next(crc, word);
            words <= words + 32'd1;
        end
    end
    assign signature = ~crc;

endmodule

`default_nettype wire
