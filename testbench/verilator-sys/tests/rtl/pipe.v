// A pipeline; only RESET_V2 gives its second valid bit a reset.
module pipe (
    input  wire       clk,
    input  wire       rst,
    input  wire       s_valid,
    input  wire [7:0] s_data,
    output wire       m_valid,
    output wire [7:0] m_data,
    output reg  [3:0] seen
);
    reg v1, v2;
    reg [7:0] d1, d2;
    assign m_valid = v2;
    assign m_data  = d2;
    always @(posedge clk) begin
        d1 <= s_data;
        d2 <= d1;
        v1 <= s_valid;
`ifdef RESET_V2
        v2 <= v1;
`else
        v2 <= v2 | v1;
`endif
        if (v2) seen <= seen + 4'd1;
        if (rst) begin
            v1 <= 0;
`ifdef RESET_V2
            v2 <= 0;
`endif
            seen <= 0;
        end
    end
endmodule
