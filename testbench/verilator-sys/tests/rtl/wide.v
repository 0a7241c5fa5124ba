// Ports of every storage size, and one of parameter width.
module wide #(
    parameter DW = 512
) (
    input  wire          clk,
    input  wire          rst,
    input  wire [4:0]    a,
    input  wire [8:0]    b,
    input  wire [19:0]   c,
    input  wire [47:0]   d,
    input  wire [192:0]  e,
    input  wire [DW-1:0] s_axis_tdata,
    output reg           a_is_5,
    output reg  [4:0]    a_next,
    output reg  [8:0]    b_next,
    output reg  [19:0]   c_next,
    output reg  [47:0]   d_next,
    output reg  [192:0]  e_next,
    output reg  [DW-1:0] m_axis_tdata,
    output reg  [47:0]   cycles
);
    always @(posedge clk) begin
        a_is_5       <= a == 5;
        a_next       <= a + 5'd1;
        b_next       <= b + 9'd1;
        c_next       <= c + 20'd1;
        d_next       <= d + 48'd1;
        e_next       <= ~e;
        m_axis_tdata <= {s_axis_tdata[0], s_axis_tdata[DW-1:1]};
        cycles       <= rst ? 48'd0 : cycles + 48'd1;
    end
endmodule
